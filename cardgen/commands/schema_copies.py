"""The copies of cardgen's own schemas in a project, which are for editors alone.

What cardgen itself reads are its own, whatever lies in the project. So a copy of an older version breaks
nothing; but an editor goes by it, marks as wrong what has become right, and does not offer what is new.
"""

from __future__ import annotations

import os

from cardgen.commands.editor_files import editor_files
from cardgen.findings import Findings, Location, UsageError
from cardgen.model.game import ProjectPaths
from cardgen.project import Project, bundled_root
from cardgen.storage.changes import Changes
from cardgen.storage.reading import SCHEMA, ReadingError, is_there, read_file
from cardgen.storage.walking import names_in

FOLDER = "schemas"
_NAMED = 3
"""Most files that the note names."""


def own_schemas() -> dict[str, bytes]:
    """cardgen's own schemas, by where a project's copies of them lie."""
    root = bundled_root()
    found = [f"{FOLDER}/{name}" for name in names_in(root / FOLDER, FOLDER, [root], ".json")]
    return {file: read_file(root / file, SCHEMA, file, [root]) for file in found}


def older_copies(paths: ProjectPaths) -> list[str]:
    """The copies in a project that are not what cardgen's own schemas say now, sorted."""
    root = paths.roots[0]
    return (
        []
        if root == bundled_root()
        else [file for file, own in own_schemas().items() if _differs(paths, file, own)]
    )


def _differs(paths: ProjectPaths, file: str, own: bytes) -> bool:
    place = paths.roots[0] / file
    if not is_there(place):
        return False
    try:
        copy = read_file(place, SCHEMA, file, paths.roots)
    except ReadingError:
        return True
    return copy.splitlines() != own.splitlines()  # git may have turned the line ends


def check_copies(paths: ProjectPaths, findings: Findings) -> None:
    """Add one note if the project has copies of another version's schemas."""
    older = older_copies(paths)
    if older:
        names = ", ".join(os.path.basename(file) for file in older[:_NAMED])
        more = f" and {len(older) - _NAMED} more" if len(older) > _NAMED else ""
        message = (
            f"copies of another version's schemas: {names}{more}; editors go by them, cardgen does not"
        )
        findings.note("schema/copy", message, Location(older[0]), "renew them: cardgen new --refresh")


def refresh_project(project: Project | None = None) -> list[str]:
    """Bring a project's copies of cardgen's schemas up to date, and add settings for editors where there
    are none; returns the files written, relative to the project. Settings that are there stay.

    Raises UsageError for what is no project of the user's own, CardgenError where files can't be written.
    """
    project = project or Project.open()
    if project.root == bundled_root():
        raise UsageError("these are cardgen's own schemas", "go to a project of your own")
    games = project.own_games()
    if not games:
        hint = "go to a project's folder, or start one: cardgen new NAME"
        raise UsageError("there is no project here", hint)
    older = set(older_copies(project.paths))
    wanted = {
        file: own
        for file, own in own_schemas().items()
        if file in older or not is_there(project.root / file)
    }
    wanted |= {file: text for file, text in editor_files().items() if not is_there(project.root / file)}
    with Changes(project.root) as changes:
        for file, content in sorted(wanted.items()):
            changes.write_bytes(file, content)
        changes.commit()
    return sorted(wanted)
