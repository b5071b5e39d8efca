"""Where words may be hyphenated, by Liang patterns (pyphen's dictionaries)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from cardgen.findings import CardgenError, Finding, Severity, did_you_mean

_LETTERS = re.compile(r"[^\W\d_]+")
_LEAST_LETTERS = 6
_LEAST_BEFORE, _LEAST_AFTER = 2, 3
"""Letters that stay before and after a hyphen: TeX's \\lefthyphenmin and \\righthyphenmin."""


class LanguageError(CardgenError):
    """A language without hyphenation patterns."""

    def __init__(self, language: str, hint: str) -> None:
        message = f"there are no hyphenation patterns for the language '{language}'"
        super().__init__(Finding(Severity.ERROR, "text/hyphenation", message, None, hint))


def hyphenation_points(word: str, language: str) -> tuple[int, ...]:
    """Offsets in `word` at which a hyphen may be put. Runs of letters shorter than six and all
    capitals (abbreviations) are left whole. Raises LanguageError."""
    patterns = _patterns(language)
    points: list[int] = []
    for match in _LETTERS.finditer(word):
        letters = match.group()
        if len(letters) >= _LEAST_LETTERS and not letters.isupper():
            points += [match.start() + int(point) for point in patterns.positions(letters)]
    return tuple(points)


@lru_cache(maxsize=16)
def _patterns(language: str) -> Any:
    import pyphen

    name = pyphen.language_fallback(language.replace("-", "_"))
    if name is None:
        hint = did_you_mean(language, pyphen.LANGUAGES) or "use a code such as en, de or fr"
        raise LanguageError(language, hint)
    return pyphen.Pyphen(lang=name, left=_LEAST_BEFORE, right=_LEAST_AFTER)
