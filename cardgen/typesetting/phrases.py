"""Where words and phrases end in languages that put no spaces between them, as BudouX's models tell: a sum
over the three letters before and after each place, so that the work is linear in the text."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

WORDS = frozenset(("th",))
"""Languages whose words can be told apart, and whose lines end at no other place."""
PHRASES = frozenset(("ja",))
"""Languages whose lines may end between most letters, and look better between phrases."""
_THAI = re.compile("[\u0e01-\u0e3a\u0e40-\u0e4e]+")
_JOINS_BEFORE = re.compile("[\u0e2f-\u0e3a\u0e45-\u0e4e]")
"""Vowels and marks that belong to the letter before them, signs that end a word."""
_JOINS_AFTER = re.compile("[\u0e40-\u0e44]")
"""Vowels that are written before their letter."""


def word_ends(text: str) -> set[int]:
    """Offsets at which words of Thai in a text end and others of it begin."""
    found = set()
    for run in _THAI.finditer(text):
        for end in _ends("thai", run[0]):
            if not _JOINS_BEFORE.match(run[0], end) and not _JOINS_AFTER.match(run[0], end - 1):
                found.add(run.start() + end)
    return found


def phrase_ends(text: str) -> set[int]:
    """Offsets at which phrases of Japanese in a text end."""
    return set(_ends("japanese", text))


def _ends(model: str, text: str) -> list[int]:
    ends, end = [], 0
    for chunk in _parser(model).parse(text):
        end += len(chunk)
        ends.append(end)
    return ends[:-1]


@cache
def _parser(model: str) -> Any:
    import budoux

    return getattr(budoux, f"load_default_{model}_parser")()
