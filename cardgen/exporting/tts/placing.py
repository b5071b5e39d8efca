"""A table's piles, pieces and bags as objects in their places; a component's as a saved object."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from cardgen.exporting.job import ExportJob, Piece, PlannedFile, Tabletop, Words
from cardgen.exporting.spots import resting_place
from cardgen.exporting.tts import save_objects
from cardgen.exporting.tts.atlases import Atlas
from cardgen.exporting.tts.dice import dice_objects, rotation_values
from cardgen.exporting.tts.figures import figure
from cardgen.exporting.tts.measures import (
    DROPPED,
    NATIVE,
    RESTING,
    TILE_SHAPES,
    TILE_THICKNESS,
    card_scale,
    on_tile,
    page_scale,
    resized,
    tile_scale,
    tint,
    transform,
    units,
)
from cardgen.exporting.tts.save_objects import DICE, Guids, Object, thing
from cardgen.exporting.tts.side_images import Address
from cardgen.geometry import Size
from cardgen.model.game import Component
from cardgen.model.table import DIE, Placed, Snap, Spot, Table

SPACE = 15.0
"""Between the pieces of a saved object, in mm."""
HAND_HEIGHT = 5.0
"""How high hands and other zones reach, in units."""


@dataclass(frozen=True, slots=True)
class Tile:
    """The pictures of a board, mat or token."""

    piece: Piece
    face: PlannedFile
    back: PlannedFile | None


@dataclass(frozen=True, slots=True)
class Stock:
    """All that objects are made of: pictures by component and card, books by component, words."""

    job: ExportJob
    tabletop: Tabletop
    address: Address
    atlases: Mapping[str, tuple[Atlas, ...]]
    tiles: Mapping[tuple[str, str], Tile]
    books: Mapping[str, PlannedFile]

    def atlas(self, component: str, card: str) -> Atlas:
        """The atlas that a card is on."""
        for atlas in self.atlases[component]:
            if any(piece.card.id == card for piece in atlas.pieces):
                return atlas
        raise KeyError(card)

    def words(self, component: str, card: str, name: str | None = None) -> Words:
        """What a card is called; `name` is what the table calls it."""
        words = self.tabletop.words[component, card]
        return words if name is None else replace(words, nickname=name)

    def piece(
        self, component: str, card: str, spot: Spot, guid: str, *, name: str | None = None, **lying: Any
    ) -> Object:
        """One piece: a card if its component has atlases, else a tile. `lying` is for `transform`."""
        words = self.words(component, card, name)
        if component in self.atlases:
            atlas = self.atlas(component, card)
            across, deep = card_scale(atlas.trim, atlas.grid.cell)
            where = transform(spot, (across, 1.0, deep), **lying)
            return save_objects.card(atlas, card, self.address, words, guid, where)
        tile = self.tiles[component, card]
        home, trim = self.job.game.component(component), tile.piece.card.trim
        face, back = self.address(tile.face.name), self.address(tile.back.name) if tile.back else ""
        if home.standee is not None:
            return figure(face, back, words, guid, transform(spot, **lying))
        scale = tile_scale(trim)
        where = transform(spot, (scale, 1.0, scale), **lying)
        snaps = [_snap_point(trim, snap) for snap in self.tabletop.snaps.get((component, card, "face"), ())]
        shape, stacks = TILE_SHAPES[home.outline], home.kind == "token"
        return save_objects.tile(face, back, shape, words, guid, where, snaps, stackable=stacks)


def _snap_point(trim: Size, snap: Snap) -> dict[str, Any]:
    x, z = on_tile(trim, snap.x, snap.y)
    return save_objects.snap_point(x, TILE_THICKNESS, z, snap.turn)


# ---------------------------------------------------------------- the whole table


def table_objects(stock: Stock, table: Table, guids: Guids) -> list[Object]:
    """Everything on the table and the hand zones, boards first."""
    makers: dict[str, Callable[[Stock, Placed, Spot, Guids], Iterable[Object]]] = {
        "deck": _deck,
        "piece": _piece,
        "bag": _bag,
        "dice": _dice,
        "pawn": _pawn,
        "counter": _counter,
        "book": _book,
        "note": _note,
    }
    made: list[Object] = []
    for item in sorted(table.items, key=lambda item: not item.locked):
        if item.kind == "zone" or (item.component and not stock.job.exports(item.component)):
            continue
        spot = resting_place(stock.job.game, stock.tabletop, item)
        for object_ in makers[item.kind](stock, item, spot, guids):
            object_["Locked"] = item.locked
            made.append(object_)
    for seat in table.seats:
        size = (units(table.hand.width), HAND_HEIGHT, units(table.hand.height))
        where = transform(Spot(seat.at.x, seat.at.y, seat.at.turn + 180), size, height=HAND_HEIGHT / 2)
        made.append(save_objects.hand(seat.color, guids.take("hand", seat.color), where))
    for item in table.items:  # after the hands: the first of a colour is where its player sits
        if item.kind == "zone":
            made += _zone(stock, item, resting_place(stock.job.game, stock.tabletop, item), guids)
    if stock.job.text("scale") == "native":
        resized(made, NATIVE)
    return made


def _deck(stock: Stock, item: Placed, spot: Spot, guids: Guids) -> list[Object]:
    name = item.name or stock.job.game.component(item.component).title
    cards = [(component, id, copies) for component, part in item.parts for id, copies in part]
    return [pile(stock, item.component, cards, spot, guids, name, item)]


def pile(
    stock: Stock,
    component: str,
    cards: Iterable[tuple[str, str, int]],
    spot: Spot,
    guids: Guids,
    name: str,
    item: Placed | None = None,
) -> Object:
    """Cards on one heap, each by component and id with its copies, the first on top, shuffled if the
    table says so: always in the same way, so that a rebuild changes nothing. A single card is no deck."""
    face_up = item is not None and item.face_up
    order = [(home, id) for home, id, copies in cards for _ in range(copies)]
    seat = (item.seat or "") if item is not None else ""
    guid = guids.take("deck", component, name, seat)
    if item is not None and item.shuffle:
        random.Random(f"{stock.job.game.id}/{component}/{name}/{seat}").shuffle(order)
    made = [
        stock.piece(home, id, spot, guids.take("card", home, id, seat), face_up=face_up)
        for home, id in order
    ]
    if len(made) == 1:
        return made[0]
    for each in made[1:]:  # cells of two atlases may differ by part of a pixel
        each["Transform"] = dict(made[0]["Transform"])
    return save_objects.deck(name, made[::-1] if face_up else made, guid, dict(made[0]["Transform"]))


def _piece(stock: Stock, item: Placed, spot: Spot, guids: Guids) -> Iterable[Object]:
    card = item.cards[0][0]
    for number in range(item.count):
        kind = "state" if item.states else "piece"
        guid = guids.take(kind, item.component, card, item.seat or "")
        height = RESTING if item.locked else DROPPED + number * TILE_THICKNESS * 1.5
        lying: dict[str, Any] = {"name": item.name, "face_up": item.face_up, "height": height}
        made = stock.piece(item.component, card, spot, guid, **lying)
        others = {}
        for place, id in enumerate(item.states, 1):  # a save has no entry for the state that is seen
            if id != card:
                guid = guids.take("state", item.component, id, item.seat or "")
                others[str(place)] = stock.piece(item.component, id, spot, guid, **lying)
                others[str(place)]["Locked"] = item.locked
        yield made | ({"States": others} if others else {})


def _bag(stock: Stock, item: Placed, spot: Spot, guids: Guids) -> list[Object]:
    name = item.name or stock.job.game.component(item.component).title
    return [bag_of(stock, item.component, item.cards, spot, guids, name, item)]


def bag_of(
    stock: Stock,
    component: str,
    cards: Iterable[tuple[str, int]],
    spot: Spot,
    guids: Guids,
    name: str,
    item: Placed | None = None,
) -> Object:
    """Pieces in a bag."""
    seat = (item.seat or "") if item is not None else ""
    guid = guids.take("bag", component, name, seat)
    content = [
        stock.piece(component, id, spot, guids.take("in bag", component, id, seat))
        for id, copies in cards
        for _ in range(copies)
    ]
    where = transform(spot)
    if item is None:
        return save_objects.bag(name, content, guid, where)
    return save_objects.bag(
        name, content, guid, where, infinite=item.infinite, random=item.shuffle, color=item.color
    )


def _dice(stock: Stock, item: Placed, spot: Spot, guids: Guids) -> Iterable[Object]:
    if item.component:
        own = stock.job.game.component(item.component).dice
        dice = [replace(each, copies=item.count) for each in own if each.id == item.text]
        for made in dice_objects(item.component, dice, spot, guids, item.seat or ""):
            named = {"Nickname": item.name or made["Nickname"]}
            yield made | named | ({} if item.color is None else {"ColorDiffuse": tint(item.color)})
        return
    step = DIE * 1.5
    for number in range(item.count):
        place = spot.place(Spot((number - (item.count - 1) / 2) * step, 0.0))
        color = item.color or "#ffffff"
        guid = guids.take("die", item.die, item.name or "", color, item.seat or "")
        more = {"ColorDiffuse": tint(color), **rotation_values(item.die)}
        yield thing(DICE[item.die], guid, transform(place), item.name or "", **more)


def _pawn(stock: Stock, item: Placed, spot: Spot, guids: Guids) -> list[Object]:
    name, color = item.name or "", item.color or "#ffffff"
    guid = guids.take("pawn", name, color, item.seat or "")
    return [thing("PlayerPawn", guid, transform(spot), name, ColorDiffuse=tint(color))]


def _counter(stock: Stock, item: Placed, spot: Spot, guids: Guids) -> list[Object]:
    name = item.name or ""
    guid = guids.take("counter", name, item.seat or "")
    return [thing("Counter", guid, transform(spot), name, Counter={"value": item.value})]


def _book(stock: Stock, item: Placed, spot: Spot, guids: Guids) -> list[Object]:
    home = stock.job.game.component(item.component)
    return [book_of(stock, home, spot, guids, item.name)]


def book_of(
    stock: Stock, component: Component, spot: Spot, guids: Guids, name: str | None = None
) -> Object:
    """A rulebook."""
    scale = page_scale(component.trim) if component.trim is not None else 1.0
    where = transform(spot, (scale, 1.0, scale), height=RESTING)
    url = stock.address(stock.books[component.id].name)
    pdf = {"PDFUrl": url, "PDFPassword": "", "PDFPage": 0, "PDFPageOffset": 0}  # pages count from 0
    guid = guids.take("book", component.id)
    return thing("Custom_PDF", guid, where, name or component.title, CustomPDF=pdf)


def _note(stock: Stock, item: Placed, spot: Spot, guids: Guids) -> list[Object]:
    guid = guids.take("note", item.name or "", item.text, item.seat or "")
    return [thing("Notecard", guid, transform(spot), item.name or "", Description=item.text)]


def _zone(stock: Stock, item: Placed, spot: Spot, guids: Guids) -> list[Object]:
    assert item.area is not None
    if item.hand:  # as those of seats lie, facing the table
        spot = Spot(spot.x, spot.y, spot.turn + 180)
    size = (units(item.area.width), HAND_HEIGHT, units(item.area.height))
    guid = guids.take("zone", item.name or "", item.seat or "")
    return [save_objects.zone(item, guid, transform(spot, size, height=HAND_HEIGHT / 2))]


# ---------------------------------------------------------------- a component by itself


def component_objects(stock: Stock, component: Component, guids: Guids) -> list[Object]:
    """A component as a saved object: piles of its cards, one for each size; a bag of its tokens; its
    boards and mats side by side; its book."""
    made = _alone(stock, component, guids)
    if stock.job.text("scale") == "native":
        resized(made, NATIVE)
    return made


def _alone(stock: Stock, component: Component, guids: Guids) -> list[Object]:
    middle = Spot(0.0, 0.0)
    if component.book is not None:
        return [book_of(stock, component, middle, guids)]
    if component.dice:
        return list(dice_objects(component.id, component.dice, middle, guids))
    copies = [(card, card.copies) for card in component.cards if card.copies > 0]
    if component.kind in ("token", "standee") and component.id not in stock.atlases:
        cards = [(card.id, count) for card, count in copies]
        return [bag_of(stock, component.id, cards, middle, guids, component.title)] if cards else []
    made: list[Object] = []
    x = 0.0
    if component.id in stock.atlases:
        sizes: dict[Size, list[tuple[str, str, int]]] = {}
        for card, count in copies:
            sizes.setdefault(card.trim, []).append((component.id, card.id, count))
        for trim, heap in sizes.items():
            name = component.title if len(sizes) == 1 else f"{component.title}, {trim}"
            place = Spot(x + trim.width / 2, 0.0)
            made.append(pile(stock, component.id, heap, place, guids, name))
            x += trim.width + SPACE
        return made
    for card, count in copies:
        for _ in range(count):
            guid = guids.take("piece", component.id, card.id)
            made.append(stock.piece(component.id, card.id, Spot(x + card.trim.width / 2, 0.0), guid))
            x += card.trim.width + SPACE
    return made
