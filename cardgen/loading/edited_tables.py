"""A CSV file whose cards were edited in another table: its new bytes."""

from __future__ import annotations

from typing import Any

from cardgen.findings import Findings, Location
from cardgen.loading.cells import ABSENT, cell_of, kind_at, value_at
from cardgen.loading.returning import Card, Returned
from cardgen.loading.sources import Sources
from cardgen.loading.spreadsheets import Part, TableDocument, read_records
from cardgen.loading.table_files import recording
from cardgen.tables.delimited_editing import Cells, UneditedError, edited_table, encoded
from cardgen.tables.number_signs import style_of, written_number
from cardgen.tables.reading import read_table
from cardgen.yaml.aligning import same

TEXT_TABLES = (".csv", ".tsv")


def edited_csv(found: Returned, raw: bytes, sources: Sources, findings: Findings) -> bytes | None:
    """The file's new bytes; None after a finding, for a workbook, for a file that has changed, or where the
    file has no column for what changed."""
    source, document = found.source, found.source.document
    place = Location(source.file)
    hint = "edit and save that file itself; nothing needs to be brought back into it"
    if not source.file.lower().endswith(TEXT_TABLES) or not isinstance(document, TableDocument):
        message = "its cards are kept in a workbook, which is edited itself"
        findings.error("tables/target", message, place, hint)
        return None
    part = document.rows[0][0]
    table = read_table(raw, source.file, None, Findings())
    if table is None or table.text != part.table.text:
        findings.error("file/changed", "the file has changed meanwhile", place, "run it again")
        return None
    try:
        content = encoded(_edited(found, document, part), raw)
    except UneditedError as error:
        findings.error("tables/target", f"{error}, and so it can't be changed in its place", place, hint)
        return None
    how = recording(source.use, sources)
    again = read_records(content, source.file, source.use.sheets, source.component, how, Findings())
    if again is None or not same(again.data[source.component], found.cards):
        message = (
            "the table has no column for all that has changed, and so it can't be changed in its place"
        )
        findings.error(
            "tables/target", message, place, "give it the columns that it lacks, an id among them"
        )
        return None
    return content


def _edited(found: Returned, document: TableDocument, part: Part) -> str:
    rows = {card["id"]: row for card, (_, row) in zip(found.source.cards, document.rows, strict=True)}
    now = {card["id"]: card for card in found.cards}
    changed = [
        (rows[id], cells)
        for id, card in now.items()
        if id in rows and (cells := _cells(found, part, found.before[id], card))
    ]
    gone = [row for id, row in rows.items() if id not in now]
    new = [_cells(found, part, {}, card) for id, card in now.items() if id not in rows]
    return edited_table(part.table, changed, gone, new)


def _cells(found: Returned, part: Part, old: Card, new: Card) -> Cells:
    """The cells of a card that have other values than before."""
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
    """A number as the others of its column are written."""
    texts = [cell for row in part.table.rows if isinstance(cell := row.cells[at], str)]
    return written_number(number, style_of(texts, comma_first=part.table.has_comma).way)
