"""A table that was written from a list of cards, and what was edited in it since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardgen.findings import Findings
from cardgen.loading.card_lists import CardList
from cardgen.loading.cell_findings import is_blank, settle, trouble
from cardgen.loading.cells import ABSENT, cell_of, kind_at, value_at
from cardgen.loading.spreadsheets import TITLES, Part, TableDocument, id_of, part_of, put
from cardgen.tables.meter import FINDINGS, answered
from cardgen.tables.reading import read_table
from cardgen.tables.sheets import Out
from cardgen.tables.table import Row
from cardgen.tables.values import Fault, Formatted, Rich, Value, number_of, text_of, unified
from cardgen.yaml.aligning import same
from cardgen.yaml.reader import copied, path_text

Card = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Returned:
    """A list of cards as its table has it now: those that stayed in their order, then new ones; `document`
    is the same with the cell of every value. `before` are the cards as they were, by their ids."""

    source: CardList
    cards: list[dict[str, Any]]
    document: TableDocument
    before: Mapping[str, Card]

    @property
    def is_changed(self) -> bool:
        return not same(self.cards, list(self.source.cards))


def returned(
    source: CardList, raw: bytes, name: str, sheet: str | None, findings: Findings
) -> Returned | None:
    """What became of a list of cards in a sheet of a file's bytes; None after findings, each at its cell.

    Cards are known by their ids. A column that is gone leaves its fields as they are; an empty cell is no
    value.
    """
    with answered(name, findings):
        return _returned(source, raw, name, sheet, findings)
    return None


def _returned(
    source: CardList, raw: bytes, name: str, sheet: str | None, findings: Findings
) -> Returned | None:
    """Do so. Raises TooLargeError."""
    table = read_table(raw, name, sheet, findings)
    part = None if table is None else part_of(table, source.how, findings)
    if table is None or part is None:
        return None
    if ("id",) not in part.columns:
        place = table.place(table.header, 0)
        hint = "it tells which row is which card; for a new card it may be empty"
        findings.error("tables/column", "there is no column 'id'", place, hint)
        return None
    if not table.rows:
        message = f"there is no card left in it, and {source.component} would be empty"
        hint = "to leave a component as it is, name the others with --component"
        findings.error("tables/empty", message, table.place(table.header, 0), hint)
        return None
    before = {card["id"]: card for card in source.cards}
    errors = len(findings.errors)
    reading = _Reading(source, part, before, findings)
    now: dict[str, tuple[dict[str, Any], Row]] = {}
    for row in table.rows:
        card = reading.card(row, now, findings)
        if card["id"] in now:
            table.meter.charge(FINDINGS)
            first = table.place(now[card["id"]][1], part.columns["id",])
            message = f"the id '{card['id']}' is taken by the card in the cell {first.cell}"
            hint = "give every card its own id; to print it more often, use copies"
            findings.error("data/duplicate-id", message, table.place(row, part.columns["id",]), hint)
        now.setdefault(card["id"], (card, row))
    if len(findings.errors) > errors:
        return None
    order = [*(id for id in before if id in now), *(id for id in now if id not in before)]
    cards = [now[id][0] for id in order]
    data = {**source.document.data, source.component: cards}
    rows = [(part, now[id][1]) for id in order]
    document = TableDocument(name, data, "", key=source.component, rows=rows)
    return Returned(source, cards, document, before)


class _Reading:
    """Rows to cards."""

    def __init__(
        self, source: CardList, part: Part, before: Mapping[str, Card], findings: Findings
    ) -> None:
        self._part, self._before = part, before
        at = part.columns["id",]
        self._stated = {text_of(value) for row in part.table.rows if (value := row.cells[at]) is not None}
        self._numbers: dict[str, int] = {}
        self._kinds = {path: kind_at(path, source) for path in part.columns}
        for path, kind in self._kinds.items():
            kind.meter = part.table.meter
            is_mixed = kind.is_open and any(value_at(card, path) is not ABSENT for card in source.cards)
            if not is_mixed:  # what has values of several types is read cell by cell, as it was written
                settle(kind, part.table, part.columns[path], findings)

    def card(self, row: Row, taken: Mapping[str, tuple[Card, Row]], findings: Findings) -> dict[str, Any]:
        """The card of a row: the one with its id, changed, or a new one."""
        found = row.cells[self._part.columns["id",]]
        id = self._made_id(row, taken) if found is None else text_of(found)
        old = self._before.get(id)
        card: dict[str, Any] = copied(dict(old)) if old is not None else {}
        for path, at in self._part.columns.items():
            value = row.cells[at]
            if path == ("id",) or (old is None and value is None):
                continue
            kind = self._kinds[path]
            was = ABSENT if old is None else value_at(old, path)
            if old is not None and _is_as_written(value, None if was is ABSENT else cell_of(was, kind)):
                continue
            if value is None or is_blank(value, kind):
                _take_out(card, path)
                continue
            if (said := trouble(value, kind)) is not None:
                self._part.table.meter.charge(FINDINGS)
                said(findings, self._part.table.place(row, at, path_text(path)))
            now = kind.read(value)
            if isinstance(now, str) and isinstance(was, str) and was.endswith("\n"):
                now = f"{now}\n"
            if was is ABSENT or not same(now, was):
                _put_in(card, path, now)
        if old is not None:
            return card
        return {"id": id, **card}

    def _made_id(self, row: Row, taken: Mapping[str, Any]) -> str:
        """An id for a row without: from its title, and none that another row has. A card that got its id so
        when the table was brought back before is found again."""
        cells = ((row.cells[at], path) for path, at in self._part.columns.items() if path[0] in TITLES)
        title = next((text_of(value) for value, path in sorted(cells, key=_by_title) if value), None)
        wanted = f"row-{row.number}" if title is None else id_of(title)
        number = self._numbers.get(wanted, 1)
        id = wanted if number == 1 else f"{wanted}-{number}"
        while id in taken or id in self._stated:
            number += 1
            id = f"{wanted}-{number}"
        self._numbers[wanted] = number
        return id


def _by_title(cell: tuple[Value | None, tuple[str, ...]]) -> int:
    return TITLES.index(cell[1][0])


def _is_as_written(value: Value | None, written: Out | None) -> bool:
    """Whether a cell still has what was written into it."""
    if isinstance(written, str):
        written = unified(written).strip() or None
    if value is None or written is None:
        return value is None and written is None
    if isinstance(value, Fault):
        return value.text == written  # text that looks like one, in a CSV file
    if isinstance(written, bool):
        held = value.number if isinstance(value, Formatted) else value
        return held is written or text_of(value).casefold() == ("true" if written else "false")
    if isinstance(written, str):
        return not isinstance(value, Rich) and text_of(value) == written
    number = number_of(value)
    if number is not None:
        return f"{number:.15G}" == f"{written:.15G}"  # as exact as spreadsheets are
    return text_of(value) == repr(written)


def _take_out(card: dict[str, Any], path: Sequence[str]) -> None:
    """Remove a value, and mappings that are empty then."""
    way: list[dict[str, Any]] = [card]
    for step in path[:-1]:
        inner = way[-1].get(step)
        if not isinstance(inner, dict):
            return
        way.append(inner)
    way[-1].pop(path[-1], None)
    for above, step in zip(reversed(way[:-1]), reversed(path[:-1]), strict=True):
        if not above[step]:
            del above[step]


def _put_in(card: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    """Put a value in, mappings around it where there are none."""
    inner = card
    for step in path[:-1]:
        if not isinstance(inner.get(step), dict):
            inner[step] = {}
        inner = inner[step]
    put(inner, path[-1:], value)


def in_lists(found: Sequence[Returned], findings: Findings) -> None:
    """Report cards that have an id of another list of the same component."""
    taken: dict[tuple[str, str], tuple[Returned, int]] = {}
    for each in found:
        for index, card in enumerate(each.cards):
            key = (each.source.component, card["id"])
            if key not in taken:
                taken[key] = (each, index)
                continue
            other, at = taken[key]
            there = other.document.locate((key[0], at, "id"))
            message = f"the id '{key[1]}' is taken by the card in the cell {there.cell}"
            place = each.document.locate((key[0], index, "id"))
            findings.error("data/duplicate-id", message, place, "a card stands in one file only")
