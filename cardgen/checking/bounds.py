"""Bounds that a measure is held to: exactly, at least, at most."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from cardgen.checking.results import number

BOUND_KEYS = ("equals", "min", "max")

_TOLERANCE = 1e-9
"""Relative slack for sums of decimals; whole numbers are compared exactly."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """A value is within bounds if it equals `equals`, or lies from `min` to `max`, ends included."""

    equals: float | None = None
    min: float | None = None
    max: float | None = None

    @property
    def stated(self) -> bool:
        return not (self.equals is None and self.min is None and self.max is None)

    def __contains__(self, value: float) -> bool:
        if not math.isfinite(value):
            return False
        if self.equals is not None:
            return _same(value, self.equals)
        above = self.min is None or value >= self.min or _same(value, self.min)
        return above and (self.max is None or value <= self.max or _same(value, self.max))

    def holds_for(self, low: float, high: float) -> bool | None:
        """Whether a value known to lie between `low` and `high` is within bounds; None: can't say."""
        if low in self and high in self:
            return True
        least = self.equals if self.equals is not None else self.min
        most = self.equals if self.equals is not None else self.max
        if (most is not None and low > most) or (least is not None and high < least):
            return False
        return None

    def distance(self, value: float) -> float:
        """How far a value lies from what the bounds allow; 0 where it is within."""
        if value in self:
            return 0
        least = self.equals if self.equals is not None else self.min
        most = self.equals if self.equals is not None else self.max
        return max(
            least - value if least is not None else 0, value - most if most is not None else 0, _TOLERANCE
        )

    @property
    def pairs(self) -> tuple[tuple[str, float], ...]:
        """Those that are stated, as `(("min", 2), ("max", 4))`."""
        read = ((key, getattr(self, key)) for key in BOUND_KEYS)
        return tuple((key, value) for key, value in read if value is not None)

    @property
    def allows_none(self) -> bool:
        """Whether the bounds say outright that there may be none: `equals: 0`, or only a `max`."""
        return 0 in self and (self.equals is not None or self.max is not None)

    def said(self, words: Callable[[float], str] = number) -> str:
        """The bounds in a sentence, figures written by `words`."""
        if self.equals is not None:
            return words(self.equals)
        if self.min is not None and self.max is not None:
            return f"{words(self.min)} to {words(self.max)}"
        if self.min is not None:
            return f"at least {words(self.min)}"
        return f"at most {words(self.max)}" if self.max is not None else "anything"

    def __str__(self) -> str:
        return self.said()


def _same(left: float, right: float) -> bool:
    if isinstance(left, int) and isinstance(right, int):
        return left == right
    return math.isclose(left, right, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
