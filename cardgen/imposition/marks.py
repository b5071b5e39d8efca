"""Lines for the knife: crop marks around the block, outlines around tokens, the fold line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cardgen.geometry import Rect, Size
from cardgen.imposition.flipping import Axis
from cardgen.imposition.slots import Shapes, bounds, turned
from cardgen.model.sheets import CasedLine, Line, Marks, Outline, Slot

WEIGHT = 0.25 * 25.4 / 72
"""mm: a quarter-point hairline, the usual weight of printers' marks."""

LENGTH = 5.0
"""mm, the usual length of a crop mark."""

LEAST_LENGTH = 2.0
"""mm: a mark that would be shorter within the printable area is one that lies in the bleed as well."""

OFF_CUT = 0.35
"""mm between a trim and a mark in its bleed, so that a cut a little off shows no ink."""

CLOSEST = 0.1
"""mm between a trim and a mark in its bleed where otherwise none of the mark would be printed."""

LEAST_OFFSET = 1.0
"""mm between trim and mark on sheets without bleed, so that a cut a little off shows no ink."""

SPECK = 0.5
"""mm: shorter than this is dirt rather than a mark."""


def mark_offset(bleed: float) -> float:
    """mm between a trim and the marks that belong to it."""
    return max(bleed, LEAST_OFFSET)


def crop_marks(
    trims: Sequence[Rect], page: Size, *, bleed: float, margin: float, length: float = LENGTH
) -> tuple[Line, ...]:
    """Marks at every edge of the trims, outside the rectangle around all of them.

    On a partial page that is the rectangle around the occupied cells, so both ends of every cut are
    marked and none crosses a card. A mark starts the bleed away from the trim and ends at `margin`. Where
    that would leave it under 2 mm, it starts in the bleed, next to the trim, where printers reach, and runs
    on towards the paper's edge, for printers that reach there: black on white, for any ground.
    """
    if not trims:
        return ()
    box, offset = bounds(trims), mark_offset(bleed)
    lines: list[Line] = []

    def spans(before: float, after: float, extent: float) -> list[tuple[float, float, type[Line]]]:
        found = []
        near, far = reach(before, offset, margin, length), reach(extent - after, offset, margin, length)
        if near:
            start, end, kind = near
            found.append((before - end, before - start, kind))
        if far:
            start, end, kind = far
            found.append((after + start, after + end, kind))
        return found

    columns = distinct(edge for trim in trims for edge in (trim.x, trim.right))
    rows = distinct(edge for trim in trims for edge in (trim.y, trim.bottom))
    for start, end, kind in spans(box.y, box.bottom, page.height):
        lines.extend(kind(x, start, x, end, WEIGHT) for x in columns)
    for start, end, kind in spans(box.x, box.right, page.width):
        lines.extend(kind(start, y, end, y, WEIGHT) for y in rows)
    return tuple(lines)


def fold_crossings(faces: Sequence[Rect], page: Size, axis: Axis) -> tuple[Line, ...]:
    """Marks at the ends of cuts that lie at a fold: across it, between the faces and their backs, where no
    paper is left beside them. Black on white, for any ground; once folded, they are seen at its edge."""
    if not faces:
        return ()
    box, lines = bounds(faces), []
    if axis == "vertical":
        away = min(abs(page.width / 2 - side) for side in (box.x, box.right)) - OFF_CUT
        for y in distinct(edge for trim in faces for edge in (trim.y, trim.bottom)):
            lines.append(CasedLine(page.width / 2 - away, y, page.width / 2 + away, y, WEIGHT))
    else:
        away = min(abs(page.height / 2 - side) for side in (box.y, box.bottom)) - OFF_CUT
        for x in distinct(edge for trim in faces for edge in (trim.x, trim.right)):
            lines.append(CasedLine(x, page.height / 2 - away, x, page.height / 2 + away, WEIGHT))
    return tuple(lines)


def reach(
    room: float, offset: float, margin: float, length: float
) -> tuple[float, float, type[Line]] | None:
    """How far from the block a mark starts and ends, given the `room` to the paper's edge, and of which
    kind it is; None for no mark."""
    printable = min(offset + length, room - margin)
    if printable - offset >= LEAST_LENGTH:
        return offset, printable, Line
    start, end = max(CLOSEST, min(OFF_CUT, room - margin - SPECK)), min(offset + length, room)
    return (start, end, CasedLine) if end - start >= SPECK else None


def distinct(values: Iterable[float]) -> list[float]:
    """The values in order, each once: shared cuts differ in the last digits only."""
    found: dict[float, float] = {}
    for value in sorted(values):
        found.setdefault(round(value, 4), value)
    return list(found.values())


def outlines(slots: Sequence[Slot], marks: Marks, shapes: Shapes) -> tuple[Outline, ...]:
    """Cut lines on the trims of these faces: around rectangles where the sheet asks for outlines, around
    other shapes unless it has none or those of a machine."""
    found = []
    for slot in slots:
        shape, radius = shapes[slot.component]
        if marks in ("none", "silhouette", "opos"):
            break
        if shape == "ellipse":
            found.append(Outline(slot.trim, "ellipse", 0.0, WEIGHT))
        elif shape != "rectangle":
            found.append(Outline(slot.trim, turned(shape, slot.rotation), 0.0, WEIGHT))
        elif marks == "outline":
            found.append(Outline(slot.trim, "rectangle", radius, WEIGHT))
    return tuple(found)


def fold_line(page: Size, axis: Axis, margin: float) -> Line:
    """The dashed line to fold along, across the printable page."""
    if axis == "horizontal":
        return Line(margin, page.height / 2, page.width - margin, page.height / 2, WEIGHT, dashed=True)
    return Line(page.width / 2, margin, page.width / 2, page.height - margin, WEIGHT, dashed=True)
