"""Blocks below each other: the inside of call-outs and lists, and the call-outs themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardgen.book.blocks import TOLERANCE, Block, Setting, TextBlock, Type
from cardgen.book.elements import Inline
from cardgen.book.look import SMALL_LINE, SMALL_SIZE, STEP
from cardgen.book.painting import PagePainter
from cardgen.geometry import Rect


class Column(Block):
    """Blocks below each other, `indent` mm from the left."""

    def __init__(
        self, blocks: Sequence[Block], *, indent: float = 0.0, before: float = 0.0, after: float = 0.0
    ) -> None:
        super().__init__(before=before, after=after)
        self.blocks, self.indent = list(blocks), indent
        self.unparted = len(self.blocks) == 1 and self.blocks[0].unparted
        self._width = 0.0

    def measure(self, width: float) -> float:
        self._width = width
        return self._heights(width)[-1] if self.blocks else 0.0

    def least(self, width: float) -> float:
        return self.blocks[0].least(width - self.indent) if self.blocks else 0.0

    def _heights(self, width: float) -> list[float]:
        """Where each block ends, from the top."""
        ends: list[float] = []
        y = 0.0
        for index, block in enumerate(self.blocks):
            if index:
                y += max(self.blocks[index - 1].getSpaceAfter(), block.getSpaceBefore())
            y += block.measure(width - self.indent)
            ends.append(y)
        return ends

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        ends = self._heights(self._width)
        inner = self._width - self.indent
        for block, end in zip(self.blocks, ends):
            # Pictures and tables place themselves within their own width.
            _, height = block.wrap(inner, 0.0)
            block.paint(painter, x + self.indent, top + end - height)

    def parted(self, width: float, height: float) -> tuple[list[Block], list[Block]]:
        """The blocks that fit the height, and the rest."""
        inner = width - self.indent
        y = 0.0
        for index, block in enumerate(self.blocks):
            if index:
                y += max(self.blocks[index - 1].getSpaceAfter(), block.getSpaceBefore())
            if y + block.measure(inner) > height + TOLERANCE:
                parts = block.split(inner, height - y)
                if parts:
                    return [*self.blocks[:index], parts[0]], [*parts[1:], *self.blocks[index + 1 :]]
                while index and self.blocks[index - 1].keep:
                    index -= 1
                return self.blocks[:index], self.blocks[index:]
            y += block.measure(inner)
        return self.blocks, []

    def split(self, width: float, height: float) -> list[Any]:
        fitting, rest = self.parted(width, height)
        if not fitting or not rest:
            return []
        return [
            Column(fitting, indent=self.indent, before=self.getSpaceBefore()),
            Column(rest, indent=self.indent, after=self.getSpaceAfter()),
        ]


class CalloutBlock(Block):
    """Text set apart by a rule at its left: on a tinted ground where it has a label, else on none."""

    def __init__(
        self, setting: Setting, label: Sequence[Inline] | None, blocks: Sequence[Block], line: int
    ) -> None:
        super().__init__(before=SPACE, after=SPACE)
        self.setting, self.label, self.line = setting, label, line
        inside = list(blocks)
        if label is not None:
            type_ = Type(SMALL_SIZE, SMALL_LINE, bold=True, fill=setting.look.accent)
            head = TextBlock(setting, label, line, type_)
            head.keep = True
            inside.insert(0, head)
        self.column = Column(inside)
        self.tinted = self.unparted = label is not None

    @property
    def above(self) -> float:
        return ABOVE if self.tinted else 0.0

    def measure(self, width: float) -> float:
        return self.column.measure(width - LEFT - RIGHT) + 2 * self.above

    def least(self, width: float) -> float:
        inner = width - LEFT - RIGHT
        blocks = self.column.blocks
        height = blocks[0].least(inner)
        if blocks[0].keep and len(blocks) > 1:
            height += blocks[1].least(inner)
        return height + 2 * self.above

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        look = self.setting.look
        if self.tinted:
            painter.rect(Rect(x, top, self.width, self.height), look.tint)
        painter.rect(Rect(x, top, RULE, self.height), look.accent)
        self.column.paint(painter, x + LEFT, top + self.above)

    def split(self, width: float, height: float) -> list[Any]:
        fitting, rest = self.column.parted(width - LEFT - RIGHT, height - 2 * self.above)
        if not fitting or not rest:
            return []
        first, second = self._with(fitting), self._with(rest)
        first.spaceAfter = second.spaceBefore = 0.0
        return [first, second]

    def _with(self, blocks: list[Block]) -> CalloutBlock:
        part = CalloutBlock(self.setting, None, blocks, self.line)
        part.tinted = self.tinted
        return part


SPACE = 4 * STEP
LEFT, RIGHT = 4.5, 4.0
"""mm from the edges of a call-out to its text."""
ABOVE = 2 * STEP
RULE = 0.9
