"""Path data: its commands, outlines and lines."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.geometry import Rect
from cardgen.svg.outlines import extents, lines_of, outline_of, path_commands
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
        ("M0 0L1 1L1e7 0L2 2", [("M", (0, 0)), ("L", (1, 1))]),  # a slip, which is refused
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
    assert len(lines_of(Node("path", {"d": "M0 0" + "h1" * 99}), 120, 12)[0]) == 100
    assert len(lines_of(Node("path", {"d": "M0 0" + "h1" * 99}), 50, 12)[0]) == 51
    assert len(lines_of(Node("path", {"d": "M0 0" + "h1" * 199}), 120, 12)[0]) == 121
