"""Sheets to be written as a spreadsheet program's file: columns with their notes and choices, rows of
values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cardgen.findings import Findings, Location

Out = str | int | float | bool
"""What is written into a cell; None leaves it empty."""

MOST_NAME = 31
"""Most characters of a sheet's name, in Excel."""
MOST_TEXT = 32_767
"""Most characters of a cell, in Excel and LibreOffice."""
WIDEST, NARROWEST = 60, 6
"""Characters of a column."""
_STRANGE = re.compile(r"[\[\]:*?/\\]|^'|'$")


@dataclass(frozen=True, slots=True)
class Heading:
    """A column: its name, what is said of it, what its cells may be. `is_text` keeps a program from making
    numbers and dates of what is typed in."""

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
        """How many characters wide each column is best shown."""
        return [
            min(WIDEST, max(NARROWEST, len(heading.name) + 2, *(_width(row[at]) for row in self.rows), 0))
            for at, heading in enumerate(self.headings)
        ]


def _width(value: Out | None) -> int:
    return 0 if value is None else max(map(len, str(value).split("\n"))) + 1


def sheet_name(wanted: str, taken: Sequence[str]) -> str:
    """A name as every program takes it, and none that is taken."""
    plain = _STRANGE.sub("-", wanted)[:MOST_NAME] or "Sheet"
    name, number = plain, 1
    while name.casefold() in {each.casefold() for each in taken}:
        number += 1
        name = f"{plain[: MOST_NAME - len(str(number)) - 1]}-{number}"
    return name


def write_sheets(sheets: Sequence[Sheet], ending: str, name: str, findings: Findings) -> bytes:
    """The bytes of a file: `.xlsx`, `.ods`, or `.csv` of one sheet. The same sheets give the same bytes.
    A finding for each cell that is too long for a program; the file is then of no use."""
    for sheet in sheets:
        for row in sheet.rows:
            long = [at for at, cell in enumerate(row) if isinstance(cell, str) and len(cell) > MOST_TEXT]
            if long:
                field = sheet.headings[long[0]].name
                message = f"{sheet.name}: {row[0]}: {field} has more than {MOST_TEXT:,} characters"
                hint = "no cell of a spreadsheet can have more; leave the component out with --component"
                findings.error("tables/size", message, Location(name), hint)
    if ending == ".xlsx":
        from cardgen.tables.xlsx_writing import xlsx_bytes

        return xlsx_bytes(sheets)
    if ending == ".ods":
        from cardgen.tables.ods_writing import ods_bytes

        return ods_bytes(sheets)
    from cardgen.tables.delimited_writing import csv_bytes

    return csv_bytes(sheets[0])
