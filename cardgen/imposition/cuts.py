"""Where pieces are cut on a page, for machines that follow a line.

A cut is a run of straight lines and quarters of ellipses. What two neighbours share is cut once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardgen.geometry import Point, Rect, Shape, corners_of
from cardgen.imposition.slots import turned
from cardgen.model.cuts import Cut, Stroke, near
from cardgen.model.sheets import ImposedSheet, Outline, Page, Slot


def cuts_of(page: Page, shapes: Mapping[str, tuple[Shape, float]]) -> tuple[Cut, ...]:
    """The cuts of a page of faces, piece by piece; `shapes` are the shape and corner radius of components.
    There are none of what reaches beyond the page, such as tiles of boards."""
    known: set[frozenset[Point]] = set()
    return tuple(cut for outline in _outlines(page, shapes) for cut in _runs(strokes_of(outline), known))


def whole_cuts_of(page: Page, shapes: Mapping[str, tuple[Shape, float]]) -> tuple[Cut, ...]:
    """The same, a closed cut a piece, whatever it shares with its neighbours."""
    return tuple(Cut(tuple(strokes_of(outline))) for outline in _outlines(page, shapes))


def folds_of(page: Page) -> tuple[Cut, ...]:
    """Where the pieces of a page are folded."""
    lines = (line for line in page.lines if line.dashed) if page.pieces else ()
    return tuple(Cut((Stroke((line.x1, line.y1), (line.x2, line.y2)),)) for line in lines)


def _outlines(page: Page, shapes: Mapping[str, tuple[Shape, float]]) -> list[Outline]:
    outlines = list(page.pieces)
    whole = Rect(0, 0, page.size.width, page.size.height)
    for slot in () if page.pieces else _faces(page):
        shape, radius = shapes[slot.component]
        if whole.contains(slot.trim):
            shape = turned(shape, slot.rotation)
            outlines.append(Outline(slot.trim, shape, radius if shape == "rectangle" else 0.0, 0.0))
    return outlines


def pages_to_cut(sheet: ImposedSheet) -> list[tuple[int, Page]]:
    """The pages that show faces, each with its number from 1."""
    return [(number, page) for number, page in enumerate(sheet.pages, start=1) if page.side == "face"]


def _faces(page: Page) -> list[Slot]:
    """The faces on a page. Backs beyond a fold come after them."""
    fold = next((line for line in page.lines if line.dashed), None)
    if fold is None or not page.slots:
        return list(page.slots)

    def beyond(slot: Slot) -> bool:
        return slot.trim.x > fold.x1 if fold.x1 == fold.x2 else slot.trim.y > fold.y1

    return [slot for slot in page.slots if beyond(slot) is beyond(page.slots[0])]


def strokes_of(outline: Outline) -> list[Stroke]:
    """The outline of a piece, clockwise."""
    rect = outline.rect
    if (corners := corners_of(outline.shape, rect)) is not None:
        return [Stroke(corner, corners[(i + 1) % len(corners)]) for i, corner in enumerate(corners)]
    round_ = outline.shape == "ellipse"
    rx, ry = (rect.width / 2, rect.height / 2) if round_ else (outline.radius, outline.radius)
    left, top, right, bottom = rect.x, rect.y, rect.right, rect.bottom
    parts = (
        Stroke((left + rx, top), (right - rx, top)),
        Stroke((right - rx, top), (right, top + ry), (right - rx, top + ry)),
        Stroke((right, top + ry), (right, bottom - ry)),
        Stroke((right, bottom - ry), (right - rx, bottom), (right - rx, bottom - ry)),
        Stroke((right - rx, bottom), (left + rx, bottom)),
        Stroke((left + rx, bottom), (left, bottom - ry), (left + rx, bottom - ry)),
        Stroke((left, bottom - ry), (left, top + ry)),
        Stroke((left, top + ry), (left + rx, top), (left + rx, top + ry)),
    )
    return [part for part in parts if near(part.start) != near(part.end)]


def _runs(strokes: Sequence[Stroke], known: set[frozenset[Point]]) -> list[Cut]:
    """The strokes as cuts, without straight ones that are `known`; those that remain become known."""
    fresh = []
    for stroke in strokes:
        line = frozenset((near(stroke.start), near(stroke.end)))
        fresh.append(stroke.middle is not None or line not in known)
        if stroke.middle is None:
            known.add(line)
    if all(fresh):
        return [Cut(tuple(strokes))]
    # Begin after a stroke that is left out, so that no run is parted where the list begins.
    first = next(index for index, new in enumerate(fresh) if not new)
    order = [*range(first, len(strokes)), *range(first)]
    runs: list[list[Stroke]] = [[]]
    for index in order:
        if fresh[index]:
            runs[-1].append(strokes[index])
        elif runs[-1]:
            runs.append([])
    return [Cut(tuple(run)) for run in runs if run]
