"""The order of the stages: load, render, impose, export, with check beside them.

Nothing else in cardgen knows that order. Stages are imported when they run, so that a command that
needs only one of them doesn't pay for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from cardgen.commands.rulebooks import book_of
from cardgen.commands.tabletops import snaps_of
from cardgen.findings import CardgenError, Findings, UsageError, did_you_mean
from cardgen.model.game import Card, Component, Game, GameSheet, ProjectPaths
from cardgen.project import Project

if TYPE_CHECKING:
    from cardgen.drawing import ArtStore, DrawnArt, SideStore
    from cardgen.model.artwork import Artwork, Rendering
    from cardgen.model.book import Book
    from cardgen.model.sheets import Duplex, ImposedSheet, Paper, SheetLayout
    from cardgen.rendering import Drain, Kept, Place
    from cardgen.typesetting import FontBook

DEFAULT_PAPER = "letter"
SINGLE = "single"
"""The sheet that every game has without naming it: a card a page, for print shops."""

Step = Callable[[int, int], None]
"""Called with how much of a step is done and how much there is."""


def load(
    game: str, *, project: Project | None = None, players: int | None = None, partial: bool = False
) -> Game:
    """Read and validate a game; `players` resolves copies for that many players.

    Raises UsageError for an unknown game or player count, CardgenError with every finding for
    anything wrong in its files. If it may be `partial`, that is left out where it can be, and the game is
    good for `check` alone, which says why.
    """
    from cardgen.loading import load_game

    project = project or Project.open()
    loaded, findings = load_game(project.paths, game, players=players, partial=partial)
    return replace(loaded, remarks=tuple(findings.sorted()))


def render(
    game: Game,
    *,
    components: Sequence[str] = (),
    cards: Sequence[str] = (),
    backs: bool = True,
    low_ink: bool = False,
) -> Rendering:
    """Lay out the chosen cards' sides; none chosen means all. `low_ink` asks for the light variant.

    Raises UsageError for an unknown component or card, CardgenError for templates or text in error.
    """
    findings = Findings()
    chosen = select(game, components, cards)
    rendering = render_chosen(game, chosen, findings, backs=backs, low_ink=low_ink)
    findings.raise_if_errors()
    return rendering


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
    """Place a sheet's cards on paper. `sheet` is a name of the game's, or "single".

    Raises UsageError for an unknown sheet, paper or printer, CardgenError where cards don't fit.
    """
    findings = Findings()
    imposer = Imposer(game, paper, duplex=duplex, backs=backs, printer=printer)
    found = find_sheet(game, sheet)
    if book_of(game, found) is not None:
        raise UsageError(f"the sheet '{sheet}' is a book", "cardgen.build makes it")
    imposed = imposer.impose(found, rendering, findings)
    findings.raise_if_errors()
    return imposed


def export(game: Game, rendering: Rendering, sheet: ImposedSheet, path: Path | str) -> Path:
    """Write an imposed sheet as PDF. The file appears whole or not at all.

    Raises CardgenError if a picture can't be drawn or the file can't be written.
    """
    from cardgen.storage.files import write_whole

    target = Path(path)
    drawn = draw_all(game, rendering)
    write_whole(target, lambda out: write_sheet(game, sheet, drawn, out, Findings()))
    return target


def proof(
    game: str,
    card: str,
    *,
    component: str | None = None,
    project: Project | None = None,
    dpi: int = 300,
    bleed: bool = False,
    low_ink: bool = False,
    output: Path | None = None,
) -> list[Path]:
    """Write one card's face and back as PNG files, trimmed (or with bleed); returns their paths.

    Raises UsageError for an unknown game, component or card, or where several components have the
    card and none is named; CardgenError for anything wrong in it.
    """
    from cardgen.drawing.raster import RasterOptions
    from cardgen.exporting.png.side import write_png
    from cardgen.storage.changes import Changes

    if not 10 <= dpi <= 2400:
        raise UsageError(f"--dpi {dpi} is not between 10 and 2400")
    project = project or Project.open()
    loaded = load(game, project=project)
    chosen = select(loaded, [component] if component else [], [card])
    if len(chosen) > 1:
        homes = ", ".join(sorted(entry.component for entry in chosen))
        raise UsageError(f"several components have a card '{card}': {homes}", "add --component ID")
    findings = Findings()
    rendering = render_chosen(loaded, chosen, findings, backs=True, low_ink=low_ink)
    findings.raise_if_errors()
    drawn = draw_all(loaded, rendering, project)
    folder = project.output(game, output, "proof")
    sides = {"face": rendering.cards[0].face, "back": rendering.cards[0].back}
    home = loaded.component(chosen[0].component)
    options = (
        RasterOptions(dpi, "bleed")
        if bleed
        else RasterOptions(dpi, "trim", home.shape, home.corner_radius, transparent=True)
    )
    paths = []
    with Changes(folder) as changes:
        for side, key in sides.items():
            if key is not None:
                name = f"{card}-{side}{'-low-ink' if low_ink else ''}.png"
                changes.write(name, partial(write_png, drawn, key, options=options))
                paths.append(folder / name)
        changes.commit()
    return paths


# ---------------------------------------------------------------- what the stages are handed


@cache
def fontbook(paths: ProjectPaths) -> FontBook:
    """The fonts of a project, loaded as they are used."""
    from cardgen.typesetting import FontBook

    return FontBook(paths)


def art_store(game: Game, project: Project | None = None) -> ArtStore:
    """Where a game's drawn pictures are kept between builds."""
    from cardgen.drawing import ArtStore

    root = project.root if project is not None else game.paths.roots[0]
    return ArtStore.open(root, game.id)


def side_store(game: Game, project: Project, art: ArtStore) -> SideStore:
    """Where a game's drawn sides are kept between builds. `art` holds the pictures on them."""
    from cardgen.drawing import SideStore
    from cardgen.storage.stamps import digest, is_fresh

    inputs = project.fingerprint(game.id, ("templates", "fonts"))
    return SideStore.open(project.root, game.id, None if is_fresh(inputs) else digest(inputs), art)


def select(game: Game, components: Iterable[str], cards: Iterable[str]) -> list[Card]:
    """The cards of the named components with the named ids, in the game's order; no names mean all.

    Raises UsageError, with the nearest name, for one that does not exist.
    """
    components, cards = tuple(components), tuple(cards)
    ids = [component.id for component in game.components]
    for name in components:
        _must_exist("component", name, ids, game)
    chosen = [card for card in game.cards() if not components or card.component in components]
    for name in cards:
        _must_exist("card", name, [card.id for card in chosen], game)
    return [card for card in chosen if not cards or card.id in cards]


def find_sheet(game: Game, name: str) -> GameSheet:
    """The game's sheet of that name; "single" is always there and holds everything."""
    for sheet in game.sheets:
        if sheet.name == name:
            return sheet
    if name == SINGLE:
        printed = tuple(component.id for component in game.components if component.kind != "book")
        return GameSheet(SINGLE, SINGLE, printed)
    names = [sheet.name for sheet in game.sheets] + [SINGLE]
    _must_exist("sheet", name, names, game)
    raise AssertionError("unreachable")


def find_paper(paths: ProjectPaths, name: str) -> Paper:
    """The paper of that name; UsageError, with the nearest name, if there is none."""
    from cardgen.loading import load_papers

    papers = load_papers(paths)
    _must_exist("paper", name, sorted(papers))
    return papers[name]


def _must_exist(what: str, name: str, names: Sequence[str], game: Game | None = None) -> None:
    if name in names:
        return
    every = sorted(set(names))
    listed = f"{', '.join(every[:24])}{f', … ({len(every)} in all)' if len(every) > 24 else ''}"
    hint = did_you_mean(name, names) or f"there are: {listed}"
    place = f" in {game.title}" if game else ""
    raise UsageError(f"there is no {what} '{name}'{place}", hint)


def render_chosen(
    game: Game,
    cards: Sequence[Card],
    findings: Findings,
    *,
    backs: bool,
    low_ink: bool,
    kept: Kept | None = None,
    known: Mapping[Place, str] | None = None,
    drain: Drain | None = None,
) -> Rendering:
    """Render cards and look at their snap points, adding to `findings` instead of raising. `kept` is a
    `SideStore.get`, `drain` a `drawing_at_once`."""
    from cardgen.rendering import render_cards

    snaps_of(game, cards, findings)
    return render_cards(
        game,
        cards,
        game.paths,
        fontbook(game.paths),
        low_ink=low_ink,
        findings=findings,
        sides=("face", "back") if backs else ("face",),
        kept=kept,
        known=known,
        drain=drain,
    )


def drawing_at_once(game: Game, art: ArtStore, sides: SideStore, findings: Findings) -> Drain:
    """Draws sides as they are finished, so that few are held laid out; trouble goes to `findings`."""
    from cardgen.drawing import draw_ahead

    def drain(finished: Sequence[tuple[str, Artwork]], icons: Mapping[str, str]) -> None:
        try:
            draw_ahead(finished, icons, fontbook(game.paths), art, sides)
        except CardgenError as error:
            findings.extend(error.findings)

    return drain


def draw_all(
    game: Game,
    rendering: Rendering,
    project: Project | None = None,
    progress: Step | None = None,
    *,
    stores: tuple[ArtStore, SideStore] | None = None,
) -> DrawnArt:
    """Draw what the store doesn't hold yet, and keep it there. `stores` are those that the rendering was
    made with, if it was."""
    from cardgen.drawing import draw

    store, sides = stores or (art_store(game, project), None)
    try:
        drawn = draw(rendering, fontbook(game.paths), store, sides=sides, progress=progress)
    finally:
        store.save()
    if sides is not None:
        sides.save()
    return drawn


def write_sheet(
    game: Game,
    sheet: ImposedSheet,
    drawn: DrawnArt,
    out: BinaryIO,
    findings: Findings,
    *,
    title: str | None = None,
) -> None:
    """Write an imposed sheet to an open file. `title` is the document's, after the game's; left out,
    the sheet's name."""
    from cardgen.exporting.pdf.writing import write_pdf

    write_pdf(
        sheet,
        drawn,
        fontbook(game.paths),
        out,
        title=f"{game.title}: {title or sheet.name}",
        author=game.author,
        subject=game.description,
        language=game.language,
        findings=findings,
    )


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
        from cardgen.loading import load_layouts, load_papers

        self.game, self.duplex, self.backs = game, duplex, backs
        self.layouts: dict[str, SheetLayout] = load_layouts(game.paths)
        self.papers: dict[str, Paper] = load_papers(game.paths)
        _must_exist("paper", paper, sorted(self.papers))
        self.paper = self.papers[paper]
        self.profile = None
        if printer:
            from cardgen.loading.printers import load_profile

            self.profile = load_profile(printer)

    def impose(self, sheet: GameSheet, rendering: Rendering, findings: Findings) -> ImposedSheet:
        """One sheet; problems go to `findings`."""
        from cardgen.imposition import impose

        return impose(
            self.game,
            sheet,
            self.layouts[sheet.layout],
            self.paper,
            rendering,
            findings=findings,
            duplex=self.duplex,
            backs=self.backs,
            printer=self.profile,
            papers=tuple(self.papers.values()),
        )

    def impose_book(self, sheet: GameSheet, book: Book, findings: Findings) -> ImposedSheet:
        """A book's pages on the sheet that holds it; problems go to `findings`."""
        from cardgen.imposition import impose_book

        layout = self.layouts[sheet.layout]
        return impose_book(self.game, sheet, layout, self.paper, book, findings=findings)


__all__ = [
    "DEFAULT_PAPER",
    "SINGLE",
    "Component",
    "Imposer",
    "export",
    "find_sheet",
    "impose",
    "load",
    "proof",
    "render",
    "select",
]
