"""Define findings: messages about problems that a designer can act on."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from types import TracebackType

from cardgen.core.records import dataclass, field, replace

TYPE_CHECKING = False  # without the module `typing`, which takes long to import
if TYPE_CHECKING:
    from typing import Any

_FEW = 1_000
"""Most names that are compared with a wrong one; of more, only its neighbors in the alphabet."""
_COMPARED = 50
_LONGEST_NAME = 60
_LONGEST_TEXT = 400
"""Most characters of a problem's message."""
_RECORD = re.compile(r"[^.\[]*\[\d+\]\.?")


class Severity(StrEnum):
    """The weight of a finding. Errors fail a check; warnings fail it on request; notes never do."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file.

    `file` is relative to the project with forward slashes; `line` and `column` count from 1 and are None
    for the whole file. `path` is the value's address in the data, such as `locations[3].reward.die`, or
    empty. `cell` is that of a table: `D7`, or in a workbook `Cards!D7`, whose lines and columns are the
    sheet's rows and columns.
    """

    file: str
    line: int | None = None
    column: int | None = None
    path: str = ""
    cell: str = ""

    @property
    def is_text(self) -> bool:
        """Return True if line and column are those of a text."""
        return self.line is not None and "!" not in self.cell

    @property
    def within(self) -> str:
        """Return the place in the file's data: `locations[3].reward.die`, or in a table `D7:
        reward.die`."""
        if not self.cell:
            return self.path
        # The cell identifies the record.
        field = _RECORD.sub("", self.path, count=1)
        return f"{self.cell}: {field}" if field else self.cell

    def __str__(self) -> str:
        text = self.file
        if self.is_text:
            text += f":{self.line}"
            if self.column is not None:
                text += f":{self.column}"
        if "!" in self.cell:
            return f"{text}:{self.within}"
        return f"{text}: {self.within}" if self.within else text


@dataclass(frozen=True, slots=True)
class Fix:
    """A safe edit of a text file: `old`, at a line and column counted from 1, becomes `new`."""

    file: str
    line: int
    column: int
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem (or remark).

    `code` is a stable, lower-case, slash-separated name such as `schema/enum` or `text/overflow`; scripts
    and tests rely on it. `message` is one sentence without a final full stop; `hint` is the fix. `left_out`
    counts the similar findings that are not shown.

    Example:
        for finding in cardgen.check(cardgen.load("night-market", partial=True)):
            print(finding.severity, finding.code, finding.location, finding.hint)
    """

    severity: Severity
    code: str
    message: str
    location: Location | None = None
    hint: str | None = None
    left_out: int = 0
    fix: Fix | None = None
    """The edit that `cardgen check --fix` makes."""

    @property
    def count(self) -> int:
        """Return the number of findings that this one represents."""
        return self.left_out or 1

    def __str__(self) -> str:
        return f"{self.location}: {self.message}" if self.location else self.message

    def as_json(self) -> dict[str, Any]:
        """Return `{"severity", "code", "message", "file", "line", "column", "path", "cell", "hint"}`, with
        None for missing values."""
        place = self.location
        return {
            "severity": self.severity.value,
            "code": self.code,
            "message": self.message,
            "file": place.file if place else None,
            "line": place.line if place else None,
            "column": place.column if place else None,
            "path": (place.path or None) if place else None,
            "cell": (place.cell or None) if place else None,
            "hint": self.hint,
        }

    @classmethod
    def of_system(cls, error: OSError) -> Finding:
        """Return the finding for an unexpected system error: a file that disappeared during reading, a full
        disk behind `> FILE`."""
        words = error.strerror or str(error)
        if error.filename is None:
            message, hint = f"the output could not be written: {words}", "check where it is sent"
            return cls(Severity.ERROR, "system/output", message, None, hint)
        place = Location(str(error.filename))
        hint = "check that it exists and can be read, then run this again"
        return cls(Severity.ERROR, "system/file", f"can't be used: {words}", place, hint)

    def sort_key(self) -> tuple[str, int, int, str, str, str]:
        place = self.location or Location("")
        return (place.file, place.line or 0, place.column or 0, place.path, self.code, self.message)


def shortened(text: str) -> str:
    """Return a message, shortened in the middle if it is very long."""
    is_long = len(text) > _LONGEST_TEXT
    return f"{text[: _LONGEST_TEXT - 100]} … {text[-90:]}" if is_long else text


class CardgenError(Exception):
    """The error for bad input. `findings` are the reasons, never empty.

    Example:
        try:
            cardgen.load("night-market")
        except cardgen.CardgenError as error:
            print([finding.code for finding in error.findings])
    """

    def __init__(self, *findings: Finding) -> None:
        if not findings:
            raise ValueError("a CardgenError carries at least one finding")
        super().__init__("\n".join(str(finding) for finding in findings))
        self.findings = findings

    def __reduce__(self) -> tuple[type[CardgenError], tuple[Finding, ...]]:
        # From another process, only the error matters, not its class.
        return (CardgenError, self.findings)


class UsageError(CardgenError):
    """The error for an unknown name or option. The command line exits with 2.

    Example:
        try:
            cardgen.load("nite-market")
        except cardgen.UsageError as error:
            print(error.findings[0].hint)
    """

    def __init__(self, message: str, hint: str | None = None, code: str = "usage") -> None:
        super().__init__(Finding(Severity.ERROR, code, message, None, hint))


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem whose place is not known yet, to become a finding.

    `path` leads to it within the checked value; with `key`, the key there is wrong, not its value. `offset`
    is the byte in the checked drawing, or in a rendered side relative to the checked element; `place` is
    the template and line, if already known, and `column` its column. `of_card` is True if the card's data
    are the likely cause: it is reported at the card's line, once for each card; others are reported once,
    at the template's line. `named` is the wrong name of a file or an icon: it is reported where the card's
    data contain it, if they do. A problem `about` certain letters, or a word, is the card's only if its
    data contain one of them: the template may be their source. `words` are part of the wrong printed text,
    for finding its translation. With `once`, it is reported once for all its places, since the project
    lacks something. FILE at the end of its hint is the first place's file.
    """

    code: str
    message: str
    hint: str | None = None
    severity: Severity = Severity.ERROR
    path: tuple[str | int, ...] = ()
    key: bool = False
    offset: int = 0
    place: tuple[str, int] | None = None
    of_card: bool = False
    named: str = ""
    about: tuple[str, ...] = ()
    words: str = ""
    column: int | None = None
    once: bool = False

    @property
    def is_error(self) -> bool:
        return self.severity is Severity.ERROR

    def __post_init__(self) -> None:
        # Names and values in a message come from the input, and may be of any length.
        for name in ("message", "hint"):
            text = getattr(self, name)
            if text is not None:
                object.__setattr__(self, name, shortened(text))

    def moved(self, by: int) -> Problem:
        """Return the problem with its offset increased by this number of bytes."""
        return replace(self, offset=self.offset + by)

    def at(self, location: Location | None) -> Finding:
        """Return the finding for this problem at a place in a file."""
        return Finding(self.severity, self.code, self.message, location, self.hint)


@dataclass(slots=True)
class Findings:
    """A collection of findings, passed to the functions that may add to it."""

    items: list[Finding] = field(default_factory=list)

    def error(
        self, code: str, message: str, location: Location | None = None, hint: str | None = None
    ) -> None:
        self.items.append(Finding(Severity.ERROR, code, message, location, hint))

    def warning(
        self, code: str, message: str, location: Location | None = None, hint: str | None = None
    ) -> None:
        self.items.append(Finding(Severity.WARNING, code, message, location, hint))

    def note(
        self, code: str, message: str, location: Location | None = None, hint: str | None = None
    ) -> None:
        self.items.append(Finding(Severity.NOTE, code, message, location, hint))

    def extend(self, findings: Iterable[Finding]) -> None:
        self.items.extend(findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self.items if finding.severity is Severity.ERROR]

    def sorted(self) -> list[Finding]:
        """Return the distinct findings by file, line, column, path, code."""
        return sorted(dict.fromkeys(self.items), key=Finding.sort_key)

    def raise_if_errors(self) -> None:
        """Raise CardgenError with all findings if any of them is an error."""
        if self.errors:
            raise CardgenError(*self.sorted())


def plural(number: int, noun: str) -> str:
    """Return a count with its noun: `1 card`, `3 cards`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def span(least: int, most: int, nouns: str) -> str:
    """Return a range with its noun: `2 to 4 players`, `2 players`."""
    return f"{least} to {most} {nouns}" if least < most else f"{least} {nouns}"


def nearest(name: str, known: Iterable[str], least: float = 0.6) -> str | None:
    """Return the known name most similar to a misspelled one, or None if none is close.

    `least` is the minimum similarity, from 0 to 1. Case doesn't matter. Of hundreds of names only those
    with a similar beginning are compared, and of long names their beginnings.
    """
    word = name[:_LONGEST_NAME].casefold()
    by_folded = _by_folded(known if isinstance(known, frozenset) else frozenset(known))
    near = list(by_folded)
    if len(near) > _FEW:
        place = bisect_left(near, word)
        near = near[max(0, place - _COMPARED) : place + _COMPARED]
    from difflib import get_close_matches

    found = get_close_matches(word, near, 1, least)
    return by_folded[found[0]] if found else None


def did_you_mean(name: str, known: Iterable[str], least: float = 0.6) -> str | None:
    """Return a hint for a misspelled name, or None if no name is close, as in `nearest`."""
    near = nearest(name, known, least)
    return f"did you mean '{near}'?" if near is not None else None


@lru_cache(maxsize=4)
def _by_folded(names: frozenset[str]) -> dict[str, str]:
    """Return names by their case-folded form, sorted by it."""
    folded = {name[:_LONGEST_NAME].casefold(): name for name in sorted(names)}
    return dict(sorted(folded.items()))


class Parsing:
    """A context for parsing untrusted bytes. It raises the result of `trouble` instead of any exception
    except those in `own`, which the reader itself raises.

    A MemoryError passes, because sound bytes may need more memory than there is. With `is_bounded`, the
    parser raises it at a limit of its own. The first exception is kept as the cause.
    """

    __slots__ = ("_is_bounded", "_own", "_trouble")

    def __init__(
        self,
        trouble: Callable[[Exception], Exception],
        *own: type[Exception],
        is_bounded: bool = False,
    ) -> None:
        self._trouble, self._own, self._is_bounded = trouble, own, is_bounded

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not isinstance(error, Exception) or isinstance(error, self._own):
            return
        if self._is_bounded or not isinstance(error, MemoryError):
            raise self._trouble(error) from error
