"""Gradients and patterns as cairo sources."""

from __future__ import annotations

from typing import Any

from cairosvg.helpers import size
from cairosvg.url import parse_url

from cardgen.drawing.cairo import affine, cairo
from cardgen.drawing.inheriting import Node, grown
from cardgen.geometry import Rect
from cardgen.svg.numbers import numbers, share
from cardgen.svg.transforms import parse_transform
from cardgen.svg.viewports import fit

SPREADS = {"pad": cairo.EXTEND_PAD, "reflect": cairo.EXTEND_REFLECT, "repeat": cairo.EXTEND_REPEAT}
TILE = 1024
"""Units that a pattern's tile is recorded in. cairo's PDF rounds a tile's size to whole units."""

_THIN = 1e-9
"""A box less wide or high than this has no area."""


def whole(servers: dict[str, Node], name: str) -> Node:
    """A gradient or pattern with what it takes over from those that its `href` names, worked out once.
    What refers to itself takes over nothing."""
    chain: list[str] = []
    while name in servers and name not in chain:
        chain.append(name)
        name = parse_url(servers[name].get_href()).fragment
    above: Node | None = None
    for name in reversed(chain):
        server = servers[name]
        if above is not None:
            if not server.children:
                server.children = [grown(child.element, server) for child in above.children]
            for key, value in above.items():
                server.setdefault(key, value)
        for key in ("href", "xlink:href"):
            server.pop(key, None)
        above = server
    return servers[chain[0]]


def paint_gradient(surface: Any, node: Node, name: str, alpha: float) -> bool:
    """Make the gradient the source; False where SVG says that nothing is painted (empty box)."""
    gradient = whole(surface.gradients, name)
    own_units = gradient.get("gradientUnits") == "userSpaceOnUse"
    across, down, both = ("x", "y", "xy") if own_units else (1, 1, 1)

    def length(attribute: str, default: str, reference: Any) -> float:
        return float(size(surface, gradient.get(attribute, default), reference))

    if gradient.tag == "linearGradient":
        pattern = cairo.LinearGradient(
            length("x1", "0%", across),
            length("y1", "0%", down),
            length("x2", "100%", across),
            length("y2", "0%", down),
        )
    else:
        cx, cy, r = length("cx", "50%", across), length("cy", "50%", down), length("r", "50%", both)
        fx, fy = length("fx", str(cx), across), length("fy", str(cy), down)
        pattern = cairo.RadialGradient(fx, fy, length("fr", "0", both), cx, cy, r)
    matrix = cairo.Matrix()  # gradient space to user space
    if not own_units:
        x, y, width, height = surface.bounds(node)
        if width < _THIN or height < _THIN:
            return False
        matrix = cairo.Matrix(width, 0, 0, height, x, y)
    matrix = affine(parse_transform(gradient.get("gradientTransform"))).multiply(matrix)
    matrix.invert()
    pattern.set_matrix(matrix)
    offset = 0.0
    for stop in gradient.children:
        if stop.tag != "stop":
            continue
        offset = min(max(offset, size(surface, stop.get("offset"), 1)), 1.0)
        opacity = share(stop.get("stop-opacity", "1")) * alpha
        pattern.add_color_stop_rgba(offset, *surface.map_color(stop.get("stop-color", "black"), opacity))
    pattern.set_extend(SPREADS.get(gradient.get("spreadMethod", "pad"), cairo.EXTEND_PAD))
    surface.context.set_source(pattern)
    return True


def paint_pattern(surface: Any, node: Node, name: str) -> bool:
    """Make the pattern the source; False for a tile without area. The tile stays vector art."""
    tile = whole(surface.patterns, name)
    box = surface.bounds(node)
    own_units = tile.get("patternUnits") == "userSpaceOnUse"
    across, down = ("x", "y") if own_units else (1, 1)
    x, width = (float(size(surface, tile.get(key, "0"), across)) for key in ("x", "width"))
    y, height = (float(size(surface, tile.get(key, "0"), down)) for key in ("y", "height"))
    if not own_units:
        x, width = box[0] + x * box[2], width * box[2]
        y, height = box[1] + y * box[3], height * box[3]
    if width < _THIN or height < _THIN:
        return False
    recording = cairo.RecordingSurface(cairo.CONTENT_COLOR_ALPHA, (0, 0, TILE, TILE))
    context = cairo.Context(recording)
    context.scale(TILE / width, TILE / height)
    inner = numbers(tile.get("viewBox", ""))
    if len(inner) == 4 and inner[2] > 0 and inner[3] > 0:
        view, box_ = Rect(*inner), Rect(0, 0, width, height)
        context.transform(affine(fit(view, box_, tile.get("preserveAspectRatio"))))
    elif tile.get("patternContentUnits") == "objectBoundingBox":
        context.scale(box[2], box[3])
    outer, surface.context = surface.context, context
    try:
        for child in tile.children:
            surface.draw(child)
    finally:
        surface.context = outer
    matrix = cairo.Matrix(width / TILE, 0, 0, height / TILE, x, y)  # tile to user space
    matrix = matrix.multiply(affine(parse_transform(tile.get("patternTransform"))))
    matrix.invert()
    pattern = cairo.SurfacePattern(recording)
    pattern.set_extend(cairo.EXTEND_REPEAT)
    pattern.set_matrix(matrix)
    outer.set_source(pattern)
    return True
