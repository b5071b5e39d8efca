"""What loading a game's components needs to know, in one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cardgen.findings import Findings
from cardgen.geometry import Size
from cardgen.loading.lengths import Players
from cardgen.loading.sources import Sources
from cardgen.model.effects import Effects
from cardgen.model.game import Card
from cardgen.yaml.positions import DataPath
from cardgen.yaml.reader import Document


@dataclass(frozen=True, slots=True)
class GameContext:
    """A game being loaded: its id, its game.yaml (valid), the sizes by name, the players and the
    language of its effects, if it has one."""

    sources: Sources
    game: str
    manifest: Document
    sizes: Mapping[str, Size]
    players: Players
    effects: Effects | None = None
    left_out: dict[tuple[str, str], None] = field(default_factory=dict)
    """What is in error, and so no part of the game: its kind ("card", "component", …) and its id."""
    incomplete: set[str] = field(default_factory=set)
    """The components that lack some of their cards."""
    missing: list[Card] = field(default_factory=list)
    """Those of these cards whose size and copies can be told: no data, no templates, just a place."""

    stand_ins: dict[str, str] = field(default_factory=dict)
    """Icons of words in brackets that have no file, each with the letters of its word."""

    @property
    def findings(self) -> Findings:
        return self.sources.findings

    def leave_out(self, kind: str, id: str) -> None:
        """Remember that something is no part of the game, findings having said why."""
        self.left_out[kind, id] = None

    def template(self, document: Document, path: DataPath, name: str) -> None:
        """Report a template of the game that is missing, at `path`."""
        self.sources.file(document, path, f"templates/{self.game}", name, "reference/template")

    def template_file(self, name: str) -> str:
        """Return the file that a template's name means, below `templates/`."""
        return self.sources.spelled(f"templates/{self.game}", name).removeprefix("templates/")
