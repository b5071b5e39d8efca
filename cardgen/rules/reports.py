"""A game and its judged rules as a report: a page, a book, or JSON for programs."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from cardgen.core.findings import Finding
from cardgen.core.game import Game
from cardgen.core.geometry import MM_PER_PT
from cardgen.files.reading import FONT, read_file
from cardgen.rules.report_content import Earlier, PressPage, cell_text, collect, figure_columns
from cardgen.rules.report_fields import shortened
from cardgen.rules.results import Histogram, Matrix, RuleResult, Table, number

FORMATS = ("html", "pdf", "json")
"""Each a module with a function `write(report, faces)`, imported when it is asked for."""


def report(
    game: Game,
    results: Sequence[RuleResult],
    format: str,
    faces: Faces,
    cross: Sequence[tuple[str, str]] = (),
    earlier: Earlier | None = None,
    pictures: Mapping[Finding, bytes] | None = None,
    *,
    press: PressPage | None = None,
) -> bytes:
    """A report as the content of a file, with a page on a press if there is one. The same input gives the
    same bytes. `cross` are pairs of fields that get a cross-table; `earlier` is the game as it was, to be
    compared with; `pictures` are PNG files of the cards that findings stand at, which pages show.

    KeyError for a format that is not in FORMATS, UsageError for a pair that no component has.
    """
    if format not in FORMATS:
        raise KeyError(format)
    collected = replace(collect(game, results, cross, earlier, pictures), press=press)
    content: bytes = import_module(f"cardgen.rules.report_{format}").write(collected, faces)
    return content


_SIGNS = {"\u0394": "\u2206", "\u03a9": "\u2126", "\u03bc": "\u00b5"}
"""Greek letters, and the signs of mathematics and measures for them: delta, omega, mu."""


@dataclass(frozen=True, slots=True)
class Faces:
    """The font files of a report: TrueType, so that every format can take them in."""

    regular: Path
    bold: Path
    narrow: Path
    """For tables and charts."""
    narrow_bold: Path
    mono: Path
    """For ids and places in files."""

    def safe(self, text: str) -> str:
        """Text that every face can set: a letter they lack is the sign that looks like it, as in ΔE,
        another character is named, as in <U+4E2D>."""
        known = _common(self)
        shown = (char if char in known else _SIGNS.get(char, char) for char in text)
        return "".join(char if char in known else f"<U+{ord(char):04X}>" for char in shown)


@lru_cache(maxsize=8)
def _common(faces: Faces) -> frozenset[str]:
    """The characters that every face can set."""
    paths = (faces.regular, faces.bold, faces.narrow, faces.narrow_bold, faces.mono)
    return frozenset.intersection(*(characters(path) for path in paths))


def _data(path: Path) -> bytes:
    return read_file(path, FONT, path.name, None)  # the bundled fonts


@lru_cache(maxsize=32)
def characters(path: Path) -> frozenset[str]:
    """All characters that a font file has a glyph for."""
    import uharfbuzz as hb

    return frozenset(map(chr, hb.Face(_data(path)).unicodes))


@lru_cache(maxsize=32)
def _font(path: Path) -> Any:
    import uharfbuzz as hb

    return hb.Font(hb.Face(_data(path)))


@lru_cache(maxsize=50_000)
def ems(text: str, path: Path) -> float:
    """How wide a text is set, in multiples of its size."""
    import uharfbuzz as hb

    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    font = _font(path)
    hb.shape(font, buffer)
    return float(sum(place.x_advance for place in buffer.glyph_positions or ()) / font.face.upem)


def subset_base64(path: Path, text: str) -> str:
    """A font file cut down to the characters of a text, in Base64 for a `data:` address."""
    import uharfbuzz as hb

    wanted = hb.SubsetInput()
    wanted.flags = hb.SubsetFlags.NO_HINTING
    wanted.unicode_set.update(ord(char) for char in sorted(set(text)) if char in characters(path))
    return base64.b64encode(hb.subset(hb.Face(_data(path)), wanted).blob.data).decode("ascii")


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


SHORT = 16
"""Cells of at most this many characters stay on one line."""
LONGEST_ID = 40
"""And so do ids and other single words, up to this many."""

ROOM, LEAST_ROOM, FIGURE_ROOM = 6.0, 3.4, 6.4
"""Room beside a column's text: what is nice, what it takes, and what it takes beside a figure; mm."""
MOST_COLUMN = 62.0
"""The most that a column's text asks for, mm."""


def whole_columns(table: Table) -> list[bool]:
    """Which columns are never broken into lines: short cells, and single words such as ids."""
    columns = [[cell_text(cell) for cell in column] for column in zip(*table.rows)]
    found = [
        all(len(text) <= (SHORT if " " in text else LONGEST_ID) for text in column) for column in columns
    ]
    return found or [True] * len(table.columns)


def column_widths(table: Table, faces: Faces, size: float, most: float) -> list[float]:
    """Widths of a table's columns, set at `size` pt, that add up to at most `most`; all in mm.

    Where the columns ask for more, the long texts give way, but never so far that a word breaks.
    """
    figures, wholes = figure_columns(table), whole_columns(table)
    asked, least = [], []
    for column, head in enumerate(table.columns):
        texts = [faces.safe(cell_text(row[column])) for row in table.rows]
        parts = texts if wholes[column] else [word for text in texts for word in text.split()]
        title = _widest([faces.safe(head)], faces, size, bold=True)
        need = max(title, _widest(parts, faces, size))
        wish = max(need, min(MOST_COLUMN, _widest(texts, faces, size)))
        least.append(need + (FIGURE_ROOM if figures[column] else LEAST_ROOM))
        asked.append(max(least[-1], wish + ROOM))
    excess = sum(asked) - most
    if excess <= 0:
        return asked
    give = [wish - need for wish, need in zip(asked, least, strict=True)]
    if sum(give) >= excess:
        return [wish - excess * part / sum(give) for wish, part in zip(asked, give, strict=True)]
    # Too many columns for whole words: they share what there is.
    return [need * most / sum(least) for need in least]


def _widest(texts: Sequence[str], faces: Faces, size: float, bold: bool = False) -> float:
    face = faces.narrow_bold if bold else faces.narrow
    return max((ems(text, face) for text in texts), default=0.0) * size * MM_PER_PT
