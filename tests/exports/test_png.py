"""One side as a PNG."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from cardgen.core.artwork import Rendering
from cardgen.exports.png import write_png
from cardgen.files.listing import ProjectFolders
from cardgen.pdf.drawing import draw
from cardgen.pdf.pixels import TRIMMED, RasterOptions
from cardgen.pdf.store import ArtStore
from cardgen.text.fonts import FontBook
from tests.for_each import for_each

from .test_pdf import POKER, ROOT, side


@for_each(
    ("options", "size"),
    [(TRIMMED, (750, 1050)), (RasterOptions(dpi=100, area="bleed"), (275, 375))],
)
def test_size_resolution_and_picture(options: RasterOptions, size: tuple[int, int]) -> None:
    book = FontBook(ProjectFolders((ROOT,)))
    face = side("face", "Card", POKER, book)
    art = draw(Rendering((), {face.key: face}), book, ArtStore.memory())
    out, again = io.BytesIO(), io.BytesIO()
    write_png(art, face.key, out, options)
    write_png(art, face.key, again, options)
    assert out.getvalue() == again.getvalue()
    with Image.open(out) as image:
        assert image.size == size
        assert image.info["dpi"] == pytest.approx((options.dpi,) * 2, abs=0.01)
        assert image.convert("RGB").getpixel((10, 10)) == (0, 0, 224)
        assert image.convert("RGB").getpixel((size[0] - 10, size[1] - 10)) == (224, 0, 0)
