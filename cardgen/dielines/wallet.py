"""A wallet for a few cards. In the flat, from top to bottom: front, spine, back, lid, tongue. The front has
a narrow wall and a glue flap on either side; the back is folded up behind it and glued to these flaps.
"""

from __future__ import annotations

from cardgen.dielines.flaps import glue_flap, notch, tongue, wall
from cardgen.dielines.sheet import Sheet
from cardgen.dielines.tuck import OVERLAP
from cardgen.geometry import Size
from cardgen.model.boxes import Dieline, Room

MOST_CARDS = 18
"""Cards that a wallet holds well: its walls have no flaps at their ends, and more cards push through."""
GLUE = 10.0
TONGUE = 22.0
_DIP = 9.0


def wallet(room: Room, paper: float) -> Dieline:
    """The wallet for a room, of card `paper` mm thick. Between front and back lie the glue flaps and the
    tongue, so its walls are that much deeper than the room."""
    width, height, depth = room.width + paper, room.height + paper, room.depth + 3 * paper
    glue = min(GLUE, width * 0.3)
    deep = min(TONGUE, height / 3)
    radius = min(_DIP, width / 5)
    sheet = Sheet(Size(width, height), notch(width, radius, min(radius, deep * 0.6)))
    for side in ("left", "right"):
        sheet.hang("front", side, side, wall(height, depth))
        sheet.hang(side, side, f"glue_{side}", glue_flap(height, glue), glued=True)
    sheet.hang("front", "bottom", "bottom", wall(width, depth))
    sheet.hang("bottom", "bottom", "back", wall(width, height), turn=180)
    sheet.hang("back", "bottom", "top", wall(width, depth))
    sheet.hang("top", "bottom", "tongue", tongue(width, deep))
    outer = Room(width + paper, height + paper, depth + paper)
    return sheet.finish("wallet", room, outer, paper, min(OVERLAP, glue / 3))
