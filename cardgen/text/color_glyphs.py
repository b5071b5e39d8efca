"""Convert a font's colored letters (tables COLR, CPAL and SVG) to SVG documents.

HarfBuzz walks the paint tree within limits; its calls are collected as a tree of transforms, clips and
fills, and written as paths in the units of the font, y down.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import uharfbuzz as hb

from cardgen.core.geometry import IDENTITY, Matrix, Rect, decimal
from cardgen.core.records import dataclass, field

_UPRIGHT = Matrix(1, 0, 0, -1, 0, 0)
_GZIP = 31
"""zlib's code for a stream with a gzip header."""
_MOST_SVG = 4 << 20
"""Bytes of a document of the table SVG, unpacked."""
_WEDGES = 180
"""Parts of a full circle for a sweep gradient, which SVG doesn't have."""
_SPREADS = {hb.PaintExtend.PAD: "pad", hb.PaintExtend.REPEAT: "repeat", hb.PaintExtend.REFLECT: "reflect"}
_BLENDED = {
    getattr(hb.PaintCompositeMode, name): name.lower().replace("_", "-")
    for name in (
        *("SCREEN", "OVERLAY", "DARKEN", "LIGHTEN", "COLOR_DODGE", "COLOR_BURN", "HARD_LIGHT"),
        *("SOFT_LIGHT", "DIFFERENCE", "EXCLUSION", "MULTIPLY"),
    )
}


class GlyphPicture(NamedTuple):
    """A letter as an SVG document. `box` is its area, in em from the pen on the baseline, y down, and
    `view` the same in the document's units. `element` is the id of the element to show in a document with
    several letters."""

    svg: bytes
    box: Rect
    view: Rect
    element: str | None = None


def is_colored(face: Any, gid: int) -> bool:
    """Return True if the font has a glyph in colors of its own."""
    if face.has_color_paint and face.glyph_has_color_paint(gid):
        return True
    if face.has_color_layers and face.get_glyph_color_layers(gid):
        return True
    return bool(face.has_color_svg and face.get_glyph_color_svg(gid))


def glyph_picture(font: Any, gid: int, reach: tuple[float, float]) -> GlyphPicture | str | None:
    """Return the picture of a glyph of an hb.Font, in one color if it has none of its own; None if it draws
    nothing, and a text with the reason if it can't be drawn. `reach` is the maximum extent of a glyph of
    the table SVG above and below the baseline, em."""
    face = font.face
    upem = face.upem
    painted = face.has_color_paint and face.glyph_has_color_paint(gid)
    layered = face.has_color_layers and face.get_glyph_color_layers(gid)
    if not painted and not layered and face.has_color_svg and (blob := face.get_glyph_color_svg(gid)):
        return _of_document(bytes(blob.data), font, gid, reach)
    tree = paint_tree(font, gid)
    if tree.paints > MOST_PAINTS:
        return f"it has more than {MOST_PAINTS:,} layers"
    writer = _Writer(font)
    try:
        body = writer.written(tree.stack[0].children, _UPRIGHT, None)
    except _UnpaintedError as error:
        return str(error)
    if not body or writer.right <= writer.left or writer.bottom <= writer.top:
        return None
    left, top = writer.left, writer.top
    width, height = writer.right - left, writer.bottom - top
    view = " ".join(decimal(value) for value in (left, top, width, height))
    defs = f"<defs>{''.join(writer.defs)}</defs>" if writer.defs else ""
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}">{defs}{body}</svg>'
    return _picture(svg.encode(), Rect(left, top, width, height), upem)


def _picture(svg: bytes, view: Rect, upem: int, element: str | None = None) -> GlyphPicture:
    box = Rect(view.x / upem, view.y / upem, view.width / upem, view.height / upem)
    return GlyphPicture(svg, box, view, element)


def _of_document(data: bytes, font: Any, gid: int, reach: tuple[float, float]) -> GlyphPicture | str:
    """Return a glyph of the table SVG: its document, in the box of a letter."""
    if data[:2] == b"\x1f\x8b":
        try:
            data = zlib.decompressobj(_GZIP).decompress(data, _MOST_SVG + 1)
        except zlib.error:
            return "its drawing is damaged (table SVG)"
    if len(data) > _MOST_SVG:
        return f"its drawing has more than {_MOST_SVG:,} bytes (table SVG)"
    upem, (above, below) = font.face.upem, reach
    wide = max(font.get_glyph_h_advance(gid), upem / 10)
    view = Rect(0.0, -above * upem, wide, (above + below) * upem)
    return _picture(data, view, upem, f"glyph{gid}")


class _UnpaintedError(Exception):
    """The error of a letter that needs a feature missing from SVG."""


class _Area(NamedTuple):
    """The outline of the innermost clip, in the document's units."""

    path: str
    box: Rect


class _Writer:
    """A writer of a tree as markup, which also tracks the painted area."""

    def __init__(self, font: Any) -> None:
        self._font = font
        self.defs: list[str] = []
        self.left = self.top = math.inf
        self.right = self.bottom = -math.inf

    def written(self, children: Sequence[Node | Fill], matrix: Matrix, area: _Area | None) -> str:
        """Return the markup of a node under a matrix, in the innermost clip. Raises _UnpaintedError."""
        if (alpha := _share_of(children)) is not None:
            inner = self.written(children[1].children, matrix, area)  # type: ignore[union-attr]
            return f'<g opacity="{decimal(alpha, 4)}">{inner}</g>' if inner else ""
        done = ""
        for child in children:
            if isinstance(child, Fill):
                done += self._filled(child, matrix, area)
            elif child.glyph is not None:
                done += self._clipped(child, child.glyph, matrix, area)
            elif child.mode in (None, OVER):
                done += self.written(child.children, child.matrix.then(matrix), area)
            else:
                done = self._composite(done, child, matrix, area)
        return done

    def _clipped(self, node: Node, gid: int, matrix: Matrix, area: _Area | None) -> str:
        own = self._outline(gid, matrix)
        if own is None:
            return ""
        inner = self.written(node.children, matrix, own)
        if area is None or not inner:
            return inner
        return f'<g clip-path="url(#{self._clip(area)})">{inner}</g>'

    def _clip(self, area: _Area) -> str:
        clip = f'<clipPath id="{{}}"><path d="{area.path}"/></clipPath>'
        return self._define(clip)

    def _define(self, made: str) -> str:
        name = f"d{len(self.defs)}"
        self.defs.append(made.replace("{}", name, 1))
        return name

    def _outline(self, gid: int, matrix: Matrix) -> _Area | None:
        commands: Commands = []
        self._font.draw_glyph(gid, PEN, commands)
        parts: list[str] = []
        points: list[tuple[float, float]] = []
        for command, values in commands:
            here = [matrix.apply(x, y) for x, y in zip(values[::2], values[1::2])]
            points += here
            parts.append(command + " ".join(decimal(value, 2) for point in here for value in point))
        if not points:
            return None
        return _Area("".join(parts), Rect.around(points))

    def _filled(self, fill: Fill, matrix: Matrix, area: _Area | None) -> str:
        if area is None:
            raise _UnpaintedError("a layer of it has no outline (table COLR)")
        if not any(stop.color[3] for stop in fill.stops):
            return ""
        box = area.box
        self.left, self.right = min(self.left, box.x), max(self.right, box.right)
        self.top, self.bottom = min(self.top, box.y), max(self.bottom, box.bottom)
        if fill.kind == "sweep" and len(fill.stops) > 1:
            return self._wedges(fill, matrix, area)
        paint, alpha = self._paint(fill, matrix)
        seen = f' fill-opacity="{decimal(alpha, 4)}"' if alpha < 1 else ""
        return f'<path d="{area.path}" fill="{paint}"{seen}/>'

    def _paint(self, fill: Fill, matrix: Matrix) -> tuple[str, float]:
        """Return the value of `fill`, and its opacity."""
        stops = fill.stops
        first, last = stops[0].offset, stops[-1].offset
        if fill.kind == "solid" or last - first < 1e-6:
            return _css_color(stops[-1]), stops[-1].color[3]
        stops = [stop._replace(offset=(stop.offset - first) / (last - first)) for stop in stops]
        if fill.kind == "linear":
            x0, y0, x1, y1, x2, y2 = fill.places
            (x0, y0), (x1, y1) = _square_ends((x0, y0), (x1, y1), (x2, y2))
            ends = [(x0 + (x1 - x0) * part, y0 + (y1 - y0) * part) for part in (first, last)]
            named = zip(("x1", "y1", "x2", "y2"), (value for end in ends for value in end))
        else:
            x0, y0, r0, x1, y1, r1 = fill.places
            rings = [
                tuple(a + (b - a) * part for a, b in ((x0, x1), (y0, y1), (r0, r1)))
                for part in (first, last)
            ]
            if rings[0][2] > rings[1][2]:
                rings.reverse()
                stops = [stop._replace(offset=1 - stop.offset) for stop in reversed(stops)]
            (fx, fy, fr), (cx, cy, r) = rings
            if r <= 0:
                raise _UnpaintedError("a gradient of it has no radius (table COLR)")
            named = zip(("fx", "fy", "fr", "cx", "cy", "r"), (fx, fy, max(fr, 0.0), cx, cy, r))
        places = " ".join(f'{name}="{decimal(value, 3)}"' for name, value in named)
        turned = " ".join(
            decimal(value, 6) for value in (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
        )
        body = "".join(
            f'<stop offset="{decimal(stop.offset, 5)}" stop-color="{_css_color(stop)}"'
            + (f' stop-opacity="{decimal(stop.color[3], 4)}"/>' if stop.color[3] < 1 else "/>")
            for stop in stops
        )
        gradient = (
            f'<{fill.kind}Gradient id="{{}}" gradientUnits="userSpaceOnUse" {places} '
            f'gradientTransform="matrix({turned})" spreadMethod="{_SPREADS[fill.spread]}">'
            f"{body}</{fill.kind}Gradient>"
        )
        return f"url(#{self._define(gradient)})", 1.0

    def _wedges(self, fill: Fill, matrix: Matrix, area: _Area) -> str:
        """Return a gradient around a point, in wedges."""
        x, y, start, end = fill.places
        try:
            corners = matrix.inverse().around(area.box)
        except ZeroDivisionError:
            return ""
        far = max(
            math.dist((x, y), (corner, side))
            for corner in (corners.x, corners.right)
            for side in (corners.y, corners.bottom)
        )
        radius = 1.01 * far / math.cos(math.pi / 8)
        step = math.tau / _WEDGES
        opaque = all(stop.color[3] == 1 for stop in fill.stops)
        parts = []
        for index in range(_WEDGES):
            angle = index * step
            stop = _stop_at(fill, (angle + step / 2 - start) / ((end - start) or 1.0))
            # Opaque ones extend a quarter turn below the next ones, which hides the paper between them.
            on = math.pi / 4 if opaque else step
            turns = [min(angle + part * on, math.tau) for part in range(3 if opaque else 2)]
            ends = [
                matrix.apply(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns
            ]
            places = " ".join(decimal(value, 2) for point in (matrix.apply(x, y), *ends) for value in point)
            seen = f' fill-opacity="{decimal(stop.color[3], 4)}"' if stop.color[3] < 1 else ""
            parts.append(f'<path d="M{places}Z" fill="{_css_color(stop)}"{seen}/>')
        return f'<g clip-path="url(#{self._clip(area)})">{"".join(parts)}</g>'

    def _composite(self, below: str, group: Node, matrix: Matrix, area: _Area | None) -> str:
        """Return a group composited with the group `below` it by a mode of its own."""
        mode, name = group.mode, hb.PaintCompositeMode(group.mode).name
        modes = hb.PaintCompositeMode
        if mode == modes.CLEAR:
            return ""
        if mode == modes.DEST:
            return below
        above = self.written(group.children, matrix, area)
        if mode == modes.SRC:
            return above
        if mode == modes.DEST_OVER:
            return above + below
        if mode in _BLENDED:
            style = f"mix-blend-mode:{_BLENDED[mode]}"
            return f'<g style="isolation:isolate">{below}<g style="{style}">{above}</g></g>'
        raise _UnpaintedError(f"it is composed by the mode {name} (table COLR)")


def _share_of(children: Sequence[Node | Fill]) -> float | None:
    """Return the opacity of a group, which COLR expresses by a plane of one color."""
    if len(children) != 2 or not isinstance(children[1], Node):
        return None
    plane = children[0]
    while isinstance(plane, Node) and plane.glyph is None and len(plane.children) == 1:
        plane = plane.children[0]
    inside = children[1].mode == hb.PaintCompositeMode.SRC_IN
    return plane.stops[0].color[3] if inside and isinstance(plane, Fill) and plane.kind == "solid" else None


def _css_color(stop: Stop) -> str:
    red, green, blue = (round(255 * each) for each in stop.color[:3])
    return "currentColor" if stop.ink else f"#{red:02x}{green:02x}{blue:02x}"


def _square_ends(
    start: tuple[float, float], end: tuple[float, float], along: tuple[float, float]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the ends of a linear gradient with its lines of one color square to it, as in SVG, from one
    whose lines go from `start` to `along`, as in COLR."""
    across = (along[0] - start[0], along[1] - start[1])
    square = across[0] ** 2 + across[1] ** 2
    if not square:
        return start, end
    way = (end[0] - start[0], end[1] - start[1])
    part = (way[0] * across[0] + way[1] * across[1]) / square
    return start, (end[0] - part * across[0], end[1] - part * across[1])


def _stop_at(fill: Fill, at: float) -> Stop:
    """Return the color of a gradient at a position."""
    first, last = fill.stops[0].offset, fill.stops[-1].offset
    span = last - first
    if span > 0 and fill.spread != hb.PaintExtend.PAD:
        at = (at - first) / span
        at = at % 1.0 if fill.spread == hb.PaintExtend.REPEAT else 1 - abs(at % 2.0 - 1)
        at = first + at * span
    if at <= first:
        return fill.stops[0]
    for before, after in zip(fill.stops, fill.stops[1:]):
        if at < after.offset:
            part = (at - before.offset) / (after.offset - before.offset)
            mixed = tuple(a + (b - a) * part for a, b in zip(before.color, after.color))
            return Stop(at, (mixed[0], mixed[1], mixed[2], mixed[3]), before.ink and after.ink)
    return fill.stops[-1]


Commands = list[tuple[str, tuple[float, ...]]]
"""Path data: M, L, Q and C with their points, and Z."""
OVER = hb.PaintCompositeMode.SRC_OVER
MOST_PAINTS = 2_000
"""Most fills of one letter."""


class Stop(NamedTuple):
    """A color at a position of a gradient: red, green, blue and alpha from 0 to 1; with `ink`, the text's
    own color replaces the first three."""

    offset: float
    color: tuple[float, float, float, float]
    ink: bool


class Fill(NamedTuple):
    """A paint everywhere within the clip: one stop, or a gradient of this kind through these places."""

    kind: str
    stops: list[Stop]
    places: tuple[float, ...] = ()
    spread: Any = None


@dataclass(slots=True)
class Node:
    """A transform, a clip to a glyph or a group, and its painted content."""

    matrix: Matrix = IDENTITY
    glyph: int | None = None
    mode: Any = None
    children: list[Node | Fill] = field(default_factory=list)


@dataclass(slots=True)
class Tree:
    """The tree painted so far: the open nodes, the root first."""

    stack: list[Node] = field(default_factory=lambda: [Node()])
    paints: int = 0

    def push(self, node: Node) -> None:
        self.stack[-1].children.append(node)
        self.stack.append(node)

    def pop(self) -> Node:
        return self.stack.pop() if len(self.stack) > 1 else self.stack[0]

    def fill(self, fill: Fill) -> None:
        self.paints += 1
        if self.paints <= MOST_PAINTS:
            self.stack[-1].children.append(fill)


def paint_tree(font: Any, gid: int) -> Tree:
    """Return the drawing of a glyph of an hb.Font."""
    tree = Tree()
    font.paint_glyph(gid, _FUNCTIONS, tree, 0, hb.Color(0, 0, 0, 255))
    return tree


def _stop(each: Any) -> Stop:
    return Stop(each.offset, _color(each.color), bool(each.is_foreground))


def _color(color: Any) -> tuple[float, float, float, float]:
    return (color.red / 255, color.green / 255, color.blue / 255, color.alpha / 255)


def _gradient(kind: str) -> Callable[..., None]:
    def painted(line: Any, *rest: Any) -> None:
        *places, tree = rest
        stops = sorted(map(_stop, line.color_stops), key=lambda stop: stop.offset)
        if stops:
            tree.fill(Fill(kind, stops, tuple(places), line.extend))

    return painted


def _transform(xx: float, yx: float, xy: float, yy: float, dx: float, dy: float, tree: Tree) -> None:
    tree.push(Node(Matrix(xx, yx, xy, yy, dx, dy)))


def _paint_solid(color: Any, ink: bool, tree: Tree) -> None:
    tree.fill(Fill("solid", [Stop(0.0, _color(color), bool(ink))]))


def _pop(tree: Tree) -> None:
    tree.pop()


def _pop_group(mode: Any, tree: Tree) -> None:
    tree.pop().mode = mode


def _functions() -> Any:
    functions = hb.PaintFuncs()
    functions.set_push_transform_func(_transform)
    functions.set_pop_transform_func(_pop)
    functions.set_push_clip_glyph_func(lambda gid, *rest: rest[-1].push(Node(glyph=gid)))
    # The box around a letter in a font helps painters save work; its layers don't depend on it.
    functions.set_push_clip_rectangle_func(lambda *rest: rest[-1].push(Node()))
    functions.set_pop_clip_func(_pop)
    functions.set_color_func(_paint_solid)
    functions.set_linear_gradient_func(_gradient("linear"))
    functions.set_radial_gradient_func(_gradient("radial"))
    functions.set_sweep_gradient_func(_gradient("sweep"))
    functions.set_push_group_func(lambda tree: tree.push(Node(mode=OVER)))
    functions.set_pop_group_func(_pop_group)
    return functions


_FUNCTIONS = _functions()


def outline_functions() -> Any:
    """Return HarfBuzz draw functions that collect commands."""
    functions = hb.DrawFuncs()
    functions.set_move_to_func(lambda x, y, out: out.append(("M", (x, y))))
    functions.set_line_to_func(lambda x, y, out: out.append(("L", (x, y))))
    functions.set_quadratic_to_func(lambda a, b, x, y, out: out.append(("Q", (a, b, x, y))))
    functions.set_cubic_to_func(lambda a, b, c, d, x, y, out: out.append(("C", (a, b, c, d, x, y))))
    functions.set_close_path_func(lambda out: out.append(("Z", ())))
    return functions


PEN = outline_functions()
