"""Drawings within drawings: an `<image>` whose data are SVG, as nested `<svg>` that take nothing over."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable
from urllib.parse import unquote_to_bytes

from cardgen.findings import Problem
from cardgen.geometry import Rect
from cardgen.svg.limits import short
from cardgen.svg.names import names
from cardgen.svg.normal.rebuilding import remade
from cardgen.svg.targets import renamed
from cardgen.svg.tree import Document, Node, SvgError, parse
from cardgen.svg.viewports import own_box

SVG_DATA = re.compile(rb"data:image/svg")
_MOST_INSIDE = 3
_DEEPEST = 30
"""Levels of nesting in such a drawing."""
_MOST = 500
_BOX = names("x y width height preserveAspectRatio")
_ROOT = names("width height viewBox x y version id preserveAspectRatio")

Plain = Callable[[Document, int], tuple[Document, list[Problem]]]
"""A drawing in plain SVG, so many levels inside of others."""


class _Inner:
    def __init__(self, plain: Plain, initial: dict[str, str], inside: int, problems: list[Problem]) -> None:
        self._plain = plain
        self._initial = initial
        self._inside = inside
        self._problems = problems
        self._count = 0

    def element(self, node: Node) -> Node:
        if node.name == "image" and (node.href or "").startswith("data:image/svg"):
            return self._shown(node)
        children = [self.element(child) if isinstance(child, Node) else child for child in node.children]
        return remade(node, children=children)

    def _shown(self, image: Node) -> Node:
        self._count += 1
        try:
            if self._count > _MOST or self._inside >= _MOST_INSIDE:
                raise ValueError(f"drawings are {_MOST_INSIDE} within one another, and {_MOST}, at most")
            document, found = self._plain(parse(_decoded(image.href or "")), self._inside + 1)
            box = own_box(document.root)
            if document.root.name != "svg" or _depth(document.root) > _DEEPEST:
                raise ValueError(f"it is no <svg>, or more than {_DEEPEST} elements deep")
        except (SvgError, ValueError) as error:  # one of viewports, too
            return self._refused(image, str(error))
        if any(problem.is_error for problem in found):
            return self._refused(image, found[0].message)
        return self._nested(image, document, box)

    def _refused(self, image: Node, why: str) -> Node:
        message = f"a drawing within the drawing can't be shown: {short(why)}"
        self._problems.append(
            Problem("image/data", message, "put what it draws into a <g>", offset=image.start)
        )
        return Node("g", {}, image.start)

    def _nested(self, image: Node, document: Document, box: Rect | None) -> Node:
        prefix = f"inner{self._inside}-{self._count}-"
        new = {id: prefix + id for id in document.ids}
        size = {name: image.attrs[name] for name in _BOX if name in image.attrs}
        if box is not None:
            size["viewBox"] = f"{box.x:.10g} {box.y:.10g} {box.width:.10g} {box.height:.10g}"
            for name, side in (("width", box.width), ("height", box.height)):
                size.setdefault(name, f"{side:.10g}")
        root = document.root
        own = {name: renamed(name, value, new) for name, value in root.attrs.items() if name not in _ROOT}
        group = Node("g", {**self._initial, **own}, image.start)
        group.children = [
            _copied(child, new, image) if isinstance(child, Node) else child for child in root.children
        ]
        group.has_text = root.has_text
        nested = Node("svg", size, image.start)
        nested.children, nested.has_text, nested.end = [group], root.has_text, image.end
        outer = {
            name: value
            for name, value in image.attrs.items()
            if name not in _BOX and name not in ("href", "xlink:href")
        }
        return remade(image, name="g", attrs=outer, children=[nested])


def inlined(
    root: Node, plain: Plain, initial: dict[str, str], inside: int, problems: list[Problem]
) -> Node:
    """The tree with such images as what they show. `initial` is what their roots don't take over."""
    return _Inner(plain, initial, inside, problems).element(root)


def _decoded(href: str) -> bytes:
    head, _, body = href.partition(",")
    return b64decode(body) if head.rstrip().endswith(";base64") else unquote_to_bytes(body)


def _depth(root: Node) -> int:
    deepest = 0
    stack = [(root, 1)]
    while stack:
        node, depth = stack.pop()
        deepest = max(deepest, depth)
        stack += ((child, depth + 1) for child in node.elements())
    return deepest


def _copied(node: Node, new: dict[str, str], image: Node) -> Node:
    """An element under its new ids, at the image's place in the source."""
    attrs = {name: renamed(name, value, new) for name, value in node.attrs.items()}
    copy = Node(node.name, attrs, image.start)
    copy.end = image.end
    copy.has_text = node.has_text
    copy.children = [
        _copied(child, new, image) if isinstance(child, Node) else child for child in node.children
    ]
    return copy
