"""The areas of a box: what is hatched, and what of a panel is on an area for glue."""

from __future__ import annotations

import pytest

from cardgen.sheets.boxes import hatching, inside, surface
from tests.for_each import for_each

FLAP = [(0.0, 0.0), (20.0, 0.0), (20.0, 10.0), (0.0, 10.0)]


def test_hatching_crosses_an_area_in_lines_4_mm_apart() -> None:
    lines = list(hatching(FLAP))
    distances = [(x + y) / 2**0.5 for (x, y), _ in lines]
    assert distances == pytest.approx([4 / 2**0.5 + 4 * n for n in range(len(lines))])
    assert distances[-1] + 4 > 30 / 2**0.5
    for ends in lines:
        assert ends[0] != ends[1]
        assert sum(ends[0]) == pytest.approx(sum(ends[1]))
        for x, y in ends:
            assert min(abs(x), abs(x - 20), abs(y), abs(y - 10)) < 1e-9
            assert 0 <= x <= 20
            assert 0 <= y <= 10


@for_each(("left", "top", "area"), [(0, 0, 200), (15, 5, 25), (-5, -5, 75), (20, 0, 0), (30, 30, 0)])
def test_part_within_an_area_has_the_overlap_of_both(left: float, top: float, area: float) -> None:
    panel = [(x + left, y + top) for x, y in FLAP]
    assert abs(surface(inside(panel, FLAP))) == pytest.approx(area)
