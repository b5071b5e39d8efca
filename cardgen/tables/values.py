"""What a cell of a spreadsheet can hold, and how a spreadsheet shows it."""

from __future__ import annotations

from dataclasses import dataclass

ERRORS = frozenset(
    ("#REF!", "#N/A", "#DIV/0!", "#VALUE!", "#NAME?", "#NULL!", "#NUM!", "#SPILL!", "#CALC!", "#ERROR!")
)
"""What formulas come to that went wrong."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, a time or both: `2026-04-03`, `13:30` or `2026-04-03 13:30:00`."""

    text: str


@dataclass(frozen=True, slots=True)
class Share:
    """A number that is shown in percent: 0.5 as 50%."""

    number: float


@dataclass(frozen=True, slots=True)
class Fault:
    """A formula without a usable value: what it shows (`#REF!`), or nothing if it was never worked out."""

    text: str


Value = str | int | float | bool | Moment | Share | Fault
"""Text is without spaces around it and never empty: an empty cell has no value, which is None."""


def number_text(number: float) -> str:
    """A number as spreadsheets write it: 7, 0.5, 1E+20."""
    if isinstance(number, int) or (number.is_integer() and abs(number) < 1e15):
        return str(int(number))
    return format(number, ".15G")


def text_of(value: Value) -> str:
    """A value in the words of a spreadsheet."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return number_text(value)
    if isinstance(value, Share):
        return f"{number_text(round(value.number * 100, 10))}%"
    return value if isinstance(value, str) else value.text


def plain_number(number: float) -> int | float:
    """A number of a spreadsheet, all of whose numbers are floats: a whole one as an int."""
    if isinstance(number, float) and number.is_integer() and abs(number) < 2**53:
        return int(number)
    return number
