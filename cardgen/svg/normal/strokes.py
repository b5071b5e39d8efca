"""Strokes that keep their width whatever the transforms around them (SVG 2, 8.13): by its inverse."""

from __future__ import annotations

import math
from collections.abc import Iterator

from cardgen.findings import Problem
from cardgen.geometry import IDENTITY, Matrix
from cardgen.svg.normal.rebuilding import remade
from cardgen.svg.numbers import numbers
from cardgen.svg.transforms import transform_of
from cardgen.svg.tree import Node
from cardgen.svg.viewports import ViewportError, box_of, fit, view_box_of

_KEPT = "non-scaling-stroke"
_WIDTHS = ("stroke-width", "stroke-dasharray", "stroke-dashoffset")


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
    style = {**style, **{name: node.attrs[name] for name in _WIDTHS if name in node.attrs}}
    children = [
        _kept(child, here, style, problems) if isinstance(child, Node) else child for child in node.children
    ]
    attrs = node.attrs
    if attrs.get("vector-effect") == _KEPT:
        scale = _scale(here)
        if scale is None:
            message = "a stroke that keeps its width (vector-effect) is not drawn on what is stretched"
            problems.append(
                Problem("svg/vector-effect", message, "draw it without such a transform", offset=node.start)
            )
        else:
            attrs = {name: value for name, value in attrs.items() if name != "vector-effect"}
            attrs |= dict(_scaled({"stroke-width": "1", **style}, 1 / scale))
    return remade(node, attrs=attrs, children=children)


def _scale(matrix: Matrix) -> float | None:
    """How many times larger a matrix makes all; None where that depends on the direction."""
    across, down = math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d)
    square = abs(matrix.a * matrix.c + matrix.b * matrix.d) < 1e-6 * across * down
    if not square or not math.isclose(across, down, rel_tol=1e-4):
        return None
    return across


def _scaled(style: dict[str, str], by: float) -> Iterator[tuple[str, str]]:
    for name, value in style.items():
        found = numbers(value)
        if found:
            yield name, " ".join(f"{each * by:.8g}" for each in found)
