"""Boards in tiles: every point of the board is printed, once outside the overlaps; marks meet."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.geometry import Rect, Size
from cardgen.imposition.tiling import Tile, TilePlan, plan_tiles, tile_marks, tile_origin

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
