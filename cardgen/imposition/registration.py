"""Marks that a Silhouette cutting machine looks for before it cuts: where the sheet lies, and how it lies.

A filled square at the top left, an L at the top right and one at the bottom left, as Silhouette Studio
prints them with the settings below; there they have to be set to the same figures.
"""

from __future__ import annotations

from dataclasses import replace

from cardgen.geometry import Rect, Size
from cardgen.imposition.grid import Arrangement, arrange
from cardgen.model.sheets import Line, SheetLayout

INSET = 10.0
"""mm from the paper's edges to the marks (Silhouette Studio: 10 mm for all four sides)."""
LENGTH = 20.0
"""mm, the arms of an L (Silhouette Studio: Length 20 mm)."""
THICKNESS = 0.5
"""mm, their weight (Silhouette Studio: Thickness 0.5 mm)."""
SQUARE = 5.0
"""mm, a side of the square."""
CLEAR = 1.0
"""mm around a mark into which nothing is printed."""


def registration_marks(page: Size) -> tuple[Line, ...]:
    """The marks on a page. The square is a line as thick as it is long."""
    near, far_x, far_y, half = INSET, page.width - INSET, page.height - INSET, THICKNESS / 2
    middle = near + SQUARE / 2
    return (
        Line(near, middle, near + SQUARE, middle, SQUARE),
        Line(far_x - LENGTH, near + half, far_x, near + half, THICKNESS),
        Line(far_x - half, near, far_x - half, near + LENGTH, THICKNESS),
        Line(near, far_y - half, near + LENGTH, far_y - half, THICKNESS),
        Line(near + half, far_y - LENGTH, near + half, far_y, THICKNESS),
    )


def marked_corners(page: Size) -> tuple[Rect, ...]:
    """The corners that the machine searches, from the paper's edges to the ends of the marks: no ruler and
    no label stands there."""
    reach = INSET + LENGTH + CLEAR
    return (
        Rect(0, 0, reach, reach),
        Rect(page.width - reach, 0, reach, reach),
        Rect(0, page.height - reach, reach, reach),
    )


def arrange_between(
    trim: Size,
    paper: Size,
    layout: SheetLayout,
    *,
    lying: int = 0,
    standing: int = 0,
    fold: bool = False,
    honeycomb: bool = False,
) -> Arrangement | None:
    """As `arrange`, with the cards clear of the marks: the most cards, inside the marks' thin arms, if
    they keep clear of the square, or inside all of them."""
    best: Arrangement | None = None
    for beyond in (THICKNESS, SQUARE):
        margin = max(layout.margin, INSET + beyond + CLEAR)
        found = arrange(
            trim,
            paper,
            replace(layout, margin=margin),
            lying=lying,
            standing=standing,
            fold=fold,
            honeycomb=honeycomb,
        )
        if found is None or bleed_between(found, layout.bleed) < 0:
            continue
        if best is None or found.capacity > best.capacity:
            best = found
    return best


def bleed_between(arrangement: Arrangement, bleed: float) -> float:
    """How much of its bleed a block can print beside the marks, in mm; below 0 if it lies on one itself."""
    room = bleed
    for mark in map(_area, registration_marks(arrangement.page)):
        block = arrangement.block
        apart = max(
            mark.x - block.right, block.x - mark.right, mark.y - block.bottom, block.y - mark.bottom
        )
        room = min(room, apart - CLEAR)
    return room if room >= 0 or room < -1e-6 else 0.0


def _area(line: Line) -> Rect:
    """What a level or upright line covers."""
    half = line.weight / 2
    if line.y1 == line.y2:
        return Rect(line.x1, line.y1 - half, line.x2 - line.x1, line.weight)
    return Rect(line.x1 - half, line.y1, line.weight, line.y2 - line.y1)
