"""Pictures for Tabletop Simulator: sides, atlases, their addresses and measures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from PIL import Image

from cardgen.core.findings import CardgenError, Finding, Location, Severity
from cardgen.core.game import Component
from cardgen.core.geometry import MM_PER_INCH, Shape, Size, to_px
from cardgen.core.table import Spot
from cardgen.exports.cells import Grid, atlas_file, cells_a_picture, parts, plan_grid, spread
from cardgen.exports.exporters import local_address, web_address
from cardgen.exports.job import (
    PLAIN,
    PNG,
    ExportJob,
    Piece,
    PlannedFile,
    side_picture,
    skeleton,
)
from cardgen.pdf.pixels import RasterOptions

Address = Callable[[str], str]
"""From a file's name in the export to the address it is fetched from."""


def single_picture(job: ExportJob, stem: str, side: str, trim: Size) -> PlannedFile:
    """One side, trimmed, as a picture of its own."""
    drawn = side_picture(job, "", side, size=job.picture_size(trim))
    return drawn.hashed(stem, job.encoding.suffix)


def figure_picture(job: ExportJob, stem: str, side: str, trim: Size, shape: Shape) -> PlannedFile:
    """One side of a figure, trimmed. One that is no rectangle is a PNG, transparent around the figure."""
    encoding = job.encoding if shape == "rectangle" else PNG
    size = job.picture_size(trim)
    drawn = side_picture(job, "", side, size=size, shape=shape, encoding=encoding)
    return drawn.hashed(stem, encoding.suffix)


def blank_side(job: ExportJob, stem: str, trim: Size, color: str = PLAIN) -> PlannedFile:
    """Return a side that shows only a color."""
    size = max(1, to_px(trim.width, 25)), max(1, to_px(trim.height, 25))
    made_of = (size, job.encoding, color)
    drawn = PlannedFile.of_picture("", made_of, lambda: Image.new("RGB", size, color), job.encoding)
    return drawn.hashed(stem, job.encoding.suffix)


def thumbnail(job: ExportJob, component: Component, name: str) -> PlannedFile:
    """The picture beside a saved object, of the first card or page: 256 × 256, transparent around it."""
    sides, shape = job.sides_of(component), component.shape
    if component.book is not None:
        side, shape = job.books[component.id].cover, "rectangle"
    else:
        side = next(job.pieces(component)).face
    trim = sides.face(side).trim
    dpi = 512 / max(trim.width, trim.height) * MM_PER_INCH  # twice as fine as it is shown
    options = RasterOptions(dpi, "trim", shape, component.corner_radius)
    made_of = (side, sides.face(side).name, options, "thumbnail")
    return PlannedFile.of_picture(name, made_of, lambda: fitted(sides.cut_out(side, options=options)))


def fitted(image: Image.Image, side: int = 256) -> Image.Image:
    """A picture in the middle of a transparent square, no larger than it is."""
    if image.mode != "RGB":
        image = image.convert("RGBA")
    scale = min(1.0, side / max(image.size))
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    image = image.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0).convert("RGBA")
    square = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    square.paste(image, ((side - image.width) // 2, (side - image.height) // 2))
    return square


def addresses(job: ExportJob) -> Address:
    """Addresses below `--base-url`, or of the files here; a warning where these may not be found.
    Raises CardgenError where they can't be written down."""
    base = job.text("base-url")
    if base is not None:
        web = web_address(base)
        return lambda name: f"{web}/{quote(name)}"
    if any("\udc80" <= sign <= "\udcff" for sign in str(job.folder)):
        message = "this folder's name is not UTF-8, and no address can have it"
        place = Location(job.folder.as_posix())
        hint = "rename it, or export to another folder: --output DIR"
        raise CardgenError(Finding(Severity.ERROR, "tts/address", message, place, hint))
    odd = sorted({sign for sign in str(job.folder) if sign in "#?%"})
    if odd:
        job.findings.warning(
            "tts/address",
            f"this folder's name has a {' and a '.join(odd)}, and addresses with that may not be found",
            Location(job.folder.as_posix()),
            "export to another folder: --output DIR",
        )
    return lambda name: local_address(job.folder / name)


CARDS_A_KEY = 100
"""A card's id is its atlas's key times this, plus its cell."""


@dataclass(frozen=True, slots=True)
class Atlas:
    """Cards of one size on one picture. `key` tells atlases of a game apart; `face` and `back` are
    the names of files, `back` a picture of one card unless it is `unique_back`."""

    key: int
    component: Component
    trim: Size
    pieces: tuple[Piece, ...]
    grid: Grid
    face: PlannedFile
    back: PlannedFile
    unique_back: bool

    def card_id(self, card: str) -> int:
        """The id of a card on this atlas. StopIteration for another."""
        slot = next(i for i, piece in enumerate(self.pieces) if piece.card.id == card)
        return self.key * CARDS_A_KEY + slot


def keys_of(components: Sequence[Component], most: Callable[[Size], int]) -> dict[str, int]:
    """Return the key of the first atlas of each component, by id. It is the same for every part of a game,
    so that decks of several exports can be on one table.
    """
    keys: dict[str, int] = {}
    key = 1
    for component in components:
        keys[component.id] = key
        sizes = Counter(card.trim for card in component.cards)
        key += sum(len(spread(count, most(trim))) for trim, count in sizes.items())
    return keys


def plan_atlases(job: ExportJob, component: Component, key: int) -> list[Atlas]:
    """The atlases of a component, `key` and up, with the pictures that they are."""
    return [
        _atlas(job, component, number, trim, pieces)
        for number, (trim, pieces) in enumerate(parts(job.needed(component), cells_a_picture(job)), key)
    ]


def _atlas(job: ExportJob, component: Component, key: int, trim: Size, pieces: tuple[Piece, ...]) -> Atlas:
    grid = plan_grid(len(pieces), trim, job.dpi, job.texture)
    backs = [piece.back for piece in pieces]
    unique = len(set(backs)) > 1
    stem, suffix = f"images/{component.id}", job.encoding.suffix
    face = atlas_file(job, "", [piece.face for piece in pieces], grid).hashed(stem, suffix)
    if unique:
        back = atlas_file(job, "", backs, grid).hashed(f"{stem}-backs", suffix)
    elif backs[0] is None:
        back = blank_side(job, f"{stem}-plain", trim)
    else:
        back = single_picture(job, f"{stem}-back", backs[0], trim)
    return Atlas(key, component, trim, pieces, grid, face, back, unique)


MM_PER_UNIT = 25.4

CARD_WIDTH, CARD_HEIGHT = 56.0, 80.0
"""mm of a card of poker's shape at scale 1 (tts-deckconverter, measured). The width of another shape
follows its cell on the atlas (knowledge base, Custom Deck), the height stays."""
POKER = Size(63.5, 88.9)
TILE_SHORT = 2 * MM_PER_UNIT
"""mm of the shorter side of a Custom_Tile at scale 1; the longer one follows the picture (measured by
renderers of its saves, on snap points that meet printed slots)."""
PAGE_HEIGHT = 3.5 * MM_PER_UNIT
"""mm of a Custom_PDF's page at scale 1, about: what books in real saves come to."""

RESTING = 1.0
"""Height of what is locked in place, just above the table top."""
DROPPED = 1.6
"""Height from which the rest settles, onto a board where there is one."""

TILE_THICKNESS = 0.1
FIGURES: Mapping[str, Any] = skeleton("tts_figures")
CARD_SHAPES: Mapping[str, int] = FIGURES["card_shapes"]
"""`Type` of a custom deck (API, Custom Game Objects)."""
TILE_SHAPES: Mapping[str, int] = FIGURES["tile_shapes"]
"""`Type` of a custom tile (API, Custom Game Objects)."""
SEAT_TINTS: Mapping[str, Sequence[float]] = FIGURES["seat_tints"]
"""The colours of seats (API, Player Colors)."""


def units(mm: float) -> float:
    """Return units in millimeters."""
    return rounded(mm / MM_PER_UNIT)


def rounded(value: float) -> float:
    """A figure as saves write it: short, and never -0."""
    return round(value, 5) + 0.0


def card_scale(trim: Size, cell: tuple[int, int]) -> tuple[float, float]:
    """scaleX and scaleZ of a card with this trim, shown on cells of this many pixels."""
    shape = (cell[0] / cell[1]) / (POKER.width / POKER.height)
    return rounded(trim.width / (CARD_WIDTH * shape)), rounded(trim.height / CARD_HEIGHT)


def tile_scale(trim: Size) -> float:
    """The scale, across and deep, of a tile with this trim."""
    return rounded(min(trim.width, trim.height) / TILE_SHORT)


def page_scale(trim: Size) -> float:
    """The scale of a book with pages of this trim."""
    return rounded(trim.height / PAGE_HEIGHT)


NATIVE = CARD_WIDTH / POKER.width
"""The factor of all sizes and places, so that a poker card has the program's own size."""
UNSCALED = ("Figurine_Custom", "Bag", "Infinite_Bag", "Counter", "Notecard", "PlayerPawn", "BlockSquare")
"""Kinds that have the program's own size in any case, as dice have."""


def resized(objects: Iterable[dict[str, Any]], factor: float) -> None:
    """Make objects and the places where they lie larger or smaller, all of them alike."""
    for each in objects:
        place = each["Transform"]
        fixed = each["Name"] in UNSCALED or each["Name"].startswith("Die_")
        for key in ("posX", "posZ") if fixed else ("posX", "posZ", "scaleX", "scaleZ"):
            place[key] = rounded(place[key] * factor)
        resized([*each.get("ContainedObjects", ()), *each.get("States", {}).values()], factor)


def transform(
    spot: Spot,
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0),
    *,
    face_up: bool = True,
    height: float = DROPPED,
) -> dict[str, float]:
    """Return the place of a thing that is drawn to be read from the near side."""
    return {
        "posX": units(spot.x),
        "posY": height,
        "posZ": units(-spot.y),
        "rotX": 0.0,
        "rotY": rounded((180 + spot.turn) % 360),
        "rotZ": 0.0 if face_up else 180.0,
        "scaleX": scale[0],
        "scaleY": scale[1],
        "scaleZ": scale[2],
    }


def on_tile(trim: Size, x: float, y: float) -> tuple[float, float]:
    """x and z within a tile (which its scale multiplies) of a place in mm from the top left corner of its
    trim. A tile's picture lies with its top towards -z and its right towards -x."""
    half = min(trim.width, trim.height) / 2
    return rounded(-(x - trim.width / 2) / half), rounded((y - trim.height / 2) / half)


def tint(color: str) -> dict[str, float]:
    """`#1b7399` as red, green and blue from 0 to 1."""
    red, green, blue = (rounded(int(color[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return {"r": red, "g": green, "b": blue}


BASE: Mapping[str, Any] = skeleton("tts_object")
"""The fields that every object of version 13 has, in the order of its saves. A save with an object that
lacks some of them does not open at all."""
