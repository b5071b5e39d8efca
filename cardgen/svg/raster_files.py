"""Picture files: their headers, pixels and color profiles."""

from __future__ import annotations

import os
import re
import struct
import threading
import warnings
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple

from cardgen.core.findings import Parsing

if TYPE_CHECKING:
    from PIL import Image, ImageCms


Kind = Literal["PNG", "JPEG", "WEBP", "TIFF", "GIF", "AVIF", "BMP", "HEIF"]

_SOF = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_ORIENTATION = 0x0112
_EXIF = b"Exif\0\0"
_FEW_SCANS, _MOST_SCANNED = 20, 1_000_000_000
"""Scans of a JPEG, each of which goes over all of its pixels; programs write about ten. A file of more may
come to so many pixels."""
_TIFF_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4}


_MOST_BRANDS = 1000
_HEIF = re.compile(rb"hei[cxms]|hev[cxms]|mif1|msf1")
"""The brands of HEIF files; the first of them is the one for photographs."""
FORMATS = "PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF"
"""The first of the formats, for messages that end the list."""


class RasterError(Exception):
    """A file that can't be shown. `what` goes on after its name: "is damaged"."""

    def __init__(self, what: str, hint: str | None = None, code: str = "image/format") -> None:
        super().__init__(what)
        self.what, self.hint, self.code = what, hint, code


class Header(NamedTuple):
    """The header of a picture file. `width` and `height` are pixels as they are stored, `orientation` is
    how they are shown (EXIF, 1 to 8). `decoded` says that it must be read pixel by pixel to be printed;
    others are taken as they are. `still` is false for several pictures in one file."""

    kind: Kind
    width: int
    height: int
    orientation: int = 1
    decoded: bool = False
    still: bool = True

    @property
    def shown(self) -> tuple[int, int]:
        """Return the width and height as the picture is shown."""
        return (self.height, self.width) if self.orientation >= 5 else (self.width, self.height)


def kind_of(data: bytes) -> Kind | None:
    """Return the kind of file that its first bytes name."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if data.startswith(b"\xff\xd8"):
        return "JPEG"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "WEBP"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "GIF"
    if data[4:8] == b"ftyp":
        brands = data[8 : min(int.from_bytes(data[:4], "big"), _MOST_BRANDS)]
        return "AVIF" if b"avi" in brands else "HEIF" if _HEIF.search(brands) else None
    if data.startswith(b"BM"):
        return "BMP"
    return "TIFF" if data.startswith((b"II*\0", b"MM\0*")) else None


def read_header(data: bytes) -> Header:
    """Read the header of a picture."""
    kind = kind_of(data)
    if kind is None:
        raise RasterError(f"is not a {FORMATS}, BMP or SVG file", "save it as a PNG or JPEG")
    read = {"PNG": _png, "JPEG": _jpeg, "WEBP": _webp, "TIFF": _tiff, "GIF": _gif}
    read |= {"AVIF": _avif, "BMP": _bmp, "HEIF": _heif}
    with Parsing(lambda _: RasterError("is damaged", "save it again"), RasterError):
        header = read[kind](data)
    if min(header.width, header.height) < 1:
        raise RasterError("is damaged", "save it again")
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
        raise ValueError("its palette has no colors or too many")
    return Header("PNG", width, height, orientation, decoded, still=frames <= 1)


def png_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield the chunks of a PNG: name, where its content starts, and how long it says that is."""
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
                raise RasterError(f"is a JPEG with {scans:,} scans", "save it again")
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
    """Return the size of a GIF: that of its screen, or of a first picture that reaches beyond, as
    browsers and Pillow have it."""
    from PIL.GifImagePlugin import GifImageFile  # Pillow is loaded where there is a picture for it

    with GifImageFile(BytesIO(data)) as file:
        return Header("GIF", *file.size, 1, True, still=not file.is_animated)


def _bmp(data: bytes) -> Header:
    from PIL.BmpImagePlugin import BmpImageFile  # Pillow is loaded where there is a picture for it

    with BmpImageFile(BytesIO(data)) as file:
        return Header("BMP", *file.size, 1, True)


def _avif(data: bytes) -> Header:
    from PIL import AvifImagePlugin  # Pillow is loaded where there is a picture for it

    if not AvifImagePlugin.SUPPORTED:
        hint = (
            "save it as a PNG or JPEG, or install Pillow's own build: pip install --force-reinstall pillow"
        )
        raise RasterError("can't be read: this Pillow was built without AVIF", hint)
    with AvifImagePlugin.AvifImageFile(BytesIO(data)) as file:
        header = Header("AVIF", *file.size, file.getexif().get(_ORIENTATION, 1), True, not file.is_animated)
    if max(av1_pixels(data), default=0) > header.width * header.height + _PADDING:
        raise ValueError("a picture that is larger than it says")
    return header


def av1_pixels(data: bytes) -> Iterator[int]:
    """Yield the pixels of each picture that an AVIF contains, by the sequence header of its AV1 data. They
    are decoded before they are brought to the size that the file states."""
    for content in _heif_items(data):
        at = 2 if content[:2] == b"\x12\0" else 0  # after a temporal delimiter
        if len(content) < at + 2 or content[at] >> 3 & 15 != 1 or not content[at] & 2:
            continue  # no sequence header, such as notes of a camera
        bits = iter(f"{int.from_bytes(content[at + 2 : at + 66], 'big'):0512b}")

        def take(count: int, bits: Iterator[str] = bits) -> int:
            return int("".join(islice(bits, count)) or "0", 2)

        take(4)  # profile, still picture (AV1 5.5.1)
        if take(1):
            take(5)
        else:
            if take(1):  # timing information, which stills don't have
                raise ValueError("a film")
            has_delay, points = take(1), take(5) + 1
            for _ in range(points):
                take(12)
                take(1 if take(5) > 7 else 0)
                if has_delay and take(1):
                    take(4)
        across, down = take(4) + 1, take(4) + 1
        yield (take(across) + 1) * (take(down) + 1)


def _heif_items(data: bytes) -> Iterator[bytes]:
    """Yield the start of each item of a HEIF file: its first bytes, by the box `iloc` (ISO 14496-12)."""
    at = data.index(b"iloc") + 4
    version, sizes, count = data[at], *struct.unpack_from(">HH", data, at + 4)
    offset, length, base, index = (sizes >> shift & 15 for shift in (12, 8, 4, 0))
    wide = 4 if version == 2 else 2
    reader = BytesIO(data)
    reader.seek(at + 8 if version < 2 else at + 6)

    def number(size: int) -> int:
        return int.from_bytes(reader.read(size), "big")

    if version == 2:
        count = number(4)
    idat = data.find(b"idat") + 4
    for _ in range(min(count, _MOST_ITEMS)):
        number(wide)
        inside = version > 0 and number(2) & 15 == 1
        number(2)
        start, parts = number(base), number(2)
        content = b""
        for _ in range(min(parts, _MOST_ITEMS)):
            number(index if version > 0 else 0)
            first, long = start + number(offset) + (idat if inside else 0), number(length)
            content += data[first : first + min(long or _ITEM_START, _ITEM_START - len(content))]
        yield content


_PADDING = 1_000_000
"""Pixels by which AV1 data may exceed the size of their file: the edge of tiles."""
_MOST_ITEMS, _ITEM_START = 10_000, 100
"""Items of a HEIF file, and the bytes of each that are read."""


def _heif(data: bytes) -> Header:
    """Read a HEIC by pi-heif, which is not installed with cardgen: its libheif is under the LGPL."""
    try:
        from pi_heif import HeifImageFile, register_heif_opener
    except ImportError:
        hint = "install a package: pip install 'cardgen[heic]'; or save it as an AVIF, PNG or JPEG"
        raise RasterError("is a HEIC file, which can't be read", hint) from None
    register_heif_opener()
    with HeifImageFile(BytesIO(data)) as file:
        width, height = file.size  # as it is shown, turned by libheif
        return Header("HEIF", width, height, 1, True, still=not file.is_animated)


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
    """Return a picture's orientation from its camera's notes; 1 if they are missing or damaged: what
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


_CHUNK = 1 << 20
_TERMINAL = threading.Lock()
"""Held while the process's error output leads nowhere."""
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""The passes of an interlaced PNG: first column and row, steps across and down."""


def open_pixels(data: bytes, header: Header) -> Image.Image:
    """Return the picture, its pixels not yet read. Raises RasterError."""
    from PIL import Image  # loaded where there is a picture for it

    with Parsing(lambda _: RasterError("is damaged", "save it again")), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about notes in it that are not read here
        file = Image.open(BytesIO(data), formats=[header.kind])
    key = file.info.get("transparency")
    if header.kind == "PNG" and data[24] == 16 and isinstance(key, tuple):  # read in eight bits
        file.info["transparency"] = tuple(value >> 8 for value in key)
    return file


def read_pixels(file: Image.Image) -> None:
    """Read the pixels of an opened picture. Raises RasterError where they are not all there."""
    with Parsing(_cut_off), warnings.catch_warnings(), _without_messages(file.format):
        warnings.simplefilter("ignore")
        file.load()


@contextmanager
def _without_messages(kind: str | None) -> Iterator[None]:
    """Discard what libtiff prints to the terminal about a damaged TIFF. Pillow has no setting for it, and
    raises an exception as well."""
    if kind != "TIFF":
        yield
        return
    with _TERMINAL:
        kept = nowhere = None
        try:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            kept = os.dup(2)
            os.dup2(nowhere, 2)
        except OSError:  # a process that has no such output
            pass
        try:
            yield
        finally:
            if kept is not None:
                os.dup2(kept, 2)
            for each in (kept, nowhere):
                if each is not None:
                    os.close(each)


def _cut_off(_: Exception) -> RasterError:
    return RasterError("is damaged: some of its pixels are missing", "save it again")


def check_whole(data: bytes, header: Header) -> None:
    """Raise RasterError if the file was cut off, or holds other than it says.

    A PNG is unpacked piece by piece and never held; a JPEG is read at an eighth of its size, for which
    all of its data is gone through.
    """
    if header.kind == "PNG":
        with Parsing(_cut_off):
            check_png(data)
        return
    file = open_pixels(data, header)
    if header.kind == "JPEG":
        file.draft(None, (header.width // 8, header.height // 8))
    read_pixels(file)


def check_png(data: bytes) -> None:
    """Raise ValueError or zlib.error if a PNG doesn't unpack to so many bytes as its pixels take."""
    width, height, depth, colours, _, _, interlaced = struct.unpack(">IIBBBBB", data[16:29])
    bits = _CHANNELS[colours] * depth
    passes = [(width, height)]
    if interlaced:
        passes = [(-(-(width - x) // dx), -(-(height - y) // dy)) for x, y, dx, dy in _ADAM7]
    length = sum(down * (1 + (across * bits + 7) // 8) for across, down in passes if across > 0 < down)
    view = memoryview(data)
    parts = (view[start : start + size] for name, start, size in png_chunks(data) if name == b"IDAT")
    if _unpacked(parts, length) != length:
        raise ValueError("its data don't match its size")


def _unpacked(parts: Iterable[memoryview], most: int) -> int:
    """Return how many bytes a zlib stream unpacks to, -1 if it doesn't end; stop counting beyond `most`."""
    unpacking = zlib.decompressobj()
    done = 0
    for part in parts:
        rest: bytes | memoryview = part
        while rest and not unpacking.eof and done <= most:
            done += len(unpacking.decompress(rest, _CHUNK))
            rest = unpacking.unconsumed_tail
    while not unpacking.eof and done <= most:
        more = len(unpacking.decompress(b"", _CHUNK))
        if not more:
            break
        done += more
    return done if unpacking.eof else -1


_SPACES = {"RGB": "RGB ", "GRAY": "L", "CMYK": "CMYK"}
_STEPS = range(0, 256, 51)
_SAME = 3
"""By how much of 255 a channel may differ and still be the same to the eye, and to the rounding of
profiles of sRGB made by different people."""
_MOST = 8_000_000
"""Bytes of a profile; those of printing presses have two million."""


class ProfileError(Exception):
    """A profile that can't be obeyed. The text goes on after "its color profile"."""


def profile_of(file: Image.Image) -> bytes | None:
    """Return the ICC profile that a file has in it."""
    found = file.info.get("icc_profile")
    return found if isinstance(found, bytes) and found else None


def space_of(mode: str) -> str:
    """Return the colors in which a profile for pictures of this mode is: RGB, L or CMYK."""
    if mode == "CMYK":
        return mode
    return "L" if mode in ("1", "L", "LA") or mode.startswith("I") else "RGB"


@lru_cache(maxsize=64)
def transform(profile: bytes, space: str) -> ImageCms.ImageCmsTransform | None:
    """Return the transform from pixels of this space to sRGB (gray stays gray); None if nothing would
    change. Raises ProfileError."""
    from PIL import ImageCms  # Pillow is loaded where there is a picture for it

    if len(profile) > _MOST:
        raise ProfileError(f"has more than {_MOST // 1_000_000} MB")
    target = "L" if space == "L" else "RGB"
    with Parsing(lambda _: ProfileError("can't be read"), ProfileError):
        source = ImageCms.ImageCmsProfile(BytesIO(profile))
        found = source.profile.xcolor_space.strip()
        if found != {"L": "GRAY"}.get(space, space):
            raise ProfileError(f"is for {found[:8]} colors, which the image doesn't use")
        made = ImageCms.buildTransform(
            source,
            ImageCms.createProfile("sRGB"),
            space,
            "RGB",
            ImageCms.Intent.RELATIVE_COLORIMETRIC,
            ImageCms.Flags.BLACKPOINTCOMPENSATION,
        )
    if space == "CMYK":
        return made
    sample = _sample(target)
    changed = made.apply(sample).convert(target)
    apart = max(abs(one - other) for one, other in zip(sample.tobytes(), changed.tobytes()))
    return made if apart > _SAME else None


def srgb_transform(file: Image.Image) -> ImageCms.ImageCmsTransform | None:
    """Return the transform of a picture's pixels to sRGB; None if they are close to it, or have no known
    profile. Raises ProfileError."""
    profile = profile_of(file)
    return transform(profile, space_of(file.mode)) if profile is not None else None


def _sample(space: str) -> Image.Image:
    """Return a picture of colors from all over, a pixel each."""
    from PIL import Image

    if space == "L":
        return Image.frombytes("L", (256, 1), bytes(range(256)))
    values = bytes(channel for r in _STEPS for g in _STEPS for b in _STEPS for channel in (r, g, b))
    return Image.frombytes("RGB", (len(values) // 3, 1), values)


def in_srgb(file: Image.Image, made: ImageCms.ImageCmsTransform) -> Image.Image:
    """Return a picture's pixels through a transform: L, RGB, or either with alpha. Its mode is a space's
    own, or brought there."""
    space = space_of(file.mode)
    if file.mode.startswith("I"):
        file = eight_bits(file)
    alpha = file.convert("RGBA").getchannel("A") if file.has_transparency_data else None
    colours = made.apply(file.convert(space))
    if space == "L":
        colours = colours.convert("L")
    if alpha is not None:
        colours = colours.convert("RGB")
        colours.putalpha(alpha)
    return colours


def eight_bits(file: Image.Image) -> Image.Image:
    """Return a gray picture of 16 bits in 8, and what is transparent in it."""
    made = file.convert("I").point(lambda value: value / 256).convert("L")
    key = file.info.get("transparency")
    if isinstance(key, int):
        made.info["transparency"] = key >> 8
    return made
