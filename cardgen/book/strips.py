"""Strips of panels: a few steps side by side, each a small picture with a number, a heading and a line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from cardgen.book.blocks import Block, Setting, TextBlock, Type
from cardgen.book.diagrams import HALO, RADIUS, Drawables, paint_number
from cardgen.book.elements import Icon, Panel, Strip
from cardgen.book.look import LINE, SMALL_LINE, SMALL_SIZE, STEP, WHITE, mixed
from cardgen.book.painting import PagePainter
from cardgen.geometry import Point, Rect
from cardgen.typesetting.icon_marks import Mark
from cardgen.typesetting.spans import Options, Paragraph, Style

MOST_ABREAST = 4
GAP = 2.6
"""mm between two panels."""
INSIDE = 2.2
"""mm from a panel's edge to what stands in it."""
PICTURE = 27.0
"""mm: greatest height of a panel's picture."""
ICON = 13.0
"""mm: height of an icon that is a panel's picture."""
AROUND = 0.6
"""How much of what surrounds a part of a component is shown with it, as a share of its longer side, on each
side; and mm at least."""
LEAST_AROUND = 5.0


def strip_rows(setting: Setting, strip: Strip, drawables: Drawables) -> list[Block]:
    """The panels of a strip in as few rows as hold them, the rows as even as can be."""
    count = len(strip.panels)
    rows = math.ceil(count / MOST_ABREAST)
    abreast = math.ceil(count / rows)
    blocks: list[Block] = []
    for start in range(0, count, abreast):
        blocks.append(
            StripBlock(setting, strip.panels[start : start + abreast], abreast, strip.line, drawables)
        )
    for upper, lower in pairwise(blocks):
        upper.spaceAfter, lower.spaceBefore = GAP, 0.0
    return blocks


class StripBlock(Block):
    """A row of panels of one height, each as wide as if `abreast` of them stood there."""

    def __init__(
        self, setting: Setting, panels: Sequence[Panel], abreast: int, line: int, drawables: Drawables
    ) -> None:
        super().__init__(before=LINE, after=LINE)
        self.setting, self.abreast, self.line = setting, abreast, line
        self.drawables = drawables
        type_, head = Type(SMALL_SIZE, SMALL_LINE), Type(SMALL_SIZE * 1.06, SMALL_LINE, bold=True)
        self.panels = [
            (
                panel,
                TextBlock(setting, panel.heading, panel.line, head) if panel.heading else None,
                TextBlock(setting, panel.words, panel.line, type_) if panel.words else None,
            )
            for panel in panels
        ]

    def _wide(self, width: float) -> float:
        return (width - GAP * (self.abreast - 1)) / self.abreast

    def _picture(self, wide: float) -> float:
        """The height of the pictures."""
        return min(PICTURE, wide - 2 * INSIDE)

    def measure(self, width: float) -> float:
        wide = self._wide(width)
        inner = wide - 2 * INSIDE
        texts = max(
            sum(block.measure(inner) for block in (head, text) if block is not None)
            for _, head, text in self.panels
        )
        return math.ceil((self._picture(wide) + texts + 3.2 * INSIDE) / STEP) * STEP

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        look, wide = self.setting.look, self._wide(self.width)
        missing = (self.abreast - len(self.panels)) * (wide + GAP)
        x += missing / 2
        edge = mixed(look.accent, WHITE, 0.3)
        for panel, head, text in self.panels:
            painter.panel(Rect(x, top, wide, self.height), look.tint, edge, radius=1.6, below=True)
            area = Rect(x + INSIDE, top + INSIDE, wide - 2 * INSIDE, self._picture(wide))
            self._paint_picture(painter, panel, area)
            corner = (x + RADIUS + HALO * 0.5, top + RADIUS + HALO * 0.5)
            paint_number(painter, self.setting, panel.number, panel.line, corner)
            y = area.bottom + 1.2 * INSIDE
            for block in (head, text):
                if block is not None:
                    high = block.measure(area.width)
                    block.paint(painter, x + INSIDE, y)
                    y += high
            x += wide + GAP

    def _paint_picture(self, painter: PagePainter, panel: Panel, area: Rect) -> None:
        middle = (area.x + area.width / 2, area.y + area.height / 2)
        if panel.icon is not None:
            self._paint_icon(painter, panel.icon, panel.line, middle, min(ICON, area.height))
        elif panel.picture is not None:
            side = self.drawables.sides[panel.picture.ref]
            trim = side.trim
            if panel.part is not None:
                part = self.drawables.places[panel.picture.ref].areas[panel.part]
                painter.part(side, seen_part(part, Rect(0, 0, trim.width, trim.height), area), area)
                return
            painter.side(side, middle, min(area.width, area.height * trim.width / trim.height))

    def _paint_icon(self, painter: PagePainter, icon: Icon, line: int, middle: Point, high: float) -> None:
        look = self.setting.look
        mark = Mark(icon.mark.name, figure=icon.mark.figure, fill=icon.mark.fill)
        span = self.setting.icons.span(mark, Style(look.bold, high, look.accent))
        box = Rect(-100, -high, 200, 2 * high)
        options = Options(align="center", valign="middle", line_height=1.0)
        composed = self.setting.compose(Paragraph([span]), box, options, line)
        painter.text(composed.runs, *middle)


def seen_part(part: Rect, trim: Rect, frame: Rect) -> Rect:
    """What of a side is shown where a part of it is named: that with some of what surrounds it, in the
    proportions of the frame, within the trim as far as that reaches."""
    more = max(LEAST_AROUND, AROUND * max(part.width, part.height))
    wide, high = part.width + 2 * more, part.height + 2 * more
    shape = frame.width / frame.height
    wide, high = max(wide, high * shape), max(high, wide / shape)
    shrink = min(1.0, trim.width / wide, trim.height / high)
    wide, high = wide * shrink, high * shrink
    x = part.x + part.width / 2 - wide / 2
    y = part.y + part.height / 2 - high / 2
    x = min(max(x, trim.x), trim.right - wide)
    y = min(max(y, trim.y), trim.bottom - high)
    return Rect(x, y, wide, high)
