"""Cuts as DXF of release 12, which every cutter's program reads: lines, arcs and circles in mm, y up.

Release 12 knows no ellipses; those that are no circles are lines so short that they are less than a
hundredth of a mm beside the curve.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from cardgen.geometry import Point, Rect, Size
from cardgen.model.cuts import Cut, Stroke

LAYER = "CUT"
MARKS = "REGMARK"
CREASES = "CREASE"
_RED = 1
_BLUE = 5
_BLACK = 7
_OFF = 0.01
"""mm that short lines may be beside a curve."""


def cuts_as_dxf(
    cuts: Sequence[Cut], page: Size, marks: Sequence[Rect] = (), creases: Sequence[Cut] = ()
) -> bytes:
    """The document, ASCII. The lower left corner of the paper is at 0, 0. `marks` are squares on a layer of
    their own, and so are `creases`, folds, where there are any."""
    layers = [(LAYER, _RED), (MARKS, _BLACK)] + ([(CREASES, _BLUE)] if creases else [])
    pairs: list[tuple[int, object]] = [
        *((0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009")),
        *((9, "$INSUNITS"), (70, 4), (9, "$MEASUREMENT"), (70, 1)),
        *((9, "$EXTMIN"), (10, 0.0), (20, 0.0), (9, "$EXTMAX"), (10, page.width), (20, page.height)),
        *((0, "ENDSEC"), (0, "SECTION"), (2, "TABLES"), (0, "TABLE"), (2, "LAYER"), (70, len(layers))),
        *(
            pair
            for name, colour in layers
            for pair in ((0, "LAYER"), (2, name), (70, 0), (62, colour), (6, "CONTINUOUS"))
        ),
        *((0, "ENDTAB"), (0, "ENDSEC")),
        *((0, "SECTION"), (2, "ENTITIES")),
    ]
    for cut in cuts:
        pairs += _entities(cut, page)
    for crease in creases:
        for stroke in crease.strokes:
            pairs += _line(stroke.start, stroke.end, page, CREASES)
    for mark in marks:
        left, right, top, bottom = mark.x, mark.right, mark.y, mark.bottom
        corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
        for start, end in pairwise(corners):
            pairs += _line(start, end, page, MARKS)
    pairs += [(0, "ENDSEC"), (0, "EOF")]
    return "".join(f"{code:3}\n{_value(value)}\n" for code, value in pairs).encode("ascii")


def _value(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _entities(cut: Cut, page: Size) -> Iterator[tuple[int, object]]:
    first = cut.strokes[0]
    across, down = first.radii
    around = first.middle
    round_ = len(cut.strokes) == 4 and all(stroke.middle == around for stroke in cut.strokes)
    if around is not None and round_ and math.isclose(across, down):
        yield from ((0, "CIRCLE"), (8, LAYER), *_at(around, page), (40, across))
        return
    for stroke in cut.strokes:
        across, down = stroke.radii
        if stroke.middle is None:
            yield from _line(stroke.start, stroke.end, page)
        elif math.isclose(across, down):
            # Clockwise on the page is clockwise with y up, too; DXF's arcs run the other way.
            begin, end = (_angle(stroke, place) for place in (stroke.end, stroke.start))
            yield from ((0, "ARC"), (8, LAYER), *_at(stroke.middle, page), (40, across))
            yield from ((50, begin), (51, end))
        else:
            for start, stop in pairwise(_places(stroke)):
                yield from _line(start, stop, page)


def _line(start: Point, end: Point, page: Size, layer: str = LAYER) -> Iterator[tuple[int, object]]:
    yield from ((0, "LINE"), (8, layer), *_at(start, page))
    yield from ((11, float(end[0])), (21, float(page.height - end[1])))


def _at(place: Point, page: Size) -> tuple[tuple[int, object], ...]:
    return (10, float(place[0])), (20, float(page.height - place[1]))


def _angle(stroke: Stroke, place: Point) -> float:
    """The angle, counter-clockwise with y up, at which a place lies on a stroke's circle."""
    assert stroke.middle is not None
    x, y = place[0] - stroke.middle[0], stroke.middle[1] - place[1]
    return math.degrees(math.atan2(y, x)) % 360


def _places(stroke: Stroke) -> Iterator[Point]:
    """Places along a quarter of an ellipse, close enough to each other."""
    assert stroke.middle is not None
    (x, y), (across, down) = stroke.middle, stroke.radii
    begin = math.atan2((stroke.start[1] - y) / down, (stroke.start[0] - x) / across)
    step = 2 * math.acos(max(0.0, 1 - _OFF / max(across, down)))
    count = max(2, math.ceil(math.pi / 2 / step))
    for index in range(count + 1):
        angle = begin + math.pi / 2 * index / count
        yield x + across * math.cos(angle), y + down * math.sin(angle)
