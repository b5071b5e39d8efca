"""Names of fonts as programs write them: `Inter-BoldItalic`, `Inter Semi Bold`, `IBMPlexSans`."""

from __future__ import annotations

import re
from typing import NamedTuple

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W_A-Za-z0-9]+")
_WEIGHTS = {
    **dict.fromkeys(("thin", "hairline"), 100),
    **dict.fromkeys(("extralight", "ultralight"), 200),
    "light": 300,
    **dict.fromkeys(("regular", "normal", "roman", "book"), 400),
    "medium": 500,
    **dict.fromkeys(("semibold", "demibold", "demi"), 600),
    "bold": 700,
    **dict.fromkeys(("extrabold", "ultrabold"), 800),
    **dict.fromkeys(("black", "heavy"), 900),
}
STYLES = {
    100: "Thin",
    200: "ExtraLight",
    300: "Light",
    400: "Regular",
    500: "Medium",
    600: "SemiBold",
    700: "Bold",
    800: "ExtraBold",
    900: "Black",
}
"""The words for weights that files are mostly called by."""
_SLANTS = {"italic": True, "oblique": True, "it": True, "upright": False}
_FOUNDRIES = frozenset(("mt", "ps", "psmt"))
"""What some makers write after a name and a style."""


class StyledName(NamedTuple):
    """A family as it is named, and the weight and style that its name states, None for what it doesn't."""

    family: str
    weight: int | None = None
    italic: bool | None = None


def unspaced(name: str) -> str:
    """A name without blanks and signs, as PostScript names have it."""
    return "".join(char for char in name if char.isalnum())


def without_style(name: str) -> StyledName:
    """Part a name from the words of style at its end."""
    words = list(_WORD.finditer(name[:200]))
    weight: int | None = None
    italic: bool | None = None
    while len(words) > 1:
        last, pair = words[-1][0].lower(), (words[-2][0] + words[-1][0]).lower()
        if len(words) > 2 and pair in _WEIGHTS and weight is None:
            weight = _WEIGHTS[pair]
            words.pop()
        elif last in _WEIGHTS and weight is None:
            weight = _WEIGHTS[last]
        elif last in _SLANTS and italic is None:
            italic = _SLANTS[last]
        elif last not in _FOUNDRIES:
            break
        words.pop()
    if weight is None and italic is None:
        return StyledName(name)
    return StyledName(name[: words[-1].end()] if words else name, weight, italic)
