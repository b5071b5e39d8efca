"""A check that print up to the cut continues into the bleed: no knife cuts exactly along the trim.

Seen in pixels, so that it does not matter what draws it. Said only of an edge along which nothing at all is
in the bleed's outer part, while paint that comes to the trim stops at one straight line: patterns,
scenes and shapes that end by chance near the trim are no slips.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal

from PIL import Image, ImageChops

from cardgen.core.geometry import MM_PER_INCH, Point, Rect, Shape, corners_of
from cardgen.core.records import dataclass, replace

Edge = Literal["left", "top", "right", "bottom"]
EDGES: tuple[Edge, ...] = ("left", "top", "right", "bottom")

NEAR = 0.5
"""mm from the trim inwards: what comes so close is meant to be cut off."""
_LEAST = 0.2
"""Of an edge, along which paint stops at one line: less may be a part of a pattern."""
_PAPER, _PAINT = 250, 235
"""A pixel is paper if its darkest channel is brighter than the one, and paint if it is darker than the
other."""


@dataclass(frozen=True, slots=True)
class ShortEdge:
    """An edge of a side where paint comes to the trim and stops `missing` mm before the edge of the bleed,
    along `length` mm."""

    edge: str
    missing: float
    length: float


def short_edges(image: Image.Image, trim: Rect, corner: float, dpi: float) -> Iterator[ShortEdge]:
    """Yield the edges of a side at which paint stops short. `image` shows the side with its bleed; what
    lies in its corners, rounded by `corner` mm, is not looked at."""
    turns = (None, Image.Transpose.TRANSPOSE, Image.Transpose.FLIP_LEFT_RIGHT, Image.Transpose.TRANSVERSE)
    scale = dpi / MM_PER_INCH
    inside = round((trim.x + NEAR) * scale)
    first = round((max(corner, trim.x) + trim.x) * scale)
    for edge, turn in zip(EDGES, turns):
        along, depth = image.height, image.width
        if edge in ("top", "bottom"):
            along, depth = depth, along
        if inside < 2 or first >= along - first or inside + 1 >= depth:
            continue
        strip = darkest(image.crop(_strip(image, edge, inside + 1, first)))
        found = longest(strip if turn is None else strip.transpose(turn))
        if found is not None:
            length, missing = found
            yield ShortEdge(edge, missing / scale, length / scale)


def short_edges_of_parts(
    image: Image.Image, parts: Iterable[tuple[str, Rect, Collection[Edge]]], bleed: float, dpi: float
) -> Iterator[ShortEdge]:
    """Yield the same of parts of a side that are cut along some of their edges: each with its name,
    where it lies, mm from the corner of the image, and these edges."""
    scale = dpi / MM_PER_INCH
    for name, rect, cut in parts:
        area = rect.inset(-bleed)
        left, top, right, bottom = (
            round(each * scale) for each in (area.x, area.y, area.right, area.bottom)
        )
        if not cut or left < 0 or top < 0 or right > image.width + 1 or bottom > image.height + 1:
            continue
        inner = Rect(bleed, bleed, rect.width, rect.height)
        for found in short_edges(image.crop((left, top, right, bottom)), inner, 0.0, dpi):
            if found.edge in cut:
                yield replace(found, edge=f"{found.edge} ({name})")


def _strip(image: Image.Image, edge: Edge, depth: int, corner: int) -> tuple[int, int, int, int]:
    """Return the part of an image along an edge, `depth` pixels deep, between its corners."""
    width, height = image.size
    if edge == "left":
        return 0, corner, depth, height - corner
    if edge == "top":
        return corner, 0, width - corner, depth
    if edge == "right":
        return width - depth, corner, width, height - corner
    return corner, height - depth, width - corner, height


def darkest(image: Image.Image) -> Image.Image:
    """Return the least of each pixel's channels."""
    red, green, blue = image.convert("RGB").split()
    return ImageChops.darker(ImageChops.darker(red, green), blue)


def longest(strip: Image.Image) -> tuple[int, int] | None:
    """Return along how many rows paint stops at one line, and how far from the left edge, if these are too
    many rows: `strip` lies along the edge, turned so that this is on the left."""
    width = strip.width
    outer = strip.crop((0, 0, max(1, width // 2), strip.height)).getextrema()
    inner = strip.crop((width - 2, 0, width, strip.height)).getextrema()
    if _least(outer) <= _PAPER or _least(inner) > _PAINT:
        return None
    best, run, line = (0, 0), 0, 0
    data = strip.tobytes()
    for row in range(strip.height):
        stop = _stop(data[row * width : (row + 1) * width])
        run = run + 1 if run and stop < width and abs(stop - line) <= 1 else int(stop < width)
        line = stop
        best = max(best, (run, line))
    return best if best[0] >= _LEAST * strip.height else None


def _least(extrema: object) -> int:
    """Return the darkest of an image's pixels."""
    assert isinstance(extrema, tuple)
    return int(extrema[0])


def _stop(row: bytes) -> int:
    """Return where paint that reaches the last pixel of a row begins; the length of the row if there is
    none."""
    stop = len(row)
    if row[-1] <= _PAINT and row[-2] <= _PAINT:
        while stop and row[stop - 1] <= _PAINT:
            stop -= 1
    return stop


_AROUND = 64
"""Straight parts that stand for an ellipse: of a token of 100 mm they are off by 0.06 mm."""
_NAMES = (
    *("right", "lower right", "bottom", "lower left"),
    *("left", "upper left", "top", "upper right"),
)
"""Names of a side's position, by the eighth of a turn that it faces, clockwise."""

_Line = tuple[Point, Point]


def short_sides(image: Image.Image, trim: Rect, shape: Shape, dpi: float) -> Iterator[ShortEdge]:
    """Yield the sides of a polygon or hexagon, or the round edge of an ellipse, at which paint stops
    short. `image` shows the side with its bleed. Nothing of a rectangle, which `short_edges` looks at."""
    bleed = trim.x
    if (corners := corners_of(shape, trim)) is not None:
        for start, end in zip(corners, (*corners[1:], corners[0])):
            line = _shortened(start, end, bleed)
            if line is not None:
                yield from _short(image, _name(line), [line], bleed, dpi)
    elif shape == "ellipse":
        yield from _short(image, "round", list(_round(trim)), bleed, dpi)


def _shortened(start: Point, end: Point, by: float) -> _Line | None:
    """Return a side without its ends, where the bleeds of two sides meet; None if nothing is left."""
    length = math.dist(start, end)
    if length <= 4 * by:
        return None
    across, down = (end[0] - start[0]) / length * by, (end[1] - start[1]) / length * by
    return (start[0] + across, start[1] + down), (end[0] - across, end[1] - down)


def _round(trim: Rect) -> Iterator[_Line]:
    """Yield an ellipse as lines, clockwise."""
    x, y, rx, ry = trim.x + trim.width / 2, trim.y + trim.height / 2, trim.width / 2, trim.height / 2

    def point(step: int) -> Point:
        angle = 2 * math.pi * step / _AROUND
        return x + rx * math.cos(angle), y + ry * math.sin(angle)

    for step in range(_AROUND):
        yield point(step), point(step + 1)


def _name(line: _Line) -> str:
    """Name a side as seen from the middle of the piece: clockwise, its outside is on its left."""
    (x, y), (to_x, to_y) = line
    angle = math.degrees(math.atan2(x - to_x, to_y - y)) % 360
    if min(angle % 90, 90 - angle % 90) < 1:
        return _NAMES[round(angle / 90) % 4 * 2]
    return _NAMES[int(angle // 90) * 2 + 1]


def _short(
    image: Image.Image, name: str, lines: Sequence[_Line], bleed: float, dpi: float
) -> Iterator[ShortEdge]:
    """Return the missing bleed along lines that follow one another."""
    scale = dpi / MM_PER_INCH
    depth = round((bleed + NEAR) * scale) + 1
    parts = [(line, round(math.dist(*line) * scale)) for line in lines]
    if depth < 4 or sum(rows for _, rows in parts) < 4:
        return
    strip = Image.new("RGB", (depth, sum(rows for _, rows in parts)), "white")
    top = 0
    for line, rows in parts:
        if rows:
            strip.paste(_straight(image, line, (depth, rows), bleed, scale), (0, top))
            top += rows
    found = longest(darkest(strip))
    if found is not None:
        length, missing = found
        yield ShortEdge(name, missing / scale, length / scale)


def _outwards(line: _Line) -> tuple[Point, Point]:
    """Return the direction of a line, and that out of the piece, each 1 long."""
    (x, y), (to_x, to_y) = line
    length = math.dist(*line)
    across, down = (to_x - x) / length, (to_y - y) / length
    return (across, down), (down, -across)


def _straight(
    image: Image.Image, line: _Line, size: tuple[int, int], bleed: float, scale: float
) -> Image.Image:
    """Return the picture along a line, laid straight: outwards to the left, the line's way downwards."""
    (across, down), (out_x, out_y) = _outwards(line)
    x, y = ((line[0][k] + bleed * (out_x, out_y)[k]) * scale for k in (0, 1))
    matrix = (-out_x, across, x, -out_y, down, y)
    return image.convert("RGB").transform(size, Image.Transform.AFFINE, matrix, fillcolor="white")
