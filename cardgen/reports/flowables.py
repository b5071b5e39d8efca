"""The parts that the report's PDF is set from: type styles, badges, lines, room for charts, grids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, LongTable, Paragraph, TableStyle

from cardgen.checking.results import Verdict
from cardgen.reports.chart_formats import paint
from cardgen.reports.charts import Chart
from cardgen.reports.content import VERDICTS
from cardgen.units import PT_PER_MM

INK, SOFT, HAIR = HexColor("#1c2326"), HexColor("#5a666a"), HexColor("#d9dfe0")
REGULAR, BOLD, NARROW, NARROW_BOLD, MONO = (
    f"Report-{name}" for name in ("Regular", "Bold", "Narrow", "NarrowBold", "Mono")
)


def _style(name: str, font: str, size: float, leading: float, **more: Any) -> ParagraphStyle:
    more = {"textColor": INK, **more}
    return ParagraphStyle(name, fontName=font, fontSize=size, leading=leading, **more)


TITLE = _style("title", BOLD, 28, 32)
H2 = _style("h2", BOLD, 16, 20, spaceAfter=6, keepWithNext=1)
H3 = _style("h3", BOLD, 11.5, 15, keepWithNext=1)
H4 = _style("h4", BOLD, 9, 12, textColor=SOFT, spaceBefore=7, spaceAfter=2)
BODY = _style("body", REGULAR, 9.5, 13.5, spaceBefore=3)
LEAD = _style("lead", REGULAR, 12, 17, spaceBefore=4)
NOTE = _style("note", REGULAR, 8.5, 12, textColor=SOFT, spaceBefore=2)
CAPTION = _style("caption", REGULAR, 8.5, 11)
FINDING = _style("finding", REGULAR, 9.5, 13, leftIndent=9, spaceBefore=4, bulletFontName=REGULAR)
CELL = _style("cell", NARROW, 8.5, 11)
CELL_RIGHT = _style("figures", NARROW, 8.5, 11, alignment=TA_RIGHT)
LABEL = _style("label", NARROW, 8.5, 11, textColor=SOFT)
FIGURE = _style("figure", BOLD, 9.5, 13)
HEAD = _style("head", NARROW_BOLD, 8.5, 11, textColor=SOFT)
HEAD_RIGHT = _style("head figures", NARROW_BOLD, 8.5, 11, textColor=SOFT, alignment=TA_RIGHT)


class Badge(Flowable):
    """A verdict that differs in form, not in hue: framed, dashed, black, or framed twice."""

    WIDTH, HEIGHT = 17 * PT_PER_MM, 12.0

    def __init__(self, verdict: Verdict) -> None:
        super().__init__()
        self.verdict = verdict
        self.width, self.height = self.WIDTH, self.HEIGHT

    def wrap(self, *_: float) -> tuple[float, float]:
        return self.WIDTH, self.HEIGHT

    def draw(self) -> None:
        canvas = self.canv
        black = self.verdict in (Verdict.FAIL, Verdict.BROKEN)
        quiet = self.verdict is Verdict.REPORT
        canvas.saveState()
        canvas.setLineWidth(0.7)
        canvas.setStrokeColor(SOFT if quiet else INK)
        canvas.setFillColor(INK if black else HexColor("#ffffff"))
        if quiet:
            canvas.setDash(2, 1.5)
        canvas.roundRect(0, 0, self.WIDTH, self.HEIGHT, 2.5, fill=1)
        canvas.setDash()
        if self.verdict is Verdict.UNDECIDED:
            canvas.roundRect(1.6, 1.6, self.WIDTH - 3.2, self.HEIGHT - 3.2, 1.2)
        canvas.setFillColor(HexColor("#ffffff") if black else SOFT if quiet else INK)
        canvas.setFont(NARROW_BOLD, 7.5)
        canvas.drawCentredString(self.WIDTH / 2, 3.5, VERDICTS[self.verdict])
        canvas.restoreState()


class Heading(Paragraph):
    """A paragraph that is also an entry of the PDF's outline and a place to jump to."""

    def __init__(self, text: str, style: ParagraphStyle, words: str, key: str, level: int) -> None:
        super().__init__(text, style)
        self.entry = (words, key, level)

    def draw(self) -> None:
        words, key, level = self.entry
        self.canv.bookmarkHorizontal(key, 0, self.height)
        self.canv.addOutlineEntry(words, key, level, closed=level == 0)
        super().draw()


class ChartBox(Flowable):
    """A chart, as a form of a name that no other has."""

    def __init__(self, chart: Chart, name: str) -> None:
        super().__init__()
        self.chart, self.name = chart, name
        self.width, self.height = chart.width * PT_PER_MM, chart.height * PT_PER_MM

    def wrap(self, *_: float) -> tuple[float, float]:
        return self.width, self.height

    def draw(self) -> None:
        self.canv.beginForm(self.name, 0, 0, self.width, self.height)
        paint(self.canv, self.chart, NARROW, NARROW_BOLD)
        self.canv.endForm()
        self.canv.doForm(self.name)


class Line(Flowable):
    """A line across the text, `weight` pt, and `before` pt below what precedes it on the page."""

    def __init__(self, weight: float, color: Color, *, before: float = 0) -> None:
        super().__init__()
        self.weight, self.color = weight, color
        self.keepWithNext = 1
        self.spaceBefore = before

    def wrap(self, width: float, _: float) -> tuple[float, float]:
        self.width = width
        return width, self.weight + 5

    def draw(self) -> None:
        self.canv.setStrokeColor(self.color)
        self.canv.setLineWidth(self.weight)
        self.canv.line(0, 5, self.width, 5)


def height_of(parts: Sequence[Flowable], width: float) -> float:
    """How much of a page flowables take at most, one below the other; `width` and result in pt."""
    return sum(part.getSpaceBefore() + part.wrap(width, 1e6)[1] + part.getSpaceAfter() for part in parts)


def grid(rows: list[Any], widths: Sequence[float], *, lines: bool = True, header: int = 0) -> LongTable:
    """A table of flowables without boxes; `widths` in mm."""
    table = LongTable(
        rows, colWidths=[width * PT_PER_MM for width in widths], repeatRows=header, hAlign="LEFT"
    )
    commands: list[Any] = [
        ("FONTNAME", (0, 0), (-1, -1), NARROW),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("RIGHTPADDING", (0, 0), (-2, -1), 8 if lines else 0),
        ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
        ("TOPPADDING", (0, 0), (-1, -1), 2.5 if lines else 0),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
    ]
    if lines:
        commands.append(("LINEBELOW", (0, 0), (-1, -1), 0.5, HAIR))
        if header:
            commands.append(("LINEBELOW", (0, 0), (-1, header - 1), 0.8, INK))
    table.setStyle(TableStyle(commands))
    return table
