"""Values of `calc()`: sums, differences, products and quotients of lengths (CSS Values 4, 10)."""

from __future__ import annotations

import re
from collections.abc import Callable

from cardgen.svg.numbers import NUMBER

_TOKEN = re.compile(rf"\s*(?:({NUMBER})([A-Za-z]+|%)?|(calc\(|\()|(\))|([*/+-]))\s*")
_LONGEST = 500
_DEEPEST = 20

Scale = Callable[[float, str], float | None]
"""A number with its unit in plain units; None for a unit that there is not."""


def summed(text: str, scale: Scale) -> float | None:
    """What a `calc(…)` comes to; None where it can't be read."""
    if len(text) > _LONGEST:
        return None
    try:
        reader = _Reader(text, scale)
        value = reader.product(0)
        return value if reader.at_end else None
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


class _Reader:
    def __init__(self, text: str, scale: Scale) -> None:
        self._tokens: list[tuple[str, str, str, str, str]] = []
        position = 0
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                raise ValueError
            number, unit, opened, closed, sign = match.groups(default="")
            # 1px -2px is no sum, and 3 -2 none: the sign stands apart
            self._tokens.append((number, unit, opened, closed, sign))
            position = match.end()
        self._scale = scale
        self._next = 0

    @property
    def at_end(self) -> bool:
        return self._next == len(self._tokens)

    def _peek(self) -> tuple[str, str, str, str, str]:
        return self._tokens[self._next] if not self.at_end else ("", "", "", "", "")

    def total(self, depth: int) -> float:
        value = self.product(depth)
        while (sign := self._peek()[4]) in ("+", "-") and sign:
            self._next += 1
            other = self.product(depth)
            value = value + other if sign == "+" else value - other
        return value

    def product(self, depth: int) -> float:
        value = self._value(depth)
        while (sign := self._peek()[4]) in ("*", "/") and sign:
            self._next += 1
            other = self._value(depth)
            value = value * other if sign == "*" else value / other
        return value

    def _value(self, depth: int) -> float:
        number, unit, opened, _, _ = self._peek()
        self._next += 1
        if number:
            found = self._scale(float(number), unit)
            if found is None:
                raise ValueError
            return found
        if not opened or depth > _DEEPEST:
            raise ValueError
        value = self.total(depth + 1)
        if not self._peek()[3]:
            raise ValueError
        self._next += 1
        return value
