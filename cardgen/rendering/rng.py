"""Seeded chance for generative art: the same key gives the same drawing on every machine."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import Any

from cardgen.sandbox import WrongValueError, shown
from cardgen.sandbox.texts import real

_MASK = (1 << 64) - 1


class Rng:
    """A splitmix64 generator (Steele, Lea, Flood 2014), seeded by text.

    Python's own generator is not used because its `choice` and `shuffle` have changed between
    versions of Python.
    """

    __slots__ = ("_state",)

    def __init__(self, *keys: object) -> None:
        seed = "\x1f".join(map(str, keys)).encode()
        self._state = int.from_bytes(hashlib.blake2b(seed, digest_size=8).digest(), "big")

    def _next(self) -> int:
        self._state = z = (self._state + 0x9E3779B97F4A7C15) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def random(self) -> float:
        """At least 0 and less than 1."""
        return (self._next() >> 11) * 2.0**-53

    def uniform(self, low: float, high: float) -> float:
        """Between `low` and `high`."""
        return low + (high - low) * self.random()

    def randint(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both possible."""
        if type(low) is not int or type(high) is not int:
            real(low), real(high)
        if high < low:
            first, second = shown(low), shown(high)
            raise WrongValueError(
                f"randint({first}, {second}): the second number is smaller than the first"
            )
        return low + self._next() % (high - low + 1)

    def chance(self, probability: float) -> bool:
        """True in `probability` of the cases."""
        return self.random() < probability

    def gauss(self, mean: float = 0.0, deviation: float = 1.0) -> float:
        """Normally distributed (Box and Muller)."""
        radius = math.sqrt(-2.0 * math.log(1.0 - self.random()))
        return mean + deviation * radius * math.cos(2.0 * math.pi * self.random())

    def choice(self, items: Sequence[Any]) -> Any:
        """One of the items."""
        items = list(items)
        if not items:
            raise WrongValueError("choice() of an empty list")
        return items[self._next() % len(items)]

    def shuffle(self, items: Sequence[Any]) -> list[Any]:
        """The items in another order, as a new list."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self._next() % (last + 1)
            result[last], result[other] = result[other], result[last]
        return result

    def sample(self, items: Sequence[Any], count: int) -> list[Any]:
        """`count` different ones of the items (all of them if there are fewer)."""
        return self.shuffle(items)[: max(0, count)]
