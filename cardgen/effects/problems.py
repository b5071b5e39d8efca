"""What is wrong with an effect or a keyword table, before it has a line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem at a path within the effect or table. `code`, `message` and `hint` are a finding's."""

    path: Path
    code: str
    message: str
    hint: str | None = None


def meant(word: str, known: Iterable[str]) -> str:
    """A hint for an unknown word: the nearest known one, else all of them."""
    names = sorted(set(known))
    by_folded = {name.casefold(): name for name in names}
    close = difflib.get_close_matches(word.casefold(), by_folded, 1, 0.6)
    if close:
        return f"did you mean '{by_folded[close[0]]}'?"
    return f"there is: {', '.join(names)}"


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
