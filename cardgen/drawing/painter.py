"""Outlines and paint: how one shape gets onto a cairo context."""

from __future__ import annotations

from typing import Any

from cairosvg import path as cairosvg_path
from cairosvg import shapes
from cairosvg.helpers import paint, size
from cairosvg.parser import Tree
from cairosvg.surface import Surface
from cairosvg.url import parse_url

from cardgen.drawing.cairo import cairo
from cardgen.drawing.objects import DrawingError
from cardgen.drawing.servers import paint_gradient, paint_pattern
from cardgen.drawing.svgpath import trace, trace_ellipse, trace_points, trace_rect
from cardgen.drawing.svgvalues import RGBA, color, number, numbers, transforms

CAPS = {"round": cairo.LINE_CAP_ROUND, "square": cairo.LINE_CAP_SQUARE}
JOINS = {"round": cairo.LINE_JOIN_ROUND, "bevel": cairo.LINE_JOIN_BEVEL}
SHAPES = frozenset(("circle", "ellipse", "line", "path", "polygon", "polyline", "rect"))
UNPAINTED = frozenset(
    (
        *("defs", "symbol", "clipPath", "linearGradient", "radialGradient", "pattern", "marker"),
        *("mask", "filter", "style", "title", "desc", "metadata", "script", "view"),
    )
)
MARKERS = ("marker", "marker-start", "marker-mid", "marker-end")

Node = Any  # CairoSVG has no types


class Painter(Surface):  # type: ignore[misc]  # CairoSVG has no types
    """The part of a surface that knows lengths, outlines, fills and strokes."""

    context_width: float
    context_height: float
    font_size: float
    parent_node: Node

    def map_color(self, string: str, opacity: float = 1.0) -> RGBA:
        red, green, blue, alpha = color(string)
        return (red, green, blue, alpha * opacity)

    def apply_transform(self, node: Node) -> None:
        text = node.get("transform")
        if not text or text == "none":
            return
        context = self.context
        x, y = self._origin(node)
        context.translate(x, y)
        for values in transforms(text):
            matrix = cairo.Matrix(*values)
            if abs(values[0] * values[3] - values[1] * values[2]) < 1e-12:  # nothing left to see
                context.rectangle(0, 0, 0, 0)
                context.clip()
                return
            context.transform(matrix)
        context.translate(-x, -y)

    def _origin(self, node: Node) -> tuple[float, float]:
        words = node.get("transform-origin", "").split()
        if not words:
            return 0.0, 0.0
        if node.get("transform-box", "view-box") != "view-box":
            raise DrawingError.of(
                "picture/transform", "transform-box is not drawn", "give the origin in mm"
            )
        shares = {"left": "0%", "top": "0%", "center": "50%", "right": "100%", "bottom": "100%"}
        if words[0] in ("top", "bottom") or (len(words) > 1 and words[1] in ("left", "right")):
            words = [*words[1:2], words[0]] if len(words) > 1 else ["center", words[0]]
        across, down = (shares.get(word, word) for word in [*words, "center"][:2])
        return size(self, across, "x"), size(self, down, "y")

    def paints_once(self, node: Node) -> bool:
        """Whether fill and stroke can't overlap, so that opacity needs no group."""
        strokes = node.get("stroke", "none") != "none"
        fills = node.get("fill", "black") != "none" and node.tag != "line"
        return not (strokes and (fills or has_markers(node)))

    def trace_outline(self, node: Node) -> None:
        """Add an element's outline to the current path, its children's too, transforms applied."""
        context, tag = self.context, node.tag
        if tag in ("path", "line", "polygon", "polyline") and has_markers(node):
            # these leave the vertices that markers stand on
            (cairosvg_path.path if tag == "path" else getattr(shapes, tag))(self, node)
        elif tag == "path":
            trace(context, node.get("d", ""))
        elif tag in ("polygon", "polyline"):
            trace_points(context, numbers(node.get("points", "")), tag == "polygon")
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
            trace_ellipse(context, cx, cy, rx, ry)
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
        order = ["fill", "stroke"]
        if "paint-order" in node:
            first = node["paint-order"].split()
            order.sort(key=lambda part: first.index(part) if part in first else len(first))
        if node.tag == "line":
            order.remove("fill")
        for part in order:
            value = node.get(part, "black" if part == "fill" else "none").strip()
            alpha = opacity * min(max(number(node.get(f"{part}-opacity", 1)), 0.0), 1.0)
            if value != "none" and alpha > 0:
                if part == "fill":
                    self._fill(node, value, alpha)
                else:
                    self._stroke(node, value, alpha)
        context.new_path()
        if getattr(node, "vertices", None):
            for name in MARKERS:
                marker = parse_url(node.get(name)).fragment
                if marker and marker not in self.markers:
                    raise missing(marker, "marker")
            cairosvg_path.draw_markers(self, node)
            context.new_path()

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
        context.set_line_cap(CAPS.get(node.get("stroke-linecap"), cairo.LINE_CAP_BUTT))
        context.set_line_join(JOINS.get(node.get("stroke-linejoin"), cairo.LINE_JOIN_MITER))
        context.set_miter_limit(number(node.get("stroke-miterlimit", 4)))
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
        try:
            tree = Tree(
                url=href,
                url_fetcher=node.url_fetcher,
                parent=node,
                tree_cache=self.tree_cache,
                unsafe=False,
            )
        except TypeError:
            raise missing(href[1:], "element") from None
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
