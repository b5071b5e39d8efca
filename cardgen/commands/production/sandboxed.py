"""`--sandboxed`: run one of our commands confined, with only the files that it needs.

The command line is interpreted here before any file of the game is read: which folders the command reads,
which one it writes to. Links that lead out of a project are not followed. A confined process can't run git,
so this module extracts an earlier commit into a private folder.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cardgen.commands.production.git import GIVEN, given_to
from cardgen.commands.production.trust import Sandbox, trusting, untrusted
from cardgen.core.budget import BUDGET_VARIABLE
from cardgen.core.findings import CardgenError, Finding, Location, Severity, UsageError
from cardgen.files import confinement, confinement_limits, plugins
from cardgen.files.confinement_limits import Held, Limits, Places
from cardgen.files.project import INPUT_FOLDERS, SETTINGS, Project, bundled_root
from cardgen.files.reading import PACKAGE, is_there
from cardgen.files.table_formats import FORMATS
from cardgen.files.writing import config_folder

_ID = re.compile(r"[a-z0-9][a-z0-9_-]*")
_WRITING = frozenset({"build", "export", "report", "proof", "playtest"})
"""The commands that write into OUTPUT/GAME."""
_NAMING = {"diff": ("html", "changes.html"), "table": ("output", "{}{}")}
"""The commands that write a file in OUTPUT/GAME if an option names it, and its usual name."""


def run_confined(arguments: Sequence[str], options: Mapping[str, Any], sandbox: Sandbox) -> int:
    """Run the command line `arguments`, whose parsed form is `options`, confined; return its exit code.

    Raises UsageError for options that can't be confined, CardgenError if the output folder is reached by a
    link in the project, and if the command crashed or exceeded its limits.
    """
    project = Project.open(options.get("project"))
    refusal = _refusal(project, options)
    if refusal is not None:
        problem, hint = refusal
        if sandbox.reason is None:
            raise UsageError(problem, hint)
        raise untrusted(sandbox.reason, problem, hint, arguments)
    limits = Limits.stated(budget=options.get("budget") or os.environ.get(BUDGET_VARIABLE))
    folders = _outputs(project, options)
    made = [folder for folder in folders if _make(folder)]
    try:
        with _revision(project, options) as earlier:
            if sandbox.reason is not None:
                more = f"; if you trust the game: {trusting(arguments)}"
                sys.stderr.write(f"sandboxed because {sandbox.reason}{more}\n")
                sys.stderr.flush()
            return confinement.run(
                ("-m", "cardgen", *arguments),
                Places((*_reads(project, options), *earlier), tuple(map(str, folders))),
                limits=limits,
                variables={
                    "CARDGEN_CONFIG": str(config_folder()),
                    BUDGET_VARIABLE: limits.as_budget,
                    GIVEN: "".join(earlier),
                    plugins.VARIABLE: ",".join(plugins.named()),
                },
            )
    finally:
        for folder in made:
            _remove_if_empty(folder)


@contextmanager
def _revision(project: Project, options: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield the folder with the commit that a command compares with; none without a comparison."""
    since = options.get("since")
    if since is None or options.get("deck"):  # the command rejects both
        yield ()
        return
    with given_to(project, since) as folder:
        yield (str(folder),)


def confinement_line() -> str:
    """Return the limits that --sandboxed enforces on this system, as a line. Raises OSError if unknown."""
    limits = Limits.stated()
    held: Held = confinement.available(limits)
    return held.line(limits)


def _refusal(project: Project, options: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the problem and the hint of options that a confined process can't support."""
    command, game = options["command"], options.get("game")
    if options.get("jobs", 1) != 1:
        return "--sandboxed allows one process, and --jobs needs more", "remove --jobs"
    if options.get("cluster"):
        return "--sandboxed allows no other processes, and --cluster needs them", "remove --cluster"
    if command == "build" and options.get("all"):
        return "--sandboxed builds one game at a time", "name a game, and remove --all"
    for name in ("install", "tts_dir"):
        if options.get(name):
            option = name.replace("_", "-")
            return (
                f"--{option} writes outside the output folder, which --sandboxed does not allow",
                f"export without --{option}, look at the files, then copy them",
            )
    if command in ("reference", "translate") and not options.get("check") and options.get("output"):
        return (
            "with --sandboxed, a card reference can only be written to its default place",
            "remove --output",
        )
    if (command == "schema" or options.get("source")) and not options["dry_run"]:
        return (
            f"`cardgen {command}` changes the project's files, which --sandboxed does not allow",
            "see the changes with --dry-run",
        )
    if command in _NAMING and isinstance(game, str) and _ID.fullmatch(game):
        option, usual = _NAMING[command]
        file, folder = options.get(option), project.output(game)
        if command == "table" and options.get("to"):
            ending = f".{options['to']}"
            kind = ending if FORMATS[ending].has_sheets else f"-{options['to']}"
            usual, file = usual.format(game, kind), file or "."
        if file and not Path(os.path.abspath(file)).is_relative_to(folder.absolute()):
            place = os.path.relpath(folder / usual)
            message = f"with --sandboxed, `cardgen {command}` writes below {os.path.relpath(folder)} only"
            return message, f"name such a file: --{option} {place}"
    return None


def _reads(project: Project, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the files and folders that a command reads."""
    places = [root / folder for root in project.paths.roots for folder in INPUT_FOLDERS]
    found = [str(place) for place in places if place.exists() and _stays(place, place.parent)]
    if is_there(project.root / SETTINGS) and _stays(project.root / SETTINGS, project.root):
        found.append(str(project.root / SETTINGS))
    named = options.get("deck") or []
    named = [named] if isinstance(named, str) else list(named)
    if options.get("check"):  # the reference to compare with
        named.append(options.get("output") or "")
    if options["command"] == "preflight":
        named.append(options["file"])
    for name in (*named, options.get("source") or ""):
        path = Path(name)
        inside = path.absolute().is_relative_to(project.root)
        exists = path.is_file() or (path.is_dir() and name == options.get("source"))
        if exists and (not inside or _stays(path, project.root)):
            found.append(str(path.absolute()))
    settings = config_folder()
    if options.get("printer") and settings is not None:
        found.append(str(settings / "printers"))
    private = [Path.cwd(), Path.home(), project.root]
    if bundled_root() == PACKAGE.parent:  # a checkout, including the developer's files
        private.append(PACKAGE.parent)
    code = [plugins.code_files(each.top) for each in plugins.usable()] if plugins.named() else []
    return (
        *found,
        *(file for files in code for file in files),
        *confinement_limits.python_files(private),
        *confinement_limits.system_files(),
    )


def _outputs(project: Project, options: Mapping[str, Any]) -> list[Path]:
    """Return the folders that a command writes to; none if it writes nothing, or names no game.

    Raises CardgenError for a folder that a link in the pack leads to, such as `output -> .git`.
    """
    command = options["command"]
    if command in ("reference", "translate"):
        return [] if options.get("check") else _reference_folders(project, options)
    game = options.get("game")
    names_file = command in _NAMING and (options.get("html") or options.get("to"))
    if not (command in _WRITING or names_file) or not isinstance(game, str) or not _ID.fullmatch(game):
        return []
    folder = project.output(game, None if names_file else options.get("output")).absolute()
    top = project.root if folder.is_relative_to(project.root) else folder.parent
    if not _without_links(folder, top):
        message = "a link here leads outside the folder, and may come from the game's pack"
        hint = "delete the link, or set another folder with --output"
        place = Location(folder.as_posix())
        raise CardgenError(Finding(Severity.ERROR, "output/outside", message, place, hint))
    return [folder, *(_reference_folders(project, options) if command == "playtest" else ())]


def _reference_folders(project: Project, options: Mapping[str, Any]) -> list[Path]:
    """Return the output folders of card references, translations and playtests: that of the game's data."""
    folders = [
        project.root / "data" / game
        for game in options.get("games") or [options["game"]]
        if _ID.fullmatch(game)
    ]
    return [folder for folder in folders if folder.is_dir() and _without_links(folder, project.root)]


def _stays(path: Path, top: Path) -> bool:
    """Return True if a path, with all links resolved, is in `top`."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(top))


def _without_links(path: Path, top: Path) -> bool:
    """Return True if no part of a path below `top` is a link."""
    return os.path.realpath(path) == os.path.join(os.path.realpath(top), path.relative_to(top))


def _make(folder: Path) -> bool:
    """Make a folder, since the confined process can't write above it; return True if one was made. If that
    fails, the command itself reports it."""
    if folder.is_dir():
        return False
    try:
        folder.mkdir(parents=True)
    except OSError:
        return False
    return True


def _remove_if_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        return
