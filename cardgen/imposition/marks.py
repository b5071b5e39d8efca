"""Lines for the knife: crop marks around the block, outlines around tokens, the fold line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cardgen.geometry import Rect, Size
from cardgen.imposition.flipping import Axis
from cardgen.imposition.slots import Shapes, bounds, turned
from cardgen.model.sheets import Line, Marks, Outline, Slot

WEIGHT = 0.25 * 25.4 / 72
"""mm: a quarter-point hairline, the usual weight of printers' marks."""

LENGTH = 5.0
"""mm, the usual length of a crop mark."""

LEAST_LENGTH = 2.0
"""mm: a mark that would be shorter within the printable area runs on towards the paper's edge."""

LEAST_OFFSET = 1.0
"""mm between trim and mark on sheets without bleed, so that a cut a little off shows no ink."""

_SPECK = 0.5
"""mm: shorter than this is dirt rather than a mark."""


def mark_offset(bleed: float) -> float:
    """mm between a trim and the marks that belong to it."""
    return max(bleed, LEAST_OFFSET)


def crop_marks(
    trims: Sequence[Rect], page: Size, *, bleed: float, margin: float, length: float = LENGTH
) -> tuple[Line, ...]:
    """Marks at every edge of the trims, outside the rectangle around all of them.

    On a partial page that is the rectangle around the occupied cells, so both ends of every cut are
    marked and none crosses a card. A mark starts the bleed away from the trim and ends at `margin`,
    or nearer to the paper's edge where that would leave it under 2 mm.
    """
    if not trims:
        return ()
    box, offset = bounds(trims), mark_offset(bleed)
    lines: list[Line] = []

    def spans(before: float, after: float, extent: float) -> list[tuple[float, float]]:
        found = []
        near, far = _reach(before, offset, margin, length), _reach(extent - after, offset, margin, length)
        if near:
            found.append((before - near, before - offset))
        if far:
            found.append((after + offset, after + far))
        return found

    columns = _distinct(edge for trim in trims for edge in (trim.x, trim.right))
    rows = _distinct(edge for trim in trims for edge in (trim.y, trim.bottom))
    for start, end in spans(box.y, box.bottom, page.height):
        lines.extend(Line(x, start, x, end, WEIGHT) for x in columns)
    for start, end in spans(box.x, box.right, page.width):
        lines.extend(Line(start, y, end, y, WEIGHT) for y in rows)
    return tuple(lines)


def _reach(room: float, offset: float, margin: float, length: float) -> float | None:
    """How far from the block a mark ends, given the `room` to the paper's edge; None for no mark."""
    printable = room - margin
    limit = printable if printable - offset >= LEAST_LENGTH else room
    end = min(offset + length, limit)
    return end if end - offset >= _SPECK else None


def _distinct(values: Iterable[float]) -> list[float]:
    """The values in order, each once: shared cuts differ in the last digits only."""
    found: dict[float, float] = {}
    for value in sorted(values):
        found.setdefault(round(value, 4), value)
    return list(found.values())


def outlines(slots: Sequence[Slot], marks: Marks, shapes: Shapes) -> tuple[Outline, ...]:
    """Cut lines on the trims of these faces: around rectangles where the sheet asks for outlines, around
    other shapes unless it has no marks."""
    found = []
    for slot in slots:
        shape, radius = shapes[slot.component]
        if shape == "ellipse" and marks != "none":
            found.append(Outline(slot.trim, "ellipse", 0.0, WEIGHT))
        elif shape != "rectangle" and marks != "none":
            found.append(Outline(slot.trim, turned(shape, slot.rotation), 0.0, WEIGHT))
        elif marks == "outline":
            found.append(Outline(slot.trim, "rectangle", radius, WEIGHT))
    return tuple(found)


def fold_line(page: Size, axis: Axis, margin: float) -> Line:
    """The dashed line to fold along, across the printable page."""
    if axis == "horizontal":
        return Line(margin, page.height / 2, page.width - margin, page.height / 2, WEIGHT, dashed=True)
    return Line(page.width / 2, margin, page.width / 2, page.height - margin, WEIGHT, dashed=True)
