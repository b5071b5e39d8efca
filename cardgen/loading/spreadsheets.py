"""Tables as data: each row a record, as if it stood in a list of a YAML file.

The first row names the fields; `reward.die` is the key `die` of `reward`. A name means the schema's key
that differs from it in capitals, spaces and signs alone: `Rules text` is `rules_text`. An empty cell is no
value. A record without an id gets one from its title; of equal ones the second is `fox-2`, in the order of
rows. In a table without either column it is made from the first two.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from cardgen.findings import Finding, Findings, Location
from cardgen.loading.cell_findings import is_blank, settle, trouble
from cardgen.loading.columns import Kind, Shapes, folded
from cardgen.loading.markup import Markup
from cardgen.tables.meter import FINDINGS, answered
from cardgen.tables.reading import read_table
from cardgen.tables.table import Row, Table
from cardgen.tables.values import Fault, text_of
from cardgen.yaml.positions import DataPath
from cardgen.yaml.reader import Document, copied, path_text

TITLES = ("title", "name")
"""The fields that an id is made from, the first that a record has."""
_TITLES = (str, int, float)
MOST_ID = 60
_MOST_TITLE = 4 * MOST_ID
"""Characters of a title that an id is made from."""
_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)
_APOSTROPHES = re.compile("['’ʼ`´]")
_USABLE = re.compile(r"[^\W\dA-Z]\w*")
"""A name that templates can use, and that nobody has written with a capital for a spreadsheet."""
_NO_WORD = re.compile("[^a-z0-9]+")

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A table, the path of each of its columns' values in a record, and what kind of values these are."""

    table: Table
    columns: Mapping[Path, int]
    kinds: dict[Path, Kind] = field(default_factory=dict)

    def column(self, path: Sequence[Any]) -> int | None:
        """The column in which the value at a path stands, or what is around it."""
        for length in range(len(path), -1, -1):
            found = self.columns.get(tuple(path[:length]))
            if found is not None:
                return found
        return None


@dataclass(slots=True)
class TableDocument(Document):
    """A document whose records, a list under `key` or (None) the whole, are rows of tables; or a mapping
    of such `names`, each with the index of its row. `label` tells it from others of the same file. Its
    places name cells. What is said of a key, not of its value, is at the cell that names the column, and so
    the same of all rows."""

    key: str | None = None
    label: str | None = None
    names: dict[str, int] | None = None
    sheets: set[str] = field(default_factory=set)
    """The sheets that were read."""
    others: set[str] = field(default_factory=set)
    """Further sheets of the workbook in which anything stands."""
    markup: Markup | None = None
    """How the texts of its cells are written, if that is stated."""
    rows: list[tuple[Part, Row]] = field(default_factory=list, repr=False)
    wrong: set[str] = field(default_factory=set, repr=False)
    """The cells that have a finding already."""
    spoilt: set[int] = field(default_factory=set, repr=False)
    """The records that such a cell is in."""
    known_lines: dict[int, tuple[int, dict[str, int]]] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        return f"{self.relative}#{self.key if self.label is None else self.label}"

    @property
    def records(self) -> list[Any]:
        found = self.data if self.key is None else self.data[self.key]
        return found if isinstance(found, list) else []

    def take(self, table: Table) -> None:
        """Keep which sheet was read, and which ones there are besides."""
        self.sheets.add(table.sheet)
        self.others.update(table.others)

    def copy(self) -> TableDocument:
        data = copied(self.data)
        rows, wrong = self.rows, self.wrong
        return TableDocument(
            self.relative,
            data,
            "",
            key=self.key,
            label=self.label,
            names=self.names,
            rows=rows,
            wrong=wrong,
            spoilt=self.spoilt,
            sheets=self.sheets,
            others=self.others,
        )

    def _row(self, path: DataPath) -> tuple[Part, Row, Sequence[str | int]] | None:
        """The row that a path leads to, and the path within its record."""
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

    def shown(self, path: DataPath) -> str | None:
        """The text that the cell of a value shows; None for a value that no cell has."""
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
    """The first of a row's cells with a value."""
    return next((at for at, value in enumerate(row.cells) if value is not None), 0)


@dataclass(frozen=True, slots=True)
class Recording:
    """How rows become records: the schemas of a record, `parts`, within `shapes`, and the separator of
    lists whose schema has none. Where there is no schema but the engine's (not `schemed`), names are made
    such as templates can use. `columns` are fields by the names of columns that are called otherwise;
    `numbers` is how numbers are written, if that is stated."""

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
    """The records of a file's tables, those of several sheets one after the other; None after findings, but
    for those about single values. Records that are `identified` get an id where they have none."""
    document = TableDocument(relative, None, "", key=key)
    records: list[dict[str, Any]] = []
    with answered(relative, findings):
        for sheet in sheets:
            table = read_table(raw, relative, sheet, findings)
            part = None if table is None else part_of(table, how, findings)
            if part is None:
                return None
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
    """The record of a row, which stands at the path `base`."""
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
    """The value of a row's cell, which stands at a path; one that nobody can mean is a finding."""
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


def _kind(path: Path, at: int, table: Table, how: Recording, findings: Findings) -> Kind:
    """What the values of a column are."""
    parts = how.parts
    for step in path:
        parts = how.shapes.below(parts, step)
    kind = Kind(parts, how.shapes, how.separator, how.numbers, meter=table.meter)
    settle(kind, table, at, findings)
    return kind


def _base(key: str | None) -> tuple[str, ...]:
    return () if key is None else (key,)


def part_of(table: Table, how: Recording, findings: Findings) -> Part | None:
    """The table with the path of each column; None after findings about columns that exclude each other."""
    columns: dict[Path, int] = {}
    good = True
    for at, column in enumerate(table.columns):
        path = field_path(column.name, how)
        other = next((each for each in columns if each[: len(path)] == path[: len(each)]), None)
        if other is None:
            columns[path] = at
            continue
        theirs = table.columns[columns[other]].name
        message = f"the columns '{theirs}' and '{column.name}' are of the same field"
        findings.error(
            "tables/column", message, table.place(table.header, at), "rename or delete one of them"
        )
        good = False
    return Part(table, columns) if good else None


def field_path(name: str, how: Recording) -> Path:
    """The path of the values of a column in a record, by its name."""
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


def put(record: dict[str, Any], path: Path, value: Any) -> None:
    for step in path[:-1]:
        record = record.setdefault(step, {})
    record[path[-1]] = value


# ---- ids


def _identify(document: TableDocument, records: list[dict[str, Any]], findings: Findings) -> None:
    """Give every record without an id one that is made from its title."""
    taken = {record["id"] for record in records if isinstance(record.get("id"), str)}
    numbers: dict[str, int] = {}
    """The last number behind each id, so that equal titles don't count from one again."""
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
        wanted = f"row-{document.rows[index][1].number}" if title is None else id_of(title)
        number = numbers.get(wanted, 1)
        id = wanted if number == 1 else f"{wanted}-{number}"
        while id in taken:
            number += 1
            id = f"{wanted}-{number}"
        taken.add(id)
        numbers[wanted] = number
        records[index] = {"id": id, **record}


def _first_words(part: Part, row: Row) -> str | None:
    """What stands in the first two columns of a table that has none of ids or titles: a suit and a rank."""
    if any((name,) in part.columns for name in ("id", *TITLES)):
        return None
    cells = [row.cells[at] for path, at in part.columns.items() if path != ("copies",)][:2]
    return " ".join(text_of(cell) for cell in cells if cell is not None) or None


def id_of(title: str) -> str:
    """A title as an id: `The Fox's Den` is `the-foxs-den`. One without Latin letters or digits gets some
    that depend on nothing but the title."""
    start = title[:_MOST_TITLE].casefold()
    plain = unicodedata.normalize("NFKD", _APOSTROPHES.sub("", start)).translate(_LETTERS)
    plain = "".join(each for each in plain if not unicodedata.combining(each))
    id = _NO_WORD.sub("-", plain).strip("-")
    if not id:
        return f"card-{blake2b(title.encode('utf-8', 'surrogatepass'), digest_size=4).hexdigest()}"
    return id if len(id) <= MOST_ID else id[:MOST_ID].rstrip("-")
