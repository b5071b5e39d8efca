"""Marks that a cutting machine looks for before it cuts: where the sheet lies, and how it lies.

*Silhouette*: a filled square at the top left, an L at the top right and one at the bottom left, as
Silhouette Studio prints them with the settings below; there they have to be set to the same figures.

*OPOS*, of Summa's cutters: filled black squares along the longer sides of the paper, one in each corner at
least. Summa's manual itself was not at hand. The figures are those that programs which draw such marks
quote from it (the OPOS chapter of the manuals of the S Class and the DC5): squares of 1.5 to 10 mm, 3 mm
advised; white around each for 3 to 4 times its size; about 400 mm from one to the next, 1300 mm at most.
Another of these programs keeps the middle of a mark 10 mm from the art, which is a little less white. The
bar that OPOS XY reads is not printed: OPOS X does without.
"""

from __future__ import annotations

import math
from dataclasses import replace

from cardgen.geometry import Rect, Size
from cardgen.imposition.grid import Arrangement, arrange
from cardgen.model.sheets import Line, Marks, SheetLayout

MACHINES: tuple[Marks, ...] = ("silhouette", "opos")
"""The marks that are a machine's."""

INSET = 10.0
"""mm from the paper's edges to the marks (Silhouette Studio: 10 mm for all four sides; OPOS asks for nearly
as much white)."""
LENGTH = 20.0
"""mm, the arms of an L (Silhouette Studio: Length 20 mm)."""
THICKNESS = 0.5
"""mm, their weight (Silhouette Studio: Thickness 0.5 mm)."""
SQUARE = 5.0
"""mm, a side of the square."""
CLEAR = 1.0
"""mm around a mark of Silhouette's into which nothing is printed."""

OPOS_SQUARE = 3.0
"""mm, a side of an OPOS mark."""
OPOS_CLEAR = 3 * OPOS_SQUARE
"""mm of white around an OPOS mark."""
OPOS_STEP = 410.0
"""mm, the most from one OPOS mark to the next: about 400, so that A3 and Tabloid have four marks."""


def registration_marks(page: Size, kind: Marks = "silhouette") -> tuple[Line, ...]:
    """The marks on a page. A square is a line as thick as it is long."""
    if kind == "opos":
        half = OPOS_SQUARE / 2
        return tuple(
            Line(square.x, square.y + half, square.right, square.y + half, OPOS_SQUARE)
            for square in opos_squares(page)
        )
    near, far_x, far_y, half = INSET, page.width - INSET, page.height - INSET, THICKNESS / 2
    middle = near + SQUARE / 2
    return (
        Line(near, middle, near + SQUARE, middle, SQUARE),
        Line(far_x - LENGTH, near + half, far_x, near + half, THICKNESS),
        Line(far_x - half, near, far_x - half, near + LENGTH, THICKNESS),
        Line(near, far_y - half, near + LENGTH, far_y - half, THICKNESS),
        Line(near + half, far_y - LENGTH, near + half, far_y, THICKNESS),
    )


def opos_squares(page: Size) -> tuple[Rect, ...]:
    """OPOS marks: at both ends of the page's longer sides, and between them where these are far apart."""
    if page.landscape:
        return tuple(Rect(each.y, each.x, each.height, each.width) for each in opos_squares(page.turned))
    first, last = INSET, page.height - INSET - OPOS_SQUARE
    steps = max(1, math.ceil((last - first) / OPOS_STEP))
    return tuple(
        Rect(x, first + (last - first) * step / steps, OPOS_SQUARE, OPOS_SQUARE)
        for step in range(steps + 1)
        for x in (INSET, page.width - INSET - OPOS_SQUARE)
    )


def marked_corners(page: Size, kind: Marks = "silhouette") -> tuple[Rect, ...]:
    """What the machine searches, from the paper's edges to the ends of the marks: no ruler and no label
    stands there."""
    if kind == "opos":
        return tuple(square.inset(-OPOS_CLEAR) for square in opos_squares(page))
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
    """As `arrange`, with the cards clear of the marks of the layout's machine.

    Silhouette: the most cards, inside the marks' thin arms, if they keep clear of the square, or inside all
    of them. OPOS: the most cards between the marks at two opposite edges of the paper, bleed and all.
    """
    best: Arrangement | None = None
    tried: list[tuple[Size, float]]  # the paper without strips at two of its edges, the margin
    if layout.marks == "opos":
        strip = INSET + OPOS_SQUARE + OPOS_CLEAR + layout.bleed - layout.margin
        tried = [
            (Size(paper.width, paper.height - 2 * strip), layout.margin),
            (Size(paper.width - 2 * strip, paper.height), layout.margin),
        ]
    else:
        tried = [(paper, max(layout.margin, INSET + beyond + CLEAR)) for beyond in (THICKNESS, SQUARE)]
    for room, margin in tried:
        if min(room.width, room.height) <= 0:
            continue
        found = arrange(
            trim,
            room,
            replace(layout, margin=margin),
            lying=lying,
            standing=standing,
            fold=fold,
            honeycomb=honeycomb,
        )
        if found is None:
            continue
        found = _on(paper, room, found)
        if bleed_between(found, layout.bleed, layout.marks) < 0:
            continue
        if best is None or found.capacity > best.capacity:
            best = found
    return best


def keeps_clear(block: Rect, page: Size, kind: Marks) -> bool:
    """Whether a block, bleed and all, lies clear of the marks on a page."""
    clear = OPOS_CLEAR if kind == "opos" else CLEAR
    return not any(block.overlaps(_area(mark).inset(-clear)) for mark in registration_marks(page, kind))


def _on(paper: Size, room: Size, found: Arrangement) -> Arrangement:
    """An arrangement on the middle of a paper as one on all of it."""
    page = paper if found.page.close_to(room) else paper.turned
    right, down = (page.width - found.page.width) / 2, (page.height - found.page.height) / 2
    block = found.block
    return replace(found, page=page, block=Rect(block.x + right, block.y + down, block.width, block.height))


def bleed_between(arrangement: Arrangement, bleed: float, kind: Marks = "silhouette") -> float:
    """How much of its bleed a block can print beside the marks, in mm; below 0 if it lies on one itself."""
    room = bleed
    clear = OPOS_CLEAR if kind == "opos" else CLEAR
    for mark in map(_area, registration_marks(arrangement.page, kind)):
        block = arrangement.block
        apart = max(
            mark.x - block.right, block.x - mark.right, mark.y - block.bottom, block.y - mark.bottom
        )
        room = min(room, apart - clear)
    return room if room >= 0 or room < -1e-6 else 0.0


def _area(line: Line) -> Rect:
    """What a level or upright line covers."""
    half = line.weight / 2
    if line.y1 == line.y2:
        return Rect(line.x1, line.y1 - half, line.x2 - line.x1, line.weight)
    return Rect(line.x1 - half, line.y1, line.weight, line.y2 - line.y1)
