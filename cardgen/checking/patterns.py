"""Regular expressions in rules, run by RE2: time linear in the text, whatever the pattern.

RE2's language is Python's without look-around and back-references.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

MAX_PATTERN = 500
"""Most characters of a pattern."""

MAX_TEXT = 100_000
"""Most characters of a text that patterns are sought in."""

MAX_PROGRAM = 2_000
"""Most instructions that a pattern may become. A class of Unicode's letters has 1,200."""

STEPS_PER_MATCH = 8
"""What a match takes; RE2 hands matches over slowly."""

_CHARACTERS_PER_STEP = 20
_RESCANNED_PER_STEP = 500
"""Characters beyond a match, which RE2 may read again for each."""
_INSTRUCTIONS_PER_STEP = 500
"""Instructions of a pattern, times characters, that are a step where RE2 has to try all of them."""
_SHORT = 200
"""Characters of a text in which that is no matter: most texts of cards."""

Step = Callable[[int], None]
"""Charges for steps, and may raise."""


class PatternError(Exception):
    """A pattern RE2 cannot read; the text says why."""


@functools.lru_cache(maxsize=512)
def compiled(pattern: str, ignore_case: bool = False) -> Any:
    """The pattern, compiled. Raises PatternError."""
    try:
        import re2  # only the rules that use patterns need it
    except ImportError:
        raise PatternError("patterns need the package google-re2: pip install google-re2") from None

    if len(pattern) > MAX_PATTERN:
        raise PatternError(f"a pattern may have {MAX_PATTERN} characters, this one has {len(pattern)}")
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not ignore_case
    options.max_mem = 1 << 20
    try:
        expression = re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0] if error.args else "it cannot be read"
        if isinstance(reason, bytes):
            reason = reason.decode("utf-8", "replace")
        raise PatternError(str(reason)) from None
    if expression.programsize > MAX_PROGRAM:
        raise PatternError("it is too large: repeat fewer things, or fewer times")
    return expression


def _sought(text: str, pattern: str, ignore_case: bool, step: Step) -> Any:
    """The pattern, compiled, with its search in the text charged."""
    expression = compiled(pattern, ignore_case)
    if len(text) > MAX_TEXT:
        raise PatternError(f"a pattern is sought in at most {MAX_TEXT:,} characters")
    tried = max(0, len(text) - _SHORT) * expression.programsize
    step(2 + len(text) // _CHARACTERS_PER_STEP + tried // _INSTRUCTIONS_PER_STEP)
    return expression


def matches(text: str, pattern: str, ignore_case: bool, step: Step) -> bool:
    """Whether the pattern occurs anywhere in the text. `step` is charged."""
    return _sought(text, pattern, ignore_case, step).search(text) is not None


def find_all(text: str, pattern: str, ignore_case: bool, step: Step) -> list[str]:
    """Every match in the text: its first group if the pattern has groups, else all of it. `step` is
    charged."""
    expression = _sought(text, pattern, ignore_case, step)
    matches = []
    for found in expression.finditer(text):
        step(STEPS_PER_MATCH + (len(text) - found.end()) // _RESCANNED_PER_STEP)
        matches.append((found.group(1) or "") if expression.groups else found.group())
    return matches
