"""The marks of Silhouette cutters: their places on paper, and cards that keep clear of them."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.findings import Findings
from cardgen.core.geometry import Rect, Size
from cardgen.core.sheets import ImposedSheet, Line, Page, Registration
from cardgen.game.facts import load_layouts, load_papers
from cardgen.sheets.marks import (
    OPOS_CLEAR,
    arrange_beside_marks,
    bleed_between,
    keeps_clear,
    opos_squares,
    registration_marks,
)
from tests.for_each import for_each
from tests.shipped import PROJECT, ROOT

from .decks import A3, A4, LETTER, POKER, Deck, imposed, layout

MACHINE = layout(marks="silhouette")
CAMEO = layout(marks="silhouette", registration=Registration(four=True))


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


@for_each("paper", [LETTER, A4])
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
    st.booleans(),
)
def test_nothing_is_printed_on_the_marks(  # type: ignore[no-untyped-def]
    count, width, height, paper, shape, gutter, four
) -> None:
    made = Registration(four=four)
    deck = Deck("a", Size(width, height), count, shape=shape)
    sheet = imposed(
        deck, paper=paper, sheet_layout=layout(marks="silhouette", gutter=gutter, registration=made)
    )
    for page in faces(sheet):
        marks = [area(line) for line in registration_marks(page.size, "silhouette", made)]
        around = [mark.inset(-0.999) for mark in marks]
        for slot in page.slots:
            assert not any(slot.clip.overlaps(mark) for mark in around)
        assert page.outlines == ()
        machine = registration_marks(page.size, "silhouette", made)
        others = [line for line in page.lines if line not in machine]
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


def test_opos_marks_are_squares_in_the_corners_of_the_longer_sides() -> None:
    assert opos_squares(Size(210, 297)) == (
        Rect(10, 10, 3, 3),
        Rect(197, 10, 3, 3),
        Rect(10, 284, 3, 3),
        Rect(197, 284, 3, 3),
    )
    assert [area(line) for line in registration_marks(Size(210, 297), "opos")] == list(
        opos_squares(Size(210, 297))
    )
    assert set(opos_squares(Size(297, 210))) == {
        Rect(each.y, each.x, 3, 3) for each in opos_squares(Size(210, 297))
    }


@for_each(("length", "rows"), [(431.8, 2), (594, 3), (1189, 4), (1300, 5)])
def test_opos_marks_are_at_most_410_mm_apart(length: float, rows: int) -> None:
    lines = sorted({each.y for each in opos_squares(Size(300, length))})
    assert len(lines) == rows
    assert max(b - a for a, b in pairwise(lines)) <= 410
    assert lines[-1] == pytest.approx(length - 13)


@given(
    st.integers(1, 12),
    st.floats(20, 120),
    st.floats(20, 120),
    st.sampled_from([A4, LETTER, A3]),
    st.sampled_from(["rectangle", "hexagon", "ellipse"]),
    st.sampled_from([0.0, 6.35]),
    st.booleans(),
)
def test_opos_marks_have_white_around_them(  # type: ignore[no-untyped-def]
    count, width, height, paper, shape, gutter, folded
) -> None:
    deck = Deck("a", Size(width, height), count, shape=shape)
    found = Findings()
    sheet = imposed(
        deck,
        paper=paper,
        sheet_layout=layout(marks="opos", gutter=gutter),
        duplex="fold" if folded else None,
        findings=found,
    )
    assert {each.code for each in found.errors} <= {"sheet/too-large"}
    for page in faces(sheet):
        assert page.marked == opos_squares(page.size)
        white = [mark.inset(-OPOS_CLEAR + 0.001) for mark in page.marked]
        whole = Rect(0, 0, page.size.width, page.size.height)
        for slot in page.slots:
            assert whole.contains(slot.clip)
            assert not any(slot.clip.overlaps(mark) for mark in white)
        marks = registration_marks(page.size, "opos")
        for line in page.lines:
            if line not in marks and not line.dashed:
                assert not any(area(line).overlaps(mark) for mark in white)


def test_six_poker_cards_go_between_opos_marks_with_all_their_bleed() -> None:
    [page, _] = imposed(Deck("a", POKER, 6), paper=A4, sheet_layout=layout(marks="opos")).pages
    assert len(page.slots) == 6
    assert min(slot.trim.y - slot.clip.y for slot in page.slots[:3]) == pytest.approx(3.175)


def test_cards_between_opos_marks_that_leave_no_room_for_bleed_are_fewer() -> None:
    """Six rows of 42 mm would end 0.5 mm before the white around the marks, with bleed of 3.175 mm."""
    machine = layout(marks="opos")
    found = arrange_beside_marks(Size(42, 50), A4.size, machine)
    assert found is not None
    assert (found.page, found.columns, found.rows) == (A4.size, 4, 5)
    assert bleed_between(found, machine) == machine.bleed


def test_each_machine_has_corners_of_its_own_to_keep_clear_of() -> None:
    lower_right = Rect(190, 277, 10, 10)
    assert keeps_clear(lower_right, A4.size, MACHINE)
    assert not keeps_clear(lower_right, A4.size, layout(marks="opos"))
    assert not keeps_clear(lower_right, A4.size, CAMEO)


def test_four_corners_have_an_l_each() -> None:
    square, *_ = registration_marks(Size(210, 297), "silhouette", Registration())
    found = registration_marks(Size(210, 297), "silhouette", Registration(four=True))
    assert square not in found
    assert [area(line) for line in found] == [
        Rect(10, 10, 20, 0.5),
        Rect(10, 10, 0.5, 20),
        Rect(180, 10, 20, 0.5),
        Rect(199.5, 10, 0.5, 20),
        Rect(10, 286.5, 20, 0.5),
        Rect(10, 267, 0.5, 20),
        Rect(180, 286.5, 20, 0.5),
        Rect(199.5, 267, 0.5, 20),
    ]


PUBLISHED = json.loads((ROOT / "benchmarks/cutting_templates.json").read_text(encoding="utf-8"))
"""The figures of Silhouette Card Maker's templates; of each, the page's orientation, columns, rows, and the
length of marks in mm."""
PIXEL = 25.4 / PUBLISHED["resolution"]
LAYOUTS = load_layouts(PROJECT.paths)
PAPERS = load_papers(PROJECT.paths)


def test_each_published_template_has_a_layout() -> None:
    published = {
        f"silhouette-{paper}-{name}" for paper, each in PUBLISHED["layouts"].items() for name in each
    }
    assert len(published) == 198
    family = {name for name, each in LAYOUTS.items() if each.variant_of == "silhouette-card-maker"}
    assert family == published


@for_each(
    ("sheet", "name"), [(paper, name) for paper, each in PUBLISHED["layouts"].items() for name in each]
)
def test_published_cutting_paths_lie_over_the_sheets_cards(sheet: str, name: str) -> None:
    orientation, columns, rows, length = PUBLISHED["layouts"][sheet][name]
    found, size = LAYOUTS[f"silhouette-{sheet}-{name}"], name.removesuffix("-borderless")
    sizes = PUBLISHED["sizes"]
    places = found.places
    assert places is not None
    page = PUBLISHED["papers"][sheet][:: 1 if orientation == "landscape" else -1]
    trim = sizes.get(f"{sheet}-{size}") or sizes[size]
    width, height, apart = (round(mm / PIXEL) for mm in (*trim, PUBLISHED["apart"]))
    grids = columns * (width + apart) - apart, rows * (height + apart) - apart
    first = [round((round(mm / PIXEL) - grid) / 2) for mm, grid in zip(page, grids)]
    longest = PUBLISHED["marks"]["most"]
    shape = "ellipse" if "circle" in size else "rectangle"
    deck = Deck("a", places.size, columns * rows, shape=shape)
    front, back = imposed(deck, paper=PAPERS[sheet], sheet_layout=found).pages
    assert front.size.landscape is places.landscape is (orientation == "landscape")
    paths = [
        Rect(
            (first[0] + column * (width + apart)) * PIXEL,
            (first[1] + row * (height + apart)) * PIXEL,
            width * PIXEL,
            height * PIXEL,
        )
        for row in range(rows)
        for column in range(columns)
    ]
    for page in (front, back):
        trims = sorted((round(slot.trim.y), round(slot.trim.x), slot) for slot in page.slots)
        for path, (_, _, slot) in zip(paths, trims, strict=True):
            pairs = zip(path.corners, slot.trim.corners, strict=True)
            assert max(abs(a - b) for pair in pairs for a, b in zip(*pair)) < 0.09
            assert slot.clip.inset(-0.001).contains(slot.trim.inset(-0.45))
            assert slot.shape == shape
    marks = [area(line) for line in registration_marks(front.size, "silhouette", found.registration)]
    assert set(registration_marks(front.size, "silhouette", found.registration)) <= set(front.lines)
    inset = PUBLISHED["marks"]["borderless" if "borderless" in name else "inset"]
    assert marks[0] == Rect(inset - 0.5, inset - 0.5, 6, 6)
    assert marks[1].right == pytest.approx(front.size.width - inset + 0.5)
    assert marks[1].x == pytest.approx(front.size.width - inset - min(length, longest))
    assert not any(slot.clip.overlaps(mark) for slot in front.slots for mark in marks)
