"""What both painters of pictures go by, the plain one and cairo's: which elements are shapes, which paint
nothing by themselves, and outlines on a cairo context."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardgen.drawing.inheriting import Node
from cardgen.svg.outlines import Segment, rect_outline

SHAPES = frozenset(("circle", "ellipse", "line", "path", "polygon", "polyline", "rect"))
UNPAINTED = frozenset(
    (
        *("defs", "symbol", "clipPath", "linearGradient", "radialGradient", "pattern", "marker"),
        *("mask", "filter", "stop", "style", "title", "desc", "metadata", "script", "view"),
    )
)
NONE = frozenset(("none", "normal", "auto", "0", ""))
"""Values of masks, filters and markers that are none."""


def turns_right(child: Node) -> bool:
    """Whether the outline runs clockwise for sure, so that overlaps add up."""
    return child.tag in ("rect", "circle", "ellipse") and "transform" not in child


def trace(context: Any, outline: Iterable[Segment]) -> None:
    """Add an outline to the context's current path, in user units."""
    for kind, v in outline:
        match kind:
            case "M":
                context.move_to(*v)
            case "L":
                context.line_to(*v)
            case "C":
                context.curve_to(*v)
            case "Z":
                context.close_path()


def trace_rect(context: Any, x: float, y: float, width: float, height: float, rx: float, ry: float) -> None:
    """A rectangle, its corners rounded by quarter ellipses; nothing if it has no area. One without such
    corners is a rectangle for cairo, too."""
    if width > 0 and height > 0 and min(rx, ry) <= 0:
        context.rectangle(x, y, width, height)
    else:
        trace(context, rect_outline(x, y, width, height, rx, ry))
