"""A deck list as a table: CSV, or a sheet of a workbook, with a column of copies and one of names."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from cardgen.findings import Findings, Location
from cardgen.loading.cell_findings import fault_trouble
from cardgen.loading.deck_text import MAX_LINES, DeckLine, DeckText, read_copies
from cardgen.tables.reading import read_rows
from cardgen.tables.table import Row
from cardgen.tables.values import Fault, number_of, text_of

_COPIES = frozenset({"copies", "copy", "count", "number", "quantity", "qty", "amount", "x", "×", "#"})
_COPIES |= {"anzahl", "menge", "stück", "kopien", "exemplare"}
_NAMES = frozenset({"name", "card", "title", "card name", "id", "card id"})
_NAMES |= {"karte", "kartenname", "titel"}
_CODES = {"tables/quote": "deck/table"}
"""The codes that findings have in a deck list."""
_WHOLE = re.compile(r"\s*[+-]?[0-9]+\s*")
_HINT = "a table has two columns, the copies and the card's name; name them in a first row: copies,name"


@dataclass(frozen=True, slots=True)
class _Row:
    """A row: what its cells show, the numbers that they hold in words, and where each begins."""

    cells: list[str]
    numbers: list[str]
    place: Location
    places: tuple[Location, ...]


def read_deck_table(raw: bytes, file: str, findings: Findings, sheet: str | None = None) -> DeckText:
    """Read rows of copies and a name, in either order, with or without a first row that names the columns,
    from a text file or a workbook's `sheet`, by default the first that is not hidden. Everything wrong is a
    finding at its cell."""
    found = Findings()
    rows = [_row(row, places, found) for row, places in read_rows(raw, file, found, sheet)]
    findings.extend(replace(each, code=_CODES.get(each.code, each.code)) for each in found)
    if len(rows) > MAX_LINES:
        message = f"the list has more than {MAX_LINES:,} rows"
        findings.error("deck/table", message, rows[MAX_LINES].place)
        rows = []
    is_text = file.lower().endswith((".csv", ".tsv"))
    return _read(rows, Location(file, 1, 1) if is_text else Location(file), findings)


def _row(row: Row, places: tuple[Location, ...], findings: Findings) -> _Row:
    for value, place in zip(row.cells, places, strict=True):
        if isinstance(value, Fault):
            fault_trouble(value)(findings, place)
    cells = ["" if value is None else text_of(value) for value in row.cells]
    numbers = [None if value is None else number_of(value) for value in row.cells]
    words = [text if number is None else str(number) for text, number in zip(cells, numbers, strict=True)]
    return _Row(cells, words, places[0], places)


def _read(rows: list[_Row], start: Location, findings: Findings) -> DeckText:
    deck = DeckText(location=start)
    if not rows:
        return deck
    heads = [cell.strip().casefold() for cell in rows[0].cells]
    if any(head in _COPIES for head in heads) or any(head in _NAMES for head in heads):
        first = rows.pop(0)
        order = _named(heads, first.place, findings)
    else:
        order = _guessed(rows, findings)
    if order is None:
        return deck
    for row in rows:
        deck.lines.append(_line(row, order, findings))
    return deck


def _named(heads: list[str], place: Location, findings: Findings) -> tuple[int, tuple[int, ...]] | None:
    """The column of copies and those of names, by the first row. A name goes before an id."""
    copies = [index for index, head in enumerate(heads) if head in _COPIES]
    names = [index for index, head in enumerate(heads) if head in _NAMES]
    for what, found in (("copies", copies), ("names", names)):
        if not found or (what == "copies" and len(found) > 1):
            message = f"the first row names {'several columns' if found else 'no column'} of {what}"
            findings.error("deck/columns", message, place, _HINT)
            return None
    return copies[0], tuple(sorted(names, key=lambda index: heads[index].endswith("id")))


def _guessed(rows: list[_Row], findings: Findings) -> tuple[int, tuple[int, ...]] | None:
    """The columns where no row names them: the copies are in the one of the first two with numbers."""
    first, second = (
        sum(
            re.fullmatch(r"\s*[+-]?[0-9]+\s*", cell) is not None for row in rows for cell in row.numbers[at]
        )
        for at in (slice(0, 1), slice(1, 2))
    )
    if first == second or max(len(row.cells) for row in rows) < 2:
        message = "no column holds numbers of copies"
        if first == second > 0:
            message = "two columns hold numbers: which are the copies?"
        findings.error("deck/columns", message, rows[0].place, _HINT)
        return None
    return (0, (1,)) if first > second else (1, (0,))


def _line(row: _Row, order: tuple[int, tuple[int, ...]], findings: Findings) -> DeckLine:
    copies, names = order
    place = row.places[copies] if copies < len(row.places) else row.place
    amount = read_copies(row.numbers[copies] if copies < len(row.cells) else "", place, findings)
    given = [(index, row.cells[index].strip()) for index in names if index < len(row.cells)]
    given = [(index, name) for index, name in given if name]
    if not given:
        findings.error("deck/line", "the row names no card", row.place, _HINT)
        return DeckLine((), amount, place)
    return DeckLine((given[0][1],), amount, row.places[given[0][0]])
