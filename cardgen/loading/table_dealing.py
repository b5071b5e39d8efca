"""Whether a table's set-up can be done: enough cards in every pile, and room for them in every zone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cardgen.findings import Findings
from cardgen.geometry import Size
from cardgen.model.game import Component
from cardgen.model.table import Placed, Seat, Step, is_called
from cardgen.yaml.positions import DataPath
from cardgen.yaml.reader import Document

PLAY = 1.0
"""By how much cards may reach beyond their zone, in mm."""


def check_dealing(
    document: Document,
    components: Sequence[Component],
    items: Sequence[Placed],
    seats: Sequence[Seat],
    steps: Sequence[tuple[int, Step]],
    players: tuple[int, int],
    extent: Callable[[Placed], Size],
    findings: Findings,
) -> None:
    """Warn of steps, each with its index in the file, for which a pile has too few cards with some number
    of `players`, and of cards that reach beyond the zone that they are laid out in."""
    titles = {component.id: component.title for component in components}
    piles = [item for item in items if item.kind in ("deck", "bag") and not item.infinite]
    zones = [item for item in items if item.kind == "zone"]
    said: set[DataPath] = set()

    def warn(index: int, message: str, hint: str) -> None:
        path: DataPath = ("steps", index)
        if path not in said:
            said.add(path)
            findings.warning("table/dealing", message, document.locate(path), hint)

    for count in range(players[0], min(players[1], len(seats)) + 1):
        colors = {seat.color for seat in seats[:count]}
        left = {id(pile): pile.total for pile in piles}
        for index, step in steps:
            if step.act not in ("deal", "place") or (step.players and count not in step.players):
                continue
            for pile in piles:
                if not is_called(pile, step.pile, titles) or pile.seat not in (None, *colors):
                    continue
                left[id(pile)] -= step.cards * _times(step, pile, zones, colors)
                if left[id(pile)] < 0:
                    lacking = -left[id(pile)]
                    message = (
                        f"with {count} players '{step.pile}' has {lacking} too few cards for this step"
                    )
                    warn(index, message, "deal fewer, or lay more onto the pile")
    for index, step in steps:
        for pile in piles if step.zone else ():
            if is_called(pile, step.pile, titles):
                for zone in zones:
                    if zone.name == step.zone and (over := _beyond(step, extent(pile), zone)) > PLAY:
                        message = f"the cards reach {over:.0f}mm beyond the zone '{step.zone}'"
                        warn(index, message, "make the zone larger, or the way from card to card shorter")


def _times(step: Step, pile: Placed, zones: Sequence[Placed], colors: set[str]) -> int:
    """How many are given a step's cards from a pile: players, or zones of those who play."""
    if step.act == "deal":
        return len(colors) if pile.seat is None else 1
    if not step.zone:
        return 1
    seats = [zone.seat for zone in zones if zone.name == step.zone]
    return sum(seat is None or (seat in colors and pile.seat in (None, seat)) for seat in seats)


def _beyond(step: Step, card: Size, zone: Placed) -> float:
    """How far a step's cards reach beyond a zone in mm, lying in it as they do; below 0 if they don't."""
    assert zone.area is not None
    reach = step.at.extent(card)
    across = abs(step.step[0]) * (step.cards - 1) + reach.width - zone.area.width
    down = abs(step.step[1]) * (step.cards - 1) + reach.height - zone.area.height
    return max(across, down) / 2
