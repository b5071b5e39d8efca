"""How findings name values and types."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from cardgen.findings import nearest

TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "empty",
}
"""The types of JSON Schema in a designer's words."""
_LONGEST = 40
"""Characters of a value shown in a message."""
_MANY = 24
"""Most values or names listed."""


def shown(value: Any) -> str:
    """A value as a message shows it: 'text', 12, true, a list, a mapping, an empty value."""
    if value is None:
        return "an empty value"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"'{named(' '.join(value[: 8 * _LONGEST].split()))}'"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a mapping"
    return named(str(value))


def named(name: str) -> str:
    """A name as a message shows it: whole, unless it is very long."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def listed(values: Sequence[Any]) -> str:
    """Values side by side: d6, d8, d10; text without quotes; of very many the first."""
    words = [named(value) if isinstance(value, str) and value else shown(value) for value in values[:_MANY]]
    if len(values) > _MANY:
        words.append(f"… ({len(values) - _MANY:,} more)")
    return ", ".join(words)


def either(names: Iterable[str]) -> str:
    """Names as alternatives: a, b or c."""
    *first, last = list(dict.fromkeys(names))
    return f"{', '.join(first)} or {last}" if first else last


def did_you_mean(name: object, known: Iterable[object], least: float = 0.6) -> str | None:
    """A hint for a misspelt name, or None where nothing is near. `least` is the likeness that counts,
    from 0 to 1."""
    near = _near(name, known, least)
    return None if near is None else suggestion(near)


def suggestion(name: str) -> str:
    """The hint that a name is likely to be meant."""
    return f"did you mean '{named(name)}'?"


def _near(name: object, known: Iterable[object], least: float = 0.6) -> str | None:
    if not isinstance(name, str):
        return None
    return nearest(name, (value for value in known if isinstance(value, str)), least)


class Guesses:
    """`did_you_mean` for all slips of one file, with a bound on what that takes: each name compared
    takes microseconds, and a large file can have a slip in every line."""

    def __init__(self, comparisons: int = 20_000) -> None:
        self._left = comparisons

    def __call__(self, name: object, known: Collection[object]) -> str | None:
        near = self.meant(name, known)
        return None if near is None else suggestion(near)

    def meant(self, name: object, known: Collection[object]) -> str | None:
        """The name itself that is likely to be meant."""
        if self._left <= 0:
            return None
        self._left -= len(known) + 1
        return _near(name, known)


def name_hint(name: object, known: Iterable[str], kind: str) -> str:
    """A hint for an unknown name: the nearest known one, else all of them."""
    names = sorted(known)
    return did_you_mean(name, names) or (f"{kind}: {listed(names)}" if names else f"there are no {kind}")


def counted(number: int, noun: str) -> str:
    """A number of things: 1 value, 3 values."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
