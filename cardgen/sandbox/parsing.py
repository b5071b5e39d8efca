"""Reading templates and expressions, within bounds: length, number of words, nesting, size of numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from jinja2 import TemplateSyntaxError, nodes
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.parser import Parser

from cardgen.sandbox.scalar_filters import MAX_NUMERAL

if TYPE_CHECKING:
    from cardgen.sandbox.environment import Sandbox

MAX_SOURCE = 2_000_000
"""Most characters of one template."""

MAX_TOKENS = 30_000
"""Most words and signs in all expressions and statements of one template. The largest of a real game has
6,000."""

TOO_DEEP = "it is nested too deeply"

_DIGITS = re.compile("[0-9a-fA-F_]{9,}")


class BoundedReading(Extension):
    """Ends the reading of a template that has too many words and signs."""

    priority = 0

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        most: int = self.environment.max_tokens  # type: ignore[attr-defined]
        left = most
        for token in stream:
            left -= 1
            if left < 0:
                message = f"it has more than {most:,} words and signs"
                raise TemplateSyntaxError(message, token.lineno, stream.name, stream.filename)
            yield token


def parse_template(
    environment: Sandbox, source: str, name: str | None, filename: str | None
) -> nodes.Template:
    """The tree of a template. Raises TemplateSyntaxError."""
    tree: nodes.Template = _parsed(environment, source, name, filename, None, Parser.parse)
    return tree


def parse_expression(environment: Sandbox, source: str) -> nodes.Expr:
    """The tree of an expression. Raises TemplateSyntaxError."""
    tree: nodes.Expr = _parsed(environment, source, None, None, "variable", _whole_expression)
    return tree


def _whole_expression(parser: Parser) -> nodes.Expr:
    tree = parser.parse_expression()
    if not parser.stream.eos:
        parser.fail("something is left over after it")
    return tree


def _parsed(
    environment: Sandbox,
    source: str,
    name: str | None,
    filename: str | None,
    state: str | None,
    parse: Callable[[Parser], Any],
) -> Any:
    if len(source) > MAX_SOURCE:
        message = f"it is longer than {MAX_SOURCE:,} characters"
        raise TemplateSyntaxError(message, 1, name, filename)
    for digits in _DIGITS.finditer(source):  # Jinja2 would take hundreds of bytes for each
        if digits.end() - digits.start() > MAX_NUMERAL:
            line = source.count("\n", 0, digits.start()) + 1
            raise TemplateSyntaxError("a number has too many digits", line, name, filename)
    parser: Parser | None = None
    try:
        parser = Parser(environment, source, name, filename, state)
        return parse(parser)
    except RecursionError:
        message = TOO_DEEP
    except (ValueError, OverflowError):  # what Python says to a number of 5,000 digits
        message = "a number has too many digits"
    raise TemplateSyntaxError(message, parser.stream.current.lineno if parser else 1, name, filename)
