"""`--sandboxed`: a command of ours run confined, with just the files that it needs.

What the command line says is decided here before any file of the game is read: which folders the
command reads, which one it writes to. Links that lead out of a project are not followed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cardgen import confinement
from cardgen.budget import BUDGET_VARIABLE
from cardgen.confinement import Held, Limits, Places
from cardgen.findings import CardgenError, Finding, Location, Severity, UsageError
from cardgen.project import INPUT_FOLDERS, Project, bundled_root
from cardgen.storage.folders import config_folder
from cardgen.storage.reading import PACKAGE

_ID = re.compile(r"[a-z0-9][a-z0-9_-]*")
_WRITING = frozenset({"build", "export", "report", "proof"})
"""The commands that write into OUTPUT/GAME."""


def run_confined(arguments: Sequence[str], options: Mapping[str, Any]) -> int:
    """Run the command line `arguments`, whose parsed form is `options`, confined; returns its exit code.

    Raises UsageError for what can't be done confined, CardgenError if the output folder is reached by a
    link in the project, and if the command crashed or took more than its limits.
    """
    _refuse(options)
    limits = Limits.stated(budget=options.get("budget") or os.environ.get(BUDGET_VARIABLE))
    project = Project.open(options.get("project"))
    folders = _outputs(project, options)
    made = [folder for folder in folders if _make(folder)]
    try:
        return confinement.run(
            ("-m", "cardgen", *arguments),
            Places(_reads(project, options), tuple(map(str, folders))),
            limits=limits,
            variables={"CARDGEN_CONFIG": str(config_folder()), BUDGET_VARIABLE: limits.as_budget},
            strict=options.get("sandboxed") == "strict",
        )
    finally:
        for folder in made:
            _remove_if_empty(folder)


def confinement_line() -> str:
    """What --sandboxed holds on this system, in a line. Raises OSError if it can't be found out."""
    limits = Limits.stated()
    held: Held = confinement.available(limits)
    return held.line(limits)


def _refuse(options: Mapping[str, Any]) -> None:
    """Raise UsageError for options that need more than a confined process may do."""
    if options.get("jobs", 1) != 1:
        raise UsageError(
            "--jobs draws in processes of its own, and --sandboxed allows one", "leave one out"
        )
    if options.get("changed_since"):
        message = "--changed-since runs git, and --sandboxed allows no other program"
        raise UsageError(message, "leave one out")
    for name in ("install", "tts_dir"):
        if options.get(name):
            option = name.replace("_", "-")
            raise UsageError(
                f"--{option} writes outside the output folder, which --sandboxed does not allow",
                f"export without --{option}, look at the files, then copy them",
            )


def _reads(project: Project, options: Mapping[str, Any]) -> tuple[str, ...]:
    """The files and folders that a command reads."""
    places = [root / folder for root in project.paths.roots for folder in INPUT_FOLDERS]
    found = [str(place) for place in places if place.exists() and _stays(place, place.parent)]
    named = options.get("deck") or []
    named = [named] if isinstance(named, str) else list(named)
    if options.get("check"):  # the reference to compare with
        named.append(options.get("output") or "")
    for name in named:
        path = Path(name)
        inside = path.absolute().is_relative_to(project.root)
        if path.is_file() and (not inside or _stays(path, project.root)):
            found.append(str(path.absolute()))
    settings = config_folder()
    if options.get("printer") and settings is not None:
        found.append(str(settings / "printers"))
    private = [Path.cwd(), Path.home(), project.root]
    if bundled_root() == PACKAGE.parent:  # a checkout, with all that a developer keeps in it
        private.append(PACKAGE.parent)
    return (*found, *confinement.python_files(private), *confinement.system_files())


def _outputs(project: Project, options: Mapping[str, Any]) -> list[Path]:
    """The folders that a command writes to; none if it writes nothing, or names no game.

    Raises CardgenError for a folder that a link in the pack leads to, such as `output -> .git`.
    """
    command = options["command"]
    if command in ("reference", "translate"):
        return [] if options.get("check") else _reference_folders(project, options)
    game = options.get("game")
    if command not in _WRITING or not isinstance(game, str) or not _ID.fullmatch(game):
        return []
    folder = project.output(game, options.get("output")).absolute()
    top = project.root if folder.is_relative_to(project.root) else folder.parent
    if not _without_links(folder, top):
        message = "a link leads from here to elsewhere, and the game's pack may have brought it"
        hint = "delete the link, or say with --output where files are to go"
        place = Location(folder.as_posix())
        raise CardgenError(Finding(Severity.ERROR, "output/outside", message, place, hint))
    return [folder]


def _reference_folders(project: Project, options: Mapping[str, Any]) -> list[Path]:
    """A card reference and translations are written beside the game's data, whose folder is then the output
    folder."""
    if options.get("output"):
        raise UsageError(
            "with --sandboxed a card reference is written to its own place only", "leave --output out"
        )
    folders = [
        project.root / "data" / game
        for game in options.get("games") or [options["game"]]
        if _ID.fullmatch(game)
    ]
    return [folder for folder in folders if folder.is_dir() and _without_links(folder, project.root)]


def _stays(path: Path, top: Path) -> bool:
    """Whether a path leads, after all links, to something in `top`."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(top))


def _without_links(path: Path, top: Path) -> bool:
    """Whether no part of a path is a link, once one is in `top`."""
    return os.path.realpath(path) == os.path.join(os.path.realpath(top), path.relative_to(top))


def _make(folder: Path) -> bool:
    """Make a folder, for what is above it is not the confined process's; whether one was made. Where
    that fails, the command itself finds it out and says so."""
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
