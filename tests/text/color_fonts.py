"""Small fonts whose letters have colors, pixels or nothing at all, made as tests need them."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fontTools.colorLib.builder import buildCOLR, buildCPAL
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables.otTables import PaintFormat
from fontTools.ttLib.tables.sbixGlyph import Glyph
from fontTools.ttLib.tables.sbixStrike import Strike
from PIL import Image

RED, BLUE, GREEN = 0, 1, 2
INK = 0xFFFF
_PALETTE = [(1, 0, 0, 1), (0, 0, 1, 1), (0, 1, 0, 1), (0, 0, 1, 0.5)]
_SHAPES = {
    "square": ((100, 0), (100, 700), (800, 700), (800, 0)),
    "left": ((100, 0), (100, 700), (450, 700), (450, 0)),
    "right": ((450, 0), (450, 700), (800, 700), (800, 0)),
    "x": ((50, 0), (50, 500), (450, 500), (450, 0)),
    "H": ((50, 0), (50, 700), (450, 700), (450, 0)),
}


def solid(index: int = RED, alpha: float = 1.0) -> dict[str, Any]:
    return {"Format": PaintFormat.PaintSolid, "PaletteIndex": index, "Alpha": alpha}


def glyph(name: str, paint: Mapping[str, Any]) -> dict[str, Any]:
    return {"Format": PaintFormat.PaintGlyph, "Glyph": name, "Paint": paint}


def layers(*paints: Mapping[str, Any]) -> dict[str, Any]:
    return {"Format": PaintFormat.PaintColrLayers, "Layers": list(paints)}


def line(*stops: tuple[float, int], extend: str = "pad") -> dict[str, Any]:
    """A color line of palette entries at offsets."""
    return {
        "ColorStop": [{"StopOffset": at, "PaletteIndex": index, "Alpha": 1.0} for at, index in stops],
        "Extend": extend,
    }


def plain(letters: str = "AxH", *, blank: str = "", **said: str) -> FontBuilder:
    """A font of boxes for these letters, and of empty glyphs for `blank`."""
    names = {char: char if char in _SHAPES else f"u{ord(char):04X}" for char in letters + blank}
    order = [".notdef", "space", *_SHAPES, *(name for name in names.values() if name not in _SHAPES)]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap({32: "space", **{ord(char): name for char, name in names.items()}})
    glyphs = {}
    for name in order:
        pen = TTGlyphPen(None)
        empty = name in (".notdef", "space") or name in {names[char] for char in blank}
        if not empty:
            first, *others = _SHAPES.get(name, _SHAPES["square"])
            pen.moveTo(first)
            for place in others:
                pen.lineTo(place)
            pen.closePath()
        glyphs[name] = pen.glyph()
    builder.setupGlyf(glyphs)
    lefts = {name: getattr(made, "xMin", 0) for name, made in builder.font["glyf"].glyphs.items()}
    builder.setupHorizontalMetrics({name: (900 if name != "space" else 300, lefts[name]) for name in order})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    names_of = {"familyName": "Color Box", "styleName": "Regular", "psName": "ColorBox-Regular", **said}
    builder.setupNameTable(names_of)
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWeightClass=400)
    builder.setupPost()
    return builder


def saved(builder: FontBuilder) -> bytes:
    out = io.BytesIO()
    builder.font.save(out)
    return out.getvalue()


def colored(paint: Any, *, version: int = 1, empty: bool = True) -> bytes:
    """A font whose A is painted so; `empty` leaves it no outline of one color."""
    builder = plain("xH" if empty else "AxH", blank="A" if empty else "")
    name = "u0041"
    builder.font["COLR"] = buildCOLR(
        {name: paint}, version=version, glyphMap=builder.font.getReverseGlyphMap()
    )
    builder.font["CPAL"] = buildCPAL([_PALETTE])
    return saved(builder)


def drawn(document: str) -> bytes:
    """A font whose A is a drawing of the table SVG; `{}` in the document is the number of its glyph."""
    builder = plain("xH", blank="A")
    gid = builder.font.getGlyphID("u0041")
    table = builder.font["SVG "] = newTable("SVG ")
    table.docList = [(document.replace("{}", str(gid)), gid, gid)]
    return saved(builder)


def pixelated(table: str = "sbix", drawn: str = "", **said: str) -> bytes:
    """A font whose letters are pixels only, but for those `drawn`."""
    builder = plain(drawn, blank="".join(char for char in "AxH" if char not in drawn), **said)
    _add_pixels(builder.font, table)
    return saved(builder)


def _add_pixels(font: TTFont, tag: str) -> None:
    """Give each letter without an outline a PNG of 32 x 32 pixels; those of EBDT are never read."""
    blank = [name for name in font.getBestCmap().values() if not font["glyf"][name].numberOfContours]
    png = io.BytesIO()
    Image.new("RGBA", (32, 32), "red").save(png, "PNG")
    table = font[tag] = newTable(tag)
    if tag == "sbix":
        strike = Strike(ppem=32, resolution=72)
        for name in font.getGlyphOrder():
            made = {"graphicType": "png ", "imageData": png.getvalue()} if name in blank else {}
            strike.glyphs[name] = Glyph(glyphName=name, **made)
        table.version, table.flags, table.strikes = 1, 1, {32: strike}
    elif tag == "CBDT":
        record = bytes([32, 32, 0, 32, 32]) + len(png.getvalue()).to_bytes(4, "big") + png.getvalue()
        gids = sorted(font.getGlyphID(name) for name in blank)
        first, last = gids[0], gids[-1]
        # One strike, whose only subtable (format 1) has the same pixels for each glyph.
        starts = [4 + len(record) * sum(gid < each for gid in gids) for each in range(first, last + 2)]
        index = struct.pack(">HHI", 1, 17, 0) + struct.pack(f">{len(starts)}I", *starts)
        list_of_one = struct.pack(">HHI", first, last, 8) + index
        lines = struct.pack(">12b", 32, 0, *[0] * 10) * 2
        size = struct.pack(">4I", 56, len(list_of_one), 1, 0) + lines
        size += struct.pack(">HH4B", first, last, 32, 32, 32, 1)
        table.compile = lambda _: b"\x00\x03\x00\x00" + record * len(gids)
        font["CBLC"] = places = newTable("CBLC")
        places.compile = lambda _: struct.pack(">II", 0x30000, 1) + size + list_of_one
    else:
        table.compile = lambda _: b"\x00\x02\x00\x00"


def changed(data: bytes, change: Callable[[TTFont], object]) -> bytes:
    font = TTFont(io.BytesIO(data))
    change(font)
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def declare(root: Path, family: str, data: bytes, file: str = "f/ColorBox.ttf", weight: int = 400) -> None:
    """Put a font into a project, as its only family."""
    path = root / "fonts" / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    entry = f"families:\n  {family}:\n    faces:\n      - {{file: {file}, weight: {weight}}}\n"
    (root / "fonts/fonts.yaml").write_text(entry, encoding="utf-8")
