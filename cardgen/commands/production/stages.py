"""The order of the stages: load, render, impose, export, with check in parallel.

Only this module knows that order. Stages are imported when they run, so that a command that needs only one
of them doesn't pay for the others.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, overload

from cardgen.commands.production.books import (
    LaidOutBook,
    book_of,
    keep_pages,
    kept_pages,
    lay_out_book,
    snaps_of,
)
from cardgen.commands.production.choices import DEFAULT_PAPER, SINGLE, find_sheet, must_exist, select
from cardgen.commands.production.fonts import fontbook, fonts_of, say_missing_in_labels
from cardgen.commands.production.results import GameResults
from cardgen.commands.production.stamping import Progress
from cardgen.commands.production.turns import in_turn
from cardgen.core.artwork import Rendering
from cardgen.core.findings import Findings, UsageError
from cardgen.core.game import Card, Component, Game, GameSheet
from cardgen.core.progress import tell, told_to
from cardgen.core.records import dataclass, replace
from cardgen.files.cache import Cache
from cardgen.files.project import Project

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from cardgen.art.cards import CardSide, SideName
    from cardgen.art.laying_out import LayingOut
    from cardgen.art.outlining import LaidOut
    from cardgen.art.text import Groups
    from cardgen.commands.production.fonts import LettersTaken
    from cardgen.commands.production.sides import DrawnSides
    from cardgen.core.artwork import CardSides
    from cardgen.core.book import Book
    from cardgen.core.sheets import Duplex, ImposedSheet, Paper, SheetLayout
    from cardgen.pdf.objects import DrawnArt
    from cardgen.pdf.store import DrawnSide


@in_turn
def load(
    game: str | os.PathLike[str] | Project | Mapping[str, bytes | str],
    *,
    project: Project | None = None,
    players: int | None = None,
    language: str | None = None,
    partial: bool = False,
    progress: Progress | None = None,
) -> Game:
    """Read and validate a game.

    Args:
        game: Its id, the name of its folder in `data/`. Or where it is: a `Project` with one game, the path
            of one or of a game's folder, or the contents of a project's files by their paths in it.
        project: The project of an id. The default is the current folder's.
        players: Resolve copies for this number of players.
        language: A language of the game's translations; the default is its own.
        partial: Skip parts in error where possible. Use such a game only for `check`, which
            reports the errors.
        progress: Called with a step, the part done, and the total.

    Raises:
        UsageError: No such game or language, or an unsupported number of players.
        CardgenError: Errors in the game's files, all of them.

    Example:
        game = cardgen.load("night-market")
        for component in game.components:
            print(component.id, component.title)
    """
    from cardgen.commands.production.languages import load_in

    project, id = _found(game, project)
    with told_to(progress):
        tell("reading")
        loaded, findings = load_in(project.paths, id, language, players=players, partial=partial)
    return replace(loaded, remarks=tuple(findings.sorted()))


def _found(
    game: str | os.PathLike[str] | Project | Mapping[str, bytes | str], project: Project | None
) -> tuple[Project, str]:
    """Return the project and the id of a game, as `load` takes them."""
    is_id = isinstance(game, str) and not {"/", os.sep} & set(game)
    if isinstance(game, str) and is_id:
        return project or Project.open(), game
    if project is not None:
        raise UsageError("only the id of a game is looked up in a project", "pass one of them")
    if isinstance(game, Mapping):
        game = Project.from_files(game)
    if isinstance(game, Project):
        return game, game.only_game()
    return Project.around(Path(game))


@in_turn
def render(
    game: Game,
    *,
    components: Sequence[str] = (),
    cards: Sequence[str] = (),
    backs: bool = True,
    low_ink: bool = False,
    progress: Progress | None = None,
) -> Rendering:
    """Lay out both sides of cards.

    Args:
        components: Ids; none means all.
        cards: Ids or patterns such as `king-*`; none means all.
        backs: Lay out backs too.
        low_ink: Use the light variant of the templates.
        progress: Called with a step, the part done, and the total.

    Raises:
        UsageError: No such component or card.
        CardgenError: Errors in templates, or texts that don't fit, all of them.

    Example:
        game = cardgen.load("night-market")
        art = cardgen.render(game, components=["cards"])
        print(len(art.cards), "cards")
    """
    findings = Findings()
    chosen = select(game, components, cards)
    sides: tuple[SideName, ...] = ("face", "back") if backs else ("face",)
    with told_to(progress):
        rendering = render_chosen(game, chosen, findings, sides=sides, low_ink=low_ink)
    findings.raise_if_errors()
    return rendering


@in_turn
def impose(
    game: Game,
    rendering: Rendering,
    sheet: str,
    *,
    paper: str = DEFAULT_PAPER,
    duplex: Duplex | None = None,
    backs: bool = True,
    printer: str | None = None,
) -> ImposedSheet:
    """Place the cards of a sheet, or the pages of its book, on paper.

    Args:
        rendering: What `render` returned for this game.
        sheet: One of the game's sheets, or "single": one piece a page.
        paper: Its name, such as "a4" or "letter".
        duplex: The edge that the paper is turned over; the default is the sheet's.
        backs: Place backs too.
        printer: A printer that `cardgen calibrate` measured, whose offset is corrected.

    Raises:
        UsageError: No such sheet, paper or printer.
        CardgenError: Cards that don't fit on the paper.

    Example:
        game = cardgen.load("night-market")
        sheet = cardgen.impose(game, cardgen.render(game), sheet="poker", paper="a4")
        print(len(sheet.pages), "pages")
    """
    findings = Findings()
    imposer = Imposer(game, paper, duplex=duplex, backs=backs, printer=printer)
    found = find_sheet(game, sheet)
    component = book_of(game, found)
    if component is None:
        imposed = imposer.impose(found, rendering, findings)
    elif (book := render_book(game, component, findings, shown=rendering)) is not None:
        imposed = imposer.impose_book(found, book.book, findings)
    findings.raise_if_errors()
    return imposed


@overload
def export(
    game: Game,
    rendering: Rendering,
    sheet: ImposedSheet,
    path: Path | str,
    *,
    progress: Progress | None = None,
) -> Path: ...


@overload
def export(
    game: Game,
    rendering: Rendering,
    sheet: ImposedSheet,
    path: BinaryIO,
    *,
    progress: Progress | None = None,
) -> None: ...


@in_turn
def export(
    game: Game,
    rendering: Rendering,
    sheet: ImposedSheet,
    path: Path | str | BinaryIO,
    *,
    progress: Progress | None = None,
) -> Path | None:
    """Write an imposed sheet as PDF. The file appears whole or not at all.

    Args:
        rendering: What `sheet` was imposed from.
        path: The file, or a binary stream, which is written only once the PDF is complete.
        progress: Called with a step, the part done, and the total.

    Returns:
        The path of the file; None for a stream.

    Raises:
        CardgenError: A picture can't be drawn, or the file can't be written.

    Example:
        game = cardgen.load("night-market")
        art = cardgen.render(game)
        sheet = cardgen.impose(game, art, sheet="poker")
        cardgen.export(game, art, sheet, "poker.pdf")
    """
    from cardgen.files.writing import write_whole

    component = book_of(game, find_sheet(game, sheet.name))
    if component is not None:
        findings = Findings()
        book = render_book(game, component, findings, shown=rendering)
        findings.raise_if_errors()
        rendering = rendering if book is None else book.rendering
    with told_to(progress):
        drawn = draw_all(game, rendering)
    if not isinstance(path, (str, os.PathLike)):
        whole = BytesIO()
        write_sheet(game, sheet, drawn, whole)
        path.write(whole.getbuffer())
        return None
    target = Path(path)
    write_whole(target, lambda out: write_sheet(game, sheet, drawn, out))
    return target


# ---------------------------------------------------------------- inputs of the stages


@dataclass(frozen=True, slots=True)
class DrawnBook:
    """A book's pages and all sides that they need, by their keys, the pages last."""

    book: Book
    sides: Mapping[str, DrawnSide]


class Production:
    """A game on its way to paper or to a screen: its cards' sides and its books, drawn, and stored for the
    next run. Problems go to `findings`.

    A context manager: drawn sides are stored even if it ends in errors. With `keep_going`, cards that can't
    be drawn become boxes.
    """

    def __init__(
        self, game: Game, findings: Findings, *, low_ink: bool = False, keep_going: bool = False
    ) -> None:
        from cardgen.pdf.store import ArtStore, SideStore

        self.game, self.findings, self.low_ink = game, findings, low_ink
        self.fonts = fonts_of(game, findings)
        self.results = GameResults(game)
        self.pictures = ArtStore.open(game.paths.roots[0], game.id)
        self.kept = SideStore(self.results.of("sides"), self.pictures)
        self.sources = self.results.sources()
        self.stand_ins: StandIns | None = None
        if keep_going:
            from cardgen.commands.production.stand_ins import StandIns

            self.stand_ins = StandIns(game, self.fonts, findings)

    def of(self, game: Game) -> Production:
        """Return the same production for another state of the game."""
        other = copy.copy(self)
        other.game = game
        return other

    def __enter__(self) -> Production:
        return self

    def __exit__(self, *trouble: object) -> None:
        self.pictures.save()
        self.results.save()

    def draw_cards(
        self,
        cards: Sequence[Card],
        *,
        sides: Sequence[SideName] = ("face", "back"),
        executor: Executor | None = None,
    ) -> DrawnSides:
        """Return the distinct sides of cards. With an `executor`, its workers make new ones."""
        from cardgen.art.cards import SideRenderer
        from cardgen.commands.production.sides import draw_cards
        from cardgen.commands.production.workers import Workers

        game, needs = self.game, self.results.needs()
        snaps_of(game, [card for card in cards if card.face], self.findings, self.results)
        renderer = SideRenderer(
            game, game.paths, self.fonts, low_ink=self.low_ink, needs=needs, sources=self.sources
        )
        return draw_cards(
            renderer,
            cards,
            self.pictures,
            self.kept,
            self.findings,
            names=sides,
            workers=None if executor is None else Workers(executor, game, renderer.settings),
            stand_ins=self.stand_ins,
        )

    def draw_rendering(self, rendering: Rendering) -> DrawnSides:
        """Return the sides of a rendering, drawn."""
        from cardgen.commands.production.sides import DrawnSides
        from cardgen.pdf.drawing import draw_sides

        artworks = rendering.artworks.values()
        drawn = draw_sides(artworks, rendering.icons, self.pictures, progress=partial(tell, "drawing"))
        return DrawnSides(rendering.cards, {side.key: side for side in drawn})

    def draw_book(self, component: Component, shown: DrawnSides | None) -> DrawnBook | None:
        """Return a book's pages; None after findings. Cards on them come from `shown` if it has them, sides
        of the same game in the same ink."""
        from cardgen.pdf.drawing import draw_sides

        sides: dict[str, DrawnSide] = {} if shown is None else dict(shown.sides)

        def draw_side(cards: Sequence[Card], side: SideName) -> CardSides:
            drawn = self.draw_cards(cards, sides=(side,))
            sides.update(drawn.sides)
            return drawn

        pages: list[DrawnSide] = []

        def are_drawn(book: LaidOutBook) -> bool:
            pages[:] = kept_pages(self.kept, book, sides)
            return len(pages) == len(book.pages)

        book = lay_out_book(
            self.game,
            component,
            self.fonts,
            self.findings,
            draw_side,
            shown=shown,
            low_ink=self.low_ink,
            results=self.results,
            kept=self.results.of("books"),
            will_do=are_drawn,
        )
        if book is None:
            return None
        on_pages = {key: sides[key] for key in book.shown}
        if not book.kept:
            faces = {key: side.face for key, side in on_pages.items()}
            pages = draw_sides(book.pages, book.icons, self.pictures, placed=faces)
            keep_pages(self.kept, book, sides, pages)
        return DrawnBook(book.book, on_pages | {side.key: side for side in pages})

    def art(self, sides: Mapping[str, DrawnSide]) -> DrawnArt:
        """Return drawn sides, by key, with their pictures, and fonts with only the glyphs used."""
        from cardgen.pdf.drawing import assemble

        return assemble(sides, self.fonts, self.pictures)


def render_chosen(
    game: Game,
    cards: Sequence[Card],
    findings: Findings,
    *,
    sides: Sequence[SideName] = ("face", "back"),
    low_ink: bool = False,
    laid_out: MutableMapping[str, LaidOut] | None = None,
    groups: MutableMapping[str, Groups] | None = None,
    laying_out: LayingOut | None = None,
    results: GameResults | None = None,
    look: Callable[[CardSide, LaidOut], LaidOut] | None = None,
    recall: Callable[[CardSide], LaidOut | None] = lambda side: None,
) -> Rendering:
    """Lay cards out, adding to `findings` instead of raising; see `render_cards`. Without `results`, check
    their snap points too."""
    from cardgen.art.cards import render_cards

    if results is None:
        results = GameResults(game)
        snaps_of(game, cards, findings, results)
    rendering = render_cards(
        game,
        cards,
        game.paths,
        fonts_of(game, findings),
        low_ink=low_ink,
        findings=findings,
        sides=sides,
        needs=results.needs(),
        sources=results.sources(),
        laid_out=laid_out,
        groups=groups,
        laying_out=laying_out,
        look=look,
        recall=recall,
    )
    results.save()
    return rendering


@dataclass(frozen=True, slots=True)
class RenderedBook:
    """A book's pages, a rendering of these and of the cards' sides that they show, the pages last, and the
    letters that the pages take from substitute fonts."""

    book: Book
    rendering: Rendering
    taken: LettersTaken


def render_book(
    game: Game,
    component: Component,
    findings: Findings,
    *,
    shown: Rendering | None = None,
    low_ink: bool = False,
    results: GameResults | None = None,
) -> RenderedBook | None:
    """Lay a book out; None after findings. Cards that it shows come from `shown` if it has them, a
    rendering of the same game in the same ink. With `results`, a book's pages may be kept ones, which are
    empty."""
    at_hand = [] if shown is None else [shown]

    def render_side(cards: Sequence[Card], side: SideName) -> Rendering:
        at_hand.append(
            render_chosen(game, cards, findings, sides=(side,), low_ink=low_ink, results=results)
        )
        return at_hand[-1]

    fonts = fonts_of(game, findings)
    book = lay_out_book(
        game,
        component,
        fonts,
        findings,
        render_side,
        shown=shown,
        low_ink=low_ink,
        results=results or GameResults(game),
        kept=Cache.nowhere() if results is None else results.of("books"),
    )
    if book is None:
        return None
    known = {key: artwork for each in at_hand for key, artwork in each.artworks.items()}
    artworks = {key: known[key] for key in book.shown} | {page.key: page for page in book.pages}
    icons = {name: svg for each in at_hand for name, svg in each.icons.items()} | dict(book.icons)
    return RenderedBook(book.book, Rendering((), artworks, icons), book.taken)


def draw_all(game: Game, rendering: Rendering) -> DrawnArt:
    """Draw a rendering. Stored pictures are reused, and new ones stored."""
    from cardgen.pdf.drawing import draw
    from cardgen.pdf.store import ArtStore

    store = ArtStore.open(game.paths.roots[0], game.id)
    try:
        return draw(rendering, fontbook(game.paths), store)
    finally:
        store.save()


def write_sheet(
    game: Game,
    sheet: ImposedSheet,
    drawn: DrawnArt,
    out: BinaryIO,
    *,
    title: str | None = None,
    underlay: bytes | None = None,
) -> None:
    """Write an imposed sheet to an open file. `title` is the document's, after the game's; the default is
    the sheet's name. `underlay` is a PDF to put under the pages."""
    from cardgen.exports.pdf import write_pdf

    written = out if underlay is None else BytesIO()
    write_pdf(
        sheet,
        drawn,
        fontbook(game.paths).with_others(game.fallback),
        written,
        title=f"{game.title}: {title or sheet.name}",
        author=game.author,
        subject=game.description,
        language=game.language,
    )
    if underlay is not None:
        from cardgen.pdf.underlay import underlaid

        assert isinstance(written, BytesIO)
        out.write(underlaid(written.getvalue(), underlay, sheet.pages))


_SAME = 0.5
"""mm by which an underlay's page may differ from the sheet's."""


class Imposer:
    """Places a game's sheets on one paper in one way.

    Raises UsageError for an unknown paper or printer.
    """

    def __init__(
        self,
        game: Game,
        paper: str,
        *,
        duplex: Duplex | None = None,
        backs: bool = True,
        printer: str | None = None,
    ) -> None:
        from cardgen.game.facts import load_layouts, load_papers

        self.game, self.duplex, self.backs = game, duplex, backs
        needed = {SINGLE, *(sheet.layout for sheet in game.sheets)}
        self.layouts: dict[str, SheetLayout] = load_layouts(game.paths, needed)
        self.papers: dict[str, Paper] = load_papers(game.paths)
        must_exist("paper", paper, sorted(self.papers))
        self.paper = self.papers[paper]
        self.profile = None
        self._underlays: dict[str, bytes] = {}
        if printer:
            from cardgen.game.facts import load_profile

            self.profile = load_profile(printer)

    def impose(self, sheet: GameSheet, rendering: CardSides, findings: Findings) -> ImposedSheet:
        """Return one sheet; problems go to `findings`."""
        from cardgen.sheets.imposition import impose

        layout = self.layouts[sheet.layout]
        imposed = impose(
            self.game,
            sheet,
            layout,
            self._paper(layout),
            rendering,
            findings=findings,
            duplex=self.duplex,
            backs=self.backs,
            printer=self.profile,
            papers=tuple(self.papers.values()),
        )
        self._check_underlay(imposed, layout, findings)
        say_missing_in_labels(self.game, imposed, findings)
        return imposed

    def _paper(self, layout: SheetLayout) -> Paper:
        if layout.places is not None:
            return self.papers[layout.places.paper]
        return self.paper.doubled(self.papers.values()) if layout.double else self.paper

    def impose_book(self, sheet: GameSheet, book: Book, findings: Findings) -> ImposedSheet:
        """Return a book's pages on its sheet; problems go to `findings`."""
        from cardgen.sheets.booklet import impose_book

        layout = self.layouts[sheet.layout]
        game, paper, duplex, printer = self.game, self._paper(layout), self.duplex, self.profile
        imposed = impose_book(
            game, sheet, layout, paper, book, findings=findings, duplex=duplex, printer=printer
        )
        self._check_underlay(imposed, layout, findings)
        say_missing_in_labels(self.game, imposed, findings)
        return imposed

    def underlay(self, layout: SheetLayout) -> bytes | None:
        """Return the PDF under a layout's pages, if it has one. Raises ReadingError."""
        from cardgen.files.reading import PDF, read_file

        if layout.underlay is None:
            return None
        if layout.underlay not in self._underlays:
            file = f"data/sheets/{layout.underlay}"
            path = self.game.paths.find(file)
            assert path is not None  # checked with the layout
            self._underlays[layout.underlay] = read_file(path, PDF, file, self.game.paths.roots)
        return self._underlays[layout.underlay]

    def _check_underlay(self, imposed: ImposedSheet, layout: SheetLayout, findings: Findings) -> None:
        """Report an underlay that can't be read or isn't as large as the pages: `sheet/underlay`."""
        base = self.underlay(layout)
        if base is None or not imposed.pages:
            return
        from cardgen.pdf.file_facts import LockedError, UnreadableError
        from cardgen.pdf.underlay import page_sizes

        place = self.game.locator.locate(layout.file, layout.path("underlay"))
        try:
            sizes = page_sizes(base)
        except (LockedError, UnreadableError):
            message = f"'{layout.underlay}' is no PDF that can be read without a password"
            findings.error("sheet/underlay", message, place, "export it again, without a password")
            return
        wrong = {page.size for page in imposed.pages if not page.size.close_to(sizes[0], _SAME)}
        if wrong:
            findings.error(
                "sheet/underlay",
                f"the pages of '{layout.underlay}' are {sizes[0]}, and those of '{imposed.name}' "
                f"{' and '.join(map(str, sorted(wrong, key=str)))}",
                place,
                "use a template of the sheet's size, or another paper: cardgen list --papers",
            )
