"""One side of a card as a PNG, from the very objects that are printed."""

from __future__ import annotations

from typing import BinaryIO

from cardgen.drawing.objects import DrawnArt
from cardgen.drawing.raster import RasterOptions, encode_png, rasterise


def write_png(art: DrawnArt, artwork: str, out: BinaryIO, options: RasterOptions | None = None) -> None:
    """Write the side with that `Artwork.key` to `out`, the trim at 300 dpi unless `options` say
    otherwise; the file states its resolution. KeyError for a side that was not drawn."""
    chosen = options or RasterOptions()
    for _, image in rasterise(art, [artwork], chosen):
        out.write(encode_png(image, chosen.dpi))
