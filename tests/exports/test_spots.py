"""Places on a table, and on snap points of what lies on it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from cardgen.core.geometry import Size
from cardgen.core.seating import resting_place
from cardgen.core.table import Placed, Snap, SnapRef, Spot, Table, Tabletop


def test_thing_on_a_snap_point_is_turned_with_board_point_and_itself() -> None:
    game: Any = SimpleNamespace(
        component=lambda _: SimpleNamespace(cards=[SimpleNamespace(id="board", trim=Size(100, 60))])
    )
    board = Placed(
        "piece", Spot(10, 20, 90), 0, (), component="boards", cards=(("board", 1),), face_up=True
    )
    table = Table(Size(500, 500), Size(100, 50), "#000000", (board,), ())
    snaps = {("boards", "board", "face"): (Snap("other", 0, 0, 0), Snap("die", 70, 40, 15))}
    die = Placed("piece", SnapRef("boards", "board", "die"), 30, (), component="dice", cards=(("d6", 1),))
    assert resting_place(game, Tabletop(table, snaps, {}, ""), die) == Spot(0, 40, 135)  # type: ignore[arg-type]
