"""A sheet as a grid of values, and the table that it holds: what names the columns, what is left out.

- Rows without a value are left out, and so are comments: rows whose first cell is `#` or begins with `# `.
- A row of one value in a cell merged over several columns is a heading, and left out.
- The first row that is left names the columns. A column whose name is such a comment is left out.
- A cell merged over several rows stands in each of them that has other values.
- Hidden rows and columns count as any other: a filter takes no card out of a game.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

from cardgen.findings import Findings, Location
from cardgen.tables.meter import (
    CELLS,
    CHARACTERS,
    COLUMNS,
    FINDINGS,
    MERGED,
    MERGES,
    ROWS,
    SEEN,
    TEXT,
    Meter,
)
from cardgen.tables.table import Column, Lines, Row, Table, letters, quoted
from cardgen.tables.values import (
    DELETE,
    Fault,
    Formatted,
    Moment,
    Rich,
    Value,
    bad_character,
    forbidden,
    text_of,
    unified,
)

MOST_NAME = 200
"""Most characters of a column's name."""
MOST_STRAYS = 100
"""Columns without a name that are reported."""


@dataclass(slots=True)
class Grid:
    """The values of a sheet by row (from 1) and column (from 0). Of a text file also its lines, and where
    in it each cell and each row's end is."""

    name: str
    sheet: str = ""
    rows: dict[int, dict[int, Value]] = field(default_factory=dict)
    merged: list[tuple[int, int, int, int]] = field(default_factory=list)
    """First row, first column, last row, last column."""
    lines: Lines = field(default_factory=Lines, repr=False)
    starts: dict[int, list[int]] = field(default_factory=dict, repr=False)
    ends: dict[int, int] = field(default_factory=dict, repr=False)
    decimal_comma: bool = False
    others: tuple[str, ...] = ()
    has_comments: bool = True
    meter: Meter = field(default_factory=Meter, repr=False)

    def put(self, row: int, column: int, value: Value) -> None:
        """Put a value into a cell, and charge for it. Raises TooLargeError."""
        charge = self.meter.charge
        charge(SEEN)
        if isinstance(value, str):
            if len(value) > TEXT.most:
                raise TEXT.exceeded(f"the cell {letters(column)}{row}")
            value = unified(value).strip()
            if not value:
                return
            charge(CHARACTERS, len(value))
            if character := bad_character(value):
                value = Fault(value, character)
        elif isinstance(value, Rich):
            charge(CHARACTERS, len(value.plain) + len(value.markdown))
            if character := bad_character(value.plain):
                value = Fault(value.plain, character)
        elif isinstance(value, Moment | Formatted | Fault):
            charge(CHARACTERS, len(text_of(value)))
        charge(CELLS)
        self.meter.limit(COLUMNS, column + 1, f"row {row}")
        cells = self.rows.get(row)
        if cells is None:
            self.meter.limit(ROWS, len(self.rows) + 1)
            cells = self.rows[row] = {}
        cells[column] = value

    def merge(self, row: int, column: int, last_row: int, last_column: int) -> None:
        """Keep that cells are merged. Raises TooLargeError."""
        self.meter.charge(MERGES)
        self.merged.append((row, column, last_row, last_column))

    def place(self, at: int, cell: str = "") -> Location:
        """Return the place of a character of the text, and charge for the finding that needs it."""
        self.meter.charge(FINDINGS)
        return Location(self.name, *self.lines.place(at), "", cell)

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
        if not (grid.has_comments and is_comment(text_of(value)))
    )
    order = [column.index for column in columns]
    grid.meter.limit(SEEN, len(numbers) * len(order))
    header = grid.row(head, order)
    rows = tuple(grid.row(number, order) for number in numbers)
    rows = tuple(row for row in rows if any(value is not None for value in row.cells))
    table = _table(grid, columns, header, rows)
    before = len(findings.errors)
    _check_names(table, findings)
    _check_strays(grid, table, numbers, findings)
    return table if len(findings.errors) == before else None


def _table(grid: Grid, columns: tuple[Column, ...], header: Row, rows: tuple[Row, ...] = ()) -> Table:
    return Table(
        grid.name,
        grid.sheet,
        columns,
        header,
        rows,
        grid.decimal_comma,
        grid.lines,
        grid.others,
        grid.meter,
    )


def rows_of(grid: Grid) -> list[tuple[Row, tuple[Location, ...]]]:
    """All rows that are neither comments nor headings, from the first column on, with the places of their
    cells. `#` alone is no comment here: it may be the name of a column of numbers."""
    found = []
    area = 0
    for number in _numbers(grid, bare=False):
        width = max(grid.rows[number]) + 1
        area += width
        grid.meter.limit(SEEN, area)
        row = grid.row(number, range(width))
        columns = tuple(Column("", column) for column in range(width))
        table = _table(grid, columns, row)
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
        if number not in left_out
        and not (grid.has_comments and _is_comment(grid.rows[number].get(left), bare))
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
        if last > column and len(cells := grid.rows.get(row, {})) == 1 and column in cells
    }


def _fill_merged(grid: Grid) -> None:
    """Put the value of a cell that is merged over several rows into those that have values.

    Overlapping ranges could cover all rows thousands of times, so each covered row is charged.
    """
    numbers = sorted(grid.rows)
    for first, column, last, _ in grid.merged:
        value = grid.rows.get(first, {}).get(column)
        if value is None or last == first:
            continue
        covered = numbers[bisect_right(numbers, first) : bisect_right(numbers, last)]
        grid.meter.charge(MERGED, len(covered))
        for number in covered:
            if column not in grid.rows[number]:
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
        if len(said) >= MOST_STRAYS:
            break
        for column in sorted(grid.rows[number].keys() - named - said):
            said.add(column)
            whole = _table(grid, (Column("", column),), table.header)
            message = f"the column {letters(column)} has no name in the first row"
            shown = text_of(grid.rows[number][column])
            hint = (
                f"name it, or empty its cells ('{shown[:40]}' and below); a name of # leaves a column out"
            )
            findings.error("tables/column", message, whole.place(grid.row(number, [column])), hint)
