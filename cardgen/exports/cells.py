"""Atlases of sides, places on a table, and ZIP files."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeVar

from cardgen.core.game import Component
from cardgen.core.geometry import MM_PER_INCH, Size, to_px
from cardgen.core.records import dataclass
from cardgen.exports.job import (
    PLAIN,
    ExportJob,
    Piece,
    PlannedFile,
    digest_of,
    raster_version,
)
from cardgen.pdf.pixels import Pixels

MOST_COLUMNS, MOST_ROWS = 10, 7
MOST_CELLS = MOST_COLUMNS * MOST_ROWS
"""The largest atlas (Tabletop Simulator's knowledge base, Custom Deck); other programs accept at least
this."""

SPARED = 0.02
"""The share of an atlas's width that its cells may give up for a better shape."""

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
        """Return the top left pixel of a cell, counted from the left and from the top."""
        row, column = divmod(slot, self.columns)
        return column * self.cell[0], row * self.cell[1]


def plan_grid(count: int, trim: Size, dpi: float, texture: int) -> Grid:
    """Return the grid for so many cards: the fewest cells, then the largest cells up to `dpi`, then the
    squarest shape. Width and height stay under `texture` pixels.

    ValueError if there are more cards than an atlas can contain, or a cell would be under a pixel.
    """
    if not 1 <= count <= MOST_CELLS:
        raise ValueError(f"an atlas contains 1 to {MOST_CELLS} cells, not {count}")
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
    """Return the pixels of a side of this trim at `dpi`, shrunk to fit into width and height, or a little
    more (`SPARED`) if that is closer to the trim's shape."""
    wanted = to_px(trim.width, dpi), to_px(trim.height, dpi)
    if wanted[0] <= width and wanted[1] <= height:
        return max(1, wanted[0]), max(1, wanted[1])
    shape = trim.width / trim.height
    across = min(width, height * shape)
    columns = range(math.ceil(across * (1 - SPARED)), math.floor(across) + 1)
    cells = [(x, round(x / shape)) for x in columns] or [(int(across), int(across / shape))]
    return min(cells, key=lambda cell: (round(abs(cell[0] / max(1, cell[1]) / shape - 1), 5), -cell[0]))


def most_cells(trim: Size, dpi: float, texture: int) -> int:
    """Return the number of cells of this trim in an atlas at full `dpi`, at least one."""
    columns = min(MOST_COLUMNS, (texture - 1) // max(1, to_px(trim.width, dpi)))
    rows = min(MOST_ROWS, (texture - 1) // max(1, to_px(trim.height, dpi)))
    return max(1, columns * rows)


def spread(count: int, most: int = MOST_CELLS) -> list[int]:
    """Return the number of cards on each of as few atlases of `most` cells as possible: 72 as 36, 36."""
    atlases = math.ceil(count / most)
    return [count // atlases + (index < count % atlases) for index in range(atlases)]


def parts(
    pieces: Iterable[Piece], most: Callable[[Size], int] = lambda _: MOST_CELLS
) -> list[tuple[Size, tuple[Piece, ...]]]:
    """Return the pieces of each atlas, all with the same trim. Sizes keep their order; pieces are spread
    evenly over atlases with `most` cells."""
    sizes: dict[Size, list[Piece]] = {}
    for piece in pieces:
        sizes.setdefault(piece.card.trim, []).append(piece)
    return [
        (trim, some)
        for trim, alike in sizes.items()
        for some in _cut(alike, spread(len(alike), most(trim)))
    ]


def _cut(whole: Sequence[One], counts: Iterable[int]) -> list[tuple[One, ...]]:
    """Return a list split into parts of these lengths."""
    found = []
    start = 0
    for count in counts:
        found.append(tuple(whole[start : start + count]))
        start += count
    return found


def filled(job: ExportJob, grid: Grid, sides: Sequence[str | None]) -> Iterator[Pixels]:
    """Yield the pictures of trimmed sides, by key, in the cells of a grid, row by row. Cells without a key
    stay plain."""
    for first in range(0, grid.columns * grid.rows, grid.columns):
        row = Pixels((grid.size[0], grid.cell[1]), PLAIN)
        for slot, side in enumerate(sides[first : first + grid.columns]):
            if side is not None:
                job.sides.paint(side, row, grid.corner(slot), grid.cell)
        yield row


def atlas_file(
    job: ExportJob, name: str, sides: Sequence[str | None], grid: Grid, dpi: float = 300
) -> PlannedFile:
    """Return an atlas of sides, by key, drawn row by row when it is written."""
    encoding = job.encoding
    looks = [None if side is None else job.look(side) for side in sides]
    return PlannedFile(
        name,
        digest_of(looks, grid, encoding, dpi, raster_version()),
        lambda out: encoding.write_bands(grid.size, filled(job, grid, sides), out, dpi),
    )


SHARP_ENOUGH = 0.95
"""The share of the requested pixels that still looks sharp."""


def cells_a_picture(job: ExportJob) -> Callable[[Size], int]:
    """Return how many cards of a trim share a picture: the maximum, or with `--sharp` only as many as reach
    the requested resolution."""
    if not job.switch("sharp"):
        return lambda _: MOST_CELLS
    return partial(most_cells, dpi=job.dpi, texture=job.texture)


def say_how_sharp(
    job: ExportJob, component: Component, pictures: Sequence[tuple[Grid, Size, int]], code: str
) -> None:
    """Report, under `code`, cards below the requested pixels per inch because they share a picture.
    `pictures` are the component's: grid, trim and number of cards of each."""
    asked = job.dpi
    dpi, count = min((grid.cell[0] / trim.width * MM_PER_INCH, count) for grid, trim, count in pictures)
    if dpi >= asked * SHARP_ENOUGH:
        return
    shared = f"{count} cards share a picture" if count > 1 else "a picture is"
    message = f"'{component.id}' has only {dpi:.0f} of the {asked} dpi requested: {shared} of "
    message += f"less than {job.texture} pixels"
    place = job.game.locate("components", component.id)
    larger = "--max-texture 8192"
    job.findings.note(
        code,
        message,
        place,
        f"use more pictures with --sharp, or larger ones with {larger}" if count > 1 else larger,
    )


EPOCH = (2000, 1, 1, 0, 0, 0)
"""The date of every file in a ZIP."""
_STORED = (".png", ".jpg", ".zip")
"""Endings of compressed files."""


def zip_of(name: str, made: Callable[[str], Path], files: Sequence[PlannedFile]) -> PlannedFile:
    """Return a ZIP of files that are written first. `made` gives their paths at that point."""
    digest = digest_of("zip", EPOCH, [(file.name, file.digest) for file in files])

    def write(out: BinaryIO) -> None:
        with zipfile.ZipFile(out, "w") as archive:
            for file in files:
                add_to_zip(archive, file.name, made(file.name).read_bytes())

    return PlannedFile(name, digest, write, closing=True)


def add_to_zip(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    """Add a file under a fixed date. Compressed formats are only stored."""
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.external_attr = 0o644 << 16
    entry.compress_type = zipfile.ZIP_STORED if name.endswith(_STORED) else zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)
