"""Markdown tables whose cells are any data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def table(head: Sequence[str], rows: Iterable[Sequence[Any]], numbers: Sequence[str] = ()) -> str:
    """A table. Columns whose head is among `numbers` stand to the right."""
    lines = [
        "| " + " | ".join(cell(each) for each in head) + " |",
        "|" + "|".join("--:" if each in numbers else ":--" for each in head) + "|",
    ]
    lines += ["| " + " | ".join(cell(each) for each in row) + " |" for row in rows]
    return "\n".join(lines)


def cell(value: Any) -> str:
    """A value in a table: text as it stands, lists by commas, mappings as `key: value`."""
    text = shown(value).strip()
    return text.replace("|", "\\|").replace("\r", "").replace("\n\n", "<br>").replace("\n", "<br>")


def shown(value: Any) -> str:
    """A value in words."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_inner(item)}" for key, item in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_inner(item) for item in value)
    return str(value)


def _inner(value: Any) -> str:
    text = shown(value)
    nested = isinstance(value, Mapping) or (isinstance(value, Sequence) and not isinstance(value, str))
    return f"({text})" if nested and text else text


def code(text: Any) -> str:
    """Text as it stands in a data file."""
    return f"`{text}`"
