"""The places of a side's problems, and how to mark them on a picture of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from cardgen.core.artwork import Artwork, Color, Picture, SetText, Stroke, TextRun
from cardgen.core.findings import Problem
from cardgen.core.geometry import IDENTITY, Matrix, Rect, Size, decimal
from cardgen.svg.lengths import outline_of
from cardgen.svg.lint import DEFINITIONS
from cardgen.svg.outlines import ViewportError, box_of, fit, transform_of, view_box_of
from cardgen.svg.tree import Node, numbers

RED = "#d6002a"
RED_INK: Color = (0xD6 / 255, 0.0, 0x2A / 255)
_LINE, _HALO = 0.3, 0.45
"""mm, of outlines and crosses, and of the white below them: they are to be seen on any ground."""
_AROUND = 0.2
"""The same of red letters, in em."""
Kind = Literal["box", "missing", "words", "noted", "side"]


@dataclass(frozen=True, slots=True)
class Mark:
    """A problem and where on the side it lies: an upright rectangle in mm from the corner of the bleed.

    `kind` says how the artwork shows it. "box": outlined in red; of text that does not fit, that is what it
    does not fit into, and the words are red. "missing": outlined and crossed, for what is not there, or
    can't be read. "words": the area of words that are red. "noted": not at all, it is a warning or a note.
    "side": it has no place of its own, `area` is the whole side, and its edge is red. One problem has
    several marks where it lies in several places. `of_file` says that it is one of a file shown there."""

    problem: Problem
    area: Rect
    kind: Kind = "box"
    of_file: bool = False

    def moved(self, by: int) -> Mark:
        """Return the mark with its problem's offset counted from so many bytes before."""
        return self if self.of_file else replace(self, problem=self.problem.moved(by))


@dataclass(frozen=True, slots=True)
class Marked:
    """A side laid out to be looked at, whatever is wrong with it; never to be printed, and no artwork that
    is printed has its key.

    On the `artwork` is all that could be laid out, with the trouble shown where it stands, as its `marks`
    say one by one. `problems` are those that laying it out to print finds, and those of icons in texts that
    it does not come to; each has a mark at least. `icons` are those that its text shows, whose documents
    are needed to draw it."""

    artwork: Artwork
    marks: tuple[Mark, ...]
    problems: tuple[Problem, ...]
    icons: frozenset[str]


def halo(text: SetText, red: Iterable[TextRun]) -> SetText:
    """White to lie below the red letters of a text."""
    stroke = Stroke((1.0, 1.0, 1.0), _AROUND * text.size, join=1, again=True)
    return replace(text, runs=tuple(red), bars=(), decor=True, stroke=stroke)


def kind_of(problem: Problem) -> Kind:
    """Return how to show a problem of which only the area is known."""
    return "box" if problem.is_error else "noted"


def overlay(marks: Iterable[Mark], size: Size, bleed: float) -> Picture | None:
    """Return the outlines and crosses of marks, to lie over a side of `size` (trim and bleed); None if
    there is none."""
    shapes: dict[str, None] = {}
    for mark in marks:
        area = mark.area
        if mark.kind == "side":
            area = area.inset(max(bleed, 0.0) + _LINE / 2)
        elif mark.kind in ("box", "missing"):
            area = area.inset(-_HALO / 2)  # around it, over nothing that stands in it
        else:
            continue
        left, top, right, bottom = (decimal(each, 4) for each in (area.x, area.y, area.right, area.bottom))
        path = f"M{left} {top}H{right}V{bottom}H{left}Z"
        if mark.kind == "missing":
            path += f"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}"
        shapes[path] = None
    if not shapes:
        return None
    width, height, path = decimal(size.width, 4), decimal(size.height, 4), "".join(shapes)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}" fill="none"><path d="{path}" stroke="#fff" '
        f'stroke-width="{_HALO}"/><path d="{path}" stroke="{RED}" stroke-width="{_LINE}"/></svg>'
    )
    return Picture(hashlib.blake2b(svg.encode(), digest_size=16).hexdigest(), svg)


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
    """Return the rectangle around all of them; None if there is none."""
    return Rect.union(areas) if areas else None


def chain_to(top: Node, offset: int) -> list[Node]:
    """Return the elements from `top` down to the innermost around a byte of the document."""
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
        self._boxes: dict[Node, Rect | None] = {}

    def within(self, chain: list[Node], around: Matrix) -> Rect | None:
        """Return the area of the last of a chain of elements; None if it can't be told, or what it lies
        in is drawn elsewhere. `around` is the matrix of all that stands around the first."""
        for node in chain[:-1]:
            if node.name in _UNDRAWN:
                return None
            around = _inner(node, _placed(node, around))
        return self.of(chain[-1], around)

    def of(self, top: Node, around: Matrix) -> Rect | None:
        """Return the upright rectangle around all that an element draws, in mm; None if there is
        nothing, or it can't be told. `around` is the matrix of all that stands around it."""
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
        """Return the box of a shape in its own units, the handles of its curves included."""
        if node not in self._boxes:
            places = [place for _, v in outline_of(node) or () for place in zip(v[::2], v[1::2])]
            self._boxes[node] = Rect.around(places) if places else None
        return self._boxes[node]

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
    """Return the matrix for what is in an element."""
    if node.name != "svg":
        return matrix
    try:
        view, box = view_box_of(node.get("viewBox")), box_of(node.attrs)
        return fit(view, box, node.get("preserveAspectRatio")).then(matrix)
    except ViewportError:
        return matrix


def _first(text: str | None) -> float:
    """Return the first number in a text, 0 where there is none."""
    found = numbers(text[:100]) if text else []
    return found[0] if found else 0.0


def _is_finite(area: Rect) -> bool:
    return all(abs(each) < 1e9 for each in (area.x, area.y, area.right, area.bottom))
