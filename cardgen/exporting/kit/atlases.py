"""A component's cards as pictures of their own and as cells of atlases, gapless and in reading order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

from cardgen.drawing.raster import RasterOptions
from cardgen.exporting.cells import Grid, filled, parts, plan_grid
from cardgen.exporting.encoding import encoding_of, picture_size
from cardgen.exporting.job import ExportJob, Piece, PlannedFile, digest_of
from cardgen.exporting.pixels import raster_version
from cardgen.exporting.sharpness import cells_a_picture, say_how_sharp
from cardgen.exporting.side_names import numbered, one_back
from cardgen.geometry import Size
from cardgen.model.game import Component


@dataclass(frozen=True, slots=True)
class Pictured:
    """A card with the names of its files; `back` is None where it has none, and the name of the
    component's one back where all cards share it."""

    piece: Piece
    face: str
    back: str | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """An atlas: cards of one size. `title` is the component's, with a number where it has several. `backs`
    is an atlas with the same cells where backs differ, the one back where they don't, None where there are
    none; `own_backs` says which."""

    component: Component
    title: str
    trim: Size
    cards: tuple[Pictured, ...]
    grid: Grid
    faces: str
    backs: str | None
    own_backs: bool


def pictures(job: ExportJob, component: Component) -> tuple[list[Pictured], list[PlannedFile]]:
    """The sides of a component one by one, all of a size in equally many pixels; round pieces are
    transparent around."""
    suffix = encoding_of(job).suffix
    pieces = list(job.needed(component))
    shared = one_back(pieces)
    cards: list[Pictured] = []
    files: dict[str, PlannedFile] = {}
    for piece in pieces:
        stem = f"{component.id}/{numbered(piece, len(component.cards))}"
        face, back = f"faces/{stem}{suffix}", None
        files[face] = _alone(job, component, face, piece.face, piece.card.trim)
        if piece.back is not None:
            back = f"backs/{component.id if shared else stem}{suffix}"
            if back not in files:
                files[back] = _alone(job, component, back, piece.back, piece.card.trim)
        cards.append(Pictured(piece, face, back))
    return cards, list(files.values())


def sheets(
    job: ExportJob, component: Component, cards: Sequence[Pictured]
) -> tuple[list[Sheet], list[PlannedFile]]:
    """The atlases of a component."""
    suffix = encoding_of(job).suffix
    dpi, texture = job.whole_number("dpi"), job.whole_number("max-texture")
    by_id = {card.piece.card.id: card for card in cards}
    split = parts((card.piece for card in cards), cells_a_picture(job))
    found, files = [], []
    for number, (trim, pieces) in enumerate(split, 1):
        several = len(split) > 1
        stem = f"atlases/{component.id}-{number}" if several else f"atlases/{component.id}"
        title = f"{component.title} {number}" if several else component.title
        grid = plan_grid(len(pieces), trim, dpi, texture)
        faces = f"{stem}-faces{suffix}"
        files.append(_atlas(job, faces, [piece.face for piece in pieces], grid))
        some = tuple(by_id[piece.card.id] for piece in pieces)
        backs = {card.back for card in some}
        name = backs.pop() if len(backs) == 1 else f"{stem}-backs{suffix}"
        own = name is not None and name.startswith("atlases/")
        if own and name is not None:
            files.append(_atlas(job, name, [piece.back for piece in pieces], grid))
        found.append(Sheet(component, title, trim, some, grid, faces, name, own))
    if found:
        pictures = [(sheet.grid, sheet.trim, len(sheet.cards)) for sheet in found]
        say_how_sharp(job, component, pictures, "kit/sharpness")
    return found, files


def _alone(job: ExportJob, component: Component, name: str, side: str, trim: Size) -> PlannedFile:
    """One side as a picture of its own."""
    encoding, dpi = encoding_of(job), job.whole_number("dpi")
    size = picture_size(trim, dpi, job.whole_number("max-texture"))
    round = component.shape != "rectangle" and encoding.transparent
    options = RasterOptions(dpi, "trim", component.shape)
    digest = digest_of("kit", job.look(side), size, round, encoding, raster_version())

    def write(out: BinaryIO) -> None:
        image = job.sides.cut_out(side, size, options) if round else job.sides.image(side, size)
        encoding.write(image, out, dpi)

    return PlannedFile(name, digest, write)


def _atlas(job: ExportJob, name: str, sides: Sequence[str | None], grid: Grid) -> PlannedFile:
    encoding, dpi = encoding_of(job), job.whole_number("dpi")
    looks = [None if side is None else job.look(side) for side in sides]
    digest = digest_of("kit", looks, grid, dpi, encoding, raster_version())
    return PlannedFile(
        name, digest, lambda out: encoding.write_bands(grid.size, filled(job, grid, sides), out, dpi)
    )
