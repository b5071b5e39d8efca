"""Rulebooks and the places on cards and tables that they point at, stored between builds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from cardgen.commands.production.fonts import LettersTaken, taken_on
from cardgen.commands.production.results import GameResults
from cardgen.core.artwork import Artwork
from cardgen.core.book import Book, BookGame, BookPage, NamedPlaces, TableThing, TableView
from cardgen.core.findings import Findings, Location, did_you_mean
from cardgen.core.game import Card, Component, Game, GameSheet, plain_values
from cardgen.core.geometry import MM_PER_PT, Rect
from cardgen.core.progress import tell
from cardgen.core.records import astuple, dataclass, fields, replace
from cardgen.core.sheets import Heading, Link
from cardgen.core.table import CardWords, Placed, SnapRef, Table, Tabletop, Words
from cardgen.files.cache import Cache, digest_of
from cardgen.files.reading import MARKDOWN, ReadingError, read_file

if TYPE_CHECKING:
    from cardgen.art.cards import SideName
    from cardgen.art.prose import Phrases
    from cardgen.art.snaps import Snaps
    from cardgen.art.text import Groups
    from cardgen.book.elements import CardRef
    from cardgen.book.look import ShownSide
    from cardgen.core.artwork import CardSides
    from cardgen.pdf.store import DrawnSide, SideStore
    from cardgen.text.fonts import FontBook


Show = Callable[["Sequence[Card]", "SideName"], "CardSides"]
"""Returns one side each of some cards, laid out or drawn; errors in them become findings."""


@dataclass(frozen=True, slots=True)
class LaidOutBook:
    """A book's pages, as a book and as sides, the SVG documents of the icons in their text, the keys of the
    card sides that they show, and letters that they take from other fonts. `key` is the digest of all
    inputs besides these sides; `places` is the digest of positions on them. A `kept` book's pages are
    empty, and it has no icons."""

    book: Book
    pages: tuple[Artwork, ...]
    icons: Mapping[str, str]
    shown: tuple[str, ...]
    taken: LettersTaken
    key: str
    places: str
    kept: bool = False


def book_of(game: Game, sheet: GameSheet) -> Component | None:
    """Return the book on a sheet; None for a sheet of cards."""
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
    results: GameResults,
    kept: Cache,
    will_do: Callable[[LaidOutBook], bool] = lambda book: True,
) -> LaidOutBook | None:
    """Return the pages of a book component; None after findings, each at its line of the Markdown file (or
    of game.yaml, for the look). Cards that it shows come from `shown`, sides of the same game in the same
    ink, or else from `show`. A stored book is not laid out again if it `will_do`; one that is laid out is
    stored."""
    from cardgen.art.prose import render_prose
    from cardgen.book.look import resolve_look

    assert component.book is not None
    tell(f"setting {component.title}")
    own = Findings()
    file = component.book.file
    asked = partial(places_of, game, fontbook=fontbook, low_ink=low_ink, results=results)
    fontbook = fontbook.standing_in(game.fonts)
    titles: dict[tuple[str, str], str] = {}
    about = _about(game, titles)
    markdown = read_markdown(game, file, own)
    prose = None
    if markdown is not None:
        prose = render_prose(game, markdown, file, low_ink=low_ink, findings=own)
    sides: dict[CardRef, ShownSide] | None = None
    places: dict[CardRef, NamedPlaces] = {}
    lacks_sides = False

    def digest(titles: Iterable[tuple[str, str]], refs: Iterable[CardRef]) -> str:
        """Return a digest of what a layout reads; the artwork that a page shows doesn't matter to it."""
        assert sides is not None
        known = [replace(sides[ref], artwork="") for ref in refs]
        return digest_of([about.title_of(*each) for each in titles], known, places_digest(places))

    def look_up(reads: list[Any]) -> str | None:
        nonlocal sides, places, lacks_sides
        from cardgen.book.elements import CardRef

        titles, shows, points_at = reads
        refs = [CardRef(*ref) for ref in shows]
        sides = _shown_sides(game, refs, shown, show)
        if sides is None:
            lacks_sides = True
            return None
        places = asked({CardRef(*ref): names for ref, names in points_at})
        return digest(titles, refs)

    look = resolve_look(about, component, fontbook, own, low_ink=low_ink)
    if prose is not None:
        about = replace(about, table=view_for(prose.text, game, results))
        made_from = f"{key_of(game, about, component, prose.text)} {low_ink}"
        # Without findings about its colors, the layout is the same in all of them.
        key = key_of(game, replace(about, theme={}), component, prose.text)
        value = None if own else kept.recall(key, look_up)
        if lacks_sides:
            return None
        if value is not None and sides is not None:
            known, letters = _unpack_book(value, component)
            bare = tuple(page.artwork for page in known.pages)
            found = LaidOutBook(
                known, bare, {}, _keys(sides), letters, made_from, places_digest(places), kept=True
            )
            if will_do(found):
                return found
        titles.clear()
    from cardgen.art.icons import IconSet
    from cardgen.book.diagrams import Drawables, table_refs
    from cardgen.book.layout import lay_out
    from cardgen.book.markdown import Source, read_book

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
    for art in look.art:
        if art.part is not None:
            names.setdefault(art.ref, []).append(art.part)
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
        for pair, used_letters in taken_on(page).items():
            taken.setdefault(pair, {}).update(used_letters)
    if not own:
        points_at = [[list(astuple(ref)), asked_names] for ref, asked_names in names.items()]
        reads = [list(map(list, titles)), [list(astuple(ref)) for ref in refs], points_at]
        kept.remember(key, reads, digest(list(titles), refs), _pack_book(book, taken))
    return LaidOutBook(book, pages, used, _keys(sides), taken, made_from, places_digest(places))


def _keys(sides: Mapping[CardRef, ShownSide]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(side.artwork for side in sides.values()))


def _about(game: Game, titles: dict[tuple[str, str], str]) -> BookGame:
    """Return the facts about a game that its rulebook may use. The `titles` that it reads are noted."""
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
        **plain_values(game),
        least_type=game.limits.type_pt,
        cover=next(backs, None),
        cards={place: card.back is not None for place, card in cards.items()},
        gone=frozenset(id for kind, id in game.left_out if kind == "card"),
        title_of=title_of,
        locator=game.locator,
    )


def read_markdown(game: Game, file: str, findings: Findings) -> str | None:
    """Return the text of a rulebook; None after findings."""
    try:
        data = read_file(game.paths.find(file) or file, MARKDOWN, file, game.paths.roots)
    except ReadingError as error:
        findings.extend(error.findings)
        return None
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        findings.error(
            "file/encoding", "the file is not UTF-8 text", Location(file, line), "save it as UTF-8"
        )
        return None


def _shown_sides(
    game: Game, refs: Iterable[CardRef], shown: CardSides | None, show: Show
) -> dict[CardRef, ShownSide] | None:
    """Return the sides of cards that a book shows; None, after findings, if one is unavailable."""
    from cardgen.book.look import ShownSide

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


_SHOWS_TABLE = re.compile(r":::[ \t]*set-up[ \t]+table\b")
_SHOWS_SCENES = re.compile(r":::[ \t]*scene[ \t]+([^\n]*)")


def places_of(
    game: Game,
    wanted: Mapping[CardRef, Iterable[str]],
    fontbook: FontBook,
    *,
    low_ink: bool,
    results: GameResults,
) -> dict[CardRef, NamedPlaces]:
    """Find the named places on sides. A side that can't be rendered has none; rendering it reports the
    reason. The places are stored by the side's inputs."""
    if not wanted:
        return {}
    from jinja2.exceptions import TemplateError

    from cardgen.art.cards import SideRenderer
    from cardgen.art.templating import TemplateLoader

    kept, sources = results.of("places"), results.sources()
    renderer = SideRenderer(
        game, game.paths, fontbook, low_ink=low_ink, needs=results.needs(), sources=sources
    )
    loader = TemplateLoader(game.paths)

    @cache
    def template(name: str) -> list[str]:
        try:
            return loader.source(name).split("\n")
        except TemplateError:  # rendering reports its errors
            return []

    cards = game.places()
    found: dict[CardRef, NamedPlaces] = {}
    for ref, names in wanted.items():
        asked = sorted(set(names))
        found[ref] = NamedPlaces({})
        card = cards.get((ref.component, ref.card))
        if card is None or not card.face:
            continue
        for side in renderer.sides([card], (ref.side,)):
            fields = sorted(side.card.fields)
            key = digest_of(side.made_from, side.template, asked, fields)
            known = kept.get_value(key) if side.made_from else None
            if known is None:
                places = renderer.named(
                    side, asked, lambda name, first, last: "\n".join(template(name)[first - 1 : last])
                )
                if places is None:
                    continue
                known = [
                    [[name, *astuple(area)] for name, area in places.areas.items()],
                    list(places.known),
                ]
                kept.put_value(key, known)
            areas, others = known
            found[ref] = NamedPlaces({name: Rect(*area) for name, *area in areas}, tuple(others))
    return found


def places_digest(places: Mapping[CardRef, NamedPlaces]) -> str:
    """Return a digest of places."""
    said = [
        (str(ref), sorted((name, astuple(area)) for name, area in each.areas.items()))
        for ref, each in places.items()
    ]
    return blake2b(repr(said).encode(), digest_size=16).hexdigest()


def view_for(text: str, game: Game, results: GameResults) -> TableView | None:
    """Return a game's table and scenes for the text of a book; None if the text shows neither, or there is
    none. Missing snap points are findings of the table's reader; objects on them are skipped."""
    table, shown = game.table, _SHOWS_TABLE.search(text) is not None
    asked = {name for found in _SHOWS_SCENES.finditer(text) for name in found[1].split()}
    if table is None or not (shown or asked):
        return None
    items = table.items if shown else ()
    scenes = {name: scene for name, scene in table.scenes.items() if name in asked}
    every = [*items, *(item for scene in scenes.values() for item in scene.items)]
    below = {(item.at.component, item.at.card) for item in every if isinstance(item.at, SnapRef)}
    pieces = [card for place, card in game.places().items() if place in below]
    snaps = snaps_of(game, pieces, Findings(), results)

    def view(items: Sequence[Placed], title: str = "") -> TableView:
        tabletop = Tabletop(replace(table, items=tuple(items)), snaps, {}, "")
        return TableView(table.size, tuple(_things(game, tabletop)), (), table.hand, title)

    return replace(
        view(items),
        seats=tuple((seat.color, seat.at) for seat in table.seats) if shown else (),
        scenes={name: view(scene.items, scene.title) for name, scene in scenes.items()},
    )


def _things(game: Game, tabletop: Tabletop) -> Iterator[TableThing]:
    """Yield the visible things on a table."""
    from cardgen.core.seating import extent_of, resting_place

    table = tabletop.table
    numbers = {seat.color: number for number, seat in enumerate(table.seats, 1)}
    gone = {(each.component, each.id) for each in game.missing}
    for item in table.items:
        if any((id, card) in gone for id, cards in item.parts for card, _ in cards):
            continue
        try:
            at = resting_place(game, tabletop, item)
            size = extent_of(game, item)
        except (KeyError, StopIteration):
            continue
        seat = None if item.seat is None else numbers.get(item.seat, len(numbers) + 1)
        yield TableThing(_names(item), item.kind, at, size, _seen(game, item), seat, item.color)


def _names(item: Placed) -> tuple[str, ...]:
    """Return the names of an object on the table: its own, its component's, and its card's if it is one."""
    names = [item.name] if item.name else []
    names += [component for component, _ in item.parts]
    if item.kind == "piece":
        names.append(f"{item.component}/{item.cards[0][0]}")
    return tuple(dict.fromkeys(names))


def _seen(game: Game, item: Placed) -> tuple[str, str, str] | None:
    """Return the visible side of an object's card."""
    if item.kind not in ("deck", "piece") or not item.cards:
        return None
    id = item.cards[0][0]
    card = next(each for each in game.component(item.component).cards if each.id == id)
    return item.component, id, "face" if item.face_up or card.back is None else "back"


_MOST_SAID = 50
"""The maximum of reported groups."""


def say_sizes(
    game: Game, groups: Mapping[str, Groups], findings: Findings, *, besides: Mapping[str, Groups] | None
) -> None:
    """Add a note for each group of texts: its size, and the card that sets it. If `besides` contains those
    of the full-ink variant, only groups with another size in low ink are noted."""
    variant = " in low ink" if besides is not None else ""
    if game.words is not None:
        variant += f" in the language '{game.language}'"
    said = 0
    for id, of_component in groups.items():
        cards = {card.id: card for card in game.component(id).cards}
        known = besides[id].sizes if besides is not None and id in besides else {}
        for name, group in sorted(of_component.sizes.items()):
            if known.get(name) == group:
                continue
            said += 1
            if said > _MOST_SAID:
                return
            why = f"as card '{group.card}' needs" if group.shrunk else "at which all of them fit"
            message = f"the texts '{name}' print at {group.size / MM_PER_PT:.2f} pt{variant}, {why}"
            findings.note("text/group", message, game.where(cards[group.card]))


def _pack_book(book: Book, taken: LettersTaken) -> list[Any]:
    """Return a book in JSON's types, with empty pages, and the letters from substitute fonts."""
    pages = [
        [
            page.artwork.key,
            page.number,
            list(map(astuple, page.headings)),
            [[astuple(link.area), link.target] for link in page.links],
        ]
        for page in book.pages
    ]
    return [pages, sorted(book.icons), [[*fonts, list(letters)] for fonts, letters in taken.items()]]


def _unpack_book(value: list[Any], component: Component) -> tuple[Book, LettersTaken]:
    """Return an unpacked book."""
    pages, icons, taken = value
    assert component.trim is not None
    made = [
        BookPage(
            Artwork(name, component.trim.grown(component.bleed), component.bleed, ()),
            number,
            tuple(Heading(*heading) for heading in headings),
            tuple(Link(Rect(*area), target) for area, target in links),
        )
        for name, number, headings, links in pages
    ]
    book = Book(component.id, component.trim, tuple(made), frozenset(icons))
    return book, {(font, asked): dict.fromkeys(letters) for font, asked, letters in taken}


def key_of(game: Game, about: BookGame, component: Component, text: str) -> str:
    """Return the digest of the inputs of a book's layout besides files and its reads. It is the same in low
    ink, which has other colors."""
    # The results of these functions are read again each time; findings aren't stored.
    asked = ("title_of", "locator")
    known = {each.name: getattr(about, each.name) for each in fields(about) if each.name not in asked}
    return digest_of(text, known, component, game.fonts, game.fallback)


def kept_pages(store: SideStore, book: LaidOutBook, sides: Mapping[str, DrawnSide]) -> list[DrawnSide]:
    """Return the stored drawn pages of a book. `sides` contains those that it shows."""
    found = map(store.get, _made_from(book, sides))
    return [replace(page, key=art.key) for page, art in zip(found, book.pages) if page is not None]


def keep_pages(
    store: SideStore, book: LaidOutBook, sides: Mapping[str, DrawnSide], pages: Sequence[DrawnSide]
) -> None:
    """Store the drawn pages of a book. Other books' pages have the same names, so the key is the digest of
    each page's inputs."""
    for made_from, page in zip(_made_from(book, sides), pages):
        store.put(made_from, replace(page, key=made_from))


def _made_from(book: LaidOutBook, sides: Mapping[str, DrawnSide]) -> list[str]:
    """Return the digest of each page's inputs."""
    shown = repr([(key, sides[key].face) for key in book.shown])
    digests = (f"{book.key} {book.places} {number} {shown}" for number in range(len(book.pages)))
    return [blake2b(each.encode(), digest_size=16).hexdigest() for each in digests]


def tabletop_of(
    game: Game, components: Iterable[Component], findings: Findings, *, snaps: Snaps | None = None
) -> Tabletop:
    """Return the table of a game with the words of the cards of `components`. Problems go to `findings`.
    `snaps` are the snap points of all of the game's cards, if reading them had no finding."""
    from cardgen.art.prose import Phrases
    from cardgen.core.seating import made_up_table

    table = game.table
    if table is None:
        table = made_up_table(game)
        _say_what_is_made_up(game, table, findings)
    before = len(findings.errors)
    if snaps is None:
        results = GameResults(game)
        snaps = snaps_of(game, game.cards(), findings, results)
        results.save()
    if len(findings.errors) == before:  # an invalid snap point is not a missing one too
        check_snap_references(game, table, snaps, findings)
    phrases = Phrases(game, table.file or f"data/{game.id}/table.yaml", findings)
    words = {
        (card.component, card.id): _words(table, phrases, component, card)
        for component in components
        for card in component.cards
    }
    setup = phrases.of_game(table.setup, ("setup",)).strip()
    return Tabletop(table, snaps, words, setup)


def _say_what_is_made_up(game: Game, table: Table, findings: Findings) -> None:
    hint = f"set where things are in data/{game.id}/table.yaml"
    message = "the game has no table layout, so its pieces are laid out in rows"
    place = Location(f"data/{game.id}/game.yaml")
    findings.note("table/made-up", message, place, hint)
    shown = {id for item in table.items for id, _ in item.parts}
    missing = [each.id for each in game.components if each.id not in shown and each.box is None]
    if missing:
        message = f"the table has no room for {', '.join(missing)}"
        findings.warning("table/unused", message, place, hint)


def snaps_of(game: Game, cards: Iterable[Card], findings: Findings, results: GameResults) -> Snaps:
    """Return the snap points of cards; see `cardgen.art.snaps`."""
    from cardgen.art.snaps import find_snaps
    from cardgen.commands.production.fonts import fonts_of

    fonts, kept, sources = fonts_of(game, findings), results.of("snaps"), results.sources()
    return find_snaps(game, cards, game.paths, fonts, findings=findings, sources=sources, kept=kept)


def check_snap_references(game: Game, table: Table, snaps: Snaps, findings: Findings) -> None:
    """Report objects on snap points that their piece does not have on its visible side, on the table and in
    its scenes."""
    if table.file is None:
        return
    said: set[tuple[str | int, ...]] = set()
    for items in (table.items, *(scene.items for scene in table.scenes.values())):
        sides = {(item.component, item.cards[0][0]): item.face_up for item in items if item.kind == "piece"}
        for item in items:
            if not isinstance(item.at, SnapRef) or item.path in said:
                continue
            ref = item.at
            side: SideName = "face" if sides.get((ref.component, ref.card), True) else "back"
            names = [snap.name for snap in snaps.get((ref.component, ref.card, side), ())]
            if ref.snap in names:
                continue
            said.add(item.path)
            hint = did_you_mean(ref.snap, names) or f"use one of: {', '.join(names)}"
            if not names:
                hint = 'mark one in its template: cg:snap="NAME"'
            place = game.locator.locate(table.file, (*item.path, "on", "snap"))
            message = f"{ref.component}/{ref.card} has no snap point '{ref.snap}'"
            findings.error("reference/snap", message, place, hint)


def _words(table: Table, phrases: Phrases, component: Component, card: Card) -> Words:
    words: CardWords = table.words_for(component.id)

    def fill(text: str, *key: str | int) -> str:
        return phrases.of_card(text, (*words.path, *key), component, card, card.copies).strip()

    usual = card.fields.get("name") or card.fields.get("title") or card.id
    nickname = str(usual) if words.nickname is None else fill(words.nickname, "nickname")
    description = "" if words.description is None else fill(words.description, "description")
    tags = (
        [component.title]
        if words.tags is None
        else [fill(tag, "tags", index) for index, tag in enumerate(words.tags)]
    )
    notes = f"{component.id}/{card.id}" if words.gm_notes is None else fill(words.gm_notes, "gm_notes")
    sides = tuple(fill(side, "sides", index) for index, side in enumerate(words.sides or ()))
    tagged = tuple(dict.fromkeys(tag for tag in tags if tag))
    return Words(nickname, description, tagged, notes, sides if all(sides) else ())
