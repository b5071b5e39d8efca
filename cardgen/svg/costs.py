"""The drawing costs of elements and filters, counted before anything is drawn."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cardgen.core.findings import Problem
from cardgen.core.geometry import Matrix, Rect
from cardgen.svg.outlines import ViewportError, box_of, fit, path_segments, transform_of, view_box_of
from cardgen.svg.tree import (
    FILTER_PIXELS,
    MOST_DEPTH,
    MOST_FILTER_PIXELS,
    MOST_FILTER_REACH,
    MOST_FILTER_WORK,
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
    MOST_TILED,
    Node,
    names,
    number,
    numbers,
    short,
)

_MITRE = 4.0
"""The reach of a stroke to both sides together, in its width, with ordinary corners."""
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
        """Return it as seen from around a transform."""
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
        """Return it with strokes of that width along its shapes."""
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
        """Return the extent of an element in its own units, within its transform."""
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
        """Return the extent of an element in the units around it."""
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
        """Return an element's extent in the units around it."""
        with contextlib.suppress(ValueError):  # said elsewhere: it is not drawn
            if node.name == "svg":
                view = view_box_of(node.get("viewBox"))
                extent = extent.within(fit(view, box_of(node.attrs), node.get("preserveAspectRatio")))
            return extent.within(transform_of(node.attrs))
        return extent

    def _more(
        self, node: Node, extent: Extent, style: Mapping[str, str], targets: list[tuple[str, Node]]
    ) -> Iterator[float]:
        """Return the cost of the layers, masks, markers and patterns, apart from the shapes themselves."""
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
    """Return the box of a shape's outline, unstroked; empty for what is none."""
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
    """Return a side of a pattern's tile in the units of what it fills, whose box has the side `box`."""
    text = (pattern.get(name) or "0").strip()
    found = number(text.removesuffix("px").removesuffix("%")) or 0.0
    if text.endswith("%"):
        found /= 100
    return abs(found) * (1.0 if pattern.get("patternUnits") == "userSpaceOnUse" else box)


PARTS = names(
    "feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting "
    "feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge "
    "feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTurbulence"
)
DPI = "data-filter-dpi"
"""Attribute of a picture's root: how many pixels an inch its filters make, if not FILTER_DPI."""
_REFUSED = {
    "feImage": "put the image below the filtered artwork",
    "feTile": "fill a shape with a pattern",
    "feDisplacementMap": "save it as an image",
}
MOST_OCTAVES = 10
"""Of turbulence; each is half as strong as the one before, and shows in 8 bits up to the eighth."""
MOST_ORDER = 9
"""Rows and columns of a convolution."""

_FUNCTIONS = re.compile(
    r"(?:\s*(?:blur|brightness|contrast|drop-shadow|grayscale|hue-rotate|invert|opacity|saturate|sepia)"
    r"\((?:[^()]|\([^()]*\))*\))+\s*"
)
_LONGEST = 300

Trouble = tuple[str, str, str | None]


def filter_functions(value: str) -> bool:
    """Return True if a `filter` uses CSS's own functions."""
    return len(value) < _LONGEST and _FUNCTIONS.fullmatch(value) is not None


def part_trouble(node: Node) -> Trouble | None:
    """Return the problem with an element whose name begins with `fe`."""
    if node.name in PARTS:
        return None
    return (
        f"svg/{node.name.lower()}",
        f"the filter <{short(node.name)}> is not supported",
        _REFUSED.get(node.name, "save it as an image"),
    )


def work_troubles(node: Node) -> Iterator[Trouble]:
    """Yield the limits that a part of a filter exceeds."""
    if node.name == "feTurbulence":
        yield from _at_most(node, "numOctaves", MOST_OCTAVES)
    elif node.name == "feConvolveMatrix":
        yield from _at_most(node, "order", MOST_ORDER)


def _at_most(node: Node, name: str, most: int) -> Iterator[Trouble]:
    text = node.get(name, "1") or ""
    found = numbers(text)
    if not found or max(found) > most:
        yield ("svg/bounds", f"{name} can't be '{short(text)}'", f"write a number up to {most}")


# ---- what a filter comes to, before any of it is drawn

_STEPS = {
    "feFlood": 1.0,
    "feGaussianBlur": 18.0,
    "feDropShadow": 30.0,
    "feMerge": 2.0,
    "feMergeNode": 2.0,
    "feMorphology": 3.0,
    "feConvolveMatrix": 3.0,
    "feTurbulence": 10.0,
    "feDiffuseLighting": 5.0,
    "feSpecularLighting": 5.0,
}
"""Steps of work a pixel, each a hundredth of a microsecond on a machine of today."""
_OTHER = 4.0
_OCTAVE = 8.0
_CELL = 0.4
"""Of a convolution; those of a morphology count in `Filtered.spread`."""
_NEIGHBOUR = 0.75
"""Of a pixel, in a morphology."""
_ITSELF = 5.0
"""Of the picture before it is filtered, and of its bytes in the PDF."""
_PAINTING = 0.2
"""A pixel of a shape below a filter, drawn as pixels as well."""
_RESULTS_BESIDE = 2
"""Pictures of the whole region that there are beside the results of the filter's parts."""
_ROOM = 1000.0
"""The length of 100 % if the drawing's own size is not known."""
_MARGINS = {"width": 1.2, "height": 1.2}
_REACHING = names("dx dy x y z width height stdDeviation radius pointsAtX pointsAtY pointsAtZ surfaceScale")
_FUNCTION = re.compile(r"([a-z-]+)\(((?:[^()]|\([^()]*\))*)\)")
_AROUND_FUNCTIONS = 4.0
"""The area of a CSS function's region, in those of the box of what it is on."""
_PER_UNIT = 96.0
"""Pixels in the largest unit, an inch."""


class Filtered(NamedTuple):
    """The cost of the filters in an element. `work` is the area of their regions times the steps that a
    pixel takes, `held` the area of all pictures that there are at once, both in square units around the
    element; `spread` is that of a morphology, by its radii, in units to the fourth; `reach` the longest
    length said in a filter."""

    work: float = 0.0
    held: float = 0.0
    spread: float = 0.0
    reach: float = 0.0

    def beside(self, other: Filtered) -> Filtered:
        """Return both, one after the other."""
        if other is UNFILTERED:
            return self
        if self is UNFILTERED:
            return other
        return Filtered(
            self.work + other.work,
            max(self.held, other.held),
            self.spread + other.spread,
            max(self.reach, other.reach),
        )

    def around(self, inner: Filtered) -> Filtered:
        """This filter over an element with others in it."""
        return self.beside(inner)._replace(held=self.held + inner.held)

    def within(self, area: float, side: float) -> Filtered:
        """Return it as seen from around a transform that makes an area and a length so many times
        larger."""
        if self is UNFILTERED:
            return self
        return Filtered(self.work * area, self.held * area, self.spread * area * area, self.reach * side)

    def trouble(self, square: float) -> str:
        """Name the limit that the filters exceed; "" for none. `square` pixels are a square unit."""
        # What is no number passes no comparison.
        work = self.work * square + self.spread * square * square
        if not work <= MOST_FILTER_WORK:
            return f"{MOST_FILTER_WORK // 1_000_000} million steps of filtering pixels"
        if not self.held * square <= MOST_FILTER_PIXELS:
            return f"{MOST_FILTER_PIXELS // 1_000_000} million pixels in one filter, its steps counted"
        if not self.reach * math.sqrt(square) <= MOST_FILTER_REACH:
            return f"{MOST_FILTER_REACH:,} pixels from one end of a filter's effect to the other"
        return ""


UNFILTERED = Filtered()


class Parts(NamedTuple):
    """The cost of a filter's parts: steps a pixel, pictures at once, the squares of a morphology's
    radii, the longest length, and whether lengths are parts of the box of what it is on."""

    steps: float
    results: int
    spread: float
    reach: float
    boxed: bool


def parts_of(chain: Sequence[Node]) -> Parts:
    """Return the parts of a filter and of those that it takes after."""
    steps, results, spread, reach = _ITSELF, _RESULTS_BESIDE, 0.0, 0.0
    for part in (part for each in chain for part in each.elements()):
        steps += _STEPS.get(part.name, _OTHER)
        results += 1 + (part.name == "feDropShadow")
        if part.name == "feTurbulence":
            steps += _OCTAVE * min(_most(part, "numOctaves", 1.0), MOST_OCTAVES)
        elif part.name == "feConvolveMatrix":
            steps += _CELL * min(_most(part, "order", 3.0), MOST_ORDER) ** 2
        elif part.name == "feMerge":
            steps += _STEPS["feMergeNode"] * len(part.children)
        elif part.name == "feMorphology":
            spread += _NEIGHBOUR * (2 * _most(part, "radius", 0.0)) ** 2
        for name in _REACHING & part.attrs.keys():
            reach = max(reach, _most(part, name, 0.0))
    boxed = any(each.get("primitiveUnits") == "objectBoundingBox" for each in chain)
    return Parts(steps, results, spread, reach, boxed)


def by_filter(node: Node, parts: Parts, extent: Extent) -> Filtered:
    """Return the cost of a filter on something of that extent."""
    area, reach = _region(node, extent)
    size = max(extent.width, extent.height) if parts.boxed else 1.0
    return Filtered(
        area * parts.steps + _PAINTING * extent.painted,
        area * parts.results,
        area * size * size * parts.spread,
        max(reach, size * parts.reach),
    )


def by_functions(value: str, extent: Extent) -> Filtered:
    """Return the cost of a `filter` of CSS's own functions."""
    area = _AROUND_FUNCTIONS * extent.width * extent.height
    steps, results, reach = _ITSELF, _RESULTS_BESIDE, 0.0
    for name, inside in _FUNCTION.findall(value):
        shadow = name == "drop-shadow"
        steps += (
            _STEPS["feDropShadow" if shadow else "feGaussianBlur"] if shadow or name == "blur" else _OTHER
        )
        results += 1 + shadow
        if shadow or name == "blur":
            reach = max([reach, *(abs(each) * _PER_UNIT for each in numbers(inside))])
    return Filtered(area * steps + _PAINTING * extent.painted, area * results, 0.0, reach)


def _region(node: Node, extent: Extent) -> tuple[float, float]:
    """Return the area of a filter's region, and its longer side."""
    own = node.get("filterUnits") == "userSpaceOnUse"
    sides = []
    for name, side in (("width", extent.width), ("height", extent.height)):
        text = (node.get(name) or "").strip()
        value = number(text.removesuffix("px").removesuffix("%"))
        if value is None:
            value = _MARGINS[name] * (_ROOM if own and not text else 1.0)
            if text:  # in a unit that is not read here: none is longer
                value = max([_ROOM, *(abs(each) * _PER_UNIT for each in numbers(text))])
        elif text.endswith("%"):
            value *= _ROOM / 100 if own else 0.01
        sides.append(abs(value) * (1.0 if own else side))
    return sides[0] * sides[1], max(sides)


def _most(node: Node, name: str, default: float) -> float:
    """Return the largest of an attribute's numbers."""
    return max((abs(each) for each in numbers(node.get(name) or "")), default=default)


SHAPES = frozenset(("circle", "ellipse", "image", "line", "path", "polygon", "polyline", "rect"))


class Outline(NamedTuple):
    """The number of corners of a shape's outline, and an upper bound of its length in its own units."""

    corners: int = 0
    length: float = 0.0


class Brought(NamedTuple):
    """The content an element shows from a file: an icon or a drawing. `view` is fitted into its box."""

    weight: Weight
    view: Rect | None
    outline: Callable[[], Outline]


class Weight(NamedTuple):
    """The cost of drawing an element once, or a side.

    `steps` counts shapes and the length of their outlines (see STEP_CHARACTERS), `own` leaves out what
    references add. `see_through` are shapes that become layers if they have a stroke. `longest` is the
    longest outline, in characters. `least` and `most` say how many times smaller or larger than around
    it anything in the element is drawn, `cell` is the least area of a pattern's cell, in the units around
    the element. `unscaled` says that some stroke keeps its width whatever the transforms. `pictures` are
    drawn apart; `characters` are those of texts, `hard` those of them that are hard to break into lines.
    `filtered` is what the filters come to. `tiled` counts the steps that patterns repeat, tile by tile, and
    `painted` is the area of all layers and gradients, in square units around the element, and `shaded` the
    sides that gradients paint at most. `once` is the own of the largest thing that a reference shows.
    """

    steps: float = 0.0
    own: float = 0.0
    shapes: int = 0
    depth: int = 1
    layers: int = 0
    layer_depth: int = 0
    see_through: int = 0
    longest: int = 0
    least: float = math.inf
    most: float = 0.0
    cell: float = math.inf
    dashes: float = 0.0
    unscaled: bool = False
    pictures: int = 0
    characters: int = 0
    hard: int = 0
    filtered: Filtered = UNFILTERED
    tiled: float = 0.0
    painted: float = 0.0
    shaded: float = 0.0
    once: float = 0.0

    @property
    def repeated(self) -> float:
        """Return the steps that references add, but for the largest thing shown: it stands in a file
        once."""
        return self.steps - self.own - self.once

    def beside(self, other: Weight) -> Weight:
        """Return both, one after the other."""
        if other is NOTHING:
            return self
        if self is NOTHING:
            return other
        return Weight(
            self.steps + other.steps,
            self.own + other.own,
            self.shapes + other.shapes,
            # Twice as fast as min and max, and a side is full of these.
            self.depth if self.depth >= other.depth else other.depth,
            self.layers + other.layers,
            self.layer_depth if self.layer_depth >= other.layer_depth else other.layer_depth,
            self.see_through + other.see_through,
            self.longest if self.longest >= other.longest else other.longest,
            self.least if self.least <= other.least else other.least,
            self.most if self.most >= other.most else other.most,
            self.cell if self.cell <= other.cell else other.cell,
            self.dashes + other.dashes,
            self.unscaled or other.unscaled,
            self.pictures + other.pictures,
            self.characters + other.characters,
            self.hard + other.hard,
            self.filtered.beside(other.filtered),
            self.tiled + other.tiled,
            self.painted + other.painted,
            self.shaded + other.shaded,
            self.once if self.once >= other.once else other.once,
        )

    def within(self, matrix: Matrix) -> Weight:
        """Return it as seen from around a transform."""
        across, down = math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d)
        area = abs(matrix.a * matrix.d - matrix.b * matrix.c)
        if area < 1e-12:  # drawing stops there
            return self._replace(least=math.inf, most=0.0, cell=math.inf, filtered=UNFILTERED, painted=0.0)
        return self._replace(
            least=self.least * min(across, down),
            most=self.most * max(across, down),
            cell=self.cell * area,
            filtered=self.filtered.within(area, max(across, down)),
            painted=self.painted * area,
        )


NOTHING = Weight()
TEXT = Weight(1.0, 1.0, 1)
STOP = Weight(1.0, 1.0)


class WeightError(Exception):
    """An element costs too much to draw, or refers to itself. `node` is where."""

    def __init__(self, node: Node, code: str, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.node = node
        self._problem = Problem(code, message, hint)

    def problem(self, top: Node) -> Problem:
        """Return the problem, its offset counted from the start of `top`."""
        return self._problem.moved(self.node.start - top.start)


def layered(node: Node, style: Mapping[str, str], weight: Weight) -> Weight:
    """Return it with the layer that transparent drawing takes."""
    if style.get("stroke", "none") != "none" and weight.see_through:
        weight = weight._replace(layers=weight.layers + weight.see_through, see_through=0)
        weight = weight._replace(layer_depth=max(weight.layer_depth, 1))
    blended = style.get("mix-blend-mode", "normal") != "normal" or "isolation" in style
    if style.get("opacity", "1").strip() in ("1", "inherit", "1.0") and not blended:
        return weight
    if node.name in SHAPES and not blended:
        if style.get("stroke", "none") == "none":
            return weight._replace(see_through=weight.see_through + 1)
    elif not (weight.shapes or weight.layers):
        return weight
    return weight._replace(layers=weight.layers + 1, layer_depth=weight.layer_depth + 1)


def hold(node: Node, weight: Weight) -> None:
    """Raise WeightError if an element costs too much to draw."""
    what = f"<{node.name}>"
    if weight.depth > MOST_DEPTH:
        message, hint = (
            f"{what} is nested more than {MOST_DEPTH} deep",
            "use fewer levels; the elements it refers to count too",
        )
    elif weight.repeated > MOST_REPEATED:
        message = f"{what} needs more than {MOST_REPEATED:,} drawing steps with all its references"
        hint = "reduce the repeats of <use>, patterns and markers"
    elif weight.tiled > MOST_TILED:
        message = f"{what} needs more than {MOST_TILED:,} drawing steps for its tiles"
        hint = "make the tiles of its patterns larger, or fill fewer shapes with them"
    elif weight.layers > MOST_LAYERS:
        message, hint = (
            f"{what} has more than {MOST_LAYERS:,} transparent layers",
            "use opaque mixed colors instead",
        )
    elif weight.layer_depth > MOST_LAYER_DEPTH:
        message = f"{what} has more than {MOST_LAYER_DEPTH} nested transparent layers"
        hint = "use opaque mixed colors instead"
    elif weight.most > MOST_SCALE or weight.least < 1 / MOST_SCALE:
        message = f"transforms scale {what} by more than {MOST_SCALE:,.0f} times"
        raise WeightError(node, "svg/number", message, "check its transforms and viewBoxes")
    else:
        return
    raise WeightError(node, "svg/bounds", message, hint)


def side_problem(weight: Weight, offset: int) -> Problem | None:
    """Return a problem if a side costs too much to draw;"""
    hint = "draw less, or save it as a PNG"
    if weight.repeated > MOST_REPEATED:
        what = f"{MOST_REPEATED:,} drawing steps for repeated elements"
        hint = "reduce the repeats of <use>, patterns, gradients and markers"
    elif weight.steps > MOST_STEPS:
        what = f"{MOST_STEPS:,} drawing steps"
    elif weight.tiled > MOST_TILED:
        what = f"{MOST_TILED:,} drawing steps for tiles"
        hint = "make the tiles of its patterns larger, or fill fewer shapes with them"
    elif weight.painted * FILTER_PIXELS * FILTER_PIXELS > MOST_PAINTED:
        what = f"{MOST_PAINTED // 1_000_000:,} million pixels of transparent layers, masks and gradients"
        hint = "use opaque mixed colors, make the layers smaller, or save them as a PNG"
    elif weight.layers > MOST_LAYERS:
        what, hint = f"{MOST_LAYERS:,} transparent layers", "use opaque mixed colors instead"
    elif weight.pictures > MOST_PICTURES:
        what = f"{MOST_PICTURES:,} separate shapes"
        hint = "put shapes that belong together into a group <g>, without text"
    elif weight.characters > MOST_SIDE_TEXT:
        what, hint = f"{MOST_SIDE_TEXT:,} characters of text", "shorten the texts"
    elif weight.hard > MOST_HARD_TEXT:
        what = f"{MOST_HARD_TEXT:,} characters in words of complex letters"
        hint = "shorten the texts"
    elif what := weight.filtered.trouble(FILTER_PIXELS * FILTER_PIXELS):
        hint = "filter smaller parts, use fewer filters, or save the filtered artwork as a PNG"
    else:
        return None
    return Problem("svg/bounds", f"with this element, the side needs more than {what}", hint, offset=offset)


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
