"""Lengths of any unit, parts of a box, and sums → plain numbers in the units around them.

A unit is one of CSS, 96 to an inch (CSS Values 4, 6.2); what a part counts from is SVG 2's, 8.9.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from cardgen.geometry import Rect
from cardgen.svg.names import names
from cardgen.svg.normal.rebuilding import remade
from cardgen.svg.normal.sums import summed
from cardgen.svg.numbers import NUMBER, number, numbers
from cardgen.svg.tree import Node
from cardgen.svg.viewports import ViewportError, own_box, view_box_of

_UNITS = {
    "px": 1.0,
    "in": 96.0,
    "cm": 96 / 2.54,
    "mm": 96 / 25.4,
    "q": 96 / 101.6,
    "pt": 96 / 72,
    "pc": 16.0,
}
_ACROSS = names("x x1 x2 cx fx width rx dx markerWidth refX")
_DOWN = names("y y1 y2 cy fy height ry dy markerHeight refY")
_BOTH = names("r fr stroke-width stroke-dashoffset stroke-dasharray")
_SIZES = names("font-size letter-spacing word-spacing")
_LENGTHS = _ACROSS | _DOWN | _BOTH | _SIZES
_LENGTH = re.compile(rf"({NUMBER})\s*([A-Za-z]+|%)?")
_SIDES = ("width", "height")
_WHOLE = ("100%", "100%")
_EFFECTS = names("clip-path mask filter")
_RELATIVE_SERVERS = {
    "linearGradient": "gradientUnits",
    "radialGradient": "gradientUnits",
    "pattern": "patternUnits",
    "mask": "maskUnits",
    "filter": "filterUnits",
}
_REGION = {"x": "-10%", "y": "-10%", "width": "120%", "height": "120%"}
_DEFAULTS = {
    "linearGradient": {"x2": "100%"},
    "radialGradient": {"cx": "50%", "cy": "50%", "r": "50%"},
    "mask": _REGION,
    "filter": _REGION,
}
"""What is not said of servers in the units around them (SVG 2, 14.2; CSS Masking 1; Filter Effects 1)."""
_LONGEST = 20_000
"""Characters of a list of lengths; a longer one is refused elsewhere."""
_FONT_SIZE = 16.0
"""`medium`, which most programs take for 16 px."""
_EX = 0.5


@dataclass(frozen=True, slots=True)
class _Around:
    """What lengths count from: the box of the nearest viewport, and sizes of type."""

    box: Rect
    size: float
    root: float
    sizes: Mapping[str, tuple[str, str]]
    """Width and height of each `<svg>` that may be used, as it says them, by its id."""


def measured(root: Node) -> Node:
    """The tree with lengths as plain numbers, those of the outermost element but for its parts of a page
    that there is not."""
    box = _box(root)
    if box is None:
        return root
    size = _font_size(root, _FONT_SIZE, _FONT_SIZE)
    used = {
        node.attrs["id"]: (node.get("width", "100%") or "", node.get("height", "100%") or "")
        for node in root.iter()
        if node.name == "svg" and "id" in node.attrs
    }
    around = _Around(box, size, size, used)
    children = [_measured(child, around) if isinstance(child, Node) else child for child in root.children]
    attrs = {
        name: value if name in ("x", "y", "width", "height") else _value(root, name, value, around)
        for name, value in root.attrs.items()
    }
    if root.get("viewBox") is not None:
        for name in ("width", "height"):
            if attrs.get(name, "").strip().endswith("%") or attrs.get(name, "").strip() == "auto":
                attrs = {key: value for key, value in attrs.items() if key != name}
        sized = _stretched(root, attrs, box, children)
        if sized is not None:
            return sized
    return remade(root, attrs=attrs, children=children)


def _stretched(root: Node, attrs: dict[str, str], view: Rect, children: list[Node | str]) -> Node | None:
    """A drawing that fills its own size otherwise than as a whole and in the middle, with that said by a
    box in it; None for any other."""
    aspect = (attrs.get("preserveAspectRatio") or "").strip()
    sides = [
        _plain(attrs.get(name, "").strip(), _Around(view, _FONT_SIZE, _FONT_SIZE, {}), 0) for name in _SIDES
    ]
    width, height = sides
    if aspect in ("", "xMidYMid", "xMidYMid meet") or not width or not height:
        return None
    if math.isclose(width * view.height, height * view.width, rel_tol=1e-3):
        return None
    size = {"width": f"{width:.10g}", "height": f"{height:.10g}"}
    inner = Node("svg", {**size, "viewBox": attrs["viewBox"], "preserveAspectRatio": aspect}, root.start)
    inner.end = root.end
    inner.children = children
    inner.has_text = root.has_text
    outer = {name: value for name, value in attrs.items() if name != "preserveAspectRatio"}
    outer |= {**size, "viewBox": f"0 0 {width:.10g} {height:.10g}"}
    return remade(root, attrs=outer, children=[inner])


def _box(root: Node) -> Rect | None:
    try:
        return own_box(root)
    except ViewportError:
        return None


def _measured(node: Node, around: _Around) -> Node:
    size = _font_size(node, around.size, around.root)
    here = around if size == around.size else _Around(around.box, size, around.root, around.sizes)
    attrs = {
        # A size of type counts from that around it, all else from the element's own.
        name: _value(node, name, value, around if name == "font-size" else here)
        for name, value in node.attrs.items()
    }
    if node.name == "use" or node.name == "svg":
        attrs = _sized(node, attrs, here)
    if node.name == "use" and not _EFFECTS.isdisjoint(attrs):
        attrs = _moved(attrs)
    if node.name == "ellipse":
        attrs = _rounded(attrs)
    if node.name in _DEFAULTS and _own_units(node):
        attrs = _with_defaults(node, attrs, here)
    inner = here
    if node.name in ("svg", "symbol"):
        inner = _Around(_inner_box(attrs, here.box), size, around.root, around.sizes)
    children = [_measured(child, inner) if isinstance(child, Node) else child for child in node.children]
    return remade(node, attrs=attrs, children=children)


def _sized(node: Node, attrs: dict[str, str], around: _Around) -> dict[str, str]:
    """With the size that a drawing in it has without one: all of the box around it."""
    if node.name == "use" and not (node.href or "").startswith("#"):
        return attrs
    own = (
        around.sizes.get((node.href or "")[1:], ("100%", "100%"))
        if node.name == "use"
        else ("100%", "100%")
    )
    missing = {
        name: _one("100%" if side.strip() == "auto" else side, name, around)
        for name, side in zip(_SIDES, own)
        if attrs.get(name, "auto").strip() == "auto"
    }
    return {**attrs, **missing} if missing else attrs


def _moved(attrs: dict[str, str]) -> dict[str, str]:
    """With its place as a part of its transform, for the effects on it move along (SVG 2, 5.6)."""
    x, y = (attrs.get(name, "0").strip() for name in ("x", "y"))
    if (number(x) or 0.0) == (number(y) or 0.0) == 0.0 or "transform-origin" in attrs:
        return attrs
    transform = attrs.get("transform", "").strip().removesuffix("none")
    kept = {name: value for name, value in attrs.items() if name not in ("x", "y")}
    return {**kept, "transform": f"{transform} translate({x} {y})".strip()}


def _with_defaults(node: Node, attrs: dict[str, str], around: _Around) -> dict[str, str]:
    """With the parts of the box around that a server has where it says nothing, unless another may."""
    if node.href:
        return attrs
    missing = {name: value for name, value in _DEFAULTS[node.name].items() if name not in attrs}
    return {**attrs, **{name: _one(value, name, around) for name, value in missing.items()}}


def _rounded(attrs: dict[str, str]) -> dict[str, str]:
    """A radius that is not said is the other one (SVG 2, 10.4)."""
    radii = [attrs.get(name, "auto").strip() for name in ("rx", "ry")]
    if (radii[0] == "auto") == (radii[1] == "auto"):
        return attrs
    known = radii[0] if radii[1] == "auto" else radii[1]
    return {**attrs, "rx": known, "ry": known}


def _inner_box(attrs: dict[str, str], outer: Rect) -> Rect:
    try:
        view = view_box_of(attrs.get("viewBox"))
    except ViewportError:
        return outer
    if view is not None:
        return view
    sides = [numbers(attrs.get(name, "")) for name in ("width", "height")]
    if all(len(side) == 1 and side[0] > 0 for side in sides):
        return Rect(0.0, 0.0, sides[0][0], sides[1][0])
    return outer


def _font_size(node: Node, parent: float, root: float) -> float:
    text = node.attrs.get("font-size")
    if text is None:
        return parent
    found = _plain(text.strip(), _Around(Rect(0, 0, 1, 1), parent, root, {}), parent)
    return found if found is not None and 0 < found < 1e6 else parent


def _value(node: Node, name: str, value: str, around: _Around) -> str:
    """An attribute's value with plain numbers where it holds lengths."""
    if name not in _LENGTHS or len(value) > _LONGEST:
        return value
    if node.name in _RELATIVE_SERVERS and not _own_units(node):
        return value  # parts of the box of what is painted
    if node.name == "stop" or node.name.startswith("fe"):
        return value
    if name.startswith("stroke-dash") or " " in value.strip() or "," in value:
        parts = [_one(part, name, around) for part in _split(value)]
        return " ".join(parts) if parts != _split(value) else value
    return _one(value, name, around)


def _split(value: str) -> list[str]:
    return value.replace(",", " ").split() if "(" not in value else [value]


def _own_units(node: Node) -> bool:
    return node.get(_RELATIVE_SERVERS[node.name]) == "userSpaceOnUse"


def _one(text: str, name: str, around: _Around) -> str:
    stripped = text.strip()
    if stripped[-1:].isdigit() or not stripped:
        return text
    box = around.box
    if name in _ACROSS:
        whole = box.width
    elif name in _DOWN:
        whole = box.height
    elif name in _SIZES:
        whole = around.size
    else:
        whole = math.hypot(box.width, box.height) / math.sqrt(2)
    found = _plain(stripped, around, whole)
    return text if found is None or not math.isfinite(found) else f"{found:.10g}"


def _plain(text: str, around: _Around, whole: float) -> float | None:
    """A length in user units; None for what is none. `whole` is what 100 % are."""
    if text.startswith("calc("):
        return summed(text, lambda number, unit: _scaled(number, unit, around, whole))
    match = _LENGTH.fullmatch(text)
    if match is None:
        return None
    return _scaled(float(match[1]), match[2] or "", around, whole)


def _scaled(number: float, unit: str, around: _Around, whole: float) -> float | None:
    unit = unit.lower()
    if not unit:
        return number
    if unit == "%":
        return number / 100 * whole
    factor = {
        **_UNITS,
        "em": around.size,
        "rem": around.root,
        "ex": around.size * _EX,
        "ch": around.size * _EX,
        "vw": around.box.width / 100,
        "vh": around.box.height / 100,
    }.get(unit)
    return None if factor is None else number * factor
