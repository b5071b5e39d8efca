"""Draw a report's charts as SVG, for the page and the PDF, and provide its fonts: their characters, the
widths of texts, and subsets for a page."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any, Literal

from cardgen.core.geometry import MM_PER_PT
from cardgen.core.records import astuple, dataclass
from cardgen.files.reading import FONT, read_file
from cardgen.rules.report_fields import shortened
from cardgen.rules.results import Histogram, Matrix, number

_SIGNS = {"\u0394": "\u2206", "\u03a9": "\u2126", "\u03bc": "\u00b5"}
"""Greek letters, and the signs of mathematics and measures for them: delta, omega, mu."""


@dataclass(frozen=True, slots=True)
class Faces:
    """The font files of a report: TrueType, so that every format can embed them."""

    regular: Path
    bold: Path
    narrow: Path
    """For tables and charts."""
    narrow_bold: Path
    mono: Path
    """For ids and places in files."""

    def paths(self) -> Iterator[Path]:
        yield from astuple(self)

    def safe(self, text: str) -> str:
        """Return text in characters of every face: others become a sign that looks alike, as in ΔE, or a
        code, as in <U+4E2D>."""
        known = _common(self)
        shown = (char if char in known else _SIGNS.get(char, char) for char in text)
        return "".join(char if char in known else f"<U+{ord(char):04X}>" for char in shown)


@lru_cache(maxsize=8)
def _common(faces: Faces) -> frozenset[str]:
    """Return the characters that every face can set."""
    return frozenset.intersection(*map(_characters, faces.paths()))


def _data(path: Path) -> bytes:
    return read_file(path, FONT, path.name, None)  # the bundled fonts


@lru_cache(maxsize=32)
def _characters(path: Path) -> frozenset[str]:
    """Return all characters in a font file."""
    return frozenset(map(chr, _font(path).face.unicodes))


@lru_cache(maxsize=32)
def _font(path: Path) -> Any:
    import uharfbuzz as hb

    return hb.Font(hb.Face(_data(path)))


@lru_cache(maxsize=50_000)
def ems(text: str, path: Path) -> float:
    """Return the width of a text in ems."""
    import uharfbuzz as hb

    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    font = _font(path)
    hb.shape(font, buffer)
    return float(sum(place.x_advance for place in buffer.glyph_positions or ()) / font.face.upem)


def subset_base64(path: Path, text: str) -> str:
    """Return a font file with the characters of a text only, in Base64 for a `data:` address."""
    import uharfbuzz as hb

    wanted = hb.SubsetInput()
    wanted.flags = hb.SubsetFlags.NO_HINTING
    wanted.unicode_set.update(ord(char) for char in sorted(set(text) & _characters(path)))
    return base64.b64encode(hb.subset(hb.Face(_data(path)), wanted).blob.data).decode("ascii")


INK, SOFT, HAIR = "#1c2326", "#5a666a", "#c3cbcd"
BAR, BAR_LIGHT, BLANK = "#54777b", "#e9eeee", "#ffffff"
LIGHT, DARK = (0.930, 0.949, 0.949), (0.086, 0.239, 0.259)
"""The ends of the heat map's ramp, as RGB; grey values 0.94 and 0.20."""

TYPE_PT = 7.0
LEAST_CELL, MOST_CELL = 4.2, 5.0
"""The smallest and largest side of a heat map's cell, mm."""
WIDEST_CELL = 16.0
"""The largest width of a cell with a long figure, mm."""
MOST_ROWS = 34
"""Most rows of one heat map, so that it fits a page."""
LABEL = 36.0
"""Most room for the names of bars and rows, mm."""
SPARE = 0.6
"""Room between a mark and its label, mm."""


CAP, ABOVE, BELOW = 0.7, 0.74, 0.2
"""The height of capitals and digits, and of ascenders and descenders, in ems."""

Anchor = Literal["start", "middle", "end"]


HATCH, HATCH_LINE, HATCH_STEP = "#9aa5a8", 0.12, 1.1
"""The lines of hatching: their color, their width and the distance between them, mm."""
AXIS_LINE = 0.18
EDGE_LINE = 0.4 * MM_PER_PT
CELL_LINE = 0.5 * MM_PER_PT
NARROW = 'font-family="Report Narrow, IBM Plex Sans" font-stretch="condensed"'
BOLD = ' font-family="Report Narrow, IBM Plex Sans Cond SmBld" font-weight="600"'
"""The page embeds its fonts under the first name; the PDF finds them in their files under the second."""


class Chart:
    """A drawing in mm from its upper left corner. `words` describe it for screen readers."""

    def __init__(self, width: float, height: float, words: str) -> None:
        self.width, self.height, self.words = width, height, words
        self._marks: list[str] = []

    def box(
        self, x: float, y: float, width: float, height: float, fill: str, edge: str, line: float
    ) -> None:
        """Draw a rectangle with an outline, `line` mm wide."""
        self._marks.append(
            f'<rect x="{x:.3f}" y="{y:.3f}" width="{width:.3f}" height="{height:.3f}" fill="{fill}" '
            f'stroke="{edge}" stroke-width="{line:.3f}"/>'
        )

    def hatch(self, x: float, y: float, width: float, height: float) -> None:
        """Draw diagonal lines within a rectangle."""
        step = HATCH_STEP * 2**0.5
        lines = []
        for index in range(int((width + height) / step) + 1):
            start = index * step - height  # the line would leave through the upper edge
            left, right = max(0.0, start), min(width, start + height)
            long = right - left
            lines.append(f"M{x + left:.2f} {y + left - start:.2f}l{long:.2f} {long:.2f}")
        self._marks.append(f'<path d="{"".join(lines)}" stroke="{HATCH}" stroke-width="{HATCH_LINE}"/>')

    def line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        """Draw an axis."""
        self._marks.append(
            f'<path d="M{x1:.3f} {y1:.3f}L{x2:.3f} {y2:.3f}" stroke="{INK}" stroke-width="{AXIS_LINE}"/>'
        )

    def label(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        anchor: Anchor,
        color: str = INK,
        *,
        bold: bool = False,
        upright: bool = False,
    ) -> None:
        """Draw a text of `size` pt that starts, is centered or ends at a point."""
        turned = f' transform="rotate(-90 {x:.3f} {y:.3f})"' if upright else ""
        self._marks.append(
            f'<text x="{x:.3f}" y="{y:.3f}" font-size="{size * MM_PER_PT:.3f}" text-anchor="{anchor}" '
            f'fill="{color}"{BOLD if bold else ""}{turned}>{escape(text)}</text>'
        )

    def svg(self) -> str:
        """Return the drawing as an SVG element."""
        width, height = f"{self.width:g}", f"{self.height:g}"
        return (
            f'<svg role="img" aria-label="{escape(self.words, quote=True)}" '
            f'xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
            f'viewBox="0 0 {width} {height}" {NARROW}>{"".join(self._marks)}</svg>'
        )


def histogram_chart(histogram: Histogram, width: float, faces: Faces) -> Chart:
    """Return a histogram: columns for ordered numbers, rows for categories; `width` in mm."""
    histogram = shortened(histogram, 40)
    bins = [(faces.safe(label), value) for label, value in histogram.bins]
    words = "; ".join(f"{label}: {number(value)}" for label, value in bins)
    if histogram.numeric and len(bins) <= 62:
        return _columns(bins, width, faces, words)
    return _rows(bins, width, faces, words)


def _columns(bins: Sequence[tuple[str, float]], width: float, faces: Faces, words: str) -> Chart:
    height, top, bottom = 23.0, 5.0, 18.0
    chart = Chart(width, height, words)
    slot = min(9.0, width / max(1, len(bins)))
    least, most = min(0.0, *(value for _, value in bins)), max(0.0, *(value for _, value in bins))
    figures = [number(value) for _, value in bins]
    small = TYPE_PT - 1 if slot < 6 else TYPE_PT
    shown = max((_width(text, faces, small) for text in figures), default=0.0) <= slot
    every = 1 + int(max((_width(text, faces, small) for text, _ in bins), default=0.0) / slot)
    # A negative bar goes down from the zero line, with its figure below it.
    scale = (bottom - top - (4.0 if least < 0 else 0.0)) / ((most - least) or 1.0)
    zero = bottom if least == 0 else top + most * scale
    tall = [value * scale for _, value in bins]
    for index, high in enumerate(tall):
        y = zero - max(high, 0.0)
        chart.box((index + 0.11) * slot, y, slot * 0.78, abs(high), BAR, INK, EDGE_LINE)
    chart.line(0, zero, max(width * 0.5, slot * len(bins)), zero)
    peak = max(range(len(bins)), key=lambda index: abs(tall[index]), default=0)
    for index, (label, value) in enumerate(bins):
        centre = (index + 0.5) * slot
        if value and (shown or index == peak):
            line = zero - tall[index] - SPARE - BELOW * small * MM_PER_PT
            if value < 0:
                line = zero - tall[index] + SPARE + ABOVE * small * MM_PER_PT
            chart.label(centre, line, figures[index], small, "middle")
        if index % every == 0:
            line = bottom + 1.0 + ABOVE * small * MM_PER_PT
            chart.label(centre, line, label, small, "middle", SOFT)
    return chart


def _rows(bins: Sequence[tuple[str, float]], width: float, faces: Faces, words: str) -> Chart:
    step = 3.9
    labels = [_shorten(label, faces, LABEL) for label, _ in bins]
    start = max((_width(label, faces) for label in labels), default=0.0) + 1.5
    figures = [number(value) for _, value in bins]
    widest = max((_width(text, faces) for text in figures), default=0.0) + 2 * SPARE
    least, most = min(0.0, *(value for _, value in bins)), max(0.0, *(value for _, value in bins))
    room = width - start - widest * (2 if least < 0 else 1)
    scale = room / ((most - least) or 1.0)
    zero = start - least * scale + (widest if least < 0 else 0.0)
    chart = Chart(width, step * len(bins) + 1.0, words)
    long = [value * scale for _, value in bins]
    for index, wide in enumerate(long):
        x, y = zero + min(wide, 0.0), 0.5 + (index + 0.15) * step
        chart.box(x, y, abs(wide), step * 0.7, BAR_LIGHT, INK, EDGE_LINE)
        chart.hatch(x, y, abs(wide), step * 0.7)
    chart.line(zero, 0, zero, chart.height)
    for index, label in enumerate(labels):
        line = 0.5 + (index + 0.5) * step + _drop(TYPE_PT)
        chart.label(start - 1.0, line, label, TYPE_PT, "end")
        x = zero + long[index]
        anchor: Anchor = "end" if long[index] < 0 else "start"
        x += -SPARE if long[index] < 0 else SPARE
        chart.label(x, line, figures[index], TYPE_PT, anchor)
    return chart


def matrix_charts(matrix: Matrix, width: float, faces: Faces) -> list[Chart]:
    """Return the heat maps of a matrix, split so that cells are legible; `width` in mm."""
    return _HeatMaps(matrix, width, faces).charts() if matrix.rows and matrix.columns else []


class _HeatMaps:
    """The parts of a matrix as drawings with the same margin, cells and shades."""

    def __init__(self, matrix: Matrix, width: float, faces: Faces) -> None:
        self.matrix, self.width, self.faces = matrix, width, faces
        figures = [value for row in matrix.values for value in row]
        self.low, self.high = min(0.0, *figures), max(figures)
        # If some values are negative, the least value is the lightest, not zero.
        self.blank = self.low >= 0
        # Cells of zero are hatched if they are rare, and blank if they are common.
        self.holes = self.blank and sum(value == 0 for value in figures) * 2 < len(figures)
        self.margin = self._head(matrix.rows)
        widest = max((_width(number(value), faces, bold=True) for value in set(figures)), default=0.0)
        room, least = width - self.margin, min(WIDEST_CELL, max(LEAST_CELL, widest + 0.4))
        self.most = max(1, int(room / least))
        self.side = min(MOST_CELL, room / min(self.most, len(matrix.columns)))
        self.wide = max(self.side, least)

    def charts(self) -> list[Chart]:
        title, rows, columns, values = astuple(self.matrix)
        charts = []
        for left in range(0, len(columns), self.most):
            across = slice(left, left + self.most)
            for top in range(0, len(rows), MOST_ROWS):
                down = slice(top, top + MOST_ROWS)
                cells = tuple(row[across] for row in values[down])
                charts.append(self._chart(Matrix(title, rows[down], columns[across], cells)))
        return charts

    def _head(self, names: Sequence[str]) -> float:
        """Return the width of the longest name, mm."""
        return max(_width(self._name(name), self.faces) for name in names) + 1.5

    def _name(self, name: str) -> str:
        return _shorten(self.faces.safe(name), self.faces, LABEL)

    def _chart(self, part: Matrix) -> Chart:
        head, side = self._head(part.columns), self.side
        words = self.faces.safe(_matrix_words(part))
        width = min(self.width, self.margin + len(part.columns) * self.wide + 0.6)
        chart = Chart(width, head + side * len(part.rows) + 0.6, words)
        for column, name in enumerate(part.columns):
            x = self.margin + (column + 0.5) * self.wide + _drop(TYPE_PT)
            chart.label(x, head - 1.0, self._name(name), TYPE_PT, "start", upright=True)
        for row, (name, values) in enumerate(zip(part.rows, part.values, strict=True)):
            y = head + row * side
            chart.label(self.margin - 1.0, y + side / 2 + _drop(TYPE_PT), self._name(name), TYPE_PT, "end")
            for column, value in enumerate(values):
                self._cell(chart, self.margin + column * self.wide, y, value)
        return chart

    def _cell(self, chart: Chart, x: float, y: float, value: float) -> None:
        wide, side = self.wide, self.side
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.0
        none = value == 0 and self.blank
        chart.box(x, y, wide, side, BLANK if none else _shade(share), HAIR, CELL_LINE)
        if none and self.holes:
            chart.hatch(x, y, wide, side)
        text, size = number(value), TYPE_PT if side >= 6 else TYPE_PT - 1
        if (self.holes or not none) and _width(text, self.faces, size, bold=True) <= wide - 0.4:
            color = BLANK if not none and share > 0.45 else INK
            chart.label(x + wide / 2, y + side / 2 + _drop(size), text, size, "middle", color, bold=True)


def _matrix_words(matrix: Matrix) -> str:
    """Return each row with its value in each column."""
    lines = []
    for name, values in zip(matrix.rows, matrix.values, strict=True):
        cells = [f"{column} {number(value)}" for column, value in zip(matrix.columns, values) if value]
        lines.append(f"{name}: {', '.join(cells) or 'nothing'}")
    return "; ".join(lines)


def _shade(share: float) -> str:
    """Return the color of a share from 0 to 1, as `#rrggbb`."""
    mixed = (light + (dark - light) * share for light, dark in zip(LIGHT, DARK, strict=True))
    return "#" + "".join(f"{round(part * 255):02x}" for part in mixed)


def _drop(size: float) -> float:
    """Return how far the baseline is below the middle of the digits, for a size in pt, mm."""
    return CAP * size * MM_PER_PT / 2


def _width(text: str, faces: Faces, size: float = TYPE_PT, *, bold: bool = False) -> float:
    """Return the width of a text, mm."""
    return ems(text, faces.narrow_bold if bold else faces.narrow) * size * MM_PER_PT


def _shorten(text: str, faces: Faces, room: float) -> str:
    """Return the text, shortened with an ellipsis if it is wider than the room (mm)."""
    if _width(text, faces) <= room:
        return text
    while text and _width(text + "…", faces) > room:
        text = text[:-1]
    return text.rstrip() + "…"
