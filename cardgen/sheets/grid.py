"""Arrange the cards of one page: how many fit, where each is, and how it is turned."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, cast

from cardgen.core.artwork import CardArt, Extent
from cardgen.core.geometry import (
    IDENTITY,
    Insets,
    Matrix,
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
from cardgen.core.sheets import BackCorrection, Places, Rotation, SheetLayout, Slot
from cardgen.sheets.job import SheetJob

TOLERANCE = 1e-3
"""mm by which a block may seem too large: sizes in inches don't add up exactly in mm."""

LEAST_FOLD_ROOM = 2.0
"""Least mm between a trim and the fold line, so that the fold's own inaccuracy (half a millimeter by hand)
doesn't reach the cards."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A block of equal cells on a page, cells numbered row by row from the top left.

    `page` is the paper in its orientation, `cell` a trim in its orientation, `block` the full grid. With a
    `fold` axis the block is the faces' half; the backs' is its mirror image. In a `honeycomb` cells are
    hexagons that share their sides, every second column lower, or every second row further right, by half a
    cell.
    """

    page: Size
    cell: Size
    columns: int
    rows: int
    gutter: float
    block: Rect
    fold: Axis | None = None
    honeycomb: bool = False
    pitch: Size | None = None
    """The distance from one cell to the next, if it isn't the gutter's in both directions."""
    spots: tuple[Rect, ...] = ()
    """The cells themselves, if they are of several sizes, by `blocks` of equal ones, whose lengths these
    are."""
    blocks: tuple[int, ...] = ()

    @property
    def gaps(self) -> tuple[float, float]:
        """The distances between cells side by side and above one another."""
        if self.pitch is None:
            return self.gutter, self.gutter
        return self.pitch.width - self.cell.width, self.pitch.height - self.cell.height

    @property
    def capacity(self) -> int:
        return self.columns * self.rows

    def place(self, index: int) -> Rect:
        """Return the trim of cell `index`, from 0."""
        if self.spots:
            return self.spots[index]
        row, column = divmod(index, self.columns)
        beside, above = self.gaps
        across, down = self.cell.width + beside, self.cell.height + above
        x, y = column * across, row * down
        if self.honeycomb and flat(self.cell):
            x, y = column * honeycomb_step(self.cell, self.gutter), y + column % 2 * down / 2
        elif self.honeycomb:
            x, y = x + row % 2 * across / 2, row * honeycomb_step(self.cell.turned, self.gutter)
        return Rect(
            self.block.x + x,
            self.block.y + y,
            self.cell.width,
            self.cell.height,
        )


def flat(cell: Size) -> bool:
    """Return True if a cell's hexagon has level sides, False if upright ones."""
    return cell.width >= cell.height


def honeycomb_step(cell: Size, gutter: float) -> float:
    """Return mm from one column of flat hexagons to the next, which is half a hexagon lower, so that their
    slanted sides are `gutter` mm apart."""
    slanted = math.hypot(cell.width / 4, cell.height / 2)
    return 0.75 * cell.width + (2 * slanted - cell.width / 4) * gutter / cell.height


def block_size(cell: Size, columns: int, rows: int, gutter: float, honeycomb: bool = False) -> Size:
    """Return the size of a grid of cells with gutters between them."""
    if honeycomb and not flat(cell):
        return block_size(cell.turned, rows, columns, gutter, True).turned
    if honeycomb:
        width = cell.width + (columns - 1) * honeycomb_step(cell, gutter)
        lower = (cell.height + gutter) / 2 if columns > 1 else 0.0
        return Size(width, rows * cell.height + (rows - 1) * gutter + lower)
    return Size(columns * cell.width + (columns - 1) * gutter, rows * cell.height + (rows - 1) * gutter)


def fold_room(layout: SheetLayout) -> float:
    """Return mm between the fold line and the trims on both sides of it."""
    return max(layout.bleed, layout.gutter / 2, LEAST_FOLD_ROOM)


def arrange(
    trim: Size,
    paper: Size,
    layout: SheetLayout,
    *,
    lying: int = 0,
    standing: int = 0,
    fold: bool = False,
    honeycomb: bool = False,
) -> Arrangement | None:
    """Return the arrangement with the most cards inside the margins, or None if not one fits.

    `trim` is upright; `standing` and `lying` are the numbers of portrait and landscape cards: among equals
    the arrangement that turns fewer of them wins, then a portrait page, then upright cells, then a fold
    from left to right. A fixed grid is used unchanged, or not at all. In a fold the grid counts the faces'
    half.
    """
    best: Arrangement | None = None
    best_score = (0, 0)
    for candidate in _candidates(trim, paper, layout, fold, honeycomb):
        square = abs(trim.width - trim.height) <= TOLERANCE
        turned = 0 if square else standing if candidate.cell.landscape else lying
        score = (candidate.capacity, -turned)
        if best is None or score > best_score:
            best, best_score = candidate, score
    return best


def _candidates(
    trim: Size, paper: Size, layout: SheetLayout, fold: bool, honeycomb: bool
) -> Iterator[Arrangement]:
    if layout.places is not None:
        for cell in () if fold else (trim, trim.turned):
            placed = _in_places(layout.places.page(paper), cell, layout.places)
            if placed is not None:
                yield placed
        return
    axes: tuple[Axis | None, ...] = ("horizontal", "vertical") if fold else (None,)
    for page in (paper.upright, paper.upright.turned):
        for cell in (trim, trim.turned):
            for axis in axes:
                candidate = _fill(page, cell, layout, axis, honeycomb)
                if candidate is not None:
                    yield candidate


def _fill(
    page: Size, cell: Size, layout: SheetLayout, fold: Axis | None, honeycomb: bool
) -> Arrangement | None:
    """Return the grid of these cells on this page, or None if it doesn't fit."""
    width, height = page.width - 2 * layout.margin, page.height - 2 * layout.margin
    room = fold_room(layout)
    if fold == "vertical":
        width = page.width / 2 - layout.margin - room
    elif fold == "horizontal":
        height = page.height / 2 - layout.margin - room
    most_columns, most_rows = _capacity(Size(width, height), cell, layout.gutter, honeycomb)
    if isinstance(layout.grid, tuple):
        columns, rows = layout.grid
        if columns > most_columns or rows > most_rows:
            return None
    else:
        columns, rows = most_columns, most_rows
        if columns < 1 or rows < 1:
            return None
    size = block_size(cell, columns, rows, layout.gutter, honeycomb)
    x, y = (page.width - size.width) / 2, (page.height - size.height) / 2
    if fold == "vertical":
        x = page.width / 2 - room - size.width
    elif fold == "horizontal":
        y = page.height / 2 - room - size.height
    block = Rect(x, y, size.width, size.height)
    found = Arrangement(page, cell, columns, rows, layout.gutter, block, fold, honeycomb)
    return _widened(found, Size(width, height), layout) if layout.widen and not honeycomb else found


LEAST_GUTTER = 1.0
"""mm: a narrower strip of waste can't be cut off, so cards share the cut instead."""

MARK_ROOM = 1.0
"""mm: the least room for a crop mark between the bleed and the margin."""


def _widened(found: Arrangement, room: Size, layout: SheetLayout) -> Arrangement:
    """Return a grid with gutters as wide as the room allows, up to two bleeds; a fold stays where it is.
    If that leaves a gutter, crop marks have room outside the bleed; else they are in the gutters across."""
    bleed, block = max(layout.bleed, layout.of_backs), found.block
    rooms = (bleed + MARK_ROOM, 0.0) if layout.marks == "crop" else (0.0,)

    def gutter(whole: float, side: float, count: int, sides: int) -> float:
        if count == 1:
            return 0.0
        gaps = (min(2 * bleed, (whole - sides * marks - side) / (count - 1)) for marks in rooms)
        return next((gap for gap in gaps if gap >= LEAST_GUTTER), 0.0)

    across = gutter(room.width, block.width, found.columns, 1 if found.fold == "vertical" else 2)
    down = gutter(room.height, block.height, found.rows, 1 if found.fold == "horizontal" else 2)
    wider, higher = across * (found.columns - 1), down * (found.rows - 1)
    return replace(
        found,
        block=Rect(
            block.x - (wider if found.fold == "vertical" else wider / 2),
            block.y - (higher if found.fold == "horizontal" else higher / 2),
            block.width + wider,
            block.height + higher,
        ),
        pitch=Size(found.cell.width + across, found.cell.height + down),
    )


def _in_places(page: Size, cell: Size, places: Places) -> Arrangement | None:
    """Return cells at the centers of places; None if they are larger."""
    area, size = places.area(page), places.size
    if cell.width > size.width + TOLERANCE or cell.height > size.height + TOLERANCE:
        return None
    beside, above = (size.width - cell.width) / 2, (size.height - cell.height) / 2
    block = area.inset(Insets(above, beside, above, beside))
    return Arrangement(page, cell, places.columns, places.rows, 0.0, block, pitch=places.pitch)


def _capacity(room: Size, cell: Size, gutter: float, honeycomb: bool) -> tuple[int, int]:
    """Return the most columns and rows that fit into `room`."""
    if honeycomb and not flat(cell):
        rows, columns = _capacity(room.turned, cell.turned, gutter, True)
        return columns, rows
    columns, rows = _count(room.width, cell.width, gutter), _count(room.height, cell.height, gutter)
    if not honeycomb or columns < 1:
        return columns, rows
    step = honeycomb_step(cell, gutter)
    columns = 1 + _count(room.width - cell.width - gutter, step - gutter, gutter)
    lower = _count(room.height - (cell.height + gutter) / 2, cell.height, gutter)
    return (columns, lower) if columns * lower >= rows else (1, rows)


def _count(room: float, side: float, gutter: float) -> int:
    """Return how many sides with gutters between them fit into `room`."""
    return max(0, int((room + gutter + TOLERANCE) / (side + gutter)))


Shapes = Mapping[str, tuple[Shape, float]]
"""The shape and the corner radius in mm of each component."""


@dataclass(frozen=True, slots=True)
class Filling:
    """The copies on one page: `cards[i]` is in cell i of `arrangement`."""

    arrangement: Arrangement
    cards: tuple[CardArt, ...]


def face_slots(
    page: Filling, artworks: Mapping[str, Extent], bleed: float, shapes: Shapes
) -> tuple[Slot, ...]:
    """Return a slot a card, in cell order. `bleed` is the sheet's."""
    return tuple(
        _slot(page, index, card, card.face, artworks, bleed, shapes[card.component][0])
        for index, card in enumerate(page.cards)
    )


def back_slots(
    page: Filling, artworks: Mapping[str, Extent], bleed: float, axis: Axis, shapes: Shapes
) -> tuple[Slot, ...]:
    """Return the slots of the cards that have a back, in the order of their faces.

    Each is behind its face after the paper is turned about `axis`.
    """
    slots = []
    for index, card in enumerate(page.cards):
        if card.back is None:
            continue
        slot = _slot(page, index, card, card.back, artworks, bleed, shapes[card.component][0])
        size = page.arrangement.page
        slots.append(
            replace(
                slot,
                trim=behind(slot.trim, size, axis),
                rotation=back_rotation(slot.rotation, axis),
                clip=behind(slot.clip, size, axis),
                shape=mirrored(slot.shape, axis == "vertical"),
            )
        )
    return tuple(slots)


def _slot(
    page: Filling,
    index: int,
    card: CardArt,
    key: str,
    artworks: Mapping[str, Extent],
    bleed: float,
    shape: Shape,
) -> Slot:
    artwork = artworks[key]
    size, bleed, count = artwork.trim.size, min(bleed, artwork.bleed), len(page.cards)
    arrangement = page.arrangement
    trim, clip = _areas(arrangement, index, count, bleed)
    rotation: Rotation = 0 if size.close_to(trim.size) else 90
    if (corners := corners_of(turned(shape, rotation), trim)) is not None:
        away = [bleed] * len(corners)
        if arrangement.honeycomb:
            away = _room_around(arrangement, index, count, bleed)
        shape = Polygon.of(clipped(moved_out(corners, away), clip), clip)
    return Slot(trim, rotation, clip, key, card.component, card.card, shape)


@lru_cache(maxsize=4096)
def _areas(arrangement: Arrangement, index: int, count: int, bleed: float) -> tuple[Rect, Rect]:
    """Return the trim and the clip of a cell, the same objects for all pages."""
    trim = arrangement.place(index)
    limits = Insets.all(bleed) if arrangement.honeycomb else room(arrangement, index, count, bleed)
    outer = Insets(-limits.top, -limits.right, -limits.bottom, -limits.left)
    return trim, within(trim.inset(outer), arrangement.page)


def turned(shape: Shape, rotation: Rotation) -> Shape:
    """Return a piece's shape in its cell, turned clockwise. A hexagon follows its cell."""
    return shape.turned(rotation) if isinstance(shape, Polygon) else shape


def mirrored(shape: Shape, upright: bool) -> Shape:
    """Return a shape from behind, mirrored left to right or top to bottom."""
    return shape.mirrored(upright) if isinstance(shape, Polygon) else shape


def _room_around(arrangement: Arrangement, index: int, count: int, bleed: float) -> list[float]:
    """Return how far hexagon `index` of a honeycomb may bleed over each of its sides: half the gutter
    towards a neighbor, otherwise the whole bleed."""
    cell, gutter = arrangement.place(index), arrangement.gutter
    corners = corners_of("hexagon", cell)
    assert corners is not None
    middles = [
        (place.x + place.width / 2, place.y + place.height / 2)
        for place in (arrangement.place(other) for other in range(count) if other != index)
    ]
    room = []
    for (x, y), (to_x, to_y) in edges_of(corners):
        length = math.hypot(to_x - x, to_y - y)
        # The middle of a hexagon on the other side: this one's, mirrored in the middle of the side, and a
        # gutter further out.
        beyond_x = x + to_x - cell.x - cell.width / 2 + gutter * (to_y - y) / length
        beyond_y = y + to_y - cell.y - cell.height / 2 - gutter * (to_x - x) / length
        near = any(math.hypot(beyond_x - mx, beyond_y - my) < 0.1 + gutter for mx, my in middles)
        room.append(min(bleed, gutter / 2) if near else bleed)
    return room


def room(arrangement: Arrangement, index: int, count: int, bleed: float) -> Insets:
    """Return how far cell `index` may bleed if the first `count` cells contain cards: half the gutter
    towards a neighbor, otherwise the whole bleed.

    Cells fill row by row. A cell without a neighbor on two adjoining sides has none across that
    corner either, so its clip, a rectangle, never reaches into another cell's trim. A card with a
    blank back still counts as a neighbor.
    """
    if arrangement.spots:
        return rooms_between(arrangement.spots[:count], index, bleed)
    row, column = divmod(index, arrangement.columns)
    beside, above = (min(bleed, gap / 2) for gap in arrangement.gaps)
    right = column + 1 < arrangement.columns and index + 1 < count
    below = index + arrangement.columns < count
    return Insets(
        above if row else bleed,
        beside if right else bleed,
        above if below else bleed,
        beside if column else bleed,
    )


def rooms_between(trims: Sequence[Rect], index: int, bleed: float) -> Insets:
    """Return how far one of these trims may bleed: half the distance towards a neighbor, otherwise the
    whole bleed."""
    trim = trims[index]
    limits = {"top": bleed, "right": bleed, "bottom": bleed, "left": bleed}
    for number, other in enumerate(trims):
        if number == index:
            continue
        beside = max(other.x - trim.right, trim.x - other.right)
        above = max(other.y - trim.bottom, trim.y - other.bottom)
        apart = max(beside, above)
        if apart >= 2 * bleed:
            continue
        if beside >= above:
            side = "right" if other.x >= trim.x else "left"
        else:
            side = "bottom" if other.y >= trim.y else "top"
        limits[side] = min(limits[side], max(0.0, apart / 2))
    return Insets(limits["top"], limits["right"], limits["bottom"], limits["left"])


def within(rect: Rect, page: Size) -> Rect:
    """Return the part of `rect` on the page."""
    left, top = max(0.0, rect.x), max(0.0, rect.y)
    right, bottom = min(page.width, rect.right), min(page.height, rect.bottom)
    return Rect(left, top, right - left, bottom - top)


def bounds(rects: Sequence[Rect]) -> Rect:
    """Return the smallest rectangle around all of them; there is at least one."""
    return Rect.around(corner for rect in rects for corner in ((rect.x, rect.y), (rect.right, rect.bottom)))


Axis = Literal["vertical", "horizontal"]


def flip_axis(page: Size, edge: Literal["long-edge", "short-edge"]) -> Axis:
    """Return the axis about which the printer turns a page that it flips on its long or short edge.

    A square page counts as portrait."""
    return "vertical" if (edge == "long-edge") != page.landscape else "horizontal"


def behind(rect: Rect, page: Size, axis: Axis) -> Rect:
    """Return the place on the back of a page behind `rect` of its face (or the other way round)."""
    if axis == "vertical":
        return Rect(page.width - rect.right, rect.y, rect.width, rect.height)
    return Rect(rect.x, page.height - rect.bottom, rect.width, rect.height)


def back_rotation(face: Rotation, axis: Axis) -> Rotation:
    """Return the rotation of a back whose face is turned by `face`."""
    return cast(Rotation, (-face if axis == "vertical" else 180 - face) % 360)


def from_behind(correction: BackCorrection, axis: Axis) -> BackCorrection:
    """Return a correction as seen on the back page, given as seen from the face."""
    correction = replace(correction, rotation=-correction.rotation)
    if axis == "vertical":
        return replace(correction, dx=-correction.dx)
    return replace(correction, dy=-correction.dy)


def adjusted(job: SheetJob, page: Size, axis: Axis) -> Matrix:
    """Return a printer's correction for a page of backs, turned about `axis`. Finding, once a sheet:
    `printer/unmeasured`."""
    printer = job.printer
    if printer is None:
        return IDENTITY
    correction = printer.landscape if page.landscape else printer.portrait
    if correction is not None:
        return from_behind(correction, axis).matrix(page)
    kind = "landscape" if page.landscape else "portrait"
    message = (
        f"the printer profile '{printer.name}' has no measurements for {kind} pages, "
        f"so the backs of '{job.sheet.name}' are not shifted"
    )
    if not any(known.message == message for known in job.findings):
        turned = " --landscape" if page.landscape else ""
        command = f"cardgen calibrate --paper {job.paper.name}{turned}"
        hint = f"print and measure the {kind} test page: {command}"
        job.findings.warning("printer/unmeasured", message, None, hint)
    return IDENTITY
