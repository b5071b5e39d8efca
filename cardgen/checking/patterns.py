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
        return re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0] if error.args else "it cannot be read"
        if isinstance(reason, bytes):
            reason = reason.decode("utf-8", "replace")
        raise PatternError(str(reason)) from None


def _bounded(text: str) -> str:
    if len(text) > MAX_TEXT:
        raise PatternError(f"a pattern is sought in at most {MAX_TEXT:,} characters")
    return text


def matches(text: str, pattern: str, ignore_case: bool = False) -> bool:
    """Whether the pattern occurs anywhere in the text."""
    return compiled(pattern, ignore_case).search(_bounded(text)) is not None


def find_all(
    text: str, pattern: str, ignore_case: bool = False, count: Callable[[], None] = lambda: None
) -> list[str]:
    """Every match in the text: its first group if the pattern has groups, else all of it. `count` is
    called for each, and may raise."""
    expression = compiled(pattern, ignore_case)
    matches = []
    for found in expression.finditer(_bounded(text)):
        count()
        matches.append((found.group(1) or "") if expression.groups else found.group())
    return matches
