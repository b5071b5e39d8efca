"""Files of pixels to read, and profiles of colours."""

from __future__ import annotations

import random
import struct
from base64 import b64decode
from io import BytesIO
from typing import Any

from PIL import Image, ImageCms


def saved(form: str, image: Image.Image, **options: Any) -> bytes:
    """A file of this format."""
    file = BytesIO()
    if form == "WEBP":
        options = {"lossless": True, "method": 0, **options}
    image.save(file, form, **options)
    return file.getvalue()


HEIC = b64decode(
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAX1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAA"
    "AAAAAAAAAAACJpbG9jAAAAAERAAAEAAQAAAAABoQABAAAAAAAAADoAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAAB"
    "AABodmMxAAAAAA5waXRtAAAAAAABAAAA/WlwcnAAAADdaXBjbwAAAHZodmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADw"
    "NgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQAqQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbq5Ka5uAhoMCAA"
    "AAMDIAAAAwAhYgABAAZEAcFzwIkAAAATY29scm5jbHgAAQANAAaAAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAAoY2xhcA"
    "AAAEAAAAABAAAAIAAAAAEAAAAAAAAAAv///+AAAAACAAAAEHBpeGkAAAAAAwgICAAAABhpcG1hAAAAAAAAAAEAAQWB"
    "AgMFhAAAAEJtZGF0AAAANigBr1jm9Oq//+Vrv/6j/IfJ//9f/qr1X7QyT/sg1UktsDUYu8ag8XIQtIGEAZNtq+SEXJ"
    "axwA=="
)
"""A HEIC file, left red and right blue, 64 × 32 pixels."""


def noise() -> Image.Image:
    """300 × 300 pixels in every colour, the same each time."""
    return Image.frombytes("RGB", (300, 300), random.Random(1).randbytes(270_000))


def animated(form: str) -> bytes:
    """A file of two pictures."""
    pictures = [Image.new("RGB", (300, 300), colour) for colour in ("red", "blue")]
    return saved(form, pictures[0], save_all=True, append_images=pictures[1:])


def swapped() -> bytes:
    """A profile that is sRGB, but with what it calls red and green the other way round."""
    whole = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return whole.replace(b"rXYZ", b"####", 1).replace(b"gXYZ", b"rXYZ", 1).replace(b"####", b"gXYZ", 1)


def _profile(space: bytes, connection: bytes, kind: bytes, tags: dict[bytes, bytes]) -> bytes:
    """A profile of version 2 with these tags."""
    head = bytearray(128)
    head[8:12] = b"\x02\x40\0\0"
    head[12:24] = kind + space + connection
    head[36:40] = b"acsp"
    head[68:80] = struct.pack(">iii", 63190, 65536, 54061)
    tags = {b"wtpt": b"XYZ \0\0\0\0" + bytes(head[68:80]), **tags}
    table, content = b"", b""
    start = 128 + 4 + 12 * len(tags)
    for name, body in tags.items():
        body += bytes(-len(body) % 4)
        table += struct.pack(">4sII", name, start + len(content), len(body))
        content += body
    whole = bytes(head) + struct.pack(">I", len(tags)) + table + content
    return struct.pack(">I", len(whole)) + whole[4:]


def grey(gamma: float) -> bytes:
    """A profile of greys whose brightness goes by this power."""
    curve = b"curv\0\0\0\0" + struct.pack(">IH", 1, round(gamma * 256))
    return _profile(b"GRAY", b"XYZ ", b"mntr", {b"kTRC": curve})


def inks() -> bytes:
    """A profile of a press whose every ink halves what light there is."""
    nodes = b"".join(bytes((round(255 * 0.5 ** number.bit_count()), 128, 128)) for number in range(16))
    lut = _lut(4, 3, nodes)
    return _profile(b"CMYK", b"Lab ", b"prtr", {b"A2B0": lut, b"A2B1": lut})


def press() -> bytes:
    """A profile of a press, both ways, that prints black alone."""
    there = _lut(4, 3, b"".join(bytes((0 if number & 1 else 255, 128, 128)) for number in range(16)))
    back = _lut(3, 4, b"".join(bytes((0, 0, 0, 0 if number & 4 else 255)) for number in range(8)))
    names = (b"A2B0", b"A2B1", b"B2A0", b"B2A1")
    return _profile(b"CMYK", b"Lab ", b"prtr", dict(zip(names, (there, there, back, back))))


def _lut(inputs: int, outputs: int, nodes: bytes) -> bytes:
    """A table of 8 bits with two steps a channel."""
    head = b"mft1\0\0\0\0" + bytes((inputs, outputs, 2, 0))
    head += struct.pack(">9i", 65536, 0, 0, 0, 65536, 0, 0, 0, 65536)
    same = bytes(range(256))
    return head + same * inputs + nodes + same * outputs
