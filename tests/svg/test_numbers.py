"""Numbers as SVG writes them."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from cardgen.svg.tree import FARTHEST, SHOWN, number, numbers, short, too_far
from tests.for_each import for_each


@for_each(
    ("text", "expected"),
    [
        ("0", 0.0),
        ("-1.5", -1.5),
        ("+.5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("1E-2", 0.01),
        *(
            (text, None)
            for text in ("", "x", "1x", "1 2", "nan", "inf", "1e999", "1_0", "0x1", "--1", ".", "²", "١")
        ),
        ("1" * 65, None),
    ],
)
def test_a_number(text: str, expected: float | None) -> None:
    assert number(text) == expected


def test_a_list_of_numbers() -> None:
    assert numbers("0 0,10-5.5.5e1") == [0.0, 0.0, 10.0, -5.5, 5.0]
    assert numbers("1" * 400) == [math.inf]
    assert numbers("none") == []


@given(st.floats(-1e5, 1e5).map(lambda value: f"{value:.4f}"))
def test_what_floats_write_is_read(text: str) -> None:
    assert number(text) == float(text)


@for_each(
    ("text", "found"),
    [
        ("M0 0L1000000 -1000000", None),
        ("M0 0L1000001 0", "1000001"),
        ("M0 0L-1e7 0", "-1e7"),
        ("M1e5 1E5", None),
        ("M1e999 0", "1e999"),
        ("M0.00000001 12345678e-9", None),
        ("L" + "9" * 500, "9" * 500),
    ],
)
def test_numbers_that_are_too_far(text: str, found: str | None) -> None:
    assert too_far(text) == found
    assert FARTHEST == 1e6


def test_long_values_are_shown_by_their_beginning() -> None:
    assert short("a\n b") == "a b"
    assert short("x" * SHOWN) == "x" * SHOWN
    assert short("x" * 10**7) == "x" * (SHOWN - 1) + "…"
    assert len(short(" " * 10**6 + "x")) <= SHOWN
