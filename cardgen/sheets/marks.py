"""Draw lines for the knife, the guillotine and the cutting machine."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, pairwise, product

from cardgen.core.geometry import Point, Rect, Shape, Size, corners_of, edges_of
from cardgen.core.records import dataclass, replace
from cardgen.core.sheets import (
    CasedLine,
    Cut,
    ImposedSheet,
    Label,
    Line,
    Marks,
    Outline,
    Page,
    Registration,
    SheetLayout,
    Slot,
    Stroke,
    near,
)
from cardgen.sheets.grid import Arrangement, Axis, Shapes, arrange, bounds, turned
from cardgen.sheets.job import SheetJob

WEIGHT = 0.25 * 25.4 / 72
"""mm: a quarter-point hairline, the usual weight of printers' marks."""

MARK_LENGTH = 5.0
"""mm, the usual length of a crop mark."""

LEAST_LENGTH = 2.0
"""mm: if a mark within the printable area would be shorter, it extends into the bleed."""

OFF_CUT = 0.35
"""mm between a trim and a mark in its bleed, so that a slightly wrong cut shows no ink."""

CLOSEST = 0.1
"""mm between a trim and a mark in its bleed if no mark would fit otherwise."""

LEAST_OFFSET = 1.0
"""mm between trim and mark on sheets without bleed, so that a slightly wrong cut shows no ink."""

SPECK = 0.5
"""mm: shorter marks look like dirt."""


def mark_offset(bleed: float) -> float:
    """Return mm between a trim and its marks."""
    return max(bleed, LEAST_OFFSET)


def crop_marks(
    trims: Sequence[Rect],
    page: Size,
    *,
    bleed: float,
    margin: float,
    length: float = MARK_LENGTH,
    free: Rect | None = None,
) -> tuple[Line, ...]:
    """Return marks at every edge of the trims, outside the rectangle around all of them.

    On a partial page that is the rectangle around the occupied cells, so both ends of every cut are marked
    and none crosses a card. A mark starts the bleed away from the trim and ends at `margin`. If that leaves
    it under 2 mm, it starts in the bleed, next to the trim, which is printable, and continues towards the
    paper's edge, for printers that print there: black on white, for any background. If none of it prints,
    marks in the gutters that cross the cut say where it is. Other cards around a `free` area limit marks as
    the margin does.
    """
    if not trims:
        return ()
    box, offset = bounds(trims), mark_offset(bleed)
    free = page.whole if free is None else free
    lines: list[Line] = []

    def spans(
        before: float, after: float, extent: float, low: float, high: float
    ) -> list[tuple[float, float, type[Line]]]:
        found = []
        near = _mark(before, before - low, offset, margin, length)
        far = _mark(extent - after, high - after, offset, margin, length)
        if near:
            start, end, kind = near
            found.append((before - end, before - start, kind))
        if far:
            start, end, kind = far
            found.append((after + start, after + end, kind))
        return found

    columns = distinct(edge for trim in trims for edge in (trim.x, trim.right))
    rows = distinct(edge for trim in trims for edge in (trim.y, trim.bottom))
    for start, end, kind in spans(box.y, box.bottom, page.height, free.y, free.bottom):
        lines.extend(kind(x, start, x, end, WEIGHT) for x in columns)
    for start, end in _in_gutters([(trim.y, trim.bottom) for trim in trims], page.height, margin):
        lines.extend(CasedLine(x, start, x, end, WEIGHT) for x in columns)
    for start, end, kind in spans(box.x, box.right, page.width, free.x, free.right):
        lines.extend(kind(start, y, end, y, WEIGHT) for y in rows)
    for start, end in _in_gutters([(trim.x, trim.right) for trim in trims], page.width, margin):
        lines.extend(CasedLine(start, y, end, y, WEIGHT) for y in rows)
    return tuple(lines)


Span = tuple[float, float]


def _in_gutters(trims: Sequence[tuple[float, float]], extent: float, margin: float) -> list[Span]:
    """Return where marks across gutters start and end, if none prints outside of the block. `trims` are the
    starts and ends of cards along an `extent` of paper."""
    ordered = sorted(trims)
    ends = tuple(accumulate((end for _, end in ordered), max))
    if min(ordered[0][0], extent - ends[-1]) >= margin + CLOSEST + SPECK - _ROUGH:
        return []
    gaps = ((end + CLOSEST, start - CLOSEST) for end, (start, _) in zip(ends, ordered[1:], strict=False))
    return [(low, high) for low, high in dict.fromkeys(gaps) if high - low >= SPECK]


def _mark(
    room: float, free: float, offset: float, margin: float, length: float
) -> tuple[float, float, type[Line]] | None:
    """Return a mark in the `room` to the paper's edge, or in the `free` part of it, up to another card."""
    if free < room:
        return reach(max(0.0, free - OFF_CUT), offset, 0.0, length)
    return reach(room, offset, margin, length)


def nested_marks(
    trims: Sequence[Rect], blocks: Sequence[int], page: Size, *, bleed: float, margin: float, length: float
) -> tuple[Line, ...]:
    """Return crop marks around each block of trims; `blocks` are their numbers of cards."""
    ends = tuple(accumulate(blocks))
    members = [trims[end - count : end] for end, count in zip(ends, blocks, strict=True)]
    boxes = [bounds(each) for each in members]
    return tuple(
        line
        for number, each in enumerate(members)
        for line in crop_marks(
            each, page, bleed=bleed, margin=margin, length=length, free=_free(boxes, number, page)
        )
    )


def _free(boxes: Sequence[Rect], number: int, page: Size) -> Rect:
    """Return the area of a page around a box, up to the boxes beside, above and below it."""
    box, (left, top, right, bottom) = boxes[number], (0.0, 0.0, page.width, page.height)
    for other in (*boxes[:number], *boxes[number + 1 :]):
        if min(other.bottom, box.bottom) > max(other.y, box.y):
            right = min(right, other.x) if other.x >= box.right else right
            left = max(left, other.right) if other.right <= box.x else left
        if min(other.right, box.right) > max(other.x, box.x):
            bottom = min(bottom, other.y) if other.y >= box.bottom else bottom
            top = max(top, other.bottom) if other.bottom <= box.y else top
    return Rect(left, top, right - left, bottom - top)


def fold_crossings(faces: Sequence[Rect], page: Size, axis: Axis) -> tuple[Line, ...]:
    """Return marks at the ends of cuts at a fold: across it, between the faces and their backs, if no paper
    is left beside them. Black on white, for any background; after folding, they are at its edge."""
    if not faces:
        return ()
    box = bounds(faces)
    if axis == "vertical":
        middle, sides = page.width / 2, (box.x, box.right)
        cuts = distinct(edge for trim in faces for edge in (trim.y, trim.bottom))
    else:
        middle, sides = page.height / 2, (box.y, box.bottom)
        cuts = distinct(edge for trim in faces for edge in (trim.x, trim.right))
    away = min(abs(middle - side) for side in sides) - OFF_CUT
    start, end = middle - away, middle + away
    if axis == "vertical":
        return tuple(CasedLine(start, y, end, y, WEIGHT) for y in cuts)
    return tuple(CasedLine(x, start, x, end, WEIGHT) for x in cuts)


def reach(
    room: float, offset: float, margin: float, length: float
) -> tuple[float, float, type[Line]] | None:
    """Return the start and end of a mark, as distances from the block, and its kind, for the `room` to the
    paper's edge; None for no mark."""
    printable = min(offset + length, room - margin)
    if printable - offset >= LEAST_LENGTH:
        return offset, printable, Line
    start, end = max(CLOSEST, min(OFF_CUT, room - margin - SPECK)), min(offset + length, room)
    return (start, end, CasedLine) if end - start >= SPECK else None


def distinct(values: Iterable[float]) -> list[float]:
    """Return the values in order, each once: those of shared cuts differ by rounding errors."""
    found: dict[float, float] = {}
    for value in sorted(values):
        found.setdefault(round(value, 4), value)
    return list(found.values())


def outlines(slots: Sequence[Slot], marks: Marks, shapes: Shapes) -> tuple[Outline, ...]:
    """Return cut lines on the trims of these faces: around rectangles if the sheet has outlines, around
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
    """Return the dashed fold line, across the printable page."""
    if axis == "horizontal":
        return Line(margin, page.height / 2, page.width - margin, page.height / 2, WEIGHT, dashed=True)
    return Line(page.width / 2, margin, page.width / 2, page.height - margin, WEIGHT, dashed=True)


NUMBER = 2.3
"""mm: 6.5 pt, the size of the numbers at the marks."""

_ASIDE = 0.5
"""mm between a mark and its number."""
_DIGIT = 0.55
"""Width of a digit, of the size of the type."""
_ASCENT = 0.75


@dataclass(frozen=True, slots=True)
class CutOrder:
    """The cuts of a page, `upright` by x and `level` by y in mm, each from the left or the top; those along
    the page's longer side are first."""

    upright: tuple[float, ...]
    level: tuple[float, ...]
    upright_first: bool

    def number(self, upright: bool, at: float) -> int | None:
        """Return the number of the cut along a line, from 1; None if there is none."""
        places = self.upright if upright else self.level
        found = next((n for n, place in enumerate(places, start=1) if abs(place - at) < 0.01), None)
        if found is None or upright is self.upright_first:
            return found
        return found + len(self.level if upright else self.upright)

    def __str__(self) -> str:
        first, second = (self.upright, self.level) if self.upright_first else (self.level, self.upright)
        ways = ("upright", "across") if self.upright_first else ("across", "upright")
        last = len(first) + len(second)
        return (
            f"cut 1–{len(first)} {ways[0]}, then the strips together {len(first) + 1}–{last} {ways[1]}, "
            f"{_distances(second)} mm apart"
        )


def cut_order(trims: Sequence[Rect], page: Size) -> CutOrder | None:
    """Return the order for these cards; None if a cut from edge to edge along one crosses another."""
    upright = tuple(distinct(side for trim in trims for side in (trim.x, trim.right)))
    level = tuple(distinct(side for trim in trims for side in (trim.y, trim.bottom)))
    for trim in trims:
        if any(trim.x + 0.01 < x < trim.right - 0.01 for x in upright):
            return None
        if any(trim.y + 0.01 < y < trim.bottom - 0.01 for y in level):
            return None
    return CutOrder(upright, level, not page.landscape)


def say_no_order(job: SheetJob, *, nested: bool = False) -> None:
    """Report once for each sheet: `sheet/cut-order`, a note on pieces that a guillotine can't separate, or
    not in one order, as they are `nested`."""
    if any(known.code == "sheet/cut-order" for known in job.findings):
        return
    if nested:
        job.note(
            "sheet/cut-order",
            f"'{job.sheet.name}' has pages with blocks of several sizes, and no cutting order is printed "
            "there",
            "cut the blocks apart first, then each along its own marks; or remove `nest`",
        )
        return
    job.note(
        "sheet/cut-order",
        f"straight cuts can't separate all pieces of '{job.sheet.name}', so no "
        "cutting order is printed there",
        "put the rectangular pieces on a sheet of their own",
    )


def numbers(order: CutOrder, marks: Sequence[Line], trims: Sequence[Rect]) -> Iterator[tuple[Label, Rect]]:
    """Yield a number beside each mark on bare paper, and its area. Marks in the bleed, on art, have
    none."""
    box = bounds(trims)
    for mark in marks:
        if isinstance(mark, CasedLine) or mark.dashed:
            continue
        upright = mark.x1 == mark.x2
        number = order.number(upright, mark.x1 if upright else mark.y1)
        if number is None:
            continue
        width, height = len(str(number)) * _DIGIT * NUMBER, _ASCENT * NUMBER
        if upright:
            above = mark.y2 <= box.y
            area = Rect(mark.x1 + _ASIDE, mark.y2 - height if above else mark.y1, width, height)
        else:
            left = mark.x2 <= box.x
            area = Rect(mark.x2 - width if left else mark.x1, mark.y1 - _ASIDE - height, width, height)
        yield Label(str(number), area.x, area.bottom, NUMBER), area


def _distances(places: Sequence[float]) -> str:
    """Return the distinct distances between cuts."""
    return " and ".join(dict.fromkeys(f"{round(b - a, 2):g}" for a, b in pairwise(places)))


def cuts_of(page: Page, shapes: Mapping[str, tuple[Shape, float]]) -> tuple[Cut, ...]:
    """Return the cuts of a page of faces, piece by piece; `shapes` are the shape and corner radius of
    components. Pieces beyond the page, such as tiles of boards, have none."""
    known: set[frozenset[Point]] = set()
    return tuple(cut for outline in _outlines(page, shapes) for cut in _runs(strokes_of(outline), known))


def whole_cuts_of(page: Page, shapes: Mapping[str, tuple[Shape, float]]) -> tuple[Cut, ...]:
    """Return a closed cut for each piece, even if it shares cuts with its neighbors."""
    return tuple(Cut(tuple(strokes_of(outline))) for outline in _outlines(page, shapes))


def folds_of(page: Page) -> tuple[Cut, ...]:
    """Return the folds of a page's pieces."""
    lines = (line for line in page.lines if line.dashed) if page.pieces else ()
    return tuple(Cut((Stroke((line.x1, line.y1), (line.x2, line.y2)),), "crease") for line in lines)


def _outlines(page: Page, shapes: Mapping[str, tuple[Shape, float]]) -> list[Outline]:
    outlines = list(page.pieces)
    whole = page.size.whole
    for slot in () if page.pieces else faces_of(page):
        shape, radius = shapes[slot.component]
        if whole.contains(slot.trim):
            shape = turned(shape, slot.rotation)
            outlines.append(Outline(slot.trim, shape, radius if shape == "rectangle" else 0.0, 0.0))
    return outlines


def pages_to_cut(sheet: ImposedSheet) -> list[tuple[int, Page]]:
    """Return the pages with faces, each with its number from 1."""
    return [(number, page) for number, page in enumerate(sheet.pages, start=1) if page.side == "face"]


def faces_of(page: Page) -> list[Slot]:
    """Return the faces on a page. Backs beyond a fold come after them."""
    fold = next((line for line in page.lines if line.dashed), None)
    if fold is None or not page.slots:
        return list(page.slots)

    def beyond(slot: Slot) -> bool:
        return slot.trim.x > fold.x1 if fold.x1 == fold.x2 else slot.trim.y > fold.y1

    return [slot for slot in page.slots if beyond(slot) is beyond(page.slots[0])]


def strokes_of(outline: Outline) -> list[Stroke]:
    """Return the outline of a piece, clockwise."""
    rect = outline.rect
    if (corners := corners_of(outline.shape, rect)) is not None:
        return [Stroke(*edge) for edge in edges_of(corners)]
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
    """Return the strokes as cuts, without straight ones that are `known`; add the new ones to `known`."""
    fresh = []
    for stroke in strokes:
        line = frozenset((near(stroke.start), near(stroke.end)))
        fresh.append(stroke.middle is not None or line not in known)
        if stroke.middle is None:
            known.add(line)
    if all(fresh):
        return [Cut(tuple(strokes))]
    # Begin after a skipped stroke, so that no run is split at the start of the list.
    first = next(index for index, new in enumerate(fresh) if not new)
    order = [*range(first, len(strokes)), *range(first)]
    runs: list[list[Stroke]] = [[]]
    for index in order:
        if fresh[index]:
            runs[-1].append(strokes[index])
        elif runs[-1]:
            runs.append([])
    return [Cut(tuple(run)) for run in runs if run]


LEAST_BLEED = 1.0
"""Least mm of bleed for cutting by hand: with less, a slightly wrong cut shows white."""

_ROUGH = 0.05
"""mm that are invisible, on paper or in a measure."""


def say_what_is_not_printed(job: SheetJob, pages: Sequence[Page]) -> None:
    """Report once for each sheet: `printer/margin`, a warning if a part of cards is in the printer's
    unprintable margin, a note if so much of their bleed is that less than a millimeter is left."""
    printer = job.printer
    if printer is None or printer.margin is None:
        return
    margin, lost, deepest, bare = printer.margin, 0, 0.0, 0
    for page in pages:
        reach = page.size.whole.inset(margin)
        for slot in page.slots:
            beyond = _excess(slot.trim, reach)
            deepest = max(deepest, beyond)
            lost += beyond > _ROUGH
            bled = slot.trim.inset(-LEAST_BLEED)
            bare += _excess(bled, reach) > _ROUGH and _excess(slot.clip, reach) > _ROUGH
    if not (lost or bare):
        return
    if lost:
        count = "a card side is" if lost == 1 else f"{lost:,} card sides are"
        message = f"{count} up to {deepest:.1f} mm inside that margin"
    else:
        message = f"less than {LEAST_BLEED:g} mm of bleed prints next to its outer cards"
    say = job.warning if lost else job.note
    say(
        "printer/margin",
        f"'{printer.name}' leaves {margin:g} mm of white margin, and on '{job.sheet.name}' {message}",
        f"print on larger paper, with a smaller grid, or write `margin: {margin:g}mm` in "
        f"{job.layout.file}, which fits fewer cards on a page",
    )


def say_unprinted_marks(job: SheetJob, faces: Iterable[tuple[Size, Sequence[Rect]]]) -> None:
    """Report once for each sheet: `sheet/marks`, a note if the cards on a page leave so little paper inside
    the margin that no crop mark is printed there nor in gutters. `faces` are the pages' sizes and trims."""
    needed = job.margin + CLOSEST + SPECK - _ROUGH
    least = min((_room(page, trims, job.margin) for page, trims in faces if trims), default=needed)
    if least >= needed:
        return
    command = f"cardgen calibrate --paper {job.paper.name}"
    job.note(
        "sheet/marks",
        f"the cards of '{job.sheet.name}' leave {max(0.0, least):.1f} mm of paper at an edge. The printer "
        f"leaves {job.margin:g} mm white, so the crop marks there don't print",
        f"use a smaller grid or larger paper, or measure the printer: {command}",
    )


def _room(page: Size, trims: Sequence[Rect], margin: float) -> float:
    """Return the room in mm from a block of trims to a paper's edge, at the better end of its worse cuts;
    infinity if marks are in gutters across all of them."""
    box = bounds(trims)
    sides = (
        ([(trim.x, trim.right) for trim in trims], page.width, max(box.x, page.width - box.right)),
        ([(trim.y, trim.bottom) for trim in trims], page.height, max(box.y, page.height - box.bottom)),
    )
    rooms = (room for along, extent, room in sides if not _in_gutters(along, extent, margin))
    return min(rooms, default=math.inf)


def _excess(area: Rect, reach: Rect) -> float:
    """Return how far an area extends beyond the reach, in mm."""
    return max(reach.x - area.x, reach.y - area.y, area.right - reach.right, area.bottom - reach.bottom)


MACHINES: tuple[Marks, ...] = ("silhouette", "opos")
"""The kinds of marks for machines."""

SILHOUETTE = Registration()

OPOS_INSET = 10.0
"""mm from the paper's edges to OPOS marks, which need nearly as much white."""
OPOS_SQUARE = 3.0
"""mm, a side of an OPOS mark."""
OPOS_CLEAR = 3 * OPOS_SQUARE
"""mm of white around an OPOS mark."""
OPOS_STEP = 410.0
"""mm, the maximum from one OPOS mark to the next: about 400, so that A3 and Tabloid have four marks."""


def registration_marks(
    page: Size, kind: Marks = "silhouette", made: Registration = SILHOUETTE
) -> tuple[Line, ...]:
    """Return a machine's marks on a page, if it has any, those of a Silhouette as they are `made`. A square
    is a line as thick as it is long."""
    if kind not in MACHINES:
        return ()
    if kind == "opos":
        half = OPOS_SQUARE / 2
        return tuple(
            Line(square.x, square.y + half, square.right, square.y + half, OPOS_SQUARE)
            for square in opos_squares(page)
        )
    near, far_x, far_y = made.inset, page.width - made.inset, page.height - made.inset
    middle = near + made.square / 2
    square = Line(near, middle, near + made.square, middle, made.square)
    corners = (
        _corner(made, near, near, 1, 1) if made.four else (square,),
        _corner(made, far_x, near, -1, 1),
        _corner(made, near, far_y, 1, -1),
        _corner(made, far_x, far_y, -1, -1) if made.four else (),
    )
    return tuple(line for corner in corners for line in corner)


def _corner(made: Registration, x: float, y: float, right: int, down: int) -> tuple[Line, Line]:
    """Return an L with its corner at a point, its arms to the right (1) or left (-1), and down or up."""
    half, end_x, end_y = made.thickness / 2, x + right * made.length, y + down * made.length
    level, upright = y + down * half, x + right * half
    return (
        Line(min(x, end_x), level, max(x, end_x), level, made.thickness),
        Line(upright, min(y, end_y), upright, max(y, end_y), made.thickness),
    )


def opos_squares(page: Size) -> tuple[Rect, ...]:
    """Return OPOS marks: at both ends of the page's longer sides, and between them if these are far
    apart."""
    if page.landscape:
        return tuple(Rect(each.y, each.x, each.height, each.width) for each in opos_squares(page.turned))
    first, last = OPOS_INSET, page.height - OPOS_INSET - OPOS_SQUARE
    steps = max(1, math.ceil((last - first) / OPOS_STEP))
    return tuple(
        Rect(x, first + (last - first) * step / steps, OPOS_SQUARE, OPOS_SQUARE)
        for step in range(steps + 1)
        for x in (OPOS_INSET, page.width - OPOS_INSET - OPOS_SQUARE)
    )


def marked_corners(
    page: Size, kind: Marks = "silhouette", made: Registration = SILHOUETTE
) -> tuple[Rect, ...]:
    """Return the areas that the machine scans, from the paper's edges to the ends of the marks, where no
    ruler or label is printed. Other marks have none."""
    if kind not in MACHINES:
        return ()
    if kind == "opos":
        return tuple(square.inset(-OPOS_CLEAR) for square in opos_squares(page))
    reach = made.inset + max(made.length, made.square) + made.clear
    right, bottom = page.width - reach, page.height - reach
    three = Rect(0, 0, reach, reach), Rect(right, 0, reach, reach), Rect(0, bottom, reach, reach)
    return (*three, Rect(right, bottom, reach, reach)) if made.four else three


def arrange_beside_marks(
    trim: Size,
    paper: Size,
    layout: SheetLayout,
    *,
    lying: int = 0,
    standing: int = 0,
    fold: bool = False,
    honeycomb: bool = False,
) -> Arrangement | None:
    """Return the result of `arrange`, with the cards clear of a machine's marks if the layout has them.

    Silhouette: the most cards, inside the marks' thin arms, if they keep clear of the square, or inside all
    of them. OPOS: the most cards between the marks at two opposite edges of the paper, bleed and all.
    """
    find = partial(arrange, lying=lying, standing=standing, fold=fold, honeycomb=honeycomb)
    if layout.marks not in MACHINES or layout.places is not None:
        return find(trim, paper, layout)
    best: Arrangement | None = None
    tried: list[tuple[Size, float]]  # the paper without strips at two of its edges, the margin
    if layout.marks == "opos":
        strip = OPOS_INSET + OPOS_SQUARE + OPOS_CLEAR + layout.bleed - layout.margin
        tried = [
            (Size(paper.width, paper.height - 2 * strip), layout.margin),
            (Size(paper.width - 2 * strip, paper.height), layout.margin),
        ]
    else:
        made = layout.registration
        beyond = [made.thickness, made.length if made.four else made.square]
        tried = [(paper, max(layout.margin, made.inset + each + made.clear)) for each in beyond]
    widths = (True, False) if layout.widen else (False,)
    for (room, margin), widen in product(tried, widths):
        if min(room.width, room.height) <= 0:
            continue
        found = find(trim, room, replace(layout, margin=margin, widen=widen))
        if found is None:
            continue
        found = _on_paper(paper, room, found)
        if bleed_between(found, layout) < 0:
            continue
        if best is None or found.capacity > best.capacity:
            best = found
    return best


def unmarked_margin(layout: SheetLayout) -> float:
    """Return mm at the paper's edges beyond which no mark of a machine limits cards, thin arms aside."""
    if layout.marks == "opos":
        return max(layout.margin, OPOS_INSET + OPOS_SQUARE + OPOS_CLEAR + layout.bleed)
    made = layout.registration
    square = made.inset + (made.length if made.four else made.square) + made.clear
    return max(layout.margin, square) if layout.marks == "silhouette" else layout.margin


def keeps_clear(block: Rect, page: Size, layout: SheetLayout) -> bool:
    """Return True if a block, with bleed, is clear of a layout's marks on a page."""
    clear = _clear(layout)
    marks = registration_marks(page, layout.marks, layout.registration)
    return not any(block.overlaps(_area(mark).inset(-clear)) for mark in marks)


def _clear(layout: SheetLayout) -> float:
    return OPOS_CLEAR if layout.marks == "opos" else layout.registration.clear


def _on_paper(paper: Size, room: Size, found: Arrangement) -> Arrangement:
    """Return an arrangement on the middle of a paper as one on all of it."""
    page = paper if found.page.close_to(room) else paper.turned
    right, down = (page.width - found.page.width) / 2, (page.height - found.page.height) / 2
    block = found.block
    return replace(found, page=page, block=Rect(block.x + right, block.y + down, block.width, block.height))


def printed_bleed(arrangement: Arrangement, bleed: float, layout: SheetLayout) -> float:
    """Return how much of a bleed a block can print beside the marks of a machine, in mm."""
    limited = replace(layout, bleed=bleed)
    return max(0.0, bleed_between(arrangement, limited)) if layout.marks in MACHINES else bleed


def bleed_between(arrangement: Arrangement, layout: SheetLayout) -> float:
    """Return how much of its bleed a block can print beside a machine's marks, in mm; negative if it covers
    one."""
    room, clear = layout.bleed, _clear(layout)
    for mark in map(_area, registration_marks(arrangement.page, layout.marks, layout.registration)):
        block = arrangement.block
        apart = max(
            mark.x - block.right, block.x - mark.right, mark.y - block.bottom, block.y - mark.bottom
        )
        room = min(room, apart - clear)
    return room if room >= 0 or room < -1e-6 else 0.0


def _area(line: Line) -> Rect:
    """Return the area that a level or upright line covers."""
    half = line.weight / 2
    if line.y1 == line.y2:
        return Rect(line.x1, line.y1 - half, line.x2 - line.x1, line.weight)
    return Rect(line.x1 - half, line.y1, line.weight, line.y2 - line.y1)
