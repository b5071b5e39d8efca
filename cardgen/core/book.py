"""The input of a rulebook's layout besides its text, and its result: pages, each a side like a card's,
in reading order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cardgen.core.artwork import Artwork
from cardgen.core.game import About, Locator
from cardgen.core.geometry import Rect, Size
from cardgen.core.sheets import Heading, Link
from cardgen.core.table import PlacedKind, Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class BookGame(About):
    """All that a rulebook may know of its game: what looks the same for two of them, and for the same text,
    is the same book. `locator` is for findings alone.

    `cards` are the components and ids of all cards and places of cards, with whether they have a back;
    `title_of` is what one of them is called. `cover` is the card whose back the title page shows unless
    game.yaml says otherwise, `gone` the ids of those that are left out. `least_type` is in pt.
    """

    least_type: float
    cover: tuple[str, str] | None
    cards: Mapping[tuple[str, str], bool]
    gone: frozenset[str]
    title_of: Callable[[str, str], str]
    locator: Locator
    table: TableView | None = None
    """Its place on the table; None if no file states one."""


@dataclass(frozen=True, slots=True)
class NamedPlaces:
    """The named places on a side: upright rectangles in mm from the corner of the trim. `known` are
    further names that the side has, told where one that was asked for isn't there."""

    areas: Mapping[str, Rect]
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableThing:
    """A thing on a table as a book draws it: `size` is how far it reaches, lying unturned. `names` are what
    it is called by; `card` is the side that is seen (component, card, "face" or "back"), None for what no
    template draws. `seat` is the number of the seat that it belongs to, from 1."""

    names: tuple[str, ...]
    kind: PlacedKind
    at: Spot
    size: Size
    card: tuple[str, str, str] | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class TableView:
    """A game set up, as a book draws it: the table's size, its things in the order in which they lie on
    each other, and by seat the middle and the size of its hand."""

    size: Size
    things: tuple[TableThing, ...]
    seats: tuple[tuple[str, Spot], ...]
    hand: Size


@dataclass(frozen=True, slots=True)
class BookPage:
    """One page. `number` is what it is called, printed on it or not."""

    artwork: Artwork
    number: str
    headings: tuple[Heading, ...] = ()
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Book:
    """A book's pages, a multiple of four of them, all of one `trim`. `icons` are the names of those
    in its text."""

    component: str
    trim: Size
    pages: tuple[BookPage, ...]
    icons: frozenset[str]
