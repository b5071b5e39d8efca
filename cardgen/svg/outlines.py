"""Outlines of shapes as corners and curves, in plain numbers: moved and measured."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from cardgen.geometry import Matrix, Rect
from cardgen.svg.paths import path_segments

Segment = tuple[str, tuple[float, ...]]
"""M and L with a place, C with two handles and a place, Z alone."""

_PIECES = 24
"""Straight pieces that a curve's length is taken from."""
_QUARTER = 4 / 3 * (math.sqrt(2) - 1)
"""Where the handles of a Bézier curve stand that comes closest to a quarter circle."""


def path_outline(data: str) -> list[Segment]:
    """The outline of a `d` attribute."""
    done: list[Segment] = []
    x = y = 0.0
    for kind, v in path_segments(data):
        if kind == "Q":
            cx, cy, ex, ey = v
            done.append(
                ("C", ((x + 2 * cx) / 3, (y + 2 * cy) / 3, (ex + 2 * cx) / 3, (ey + 2 * cy) / 3, ex, ey))
            )
        elif kind == "A":
            done += _arc(x, y, v)
        elif kind == "Z":
            done.append(("Z", ()))
        else:
            done.append((kind, v))
        x, y = v[-2:]
    return done


def points_outline(values: Sequence[float], closed: bool) -> list[Segment]:
    """The outline of a polygon or polyline; an odd last number is dropped."""
    done: list[Segment] = [
        ("L" if index else "M", (values[index], values[index + 1]))
        for index in range(0, len(values) - 1, 2)
    ]
    return [*done, ("Z", ())] if closed and done else done


def rect_outline(x: float, y: float, width: float, height: float, rx: float, ry: float) -> list[Segment]:
    """A rectangle, its corners rounded by quarter ellipses; nothing if it has no area."""
    if width <= 0 or height <= 0:
        return []
    rx, ry = min(rx, width / 2), min(ry, height / 2)
    right, bottom = x + width, y + height
    if rx <= 0 or ry <= 0:
        return points_outline((x, y, right, y, right, bottom, x, bottom), True)
    kx, ky = rx * (1 - _QUARTER), ry * (1 - _QUARTER)
    return [
        ("M", (x + rx, y)),
        ("L", (right - rx, y)),
        ("C", (right - kx, y, right, y + ky, right, y + ry)),
        ("L", (right, bottom - ry)),
        ("C", (right, bottom - ky, right - kx, bottom, right - rx, bottom)),
        ("L", (x + rx, bottom)),
        ("C", (x + kx, bottom, x, bottom - ky, x, bottom - ry)),
        ("L", (x, y + ry)),
        ("C", (x, y + ky, x + kx, y, x + rx, y)),
        ("Z", ()),
    ]


def ellipse_outline(cx: float, cy: float, rx: float, ry: float) -> list[Segment]:
    """An ellipse, clockwise from its right; nothing if it has no area."""
    if rx <= 0 or ry <= 0:
        return []
    kx, ky = rx * _QUARTER, ry * _QUARTER
    left, right, top, bottom = cx - rx, cx + rx, cy - ry, cy + ry
    return [
        ("M", (right, cy)),
        ("C", (right, cy + ky, cx + kx, bottom, cx, bottom)),
        ("C", (cx - kx, bottom, left, cy + ky, left, cy)),
        ("C", (left, cy - ky, cx - kx, top, cx, top)),
        ("C", (cx + kx, top, right, cy - ky, right, cy)),
        ("Z", ()),
    ]


def _arc(x: float, y: float, v: Sequence[float]) -> Iterator[Segment]:
    """An elliptical arc from end points (SVG 2, appendix B.2.4), a curve for each quarter or less."""
    rx, ry, turn, large, sweep, ex, ey = v
    if (x, y) == (ex, ey):
        return
    if not rx or not ry:
        yield "L", (ex, ey)
        return
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    hx, hy = (x - ex) / 2, (y - ey) / 2
    px, py = cos * hx + sin * hy, cos * hy - sin * hx
    excess = (px / rx) ** 2 + (py / ry) ** 2
    if excess > 1:  # radii too small to reach: grow them
        rx, ry = rx * math.sqrt(excess), ry * math.sqrt(excess)
    denominator = (rx * py) ** 2 + (ry * px) ** 2
    factor = math.sqrt(max(0.0, (rx * ry) ** 2 / denominator - 1))
    if bool(large) == bool(sweep):
        factor = -factor
    qx, qy = factor * rx * py / ry, -factor * ry * px / rx
    start = math.atan2((py - qy) / ry, (px - qx) / rx)
    swing = (math.atan2((-py - qy) / ry, (-px - qx) / rx) - start) % math.tau
    if not sweep:
        swing -= math.tau
    place = Matrix(cos * rx, sin * rx, -sin * ry, cos * ry)
    place = place.then(
        Matrix(1, 0, 0, 1, cos * qx - sin * qy + (x + ex) / 2, sin * qx + cos * qy + (y + ey) / 2)
    )
    count = max(1, math.ceil(abs(swing) / (math.pi / 2) - 1e-9))
    step = swing / count
    handle = 4 / 3 * math.tan(step / 4)
    for index in range(count):
        one, other = start + index * step, start + (index + 1) * step
        c1, s1, c2, s2 = math.cos(one), math.sin(one), math.cos(other), math.sin(other)
        end = (ex, ey) if index == count - 1 else place.apply(c2, s2)
        first = place.apply(c1 - handle * s1, s1 + handle * c1)
        second = place.apply(c2 + handle * s2, s2 - handle * c2)
        yield "C", (*first, *second, *end)


def moved(outline: Iterable[Segment], matrix: Matrix) -> list[Segment]:
    """The outline where the matrix puts it."""
    a, b, c, d, e, f = matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f
    done: list[Segment] = []
    for kind, v in outline:
        if len(v) == 2:
            x, y = v
            v = (a * x + c * y + e, b * x + d * y + f)
        elif v:
            x1, y1, x2, y2, x, y = v
            v = (
                *(a * x1 + c * y1 + e, b * x1 + d * y1 + f),
                *(a * x2 + c * y2 + e, b * x2 + d * y2 + f),
                *(a * x + c * y + e, b * x + d * y + f),
            )
        done.append((kind, v))
    return done


def extents(outline: Iterable[Segment]) -> Rect:
    """The least upright rectangle that holds the outline, with no area where it has none."""
    xs: list[float] = []
    ys: list[float] = []
    x = y = 0.0
    for kind, v in outline:
        if kind == "C":
            xs += _turns(x, v[0], v[2], v[4])
            ys += _turns(y, v[1], v[3], v[5])
        if v:
            x, y = v[-2:]
            xs.append(x)
            ys.append(y)
    if not xs:
        return Rect(0, 0, 0, 0)
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _turns(p0: float, p1: float, p2: float, p3: float) -> Iterator[float]:
    """Where a curve turns round in one coordinate."""
    if min(p0, p3) <= min(p1, p2) and max(p1, p2) <= max(p0, p3):
        return
    a, b, c = 3 * (p1 - p2) + p3 - p0, 2 * (p0 - 2 * p1 + p2), p1 - p0
    if abs(a) < 1e-12:
        found = [-c / b] if b else []
    else:
        root = b * b - 4 * a * c
        found = [(-b + sign * math.sqrt(root)) / (2 * a) for sign in (1, -1)] if root >= 0 else []
    for t in found:
        if 0 < t < 1:
            u = 1 - t
            yield u * u * u * p0 + 3 * u * u * t * p1 + 3 * u * t * t * p2 + t * t * t * p3


def length(outline: Iterable[Segment]) -> float:
    """How long an outline is, its curves by straight pieces."""
    total = 0.0
    x = y = left = top = 0.0
    for kind, v in outline:
        if kind == "M":
            left, top = v
        elif kind == "L":
            total += math.hypot(v[0] - x, v[1] - y)
        elif kind == "C":
            total += _curved(x, y, v)
        else:
            total += math.hypot(left - x, top - y)
        x, y = v[-2:] if v else (left, top)
    return total


def _curved(x: float, y: float, v: Sequence[float]) -> float:
    places = [(x, y)]
    for step in range(1, _PIECES + 1):
        t = step / _PIECES
        u = 1 - t
        parts = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
        places.append(
            (
                sum(part * at for part, at in zip(parts, (x, *v[::2]))),
                sum(part * at for part, at in zip(parts, (y, *v[1::2]))),
            )
        )
    return sum(math.dist(one, other) for one, other in pairwise(places))
