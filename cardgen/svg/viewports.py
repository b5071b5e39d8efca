"""Drawings within the drawing: icons, symbols, nested `<svg>` and SVG files, fitted into a box.

They become groups with a transform and a clip, because CairoSVG places nested viewports wrongly
where their proportions differ from the box's.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from cardgen.geometry import Matrix, Rect
from cardgen.svg.limits import FARTHEST, NEAREST, short
from cardgen.svg.numbers import number, numbers
from cardgen.svg.tree import Node
from cardgen.units import MM_PER_INCH, decimal, parse_length

PLACED = frozenset(("x", "y", "width", "height", "viewBox", "preserveAspectRatio", "overflow"))
"""Attributes that say where a viewport is and how it is filled; the rest is the group's."""

ASPECT = re.compile(r"none(?: +(?:meet|slice))?|x(Min|Mid|Max)Y(Min|Mid|Max)(?: +(?:meet|slice))?")
_PX_PER_INCH = 96.0
"""A drawing's own units, where a size is in others (CSS Values 4 §6.2)."""
_PART = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
_RELATIVE = ("x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "stroke-width")


class ViewportError(ValueError):
    """A viewport without a size in numbers, or filled in no known way. The text is a sentence for the
    designer."""


def box_of(attrs: Mapping[str, str]) -> Rect:
    """x, y, width and height of an element. Raises ViewportError."""
    x, y = (_length(attrs.get(name, "0")) for name in ("x", "y"))
    try:
        width, height = (_length(attrs[name]) for name in ("width", "height"))
    except KeyError as error:
        raise ViewportError(f"it has no {error.args[0]}") from None
    return Rect(x, y, width, height)


def _length(text: str) -> float:
    value = number(text.strip().removesuffix("px"))
    if value is None or abs(value) > FARTHEST:
        raise ViewportError("its place and size are not plain numbers")
    return value


def view_box_of(text: str | None) -> Rect | None:
    """A viewBox; None where there is none. Raises ViewportError."""
    if text is None:
        return None
    found = numbers(text)
    if len(found) != 4 or min(found[2:]) < NEAREST or max(map(abs, found)) > FARTHEST:
        raise ViewportError(f"its viewBox is '{short(text)}'")
    return Rect(*found)


def own_box(root: Node) -> Rect | None:
    """The box of a drawing that stands by itself: its viewBox or, without one, its width and height in
    its own units; None where it says neither. Raises ViewportError."""
    if root.get("viewBox") is not None:
        return view_box_of(root.get("viewBox"))
    sizes: list[float] = []
    for name in ("width", "height"):
        text = (root.get(name) or "").strip()
        size = number(text.removesuffix("px"))
        try:
            size = parse_length(text) / MM_PER_INCH * _PX_PER_INCH if size is None else size
        except ValueError:
            return None
        if not NEAREST <= size <= FARTHEST:
            raise ViewportError(f"its {name} is '{short(text)}'")
        sizes.append(size)
    return Rect(0.0, 0.0, *sizes)


def fit(view: Rect | None, box: Rect, aspect: str | None) -> Matrix:
    """The map from the view box's coordinates to those around the box, as a preserveAspectRatio says
    (SVG 1.1 §7.8). Raises ViewportError for one that there is not."""
    if view is None:
        return Matrix(e=box.x, f=box.y)
    across, down = box.width / view.width, box.height / view.height
    match = ASPECT.fullmatch((aspect or "").strip() or "xMidYMid")
    if match is None:
        raise ViewportError(f"its preserveAspectRatio is '{short(aspect or '')}'")
    if match[1] is not None:
        across = down = max(across, down) if "slice" in match[0] else min(across, down)
    left, top = _PART[match[1] or "Min"], _PART[match[2] or "Min"]
    return Matrix(
        across,
        0.0,
        0.0,
        down,
        box.x + (box.width - view.width * across) * left - view.x * across,
        box.y + (box.height - view.height * down) * top - view.y * down,
    )


def transform(matrix: Matrix) -> str:
    """The matrix (without turning) as a `transform`."""
    place = f"translate({decimal(matrix.e, 4)} {decimal(matrix.f, 4)})"
    if matrix.a == matrix.d:
        return place if matrix.a == 1 else f"{place} scale({decimal(matrix.a, 6)})"
    return f"{place} scale({decimal(matrix.a, 6)} {decimal(matrix.d, 6)})"


def fitted(content: str, view: Rect | None, box: Rect, aspect: str | None, *, clipped: bool) -> str:
    """Markup of `content` in its box."""
    inner = f'<g transform="{transform(fit(view, box, aspect))}">{content}</g>'
    if not clipped:
        return inner
    x, y, width, height = (decimal(value, 4) for value in (box.x, box.y, box.width, box.height))
    id = "clip-" + hashlib.blake2b(f"{x} {y} {width} {height}".encode(), digest_size=6).hexdigest()
    rect = f'<rect x="{x}" y="{y}" width="{width}" height="{height}"/>'
    return f'<defs><clipPath id="{id}">{rect}</clipPath></defs><g clip-path="url(#{id})">{inner}</g>'


def relative(node: Node) -> str | None:
    """An attribute below the element that is a percentage, which would count from the wrong box."""
    for child in node.iter():
        if child is not node and child.name not in ("linearGradient", "radialGradient", "pattern", "stop"):
            for name in _RELATIVE:
                if child.attrs.get(name, "").endswith("%"):
                    return f'{name}="{short(child.attrs[name])}" on <{child.name}>'
    return None
