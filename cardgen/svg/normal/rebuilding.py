"""Trees made of others: an element with something changed is a new one, all else is shared."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.svg.tree import Node


def remade(
    node: Node,
    *,
    name: str | None = None,
    attrs: dict[str, str] | None = None,
    children: Sequence[Node | str] | None = None,
) -> Node:
    """The element with that changed, at the same place; itself where nothing is."""
    name = node.name if name is None else name
    attrs = node.attrs if attrs is None else attrs
    if children is None or _same(children, node.children):
        if name == node.name and attrs == node.attrs:
            return node
        children = node.children
    made = Node(name, attrs, node.start)
    made.end = node.end
    made.children = list(children)
    made.has_text = name in ("text", "tspan") or any(
        isinstance(child, Node) and child.has_text for child in children
    )
    return made


def _same(some: Sequence[Node | str], others: Sequence[Node | str]) -> bool:
    return len(some) == len(others) and all(a is b for a, b in zip(some, others))
