"""A game's table as a room: its things in their places, in pixels, and a hand for everyone seated."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace

from cardgen.exporting.job import ExportJob, Tabletop
from cardgen.exporting.pcio.assets import Assets
from cardgen.exporting.pcio.buttons import add_buttons
from cardgen.exporting.pcio.closer import Closer, spans
from cardgen.exporting.pcio.widgets import (
    SEAT_COLORS,
    Box,
    CardType,
    Room,
    Widget,
    add_card,
    add_deck,
    add_pile,
)
from cardgen.exporting.spots import card_of, extent_of, resting_place
from cardgen.findings import Location
from cardgen.geometry import Rect, Size
from cardgen.model.game import Component
from cardgen.model.table import DIE, NOTE, PAWN, Placed, Seat, Spot

ROOM = Size(1600, 1000)
"""A room's pixels."""
AREA = Rect(20, 40, 1560, 690)
"""Where the table's things lie: above them room for the label of a pile, below them the seats."""
HAND = Box(50, 820, 1500, 180)
SEATS_Y = 765
BUTTONS = (20, 732)
SEAT = (180, 40)
MOST_PX_PER_MM = 103 / 63.5
"""No larger than the room's own cards, 103 px for a poker card."""
ENDLESS = 12
"""Pieces in a bag that never runs out: rooms have no such thing."""
COUNTER = (140, 44)
NOTE_SIZE, NOTE_LINE, LETTER, NOTE_WIDTH = 12, 16, 6.0, 96
"""A note's type, the height of its lines, roughly the width of a letter, and the least width of a note."""


@dataclass(frozen=True, slots=True)
class _Lying:
    """A thing with its spot and its extent, in mm."""

    item: Placed
    spot: Spot
    size: Size


class Furnisher:
    """Puts the things of a table into a room. Problems go to the job's findings."""

    def __init__(self, job: ExportJob, tabletop: Tabletop, assets: Assets) -> None:
        self.job, self.tabletop, self.assets = job, tabletop, assets
        self.room = Room(job.game.id)
        self.scale, self.middle = 1.0, Spot(0.0, 0.0)
        self._piles: list[tuple[Placed, str]] = []

    def widgets(self) -> list[Widget]:
        """All widgets: boards first, then what lies on them, then seats and the hand."""
        items = [_upright(item) for item in self.tabletop.table.items]
        table = replace(self.tabletop.table, items=tuple(items))
        self.tabletop = replace(self.tabletop, table=table)
        lying = _closer([self._lying(item) for item in items if self._wanted(item)])
        self._fit(lying)
        makers: dict[str, Callable[[_Lying], None]] = {
            "deck": self._deck,
            "piece": self._piece,
            "bag": self._bag,
            "dice": self._dice,
            "pawn": self._pawn,
            "counter": self._counter,
            "note": self._note,
        }
        for each in sorted(lying, key=lambda each: not each.item.locked):
            makers[each.item.kind](each)
        seats, job = self._seats(), self.job
        titles = {component.id: component.title for component in job.game.components}
        least = job.game.players[0]
        add_buttons(self.room, self.tabletop.table, least, titles, self._piles, seats, BUTTONS)
        self.room.put("hand", "hand", HAND, enabled=True)
        return self.room.widgets

    def _wanted(self, item: Placed) -> bool:
        return item.kind not in ("book", "zone") and (not item.component or bool(self._kinds(item)))

    def _kinds(self, item: Placed) -> list[tuple[str, str, int]]:
        """The cards that are exported, by component and id with their copies."""
        return [
            (component, id, copies)
            for component, cards in item.parts
            if self.job.exports(component)
            for id, copies in cards
        ]

    # ------------------------------------------------------------ places

    def _lying(self, item: Placed) -> _Lying:
        spot = resting_place(self.job.game, self.tabletop, item)
        return _Lying(item, spot, extent_of(self.job.game, item))

    def _fit(self, lying: list[_Lying]) -> None:
        """Choose the scale and the middle at which all things are in the area."""
        if not lying:
            return
        boxes = []
        for each in lying:
            half = _turned(each.size, each.spot.turn)
            boxes.append(
                Rect(each.spot.x - half.width / 2, each.spot.y - half.height / 2, half.width, half.height)
            )
        left, top = min(box.x for box in boxes), min(box.y for box in boxes)
        right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
        self.scale = min(AREA.width / (right - left), AREA.height / (bottom - top), MOST_PX_PER_MM)
        self.middle = Spot((left + right) / 2, (top + bottom) / 2)

    def _box(self, spot: Spot, size: Size) -> Box:
        """The room's pixels of a thing of that size (mm) in the middle of a spot."""
        x = AREA.x + AREA.width / 2 + (spot.x - self.middle.x) * self.scale
        y = AREA.y + AREA.height / 2 + (spot.y - self.middle.y) * self.scale
        width, height = size.width * self.scale, size.height * self.scale
        return Box(x - width / 2, y - height / 2, width, height, spot.turn)

    def _around(self, spot: Spot, width: float, height: float) -> Box:
        """A box of so many pixels in the middle of a spot."""
        box = self._box(spot, Size(0, 0))
        return Box(box.x - width / 2, box.y - height / 2, width, height, spot.turn)

    # ------------------------------------------------------------ things

    def _home(self, each: _Lying) -> Component:
        return self.job.game.component(each.item.component)

    def _name(self, each: _Lying) -> str:
        item = each.item
        return "/".join(filter(None, (item.kind, item.component, item.name, item.seat)))

    def _deck(self, each: _Lying) -> None:
        item, home = each.item, self._home(each)
        box = self._box(each.spot, each.size)
        name = self._name(each)
        pile = add_pile(self.room, name, box, item.name or home.title, shuffles=len(self._kinds(item)) > 1)
        self._piles.append((item, pile))
        order = [(component, id) for component, id, copies in self._kinds(item) for _ in range(copies)]
        if item.shuffle:
            random.Random(f"{self.job.game.id}/{name}").shuffle(order)
        self._cards(each, box, name, list(reversed(order)), pile)

    def _cards(
        self, each: _Lying, box: Box, name: str, order: list[tuple[str, str]], parent: str | None
    ) -> None:
        """Cards on one heap, each by component and id, the last on top."""
        item = each.item
        decks: dict[tuple[str, Size], list[str]] = {}  # a deck has cards of one size and component
        for component, id, _ in self._kinds(item):
            trim = card_of(self.job.game, component, id).trim
            decks.setdefault((component, trim), []).append(id)
        face_up = item.face_up or item.kind == "bag"
        homes: dict[tuple[str, str], tuple[str, Box]] = {}
        for (component, trim), ids in decks.items():
            home = self.job.game.component(component)
            width, height = trim.width * self.scale, trim.height * self.scale
            x, y = box.x + (box.width - width) / 2, box.y + (box.height - height) / 2
            place = Box(x, y, width, height, box.turn)
            types = [self._type(home, id) for id in ids]
            radius = home.outline == "rounded"
            deck = add_deck(self.room, name, place, types, parent=parent, radius=radius)
            homes |= {(component, id): (deck, place) for id in ids}
        for component, id in order:
            deck, place = homes[component, id]
            add_card(self.room, name, place, deck, id, parent=parent, face_up=face_up)

    def _type(self, home: Component, id: str) -> CardType:
        """A card type; a token without a back shows its face on both sides."""
        piece = self.job.piece(home.id, id)
        trim = piece.card.trim
        face = self.assets.side(home, f"{id}-face", piece.face, trim)
        back: str | None = None
        if piece.back is not None:
            shared = len({other.back for other in self.job.pieces(home)}) == 1
            stem = "back" if shared else f"{id}-back"
            back = self.assets.side(home, stem, piece.back, trim)
        elif home.kind in ("token", "standee"):
            back = face
        return CardType(id, self.tabletop.words[home.id, id].nickname, face, back)

    def _piece(self, each: _Lying) -> None:
        item, home = each.item, self._home(each)
        id = item.cards[0][0]
        if item.locked:
            self._board(each, home, id)
            return
        for number in range(item.count):
            box = self._box(each.spot, each.size)
            raised = Box(box.x + 3 * number, box.y - 3 * number, box.width, box.height, box.turn)
            self._cards(each, raised, f"{self._name(each)}/{id}/{number}", [(home.id, id)], None)

    def _board(self, each: _Lying, home: Component, id: str) -> None:
        """Something that stays where it is: a picture that is turned itself where it lies square."""
        piece = self.job.piece(home.id, id)
        side = piece.face if each.item.face_up or piece.back is None else piece.back
        square = round(each.spot.turn) % 90 == 0
        turn = round(each.spot.turn) % 360 if square else 0
        address = self.assets.side(home, f"{id}-{turn}" if turn else id, side, piece.card.trim, turn)
        size = each.size.turned if turn in (90, 270) else each.size
        spot = Spot(each.spot.x, each.spot.y, 0.0 if square else each.spot.turn)
        name = f"{self._name(each)}/{id}"
        self.room.add("board", name, self._box(spot, size), parent=None, boardImage=address)

    def _bag(self, each: _Lying) -> None:
        """A pile of the bag's pieces, face up, in the order of their kinds: one takes what one needs."""
        item, home = each.item, self._home(each)
        trims = [card_of(self.job.game, home.id, id).trim for id, _ in item.cards]
        size = Size(max(trim.width for trim in trims), max(trim.height for trim in trims))
        box = self._box(each.spot, size)
        name = self._name(each)
        label = item.name or home.title
        if item.infinite:
            self.job.findings.note(
                "pcio/endless",
                f"the bag '{label}' has {ENDLESS} pieces: rooms have no bag that never runs out",
                self._where(item),
            )
        pile = add_pile(self.room, name, box, label, shuffles=item.shuffle)
        self._piles.append((item, pile))
        order = [
            (home.id, id) for id, copies in item.cards for _ in range(ENDLESS if item.infinite else copies)
        ]
        if item.shuffle:
            random.Random(f"{self.job.game.id}/{name}").shuffle(order)
        self._cards(each, box, name, order, pile)

    def _dice(self, each: _Lying) -> None:
        """A spinner a die: what a room has to roll with."""
        item = each.item
        sides = int(item.die[1:])
        step = max(DIE * 1.5 * self.scale, 44.0)
        for number in range(item.count):
            shift = (number - (item.count - 1) / 2) * step
            box = self._around(each.spot, step - 4, step - 4)
            moved = Box(box.x + shift, box.y, box.width, box.height)
            options = list(range(1, sides + 1))
            name = f"{self._name(each)}/{item.die}/{number}"
            self.room.add("spinner", name, moved, parent=None, options=options, value=sides)

    def _pawn(self, each: _Lying) -> None:
        """A round card in the pawn's colour: a room's own pieces have one size and few colours."""
        name, label = self._name(each), each.item.name or ""
        address = self.assets.disc(each.item.color or "#ffffff")
        box = self._box(each.spot, PAWN)
        kind = CardType("pawn", label, address, address)
        deck = add_deck(self.room, name, box, [kind], parent=None, radius=False)
        add_card(self.room, name, box, deck, kind.id, parent=None, face_up=True)

    def _counter(self, each: _Lying) -> None:
        item = each.item
        box = self._around(each.spot, *COUNTER)
        name = self._name(each)
        self.room.add("counter", name, box, parent=None, label=item.name or "", counterValue=item.value)

    def _note(self, each: _Lying) -> None:
        """Its name and text on as much room as it has on the table; only the name if that is too little."""
        item = each.item
        width = max(NOTE.width * self.scale, NOTE_WIDTH)
        most = max(2, int(NOTE.height * self.scale / NOTE_LINE))
        letters = int((width - 6) / LETTER)
        named = textwrap.wrap(item.name or "", letters)
        said = [row for line in item.text.splitlines() for row in textwrap.wrap(line, letters)]
        lines = named if named and len(named) + len(said) > most else [*named, *said]
        box = self._around(each.spot, width, NOTE_LINE * len(lines) + 6)
        text = "\n".join(lines)
        name = f"{self._name(each)}/{item.text}"
        self.room.add(
            "labelText",
            name,
            box,
            parent=None,
            labelContent=text,
            textSize=NOTE_SIZE,
            textAlign="center",
            bold=False,
        )

    def _seats(self) -> list[tuple[Seat, str]]:
        """A seat a player, in turn order, with their ids; a player's hand is the one at the bottom of the
        room."""
        made = []
        seats = self.tabletop.table.seats
        free = [color for color in SEAT_COLORS if color not in {seat.color.lower() for seat in seats}]
        for number, seat in enumerate(seats):
            color = seat.color.lower()
            if color not in SEAT_COLORS:
                color = free.pop(0) if free else SEAT_COLORS[number % len(SEAT_COLORS)]
            x = (number + 0.5) * ROOM.width / len(seats) - SEAT[0] / 2
            box = Box(x, SEATS_Y, *SEAT)
            id = self.room.add(
                "seat", f"seat/{seat.color}", box, seatIndex=number, seatColor=color, seatedUser=None
            )
            made.append((seat, id))
        return made

    def _where(self, item: Placed) -> Location | None:
        file = self.tabletop.table.file
        return None if file is None else self.job.game.locator.locate(file, item.path)


def _closer(lying: list[_Lying]) -> list[_Lying]:
    """Things with less empty room between them."""
    sizes = [_turned(each.size, each.spot.turn) for each in lying]
    across = Closer(spans([(each.spot.x, size.width) for each, size in zip(lying, sizes)]))
    down = Closer(spans([(each.spot.y, size.height) for each, size in zip(lying, sizes)]))
    return [
        replace(each, spot=replace(each.spot, x=across.place(each.spot.x), y=down.place(each.spot.y)))
        for each in lying
    ]


def _upright(item: Placed) -> Placed:
    """What lies for a player across the table, the right way up: nobody walks around a room."""
    if isinstance(item.at, Spot) and round(item.at.turn) % 360 == 180:
        return replace(item, at=replace(item.at, turn=0.0))
    return item


def _turned(size: Size, turn: float) -> Size:
    return size.turned if round(turn) % 180 == 90 else size
