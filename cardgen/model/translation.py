"""What is known of a game in another language than its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """The words of templates in a `language`, each with its line in the PO `file`; how many of the game's
    texts are `missing` and how many `stale`. What templates say `must` be translated, or else is left as
    it is. `keys` lead to translated texts in the game's data."""

    language: str
    file: str
    words: Mapping[str, tuple[str, int]]
    must: bool
    missing: int
    stale: int
    keys: frozenset[str] = frozenset()
    absent: bool = False
    """Whether there is no such file."""
    untranslated: frozenset[tuple[str, str | int, str | int]] = frozenset()
    """Entries of lists of which no text is translated, though it should be: their file, list and number."""
