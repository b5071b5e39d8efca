"""Tables as read from spreadsheets: columns, rows, cell values and limits."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cached_property, lru_cache

from cardgen.core.findings import Findings, Location
from cardgen.core.records import dataclass, field
from cardgen.files.table_formats import format_of

ERRORS = frozenset(
    ("#REF!", "#N/A", "#DIV/0!", "#VALUE!", "#NAME?", "#NULL!", "#NUM!", "#SPILL!", "#CALC!", "#ERROR!")
)
"""The values of failed formulas."""
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_ODD = re.compile("[\r\x0b\x0c\x85\u2028\u2029]")
_BAD = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_EXACT = 1e15
_WIDEST = 11
"""Characters of a small number without an exponent."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, a time or both: `2026-04-03`, `13:30` or `2026-04-03 13:30:00`. `shown` is None if the
    cell's `format` can't be computed."""

    text: str
    shown: str | None = None
    format: str = ""


@dataclass(frozen=True, slots=True)
class Formatted:
    """A number that its cell shows in a format of its own: 0.5 as 50%, 7 as 007; or a truth in a language's
    word. `shown` is None if the cell's `format` can't be computed. It `is_final` if the file itself
    contains the shown text, in the signs of its own country."""

    number: float | bool
    shown: str | None
    format: str = ""
    is_final: bool = False


@dataclass(frozen=True, slots=True)
class Rich:
    """Text with marks such as bold or raised: the plain words, and the same in Markdown."""

    plain: str
    markdown: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A cell without a usable value: the error that its formula shows (`#REF!`), or nothing if it was never
    calculated; or text with the forbidden `character`."""

    text: str
    character: str = ""


Value = str | int | float | bool | Moment | Formatted | Rich | Fault
"""Text has no spaces around it and is never empty: an empty cell has the value None. A plain number or
truth is shown by `text_of`."""


def unified(text: str) -> str:
    """Return a text whose line ends, of any kind, are all `\\n`."""
    return _LINE_ENDS.sub("\n", text) if _ODD.search(text) else text


def bad_character(text: str) -> str:
    """Return the first character of a text that no card can print; empty if there is none."""
    found = _BAD.search(text)
    return "" if found is None else found.group()


def number_text(number: float) -> str:
    """Return a number without a format as a spreadsheet shows it: 7, 0.5, 0.333333333, 1E+20."""
    if isinstance(number, int) or (number.is_integer() and abs(number) < _EXACT):
        return str(int(number))
    if abs(number) < 1e-4 and len(text := f"{abs(number):.12f}".rstrip("0")) <= _WIDEST:
        return f"-{text}" if number < 0 else text
    if not 1e-4 <= abs(number) < 1:
        return format(number, ".10G")
    return f"{number:.9f}".rstrip("0").rstrip(".")


def text_of(value: Value) -> str:
    """Return the shown text of a cell; its rich text without marks."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return number_text(value)
    if isinstance(value, Formatted):
        return number_text(value.number) if value.shown is None else value.shown
    if isinstance(value, Moment):
        return value.text if value.shown is None else value.shown
    return value.plain if isinstance(value, Rich) else value.text


def number_of(value: Value) -> int | float | None:
    """Return the number in a cell of a workbook; None for anything else."""
    found = value.number if isinstance(value, Formatted) else value
    return plain_number(found) if isinstance(found, int | float) and not isinstance(found, bool) else None


def plain_number(number: float) -> int | float:
    """Return a number of a spreadsheet, all of whose numbers are floats: a whole one as an int."""
    if isinstance(number, float) and number.is_integer() and abs(number) < 2**53:
        return int(number)
    return number


DELETE = "delete the character"


def forbidden(character: str) -> str:
    """Return the problem of a text with a character that no card can print."""
    return f"the character U+{ord(character):04X} can't be printed"


MB = 1024 * 1024


class RefusedError(Exception):
    """A file that isn't read: the reason, the code of the finding, and the fix."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.code, self.hint = code, hint


class DamagedError(RefusedError):
    """A file that is incomplete, or isn't of the kind that its name says."""

    def __init__(
        self, message: str, hint: str = "open it in a spreadsheet program and save it again"
    ) -> None:
        super().__init__("tables/damaged", message, hint)


class TooLargeError(RefusedError):
    """A table over a limit."""

    def __init__(self, message: str, hint: str = "split the table into several") -> None:
        super().__init__("tables/size", message, hint)


@contextmanager
def answered(name: str, findings: Findings) -> Iterator[None]:
    """Report a file that isn't read as a finding, and continue after the block."""
    try:
        yield
    except RefusedError as error:
        findings.error(error.code, str(error), Location(name), error.hint)


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """The limit of one thing, and the message for more of it, with `{most}` and `{at}`, the place."""

    most: int
    message: str
    hint: str = "split the table into several"

    def exceeded(self, at: str = "") -> TooLargeError:
        message = self.message.format(most=f"{self.most:,}", mb=self.most // MB, at=at)
        return TooLargeError(message, self.hint)


# Sums for a whole file
CHARACTERS = Bound(
    16_777_216, "the cells have more than {most} characters, a shared text counted for each cell"
)
"""Characters of all cells: as many as the largest CSV file has, or 800 for each of 20,000 cards."""
CELLS = Bound(500_000, "more than {most} cells have values")
"""Cells with values: twenty for each of 20,000 cards, and a quarter more."""
SEEN = Bound(2_000_000, "there are more than {most} cells, most of them empty")
"""Cells, the empty ones counted: a hundred for each of 20,000 cards."""
TEXTS = Bound(500_000, "the file has more than {most} shared texts")
ITEMS = Bound(500_000, "the lists in the cells have more than {most} items")
"""Items of lists, each of which is read like a cell."""
MERGES = Bound(20_000, "more than {most} ranges of cells are merged")
MERGED = Bound(500_000, "merged cells cover more than {most} rows")
"""Rows that merged cells cover: each costs as much as a cell."""
ELEMENTS = Bound(2_500_000, "the file has more than {most} XML elements")
"""Elements: a cell has two or three, and ODS is read twice."""
UNPACKED = Bound(128 * MB, "unpacked, the file has more than {mb} MB")
"""Bytes of all parts that are read: a sheet, its texts, and room for ODS, which is read twice."""
FINDINGS = Bound(
    1_000,
    "the file has more than {most} problems; the rest is not read",
    "fix the problems above first",
)
"""Problems: as many as of a YAML file."""

# Of one thing
TEXT = Bound(100_000, "{at} has more than {most} characters")
"""Characters of a cell: three times the limit of spreadsheet programs."""
ROWS = Bound(50_000, "more than {most} rows have values")
COLUMNS = Bound(500, "{at} has values beyond column SF, the {most}th")
PART = Bound(32 * MB, "unpacked, a part of the file has more than {mb} MB")
"""Bytes of a part, unpacked: 60 for each of the most cells."""
TOKEN = Bound(MB, "a tag or comment of the file has more than {mb} MB")
"""Bytes of a tag or comment: the XML parser reads an unfinished one again with each block."""
PARTS = Bound(5_000, "the file has more than {most} parts")
"""Parts of a workbook, which has one for each sheet or picture."""
STYLES = Bound(100_000, "the file has more than {most} styles")
"""Styles: Excel takes 65,490."""


@dataclass(slots=True)
class Meter:
    """A counter of the size of one file. `charge` raises TooLargeError at the first limit that is
    exceeded."""

    used: dict[Bound, int] = field(default_factory=dict)

    def charge(self, bound: Bound, amount: int = 1) -> None:
        """Add an amount to the whole file's count."""
        used = self.used[bound] = self.used.get(bound, 0) + amount
        if used > bound.most:
            raise bound.exceeded()

    @staticmethod
    def limit(bound: Bound, amount: int, at: str = "") -> None:
        """Check one thing against its limit."""
        if amount > bound.most:
            raise bound.exceeded(at)


_PLAIN = re.compile(r"[^\W\d]\w*")
_BREAK = re.compile("\r\n|[\r\n]")


def letters(column: int) -> str:
    """Return the name of a column, counted from 0, in a spreadsheet: A, B, … Z, AA."""
    text = ""
    column += 1
    while column > 0:
        column, digit = divmod(column - 1, 26)
        text = chr(ord("A") + digit) + text
    return text


@dataclass(frozen=True, slots=True)
class Column:
    """A column with a name: its text in the first row, and its index, from 0."""

    name: str
    index: int


@dataclass(frozen=True, slots=True)
class Row:
    """A row with something in it. `number` counts from 1 as spreadsheets do, including those above and
    empty ones. `cells` has a value for each of the table's columns, or None for an empty cell. `starts` has
    the start of each of these cells in a text file, or the end of the row if it is too short."""

    number: int
    cells: tuple[Value | None, ...]
    starts: tuple[int, ...] = ()


class Lines:
    """The start of each line of a text, found once."""

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
    """The rows below the one that names the columns, `header`. `sheet` is empty for a text file, whose text
    is kept to find `lines`. With a `decimal_comma` its cells are separated by semicolons, as in countries
    that write numbers 3,5."""

    name: str
    sheet: str
    columns: tuple[Column, ...]
    header: Row
    rows: tuple[Row, ...]
    decimal_comma: bool = False
    lines: Lines = field(default_factory=Lines, repr=False)
    others: tuple[str, ...] = ()
    """Further sheets of the same workbook: those with values that are neither hidden nor comments."""
    meter: Meter = field(default_factory=Meter, repr=False, compare=False)
    _comma: bool | None = None

    @property
    def text(self) -> str:
        return self.lines.text

    @property
    def has_comma(self) -> bool:
        """Return True if decimal commas are likelier: if semicolons separate cells, or other columns prove
        it."""
        if self._comma is None:
            columns = zip(*(row.cells for row in self.rows), strict=True)
            texts = ([cell for cell in cells if isinstance(cell, str)] for cells in columns)
            self._comma = self.decimal_comma or is_comma_likelier(texts)
        return self._comma

    def place(self, row: Row, at: int = 0, path: str = "") -> Location:
        """Return the cell of a row in the column `at` of the table's columns, with the address of its
        value.

        The line and column are those of the text, or else the row and column of the sheet."""
        column = self.columns[at].index if at < len(self.columns) else 0
        address = f"{letters(column)}{row.number}"
        if not row.starts:
            return Location(self.name, row.number, column + 1, path, f"{quoted(self.sheet)}!{address}")
        line, start = self.lines.place(row.starts[min(at, len(row.starts) - 1)])
        if (format := format_of(self.name)) is not None and not format.has_cells:
            address = ""
        return Location(self.name, line, start, path, address)


def quoted(sheet: str) -> str:
    """Return a sheet's name as formulas write it: Cards, 'My cards'."""
    return sheet if _PLAIN.fullmatch(sheet) else "'" + sheet.replace("'", "''") + "'"


WAYS = ("1234.5", "1,234.5", "1'234.5", "1 234.5", "1234,5", "1.234,5", "1'234,5", "1 234,5")
"""The number styles, by example. All of them accept numbers without thousands signs."""
_COMMA_FIRST = tuple(WAYS[at] for at in (4, 5, 7, 6, 0, 2, 3, 1))
_SPACES = re.compile("[\u00a0\u2007\u2009\u202f]")
_APOSTROPHES = re.compile("[\u2019\u02bc\u2032`\u00b4]")
_NUMBERLIKE = re.compile(r"[+-]?(?:[0-9][0-9.,' ]*|[.,][0-9]+)(?:[eE][+-]?[0-9]{1,2})?%?")
_FIGURE = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{0,3}[1-9])?")
_MOST_DIGITS = 15
_ONES = str.maketrans("023456789", "111111111")
"""Replaces digits so that texts read in the same ways are equal."""
_LONGEST = 40
"""Characters of a number."""


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """The style of a column's numbers. `other` is a second style in which every cell can be read, but as
    other numbers; `unfit` are cells that this style can't read, though another could."""

    way: str = WAYS[0]
    other: str | None = None
    example: str = ""
    """A cell that the two styles read differently."""
    unfit: tuple[str, ...] = ()


def style_of(texts: Iterable[str], *, comma_first: bool) -> NumberStyle:
    """Return the number style of the cells of a column; texts that are no number in any style are skipped.
    With `comma_first`, a decimal comma is likelier than a decimal point."""
    order = _COMMA_FIRST if comma_first else WAYS
    shapes: dict[str, str] = {}
    unread: dict[str, str] = {}
    for text in texts:
        if not _is_digits(text) and is_numberlike(text):
            shape = text[0] + text[1:].translate(_ONES)
            shapes.setdefault(shape, text)
            unread[text] = shape
    values = {way: {shape: number_in(text, way) for shape, text in shapes.items()} for way in order}
    whole = [way for way in order if None not in values[way].values()]
    if whole:
        way = whole[0]
        for other in whole[1:]:
            for shape, text in shapes.items():
                if values[other][shape] != values[way][shape]:
                    return NumberStyle(way, other, text)
        return NumberStyle(way)
    way = min(order, key=lambda each: list(values[each].values()).count(None))
    known = {shape for found in values.values() for shape, value in found.items() if value is not None}
    unfit = (text for text, shape in unread.items() if values[way][shape] is None and shape in known)
    return NumberStyle(way, unfit=tuple(unfit))


def is_comma_likelier(columns: Iterable[Iterable[str]]) -> bool:
    """Return True if a file has decimal commas, according to its columns that fit only one style."""
    found = set()
    for texts in columns:
        ways = [style_of(texts, comma_first=first) for first in (False, True)]
        if ways[0] == ways[1] and not ways[0].other and not ways[0].unfit:
            found.add(ways[0].way[-2])
    return found == {","}


def plain_figure(text: str) -> int | float | None:
    """Return the number in a text, if templates print that number exactly so: 7, -1.5; not 007 or 1.50."""
    if not _FIGURE.fullmatch(text) or text == "-0":
        return None
    if "." not in text:
        return int(text)
    number = float(text)
    return number if f"{number:.4f}".rstrip("0") == text else None


def is_numberlike(text: str) -> bool:
    """Return True if a text consists of the characters of numbers."""
    return len(text) <= _LONGEST and _NUMBERLIKE.fullmatch(_plain(text)) is not None


def number_in(text: str, way: str) -> float | int | None:
    """Return the number in a text, if it fits a style; `50%` is 0.5."""
    if _is_digits(text) and len(text) <= _MOST_DIGITS:
        return int(text)
    plain = text if text.isascii() else _plain(text)
    if len(text) > _LONGEST or not _pattern(way).fullmatch(plain):
        return None
    share = plain.endswith("%")
    thousands, decimal = signs_of(way)
    bare = plain.rstrip("% ").replace(thousands, "").replace(decimal, ".")
    if not share and _is_digits(bare.lstrip("+-")):
        return int(bare)
    number = round(float(bare) / 100, 17) if share else float(bare)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def written_number(number: float, way: str) -> str:
    """Return a number for a cell of a column in a style, without thousands signs."""
    return repr(number).replace(".", signs_of(way)[1])


def _plain(text: str) -> str:
    """Return a text with similar signs replaced by the plainest one."""
    if text.isascii():
        return text
    return _APOSTROPHES.sub("'", _SPACES.sub(" ", text)).replace("\u2212", "-")


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def signs_of(way: str) -> tuple[str, str]:
    """Return the thousands sign, which may be empty, and the decimal sign."""
    return (way[1] if len(way) == 7 else ""), way[-2]


@lru_cache(len(WAYS))
def _pattern(way: str) -> re.Pattern[str]:
    thousands, decimal = map(re.escape, signs_of(way))
    whole = f"[0-9]{{1,{_MOST_DIGITS}}}"
    if thousands:
        whole = f"(?:[1-9][0-9]{{0,2}}(?:{thousands}[0-9]{{3}}){{1,4}}|{whole})"
    part = f"{decimal}[0-9]{{0,15}}"
    return re.compile(
        rf"[+-]?(?:{whole}(?:{part})?|{decimal}[0-9]{{1,15}})(?:[eE][+-]?[0-9]{{1,2}})?(?: ?%)?"
    )


_LEAP = 60
"""29 February 1900, which did not exist, but which spreadsheet programs count."""
_LAST = 2_958_466


def first_day(days: int, from_1904: bool = False) -> datetime | None:
    """Return the day from which days are counted; None for a number of days beyond the calendar."""
    if not (0 if from_1904 else 1) <= days < _LAST:
        return None
    return datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 31 if days < _LEAP else 30)


def of_serial(number: float, from_1904: bool = False) -> str | None:
    """Return a number of days as `2026-04-03`, `13:30` or `2026-04-03 13:30:00`; None beyond the
    calendar."""
    if not 0 <= number < _LAST:
        return None
    days = int(number)
    seconds = round((number - days) * 86_400)
    if days == 0 and not from_1904:
        return _time(seconds) if seconds < 86_400 else None
    first = first_day(days, from_1904)
    if first is None:
        return None
    try:
        moment = first + timedelta(days=days, seconds=seconds)
    except OverflowError:
        return None
    day, rest = moment.date().isoformat(), moment.hour * 3600 + moment.minute * 60 + moment.second
    return f"{day} {_time(rest)}" if rest else day


def _time(seconds: int) -> str:
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return f"{hour:02}:{minute:02}" + (f":{second:02}" if second else "")


_SHOWN = 6
"""Most sheets that a message names."""


def unused_sheets(file: str, sheets: Sequence[str], how: str) -> tuple[str, str, Location, str]:
    """Return the finding about sheets of a workbook that nothing reads; `how` explains how to have one
    read."""
    shown = ", ".join(f"'{name}'" for name in sheets[:_SHOWN])
    more = f" and {len(sheets) - _SHOWN} more" if len(sheets) > _SHOWN else ""
    hint = f"{how}; to ignore a sheet, hide it or begin its name with '_' or '#'"
    return "tables/unused-sheet", f"the sheet {shown}{more} is not used", Location(file), hint
