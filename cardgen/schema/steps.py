"""A bound on the work of checking one value: steps are counted, and too many end it.

A few lines of schema can ask for more steps than there are atoms: forms within forms, each tried for
every value. Counting is the same on every machine; only the search for patterns is timed, because
nothing tells beforehand whether RE2 takes a nanosecond or a microsecond for a character.
"""

from __future__ import annotations

import time
from typing import Any

from cardgen.schema.ecma_patterns import Pattern

STEPS = 400_000
"""Steps that every document may take: a part of a schema held against a value is one."""
STEPS_A_VALUE = 12
"""Further steps for each value in it. The shipped games take 1 to 3."""
PATTERN_SECONDS = 1.0
"""Processor time for patterns that may be slow; others aren't measured. Usual ones take microseconds."""

_SUSPICIOUS = 200_000
"""Characters times instructions from which a search is timed; at the worst it takes 3 ms."""


class TooManyStepsError(Exception):
    """Checking took too many steps: so many, and was at this value with this schema."""

    def __init__(self, steps: int, value: Any, schema: Any) -> None:
        super().__init__(f"more than {steps:,} steps")
        self.steps = steps
        self.value = value
        self.schema = schema


class Steps:
    """What is left of the steps for checking `value`."""

    __slots__ = ("_all", "_seconds", "_value", "left")

    def __init__(self, value: Any) -> None:
        self._value = value
        self._all = self.left = STEPS
        self._seconds = PATTERN_SECONDS

    def take(self, count: int, value: Any, schema: Any) -> None:
        """Take steps for a value that is held against a schema. Raises TooManyStepsError."""
        self.left -= count
        if self.left < 0:
            self.more(value, schema)

    def more(self, value: Any, schema: Any) -> None:
        """Take what a large document has beyond the first steps. Raises TooManyStepsError if nothing."""
        if self._all == STEPS:
            further = STEPS_A_VALUE * size(self._value)
            self._all += further
            self.left += further
        if self.left < 0:
            raise TooManyStepsError(self._all, value, schema)

    def search(self, pattern: Pattern, text: str, schema: Any) -> bool:
        """Whether a pattern occurs in a text. Raises TooManyStepsError."""
        if len(text) * pattern.size < _SUSPICIOUS:
            return pattern.found_in(text)
        begun = time.thread_time()
        found = pattern.found_in(text)
        self._seconds -= time.thread_time() - begun
        if self._seconds < 0:
            raise TooManyStepsError(self._all, text, schema)
        return found


def size(value: Any, most: int | None = None) -> int:
    """How many values a value consists of; some number above `most` where it is more than that, told
    without looking at all of them."""
    count = 0
    pending = [value]
    while pending:
        each = pending.pop()
        count += 1
        if isinstance(each, dict | list):
            if most is not None and count + len(pending) + len(each) > most:
                return most + 1
            pending += each.values() if isinstance(each, dict) else each
    return count
