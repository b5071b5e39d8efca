"""Cuts as a picture: the pieces of a page, transparent around each, for Cricut's Print then Cut.

That prints the picture and cuts around whatever is not transparent. What is printed beyond a cut is in the
picture as well, under full transparency, so that no white shows along an edge.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from io import BytesIO
from typing import Any

import pypdfium2
from PIL import Image, ImageChops

from cardgen.drawing.raster import encode_png, page_pixels
from cardgen.exporting.cuts.pdf import write_filled_pdf
from cardgen.geometry import Rect, Size
from cardgen.model.cuts import Cut
from cardgen.units import to_px

DPI = 300
LARGEST = Size(6.75 * 25.4, 9.25 * 25.4)
"""mm: how large a picture Print then Cut takes on US Letter, either way round. Cricut's own help page was
not at hand; many who make such pictures quote this. On larger paper newer machines take more."""


def cuts_as_png(page: Size, pdf: bytes, cuts: Sequence[Cut]) -> bytes:
    """The picture, at 300 an inch, no larger than the block of pieces. `pdf` shows the page with art alone,
    `cuts` are the whole outlines of its pieces. Raises CardgenError for too many pixels."""
    outlines = BytesIO()
    write_filled_pdf(page, cuts, outlines)
    size = to_px(page.width, DPI), to_px(page.height, DPI)
    art, shown = _pixels(pdf, size), _pixels(outlines.getvalue(), size).convert("L")
    art.putalpha(ImageChops.invert(shown))
    box = block_of(cuts)
    scale = size[0] / page.width
    left, top = max(0, int(box.x * scale)), max(0, int(box.y * scale))
    right, bottom = min(size[0], int(box.right * scale) + 1), min(size[1], int(box.bottom * scale) + 1)
    return encode_png(art.crop((left, top, right, bottom)), DPI)


def block_of(cuts: Sequence[Cut]) -> Rect:
    """The rectangle around cuts; there is at least one."""
    places = [place for cut in cuts for stroke in cut.strokes for place in (stroke.start, stroke.end)]
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _pixels(pdf: bytes, size: tuple[int, int]) -> Image.Image:
    document: Any
    with closing(pypdfium2.PdfDocument(pdf)) as document, closing(document[0]) as page:
        return page_pixels(page, size, False)
