"""Outlines of SVG shapes and paths onto a cairo context, in user units, clockwise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from cardgen.svg.paths import path_commands

_QUARTER = 4 / 3 * (math.sqrt(2) - 1)
"""Where the handles of a Bézier curve stand that comes closest to a quarter circle."""


def trace(context: Any, data: str) -> None:
    """Add the path of a `d` attribute to the context's current path, in user units."""
    x = y = start_x = start_y = 0.0
    control: tuple[float, float] | None = None  # of the last curve, for S and T
    kind = ""  # what `control` belongs to: "c", "q" or ""
    for letter, v in path_commands(data):
        lower = letter.lower()
        ox, oy = (x, y) if letter.islower() else (0.0, 0.0)
        last, kind = kind, ""
        match lower:
            case "m":
                x, y = start_x, start_y = ox + v[0], oy + v[1]
                context.move_to(x, y)
            case "z":
                context.close_path()
                x, y = start_x, start_y
            case "l" | "h" | "v":
                if lower == "l":
                    x, y = ox + v[0], oy + v[1]
                elif lower == "h":
                    x = ox + v[0]
                else:
                    y = oy + v[0]
                context.line_to(x, y)
            case "c" | "s":
                if lower == "c":
                    x1, y1, *v4 = v
                    x1, y1 = ox + x1, oy + y1
                else:
                    v4 = list(v)
                    x1, y1 = _mirrored(control if last == "c" else None, x, y)
                control, kind = (ox + v4[0], oy + v4[1]), "c"
                x, y = ox + v4[2], oy + v4[3]
                context.curve_to(x1, y1, *control, x, y)
            case "q" | "t":
                if lower == "q":
                    control = (ox + v[0], oy + v[1])
                else:
                    control = _mirrored(control if last == "q" else None, x, y)
                kind = "q"
                _quadratic(context, x, y, *control, ox + v[-2], oy + v[-1])
                x, y = ox + v[-2], oy + v[-1]
            case "a":
                end = (ox + v[5], oy + v[6])
                _arc(context, x, y, abs(v[0]), abs(v[1]), math.radians(v[2]), bool(v[3]), bool(v[4]), *end)
                x, y = end


def _mirrored(control: tuple[float, float] | None, x: float, y: float) -> tuple[float, float]:
    """The last control point on the other side of the pen, or the pen itself."""
    return (x, y) if control is None else (2 * x - control[0], 2 * y - control[1])


def _quadratic(context: Any, x: float, y: float, cx: float, cy: float, ex: float, ey: float) -> None:
    context.curve_to((x + 2 * cx) / 3, (y + 2 * cy) / 3, (ex + 2 * cx) / 3, (ey + 2 * cy) / 3, ex, ey)


def _arc(
    context: Any,
    x: float,
    y: float,
    rx: float,
    ry: float,
    turn: float,
    large: bool,
    sweep: bool,
    ex: float,
    ey: float,
) -> None:
    """An elliptical arc from end points (SVG 2, appendix B.2.4)."""
    if (x, y) == (ex, ey):
        return
    if not rx or not ry:
        context.line_to(ex, ey)
        return
    cos, sin = math.cos(turn), math.sin(turn)
    hx, hy = (x - ex) / 2, (y - ey) / 2
    px, py = cos * hx + sin * hy, cos * hy - sin * hx
    excess = (px / rx) ** 2 + (py / ry) ** 2
    if excess > 1:  # radii too small to reach: grow them
        rx, ry = rx * math.sqrt(excess), ry * math.sqrt(excess)
    denominator = (rx * py) ** 2 + (ry * px) ** 2
    factor = math.sqrt(max(0.0, (rx * ry) ** 2 / denominator - 1))
    if large == sweep:
        factor = -factor
    qx, qy = factor * rx * py / ry, -factor * ry * px / rx
    start = math.atan2((py - qy) / ry, (px - qx) / rx)
    stop = math.atan2((-py - qy) / ry, (-px - qx) / rx)
    context.save()
    context.translate(cos * qx - sin * qy + (x + ex) / 2, sin * qx + cos * qy + (y + ey) / 2)
    context.rotate(turn)
    context.scale(rx, ry)
    (context.arc if sweep else context.arc_negative)(0, 0, 1, start, stop)
    context.restore()


def trace_points(context: Any, values: Sequence[float], closed: bool) -> None:
    """The points of a polygon or polyline; an odd last number is dropped."""
    for index in range(0, len(values) - 1, 2):
        (context.line_to if index else context.move_to)(values[index], values[index + 1])
    if closed and len(values) > 1:
        context.close_path()


def trace_rect(context: Any, x: float, y: float, width: float, height: float, rx: float, ry: float) -> None:
    """A rectangle, its corners rounded by quarter ellipses; nothing if it has no area."""
    if width <= 0 or height <= 0:
        return
    rx, ry = min(rx, width / 2), min(ry, height / 2)
    if rx <= 0 or ry <= 0:
        context.rectangle(x, y, width, height)
        return
    right, bottom = x + width, y + height
    kx, ky = rx * (1 - _QUARTER), ry * (1 - _QUARTER)
    context.move_to(x + rx, y)
    context.line_to(right - rx, y)
    context.curve_to(right - kx, y, right, y + ky, right, y + ry)
    context.line_to(right, bottom - ry)
    context.curve_to(right, bottom - ky, right - kx, bottom, right - rx, bottom)
    context.line_to(x + rx, bottom)
    context.curve_to(x + kx, bottom, x, bottom - ky, x, bottom - ry)
    context.line_to(x, y + ry)
    context.curve_to(x, y + ky, x + kx, y, x + rx, y)
    context.close_path()


def trace_ellipse(context: Any, cx: float, cy: float, rx: float, ry: float) -> None:
    """An ellipse; nothing if it has no area."""
    if rx <= 0 or ry <= 0:
        return
    context.new_sub_path()
    if rx == ry:
        context.arc(cx, cy, rx, 0, 2 * math.pi)
    else:
        context.save()
        context.translate(cx, cy)
        context.scale(rx, ry)
        context.arc(0, 0, 1, 0, 2 * math.pi)
        context.restore()
    context.close_path()
