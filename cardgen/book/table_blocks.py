"""Tables: columns as wide as their content asks for, a tinted head that comes again after a page's end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from cardgen.book.blocks import TOLERANCE, Block, Setting, TextBlock, Type
from cardgen.book.elements import Alignment, Table
from cardgen.book.look import SMALL_LINE, SMALL_SIZE, STEP, mixed
from cardgen.book.painting import PagePainter
from cardgen.geometry import Rect

APART = 3.6
"""mm between the texts of two columns."""
EDGE = 2.0
"""mm from the table's edges to its text."""
ABOVE = STEP
HAIR, THICK = 0.15, 0.45
LEAST_ROWS = 2
WHOLE = 62.0
"""mm; a table that is no higher stays on one page."""


class TableBlock(Block):
    """A table across the whole width."""

    def __init__(self, setting: Setting, table: Table) -> None:
        super().__init__(before=3 * STEP, after=3 * STEP)
        self.setting = setting
        columns = max(len(row) for row in table.rows)
        aligned: list[Alignment] = list(table.aligned)
        aligned += ["start"] * (columns - len(aligned))
        self.rows: list[list[TextBlock]] = []
        for number, (row, line) in enumerate(zip(table.rows, table.lines)):
            head = number == 0
            cells = [*row, *([()] * columns)][:columns]
            self.rows.append(
                [
                    TextBlock(
                        setting,
                        cell,
                        line,
                        Type(
                            SMALL_SIZE,
                            SMALL_LINE,
                            bold=head,
                            fill=setting.look.accent if head else None,
                            align=align,
                            hyphens=not head,
                        ),
                    )
                    for cell, align in zip(cells, aligned)
                ]
            )
        self._bare_head = all(not cell for cell in table.rows[0])
        self._widths: list[float] = []
        self._heights: list[float] = []
        self._fixed: list[float] | None = None

    # ------------------------------------------------------------ size

    def measure(self, width: float) -> float:
        self._widths = self._fixed or self._share(width)
        self._heights = []
        for row in self.rows:
            lines = [cell.measure(space) for cell, space in zip(row, self._widths)]
            self._heights.append(math.ceil((max(lines) + 2 * ABOVE) / STEP - 1e-6) * STEP)
        if self._bare_head:
            self._heights[0] = 0.0
        return sum(self._heights)

    def _share(self, width: float) -> list[float]:
        """Widths of the columns: room left over goes to each in proportion to what it asks for; where
        there is too little, all keep their longest word, and the rest is shared in proportion."""
        columns = list(zip(*self.rows))
        room = width - 2 * EDGE - APART * (len(columns) - 1)
        natural = [max(cell.natural() for cell in column) + 0.05 for column in columns]
        total = sum(natural)
        if total <= room:
            return [each * room / total for each in natural]
        narrow = [
            min(wide, max(cell.narrowest() for cell in column)) for wide, column in zip(natural, columns)
        ]
        left = room - sum(narrow)
        if left <= 0:
            return [each * room / sum(narrow) for each in narrow]
        # By square roots: a long column gets more lines before a short one is broken.
        wishes = [math.sqrt(max(wide - least, 0.0)) for wide, least in zip(natural, narrow)]
        widths = list(narrow)
        open_ = set(range(len(widths)))
        while left > 1e-6 and open_:
            share = left / sum(wishes[index] for index in open_) if any(wishes[i] for i in open_) else 0.0
            if not share:
                break
            given = 0.0
            for index in sorted(open_):
                more = min(wishes[index] * share, natural[index] - widths[index])
                widths[index] += more
                given += more
                if natural[index] - widths[index] < 1e-6:
                    open_.discard(index)
            left -= given
            if given < 1e-9:
                break
        return widths

    def least(self, width: float) -> float:
        height = self.measure(width)
        return height if height <= WHOLE else sum(self._heights[: 1 + LEAST_ROWS])

    # ------------------------------------------------------------ parts

    def split(self, width: float, height: float) -> list[Any]:
        if self.measure(width) <= WHOLE:
            return []
        fitting, used = 0, 0.0
        while fitting < len(self.rows) and used + self._heights[fitting] <= height + TOLERANCE:
            used += self._heights[fitting]
            fitting += 1
        left = len(self.rows) - fitting
        if fitting - 1 < LEAST_ROWS or left <= 0:
            return []
        if left < LEAST_ROWS and fitting - 1 > LEAST_ROWS:
            fitting -= 1
        first, second = self._part(self.rows[:fitting]), self._part([self.rows[0], *self.rows[fitting:]])
        first.spaceAfter = second.spaceBefore = 0.0
        return [first, second]

    def _part(self, rows: Sequence[list[TextBlock]]) -> TableBlock:
        part = object.__new__(TableBlock)
        part.__dict__.update(self.__dict__)
        part.rows = list(rows)
        part._fixed = list(self._widths)
        return part

    # ------------------------------------------------------------ paint

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        look = self.setting.look
        hair = mixed(look.ink, (1.0, 1.0, 1.0), 0.72)
        y = top
        last = len(self.rows) - 1
        for number, (row, height) in enumerate(zip(self.rows, self._heights)):
            if height:
                if number == 0:
                    painter.rect(Rect(x, y, self.width, height), look.tint)
                left = x + EDGE
                for cell, width in zip(row, self._widths):
                    cell.paint(painter, left, y + ABOVE)
                    left += width + APART
            y += height
            if number == 0 or number == last:
                painter.rect(Rect(x, y - THICK, self.width, THICK), look.accent)
            else:
                painter.rect(Rect(x, y - HAIR, self.width, HAIR), hair)
