"""Cards in a book: side by side with their captions, or one beside its text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from cardgen.book.blocks import Block, Setting, TextBlock, Type
from cardgen.book.elements import CardRef, Inline, Picture
from cardgen.book.look import LINE, SMALL_LINE, SMALL_SIZE, STEP
from cardgen.book.painting import PagePainter, ShownSide

DISTANCE = 4.0
"""mm between two cards."""
USUAL, BESIDE = 0.62, 0.45
"""How large a card is shown where nobody says: in a row, and beside text, as a share of its size."""
TALLEST = 80.0
"""Greatest height of a card shown where nobody says, mm."""
MOST = 4
"""Cards in a row, unless all of them have a width and more fit."""


class FigureBlock(Block):
    """A row of cards with captions below."""

    def __init__(
        self, setting: Setting, pictures: Sequence[Picture], sides: Mapping[CardRef, ShownSide]
    ) -> None:
        super().__init__(before=LINE, after=LINE)
        self.pictures = [(picture, sides[picture.ref]) for picture in pictures]
        type_ = Type(SMALL_SIZE, SMALL_LINE, align="center")
        self.captions = [
            TextBlock(setting, picture.caption, picture.line, type_) if picture.caption else None
            for picture in pictures
        ]
        self._widths: list[float] = []
        self._tallest = 0.0

    def measure(self, width: float) -> float:
        count = len(self.pictures)
        share = (width - DISTANCE * (count - 1)) / count
        self._widths = [
            picture.width if picture.width is not None else min(share, usual(side, USUAL))
            for picture, side in self.pictures
        ]
        total = sum(self._widths) + DISTANCE * (count - 1)
        if total > width:
            scale = (width - DISTANCE * (count - 1)) / sum(self._widths)
            self._widths = [each * scale for each in self._widths]
        self._tallest = max(
            shown_height(side, each) for (_, side), each in zip(self.pictures, self._widths)
        )
        captions = [
            caption.measure(each + DISTANCE) if caption is not None else 0.0
            for caption, each in zip(self.captions, self._widths)
        ]
        below = max(captions)
        return math.ceil((self._tallest + (STEP + below if below else 0.0)) / STEP) * STEP

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        x += (self.width - sum(self._widths) - DISTANCE * (len(self._widths) - 1)) / 2
        for (_, side), width, caption in zip(self.pictures, self._widths, self.captions):
            height = shown_height(side, width)
            middle = (x + width / 2, top + self._tallest - height / 2)
            painter.side(side, middle, width)
            if caption is not None:
                caption.paint(painter, x - DISTANCE / 2, top + self._tallest + STEP)
            x += width + DISTANCE


def figure_rows(
    setting: Setting, pictures: Sequence[Picture], sides: Mapping[CardRef, ShownSide], measure: float
) -> list[FigureBlock]:
    """Cards in as few rows `measure` mm wide as hold them, the rows as even as can be."""
    wide = sum(picture.width if picture.width is not None else measure for picture in pictures)
    fits = wide + DISTANCE * (len(pictures) - 1) <= measure
    rows = 1 if fits else math.ceil(len(pictures) / MOST)
    columns = math.ceil(len(pictures) / rows)
    return [
        FigureBlock(setting, pictures[start : start + columns], sides)
        for start in range(0, len(pictures), columns)
    ]


class BesideBlock(Block):
    """A card, and text to its right."""

    def __init__(
        self,
        setting: Setting,
        picture: Picture,
        words: Sequence[Inline],
        line: int,
        sides: Mapping[CardRef, ShownSide],
    ) -> None:
        super().__init__(before=3 * STEP, after=3 * STEP)
        self.side = sides[picture.ref]
        self.shown = picture.width if picture.width is not None else usual(self.side, BESIDE)
        self.text = TextBlock(setting, words, line, Type(hyphens=True))

    def measure(self, width: float) -> float:
        self.shown = min(self.shown, width / 2)
        text = self.text.measure(width - self.shown - DISTANCE)
        return math.ceil(max(shown_height(self.side, self.shown), text) / STEP) * STEP

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        height = shown_height(self.side, self.shown)
        painter.side(self.side, (x + self.shown / 2, top + height / 2), self.shown)
        self.text.paint(painter, x + self.shown + DISTANCE, top - 0.4)


def shown_height(side: ShownSide, width: float) -> float:
    """How high a card is that is shown `width` mm wide."""
    return side.trim.height * width / side.trim.width


def usual(side: ShownSide, share: float) -> float:
    """How wide a card is shown where nobody says."""
    return min(side.trim.width * share, TALLEST * side.trim.width / side.trim.height)
