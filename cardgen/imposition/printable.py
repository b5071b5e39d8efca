"""What a measured printer can reach: marks stand in it, and what it leaves white is said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cardgen.findings import Findings
from cardgen.geometry import Rect, Size
from cardgen.imposition.marks import CLOSEST, SPECK
from cardgen.imposition.slots import bounds
from cardgen.model.game import Game, GameSheet
from cardgen.model.sheets import Page, PrinterProfile, SheetLayout

LEAST_BLEED = 1.0
"""mm of bleed that a cut by hand needs: less, and one that is a little off shows white."""

_ROUGH = 0.05
"""mm that nobody sees, on paper or in a measure."""


def printable_margin(layout: SheetLayout, printer: PrinterProfile | None) -> float:
    """mm at the paper's edges for no mark, ruler or label: the printer's, if that was measured."""
    if printer is None or printer.margin is None:
        return layout.margin
    return printer.margin


def say_what_is_not_printed(
    game: Game,
    sheet: GameSheet,
    layout: SheetLayout,
    printer: PrinterProfile | None,
    pages: Sequence[Page],
    findings: Findings,
) -> None:
    """Finding, once a sheet: `printer/margin`, a warning where a part of cards lies in what the printer
    leaves white, a note where so much of their bleed does that no millimetre is left."""
    if printer is None or printer.margin is None:
        return
    margin, lost, deepest, bare = printer.margin, 0, 0.0, 0
    for page in pages:
        reach = Rect(0, 0, page.size.width, page.size.height).inset(margin)
        for slot in page.slots:
            beyond = _beyond(slot.trim, reach)
            deepest = max(deepest, beyond)
            lost += beyond > _ROUGH
            bled = slot.trim.inset(-LEAST_BLEED)
            bare += _beyond(bled, reach) > _ROUGH and _beyond(slot.clip, reach) > _ROUGH
    if not (lost or bare):
        return
    if lost:
        count = "a card side lies" if lost == 1 else f"{lost:,} card sides lie"
        message = f"{count} up to {deepest:.1f} mm in it"
    else:
        message = f"less than {LEAST_BLEED:g} mm of bleed is printed beside its outer cards"
    say = findings.warning if lost else findings.note
    say(
        "printer/margin",
        f"'{printer.name}' leaves {margin:g} mm of paper white all around, and on '{sheet.name}' {message}",
        game.locator.locate(f"data/{game.id}/game.yaml", ("sheets", sheet.name)),
        f"print on larger paper, with a smaller grid, or write `margin: {margin:g}mm` in "
        f"data/sheets/{layout.name}.yaml, and fewer cards come on a page",
    )


def say_unprinted_marks(
    game: Game,
    sheet: GameSheet,
    margin: float,
    faces: Iterable[tuple[Size, Sequence[Rect]]],
    findings: Findings,
) -> None:
    """Finding, once a sheet: `sheet/marks`, a note where the cards on a page leave so little paper inside
    of the `margin` that no crop mark is printed there. `faces` are the pages' sizes and trims."""
    needed = margin + CLOSEST + SPECK - _ROUGH
    least = min((_room(page, bounds(trims)) for page, trims in faces if trims), default=needed)
    if least >= needed:
        return
    findings.note(
        "sheet/marks",
        f"the cards of '{sheet.name}' leave {max(0.0, least):.1f} mm of paper at an edge, and printers "
        f"leave {margin:g} mm white, so the crop marks there are not printed",
        game.locator.locate(f"data/{game.id}/game.yaml", ("sheets", sheet.name)),
        "a smaller grid or larger paper has room for them; or measure the printer: `cardgen calibrate`",
    )


def _room(page: Size, block: Rect) -> float:
    """mm of paper beside a block where there is least."""
    return min(block.x, block.y, page.width - block.right, page.height - block.bottom)


def _beyond(area: Rect, reach: Rect) -> float:
    """How far an area lies outside of what is reached, in mm."""
    return max(reach.x - area.x, reach.y - area.y, area.right - reach.right, area.bottom - reach.bottom)
