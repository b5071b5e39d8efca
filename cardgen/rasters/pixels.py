"""The pixels of a picture's file: whether all of them are there, and reading them."""

from __future__ import annotations

import os
import struct
import threading
import warnings
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING

from cardgen.foreign import Parsing
from cardgen.rasters.header import Header, RasterError, png_chunks

if TYPE_CHECKING:
    from PIL import Image

_CHUNK = 1 << 20
_TERMINAL = threading.Lock()
"""Held while the process's error output leads nowhere."""
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""The passes of an interlaced PNG: first column and row, steps across and down."""


def open_pixels(data: bytes, header: Header) -> Image.Image:
    """The picture, its pixels not yet read. Raises RasterError."""
    from PIL import Image  # loaded where there is a picture for it

    with Parsing(lambda _: RasterError("is damaged")), warnings.catch_warnings():
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
    return RasterError("is damaged: not all of its pixels are there", "save it again")


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
        raise ValueError("it holds other than the pixels that it says")


def _unpacked(parts: Iterable[memoryview], most: int) -> int:
    """How many bytes a zlib stream unpacks to, -1 if it doesn't end; it is gone through until that is more
    than `most`."""
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
