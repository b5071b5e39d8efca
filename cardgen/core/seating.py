"""Lay out a table for a game without one: piles in rows, a seat for each player. Find where things rest."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cardgen.core.game import Card, Component, Die, Game
from cardgen.core.geometry import Size
from cardgen.core.records import replace
from cardgen.core.table import BAG, LARGEST, SEAT_COLORS, Placed, Seat, Side, Spot, Table, Tabletop

SPACE = 20.0
"""Distance between things, in mm."""
HAND = Size(320.0, 150.0)
NOWHERE = Spot(0.0, 0.0)
SEATING = ("White", "Red", "Orange", "Yellow", "Green", "Blue", "Purple", "Pink", "Brown", "Teal")
"""The order in which colors are used."""

assert set(SEATING) == set(SEAT_COLORS)


def made_up_table(game: Game) -> Table:
    """Return boards and mats, one after another, and behind them a pile or bag for each other component, in
    centered rows; seats on the two long sides. Things that don't fit are omitted: such a game needs its own
    table."""
    size = LARGEST
    things = [thing for component in game.components for thing in _things(component)]
    rows: list[list[tuple[Placed, Size]]] = [[]]
    for thing in things:
        across = sum(each.width + SPACE for _, each in rows[-1]) + thing[1].width
        if rows[-1] and across > size.width - 2 * SPACE:
            rows.append([])
        rows[-1].append(thing)
    items: list[Placed] = []
    deep = [max((each.height for _, each in row), default=0.0) for row in rows]
    y = -(sum(deep) + SPACE * (len(rows) - 1)) / 2
    for row, depth in zip(rows, deep):
        x = -(sum(each.width for _, each in row) + SPACE * (len(row) - 1)) / 2
        for placed, each in row:
            spot = Spot(round(x + each.width / 2, 3), round(y + depth / 2, 3))
            if abs(spot.y) + each.height / 2 <= size.height / 2:
                items.append(replace(placed, at=spot))
            x += each.width + SPACE
        y += depth + SPACE
    count = game.player_count or game.players[1]
    return Table(size, HAND, "#2b3a34", tuple(items), tuple(seats_around(size, count)))


def seats_around(size: Size, count: int) -> list[Seat]:
    """Return at most ten seats clockwise from the near side, their hands just beyond the edge."""
    count = min(count, len(SEATING))
    near = math.ceil(count / 2)
    seats = []
    for index in range(count):
        close = index < near
        place, of = (index, near) if close else (index - near, count - near)
        x = size.width * ((place + 0.5) / of - 0.5)
        y = size.height / 2 + HAND.height / 2
        # clockwise: along the near side to the left, along the far side to the right
        spot = Spot(round(-x, 3), y, 0.0) if close else Spot(round(x, 3), -y, 180.0)
        seats.append(Seat(SEATING[index], spot))
    return seats


def _things(component: Component) -> list[tuple[Placed, Size]]:
    """Return a component's things on a table, each with its size; a box is set aside."""
    if component.box is not None:
        return []
    if component.book is not None:
        book = Placed("book", NOWHERE, component=component.id)
        return [(book, component.trim or Size(140.0, 216.0))]
    cards = [card for card in component.cards if card.copies]
    if component.kind in ("board", "mat"):
        piece = Placed("piece", NOWHERE, component=component.id, face_up=True, locked=True)
        return [(replace(piece, cards=((card.id, 1),)), card.trim) for card in cards]
    if component.dice:
        return [(dice, dice.extent(None)) for die in component.dice if (dice := _dice(component, die))]
    if component.kind in ("token", "standee") and cards:
        copies = tuple((card.id, card.copies) for card in cards)
        return [(Placed("bag", NOWHERE, component=component.id, cards=copies), BAG)]
    piles: dict[Size, list[Card]] = {}
    for card in cards:
        piles.setdefault(card.trim, []).append(card)
    return [(_deck(component, pile), size) for size, pile in piles.items()]


def _dice(component: Component, die: Die) -> Placed | None:
    """Return the copies of a die; None if virtual tables have none with this many faces, or there are
    none."""
    kind = die.kind
    if kind is None or die.copies == 0:
        return None
    dice = Placed("dice", NOWHERE, component=component.id, count=die.copies, die=kind)
    return replace(dice, name=die.id, text=die.id)


def _deck(component: Component, cards: Sequence[Card]) -> Placed:
    copies = tuple((card.id, card.copies) for card in cards)
    face_up = all(card.back is None for card in cards)
    return Placed("deck", NOWHERE, component=component.id, cards=copies, face_up=face_up)


def card_of(game: Game, component: str, card: str) -> Card:
    """Return the card with this component and id. Raises StopIteration if there is none."""
    return next(each for each in game.component(component).cards if each.id == card)


def extent_of(game: Game, item: Placed) -> Size:
    """Return the width and depth of an object in mm, before rotation."""
    if item.cards:
        return item.extent(card_of(game, item.component, item.cards[0][0]).trim)
    return item.extent(game.component(item.component).trim if item.component else None)


def resting_place(game: Game, tabletop: Tabletop, item: Placed) -> Spot:
    """Return an object's spot. Raises KeyError for a missing snap point, reported with the table."""
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
