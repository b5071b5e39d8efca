"""Sides as a press prints them, as pixels: what is drawn, through the conversion that prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO

from PIL import Image

from cardgen.drawing.document import View, write_views
from cardgen.drawing.raster import RasterOptions, cut_to_shape, encode_png, render, shown_area
from cardgen.press.plates import in_inks

if TYPE_CHECKING:
    from cardgen.drawing.objects import DrawnArt
    from cardgen.press.making import Press


def sides_in_inks(
    press: Press, art: DrawnArt, artworks: Iterable[str], options: RasterOptions
) -> Iterator[tuple[str, Image.Image]]:
    """Each side's key with its inks (CMYK), a rectangle, in order. Raises CardgenError for what the press
    has no way to print, and for more pixels than a picture may have."""
    views = [View(key, shown_area(art.faces[key], options.area)) for key in artworks]
    dpis = [options.dpi] * len(views)
    pages = (render(document, views, dpis) for document in press.plates(write_views(art, views)))
    for view, colors, black in zip(views, *pages):
        yield view.artwork, in_inks(colors, black)


def write_soft_proof(
    press: Press, art: DrawnArt, artwork: str, out: BinaryIO, *, options: RasterOptions, paper_white: bool
) -> None:
    """Write a side as the press prints it as a PNG in sRGB; on the paper's own white, if that is asked for.
    KeyError for a side that was not drawn; raises as `sides_in_inks` does."""
    for _, inks in sides_in_inks(press, art, [artwork], options):
        image = press.inks.on_screen(inks, paper=paper_white)
        if options.shaped:
            image = cut_to_shape(image.convert("RGBA"), options, options.dpi)
        out.write(encode_png(image, options.dpi))
