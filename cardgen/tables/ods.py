"""ODS: a sheet of an OpenDocument spreadsheet to a grid. Formulas give the values they came to when the
file was saved."""

from __future__ import annotations

import re
from collections.abc import Mapping

from cardgen.tables.archive import Archive, DamagedError, Walk, read_markup
from cardgen.tables.grid import MOST_COLUMNS, MOST_TEXT, Grid, TooLargeError
from cardgen.tables.table import letters
from cardgen.tables.values import Fault, Moment, Share, Value, plain_number

_FAULT = re.compile(r"#[A-Z/0!?]+|Err:[0-9]+")
_TIME = re.compile(r"PT(\d{1,4})H(\d{1,2})M(\d{1,2})(?:[.,]\d+)?S")
MOST_MERGED = 20_000


class SheetNames(Walk):
    """The names of the sheets, in order, and of those that are hidden."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.hidden: set[str] = set()
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

    def end(self, name: str) -> None:
        if name == "table":
            self._inside -= 1


def sheets_of(archive: Archive) -> SheetNames:
    """The file's sheets. Raises DamagedError and TooLargeError, as all here."""
    if archive.has("META-INF/manifest.xml"):
        read_markup(archive, "META-INF/manifest.xml", _Locks())
    names = SheetNames()
    read_markup(archive, "content.xml", names)
    return names


def read_sheet(archive: Archive, sheet: str, name: str) -> Grid:
    """The grid of a sheet of that name."""
    grid = Grid(name, sheet)
    read_markup(archive, "content.xml", _Sheet(grid))
    return grid


class _Locks(Walk):
    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "encryption-data":
            raise DamagedError("the file has a password", "save it without one")


class _Sheet(Walk):
    """The cells of the sheet of the grid's name. Rows and cells may stand for several."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._tables = 0
        self._here = False
        self._row, self._rows = 1, 1
        self._column = 0
        self._cell: Mapping[str, str] | None = None
        self._values: list[tuple[int, Value]] = []
        self._words: list[str] = []
        self._length = 0
        self._paragraphs = self._depth = self._aside = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "table":
            self._tables += 1
            if self._tables == 1:
                self._here = attributes.get("name", "") == self._grid.sheet
                self._row = 1
        elif not self._here or self._tables > 1:
            return
        elif name in ("annotation", "shapes", "frame"):
            self._aside += 1
        elif name == "table-row":
            self._rows, self._column, self._values = _count(attributes, "number-rows-repeated"), 0, []
        elif name in ("table-cell", "covered-table-cell"):
            self._cell, self._words, self._length, self._paragraphs = attributes, [], 0, 0
        elif self._cell is not None and not self._aside:
            self._start_text(name, attributes)

    def _start_text(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "p":
            self._depth += 1
            if self._paragraphs:
                self._add("\n")
            self._paragraphs += 1
        elif name == "s":
            self._add(" " * min(_count(attributes, "c"), MOST_TEXT + 1))
        elif name == "tab":
            self._add("\t")
        elif name == "line-break":
            self._add("\n")

    def text(self, words: str) -> None:
        if self._depth and not self._aside:
            self._add(words)

    def _add(self, words: str) -> None:
        self._length += len(words)
        if self._length > MOST_TEXT:
            raise TooLargeError(f"a cell has more than {MOST_TEXT:,} characters")
        self._words.append(words)

    def end(self, name: str) -> None:
        if name == "table":
            self._tables -= 1
            self._here = self._here and self._tables > 0
        elif not self._here or self._tables > 1:
            return
        elif name in ("annotation", "shapes", "frame"):
            self._aside -= 1
        elif name == "p" and self._depth and not self._aside:
            self._depth -= 1
        elif name in ("table-cell", "covered-table-cell") and self._cell is not None:
            self._end_cell(self._cell, name == "covered-table-cell")
            self._cell = None
        elif name == "table-row":
            self._end_row()

    def _end_cell(self, cell: Mapping[str, str], covered: bool) -> None:
        times = _count(cell, "number-columns-repeated")
        value = None if covered else _read(cell, "".join(self._words))
        if value is not None and value != "":
            if self._column + times > MOST_COLUMNS:
                raise TooLargeError(f"row {self._row} has values beyond column {letters(MOST_COLUMNS - 1)}")
            self._values += ((column, value) for column in range(self._column, self._column + times))
        wide, high = _count(cell, "number-columns-spanned"), _count(cell, "number-rows-spanned")
        if (wide > 1 or high > 1) and len(self._grid.merged) < MOST_MERGED:
            last = self._row + high - 1, self._column + wide - 1
            self._grid.merged.append((self._row, self._column, *last))
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


def _read(cell: Mapping[str, str], words: str) -> Value | None:
    kind = cell.get("value-type", "")
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
        return Share(number) if kind == "percentage" else plain_number(number)
    if kind == "boolean":
        return cell.get("boolean-value") == "true"
    if kind == "date":
        return Moment(cell.get("date-value", shown).replace("T", " ").removesuffix(" 00:00:00")[:40])
    if kind == "time":
        found = _TIME.fullmatch(cell.get("time-value", ""))
        if found is None:
            return Moment(shown[:40])
        second = f":{found[3]:0>2}" if int(found[3]) else ""
        return Moment(f"{found[1]:0>2}:{found[2]:0>2}{second}")
    if kind == "string" and not words:
        words = cell.get("string-value", "")
        if len(words) > MOST_TEXT:
            raise TooLargeError(f"a cell has more than {MOST_TEXT:,} characters")
    if not words and "formula" in cell and not kind:
        return Fault("")
    return words
