"""What drawing an element comes to: the figures that weighing reckons with, and their bounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from cardgen.findings import Problem
from cardgen.geometry import Matrix, Rect
from cardgen.svg.limits import (
    MOST_DEPTH,
    MOST_LAYER_DEPTH,
    MOST_LAYERS,
    MOST_REPEATED,
    MOST_SCALE,
)
from cardgen.svg.tree import Node

SHAPES = frozenset(("circle", "ellipse", "image", "line", "path", "polygon", "polyline", "rect"))


class Outline(NamedTuple):
    """How many corners the outlines of shapes have, and a length in their own units that they do not
    exceed."""

    corners: int = 0
    length: float = 0.0


class Brought(NamedTuple):
    """What an element brings in from a file: an icon or a drawing. `view` is fitted into its box."""

    weight: Weight
    view: Rect | None
    outline: Callable[[], Outline]


@dataclass(frozen=True, slots=True)
class Weight:
    """What drawing an element once comes to.

    `steps` counts shapes and the length of their outlines (see STEP_CHARACTERS), `own` leaves out what
    references add. `see_through` are shapes that become layers if they have a stroke. `longest` is the
    longest outline, in characters. `least` and `most` say how many times smaller or larger than around
    it anything in the element is drawn, `cell` is the least area of a pattern's cell, in the units around
    the element. `unscaled` says that some stroke keeps its width whatever the transforms.
    """

    steps: float = 0.0
    own: float = 0.0
    shapes: int = 0
    depth: int = 1
    layers: int = 0
    layer_depth: int = 0
    see_through: int = 0
    longest: int = 0
    least: float = math.inf
    most: float = 0.0
    cell: float = math.inf
    dashes: float = 0.0
    unscaled: bool = False

    @property
    def repeated(self) -> float:
        return self.steps - self.own

    def beside(self, other: Weight) -> Weight:
        """Both, one after the other."""
        return Weight(
            self.steps + other.steps,
            self.own + other.own,
            self.shapes + other.shapes,
            max(self.depth, other.depth),
            self.layers + other.layers,
            max(self.layer_depth, other.layer_depth),
            self.see_through + other.see_through,
            max(self.longest, other.longest),
            min(self.least, other.least),
            max(self.most, other.most),
            min(self.cell, other.cell),
            self.dashes + other.dashes,
            self.unscaled or other.unscaled,
        )

    def within(self, matrix: Matrix) -> Weight:
        """The same seen from around a transform."""
        across, down = math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d)
        area = abs(matrix.a * matrix.d - matrix.b * matrix.c)
        if area < 1e-12:  # drawing stops there
            return replace(self, least=math.inf, most=0.0, cell=math.inf)
        return replace(
            self,
            least=self.least * min(across, down),
            most=self.most * max(across, down),
            cell=self.cell * area,
        )


NOTHING = Weight()
TEXT = Weight(1.0, 1.0, 1)
STOP = Weight(1.0, 1.0)


class WeightError(Exception):
    """An element that comes to more than is drawn, or refers to itself. `node` is where."""

    def __init__(self, node: Node, code: str, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.node = node
        self._problem = Problem(code, message, hint)

    def problem(self, top: Node) -> Problem:
        """The problem, its offset counted from the start of `top`."""
        return self._problem.moved(self.node.start - top.start)


def layered(node: Node, style: Mapping[str, str], weight: Weight) -> Weight:
    """With the layer that see-through drawing takes."""
    if style.get("stroke", "none") != "none" and weight.see_through:
        weight = replace(weight, layers=weight.layers + weight.see_through, see_through=0)
        weight = replace(weight, layer_depth=max(weight.layer_depth, 1))
    blended = style.get("mix-blend-mode", "normal") != "normal" or "isolation" in style
    if style.get("opacity", "1").strip() in ("1", "inherit", "1.0") and not blended:
        return weight
    if node.name in SHAPES and not blended:
        if style.get("stroke", "none") == "none":
            return replace(weight, see_through=weight.see_through + 1)
    elif not (weight.shapes or weight.layers):
        return weight
    return replace(weight, layers=weight.layers + 1, layer_depth=weight.layer_depth + 1)


def hold(node: Node, weight: Weight) -> None:
    """Raise WeightError if an element comes to more than is drawn."""
    what = f"what <{node.name}> shows"
    if weight.depth > MOST_DEPTH:
        message, hint = f"{what} is nested more than {MOST_DEPTH} deep", "what it refers to counts, too"
    elif weight.repeated > MOST_REPEATED:
        message = f"{what} comes to more than {MOST_REPEATED:,} steps of drawing, all references followed"
        hint = "see what <use>, patterns and markers repeat"
    elif weight.layers > MOST_LAYERS:
        message, hint = (
            f"{what} has more than {MOST_LAYERS:,} see-through layers",
            "mix the colours instead",
        )
    elif weight.layer_depth > MOST_LAYER_DEPTH:
        message = f"{what} has more than {MOST_LAYER_DEPTH} see-through layers in one another"
        hint = "mix the colours instead"
    elif weight.most > MOST_SCALE or weight.least < 1 / MOST_SCALE:
        message = f"transforms make {what} more than {MOST_SCALE:,.0f} times larger or smaller"
        raise WeightError(node, "svg/number", message, "see the transforms and view boxes in it")
    else:
        return
    raise WeightError(node, "svg/bounds", message, hint)
