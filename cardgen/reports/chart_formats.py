"""A chart as SVG for a page, and on ReportLab's canvas for a book: the same marks, and text stays text.

The page has the fonts in it, the canvas has them registered; so text is text in both.
"""

from __future__ import annotations

from html import escape

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from cardgen.reports.charts import INK, Box, Chart, Label, Rule
from cardgen.units import MM_PER_PT, PT_PER_MM

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
                f'<path d="M{mark.x1:.3f} {mark.y1:.3f}L{mark.x2:.3f} {mark.y2:.3f}" stroke="{INK}" '
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
            canvas.setStrokeColor(HexColor(INK))
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
