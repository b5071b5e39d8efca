"""The meter of a table: the most of each thing that reading one file may take, and a count of it.

`Grid.put` charges for cells, `archive.read_markup` for markup. A text that several cells share is charged
for each of them, since each of them is read, checked and printed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from cardgen.findings import Findings, Location

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
    """A table over a bound."""

    def __init__(self, message: str, hint: str = "split the table into several") -> None:
        super().__init__("tables/size", message, hint)


@contextmanager
def answered(name: str, findings: Findings) -> Iterator[None]:
    """Report a file that isn't read as a finding, and go on after the block."""
    try:
        yield
    except RefusedError as error:
        findings.error(error.code, str(error), Location(name), error.hint)


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """The most of one thing, and the message for more of it, with `{most}` and `{at}`, the place."""

    most: int
    message: str
    hint: str = "split the table into several"

    def exceeded(self, at: str = "") -> TooLargeError:
        message = self.message.format(most=f"{self.most:,}", mb=self.most // MB, at=at)
        return TooLargeError(message, self.hint)


# Of a whole file, added up
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
"""Characters of a cell: three times the most that spreadsheet programs take."""
ROWS = Bound(50_000, "more than {most} rows have values")
COLUMNS = Bound(500, "{at} has values beyond column SF, the {most}th")
PART = Bound(32 * MB, "unpacked, a part of the file has more than {mb} MB")
"""Bytes of a part, unpacked: 60 for each of the most cells."""
TOKEN = Bound(MB, "a tag or comment of the file has more than {mb} MB")
"""Bytes of a tag or comment: the XML parser reads an unfinished one again with each block."""
PARTS = Bound(5_000, "the file has more than {most} parts")
"""Parts of a workbook, which has one for a sheet or picture."""
STYLES = Bound(100_000, "the file has more than {most} styles")
"""Styles: Excel takes 65,490."""


@dataclass(slots=True)
class Meter:
    """Counts what one file takes. `charge` raises TooLargeError at the first bound that is exceeded."""

    used: dict[Bound, int] = field(default_factory=dict)

    def charge(self, bound: Bound, amount: int = 1) -> None:
        """Add an amount to what the whole file takes."""
        used = self.used[bound] = self.used.get(bound, 0) + amount
        if used > bound.most:
            raise bound.exceeded()

    @staticmethod
    def limit(bound: Bound, amount: int, at: str = "") -> None:
        """Hold one thing against its bound."""
        if amount > bound.most:
            raise bound.exceeded(at)
