"""Drawings brought to plain SVG in a line, for tests."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.svg.normal import Normal, normalised
from cardgen.svg.tree import Node, parse

BOX = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"'


def normal(body: str, root: str = BOX, language: str = "en") -> Normal:
    """The drawing of that content."""
    return normalised(parse(f"<svg {root}>{body}</svg>".encode()), language)


def plain(body: str, root: str = BOX, language: str = "en") -> Node:
    """Its outermost element; there are no problems."""
    found = normal(body, root, language)
    assert found.problems == ()
    return found.document.root


def node(body: str, id: str = "a", root: str = BOX, language: str = "en") -> Node:
    """The element of that id."""
    return next(each for each in plain(body, root, language).iter() if each.attrs.get("id") == id)


def attrs(body: str, *names: str, id: str = "a", root: str = BOX) -> tuple[str | None, ...]:
    """What attributes of an element are."""
    found = node(body, id, root).attrs
    return tuple(found.get(name) for name in names)


def shown(node: Node) -> Iterator[str]:
    """The names of all elements below one, in order."""
    for child in node.elements():
        yield child.name
        yield from shown(child)
