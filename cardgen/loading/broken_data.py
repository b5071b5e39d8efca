"""Texts of a game's data that were read in another encoding than they were written in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cardgen.findings import Location
from cardgen.tables.mojibake import broken_words
from cardgen.tables.table import Table
from cardgen.yaml.reader import Document

Broken = tuple[str, str, Location]
"""Words that are broken, what they were meant to be (the same where a letter is lost), and their place."""


def broken_data(documents: Iterable[Document]) -> Iterator[Broken]:
    """The texts of data files and translations that seem to be broken, with names of sheets and columns."""
    tables: dict[int, Table] = {}
    for document in documents:
        own = {id(part.table): part.table for part, _ in getattr(document, "rows", ())}
        for table in (table for key, table in own.items() if key not in tables):
            yield from _in_table(table)
        tables |= own
        if not own:
            yield from _in_data(document)


def _in_table(table: Table) -> Iterator[Broken]:
    if (found := broken_words(table.sheet)) is not None:
        yield *found, table.place(table.header)
    for at, column in enumerate(table.columns):
        if (found := broken_words(column.name)) is not None:
            yield *found, table.place(table.header, at)
    for row in table.rows:
        for at, value in enumerate(row.cells):
            if isinstance(value, str) and (found := broken_words(value)) is not None:
                yield *found, table.place(row, at)


def _in_data(document: Document) -> Iterator[Broken]:
    stack: list[tuple[tuple[str | int, ...], Any]] = [((), document.data)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, str):
            if (found := broken_words(value)) is not None:
                yield *found, document.locate(path)
        elif isinstance(value, Mapping):
            stack += [((*path, key), each) for key, each in reversed(list(value.items()))]
        elif isinstance(value, list):
            stack += [((*path, at), each) for at, each in reversed(list(enumerate(value)))]
