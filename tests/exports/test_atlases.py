"""How many cells an atlas has, and how large they are."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.geometry import Size
from cardgen.core.table import Spot
from cardgen.exports.cells import MOST_CELLS, Grid, plan_grid, spread
from cardgen.exports.tts_objects import Guids, card_scale, on_tile, tile_scale, transform
from tests.for_each import for_each

POKER = Size(63.5, 88.9)
counts = st.integers(1, MOST_CELLS)
trims = st.builds(Size, st.floats(20, 300), st.floats(20, 300))
textures = st.sampled_from([1024, 2048, 4096, 8192])


@given(counts, trims, textures)
def test_a_grid_holds_its_cards_and_stays_in_bounds(count: int, trim: Size, texture: int) -> None:
    grid = plan_grid(count, trim, 300, texture)
    assert grid.columns <= 10
    assert grid.rows <= 7
    assert grid.columns * grid.rows >= count
    assert max(grid.size) < texture
    corners = {grid.corner(slot) for slot in range(count)}
    assert len(corners) == count
    width, height = grid.size
    assert all(x + grid.cell[0] <= width and y + grid.cell[1] <= height for x, y in corners)
    stretched = (grid.cell[0] / grid.cell[1]) / (trim.width / trim.height)
    assert stretched == pytest.approx(1, abs=2 / min(grid.cell))


@given(counts)
def test_no_grid_has_fewer_cells(count: int) -> None:
    grid = plan_grid(count, POKER, 300, 4096)
    fewest = min(
        columns * rows for columns in range(1, 11) for rows in range(1, 8) if columns * rows >= count
    )
    assert grid.columns * grid.rows == fewest


def test_sixty_cards_fill_sixty_cells() -> None:
    grid = plan_grid(60, POKER, 300, 4096)
    assert (grid.columns * grid.rows, max(grid.size) < 4096) == (60, True)
    assert min(grid.cell) >= 400


@for_each("count", [13, 36, 60, 70])
def test_cells_of_poker_cards_are_five_by_seven_to_the_pixel(count: int) -> None:
    across, deep = plan_grid(count, POKER, 300, 4096).cell
    assert across * 7 == deep * 5
    assert across * deep >= 0.95 * 4095 * 4095 / 70


def test_cells_are_no_finer_than_asked_for() -> None:
    assert plan_grid(4, POKER, 100, 4096).cell == (250, 350)
    assert plan_grid(1, POKER, 300, 4096).cell == (750, 1050)


PER_PIXEL = 25.4
"""The dots per inch at which a millimetre is a pixel."""


@for_each(
    ("count", "trim", "dpi", "columns", "rows"),
    [
        (12, POKER, 4000, 4, 3),  # cells of 975 × 1365 pixels; 730 × 1022 in 3 × 4
        (6, POKER, 100, 3, 2),  # as large in any grid, and this one is almost a square
        (12, Size(50, 50), 100, 3, 4),  # as good as 4 × 3
    ],
)
def test_the_grid_with_the_largest_cells_and_of_those_the_squarest(
    count: int, trim: Size, dpi: float, columns: int, rows: int
) -> None:
    grid = plan_grid(count, trim, dpi, 4096)
    assert (grid.columns, grid.rows) == (columns, rows)


@for_each(
    ("trim", "dpi", "texture", "cell"),
    [
        # as fine as asked for where there is just the room for it, though fewer pixels are nearer in shape
        (Size(58, 41.4286), PER_PIXEL, 59, (58, 41)),
        (Size(41.4286, 58), PER_PIXEL, 59, (41, 58)),
        # made smaller: all that there is room for where that has the shape …
        (Size(60, 60), 300, 100, (99, 99)),
        (Size(60, 100), 300, 101, (60, 100)),
        (Size(50, 100), 300, 101, (50, 100)),
        # … or is nearest to it, and not one more across, which would be nearer still
        (Size(700, 500), 300, 60, (59, 42)),
        # up to a fiftieth smaller for the sake of the shape: 86 × 123 would be nearer still
        (Size(44.45, 63.5), 300, 128, (88, 126)),
        (Size(57, 87), 300, 152, (97, 148)),  # 97 of 98.9
        (Size(70, 120), 300, 155, (89, 153)),  # not 88 of 89.8
        # two cells of one shape, but for a millionth: the larger one
        (Size(105, 148), 1200, 4083, (2896, 4082)),
        # at least a pixel, whatever is asked for
        (Size(1, 1), 5, 100, (1, 1)),
    ],
)
def test_the_cell_of_one_card(trim: Size, dpi: float, texture: int, cell: tuple[int, int]) -> None:
    assert plan_grid(1, trim, dpi, texture).cell == cell


def test_a_cell_may_be_as_high_as_its_column_is_wide() -> None:
    """Two cards of 40 × 60 pixels, where columns have 50: as fine as asked for."""
    assert plan_grid(2, Size(40, 60), PER_PIXEL, 101) == Grid(2, 1, (40, 60))


def test_a_cell_has_a_pixel_each_way() -> None:
    assert plan_grid(70, POKER, 300, 21) == Grid(10, 7, (1, 2))
    for trim, texture in ((Size(10, 200), 21), (POKER, 8)):
        with pytest.raises(ValueError, match="no room for 70 cards"):
            plan_grid(70, trim, 300, texture)


@for_each("count", [0, 71])
def test_an_atlas_holds_one_to_seventy(count: int) -> None:
    with pytest.raises(ValueError):
        plan_grid(count, POKER, 300, 4096)


@given(st.integers(1, 1000))
def test_cards_are_spread_evenly_over_few_atlases(count: int) -> None:
    parts = spread(count)
    assert sum(parts) == count
    assert len(parts) == math.ceil(count / MOST_CELLS)
    assert max(parts) - min(parts) <= 1


@given(st.floats(20, 400), st.floats(20, 400))
def test_a_tile_s_corners_are_where_its_trim_ends(width: float, height: float) -> None:
    """Its scale times a place within it is the distance from its middle, in inches."""
    trim = Size(width, height)
    x, z = on_tile(trim, width, height)
    assert x * tile_scale(trim) == pytest.approx(-width / 2 / 25.4, abs=0.01)
    assert z * tile_scale(trim) == pytest.approx(height / 2 / 25.4, abs=0.01)


def test_turned_cells_scale_like_upright_ones() -> None:
    across, deep = card_scale(POKER, (750, 1050))
    assert (across, deep) == pytest.approx((63.5 / 56, 88.9 / 80), abs=1e-4)
    across, deep = card_scale(POKER.turned, (1050, 750))
    assert deep == pytest.approx(63.5 / 80, abs=1e-4)
    assert across == pytest.approx(88.9 / (56 * (88.9 / 63.5) ** 2), abs=1e-4)


def test_places_in_units_of_an_inch_with_z_away_from_the_near_side() -> None:
    where = transform(Spot(254, 127, 30), (1, 1, 1), face_up=False)
    assert (where["posX"], where["posZ"], where["rotY"], where["rotZ"]) == (10, -5, 210, 180)


def test_ids_are_distinct_and_always_the_same() -> None:
    first, second = Guids("fox", "table"), Guids("fox", "table")
    ids = [first.take("card", number % 50) for number in range(500)]
    assert ids == [second.take("card", number % 50) for number in range(500)]
    assert len(set(ids)) == 500
    assert all(len(id) == 6 and int(id, 16) >= 0 for id in ids)
