"""Plain (unquoted) YAML text to values, by the core schema of YAML 1.2.

Only `true`/`false` are booleans, so `no`, `on` and `y` stay text; there are no dates, no base-60
numbers and no underscores in numbers. Source: YAML 1.2.2, section 10.3.2.
"""

from __future__ import annotations

import math
import re

MAX_DIGITS = 300
"""Longest number; longer ones are mistakes, and Python refuses to convert some of them."""

_FIXED: dict[str, object] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_FIRST = frozenset("+-.0123456789~nNtTfF") | {""}
"""The first characters of everything that is not text."""

_INTEGER = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


_NUMBER = re.compile(r"(?<![\w.+-])[+-]?[0-9.][\w.+-]*")


def resolve(text: str) -> object:
    """The value that plain `text` stands for: None, a bool, int or float, or the text itself.

    Raises ValueError, with a sentence for the designer, for a number that JSON cannot say.
    """
    if text[:1] not in _FIRST:
        return text
    if text in _FIXED:
        return _FIXED[text]
    if _INTEGER.fullmatch(text):
        _refuse_long(text)
        return int(text)
    if _FLOAT.fullmatch(text):
        _refuse_long(text)
        number = float(text)
        if math.isfinite(number):
            return number
        raise ValueError(f"the number {text} is too large")
    if _BASED.fullmatch(text):
        _refuse_long(text)
        return int(text, 0)
    if _NOT_FINITE.fullmatch(text):
        raise ValueError(f"{text} is not a finite number")
    return text


def _refuse_long(text: str) -> None:
    if len(text) > MAX_DIGITS:
        raise ValueError(f"the number {text[:12]}… has more than {MAX_DIGITS} digits")


class WrittenNumbers:
    """The numbers of a text as they are written. `odd` are those that are written in another way than they
    are printed: 007, +2, 1.50, 1e3."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines: list[str] = []
        values = {token: _number(token) for token in {match[0] for match in _NUMBER.finditer(text)}}
        self.odd = frozenset(
            value for token, value in values.items() if value is not None and str(value) != token
        )

    def at(self, line: int, column: int, value: int | float) -> str | None:
        """How a number is written at a line and column, from 1; None where another stands there."""
        self._lines = self._lines or self._text.split("\n")
        row = self._lines[line - 1] if 0 < line <= len(self._lines) else ""
        found = _NUMBER.match(row, max(0, column - 1))
        return found[0] if found is not None and _number(found[0]) == value else None


def _number(token: str) -> int | float | None:
    """The number that a plain scalar stands for."""
    try:
        value = resolve(token)
    except ValueError:
        return None
    return value if isinstance(value, (int, float)) else None
