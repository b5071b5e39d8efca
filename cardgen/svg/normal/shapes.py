"""Outlines and boxes of shapes whose lengths are plain numbers."""

from __future__ import annotations

from cardgen.geometry import IDENTITY, Rect
from cardgen.svg.numbers import number, numbers
from cardgen.svg.outlines import (
    Segment,
    ellipse_outline,
    extents,
    moved,
    path_outline,
    points_outline,
    rect_outline,
)
from cardgen.svg.transforms import transform_of
from cardgen.svg.tree import Node

_UNSEEN = frozenset(("title", "desc", "metadata", "defs", "style"))


def outline_of(node: Node) -> list[Segment] | None:
    """The outline of a shape in its own units; None for what is no shape of plain numbers."""

    def of(*names: str) -> list[float]:
        found = [number((node.get(name) or "0").strip().removesuffix("px")) for name in names]
        return [each for each in found if each is not None]

    match node.name:
        case "path":
            return path_outline(node.get("d") or "")
        case "polygon" | "polyline":
            return points_outline(numbers(node.get("points") or ""), node.name == "polygon")
        case "line":
            ends = of("x1", "y1", "x2", "y2")
            return points_outline(ends, False) if len(ends) == 4 else None
        case "rect" | "image":
            sides = of("x", "y", "width", "height")
            rx, ry = (of(name) if node.get(name, "auto") != "auto" else [0.0] for name in ("rx", "ry"))
            if len(sides) != 4 or not rx or not ry:
                return None
            x, y, width, height = sides
            return rect_outline(x, y, width, height, rx[0] or ry[0], ry[0] or rx[0])
        case "circle":
            circle = of("cx", "cy", "r", "r")
            return _ellipse(circle) if len(circle) == 4 else None
        case "ellipse":
            ellipse = of("cx", "cy", "rx", "ry")
            return _ellipse(ellipse) if len(ellipse) == 4 else None
    return None


def _ellipse(values: list[float]) -> list[Segment]:
    cx, cy, rx, ry = values
    return ellipse_outline(cx, cy, rx, ry)


def box_of_element(node: Node) -> Rect | None:
    """The box of a shape or a group of shapes in its own units, strokes left out; None where it isn't
    known."""
    found: list[Segment] = []
    stack = [(node, IDENTITY)]
    while stack:
        part, matrix = stack.pop()
        if part.name not in ("g", "svg") or (part.name == "svg" and part is not node):
            outline = outline_of(part)
            if outline is None:
                return None
            found += outline if matrix is IDENTITY else moved(outline, matrix)
            continue
        for child in part.elements():
            if child.name in _UNSEEN or ":" in child.name or child.get("display") == "none":
                continue
            try:
                stack.append((child, transform_of(child.attrs).then(matrix)))
            except ValueError:
                return None
    return extents(found) if found else None
