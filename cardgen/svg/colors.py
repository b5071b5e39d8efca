"""Colours as SVG writes them, and the colour filters of templates."""

from __future__ import annotations

import re

from cardgen.model.artwork import Color
from cardgen.sandbox import WrongValueError, shown
from cardgen.svg.color_names import NAMED

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_CHANNEL = r"\s*((?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)%?)\s*"
_RGB = re.compile(rf"rgb\({_CHANNEL},{_CHANNEL},{_CHANNEL}\)")
_LONGEST = 100
"""Characters of a colour."""

_LONGEST = 200


def parse_color(text: str) -> Color | None:
    """The colour of `#rgb`, `#rrggbb`, `rgb(r, g, b)` or a name; None if it is none of these."""
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    if _HEX.fullmatch(text):
        digits = text[1:]
        if len(digits) == 3:
            digits = "".join(digit * 2 for digit in digits)
        return _from_hex(digits)
    lower = text.lower()
    if lower in NAMED:
        return _from_hex(NAMED[lower])
    match = _RGB.fullmatch(lower)
    if match:
        red, green, blue = (_channel(part) for part in match.groups())
        return (red, green, blue)
    return None


def _from_hex(digits: str) -> Color:
    return (int(digits[:2], 16) / 255, int(digits[2:4], 16) / 255, int(digits[4:], 16) / 255)


def _channel(text: str) -> float:
    value = float(text[:-1]) / 100 if text.endswith("%") else float(text) / 255
    return min(1.0, value)


def format_color(color: Color) -> str:
    """`#rrggbb`."""
    return "#" + "".join(f"{round(min(1.0, max(0.0, channel)) * 255):02x}" for channel in color)


def _colour(value: object) -> Color:
    color = parse_color(value) if isinstance(value, str) and len(value) <= _LONGEST else None
    if color is None:
        raise WrongValueError(f"{shown(value)} is not a colour such as #1d2433 or navy")
    return color


def mix(color: str, other: str, t: float = 0.5) -> str:
    """`color` with the part `t` (0 to 1) of `other`, in sRGB."""
    first, second = _colour(color), _colour(other)
    red, green, blue = (a + (b - a) * t for a, b in zip(first, second))
    return format_color((red, green, blue))


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
    return format_color((level, level, level))


def luminance(color: str) -> float:
    """Relative luminance as WCAG 2 defines it, 0 to 1."""
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in _colour(color)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(color: str, other: str) -> float:
    """The WCAG 2 contrast ratio of two colours, 1 to 21."""
    high, low = sorted((luminance(color), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def ink_on(ground: str, dark: str = "#000000", light: str = "#ffffff") -> str:
    """Whichever of the two inks is easier to read on `ground`."""
    return dark if contrast(ground, dark) >= contrast(ground, light) else light
