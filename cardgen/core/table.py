"""Define the layout of a game on the table: every pile, board, bag and seat in its place.

Places are mm from the middle of the table, x to the right and y towards the near player, so down in a
picture; turns are degrees clockwise as seen from above, 0 being readable from the near side.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

from cardgen.core.geometry import Rect, Size
from cardgen.core.records import dataclass, field

LARGEST = Size(2200.0, 1300.0)
"""The size limit of a table: the flat part of the largest table of Tabletop Simulator, 88 by 52 in
(measured by its players), less a margin."""
BAG = Size(70.0, 70.0)
COUNTER = Size(70.0, 45.0)
NOTE = Size(90.0, 60.0)
DIE = 16.0
PAWN = Size(22.0, 22.0)
"""Approximate sizes on virtual tables of things without a template, in mm."""

PlacedKind = Literal["deck", "piece", "bag", "dice", "pawn", "counter", "book", "note", "zone"]
Hiding = Literal["others", "owner", "all"]
Act = Literal["shuffle", "deal", "place", "clear"]
Side = Literal["face", "back"]
DieKind = Literal["d4", "d6", "d8", "d10", "d12", "d20"]

SEAT_COLORS = ("White", "Brown", "Red", "Orange", "Yellow", "Green", "Teal", "Blue", "Purple", "Pink")
"""The colors of seats on virtual tables, which identify the hands."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on the table, with the turn and side of a thing there."""

    x: float
    y: float
    turn: float = 0.0

    def place(self, inner: Spot) -> Spot:
        """Return a spot that is relative to this one, and turned with it, as a spot of the table."""
        angle = math.radians(self.turn)
        cos, sin = math.cos(angle), math.sin(angle)
        return Spot(
            round(self.x + cos * inner.x - sin * inner.y, 6),
            round(self.y + sin * inner.x + cos * inner.y, 6),
            (self.turn + inner.turn) % 360,
        )

    def extent(self, size: Size) -> Size:
        """Return the width and depth of a thing of that size, turned as here."""
        angle = math.radians(self.turn)
        cos, sin = abs(math.cos(angle)), abs(math.sin(angle))
        return Size(size.width * cos + size.height * sin, size.width * sin + size.height * cos)

    def area(self, size: Size) -> Rect:
        """Return what a thing of that size covers here, from the table's middle."""
        extent = self.extent(size)
        return Rect(self.x - extent.width / 2, self.y - extent.height / 2, extent.width, extent.height)


@dataclass(frozen=True, slots=True)
class Snap:
    """A place for pieces, marked in a template: x and y are mm from the top left corner of the side's trim,
    `turn` is degrees clockwise on the side."""

    name: str
    x: float
    y: float
    turn: float


@dataclass(frozen=True, slots=True)
class SnapRef:
    """A snap point of a piece on the table: the piece by component and card."""

    component: str
    card: str
    snap: str


@dataclass(frozen=True, slots=True)
class Placed:
    """A thing on the table.

    `at` is its place, or its snap point, turned by `turn` more. `cards` are the ids of its cards with the
    copies of each, in order: the whole pile of a deck, the content of a bag (one card if it is `infinite`),
    one card of a piece, `count` times. `name` is its name, None for that of the card or component. `path`
    is its place in the table's file.
    """

    kind: PlacedKind
    at: Spot | SnapRef
    turn: float = 0.0
    path: tuple[str | int, ...] = ()
    name: str | None = None
    component: str = ""
    cards: tuple[tuple[str, int], ...] = ()
    more: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = ()
    """The cards mixed into a deck: cards of further components, by component."""
    face_up: bool = False
    shuffle: bool = False
    locked: bool = False
    infinite: bool = False
    count: int = 1
    color: str | None = None
    die: DieKind = "d6"
    value: int = 0
    text: str = ""
    """The text of a note; for the component's own dice, the id of the die."""
    seat: str | None = None
    """The color of its owner's seat."""
    area: Size | None = None
    """The width and depth of a zone."""
    hides: Hiding | None = None
    """From whom a zone hides its content: all but its owner, its owner only, everybody."""
    hand: bool = False
    """True if a zone is an additional hand of its seat."""
    states: tuple[str, ...] = ()
    """The states that a piece can change to, in order, with itself: ids of its component's cards."""

    @property
    def parts(self) -> tuple[tuple[str, tuple[tuple[str, int], ...]], ...]:
        """Return its cards by component: several for a mixed deck."""
        return ((self.component, self.cards), *self.more) if self.component else ()

    def extent(self, trim: Size | None) -> Size:
        """Return its width and depth in mm, unturned. `trim` is that of its cards, or of a
        book's pages."""
        if self.kind == "dice":
            return Size(self.count * DIE * 1.5, DIE)
        if self.area is not None:
            return self.area
        if self.kind in ("deck", "piece", "book"):
            return trim or NOTE
        return {"bag": BAG, "pawn": PAWN, "counter": COUNTER, "note": NOTE}[self.kind]

    @property
    def shown(self) -> tuple[tuple[str, str], ...]:
        """Return everything visible of it at some time, by component and card: its cards, and its other
        states."""
        seen = [(home, id) for home, cards in self.parts for id, _ in cards]
        return (*seen, *((self.component, id) for id in self.states if (self.component, id) not in seen))

    @property
    def total(self) -> int:
        """Return the number of its cards with all copies."""
        return sum(copies for _, cards in self.parts for _, copies in cards)


def title_of(item: Placed, titles: Mapping[str, str]) -> str:
    """Return the name of a pile or bag; `titles` are those of components by id."""
    return item.name or titles[item.component]


def is_called(item: Placed, name: str, titles: Mapping[str, str]) -> bool:
    """Return True if a step names this pile or bag: by its name, or by its component's id, which is the
    same in every language."""
    return name == title_of(item, titles) or any(name == component for component, _ in item.parts)


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the set-up. `pile` names its piles and bags, by name or component.

    `deal` gives `cards` to each seated player, or to the owner of a pile; `place` lays out `cards` from
    `at` on, each `step` (x and y in mm) from the one before, or about the center of every `zone` of that
    name, turned with it; `clear` removes the things of free seats. With `players`, the step is only for
    these numbers of players."""

    act: Act
    pile: str
    cards: int
    at: Spot
    step: tuple[float, float]
    face_up: bool
    players: tuple[int, ...]
    zone: str = ""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place: the center of the hand zone, which is turned to face the table."""

    color: str
    at: Spot


@dataclass(frozen=True, slots=True)
class Scene:
    """A moment of the game for rulebooks: its things from bottom to top, below a title."""

    items: tuple[Placed, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class CardWords:
    """The words that name a card and find it on a screen. They are templates in the sandbox of rulebooks,
    over `card`, `component`, `number`, `copies`, `game` and `tables`; None is the default."""

    nickname: str | None = None
    description: str | None = None
    tags: tuple[str, ...] | None = None
    gm_notes: str | None = None
    sides: tuple[str, str] | None = None
    """The names of face and back."""
    path: tuple[str | int, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A game set up: `size` is the used part of the table, `hand` a hand zone (across, deep).

    `file` is the table's file relative to the project, None for a default layout. `words` are by component
    id, `all` for those without an entry.
    """

    size: Size
    hand: Size
    color: str
    items: tuple[Placed, ...]
    seats: tuple[Seat, ...]
    setup: str = ""
    words: Mapping[str, CardWords] = field(default_factory=dict)
    file: str | None = None
    steps: tuple[Step, ...] = ()
    minutes: tuple[int, int] = (0, 0)
    """The minutes of a game, fewest and most; zeros if unknown."""
    tags: tuple[str, ...] = ()
    """The tags that describe the table where it is shared."""
    scenes: Mapping[str, Scene] = field(default_factory=dict)
    """The scenes of rulebooks, by their names."""

    def words_for(self, component: str) -> CardWords:
        return self.words.get(component) or self.words.get("all") or CardWords()


@dataclass(frozen=True, slots=True)
class Words:
    """The words that name a card and find it: filled in, each a plain text."""

    nickname: str
    description: str
    tags: tuple[str, ...]
    gm_notes: str
    sides: tuple[str, ...] = ()
    """The names of face and back, if they have any."""


@dataclass(frozen=True, slots=True)
class Tabletop:
    """The data of a table on a screen, apart from pictures.

    `table` places everything; cardgen makes it up if the game has none. `snaps` are the snap points of
    sides by component, card and side; `words` are by component and card; `setup` explains how to begin.
    """

    table: Table
    snaps: Mapping[tuple[str, str, Side], tuple[Snap, ...]]
    words: Mapping[tuple[str, str], Words]
    setup: str
