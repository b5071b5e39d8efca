"""The parts of the report's PDF: styles, badges, charts and the press section."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any
from xml.sax.saxutils import escape as xml_escape

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, LongTable, Paragraph, Spacer, TableStyle

from cardgen.core.geometry import MM_PER_PT, PT_PER_MM
from cardgen.rules.report_content import (
    ABOUT,
    FAULTY,
    HEAVY,
    VERDICTS,
    HeavyColor,
    PressColor,
    PressPage,
    of_cards,
)
from cardgen.rules.reports import INK as CHART_INK
from cardgen.rules.reports import Box, Chart, Label, Rule
from cardgen.rules.results import Verdict

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


HATCH, HATCH_LINE, HATCH_STEP = "#9aa5a8", 0.12, 1.1
"""The lines of hatching: their colour, how wide they are and how far apart they begin, mm."""
RULE_LINE = 0.18
FAMILY = "Report Narrow"
"""The CSS family of labels, which the page brings."""


def as_svg(chart: Chart, number: int) -> str:
    """A chart as an SVG element to stand in a page beside others; `number` keeps its ids its own."""
    label = escape(chart.words, quote=True)
    parts = [
        f'<svg role="img" aria-label="{label}" xmlns="http://www.w3.org/2000/svg" '
        f'width="{chart.width:g}mm" height="{chart.height:g}mm" '
        f'viewBox="0 0 {chart.width:g} {chart.height:g}" font-family="{FAMILY}">'
    ]
    if any(isinstance(mark, Box) and mark.hatched for mark in chart.marks):
        parts.append(
            f'<pattern id="c{number}-hatch" width="{HATCH_STEP}" height="{HATCH_STEP}" '
            'patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
            f'<path d="M0 0V{HATCH_STEP}" stroke="{HATCH}" stroke-width="{2 * HATCH_LINE}"/></pattern>'
        )
    for mark in chart.marks:
        if isinstance(mark, Box):
            parts.append(_box(mark, number))
        elif isinstance(mark, Rule):
            parts.append(
                f'<path d="M{mark.x1:.3f} {mark.y1:.3f}L{mark.x2:.3f} {mark.y2:.3f}" stroke="{CHART_INK}" '
                f'stroke-width="{RULE_LINE}"/>'
            )
        else:
            parts.append(_label(mark))
    return "".join([*parts, "</svg>"])


def _box(mark: Box, number: int) -> str:
    place = f'x="{mark.x:.3f}" y="{mark.y:.3f}" width="{mark.width:.3f}" height="{mark.height:.3f}"'
    edge = f'stroke="{mark.stroke}" stroke-width="{mark.line:.3f}"'
    if not mark.hatched:
        return f'<rect {place} fill="{mark.fill}" {edge}/>'
    return f'<rect {place} fill="{mark.fill}"/><rect {place} fill="url(#c{number}-hatch)" {edge}/>'


def _label(mark: Label) -> str:
    x, y = f"{mark.x:.3f}", f"{mark.y:.3f}"
    turned = f' transform="rotate(-90 {x} {y})"' if mark.upright else ""
    weight = ' font-weight="600"' if mark.bold else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{mark.size * MM_PER_PT:.3f}" text-anchor="{mark.anchor}" '
        f'fill="{mark.color}"{weight}{turned}>{escape(mark.text)}</text>'
    )


def paint(canvas: Canvas, chart: Chart, regular: str, bold: str) -> None:
    """Draw a chart with its lower left corner at the origin, in fonts registered under these names."""
    canvas.saveState()
    canvas.setLineCap(0)
    for mark in chart.marks:
        if isinstance(mark, Box):
            _paint_box(canvas, mark, chart.height)
        elif isinstance(mark, Rule):
            canvas.setStrokeColor(HexColor(CHART_INK))
            canvas.setLineWidth(RULE_LINE * PT_PER_MM)
            ends = (mark.x1, chart.height - mark.y1, mark.x2, chart.height - mark.y2)
            canvas.line(*(end * PT_PER_MM for end in ends))
        else:
            _paint_label(canvas, mark, chart.height, bold if mark.bold else regular)
    canvas.restoreState()


def _paint_box(canvas: Canvas, mark: Box, height: float) -> None:
    place = (mark.x, height - mark.y - mark.height, mark.width, mark.height)
    x, y, across, up = (side * PT_PER_MM for side in place)
    canvas.setFillColor(HexColor(mark.fill))
    canvas.setStrokeColor(HexColor(mark.stroke))
    canvas.setLineWidth(mark.line * PT_PER_MM)
    if mark.hatched and across > 0 and up > 0:
        canvas.rect(x, y, across, up, stroke=0, fill=1)
        canvas.saveState()
        path = canvas.beginPath()
        path.rect(x, y, across, up)
        canvas.clipPath(path, stroke=0, fill=0)
        canvas.setStrokeColor(HexColor(HATCH))
        canvas.setLineWidth(HATCH_LINE * PT_PER_MM)
        step = HATCH_STEP * PT_PER_MM * 2**0.5
        canvas.lines([(x + at, y, x + at + up, y + up) for at in _steps(-up, across, step)])
        canvas.restoreState()
    canvas.rect(x, y, across, up, stroke=1, fill=0 if mark.hatched else 1)


def _steps(first: float, last: float, step: float) -> list[float]:
    return [first + index * step for index in range(int((last - first) / step) + 1)]


def _paint_label(canvas: Canvas, mark: Label, height: float, font: str) -> None:
    canvas.saveState()
    canvas.setFillColor(HexColor(mark.color))
    canvas.setFont(font, mark.size)
    canvas.translate(mark.x * PT_PER_MM, (height - mark.y) * PT_PER_MM)
    if mark.upright:
        canvas.rotate(90)
    draw = {"start": canvas.drawString, "middle": canvas.drawCentredString, "end": canvas.drawRightString}
    draw[mark.anchor](0, 0, mark.text)
    canvas.restoreState()


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
        return Paragraph(
            xml_escape(words), style
        )  # of letters that its fonts are known to have, Δ among them

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
