"""What the report says of a press: what a check sees of the sides, as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.commands.choices import PressOptions
from cardgen.model.game import Game

if TYPE_CHECKING:
    from cardgen.commands.looks import Look
    from cardgen.reports.press import PressPage


def press_page(game: Game, options: PressOptions | None, *, stated: bool = True) -> PressPage | None:
    """How a game's sides lie with the press that is asked for or, if it is `stated`, with the one that the
    game states; None without one. Sides that a check saw aren't looked at again. Raises as `press_of`
    does, and CardgenError where nothing can be looked at."""
    if options is None:
        if not stated or game.press is None:
            return None
        options = PressOptions()
    from cardgen.commands.preflight import check_look
    from cardgen.commands.press_looks import grouped
    from cardgen.commands.pressing import press_of
    from cardgen.press.pdfx import NAMES
    from cardgen.reports.press import HeavyColor, PressColor, PressPage

    press = press_of(options, game)
    seen: list[tuple[Look, str]] = []
    lacking: dict[str, None] = {}
    check_look(game, lacking, press, seen)
    inkiest = max(seen, key=lambda pair: pair[0].most_ink, default=None)
    missed = grouped((each, card) for look, card in seen for each in look.missed)
    heavy = grouped((each, card) for look, card in seen for each in look.heavy)
    return PressPage(
        profile=press.profile.title,
        standard=NAMES[press.standard],
        ink_limit=press.ink_limit,
        most_ink=100 * inkiest[0].most_ink if inkiest is not None else 0.0,
        inkiest=inkiest[1] if inkiest is not None else None,
        sides=len(seen),
        faulty=bool(lacking) or not all(look.whole for look, _ in seen),
        spots=tuple(spot.name for spot in press.spots),
        missed=tuple(
            sorted(
                (
                    PressColor(told[0], told[1], told[2], told[3], tuple(cards), place)
                    for told, cards, place in missed
                ),
                key=lambda each: -each.apart,
            )
        ),
        heavy=tuple(
            sorted(
                (
                    HeavyColor(told[0], 100 * told[2], told[3], tuple(cards), place)
                    for told, cards, place in heavy
                ),
                key=lambda each: -each.ink,
            )
        ),
    )
