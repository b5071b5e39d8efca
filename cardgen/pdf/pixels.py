"""Sides as pixels: pdfium reads the very objects that are printed."""

from __future__ import annotations

import ctypes
import math
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import lru_cache
from io import BytesIO
from typing import Any, BinaryIO, Literal, TypeAlias

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, ImageChops, ImageColor, ImageDraw

from cardgen.core.findings import CardgenError, Finding, Severity
from cardgen.core.geometry import MM_PER_INCH, PT_PER_MM, Rect, Shape, corners_of, to_px
from cardgen.core.records import dataclass
from cardgen.pdf.objects import DrawnArt, DrawnFace, View, write_views

_OVERSAMPLING = 4
_MOST_OVERSAMPLED = 20_000_000
"""Pixels up to which a shape's edges are drawn so much larger; larger pictures make do with half."""

_BAND = 64
"""Rows of a picture that are packed at a time."""

MAX_PIXELS = 60_000_000
"""Most pixels of a picture, which takes eight bytes for each while it is made: A3 at 530 an inch."""


@dataclass(frozen=True, slots=True)
class RasterOptions:
    """The options for drawing sides as pixels.

    `area` is trim plus bleed or the trim alone. `shape` and `corner_radius` (mm) round the corners
    of that area; outside of it, and under transparent art if `transparent`, the picture is
    transparent, else white.
    """

    dpi: float = 300.0
    area: Literal["bleed", "trim"] = "trim"
    shape: Shape = "rectangle"
    corner_radius: float = 0.0
    transparent: bool = False

    @property
    def shaped(self) -> bool:
        return self.shape != "rectangle" or self.corner_radius > 0


TRIMMED = RasterOptions()
"""The trim at 300 dpi, corners left square."""


def rasterise(
    art: DrawnArt, artworks: Iterable[str], options: RasterOptions = TRIMMED
) -> Iterator[tuple[str, Image.Image]]:
    """Yield each side's key with its picture, in order: RGBA if `transparent`, else RGB. The size in
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
    """Return the pages of a PDF as pixels, each exactly as many as its view's area covers at its `dpis`.
    Raises CardgenError for more than MAX_PIXELS."""
    return _rendered(document, views, dpis, lambda page, size: page_pixels(page, size, transparent))


def render_one_by_one(
    document: bytes, views: list[View], dpis: Sequence[float], easel: Easel
) -> Iterator[Image.Image]:
    """Return the same on white, as RGBX: each picture is there until the next is asked for."""
    return _rendered(document, views, dpis, easel.paint)


def _rendered(
    document: bytes,
    views: list[View],
    dpis: Sequence[float],
    pixels: Callable[[Any, tuple[int, int]], Image.Image],
) -> Iterator[Image.Image]:
    with closing(pypdfium2.PdfDocument(document)) as pdf:
        for index, (view, dpi) in enumerate(zip(views, dpis, strict=True)):
            size = (max(1, to_px(view.area.width, dpi)), max(1, to_px(view.area.height, dpi)))
            with closing(pdf[index]) as page:
                yield pixels(page, size)


ORDER = struct.Struct(">Q5d")
"""An order for a picture: the bytes of the PDF that follows, the area of its page in mm, and the dpi."""
ANSWER = struct.Struct(">Q")
"""The bytes of the PNG that follows; 0 if there is none."""
_REST_S = 120
"""Seconds after which a process without orders ends, to free its memory."""


def paint_orders(seconds: int, memory: int) -> None:
    """Answer orders for pictures on the standard streams until there are no more, each within so many
    seconds of processor time, within so many bytes of address space."""
    import resource
    import signal
    import sys
    import time

    def limit(kind: int, most: int) -> None:
        hard = resource.getrlimit(kind)[1]
        with suppress(OSError, ValueError):
            resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, whose end ends this process
    limit(resource.RLIMIT_AS, memory)
    limit(resource.RLIMIT_CORE, 0)
    orders, answers = sys.stdin.buffer, sys.stdout.buffer
    while len(head := orders.read(ORDER.size)) == ORDER.size:
        size, x, y, width, height, dpi = ORDER.unpack(head)
        limit(resource.RLIMIT_CPU, math.ceil(time.process_time()) + seconds)
        signal.alarm(_REST_S)
        try:
            [image] = render(orders.read(size), [View("", Rect(x, y, width, height))], [dpi])
            made = encode_png(image, dpi)
        except CardgenError:
            made = b""
        answers.write(ANSWER.pack(len(made)) + made)
        answers.flush()


def dpi_within(area: Rect, dpi: float, pixels: int) -> float:
    """Return the pixels an inch at which an area has at most so many pixels, at most `dpi`."""
    return min(dpi, math.sqrt(pixels / (area.width * area.height)) * MM_PER_INCH)


def boxes_of_forms(document: bytes, count: int) -> list[Rect]:
    """Return the boxes of what is painted by the `count` forms of which the only page of a PDF is made, in
    mm from its top left corner, within the page."""
    with closing(pypdfium2.PdfDocument(document)) as pdf, closing(pdf[0]) as page:
        width, height = page.get_size()
        side = pdfium.FPDFPage_GetObject(page.raw, 0)
        whole = pdfium.FPDFFormObj_CountObjects(side) != count  # one can't be told from another
        boxes = []
        for index in range(count):
            edges = [ctypes.c_float(edge) for edge in (0.0, 0.0, width, height)]
            if not whole:
                pdfium.FPDFPageObj_GetBounds(pdfium.FPDFFormObj_GetObject(side, index), *edges)
            left, bottom, right, top = (edge.value for edge in edges)
            left, right = max(0.0, left), max(min(width, right), left)
            bottom, top = max(0.0, bottom), min(height, top)
            box = (left, height - top, max(0.0, right - left), max(0.0, top - bottom))
            boxes.append(Rect(*(edge / PT_PER_MM for edge in box)))
        return boxes


def page_pixels(page: Any, size: tuple[int, int], transparent: bool) -> Image.Image:
    """Return a page of pypdfium2's fitted into `size` pixels: RGBA if `transparent`, else RGB on white.

    pypdfium2's own `render` rounds sizes up (826 px for 2.75 in at 300 dpi); pdfium itself fits a
    page into any number of pixels. Raises CardgenError for more than MAX_PIXELS."""
    _bounded(size)
    width, height = size
    if transparent:
        buffer = bytearray(width * height * 4)
        _paint(page, buffer, pdfium.FPDFBitmap_BGRA, 4 * width, 0, size)
        return Image.frombuffer("RGBA", size, buffer, "raw", "BGRA", 0, 1)
    pixels = Pixels(size)
    pixels.paint(page, (0, 0), size)
    return pixels.image()


def _bounded(size: tuple[int, int]) -> None:
    """Raise CardgenError for more than MAX_PIXELS."""
    width, height = size
    if width * height > MAX_PIXELS:
        message = f"a picture of {width:,}×{height:,} pixels is more than {MAX_PIXELS // 10**6} million"
        hint = "use a lower --dpi, or make the piece smaller"
        raise CardgenError(Finding(Severity.ERROR, "picture/size", message, None, hint))


class Easel:
    """A canvas reused for one page after the other: allocating memory again costs as much as painting."""

    def __init__(self) -> None:
        self._data = bytearray()

    def paint(self, page: Any, size: tuple[int, int]) -> Image.Image:
        """Return a page of pypdfium2's on white, fitted into `size` pixels: RGBX, there until the next
        is painted. Raises CardgenError for more than MAX_PIXELS."""
        _bounded(size)
        length = 4 * size[0] * size[1]
        if len(self._data) < length:
            self._data = bytearray(length)
        _paint(page, self._data, pdfium.FPDFBitmap_BGRx, 4 * size[0], 0, size)
        return Image.frombuffer("RGBX", size, self._data, "raw", "RGBX", 0, 1)


class Pixels:
    """`size` pixels of one color that pages of pypdfium2's are painted onto: `data` has three bytes for
    each, red, green and blue, row by row from the top."""

    def __init__(self, size: tuple[int, int], color: str = "white") -> None:
        self.size = size
        self.data = bytearray(bytes(ImageColor.getrgb(color)[:3]) * (size[0] * size[1]))

    def paint(self, page: Any, corner: tuple[int, int], size: tuple[int, int]) -> None:
        """Fit a page, on white, into a rectangle of these pixels."""
        (x, y), pitch = corner, 3 * self.size[0]
        if not (0 <= x <= x + size[0] <= self.size[0] and 0 <= y <= y + size[1] <= self.size[1]):
            raise ValueError(f"{size} at {corner} is not within {self.size}")
        _paint(page, self.data, pdfium.FPDFBitmap_BGR, pitch, y * pitch + 3 * x, size)

    def image(self) -> Image.Image:
        return Image.frombuffer("RGB", self.size, self.data, "raw", "RGB", 0, 1)


def _paint(page: Any, data: bytearray, kind: int, pitch: int, start: int, size: tuple[int, int]) -> None:
    """Paint a page onto the pixels from byte `start` on, whose rows are `pitch` bytes apart: on white
    and in RGB for pdfium's BGR and BGRx, on nothing for its BGRA."""
    width, height = size
    opaque = kind != pdfium.FPDFBitmap_BGRA
    shared = (ctypes.c_ubyte * (len(data) - start)).from_buffer(data, start)
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, kind, shared, pitch)
    try:
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF if opaque else 0)
        flags = pdfium.FPDF_REVERSE_BYTE_ORDER if opaque else 0
        pdfium.FPDF_RenderPageBitmap(bitmap, page.raw, 0, 0, width, height, 0, flags)
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)


def cut_to_shape(image: Image.Image, options: RasterOptions, dpi: float) -> Image.Image:
    """Return the picture of a side, which has `dpi` pixels an inch, with nothing outside the finished
    shape."""
    mask = _shape_mask(image.size, options.shape, options.corner_radius, dpi)
    if image.mode == "RGBA":
        image.putalpha(ImageChops.multiply(image.getchannel("A"), mask))
        return image
    return Image.composite(image, Image.new("RGB", image.size, "white"), mask)


@lru_cache(maxsize=4)
def _shape_mask(size: tuple[int, int], shape: Shape, corner_radius: float, dpi: float) -> Image.Image:
    """Return a mask: white inside the finished shape, black outside, edges smooth."""
    finer = _OVERSAMPLING if size[0] * size[1] <= _MOST_OVERSAMPLED else _OVERSAMPLING // 2
    large = Image.new("L", (size[0] * finer, size[1] * finer), 0)
    pen = ImageDraw.Draw(large)
    box = (0, 0, large.width - 1, large.height - 1)
    if shape == "ellipse":
        pen.ellipse(box, fill=255)
    elif (corners := corners_of(shape, Rect(0, 0, large.width - 1, large.height - 1))) is not None:
        pen.polygon(corners, fill=255)
    else:
        radius = corner_radius / MM_PER_INCH * dpi * finer
        pen.rounded_rectangle(box, min(radius, large.width / 2, large.height / 2), fill=255)
    return large.resize(size, Image.Resampling.BOX)


def encode_png(image: Image.Image, dpi: float = 300.0) -> bytes:
    """Return a PNG with its resolution, the same bytes every time. Lets other threads run while it
    packs."""
    buffer = BytesIO()
    if image.mode not in ("L", "RGB", "RGBA"):
        image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    width, height = image.size
    bands = (image.crop((0, top, width, min(top + _BAND, height))) for top in range(0, height, _BAND))
    channels = len(image.getbands())
    write_png(buffer, image.size, channels, dpi, (band.tobytes() for band in bands))
    return buffer.getvalue()


def write_png(
    out: BinaryIO, size: tuple[int, int], channels: int, dpi: float, bands: Iterable[Rows]
) -> None:
    """Write a PNG of so many channels from its rows, any number of whole ones at a time."""
    writer = PngWriter(out, size, channels, dpi)
    for rows in bands:
        writer.write(rows)
    writer.finish()


def encode_jpeg(image: Image.Image, quality: int = 90, dpi: float = 300.0) -> bytes:
    """Return a JPEG with its resolution; transparency becomes white."""
    if image.mode == "RGBA":
        white = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(white, image).convert("RGB")
    buffer = BytesIO()
    image.save(buffer, "JPEG", quality=quality, subsampling=0, dpi=(round(dpi), round(dpi)))
    return buffer.getvalue()


Rows: TypeAlias = bytes | bytearray | memoryview

_COLORS = {1: 0, 3: 2, 4: 6}
"""PNG's color type for gray, RGB and RGBA."""
_PNG_BAND = 1 << 18
"""Bytes that are packed at a time: few enough for a processor's own memory."""
_CHUNK = 1 << 16
"""Bytes of each part of the file that holds pixels."""
_INCH_M = 0.0254
_UP = b"\x02"
_LEVEL = 2


class PngWriter:
    """A PNG of `size` pixels with `channels` of eight bits (1 gray, 3 RGB, 4 RGBA), which says that it
    has `dpi`.

        writer = PngWriter(out, (600, 400), 3, 300)
        for rows in bands:                # any number of whole rows at a time, from the top
            writer.write(rows)
        writer.finish()

    The same pixels are the same bytes, however they are cut into bands.
    """

    def __init__(self, out: BinaryIO, size: tuple[int, int], channels: int, dpi: float) -> None:
        self._out = out
        self._pitch = size[0] * channels
        self._left = size[1]
        self._above = bytes(self._pitch)
        self._packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, zlib.MAX_WBITS, 9, zlib.Z_FILTERED)
        self._packed = bytearray()
        out.write(b"\x89PNG\r\n\x1a\n")
        self._chunk(b"IHDR", struct.pack(">IIBBBBB", *size, 8, _COLORS[channels], 0, 0, 0))
        a_metre = round(dpi / _INCH_M)
        self._chunk(b"pHYs", struct.pack(">IIB", a_metre, a_metre, 1))

    def write(self, rows: Rows) -> None:
        """Write the next rows. ValueError for a part of a row, or for too many."""
        count, rest = divmod(len(rows), self._pitch)
        if rest or count > self._left:
            raise ValueError(f"{len(rows)} bytes where {self._left} rows of {self._pitch} are left")
        self._left -= count
        step = max(1, _PNG_BAND // self._pitch)
        view = memoryview(rows)
        for first in range(0, count, step):
            self._pack(view[first * self._pitch : (first + step) * self._pitch])

    def finish(self) -> None:
        """Write the end of the file. ValueError if rows are missing."""
        if self._left:
            raise ValueError(f"{self._left} rows are missing")
        self._chunk(b"IDAT", bytes(self._packed) + self._packer.flush())
        self._chunk(b"IEND", b"")

    def _pack(self, rows: memoryview) -> None:
        pitch, data = self._pitch, bytes(rows)
        size = (pitch, len(data) // pitch)
        here = Image.frombuffer("L", size, data, "raw", "L", 0, 1)
        above = Image.frombuffer("L", size, self._above + data[:-pitch], "raw", "L", 0, 1)
        rise = ImageChops.subtract_modulo(here, above).tobytes()
        self._above = data[-pitch:]
        parts = [part for at in range(0, len(rise), pitch) for part in (_UP, rise[at : at + pitch])]
        self._packed += self._packer.compress(b"".join(parts))
        while len(self._packed) >= _CHUNK:
            self._chunk(b"IDAT", bytes(self._packed[:_CHUNK]))
            del self._packed[:_CHUNK]

    def _chunk(self, name: bytes, content: bytes) -> None:
        self._out.write(struct.pack(">I", len(content)))
        self._out.write(name + content)
        self._out.write(struct.pack(">I", zlib.crc32(content, zlib.crc32(name))))
