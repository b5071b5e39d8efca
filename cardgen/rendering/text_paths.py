"""Outlines that text runs along: how long they are, and where each of their places lies."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping
from itertools import accumulate, pairwise

from cardgen.rendering.text_error import TextError
from cardgen.rendering.text_style import length
from cardgen.svg.flattening import lines_of
from cardgen.svg.limits import short
from cardgen.svg.transforms import transform_of
from cardgen.svg.tree import Node

_PIECES = 48
"""Straight pieces that a curve is measured in."""
_MOST = 10_000
"""Characters of an outline that text runs along: some 300 curves."""
_SHAPES = frozenset(("path", "rect", "circle", "ellipse", "line", "polygon", "polyline"))


class Track:
    """An outline as straight pieces, and how far along it each of them begins."""

    def __init__(self, node: Node) -> None:
        """Raises TextError for what is no outline."""
        if node.name not in _SHAPES:
            raise TextError("text/path", f"text runs along a <{short(node.name)}>", "name a <path> in href")
        if len(node.get("d") or node.get("points") or "") > _MOST:
            message = f"the path of a text has more than {_MOST:,} characters"
            raise TextError("text/bounds", message, "draw it with fewer nodes")
        try:
            matrix = transform_of(node.attrs)
        except ValueError as error:
            raise TextError("svg/transform", str(error)) from None
        lines = [
            [matrix.apply(*place) for place in line] for line in lines_of(node, _PIECES * _MOST, _PIECES)
        ]
        self.pieces = [
            (start, end) for line in lines for start, end in pairwise(line) if math.dist(start, end) > 0
        ]
        self.ends = list(accumulate(math.dist(start, end) for start, end in self.pieces))
        self.length = self.ends[-1] if self.ends else 0.0
        """All of it, mm."""
        said = node.get("pathLength")
        self._stated = length(said, "pathLength") if said else None

    def at(self, distance: float) -> tuple[float, float, float] | None:
        """The place so far along it, and the direction there in radians; None beyond its ends."""
        if not self.pieces or not 0 <= distance <= self.length:
            return None
        index = min(bisect_left(self.ends, distance), len(self.pieces) - 1)
        (x, y), (ex, ey) = self.pieces[index]
        whole = math.dist((x, y), (ex, ey))
        part = 1 - (self.ends[index] - distance) / whole
        return x + (ex - x) * part, y + (ey - y) * part, math.atan2(ey - y, ex - x)

    def offset(self, said: str | None, em: float) -> float:
        """Where text begins, by its startOffset. Raises TextError."""
        if said is None:
            return 0.0
        found = length(said, "startOffset", em, self.length)
        stretched = self._stated is not None and self._stated > 0 and not said.strip().endswith("%")
        return found * self.length / self._stated if stretched and self._stated else found


def track_of(attrs: Mapping[str, str], shapes: Mapping[str, Node]) -> Track:
    """The outline that a <textPath> names. Raises TextError."""
    href = attrs.get("href", attrs.get("xlink:href", ""))
    node = shapes.get(href.removeprefix("#")) if href.startswith("#") else None
    if node is None:
        hint = 'write href="#…", the id of a <path> in the same drawing'
        raise TextError("text/path", f"the path '{short(href)}' of a text is not there", hint)
    for name, usual in (("side", "left"), ("method", "align"), ("path", "")):
        if attrs.get(name, usual) != usual:
            raise TextError("text/path", f"{name}='{short(attrs[name])}' on a <textPath> is not set")
    return Track(node)
