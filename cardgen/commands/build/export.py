"""`cardgen export GAME --to NAME`: a game for screens, print services and virtual tables.

Load, draw, then the exporter's plan, then its files. An export first asks its stamp whether anything
changed; only then are the stages imported.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Collection, Iterable, Mapping
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.commands.production import stages
from cardgen.commands.production.books import tabletop_of
from cardgen.commands.production.choices import (
    SINGLE,
    chosen_components,
    language_asked,
    language_folder,
    usual_paper,
)
from cardgen.commands.production.pressing import press_for
from cardgen.commands.production.stamping import Progress, Run, recalled, unless_done
from cardgen.commands.production.turns import in_turn
from cardgen.core.artwork import Rendering
from cardgen.core.findings import CardgenError, Finding, Findings, Location, UsageError
from cardgen.core.game import Card, Component, Game
from cardgen.core.progress import tell, told_to
from cardgen.core.records import dataclass, field, replace
from cardgen.core.services import CardDatabase, CardEntry, CardSet, Value
from cardgen.exports.exporters import (
    EXPORTERS,
    OPTIONS,
    SERVICE,
    Exporter,
    Option,
    find_exporter,
    plugged,
    settle,
)
from cardgen.files import plugins
from cardgen.files.cache import Outputs, Stamp, stat_files, stat_outputs
from cardgen.files.changes import Changes, tidy
from cardgen.files.project import SERVICES, Project, current_folder
from cardgen.files.reading import SAVE, read_file
from cardgen.files.reading import SERVICE as SERVICE_FILE

if TYPE_CHECKING:
    from cardgen.art.prose import Phrases
    from cardgen.commands.production.sides import DrawnSides
    from cardgen.core.services import Service
    from cardgen.exports.delivery import Delivery
    from cardgen.exports.job import BookPdf


MOST_TITLE = 200
"""Bytes of the line with a print service's title that the help shows; the schema allows 80 letters."""


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """The options of an export. `components` empty means all; `settings` are the options of the exporter by
    name (`{"dpi": 150}`), with defaults for the others; `output` None means the project's `output/`. A
    `language` other than the game's own has its own folder, `GAME/LANGUAGE/TARGET/`."""

    game: str
    to: str
    components: tuple[str, ...] = ()
    players: int | None = None
    low_ink: bool = False
    settings: Mapping[str, Value] = field(default_factory=dict)
    output: Path | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """An exported file. `shown` is its path as typed from the current folder; `changed` is true if this
    export wrote it."""

    path: str
    shown: str
    bytes: int
    changed: bool


@dataclass(frozen=True, slots=True)
class ExportResult:
    """The result of an export. `removed` are files of an earlier export that this one does not have;
    `findings` are warnings and notes; errors are raised."""

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
    """Return the export targets by name: the table, then the project's print services, then plug-ins.
    Invalid service files are listed too; `check` reports their errors. Invalid plug-ins are not;
    `cardgen doctor` reports them."""
    found = dict(EXPORTERS)
    with suppress(CardgenError):
        project = project or Project.open()
        found |= {name: _service(project, name) for name in project.services() if name not in found}
    for name in plugins.names("exporters"):
        with suppress(CardgenError):
            if name not in found and (exporter := plugged(name)) is not None:
                found[name] = exporter
    return found


def _service(project: Project, name: str) -> Exporter:
    """Return a print service's line for the help. Its title is read without a YAML parser, which costs more
    than the rest."""
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
    """Return the print services relevant to an export to `name`: for an exporter of the table only one with
    the same name, so that other services' files don't matter."""
    if name not in EXPORTERS:
        return project.services()
    return [name] if project.has_service(name) else []


def options_of(target: str, project: Project | None = None) -> tuple[str, ...]:
    """Return the names of a target's options; for a print service whose file is invalid, those of all print
    services."""
    if target in EXPORTERS:
        return EXPORTERS[target].options
    from cardgen.game.facts import load_service

    project = project or Project.open()
    if not project.has_service(target) and (exporter := plugged(target)) is not None:
        return tuple(exporter.all_options)
    try:
        unsupported = load_service(project.paths, target).unsupported_options
    except CardgenError:
        unsupported = frozenset()
    return tuple(name for name in SERVICE.options if name not in unsupported)


def export_options(target: str = "") -> dict[str, Option]:
    """Return the options of our exporters by name, and those of a plug-in that is the `target`; each
    exporter's `options` lists its own. Raises CardgenError for a plug-in that can't be used."""
    exporter = None if not target or target in EXPORTERS else plugged(target)
    return OPTIONS | (exporter.all_options if exporter is not None else {})


@in_turn
def export_to(
    options: ExportOptions, *, project: Project | None = None, progress: Progress | None = None
) -> ExportResult:
    """Write or update files for another program or a print service, below `OUTPUT/GAME/TARGET/`.

    Nothing is written unless everything is valid; then only files that changed, each whole, their list
    `export.json` last.

    Args:
        project: The default is the current folder's project.
        progress: Called with a stage, the number of finished steps, and their total.

    Raises:
        UsageError: No such target, component or setting; `exporters` returns the targets.
        CardgenError: Errors in the game's files, all of them.

    Example:
        options = cardgen.ExportOptions("night-market", to="png", settings={"dpi": 150})
        for file in cardgen.export_to(options).files:
            print(file.path)
    """
    start = time.perf_counter()
    project = project or Project.open()
    services = _services(project, options.to)
    settings = settle(options.to, options.settings, services)
    for below in {(), language_asked(options.language)}:
        tidy(_folder(project, options, below))

    def make() -> tuple[ExportResult, Outputs]:
        run = _Export(options, settings, services, project, start)
        with told_to(progress):
            return run.run(), run.outputs

    if any(
        settings.get(name) for name in ("into", "install", "tts-dir", "publish", "push", "upload")
    ):  # other people's saves are read too
        return make()[0]
    return unless_done(
        Stamp("export", str(project.root), str(current_folder()), repr(options)),
        lambda: project.fingerprint(options.game) + _surroundings(settings),
        make,
        lambda known: _remembered(known, time.perf_counter() - start),
    )


def _folder(project: Project, options: ExportOptions, below: tuple[str, ...]) -> Path:
    """Return the absolute folder of an export; `below` is the folder of its language."""
    return Path(os.path.realpath(project.output(options.game, options.output, *below, options.to)))


def _surroundings(settings: Mapping[str, Value]) -> list[tuple[str, int, int]]:
    """Return everything besides the project's files that affects an export: dates in books, the user's
    folders, a color profile."""
    names = ("SOURCE_DATE_EPOCH", "HOME", "USERPROFILE")
    profile = str(settings.get("profile") or "")
    files = stat_files([Path(os.path.realpath(profile))]) if Path(profile).suffix else []
    return [*((f"{name}={os.environ.get(name)}", 0, 0) for name in names), *files]


def _remembered(known: Any, seconds: float) -> ExportResult:
    """Return the result stored in a stamp. Its warnings are repeated until they are fixed."""
    files = tuple(ExportedFile(**{**file, "changed": False}) for file in known["files"])
    return ExportResult(files, (), known["manifest"], recalled(known["findings"]), True, seconds)


class _Export(Run):
    """One export that isn't up to date."""

    def __init__(
        self,
        options: ExportOptions,
        settings: dict[str, Value],
        services: Collection[str],
        project: Project,
        start: float,
    ) -> None:
        super().__init__(project, start)
        self.options, self.settings = options, settings
        self.exporter = find_exporter(options.to, services)

    def run(self) -> ExportResult:
        from cardgen.exports.delivery import check_names, deliver
        from cardgen.exports.job import ExportJob, Sides
        from cardgen.game.facts import load_service

        options = self.options
        if self.settings.get("push") and options.components:
            raise UsageError("--push updates a whole table, not single components", "remove --component")
        if self.settings.get("upload") and not self.settings.get("dry-run"):
            from cardgen.commands.build.uploading import access

            access()  # an impossible upload needs no files
        tell("reading")
        game = stages.load(
            options.game, project=self.project, players=options.players, language=options.language
        )
        self.findings.extend(game.remarks)
        if self.exporter.tabletop:
            self.findings.extend(game.table_problems)
            self.findings.raise_if_errors()
        service = load_service(game.paths, options.to) if self.exporter is SERVICE else None
        inks = press_for(service, self.settings, game) if service is not None else None
        game = replace(game, inked=inks is not None)
        database = database_of(game, self.findings) if self.exporter.database else None
        components = chosen_components(game, options.components)
        if self.exporter.tabletop:  # packaging is never on the table
            components = tuple(each for each in components if each.box is None)
        self.lap("load")
        tell("laying out")
        with stages.Production(game, self.findings, low_ink=options.low_ink) as making:
            rendering, drawn = self._draw(making, components)
            # A print service may not print books.
            with_books = self.exporter.books if service is None else service.prints_books
            books = self._books(making, components, drawn, service) if with_books else {}
            art = making.art(drawn.sides)
        self.lap("draw")
        tabletop = tabletop_of(game, components, self.findings) if self.exporter.tabletop else None
        self.findings.raise_if_errors()
        changes = Changes(_folder(self.project, options, language_folder(game)))
        with ExitStack() as opened:
            sides = opened.enter_context(Sides(art))
            for book in books.values():
                opened.enter_context(book.sides)
            job = ExportJob(
                game=game,
                components=components,
                cards=drawn.cards,
                rendering=rendering,
                art=art,
                sides=sides,
                fontbook=making.fonts,
                settings=self.settings,
                folder=changes.folder,
                made=changes.path,
                findings=self.findings,
                books=books,
                tabletop=tabletop,
                low_ink=options.low_ink,
                partial=bool(options.components),
                service=service,
                inks=inks,
                database=database,
            )
            tell("planning")
            planned = self.exporter.planned(job)
            if self.exporter.plugin is not None:
                with plugins.guarded(self.exporter.plugin):
                    check_names(planned)
            self.findings.raise_if_errors()
            self.lap("plan")
            about = {"game": game.id, "version": game.version, "to": options.to}
            with changes:
                delivery = deliver(
                    changes,
                    planned,
                    about,
                    partial=job.partial,
                    lasting=() if self.settings.get("prune") else self.exporter.lasting,
                    progress=partial(tell, "writing"),
                )
                written = [file.path for file in delivery.files]
                self.outputs = stat_outputs([*written, delivery.manifest])
        self.lap("write")
        if self.settings.get("push"):
            from cardgen.commands.build.uploading import push_table

            save = json.loads(read_file(changes.folder / "table.json", SAVE, "table.json", None))
            push_table(save, options.game, self.findings)
        if self.settings.get("upload") and service is not None:
            from cardgen.commands.build.uploading import upload

            dry_run = bool(self.settings["dry-run"])
            upload(changes.folder, service, self.findings, dry_run=dry_run, partial=job.partial)
        return self._result(delivery, time.perf_counter() - self.start)

    def _draw(
        self, making: stages.Production, components: Iterable[Component]
    ) -> tuple[Rendering, DrawnSides]:
        """Draw the cards' sides, with the items on them for an exporter that needs these."""
        cards = [card for component in components for card in component.cards]
        if self.exporter.items:
            rendering = stages.render_chosen(making.game, cards, self.findings, low_ink=making.low_ink)
            self.findings.raise_if_errors()
            return rendering, making.draw_rendering(rendering)
        drawn = making.draw_cards(cards)
        self.findings.raise_if_errors()
        return Rendering((), {}), drawn

    def _books(
        self,
        making: stages.Production,
        components: Iterable[Component],
        drawn: DrawnSides,
        service: Service | None,
    ) -> dict[str, BookPdf]:
        """Return the rulebooks as PDF in single pages, with bleed for a `service`. `drawn` are the
        available cards of those that they show."""
        wanted = [component for component in components if component.book is not None]
        if not wanted:
            return {}
        from cardgen.core.game import GameSheet
        from cardgen.core.geometry import parse_length
        from cardgen.exports.job import BookPdf, Sides, pdf_digest

        shown: DrawnSides | None = drawn
        options = self.options
        foiled = making.game.inked and making.game.spots  # books show cards without spot inks
        if options.players is not None or foiled:  # a rulebook covers the whole game
            whole = stages.load(options.game, project=self.project, language=options.language)
            making, shown = making.of(whole), None
        game = making.game
        imposer = stages.Imposer(game, usual_paper(game.paths))
        if service is not None and service.delivery != "images":
            stated = self.settings.get("bleed-width")
            bleed = parse_length(str(stated)) if stated else service.bleed
            wanted = [replace(component, bleed=bleed) for component in wanted]
            imposer.layouts[SINGLE] = replace(imposer.layouts[SINGLE], bleed=bleed)
        books = {}
        for component in wanted:
            pages = making.draw_book(component, shown)
            if pages is None:
                continue
            sheet = GameSheet(component.id, SINGLE, (component.id,))
            imposed = imposer.impose_book(sheet, pages.book, self.findings)
            art = making.art(pages.sides)
            looks = [(key, face.name) for key, face in art.faces.items()]
            base = imposer.underlay(imposer.layouts[SINGLE])
            digest = pdf_digest(imposed, looks, game, *filter(None, [base]))
            write = partial(stages.write_sheet, game, imposed, art, underlay=base)
            keys = tuple(page.artwork.key for page in pages.book.pages)
            books[component.id] = BookPdf(
                component, len(keys), pages.book.trim, digest, write, art, keys, Sides(art)
            )
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


ROWS = ("0", "1", "2", "3")
SHORT = 8
"""Characters of a set's short name, at most."""


def database_of(game: Game, findings: Findings) -> CardDatabase:
    """Return the database of the cards in a game's deck lists. Problems go to `findings`.

    Raises UsageError for a game without deck lists.
    """
    from cardgen.art.prose import Phrases

    if game.deck_source is None:
        message = f"{game.title} has no deck lists, which Cockatrice needs"
        hint = "name their component in game.yaml: decks: {component: …}"
        raise UsageError(message, hint, "usage/decks")
    relative = f"data/{game.id}/cockatrice.yaml"
    data = _mapping(game, relative, findings)
    sets = _sets(game, data)
    phrases = Phrases(game, relative, findings)
    pool = game.component(game.deck_source.component)
    reader = _Reader(game, relative, data.get("card", {}), sets, phrases, findings)
    entries = tuple(reader.entry(pool, card) for card in pool.cards)
    _check_names(game, entries, findings)
    return CardDatabase(pool.id, sets, entries)


def _mapping(game: Game, relative: str, findings: Findings) -> dict[str, Any]:
    from cardgen.game.sources import load_checked

    if game.paths.find(relative) is None:
        findings.note(
            "cockatrice/plain",
            "cards have no text and no properties in Cockatrice",
            Location(f"data/{game.id}/game.yaml"),
            f"assign their fields in {relative}",
        )
        return {}
    document = load_checked(game.paths, relative, "schemas/cockatrice.schema.json", findings)
    return {} if document is None else dict(document.data)


def _sets(game: Game, data: dict[str, Any]) -> tuple[CardSet, ...]:
    if "sets" not in data:
        short = "".join(char for char in game.id.upper() if char.isalnum())[:SHORT]
        return (CardSet(short, game.title, "Custom"),)
    return tuple(
        CardSet(name, entry["title"], entry["type"], entry.get("released"))
        for name, entry in data["sets"].items()
    )


@dataclass(slots=True)
class _Reader:
    """Fills in the values that the mapping takes from each card."""

    game: Game
    relative: str
    mapping: dict[str, Any]
    sets: tuple[CardSet, ...]
    phrases: Phrases
    findings: Findings
    said: set[str] = field(default_factory=set)

    def entry(self, pool: Component, card: Card) -> CardEntry:
        assert self.game.deck_source is not None
        name = card.fields.get(self.game.deck_source.name)

        def filled(text: str, *path: str) -> str:
            return self.phrases.of_card(text, ("card", *path), pool, card, card.copies).strip()

        def words(key: str, default: str = "") -> str:
            return filled(self.mapping.get(key, default), key)

        stated = self.mapping.get("properties", {"type": pool.title})
        properties = [(key, filled(text, "properties", key)) for key, text in stated.items()]
        row, set_name = words("row"), words("set", self.sets[0].name)
        if row not in ("", *ROWS):
            self._say("row", f"'{row}' is not a row from 0 to 3 (card '{card.id}')", None)
        known = [each.name for each in self.sets]
        if set_name not in known:
            message = f"there is no set '{set_name}' (card '{card.id}')"
            self._say("set", message, f"use one of the sets: {', '.join(known)}")
        return CardEntry(
            card=card,
            name=str(name) if name else card.id,
            set=set_name,
            number=words("number", "{{ number }}"),
            rarity=words("rarity"),
            text=words("text"),
            row=int(row) if row in ROWS else None,
            properties=tuple((key, value) for key, value in properties if value),
        )

    def _say(self, key: str, message: str, hint: str | None) -> None:
        """Report a problem of the mapping, at the first card that shows it."""
        if key not in self.said:
            self.said.add(key)
            place = self.game.locator.locate(self.relative, ("card", key))
            self.findings.error(f"cockatrice/{key}", message, place, hint)


def _check_names(game: Game, entries: tuple[CardEntry, ...], findings: Findings) -> None:
    """Report names that two cards share: Cockatrice identifies cards only by name."""
    known: dict[str, CardEntry] = {}
    for entry in entries:
        other = known.setdefault(entry.name, entry)
        if other is not entry:
            findings.error(
                "cockatrice/name",
                f"'{entry.card.id}' and '{other.card.id}' are both called '{entry.name}'",
                game.where(entry.card),
                "rename one of them: Cockatrice tells cards apart by name",
            )
