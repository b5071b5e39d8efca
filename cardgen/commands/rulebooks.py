"""Rulebooks: from a game's Markdown to pages.

The Markdown goes through the sandbox of templates first, so that figures come from the data; cards that
it shows are rendered and drawn like those of any sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from cardgen.commands.book_places import places_digest, places_of, view_for
from cardgen.commands.fonts import LettersTaken, taken_on
from cardgen.commands.kept_books import key_of
from cardgen.findings import Findings, Location
from cardgen.model.artwork import Artwork
from cardgen.model.book import Book, BookGame
from cardgen.model.game import Component, Game, GameSheet
from cardgen.progress import tell
from cardgen.storage.reading import MARKDOWN, ReadingError, read_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardgen.book.elements import CardRef
    from cardgen.book.painting import ShownSide
    from cardgen.commands.kept_books import BookStore
    from cardgen.model.artwork import CardSides
    from cardgen.model.game import Card
    from cardgen.rendering.cards import SideName
    from cardgen.typesetting.fonts import FontBook


Show = Callable[["Sequence[Card]", "SideName"], "CardSides"]
"""Gives one side each of some cards, laid out or drawn; what is wrong with them is a finding then."""


@dataclass(frozen=True, slots=True)
class LaidOutBook:
    """A book's pages, as a book and as sides, the SVG documents of the icons in their text, the keys of the
    cards' sides that they show, and letters that they take from other fonts. `key` is the digest of all
    that it is made of besides these sides, None where that can't be told; `places` is that of where things
    lie on them. A `kept` book's pages have nothing on them, and its icons aren't there."""

    book: Book
    pages: tuple[Artwork, ...]
    icons: Mapping[str, str]
    shown: tuple[str, ...]
    taken: LettersTaken
    key: str | None
    places: str
    kept: bool = False


def book_of(game: Game, sheet: GameSheet) -> Component | None:
    """The book that a sheet holds; None for a sheet of cards."""
    for id in sheet.components:
        component = game.component(id)
        if component.book is not None:
            return component
    return None


def lay_out_book(
    game: Game,
    component: Component,
    fontbook: FontBook,
    findings: Findings,
    show: Show,
    *,
    shown: CardSides | None = None,
    low_ink: bool = False,
    kept: BookStore | None = None,
    will_do: Callable[[LaidOutBook], bool] = lambda book: True,
) -> LaidOutBook | None:
    """The pages of a book component; None after findings, each at its line of the Markdown file (or of
    game.yaml, for the look). Cards that it shows are taken from `shown`, sides of the same game in the
    same ink, as far as they are there; the others are asked of `show`. A book that is `kept` is not laid
    out again, if it `will_do`; one that is laid out is kept."""
    from cardgen.rendering.prose import render_prose

    assert component.book is not None
    tell(f"setting {component.title}")
    own = Findings()
    file = component.book.file
    asked = partial(places_of, game, fontbook=fontbook, low_ink=low_ink)
    fontbook = fontbook.standing_in(game.fonts)
    titles: dict[tuple[str, str], str] = {}
    about = _about(game, titles)
    markdown = _read(game, file, own)
    prose = None
    if markdown is not None:
        prose = render_prose(game, markdown, file, low_ink=low_ink, findings=own)
    key = None
    sides: dict[CardRef, ShownSide] | None = None
    if prose is not None:
        about = replace(about, table=view_for(prose.text, game))
        key = key_of(game, about, component, prose.text, low_ink=low_ink)
        known = None if kept is None else kept.get(key, about, component)
        if known is not None:
            sides = _shown_sides(game, known.sides, shown, show)
            if sides is None:
                return None
            places = asked(known.names)
            if known.shows(sides, places):
                pages = tuple(page.artwork for page in known.book.pages)
                found = LaidOutBook(
                    known.book, pages, {}, _keys(sides), known.taken, key, places_digest(places), kept=True
                )
                if will_do(found):
                    return found
        titles.clear()
    from cardgen.book.diagrams import Drawables, table_refs
    from cardgen.book.layout import lay_out
    from cardgen.book.look import resolve_look
    from cardgen.book.markdown import Source, read_book
    from cardgen.rendering.icons import IconSet

    look = resolve_look(about, component, fontbook, own, low_ink=low_ink)
    if prose is None:
        findings.extend(own)
        return None
    icons = IconSet(game.paths, game.id, fonts=fontbook)
    source = Source(about, file, prose.text, prose.line)
    text = read_book(source, icons.marks, own)
    if look is None or own.errors:
        findings.extend(own)
        return None
    refs = dict.fromkeys((*look.shown, *text.refs()))
    if any(diagram.ref is None for diagram in text.diagrams()):
        refs |= dict.fromkeys(table_refs(about.table))
    if sides is None or sides.keys() != refs.keys():
        sides = _shown_sides(game, refs, shown, show)
    if sides is None:
        findings.extend(own)
        return None
    names = text.names()
    if look.front is not None and look.front.part is not None:
        names.setdefault(look.front.ref, []).append(look.front.part)
    places = asked(names)
    drawables = Drawables(sides, places, about.table)
    book = lay_out(text, source, component, look, drawables, icons.marks, own)
    if book is None:
        findings.extend(own)
        return None
    used = {name: icons.get(name).svg for name in sorted(book.icons)}
    for problem in (each for name in sorted(book.icons) for each in icons.get(name).problems):
        assert problem.place is not None
        template, line = problem.place
        own.extend([problem.at(Location(f"templates/{template}", line))])
    findings.extend(own)
    if own.errors:
        return None
    pages = tuple(page.artwork for page in book.pages)
    taken: LettersTaken = {}
    for page in pages:
        for fonts, letters in taken_on(page).items():
            taken.setdefault(fonts, {}).update(letters)
    if kept is not None and not own:
        kept.put(key, book, {ref: sides[ref] for ref in refs}, titles, taken, names, places)
    return LaidOutBook(book, pages, used, _keys(sides), taken, key, places_digest(places))


def _keys(sides: Mapping[CardRef, ShownSide]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(side.artwork for side in sides.values()))


def _about(game: Game, titles: dict[tuple[str, str], str]) -> BookGame:
    """What a rulebook may know of its game. The `titles` that it asks for are noted."""
    cards = game.places()
    backs = (
        (each.id, card.id)
        for each in game.components
        for card in each.cards
        if each.kind == "card" and card.back is not None
    )

    def title_of(component: str, card: str) -> str:
        fields = cards[component, card].fields
        title = fields.get("title") or fields.get("name")
        titles[component, card] = str(title) if title else card
        return titles[component, card]

    return BookGame(
        id=game.id,
        title=game.title,
        version=game.version,
        author=game.author,
        description=game.description,
        language=game.language,
        theme=game.theme,
        least_type=game.limits.type_pt,
        cover=next(backs, None),
        cards={place: card.back is not None for place, card in cards.items()},
        gone=frozenset(id for kind, id in game.left_out if kind == "card"),
        title_of=title_of,
        locator=game.locator,
    )


def _read(game: Game, file: str, findings: Findings) -> str | None:
    try:
        data = read_file(game.paths.find(file) or file, MARKDOWN, file, game.paths.roots)
    except ReadingError as error:
        findings.extend(error.findings)
        return None
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        findings.error("file/encoding", "the file is not UTF-8 text", Location(file, line))
        return None


def _shown_sides(
    game: Game, refs: Iterable[CardRef], shown: CardSides | None, show: Show
) -> dict[CardRef, ShownSide] | None:
    """The sides of cards that a book shows; None, findings having said why, where one is not to be had."""
    from cardgen.book.painting import ShownSide

    cards = game.places()
    found: dict[CardRef, ShownSide] = {}
    wanted: dict[SideName, dict[tuple[str, str], CardRef]] = {"face": {}, "back": {}}
    for ref in refs:
        wanted[ref.side][ref.component, ref.card] = ref

    def take(refs: dict[tuple[str, str], CardRef], side: SideName, given: CardSides) -> None:
        for art in given.cards:
            ref = refs.get((art.component, art.card))
            key = art.back if side == "back" and art.back is not None else art.face
            if ref is not None and (side == "face" or art.back is not None):
                extent, home = given.artworks[key], game.component(ref.component)
                found[ref] = ShownSide(key, extent.size, extent.bleed, home.shape, home.corner_radius)

    for side, refs_of_side in wanted.items():
        if shown is not None:
            take(refs_of_side, side, shown)
        missing = {key: ref for key, ref in refs_of_side.items() if ref not in found}
        if missing:
            take(missing, side, show([cards[key] for key in missing], side))
    return found if len(found) == sum(map(len, wanted.values())) else None
