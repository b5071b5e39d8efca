"""Where to cut a booklet, where to fold it and where to staple it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from cardgen.geometry import Rect
from cardgen.imposition.marks import LENGTH, WEIGHT, mark_offset, reach
from cardgen.model.sheets import CASING, CasedLine, Line

STAPLE = 8.0
"""mm of the fold that are marked for a staple, which is 12 mm wide and covers the mark."""

_TO_CUT = 0.5
"""mm: less than this beside a page is the paper's own inaccuracy, and not cut off."""


def cut_marks(spread: Rect, paper: Rect, *, bleed: float, margin: float) -> tuple[Line, ...]:
    """A mark at both ends of every cut around two pages side by side.

    Where printers don't reach beyond the end of a cut, since the pages are nearly as long there as the
    paper, it stands beside the cut, in what is cut off, from the `margin` on.
    """
    upright = _upright_cuts(spread, paper, bleed, margin)
    level = _upright_cuts(_transposed(spread), _transposed(paper), bleed, margin)
    return *upright, *(replace(line, x1=line.y1, y1=line.x1, x2=line.y2, y2=line.x2) for line in level)


def _transposed(area: Rect) -> Rect:
    return Rect(area.y, area.x, area.height, area.width)


def _upright_cuts(spread: Rect, paper: Rect, bleed: float, margin: float) -> Iterator[Line]:
    """The marks of the cuts left and right."""
    beyond = (spread.y - paper.y, paper.bottom - spread.bottom)
    for x, out, waste in (
        (spread.x, -1, spread.x - paper.x),
        (spread.right, 1, paper.right - spread.right),
    ):
        if waste > _TO_CUT:
            for start, end, aside, kind in _ends(spread.y, spread.bottom, beyond, bleed, margin):
                yield kind(x + out * aside, start, x + out * aside, end, WEIGHT)


def _ends(
    start: float, end: float, rooms: tuple[float, float], bleed: float, margin: float
) -> Iterator[tuple[float, float, float, Callable[..., Line]]]:
    """From where to where the marks of a cut run, how far aside of it, and of which kind they are."""
    for place, out, room in ((start, -1, rooms[0]), (end, 1, rooms[1])):
        found = reach(room, mark_offset(bleed), margin, LENGTH)
        if found is not None and found[2] is Line:
            one, other, aside = place + out * found[0], place + out * found[1], 0.0
        else:
            one = place - out * max(0.0, margin - room)
            other, aside = one - out * LENGTH, CASING * WEIGHT / 2
        yield min(one, other), max(one, other), aside, CasedLine if aside else Line


def fold_marks(spread: Rect, paper: Rect, *, bleed: float, margin: float) -> tuple[Line, ...]:
    """The fold, beyond both ends of it where there is room, and on it the places of two staples."""
    x = spread.x + spread.width / 2
    lines: list[Line] = []
    rooms = (spread.y - paper.y, paper.bottom - spread.bottom)
    for place, out, room in ((spread.y, -1, rooms[0]), (spread.bottom, 1, rooms[1])):
        found = reach(room, mark_offset(bleed), margin, LENGTH)
        if found is not None and found[2] is Line:
            lines.append(Line(x, place + out * found[0], x, place + out * found[1], WEIGHT, dashed=True))
    for share in (0.25, 0.75):
        middle = spread.y + share * spread.height
        lines.append(CasedLine(x, middle - STAPLE / 2, x, middle + STAPLE / 2, WEIGHT))
    return tuple(lines)
