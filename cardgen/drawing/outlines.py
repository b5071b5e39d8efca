"""Outlines of elements as they are drawn, and written for PDF."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.drawing.inheriting import Node
from cardgen.geometry import Rect
from cardgen.svg.numbers import number, numbers, share
from cardgen.svg.outlines import Segment, ellipse_outline, path_outline, points_outline, rect_outline
from cardgen.units import decimal

_LETTERS = {"M": "m", "L": "l", "C": "c"}


class UnplainError(Exception):
    """Something that is not painted as plain operators."""


def written(outline: Sequence[Segment], places: int) -> str:
    """PDF path operators, numbers with so many places. An upright rectangle is written as one, which some
    readers draw sharper."""
    if len(outline) == 5 and [kind for kind, _ in outline] == ["M", "L", "L", "L", "Z"]:
        (x1, y1), (x2, y2), (x3, y3), (x4, y4) = (v for _, v in outline[:4])
        if y1 == y2 and x2 == x3 and y3 == y4 and x4 == x1:
            return " ".join([decimal(value, places) for value in (x1, y1, x2 - x1, y3 - y2)]) + " re"
    return " ".join(
        [
            f"{' '.join([decimal(value, places) for value in v])} {_LETTERS[kind]}" if v else "h"
            for kind, v in outline
        ]
    )


def shape_outline(node: Node) -> list[Segment]:
    """The outline of a shape in its own units."""
    tag = node.tag
    if tag == "path":
        return path_outline(node.get("d", ""))
    if tag in ("polygon", "polyline"):
        return points_outline(numbers(node.get("points", "")), tag == "polygon")
    if tag == "line":
        return points_outline([length_of(node, name) for name in ("x1", "y1", "x2", "y2")], False)
    if tag == "rect":
        x, y, width, height, rx, ry = (
            length_of(node, name) for name in ("x", "y", "width", "height", "rx", "ry")
        )
        return rect_outline(x, y, width, height, rx or ry, ry or rx)
    if tag == "circle":
        return ellipse_outline(length_of(node, "cx"), length_of(node, "cy"), *[length_of(node, "r")] * 2)
    return ellipse_outline(*(length_of(node, name) for name in ("cx", "cy", "rx", "ry")))


def corners_of(box: Rect) -> tuple[float, ...]:
    return (box.x, box.y, box.right, box.y, box.right, box.bottom, box.x, box.bottom)


def share_of(node: Node, name: str, own_units: bool) -> float:
    """A pattern's length in its own units or as a share of a box."""
    text = node.get(name, "0").strip()
    if not own_units and text.endswith("%"):
        return share(text)
    return number_of(text)


def length_of(node: Node, name: str, default: str = "0") -> float:
    text = node.get(name)
    return number_of(default if text is None else text)


def number_of(text: str) -> float:
    value = number(text.strip().removesuffix("px"))
    if value is None:
        raise UnplainError
    return value
