"""What loading hands on: a game whose defaults, units, references and copies are all resolved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from cardgen.findings import Finding, Location
from cardgen.geometry import Polygon, Shape, Size
from cardgen.model.boxes import Dieline
from cardgen.model.deck_lists import DeckList, DeckSource
from cardgen.model.dice import Die
from cardgen.model.effects import Effects
from cardgen.model.presses import StatedPress
from cardgen.model.spots import Spot
from cardgen.model.standees import Standee
from cardgen.model.table import Table
from cardgen.model.translation import Words
from cardgen.storage.names import NamedFile, candidates, other_case, spelled

ComponentKind = Literal["card", "board", "mat", "aid", "token", "standee", "die", "book", "box"]


_WRITTEN_OTHERWISE = ("%", "\\", "/.")
"""What a name has in it that may mean a file of another name."""


class Locator(Protocol):
    """Finds the line of a value. `file` is relative to the project; `path` is a tuple of keys and
    list indexes. Slow (it parses the file again) and therefore only for findings."""

    def locate(self, file: str, path: tuple[str | int, ...] = ()) -> Location: ...

    def lines(self, file: str, path: tuple[str | int, ...]) -> tuple[int | None, Mapping[str, int]]:
        """The line of a mapping in its file, and those of the values of its keys."""
        ...

    def documents(self) -> Sequence[Any]:
        """What was read of the game's files, each a document with its data."""
        ...

    def shown(self, file: str, path: tuple[str | int, ...], value: object) -> str | None:
        """What a file shows for a value: the text of a spreadsheet's cell, a number as it is written. None
        where that is what the value says itself."""
        ...


@dataclass(frozen=True, slots=True)
class ProjectPaths:
    """Where a game's files lie: the user's own project folder first, the bundled one after it."""

    roots: tuple[Path, ...]

    def find(self, relative: str) -> Path | None:
        """The first existing file or folder of that relative name, or None. A link counts, wherever it
        leads: reading it says what is wrong, instead of another file standing in for it."""
        found = self._spelled(relative)
        if found is None and any(sign in relative for sign in _WRITTEN_OTHERWISE):
            found = self.locate(relative, [""], [relative.partition("/")[0]])
        return None if found is None else found[0] / found[1].file

    def locate(
        self, name: str, folders: Iterable[str], within: Sequence[str]
    ) -> tuple[Path, NamedFile] | None:
        """Return the first file that a name means, as people and programs write it, with its root.

        Args:
            name: A relative path; see `cardgen.storage.names`.
            folders: Where it may start from, relative to the project, in order.
            within: The folders that must hold the file.
        """
        for place in candidates(name, folders, within):
            if (found := self._spelled(place)) is not None:
                return found
        return None

    def other_case(self, name: str, folders: Iterable[str], within: Sequence[str]) -> str | None:
        """Return the file whose name differs in capitals alone, relative to the project."""
        places = candidates(name, folders, within)
        found = (other_case(root, place) for place in places for root in self.roots)
        return next((file for file in found if file is not None), None)

    def _spelled(self, place: str) -> tuple[Path, NamedFile] | None:
        for root in self.roots:
            if (file := spelled(root, place)) is not None:
                return root, NamedFile(place, file)
        return None


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
    """Where a book comes from: its Markdown file, relative to the project, and the `look` that
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
        """The name of its shape, square and rounded corners told apart."""
        if isinstance(self.shape, Polygon):
            return "polygon"
        return "rounded" if self.shape == "rectangle" and self.corner_radius > 0 else self.shape

    def shape_of(self, side: Literal["face", "back"]) -> Shape:
        """The shape as that side shows it: a polygon's back is the mirror image of its face."""
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
    """What `check` holds a game's type to: least sizes in pt, least contrast as a WCAG 2 ratio."""

    type_pt: float = 6.5
    contrast: float = 4.5


@dataclass(frozen=True, slots=True)
class Game:
    """A whole game, valid against its schemas.

    `theme` holds the game's colours and other values for its templates (the template variable
    `theme`); `tables` maps the stem of each further data file to its content (`tables.actions`).
    `players` are the least and most players; `player_count` the one that copies were resolved for,
    or None for all. `sources` are all files read, relative to the project; `paths` is where
    they were found. `effects` is the language of the cards' effects, where the game states one.
    """

    id: str
    title: str
    version: str
    author: str
    description: str
    language: str
    players: tuple[int, int]
    player_count: int | None
    components: tuple[Component, ...]
    sheets: tuple[GameSheet, ...]
    theme: Mapping[str, Any]
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
    """How it lies on the table, where a file says so."""
    table_problems: tuple[Finding, ...] = ()
    """What is wrong with that file: for `check` to say, and for exports that need it; no print does."""
    deck_source: DeckSource | None = None
    """What deck lists draw from, in a game where players bring decks of their own."""
    decks: tuple[DeckList, ...] = ()
    """The game's own deck lists, by id."""
    image_dpi: int | None = None
    """What finer images are brought down to, where that was asked for."""
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
    """What it is translated with; None in its own language."""
    spots: tuple[Spot, ...] = ()
    """Its inks beside the four of a press."""
    press: StatedPress | None = None
    """The press that it says it is printed on."""
    inked: bool = False
    """Whether it is printed in inks, with those that no screen shows."""

    def component(self, id: str) -> Component:
        """The component with this id; KeyError if there is none."""
        for component in self.components:
            if component.id == id:
                return component
        raise KeyError(id)

    def cards(self) -> Iterator[Card]:
        for component in self.components:
            yield from component.cards

    def places(self) -> dict[tuple[str, str], Card]:
        """All cards by component and id, with the places of those that are missing."""
        return {(card.component, card.id): card for card in (*self.missing, *self.cards())}

    def where(self, card: Card, *path: str | int) -> Location:
        """The place of a card, or of a value in it, for a finding."""
        return self.locator.locate(card.file, card.path + path)
