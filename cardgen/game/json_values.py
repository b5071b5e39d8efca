"""Values of JSON: read strictly, compared as JSON compares them, checked in a bounded number of steps."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from cardgen.files.yaml import MAX_DEPTH
from cardgen.files.yaml_text import MAX_DIGITS

if TYPE_CHECKING:
    from cardgen.game.patterns import Pattern

Path = tuple[str | int, ...]
"""The way from a value to a part of it."""


# ---- strict JSON


def parse_json(text: str) -> Any:
    """Return the value of a JSON text. Raises ValueError, also for repeated keys, for numbers that are too
    long or not finite, for halves of characters, and for nesting deeper than MAX_DEPTH."""
    try:
        content = json.loads(
            text,
            object_pairs_hook=_without_repeats,
            parse_constant=_whole,  # refuses NaN and Infinity, which are no whole numbers
            parse_float=_finite,
            parse_int=_whole,
        )
    except RecursionError:
        raise ValueError("nested too deep") from None
    level = [content]
    for _ in range(MAX_DEPTH + 1):
        level = [item for each in level for item in _items(each)]
    if level:
        raise ValueError(f"nested more than {MAX_DEPTH} deep")
    json.dumps(content, ensure_ascii=False).encode()  # halves of characters have no UTF-8
    return content


def _items(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key appears twice")
    return result


def _finite(text: str) -> float:
    number = float(text)
    if len(text) > MAX_DIGITS or not math.isfinite(number):
        raise ValueError(f"{text[:12]} is too large")
    return number


def _whole(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise ValueError(f"{text[:12]} has too many digits")
    return int(text)


# ---- the equality of JSON


def json_key(value: Any) -> str:
    """Return a text that is the same for two values of JSON's types exactly if these are the same.

    Texts, unlike the numbers themselves, are hashed with a secret: no choice of values makes a set of
    them slow.
    """
    if isinstance(value, str):
        return f'"{value}'
    if isinstance(value, bool) or value is None:
        return "null" if value is None else "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"))


def _plain(value: Any) -> Any:
    """Return the value with every whole number written as an integer."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def repeated(items: list[Any]) -> int | None:
    """Return the place of the first item that equals an earlier one; None if all differ."""
    seen: set[str] = set()
    for index, item in enumerate(items):
        name = json_key(item)
        if name in seen:
            return index
        seen.add(name)
    return None


def distinct(values: list[Any]) -> list[Any]:
    """Return the values without repeats, in their order."""
    return list({json_key(value): value for value in reversed(values)}.values())[::-1]


# ---- limits of the work for a value

STEPS = 400_000
"""Steps that every document may take: checking a part against a schema is one."""
STEPS_A_VALUE = 40
"""Further steps for each value in it. The shipped cards take 1 to 40, short files of rules up to 110."""
PATTERN_SECONDS = 1.0
"""Processor time for patterns that may be slow; others aren't measured. Usual ones take microseconds."""

_SUSPICIOUS = 200_000
"""Characters times instructions from which a search is timed; at worst it takes 3 ms."""


class TooManyStepsError(Exception):
    """Checking took too many steps: their number, and the last value and schema."""

    def __init__(self, steps: int, value: Any, schema: Any) -> None:
        super().__init__(f"more than {steps:,} steps")
        self.steps = steps
        self.value = value
        self.schema = schema


class UnresolvedError(LookupError):
    """A schema that contains itself is not ready yet."""


class Steps:
    """The steps that are left for checking `value`."""

    __slots__ = ("_all", "_seconds", "_value", "left")

    def __init__(self, value: Any) -> None:
        self._value = value
        self._all = self.left = STEPS
        self._seconds = PATTERN_SECONDS

    def take(self, count: int, value: Any, schema: Any) -> None:
        """Count steps for checking a value against a schema. Raises TooManyStepsError."""
        self.left -= count
        if self.left < 0:
            self.more(value, schema)

    def more(self, value: Any, schema: Any) -> None:
        """Count the steps of a large document beyond the first ones. Raises TooManyStepsError if none are
        left."""
        if self._all == STEPS:
            further = STEPS_A_VALUE * size(self._value)
            self._all += further
            self.left += further
        if self.left < 0:
            raise TooManyStepsError(self._all, value, schema)

    def search(self, pattern: Pattern, text: str, schema: Any) -> bool:
        """Return True if a pattern occurs in a text. Raises TooManyStepsError."""
        if len(text) * pattern.size < _SUSPICIOUS:
            return pattern.found_in(text)
        begun = time.thread_time()
        found = pattern.found_in(text)
        self._seconds -= time.thread_time() - begun
        if self._seconds < 0:
            raise TooManyStepsError(self._all, text, schema)
        return found


def size(value: Any, most: int | None = None) -> int:
    """Return the number of values in a value, or some number above `most` without counting them all."""
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
