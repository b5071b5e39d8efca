"""Cells of atlases: pictures of up to 10 × 7 sides without gaps, cut apart by the table that shows them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from cardgen.drawing.raster import Pixels
from cardgen.exporting.encoding import PLAIN
from cardgen.exporting.job import ExportJob, Piece
from cardgen.geometry import Size
from cardgen.units import to_px

MOST_COLUMNS, MOST_ROWS = 10, 7
MOST_CELLS = MOST_COLUMNS * MOST_ROWS
"""The largest atlas (Tabletop Simulator's knowledge base, Custom Deck); others take as many or more."""

SPARED = 0.02
"""The share of an atlas's pixels across that its cells may do without for the sake of their shape."""

One = TypeVar("One")


@dataclass(frozen=True, slots=True)
class Grid:
    """Columns and rows of cells, and a cell in pixels."""

    columns: int
    rows: int
    cell: tuple[int, int]

    @property
    def size(self) -> tuple[int, int]:
        return self.columns * self.cell[0], self.rows * self.cell[1]

    def corner(self, slot: int) -> tuple[int, int]:
        """The top left pixel of a cell, counted from the left and from the top."""
        row, column = divmod(slot, self.columns)
        return column * self.cell[0], row * self.cell[1]


def plan_grid(count: int, trim: Size, dpi: float, texture: int) -> Grid:
    """The grid for so many cards: of those with the fewest cells, the one with the largest cells, up to
    `dpi`, and of those the squarest. Width and height stay under `texture` pixels.

    ValueError for more cards than an atlas holds, or where a cell would be less than a pixel.
    """
    if not 1 <= count <= MOST_CELLS:
        raise ValueError(f"an atlas holds 1 to {MOST_CELLS} cells, not {count}")
    best: tuple[tuple[float, ...], Grid] | None = None
    for columns in range(1, MOST_COLUMNS + 1):
        rows = math.ceil(count / columns)
        if rows > MOST_ROWS:
            continue
        cell = _cell(trim, dpi, (texture - 1) // columns, (texture - 1) // rows)
        if min(cell) < 1:
            continue
        grid = Grid(columns, rows, cell)
        width, height = grid.size
        rank = (columns * rows, -cell[0] * cell[1], max(width, height) / min(width, height))
        if best is None or rank < best[0]:
            best = (rank, grid)
    if best is None:
        raise ValueError(f"a texture of {texture} pixels has no room for {count} cards")
    return best[1]


def _cell(trim: Size, dpi: float, width: int, height: int) -> tuple[int, int]:
    """The pixels of a side of this trim at `dpi`, made smaller to fit into width and height: a little more
    (`SPARED`) where that is nearer to the trim's shape."""
    wanted = to_px(trim.width, dpi), to_px(trim.height, dpi)
    if wanted[0] <= width and wanted[1] <= height:
        return max(1, wanted[0]), max(1, wanted[1])
    shape = trim.width / trim.height
    across = min(width, height * shape)
    columns = range(math.ceil(across * (1 - SPARED)), math.floor(across) + 1)
    cells = [(x, round(x / shape)) for x in columns] or [(int(across), int(across / shape))]
    return min(cells, key=lambda cell: (round(abs(cell[0] / max(1, cell[1]) / shape - 1), 5), -cell[0]))


def most_cells(trim: Size, dpi: float, texture: int) -> int:
    """How many cells of this trim an atlas holds at full `dpi`: one where even that is too many."""
    columns = min(MOST_COLUMNS, (texture - 1) // max(1, to_px(trim.width, dpi)))
    rows = min(MOST_ROWS, (texture - 1) // max(1, to_px(trim.height, dpi)))
    return max(1, columns * rows)


def spread(count: int, most: int = MOST_CELLS) -> list[int]:
    """How many cards go onto each of as few atlases of `most` cells as hold them: 72 are 36 and 36."""
    atlases = math.ceil(count / most)
    return [count // atlases + (index < count % atlases) for index in range(atlases)]


def parts(
    pieces: Iterable[Piece], most: Callable[[Size], int] = lambda _: MOST_CELLS
) -> list[tuple[Size, tuple[Piece, ...]]]:
    """Pieces atlas by atlas, each of one trim: sizes in the order in which they come, evenly spread over
    atlases with `most` cells of a trim."""
    sizes: dict[Size, list[Piece]] = {}
    for piece in pieces:
        sizes.setdefault(piece.card.trim, []).append(piece)
    return [
        (trim, some)
        for trim, alike in sizes.items()
        for some in _cut(alike, spread(len(alike), most(trim)))
    ]


def _cut(whole: Sequence[One], counts: Iterable[int]) -> list[tuple[One, ...]]:
    """A list in pieces of so many."""
    found = []
    start = 0
    for count in counts:
        found.append(tuple(whole[start : start + count]))
        start += count
    return found


def filled(job: ExportJob, grid: Grid, sides: Sequence[str | None]) -> Iterator[Pixels]:
    """Trimmed sides, by key, in the cells of a grid, row by row of it; plain where there is none."""
    for first in range(0, grid.columns * grid.rows, grid.columns):
        row = Pixels((grid.size[0], grid.cell[1]), PLAIN)
        for slot, side in enumerate(sides[first : first + grid.columns]):
            if side is not None:
                job.sides.paint(side, row, grid.corner(slot), grid.cell)
        yield row
