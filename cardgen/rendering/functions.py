"""Filters and functions for templates: numbers, points, paths. Angles are degrees, 0 is to the
right, turning clockwise as SVG does (y down)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from cardgen.rendering import colors
from cardgen.rendering.budget import Budget
from cardgen.rendering.rng import Rng
from cardgen.units import MM_PER_PT

Point = tuple[float, float]


def number(value: object, decimals: int = 3) -> str:
    """A number with at most `decimals` decimals and no trailing zeros."""
    if type(value) is int:
        return str(value)
    result = value if type(value) is float else _number(value)
    text = f"{result:.{decimals if 0 <= decimals < 10 else 9}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    elif text[-1] in "nf":
        raise ValueError("a number came to infinity")
    return "0" if text == "-0" else text


def _number(value: object) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise TypeError(f"'{value}' is not a number")
    if not math.isfinite(value):
        raise ValueError("a number came to infinity")
    return value


def pt(value: object) -> float:
    """Points to mm."""
    if isinstance(value, str):
        value = float(value)
    return _number(value) * MM_PER_PT


def formatted(pattern: str, *values: object) -> str:
    """`'%02d'|format(7)`: Python's % with plain fields of at most two digits of width."""
    rest = _FIELD.sub("", pattern.replace("%%", ""))
    if "%" in rest:
        raise ValueError(f"'{pattern}' is not a pattern such as '%02d' or '%04X'")
    return pattern % values


def polar(cx: float, cy: float, radius: float, angle: float) -> Point:
    """The point at `angle` degrees and `radius` from (cx, cy)."""
    turn = math.radians(angle)
    return (cx + radius * math.cos(turn), cy + radius * math.sin(turn))


def lerp(a: float, b: float, t: float) -> float:
    return a + (b - a) * t


def clamp(value: float, low: float = 0.0, high: float = 1.0) -> float:
    return max(low, min(high, value))


def noise(x: float, y: float = 0.0, seed: object = 0) -> float:
    """Smooth value noise, 0 to 1: nearby places give nearby values; one lump per unit."""
    column, row = math.floor(x), math.floor(y)
    u, v = (_smooth(x - column), _smooth(y - row))
    corners = [Rng(seed, column + i, row + j).random() for j in (0, 1) for i in (0, 1)]
    return lerp(lerp(corners[0], corners[1], u), lerp(corners[2], corners[3], u), v)


def _smooth(t: float) -> float:
    return t * t * (3 - 2 * t)


def points(items: Iterable[Sequence[float]]) -> str:
    """`x,y x,y …` for the `points` of a polygon or polyline."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in items)


def path(items: Iterable[Sequence[float]], close: bool = False, smooth: float = 0.0) -> str:
    """Path data through the points. `smooth` above 0 rounds the corners; 1 is a Catmull-Rom curve."""
    line = [(float(x), float(y)) for x, y in items]
    if not line:
        return ""
    parts = [f"M{number(line[0][0])} {number(line[0][1])}"]
    count = len(line)
    if smooth <= 0 or count < 3:
        parts += [f"L{number(x)} {number(y)}" for x, y in line[1:]]
    else:
        pull = smooth / 6
        for index in range(count if close else count - 1):
            before, here, after, beyond = (_at(line, index + step, close) for step in (-1, 0, 1, 2))
            handles = (
                here[0] + (after[0] - before[0]) * pull,
                here[1] + (after[1] - before[1]) * pull,
                after[0] - (beyond[0] - here[0]) * pull,
                after[1] - (beyond[1] - here[1]) * pull,
                *after,
            )
            parts.append("C" + " ".join(map(number, handles)))
    return "".join(parts) + ("Z" if close else "")


def _at(line: list[Point], index: int, close: bool) -> Point:
    return line[index % len(line)] if close else line[max(0, min(index, len(line) - 1))]


def polygon(cx: float, cy: float, radius: float, sides: int, turn: float = -90.0) -> list[Point]:
    """The corners of a regular polygon; the first one at `turn` degrees (-90 is up)."""
    return [polar(cx, cy, radius, turn + 360 * index / sides) for index in range(int(sides))]


def star(cx: float, cy: float, outer: float, inner: float, rays: int, turn: float = -90.0) -> list[Point]:
    """The corners of a star: outer and inner ones in turn."""
    step = 180 / rays
    return [
        polar(cx, cy, inner if index % 2 else outer, turn + step * index) for index in range(2 * int(rays))
    ]


def arc(cx: float, cy: float, radius: float, start: float, end: float, pie: bool = False) -> str:
    """Path data of an arc from `start` to `end` degrees; `pie` closes it over the centre."""
    sweep = end - start
    if abs(sweep) >= 360:
        left, right = number(cx - radius), number(cx + radius)
        r, y = number(radius), number(cy)
        return f"M{left} {y}A{r} {r} 0 1 1 {right} {y}A{r} {r} 0 1 1 {left} {y}Z"
    (x0, y0), (x1, y1) = polar(cx, cy, radius, start), polar(cx, cy, radius, end)
    large, direction, r = int(abs(sweep) > 180), int(sweep > 0), number(radius)
    curve = f"A{r} {r} 0 {large} {direction} {number(x1)} {number(y1)}"
    if pie:
        return f"M{number(cx)} {number(cy)}L{number(x0)} {number(y0)}{curve}Z"
    return f"M{number(x0)} {number(y0)}{curve}"


def hexgrid(x: float, y: float, width: float, height: float, radius: float) -> list[Point]:
    """Centres of pointy-topped hexagons of `radius` (centre to corner) whose centres lie in the box."""
    if radius <= 0:
        raise ValueError("hexgrid() needs a radius above 0")
    across, down = math.sqrt(3) * radius, 1.5 * radius
    return [
        (x + across * (column + (row % 2) / 2), y + down * row)
        for row in range(int(height / down) + 1)
        for column in range(int(width / across) + 1)
        if column * across + (row % 2) * across / 2 <= width + 1e-9
    ]


def grid(x: float, y: float, width: float, height: float, columns: int, rows: int) -> list[Point]:
    """Centres of the cells of a box divided into columns and rows, row by row."""
    return [
        (x + width * (column + 0.5) / columns, y + height * (row + 0.5) / rows)
        for row in range(int(rows))
        for column in range(int(columns))
    ]


def icon(
    name: str,
    x: float,
    y: float,
    size: float,
    fill: str | None = None,
    opacity: float | None = None,
    rotate: float = 0.0,
) -> Markup:
    """`<use>` of the icon `name`, its square's top left corner at (x, y); `rotate` about its centre."""
    try:
        return _kept_icon(name, x, y, size, fill, opacity, rotate)
    except TypeError:  # also raised for what can't be kept
        return _icon(name, x, y, size, fill, opacity, rotate)


def _icon(
    name: str, x: float, y: float, size: float, fill: str | None, opacity: float | None, rotate: float
) -> Markup:
    shown = "" if fill is None else f' color="{escape(fill)}"'
    if opacity is not None:
        shown += f' opacity="{number(opacity)}"'
    if rotate:
        centre = f"{number(x + size / 2)} {number(y + size / 2)}"
        shown += f' transform="rotate({number(rotate)} {centre})"'
    side = number(size)
    place = f'x="{number(x)}" y="{number(y)}" width="{side}" height="{side}"'
    return Markup(f'<use href="#icon-{escape(name)}" {place}{shown}/>')


_kept_icon = lru_cache(maxsize=4096, typed=True)(_icon)
"""Cards show the same icons at the same places."""


# A field without `*` and with no room for a width that would fill the memory.
_FIELD = re.compile(r"%[-+ 0#]*\d{0,2}(?:\.\d{1,2})?[diouxXeEfgGcs]")

FILTERS: dict[str, Callable[..., Any]] = {
    "pt": pt,
    "f": number,
    "format": formatted,
    "mix": colors.mix,
    "lighten": colors.lighten,
    "darken": colors.darken,
    "grey": colors.grey,
    "ink_on": colors.ink_on,
}

FUNCTIONS: dict[str, Any] = {
    "pi": math.pi,
    "tau": math.tau,
    **{
        function.__name__: function
        for function in (math.sin, math.cos, math.tan, math.atan2, math.sqrt, math.hypot, math.floor)
    },
    **{f.__name__: f for f in (math.ceil, math.exp, math.log, math.degrees, math.radians)},
    **{f.__name__: f for f in (abs, min, max, round, int, float, str, len)},
    **{f.__name__: f for f in (zip, enumerate, sorted, sum)},
    **{f.__name__: f for f in (polar, lerp, clamp, noise, points, path, polygon, star, arc)},
    "contrast": colors.contrast,
    "icon": icon,
    "mix": colors.mix,
    "rng": Rng,
}


def counted_functions(budget: Budget) -> dict[str, Callable[..., Any]]:
    """Functions that make as many points as asked for, within the budget."""

    def counted_hexgrid(x: float, y: float, width: float, height: float, radius: float) -> list[Point]:
        if radius > 0:
            cells = (width / (math.sqrt(3) * radius) + 1) * (height / (1.5 * radius) + 1)
            budget.items(int(cells))
        return hexgrid(x, y, width, height, radius)

    def counted_grid(
        x: float, y: float, width: float, height: float, columns: int, rows: int
    ) -> list[Point]:
        budget.items(int(columns) * int(rows))
        return grid(x, y, width, height, columns, rows)

    def counted_polygon(
        cx: float, cy: float, radius: float, sides: int, turn: float = -90.0
    ) -> list[Point]:
        budget.items(int(sides))
        return polygon(cx, cy, radius, sides, turn)

    def counted_star(
        cx: float, cy: float, outer: float, inner: float, rays: int, turn: float = -90.0
    ) -> list[Point]:
        budget.items(2 * int(rays))
        return star(cx, cy, outer, inner, rays, turn)

    return {
        "hexgrid": counted_hexgrid,
        "grid": counted_grid,
        "polygon": counted_polygon,
        "star": counted_star,
    }
