"""What the parts of a side come to together."""

from __future__ import annotations

import pytest

from cardgen.svg import limits
from cardgen.svg.totals import NO_LOAD, Load, MarkupError, Room


def test_loads_add_up() -> None:
    assert Load(1, 2, 3, 4, 5, 6).beside(Load(10, 20, 30, 40, 50, 60)) == Load(11, 22, 33, 44, 55, 66)
    assert NO_LOAD.beside(NO_LOAD).problem(3) is None


@pytest.mark.parametrize(
    ("most", "said", "hint"),
    [
        (Load(steps=limits.MOST_STEPS), "steps of drawing", "save it as a PNG"),
        (Load(repeated=limits.MOST_REPEATED), "shown again and again", "see what <use>"),
        (Load(layers=limits.MOST_LAYERS), "see-through layers", "mix the colours"),
        (Load(pictures=limits.MOST_PICTURES), "shapes that stand by themselves", "group <g>"),
        (Load(characters=limits.MOST_SIDE_TEXT), "characters of text", "shorten"),
        (Load(hard=limits.MOST_HARD_TEXT), "not of plain letters", "shorten"),
    ],
)
def test_a_side_may_have_so_much_and_no_more(most: Load, said: str, hint: str) -> None:
    assert most.problem(0) is None
    more = most.beside(Load(*(1 if value else 0 for value in most)))
    problem = more.problem(7)
    assert problem is not None
    assert (problem.code, problem.offset) == ("svg/bounds", 7)
    assert f"{max(most):,}" in problem.message
    assert said in problem.message
    assert hint in (problem.hint or "")


def test_markup_has_room_up_to_its_bound() -> None:
    room = Room()
    text = "x" * limits.MOST_MARKUP
    assert room.take(text) is text
    with pytest.raises(MarkupError, match="MB with its styles written out"):
        room.take("x")
