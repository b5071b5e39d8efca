"""Figures with known values."""

from __future__ import annotations

import math

import pytest

from cardgen.rules.chance import histogram, mean_interval, share_interval, spread
from cardgen.rules.kinds.distribution import rank_correlation, ranks
from cardgen.rules.results import Bounds
from tests.for_each import for_each


def test_plain_figures() -> None:
    assert spread([2, 4, 4, 4, 5, 5, 7, 9]) == 2
    assert ranks([10, 30, 20, 20]) == [1, 4, 2.5, 2.5]


def test_rank_correlation() -> None:
    assert rank_correlation([1, 2, 3], [10, 20, 400]) == pytest.approx(1)
    assert rank_correlation([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    # A textbook case: IQ and hours of television, rho = -29/165.
    iq = [106, 86, 100, 101, 99, 103, 97, 113, 112, 110]
    hours = [7, 0, 27, 50, 28, 29, 20, 12, 6, 17]
    assert rank_correlation(iq, hours) == pytest.approx(-29 / 165)
    assert rank_correlation([1, 1], [1, 2]) is None


def test_intervals() -> None:
    low, high = share_interval(0, 100, 0.95)
    assert (low, round(high, 4)) == (0, 0.037)
    low, high = share_interval(50, 100, 0.95)
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    low, high = mean_interval([1.0, 3.0] * 50, 0.95)
    assert (round(low, 3), round(high, 3)) == (1.803, 2.197)
    assert mean_interval([1.0]) == (-math.inf, math.inf)


@for_each(
    ("bounds", "inside", "outside"),
    [
        (Bounds(equals=3), [3, 3.0], [2, 4, math.nan]),
        (Bounds(min=1, max=2), [1, 1.5, 2, 1 - 1e-12], [0.999, 2.001, math.inf]),
        (Bounds(max=2), [-9, 2], [3]),
        (Bounds(), [0, 9], [math.nan]),
    ],
)
def test_bounds(bounds: Bounds, inside: list[float], outside: list[float]) -> None:
    assert all(value in bounds for value in inside)
    assert not any(value in bounds for value in outside)


def test_bounds_on_intervals() -> None:
    bounds = Bounds(min=1, max=2)
    assert bounds.holds_for(1.2, 1.8) is True
    assert bounds.holds_for(0.5, 1.5) is None
    assert bounds.holds_for(0.1, 0.9) is False
    assert bounds.holds_for(2.1, 3) is False
    assert Bounds(equals=3).holds_for(2, 4) is None
    assert Bounds(equals=3).holds_for(3, 3) is True


def test_which_bounds_allow_none() -> None:
    assert Bounds(equals=0).allows_none
    assert Bounds(max=3).allows_none
    assert not Bounds(min=1, max=3).allows_none
    assert not Bounds(min=0).allows_none
    assert not Bounds().allows_none


def test_histograms() -> None:
    assert histogram("h", [1, 3, 3]).bins == (("1", 1.0), ("2", 0.0), ("3", 2.0))
    assert histogram("h", [0.5, 2.25]).bins == (("0.5", 1.0), ("2.25", 1.0))
    many = histogram("h", [step / 10 for step in range(1000)])
    assert len(many.bins) == 20
    assert sum(size for _, size in many.bins) == 1000
