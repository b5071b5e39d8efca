"""Cuts of pages, as lines: all of each piece, what neighbours share once."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.core.geometry import Polygon, Shape, Size
from cardgen.core.sheets import Cut, Stroke, near
from cardgen.sheets.marks import cuts_of, pages_to_cut
from tests.for_each import for_each

from .decks import A4, BLEED, LETTER, Deck, imposed, layout

TRIM = Size(60, 52)
ARROW = Polygon(((0.5, 0), (1, 0.4), (0.6, 0.4), (0.6, 1), (0.4, 1), (0.4, 0.4), (0, 0.4)))


def cuts(
    count: int, shape: Shape, radius: float = 0.0, trim: Size = TRIM, **sheet: object
) -> tuple[Cut, ...]:
    made = imposed(Deck("a", trim, count, shape=shape), paper=A4, sheet_layout=layout(**sheet))  # type: ignore[arg-type]
    [(number, page), *_] = pages_to_cut(made)
    assert number == 1
    return cuts_of(page, {"a": (shape, radius)})


def length(stroke: Stroke) -> float:
    (x, y), (u, v) = stroke.start, stroke.end
    return math.hypot(u - x, v - y)


def whole(found: tuple[Cut, ...]) -> float:
    return sum(length(stroke) for cut in found for stroke in cut.strokes)


def test_four_cards_that_touch_share_four_cuts() -> None:
    found = cuts(4, "rectangle", trim=Size(60, 90), grid=(2, 2))
    assert whole(found) == pytest.approx(3 * 2 * 60 + 3 * 2 * 90)


def test_cards_apart_have_all_their_cuts() -> None:
    found = cuts(4, "rectangle", trim=Size(60, 90), grid=(2, 2), gutter=2 * BLEED)
    assert len(found) == 4
    assert all(cut.closed for cut in found)


def test_round_corners_stay_where_neighbours_share_a_side() -> None:
    found = cuts(2, "rectangle", 3.0, Size(60, 90), grid=(2, 1))
    arcs = [stroke for cut in found for stroke in cut.strokes if stroke.middle]
    assert len(arcs) == 8
    assert {near(stroke.radii) for stroke in arcs} == {(3, 3)}


def test_a_round_token_is_four_quarters() -> None:
    [cut] = cuts(1, "ellipse", trim=Size(25, 25))
    assert cut.closed
    assert [stroke.middle is not None for stroke in cut.strokes] == [True] * 4
    assert {stroke.middle for stroke in cut.strokes} == {cut.strokes[0].middle}


@pytest.mark.parametrize("shape", ["rectangle", "hexagon", ARROW])
@given(count=st.integers(1, 14), gutter=st.sampled_from([0.0, 7.0]))
@settings(max_examples=15, deadline=None)
def test_no_line_is_cut_twice_and_cuts_run_on(shape: Shape, count: int, gutter: float) -> None:
    found = cuts(count, shape, gutter=gutter)
    lines = Counter(
        frozenset((near(stroke.start), near(stroke.end))) for cut in found for stroke in cut.strokes
    )
    assert set(lines.values()) == {1}
    for cut in found:
        for before, after in zip(cut.strokes, cut.strokes[1:]):
            assert near(before.end) == near(after.start)


@given(count=st.integers(1, 14))
@settings(max_examples=15, deadline=None)
def test_every_corner_of_a_honeycomb_is_cut(count: int) -> None:
    made = imposed(Deck("a", Size(69.282, 60), count, shape="hexagon"), paper=A4)
    for _, page in pages_to_cut(made):
        found = cuts_of(page, {"a": ("hexagon", 0.0)})
        ends = {
            near(place) for cut in found for stroke in cut.strokes for place in (stroke.start, stroke.end)
        }
        for slot in page.slots:
            left, right = near((slot.trim.x, slot.trim.y + 30)), near((slot.trim.right, slot.trim.y + 30))
            assert {left, right} <= ends


@for_each("shape", ["rectangle", "hexagon"])
def test_a_folded_sheet_is_cut_once_through_both(shape: Shape) -> None:
    made = imposed(Deck("a", Size(60, 52), 3, shape=shape), paper=LETTER, duplex="fold")  # type: ignore[arg-type]
    [(_, page)] = pages_to_cut(made)
    faces = [slot for slot in page.slots if slot.artwork.endswith("face")]
    assert len(page.slots) == 2 * len(faces)
    xs = [stroke.start[0] for cut in cuts_of(page, {"a": (shape, 0.0)}) for stroke in cut.strokes]
    assert min(xs) == pytest.approx(min(slot.trim.x for slot in faces))
    assert max(xs) <= max(slot.trim.right for slot in faces) + 1e-6


def test_what_reaches_beyond_the_page_is_not_cut() -> None:
    made = imposed(Deck("a", Size(400, 300), 1), paper=A4, sheet_layout=layout(grid="tiled"))
    assert [cuts_of(page, {"a": ("rectangle", 0.0)}) for _, page in pages_to_cut(made)] == [()] * len(
        made.pages
    )
