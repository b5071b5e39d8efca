"""An SVG document as the tree that is drawn: attributes, styles and what elements inherit, as text."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from defusedxml import ElementTree  # type: ignore[import-untyped]  # has no types

from cardgen.drawing.objects import DrawingError
from cardgen.svg.declarations import read_style

_SVG = "{http://www.w3.org/2000/svg}"
XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
_INHERITED = frozenset(
    (
        *("clip-rule", "color", "fill", "fill-opacity", "fill-rule", "font-size", "image-rendering"),
        *("marker-end", "marker-mid", "marker-start", "paint-order", "stroke", "stroke-dasharray"),
        *("stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit"),
        *("stroke-opacity", "stroke-width", "visibility"),
    )
)
_COLORS = ("fill", "stroke", "stop-color")


class Node(dict[str, str]):
    """An element: its attributes and properties, inherited ones among them, by name."""

    __slots__ = ("children", "element", "image_height", "image_width", "parent", "tag", "url")

    def __init__(self, element: Element, parent: Node | None) -> None:
        super().__init__()
        self.element = element
        self.parent = parent
        self.children: list[Node] = []
        self.tag = element.tag.removeprefix(_SVG)
        self.url = None
        if parent is not None:
            self.update((name, value) for name, value in parent.items() if name in _INHERITED)
        self.update(element.attrib)
        style = element.get("style")
        if style:
            self.update(read_style(style)[0])
        for name in _COLORS:
            if self.get(name) == "currentColor":
                self[name] = self.get("color", "black")
        for name in [name for name, value in self.items() if value == "inherit"]:
            if parent is not None and name in parent:
                self[name] = parent[name]
            else:
                del self[name]

    def get_href(self) -> str | None:
        """The target of a reference."""
        return self.get(XLINK_HREF, self.get("href"))


class Document:
    """A parsed document: `root`, and its elements by id."""

    def __init__(self, element: Element) -> None:
        self._element = element
        self._ids: dict[str, Element] | None = None
        self.root = grown(element, None)

    def shown(self, id: str, parent: Node) -> Node | None:
        """The element of that id with all in it, as it is where `parent` shows it; None if there is
        none."""
        if self._ids is None:
            self._ids = {}
            for element in self._element.iter():
                if "id" in element.attrib:
                    self._ids.setdefault(element.attrib["id"], element)
        found = self._ids.get(id)
        return None if found is None else grown(found, parent)


def grown(element: Element, parent: Node | None) -> Node:
    """An element and all in it, inheriting from `parent`."""
    top = Node(element, parent)
    stack = [top]
    while stack:
        node = stack.pop()
        node.children = [Node(child, node) for child in node.element]
        stack += node.children
    return top


def parse(svg: str) -> Document:
    """The tree of a document that may refer to nothing outside itself. Raises ParseError for XML that
    is none, ValueError for entities, as defusedxml does, and DrawingError for style sheets: who makes
    pictures writes their rules out at the elements."""
    root = ElementTree.fromstring(svg.encode(), forbid_entities=True, forbid_external=True)
    if next(root.iter(f"{_SVG}style"), None) is not None:
        raise DrawingError.of("picture/style", "a style sheet is not read", "write styles at the elements")
    return Document(root)
