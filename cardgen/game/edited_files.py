"""Cards as a table to edit elsewhere, and the edited table back in the data files."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from cardgen.core.findings import CardgenError, Finding, Findings, Location, Severity
from cardgen.core.game import Game
from cardgen.core.records import dataclass, field, replace
from cardgen.files.reading import TABLE, YAML, read_file
from cardgen.files.table_formats import format_of, is_table_of
from cardgen.files.table_grid import MOST_NAME, is_comment
from cardgen.files.table_reading import read_table
from cardgen.files.table_sheets import (
    Cells,
    Heading,
    Out,
    Sheet,
    UneditedError,
    edited_table,
    encoded,
    sheet_name,
)
from cardgen.files.tables import (
    COLUMNS,
    FINDINGS,
    Fault,
    Formatted,
    RefusedError,
    Rich,
    Row,
    Table,
    Value,
    answered,
    number_of,
    style_of,
    text_of,
    unified,
    written_number,
)
from cardgen.files.workbook_editing import edited_workbook
from cardgen.files.yaml import Document, copied, is_json, path_text
from cardgen.files.yaml_editing import edited, edited_list, same
from cardgen.files.yaml_nodes import YamlStyle, inline
from cardgen.files.yaml_text import SourceError, decode
from cardgen.game.cards import CARD_SCHEMA, cards_use
from cardgen.game.columns import SEPARATOR, TYPES, Kind, Schema, Shapes, is_blank, settle, trouble
from cardgen.game.schema_findings import fits
from cardgen.game.sources import Sources, TableUse, by_file, recording
from cardgen.game.spreadsheets import (
    TITLES,
    NewIds,
    Part,
    Recording,
    TableDocument,
    field_path,
    part_of,
    put,
    read_records,
)

_INDEX = re.compile(r"\[(\d+)\]")
_MISSING = "schema/required"
_Key = tuple[str, str, str, str]


def judge(found: Returned, sources: Sources, findings: Findings) -> None:
    """Report new problems of cards that came back, each at its cell."""
    now, before = Findings(), Findings()
    judge_records(found.document, found.source, sources, now)
    if not now.items:
        return
    judge_records(found.source.document, found.source, sources, before)
    component = found.source.component
    old = {_key(each, component, list(found.before)) for each in before}
    # The problem of a key is reported at the heading, not at a card.
    old |= {(code, message, "", "") for code, message, _, _ in old}
    ids = [card["id"] for card in found.cards]
    findings.extend(each for each in now if _key(each, component, ids) not in old)


def judge_records(document: Document, source: CardList, sources: Sources, findings: Findings) -> None:
    """Add the problems of a document with records of a list, by the schemas of the list."""
    component, use = source.component, source.use
    own = None if use.schema is None else sources.schemas.schema(use.schema)
    if own is not None and not fits(document, own, findings):
        return
    card = sources.schemas.schema(CARD_SCHEMA)
    if card is not None:
        fits(document, card.of_list(component), findings)


def _key(finding: Finding, component: str, ids: Sequence[str]) -> _Key:
    """Return a finding's content and card, wherever the card is now."""
    path = finding.location.path if finding.location else ""
    index = _INDEX.search(path)
    if index is None or not path.startswith(f"{component}[") or int(index[1]) >= len(ids):
        return finding.code, finding.message, "", ""
    # A missing value is reported at its mapping or at the empty cell.
    inside = "" if finding.code == _MISSING else path[index.end() :]
    return finding.code, finding.message, ids[int(index[1])], inside


def new_contents(
    found: Sequence[Returned], sources: Sources, findings: Findings
) -> dict[str, tuple[bytes, bytes]]:
    """Return the old and the new bytes of the files of changed lists of cards, by file. Add a finding for
    each file that can't be changed in place, or has changed in the meantime."""
    contents: dict[str, tuple[bytes, bytes]] = {}
    changed = [each for each in found if each.is_changed]
    for each in changed:
        file = each.source.file
        path = sources.paths.find(file)
        if path is None or (file in contents and not each.source.is_table):
            continue
        raw = read_file(path, TABLE if each.source.is_table else YAML, file, sources.paths.roots)
        if each.source.is_table:
            # Sheets of several components can be in one file.
            last = contents[file][1] if file in contents else raw
            new = edited_tables(each, last, sources, findings)
        else:
            lists = {one.source.component: one.cards for one in changed if one.source.file == file}
            new = _edited_yaml(each.source.document, lists, raw, findings)
        if new is not None:
            contents[file] = (raw, new)
    return contents


def _edited_yaml(
    document: Document, lists: Mapping[str, object], raw: bytes, findings: Findings
) -> bytes | None:
    file, text = document.relative, str(document.text)
    try:
        if decode(raw) != text:
            findings.error(
                "file/changed", "the file changed in the meantime", Location(file), "run the command again"
            )
            return None
        mark = codecs.BOM_UTF8 if raw.startswith(codecs.BOM_UTF8) else b""
        data = {**document.data, **lists}
        new = edited_list(text, document.data, data) or edited(text, data, is_json=is_json(file))
        return mark + new.encode("utf-8")
    except SourceError as problem:
        place = Location(file, problem.line, problem.column)
        findings.error(problem.code, problem.message, place, problem.hint)
        return None


FieldPath = tuple[str, ...]
_DEEPEST = 4
"""Most steps of a dotted name."""
_WIDEST = 16
"""Most columns that one field is split into."""
_EXACT = 10**15
"""Whole numbers from here on lose digits in spreadsheets; they are written as text."""
_PLAIN_TYPES = {str: "string", bool: "boolean", list: "array", dict: "object"}
_LONG = 60
"""Characters from which a list has one line per item in its cell."""


@dataclass(frozen=True, slots=True)
class Field:
    """A column: the path of its values in a card, and the kind of the values."""

    path: FieldPath
    kind: Kind
    heading: Heading

    def of(self, card: Mapping[str, Any]) -> Out | None:
        """Return a card's value in this column."""
        found = value_at(card, self.path)
        return None if found is ABSENT else cell_of(found, self.kind)


class _Absent:
    """The type of a missing value."""


ABSENT: Any = _Absent()


def parts_at(path: Iterable[str], how: Recording) -> Sequence[Schema]:
    """Return the schemas that judge the value at a path of a card."""
    parts = how.parts
    for step in path:
        parts = how.shapes.below(parts, step)
    return parts


def kind_at(path: FieldPath, cards: CardList) -> Kind:
    """Return the kind of a column's cells: from the schema, or without one, from the cards."""
    how = cards.how
    kind = Kind(parts_at(path, how), how.shapes, how.separator, how.numbers)
    if not kind.is_open:
        return kind
    had = {type(found) for card in cards.cards if (found := value_at(card, path)) is not ABSENT}
    name = _PLAIN_TYPES.get(had.pop(), "") if len(had) == 1 else ""
    return Kind([{"type": name}], how.shapes, how.separator, how.numbers) if name else kind


def value_at(card: Any, path: Iterable[str]) -> Any:
    """Return the value at a path of a card, or ABSENT."""
    for step in path:
        if not isinstance(card, Mapping) or step not in card:
            return ABSENT
        card = card[step]
    return card


def sheet_of(cards: CardList, findings: Findings) -> Sheet:
    """Return the sheet of a list of cards."""
    fields = fields_of(cards, findings)
    rows = tuple(tuple(field.of(card) for field in fields) for card in cards.cards)
    return Sheet(cards.sheet, tuple(field.heading for field in fields), rows)


def fields_of(cards: CardList, findings: Findings) -> list[Field]:
    """Return the columns of a list of cards: the id, the cards' keys in their order, then other keys of the
    schema. Add a finding for each key that can't be a column name."""
    how = cards.how
    shapes, parts = how.shapes, how.parts
    names = _in_order(cards.cards)
    own = shapes.names(parts[-1:])  # those of any card
    spare = [name for name in shapes.names(parts) if name not in own]
    spare += [name for name in own if name == "copies"]
    paths: list[FieldPath] = []
    for name in dict.fromkeys(("id", *names, *(each for each in spare if _is_simple(each, shapes, parts)))):
        if not _is_name((name,), how):
            message = f"the field '{name}' can't be a column name"
            at = next(index for index, card in enumerate(cards.cards) if name in card)
            place = cards.document.locate((cards.component, at, name), key=True)
            findings.error("tables/column", message, place, "remove signs and spaces from it")
            continue
        values = [card[name] for card in cards.cards if name in card]
        paths += _apart((name,), values, how) or [(name,)]
    if len(paths) > COLUMNS.most:
        message = f"the cards have {len(paths)} fields, more than the {COLUMNS.most} columns of a table"
        hint = "split the cards among several components"
        findings.error("tables/size", message, cards.document.locate((cards.component,)), hint)
    return [_field(path, cards) for path in paths]


def _in_order(cards: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the keys of all cards, each after the key before it on its first card."""
    order: list[str] = []
    for card in cards:
        at = len(order)
        for name in card:
            if name in order:
                at = order.index(name) + 1
            else:
                order.insert(at, name)
                at += 1
    return order


def _is_name(path: FieldPath, how: Recording) -> bool:
    """Return True if a column's name is read as this very path."""
    name = ".".join(path)
    plain = name == name.strip() and len(name) <= MOST_NAME and not is_comment(name) and "\n" not in name
    return bool(name) and plain and name.isprintable() and field_path(name, how) == path


def _is_simple(name: str, shapes: Shapes, parts: Sequence[Schema]) -> bool:
    """Return True if a field that no card has is worth a column."""
    types = Kind(shapes.below(parts, name), shapes).types
    return types != TYPES and bool(types - {"object", "null"})


def _apart(path: FieldPath, values: Sequence[Any], how: Recording) -> list[FieldPath]:
    """Return the columns that mappings at a path are split into. Return none if some value is no mapping or
    an empty one, if keys are no names of fields, or if they are too many or too deep."""
    if not values or len(path) >= _DEEPEST or not all(isinstance(each, dict) and each for each in values):
        return []
    below = parts_at(path, how)
    named = how.shapes.names(below)
    names = _in_order(values)
    if below and any(name not in named for name in names):
        return []
    found: list[FieldPath] = []
    for name in names:
        inner = (*path, name)
        if "." in name or not _is_name(inner, how):
            return []
        found += _apart(inner, [each[name] for each in values if name in each], how) or [inner]
    return found if len(found) <= _WIDEST else []


def _field(path: FieldPath, cards: CardList) -> Field:
    kind = kind_at(path, cards)
    inside = cards.how.shapes.inside(kind.parts)
    said = [each["description"] for each in inside if isinstance(each.get("description"), str)]
    note = said[0] if said else ""
    if "array" in kind.types and not kind.is_open:
        sign = kind.parting
        how = f"Several, separated by {sign}" if sign else f"Several, separated by {SEPARATOR} or line ends"
        note = f"{note} {how}.".strip()
    choices = _choices(kind, inside)
    is_text = bool(kind.types & {"string", "array", "object"}) and not kind.is_open
    return Field(path, kind, Heading(".".join(path), note, choices, is_text and choices != _TRUTHS))


_TRUTHS = ("TRUE", "FALSE")


def _choices(kind: Kind, inside: Sequence[Schema]) -> tuple[str, ...]:
    """Return the choices of a column's cells, if they are a list of words."""
    if kind.types == {"boolean"}:
        return _TRUTHS
    if kind.types != {"string"}:
        return ()
    listed = [each["enum"] for each in inside if isinstance(each.get("enum"), list)]
    return tuple(word for word in listed[0] if isinstance(word, str)) if len(listed) == 1 else ()


def cell_of(value: Any, kind: Kind) -> Out | None:
    """Return the cell for a value: the plainest that reads back as that very value, or else the
    plainest."""
    plainest: Out | None = None
    for number, way in enumerate(_spellings(value, kind)):
        shown = unified(way).strip() if isinstance(way, str) else way
        if shown != "" and same(kind.read(shown), value):
            return way
        plainest = way if number == 0 else plainest
    return plainest if plainest != "" else None


def _spellings(value: Any, kind: Kind) -> Iterator[Out]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, bool):
        yield value
        yield "true" if value else "false"
    elif isinstance(value, int | float):
        yield value if abs(value) < _EXACT else str(value)
    elif value is None:
        yield "null"
    else:
        if isinstance(value, list) and value and not any(isinstance(each, dict | list) for each in value):
            items = [str(cell_of(each, kind.item)) for each in value]
            sign = kind.parting or SEPARATOR
            line = (sign if sign.isspace() else f"{sign} ").join(items)
            yield from (line, "\n".join(items)) if len(line) <= _LONG else ("\n".join(items), line)
        yield inline(value, YamlStyle())


Card = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Returned:
    """A list of cards as its table has it now: the old ones in their order, then new ones; `document` is
    the same with the cell of every value. `before` are the old cards, by their ids; `renamed` are the old
    ids of cards by their new ones."""

    source: CardList
    cards: list[dict[str, Any]]
    document: TableDocument
    before: Mapping[str, Card]
    renamed: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_changed(self) -> bool:
        return not same(self.cards, list(self.source.cards))


def returned(
    source: CardList, raw: bytes, name: str, sheet: str | None, findings: Findings
) -> Returned | None:
    """Return the new state of a list of cards in a sheet of a file's bytes; None after findings, each at
    its cell.

    The id identifies a card. A removed column keeps its fields' values; an empty cell is no value.
    """
    with answered(name, findings):
        return _returned(source, raw, name, sheet, findings)
    return None


def _returned(
    source: CardList, raw: bytes, name: str, sheet: str | None, findings: Findings
) -> Returned | None:
    """Return the list as `returned` does. Raises TooLargeError."""
    table = read_table(raw, name, sheet, findings)
    if table is None:
        return None
    part = part_of(table, source.how, findings)
    if ("id",) not in part.columns:
        place = table.place(table.header, 0)
        hint = "add it: it identifies each row's card, and may be empty for new cards"
        findings.error("tables/column", "there is no column 'id'", place, hint)
        return None
    if not table.rows:
        message = f"it contains no cards, so {source.component} would be empty"
        hint = "to keep a component unchanged, name the others with --component"
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
        self._new_ids = NewIds()
        self._kinds = {path: kind_at(path, source) for path in part.columns}
        for path, kind in self._kinds.items():
            kind.meter = part.table.meter
            is_mixed = kind.is_open and any(value_at(card, path) is not ABSENT for card in source.cards)
            if not is_mixed:  # A mixed column is read cell by cell, as it was written
                settle(kind, part.table, part.columns[path], findings)

    def card(self, row: Row, taken: Mapping[str, tuple[Card, Row]], findings: Findings) -> dict[str, Any]:
        """Return the card of a row: the one with its id, changed, or a new one."""
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
                take_out(card, path)
                continue
            if (said := trouble(value, kind)) is not None:
                self._part.table.meter.charge(FINDINGS)
                said(findings, self._part.table.place(row, at, path_text(path)))
            now = kind.read(value)
            if isinstance(now, str) and isinstance(was, str) and was.endswith("\n"):
                now = f"{now}\n"
            if was is ABSENT or not same(now, was):
                put_in(card, path, now)
        if old is not None:
            return card
        return {"id": id, **card}

    def _made_id(self, row: Row, taken: Mapping[str, Any]) -> str:
        """Return an unused id for a row without one, from its title. If a card got its id in this way in an
        earlier import, it is found again."""
        cells = ((row.cells[at], path) for path, at in self._part.columns.items() if path[0] in TITLES)
        title = next((text_of(value) for value, path in sorted(cells, key=_by_title) if value), None)
        return self._new_ids.make(title, row, taken, self._stated)


def _by_title(cell: tuple[Value | None, tuple[str, ...]]) -> int:
    return TITLES.index(cell[1][0])


def _is_as_written(value: Value | None, written: Out | None) -> bool:
    """Return True if a cell still contains the value written into it."""
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


def take_out(card: dict[str, Any], path: Sequence[str]) -> None:
    """Remove a value, and mappings that become empty."""
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


def put_in(card: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    """Insert a value, and missing mappings around it."""
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
            findings.error("data/duplicate-id", message, place, "keep each card in one file only")


def _without_made_ids(
    again: Sequence[Any], found: Returned, document: TableDocument
) -> tuple[list[Any], list[Any]]:
    """Return two lists of cards, without ids that were made from other columns, which may have changed."""
    has_ids = any(part.column(("id",)) is not None for part, _ in document.rows)
    if has_ids or found.renamed:
        return list(again), list(found.cards)
    plain = [
        [{k: v for k, v in card.items() if k != "id"} for card in cards] for cards in (again, found.cards)
    ]
    return plain[0], plain[1]


def edited_tables(found: Returned, raw: bytes, sources: Sources, findings: Findings) -> bytes | None:
    """Return the new bytes of a file of tables; None after a finding, for a file that has changed, or if it
    has no column for a change or a formula in its place."""
    source, document = found.source, found.source.document
    file, place = source.file, Location(source.file)
    hint = "edit and save that file directly"
    format = format_of(file)
    if format is None or not isinstance(document, TableDocument) or not format.has_cells:
        message = "its cards are in a file that you edit directly"
        findings.error("tables/target", message, place, hint)
        return None
    for part in {id(part): part for part, _ in document.rows}.values():
        sheet = None if format.is_delimited else part.table.sheet
        table = read_table(raw, file, sheet, Findings())
        if table is None or _content(table) != _content(part.table):
            message = "the file changed in the meantime"
            findings.error("file/changed", message, place, "run the command again")
            return None
    try:
        if format.is_delimited:
            content = encoded(_edited(found, document), raw)
        else:
            content = _edited_sheets(found, document, raw)
    except (UneditedError, RefusedError) as error:
        findings.error("tables/target", f"{error}, so it can't be edited in place", place, hint)
        return None
    how = recording(source.use, sources)
    again = read_records(content, file, source.use.sheets, source.component, how, Findings())
    if again is None or not same(*_without_made_ids(again.data[source.component], found, document)):
        names = ", ".join(f"'{name}'" for name in _without_column(found, document.rows[0][0]))
        message = (
            f"the table has no column for {names}" if names else "the table has no column for a change"
        )
        findings.error("tables/target", message, place, "add the missing columns, then run this again")
        return None
    return content


def _content(table: Table) -> tuple[object, ...]:
    return table.text, table.header, table.rows


def _row_edits(
    found: Returned, document: TableDocument
) -> tuple[list[tuple[Part, Row, Cells]], list[tuple[Part, Row]], list[Cells]]:
    """Return the rows with the cells that change, the removed rows, and the cells of new rows, which are
    added to the last table."""
    rows = {card["id"]: row for card, row in zip(found.source.cards, document.rows, strict=True)}
    now = {found.renamed.get(card["id"], card["id"]): card for card in found.cards}
    changed = [
        (*rows[id], cells)
        for id, card in now.items()
        if id in rows
        and card is not found.before[id]
        and (cells := _cells(found, rows[id][0], found.before[id], card))
    ]
    gone = [row for id, row in rows.items() if id not in now]
    last = document.rows[-1][0]
    return changed, gone, [_cells(found, last, {}, card) for id, card in now.items() if id not in rows]


def _edited(found: Returned, document: TableDocument) -> str:
    changed, gone, new = _row_edits(found, document)
    rows = [(row, cells) for _, row, cells in changed]
    return edited_table(document.rows[-1][0].table, rows, [row for _, row in gone], new)


def _edited_sheets(found: Returned, document: TableDocument, raw: bytes) -> bytes:
    """Return a workbook's new bytes. Removed rows become empty where they can't be taken out."""
    changed, gone, new = _row_edits(found, document)
    sheets: dict[str, dict[tuple[int, int], Out | None]] = {}
    rows: dict[str, set[int]] = {}
    for part, row, cells in changed:
        edits = sheets.setdefault(part.table.sheet, {})
        edits.update({(row.number, part.table.columns[at].index): value for at, value in cells.items()})
    for part, row in gone:
        rows.setdefault(part.table.sheet, set()).add(row.number)
        edits = sheets.setdefault(part.table.sheet, {})
        filled = (at for at, value in enumerate(row.cells) if value is not None)
        edits.update({(row.number, part.table.columns[at].index): None for at in filled})
    table = document.rows[-1][0].table
    for number, cells in enumerate(new, table.rows[-1].number + 1):
        edits = sheets.setdefault(table.sheet, {})
        edits.update({(number, table.columns[at].index): value for at, value in cells.items()})
    for sheet, edits in sheets.items():
        raw = edited_workbook(raw, found.source.file, sheet, edits, rows.get(sheet, ()))
    return raw


def _without_column(found: Returned, part: Part) -> list[str]:
    """Return the changed fields of the cards for which the table has no column."""
    known = {path[0] for path in part.columns}
    names = {
        name: None
        for card in found.cards
        for name, value in card.items()
        if name not in known and not same(value_at(found.before.get(card["id"], {}), (name,)), value)
    }
    return list(names)


def _cells(found: Returned, part: Part, old: Card, new: Card) -> Cells:
    """Return the cells of a card whose values have changed."""
    cells: dict[int, Any] = {}
    for path, at in part.columns.items():
        value = value_at(new, path)
        if value is ABSENT:
            if value_at(old, path) is not ABSENT:
                cells[at] = None
        elif not same(value_at(old, path), value):
            kind = kind_at(path, found.source)
            cell = cell_of(value, kind)
            cells[at] = (
                _written(cell, part, at) if isinstance(cell, float) and kind.asks_for_number else cell
            )
    return cells


def _written(number: float, part: Part, at: int) -> str:
    """Return a number as the others of its column are written."""
    texts = [cell for row in part.table.rows if isinstance(cell := row.cells[at], str)]
    return written_number(number, style_of(texts, comma_first=part.table.has_comma).way)


@dataclass(frozen=True, slots=True)
class CardList:
    """The cards of a component in one data file, without defaults. `sheet` is the name of their sheet,
    `how` are the schemas that check a card."""

    component: str
    file: str
    sheet: str
    use: TableUse
    document: Document
    cards: Sequence[Mapping[str, Any]]
    how: Recording

    @property
    def is_table(self) -> bool:
        """Return True if the file is a spreadsheet."""
        return is_table_of(self.file, self.use.sheets[0])


def component_entries(manifest: Document | None) -> dict[str, Mapping[str, Any]]:
    """Return the entries of game.yaml for components that have cards, by their ids; the rest of game.yaml
    may be invalid."""
    data = manifest.data if manifest is not None else None
    entries = data.get("components") if isinstance(data, dict) else None
    return {
        id: entry
        for id, entry in (entries.items() if isinstance(entries, dict) else ())
        if isinstance(entry, dict) and entry.get("kind") != "book" and entry.get("data")
    }


def card_lists(sources: Sources, game: str, entries: Mapping[str, Mapping[str, Any]]) -> list[CardList]:
    """Return the lists of cards of some components, in the order of game.yaml. Unreadable files and those
    without a list of cards are skipped after findings."""
    found: list[CardList] = []
    taken: list[str] = []
    for id, entry in entries.items():
        listed = entry["data"]
        listed = [listed] if isinstance(listed, str) else listed
        names = [each for each in listed if isinstance(each, str)]
        files = by_file(names)
        for name, sheets in files.items():
            taken.append(sheet_name(id if len(files) == 1 else f"{id} {PurePosixPath(name).stem}", taken))
            file = f"data/{game}/{name}"
            use = cards_use(game, id, entry, sheets)
            document = sources.table(file, use) if is_table_of(name, sheets[0]) else sources.read(file)
            data = document.data if document is not None else None
            cards = data.get(id) if isinstance(data, dict) else None
            if document is None or cards is None or not _are_cards(cards):
                if document is not None:
                    message = f"the file has no list '{id}' of cards"
                    sources.findings.error("data/list", message, document.locate((id,)))
                continue
            how = replace(recording(use, sources), schemed=True)  # names are never translated
            found.append(CardList(id, file, taken[-1], use, document, cards, how))
    return found


def _are_cards(cards: Any) -> bool:
    return isinstance(cards, list) and all(
        isinstance(card, dict) and isinstance(card.get("id"), str) for card in cards
    )


@dataclass(frozen=True, slots=True)
class CardSchema:
    """The schema of one card of a component, references resolved, the file that it is in, and
    that file's description."""

    file: str
    description: str
    schema: Any


def load_card_schemas(game: Game) -> dict[str, CardSchema]:
    """Return the schema of each component that has cards. Raises CardgenError for an invalid schema."""
    findings = Findings()
    sources = Sources(game.paths, findings)
    manifest = sources.read(f"data/{game.id}/game.yaml")
    found: dict[str, CardSchema] = {}
    entries = manifest.data["components"] if manifest is not None else {}
    for id, entry in entries.items():
        if "schema" not in entry:
            continue
        file = f"schemas/{game.id}/{entry['schema']}"
        prepared = sources.schemas.schema(file)
        if prepared is not None:
            whole = prepared.schema if isinstance(prepared.schema, Mapping) else {}
            found[id] = CardSchema(file, str(whole.get("description", "")), prepared.of_items(id))
    findings.raise_if_errors()
    return found


def with_schemas(manifest: Document, schemas: Mapping[str, str]) -> str:
    """Return the text of game.yaml with a schema's file named for each of these components, by their ids;
    the rest doesn't change.

    Raises CardgenError if that can't be done in place.
    """
    data = copied(manifest.data)
    for id, name in schemas.items():
        entry: dict[str, object] = {}
        for key, value in data["components"][id].items():
            entry[key] = value
            if key == "data":
                entry["schema"] = name
        data["components"][id] = entry
    try:
        return edited(str(manifest.text), data)
    except SourceError as error:
        place = Location(manifest.relative, error.line, error.column)
        named = ", ".join(f"schema: {name} at {id}" for id, name in schemas.items())
        hint = f"write it there by hand, and run this again: {named}"
        finding = Finding(Severity.ERROR, "schema/unnamed", error.message, place, hint)
        raise CardgenError(finding) from None
