"""Mark the lines inside pieces that are cut, creased or perforated: for machines, and by hand."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from cardgen.core.geometry import Point, Rect, Size
from cardgen.core.sheets import Cut, Line, Page, Slot, Span, Stroke, Tool, TrimLine, near, placed
from cardgen.sheets.marks import MARK_LENGTH, WEIGHT, faces_of, reach

LinesInside = Mapping[str, Sequence[TrimLine]]
"""The lines inside the pieces of each component."""

_APART = 0.6
"""mm between the two strokes that mark a cut inside a piece, which a single crop mark would hide."""

_LEGEND: dict[Tool, str] = {
    "cut": "cut inside the card between double marks",
    "half-cut": "cut half through between dashed double marks",
    "crease": "crease between dashed marks",
    "perforation": "perforate between dotted marks",
}


def spans_of(slot: Slot, lines: Sequence[TrimLine]) -> Iterator[tuple[Tool, Span]]:
    """Yield the lines inside the face in a slot, on its page."""
    size = slot.trim.size if slot.rotation in (0, 180) else slot.trim.size.turned
    to_page = placed(slot.trim, slot.rotation)
    for line in lines:
        start, end = line.on(size)
        yield line.tool, (to_page.apply(*start), to_page.apply(*end))


def cuts_inside(page: Page, inside: LinesInside) -> tuple[Cut, ...]:
    """Return the lines inside the pieces of a page of faces, for a machine."""
    return tuple(
        Cut((Stroke(start, end),), tool)
        for slot in faces_of(page)
        for tool, (start, end) in spans_of(slot, inside[slot.component])
    )


def legend_of(slots: Sequence[Slot], inside: LinesInside) -> list[str]:
    """Return the label that explains the marks of a page, if it has any."""
    used = {line.tool for slot in slots for line in inside[slot.component]}
    words = [text for tool, text in _LEGEND.items() if tool in used]
    return [", ".join(words)] if words else []


def line_marks(
    spans: Sequence[tuple[Tool, Span]],
    block: Rect,
    page: Size,
    *,
    offset: float,
    margin: float,
    length: float = MARK_LENGTH,
) -> tuple[Line, ...]:
    """Return marks outside a block of pieces, in line with those lines in them that end at its edges. They
    start `offset` mm away or, as crop marks do if paper is short, on the bleed."""
    found: dict[tuple[Tool, Point, Point], type[Line]] = {}
    for tool, (one, other) in spans:
        for end, before in ((one, other), (other, one)):
            gap = _room(end, before, block, page)
            mark = None if gap is None else reach(gap, offset, margin, length)
            if mark is None:
                continue
            away = math.dist(before, end)
            dx, dy = (end[0] - before[0]) / away, (end[1] - before[1]) / away
            start, stop = ((end[0] + dx * at, end[1] + dy * at) for at in mark[:2])
            found.setdefault((tool, near(start), near(stop)), mark[2])
    return tuple(line for place, kind in found.items() for line in _mark(*place, kind))


def _room(end: Point, before: Point, block: Rect, page: Size) -> float | None:
    """Return mm from a line's end to the paper's edge; None if it ends inside the block."""
    if near((end[0], 0)) == near((before[0], 0)):
        if end[1] < before[1]:
            return end[1] if end[1] <= block.y + 0.01 else None
        return page.height - end[1] if end[1] >= block.bottom - 0.01 else None
    if end[0] < before[0]:
        return end[0] if end[0] <= block.x + 0.01 else None
    return page.width - end[0] if end[0] >= block.right - 0.01 else None


def _mark(tool: Tool, start: Point, stop: Point, kind: type[Line]) -> Iterator[Line]:
    """Yield a mark: a double line for a cut, dashes for a crease, both for a half cut, dots for holes."""
    length = math.dist(start, stop)
    dx, dy = (stop[0] - start[0]) / length, (stop[1] - start[1]) / length
    sides = (-_APART / 2, _APART / 2) if tool in ("cut", "half-cut") else (0.0,)
    count = {"cut": 1, "half-cut": 3, "crease": 3, "perforation": 9}[tool]
    steps = [length * step / count for step in range(count + 1)]
    for aside in sides:
        x, y = start[0] - dy * aside, start[1] + dx * aside
        for low, high in list(pairwise(steps))[::2]:
            yield kind(x + dx * low, y + dy * low, x + dx * high, y + dy * high, WEIGHT)


def tile_spans(lines: Sequence[TrimLine], trim: Size, area: Rect, bleed: float) -> list[tuple[Tool, Span]]:
    """Return the parts of a board's lines in an area of it, in mm of the board. Those that end at its trim
    continue through its bleed."""
    found: list[tuple[Tool, Span]] = []
    for line in lines:
        (x1, y1), (x2, y2) = line.on(trim)
        across, low, high = (x1, y1, y2) if line.upright else (y1, x1, x2)
        side = trim.height if line.upright else trim.width
        first, last = (area.y, area.bottom) if line.upright else (area.x, area.right)
        at = (area.x, area.right) if line.upright else (area.y, area.bottom)
        low = max(first, low - bleed if low < 0.01 else low)
        high = min(last, high + bleed if high > side - 0.01 else high)
        if at[0] <= across <= at[1] and low < high:
            ends = ((across, low), (across, high)) if line.upright else ((low, across), (high, across))
            found.append((line.tool, ends))
    return found
