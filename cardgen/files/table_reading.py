"""`read_table`: the bytes of a file to the table of one of its sheets."""

from __future__ import annotations

from importlib import import_module
from typing import Protocol

from cardgen.core.findings import Findings, Location
from cardgen.files.table_formats import TableFormat, format_of
from cardgen.files.table_grid import Grid, rows_of, table_of
from cardgen.files.tables import DamagedError, Row, Table, answered, unused_sheets


class TableReader(Protocol):
    """A reader for files of one format. Methods raise the errors that `tables.answered` reports."""

    def sheets(self) -> list[str]:
        """Return the names of its sheets, in order, the hidden ones last; none of a text file."""

    def read(self, sheet: str | None, findings: Findings) -> Grid | None:
        """Return the values of a sheet, by default the first that is not hidden; None after findings."""


def reader_of(format: TableFormat, raw: bytes, name: str) -> TableReader:
    """Return the reader of a file of these bytes. Raises the errors that `tables.answered` reports."""
    module, _, called = format.source.partition(":")
    found: TableReader = getattr(import_module(module), called)(raw, name)
    return found


def read_table(raw: bytes, name: str, sheet: str | None, findings: Findings) -> Table | None:
    """Return the table in a file's bytes. `name` is the file's in findings, and its ending sets the format;
    `sheet` is that of a workbook, by default its first that is not hidden. None after findings; never
    raises."""
    with answered(name, findings):
        grid = _grid(raw, name, sheet, findings)
        return None if grid is None else table_of(grid, findings)
    return None


def read_rows(
    raw: bytes, name: str, findings: Findings, sheet: str | None = None
) -> list[tuple[Row, tuple[Location, ...]]]:
    """Return the rows of a workbook's `sheet`, or of the first that is not hidden, without a row of column
    names: comments and headings skipped, each with the places of its cells. None after findings."""
    with answered(name, findings):
        grid = _grid(raw, name, sheet, findings)
        if grid is not None and grid.others and sheet is None:
            how = f"name one after the file, such as '{name}#{grid.others[0]}'"
            findings.warning(*unused_sheets(name, grid.others, how))
        return [] if grid is None else rows_of(grid)
    return []


def sheet_names(raw: bytes, name: str, findings: Findings) -> list[str]:
    """Return the names of a workbook's sheets, in order, the hidden ones last; of JSON, those of its lists
    of objects; none for a text file and after findings."""
    format = format_of(name)
    with answered(name, findings):
        return [] if format is None or not format.has_sheets else reader_of(format, raw, name).sheets()
    return []


def visible_sheets(raw: bytes, name: str, findings: Findings) -> list[str]:
    """Return the names of a file's sheets as `sheet_names`, without hidden ones."""
    format = format_of(name)
    with answered(name, findings):
        if format is not None and format.has_sheets:
            reader = reader_of(format, raw, name)
            return [each for each in reader.sheets() if each not in getattr(reader, "hidden", ())]
    return []


def _grid(raw: bytes, name: str, sheet: str | None, findings: Findings) -> Grid | None:
    format = format_of(name)
    if format is None:
        raise DamagedError("its file name has no table ending")
    return reader_of(format, raw, name).read(sheet, findings)
