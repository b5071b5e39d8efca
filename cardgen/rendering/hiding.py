"""Where a picture hides what is below it: by its shapes, and by the pixels of its images."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.geometry import Matrix, Rect
from cardgen.rasters.header import RasterError, read_header
from cardgen.rasters.pixels import open_pixels, read_pixels
from cardgen.rendering.image_files import url_data
from cardgen.storage.reading import PICTURE, ReadingError, read_file
from cardgen.svg.flattening import Point
from cardgen.svg.grounds import Shape, shapes, sheet_of
from cardgen.svg.tree import parse
from cardgen.svg.viewports import ViewportError, box_of, fit

if TYPE_CHECKING:
    from PIL.Image import Image

_ROWS = 5
"""Rows of places that are looked at in a word."""
_MOST_COLUMNS = 40
_PIXELS = 256
"""Pixels across, or down, in which an image's transparency is looked at."""
_SOLID = 128
MOST_STEPS = 2_000_000
"""Corners of shapes that are gone through for one side; what lies on its other words is not looked for."""


@dataclass(frozen=True, slots=True)
class _Outline:
    """A shape, and the box that it lies in."""

    area: Rect
    shape: Shape
    steps: int

    def hides(self, spot: Point) -> bool:
        return self.shape.paint_at(spot) is not None


class _Pixels:
    """An image of pixels in its box."""

    steps = 10

    def __init__(self, shape: Shape) -> None:
        self._node, self._matrix, self._clip = shape.node, shape.matrix, shape.clip
        self.area = self._matrix.around(box_of(self._node.attrs))

    @cached_property
    def _alpha(self) -> tuple[Image, Matrix] | None:
        """How solid its pixels are, and the map from a side to them; None where all hide, or none can be
        read."""
        href = self._node.href or ""
        try:
            if href.startswith("data:"):
                data = url_data(href)
            else:
                path = href.partition("//")[0]  # before how many pixels are wanted of it
                data = read_file(Path(path), PICTURE, path, None)
            header = read_header(data)
            file = open_pixels(data, header)
            read_pixels(file)
        except (RasterError, ReadingError, ValueError):
            return None
        alpha = file.convert("RGBA").getchannel("A")
        alpha.thumbnail((_PIXELS, _PIXELS))
        view = Rect(0.0, 0.0, float(alpha.width), float(alpha.height))
        placed = fit(view, box_of(self._node.attrs), self._node.get("preserveAspectRatio"))
        return alpha, placed.then(self._matrix).inverse()

    def hides(self, spot: Point) -> bool:
        if self._clip is not None and not self._clip.contains(Rect(*spot, 0.0, 0.0)):
            return False
        if self._alpha is None or not self.area.contains(Rect(*spot, 0.0, 0.0)):  # sliced off
            return False
        alpha, inverse = self._alpha
        x, y = map(math.floor, inverse.apply(*spot))
        if not (0 <= x < alpha.width and 0 <= y < alpha.height):
            return False
        value = alpha.getpixel((x, y))
        return isinstance(value, (int, float)) and value >= _SOLID


class Ink:
    """What of a picture hides what is below it. `area` is the box of all that, None for nothing."""

    def __init__(self, svg: str) -> None:
        document = parse(svg.encode(), bounded=False)
        self._parts: list[_Outline | _Pixels] = []
        for shape in shapes(document, sheet_of(document), solid=True):
            self._parts += _parts_of(shape)
        self.area: Rect | None = _around([part.area for part in self._parts])

    @property
    def is_compact(self) -> bool:
        """Whether it is no line, nor much longer than high."""
        area = self.area
        return area is not None and max(area.width, area.height) <= 3 * min(area.width, area.height)

    def hidden(self, area: Rect, left: list[int]) -> float:
        """How much of an area it hides, mm². `left` are the steps that may be taken, which get fewer."""
        parts = [part for part in self._parts if _meet(part.area, area)]
        columns = min(_MOST_COLUMNS, max(3, round(_ROWS * area.width / area.height)))
        left[0] -= columns * _ROWS * sum(part.steps for part in parts)
        if not parts or left[0] < 0:
            return 0.0
        spots = (
            (area.x + (column + 0.5) / columns * area.width, area.y + (row + 0.5) / _ROWS * area.height)
            for column in range(columns)
            for row in range(_ROWS)
        )
        found = sum(any(part.hides(spot) for part in parts) for spot in spots)
        return found / (columns * _ROWS) * area.width * area.height


def _parts_of(shape: Shape) -> Iterator[_Outline | _Pixels]:
    if shape.node.name == "image":
        try:
            yield _Pixels(shape)
        except ViewportError:
            return
        return
    points = [point for line in shape.lines for point in line]
    if not points or (shape.fill == "none" and shape.stroke == "none"):
        return
    across, down = [x for x, _ in points], [y for _, y in points]
    box = Rect(min(across), min(down), max(across) - min(across), max(down) - min(down))
    reach = shape.reach if shape.stroke != "none" else 0.0
    yield _Outline(box.inset(-reach), shape, len(points))


def _meet(one: Rect, other: Rect) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


def _around(boxes: list[Rect]) -> Rect | None:
    if not boxes:
        return None
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return Rect(left, top, right - left, bottom - top)
