"""Gradients that repeat, written out as ones that don't: PDF has none that repeat."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from cardgen.core.geometry import Point, Rect
from cardgen.pdf.objects import DrawingError
from cardgen.svg import tree
from cardgen.svg.outlines import NO_OUTLINE, extents, outline_of, parse_transform
from cardgen.svg.style import RGBA, inheritance_chain, parse_color, read_style
from cardgen.svg.tree import Node, names, share

_GRADIENTS = ("linearGradient", "radialGradient")
_SPREADS = ("reflect", "repeat")
_KEPT = ("gradientUnits", "gradientTransform")
_MOST_TURNS = 60
"""Repeats of a gradient; readers take some 256 colors of a whole one."""
_MOST_STOPS = 2000
_MOST_SHAPES, _MOST_VISITED = 5_000, 50_000
"""Shapes whose boxes are looked at, of so many elements."""
_SHAPES = names("circle ellipse line path polygon polyline rect")
_FOLLOWED = ("fill", "stroke", "stroke-width")

Stop = tuple[float, RGBA]


def unroll_gradients(document: tree.Document) -> None:
    """Write gradients that repeat, and round ones that begin with a circle, as ones that do neither, and
    those of no length in their last color, which paints all. Raises DrawingError for one that can't be
    written so."""
    made = {
        node: gradient
        for node in document.ids.values()
        if node.name in _GRADIENTS and (gradient := _unrolled(node, document)) is not None
    }
    for node, gradient in made.items():
        node.attrs, node.children = gradient.attrs, gradient.children


def _unrolled(node: Node, document: tree.Document) -> Node | None:
    """Return what a gradient becomes; None if it stays as it is."""
    chain = inheritance_chain(node, document.ids)
    attrs = {name: value for each in reversed(chain) for name, value in each.attrs.items()}
    stops = next((found for each in chain if (found := list(_stops(each)))), [])
    repeats = attrs.get("spreadMethod", "").strip() in _SPREADS
    try:
        if node.name == "linearGradient" and _has_no_length(attrs):
            return _gradient(node.name, attrs, {}, stops[-1:], 0, 1, 0.0) if stops else None
        if not repeats and (node.name == "linearGradient" or "fr" not in attrs):
            return None
        corners = _corners(document, attrs)
        unrolled = _unrolled_line if node.name == "linearGradient" else _unrolled_circles
        return unrolled(attrs, stops, corners) if stops else None
    except (ValueError, ZeroDivisionError):
        return None


def _unrolled_line(
    attrs: Mapping[str, str], stops: Sequence[Stop], corners: Sequence[Point]
) -> Node | None:
    """Return a gradient along a line, from before all that it paints to behind it."""
    x1, y1, x2, y2 = _ends(attrs)
    dx, dy = x2 - x1, y2 - y1
    ends = [((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy) for x, y in corners]
    low = max(math.floor(min(ends, default=-_MOST_TURNS)), -_MOST_TURNS // 2)
    high = min(math.ceil(max(ends, default=_MOST_TURNS)), _MOST_TURNS // 2)
    places = {"x1": x1 + low * dx, "y1": y1 + low * dy, "x2": x1 + high * dx, "y2": y1 + high * dy}
    return _gradient("linearGradient", attrs, places, stops, low, max(high, low + 1), float(low))


def _ends(attrs: Mapping[str, str]) -> tuple[float, float, float, float]:
    """Return the ends of a gradient along a line."""
    x1, y1, y2 = (_end(attrs, name, "0") for name in ("x1", "y1", "y2"))
    return x1, y1, _end(attrs, "x2", "100%"), y2


def _has_no_length(attrs: Mapping[str, str]) -> bool:
    x1, y1, x2, y2 = _ends(attrs)
    return (x1, y1) == (x2, y2)


def _unrolled_circles(
    attrs: Mapping[str, str], stops: Sequence[Stop], corners: Sequence[Point]
) -> Node | None:
    """Return a gradient from where its circles have no size, to the end of its last turn."""
    cx, cy, r = (_end(attrs, name, "50%") for name in ("cx", "cy", "r"))
    fx, fy, fr = (
        _end(attrs, name, default) for name, default in (("fx", f"{cx}"), ("fy", f"{cy}"), ("fr", "0"))
    )
    k, dx, dy = r - fr, cx - fx, cy - fy
    if r <= 0:
        return None
    if k <= 1e-9 * r:
        message = "a radial gradient can't have a focal circle as large as its outer circle here"
        raise DrawingError.of("picture/gradient", message, "make fr less than r")
    turns = 1
    if attrs.get("spreadMethod", "").strip() in _SPREADS:
        far = max((math.dist((fx, fy), corner) for corner in corners), default=math.inf)
        wider = k - math.hypot(dx, dy)
        turns = _MOST_TURNS if far > _MOST_TURNS * wider else max(1, math.ceil(far / wider))
    first = -max(fr, 0.0) / k
    places = {
        "cx": fx + turns * dx,
        "cy": fy + turns * dy,
        "r": fr + turns * k,
        "fx": fx + first * dx,
        "fy": fy + first * dy,
    }
    return _gradient("radialGradient", attrs, places, stops, math.floor(first), turns, first)


def _end(attrs: Mapping[str, str], name: str, default: str) -> float:
    return share(attrs.get(name, default).removesuffix("px"))


def _corners(document: tree.Document, attrs: Mapping[str, str]) -> Sequence[Point]:
    """Return the corners of all that a gradient paints, as it sees them; none if they aren't known."""
    own_units = attrs.get("gradientUnits") == "userSpaceOnUse"
    boxes: list[Rect] = []
    for shape, reach in _painted(document, f"url(#{attrs['id']})"):
        if len(boxes) == _MOST_SHAPES:
            return ()
        outline = outline_of(shape.name, shape.attrs) or NO_OUTLINE
        box, reach = (
            (extents(outline), reach) if own_units else (Rect(0.0, 0.0, 1.0, 1.0), 0.5 * (reach > 0))
        )
        boxes.append(box.inset(-reach))
    if not boxes:
        return ()
    back = parse_transform(attrs.get("gradientTransform")).inverse()
    return [back.apply(*corner) for corner in Rect.union(boxes).corners]


def _painted(document: tree.Document, paint: str) -> Iterator[tuple[Node, float]]:
    """Yield the shapes that have a paint, and how far their strokes with it reach."""
    stack: list[tuple[Node, Mapping[str, str]]] = [(document.root, {})]
    left = _MOST_VISITED
    while stack and left:
        node, above = stack.pop()
        left -= 1
        style = {**above, **{name: value for name, value in _own(node).items() if name in _FOLLOWED}}
        stroked = style.get("stroke", "").strip() == paint
        if node.name in _SHAPES and (stroked or style.get("fill", "").strip() == paint):
            width = share(style.get("stroke-width", "1").removesuffix("px"))
            yield node, width / 2 if stroked else 0.0
        stack += [(child, style) for child in node.elements()]
        shown = document.ids.get((node.href or "")[1:]) if node.name == "use" else None
        if shown is not None:
            stack.append((shown, style))


def _own(node: Node) -> Mapping[str, str]:
    return {**node.attrs, **read_style(node.attrs.get("style", ""))[0]}


def _stops(gradient: Node) -> Iterator[Stop]:
    offset = 0.0
    for stop in gradient.elements():
        own = _own(stop)
        color = parse_color(own.get("stop-color", "black"))
        if stop.name != "stop" or color is None:
            continue
        offset = min(max(offset, share(own.get("offset") or "0")), 1.0)
        opacity = min(max(share(own.get("stop-opacity", "1")), 0.0), 1.0)
        yield offset, (*color[:3], color[3] * opacity)


def _gradient(
    name: str,
    attrs: Mapping[str, str],
    places: Mapping[str, float],
    stops: Sequence[Stop],
    low: int,
    high: int,
    first: float,
) -> Node:
    """Return a gradient of the turns from `low` to `high`, from the place `first` in them on."""
    if (high - low) * (len(stops) + 2) > _MOST_STOPS:
        message = f"a {'linear' if name == 'linearGradient' else 'radial'} gradient repeats too often"
        raise DrawingError.of("picture/gradient", message, "make its length or radius larger")
    kept = {each: attrs[each] for each in ("id", *_KEPT) if each in attrs}
    gradient = Node(name, {**kept, **{each: f"{at:.9g}" for each, at in places.items()}})
    spread = attrs.get("spreadMethod", "").strip()
    for at, color in _from(list(_written_out(stops, spread, low, high)), first):
        red, green, blue = (f"{100 * channel:.4f}%" for channel in color[:3])
        said = {
            "offset": f"{(at - first) / (high - first):.9g}",
            "stop-color": f"rgb({red},{green},{blue})",
            "stop-opacity": f"{color[3]:.6g}",
        }
        gradient.children.append(Node("stop", said))
    return gradient


def _written_out(stops: Sequence[Stop], spread: str, low: int, high: int) -> Iterator[Stop]:
    """Yield the stops of all turns, counted in turns."""
    whole = [(0.0, stops[0][1]), *stops, (1.0, stops[-1][1])]
    for turn in range(low, high):
        if spread not in _SPREADS:
            yield from ((float(turn), whole[0][1]),) if turn < 0 else whole
        elif spread == "reflect" and turn % 2:
            yield from ((turn + 1 - at, color) for at, color in reversed(whole))
        else:
            yield from ((turn + at, color) for at, color in whole)


def _from(stops: list[Stop], first: float) -> Iterator[Stop]:
    """Yield the stops from there on, with the color that there is at that place."""
    before = [stop for stop in stops if stop[0] <= first]
    after = [stop for stop in stops if stop[0] > first]
    if before and after:
        (at, one), (next_at, other) = before[-1], after[0]
        part = (first - at) / (next_at - at)
        red, green, blue, alpha = (a + (b - a) * part for a, b in zip(one, other))
        yield first, (red, green, blue, alpha)
    yield from after
