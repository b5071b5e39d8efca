"""The cost of an element with everything that it refers to, and embedded SVG files."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property

from cardgen.core.findings import Problem
from cardgen.core.geometry import Rect
from cardgen.svg.costs import (
    NOTHING,
    SHAPES,
    STOP,
    UNFILTERED,
    Brought,
    Extent,
    Extents,
    MarkupError,
    Outline,
    Parts,
    Room,
    Weight,
    WeightError,
    by_filter,
    by_functions,
    filter_functions,
    hold,
    layered,
    parts_of,
    side_of,
)
from cardgen.svg.lint import DEFINITIONS, lint
from cardgen.svg.outlines import (
    PLACED,
    ViewportError,
    box_of,
    fit,
    parse_transform,
    path_length,
    transform_of,
    view_box_of,
)
from cardgen.svg.style import References, StyleSheet, inherit, references, renamed
from cardgen.svg.tree import (
    FADING,
    LINEAR,
    MOST_CELLS,
    MOST_DASHES,
    MOST_MARKED,
    MOST_PROBLEMS,
    MOST_TAKEN_AFTER,
    MOST_TILES,
    RADIAL,
    STEP_CHARACTERS,
    Document,
    Node,
    SvgError,
    is_unseen,
    names,
    number,
    numbers,
    open_tag,
    serialize,
    short,
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
"""The elements that properties may refer to."""
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
        """Return the cost of drawing the element. Raises WeightError."""
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
                        message = f"<{node.name}> refers to an element that refers to itself"
                        raise WeightError(node, "svg/cycle", message, "check its href and url(#…)")
                    if part not in known:
                        stack.append(part)
        return known[top]

    def outline(self, top: Node) -> Outline:
        """Return the outlines of all shapes that drawing the element draws, which must be weighed
        before."""
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
        """Return the cost of an element in a group (or root) that moves it, makes it transparent, or
        sets servers and dashes for it. `node` is where too much of it is said. Raises WeightError."""
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
            message = f"the small cells of a pattern give the drawing more than {MOST_CELLS:,} cells"
            raise WeightError(node, "svg/bounds", message, "make the pattern's cell larger")

    def _targets(self, node: Node) -> Iterator[tuple[str, Node]]:
        """Yield the properties of an element that refer to others, with those."""
        for name, id in references(node, self._sheet):
            target = self._ids.get(id)
            if target is not None and (name in _TARGETS or name == "href"):
                yield name, target

    def _plain(self, node: Node) -> Weight | None:
        """Return the cost of a shape with only an outline and plain colors, as most have; None for any
        other element."""
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
        """Return the sum of the costs of its parts, drawn in it or referred to. Raises WeightError."""
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
        """Return it with what stands in the element's own box: an icon, a drawing from a file, a nested
        `<svg>`."""
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
        """Return it with what a reference adds."""
        it = self._known[target]
        wanted = _TARGETS.get(name)
        if wanted is not None and target.name not in wanted[0]:
            message = f"'#{short(target.get('id') or '')}' is a <{target.name}>, not a {wanted[1]}"
            raise WeightError(node, "svg/reference", message, f"check {name}")
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
            message = f"a filter in the <{target.name}> '{short(target.get('id') or '')}' is not supported"
            raise WeightError(node, "svg/filter", message, "put the filter on the elements that use it")
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
        """Return it with the layers that transparent drawing takes, each as large as what is `shown` in
        it."""
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
        """Return a pattern with the attributes that it takes over from those that it refers to."""
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
        """Return the parts of a filter. Raises WeightError."""
        parts = self._filters.get(node)
        if parts is None:
            chain = [node]
            for each in chain:
                chain += (it for name, it in self._targets(each) if name == "href")
                if len(chain) > MOST_TAKEN_AFTER:
                    message = f"more than {MOST_TAKEN_AFTER} filters inherit in a chain"
                    raise WeightError(node, "svg/bounds", message, "check their href")
            parts = self._filters[node] = parts_of(chain)
        return parts

    def _shown(self, node: Node) -> Extent | None:
        """Return the extent of what an element shows that lies in a file: its box, painted by all
        shapes."""
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
        """Return it with the dashes of its strokes, of which SVG may leave none where they are all 0
        long."""
        dashes = [abs(each) for each in numbers(value)] if value not in ("none", "inherit") else []
        period = sum(dashes)
        if not period:
            return weight
        if weight.unscaled:
            message = "dashes on a fixed-width stroke (vector-effect) are not supported"
            raise WeightError(node, "svg/vector-effect", message, "remove its transforms or its dashes")
        count = weight.dashes + self.outline(node).length / period * len(dashes)
        if count > MOST_DASHES:
            message = f"the stroke-dasharray {short(value)} makes more than {MOST_DASHES:,} dashes"
            raise WeightError(node, "svg/bounds", message, "make the dashes longer; lengths are in mm")
        return weight._replace(dashes=count)


def _shape(node: Node, depth: int = 1) -> Weight:
    """Return the cost of a shape by itself."""
    outline = len(node.get("d") or node.get("points") or "")
    steps = 1 + outline / STEP_CHARACTERS
    return Weight(steps, steps, 1, depth, longest=outline, least=1.0, most=1.0)


def _drawn(node: Node) -> Iterator[Node]:
    """Yield the children that drawing the element draws."""
    if node.name in _GRADIENTS:
        yield from (child for child in node.elements() if child.name == "stop")
    elif node.name == "filter":
        return
    elif node.name not in ("defs", "style", "title", "desc", "metadata", "stop", "text"):
        for child in node.elements():
            if child.name not in DEFINITIONS and ":" not in child.name:
                yield child


def _used(node: Node, target: Node, weight: Weight) -> Weight:
    """Return what a `<use>` shows, fitted into its box."""
    if target.name in ("symbol", "svg"):
        with contextlib.suppress(ViewportError):  # said where viewports are looked at
            return weight.within(fit(view_box_of(target.get("viewBox")), box_of(node.attrs), "none"))
    return weight


def _outline(shape: Node) -> Outline:
    """Return the outline of a shape by itself."""
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


def tile_count(pattern: Node, extent: Extent, weight: Weight) -> float:
    """Return the tiles that are drawn for all shapes in an element which a pattern fills, from its
    extent and weight: never too few."""
    try:
        matrix = parse_transform(pattern.get("patternTransform"))
    except ValueError:
        return 0.0  # a finding of the lint
    own_units = pattern.get("patternUnits") == "userSpaceOnUse"
    across = side_of(pattern, "width", 1.0 if own_units else extent.width)
    down = side_of(pattern, "height", 1.0 if own_units else extent.height)
    if not across or not down or matrix.a * matrix.d == matrix.b * matrix.c:
        return 0.0  # nothing is painted
    if own_units and weight.least < math.inf:
        across, down = across * weight.least, down * weight.least
    many = weight.shapes > 1
    if many and own_units and not (matrix.b or matrix.c):
        across, down = across * abs(matrix.a), down * abs(matrix.d)
        count = extent.area / (across * down) + extent.edges / min(across, down) + extent.shapes
    else:  # each reaches as far as all together, at most
        reach = extent.within(matrix.inverse())
        count = weight.shapes * (reach.width / across + 1) * (reach.height / down + 1)
    return min(count, float(MOST_TILES * weight.shapes))


def least_cell(node: Node, pattern: Node, weight: Weight, scale: float) -> float:
    """Return the least area of a cell in the units of the element that is filled with a pattern,
    anything in which is drawn `scale` times as large. Raises WeightError for very small parts of a
    shape's box."""
    own_units = pattern.get("patternUnits") == "userSpaceOnUse"
    try:
        matrix = parse_transform(pattern.get("patternTransform"))
    except ValueError:
        return math.inf  # a finding of the lint
    area = abs(matrix.a * matrix.d - matrix.b * matrix.c)
    for name in ("width", "height"):
        text = (pattern.get(name) or "0").strip().removesuffix("px")
        side = number(text.removesuffix("%")) or 0.0
        area *= abs(side) / (100 if text.endswith("%") else 1)
    if not area:
        return math.inf  # nothing is painted
    if not own_units and area * MOST_CELLS < 1:
        message = (
            f"the pattern '{short(pattern.get('id') or '')}' has more than {MOST_CELLS:,} cells in a box"
        )
        raise WeightError(node, "svg/bounds", message, "make the pattern's cell larger")
    return min(area if own_units else math.inf, weight.cell) * scale * scale


_LEFT_OUT = names("width height viewBox x y version id style class preserveAspectRatio")


@dataclass(frozen=True, slots=True)
class Drawing:
    """A file's drawing: its markup, empty where there are errors among the problems. Their offsets count
    from the root's start. `weight` and `outline` are what drawing it comes to; `image` is an `<image>` in
    it; `inks` are what its shapes are painted with, "" for what they take from around the drawing."""

    markup: str
    problems: tuple[Problem, ...]
    weight: Weight
    outline: Callable[[], Outline]
    image: Node | None
    inks: Set[str]


def read_drawing(document: Document, prefix: str, area: float) -> Drawing:
    """Return a file's drawing, looked through. Its ids become the prefix and a number; `area` is that of
    its view box."""
    root = document.root
    sheet = StyleSheet(node for node in root.iter() if node.name == "style")
    problems = [*lint(root, document.ids, sheet)]
    problems += (problem.moved(-root.start) for problem in sheet.problems)
    image = next((node for node in root.iter() if node.name == "image"), None)
    if document.repeated:
        named = {id for node in root.iter() for _, id in references(node, sheet)}
        problems += clashes(document, named, root)
    # The box of the root is what the drawing is fitted into, not a box in it.
    shown = Node("svg", {k: v for k, v in root.attrs.items() if k not in PLACED}, root.start)
    shown.children = root.children
    weigher = Weigher(document.ids, sheet, lambda node: None)
    weight, markup = NOTHING, ""
    try:
        found = weigher.weigh(shown)
        weigher.cells(found, root, area)
        weight = found
        if not any(problem.is_error for problem in problems):
            markup = embed(prefix, document, sheet)
    except WeightError as error:
        problems.append(error.problem(root))
    except MarkupError as error:
        problems.append(Problem("svg/bounds", f"the drawing can't be shown: {error}"))
    said, paints = tuple(problems[:MOST_PROBLEMS]), inks(document, sheet)
    return Drawing(markup, said, weight, lambda: weigher.outline(shown), image, paints)


def inks(document: Document, sheet: StyleSheet) -> set[str]:
    """Return the fills, strokes and stops that the shapes of a drawing have, as they are written; "" for
    what is not said, and comes from around the drawing."""
    found: set[str] = set()
    stack = [(document.root, inherit({}, sheet.properties(document.root)))]
    while stack:
        node, style = stack.pop()
        if node.name in SHAPES:
            if node.name != "line" and _shows(style, "fill-opacity"):
                found.add(_ink(style, "fill", ""))
            if _shows(style, "stroke-opacity"):
                found.add(_ink(style, "stroke", "none"))
        elif node.name == "stop":
            found.add(_ink(style, "stop-color", "black"))
        stack += ((child, inherit(style, sheet.properties(child))) for child in node.elements())
    return found - {"none"}


def _ink(style: Mapping[str, str], name: str, default: str) -> str:
    """Return a paint as it is written, or the color that the drawing states for `currentColor`."""
    ink = style.get(name, default).strip()
    return style.get("color", ink).strip() if ink.lower() == "currentcolor" else ink


def _shows(style: Mapping[str, str], opacity: str) -> bool:
    return number(style.get(opacity, "1").strip().removesuffix("%")) != 0


def excerpt(document: Document, id: str, view: Rect) -> bytes:
    """Return the element of this id, and what it refers to, as a document of its own. Raises SvgError."""
    node = document.ids.get(id)
    if node is None:
        raise SvgError(f"there is no element '{short(id)}'", 0)
    styles = [each for each in document.root.iter() if each.name == "style"]
    needed = References().needed(node, document.source(node), (), document, StyleSheet(styles))
    outer = [
        each
        for each in needed
        if not any(other.start < each.start < other.end for other in (node, *needed) if other is not each)
    ]
    box = " ".join(f"{value:.9g}" for value in (view.x, view.y, view.width, view.height))
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    head = f'<svg {spaces} viewBox="{box}">'
    parts = [document.source(each) for each in (*styles, *outer)]
    return b"%s<defs>%s</defs>%s</svg>" % (head.encode(), b"".join(parts), document.source(node))


def embed(prefix: str, document: Document, sheet: StyleSheet) -> str:
    """Return the drawing of a file as a `<g>` with its root's style. Ids become the prefix and a number,
    so that two files can't mean each other's, whatever they are called. Raises MarkupError."""
    names = {id: f"{prefix}-{number}" for number, id in enumerate(document.ids)}
    root = _own(document.root, sheet, names, Room())
    kept = {name: value for name, value in root.attrs.items() if name not in _LEFT_OUT and ":" not in name}
    head = open_tag(Node("g", kept), root.attrs["style"])
    body = "".join(serialize(child, lambda _: None, _style) for child in root.elements())
    return f"{head}>{body}</g>"


def _own(node: Node, sheet: StyleSheet, names: Mapping[str, str], room: Room) -> Node:
    """Return the element's drawn content: ids and references renamed, rules written into its style."""
    copy = Node(node.name, {name: renamed(name, value, names) for name, value in node.attrs.items()})
    copy.attrs["style"] = renamed("style", room.take(sheet.attribute(node)), names)
    copy.children = [
        _own(child, sheet, names, room) if isinstance(child, Node) else child
        for child in node.children
        if isinstance(child, str) or not (child.name == "style" or is_unseen(child.name))
    ]
    return copy


def _style(node: Node) -> str:
    return node.attrs["style"]


def clashes(document: Document, named: Collection[str], top: Node) -> list[Problem]:
    """Return the ids that elements refer to and that several elements have, each said once."""
    found: dict[str, Problem] = {}
    for node in document.repeated:
        id = node.attrs["id"]
        if id in named and id not in found:
            message = f"the id '{short(id)}' is used twice"
            offset = node.start - top.start
            found[id] = Problem(
                "svg/id", message, "give each referenced element a different id", offset=offset
            )
    return list(found.values())
