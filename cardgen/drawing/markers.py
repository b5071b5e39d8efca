"""Markers: where they stand on an outline, and which way they point (SVG 2, section 13.7.5)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cardgen.svg.paths import path_segments

Place = tuple[float, float]


class Corner(NamedTuple):
    """A corner of an outline: its place, the direction of what comes in and of what goes out (None at an
    open end), in radians."""

    place: Place
    coming: float | None
    going: float | None

    @property
    def angle(self) -> float:
        """The direction half way between the two."""
        if self.coming is None or self.going is None:
            return self.coming or self.going or 0.0
        across = math.cos(self.coming) + math.cos(self.going)
        down = math.sin(self.coming) + math.sin(self.going)
        if abs(across) + abs(down) < 1e-9:  # straight back
            return self.coming + math.pi / 2
        return math.atan2(down, across)


class Run(NamedTuple):
    """An outline without a gap: its places, and between each two the directions in which the line
    leaves the one and reaches the other."""

    places: list[Place]
    turns: list[tuple[float, float]]
    closed: bool = False


def corners(runs: Sequence[Run]) -> Iterator[Corner]:
    """The corners of an outline's runs, in order."""
    for run in runs:
        count = len(run.places)
        closed = run.closed and count > 1
        for index, place in enumerate(run.places):
            coming = run.turns[index - 1][1] if index else (run.turns[-1][1] if closed else None)
            going = run.turns[index][0] if index < count - 1 else (run.turns[0][0] if closed else None)
            yield Corner(place, coming, going)


def straight(places: Sequence[Place], closed: bool) -> list[Run]:
    """The run of a line, polyline or polygon."""
    if not places:
        return []
    found = [*places, places[0]] if closed else list(places)
    turns = [(angle, angle) for angle in map(_direction, found, found[1:])]
    return [Run(found, turns, closed)]


def path_runs(data: str) -> list[Run]:
    """The runs of path data."""
    runs: list[Run] = []
    here = (0.0, 0.0)
    for kind, v in path_segments(data):
        end = (v[-2], v[-1])
        if kind == "M":
            runs.append(Run([end], []))
            here = end
            continue
        if runs[-1].closed:  # a line after Z starts where that one ended
            runs.append(Run([here], []))
        run = runs[-1]
        if kind == "Z":
            runs[-1] = Run(run.places, run.turns, True)
        line = [here, *(_arc(here, v, end) if kind == "A" else zip(v[::2], v[1::2]))]
        run.turns.append((_leaving(line), _reaching(line)))
        run.places.append(end)
        here = end
    return runs


def _arc(start: Place, v: Sequence[float], end: Place) -> list[Place]:
    """Points in whose directions an arc leaves its start and reaches its end."""
    rx, ry, turn, large, sweep = v[0], v[1], math.radians(v[2]), bool(v[3]), bool(v[4])
    if not rx or not ry or start == end:
        return [end]
    # In the coordinates in which the ellipse is the unit circle.
    cos, sin = math.cos(turn), math.sin(turn)

    def flat(place: Place) -> Place:
        return (cos * place[0] + sin * place[1]) / rx, (cos * place[1] - sin * place[0]) / ry

    def back(x: float, y: float) -> Place:
        return cos * rx * x - sin * ry * y, sin * rx * x + cos * ry * y

    (ax, ay), (bx, by) = flat(start), flat(end)
    half = math.dist((ax, ay), (bx, by)) / 2
    if half < 1e-12:
        return [end]
    away = math.sqrt(max(0.0, 1 - half * half)) * (1 if large != sweep else -1)
    cx = (ax + bx) / 2 - away * (by - ay) / (2 * half)
    cy = (ay + by) / 2 + away * (bx - ax) / (2 * half)
    sign = 1 if sweep else -1
    first = back(-sign * (ay - cy), sign * (ax - cx))
    final = back(-sign * (by - cy), sign * (bx - cx))
    return [(start[0] + first[0], start[1] + first[1]), (end[0] - final[0], end[1] - final[1]), end]


def _direction(start: Place, end: Place) -> float:
    return math.atan2(end[1] - start[1], end[0] - start[0])


def _reaching(line: Sequence[Place]) -> float:
    """The direction in which it reaches the last of them."""
    end = line[-1]
    return next((_direction(place, end) for place in reversed(line) if place != end), 0.0)


def _leaving(line: Sequence[Place]) -> float:
    """The direction in which a curve with these control points leaves the first of them."""
    return next((_direction(line[0], place) for place in line[1:] if place != line[0]), 0.0)
