"""ODS: a sheet of an OpenDocument spreadsheet to a grid. Formulas give the values they came to when the
file was saved."""

from __future__ import annotations

import re
from collections.abc import Mapping

from cardgen.tables.archive import Archive, Walk, read_markup
from cardgen.tables.grid import Grid
from cardgen.tables.meter import COLUMNS, STYLES, TEXT, DamagedError
from cardgen.tables.rich_text import Run, rich_text
from cardgen.tables.table import letters
from cardgen.tables.values import Fault, Formatted, Moment, Value, number_text, plain_number

_FAULT = re.compile(r"#[A-Z/0!?]+|Err:[0-9]+")
_TIME = re.compile(r"PT(\d{1,4})H(\d{1,2})M(\d{1,2})(?:[.,]\d+)?S")
_PLAIN: frozenset[str] = frozenset()
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


def sheets_of(archive: Archive) -> SheetNames:
    """The file's sheets. Raises DamagedError and TooLargeError, as all here."""
    if archive.has("META-INF/manifest.xml"):
        read_markup(archive, "META-INF/manifest.xml", _Locks())
    names = SheetNames()
    read_markup(archive, "content.xml", names)
    return names


def read_sheet(archive: Archive, sheet: str, name: str) -> Grid:
    """The grid of a sheet of that name."""
    grid = Grid(name, sheet, meter=archive.meter)
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
        self._runs: list[Run] = []
        self._length = 0
        self._paragraphs = self._depth = self._aside = 0
        self._styles: dict[str, frozenset[str]] = {}
        self._style = ""
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
        elif self._cell is not None and not self._aside:
            self._start_text(name, attributes)

    def _start_style(self, name: str, attributes: Mapping[str, str]) -> None:
        """Keep the marks of the styles that stretches of text have."""
        if name == "style":
            self._style = attributes.get("name", "") if attributes.get("family") == "text" else ""
        elif name == "text-properties" and self._style:
            self._grid.meter.limit(STYLES, len(self._styles) + 1)
            self._styles[self._style] = _marks(attributes)

    def _start_text(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "p":
            self._depth += 1
            if self._paragraphs:
                self._add("\n")
            self._paragraphs += 1
        elif name == "span":
            marks = self._styles.get(attributes.get("style-name", ""), _PLAIN)
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
    """The marks of a style, by its text properties."""
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
    """The value of a cell. What it shows stands in it, except in files of simple programs."""
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
    """The value of a number; `shown` is None where the file has no text for it."""
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
