"""Elements to flowables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cardgen.book.anatomy import AnatomyBlock
from cardgen.book.blocks import Block, PageEndBlock, Setting, TextBlock, Type
from cardgen.book.diagrams import Drawables, set_up_blocks
from cardgen.book.elements import (
    Block as Element,
)
from cardgen.book.elements import (
    Callout,
    Diagram,
    Figure,
    Heading,
    Listing,
    PageEnd,
    Paragraph,
    Strip,
    Table,
    plain,
)
from cardgen.book.figures import BesideBlock, figure_rows
from cardgen.book.headings import CHAPTER, HeadingBlock
from cardgen.book.look import STEP
from cardgen.book.stacks import CalloutBlock, Column
from cardgen.book.strips import strip_rows
from cardgen.book.table_blocks import TableBlock

INDENT = 5.2
"""mm from a bullet to its text."""
ABOVE_INITIAL = 4 * STEP
"""Room above a paragraph whose large first letter reaches above its line."""
BETWEEN, BETWEEN_ITEMS = 2 * STEP, STEP


class Story:
    """Makes flowables for text `measure` mm wide. Each is used up by the layout, so a second layout asks
    again."""

    def __init__(self, setting: Setting, drawables: Drawables, measure: float) -> None:
        self.setting, self.drawables, self.measure = setting, drawables, measure
        self.sides = drawables.sides

    def blocks(self, elements: Sequence[Element], type_: Type = Type()) -> list[Block]:  # noqa: B008
        """The flowables of elements whose text is of this type."""
        found: list[Block] = []
        above: Element | None = None
        for element in elements:
            begins = isinstance(above, Heading) and above.level == CHAPTER
            if begins and isinstance(element, Paragraph) and self.setting.look.initial is not None:
                found += self._block(element, replace(type_, initial=self.setting.look.initial))
            else:
                found += self._block(element, type_)
            above = element
        return found

    def _block(self, element: Element, type_: Type) -> list[Block]:
        setting = self.setting
        if isinstance(element, Paragraph):
            before = ABOVE_INITIAL if type_.initial is not None else 0.0
            block = TextBlock(setting, element.words, element.line, type_, before=before, after=BETWEEN)
            block.keep = plain(element.words).endswith(":")
            return [block]
        if isinstance(element, Heading):
            return [
                HeadingBlock(
                    setting, element.level, element.words, element.key, element.title, element.line
                )
            ]
        if isinstance(element, Listing):
            return self._list(element, type_)
        if isinstance(element, Table):
            return [TableBlock(setting, element)]
        if isinstance(element, Callout):
            inside = Type(italic=True) if element.label is None else type_
            return [CalloutBlock(setting, element.label, self.blocks(element.blocks, inside), element.line)]
        if isinstance(element, Figure):
            return self._figure(element)
        if isinstance(element, Diagram):
            if element.kind == "anatomy":
                return [AnatomyBlock(setting, element, self.drawables)]
            return set_up_blocks(setting, element, self.drawables, self.measure)
        if isinstance(element, Strip):
            return strip_rows(setting, element, self.drawables)
        assert isinstance(element, PageEnd)
        return [PageEndBlock()]

    def _list(self, listing: Listing, type_: Type) -> list[Block]:
        """The items as blocks of their own, so that a list parts anywhere."""
        blocks: list[Block] = []
        for item in listing.items:
            first, *rest = item.blocks or (None,)
            inner: list[Block] = []
            if isinstance(first, Paragraph):
                indented = Type(
                    type_.size, type_.leading, type_.bold, type_.italic, type_.fill, indent=INDENT
                )
                inner.append(
                    TextBlock(
                        self.setting,
                        first.words,
                        first.line,
                        indented,
                        bullet=item.bullet,
                        after=BETWEEN_ITEMS,
                    )
                )
            elif first is not None:
                inner.append(Column(self._block(first, type_), indent=INDENT, after=BETWEEN_ITEMS))
            for element in rest:
                if element is not None:
                    for block in self._block(element, type_):
                        inner.append(
                            Column(
                                [block],
                                indent=INDENT,
                                before=min(block.getSpaceBefore(), BETWEEN_ITEMS),
                                after=BETWEEN_ITEMS,
                            )
                        )
            blocks += inner
        if blocks:
            blocks[-1].spaceAfter = BETWEEN
        if len(blocks) > 2:  # no item alone at a page's foot or head
            blocks[0].keep = blocks[-2].keep = True
        return blocks

    def _figure(self, figure: Figure) -> list[Block]:
        if figure.beside:
            first, *others = figure.pictures
            blocks: list[Block] = []
            if others:
                blocks += figure_rows(self.setting, others, self.sides, self.measure)
            return [BesideBlock(self.setting, first, figure.beside, figure.line, self.sides), *blocks]
        return list(figure_rows(self.setting, figure.pictures, self.sides, self.measure))
