"""Buttons that set a room up: one for each number of players, since a room can't tell how many there are.

What a button does is a list of steps with their arguments, as rooms have them (an automation button's
`clickRoutine`): cards go to the hand of a player by their seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cardgen.exporting.pcio.widgets import Box, Room
from cardgen.model.table import Placed, Seat, Step, Table, is_called

WIDTH, HEIGHT, APART = 120, 30, 10


def add_buttons(
    room: Room,
    table: Table,
    least: int,
    titles: Mapping[str, str],
    piles: Sequence[tuple[Placed, str]],
    seats: Sequence[tuple[Seat, str]],
    corner: tuple[float, float],
) -> None:
    """A button for each number of players from `least` on for whom the table's steps deal something, in a
    row from `corner` on. `piles` and `seats` have the ids of their widgets."""
    x, y = corner
    for count in range(max(1, least), len(seats) + 1):
        routine = [
            each
            for step in table.steps
            if not step.players or count in step.players
            for each in _done(step, titles, piles, seats[:count])
        ]
        if not any(each["func"] == MOVE for each in routine):
            continue
        label = f"Deal: {count} player{'s' if count > 1 else ''}"
        box = Box(x, y, WIDTH, HEIGHT)
        room.add("automationButton", f"deal/{count}", box, parent=None, label=label, clickRoutine=routine)
        x += WIDTH + APART


MOVE, SHUFFLE = "MOVE_CARDS_BETWEEN_HOLDERS", "SHUFFLE_CARDS"


def _done(
    step: Step,
    titles: Mapping[str, str],
    piles: Sequence[tuple[Placed, str]],
    seats: Sequence[tuple[Seat, str]],
) -> list[dict[str, Any]]:
    """A step as a room has it, for those who sit at these seats; nothing for one that is done by hand."""
    taken = {seat.color: id for seat, id in seats}
    found = [
        (item, id)
        for item, id in piles
        if is_called(item, step.pile, titles) and (item.seat is None or item.seat in taken)
    ]
    if step.act == "shuffle" and found:
        return [_call(SHUFFLE, holders=[id for _, id in found])]
    if step.act != "deal":
        return []
    return [
        _call(
            MOVE,
            **{"from": [id]},
            to=list(taken.values()) if item.seat is None else [taken[item.seat]],
            quantity=step.cards,
            moveFlip="faceUp",
        )
        for item, id in found
    ]


def _call(func: str, **args: Any) -> dict[str, Any]:
    return {
        "func": func,
        "args": {name: {"type": "literal", "value": value} for name, value in args.items()},
    }
