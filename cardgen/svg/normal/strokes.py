"""Strokes that keep their width whatever the transforms around them (SVG 2, 8.13): by its inverse."""

from __future__ import annotations

import math
from collections.abc import Iterator

from cardgen.findings import Problem
from cardgen.geometry import IDENTITY, Matrix
from cardgen.svg.names import names
from cardgen.svg.normal.rebuilding import remade
from cardgen.svg.normal.shapes import outline_of
from cardgen.svg.numbers import numbers
from cardgen.svg.outlines import moved
from cardgen.svg.transforms import transform_of
from cardgen.svg.tree import Node
from cardgen.svg.viewports import ViewportError, box_of, fit, view_box_of

_KEPT = "non-scaling-stroke"
_WIDTHS = ("stroke-width", "stroke-dasharray", "stroke-dashoffset")
_MARKERS = names("marker-start marker-mid marker-end")
_REORDERED = names("paint-order")
_FOLLOWED = (*_WIDTHS, "stroke", *sorted(_MARKERS | _REORDERED))
_GEOMETRY = names("d points x y width height cx cy r rx ry x1 y1 x2 y2")


def kept_strokes(root: Node, problems: list[Problem]) -> Node:
    """The tree with widths of such strokes as they are drawn. Where shapes are stretched more one way
    than the other that can't be said, which is a problem."""
    if not any(node.attrs.get("vector-effect") == _KEPT for node in root.iter()):
        return root
    return _kept(root, IDENTITY, {}, problems, top=True)


def _kept(
    node: Node, around: Matrix, style: dict[str, str], problems: list[Problem], top: bool = False
) -> Node:
    try:
        here = around if top else transform_of(node.attrs).then(around)
        if node.name == "svg" and not top:
            here = fit(
                view_box_of(node.get("viewBox")), box_of(node.attrs), node.get("preserveAspectRatio")
            ).then(here)
    except (ValueError, ViewportError):
        return node  # said by the lint
    style = {**style, **{name: node.attrs[name] for name in _FOLLOWED if name in node.attrs}}
    children = [
        _kept(child, here, style, problems) if isinstance(child, Node) else child for child in node.children
    ]
    attrs = node.attrs
    if attrs.get("vector-effect") == _KEPT:
        scale = _scale(here)
        if scale is None:
            return _apart(node, here, style, problems)
        attrs = {name: value for name, value in attrs.items() if name != "vector-effect"}
        attrs |= dict(_scaled({"stroke-width": "1", **style}, 1 / scale))
    return remade(node, attrs=attrs, children=children)


def _apart(node: Node, here: Matrix, style: dict[str, str], problems: list[Problem]) -> Node:
    """A shape that is stretched more one way than the other, as its fill and, over it, its outline as it
    lies in the whole drawing, stroked there."""
    paint = style.get("stroke", "none").strip()
    kept = {name: value for name, value in node.attrs.items() if name != "vector-effect"}
    if paint == "none":
        return remade(node, attrs=kept)
    outline = outline_of(node)
    if outline is None or paint.startswith("url(") or style.keys() & _MARKERS or _REORDERED & style.keys():
        message = "a stroke that keeps its width (vector-effect) is not drawn on what is stretched"
        problems.append(
            Problem("svg/vector-effect", message, "draw it without such a transform", offset=node.start)
        )
        return node
    try:
        back = here.inverse()
    except ZeroDivisionError:
        return remade(node, attrs=kept)  # nothing of it is seen
    around = {name: value for name, value in kept.items() if name not in _GEOMETRY}
    inner = {name: value for name, value in kept.items() if name in _GEOMETRY}
    fill = Node(node.name, {**inner, "stroke": "none"}, node.start)
    data = "".join(
        letter + " ".join(f"{value:.9g}" for value in values) for letter, values in moved(outline, here)
    )
    values = (back.a, back.b, back.c, back.d, back.e, back.f)
    place = f"matrix({' '.join(f'{value:.12g}' for value in values)})"
    stroke = Node("path", {"d": data, "fill": "none", "transform": place}, node.start)
    return remade(node, name="g", attrs=around, children=[fill, stroke])


def _scale(matrix: Matrix) -> float | None:
    """How many times larger a matrix makes all; None where that depends on the direction."""
    across, down = math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d)
    square = abs(matrix.a * matrix.c + matrix.b * matrix.d) < 1e-6 * across * down
    if not square or not math.isclose(across, down, rel_tol=1e-4):
        return None
    return across


def _scaled(style: dict[str, str], by: float) -> Iterator[tuple[str, str]]:
    for name, value in style.items():
        found = numbers(value) if name in _WIDTHS else []
        if found:
            yield name, " ".join(f"{each * by:.8g}" for each in found)
