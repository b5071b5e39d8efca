"""Every cut of every sheet has, at both of its ends, a mark that a home printer prints.

A cut is a level or upright line along trims. Its mark stands on the line, beyond the end of the cards or
in their bleed; what lies in the outer 5 mm of the paper does not count. Lines around cards are marks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from cardgen.core.artwork import Artwork, CardArt, Rendering
from cardgen.core.findings import Findings
from cardgen.core.game import Game, GameSheet
from cardgen.core.geometry import Size
from cardgen.core.sheets import Duplex, ImposedSheet, Line, Page, Paper
from cardgen.game.facts import load_layouts, load_papers
from cardgen.sheets.grid import bounds
from cardgen.sheets.imposition import impose
from cardgen.sheets.marks import pages_to_cut
from tests.for_each import for_each
from tests.sheets.decks import A4, LETTER, POKER, Deck, imposed
from tests.shipped import GAMES, shipped

WHITE = 5.0
"""mm at the paper's edges that home printers leave white."""
LEAST = 0.45
"""mm of a mark that can be seen and cut by."""
NEAR = 6.0
"""mm from the end of a cut within which its mark begins: bleed, and the widest clearing."""


@dataclass(frozen=True, slots=True)
class End:
    """An end of a cut: the place on the line across it, where on that it ends, and which way out is."""

    upright: bool
    at: float
    end: float
    out: int


def unmarked(sheet: ImposedSheet) -> tuple[int, list[End]]:
    """How many ends of cuts a sheet has, and those without a mark. What is cut is the face's side; a line
    around a piece marks all of its cuts."""
    found: list[End] = []
    count = 0
    for _, page in pages_to_cut(sheet):
        ends = set(_ends(page))
        count += len(ends)
        found += [
            end
            for end in ends
            if max((_printed(line, end, page) for line in page.lines), default=0) < LEAST
        ]
    return count, found


def _ends(page: Page) -> Iterator[End]:
    outlined = {outline.rect for outline in page.outlines}
    fold = next((line for line in page.lines if line.dashed), None)
    trims = [slot.trim for slot in page.slots if slot.trim not in outlined]
    if fold is not None:  # the backs lie beyond it, and are folded behind the faces
        trims = [trim for trim in trims if (trim.x < fold.x1 if fold.x1 == fold.x2 else trim.y < fold.y1)]
    if not trims:
        return
    block = bounds(trims)
    for trim in trims:
        for x in (trim.x, trim.right):
            yield End(True, round(x, 3), round(block.y, 3), -1)
            yield End(True, round(x, 3), round(block.bottom, 3), 1)
        for y in (trim.y, trim.bottom):
            yield End(False, round(y, 3), round(block.x, 3), -1)
            yield End(False, round(y, 3), round(block.right, 3), 1)


def _printed(line: Line, end: End, page: Page) -> float:
    """mm of a line that mark an end of a cut, and that are printed."""
    x1, y1, x2, y2, length = line.x1, line.y1, line.x2, line.y2, page.size.height
    if not end.upright:
        x1, y1, x2, y2, length = y1, x1, y2, x2, page.size.width
    if line.dashed or x1 != x2 or abs(x1 - end.at) > 0.01:
        return 0.0
    near, far = sorted((y - end.end) * end.out for y in (y1, y2))
    reached = (length - end.end if end.out > 0 else end.end) - WHITE
    return min(far, reached) - near if 0 <= near <= NEAR else 0.0


def sides(game: Game, sheet: GameSheet) -> Rendering:
    """The sheet's cards, nothing drawn on them."""
    cards, artworks = [], {}
    for component in map(game.component, sheet.components):
        for card in component.cards:
            keys = [f"{component.id}/{card.id}/{side}" for side in ("face", "back")]
            size = card.trim.grown(component.bleed)
            artworks.update((key, Artwork(key, size, component.bleed, ())) for key in keys)
            cards.append(
                CardArt(component.id, card.id, card.copies, keys[0], keys[1] if card.back else None)
            )
    return Rendering(tuple(cards), artworks)


@for_each("duplex", ["long-edge", "fold"])
@for_each("paper", [LETTER, A4], ids=lambda paper: paper.name)
def test_nine_poker_cards(paper: Paper, duplex: Duplex) -> None:
    sheet = imposed(Deck("a", POKER, 9), paper=paper, duplex=duplex)
    count, bare = unmarked(sheet)
    assert (count > 10, bare) == (True, [])
    without = tuple(replace(page, lines=()) for page in sheet.pages if duplex != "fold")
    assert not without or len(unmarked(replace(sheet, pages=without))[1]) == count


def test_what_has_no_room_for_marks_is_said() -> None:
    """Seven rows of 41 mm on A4 end 5 mm from its edges."""
    findings = Findings()
    sheet = imposed(Deck("a", Size(41, 63), 21), paper=A4, findings=findings)
    assert len(unmarked(sheet)[1]) == 8
    assert [finding.code for finding in findings if finding.code == "sheet/marks"] == ["sheet/marks"]


@pytest.mark.long
@for_each("duplex", ["long-edge", "short-edge", "fold", "none"])
def test_every_cut_of_the_shipped_games_is_marked(duplex: Duplex) -> None:
    """On all papers; where there is no room for marks, a note says so. On Letter and A4 there is. Boxes and
    standees are not freed by straight cuts: their own lines are drawn on them."""
    cuts = 0
    for game in map(shipped, GAMES):
        layouts, papers = load_layouts(game.paths), load_papers(game.paths)
        for sheet in game.sheets:
            layout = layouts[sheet.layout]
            parts = map(game.component, sheet.components)
            folded = any(part.box is not None or part.standee is not None for part in parts)
            if layout.grid not in ("single", "tiled", "booklet") and not folded:
                for paper in papers.values():
                    findings = Findings()
                    done = impose(
                        game, sheet, layout, paper, sides(game, sheet), findings=findings, duplex=duplex
                    )
                    count, bare = unmarked(done)
                    cuts += count
                    said = any(finding.code == "sheet/marks" for finding in findings)
                    assert bool(bare) is said, (game.id, sheet.name, paper.name, bare)
                    assert not said or paper.name not in ("letter", "a4")
    assert cuts > 5_000
