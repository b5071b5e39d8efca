"""Panels hung on one another, each on an edge of the one before, and the outline around them all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from cardgen.geometry import Point, Rect, Size, moved_out
from cardgen.model.boxes import BoxForm, Dieline, Edge, Panel, Room, Side, Span
from cardgen.model.cuts import near
from cardgen.model.sheets import Rotation

_SIDES: dict[Side, Point] = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}
"""Which way each side of a rectangle looks."""


class Sheet:
    """A flat box while it is laid out, the front's top left corner at 0, 0."""

    def __init__(self, front: Size, dip: Sequence[Point] = ()) -> None:
        """A front with a dip in its upper edge, as `flaps.notch` has it."""
        rect = Rect(0.0, 0.0, front.width, front.height)
        corners = ((0.0, 0.0), *((x, -y) for x, y in dip), (rect.right, 0.0), (rect.right, rect.bottom))
        self._panels = [_panel("front", rect, (*corners, (0.0, rect.bottom)))]
        self._slits: list[Span] = []

    def hang(
        self,
        on: str,
        side: Side,
        name: str,
        shape: Sequence[Point],
        *,
        turn: Rotation = 0,
        glued: bool = False,
        slit: float = 0.0,
    ) -> None:
        """Hang a panel on a side of one that is there, its shape by that edge. `slit` mm at either end of
        the fold are cut."""
        parent = next(panel for panel in self._panels if panel.name == on)
        start, end = _edge(parent.rect, side)
        length = math.dist(start, end)
        along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
        away = _SIDES[side]

        def place(u: float, v: float) -> Point:
            return start[0] + u * along[0] + v * away[0], start[1] + u * along[1] + v * away[1]

        corners = tuple(place(u, v) for u, v in shape)
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        rect = Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
        panel = _panel(name, rect, corners)
        self._panels.append(replace(panel, turn=turn, parent=on, hinge=(start, end), glued=glued))
        if slit:
            self._slits += [(start, place(slit, 0.0)), (place(length - slit, 0.0), end)]

    def finish(self, form: BoxForm, room: Room, outer: Room, paper: float, overlap: float) -> Dieline:
        """The box, moved so that it begins at 0, 0."""
        outline = self._around(self._panels[0])
        left, top = min(x for x, _ in outline), min(y for _, y in outline)
        right, bottom = max(x for x, _ in outline), max(y for _, y in outline)

        def move(points: Sequence[Point]) -> tuple[Point, ...]:
            return tuple((x - left, y - top) for x, y in points)

        hinges = {_key(*panel.hinge): panel for panel in self._panels if panel.hinge is not None}
        panels = []
        for panel in self._panels:
            rect, corners = panel.rect, move(panel.corners)
            edges = tuple(_kind(panel, hinges, *each) for each in _pairs(panel.corners))
            hinge = None if panel.hinge is None else _span(move(panel.hinge))
            rect = Rect(rect.x - left, rect.y - top, rect.width, rect.height)
            panels.append(replace(panel, rect=rect, corners=corners, edges=edges, hinge=hinge))
        slits = tuple(_span(move(slit)) for slit in self._slits)
        return Dieline(
            form=form,
            size=Size(right - left, bottom - top),
            room=room,
            outer=outer,
            paper=paper,
            overlap=overlap,
            panels=tuple(panels),
            outline=move(outline),
            slits=slits,
            folds=tuple(_between(panel.hinge, slits) for panel in panels if panel.hinge is not None),
            glue=tuple(_glue_area(panel, overlap) for panel in panels if panel.glued),
        )

    def _around(self, panel: Panel) -> list[Point]:
        """The outline of a panel and all that hangs on it, from its first corner to its last."""
        found: list[Point] = [panel.corners[0]]
        hung = {
            _key(*child.hinge): child
            for child in self._panels
            if child.parent == panel.name and child.hinge
        }
        for start, end in _pairs(panel.corners)[: None if panel.hinge is None else -1]:
            child = hung.get(_key(start, end))
            found += [end] if child is None else self._around(child)[1:]
        if near(found[0]) == near(found[-1]):
            found.pop()
        return found


def _panel(name: str, rect: Rect, corners: tuple[Point, ...]) -> Panel:
    return Panel(name, rect, corners, ())


def _edge(rect: Rect, side: Side) -> Span:
    """A side of a rectangle, clockwise."""
    corners = ((rect.x, rect.y), (rect.right, rect.y), (rect.right, rect.bottom), (rect.x, rect.bottom))
    index = list(_SIDES).index(side)
    return corners[index], corners[(index + 1) % 4]


def _pairs(corners: Sequence[Point]) -> list[Span]:
    return [(corner, corners[(i + 1) % len(corners)]) for i, corner in enumerate(corners)]


def _key(start: Point, end: Point) -> frozenset[Point]:
    return frozenset((near(start), near(end)))


def _span(points: Sequence[Point]) -> Span:
    return points[0], points[1]


def _kind(panel: Panel, hinges: dict[frozenset[Point], Panel], start: Point, end: Point) -> Edge:
    hung = hinges.get(_key(start, end))
    if hung is None:
        return "cut"
    return "glue" if hung.glued and hung is not panel and not panel.glued else "fold"


def _between(hinge: Span, slits: Sequence[Span]) -> Span:
    """A fold without the slits at its ends."""
    start, end = hinge
    for first, last in slits:
        if near(first) == near(start):
            start = last
        if near(last) == near(end):
            end = first
    return start, end


def _glue_area(panel: Panel, overlap: float) -> tuple[Point, ...]:
    """What ink of the neighbour leaves of a flap."""
    distances = [0.0] * (len(panel.corners) - 1) + [-overlap]
    return moved_out(panel.corners, distances)
