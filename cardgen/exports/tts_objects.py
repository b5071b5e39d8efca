"""The pictures of Tabletop Simulator, and the objects of a save, each in its place."""

from __future__ import annotations

import copy
import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from PIL import Image

from cardgen.core.findings import CardgenError, Finding, Findings, Location, Severity
from cardgen.core.game import Component, Die
from cardgen.core.geometry import MM_PER_INCH, Shape, Size, to_px
from cardgen.core.records import dataclass, replace
from cardgen.core.seating import resting_place
from cardgen.core.table import DIE, DieKind, Placed, Snap, Spot, Table, Words
from cardgen.exports.cells import Grid, atlas_file, cells_a_picture, parts, plan_grid, spread
from cardgen.exports.exporters import local_address, web_address
from cardgen.exports.job import (
    PLAIN,
    PNG,
    ExportJob,
    Piece,
    PlannedFile,
    side_picture,
    skeleton,
)
from cardgen.pdf.pixels import RasterOptions

Address = Callable[[str], str]
"""From a file's name in the export to its address."""


def single_picture(
    job: ExportJob, stem: str, side: str, trim: Size, shape: Shape = "rectangle"
) -> PlannedFile:
    """Return one trimmed side as its own picture, unless it is rectangular as a transparent PNG."""
    encoding = job.encoding if shape == "rectangle" else PNG
    size = job.picture_size(trim)
    drawn = side_picture(job, "", side, size=size, shape=shape, encoding=encoding)
    return drawn.hashed(stem, encoding.suffix)


def blank_side(job: ExportJob, stem: str, trim: Size, color: str = PLAIN) -> PlannedFile:
    """Return a side that shows only a color."""
    size = max(1, to_px(trim.width, 25)), max(1, to_px(trim.height, 25))
    made_of = (size, job.encoding, color)
    drawn = PlannedFile.of_picture("", made_of, lambda: Image.new("RGB", size, color), job.encoding)
    return drawn.hashed(stem, job.encoding.suffix)


def thumbnail(job: ExportJob, component: Component, name: str) -> PlannedFile:
    """Return the picture for a saved object, of the first card or page: 256 × 256, transparent border."""
    sides, shape = job.sides_of(component), component.shape
    if component.book is not None:
        side, shape = job.books[component.id].cover, "rectangle"
    else:
        side = next(job.pieces(component)).face
    trim = sides.face(side).trim
    dpi = 512 / max(trim.width, trim.height) * MM_PER_INCH  # twice its shown resolution
    options = RasterOptions(dpi, "trim", shape, component.corner_radius)
    made_of = (side, sides.face(side).name, options, "thumbnail")
    return PlannedFile.of_picture(name, made_of, lambda: fitted(sides.cut_out(side, options=options)))


def fitted(image: Image.Image, side: int = 256) -> Image.Image:
    """Return a picture in the middle of a transparent square, shrunk to fit."""
    if image.mode != "RGB":
        image = image.convert("RGBA")
    scale = min(1.0, side / max(image.size))
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    image = image.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0).convert("RGBA")
    square = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    square.paste(image, ((side - image.width) // 2, (side - image.height) // 2))
    return square


def addresses(job: ExportJob) -> Address:
    """Return addresses below `--base-url`, or of the local files, with a warning if these may not be found.
    Raises CardgenError for paths that can't be written as addresses."""
    base = job.text("base-url")
    if base is not None:
        web = web_address(base)
        return lambda name: f"{web}/{quote(name)}"
    if any("\udc80" <= sign <= "\udcff" for sign in str(job.folder)):
        message = "this folder's name is not UTF-8, and no address can have it"
        place = Location(job.folder.as_posix())
        hint = "rename it, or export to another folder: --output DIR"
        raise CardgenError(Finding(Severity.ERROR, "tts/address", message, place, hint))
    odd = sorted({sign for sign in str(job.folder) if sign in "#?%"})
    if odd:
        job.findings.warning(
            "tts/address",
            f"this folder's name has a {' and a '.join(odd)}, and addresses with that may not be found",
            Location(job.folder.as_posix()),
            "export to another folder: --output DIR",
        )
    return lambda name: local_address(job.folder / name)


CARDS_A_KEY = 100
"""A card's id is its atlas's key times this, plus its cell."""


@dataclass(frozen=True, slots=True)
class Atlas:
    """Cards of one size on one picture. `key` identifies an atlas within a game; `face` and `back` are file
    names, `back` a picture of one card unless it is `unique_back`."""

    key: int
    component: Component
    trim: Size
    pieces: tuple[Piece, ...]
    grid: Grid
    face: PlannedFile
    back: PlannedFile
    unique_back: bool

    def card_id(self, card: str) -> int:
        """Return the id of a card on this atlas. Raises StopIteration if it is on another."""
        slot = next(i for i, piece in enumerate(self.pieces) if piece.card.id == card)
        return self.key * CARDS_A_KEY + slot


def keys_of(components: Sequence[Component], most: Callable[[Size], int]) -> dict[str, int]:
    """Return the key of the first atlas of each component, by id. It is the same for every part of a game,
    so that decks of several exports can be on one table.
    """
    keys: dict[str, int] = {}
    key = 1
    for component in components:
        keys[component.id] = key
        sizes = Counter(card.trim for card in component.cards)
        key += sum(len(spread(count, most(trim))) for trim, count in sizes.items())
    return keys


def plan_atlases(job: ExportJob, component: Component, key: int) -> list[Atlas]:
    """Return the atlases of a component, from `key` on, with their pictures."""
    return [
        _atlas(job, component, number, trim, pieces)
        for number, (trim, pieces) in enumerate(parts(job.needed(component), cells_a_picture(job)), key)
    ]


def _atlas(job: ExportJob, component: Component, key: int, trim: Size, pieces: tuple[Piece, ...]) -> Atlas:
    grid = plan_grid(len(pieces), trim, job.dpi, job.texture)
    backs = [piece.back for piece in pieces]
    unique = len(set(backs)) > 1
    stem, suffix = f"images/{component.id}", job.encoding.suffix
    face = atlas_file(job, "", [piece.face for piece in pieces], grid).hashed(stem, suffix)
    if unique:
        back = atlas_file(job, "", backs, grid).hashed(f"{stem}-backs", suffix)
    elif backs[0] is None:
        back = blank_side(job, f"{stem}-plain", trim)
    else:
        back = single_picture(job, f"{stem}-back", backs[0], trim)
    return Atlas(key, component, trim, pieces, grid, face, back, unique)


MM_PER_UNIT = 25.4

CARD_WIDTH, CARD_HEIGHT = 56.0, 80.0
"""mm of a card of poker's shape at scale 1 (tts-deckconverter, measured). The width of another shape
follows its cell on the atlas (knowledge base, Custom Deck), the height stays."""
POKER = Size(63.5, 88.9)
TILE_SHORT = 2 * MM_PER_UNIT
"""mm of the shorter side of a Custom_Tile at scale 1; the longer one follows the picture (measured by
renderers of its saves, on snap points that meet printed slots)."""
PAGE_HEIGHT = 3.5 * MM_PER_UNIT
"""mm of a Custom_PDF's page at scale 1, estimated from books in real saves."""

RESTING = 1.0
"""The height of locked objects, just above the table top."""
DROPPED = 1.6
"""The height from which other objects drop, since boards may be under them."""

TILE_THICKNESS = 0.1
FIGURES: Mapping[str, Any] = skeleton("tts_figures")
CARD_SHAPES: Mapping[str, int] = FIGURES["card_shapes"]
"""`Type` of a custom deck (API, Custom Game Objects)."""
TILE_SHAPES: Mapping[str, int] = FIGURES["tile_shapes"]
"""`Type` of a custom tile (API, Custom Game Objects)."""
SEAT_TINTS: Mapping[str, Sequence[float]] = FIGURES["seat_tints"]
"""The colors of seats (API, Player Colors)."""


def units(mm: float) -> float:
    """Return units in millimeters."""
    return rounded(mm / MM_PER_UNIT)


def rounded(value: float) -> float:
    """Return a number as saves write it: short, and never -0."""
    return round(value, 5) + 0.0


def card_scale(trim: Size, cell: tuple[int, int]) -> tuple[float, float]:
    """Return scaleX and scaleZ of a card with this trim, shown on cells of this many pixels."""
    shape = (cell[0] / cell[1]) / (POKER.width / POKER.height)
    return rounded(trim.width / (CARD_WIDTH * shape)), rounded(trim.height / CARD_HEIGHT)


def tile_scale(trim: Size) -> float:
    """Return the scale, across and deep, of a tile with this trim."""
    return rounded(min(trim.width, trim.height) / TILE_SHORT)


def page_scale(trim: Size) -> float:
    """Return the scale of a book with pages of this trim."""
    return rounded(trim.height / PAGE_HEIGHT)


NATIVE = CARD_WIDTH / POKER.width
"""The factor of all sizes and places, so that a poker card has the program's own size."""
UNSCALED = ("Figurine_Custom", "Bag", "Infinite_Bag", "Counter", "Notecard", "PlayerPawn", "BlockSquare")
"""Kinds that always have the program's own size, like dice."""


def resized(objects: Iterable[dict[str, Any]], factor: float) -> None:
    """Scale objects and their places by one factor."""
    for each in objects:
        place = each["Transform"]
        fixed = each["Name"] in UNSCALED or each["Name"].startswith("Die_")
        for key in ("posX", "posZ") if fixed else ("posX", "posZ", "scaleX", "scaleZ"):
            place[key] = rounded(place[key] * factor)
        resized([*each.get("ContainedObjects", ()), *each.get("States", {}).values()], factor)


def transform(
    spot: Spot,
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0),
    *,
    face_up: bool = True,
    height: float = DROPPED,
) -> dict[str, float]:
    """Return the place of an object that is readable from the near side."""
    return {
        "posX": units(spot.x),
        "posY": height,
        "posZ": units(-spot.y),
        "rotX": 0.0,
        "rotY": rounded((180 + spot.turn) % 360),
        "rotZ": 0.0 if face_up else 180.0,
        "scaleX": scale[0],
        "scaleY": scale[1],
        "scaleZ": scale[2],
    }


def on_tile(trim: Size, x: float, y: float) -> tuple[float, float]:
    """Return x and z within a tile (which its scale multiplies) of a place in mm from the top left corner
    of its trim. A tile's picture has its top towards -z and its right towards -x."""
    half = min(trim.width, trim.height) / 2
    return rounded(-(x - trim.width / 2) / half), rounded((y - trim.height / 2) / half)


def tint(color: str) -> dict[str, float]:
    """Return `#1b7399` as red, green and blue from 0 to 1."""
    red, green, blue = (rounded(int(color[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return {"r": red, "g": green, "b": blue}


BASE: Mapping[str, Any] = skeleton("tts_object")
"""The fields that every object of version 13 has, in the order of its saves. The program can't open a
save in which an object lacks some of them."""


Object = dict[str, Any]

KINDS: Mapping[str, Object] = skeleton("tts_kinds")
"""The additional fields of each kind of object."""

DICE: Mapping[DieKind, str] = FIGURES["dice"]


class Guids:
    """Ids of objects, six hex digits, derived from their identities: the same in every rebuild, and unique
    in a save."""

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
        """Return the identity of the object with an id: `card/COMPONENT/CARD/SEAT`, say. Raises KeyError
        for a foreign id."""
        return self._taken[guid]


def thing(
    name: str,
    guid: str,
    transform: Mapping[str, float],
    nickname: str = "",
    said: Mapping[str, Any] = MappingProxyType({}),
    **fields: Any,
) -> Object:
    """Return an object of any kind. `said` are its name and description, `fields` those of its kind."""
    kind = copy.deepcopy(KINDS.get(name, {}))
    place = {"GUID": guid, "Name": name, "Transform": dict(transform), "Nickname": nickname}
    return {**BASE, **place, **said, **kind, **fields}


def worded(words: Words) -> dict[str, Any]:
    """Return the fields that name and describe a card."""
    fields: dict[str, Any] = {
        "Nickname": words.nickname,
        "Description": words.description,
        "GMNotes": words.gm_notes,
    }
    if words.tags:
        fields["Tags"] = list(words.tags)
    if words.sides:  # read from its rotation, shown at the pointer, set from the menu
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
    """The inputs of objects: pictures by component and card, books by component, words."""

    job: ExportJob
    address: Address
    atlases: Mapping[str, tuple[Atlas, ...]]
    tiles: Mapping[tuple[str, str], Tile]
    books: Mapping[str, PlannedFile]

    def atlas(self, component: str, card: str) -> Atlas:
        """Return the atlas of a card."""
        for atlas in self.atlases[component]:
            if any(piece.card.id == card for piece in atlas.pieces):
                return atlas
        raise KeyError(card)

    def piece(
        self, component: str, card: str, spot: Spot, guid: str, *, name: str | None = None, **lying: Any
    ) -> Object:
        """Return one piece: a card if its component has atlases, else a tile, or a figure in the program's
        own base. `name` is its name on the table, `lying` is for `transform`."""
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
        """Return one card. An atlas of a single card makes it a CardCustom."""
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
    """Return a snap point on a tile, which may rotate pieces."""
    x, z = on_tile(trim, snap.x, snap.y)
    turn = {"x": 0.0, "y": snap.turn, "z": 0.0}
    return {"Position": {"x": x, "y": TILE_THICKNESS, "z": z}, "Rotation": turn}


def table_objects(stock: Stock, table: Table, guids: Guids) -> list[Object]:
    """Return all objects of the table and the hand zones, boards first."""
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
    # after the hands: the first of a color is its player's seat
    made += [maker.zone(item) for item in table.items if item.kind == "zone"]
    return _sized(stock.job, made)


def component_objects(stock: Stock, component: Component, guids: Guids) -> list[Object]:
    """Return a component as a saved object: piles of its cards, one for each size; a bag of its tokens; its
    boards and mats side by side; its book."""
    return _sized(stock.job, _Maker(stock, guids).alone(component))


def _sized(job: ExportJob, objects: list[Object]) -> list[Object]:
    """Return objects in the scale that the user chose."""
    if job.text("scale") == "native":
        resized(objects, NATIVE)
    return objects


def _upright(spot: Spot, area: Size) -> dict[str, float]:
    """Return the place of a hand or another zone."""
    size = (units(area.width), HAND_HEIGHT, units(area.height))
    return transform(spot, size, height=HAND_HEIGHT / 2)


def _hand(color: str, guid: str, transform: dict[str, float]) -> Object:
    """Return a seat's hand zone; the first one of a color makes it a seat."""
    red, green, blue = SEAT_TINTS[color]
    tinted = {"r": red, "g": green, "b": blue, "a": 0.0}
    return thing("HandTrigger", guid, transform, ColorDiffuse=tinted, FogColor=color)


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes the objects of one save."""

    stock: Stock
    guids: Guids

    def objects(self, item: Placed) -> Iterable[Object]:
        """Return an object on the table that is no zone."""
        spot = resting_place(self.stock.job.game, self.stock.job.screen_table, item)
        name, seat = item.name or "", item.seat or ""
        if item.kind in ("deck", "bag"):
            title = name or self.stock.job.game.component(item.component).title
            return [self._pile(item, spot, title) if item.kind == "deck" else self._bag(item, spot, title)]
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
        """Return an area of the table: one more hand of its seat, a hidden zone (knowledge base, Zone
        Tools: the game master, Black, sees into each), or a zone for scripts. None has tags: a zone with
        tags ignores objects without them."""
        assert item.area is not None
        spot = resting_place(self.stock.job.game, self.stock.job.screen_table, item)
        name, seat = item.name or "", item.seat or ""
        if item.hand:  # like those of seats, facing the table
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
        """Return the objects of a component without a table."""
        middle = Spot(0.0, 0.0)
        if component.book is not None:
            return [self._book(component, middle)]
        if component.dice:
            return list(dice_objects(component.id, component.dice, middle, self.guids))
        sizes: dict[Size, list[tuple[str, int]]] = {}
        for card in component.cards:
            if card.copies > 0:
                sizes.setdefault(card.trim, []).append((card.id, card.copies))
        if component.kind in ("token", "standee") and component.id not in self.stock.atlases:
            cards = tuple((card.id, card.copies) for card in component.cards if card.copies > 0)
            item = Placed("bag", middle, component=component.id, cards=cards)
            return [self._bag(item, middle, component.title)] if cards else []
        made: list[Object] = []
        x = 0.0
        if component.id in self.stock.atlases:
            for trim, heap in sizes.items():
                name = component.title if len(sizes) == 1 else f"{component.title}, {trim}"
                item = Placed("deck", middle, component=component.id, cards=tuple(heap))
                made.append(self._pile(item, Spot(x + trim.width / 2, 0.0), name))
                x += trim.width + SPACE
            return made
        for card in component.cards:
            for _ in range(card.copies):
                guid = self.guids.take("piece", component.id, card.id)
                place = Spot(x + card.trim.width / 2, 0.0)
                made.append(self.stock.piece(component.id, card.id, place, guid))
                x += card.trim.width + SPACE
        return made

    def _pile(self, item: Placed, spot: Spot, name: str) -> Object:
        """Return cards as one heap, the first on top, shuffled if the table requires it. The shuffle is
        fixed, so that a rebuild changes nothing. A single card is no deck."""
        face_up, seat = item.face_up, item.seat or ""
        order = _content(item)
        guid = self.guids.take("deck", item.component, name, seat)
        if item.shuffle:
            random.Random(f"{self.stock.job.game.id}/{item.component}/{name}/{seat}").shuffle(order)
        made = [
            self.stock.piece(home, id, spot, self.guids.take("card", home, id, seat), face_up=face_up)
            for home, id in order
        ]
        if len(made) == 1:
            return made[0]
        for each in made[1:]:  # cells of two atlases may differ by part of a pixel
            each["Transform"] = dict(made[0]["Transform"])
        held = made[::-1] if face_up else made  # the top card is first if face down, last if face up
        tags = sorted({tag for each in held for tag in each.get("Tags", ())})
        whole = thing("DeckCustom", guid, made[0]["Transform"], name, {"Tags": tags} if tags else {})
        return whole | {
            "DeckIDs": [each["CardID"] for each in held],
            "CustomDeck": _decks_of(each["CustomDeck"] for each in held),
            "ContainedObjects": held,
        }

    def _bag(self, item: Placed, spot: Spot, name: str) -> Object:
        """Return pieces in a bag; an infinite one contains one piece and gives copies of it."""
        seat = item.seat or ""
        guid = self.guids.take("bag", item.component, name, seat)
        content = [
            self.stock.piece(home, id, spot, self.guids.take("in bag", home, id, seat))
            for home, id in _content(item)
        ]
        kind = "Infinite_Bag" if item.infinite else "Bag"
        made = thing(kind, guid, transform(spot), name, ContainedObjects=content)
        if not item.infinite:
            made["Bag"] = {"Order": 2 if item.shuffle else 0}
        if item.color is not None:
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
            for place, id in enumerate(item.states, 1):  # a save has no entry for the visible state
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
        """Return a rulebook."""
        scale = page_scale(component.trim) if component.trim is not None else 1.0
        where = transform(spot, (scale, 1.0, scale), height=RESTING)
        guid = self.guids.take("book", component.id)
        made = thing("Custom_PDF", guid, where, name or component.title)
        made["CustomPDF"]["PDFUrl"] = self.stock.address(self.stock.books[component.id].name)
        return made


def _content(item: Placed) -> list[tuple[str, str]]:
    """Return the cards of a pile or bag by component and id, each copy."""
    return [(home, id) for home, cards in item.parts for id, copies in cards for _ in range(copies)]


def _decks_of(decks: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the atlases of cards as their pile lists them: each once, by their keys."""
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
    """`identity` names the object and is the same in every export. `scale` across and deep, `tags` and
    `of`, the number of such objects, are as exported, to separate the user's changes from the game's."""

    game: str
    identity: str
    scale: tuple[float, float] = (1.0, 1.0)
    tags: tuple[str, ...] = ()
    of: int = 0

    @property
    def card(self) -> tuple[str, str] | None:
        """Return component and card of an object that is one."""
        kind, *more = self.identity.split("/")
        return (more[0], more[1]) if kind in CARDS and len(more) >= 2 else None

    def text(self) -> str:
        content = {"cardgen": self.game, "is": self.identity, "scale": self.scale, "of": self.of}
        return json.dumps(content | ({"tags": self.tags} if self.tags else {}), ensure_ascii=False)


def memo_of(each: Mapping[str, Any]) -> Memo | None:
    """Return an object's memo; None if it isn't from an export."""
    try:
        found = json.loads(each["Memo"])
        across, deep = map(float, found["scale"])
        tags = tuple(map(str, found.get("tags", ())))
        return Memo(str(found["cardgen"]), str(found["is"]), (across, deep), tags, int(found["of"]))
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, OverflowError):
        return None


def remember(game: str, objects: Iterable[Object], guids: Guids) -> None:
    """Give each object, and each object in it, its memo."""
    all_of_them = list(everything(objects))
    counts = Counter(guids.identity(each["GUID"]) for each in all_of_them)
    for each in all_of_them:
        identity, place = guids.identity(each["GUID"]), each["Transform"]
        scale = (place["scaleX"], place["scaleZ"])
        each["Memo"] = Memo(game, identity, scale, tuple(each.get("Tags", ())), counts[identity]).text()


def everything(objects: Iterable[Object]) -> Iterator[Object]:
    """Yield objects with their contents and their other states."""
    for each in objects:
        yield each
        yield from everything(inner(each))


def inner(each: Mapping[str, Any]) -> Iterator[Object]:
    """Yield the contents of an object, and its other states."""
    for found in (each.get("ContainedObjects"), each.get("States")):
        values = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
        yield from (value for value in values if isinstance(value, dict))


_D6: Sequence[tuple[float, float]] = FIGURES["d6_turns"]
"""rotX and rotZ of a Die_6 with its face 1, 2, … up and rotY 0, as in saves by other programs."""


def dice_objects(
    component: str, dice: Iterable[Die], spot: Spot, guids: Guids, seat: str = ""
) -> Iterator[Object]:
    """Yield dice, every copy, side by side with their middle on a spot."""
    copies = [(die, kind) for die in dice if (kind := die.kind) is not None for _ in range(die.copies)]
    for (die, kind), place in zip(copies, _side_by_side(spot, len(copies))):
        faces = "\n".join(f"{number}: {name}" for number, name in enumerate(die.names, start=1))
        guid = guids.take("die", component, die.id, seat)
        made = thing(DICE[kind], guid, transform(place), die.id, Description=faces)
        yield made | rotation_values(kind, die.names)


def rotation_values(kind: str, names: Iterable[str] = "123456") -> Object:
    """Return the field that maps a d6's rotations to its faces; empty for other dice, whose rotations are
    not known."""
    return {"RotationValues": list(map(_value, names, _D6))} if kind == "d6" else {}


def _value(name: str, turn: tuple[float, float]) -> dict[str, Any]:
    return {"Value": name, "Rotation": {"x": turn[0], "y": 0.0, "z": turn[1]}}


def say_what_is_missing(component: Component, place: Location, findings: Findings) -> None:
    """Report the dice of a component that the table can't show."""
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
                f"use one of: {', '.join(DICE)}",
            )
