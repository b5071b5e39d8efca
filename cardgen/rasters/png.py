"""PNG written band by band, so that no picture is ever there as a whole.

Each row is its difference to the one above (PNG's filter 2), packed by zlib's quick search. For cards that
takes half the time of choosing a filter for each row, and not more bytes.
"""

from __future__ import annotations

import struct
import zlib
from typing import BinaryIO, TypeAlias

from PIL import Image, ImageChops

Rows: TypeAlias = bytes | bytearray | memoryview

_COLORS = {1: 0, 3: 2, 4: 6}
"""PNG's colour type for grey, RGB and RGBA."""
_BAND = 1 << 18
"""Bytes that are packed at a time: few enough for a processor's own memory."""
_CHUNK = 1 << 16
"""Bytes of each part of the file that holds pixels."""
_INCH_M = 0.0254
_UP = b"\x02"
_LEVEL = 2


class PngWriter:
    """A PNG of `size` pixels with `channels` of eight bits (1 grey, 3 RGB, 4 RGBA), which says that it
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
        """The next rows. ValueError for a part of a row, or for too many."""
        count, rest = divmod(len(rows), self._pitch)
        if rest or count > self._left:
            raise ValueError(f"{len(rows)} bytes where {self._left} rows of {self._pitch} are left")
        self._left -= count
        step = max(1, _BAND // self._pitch)
        view = memoryview(rows)
        for first in range(0, count, step):
            self._pack(view[first * self._pitch : (first + step) * self._pitch])

    def finish(self) -> None:
        """The end of the file. ValueError if rows are missing."""
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
