"""A game's game.yaml, read and changed in place: comments, order and all other lines are kept."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from cardgen.commands.production.choices import own_folder
from cardgen.core.findings import CardgenError, Finding, Findings, Location, Severity, UsageError
from cardgen.files.project import Project
from cardgen.files.yaml import parse_yaml, read_text
from cardgen.files.yaml_editing import edited
from cardgen.files.yaml_text import SourceError


class GameFile:
    """The game.yaml of a game: `file` by its place in the project. Change `data`, then write `text()`.

    Raises CardgenError for a text that can't be read or isn't a mapping.
    """

    def __init__(self, game: str, text: str) -> None:
        self.game = game
        self.file = f"data/{game}/game.yaml"
        findings = Findings()
        document = parse_yaml(text, self.file, findings)
        findings.raise_if_errors()
        assert document is not None
        self._before = text
        self.data: dict[str, Any] = deepcopy(document.data) if isinstance(document.data, dict) else {}
        for part in ("components", "sheets"):
            if not isinstance(self.data.get(part, {}), dict):
                message = f"{part} is not a mapping, so nothing can be added"
                findings.error("yaml/edit", message, Location(self.file, path=part), "correct it by hand")
        findings.raise_if_errors()

    @classmethod
    def of(cls, project: Project, game: str) -> GameFile:
        """Return that of one of the project's own games. Raises UsageError for any other."""
        folder = own_folder(project, game, "game.yaml")
        findings = Findings()
        file = f"data/{game}/game.yaml"
        text = read_text(folder / "game.yaml", file, findings, within=project.paths.roots)
        findings.raise_if_errors()
        assert text is not None
        return cls(game, text)

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


def add_theme(manifest: GameFile, theme: Mapping[str, Any], name: str) -> None:
    """Add the values of a theme that the game's own lacks; `name` is what needs them."""
    if theme:
        own = manifest.data.setdefault("theme", {})
        _fill(own, theme, name, manifest.game)


def _fill(own: dict[str, Any], more: Mapping[str, Any], name: str, game: str) -> None:
    for key, value in more.items():
        if key not in own:
            own[key] = dict(value) if isinstance(value, dict) else value
        elif isinstance(value, dict) != isinstance(own[key], dict):
            raise UsageError(
                f"the game's theme has another kind of '{key}' than '{name}' needs",
                f"choose a starter without a theme: cardgen add cards --game {game} --template poker",
            )
        elif isinstance(value, dict):
            _fill(own[key], value, name, game)
