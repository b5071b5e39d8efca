"""Files for editors in a project: settings, tasks and copies of cardgen's schemas."""

from __future__ import annotations

import os

from cardgen.core.findings import Findings, Location, UsageError
from cardgen.core.paths import ProjectPaths
from cardgen.files.changes import Changes
from cardgen.files.listing import names_in
from cardgen.files.project import Project, bundled_root
from cardgen.files.reading import SCHEMA, ReadingError, is_there, read_bundled, read_file
from cardgen.game.rule_kinds import SCHEMA_OF_RULES, with_plugin_kinds

SETTINGS = ("settings.json", "tasks.json", "extensions.json")
"""Settings of editors for a project. Card data have the schema of their game, which their first line
names. Each severity has its own problem matcher, since an editor can't read it from the middle of a
line; findings at a line and those about a whole file have separate ones too."""


def editor_files() -> dict[str, bytes]:
    """Return the settings of editors, by their places in a project."""
    return {f".vscode/{name}": read_bundled("commands/vscode", name) for name in SETTINGS}


FOLDER = "schemas"
_NAMED = 3
"""Most files that the note names."""


def own_schemas() -> dict[str, bytes]:
    """Return cardgen's own schemas, by the paths of their copies in a project."""
    root = bundled_root()
    found = [f"{FOLDER}/{name}" for name in names_in(root / FOLDER, FOLDER, [root], ".json")]
    return {file: read_file(root / file, SCHEMA, file, [root]) for file in found}


def schema_copies() -> dict[str, bytes]:
    """Return `own_schemas` as a project's copies, for editors: rules may have the kinds of plug-ins."""
    own = own_schemas()
    return own | {SCHEMA_OF_RULES: with_plugin_kinds(own[SCHEMA_OF_RULES])}


def older_copies(paths: ProjectPaths) -> list[str]:
    """Return a project's copies that differ from cardgen's own schemas, sorted."""
    root = paths.roots[0]
    if root == bundled_root():
        return []
    differing = [file for file, own in own_schemas().items() if _differs(paths, file, own)]
    if SCHEMA_OF_RULES in differing and not _differs(
        paths, SCHEMA_OF_RULES, schema_copies()[SCHEMA_OF_RULES]
    ):
        differing.remove(SCHEMA_OF_RULES)
    return differing


def _differs(paths: ProjectPaths, file: str, own: bytes) -> bool:
    place = paths.roots[0] / file
    if not is_there(place):
        return False
    try:
        copy = read_file(place, SCHEMA, file, paths.roots)
    except ReadingError:
        return True
    return copy.splitlines() != own.splitlines()  # git may have converted the line ends


def check_copies(paths: ProjectPaths, findings: Findings) -> None:
    """Add one note if the project has copies of another version's schemas."""
    older = older_copies(paths)
    if older:
        names = ", ".join(os.path.basename(file) for file in older[:_NAMED])
        more = f" and {len(older) - _NAMED} more" if len(older) > _NAMED else ""
        message = f"schemas copied from another version: {names}{more}; editors use them, cardgen doesn't"
        findings.note("schema/copy", message, Location(older[0]), "update them: cardgen new --refresh")


def refresh_project(project: Project | None = None) -> list[str]:
    """Update a project's copies of cardgen's schemas, and add missing settings for editors; return the
    files written, relative to the project. Existing settings are kept.

    Raises UsageError outside of a user's own project, CardgenError if files can't be written.
    """
    project = project or Project.open()
    if project.root == bundled_root():
        raise UsageError(
            "these are cardgen's own schemas", "go to a project of your own, or start one: cardgen new NAME"
        )
    games = project.own_games()
    if not games:
        hint = "go to a project's folder, or start one: cardgen new NAME"
        raise UsageError("there is no project here", hint)
    wanted = {
        file: copy
        for file, copy in schema_copies().items()
        if not is_there(project.root / file) or _differs(project.paths, file, copy)
    }
    wanted |= {file: text for file, text in editor_files().items() if not is_there(project.root / file)}
    with Changes(project.root) as changes:
        for file, content in sorted(wanted.items()):
            changes.write_bytes(file, content)
        changes.commit()
    return sorted(wanted)
