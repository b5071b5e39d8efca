"""Pictures and icons through cairo: every one a page of a single PDF, then a form each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pikepdf

from cardgen.pdf.cairo import affine, cairo  # isort: skip  # before CairoSVG: it loads cairo

from cairosvg.helpers import node_format, paint, size
from cairosvg.surface import Surface, parse_all_defs
from cairosvg.url import parse_url

from cardgen.core.findings import Finding
from cardgen.core.geometry import MM_PER_PT, Rect
from cardgen.core.progress import counted
from cardgen.pdf.forms import PageForm, Target, lay_tiles, page_forms, without_repeats
from cardgen.pdf.images import ImageLibrary
from cardgen.pdf.objects import DrawingError
from cardgen.pdf.shapes import (
    NONE,
    SHAPES,
    UNPAINTED,
    Corner,
    Document,
    Drawable,
    Node,
    corners,
    grown,
    parse,
    path_runs,
    straight,
    trace,
    trace_rect,
    turns_right,
)
from cardgen.svg.outlines import (
    ellipse_outline,
    fit,
    parse_transform,
    path_outline,
    points_outline,
    transform_of,
)
from cardgen.svg.style import RGBA, parse_color
from cardgen.svg.tree import SvgError, numbers, share


def draw_pictures(drawables: Sequence[Drawable]) -> dict[str, PageForm]:
    """The form of every drawable, by its key. DrawingError with everything that is wrong."""
    library = ImageLibrary(image for drawable in drawables for image in drawable.images)
    file = BytesIO()
    pages = cairo.PDFSurface(file, 1, 1)
    pages.restrict_to_version(cairo.PDF_VERSION_1_4)  # later versions of cairo would pack objects
    problems: list[tuple[str, Finding]] = []
    targets: list[Target] = []
    for drawable in counted("drawing pictures", drawables):
        try:
            surface = PictureSurface(parse(drawable.svg), pages, library)
            surface.finish()
            targets.append(_target(surface.width, surface.height, drawable.unit))
            continue
        except DrawingError as error:
            found = tuple(_named(finding, drawable.label) for finding in error.findings)
        except RecursionError:
            found = DrawingError.of("picture/depth", f"{drawable.label}: nested too deeply").findings
        except (SvgError, ValueError) as error:
            found = DrawingError.of("picture/svg", f"{drawable.label}: {error}").findings
        except (ArithmeticError, AttributeError, LookupError, TypeError, cairo.CairoError):
            # CairoSVG's way of saying that a value is not what it hoped for
            what = (
                f"{drawable.label} cannot be drawn: a value in it is not what the drawing program expects"
            )
            found = DrawingError.of("picture/svg", what).findings
        problems += [(drawable.name, finding) for finding in found]
    if problems:
        raise DrawingError.of_pictures(problems)
    pages.finish()
    forms = page_forms(_without_patterns(file.getvalue()), targets, library)
    return {drawable.key: form for drawable, form in zip(drawables, forms)}


def _without_patterns(data: bytes) -> bytes:
    """The PDF with the tiles of its patterns put one by one."""
    if b"/PatternType 1" not in data:
        return data
    with pikepdf.open(BytesIO(without_repeats(data))) as pdf:
        lay_tiles(pdf)
        out = BytesIO()
        pdf.save(out, static_id=True)
    return out.getvalue()


def _target(width: float, height: float, unit: bool) -> Target:
    if unit:
        return Target(width, height, 1.0, 1.0)
    return Target(width, height, width * MM_PER_PT, height * MM_PER_PT)


def _named(finding: Finding, label: str) -> Finding:
    if finding.location is not None:
        return finding
    return Finding(finding.severity, finding.code, f"{label}: {finding.message}", None, finding.hint)


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
