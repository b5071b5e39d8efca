"""Findings on sheets whose backs are printed in another way than is asked for."""

from __future__ import annotations

from typing import Literal

from cardgen.findings import Findings
from cardgen.model.game import Game, GameSheet
from cardgen.model.sheets import Duplex

_REASONS = {
    "single": (
        "each side on '{sheet}' has a page of its own, so it is not folded",
        "take a layout with several cards on a page, such as poker",
    ),
    "tiled": (
        "a board in tiles has no backs, so '{sheet}' is not --duplex {asked}",
        "print backs on a sheet with layout: single",
    ),
    "standees": (
        "standees have face and back in one piece, so '{sheet}' is not --duplex {asked}",
        "leave the second half blank with --no-backs",
    ),
    "booklet": (
        "a booklet is printed on both sides of its paper, so '{sheet}' has no --duplex {asked}: "
        "it is for {instead}",
        "print it on both sides, or take a sheet with layout: single, for reading",
    ),
}


def say_other_backs(
    game: Game,
    sheet: GameSheet,
    kind: Literal["single", "tiled", "standees", "booklet"],
    asked: Duplex,
    findings: Findings,
    instead: Duplex = "none",
) -> None:
    """Warn that a sheet of this kind has its backs in the way `instead`. Finding: `sheet/duplex`."""
    message, hint = (text.format(sheet=sheet.name, asked=asked, instead=instead) for text in _REASONS[kind])
    _warn(game, sheet, message, hint, findings)


def say_not_folded(
    game: Game, sheet: GameSheet, reason: str, hint: str, instead: Duplex, findings: Findings
) -> None:
    """Warn that a sheet can't be folded. Finding: `sheet/duplex`."""
    backs = "it is faces only" if instead == "none" else f"its backs are those of --duplex {instead}"
    _warn(game, sheet, f"{reason}, so '{sheet.name}' is not folded: {backs}", hint, findings)


def _warn(game: Game, sheet: GameSheet, message: str, hint: str, findings: Findings) -> None:
    place = game.locator.locate(f"data/{game.id}/game.yaml", ("sheets", sheet.name))
    findings.warning("sheet/duplex", message, place, hint)
