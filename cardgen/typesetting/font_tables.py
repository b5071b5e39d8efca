"""The tables of font files: which of them a font needs, and what to read where one is missing."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

_LEAST = {"head": 54, "maxp": 6, "hhea": 36, "hmtx": 4, "cmap": 4}
"""Bytes of the tables that every font has; nothing is read beyond these without looking. Of the others
`name`, `OS/2` and `post` may be missing."""
_OS2, _POST = 68, 32
"""Bytes of the tables `OS/2` and `post` in their first versions."""
_UNITS = (16, 16384)
"""Units of an em, by the OpenType specification."""
_USUAL = {"underline": (-0.1, 0.05), "line-through": (0.25, 0.05)}
_SFNT = (b"\0\1\0\0", b"OTTO", b"true")
_OTHERS = {
    b"wOFF": "is a web font (WOFF)",
    b"wOF2": "is a web font (WOFF 2)",
    b"\x80\x01": "is a Type 1 font",
    b"%!": "is a Type 1 font",
}
BITMAPS = ("CBDT", "EBDT", "sbix")
"""The tables that hold letters as pixels."""
NO_PIXELS = "use a font whose letters are outlines, such as a COLR version of it"
_NO_FONT = "is damaged or not a TrueType or OpenType font"
_AGAIN = "get the file again"
_USE = "use a .ttf or .otf file"


class Refusal(NamedTuple):
    """Why a font file can't be used, as the end of a sentence, and what to do. Of a variable font one
    weight can be taken."""

    what: str
    hint: str
    is_variable: bool = False


def problem_of(data: bytes, face: Any) -> Refusal | None:
    """Why the file of an hb.Face can't be used; None if it can."""
    found = _problem(data, face)
    if found is not None:
        return Refusal(*found)
    if face.has_var_data:
        return Refusal(
            "is a variable font", "take one weight of it: cardgen font add FILE --weight N", True
        )
    return None


def _problem(data: bytes, face: Any) -> tuple[str, str] | None:
    if face.count > 1:
        return "is a collection of fonts", "take one face of it: cardgen font add FILE --face N"
    if data[:4] not in _SFNT:
        other = next((what for start, what in _OTHERS.items() if data.startswith(start)), None)
        return other or _NO_FONT, _USE
    # The table directory: from byte 12, 16 bytes a table, of which the first 4 are its name and the last
    # 8 offset and length. HarfBuzz takes any bytes for a name.
    (count,) = struct.unpack_from(">H", data, 4) if len(data) >= 12 else (0,)
    entries = list(struct.iter_unpack(">4s4xII", data[12 : 12 + 16 * count][: (len(data) - 12) // 16 * 16]))
    if not count:
        return _NO_FONT, _USE
    if len(entries) < count:
        return "is damaged: its list of tables ends too early", _AGAIN
    lengths = {name.decode("latin-1"): length for name, _, length in entries}
    short = [name for name, offset, length in entries if offset + length > len(data)]
    if short:
        return f"is damaged: its table {_shown(short[0])} ends after the file", _AGAIN
    for name, least in _LEAST.items():
        if name not in lengths:
            return f"has no table {name}, which every font needs", _USE
        if lengths[name] < least:
            return f"is damaged: its table {name} is too short", _AGAIN
    if not {"glyf", "CFF "} & lengths.keys():
        pixels = next((name for name in BITMAPS if name in lengths), None)
        if pixels is not None:
            return f"has its letters as pixels only (table {pixels})", NO_PIXELS
        if "CFF2" in lengths:
            return "is a variable font (table CFF2)", "get the file of one weight"
        return "has no outlines (table glyf or CFF)", _USE
    if "glyf" in lengths and "loca" not in lengths:
        return "has no table loca, which tells where its outlines are", _AGAIN
    if not face.glyph_count:
        return "is damaged: its table maxp counts no glyphs", _AGAIN
    (units,) = struct.unpack_from(">H", face.reference_table("head").data, 18)
    if not _UNITS[0] <= units <= _UNITS[1]:
        return f"is damaged: it counts {units} units to the em (table head)", _AGAIN
    if not len(face.unicodes):
        return "has no letters in its table cmap", "get another font"
    return None


def bars_of(face: Any) -> dict[str, tuple[float, float]]:
    """Where lines along letters are, and how thick, em, by their names: as the tables `post` and `OS/2`
    tell, or as usual where they are missing or tell nothing."""
    places = dict(_stated_bars(face))
    upem = face.upem
    return {
        name: (places[name][0] / upem, places[name][1] / upem)
        if name in places and 0 < places[name][1] <= upem / 4 and abs(places[name][0]) < upem
        else usual
        for name, usual in _USUAL.items()
    }


def _stated_bars(face: Any) -> Iterator[tuple[str, tuple[float, float]]]:
    post, os2 = (bytes(face.reference_table(tag).data or b"") for tag in ("post", "OS/2"))
    if len(post) >= _POST:
        under, thickness = struct.unpack_from(">hh", post, 8)
        yield "underline", (under, thickness)
    if len(os2) >= _OS2:
        strike, middle = struct.unpack_from(">hh", os2, 26)
        yield "line-through", (middle - strike / 2, strike)


def _shown(name: bytes) -> str:
    return name.decode("latin-1").strip() if name.isascii() and name.isalnum() else repr(name)
