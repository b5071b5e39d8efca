"""Define the input of a rulebook's layout besides its text, and its result: pages, each a side like a
card's, in reading order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cardgen.core.artwork import Artwork
from cardgen.core.game import About, Locator
from cardgen.core.geometry import Rect, Size
from cardgen.core.records import dataclass, field
from cardgen.core.sheets import Heading, Link
from cardgen.core.table import PlacedKind, Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class BookGame(About):
    """Everything that a rulebook may read of its game: equal input and equal text give the same book.
    `locator` is for findings only.

    `cards` are the components and ids of all cards and places of cards, with True if they have a back;
    `title_of` returns the name of one. `cover` is the card whose back the title page shows by default,
    `gone` the ids of skipped cards. `least_type` is in pt.
    """

    least_type: float
    cover: tuple[str, str] | None
    cards: Mapping[tuple[str, str], bool]
    gone: frozenset[str]
    title_of: Callable[[str, str], str]
    locator: Locator
    table: TableView | None = None
    """The layout of its table; None if no file describes one."""


@dataclass(frozen=True, slots=True)
class NamedPlaces:
    """The named places on a side: upright rectangles in mm from the corner of the trim. `known` are the
    side's other names, listed if a requested name is missing."""

    areas: Mapping[str, Rect]
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableThing:
    """A thing on a table, for a book's diagrams: `size` is its extent, unturned. `names` are its names;
    `card` is the visible side (component, card, "face" or "back"), None for things without a template.
    `seat` is the number of its owner's seat, from 1."""

    names: tuple[str, ...]
    kind: PlacedKind
    at: Spot
    size: Size
    card: tuple[str, str, str] | None = None
    seat: int | None = None
    color: str | None = None
    """That of a pawn or a bag."""


@dataclass(frozen=True, slots=True)
class TableView:
    """A game set up, for a book's diagrams: the table's size, its things from bottom to top, and for each
    seat the center and the size of its hand."""

    size: Size
    things: tuple[TableThing, ...]
    seats: tuple[tuple[str, Spot], ...]
    hand: Size
    title: str = ""
    scenes: Mapping[str, TableView] = field(default_factory=dict)
    """The scenes that the book shows, by their names: tables without seats."""


@dataclass(frozen=True, slots=True)
class BookPage:
    """A page. `number` is its number, printed or not."""

    artwork: Artwork
    number: str
    headings: tuple[Heading, ...] = ()
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Book:
    """A book's pages, a multiple of four, all of one `trim`. `icons` are the names of the icons in its
    text."""

    component: str
    trim: Size
    pages: tuple[BookPage, ...]
    icons: frozenset[str]
