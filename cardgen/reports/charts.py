"""Histograms and heat maps, drawn by matplotlib: the same figure as SVG for a page, as PDF for a book.

Made to be read in black and white: every bar and every cell carries its number, numeric and
categorical fields differ in form and hatching, and darkness alone (never a hue) tells much from
little. Text in SVG is outlines, so that a page needs no font to show a chart as it was drawn.

matplotlib is chosen because one figure gives both formats, with hatching, and needs neither a browser
nor a display. Its own settings files are not read: the look and the bytes are the same everywhere.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Rectangle

from cardgen.checking.results import Histogram, Matrix, number
from cardgen.reports.fields import shortened
from cardgen.reports.typefaces import Faces, ems
from cardgen.units import MM_PER_INCH, MM_PER_PT

INK, SOFT, HAIR, HATCH = "#1c2326", "#5a666a", "#c3cbcd", "#9aa5a8"
BAR, BAR_LIGHT = "#54777b", "#e9eeee"
LIGHT, DARK = (0.930, 0.949, 0.949), (0.086, 0.239, 0.259)
"""The ends of the heat map's ramp, as RGB; grey values 0.94 and 0.20."""

TYPE_PT = 7.0
LEAST_CELL, MOST_CELL = 4.2, 7.0
"""The least and greatest side of a heat map's cell, mm."""
MOST_ROWS = 34
"""Most rows of one heat map, so that it fits a page."""
LABEL = 36.0
"""Most room for the names of bars and rows, mm."""
SPARE = 0.6
"""Room between a mark and its label, mm."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawn figure, its size in mm and what it shows in words, for readers who do not see it."""

    figure: Figure
    width: float
    height: float
    words: str


@contextmanager
def house_style() -> Iterator[None]:
    """matplotlib's defaults and ours, whatever the user's own settings; put back afterwards."""
    ours: dict[str, Any] = {
        "svg.hashsalt": "cardgen",
        "svg.fonttype": "path",
        "pdf.fonttype": 42,
        "pdf.compression": 9,
        "text.parse_math": False,
        "hatch.linewidth": 0.35,
        "hatch.color": HATCH,
        "path.simplify": False,
    }
    settings: dict[Any, Any] = {
        key: value for key, value in matplotlib.rcParamsDefault.items() if "backend" not in key
    }
    settings.update(ours)
    with matplotlib.rc_context(rc=settings):
        yield


def histogram_chart(histogram: Histogram, width: float, faces: Faces) -> Chart:
    """Columns for numbers in order, rows for categories; `width` in mm."""
    histogram = shortened(histogram, 40)
    bins = [(faces.safe(label), value) for label, value in histogram.bins]
    words = "; ".join(f"{label}: {number(value)}" for label, value in bins)
    if histogram.numeric and len(bins) <= 62:
        return _columns(bins, width, faces, words)
    return _rows(bins, width, faces, words)


def _columns(bins: Sequence[tuple[str, float]], width: float, faces: Faces, words: str) -> Chart:
    height, top, bottom = 32.0, 5.0, 27.0
    chart, axes = _canvas(width, height, words)
    slot = min(9.0, width / max(1, len(bins)))
    most = max((value for _, value in bins), default=0.0) or 1.0
    figures = [number(value) for _, value in bins]
    small = TYPE_PT - 1 if slot < 6 else TYPE_PT
    shown = max((_width(text, faces.narrow, small) for text in figures), default=0.0) <= slot
    every = 1 + int(max((_width(text, faces.narrow, small) for text, _ in bins), default=0.0) / slot)
    tall = [(bottom - top) * max(0.0, value) / most for _, value in bins]
    centres = [(index + 0.5) * slot for index in range(len(bins))]
    axes.bar(
        centres,
        [-height for height in tall],
        slot * 0.78,
        bottom=bottom,
        facecolor=BAR,
        edgecolor=INK,
        linewidth=0.4,
    )
    axes.plot([0, max(width * 0.5, slot * len(bins))], [bottom, bottom], color=INK, linewidth=0.5)
    peak = max(range(len(bins)), key=lambda index: tall[index], default=0)
    for index, (label, value) in enumerate(bins):
        if value and (shown or index == peak):
            place = (centres[index], bottom - tall[index] - SPARE)
            _text(axes, *place, figures[index], faces.narrow, small, "center", "bottom")
        if index % every == 0:
            _text(axes, centres[index], bottom + 1.0, label, faces.narrow, small, "center", "top", SOFT)
    return chart


def _rows(bins: Sequence[tuple[str, float]], width: float, faces: Faces, words: str) -> Chart:
    step = 4.4
    labels = [_cut(label, faces.narrow, LABEL) for label, _ in bins]
    start = max((_width(label, faces.narrow) for label in labels), default=0.0) + 1.5
    figures = [number(value) for _, value in bins]
    room = width - start - max((_width(text, faces.narrow) for text in figures), default=0.0) - 2 * SPARE
    most = max((value for _, value in bins), default=0.0) or 1.0
    height = step * len(bins) + 1.0
    chart, axes = _canvas(width, height, words)
    centres = [0.5 + (index + 0.5) * step for index in range(len(bins))]
    long = [room * max(0.0, value) / most for _, value in bins]
    axes.barh(
        centres,
        long,
        step * 0.7,
        left=start,
        facecolor=BAR_LIGHT,
        edgecolor=INK,
        linewidth=0.4,
        hatch="/////",
    )
    axes.plot([start, start], [0, height], color=INK, linewidth=0.5)
    for index, label in enumerate(labels):
        y = centres[index]
        _text(axes, start - 1.0, y, label, faces.narrow, TYPE_PT, "right", "center_baseline")
        place = (start + long[index] + SPARE, y)
        _text(axes, *place, figures[index], faces.narrow, TYPE_PT, "left", "center_baseline")
    return chart


def matrix_charts(matrix: Matrix, width: float, faces: Faces) -> list[Chart]:
    """Heat maps of a matrix; as many as it takes for cells that can be read, `width` in mm."""
    if not matrix.rows or not matrix.columns:
        return []
    names = [_cut(faces.safe(name), faces.narrow, LABEL) for name in matrix.rows]
    margin = max(_width(name, faces.narrow) for name in names) + 1.5
    most = max(1, int((width - margin) / LEAST_CELL))
    side = min(MOST_CELL, (width - margin) / min(most, len(matrix.columns)))
    charts = []
    for first in range(0, len(matrix.columns), most):
        for top in range(0, len(names), MOST_ROWS):
            part = _Part(matrix, top, min(len(names), top + MOST_ROWS), first, most)
            charts.append(_heat_map(part, names, margin, side, width, faces))
    return charts


@dataclass(frozen=True, slots=True)
class _Part:
    """The rows from `top` to before `bottom` and up to `most` columns from `first`."""

    matrix: Matrix
    top: int
    bottom: int
    first: int
    most: int

    @property
    def columns(self) -> tuple[str, ...]:
        return self.matrix.columns[self.first : self.first + self.most]

    @property
    def values(self) -> list[tuple[float, ...]]:
        rows = self.matrix.values[self.top : self.bottom]
        return [row[self.first : self.first + self.most] for row in rows]


def _heat_map(
    part: _Part, names: Sequence[str], margin: float, side: float, width: float, faces: Faces
) -> Chart:
    matrix, rows = part.matrix, names[part.top : part.bottom]
    heads = [_cut(faces.safe(name), faces.narrow, LABEL) for name in part.columns]
    head = max(_width(name, faces.narrow) for name in heads) + 1.5
    everything = [value for row in matrix.values for value in row]
    low, high = min(0.0, *everything), max(everything)
    # Nothing at all is hatched where it is the exception, blank where it is the rule.
    holes = sum(value == 0 for value in everything) * 2 < len(everything)
    tall = head + side * len(rows) + 0.6
    chart, axes = _canvas(width, tall, _matrix_words(part, faces))
    for column, name in enumerate(heads):
        x = margin + (column + 0.5) * side
        _text(axes, x, head - 1.0, name, faces.narrow, TYPE_PT, "center", "bottom", rotation=90)
    small = TYPE_PT if side >= 6 else TYPE_PT - 1
    for index, (name, values) in enumerate(zip(rows, part.values, strict=True)):
        y = head + index * side
        _text(axes, margin - 1.0, y + side / 2, name, faces.narrow, TYPE_PT, "right", "center_baseline")
        for column, value in enumerate(values):
            x, share = margin + column * side, (value - low) / (high - low) if high > low else 0.0
            axes.add_patch(
                Rectangle(
                    (x, y),
                    side,
                    side,
                    facecolor="#ffffff" if value == 0 else _shade(share),
                    edgecolor=HAIR,
                    linewidth=0.5,
                    hatch="/////" if value == 0 and holes else None,
                )
            )
            text = number(value)
            if (value or holes) and _width(text, faces.narrow_bold, small) <= side - 0.4:
                color = "#ffffff" if value and share > 0.45 else INK
                _text(
                    axes,
                    x + side / 2,
                    y + side / 2,
                    text,
                    faces.narrow_bold,
                    small,
                    "center",
                    "center_baseline",
                    color,
                )
    return chart


def _matrix_words(part: _Part, faces: Faces) -> str:
    """Every row with what it has of each column."""
    lines = []
    for name, values in zip(part.matrix.rows[part.top : part.bottom], part.values, strict=True):
        cells = [f"{column} {number(value)}" for column, value in zip(part.columns, values) if value]
        lines.append(f"{name}: {', '.join(cells) or 'nothing'}")
    return faces.safe("; ".join(lines))


def _shade(share: float) -> tuple[float, float, float]:
    red, green, blue = (light + (dark - light) * share for light, dark in zip(LIGHT, DARK, strict=True))
    return red, green, blue


# ---------------------------------------------------------------- figures and their formats


def _canvas(width: float, height: float, words: str) -> tuple[Chart, Axes]:
    """An empty figure whose axes are millimetres from the upper left corner."""
    figure = Figure(figsize=(width / MM_PER_INCH, height / MM_PER_INCH))
    figure.patch.set_visible(False)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_autoscale_on(False)
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    return Chart(figure, width, height, words), axes


def _text(
    axes: Axes,
    x: float,
    y: float,
    text: str,
    face: Path,
    size: float,
    across: str,
    down: str,
    color: str = INK,
    rotation: float = 0,
) -> None:
    """Set a text at a point, mm; `across` and `down` say which part of it lies there."""
    places: dict[str, Any] = {"ha": across, "va": down, "rotation": rotation}
    axes.text(x, y, text, fontproperties=FontProperties(fname=face, size=size), color=color, **places)


def _width(text: str, face: Path, size: float = TYPE_PT) -> float:
    """How wide a text is set, mm."""
    return ems(text, face) * size * MM_PER_PT


def _cut(text: str, face: Path, room: float) -> str:
    """Text that fits the room (mm), cut short with an ellipsis if it must be."""
    if _width(text, face) <= room:
        return text
    while text and _width(text + "…", face) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def as_svg(chart: Chart, number: int) -> str:
    """A chart as an SVG element to stand in a page beside others; `number` keeps its ids its own."""
    out = io.BytesIO()
    nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    chart.figure.savefig(out, format="svg", metadata=nothing)
    text = out.getvalue().decode("utf-8")
    text = text[text.index("<svg") :].strip()
    text = re.sub(r"<!--.*?-->|<style.*?</style>|<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    text = re.sub(r'\b(id="|url\(#|href="#)', rf"\g<1>c{number}-", text)
    text = re.sub(r"\s*\n\s*", " ", re.sub(r"<defs>\s*</defs>", "", text))
    label = escape(chart.words, quote=True)
    opening = (
        f'<svg role="img" aria-label="{label}" xmlns="http://www.w3.org/2000/svg" '
        'xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{chart.width:g}mm" height="{chart.height:g}mm" '
        f'viewBox="0 0 {chart.width / MM_PER_PT:g} {chart.height / MM_PER_PT:g}" '
        'style="stroke-linejoin: round; stroke-linecap: butt">'
    )
    return opening + text[text.index(">") + 1 :]


def as_pdf(charts: Sequence[Chart]) -> bytes:
    """All charts in one PDF, a page each, fonts embedded once."""
    out = io.BytesIO()
    with PdfPages(out, metadata=dict.fromkeys(("Creator", "Producer", "CreationDate"))) as pages:
        for chart in charts:
            pages.savefig(chart.figure)
    return out.getvalue()
