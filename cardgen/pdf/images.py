"""Raster files in pictures: read once, and put into the PDF as they are.

Typst gets a 1 × 1 stand-in, a JPEG that states the image's key; `forms` then puts the real image
object in its place. So JPEG bytes reach the PDF untouched, PNG data without alpha does too, and no
pixel is decoded for nothing.
"""

from __future__ import annotations

import re
import struct
from base64 import b64decode
from collections.abc import Iterable
from functools import cached_property
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, unquote_to_bytes

from cardgen.core.findings import Finding, Location, Parsing, Severity
from cardgen.core.geometry import Matrix, Rect, decimal
from cardgen.core.records import dataclass
from cardgen.files.reading import PICTURE, ReadingError, read_file
from cardgen.pdf.objects import Content, DrawingError, PdfObject, reference
from cardgen.pdf.shapes import Node, UnplainError, corners_of, length_of, written
from cardgen.svg.outlines import fit, points_outline
from cardgen.svg.raster_files import (
    Header,
    ProfileError,
    RasterError,
    check_png,
    check_whole,
    eight_bits,
    in_srgb,
    open_pixels,
    png_chunks,
    read_header,
    read_pixels,
    srgb_transform,
)

if TYPE_CHECKING:
    from PIL import Image


STAND_IN = b"cardgen image "
SMOOTH = b"s"
"""After the key in a stand-in: whether pixels may be smoothed."""
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
_FEWER = re.compile(r"(.*)//(\d{1,6})x(\d{1,6})", re.DOTALL)
"""The suffix that rendering adds to the path of an image to be reduced."""
_PNG_DEPTHS = {0: (1, 2, 4, 8), 2: (8,), 3: (1, 2, 4, 8)}
_JPEG_SPACES = {"RGB": b"/DeviceRGB", "L": b"/DeviceGray", "CMYK": b"/DeviceCMYK"}
_PNG_COLORS = {0: (1, b"/DeviceGray"), 2: (3, b"/DeviceRGB"), 3: (1, b"")}


@dataclass
class RasterImage:
    """An image file. `width`, `height` in pixels as shown; `turn` brings the stored pixels there; `file`
    is its path in the project, as far as that is known. `wanted` are the pixels that it is to be brought
    down to, as shown."""

    key: str
    data: bytes
    name: str
    file: str | None = None
    wanted: tuple[int, int] | None = None

    @cached_property
    def _header(self) -> Header:
        try:
            return read_header(self.data)
        except RasterError as error:
            raise self._wrong(error.what) from error

    def _trouble(self, error: Exception) -> DrawingError:
        return self._wrong(error.what if isinstance(error, RasterError) else f"is damaged ({error})")

    def _wrong(self, what: str) -> DrawingError:
        place = Location(self.file) if self.file else None
        message = f"'{self.name}' {what}"
        finding = Finding(Severity.ERROR, "picture/image", message, place, "save it again as a PNG or JPEG")
        return DrawingError(finding)

    @property
    def turn(self) -> Matrix:
        return _TURNS[self._header.orientation]

    @property
    def width(self) -> int:
        return self._header.shown[0]

    @property
    def height(self) -> int:
        return self._header.shown[1]

    def shown_png(self) -> bytes:
        """Return the image as a PNG in sRGB, upright, for programs that need its pixels."""
        from PIL import ImageOps  # only filters ask for it

        with Parsing(self._trouble, DrawingError):
            file = open_pixels(self.data, self._header)
            file = ImageOps.exif_transpose(self._decoded(file, _to_srgb(file)))
            return _as_png(file.convert("RGBA" if file.has_transparency_data else "RGB"))

    def objects(self, smooth: bool) -> list[PdfObject]:
        """Return the image as PDF objects, the image XObject last."""
        with Parsing(self._trouble, DrawingError):
            return self._objects(b"/Interpolate true" if smooth else b"")

    def _objects(self, interpolate: bytes) -> list[PdfObject]:
        file = open_pixels(self.data, self._header)
        to_srgb = _to_srgb(file)
        if to_srgb is None and self.wanted is None:
            direct = self._direct(file, interpolate)
            if direct is not None:
                return [direct]
        file = self._decoded(file, to_srgb)
        if self.wanted is not None and self._header.kind == "JPEG":  # a photograph stays one
            space = _JPEG_SPACES[file.mode]
            return [_xobject(file.size, space, 8, b"/DCTDecode", interpolate, _as_jpeg(file))]
        alpha = None
        if file.has_transparency_data:
            whole = file.convert("RGBA")
            alpha = whole.getchannel("A")
            if alpha.getextrema() == (255, 255):
                alpha = None
            file = whole
        plain = file if file.mode == "L" else file.convert("RGB")
        colors = _png_object(_as_png(plain), interpolate)
        assert colors is not None
        assert isinstance(colors.stream, bytes)
        if alpha is None:
            return [colors]
        mask = _png_object(_as_png(alpha), interpolate)
        assert mask is not None
        head = colors.head[:-2] + b"/SMask " + reference(mask.name) + b">>"
        return [mask, PdfObject.of(head, colors.stream)]

    def _decoded(self, file: Image.Image, to_srgb: Any) -> Image.Image:
        """Return the pixels, eight bits each, in sRGB, as many as are wanted."""
        read_pixels(file)
        if to_srgb is not None:
            file = in_srgb(file, to_srgb)
        elif file.mode.startswith("I"):
            file = eight_bits(file)
        return file if self.wanted is None else self._smaller(file, self.wanted)

    def _smaller(self, file: Image.Image, wanted: tuple[int, int]) -> Image.Image:
        """Return the pixels brought down to so many."""
        from PIL import Image  # Pillow is loaded where there is a picture for it

        if file.has_transparency_data:  # a color that is transparent must not run into others
            file = file.convert("RGBA")
        elif file.mode not in ("L", "RGB"):
            file = file.convert("L" if file.mode == "1" else "RGB")
        width, height = wanted if self._header.orientation < 5 else wanted[::-1]
        return file.resize((width, height), Image.Resampling.LANCZOS)

    def _direct(self, file: Image.Image, interpolate: bytes) -> PdfObject | None:
        """Return the file's own data as an image, or None if PDF can't say the same."""
        if self._header.kind == "PNG":
            return _png_object(self.data, interpolate)
        if self._header.kind != "JPEG" or file.mode not in _JPEG_SPACES:
            return None
        check_whole(self.data, self._header)
        space = _JPEG_SPACES[file.mode]
        if file.mode == "CMYK" and "adobe" in file.info:  # Adobe stores CMYK inverted
            space += b"/Decode[1 0 1 0 1 0 1 0]"
        return _xobject(file.size, space, 8, b"/DCTDecode", interpolate, self.data)


def for_screens(data: bytes) -> tuple[str, bytes]:
    """Return a picture's file as programs that show SVG read it: its media type and bytes, a TIFF as a
    PNG. Raises RasterError."""
    header = read_header(data)
    if header.kind == "TIFF":
        file = open_pixels(data, header)
        read_pixels(file)
        if file.mode == "CMYK":
            made = srgb_transform(file)
            file = in_srgb(file, made) if made is not None else file.convert("RGB")
        return "image/png", _as_png(file)
    return f"image/{header.kind.lower()}", data


def _to_srgb(file: Image.Image) -> Any:
    """Return the transform of the pixels to sRGB, None if none is needed."""
    try:
        return srgb_transform(file)
    except ProfileError:  # said when the side was laid out
        return None


def _as_png(image: Image.Image) -> bytes:
    buffer = BytesIO()
    image.save(buffer, "PNG", compress_level=6)
    return buffer.getvalue()


def _as_jpeg(image: Image.Image) -> bytes:
    buffer = BytesIO()
    image.save(buffer, "JPEG", quality=92, subsampling=0)
    return buffer.getvalue()


def _png_object(data: bytes, interpolate: bytes) -> PdfObject | None:
    """Return a PNG's compressed pixels as they are (PDF reads PNG's own encoding), or None for files
    with transparency, interlace or 16-bit samples."""
    width, height, depth, kind, _, _, interlace = struct.unpack(">IIBBBBB", data[16:29])
    if interlace or depth == 16 or kind not in _PNG_COLORS:
        return None
    if depth not in _PNG_DEPTHS[kind]:
        raise ValueError(f"{depth} bits a sample")
    pixels, palette = [], b""
    for name, start, length in png_chunks(data):
        if name == b"tRNS":
            return None
        if name == b"IDAT":
            pixels.append(data[start : start + length])
        elif name == b"PLTE":
            palette = data[start : start + length]
    channels, space = _PNG_COLORS[kind]
    if kind == 3:
        space = b"[/Indexed/DeviceRGB %d<%s>]" % (len(palette) // 3 - 1, palette.hex().encode("ascii"))
    filter_ = b"/FlateDecode/DecodeParms<</Predictor 15/Colors %d/BitsPerComponent %d/Columns %d>>" % (
        channels,
        depth,
        width,
    )
    check_png(data)  # a broken file is found here, not at the printer's
    return _xobject((width, height), space, depth, filter_, interpolate, b"".join(pixels))


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

    def let_go(self, image: RasterImage) -> None:
        """Hold an image no longer: it is read again if it is asked for again."""
        self._loaded.pop(image.key, None)

    def find(self, href: str) -> RasterImage:
        """Return the image behind an `href`: a path or file URL from the list, or a data URL. Nothing
        else is ever opened."""
        if href.startswith("data:"):
            head, _, body = href.partition(",")
            data = b64decode(body) if head.endswith(";base64") else unquote_to_bytes(body)
            return self._add(blake2b(data, digest_size=16).hexdigest(), data, "a data: URL")
        path = unquote(href.removeprefix("file://")) if href.startswith("file://") else href
        wanted = None
        if path not in self._paths and (fewer := _FEWER.fullmatch(path)) is not None:
            path, wanted = fewer[1], (int(fewer[2]), int(fewer[3]))
        if path not in self._paths:
            message = f"the image '{href}' is not among the files of this picture"
            raise DrawingError.of("picture/image", message, "refer to a file next to the template")
        named = f"{self._paths[path]}\0{path}" + (f"\0{wanted}" if wanted else "")
        key = blake2b(named.encode(), digest_size=16).hexdigest()
        if key in self._loaded:
            return self._loaded[key]
        try:
            data = read_file(path, PICTURE, path, None)  # the templates' images: looked for in the project
        except ReadingError as error:
            raise DrawingError.of("picture/image", f"the image '{path}' {error.reason}") from error
        return self._add(key, data, Path(path).name, _in_project(path), wanted)

    def _add(
        self,
        key: str,
        data: bytes,
        name: str,
        file: str | None = None,
        wanted: tuple[int, int] | None = None,
    ) -> RasterImage:
        return self._loaded.setdefault(key, RasterImage(key, data, name, file, wanted))


def _in_project(path: str) -> str | None:
    """Return the path of a template's image from its project's folder on."""
    _, found, below = Path(path).as_posix().rpartition("/templates/")
    return f"templates/{below}" if found else None


UPRIGHT = Matrix(1, 0, 0, -1, 0, 1)
"""The unit square that PDF paints an image in, whose y runs up, to the one of `RasterImage.turn`."""


@dataclass(frozen=True, slots=True)
class _Painted:
    """An image's object by name, and what places it."""

    name: str
    width: int
    height: int
    turn: Matrix


class PlacedImages:
    """The images of pictures that are painted one after the other. Each file is read and made an object
    once, whichever of them show it, and let go of then."""

    def __init__(self, library: ImageLibrary) -> None:
        self._library = library
        self._painted: dict[tuple[str, bool], _Painted] = {}
        """By what an `href` says, which is one file among those of the library, and by smoothness."""
        self._new: list[tuple[str, bool]] = []
        self._objects: dict[str, PdfObject] = {}

    def taken(self) -> list[PdfObject]:
        """Return the objects made since, what they refer to first: they must be kept, for they are not
        made again."""
        objects = list(self._objects.values())
        self._new, self._objects = [], {}
        return objects

    def forget(self) -> None:
        """Forget the objects made since."""
        for key in self._new:
            del self._painted[key]
        self._new, self._objects = [], {}

    def paint(self, content: Content, node: Node, matrix: Matrix, opacity: float, places: int) -> None:
        """Paint an `<image>`, fitted into its box, lengths of the picture with so many decimals. Raises
        UnplainError for one without a size, DrawingError for one that can't be read."""
        width, height = length_of(node, "width"), length_of(node, "height")
        if width <= 0 or height <= 0:
            raise UnplainError
        smooth = node.get("image-rendering") not in ("pixelated", "crisp-edges", "optimizeSpeed")
        image = self._image(node.get_href() or "", smooth)
        box = Rect(length_of(node, "x"), length_of(node, "y"), width, height)
        rule = node.get("preserveAspectRatio")
        placed = fit(Rect(0, 0, image.width, image.height), box, rule)
        sized = Matrix(image.width, 0, 0, image.height).then(placed)
        place = UPRIGHT.then(image.turn).then(sized).then(matrix)
        name = content.name("XObject", reference(image.name).decode("ascii"))
        content.alpha(opacity, opacity)
        clip = ""
        if "slice" in (rule or ""):
            clip = f"{written(points_outline(corners_of(box), True), places, matrix)} W n "
        linear = " ".join(decimal(value, 7) for value in (place.a, place.b, place.c, place.d))
        corner = f"{decimal(place.e, places + 2)} {decimal(place.f, places + 2)}"
        content.lines.append(f"q {clip}{linear} {corner} cm /{name} Do Q")

    def _image(self, href: str, smooth: bool) -> _Painted:
        painted = self._painted.get((href, smooth))
        if painted is None:
            image = self._library.find(href)
            made = image.objects(smooth)
            painted = _Painted(made[-1].name, image.width, image.height, image.turn)
            self._library.let_go(image)
            self._objects.update((obj.name, obj) for obj in made)
            self._painted[href, smooth] = painted
            self._new.append((href, smooth))
        return painted
