"""Gradients without a length, colours of stops that can be seen through, patterns that take after others
(SVG 2, 14), and the brightness of what is in a mask (CSS Masking 1, 6.4)."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.findings import Problem
from cardgen.svg.colors import parse_color
from cardgen.svg.declarations import read_style
from cardgen.svg.limits import MOST_ELEMENTS, MOST_TAKEN_AFTER
from cardgen.svg.names import names
from cardgen.svg.normal.rebuilding import remade
from cardgen.svg.numbers import number
from cardgen.svg.tree import Node

_GRADIENTS = ("linearGradient", "radialGradient")
_PATTERN = names(
    "x y width height patternUnits patternContentUnits patternTransform viewBox preserveAspectRatio"
)
_COLORS = names("fill stroke color flood-color")


def served(root: Node, problems: list[Problem]) -> Node:
    """The tree with stops in plain colours beside their opacity, gradients of no length as what their
    last stop says, patterns with what they take over, and masks in grays."""
    servers = {
        node.attrs["id"]: node
        for node in root.iter()
        if (node.name in _GRADIENTS or node.name == "pattern") and "id" in node.attrs
    }
    if servers:
        root = _served(root, servers, _Copies(problems))
    return _gray_masks(root)


class _Copies:
    """What is left of the elements that patterns may take over from others, each of which is a copy."""

    def __init__(self, problems: list[Problem]) -> None:
        self._problems = problems
        self._left = MOST_ELEMENTS
        self._long = False

    def ends(self, chain: list[Node], servers: Mapping[str, Node]) -> bool:
        """Whether nothing is taken over beyond a chain; a problem, said once, where something is."""
        if len(chain) < MOST_TAKEN_AFTER or servers.get((chain[-1].href or "")[1:]) is None:
            return True
        if not self._long:
            self._long = True
            message = f"more than {MOST_TAKEN_AFTER} patterns take after one another"
            problem = Problem("svg/bounds", message, "write out what they say", offset=chain[0].start)
            self._problems.append(problem)
        return False

    def allows(self, node: Node, copied: Node) -> bool:
        """Whether a pattern may take over all that is in another; a problem where it may not."""
        if self._left < 0:
            return False  # said already
        within = {id(part) for part in copied.iter()}
        self._left -= len(within)
        message = hint = ""
        if self._left < 0:
            message = f"patterns take over more than {MOST_ELEMENTS:,} elements from others"
            hint = "write out what they hold as a <symbol>, and show it by <use>"
        elif id(node) in within or any(part.name == "pattern" and part.href for part in copied.iter()):
            message = "a pattern takes after one that holds such patterns"
            hint = "write out what it holds"
        if message:
            self._problems.append(Problem("svg/bounds", message, hint, offset=node.start))
        return not message


def _served(node: Node, gradients: Mapping[str, Node], copies: _Copies) -> Node:
    if node.name == "stop":
        return _stop(node)
    if node.name == "pattern" and node.href:
        node = _whole_pattern(node, gradients, copies)
    children = [
        _served(child, gradients, copies) if isinstance(child, Node) else child for child in node.children
    ]
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


def _whole_pattern(node: Node, servers: Mapping[str, Node], copies: _Copies) -> Node:
    """A pattern with the attributes and the tile of those that it takes after."""
    whole = _chain(node, servers)
    chain = [each for each in whole if each.name == "pattern"]
    if len(chain) < 2 or not copies.ends(whole, servers):
        return node
    attrs = {
        name: value
        for each in reversed(chain)
        for name, value in each.attrs.items()
        if each is node or name in _PATTERN
    }
    for name in ("href", "xlink:href"):
        attrs.pop(name, None)
    children: list[Node | str] = []
    for each in chain:
        drawn = next(each.elements(), None) is not None
        if drawn and each is node:
            children = list(each.children)
        elif drawn:
            if not copies.allows(node, each):
                return node
            # They inherit from the pattern that they stand in.
            style = {name: value for name, value in each.attrs.items() if name not in (*_PATTERN, "id")}
            group = Node(
                "g", {name: value for name, value in style.items() if "href" not in name}, each.start
            )
            group.children = list(each.children)
            group.has_text = each.has_text
            children = [group]
        if drawn:
            break
    return remade(node, attrs=attrs, children=children)


def _gray_masks(root: Node) -> Node:
    """The tree with the colours in masks as grays of the same brightness: PDF weighs green and blue
    otherwise than SVG does."""
    if not any(node.name == "mask" for node in root.iter()):
        return root
    return _masked(root, inside=False)


def _masked(node: Node, inside: bool) -> Node:
    inside = inside or node.name == "mask"
    attrs = node.attrs
    if inside:
        attrs = {name: _gray(value) if name in _COLORS else value for name, value in attrs.items()}
        if "style" in attrs and any(name in attrs["style"] for name in _COLORS):
            declared = read_style(attrs["style"])[0]
            attrs["style"] = ";".join(
                f"{name}:{_gray(value) if name in _COLORS else value}" for name, value in declared.items()
            )
    children = [_masked(child, inside) if isinstance(child, Node) else child for child in node.children]
    return remade(node, attrs=attrs, children=children)


def _gray(value: str) -> str:
    color = parse_color(value)
    if color is None or color[0] == color[1] == color[2]:
        return value
    red, green, blue, opacity = color
    level = 100 * (0.2126 * red + 0.7152 * green + 0.0722 * blue)
    return f"rgba({level:.4f}%,{level:.4f}%,{level:.4f}%,{opacity:.6g})"


def _chain(node: Node, gradients: Mapping[str, Node]) -> list[Node]:
    """A gradient and those that it takes after."""
    chain = [node]
    while len(chain) < MOST_TAKEN_AFTER:
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
    ends = [
        said(name, default) for name, default in (("x1", "0"), ("x2", "100%"), ("y1", "0"), ("y2", "0"))
    ]
    values = [_part(end) for end in ends]
    return None not in values and values[0] == values[1] and values[2] == values[3]


def _part(text: str) -> float | None:
    found = number(text.removesuffix("%"))
    return found / 100 if found is not None and text.endswith("%") else found


def _last_stop(node: Node, gradients: Mapping[str, Node]) -> Node | None:
    for each in _chain(node, gradients):
        for child in reversed(each.children):
            if isinstance(child, Node) and child.name == "stop":
                return _stop(child)
    return None
