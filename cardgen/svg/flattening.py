"""Outlines of shapes as lines: curves in pieces that are straight."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from cardgen.svg.numbers import number, numbers
from cardgen.svg.paths import path_segments
from cardgen.svg.tree import Node

Point = tuple[float, float]
PIECES = 12
"""Straight pieces that a curve is looked at in."""


def plain(attrs: Mapping[str, str], name: str) -> float:
    """A length in plain units; 0 where there is none."""
    return number(attrs.get(name, "0").strip().removesuffix("px")) or 0.0


def lines_of(node: Node, most: int, pieces: int = PIECES) -> list[list[Point]]:
    """The outline of a shape as polygons and lines, of about `most` corners at most, each curve in so many
    `pieces`."""
    of = node.attrs
    if node.name == "path":
        return _path(of.get("d", ""), most, pieces)
    if node.name in ("polygon", "polyline"):
        values = numbers(of.get("points", ""))[: 2 * most + 2]
        line = list(zip(values[::2], values[1::2]))
        return [line + line[:1] if node.name == "polygon" else line]
    if node.name == "line":
        return [[(plain(of, "x1"), plain(of, "y1")), (plain(of, "x2"), plain(of, "y2"))]]
    if node.name == "rect":
        x, y, width, height = (plain(of, name) for name in ("x", "y", "width", "height"))
        return [[(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]]
    if node.name in ("circle", "ellipse"):
        rx, ry = (plain(of, "r"),) * 2 if node.name == "circle" else (plain(of, "rx"), plain(of, "ry"))
        corners = [math.tau * step / (4 * pieces) for step in range(4 * pieces + 1)]
        x, y = plain(of, "cx"), plain(of, "cy")
        return [[(x + rx * math.cos(each), y + ry * math.sin(each)) for each in corners]]
    return []


def _path(data: str, most: int, pieces: int) -> list[list[Point]]:
    lines: list[list[Point]] = []
    count = 0
    for kind, v in path_segments(data):
        if kind == "M" or not lines:
            lines.append([])
        line = lines[-1]
        end = (v[-2], v[-1])
        if kind in "QC" and line:
            handles = [line[-1], *zip(v[::2], v[1::2])]
            line += (_on_curve(handles, step / pieces) for step in range(1, pieces))
        elif kind == "A" and line:
            line += _arc(line[-1], v, pieces)
        line.append(end)
        if kind == "Z":
            lines.append([end])
        count += pieces
        if count > most:
            break
    return lines


def _on_curve(points: Sequence[Point], part: float) -> Point:
    """A point of a Bézier curve (de Casteljau)."""
    while len(points) > 1:
        points = [(x + (x2 - x) * part, y + (y2 - y) * part) for (x, y), (x2, y2) in pairwise(points)]
    return points[0]


def _arc(start: Point, v: Sequence[float], pieces: int) -> Iterator[Point]:
    """Points of an elliptical arc between its ends (SVG 2, appendix B.2.4)."""
    (x, y), (rx, ry, degrees, large, sweep, ex, ey) = start, v
    if (x, y) == (ex, ey) or not rx or not ry:
        return
    turn = math.radians(degrees)
    cos, sin = math.cos(turn), math.sin(turn)
    # Half way between the ends, as the ellipse sees them.
    hx, hy = (x - ex) / 2, (y - ey) / 2
    px, py = (cos * hx + sin * hy) / rx, (cos * hy - sin * hx) / ry
    far = px * px + py * py
    grown = max(1.0, math.sqrt(far))
    factor = math.sqrt(max(0.0, 1 / far - 1)) * (-1 if large == sweep else 1)
    qx, qy = factor * py, -factor * px
    first = math.atan2(py - qy, px - qx)
    last = math.atan2(-py - qy, -px - qx)
    if sweep and last < first:
        last += math.tau
    elif not sweep and last > first:
        last -= math.tau
    for step in range(1, pieces):
        angle = first + (last - first) * step / pieces
        ax, ay = rx * (qx + grown * math.cos(angle)), ry * (qy + grown * math.sin(angle))
        yield cos * ax - sin * ay + (x + ex) / 2, sin * ax + cos * ay + (y + ey) / 2
