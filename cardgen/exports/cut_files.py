"""Cuts as SVG, DXF and PNG for cutting machines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import closing
from io import BytesIO
from itertools import pairwise
from typing import Any

import pypdfium2
from PIL import Image, ImageChops

from cardgen.core.geometry import Point, Rect, Size, decimal, edges_of, to_px
from cardgen.core.sheets import Cut, Stroke, Tool
from cardgen.exports.job import filled_in
from cardgen.exports.pdf import write_filled_pdf
from cardgen.pdf.pixels import encode_png, page_pixels

MARKS = "REGMARK"
_BLACK = 7
LAYERS: dict[Tool, tuple[int, str]] = {
    "cut": (1, "#ff0000"),
    "half-cut": (6, "#ff00ff"),
    "crease": (5, "#0000ff"),
    "perforation": (3, "#00aa00"),
}
"""The color of each tool, in DXF by AutoCAD's index. DXF's layers are the tools in capitals."""
_OFF = 0.01
"""mm that short lines may deviate from a curve."""


def cuts_as_dxf(cuts: Sequence[Cut], page: Size, marks: Sequence[Rect] = ()) -> bytes:
    """Return the document, ASCII. The lower left corner of the paper is at 0, 0. Each tool has a layer, and
    so have `marks`, squares."""
    used = {"cut", *(cut.tool for cut in cuts)}
    layers = [(tool.upper(), color) for tool, (color, _) in LAYERS.items() if tool in used]
    layers.append((MARKS, _BLACK))
    pairs: list[tuple[int, object]] = []
    for cut in cuts:
        pairs += _entities(cut, page)
    for mark in marks:
        for start, end in edges_of(mark.corners):
            pairs += _line(start, end, page, MARKS)
    entities = "".join(f"{code:3}\n{_value(value)}\n" for code, value in pairs)
    return filled_in("cuts.dxf", page=page, layers=layers, entities=entities).encode("ascii")


def _value(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _entities(cut: Cut, page: Size) -> Iterator[tuple[int, object]]:
    first, layer = cut.strokes[0], cut.tool.upper()
    across, down = first.radii
    around = first.middle
    round_ = len(cut.strokes) == 4 and all(stroke.middle == around for stroke in cut.strokes)
    if around is not None and round_ and math.isclose(across, down):
        yield from ((0, "CIRCLE"), (8, layer), *_at(around, page), (40, across))
        return
    for stroke in cut.strokes:
        across, down = stroke.radii
        if stroke.middle is None:
            yield from _line(stroke.start, stroke.end, page, layer)
        elif math.isclose(across, down):
            # Clockwise on the page is clockwise with y up too; DXF's arcs run the other way.
            begin, end = (_angle(stroke, place) for place in (stroke.end, stroke.start))
            yield from ((0, "ARC"), (8, layer), *_at(stroke.middle, page), (40, across))
            yield from ((50, begin), (51, end))
        else:
            for start, stop in pairwise(_places(stroke)):
                yield from _line(start, stop, page, layer)


def _line(start: Point, end: Point, page: Size, layer: str) -> Iterator[tuple[int, object]]:
    yield from ((0, "LINE"), (8, layer), *_at(start, page))
    yield from ((11, float(end[0])), (21, float(page.height - end[1])))


def _at(place: Point, page: Size) -> tuple[tuple[int, object], ...]:
    return (10, float(place[0])), (20, float(page.height - place[1]))


def _angle(stroke: Stroke, place: Point) -> float:
    """Return the angle of a point on a stroke's circle, counter-clockwise with y up."""
    assert stroke.middle is not None
    x, y = place[0] - stroke.middle[0], stroke.middle[1] - place[1]
    return math.degrees(math.atan2(y, x)) % 360


def _places(stroke: Stroke) -> Iterator[Point]:
    """Yield points along a quarter of an ellipse, close enough to look smooth."""
    assert stroke.middle is not None
    (x, y), (across, down) = stroke.middle, stroke.radii
    begin = math.atan2((stroke.start[1] - y) / down, (stroke.start[0] - x) / across)
    step = 2 * math.acos(max(0.0, 1 - _OFF / max(across, down)))
    count = max(2, math.ceil(math.pi / 2 / step))
    for index in range(count + 1):
        angle = begin + math.pi / 2 * index / count
        yield x + across * math.cos(angle), y + down * math.sin(angle)


MARKS_LAYER = "Regmark"
"""The layer of marks, as Summa's plug-in calls it."""


def cuts_as_svg(cuts: Sequence[Cut], page: Size, title: str, marks: Sequence[Rect] = ()) -> bytes:
    """Return the document in UTF-8, a group for each tool. `marks` for the machine are black, in a group of
    their own."""
    squares = [(each.x, each.y, each.width, each.height) for each in marks]
    return filled_in(
        "cuts.svg",
        width=decimal(page.width),
        height=decimal(page.height),
        title=title,
        groups=[
            (tool, color, paths)
            for tool, (_, color) in LAYERS.items()
            if (paths := [path_of(cut) for cut in cuts if cut.tool == tool]) or tool == "cut"
        ],
        layer=MARKS_LAYER,
        marks=[tuple(map(decimal, square)) for square in squares],
    ).encode("utf-8")


def path_of(cut: Cut) -> str:
    """Return a cut as SVG path data."""

    def point(place: tuple[float, float]) -> str:
        return f"{decimal(place[0])} {decimal(place[1])}"

    parts = [f"M{point(cut.strokes[0].start)}"]
    for stroke in cut.strokes:
        if stroke.middle is None:
            parts.append(f"L{point(stroke.end)}")
        else:
            parts.append(f"A{point(stroke.radii)} 0 0 1 {point(stroke.end)}")
    return "".join([*parts, "Z" if cut.closed else ""])


DPI = 300
LARGEST = Size(6.75 * 25.4, 9.25 * 25.4)
"""mm: the largest Print then Cut picture on US Letter, either way round. Cricut's own help page was not
available; many who make such pictures quote this. On larger paper newer machines take more."""


def cuts_as_png(page: Size, pdf: bytes, cuts: Sequence[Cut]) -> bytes:
    """Return the picture, at 300 dpi, cropped to the block of pieces. `pdf` shows the page with only its
    art, `cuts` are the whole outlines of its pieces. Raises CardgenError for too many pixels."""
    outlines = BytesIO()
    write_filled_pdf(page, cuts, outlines)
    size = to_px(page.width, DPI), to_px(page.height, DPI)
    art, shown = _pixels(pdf, size), _pixels(outlines.getvalue(), size).convert("L")
    art.putalpha(ImageChops.invert(shown))
    box = block_of(cuts)
    scale = size[0] / page.width
    left, top = max(0, int(box.x * scale)), max(0, int(box.y * scale))
    right, bottom = min(size[0], int(box.right * scale) + 1), min(size[1], int(box.bottom * scale) + 1)
    return encode_png(art.crop((left, top, right, bottom)), DPI)


def block_of(cuts: Sequence[Cut]) -> Rect:
    """Return the rectangle around cuts, at least one."""
    strokes = [stroke for cut in cuts for stroke in cut.strokes]
    return Rect.around(place for stroke in strokes for place in (stroke.start, stroke.end))


def _pixels(pdf: bytes, size: tuple[int, int]) -> Image.Image:
    document: Any
    with closing(pypdfium2.PdfDocument(pdf)) as document, closing(document[0]) as page:
        return page_pixels(page, size, False)
