"""Shapes that text is set in: where there is room for a line."""

from __future__ import annotations

import math
from itertools import pairwise

from cardgen.geometry import Rect
from cardgen.rendering.text_error import TextError
from cardgen.svg.flattening import Point, lines_of
from cardgen.svg.limits import short
from cardgen.svg.transforms import transform_of
from cardgen.svg.tree import Node

SHAPES = frozenset(("circle", "ellipse", "polygon", "polyline", "path"))
"""Elements, apart from `rect`, that text may be set in."""
_MOST = 500
"""Corners of a shape; each is looked at for each line."""


class Shape:
    """A shape as a closed outline, with room kept free along it. Raises TextError."""

    def __init__(self, node: Node, padding: float = 0.0) -> None:
        try:
            matrix = transform_of(node.attrs)
        except ValueError as error:
            raise TextError("svg/transform", str(error)) from None
        lines = [[matrix.apply(*place) for place in line] for line in lines_of(node, 2 * _MOST) if line]
        self._edges: list[tuple[Point, Point]] = [
            edge for line in lines for edge in pairwise((*line, line[0])) if edge[0] != edge[1]
        ]
        if len(self._edges) > _MOST:
            message = f"the shape '{short(node.get('id') or '')}' of a text has more than {_MOST:,} corners"
            raise TextError("text/bounds", message, "draw it with fewer nodes")
        if not self._edges:
            raise TextError("text/box", "the shape of the text has no area")
        self._padding = padding
        xs, ys = [x for line in lines for x, _ in line], [y for line in lines for _, y in line]
        self.box = Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)).inset(padding)
        """The box around it, without that room."""

    def room(self, top: float, bottom: float) -> tuple[float, float] | None:
        """The widest stretch that lies in the shape from `top` to `bottom`; None if there is none."""
        padding = self._padding
        top, bottom = top - padding, bottom + padding
        middle = (top + bottom) / 2
        crossings: list[tuple[float, int]] = []
        walls: list[tuple[float, float]] = []
        for (x, y), (ex, ey) in self._edges:
            low, high = min(y, ey), max(y, ey)
            if high <= top or low >= bottom:
                continue
            if y == ey:
                walls.append((min(x, ex), max(x, ex)))
                continue
            slope = (ex - x) / (ey - y)
            ends = [x + (min(max(at, low), high) - y) * slope for at in (top, bottom)]
            walls.append((min(ends), max(ends)))
            if (y <= middle) != (ey <= middle):
                crossings.append((x + (middle - y) * slope, 1 if ey > y else -1))
        best: tuple[float, float] | None = None
        walls.sort()
        turns = 0
        for (left, turn), (right, _) in pairwise(sorted(crossings)):
            turns += turn
            if not turns:
                continue
            free = _widest(left, right, walls)
            if free is not None and (best is None or free[1] - free[0] > best[1] - best[0]):
                best = free
        if best is None or best[1] - best[0] <= 2 * padding:
            return None
        return best[0] + padding, best[1] - padding


def _widest(left: float, right: float, walls: list[tuple[float, float]]) -> tuple[float, float] | None:
    """The widest stretch between two places that no wall (sorted) stands in."""
    best: tuple[float, float] | None = None
    for start, end in (*walls, (right, math.inf)):
        free = min(start, right)
        if free > left and (best is None or free - left > best[1] - best[0]):
            best = (left, free)
        left = max(left, end)
        if left >= right:
            break
    return best
