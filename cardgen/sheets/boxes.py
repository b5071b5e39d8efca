"""Lay out boxes and standees: pieces to cut, fold and glue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from cardgen.core.artwork import CardArt, Extent
from cardgen.core.game import Component, Standee, flanks
from cardgen.core.geometry import (
    Matrix,
    Point,
    Polygon,
    Rect,
    Shape,
    Size,
    clipped,
    corners_of,
    edges_of,
    moved_out,
)
from cardgen.core.records import dataclass, replace
from cardgen.core.sheets import (
    CasedLine,
    Cut,
    Dieline,
    ImposedSheet,
    Line,
    Outline,
    Page,
    Panel,
    Paper,
    Rotation,
    SheetLayout,
    Slot,
    Stroke,
)
from cardgen.sheets.grid import Arrangement, bounds, room, within
from cardgen.sheets.job import Bookmarks, SheetJob
from cardgen.sheets.marks import (
    MACHINES,
    OFF_CUT,
    WEIGHT,
    arrange_beside_marks,
    keeps_clear,
    marked_corners,
    opos_squares,
    printed_bleed,
    registration_marks,
)
from cardgen.sheets.ruler_and_labels import AT_FULL_SIZE, furnish

LEGEND = "cut along solid lines · fold along dashed lines · glue where it is hatched"
SEAM = 0.2
"""mm that two panels share at their fold: less than the width of a fold."""
_CASING = 2.5
"""The width of the white below a cut or fold, as a ratio to its own: visible on any background."""
_HATCH = 4.0
"""mm between the lines of hatching."""
_HATCH_WEIGHT = 0.05


def impose_boxes(job: SheetJob, cards: Sequence[CardArt]) -> ImposedSheet:
    """Return a page for each box, centered on the paper, portrait or landscape. Finding: `sheet/too-large`,
    with the smallest paper that fits."""
    pages: list[Page] = []
    if job.has_too_many(sum(card.copies for card in cards)):
        cards = []
    bookmarks = Bookmarks(job.game)
    for card in cards:
        component = job.game.component(card.component)
        assert component.box is not None
        box, bleed = component.box, min(job.layout.bleed, component.bleed)
        flat = box.size.grown(bleed)
        size = _page_for(flat, job.paper, job.layout)
        if size is None:
            _too_large(job, card, flat)
            continue
        first = _page(job, card, box, bleed, size, bookmarks.of([component.id]))
        pages += [first, *([replace(first, bookmark=None)] * (card.copies - 1))]
    return job.imposed(pages, len(pages))


def _page_for(size: Size, paper: Paper, layout: SheetLayout) -> Size | None:
    """Return the paper, portrait or landscape, if a box with its bleed fits into its margins, clear of a
    machine's marks."""
    for page in (paper.size.upright, paper.size.upright.turned):
        block = _middle(size, page)
        fits = page.whole.inset(layout.margin).contains(block)
        if fits and keeps_clear(block, page, layout):
            return page
    return None


def _middle(size: Size, page: Size) -> Rect:
    """Return a rectangle of that size at the center of a page."""
    return Rect((page.width - size.width) / 2, (page.height - size.height) / 2, size.width, size.height)


def _too_large(job: SheetJob, card: CardArt, size: Size) -> None:
    room = job.paper.size.upright.grown(-job.layout.margin)
    room = room.turned if size.landscape else room
    over = [
        f"{by:.1f} mm too {word}"
        for by, word in ((size.width - room.width, "wide"), (size.height - room.height, "high"))
        if by > 0
    ]
    wrong = " and ".join(over) or "too close to the marks of the cutting machine"
    job.too_large(
        f"the box '{card.card}' in '{card.component}' is {wrong} for {job.area}: its flat size is "
        f"{size.width:.1f}×{size.height:.1f} mm with bleed",
        lambda paper: _page_for(size, paper, job.layout),
        "divide the cards among several boxes with `boxes`; no known paper is large enough",
    )


def _page(
    job: SheetJob, card: CardArt, box: Dieline, bleed: float, size: Size, bookmark: str | None
) -> Page:
    trim, marks = _middle(box.size, size), job.layout.marks
    registration = job.layout.registration
    blocks = [trim.inset(-bleed), *marked_corners(size, marks, registration)]
    title = job.game.component(card.component).title
    texts = (job.version, f"{job.sheet.printed_name} · {title}", AT_FULL_SIZE, LEGEND)
    furniture = furnish(size, blocks, lambda length: (), (), texts, margin=job.layout.margin)
    return Page(
        size,
        "face",
        size.whole,
        size.whole,
        box_slots(card, box, trim, bleed),
        (*_lines(box, trim), *registration_marks(size, marks, registration), *furniture.lines),
        labels=furniture.labels,
        bookmark=bookmark,
        marked=opos_squares(size) if marks == "opos" else (),
    )


def box_slots(card: CardArt, box: Dieline, trim: Rect, bleed: float) -> tuple[Slot, ...]:
    """Return the slots of a box with its trim there, one for each panel."""
    return tuple(
        _slot(card, trim, _ink_area(panel, box, bleed), bleed) for panel in box.panels if not panel.glued
    )


def _slot(card: CardArt, trim: Rect, inked: Sequence[Point], bleed: float) -> Slot:
    """Return the art behind these corners, which are those of a box at 0, 0."""
    corners = [(x + trim.x, y + trim.y) for x, y in inked]
    corners = list(clipped(corners, trim.inset(-bleed)))
    clip = Rect.around(corners)
    return Slot(trim, 0, clip, card.face, card.component, card.card, Polygon.of(corners, clip))


def _ink_area(panel: Panel, box: Dieline, bleed: float) -> tuple[Point, ...]:
    """Return the corners of a panel's visible part. A cut beside an area for glue has no bleed if it would
    extend onto the area: it belongs to a hidden flap."""
    reach = {"cut": bleed, "fold": SEAM, "glue": box.overlap}
    found = [reach[edge] for edge in panel.edges]
    for index, edge in enumerate(panel.edges):
        if edge == "cut" and any(_overlaps(moved_out(panel.corners, found), area) for area in box.glue):
            found[index] = 0.0
    return moved_out(panel.corners, found)


def _overlaps(corners: Sequence[Point], area: Sequence[Point]) -> bool:
    """Return True if a polygon overlaps part of a convex area by more than a seam."""
    part = inside(corners, area)
    return bool(part) and abs(surface(part)) > SEAM


def inside(corners: Sequence[Point], area: Sequence[Point]) -> list[Point]:
    """Return the part of a polygon inside a convex area, corners clockwise; none if they don't overlap."""
    part = list(corners)
    for (x1, y1), (x2, y2) in edges_of(area):

        def depth(point: Point, x1: float = x1, y1: float = y1, x2: float = x2, y2: float = y2) -> float:
            return (x2 - x1) * (point[1] - y1) - (y2 - y1) * (point[0] - x1)

        kept: list[Point] = []
        for before, point in zip(part[-1:] + part[:-1], part):
            was, now = depth(before), depth(point)
            if (was > 0) != (now > 0):
                share = was / (was - now)
                kept.append(
                    (before[0] + share * (point[0] - before[0]), before[1] + share * (point[1] - before[1]))
                )
            if now > 0:
                kept.append(point)
        part = kept
    return part


def surface(corners: Sequence[Point]) -> float:
    """Return the area of a polygon in mm²."""
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in edges_of(corners)) / 2


def _lines(box: Dieline, trim: Rect) -> Iterator[Line]:
    def line(start: Point, end: Point, dashed: bool) -> Line:
        (x1, y1), (x2, y2) = start, end
        places = (x1 + trim.x, y1 + trim.y, x2 + trim.x, y2 + trim.y)
        return CasedLine(*places, WEIGHT, dashed, _CASING)

    for area in box.glue:
        for start, end in hatching(area):
            yield Line(
                *(start[0] + trim.x, start[1] + trim.y, end[0] + trim.x, end[1] + trim.y), _HATCH_WEIGHT
            )
    for start, end in box.folds:
        yield line(start, end, True)
    for start, end in (*edges_of(box.outline), *box.slits):
        yield line(start, end, False)


def hatching(area: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    """Yield slanted lines across a convex area, `_HATCH` mm apart, measured across."""
    low, high = min(x + y for x, y in area), max(x + y for x, y in area)
    at = low + _HATCH
    while at < high:
        met = []
        for (x1, y1), (x2, y2) in edges_of(area):
            before, after = x1 + y1 - at, x2 + y2 - at
            if (before < 0) != (after < 0):
                share = before / (before - after)
                met.append((x1 + share * (x2 - x1), y1 + share * (y2 - y1)))
        if len(met) == 2:
            yield met[0], met[1]
        at += _HATCH * 2**0.5


def box_lines(page: Page, boxes: Mapping[str, Dieline]) -> tuple[Cut, ...]:
    """Return the cuts of the boxes on a page, by component, then their folds."""
    cuts: list[Cut] = []
    folds: list[Cut] = []
    placed = dict.fromkeys((slot.component, slot.card, slot.trim) for slot in page.slots)
    for component, _, trim in placed:
        box = boxes[component]

        def stroke(start: Point, end: Point, trim: Rect = trim) -> Stroke:
            return Stroke((start[0] + trim.x, start[1] + trim.y), (end[0] + trim.x, end[1] + trim.y))

        cuts.append(Cut(tuple(stroke(*side) for side in edges_of(box.outline))))
        cuts += [Cut((stroke(*slit),)) for slit in box.slits]
        folds += [Cut((stroke(*fold),), "crease") for fold in box.folds]
    return *cuts, *folds


APART = 3.0
"""mm between a slotted figure and its foot."""
TICK = 2.0
"""mm: length of a tick beside the piece at a fold, if art hides the dashed line."""

Segment = tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class Piece:
    """A figure as cut out and flat, in mm of the piece. `outlines` are cut, clockwise, `folds` folded, from
    left to right, the one at the head first."""

    size: Size
    face: Rect
    back: Rect
    outlines: tuple[tuple[Point, ...], ...]
    folds: tuple[Segment, ...]


def piece_of(standee: Standee, shape: Shape, trim: Size) -> Piece:
    """Return the piece of a figure. ValueError for a shape that can't be folded (see `flanks`)."""
    sides = flanks(shape, trim)
    if sides is None:
        raise ValueError("a standee needs a level edge at its head and one at its feet")
    depth, width = standee.depth, trim.width
    fold = trim.height + depth
    feet = fold + trim.height
    right, left = ([(x, y + fold) for x, y in side] for side in sides)
    slit = standee.slot if standee.foot == "slotted" else 0.0
    half = (*right, *_end(right[-1][0], left[0][0], feet + depth, depth / 2, slit), *left)
    outlines = [_simplified((*half, *_mirrored(half, fold)))]
    folds = [(left[-1], right[0])]
    if standee.foot == "flaps":
        for y in (feet, fold - trim.height):
            folds.append(((left[0][0], y), (right[-1][0], y)))
    height = 2 * fold
    if standee.foot == "slotted":
        middle = height + APART + depth
        foot = ((width, middle), *_end(width, 0.0, middle + depth, depth / 2, slit), (0.0, middle))
        outlines.append(_simplified((*foot, *_mirrored(foot, middle))))
        folds.append(((0.0, middle), (width, middle)))
        height = middle + depth
    return Piece(
        Size(width, height),
        Rect(0, fold, width, trim.height),
        Rect(0, depth, width, trim.height),
        tuple(outlines),
        tuple(folds),
    )


def _end(right: float, left: float, y: float, deep: float, slit: float) -> tuple[Point, ...]:
    """Return the lower end of a half, from the right to the left, with a slit in its middle."""
    if not slit:
        return ((right, y), (left, y))
    near, far = (right + left + slit) / 2, (right + left - slit) / 2
    return ((right, y), (near, y), (near, y - deep), (far, y - deep), (far, y), (left, y))


def _mirrored(half: Sequence[Point], fold: float) -> tuple[Point, ...]:
    """Return the other half, without the shared ends."""
    return tuple((x, 2 * fold - y) for x, y in half[-2:0:-1])


def _simplified(points: Sequence[Point]) -> tuple[Point, ...]:
    """Return a polygon without repeated corners, or corners on a straight side."""
    kept: list[Point] = []
    for index, (x, y) in enumerate(points):
        before = kept[-1] if kept else points[index - 1]
        after = points[(index + 1) % len(points)]
        turn = (x - before[0]) * (after[1] - y) - (y - before[1]) * (after[0] - x)
        if abs(turn) > 1e-6:
            kept.append((x, y))
    return tuple(kept)


def impose_standees(job: SheetJob, cards: Sequence[CardArt], *, backs: bool) -> ImposedSheet:
    """Return pages of figures, pieces of one size together. A figure without a back of its own has its face
    mirrored; without `backs`, the second half is blank.

    Findings: `sheet/standees` if anything else is on the sheet, `sheet/too-large`.
    """
    game, sheet = job.game, job.sheet
    components = {name: game.component(name) for name in sheet.components}
    others = [name for name, component in components.items() if component.standee is None]
    if others:
        job.error(
            "sheet/standees",
            f"the sheet '{sheet.name}' mixes standees with '{others[0]}', which is not folded",
            "put the standees on a sheet of their own with layout: standees",
        )
        return job.imposed()
    laying = _FigurePages(job.layout, job.artworks, components, backs)
    sizes: dict[Size, list[CardArt]] = {}
    for card in cards:
        size = laying.piece(card).size
        sizes.setdefault(Size(round(size.width, 2), round(size.height, 2)), []).append(card)
    fillings: list[tuple[Arrangement, tuple[CardArt, ...]]] = []
    for size, group in sizes.items():
        found = _arrange(size, job.layout, job.paper, sum(card.copies for card in group))
        if found is None:
            first = group[0]
            job.too_large(
                f"'{first.card}' in '{first.component}' is {size} with both halves and the part below "
                f"them, larger than {job.area}",
                partial(_arrange, size, job.layout, count=1),
                "make the figure or the part below its feet smaller",
            )
            continue
        copies = [card for card in group for _ in range(card.copies)]
        for start in range(0, len(copies), found.capacity):
            fillings.append((found, tuple(copies[start : start + found.capacity])))
    if job.has_too_many(len(fillings)):
        fillings = []
    pages = []
    bookmarks = Bookmarks(game)
    for number, (arrangement, on_page) in enumerate(fillings, start=1):
        content = f"fold along the dashed lines · page {number}/{len(fillings)}"
        texts = [job.version, f"{sheet.printed_name} · {content}", AT_FULL_SIZE]
        titles = bookmarks.of(card.component for card in on_page)
        pages.append(laying.page(arrangement, on_page, texts, titles))
    return job.imposed(pages, sum(len(on_page) for _, on_page in fillings), "fold")


def _arrange(size: Size, layout: SheetLayout, paper: Paper, count: int) -> Arrangement | None:
    lying = count if size.landscape else 0
    return arrange_beside_marks(size.upright, paper.size, layout, lying=lying, standing=count - lying)


@dataclass(frozen=True, slots=True)
class _FigurePages:
    """The values that are the same for all pages of a sheet."""

    layout: SheetLayout
    artworks: Mapping[str, Extent]
    components: Mapping[str, Component]
    backs: bool

    def piece(self, card: CardArt) -> Piece:
        component = self.components[card.component]
        assert component.standee is not None
        return piece_of(component.standee, component.shape, self.artworks[card.face].trim.size)

    def page(
        self, arrangement: Arrangement, cards: Sequence[CardArt], texts: Sequence[str], titles: str | None
    ) -> Page:
        """Return the page with these figures, cell by cell."""
        slots: list[Slot] = []
        pieces: list[Outline] = []
        lines: tuple[Line, ...] = ()
        for index, card in enumerate(cards):
            piece, place = self.piece(card), arrangement.place(index)
            rotation: Rotation = 0 if piece.size.close_to(place.size) else 90
            to_page = Matrix(1, 0, 0, 1, place.x, place.y)
            if rotation:  # clockwise: the piece's upper edge is now on the right
                to_page = Matrix(0, 1, -1, 0, place.right, place.y)
            bleed = min(self.layout.bleed, self.artworks[card.face].bleed)
            bleed = printed_bleed(arrangement, bleed, self.layout)
            limits = room(arrangement, index, len(cards), bleed)
            # A bleed is the same on both sides, so that the halves' bleeds meet as their outlines do.
            beside = min(limits.top, limits.bottom) if rotation else min(limits.left, limits.right)
            slots += self._slots(card, piece, rotation, to_page, beside)
            for points in piece.outlines:
                there = [to_page.apply(x, y) for x, y in points]
                box = Rect.around(there)
                pieces.append(Outline(box, Polygon.of(there, box), 0.0, WEIGHT))
            lines += tuple(_map_line(line, to_page) for fold in piece.folds for line in _fold_lines(fold))
        size, layout = arrangement.page, self.layout
        block = bounds([arrangement.place(index) for index in range(len(cards))])
        lines += registration_marks(size, layout.marks, layout.registration)
        blocks = [within(block.inset(-layout.bleed), size)]
        blocks += marked_corners(size, layout.marks, layout.registration)
        furniture = furnish(size, blocks, lambda length: (), lines, texts, margin=layout.margin)
        return Page(
            size,
            "face",
            size.whole,
            size.whole,
            tuple(slots),
            lines + furniture.lines,
            () if layout.marks in ("none", *MACHINES) else tuple(pieces),
            furniture.labels,
            titles,
            pieces=tuple(pieces),
            marked=opos_squares(size) if layout.marks == "opos" else (),
        )

    def _slots(
        self, card: CardArt, piece: Piece, rotation: Rotation, to_page: Matrix, beside: float
    ) -> Iterator[Slot]:
        """Yield the face, and the back or the mirrored face, head to head. Art bleeds to the sides,
        `beside` mm: at the head the other half begins, and the area below the feet is blank."""
        face, back = piece.face, piece.back
        clip = Rect(-beside, face.y, face.width + 2 * beside, face.height)
        shape: Shape = "rectangle"
        if (corners := corners_of(self.components[card.component].shape, face)) is not None:
            shape = Polygon.of(clipped(moved_out(corners, [beside] * len(corners)), clip), clip)
        sides = [(card.face, face, clip, shape, 0, False)]
        if self.backs:
            behind = shape.mirrored(False) if isinstance(shape, Polygon) else shape
            area = Rect(clip.x, back.y, clip.width, clip.height)
            sides.append((card.back or card.face, back, area, behind, 180, card.back is None))
        for key, trim, area, form, turn, mirrored in sides:
            yield Slot(
                to_page.around(trim),
                _TURNS[(turn + rotation) % 360],
                to_page.around(area),
                key,
                card.component,
                card.card,
                form.turned(rotation) if isinstance(form, Polygon) else form,
                mirrored,
            )


_TURNS: dict[int, Rotation] = {0: 0, 90: 90, 180: 180, 270: 270}


def _fold_lines(fold: Segment) -> Iterator[Line]:
    """Yield a dashed line along a fold; beyond its ends, on the paper cut away, marks visible on any
    art."""
    (left, y), (right, _) = fold
    yield Line(left, y, right, y, WEIGHT, dashed=True)
    yield CasedLine(left - OFF_CUT - TICK, y, left - OFF_CUT, y, WEIGHT)
    yield CasedLine(right + OFF_CUT, y, right + OFF_CUT + TICK, y, WEIGHT)


def _map_line(line: Line, matrix: Matrix) -> Line:
    ends = (*matrix.apply(line.x1, line.y1), *matrix.apply(line.x2, line.y2))
    return type(line)(*ends, line.weight, line.dashed)
