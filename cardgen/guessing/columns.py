"""The columns of a table: what their cells have in common, and the field that each of them is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from cardgen.guessing.shapes import are_choices, are_pictures
from cardgen.tables.table import Table
from cardgen.tables.values import Moment, Share, Value, text_of

Kind = Literal["whole", "number", "switch", "text"]

_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,14})")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?")
_COMMA = re.compile(r"-?(0|[1-9][0-9]{0,14}),[0-9]{1,15}")
_TRUE = frozenset(("true", "yes", "ja", "wahr"))
_FALSE = frozenset(("false", "no", "nein", "falsch"))
_APART = re.compile(r"[\W_]+")
_LONGEST_NAME = 60
TAKEN = frozenset(
    (
        *(
            "trim",
            "turned",
            "face",
            "back",
            "number",
            "component",
            "side",
            "width",
            "height",
            "bleed",
            "safe",
        ),
        *(
            "items",
            "keys",
            "values",
            "get",
            "game",
            "cards",
            "copies_in",
            "lookup",
            "range",
            "theme",
            "spots",
            "tables",
        ),
        *("and", "or", "not", "in", "is", "if", "elif", "else", "for", "set", "true", "false", "none"),
        *("low_ink", "item", "loop", "icon", "effect"),
    )
)
"""Names that mean something else to cardgen or to its templates."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table. `header` is its name there, `field` that of the field in a card's data; `values`
    has a value for each row, None where the cell is empty."""

    header: str
    field: str
    kind: Kind
    values: tuple[Any, ...]

    @property
    def filled(self) -> list[Any]:
        """The values that are there."""
        return [value for value in self.values if value is not None]

    @property
    def texts(self) -> list[str]:
        """The values that are there, as they are printed."""
        return [printed(value) for value in self.filled]

    @property
    def longest(self) -> int:
        """Characters of the longest."""
        return max(map(len, self.texts), default=0)

    @property
    def usual(self) -> float:
        """Characters of one, on average."""
        texts = self.texts
        return sum(map(len, texts)) / len(texts) if texts else 0.0

    @property
    def is_full(self) -> bool:
        """Whether no cell is empty."""
        return bool(self.values) and None not in self.values

    @property
    def is_unique(self) -> bool:
        """Whether no two cells are alike."""
        return len(set(self.texts)) == len(self.texts)

    @property
    def is_choice(self) -> bool:
        return self.kind == "text" and are_choices(self.filled) and not self.is_picture

    @property
    def is_picture(self) -> bool:
        return are_pictures(self.filled)

    @property
    def is_figure(self) -> bool:
        return self.kind in ("whole", "number")


def columns_of(table: Table) -> list[Column]:
    """The columns of a table that have anything in them, in its order, each with a field of its own."""
    taken: set[str] = set()
    columns = []
    for at, each in enumerate(table.columns):
        cells = [row.cells[at] for row in table.rows]
        if any(cell is not None for cell in cells):
            kind, values = _values(cells, table.decimal_comma)
            columns.append(Column(each.name, field_name(each.name, taken), kind, tuple(values)))
    return columns


def field_name(header: str, taken: set[str]) -> str:
    """The name of a field for a column: lower-case words joined by `_`, as templates and rules can say
    it. It is added to those that are taken."""
    word = _APART.sub("_", unicodedata.normalize("NFC", header).casefold()).strip("_")[:_LONGEST_NAME]
    word = word.strip("_")
    if word in TAKEN:
        word = f"card_{word}"
    if not word.isidentifier():
        word = f"field_{word}".rstrip("_")
        word = word if word.isidentifier() else "field"
    name, number = word, 2
    while name in taken:
        name, number = f"{word}_{number}", number + 1
    taken.add(name)
    return name


def same_name(header: str, field: str) -> bool:
    """Whether a column is read as a field without further word: signs, spaces and capitals aside, they are
    one. A point in a header means a part of a field."""
    return "." not in header and _APART.sub("_", header.casefold()).strip("_") == field


def printed(value: Any) -> str:
    """A value as a template prints it."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _values(cells: Sequence[Value | None], comma: bool) -> tuple[Kind, list[Any]]:
    there = [cell for cell in cells if cell is not None]
    if all(_is_switch(cell) for cell in there):
        return "switch", [None if cell is None else _switch(cell) for cell in cells]
    figures = [None if cell is None else _figure(cell, comma) for cell in cells]
    if all(figure is not None or cell is None for figure, cell in zip(figures, cells)):
        whole = all(isinstance(figure, int) for figure in figures if figure is not None)
        return "whole" if whole else "number", list(figures)
    return "text", [None if cell is None else text_of(cell) for cell in cells]


def _is_switch(cell: Value) -> bool:
    return isinstance(cell, bool) or (isinstance(cell, str) and cell.casefold() in _TRUE | _FALSE)


def _switch(cell: Value) -> bool:
    return cell if isinstance(cell, bool) else text_of(cell).casefold() in _TRUE


def _figure(cell: Value, comma: bool) -> int | float | None:
    """The number in a cell; None for anything else."""
    if isinstance(cell, bool | Moment | Share):
        return None
    if isinstance(cell, int | float):
        return int(cell) if float(cell).is_integer() and abs(cell) < 2**53 else cell
    text = text_of(cell)
    if comma and _COMMA.fullmatch(text):
        text = text.replace(",", ".")
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else None
