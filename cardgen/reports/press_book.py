"""The report's section on a press as flowables of its PDF."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, Paragraph, Spacer, TableStyle

from cardgen.reports.flowables import (
    BODY,
    CELL,
    CELL_RIGHT,
    FIGURE,
    H4,
    HEAD,
    HEAD_RIGHT,
    LABEL,
    LEAD,
    MONO,
    NOTE,
    grid,
)
from cardgen.reports.press import ABOUT, FAULTY, HEAVY, HeavyColor, PressColor, PressPage, of_cards
from cardgen.units import PT_PER_MM

_COLUMNS = (24.0, 19.0, 13.0, 19.0, 60.0)
"""Swatches, their names, two figures and places, mm; cards have the rest."""


class Swatches(Flowable):
    """Colours (`#rrggbb`) beside each other without a gap."""

    WIDTH, HEIGHT = 20 * PT_PER_MM, 7 * PT_PER_MM

    def __init__(self, colors: Sequence[str]) -> None:
        super().__init__()
        self.colors = colors

    def wrap(self, *_: float) -> tuple[float, float]:
        return self.WIDTH, self.HEIGHT

    def draw(self) -> None:
        across = self.WIDTH / len(self.colors)
        self.canv.saveState()
        for number, color in enumerate(self.colors):
            self.canv.setFillColor(HexColor(color))
            self.canv.rect(number * across, 0, across, self.HEIGHT, stroke=0, fill=1)
        self.canv.restoreState()


def press_story(press: PressPage, safe: Callable[[str], str], width: float) -> list[Flowable]:
    """The section below its heading. `safe` makes text the markup of a paragraph, `width` is in mm."""

    def text(words: str, style: ParagraphStyle) -> Paragraph:
        return Paragraph(safe(words), style)

    def own(words: str, style: ParagraphStyle) -> Paragraph:
        return Paragraph(escape(words), style)  # of letters that its fonts are known to have, Δ among them

    def code(words: str) -> Paragraph:
        return Paragraph(f'<font name="{MONO}" size="8">{words}</font>', CELL)

    def row(one: PressColor | HeavyColor, colors: Sequence[str], much: float) -> list[Any]:
        return [
            Swatches(colors),
            code("<br/>".join(colors)),
            text(f"{much:.0f}", CELL_RIGHT),
            text(f"{one.area:.0f}", CELL_RIGHT),
            code(safe(str(one.place))),
            text(of_cards(one.cards), CELL),
        ]

    def table(names: Sequence[str], rows: Sequence[list[Any]]) -> Flowable:
        heads = [own(name, HEAD_RIGHT if number in (2, 3) else HEAD) for number, name in enumerate(names)]
        made = grid([heads, *rows], [*_COLUMNS, width - sum(_COLUMNS)], header=1)
        made.setStyle(TableStyle([("RIGHTPADDING", (3, 0), (3, -1), 16)]))
        return made

    story: list[Flowable] = [text(press.summary, LEAD)]
    if press.faulty:
        story.append(text(FAULTY, BODY))
    facts = [[text(name, LABEL), text(value, FIGURE)] for name, value in press.facts]
    story += [Spacer(0, 6), grid(facts, [34, width - 34], lines=False)]
    where = ("where", "cards")
    if press.missed:
        rows = [row(one, (one.asked, one.printed), one.apart) for one in press.missed]
        story += [text("Colours that it can't mix", H4), own(ABOUT, NOTE)]
        story.append(table(("screen, print", "", "ΔE", "mm²", *where), rows))
    if press.heavy:
        rows = [row(heavy, (heavy.asked,), heavy.ink) for heavy in press.heavy]
        story += [text("Colours over the ink limit", H4), own(HEAVY, NOTE)]
        story.append(table(("screen", "", "ink, %", "mm²", *where), rows))
    return story
