"""What is wrong with a text that is not YAML, said for the person who wrote it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import yaml

CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
"""Characters that YAML does not allow (YAML 1.2.2, section 5.1)."""
SEPARATOR = re.compile("[\x85\u2028\u2029]")
"""Line breaks to YAML 1.1 parsers but to no editor: they would shift every line number."""
_BREAK = re.compile("\r\n|[\r\n]")
_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|(NaN|-?Infinity)')
_HALF = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_PLAIN = bytes((9, 10, 13, *range(0x20, 0x7F)))
"""What most texts consist of, and is always allowed."""


@dataclass
class SourceError(Exception):
    """A problem at a line and column, both from 1."""

    code: str
    message: str
    line: int
    column: int
    hint: str | None = None


def decode(raw: bytes) -> str:
    """The text of a file: UTF-8, with or without a byte order mark, with any line ends.

    Raises SourceError for other encodings and for characters that no YAML file may hold.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = _place(raw[: error.start].decode("utf-8", "replace"))
        raise SourceError(
            "yaml/encoding",
            f"the byte 0x{raw[error.start]:02x} is not UTF-8",
            line,
            column,
            "save the file with the encoding UTF-8",
        ) from None
    if text.startswith("\ufeff"):
        text = text[1:]
    # All but the plain bytes are few, and are whole characters: to search those takes a tenth of the time.
    others = raw.translate(None, _PLAIN).decode("utf-8")
    bad = None
    if CONTROL.search(others) or SEPARATOR.search(others):
        bad = CONTROL.search(text) or SEPARATOR.search(text)
    if bad is not None:
        line, column = _place(text[: bad.start()])
        raise SourceError(
            "yaml/character",
            f"the invisible character U+{ord(bad.group()):04X} is not allowed",
            line,
            column,
            "delete it, or write it as an escape in double quotes",
        )
    return text


def _place(before: str) -> tuple[int, int]:
    """Line and column of the character after `before`."""
    lines = _BREAK.split(before)
    return len(lines), len(lines[-1]) + 1


@dataclass(frozen=True, slots=True)
class _Saying:
    """How a parser's wording is said to designers. `opening` reports where the construct began."""

    message: str
    hint: str
    code: str = "yaml/syntax"
    opening: bool = False


_QUOTE = "put text with ': ' or ' #' in it in quotes"
_INDENT = "check the indentation of this line and of the lines above"
_BOTH = f"{_INDENT}; {_QUOTE}"

_TAB = _Saying("a tab stands where only spaces may", "indent with spaces", "yaml/tab")
_NO_PAIR = _Saying("this is neither 'key: value' nor a list item", _INDENT, opening=True)
_NO_QUOTE = _Saying("the quoted text that starts here has no closing quote", "close it", opening=True)
_NO_BLOCK = _Saying(
    "text cannot stand beside | or >", "start it on the next line, or put all of it in quotes"
)
_NO_FIT = _Saying("this does not fit the lines above", _BOTH)

_SAYINGS = {
    "tab character": _TAB,
    "mapping values are not allowed": _Saying("a ':' stands where no key can be", _BOTH),
    "could not find expected ':'": _NO_PAIR,
    "while scanning a simple key": _NO_PAIR,
    "expected ',' or ']'": _Saying(
        "the list that starts here with [ has no closing ]", "part its values with commas", opening=True
    ),
    "expected ',' or '}'": _Saying(
        "the mapping that starts here with { has no closing }", "part its entries with commas", opening=True
    ),
    "unexpected end of stream": _NO_QUOTE,
    "unexpected document separator": _NO_QUOTE,
    "unknown escape character": _Saying(
        "this backslash escape does not exist", "use single quotes, or write the backslash twice"
    ),
    "alphabetic or numeric character": _Saying(
        "a name is missing after '*' or '&'", "put text that starts with * or & in quotes: '**bold**'"
    ),
    "sequence entries are not allowed": _Saying("a list item '-' cannot stand here", _INDENT),
    "did not find expected '-' indicator": _Saying("this line does not fit the list around it", _INDENT),
    "did not find expected key": _Saying("this line does not fit the keys around it", _BOTH),
    "expected <block end>": _NO_FIT,
    "<document start>": _NO_FIT,
    "line break": _NO_BLOCK,
    "chomping": _NO_BLOCK,
    "invalid Unicode": _Saying("this backslash escape names no character", "write the character itself"),
    "nesting depth": _Saying("values are nested too deep", "make the nesting flatter", "yaml/depth"),
    "tag handle": _Saying(
        "tags (words that start with '!') are not used here", "put it in quotes", "yaml/tag"
    ),
    "incompatible YAML document": _Saying("this version of YAML is not known", "leave the %YAML line out"),
}
"""By what the parser's wording contains: libyaml's, or that of PyYAML's own parser."""


def nesting_bound(error: yaml.YAMLError) -> Any:
    """Return the mark at which a parser refused deep nesting by a bound of its own, else None."""
    if isinstance(error, yaml.MarkedYAMLError) and "nesting" in f"{error.problem} {error.context}":
        return error.problem_mark or error.context_mark
    return None


def json_problem(text: str) -> SourceError | None:
    """Say what keeps a text from being JSON; None for JSON."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        hint = "correct it there, or name the file .yaml if it is YAML"
        return SourceError("yaml/syntax", message, error.lineno, error.colno, hint)
    except (ValueError, RecursionError):  # the reader has said so of a number or of depth
        return None
    for found in _CONSTANT.finditer(text):  # which Python takes, and no other reader
        if found[1]:
            line, column = _place(text[: found.start()])
            return SourceError("yaml/number", f"{found[1]} is not JSON", line, column, "write null")
    return None


def explain(error: yaml.YAMLError, text: str) -> SourceError:
    """A parser's error as a problem, worded for designers; unknown wordings are passed on."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return SourceError("yaml/syntax", f"not YAML: {error}", 1, 1)
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    problem = str(error.problem or error.context or "not YAML")
    if "cannot start any token" in problem:
        return _bad_start(text, line, column)
    wording = f"{problem}; {error.context or ''}"
    for words, saying in _SAYINGS.items():
        if words in wording:
            if saying.opening and error.context_mark is not None:
                line, column = error.context_mark.line + 1, error.context_mark.column + 1
            elif words == "invalid Unicode":
                return _bad_escape(text, line, column)
            return SourceError(saying.code, saying.message, line, column, saying.hint)
    return SourceError("yaml/syntax", f"not YAML: {problem}", line, column, _INDENT)


def _bad_escape(text: str, line: int, column: int) -> SourceError:
    """The problem of an escape that is no character; the parser stops behind its letter."""
    lines = _BREAK.split(text)
    row = lines[line - 1] if line <= len(lines) else ""
    saying = _SAYINGS["invalid Unicode"]
    start = max(0, column - 3)
    if _HALF.match(row, start) is None:
        return SourceError(saying.code, saying.message, line, column, saying.hint)
    message = f"the escape {row[start : start + 6]} is half of a character"
    hint = "write the character itself, or both halves, such as \\ud83e\\udd8a"
    return SourceError(saying.code, message, line, start + 1, hint)


def _bad_start(text: str, line: int, column: int) -> SourceError:
    """The problem of a character that starts nothing: a tab that indents, or one to be quoted."""
    lines = _BREAK.split(text)
    row = lines[line - 1] if line <= len(lines) else ""
    character = row[column - 1 : column]
    if character == "\t":
        return SourceError(_TAB.code, _TAB.message, line, column, _TAB.hint)
    hint = "put it in quotes"
    return SourceError("yaml/syntax", f"text cannot start with {character} here", line, column, hint)
