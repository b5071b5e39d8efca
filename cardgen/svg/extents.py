"""Where elements lie, and how much is painted in them: what a filter over them has to do with.

Nothing here is less than it is: curves lie within their handles, a stroke counts with its sharpest corners.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from cardgen.geometry import Matrix
from cardgen.svg.numbers import number, numbers
from cardgen.svg.paths import path_segments
from cardgen.svg.transforms import transform_of
from cardgen.svg.tree import Node
from cardgen.svg.viewports import ViewportError, box_of, fit, view_box_of

_MITRE = 4.0
"""How many times its width a stroke reaches to both sides together, with corners as sharp as is usual."""
_LAYER = 10.0
"""Paintings of a box that a layer, a mask or a clip path comes to."""
_LAYERED = ("opacity", "mask", "clip-path", "mix-blend-mode", "isolation")
_PLAIN = frozenset(("1", "1.0", "none", "normal", "auto", "inherit"))


class Extent(NamedTuple):
    """Left, top, right and bottom in an element's own units, empty with right below left. `painted` is the
    area of the boxes of all shapes in it, each as often as it is painted, `edges` the sum of the boxes'
    sides, `shapes` how many there are. `area` is that of their boxes, each counted once."""

    left: float = math.inf
    top: float = math.inf
    right: float = -math.inf
    bottom: float = -math.inf
    painted: float = 0.0
    edges: float = 0.0
    shapes: int = 0
    area: float = 0.0

    @property
    def width(self) -> float:
        return max(0.0, self.right - self.left)

    @property
    def height(self) -> float:
        return max(0.0, self.bottom - self.top)

    def beside(self, other: Extent) -> Extent:
        return Extent(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
            self.painted + other.painted,
            self.edges + other.edges,
            self.shapes + other.shapes,
            self.area + other.area,
        )

    def within(self, matrix: Matrix) -> Extent:
        """The same seen from around a transform."""
        if matrix.is_identity or self.right < self.left:
            return self
        corners = [matrix.apply(x, y) for x in (self.left, self.right) for y in (self.top, self.bottom)]
        area = abs(matrix.a * matrix.d - matrix.b * matrix.c)
        side = math.hypot(matrix.a, matrix.b, matrix.c, matrix.d)
        return Extent(
            min(x for x, _ in corners),
            min(y for _, y in corners),
            max(x for x, _ in corners),
            max(y for _, y in corners),
            self.painted * area,
            self.edges * side,
            self.shapes,
            self.area * area,
        )

    def stroked(self, width: float) -> Extent:
        """With strokes of that width along its shapes."""
        reach = _MITRE * width
        return self._replace(painted=self.painted + reach * self.edges + reach * reach * self.shapes)


EMPTY = Extent()


class Extents:
    """Reckons the extents of one document's elements, each once.

    `drawn` are the children that drawing an element draws, `targets` the properties that refer to others,
    with those, `properties` all that it has of its own; `corners` says how many its outlines have, `shown`
    what it brings in from a file. References lead nowhere in circles: the elements have been weighed.
    """

    def __init__(
        self,
        drawn: Callable[[Node], Iterable[Node]],
        targets: Callable[[Node], Iterable[tuple[str, Node]]],
        properties: Callable[[Node], Mapping[str, str]],
        corners: Callable[[Node], int],
        shown: Callable[[Node], Extent | None],
    ) -> None:
        self._drawn = drawn
        self._targets = targets
        self._properties = properties
        self._corners = corners
        self._shown = shown
        self._known: dict[Node, Extent] = {}

    def of(self, top: Node) -> Extent:
        """The extent of an element in its own units, within its transform."""
        known = self._known
        stack = [top]
        while stack:
            node = stack[-1]
            if node in known:
                stack.pop()
                continue
            parts = [*self._drawn(node), *(target for _, target in self._targets(node))]
            missing = [part for part in parts if part not in known]
            if missing:
                stack += missing
                continue
            stack.pop()
            known[node] = self._extent(node)
        return known[top]

    def around(self, top: Node) -> Extent:
        """The extent of an element in the units around it."""
        return self._placed(top, self.of(top))

    def _extent(self, node: Node) -> Extent:
        extent = self._shown(node) or shape_extent(node)
        for child in self._drawn(node):
            extent = extent.beside(self._placed(child, self._known[child]))
        style = self._properties(node)
        targets = list(self._targets(node))
        if node.name == "use":
            for name, target in targets:
                if name == "href":
                    extent = extent.beside(_used(node, target, self._placed(target, self._known[target])))
        if style.get("stroke", "none") != "none" or "stroke-width" in style:
            width = numbers(style.get("stroke-width", "1"))
            extent = extent.stroked(abs(width[0]) if width else 1.0)
        return extent._replace(painted=extent.painted + sum(self._more(node, extent, style, targets)))

    def _placed(self, node: Node, extent: Extent) -> Extent:
        """An element's extent in the units around it."""
        with contextlib.suppress(ValueError):  # said elsewhere: it is not drawn
            if node.name == "svg":
                view = view_box_of(node.get("viewBox"))
                extent = extent.within(fit(view, box_of(node.attrs), node.get("preserveAspectRatio")))
            return extent.within(transform_of(node.attrs))
        return extent

    def _more(
        self, node: Node, extent: Extent, style: Mapping[str, str], targets: list[tuple[str, Node]]
    ) -> Iterator[float]:
        """What layers, masks, markers and patterns paint, beside the shapes themselves."""
        box = extent.width * extent.height
        if any(style.get(name, "none").strip() not in _PLAIN for name in _LAYERED):
            yield _LAYER * max(box, min(extent.painted, 2 * box))
        for name, target in targets:
            it = self._known[target]
            if name in ("mask", "clip-path"):
                relative = "objectBoundingBox" in (
                    target.get("maskContentUnits"),
                    target.get("clipPathUnits"),
                )
                yield it.painted * (box if relative else 1.0)
            elif target.name == "pattern":
                tile = side_of(target, "width", extent.width) * side_of(target, "height", extent.height)
                relative = target.get("patternContentUnits") == "objectBoundingBox"
                yield extent.shapes * (_LAYER * tile + it.painted * (box if relative else 1.0))
            elif target.name == "marker":
                side = math.prod(_number(target, each, 3.0) for each in ("markerWidth", "markerHeight"))
                width = numbers(style.get("stroke-width", "1"))
                scale = max(1.0, abs(width[0]) if width else 1.0) ** 2
                yield (self._corners(node) + 2) * scale * (_LAYER * side + it.painted)


def shape_extent(node: Node) -> Extent:
    """The box of a shape's outline, unstroked; empty for what is none."""
    xs: list[float] = []
    ys: list[float] = []
    if node.name == "path":
        x = y = 0.0
        for kind, v in path_segments(node.get("d") or ""):
            if kind == "A":
                reach = 2 * max(v[0], v[1], math.hypot(v[5] - x, v[6] - y) / 2)
                xs += (x - reach, x + reach, v[5])
                ys += (y - reach, y + reach, v[6])
            else:
                xs += v[::2]
                ys += v[1::2]
            x, y = v[-2:]
    elif node.name in ("polygon", "polyline"):
        values = numbers(node.get("points") or "")
        xs, ys = values[::2], values[1::2]
    elif node.name in ("rect", "image"):
        x, y = _number(node, "x"), _number(node, "y")
        xs, ys = [x, x + _number(node, "width")], [y, y + _number(node, "height")]
    elif node.name in ("circle", "ellipse"):
        x, y, r = _number(node, "cx"), _number(node, "cy"), _number(node, "r")
        rx, ry = _number(node, "rx", r), _number(node, "ry", r)
        xs, ys = [x - rx, x + rx], [y - ry, y + ry]
    elif node.name == "line":
        xs, ys = [_number(node, "x1"), _number(node, "x2")], [_number(node, "y1"), _number(node, "y2")]
    if not xs or not ys:
        return EMPTY
    left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)
    width, height = right - left, bottom - top
    return Extent(left, top, right, bottom, width * height, width + height, 1, width * height)


def _used(node: Node, target: Node, extent: Extent) -> Extent:
    with contextlib.suppress(ViewportError):  # said where viewports are looked at
        if target.name in ("symbol", "svg") and target.get("viewBox") is not None:
            view = view_box_of(target.get("viewBox"))
            return extent.within(fit(view, box_of(node.attrs), target.get("preserveAspectRatio")))
    return extent.within(Matrix(e=_number(node, "x"), f=_number(node, "y")))


def _number(node: Node, name: str, default: float = 0.0) -> float:
    found = number((node.get(name) or "").strip().removesuffix("px"))
    return default if found is None else found


def side_of(pattern: Node, name: str, box: float) -> float:
    """A side of a pattern's tile in the units of what it fills, whose box has the side `box`."""
    text = (pattern.get(name) or "0").strip()
    found = number(text.removesuffix("px").removesuffix("%")) or 0.0
    if text.endswith("%"):
        found /= 100
    return abs(found) * (1.0 if pattern.get("patternUnits") == "userSpaceOnUse" else box)
