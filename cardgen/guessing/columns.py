"""The columns of a table: what their cells have in common, and the field that each of them is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from cardgen.guessing.shapes import TRUTHS, are_choices, are_pictures
from cardgen.tables.number_signs import NumberStyle, is_numberlike, plain_figure, style_of
from cardgen.tables.table import Table
from cardgen.tables.values import Fault, Moment, Rich, Value, bad_character, number_of, text_of

Kind = Literal["whole", "number", "text"]

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
    has a value for each row, None where the cell is empty. `counts` are the whole numbers that all of its
    cells hold, whatever they show; None if some hold others. `style` is how numbers are written in a
    column that is text because templates would print them in another way."""

    header: str
    field: str
    kind: Kind
    values: tuple[Any, ...]
    counts: tuple[int | None, ...] | None = None
    style: NumberStyle | None = None

    @property
    def filled(self) -> list[Any]:
        """The values that are there."""
        return [value for value in self.values if value is not None]

    @property
    def texts(self) -> list[str]:
        """The values that are there, as they are printed."""
        return [str(value) for value in self.filled]

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
    def is_truth(self) -> bool:
        """Whether it says yes or no, in words that are printed as the cells have them."""
        return self.kind == "text" and all(text.casefold() in TRUTHS for text in self.texts)

    @property
    def is_choice(self) -> bool:
        return (
            self.kind == "text" and are_choices(self.filled) and not self.is_picture and not self.is_truth
        )

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
            kind, values = _values(cells)
            name = field_name(each.name, taken)
            style = _style(cells, table) if kind == "text" else None
            columns.append(Column(each.name, name, kind, tuple(values), _counts(cells), style))
    return columns


def table_numbers(table: Table) -> str | None:
    """The one way in which all numbers of a table are written, by example; None where that is the usual
    one, or there is none."""
    texts: list[str] = []
    for cells in zip(*(row.cells for row in table.rows), strict=True):
        texts += _numbers_typed(cells) or ()
    style = style_of(texts, comma_first=table.has_comma)
    return None if style.unfit or style == NumberStyle() else style.way


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


def _values(cells: Sequence[Value | None]) -> tuple[Kind, list[Any]]:
    """What a column holds: numbers if a template prints all of them as the cells show them, or else the
    text that these show."""
    if (days := _days(cells)) is not None:
        return "text", days
    texts = [None if cell is None else _shown(cell) for cell in cells]
    figures = [None if text is None else plain_figure(text) for text in texts]
    if all(figure is not None or text is None for figure, text in zip(figures, texts, strict=True)):
        whole = all(isinstance(figure, int) for figure in figures if figure is not None)
        return "whole" if whole else "number", figures
    return "text", texts


def _shown(cell: Value) -> str | None:
    """The text of a cell, in Markdown and without what can't be printed; None if it shows nothing."""
    if isinstance(cell, Fault):
        return "".join(each for each in cell.text if not bad_character(each)) or None
    return (cell.markdown if isinstance(cell, Rich) else text_of(cell)) or None


def _days(cells: Sequence[Value | None]) -> list[Any] | None:
    """The days that a column holds, as YYYY-MM-DD, if that is what its cells show or nobody knows what
    they show; None for any other column."""
    days = [cell.text for cell in cells if isinstance(cell, Moment) and cell.shown in (None, cell.text)]
    if len(days) < sum(cell is not None for cell in cells):
        return None
    return [cell.text if isinstance(cell, Moment) else None for cell in cells]


def _counts(cells: Sequence[Value | None]) -> tuple[int | None, ...] | None:
    """The whole numbers in the cells of a column; None if there are others."""
    found = [_count(cell) for cell in cells]
    is_whole = all(number is not None or cell is None for number, cell in zip(found, cells, strict=True))
    return tuple(found) if is_whole else None


def _count(cell: Value | None) -> int | None:
    if cell is None:
        return None
    number = plain_figure(cell) if isinstance(cell, str) else number_of(cell)
    return number if isinstance(number, int) else None


def _style(cells: Sequence[Value | None], table: Table) -> NumberStyle | None:
    """How the numbers of a column are written; None for a column that holds anything else."""
    texts = _numbers_typed(cells)
    return None if texts is None else style_of(texts, comma_first=table.has_comma)


def _numbers_typed(cells: Sequence[Value | None]) -> list[str] | None:
    """The texts of a column whose cells all hold numbers as they were typed; None for any other."""
    texts = [cell for cell in cells if isinstance(cell, str)]
    is_whole = len(texts) == sum(cell is not None for cell in cells) and all(map(is_numberlike, texts))
    return texts if is_whole else None
