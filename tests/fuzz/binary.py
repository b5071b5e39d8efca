"""Mutations of files that are no text: pictures and fonts."""

from __future__ import annotations

import struct
import zlib
from random import Random

_PNG = b"\x89PNG\r\n\x1a\n"


def mutate_bytes(content: bytes, random: Random) -> bytes:
    """A file with some bytes changed. A PNG's checksums are mended most times, or no reader would go
    past them."""
    data = bytearray(content)
    for _ in range(random.choice((1, 1, 2, 4, 16))):
        if not data:
            break
        at = random.randrange(min(len(data), random.choice((64, 1024, len(data)))))
        what = random.randrange(7)
        if what == 0:
            data[at] ^= 1 << random.randrange(8)
        elif what == 1:
            data[at] = random.choice((0, 1, 127, 128, 255))
        elif what == 2:
            data[at : at + 4] = struct.pack(">I", random.choice((0, 1, 255, 65536, 2**31 - 1, 2**32 - 1)))
        elif what == 3:
            del data[at:]
        elif what == 4:
            data[at:at] = data[at : at + random.choice((1, 8, 200))] * random.choice((1, 5))
        elif what == 5:
            data[at : at + random.choice((1, 8, 200))] = b""
        else:
            data[at : at + random.choice((2, 16))] = random.randbytes(random.choice((2, 16)))
    done = bytes(data)
    return _mended(done) if done.startswith(_PNG) and random.random() < 0.8 else done


def _mended(png: bytes) -> bytes:
    """A PNG whose chunks have the checksums of what is in them."""
    parts, at = [png[:8]], 8
    while at + 8 <= len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if at + 12 + length > len(png):
            break
        body = png[at + 4 : at + 8 + length]
        parts += [png[at : at + 4], body, struct.pack(">I", zlib.crc32(body))]
        at += 12 + length
    return b"".join(parts) + png[at:]
