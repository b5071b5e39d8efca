"""Sides of cards made by hand, and shorthands for drawing them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from PIL import Image

from cardgen.core.artwork import Artwork, Color, IconRun, Item, Picture, SetText, TextRun, Word
from cardgen.core.geometry import IDENTITY, Matrix, Rect, Size
from cardgen.files.listing import ProjectFolders
from cardgen.pdf.drawing import assemble, draw_sides
from cardgen.pdf.objects import DrawnArt, View, write_views
from cardgen.pdf.pixels import RasterOptions, rasterise
from cardgen.pdf.store import ArtStore
from cardgen.text.fonts import FontBook

ROOT = Path(__file__).resolve().parents[2]
SVG = 'xmlns="http://www.w3.org/2000/svg" width="40mm" height="40mm" viewBox="0 0 40 40"'
SANS, BEBAS = "IBMPlexSans-Regular", "BebasNeue-Regular"
SQUARE = Size(40, 40)
BLACK: Color = (0.0, 0.0, 0.0)
ICONS = {
    "disc": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
    '<circle cx="12" cy="12" r="12"/></svg>',
    "ring": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor">'
    '<circle cx="12" cy="12" r="8" stroke-width="8"/></svg>',
    "wide": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 5 20 10">'
    '<rect x="-10" y="5" width="5" height="10"/></svg>',
}


UNPLAIN = (
    '<marker id="m"><rect width="3" height="3"/></marker>'
    '<path d="M9 9h9L5 9Z" stroke="red" marker-end="url(#m)"/>'
)
"""What Typst draws: not a plain shape."""

REPEATING = (
    '<linearGradient id="r" x2=".25" spreadMethod="repeat"><stop stop-color="red"/>'
    '<stop offset="1" stop-color="blue"/></linearGradient><rect width="40" height="40" fill="url(#r)"/>'
)
"""What CairoSVG draws: a gradient that repeats."""


@cache
def fonts() -> FontBook:
    return FontBook(ProjectFolders((ROOT,)))


def picture(content: str, key: str | None = None, images: Iterable[tuple[str, str]] = ()) -> Picture:
    """A 40 mm square."""
    return Picture(key or content, f"<svg {SVG}>{content}</svg>", tuple(images))


def words(text: str, font: str = SANS) -> tuple[Word, ...]:
    """Words with single spaces between."""
    face = fonts().by_key(font)
    shaped = [face.word(piece) for part in text.split() for piece in (" ", part)]
    return tuple(shaped[1:])


def text(
    content: str,
    x: float = 2.0,
    y: float = 10.0,
    size: float = 3.0,
    font: str = SANS,
    fill: Color = BLACK,
    gaps: tuple[float, ...] = (),
    matrix: Matrix = IDENTITY,
    opacity: float = 1.0,
    decor: bool = False,
    icons: tuple[IconRun, ...] = (),
) -> SetText:
    run = TextRun(font, size, x, y, words(content, font), fill, gaps)
    return SetText((run, *icons), Rect(x, y - size, run.advance, size), size, matrix, opacity, decor)


def artwork(*items: Item, key: str = "side", size: Size = SQUARE, bleed: float = 0.0) -> Artwork:
    return Artwork(key, size, bleed, items)


def drawn(*artworks: Artwork, store: ArtStore | None = None) -> DrawnArt:
    store = store or ArtStore.memory()
    sides = {side.key: side for side in draw_sides(artworks, ICONS, store)}
    return assemble(sides, fonts(), store)


def pdf(art: DrawnArt, *keys: str) -> bytes:
    """A PDF of whole sides, a page each."""
    faces = [(key, art.faces[key]) for key in keys or art.faces]
    return write_views(
        art, [View(key, Rect(0, 0, face.size.width, face.size.height)) for key, face in faces]
    )


def pixels(*items: Item, dpi: float = 254.0, **options: object) -> Image.Image:
    """A side of 40 mm square as 400 × 400 pixels, ten to the mm."""
    art = drawn(artwork(*items))
    chosen = RasterOptions(dpi=dpi, area="bleed", **options)  # type: ignore[arg-type]
    return next(iter(rasterise(art, ["side"], chosen)))[1]


def at(image: Image.Image, x: float, y: float) -> tuple[int, ...]:
    """The colour at a place in mm."""
    found = image.getpixel((round(x * 10), round(y * 10)))
    assert isinstance(found, tuple)
    return found


def close(one: tuple[int, ...], other: tuple[int, ...], tolerance: int = 3) -> bool:
    return all(abs(a - b) <= tolerance for a, b in zip(one, other, strict=True))
