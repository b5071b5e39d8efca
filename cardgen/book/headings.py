"""Headings: what stands above the titles of chapters, or below them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from cardgen.book.blocks import Block, Setting, TextBlock, Type
from cardgen.book.elements import Inline
from cardgen.book.look import LINE, STEP, TEXT_SIZE, WHITE
from cardgen.book.painting import PagePainter
from cardgen.geometry import Rect
from cardgen.model.artwork import Color
from cardgen.model.sheets import Heading
from cardgen.typesetting.directions import direction_of
from cardgen.typesetting.icon_marks import Mark
from cardgen.typesetting.spans import Options, Paragraph, Style

CHAPTER = 2
"""The level of chapters' headings."""


class HeadingBlock(Block):
    """A heading: chapters (level 2) in the display face below rule and ornament, or on a plate; the others
    in bold."""

    keep = True

    def __init__(
        self, setting: Setting, level: int, words: Sequence[Inline], key: str, title: str, line: int
    ):
        space = {2: (8, 2), 3: (5, 1)}.get(level, (3, 0))
        super().__init__(before=space[0] * STEP, after=space[1] * STEP)
        look = setting.look
        self.setting, self.level, self.key, self.title = setting, level, key, title
        self.plated = level == CHAPTER and look.rule == "plate"
        fill = look.on_ground if self.plated else look.accent
        type_ = {
            CHAPTER: Type(CHAPTER_SIZE, 6 * STEP, fill=fill, display=True),
            3: Type(SECTION_SIZE, LINE, bold=True),
        }.get(level, Type(bold=True, italic=True))
        self.text = TextBlock(setting, words, line, type_)

    @property
    def bar(self) -> float:
        """Room of what stands above a chapter's heading."""
        look = self.setting.look
        if self.level != CHAPTER or self.plated:
            return 0.0
        if look.ornament is not None:
            return math.ceil((ORNAMENT + 1.0) / STEP) * STEP
        return 0.0 if look.rule == "none" else 2 * STEP

    def measure(self, width: float) -> float:
        if not self.plated:
            return self.bar + self.text.measure(width)
        most = width - self._before - PLATE_ENDS
        high = self.text.measure(min(self.text.natural() + 0.01, most))
        return math.ceil((high + 2 * PLATE_ROOM + SHADOW) / STEP) * STEP

    @property
    def _before(self) -> float:
        """From a plate's edge to its text: room, and the ornament."""
        return PLATE_ENDS + (ORNAMENT + 1.6 if self.setting.look.ornament is not None else 0.0)

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        if self.plated:
            self._on_plate(painter, x, top)
        else:
            if self.level == CHAPTER:
                self._decorate(painter, x, top)
            self.text.paint(painter, x, top + self.bar)
        painter.headings.append(Heading(self.key, self.title, self.level - 2, max(0.0, top - STEP)))

    def _on_plate(self, painter: PagePainter, x: float, top: float) -> None:
        """A sticker: a plate with a white rim, stuck on a little askew."""
        look = self.setting.look
        most = self.width - self._before - PLATE_ENDS
        inner = min(self.text.natural() + 0.01, most)
        high = self.text.measure(inner)
        plate = Rect(x, top, self._before + inner + PLATE_ENDS, high + 2 * PLATE_ROOM)
        if direction_of(look.language) == "rtl":
            plate = replace(plate, x=x + self.width - plate.width)
        under = replace(plate, x=plate.x + SHADOW * 0.6, y=plate.y + SHADOW)
        painter.panel(under, look.ink, look.ink, radius=2.2, degrees=-0.8, below=True)
        painter.panel(plate, WHITE, look.ink, radius=2.2, below=True)
        painter.panel(plate.inset(0.9), look.ground, look.ink, radius=1.5, below=True)
        if look.ornament is not None:
            self._ornament(
                painter, plate.x + PLATE_ENDS, top + (plate.height - ORNAMENT) / 2, look.on_ground
            )
        self.text.paint(painter, plate.x + self._before, top + PLATE_ROOM)

    def _ornament(self, painter: PagePainter, x: float, top: float, fill: Color) -> float:
        """The ornament, its corner there; returns its width."""
        look = self.setting.look
        assert look.ornament is not None
        span = self.setting.icons.span(Mark(look.ornament), Style(look.bold, ORNAMENT, fill))
        size = Rect(0, 0, span.width + 1, 2 * ORNAMENT)
        drawn = self.setting.compose(Paragraph([span]), size, Options(line_height=1.0), self.text.line)
        icon = drawn.runs[0]
        painter.text(drawn.runs, x - icon.x, top - icon.y)
        return span.width

    def _decorate(self, painter: PagePainter, x: float, top: float) -> None:
        """The ornament, and the rule to its right or in its place."""
        look, wide = self.setting.look, self.width
        if look.ornament is not None:
            wide_icon = self._ornament(painter, x, top, look.accent) + 2.4
            x, wide, top = x + wide_icon, wide - wide_icon, top + ORNAMENT / 2 - BAR_HEIGHT / 2
        if look.rule == "bar":
            painter.rect(Rect(x, top, BAR_WIDTH, BAR_HEIGHT), look.accent)
        elif look.rule == "line":
            painter.rect(Rect(x, top + 0.3, wide, 0.4), look.accent)
        elif look.rule == "double":
            painter.rect(Rect(x, top, wide, 0.55), look.accent)
            painter.rect(Rect(x, top + 0.95, wide, 0.2), look.accent)
        elif look.rule == "dots":
            for number in range(int((wide - BAR_HEIGHT) / DOTS) + 1):
                dot = Rect(x + number * DOTS, top, BAR_HEIGHT, BAR_HEIGHT)
                painter.rect(dot, look.accent, BAR_HEIGHT / 2)


CHAPTER_SIZE = TEXT_SIZE * 1.85
SECTION_SIZE = TEXT_SIZE * 1.16
BAR_WIDTH, BAR_HEIGHT = 11.0, 1.0
ORNAMENT = 5.6
"""mm: height of the icon at the head of a chapter."""
DOTS = 2.6
"""mm from dot to dot of a rule."""
PLATE_ENDS, PLATE_ROOM = 3.6, 1.5
"""mm: room within a plate, at both ends and above and below its text."""
SHADOW = 1.0
"""mm: how far down a plate's shadow lies."""
