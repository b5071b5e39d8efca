"""Colours as CSS writes them."""

from __future__ import annotations

import math
from functools import lru_cache

from tinycss2 import color4

RGBA = tuple[float, float, float, float]
"""Red, green, blue and opacity, each from 0 to 1, sRGB."""

_LONGEST = 100
"""Characters of a colour."""


@lru_cache(maxsize=4096)
def parse_color(text: str) -> RGBA | None:
    """The colour of a name, `#rgb`, `#rrggbb`, `rgb()`, `hsl()` or `hwb()`, with an opacity or without;
    None for anything else, `currentColor` and colours outside sRGB among it."""
    if len(text) > _LONGEST:
        return None
    try:
        found = color4.parse_color(text.strip())
        if found is None or isinstance(found, str):
            return None
        *channels, alpha = found.to("srgb")
    except (NotImplementedError, ArithmeticError, ValueError):  # another space, or a number without end
        return None
    values = (*channels, alpha)
    if not all(map(math.isfinite, values)):
        return None
    red, green, blue, opacity = (min(1.0, max(0.0, value)) for value in values)
    return (red, green, blue, opacity)
