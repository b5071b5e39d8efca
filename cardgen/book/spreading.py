"""Where marks and labels stand so that none lies on another: pure plans, lengths in mm, y down."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
        ahead = [other for other in points[index + 1 :] if math.dist(other, point) > radius]
        free = clear = best = None
        for spot in _around(_clamped(point, inside), radius):
            if not _contains(inside, spot) or any(
                math.dist(spot, other) < 2 * radius + APART - 1e-9 for other in placed
            ):
                continue
            free = free or spot
            if _is_clear(spot, point, placed, points, radius):
                clear = clear or spot
                if all(math.dist(spot, other) >= radius for other in ahead):
                    best = spot  # it hides nothing that is marked later
                    break
        found = best or clear or free
        if found is None:
            return None
        placed.append(found)
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


def _around(point: Point, radius: float) -> Iterator[Point]:
    """The point, then places around it, the nearest first."""
    yield point
    for ring in range(1, 2 * _RINGS):
        away = (2 * radius + APART) * (0.5 + ring / 2)
        for turn in range(_DIRECTIONS):
            angle = 2 * math.pi * turn / _DIRECTIONS - math.pi / 2
            yield point[0] + away * math.cos(angle), point[1] + away * math.sin(angle)


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


@dataclass(frozen=True, slots=True)
class LabelPlan:
    """By label, in the order in which they are given: its top, and whether it stands on the left."""

    tops: tuple[float, ...]
    left: tuple[bool, ...]


def spread_labels(areas: Sequence[Rect], heights: Sequence[float], card: Rect, apart: float) -> LabelPlan:
    """Labels to the left and right of a card, each of its height, for areas on the card: at the side where
    its area is as far as both sides have room, as near to its area's height as can be, and `apart` from
    the next. Sides stand about the card's middle where they are higher than it."""
    left = _sides(areas, heights, card, apart)
    tops = [0.0] * len(areas)
    for side in (True, False):
        mine = [index for index in range(len(areas)) if left[index] is side]
        mine.sort(
            key=lambda index: (_middle(areas[index])[1], _middle(areas[index])[0] * (1 if side else -1))
        )
        for _ in range(len(mine) ** 2 + 1):  # lines that cross change places
            found = _column([_middle(areas[i])[1] for i in mine], [heights[i] for i in mine], card, apart)
            edge = card.x if side else card.right
            starts = [(edge, top + heights[i] / 2) for i, top in zip(mine, found)]
            crossing = next(
                (
                    at
                    for at in range(len(mine) - 1)
                    if _cross(
                        starts[at], _middle(areas[mine[at]]), starts[at + 1], _middle(areas[mine[at + 1]])
                    )
                ),
                None,
            )
            if crossing is None:
                break
            mine[crossing : crossing + 2] = mine[crossing + 1], mine[crossing]
        for index, top in zip(mine, found if mine else ()):
            tops[index] = top
    return LabelPlan(tuple(tops), tuple(left))


def _sides(areas: Sequence[Rect], heights: Sequence[float], card: Rect, apart: float) -> list[bool]:
    """Which labels stand on the left: those of the leftmost areas, so many that both sides have room."""
    middle = card.x + card.width / 2
    order = sorted(range(len(areas)), key=lambda index: (_middle(areas[index])[0], index))

    def cost(count: int) -> float:
        parts = (order[:count], order[count:])
        totals = [sum(heights[i] + apart for i in part) for part in parts]
        over = max(0.0, max(totals) - apart - card.height)
        wrong = sum(max(0.0, _middle(areas[i])[0] - middle) for i in parts[0])
        wrong += sum(max(0.0, middle - _middle(areas[i])[0]) for i in parts[1])
        return 100 * over + wrong + 0.05 * abs(totals[0] - totals[1])

    count = min(range(len(areas) + 1), key=lambda count: (round(cost(count), 6), count))
    left = set(order[:count])
    return [index in left for index in range(len(areas))]


def _column(wanted: Sequence[float], heights: Sequence[float], card: Rect, apart: float) -> list[float]:
    """The tops of labels below each other in this order, whose middles should lie at the `wanted` heights:
    of all such that keep apart, the nearest by least squares; within the card's height if they have
    room."""
    gaps = [height + apart for height in heights]
    before = [sum(gaps[:index]) for index in range(len(gaps))]
    groups: list[
        list[float]
    ] = []  # of labels that touch: the mean of where the first should be, and how many
    for index, (at, height) in enumerate(zip(wanted, heights)):
        groups.append([at - height / 2 - before[index], 1.0])
        while len(groups) > 1 and groups[-2][0] > groups[-1][0]:
            mean, count = groups.pop()
            groups[-1] = [
                (groups[-1][0] * groups[-1][1] + mean * count) / (groups[-1][1] + count),
                groups[-1][1] + count,
            ]
    total = sum(gaps) - apart
    lowest = card.bottom - total
    highest = card.y
    if lowest < highest:
        highest = lowest = (highest + lowest) / 2
    shifts = [min(max(mean, highest), lowest) for mean, count in groups for _ in range(round(count))]
    return [shift + start for shift, start in zip(shifts, before)]


def _middle(area: Rect) -> Point:
    return area.x + area.width / 2, area.y + area.height / 2


def _cross(start: Point, end: Point, other: Point, other_end: Point) -> bool:
    """Whether two stretches cross."""

    def side(a: Point, b: Point, c: Point) -> float:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    one = side(start, end, other) * side(start, end, other_end)
    two = side(other, other_end, start) * side(other, other_end, end)
    return one < 0 and two < 0
