"""Paper that has places already: labels, stickers, perforated cards."""

from __future__ import annotations

from cardgen.findings import Findings
from cardgen.geometry import Size
from cardgen.model.artwork import CardArt
from cardgen.model.game import Game, GameSheet
from cardgen.model.sheets import SheetLayout


def say_too_large_for_places(
    game: Game, sheet: GameSheet, layout: SheetLayout, trim: Size, card: CardArt, findings: Findings
) -> None:
    """Finding: `sheet/too-large`, an error on cards that no place holds."""
    places = layout.places
    assert places is not None
    findings.error(
        "sheet/too-large",
        f"'{card.card}' in '{card.component}' is {trim}; no place of '{layout.name}' holds it: "
        f"{places.columns}×{places.rows} of {places.size} on {places.paper}",
        game.locator.locate(f"data/{game.id}/game.yaml", ("sheets", sheet.name)),
        f"a trim of [{places.size.width:g}mm, {places.size.height:g}mm] fills one; or take another layout",
    )
