"""Sizes, rectangles and maps in millimetres, and lengths as text."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.geometry import (
    IDENTITY,
    MM_PER_PT,
    PT_PER_MM,
    Insets,
    Matrix,
    Rect,
    Size,
    clipped,
    moved_out,
    parse_length,
    to_px,
)
from tests.for_each import for_each
from tests.wording import Wording

NUMBERS = st.floats(-100, 100)
MAPS = st.builds(Matrix, *[NUMBERS] * 6)


def test_sizes() -> None:
    card = Size(63.5, 88.9)
    assert card.turned == Size(88.9, 63.5)
    assert card.turned.upright == card == card.upright
    assert Size(50, 50).upright == Size(50, 50)
    assert (card.landscape, card.turned.landscape, Size(50, 50).landscape) == (False, True, False)
    assert card.grown(3) == Size(69.5, 94.9)
    assert str(card) == "63.5×88.9 mm"


@for_each(
    ("other", "alike"),
    [
        (Size(10.01, 19.99), True),
        (Size(10.02, 20), False),
        (Size(9.98, 20), False),
        (Size(10, 20.02), False),
        (Size(10, 19.98), False),
    ],
)
def test_sizes_that_are_close(other: Size, alike: bool) -> None:
    assert Size(10, 20).close_to(other, 0.015) is alike
    assert other.close_to(Size(10, 20), 0.015) is alike
    assert Size(10, 20).close_to(Size(10.0625, 19.9375), 0.0625), "the tolerance is within it"
    assert not Size(10, 20).close_to(Size(10.02, 20))
    assert Size(10, 20).close_to(Size(10.009, 20))


def test_rectangles() -> None:
    rect = Rect(1, 2, 30, 40)
    assert (rect.right, rect.bottom, rect.size) == (31, 42, Size(30, 40))
    assert rect.inset(5) == Rect(6, 7, 20, 30)
    assert rect.inset(-5) == Rect(-4, -3, 40, 50)
    assert rect.inset(Insets(top=1, right=2, bottom=3, left=4)) == Rect(5, 3, 24, 36)


MOVED = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


@for_each(("x", "y"), MOVED.values(), ids=MOVED)
def test_what_a_rectangle_contains(x: float, y: float) -> None:
    """One of its own size up to the tolerance, and one half as large as far as there is room."""
    rect = Rect(10, 20, 8, 8)
    for by, tolerance, inside in ((0.25, 0.25, True), (0.25, 0.125, False), (-0.25, 0.125, False)):
        assert rect.contains(Rect(10 + by * x, 20 + by * y, 8, 8), tolerance) is inside
    assert rect.contains(Rect(12 + 2 * x, 22 + 2 * y, 4, 4), 0)
    assert not rect.contains(Rect(12 + 2.5 * x, 22 + 2.5 * y, 4, 4))
    assert rect.contains(Rect(12 + 2.0000005 * x, 22 + 2.0000005 * y, 4, 4))
    assert not rect.contains(Rect(12 + 2.0000015 * x, 22 + 2.0000015 * y, 4, 4))


@for_each(("x", "y"), MOVED.values(), ids=MOVED)
def test_what_overlaps_a_rectangle(x: float, y: float) -> None:
    """More than the tolerance of both, in both directions; sides that touch do not."""
    rect = Rect(10, 20, 8, 8)
    for by, tolerance, shared in ((8, 0, False), (7.5, 0, True), (7.5, 0.5, False), (7.5, 0.25, True)):
        other = Rect(10 + by * x, 20 + by * y, 8, 8)
        assert rect.overlaps(other, tolerance) is shared
        assert other.overlaps(rect, tolerance) is shared
    assert not rect.overlaps(Rect(10 + 20 * x, 20 + 20 * y, 8, 8))
    assert not rect.overlaps(Rect(10 + 7.9999995 * x, 20 + 7.9999995 * y, 8, 8))
    assert rect.overlaps(Rect(10 + 7.9999985 * x, 20 + 7.9999985 * y, 8, 8))


@given(MAPS, MAPS, NUMBERS, NUMBERS)
def test_one_map_after_another(inner: Matrix, outer: Matrix, x: float, y: float) -> None:
    assert inner.then(outer).apply(x, y) == pytest.approx(outer.apply(*inner.apply(x, y)), abs=1e-3)
    assert inner.then(IDENTITY) == inner == IDENTITY.then(inner)


def test_maps_as_svg_writes_them() -> None:
    assert Matrix(2, 3, 5, 7, 11, 13).apply(10, 100) == (2 * 10 + 5 * 100 + 11, 3 * 10 + 7 * 100 + 13)
    assert Matrix(1, 0, 0, 1, 4, 5).apply(1, 2) == (5, 7)
    assert (IDENTITY.is_identity, Matrix(a=2).is_identity) == (True, False)
    assert IDENTITY.apply(3, 4) == (3, 4)


def test_the_scale_of_a_map_is_that_of_lengths() -> None:
    """Turned, mirrored or sheared: the root of what it makes of an area."""
    cos, sin = 3 * math.cos(0.3), 3 * math.sin(0.3)
    assert Matrix(cos, sin, -sin, cos, 9, 9).scale == pytest.approx(3)
    assert Matrix(-4, 0, 0, 9, 1, 1).scale == pytest.approx(6)
    assert Matrix(2, 0, 5, 2).scale == pytest.approx(2)


@for_each(
    ("text", "length"),
    [
        ("63.5mm", 63.5),
        ("2.5in", 63.5),
        (" 1 cm ", 10),
        ("-72pt", -25.4),
        ("+.5in", 12.7),
        ("3.mm", 3),
    ],
)
def test_lengths_as_text(text: str, length: float) -> None:
    assert parse_length(text) == pytest.approx(length)


@for_each(
    "text",
    [
        "mm",
        "12",
        "12px",
        "1mm 2mm",
    ],
)
def test_what_is_no_length(text: str, wording: Wording) -> None:
    with pytest.raises(ValueError) as caught:
        parse_length(text)
    wording(caught.value)


def test_units() -> None:
    assert pytest.approx((25.4, 72)) == (72 * MM_PER_PT, 25.4 * PT_PER_MM)
    assert [to_px(length, 300) for length in (63.5, 0, 25.4 / 300, 0.04, 0.045)] == [750, 0, 1, 0, 1]


def test_each_side_of_a_polygon_is_moved_out_by_its_own_distance() -> None:
    corners = [(0, 0), (5, 0), (10, 0), (10, 10), (0, 10)]
    assert moved_out(corners, (1, 1, 2, 3, -4)) == ((4, -1), (5, -1), (12, -1), (12, 13), (4, 13))
    slanted = moved_out([(0, 0), (10, 0), (0, 10)], (0, 2**0.5, 0))
    assert [(round(x, 6), round(y, 6)) for x, y in slanted] == [(0, 0), (12, 0), (0, 12)]


def test_a_polygon_is_clipped_to_a_rectangle() -> None:
    diamond = [(5, 0), (10, 5), (5, 10), (0, 5)]
    assert clipped(diamond, Rect(0, 0, 10, 10)) == tuple(diamond)
    assert set(clipped(diamond, Rect(2, 0, 3, 4))) == {(5, 0), (5, 4), (2, 4), (2, 3)}
    assert clipped(diamond, Rect(20, 0, 4, 5)) == ()
