"""How many tiles of a pattern are drawn, and how small they are."""

from __future__ import annotations

import math

from cardgen.svg.extents import Extent, side_of
from cardgen.svg.limits import MOST_CELLS, MOST_TILES, short
from cardgen.svg.numbers import number
from cardgen.svg.transforms import parse_transform
from cardgen.svg.tree import Node
from cardgen.svg.weights import Weight, WeightError


def tile_count(pattern: Node, extent: Extent, weight: Weight) -> float:
    """The tiles that are drawn for all shapes in an element which a pattern fills, from its extent and
    weight: never too few."""
    try:
        matrix = parse_transform(pattern.get("patternTransform"))
    except ValueError:
        return 0.0  # a finding of the lint
    own_units = pattern.get("patternUnits") == "userSpaceOnUse"
    across = side_of(pattern, "width", 1.0 if own_units else extent.width)
    down = side_of(pattern, "height", 1.0 if own_units else extent.height)
    if not across or not down or matrix.a * matrix.d == matrix.b * matrix.c:
        return 0.0  # nothing is painted
    if own_units and weight.least < math.inf:
        across, down = across * weight.least, down * weight.least
    many = weight.shapes > 1
    if many and own_units and not (matrix.b or matrix.c):
        across, down = across * abs(matrix.a), down * abs(matrix.d)
        count = extent.area / (across * down) + extent.edges / min(across, down) + extent.shapes
    else:  # each reaches as far as all together, at most
        reach = extent.within(matrix.inverse())
        count = weight.shapes * (reach.width / across + 1) * (reach.height / down + 1)
    return min(count, float(MOST_TILES * weight.shapes))


def least_cell(node: Node, pattern: Node, weight: Weight, scale: float) -> float:
    """The least area of a cell in the units of the element that is filled with a pattern, anything in
    which is drawn `scale` times as large. Raises WeightError for very small parts of a shape's box."""
    own_units = pattern.get("patternUnits") == "userSpaceOnUse"
    try:
        matrix = parse_transform(pattern.get("patternTransform"))
    except ValueError:
        return math.inf  # a finding of the lint
    area = abs(matrix.a * matrix.d - matrix.b * matrix.c)
    for name in ("width", "height"):
        text = (pattern.get(name) or "0").strip().removesuffix("px")
        side = number(text.removesuffix("%")) or 0.0
        area *= abs(side) / (100 if text.endswith("%") else 1)
    if not area:
        return math.inf  # nothing is painted
    if not own_units and area * MOST_CELLS < 1:
        message = (
            f"the pattern '{short(pattern.get('id') or '')}' has more than {MOST_CELLS:,} cells in a box"
        )
        raise WeightError(node, "svg/bounds", message, "make the pattern's cell larger")
    return min(area if own_units else math.inf, weight.cell) * scale * scale
