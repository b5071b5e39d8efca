"""The loaded game: cards, components, decks, dice and languages, all resolved."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, get_args

from cardgen.core.findings import Finding, Location
from cardgen.core.geometry import Point, Polygon, Shape, Size, corners_of, edges_of
from cardgen.core.sheets import Dieline
from cardgen.core.table import DieKind, Table

ComponentKind = Literal["card", "board", "mat", "aid", "token", "standee", "die", "book", "box"]


class Locator(Protocol):
    """Finds the line of a value. `file` is relative to the project; `path` is a tuple of keys and
    list indexes. Slow (it parses the file again) and therefore only for findings."""

    def locate(self, file: str, path: tuple[str | int, ...] = ()) -> Location: ...

    def lines(self, file: str, path: tuple[str | int, ...]) -> tuple[int | None, Mapping[str, int]]:
        """Return the line of a mapping in its file, and those of the values of its keys."""
        ...

    def documents(self) -> Sequence[Any]:
        """Return the documents of the game's files, each with its data."""
        ...

    def shown(self, file: str, path: tuple[str | int, ...], value: object) -> str | None:
        """Return the text that a file shows for a value: the text of a spreadsheet's cell, a number as it
        is written. None where that is what the value says itself."""
        ...


class NamedFile(NamedTuple):
    """A file that a name means: the `place` that was looked for, and the `file` as the disk spells it,
    both relative to the project."""

    place: str
    file: str

    @property
    def has_other_case(self) -> bool:
        """Tell whether the name and the file differ in capitals, which Linux tells apart."""
        return composed(self.place) != composed(self.file)


def composed(name: str) -> str:
    """Return a name with composed letters (NFC)."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


class ProjectPaths(Protocol):
    """The folders of a game: the user's own project first, the bundled one after it."""

    @property
    def roots(self) -> tuple[Path, ...]:
        """Return the folders themselves."""
        ...

    def __hash__(self) -> int: ...

    def find(self, relative: str) -> Path | None:
        """Return the first existing file or folder of that relative name, or None."""
        ...

    def locate(
        self, name: str, folders: Iterable[str], within: Sequence[str]
    ) -> tuple[Path, NamedFile] | None:
        """Return the first file that a name means, as people and programs write it, with its root."""
        ...

    def other_case(self, name: str, folders: Iterable[str], within: Sequence[str]) -> str | None:
        """Return the file whose name differs in capitals alone, relative to the project."""
        ...


@dataclass(frozen=True, slots=True)
class Card:
    """One distinct card (or board, token, …) of a component.

    `fields` holds the card's data exactly as the templates see it, schema defaults filled in, `id`
    among them. `copies` is how many are printed of it for the player count the game was loaded for.
    `trim` is the finished size as it lies on the table, so a landscape card is wider than high.
    `face` and `back` name SVG templates below `templates/`, such as "night-market/card.svg"; `back` is
    None where the component has none.
    """

    id: str
    component: str
    fields: Mapping[str, Any]
    copies: int
    trim: Size
    face: str
    back: str | None
    file: str
    path: tuple[str | int, ...]
    number: int
    """Its place in the component, from 1, in the order of the data files."""


@dataclass(frozen=True, slots=True)
class BookSource:
    """The source of a book: its Markdown file, relative to the project, and the `look` that
    game.yaml asks for."""

    file: str
    look: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Component:
    """A physical kind of thing in the box: a deck of cards, a board, tokens.

    `trim` is None where its cards differ in size. `corner_radius`, `bleed` and `safe` are mm; bleed
    is the art outside trim, safe the inset inside trim that holds everything that matters.
    `declared` are the keys that its schema knows for a card, whether or not any card has them. A
    `book` has pages instead of cards and counts as one piece. `products` says by print service which of
    its products this is ordered as (of several, the one that changes a card's size least), False for one
    that it is not ordered from. A `standee` has a foot. The cards of `dice` are the stickers on their
    faces.
    """

    id: str
    title: str
    kind: ComponentKind
    shape: Shape
    trim: Size | None
    corner_radius: float
    bleed: float
    safe: float
    cards: tuple[Card, ...]
    variables: Mapping[str, Any]
    declared: tuple[str, ...] = ()
    book: BookSource | None = None
    products: Mapping[str, tuple[str, ...] | Literal[False]] = field(default_factory=dict)
    standee: Standee | None = None
    dice: tuple[Die, ...] = ()
    box: Dieline | None = None
    """The sheet of card that it is cut and folded of, for the kind box."""

    @property
    def outline(self) -> Literal["rectangle", "rounded", "ellipse", "hexagon", "polygon"]:
        """Return the name of its shape, square and rounded corners told apart."""
        if isinstance(self.shape, Polygon):
            return "polygon"
        return "rounded" if self.shape == "rectangle" and self.corner_radius > 0 else self.shape

    def shape_of(self, side: Literal["face", "back"]) -> Shape:
        """Return the shape as that side shows it: a polygon's back is the mirror image of its face."""
        return self.shape.mirrored() if isinstance(self.shape, Polygon) and side == "back" else self.shape

    @property
    def unique(self) -> int:
        return 1 if self.book is not None else len(self.cards)

    @property
    def copies(self) -> int:
        return 1 if self.book is not None else sum(card.copies for card in self.cards)


@dataclass(frozen=True, slots=True)
class GameSheet:
    """A sheet of the game: its name on the command line, the sheet layout in `data/sheets/`, and
    the ids of the components printed on it, in order. `label` is what the paper calls it."""

    name: str
    layout: str
    components: tuple[str, ...]
    label: str = ""

    @property
    def printed_name(self) -> str:
        return self.label or self.name


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits for a game's type in `check`: least sizes in pt, least contrast as a WCAG 2 ratio."""

    type_pt: float = 6.5
    contrast: float = 4.5


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """The keys of game.yaml that are one plain value each. Games and their rulebooks have them all.

    `theme` holds the game's colors and other values for its templates (the template variable `theme`).
    """

    id: str
    title: str
    version: str
    author: str
    description: str
    language: str
    theme: Mapping[str, Any]


def plain_values(source: Any) -> dict[str, Any]:
    """Return the values of `About` by name, from game.yaml's data or another object that has them."""
    names = [each.name for each in fields(About)]
    if isinstance(source, Mapping):
        return {name: source[name] for name in names if name in source}
    return {name: getattr(source, name) for name in names}


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(About):
    """A whole game, valid against its schemas.

    `tables` maps the stem of each further data file to its content (`tables.actions`).
    `players` are the least and most players; `player_count` the one that copies were resolved for,
    or None for all. `sources` are all files read, relative to the project; `paths` is where
    they were found. `effects` is the language of the cards' effects, where the game states one.
    """

    players: tuple[int, int]
    player_count: int | None
    components: tuple[Component, ...]
    sheets: tuple[GameSheet, ...]
    tables: Mapping[str, Any]
    limits: Limits
    rules: str | None
    sources: tuple[str, ...]
    paths: ProjectPaths
    locator: Locator
    remarks: tuple[Finding, ...] = ()
    """Warnings and notes of loading, for `check` to repeat."""
    effects: Effects | None = None
    table: Table | None = None
    """Its place on the table, if a file states one."""
    table_problems: tuple[Finding, ...] = ()
    """The problems of that file: for `check` to say, and for exports that need it; no print does."""
    deck_source: DeckSource | None = None
    """The cards that deck lists draw from, in a game where players bring decks of their own."""
    decks: tuple[DeckList, ...] = ()
    """The game's own deck lists, by id."""
    image_dpi: int | None = None
    """The resolution that finer images are scaled down to, if one was asked for."""
    fallback: tuple[str, ...] = ()
    """Font families for letters that the fonts of its texts lack."""
    fallback_path: tuple[str, ...] = ("fonts", "fallback")
    """Where game.yaml says so."""
    left_out: tuple[tuple[str, str], ...] = ()
    """Kinds and ids of what is no part of it, being in error: empty for a game that can be printed."""
    incomplete: frozenset[str] = frozenset()
    """The components that lack some of their cards."""
    missing: tuple[Card, ...] = ()
    """Those of these cards whose size and copies can be told, as places: without what is on them."""

    languages: tuple[str, ...] = ()
    """Those that it is translated into."""
    fonts: tuple[tuple[str, str], ...] = ()
    """Families that others stand in for in the language that it is in, each with the other."""
    stand_ins: tuple[tuple[str, str], ...] = ()
    """Icons that have no file yet, each with the letters that are drawn for it."""
    words: Words | None = None
    """Its translations; None in its own language."""
    spots: tuple[Spot, ...] = ()
    """Its inks beside the four of a press."""
    press: StatedPress | None = None
    """The press that it says it is printed on."""
    inked: bool = False
    """True if it is printed in inks, with those that no screen shows."""

    def component(self, id: str) -> Component:
        """Return the component with this id; KeyError if there is none."""
        for component in self.components:
            if component.id == id:
                return component
        raise KeyError(id)

    def cards(self) -> Iterator[Card]:
        for component in self.components:
            yield from component.cards

    def places(self) -> dict[tuple[str, str], Card]:
        """Return all cards by component and id, with the places of those that are missing."""
        return {(card.component, card.id): card for card in (*self.missing, *self.cards())}

    def locate(self, *path: str | int) -> Location:
        """Return the place of a value in game.yaml, for a finding."""
        return self.locator.locate(f"data/{self.id}/game.yaml", path)

    def where(self, card: Card, *path: str | int) -> Location:
        """Return the place of a card, or of a value in it, for a finding."""
        return self.locator.locate(card.file, card.path + path)


MAX_NAME_PATTERN = 500
"""Most characters of a pattern of names. A longer one fits nothing, for compiling takes memory."""


def fits(name: str, pattern: str) -> bool:
    """Tell whether a name is what a pattern stands for, capitals counted."""
    return len(pattern) <= MAX_NAME_PATTERN and fnmatchcase(name, pattern)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of templates in a `language`, each with its line in the PO `file`; how many of the game's
    texts are `missing` and how many `stale`. What templates say `must` be translated, or else is left as
    it is. `keys` lead to translated texts in the game's data."""

    language: str
    file: str
    words: Mapping[str, tuple[str, int]]
    must: bool
    missing: int
    stale: int
    keys: frozenset[str] = frozenset()
    absent: bool = False
    """True if there is no such file."""
    untranslated: frozenset[tuple[str, str | int, str | int]] = frozenset()
    """Entries of lists of which no text is translated, though it should be: their file, list and number."""


DECK = "deck"
"""The name in rules for the cards of the deck they judge, as if it were a component."""


@dataclass(frozen=True, slots=True)
class DeckSource:
    """The source of a game's deck lists: `component` is the id of the pool, `name` the field of its
    cards that lists name them by, `folder` holds the game's own lists, relative to the project."""

    component: str
    name: str
    folder: str


@dataclass(frozen=True, slots=True)
class DeckEntry:
    """So many copies of one card. `card` is its id; `location` is the line that names it first."""

    card: str
    copies: int
    location: Location


@dataclass(frozen=True, slots=True)
class DeckList:
    """A deck of a game: every card once, in the order of the file.

    `id` is the file's name without its ending, in lower-case words joined by "-". `file` is how
    findings name it; `location` is its first line. `shipped` says that it is one of the game's own
    lists; another is a player's. `remarks` are the warnings and notes of reading it.
    """

    id: str
    title: str
    author: str
    description: str
    component: str
    entries: tuple[DeckEntry, ...]
    file: str
    location: Location
    shipped: bool
    remarks: tuple[Finding, ...] = ()

    @property
    def unique(self) -> int:
        return len(self.entries)

    @property
    def copies(self) -> int:
        return sum(entry.copies for entry in self.entries)


LEAST_FACES, MOST_FACES = 2, 100


@dataclass(frozen=True, slots=True)
class Die:
    """One distinct die of a component: the ids of the stickers on its faces, from face 1, what each face is
    called, and how many such dice there are."""

    id: str
    stickers: tuple[str, ...]
    names: tuple[str, ...]
    copies: int

    @property
    def kind(self) -> DieKind | None:
        """Return the name of a die with as many faces on tables on screens; None if they have none."""
        return next((kind for kind in get_args(DieKind) if kind == f"d{len(self.stickers)}"), None)


Paragraph = Mapping[str, Any]
Effect = Sequence[Paragraph]
ParameterType = Literal["number", "change", "word"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a phrase: a whole number, a change (a number with its sign, never 0) or a word.

    `least` and `most` bound numbers; `unit` names what is counted, for messages; `words` maps each
    word as data writes it to how it is printed.
    """

    name: str
    type: ParameterType
    least: int | None = None
    most: int | None = None
    unit: str = ""
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a wording: text, or a parameter's value, or the one of two `forms` that a number asks
    for (first for 1 and -1). `strong` is set in the type of keywords."""

    text: str = ""
    parameter: str | None = None
    forms: tuple[str, str] | None = None
    strong: bool = False


Wording = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A keyword or a condition: its printed wording and the short forms that data may write.

    `only` are the ids of the components whose effects may use it, empty for all. A `bare` condition
    is printed without the word that begins conditions: `Pay 2:` where others say `If you are rich:`.
    """

    id: str
    title: str
    wording: Wording
    shorts: tuple[Wording, ...]
    parameters: Mapping[str, Parameter]
    icon: str = ""
    only: tuple[str, ...] = ()
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Punctuation:
    """The signs and words between phrases: `+1 Money or Draw 2 cards;`, `If you are rich:`."""

    end: str = ";"
    either: str = "or"
    both: str = "and"
    condition: str = "If"
    then: str = ":"
    minus: str = "−"


@dataclass(frozen=True, slots=True)
class Language:
    """All that reading and printing effects needs to know about a game."""

    keywords: Mapping[str, Phrase]
    conditions: Mapping[str, Phrase]
    punctuation: Punctuation = Punctuation()


@dataclass(frozen=True, slots=True)
class Effects:
    """A game's language, and the fields of its cards that hold effects. Data are written in the source's
    words, which differ where the game is translated."""

    language: Language
    fields: tuple[str, ...]
    source: Language | None = None

    @property
    def read_in(self) -> Language:
        """Return the language that data are written in."""
        return self.source or self.language

    def of(self, values: Mapping[str, Any]) -> Iterator[str]:
        """Return the fields of a card that hold an effect."""
        return (name for name in self.fields if name in values)


@dataclass(frozen=True, slots=True)
class StatedPress:
    """A press as game.yaml states it: a profile that comes with cardgen, by name, or an ICC file beside
    game.yaml, the most ink in per cent, all four together, and the standard of the files. None where it
    does not say."""

    profile: str | None = None
    ink_limit: int | None = None
    standard: Literal["x4", "x1a"] | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """A spot color: `id` is its name in templates, `name` that of its plate, `shows` its color on screens,
    `#rrggbb`. With `overprint` what lies below it is printed as well. Without `screen` it is only in files
    for a press.
    """

    id: str
    name: str
    shows: str
    overprint: bool
    screen: bool

    @property
    def rgb(self) -> tuple[int, int, int]:
        """Red, green and blue of `shows`, 0 to 255."""
        r, g, b = bytes.fromhex(self.shows[1:])
        return r, g, b


Foot = Literal["flaps", "tab", "slotted"]

LEAST_EDGE = 5.0
"""mm of the level edge that a figure needs at its head, to hold its two halves together at the fold, and at
its feet, to hold it up. A figure of our own: there is no standard."""


@dataclass(frozen=True, slots=True)
class Standee:
    """The strip below a figure's feet, `depth` mm of it on both halves.

    `flaps` are folded: outwards, to stand as an upturned T, or one over the other, as an A. A `tab` goes on
    straight, for a bought stand. A `slotted` one has a slit from below to half its depth, and comes with a
    foot that has one from above: the two are put together crosswise. Slits are `slot` mm wide.
    """

    foot: Foot
    depth: float
    slot: float


def flanks(shape: Shape, trim: Size) -> tuple[tuple[Point, ...], tuple[Point, ...]] | None:
    """Return the sides of a figure between fold and feet, mm from the trim's corner: the right one from its
    head down, the left one up. None of a shape without one level edge at the top of its trim and one at
    the bottom, each LEAST_EDGE long at least."""
    whole = trim.whole
    corners = corners_of(shape, whole)
    if shape == "rectangle":
        corners = whole.corners
    if corners is None:
        return None
    sides = edges_of(corners)
    heads = [n for n, side in enumerate(sides) if all(y < 1e-6 for _, y in side)]
    feet = [n for n, side in enumerate(sides) if all(y > trim.height - 1e-6 for _, y in side)]
    if len(heads) != 1 or len(feet) != 1:
        return None
    if min(abs(end[0] - start[0]) for start, end in (sides[heads[0]], sides[feet[0]])) < LEAST_EDGE:
        return None
    count = len(corners)
    down, up = (feet[0] - heads[0]) % count, (heads[0] - feet[0]) % count
    right = tuple(corners[(heads[0] + 1 + step) % count] for step in range(down))
    left = tuple(corners[(feet[0] + 1 + step) % count] for step in range(up))
    return right, left
