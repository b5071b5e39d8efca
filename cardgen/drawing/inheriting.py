"""An SVG document as it is drawn: every element with the properties that it has and those it inherits."""

from __future__ import annotations

from cardgen.drawing.objects import DrawingError
from cardgen.svg import tree
from cardgen.svg.declarations import read_style
from cardgen.svg.style import inherit

_COLORS = ("fill", "stroke", "stop-color")


class Node(dict[str, str]):
    """An element: its attributes and properties, inherited ones among them, by name."""

    __slots__ = ("children", "current", "element", "image_height", "image_width", "parent", "tag", "url")

    def __init__(self, element: tree.Node, parent: Node | None) -> None:
        own = {**element.attrs, **read_style(element.attrs.get("style", ""))[0]}
        super().__init__(inherit(parent or {}, own))
        self.element = element
        self.parent = parent
        self.children: list[Node] = []
        self.tag = element.name
        self.url = None
        taken: frozenset[str] = frozenset() if parent is None else parent.current
        self.current: frozenset[str] = frozenset(
            name
            for name in _COLORS
            if (own[name].lower() == "currentcolor" if name in own else name in taken)
        )
        """The colours that are `color`'s, which children take over as such."""
        for name in self.current:
            self[name] = self.get("color", "black")

    def get_href(self) -> str | None:
        """The target of a reference."""
        return self.get("href", self.get("xlink:href"))


class Document:
    """A parsed document: `root`, and its elements by id."""

    def __init__(self, document: tree.Document) -> None:
        self._ids = document.ids
        self.root = grown(document.root, None)

    def shown(self, id: str, parent: Node) -> Node | None:
        """The element of that id with all in it, as it is where `parent` shows it; None if there is
        none."""
        found = self._ids.get(id)
        return None if found is None else grown(found, parent)


def grown(element: tree.Node, parent: Node | None) -> Node:
    """An element and all in it, inheriting from `parent`."""
    top = Node(element, parent)
    stack = [top]
    while stack:
        node = stack.pop()
        node.children = [Node(child, node) for child in node.element.elements()]
        stack += node.children
    return top


def parse(svg: str) -> Document:
    """The tree of a document. Raises SvgError for what is no XML or would bring in entities, and
    DrawingError for style sheets: who makes pictures writes their rules out at the elements. How large it
    may be was looked at where it was made."""
    document = tree.parse(svg.encode(), bounded=False)
    if any(node.name == "style" for node in document.root.iter()):
        raise DrawingError.of("picture/style", "a style sheet is not read", "write styles at the elements")
    return Document(document)
