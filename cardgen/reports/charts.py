"""Histograms and heat maps as marks on a small drawing, for `chart_formats` to write as SVG and as PDF.

Made to be read in black and white: every bar and every cell carries its number, numeric and
categorical fields differ in form and hatching, and darkness alone (never a hue) tells much from
little.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from cardgen.checking.results import Histogram, Matrix, number
from cardgen.reports.fields import shortened
from cardgen.reports.typefaces import Faces, ems
from cardgen.units import MM_PER_PT

INK, SOFT, HAIR = "#1c2326", "#5a666a", "#c3cbcd"
BAR, BAR_LIGHT, BLANK = "#54777b", "#e9eeee", "#ffffff"
LIGHT, DARK = (0.930, 0.949, 0.949), (0.086, 0.239, 0.259)
"""The ends of the heat map's ramp, as RGB; grey values 0.94 and 0.20."""

TYPE_PT = 7.0
LEAST_CELL, MOST_CELL = 4.2, 7.0
"""The least and greatest side of a heat map's cell, mm."""
WIDEST_CELL = 16.0
"""A cell whose figure asks for more room is as wide as this at most, mm."""
MOST_ROWS = 34
"""Most rows of one heat map, so that it fits a page."""
LABEL = 36.0
"""Most room for the names of bars and rows, mm."""
SPARE = 0.6
"""Room between a mark and its label, mm."""


CAP, ABOVE, BELOW = 0.7, 0.74, 0.2
"""How high capitals and figures are, and how far letters go above and below the line, in ems."""

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in a fill, with a line around it `line` mm wide; hatched if it is so."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    stroke: str
    line: float
    hatched: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line, upright or level, 0.18 mm wide."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Label:
    """A text whose line begins, has its middle or ends at a point; set upwards if it is `upright`.
    `size` in pt."""

    x: float
    y: float
    text: str
    size: float
    anchor: Anchor
    color: str = INK
    bold: bool = False
    upright: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing: its size and its marks, in mm from the upper left corner, in paint order; and what it
    shows in words, for readers who do not see it."""

    width: float
    height: float
    words: str
    marks: list[Box | Rule | Label] = field(default_factory=list)


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
    chart = Chart(width, height, words)
    slot = min(9.0, width / max(1, len(bins)))
    most = max(0.0, *(value for _, value in bins)) if bins else 0.0
    least = min(0.0, *(value for _, value in bins)) if bins else 0.0
    figures = [number(value) for _, value in bins]
    small = TYPE_PT - 1 if slot < 6 else TYPE_PT
    shown = max((_width(text, faces, small) for text in figures), default=0.0) <= slot
    every = 1 + int(max((_width(text, faces, small) for text, _ in bins), default=0.0) / slot)
    # What is below nothing hangs from the line of nothing, with its figure under it.
    scale = (bottom - top - (4.0 if least < 0 else 0.0)) / ((most - least) or 1.0)
    zero = bottom if least == 0 else top + most * scale
    tall = [value * scale for _, value in bins]
    for index, high in enumerate(tall):
        y = zero - max(high, 0.0)
        chart.marks.append(Box((index + 0.11) * slot, y, slot * 0.78, abs(high), BAR, INK, 0.4 * MM_PER_PT))
    chart.marks.append(Rule(0, zero, max(width * 0.5, slot * len(bins)), zero))
    peak = max(range(len(bins)), key=lambda index: abs(tall[index]), default=0)
    for index, (label, value) in enumerate(bins):
        centre = (index + 0.5) * slot
        if value and (shown or index == peak):
            line = zero - tall[index] - SPARE - BELOW * small * MM_PER_PT
            if value < 0:
                line = zero - tall[index] + SPARE + ABOVE * small * MM_PER_PT
            chart.marks.append(Label(centre, line, figures[index], small, "middle"))
        if index % every == 0:
            line = bottom + 1.0 + ABOVE * small * MM_PER_PT
            chart.marks.append(Label(centre, line, label, small, "middle", SOFT))
    return chart


def _rows(bins: Sequence[tuple[str, float]], width: float, faces: Faces, words: str) -> Chart:
    step = 4.4
    labels = [_cut(label, faces, LABEL) for label, _ in bins]
    start = max((_width(label, faces) for label in labels), default=0.0) + 1.5
    figures = [number(value) for _, value in bins]
    widest = max((_width(text, faces) for text in figures), default=0.0) + 2 * SPARE
    most = max(0.0, *(value for _, value in bins)) if bins else 0.0
    least = min(0.0, *(value for _, value in bins)) if bins else 0.0
    room = width - start - widest * (2 if least < 0 else 1)
    scale = room / ((most - least) or 1.0)
    zero = start - least * scale + (widest if least < 0 else 0.0)
    chart = Chart(width, step * len(bins) + 1.0, words)
    long = [value * scale for _, value in bins]
    for index, wide in enumerate(long):
        x, y = zero + min(wide, 0.0), 0.5 + (index + 0.15) * step
        chart.marks.append(Box(x, y, abs(wide), step * 0.7, BAR_LIGHT, INK, 0.4 * MM_PER_PT, hatched=True))
    chart.marks.append(Rule(zero, 0, zero, chart.height))
    for index, label in enumerate(labels):
        line = 0.5 + (index + 0.5) * step + _half(TYPE_PT)
        chart.marks.append(Label(start - 1.0, line, label, TYPE_PT, "end"))
        x = zero + long[index]
        anchor: Anchor = "end" if long[index] < 0 else "start"
        x += -SPARE if long[index] < 0 else SPARE
        chart.marks.append(Label(x, line, figures[index], TYPE_PT, anchor))
    return chart


def matrix_charts(matrix: Matrix, width: float, faces: Faces) -> list[Chart]:
    """Heat maps of a matrix; as many as it takes for cells that can be read, `width` in mm."""
    if not matrix.rows or not matrix.columns:
        return []
    names = [_cut(faces.safe(name), faces, LABEL) for name in matrix.rows]
    margin = max(_width(name, faces) for name in names) + 1.5
    most = max(1, int((width - margin) / LEAST_CELL))
    most = max(1, min(most, int((width - margin) / _figure_room(matrix, faces))))
    side = min(MOST_CELL, (width - margin) / min(most, len(matrix.columns)))
    charts = []
    for first in range(0, len(matrix.columns), most):
        for top in range(0, len(names), MOST_ROWS):
            part = _Part(matrix, top, min(len(names), top + MOST_ROWS), first, most)
            charts.append(_heat_map(part, names, margin, side, width, faces))
    return charts


def _figure_room(matrix: Matrix, faces: Faces) -> float:
    """How wide a cell is for the widest figure of a matrix, mm: less than MOST_CELL unless that has many
    digits."""
    figures = {value for row in matrix.values for value in row}
    widest = max((_width(number(value), faces, TYPE_PT, bold=True) for value in figures), default=0.0)
    return min(WIDEST_CELL, max(LEAST_CELL, widest + 0.4))


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
    heads = [_cut(faces.safe(name), faces, LABEL) for name in part.columns]
    head = max(_width(name, faces) for name in heads) + 1.5
    everything = [value for row in matrix.values for value in row]
    low, high = min(0.0, *everything), max(everything)
    # Nothing at all is hatched where it is the exception, blank where it is the rule.
    holes = sum(value == 0 for value in everything) * 2 < len(everything)
    # Where some are below nothing, the lightest is the least, not nothing.
    blank = low >= 0
    wide = max(side, _figure_room(matrix, faces))
    chart = Chart(width, head + side * len(rows) + 0.6, _matrix_words(part, faces))
    for column, name in enumerate(heads):
        x = margin + (column + 0.5) * wide + _half(TYPE_PT)
        chart.marks.append(Label(x, head - 1.0, name, TYPE_PT, "start", upright=True))
    small = TYPE_PT if side >= 6 else TYPE_PT - 1
    for index, (name, values) in enumerate(zip(rows, part.values, strict=True)):
        y = head + index * side
        chart.marks.append(Label(margin - 1.0, y + side / 2 + _half(TYPE_PT), name, TYPE_PT, "end"))
        for column, value in enumerate(values):
            x, share = margin + column * wide, (value - low) / (high - low) if high > low else 0.0
            none = value == 0 and blank
            fill = BLANK if none else _shade(share)
            chart.marks.append(Box(x, y, wide, side, fill, HAIR, 0.5 * MM_PER_PT, none and holes))
            text = number(value)
            if (not none or holes) and _width(text, faces, small, bold=True) <= wide - 0.4:
                color = BLANK if not none and share > 0.45 else INK
                place = (x + wide / 2, y + side / 2 + _half(small))
                chart.marks.append(Label(*place, text, small, "middle", color, bold=True))
    return chart


def _matrix_words(part: _Part, faces: Faces) -> str:
    """Every row with what it has of each column."""
    lines = []
    for name, values in zip(part.matrix.rows[part.top : part.bottom], part.values, strict=True):
        cells = [f"{column} {number(value)}" for column, value in zip(part.columns, values) if value]
        lines.append(f"{name}: {', '.join(cells) or 'nothing'}")
    return faces.safe("; ".join(lines))


def _shade(share: float) -> str:
    """The colour of a share from 0 to 1, as `#rrggbb`."""
    mixed = (light + (dark - light) * share for light, dark in zip(LIGHT, DARK, strict=True))
    return "#" + "".join(f"{round(part * 255):02x}" for part in mixed)


def _half(size: float) -> float:
    """How far below the middle of its figures a line of type of a size (pt) is, mm."""
    return CAP * size * MM_PER_PT / 2


def _width(text: str, faces: Faces, size: float = TYPE_PT, *, bold: bool = False) -> float:
    """How wide a text is set, mm."""
    return ems(text, faces.narrow_bold if bold else faces.narrow) * size * MM_PER_PT


def _cut(text: str, faces: Faces, room: float) -> str:
    """Text that fits the room (mm), cut short with an ellipsis if it must be."""
    if _width(text, faces) <= room:
        return text
    while text and _width(text + "…", faces) > room:
        text = text[:-1]
    return text.rstrip() + "…"
