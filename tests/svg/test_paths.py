"""Path data: its commands, and lengths that no outline exceeds."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.geometry import Rect
from cardgen.svg.outlines import extents, lines_of, outline_of, path_commands, path_length
from cardgen.svg.tree import Node
from tests.for_each import for_each


@for_each(
    ("data", "expected"),
    [
        ("M1 2 3 4", [("M", (1, 2)), ("L", (3, 4))]),
        ("m1,2-3.5.5z", [("m", (1, 2)), ("l", (-3.5, 0.5)), ("z", ())]),
        ("M0 0a5 5 0 1110 0", [("M", (0, 0)), ("a", (5, 5, 0, 1, 1, 10, 0))]),
        ("M0 0a5 5 0 01.5.5", [("M", (0, 0)), ("a", (5, 5, 0, 0, 1, 0.5, 0.5))]),
        ("M1e1 2E-1H3V4", [("M", (10, 0.2)), ("H", (3,)), ("V", (4,))]),
        ("M0 0L1 1 2", [("M", (0, 0)), ("L", (1, 1))]),  # what is complete is drawn
        ("M0 0 X 1 1", [("M", (0, 0))]),
        ("5 5", []),
        ("L5 5", []),
        ("z", []),
        ("", []),
    ],
)
def test_path_data(data: str, expected: list[tuple[str, tuple[float, ...]]]) -> None:
    assert list(path_commands(data)) == expected


@given(st.text(alphabet="MmLlAaCcZz0123456789.-+eE ,x", max_size=60))
def test_any_path_data_ends(data: str) -> None:
    for letter, values in path_commands(data):
        assert letter in "MmLlAaCcZz"
        assert all(isinstance(value, float) for value in values)


@for_each(
    ("data", "corners", "length"),
    [
        ("", 0, 0.0),
        ("M3 4", 1, 0.0),
        ("M0 0H3V4z", 4, 12.0),
        ("m1 1 3 4", 2, 5.0),
        ("M100 100l1 0 0 1", 3, 2.0),
        ("M0 0L3 4M9 9h1", 4, 6.0),
    ],
)
def test_straight_lines_are_measured_exactly(data: str, corners: int, length: float) -> None:
    assert path_length(data) == (corners, pytest.approx(length))


@for_each(
    ("data", "least"),
    [
        ("M0 0C0 9 9 9 9 0", 9 * 2),  # a curve as high as it is wide
        ("M0 0c0 9 9 9 9 0s9-9 9 0", 9 * 4),
        ("M0 0q5 10 10 0t10 0", 2 * 14.7),
        ("M0 0a5 5 0 1 0 10 0", math.pi * 5),
        ("M0 0a1 1 0 0 1 10 0", math.pi * 5),  # radii too small to reach are grown
    ],
)
def test_curves_are_never_longer_than_said(data: str, least: float) -> None:
    assert path_length(data)[1] >= least


def test_far_points_of_a_short_line_do_not_count() -> None:
    data = "M900 900" + "".join(f"L{900 + i % 2} 900" for i in range(1000))
    assert path_length(data)[1] == pytest.approx(999)


@pytest.mark.parametrize(
    ("radii", "box"),
    [
        ({"rx": "3"}, Rect(-3, -3, 6, 6)),
        ({"rx": "auto", "ry": "4"}, Rect(-4, -4, 8, 8)),
        ({"rx": "1", "ry": "2"}, Rect(-1, -2, 2, 4)),
        ({}, Rect(0, 0, 0, 0)),
    ],
)
def test_an_ellipse_has_the_radius_that_is_stated(radii: dict[str, str], box: Rect) -> None:
    assert extents(outline_of("ellipse", radii) or []) == box


def test_lines_follow_curves_and_close() -> None:
    ring, rest = lines_of(Node("path", {"d": "M0 0H2A1 1 0 0 1 0 0z"}), 1_000, 12)
    assert (ring[0], ring[1], ring[-1], rest) == ((0, 0), (2, 0), (0, 0), [(0, 0)])
    assert all(math.dist(place, (1, 0)) == pytest.approx(1, abs=1e-3) for place in ring[1:])
    assert lines_of(Node("image", {"width": "2", "height": "3"}), 10) == []
    assert len(lines_of(Node("path", {"d": "M0 0" + "h1" * 99}), 120, 12)[0]) == 11
