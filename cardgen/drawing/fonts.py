"""Fonts as PDF objects: one subset for a whole build, glyph ids kept, text recoverable.

TrueType becomes CIDFontType2 with FontFile2, CFF becomes CIDFontType0 with a CIDFontType0C FontFile3;
both are written with two-byte identity codes, so that a code in a content stream is the glyph's id in
the font file (ISO 32000-1, 9.7 and 9.9).
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import uharfbuzz as hb

from cardgen.drawing.objects import DrawingError, PdfObject, digest, reference
from cardgen.findings import Finding, Location, Severity
from cardgen.model.font_weights import stated_weight

_COLORS = tuple(
    int.from_bytes(tag, "big") for tag in (b"COLR", b"CPAL", b"SVG ", b"CBDT", b"CBLC", b"sbix")
)
"""Tables for letters in colors, which are drawn as pictures."""


_OS2, _POST = 68, 32
"""Bytes of these tables in their first versions; fonts without them are usual ones."""


class Font(Protocol):
    """What drawing needs of a `cardgen.typesetting` font. `advance` is in em."""

    @property
    def key(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def face(self) -> Any: ...
    @property
    def unicode_of(self) -> Mapping[int, str]: ...
    def advance(self, gid: int, /) -> float: ...


class Fonts(Protocol):
    """What drawing needs of a font book."""

    def by_key(self, key: str, /) -> Font: ...


@dataclass(frozen=True, slots=True)
class FontFacts:
    """What a font file says about itself, in 1/1000 em where it is a length."""

    bbox: tuple[int, int, int, int]
    ascent: int
    descent: int
    cap_height: int
    weight: int
    """1 to 1000; 400 is regular, 700 bold."""
    italic_angle: float
    fixed_pitch: bool
    serif: bool

    @property
    def flags(self) -> int:
        """ISO 32000-1 table 123. Symbolic, since codes are glyph ids and no character set."""
        return 1 * self.fixed_pitch | 2 * self.serif | 4 | 64 * (self.italic_angle != 0)

    @property
    def stem(self) -> int:
        """Width of vertical stems. Font files don't say; this rule of thumb from the weight gives 88
        for regular and 166 for bold. Viewers use it only when they must replace the font."""
        return round(50 + (self.weight / 65) ** 2)


def font_facts(face: Any) -> FontFacts:
    """Read the tables head, hhea, OS/2 and post of an hb.Face (layout: the OpenType specification)."""
    head, hhea, os2, post = (
        bytes(face.reference_table(tag).data or b"") for tag in ("head", "hhea", "OS/2", "post")
    )
    os2 = os2 if len(os2) >= _OS2 else b""
    bold = bool(head[45] & 1)
    scale = 1000 / struct.unpack_from(">H", head, 18)[0]
    ascent, descent = (round(value * scale) for value in struct.unpack_from(">hh", hhea, 4))
    cap_height = struct.unpack_from(">h", os2, 88)[0] if len(os2) >= 90 and os2[1] >= 2 else 0
    left, bottom, right, top = (round(value * scale) for value in struct.unpack_from(">4h", head, 36))
    return FontFacts(
        bbox=(left, bottom, right, top),
        ascent=ascent,
        descent=descent,
        cap_height=round(cap_height * scale) or ascent,
        weight=stated_weight(struct.unpack_from(">H", os2, 4)[0] if os2 else 0, bold=bold),
        italic_angle=struct.unpack_from(">i", post, 4)[0] / 65536 if len(post) >= _POST else 0.0,
        fixed_pitch=len(post) >= _POST and struct.unpack_from(">I", post, 12)[0] != 0,
        serif=bool(os2) and os2[30] in (1, 2, 3, 4, 5, 7),  # the classes of sFamilyClass that have serifs
    )


def font_name(key: str) -> str:
    """The name of a font's object; no two fonts have the same."""
    return "font-" + re.sub(r"[^0-9A-Za-z-]", lambda match: f".{ord(match[0]):x}.", key)


def font_objects(font: Font, gids: Iterable[int]) -> list[PdfObject]:
    """A font with the glyphs `gids` as PDF objects, references first; the last, named
    `font_name(font.key)`, is what a /Font resource refers to."""
    used = sorted({0, *gids})
    program, cff = _subset(font, used)
    facts = font_facts(font.face)
    base = b"%s+%s" % (_tag(program), re.sub(r"[^0-9A-Za-z-]", "", font.key).encode("ascii"))
    kind = b"/Subtype/CIDFontType0C" if cff else b"/Length1 %d" % len(program)
    file = _stream(kind, program)
    descriptor = PdfObject.of(
        b"<</Type/FontDescriptor/FontName/%s/Flags %d/FontBBox[%d %d %d %d]/ItalicAngle %s"
        b"/Ascent %d/Descent %d/CapHeight %d/StemV %d/FontFile%s %s>>"
        % (
            base,
            facts.flags,
            *facts.bbox,
            _number(facts.italic_angle),
            facts.ascent,
            facts.descent,
            facts.cap_height,
            facts.stem,
            b"3" if cff else b"2",
            reference(file.name),
        )
    )
    descendant = PdfObject.of(
        b"<</Type/Font/Subtype/CIDFontType%s/BaseFont/%s"
        b"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
        b"/FontDescriptor %s/W[%s]/DW 0%s>>"
        % (
            b"0" if cff else b"2",
            base,
            reference(descriptor.name),
            _widths(font, used),
            b"" if cff else b"/CIDToGIDMap/Identity",
        )
    )
    unicode = _stream(b"", _unicode_map(font.unicode_of, used))
    root = PdfObject(
        font_name(font.key),
        b"<</Type/Font/Subtype/Type0/BaseFont/%s/Encoding/Identity-H/DescendantFonts[%s]/ToUnicode %s>>"
        % (base, reference(descendant.name), reference(unicode.name)),
    )
    return [file, descriptor, descendant, unicode, root]


def _subset(font: Font, gids: list[int]) -> tuple[bytes, bool]:
    """The font program with only these glyphs, numbered as before, and whether it is CFF."""
    wanted = hb.SubsetInput()
    wanted.glyph_set.update(gids)
    wanted.drop_table_tag_set.update(_COLORS)
    wanted.flags = hb.SubsetFlags.RETAIN_GIDS | hb.SubsetFlags.NO_HINTING
    try:
        face = hb.subset(font.face, wanted)
    except RuntimeError as error:
        place = Location(font.file)
        raise DrawingError(
            Finding(
                Severity.ERROR, "font/subset", "the font is damaged", place, "get another copy of the file"
            )
        ) from error
    cff = bytes(face.reference_table("CFF ").data)
    return (cff, True) if cff else (bytes(face.blob.data), False)


def _tag(program: bytes) -> bytes:
    """Six capitals that tell this subset from others of the same font (ISO 32000-1, 9.6.4)."""
    value = int(digest(program), 16)
    letters = []
    for _ in range(6):
        value, letter = divmod(value, 26)
        letters.append(65 + letter)
    return bytes(letters)


def _widths(font: Font, gids: list[int]) -> bytes:
    """A W array: runs of consecutive glyph ids, widths in 1/1000 em."""
    parts: list[bytes] = []
    previous = -2
    for gid in gids:
        width = _number(round(font.advance(gid) * 1000, 2))
        if gid == previous + 1:
            parts[-1] += b" " + width
        else:
            parts.append(b"%d[%s" % (gid, width))
        previous = gid
    return b"]".join(parts) + b"]"


def _number(value: float) -> bytes:
    """A number as PDF writes it, six digits of it; what would need an exponent is as good as nothing."""
    text = b"%g" % value
    return b"0" if b"e-" in text else b"%.0f" % value if b"e" in text else text


def _unicode_map(unicode_of: Mapping[int, str], gids: list[int]) -> bytes:
    """A ToUnicode CMap. A ligature's glyph stands for all its letters."""
    entries = [
        b"<%04X> <%s>" % (gid, unicode_of[gid].encode("utf-16-be").hex().upper().encode("ascii"))
        for gid in gids
        if unicode_of.get(gid)
    ]
    blocks = [entries[start : start + 100] for start in range(0, len(entries), 100)]  # 100: Adobe TN 5014
    body = b"".join(
        b"%d beginbfchar\n%s\nendbfchar\n" % (len(block), b"\n".join(block)) for block in blocks
    )
    return (
        b"/CIDInit/ProcSet findresource begin 12 dict begin begincmap\n"
        b"/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def\n"
        b"/CMapName/Adobe-Identity-UCS def/CMapType 2 def\n"
        b"1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n"
        + body
        + b"endcmap CMapName currentdict/CMap defineresource pop end end\n"
    )


def _stream(entries: bytes, data: bytes) -> PdfObject:
    packed = zlib.compress(data, 6)
    return PdfObject.of(b"<<%s/Filter/FlateDecode/Length %d>>" % (entries, len(packed)), packed)
