"""Place numbers, labels and their lines so that they cover nothing: geometry alone, in mm."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from cardgen.core.geometry import Point, Rect
from cardgen.core.records import dataclass

HALO = 0.45
"""mm of white around a disc and on both sides of a line, visible on any art."""
FROM_TEXT = 0.9
"""mm between a line's end and its target."""
FROM_EDGE = 1.3
"""mm from the edge of the card to a line's end, at least."""


def near_end(area: Rect, card: Rect, *, left: bool) -> Point:
    """Return the end on the card of a line from that side to an area: beside the area."""
    x = area.x - FROM_TEXT - HALO if left else area.right + FROM_TEXT + HALO
    x = min(max(x, card.x + FROM_EDGE), card.right - FROM_EDGE)
    y = min(max(area.y + area.height / 2, card.y + FROM_EDGE), card.bottom - FROM_EDGE)
    return x, y


PAST = 0.9
"""mm from a line to the targets of others that it passes."""
_CROSSED, _TANGLED, _BEND = 1000.0, 400.0, 5.0
"""What it costs a line to cross another's target, to cross another line, and to bend, in mm of length."""


def leaders(
    starts: Sequence[Point], areas: Sequence[Rect], left: Sequence[bool], card: Rect
) -> list[tuple[Point, ...]]:
    """Return a line from each label's start to its area on the card: straight if it then crosses no other
    area and no other line, else around them, into the area from above or below. Areas that overlap an area
    can't be avoided."""
    lines: list[tuple[Point, ...]] = [()] * len(starts)
    order = sorted(range(len(starts)), key=lambda i: math.dist(starts[i], _middle(areas[i])))
    for index in order:
        area = areas[index]
        others = [each for each in areas if not each.overlaps(area)]
        known = [line for line in lines if line]

        best: tuple[Point, ...] = ()
        least = math.inf
        for line in _paths(starts[index], area, others, card, left=left[index]):
            cost = _BEND * (len(line) - 2) + sum(math.dist(a, b) for a, b in pairwise(line))
            if round(cost, 6) >= least:  # even if it crosses nothing
                continue
            cost += _CROSSED * sum(crosses(line, other) for other in others)
            cost += _TANGLED * sum(
                _cross(*one, *another)
                for each in known
                for one in pairwise(line)
                for another in pairwise(each)
            )
            if round(cost, 6) < least:
                best, least = line, round(cost, 6)
        lines[index] = best
    return lines


def _paths(
    start: Point, area: Rect, others: Sequence[Rect], card: Rect, *, left: bool
) -> Iterator[tuple[Point, ...]]:
    """Yield the lines from a label to an area, the straight one first."""
    beside, level = near_end(area, card, left=left)
    yield start, (beside, level)
    low, high = area.y + FROM_EDGE, area.bottom - FROM_EDGE
    yield from ((start, (beside, y)) for y in (low, high) if low < high and card.y < y < card.bottom)
    edge = card.x - PAST if left else card.right + PAST
    edges = [y for other in others for y in (other.y - PAST, other.bottom + PAST)]
    for y in (card.y - PAST, card.bottom + PAST, *edges, area.y - 2 * PAST, area.bottom + 2 * PAST):
        end = area.y - HALO if y < area.y else area.bottom + HALO
        if area.y - PAST < y < area.bottom + PAST:
            continue
        for share in (0.5, 0.2, 0.8):
            x = area.x + share * area.width
            yield start, (edge, y), (x, y), (x, end)


def crosses(line: Sequence[Point], area: Rect) -> bool:
    """Return True if a line runs through an area."""
    inner = area.inset(min(0.2, area.width / 3, area.height / 3))
    return any(_runs_through(a, b, inner) for a, b in pairwise(line))


def _runs_through(start: Point, end: Point, area: Rect) -> bool:
    """Return True if a segment has a part in an area (Liang and Barsky)."""
    first, last = 0.0, 1.0
    spans = ((start[0], end[0], area.x, area.right), (start[1], end[1], area.y, area.bottom))
    for a, b, low, high in spans:
        if abs(b - a) < 1e-9:
            if not low < a < high:
                return False
            continue
        one, two = sorted(((low - a) / (b - a), (high - a) / (b - a)))
        first, last = max(first, one), min(last, two)
    return first < last


APART = 0.6
"""Minimum distance between two discs' edges."""
_DIRECTIONS = 24
_RINGS = 14


def spread_discs(points: Sequence[Point], radius: float, area: Rect) -> list[Point] | None:
    """Return the centers of discs that mark points: each on its point if there is room, else as near as
    possible. No two touch, all are in the area, and if possible no straight line from a disc to its point
    crosses another. Return None if there is no room for all."""
    inside = area.inset(radius)
    if inside.width < 0 or inside.height < 0:
        return None
    placed: list[Point] = []
    for index, point in enumerate(points):
        ahead = [other for other in points[index + 1 :] if math.dist(other, point) > radius]
        free = clear = best = None
        for spot in _spiral(_clamp(point, inside), radius):
            if not _contains(inside, spot) or any(
                math.dist(spot, other) < 2 * radius + APART - 1e-9 for other in placed
            ):
                continue
            free = free or spot
            if _is_clear(spot, point, placed, points, radius):
                clear = clear or spot
                if all(math.dist(spot, other) >= radius for other in ahead):
                    best = spot  # it hides no point that is marked later
                    break
        found = best or clear or free
        if found is None:
            return None
        placed.append(found)
    return placed


def _is_clear(
    spot: Point, point: Point, placed: Sequence[Point], points: Sequence[Point], radius: float
) -> bool:
    """Return True if a disc there covers no line of the placed ones, and its own line is below none of
    them, except one on the point."""
    reach = radius + APART / 2
    return all(
        (_distance(disc, spot, point) >= reach or math.dist(disc, point) < reach)
        and _distance(spot, disc, target) >= reach
        for disc, target in zip(placed, points)
    )


def _spiral(point: Point, radius: float) -> Iterator[Point]:
    """Yield the point, then places around it, nearest first."""
    yield point
    for ring in range(1, 2 * _RINGS):
        away = (2 * radius + APART) * (0.5 + ring / 2)
        for turn in range(_DIRECTIONS):
            angle = 2 * math.pi * turn / _DIRECTIONS - math.pi / 2
            yield point[0] + away * math.cos(angle), point[1] + away * math.sin(angle)


def _clamp(point: Point, area: Rect) -> Point:
    return min(max(point[0], area.x), area.right), min(max(point[1], area.y), area.bottom)


def _contains(area: Rect, point: Point) -> bool:
    return (
        area.x - 1e-9 <= point[0] <= area.right + 1e-9 and area.y - 1e-9 <= point[1] <= area.bottom + 1e-9
    )


def _distance(point: Point, start: Point, end: Point) -> float:
    """Return the distance from a point to a segment, given by its ends."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = across * across + down * down
    share = 0.0
    if length > 1e-12:
        share = ((point[0] - start[0]) * across + (point[1] - start[1]) * down) / length
    share = min(1.0, max(0.0, share))
    return math.dist(point, (start[0] + share * across, start[1] + share * down))


@dataclass(frozen=True, slots=True)
class LabelPlan:
    """For each label, in the given order: its top, and True if it is on the left."""

    tops: tuple[float, ...]
    left: tuple[bool, ...]


def spread_labels(areas: Sequence[Rect], heights: Sequence[float], card: Rect, apart: float) -> LabelPlan:
    """Return the labels to the left and right of a card, each of its height, for areas on the card: on the
    side of its area as far as both sides have room, as near to its area's height as possible, and `apart`
    from the next. Sides that are higher than the card are centered on it."""
    left = _is_left(areas, heights, card, apart)
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


def _is_left(areas: Sequence[Rect], heights: Sequence[float], card: Rect, apart: float) -> list[bool]:
    """Return True for each label on the left: those of the leftmost areas, as many as both sides have room
    for."""
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
    """Return the tops of labels below each other in this order, with `wanted` middles: of all placements
    without overlap the nearest by least squares; within the card's height if they fit."""
    gaps = [height + apart for height in heights]
    before = [sum(gaps[:index]) for index in range(len(gaps))]
    groups: list[
        list[float]
    ] = []  # of labels that touch: the mean of the wanted tops of the first, and their number
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
    """Return True if two segments cross."""

    def side(a: Point, b: Point, c: Point) -> float:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    one = side(start, end, other) * side(start, end, other_end)
    two = side(other, other_end, start) * side(other, other_end, end)
    return one < 0 and two < 0
