"""The value of a cell of a spreadsheet, and the text that the cell shows."""

from __future__ import annotations

import re
from dataclasses import dataclass

ERRORS = frozenset(
    ("#REF!", "#N/A", "#DIV/0!", "#VALUE!", "#NAME?", "#NULL!", "#NUM!", "#SPILL!", "#CALC!", "#ERROR!")
)
"""What formulas come to that went wrong."""
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_ODD = re.compile("[\r\x0b\x0c\x85\u2028\u2029]")
_BAD = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_EXACT = 1e15
_WIDEST = 11
"""Characters of a small number without an exponent."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, a time or both: `2026-04-03`, `13:30` or `2026-04-03 13:30:00`. `shown` is None where the
    cell's `format` can't be worked out."""

    text: str
    shown: str | None = None
    format: str = ""


@dataclass(frozen=True, slots=True)
class Formatted:
    """A number that its cell shows in a format of its own: 0.5 as 50%, 7 as 007; or a truth in a language's
    word. `shown` is None where the cell's `format` can't be worked out. It `is_final` where the file says
    itself what the cell shows, in the signs of its own country."""

    number: float | bool
    shown: str | None
    format: str = ""
    is_final: bool = False


@dataclass(frozen=True, slots=True)
class Rich:
    """Text of which some is bold, raised or the like: the plain words, and the same in Markdown."""

    plain: str
    markdown: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A cell without a usable value: what its formula shows (`#REF!`), or nothing if it was never worked
    out; or text with the forbidden `character`."""

    text: str
    character: str = ""


Value = str | int | float | bool | Moment | Formatted | Rich | Fault
"""Text is without spaces around it and never empty: an empty cell has no value, which is None. A plain
number or truth is shown as `text_of` says."""


def unified(text: str) -> str:
    """A text whose line ends, of whatever kind, are all `\\n`."""
    return _LINE_ENDS.sub("\n", text) if _ODD.search(text) else text


def bad_character(text: str) -> str:
    """The first character of a text that no card can print; empty if there is none."""
    found = _BAD.search(text)
    return "" if found is None else found.group()


def number_text(number: float) -> str:
    """A number without a format as a spreadsheet shows it: 7, 0.5, 0.333333333, 1E+20."""
    if isinstance(number, int) or (number.is_integer() and abs(number) < _EXACT):
        return str(int(number))
    if abs(number) < 1e-4 and len(text := f"{abs(number):.12f}".rstrip("0")) <= _WIDEST:
        return f"-{text}" if number < 0 else text
    if not 1e-4 <= abs(number) < 1:
        return format(number, ".10G")
    return f"{number:.9f}".rstrip("0").rstrip(".")


def text_of(value: Value) -> str:
    """The text that a cell shows; its rich text without marks."""
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
    """The number that a cell of a workbook holds; None for anything else."""
    found = value.number if isinstance(value, Formatted) else value
    return plain_number(found) if isinstance(found, int | float) and not isinstance(found, bool) else None


def plain_number(number: float) -> int | float:
    """A number of a spreadsheet, all of whose numbers are floats: a whole one as an int."""
    if isinstance(number, float) and number.is_integer() and abs(number) < 2**53:
        return int(number)
    return number


DELETE = "delete the character"


def forbidden(character: str) -> str:
    """What is wrong with a text that has a character that no card can print."""
    return f"the character U+{ord(character):04X} can't be printed"
