"""Read font files of any kind as one static face, with the information in the file."""

from __future__ import annotations

import io
import logging
import re
from copy import deepcopy
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

import uharfbuzz as hb

from cardgen.core.artwork import stated_weight
from cardgen.core.findings import CardgenError, Finding, Findings, Location, Parsing, Severity
from cardgen.core.records import dataclass
from cardgen.files.reading import is_there
from cardgen.files.yaml import parse_yaml, read_text
from cardgen.files.yaml_editing import edited
from cardgen.files.yaml_nodes import YamlStyle, inline
from cardgen.files.yaml_text import SourceError
from cardgen.text.fonts import FONT_LIST, unspaced, without_style
from cardgen.text.shaping import FontError, problem_of, web_font

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
    """A face as a file of its own: `licence` is an SPDX identifier if the font names a known one, `name`
    its PostScript name, `otf` True for CFF outlines."""

    data: bytes
    family: str
    name: str
    weight: int
    italic: bool
    licence: str
    otf: bool


class FaceInFile(NamedTuple):
    """A face in a file: its number in a collection (from 1), its PostScript name, and the weights of a
    variable font: least, usual and most."""

    family: str
    name: str
    weight: int
    italic: bool
    number: int | None = None
    weights: tuple[int, int, int] | None = None

    def is_called(self, name: str) -> bool:
        """Return True if a name is this face's PostScript name or an equivalent."""
        return name.casefold() == self.name.casefold() != self.family.casefold()

    def has(self, family: str, weight: int, italic: bool) -> bool:
        """Return True if it is a face of a family, in any spelling, or can be cut to be one."""
        names = {unspaced(self.family).casefold(), unspaced(without_style(self.name).family).casefold()}
        if italic != self.italic or unspaced(family).casefold() not in names:
            return False
        least, _, most = self.weights or (self.weight, self.weight, self.weight)
        return least <= weight <= most


def faces_in(data: bytes, shown: str) -> list[FaceInFile]:
    """Return the faces of a font file. Raises FontError."""
    from fontTools.ttLib import TTCollection, TTFont

    many = data[:4] == b"ttcf"
    try:
        file = io.BytesIO(data)
        fonts = TTCollection(file, lazy=True).fonts[:_MOST_FACES] if many else [TTFont(file, lazy=True)]
        found = []
        for number, font in enumerate(fonts, 1):
            tables = _Tables(font, shown)
            weight = _weight_of(tables)
            axes = {axis.axisTag: axis for axis in tables.get("fvar").axes} if "fvar" in font else {}
            known = axes.get("wght")
            weights = (known.minValue, known.defaultValue, known.maxValue) if known is not None else None
            found.append(
                FaceInFile(
                    *(tables.family(), tables.name(6), weight, tables.is_italic, number if many else None),
                    weights=(round(weights[0]), round(weights[1]), round(weights[2])) if weights else None,
                )
            )
        return found
    except FontError:
        raise
    except Exception as error:  # fontTools raises many kinds of errors for a damaged file
        raise _file_error(shown) from error


def read_face(data: bytes, shown: str, face: str | None = None, weight: int | None = None) -> Face:
    """Return the face of a font file; of a collection, the one of this number (from 1) or full name; of
    a variable font, the instance of this weight, everything else at its default.

    Raises FontError for a file that can't be read or embedded, or has no such face or weight.
    """
    if web := web_font(data):
        raise FontError("font/file", f"the font file {shown} {web[0]}", web[1])
    with Parsing(lambda _: _file_error(shown), FontError):
        return _read(data, shown, face, weight)


def _file_error(shown: str) -> FontError:
    message = f"the font file {shown} is damaged or not a TrueType or OpenType font"
    return FontError("font/file", message, "use a .ttf, .otf, .ttc or .otc file")


def _read(data: bytes, shown: str, wanted: str | None, weight: int | None) -> Face:
    from fontTools.ttLib import TTCollection, TTFont

    log = logging.getLogger("fontTools")  # it would log a damaged font to the terminal
    log.propagate = False
    log.addHandler(_SILENT)
    whole = data[:4] != b"ttcf"
    if whole:
        if (problem := problem_of(data, hb.Face(hb.Blob(data)))) and not problem.is_variable:
            raise FontError("font/file", f"the font file {shown} {problem.what}", problem.hint)
        font = TTFont(io.BytesIO(data), lazy=True)
    else:
        font = _choose(TTCollection(io.BytesIO(data), lazy=True).fonts[:_MOST_FACES], shown, wanted)
    tables = _Tables(font, shown)
    _check_embedding(tables.number("OS/2", "fsType"), shown)
    stated = _weight_of(tables)
    if "fvar" in font:
        tables.get("fvar")
        font, weight = _instance(font, shown, weight)
        whole = False
    elif weight is not None and weight != stated:
        message = f"the font file {shown} is not variable; its weight is {stated}"
        raise FontError("font/weight", message, "omit --weight, or use the file of that weight")
    if not whole:
        out = io.BytesIO()
        font.save(out)
        data = out.getvalue()
    terms = " ".join(map(tables.name, (13, 14)))
    return Face(
        data,
        tables.family(),
        tables.name(6),
        min(max(weight or stated, 1), 1000),
        tables.is_italic,
        next((licence for pattern, licence in _LICENCES if pattern.search(terms)), ""),
        font.sfntVersion == "OTTO",
    )


class _Tables:
    """The tables of a font, read one by one, so that an error names the damaged one."""

    def __init__(self, font: TTFont, shown: str) -> None:
        self._font = font
        self._shown = shown

    def get(self, tag: str) -> Any:
        """Return a table; None if there is none. Raises FontError for one that can't be read."""
        if tag not in self._font:
            return None
        try:
            table = self._font[tag]
            damaged = type(table).__name__ == "DefaultTable"
        except Exception as error:  # fontTools raises many kinds of errors
            raise self._table_error(tag) from error
        if damaged:
            raise self._table_error(tag)
        return table

    def number(self, tag: str, field: str) -> int:
        """Return a number of a table, 0 if it is missing."""
        table = self.get(tag)
        return int(getattr(table, field, 0))

    def name(self, number: int) -> str:
        """Return a name of the table `name`, printable, "" if it is missing."""
        table = self.get("name")
        text = (table.getDebugName(number) if table is not None else None) or ""
        return " ".join("".join(char for char in text if char.isprintable()).split())

    def family(self) -> str:
        """Return the face's family, without the words of style that old fonts include; without a name, that
        of the file."""
        if family := self.name(16):
            return family
        family = self.name(1) or PurePath(self._shown).stem
        stated = without_style(family)
        same = stated.weight in (None, _weight_of(self)) and stated.italic in (None, self.is_italic)
        return stated.family if same else family

    @property
    def is_italic(self) -> bool:
        return bool(self.number("OS/2", "fsSelection") & 1 or self.number("head", "macStyle") & 2)

    def _table_error(self, tag: str) -> FontError:
        message = f"the font file {self._shown} is damaged: its table {tag} can't be read"
        return FontError("font/file", message, "get the file again")


def _weight_of(tables: _Tables) -> int:
    bold = bool(tables.number("head", "macStyle") & 1)
    return stated_weight(tables.number("OS/2", "usWeightClass"), bold=bold)


def _choose(fonts: list[TTFont], shown: str, wanted: str | None) -> TTFont:
    names = [_Tables(font, shown).name(4) for font in fonts]
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
    """Raise FontError if a font forbids PDFs to contain its used letters."""
    what = None
    if kind & 0xF == _RESTRICTED:
        what = "may not be embedded"
    elif kind & _NO_SUBSETS:
        what = "may not be embedded in part"
    elif kind & _BITMAPS_ONLY:
        what = "may only be embedded as bitmaps"
    if what is not None:
        hint = "ask its maker for a license and a file that allow it, or use another font"
        raise FontError("font/licence", f"the font file {shown} states that it {what}", hint)


def _instance(font: TTFont, shown: str, weight: int | None) -> tuple[TTFont, int | None]:
    """Return a variable font at a weight."""
    from fontTools.varLib.instancer import instantiateVariableFont

    axes: dict[str, Any] = {axis.axisTag: axis for axis in font["fvar"].axes}
    places = {tag: axis.defaultValue for tag, axis in axes.items()}
    known = axes.get("wght")
    if known is not None:
        weight = round(known.defaultValue) if weight is None else weight
        if not known.minValue <= weight <= known.maxValue:
            message = f"the font file {shown} has no weight {weight}"
            raise FontError(
                "font/weight", message, f"choose a weight from {known.minValue:g} to {known.maxValue:g}"
            )
        places["wght"] = weight
    # A copy would read the remaining tables while iterating over them.
    return instantiateVariableFont(font, places, inplace=True), weight


_HEADER = """\
# yaml-language-server: $schema=../schemas/fonts.schema.json
# The fonts that templates may name besides the bundled ones. Files are relative to this folder.
families:
"""


def with_face(root: Path, family: str, place: str, face: Face, licence: str) -> str:
    """Return the text of fonts.yaml with the face added in a few lines, and all other lines unchanged."""
    entry: dict[str, Any] = {"file": place, "weight": face.weight}
    if face.italic:
        entry["style"] = "italic"
    findings = Findings()
    text = _HEADER
    data: dict[str, Any] = {"families": {}}
    if is_there(root / FONT_LIST):
        text = read_text(root / FONT_LIST, FONT_LIST, findings, within=(root,)) or ""
        document = parse_yaml(text, FONT_LIST, findings)
        findings.raise_if_errors()
        assert document is not None
        data = deepcopy(document.data)
    new = {"licence": licence, "faces": []} if licence else {"faces": []}
    data["families"].setdefault(family, new)["faces"].append(entry)
    try:
        return edited(text if text.endswith("\n") or not text else text + "\n", data)
    except SourceError as error:
        hint = f"add it by hand under the faces of '{family}': - {inline(entry, YamlStyle())}"
        message = "the list's format can't be extended automatically"
        where = Location(FONT_LIST, error.line)
        raise CardgenError(Finding(Severity.ERROR, "font/list", message, where, hint)) from None
