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
