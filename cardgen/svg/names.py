"""Tables of names, short to write."""

from __future__ import annotations


def names(text: str) -> frozenset[str]:
    """The names in a text, which spaces part."""
    return frozenset(text.split())
