"""Define the loaded game: cards, components, decks, dice and languages, all resolved."""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any, Literal, Protocol, get_args

from cardgen.core.findings import Finding, Location
from cardgen.core.geometry import Point, Polygon, Shape, Size, corners_of, edges_of
from cardgen.core.paths import ProjectPaths
from cardgen.core.records import dataclass, field, fields
from cardgen.core.sheets import Dieline, TrimLine
from cardgen.core.table import DieKind, Table

ComponentKind = Literal["card", "board", "mat", "aid", "token", "standee", "die", "book", "box"]


@dataclass(frozen=True, slots=True)
class PrintedText:
    """A text of a game's data: its `address` is its name in translations, `file` and `path` its place."""

    address: str
    file: str
    path: tuple[str | int, ...]
    words: str


class Locator(Protocol):
    """A finder of lines of values. `file` is relative to the project; `path` is a tuple of keys and list
    indexes. Only for findings, since it parses the file again."""

    def locate(self, file: str, path: tuple[str | int, ...] = ()) -> Location: ...

    def lines(self, file: str, path: tuple[str | int, ...]) -> tuple[int | None, Mapping[str, int]]:
        """Return the line of a mapping in its file, and the lines of its keys' values."""
        ...

    def documents(self) -> Sequence[Any]:
        """Return the documents of the game's files, each with its data."""
        ...

    def texts(self) -> Sequence[PrintedText]:
        """Return the texts that schemas mark for translation, in the order of the files."""
        ...

    def sets(self) -> Mapping[str, Collection[tuple[str | int, ...]]]:
        """Return the paths of lists of distinct entries, whose order has no meaning, by file."""
        ...

    def shown(self, file: str, path: tuple[str | int, ...], value: object) -> str | None:
        """Return the text in a file for a value: the text of a spreadsheet's cell, a number as written.
        Return None if it is the value itself."""
        ...


_IN_A_BLOCK, _UNPACKED = 32, 64
"""Records that are packed together, some 0.1 ms of work, and packs that stay unpacked, some 2 MB."""


class PackedRecords(Sequence[dict[str, Any]]):
    """Many records, plain data, in a sixth of their memory. Each access may return an equal record instead
    of the same one. Raises ValueError for records that aren't plain data."""

    __slots__ = ("_blocks", "_count")

    def __init__(self, records: list[Any]) -> None:
        parts = (records[at : at + _IN_A_BLOCK] for at in range(0, len(records), _IN_A_BLOCK))
        self._blocks = [zlib.compress(marshal.dumps(part), 1) for part in parts]
        self._count = len(records)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        return _unpacked(self._blocks[index // _IN_A_BLOCK])[index % _IN_A_BLOCK]


@lru_cache(_UNPACKED)
def _unpacked(block: bytes) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = marshal.loads(zlib.decompress(block))
    return records


class _PackedFields:
    """The attribute `Card.fields`, which may be packed records: those of its file, by their index there."""

    def __init__(self, slot: Any) -> None:
        self._slot = slot

    def __get__(self, card: Any, kind: type[Card]) -> Any:
        if card is None:
            return self
        found = self._slot.__get__(card, kind)
        return found[card.path[-1]] if found.__class__ is PackedRecords else found

    def __set__(self, card: Card, fields: Mapping[str, Any] | PackedRecords) -> None:
        self._slot.__set__(card, fields)


@dataclass(frozen=True, slots=True)
class Card:
    """One distinct card (or board, token, …) of a component.

    `fields` contains the card's data exactly as the templates see it, with schema defaults and `id`.
    `copies` is the number printed for the player count of the loaded game. `trim` is the finished size in
    reading position, so a landscape card is wider than high. `face` and `back` name SVG templates below
    `templates/`, such as "night-market/card.svg"; `back` is None if the component has none.
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

    def pack(self, records: PackedRecords) -> None:
        """Read the fields from now on from these records: the same ones, at the index in its `path`."""
        object.__setattr__(self, "fields", records)


Card.fields = _PackedFields(Card.fields)  # type: ignore[assignment, misc]


@dataclass(frozen=True, slots=True)
class BookSource:
    """The source of a book: its Markdown file, relative to the project, and the `look` set in game.yaml."""

    file: str
    look: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Component:
    """A physical kind of thing in the box: a deck of cards, a board, tokens.

    `trim` is None if its cards differ in size. `corner_radius`, `bleed` and `safe` are mm; bleed is the art
    outside trim, safe the inset inside trim that contains everything important. `declared` are the keys of
    a card in its schema, even if no card has them. A `book` has pages instead of cards and counts as one
    piece. `products` maps print services to their product for this component (of several, the one that
    changes a card's size least), or to False to skip the service. A `standee` has a foot. The cards of
    `dice` are the stickers on their faces.
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
    """The sheet of card to cut and fold, for the kind box."""
    lines: tuple[TrimLine, ...] = ()
    """Lines to cut, crease or perforate in each piece."""

    @property
    def outline(self) -> Literal["rectangle", "rounded", "ellipse", "hexagon", "polygon"]:
        """Return the name of its shape, such as square or rounded."""
        if isinstance(self.shape, Polygon):
            return "polygon"
        return "rounded" if self.shape == "rectangle" and self.corner_radius > 0 else self.shape

    def shape_of(self, side: Literal["face", "back"]) -> Shape:
        """Return the shape on that side: a polygon's back is the mirror image of its face."""
        return self.shape.mirrored() if isinstance(self.shape, Polygon) and side == "back" else self.shape

    @property
    def unique(self) -> int:
        return 1 if self.book is not None else len(self.cards)

    @property
    def copies(self) -> int:
        return 1 if self.book is not None else sum(card.copies for card in self.cards)


@dataclass(frozen=True, slots=True)
class GameSheet:
    """A sheet of the game: its name on the command line, the sheet layout in `data/sheets/`, and the ids of
    the components printed on it, in order. `label` is its name on paper."""

    name: str
    layout: str
    components: tuple[str, ...]
    label: str = ""

    @property
    def printed_name(self) -> str:
        return self.label or self.name


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits for a game's type in `check`: minimum sizes in pt, minimum contrast as a WCAG 2 ratio."""

    type_pt: float = 6.5
    contrast: float = 4.5


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """The keys of game.yaml with one plain value each, for games and their rulebooks.

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
    """Return the values of `About` by name, from game.yaml's data or another object with these
    attributes."""
    names = [each.name for each in fields(About)]
    if isinstance(source, Mapping):
        return {name: source[name] for name in names if name in source}
    return {name: getattr(source, name) for name in names}


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(About):
    """A whole game, valid against its schemas.

    `tables` maps the stem of each further data file to its content (`tables.actions`). `players` are the
    fewest and most players; `player_count` the number that copies were resolved for, or None for all.
    `sources` are all files read, relative to the project; `paths` their folders. `effects` is the language
    of the cards' effects, if the game has one.

    Example:
        game = cardgen.load("night-market")
        for component in game.components:
            print(component.title, [card.id for card in component.cards])
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
    """Warnings and notes of loading, repeated by `check`."""
    effects: Effects | None = None
    table: Table | None = None
    """The layout of its table, if a file describes one."""
    table_problems: tuple[Finding, ...] = ()
    """The problems of that file: for `check`, and for exports that need it, but not for printing."""
    deck_source: DeckSource | None = None
    """The cards for deck lists, in a game where players bring their own decks."""
    decks: tuple[DeckList, ...] = ()
    """The game's own deck lists, by id."""
    image_dpi: int | None = None
    """The resolution that finer images are reduced to, if one was requested."""
    fallback: tuple[str, ...] = ()
    """Font families for letters missing from the fonts of its texts."""
    fallback_path: tuple[str, ...] = ("fonts", "fallback")
    """The place of this list in game.yaml."""
    left_out: tuple[tuple[str, str], ...] = ()
    """Kinds and ids of parts skipped as invalid: empty for a game that can be printed."""
    incomplete: frozenset[str] = frozenset()
    """The components with some of their cards missing."""
    missing: tuple[Card, ...] = ()
    """Those of these cards whose size and copies are known, as empty places."""

    languages: tuple[str, ...] = ()
    """The languages of its translations."""
    fonts: tuple[tuple[str, str], ...] = ()
    """Font families with a replacement in its language, each with the replacement."""
    stand_ins: tuple[tuple[str, str], ...] = ()
    """Icons without a file so far, each with the letters drawn for it."""
    words: Words | None = None
    """Its translations; None in its own language."""
    spots: tuple[Spot, ...] = ()
    """Its inks besides the four of a press."""
    press: StatedPress | None = None
    """The press in its game.yaml."""
    inked: bool = False
    """True if it is printed in inks, including those that screens can't show."""

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
        """Return all cards by component and id, including the places of missing ones."""
        return {(card.component, card.id): card for card in (*self.missing, *self.cards())}

    def locate(self, *path: str | int) -> Location:
        """Return the place of a value in game.yaml, for a finding."""
        return self.locator.locate(f"data/{self.id}/game.yaml", path)

    def where(self, card: Card, *path: str | int) -> Location:
        """Return the place of a card, or of a value in it, for a finding."""
        return self.locator.locate(card.file, card.path + path)


MAX_NAME_PATTERN = 500
"""Longest pattern of names. A longer one matches nothing, since compiling takes memory."""


def fits(name: str, pattern: str) -> bool:
    """Return True if a name matches a pattern, case-sensitively."""
    return len(pattern) <= MAX_NAME_PATTERN and fnmatchcase(name, pattern)


@dataclass(frozen=True, slots=True)
class Words:
    """The translations of templates' words into a `language`, each with its line in the PO `file`;
    `missing` and `stale` count the game's texts. `must` are words of templates that have to be translated.
    `keys` lead to translated texts in the game's data."""

    language: str
    file: str
    words: Mapping[str, tuple[str, int]]
    must: bool
    missing: int
    stale: int
    keys: frozenset[str] = frozenset()
    absent: bool = False
    """True if there is no PO file."""
    untranslated: frozenset[tuple[str, str | int, str | int]] = frozenset()
    """Entries of lists without a translated text, though they need one: their file, list and number."""


DECK = "deck"
"""The name in rules for the cards of the judged deck, as if it were a component."""


@dataclass(frozen=True, slots=True)
class DeckSource:
    """The source of a game's deck lists: `component` is the id of the pool, `name` the field of its cards
    with the name used in lists, `folder` the folder of the game's own lists, relative to the project."""

    component: str
    name: str
    folder: str


@dataclass(frozen=True, slots=True)
class DeckEntry:
    """The copies of one card in a deck. `card` is its id; `location` is the first line that names it."""

    card: str
    copies: int
    location: Location


@dataclass(frozen=True, slots=True)
class DeckList:
    """A deck of a game: every card once, in the order of the file.

    `id` is the file's name without its ending, in lower-case words joined by "-". `file` is its name in
    findings; `location` is its first line. `shipped` is True for the game's own lists, False for a
    player's. `remarks` are the warnings and notes of reading it.
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
    """One distinct die of a component: the ids of the stickers on its faces, from face 1, the names of the
    faces, and the number of such dice."""

    id: str
    stickers: tuple[str, ...]
    names: tuple[str, ...]
    copies: int

    @property
    def kind(self) -> DieKind | None:
        """Return the name of a die with this many faces on virtual tables; None if they have none."""
        return next((kind for kind in get_args(DieKind) if kind == f"d{len(self.stickers)}"), None)


Paragraph = Mapping[str, Any]
Effect = Sequence[Paragraph]
ParameterType = Literal["number", "change", "word"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a phrase: a whole number, a change (a number with its sign, never 0) or a word.

    `least` and `most` bound numbers; `unit` is the noun of the number in messages; `words` maps each word
    in the data, or numbers by their digits, to its printed form.
    """

    name: str
    type: ParameterType
    least: int | None = None
    most: int | None = None
    unit: str = ""
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a wording: text, a parameter's value, or one of two `forms` chosen by a number (the first
    for 1 and -1). `strong` parts have the type of keywords."""

    text: str = ""
    parameter: str | None = None
    forms: tuple[str, str] | None = None
    strong: bool = False


Wording = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A keyword or a condition: its printed wording and the short forms that data may write.

    `only` are the ids of the components whose effects may use it, empty for all. A `bare` condition is
    printed without the first word of conditions: `Pay 2:` instead of `If you pay 2:`. The wording of
    `prose` is Markdown, and only printed: data are written in short forms.
    """

    id: str
    title: str
    wording: Wording
    shorts: tuple[Wording, ...]
    parameters: Mapping[str, Parameter]
    icon: str = ""
    only: tuple[str, ...] = ()
    bare: bool = False
    prose: bool = False


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
    """Everything needed to read and print a game's effects."""

    keywords: Mapping[str, Phrase]
    conditions: Mapping[str, Phrase]
    punctuation: Punctuation = Punctuation()


@dataclass(frozen=True, slots=True)
class Effects:
    """A game's language, and the fields of its cards that contain effects. Data use the words of the source
    language, which differ in a translated game. `text` is the field that effects are printed into as
    sentences; empty if templates print them."""

    language: Language
    fields: tuple[str, ...]
    source: Language | None = None
    text: str = ""

    @property
    def read_in(self) -> Language:
        """Return the language of the data."""
        return self.source or self.language

    def of(self, values: Mapping[str, Any]) -> Iterator[str]:
        """Return the fields of a card that contain an effect."""
        return (name for name in self.fields if name in values)


@dataclass(frozen=True, slots=True)
class StatedPress:
    """A press in game.yaml: a profile that comes with cardgen, by name, or an ICC file beside game.yaml,
    the maximum ink in percent of all four together, and the standard of the files; None if not set.
    `overprint` says if black text and thin lines overprint, `black_images` if gray images are of black ink
    alone."""

    profile: str | None = None
    ink_limit: int | None = None
    standard: Literal["x4", "x1a"] | None = None
    overprint: bool = True
    black_images: bool = False


@dataclass(frozen=True, slots=True)
class Spot:
    """A spot color: `id` is its name in templates, `name` that of its plate, `shows` its color on screens,
    `#rrggbb`. With `overprint`, the inks below it are printed as well. Without `screen`, it is only in
    files for a press.
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
"""Shortest level edge in mm at a figure's head, to join its halves at the fold, and at its feet, to support
it. There is no standard."""


@dataclass(frozen=True, slots=True)
class Standee:
    """The strip below a figure's feet, `depth` mm of it on both halves.

    `flaps` are folded: outwards, like an upside-down T, or one over the other, like an A. A `tab` is
    straight, for a bought stand. A `slotted` strip has a slit from below to half its depth, and a separate
    foot with one from above: they are joined crosswise. Slits are `slot` mm wide.
    """

    foot: Foot
    depth: float
    slot: float


def flanks(shape: Shape, trim: Size) -> tuple[tuple[Point, ...], tuple[Point, ...]] | None:
    """Return the sides of a figure between fold and feet, mm from the trim's corner: the right one from its
    head down, the left one up. Return None for a shape without one level edge at the top of its trim and
    one at the bottom, each at least LEAST_EDGE long."""
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
