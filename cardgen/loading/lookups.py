"""Tables of a game that templates and rules look things up in, from spreadsheets.

What comes of one is said by its schema, so that a YAML file may become a spreadsheet and nothing else need
change:

- a list: each row is a mapping, as of cards. So it is without a schema;
- a mapping with a list in it (`{actions: [...]}`): the same, under that key;
- a mapping of mappings (`{fire: {title: …}}`): the first column holds the keys;
- a mapping of single values (`{limit: 7}`): two columns, the keys and the values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cardgen.findings import Findings
from cardgen.loading.cell_findings import settle
from cardgen.loading.columns import TYPES, Kind, Shapes
from cardgen.loading.spreadsheets import (
    Part,
    Recording,
    TableDocument,
    part_of,
    read_cell,
    read_records,
    record_of,
)
from cardgen.tables.meter import FINDINGS, SEEN, answered
from cardgen.tables.reading import read_table
from cardgen.tables.table import Row, Table
from cardgen.tables.values import text_of


def read_lookup(
    raw: bytes, relative: str, sheet: str | None, stem: str, schema: Any, shapes: Shapes, findings: Findings
) -> TableDocument | None:
    """The data of a file's table, called `stem`; `schema` is None where there is none. None after findings,
    but for those about single values."""
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
    """The key of a mapping under which it has its list: the table's own name, or the only key."""
    names = shapes.names([schema])
    key = stem if stem in names else names[0] if len(names) == 1 else None
    if key is None:
        return None
    kinds = [shapes.types(each) for each in shapes.below([schema], key)]
    return key if kinds and all(each == {"array"} for each in kinds) else None


def _mapping(table: Table, schema: Any, shapes: Shapes, findings: Findings) -> TableDocument | None:
    """Rows as a mapping by their first column's values."""
    document = TableDocument(table.name, {}, "", names={})
    document.take(table)
    values = [each for schema in shapes.inside([schema]) for each in _values(schema)]
    kinds = [types for each in values if (types := shapes.types(each)) != TYPES]
    single = len(table.columns) == 2 and bool(kinds) and not any("object" in types for types in kinds)
    how = Recording(shapes, values, schemed=bool(kinds))
    part: Part | None = Part(table, {(): 1})
    if not single:
        found = part_of(
            replace(table, columns=table.columns[1:], header=_rest(table.header)), how, findings
        )
        part = None if found is None else Part(table, {path: at + 1 for path, at in found.columns.items()})
    if part is None:
        return None
    before: dict[str, Row] = {}
    alike: dict[tuple[int, ...], Kind] = {}
    """What values are, by the schemas that judge them."""
    for row in table.rows:
        value = row.cells[0]
        if value is None:
            table.meter.charge(FINDINGS)
            findings.error(
                "tables/key", "the row has no key", table.place(row), "its first cell is the key"
            )
            continue
        name = text_of(value)
        if name in before:
            table.meter.charge(FINDINGS)
            message = f"the key '{name}' stands in {table.place(before[name]).cell} already"
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
    """The schemas of all values of a mapping."""
    listed = [*schema.get("properties", {}).values(), *schema.get("patternProperties", {}).values()]
    return [each for each in (*listed, schema.get("additionalProperties")) if isinstance(each, dict)]


def _rest(row: Row) -> Row:
    """A row without its first column."""
    return Row(row.number, row.cells[1:], row.starts[1:])
