"""The cards of a game's deck lists as a database: names, sets and properties, all plain text."""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.model.game import Card


@dataclass(frozen=True, slots=True)
class CardSet:
    """A set by its short name. `released` is a date as YYYY-MM-DD, or None."""

    name: str
    title: str
    type: str
    released: str | None = None


@dataclass(frozen=True, slots=True)
class CardEntry:
    """A card by the name that deck lists use. `row` is where it is played, 0 to 3, or None; empty texts
    say nothing. `properties` keep the order of their file."""

    card: Card
    name: str
    set: str
    number: str
    rarity: str
    text: str
    row: int | None
    properties: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CardDatabase:
    """The sets, and the cards in the order of the data."""

    component: str
    sets: tuple[CardSet, ...]
    entries: tuple[CardEntry, ...]
