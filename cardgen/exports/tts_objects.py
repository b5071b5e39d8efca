"""The objects of a Tabletop Simulator save, each in its place."""

from __future__ import annotations

import copy
import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from cardgen.core.findings import Findings, Location
from cardgen.core.game import Component, Die
from cardgen.core.geometry import Size
from cardgen.core.table import DIE, DieKind, Placed, Snap, Spot, Table
from cardgen.exports.cells import resting_place
from cardgen.exports.job import (
    ExportJob,
    Piece,
    PlannedFile,
    Words,
    skeleton,
)
from cardgen.exports.tts_images import (
    BASE,
    CARD_SHAPES,
    DROPPED,
    FIGURES,
    NATIVE,
    RESTING,
    SEAT_TINTS,
    TILE_SHAPES,
    TILE_THICKNESS,
    Address,
    Atlas,
    card_scale,
    on_tile,
    page_scale,
    resized,
    tile_scale,
    tint,
    transform,
    units,
)

Object = dict[str, Any]

KINDS: Mapping[str, Object] = skeleton("tts_kinds")
"""The fields of each kind of object that has more than all of them."""

DICE: Mapping[DieKind, str] = FIGURES["dice"]


class Guids:
    """Ids of objects, six hex digits, made of what the object is: the same in every rebuild, and no two
    the same in one save."""

    def __init__(self, *scope: str) -> None:
        self._scope = "\0".join(scope)
        self._taken: dict[str, str] = {}

    def take(self, *identity: object) -> str:
        """Return the id of an object. Of several with one identity, the first always keeps its id."""
        for attempt in range(1 << 16):
            text = "\0".join((self._scope, *map(str, identity), str(attempt)))
            guid = hashlib.blake2b(text.encode(), digest_size=3).hexdigest()
            if guid not in self._taken:
                self._taken[guid] = "/".join(map(str, identity))
                return guid
        raise ValueError("a save has no room for so many objects alike")

    def identity(self, guid: str) -> str:
        """Return what the object with an id of these is: `card/COMPONENT/CARD/SEAT`, say. KeyError for
        another."""
        return self._taken[guid]


def thing(
    name: str,
    guid: str,
    transform: Mapping[str, float],
    nickname: str = "",
    said: Mapping[str, Any] = MappingProxyType({}),
    **fields: Any,
) -> Object:
    """An object of any kind. `said` are the fields of what it is called, `fields` those of its own."""
    kind = copy.deepcopy(KINDS.get(name, {}))
    place = {"GUID": guid, "Name": name, "Transform": dict(transform), "Nickname": nickname}
    return {**BASE, **place, **said, **kind, **fields}


def worded(words: Words) -> dict[str, Any]:
    """The fields of what a card is called and found by."""
    fields: dict[str, Any] = {
        "Nickname": words.nickname,
        "Description": words.description,
        "GMNotes": words.gm_notes,
    }
    if words.tags:
        fields["Tags"] = list(words.tags)
    if words.sides:  # told from how it lies, shown at the pointer, set from the menu
        turns = ({"x": 0.0, "y": 0.0, "z": turn} for turn in (0.0, 180.0))
        fields["RotationValues"] = [
            {"Value": side, "Rotation": turn} for side, turn in zip(words.sides, turns)
        ]
    return fields


SPACE = 15.0
"""Between the pieces of a saved object, in mm."""
HAND_HEIGHT = 5.0
"""The height of hands and other zones, in units."""


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

    def piece(
        self, component: str, card: str, spot: Spot, guid: str, *, name: str | None = None, **lying: Any
    ) -> Object:
        """One piece: a card if its component has atlases, else a tile, or a figure in the program's own
        stand. `name` is what the table calls it, `lying` is for `transform`."""
        words = self.job.screen_table.words[component, card]
        said = worded(words if name is None else replace(words, nickname=name))
        if component in self.atlases:
            return self._card(self.atlas(component, card), card, guid, said, spot, lying)
        tile, home = self.tiles[component, card], self.job.game.component(component)
        trim, scale = tile.piece.card.trim, (1.0, 1.0, 1.0)
        if home.standee is None:
            scale = (tile_scale(trim), 1.0, tile_scale(trim))
        kind = "Custom_Tile" if home.standee is None else "Figurine_Custom"
        made = thing(kind, guid, transform(spot, scale, **lying), said=said)
        # Without a back the program shows the face on both sides (API, Custom Game Objects).
        back = self.address(tile.back.name) if tile.back else ""
        made["CustomImage"] |= {"ImageURL": self.address(tile.face.name), "ImageSecondaryURL": back}
        if home.standee is None:
            shape, stacks = TILE_SHAPES[home.outline], home.kind == "token"
            made["CustomImage"]["CustomTile"] |= {"Type": shape, "Stackable": stacks}
            snaps = self.job.screen_table.snaps.get((component, card, "face"), ())
            if snaps:
                made["AttachedSnapPoints"] = [_snap_point(trim, snap) for snap in snaps]
        return made

    def _card(
        self, atlas: Atlas, id: str, guid: str, said: Object, spot: Spot, lying: Mapping[str, Any]
    ) -> Object:
        """One card. An atlas of a single card makes it a CardCustom."""
        across, deep = card_scale(atlas.trim, atlas.grid.cell)
        deck = {
            "FaceURL": self.address(atlas.face.name),
            "BackURL": self.address(atlas.back.name),
            "NumWidth": atlas.grid.columns,
            "NumHeight": atlas.grid.rows,
            "BackIsHidden": True,
            "UniqueBack": atlas.unique_back,
            "Type": CARD_SHAPES[atlas.component.outline],
        }
        return thing(
            "CardCustom" if len(atlas.pieces) == 1 else "Card",
            guid,
            transform(spot, (across, 1.0, deep), **lying),
            said=said,
            CardID=atlas.card_id(id),
            CustomDeck={str(atlas.key): deck},
        )


def _snap_point(trim: Size, snap: Snap) -> dict[str, Any]:
    """A place on a tile that pieces jump to, and are turned."""
    x, z = on_tile(trim, snap.x, snap.y)
    turn = {"x": 0.0, "y": snap.turn, "z": 0.0}
    return {"Position": {"x": x, "y": TILE_THICKNESS, "z": z}, "Rotation": turn}


def table_objects(stock: Stock, table: Table, guids: Guids) -> list[Object]:
    """Everything on the table and the hand zones, boards first."""
    maker = _Maker(stock, guids)
    made: list[Object] = []
    for item in sorted(table.items, key=lambda item: not item.locked):
        if item.kind == "zone" or (item.component and not stock.job.exports(item.component)):
            continue
        for object_ in maker.objects(item):
            object_["Locked"] = item.locked
            made.append(object_)
    for seat in table.seats:
        spot = Spot(seat.at.x, seat.at.y, seat.at.turn + 180)
        made.append(_hand(seat.color, guids.take("hand", seat.color), _upright(spot, table.hand)))
    # after the hands: the first of a colour is where its player sits
    made += [maker.zone(item) for item in table.items if item.kind == "zone"]
    return _sized(stock.job, made)


def component_objects(stock: Stock, component: Component, guids: Guids) -> list[Object]:
    """A component as a saved object: piles of its cards, one for each size; a bag of its tokens; its
    boards and mats side by side; its book."""
    return _sized(stock.job, _Maker(stock, guids).alone(component))


def _sized(job: ExportJob, objects: list[Object]) -> list[Object]:
    """Objects in the scale that the user asked for."""
    if job.text("scale") == "native":
        resized(objects, NATIVE)
    return objects


def _upright(spot: Spot, area: Size) -> dict[str, float]:
    """Return the place of a hand or another zone."""
    size = (units(area.width), HAND_HEIGHT, units(area.height))
    return transform(spot, size, height=HAND_HEIGHT / 2)


def _hand(color: str, guid: str, transform: dict[str, float]) -> Object:
    """Return a seat's hand zone; the first one of a color makes it a place to sit at."""
    red, green, blue = SEAT_TINTS[color]
    tinted = {"r": red, "g": green, "b": blue, "a": 0.0}
    return thing("HandTrigger", guid, transform, ColorDiffuse=tinted, FogColor=color)


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes the objects of one save."""

    stock: Stock
    guids: Guids

    def objects(self, item: Placed) -> Iterable[Object]:
        """The objects of a thing on the table that is no zone."""
        spot = resting_place(self.stock.job.game, self.stock.job.screen_table, item)
        name, seat = item.name or "", item.seat or ""
        if item.kind in ("deck", "bag"):
            title = name or self.stock.job.game.component(item.component).title
            cards = [(home, id, copies) for home, part in item.parts for id, copies in part]
            make = self._pile if item.kind == "deck" else self._bag
            return [make(item.component, cards, spot, title, item)]
        if item.kind == "piece":
            return self._pieces(item, spot)
        if item.kind == "dice":
            return self._dice(item, spot)
        if item.kind == "book":
            return [self._book(self.stock.job.game.component(item.component), spot, item.name)]
        if item.kind == "pawn":
            color = item.color or "#ffffff"
            guid = self.guids.take("pawn", name, color, seat)
            return [thing("PlayerPawn", guid, transform(spot), name, ColorDiffuse=tint(color))]
        if item.kind == "counter":
            guid = self.guids.take("counter", name, seat)
            return [thing("Counter", guid, transform(spot), name, Counter={"value": item.value})]
        guid = self.guids.take("note", name, item.text, seat)
        return [thing("Notecard", guid, transform(spot), name, Description=item.text)]

    def zone(self, item: Placed) -> Object:
        """A part of the table: one more hand of its seat, a hidden zone (knowledge base, Zone Tools: the
        game master, Black, sees into each), or one that scripts find. None has tags: a zone with some takes
        notice only of objects that share one."""
        assert item.area is not None
        spot = resting_place(self.stock.job.game, self.stock.job.screen_table, item)
        name, seat = item.name or "", item.seat or ""
        if item.hand:  # as those of seats lie, facing the table
            spot = Spot(spot.x, spot.y, spot.turn + 180)
        guid, where = self.guids.take("zone", name, seat), _upright(spot, item.area)
        if item.hand:
            return {**_hand(seat, guid, where), "Nickname": name}
        if item.hides is None:
            return thing("ScriptingTrigger", guid, where, name)
        color = "Black" if item.hides == "all" else seat
        red, green, blue = SEAT_TINTS.get(color, (0.25, 0.25, 0.25))
        return thing(
            "FogOfWarTrigger",
            guid,
            where,
            name,
            ColorDiffuse={"r": red, "g": green, "b": blue, "a": 0.25},
            FogColor=color,
            FogReverseHiding=item.hides == "owner",
        )

    def alone(self, component: Component) -> list[Object]:
        """The objects of a component by itself."""
        middle = Spot(0.0, 0.0)
        if component.book is not None:
            return [self._book(component, middle)]
        if component.dice:
            return list(dice_objects(component.id, component.dice, middle, self.guids))
        copies = [(card, card.copies) for card in component.cards if card.copies > 0]
        if component.kind in ("token", "standee") and component.id not in self.stock.atlases:
            cards = [(component.id, card.id, count) for card, count in copies]
            return [self._bag(component.id, cards, middle, component.title)] if cards else []
        made: list[Object] = []
        x = 0.0
        if component.id in self.stock.atlases:
            sizes: dict[Size, list[tuple[str, str, int]]] = {}
            for card, count in copies:
                sizes.setdefault(card.trim, []).append((component.id, card.id, count))
            for trim, heap in sizes.items():
                name = component.title if len(sizes) == 1 else f"{component.title}, {trim}"
                made.append(self._pile(component.id, heap, Spot(x + trim.width / 2, 0.0), name))
                x += trim.width + SPACE
            return made
        for card, count in copies:
            for _ in range(count):
                guid = self.guids.take("piece", component.id, card.id)
                place = Spot(x + card.trim.width / 2, 0.0)
                made.append(self.stock.piece(component.id, card.id, place, guid))
                x += card.trim.width + SPACE
        return made

    def _pile(
        self,
        component: str,
        cards: Iterable[tuple[str, str, int]],
        spot: Spot,
        name: str,
        item: Placed | None = None,
    ) -> Object:
        """Cards on one heap, each by component and id with its copies, the first on top, shuffled if the
        table says so: always in the same way, so that a rebuild changes nothing. A single card is no
        deck."""
        face_up = item is not None and item.face_up
        order = [(home, id) for home, id, copies in cards for _ in range(copies)]
        seat = (item.seat or "") if item is not None else ""
        guid = self.guids.take("deck", component, name, seat)
        if item is not None and item.shuffle:
            random.Random(f"{self.stock.job.game.id}/{component}/{name}/{seat}").shuffle(order)
        made = [
            self.stock.piece(home, id, spot, self.guids.take("card", home, id, seat), face_up=face_up)
            for home, id in order
        ]
        if len(made) == 1:
            return made[0]
        for each in made[1:]:  # cells of two atlases may differ by part of a pixel
            each["Transform"] = dict(made[0]["Transform"])
        held = made[::-1] if face_up else made  # the top card first if it lies face down, last if face up
        tags = sorted({tag for each in held for tag in each.get("Tags", ())})
        whole = thing("DeckCustom", guid, made[0]["Transform"], name, {"Tags": tags} if tags else {})
        return whole | {
            "DeckIDs": [each["CardID"] for each in held],
            "CustomDeck": _decks_of(each["CustomDeck"] for each in held),
            "ContainedObjects": held,
        }

    def _bag(
        self,
        component: str,
        cards: Iterable[tuple[str, str, int]],
        spot: Spot,
        name: str,
        item: Placed | None = None,
    ) -> Object:
        """Pieces in a bag; an infinite one holds one, of which it gives copies."""
        seat = (item.seat or "") if item is not None else ""
        guid = self.guids.take("bag", component, name, seat)
        content = [
            self.stock.piece(home, id, spot, self.guids.take("in bag", home, id, seat))
            for home, id, copies in cards
            for _ in range(copies)
        ]
        infinite = item is not None and item.infinite
        kind = "Infinite_Bag" if infinite else "Bag"
        made = thing(kind, guid, transform(spot), name, ContainedObjects=content)
        if not infinite:
            made["Bag"] = {"Order": 2 if item is not None and item.shuffle else 0}
        if item is not None and item.color is not None:
            made["ColorDiffuse"] = tint(item.color)
        return made

    def _pieces(self, item: Placed, spot: Spot) -> Iterator[Object]:
        card, seat = item.cards[0][0], item.seat or ""
        for number in range(item.count):
            kind = "state" if item.states else "piece"
            guid = self.guids.take(kind, item.component, card, seat)
            height = RESTING if item.locked else DROPPED + number * TILE_THICKNESS * 1.5
            lying: dict[str, Any] = {"name": item.name, "face_up": item.face_up, "height": height}
            made = self.stock.piece(item.component, card, spot, guid, **lying)
            others = {}
            for place, id in enumerate(item.states, 1):  # a save has no entry for the state that is seen
                if id != card:
                    guid = self.guids.take("state", item.component, id, seat)
                    others[str(place)] = self.stock.piece(item.component, id, spot, guid, **lying)
                    others[str(place)]["Locked"] = item.locked
            yield made | ({"States": others} if others else {})

    def _dice(self, item: Placed, spot: Spot) -> Iterator[Object]:
        name, seat = item.name or "", item.seat or ""
        if item.component:
            own = self.stock.job.game.component(item.component).dice
            dice = [replace(each, copies=item.count) for each in own if each.id == item.text]
            for made in dice_objects(item.component, dice, spot, self.guids, seat):
                named = {"Nickname": name or made["Nickname"]}
                yield made | named | ({} if item.color is None else {"ColorDiffuse": tint(item.color)})
            return
        for place in _side_by_side(spot, item.count):
            color = item.color or "#ffffff"
            guid = self.guids.take("die", item.die, name, color, seat)
            more = {"ColorDiffuse": tint(color), **rotation_values(item.die)}
            yield thing(DICE[item.die], guid, transform(place), name, **more)

    def _book(self, component: Component, spot: Spot, name: str | None = None) -> Object:
        """A rulebook."""
        scale = page_scale(component.trim) if component.trim is not None else 1.0
        where = transform(spot, (scale, 1.0, scale), height=RESTING)
        guid = self.guids.take("book", component.id)
        made = thing("Custom_PDF", guid, where, name or component.title)
        made["CustomPDF"]["PDFUrl"] = self.stock.address(self.stock.books[component.id].name)
        return made


def _decks_of(decks: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The atlases of cards, as the pile of them has them: each once, by their keys."""
    found = {key: deck for each in decks for key, deck in each.items()}
    return {key: found[key] for key in sorted(found, key=int)}


def _side_by_side(spot: Spot, count: int) -> Iterator[Spot]:
    """Yield the places of so many dice with their middle on a spot."""
    for number in range(count):
        yield spot.place(Spot((number - (count - 1) / 2) * DIE * 1.5, 0.0))


CARDS = ("card", "piece", "state", "in bag")
"""Kinds whose objects are one of a component's cards: `KIND/COMPONENT/CARD/SEAT`."""


@dataclass(frozen=True, slots=True)
class Memo:
    """`identity` is what the object is, the same in every export; `scale` across and deep, `tags` and `of`,
    how many such objects there were, are as they were exported, so that what was changed since is told
    from what the game has changed."""

    game: str
    identity: str
    scale: tuple[float, float] = (1.0, 1.0)
    tags: tuple[str, ...] = ()
    of: int = 0

    @property
    def card(self) -> tuple[str, str] | None:
        """Component and card, of an object that is one."""
        kind, *more = self.identity.split("/")
        return (more[0], more[1]) if kind in CARDS and len(more) >= 2 else None

    def text(self) -> str:
        content = {"cardgen": self.game, "is": self.identity, "scale": self.scale, "of": self.of}
        return json.dumps(content | ({"tags": self.tags} if self.tags else {}), ensure_ascii=False)


def memo_of(each: Mapping[str, Any]) -> Memo | None:
    """Return what an object remembers; None for one that is not from an export."""
    try:
        found = json.loads(each["Memo"])
        across, deep = map(float, found["scale"])
        tags = tuple(map(str, found.get("tags", ())))
        return Memo(str(found["cardgen"]), str(found["is"]), (across, deep), tags, int(found["of"]))
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, OverflowError):
        return None


def remember(game: str, objects: Iterable[Object], guids: Guids) -> None:
    """Give each object, and what is in it, its memo."""
    all_of_them = list(everything(objects))
    counts = Counter(guids.identity(each["GUID"]) for each in all_of_them)
    for each in all_of_them:
        identity, place = guids.identity(each["GUID"]), each["Transform"]
        scale = (place["scaleX"], place["scaleZ"])
        each["Memo"] = Memo(game, identity, scale, tuple(each.get("Tags", ())), counts[identity]).text()


def everything(objects: Iterable[Object]) -> Iterator[Object]:
    """Objects, what is in them and what else they can be turned to."""
    for each in objects:
        yield each
        yield from everything(inner(each))


def inner(each: Mapping[str, Any]) -> Iterator[Object]:
    """Yield what is in an object, and its other states."""
    for found in (each.get("ContainedObjects"), each.get("States")):
        values = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
        yield from (value for value in values if isinstance(value, dict))


_D6: Sequence[tuple[float, float]] = FIGURES["d6_turns"]
"""rotX and rotZ of a Die_6 with its face 1, 2, … up, rotY being 0: as programs that write its saves have
them."""


def dice_objects(
    component: str, dice: Iterable[Die], spot: Spot, guids: Guids, seat: str = ""
) -> Iterator[Object]:
    """Dice, every copy, side by side with their middle on a spot."""
    copies = [(die, kind) for die in dice if (kind := die.kind) is not None for _ in range(die.copies)]
    for (die, kind), place in zip(copies, _side_by_side(spot, len(copies))):
        faces = "\n".join(f"{number}: {name}" for number, name in enumerate(die.names, start=1))
        guid = guids.take("die", component, die.id, seat)
        made = thing(DICE[kind], guid, transform(place), die.id, Description=faces)
        yield made | rotation_values(kind, die.names)


def rotation_values(kind: str, names: Iterable[str] = "123456") -> Object:
    """The field that says which face of a d6 is up; nothing for other dice, whose turns are not known."""
    return {"RotationValues": list(map(_value, names, _D6))} if kind == "d6" else {}


def _value(name: str, turn: tuple[float, float]) -> dict[str, Any]:
    return {"Value": name, "Rotation": {"x": turn[0], "y": 0.0, "z": turn[1]}}


def say_what_is_missing(component: Component, place: Location, findings: Findings) -> None:
    """Note what the table does not show of a component's dice."""
    if any(die.kind is not None for die in component.dice):
        findings.note(
            "tts/die",
            f"{component.title}: Tabletop Simulator shows its own dice, which name the rolled face but "
            "don't show it",
            place,
        )
    for die in component.dice:
        if die.kind is None:
            findings.warning(
                "tts/die",
                f"Tabletop Simulator has no die with {len(die.stickers)} faces: '{die.id}' is skipped",
                place,
                f"it has {', '.join(DICE)}",
            )
