"""Circles are round: their Bézier curves leave the true line by less than a thousandth of the radius."""

from __future__ import annotations

import math
import re
import zlib

from cardgen.core.artwork import IconRun, Item
from cardgen.core.geometry import Rect
from cardgen.pdf.fonts import rounded
from tests.for_each import for_each
from tests.pdf.samples import artwork, drawn, picture, text

MOST = 0.001
"""Share of the radius; one curve a quarter comes to 0.00027."""
_OPERATION = re.compile(r"((?:-?[\d.]+\s+)+)([mlc])\b")


def outline(item: Item) -> list[tuple[float, float]]:
    """Points all along the curves of the one picture, or icon, with curves in it."""
    art = drawn(artwork(item))
    (data,) = [
        stream
        for form in art.objects()
        if form.stream is not None and b"/FlateDecode" in form.head
        if re.search(r" c\b", stream := zlib.decompress(form.stream).decode("latin-1"))
    ]
    return points_of(data)


def points_of(data: str) -> list[tuple[float, float]]:
    """Points all along the curves of a content stream."""
    points: list[tuple[float, float]] = []
    here = (0.0, 0.0)
    for numbers, operator in _OPERATION.findall(data):
        values = [float(number) for number in numbers.split()]
        ends = list(zip(values[::2], values[1::2]))
        if operator == "c":
            points += (_at([here, *ends], step / 16) for step in range(17))
        here = ends[-1]
    return points


def _at(controls: list[tuple[float, float]], t: float) -> tuple[float, float]:
    weights = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3]
    x, y = (sum(weight * point[axis] for weight, point in zip(weights, controls)) for axis in (0, 1))
    return x, y


def deviation(points: list[tuple[float, float]]) -> float:
    """The most by which the points leave an upright ellipse around them, as a share of its radius."""
    across, down = [x for x, _ in points], [y for _, y in points]
    rx, ry = (max(across) - min(across)) / 2, (max(down) - min(down)) / 2
    cx, cy = min(across) + rx, min(down) + ry
    assert rx > 0.05, "nothing is drawn"
    return max(abs(math.hypot((x - cx) / rx, (y - cy) / ry) - 1) for x, y in points)


@for_each("radius", [1, 1.5, 3, 10, 19])
@for_each(
    "shape",
    [
        '<circle cx="20" cy="20" r="{0}"/>',
        '<ellipse cx="20" cy="20" rx="{0}" ry="{1}"/>',
        '<rect x="{2}" y="{2}" width="{3}" height="{3}" rx="{0}"/>',
        '<path d="M{2} 20a{0} {0} 0 0 1 {3} 0a{0} {0} 0 0 1 -{3} 0z"/>',
        '<path d="M20 20m-{0} 0a{0} {0} 0 1 1 {0} {0}"/>',
        '<g transform="scale(.1)"><circle cx="200" cy="200" r="{4}"/></g>',
    ],
)
def test_circles_are_round(shape: str, radius: float) -> None:
    markup = shape.format(radius, radius / 2, 20 - radius, 2 * radius, 10 * radius)
    assert deviation(outline(picture(markup))) < MOST


def test_circles_in_icons_are_round() -> None:
    icon = IconRun("disc", 5, 5, 30, (1, 0, 0))
    assert deviation(outline(text("", icons=(icon,)))) < MOST


@for_each("radius", [1, 3, 10, 300])
def test_cut_lines_and_clips_are_round(radius: float) -> None:
    data = rounded(Rect(0, 0, 2 * radius, 2 * radius), radius, radius, "{:.4f}".format)
    assert deviation(points_of(data)) < MOST
