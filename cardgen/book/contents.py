"""The table of contents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardgen.book.blocks import Block, Setting, TextBlock, Type
from cardgen.book.elements import Block as Element
from cardgen.book.elements import Heading
from cardgen.book.look import LINE, STEP, TEXT_SIZE
from cardgen.book.painting import PagePainter
from cardgen.geometry import Rect
from cardgen.model.sheets import Link
from cardgen.typesetting.spans import Options, Paragraph, Span, Style

MOST = 30
"""Entries up to which the sections of chapters are listed too: what stands on one page."""
NUMBER = 10.0
"""Room of the page number, mm."""
DOTS = 1.9
"""From dot to dot of the leaders, mm."""


def contents(setting: Setting, blocks: Sequence[Element], numbers: Mapping[str, int]) -> list[Block]:
    """An entry for each chapter, and for its sections if all of them stand on one page. `numbers` are
    the page numbers by the headings' keys, as far as they are known."""
    headings = [block for block in blocks if isinstance(block, Heading) and block.level <= 3]
    if len(headings) > MOST:
        headings = [heading for heading in headings if heading.level == 2]
    return [ContentsLine(setting, heading, numbers.get(heading.key)) for heading in headings]


class ContentsLine(Block):
    """One entry: title, dots, page number."""

    def __init__(self, setting: Setting, heading: Heading, number: int | None) -> None:
        chapter = heading.level == 2
        super().__init__(before=2 * STEP if chapter else 0.0)
        self.setting, self.heading, self.number, self.chapter = setting, heading, number, chapter
        look = setting.look
        type_ = Type(
            TEXT_SIZE, LINE, bold=chapter, fill=look.ink, indent=0.0 if chapter else 4.5, hyphens=False
        )
        words = [word for word in heading.words if getattr(word, "text", True)]
        self.text = TextBlock(setting, words, heading.line, type_)

    def measure(self, width: float) -> float:
        return self.text.measure(width - NUMBER)

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        self.text.paint(painter, x, top)
        last = self.text.lines[-1] if self.text.lines else []
        end = max(
            (run.x + (run.size if not hasattr(run, "advance") else run.advance) for run in last), default=0
        )
        look = self.setting.look
        baseline = top + self.height - LINE + 0.72 * LINE
        start, stop = x + end + 1.5, x + self.width - 6.0
        at = stop - int((stop - start) / DOTS) * DOTS
        while at <= stop + 1e-6:
            painter.rect(Rect(at, baseline - 0.35, 0.35, 0.35), look.soft, 0.17)
            at += DOTS
        if self.number is not None:
            style = Style(look.bold if self.chapter else look.regular, TEXT_SIZE, look.ink)
            box = Rect(0, 0, NUMBER, LINE)
            options = Options(align="end", line_height=LINE / TEXT_SIZE)
            paragraph = Paragraph([Span(str(self.number), style)])
            composed = self.setting.compose(paragraph, box, options, self.heading.line)
            painter.text(composed.runs, x + self.width - NUMBER, top + self.height - LINE)
        painter.links.append(Link(Rect(x, top, self.width, self.height), f"#{self.heading.key}"))
