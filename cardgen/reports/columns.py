"""How the columns of a table share the width of the text."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.checking.results import Table
from cardgen.reports.content import cell_text, figure_columns
from cardgen.reports.typefaces import Faces, ems
from cardgen.units import MM_PER_PT

SHORT = 16
"""Cells of at most this many characters stay on one line."""
LONGEST_ID = 40
"""And so do ids and other single words, up to this many."""

ROOM, LEAST_ROOM, FIGURE_ROOM = 6.0, 3.4, 6.4
"""Room beside a column's text: what is nice, what it takes, and what it takes beside a figure; mm."""
MOST_COLUMN = 62.0
"""The most that a column's text asks for, mm."""


def whole_columns(table: Table) -> list[bool]:
    """Which columns are never broken into lines: short cells, and single words such as ids."""
    columns = [[cell_text(cell) for cell in column] for column in zip(*table.rows)]
    found = [
        all(len(text) <= (SHORT if " " in text else LONGEST_ID) for text in column) for column in columns
    ]
    return found or [True] * len(table.columns)


def column_widths(table: Table, faces: Faces, size: float, most: float) -> list[float]:
    """Widths of a table's columns, set at `size` pt, that add up to at most `most`; all in mm.

    Where the columns ask for more, the long texts give way, but never so far that a word breaks.
    """
    figures, wholes = figure_columns(table), whole_columns(table)
    asked, least = [], []
    for column, head in enumerate(table.columns):
        texts = [faces.safe(cell_text(row[column])) for row in table.rows]
        parts = texts if wholes[column] else [word for text in texts for word in text.split()]
        title = _widest([faces.safe(head)], faces, size, bold=True)
        need = max(title, _widest(parts, faces, size))
        wish = max(need, min(MOST_COLUMN, _widest(texts, faces, size)))
        least.append(need + (FIGURE_ROOM if figures[column] else LEAST_ROOM))
        asked.append(max(least[-1], wish + ROOM))
    excess = sum(asked) - most
    if excess <= 0:
        return asked
    give = [wish - need for wish, need in zip(asked, least, strict=True)]
    if sum(give) >= excess:
        return [wish - excess * part / sum(give) for wish, part in zip(asked, give, strict=True)]
    # Too many columns for whole words: they share what there is.
    return [need * most / sum(least) for need in least]


def _widest(texts: Sequence[str], faces: Faces, size: float, bold: bool = False) -> float:
    face = faces.narrow_bold if bold else faces.narrow
    return max((ems(text, face) for text in texts), default=0.0) * size * MM_PER_PT
