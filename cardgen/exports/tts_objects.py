"""The objects of a Tabletop Simulator save, each in its place."""

from __future__ import annotations

import copy
import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from PIL import Image

from cardgen.core.findings import Findings, Location
from cardgen.core.game import Component, Die
from cardgen.core.geometry import Shape, Size
from cardgen.core.table import DIE, DieKind, Placed, Snap, Spot, Table
from cardgen.exports.cells import resting_place
from cardgen.exports.job import (
    Encoding,
    ExportJob,
    Piece,
    PlannedFile,
    Tabletop,
    Words,
    picture_size,
    skeleton,
)
from cardgen.exports.tts_images import (
    BASE,
    CARD_SHAPES,
    DROPPED,
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
from cardgen.pdf.pixels import RasterOptions

Object = dict[str, Any]

KINDS: Mapping[str, Object] = skeleton("tts_kinds")
"""The fields of each kind of object that has more than all of them."""

DICE: dict[DieKind, str] = {
    "d4": "Die_4",
    "d6": "Die_6",
    "d8": "Die_8",
    "d10": "Die_10",
    "d12": "Die_12",
    "d20": "Die_20",
}


class Guids:
    """Ids of objects, six hex digits, made of what the object is: the same in every rebuild, and no two
    the same in one save."""

    def __init__(self, *scope: str) -> None:
        self._scope = "\0".join(scope)
        self._taken: dict[str, str] = {}

    def take(self, *identity: object) -> str:
        """The id of an object. Of several with one identity, the first keeps its id whatever follows."""
        for attempt in range(1 << 16):
            text = "\0".join((self._scope, *map(str, identity), str(attempt)))
            guid = hashlib.blake2b(text.encode(), digest_size=3).hexdigest()
            if guid not in self._taken:
                self._taken[guid] = "/".join(map(str, identity))
                return guid
        raise ValueError("a save has no room for so many objects alike")

    def identity(self, guid: str) -> str:
        """What the object with an id of these is: `card/COMPONENT/CARD/SEAT`, say. KeyError for another."""
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


def custom_deck(atlas: Atlas, address: Address) -> dict[str, Any]:
    """An atlas as decks and cards name it."""
    component = atlas.component
    return {
        "FaceURL": address(atlas.face.name),
        "BackURL": address(atlas.back.name),
        "NumWidth": atlas.grid.columns,
        "NumHeight": atlas.grid.rows,
        "BackIsHidden": True,
        "UniqueBack": atlas.unique_back,
        "Type": CARD_SHAPES[component.outline],
    }


def card_object(
    atlas: Atlas, id: str, address: Address, words: Words, guid: str, transform: dict[str, float]
) -> Object:
    """One card. An atlas of a single card makes it a CardCustom."""
    return thing(
        "CardCustom" if len(atlas.pieces) == 1 else "Card",
        guid,
        transform,
        said=worded(words),
        CardID=atlas.card_id(id),
        CustomDeck={str(atlas.key): custom_deck(atlas, address)},
    )


def deck(nickname: str, cards: Sequence[Object], guid: str, transform: dict[str, float]) -> Object:
    """A pile of two or more cards: the top one first if it lies face down, last if face up."""
    atlases: dict[str, Any] = {}
    for each in cards:
        atlases.update(each["CustomDeck"])
    tags = sorted({tag for each in cards for tag in each.get("Tags", ())})
    return thing(
        "DeckCustom",
        guid,
        transform,
        nickname,
        {"Tags": tags} if tags else {},
        DeckIDs=[each["CardID"] for each in cards],
        CustomDeck={key: atlases[key] for key in sorted(atlases, key=int)},
        ContainedObjects=list(cards),
    )


def tile_object(
    face: str,
    back: str,
    shape: int,
    words: Words,
    guid: str,
    transform: dict[str, float],
    snap_points: Sequence[dict[str, Any]] = (),
    *,
    stackable: bool = False,
) -> Object:
    """A board, mat or token; like ones that are `stackable` make a pile. `face` and `back` are
    addresses, `back` empty where it has none."""
    object_ = thing("Custom_Tile", guid, transform, said=worded(words))
    object_["CustomImage"] |= {"ImageURL": face, "ImageSecondaryURL": back}
    object_["CustomImage"]["CustomTile"] |= {"Type": shape, "Stackable": stackable}
    if snap_points:
        object_["AttachedSnapPoints"] = list(snap_points)
    return object_


def bag(
    nickname: str,
    content: Sequence[Object],
    guid: str,
    transform: dict[str, float],
    *,
    infinite: bool = False,
    random: bool = False,
    color: str | None = None,
) -> Object:
    """A bag of objects; an infinite one holds one, of which it gives copies."""
    name = "Infinite_Bag" if infinite else "Bag"
    object_ = thing(name, guid, transform, nickname, ContainedObjects=list(content))
    if not infinite:
        object_["Bag"] = {"Order": 2 if random else 0}
    if color is not None:
        object_["ColorDiffuse"] = tint(color)
    return object_


def hand(color: str, guid: str, transform: dict[str, float]) -> Object:
    """A seat's hand zone; the first one of a colour makes it a place to sit at."""
    red, green, blue = SEAT_TINTS[color]
    tinted = {"r": red, "g": green, "b": blue, "a": 0.0}
    return thing("HandTrigger", guid, transform, ColorDiffuse=tinted, FogColor=color)


def zone(item: Placed, guid: str, transform: dict[str, float]) -> Object:
    """A part of the table: one more hand of its seat, a hidden zone (knowledge base, Zone Tools: the game
    master, Black, sees into each), or one that scripts find. None has tags: a zone with some takes notice
    only of objects that share one."""
    if item.hand:
        return {**hand(item.seat or "", guid, transform), "Nickname": item.name or ""}
    if item.hides is None:
        return thing("ScriptingTrigger", guid, transform, item.name or "")
    color = "Black" if item.hides == "all" else item.seat or ""
    red, green, blue = SEAT_TINTS.get(color, (0.25, 0.25, 0.25))
    return thing(
        "FogOfWarTrigger",
        guid,
        transform,
        item.name or "",
        ColorDiffuse={"r": red, "g": green, "b": blue, "a": 0.25},
        FogColor=color,
        FogReverseHiding=item.hides == "owner",
    )


def snap_point(x: float, y: float, z: float, turn: float) -> dict[str, Any]:
    """A place that pieces jump to, turned by `turn` degrees, in what it is attached to."""
    return {"Position": {"x": x, "y": y, "z": z}, "Rotation": {"x": 0.0, "y": turn, "z": 0.0}}


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
            return card_object(atlas, card, self.address, words, guid, where)
        tile = self.tiles[component, card]
        home, trim = self.job.game.component(component), tile.piece.card.trim
        face, back = self.address(tile.face.name), self.address(tile.back.name) if tile.back else ""
        if home.standee is not None:
            return figure(face, back, words, guid, transform(spot, **lying))
        scale = tile_scale(trim)
        where = transform(spot, (scale, 1.0, scale), **lying)
        snaps = [_snap_point(trim, snap) for snap in self.tabletop.snaps.get((component, card, "face"), ())]
        shape, stacks = TILE_SHAPES[home.outline], home.kind == "token"
        return tile_object(face, back, shape, words, guid, where, snaps, stackable=stacks)


def _snap_point(trim: Size, snap: Snap) -> dict[str, Any]:
    x, z = on_tile(trim, snap.x, snap.y)
    return snap_point(x, TILE_THICKNESS, z, snap.turn)


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
        made.append(hand(seat.color, guids.take("hand", seat.color), where))
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
    return deck(name, made[::-1] if face_up else made, guid, dict(made[0]["Transform"]))


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
        return bag(name, content, guid, where)
    return bag(name, content, guid, where, infinite=item.infinite, random=item.shuffle, color=item.color)


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
    made = thing("Custom_PDF", guids.take("book", component.id), where, name or component.title)
    made["CustomPDF"]["PDFUrl"] = stock.address(stock.books[component.id].name)
    return made


def _note(stock: Stock, item: Placed, spot: Spot, guids: Guids) -> list[Object]:
    guid = guids.take("note", item.name or "", item.text, item.seat or "")
    return [thing("Notecard", guid, transform(spot), item.name or "", Description=item.text)]


def _zone(stock: Stock, item: Placed, spot: Spot, guids: Guids) -> list[Object]:
    assert item.area is not None
    if item.hand:  # as those of seats lie, facing the table
        spot = Spot(spot.x, spot.y, spot.turn + 180)
    size = (units(item.area.width), HAND_HEIGHT, units(item.area.height))
    guid = guids.take("zone", item.name or "", item.seat or "")
    return [zone(item, guid, transform(spot, size, height=HAND_HEIGHT / 2))]


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
    """What an object remembers; None for one that is not from an export, whatever stands there."""
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
    """What is in an object, and its other states."""
    for found in (each.get("ContainedObjects"), each.get("States")):
        values = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
        yield from (value for value in values if isinstance(value, dict))


_D6 = ((-90.0, 0.0), (0.0, 0.0), (0.0, -90.0), (0.0, 90.0), (0.0, -180.0), (90.0, 0.0))
"""rotX and rotZ of a Die_6 with its face 1, 2, … up, rotY being 0: as programs that write its saves have
them."""


def dice_objects(
    component: str, dice: Iterable[Die], spot: Spot, guids: Guids, seat: str = ""
) -> Iterator[Object]:
    """Dice, every copy, side by side with their middle on a spot."""
    copies = [(die, kind) for die in dice if (kind := die.kind) is not None for _ in range(die.copies)]
    for number, (die, kind) in enumerate(copies):
        place = spot.place(Spot((number - (len(copies) - 1) / 2) * DIE * 1.5, 0.0))
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


def figure_picture(
    job: ExportJob, stem: str, side: str, trim: Size, shape: Shape, encoding: Encoding
) -> PlannedFile:
    """One side of a figure, trimmed. One that is no rectangle is a PNG, transparent around the figure."""
    size = picture_size(trim, job.whole_number("dpi"), job.whole_number("max-texture"))
    if shape != "rectangle":
        encoding = Encoding(".png")
    options = RasterOptions(area="trim", shape=shape)

    def draw() -> Image.Image:
        if shape == "rectangle":
            return job.sides.image(side, size)
        return job.sides.cut_out(side, size, options)

    drawn = PlannedFile.of_picture("", (job.look(side), size, encoding, options), draw, encoding)
    return drawn.hashed(stem, encoding.suffix)


def figure(face: str, back: str, words: Words, guid: str, transform: Mapping[str, float]) -> Object:
    """A figure in the program's own stand. `face` and `back` are addresses; without a back the program
    shows the face on both sides (API, Custom Game Objects: `image_secondary`)."""
    made = thing("Figurine_Custom", guid, transform, said=worded(words))
    made["CustomImage"] |= {"ImageURL": face, "ImageSecondaryURL": back}
    return made
