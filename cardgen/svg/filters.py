"""Filters: which of their parts are drawn, and how much work they are, reckoned before any is drawn."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cardgen.svg.extents import Extent
from cardgen.svg.limits import MOST_FILTER_PIXELS, MOST_FILTER_REACH, MOST_FILTER_WORK, short
from cardgen.svg.names import names
from cardgen.svg.numbers import number, numbers
from cardgen.svg.tree import Node

PARTS = names(
    "feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting "
    "feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge "
    "feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTurbulence"
)
DPI = "data-filter-dpi"
"""Attribute of a picture's root: how many pixels an inch its filters make, if not FILTER_DPI."""
_REFUSED = {
    "feImage": "put the image below what is filtered",
    "feTile": "fill a shape with a pattern",
    "feDisplacementMap": "save it as an image",
}
MOST_OCTAVES = 10
"""Of turbulence; each is half as strong as the one before, and shows in 8 bits up to the eighth."""
MOST_ORDER = 9
"""Rows and columns of a convolution."""

_FUNCTIONS = re.compile(
    r"(?:\s*(?:blur|brightness|contrast|drop-shadow|grayscale|hue-rotate|invert|opacity|saturate|sepia)"
    r"\((?:[^()]|\([^()]*\))*\))+\s*"
)
_LONGEST = 300

Trouble = tuple[str, str, str | None]


def filter_functions(value: str) -> bool:
    """Whether a `filter` is of CSS's own functions."""
    return len(value) < _LONGEST and _FUNCTIONS.fullmatch(value) is not None


def part_trouble(node: Node) -> Trouble | None:
    """What is wrong with an element whose name begins with `fe`, as such."""
    if node.name in PARTS:
        return None
    return (
        f"svg/{node.name.lower()}",
        f"the filter <{short(node.name)}> is not drawn",
        _REFUSED.get(node.name, "save it as an image"),
    )


def work_troubles(node: Node) -> Iterator[Trouble]:
    """What of a part of a filter is more than is drawn."""
    if node.name == "feTurbulence":
        yield from _at_most(node, "numOctaves", MOST_OCTAVES)
    elif node.name == "feConvolveMatrix":
        yield from _at_most(node, "order", MOST_ORDER)


def _at_most(node: Node, name: str, most: int) -> Iterator[Trouble]:
    text = node.get(name, "1") or ""
    found = numbers(text)
    if not found or max(found) > most:
        yield ("svg/bounds", f"{name} is '{short(text)}'", f"a number up to {most}")


# ---- what a filter comes to, before any of it is drawn

_STEPS = {
    "feFlood": 1.0,
    "feGaussianBlur": 18.0,
    "feDropShadow": 30.0,
    "feMerge": 2.0,
    "feMergeNode": 2.0,
    "feMorphology": 3.0,
    "feConvolveMatrix": 3.0,
    "feTurbulence": 10.0,
    "feDiffuseLighting": 5.0,
    "feSpecularLighting": 5.0,
}
"""Steps of work a pixel, each a hundredth of a microsecond on a machine of today."""
_OTHER = 4.0
_OCTAVE = 8.0
_CELL = 0.4
"""Of a convolution; those of a morphology count in `Filtered.spread`."""
_NEIGHBOUR = 0.75
"""Of a pixel, in a morphology."""
_ITSELF = 5.0
"""Of the picture before it is filtered, and of its bytes in the PDF."""
_PAINTING = 0.2
"""A pixel of a shape below a filter, drawn as pixels as well."""
_RESULTS_BESIDE = 2
"""Pictures of the whole region that there are beside the results of the filter's parts."""
_ROOM = 1000.0
"""What 100 % are where the drawing's own size is not known."""
_MARGINS = {"width": 1.2, "height": 1.2}
_REACHING = names("dx dy x y z width height stdDeviation radius pointsAtX pointsAtY pointsAtZ surfaceScale")
_FUNCTION = re.compile(r"([a-z-]+)\(((?:[^()]|\([^()]*\))*)\)")
_AROUND_FUNCTIONS = 4.0
"""The area of a CSS function's region, in those of the box of what it is on."""
_PER_UNIT = 96.0
"""Pixels in the largest unit, an inch."""


class Filtered(NamedTuple):
    """What the filters in an element come to. `work` is the area of their regions times the steps that a
    pixel takes, `held` the area of all pictures that there are at once, both in square units around the
    element; `spread` is that of a morphology, by its radii, in units to the fourth; `reach` the longest
    length said in a filter."""

    work: float = 0.0
    held: float = 0.0
    spread: float = 0.0
    reach: float = 0.0

    def beside(self, other: Filtered) -> Filtered:
        """Both, one after the other."""
        if other is UNFILTERED:
            return self
        if self is UNFILTERED:
            return other
        return Filtered(
            self.work + other.work,
            max(self.held, other.held),
            self.spread + other.spread,
            max(self.reach, other.reach),
        )

    def around(self, inner: Filtered) -> Filtered:
        """This filter over an element with others in it."""
        return self.beside(inner)._replace(held=self.held + inner.held)

    def within(self, area: float, side: float) -> Filtered:
        """The same seen from around a transform that makes an area and a length so many times larger."""
        if self is UNFILTERED:
            return self
        return Filtered(self.work * area, self.held * area, self.spread * area * area, self.reach * side)

    def trouble(self, square: float) -> str:
        """What they are too much of, in words; "" if they are not. `square` pixels are a square unit."""
        # What is no number passes no comparison.
        work = self.work * square + self.spread * square * square
        if not work <= MOST_FILTER_WORK:
            return f"{MOST_FILTER_WORK // 1_000_000} million steps of filtering pixels"
        if not self.held * square <= MOST_FILTER_PIXELS:
            return f"{MOST_FILTER_PIXELS // 1_000_000} million pixels in one filter, its steps counted"
        if not self.reach * math.sqrt(square) <= MOST_FILTER_REACH:
            return f"{MOST_FILTER_REACH:,} pixels from one end of a filter's effect to the other"
        return ""


UNFILTERED = Filtered()


class Parts(NamedTuple):
    """What the parts of a filter come to: steps a pixel, pictures at once, the squares of a morphology's
    radii, the longest length, and whether lengths are parts of the box of what it is on."""

    steps: float
    results: int
    spread: float
    reach: float
    boxed: bool


def parts_of(chain: Sequence[Node]) -> Parts:
    """The parts of a filter and of those that it takes after."""
    steps, results, spread, reach = _ITSELF, _RESULTS_BESIDE, 0.0, 0.0
    for part in (part for each in chain for part in each.elements()):
        steps += _STEPS.get(part.name, _OTHER)
        results += 1 + (part.name == "feDropShadow")
        if part.name == "feTurbulence":
            steps += _OCTAVE * min(_most(part, "numOctaves", 1.0), MOST_OCTAVES)
        elif part.name == "feConvolveMatrix":
            steps += _CELL * min(_most(part, "order", 3.0), MOST_ORDER) ** 2
        elif part.name == "feMerge":
            steps += _STEPS["feMergeNode"] * len(part.children)
        elif part.name == "feMorphology":
            spread += _NEIGHBOUR * (2 * _most(part, "radius", 0.0)) ** 2
        for name in _REACHING & part.attrs.keys():
            reach = max(reach, _most(part, name, 0.0))
    boxed = any(each.get("primitiveUnits") == "objectBoundingBox" for each in chain)
    return Parts(steps, results, spread, reach, boxed)


def by_filter(node: Node, parts: Parts, extent: Extent) -> Filtered:
    """What a filter comes to on something of that extent."""
    area, reach = _region(node, extent)
    size = max(extent.width, extent.height) if parts.boxed else 1.0
    return Filtered(
        area * parts.steps + _PAINTING * extent.painted,
        area * parts.results,
        area * size * size * parts.spread,
        max(reach, size * parts.reach),
    )


def by_functions(value: str, extent: Extent) -> Filtered:
    """What a `filter` of CSS's own functions comes to."""
    area = _AROUND_FUNCTIONS * extent.width * extent.height
    steps, results, reach = _ITSELF, _RESULTS_BESIDE, 0.0
    for name, inside in _FUNCTION.findall(value):
        shadow = name == "drop-shadow"
        steps += (
            _STEPS["feDropShadow" if shadow else "feGaussianBlur"] if shadow or name == "blur" else _OTHER
        )
        results += 1 + shadow
        if shadow or name == "blur":
            reach = max([reach, *(abs(each) * _PER_UNIT for each in numbers(inside))])
    return Filtered(area * steps + _PAINTING * extent.painted, area * results, 0.0, reach)


def _region(node: Node, extent: Extent) -> tuple[float, float]:
    """The area of a filter's region, and its longer side."""
    own = node.get("filterUnits") == "userSpaceOnUse"
    sides = []
    for name, side in (("width", extent.width), ("height", extent.height)):
        text = (node.get(name) or "").strip()
        value = number(text.removesuffix("px").removesuffix("%"))
        if value is None:
            value = _MARGINS[name] * (_ROOM if own and not text else 1.0)
            if text:  # in a unit that is not read here: none is longer
                value = max([_ROOM, *(abs(each) * _PER_UNIT for each in numbers(text))])
        elif text.endswith("%"):
            value *= _ROOM / 100 if own else 0.01
        sides.append(abs(value) * (1.0 if own else side))
    return sides[0] * sides[1], max(sides)


def _most(node: Node, name: str, default: float) -> float:
    """The largest of an attribute's numbers."""
    return max((abs(each) for each in numbers(node.get(name) or "")), default=default)
