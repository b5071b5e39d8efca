"""Long work on a game, for processes beside the one that shows it: plain data in, plain data out.

Each task is a function from an order (plain data, partly from the page, so every value is checked) to plain
data. Raises CardgenError for errors in files and names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.commands.production.choices import BuildOptions, PressOptions, default_choices
from cardgen.core.findings import CardgenError, UsageError
from cardgen.core.geometry import MM_PER_INCH, MM_PER_PT
from cardgen.core.progress import Listener, tell, told_to
from cardgen.core.sheets import DUPLEX
from cardgen.files.project import Project
from cardgen.workbench import setup_tasks, start_tasks
from cardgen.workbench.states import plain_findings

if TYPE_CHECKING:
    from cardgen.core.game import Game

Order = Mapping[str, Any]
Task = Callable[[Order], dict[str, Any]]

_MOST_NAMES = 2000
_MOST_COMMITS = 50


def run(kind: str, order: Order, progress: Listener) -> dict[str, Any]:
    """Run one task. Raises UsageError for an unknown one."""
    task = TASKS.get(kind)
    if task is None:
        raise UsageError(f"there is no task '{kind}'")
    if kind in JOBS:
        _options(kind, order)
    with told_to(progress):
        return task(order)


# ---------------------------------------------------------------- the values of an order


def _project(order: Order) -> Project:
    return Project.open(_text(order, "project"))


def _game(order: Order, *, partial: bool = False) -> Game:
    """Return an order's game, loaded in its language."""
    from cardgen.commands.production.stages import load

    language = _perhaps(order, "language")
    return load(_text(order, "game"), project=_project(order), language=language, partial=partial)


def _text(order: Order, key: str) -> str:
    value = order.get(key)
    if not isinstance(value, str):
        raise UsageError(f"'{key}' is a text")
    return value


def _perhaps(order: Order, key: str) -> str | None:
    return None if order.get(key) is None else _text(order, key)


def _flag(order: Order, key: str) -> bool:
    value = order.get(key, False)
    if not isinstance(value, bool):
        raise UsageError(f"'{key}' is true or false")
    return value


def _number(order: Order, key: str) -> float:
    value = order.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UsageError(f"'{key}' is a number")
    return value


def _numbers(order: Order, key: str) -> list[float]:
    values = order.get(key)
    if not isinstance(values, list) or len(values) > 6:
        raise UsageError(f"'{key}' are at most six numbers")
    return [_number({key: each}, key) for each in values]


def _names(order: Order, key: str) -> tuple[str, ...]:
    value = order[key]
    if (
        not isinstance(value, list)
        or len(value) > _MOST_NAMES
        or not all(isinstance(each, str) for each in value)
    ):
        raise UsageError(f"'{key}' is a list of names")
    return tuple(value)


def _duplex(order: Order, key: str) -> str:
    value = _text(order, key)
    if value not in DUPLEX:
        raise UsageError(f"'{key}' is one of {', '.join(DUPLEX)}")
    return value


OPTIONS: dict[str, Callable[[Order, str], Any]] = {
    "card": _text,
    "cards": _names,
    "component": _text,
    "components": _names,
    "duplex": _duplex,
    "file": _text,
    "inks": _text,
    "keep_going": _flag,
    "language": _text,
    "layout": _text,
    "licence": _text,
    "link": _text,
    "low_ink": _flag,
    "margin": _number,
    "paper": _text,
    "piece": _text,
    "printer": _text,
    "readings": _numbers,
    "sheets": _names,
    "since": _text,
    "size": _text,
    "standard": _text,
    "to": _text,
    "upload": _number,
}
"""The options of an order, each with the function that reads and checks it."""
JOBS: dict[str, tuple[str, ...]] = {
    "build": (
        *("sheets", "components", "cards", "paper", "duplex"),
        *("low_ink", "language", "keep_going", "since", "printer", "inks", "standard"),
    ),
    "export": ("to", "components", "low_ink", "language"),
    "report": ("language",),
    "proof": ("component", "card", "low_ink", "language"),
    "add": ("piece", "layout", "size", "link"),
    "pull": (),
    "font": ("upload", "file", "licence"),
    "translation": ("to",),
    "calibration": ("paper", "printer", "readings", "margin"),
}
"""The tasks that a page can start, with their options."""


def _options(kind: str, order: Order) -> dict[str, Any]:
    """Return the given options of a task, and the project's defaults for others."""
    names = JOBS[kind]
    usual = default_choices(_project(order), [*({"paper"} & {*names}), "output"])
    return usual | {name: OPTIONS[name](order, name) for name in names if order.get(name) is not None}


# ---------------------------------------------------------------- the tasks


def build(order: Order) -> dict[str, Any]:
    """Build `game` with any of BuildOptions → `files` (path, sheet, pages, bytes), `findings`."""
    from cardgen.commands.build.build import build

    chosen = _options("build", order)
    if order.get("output") is not None:
        chosen["output"] = Path(_text(order, "output"))
    press = _press(chosen.pop("inks", None), chosen.pop("standard", None))
    options = BuildOptions(game=_text(order, "game"), press=press, **chosen)
    result = build(options, project=_project(order))
    names = ("path", "shown", "sheet", "pages", "bytes")
    files = [{name: getattr(each, name) for name in names} for each in result.files]
    return {"files": files, "findings": plain_findings(result.findings)}


def _press(inks: str | None, standard: str | None) -> PressOptions | None:
    """Return the press of a build in CMYK, by one of the standards."""
    if inks in (None, "rgb"):
        return None
    if inks != "cmyk" or standard not in (None, "x4", "x1a"):
        raise UsageError("'inks' is rgb or cmyk, 'standard' x4 or x1a")
    return PressOptions(standard=standard)  # type: ignore[arg-type]


def sheet(order: Order) -> dict[str, Any]:
    """Build one sheet, with boxes for cards in error → `file`, the `pages` (width, height in mm, label) and
    `findings`."""
    import pypdfium2

    made = build({**order, "keep_going": True})
    if not made["files"]:
        raise UsageError("the sheet has no pages")
    path = made["files"][0]["path"]
    with pypdfium2.PdfDocument(path) as pdf:
        pages = [
            {"width": width * MM_PER_PT, "height": height * MM_PER_PT, "label": pdf.get_page_label(number)}
            for number, (width, height) in enumerate(map(pdf.get_page_size, range(len(pdf))))
        ]
    return {"file": path, "pages": pages, "findings": made["findings"]}


def page(order: Order) -> dict[str, Any]:
    """Write a page (`number`, from 0) of the PDF `file` as a PNG, so many `px` wide, to the file `into`."""
    import pypdfium2

    from cardgen.files.writing import write_whole
    from cardgen.pdf.pixels import page_pixels

    width: int = order["px"]
    with pypdfium2.PdfDocument(_text(order, "file")) as pdf:
        each = pdf[order["number"]]
        across, down = each.get_size()
        image = page_pixels(each, (width, max(1, round(width * down / across))), False)
        each.close()
    out = BytesIO()
    image.save(out, "PNG", compress_level=1, dpi=(width / across * 72,) * 2)
    write_whole(Path(_text(order, "into")), lambda file: file.write(out.getvalue()))
    return {"dpi": round(width / (across * MM_PER_PT) * MM_PER_INCH, 1)}


def export(order: Order) -> dict[str, Any]:
    """Export `game` for the target `to` → `files` (path, bytes), `findings`."""
    from cardgen.commands.build.export import ExportOptions, export_to

    options = ExportOptions(game=_text(order, "game"), **_options("export", order))
    result = export_to(options, project=_project(order))
    files = [{"path": each.path, "shown": each.shown, "bytes": each.bytes} for each in result.changed]
    return {"files": files, "findings": plain_findings(result.findings)}


def report(order: Order) -> dict[str, Any]:
    """Write the report of `game` next to its sheets → `files` (path, bytes)."""
    from cardgen.commands.check.check import write_report

    tell("checking", 0, 1)
    project = _project(order)
    usual = default_choices(project, ("output",))
    return {
        "files": _written(write_report(_game(order), project=project, **usual), project),
        "findings": [],
    }


def proof(order: Order) -> dict[str, Any]:
    """Draw both sides of a `card` of a `component` of `game` as PNG → `files` (path, bytes)."""
    from cardgen.commands.build.proofs import proof

    tell("drawing", 0, 1)
    project = _project(order)
    paths = proof(_text(order, "game"), project=project, **_options("proof", order))
    return {"files": _written(paths, project), "findings": []}


def _written(paths: Iterable[Path], project: Project) -> list[dict[str, Any]]:
    return [
        {"path": str(path), "shown": project.show(path), "bytes": path.stat().st_size} for path in paths
    ]


def report_page(order: Order) -> dict[str, Any]:
    """Return the report of `game` → `html`."""
    from cardgen.commands.check.check import make_report

    tell("checking", 0, 1)
    return {"html": make_report(_game(order), "html").decode()}


def rules(order: Order) -> dict[str, Any]:
    """Judge a game's rules, as far as possible → `rules`, `findings`."""
    from cardgen.commands.check.check import judge
    from cardgen.rules.results import explain

    tell("checking", 0, 1)
    game = _game(order, partial=True)
    if game.left_out:
        message = "rules are checked only if the data they use has no errors"
        return {"rules": [], "findings": [], "waits": message}
    try:
        results = judge(game)
    except CardgenError as error:
        return {
            "rules": [],
            "findings": plain_findings(error.findings),
            "waits": "the file of rules has errors",
        }
    entries = [
        {
            "id": each.rule.id,
            "deck": each.rule.deck,
            "title": each.rule.heading.strip(),
            "kind": each.rule.kind,
            "verdict": each.verdict.value,
            "summary": "; ".join(f"{measure.name}: {measure.words}" for measure in each.measures),
            "findings": plain_findings(each.findings),
            "explanation": explain(each),
        }
        for each in results
    ]
    return {"rules": entries, "findings": [], "waits": None}


def check(order: Order) -> dict[str, Any]:
    """Run all of `cardgen check` on a game → `findings`."""
    from cardgen.commands.check.check import CheckOptions, check_game

    tell("checking", 0, 1)
    asked = CheckOptions(_text(order, "game"), language=_perhaps(order, "language"))
    return {"findings": plain_findings(check_game(asked, project=_project(order)).findings)}


def since(order: Order) -> dict[str, Any]:
    """Compare `game` with the git revision `rev` → `commit`, the folder (`root`) with the old project,
    `cards`, `settings` in words, `notes`."""
    from cardgen.commands.compare.differences import differences

    tell("comparing", 0, 1)
    game, low_ink = _game(order, partial=True), _flag(order, "low_ink")
    found = differences(game, _project(order), _text(order, "rev"), low_ink=low_ink)
    plain = found.plain()
    return {
        "commit": found.revision.commit,
        "root": str(found.revision.project.root),
        "cards": plain["cards"],
        "settings": [str(change) for change in found.settings],
        "uncompared": plain["uncompared"],
        "notes": plain_findings([*found.old_findings, *found.findings]),
    }


def revisions(order: Order) -> dict[str, Any]:
    """Return the revisions to compare with: `commits` (commit, short, date, subject), `names`."""
    from cardgen.commands.production.git import Repository

    repository = Repository.of(_project(order).root)
    commits = [
        {"commit": id, "short": id[:10], "date": day, "subject": subject}
        for id, day, subject in repository.history(_MOST_COMMITS)
    ]
    return {"commits": commits, "names": repository.names()}


TASKS: dict[str, Task] = (
    {
        task.__name__: task
        for task in (build, sheet, page, export, proof, report, report_page, rules, check, since, revisions)
    }
    | start_tasks.TASKS
    | setup_tasks.TASKS
)
"""The tasks that can be requested."""
