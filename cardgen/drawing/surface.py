"""One picture on a page of a cairo PDF: our own tree and painting on CairoSVG's surface.

From CairoSVG come lengths, the page and its view box. Its drawing loses clip rules, blend modes, opacity
of `<use>`, the second use of a pattern and more, so `PictureSurface.draw` replaces it.
What we don't draw (masks, filters, text, …) raises `DrawingError`; nothing is left out in silence.
"""

from __future__ import annotations

import math
from typing import Any

from cairosvg.helpers import node_format, size
from cairosvg.surface import parse_all_defs
from cairosvg.url import parse_url

from cardgen.drawing.cairo import affine, cairo
from cardgen.drawing.images import ImageLibrary
from cardgen.drawing.inheriting import Document, Node
from cardgen.drawing.objects import DrawingError
from cardgen.drawing.painter import Painter, missing
from cardgen.drawing.shapes import NONE, SHAPES, UNPAINTED, turns_right
from cardgen.geometry import Rect
from cardgen.svg.numbers import share
from cardgen.svg.viewports import fit

BLENDS = {
    name: getattr(cairo, "OPERATOR_" + name.replace("-", "_").upper())
    for name in (
        *("multiply", "screen", "overlay", "darken", "lighten", "color-dodge", "color-burn"),
        *("hard-light", "soft-light", "difference", "exclusion"),
    )
} | {
    "hue": cairo.OPERATOR_HSL_HUE,
    "saturation": cairo.OPERATOR_HSL_SATURATION,
    "color": cairo.OPERATOR_HSL_COLOR,
    "luminosity": cairo.OPERATOR_HSL_LUMINOSITY,
}
CONTAINERS = frozenset(("g", "svg"))
TEXT = frozenset(("text", "tspan", "textPath", "tref"))
REFUSED = {
    "mask": "masks are not drawn; use a clipPath, a gradient with stop-opacity or a PNG with alpha",
    "filter": "filters are not drawn; put the effect into a PNG",
}
_INVOLVED = frozenset(
    ("display", "transform", "clip-path", "font-size", "mix-blend-mode", "isolation", *REFUSED)
)  # a shape without any of these can be painted right away


class PictureSurface(Painter):
    """Draws a tree on the next page of `pages`; call `finish` to end that page.

    `width` and `height` are the picture's size in points; the page is a little larger, as cairo 1.16
    cuts transparent gradients off at the page's size rounded down.
    """

    def __init__(self, document: Document, pages: Any, library: ImageLibrary) -> None:
        self.document = document
        self._library = library
        self._uses: list[str] = []
        super().__init__(document.root, pages, dpi=72)

    def _create_surface(self, width: float, height: float) -> tuple[Any, float, float]:
        self.output.set_size(math.ceil(width) + 1, math.ceil(height) + 1)
        return self.output, width, height

    def finish(self) -> None:
        self.output.show_page()

    def draw(self, node: Node) -> None:
        """Draw an element and what is in it, in the current coordinate system."""
        tag: str = node.tag
        if tag in SHAPES and _INVOLVED.isdisjoint(node):
            opacity = share(node.get("opacity", "1"))
            if opacity >= 1 or self.paints_once(node):
                if node.get("visibility", "visible") == "visible":
                    self.paint_shape(node, min(max(opacity, 0.0), 1.0))
                return
        if tag in UNPAINTED or ":" in tag or node.get("display") == "none":
            return
        if tag in TEXT:
            raise DrawingError.of(
                "picture/text",
                f"<{tag}> stands inside artwork that is drawn as a picture",
                "text must not be within <defs>, <symbol>, <pattern> or <clipPath>",
            )
        if tag not in SHAPES and tag not in CONTAINERS and tag not in ("use", "image"):
            raise DrawingError.of(
                "picture/element", f"<{tag}> is not drawn", "use shapes, paths and images"
            )
        for name, hint in REFUSED.items():
            if node.get(name, "none") not in NONE:
                raise DrawingError.of(f"picture/{name}", f"<{tag}> has a {name}", hint)
        if tag == "svg" and node.parent is None:
            parse_all_defs(self, node)
        context = self.context
        viewport, font_size = (self.context_width, self.context_height), self.font_size
        if "font-size" in node:
            self.font_size = size(self, node["font-size"])
        context.save()
        self.apply_transform(node)
        self._composite(node)
        context.restore()
        self.font_size = font_size
        self.context_width, self.context_height = viewport

    def _composite(self, node: Node) -> None:
        """Draw the element under its clip, opacity and blend mode."""
        context = self.context
        opacity = min(max(share(node.get("opacity", "1")), 0.0), 1.0)
        blend = node.get("mix-blend-mode", "normal")
        if blend != "normal" and blend not in BLENDS:
            raise DrawingError.of("picture/blend", f"'{blend}' is not a blend mode we draw")
        clip = parse_url(node.get("clip-path")).fragment if node.get("clip-path", "none") != "none" else ""
        if node.get("clip-path", "none") != "none" and not clip:
            message = f"clip-path '{node['clip-path']}' is not drawn"
            raise DrawingError.of("picture/clip", message, "refer to a <clipPath>: url(#id)")
        soft = self._clip(node, clip) if clip else None
        leaf = node.tag == "image" or (node.tag in SHAPES and self.paints_once(node))
        grouped = (
            soft is not None
            or blend != "normal"
            or node.get("isolation") == "isolate"
            or (opacity < 1 and not leaf)
        )
        if not grouped:
            self._content(node, opacity)
            return
        context.push_group()
        self._content(node, 1.0)
        context.pop_group_to_source()
        if blend != "normal":
            context.set_operator(BLENDS[blend])
        if soft is not None:
            if opacity < 1:
                context.push_group()
                context.set_source(soft)
                context.paint_with_alpha(opacity)
                soft = context.pop_group()
            context.mask(soft)
        else:
            context.paint_with_alpha(opacity)

    def _content(self, node: Node, opacity: float) -> None:
        context, tag = self.context, node.tag
        if tag in SHAPES:
            if node.get("visibility", "visible") == "visible":
                self.paint_shape(node, opacity)
        elif tag == "image":
            if node.get("visibility", "visible") == "visible":
                self._image(node, opacity)
        elif tag == "use":
            self._use(node)
        else:
            if tag == "svg" and node.parent is not None:
                width, height, viewbox = node_format(self, node)
                if not width or not height:
                    return
                context.move_to(size(self, node.get("x"), "x"), size(self, node.get("y"), "y"))
                self.set_context_size(width, height, viewbox, node)
                context.new_path()
            for child in node.children:
                self.draw(child)

    def _use(self, node: Node) -> None:
        href = node.get_href() or ""
        if href in self._uses:
            raise DrawingError.of("picture/reference", f"<use> of '{href}' contains itself")
        tree = self.used_element(node)
        self.context.translate(size(self, node.get("x"), "x"), size(self, node.get("y"), "y"))
        self._uses.append(href)
        self.draw(tree)
        self._uses.pop()

    def _image(self, node: Node, opacity: float) -> None:
        context = self.context
        image = self._library.find(node.get_href() or "")
        context.save()
        sx, sy = self._enter_box(node, image.width, image.height)
        context.scale(image.width * sx, image.height * sy)
        context.transform(affine(image.turn))
        smooth = node.get("image-rendering") not in ("pixelated", "crisp-edges", "optimizeSpeed")
        context.set_source_surface(image.stand_in())
        context.get_source().set_filter(cairo.FILTER_GOOD if smooth else cairo.FILTER_NEAREST)
        context.paint_with_alpha(opacity)
        context.restore()

    def _enter_box(self, node: Node, inner_width: float, inner_height: float) -> tuple[float, float]:
        """Go to where an image starts within its element's box, and answer the scales that fit it."""
        width, height = size(self, node.get("width"), "x"), size(self, node.get("height"), "y")
        width = width or (height * inner_width / inner_height if height else inner_width)
        height = height or width * inner_height / inner_width
        x, y = size(self, node.get("x"), "x"), size(self, node.get("y"), "y")
        rule = node.get("preserveAspectRatio")
        placed = fit(Rect(0, 0, inner_width, inner_height), Rect(x, y, width, height), rule)
        if "slice" in (rule or ""):
            self.context.rectangle(x, y, width, height)
            self.context.clip()
        self.context.translate(placed.e, placed.f)
        return placed.a, placed.d

    def _clip(self, node: Node, name: str) -> Any:
        """Clip to a `<clipPath>`. One shape, or several that can't cancel out, become a hard clip; for
        others the result is a pattern to mask with."""
        clip = self.paths.get(name)
        if clip is None or clip.tag != "clipPath":
            raise missing(name, "clipPath")
        inner = parse_url(clip.get("clip-path")).fragment
        outer = self._clip(node, inner) if inner and inner != name else None
        shown = [child for child in clip.children if child.get("display") != "none"]
        for child in shown:
            if child.tag not in SHAPES and child.tag != "use":
                message = f"<{child.tag}> stands inside a <clipPath>"
                raise DrawingError.of("picture/clip", message, "clip with shapes and paths")
        simple = len(shown) < 2 or all(map(turns_right, shown))
        if outer is None and simple and not any("clip-path" in child for child in shown):
            self._hard_clip(node, clip, shown)
            return None
        return self._soft_clip(node, clip, shown, outer)

    def _hard_clip(self, node: Node, clip: Node, shown: list[Node]) -> None:
        context = self.context
        before = context.get_matrix()
        self._enter_clip(node, clip)
        context.new_path()
        for child in shown:
            context.save()
            self.apply_transform(child)
            self.trace_outline(child)
            context.restore()
        even = len(shown) == 1 and shown[0].get("clip-rule") == "evenodd"
        context.set_fill_rule(cairo.FILL_RULE_EVEN_ODD if even else cairo.FILL_RULE_WINDING)
        context.set_matrix(before)
        context.clip()

    def _soft_clip(self, node: Node, clip: Node, shown: list[Node], outer: Any) -> Any:
        context = self.context
        context.push_group()
        self._enter_clip(node, clip)
        for child in shown:
            child.update({"fill": "black", "stroke": "none", "opacity": "1"})
            child["fill-rule"] = child.get("clip-rule", "nonzero")
            self.draw(child)
        mask = context.pop_group()
        if outer is None:
            return mask
        context.push_group()
        context.set_source(mask)
        context.mask(outer)
        return context.pop_group()

    def _enter_clip(self, node: Node, clip: Node) -> None:
        """Go to the coordinate system that a clipPath's shapes are in."""
        if clip.get("clipPathUnits") == "objectBoundingBox":
            x, y, width, height = self.bounds(node)
            self.context.translate(x, y)
            self.context.scale(width or 1e-9, height or 1e-9)
        self.apply_transform(clip)
