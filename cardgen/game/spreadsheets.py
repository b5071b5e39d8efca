"""Spreadsheet rows as records, lookup tables and deck lists."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Hashable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from cardgen.core.findings import Finding, Findings, Location
from cardgen.core.records import dataclass, field, replace
from cardgen.files.table_formats import is_delimited
from cardgen.files.table_reading import read_rows, read_table
from cardgen.files.tables import FINDINGS, SEEN, Fault, Row, Table, answered, number_of, text_of
from cardgen.files.yaml import Document, copied, path_text
from cardgen.files.yaml_text import DataPath
from cardgen.game.columns import TYPES, Kind, Shapes, fault_trouble, folded, is_blank, settle, trouble
from cardgen.game.deck_text import MAX_LINES, DeckLine, DeckText, read_copies
from cardgen.game.markup import Markup

TITLES = ("title", "name")
"""The fields that an id is made from; the first existing one counts."""
_TITLES = (str, int, float)
MOST_ID = 60
_MOST_TITLE = 4 * MOST_ID
"""Characters of a title that an id is made from."""
_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)
_APOSTROPHES = re.compile("['’ʼ`´]")
_USABLE = re.compile(r"[^\W\dA-Z]\w*")
"""A name for templates, which nobody has written with a capital for a spreadsheet."""
_NO_WORD = re.compile("[^a-z0-9]+")

FieldPath = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A table, with the path of each column's values in a record, and the kind of these values."""

    table: Table
    columns: dict[FieldPath, int]
    kinds: dict[FieldPath, Kind] = field(default_factory=dict)

    def column(self, path: Sequence[Any]) -> int | None:
        """Return the column that contains the value at a path, or its parent."""
        for length in range(len(path), -1, -1):
            found = self.columns.get(tuple(path[:length]))
            if found is not None:
                return found
        return None


@dataclass(slots=True)
class TableDocument(Document):
    """A document whose records, a list under `key` or (None) the whole, are rows of tables; or a mapping of
    such `names`, each with the index of its row. `label` distinguishes it from others of the same file. Its
    places name cells. A finding about a key, not its value, is at the cell that names the column, so it is
    the same for all rows."""

    key: str | None = None
    label: str | None = None
    names: dict[str, int] | None = None
    sheets: set[str] = field(default_factory=set)
    """The sheets that were read."""
    others: set[str] = field(default_factory=set)
    """Further sheets of the workbook that aren't empty."""
    markup: Markup | None = None
    """The stated markup of its cells' texts."""
    rows: list[tuple[Part, Row]] = field(default_factory=list, repr=False)
    wrong: set[str] = field(default_factory=set, repr=False)
    """The cells that have a finding already."""
    spoilt: set[int] = field(default_factory=set, repr=False)
    """The records that contain such a cell."""
    known_lines: dict[int, tuple[int, dict[str, int]]] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        return f"{self.relative}#{self.key if self.label is None else self.label}"

    @property
    def records(self) -> list[Any]:
        found = self.data if self.key is None else self.data[self.key]
        return found if isinstance(found, list) else []

    def take(self, table: Table) -> None:
        """Record the sheet that was read, and the other ones."""
        self.sheets.add(table.sheet)
        self.others.update(table.others)

    def copy(self) -> TableDocument:
        return replace(self, _data=copied(self.data), translated={}, markup=None, known_lines={})

    def _row(self, path: DataPath) -> tuple[Part, Row, Sequence[str | int]] | None:
        """Return the row of a path, and the rest of the path within its record."""
        steps = list(path)
        if self.key is not None and (not steps or steps.pop(0) != self.key):
            return None
        if not steps:
            return None
        at = steps[0] if self.names is None else self.names.get(str(steps[0]), -1)
        return (*self.rows[at], steps[1:]) if isinstance(at, int) and 0 <= at < len(self.rows) else None

    def locate(self, path: DataPath = (), *, key: bool = False) -> Location:
        if self.translated and not key and (found := self.translated.get(tuple(path))) is not None:
            return Location(found[0], found[1], None, path_text(path))
        where = self._row(path)
        if where is None:
            return Location(self.relative, None, None, path_text(path))
        part, row, steps = where
        at = part.column(steps)
        if key and self.names is not None and not steps:
            return part.table.place(row, 0, path_text(path))
        if key and at is not None:
            return part.table.place(part.table.header, at, path_text(steps))
        return part.table.place(row, _first(row) if at is None else at, path_text(path))

    def shared_keys(self, path: DataPath) -> Hashable:
        where = self._row(path)
        return None if where is None else (id(where[0]), *where[2])

    def rename_column(self, path: DataPath, name: str, meant: str) -> bool:
        where = self._row(path)
        if where is None:
            return False
        part, _, steps = where
        old, new = ((*map(str, steps), key) for key in (name, meant))
        if old not in part.columns or any(each[: len(new)] == new for each in part.columns):
            return False
        part.columns[new] = part.columns[old]
        if old in part.kinds:
            part.kinds[new] = part.kinds[old]
        return True

    def shown(self, path: DataPath) -> str | None:
        """Return the text that the cell of a value shows; None for a value that no cell has."""
        where = self._row(path)
        if where is None or tuple(path) in self.translated:
            return None
        part, row, steps = where
        field = tuple(map(str, steps))
        if (kind := part.kinds.get(field)) is not None and kind.is_date:
            return None
        at = part.columns.get(field)
        cell = None if at is None else row.cells[at]
        if cell is None or isinstance(cell, Fault):
            return None
        text = text_of(cell)
        return (
            text if self.markup is None else self.markup.text(text, marked=field[0] in self.markup.fields)
        )

    def new(self, findings: list[Finding]) -> list[Finding]:
        return [each for each in findings if each.location is None or each.location.cell not in self.wrong]

    def lacking(self, path: DataPath, name: str) -> Location:
        where = self._row(path)
        if where is None:
            return self.locate(path)
        part, row, steps = where
        at = part.columns.get((*map(str, steps), name))
        if at is None:
            return part.table.place(part.table.header, 0, path_text(steps))
        return part.table.place(row, at, path_text((*path, name)))

    def lines(self, path: DataPath) -> tuple[int, dict[str, int]]:
        where = self._row(path)
        if where is None:
            return 1, {}
        part, row, _ = where
        if (known := self.known_lines.get(id(row))) is not None:
            return known
        lines = {
            columns[0]: part.table.place(row, at).line or 1
            for columns, at in reversed(list(part.columns.items()))
            if row.cells[at] is not None
        }
        found = self.known_lines[id(row)] = part.table.place(row, _first(row)).line or 1, lines
        return found


def _first(row: Row) -> int:
    """Return the first of a row's cells with a value."""
    return next((at for at, value in enumerate(row.cells) if value is not None), 0)


@dataclass(frozen=True, slots=True)
class Recording:
    """The rules that turn rows into records: the schemas of a record, `parts`, within `shapes`, and the
    separator of lists whose schema has none. If there is only the engine's schema (not `schemed`), names
    become valid in templates. `columns` are fields by the names of differently named columns; `numbers` is
    the stated number style."""

    shapes: Shapes
    parts: Sequence[Any]
    separator: str | None = None
    schemed: bool = True
    columns: Mapping[str, str] = field(default_factory=dict)
    numbers: str | None = None


def read_records(
    raw: bytes,
    relative: str,
    sheets: Sequence[str | None],
    key: str | None,
    how: Recording,
    findings: Findings,
    *,
    identified: bool = True,
) -> TableDocument | None:
    """Return the records of a file's tables, those of several sheets one after the other; None after
    findings, except for those about single values. Records that are `identified` get an id if they have
    none."""
    document = TableDocument(relative, None, "", key=key)
    records: list[dict[str, Any]] = []
    with answered(relative, findings):
        for sheet in sheets:
            table = read_table(raw, relative, sheet, findings)
            if table is None:
                return None
            part = part_of(table, how, findings)
            document.take(part.table)
            for row in part.table.rows:
                base: tuple[str | int, ...] = (*_base(key), len(records))
                records.append(record_of(document, part, row, how, base, findings))
                document.rows.append((part, row))
        if identified:
            _identify(document, records, findings)
        document.data = records if key is None else {key: records}
        return document
    return None


def record_of(
    document: TableDocument,
    part: Part,
    row: Row,
    how: Recording,
    base: tuple[str | int, ...],
    findings: Findings,
) -> dict[str, Any]:
    """Return the record of a row, which is at the path `base`."""
    record: dict[str, Any] = {}
    for path, at in part.columns.items():
        value = row.cells[at]
        if value is None:
            continue
        if path not in part.kinds:
            part.kinds[path] = _kind(path, at, part.table, how, findings)
        kind = part.kinds[path]
        if not is_blank(value, kind):
            put(record, path, read_cell(document, part, row, at, kind, (*base, *path), findings))
    return record


def read_cell(
    document: TableDocument,
    part: Part,
    row: Row,
    at: int,
    kind: Kind,
    path: tuple[str | int, ...],
    findings: Findings,
) -> Any:
    """Return the value of a row's cell, which is at a path; an impossible one is a finding."""
    value = row.cells[at]
    if value is None:
        return None
    if (said := trouble(value, kind)) is not None:
        part.table.meter.charge(FINDINGS)
        place = part.table.place(row, at, path_text(path))
        if said.error:
            document.wrong.add(place.cell)
            document.spoilt.add(len(document.rows))
        said(findings, place)
    return kind.read(value)


def _kind(path: FieldPath, at: int, table: Table, how: Recording, findings: Findings) -> Kind:
    """Return the kind of a column's values."""
    parts = how.parts
    for step in path:
        parts = how.shapes.below(parts, step)
    kind = Kind(parts, how.shapes, how.separator, how.numbers, meter=table.meter)
    settle(kind, table, at, findings)
    return kind


def _base(key: str | None) -> tuple[str, ...]:
    return () if key is None else (key,)


def part_of(table: Table, how: Recording, findings: Findings) -> Part:
    """Return the table with the path of each column. Columns that exclude each other are reported, and the
    first one counts."""
    columns: dict[FieldPath, int] = {}
    for at, column in enumerate(table.columns):
        path = field_path(column.name, how)
        other = next((each for each in columns if each[: len(path)] == path[: len(each)]), None)
        if other is None:
            columns[path] = at
            continue
        theirs = table.columns[columns[other]].name
        message = f"the columns '{theirs}' and '{column.name}' fill the same field"
        findings.error(
            "tables/column", message, table.place(table.header, at), "rename or delete one of them"
        )
    return Part(table, columns)


def field_path(name: str, how: Recording) -> FieldPath:
    """Return the path of the values of a column in a record, by its name."""
    shapes, parts = how.shapes, how.parts
    if name in how.columns:
        return tuple(how.columns[name].split("."))
    if name in shapes.names(parts):
        return (name,)
    steps = [step.strip() for step in name.split(".")]
    if not all(steps):
        return (name,)
    path: list[str] = []
    for step in steps:
        known = shapes.names(parts)
        if step not in known:
            alike = [each for each in known if folded(each) == folded(step)]
            if len(alike) == 1:
                step = alike[0]
            elif not how.schemed and not _USABLE.fullmatch(step):
                step = folded(step) or step
        path.append(step)
        parts = shapes.below(parts, step)
    return tuple(path)


def put(record: dict[str, Any], path: FieldPath, value: Any) -> None:
    for step in path[:-1]:
        record = record.setdefault(step, {})
    record[path[-1]] = value


# ---- ids


def _identify(document: TableDocument, records: list[dict[str, Any]], findings: Findings) -> None:
    """Add an id, made from its title, to every record without one."""
    taken = {record["id"] for record in records if isinstance(record.get("id"), str)}
    new_ids = NewIds()
    for index, record in enumerate(records):
        if "id" in record:
            continue
        title = next((str(record[each]) for each in TITLES if isinstance(record.get(each), _TITLES)), None)
        title = _first_words(*document.rows[index]) if title is None else title
        if title is None:
            place = document.locate((*_base(document.key), index))
            hint = "give the table a column id or title, and every row a value in it"
            document.rows[index][0].table.meter.charge(FINDINGS)
            findings.error("tables/id", "the row has no id, and no title to make one from", place, hint)
        id = new_ids.make(title, document.rows[index][1], taken)
        taken.add(id)
        records[index] = {"id": id, **record}


class NewIds:
    """A maker of ids for rows of one table."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        """The last number after each id, so that equal titles don't count from one again."""

    def make(self, title: str | None, row: Row, *taken: Container[str]) -> str:
        """Return an unused id from a row's title, or else its number."""
        wanted = f"row-{row.number}" if title is None else id_of(title)
        number = self._numbers.get(wanted, 1)
        id = wanted if number == 1 else f"{wanted}-{number}"
        while any(id in ids for ids in taken):
            number += 1
            id = f"{wanted}-{number}"
        self._numbers[wanted] = number
        return id


def _first_words(part: Part, row: Row) -> str | None:
    """Return the text of the first two columns of a table without ids and titles: a suit and a rank."""
    if any((name,) in part.columns for name in ("id", *TITLES)):
        return None
    cells = [row.cells[at] for path, at in part.columns.items() if path != ("copies",)][:2]
    return " ".join(text_of(cell) for cell in cells if cell is not None) or None


def id_of(title: str) -> str:
    """Return a title as an id: `The Fox's Den` is `the-foxs-den`. If it has no Latin letters or digits, the
    id is a hash of the title."""
    start = title[:_MOST_TITLE].casefold()
    plain = unicodedata.normalize("NFKD", _APOSTROPHES.sub("", start)).translate(_LETTERS)
    plain = "".join(each for each in plain if not unicodedata.combining(each))
    id = _NO_WORD.sub("-", plain).strip("-")
    if not id:
        return f"card-{blake2b(title.encode('utf-8', 'surrogatepass'), digest_size=4).hexdigest()}"
    return id if len(id) <= MOST_ID else id[:MOST_ID].rstrip("-")


def read_lookup(
    raw: bytes, relative: str, sheet: str | None, stem: str, schema: Any, shapes: Shapes, findings: Findings
) -> TableDocument | None:
    """Return the data of a file's table, called `stem`; `schema` is None if there is none. None after
    findings, except for those about single values."""
    whole = [schema]
    key = _list_in(stem, schema, shapes)
    if key is not None or schema is None or shapes.types(schema) != {"object"}:
        parts = shapes.items(whole if key is None else shapes.below(whole, key))
        how = Recording(shapes, parts, schemed=bool(parts))
        document = read_records(raw, relative, (sheet,), key, how, findings, identified=False)
    else:
        table = read_table(raw, relative, sheet, findings)
        document = None
        with answered(relative, findings):
            document = None if table is None else _mapping(table, schema, shapes, findings)
    if document is not None:
        document.label = f"table {stem}"
    return document


def _list_in(stem: str, schema: Any, shapes: Shapes) -> str | None:
    """Return the key of a mapping that contains its list: the table's own name, or the only key."""
    names = shapes.names([schema])
    key = stem if stem in names else names[0] if len(names) == 1 else None
    if key is None:
        return None
    kinds = [shapes.types(each) for each in shapes.below([schema], key)]
    return key if kinds and all(each == {"array"} for each in kinds) else None


def _mapping(table: Table, schema: Any, shapes: Shapes, findings: Findings) -> TableDocument | None:
    """Return rows as a mapping by their first column's values."""
    document = TableDocument(table.name, {}, "", names={})
    document.take(table)
    values = [each for schema in shapes.inside([schema]) for each in _values(schema)]
    kinds = [types for each in values if (types := shapes.types(each)) != TYPES]
    single = len(table.columns) == 2 and bool(kinds) and not any("object" in types for types in kinds)
    how = Recording(shapes, values, schemed=bool(kinds))
    part = Part(table, {(): 1})
    if not single:
        found = part_of(
            replace(table, columns=table.columns[1:], header=_rest(table.header)), how, findings
        )
        part = Part(table, {path: at + 1 for path, at in found.columns.items()})
    before: dict[str, Row] = {}
    alike: dict[tuple[int, ...], Kind] = {}
    """The types of values, by the schemas that judge them."""
    for row in table.rows:
        value = row.cells[0]
        if value is None:
            table.meter.charge(FINDINGS)
            findings.error(
                "tables/key", "the row has no key", table.place(row), "write the key in its first cell"
            )
            continue
        name = text_of(value)
        if name in before:
            table.meter.charge(FINDINGS)
            message = f"the key '{name}' is already in {table.place(before[name]).cell}"
            findings.error("tables/key", message, table.place(row), "rename or delete one of them")
            continue
        before[name] = row
        document.names[name] = len(document.rows)  # type: ignore[index]
        document.rows.append((part, row))
        if single:
            judges = shapes.below([schema], name)
            if (kind := alike.get(key := tuple(map(id, judges)))) is None:
                kind = alike[key] = Kind(judges, shapes, meter=table.meter)
                if kind.asks_for_number:
                    table.meter.charge(SEEN, len(table.rows))
                    settle(kind, table, 1, findings if name == next(iter(before)) else Findings())
            document.data[name] = read_cell(document, part, row, 1, kind, (name,), findings)
        else:
            document.data[name] = record_of(document, part, row, how, (name,), findings)
    return document


def _values(schema: Any) -> Sequence[Any]:
    """Return the schemas of all values of a mapping."""
    listed = [*schema.get("properties", {}).values(), *schema.get("patternProperties", {}).values()]
    return [each for each in (*listed, schema.get("additionalProperties")) if isinstance(each, dict)]


def _rest(row: Row) -> Row:
    """Return a row without its first column."""
    return Row(row.number, row.cells[1:], row.starts[1:])


_COPIES = frozenset({"copies", "copy", "count", "number", "quantity", "qty", "amount", "x", "×", "#"})
_COPIES |= {"anzahl", "menge", "stück", "kopien", "exemplare"}
_NAMES = frozenset({"name", "card", "title", "card name", "id", "card id"})
_NAMES |= {"karte", "kartenname", "titel"}
_CODES = {"tables/quote": "deck/table"}
"""The codes that findings have in a deck list."""
_WHOLE = re.compile(r"\s*[+-]?[0-9]+\s*")
_HINT = "use two columns, the copies and the card's name; name them in the first row: copies,name"


@dataclass(frozen=True, slots=True)
class _Row:
    """A row: its cells' shown texts, their numbers in words, and the start of each."""

    cells: list[str]
    numbers: list[str]
    place: Location
    places: tuple[Location, ...]


def read_deck_table(raw: bytes, file: str, findings: Findings, sheet: str | None = None) -> DeckText:
    """Read rows of copies and a name, in either order, with or without a first row that names the columns.
    They are in a text file or a workbook's `sheet`, by default the first that is not hidden. All problems
    are findings at their cells."""
    found = Findings()
    rows = [_row(row, places, found) for row, places in read_rows(raw, file, found, sheet)]
    findings.extend(replace(each, code=_CODES.get(each.code, each.code)) for each in found)
    if len(rows) > MAX_LINES:
        message = f"the list has more than {MAX_LINES:,} rows"
        findings.error("deck/table", message, rows[MAX_LINES].place, "split it into several files")
        rows = []
    return _read(rows, Location(file, 1, 1) if is_delimited(file) else Location(file), findings)


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
    """Return the column of copies and those of names, by the first row. A name goes before an id."""
    copies = [index for index, head in enumerate(heads) if head in _COPIES]
    names = [index for index, head in enumerate(heads) if head in _NAMES]
    for what, found in (("copies", copies), ("names", names)):
        if not found or (what == "copies" and len(found) > 1):
            message = f"the first row names {'several columns' if found else 'no column'} of {what}"
            findings.error("deck/columns", message, place, _HINT)
            return None
    return copies[0], tuple(sorted(names, key=lambda index: heads[index].endswith("id")))


def _guessed(rows: list[_Row], findings: Findings) -> tuple[int, tuple[int, ...]] | None:
    """Return the columns if no row names them: the copies are in the first of two with numbers."""
    first, second = (
        sum(
            re.fullmatch(r"\s*[+-]?[0-9]+\s*", cell) is not None for row in rows for cell in row.numbers[at]
        )
        for at in (slice(0, 1), slice(1, 2))
    )
    if first == second or max(len(row.cells) for row in rows) < 2:
        message = "no column contains numbers of copies"
        if first == second > 0:
            message = "two columns contain numbers, and either could be the copies"
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
