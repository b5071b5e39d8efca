"""Font files of any kind to what cardgen sets: one static face, and what the file says about it."""

from __future__ import annotations

import io
import logging
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardgen.foreign import Parsing
from cardgen.typesetting.shaping import FontError, web_font

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

_RESTRICTED, _NO_SUBSETS, _BITMAPS_ONLY = 0x2, 0x100, 0x200
"""Bits of fsType (OpenType, table OS/2)."""
_LICENCES = (
    (re.compile(r"SIL Open Font Licen[cs]e|openfontlicense\.org|scripts\.sil\.org/OFL", re.I), "OFL-1.1"),
    (re.compile(r"Apache Licen[cs]e|apache\.org/licenses/LICENSE-2\.0", re.I), "Apache-2.0"),
    (re.compile(r"Ubuntu Font Licen[cs]e", re.I), "UbuntuFontLicense-1.0"),
)
_MOST_FACES = 100
_SILENT = logging.NullHandler()


@dataclass(frozen=True, slots=True)
class Face:
    """A face as a file of its own: `licence` is an SPDX identifier where the font names a known one,
    `name` its PostScript name, `otf` whether its outlines are CFF."""

    data: bytes
    family: str
    name: str
    weight: int
    italic: bool
    licence: str
    otf: bool


def read_face(data: bytes, shown: str, face: str | None = None, weight: int | None = None) -> Face:
    """The face of a font file; of a collection, the one of this number (from 1) or full name; of a variable
    font, the instance of this weight, everything else at its default.

    Raises FontError for a file that can't be read, may not be embedded or has no such face or weight.
    """
    if web := web_font(data):
        raise FontError("font/file", f"the font file {shown} {web[0]}", web[1])
    message = f"the font file {shown} is damaged or not a TrueType or OpenType font"
    trouble = FontError("font/file", message, "use a .ttf, .otf, .ttc or .otc file")
    with Parsing(lambda _: trouble, FontError):
        return _read(data, shown, face, weight)


def _read(data: bytes, shown: str, wanted: str | None, weight: int | None) -> Face:
    from fontTools.ttLib import TTCollection, TTFont

    log = logging.getLogger("fontTools")  # which tells a damaged font's story on the terminal
    log.propagate = False
    log.addHandler(_SILENT)
    whole = data[:4] != b"ttcf"
    if whole:
        font = TTFont(io.BytesIO(data), lazy=True)
    else:
        font = _chosen(TTCollection(io.BytesIO(data), lazy=True).fonts[:_MOST_FACES], shown, wanted)
    _check_embedding(font["OS/2"].fsType, shown)
    if "fvar" in font:
        font, weight = _instance(font, shown, weight)
        whole = False
    elif weight is not None and weight != font["OS/2"].usWeightClass:
        has = font["OS/2"].usWeightClass
        message = f"the font file {shown} is not variable: its weight is {has}"
        raise FontError("font/weight", message, "leave out --weight, or use the file of that weight")
    if not whole:
        out = io.BytesIO()
        font.save(out)
        data = out.getvalue()
    names = font["name"]
    said = " ".join(names.getDebugName(number) or "" for number in (13, 14))
    family = names.getDebugName(16) or names.getDebugName(1) or ""
    return Face(
        data,
        " ".join("".join(char for char in family if char.isprintable()).split()),
        names.getDebugName(6) or "",
        min(max(weight or font["OS/2"].usWeightClass, 1), 1000),
        bool(font["OS/2"].fsSelection & 1 or font["head"].macStyle & 2),
        next((licence for pattern, licence in _LICENCES if pattern.search(said)), ""),
        font.sfntVersion == "OTTO",
    )


def _chosen(fonts: list[TTFont], shown: str, wanted: str | None) -> TTFont:
    names = [font["name"].getDebugName(4) or "" for font in fonts]
    if wanted is not None:
        if wanted.isdecimal() and 0 < int(wanted[:4]) <= len(fonts):
            return fonts[int(wanted[:4]) - 1]
        for font, name in zip(fonts, names):
            if name.casefold() == wanted.casefold():
                return font
    listed = ", ".join(f"{number} {name}" for number, name in enumerate(names, 1))
    message = f"the font file {shown} is a collection"
    if wanted is not None:
        message += f" without a face '{wanted}'"
    raise FontError("font/face", message, f"choose one by number or name with --face: {listed}")


def _check_embedding(kind: int, shown: str) -> None:
    """Raise FontError where a font says that PDFs may not hold the part of it that they show."""
    what = None
    if kind & 0xF == _RESTRICTED:
        what = "may not be embedded"
    elif kind & _NO_SUBSETS:
        what = "may not be embedded in part"
    elif kind & _BITMAPS_ONLY:
        what = "may only be embedded as bitmaps"
    if what is not None:
        hint = "ask its maker for a licence and a file that allow it, or use another font"
        raise FontError("font/licence", f"the font file {shown} says that it {what}", hint)


def _instance(font: TTFont, shown: str, weight: int | None) -> tuple[TTFont, int | None]:
    """A variable font at a weight."""
    from fontTools.varLib.instancer import instantiateVariableFont

    axes: dict[str, Any] = {axis.axisTag: axis for axis in font["fvar"].axes}
    places = {tag: axis.defaultValue for tag, axis in axes.items()}
    known = axes.get("wght")
    if known is not None:
        weight = round(known.defaultValue) if weight is None else weight
        if not known.minValue <= weight <= known.maxValue:
            message = f"the font file {shown} has no weight {weight}"
            raise FontError("font/weight", message, f"it has {known.minValue:g} to {known.maxValue:g}")
        places["wght"] = weight
    # A copy would read the tables that are left to be read while it goes through them.
    return instantiateVariableFont(font, places, inplace=True), weight
