"""The pages of rulebooks, kept as sides are: a book that would say and show the same isn't laid out again.

A book's key is the digest of all that it is made of: its text, with the figures of the game's data in it,
its component with the look, all that `book/` may know of the game (`BookGame`), the fonts that stand in,
the ink. What it is kept with describes all files below templates/ and fonts/, so its icons and letters.
The titles of cards that it asked for, the measures of sides that it shows and where on them things lie that
its diagrams name are kept with it and compared;
drawn pages are kept by what is on these sides as well. Only books without any finding are kept, for these
stand at lines of files.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from cardgen.commands.book_places import places_digest
from cardgen.geometry import Rect, Shape
from cardgen.model.artwork import Artwork
from cardgen.model.book import Book, BookGame, BookPage, NamedPlaces
from cardgen.model.sheets import Heading, Link

if TYPE_CHECKING:
    from cardgen.book.elements import CardRef
    from cardgen.book.painting import ShownSide
    from cardgen.commands.fonts import LettersTaken
    from cardgen.commands.rulebooks import LaidOutBook
    from cardgen.drawing.sides import DrawnSide, SideStore
    from cardgen.model.game import Component, Game
    from cardgen.storage.kept import Kept


@dataclass(frozen=True, slots=True)
class KeptBook:
    """A book whose pages have nothing on them, the sides of cards that it shows, in the order in which it
    asks for them, with the measures of each, the letters taken from other fonts, the names that its
    diagrams have on sides, and the digest of where these were."""

    book: Book
    sides: Mapping[CardRef, list[Any]]
    taken: LettersTaken
    names: Mapping[CardRef, list[str]]
    places: str

    def shows(self, sides: Mapping[CardRef, ShownSide], places: Mapping[CardRef, NamedPlaces]) -> bool:
        """Whether these are the sides that it shows, as large as they were, and with all in its place."""
        same = self.sides == {ref: _known(side) for ref, side in sides.items()}
        return same and self.places == places_digest(places)


def _known(side: ShownSide) -> list[Any]:
    """What a page is laid out by; which artwork it is then shows."""
    return [side.size.width, side.size.height, side.bleed, _form(side.shape), side.radius]


def _form(shape: Shape) -> str:
    return shape if isinstance(shape, str) else repr(shape)


class BookStore:
    """The books of a game in `kept`."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept

    def get(self, key: str | None, game: BookGame, component: Component) -> KeptBook | None:
        """The book of this key, if the cards that it names are called as they were."""
        value = None if key is None else self._kept.get(key)
        if value is None or component.trim is None:
            return None
        from cardgen.book.elements import CardRef

        titles, sides, pages, icons, taken, names, places = value
        if any(game.title_of(home, card) != title for home, card, title in titles):
            return None
        made = [
            BookPage(
                Artwork(name, component.trim.grown(component.bleed), component.bleed, ()),
                number,
                tuple(Heading(*heading) for heading in headings),
                tuple(Link(Rect(*area), target) for area, target in links),
            )
            for name, number, headings, links in pages
        ]
        return KeptBook(
            Book(component.id, component.trim, tuple(made), frozenset(icons)),
            {CardRef(*ref): side for ref, side in sides},
            {(font, asked): dict.fromkeys(letters) for font, asked, letters in taken},
            {CardRef(*ref): asked for ref, asked in names},
            places,
        )

    def put(
        self,
        key: str | None,
        book: Book,
        sides: Mapping[CardRef, ShownSide],
        titles: Mapping[tuple[str, str], str],
        taken: LettersTaken,
        names: Mapping[CardRef, list[str]],
        places: Mapping[CardRef, NamedPlaces],
    ) -> None:
        """Keep a book. `titles` are those of cards that it asked for, `names` what its diagrams have on
        sides, which lies at these `places`."""
        if key is None:
            return
        pages = [
            [
                page.artwork.key,
                page.number,
                list(map(astuple, page.headings)),
                [[astuple(link.area), link.target] for link in page.links],
            ]
            for page in book.pages
        ]
        self._kept.put(
            key,
            [
                [[*card, title] for card, title in titles.items()],
                [[astuple(ref), _known(side)] for ref, side in sides.items()],
                pages,
                sorted(book.icons),
                [[*fonts, list(letters)] for fonts, letters in taken.items()],
                [[astuple(ref), asked] for ref, asked in names.items()],
                places_digest(places),
            ],
        )

    def save(self) -> None:
        """Write what is new."""
        self._kept.save()


def key_of(game: Game, about: BookGame, component: Component, text: str, *, low_ink: bool) -> str | None:
    """The digest of all that a book is made of besides files; None where a value is of a type that isn't
    known to be told from others."""
    known: Any = (
        *(about.id, about.title, about.version, about.author, about.description, about.language),
        *(about.theme, about.least_type, about.cover, list(about.cards.items()), sorted(about.gone)),
        repr(about.table),
    )
    try:
        plain = marshal.dumps((text, low_ink, known, astuple(component), game.fonts, game.fallback), 0)
    except (TypeError, ValueError):
        return None
    return blake2b(plain, digest_size=16).hexdigest()


def kept_pages(store: SideStore, book: LaidOutBook, sides: Mapping[str, DrawnSide]) -> list[DrawnSide]:
    """The drawn pages of a book as far as they are kept. `sides` has those that it shows."""
    found = map(store.get, _made_from(book, sides))
    return [replace(page, key=art.key) for page, art in zip(found, book.pages) if page is not None]


def keep_pages(
    store: SideStore, book: LaidOutBook, sides: Mapping[str, DrawnSide], pages: Sequence[DrawnSide]
) -> None:
    """Keep the drawn pages of a book. Other books' pages have the same names, so each is kept under that of
    what it is made from."""
    for made_from, page in zip(_made_from(book, sides), pages):
        store.put(made_from, replace(page, key=made_from))


def _made_from(book: LaidOutBook, sides: Mapping[str, DrawnSide]) -> list[str]:
    """What each page is made from; nothing where that can't be told."""
    if book.key is None:
        return []
    shown = repr([(key, sides[key].face) for key in book.shown])
    digests = (f"{book.key} {book.places} {number} {shown}" for number in range(len(book.pages)))
    return [blake2b(each.encode(), digest_size=16).hexdigest() for each in digests]
