"""What of a pattern's tile only touches the edge of what the pattern fills, from outside.

A reader that smooths that edge and a shape beside it each by itself lets a hair of the shape through.
"""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.geometry import Rect

_NEAR = 1e-4
"""How near to an edge touches it, in parts of a tile."""


class Beside:
    """The elements of a tile, of the size of `cell`. `boxes` are around them; None where that is not known,
    or where more is painted than what lies in it."""

    def __init__(self, boxes: Sequence[Rect | None], cell: Rect) -> None:
        self._boxes = boxes
        self._all = tuple(range(len(boxes)))
        self._cell = cell
        self._near = _NEAR * min(cell.width, cell.height)

    def without(self, area: Rect) -> tuple[int, ...]:
        """Which elements do not just touch the area from outside. It is in the tile's units."""
        near = self._near
        if area.inset(2 * near).contains(self._cell, 0):
            return self._all
        wide = area.inset(-2 * near)
        return tuple(
            index
            for index, box in enumerate(self._boxes)
            if box is None or area.overlaps(box, near) or not wide.overlaps(box, 0)
        )
