"""Lengths, sizes and copies in data that has passed its schema."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cardgen.findings import Findings
from cardgen.geometry import Size
from cardgen.model.extremes import MAX_TRIM, MIN_TRIM
from cardgen.schema.wording import name_hint
from cardgen.units import parse_length
from cardgen.yaml.positions import DataPath
from cardgen.yaml.reader import Document


def length(
    document: Document, path: DataPath, text: str, findings: Findings, *, most: float
) -> float | None:
    """Millimetres of a length from 0 to `most` mm, or None after a finding."""
    try:
        value = round(parse_length(text), 6)  # so that 3in is 76.2 and not 76.19999999999999
    except ValueError as error:
        findings.error("schema/length", str(error), document.locate(path))
        return None
    if not math.isfinite(value) or not 0 <= value <= most:
        problem = "negative" if value < 0 else f"above the maximum {most:g}mm"
        findings.error("schema/length", f"the length {text} is {problem}", document.locate(path))
        return None
    return value


def trim(
    document: Document, path: DataPath, value: Any, sizes: Mapping[str, Size], findings: Findings
) -> Size | None:
    """The size that a `trim` states: a name of `sizes` or [width, height]. None after findings."""
    if isinstance(value, str):
        if value in sizes:
            return sizes[value]
        findings.error(
            "reference/size",
            f"there is no size '{value}'",
            document.locate(path),
            name_hint(value, sizes, "sizes in data/sizes.yaml"),
        )
        return None
    return sides_of(document, path, {index: ("side", text) for index, text in enumerate(value)}, findings)


def sides_of(
    document: Document, path: DataPath, sides: Mapping[Any, tuple[str, str]], findings: Findings
) -> Size | None:
    """The size of two lengths below `path`, by their keys what each is called and what it says. None after
    findings."""
    values = []
    for key, (name, text) in sides.items():
        value = length(document, (*path, key), text, findings, most=MAX_TRIM)
        if value is not None and value < MIN_TRIM:
            message = f"the {name} {text} is below the minimum {MIN_TRIM:g}mm"
            findings.error("schema/length", message, document.locate((*path, key)))
            value = None
        values.append(value)
    width, height = values
    return None if width is None or height is None else Size(width, height)


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
