"""In which order a guillotine cuts a page: first through the length of the paper, then the strips.

A guillotine cuts from edge to edge, so it frees what stands in rows and columns and nothing else. The cuts
along the longer side of the page come first, from left to right; the strips that come of them are laid on
each other and cut across, all at once. After the first cuts the marks of the others are on what was cut
off: they are then measured, and the order says how far apart they lie.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from cardgen.findings import Findings
from cardgen.geometry import Rect, Size
from cardgen.imposition.marks import distinct
from cardgen.imposition.slots import bounds
from cardgen.model.game import Game, GameSheet
from cardgen.model.sheets import CasedLine, Label, Line

NUMBER = 2.3
"""mm: 6.5 pt, the size of the numbers at the marks."""

_ASIDE = 0.5
"""mm between a mark and its number."""
_DIGIT = 0.55
"""Width of a digit, of the size of the type."""
_ASCENT = 0.75


@dataclass(frozen=True, slots=True)
class CutOrder:
    """The cuts of a page, `upright` by x and `level` by y in mm, each from the left or the top; those along
    the page's longer side come first."""

    upright: tuple[float, ...]
    level: tuple[float, ...]
    upright_first: bool

    def number(self, upright: bool, at: float) -> int | None:
        """Which cut the line there is, from 1; None if it is none."""
        places = self.upright if upright else self.level
        found = next((n for n, place in enumerate(places, start=1) if abs(place - at) < 0.01), None)
        if found is None or upright is self.upright_first:
            return found
        return found + len(self.level if upright else self.upright)

    def __str__(self) -> str:
        first, second = (self.upright, self.level) if self.upright_first else (self.level, self.upright)
        ways = ("upright", "across") if self.upright_first else ("across", "upright")
        last = len(first) + len(second)
        return (
            f"cut 1–{len(first)} {ways[0]}, then the strips together {len(first) + 1}–{last} {ways[1]}, "
            f"{_apart(second)} mm apart"
        )


def cut_order(trims: Sequence[Rect], page: Size) -> CutOrder | None:
    """The order for these cards; None where a cut from edge to edge along one runs through another."""
    upright = tuple(distinct(side for trim in trims for side in (trim.x, trim.right)))
    level = tuple(distinct(side for trim in trims for side in (trim.y, trim.bottom)))
    for trim in trims:
        if any(trim.x + 0.01 < x < trim.right - 0.01 for x in upright):
            return None
        if any(trim.y + 0.01 < y < trim.bottom - 0.01 for y in level):
            return None
    return CutOrder(upright, level, not page.landscape)


def say_no_order(game: Game, sheet: GameSheet, findings: Findings) -> None:
    """Finding, once a sheet: `sheet/cut-order`, a note on pieces that no guillotine frees."""
    if any(known.code == "sheet/cut-order" for known in findings):
        return
    findings.note(
        "sheet/cut-order",
        f"the pieces of '{sheet.name}' are not all freed by straight cuts through the paper, so no order "
        "of cuts is printed there",
        game.locator.locate(f"data/{game.id}/game.yaml", ("sheets", sheet.name)),
        "lay the rectangular ones out on a sheet of their own",
    )


def numbers(order: CutOrder, marks: Sequence[Line], trims: Sequence[Rect]) -> Iterator[tuple[Label, Rect]]:
    """A number beside each mark that stands on paper, and the area that it takes. Marks in the bleed, on
    art, have none."""
    box = bounds(trims)
    for mark in marks:
        if isinstance(mark, CasedLine) or mark.dashed:
            continue
        upright = mark.x1 == mark.x2
        number = order.number(upright, mark.x1 if upright else mark.y1)
        if number is None:
            continue
        width, height = len(str(number)) * _DIGIT * NUMBER, _ASCENT * NUMBER
        if upright:
            above = mark.y2 <= box.y
            area = Rect(mark.x1 + _ASIDE, mark.y2 - height if above else mark.y1, width, height)
        else:
            left = mark.x2 <= box.x
            area = Rect(mark.x2 - width if left else mark.x1, mark.y1 - _ASIDE - height, width, height)
        yield Label(str(number), area.x, area.bottom, NUMBER), area


def _apart(places: Sequence[float]) -> str:
    """The distances between cuts, each that there is once."""
    return " and ".join(dict.fromkeys(f"{round(b - a, 2):g}" for a, b in pairwise(places)))
