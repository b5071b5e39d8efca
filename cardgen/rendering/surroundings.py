"""What elements take over from the root, the groups and the style sheet around them."""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.findings import Problem
from cardgen.rendering.pictures import GroupTags, states_fill
from cardgen.rendering.text import Side
from cardgen.rendering.text_style import TextError, length
from cardgen.svg.style import Properties, StyleSheet, inherit
from cardgen.svg.targets import references
from cardgen.svg.transforms import transform_of
from cardgen.svg.tree import Node, open_tag

_BLENDED = ("isolation", "mix-blend-mode")
_TELLING = frozenset(("opacity", "stroke", "stroke-dasharray"))


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """What an element takes over from the root, the groups and the style sheet around it: one object
    for the elements of all cards that have the same around them.

    `telling` are those of the groups and the root, from the inside out, that weigh on what is in them, and
    `references` the ids that they refer to."""

    style: Properties
    tags: GroupTags
    root: RootTag
    depth: int
    telling: tuple[Node, ...]
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RootTag:
    """What sides with one root tag, style sheet, size and folder have in common."""

    sheet: StyleSheet
    side: Side
    head: str
    """The start tag of its pictures."""
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """A group's tag: what is around its elements, None where they are not shown."""

    inner: Surroundings | None = None
    opacity: float = 1.0
    clipped: bool = False
    blended: tuple[str, ...] = ()


def opened(node: Node, around: Surroundings, sheet: StyleSheet) -> Opened:
    own = sheet.properties(node)
    if own.get("display") == "none":
        return Opened()
    clipped = own.get("clip-path", "none") != "none"
    blended = tuple(name for name in _BLENDED if own.get(name, "normal") not in ("normal", "auto"))
    try:
        matrix = transform_of(node.attrs)
        opacity = length(own.get("opacity", "1"), "opacity", whole=1.0)
    except (ValueError, TextError):
        return Opened(clipped=clipped, blended=blended)  # the lint has said it
    style = ";".join(
        f"{name}:{value}"
        for name, value in sheet.declared(node).items()
        if name != "opacity" and not name.startswith("-")
    )
    tag = Node("g", {k: v for k, v in node.attrs.items() if k not in ("opacity", "id")})
    tags = GroupTags(
        around.tags.opened + open_tag(tag, style) + ">",
        "</g>" + around.tags.closed,
        matrix.then(around.tags.matrix),
        states_fill(own, around.tags.filled),
    )
    telling, named = telling_of(bare(node), sheet)
    inner = Surroundings(
        inherit(around.style, own),
        tags,
        around.root,
        around.depth + 1,
        telling + around.telling,
        tuple(dict.fromkeys(named + around.references)),
    )
    return Opened(inner, opacity, clipped, blended)


def telling_of(node: Node, sheet: StyleSheet) -> tuple[tuple[Node, ...], tuple[str, ...]]:
    """A group (or root) without its children, if it weighs on what is in it, and the ids that it refers
    to for its children to inherit."""
    named = tuple(
        dict.fromkeys(id for name, id in references(node, sheet) if name not in ("href", "clip-path"))
    )
    style = sheet.properties(node)
    telling = named or "transform" in node.attrs or not _TELLING.isdisjoint(style)
    return (node,) if telling else (), named


def bare(node: Node) -> Node:
    """The element without its children."""
    return Node(node.name, node.attrs, node.start)


def solid(node: Node, style: Properties, sheet: StyleSheet) -> tuple[Node, float]:
    """A text with a line along its letters as if it were not see-through, and how opaque it is as a whole:
    letters and lines lie over one another. Any other text is as it is."""
    own = sheet.properties(node)
    if "opacity" not in own or inherit(style, own).get("stroke", "none") == "none":
        return node, 1.0
    try:
        opacity = max(0.0, min(1.0, length(own["opacity"], "opacity", whole=1.0)))
    except TextError:
        return node, 1.0  # said where it is set
    said = f"{node.attrs.get('style', '')};opacity:1"
    made = Node(node.name, {**node.attrs, "style": said}, node.start)
    made.end, made.children, made.has_text = node.end, node.children, node.has_text
    return made, opacity
