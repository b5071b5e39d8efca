"""Where marks and labels stand so that none lies on another: pure plans, lengths in mm, y down."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cardgen.geometry import Point, Rect

APART = 0.6
"""Least distance of two discs' edges."""
_DIRECTIONS = 24
_RINGS = 14


def spread_discs(points: Sequence[Point], radius: float, area: Rect) -> list[Point] | None:
    """The middles of discs that mark points: each on its point where there is room, else as near as a place
    is free. No two touch, all lie in the area, and where that can be no straight line from a disc to its
    own point crosses another. None where there is no room for all."""
    inside = area.inset(radius)
    if inside.width < 0 or inside.height < 0:
        return None
    placed: list[Point] = []
    for index, point in enumerate(points):
        free = [
            spot
            for spot in _around(_clamped(point, inside), radius)
            if _contains(inside, spot)
            and all(math.dist(spot, other) >= 2 * radius + APART - 1e-9 for other in placed)
        ]
        if not free:
            return None
        clear = [spot for spot in free if _is_clear(spot, point, placed, points, radius)]
        ahead = [other for other in points[index + 1 :] if math.dist(other, point) > radius]
        best = (spot for spot in clear if all(math.dist(spot, other) >= radius for other in ahead))
        placed.append(next(best, (*clear, *free)[0]))  # the best hides nothing that is marked later
    return placed


def _is_clear(
    spot: Point, point: Point, placed: Sequence[Point], points: Sequence[Point], radius: float
) -> bool:
    """Whether a disc there lies on no line of those placed, and its own line goes below none of them, but
    one that lies on the point."""
    reach = radius + APART / 2
    return all(
        (_distance(disc, spot, point) >= reach or math.dist(disc, point) < reach)
        and _distance(spot, disc, target) >= reach
        for disc, target in zip(placed, points)
    )


def _around(point: Point, radius: float) -> list[Point]:
    """The point, then places around it, the nearest first."""
    spots = [point]
    for ring in range(1, _RINGS * 2):
        away = (2 * radius + APART) * (0.5 + ring / 2)
        for turn in range(_DIRECTIONS):
            angle = 2 * math.pi * turn / _DIRECTIONS - math.pi / 2
            spots.append((point[0] + away * math.cos(angle), point[1] + away * math.sin(angle)))
    return spots


def _clamped(point: Point, area: Rect) -> Point:
    return min(max(point[0], area.x), area.right), min(max(point[1], area.y), area.bottom)


def _contains(area: Rect, point: Point) -> bool:
    return (
        area.x - 1e-9 <= point[0] <= area.right + 1e-9 and area.y - 1e-9 <= point[1] <= area.bottom + 1e-9
    )


def _distance(point: Point, start: Point, end: Point) -> float:
    """From a point to the stretch between two others."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = across * across + down * down
    share = 0.0
    if length > 1e-12:
        share = ((point[0] - start[0]) * across + (point[1] - start[1]) * down) / length
    share = min(1.0, max(0.0, share))
    return math.dist(point, (start[0] + share * across, start[1] + share * down))
