"""A tuck box. In the flat, from left to right: glue flap, left side, front, right side, back. The lid hangs
on the back and its tongue goes behind the front, which has a dip for the thumb; the bottom is glued, or
tucked as the lid is.

Walls are measured from fold to fold, which runs in the middle of the card's thickness. So a wall is one
thickness longer than what it encloses, and longer by each flap that comes to lie inside:

    across       no flap
    front, back  the glue flap and the lid's tongue
    top, bottom  the dust flaps below the lid; those on the bottom, and the flap that the bottom is glued to
"""

from __future__ import annotations

from typing import Literal

from cardgen.dielines.flaps import dust_flap, glue_flap, notch, tongue, wall
from cardgen.dielines.sheet import Sheet
from cardgen.geometry import Size
from cardgen.model.boxes import Dieline, Room

Bottom = Literal["glued", "tucked"]

GLUE = 12.0
"""mm, the width of a glue flap: a glue stick's."""
TONGUE = 16.0
DUST = 22.0
OVERLAP = 2.0
"""mm that ink runs onto a glue flap, so that no white shows beside the seam."""
LEAST_GLUED = 10.0
"""mm: a bottom that is less deep has too little room for glue, and is tucked."""
_DIP = 9.0
_SLIT = 5.0


def tuck_box(room: Room, paper: float, bottom: Bottom | None = None) -> Dieline:
    """The box for a room, of card `paper` mm thick. Without `bottom`, it is glued where that holds."""
    glued = bottom == "glued" or (bottom is None and room.depth >= LEAST_GLUED)
    width = room.width + paper
    depth = room.depth + 3 * paper
    height = room.height + (4 if glued else 3) * paper
    glue = min(GLUE, width * 0.4)
    dust = min(max(depth, 8.0), width / 2 - 0.5, height / 3, DUST)
    deep = min(TONGUE, height / 3)
    radius = min(_DIP, width / 5)
    slit = min(_SLIT, width / 8)

    sheet = Sheet(Size(width, height), notch(width, radius, min(radius, deep * 0.6)))
    sheet.hang("front", "left", "left", wall(height, depth))
    sheet.hang("front", "right", "right", wall(height, depth))
    sheet.hang("right", "right", "back", wall(height, width))
    sheet.hang("left", "left", "glue", glue_flap(height, glue), glued=True)
    sheet.hang("left", "top", "dust_top_left", dust_flap(depth, dust))
    sheet.hang("right", "top", "dust_top_right", dust_flap(depth, dust))
    sheet.hang("left", "bottom", "dust_bottom_left", dust_flap(depth, dust))
    sheet.hang("right", "bottom", "dust_bottom_right", dust_flap(depth, dust))
    sheet.hang("back", "top", "top", wall(width, depth), turn=180)
    sheet.hang("top", "top", "tongue", tongue(width, deep), slit=slit)
    sheet.hang("back", "bottom", "bottom", wall(width, depth), turn=180)
    if glued:
        flap = min(GLUE, depth - 0.5)
        sheet.hang("front", "bottom", "glue_bottom", glue_flap(width, flap), glued=True)
    else:
        sheet.hang("bottom", "bottom", "tongue_bottom", tongue(width, deep), slit=slit)
    outer = Room(width + paper, height + paper, depth + paper)
    return sheet.finish("tuck", room, outer, paper, min(OVERLAP, glue / 3))
