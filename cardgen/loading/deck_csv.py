"""A deck list as a table: CSV, or a sheet of a workbook, with a column of copies and one of names."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass

from cardgen.findings import Findings, Location
from cardgen.loading.deck_text import MAX_LINE, MAX_LINES, DeckLine, DeckText, read_copies
from cardgen.tables.reading import read_rows
from cardgen.tables.values import text_of

_COPIES = frozenset({"copies", "copy", "count", "number", "quantity", "qty", "amount", "x", "×", "#"})
_COPIES |= {"anzahl", "menge", "stück", "kopien", "exemplare"}
_NAMES = frozenset({"name", "card", "title", "card name", "id", "card id"})
_NAMES |= {"karte", "kartenname", "titel"}
_DELIMITERS = (",", ";", "\t")
_HINT = "a table has two columns, the copies and the card's name; name them in a first row: copies,name"


@dataclass(frozen=True, slots=True)
class _Row:
    cells: list[str]
    place: Location
    places: tuple[Location, ...]
    """Where each cell begins."""


def read_deck_table(text: str, file: str, findings: Findings) -> DeckText:
    """Read rows of copies and a name, in either order, with or without a first row that names the
    columns. Commas, semicolons or tabs part the cells. Everything wrong is a finding at its row."""
    return _read(_rows(text, file, findings), Location(file, 1, 1), findings)


def read_deck_sheet(raw: bytes, file: str, findings: Findings, sheet: str | None = None) -> DeckText:
    """Read a sheet of a workbook, or the first that is not hidden, as `read_deck_table`."""
    rows = [
        _Row([("" if value is None else text_of(value)) for value in row.cells], places[0], places)
        for row, places in read_rows(raw, file, findings, sheet)
    ]
    if len(rows) > MAX_LINES:
        message = f"the list has more than {MAX_LINES:,} rows"
        findings.error("deck/table", message, rows[MAX_LINES].place)
        rows = []
    return _read(rows, Location(file), findings)


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


def _rows(text: str, file: str, findings: Findings) -> list[_Row]:
    lines = text.splitlines(keepends=True)
    if len(lines) > MAX_LINES:
        message = f"the list has more than {MAX_LINES:,} lines"
        findings.error("deck/table", message, Location(file, MAX_LINES + 1, 1))
        return []
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_LINE:
            message = f"the line has {len(line):,} characters, at most {MAX_LINE:,} are allowed"
            findings.error("deck/table", message, Location(file, number, 1))
            return []
    delimiter = max(_DELIMITERS, key=lambda sign: sum(sign in line for line in lines))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    rows: list[_Row] = []
    start = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return rows
        except csv.Error as error:
            said = (
                "a quoted cell is not closed"
                if "unexpected end" in str(error)
                else "the quotes are not in order"
            )
            hint = 'write a name with a comma in quotes: 3,"Name, the"; a quote within it twice'
            findings.error("deck/table", said, Location(file, start, 1), hint)
            return rows
        if any(cell.strip() for cell in cells):
            columns = _columns(lines[start - 1], cells)
            places = tuple(Location(file, start, column) for column in columns)
            rows.append(_Row(cells, Location(file, start, 1), places))
        start = reader.line_num + 1


def _columns(line: str, cells: list[str]) -> tuple[int, ...]:
    """Where the cells begin; a cell that its quotes spell otherwise begins where the one before ends."""
    places, at = [], 0
    for cell in cells:
        found = line.find(cell.strip(), at)
        at = found if found >= 0 else at
        places.append(at + 1)
        at += len(cell.strip())
    return tuple(places)


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
        sum(re.fullmatch(r"\s*[+-]?[0-9]+\s*", cell) is not None for row in rows for cell in row.cells[at])
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
    amount = read_copies(row.cells[copies] if copies < len(row.cells) else "", place, findings)
    given = [(index, row.cells[index].strip()) for index in names if index < len(row.cells)]
    given = [(index, name) for index, name in given if name]
    if not given:
        findings.error("deck/line", "the row names no card", row.place, _HINT)
        return DeckLine((), amount, place)
    return DeckLine((given[0][1],), amount, row.places[given[0][0]])
