"""How many pages a sheet may have."""

from __future__ import annotations

from cardgen.findings import Findings
from cardgen.model.extremes import MAX_PAGES
from cardgen.model.game import Game, GameSheet


def too_many_pages(game: Game, sheet: GameSheet, pages: int, findings: Findings) -> bool:
    """Whether a sheet would have too many pages; then that is a finding."""
    if pages <= MAX_PAGES:
        return False
    findings.error(
        "sheet/pages",
        f"the sheet '{sheet.name}' would have {pages:,} pages, more than {MAX_PAGES:,}",
        game.locator.locate(f"data/{game.id}/game.yaml", ("sheets", sheet.name)),
        "print fewer copies, or share the components out among several sheets",
    )
    return True
