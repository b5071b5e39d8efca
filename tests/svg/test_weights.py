"""What drawing a side comes to, and what it may."""

from __future__ import annotations

import pytest

from cardgen.svg import tree as limits
from cardgen.svg.costs import NOTHING, MarkupError, Room, Weight, side_problem
from tests.wording import Wording


def test_loads_add_up() -> None:
    one = Weight(9, 2, 3, 4, 5, 6, 7, 8, 0.5, 1, 2, 3, False, 1, 2, 3)
    other = Weight(10, 20, 30, 2, 50, 7, 70, 7, 0.25, 2, 1, 30, True, 10, 20, 30)
    both = Weight(19, 22, 33, 4, 55, 7, 77, 8, 0.25, 2, 1, 33, True, 11, 22, 33)
    assert one.beside(other) == other.beside(one) == both
    assert one._replace(once=2).beside(other._replace(once=5)) == both._replace(once=5)
    assert both._replace(once=5).repeated == 19 - 22 - 5
    assert one.beside(NOTHING) == NOTHING.beside(one) == one
    assert side_problem(NOTHING, 3) is None


@pytest.mark.parametrize(
    "most",
    [
        Weight(steps=limits.MOST_STEPS, own=limits.MOST_STEPS),
        Weight(steps=limits.MOST_REPEATED),
        Weight(tiled=limits.MOST_TILED),
        Weight(layers=limits.MOST_LAYERS),
        Weight(pictures=limits.MOST_PICTURES),
        Weight(characters=limits.MOST_SIDE_TEXT),
        Weight(hard=limits.MOST_HARD_TEXT),
    ],
)
def test_a_side_may_have_so_much_and_no_more(most: Weight, wording: Wording) -> None:
    assert side_problem(most, 0) is None
    counted = {name: value for name, value in most._asdict().items() if value != getattr(NOTHING, name)}
    problem = side_problem(most._replace(**{name: value + 1 for name, value in counted.items()}), 7)
    assert problem is not None
    assert (problem.code, problem.offset) == ("svg/bounds", 7)
    assert f"{max(counted.values()):,}" in problem.message
    wording(problem)


def test_markup_has_room_up_to_its_bound(wording: Wording) -> None:
    room = Room()
    text = "x" * limits.MOST_MARKUP
    assert room.take(text) is text
    with pytest.raises(MarkupError) as caught:
        room.take("x")
    wording(caught.value)
