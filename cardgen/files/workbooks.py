"""XLSX and ODS workbooks as grids."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from io import BytesIO
from math import isfinite
from posixpath import join, normpath
from typing import cast
from xml.etree.ElementTree import Element, XMLPullParser
from xml.parsers import expat
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from cardgen.core.findings import Findings, Location, Parsing, did_you_mean
from cardgen.core.records import dataclass, field
from cardgen.files.number_formats import SYSTEM_DATES, Format, built_in, format_of, shown_number, shown_text
from cardgen.files.table_grid import Grid, is_ignored
from cardgen.files.table_texts import MEANT, Run, rich_text, without_own
from cardgen.files.tables import (
    COLUMNS,
    ELEMENTS,
    PART,
    PARTS,
    STYLES,
    TEXT,
    TEXTS,
    TOKEN,
    UNPACKED,
    DamagedError,
    Fault,
    Formatted,
    Meter,
    Moment,
    Rich,
    TooLargeError,
    Value,
    letters,
    number_text,
    of_serial,
    plain_number,
    unified,
)

BLOCK = 256 * 1024
MOST_DEPTH = 64
MOST_OTHERS = 50
"""Most further sheets of a workbook that are searched."""
_MANY = 12
"""Most sheets that a hint names."""
_LOCKED = 1
_OLD = b"\xd0\xcf\x11\xe0"


class Archive:
    """The parts of a zip archive. Raises DamagedError and TooLargeError."""

    def __init__(self, raw: bytes) -> None:
        if raw.startswith(_OLD):
            raise DamagedError(
                "this is an old Excel file (.xls), or one with a password",
                "save it as .xlsx, without a password",
            )
        with Parsing(lambda _: DamagedError("the file is damaged or not a spreadsheet")):
            self._zip = ZipFile(BytesIO(raw))
            self._parts = {info.filename: info for info in self._zip.infolist()}
        self.meter = Meter()
        self.meter.limit(PARTS, len(self._parts))

    def has(self, name: str) -> bool:
        return name in self._parts

    def blocks(self, name: str) -> Iterator[bytes]:
        """Yield the content of a part in blocks."""
        info = self._parts.get(name)
        if info is None:
            raise DamagedError(f"the file's part '{name}' is missing")
        if info.flag_bits & _LOCKED:
            raise DamagedError("the file has a password", "save it without one")
        if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise DamagedError("the file is packed in an unusual way")
        size = 0
        with _parsing(name), self._zip.open(info) as opened:
            while block := opened.read(BLOCK):
                size += len(block)
                self.meter.limit(PART, size)
                self.meter.charge(UNPACKED, len(block))
                yield block


def _parsing(name: str) -> Parsing:
    damaged = DamagedError(f"the file's part '{name}' is damaged")
    return Parsing(lambda _: damaged, DamagedError, TooLargeError)


@lru_cache(2_000)
def _local(name: str) -> str:
    """Return a name without its namespace."""
    return name.rpartition("}")[2]


def elements(
    archive: Archive, part: str, *names: str, with_content: bool = True
) -> Iterator[tuple[Element, Sequence[Element]]]:
    """Yield the elements of these names in a part that is XML, each as it ends, with those around it, the
    outermost first. Names are without namespaces. Raises DamagedError and TooLargeError."""
    parser: XMLPullParser[Element] = XMLPullParser(("start", "end"))
    guard = expat.ParserCreate()  # reports more about the file

    def refuse(*_: object) -> None:
        raise DamagedError(f"the file's part '{part}' declares a document type")

    guard.StartDoctypeDeclHandler = refuse
    opened: list[Element] = []
    inside = fed = 0
    whole = names if with_content else ()
    for block in archive.blocks(part):
        with _parsing(part):
            fed += len(block)
            guard.Parse(block, False)
            archive.meter.limit(TOKEN, fed - guard.CurrentByteIndex)
            parser.feed(block)
            events: list[tuple[str, Element]] = list(parser.read_events())  # type: ignore[arg-type]
        archive.meter.charge(ELEMENTS, len(events) // 2)
        for kind, element in events:
            if kind == "start":
                tag = element.tag = _local(element.tag)
                if "}" in "".join(element.keys()):
                    element.attrib = {_local(key): value for key, value in element.items()}
                opened.append(element)
                if tag in whole:
                    inside += 1
                if len(opened) > MOST_DEPTH:
                    raise DamagedError(f"elements of the file's part '{part}' are nested too deep")
                continue
            del opened[-1]
            tag = element.tag
            if tag in names:
                yield element, opened
                if tag in whole:
                    inside -= 1
            if not inside and opened:
                del opened[-1][:]
    with _parsing(part):
        parser.close()


_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
_ESCAPES = re.compile("(?:_x[0-9A-Fa-f]{4}_)+")
_PLAIN: frozenset[str] = frozenset()
_OFF = frozenset(("0", "false", "none"))


@dataclass(slots=True)
class Workbook:
    """A workbook's sheets: the name and the part of each, and the names of hidden ones."""

    sheets: dict[str, str] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    parts: dict[str, str] = field(default_factory=dict)
    """Shared strings and styles."""
    from_1904: bool = False


class _Opened:
    """An opened workbook: the names of its sheets in order, and of hidden ones."""

    names: list[str]
    hidden: set[str]

    def __init__(self, raw: bytes, name: str) -> None:
        self._archive, self._name = Archive(raw), name

    def sheets(self) -> list[str]:
        """Return the names of the sheets, the hidden ones last."""
        return sorted(self.names, key=lambda each: each in self.hidden)

    def read(self, sheet: str | None, findings: Findings) -> Grid | None:
        """Return the values of a sheet, by default the first that is not hidden; None after findings."""
        names = self.names
        if not names:
            raise DamagedError("the file has no sheet")
        if sheet is None:
            sheet = next((each for each in names if each not in self.hidden), names[0])
        elif sheet not in names:
            hint = did_you_mean(sheet, names)
            if hint is None:
                hint = f"use one of: {', '.join(names[:_MANY])}{', …' if len(names) > _MANY else ''}"
            message = f"there is no sheet '{sheet}' in the file"
            findings.error("tables/sheet", message, Location(self._name), hint)
            return None
        grid = Grid(self._name, sheet, meter=self._archive.meter)
        with _parsing(sheet):
            self._fill(grid)
        others = [each for each in names if each not in (sheet, *self.hidden) and not is_ignored(each)]
        grid.others = tuple(each for each in others[:MOST_OTHERS] if self._has_values(each))
        return grid

    def _fill(self, grid: Grid) -> None:
        """Read the values of the grid's sheet."""
        raise NotImplementedError

    def _has_values(self, sheet: str) -> bool:
        """Return True if a sheet has values in its readable part."""
        raise NotImplementedError


class Xlsx(_Opened):
    """An opened workbook of Excel."""

    def __init__(self, raw: bytes, name: str) -> None:
        super().__init__(raw, name)
        self._book = open_workbook(self._archive)
        self.names, self.hidden = list(self._book.sheets), self._book.hidden

    def _fill(self, grid: Grid) -> None:
        archive, parts = self._archive, self._book.parts
        strings, styles = parts.get("sharedStrings", ""), parts.get("styles", "")
        texts = _strings(archive, strings) if archive.has(strings) else []
        looks = _styles(archive, styles) if archive.has(styles) else []
        _Sheet(grid, texts, looks, self._book.from_1904).fill(archive, self._book.sheets[grid.sheet])

    def _has_values(self, sheet: str) -> bool:
        try:
            found = elements(self._archive, self._book.sheets[sheet], "v", "t")
            return any((element.text or "").strip() for element, _ in found)
        except (DamagedError, TooLargeError):
            return False


def open_workbook(archive: Archive) -> Workbook:
    """Return an opened workbook. Raises DamagedError and TooLargeError, as all functions here."""
    relations = _relations(archive, "_rels/.rels").values()
    place = next((target for kind, target in relations if kind == "officeDocument"), "xl/workbook.xml")
    place = normpath(place.lstrip("/"))
    folder, _, file = place.rpartition("/")
    workbook = Workbook()
    targets: dict[str, str] = {}
    for id, (kind, target) in _relations(archive, join(folder, "_rels", f"{file}.rels")).items():
        part = normpath(target.lstrip("/") if target.startswith("/") else join(folder, target))
        if kind in ("sharedStrings", "styles"):
            workbook.parts[kind] = part
        elif kind == "worksheet":  # others are sheets of charts
            targets[id] = part
    for element, _ in elements(archive, place, "sheet", "workbookPr"):
        if element.tag == "workbookPr":
            workbook.from_1904 = element.get("date1904") in ("1", "true")
        elif (id := element.get("id", "")) in targets:
            sheet = element.get("name", "")
            workbook.sheets[sheet] = targets[id]
            workbook.hidden.update([sheet] if element.get("state", "visible") != "visible" else [])
    return workbook


def _relations(archive: Archive, part: str) -> dict[str, tuple[str, str]]:
    """Return the kind and the target of each relation of a part, by its id."""
    found = elements(archive, part, "Relationship") if archive.has(part) else ()
    return {
        each.get("Id", ""): (each.get("Type", "").rpartition("/")[2], each.get("Target", ""))
        for each, _ in found
        if each.get("TargetMode") != "External"
    }


_Said = str | tuple[tuple[str, frozenset[str] | None], ...]
"""Plain text, or runs of text with their marks; None means those of the cell."""


def _said(element: Element) -> _Said:
    """Return the text of a shared or an inline string, without phonetic guides (`rPh`)."""
    runs: list[tuple[str, frozenset[str] | None]] = []
    for part in element:
        marks = None
        if part.tag == "r" and (look := part.find("rPr")) is not None:
            marks = _marks_of(look)
        words = [part] if part.tag == "t" else part.findall("t") if part.tag == "r" else []
        text = "".join([each.text or "" for each in words])
        if text:
            runs.append((_unescaped(text), marks))
    Meter.limit(TEXT, sum([len(text) for text, _ in runs]), "a cell")
    if any(marks for _, marks in runs) or len({marks is None for _, marks in runs}) > 1:
        return tuple(runs)
    return "".join([text for text, _ in runs])


def _marks_of(look: Element) -> frozenset[str]:
    """Return the marks for the look of a font."""
    return frozenset(mark for each in look if (mark := _mark(each.tag, each.attrib)))


def _mark(name: str, attributes: Mapping[str, str]) -> str:
    """Return the mark for an element of a font's look; empty if there is none."""
    stated = attributes.get("val", "1")
    if name == "vertAlign":
        return {"superscript": "raised", "subscript": "lowered"}.get(stated, "")
    found = {"b": "bold", "i": "italic", "strike": "strike", "u": "underline"}.get(name, "")
    return "" if stated in _OFF else found


def _unescaped(text: str) -> str:
    return _ESCAPES.sub(_characters, text) if "_x" in text else text


def _characters(found: re.Match[str]) -> str:
    """Return escapes as characters; two adjacent halves make one."""
    units = "".join(chr(int(each, 16)) for each in found[0][2:-1].split("__x"))
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _strings(archive: Archive, part: str) -> list[_Said]:
    """Return the texts that cells share."""
    found: list[_Said] = []
    for element, _ in elements(archive, part, "si"):
        Meter.limit(TEXTS, len(found) + 1)
        said = _said(element)
        found.append(unified(said).strip() if isinstance(said, str) else said)
    return found


def _styles(archive: Archive, part: str) -> list[_Style]:
    """Return the styles of cells, by their number."""
    codes: dict[int, str] = {}
    fonts: list[frozenset[str]] = []
    found: list[_Style] = []
    for element, outer in elements(archive, part, "numFmt", "font", "xf"):
        group = outer[-1].tag if outer else ""
        if element.tag == "numFmt":
            codes[_whole(element.get("numFmtId"))] = element.get("formatCode", "")
        elif group == "fonts":
            fonts.append(_marks_of(element))
        elif group == "cellXfs":
            number, font = _whole(element.get("numFmtId")), _whole(element.get("fontId"))
            marks = fonts[font] if 0 <= font < len(fonts) else _PLAIN
            found.append(_style(number, codes.get(number), marks))
        Meter.limit(STYLES, max(len(fonts), len(found)))
    return found


@dataclass(frozen=True, slots=True)
class _Style:
    """The display style of a cell. `format` is None if there is none, or the `code` can't be computed."""

    code: str = ""
    format: Format | None = None
    is_date: bool = False
    marks: frozenset[str] = _PLAIN


def _style(number: int, stated: str | None, marks: frozenset[str]) -> _Style:
    code = built_in(number) if stated is None else stated
    if code.lower() == "general":
        code = ""
    if stated is None and number in SYSTEM_DATES:
        return _Style(f"[{number}]", None, is_date=True, marks=marks)
    format = format_of(code) if code else None
    return _Style(code, format, _is_date(code) if format is None else format.is_date, marks)


def _is_date(code: str) -> bool:
    """Return True if a code that can't be computed is for dates."""
    shown = _SILENT.sub("", code[:500].partition(";")[0]).replace("General", "")
    return re.search("[dmyhs]", shown, re.IGNORECASE) is not None


_SILENT = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.IGNORECASE)
"""The parts of a format's code that don't show its kind of number."""


def _whole(text: str | None) -> int:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 9 else -1


class _Sheet:
    """The cells of a sheet. A row or a cell without a number is the next one."""

    def __init__(
        self, grid: Grid, strings: Sequence[_Said], styles: Sequence[_Style], from_1904: bool
    ) -> None:
        self._grid, self._strings, self._styles, self._from_1904 = grid, strings, styles, from_1904
        self._kind, self._style = "", -1
        self._shared: dict[tuple[int, int], str | Rich] = {}
        """Shared texts as cells of a style show them, each made once."""

    def fill(self, archive: Archive, part: str) -> None:
        """Read the sheet into the grid."""
        row = 0
        for element, _ in elements(archive, part, "row", "mergeCell"):
            if element.tag == "mergeCell":
                self._merge(element.get("ref", ""))
                continue
            number, column = _whole(element.get("r")), -1
            row = number if number > 0 else row + 1
            for cell in element.iterfind("c"):
                found = _REFERENCE.fullmatch(cell.get("r", ""))
                column, row = (column_number(found[1]), int(found[2])) if found else (column + 1, row)
                if (value := self._value(cell)) is not None:
                    self._grid.put(row, column, value)

    def _merge(self, reference: str) -> None:
        first, _, last = reference.partition(":")
        one, other = _REFERENCE.fullmatch(first), _REFERENCE.fullmatch(last)
        if one and other:
            self._grid.merge(int(one[2]), column_number(one[1]), int(other[2]), column_number(other[1]))

    def _value(self, cell: Element) -> Value | None:
        """Return the value of a cell."""
        self._kind, self._style = cell.get("t", "n"), _whole(cell.get("s", "0"))
        raw, said, is_formula = "", cast("_Said", ""), False
        for part in cell:
            if part.tag == "v":
                raw = part.text or ""
                Meter.limit(TEXT, len(raw), "a cell")
            elif part.tag == "is":
                said = _said(part)
            elif part.tag == "f":
                is_formula = True
        return self._read(raw, said, is_formula=is_formula)

    def _read(self, raw: str, said: _Said, *, is_formula: bool) -> Value | None:
        kind = self._kind
        if kind == "inlineStr":
            return self._text(said or _unescaped(raw))
        if not raw:
            return Fault("") if is_formula and kind not in ("str", "s") else None
        if kind == "s":
            at = _whole(raw.strip())
            if not 0 <= at < len(self._strings):
                raise DamagedError("a cell refers to a text that is missing from the file")
            if (at, self._style) not in self._shared:
                self._shared[at, self._style] = self._text(self._strings[at])
            return self._shared[at, self._style]
        if kind == "str":
            return self._text(_unescaped(raw))
        if kind == "b":
            return raw.strip() not in ("0", "false")
        if kind == "e":
            return Fault(raw.strip()[:40])
        if kind == "d":
            return Moment(raw.strip()[:40], raw.strip()[:40])
        try:
            number = float(raw)
        except ValueError:
            return raw
        return self._number(number)

    @property
    def _look(self) -> _Style:
        styles = self._styles
        return styles[self._style] if 0 <= self._style < len(styles) else _GENERAL

    def _text(self, said: _Said) -> str | Rich:
        look = self._look
        if isinstance(said, str):
            shown = said if look.format is None else shown_text(unified(said), look.format)
            own = look.marks & MEANT
            return rich_text([(shown, own)]) if own else shown
        runs: list[Run] = [(text, look.marks if marks is None else marks) for text, marks in said]
        return rich_text(without_own(runs, look.marks))

    def _number(self, number: float) -> Value:
        if not isfinite(number):
            return Fault("#NUM!")
        look = self._look
        if not look.code:
            return plain_number(number)
        shown: str | None = None
        if look.format is not None:
            shown = shown_number(number, look.format, from_1904=self._from_1904)
        if look.is_date and (moment := of_serial(number, self._from_1904)) is not None:
            return Moment(moment, shown, look.code)
        if shown == number_text(number):
            return plain_number(number)
        return Formatted(number, shown, look.code)


_GENERAL = _Style()


def column_number(letters: str) -> int:
    """Return the number of a column, from 0, by its letters."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


_FAULT = re.compile(r"#[A-Z/0!?]+|Err:[0-9]+")
_TIME = re.compile(r"PT(\d{1,4})H(\d{1,2})M(\d{1,2})(?:[.,]\d+)?S")
_ASIDE = frozenset(("annotation", "shapes", "frame", "ruby-text", "table"))
"""Parts of a cell that are not its text."""
_SIGNS = {"s": " ", "tab": "\t", "line-break": "\n"}
"""Characters that are elements."""


class Ods(_Opened):
    """An opened workbook of LibreOffice."""

    def __init__(self, raw: bytes, name: str) -> None:
        super().__init__(raw, name)
        self.names, self.hidden = [], set()
        self._filled: set[str] = set()
        manifest = "META-INF/manifest.xml"
        if self._archive.has(manifest) and any(elements(self._archive, manifest, "encryption-data")):
            raise DamagedError("the file has a password", "save it without one")
        self._read_names()

    def _read_names(self) -> None:
        """Read the names of the sheets, in order, of hidden ones, and of those that are not empty."""
        unseen: set[str] = set()
        names = ("table-properties", "table", "table-cell")
        for element, outer in elements(self._archive, "content.xml", *names, with_content=False):
            tables = [each for each in outer if each.tag == "table"]
            name = (tables or [element])[0].get("name", "")
            if element.tag == "table-properties" and element.get("display") == "false":
                unseen.update(each.get("name", "") for each in outer if each.tag == "style")
            elif element.tag == "table" and not tables and name:
                self.names.append(name)
                self.hidden.update([name] if element.get("style-name") in unseen else [])
            elif element.tag == "table-cell" and len(tables) == 1 and "value-type" in element.attrib:
                self._filled.add(name)

    def _fill(self, grid: Grid) -> None:
        _OdsSheet(grid).fill(self._archive)

    def _has_values(self, sheet: str) -> bool:
        return sheet in self._filled


_CELLS = ("table-cell", "covered-table-cell")


class _OdsSheet:
    """The cells of the sheet of the grid's name. A row or cell may repeat."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._row, self._column = 1, 0
        self._values: list[tuple[int, Value]] = []
        self._runs: list[Run] = []
        self._length = 0
        self._paragraphs = 0
        self._styles: dict[tuple[str, str], frozenset[str]] = {}
        """The marks of each style, by its family and name."""

    def fill(self, archive: Archive) -> None:
        """Read the sheet into the grid."""
        table = None
        for element, outer in elements(archive, "content.xml", "style", "table-row"):
            tables = [each for each in outer if each.tag == "table"]
            if element.tag == "style":
                self._add_style(element)
            elif len(tables) == 1 and tables[0].get("name") == self._grid.sheet:
                if tables[0] is not table:
                    table, self._row = tables[0], 1
                self._add_row(element)

    def _add_style(self, style: Element) -> None:
        """Store the marks of the styles of text stretches and whole cells."""
        properties, family = style.find("text-properties"), style.get("family", "")
        if properties is not None and family in ("text", "table-cell"):
            self._grid.meter.limit(STYLES, len(self._styles) + 1)
            self._styles[family, style.get("name", "")] = _marks(properties.attrib)

    def _add_row(self, row: Element) -> None:
        self._column, self._values = 0, []
        for cell in row:
            if cell.tag in _CELLS:
                self._add_cell(cell)
        times = _count(row, "number-rows-repeated")
        for number in range(self._row, self._row + times) if self._values else ():
            for column, value in self._values:
                self._grid.put(number, column, value)
        self._row += times

    def _add_cell(self, cell: Element) -> None:
        self._runs, self._length, self._paragraphs = [], 0, 0
        own = self._styles.get(("table-cell", cell.get("style-name", "")), _PLAIN)
        self._take(cell, own & MEANT, is_text=False)
        times, is_covered = _count(cell, "number-columns-repeated"), cell.tag == "covered-table-cell"
        value = None if is_covered else _read(cell.attrib, self._runs, self._paragraphs > 0)
        if value is not None and value != "":
            self._grid.meter.limit(COLUMNS, self._column + times, f"row {self._row}")
            self._values += ((column, value) for column in range(self._column, self._column + times))
        wide, high = _count(cell, "number-columns-spanned"), _count(cell, "number-rows-spanned")
        if wide > 1 or high > 1:
            self._grid.merge(self._row, self._column, self._row + high - 1, self._column + wide - 1)
        self._column += times

    def _take(self, element: Element, marks: frozenset[str], *, is_text: bool) -> None:
        """Add the text of an element, which is within a paragraph if it `is_text`."""
        if is_text:
            self._add(element.text or "", marks)
        for part in element:
            own = marks
            if part.tag == "p" and self._paragraphs:
                self._add("\n", marks)
            self._paragraphs += part.tag == "p"
            if part.tag == "span":
                own = marks | self._styles.get(("text", part.get("style-name", "")), _PLAIN)
            if part.tag in _SIGNS:
                self._add(_SIGNS[part.tag] * min(_count(part, "c"), TEXT.most + 1), marks)
            elif part.tag not in _ASIDE:
                self._take(part, own, is_text=is_text or part.tag == "p")
            if is_text:
                self._add(part.tail or "", marks)

    def _add(self, words: str, marks: frozenset[str]) -> None:
        self._length += len(words)
        if self._length > TEXT.most:
            raise TEXT.exceeded(f"the cell {letters(self._column)}{self._row}")
        self._runs.append((words, marks))


def _count(element: Element, name: str) -> int:
    text = element.get(name, "1")
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < 9 else 1


def _marks(attributes: Mapping[str, str]) -> frozenset[str]:
    """Return the marks of a style, by its text properties."""
    weight = attributes.get("font-weight", "")
    position = attributes.get("text-position", "").split(" ")[0]
    is_raised = position == "super" or (position.endswith("%") and position[0] not in "-0")
    found = {
        "bold": weight == "bold" or (weight.isdigit() and int(weight[:4]) >= 600),
        "italic": attributes.get("font-style") in ("italic", "oblique"),
        "strike": attributes.get("text-line-through-style", "none") != "none",
        "underline": attributes.get("text-underline-style", "none") != "none",
        "raised": is_raised,
        "lowered": position == "sub" or position.startswith("-"),
    }
    return frozenset(name for name, holds in found.items() if holds)


def _read(cell: Mapping[str, str], runs: list[Run], has_text: bool) -> Value | None:
    """Return the value of a cell. Its shown text is in it, except in files of simple programs."""
    kind = cell.get("value-type", "")
    words = "".join(text for text, _ in runs)
    shown = words.strip()
    if "formula" in cell and _FAULT.fullmatch(shown):
        return Fault(shown)
    if kind in ("float", "currency", "percentage"):
        try:
            number = float(cell.get("value", ""))
        except ValueError:
            return words
        if number != number or abs(number) == float("inf"):
            return Fault("#NUM!")
        return _number(number, shown if has_text else None, kind)
    if kind == "boolean":
        truth = cell.get("boolean-value") == "true"
        return (
            truth
            if shown in ("", "TRUE" if truth else "FALSE")
            else Formatted(truth, shown, kind, is_final=True)
        )
    if kind in ("date", "time"):
        return _moment(cell, kind, shown)
    if kind == "string" and not words:
        return cell.get("string-value", "")
    if not words and "formula" in cell and not kind:
        return Fault("")
    return rich_text(runs)


def _number(number: float, shown: str | None, kind: str) -> Value:
    """Return the value of a number; `shown` is None if the file has no text for it."""
    if shown is None and kind == "currency":
        return Formatted(number, None, kind, is_final=True)
    if shown is None:
        shown = f"{number_text(round(number * 100, 10))}%" if kind == "percentage" else number_text(number)
    if shown == number_text(number):
        return plain_number(number)
    known = shown.strip("#") != "" or not shown  # a column that is too narrow shows number signs
    return Formatted(number, shown if known else None, kind, is_final=True)


def _moment(cell: Mapping[str, str], kind: str, shown: str) -> Moment:
    known = shown if shown.strip("#") else None
    if kind == "date":
        stated = cell.get("date-value", shown).replace("T", " ").removesuffix(" 00:00:00")
        return Moment(stated[:40], known, kind)
    found = _TIME.fullmatch(cell.get("time-value", ""))
    if found is None:
        return Moment(shown[:40], known, kind)
    second = f":{found[3]:0>2}" if int(found[3]) else ""
    return Moment(f"{found[1]:0>2}:{found[2]:0>2}{second}", known, kind)
