"""Fonts of a document, by what was shown with them: programs that hold the glyphs, widths that agree
with them, text that can be had back (ISO 32000-1, 9.6 to 9.10)."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from typing import Any

import pikepdf
from fontTools.cffLib import CFFFontSet
from fontTools.ttLib import TTFont, TTLibError

from tests.pdf_grammar.lexer import FaultError, Keyword, Reader, String
from tests.pdf_grammar.resources import numbers

_SUBSET = re.compile(r"/[A-Z]{6}\+[!-~]+")
_STANDARD = re.compile(
    r"/(Helvetica|Times|Courier)(-(Bold|Roman|Italic|Oblique|BoldItalic|BoldOblique))?|/Symbol|/ZapfDingbats"
)
CLOSE = 1.0
"""Widths may be rounded: thousandths of an em."""


def font_faults(font: Any, codes: set[int], glyph: Callable[[Any, Any, str], None]) -> Iterator[str]:
    """A font that showed `codes`. `glyph(stream, resources, name)` looks at the procedures of Type 3."""
    kind = str(font.get("/Subtype"))
    if kind == "/Type0":
        yield from _composite(font, codes)
    elif kind == "/Type3":
        yield from _drawn(font, codes, glyph)
    elif kind in ("/TrueType", "/Type1", "/MMType1"):
        yield from _simple(font, codes)
    else:
        yield f"/Subtype {kind}"
    unicode = font.get("/ToUnicode")
    if unicode is not None:
        yield from _unicode_faults(unicode.read_bytes(), 2 if kind == "/Type0" else 1, codes)
    elif kind in ("/Type0", "/Type3"):
        yield "no /ToUnicode"


def _composite(font: Any, codes: set[int]) -> Iterator[str]:
    if font.get("/Encoding") != "/Identity-H":
        yield f"/Encoding {font.get('/Encoding')}"
    below = font.get("/DescendantFonts")
    if not isinstance(below, pikepdf.Array) or len(below) != 1:
        yield "/DescendantFonts is not an array of one"
        return
    inner = below[0]
    kind = str(inner.get("/Subtype"))
    descriptor = inner.get("/FontDescriptor")
    if kind not in ("/CIDFontType0", "/CIDFontType2") or not isinstance(descriptor, pikepdf.Dictionary):
        yield f"a descendant of /Subtype {kind}"
        return
    name = str(inner.get("/BaseFont"))
    wanted = name if kind == "/CIDFontType2" else (name, f"{name}-Identity-H")
    if str(font.get("/BaseFont")) not in wanted or str(descriptor.get("/FontName")) != name:
        yield f"the names {font.get('/BaseFont')}, {name} and {descriptor.get('/FontName')}"
    info = inner.get("/CIDSystemInfo", {})
    if {str(key) for key in info} != {"/Registry", "/Ordering", "/Supplement"}:
        yield "/CIDSystemInfo"
    glyphs = inner.get("/CIDToGIDMap")
    mapped = isinstance(glyphs, pikepdf.Stream)
    if kind == "/CIDFontType2" and not mapped and glyphs != "/Identity":
        yield f"/CIDToGIDMap {glyphs}"
    table = glyphs.read_bytes() if mapped else b""
    file = "/FontFile2" if kind == "/CIDFontType2" else "/FontFile3"
    yield from _descriptor_faults(descriptor, file)
    if file not in descriptor:
        return
    try:
        widths = dict(_cid_widths(inner.get("/W", pikepdf.Array())))
    except ValueError as error:
        yield f"/W: {error}"
        return
    try:
        advances = _advances(descriptor)
    except (TTLibError, KeyError, IndexError, AssertionError, ValueError) as error:
        yield f"its program cannot be read: {error!r}"
        return
    default = float(inner.get("/DW", 1000))
    for code in sorted(codes):
        glyph = int.from_bytes(table[2 * code : 2 * code + 2], "big") if mapped else code
        if glyph not in advances:
            yield f"glyph {glyph} is shown, which its program lacks"
        elif abs(widths.get(code, default) - advances[glyph]) > CLOSE:
            yield f"glyph {glyph} is {advances[glyph]:g} wide, not {widths.get(code, default):g}"


def _cid_widths(array: Any) -> Iterator[tuple[int, float]]:
    """The entries of a W array. Raises ValueError for what is none, and for a code that has two."""
    items = list(array)
    seen: set[int] = set()
    at = 0
    while at < len(items):
        first = items[at]
        if not isinstance(first, int) or at + 1 >= len(items):
            raise ValueError("it ends in the middle")
        if isinstance(items[at + 1], pikepdf.Array):
            listed = [(first + index, float(width)) for index, width in enumerate(items[at + 1])]
            at += 2
        else:
            last, width = items[at + 1], float(items[at + 2])
            listed = [(code, width) for code in range(first, last + 1)]
            at += 3
        for code, width in listed:
            if code in seen:
                raise ValueError(f"code {code} has two widths")
            seen.add(code)
            yield code, width


def _advances(descriptor: Any) -> dict[int, float]:
    """Advances of all glyphs of an embedded program, in thousandths of an em, by glyph id."""
    if "/FontFile2" in descriptor:
        with TTFont(io.BytesIO(descriptor.FontFile2.read_bytes()), lazy=True) as program:
            scale = 1000 / program["head"].unitsPerEm
            program["glyf"]  # it can be parsed
            metrics = program["hmtx"].metrics
            return {index: metrics[name][0] * scale for index, name in enumerate(program.getGlyphOrder())}
    fonts = CFFFontSet()
    fonts.decompile(io.BytesIO(descriptor.FontFile3.read_bytes()), None, isCFF2=False)
    top = fonts[0]
    scale = 1000 * top.FontMatrix[0]
    advances = {}
    for index, name in enumerate(top.charset):
        glyph, _ = top.CharStrings.getItemAndSelector(name)
        glyph.draw(_Nowhere())
        advances[index] = glyph.width * scale
    return advances


class _Nowhere:
    """A pen that draws nothing."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_: None


def _descriptor_faults(descriptor: Any, file: str | None) -> Iterator[str]:
    name = str(descriptor.get("/FontName"))
    if not _SUBSET.fullmatch(name):
        yield f"the name {name} of a subset"
    for key in ("/Flags", "/ItalicAngle", "/Ascent", "/Descent", "/CapHeight", "/StemV"):
        if isinstance(descriptor.get(key), (pikepdf.Object, bool, type(None))):
            yield f"{key} {descriptor.get(key)} of the descriptor"
    box = numbers(descriptor.get("/FontBBox"), 4)
    if box is None or box[0] >= box[2] or box[1] >= box[3]:
        yield f"/FontBBox {box}"
    flags = int(descriptor.get("/Flags", 0))
    if bool(flags & 4) == bool(flags & 32):
        yield f"/Flags {flags} say neither symbolic nor not, or both"
    if descriptor.get("/Ascent", 0) < 0 or descriptor.get("/Descent", 0) > 0:
        yield f"/Ascent {descriptor.get('/Ascent')} /Descent {descriptor.get('/Descent')}"
    files = [key for key in ("/FontFile", "/FontFile2", "/FontFile3") if key in descriptor]
    if len(files) != 1 or (file is not None and files != [file]):
        yield f"programs {files} instead of {file}"
        return
    stream = descriptor[files[0]]
    if files == ["/FontFile2"] and stream.get("/Length1") != len(stream.read_bytes()):
        yield f"/Length1 {stream.get('/Length1')} of a program of {len(stream.read_bytes())} bytes"
    if files == ["/FontFile3"] and stream.get("/Subtype") not in ("/CIDFontType0C", "/Type1C", "/OpenType"):
        yield f"/Subtype {stream.get('/Subtype')} of a program"


def _simple(font: Any, codes: set[int]) -> Iterator[str]:
    descriptor = font.get("/FontDescriptor")
    if descriptor is None:
        if not _STANDARD.fullmatch(str(font.get("/BaseFont"))):
            yield f"{font.get('/BaseFont')} is not embedded"
        elif codes:
            yield f"{font.get('/BaseFont')} is shown and not embedded"
        return
    if descriptor.get("/FontName") != font.get("/BaseFont"):
        yield f"the names {font.get('/BaseFont')} and {descriptor.get('/FontName')}"
    yield from _descriptor_faults(descriptor, "/FontFile2" if font.get("/Subtype") == "/TrueType" else None)
    yield from _width_faults(font, codes)


def _width_faults(font: Any, codes: set[int]) -> Iterator[str]:
    first, last, widths = font.get("/FirstChar"), font.get("/LastChar"), numbers(font.get("/Widths"))
    if widths is None or not isinstance(first, int) or not isinstance(last, int):
        yield "no /Widths"
    elif len(widths) != last - first + 1:
        yield f"{len(widths)} widths for the codes {first} to {last}"
    elif codes and not first <= min(codes) <= max(codes) <= last:
        yield f"codes {min(codes)} to {max(codes)} are shown, which have no width"


def _drawn(font: Any, codes: set[int], glyph: Callable[[Any, Any, str], None]) -> Iterator[str]:
    if numbers(font.get("/FontBBox"), 4) is None or numbers(font.get("/FontMatrix"), 6) is None:
        yield "/FontBBox and /FontMatrix"
    procedures = font.get("/CharProcs", {})
    resources = font.get("/Resources")
    named: dict[int, str] = {}
    encoding = font.get("/Encoding")
    code = 0
    for item in encoding.get("/Differences", []) if isinstance(encoding, pikepdf.Dictionary) else []:
        if isinstance(item, int):
            code = item
        else:
            named[code] = str(item)
            code += 1
    for shown in sorted(codes):
        if named.get(shown) not in procedures:
            yield f"code {shown} is shown, which has no glyph"
    for name, stream in procedures.items():
        glyph(stream, resources, str(name))
    yield from _width_faults(font, codes)


def _unicode_faults(data: bytes, width: int, codes: set[int]) -> Iterator[str]:
    """A ToUnicode CMap: its blocks by their counts, its codes of `width` bytes in order."""
    given: set[int] = set()
    operands: list[object] = []
    try:
        reader = Reader(data)
        while (found := reader.value()) is not None:
            if not isinstance(found[1], Keyword):
                operands.append(found[1])
                continue
            word = found[1].word
            if word in (b"beginbfchar", b"beginbfrange", b"begincodespacerange"):
                block, count = word[5:], operands[-1] if operands else None
                operands = []
                entries: list[Any] = []
                while (inner := reader.value()) is not None and inner[1] != Keyword(b"end" + block):
                    entries.append(inner[1])
                across = {b"bfchar": 2, b"bfrange": 3, b"codespacerange": 2}[block]
                if type(count) is not int or count > 100 or len(entries) != count * across:
                    yield f"/ToUnicode: {len(entries)} values for {count} entries of {block.decode()}"
                    return
                if block != b"codespacerange":
                    yield from _entries(block, entries, across, width, given)
            operands = []
    except FaultError as fault:
        yield f"/ToUnicode: {fault}"
        return
    if not given and codes:
        yield "/ToUnicode names no code"


def _entries(block: bytes, entries: list[Any], across: int, width: int, given: set[int]) -> Iterator[str]:
    for start in range(0, len(entries), across):
        ends, texts = entries[start : start + across - 1], entries[start + across - 1]
        if not all(isinstance(end, String) and end.hex and len(end.data) == width for end in ends):
            yield f"/ToUnicode: {ends} are not codes of {width} bytes"
            return
        low, high = int.from_bytes(ends[0].data, "big"), int.from_bytes(ends[-1].data, "big")
        if low > high or given & set(range(low, high + 1)):
            yield f"/ToUnicode: code {low} stands twice"
        given.update(range(low, high + 1))
        for text in texts if isinstance(texts, list) else [texts]:
            try:
                assert isinstance(text, String)
                if not text.data.decode("utf-16-be"):
                    yield f"/ToUnicode: code {low} means nothing"
            except (UnicodeDecodeError, AssertionError):
                yield f"/ToUnicode: code {low} means {text!r}"
