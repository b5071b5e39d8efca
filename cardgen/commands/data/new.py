"""`cardgen new`: a project folder with one small working game."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from cardgen.commands.data.starters import starter_files
from cardgen.commands.production.editor_files import editor_files, schema_copies
from cardgen.core.findings import UsageError, did_you_mean
from cardgen.core.geometry import Size
from cardgen.core.paths import ProjectPaths
from cardgen.files.changes import Changes
from cardgen.files.project import SETTINGS, bundled_root, enclosing
from cardgen.files.writing import Output

GAME_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def new_project(
    name: str,
    parent: Path,
    *,
    template: str | None = None,
    files: Mapping[str, bytes] | None = None,
    instead: str | None = None,
    paper: str | None = None,
) -> Path:
    """Make the folder `parent/name`, a project with one game whose id is `name`.

    It has a copy of cardgen's schemas, and editor settings that use them.

    Args:
        template: A starter of `cardgen new --list`; the default is a small deck.
        files: The whole game instead of a starter: contents by path in the project.
        instead: The command that adds the same to an existing project, if it isn't a starter's.
        paper: The project's paper, written to its cardgen.yaml.

    Returns:
        The project's folder.

    Raises:
        UsageError: The name is no id, the starter is unknown, the folder exists and is not empty, or it
            would lie in another project.

    Example:
        from pathlib import Path

        folder = cardgen.new_project("night-market", Path.cwd())
        print(cardgen.Project.open(folder).games())
    """
    check_game_id(name)
    copied = starter_files(name, template) if files is None else files
    folder = parent / name
    taken = UsageError(f"'{folder}' exists already", "choose another name, or move it away")
    with Output(folder):
        if folder.exists() and not folder.is_dir():
            raise taken
    if instead is None:
        instead = f"cardgen add cards --template {template}" if template else "cardgen add cards"
    if (around := enclosing(folder.parent)) not in (None, bundled_root()):
        raise UsageError(
            f"'{folder}' would be inside the project '{around}'",
            f"go to a folder outside it, or add to that project: {instead}",
            "usage/nested",
        )
    with Changes(folder) as changes:
        with Output(folder):
            if any(folder.iterdir()):
                raise taken
        for file, content in copied.items():
            changes.write_bytes(file, content)
        if paper is not None:
            changes.write_bytes(SETTINGS, f"{NO_SETTINGS}paper: {paper}\n".encode())
        for file, content in (schema_copies() | editor_files()).items():
            changes.write_bytes(file, content)
        changes.commit()
    return folder


NO_SETTINGS = """\
# yaml-language-server: $schema=schemas/project.schema.json
# Defaults of all commands in this project: paper, printer, language, output.
"""
"""How a `cardgen.yaml` begins."""
_LETTER = frozenset(("US", "CA", "MX", "United States", "Canada", "Mexico"))
"""Territories in which printers hold US Letter (CLDR, paper sizes of territories)."""


def local_paper() -> str | None:
    """Return the paper of the user's locale: `LC_ALL`, `LC_PAPER` or `LANG`, or else the system's."""
    import locale

    names = (os.environ.get(name) for name in ("LC_ALL", "LC_PAPER", "LANG"))
    return paper_of(next((name for name in names if name), locale.getlocale()[0] or ""))


def paper_of(locale: str) -> str | None:
    """Return the paper of the territory in a locale, such as `de_AT.UTF-8` or `English_Canada`; None
    without a territory."""
    territory = re.split("[.@]", locale)[0].partition("_")[2]
    return None if not territory else "letter" if territory in _LETTER else "a4"


def check_game_id(name: str) -> None:
    """Raise UsageError for a name that can't be a game's id, with a valid one."""
    if not GAME_ID.fullmatch(name):
        from cardgen.game.spreadsheets import id_of

        example = id_of(name or "night market")
        hint = f"use letters a to z in lower case, digits and '-' between words, such as {example}"
        raise UsageError(f"'{name}' can't be a game's id", hint)


def suggested_id(file: str) -> str:
    """Return an id for a game made from a file of that name."""
    from cardgen.game.spreadsheets import id_of

    name = id_of(Path(file).stem)[:40].strip("-")
    return name if GAME_ID.fullmatch(name) else "my-game"


_MEASURES = re.compile(r"(\d{1,4}(?:\.\d+)?)x(\d{1,4}(?:\.\d+)?)mm")

SIDES = re.compile(r"(\d{1,4}(?:\.\d+)?)(?:\s*[x×]\s*(\d{1,4}(?:\.\d+)?)?|\s*mm)")


def size_called(name: str, paths: ProjectPaths) -> Size:
    """Return a size of a project, mm, upright; or that of `60x90mm`. Raises UsageError for others."""
    from cardgen.game.facts import load_sizes

    if measures := _MEASURES.fullmatch(name):
        return Size(float(measures[1]), float(measures[2]))
    sizes = {id: fact.size for id, fact in load_sizes(paths).items()}
    names = "list all: cardgen list --sizes"
    if name not in sizes:
        meant = did_you_mean(name, sizes)
        if sides := SIDES.match(name):
            meant = f"did you mean '{sides[1]}x{sides[2] or sides[1]}mm'?"
        raise UsageError(f"there is no size '{name}'", f"{meant} {names}" if meant else names)
    return sizes[name].upright
