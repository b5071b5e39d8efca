"""Plain rectangles, written without cairo, look as cairo draws them."""

from __future__ import annotations

import io

import cairosvg
from PIL import Image, ImageChops, ImageStat

from cardgen.core.artwork import Artwork, Picture, Rendering
from cardgen.core.geometry import Size
from cardgen.pdf.drawing import draw
from cardgen.pdf.objects import area_form
from cardgen.pdf.pixels import RasterOptions, rasterise
from cardgen.pdf.store import ArtStore
from tests.for_each import for_each

from .samples import fonts

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="20mm" height="30mm" viewBox="0 0 20 30">'


@for_each(
    "rect",
    [
        '<rect width="20" height="30" fill="#d9a1c8"/>',
        '<rect x="2" y="3" width="10" height="12.7" fill="#1af"/>',
        '<rect x="4" y=".6" width="5.8" height="24" fill="#000000"/>',
    ],
)
def test_looks_as_cairosvg_draws_it(rect: str) -> None:
    svg = f"{HEAD}{rect}</svg>"
    assert area_form(svg) is not None
    artwork = Artwork("a", Size(20, 30), 0.0, (Picture("p", svg),))
    drawn = draw(Rendering((), {"a": artwork}), fonts(), ArtStore.memory())
    ((_, ours),) = rasterise(drawn, ["a"], RasterOptions(254, "bleed"))
    png = cairosvg.svg2png(bytestring=svg.encode(), scale=10)
    theirs = Image.new("RGBA", (layer := Image.open(io.BytesIO(png)).convert("RGBA")).size, "white")
    theirs.alpha_composite(layer)
    small = (100, 150)
    difference = ImageChops.difference(
        ours.resize(small, Image.Resampling.BOX), theirs.convert("RGB").resize(small, Image.Resampling.BOX)
    )
    assert sum(ImageStat.Stat(difference).mean) / 3 < 2


@for_each(
    "rect",
    [
        '<rect width="20" height="30" fill="red"/>',
        '<rect width="20" height="30" fill="#1234"/>',
        '<rect width="20" height="30" rx="1" fill="#123456"/>',
        '<rect width="20" height="30" fill="#123456" opacity="0.5"/>',
        '<rect width="50%" height="30" fill="#123456"/>',
        '<rect width="-2" height="30" fill="#123456"/>',
        '<rect width="2" height="3" fill="#123456"/><rect width="2" height="3" fill="#123456"/>',
    ],
)
def test_anything_else_is_cairo_s(rect: str) -> None:
    assert area_form(f"{HEAD}{rect}</svg>") is None
