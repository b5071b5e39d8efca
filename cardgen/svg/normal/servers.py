"""Gradients without a length, and colours of stops that can be seen through (SVG 2, 14.2)."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.svg.colors import parse_color
from cardgen.svg.declarations import read_style
from cardgen.svg.normal.rebuilding import remade
from cardgen.svg.numbers import number
from cardgen.svg.tree import Node

_GRADIENTS = ("linearGradient", "radialGradient")
_MOST_REFERRED = 20


def served(root: Node) -> Node:
    """The tree with stops in plain colours beside their opacity, and gradients of no length as what their
    last stop says."""
    gradients = {
        node.attrs["id"]: node for node in root.iter() if node.name in _GRADIENTS and "id" in node.attrs
    }
    return _served(root, gradients) if gradients else root


def _served(node: Node, gradients: Mapping[str, Node]) -> Node:
    if node.name == "stop":
        return _stop(node)
    children = [_served(child, gradients) if isinstance(child, Node) else child for child in node.children]
    if node.name in _GRADIENTS and _is_flat(node, gradients):
        last = _last_stop(node, gradients)
        if last is not None:
            attrs = {name: node.attrs[name] for name in ("id",) if name in node.attrs}
            return remade(node, name="linearGradient", attrs=attrs, children=[last])
    return remade(node, children=children)


def _stop(node: Node) -> Node:
    own = {**node.attrs, **read_style(node.attrs.get("style", ""))[0]}
    color = parse_color(own.get("stop-color", "black"))
    if color is None or color[3] == 1:
        return node
    shares = [number(own.get("stop-opacity", "1").strip().removesuffix("%"))]
    opacity = shares[0] if shares[0] is not None else 1.0
    if own.get("stop-opacity", "").strip().endswith("%"):
        opacity /= 100
    red, green, blue = (round(255 * channel) for channel in color[:3])
    attrs = {name: value for name, value in node.attrs.items() if name not in ("style", "class")}
    attrs |= {
        "stop-color": f"#{red:02x}{green:02x}{blue:02x}",
        "stop-opacity": f"{color[3] * min(1.0, max(0.0, opacity)):.6g}",
    }
    if "offset" not in attrs:
        attrs["offset"] = "0"
    return remade(node, attrs=attrs)


def _chain(node: Node, gradients: Mapping[str, Node]) -> list[Node]:
    """A gradient and those that it takes after."""
    chain = [node]
    while len(chain) < _MOST_REFERRED:
        other = gradients.get((chain[-1].href or "")[1:])
        if other is None or other in chain:
            break
        chain.append(other)
    return chain


def _is_flat(node: Node, gradients: Mapping[str, Node]) -> bool:
    """Whether a gradient has no length, or a circle no size."""
    chain = _chain(node, gradients)

    def said(name: str, default: str) -> str:
        return next((each.attrs[name].strip() for each in chain if name in each.attrs), default)

    if node.name == "radialGradient":
        return number(said("r", "50%").removesuffix("%")) == 0
    ends = [said(name, default) for name, default in (("x1", "0"), ("x2", "100%"), ("y1", "0"), ("y2", "0"))]
    values = [_part(end) for end in ends]
    return None not in values and values[0] == values[1] and values[2] == values[3]


def _part(text: str) -> float | None:
    found = number(text.removesuffix("%"))
    return found / 100 if found is not None and text.endswith("%") else found


def _last_stop(node: Node, gradients: Mapping[str, Node]) -> Node | None:
    for each in _chain(node, gradients):
        stops = [child for child in each.elements() if child.name == "stop"]
        if stops:
            return _stop(stops[-1])
    return None
