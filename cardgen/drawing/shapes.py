"""Outlines of SVG shapes and paths onto a cairo context, in user units, clockwise."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from cardgen.svg.paths import path_segments

_QUARTER = 4 / 3 * (math.sqrt(2) - 1)
"""Where the handles of a Bézier curve stand that comes closest to a quarter circle."""
_ROUND = 0.001
"""The share of its radius by which a circle's curves may leave it. Cairo's own measure is a tenth of a
point, which makes half circles of 4 mm and less one curve, and that is off by a fiftieth."""


@contextmanager
def _round(context: Any, radius: float) -> Iterator[None]:
    """Arcs of that radius, in user units, are round at any size."""
    before = context.get_tolerance()
    sizes = (context.user_to_device_distance(*axis) for axis in ((radius, 0), (0, radius)))
    least = _ROUND * max(math.hypot(*size) for size in sizes)
    context.set_tolerance(min(before, least) or before)
    yield
    context.set_tolerance(before)


def trace(context: Any, data: str) -> None:
    """Add the path of a `d` attribute to the context's current path, in user units."""
    x = y = 0.0
    for kind, v in path_segments(data):
        match kind:
            case "M":
                context.move_to(*v)
            case "L":
                context.line_to(*v)
            case "C":
                context.curve_to(*v)
            case "Q":
                cx, cy, ex, ey = v
                first, second = ((x + 2 * cx) / 3, (y + 2 * cy) / 3), ((ex + 2 * cx) / 3, (ey + 2 * cy) / 3)
                context.curve_to(*first, *second, ex, ey)
            case "A":
                _arc(context, x, y, v[0], v[1], math.radians(v[2]), bool(v[3]), bool(v[4]), v[5], v[6])
            case "Z":
                context.close_path()
        x, y = v[-2:]


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
    with _round(context, 1):
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
        with _round(context, rx):
            context.arc(cx, cy, rx, 0, 2 * math.pi)
    else:
        context.save()
        context.translate(cx, cy)
        context.scale(rx, ry)
        with _round(context, 1):
            context.arc(0, 0, 1, 0, 2 * math.pi)
        context.restore()
    context.close_path()
