"""Check how a loaded game prints, without printing it: for `cardgen check`.

Renders both variants, imposes the sheets on their default paper and looks at contrast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from jinja2.exceptions import TemplateError

from cardgen.art.named_listing import Listing
from cardgen.art.outlining import printed_texts
from cardgen.art.side_findings import complete_command
from cardgen.art.templates import Templates
from cardgen.art.templating import TemplateLoader
from cardgen.commands.check.ahead import working_ahead
from cardgen.commands.check.drift import say_drift
from cardgen.commands.check.looks import Look, Looks
from cardgen.commands.check.unprinted import say_named, say_unprinted
from cardgen.commands.production.books import (
    book_of,
    say_sizes,
    snaps_of,
    tabletop_of,
)
from cardgen.commands.production.choices import usual_paper
from cardgen.commands.production.fonts import fontbook, fonts_of, say_taken
from cardgen.commands.production.results import GameResults
from cardgen.commands.production.stages import Imposer, RenderedBook, load, render_book, render_chosen
from cardgen.core.findings import CardgenError, Finding, Findings, Location, Problem, UsageError
from cardgen.core.game import Card, Game, GameSheet
from cardgen.core.records import replace
from cardgen.core.sheets import ImposedSheet
from cardgen.files.cache import Cache
from cardgen.files.reading import MARKDOWN, ReadingError, read_file
from cardgen.files.table_texts import broken_words
from cardgen.game.markup import broken_data

if TYPE_CHECKING:
    from cardgen.art.cards import CardSide
    from cardgen.art.laying_out import LayingOut
    from cardgen.art.outlining import LaidOut
    from cardgen.art.text import Groups
    from cardgen.commands.check.looks import Viewer
    from cardgen.core.artwork import Rendering
    from cardgen.files.project import Project
    from cardgen.pdf.pdfx import Press


MOST_COMPARED = 20_000
"""Values of a new game that are searched for on its cards."""
_WITHOUT_SPACES = frozenset(("km", "lo", "my"))
"""Languages whose words can't be separated without a dictionary, which cardgen lacks."""


def check_look(
    game: Game,
    left_out: dict[str, None],
    press: Press | None = None,
    seen: list[tuple[Look, str]] | None = None,
    results: GameResults | None = None,
) -> list[Finding]:
    """Return findings about how a loaded game prints, sorted by file and line.

    It covers the fit of templates and text in both variants (full and low ink), the sheets on their default
    paper, contrast and type sizes, snap points and the table. Never raises for bad input. Parts that depend
    on something in error are skipped and named in `left_out`. Sides that an earlier check examined aren't
    laid out again. With a `press`, it reports colors that the press can't print. `seen` receives the look
    of each side with its card's id.
    """
    seen = [] if seen is None else seen
    from cardgen.art.cards import layout_settings_of
    from cardgen.art.laying_out import LayingOut
    from cardgen.commands.check.looks import Viewer

    findings = Findings()
    if game.words is not None and game.words.absent and game.words.must:
        left_out["all that is printed"] = None
        return []
    try:
        fonts = fonts_of(game, findings)
    except CardgenError as error:  # no text can be set without fonts.yaml
        left_out["all that is printed"] = None
        return list(error.findings)
    results = results or GameResults(game)
    templates = Templates(game, game.paths, fonts, low_ink=False, kept=results.sources())
    listing = Listing(game, game.paths, templates, results.of("listing"))
    say_named(game, listing, findings)
    say_broken(game, templates, findings)
    cards = _with_all_their_data(game, templates, left_out)
    looks = Looks(game, results.of("looks", press.key if press is not None else ""))
    snaps = snaps_of(game, cards, findings, results)  # of both variants
    laying_out = LayingOut(game.paths, fonts, layout_settings_of(game))
    viewer = Viewer(game, looks, laying_out, press)
    laid_out: dict[str, LaidOut] = {}  # sides that are equal in both variants are checked once
    full_ink: dict[str, Groups] = {}
    judged: set[str] = set()
    imposed: list[tuple[GameSheet, ImposedSheet]] = []
    taken: dict[tuple[str, str], dict[str, None]] = {}
    books = [component for component in game.components if component.book is not None]
    if books and game.left_out:
        left_out["rulebooks"] = None
        books = []
    ahead = partial(_look_in_low_ink, game, templates, cards, press)
    with working_ahead(ahead, viewer.look) as (look, wait):
        for low_ink in (False, True):
            if low_ink:
                wait()
            if not low_ink or _minds_ink(templates, cards):
                groups: dict[str, Groups] = {}
                rendering = render_chosen(
                    game,
                    cards,
                    findings,
                    low_ink=low_ink,
                    laid_out=laid_out,
                    groups=groups,
                    laying_out=laying_out,
                    results=results,
                    look=look,
                    recall=looks.recall,
                )
                say_sizes(game, groups, findings, besides=full_ink if low_ink else None)
                full_ink = full_ink or groups
            if not low_ink:
                drawn = not findings.errors
            try:
                own = Findings()  # a book may retry a failed drawing
                rendered = {
                    book.id: render_book(game, book, own, shown=rendering, low_ink=low_ink, results=results)
                    for book in books
                }
                said = {(finding.code, finding.location) for finding in findings}
                findings.extend(each for each in own if (each.code, each.location) not in said)
                if not low_ink:
                    imposed = _impose(game, rendering, rendered, findings, left_out)
            except CardgenError as error:
                findings.extend(error.findings)
            if rendering.faulty:
                left_out["the contrast of texts on drawings with errors"] = None
            looks.add_taken(rendering.artworks, taken)
            for book in (each for each in rendered.values() if each is not None):
                pages = {page.artwork.key for page in book.book.pages}
                shown_sides = {
                    key: each for key, each in book.rendering.artworks.items() if key not in pages
                }
                looks.add_taken(shown_sides, taken)
                for pair, letters in book.taken.items():
                    taken.setdefault(pair, {}).update(letters)
            skipped = judged | rendering.faulty
            new = {key: each for key, each in rendering.artworks.items() if key not in skipped}
            judged |= set(rendering.artworks)
            shown = replace(rendering, artworks=new)
            viewer.finish()
            if not low_ink:
                say_unprinted(game, listing, rendering, looks, findings)
                edges = {key: found for key in new if (found := looks.of(key).edges) is not None}
                for sheet, laid in imposed:
                    say_drift(game, sheet, laid, edges, findings)
            owners = _owners(game, shown)
            seen += [(looks.of(key), owners[key][0].id) for key in new if key in owners]
            if not say_seen(game, shown, viewer, looks, findings):
                left_out["the contrast of texts on pictures that can't be drawn"] = None
            viewer.save()
            looks.keep(new, laid_out)
    results.save()
    if press is not None:
        check_press(game, seen, press, findings)
        if press.standard == "x1a" and press.spots:
            _check_spots(game, cards, press, findings)
    say_taken(taken, fonts, game, findings)
    if game.language.partition("-")[0].lower() in _WITHOUT_SPACES:
        place = game.locator.locate(f"data/{game.id}/game.yaml", ("language",))
        message = f"the ends of words are unknown in the language '{game.language}': lines break at spaces"
        findings.note("text/words", message, place, "put zero-width spaces (U+200B) between words")
    if game.table is not None and drawn:
        of_all = snaps if len(cards) == sum(1 for _ in game.cards()) else None
        tabletop_of(game, game.components, findings, snaps=of_all)
    elif game.table is not None:
        left_out["the table"] = None
    return findings.sorted()


def _look_in_low_ink(game: Game, templates: Templates, cards: Sequence[Card], press: Press | None) -> None:
    """Put the looks of sides in low ink, and the rulebooks that show them, into the caches."""
    from cardgen.commands.check.looks import Viewer

    if not _minds_ink(templates, cards):
        return
    said = Findings()  # which the check itself reports
    results = GameResults(game)
    looks = Looks(game, results.of("looks", press.key if press is not None else ""))
    _, rendering = _examined(partial(Viewer, press=press), game, cards, looks, results, low_ink=True)
    for component in game.components:
        if component.book is not None:
            render_book(game, component, said, shown=rendering, low_ink=True, results=results)
    results.save()


def _check_spots(game: Game, cards: Sequence[Card], press: Press, findings: Findings) -> None:
    """Add an error for each transparent part in a spot color, or on one, which PDF/X-1a forbids."""
    from cardgen.commands.check.looks import SpotViewer

    game = replace(game, inked=True)  # with spot colors, which screens don't show
    results = GameResults(game)
    looks = Looks(game, results.of("plates", press.key))
    viewer, rendering = _examined(partial(SpotViewer, press=press), game, cards, looks, results)
    say_seen(game, rendering, viewer, looks, findings)
    results.save()


def _examined(
    viewer_of: Callable[[Game, Looks, LayingOut], Viewer],
    game: Game,
    cards: Sequence[Card],
    looks: Looks,
    results: GameResults,
    *,
    low_ink: bool = False,
) -> tuple[Viewer, Rendering]:
    """Return a viewer that examined the sides of cards, and their rendering, without its findings."""
    from cardgen.art.cards import layout_settings_of
    from cardgen.art.laying_out import LayingOut

    said = Findings()
    laying_out = LayingOut(game.paths, fonts_of(game, said), layout_settings_of(game))
    viewer = viewer_of(game, looks, laying_out)
    laid_out: dict[str, LaidOut] = {}
    rendering = render_chosen(
        game,
        cards,
        said,
        low_ink=low_ink,
        laid_out=laid_out,
        laying_out=laying_out,
        results=results,
        look=viewer.look,
        recall=looks.recall,
    )
    viewer.finish()
    viewer.save()
    looks.keep(rendering.artworks, laid_out)
    return viewer, rendering


def lay_out(game: Game, findings: Findings) -> None:
    """Set all texts of a game's cards in both variants, adding problems to `findings`. Raises CardgenError
    if nothing can be set."""
    templates = _templates(game)
    cards = _with_all_their_data(game, templates, {})
    laid_out: dict[str, LaidOut] = {}
    for low_ink in (False, True):
        if not low_ink or _minds_ink(templates, cards):
            render_chosen(game, cards, findings, low_ink=low_ink, laid_out=laid_out)


def unprinted(game_id: str, *, project: Project | None = None) -> list[Finding]:
    """Find values of a game's first cards that are not printed on them, and skip all other checks.

    A check examines all cards; this function stops after MOST_COMPARED values. Raises UsageError for an
    unknown game.
    """

    findings = Findings()
    try:
        game = load(game_id, project=project, partial=True)
    except UsageError:
        raise
    except CardgenError:  # nothing can be set, which a build reports
        return []
    looks = Looks(game, Cache.nowhere())

    def look(_: CardSide, made: LaidOut) -> LaidOut:
        if made.artwork is None:
            return made
        looks.of(made.artwork.key).texts = printed_texts(made)
        return replace(made, artwork=replace(made.artwork, items=()))

    try:
        rendering = render_chosen(game, _first_cards(game), Findings(), look=look)
        listing = Listing(game, game.paths, _templates(game))
        say_unprinted(game, listing, rendering, looks, findings)
    except CardgenError:
        return []
    return findings.sorted()


def _first_cards(game: Game) -> list[Card]:
    """Return the first cards, until they have MOST_COMPARED values."""
    chosen: list[Card] = []
    values = 0
    for card in _with_all_their_data(game, _templates(game), {}):
        if values >= MOST_COMPARED:
            break
        chosen.append(card)
        values += len(card.fields)
    return chosen


def _templates(game: Game) -> Templates:
    """Return the game's templates in full ink."""
    return Templates(game, game.paths, fontbook(game.paths), low_ink=False)


def _minds_ink(templates: Templates, cards: Sequence[Card]) -> bool:
    """Return True if any template of the cards may look different in low ink."""
    names = {name for card in cards for name in (card.face, card.back) if name is not None}
    return any(templates.may_use("low_ink", name) for name in sorted(names))


def _impose(
    game: Game,
    rendering: Rendering,
    books: Mapping[str, RenderedBook | None],
    findings: Findings,
    left_out: dict[str, None],
) -> list[tuple[GameSheet, ImposedSheet]]:
    """Place every sheet on the project's paper; return those that are checked for cuts that drift. Raises
    CardgenError if no sheet can be placed."""
    imposer = Imposer(game, usual_paper(game.paths))
    checked: list[tuple[GameSheet, ImposedSheet]] = []
    there = {art.component for art in rendering.cards}
    for sheet in game.sheets:
        component = book_of(game, sheet)
        if component is not None:
            book = books.get(component.id)
            if book is not None:
                imposer.impose_book(sheet, book.book, findings)
        elif there & set(sheet.components):
            imposed = imposer.impose(sheet, rendering, findings)
            if imposer.layouts[sheet.layout].drift:
                checked.append((sheet, imposed))
        else:
            left_out[f"the sheet '{sheet.name}'"] = None
    return checked


def _with_all_their_data(game: Game, templates: Templates, left_out: dict[str, None]) -> list[Card]:
    """Return the cards whose templates need no invalid table and whose texts are translated."""
    cards = list(game.cards())
    if game.words is not None and game.words.must and game.words.untranslated:
        # Their translation is unknown, and the source's words need not fit this language's fonts.
        kept = [card for card in cards if (card.file, *card.path) not in game.words.untranslated]
        if len(kept) < len(cards):
            left_out["cards of which nothing is translated"] = None
        cards = kept
    if not any(kind == "table" for kind, _ in game.left_out):
        return cards

    def needs(template: str | None) -> bool:
        return template is not None and templates.may_use("tables", template)

    left_out["cards whose templates use tables"] = None
    return [card for card in cards if not needs(card.face) and not needs(card.back)]


def _owners(game: Game, rendering: Rendering) -> dict[str, tuple[Card, str]]:
    """Return the first card that shows a side, and the side's template, by its key."""
    cards = {(card.component, card.id): card for card in game.cards()}
    owners: dict[str, tuple[Card, str]] = {}
    for art in rendering.cards:
        card = cards[art.component, art.card]
        owners.setdefault(art.face, (card, card.face))
        if art.back is not None and card.back is not None:
            owners.setdefault(art.back, (card, card.back))
    return owners


def say_seen(game: Game, rendering: Rendering, viewer: Viewer, looks: Looks, findings: Findings) -> bool:
    """Add the findings of sides, each once, at the card with the worst value; return True if all sides
    could be drawn.

    The game's limit applies to text; for large type WCAG 2 requires two thirds of it (3 where 4.5).
    """
    owners = _owners(game, rendering)
    shown = [key for key in rendering.artworks if key in owners]
    undrawn = dict.fromkeys(finding for key in shown for finding in viewer.undrawn.get(key, ()))
    findings.extend(undrawn)
    groups: dict[tuple[Location, str, str], list[tuple[float, Problem, str]]] = {}
    for key in shown:
        card, template = owners[key]
        for problem, group, weight in looks.of(key).seen:
            file, line = problem.place or (template, None)
            where = Location(f"templates/{file}", line)
            groups.setdefault((where, problem.code, group), []).append((weight, problem, card.id))
    for (where, *_), found in groups.items():
        _, worst, card_id = max(found, key=lambda each: each[0])
        _say(game, worst, card_id, len({id for _, _, id in found}) - 1, where, findings)
    return not undrawn


def check_press(game: Game, seen: Sequence[tuple[Look, str]], press: Press, findings: Findings) -> None:
    """Add a warning for each color that a press can't mix, and a note for each that takes too much of its
    ink, with their cards: looks, each with its card."""
    from cardgen.commands.check.press_looks import grouped, heavy_problem, missed_problem

    for problem_of, told in (
        (missed_problem, [(each, card) for look, card in seen for each in look.missed]),
        (heavy_problem, [(each, card) for look, card in seen for each in look.heavy]),
    ):
        for most, cards, where in grouped(told):
            problem = problem_of(most, press.ink_limit / 100)
            _say(game, problem, cards[0], len(cards) - 1, where, findings)


def _say(game: Game, problem: Problem, card: str, more: int, where: Location, findings: Findings) -> None:
    """Add a problem at its place, with a card that has it and the number of others."""
    others = f" and {more} more" if more else ""
    message = f"{problem.message} (card '{card}'{others})"
    hint = complete_command(problem.hint, game.id, card, where.file)
    findings.extend([replace(problem, message=message, hint=hint).at(where)])


MOST = 200
"""The maximum of reported texts."""
_SAVE = "then save the file as UTF-8, or export it again with that encoding"


def say_broken(game: Game, templates: Templates, findings: Findings) -> None:
    """Add a warning for each text of a game that seems to be garbled: in data, translations, names of
    sheets and columns, templates and rulebooks."""
    for words, meant, place in islice(_broken(game, templates), MOST):
        if words == meant:
            message = f"'{words[:80]}' has lost a letter to a wrong encoding (U+FFFD)"
            hint = f"type it again, {_SAVE}"
        else:
            message = f"'{words[:80]}' was read in a wrong encoding"
            hint = f"did you mean '{meant[:80]}'? {_SAVE}"
        findings.warning("text/encoding", message, place, hint)


def _broken(game: Game, templates: Templates) -> Iterator[tuple[str, str, Location]]:
    yield from broken_data(game.locator.documents())
    for name, text in _texts(game, templates):
        if not text.isascii():
            for number, line in enumerate(text.split("\n"), 1):
                if (found := broken_words(line)) is not None:
                    yield *found, Location(name, number, line.find(found[0]) + 1)


def _texts(game: Game, templates: Templates) -> Iterator[tuple[str, str]]:
    """Yield the templates of a game's cards with those they use, and its rulebooks, by name."""
    loader = TemplateLoader(game.paths)
    stated = {name for card in game.cards() for name in (card.face, card.back) if name is not None}
    for name in sorted(stated.union(*(templates.used(name) or () for name in stated))):
        try:
            yield f"templates/{name}", loader.source(name)
        except TemplateError:  # rendering reports it
            continue
    for file in sorted({each.book.file for each in game.components if each.book is not None}):
        path = game.paths.find(file)
        try:
            text = b"" if path is None else read_file(path, MARKDOWN, file, game.paths.roots)
        except ReadingError:  # the book reports it
            continue
        yield file, text.decode("utf-8", "ignore")
