"""Where words may be hyphenated, by Liang patterns (pyphen's dictionaries)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

_LETTERS = re.compile(r"[^\W\d_]+")
_WITHOUT_HYPHENS = frozenset(("th",))
"""Languages with patterns whose words are parted without a hyphen."""

Limits = tuple[int, int, int]
"""The least letters of a word that is hyphenated, before the hyphen and after it."""

LIMITS: Limits = (6, 3, 3)
"""Two letters at the end of a line are hard to read on a narrow card."""


def hyphenation_points(word: str, language: str, limits: Limits = LIMITS) -> tuple[int, ...]:
    """Offsets in `word` at which a hyphen may be put: none in a language without patterns. Runs of fewer
    letters than the limits say and all capitals (abbreviations) are left whole."""
    least, before, after = limits
    patterns = _patterns(language, before, after)
    if patterns is None:
        return ()
    points: list[int] = []
    for match in _LETTERS.finditer(word):
        letters = match.group()
        if len(letters) >= least and not letters.isupper():
            points += [match.start() + int(point) for point in patterns.positions(letters)]
    return tuple(points)


@lru_cache(maxsize=16)
def _patterns(language: str, before: int, after: int) -> Any:
    import pyphen

    name = pyphen.language_fallback(language.replace("-", "_"))
    if name is None or name.partition("_")[0] in _WITHOUT_HYPHENS:
        return None
    return pyphen.Pyphen(lang=name, left=before, right=after)
