"""Outlines and paint: how one shape gets onto a cairo context."""

from __future__ import annotations

import math
from typing import Any

from cairosvg.helpers import paint, size
from cairosvg.surface import Surface
from cairosvg.url import parse_url

from cardgen.drawing.cairo import affine, cairo
from cardgen.drawing.inheriting import Document, Node
from cardgen.drawing.markers import Corner, corners, path_runs, straight
from cardgen.drawing.objects import DrawingError
from cardgen.drawing.servers import paint_gradient, paint_pattern
from cardgen.drawing.shapes import UNPAINTED, trace, trace_rect
from cardgen.geometry import Rect
from cardgen.svg.colors import RGBA, parse_color
from cardgen.svg.numbers import numbers, share
from cardgen.svg.outlines import ellipse_outline, path_outline, points_outline
from cardgen.svg.transforms import transform_of
from cardgen.svg.viewports import fit

CAPS = {"round": cairo.LINE_CAP_ROUND, "square": cairo.LINE_CAP_SQUARE}
JOINS = {"round": cairo.LINE_JOIN_ROUND, "bevel": cairo.LINE_JOIN_BEVEL}
MARKERS = ("marker-start", "marker-mid", "marker-end")


class Painter(Surface):  # type: ignore[misc]  # CairoSVG has no types
    """The part of a surface that knows lengths, outlines, fills and strokes."""

    context_width: float
    context_height: float
    font_size: float
    document: Document

    def map_color(self, string: str, opacity: float = 1.0) -> RGBA:
        color = parse_color(string)
        if color is None:
            hint = "write #rrggbb, rgb(…), hsl(…) or a colour name"
            raise DrawingError.of("picture/color", f"'{string}' is not a colour", hint)
        return (*color[:3], color[3] * opacity)

    def apply_transform(self, node: Node) -> None:
        if "transform" not in node:
            return
        context = self.context
        matrix = transform_of(node)
        if abs(matrix.a * matrix.d - matrix.b * matrix.c) < 1e-12:  # nothing left to see
            context.rectangle(0, 0, 0, 0)
            context.clip()
            return
        context.transform(affine(matrix))

    def paints_once(self, node: Node) -> bool:
        """Whether fill and stroke can't overlap, so that opacity needs no group."""
        strokes = node.get("stroke", "none") != "none"
        fills = node.get("fill", "black") != "none" and node.tag != "line"
        return not (strokes and (fills or has_markers(node)))

    def trace_outline(self, node: Node) -> None:
        """Add an element's outline to the current path, its children's too, transforms applied."""
        context, tag = self.context, node.tag
        if tag == "path":
            trace(context, path_outline(node.get("d", "")))
        elif tag in ("polygon", "polyline"):
            trace(context, points_outline(numbers(node.get("points", "")), tag == "polygon"))
        elif tag == "line":
            context.move_to(size(self, node.get("x1"), "x"), size(self, node.get("y1"), "y"))
            context.line_to(size(self, node.get("x2"), "x"), size(self, node.get("y2"), "y"))
        elif tag in ("rect", "image"):
            x, width, rx = (size(self, node.get(name), "x") for name in ("x", "width", "rx"))
            y, height, ry = (size(self, node.get(name), "y") for name in ("y", "height", "ry"))
            trace_rect(context, x, y, width, height, rx or ry, ry or rx)
        elif tag in ("circle", "ellipse"):
            rx = size(self, node.get("r" if tag == "circle" else "rx"), "xy" if tag == "circle" else "x")
            ry = rx if tag == "circle" else size(self, node.get("ry"), "y")
            cx, cy = size(self, node.get("cx"), "x"), size(self, node.get("cy"), "y")
            trace(context, ellipse_outline(cx, cy, rx, ry))
        else:
            self._trace_children(node)

    def _trace_children(self, node: Node) -> None:
        context = self.context
        children = [self.used_element(node)] if node.tag == "use" else node.children
        context.save()
        if node.tag == "use":
            context.translate(size(self, node.get("x"), "x"), size(self, node.get("y"), "y"))
        for child in children:
            if child.tag in UNPAINTED or child.get("display") == "none":
                continue
            context.save()
            self.apply_transform(child)
            self.trace_outline(child)
            context.restore()
        context.restore()

    def bounds(self, node: Node) -> tuple[float, float, float, float]:
        """The element's bounding box without stroke (x, y, width, height) in its own units."""
        context = self.context
        kept = context.copy_path()
        context.new_path()
        self.trace_outline(node)
        left, top, right, bottom = context.path_extents()
        context.new_path()
        context.append_path(kept)
        return left, top, right - left, bottom - top

    def paint_shape(self, node: Node, opacity: float) -> None:
        """Fill and stroke a shape. No path may be current; none is afterwards."""
        context = self.context
        self.trace_outline(node)
        order = ["fill", "stroke", "markers"]
        if "paint-order" in node:
            first = node["paint-order"].split()
            order.sort(key=lambda part: first.index(part) if part in first else len(first))
        for part in order:
            if part == "markers":
                if has_markers(node):
                    context.new_path()
                    self._markers(node)
                    self.trace_outline(node)
                continue
            if part == "fill" and (node.tag == "line" or self._is_hairline(node)):
                continue
            value = node.get(part, "black" if part == "fill" else "none").strip()
            alpha = opacity * min(max(share(node.get(f"{part}-opacity", "1")), 0.0), 1.0)
            if value != "none" and alpha > 0:
                if part == "fill":
                    self._fill(node, value, alpha)
                else:
                    self._stroke(node, value, alpha)
        context.new_path()

    def _is_hairline(self, node: Node) -> bool:
        """Whether a fill has no area and no stroke over it: PDF would show it as a hairline."""
        stroke = node.get("stroke", "none")
        if stroke != "none" and not stroke.startswith("url("):
            return False
        left, top, right, bottom = self.context.path_extents()
        return bool(right - left < 1e-9 or bottom - top < 1e-9)

    def _markers(self, node: Node) -> None:
        """Draw the markers at the corners of an outline."""
        if node.tag == "path":
            runs = path_runs(node.get("d", ""))
        elif node.tag == "line":
            ends = [(size(self, node.get(f"x{i}"), "x"), size(self, node.get(f"y{i}"), "y")) for i in "12"]
            runs = straight(ends, False)
        elif node.tag in ("polygon", "polyline"):
            values = numbers(node.get("points", ""))
            runs = straight(list(zip(values[::2], values[1::2])), node.tag == "polygon")
        else:
            return
        found = list(corners(runs))
        starts, middles, ends_ = map(self._marker, [node] * 3, MARKERS)
        for index, corner in enumerate(found):
            first, last = index == 0, index == len(found) - 1
            for marker, here in ((starts, first), (middles, not first and not last), (ends_, last)):
                if marker is not None and here:
                    self._put_marker(marker, node, corner)

    def _marker(self, node: Node, position: str) -> Node | None:
        name: str = parse_url(node.get(position, "")).fragment
        if name and name not in self.markers:
            raise missing(name, "marker")
        return self.markers[name] if name else None

    def _put_marker(self, marker: Node, node: Node, corner: Corner) -> None:
        """Draw a marker at a corner of the node's outline."""
        context = self.context
        width, height = (size(self, marker.get(f"marker{side}", "3")) for side in ("Width", "Height"))
        unit = 1.0
        if marker.get("markerUnits") != "userSpaceOnUse":
            unit = size(self, node.get("stroke-width", "1"))
        if width <= 0 or height <= 0 or unit <= 0:
            return
        box = Rect(*(numbers(marker.get("viewBox", "")) or [0.0, 0.0, width, height]))
        placed = fit(
            Rect(0, 0, box.width, box.height), Rect(0, 0, width, height), marker.get("preserveAspectRatio")
        )
        sx, sy, dx, dy = placed.a, placed.d, placed.e, placed.f
        turn = marker.get("orient", "0")
        context.save()
        context.translate(*corner.place)
        context.rotate(corner.angle if turn == "auto" else math.radians(share(turn)))
        context.scale(unit * sx, unit * sy)
        context.translate(-size(self, marker.get("refX")), -size(self, marker.get("refY")))
        if marker.get("overflow", "hidden") not in ("visible", "auto"):
            context.rectangle(box.x - dx / sx, box.y - dy / sy, width / sx, height / sy)
            context.clip()
        for child in marker.children:
            self.draw(child)
        context.restore()

    def _fill(self, node: Node, value: str, alpha: float) -> None:
        even = node.get("fill-rule") == "evenodd"
        self.context.set_fill_rule(cairo.FILL_RULE_EVEN_ODD if even else cairo.FILL_RULE_WINDING)
        self._put(node, value, alpha, self.context.fill_preserve)

    def _stroke(self, node: Node, value: str, alpha: float) -> None:
        context = self.context
        width = size(self, node.get("stroke-width", "1"))
        if width <= 0:
            return
        context.set_line_width(width)
        context.set_line_cap(CAPS.get(node.get("stroke-linecap", ""), cairo.LINE_CAP_BUTT))
        context.set_line_join(JOINS.get(node.get("stroke-linejoin", ""), cairo.LINE_JOIN_MITER))
        context.set_miter_limit(share(node.get("stroke-miterlimit", "4")))
        dashes: list[float] = []
        if "stroke-dasharray" in node:
            dashes = [size(self, dash) for dash in node["stroke-dasharray"].replace(",", " ").split()]
        if sum(dashes) > 0:
            context.set_dash(dashes, size(self, node.get("stroke-dashoffset")))
        else:
            context.set_dash([])
        effect = node.get("vector-effect", "none")
        if effect == "none":
            self._put(node, value, alpha, context.stroke_preserve)
        elif effect == "non-scaling-stroke":
            context.save()
            context.set_matrix(self._base_matrix)
            self._put(node, value, alpha, context.stroke_preserve)
            context.restore()
        else:
            raise DrawingError.of("picture/vector-effect", f"vector-effect '{effect}' is not drawn")

    def _put(self, node: Node, value: str, alpha: float, put: Any) -> None:
        """Set the source that a `fill` or `stroke` names and call `put`."""
        context = self.context
        server, plain = paint(value)
        if server is not None and server in self.gradients:
            if paint_gradient(self, node, server, alpha):
                put()
        elif server is not None and server in self.patterns:
            if alpha < 1:
                context.push_group()
            if paint_pattern(self, node, server):
                put()
            if alpha < 1:
                context.pop_group_to_source()
                context.paint_with_alpha(alpha)
        elif server is not None and plain is None:
            raise missing(server, "gradient or pattern")
        elif plain is not None and plain != "none":
            if plain.lower() == "currentcolor":
                plain = node.get("color", "black")
            context.set_source_rgba(*self.map_color(plain, alpha))
            put()

    def set_context_size(self, width: float, height: float, viewbox: Any, tree: Node) -> None:
        super().set_context_size(width, height, viewbox, tree)
        if tree.parent is None:
            self._base_matrix = self.context.get_matrix()

    def used_element(self, node: Node) -> Node:
        """The element that a `<use>` shows, with the properties it inherits from there."""
        href = node.get_href() or ""
        if not href.startswith("#"):
            message = f"<use> refers to '{href}'"
            raise DrawingError.of("picture/reference", message, "use refers to an element of the file: #id")
        tree = self.document.shown(href[1:], node)
        if tree is None:
            raise missing(href[1:], "element")
        if tree.tag == "symbol":
            tree.tag = "svg"
        if tree.tag == "svg":
            tree.update({name: node[name] for name in ("width", "height") if name in node})
        return tree


def has_markers(node: Node) -> bool:
    return any(node.get(name, "none") != "none" for name in MARKERS)


def missing(name: str, what: str) -> DrawingError:
    hint = f'put an element with id="{name}" into <defs>, or correct the name'
    return DrawingError.of("picture/reference", f"there is no {what} '#{name}'", hint)
