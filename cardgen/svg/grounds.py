"""The paints at places in a drawing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from cardgen.core.geometry import IDENTITY, Matrix, Rect
from cardgen.core.records import dataclass
from cardgen.svg.outlines import Point, box_of, fit, lines_of, plain, transform_of, view_box_of
from cardgen.svg.style import Properties, StyleSheet, inherit
from cardgen.svg.tree import Document, Node, names, number

_MOST_POINTS = 50_000
"""Corners that are looked at; a drawing of more is looked at so far."""
_SHOWS = 0.5
"""The least opacity that hides what is below."""
_UNDRAWN = names(
    "clipPath defs desc linearGradient marker metadata pattern radialGradient style symbol title"
)


@dataclass(frozen=True, slots=True)
class _Shape:
    """A shape as it is drawn, in the root's units: its outline, its paints ("none" for those that hide
    nothing), how far its stroke reaches to either side, and whether it is filled by the odd rule."""

    lines: list[list[Point]]
    fill: str
    stroke: str
    reach: float
    odd: bool

    def paint_at(self, spot: Point) -> str | None:
        """Return the paint on top at a place, None if there is none."""
        if self.stroke != "none" and any(_near(spot, line, self.reach) for line in self.lines):
            return self.stroke
        if self.fill != "none":
            turns = sum(_turns(spot, line) for line in self.lines)
            if turns % 2 if self.odd else turns:
                return self.fill
        return None


def inks_at(document: Document, spots: Sequence[Point]) -> list[str | None]:
    """Return the paint on top at each of the places, in the root's units, as it is written, "" where it
    comes from around the drawing and None if there is none. A gradient is its first color; clips are not
    looked at. The drawing is one that can be drawn."""
    sheet = _sheet_of(document)
    found: list[str | None] = [None] * len(spots)
    for shape in _shapes(document, sheet):
        for index, spot in enumerate(spots):
            if (paint := shape.paint_at(spot)) is not None:
                found[index] = _ink(paint, document, sheet)
    return found


def _shapes(document: Document, sheet: StyleSheet) -> Iterator[_Shape]:
    """Yield the shapes that are drawn, in order, of so many corners as are looked at."""
    left = _MOST_POINTS
    for node, style, matrix in _drawn(document, sheet):
        lines = [[matrix.apply(*point) for point in line] for line in lines_of(node, left)]
        left -= sum(map(len, lines))
        if left <= 0:
            break
        fill = "none" if node.name == "line" or not _shows(style, "fill-opacity") else style.get("fill", "")
        stroke = style.get("stroke", "none") if _shows(style, "stroke-opacity") else "none"
        reach = (number(style.get("stroke-width", "1").removesuffix("px")) or 0.0) * matrix.scale / 2
        yield _Shape(lines, fill, stroke, reach, style.get("fill-rule") == "evenodd")


def _sheet_of(document: Document) -> StyleSheet:
    """Return all style sheets of a drawing."""
    return StyleSheet(node for node in document.root.iter() if node.name == "style")


def filled_area(document: Document) -> Rect | None:
    """Return the area that the fills of a drawing cover, in the root's units; None if there is none.
    Clips are not looked at."""
    drawn = _shapes(document, _sheet_of(document))
    points = [point for shape in drawn if shape.fill != "none" for line in shape.lines for point in line]
    if not points:
        return None
    left, top = (min(each) for each in zip(*points))
    right, bottom = (max(each) for each in zip(*points))
    return Rect(left, top, right - left, bottom - top)


_Placed = tuple[Node, Properties, Matrix]
"""An element with its look and its map to the root's units."""


def _drawn(document: Document, sheet: StyleSheet) -> Iterator[_Placed]:
    """Yield the shapes that are drawn, in order."""
    root = document.root
    stack: list[_Placed] = [(root, inherit({}, sheet.properties(root)), IDENTITY)]
    while stack:
        node, style, matrix = stack.pop()
        hidden = style.get("display") == "none" or not _shows(style, "opacity")
        if hidden or (node.name in _UNDRAWN and node is not root):
            continue
        if node is not root:
            matrix = transform_of(node.attrs).then(matrix)
        children = list(node.elements())
        if node.name == "use":
            target = document.ids.get((node.href or "").removeprefix("#"))
            if target is None:
                continue
            if target.name in ("symbol", "svg"):
                view, aspect = view_box_of(target.get("viewBox")), target.get("preserveAspectRatio")
                matrix = fit(view, box_of(node.attrs), aspect).then(matrix)
                children = list(target.elements())
            else:
                matrix = Matrix(e=plain(node.attrs, "x"), f=plain(node.attrs, "y")).then(matrix)
                children = [target]
        elif node.name == "svg" and node is not root:
            view = view_box_of(node.get("viewBox"))
            matrix = fit(view, box_of(node.attrs), node.get("preserveAspectRatio")).then(matrix)
        elif node.name not in ("g", "svg") and style.get("visibility", "visible") == "visible":
            yield node, style, matrix
        for child in reversed(children):
            stack.append((child, inherit(style, sheet.properties(child)), matrix))


def _shows(style: Mapping[str, str], name: str) -> bool:
    text = style.get(name, "1").strip()
    value = number(text.removesuffix("%"))
    return value is None or value / (100 if text.endswith("%") else 1) >= _SHOWS


def _ink(paint: str, document: Document, sheet: StyleSheet) -> str:
    """Return a paint; of a gradient, its first color."""
    if not paint.startswith("url("):
        return paint
    server = document.ids.get(paint[4:].split(")")[0].strip("\"' #"))
    stop = next((node for node in server.elements() if node.name == "stop"), None) if server else None
    return sheet.properties(stop).get("stop-color", "black") if stop is not None else ""


def _turns(spot: Point, line: Sequence[Point]) -> int:
    """Return how many times a polygon goes around a place."""
    x, y = spot
    turns = 0
    for (x1, y1), (x2, y2) in zip(line, (*line[1:], line[0])) if line else ():
        if (y1 <= y) != (y2 <= y):
            left = (x2 - x1) * (y - y1) - (x - x1) * (y2 - y1)
            if (y1 <= y) == (left > 0):
                turns += 1 if left > 0 else -1
    return turns


def _near(spot: Point, line: Sequence[Point], reach: float) -> bool:
    """Return True if a place is at most so far from a line."""
    x, y = spot
    for (x1, y1), (x2, y2) in pairwise(line):
        across, down = x2 - x1, y2 - y1
        square = across * across + down * down
        part = ((x - x1) * across + (y - y1) * down) / square if square else 0.0
        part = min(1.0, max(0.0, part))
        if math.hypot(x1 + across * part - x, y1 + down * part - y) <= reach:
            return True
    return False
