"""Raster files in pictures: read once, never through cairo.

cairo gets a 1 × 1 stand-in whose "JPEG" holds the image's key; `forms` then puts the real image
object in its place. So JPEG bytes reach the PDF untouched, PNG data without alpha does too, and no
pixel is decoded for nothing.
"""

from __future__ import annotations

import struct
import zlib
from base64 import b64decode
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_to_bytes

from PIL import Image, UnidentifiedImageError

from cardgen.drawing.cairo import cairo
from cardgen.drawing.objects import DrawingError, PdfObject, reference
from cardgen.findings import Finding, Location, Severity
from cardgen.geometry import Matrix
from cardgen.storage.reading import PICTURE, ReadingError, read_file

STAND_IN = b"cardgen image "
_ORIENTATION = 0x0112
_TURNS = {
    # how the unit square of the stored pixels lies in the shown one, for each EXIF orientation
    1: Matrix(1, 0, 0, 1, 0, 0),
    2: Matrix(-1, 0, 0, 1, 1, 0),
    3: Matrix(-1, 0, 0, -1, 1, 1),
    4: Matrix(1, 0, 0, -1, 0, 1),
    5: Matrix(0, 1, 1, 0, 0, 0),
    6: Matrix(0, 1, -1, 0, 1, 0),
    7: Matrix(0, -1, -1, 0, 1, 1),
    8: Matrix(0, -1, 1, 0, 0, 1),
}
_PNG_DEPTHS = {0: (1, 2, 4, 8), 2: (8,), 3: (1, 2, 4, 8)}
_BROKEN = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    LookupError,
    ArithmeticError,
    struct.error,
    zlib.error,
)
"""What Pillow raises for broken files."""
_CHUNK = 1 << 20
_PNG_COLORS = {0: (1, b"/DeviceGray"), 2: (3, b"/DeviceRGB"), 3: (1, b"")}


@dataclass
class RasterImage:
    """An image file. `width`, `height` in pixels as shown; `turn` brings the stored pixels there; `file`
    is its path in the project, as far as that is known."""

    key: str
    data: bytes
    name: str
    file: str | None = None
    _surface: Any = field(default=None, repr=False)

    @cached_property
    def _file(self) -> Image.Image:
        try:
            return Image.open(BytesIO(self.data))
        except (*_BROKEN, UnidentifiedImageError, Image.DecompressionBombError) as error:
            raise self._wrong("is not an image we can read") from error

    def _wrong(self, what: str) -> DrawingError:
        place = Location(self.file) if self.file else None
        message = f"'{self.name}' {what}"
        finding = Finding(Severity.ERROR, "picture/image", message, place, "save it again as a PNG or JPEG")
        return DrawingError(finding)

    @cached_property
    def _orientation(self) -> int:
        if self._file.format != "JPEG":  # cameras write JPEG, and Pillow would decode a whole PNG here
            return 1
        try:
            found = self._file.getexif().get(_ORIENTATION, 1)
        except _BROKEN:  # what cameras add is no reason not to print
            return 1
        return found if found in _TURNS else 1

    @property
    def turn(self) -> Matrix:
        return _TURNS[self._orientation]

    @property
    def width(self) -> int:
        return self._file.size[self._orientation >= 5]

    @property
    def height(self) -> int:
        return self._file.size[self._orientation < 5]

    def stand_in(self) -> Any:
        """The cairo surface, one unit square, that stands for this image."""
        if self._surface is None:
            note = STAND_IN + self.key.encode("ascii")
            jpeg = (
                b"\xff\xd8\xff\xfe"
                + struct.pack(">H", len(note) + 2)
                + note
                + b"\xff\xc0\x00\x11\x08\x00\x01\x00\x01\x03\x01\x11\x00\x02\x11\x00\x03\x11\x00\xff\xd9"
            )
            self._surface = cairo.ImageSurface(cairo.FORMAT_RGB24, 1, 1)
            self._surface.set_mime_data("image/jpeg", jpeg)
            self._surface.set_mime_data("application/x-cairo.uuid", note)
        return self._surface

    def objects(self, smooth: bool) -> list[PdfObject]:
        """The image as PDF objects, the image XObject last."""
        try:
            return self._objects(b"/Interpolate true" if smooth else b"")
        except _BROKEN as error:
            raise self._wrong(f"is damaged ({error})") from error

    def _objects(self, interpolate: bytes) -> list[PdfObject]:
        file = self._file
        if file.format == "JPEG" and file.mode in ("RGB", "L", "CMYK"):
            space = {"RGB": b"/DeviceRGB", "L": b"/DeviceGray", "CMYK": b"/DeviceCMYK"}[file.mode]
            if file.mode == "CMYK" and "adobe" in file.info:  # Adobe stores CMYK inverted
                space += b"/Decode[1 0 1 0 1 0 1 0]"
            return [_xobject(file.size, space, 8, b"/DCTDecode", interpolate, self.data)]
        if file.format == "PNG":
            direct = _png_object(self.data, interpolate)
            if direct is not None:
                return [direct]
        if file.mode.startswith(("I", "F")):
            file = file.convert("I").point(lambda value: value / 256).convert("L")
        alpha = None
        if file.has_transparency_data:
            whole = file.convert("RGBA")
            alpha = whole.getchannel("A")
            if alpha.getextrema() == (255, 255):
                alpha = None
            file = whole
        colors = _png_object(_as_png(file.convert("RGB")), interpolate)
        assert colors is not None
        if alpha is None:
            return [colors]
        mask = _png_object(_as_png(alpha), interpolate)
        assert mask is not None
        head = colors.head[:-2] + b"/SMask " + reference(mask.name) + b">>"
        return [mask, PdfObject.of(head, colors.stream)]


def _as_png(image: Image.Image) -> bytes:
    buffer = BytesIO()
    image.save(buffer, "PNG", compress_level=6)
    return buffer.getvalue()


def _png_object(data: bytes, interpolate: bytes) -> PdfObject | None:
    """A PNG's compressed pixels as they are (PDF reads PNG's own encoding), or None for files with
    transparency, interlace or 16-bit samples."""
    width, height, depth, kind, _, _, interlace = struct.unpack(">IIBBBBB", data[16:29])
    if interlace or depth == 16 or kind not in _PNG_COLORS:
        return None
    if depth not in _PNG_DEPTHS[kind]:
        raise ValueError(f"{depth} bits a sample")
    position, pixels, palette = 8, [], b""
    while position + 8 <= len(data):
        length, name = struct.unpack(">I4s", data[position : position + 8])
        body = data[position + 8 : position + 8 + length]
        if name == b"tRNS":
            return None
        if name == b"IDAT":
            pixels.append(body)
        elif name == b"PLTE":
            palette = body
        position += 12 + length
    channels, space = _PNG_COLORS[kind]
    if kind == 3:
        if not 3 <= len(palette) <= 768:
            raise ValueError("its palette has no colours or too many")
        space = b"[/Indexed/DeviceRGB %d<%s>]" % (len(palette) // 3 - 1, palette.hex().encode("ascii"))
    filter_ = b"/FlateDecode/DecodeParms<</Predictor 15/Colors %d/BitsPerComponent %d/Columns %d>>" % (
        channels,
        depth,
        width,
    )
    stream = b"".join(pixels)
    # A broken file is found here, not at the printer's; and one that unpacks to more than it says.
    _check_length(stream, height * (1 + (width * channels * depth + 7) // 8))
    return _xobject((width, height), space, depth, filter_, interpolate, stream)


def _check_length(stream: bytes, length: int) -> None:
    """Raise ValueError or zlib.error if a zlib stream doesn't unpack to so many bytes. It is never held
    as a whole."""
    unpacking = zlib.decompressobj()
    done = len(unpacking.decompress(stream, _CHUNK))
    while not unpacking.eof and done <= length:
        more = len(unpacking.decompress(unpacking.unconsumed_tail, _CHUNK))
        if not more and not unpacking.eof:
            break
        done += more
    if done != length or not unpacking.eof:
        raise ValueError("it holds other than the pixels that it says")


def _xobject(
    size: tuple[int, int], space: bytes, depth: int, filter_: bytes, interpolate: bytes, stream: bytes
) -> PdfObject:
    head = (
        b"<</Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace%s/BitsPerComponent %d%s"
        b"/Filter%s/Length %d>>"
    )
    return PdfObject.of(head % (*size, space, depth, interpolate, filter_, len(stream)), stream)


class ImageLibrary:
    """The images that one batch of pictures may show, found by what an `href` says."""

    def __init__(self, images: Iterable[tuple[str, str]]) -> None:
        self._paths = dict(images)
        self._loaded: dict[str, RasterImage] = {}

    def by_key(self, key: str) -> RasterImage:
        return self._loaded[key]

    def find(self, href: str) -> RasterImage:
        """The image behind an `href`: a path or file URL from the list, or a data URL. Nothing else
        is ever opened."""
        if href.startswith("data:"):
            head, _, body = href.partition(",")
            data = b64decode(body) if head.endswith(";base64") else unquote_to_bytes(body)
            return self._add(blake2b(data, digest_size=16).hexdigest(), data, "a data: URL")
        path = unquote(href.removeprefix("file://")) if href.startswith("file://") else href
        if path not in self._paths:
            message = f"the image '{href}' is not among the files of this picture"
            raise DrawingError.of("picture/image", message, "refer to a file beside the template")
        key = blake2b(f"{self._paths[path]}\0{path}".encode(), digest_size=16).hexdigest()
        if key in self._loaded:
            return self._loaded[key]
        try:
            data = read_file(path, PICTURE, path, None)  # the templates' images: looked for in the project
        except ReadingError as error:
            raise DrawingError.of("picture/image", f"the image '{path}' {error.reason}") from error
        return self._add(key, data, Path(path).name, _in_project(path))

    def _add(self, key: str, data: bytes, name: str, file: str | None = None) -> RasterImage:
        return self._loaded.setdefault(key, RasterImage(key, data, name, file))


def _in_project(path: str) -> str | None:
    """The path of a template's image from its project's folder on."""
    _, found, below = Path(path).as_posix().rpartition("/templates/")
    return f"templates/{below}" if found else None
