"""What a rulebook is laid out of besides its text, and what comes of it: pages, each a side like a card's,
in reading order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cardgen.geometry import Size
from cardgen.model.artwork import Artwork
from cardgen.model.game import Locator
from cardgen.model.sheets import Heading, Link


@dataclass(frozen=True, slots=True)
class BookGame:
    """All that a rulebook may know of its game: what looks the same for two of them, and for the same text,
    is the same book. `locator` is for findings alone.

    `cards` are the components and ids of all cards and places of cards, with whether they have a back;
    `title_of` is what one of them is called. `cover` is the card whose back the title page shows unless
    game.yaml says otherwise, `gone` the ids of those that are left out. `least_type` is in pt.
    """

    id: str
    title: str
    version: str
    author: str
    description: str
    language: str
    theme: Mapping[str, Any]
    least_type: float
    cover: tuple[str, str] | None
    cards: Mapping[tuple[str, str], bool]
    gone: frozenset[str]
    title_of: Callable[[str, str], str]
    locator: Locator


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
