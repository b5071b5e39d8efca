"""Path data: its commands, outlines and lines."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.geometry import Rect
from cardgen.svg.outlines import NO_OUTLINE, extents, lines_of, outline_of, path_commands
from cardgen.svg.tree import FARTHEST, NUMBER, Node
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


def read_by_number(data: str) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Read path data as its grammar is written, one number after the other."""
    position, letter = 0, ""
    while match := re.compile(r"[ ,]*(?:([A-Za-z])|$|(?=.))").match(data, position):
        if match[1]:
            letter, position = match[1], match.end()
        elif not letter or letter in "Zz":
            return
        kinds = {"a": "nnnffnn", "c": "n" * 6, "z": ""}.get(letter.lower(), "nn")
        values = []
        for kind in kinds:
            match = re.compile(rf"[ ,]*({NUMBER if kind == 'n' else '[01]'})").match(data, position)
            if match is None or abs(float(match[1])) > FARTHEST:
                return
            values.append(float(match[1]))
            position = match.end()
        yield letter, tuple(values)
        letter = {"M": "L", "m": "l"}.get(letter, letter)


@given(
    st.lists(
        st.sampled_from(("M1 2", "L", "a5 5 0 0 1", "a1,1 0 0110", "c1 2 3 4 5 6", "z", "l-.5.5", "E3"))
        | st.text(alphabet="MmLlAaCcZz0123456789.-+eE ,?", max_size=9),
        max_size=9,
    ).map("".join)
)
def test_path_data_is_read_as_number_by_number(data: str) -> None:
    known = data.lstrip(" ,")[:1] in ("M", "m") and not re.search("[^MmLlAaCcZzeE0-9.,?+ -]", data)
    assert list(path_commands(data)) == (list(read_by_number(data)) if known else [])


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
    assert extents(outline_of("ellipse", radii) or NO_OUTLINE) == box


def test_lines_follow_curves_and_close() -> None:
    ring, rest = lines_of(Node("path", {"d": "M0 0H2A1 1 0 0 1 0 0z"}), 1_000, 12)
    assert (ring[0], ring[1], ring[-1], rest) == ((0, 0), (2, 0), (0, 0), [(0, 0)])
    assert all(math.dist(place, (1, 0)) == pytest.approx(1, abs=1e-3) for place in ring[1:])
    assert lines_of(Node("image", {"width": "2", "height": "3"}), 10) == []
    assert len(lines_of(Node("path", {"d": "M0 0" + "h1" * 99}), 120, 12)[0]) == 100
    assert len(lines_of(Node("path", {"d": "M0 0" + "h1" * 99}), 50, 12)[0]) == 51
    assert len(lines_of(Node("path", {"d": "M0 0" + "h1" * 199}), 120, 12)[0]) == 121
