"""Where markers stand, and which way they point."""

from __future__ import annotations

import math

import pytest

from cardgen.pdf.shapes import Corner, corners, path_runs, straight


def turned(found: list[Corner]) -> list[tuple[tuple[float, float], int]]:
    """Places, and directions in whole degrees from 0 to 359."""
    places = [(round(corner.place[0], 6), round(corner.place[1], 6)) for corner in found]
    return [(place, round(math.degrees(corner.angle)) % 360) for place, corner in zip(places, found)]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("", []),
        ("M1 2", [((1, 2), 0)]),
        ("M0 0h9v9", [((0, 0), 0), ((9, 0), 45), ((9, 9), 90)]),
        ("M0 0H9V9H0z", [((0, 0), 315), ((9, 0), 45), ((9, 9), 135), ((0, 9), 225), ((0, 0), 315)]),
        ("M0 0h9h-9", [((0, 0), 0), ((9, 0), 90), ((0, 0), 180)]),  # straight back
        ("M0 0h9M20 0v9", [((0, 0), 0), ((9, 0), 0), ((20, 0), 90), ((20, 9), 90)]),
        ("M0 0h9zl0 9", [((0, 0), 270), ((9, 0), 90), ((0, 0), 270), ((0, 0), 90), ((0, 9), 90)]),
        ("M0 0C0 5 5 9 9 9", [((0, 0), 90), ((9, 9), 0)]),
        ("M0 0C0 0 5 0 9 9", [((0, 0), 0), ((9, 9), 66)]),  # the first handle lies on its point
        ("M0 0c0 5 4 9 9 9s9 5 9 9", [((0, 0), 90), ((9, 9), 0), ((18, 18), 90)]),
        ("M0 0q0 9 9 9t9 9", [((0, 0), 90), ((9, 9), 0), ((18, 18), 90)]),
        ("M0 0a5 5 0 0 1 10 0", [((0, 0), 270), ((10, 0), 90)]),
        ("M0 0a5 5 0 0 0 10 0", [((0, 0), 90), ((10, 0), 270)]),
        ("M0 0a5 5 0 0 1 5 5", [((0, 0), 0), ((5, 5), 90)]),
        ("M0 0a5 5 0 1 1 5 5", [((0, 0), 270), ((5, 5), 180)]),
        ("M0 0a0 5 0 0 1 0 9", [((0, 0), 90), ((0, 9), 90)]),  # no arc at all
        ("M0 0a5 5 0 0 1 0 0", [((0, 0), 0), ((0, 0), 0)]),
    ],
)
def test_corners_of_paths(data: str, expected: list[tuple[tuple[float, float], int]]) -> None:
    assert turned(list(corners(path_runs(data)))) == expected


def test_corners_of_straight_outlines() -> None:
    square = [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0)]
    assert [angle for _, angle in turned(list(corners(straight(square, False))))] == [0, 45, 90]
    assert len(list(corners(straight(square, True)))) == 4
    assert list(corners(straight([], True))) == []
