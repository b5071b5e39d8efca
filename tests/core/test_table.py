"""Where things lie on a table, how far they reach, and the table made up for a game without one."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.core import seating
from cardgen.core.game import Component
from cardgen.core.geometry import Size
from cardgen.core.table import LARGEST, CardWords, Placed, Spot, Table
from tests.core.games import book, card, component, game
from tests.for_each import for_each

HERE = Spot(0.0, 0.0)


@for_each(
    ("turn", "spot"),
    [
        (0, Spot(110, 55, 30)),
        (90, Spot(95, 60, 120)),
        (180, Spot(90, 45, 210)),
        (345, Spot(110.953353, 52.241439, 15)),
    ],
)
def test_a_spot_measured_from_another_is_turned_with_it(turn: float, spot: Spot) -> None:
    """Clockwise: what lay to the right lies towards the near player after a quarter."""
    assert Spot(100, 50, turn).place(Spot(10, 5, 30)) == spot


def test_how_far_a_thing_reaches_when_it_is_turned() -> None:
    size = Size(60, 90)
    assert Spot(1, 2).extent(size) == size
    turned, slanted = Spot(1, 2, 270).extent(size), Spot(1, 2, 30).extent(size)
    assert (turned.width, turned.height) == pytest.approx((90, 60))
    assert (slanted.width, slanted.height) == pytest.approx((60 * 3**0.5 / 2 + 45, 30 + 90 * 3**0.5 / 2))


@for_each(
    ("kind", "trim", "extent"),
    [
        ("deck", Size(60, 90), Size(60, 90)),
        ("piece", None, Size(90, 60)),
        ("bag", Size(60, 90), Size(70, 70)),
        ("pawn", None, Size(22, 22)),
        ("counter", None, Size(70, 45)),
        ("note", None, Size(90, 60)),
        ("dice", None, Size(72, 16)),
    ],
)
def test_how_far_each_kind_reaches(kind: Any, trim: Size | None, extent: Size) -> None:
    assert Placed(kind, HERE, 0, (), count=3).extent(trim) == extent


def test_the_cards_of_a_mixed_deck() -> None:
    mixed = Placed(
        "deck", HERE, 0, (), component="a", cards=(("x", 2), ("y", 1)), more=(("b", (("z", 4),)),)
    )
    assert mixed.parts == (("a", (("x", 2), ("y", 1))), ("b", (("z", 4),)))
    assert mixed.total == 7
    assert Placed("pawn", HERE, 0, ()).parts == ()
    assert Placed("pawn", HERE, 0, ()).total == 0


def test_the_words_for_a_component_are_its_own_or_those_of_all() -> None:
    own, common = CardWords(nickname="own"), CardWords(nickname="all")
    table = Table(LARGEST, seating.HAND, "#000", (), (), words={"a": own, "all": common})
    assert (table.words_for("a"), table.words_for("b")) == (own, common)
    assert Table(LARGEST, seating.HAND, "#000", (), ()).words_for("a") == CardWords()


# ---------------------------------------------------------------- made up


def made_up(*components: Component, **changes: Any) -> Table:
    return seating.made_up_table(game(*components, **changes))


def test_what_each_component_is_on_a_table() -> None:
    table = made_up(
        component("board", card("n", Size(400, 300), back=None), card("s", Size(400, 300)), kind="board"),
        component("deck", card("x", copies=2), card("y"), card("z", copies=0)),
        component("open", card("w", back=None)),
        component("coins", card("one", Size(20, 20), copies=9), kind="token"),
        book("rules"),
    )
    assert [(each.kind, each.component, each.cards) for each in table.items] == [
        ("piece", "board", (("n", 1),)),
        ("piece", "board", (("s", 1),)),
        ("deck", "deck", (("x", 2), ("y", 1))),
        ("deck", "open", (("w", 1),)),
        ("bag", "coins", (("one", 9),)),
        ("book", "rules", ()),
    ]
    assert [each.locked for each in table.items] == [True, True, False, False, False, False]
    assert [each.face_up for each in table.items] == [True, True, False, True, False, False]
    assert (table.size, table.file, table.words) == (LARGEST, None, {})


def test_cards_of_several_sizes_are_a_deck_a_size() -> None:
    table = made_up(component("a", card("x"), card("big", Size(70, 120)), card("y"), trim=None))
    assert [each.cards for each in table.items] == [(("x", 1), ("y", 1)), (("big", 1),)]


def test_a_row_is_centred_with_a_space_between() -> None:
    table = made_up(component("a", card("x", Size(60, 90))), book("b"), book("c", Size(100, 100)))
    at = [each.at for each in table.items]
    assert at == [Spot(-140, 0), Spot(-20, 0), Spot(120, 0)], "60, 140 and 100 wide, 20 apart"


def test_what_is_too_wide_for_a_row_begins_the_next() -> None:
    """2200 mm less two spaces: 1060 and 1080 and the space between are one row exactly."""
    boards = [
        component(f"b{n}", card("x", Size(width, 100)), kind="mat") for n, width in enumerate((1060, 1080))
    ]
    assert [each.at for each in made_up(*boards).items] == [Spot(-550, 0), Spot(540, 0)]
    boards[1] = component("b1", card("x", Size(1081, 100)), kind="mat")
    assert [each.at for each in made_up(*boards).items] == [Spot(0, -60), Spot(0, 60)]


def test_what_has_no_room_is_left_out() -> None:
    rows = [component(f"b{n}", card("x", Size(2000, 500)), kind="board") for n in range(3)]
    (kept,) = made_up(*rows).items
    assert (kept.component, kept.at) == ("b1", Spot(0, 0))
    assert made_up().items == ()


def test_seats_for_the_players_that_a_game_was_loaded_for() -> None:
    assert len(made_up(players=(2, 4)).seats) == 4
    assert len(made_up(players=(2, 4), player_count=3).seats) == 3


def test_seats_go_clockwise_from_the_near_side() -> None:
    seats = seating.seats_around(Size(900, 600), 5)
    assert [(seat.color, seat.at) for seat in seats] == [
        ("White", Spot(300, 375, 0)),
        ("Red", Spot(0, 375, 0)),
        ("Orange", Spot(-300, 375, 0)),
        ("Yellow", Spot(-225, -375, 180)),
        ("Green", Spot(225, -375, 180)),
    ]
    assert [seat.at for seat in seating.seats_around(Size(900, 600), 1)] == [Spot(0, 375, 0)]
    many = seating.seats_around(Size(900, 600), 12)
    assert len({seat.color for seat in many}) == len(many) == 10
