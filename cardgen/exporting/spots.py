"""Where things of a table lie when all is said: at their place, or on a snap point of what lies there; and
how large they are."""

from __future__ import annotations

from cardgen.exporting.job import Side, Tabletop
from cardgen.geometry import Size
from cardgen.model.game import Card, Game
from cardgen.model.table import Placed, Spot


def card_of(game: Game, component: str, card: str) -> Card:
    """A card by its component and id. StopIteration if there is none."""
    return next(each for each in game.component(component).cards if each.id == card)


def extent_of(game: Game, item: Placed) -> Size:
    """How far a thing reaches across and deep in mm, lying unturned."""
    if item.cards:
        return item.extent(card_of(game, item.component, item.cards[0][0]).trim)
    return item.extent(game.component(item.component).trim if item.component else None)


def resting_place(game: Game, tabletop: Tabletop, item: Placed) -> Spot:
    """The spot of a thing. KeyError for a snap point that does not exist, which is reported where the
    table is read."""
    ref = item.at
    if isinstance(ref, Spot):
        return ref
    for below in tabletop.table.items:
        if (
            below.kind != "piece"
            or not isinstance(below.at, Spot)
            or (below.component, below.cards[0][0]) != (ref.component, ref.card)
            or below.seat not in (None, item.seat)
        ):
            continue
        trim = card_of(game, ref.component, ref.card).trim
        side: Side = "face" if below.face_up else "back"
        for snap in tabletop.snaps.get((ref.component, ref.card, side), ()):
            if snap.name == ref.snap:
                inner = Spot(snap.x - trim.width / 2, snap.y - trim.height / 2, snap.turn + item.turn)
                return below.at.place(inner)
    raise KeyError(ref.snap)
