"""The further tables of a game, such as its design in figures, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cardgen.reference.markdown_tables import code, shown, table

MOST_ROWS, MOST_COLUMNS, MOST_TABLES, MOST_WORDS = 100, 8, 60, 160
"""Most rows and columns of a table, tables in all, and characters of a cell; what is left out is
counted."""


def data_tables(tables: Mapping[str, Any]) -> Iterator[str]:
    """A heading and a table for each list of records, and for the single values of each file."""
    parts = [(name, each) for name, content in tables.items() for each in _of_file(name, content)]
    for _, text in parts[:MOST_TABLES]:
        yield text
    if len(parts) > MOST_TABLES:
        yield f"{len(parts) - MOST_TABLES:,} more tables are left out."


def _of_file(name: str, content: Any) -> Iterator[str]:
    if _is_list(content):
        yield from _records(name, content)
    if not isinstance(content, Mapping):
        return
    if content and all(isinstance(value, Mapping) for value in content.values()):
        yield from _records(name, [{"": key, **value} for key, value in content.items()])
        return
    single = {key: value for key, value in content.items() if not _is_list(value)}
    if single:
        flat = list(_flat("", single))
        rows = [(code(key), _cut(value)) for key, value in flat[:MOST_ROWS]]
        yield _titled(name, table(("figure", "is"), rows), len(flat))
    for key, value in content.items():
        if _is_list(value):
            yield from _records(f"{name}: {key}", value)


def _is_list(value: Any) -> bool:
    listed = isinstance(value, Sequence) and not isinstance(value, str)
    return listed and bool(value) and all(isinstance(item, Mapping) for item in value)


def _records(title: str, records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    keys = list(dict.fromkeys(str(key) for record in records for key in record))
    shown_keys = keys[:MOST_COLUMNS]
    numbers = [key for key in shown_keys if all(_is_number(record.get(key, 0)) for record in records)]
    rows = [[_cut(record.get(key)) for key in shown_keys] for record in records[:MOST_ROWS]]
    text = table(shown_keys, rows, numbers)
    if len(keys) > len(shown_keys):
        text += f"\n\nAlso: {', '.join(map(code, keys[MOST_COLUMNS:][:MOST_ROWS]))}."
    yield _titled(title, text, len(records))


def _titled(title: str, text: str, rows: int) -> str:
    more = f"\n\nRows that are left out: {rows - MOST_ROWS:,}." if rows > MOST_ROWS else ""
    return f"### {title}\n\n{text}{more}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _flat(before: str, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, Mapping) and not before:
            yield from _flat(f"{key}.", value)
        else:
            yield f"{before}{key}", value


def _cut(value: Any) -> str:
    text = shown(value)
    return text if len(text) <= MOST_WORDS else text[: MOST_WORDS - 1].rstrip() + "…"
