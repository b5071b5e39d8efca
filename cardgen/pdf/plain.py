"""Pictures of plain shapes straight to PDF operators, without another program.

Shapes and images in groups, in colors, gradients and patterns, clipped by outlines: that is what most
drawings come to. A picture with anything else in it is drawn by CairoSVG or Typst.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from cardgen.core.artwork import Color
from cardgen.core.geometry import IDENTITY, Matrix, Rect, decimal, parse_length
from cardgen.pdf.fonts import color_operator
from cardgen.pdf.images import ImageLibrary, PlacedImages
from cardgen.pdf.objects import Content, DrawingError, PdfObject, reference
from cardgen.pdf.shapes import (
    NONE,
    SHAPES,
    UNPAINTED,
    Document,
    Drawable,
    Node,
    UnplainError,
    corners_of,
    length_of,
    number_of,
    parse,
    shape_outline,
    share_of,
    turns_right,
    written,
    written_ellipse,
)
from cardgen.svg.outlines import (
    Outline,
    extents,
    fit,
    joined,
    moved,
    parse_transform,
    points_outline,
    transform_of,
)
from cardgen.svg.style import parse_color
from cardgen.svg.tree import MOST_TILES, SvgError, numbers, share

_SERVERS = ("linearGradient", "radialGradient", "pattern", "clipPath")
_TEXTS = ("title", "desc", "metadata")
_FEW = 4
"""Parts of an outline that are looked at for whether it has an area: PDF fills such as a hairline."""
_FEW_SHAPES = 100
"""Elements of a tile that are looked at each by itself."""
_REFUSED = ("mask", "filter", "marker-start", "marker-mid", "marker-end", "vector-effect")
_BLENDS = {
    name: "".join(part.capitalize() for part in name.split("-"))
    for name in (
        *("multiply", "screen", "overlay", "darken", "lighten", "color-dodge", "color-burn"),
        *(
            "hard-light",
            "soft-light",
            "difference",
            "exclusion",
            "hue",
            "saturation",
            "color",
            "luminosity",
        ),
    )
}
_CAPS = {"round": 1, "square": 2}
_JOINS = {"round": 1, "bevel": 2}
_INVOLVED = frozenset(
    ("clip-path", "display", "isolation", "mix-blend-mode", "opacity", "transform", *_REFUSED)
)
"""A shape without any of these can be painted right away."""
_GROUP = "/Group<</Type/Group/S/Transparency/I true/CS/DeviceRGB>>"


def plain_form(drawable: Drawable, images: PlacedImages | None = None) -> tuple[PdfObject, ...] | None:
    """Return the objects of a picture, its form last, in mm or, of an icon, over the unit square, with y
    down from its top left corner; None for one that holds more than plain shapes and images. `images`
    are those that it shares with other pictures: their objects come with the first."""
    images = images or PlacedImages(ImageLibrary(drawable.images))
    try:
        document = parse(drawable.svg)
        root = document.root
        view = _view(root)
        across, down = 1.0, 1.0
        if not drawable.unit:
            across, down = (parse_length(root.get(name, "")) for name in ("width", "height"))
            if not math.isclose(view.width * down, view.height * across, rel_tol=1e-3):
                return None
        painter = _Painter(document, view, images)
        content = painter.content()
        painter.composite(content, root, IDENTITY)
    except (UnplainError, SvgError, DrawingError, ValueError, ZeroDivisionError, RecursionError):
        images.forget()
        return None  # what is wrong with it is said where all is drawn
    sx, sy = across / view.width, down / view.height
    scale = " ".join(decimal(value, 8) for value in (sx, 0.0, 0.0, sy, -sx * view.x, -sy * view.y))
    form = content.form(f"/Matrix[{scale}]")
    return (*images.taken(), *painter.groups, form)


def _view(root: Node) -> Rect:
    box = numbers(root.get("viewBox", ""))
    if len(box) != 4 or min(box[2:]) <= 0 or root.get("preserveAspectRatio", "xMidYMid") == "none":
        raise UnplainError
    return Rect(*box)


class _Painter:
    """Paints one document. All outlines are written where they lie in the whole picture."""

    def __init__(self, document: Document, view: Rect, images: PlacedImages) -> None:
        self.groups: list[PdfObject] = []
        self._document = document
        self._places = max(2, 5 - math.floor(math.log10(max(view.width, view.height))))
        edges = (view.x, view.y, view.right, view.bottom)
        self._box = " ".join(decimal(edge, self._places) for edge in edges)
        self._images = images
        self._servers: dict[str, Node] | None = None
        self._uses: list[str] = []

    def content(self) -> Content:
        return Content(self._box)

    # ---- elements

    def draw(self, content: Content, node: Node, around: Matrix) -> None:
        """Draw an element and what is in it."""
        tag = node.tag
        if tag in SHAPES and _INVOLVED.isdisjoint(node):
            if node.get("visibility", "visible") == "visible":
                self._shape(content, node, around, 1.0)
            return
        if tag in UNPAINTED or ":" in tag or node.get("display") == "none":
            return
        if tag not in SHAPES and tag not in ("g", "use", "image"):
            raise UnplainError
        matrix = transform_of(node)
        if abs(matrix.a * matrix.d - matrix.b * matrix.c) < 1e-12:  # nothing left to see
            return
        self.composite(content, node, around if matrix is IDENTITY else matrix.then(around))

    def composite(self, content: Content, node: Node, matrix: Matrix) -> None:
        """Draw the element under its clip, opacity and blend mode."""
        if any(node.get(name, "none") not in NONE for name in _REFUSED):
            raise UnplainError
        opacity = min(max(share(node.get("opacity", "1")), 0.0), 1.0)
        blend = node.get("mix-blend-mode", "normal")
        clip = node.get("clip-path", "none")
        leaf = node.tag == "image" or (node.tag in SHAPES and _paints_once(node))
        grouped = blend != "normal" or node.get("isolation") == "isolate" or (opacity < 1 and not leaf)
        if clip != "none":
            with content.kept(self._clip(node, clip, matrix)):
                self._grouped(content, node, matrix, opacity, blend, grouped=grouped)
        else:
            self._grouped(content, node, matrix, opacity, blend, grouped=grouped)

    def _grouped(
        self, content: Content, node: Node, matrix: Matrix, opacity: float, blend: str, *, grouped: bool
    ) -> None:
        if not grouped:
            self._inside(content, node, matrix, opacity)
            return
        inner = self.content()
        self._inside(inner, node, matrix, 1.0)
        if not inner.lines:
            return
        if blend not in _BLENDS and blend != "normal":
            raise UnplainError
        self._put_group(content, inner, opacity, f"/BM/{_BLENDS[blend]}" if blend != "normal" else "")

    def _inside(self, content: Content, node: Node, matrix: Matrix, opacity: float) -> None:
        if node.tag in SHAPES:
            if node.get("visibility", "visible") == "visible":
                self._shape(content, node, matrix, opacity)
        elif node.tag == "image":
            if node.get("visibility", "visible") == "visible":
                self._images.paint(content, node, matrix, opacity, self._places)
        elif node.tag == "use":
            self._use(content, node, matrix)
        else:
            for child in node.children:
                self.draw(content, child, matrix)

    def _use(self, content: Content, node: Node, matrix: Matrix) -> None:
        href = node.get_href() or ""
        shown = self._document.shown(href[1:], node) if href.startswith("#") else None
        if shown is None or shown.tag in ("symbol", "svg") or href in self._uses:
            raise UnplainError
        self._uses.append(href)
        self.draw(content, shown, Matrix(e=length_of(node, "x"), f=length_of(node, "y")).then(matrix))
        self._uses.pop()

    # ---- shapes

    def _shape(self, content: Content, node: Node, matrix: Matrix, opacity: float) -> None:
        """Fill and stroke a shape, which has no markers."""
        outline = shape_outline(node)
        if not outline.letters:
            return
        even = "*" if node.get("fill-rule") == "evenodd" else ""
        fill = None if node.tag == "line" else self._paint(node, "fill", "black", matrix, outline)
        if fill is not None and isinstance(fill[0], Node):
            if node.get("stroke", "none") != "none" and "paint-order" in node:
                raise UnplainError
            self._tiled(content, fill[0], outline, matrix, opacity * fill[1], even)
            fill = None
        stroke = self._paint(node, "stroke", "none", matrix, outline)
        if stroke is not None and (width := length_of(node, "stroke-width", "1")) <= 0:
            stroke = None
        if stroke is None and (
            fill is None or (len(outline.letters) <= _FEW and _is_flat(extents(outline)))
        ):
            return
        fill_alpha = opacity * fill[1] if fill is not None else opacity
        stroke_alpha = opacity * stroke[1] if stroke is not None else opacity
        content.alpha(fill_alpha, stroke_alpha)
        write = written_ellipse if node.tag in ("circle", "ellipse") else written
        path = write(outline, self._places, matrix)
        if fill is not None:
            self._color(content, fill[0], "fill")
            if stroke is None:
                content.lines.append(f"{path} f{even}")
                return
        assert stroke is not None
        self._color(content, stroke[0], "stroke")
        scale = _similar(matrix)
        self._line(content, node, width, scale or 1.0)
        line = f"{path} S"
        if scale is None:
            linear = (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
            pen = " ".join(decimal(value, 7) for value in linear)
            line = f"q {pen} cm {written(outline, self._places + 2)} S Q"
        order = node.get("paint-order", "normal").split()
        if fill is None:
            content.lines.append(line)
        elif "stroke" in order and "fill" not in order[: order.index("stroke")]:
            content.lines += (line, f"{path} f{even}")
        elif scale is not None and fill_alpha >= 1 and stroke_alpha >= 1:
            content.lines.append(f"{path} B{even}")
        else:
            content.lines += (f"{path} f{even}", line)

    def _paint(
        self, node: Node, name: str, default: str, matrix: Matrix, outline: Outline
    ) -> tuple[Color | str | Node, float] | None:
        """Return a color, the dictionary of a gradient or the element of a pattern, and its opacity;
        None if nothing is painted."""
        value = node.get(name, default).strip()
        opacity = node.get(f"{name}-opacity")
        alpha = 1.0 if opacity is None else min(max(share(opacity), 0.0), 1.0)
        if value == "none" or alpha <= 0:
            return None
        if value.startswith("url("):
            if not value.endswith(")"):
                raise UnplainError
            gradient = self._server(value[4:-1].strip("\"' ").removeprefix("#"))
            if gradient.tag == "pattern":
                if name == "stroke":
                    raise UnplainError
                return gradient, alpha
            made = gradient_pattern(gradient, matrix, outline)
            if made is None:
                return None
            if len(made) == 2:
                return made[0], made[1] * alpha
            return made[:3], made[3] * alpha
        color = parse_color(value)
        if color is None:
            raise UnplainError
        return (color[:3], color[3] * alpha) if color[3] > 0 else None

    def _named(self, name: str) -> Node | None:
        """Return the gradient, pattern or clip path of that id, with what it inherits where it stands."""
        if self._servers is None:
            self._servers = {}
            stack = [self._document.root]
            while stack:
                node = stack.pop()
                stack += node.children
                if node.tag in _SERVERS and "id" in node:
                    self._servers[node["id"]] = node
        return self._servers.get(name)

    def _server(self, name: str) -> Node:
        """Return a gradient or pattern that takes nothing over from another."""
        gradient = self._named(name)
        if gradient is None or gradient.tag == "clipPath" or gradient.get_href():
            raise UnplainError
        return gradient

    def _tiled(
        self,
        content: Content,
        tile: Node,
        outline: Outline,
        matrix: Matrix,
        alpha: float,
        even: str,
    ) -> None:
        """Fill an outline with a pattern, tile by tile: readers differ in where they put those of a PDF
        pattern."""
        box = extents(outline)
        own_units = tile.get("patternUnits") == "userSpaceOnUse"
        sizes = Rect(0, 0, 1, 1) if own_units else box
        x, y, width, height = (share_of(tile, name, own_units) for name in ("x", "y", "width", "height"))
        x, y = sizes.x + x * sizes.width, sizes.y + y * sizes.height
        width, height = width * sizes.width, height * sizes.height
        if width < 1e-9 or height < 1e-9:
            return
        inner = IDENTITY
        view = numbers(tile.get("viewBox", ""))
        if len(view) == 4 and view[2] > 0 and view[3] > 0:
            inner = fit(Rect(*view), Rect(0, 0, width, height), tile.get("preserveAspectRatio"))
        elif tile.get("patternContentUnits") == "objectBoundingBox":
            inner = Matrix(box.width, 0, 0, box.height)
        place = parse_transform(tile.get("patternTransform")).then(matrix)
        reach = extents(
            moved(points_outline(corners_of(extents(moved(outline, matrix))), True), place.inverse())
        )
        columns = range(math.floor((reach.x - x) / width), math.ceil((reach.right - x) / width))
        rows = range(math.floor((reach.y - y) / height), math.ceil((reach.bottom - y) / height))
        if len(columns) * len(rows) > MOST_TILES:
            raise UnplainError
        edge = " ".join(decimal(value, self._places + 2) for value in (0.0, 0.0, width, height))
        forms: dict[tuple[int, ...], str] = {}
        few = len(tile.children) <= _FEW_SHAPES
        boxes = [
            extents(moved(shape, inner))
            if few and _is_filled(child) and (shape := shape_outline(child))
            else None
            for child in tile.children
        ]
        beside = Beside(boxes, Rect(0, 0, width, height))
        whole = self.content() if alpha < 1 else content
        path = written(outline, self._places, matrix)
        linear = " ".join(decimal(value, 7) for value in (place.a, place.b, place.c, place.d))
        whole.lines.append(f"q {path} W{even} n")
        for row in rows:
            for column in columns:
                left, top = x + column * width, y + row * height
                shown = beside.without(Rect(reach.x - left, reach.y - top, reach.width, reach.height))
                if not shown:
                    continue
                if shown not in forms:
                    cell = Content(edge)
                    for index in shown:
                        self.draw(cell, tile.children[index], inner)
                    self.groups.append(cell.form(""))
                    forms[shown] = reference(self.groups[-1].name).decode("ascii")
                picture = whole.name("XObject", forms[shown])
                left, top = place.apply(left, top)
                corner = f"{decimal(left, self._places)} {decimal(top, self._places)}"
                whole.lines.append(f"q {linear} {corner} cm /{picture} Do Q")
        whole.lines.append("Q")
        if whole is not content:
            self._put_group(content, whole, alpha, "")

    def _put_group(self, content: Content, inner: Content, opacity: float, mode: str) -> None:
        form = inner.form(_GROUP)
        self.groups.append(form)
        alpha = decimal(opacity, 4)
        state = content.name("ExtGState", f"<</ca {alpha}/CA {alpha}{mode}>>")
        picture = content.name("XObject", reference(form.name).decode("ascii"))
        content.lines.append(f"q /{state} gs /{picture} Do Q")

    def _color(self, content: Content, color: Color | str | Node, kind: str) -> None:
        assert not isinstance(color, Node)  # it was tiled
        if not isinstance(color, str):
            content.put(kind, color_operator(color, stroke=kind == "stroke"))
            return
        name = content.name("Pattern", color)
        content.put(kind, f"/Pattern CS /{name} SCN" if kind == "stroke" else f"/Pattern cs /{name} scn")

    def _line(self, content: Content, node: Node, width: float, scale: float) -> None:
        content.put("width", f"{decimal(width * scale, self._places)} w")
        content.put("cap", f"{_CAPS.get(node.get('stroke-linecap', ''), 0)} J")
        content.put("join", f"{_JOINS.get(node.get('stroke-linejoin', ''), 0)} j")
        content.put("miter", f"{decimal(share(node.get('stroke-miterlimit', '4')), 3)} M")
        dashes: list[float] = []
        text = node.get("stroke-dasharray", "none")
        if text.strip() != "none":
            dashes = [number_of(dash) for dash in text.replace(",", " ").split()]
        if any(dash < 0 for dash in dashes):
            raise UnplainError
        if sum(dashes) <= 0:
            content.put("dash", "[] 0 d")
            return
        if len(dashes) % 2:
            dashes *= 2
        offset = length_of(node, "stroke-dashoffset")
        if offset < 0:
            offset %= sum(dashes)
        listed = " ".join(decimal(dash * scale, self._places) for dash in dashes)
        content.put("dash", f"[{listed}] {decimal(offset * scale, self._places)} d")

    # ---- clips

    def _clip(self, node: Node, value: str, matrix: Matrix) -> str:
        """Return the operators of a clip by outlines that can't cancel out."""
        name = value[4:-1].strip("\"' ") if value.startswith("url(") and value.endswith(")") else ""
        clip = self._named(name[1:]) if name.startswith("#") else None
        if clip is None or clip.tag != "clipPath" or "clip-path" in clip:
            raise UnplainError
        place = transform_of(clip)
        if clip.get("clipPathUnits") == "objectBoundingBox":
            if node.tag not in SHAPES:
                raise UnplainError
            box = extents(shape_outline(node))
            place = Matrix(box.width or 1e-9, 0, 0, box.height or 1e-9, box.x, box.y).then(place)
        place = place.then(matrix)
        shown = [
            child
            for child in clip.children
            if child.get("display") != "none"
            and child.get("visibility", "visible") == "visible"
            and child.tag not in _TEXTS
        ]
        if any(child.tag not in SHAPES or "clip-path" in child for child in shown):
            raise UnplainError
        if len(shown) > 1 and not all(map(turns_right, shown)):
            raise UnplainError
        outline = joined(moved(shape_outline(child), transform_of(child).then(place)) for child in shown)
        even = "*" if len(shown) == 1 and shown[0].get("clip-rule") == "evenodd" else ""
        path = written(outline, self._places) or f"{decimal(-1)} {decimal(-1)} 0 0 re"
        return f"{path} W{even} n"


def _paints_once(node: Node) -> bool:
    """Return True if fill and stroke can't overlap, so that opacity needs no group."""
    strokes = node.get("stroke", "none") != "none"
    return not (strokes and node.get("fill", "black") != "none" and node.tag != "line")


def _is_filled(node: Node) -> bool:
    """Return True if all of a shape is inside its outline."""
    return node.tag in SHAPES and _INVOLVED.isdisjoint(node) and node.get("stroke", "none") == "none"


def _is_flat(box: Rect) -> bool:
    return box.width < 1e-9 or box.height < 1e-9


def _similar(matrix: Matrix) -> float | None:
    """Return the factor by which a matrix enlarges all lengths alike; None if it does not."""
    across, down = math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d)
    skew = matrix.a * matrix.c + matrix.b * matrix.d
    if abs(across - down) > 1e-6 * across or abs(skew) > 1e-6 * across * down:
        return None
    return across


_NARROWEST = 1e-5
"""The least share of a gradient that a part takes: bounds must rise (ISO 32000-1, 7.10.4)."""

Stop = tuple[float, tuple[float, float, float]]


def gradient_pattern(
    gradient: Node, matrix: Matrix, outline: Outline
) -> tuple[str, float] | tuple[float, float, float, float] | None:
    """Return the dictionary of a gradient's pattern in the coordinates that `matrix` leads to, and how
    opaque it is; one color where it has one stop or no length, None if SVG says that nothing is painted.
    It fills the outline. Raises UnplainError for one that is neither padded nor equally
    opaque."""
    own_units = gradient.get("gradientUnits") == "userSpaceOnUse"
    if gradient.get("spreadMethod", "pad") != "pad":
        raise UnplainError
    stops, opacity = _stops(gradient)
    if not stops:
        return None
    place = parse_transform(gradient.get("gradientTransform"))
    if not own_units:
        around = extents(outline)
        if around.width < 1e-9 or around.height < 1e-9:
            return None
        place = place.then(Matrix(around.width, 0, 0, around.height, around.x, around.y))
    if len(stops) == 1:
        return (*stops[0][1], opacity)

    def value(name: str, default: str) -> float:
        text = gradient.get(name, default).strip()
        if text.endswith("%") and own_units:
            raise UnplainError
        return _number(text)

    if gradient.tag == "linearGradient":
        coords = [value("x1", "0%"), value("y1", "0%"), value("x2", "100%"), value("y2", "0%")]
        if math.dist(coords[:2], coords[2:]) < 1e-9:
            return (*stops[-1][1], opacity)
        kind = 2
    else:
        cx, cy, r = value("cx", "50%"), value("cy", "50%"), value("r", "50%")
        fx, fy, fr = value("fx", str(cx)), value("fy", str(cy)), value("fr", "0")
        if r <= 0 or math.dist((fx, fy), (cx, cy)) + fr > 0.99 * r:
            raise UnplainError
        coords = [fx, fy, fr, cx, cy, r]
        kind = 3
    place = place.then(matrix)
    if abs(place.a * place.d - place.b * place.c) < 1e-12:
        raise UnplainError
    placed = " ".join(decimal(v, 7) for v in (place.a, place.b, place.c, place.d, place.e, place.f))
    ends = " ".join(decimal(v, 6) for v in coords)
    return (
        f"<</PatternType 2/Matrix[{placed}]/Shading<</ShadingType {kind}/ColorSpace/DeviceRGB"
        f"/Coords[{ends}]/Function {_function(stops)}/Extend[true true]>>>>"
    ), opacity


def _number(text: str) -> float:
    try:
        return share(text.removesuffix("px"))
    except ValueError:
        raise UnplainError from None


def _stops(gradient: Node) -> tuple[list[Stop], float]:
    stops: list[Stop] = []
    opacities: set[float] = set()
    offset = 0.0
    for stop in gradient.children:
        if stop.tag != "stop":
            continue
        color = parse_color(stop.get("stop-color", "black"))
        if color is None:
            raise UnplainError
        offset = min(max(offset, _number(stop.get("offset", "0") or "0")), 1.0)
        stops.append((offset, color[:3]))
        opacities.add(min(max(_number(stop.get("stop-opacity", "1")), 0.0), 1.0) * color[3])
    if len(opacities) > 1:
        raise UnplainError
    return stops, next(iter(opacities), 1.0)


def _function(stops: Sequence[Stop]) -> str:
    """Return the colors from 0 to 1."""
    whole = list(stops)
    if whole[0][0] > 0:
        whole.insert(0, (0.0, whole[0][1]))
    if whole[-1][0] < 1:
        whole.append((1.0, whole[-1][1]))
    parts = [
        f"<</FunctionType 2/Domain[0 1]/C0[{_color(one)}]/C1[{_color(other)}]/N 1>>"
        for (_, one), (_, other) in pairwise(whole)
    ]
    if len(parts) == 1:
        return parts[0]
    bounds = [offset for offset, _ in whole[1:-1]]
    least = min(_NARROWEST, 0.5 / len(parts))
    low = 0.0
    for index, bound in enumerate(bounds):
        low = bounds[index] = max(bound, low + least)
    high = 1.0
    for index in reversed(range(len(bounds))):
        high = bounds[index] = min(bounds[index], high - least)
    inner = " ".join(decimal(bound, 8) for bound in bounds)
    return (
        f"<</FunctionType 3/Domain[0 1]/Functions[{''.join(parts)}]/Bounds[{inner}]"
        f"/Encode[{' '.join(['0 1'] * len(parts))}]>>"
    )


def _color(color: tuple[float, float, float]) -> str:
    return " ".join(decimal(channel, 4) for channel in color)


_NEAR = 1e-4
"""The distance that counts as touching an edge, in parts of a tile."""


class Beside:
    """The elements of a tile, of the size of `cell`. `boxes` are around them; None where that is not known,
    or where more is painted than what lies in it."""

    def __init__(self, boxes: Sequence[Rect | None], cell: Rect) -> None:
        self._boxes = boxes
        self._all = tuple(range(len(boxes)))
        self._cell = cell
        self._near = _NEAR * min(cell.width, cell.height)

    def without(self, area: Rect) -> tuple[int, ...]:
        """Return the elements that do more than touch the area from outside. It is in the tile's units."""
        near = self._near
        if area.inset(2 * near).contains(self._cell, 0):
            return self._all
        wide = area.inset(-2 * near)
        return tuple(
            index
            for index, box in enumerate(self._boxes)
            if box is None or area.overlaps(box, near) or not wide.overlaps(box, 0)
        )
