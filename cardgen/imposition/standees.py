"""Figures that stand: face and back head to head in one piece, to cut out, fold at the head and glue.

A piece in mm from its own top left corner, upright, y down:

    the back's flap or tab
    the back, head down
    --- fold ---
    the face
    the face's flap or tab
    (a foot, some way below, where it is slotted)

Once folded, back and face lie on one another, so that the back's half is the mirror image of the face's in
the fold. Sheets are printed on one side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cardgen.findings import Findings
from cardgen.geometry import (
    Matrix,
    Point,
    Polygon,
    Rect,
    Shape,
    Size,
    clipped,
    corners_of,
    moved_out,
)
from cardgen.imposition.extent import too_many_pages
from cardgen.imposition.furniture import AT_FULL_SIZE, furnish
from cardgen.imposition.grid import Arrangement, arrange
from cardgen.imposition.marks import OFF_CUT, WEIGHT
from cardgen.imposition.registration import (
    MACHINES,
    arrange_between,
    bleed_between,
    marked_corners,
    opos_squares,
    registration_marks,
)
from cardgen.imposition.slots import bounds, room, within
from cardgen.model.artwork import CardArt, Extent
from cardgen.model.game import Component, Game, GameSheet
from cardgen.model.sheets import (
    CasedLine,
    ImposedSheet,
    Line,
    Outline,
    Page,
    Paper,
    Rotation,
    SheetLayout,
    Slot,
)
from cardgen.model.standees import Standee, flanks

APART = 3.0
"""mm between a slotted figure and its foot."""
TICK = 2.0
"""mm: what shows a fold beside the piece, where art hides the dashed line."""

Segment = tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class Piece:
    """A figure as it is cut out, lying flat; all of it in mm of the piece. `outlines` are cut, clockwise,
    `folds` folded, from left to right, the one at the head first."""

    size: Size
    face: Rect
    back: Rect
    outlines: tuple[tuple[Point, ...], ...]
    folds: tuple[Segment, ...]


def piece_of(standee: Standee, shape: Shape, trim: Size) -> Piece:
    """The piece of a figure. ValueError for a shape that can't be folded (see `flanks`)."""
    sides = flanks(shape, trim)
    if sides is None:
        raise ValueError("a figure needs a level edge at its head and one at its feet")
    depth, width = standee.depth, trim.width
    fold = trim.height + depth
    feet = fold + trim.height
    right, left = ([(x, y + fold) for x, y in side] for side in sides)
    slit = standee.slot if standee.foot == "slotted" else 0.0
    half = (*right, *_end(right[-1][0], left[0][0], feet + depth, depth / 2, slit), *left)
    outlines = [_straightened((*half, *_mirrored(half, fold)))]
    folds = [(left[-1], right[0])]
    if standee.foot == "flaps":
        for y in (feet, fold - trim.height):
            folds.append(((left[0][0], y), (right[-1][0], y)))
    height = 2 * fold
    if standee.foot == "slotted":
        middle = height + APART + depth
        foot = ((width, middle), *_end(width, 0.0, middle + depth, depth / 2, slit), (0.0, middle))
        outlines.append(_straightened((*foot, *_mirrored(foot, middle))))
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
    """The lower end of a half, from the right to the left, with a slit in its middle."""
    if not slit:
        return ((right, y), (left, y))
    near, far = (right + left + slit) / 2, (right + left - slit) / 2
    return ((right, y), (near, y), (near, y - deep), (far, y - deep), (far, y), (left, y))


def _mirrored(half: Sequence[Point], fold: float) -> tuple[Point, ...]:
    """The other half, without the ends that both have."""
    return tuple((x, 2 * fold - y) for x, y in half[-2:0:-1])


def _straightened(points: Sequence[Point]) -> tuple[Point, ...]:
    """A polygon without corners that lie on a straight side, and without doubled ones."""
    kept: list[Point] = []
    for index, (x, y) in enumerate(points):
        before = kept[-1] if kept else points[index - 1]
        after = points[(index + 1) % len(points)]
        turn = (x - before[0]) * (after[1] - y) - (y - before[1]) * (after[0] - x)
        if abs(turn) > 1e-6:
            kept.append((x, y))
    return tuple(kept)


def impose_standees(
    game: Game,
    sheet: GameSheet,
    layout: SheetLayout,
    paper: Paper,
    cards: Sequence[CardArt],
    artworks: Mapping[str, Extent],
    findings: Findings,
    *,
    backs: bool,
    papers: Sequence[Paper] = (),
) -> ImposedSheet:
    """Pages of figures, pieces of one size together. A figure without a back of its own shows its face
    from behind, mirrored; without `backs` the second half stays blank.

    Findings: `sheet/standees` if anything else lies on the sheet, `sheet/too-large`.
    """
    place = game.locator.locate(f"data/{game.id}/game.yaml", ("sheets", sheet.name))
    others = [name for name in sheet.components if game.component(name).standee is None]
    if others:
        findings.error(
            "sheet/standees",
            f"the sheet '{sheet.name}' holds standees, which are folded, and '{others[0]}', which is not",
            place,
            "give the standees a sheet of their own, on the layout standees",
        )
        return ImposedSheet(sheet.name, paper.name, "none", (), 0)
    laying = _Laying(layout, artworks, {name: game.component(name) for name in sheet.components}, backs)
    sizes: dict[Size, list[CardArt]] = {}
    for card in cards:
        size = laying.piece(card).size
        sizes.setdefault(Size(round(size.width, 2), round(size.height, 2)), []).append(card)
    fillings: list[tuple[Arrangement, tuple[CardArt, ...]]] = []
    for size, group in sizes.items():
        found = _arranged(size, layout, paper, sum(card.copies for card in group))
        if found is None:
            findings.error(
                "sheet/too-large",
                f"'{group[0].card}' in '{group[0].component}' is {size} with both halves and what is below "
                f"them, larger than {paper.name} ({paper.size}, less {layout.margin:g} mm on each side)",
                place,
                _larger_paper(size, layout, papers),
            )
            continue
        copies = [card for card in group for _ in range(card.copies)]
        for start in range(0, len(copies), found.capacity):
            fillings.append((found, tuple(copies[start : start + found.capacity])))
    if too_many_pages(game, sheet, len(fillings), findings):
        fillings = []
    pages = []
    started: set[str] = set()
    for number, (arrangement, on_page) in enumerate(fillings, start=1):
        new = [name for name in dict.fromkeys(card.component for card in on_page) if name not in started]
        started.update(new)
        content = f"fold along the dashed lines · page {number}/{len(fillings)}"
        texts = [f"{game.title} {game.version}", f"{sheet.printed_name} · {content}", AT_FULL_SIZE]
        titles = "\n".join(game.component(name).title for name in new) or None
        pages.append(laying.page(arrangement, on_page, texts, titles))
    count = sum(len(on_page) for _, on_page in fillings)
    return ImposedSheet(sheet.name, paper.name, "fold", tuple(pages), count)


def _arranged(size: Size, layout: SheetLayout, paper: Paper, count: int) -> Arrangement | None:
    find = arrange_between if layout.marks in MACHINES else arrange
    lying = count if size.landscape else 0
    return find(size.upright, paper.size, layout, lying=lying, standing=count - lying)


def _larger_paper(size: Size, layout: SheetLayout, papers: Sequence[Paper]) -> str:
    fitting = [paper for paper in papers if _arranged(size, layout, paper, 1)]
    if not fitting:
        return "make the figure smaller, or what is below its feet"
    least = min(fitting, key=lambda paper: (paper.size.width * paper.size.height, paper.name))
    return f"the smallest paper that holds it is {least.name} ({least.size})"


@dataclass(frozen=True, slots=True)
class _Laying:
    """What stays the same for all pages of a sheet."""

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
        """The page with these figures, cell by cell."""
        slots: list[Slot] = []
        pieces: list[Outline] = []
        lines: tuple[Line, ...] = ()
        for index, card in enumerate(cards):
            piece, place = self.piece(card), arrangement.place(index)
            rotation: Rotation = 0 if piece.size.close_to(place.size) else 90
            to_page = Matrix(1, 0, 0, 1, place.x, place.y)
            if rotation:  # clockwise: the piece's upper edge comes to lie on the right
                to_page = Matrix(0, 1, -1, 0, place.right, place.y)
            limits = room(arrangement, index, len(cards), self._bleed(arrangement, card))
            # A bleed is the same on both sides, so that the halves' bleeds meet as their outlines do.
            beside = min(limits.top, limits.bottom) if rotation else min(limits.left, limits.right)
            slots += self._slots(card, piece, rotation, to_page, beside)
            for points in piece.outlines:
                there = [to_page.apply(x, y) for x, y in points]
                box = _around(there)
                pieces.append(Outline(box, Polygon.of(there, box), 0.0, WEIGHT))
            lines += tuple(_mapped(line, to_page) for fold in piece.folds for line in _fold_lines(fold))
        size, layout = arrangement.page, self.layout
        whole = Rect(0, 0, size.width, size.height)
        block = bounds([arrangement.place(index) for index in range(len(cards))])
        blocks = [within(block.inset(-layout.bleed), size)]
        if layout.marks in MACHINES:
            lines += registration_marks(size, layout.marks)
            blocks += marked_corners(size, layout.marks)
        furniture = furnish(size, blocks, lambda length: (), lines, texts, margin=layout.margin)
        printed = () if layout.marks in ("none", *MACHINES) else tuple(pieces)
        return Page(
            *(size, "face", whole, whole, tuple(slots), lines + furniture.lines, printed),
            furniture.labels,
            titles,
            pieces=tuple(pieces),
            marked=opos_squares(size) if layout.marks == "opos" else (),
        )

    def _bleed(self, arrangement: Arrangement, card: CardArt) -> float:
        bleed = min(self.layout.bleed, self.artworks[card.face].bleed)
        if self.layout.marks not in MACHINES:
            return bleed
        return max(0.0, bleed_between(arrangement, bleed, self.layout.marks))

    def _slots(
        self, card: CardArt, piece: Piece, rotation: Rotation, to_page: Matrix, beside: float
    ) -> Iterator[Slot]:
        """The face, and the back or the mirrored face head to head with it. Art bleeds to the sides,
        `beside` mm: at the head the other half begins, and what is below the feet is blank."""
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
    """A dashed line along a fold; beyond its ends, where it is cut away, marks that show on any art."""
    (left, y), (right, _) = fold
    yield Line(left, y, right, y, WEIGHT, dashed=True)
    yield CasedLine(left - OFF_CUT - TICK, y, left - OFF_CUT, y, WEIGHT)
    yield CasedLine(right + OFF_CUT, y, right + OFF_CUT + TICK, y, WEIGHT)


def _mapped(line: Line, matrix: Matrix) -> Line:
    ends = (*matrix.apply(line.x1, line.y1), *matrix.apply(line.x2, line.y2))
    return type(line)(*ends, line.weight, line.dashed)


def _around(points: Sequence[Point]) -> Rect:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
