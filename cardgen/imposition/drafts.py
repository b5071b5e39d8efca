"""What lies on a page, before anything is printed around it."""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.geometry import IDENTITY, Matrix, Rect
from cardgen.imposition.grid import Arrangement
from cardgen.imposition.slots import bounds
from cardgen.model.sheets import Side, Slot


@dataclass(frozen=True, slots=True)
class Draft:
    """A page without its furniture. `trims` are the places to mark, blank backs among them."""

    arrangement: Arrangement
    side: Side
    content: str
    slots: tuple[Slot, ...]
    trims: tuple[Rect, ...]
    bookmark: str | None = None
    adjust: Matrix = IDENTITY

    @property
    def halves(self) -> tuple[tuple[Rect, ...], ...]:
        """The places on each side of a fold; without one, all of them."""
        if self.arrangement.fold is None:
            return (self.trims,) if self.trims else ()
        middle = len(self.trims) // 2
        return self.trims[:middle], self.trims[middle:]

    @property
    def blocks(self) -> tuple[Rect, ...]:
        """The rectangles around the occupied cells."""
        return tuple(bounds(half) for half in self.halves)
