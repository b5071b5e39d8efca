"""How much drawing an element comes to once its references are followed, reckoned before any is drawn.

Thirty groups that each show the one before twice are thirty lines of SVG and a thousand million shapes.
Here every element is looked at once: what it comes to is reckoned from what its children and the elements
that it refers to come to. The reckoning never says too little; where a colour server or a stroke is set on
a group it counts for all shapes below, whether or not they set their own.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from cardgen.svg.extents import Extent, Extents
from cardgen.svg.filters import UNFILTERED, Parts, by_filter, by_functions, filter_functions, parts_of
from cardgen.svg.limits import (
    FADING,
    LINEAR,
    MOST_CELLS,
    MOST_DASHES,
    MOST_MARKED,
    MOST_TAKEN_AFTER,
    RADIAL,
    STEP_CHARACTERS,
    short,
)
from cardgen.svg.lint import DEFINITIONS
from cardgen.svg.numbers import number, numbers
from cardgen.svg.paths import path_length
from cardgen.svg.style import StyleSheet
from cardgen.svg.targets import references
from cardgen.svg.tile_counts import least_cell, tile_count
from cardgen.svg.transforms import parse_transform, transform_of
from cardgen.svg.tree import Node
from cardgen.svg.viewports import ViewportError, box_of, fit, view_box_of
from cardgen.svg.weights import (
    NOTHING,
    SHAPES,
    STOP,
    Brought,
    Outline,
    Weight,
    WeightError,
    hold,
    layered,
)

_GRADIENTS = frozenset(("linearGradient", "radialGradient"))
_SERVERS = _GRADIENTS | {"pattern"}
_TARGETS = {
    "fill": (_SERVERS, "gradient or pattern"),
    "stroke": (_SERVERS, "gradient or pattern"),
    "clip-path": (frozenset(("clipPath",)), "clipPath"),
    "mask": (frozenset(("mask",)), "mask"),
    "filter": (frozenset(("filter",)), "filter"),
    "marker-start": (frozenset(("marker",)), "marker"),
    "marker-mid": (frozenset(("marker",)), "marker"),
    "marker-end": (frozenset(("marker",)), "marker"),
}
"""What properties may refer to."""
_MORE = frozenset(
    (
        *(
            "class",
            "clip-path",
            "filter",
            "href",
            "marker-end",
            "marker-mid",
            "marker-start",
            "mask",
            "opacity",
        ),
        *("mix-blend-mode", "stroke-dasharray", "style", "transform", "vector-effect", "xlink:href"),
    )
)
"""Attributes of a shape that more hangs on than its own outline."""
_LEVELS = {"use": 2, "svg": 4, "symbol": 4, "pattern": 3, "marker": 3, "clipPath": 3, "image": 4}
"""Levels of nesting that an element comes to when it is drawn; the others come to one."""


class Weigher:
    """Reckons the elements of one document. `brought` says what an element shows that lies in a file."""

    def __init__(
        self, ids: Mapping[str, Node], sheet: StyleSheet, brought: Callable[[Node], Brought | None]
    ) -> None:
        self._ids = ids
        self._sheet = sheet
        self._brought = brought
        self._known: dict[Node, Weight] = {}
        self._outlines: dict[Node, Outline] = {}
        self._filters: dict[Node, Parts] = {}

    @cached_property
    def _extents(self) -> Extents:
        # It knows the weigher, and keeps it and the drawing alive: only where there are filters.
        return Extents(
            _drawn,
            self._targets,
            self._sheet.properties,
            lambda node: self.outline(node).corners,
            self._shown,
        )

    def weigh(self, top: Node) -> Weight:
        """What drawing the element comes to. Raises WeightError."""
        known = self._known
        entered: dict[Node, tuple[list[Node], list[tuple[str, Node]]]] = {}
        stack = [top]
        while stack:
            node = stack[-1]
            if node in known:
                stack.pop()
            elif node in entered:
                known[node] = self._reckon(node, *entered.pop(node))
                stack.pop()
            elif (plain := self._plain(node)) is not None:
                known[node] = plain
                stack.pop()
            else:
                drawn, targets = entered[node] = (list(_drawn(node)), list(self._targets(node)))
                for part in reversed([*drawn, *(target for _, target in targets)]):
                    if part in entered:
                        message = f"<{node.name}> refers to something that refers to itself"
                        raise WeightError(node, "svg/cycle", message, "see its href and url(#…)")
                    if part not in known:
                        stack.append(part)
        return known[top]

    def outline(self, top: Node) -> Outline:
        """The outlines of all shapes that drawing the element draws; it has been weighed."""
        done = self._outlines
        stack = [top]
        while stack:
            node = stack[-1]
            if node in done:
                stack.pop()
                continue
            parts = list(_drawn(node))
            if node.name == "use":
                parts += (target for name, target in self._targets(node) if name == "href")
            missing = [part for part in parts if part not in done]
            if missing:
                stack += missing
                continue
            stack.pop()
            brought = self._brought(node)
            found = [done[part] for part in parts]
            if brought is not None:
                found.append(brought.outline())
            if node.name in SHAPES:
                found.append(_outline(node))
            done[node] = Outline(sum(each.corners for each in found), sum(each.length for each in found))
        return done[top]

    def within(self, weight: Weight, node: Node, around: Node) -> Weight:
        """What an element comes to in a group (or root) that moves it, makes it see-through, or sets
        servers and dashes for it. `node` is where too much of it is said. Raises WeightError."""
        style = self._sheet.properties(around)
        for name, target in self._targets(around):
            if name in ("fill", "stroke") or target.name == "marker":
                self.weigh(target)
                weight = self._refer(node, name, target, style, weight)
        weight = self._dashed(node, style.get("stroke-dasharray", "none"), weight)
        weight = self._layered(around, style, weight, self._extents.around, node)
        with contextlib.suppress(ValueError):  # a finding of the lint
            weight = weight.within(transform_of(around.attrs))
        hold(node, weight)
        return weight

    def cells(self, weight: Weight, node: Node, area: float) -> None:
        """Raise WeightError if a pattern has too many cells on `area` square units around the node."""
        if area > weight.cell * MOST_CELLS:
            message = f"a pattern here has cells so small that the drawing has more than {MOST_CELLS:,}"
            raise WeightError(node, "svg/bounds", message, "make the pattern's cell larger")

    def _targets(self, node: Node) -> Iterator[tuple[str, Node]]:
        """The properties of an element that refer to others, with those."""
        for name, id in references(node, self._sheet):
            target = self._ids.get(id)
            if target is not None and (name in _TARGETS or name == "href"):
                yield name, target

    def _plain(self, node: Node) -> Weight | None:
        """What a shape comes to that has nothing but its outline and plain colours, as most have; None for
        any other element."""
        attrs = node.attrs
        if (
            node.name not in SHAPES
            or node.children
            or self._sheet.rules
            or not _MORE.isdisjoint(attrs)
            or "url(" in attrs.get("fill", "")
            or "url(" in attrs.get("stroke", "")
        ):
            return None
        return _shape(node, 2)

    def _reckon(self, node: Node, drawn: list[Node], targets: list[tuple[str, Node]]) -> Weight:
        """From what its parts come to, drawn in it or referred to. Raises WeightError."""
        weight = NOTHING
        if node.name in SHAPES:
            weight = _shape(node)._replace(unscaled="vector-effect" in self._sheet.properties(node))
        elif node.name == "stop":
            return STOP
        for child in drawn:
            weight = weight.beside(self._known[child])
        if node.name in ("use", "image", "svg"):
            weight = self._boxed(node, weight)
        style = self._sheet.properties(node)
        for name, target in targets:
            weight = self._refer(node, name, target, style, weight)
        if (value := style.get("filter", "none")) != "none" and filter_functions(value):
            filtered = by_functions(value, self._extents.of(node)).around(weight.filtered)
            weight = weight._replace(filtered=filtered)
        weight = self._dashed(node, style.get("stroke-dasharray", "none"), weight)
        weight = self._layered(node, style, weight, self._extents.of, node)
        with contextlib.suppress(ValueError):  # one that can't be read is a finding of the lint
            pattern = node.name == "pattern"
            matrix = parse_transform(node.get("patternTransform")) if pattern else transform_of(node.attrs)
            if not matrix.is_identity:
                weight = weight.within(matrix)
        weight = weight._replace(depth=weight.depth + _LEVELS.get(node.name, 1))
        hold(node, weight)
        return weight

    def _boxed(self, node: Node, weight: Weight) -> Weight:
        """With what stands in the element's own box: an icon, a drawing from a file, a nested `<svg>`."""
        try:
            if node.name == "svg":
                view = view_box_of(node.get("viewBox"))
                return weight if view is None else weight.within(fit(view, box_of(node.attrs), "none"))
            brought = self._brought(node)
            if brought is None:
                return weight
            it = brought.weight
            own, once = (it.steps, 0.0) if node.name == "image" else (0.0, max(it.once, it.own))
            shown = it._replace(own=own, once=once, depth=it.depth + 4)
            return weight.beside(shown.within(fit(brought.view, box_of(node.attrs), "none")))
        except ViewportError:
            return weight  # said where viewports are looked at

    def _refer(
        self, node: Node, name: str, target: Node, style: Mapping[str, str], weight: Weight
    ) -> Weight:
        """With what a reference adds."""
        it = self._known[target]
        wanted = _TARGETS.get(name)
        if wanted is not None and target.name not in wanted[0]:
            message = f"'#{short(target.get('id') or '')}' is a <{target.name}>, not a {wanted[1]}"
            raise WeightError(node, "svg/reference", message, f"see {name}")
        if name == "href":
            if node.name == "use":
                once = max(it.once, it.own)
                return weight.beside(_used(node, target, it)._replace(own=0.0, once=once))
            return weight.beside(it) if node.name in _SERVERS else weight
        if name == "filter":
            filtered = by_filter(target, self._parts(target), self._extents.of(node)).around(
                weight.filtered
            )
            weight = weight._replace(filtered=filtered)
            return weight._replace(layers=weight.layers + 1, layer_depth=weight.layer_depth + 1)
        scaled = target.name in ("pattern", "marker") or (
            "objectBoundingBox" in (target.get("maskContentUnits"), target.get("clipPathUnits"))
        )
        if scaled and it.filtered is not UNFILTERED:
            message = f"a filter in the <{target.name}> '{short(target.get('id') or '')}' is not drawn"
            raise WeightError(node, "svg/filter", message, "put it on what that is used for")
        if name in ("clip-path", "mask"):
            soft = name == "mask" or len(list(_drawn(target))) > 1
            painted = it.painted * (self._box(node) if scaled else 1.0) + 2 * soft * self._box(node)
            once, layers = max(it.once, it.own), it.layers + 2 * soft
            added = it._replace(own=0.0, once=once, shapes=0, layers=layers, painted=painted)
            return weight.beside(added)._replace(layer_depth=max(weight.layer_depth + soft, it.layer_depth))
        times, layers = weight.shapes, it.layers
        tiled, painted, shaded = weight.tiled, weight.painted, weight.shaded
        if target.name in _GRADIENTS:
            cost = self._shading(target)
            shaded += cost * times
            extent = self._extents.of(node)
            painted += cost * (extent.area if name == "fill" else max(extent.area, extent.painted))
        elif target.name == "pattern":
            tile = self._whole(target)
            weight = weight._replace(cell=min(weight.cell, least_cell(node, tile, it, weight.least)))
            count = tile_count(tile, self._extents.of(node), weight)
            tiled += count * (it.steps + it.tiled + 1)
            painted += count * it.painted
            shaded += count * it.shaded
            if style.get(f"{name}-opacity", "1") != "1":
                layers += 1
                painted += self._extents.of(node).area
        elif target.name == "marker":
            if weight.longest > MOST_MARKED:
                message = f"an outline of more than {MOST_MARKED:,} characters has markers"
                raise WeightError(node, "svg/bounds", message, "draw the markers as shapes of their own")
            times = self.outline(node).corners if name == "marker-mid" else weight.shapes
            tiled += times * it.tiled
            painted += times * it.painted
            shaded += times * it.shaded
        return weight._replace(
            steps=weight.steps + times * (it.steps + 1),
            depth=max(weight.depth, it.depth + 1),
            layers=weight.layers + times * layers,
            layer_depth=max(weight.layer_depth, it.layer_depth),
            least=min(weight.least, weight.least * it.least),
            most=max(weight.most, weight.most * it.most),
            tiled=tiled,
            painted=painted,
            shaded=shaded,
            once=max(weight.once, it.once, it.own),
        )

    def _layered(
        self,
        node: Node,
        style: Mapping[str, str],
        weight: Weight,
        extent_of: Callable[[Node], Extent],
        shown: Node,
    ) -> Weight:
        """With the layers that see-through drawing takes, each as large as what is `shown` in it."""
        made = layered(node, style, weight)
        if made.layers == weight.layers:
            return made
        extent = extent_of(shown)
        box = extent.width * extent.height
        area = min((made.layers - weight.layers) * box, extent.area + box)
        return made._replace(painted=made.painted + area)

    def _box(self, node: Node) -> float:
        extent = self._extents.of(node)
        return extent.width * extent.height

    def _whole(self, pattern: Node) -> Node:
        """A pattern with the attributes that it takes over from those that it refers to."""
        whole = Node(pattern.name, dict(pattern.attrs), pattern.start)
        for other in self._inherited(pattern):
            whole.attrs = other.attrs | whole.attrs
        return whole

    def _shading(self, gradient: Node) -> float:
        """Return how many pixels of a layer one of the gradient counts as."""
        stops = (stop for each in self._inherited(gradient) for stop in _drawn(each))
        fading = any("stop-opacity" in self._sheet.properties(stop) for stop in stops)
        return (RADIAL if gradient.name == "radialGradient" else LINEAR) + FADING * fading

    def _inherited(self, server: Node) -> Iterator[Node]:
        """Yield a gradient or pattern, then those that it refers to."""
        other: Node | None = server
        while other is not None:
            yield other
            other = next((it for name, it in self._targets(other) if name == "href"), None)

    def _parts(self, node: Node) -> Parts:
        """The parts of a filter. Raises WeightError."""
        parts = self._filters.get(node)
        if parts is None:
            chain = [node]
            for each in chain:
                chain += (it for name, it in self._targets(each) if name == "href")
                if len(chain) > MOST_TAKEN_AFTER:
                    message = f"more than {MOST_TAKEN_AFTER} filters take after one another"
                    raise WeightError(node, "svg/bounds", message, "see their href")
            parts = self._filters[node] = parts_of(chain)
        return parts

    def _shown(self, node: Node) -> Extent | None:
        """The extent of what an element shows that lies in a file: its box, painted by all shapes."""
        brought = self._brought(node)
        if brought is None:
            return None
        try:
            box = box_of(node.attrs)
        except ViewportError:
            return None  # said where viewports are looked at
        area, edges = box.width * box.height, box.width + box.height
        shapes = 1 + brought.weight.shapes
        return Extent(
            box.x, box.y, box.right, box.bottom, shapes * area, shapes * edges, shapes, shapes * area
        )

    def _dashed(self, node: Node, value: str, weight: Weight) -> Weight:
        """With the dashes of its strokes, of which SVG may leave none where they are all 0 long."""
        dashes = [abs(each) for each in numbers(value)] if value not in ("none", "inherit") else []
        period = sum(dashes)
        if not period:
            return weight
        if weight.unscaled:
            message = "dashes of a stroke that keeps its width (vector-effect) are not drawn"
            raise WeightError(node, "svg/vector-effect", message, "draw it without transforms, or undashed")
        count = weight.dashes + self.outline(node).length / period * len(dashes)
        if count > MOST_DASHES:
            message = f"a stroke-dasharray of {short(value)} comes to more than {MOST_DASHES:,} dashes"
            raise WeightError(node, "svg/bounds", message, "lengths are in mm; make the dashes longer")
        return weight._replace(dashes=count)


def _shape(node: Node, depth: int = 1) -> Weight:
    """What a shape comes to by itself."""
    outline = len(node.get("d") or node.get("points") or "")
    steps = 1 + outline / STEP_CHARACTERS
    return Weight(steps, steps, 1, depth, longest=outline, least=1.0, most=1.0)


def _drawn(node: Node) -> Iterator[Node]:
    """The children that drawing the element draws."""
    if node.name in _GRADIENTS:
        yield from (child for child in node.elements() if child.name == "stop")
    elif node.name == "filter":
        return
    elif node.name not in ("defs", "style", "title", "desc", "metadata", "stop", "text"):
        for child in node.elements():
            if child.name not in DEFINITIONS and ":" not in child.name:
                yield child


def _used(node: Node, target: Node, weight: Weight) -> Weight:
    """What a `<use>` shows, fitted into its box."""
    if target.name in ("symbol", "svg"):
        with contextlib.suppress(ViewportError):  # said where viewports are looked at
            return weight.within(fit(view_box_of(target.get("viewBox")), box_of(node.attrs), "none"))
    return weight


def _outline(shape: Node) -> Outline:
    """The outline of a shape by itself."""
    if shape.name == "path":
        return Outline(*path_length(shape.get("d") or ""))
    if shape.name in ("polygon", "polyline"):
        values = numbers(shape.get("points") or "")
        places = list(zip(values[::2], values[1::2]))
        return Outline(
            len(places), sum(math.dist(a, b) for a, b in zip(places, (*places[1:], *places[:1])))
        )
    sizes = (number((shape.get(name) or "0").rstrip("px%")) or 0.0 for name in _SIZES[shape.name])
    return Outline(4, math.tau * sum(map(abs, sizes)))


_SIZES = {
    "rect": ("width", "height"),
    "image": ("width", "height"),
    "circle": ("r",),
    "ellipse": ("rx", "ry"),
    "line": ("x1", "y1", "x2", "y2"),
}
"""Attributes whose sum, times 2π, is no less than the length of a shape's outline."""
