"""What a drawing paints at places in it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from cardgen.geometry import IDENTITY, Matrix, Rect
from cardgen.svg.flattening import Point, lines_of, plain
from cardgen.svg.names import names
from cardgen.svg.numbers import number
from cardgen.svg.style import Properties, StyleSheet, inherit
from cardgen.svg.transforms import transform_of
from cardgen.svg.tree import Document, Node
from cardgen.svg.viewports import box_of, fit, view_box_of

_MOST_POINTS = 50_000
"""Corners that are looked at; a drawing of more is looked at so far."""
_SHOWS = 0.5
"""The least opacity that hides what is below."""
_UNDRAWN = names(
    "clipPath defs desc linearGradient marker metadata pattern radialGradient style symbol title"
)


def inks_at(document: Document, spots: Sequence[Point]) -> list[str | None]:
    """The paint on top at each of the places, in the root's units, as it is written, "" where it comes
    from around the drawing and None where there is none. A gradient is its first colour; clips are not
    looked at. The drawing is one that can be drawn."""
    sheet = StyleSheet(node for node in document.root.iter() if node.name == "style")
    found: list[str | None] = [None] * len(spots)
    left = _MOST_POINTS
    for node, style, matrix in _shapes(document, sheet):
        lines = [[matrix.apply(*point) for point in line] for line in lines_of(node, left)]
        left -= sum(map(len, lines))
        if left <= 0:
            break
        fill, stroke = style.get("fill", ""), style.get("stroke", "none")
        fill = "none" if node.name == "line" or not _opaque(style, "fill-opacity") else fill
        stroke = stroke if _opaque(style, "stroke-opacity") else "none"
        odd = style.get("fill-rule") == "evenodd"
        reach = (number(style.get("stroke-width", "1").removesuffix("px")) or 0.0) * matrix.scale / 2
        for index, spot in enumerate(spots):
            if stroke != "none" and any(_near(spot, line, reach) for line in lines):
                found[index] = _ink(stroke, document, sheet)
            elif fill != "none":
                turns = sum(_turns(spot, line) for line in lines)
                if turns % 2 if odd else turns:
                    found[index] = _ink(fill, document, sheet)
    return found


def filled_area(document: Document) -> Rect | None:
    """The area that the fills of a drawing cover, in the root's units; None for none, or too many. Clips
    are not looked at."""
    sheet = StyleSheet(node for node in document.root.iter() if node.name == "style")
    points: list[Point] = []
    for node, style, matrix in _shapes(document, sheet):
        if node.name != "line" and style.get("fill", "") != "none" and _opaque(style, "fill-opacity"):
            lines = lines_of(node, _MOST_POINTS - len(points))
            points += (matrix.apply(*point) for line in lines for point in line)
        if len(points) >= _MOST_POINTS:
            return None
    if not points:
        return None
    left, top = (min(each) for each in zip(*points))
    right, bottom = (max(each) for each in zip(*points))
    return Rect(left, top, right - left, bottom - top)


def _shapes(document: Document, sheet: StyleSheet) -> Iterator[tuple[Node, Properties, Matrix]]:
    """The shapes that are drawn, in order, with their looks and their maps to the root's units."""
    root = document.root
    stack: list[tuple[Node, Properties, Matrix]] = [(root, inherit({}, sheet.properties(root)), IDENTITY)]
    while stack:
        node, style, matrix = stack.pop()
        hidden = style.get("display") == "none" or not _opaque(style, "opacity")
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


def _opaque(style: Mapping[str, str], name: str) -> bool:
    text = style.get(name, "1").strip()
    value = number(text.removesuffix("%"))
    return value is None or value / (100 if text.endswith("%") else 1) >= _SHOWS


def _ink(paint: str, document: Document, sheet: StyleSheet) -> str:
    """A paint; of a gradient, its first colour."""
    if not paint.startswith("url("):
        return paint
    server = document.ids.get(paint[4:].split(")")[0].strip("\"' #"))
    stop = next((node for node in server.elements() if node.name == "stop"), None) if server else None
    return sheet.properties(stop).get("stop-color", "black") if stop is not None else ""


def _turns(spot: Point, line: Sequence[Point]) -> int:
    """How many times a polygon goes around a place."""
    x, y = spot
    turns = 0
    for (x1, y1), (x2, y2) in zip(line, (*line[1:], line[0])) if line else ():
        if (y1 <= y) != (y2 <= y):
            left = (x2 - x1) * (y - y1) - (x - x1) * (y2 - y1)
            if (y1 <= y) == (left > 0):
                turns += 1 if left > 0 else -1
    return turns


def _near(spot: Point, line: Sequence[Point], reach: float) -> bool:
    """Whether a place lies at most so far from a line."""
    x, y = spot
    for (x1, y1), (x2, y2) in pairwise(line):
        across, down = x2 - x1, y2 - y1
        square = across * across + down * down
        part = ((x - x1) * across + (y - y1) * down) / square if square else 0.0
        part = min(1.0, max(0.0, part))
        if math.hypot(x1 + across * part - x, y1 + down * part - y) <= reach:
            return True
    return False
