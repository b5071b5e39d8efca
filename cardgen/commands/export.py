"""`cardgen export GAME --to NAME`: a game for screens, print services and tables that are not paper.

Joins the stages as `building` does: load, render, draw, then the exporter's plan, then its files. An
export first asks its stamp whether anything changed; only then are the stages imported.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from cardgen.commands.garbage import collector_paused
from cardgen.exporting.exporters import (
    EXPORTERS,
    OPTIONS,
    SERVICE,
    Exporter,
    Option,
    Value,
    find_exporter,
    settle,
)
from cardgen.findings import CardgenError, Finding, Findings, Location, Severity
from cardgen.project import SERVICES, Project, current_folder
from cardgen.storage.changes import Changes, recover
from cardgen.storage.reading import SERVICE as SERVICE_FILE
from cardgen.storage.reading import read_file
from cardgen.storage.stamps import Fingerprint, Outputs, Stamp, at_rest, stat_outputs

if TYPE_CHECKING:
    from cardgen.drawing import ArtStore, SideStore
    from cardgen.exporting.delivery import Delivery
    from cardgen.exporting.job import BookPdf
    from cardgen.model.artwork import Rendering
    from cardgen.model.game import Component, Game

MOST_TITLE = 200
"""Bytes of the line with a print service's title that the help shows; the schema allows 80 letters."""

Progress = Callable[[str, int, int], None]
"""Called with the name of a step, how much of it is done, and how much there is."""


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What to export and how. `components` empty means all; `settings` are the options of the exporter
    by name (`{"dpi": 150}`), defaults for those left out; `output` None means the project's
    `output/`."""

    game: str
    to: str
    components: tuple[str, ...] = ()
    players: int | None = None
    low_ink: bool = False
    settings: Mapping[str, Value] = field(default_factory=dict)
    output: Path | None = None


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file of an export. `shown` is its path as one types it here; `changed` says that this export
    wrote it."""

    path: str
    shown: str
    bytes: int
    changed: bool


@dataclass(frozen=True, slots=True)
class ExportResult:
    """What an export came to. `removed` are files of an earlier export that this one does not have;
    `findings` are warnings and notes; errors are raised instead."""

    files: tuple[ExportedFile, ...]
    removed: tuple[str, ...]
    manifest: str
    findings: tuple[Finding, ...]
    up_to_date: bool
    seconds: float
    stages: dict[str, float] = field(default_factory=dict)

    @property
    def changed(self) -> tuple[ExportedFile, ...]:
        return tuple(file for file in self.files if file.changed)


def exporters(project: Project | None = None) -> dict[str, Exporter]:
    """What there is to export to, by name: the table, then the project's print services. Nothing in
    their files keeps the others from being named; `check` says what is wrong with them."""
    try:
        project = project or Project.open()
        names = project.services()
    except CardgenError:
        return dict(EXPORTERS)
    return EXPORTERS | {name: _service(project, name) for name in names if name not in EXPORTERS}


def _service(project: Project, name: str) -> Exporter:
    """A print service's line for the help; its title is read without a YAML parser, which costs more
    than all the rest of it."""
    relative = f"{SERVICES}/{name}.yaml"
    path = project.paths.find(relative)
    try:
        text = read_file(path, SERVICE_FILE, relative, project.paths.roots) if path is not None else b""
    except CardgenError:
        text = b""
    start = next((line for line in text.splitlines() if line.startswith(b"title:")), b"")
    title = start[:MOST_TITLE].decode("utf-8", "replace").removeprefix("title:").strip()
    if not title or len(start) > MOST_TITLE or not title.isprintable():
        return SERVICE
    return replace(SERVICE, summary=f"print service: {title}")


def _services(project: Project, name: str) -> list[str]:
    """The print services that matter to an export to `name`: for an exporter of the table only one that
    has the same name, so that other services' files have no part in it."""
    if name not in EXPORTERS:
        return project.services()
    return [name] if project.has_service(name) else []


def export_options() -> dict[str, Option]:
    """The options of all exporters by name; an exporter's `options` say which are its own."""
    return dict(OPTIONS)


def export_to(
    options: ExportOptions, *, project: Project | None = None, progress: Progress | None = None
) -> ExportResult:
    """Write or update an export below `OUTPUT/GAME/TARGET/`.

    Nothing is written unless everything is in order; then only files that changed, all together, each
    whole, their list `export.json` last. Raises UsageError for unknown names and options, CardgenError
    with all findings otherwise.
    """
    start = time.perf_counter()
    project = project or Project.open()
    services = _services(project, options.to)
    settings = settle(options.to, options.settings, services)
    recover(_folder(project, options))

    def inputs() -> Fingerprint:
        return project.fingerprint(options.game) + _surroundings()

    stamp = Stamp("export", str(project.root), str(current_folder()), repr(options))
    found = inputs()
    known = stamp.read(found)
    if known is not None:
        return _remembered(known, time.perf_counter() - start)
    read = at_rest(found, inputs)
    with collector_paused():
        run = _Export(options, settings, services, project, progress or (lambda step, done, total: None))
        result = run.run(start)
    stamp.write(read, run.outputs, asdict(result))
    return result


def _folder(project: Project, options: ExportOptions) -> Path:
    """Where an export lies, absolute."""
    return Path(os.path.realpath(project.output(options.game, options.output, options.to)))


def _surroundings() -> list[tuple[str, int, int]]:
    """What an export depends on besides the project's files: dates in books, the user's folders."""
    names = ("SOURCE_DATE_EPOCH", "HOME", "USERPROFILE")
    return [(f"{name}={os.environ.get(name)}", 0, 0) for name in names]


def _remembered(known: Any, seconds: float) -> ExportResult:
    """The result that a stamp holds; its warnings are said again until they are mended."""
    files = tuple(ExportedFile(**{**file, "changed": False}) for file in known["files"])
    findings = []
    for entry in known["findings"]:
        place = Location(**entry["location"]) if entry["location"] else None
        severity = Severity(entry["severity"])
        findings.append(Finding(severity, entry["code"], entry["message"], place, entry["hint"]))
    return ExportResult(files, (), known["manifest"], tuple(findings), True, seconds)


class _Export:
    """One export that has something to do."""

    def __init__(
        self,
        options: ExportOptions,
        settings: dict[str, Value],
        services: Collection[str],
        project: Project,
        progress: Progress,
    ) -> None:
        self.options, self.settings, self.project, self.progress = options, settings, project, progress
        self.exporter = find_exporter(options.to, services)
        self.findings = Findings()
        self.stages: dict[str, float] = {}
        self.outputs: Outputs = ()
        self._since = time.perf_counter()

    def run(self, start: float) -> ExportResult:
        from cardgen.commands import production
        from cardgen.commands.databases import database_of
        from cardgen.commands.tabletops import tabletop_of
        from cardgen.exporting.delivery import deliver
        from cardgen.exporting.job import ExportJob
        from cardgen.exporting.pixels import Sides
        from cardgen.loading import load_service

        options = self.options
        self._since = start
        self.progress("reading", 0, 1)
        game = production.load(options.game, project=self.project, players=options.players)
        self.findings.extend(game.remarks)
        if self.exporter.tabletop:
            self.findings.extend(game.table_problems)
            self.findings.raise_if_errors()
        service = load_service(game.paths, options.to) if self.exporter is SERVICE else None
        database = database_of(game, self.findings) if self.exporter.database else None
        components = _chosen(game, options.components)
        cards = [card for component in components for card in component.cards]
        self._lap("load")
        self.progress("laying out", 0, 1)
        pictures = production.art_store(game, self.project)
        stores = (pictures, production.side_store(game, self.project, pictures))
        kept = None if self.exporter.items else stores[1].get  # what is kept has lost its items
        rendering = production.render_chosen(
            game, cards, self.findings, backs=True, low_ink=options.low_ink, kept=kept
        )
        self.findings.raise_if_errors()
        self._lap("render")
        art = production.draw_all(
            game,
            rendering,
            self.project,
            lambda done, total: self.progress("drawing", done, total),
            stores=stores,
        )
        self._lap("draw")
        books: dict[str, BookPdf] = {}
        if self.exporter.books:
            whole = game
            if options.players is not None:  # a rulebook tells of the whole box
                whole = production.load(options.game, project=self.project)
            wanted = [component for component in components if component.book is not None]
            books = self._books(whole, wanted, rendering if whole is game else None, stores)
        tabletop = tabletop_of(game, components, self.findings) if self.exporter.tabletop else None
        self.findings.raise_if_errors()
        self._lap("books")
        changes = Changes(_folder(self.project, options))
        with Sides(art) as sides:
            job = ExportJob(
                game=game,
                components=components,
                rendering=rendering,
                art=art,
                sides=sides,
                fontbook=production.fontbook(game.paths),
                settings=self.settings,
                folder=changes.folder,
                made=changes.path,
                findings=self.findings,
                books=books,
                tabletop=tabletop,
                low_ink=options.low_ink,
                partial=bool(options.components),
                service=service,
                database=database,
            )
            planned = import_module(self.exporter.module).plan(job)
            self.findings.raise_if_errors()
            self._lap("plan")
            about = {"game": game.id, "version": game.version, "to": options.to}
            with changes:
                delivery = deliver(
                    changes,
                    planned,
                    about,
                    partial=job.partial,
                    progress=lambda done, total: self.progress("writing", done, total),
                )
                written = [file.path for file in delivery.files]
                self.outputs = stat_outputs([*written, delivery.manifest])
        self._lap("write")
        return self._result(delivery, time.perf_counter() - start)

    def _books(
        self,
        game: Game,
        components: list[Component],
        rendered: Rendering | None,
        stores: tuple[ArtStore, SideStore],
    ) -> dict[str, BookPdf]:
        """The rulebooks as PDF, one page after the other. `rendered` is what is at hand of the cards
        that they show."""
        if not components:
            return {}
        from cardgen.commands import production, rulebooks
        from cardgen.exporting.job import BookPdf, digest_of
        from cardgen.exporting.pdf.writing import PRODUCER
        from cardgen.model.game import GameSheet

        laid_out = rulebooks.lay_out_books(
            game,
            components,
            production.fontbook(game.paths),
            self.findings,
            low_ink=self.options.low_ink,
            rendered=rendered,
            kept=stores[1].get,
        )
        self.findings.raise_if_errors()
        imposer = production.Imposer(game, production.DEFAULT_PAPER)
        books = {}
        for component in components:
            pages = laid_out[component.id]
            sheet = GameSheet(component.id, production.SINGLE, (component.id,))
            imposed = imposer.impose_book(sheet, pages.book, self.findings)
            drawn = production.draw_all(game, pages.rendering, self.project, stores=stores)

            def write(out: BinaryIO, imposed: Any = imposed, drawn: Any = drawn) -> None:
                production.write_sheet(game, imposed, drawn, out, Findings())

            looks = [(key, face.name) for key, face in drawn.faces.items()]
            digest = digest_of(
                imposed,
                looks,
                game.title,
                game.author,
                game.description,
                game.language,
                PRODUCER,
                os.environ.get("SOURCE_DATE_EPOCH"),
            )
            trim = pages.book.trim
            cover = pages.book.pages[0].artwork.key
            books[component.id] = BookPdf(component, len(imposed.pages), trim, digest, write, drawn, cover)
        self.findings.raise_if_errors()
        return books

    def _result(self, delivery: Delivery, seconds: float) -> ExportResult:
        show = self.project.show
        return ExportResult(
            tuple(
                ExportedFile(str(file.path), show(file.path), file.bytes, file.changed)
                for file in delivery.files
            ),
            tuple(show(path) for path in delivery.removed),
            str(delivery.manifest),
            tuple(self.findings.sorted()),
            False,
            seconds,
            self.stages,
        )

    def _lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.stages[stage] = now - self._since
        self._since = now


def _chosen(game: Game, names: tuple[str, ...]) -> tuple[Component, ...]:
    """The components named, in the game's order; all if none is. UsageError for an unknown one."""
    from cardgen.commands import production

    ids = [component.id for component in game.components]
    for name in names:
        if name not in ids:
            production.select(game, [name], [])  # says so, with the nearest name
    return tuple(each for each in game.components if not names or each.id in names)
