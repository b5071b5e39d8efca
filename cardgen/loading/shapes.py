"""The shape that a component's entry in game.yaml states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Literal

from cardgen.findings import Findings
from cardgen.geometry import Point, Polygon, Shape
from cardgen.yaml.reader import Document

LEAST = 0.05
"""Of its trim that a polygon covers: less is a slip."""


def shape_of(
    manifest: Document, base: tuple[str | int, ...], entry: Mapping[str, Any], findings: Findings
) -> Shape | None:
    """The shape of a component; None after a finding, `component/corners` or `component/corner-radius`."""

    def refuse(key: str, message: str, hint: str) -> None:
        place = manifest.locate((*base, key) if key in entry else (*base, "shape"))
        code = "component/corner-radius" if key == "corner_radius" else "component/corners"
        findings.error(code, message, place, hint)

    shape: Literal["rectangle", "ellipse", "hexagon", "polygon"] = entry["shape"]
    if shape in ("hexagon", "polygon") and "corner_radius" in entry:
        refuse("corner_radius", f"a {shape} has no rounded corners", "leave corner_radius out")
        return None
    if shape != "polygon":
        if "corners" in entry:
            refuse(
                "corners",
                f"corners say what a polygon is like, and this is one of the shape {shape}",
                "write `shape: polygon`, or leave the corners out",
            )
            return None
        return shape
    if "corners" not in entry:
        refuse(
            "corners",
            "a polygon needs its corners",
            "corners: [[50, 0], [100, 100], [0, 100]] is a triangle",
        )
        return None
    corners = [(x / 100, y / 100) for x, y in entry["corners"]]
    area = _area(corners)
    if _crosses(corners):
        refuse(
            "corners",
            "the sides of this polygon cross or touch each other",
            "name the corners in the order in which a knife goes around the piece",
        )
        return None
    if abs(area) < LEAST:
        refuse(
            "corners",
            f"this polygon covers less than {LEAST:.0%} of its trim",
            "corners are in percent of the trim, from 0 to 100",
        )
        return None
    return Polygon(tuple(corners if area > 0 else corners[::-1]))


def _area(corners: Sequence[Point]) -> float:
    """The area, above 0 if the corners come clockwise as seen (y down)."""
    pairs = zip(corners, [*corners[1:], corners[0]])
    return sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in pairs) / 2


def _crosses(corners: Sequence[Point]) -> bool:
    """Whether two sides have a point in common besides the corner between them."""
    sides = list(zip(corners, [*corners[1:], corners[0]]))
    if any(start == end for start, end in sides):
        return True
    for (index, one), (other_index, other) in combinations(enumerate(sides), 2):
        if other_index - index in (1, len(sides) - 1):
            first, second = (one, other) if other_index - index == 1 else (other, one)
            if _side(*first, second[1]) == 0 and _between(first, second[1]):
                return True  # it turns back on itself
        elif _meet(one, other):
            return True
    return False


def _meet(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    a, b = _side(*one, other[0]), _side(*one, other[1])
    c, d = _side(*other, one[0]), _side(*other, one[1])
    if a * b < 0 and c * d < 0:
        return True
    touching = ((a, one, other[0]), (b, one, other[1]), (c, other, one[0]), (d, other, one[1]))
    return any(turn == 0 and _between(side, point) for turn, side, point in touching)


def _side(start: Point, end: Point, point: Point) -> float:
    """Above 0 right of the way from start to end (y down), below it left, 0 on the line."""
    turn = (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])
    return 0.0 if abs(turn) < 1e-9 else turn


def _between(side: tuple[Point, Point], point: Point) -> bool:
    (x, y), (to_x, to_y) = side
    return min(x, to_x) <= point[0] <= max(x, to_x) and min(y, to_y) <= point[1] <= max(y, to_y)
