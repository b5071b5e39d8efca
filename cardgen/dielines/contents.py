"""How much room cards take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cardgen.geometry import Size
from cardgen.model.boxes import Room

STOCK = 0.3
"""mm a card: of 300 to 320 g/m², as professional playing cards are, by printers' own notes 0.29 to
0.30 mm; cards of trading card games measure 0.305 mm. Board for offices and coated board may be 0.4 mm."""
PLAY = 1.0
"""mm that a pile has to spare in each direction, to slide out."""
PAPER = 0.35
"""mm, the box's own card: about 250 g/m², near the heaviest that desktop printers feed."""
SLEEVE_FILM = 0.1
"""mm a side of a sleeve: that of thick ones, 100 µm; thinner ones leave room."""
SLEEVE_WIDER, SLEEVE_HIGHER = 2.5, 3.0
"""mm that a sleeve is larger than its card: 1 to 2 mm at the sides and 2 to 3 mm at the top, by
guides for collectors. A sleeve for 63.5×88 mm so comes to 66×91 mm."""


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards of one size: their trim in mm, whichever way it lies, and how many they are."""

    trim: Size
    cards: int


def room_for(piles: Sequence[Pile], stock: float, sleeved: bool, play: float, boxes: int = 1) -> Room:
    """The room of piles that lie on one another, upright, with `play` mm to spare in each direction; cards
    are `stock` mm thick, without a sleeve. There is at least one pile. Of several boxes that
    share them this is the fullest."""
    trims = [pile.trim.upright for pile in piles]
    wider, higher, film = (SLEEVE_WIDER, SLEEVE_HIGHER, 2 * SLEEVE_FILM) if sleeved else (0.0, 0.0, 0.0)
    return Room(
        max(trim.width for trim in trims) + wider + play,
        max(trim.height for trim in trims) + higher + play,
        math.ceil(sum(pile.cards for pile in piles) / boxes) * (stock + film) + play,
    )
