"""`cardgen new`: a project folder with one small working game."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from cardgen.findings import CardgenError, Finding, Severity, UsageError
from cardgen.project import bundled_root, scaffold_root

GAME_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def new_project(name: str, parent: Path) -> Path:
    """Make the folder `parent/name`, a project whose one game has the id `name`; returns the folder.

    Raises UsageError if the name is no id or the folder exists and is not empty. The project gets a
    copy of cardgen's own schemas, so that an editor finds what the game's schemas refer to.
    """
    if not GAME_ID.fullmatch(name):
        raise UsageError(
            f"'{name}' can't be a game's id",
            "use lower-case words and digits joined by '-', such as night-market",
        )
    folder = parent / name
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"'{folder}' exists already", "choose another name, or move it away")
    try:
        _copy(folder, name)
    except OSError as error:
        message = f"can't write the project folder '{folder}': {error.strerror or error}"
        raise CardgenError(Finding(Severity.ERROR, "output/unwritable", message)) from None
    return folder


def _copy(folder: Path, name: str) -> None:
    title = name.replace("-", " ").title()
    for source in sorted(scaffold_root().rglob("*")):
        if source.is_file():
            relative = Path(str(source.relative_to(scaffold_root())).replace("__NAME__", name))
            text = source.read_text(encoding="utf-8").replace("__NAME__", name).replace("__TITLE__", title)
            target = folder / relative
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
    for schema in sorted((bundled_root() / "schemas").glob("*.json")):
        shutil.copyfile(schema, folder / "schemas" / schema.name)
