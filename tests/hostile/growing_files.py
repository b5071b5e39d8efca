"""Binary files that grow with n: pictures, fonts, color profiles, repositories, answers of servers."""

from __future__ import annotations

import base64
import hashlib
import struct
import time
import zlib
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, cast

from tests.svg.samples import press, saved

FONT = Path(__file__).resolve().parents[2] / "fonts/ibm-plex-sans/IBMPlexSans-Bold.ttf"


def encoded(content: bytes) -> dict[str, str]:
    """Return the payload of a binary file."""
    return {"base64": base64.b64encode(content).decode()}


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(zeros: int = 0, chunks: int = 0) -> bytes:
    """Return a PNG of 9 × 9 pixels that unpacks to some zeros, or with some texts before its pixels."""
    head = _chunk(b"IHDR", struct.pack(">IIBBBBB", 9, 9, 8, 2, 0, 0, 0))
    pixels = _chunk(b"IDAT", zlib.compress(bytes(zeros or 9 * 28), 9))
    return b"\x89PNG\r\n\x1a\n" + head + _chunk(b"tEXt", b"a\0b") * chunks + pixels + _chunk(b"IEND", b"")


def jpeg(*, scans: int = 0, notes: int = 0) -> bytes:
    """Return a progressive JPEG whose first scan comes again, or with notes after its start."""
    from PIL import Image

    whole = saved("JPEG", Image.effect_noise((200, 200), 40).convert("RGB"), progressive=True)
    start = whole.index(b"\xff\xda")
    end = start + 2
    while not (whole[end] == 0xFF and whole[end + 1] in (0xC4, 0xDA)):
        end += 1
    note = b"\xff\xe2\0\x0eICC_PROFILE\0"
    return whole[:2] + note * notes + whole[2:start] + whole[start:end] * scans + whole[start:]


def webp(chunks: int) -> bytes:
    """Return a WebP with unknown chunks after its picture."""
    from PIL import Image

    whole = saved("WEBP", Image.new("RGBA", (9, 9), (1, 2, 3, 4)))
    start = whole.index(b"VP8L")
    inside = b"WEBPVP8X" + struct.pack("<IB3xHBHB", 10, 0x10, 8, 0, 8, 0) + whole[start:]
    inside += b"abcd\x02\0\0\0xx" * chunks
    return b"RIFF" + struct.pack("<I", len(inside)) + inside


def tiff(strips: int) -> bytes:
    """Return a TIFF with a row in each strip."""
    numbers = struct.pack(f"<{strips}I", *([8] * strips)), struct.pack(f"<{strips}I", *([3] * strips))
    pixels = b"abc\0"
    at = 8 + len(pixels)
    tags = [(256, 4, 1, 1), (257, 4, 1, strips), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 2)]
    tags += [(273, 4, strips, at), (277, 3, 1, 3), (278, 4, 1, 1), (279, 4, strips, at + 4 * strips)]
    table = struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHII", *tag) for tag in tags) + bytes(4)
    start = at + 8 * strips
    return b"II*\0" + struct.pack("<I", start) + pixels + b"".join(numbers) + table


def gif(blocks: int) -> bytes:
    """Return a GIF with a comment of many blocks before its picture."""
    from PIL import Image

    whole = saved("GIF", Image.new("P", (9, 9)))
    start = 13 + (3 << (whole[10] & 7) + 1 if whole[10] & 0x80 else 0)
    return whole[:start] + b"!\xfe" + b"\x01a" * blocks + b"\0" + whole[start:]


def icc(*, tags: int = 0, behind: int = 0) -> bytes:
    """Return a profile of a press with more tags, all of one place, or with more bytes in its last tag."""
    whole = press() + bytes(behind)
    (count,) = struct.unpack_from(">I", whole, 128)
    table = [list(struct.unpack_from(">4sII", whole, 132 + 12 * index)) for index in range(count)]
    table[-1][2] += behind
    table += [[f"{index:04x}"[-4:].encode(), *table[0][1:]] for index in range(tags)]
    moved = b"".join(struct.pack(">4sII", name, at + 12 * tags, size) for name, at, size in table)
    whole = whole[:128] + struct.pack(">I", count + tags) + moved + whole[132 + 12 * count :]
    return struct.pack(">I", len(whole)) + whole[4:]


@cache
def _letters() -> bytes:
    """Return a font of a few letters."""
    from fontTools import subset
    from fontTools.ttLib import TTFont

    options = subset.Options(layout_features=[], notdef_outline=True, glyph_names=True)
    file, out = TTFont(FONT), BytesIO()
    cut = subset.Subsetter(options)
    cut.populate(text="ABCDEFGHIJ ")
    cut.subset(file)
    file.save(out)
    return out.getvalue()


def font(kind: str, n: int) -> bytes:
    """Return a font with n parts in each of six composite glyphs, n substitutes of a letter six times, n
    names, n groups of characters, or n tables."""
    from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
    from fontTools.ttLib import TTFont
    from fontTools.ttLib.tables._g_l_y_f import Glyph, GlyphComponent
    from fontTools.ttLib.tables.DefaultTable import DefaultTable

    file, out = TTFont(BytesIO(_letters())), BytesIO()
    file.ensureDecompiled()
    if kind == "composites":
        for name, part in zip("ABCDEF", "BCDEFG", strict=True):
            whole = Glyph()
            whole.numberOfContours, whole.components = -1, []
            whole.xMin = whole.yMin = whole.xMax = whole.yMax = 0
            for _ in range(n):
                component = GlyphComponent()
                component.glyphName, component.x, component.y, component.flags = part, 1, 1, 3
                whole.components.append(component)
            file["glyf"][name] = whole
        file.recalcBBoxes = False
    elif kind == "substitutes":
        lookups = (f"lookup l{i} {{ sub A by {' '.join('A' * n)}; }} l{i};" for i in range(6))
        addOpenTypeFeaturesFromString(file, f"feature ccmp {{ {' '.join(lookups)} }} ccmp;")
    elif kind == "names":
        for number in range(n):
            file["name"].setName("a" * 30, 256 + number, 3, 1, 0x409)
    elif kind == "groups":
        groups = b"".join(struct.pack(">LLL", 65, 0x10FFFF, 1) for _ in range(n))
        table = struct.pack(">HHLLL", 13, 0, 16 + len(groups), 0, n) + groups
        raw = DefaultTable("cmap")
        raw.data = struct.pack(">HHHHL", 0, 1, 3, 10, 12) + table
        file.tables["cmap"] = raw
    elif kind == "tables":
        for number in range(n):
            raw = DefaultTable(f"x{number:03x}"[:4])
            raw.data = b"x"
            file.tables[raw.tableTag] = raw
    file.save(out, reorderTables=False)
    return out.getvalue()


def repository(*, files: int = 1, branches: int = 1, commits: int = 1) -> dict[str, Any]:
    """Return the payload of a `.git` folder with a commit of so many empty cards, branches and commits
    before it."""
    found: dict[str, Any] = {
        ".git/HEAD": "ref: refs/heads/main\n",
        ".git/config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
        ".git/objects/info/alternates": "",
        ".git/refs/heads/none": {"folder": True},
    }

    def stored(kind: str, content: bytes) -> str:
        whole = f"{kind} {len(content)}\0".encode() + content
        name = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
        found[f".git/objects/{name[:2]}/{name[2:]}"] = encoded(zlib.compress(whole, 1))
        return name

    blob = bytes.fromhex(stored("blob", b""))
    entries = b"".join(b"100644 %06d.md\0%s" % (number, blob) for number in range(files))
    tree = stored("tree", entries)
    for name in ("demo", "data"):
        tree = stored("tree", f"40000 {name}\0".encode() + bytes.fromhex(tree))
    parent = ""
    for number in range(commits):
        text = (
            f"tree {tree}\n{parent}author A <a@b> {number} +0000\ncommitter A <a@b> {number} +0000\n\na\n"
        )
        commit = stored("commit", text.encode())
        parent = f"parent {commit}\n"
    heads = "".join(f"{commit} refs/heads/b{number:07}\n" for number in range(branches))
    found[".git/packed-refs"] = f"# pack-refs with: peeled fully-peeled sorted \n{heads}"
    found[".git/refs/heads/main"] = f"{commit}\n"
    return found


def read_answer(path: Path) -> None:
    """Read a server's answer from a file, as `pull` does."""
    from cardgen.files.network import Address, Deadline, Exchange, FetchError, in_words
    from tests.test_foreign import Channel

    deadline = Deadline(60)
    try:
        with in_words("sheets.example", deadline):
            channel = cast("Any", Channel(path.read_bytes()))
            Exchange(channel, deadline, Address("sheets.example", 443, "/"), 16_000_000).content()
    except FetchError:
        pass


def work_linearly(path: Path) -> None:
    """Take 40 ms of the processor for each kB of a file."""
    _work(path.stat().st_size / 1000)


def work_quadratically(path: Path) -> None:
    """Take 40 ms of the processor for each kB of a file, times its kB."""
    _work((path.stat().st_size / 1000) ** 2)


def _work(amount: float) -> None:
    start = time.process_time()
    while time.process_time() - start < 0.04 * amount:
        pass
