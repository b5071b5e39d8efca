"""Numbers as SVG writes them, read in time linear in the text, whatever it holds."""

from __future__ import annotations

import math
import re

from cardgen.svg.limits import FARTHEST, short

NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
"""A pattern that no text makes go back and forth: digits are not offered twice."""

_NUMBER = re.compile(NUMBER)
_LARGE = re.compile(r"[eE]|[0-9]{7}")
_LONGEST = 64
"""Characters of a number; more are no number that anyone wrote."""


def number(text: str) -> float | None:
    """The finite number that the whole text is; None for any other text."""
    if len(text) > _LONGEST or not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def numbers(text: str) -> list[float]:
    """All numbers in a list such as a viewBox, infinite ones too."""
    return [_value(part) for part in _NUMBER.findall(text)]


def share(text: str) -> float:
    """An opacity or another plain number; 50% is 0.5. Raises ValueError."""
    text = text.strip()
    value = number(text.removesuffix("%"))
    if value is None:
        raise ValueError(f"'{short(text)}' is not a number")
    return value / 100 if text.endswith("%") else value


def too_far(text: str) -> str | None:
    """The first number in a list, path data among them, whose size is above FARTHEST."""
    if not _LARGE.search(text):
        return None
    for match in _NUMBER.finditer(text):
        if abs(_value(match[0])) > FARTHEST:
            return match[0]
    return None


def _value(text: str) -> float:
    return float(text) if len(text) <= _LONGEST else math.inf
