"""A text of CSV or TSV edited in its place: only the cells that have other values are written anew."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence

from cardgen.tables.delimited_writing import cell_text
from cardgen.tables.sheets import Out
from cardgen.tables.table import Row, Table

_BREAK = re.compile("\r\n|[\r\n]")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

Cells = Mapping[int, Out | None]
"""Values by the table's column that they stand in, counted from 0."""


class UneditedError(Exception):
    """A text that can't be edited in its place; says why."""


def edited_table(
    table: Table, changed: Sequence[tuple[Row, Cells]], gone: Sequence[Row], new: Sequence[Cells]
) -> str:
    """The text of a table of which cells have changed, rows are gone, and rows are new at its end.

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
    """A text as bytes like those that it was read from. Raises UneditedError if that is old Windows."""
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return mark + text.encode(encoding)
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        raise UneditedError("the file is not UTF-8") from None
    return text.encode("utf-8")


def _sign(table: Table) -> str:
    """What parts the cells."""
    header = table.header
    for at, column in enumerate(table.columns[1:], 1):
        if column.index == table.columns[at - 1].index + 1:
            return table.text[header.starts[at] - 1]
    return "\t" if table.name.lower().endswith(".tsv") else ","


def _cells(table: Table, row: Row, sign: str) -> list[tuple[int, int]]:
    """Where the cells of a row begin and end."""
    if table.columns[0].index:
        raise UneditedError("the first column has no name")
    cell = re.compile(rf'"(?:[^"]|"")*+"[^{sign}\r\n]*|[^{sign}\r\n]*')
    at, spans = row.starts[0], []
    while True:
        found = cell.match(table.text, at)
        assert found is not None  # the last form takes anything
        spans.append(found.span())
        at = found.end()
        if table.text[at : at + 1] != sign:
            return spans
        at += 1


def _span(table: Table, row: Row, sign: str, *, whole: bool) -> tuple[int, int]:
    """Where a row begins and ends, its line break among it if as a `whole`."""
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
