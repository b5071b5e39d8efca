"""What the file of a picture says of itself, read without touching its pixels.

Only what is bounded by the file's length is looked at: a file of a stranger may state anything.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from io import BytesIO
from typing import Literal, NamedTuple

from cardgen.foreign import Parsing

Kind = Literal["PNG", "JPEG", "WEBP", "TIFF", "GIF"]

_SOF = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_ORIENTATION = 0x0112
_EXIF = b"Exif\0\0"
_FEW_SCANS, _MOST_SCANNED = 20, 1_000_000_000
"""Scans of a JPEG, each of which goes over all of its pixels; programs write about ten. A file of more may
come to so many pixels."""
_EXTENSION, _PICTURE, _TRAILER = 0x21, 0x2C, 0x3B
_MOST_BLOCKS = 1_000_000
"""Blocks of a GIF, which have up to 255 bytes each."""
_TIFF_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4}


class RasterError(Exception):
    """A file that can't be shown. `what` goes on after its name: "is damaged"."""

    def __init__(self, what: str, hint: str | None = None, code: str = "image/format") -> None:
        super().__init__(what)
        self.what, self.hint, self.code = what, hint, code


class Header(NamedTuple):
    """What a file says. `width` and `height` are pixels as they are stored, `orientation` is how they
    are shown (EXIF, 1 to 8). `decoded` says that it must be read pixel by pixel to be printed; others
    are taken as they are. `still` is false for several pictures in one file."""

    kind: Kind
    width: int
    height: int
    orientation: int = 1
    decoded: bool = False
    still: bool = True

    @property
    def shown(self) -> tuple[int, int]:
        """Width and height as the picture is shown."""
        return (self.height, self.width) if self.orientation >= 5 else (self.width, self.height)


def kind_of(data: bytes) -> Kind | None:
    """What the first bytes of a file say it is."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if data.startswith(b"\xff\xd8"):
        return "JPEG"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "WEBP"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "GIF"
    return "TIFF" if data.startswith((b"II*\0", b"MM\0*")) else None


def read_header(data: bytes) -> Header:
    """Raises RasterError for a file of another kind, and for one whose head is damaged."""
    kind = kind_of(data)
    if kind is None:
        raise RasterError("is neither PNG, JPEG, WebP, TIFF, GIF nor SVG", "save it as a PNG or JPEG")
    read = {"PNG": _png, "JPEG": _jpeg, "WEBP": _webp, "TIFF": _tiff, "GIF": _gif}[kind]
    with Parsing(lambda _: RasterError("is damaged"), RasterError):
        header = read(data)
    if min(header.width, header.height) < 1:
        raise RasterError("is damaged")
    return header


def _png(data: bytes) -> Header:
    width, height, depth, colours, _, _, interlaced = struct.unpack(">IIBBBBB", data[16:29])
    if data[12:16] != b"IHDR":
        raise ValueError("no header")
    decoded = bool(depth == 16 or colours in (4, 6) or interlaced)
    orientation, palette, frames = 1, 0, 1
    for name, start, length in png_chunks(data):
        if name == b"IDAT":
            break
        decoded = decoded or name == b"tRNS"
        palette = length if name == b"PLTE" else palette
        if name == b"acTL":
            (frames,) = struct.unpack_from(">I", data, start)
        if name == b"eXIf":
            orientation = _orientation(data[start : start + length])
    if colours == 3 and not 3 <= palette <= 768:
        raise ValueError("its palette has no colours or too many")
    return Header("PNG", width, height, orientation, decoded, still=frames <= 1)


def png_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """The chunks of a PNG: name, where its content starts, and how long it says that is."""
    position = 8
    while position + 8 <= len(data):
        length, name = struct.unpack_from(">I4s", data, position)
        yield name, position + 8, length
        position += 12 + length


def _jpeg(data: bytes) -> Header:
    position, orientation = 2, 1
    while position + 10 <= len(data):
        if data[position] != 0xFF:
            break
        marker = data[position + 1]
        if marker == 0xFF:  # fills up
            position += 1
            continue
        if marker in _SOF:
            height, width, _ = struct.unpack_from(">HHB", data, position + 5)
            scans = data.count(b"\xff\xda")
            if scans > _FEW_SCANS and scans * width * height > _MOST_SCANNED:
                raise RasterError(f"is a JPEG of {scans:,} scans", "save it again")
            return Header("JPEG", width, height, orientation)
        if marker in (0xD9, 0xDA):
            break
        (length,) = struct.unpack_from(">H", data, position + 2)
        if marker == 0xE1 and data.startswith(_EXIF, position + 4):
            orientation = _orientation(data[position + 4 + len(_EXIF) : position + 2 + length])
        position += 2 + length
    raise ValueError("no frame")


def _webp(data: bytes) -> Header:
    kind = data[12:16]
    if kind == b"VP8 ":
        if data[23:26] != b"\x9d\x01\x2a":
            raise ValueError("no frame")
        width, height = (value & 0x3FFF for value in struct.unpack("<HH", data[26:30]))
        return Header("WEBP", width, height, 1, True)
    if kind == b"VP8L":
        (bits,) = struct.unpack("<I", data[21:25])
        return Header("WEBP", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, 1, True)
    if kind != b"VP8X" or len(data) < 30:
        raise ValueError("no frame")
    width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
    orientation, position = 1, 30
    while position + 8 <= len(data):
        name, length = struct.unpack_from("<4sI", data, position)
        if name == b"EXIF":
            content = data[position + 8 : position + 8 + length]
            orientation = _orientation(content.removeprefix(_EXIF))
        position += 8 + length + length % 2
    return Header("WEBP", width, height, orientation, True, still=not data[20] & 2)


def _gif(data: bytes) -> Header:
    """A GIF is as large as its screen, or as its first picture where that reaches beyond, as browsers and
    Pillow have it."""
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    position = 13 + _colours_of(flags)
    pictures = blocks = 0
    while pictures < 2 and (sign := data[position]) != _TRAILER:
        if sign == _PICTURE:
            left, top, across, down, flags = struct.unpack_from("<HHHHB", data, position + 1)
            if not pictures:
                width, height = max(width, left + across), max(height, top + down)
            pictures += 1
            position += 11 + _colours_of(flags)  # the size of its codes is a byte
        elif sign == _EXTENSION:
            position += 2
        else:
            raise ValueError("no block of a GIF")
        while length := data[position]:
            position += 1 + length
            blocks += 1
            if blocks > _MOST_BLOCKS:
                raise ValueError("blocks without end")
        position += 1
        if pictures and position >= len(data):  # many programs leave the last byte out
            break
    if not pictures:
        raise ValueError("no picture")
    return Header("GIF", width, height, 1, True, still=pictures == 1)


def _colours_of(flags: int) -> int:
    """The bytes of a GIF's table of colours."""
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _tiff(data: bytes) -> Header:
    """Pillow turns a TIFF itself as it reads it, so that none is turned as far as others see."""
    order, first = ("<" if data[:1] == b"I" else ">"), struct.unpack_from
    from PIL import UnidentifiedImageError  # Pillow is loaded where there is a picture for it
    from PIL.TiffImagePlugin import TiffImageFile

    (start,) = first(f"{order}I", data, 4)
    (count,) = first(f"{order}H", data, start)
    total = 0
    for index in range(count):  # tags that all point to the same bytes would be read again and again
        _, kind, number = first(f"{order}HHI", data, start + 2 + 12 * index)
        size = number * _TIFF_SIZES.get(kind, 0)
        total += size if size > 4 else 0
    (after,) = first(f"{order}I", data, start + 2 + 12 * count)
    if total > len(data):
        raise ValueError("tags that are longer than the file")
    try:
        with TiffImageFile(BytesIO(data)) as file:
            width, height = file.size
    except UnidentifiedImageError as error:
        raise ValueError("no TIFF") from error
    return Header("TIFF", width, height, 1, True, still=not after)


def _orientation(exif: bytes) -> int:
    """How a picture is shown, from its camera's notes; 1 where they don't say, or are damaged: what
    cameras add is no reason not to print."""
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(exif[:4])
    if order is None:
        return 1
    try:
        (start,) = struct.unpack_from(f"{order}I", exif, 4)
        (count,) = struct.unpack_from(f"{order}H", exif, start)
        for index in range(count):
            tag, kind, _, value = struct.unpack_from(f"{order}HHIH", exif, start + 2 + 12 * index)
            if tag == _ORIENTATION:
                return value if kind == 3 and 1 <= value <= 8 else 1
    except struct.error:
        pass
    return 1
