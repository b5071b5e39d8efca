"""Whether what is printed up to the cut goes on into the bleed: no knife cuts exactly along the trim.

Seen in pixels, so that it does not matter what draws it. Said only of an edge along which nothing at all is
in the bleed's outer part, while paint that comes to the trim stops at one straight line: patterns,
scenes and shapes that end by chance near the trim are no slips.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from PIL import Image, ImageChops

from cardgen.geometry import Rect, Size
from cardgen.units import MM_PER_INCH

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
    along `length` mm that end `end` mm from the side's left or upper edge, or from where a slanted or round
    edge begins."""

    edge: str
    missing: float
    length: float
    end: float
    box: tuple[float, float, float, float] | None = None
    """What is not printed, where the edge is none of a rectangle: left, top, width and height, mm."""

    def area(self, size: Size) -> Rect:
        """What is not printed of the bleed of a side of `size` (trim and bleed), mm."""
        if self.box is not None:
            return Rect(*self.box)
        start, missing = self.end - self.length, self.missing
        if self.edge in ("left", "right"):
            return Rect(0.0 if self.edge == "left" else size.width - missing, start, missing, self.length)
        return Rect(start, 0.0 if self.edge == "top" else size.height - missing, self.length, missing)


def short_edges(image: Image.Image, trim: Rect, corner: float, dpi: float) -> Iterator[ShortEdge]:
    """The edges of a side at which paint stops short. `image` shows the side with its bleed; what lies in
    its corners, rounded by `corner` mm, is not looked at."""
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
            length, missing, end = found
            if edge == "bottom":  # its strip is turned so that the right comes first
                end = along - 2 * first - end + length
            yield ShortEdge(edge, missing / scale, length / scale, (first + end) / scale)


def short_edges_of_parts(
    image: Image.Image, parts: Iterable[tuple[str, Rect, Collection[Edge]]], bleed: float, dpi: float
) -> Iterator[ShortEdge]:
    """The same of parts of a side that are cut along some of their edges: each with its name, where it
    lies, mm from the corner of the image, and these edges."""
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
                lacks = found.area(area.size)
                box = (lacks.x + area.x, lacks.y + area.y, lacks.width, lacks.height)
                yield replace(found, edge=f"{found.edge} ({name})", box=box)


def _strip(image: Image.Image, edge: Edge, depth: int, corner: int) -> tuple[int, int, int, int]:
    """The part of an image along an edge, `depth` pixels deep, between its corners."""
    width, height = image.size
    if edge == "left":
        return 0, corner, depth, height - corner
    if edge == "top":
        return corner, 0, width - corner, depth
    if edge == "right":
        return width - depth, corner, width, height - corner
    return corner, height - depth, width - corner, height


def darkest(image: Image.Image) -> Image.Image:
    """The least of each pixel's channels."""
    red, green, blue = image.convert("RGB").split()
    return ImageChops.darker(ImageChops.darker(red, green), blue)


def longest(strip: Image.Image) -> tuple[int, int, int] | None:
    """Along how many rows paint stops at one line, how far from the left edge, and before which row that
    ends, where it is too many rows: `strip` lies along the edge, turned so that this is on the left."""
    width = strip.width
    outer = strip.crop((0, 0, max(1, width // 2), strip.height)).getextrema()
    inner = strip.crop((width - 2, 0, width, strip.height)).getextrema()
    if _least(outer) <= _PAPER or _least(inner) > _PAINT:
        return None
    best, run, line = (0, 0, 0), 0, 0
    data = strip.tobytes()
    for row in range(strip.height):
        stop = _stop(data[row * width : (row + 1) * width])
        run = run + 1 if run and stop < width and abs(stop - line) <= 1 else int(stop < width)
        line = stop
        best = max(best, (run, line, row + 1))
    return best if best[0] >= _LEAST * strip.height else None


def _least(extrema: object) -> int:
    """The darkest of an image's pixels."""
    assert isinstance(extrema, tuple)
    return int(extrema[0])


def _stop(row: bytes) -> int:
    """Where paint that comes to the last pixel of a row begins; the length of the row if there is none."""
    stop = len(row)
    if row[-1] <= _PAINT and row[-2] <= _PAINT:
        while stop and row[stop - 1] <= _PAINT:
            stop -= 1
    return stop
