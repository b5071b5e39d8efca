"""The marks of Silhouette cutters: their places on paper, and cards that keep clear of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.geometry import Rect, Size
from cardgen.imposition.registration import registration_marks
from cardgen.model.sheets import ImposedSheet, Line, Page

from .decks import A3, A4, LETTER, POKER, Deck, imposed, layout

MACHINE = layout(marks="silhouette")


def area(line: Line) -> Rect:
    half = line.weight / 2
    if line.y1 == line.y2:
        return Rect(line.x1, line.y1 - half, line.x2 - line.x1, line.weight)
    return Rect(line.x1 - half, line.y1, line.weight, line.y2 - line.y1)


def faces(sheet: ImposedSheet) -> list[Page]:
    return [page for page in sheet.pages if page.side == "face"]


def test_marks_lie_10_mm_from_the_edges_of_a4() -> None:
    found = [area(line) for line in registration_marks(Size(210, 297))]
    assert found == [
        Rect(10, 10, 5, 5),
        Rect(180, 10, 20, 0.5),
        Rect(199.5, 10, 0.5, 20),
        Rect(10, 286.5, 20, 0.5),
        Rect(10, 267, 0.5, 20),
    ]


def test_marks_lie_10_mm_from_the_edges_of_letter_landscape() -> None:
    square, level, upright, lower, lower_upright = map(area, registration_marks(Size(279.4, 215.9)))
    assert square == Rect(10, 10, 5, 5)
    assert (level.right, level.y) == pytest.approx((269.4, 10))
    assert (upright.right, upright.bottom) == pytest.approx((269.4, 30))
    assert (lower.x, lower.bottom) == pytest.approx((10, 205.9))
    assert (lower_upright.x, lower_upright.y) == pytest.approx((10, 185.9))


@pytest.mark.parametrize("paper", [LETTER, A4])
def test_eight_poker_cards_have_room_between_the_marks(paper) -> None:  # type: ignore[no-untyped-def]
    [page] = faces(imposed(Deck("a", POKER, 8), paper=paper, sheet_layout=MACHINE))
    assert len(page.slots) == 8
    assert set(registration_marks(page.size)) <= set(page.lines)


@given(
    st.integers(1, 12),
    st.floats(20, 120),
    st.floats(20, 120),
    st.sampled_from([A4, LETTER, A3]),
    st.sampled_from(["rectangle", "hexagon", "ellipse"]),
    st.sampled_from([0.0, 6.35]),
)
@settings(max_examples=60, deadline=None)
def test_nothing_is_printed_on_the_marks(  # type: ignore[no-untyped-def]
    count, width, height, paper, shape, gutter
) -> None:
    deck = Deck("a", Size(width, height), count, shape=shape)
    sheet = imposed(deck, paper=paper, sheet_layout=layout(marks="silhouette", gutter=gutter))
    for page in faces(sheet):
        marks = [area(line) for line in registration_marks(page.size)]
        around = [mark.inset(-0.999) for mark in marks]
        for slot in page.slots:
            assert not any(slot.clip.overlaps(mark) for mark in around)
        assert page.outlines == ()
        others = [line for line in page.lines if line not in registration_marks(page.size)]
        for line in others:
            assert not any(area(line).overlaps(mark) for mark in around)
        for label in page.labels:
            assert not any(
                mark.x <= label.x <= mark.right and mark.y <= label.y <= mark.bottom for mark in around
            )


def test_backs_have_no_marks() -> None:
    sheet = imposed(Deck("a", POKER, 8), paper=A4, sheet_layout=MACHINE)
    [back] = [page for page in sheet.pages if page.side == "back"]
    assert not set(registration_marks(back.size)) & set(back.lines)
    assert len(back.slots) == 8
