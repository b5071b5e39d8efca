"""CSV, TSV and JSON as a grid of values, and the table in a grid."""

from __future__ import annotations

import codecs
import json
import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from cardgen.core.findings import Findings, Location
from cardgen.core.records import dataclass, field
from cardgen.files.table_formats import WORKBOOK_ENDINGS, format_of, separator_of
from cardgen.files.tables import (
    CELLS,
    CHARACTERS,
    COLUMNS,
    DELETE,
    ERRORS,
    FINDINGS,
    MERGED,
    MERGES,
    ROWS,
    SEEN,
    TEXT,
    Column,
    DamagedError,
    Fault,
    Formatted,
    Lines,
    Meter,
    Moment,
    Rich,
    Row,
    Table,
    Value,
    bad_character,
    forbidden,
    letters,
    quoted,
    text_of,
    unified,
)
from cardgen.files.yaml_text import json_words

MOST_NAME = 200
"""Most characters of a column's name."""
MOST_STRAYS = 100
"""Most columns without a name that are reported."""


@dataclass(slots=True)
class Grid:
    """The values of a sheet by row (from 1) and column (from 0). For a text file also its lines, and the
    position of each cell and each row's end."""

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
        """Put a value into a cell, and count it. Raises TooLargeError."""
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
        """Record that cells are merged. Raises TooLargeError."""
        self.meter.charge(MERGES)
        self.merged.append((row, column, last_row, last_column))

    def place(self, at: int, cell: str = "") -> Location:
        """Return the place of a character of the text, and count the finding that needs it."""
        self.meter.charge(FINDINGS)
        return Location(self.name, *self.lines.place(at), "", cell)

    def row(self, number: int, columns: Iterable[int]) -> Row:
        """Return a row's values in some columns."""
        cells = self.rows[number]
        values = tuple(cells.get(column) for column in columns)
        if number not in self.starts:
            return Row(number, values)
        starts, end = self.starts[number], self.ends[number]
        places = tuple(starts[column] if column < len(starts) else end for column in columns)
        return Row(number, values, places)


def table_of(grid: Grid, findings: Findings) -> Table | None:
    """Return the table in a sheet; None after findings."""
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
    columns = _distinct(grid, head, columns, findings)
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
    """Return all rows that are neither comments nor headings, from the first column on, with the places of
    their cells. `#` alone is no comment here: it may be the name of a column of numbers."""
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
    """Return the rows with values that are neither comments nor headings; cells merged over several rows
    are filled. If `bare`, a `#` alone makes a comment."""
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
    """Return True if the text of a first cell makes its row a comment: `#`, `# to do`; but `#1 Fan` is a
    title."""
    return text == "#" or text.startswith(("# ", "#\t", "#\n"))


def is_ignored(sheet: str) -> bool:
    """Return True if the name of a sheet, or of a file in a folder of tables, excludes it: `_old`,
    `# ideas`."""
    return sheet.lstrip().startswith(("_", "#"))


def _is_comment(first: Value | None, bare: bool) -> bool:
    return isinstance(first, str) and is_comment(first) and (bare or first != "#")


def _headings(grid: Grid) -> set[int]:
    """Return the rows whose one value is in a cell that is merged over several columns."""
    return {
        row
        for row, column, _, last in grid.merged
        if last > column and len(cells := grid.rows.get(row, {})) == 1 and column in cells
    }


def _fill_merged(grid: Grid) -> None:
    """Copy the value of a cell that is merged over several rows into those that have values.

    Overlapping ranges could cover all rows thousands of times, so each covered row is counted.
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


def _distinct(grid: Grid, head: int, columns: tuple[Column, ...], findings: Findings) -> tuple[Column, ...]:
    """Return the columns whose names differ: of duplicates, which are reported, the first."""
    whole = _table(grid, columns, grid.row(head, [column.index for column in columns]))
    seen: dict[str, Column] = {}
    for at, column in enumerate(columns):
        if column.name in seen:
            other = letters(seen[column.name].index)
            message = f"two columns are called '{column.name}': {other} and {letters(column.index)}"
            place = whole.place(whole.header, at)
            findings.error("tables/column", message, place, "rename or delete one of them")
        seen.setdefault(column.name, column)
    return tuple(seen.values())


def _check_names(table: Table, findings: Findings) -> None:
    """Report invalid column names."""
    for at, column in enumerate(table.columns):
        place = table.place(table.header, at)
        if isinstance(fault := table.header.cells[at], Fault) and fault.character:
            findings.error("tables/character", forbidden(fault.character), place, DELETE)
        if len(column.name) > MOST_NAME:
            message = f"the column name '{column.name[:40]}…' has more than {MOST_NAME} characters"
            findings.error(
                "tables/column", message, place, "shorten it; the first row contains the column names"
            )
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
            hint = f"name it, or empty its cells ('{shown[:40]}' and below); a column named # is skipped"
            findings.error("tables/column", message, whole.place(grid.row(number, [column])), hint)


_SEPARATOR = re.compile(r'"?sep=([,;\t|])"?\r?(?:\n|\Z)', re.IGNORECASE)
_QUOTED = re.compile(r'"(?:[^"]|"")*+"')
_BREAK = re.compile("\r\n|[\r\n]")
_ESCAPED = re.compile("'(?=[=+\\-@\t\r'])")
_TEXT_FORMULA = re.compile('="((?:[^"]|"")*+)"')
"""The form in which programs export text that spreadsheets would otherwise read as a number: `="007"`."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ZEROS = 4
"""More than one zero byte in this many characters means a binary file or UTF-16, not text."""
_ZIP = b"PK"
_SAVE = "save the file as CSV with the encoding UTF-8"


class Delimited:
    """A text file of lines whose cells are separated by a sign."""

    def __init__(self, raw: bytes, name: str) -> None:
        if raw.startswith(_ZIP):
            format = format_of(name)
            kind = "text" if format is None else format.title
            hint = f"rename it to {' or '.join(WORKBOOK_ENDINGS)}"
            raise DamagedError(f"this is a workbook, not a {kind} file", hint)
        self._raw, self._name = raw, name

    def sheets(self) -> list[str]:
        """Return no sheets: the file is one table."""
        return []

    def read(self, sheet: str | None, findings: Findings) -> Grid | None:
        """Return the file's values; None after findings. Raises TooLargeError."""
        text = _decoded(self._raw, self._name, findings)
        if text is None:
            return None
        start, sign = 0, separator_of(self._name) or _guessed(text)
        if found := _SEPARATOR.match(text):
            sign, start = found[1], found.end()
        grid = Grid(self._name, lines=Lines(text), decimal_comma=sign == ";")
        return grid if _fill(grid, start, sign, findings) else None


def _decoded(raw: bytes, name: str, findings: Findings) -> str | None:
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            try:
                return _checked(raw[len(mark) :].decode(encoding), name, findings)
            except UnicodeDecodeError:
                message = f"the file starts as {encoding.upper()} but is not valid"
                findings.error("tables/encoding", message, Location(name), _SAVE)
                return None
    try:
        return _checked(raw.decode("utf-8"), name, findings)
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8", "replace")
        lines = _BREAK.split(before)
        place = Location(name, len(lines), len(lines[-1]) + 1)
        byte = f"the byte 0x{raw[error.start]:02x} is not UTF-8"
    try:
        text = raw.decode("cp1252")
    except UnicodeDecodeError:
        findings.error("tables/encoding", byte, place, _SAVE)
        return None
    line = _BREAK.split(text)[len(lines) - 1][:60]
    message = f"{byte}; the file is read as Windows' western encoding: '{line}'"
    findings.warning("tables/encoding", message, place, _SAVE)
    return _checked(text, name, findings)


def _checked(text: str, name: str, findings: Findings) -> str | None:
    zeros = text.count("\0")
    if zeros * _ZEROS <= len(text):
        return text
    lines = _BREAK.split(text[: text.index("\0")])
    message = f"the file is not text: {zeros:,} of its {len(text):,} characters are U+0000"
    place = Location(name, len(lines), len(lines[-1]) + 1)
    findings.error("tables/character", message, place, "save the table as CSV")
    return None


def _guessed(text: str) -> str:
    """Return the most frequent delimiter in the first line with words."""
    for line in _BREAK.split(_QUOTED.sub("", text[:200_000])):
        if line.strip(" ,;\t") and not is_comment(line.strip(" ,;\t")):
            return max(",;\t", key=line.count)
    return ","


def _fill(grid: Grid, at: int, sign: str, findings: Findings) -> bool:
    """Read all rows; return True if there were no problems."""
    text = grid.lines.text
    cell = re.compile(rf'"((?:[^"]|"")*+)"([^{sign}\r\n]*)|([^{sign}\r\n]*)')
    row, column = 1, 0
    starts: list[int] = []
    good = True
    while at < len(text):
        found = cell.match(text, at)
        assert found is not None  # the last form accepts anything
        if column <= COLUMNS.most:
            starts.append(at)
        inside, behind, bare = found.groups()
        if inside is None and bare.startswith('"'):
            place = grid.place(at, f"{letters(column)}{row}")
            hint = 'write a quote within a quoted cell twice: "He said ""Ha!"""'
            findings.error("tables/quote", "the quoted cell that starts here is not closed", place, hint)
            return False
        if behind and behind.strip():
            place = grid.place(at, f"{letters(column)}{row}")
            message = f"'{behind.strip()[:40]}' follows the quoted cell that starts here"
            hint = 'put the whole cell in quotes, and those within it twice: "He said ""Ha!"""'
            findings.error("tables/quote", message, place, hint)
            good = False
        content = (bare if inside is None else inside.replace('""', '"')).strip()
        if formula := _TEXT_FORMULA.fullmatch(content):
            content = formula[1].replace('""', '"').strip()
        if not content:
            grid.meter.charge(SEEN)
        elif content in ERRORS:
            grid.put(row, column, Fault(content))
        else:
            grid.put(row, column, content[1:] if _ESCAPED.match(content) else content)
        at = found.end()
        if text.startswith(sign, at):
            at += len(sign)
            column += 1
            continue
        if row in grid.rows:
            grid.starts[row], grid.ends[row] = starts, at
        at += 2 if text.startswith("\r\n", at) else 1
        row, column, starts = row + 1, 0, []
    if starts and row in grid.rows:
        grid.starts[row], grid.ends[row] = starts, at
    return good


_DEEPEST = 2
"""Most keys on the way to a list of cards."""
_MOST_NESTED = 8
"""Most nested objects that become columns."""
_BAD = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
"""Control characters and halves of characters."""
_BLANK = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()

Found = tuple[str, int, Any]
"""A key, the position of its value, and the value."""


class JsonLists:
    """A file of JSON. Its sheets are its lists of objects."""

    def __init__(self, raw: bytes, name: str) -> None:
        self._name = name
        try:
            self._text = raw.decode("utf-8-sig")
            self._lists = dict(_lists(self._text, json.loads(self._text)))
        except UnicodeDecodeError:
            raise DamagedError("the file is not UTF-8", "save it with the encoding UTF-8") from None
        except json.JSONDecodeError as error:
            place = f"line {error.lineno}, column {error.colno}"
            raise DamagedError(f"the file is not JSON: {json_words(error)}, in {place}") from None
        except (RecursionError, ValueError) as error:
            raise DamagedError(f"the file can't be read as JSON: {error}") from None

    def sheets(self) -> list[str]:
        """Return the names of the lists, the outer ones first."""
        return sorted(self._lists, key=lambda each: each.count("."))

    def read(self, sheet: str | None, findings: Findings) -> Grid | None:
        """Return the values of a list, by default the outermost; None after findings."""
        at = self._lists.get(sheet or "")
        if at is None:
            shown = ", ".join(map(repr, list(self._lists)[:12]))
            message = f"there is no list '{sheet or ''}' of objects in the file"
            findings.error(
                "tables/sheet", message, Location(self._name), f"use one of: {shown}" if shown else None
            )
            return None
        grid = Grid(self._name, lines=Lines(self._text), has_comments=False)
        _Rows(grid, findings).fill(at)
        return grid


def _lists(text: str, data: Any) -> Iterator[tuple[str, int]]:
    """Yield the lists of objects: their names and positions."""
    pending: deque[tuple[str, int, Any, int]] = deque([("", _past_blank(text, 0), data, 0)])
    while pending:
        name, at, value, depth = pending.popleft()
        if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
            yield name, at
        elif isinstance(value, dict) and depth < _DEEPEST:
            for key, start, inner in _members(text, at):
                pending.append((f"{name}.{key}" if name else key, start, inner, depth + 1))


def _past_blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _members(text: str, at: int) -> Iterator[Found]:
    """Yield the members of the object at a position."""
    at = _past_blank(text, at + 1)
    while text[at] != "}":
        key, at = _DECODER.raw_decode(text, at)
        at = _past_blank(text, _past_blank(text, at) + 1)  # past the colon
        value, end = _DECODER.raw_decode(text, at)
        yield key, at, value
        at = _past_comma(text, end)


def _items(text: str, at: int) -> Iterator[int]:
    """Yield the position of each item of the list at a position."""
    at = _past_blank(text, at + 1)
    while text[at] != "]":
        yield at
        at = _past_comma(text, _DECODER.raw_decode(text, at)[1])


def _past_comma(text: str, at: int) -> int:
    at = _past_blank(text, at)
    return _past_blank(text, at + 1) if text[at] == "," else at


class _Rows:
    """A filler of a grid with the objects of a list."""

    def __init__(self, grid: Grid, findings: Findings) -> None:
        self._grid, self._findings = grid, findings
        self._columns: dict[str, int] = {}
        self._said: set[str] = set()

    def fill(self, at: int) -> None:
        text = self._grid.lines.text
        starts: list[int] = []
        for number, start in enumerate(_items(text, at), 2):
            places: dict[int, int] = {}
            for key, place, value in self._leaves(start):
                column = self._columns.setdefault(key, len(self._columns))
                self._grid.meter.limit(COLUMNS, column + 1, f"the object {number - 1}")
                if column == len(starts):
                    starts.append(place)
                self._put(number, column, key, place, value)
                places[column] = place
            self._grid.starts[number] = [places.get(each, start) for each in range(len(self._columns))]
            self._grid.ends[number] = start
        for key, column in self._columns.items():
            self._grid.put(1, column, key)
        self._grid.starts[1], self._grid.ends[1] = starts, at

    def _leaves(self, start: int) -> Iterator[Found]:
        """Yield the values of an object, those of inner objects by keys joined with points."""
        pending = deque([("", start, 0)])
        while pending:
            outer, at, depth = pending.popleft()
            seen: set[str] = set()
            for key, place, value in _members(self._grid.lines.text, at):
                self._grid.meter.charge(SEEN)
                name = f"{outer}.{key}" if outer else key
                if key in seen:
                    message = f"the key '{key}' appears twice"
                    self._say("yaml/duplicate-key", message, place, "keep one of them", is_error=True)
                elif isinstance(value, dict) and depth < _MOST_NESTED:
                    pending.append((name, place, depth + 1))
                else:
                    yield name, place, value
                seen.add(key)

    def _put(self, number: int, column: int, key: str, place: int, value: Any) -> None:
        made: Value | None = _shown(value) if not isinstance(value, dict | list) else None
        if isinstance(value, list) and not any(isinstance(each, dict | list) for each in value):
            made = "; ".join(text_of(_shown(each)) for each in value if each is not None)
        elif made is None and value and key not in self._said:
            self._said.add(key)
            message = f"'{key}' contains objects or lists within a list, which a cell can't contain"
            hint = "it is skipped; to keep it, use data: FILE.json with a list under the component's id"
            self._say("tables/column", message, place, hint)
        if isinstance(made, str) and (bad := _BAD.search(made)) is not None:
            message = f"the invisible character U+{ord(bad[0]):04X} is not allowed"
            self._say("tables/character", message, place, "delete it", is_error=True)
            made = _BAD.sub("", made)
        if made is not None:
            self._grid.put(number, column, made)

    def _say(self, code: str, message: str, place: int, hint: str, *, is_error: bool = False) -> None:
        at = self._grid.place(place)
        (self._findings.error if is_error else self._findings.warning)(code, message, at, hint)


def _shown(value: Any) -> Any:
    """Return a value of JSON, its truths in the words of JSON."""
    return Formatted(value, str(value).lower(), is_final=True) if isinstance(value, bool) else value
