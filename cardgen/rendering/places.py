"""Where on a side an element lies, as near as that can be told: of one that is not laid out, too."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cardgen.geometry import IDENTITY, Matrix, Rect
from cardgen.svg.extents import Extent, shape_extent
from cardgen.svg.lint import DEFINITIONS
from cardgen.svg.numbers import numbers
from cardgen.svg.transforms import transform_of
from cardgen.svg.tree import Node
from cardgen.svg.viewports import ViewportError, box_of, fit, view_box_of

_MOST_STEPS = 50_000
"""Elements of a document that are looked at for all places; after them none is told."""
_MOST_USES = 5
"""Levels of `<use>` that are followed."""
_UNDRAWN = DEFINITIONS - {"svg"}
_SIZE = 3.5
"""mm, of type whose size is not known."""
_LETTER, _RISE, _DEPTH = 0.5, 0.8, 0.25
"""In em: how wide a letter is, and how far it reaches above and below the baseline, about."""
_BEFORE = {"middle": 0.5, "end": 1.0}


def union(areas: list[Rect]) -> Rect | None:
    """The rectangle around all of them; None for none."""
    if not areas:
        return None
    left, top = min(each.x for each in areas), min(each.y for each in areas)
    right, bottom = max(each.right for each in areas), max(each.bottom for each in areas)
    return Rect(left, top, right - left, bottom - top)


def chain_to(top: Node, offset: int) -> list[Node]:
    """The elements from `top` down to the innermost in which a byte of the document lies."""
    chain = [top]
    while True:
        inner = next((each for each in chain[-1].elements() if each.start <= offset < each.end), None)
        if inner is None:
            return chain
        chain.append(inner)


class Places:
    """Tells where the elements of one document lie, by their `ids` and what they say, so many steps in all;
    strokes are not counted."""

    def __init__(self, ids: Mapping[str, Node], properties: Callable[[Node], Mapping[str, str]]) -> None:
        self._ids, self._properties = ids, properties
        self._left = _MOST_STEPS
        self._extents: dict[Node, Extent] = {}

    def within(self, chain: list[Node], around: Matrix) -> Rect | None:
        """The area of the last of a chain of elements; None where it can't be told, or what it lies in is
        drawn elsewhere. `around` is the matrix of all that stands around the first."""
        for node in chain[:-1]:
            if node.name in _UNDRAWN:
                return None
            around = _inner(node, _placed(node, around))
        return self.of(chain[-1], around)

    def of(self, top: Node, around: Matrix) -> Rect | None:
        """The upright rectangle around all that an element draws, in mm; None where there is nothing, or it
        can't be told. `around` is the matrix of all that stands around it."""
        found: list[Rect] = []
        stack = [(top, around, 0)]
        while stack:
            node, outer, uses = stack.pop()
            self._left -= 1
            if self._left < 0:
                return None
            if node.name in _UNDRAWN or ":" in node.name:
                continue
            matrix = _placed(node, outer)
            if node.name == "text":
                found.append(matrix.around(self._of_text(node)))
                continue
            if node.name in ("use", "image", "svg", "foreignObject"):
                try:
                    found.append(matrix.around(box_of(node.attrs)))
                    continue
                except ViewportError:
                    shown = self._ids.get((node.href or "")[1:])
                    if node.name == "use" and shown is not None and uses < _MOST_USES:
                        x, y = (_first(node.get(name)) for name in ("x", "y"))
                        stack.append((shown, Matrix(e=x, f=y).then(matrix), uses + 1))
                    continue
            area = self._shape(node)
            if area is not None:
                found.append(matrix.around(area))
            inner = _inner(node, matrix)
            stack += [(child, inner, uses) for child in node.elements()]
        return union([area for area in found if _is_finite(area)])

    def _shape(self, node: Node) -> Rect | None:
        """The box of a shape in its own units."""
        extent = self._extents.get(node)
        if extent is None:
            extent = self._extents[node] = shape_extent(node)
        if not extent.shapes:
            return None
        return Rect(extent.left, extent.top, extent.width, extent.height)

    def _of_text(self, node: Node) -> Rect:
        """About where a text lies: in its box, or in a line at its place."""
        properties = self._properties(node)
        shape = properties.get("shape-inside", "")
        box = self._ids.get(shape[4:].split(")")[0].strip("\"' #")) if shape.startswith("url(") else None
        if box is not None and (area := self._shape(box)) is not None:
            return _placed(box, IDENTITY).around(area)
        size = _first(properties.get("font-size")) or _SIZE
        x, y = (_first(node.get(name)) for name in ("x", "y"))
        said = _first(node.get("cg:max-width")) or _first(properties.get("inline-size"))
        width = said or _LETTER * size * len(" ".join(node.text().split()))
        before = _BEFORE.get(properties.get("text-anchor", ""), 0.0)
        return Rect(x - before * width, y - _RISE * size, width, (_RISE + _DEPTH) * size)


def _placed(node: Node, outer: Matrix) -> Matrix:
    try:
        return transform_of(node.attrs).then(outer)
    except ValueError:
        return outer


def _inner(node: Node, matrix: Matrix) -> Matrix:
    """The matrix for what is in an element."""
    if node.name != "svg":
        return matrix
    try:
        view, box = view_box_of(node.get("viewBox")), box_of(node.attrs)
        return fit(view, box, node.get("preserveAspectRatio")).then(matrix)
    except ViewportError:
        return matrix


def _first(text: str | None) -> float:
    """The first number in a text, 0 where there is none."""
    found = numbers(text[:100]) if text else []
    return found[0] if found else 0.0


def _is_finite(area: Rect) -> bool:
    return all(abs(each) < 1e9 for each in (area.x, area.y, area.right, area.bottom))
