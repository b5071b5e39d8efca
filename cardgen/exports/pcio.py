"""`--to pcio`: a room for playingcards.io, set up like the game's table."""

from __future__ import annotations

import json
import random
import textwrap
import uuid
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations
from math import inf
from typing import Any, BinaryIO

from PIL import Image, ImageDraw

from cardgen.core.findings import Location, plural
from cardgen.core.game import Component
from cardgen.core.geometry import MM_PER_INCH, Rect, Size, to_px
from cardgen.core.records import dataclass, field, replace
from cardgen.core.seating import card_of, extent_of, resting_place
from cardgen.core.table import DIE, NOTE, PAWN, Placed, Seat, Spot, Step, is_called
from cardgen.exports.cells import add_to_zip
from cardgen.exports.job import (
    PLAIN,
    ExportJob,
    PlannedFile,
    digest_of,
    hashed,
    on_threads,
    raster_version,
    skeleton,
    turned,
)
from cardgen.pdf.pixels import RasterOptions, encode_jpeg, encode_png

MOST_WIDGETS = 1200
"""The reported maximum of widgets in a room."""


def plan(job: ExportJob) -> list[PlannedFile]:
    """Return `GAME.pcio`, and `setup.txt` if the table has setup instructions."""
    assets, tabletop = Assets(job), job.screen_table
    widgets = Furnisher(job, assets).widgets()
    place = Location(tabletop.table.file or f"data/{job.game.id}/game.yaml")
    if len(widgets) > MOST_WIDGETS:
        job.findings.warning(
            "pcio/widgets",
            f"the room has {len(widgets)} widgets; more than {MOST_WIDGETS} may be too many for it",
            place,
            "export it for fewer players, or only some components",
        )
    for component in job.components:
        if component.book is not None:
            hint = job.build_hint(component, "share its PDF")
            message = f"the book '{component.id}' is skipped: rooms show no books"
            job.findings.note("pcio/book", message, place, hint)
    text = json.dumps(widgets, indent=1, ensure_ascii=False, sort_keys=True).encode("utf-8")
    names = sorted(assets.known)
    write = partial(_write, assets, text, names)
    files = [PlannedFile(f"{job.game.id}.pcio", digest_of("pcio", text, names), write)]
    if tabletop.setup:
        files.append(PlannedFile.of_text("setup.txt", f"{tabletop.setup}\n"))
    return files


def _write(assets: Assets, widgets: bytes, names: Sequence[str], out: BinaryIO) -> None:
    pictures = [assets.known[name] for name in names]
    with zipfile.ZipFile(out, "w") as archive:
        add_to_zip(archive, "widgets.json", widgets)
        for name, data in zip(names, on_threads(lambda make: make(), pictures)):
            add_to_zip(archive, f"{FOLDER}/{name}", data)


Widget = dict[str, Any]

WIDGETS: Mapping[str, Widget] = skeleton("pcio_widgets")
"""The fields that widgets of a type have in common."""

MARGIN = 6
"""Between a pile's frame and its cards: a frame is 115 × 172 for cards of 103 × 160."""
SEAT_COLORS = ("red", "orange", "yellow", "green", "teal", "blue")
"""Colors of seats observed in rooms."""


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
    """A growing list of widgets. The same objects of a game always get the same ids. Each widget is above
    those before it."""

    game: str
    widgets: list[Widget] = field(default_factory=list)
    _taken: dict[str, int] = field(default_factory=dict)

    def add(self, type: str, name: str, box: Box, **more: Any) -> str:
        """Add a widget and return its id, which is made from `name`."""
        count = self._taken[name] = self._taken.get(name, 0) + 1
        id = str(uuid.uuid5(uuid.NAMESPACE_URL, f"cardgen:{self.game}/{name}#{count}"))
        self.put(id, type, box, **more)
        return id

    def put(self, id: str, type: str, box: Box, **more: Any) -> None:
        """Add a widget with a given id."""
        entry = {"id": id, "type": type, **box.as_json(), "z": len(self.widgets) + 1, "dragging": None}
        self.widgets.append(entry | WIDGETS[type] | more)

    def reorder(self, widgets: Sequence[Widget]) -> None:
        """Stack the room's widgets in this order, the last on top."""
        self.widgets = [widget | {"z": number} for number, widget in enumerate(widgets, 1)]

    def add_deck(
        self, name: str, box: Box, types: Sequence[CardType], *, parent: str | None, radius: bool
    ) -> str:
        """Add a deck without its cards; `parent` is the pile under them."""
        width, height = round(box.width), round(box.height)
        backs = {each.back for each in types}
        shared = (backs.pop() or "") if len(backs) == 1 else None
        kinds: Mapping[str, dict[str, str]] = {
            each.id: {"label": each.label, "face": each.face}
            | ({} if shared is not None else {"back": each.back or ""})
            for each in types
        }
        return self.add(
            "cardDeck",
            f"{name}/deck",
            box,
            parent=parent,
            cardWidth=width,
            cardHeight=height,
            cardTypes=kinds,
            faceTemplate=template(width, height, "face", None, radius=radius),
            backTemplate=template(width, height, "back", shared, radius=radius),
        )

    def add_card(
        self, name: str, box: Box, deck: str, card: str, *, parent: str | None, face_up: bool
    ) -> None:
        """Add a card of a deck, by the id of its type, above everything added before."""
        more = {"deck": deck, "cardType": card, "parent": parent, "faceup": face_up}
        self.add("card", f"{name}/{card}", box, **more)

    def add_pile(self, name: str, box: Box, label: str, *, shuffles: bool) -> str:
        """Add the frame under a pile of cards; `box` is the place of the cards."""
        size = box.width + 2 * MARGIN, box.height + 2 * MARGIN
        frame = Box(box.x - MARGIN, box.y - MARGIN, *size, box.turn)
        return self.add("cardPile", f"{name}/pile", frame, label=label, hasShuffleButton=shuffles)


@dataclass(frozen=True, slots=True)
class CardType:
    """A kind of card in a deck: its id, its name, and the addresses of its sides."""

    id: str
    label: str
    face: str
    back: str | None


def template(width: int, height: int, side: str, address: str | None, *, radius: bool) -> Widget:
    """Return the faces or backs of a deck: one picture, either the same for all cards (`address`) or each
    card type's value of `side`."""
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


ROOM = Size(1600, 1000)
"""A room's pixels."""
AREA = Rect(20, 20, 1560, 744)
"""The area for the table's objects, with buttons and seats below."""
HAND = Box(50, 848, 1500, 152)
SEATS_Y = 803
BUTTONS = (20, 769)
SEAT = (180, 40)
MOST_PX_PER_MM = 103 / 63.5
"""The maximum scale, that of the room's own cards: 103 px for a poker card."""
LEAST_CARD = 90
"""The minimum width in pixels of upright cards, also in hands, which don't scale them. Our own choice: at
90 px, titles can be read on a laptop without the pointer."""
LANDSCAPE = 1.4
"""The minimum width of cards that are wider than high, as a multiple of that of upright ones."""
CARD_STEP = 3
"""Pixels by which cards become narrower if a room has no space for them."""
APART_PX, HEAP = 2.0, 3.0
"""The minimum distance of objects, and the distance of equal pieces in a heap, in pixels."""
LABEL = 20
"""The height of a pile's label, above its frame."""
ENDLESS = 12
"""Pieces in an infinite bag, which rooms don't have."""
COUNTER = (140, 44)
NOTE_LINE, LETTER, NOTE_WIDTH = 16, 6.0, 96
"""The height of a note's lines, the approximate width of a letter, and the minimum width of a note."""


@dataclass(frozen=True, slots=True)
class _Lying:
    """An object with its spot and its extent in mm; in the room, its middle in pixels, and its scale in
    pixels per mm."""

    item: Placed
    spot: Spot
    size: Size
    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0

    def box(self, size: Size) -> Box:
        """Return the room's pixels of something of that size (mm) in its middle."""
        return self.around(size.width * self.scale, size.height * self.scale)

    def around(self, width: float, height: float) -> Box:
        """Return a box of so many pixels in its middle."""
        return Box(self.x - width / 2, self.y - height / 2, width, height, self.spot.turn)

    def moved(self, x: float, y: float) -> _Lying:
        return replace(self, x=self.x + x, y=self.y + y)

    @property
    def extent(self) -> Rect:
        """Return the place on the table that it covers, in mm."""
        half = _turned(self.size, self.spot.turn)
        return Rect(self.spot.x - half.width / 2, self.spot.y - half.height / 2, half.width, half.height)


class Furnisher:
    """Adds the table's objects to a room. Problems go to the job's findings."""

    def __init__(self, job: ExportJob, assets: Assets) -> None:
        self.job, self.tabletop, self.assets = job, job.screen_table, assets
        self.room = Room(job.game.id)
        self._piles: list[tuple[Placed, str]] = []

    def widgets(self) -> list[Widget]:
        """Return all widgets: boards first, then the pieces on them, then seats and the hand."""
        items = [_upright(item) for item in self.tabletop.table.items]
        table = replace(self.tabletop.table, items=tuple(items))
        self.tabletop = replace(self.tabletop, table=table)
        lying = _closer([self._lying(item) for item in items if self._wanted(item)])
        makers: dict[str, Callable[[_Lying], None]] = {
            "deck": self._deck,
            "piece": self._piece,
            "bag": self._bag,
            "dice": self._dice,
            "pawn": self._pawn,
            "counter": self._counter,
            "note": self._note,
        }
        for each in sorted(self._placed(lying), key=lambda each: not each.item.locked):
            makers[each.item.kind](each)
        self._add_buttons(self._seats())
        self.room.put("hand", "hand", HAND)
        return self.room.widgets

    def _wanted(self, item: Placed) -> bool:
        return item.kind not in ("book", "zone") and (not item.component or bool(self._kinds(item)))

    def _kinds(self, item: Placed) -> list[tuple[str, str, int]]:
        """Return the exported cards, by component and id with their copies."""
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

    def _placed(self, lying: list[_Lying]) -> list[_Lying]:
        """Return the objects with their places in the room.

        Upright cards are at least `LEAST_CARD` wide. If there is too little space, boards don't grow with
        the cards on them, then everything but cards is smaller, then loose cards are narrower, then decks.
        """
        groups = _groups(lying)
        steps = range(LEAST_CARD, -CARD_STEP, -CARD_STEP)
        tries = [(1.0, LEAST_CARD, LEAST_CARD, board) for board in steps]
        tries += [(share / 100, LEAST_CARD, LEAST_CARD, 0) for share in range(97, 70, -3)]
        tries += [(1.0, LEAST_CARD, loose, 0) for loose in steps]
        tries += [(1.0, deck, 0, 0) for deck in steps]
        tried: list[_Lying] = []
        for share, deck, loose, board in tries:
            grown = self._grown(_fitted(lying, share), groups, deck, loose, board)
            if grown == tried:
                continue
            tried = list(grown)
            frames = [_union([self._frame(grown[one]) for one in group]) for group in groups]
            places = spread(frames, [lying[group[0]].extent for group in groups])
            if places is None:
                continue
            for group, old, new in zip(groups, frames, places):
                for one in group:
                    grown[one] = grown[one].moved(new.x - old.x, new.y - old.y)
            lying = grown
            break
        else:
            lying = _fitted(lying, 1.0)  # notes and dice don't shrink with the table: they overlap
        least = min((each.scale / self._least(each) for each in lying if self._least(each)), default=inf)
        if least < LEAST_CARD - 0.5:
            message = f"cards are {least:.0f} px wide, not {LEAST_CARD}: the room has too little space"
            place = Location(self.tabletop.table.file or f"data/{self.job.game.id}/game.yaml")
            hint = "remove something from the table, or move it closer together"
            self.job.findings.note("pcio/narrow", message, place, hint)
        return lying

    def _grown(
        self, lying: Sequence[_Lying], groups: Sequence[Sequence[int]], deck: int, loose: int, board: int
    ) -> list[_Lying]:
        """Return the objects with upright cards of at least `deck` pixels in decks, and `loose` elsewhere.
        A board, the first of its group, grows as if its cards were `board` pixels wide."""
        found = list(lying)
        for first, *others in groups:
            below = lying[first]
            wanted = max((self._least(lying[one]) * board for one in others), default=0.0)
            if others:
                found[first] = below = replace(below, scale=max(below.scale, wanted))
            for one in others or [first]:
                each = lying[one]
                width = deck if each.item.kind == "deck" else loose
                found[one] = replace(
                    each,
                    x=below.x + (each.spot.x - below.spot.x) * below.scale,
                    y=below.y + (each.spot.y - below.spot.y) * below.scale,
                    scale=max(below.scale, self._least(each) * width),
                )
        return found

    def _least(self, each: _Lying) -> float:
        """Return the scale at which an upright card is 1 px wide; 0.0 if it is no card or aid."""
        if each.item.kind not in ("deck", "piece") or self._home(each).kind not in ("card", "aid"):
            return 0.0
        return (1.0 if each.size.width <= each.size.height else LANDSCAPE) / each.size.width

    def _frame(self, each: _Lying) -> Rect:
        """Return the pixels that an object covers."""
        item = each.item
        if item.kind in ("deck", "bag"):
            cards = _bounds(each.box(each.size if item.kind == "deck" else self._largest(each)))
            width, height = cards.width + 2 * MARGIN, cards.height + 2 * MARGIN + LABEL
            return Rect(cards.x - MARGIN, cards.y - MARGIN - LABEL, width, height)
        if item.kind == "dice":
            step = _step(each)
            return _bounds(each.around(step * item.count, step))
        if item.kind == "counter":
            return _bounds(each.around(*COUNTER))
        if item.kind == "note":
            return _bounds(_note(each)[0])
        box = _bounds(each.box(each.size))
        more = HEAP * (item.count - 1)
        return Rect(box.x, box.y - more, box.width + more, box.height + more)

    def _largest(self, each: _Lying) -> Size:
        """Return the size of a bag's largest piece, in mm."""
        trims = [card_of(self.job.game, each.item.component, id).trim for id, _ in each.item.cards]
        return Size(max(trim.width for trim in trims), max(trim.height for trim in trims))

    # ------------------------------------------------------------ objects

    def _home(self, each: _Lying) -> Component:
        return self.job.game.component(each.item.component)

    def _name(self, each: _Lying) -> str:
        item = each.item
        return "/".join(filter(None, (item.kind, item.component, item.name, item.seat)))

    def _deck(self, each: _Lying) -> None:
        kinds = self._kinds(each.item)
        order = [(component, id) for component, id, copies in kinds for _ in range(copies)]
        self._pile(each, each.size, order, shuffles=len(kinds) > 1)

    def _pile(self, each: _Lying, size: Size, order: list[tuple[str, str]], *, shuffles: bool) -> None:
        """Add a pile for cards of that size: for a deck the first is on top, for a bag the last."""
        item, box, name = each.item, each.box(size), self._name(each)
        pile = self.room.add_pile(name, box, item.name or self._home(each).title, shuffles=shuffles)
        self._piles.append((item, pile))
        if item.shuffle:
            random.Random(f"{self.job.game.id}/{name}").shuffle(order)
        self._cards(each, box, name, order[::-1] if item.kind == "deck" else order, pile)

    def _cards(
        self, each: _Lying, box: Box, name: str, order: list[tuple[str, str]], parent: str | None
    ) -> None:
        """Add cards as one heap, each by component and id, the last on top."""
        item = each.item
        decks: dict[tuple[str, Size], list[str]] = {}  # a deck has cards of one size and component
        for component, id, _ in self._kinds(item):
            trim = card_of(self.job.game, component, id).trim
            decks.setdefault((component, trim), []).append(id)
        face_up = item.face_up or item.kind == "bag"
        homes: dict[tuple[str, str], tuple[str, Box]] = {}
        for (component, trim), ids in decks.items():
            home = self.job.game.component(component)
            width, height = trim.width * each.scale, trim.height * each.scale
            x, y = box.x + (box.width - width) / 2, box.y + (box.height - height) / 2
            place = Box(x, y, width, height, box.turn)
            types = [self._type(home, id) for id in ids]
            radius = home.outline == "rounded"
            deck = self.room.add_deck(name, place, types, parent=parent, radius=radius)
            homes |= {(component, id): (deck, place) for id in ids}
        for component, id in order:
            deck, place = homes[component, id]
            self.room.add_card(name, place, deck, id, parent=parent, face_up=face_up)

    def _type(self, home: Component, id: str) -> CardType:
        """Return a card type; a token without a back shows its face on both sides."""
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
            raised = each.moved(HEAP * number, -HEAP * number).box(each.size)
            self._cards(each, raised, f"{self._name(each)}/{id}/{number}", [(home.id, id)], None)

    def _board(self, each: _Lying, home: Component, id: str) -> None:
        """Add a piece that doesn't move. Multiples of 90° are rotated in the picture itself."""
        piece = self.job.piece(home.id, id)
        side = piece.face if each.item.face_up or piece.back is None else piece.back
        square = round(each.spot.turn) % 90 == 0
        turn = round(each.spot.turn) % 360 if square else 0
        address = self.assets.side(home, f"{id}-{turn}" if turn else id, side, piece.card.trim, turn)
        size = each.size.turned if turn in (90, 270) else each.size
        flat = replace(each, spot=replace(each.spot, turn=0.0)) if square else each
        self.room.add("board", f"{self._name(each)}/{id}", flat.box(size), boardImage=address)

    def _bag(self, each: _Lying) -> None:
        """Add a pile of the bag's pieces, face up, in the order of their kinds, so that players take the
        ones they need."""
        item, home = each.item, self._home(each)
        if item.infinite:
            self.job.findings.note(
                "pcio/endless",
                f"the bag '{item.name or home.title}' has {ENDLESS} pieces: rooms have no endless bags",
                self._where(item),
            )
        order = [
            (home.id, id) for id, copies in item.cards for _ in range(ENDLESS if item.infinite else copies)
        ]
        self._pile(each, self._largest(each), order, shuffles=item.shuffle)

    def _dice(self, each: _Lying) -> None:
        """Add a spinner for each die, since a room has no dice."""
        item = each.item
        sides = int(item.die[1:])
        step = _step(each)
        for number in range(item.count):
            shift = (number - (item.count - 1) / 2) * step
            moved = replace(each.moved(shift, 0).around(step - 4, step - 4), turn=0.0)
            options = list(range(1, sides + 1))
            name = f"{self._name(each)}/{item.die}/{number}"
            self.room.add("spinner", name, moved, options=options, value=sides)

    def _pawn(self, each: _Lying) -> None:
        """Add a round card in the pawn's color: a room's own pieces have one size and few colors."""
        name, label = self._name(each), each.item.name or ""
        address = self.assets.disc(each.item.color or "#ffffff")
        box = each.box(PAWN)
        kind = CardType("pawn", label, address, address)
        deck = self.room.add_deck(name, box, [kind], parent=None, radius=False)
        self.room.add_card(name, box, deck, kind.id, parent=None, face_up=True)

    def _counter(self, each: _Lying) -> None:
        item = each.item
        box = each.around(*COUNTER)
        name = self._name(each)
        self.room.add("counter", name, box, label=item.name or "", counterValue=item.value)

    def _note(self, each: _Lying) -> None:
        box, text = _note(each)
        self.room.add("labelText", f"{self._name(each)}/{each.item.text}", box, labelContent=text)

    def _seats(self) -> list[tuple[Seat, str]]:
        """Return a seat for each player, in turn order, with their ids; a player's hand is at the bottom of
        the room."""
        made = []
        seats = self.tabletop.table.seats
        free = [color for color in SEAT_COLORS if color not in {seat.color.lower() for seat in seats}]
        for number, seat in enumerate(seats):
            color = seat.color.lower()
            if color not in SEAT_COLORS:
                color = free.pop(0) if free else SEAT_COLORS[number % len(SEAT_COLORS)]
            x = (number + 0.5) * ROOM.width / len(seats) - SEAT[0] / 2
            box = Box(x, SEATS_Y, *SEAT)
            id = self.room.add("seat", f"seat/{seat.color}", box, seatIndex=number, seatColor=color)
            made.append((seat, id))
        return made

    def _add_buttons(self, seats: Sequence[tuple[Seat, str]]) -> None:
        """Add a button for each number of players that the table's steps deal for, in a row. `seats`
        contains the ids of their widgets."""
        x, y = BUTTONS
        for count in range(max(1, self.job.game.players[0]), len(seats) + 1):
            routine = [
                each
                for step in self.tabletop.table.steps
                if not step.players or count in step.players
                for each in self._calls(step, seats[:count])
            ]
            if not any(each["func"] == MOVE for each in routine):
                continue
            label = f"Deal: {plural(count, 'player')}"
            box = Box(x, y, WIDTH, HEIGHT)
            self.room.add("automationButton", f"deal/{count}", box, label=label, clickRoutine=routine)
            x += WIDTH + APART

    def _calls(self, step: Step, seats: Sequence[tuple[Seat, str]]) -> list[dict[str, Any]]:
        """Return a step as a room's routine, for the players at these seats; nothing for a manual step."""
        titles = {component.id: component.title for component in self.job.game.components}
        taken = {seat.color: id for seat, id in seats}
        found = [
            (item, id)
            for item, id in self._piles
            if is_called(item, step.pile, titles) and (item.seat is None or item.seat in taken)
        ]
        if step.act == "shuffle" and found:
            return [_call(SHUFFLE, holders=[id for _, id in found])]
        if step.act != "deal":
            return []
        return [
            _call(
                MOVE,
                **{"from": [id]},
                to=list(taken.values()) if item.seat is None else [taken[item.seat]],
                quantity=step.cards,
                moveFlip="faceUp",
            )
            for item, id in found
        ]

    def _where(self, item: Placed) -> Location | None:
        file = self.tabletop.table.file
        return None if file is None else self.job.game.locator.locate(file, item.path)


def _note(each: _Lying) -> tuple[Box, str]:
    """Return a note's place, and its name and text as far as it has room on the table, or only its name."""
    item = each.item
    width = max(NOTE.width * each.scale, NOTE_WIDTH)
    most = max(2, int(NOTE.height * each.scale / NOTE_LINE))
    letters = int((width - 6) / LETTER)
    named = textwrap.wrap(item.name or "", letters)
    said = [row for line in item.text.splitlines() for row in textwrap.wrap(line, letters)]
    lines = named if named and len(named) + len(said) > most else [*named, *said]
    return each.around(width, NOTE_LINE * len(lines) + 6), "\n".join(lines)


def _step(each: _Lying) -> float:
    """Return the distance of dice in pixels."""
    return max(DIE * 1.5 * each.scale, 44.0)


def _bounds(box: Box) -> Rect:
    size = _turned(Size(box.width, box.height), box.turn)
    x, y = box.x + (box.width - size.width) / 2, box.y + (box.height - size.height) / 2
    return Rect(x, y, size.width, size.height)


def _overlap(one: Rect, other: Rect) -> bool:
    across = one.x < other.right and other.x < one.right
    return across and one.y < other.bottom and other.y < one.bottom


def _union(boxes: Sequence[Rect]) -> Rect:
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    return Rect(left, top, max(box.right for box in boxes) - left, max(box.bottom for box in boxes) - top)


def _fitted(lying: list[_Lying], share: float) -> list[_Lying]:
    """Return the objects at a share of the largest scale at which the table fits into the area."""
    if not lying:
        return []
    all = _union([each.extent for each in lying])
    scale = min(AREA.width / all.width, AREA.height / all.height, MOST_PX_PER_MM) * share
    x = AREA.x + AREA.width / 2 - (all.x + all.width / 2) * scale
    y = AREA.y + AREA.height / 2 - (all.y + all.height / 2) * scale
    return [
        replace(each, x=x + each.spot.x * scale, y=y + each.spot.y * scale, scale=scale) for each in lying
    ]


def _groups(lying: Sequence[_Lying]) -> list[list[int]]:
    """Return the numbers of objects that stay together: each board with all that has its middle on it, and
    every other object alone."""
    groups: dict[int, list[int]] = {}
    boards = [(number, each.extent) for number, each in enumerate(lying) if each.item.locked]
    for number, each in enumerate(lying):
        below = (
            board
            for board, box in boards
            if board not in (number, *groups.get(number, ()))
            and not each.item.locked
            and box.x <= each.spot.x <= box.right
            and box.y <= each.spot.y <= box.bottom
        )
        groups.setdefault(next(below, number), []).append(number)
    return [sorted(group, key=lambda one: one != first) for first, group in groups.items()]


def spread(frames: Sequence[Rect], before: Sequence[Rect]) -> list[Rect] | None:
    """Return the frames (pixels) moved apart until only those overlap that did so on the table (`before`).
    None if the area is too small.

    Each pair is kept apart along one axis, the one along which it has the larger gap. If this makes a row
    too long for the area, the pair of the row with the largest gap along the other axis uses that one,
    but no pair that overlaps along it by more than half.
    """
    starts = [[frame.x for frame in frames], [frame.y for frame in frames]]
    lengths = [[frame.width + APART_PX for frame in frames], [frame.height + APART_PX for frame in frames]]
    limits = (AREA.x, AREA.right + APART_PX), (AREA.y, AREA.bottom + APART_PX)
    gaps: dict[tuple[int, int], list[float]] = {}
    axes: dict[tuple[int, int], int] = {}
    for pair in combinations(range(len(frames)), 2):
        if not _overlap(before[pair[0]], before[pair[1]]):
            gaps[pair] = [_gap(frames[pair[0]], frames[pair[1]], axis) for axis in (0, 1)]
            axes[pair] = 0 if gaps[pair][0] >= gaps[pair][1] else 1
    turned: set[tuple[int, int]] = set()  # pairs that changed their axis
    places: list[list[float]] = [[], []]
    axis, settled = 0, 0
    while settled < 2:
        found, row = _along(starts[axis], lengths[axis], limits[axis], [p for p in axes if axes[p] == axis])
        if row:
            sizes = lengths[1 - axis]
            free = [
                pair
                for pair in row
                if pair not in turned and gaps[pair][1 - axis] > -min(sizes[one] for one in pair) / 2
            ]
            if not free:
                return None
            pair = max(free, key=lambda pair: gaps[pair][1 - axis])
            turned.add(pair)
            axes[pair] = 1 - axis
            settled = 0
            continue
        if found is None:
            return None
        places[axis] = found
        axis, settled = 1 - axis, settled + 1
    return [replace(frame, x=x, y=y) for frame, x, y in zip(frames, *places)]


def _along(
    starts: Sequence[float],
    lengths: Sequence[float],
    limits: tuple[float, float],
    pairs: Sequence[tuple[int, int]],
) -> tuple[list[float] | None, list[tuple[int, int]]]:
    """Return starts along an axis, within the limits, so that no pair overlaps. If there is too little
    space, return None and the pairs of the longest row."""
    order = sorted(range(len(starts)), key=lambda one: (starts[one] + lengths[one] / 2, one))
    rank = {one: number for number, one in enumerate(order)}
    after: list[list[int]] = [[] for _ in starts]
    for pair in pairs:
        one, other = sorted(pair, key=lambda each: rank[each])
        after[one].append(other)
    least = [limits[0]] * len(starts)
    cause: dict[int, int] = {}
    for one in order:
        for other in after[one]:
            if least[one] + lengths[one] > least[other]:
                least[other], cause[other] = least[one] + lengths[one], one
    most = [limits[1] - length for length in lengths]
    for one in reversed(order):
        most[one] = min([most[one], *(most[other] - lengths[one] for other in after[one])])
    end = max(order, key=lambda one: least[one] + lengths[one])
    if least[end] + lengths[end] > limits[1] + 1e-6:
        row = []
        while end in cause:
            row.append((min(end, cause[end]), max(end, cause[end])))
            end = cause[end]
        return None, row
    # Moving only forward or only back keeps pairs apart, and so does the mean of both.
    on = [max(start, low) for start, low in zip(starts, least)]
    back = [min(start, high) for start, high in zip(starts, most)]
    for one in order:
        on[one] = min(on[one], most[one])
        for other in after[one]:
            on[other] = max(on[other], on[one] + lengths[one])
    for one in reversed(order):
        back[one] = max(min([back[one], *(back[other] - lengths[one] for other in after[one])]), least[one])
    return [(one + other) / 2 for one, other in zip(on, back)], []


def _gap(one: Rect, other: Rect, axis: int) -> float:
    """Return the distance of two places along an axis, negative if they overlap."""
    if axis == 0:
        return max(one.x - other.right, other.x - one.right)
    return max(one.y - other.bottom, other.y - one.bottom)


def _closer(lying: list[_Lying]) -> list[_Lying]:
    """Return the pieces with less empty room between them."""
    sizes = [_turned(each.size, each.spot.turn) for each in lying]
    across = Closer(spans([(each.spot.x, size.width) for each, size in zip(lying, sizes)]))
    down = Closer(spans([(each.spot.y, size.height) for each, size in zip(lying, sizes)]))
    return [
        replace(each, spot=replace(each.spot, x=across.place(each.spot.x), y=down.place(each.spot.y)))
        for each in lying
    ]


def _upright(item: Placed) -> Placed:
    """Rotate the pieces of players across the table the right way up: nobody walks around a room."""
    if isinstance(item.at, Spot) and round(item.at.turn) % 360 == 180:
        return replace(item, at=replace(item.at, turn=0.0))
    return item


def _turned(size: Size, turn: float) -> Size:
    return size.turned if round(turn) % 180 == 90 else size


WIDTH, HEIGHT, APART = 120, 30, 10


MOVE, SHUFFLE = "MOVE_CARDS_BETWEEN_HOLDERS", "SHUFFLE_CARDS"


def _call(func: str, **args: Any) -> dict[str, Any]:
    return {
        "func": func,
        "args": {name: {"type": "literal", "value": value} for name, value in args.items()},
    }


MOST_BYTES = 2 * 1024 * 1024 - 1
"""virtualtabletop.io skips assets of 2 MiB and more."""
CARD_DPI = 150
"""A card appears about 100 px wide, and three to four times as large under the pointer."""
LONGEST = 2400
"""The maximum of a board's longer side in pixels."""
DISC = 120
"""The diameter in pixels of a round piece in one color."""
QUALITY = 88
FOLDER = "userassets"
"""The folder of pictures in the ZIP."""


@dataclass(slots=True)
class Assets:
    """The pictures that a room needs, each once: their drawing functions by name."""

    job: ExportJob
    known: dict[str, Callable[[], bytes]] = field(default_factory=dict)

    def side(self, component: Component, stem: str, side: str, trim: Size, turn: int = 0) -> str:
        """Return the address of a side, trimmed. Pieces that aren't rectangular have transparent corners;
        `turn` rotates the picture clockwise by a multiple of 90."""
        long = max(trim.width, trim.height)
        dpi = min(CARD_DPI, LONGEST / long * MM_PER_INCH)
        size = max(1, to_px(trim.width, dpi)), max(1, to_px(trim.height, dpi))
        options = RasterOptions(dpi, "trim", component.shape)
        digest = digest_of(self.job.look(side), size, options, turn, QUALITY, MOST_BYTES, raster_version())
        name = hashed(f"{component.id}-{stem}", digest, ".png" if options.shaped else ".jpg")
        return self._add(name, partial(self._encode, side, size, options, turn))

    def disc(self, color: str) -> str:
        """Return the address of a round piece in one color, `#1b7399`."""
        name = hashed("disc", digest_of(color, (DISC, DISC)), ".png")
        return self._add(name, lambda: encode_png(_disc(color, DISC)))

    def _add(self, name: str, make: Callable[[], bytes]) -> str:
        self.known[name] = make
        return f"package://{FOLDER}/{name}"

    def _encode(self, side: str, size: tuple[int, int], options: RasterOptions, turn: int) -> bytes:
        """Return the bytes of a side's picture, scaled down until it is small enough."""
        sides = self.job.sides
        while True:
            if options.shaped:
                data = encode_png(turned(sides.cut_out(side, size, options), turn))
            else:
                data = encode_jpeg(turned(sides.image(side, size), turn), QUALITY)
            if len(data) <= MOST_BYTES:
                return data
            size = max(1, round(size[0] * 0.85)), max(1, round(size[1] * 0.85))


def _disc(color: str, size: int) -> Image.Image:
    """Return a disc with a dark rim around a light one, visible on any background."""
    times = 4  # drawn larger for smooth edges
    image = Image.new("RGBA", (size * times, size * times), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    for inset, fill in ((0.01, "#16161d"), (0.05, "#ffffff"), (0.1, color)):
        near, far = size * times * inset, size * times * (1 - inset)
        pen.ellipse((near, near, far, far), fill=fill)
    return image.resize((size, size), Image.Resampling.LANCZOS)


GAP = 12.0
"""The room, in mm, that remains of a gap across the whole table."""


class Closer:
    """New places along one axis. Gaps that run across the whole table shrink to `GAP`; overlapping pieces
    keep their distances."""

    def __init__(self, spans: Iterable[tuple[float, float]]) -> None:
        self._starts: list[tuple[float, float]] = []  # the start of an occupied span, and its shift
        end: float | None = None
        moved = 0.0
        for low, high in sorted(spans):
            if end is None or low > end:
                if end is not None:
                    moved -= max(0.0, low - end - GAP)
                self._starts.append((low, moved))
            end = high if end is None else max(end, high)

    def place(self, at: float) -> float:
        """Return the new place of something that was `at`."""
        shift = 0.0
        for low, moved in self._starts:
            if at < low:
                break
            shift = moved
        return at + shift


def spans(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the span along an axis from middles and sizes."""
    return [(middle - size / 2, middle + size / 2) for middle, size in places]
