"""A sheet as a grid of values, and the table that it holds: what names the columns, what is left out.

- Rows without a value are left out, and so are comments: rows whose first cell is `#` or begins with `# `.
- A row of one value in a cell merged over several columns is a heading, and left out.
- The first row that is left names the columns. A column whose name is such a comment is left out.
- A cell merged over several rows stands in each of them that has other values.
- Hidden rows and columns count as any other: a filter takes no card out of a game.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from cardgen.findings import Findings, Location
from cardgen.tables.table import Column, Row, Table, letters, quoted
from cardgen.tables.values import DELETE, Fault, Rich, Value, bad_character, forbidden, text_of, unified

MOST_ROWS = 50_000
"""Most rows with values of a sheet."""
MOST_COLUMNS = 500
"""Most columns with values."""
MOST_CELLS = 500_000
"""Most values of a sheet: twenty for each of 20,000 cards, and a quarter more."""
MOST_TEXT = 100_000
"""Most characters of a cell; spreadsheet programs take a third of that."""
MOST_NAME = 200
"""Most characters of a column's name."""
MOST_PROBLEMS = 100


class TooLargeError(Exception):
    """A sheet over its bounds; says in words which."""


@dataclass(slots=True)
class Grid:
    """The values of a sheet by row (from 1) and column (from 0). Of a text file also the text, and where in
    it each cell and each row's end is."""

    name: str
    sheet: str = ""
    rows: dict[int, dict[int, Value]] = field(default_factory=dict)
    merged: list[tuple[int, int, int, int]] = field(default_factory=list)
    """First row, first column, last row, last column."""
    text: str = field(default="", repr=False)
    starts: dict[int, list[int]] = field(default_factory=dict, repr=False)
    ends: dict[int, int] = field(default_factory=dict, repr=False)
    decimal_comma: bool = False
    others: tuple[str, ...] = ()
    count: int = 0

    def put(self, row: int, column: int, value: Value) -> None:
        """Put a value into a cell. Raises TooLargeError."""
        if isinstance(value, str):
            if len(value) > MOST_TEXT:
                at = f"{letters(column)}{row}"
                raise TooLargeError(f"the cell {at} has more than {MOST_TEXT:,} characters")
            value = unified(value).strip()
            if not value:
                return
            if character := bad_character(value):
                value = Fault(value, character)
        elif isinstance(value, Rich) and (character := bad_character(value.plain)):
            value = Fault(value.plain, character)
        self.count += 1
        if self.count > MOST_CELLS:
            raise TooLargeError(f"more than {MOST_CELLS:,} cells have values")
        if column >= MOST_COLUMNS:
            raise TooLargeError(f"there are values beyond column {letters(MOST_COLUMNS - 1)}")
        cells = self.rows.get(row)
        if cells is None:
            if len(self.rows) >= MOST_ROWS:
                raise TooLargeError(f"more than {MOST_ROWS:,} rows have values")
            cells = self.rows[row] = {}
        cells[column] = value

    def row(self, number: int, columns: Iterable[int]) -> Row:
        """A row's values in some columns."""
        cells = self.rows[number]
        values = tuple(cells.get(column) for column in columns)
        if number not in self.starts:
            return Row(number, values)
        starts, end = self.starts[number], self.ends[number]
        places = tuple(starts[column] if column < len(starts) else end for column in columns)
        return Row(number, values, places)


def table_of(grid: Grid, findings: Findings) -> Table | None:
    """The table that a sheet holds; None after findings."""
    numbers = _numbers(grid)
    if not numbers:
        place = Location(grid.name, None, None, "", f"{quoted(grid.sheet)}!A1" if grid.sheet else "")
        hint = "name the columns in the first row, such as title, cost, text; each row below is a card"
        findings.error("tables/empty", "the table is empty", place, hint)
        return None
    head, *numbers = numbers
    columns = tuple(
        Column(text_of(value), index)
        for index, value in sorted(grid.rows[head].items())
        if not is_comment(text_of(value))
    )
    order = [column.index for column in columns]
    header = grid.row(head, order)
    rows = tuple(grid.row(number, order) for number in numbers)
    rows = tuple(row for row in rows if any(value is not None for value in row.cells))
    table = Table(
        grid.name, grid.sheet, columns, header, rows, grid.decimal_comma, grid.text, others=grid.others
    )
    before = len(findings.errors)
    _check_names(table, findings)
    _check_strays(grid, table, numbers, findings)
    return table if len(findings.errors) == before else None


def rows_of(grid: Grid) -> list[tuple[Row, tuple[Location, ...]]]:
    """All rows that are neither comments nor headings, from the first column on, with the places of their
    cells. `#` alone is no comment here: it may be the name of a column of numbers."""
    found = []
    for number in _numbers(grid, bare=False):
        width = max(grid.rows[number]) + 1
        row = grid.row(number, range(width))
        columns = tuple(Column("", column) for column in range(width))
        table = Table(grid.name, grid.sheet, columns, row, (), False, grid.text)
        found.append((row, tuple(table.place(row, at) for at in range(width))))
    return found


def _numbers(grid: Grid, *, bare: bool = True) -> list[int]:
    """The rows with values that are neither comments nor headings; cells merged over several rows are
    filled. `bare` says whether a `#` alone makes a comment."""
    left_out = _headings(grid)
    _fill_merged(grid)
    left = min((column for cells in grid.rows.values() for column in cells), default=0)
    return [
        number
        for number in sorted(grid.rows)
        if number not in left_out and not _is_comment(grid.rows[number].get(left), bare)
    ]


def is_comment(text: str) -> bool:
    """Whether the text of a first cell makes its row a comment: `#`, `# to do`; but `#1 Fan` is a title."""
    return text == "#" or text.startswith(("# ", "#\t", "#\n"))


def _is_comment(first: Value | None, bare: bool) -> bool:
    return isinstance(first, str) and is_comment(first) and (bare or first != "#")


def _headings(grid: Grid) -> set[int]:
    """The rows whose one value stands in a cell that is merged over several columns."""
    return {
        row
        for row, column, _, last in grid.merged
        if last > column and list(grid.rows.get(row, ())) == [column]
    }


def _fill_merged(grid: Grid) -> None:
    """Put the value of a cell that is merged over several rows into those that have values."""
    numbers = sorted(grid.rows)
    for first, column, last, _ in grid.merged:
        value = grid.rows.get(first, {}).get(column)
        if value is None or last == first:
            continue
        for number in numbers:
            if first < number <= last and column not in grid.rows[number]:
                grid.put(number, column, value)


def _check_names(table: Table, findings: Findings) -> None:
    """Report columns of one name, and names that are none."""
    seen: dict[str, int] = {}
    for at, column in enumerate(table.columns):
        place = table.place(table.header, at)
        if isinstance(fault := table.header.cells[at], Fault) and fault.character:
            findings.error("tables/character", forbidden(fault.character), place, DELETE)
        if len(column.name) > MOST_NAME:
            message = f"the column's name '{column.name[:40]}…' has more than {MOST_NAME} characters"
            findings.error("tables/column", message, place, "the first row names the columns")
        elif column.name in seen:
            other = letters(table.columns[seen[column.name]].index)
            message = f"two columns are called '{column.name}': {other} and {letters(column.index)}"
            findings.error("tables/column", message, place, "rename or delete one of them")
        seen.setdefault(column.name, at)
    if not table.columns:
        place = Location(table.name, None, None, "", f"{quoted(table.sheet)}!A1" if table.sheet else "")
        findings.error("tables/empty", "no column has a name", place, "name the columns in the first row")


def _check_strays(grid: Grid, table: Table, numbers: list[int], findings: Findings) -> None:
    """Report values in columns without a name, the first of each column."""
    named = set(grid.rows[table.header.number])
    said: set[int] = set()
    for number in numbers:
        if len(said) >= MOST_PROBLEMS:
            break
        for column in sorted(grid.rows[number].keys() - named - said):
            said.add(column)
            whole = Table(grid.name, grid.sheet, (Column("", column),), table.header, (), False, grid.text)
            message = f"the column {letters(column)} has no name in the first row"
            shown = text_of(grid.rows[number][column])
            hint = (
                f"name it, or empty its cells ('{shown[:40]}' and below); a name of # leaves a column out"
            )
            findings.error("tables/column", message, whole.place(grid.row(number, [column])), hint)
