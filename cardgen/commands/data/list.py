"""`cardgen list`: the parts of a game, and the names that its files can use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from cardgen.commands.production.choices import must_exist, project_settings, usual_paper
from cardgen.commands.production.stamping import unless_done
from cardgen.files.cache import Fingerprint, Stamp
from cardgen.files.project import INPUT_FOLDERS, SERVICES, Project, fingerprint_of

if TYPE_CHECKING:
    from cardgen.core.geometry import Size
    from cardgen.core.paths import ProjectPaths
    from cardgen.game.facts import Measured


Entry = dict[str, Any]
Entries = list[Entry]
Listed = TypeVar("Listed", Entry, Entries)


def list_game(game: str, *, project: Project | None = None, language: str | None = None) -> Entry:
    """Return the entry of one game, loaded in a language. Raises UsageError, CardgenError as `load`.

    `trim_mm` of a component is [width, height], or None if its cards differ in size. `unique` counts
    distinct cards, `copies` printed ones. `decks` is only in a game with deck lists, `languages` in a
    translated one: how many of its `texts` are `done`, `missing` and `stale`.
    """
    project = project or Project.open()
    inputs, make = partial(project.fingerprint, game), partial(_game_entry, game, project, language)
    return _unless_done((game, language), project, inputs, make)


def list_games(project: Project | None = None) -> Entries:
    """Return the entries of all games of a project, by id. Raises CardgenError if one is unreadable."""
    project = project or Project.open()

    def make() -> Entries:
        return [list_game(name, project=project) for name in project.games()]

    settings = repr(project_settings(project.paths))
    return _unless_done(settings, project, partial(fingerprint_of, project.paths, INPUT_FOLDERS), make)


def _unless_done(
    identity: object, project: Project, inputs: Callable[[], Fingerprint], make: Callable[[], Listed]
) -> Listed:
    """Return entries, from the last run if their files are unchanged."""
    stamp = Stamp("list", str(project.root), repr(identity))
    return unless_done(stamp, inputs, lambda: (make(), ()), lambda known: known, despite_limits=True)


def _game_entry(name: str, project: Project, language: str | None) -> Entry:
    from cardgen.commands.data.translate import collect, translate
    from cardgen.commands.production.stages import load

    collected = collect(name, project)
    game = collected[0] if language is None else load(name, project=project, language=language)
    paper = usual_paper(project.paths)
    entry: Entry = {
        "game": game.id,
        "title": game.title,
        "version": game.version,
        "components": [
            {
                "id": component.id,
                "kind": component.kind,
                "trim_mm": None if component.trim is None else _size_mm(component.trim),
                "unique": component.unique,
                "copies": component.copies,
            }
            for component in game.components
        ],
        "sheets": [
            {"name": sheet.name, "paper": paper, "components": list(sheet.components)}
            for sheet in game.sheets
        ],
    }
    if game.deck_source is not None:
        names = ("id", "title", "component", "unique", "copies")
        entry["decks"] = [_members(deck, names) for deck in game.decks]
    if game.languages:
        names = ("language", "texts", "done", "missing", "stale")
        states = translate(name, project=project, write=False, collected=collected)
        entry["languages"] = [_members(state, names) for state in states]
    return entry


def _members(value: object, names: Sequence[str]) -> Entry:
    return {name: getattr(value, name) for name in names}


def _size_mm(size: Size) -> list[float]:
    return [round(size.width, 3), round(size.height, 3)]


def catalogue(kind: str, project: Project | None = None, game: str | None = None) -> Entries:
    """List the entries of a kind of KINDS. Icons and rules are those of a `game`, or of the project's games
    if none is named; icons also the shared ones.

    Each has a `name`, a `title`, which may be empty, the `file` that defines it, relative to the project or
    to cardgen's own data, and whether that is the project's `own`. `details` depend on the kind. Raises
    UsageError for an unknown game, CardgenError if files can't be read.
    """
    project = project or Project.open()
    if game is not None:
        must_exist("game", game, project.games())
    return KINDS[kind](project, game)


def _sizes(project: Project, game: str | None) -> Entries:
    from cardgen.game.facts import SIZES, load_sizes

    return _measured(load_sizes(project.paths), SIZES)


def _papers(project: Project, game: str | None) -> Entries:
    from cardgen.game.facts import PAPERS, load_paper_facts

    return _measured(load_paper_facts(project.paths), PAPERS)


def _measured(facts: Mapping[str, Measured], file: str) -> Entries:
    return [
        _entry(
            name,
            fact.title,
            file,
            fact.own,
            size_mm=_size_mm(fact.size),
        )
        for name, fact in facts.items()
    ]


def _layouts(project: Project, game: str | None) -> Entries:
    from cardgen.game.facts import load_layouts

    return [
        _entry(
            layout.name,
            layout.title,
            layout.file,
            _is_own(project.paths, layout.file),
            grid=list(layout.grid) if isinstance(layout.grid, tuple) else layout.grid,
            duplex=layout.duplex,
            bleed_mm=round(layout.bleed, 3),
            gutter_mm="auto" if layout.widen else round(layout.gutter, 3),
        )
        for _, layout in sorted(load_layouts(project.paths).items())
    ]


def _asked(project: Project, game: str | None) -> Sequence[str]:
    """Return a game, or the project's own games if none is named."""
    if game is not None:
        return [game]
    return project.games_here() if project.own_games() else []


def _rules(project: Project, game: str | None) -> Entries:
    from cardgen.commands.production.stages import load
    from cardgen.game.rule_kinds import load_rules

    found = []
    for name in _asked(project, game):
        loaded = load(name, project=project)
        stated = load_rules(loaded)
        for entry in (*(stated.get("rules") or ()), *(stated.get("deck_rules") or ())):
            own = _is_own(project.paths, str(loaded.rules))
            details = {"game": name, "kind": entry["kind"]}
            found.append(_entry(entry["id"], entry["question"], str(loaded.rules), own, **details))
    return found


def _icons(project: Project, game: str | None) -> Entries:
    from cardgen.art.icons import SHARED, icon_files

    found: dict[str, Entry] = {}
    for folder in (*_asked(project, game), SHARED):
        for name, (root, file) in sorted(icon_files(project.paths, folder).items()):
            owner = None if folder == SHARED else folder
            found.setdefault(file, _entry(name, "", file, root == project.root, game=owner))
    return list(found.values())


def _fonts(project: Project, game: str | None) -> Entries:
    from cardgen.text.fonts import FONT_LIST, read_families

    return [
        _entry(
            family.name,
            "",
            FONT_LIST,
            any(face.path.is_relative_to(project.root / "fonts") for face in family.faces.values()),
            licence=family.licence,
            styles=[face.style for _, face in sorted(family.faces.items())],
            generic=list(family.generic),
        )
        for _, family in sorted(read_families(project.paths).items())
    ]


def _services(project: Project, game: str | None) -> Entries:
    from cardgen.game.facts import load_service

    found = [load_service(project.paths, name) for name in project.services()]
    return [
        _entry(
            service.id,
            service.title,
            file := f"{SERVICES}/{service.id}.yaml",
            _is_own(project.paths, file),
            address=service.address,
            products=len(service.products),
        )
        for service in found
    ]


def _starters(project: Project, game: str | None) -> Entries:
    from cardgen.commands.data.starters import list_starters

    return [
        _entry(starter.name, starter.about, f"starters/{starter.name}/README.md", False)
        for starter in list_starters()
    ]


def _entry(name: str, title: str, file: str, own: bool, **details: Any) -> Entry:
    return {"name": name, "title": title, "file": file, "own": own, "details": details}


def _is_own(paths: ProjectPaths, file: str) -> bool:
    found = paths.find(file)
    return found is not None and found.is_relative_to(paths.roots[0])


KINDS: dict[str, Callable[[Project, str | None], Entries]] = {
    "sizes": _sizes,
    "papers": _papers,
    "layouts": _layouts,
    "icons": _icons,
    "rules": _rules,
    "fonts": _fonts,
    "services": _services,
    "starters": _starters,
}
"""The kinds that can be listed, by the names of their options."""


def offers(project: Project, game: str | None = None) -> Entry:
    """Return the `papers` of a project, its own first, with their upright `size_mm`; the ways in which
    backs are printed (`duplex`); the stored `printers`; the `targets` of exports: programs, then print
    services; the `pieces` and `layouts` that can be added; the project's `defaults`; and if `game` has
    addresses of published spreadsheets, the files (`published`). Raises
    CardgenError with all findings if its papers or layouts can't be read."""
    from cardgen.commands.data.add import KINDS
    from cardgen.commands.data.pull import published_files
    from cardgen.core.sheets import DUPLEX
    from cardgen.exports.exporters import EXPORTERS
    from cardgen.game.facts import load_layouts, load_papers, profile_names

    papers = load_papers(project.paths).values()
    return {
        "printers": profile_names(),
        "published": [] if game not in project.own_games() else list(published_files(project, game)),
        "defaults": {**project_settings(project.paths), "paper": usual_paper(project.paths)},
        "pieces": [kind for kind, about in KINDS.items() if "layout" not in about],
        "layouts": sorted(load_layouts(project.paths)),
        "papers": [{"name": paper.name, "size_mm": _size_mm(paper.size)} for paper in papers],
        "duplex": list(DUPLEX),
        "targets": list(dict.fromkeys((*EXPORTERS, *project.services()))),
    }
