"""One side of a card as the content of a file."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Literal

from cardgen.commands.production.choices import (
    SINGLE,
    find_sheet,
    is_pattern,
    must_exist,
    select,
    usual_paper,
)
from cardgen.commands.production.fonts import fonts_of
from cardgen.commands.production.stages import Imposer, draw_all, render_chosen, write_sheet
from cardgen.commands.production.turns import in_turn
from cardgen.core.findings import Findings, UsageError
from cardgen.core.progress import told_to
from cardgen.core.records import replace

if TYPE_CHECKING:
    from cardgen.commands.production.stamping import Progress
    from cardgen.core.game import Card, Game

FORMATS = ("png", "svg", "pdf")
LEAST_DPI, MOST_DPI = 10, 2400


@in_turn
def render_card(
    game: Game,
    card: str,
    format: Literal["png", "svg", "pdf"] = "png",
    *,
    side: Literal["face", "back"] = "face",
    component: str | None = None,
    dpi: int = 300,
    bleed: bool = False,
    low_ink: bool = False,
    progress: Progress | None = None,
) -> bytes:
    """Draw one side of a card, cut to its shape, as the content of a PNG, SVG or PDF file.

    Args:
        card: Its id.
        component: The card's component; required if several have such a card.
        dpi: Dots per inch of a PNG, from 10 to 2400.
        bleed: Keep the bleed and square corners. A PDF always has them, with the trim as its TrimBox.
        low_ink: Use the light variant of the templates.
        progress: Called with a step, the part done, and the total.

    Raises:
        UsageError: No such card, side or format, or several components have the card.
        CardgenError: Errors in the card's template or texts, all of them.

    Example:
        game = cardgen.load("night-market")
        png = cardgen.render_card(game, "early-bird", "png", dpi=150)
        svg = cardgen.render_card(game, "early-bird", "svg", side="back")
    """
    must_exist("format", format, FORMATS)
    must_exist("side", side, ("face", "back"))
    if not LEAST_DPI <= dpi <= MOST_DPI:
        raise UsageError(f"dpi {dpi} is not between {LEAST_DPI} and {MOST_DPI}")
    chosen = _only(game, card, component)
    findings = Findings()
    with told_to(progress):
        rendering = render_chosen(game, [chosen], findings, sides=(side,), low_ink=low_ink)
        findings.raise_if_errors()
        key = getattr(rendering.cards[0], side) if rendering.cards else None
        if key is None:
            raise UsageError(f"'{card}' has no {side}", "choose the other side")
        home = game.component(chosen.component)
        shape = None if bleed else (home.shape_of(side), home.corner_radius)
        if format == "svg":
            from cardgen.exports.svg import standalone

            title = f"{home.title}: {card}"
            fonts, artwork = fonts_of(game, findings), rendering.artworks[key]
            return standalone(rendering, fonts, artwork, title, bleed=bleed, shape=shape).encode()
        drawn = draw_all(game, rendering)
        out = BytesIO()
        if format == "png":
            from cardgen.exports.png import write_png
            from cardgen.pdf.pixels import RasterOptions

            if shape is None:
                options = RasterOptions(dpi, "bleed")
            else:
                options = RasterOptions(dpi, "trim", *shape, transparent=True)
            write_png(drawn, key, out, options)
        else:
            imposer = Imposer(game, usual_paper(game.paths), backs=False)
            page = replace(rendering, cards=(replace(rendering.cards[0], face=key, back=None),))
            sheet = imposer.impose(find_sheet(game, SINGLE), page, findings)
            findings.raise_if_errors()
            base = imposer.underlay(imposer.layouts[SINGLE])
            write_sheet(game, sheet, drawn, out, title=card, underlay=base)
    return out.getvalue()


def _only(game: Game, id: str, component: str | None) -> Card:
    """Return the card with an id. Raises UsageError unless there is exactly one."""
    if is_pattern(id):
        raise UsageError(f"'{id}' is a pattern", "name one card")
    found = select(game, [] if component is None else [component], [id])
    if not found:
        raise UsageError(f"'{id}' has errors", "fix the errors that `check` reports")
    if len(found) > 1:
        homes = ", ".join(sorted(each.component for each in found))
        raise UsageError(f"several components have a card '{id}': {homes}", "name one as `component`")
    return found[0]
