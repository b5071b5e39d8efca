"""`cardgen new`: a project folder with one small working game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from cardgen.commands.production.editor_files import editor_files, own_schemas
from cardgen.core.findings import UsageError, nearest
from cardgen.core.records import dataclass
from cardgen.files.changes import Changes
from cardgen.files.project import bundled_root, enclosing, scaffold_root, starters_root
from cardgen.files.writing import Output

GAME_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def new_project(
    name: str, parent: Path, *, template: str | None = None, files: Mapping[str, bytes] | None = None
) -> Path:
    """Make the folder `parent/name`, a project with one game whose id is `name`.

    It has a copy of cardgen's schemas, and editor settings that use them.

    Args:
        template: A starter of `cardgen new --list`; the default is a small deck.
        files: The whole game instead of a starter: contents by path in the project.

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
    root = scaffold_root() if template is None else starter_folder(template)
    folder = parent / name
    taken = UsageError(f"'{folder}' exists already", "choose another name, or move it away")
    with Output(folder):
        if folder.exists() and not folder.is_dir():
            raise taken
    if (around := enclosing(folder.parent)) not in (None, bundled_root()):
        raise UsageError(
            f"'{folder}' would be inside the project '{around}'",
            f"go to a folder outside it, or name one: cardgen new {name} --project DIR",
            "usage/nested",
        )
    with Changes(folder) as changes:
        with Output(folder):
            if any(folder.iterdir()):
                raise taken
        for file, content in (_copied(name, root) if files is None else files).items():
            changes.write_bytes(file, content)
        for file, content in (own_schemas() | editor_files()).items():
            changes.write_bytes(file, content)
        changes.commit()
    return folder


def check_game_id(name: str) -> None:
    """Raise UsageError for a name that can't be a game's id, with a valid one."""
    if not GAME_ID.fullmatch(name):
        from cardgen.game.spreadsheets import id_of

        example = id_of(name or "night market")
        hint = f"use letters a to z in lower case, digits and '-' between words, such as {example}"
        raise UsageError(f"'{name}' can't be a game's id", hint)


def _copied(name: str, root: Path) -> dict[str, bytes]:
    """Return the files of a starter or of the scaffold, with the game's name and title in them."""
    title = name.replace("-", " ").title()
    files = {}
    for source in sorted(root.rglob("*")):
        if source.is_file():
            relative = source.relative_to(root).as_posix().replace("__NAME__", name)
            text = source.read_text(encoding="utf-8").replace("__NAME__", name).replace("__TITLE__", title)
            files[relative] = text.encode("utf-8")
    return files


_MOST = 200
"""Most characters of a starter's description: it is one line of a list."""


@dataclass(frozen=True, slots=True)
class Starter:
    """A starter's name, as `--template` takes it, and its description in one sentence."""

    name: str
    about: str


def list_starters() -> list[Starter]:
    """Return all starters, by name. The text below the title of its README describes each."""
    return [Starter(folder.name, _about(folder)) for folder in _folders()]


def starter_folder(name: str) -> Path:
    """Return the folder of a starter. Raises UsageError, with the nearest name, for an unknown one."""
    folders = {folder.name: folder for folder in _folders()}
    if name in folders:
        return folders[name]
    near = nearest(name, folders)
    meant = f"did you mean '{near}'? " if near else ""
    raise UsageError(f"there is no starter '{name}'", f"{meant}list all: cardgen new --list")


def _folders() -> list[Path]:
    return sorted(readme.parent for readme in starters_root().glob("*/README.md"))


def _about(folder: Path) -> str:
    paragraphs = (folder / "README.md").read_text(encoding="utf-8").split("\n\n")
    return " ".join(paragraphs[1].split())[:_MOST]
