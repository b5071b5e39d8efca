"""Provide plane geometry in millimeters, origin at the top left, y down, and lengths as text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from cardgen.core.records import dataclass


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height in mm."""

    width: float
    height: float

    @property
    def turned(self) -> Size:
        """This size after a quarter turn."""
        return Size(self.height, self.width)

    @property
    def upright(self) -> Size:
        """This size with the short side across."""
        return self if self.width <= self.height else self.turned

    @property
    def landscape(self) -> bool:
        return self.width > self.height

    @property
    def whole(self) -> Rect:
        """Return the rectangle of this size with its corner at 0, 0."""
        return Rect(0, 0, self.width, self.height)

    def grown(self, by: float) -> Size:
        """Return this size with `by` mm added on each of the four sides."""
        return Size(self.width + 2 * by, self.height + 2 * by)

    def close_to(self, other: Size, tolerance: float = 0.01) -> bool:
        """Return True if both sides are equal within `tolerance` mm."""
        return abs(self.width - other.width) <= tolerance and abs(self.height - other.height) <= tolerance

    def __str__(self) -> str:
        return f"{self.width:g}×{self.height:g} mm"


@dataclass(frozen=True, slots=True)
class Insets:
    """Distances in mm from the four sides of a rectangle."""

    top: float
    right: float
    bottom: float
    left: float

    @classmethod
    def all(cls, value: float) -> Insets:
        return cls(value, value, value, value)


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle in mm; x and y are its top left corner."""

    x: float
    y: float
    width: float
    height: float

    @classmethod
    def around(cls, points: Iterable[Point]) -> Rect:
        """Return the smallest rectangle around points; there is at least one."""
        xs, ys = zip(*points)
        return cls(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))

    @classmethod
    def union(cls, rects: Iterable[Rect]) -> Rect:
        """Return the smallest rectangle around others; there is at least one."""
        return cls.around(
            corner for each in rects for corner in ((each.x, each.y), (each.right, each.bottom))
        )

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def size(self) -> Size:
        return Size(self.width, self.height)

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Return the corners, clockwise from the top left one."""
        return (self.x, self.y), (self.right, self.y), (self.right, self.bottom), (self.x, self.bottom)

    def inset(self, by: Insets | float) -> Rect:
        """Return the rectangle `by` mm further in; a negative value enlarges it."""
        if not isinstance(by, Insets):
            by = Insets.all(by)
        return Rect(
            self.x + by.left,
            self.y + by.top,
            self.width - by.left - by.right,
            self.height - by.top - by.bottom,
        )

    def contains(self, other: Rect, tolerance: float = 1e-6) -> bool:
        return (
            other.x >= self.x - tolerance
            and other.y >= self.y - tolerance
            and other.right <= self.right + tolerance
            and other.bottom <= self.bottom + tolerance
        )

    def overlaps(self, other: Rect, tolerance: float = 1e-6) -> bool:
        """Return True if the two overlap (touching sides don't count)."""
        return (
            self.x < other.right - tolerance
            and other.x < self.right - tolerance
            and self.y < other.bottom - tolerance
            and other.y < self.bottom - tolerance
        )


@dataclass(frozen=True, slots=True)
class Matrix:
    """An affine map as SVG writes it: x' = a·x + c·y + e, y' = b·x + d·y + f (lengths in mm)."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def then(self, outer: Matrix) -> Matrix:
        """Return the map that applies this one first and `outer` after it."""
        return Matrix(
            outer.a * self.a + outer.c * self.b,
            outer.b * self.a + outer.d * self.b,
            outer.a * self.c + outer.c * self.d,
            outer.b * self.c + outer.d * self.d,
            outer.a * self.e + outer.c * self.f + outer.e,
            outer.b * self.e + outer.d * self.f + outer.f,
        )

    def inverse(self) -> Matrix:
        """Return the inverse map. Raises ZeroDivisionError if there is none."""
        a, b, c, d = self.a, self.b, self.c, self.d
        area = a * d - b * c
        return Matrix(
            *(d / area, -b / area, -c / area, a / area),
            *((c * self.f - d * self.e) / area, (b * self.e - a * self.f) / area),
        )

    def apply(self, x: float, y: float) -> tuple[float, float]:
        return (self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f)

    def around(self, box: Rect) -> Rect:
        """Return the upright rectangle around a box after the map."""
        return Rect.around(self.apply(*corner) for corner in box.corners)

    @property
    def scale(self) -> float:
        """Return the map's mean linear magnification."""
        return math.sqrt(abs(self.a * self.d - self.b * self.c))

    @property
    def is_identity(self) -> bool:
        return self == IDENTITY


IDENTITY = Matrix()


Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Polygon:
    """A shape with straight sides in a rectangle: its corners, clockwise, as fractions of the rectangle's
    width and height."""

    corners: tuple[Point, ...]

    @classmethod
    def of(cls, points: Sequence[Point], box: Rect) -> Polygon:
        """Return the polygon with these corners, in mm, of a rectangle with an area."""
        return cls(tuple(((x - box.x) / box.width, (y - box.y) / box.height) for x, y in points))

    def turned(self, degrees: int) -> Polygon:
        """Return the polygon turned clockwise by 0, 90, 180 or 270 degrees, its rectangle with it."""
        corners = self.corners
        for _ in range(degrees // 90 % 4):
            corners = tuple((1 - y, x) for x, y in corners)
        return Polygon(corners)

    def mirrored(self, upright: bool = True) -> Polygon:
        """Return the polygon seen from behind, mirrored left to right, or top to bottom."""
        flipped = ((1 - x, y) if upright else (x, 1 - y) for x, y in self.corners)
        return Polygon(tuple(flipped)[::-1])


Shape = Literal["rectangle", "ellipse", "hexagon"] | Polygon
"""The outline of a piece in its trim. A hexagon has two level sides if the trim is at least as wide as it
is high, otherwise two upright ones."""

FLAT = Polygon(((0.25, 0.0), (0.75, 0.0), (1.0, 0.5), (0.75, 1.0), (0.25, 1.0), (0.0, 0.5)))
"""A hexagon with level sides above and below."""
POINTED = Polygon(((0.5, 0.0), (1.0, 0.25), (1.0, 0.75), (0.5, 1.0), (0.0, 0.75), (0.0, 0.25)))
"""One with corners above and below."""


def polygon_of(shape: Shape, size: Size) -> Polygon | None:
    """Return a shape with straight sides, except rectangles, as a polygon in a trim of that size."""
    if shape == "hexagon":
        return FLAT if size.width >= size.height else POINTED
    return shape if isinstance(shape, Polygon) else None


def edges_of(corners: Sequence[Point]) -> list[tuple[Point, Point]]:
    """Return the sides of a polygon, each from a corner to the next."""
    return list(pairwise((*corners, *corners[:1])))


def corners_of(shape: Shape, box: Rect) -> tuple[Point, ...] | None:
    """Return the corners, in mm, of such a shape in a rectangle; None for rectangles and ellipses."""
    polygon = polygon_of(shape, box.size)
    if polygon is None:
        return None
    return tuple((box.x + x * box.width, box.y + y * box.height) for x, y in polygon.corners)


def moved_out(corners: Sequence[Point], distances: Sequence[float]) -> tuple[Point, ...]:
    """Return a polygon, corners clockwise, with each side `distances` mm further out (negative: in); side i
    goes from corner i to the next."""
    sides = []
    for ((x, y), (to_x, to_y)), away in zip(edges_of(corners), distances):
        length = math.hypot(to_x - x, to_y - y)
        across, down = (to_x - x) / length, (to_y - y) / length
        sides.append((x + down * away, y - across * away, across, down))
    moved = []
    for index, (x, y, across, down) in enumerate(sides):
        before_x, before_y, before_across, before_down = sides[index - 1]
        turn = before_across * down - before_down * across
        if abs(turn) < 1e-9:  # one straight line: the corner moves with its side
            moved.append((x, y))
            continue
        along = ((x - before_x) * down - (y - before_y) * across) / turn
        moved.append((before_x + along * before_across, before_y + along * before_down))
    return tuple(moved)


def clipped(corners: Sequence[Point], box: Rect) -> tuple[Point, ...]:
    """Return the part of a polygon inside a rectangle; no corners if they don't overlap."""
    points = list(corners)
    for axis, limit, sign in ((0, box.x, 1), (0, box.right, -1), (1, box.y, 1), (1, box.bottom, -1)):
        kept: list[Point] = []
        for index, point in enumerate(points):
            before = points[index - 1]
            inside, was = (sign * (each[axis] - limit) >= 0 for each in (point, before))
            if inside != was:
                share = (limit - before[axis]) / (point[axis] - before[axis])
                cut = [before[k] + share * (point[k] - before[k]) for k in (0, 1)]
                cut[axis] = limit
                kept.append((cut[0], cut[1]))
            if inside:
                kept.append(point)
        points = kept
    return tuple(points)


MM_PER_INCH = 25.4
PT_PER_INCH = 72.0
MM_PER_PT = MM_PER_INCH / PT_PER_INCH
PT_PER_MM = PT_PER_INCH / MM_PER_INCH

MM_PER_UNIT = {"mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "pt": MM_PER_PT}

_LENGTH = re.compile(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+))\s*([A-Za-z%\"]*)")


def parse_length(text: str) -> float:
    """Return the millimeters of a length such as "63.5mm", "2.5in", "6pt" or "1 cm".

    Raises ValueError, with a sentence for the designer, for a missing or unknown unit or an invalid length.
    """
    match = _LENGTH.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"'{text}' is not a length such as 63.5mm or 2.5in")
    number, unit = match.groups()
    if not unit:
        raise ValueError(f"the length '{text}' has no unit; write {number}mm, {number}in or {number}pt")
    if unit not in MM_PER_UNIT:
        known = ", ".join(MM_PER_UNIT)
        raise ValueError(f"'{unit}' in '{text}' is not one of the units {known}")
    return float(number) * MM_PER_UNIT[unit]


def to_px(length: float, dpi: float) -> int:
    """Return the number of whole pixels in `length` mm at `dpi`, rounded to nearest."""
    return round(length / MM_PER_INCH * dpi)


@lru_cache(maxsize=8192)
def decimal(value: float, places: int = 3) -> str:
    """Return a number for PDF and SVG, without exponent or trailing zeros; 3 decimals of a mm are 1 µm."""
    text = f"{value:.{places}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
