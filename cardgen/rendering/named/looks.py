"""How objects of a drawing look and where they lie, as far as the template's own text says."""

from __future__ import annotations

from cardgen.geometry import IDENTITY, Matrix, Rect
from cardgen.rendering.named.markup import Drawing, Element
from cardgen.svg.extents import shape_extent
from cardgen.svg.names import names
from cardgen.svg.numbers import number
from cardgen.svg.outlines import extents, path_outline
from cardgen.svg.style import Properties, StyleSheet, inherit
from cardgen.svg.transforms import transform_of
from cardgen.svg.tree import Node

SHAPES = frozenset(("rect", "circle", "ellipse", "path", "polygon", "polyline", "line"))
_HELD = frozenset(("g", "svg", "a", "switch"))
_SHAPING = names("x y width height cx cy r rx ry d points x1 y1 x2 y2")


class Looks:
    """Styles, transforms and boxes of one drawing's elements. What stands in Jinja is not known."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing
        self._sheet: StyleSheet | None = None
        self._styles: dict[Element, Properties] = {}

    @property
    def sheet(self) -> StyleSheet:
        if self._sheet is None:
            nodes = []
            for element in self._drawing.elements:
                if element.name == "style":
                    node = Node("style", {})
                    node.children.append(_css(self._drawing.content(element)))
                    nodes.append(node)
            self._sheet = StyleSheet(nodes)
        return self._sheet

    def own(self, element: Element) -> Properties:
        """The properties that an element has of its own."""
        return self.sheet.properties(element.node())

    def style(self, element: Element) -> Properties:
        """The properties of an element with those that it takes over."""
        known = self._styles.get(element)
        if known is None:
            above = self.style(element.parent) if element.parent is not None else {}
            known = self._styles[element] = inherit(above, self.own(element))
        return known

    def size(self, element: Element) -> float | None:
        """The size of an element's type in its own units."""
        text = self.style(element).get("font-size", "")
        return number(text.removesuffix("px").strip()) if "{" not in text else None

    def is_painted(self, element: Element) -> bool:
        """Whether a shape has a fill or a line."""
        style = self.style(element)
        return style.get("fill", "black") != "none" or style.get("stroke", "none") != "none"

    def matrix(self, element: Element, top: Element | None = None) -> Matrix | None:
        """From an element's own units to those in `top`, or outside of the drawing; None where that can't
        be told."""
        matrix = IDENTITY
        current: Element | None = element
        while current is not None and current is not top:
            transform = current.attrs.get("transform")
            if transform is not None and transform.is_code:
                return None
            if current.name == "svg" and current.parent is not None:
                return None
            try:
                matrix = matrix.then(transform_of(current.node().attrs))
            except ValueError:
                return None
            current = current.parent
        return matrix

    def box(self, element: Element) -> Rect | None:
        """The box around an object in its own units, its transform left out; None where that can't be
        told."""
        if element.name in _HELD:
            found: Rect | None = None
            for child in element.children:
                inner = self.box(child)
                matrix = self.matrix(child, element)
                if inner is not None and matrix is not None:
                    inner = matrix.around(inner)
                    found = inner if found is None else _around(found, inner)
            return found
        if any(attribute.is_code for attribute in element.attrs.values() if attribute.name in _SHAPING):
            return None
        box = _shape(element.node())
        return box if box is not None and box.width > 0 and box.height > 0 else None


def _shape(node: Node) -> Rect | None:
    if node.name == "path":
        outline = path_outline(node.attrs.get("d", ""))
        return extents(outline) if outline else None
    if node.name not in SHAPES and node.name != "image":
        return None
    extent = shape_extent(node)
    return Rect(extent.left, extent.top, extent.width, extent.height)


def _around(one: Rect, other: Rect) -> Rect:
    x, y = min(one.x, other.x), min(one.y, other.y)
    return Rect(x, y, max(one.right, other.right) - x, max(one.bottom, other.bottom) - y)


def _css(text: str) -> str:
    return text.replace("<![CDATA[", "").replace("]]>", "")


def between(looks: Looks, one: Element, other: Element) -> Matrix | None:
    """From the units of one element to those of another; None where that can't be told."""
    there, back = looks.matrix(one), looks.matrix(other)
    if there is None or back is None:
        return None
    try:
        return there.then(back.inverse())
    except ZeroDivisionError:
        return None
