"""`read_table`: the bytes of a file to the table of one of its sheets."""

from __future__ import annotations

from pathlib import PurePosixPath

from cardgen.core.findings import Findings, Location, did_you_mean
from cardgen.files.table_grid import Grid, is_comment, rows_of, table_of
from cardgen.files.tables import JSON, DamagedError, Row, Table, answered, unused_sheets

MOST_OTHERS = 50
"""Most further sheets of a workbook that are looked into."""
_HEAD = b"PK"
_MANY = 12


def read_table(raw: bytes, name: str, sheet: str | None, findings: Findings) -> Table | None:
    """The table in a file's bytes. `name` is the file's in findings, its ending says what it is; `sheet` is
    that of a workbook, by default its first that is not hidden. None after findings; never raises."""
    with answered(name, findings):
        grid = _grid(raw, name, sheet, findings)
        return None if grid is None else table_of(grid, findings)
    return None


def read_rows(
    raw: bytes, name: str, findings: Findings, sheet: str | None = None
) -> list[tuple[Row, tuple[Location, ...]]]:
    """The rows of a workbook's `sheet`, or of the first that is not hidden, none of which names columns:
    comments and headings left out, each with the places of its cells. None of them after findings."""
    with answered(name, findings):
        grid = _grid(raw, name, sheet, findings)
        if grid is not None and grid.others and sheet is None:
            how = f"name one behind the file, such as '{name}#{grid.others[0]}'"
            findings.warning(*unused_sheets(name, grid.others, how))
        return [] if grid is None else rows_of(grid)
    return []


def sheet_names(raw: bytes, name: str, findings: Findings) -> list[str]:
    """The names of a workbook's sheets, in order, the hidden ones last; of JSON, those of its lists of
    objects; none for a text file and after findings."""
    from cardgen.files.table_grid import list_names

    if _ending(name) not in (".xlsx", ".ods", JSON):
        return []
    with answered(name, findings):
        if _ending(name) == JSON:
            return list_names(raw)
        names, hidden = _Opened(raw, _ending(name)).sheets()
        return sorted(names, key=lambda each: each in hidden)
    return []


def _ending(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


class _Opened:
    """A workbook: what its sheets are, and one of them."""

    def __init__(self, raw: bytes, ending: str) -> None:
        from cardgen.files import workbooks as ods
        from cardgen.files import workbooks as xlsx
        from cardgen.files.workbooks import Archive

        self._archive = Archive(raw)
        self._is_xlsx = ending == ".xlsx"
        if self._is_xlsx:
            self._book = xlsx.open_workbook(self._archive)
        else:
            self._names = ods.sheets_of(self._archive)

    def sheets(self) -> tuple[list[str], set[str]]:
        """The names of all sheets, and those of hidden ones."""
        if self._is_xlsx:
            return list(self._book.sheets), self._book.hidden
        return self._names.names, self._names.hidden

    def has_values(self, sheet: str) -> bool:
        """Whether anything stands in a sheet."""
        from cardgen.files import workbooks as xlsx

        if self._is_xlsx:
            return xlsx.has_values(self._archive, self._book, sheet)
        return sheet in self._names.filled

    def grid(self, sheet: str, name: str) -> Grid:
        from cardgen.files import workbooks as ods
        from cardgen.files import workbooks as xlsx

        if self._is_xlsx:
            return xlsx.read_xlsx_sheet(self._archive, self._book, sheet, name)
        return ods.read_ods_sheet(self._archive, sheet, name)


def _grid(raw: bytes, name: str, sheet: str | None, findings: Findings) -> Grid | None:
    ending = _ending(name)
    if ending in (".csv", ".tsv"):
        from cardgen.files.table_grid import read_delimited

        if raw.startswith(_HEAD):
            raise DamagedError(
                f"this is a workbook, not a {ending[1:].upper()} file", "rename it to .xlsx or .ods"
            )
        return read_delimited(raw, name, "\t" if ending == ".tsv" else None, findings)
    if ending == JSON:
        from cardgen.files.table_grid import read_list

        return read_list(raw, sheet or "", name, findings)
    book = _Opened(raw, ending)
    names, hidden = book.sheets()
    if not names:
        raise DamagedError("the file has no sheet")
    if sheet is None:
        sheet = next((each for each in names if each not in hidden), names[0])
    elif sheet not in names:
        hint = did_you_mean(sheet, names)
        if hint is None:
            hint = f"sheets: {', '.join(names[:_MANY])}{', …' if len(names) > _MANY else ''}"
        findings.error("tables/sheet", f"there is no sheet '{sheet}' in the file", Location(name), hint)
        return None
    grid = book.grid(sheet, name)
    shown = [each for each in names if each != sheet and each not in hidden and not is_comment(each)]
    grid.others = tuple(each for each in shown[:MOST_OTHERS] if book.has_values(each))
    return grid
