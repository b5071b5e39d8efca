"""What is wrong with single cells and columns of tables, by what the schema asks for."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from cardgen.findings import Findings, Location
from cardgen.loading.columns import FALSE, TRUE, Kind
from cardgen.tables.number_signs import number_in
from cardgen.tables.table import Table
from cardgen.tables.values import DELETE, Fault, Formatted, Moment, Value, forbidden, text_of


def settle(kind: Kind, table: Table, at: int, findings: Findings) -> None:
    """Decide how a column's numbers are written; a warning if there is another way to read all of them."""
    kind.settle((row.cells[at] for row in table.rows), lambda: table.has_comma)
    if kind.is_open:
        _note_truths(table, at, findings)
    style = kind.style
    if style.other is None:
        return
    one, two = (number_in(style.example, way) for way in (style.way, style.other))
    message = (
        f"the numbers of '{table.columns[at].name}' can be read in two ways: "
        f"'{style.example}' is read as {one}, not as {two}"
    )
    hint = f'say which, beside data: in game.yaml or at the field in its schema: numbers: "{style.way}"'
    hint += f', or "{style.other}" for {two}'
    findings.warning("tables/numbers", message, table.place(table.header, at), hint)


def _note_truths(table: Table, at: int, findings: Findings) -> None:
    """Note that a column of yes and no is text, of which templates can't ask `if`."""
    words = dict.fromkeys(text_of(cell) for row in table.rows if (cell := row.cells[at]) is not None)
    low = [word.casefold() for word in itertools.islice(words, 3)]
    if len(words) > 2 or not set(low) & FALSE or not set(low) <= (TRUE | FALSE) - {"0", "1", "-"}:
        return
    yes = next((word for word in words if word.casefold() in TRUE), "TRUE")
    no = next(word for word in words if word.casefold() in FALSE)
    name = table.columns[at].name
    message = f"'{name}' is text, printed as typed: in {{% if %}}, '{no}' counts as true"
    hint = f"compare the text, == '{yes}', or write \"type\": \"boolean\" for '{name}' into a schema"
    findings.note("tables/truths", message, table.place(table.header, at), hint)


def is_blank(value: Value, kind: Kind) -> bool:
    """Whether a cell with a number shows nothing, and the column takes what it shows."""
    return isinstance(value, Formatted) and value.shown == "" and (kind.is_open or kind.takes_text)


@dataclass(frozen=True, slots=True)
class _Trouble:
    """What a value is that no reader can mean."""

    code: str
    message: str
    hint: str
    error: bool = True

    def __call__(self, findings: Findings, place: Location) -> None:
        say = findings.error if self.error else findings.warning
        say(self.code, self.message, place, self.hint)


def trouble(value: Value, kind: Kind) -> _Trouble | None:
    """What is wrong with a cell by itself; None for nothing."""
    if isinstance(value, str):
        return _unfit_number(value, kind) if kind.style.unfit else None
    if isinstance(value, Fault):
        return fault_trouble(value)
    if isinstance(value, Moment) and not kind.is_date:
        if not kind.is_open and not kind.takes_text:
            return _Trouble("tables/date", *_made_a_date(value))
        if _is_stray(value, kind):
            return _Trouble("tables/date", *_made_a_date(value), error=False)
    if isinstance(value, Moment | Formatted) and value.shown is None and _shows(kind):
        message = f"the text that the cell shows can't be worked out; '{text_of(value)}' is printed"
        hint = "give the cell another number format, or type the text into a cell with the format Text"
        return _Trouble("tables/format", message, hint, error=False)
    return None


def _shows(kind: Kind) -> bool:
    """Whether a column takes what its cells show."""
    return not kind.is_date and (kind.is_open or kind.takes_text)


def _made_a_date(value: Moment) -> tuple[str, str]:
    hint = "if this was meant as it was typed, give the cell the format Text and type it again"
    return f"the spreadsheet has made a date of this: {text_of(value)}", hint


def _is_stray(value: Moment, kind: Kind) -> bool:
    """Whether a date may be another thing that was typed, such as 3-4: it shows no year, or it stands
    among other things."""
    if "-" not in value.text:
        return False
    year = value.text[:4]
    shows_year = value.shown is None or year in value.shown or year[2:] in value.shown
    return kind.has_stray_dates or not shows_year


def _unfit_number(text: str, kind: Kind) -> _Trouble | None:
    unfit = kind.style.unfit
    items = kind.items(text) if "array" in kind.types else [text]
    found = next((each for each in items if each in unfit), None)
    if found is None:
        return None
    message = f"'{found}' is not written as {kind.style.way}, like the other numbers of the column"
    return _Trouble("tables/numbers", message, "write all of them in one way")


def fault_trouble(fault: Fault) -> _Trouble:
    """What is wrong with a cell without a usable value."""
    if fault.character:
        return _Trouble("tables/character", forbidden(fault.character), DELETE)
    if fault.text:
        return _Trouble("tables/formula", f"the formula comes to {fault.text}", "mend the formula")
    hint = "open the file in a spreadsheet program and save it again"
    return _Trouble("tables/formula", "the formula was never worked out", hint)
