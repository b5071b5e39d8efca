"""A table as it was read: columns with names, rows of values, and the cell that each of them is."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from cardgen.findings import Location
from cardgen.tables.meter import Meter
from cardgen.tables.number_signs import is_comma_likelier
from cardgen.tables.values import Value

_PLAIN = re.compile(r"[^\W\d]\w*")
_BREAK = re.compile("\r\n|[\r\n]")


def letters(column: int) -> str:
    """The name of a column, counted from 0, in a spreadsheet: A, B, … Z, AA."""
    text = ""
    column += 1
    while column > 0:
        column, digit = divmod(column - 1, 26)
        text = chr(ord("A") + digit) + text
    return text


@dataclass(frozen=True, slots=True)
class Column:
    """A column with a name: its text in the first row, and where it stands, from 0."""

    name: str
    index: int


@dataclass(frozen=True, slots=True)
class Row:
    """A row with something in it. `number` counts from 1 as spreadsheets do, those above and empty ones
    too. `cells` has a value for each of the table's columns, or None for an empty cell. `starts` says of a
    text file where each of these cells begins in it, or where the row ends that is too short for it."""

    number: int
    cells: tuple[Value | None, ...]
    starts: tuple[int, ...] = ()


class Lines:
    """The lines of a text, which are found once."""

    def __init__(self, text: str = "") -> None:
        self.text = text

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in _BREAK.finditer(self.text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1, of a character."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


@dataclass(slots=True)
class Table:
    """The rows below the one that names the columns, `header`. `sheet` is empty for a text file, whose
    text is kept to tell `lines`. With a `decimal_comma` semicolons part its cells, as in countries where
    numbers are written 3,5."""

    name: str
    sheet: str
    columns: tuple[Column, ...]
    header: Row
    rows: tuple[Row, ...]
    decimal_comma: bool = False
    lines: Lines = field(default_factory=Lines, repr=False)
    others: tuple[str, ...] = ()
    """Further sheets of the same workbook: those that have values, are not hidden and are no comments."""
    meter: Meter = field(default_factory=Meter, repr=False, compare=False)
    _comma: bool | None = None

    @property
    def text(self) -> str:
        return self.lines.text

    @property
    def has_comma(self) -> bool:
        """Whether decimal commas are likelier: where semicolons part cells, or other columns prove it."""
        if self._comma is None:
            columns = zip(*(row.cells for row in self.rows), strict=True)
            texts = ([cell for cell in cells if isinstance(cell, str)] for cells in columns)
            self._comma = self.decimal_comma or is_comma_likelier(texts)
        return self._comma

    def place(self, row: Row, at: int = 0, path: str = "") -> Location:
        """The cell of a row in the column `at` of the table's columns, with the address of its value.

        The line and column are those of the text, or else the row and column of the sheet."""
        column = self.columns[at].index if at < len(self.columns) else 0
        address = f"{letters(column)}{row.number}"
        if not row.starts:
            return Location(self.name, row.number, column + 1, path, f"{quoted(self.sheet)}!{address}")
        line, start = self.lines.place(row.starts[min(at, len(row.starts) - 1)])
        if self.name.lower().endswith(".json"):  # which nobody sees as cells
            address = ""
        return Location(self.name, line, start, path, address)


def quoted(sheet: str) -> str:
    """A sheet's name as formulas write it: Cards, 'My cards'."""
    return sheet if _PLAIN.fullmatch(sheet) else "'" + sheet.replace("'", "''") + "'"
