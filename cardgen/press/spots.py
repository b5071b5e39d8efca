"""Inks beside the four: spot colours, whose plates are called by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pikepdf

Color = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

_OVER = {(True, True): "cg-over", (True, False): "cg-over-fill", (False, True): "cg-over-line"}
KNOCK = "cg-knock"
"""Graphics states: the inks of fills, lines or both lie over those below, and inks leave none below."""


@dataclass(frozen=True, slots=True)
class SpotInk:
    """What is painted in exactly the colour `shows` is of the ink `name`, all of it; with `overprint` what
    lies below it is printed as well."""

    name: str
    shows: Color
    overprint: bool = False

    @property
    def key(self) -> str:
        """What streams call its colour space."""
        return "cg-spot-" + self.name.encode("utf-8").hex()


class SpotInks:
    """Spot colours by the colours that stand for them; `used` gathers those met in a stream."""

    def __init__(self, spots: Iterable[SpotInk] = ()) -> None:
        self._spots = {spot.shows: spot for spot in spots}
        self.used: set[SpotInk] = set()

    def __iter__(self) -> Iterator[SpotInk]:
        return iter(self._spots.values())

    def of(self, color: Sequence[float]) -> SpotInk | None:
        """The spot colour that a colour (shares of 1) stands for."""
        if not self._spots:
            return None
        r, g, b = (round(channel * 255) for channel in color)
        return self._spots.get((r, g, b))

    def choose(self, spot: SpotInk, fill: bool) -> bytes:
        """The operators that choose it."""
        self.used.add(spot)
        space, choose = ("cs", "scn") if fill else ("CS", "SCN")
        return f"/{spot.key} {space} 1 {choose}".encode("ascii")


def space_of(spot: SpotInk, inks: Sequence[float], pdf: pikepdf.Pdf) -> Any:
    """The colour space of a spot colour; presses without that ink print `inks` in its place."""
    tint = pikepdf.Dictionary(
        FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=[round(ink, 4) for ink in inks], N=1
    )
    name = pikepdf.Name("/" + spot.name)
    return pdf.make_indirect(pikepdf.Array([pikepdf.Name.Separation, name, pikepdf.Name.DeviceCMYK, tint]))


def over_state(fill: bool, lines: bool) -> str | None:
    """The name of the graphics state in which fills or lines, or both, overprint."""
    return _OVER.get((fill, lines))


def states(pdf: pikepdf.Pdf) -> dict[str, Any]:
    """All of these graphics states by name (ISO 32000-1, 8.6.7)."""
    named = {**_OVER, (False, False): KNOCK}
    return {
        f"/{name}": pdf.make_indirect(pikepdf.Dictionary(OP=lines, op=fill, OPM=0))
        for (fill, lines), name in named.items()
    }
