"""How many copies of a card are printed for a number of players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cardgen.findings import Findings
from cardgen.yaml.positions import DataPath
from cardgen.yaml.reader import Document


@dataclass(frozen=True, slots=True)
class Players:
    """The least and most players of a game, and the number it is loaded for (None: all)."""

    least: int
    most: int
    count: int | None = None


def copies(document: Document, path: DataPath, value: Any, players: Players, findings: Findings) -> int:
    """The copies that a card's `copies` comes to; `path` is where it stands.

    Without a player count the largest number is printed: enough for every count. A `by_players`
    that leaves out one of the game's player counts, or names another, is a finding.
    """
    if not isinstance(value, dict):
        return int(value)
    if "per_player" in value:
        return int(value["per_player"]) * (players.count or players.most)
    by_players = {int(count): int(number) for count, number in value["by_players"].items()}
    at = (*path, "by_players")
    for count in range(players.least, players.most + 1):
        if count not in by_players:
            message = f"by_players says nothing for {count} players"
            hint = f"the game is for {players.least} to {players.most}; 0 copies are allowed"
            findings.error("copies/players", message, document.locate(at), hint)
    for count in by_players:
        if not players.least <= count <= players.most:
            message = f"by_players has {count} players, the game is for {players.least} to {players.most}"
            findings.error("copies/players", message, document.locate((*at, str(count)), key=True))
    if not any(by_players.values()):
        findings.error("copies/none", "no number of players gets this card", document.locate(at))
    if players.count is not None:
        return by_players.get(players.count, 0)
    return max(by_players.values())
