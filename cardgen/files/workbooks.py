"""XLSX and ODS workbooks as grids."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from math import isfinite
from posixpath import dirname, join, normpath
from xml.parsers import expat
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from cardgen.core.findings import Findings, Location, Parsing, did_you_mean
from cardgen.files.number_formats import SYSTEM_DATES, Format, built_in, format_of, shown_number, shown_text
from cardgen.files.table_grid import Grid, is_comment
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
"""Most further sheets of a workbook that are looked into."""
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

    def read(self, name: str, take: Callable[[bytes], object]) -> None:
        """Pass a part to `take` in blocks. Errors of `take` pass through."""
        info = self._parts.get(name)
        if info is None:
            raise DamagedError(f"the file's part '{name}' is missing")
        if info.flag_bits & _LOCKED:
            raise DamagedError("the file has a password", "save it without one")
        if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise DamagedError("the file is packed in an unusual way")
        part = 0
        parsing = _parsing(name)
        with parsing:
            opened = self._zip.open(info)
        with opened:
            while True:
                with parsing:
                    block = opened.read(BLOCK)
                if not block:
                    return
                part += len(block)
                self.meter.limit(PART, part)
                self.meter.charge(UNPACKED, len(block))
                take(block)


def _parsing(name: str) -> Parsing:
    damaged = DamagedError(f"the file's part '{name}' is damaged")
    return Parsing(lambda _: damaged, DamagedError, TooLargeError, StopError)


class StopError(Exception):
    """A walk that has found what it looks for."""


class Walk:
    """A handler of a part's elements, by their names without namespaces."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Handle the start of an element."""

    def end(self, name: str) -> None:
        """Handle the end of an element."""

    def text(self, words: str) -> None:
        """Handle text within the element."""


@lru_cache(2_000)
def _local(name: str) -> str:
    """Return a name without its namespace."""
    return name.rpartition("|")[2]


def read_markup(archive: Archive, name: str, walk: Walk) -> None:
    """Go through a part that is XML. Raises DamagedError and TooLargeError."""
    parser = expat.ParserCreate(namespace_separator="|")
    parser.buffer_text = True
    depth = fed = elements = 0

    def feed(block: bytes) -> None:
        nonlocal fed, elements
        fed += len(block)
        parser.Parse(block, False)
        archive.meter.charge(ELEMENTS, elements)
        elements = 0
        archive.meter.limit(TOKEN, fed - parser.CurrentByteIndex)

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth, elements
        elements += 1
        depth += 1
        if depth > MOST_DEPTH:
            raise DamagedError(f"elements of the file's part '{name}' are nested too deep")
        walk.start(_local(tag), {_local(key): stated for key, stated in attributes.items()})

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        walk.end(_local(tag))

    def refuse(*_: object) -> None:
        raise DamagedError(f"the file's part '{name}' declares a document type")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = walk.text
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    with _parsing(name):
        archive.read(name, feed)
        parser.Parse(b"", True)


_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
_ESCAPES = re.compile("(?:_x[0-9A-Fa-f]{4}_)+")
_PLAIN: frozenset[str] = frozenset()
_OFF = frozenset(("0", "false", "none"))


@dataclass(slots=True)
class Workbook:
    """A workbook's sheets: the name and the part of each, and the names of those that are hidden."""

    sheets: dict[str, str] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    parts: dict[str, str] = field(default_factory=dict)
    """Shared strings and styles."""
    from_1904: bool = False


class _Opened:
    """An opened workbook: the names of its sheets in order, and of those that are hidden."""

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
                hint = f"sheets: {', '.join(names[:_MANY])}{', …' if len(names) > _MANY else ''}"
            message = f"there is no sheet '{sheet}' in the file"
            findings.error("tables/sheet", message, Location(self._name), hint)
            return None
        grid = Grid(self._name, sheet, meter=self._archive.meter)
        self._fill(grid)
        others = [each for each in names if each not in (sheet, *self.hidden) and not is_comment(each)]
        grid.others = tuple(each for each in others[:MOST_OTHERS] if self._has_values(each))
        return grid

    def _fill(self, grid: Grid) -> None:
        """Read the values of the grid's sheet."""
        raise NotImplementedError

    def _has_values(self, sheet: str) -> bool:
        """Return True if anything is in a sheet, as far as it can be read."""
        raise NotImplementedError


class Xlsx(_Opened):
    """An opened workbook of Excel."""

    def __init__(self, raw: bytes, name: str) -> None:
        super().__init__(raw, name)
        self._book = open_workbook(self._archive)
        self.names, self.hidden = list(self._book.sheets), self._book.hidden

    def _fill(self, grid: Grid) -> None:
        strings, styles = _Strings(), _Styles()
        for kind, walk in (("sharedStrings", strings), ("styles", styles)):
            part = self._book.parts.get(kind)
            if part is not None and self._archive.has(part):
                read_markup(self._archive, part, walk)
        sheet = _Sheet(grid, strings.found, styles, self._book.from_1904)
        read_markup(self._archive, self._book.sheets[grid.sheet], sheet)

    def _has_values(self, sheet: str) -> bool:
        try:
            read_markup(self._archive, self._book.sheets[sheet], _Values())
        except StopError:
            return True
        except (DamagedError, TooLargeError):
            return False
        return False


def open_workbook(archive: Archive) -> Workbook:
    """Return an opened workbook. Raises DamagedError and TooLargeError, as all here."""
    first = _Relations()
    place = "xl/workbook.xml"
    if archive.has("_rels/.rels"):
        read_markup(archive, "_rels/.rels", first)
        place = next((target for kind, target in first.found.values() if kind == "officeDocument"), place)
        place = normpath(place.lstrip("/"))
    book = _Book()
    read_markup(archive, place, book)
    folder = dirname(place)
    relations = _Relations()
    rels = join(folder, "_rels", f"{place.rpartition('/')[2]}.rels")
    if archive.has(rels):
        read_markup(archive, rels, relations)
    workbook = Workbook(from_1904=book.from_1904)
    targets: dict[str, str] = {}
    for id, (kind, target) in relations.found.items():
        part = normpath(target.lstrip("/") if target.startswith("/") else join(folder, target))
        if kind in ("sharedStrings", "styles"):
            workbook.parts[kind] = part
        elif kind == "worksheet":  # others are sheets of charts
            targets[id] = part
    for name, id, hidden in book.sheets:
        if id in targets:
            workbook.sheets[name] = targets[id]
            workbook.hidden.update([name] if hidden else [])
    return workbook


class _Values(Walk):
    """A search for the first value of a sheet."""

    def __init__(self) -> None:
        self._inside = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._inside = name in ("v", "t")

    def text(self, words: str) -> None:
        if self._inside and words.strip():
            raise StopError


class _Relations(Walk):
    def __init__(self) -> None:
        self.found: dict[str, tuple[str, str]] = {}

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "Relationship" and attributes.get("TargetMode") != "External":
            kind = attributes.get("Type", "").rpartition("/")[2]
            self.found[attributes.get("Id", "")] = kind, attributes.get("Target", "")


class _Book(Walk):
    def __init__(self) -> None:
        self.sheets: list[tuple[str, str, bool]] = []
        self.from_1904 = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "sheet":
            hidden = attributes.get("state", "visible") != "visible"
            self.sheets.append((attributes.get("name", ""), attributes.get("id", ""), hidden))
        elif name == "workbookPr":
            self.from_1904 = attributes.get("date1904") in ("1", "true")


class _Text(Walk):
    """A collector of the text of `t` elements and the marks of the runs that they are in, but for those
    that spell words out (`rPh`)."""

    def __init__(self) -> None:
        self._runs: list[tuple[str, frozenset[str] | None]] = []
        self._words: list[str] = []
        self._length = 0
        self._open = self._aside = False
        self._marks: set[str] | None = None

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "rPh":
            self._aside = True
        elif name == "r":
            self._marks = None
        elif name == "rPr":
            self._marks = set()
        elif self._marks is not None and (mark := _mark(name, attributes)):
            self._marks.add(mark)
        self._open = name == "t" and not self._aside

    def end(self, name: str) -> None:
        if name == "rPh":
            self._aside = False
        elif name == "t":
            self._open = False
        elif name == "r":
            self._end_run()

    def _end_run(self) -> None:
        if self._words:
            marks = None if self._marks is None else frozenset(self._marks)
            self._runs.append((_unescaped("".join(self._words)), marks))
        self._words, self._marks = [], None

    def text(self, words: str) -> None:
        if self._open:
            self._length += len(words)
            if self._length > TEXT.most:
                raise TEXT.exceeded("a cell")
            self._words.append(words)

    def taken(self) -> _Said:
        """Return the text so far, which then begins again."""
        self._length = 0
        if not self._runs:
            if not self._words:
                return ""
            if not self._marks:
                text, self._words = _unescaped("".join(self._words)), []
                return text
        self._end_run()
        runs, self._runs = self._runs, []
        if any(marks for _, marks in runs) or len({marks is None for _, marks in runs}) > 1:
            return tuple(runs)
        return "".join(text for text, _ in runs)


_Said = str | tuple[tuple[str, frozenset[str] | None], ...]
"""Plain text, or runs of text with their marks; None stands for those of the cell."""


def _mark(name: str, attributes: Mapping[str, str]) -> str:
    """Return the mark that an element of a font's look stands for; empty for none."""
    stated = attributes.get("val", "1")
    if name == "vertAlign":
        return {"superscript": "raised", "subscript": "lowered"}.get(stated, "")
    found = {"b": "bold", "i": "italic", "strike": "strike", "u": "underline"}.get(name, "")
    return "" if stated in _OFF else found


def _unescaped(text: str) -> str:
    return _ESCAPES.sub(_characters, text) if "_x" in text else text


def _characters(found: re.Match[str]) -> str:
    """Return escapes as characters; two halves of one that stand together are one."""
    units = "".join(chr(int(each, 16)) for each in found[0][2:-1].split("__x"))
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


class _Strings(_Text):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[_Said] = []

    def end(self, name: str) -> None:
        super().end(name)
        if name == "si":
            Meter.limit(TEXTS, len(self.found) + 1)
            said = self.taken()
            self.found.append(unified(said).strip() if isinstance(said, str) else said)


class _Styles(Walk):
    """The number format and the marks of each style of cells."""

    def __init__(self) -> None:
        self._codes: dict[int, str] = {}
        self._fonts: list[set[str]] = []
        self._part = ""
        self.of: list[_Style] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name in ("fonts", "cellXfs"):
            self._part = name
        elif name == "numFmt":
            self._codes[_whole(attributes.get("numFmtId"))] = attributes.get("formatCode", "")
        elif name == "font" and self._part == "fonts":
            Meter.limit(STYLES, len(self._fonts) + 1)
            self._fonts.append(set())
        elif self._part == "fonts" and self._fonts and (mark := _mark(name, attributes)):
            self._fonts[-1].add(mark)
        elif name == "xf" and self._part == "cellXfs":
            Meter.limit(STYLES, len(self.of) + 1)
            number, font = _whole(attributes.get("numFmtId")), _whole(attributes.get("fontId"))
            marks = frozenset(self._fonts[font]) if 0 <= font < len(self._fonts) else _PLAIN
            self.of.append(_style(number, self._codes.get(number), marks))

    def end(self, name: str) -> None:
        if name == self._part:
            self._part = ""


@dataclass(frozen=True, slots=True)
class _Style:
    """The display style of a cell. `format` is None for none at all, and where the `code` can't be
    computed."""

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
"""The parts of a format's code that don't tell which kind of number it shows."""


def _whole(text: str | None) -> int:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 9 else -1


class _Sheet(_Text):
    """The cells of a sheet. Where a row or a cell does not say which it is, it is the next."""

    def __init__(self, grid: Grid, strings: Sequence[_Said], styles: _Styles, from_1904: bool) -> None:
        super().__init__()
        self._grid, self._strings, self._styles, self._from_1904 = grid, strings, styles, from_1904
        self._row, self._column = 0, -1
        self._kind, self._style = "", -1
        self._formula = self._raw = False
        self._value: list[str] = []
        self._shared: dict[tuple[int, int], str | Rich] = {}
        """Shared texts as cells of a style show them, each made once."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "c":
            self._begin(attributes)
        elif name == "v":
            self._raw = True
        elif name == "row":
            number = _whole(attributes.get("r"))
            self._row = number if number > 0 else self._row + 1
            self._column = -1
        elif name == "f":
            self._formula = True
        elif name == "mergeCell":
            self._merge(attributes.get("ref", ""))
        else:
            super().start(name, attributes)

    def _begin(self, attributes: Mapping[str, str]) -> None:
        found = _REFERENCE.fullmatch(attributes.get("r", ""))
        if found:
            self._column, self._row = _column(found[1]), int(found[2])
        else:
            self._column += 1
        self._kind = attributes.get("t", "n")
        self._style = _whole(attributes.get("s", "0"))
        self._formula, self._value = False, []
        if self._words or self._runs:
            self.taken()  # text outside of cells

    def _merge(self, reference: str) -> None:
        first, _, last = reference.partition(":")
        one, other = _REFERENCE.fullmatch(first), _REFERENCE.fullmatch(last)
        if one and other:
            self._grid.merge(int(one[2]), _column(one[1]), int(other[2]), _column(other[1]))

    def text(self, words: str) -> None:
        if not self._raw:
            super().text(words)
        else:
            self._length += len(words)
            if self._length > TEXT.most:
                raise TEXT.exceeded("a cell")
            self._value.append(words)

    def end(self, name: str) -> None:
        if name == "v":
            self._raw = False
        elif name == "c":
            value = self._read("".join(self._value), self.taken())
            self._value = []
            if value is not None:
                self._grid.put(self._row, self._column, value)
        else:
            super().end(name)

    def _read(self, raw: str, said: _Said) -> Value | None:
        kind = self._kind
        if kind == "inlineStr":
            return self._text(said or _unescaped(raw))
        if not raw:
            return Fault("") if self._formula and kind not in ("str", "s") else None
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
        of = self._styles.of
        return of[self._style] if 0 <= self._style < len(of) else _GENERAL

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


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


_FAULT = re.compile(r"#[A-Z/0!?]+|Err:[0-9]+")
_TIME = re.compile(r"PT(\d{1,4})H(\d{1,2})M(\d{1,2})(?:[.,]\d+)?S")
_ASIDE = frozenset(("annotation", "shapes", "frame", "ruby-text"))
"""Parts of a cell that are not its text."""


class SheetNames(Walk):
    """The names of the sheets, in order, and of those that are hidden."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.hidden: set[str] = set()
        self.filled: set[str] = set()
        """Those in which anything stands."""
        self._style = ""
        self._unseen: set[str] = set()
        self._inside = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "style":
            self._style = attributes.get("name", "")
        elif name == "table-properties" and attributes.get("display") == "false":
            self._unseen.add(self._style)
        elif name == "table":
            self._inside += 1
            if self._inside == 1 and attributes.get("name"):
                self.names.append(attributes.get("name", ""))
                if attributes.get("style-name") in self._unseen:
                    self.hidden.add(self.names[-1])
        elif name == "table-cell" and self._inside == 1 and self.names and "value-type" in attributes:
            self.filled.add(self.names[-1])

    def end(self, name: str) -> None:
        if name == "table":
            self._inside -= 1


class Ods(_Opened):
    """An opened workbook of LibreOffice."""

    def __init__(self, raw: bytes, name: str) -> None:
        super().__init__(raw, name)
        if self._archive.has("META-INF/manifest.xml"):
            read_markup(self._archive, "META-INF/manifest.xml", _Locks())
        found = SheetNames()
        read_markup(self._archive, "content.xml", found)
        self.names, self.hidden, self._filled = found.names, found.hidden, found.filled

    def _fill(self, grid: Grid) -> None:
        read_markup(self._archive, "content.xml", _OdsSheet(grid))

    def _has_values(self, sheet: str) -> bool:
        return sheet in self._filled


class _Locks(Walk):
    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "encryption-data":
            raise DamagedError("the file has a password", "save it without one")


class _OdsSheet(Walk):
    """The cells of the sheet of the grid's name. Rows and cells may stand for several."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._tables = 0
        self._here = False
        self._row, self._rows = 1, 1
        self._column = 0
        self._cell: Mapping[str, str] | None = None
        self._values: list[tuple[int, Value]] = []
        self._runs: list[Run] = []
        self._length = 0
        self._paragraphs = self._depth = self._aside = 0
        self._styles: dict[tuple[str, str], frozenset[str]] = {}
        """The marks of each style, by its family and name."""
        self._style = ("", "")
        self._spans: list[frozenset[str]] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "table":
            self._tables += 1
            if self._tables == 1:
                self._here = attributes.get("name", "") == self._grid.sheet
                self._row = 1
        elif not self._tables:
            self._start_style(name, attributes)
        elif not self._here or self._tables > 1:
            return
        elif name in _ASIDE:
            self._aside += 1
        elif name == "table-row":
            self._rows, self._column, self._values = _count(attributes, "number-rows-repeated"), 0, []
        elif name in ("table-cell", "covered-table-cell"):
            self._cell, self._runs, self._length, self._paragraphs = attributes, [], 0, 0
            own = self._styles.get(("table-cell", attributes.get("style-name", "")), _PLAIN)
            self._spans = [own & MEANT]
        elif self._cell is not None and not self._aside:
            self._start_text(name, attributes)

    def _start_style(self, name: str, attributes: Mapping[str, str]) -> None:
        """Keep the marks of the styles that stretches of text and whole cells have."""
        if name == "style":
            self._style = attributes.get("family", ""), attributes.get("name", "")
        elif name == "text-properties" and self._style[0] in ("text", "table-cell"):
            self._grid.meter.limit(STYLES, len(self._styles) + 1)
            self._styles[self._style] = _marks(attributes)

    def _start_text(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "p":
            self._depth += 1
            if self._paragraphs:
                self._add("\n")
            self._paragraphs += 1
        elif name == "span":
            marks = self._styles.get(("text", attributes.get("style-name", "")), _PLAIN)
            self._spans.append(self._spans[-1] | marks if self._spans else marks)
        elif name == "s":
            self._add(" " * min(_count(attributes, "c"), TEXT.most + 1))
        elif name == "tab":
            self._add("\t")
        elif name == "line-break":
            self._add("\n")

    def text(self, words: str) -> None:
        if self._depth and not self._aside:
            self._add(words)

    def _add(self, words: str) -> None:
        self._length += len(words)
        if self._length > TEXT.most:
            raise TEXT.exceeded(f"the cell {letters(self._column)}{self._row}")
        self._runs.append((words, self._spans[-1] if self._spans else _PLAIN))

    def end(self, name: str) -> None:
        if name == "table":
            self._tables -= 1
            self._here = self._here and self._tables > 0
        elif not self._here or self._tables > 1:
            return
        elif name in _ASIDE:
            self._aside -= 1
        elif name == "p" and self._depth and not self._aside:
            self._depth -= 1
        elif name == "span" and self._spans and not self._aside:
            self._spans.pop()
        elif name in ("table-cell", "covered-table-cell") and self._cell is not None:
            self._end_cell(self._cell, name == "covered-table-cell")
            self._cell, self._spans = None, []
        elif name == "table-row":
            self._end_row()

    def _end_cell(self, cell: Mapping[str, str], covered: bool) -> None:
        times = _count(cell, "number-columns-repeated")
        value = None if covered else _read(cell, self._runs, self._paragraphs > 0)
        if value is not None and value != "":
            self._grid.meter.limit(COLUMNS, self._column + times, f"row {self._row}")
            self._values += ((column, value) for column in range(self._column, self._column + times))
        wide, high = _count(cell, "number-columns-spanned"), _count(cell, "number-rows-spanned")
        if wide > 1 or high > 1:
            self._grid.merge(self._row, self._column, self._row + high - 1, self._column + wide - 1)
        self._column += times

    def _end_row(self) -> None:
        if self._values:
            for row in range(self._row, self._row + self._rows):
                for column, value in self._values:
                    self._grid.put(row, column, value)
        self._row += self._rows


def _count(attributes: Mapping[str, str], name: str) -> int:
    text = attributes.get(name, "1")
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
    """Return the value of a cell. What it shows is in it, except in files of simple programs."""
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
