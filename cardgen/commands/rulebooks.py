"""Rulebooks: from a game's Markdown to pages on paper, the stages in their order.

    laid_out = lay_out_book(game, component, fontbook, findings)   # Markdown -> pages
    imposed = Imposer(game, "letter").impose_book(sheet, laid_out.book, findings)
    drawn = draw_all(game, laid_out.rendering)
    write_sheet(game, imposed, drawn, out, findings)

The Markdown goes through the sandbox of templates first, so that figures come from the data; cards that
it shows are rendered and drawn like those of any sheet.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from cardgen.findings import Findings, Location
from cardgen.model.artwork import Artwork, Rendering
from cardgen.model.book import Book
from cardgen.model.game import Card, Component, Game, GameSheet
from cardgen.storage.reading import MARKDOWN, ReadingError, read_file

if TYPE_CHECKING:
    from cardgen.book import CardRef, ShownSide
    from cardgen.rendering import Kept
    from cardgen.typesetting import FontBook


@dataclass(frozen=True, slots=True)
class LaidOutBook:
    """A book's pages, and every side and icon that drawing needs for them, pages last."""

    book: Book
    rendering: Rendering


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
    *,
    low_ink: bool = False,
    rendered: Rendering | None = None,
    kept: Kept | None = None,
) -> LaidOutBook | None:
    """The pages of a book component; None after findings, each at its line of the Markdown file (or of
    game.yaml, for the look). Cards that it shows are taken from `rendered`, a rendering of the same game
    in the same ink, as far as they are there; `kept` is for the others, as in `render_cards`."""
    from cardgen.book import Source, lay_out, read_book, resolve_look
    from cardgen.rendering.icons import IconSet
    from cardgen.rendering.prose import render_prose

    assert component.book is not None
    before = len(findings.errors)
    file = component.book.file
    look = resolve_look(game, component, fontbook, findings, low_ink=low_ink)
    markdown = _read(game, file, findings)
    if markdown is None:
        return None
    prose = render_prose(game, markdown, file, low_ink=low_ink, findings=findings)
    if prose is None:
        return None
    icons = IconSet(game.paths, game.id)
    source = Source(game, file, prose.text, prose.line)
    text = read_book(source, icons.names, findings)
    if look is None or len(findings.errors) > before:
        return None
    refs = dict.fromkeys((*look.cover, *(picture.ref for picture in text.pictures())))
    shown = rendered or Rendering((), {})
    cards = _shown_cards(game, refs, fontbook, findings, shown, kept, low_ink=low_ink)
    if cards is None:
        return None
    sides, artworks, shown_icons, sources = cards
    book = lay_out(text, source, component, look, sides, findings)
    used = {name: icons.get(name) for name in sorted(book.icons)}
    for problem_file, problem, data in icons.problems:
        line = data.count(b"\n", 0, problem.offset) + 1
        findings.error(problem.code, problem.message, Location(problem_file, line), problem.hint)
    if len(findings.errors) > before:
        return None
    for page in book.pages:
        artworks[page.artwork.key] = page.artwork
    documents = {**shown_icons, **{name: icon.svg for name, icon in used.items()}}
    return LaidOutBook(book, Rendering((), artworks, documents, sources))


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


def _shown_cards(
    game: Game,
    refs: Iterable[CardRef],
    fontbook: FontBook,
    findings: Findings,
    rendered: Rendering,
    kept: Kept | None,
    *,
    low_ink: bool,
) -> tuple[dict[CardRef, ShownSide], dict[str, Artwork], dict[str, str], dict[str, str]] | None:
    """The sides of cards that a book shows, their artworks, the icons in those, and what those laid out
    here were made from."""
    from cardgen.book import ShownSide
    from cardgen.rendering import render_cards

    before = len(findings.errors)
    cards: dict[tuple[str, str], Card] = {(card.component, card.id): card for card in game.cards()}
    sides: dict[CardRef, ShownSide] = {}
    artworks: dict[str, Artwork] = {}
    icons = dict(rendered.icons)
    sources: dict[str, str] = {}
    refs = list(refs)

    def show(ref: CardRef, artwork: Artwork) -> None:
        home = game.component(ref.component)
        artworks[artwork.key] = artwork
        sides[ref] = ShownSide(artwork.key, artwork.size, artwork.bleed, home.shape, home.corner_radius)

    done = {(art.component, art.card): {"face": art.face, "back": art.back} for art in rendered.cards}
    for ref in refs:
        key = done.get((ref.component, ref.card), {}).get(ref.side)
        if key is not None:
            show(ref, rendered.artworks[key])
    wanted: tuple[Literal["face", "back"], ...] = ("face", "back")
    for side in wanted:
        chosen = {(ref.component, ref.card): ref for ref in refs if ref.side == side and ref not in sides}
        if not chosen:
            continue
        rendering = render_cards(
            game,
            [cards[key] for key in chosen],
            game.paths,
            fontbook,
            low_ink=low_ink,
            findings=findings,
            sides=(side,),
            kept=kept,
        )
        icons.update(rendering.icons)
        sources.update(rendering.sources)
        for art in rendering.cards:
            show(chosen[art.component, art.card], rendering.artworks[art.face])
    if len(findings.errors) > before:
        return None
    return sides, artworks, icons, sources


def lay_out_books(
    game: Game,
    books: Iterable[Component],
    fontbook: FontBook,
    findings: Findings,
    *,
    low_ink: bool = False,
    rendered: Rendering | None = None,
    kept: Kept | None = None,
) -> dict[str, LaidOutBook]:
    """Books by the ids of their components, those left out that have findings; see `lay_out_book`."""
    laid_out = {}
    for component in {book.id: book for book in books}.values():
        book = lay_out_book(
            game, component, fontbook, findings, low_ink=low_ink, rendered=rendered, kept=kept
        )
        if book is not None:
            laid_out[component.id] = book
    return laid_out
