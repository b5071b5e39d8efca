"""Sheets to write as a spreadsheet, and CSV texts written and edited."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence

from cardgen.core.records import dataclass
from cardgen.files.table_formats import separator_of
from cardgen.files.tables import Row, Table

Out = str | int | float | bool
"""A value to write into a cell; None leaves it empty."""

MOST_NAME = 31
"""Most characters of a sheet's name, in Excel."""
MOST_TEXT = 32_767
"""Most characters of a cell, in Excel and LibreOffice."""
WIDEST, NARROWEST = 60, 6
"""Characters of a column."""
_STRANGE = re.compile(r"[\[\]:*?/\\]|^'|'$")


@dataclass(frozen=True, slots=True)
class Heading:
    """A column: its name, its note, its allowed values. `is_text` keeps a program from turning typed text
    into numbers and dates."""

    name: str
    note: str = ""
    choices: tuple[str, ...] = ()
    is_text: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet: its columns, and rows with a value for each."""

    name: str
    headings: tuple[Heading, ...]
    rows: tuple[tuple[Out | None, ...], ...]

    def widths(self) -> list[int]:
        """Return the best width of each column, in characters."""
        return [
            min(WIDEST, max(NARROWEST, len(heading.name) + 2, *(_width(row[at]) for row in self.rows), 0))
            for at, heading in enumerate(self.headings)
        ]


def _width(value: Out | None) -> int:
    return 0 if value is None else max(map(len, str(value).split("\n"))) + 1


def sheet_name(wanted: str, taken: Sequence[str]) -> str:
    """Return an unused name that every program accepts."""
    plain = _STRANGE.sub("-", wanted)[:MOST_NAME] or "Sheet"
    name, number = plain, 1
    while name.casefold() in {each.casefold() for each in taken}:
        number += 1
        name = f"{plain[: MOST_NAME - len(str(number)) - 1]}-{number}"
    return name


_FORMULA = re.compile("[=+\\-@\t\r]|'[=+\\-@\t\r']")
_TO_QUOTE = re.compile('[",;\t\r\n]|^ | $|^#')


def csv_bytes(sheets: Sequence[Sheet]) -> bytes:
    """Return the bytes of a file with the first sheet alone."""
    sheet = sheets[0]
    rows = [[heading.name for heading in sheet.headings], *sheet.rows]
    lines = [",".join(cell_text(value) for value in row) for row in rows]
    return codecs.BOM_UTF8 + "".join(f"{line}\r\n" for line in lines).encode()


def cell_text(value: Out | None, sign: str = ",") -> str:
    """Return a cell's text in the file, for a separator."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    text = f"'{value}" if _FORMULA.match(value) else value
    if not _TO_QUOTE.search(text) and sign not in text:
        return text
    return '"' + text.replace('"', '""') + '"'


_BREAK = re.compile("\r\n|[\r\n]")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

Cells = Mapping[int, Out | None]
"""Values by the table's column, counted from 0."""


class UneditedError(Exception):
    """The reason why a text can't be edited in place."""


def edited_table(
    table: Table, changed: Sequence[tuple[Row, Cells]], gone: Sequence[Row], new: Sequence[Cells]
) -> str:
    """Return the text of a table with changed cells, removed rows, and new rows at its end.

    Raises UneditedError.
    """
    text, sign = table.text, _sign(table)
    edits = [_changed(table, row, cells, sign) for row, cells in changed]
    edits += [(*_span(table, row, sign, whole=True), "") for row in gone]
    newline = found.group() if (found := _BREAK.search(text)) else "\n"
    for start, end, put in sorted(edits, reverse=True):
        text = text[:start] + put + text[end:]
    if new and text and not text.endswith(("\n", "\r")):
        text += newline
    width = table.columns[-1].index + 1
    for cells in new:
        values = [""] * width
        for at, value in cells.items():
            values[table.columns[at].index] = cell_text(value, sign)
        text += sign.join(values) + newline
    return text


def encoded(text: str, raw: bytes) -> bytes:
    """Return a text in the encoding of its original bytes. Raises UneditedError if that is old Windows."""
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return mark + text.encode(encoding)
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        raise UneditedError("the file is not UTF-8") from None
    return text.encode("utf-8")


def _sign(table: Table) -> str:
    """Return the sign that separates the cells."""
    header = table.header
    for at, column in enumerate(table.columns[1:], 1):
        if column.index == table.columns[at - 1].index + 1:
            return table.text[header.starts[at] - 1]
    return separator_of(table.name) or ","


def _cells(table: Table, row: Row, sign: str) -> list[tuple[int, int]]:
    """Return the start and end of the cells of a row."""
    if table.columns[0].index:
        raise UneditedError("the first column has no name")
    cell = re.compile(rf'"(?:[^"]|"")*+"[^{sign}\r\n]*|[^{sign}\r\n]*')
    at, spans = row.starts[0], []
    while True:
        found = cell.match(table.text, at)
        assert found is not None  # the last form accepts anything
        spans.append(found.span())
        at = found.end()
        if table.text[at : at + 1] != sign:
            return spans
        at += 1


def _span(table: Table, row: Row, sign: str, *, whole: bool) -> tuple[int, int]:
    """Return the start and end of a row, including its line break if `whole`."""
    spans = _cells(table, row, sign)
    end = spans[-1][1]
    found = _BREAK.match(table.text, end)
    return spans[0][0], found.end() if found and whole else end


def _changed(table: Table, row: Row, cells: Cells, sign: str) -> tuple[int, int, str]:
    spans = _cells(table, row, sign)
    values = [table.text[start:end] for start, end in spans]
    for at, value in cells.items():
        index = table.columns[at].index
        values += [""] * (index + 1 - len(values))
        values[index] = cell_text(value, sign)
    return spans[0][0], spans[-1][1], sign.join(values)
