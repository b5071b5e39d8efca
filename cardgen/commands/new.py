"""`cardgen new`: a project folder with one small working game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from cardgen.commands.editor_files import editor_files
from cardgen.commands.schema_copies import own_schemas
from cardgen.commands.starters import starter_folder
from cardgen.findings import UsageError
from cardgen.project import bundled_root, enclosing, scaffold_root
from cardgen.storage.changes import Changes
from cardgen.storage.files import Output

GAME_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def new_project(
    name: str, parent: Path, *, template: str | None = None, files: Mapping[str, bytes] | None = None
) -> Path:
    """Make the folder `parent/name`, a project whose one game has the id `name`; returns the folder.

    The game is a first small deck, or the starter `template`, or consists of these `files`. Raises
    UsageError if the name is no id, there is no such starter, the folder exists and is not empty, or it
    would lie in another project, where commands could not tell which is meant. The project gets a copy of
    cardgen's own schemas, so that an editor finds what the game's schemas refer to, and settings for
    editors.
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
            f"'{folder}' would lie in the project '{around}'",
            "go to a folder outside of it, or name one: --project DIR",
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
    """Raise UsageError for a name that can't be a game's id, with one that can."""
    if not GAME_ID.fullmatch(name):
        from cardgen.loading.spreadsheets import id_of

        example = id_of(name or "night market")
        hint = f"use letters a to z in lower case, digits and '-' between words, such as {example}"
        raise UsageError(f"'{name}' can't be a game's id", hint)


def _copied(name: str, root: Path) -> dict[str, bytes]:
    """The files of a starter or of the scaffold, with the game's name and title in them."""
    title = name.replace("-", " ").title()
    files = {}
    for source in sorted(root.rglob("*")):
        if source.is_file():
            relative = source.relative_to(root).as_posix().replace("__NAME__", name)
            text = source.read_text(encoding="utf-8").replace("__NAME__", name).replace("__TITLE__", title)
            files[relative] = text.encode("utf-8")
    return files
