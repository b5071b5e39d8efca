"""Outlines of pieces with round corners, as operators."""

from __future__ import annotations

import math

import pytest

from cardgen.core.geometry import Rect, decimal
from cardgen.pdf.fonts import rounded
from tests.for_each import for_each

RECT = Rect(1, 2, 10, 20)


def numbers(path: str) -> list[list[float]]:
    """The numbers of each operator but the closing one."""
    words = path.split()
    found: list[list[float]] = [[]]
    assert words.pop() == "h"
    for word in words:
        if word in ("m", "c", "l"):
            found.append([])
        else:
            found[-1].append(float(word))
    return found[:-1]


@for_each(("rx", "ry"), [(2, 2), (2, 3), (5, 10)])
def test_corners_are_quarter_ellipses_and_sides_straight(rx: float, ry: float) -> None:
    operators = numbers(rounded(RECT, rx, ry, decimal))
    (start,), *rest = [list(zip(values[::2], values[1::2])) for values in operators]
    assert [len(points) for points in rest] == [3, 1] * 4
    assert start == (1 + rx, 2)
    assert rest[-1] == [start]
    here = start
    for curve, (end,) in zip(rest[::2], rest[1::2]):
        first, second, there = curve
        x, y = ((a + 3 * b + 3 * c + d) / 8 for a, b, c, d in zip(here, first, second, there))
        middle = (1 + rx if x < 6 else 11 - rx, 2 + ry if y < 12 else 22 - ry)
        assert math.hypot((x - middle[0]) / rx, (y - middle[1]) / ry) == pytest.approx(1, abs=1e-3)
        assert end[0] == there[0] or end[1] == there[1]
        here = end


def test_numbers_are_written_as_asked() -> None:
    assert rounded(RECT, 2, 2, "{:.4f}".format).startswith("3.0000 2.0000 m 1.8954 2.0000 1.0000 2.8954 ")
    assert rounded(RECT, 2, 2, decimal).startswith("3 2 m 1.895 2 1 2.895 1 4 c 1 20 l ")
