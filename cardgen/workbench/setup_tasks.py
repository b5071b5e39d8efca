"""Tasks that add to a game: components, sheets, fonts, languages, and the test page of a printer. Data is
plain, as in module tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from cardgen.commands.production.choices import usual_paper
from cardgen.core.findings import UsageError
from cardgen.core.progress import tell
from cardgen.files.project import Project
from cardgen.workbench.states import plain_findings

Order = Mapping[str, Any]


def add(order: Order) -> dict[str, Any]:
    """Add a component of the kind `piece`, filled from the published spreadsheet at `link` if there is one,
    or a sheet with the `layout`, to `game` → `files`, `findings`."""
    from cardgen.commands.data.add import add_component, add_sheet
    from cardgen.commands.data.pull import checked_link

    tell("adding", 0, 1)
    project, game = Project.open(order["project"]), order["game"]
    if order.get("layout"):
        added = add_sheet(order["layout"], game, project=project)
    elif order.get("piece"):
        link = checked_link(order["link"]) if order.get("link") else None
        added = add_component(order["piece"], game, project=project, size=order.get("size"), source=link)
    else:
        raise UsageError("name the component or the layout to add")
    return {"files": _files(project, added.files), "findings": plain_findings(added.findings)}


def pull(order: Order) -> dict[str, Any]:
    """Download the published spreadsheets of `game` again → the `files` that changed, `findings`."""
    from cardgen.commands.data.pull import pull as download

    tell("downloading", 0, 1)
    project = Project.open(order["project"])
    pulled = download(order["game"], project=project)
    return {
        "files": _files(project, [each.file for each in pulled if each.is_changed]),
        "findings": plain_findings(finding for each in pulled for finding in each.findings),
    }


def font(order: Order) -> dict[str, Any]:
    """Add the font `file`, in the server's own folder, to the project → `files`."""
    from cardgen.commands.data.fonts import add_font

    tell("adding", 0, 1)
    project = Project.open(order["project"])
    added = add_font(Path(order["file"]), project, licence=order.get("licence"))
    return {"files": _files(project, [added.file]), "findings": []}


def translation(order: Order) -> dict[str, Any]:
    """Add the `language` to `game` unless it has it, and update its file of texts → `files`."""
    from cardgen.commands.data.game_file import GameFile
    from cardgen.commands.data.translate import translate
    from cardgen.files.changes import Changes

    tell("collecting texts", 0, 1)
    project, game, language = Project.open(order["project"]), order["game"], order["to"]
    manifest = GameFile.of(project, game)
    languages = manifest.data.setdefault("languages", {})
    files = []
    if isinstance(languages, dict) and language not in languages:
        languages[language] = {}
        with Changes(project.root) as changes:
            changes.write_bytes(manifest.file, manifest.text().encode("utf-8"))
            changes.commit()
        files.append(manifest.file)
    states = translate(game, [language], project=project)
    files += [each.file for each in states if each.changed]
    return {
        "files": _files(project, files),
        "findings": plain_findings(f for s in states for f in s.findings),
    }


def calibration(order: Order) -> dict[str, Any]:
    """Write the test page for a printer, or store the numbers that were read from it (`readings`, mm) under
    the name `printer` → `files`."""
    from cardgen.commands.build.proofs import calibrate, store_calibration

    project = Project.open(order["project"])
    paper = order.get("paper") or usual_paper(project.paths)
    readings, printer = order.get("readings"), order.get("printer")
    if printer is None:
        path = calibrate(paper=paper, project=project)
        return {"files": [_file(project, path)], "findings": []}
    if not readings and order.get("margin") is None:
        raise UsageError("type what you read from the test page")
    if readings and len(readings) not in (4, 6):
        raise UsageError("type x and y of two targets, or of three")
    numbers = tuple(readings) if readings else None
    store_calibration(printer, numbers, margin=order.get("margin"), paper=paper, project=project)
    return {"files": [], "findings": []}


def _files(project: Project, files: Iterable[str]) -> list[dict[str, Any]]:
    return [_file(project, project.root / file) for file in files]


def _file(project: Project, path: Path) -> dict[str, Any]:
    return {"path": str(path), "shown": project.show(path), "bytes": path.stat().st_size}


TASKS: dict[str, Callable[[Order], dict[str, Any]]] = {
    task.__name__: task for task in (add, pull, font, translation, calibration)
}
