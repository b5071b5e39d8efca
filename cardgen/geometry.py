"""Plane geometry in millimetres, origin at the top left, y down."""

from __future__ import annotations

import math
from dataclasses import dataclass


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

    def grown(self, by: float) -> Size:
        """This size with `by` mm added on each of the four sides."""
        return Size(self.width + 2 * by, self.height + 2 * by)

    def close_to(self, other: Size, tolerance: float = 0.01) -> bool:
        """Whether both sides agree within `tolerance` mm."""
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

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def size(self) -> Size:
        return Size(self.width, self.height)

    def inset(self, by: Insets | float) -> Rect:
        """The rectangle `by` mm further in; a negative figure grows it."""
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
        """Whether the two share an area (touching sides do not count)."""
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
        """The map that applies this one first and `outer` after it."""
        return Matrix(
            outer.a * self.a + outer.c * self.b,
            outer.b * self.a + outer.d * self.b,
            outer.a * self.c + outer.c * self.d,
            outer.b * self.c + outer.d * self.d,
            outer.a * self.e + outer.c * self.f + outer.e,
            outer.b * self.e + outer.d * self.f + outer.f,
        )

    def inverse(self) -> Matrix:
        """The way back. Raises ZeroDivisionError where there is none."""
        a, b, c, d = self.a, self.b, self.c, self.d
        area = a * d - b * c
        return Matrix(
            *(d / area, -b / area, -c / area, a / area),
            *((c * self.f - d * self.e) / area, (b * self.e - a * self.f) / area),
        )

    def apply(self, x: float, y: float) -> tuple[float, float]:
        return (self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f)

    def around(self, box: Rect) -> Rect:
        """The upright rectangle around a box where the map puts it."""
        corners = [self.apply(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
        left, top = min(x for x, _ in corners), min(y for _, y in corners)
        right, bottom = max(x for x, _ in corners), max(y for _, y in corners)
        return Rect(left, top, right - left, bottom - top)

    @property
    def scale(self) -> float:
        """The map's mean linear magnification."""
        return math.sqrt(abs(self.a * self.d - self.b * self.c))

    @property
    def is_identity(self) -> bool:
        return self == IDENTITY


IDENTITY = Matrix()
