"""When two values are the same by JSON's rules: 1 and 1.0 are, true and 1 are not, the order of keys
says nothing."""

from __future__ import annotations

import json
from typing import Any


def key(value: Any) -> str:
    """A text that is the same for two values of JSON's types exactly if these are the same.

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
    """The value with every whole number written as an integer."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def repeated(items: list[Any]) -> int | None:
    """The place of the first item that is the same as one before it; None where all differ."""
    seen: set[str] = set()
    for index, item in enumerate(items):
        name = key(item)
        if name in seen:
            return index
        seen.add(name)
    return None


def distinct(values: list[Any]) -> list[Any]:
    """The values without repeats, in their order."""
    return list({key(value): value for value in reversed(values)}.values())[::-1]
