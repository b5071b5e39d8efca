"""The objects of a save, as JSON values: each has every field that its kind has in version 13."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from cardgen.exporting.job import Words
from cardgen.exporting.tts.atlases import Atlas
from cardgen.exporting.tts.measures import BASE, CARD_SHAPES, CARD_TINT, SEAT_TINTS, TILE_THICKNESS, tint
from cardgen.exporting.tts.side_images import Address
from cardgen.model.table import DieKind, Placed

Object = dict[str, Any]

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


def thing(name: str, guid: str, transform: dict[str, float], nickname: str = "", **fields: Any) -> Object:
    """An object of any kind."""
    return {**BASE, "GUID": guid, "Name": name, "Transform": transform, "Nickname": nickname, **fields}


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


def card(
    atlas: Atlas, id: str, address: Address, words: Words, guid: str, transform: dict[str, float]
) -> Object:
    """One card. An atlas of a single card makes it a CardCustom."""
    return thing(
        "CardCustom" if len(atlas.pieces) == 1 else "Card",
        guid,
        transform,
        **worded(words),
        ColorDiffuse={"r": CARD_TINT, "g": CARD_TINT, "b": CARD_TINT},
        HideWhenFaceDown=True,
        Hands=True,
        CardID=atlas.card_id(id),
        SidewaysCard=False,
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
        ColorDiffuse={"r": CARD_TINT, "g": CARD_TINT, "b": CARD_TINT},
        HideWhenFaceDown=True,
        **({"Tags": tags} if tags else {}),
        SidewaysCard=False,
        DeckIDs=[each["CardID"] for each in cards],
        CustomDeck={key: atlases[key] for key in sorted(atlases, key=int)},
        ContainedObjects=list(cards),
    )


def tile(
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
    object_ = thing(
        "Custom_Tile",
        guid,
        transform,
        **worded(words),
        CustomImage={
            "ImageURL": face,
            "ImageSecondaryURL": back,
            "ImageScalar": 1.0,
            "WidthScale": 0.0,
            "CustomTile": {
                "Type": shape,
                "Thickness": TILE_THICKNESS,
                "Stackable": stackable,
                "Stretch": True,
            },
        },
    )
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
    object_ = thing(
        "Infinite_Bag" if infinite else "Bag",
        guid,
        transform,
        nickname,
        MaterialIndex=-1,
        MeshIndex=-1,
        ContainedObjects=list(content),
    )
    if not infinite:
        object_["Bag"] = {"Order": 2 if random else 0}
    if color is not None:
        object_["ColorDiffuse"] = tint(color)
    return object_


def hand(color: str, guid: str, transform: dict[str, float]) -> Object:
    """A seat's hand zone; the first one of a colour makes it a place to sit at."""
    red, green, blue = SEAT_TINTS[color]
    return thing(
        "HandTrigger",
        guid,
        transform,
        ColorDiffuse={"r": red, "g": green, "b": blue, "a": 0.0},
        Locked=True,
        Grid=False,
        FogColor=color,
    )


def zone(item: Placed, guid: str, transform: dict[str, float]) -> Object:
    """A part of the table: one more hand of its seat, a hidden zone (knowledge base, Zone Tools: the game
    master, Black, sees into each), or one that scripts find. None has tags: a zone with some takes notice
    only of objects that share one."""
    if item.hand:
        return {**hand(item.seat or "", guid, transform), "Nickname": item.name or ""}
    fields: dict[str, Any] = {"Locked": True, "Grid": False, "Snap": False, "Tooltip": False}
    if item.hides is None:
        tinted = {"r": 1.0, "g": 1.0, "b": 1.0, "a": 0.0}
        return thing("ScriptingTrigger", guid, transform, item.name or "", ColorDiffuse=tinted, **fields)
    color = "Black" if item.hides == "all" else item.seat or ""
    red, green, blue = SEAT_TINTS.get(color, (0.25, 0.25, 0.25))
    return thing(
        "FogOfWarTrigger",
        guid,
        transform,
        item.name or "",
        ColorDiffuse={"r": red, "g": green, "b": blue, "a": 0.25},
        **fields,
        FogColor=color,
        FogHidePointers=False,
        FogReverseHiding=item.hides == "owner",
        FogSeethrough=True,
    )


def snap_point(x: float, y: float, z: float, turn: float) -> dict[str, Any]:
    """A place that pieces jump to, turned by `turn` degrees, in what it is attached to."""
    return {"Position": {"x": x, "y": y, "z": z}, "Rotation": {"x": 0.0, "y": turn, "z": 0.0}}
