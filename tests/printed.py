"""What tests look for in anything that was printed."""

from __future__ import annotations

import unicodedata

_BAD = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def hidden(text: str) -> set[str]:
    """Characters that may not be printed: controls but the newline, and formats but the two joiners."""
    return {char for char in text if unicodedata.category(char) in _BAD} - set("\n\u200c\u200d")
