"""Reading templates and expressions, within bounds: length, number of words, nesting, size of numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from jinja2 import Environment, TemplateSyntaxError, nodes
from jinja2.lexer import Token
from jinja2.parser import Parser

from cardgen.sandbox.scalar_filters import MAX_NUMERAL

MAX_SOURCE = 2_000_000
"""Most characters of one template."""

MAX_TOKENS = 30_000
"""Most words and signs in all expressions and statements of one template. The largest of a real game has
6,000."""

TOO_DEEP = "it is nested too deeply"

_DIGITS = re.compile("[0-9a-fA-F_]++")
_OPENER = re.compile(r"\{([{%#])")
_CLOSERS = {
    # Texts in an expression may hold what looks like its end.
    "{": re.compile(r"""\}\}|'(?:\\.|[^'\\])*+'|"(?:\\.|[^"\\])*+\"""", re.DOTALL),
    "%": re.compile(r"""%\}|'(?:\\.|[^'\\])*+'|"(?:\\.|[^"\\])*+\"""", re.DOTALL),
    "#": re.compile(r"#\}"),
}


def bounded(
    environment: Any, source: str, name: str | None, filename: str | None, state: str | None
) -> Iterator[Token]:
    """The words and signs of a template, its literal text as `environment.literal` has it. Raises
    TemplateSyntaxError where there are too many."""
    left = most = environment.max_tokens
    literal = environment.literal
    lexer = environment.lexer
    for token in lexer.wrap(lexer.tokeniter(source, name, filename, state), name, filename):
        left -= 1
        if left < 0:
            message = f"it has more than {most:,} words and signs"
            raise TemplateSyntaxError(message, token.lineno, name, filename)
        if token.type == "data":
            line, _, text = token
            yield Token(line, "data", literal(text, name or "", line))
        else:
            yield token


def parse_template(
    environment: Environment, source: str, name: str | None, filename: str | None
) -> nodes.Template:
    """The tree of a template. Raises TemplateSyntaxError."""
    tree: nodes.Template = _parsed(environment, source, name, filename, None, Parser.parse)
    return tree


def parse_expression(environment: Environment, source: str) -> nodes.Expr:
    """The tree of an expression. Raises TemplateSyntaxError."""
    tree: nodes.Expr = _parsed(environment, source, None, None, "variable", _whole_expression)
    return tree


def _whole_expression(parser: Parser) -> nodes.Expr:
    tree = parser.parse_expression()
    if not parser.stream.eos:
        parser.fail("something is left over after it")
    return tree


def _parsed(
    environment: Environment,
    source: str,
    name: str | None,
    filename: str | None,
    state: str | None,
    parse: Callable[[Parser], Any],
) -> Any:
    if len(source) > MAX_SOURCE:
        message = f"it is longer than {MAX_SOURCE:,} characters"
        raise TemplateSyntaxError(message, 1, name, filename)
    # Jinja2 would take hundreds of bytes for each digit.
    if (start := _long_numeral(source, whole=state is not None)) is not None:
        line = source.count("\n", 0, start) + 1
        raise TemplateSyntaxError("a number has too many digits", line, name, filename)
    parser: Parser | None = None
    try:
        parser = Parser(environment, source, name, filename, state)
        return parse(parser)
    except RecursionError:
        message = TOO_DEEP
    except SyntaxError:  # what Python says to ٣ in a fraction
        message = "a number has other digits than 0 to 9"
    except (ValueError, OverflowError):  # what Python says to a number of 5,000 digits
        message = "a number has too many digits"
    raise TemplateSyntaxError(message, parser.stream.current.lineno if parser else 1, name, filename)


def _long_numeral(source: str, *, whole: bool) -> int | None:
    """Where a number of too many digits stands, in an expression or else in the code of a template."""
    runs = [run for run in _DIGITS.finditer(source) if run.end() - run.start() > MAX_NUMERAL]
    if not runs:
        return None
    code = [(0, len(source))] if whole else list(_code(source))
    return next((run.start() for run in runs for start, end in code if start <= run.start() < end), None)


def _code(source: str) -> Iterator[tuple[int, int]]:
    """Where the expressions and statements of a template stand, without the texts in them, as start and
    end. What has no end goes on to the end of the template."""
    place = 0
    while opener := _OPENER.search(source, place):
        place = opener.end()
        while True:
            end = _CLOSERS[opener[1]].search(source, place)
            if opener[1] != "#":
                yield place, len(source) if end is None else end.start()
            if end is None:
                return
            place = end.end()
            if end[0][0] not in "'\"":
                break
