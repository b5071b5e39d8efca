"""SVG attribute values to numbers: colours, transforms, path data, aspect ratios.

CairoSVG parses these too, but reads `#rrggbbaa` as `#rrggbb`, takes an unknown colour for black,
stumbles over `rotate(45deg)` and slices a path's text once per number. Here all of them are right, or
an error.
"""

from __future__ import annotations

import colorsys
import math
import re
from functools import lru_cache

from cardgen.drawing.objects import DrawingError
from cardgen.svg.numbers import NUMBER

Affine = tuple[float, float, float, float, float, float]
RGBA = tuple[float, float, float, float]

_FUNCTION = re.compile(r"([a-z]+)\(([^()]*)\)")
_TRANSFORM = re.compile(r"([A-Za-z]+)\s*\(([^()]*)\)[\s,]*")
_ARGUMENT = re.compile(rf"({NUMBER})([A-Za-z%]*)[\s,]*")
_ANGLES = {"": 1.0, "deg": 1.0, "rad": 180 / math.pi, "grad": 0.9, "turn": 360.0}
_TO_RADIANS = math.pi / 180


def number(text: str | float, default: float = 1.0) -> float:
    """An opacity or another plain number; `50%` is 0.5."""
    try:
        return float(text)
    except ValueError:
        pass
    stripped = str(text).strip()
    try:
        return float(stripped[:-1]) / 100 if stripped.endswith("%") else float(stripped or default)
    except ValueError:
        raise DrawingError.of("picture/number", f"'{stripped}' is not a number") from None


@lru_cache(maxsize=4096)
def color(text: str) -> RGBA:
    """Red, green, blue and alpha from 0 to 1 of any CSS Color 3 notation, and of `#rgba` and the
    space-separated notations of CSS Color 4. DrawingError for anything else."""
    lower = text.strip().lower()
    try:
        if lower.startswith("#"):
            return _hex(lower[1:])
        match = _FUNCTION.fullmatch(lower)
        if match:
            return _functional(match[1], match[2].strip())
        from cairosvg.colors import COLORS

        named: RGBA = COLORS[lower]
        return named
    except (KeyError, ValueError):
        message = f"'{text}' is not a colour"
        hint = "write #rrggbb, rgb(…), hsl(…) or a colour name"
        raise DrawingError.of("picture/color", message, hint) from None


def _hex(digits: str) -> RGBA:
    if len(digits) in (3, 4):
        digits = "".join(digit * 2 for digit in digits)
    if len(digits) not in (6, 8):
        raise ValueError(digits)
    red, green, blue, *alpha = (int(digits[i : i + 2], 16) / 255 for i in range(0, len(digits), 2))
    return (red, green, blue, alpha[0] if alpha else 1.0)


def _functional(name: str, arguments: str) -> RGBA:
    parts = re.split(r"[\s,/]+", arguments)
    if len(parts) not in (3, 4):
        raise ValueError(arguments)
    alpha = _fraction(parts[3], 1) if len(parts) == 4 else 1.0
    if name in ("rgb", "rgba"):
        red, green, blue = (_fraction(part, 255) for part in parts[:3])
    elif name in ("hsl", "hsla"):
        match = _ARGUMENT.fullmatch(parts[0])
        if match is None:
            raise ValueError(arguments)
        hue, unit = match.groups()
        turn = float(hue) * _ANGLES[unit] / 360 % 1
        red, green, blue = colorsys.hls_to_rgb(turn, _fraction(parts[2], 1), _fraction(parts[1], 1))
    else:
        raise ValueError(name)
    return (red, green, blue, alpha)


def _fraction(text: str, whole: float) -> float:
    value = float(text[:-1]) / 100 if text.endswith("%") else float(text) / whole
    return min(max(value, 0.0), 1.0)


@lru_cache(maxsize=4096)
def transforms(text: str) -> tuple[Affine, ...]:
    """The maps of a `transform` list, to be applied to the coordinate system from first to last."""
    found: list[Affine] = []
    position = 0
    text = text.strip()
    while position < len(text):
        match = _TRANSFORM.match(text, position)
        if match is None:
            raise _no_transform(text)
        found.append(_affine(match[1], match[2].strip(), text))
        position = match.end()
    return tuple(found)


def _affine(name: str, arguments: str, text: str) -> Affine:
    values: list[float] = []
    position = 0
    while position < len(arguments):
        match = _ARGUMENT.match(arguments, position)
        if match is None:
            raise _no_transform(text)
        factor = _ANGLES.get(match[2])
        if factor is None and match[2] != "px":
            raise _no_transform(text)
        values.append(float(match[1]) * (factor or 1.0))
        position = match.end()
    match name, len(values):
        case "matrix", 6:
            return (values[0], values[1], values[2], values[3], values[4], values[5])
        case "translate", 1 | 2:
            return (1, 0, 0, 1, values[0], values[1] if len(values) == 2 else 0)
        case "scale", 1 | 2:
            return (values[0], 0, 0, values[-1], 0, 0)
        case "rotate", 1 | 3:
            cos, sin = math.cos(values[0] * _TO_RADIANS), math.sin(values[0] * _TO_RADIANS)
            x, y = (values[1], values[2]) if len(values) == 3 else (0.0, 0.0)
            return (cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y)
        case "skewX", 1:
            return (1, 0, math.tan(values[0] * _TO_RADIANS), 1, 0, 0)
        case "skewY", 1:
            return (1, math.tan(values[0] * _TO_RADIANS), 0, 1, 0, 0)
    raise _no_transform(text)


def _no_transform(text: str) -> DrawingError:
    hint = "use matrix, translate, scale, rotate, skewX and skewY with plain numbers"
    return DrawingError.of("picture/transform", f"'{text}' is not a transform we draw", hint)


def aspect(
    rule: str | None, width: float, height: float, inner_width: float, inner_height: float
) -> tuple[float, float, float, float]:
    """Scales and offsets (sx, sy, dx, dy) that fit an inner size into `width` × `height` as a
    `preserveAspectRatio` says."""
    sx, sy = width / inner_width, height / inner_height
    words = (rule or "xMidYMid meet").split()
    if words[:1] == ["none"]:
        return (sx, sy, 0.0, 0.0)
    if not words or not re.fullmatch(r"x(Min|Mid|Max)Y(Min|Mid|Max)", words[0]):
        raise DrawingError.of("picture/aspect", f"'{rule}' is not a preserveAspectRatio")
    scale = max(sx, sy) if "slice" in words else min(sx, sy)
    share = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
    dx = (width - inner_width * scale) * share[words[0][1:4]]
    dy = (height - inner_height * scale) * share[words[0][5:8]]
    return (scale, scale, dx, dy)


def numbers(text: str) -> list[float]:
    """All numbers in a list such as `points`."""
    return [float(found) for found in re.findall(NUMBER, text)]
