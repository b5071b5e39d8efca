"""A game's game.yaml, read and changed in place: comments, order and all other lines are kept."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from cardgen.commands.production.choices import own_folder
from cardgen.core.findings import CardgenError, Finding, Findings, Location, Severity
from cardgen.files.project import Project
from cardgen.files.yaml import parse_yaml, read_text
from cardgen.files.yaml_editing import edited
from cardgen.files.yaml_text import SourceError


class GameFile:
    """The game.yaml of one of the project's own games. Change `data`, then write `text()`.

    Raises UsageError for a game that isn't the project's own, CardgenError for a file that can't be read or
    isn't a mapping.
    """

    def __init__(self, project: Project, game: str) -> None:
        folder = own_folder(project, game, "game.yaml")
        self.game = game
        self.file = f"data/{game}/game.yaml"
        findings = Findings()
        before = read_text(folder / "game.yaml", self.file, findings, within=project.paths.roots)
        document = None if before is None else parse_yaml(before, self.file, findings)
        findings.raise_if_errors()
        assert before is not None
        assert document is not None
        self._before = before
        self.data: dict[str, Any] = deepcopy(document.data) if isinstance(document.data, dict) else {}
        for part in ("components", "sheets"):
            if not isinstance(self.data.get(part, {}), dict):
                message = f"{part} is not a mapping, so nothing can be added"
                findings.error("yaml/edit", message, Location(self.file, path=part), "correct it by hand")
        findings.raise_if_errors()

    @property
    def components(self) -> dict[str, Any]:
        """Return the entries of components, to be changed."""
        return self.data.setdefault("components", {})  # type: ignore[no-any-return]

    def text(self) -> str:
        """Return the file's text with the changed data. Raises CardgenError if YAML such as an alias keeps
        it from being changed in place."""
        before = self._before
        try:
            return edited(before if before.endswith("\n") or not before else f"{before}\n", self.data)
        except SourceError as error:
            where = Location(self.file, error.line, error.column)
            raise CardgenError(
                Finding(Severity.ERROR, error.code, error.message, where, error.hint)
            ) from None
