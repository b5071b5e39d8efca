"""Whether what is printed up to the cut of a piece that is no rectangle goes on into its bleed.

The picture is read along the cut, side by side of a polygon, or once around an ellipse: a strip as deep as
the bleed, laid straight, in which paint that stops at one line is found as at the edges of a rectangle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from PIL import Image

from cardgen.drawing.edges import NEAR, ShortEdge, darkest, longest
from cardgen.geometry import Point, Rect, Shape, corners_of
from cardgen.units import MM_PER_INCH

_AROUND = 64
"""Straight parts that stand for an ellipse: of a token of 100 mm they are off by 0.06 mm."""
_NAMES = (
    *("right", "lower right", "bottom", "lower left"),
    *("left", "upper left", "top", "upper right"),
)
"""Where a side lies, by the eighth of a turn into which it looks, clockwise."""

_Line = tuple[Point, Point]


def short_sides(image: Image.Image, trim: Rect, shape: Shape, dpi: float) -> Iterator[ShortEdge]:
    """The sides of a polygon or hexagon, or the round edge of an ellipse, at which paint stops short.
    `image` shows the side with its bleed. Nothing of a rectangle, which `short_edges` looks at."""
    bleed = trim.x
    if (corners := corners_of(shape, trim)) is not None:
        for start, end in zip(corners, (*corners[1:], corners[0])):
            line = _shortened(start, end, bleed)
            if line is not None:
                yield from _short(image, _name(line), [line], bleed, dpi)
    elif shape == "ellipse":
        yield from _short(image, "round", list(_round(trim)), bleed, dpi)


def _shortened(start: Point, end: Point, by: float) -> _Line | None:
    """A side without its ends, where the bleeds of two sides meet; None if nothing is left."""
    length = math.dist(start, end)
    if length <= 4 * by:
        return None
    across, down = (end[0] - start[0]) / length * by, (end[1] - start[1]) / length * by
    return (start[0] + across, start[1] + down), (end[0] - across, end[1] - down)


def _round(trim: Rect) -> Iterator[_Line]:
    """An ellipse as lines, clockwise."""
    x, y, rx, ry = trim.x + trim.width / 2, trim.y + trim.height / 2, trim.width / 2, trim.height / 2

    def point(step: int) -> Point:
        angle = 2 * math.pi * step / _AROUND
        return x + rx * math.cos(angle), y + ry * math.sin(angle)

    for step in range(_AROUND):
        yield point(step), point(step + 1)


def _name(line: _Line) -> str:
    """Where a side lies, seen from the middle of the piece: clockwise, its outside is on its left."""
    (x, y), (to_x, to_y) = line
    angle = math.degrees(math.atan2(x - to_x, to_y - y)) % 360
    if min(angle % 90, 90 - angle % 90) < 1:
        return _NAMES[round(angle / 90) % 4 * 2]
    return _NAMES[int(angle // 90) * 2 + 1]


def _short(
    image: Image.Image, name: str, lines: Sequence[_Line], bleed: float, dpi: float
) -> Iterator[ShortEdge]:
    """What is short along lines that follow one another."""
    scale = dpi / MM_PER_INCH
    depth = round((bleed + NEAR) * scale) + 1
    parts = [(line, round(math.dist(*line) * scale)) for line in lines]
    if depth < 4 or sum(rows for _, rows in parts) < 4:
        return
    strip = Image.new("RGB", (depth, sum(rows for _, rows in parts)), "white")
    places: list[_Line] = []  # of each row, on the cut and at the outer edge of the bleed
    for line, rows in parts:
        if rows:
            strip.paste(_straight(image, line, (depth, rows), bleed, scale), (0, len(places)))
            places += _rows(line, rows, bleed)
    found = longest(darkest(strip))
    if found is None:
        return
    length, missing, end = found
    xs, ys = zip(*(point for row in places[end - length : end] for point in row))
    box = (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
    yield ShortEdge(name, missing / scale, length / scale, end / scale, box)


def _outwards(line: _Line) -> tuple[Point, Point]:
    """The direction of a line, and that out of the piece, each 1 long."""
    (x, y), (to_x, to_y) = line
    length = math.dist(*line)
    across, down = (to_x - x) / length, (to_y - y) / length
    return (across, down), (down, -across)


def _straight(
    image: Image.Image, line: _Line, size: tuple[int, int], bleed: float, scale: float
) -> Image.Image:
    """The picture along a line, laid straight: outwards to the left, the line's way downwards."""
    (across, down), (out_x, out_y) = _outwards(line)
    x, y = ((line[0][k] + bleed * (out_x, out_y)[k]) * scale for k in (0, 1))
    matrix = (-out_x, across, x, -out_y, down, y)
    return image.convert("RGB").transform(size, Image.Transform.AFFINE, matrix, fillcolor="white")


def _rows(line: _Line, rows: int, bleed: float) -> Iterator[_Line]:
    """Each row's place on the cut, and its place at the outer edge of the bleed."""
    (start_x, start_y), (end_x, end_y) = line
    _, (out_x, out_y) = _outwards(line)
    for row in range(rows):
        part = (row + 0.5) / rows
        x, y = start_x + (end_x - start_x) * part, start_y + (end_y - start_y) * part
        yield (x, y), (x + bleed * out_x, y + bleed * out_y)
