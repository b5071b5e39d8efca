"""What drawing an element or a side comes to: the figures that weighing reckons with, and their bounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from cardgen.findings import Problem
from cardgen.geometry import Matrix, Rect
from cardgen.svg.filters import UNFILTERED, Filtered
from cardgen.svg.limits import (
    FILTER_PIXELS,
    MOST_DEPTH,
    MOST_HARD_TEXT,
    MOST_LAYER_DEPTH,
    MOST_LAYERS,
    MOST_MARKUP,
    MOST_PAINTED,
    MOST_PICTURES,
    MOST_REPEATED,
    MOST_SCALE,
    MOST_SIDE_TEXT,
    MOST_STEPS,
    MOST_TILED,
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


class Weight(NamedTuple):
    """What drawing an element once comes to, or a side.

    `steps` counts shapes and the length of their outlines (see STEP_CHARACTERS), `own` leaves out what
    references add. `see_through` are shapes that become layers if they have a stroke. `longest` is the
    longest outline, in characters. `least` and `most` say how many times smaller or larger than around
    it anything in the element is drawn, `cell` is the least area of a pattern's cell, in the units around
    the element. `unscaled` says that some stroke keeps its width whatever the transforms. `pictures` are
    drawn apart; `characters` are those of texts, `hard` those of them that are hard to break into lines.
    `filtered` is what the filters come to. `tiled` counts the steps that patterns repeat, tile by tile, and
    `painted` is the area of all layers and gradients, in square units around the element, and `shaded` the
    sides that gradients paint at most. `once` is the own of the largest thing that a reference shows.
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
    pictures: int = 0
    characters: int = 0
    hard: int = 0
    filtered: Filtered = UNFILTERED
    tiled: float = 0.0
    painted: float = 0.0
    shaded: float = 0.0
    once: float = 0.0

    @property
    def repeated(self) -> float:
        """Steps that references add, but for the largest thing shown: it stands in a file once."""
        return self.steps - self.own - self.once

    def beside(self, other: Weight) -> Weight:
        """Both, one after the other."""
        if other is NOTHING:
            return self
        if self is NOTHING:
            return other
        return Weight(
            self.steps + other.steps,
            self.own + other.own,
            self.shapes + other.shapes,
            # Twice as fast as min and max, and a side is full of these.
            self.depth if self.depth >= other.depth else other.depth,
            self.layers + other.layers,
            self.layer_depth if self.layer_depth >= other.layer_depth else other.layer_depth,
            self.see_through + other.see_through,
            self.longest if self.longest >= other.longest else other.longest,
            self.least if self.least <= other.least else other.least,
            self.most if self.most >= other.most else other.most,
            self.cell if self.cell <= other.cell else other.cell,
            self.dashes + other.dashes,
            self.unscaled or other.unscaled,
            self.pictures + other.pictures,
            self.characters + other.characters,
            self.hard + other.hard,
            self.filtered.beside(other.filtered),
            self.tiled + other.tiled,
            self.painted + other.painted,
            self.shaded + other.shaded,
            self.once if self.once >= other.once else other.once,
        )

    def within(self, matrix: Matrix) -> Weight:
        """The same seen from around a transform."""
        across, down = math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d)
        area = abs(matrix.a * matrix.d - matrix.b * matrix.c)
        if area < 1e-12:  # drawing stops there
            return self._replace(least=math.inf, most=0.0, cell=math.inf, filtered=UNFILTERED, painted=0.0)
        return self._replace(
            least=self.least * min(across, down),
            most=self.most * max(across, down),
            cell=self.cell * area,
            filtered=self.filtered.within(area, max(across, down)),
            painted=self.painted * area,
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
        weight = weight._replace(layers=weight.layers + weight.see_through, see_through=0)
        weight = weight._replace(layer_depth=max(weight.layer_depth, 1))
    blended = style.get("mix-blend-mode", "normal") != "normal" or "isolation" in style
    if style.get("opacity", "1").strip() in ("1", "inherit", "1.0") and not blended:
        return weight
    if node.name in SHAPES and not blended:
        if style.get("stroke", "none") == "none":
            return weight._replace(see_through=weight.see_through + 1)
    elif not (weight.shapes or weight.layers):
        return weight
    return weight._replace(layers=weight.layers + 1, layer_depth=weight.layer_depth + 1)


def hold(node: Node, weight: Weight) -> None:
    """Raise WeightError if an element comes to more than is drawn."""
    what = f"what <{node.name}> shows"
    if weight.depth > MOST_DEPTH:
        message, hint = f"{what} is nested more than {MOST_DEPTH} deep", "what it refers to counts, too"
    elif weight.repeated > MOST_REPEATED:
        message = f"{what} comes to more than {MOST_REPEATED:,} steps of drawing, all references followed"
        hint = "see what <use>, patterns and markers repeat"
    elif weight.tiled > MOST_TILED:
        message = f"{what} comes to more than {MOST_TILED:,} steps of drawing, tile by tile"
        hint = "make the tiles of its patterns larger, or fill fewer shapes with them"
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


def side_problem(weight: Weight, offset: int) -> Problem | None:
    """What is wrong if a side comes to more than it may; `offset` is of the element that was last."""
    hint = "draw less, or save it as a PNG"
    if weight.repeated > MOST_REPEATED:
        what = f"{MOST_REPEATED:,} steps of drawing by what is shown again and again"
        hint = "see what <use>, patterns, gradients and markers repeat"
    elif weight.steps > MOST_STEPS:
        what = f"{MOST_STEPS:,} steps of drawing"
    elif weight.tiled > MOST_TILED:
        what = f"{MOST_TILED:,} steps of drawing, tile by tile"
        hint = "make the tiles of its patterns larger, or fill fewer shapes with them"
    elif weight.painted * FILTER_PIXELS * FILTER_PIXELS > MOST_PAINTED:
        what = f"{MOST_PAINTED // 1_000_000:,} million pixels of see-through layers, masks and gradients"
        hint = "mix the colours instead, make the layers smaller, or save them as a PNG"
    elif weight.layers > MOST_LAYERS:
        what, hint = f"{MOST_LAYERS:,} see-through layers", "mix the colours instead"
    elif weight.pictures > MOST_PICTURES:
        what = f"{MOST_PICTURES:,} shapes that stand by themselves"
        hint = "put shapes that belong together into a group <g>, without text"
    elif weight.characters > MOST_SIDE_TEXT:
        what, hint = f"{MOST_SIDE_TEXT:,} characters of text", "shorten the texts"
    elif weight.hard > MOST_HARD_TEXT:
        what = f"{MOST_HARD_TEXT:,} characters in words that are not of plain letters"
        hint = "shorten the texts"
    elif what := weight.filtered.trouble(FILTER_PIXELS * FILTER_PIXELS):
        hint = "filter less, or a smaller part, or save what is filtered as a PNG"
    else:
        return None
    return Problem("svg/bounds", f"with this the side comes to more than {what}", hint, offset=offset)


class MarkupError(Exception):
    """A side or drawing comes to more markup than is drawn. The text is a sentence for the designer."""


class Room:
    """What is left of the markup that a side or a drawing may come to. Every element gets the properties
    of its rules written out, so that a long rule for many elements is very much longer than its source."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = MOST_MARKUP

    def take(self, text: str) -> str:
        """The text. Raises MarkupError if there is no room for it."""
        self._left -= len(text)
        if self._left < 0:
            message = f"it comes to more than {MOST_MARKUP // 1_000_000} MB with its styles written out"
            raise MarkupError(message)
        return text
