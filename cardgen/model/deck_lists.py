"""Deck lists: which cards of a component, and how many of each, a player brings to the table."""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.findings import Finding, Location

DECK = "deck"
"""What rules call the cards of the deck they judge, as if it were a component."""


@dataclass(frozen=True, slots=True)
class DeckSource:
    """What a game's deck lists draw from: `component` is the id of the pool, `name` the field of its
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
