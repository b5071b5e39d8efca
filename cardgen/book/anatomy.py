"""Card anatomy: a card as it is printed, with lines from what is named on it to labels at both sides."""

from __future__ import annotations

import math
from dataclasses import dataclass

from cardgen.book.blocks import Block, Setting, TextBlock, Type
from cardgen.book.diagrams import HALO, TALLEST, Drawables, paint_leader
from cardgen.book.elements import Diagram, Note
from cardgen.book.look import LINE, SMALL_LINE, SMALL_SIZE, STEP
from cardgen.book.painting import PagePainter
from cardgen.book.spreading import spread_labels
from cardgen.geometry import Point, Rect
from cardgen.typesetting.directions import direction_of

SHARE = 0.46
"""How much of the measure a card takes where nobody says, unless it is narrower."""
GUTTER = 5.0
"""mm between a card and its labels, for the lines."""
LEAST_COLUMN = 22.0
"""mm: no card is shown so wide that its labels have less."""
FROM_TEXT = 0.9
"""mm between a line's end and what it leads to."""
FROM_LABEL = 0.9
FROM_EDGE = 1.3
"""mm from the edge of the card to a line's end at least."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """Where a card and its labels stand: `labels` are the text, its corner and where its line runs."""

    card: Rect
    labels: tuple[tuple[TextBlock, Point, tuple[Point, Point]], ...]
    column: float
    height: float


class AnatomyBlock(Block):
    """A card between its labels."""

    def __init__(self, setting: Setting, diagram: Diagram, drawables: Drawables) -> None:
        super().__init__(before=LINE, after=LINE)
        assert diagram.ref is not None
        self.setting, self.diagram, self.line = setting, diagram, diagram.line
        self.side, self.places = drawables.sides[diagram.ref], drawables.places[diagram.ref]

    def measure(self, width: float) -> float:
        return math.ceil(self._plan(width).height / STEP) * STEP

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        plan = self._plan(self.width)
        middle = (x + plan.card.x + plan.card.width / 2, top + plan.card.y + plan.card.height / 2)
        painter.side(self.side, middle, plan.card.width)
        for _, _, ends in plan.labels:
            paint_leader(painter, self.setting, [(x + at[0], top + at[1]) for at in ends])
        for text, corner, _ in plan.labels:
            text.measure(plan.column)
            text.paint(painter, x + corner[0], top + corner[1])

    def _plan(self, width: float) -> _Plan:
        """All places, from the block's corner."""
        trim = self.side.trim
        wanted = self.diagram.width or min(trim.width, SHARE * width)
        wide = min(wanted, width - 2 * (LEAST_COLUMN + GUTTER), TALLEST * trim.width / trim.height)
        high = wide * trim.height / trim.width
        column = (width - wide) / 2 - GUTTER
        scale = wide / trim.width
        areas = [
            Rect(column + GUTTER + area.x * scale, area.y * scale, area.width * scale, area.height * scale)
            for area in (self.places.areas[name] for note in self.diagram.notes for name in note.names[:1])
        ]
        texts = [(self._label(note, True), self._label(note, False)) for note in self.diagram.notes]
        heights = [text.measure(column) for text, _ in texts]
        card = Rect(column + GUTTER, 0.0, wide, high)
        plan = spread_labels(areas, heights, card, LINE / 2)
        top, bottom = min((0.0, *plan.tops)), max((high, *map(sum, zip(plan.tops, heights))))
        labels = []
        for (left, right), area, height, at, on_left in zip(texts, areas, heights, plan.tops, plan.left):
            start = (column + FROM_LABEL if on_left else width - column - FROM_LABEL, at + height / 2 - top)
            corner = (0.0 if on_left else width - column, at - top)
            end = near_end(area, card, left=on_left)
            labels.append((left if on_left else right, corner, (start, (end[0], end[1] - top))))
        return _Plan(Rect(card.x, -top, wide, high), tuple(labels), column, bottom - top)

    def _label(self, note: Note, left: bool) -> TextBlock:
        ends = left == (direction_of(self.setting.look.language) != "rtl")
        type_ = Type(SMALL_SIZE, SMALL_LINE, align="end" if ends else "start")
        return TextBlock(self.setting, note.words, note.line, type_)


def near_end(area: Rect, card: Rect, *, left: bool) -> Point:
    """Where a line to an area ends, coming from that side: beside it, on the card."""
    x = area.x - FROM_TEXT - HALO if left else area.right + FROM_TEXT + HALO
    x = min(max(x, card.x + FROM_EDGE), card.right - FROM_EDGE)
    y = min(max(area.y + area.height / 2, card.y + FROM_EDGE), card.bottom - FROM_EDGE)
    return x, y
