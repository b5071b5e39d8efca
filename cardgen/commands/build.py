"""`cardgen build`: a game's sheets brought up to date, whole files or none.

A build first asks its stamp whether anything changed; only then are the stages imported.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.commands.deck_lists import deck_cards, deck_folder, deck_sheets, load_deck
from cardgen.commands.garbage import collector_paused
from cardgen.findings import Finding, Findings, Location, Severity, UsageError
from cardgen.project import Project, current_folder
from cardgen.storage.changes import Changes, recover
from cardgen.storage.files import Output
from cardgen.storage.stamps import Fingerprint, Outputs, Stamp, at_rest, stat_files, stat_outputs

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from cardgen.drawing import DrawnArt
    from cardgen.model.deck_lists import DeckList
    from cardgen.model.game import Game, GameSheet
    from cardgen.model.sheets import Duplex, ImposedSheet
    from cardgen.rendering import Place

Progress = Callable[[str, int, int], None]
"""Called with the name of a step, how much of it is done, and how much there is."""


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What to build and how. Empty tuples mean "all"; `duplex` None means what the sheet says;
    `output` None means the project's `output/`. A `deck` (a file, or the id of one of the game's own
    lists) is printed by itself, below `GAME/decks/ID/`."""

    game: str
    sheets: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    players: int | None = None
    paper: str = "letter"
    duplex: Duplex | None = None
    backs: bool = True
    low_ink: bool = False
    printer: str | None = None
    output: Path | None = None
    deck: str | None = None


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A file that a build wrote (or left, being up to date). `shown` is its path as one types it
    here; `cards` counts printed copies."""

    path: str
    shown: str
    sheet: str
    pages: int
    cards: int
    bytes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build came to. `findings` are warnings and notes; errors are raised instead. `stages`
    are the seconds each stage took."""

    files: tuple[OutputFile, ...]
    manifest: str
    findings: tuple[Finding, ...]
    up_to_date: bool
    seconds: float
    stages: dict[str, float] = field(default_factory=dict)


def build(
    options: BuildOptions,
    *,
    project: Project | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> BuildResult:
    """Bring a game's sheets up to date.

    With an `executor` of `concurrent.futures` (or one that behaves so, such as that of a Dask cluster)
    many new sides are laid out and drawn by its workers, which must see the project under the same
    path; the files are the same to the byte.

    Nothing is written unless every sheet is in order; then all files appear together, each whole, the
    manifest last. Raises UsageError for unknown names, CardgenError with all findings otherwise.
    """
    start = time.perf_counter()
    project = project or Project.open()
    recover(project.output(options.game, options.output))

    def inputs() -> Fingerprint:
        return project.fingerprint(options.game) + _surroundings(options)

    stamp = Stamp(str(project.root), str(current_folder()), repr(options))
    found = inputs()
    known = stamp.read(found)
    if known is not None:
        return _remembered(known, time.perf_counter() - start)
    read = at_rest(found, inputs)
    with collector_paused():
        shown = progress or (lambda step, done, total: None)
        run = _Build(options, project, shown, executor)
        result = run.run(start)
    stamp.write(read, run.outputs, asdict(result))
    return result


def _surroundings(options: BuildOptions) -> list[tuple[str, int, int]]:
    """What a build depends on besides the project's files."""
    entries = [(f"SOURCE_DATE_EPOCH={os.environ.get('SOURCE_DATE_EPOCH')}", 0, 0)]
    if options.printer:
        from cardgen.loading.printers import profile_path

        try:
            stat = profile_path(options.printer).stat()
            entries.append((options.printer, stat.st_size, stat.st_mtime_ns))
        except OSError:
            entries.append((options.printer, -1, 0))
    if options.deck:
        entries += stat_files([Path(os.path.realpath(options.deck))])
    return entries


def _remembered(known: Any, seconds: float) -> BuildResult:
    """The result that a stamp holds; its warnings are said again until they are mended."""
    files = tuple(OutputFile(**file) for file in known["files"])
    findings = []
    for entry in known["findings"]:
        place = Location(**entry["location"]) if entry["location"] else None
        severity = Severity(entry["severity"])
        findings.append(Finding(severity, entry["code"], entry["message"], place, entry["hint"]))
    return BuildResult(files, known["manifest"], tuple(findings), True, seconds)


class _Build:
    """One build that has something to do."""

    def __init__(
        self, options: BuildOptions, project: Project, progress: Progress, executor: Executor | None
    ) -> None:
        self.options, self.project, self.progress = options, project, progress
        self.executor = executor
        self.findings = Findings()
        self.stages: dict[str, float] = {}
        self.outputs: Outputs = ()
        self._since = time.perf_counter()

    def run(self, start: float) -> BuildResult:
        from cardgen.commands import production, rulebooks

        options = self.options
        self._since = start
        self.progress("reading", 0, 1)
        game = production.load(options.game, project=self.project, players=options.players)
        self.findings.extend(game.remarks)
        deck = self._deck(game)
        sheets = self._sheets(game, deck)
        wanted = {name for sheet in sheets for name in sheet.components}
        chosen = production.select(game, options.components, options.cards)
        cards = [card for card in chosen if card.component in wanted]
        if deck is not None:
            cards = deck_cards(deck, cards)
        books = {sheet.name: book for sheet in sheets if (book := rulebooks.book_of(game, sheet))}
        imposer = production.Imposer(
            game, options.paper, duplex=options.duplex, backs=options.backs, printer=options.printer
        )
        self._lap("load")
        self.progress("laying out", 0, 1)
        pictures = production.art_store(game, self.project)
        drawn_sides = production.side_store(game, self.project, pictures)
        known: Mapping[Place, str] = {}
        if self.executor is not None:
            from cardgen.commands.workers import draw_spread

            known = draw_spread(
                self.executor,
                game,
                cards,
                pictures,
                drawn_sides,
                production.fontbook(game.paths),
                low_ink=options.low_ink,
                backs=options.backs,
            )
        rendering = production.render_chosen(
            game,
            cards,
            self.findings,
            backs=options.backs,
            low_ink=options.low_ink,
            kept=drawn_sides.get,
            known=known,
            drain=production.drawing_at_once(game, pictures, drawn_sides, self.findings),
        )
        whole = game
        if books and options.players is not None:  # a rulebook tells of the whole box
            whole = production.load(options.game, project=self.project)
        laid_out = rulebooks.lay_out_books(
            whole,
            books.values(),
            production.fontbook(game.paths),
            self.findings,
            low_ink=options.low_ink,
            rendered=rendering if whole is game else None,
            kept=drawn_sides.get,
        )
        self.findings.raise_if_errors()
        self._lap("render")
        imposed = []
        for wished in sheets:
            if wished.name in books:
                pages = laid_out[books[wished.name].id].book
                imposed.append(imposer.impose_book(wished, pages, self.findings))
            else:
                imposed.append(imposer.impose(wished, rendering, self.findings))
        self.findings.raise_if_errors()
        imposed = [sheet for sheet in imposed if sheet.pages]
        self._lap("impose")
        art = production.draw_all(
            game,
            rendering,
            self.project,
            lambda done, total: self.progress("drawing", done, total),
            stores=(pictures, drawn_sides),
        )
        book_art = {
            id: production.draw_all(game, each.rendering, self.project, stores=(pictures, drawn_sides))
            for id, each in laid_out.items()
        }
        self._lap("draw")
        drawn = {name: book_art[book.id] for name, book in books.items()}
        pages_of = [(sheet, drawn.get(sheet.name, art)) for sheet in imposed]
        files, manifest = self._write(game, deck, pages_of)
        self._lap("export")
        total = time.perf_counter() - start
        if len(files) == 1:
            files = [replace(files[0], seconds=total)]
        return BuildResult(tuple(files), manifest, tuple(self.findings.sorted()), False, total, self.stages)

    def _write(
        self, game: Game, deck: DeckList | None, sheets: Sequence[tuple[ImposedSheet, DrawnArt]]
    ) -> tuple[list[OutputFile], str]:
        """Write sheets and the manifest of their folder; the files, and the manifest's path."""
        from cardgen.commands.production import write_sheet
        from cardgen.exporting.manifest import NAME, entry_for, manifest_of

        folder = self.project.output(game.id, self.options.output)
        place = folder if deck is None else deck_folder(folder, deck)
        title = deck.title if deck is not None else None
        suffix = "-low-ink" if self.options.low_ink else ""
        files, entries = [], []
        with Changes(folder) as changes:
            for number, (sheet, drawn) in enumerate(sheets):
                self.progress("writing", number, len(sheets))
                begun = time.perf_counter()
                path = place / f"{sheet.name}{suffix}.pdf"
                write = partial(write_sheet, game, sheet, drawn, findings=self.findings, title=title)
                written = changes.write(path.relative_to(folder).as_posix(), write)
                with Output(path):
                    entry = entry_for(path.name, written, sheet)
                entries.append(entry)
                seconds = time.perf_counter() - begun
                where, shown = os.path.realpath(path), self.project.show(path)
                files.append(
                    OutputFile(where, shown, sheet.name, entry.pages, entry.cards, entry.bytes, seconds)
                )
            manifest = place / NAME
            listed = manifest_of(place, game.id, game.version, entries)
            changes.write_bytes(manifest.relative_to(folder).as_posix(), listed)
            changes.commit()
            self.outputs = stat_outputs([*(Path(file.path) for file in files), manifest])
        return files, os.path.realpath(manifest)

    def _deck(self, game: Game) -> DeckList | None:
        """The deck list asked for, its remarks among the findings."""
        if self.options.deck is None:
            return None
        if self.options.players is not None:
            raise UsageError("a deck list says itself how many copies there are", "leave --players out")
        deck = load_deck(game, self.options.deck, project=self.project)
        self.findings.extend(deck.remarks)
        return deck

    def _sheets(self, game: Game, deck: DeckList | None) -> list[GameSheet]:
        """The sheets asked for; those that hold a component asked for, if only that is named."""
        from cardgen.commands.production import find_sheet, select

        options = self.options
        cards = select(game, options.components, options.cards)
        chosen = {card.component for card in (cards if deck is None else deck_cards(deck, cards))}
        if not options.cards and deck is None:  # a book has none
            books = {component.id for component in game.components if component.book is not None}
            chosen |= books & set(options.components or books)
        named = [find_sheet(game, name) for name in dict.fromkeys(options.sheets)]
        sheets = named or list(game.sheets)
        if deck is not None:
            sheets = deck_sheets(deck, sheets) or sheets
        narrowed = [sheet for sheet in sheets if chosen & set(sheet.components)]
        if not narrowed:
            names = ", ".join(sheet.name for sheet in sheets)
            raise UsageError(f"none of the chosen cards is on the sheet {names}")
        return narrowed

    def _lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.stages[stage] = now - self._since
        self._since = now
