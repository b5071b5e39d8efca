"""What `cardgen list --sizes` and the like tell: what a project's files can name, as plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

from cardgen.model.game import ProjectPaths
from cardgen.project import SERVICES, Project

if TYPE_CHECKING:
    from cardgen.loading.facts import Measured

Entries = list["CatalogueEntry"]


class CatalogueEntry(TypedDict):
    """Something to name: its `name`, what it is in words (`title`, which may be empty), the `file` that
    says so, relative to the project or to what comes with cardgen, and whether that is the project's `own`.
    What is particular to its kind stands in `details`."""

    name: str
    title: str
    file: str
    own: bool
    details: dict[str, Any]


def catalogue(kind: str, project: Project | None = None, game: str | None = None) -> Entries:
    """What there is of a kind of KINDS. Icons are those of a `game`, or of all games meant where none is
    named, and those of all games.

    Raises UsageError for a game that there is not, CardgenError where files can't be read.
    """
    project = project or Project.open()
    if game is not None and game not in project.games():
        from cardgen.commands.choices import must_exist

        must_exist("game", game, project.games())
    return KINDS[kind](project, game)


def _sizes(project: Project, game: str | None) -> Entries:
    from cardgen.loading.facts import SIZES, load_sizes

    return _measured(load_sizes(project.paths), SIZES)


def _papers(project: Project, game: str | None) -> Entries:
    from cardgen.loading.facts import PAPERS, load_paper_facts

    return _measured(load_paper_facts(project.paths), PAPERS)


def _measured(facts: Mapping[str, Measured], file: str) -> Entries:
    return [
        _entry(
            name,
            fact.title,
            file,
            fact.own,
            size_mm=[round(fact.size.width, 3), round(fact.size.height, 3)],
        )
        for name, fact in facts.items()
    ]


def _layouts(project: Project, game: str | None) -> Entries:
    from cardgen.loading.facts import SHEETS, load_layouts

    return [
        _entry(
            layout.name,
            layout.title,
            file := f"{SHEETS}/{layout.name}.yaml",
            _is_own(project.paths, file),
            grid=list(layout.grid) if isinstance(layout.grid, tuple) else layout.grid,
            duplex=layout.duplex,
            bleed_mm=round(layout.bleed, 3),
            gutter_mm=round(layout.gutter, 3),
        )
        for _, layout in sorted(load_layouts(project.paths).items())
    ]


def _icons(project: Project, game: str | None) -> Entries:
    from cardgen.rendering.icons import SHARED, icon_files

    if game is not None:
        games: Sequence[str] = [game]
    else:
        own = project.own_games()
        games = project.games_here() if own else []
    found: dict[str, CatalogueEntry] = {}
    for folder in (*games, SHARED):
        for name, (root, file) in sorted(icon_files(project.paths, folder).items()):
            owner = None if folder == SHARED else folder
            found.setdefault(file, _entry(name, "", file, root == project.root, game=owner))
    return list(found.values())


def _fonts(project: Project, game: str | None) -> Entries:
    from cardgen.typesetting.font_list import FONT_LIST, read_families

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
    from cardgen.loading import load_service

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
    from cardgen.commands.starters import list_starters

    return [
        _entry(starter.name, starter.about, f"starters/{starter.name}/README.md", False)
        for starter in list_starters()
    ]


def _entry(name: str, title: str, file: str, own: bool, **details: Any) -> CatalogueEntry:
    return {"name": name, "title": title, "file": file, "own": own, "details": details}


def _is_own(paths: ProjectPaths, file: str) -> bool:
    found = paths.find(file)
    return found is not None and found.is_relative_to(paths.roots[0])


KINDS: dict[str, Callable[[Project, str | None], Entries]] = {
    "sizes": _sizes,
    "papers": _papers,
    "layouts": _layouts,
    "icons": _icons,
    "fonts": _fonts,
    "services": _services,
    "starters": _starters,
}
"""What can be listed, by the name of its option."""
