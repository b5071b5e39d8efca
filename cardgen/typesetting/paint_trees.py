"""The paint trees of letters in colors, as HarfBuzz reads them from a font: transforms, clips and fills.

HarfBuzz keeps trees within bounds, whatever a font says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import uharfbuzz as hb

from cardgen.geometry import IDENTITY, Matrix

Commands = list[tuple[str, tuple[float, ...]]]
"""Path data: M, L, Q and C with their places, and Z."""
OVER = hb.PaintCompositeMode.SRC_OVER
MOST_PAINTS = 2_000
"""Fills of one letter."""


class Stop(NamedTuple):
    """A color at a part of a gradient's way: red, green, blue and alpha from 0 to 1; `ink` says that the
    text's own color takes the place of the first three."""

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
    """A transform, a clip to a glyph or a group, and what is painted in it."""

    matrix: Matrix = IDENTITY
    glyph: int | None = None
    mode: Any = None
    children: list[Node | Fill] = field(default_factory=list)


@dataclass(slots=True)
class Tree:
    """What is painted so far: the open nodes, the root first."""

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
    """What painting a glyph of an hb.Font paints."""
    tree = Tree()
    font.paint_glyph(gid, _FUNCTIONS, tree, 0, hb.Color(0, 0, 0, 255))
    return tree


def _stop(each: Any) -> Stop:
    return Stop(each.offset, _color(each.color), bool(each.is_foreground))


def _color(color: Any) -> tuple[float, float, float, float]:
    return (color.red / 255, color.green / 255, color.blue / 255, color.alpha / 255)


def _gradient(kind: str) -> Callable[..., None]:
    def painted(line: Any, *said: Any) -> None:
        *places, tree = said
        stops = sorted(map(_stop, line.color_stops), key=lambda stop: stop.offset)
        if stops:
            tree.fill(Fill(kind, stops, tuple(places), line.extend))

    return painted


def _transform(xx: float, yx: float, xy: float, yy: float, dx: float, dy: float, tree: Tree) -> None:
    tree.push(Node(Matrix(xx, yx, xy, yy, dx, dy)))


def _solid(color: Any, ink: bool, tree: Tree) -> None:
    tree.fill(Fill("solid", [Stop(0.0, _color(color), bool(ink))]))


def _popped(tree: Tree) -> None:
    tree.pop()


def _pop_group(mode: Any, tree: Tree) -> None:
    tree.pop().mode = mode


def _functions() -> Any:
    functions = hb.PaintFuncs()
    functions.set_push_transform_func(_transform)
    functions.set_pop_transform_func(_popped)
    functions.set_push_clip_glyph_func(lambda gid, *said: said[-1].push(Node(glyph=gid)))
    # The box that a font states around a letter saves painters work; its layers are what they are.
    functions.set_push_clip_rectangle_func(lambda *said: said[-1].push(Node()))
    functions.set_pop_clip_func(_popped)
    functions.set_color_func(_solid)
    functions.set_linear_gradient_func(_gradient("linear"))
    functions.set_radial_gradient_func(_gradient("radial"))
    functions.set_sweep_gradient_func(_gradient("sweep"))
    functions.set_push_group_func(lambda tree: tree.push(Node(mode=OVER)))
    functions.set_pop_group_func(_pop_group)
    return functions


_FUNCTIONS = _functions()


def outline_functions() -> Any:
    """HarfBuzz draw functions that collect commands."""
    functions = hb.DrawFuncs()
    functions.set_move_to_func(lambda x, y, out: out.append(("M", (x, y))))
    functions.set_line_to_func(lambda x, y, out: out.append(("L", (x, y))))
    functions.set_quadratic_to_func(lambda a, b, x, y, out: out.append(("Q", (a, b, x, y))))
    functions.set_cubic_to_func(lambda a, b, c, d, x, y, out: out.append(("C", (a, b, c, d, x, y))))
    functions.set_close_path_func(lambda out: out.append(("Z", ())))
    return functions


PEN = outline_functions()
