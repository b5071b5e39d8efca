"""The widgets of a room, as rooms of playingcards.io write them. All lengths are pixels of the room."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardgen.exporting.encoding import PLAIN

Widget = dict[str, Any]

MARGIN = 6
"""Between a pile's frame and its cards: a frame is 115 × 172 for cards of 103 × 160."""
SEAT_COLORS = ("red", "orange", "yellow", "green", "teal", "blue")
"""The colours of seats that were seen in rooms."""


@dataclass(frozen=True, slots=True)
class Box:
    """A place in the room: the top left corner, width and height, turned clockwise about its middle."""

    x: float
    y: float
    width: float
    height: float
    turn: float = 0.0

    def as_json(self) -> dict[str, int]:
        place = {"x": round(self.x), "y": round(self.y)}
        size = {"width": round(self.width), "height": round(self.height)}
        return place | size | ({"r": round(self.turn) % 360} if round(self.turn) % 360 else {})


@dataclass(slots=True)
class Room:
    """A growing list of widgets. Ids are the same for the same things of the same game; each widget lies
    above those before it."""

    game: str
    widgets: list[Widget] = field(default_factory=list)
    _taken: dict[str, int] = field(default_factory=dict)

    def add(self, type: str, name: str, box: Box, **more: Any) -> str:
        """A widget; `name` is what its id is made from. Returns the id."""
        count = self._taken[name] = self._taken.get(name, 0) + 1
        id = str(uuid.uuid5(uuid.NAMESPACE_URL, f"cardgen:{self.game}/{name}#{count}"))
        self.put(id, type, box, **more)
        return id

    def put(self, id: str, type: str, box: Box, **more: Any) -> None:
        """A widget with a given id."""
        entry = {"id": id, "type": type, **box.as_json(), "z": len(self.widgets) + 1}
        self.widgets.append(entry | {"dragging": None} | more)


@dataclass(frozen=True, slots=True)
class CardType:
    """A kind of card in a deck: its id, its name, and the addresses of its sides."""

    id: str
    label: str
    face: str
    back: str | None


def template(width: int, height: int, side: str, address: str | None, *, radius: bool) -> Widget:
    """What a deck's faces or backs show: one picture, either the same for all cards (`address`) or what
    each card type has under the name `side`."""
    dynamic = address is None
    picture = {
        "type": "image",
        "x": 0,
        "y": 0,
        "w": width,
        "h": height,
        "color": PLAIN if address == "" else "white",
        "valueType": "dynamic" if dynamic else "static",
        "value": side if dynamic else address,
    }
    return {"includeBorder": False, "includeRadius": radius, "objects": [picture]}


def add_deck(
    room: Room, name: str, box: Box, types: Sequence[CardType], *, parent: str | None, radius: bool
) -> str:
    """A deck without its cards; `parent` is the pile that they lie on."""
    width, height = round(box.width), round(box.height)
    backs = {each.back for each in types}
    shared = (backs.pop() or "") if len(backs) == 1 else None
    kinds: Mapping[str, dict[str, str]] = {
        each.id: {"label": each.label, "face": each.face}
        | ({} if shared is not None else {"back": each.back or ""})
        for each in types
    }
    return room.add(
        "cardDeck",
        f"{name}/deck",
        box,
        parent=parent,
        cardWidth=width,
        cardHeight=height,
        cardTypes=kinds,
        faceTemplate=template(width, height, "face", None, radius=radius),
        backTemplate=template(width, height, "back", shared, radius=radius),
        enlarge=True,
        showUnflipped=True,
        cardOverlapH=0,
        cardOverlapV=0,
    )


def add_card(
    room: Room, name: str, box: Box, deck: str, card: str, *, parent: str | None, face_up: bool
) -> str:
    """A card of a deck, by the id of its type, above all that is there already."""
    more = {"deck": deck, "cardType": card, "parent": parent, "faceup": face_up, "owner": None}
    return room.add("card", f"{name}/{card}", box, **more)


def add_pile(room: Room, name: str, box: Box, label: str, *, shuffles: bool) -> str:
    """The frame that cards lie on; `box` is the place of the cards."""
    frame = Box(box.x - MARGIN, box.y - MARGIN, box.width + 2 * MARGIN, box.height + 2 * MARGIN, box.turn)
    return room.add(
        "cardPile",
        f"{name}/pile",
        frame,
        parent=None,
        label=label,
        hasShuffleButton=shuffles,
        hideStackTab=False,
    )
