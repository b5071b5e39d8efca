"""Words of problems in effects and keyword tables."""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.findings import did_you_mean

Path = tuple[str | int, ...]


def meant(word: str, known: Iterable[str]) -> str:
    """A hint for an unknown word: the nearest known one, else all of them."""
    names = frozenset(known)
    return did_you_mean(word, names) or f"there is: {', '.join(sorted(names))}"


def shown(value: object) -> str:
    """A value as messages show it."""
    if isinstance(value, str):
        line = " ".join(value.split())
        return f"'{line}'" if len(line) <= 50 else f"'{line[:49]}…'"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return "an empty value" if value is None else str(value)
