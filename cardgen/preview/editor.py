"""Where a file is opened at a line: an address for Visual Studio Code, or the designer's own command."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from cardgen.findings import UsageError
from cardgen.project import INPUT_FOLDERS, Project
from cardgen.storage.reading import is_inside

WORKBOOKS = (".xlsx", ".ods")
"""The endings of files that no editor of text opens."""
VARIABLE = "CARDGEN_EDITOR"
"""The environment's variable for a command such as `code -g {file}:{line}:{column}`."""


def open_place(
    project: Project, file: str, line: int, column: int, environment: Mapping[str, str] | None = None
) -> dict[str, object]:
    """Open one of the project's input files: `{"opened": True}` if a command of the designer's did, or
    `{"url": …}` for the browser. Raises UsageError for a file that is no part of the project, and for a
    command that can't be run."""
    found = _found(project, file)
    if found.suffix.lower() in WORKBOOKS:
        raise UsageError("open it in your spreadsheet program")
    command = (os.environ if environment is None else environment).get(VARIABLE, "").strip()
    if not command:
        return {"url": f"vscode://file{quote(_absolute(found))}:{line}:{column}"}
    try:
        words = [
            word.replace("{file}", str(found)).replace("{line}", str(line)).replace("{column}", str(column))
            for word in shlex.split(command)
        ]
        # No shell: whatever a file is called, it is one word.
        subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        hint = "an editor's command with its place: code -g {file}:{line}:{column}"
        raise UsageError(f"${VARIABLE} can't be run: {error}", hint) from None
    return {"opened": True}


def _absolute(path: Path) -> str:
    """With one slash in front, as addresses have it."""
    text = path.as_posix()
    return text if text.startswith("/") else f"/{text}"


def _found(project: Project, file: str) -> Path:
    parts = file.split("/")
    found = None
    if parts[0] in INPUT_FOLDERS and not {"", ".", ".."} & set(parts) and "\\" not in file:
        found = project.paths.find(file)
    if (
        found is None
        or not os.path.isfile(found)
        or not is_inside(os.path.realpath(found), project.paths.roots)
    ):
        raise UsageError(f"the project has no file '{file}'")
    return found
