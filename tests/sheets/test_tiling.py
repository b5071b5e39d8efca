"""Boards in tiles: every point of the board is printed, once outside the overlaps; marks meet."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.findings import Findings, Severity
from cardgen.core.geometry import Rect, Size
from cardgen.core.sheets import ImposedSheet, Page
from cardgen.sheets.tiling import Tile, TilePlan, plan_tiles, tile_marks, tile_origin
from tests.for_each import for_each
from tests.wording import Wording

from . import decks
from .decks import Deck, imposed, layout

LETTER, A4 = Size(215.9, 279.4), Size(210, 297)
MARGIN, BLEED, OVERLAP = 5.0, 3.175, 10.0
BOARDS = st.builds(Size, st.floats(60, 1300), st.floats(60, 1300))
PAPERS = st.sampled_from([LETTER, A4, Size(297, 420)])


def planned(trim: Size, paper: Size, overlap: float = OVERLAP) -> TilePlan:
    plan = plan_tiles(trim, BLEED, paper, MARGIN, overlap)
    assert plan is not None
    return plan


def own(plan: TilePlan, tile: Tile, trim: Size) -> Rect:
    """The part of a tile that shows once all are glued: up to the seams."""
    xs = (-BLEED, *plan.across, trim.width + BLEED)
    ys = (-BLEED, *plan.down, trim.height + BLEED)
    left, right = xs[tile.column], xs[tile.column + 1]
    top, bottom = ys[tile.row], ys[tile.row + 1]
    return Rect(left, top, right - left, bottom - top)


@given(BOARDS, PAPERS)
def test_every_point_shows_on_exactly_one_tile(trim: Size, paper: Size) -> None:
    plan = planned(trim, paper)
    parts = [own(plan, tile, trim) for tile in plan.tiles]
    whole = Rect(0, 0, trim.width, trim.height).inset(-BLEED)
    assert sum(part.width * part.height for part in parts) == pytest.approx(whole.width * whole.height)
    for one, other in itertools.combinations(parts, 2):
        assert not one.overlaps(other)
    for part, tile in zip(parts, plan.tiles, strict=True):
        assert tile.area.contains(part)


@given(BOARDS, PAPERS)
def test_neighbours_share_the_overlap_and_no_more(trim: Size, paper: Size) -> None:
    plan = planned(trim, paper)
    tiles = {(tile.row, tile.column): tile.area for tile in plan.tiles}
    for (row, column), area in tiles.items():
        if (row, column + 1) in tiles:
            assert area.right - tiles[row, column + 1].x == pytest.approx(OVERLAP)
        if (row + 1, column) in tiles:
            assert area.bottom - tiles[row + 1, column].y == pytest.approx(OVERLAP)
        if (row, column + 2) in tiles:
            assert area.right < tiles[row, column + 2].x


@given(BOARDS, PAPERS)
def test_join_marks_meet_within_a_tenth_of_a_millimetre(trim: Size, paper: Size) -> None:
    plan = planned(trim, paper)
    marks: dict[tuple[int, int], set[tuple[float, float, float, float]]] = {}
    for tile in plan.tiles:
        x0, y0 = tile_origin(plan, tile)
        _, join = tile_marks(plan, tile, trim)
        marks[tile.row, tile.column] = {
            (line.x1 - x0, line.y1 - y0, line.x2 - x0, line.y2 - y0) for line in join
        }

    def met(one: set[tuple[float, ...]], other: set[tuple[float, ...]], upright: bool) -> int:
        first, second = (0, 2) if upright else (1, 3)
        ours = [mark for mark in one if abs(mark[first] - mark[second]) < 1e-9]
        return sum(
            any(all(abs(a - b) < 0.1 for a, b in zip(mark, match, strict=True)) for match in other)
            for mark in ours
        )

    for (row, column), found in marks.items():
        if (row, column + 1) in marks:
            assert met(found, marks[row, column + 1], upright=True) >= 2
        if (row + 1, column) in marks:
            assert met(found, marks[row + 1, column], upright=False) >= 2


@given(BOARDS, PAPERS)
def test_art_and_marks_stay_where_printers_reach(trim: Size, paper: Size) -> None:
    plan = planned(trim, paper)
    reach = Rect(0, 0, plan.page.width, plan.page.height).inset(MARGIN)
    for tile in plan.tiles:
        x0, y0 = tile_origin(plan, tile)
        art = Rect(tile.area.x + x0, tile.area.y + y0, tile.area.width, tile.area.height)
        assert reach.contains(art)
        for line in itertools.chain(*tile_marks(plan, tile, trim)):
            box = Rect(
                min(line.x1, line.x2), min(line.y1, line.y2), abs(line.x2 - line.x1), abs(line.y2 - line.y1)
            )
            assert reach.contains(box, 1e-6)
            assert not box.overlaps(art)


def test_known_plans() -> None:
    assert [
        (p.rows, p.columns) for p in (planned(Size(420, 297), A4), planned(Size(420, 297), LETTER))
    ] == [
        (2, 2),
        (2, 2),
    ]
    small = planned(Size(150, 100), A4)
    assert (len(small.tiles), small.across, small.down) == (1, (), ())


def test_an_overlap_as_large_as_the_paper_has_no_plan() -> None:
    assert plan_tiles(Size(500, 500), BLEED, A4, MARGIN, 300) is None


@for_each(
    ("trim", "rows", "columns"),
    [
        (Size(400, 260), 1, 3),  # lying, the paper would take 2 × 2
        (Size(360, 260), 1, 2),  # 366 mm with the bleed are just two tiles of 188 mm, 10 of them shared
        (Size(360.01, 260), 1, 3),
        (Size(182, 269), 1, 1),  # with the bleed, all that the marks leave of the paper
        (Size(260, 360), 2, 1),  # on lying paper
    ],
)
def test_no_more_tiles_than_it_takes(trim: Size, rows: int, columns: int) -> None:
    plan = plan_tiles(trim, 3, A4, MARGIN, OVERLAP)
    assert plan is not None
    assert (plan.rows, plan.columns) == (rows, columns)
    assert plan.page == (A4.turned if trim.height == 360 else A4)


def test_a_board_that_fits_needs_no_overlap() -> None:
    """However large the overlap is, up to what the marks leave of the paper, to the point."""
    for overlap in (78, 300):
        plan = plan_tiles(Size(72, 52), 3, Size(80, 100), MARGIN, overlap)
        assert plan is not None
        assert plan.tiles == (Tile(0, 0, Rect(-3, -3, 78, 58)),)
        assert plan_tiles(Size(72.1, 40), 3, Size(80, 100), MARGIN, overlap) is None
        assert plan_tiles(Size(40, 300), 3, Size(80, 100), MARGIN, overlap) is None


BOARD = Size(500, 400)
"""On A4, with a bleed of 3 mm and an overlap of 10, two rows of three tiles of 175⅓ × 208 mm, each in the
middle of its page."""
LEFT, TOP, WIDE, HIGH = (210 - 526 / 3) / 2, 44.5, 526 / 3, 208.0


def board(copies: int = 1, **changes: Any) -> ImposedSheet:
    tiled = layout(grid="tiled", **changes)
    return imposed(Deck("a", BOARD, copies=copies, bleed=3.0), paper=decks.A4, sheet_layout=tiled)


def test_a_page_shows_its_tile_and_no_more() -> None:
    sheet = board()
    assert (sheet.paper, sheet.duplex, sheet.cards, len(sheet.pages)) == ("a4", "none", 1, 6)
    places = itertools.product((-3.0, 195.0), (-3.0, 527 / 3 - 40 / 3, 983 / 3))
    for page, (y, x) in zip(sheet.pages, places, strict=True):
        assert (page.size, page.side) == (A4, "face")
        (slot,) = page.slots
        assert (slot.rotation, slot.artwork, slot.component, slot.card) == (0, "a0.face", "a", "a0")
        for rect, wanted in (
            (slot.clip, (LEFT, TOP, WIDE, HIGH)),
            (slot.trim, (LEFT - x, TOP - y, 500, 400)),
            (page.trim, (0, 0, 210, 297)),
            (page.bleed, (0, 0, 210, 297)),
        ):
            assert (rect.x, rect.y, rect.width, rect.height) == pytest.approx(wanted)


def said(page: Page) -> str:
    return " ".join(label.text for label in page.labels)


def test_a_page_says_where_its_tile_goes(wording: Wording) -> None:
    pages = board().pages
    for page, (row, column) in zip(pages, itertools.product((1, 2), (1, 2, 3)), strict=True):
        assert f"a0: row {row} of 2, column {column} of 3" in said(page)
        assert "Demo 1.2.3" in said(page)
        assert "print at 100 %" in said(page)
        wording(said(page))
    one = imposed(Deck("a", Size(150, 100)), sheet_layout=layout(grid="tiled")).pages
    assert len(one) == 1
    assert "row 1 of 1, column 1 of 1" in said(one[0])
    assert "neighbours" not in said(one[0])


def strokes(page: Page, *, dashed: bool) -> list[tuple[float, ...]]:
    """The marks, without the ruler, whose two bars are the only long strokes."""
    found = []
    for line in page.lines:
        if max(abs(line.x2 - line.x1), abs(line.y2 - line.y1)) > 40:
            break
        if line.dashed == dashed:
            found.append((line.x1, line.y1, line.x2, line.y2))
    return found


def about(x: float | None, y: float | None) -> list[tuple[float, ...]]:
    """The two marks of 4 mm, 1 mm clear of the art, at an x or at a y of the page."""
    right, bottom = LEFT + WIDE, TOP + HIGH
    if x is not None:
        return [(x, TOP - 5, x, TOP - 1), (x, bottom + 1, x, bottom + 5)]
    assert y is not None
    return [(LEFT - 5, y, LEFT - 1, y), (right + 1, y, right + 5, y)]


def test_marks_stand_where_the_board_is_trimmed_and_joined() -> None:
    """Seams are in the middle of the overlaps: 5 mm from the edges of the art."""
    first, second, third, fourth, _, last = board().pages
    start, end = LEFT + 3, LEFT + WIDE - 3
    near, far = LEFT + 5, LEFT + WIDE - 5
    for page, crop, join in (
        (first, [(start, None), (None, TOP + 3)], [(far, None), (None, TOP + HIGH - 5)]),
        (second, [(None, TOP + 3)], [(near, None), (far, None), (None, TOP + HIGH - 5)]),
        (third, [(end, None), (None, TOP + 3)], [(near, None), (None, TOP + HIGH - 5)]),
        (fourth, [(start, None), (None, TOP + HIGH - 3)], [(far, None), (None, TOP + 5)]),
        (last, [(end, None), (None, TOP + HIGH - 3)], [(near, None), (None, TOP + 5)]),
    ):
        for places, dashed in ((crop, False), (join, True)):
            wanted = sorted(mark for place in places for mark in about(*place))
            assert sorted(strokes(page, dashed=dashed)) == [pytest.approx(mark) for mark in wanted]
    assert strokes(board(marks="none").pages[0], dashed=False) == []
    assert len(strokes(board(marks="none").pages[0], dashed=True)) == 4


def test_a_board_without_bleed_is_trimmed_at_the_edges_of_its_art() -> None:
    tiled = layout(grid="tiled")
    (page,) = imposed(Deck("a", Size(150, 100), bleed=0.0), paper=decks.A4, sheet_layout=tiled).pages
    ends = {(round(x1, 6), round(y1, 6)) for x1, y1, _, _ in strokes(page, dashed=False)}
    assert {x for x, _ in ends} >= {30.0, 180.0}
    assert {y for _, y in ends} >= {98.5, 198.5}
    assert any(abs(line.x2 - line.x1) > 40 or abs(line.y2 - line.y1) > 40 for line in page.lines), "a ruler"


def test_boards_follow_each_other_copy_by_copy_and_one_that_does_not_fit_is_said(wording: Wording) -> None:
    two, three = Deck("a", BOARD, copies=2, bleed=3.0), Deck("b", Size(150, 100), 2)
    sheet = imposed(two, three, paper=decks.A4, sheet_layout=layout(grid="tiled"))
    assert sheet.cards == 4
    assert [page.slots[0].card for page in sheet.pages] == ["a0"] * 12 + ["b0", "b1"]
    marked = [(index, page.bookmark) for index, page in enumerate(sheet.pages) if page.bookmark]
    assert marked == [(0, "Deck a"), (12, "Deck b")]

    findings = Findings()
    wide = layout(grid="tiled", overlap=190.0)
    sheet = imposed(two, three, paper=decks.A4, sheet_layout=wide, findings=findings)
    assert [page.slots[0].card for page in sheet.pages] == ["b0", "b1"]
    (found,) = findings.items
    assert (found.code, found.severity) == ("sheet/overlap", Severity.ERROR)
    wording(found, "190")


def test_a_board_has_no_more_tiles_than_anybody_glues() -> None:
    assert len(planned(Size(2000, 2000), A4).tiles) == 96
    hair = Size(2 * (MARGIN + 6) + OVERLAP + 1e-6, 2 * (MARGIN + 6) + OVERLAP + 1e-6)
    assert plan_tiles(Size(2000, 2000), BLEED, hair, MARGIN, OVERLAP) is None
    assert plan_tiles(Size(2000, 2000), BLEED, Size(80, 80), MARGIN, OVERLAP) is None


def test_a_tile_that_ends_beside_the_trim_has_no_crop_marks() -> None:
    trim = Size(100, 100)
    plan = planned(trim, A4)
    inner = replace(plan.tiles[0], area=Rect(0.5, 0.5, 99, 99))
    whole = replace(inner, area=Rect(0, 0, 100, 100))
    assert tile_marks(plan, inner, trim)[0] == []
    assert len(tile_marks(plan, whole, trim)[0]) == 8
