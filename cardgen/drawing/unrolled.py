"""Radial gradients in the one form that Typst draws: from a point outwards, once, without a repeat.

A gradient with a focal radius begins where its circles shrink to a point; one that repeats or goes back and
forth has its stops written out as far as the shape that it paints reaches.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cardgen.drawing.inheriting import Document
from cardgen.drawing.inheriting import Node as Drawn
from cardgen.drawing.objects import DrawingError
from cardgen.drawing.outlines import UnplainError, length_of, shape_outline
from cardgen.drawing.shapes import SHAPES
from cardgen.geometry import Matrix, Rect
from cardgen.svg import tree
from cardgen.svg.colors import RGBA, parse_color
from cardgen.svg.declarations import read_style
from cardgen.svg.numbers import share
from cardgen.svg.outlines import extents
from cardgen.svg.transforms import parse_transform
from cardgen.svg.tree import Node

_PAINTS = ("fill", "stroke")
_MOST_TURNS = 60
"""Repeats of a gradient; readers take some 256 colours of a whole one."""
_MOST_STOPS = 2000
_MOST_CHAIN = 20
_UNKNOWN = 8
"""Turns where what is painted isn't known."""

Stop = tuple[float, RGBA]


@dataclass(frozen=True, slots=True)
class _Radial:
    """Circles from that about (fx, fy) with radius fr to that about (cx, cy) with radius r, and on."""

    attrs: Mapping[str, str]
    stops: tuple[Stop, ...]
    cx: float
    cy: float
    r: float
    fx: float
    fy: float
    fr: float

    @property
    def spread(self) -> str:
        return self.attrs.get("spreadMethod", "pad").strip()

    @property
    def usual(self) -> bool:
        return self.fr <= 0 and self.spread not in ("reflect", "repeat")


def unroll_radials(document: tree.Document) -> None:
    """Give shapes whose radial gradient Typst does not draw one that it does. DrawingError for one that
    no such stands for."""
    gradients = {
        id: radial
        for id, node in document.ids.items()
        if node.name == "radialGradient" and (radial := _radial(node, document.ids)) and not radial.usual
    }
    if not gradients:
        return
    made: list[Node] = []
    stack = [Document(document).root]
    while stack:
        node = stack.pop()
        stack += node.children
        for name in _PAINTS:
            radial = gradients.get(_target(node.get(name, "")))
            if radial is None or not (node.tag in SHAPES or (node.tag == "use" and _own(node, name))):
                continue
            gradient = _unrolled(radial, _turns(radial, node), f"unrolled-{len(made)}")
            made.append(gradient)
            _set(node.element, name, f"url(#{gradient.attrs['id']})")
    if made:
        defs = Node("defs", {})
        defs.children = list(made)
        document.root.children.insert(0, defs)


def _target(value: str) -> str:
    return value.strip()[5:].partition(")")[0] if value.strip().startswith("url(#") else ""


def _own(node: Drawn, name: str) -> bool:
    element = node.element
    return name in element.attrs or name in read_style(element.attrs.get("style", ""))[0]


def _set(element: Node, name: str, value: str) -> None:
    style = read_style(element.attrs.get("style", ""))[0]
    if name in style:
        element.attrs["style"] = ";".join(
            f"{key}:{value if key == name else other}" for key, other in style.items()
        )
    else:
        element.attrs[name] = value


def _radial(node: Node, ids: Mapping[str, Node]) -> _Radial | None:
    """A gradient with what it takes over; None for one without area or stops."""
    chain = [node]
    while len(chain) < _MOST_CHAIN and (other := ids.get((chain[-1].href or "")[1:])) is not None:
        if other in chain:
            break
        chain.append(other)
    attrs = {name: value for each in reversed(chain) for name, value in each.attrs.items()}
    stops = next((found for each in chain if (found := tuple(_stops(each)))), ())
    try:
        cx, cy, r = (share(attrs.get(name, "50%").removesuffix("px")) for name in ("cx", "cy", "r"))
        fx, fy, fr = (
            share(attrs.get(name, default).removesuffix("px"))
            for name, default in (("fx", f"{cx}"), ("fy", f"{cy}"), ("fr", "0"))
        )
    except ValueError:
        return None
    return _Radial(attrs, stops, cx, cy, r, fx, fy, fr) if stops and r > 0 else None


def _stops(gradient: Node) -> Iterator[Stop]:
    offset = 0.0
    for stop in gradient.elements():
        own = {**stop.attrs, **read_style(stop.attrs.get("style", ""))[0]}
        color = parse_color(own.get("stop-color", "black"))
        if stop.name != "stop" or color is None:
            continue
        offset = min(max(offset, share(own.get("offset") or "0")), 1.0)
        opacity = min(max(share(own.get("stop-opacity", "1")), 0.0), 1.0)
        yield offset, (*color[:3], color[3] * opacity)


def _turns(radial: _Radial, node: Drawn) -> int:
    """How often a gradient is repeated to paint all of a shape."""
    if radial.spread not in ("reflect", "repeat"):
        return 1
    if node.tag == "use":
        return _UNKNOWN
    try:
        box = extents(shape_outline(node))
        around = length_of(node, "stroke-width", "1") / 2 if node.get("stroke", "none") != "none" else 0.0
        if "miter" in node.get("stroke-linejoin", "miter"):
            around *= max(1.0, share(node.get("stroke-miterlimit", "4")))
        painted = Rect(box.x - around, box.y - around, box.width + 2 * around, box.height + 2 * around)
        place = parse_transform(radial.attrs.get("gradientTransform"))
        if radial.attrs.get("gradientUnits") != "userSpaceOnUse":
            place = place.then(Matrix(box.width, 0, 0, box.height, box.x, box.y))
        back = place.inverse()
    except (UnplainError, ValueError, ZeroDivisionError):
        return _UNKNOWN
    xs, ys = (painted.x, painted.right), (painted.y, painted.bottom)
    far = max(_reach(radial, *back.apply(x, y)) for x in xs for y in ys)
    return max(1, min(_MOST_TURNS, math.ceil(far)))


def _reach(radial: _Radial, x: float, y: float) -> float:
    """The number of the circle that goes through a place: 0 the focal one, 1 the outer one."""
    k = radial.r - radial.fr
    dx, dy = radial.cx - radial.fx, radial.cy - radial.fy
    start = -radial.fr / k
    qx, qy = x - radial.fx - start * dx, y - radial.fy - start * dy
    a = k * k - dx * dx - dy * dy
    if a <= 1e-6 * k * k:
        return _UNKNOWN
    along = qx * dx + qy * dy
    return start + (math.sqrt(along * along + a * (qx * qx + qy * qy)) - along) / a


def _unrolled(radial: _Radial, turns: int, id: str) -> Node:
    """The gradient from where its circles have no size, to the end of its last turn."""
    k = radial.r - radial.fr
    if k <= 1e-9 * radial.r:
        message = "a radial gradient whose focal circle is as large as the outer one is not drawn here"
        raise DrawingError.of("picture/gradient", message, "make fr less than r")
    dx, dy = radial.cx - radial.fx, radial.cy - radial.fy
    first = -max(radial.fr, 0.0) / k
    low = math.floor(first)
    if (turns - low) * (len(radial.stops) + 2) > _MOST_STOPS:
        message = "a radial gradient repeats too often to be drawn here"
        raise DrawingError.of("picture/gradient", message, "make its radius larger")
    kept = {
        name: radial.attrs[name] for name in ("gradientUnits", "gradientTransform") if name in radial.attrs
    }
    circle = {
        "cx": radial.fx + turns * dx,
        "cy": radial.fy + turns * dy,
        "r": radial.fr + turns * k,
        "fx": radial.fx + first * dx,
        "fy": radial.fy + first * dy,
    }
    gradient = Node(
        "radialGradient", {"id": id, **kept, **{name: f"{at:.9g}" for name, at in circle.items()}}
    )
    for at, color in _from(list(_written_out(radial, low, turns)), first):
        red, green, blue = (f"{100 * channel:.4f}%" for channel in color[:3])
        attrs = {
            "offset": f"{(at - first) / (turns - first):.9g}",
            "stop-color": f"rgb({red},{green},{blue})",
            "stop-opacity": f"{color[3]:.6g}",
        }
        gradient.children.append(Node("stop", attrs))
    return gradient


def _written_out(radial: _Radial, low: int, turns: int) -> Iterator[Stop]:
    """The stops of all turns, counted in turns."""
    stops = [(0.0, radial.stops[0][1]), *radial.stops, (1.0, radial.stops[-1][1])]
    for turn in range(low, turns):
        if radial.spread == "pad" or radial.spread not in ("reflect", "repeat"):
            yield from ((float(turn), stops[0][1]),) if turn < 0 else stops
        elif radial.spread == "reflect" and turn % 2:
            yield from ((turn + 1 - at, color) for at, color in reversed(stops))
        else:
            yield from ((turn + at, color) for at, color in stops)


def _from(stops: list[Stop], first: float) -> Iterator[Stop]:
    """The stops from there on, with the colour that there is at that place."""
    before = [stop for stop in stops if stop[0] <= first]
    after = [stop for stop in stops if stop[0] > first]
    if before and after:
        (at, one), (next_at, other) = before[-1], after[0]
        part = (first - at) / (next_at - at)
        red, green, blue, alpha = (a + (b - a) * part for a, b in zip(one, other))
        yield first, (red, green, blue, alpha)
    yield from after
