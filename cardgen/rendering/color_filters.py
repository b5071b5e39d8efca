"""The colour filters of templates."""

from __future__ import annotations

from functools import lru_cache

from cardgen.model import artwork
from cardgen.model.artwork import Color
from cardgen.sandbox import WrongValueError, shown
from cardgen.svg.colors import parse_color


def mix(color: str, other: str, t: float = 0.5) -> str:
    """`color` with the part `t` (0 to 1) of `other`, in sRGB."""
    if type(color) is str and type(other) is str and type(t) is float:
        return _mixed(color, other, t)
    return _mix(color, other, t)


def _mix(color: str, other: str, t: float) -> str:
    first, second = _colour(color), _colour(other)
    red, green, blue = (a + (b - a) * t for a, b in zip(first, second))
    return _written((red, green, blue))


_mixed = lru_cache(maxsize=1024)(_mix)
"""Templates mix the same colours for every card."""


def lighten(color: str, t: float = 0.2) -> str:
    """`color` with the part `t` of white."""
    return mix(color, "#ffffff", t)


def darken(color: str, t: float = 0.2) -> str:
    """`color` with the part `t` of black."""
    return mix(color, "#000000", t)


def grey(color: str) -> str:
    """`color` without its hue, equally bright (Rec. 709 luma)."""
    red, green, blue = _colour(color)
    level = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return _written((level, level, level))


def contrast(color: str, other: str) -> float:
    """The WCAG 2 contrast ratio of two colours, 1 to 21."""
    return artwork.contrast(_colour(color), _colour(other))


def ink_on(ground: str, dark: str = "#000000", light: str = "#ffffff") -> str:
    """Whichever of the two inks is easier to read on `ground`."""
    return dark if contrast(ground, dark) >= contrast(ground, light) else light


def _colour(value: object) -> Color:
    """Raises WrongValueError for what is no colour, or can be seen through: the result could not say."""
    color = parse_color(value) if isinstance(value, str) else None
    if color is None:
        raise WrongValueError(f"{shown(value)} is not a colour such as #1d2433 or navy")
    if color[3] < 1:
        raise WrongValueError(f"{shown(value)} is see-through; such colours are not reckoned with")
    return color[:3]


def _written(color: Color) -> str:
    """`#rrggbb`."""
    return "#" + "".join(f"{round(min(1.0, max(0.0, channel)) * 255):02x}" for channel in color)
