"""Settings for editors in a new project: which schema is whose, and cardgen as tasks whose findings an
editor shows where they are.

The files are those of VS Code, which other editors read as well.
"""

from __future__ import annotations

import json
from typing import Any

SCHEMAS = {
    "game": ["data/*/game.yaml"],
    "rules": ["data/*/rules.yaml"],
    "table": ["data/*/table.yaml"],
    "keywords": ["data/*/keywords.yaml"],
    "deck-list": ["data/*/decks/*.yaml"],
    "cockatrice": ["data/*/cockatrice.yaml"],
    "sheet": ["data/sheets/*.yaml"],
    "service": ["data/services/*.yaml"],
    "sizes": ["data/sizes.yaml"],
    "papers": ["data/papers.yaml"],
    "fonts": ["fonts/fonts.yaml"],
}
"""cardgen's schemas, `schemas/NAME.schema.json`, and the files that they are for where these are called as
usual. Card data have the schema of their game, which their first line names."""

_LINE, _FILE = r"^([^\s:][^:]*):(\d+)(?::(\d+))?: ", r"^([^\s:][^:]*\.[A-Za-z]+): "
_REST = r"(.*) \[([a-z0-9]+(?:[/-][a-z0-9]+)*)\]$"
_SEVERITIES = {
    "error": r"(?!(?:[^:]+: )?(?:warning|note): )",
    "warning": r"(?:[^:]+: )?warning: ",
    "info": r"(?:[^:]+: )?note: ",
}
"""How findings of a severity go on after their place, by what an editor calls it."""


def editor_files() -> dict[str, bytes]:
    """The files, by their places in a project."""
    settings = {
        "yaml.schemas": {f"./schemas/{name}.schema.json": files for name, files in SCHEMAS.items()},
    }
    tasks = [
        _task("check", "check --all", {"kind": "test", "isDefault": True}, problemMatcher=_matchers()),
        _task("build", "build", {"kind": "build", "isDefault": True}, problemMatcher=_matchers()),
        _task("preview", "preview --open", None, isBackground=True, problemMatcher=[]),
    ]
    contents: dict[str, Any] = {
        ".vscode/settings.json": settings,
        ".vscode/tasks.json": {"version": "2.0.0", "tasks": tasks},
        ".vscode/extensions.json": {"recommendations": ["redhat.vscode-yaml"]},
    }
    return {file: f"{json.dumps(content, indent=2)}\n".encode() for file, content in contents.items()}


def _task(label: str, words: str, group: Any, **more: Any) -> dict[str, Any]:
    task = {"label": f"cardgen: {label}", "type": "shell", "command": f"cardgen {words}"}
    return {**task, **({"group": group} if group else {}), **more}


def _matchers() -> list[dict[str, Any]]:
    """What reads findings as `cardgen check` prints them. Each severity has its own, for an editor reads
    none from the middle of a line; and so have findings at a line, and those about a whole file."""
    at_line = {"file": 1, "line": 2, "column": 3, "message": 4, "code": 5}
    of_file = {"kind": "file", "file": 1, "message": 2, "code": 3}
    return [
        {
            "owner": f"cardgen-{severity}{'-of-file' if place == _FILE else ''}",
            "source": "cardgen",
            "severity": severity,
            "fileLocation": ["relative", "${workspaceFolder}"],
            "pattern": {"regexp": place + sign + _REST, **groups},
        }
        for severity, sign in _SEVERITIES.items()
        for place, groups in ((_LINE, at_line), (_FILE, of_file))
    ]
