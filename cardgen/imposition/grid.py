"""How many cards of one trim fit on a page, and which way paper and cards lie for it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from cardgen.geometry import Rect, Size
from cardgen.imposition.flipping import Axis
from cardgen.model.sheets import Places, SheetLayout

TOLERANCE = 1e-3
"""mm by which a block may seem too large: sizes given in inches do not add up exactly in mm."""

LEAST_FOLD_ROOM = 2.0
"""mm between a trim and the fold line where bleed and gutter ask for less, so that the fold's own
inaccuracy (half a millimetre by hand) stays off the cards."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A block of equal cells on a page, cells numbered row by row from the top left.

    `page` is the paper as it lies, `cell` a trim as it lies in the block, `block` the full grid. With
    a `fold` axis the block is the faces' half; the backs' is its mirror image. In a `honeycomb` cells are
    hexagons that share their sides, every second column lower, or every second row further right, by half
    a cell.
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
    """From one cell to the next, where paper with places says it instead of the gutter."""

    @property
    def gaps(self) -> tuple[float, float]:
        """Between cells beside and above one another."""
        if self.pitch is None:
            return self.gutter, self.gutter
        return self.pitch.width - self.cell.width, self.pitch.height - self.cell.height

    @property
    def capacity(self) -> int:
        return self.columns * self.rows

    def place(self, index: int) -> Rect:
        """The trim of cell `index`, from 0."""
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
    """Whether the hexagon in a cell has level sides; it has upright ones otherwise."""
    return cell.width >= cell.height


def honeycomb_step(cell: Size, gutter: float) -> float:
    """mm from one column of flat hexagons to the next, which lies half a hexagon lower, so that their
    slanted sides are `gutter` mm apart."""
    slanted = math.hypot(cell.width / 4, cell.height / 2)
    return 0.75 * cell.width + (2 * slanted - cell.width / 4) * gutter / cell.height


def block_size(cell: Size, columns: int, rows: int, gutter: float, honeycomb: bool = False) -> Size:
    """Size of a grid of cells with gutters between them."""
    if honeycomb and not flat(cell):
        return block_size(cell.turned, rows, columns, gutter, True).turned
    if honeycomb:
        width = cell.width + (columns - 1) * honeycomb_step(cell, gutter)
        lower = (cell.height + gutter) / 2 if columns > 1 else 0.0
        return Size(width, rows * cell.height + (rows - 1) * gutter + lower)
    return Size(columns * cell.width + (columns - 1) * gutter, rows * cell.height + (rows - 1) * gutter)


def fold_room(layout: SheetLayout) -> float:
    """mm between the fold line and the trims on both sides of it."""
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
    """The arrangement with the most cards inside the margins, or None if not one fits.

    `trim` is upright; `standing` and `lying` are how many portrait and landscape cards there are:
    among equals the arrangement that turns fewer of them wins, then a portrait page, then upright
    cells, then a fold from left to right. A fixed grid is taken as it is, or not at all. In a fold
    the grid counts the faces' half.
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
            placed = _placed(paper.upright, cell, layout.places)
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
    """The grid of these cells on this page, or None if it does not fit."""
    width, height = page.width - 2 * layout.margin, page.height - 2 * layout.margin
    room = fold_room(layout)
    if fold == "vertical":
        width = page.width / 2 - layout.margin - room
    elif fold == "horizontal":
        height = page.height / 2 - layout.margin - room
    most_columns, most_rows = _most(Size(width, height), cell, layout.gutter, honeycomb)
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
    return Arrangement(page, cell, columns, rows, layout.gutter, block, fold, honeycomb)


def _placed(page: Size, cell: Size, places: Places) -> Arrangement | None:
    """Cells in the middle of places; None if they are larger, or the places lie beside the page."""
    size, pitch, columns, rows = places.size, places.pitch, places.columns, places.rows
    if cell.width > size.width + TOLERANCE or cell.height > size.height + TOLERANCE:
        return None
    across, down = (columns - 1) * pitch.width, (rows - 1) * pitch.height
    middle = (page.width - across - size.width) / 2, (page.height - down - size.height) / 2
    left, top = places.origin or middle
    if (
        min(left, top) < 0
        or left + across + size.width > page.width
        or top + down + size.height > page.height
    ):
        return None
    x, y = left + (size.width - cell.width) / 2, top + (size.height - cell.height) / 2
    block = Rect(x, y, across + cell.width, down + cell.height)
    return Arrangement(page, cell, columns, rows, 0.0, block, pitch=pitch)


def _most(room: Size, cell: Size, gutter: float, honeycomb: bool) -> tuple[int, int]:
    """The most columns and rows that fit into `room`."""
    if honeycomb and not flat(cell):
        rows, columns = _most(room.turned, cell.turned, gutter, True)
        return columns, rows
    columns, rows = _count(room.width, cell.width, gutter), _count(room.height, cell.height, gutter)
    if not honeycomb or columns < 1:
        return columns, rows
    step = honeycomb_step(cell, gutter)
    columns = 1 + _count(room.width - cell.width - gutter, step - gutter, gutter)
    lower = _count(room.height - (cell.height + gutter) / 2, cell.height, gutter)
    return (columns, lower) if columns * lower >= rows else (1, rows)


def _count(room: float, side: float, gutter: float) -> int:
    """How many sides with gutters between them fit into `room`."""
    return max(0, int((room + gutter + TOLERANCE) / (side + gutter)))
