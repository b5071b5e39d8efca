"""Names that stand for several: `king-*`, as shells have them."""

from __future__ import annotations

from fnmatch import fnmatchcase

MAX_NAME_PATTERN = 500
"""Most characters of a pattern of names. A longer one fits nothing, for compiling takes memory."""


def fits(name: str, pattern: str) -> bool:
    """Whether a name is what a pattern stands for, capitals counted."""
    return len(pattern) <= MAX_NAME_PATTERN and fnmatchcase(name, pattern)
