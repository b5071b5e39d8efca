"""Filters: which of their parts are drawn, and how much work one may be."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cardgen.svg.limits import short
from cardgen.svg.names import names
from cardgen.svg.numbers import numbers
from cardgen.svg.tree import Node

PARTS = names(
    "feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting "
    "feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge "
    "feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTurbulence"
)
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
