"""The cost of a drawing, counted before it is drawn: its steps, layers and pixels at each place."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from cardgen.core.findings import Problem
from cardgen.core.geometry import IDENTITY, Matrix, Rect
from cardgen.svg.lint import DEFINITIONS, filter_functions
from cardgen.svg.outlines import (
    NO_OUTLINE,
    ViewportError,
    box_of,
    extents,
    fit,
    length,
    outline_of,
    parse_transform,
    plain,
    transform_of,
    view_box_of,
)
from cardgen.svg.style import StyleSheet, references, url_targets
from cardgen.svg.tree import (
    FADING,
    FARTHEST,
    FILTER_PIXELS,
    LINEAR,
    MOST_CELLS,
    MOST_DASHES,
    MOST_DEPTH,
    MOST_FILTERED,
    MOST_HARD_TEXT,
    MOST_LAYER_DEPTH,
    MOST_LAYERS,
    MOST_MARKUP,
    MOST_PAINTED,
    MOST_PICTURES,
    MOST_REPEATED,
    MOST_SCALE,
    MOST_SIDE_TEXT,
    MOST_STEPS,
    MOST_TAKEN_AFTER,
    MOST_TILED,
    MOST_TILES,
    RADIAL,
    STEP_CHARACTERS,
    Node,
    number,
    numbers,
    short,
)

SHAPES = frozenset(("circle", "ellipse", "image", "line", "path", "polygon", "polyline", "rect"))
_GRADIENTS = frozenset(("linearGradient", "radialGradient"))
_SERVERS = _GRADIENTS | {"pattern"}
_MARKERS = ("marker-start", "marker-mid", "marker-end")
_MARKED = frozenset(("line", "path", "polygon", "polyline"))
_TARGETS = {
    **dict.fromkeys(("fill", "stroke"), (_SERVERS, "gradient or pattern")),
    **dict.fromkeys(_MARKERS, (frozenset(("marker",)), "marker")),
    **{name: (frozenset((kind,)), kind) for name, kind in (("clip-path", "clipPath"), ("mask", "mask"))},
    "filter": (frozenset(("filter",)), "filter"),
}
"""The elements that properties may refer to."""
_FOLLOWED = ("fill", "stroke", "fill-opacity", "stroke-opacity", "stroke-dasharray", *_MARKERS)
"""Inherited properties that cost something."""
_INVOLVED = frozenset(
    (
        *("class", "clip-path", "filter", "href", "mask", "opacity", "mix-blend-mode", "isolation"),
        *("style", "transform", "xlink:href", *_MARKERS, "stroke-dasharray"),
    )
)
"""Attributes of a shape that may cost more than its own outline."""
_UNDRAWN = _GRADIENTS | {"defs", "style", "title", "desc", "metadata", "text", "filter"}
_OPAQUE = ("1", "1.0", "inherit")
_LEVELS = {"use": 2, "svg": 4, "symbol": 4, "pattern": 3, "marker": 3, "clipPath": 3, "image": 4}
"""Levels of nesting that an element becomes when it is drawn; the others become one."""
_LAYER = 4.0
"""The number of times a layer below a filter goes over its pixels."""
_AROUND = 1.2
"""The side of a filter's region in that of the box that is filtered, if it states none."""
_AROUND_FUNCTIONS = 4.0
"""The area of the region of CSS's filter functions in that of the box."""


class Cost(NamedTuple):
    """The cost of drawing a side or a part of it.

    `steps` counts elements and the length of their outlines (see STEP_CHARACTERS) wherever they are shown,
    `own` those that are written there, `once` those of the largest thing that a reference shows. `tiled`
    are the steps of patterns, tile by tile. `pixels` is the area of all layers and gradients, `filtered`
    that of all results of filters, in square units, `compared` what morphologies compare with one another,
    in units to the fourth. `depth` and `layer_depth` count levels. `pictures` are
    drawn apart; `characters` are those of texts, `hard` those of them that are hard to break into lines.
    """

    steps: float = 0.0
    own: float = 0.0
    once: float = 0.0
    tiled: float = 0.0
    layers: float = 0.0
    pixels: float = 0.0
    filtered: float = 0.0
    compared: float = 0.0
    depth: int = 0
    layer_depth: int = 0
    pictures: int = 0
    characters: int = 0
    hard: int = 0

    @property
    def repeated(self) -> float:
        """Return the steps that references add, but for the largest thing shown: a file contains it."""
        return self.steps - self.own - self.once

    def beside(self, other: Cost) -> Cost:
        """Return the cost of both, one after the other."""
        if other is NOTHING:
            return self
        if self is NOTHING:
            return other
        return Cost(
            self.steps + other.steps,
            self.own + other.own,
            max(self.once, other.once),
            self.tiled + other.tiled,
            self.layers + other.layers,
            self.pixels + other.pixels,
            self.filtered + other.filtered,
            self.compared + other.compared,
            max(self.depth, other.depth),
            max(self.layer_depth, other.layer_depth),
            self.pictures + other.pictures,
            self.characters + other.characters,
            self.hard + other.hard,
        )


NOTHING = Cost()


_EVERYWHERE = Rect(-FARTHEST, -FARTHEST, 2 * FARTHEST, 2 * FARTHEST)


class CostError(Exception):
    """An element costs too much to draw, or refers to itself. `node` is where."""

    def __init__(self, node: Node, code: str, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.node = node
        self._problem = Problem(code, message, hint)

    def problem(self, top: Node) -> Problem:
        """Return the problem, its offset counted from the start of `top`."""
        return self._problem.moved(self.node.start - top.start)


class Brought(NamedTuple):
    """The icon or drawing that an element shows from a file; `view` is fitted into the element's box."""

    cost: Cost
    view: Rect | None


_UNSTYLED: Mapping[str, str] = {}


class Place(NamedTuple):
    """A place where elements are drawn: what they inherit, their map to the page, and the part of the
    page that is seen. What is there is drawn so many `times`, `tiled` if by a pattern."""

    style: Mapping[str, str] = _UNSTYLED
    matrix: Matrix = IDENTITY
    page: Rect = _EVERYWHERE
    depth: int = 0
    layers: int = 0
    times: float = 1.0
    tiled: bool = False
    is_shown: bool = False
    """True if a reference shows what is there."""
    is_filtered: bool = False
    """True if a filter turns what is there into pixels."""

    @property
    def is_plain(self) -> bool:
        """Tell whether plain shapes inherit nothing here that costs more."""
        style = self.style
        return not (
            "url(" in style.get("fill", "")
            or "url(" in style.get("stroke", "")
            or "stroke-dasharray" in style
            or any(name in style for name in _MARKERS)
        )

    def seen(self, box: Rect) -> Rect | None:
        """Return what is seen of a box, on the page; None for nothing."""
        area, page = self.matrix.around(box), self.page
        left, top = max(area.x, page.x), max(area.y, page.y)
        right, bottom = min(area.right, page.right), min(area.bottom, page.bottom)
        return Rect(left, top, right - left, bottom - top) if right >= left and bottom >= top else None


class CostCounter:
    """Counts the costs of a document's elements. `brought` is what an element shows from a file."""

    def __init__(
        self, ids: Mapping[str, Node], sheet: StyleSheet, brought: Callable[[Node], Brought | None]
    ) -> None:
        self._ids = ids
        self._sheet = sheet
        self._brought = brought
        self._boxes: dict[Node, Rect | None] = {}
        self._gradients: dict[Node, tuple[float, float]] = {}
        self._begin()

    def _begin(self) -> None:
        self._open: list[Node] = []
        self._steps = self._own = self._once = self._tiled = 0.0
        self._shown = 0.0  # steps written in what the innermost reference shows
        self._layers = self._pixels = self._dashes = 0.0
        self._filtered = self._compared = 0.0
        self._depth = self._layer_depth = 0
        self._referring: Node | None = None  # the element whose references are followed

    def count(self, top: Node, place: Place | None = None) -> Cost:
        """Return the cost of drawing an element at a place. Raises CostError."""
        self._begin()
        place = place or Place()
        self._visit(top, place)
        for _ in range(place.layers):
            self._layer(top, place)
        return Cost(
            self._steps,
            self._own,
            self._once,
            self._tiled,
            self._layers,
            self._pixels,
            self._filtered,
            self._compared,
            self._depth,
            self._layer_depth,
        )

    # ---- elements

    def _visit(self, node: Node, place: Place) -> None:
        """Count an element and all that it shows."""
        if node.name in SHAPES and self._is_plain(node, place):
            self._depth = max(self._depth, place.depth + 1)
            self._step(node, place, _steps_of(node))
            return
        style = self._sheet.properties(node)
        place = self._entered(node, style, place)
        self._open.append(node)
        if node.name not in SHAPES:
            self._step(node, place, 1.0)
        targets = list(self._targets(node))
        inner = place
        if layers := self._own_layers(node, style, targets, place):
            filtered = place.is_filtered or style.get("filter", "none") != "none"
            inner = place._replace(layers=place.layers + layers, is_filtered=filtered)
        if inner.layers > MOST_LAYER_DEPTH:
            message = f"<{node.name}> has more than {MOST_LAYER_DEPTH} nested transparent layers"
            raise CostError(node, "svg/bounds", message, "use opaque mixed colors instead")
        self._layer_depth = max(self._layer_depth, inner.layers)
        if node.name in SHAPES:
            self._shape(node, inner)
        for child in drawn_children(node):
            self._visit(child, _inside(node, inner))
        if node.name in ("use", "image"):
            self._file(node, inner)
        for name, target in targets:
            self._refer(node, name, target, place, inner)
        for _ in range(layers):
            self._layer(node, place)
        if filter_functions(value := style.get("filter", "none")):
            self._filter(node, place, _AROUND_FUNCTIONS, value.count("("))
        self._open.pop()

    def _is_plain(self, node: Node, place: Place) -> bool:
        attrs = node.attrs
        return (
            node.name != "image"
            and place.is_plain
            and not self._sheet.rules
            and _INVOLVED.isdisjoint(attrs)
            and "url(" not in attrs.get("fill", "")
            and "url(" not in attrs.get("stroke", "")
        )

    def _entered(self, node: Node, style: Mapping[str, str], place: Place) -> Place:
        """Return the place within an element: in its transform, with its properties."""
        depth = place.depth + _LEVELS.get(node.name, 1)
        if depth > MOST_DEPTH:
            message = f"<{node.name}> is nested more than {MOST_DEPTH} deep"
            raise CostError(
                node, "svg/bounds", message, "use fewer levels; the elements it refers to count too"
            )
        self._depth = max(self._depth, depth)
        own = {name: style[name] for name in _FOLLOWED if style.get(name, "inherit") != "inherit"}
        matrix = place.matrix
        if "transform" in node.attrs:
            with contextlib.suppress(ValueError):  # a finding of the lint
                matrix = self._scaled(node, transform_of(node.attrs), matrix)
        return place._replace(
            depth=depth, matrix=matrix, style={**place.style, **own} if own else place.style
        )

    def _scaled(self, node: Node, inner: Matrix, outer: Matrix) -> Matrix:
        """Return one map after the other. What one shrinks to nothing isn't seen, and remains as it is."""
        if abs(inner.a * inner.d - inner.b * inner.c) < 1e-12:
            return outer
        matrix = inner.then(outer)
        sides = (math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d))
        if max(sides) > MOST_SCALE or min(sides) < 1 / MOST_SCALE:
            message = f"transforms scale <{node.name}> by more than {MOST_SCALE:,.0f} times"
            raise CostError(node, "svg/number", message, "check its transforms and viewBoxes")
        return matrix

    def _step(self, node: Node, place: Place, steps: float) -> None:
        """Count steps of drawing."""
        if place.tiled:
            self._tiled += place.times * steps
        self._steps += steps if place.tiled else place.times * steps
        self._shown += steps
        if not place.is_shown:
            self._own += steps
        if self._tiled > MOST_TILED:
            message = f"<{node.name}> needs more than {MOST_TILED:,} drawing steps for its tiles"
            hint = "make the tiles of its patterns larger, or fill fewer shapes with them"
            raise CostError(self._referring or node, "svg/bounds", message, hint)
        once = max(self._once, self._shown) if place.is_shown else self._once
        if self._steps - self._own - once > MOST_REPEATED:
            message = f"<{node.name}> needs more than {MOST_REPEATED:,} drawing steps with all references"
            hint = "reduce the repeats of <use>, patterns and markers"
            raise CostError(self._referring or node, "svg/bounds", message, hint)

    def _show(self, node: Node, shown: Iterable[Node], place: Place, steps: float = 0.0) -> None:
        """Count so many steps, and elements at a place, that an element refers to."""
        if place.is_shown:
            self._once = max(self._once, self._shown)
        else:
            self._referring = node
        before, self._shown = self._shown, 0.0
        inner = place._replace(is_shown=True)
        self._step(node, inner, steps)
        for each in shown:
            if each in self._open:
                message = f"<{node.name}> refers to an element that refers to itself"
                raise CostError(node, "svg/cycle", message, "check its href and url(#…)")
            self._visit(each, inner)
        self._once = max(self._once, self._shown)
        self._shown = before

    def _show_parts(self, node: Node, target: Node, place: Place) -> None:
        """Count what is in an element that one refers to."""
        if target in self._open:
            self._show(node, [target], place)
        self._open.append(target)
        self._show(node, drawn_children(target), place)
        self._open.pop()

    def _file(self, node: Node, place: Place) -> None:
        """Count what an element shows from a file."""
        brought = self._brought(node)
        if brought is None:
            return
        cost = brought.cost
        area = 0.0
        with contextlib.suppress(ViewportError):  # said where viewports are looked at
            matrix = fit(brought.view, box_of(node.attrs), "none").then(place.matrix)
            area = place.times * abs(matrix.a * matrix.d - matrix.b * matrix.c)
        if max(place.depth + cost.depth, 1) > MOST_DEPTH:
            message = f"<{node.name}> is nested more than {MOST_DEPTH} deep"
            hint = "use fewer levels; the elements it refers to count too"
            raise CostError(node, "svg/bounds", message, hint)
        if node.name == "image" and not place.is_shown:
            self._own += cost.steps
        else:
            self._once = max(self._once, cost.once, cost.own)
        self._steps += place.times * cost.steps
        self._tiled += place.times * cost.tiled
        self._layers += place.times * cost.layers
        self._pixels += area * cost.pixels
        self._filtered += area * cost.filtered
        self._compared += area * area * cost.compared
        self._step(node, place, 0.0)

    # ---- references

    def _targets(self, node: Node) -> Iterator[tuple[str, Node]]:
        """Yield the properties of an element that refer to others, with those. Raises CostError for one
        of the wrong kind."""
        for name, id in references(node, self._sheet):
            target = self._ids.get(id)
            if target is None or (name != "href" and name not in _TARGETS):
                continue
            kinds, kind = _TARGETS.get(name, (None, ""))
            if kinds is not None and target.name not in kinds:
                message = f"'#{short(target.get('id') or '')}' is a <{target.name}>, not a {kind}"
                raise CostError(node, "svg/reference", message, f"check {name}")
            yield name, target

    def _refer(self, node: Node, name: str, target: Node, outer: Place, inner: Place) -> None:
        """Count what a reference other than a paint or a marker adds. `outer` is the place of the
        element, `inner` within its layers."""
        if name == "href" and node.name == "use":
            self._show(node, [target], self._used(node, target, inner))
        elif name in ("clip-path", "mask"):
            relative = "objectBoundingBox" in (target.get("maskContentUnits"), target.get("clipPathUnits"))
            box = self._box(node) if relative else None
            matrix = outer.matrix
            if box is not None:
                matrix = Matrix(box.width, 0, 0, box.height, box.x, box.y).then(matrix)
            self._show_parts(node, target, outer._replace(matrix=matrix, style={}, layers=inner.layers))
        elif name == "filter":
            chain = list(self._chain(target))
            parts = [part for each in chain for part in each.elements()]
            region = self._region(node, {k: v for each in reversed(chain) for k, v in each.attrs.items()})
            self._filter(node, outer, region, sum(map(_passes, parts)))
            radii = (numbers(part.get("radius") or "0") for part in parts if part.name == "feMorphology")
            compared = sum((2 * max(each, default=0.0)) ** 2 for each in radii)
            area = outer.matrix.scale**2
            self._compared += outer.times * area * area * self._area(node) * region * compared

    def _used(self, node: Node, target: Node, place: Place) -> Place:
        """Return the place of what a `<use>` shows, fitted into its box."""
        matrix = Matrix(e=plain(node.attrs, "x"), f=plain(node.attrs, "y"))
        if target.name in ("symbol", "svg"):
            with contextlib.suppress(ViewportError):  # said where viewports are looked at
                matrix = fit(view_box_of(target.get("viewBox")), box_of(node.attrs), "none")
        return place._replace(matrix=self._scaled(node, matrix, place.matrix))

    def _chain(self, first: Node) -> Iterator[Node]:
        """Yield a gradient, pattern or filter, then those that it inherits from."""
        chain = [first]
        for each in chain:
            yield each
            other = self._ids.get((each.href or "#")[1:])
            if other in chain:
                message = f"<{each.name}> refers to an element that refers to itself"
                raise CostError(each, "svg/cycle", message, "check its href and url(#…)")
            if other is not None:
                chain.append(other)
            if len(chain) > MOST_TAKEN_AFTER:
                message = f"more than {MOST_TAKEN_AFTER} of <{first.name}> inherit in a chain"
                raise CostError(each, "svg/bounds", message, "check their href")

    # ---- shapes

    def _shape(self, node: Node, place: Place) -> None:
        self._step(node, place, _steps_of(node))
        style = place.style
        for name in ("fill", "stroke"):
            if "url(" in style.get(name, ""):
                self._paint(node, name, place)
        if "stroke" in style and style.get("stroke-dasharray", "none") != "none":
            self._count_dashes(node, style["stroke-dasharray"], place)
        if node.name in _MARKED:
            for name in _MARKERS:
                if "url(" in style.get(name, ""):
                    marker = self._stated(style[name])
                    times = place.times
                    if name == "marker-mid":
                        times *= len((outline_of(node.name, node.attrs) or NO_OUTLINE).letters)
                    if marker is not None and marker.name == "marker":
                        self._show_parts(node, marker, place._replace(style={}, times=times))

    def _stated(self, value: str) -> Node | None:
        """Return the element that a value names."""
        return next((self._ids.get(target[1:]) for target in url_targets(value)), None)

    def _paint(self, node: Node, name: str, place: Place) -> None:
        """Count a gradient or pattern on a shape."""
        server = self._stated(place.style[name])
        if server is None or server.name not in _SERVERS:
            return
        box = self._box(node)
        if server.name == "pattern":
            if box is not None:
                self._tile(node, server, box, place)
            if place.style.get(f"{name}-opacity", "1") != "1":
                self._layer(node, place)
            return
        stops, pixels = self._gradient(server)
        self._show(node, (), place, stops)
        if box is not None and (seen := place.seen(box)) is not None:
            self._pixels += place.times * pixels * seen.width * seen.height

    def _gradient(self, gradient: Node) -> tuple[float, float]:
        """Return the steps of a gradient, and the pixels of a layer that one of it counts as."""
        known = self._gradients.get(gradient)
        if known is None:
            stops = [
                stop for each in self._chain(gradient) for stop in each.elements() if stop.name == "stop"
            ]
            fades = any("stop-opacity" in self._sheet.properties(stop) for stop in stops)
            pixels = (RADIAL if gradient.name == "radialGradient" else LINEAR) + FADING * fades
            known = self._gradients[gradient] = (float(len(stops)), pixels)
        return known

    def _tile(self, node: Node, pattern: Node, box: Rect, place: Place) -> None:
        """Count the tiles of a pattern on a shape."""
        chain = list(self._chain(pattern))
        attrs = {name: value for each in reversed(chain) for name, value in each.attrs.items()}
        drawn = next((each for each in chain if any(drawn_children(each))), pattern)
        relative = attrs.get("patternUnits") != "userSpaceOnUse"
        width = _side(attrs.get("width", "0"), box.width if relative else 1.0)
        height = _side(attrs.get("height", "0"), box.height if relative else 1.0)
        try:
            turn = parse_transform(attrs.get("patternTransform"))
            outer = turn.then(place.matrix)
            seen = place.seen(box)
            reach = outer.inverse().around(seen) if seen is not None else Rect(0, 0, 0, 0)
        except (ValueError, ZeroDivisionError):
            return  # a finding of the lint, or nothing is painted
        if width <= 0 or height <= 0:
            return
        count = (reach.width / width + 1) * (reach.height / height + 1)
        if not count <= MOST_CELLS:
            message = f"the pattern '{short(pattern.get('id') or '')}' has more than {MOST_CELLS:,} cells"
            raise CostError(node, "svg/bounds", message, "make the pattern's cell larger")
        inner = outer
        with contextlib.suppress(ViewportError):  # a finding of the lint
            if attrs.get("viewBox"):
                inner = fit(view_box_of(attrs["viewBox"]), Rect(0, 0, width, height), "none").then(outer)
            elif attrs.get("patternContentUnits") == "objectBoundingBox":
                inner = Matrix(box.width, 0, 0, box.height).then(outer)
        tile = place._replace(
            style={},
            matrix=inner,
            page=outer.around(Rect(0, 0, width, height)),
            times=place.times * min(count, MOST_TILES),
            tiled=True,
        )
        self._show_parts(node, drawn, tile)

    def _count_dashes(self, node: Node, value: str, place: Place) -> None:
        dashes = [abs(each) for each in numbers(value)]
        if not (period := sum(dashes)):
            return
        outline = outline_of(node.name, node.attrs) or NO_OUTLINE
        self._dashes += place.times * length(outline) / period * len(dashes)
        if self._dashes > MOST_DASHES:
            message = f"the stroke-dasharray {short(value)} makes more than {MOST_DASHES:,} dashes"
            raise CostError(node, "svg/bounds", message, "make the dashes longer; lengths are in mm")

    # ---- layers and pixels

    def _own_layers(
        self, node: Node, style: Mapping[str, str], targets: list[tuple[str, Node]], place: Place
    ) -> int:
        """Return the layers that drawing an element takes."""
        layers = 0
        blended = style.get("mix-blend-mode", "normal") != "normal" or "isolation" in style
        if blended:
            layers += 1
        elif style.get("opacity", "1").strip() not in _OPAQUE:
            both = place.style.get("stroke", "none") != "none"
            layers += both if node.name in SHAPES else any(drawn_children(node)) or node.name == "use"
        for name, target in targets:
            soft = name == "mask" or (name == "clip-path" and len(list(drawn_children(target))) > 1)
            layers += 2 if soft else name == "filter"
        return layers

    def _layer(self, node: Node, place: Place) -> None:
        """Count a layer as large as what is seen of an element."""
        self._layers += place.times
        if self._layers > MOST_LAYERS:
            message = f"<{node.name}> has more than {MOST_LAYERS:,} transparent layers"
            raise CostError(node, "svg/bounds", message, "use opaque mixed colors instead")
        box = self._box(node)
        if box is not None and (seen := place.seen(box)) is not None:
            area = place.times * seen.width * seen.height
            self._pixels += area
            if place.is_filtered:
                self._filtered += _LAYER * area

    def _filter(self, node: Node, place: Place, region: float, parts: float) -> None:
        """Count a filter with so many parts and a region of so many times the element's box."""
        area = self._area(node) * place.matrix.scale**2
        self._filtered += place.times * area * region * (parts + 1)

    def _area(self, node: Node) -> float:
        """Return the area of the box of an element, in its own units."""
        box = self._box(node)
        return 0.0 if box is None else box.width * box.height

    def _region(self, node: Node, filter: Mapping[str, str]) -> float:
        """Return the area of a filter's region in that of the box of what is filtered."""
        box = self._box(node)
        if box is None or not box.width or not box.height:
            return _AROUND * _AROUND
        if filter.get("filterUnits") != "userSpaceOnUse":
            return _side(filter.get("width", "120%"), 1.0) * _side(filter.get("height", "120%"), 1.0)
        width, height = (number(filter.get(name, "").removesuffix("px")) for name in ("width", "height"))
        if width is None or height is None:
            return _AROUND * _AROUND
        return width * height / (box.width * box.height)

    def _box(self, node: Node) -> Rect | None:
        """Return the box of an element that was counted, in its own units; None if it paints nothing."""
        if node not in self._boxes:
            self._boxes[node] = None  # what refers to itself is found elsewhere
            found = [box for box in self._parts_boxes(node) if box is not None]
            self._boxes[node] = Rect.union(found) if found else None
        return self._boxes[node]

    def _parts_boxes(self, node: Node) -> Iterator[Rect | None]:
        if node.name in SHAPES:
            outline = outline_of(node.name, node.attrs)
            yield extents(outline) if outline else None
        for child in drawn_children(node):
            yield self._placed_box(child, _inside(node, Place()).matrix)
        if node.name == "use":
            with contextlib.suppress(ViewportError):
                target = self._ids.get((node.href or "#")[1:])
                if target is not None:
                    yield self._placed_box(target, self._used(node, target, Place()).matrix)
                elif self._brought(node) is not None:
                    yield box_of(node.attrs)

    def _placed_box(self, node: Node, outer: Matrix) -> Rect | None:
        """Return the box of an element in the units around it."""
        box = self._box(node)
        try:
            return None if box is None else transform_of(node.attrs).then(outer).around(box)
        except ValueError:
            return None  # said elsewhere: it is not drawn


def drawn_children(node: Node) -> Iterator[Node]:
    """Yield the children that drawing an element draws."""
    if node.name in _UNDRAWN:
        return
    for child in node.elements():
        if child.name not in DEFINITIONS and ":" not in child.name:
            yield child


def _inside(node: Node, place: Place) -> Place:
    """Return the place of what is in an element: of a nested `<svg>`, fitted into its box."""
    if node.name != "svg" or node.get("viewBox") is None:
        return place
    with contextlib.suppress(ViewportError):  # said where viewports are looked at
        inner = fit(view_box_of(node.get("viewBox")), box_of(node.attrs), "none")
        return place._replace(matrix=inner.then(place.matrix))
    return place


def _steps_of(shape: Node) -> float:
    """Return the steps of a shape by itself."""
    return 1 + len(shape.get("d") or shape.get("points") or "") / STEP_CHARACTERS


def _side(text: str, whole: float) -> float:
    """Return a length of a server: a number, or a part of the box that it counts from."""
    value = number(text.strip().removesuffix("px").removesuffix("%")) or 0.0
    return abs(value) * whole / (100 if text.strip().endswith("%") else 1)


def _passes(part: Node) -> float:
    """Return how many times a part of a filter goes over its pixels."""
    if part.name == "feConvolveMatrix":
        return 1 + max(numbers(part.get("order") or "3"), default=3.0) ** 2 / 10
    if part.name == "feTurbulence":
        return 2 + 2 * max(numbers(part.get("numOctaves") or "1"), default=1.0)
    return {"feGaussianBlur": 5.0, "feDropShadow": 8.0}.get(part.name, 1.0)


def is_overfiltered(cost: Cost, pixels: float) -> bool:
    """Tell whether filters go over too many pixels where a unit is so many."""
    passes = cost.filtered * pixels**2 + cost.compared * pixels**4
    return not passes <= MOST_FILTERED  # which holds for what is no number, too


def side_problem(cost: Cost, offset: int) -> Problem | None:
    """Return a problem if a side costs too much to draw."""
    hint = DRAW_LESS
    if cost.repeated > MOST_REPEATED:
        what = f"{MOST_REPEATED:,} drawing steps for repeated elements"
        hint = "reduce the repeats of <use>, patterns, gradients and markers"
    elif cost.steps > MOST_STEPS:
        what = f"{MOST_STEPS:,} drawing steps"
    elif cost.tiled > MOST_TILED:
        what = f"{MOST_TILED:,} drawing steps for tiles"
        hint = "make the tiles of its patterns larger, or fill fewer shapes with them"
    elif cost.pixels * FILTER_PIXELS**2 > MOST_PAINTED:
        what = f"{MOST_PAINTED // 1_000_000:,} million pixels of transparent layers, masks and gradients"
        hint = "use opaque mixed colors, make the layers smaller, or save them as a PNG"
    elif cost.layers > MOST_LAYERS:
        what, hint = f"{MOST_LAYERS:,} transparent layers", "use opaque mixed colors instead"
    elif cost.pictures > MOST_PICTURES:
        what = f"{MOST_PICTURES:,} separate shapes"
        hint = "put shapes that belong together into a group <g>, without text"
    elif cost.characters > MOST_SIDE_TEXT:
        what, hint = f"{MOST_SIDE_TEXT:,} characters of text", "shorten the texts"
    elif cost.hard > MOST_HARD_TEXT:
        what = f"{MOST_HARD_TEXT:,} characters in words of complex letters"
        hint = "shorten the texts"
    elif is_overfiltered(cost, FILTER_PIXELS):
        what = f"{MOST_FILTERED // 1_000_000:,} million pixels of filters, each of their steps counted"
        hint = "filter smaller parts, use fewer filters, or save the filtered artwork as a PNG"
    else:
        return None
    return Problem("svg/bounds", f"with this element, the side needs more than {what}", hint, offset=offset)


DRAW_LESS = "draw less, or save it as a PNG"


class MarkupError(Exception):
    """A side or drawing comes to more markup than is drawn. The text is a sentence for the designer."""


class Room:
    """The remaining budget for the markup of a side or a drawing. Every element gets the properties of
    its rules written out, so that a long rule for many elements is very much longer than its source."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = MOST_MARKUP

    def take(self, text: str) -> str:
        """Return the text. Raises MarkupError if there is no room for it."""
        self._left -= len(text)
        if self._left < 0:
            message = f"it needs more than {MOST_MARKUP // 1_000_000} MB with its styles written out"
            raise MarkupError(message)
        return text
