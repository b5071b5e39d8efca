"""Sides as pixels: pdfium reads the very objects that are printed."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import Any, Literal

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, ImageChops, ImageDraw

from cardgen.drawing.document import View, write_views
from cardgen.drawing.objects import DrawnArt, DrawnFace
from cardgen.findings import CardgenError, Finding, Severity
from cardgen.geometry import Rect
from cardgen.units import MM_PER_INCH, to_px

_PNG_RLE = 3
"""zlib's Z_RLE strategy: a quarter of the time of the default for 1 % more bytes."""
_OVERSAMPLING = 4
_MOST_OVERSAMPLED = 20_000_000
"""Pixels up to which a shape's edges are drawn so much larger; larger pictures make do with half."""

MAX_PIXELS = 60_000_000
"""Most pixels of a picture, which takes eight bytes for each while it is made: A3 at 530 an inch."""


@dataclass(frozen=True, slots=True)
class RasterOptions:
    """How sides become pixels.

    `area` is trim plus bleed or the trim alone. `shape` and `corner_radius` (mm) round the corners
    of that area; outside of it, and under see-through art if `transparent`, the picture is
    transparent, else white.
    """

    dpi: float = 300.0
    area: Literal["bleed", "trim"] = "trim"
    shape: Literal["rectangle", "ellipse"] = "rectangle"
    corner_radius: float = 0.0
    transparent: bool = False

    @property
    def shaped(self) -> bool:
        return self.shape == "ellipse" or self.corner_radius > 0


TRIMMED = RasterOptions()
"""The trim at 300 dpi, corners left square."""


def rasterise(
    art: DrawnArt, artworks: Iterable[str], options: RasterOptions = TRIMMED
) -> Iterator[tuple[str, Image.Image]]:
    """Each side's key with its picture, in order: RGBA if `transparent`, else RGB. The size in
    pixels is exact: that of the area at `dpi`, rounded to nearest."""
    views = [View(key, shown_area(art.faces[key], options.area)) for key in artworks]
    dpis = [options.dpi] * len(views)
    for view, image in zip(views, render(write_views(art, views), views, dpis, options.transparent)):
        if options.shaped:
            image = cut_to_shape(image, options, options.dpi)
        yield view.artwork, image


def shown_area(face: DrawnFace, area: Literal["bleed", "trim"]) -> Rect:
    return face.trim if area == "trim" else Rect(0, 0, face.size.width, face.size.height)


def render(
    document: bytes, views: list[View], dpis: Sequence[float], transparent: bool = False
) -> Iterator[Image.Image]:
    """The pages of a PDF as pixels, each exactly as many as its view's area covers at its `dpis`.
    Raises CardgenError for more than MAX_PIXELS."""
    with closing(pypdfium2.PdfDocument(document)) as pdf:
        for index, (view, dpi) in enumerate(zip(views, dpis, strict=True)):
            size = (max(1, to_px(view.area.width, dpi)), max(1, to_px(view.area.height, dpi)))
            with closing(pdf[index]) as page:
                yield page_pixels(page, size, transparent)


def page_pixels(page: Any, size: tuple[int, int], transparent: bool) -> Image.Image:
    """A page of pypdfium2's fitted into `size` pixels: RGBA if `transparent`, else RGB on white.

    pypdfium2's own `render` rounds sizes up (826 px for 2.75 in at 300 dpi); pdfium itself fits a
    page into any number of pixels. Raises CardgenError for more than MAX_PIXELS."""
    width, height = size
    if width * height > MAX_PIXELS:
        message = f"a picture of {width:,}×{height:,} pixels is more than {MAX_PIXELS // 10**6} million"
        hint = "ask for fewer pixels an inch (--dpi), or make the piece smaller"
        raise CardgenError(Finding(Severity.ERROR, "picture/size", message, None, hint))
    kind = pdfium.FPDFBitmap_BGRA if transparent else pdfium.FPDFBitmap_BGRx
    buffer = bytearray(width * height * 4)
    shared = (ctypes.c_ubyte * len(buffer)).from_buffer(buffer)
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, kind, shared, width * 4)
    try:
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0 if transparent else 0xFFFFFFFF)
        pdfium.FPDF_RenderPageBitmap(bitmap, page.raw, 0, 0, width, height, 0, 0)
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)
    if transparent:
        return Image.frombuffer("RGBA", size, buffer, "raw", "BGRA", 0, 1)
    return Image.frombuffer("RGB", size, buffer, "raw", "BGRX", 0, 1)


def cut_to_shape(image: Image.Image, options: RasterOptions, dpi: float) -> Image.Image:
    """The picture of a side, which has `dpi` pixels an inch, with nothing outside the finished shape."""
    mask = _shape_mask(image.size, options.shape, options.corner_radius, dpi)
    if image.mode == "RGBA":
        image.putalpha(ImageChops.multiply(image.getchannel("A"), mask))
        return image
    return Image.composite(image, Image.new("RGB", image.size, "white"), mask)


@lru_cache(maxsize=4)
def _shape_mask(
    size: tuple[int, int], shape: Literal["rectangle", "ellipse"], corner_radius: float, dpi: float
) -> Image.Image:
    """White inside the finished shape, black outside, edges smooth."""
    finer = _OVERSAMPLING if size[0] * size[1] <= _MOST_OVERSAMPLED else _OVERSAMPLING // 2
    large = Image.new("L", (size[0] * finer, size[1] * finer), 0)
    pen = ImageDraw.Draw(large)
    box = (0, 0, large.width - 1, large.height - 1)
    if shape == "ellipse":
        pen.ellipse(box, fill=255)
    else:
        radius = corner_radius / MM_PER_INCH * dpi * finer
        pen.rounded_rectangle(box, min(radius, large.width / 2, large.height / 2), fill=255)
    return large.resize(size, Image.Resampling.BOX)


def encode_png(image: Image.Image, dpi: float = 300.0) -> bytes:
    """A PNG with its resolution, the same bytes every time. Lets other threads run while it packs."""
    buffer = BytesIO()
    image.save(buffer, "PNG", compress_level=6, compress_type=_PNG_RLE, dpi=(dpi, dpi))
    return buffer.getvalue()


def encode_jpeg(image: Image.Image, quality: int = 90, dpi: float = 300.0) -> bytes:
    """A JPEG with its resolution; transparency becomes white."""
    if image.mode == "RGBA":
        white = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(white, image).convert("RGB")
    buffer = BytesIO()
    image.save(buffer, "JPEG", quality=quality, subsampling=0, dpi=(round(dpi), round(dpi)))
    return buffer.getvalue()
