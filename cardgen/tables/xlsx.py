"""XLSX: a sheet of an Office Open XML workbook to a grid. Formulas give the values they came to when the
file was saved."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from posixpath import dirname, join, normpath

from cardgen.tables.archive import Archive, DamagedError, Walk, read_markup
from cardgen.tables.grid import MOST_CELLS, MOST_TEXT, Grid, TooLargeError
from cardgen.tables.moments import of_serial
from cardgen.tables.values import Fault, Moment, Share, Value, plain_number

_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
_ESCAPE = re.compile("_x([0-9A-Fa-f]{4})_")
_DATES = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
"""The numbers of built-in formats that show dates and times."""
_SHARES = frozenset((9, 10))
_SILENT = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.IGNORECASE)
"""What in a format's code says nothing of what kind of number it shows."""
MOST_STYLES = 100_000
MOST_MERGED = 20_000


@dataclass(slots=True)
class Workbook:
    """A workbook's sheets: the name and the part of each, and the names of those that are hidden."""

    sheets: dict[str, str] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    parts: dict[str, str] = field(default_factory=dict)
    """Shared strings and styles."""
    from_1904: bool = False


def open_workbook(archive: Archive) -> Workbook:
    """What a workbook consists of. Raises DamagedError and TooLargeError, as all here."""
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


def read_sheet(archive: Archive, workbook: Workbook, sheet: str, name: str) -> Grid:
    """The grid of a sheet of that name."""
    strings, styles = _Strings(), _Styles()
    if (part := workbook.parts.get("sharedStrings")) is not None and archive.has(part):
        read_markup(archive, part, strings)
    if (part := workbook.parts.get("styles")) is not None and archive.has(part):
        read_markup(archive, part, styles)
    grid = Grid(name, sheet)
    walk = _Sheet(grid, strings.found, styles, workbook.from_1904)
    read_markup(archive, workbook.sheets[sheet], walk)
    return grid


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
    """Gathers the text of `t` elements, but for those that spell words out (`rPh`)."""

    def __init__(self) -> None:
        self._words: list[str] = []
        self._length = 0
        self._open = self._aside = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "rPh":
            self._aside = True
        self._open = name == "t" and not self._aside

    def end(self, name: str) -> None:
        if name == "rPh":
            self._aside = False
        elif name == "t":
            self._open = False

    def text(self, words: str) -> None:
        if self._open:
            self._length += len(words)
            if self._length > MOST_TEXT:
                raise TooLargeError(f"a cell has more than {MOST_TEXT:,} characters")
            self._words.append(words)

    def taken(self) -> str:
        """The text so far, which then begins anew."""
        text = "".join(self._words)
        self._words, self._length = [], 0
        return _unescaped(text)


def _unescaped(text: str) -> str:
    if "_x" in text:
        text = _ESCAPE.sub(_character, text)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _character(found: re.Match[str]) -> str:
    code = int(found[1], 16)
    return chr(code) if code in (9, 10, 13) or 32 <= code < 0xD800 or 0xE000 <= code < 0xFFFE else ""


class _Strings(_Text):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def end(self, name: str) -> None:
        super().end(name)
        if name == "si":
            if len(self.found) >= MOST_CELLS:
                raise TooLargeError(f"the file has more than {MOST_CELLS:,} texts")
            self.found.append(self.taken())


class _Styles(Walk):
    """What kind of number each style of cells shows."""

    def __init__(self) -> None:
        self._kinds: dict[int, str] = {}
        self._inside = False
        self.of: list[str] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "numFmt":
            self._kinds[_whole(attributes.get("numFmtId"))] = _kind_of(attributes.get("formatCode", ""))
        elif name == "cellXfs":
            self._inside = True
        elif name == "xf" and self._inside and len(self.of) < MOST_STYLES:
            number = _whole(attributes.get("numFmtId"))
            usual = "date" if number in _DATES else "share" if number in _SHARES else ""
            self.of.append(self._kinds.get(number, usual))

    def end(self, name: str) -> None:
        if name == "cellXfs":
            self._inside = False


def _kind_of(code: str) -> str:
    shown = _SILENT.sub("", code[:500].partition(";")[0])
    if "%" in shown:
        return "share"
    shown = shown.replace("General", "")
    return "date" if re.search("[dmyhs]", shown, re.IGNORECASE) else ""


def _whole(text: str | None) -> int:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 9 else -1


class _Sheet(_Text):
    """The cells of a sheet. Where a row or a cell does not say which it is, it is the next."""

    def __init__(self, grid: Grid, strings: list[str], styles: _Styles, from_1904: bool) -> None:
        super().__init__()
        self._grid, self._strings, self._styles, self._from_1904 = grid, strings, styles, from_1904
        self._row, self._column = 0, -1
        self._kind, self._style = "", -1
        self._formula = self._raw = False
        self._value: list[str] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        super().start(name, attributes)
        if name == "row":
            number = _whole(attributes.get("r"))
            self._row = number if number > 0 else self._row + 1
            self._column = -1
        elif name == "c":
            self._begin(attributes)
        elif name == "v":
            self._raw = True
        elif name == "f":
            self._formula = True
        elif name == "mergeCell":
            self._merge(attributes.get("ref", ""))

    def _begin(self, attributes: Mapping[str, str]) -> None:
        found = _REFERENCE.fullmatch(attributes.get("r", ""))
        if found:
            self._column, self._row = _column(found[1]), int(found[2])
        else:
            self._column += 1
        self._kind = attributes.get("t", "n")
        self._style = _whole(attributes.get("s", "0"))
        self._formula, self._value = False, []
        self.taken()

    def _merge(self, reference: str) -> None:
        first, _, last = reference.partition(":")
        one, other = _REFERENCE.fullmatch(first), _REFERENCE.fullmatch(last)
        if one and other and len(self._grid.merged) < MOST_MERGED:
            self._grid.merged.append((int(one[2]), _column(one[1]), int(other[2]), _column(other[1])))

    def text(self, words: str) -> None:
        super().text(words)
        if self._raw:
            self._length += len(words)
            if self._length > MOST_TEXT:
                raise TooLargeError(f"a cell has more than {MOST_TEXT:,} characters")
            self._value.append(words)

    def end(self, name: str) -> None:
        super().end(name)
        if name == "v":
            self._raw = False
        elif name == "c":
            value = self._read("".join(self._value), self.taken())
            self._value = []
            if value is not None:
                self._grid.put(self._row, self._column, value)

    def _read(self, raw: str, rich: str) -> Value | None:
        kind = self._kind
        if kind == "inlineStr":
            return rich or _unescaped(raw)
        if not raw:
            return Fault("") if self._formula and kind not in ("str", "s") else None
        if kind == "s":
            at = _whole(raw.strip())
            if not 0 <= at < len(self._strings):
                raise DamagedError("a cell names a text that the file does not have")
            return self._strings[at]
        if kind == "str":
            return _unescaped(raw)
        if kind == "b":
            return raw.strip() not in ("0", "false")
        if kind == "e":
            return Fault(raw.strip()[:40])
        if kind == "d":
            return Moment(raw.strip()[:40])
        try:
            number = float(raw)
        except ValueError:
            return raw
        return self._number(number)

    def _number(self, number: float) -> Value:
        if number != number or abs(number) == float("inf"):
            return Fault("#NUM!")
        shows = self._styles.of[self._style] if 0 <= self._style < len(self._styles.of) else ""
        if shows == "date" and (moment := of_serial(number, self._from_1904)) is not None:
            return moment
        return Share(number) if shows == "share" else plain_number(number)


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1
