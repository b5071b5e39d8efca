"""What laying out a rulebook hands on: its pages, each a side like a card's, in reading order."""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.geometry import Size
from cardgen.model.artwork import Artwork
from cardgen.model.sheets import Heading, Link


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
