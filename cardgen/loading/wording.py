"""How findings name values and types."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "empty",
}
_LONGEST = 40
"""Characters of a value shown in a message."""


def type_name(name: str) -> str:
    """A JSON Schema type in a designer's words."""
    return _TYPES[name]


def shown(value: Any) -> str:
    """A value as a message shows it: 'text', 12, true, a list, a mapping, an empty value."""
    if value is None:
        return "an empty value"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        line = " ".join(value.split())
        return f"'{line}'" if len(line) <= _LONGEST else f"'{line[: _LONGEST - 1]}…'"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a mapping"
    return str(value)


def listed(values: Iterable[Any]) -> str:
    """Values side by side: d6, d8, d10; text without quotes."""
    return ", ".join(value if isinstance(value, str) and value else shown(value) for value in values)


def either(names: Iterable[str]) -> str:
    """Names as alternatives: a, b or c."""
    *first, last = list(dict.fromkeys(names))
    return f"{', '.join(first)} or {last}" if first else last


def did_you_mean(name: object, known: Iterable[object], least: float = 0.6) -> str | None:
    """A hint for a misspelt name, or None where nothing is near. `least` is the likeness that counts,
    from 0 to 1."""
    names = sorted({value for value in known if isinstance(value, str)})
    if not isinstance(name, str) or not names:
        return None
    by_folded = {value.casefold(): value for value in names}
    near = difflib.get_close_matches(name.casefold(), by_folded, 1, least)
    return f"did you mean '{by_folded[near[0]]}'?" if near else None


def name_hint(name: object, known: Iterable[str], kind: str) -> str:
    """A hint for an unknown name: the nearest known one, else all of them."""
    names = sorted(known)
    return did_you_mean(name, names) or (f"{kind}: {', '.join(names)}" if names else f"there are no {kind}")


def counted(number: int, noun: str) -> str:
    """A number of things: 1 value, 3 values."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
