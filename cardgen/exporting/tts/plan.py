"""What an export for Tabletop Simulator consists of.

    images/        atlases, and pictures of boards, mats, tokens and the table top
    books/         rulebooks as PDF
    objects/       a saved object for each component, its thumbnail beside it
    table.json     the whole table, set up; table.png its thumbnail
    workshop/      what one fills in to share it on the Steam Workshop
    merged/        a designer's own table with the game as it is now, and as it was before (`--into`)
    table-plan.png a picture of that table

Pictures and books come first, so that no save ever refers to a file that is not there.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cardgen.drawing.raster import RasterOptions, encode_png
from cardgen.exporting.encoding import Encoding, encoding_of
from cardgen.exporting.job import ExportJob, PlannedFile, Tabletop, digest_of, hashed
from cardgen.exporting.sharpness import cells_a_picture, say_how_sharp
from cardgen.exporting.spots import resting_place
from cardgen.exporting.tts.atlases import Atlas, keys_of, plan_atlases
from cardgen.exporting.tts.dice import say_what_is_missing
from cardgen.exporting.tts.figures import figure_picture
from cardgen.exporting.tts.folders import file_name, saved_objects
from cardgen.exporting.tts.measures import MM_PER_UNIT
from cardgen.exporting.tts.memos import remember
from cardgen.exporting.tts.overview import Overview
from cardgen.exporting.tts.placing import Stock, Tile, component_objects, table_objects
from cardgen.exporting.tts.publishing import published
from cardgen.exporting.tts.save_objects import Guids, Object
from cardgen.exporting.tts.saves import saved_object, whole_save
from cardgen.exporting.tts.setup import setup_button
from cardgen.exporting.tts.side_images import (
    addresses,
    blank_side,
    book_thumbnail,
    fitted,
    single_picture,
    thumbnail,
)
from cardgen.exporting.tts.tables import merged_into, numbered_save
from cardgen.exporting.tts.workshop import workshop_kit
from cardgen.findings import UsageError
from cardgen.geometry import Size
from cardgen.model.game import Component
from cardgen.units import MM_PER_INCH

TABLE_TOP = Size(88 * MM_PER_UNIT, 52 * MM_PER_UNIT)
"""The flat part of a Table_Custom in mm, as its players measured it."""


def plan(job: ExportJob) -> list[PlannedFile]:
    """The files of `--to tts`. With components named, only what they need, and no table."""
    tabletop = job.tabletop
    assert tabletop is not None
    if job.partial and job.text("into") is not None:
        raise UsageError("--into renews a whole table, not some of its components", "leave --component out")
    address = addresses(job)
    target = None
    if job.switch("install") or job.text("tts-dir") is not None:
        target = saved_objects(job.text("tts-dir"), job.game.title, job.findings)
    stock = _stock(job, tabletop)
    if job.findings.errors:
        return []
    stock = replace(stock, address=address)
    files = _pictures(stock) + list(stock.books.values())
    saves = _saved_objects(stock, target)
    if not job.partial:
        saves += _whole_table(stock, files, target)
    by_name = {file.name: file for file in files}  # a shared back is planned by each of its atlases
    return [*published(job, by_name.values()), *saves]


def _stock(job: ExportJob, tabletop: Tabletop) -> Stock:
    """All pictures and books of a job."""
    atlases: dict[str, tuple[Atlas, ...]] = {}
    tiles: dict[tuple[str, str], Tile] = {}
    encoding = encoding_of(job)
    piled = {id for item in tabletop.table.items if item.kind == "deck" for id, _ in item.parts}
    keys = keys_of(job.game.components, cells_a_picture(job))
    laid = {id for item in tabletop.table.items for id, cards in item.parts if cards}
    for component in job.drawn:
        if component.dice:
            place = job.game.locator.locate(f"data/{job.game.id}/game.yaml", ("components", component.id))
            say_what_is_missing(component, place, job.findings)
            if component.id not in laid:
                continue
        if component.kind in ("card", "aid") or component.id in piled:
            atlases[component.id] = tuple(plan_atlases(job, component, keys[component.id]))
            found = [(atlas.grid, atlas.trim, len(atlas.pieces)) for atlas in atlases[component.id]]
            say_how_sharp(job, component, found, "tts/sharpness")
            _check_backs(job, component)
        else:
            for tile in _tiles(job, component, encoding):
                tiles[component.id, tile.piece.card.id] = tile
    books = {
        id: PlannedFile(hashed(f"books/{id}", book.digest, ".pdf"), book.digest, book.write)
        for id, book in job.books.items()
    }
    return Stock(job, tabletop, str, atlases, tiles, books)


def _check_backs(job: ExportJob, component: Component) -> None:
    bare = [piece.card.id for piece in job.needed(component) if piece.back is None]
    if bare:
        what = "its cards" if len(bare) == len(component.cards) else ", ".join(bare[:3])
        place = job.game.locator.locate(f"data/{job.game.id}/game.yaml", ("components", component.id))
        message = f"without a back: {what}; a plain grey one takes its place"
        job.findings.note("tts/no-back", message, place, "name a template: back: back.svg")


def _tiles(job: ExportJob, component: Component, encoding: Encoding) -> list[Tile]:
    tiles = []
    for piece in job.needed(component):
        stem, trim = f"images/{component.id}-{piece.card.id}", piece.card.trim
        stem_of_back = f"images/{component.id}-back"
        back = None
        if component.standee is not None:
            face = figure_picture(job, stem, piece.face, trim, component.shape, encoding)
            if piece.back is not None:
                shape = component.shape_of("back")
                back = figure_picture(job, stem_of_back, piece.back, trim, shape, encoding)
        else:
            face = single_picture(job, stem, piece.face, trim, encoding)
            if piece.back is not None:
                back = single_picture(job, stem_of_back, piece.back, trim, encoding)
        tiles.append(Tile(piece, face, back))
    return tiles


def _pictures(stock: Stock) -> list[PlannedFile]:
    files = []
    for atlases in stock.atlases.values():
        files += [file for atlas in atlases for file in (atlas.face, atlas.back)]
    for tile in stock.tiles.values():
        files += [tile.face] if tile.back is None else [tile.face, tile.back]
    return files


def _saved_objects(stock: Stock, target: Path | None) -> list[PlannedFile]:
    """A saved object for each component, called as the component is."""
    job = stock.job
    files = []
    names: dict[str, str] = {}
    for component in job.game.components:
        name = file_name(component.title)
        names[component.id] = f"{name} ({component.id})" if name in names.values() else name
    for component in job.components:
        guids = Guids(job.game.id, component.id)
        objects = component_objects(stock, component, guids)
        if not objects:
            continue
        remember(job.game.id, objects, guids)
        name = names[component.id]
        files.append(_save(f"objects/{name}.json", saved_object(objects), target, f"{name}.json"))
        picture = _thumbnail_of(stock, component, f"objects/{name}.png")
        files.append(_copied(picture, target, f"{name}.png"))
    return files


def _thumbnail_of(stock: Stock, component: Component, name: str) -> PlannedFile:
    """A picture of the component's first card, or of a book's first page."""
    if component.book is not None:
        return book_thumbnail(stock.job.books[component.id], name)
    pieces = list(stock.job.pieces(component))
    trim = pieces[0].card.trim
    dpi = 512 / max(trim.width, trim.height) * MM_PER_INCH  # twice as fine as it is shown
    options = RasterOptions(dpi, "trim", component.shape, component.corner_radius)
    return thumbnail(stock.job, name, pieces[0].face, options)


def _whole_table(stock: Stock, files: list[PlannedFile], target: Path | None) -> list[PlannedFile]:
    """The save of the table, and pictures of it. Adds the table top to `files`."""
    job, tabletop = stock.job, stock.tabletop
    table = tabletop.table
    surface = blank_side("images/table-top", TABLE_TOP, encoding_of(job), table.color)
    files.append(surface)
    guids = Guids(job.game.id, "table")
    objects: list[Object] = table_objects(stock, table, guids)
    remember(job.game.id, objects, guids)
    button = setup_button(job, table, objects, guids)
    remember(job.game.id, button, guids)
    objects += button
    save = whole_save(job.game, table, objects, tabletop.setup, stock.address(surface.name))
    lying = [(item, resting_place(job.game, tabletop, item)) for item in table.items]
    overview = Overview(job, tabletop, lying)
    digest = overview.digest()
    small = PlannedFile(
        "table.png",
        digest_of(digest, "thumbnail"),
        lambda out: out.write(encode_png(fitted(overview.draw()))),
    )
    place = None
    if target is not None:
        place = numbered_save(target.parents[1], save, job.game.id, job.findings)
    into = job.text("into")
    return [
        *(merged_into(job, save, into) if into is not None else ()),
        _installed(PlannedFile.of_json("table.json", save), place),
        _installed(small, None if place is None else place.with_suffix(".png")),
        *workshop_kit(job.game, table, tabletop.setup, overview, hosted=job.text("base-url") is not None),
        PlannedFile("table-plan.png", digest, lambda out: out.write(encode_png(overview.draw(), 72))),
    ]


def _save(name: str, save: dict[str, object], target: Path | None, installed: str) -> PlannedFile:
    return _copied(PlannedFile.of_json(name, save), target, installed)


def _copied(file: PlannedFile, target: Path | None, name: str) -> PlannedFile:
    """A file that is installed as well, if anything is."""
    return _installed(file, None if target is None else target / name)


def _installed(file: PlannedFile, place: Path | None) -> PlannedFile:
    return replace(file, closing=True, also=() if place is None else (place,))
