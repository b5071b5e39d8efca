"""SVG values, against what CSS Color and SVG 2 say."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.geometry import Matrix, Rect
from cardgen.svg.outlines import ViewportError, fit, parse_transform
from cardgen.svg.style import parse_color
from cardgen.svg.tree import share
from tests.for_each import for_each
from tests.wording import Wording


@for_each(
    ("text", "expected"),
    [
        ("#f80", (1, 136 / 255, 0, 1)),
        ("#f808", (1, 136 / 255, 0, 136 / 255)),
        ("#FF8800", (1, 136 / 255, 0, 1)),
        ("#ff880080", (1, 136 / 255, 0, 128 / 255)),
        ("rgb(255, 0, 128)", (1, 0, 128 / 255, 1)),
        ("rgb(100%,0%,50%)", (1, 0, 0.5, 1)),
        ("rgb(255 0 0 / 50%)", (1, 0, 0, 0.5)),
        ("rgba(0,0,255,.25)", (0, 0, 1, 0.25)),
        ("hsl(120, 100%, 50%)", (0, 1, 0, 1)),
        ("hsl(0.5turn 100% 50%)", (0, 1, 1, 1)),
        ("hsla(240deg,100%,50%,.5)", (0, 0, 1, 0.5)),
        ("Navy", (0, 0, 128 / 255, 1)),
        ("transparent", (0, 0, 0, 0)),
        ("rgb(300, -5, 0)", (1, 0, 0, 1)),
        ("hwb(0 0% 0%)", (1, 0, 0, 1)),
    ],
)
def test_colours(text: str, expected: tuple[float, ...]) -> None:
    assert parse_color(text) == pytest.approx(expected)


@for_each(
    "text",
    [
        *("#12", "#12345", "#ggg", "bleu", "rgb(1,2)", "hsl(x,1%,1%)", "cmyk(0,0,0,1)", ""),
        *("lab(50% 10 10)", "currentColor", "rgb(1e999,0,0)", "rgb(0,0,0" + 99 * " " + ")"),
    ],
)
def test_what_is_no_colour_is_not_black(text: str) -> None:
    assert parse_color(text) is None


def test_shares(wording: Wording) -> None:
    assert [share(".5"), share(" 50% "), share("-1")] == [0.5, 0.5, -1]
    for wrong in ("half", "", "1 2", "1e999", "nan"):
        with pytest.raises(ValueError) as caught:
            share(wrong)
        wording(caught.value)


@for_each(
    ("text", "expected"),
    [
        ("", (1, 0, 0, 1, 0, 0)),
        ("translate(3)", (1, 0, 0, 1, 3, 0)),
        ("translate(3-4)", (1, 0, 0, 1, 3, -4)),
        ("scale(2)", (2, 0, 0, 2, 0, 0)),
        ("scale(2,3)", (2, 0, 0, 3, 0, 0)),
        ("rotate(90)", (0, 1, -1, 0, 0, 0)),
        ("none", (1, 0, 0, 1, 0, 0)),
        ("translate(1,2) , scale(3)\nrotate(0) ", (3, 0, 0, 3, 1, 2)),
        ("scale(2) translate(2 3)", (2, 0, 0, 2, 4, 6)),
        ("rotate(90 10 0)", (0, 1, -1, 0, 10, -10)),
        ("skewX(45)", (1, 0, 1, 1, 0, 0)),
        ("skewY(45)", (1, 1, 0, 1, 0, 0)),
        ("skewX(45) , skewY(45)", (2, 1, 1, 1, 0, 0)),
        ("matrix(1 2 3 4 5 6)", (1, 2, 3, 4, 5, 6)),
    ],
)
def test_transforms(text: str, expected: tuple[float, ...]) -> None:
    found = parse_transform(text)
    assert (found.a, found.b, found.c, found.d, found.e, found.f) == pytest.approx(expected, abs=1e-9)


@for_each(
    "text",
    [
        "rotate(1,2)",
        "rotate(45deg)",
        "spin(3)",
        "translate(3mm)",
        "x",
        "scale(nan)",
        "scale(1 2 3)",
        "scale()",
        "scale(2",
        "translate(" + 900 * "1" + "x)",
        "scale(1e30)",
    ],
)
def test_unknown_transforms_are_said_in_a_sentence(text: str, wording: Wording) -> None:
    with pytest.raises(ValueError) as caught:
        parse_transform(text)
    wording(caught.value)


numbers = st.floats(-50, 50).map(lambda value: round(value, 3))


@given(numbers, numbers, numbers, numbers)
def test_a_list_of_transforms_applies_the_last_first(
    x: float, y: float, angle: float, scale: float
) -> None:
    matrix = parse_transform(f"translate({x} {y}) rotate({angle}) scale({scale})")
    turn = math.radians(angle)
    expected = Matrix(a=scale, d=scale)
    expected = expected.then(Matrix(math.cos(turn), math.sin(turn), -math.sin(turn), math.cos(turn)))
    assert matrix.apply(2, 3) == pytest.approx(expected.then(Matrix(e=x, f=y)).apply(2, 3), abs=1e-6)


@for_each(
    ("rule", "expected"),
    [
        (None, (2, 2, 0, 10)),
        ("xMidYMid meet", (2, 2, 0, 10)),
        ("xMinYMin", (2, 2, 0, 0)),
        ("xMaxYMax", (2, 2, 0, 20)),
        ("xMinYMid slice", (4, 4, 0, 0)),
        ("xMaxYMid slice", (4, 4, -20, 0)),
        ("none", (2, 4, 0, 0)),
    ],
)
def test_aspect_of_a_wide_image_in_a_square_box(rule: str | None, expected: tuple[float, ...]) -> None:
    a, d, e, f = expected
    assert fit(Rect(0, 0, 10, 10), Rect(0, 0, 20, 40), rule) == Matrix(a=a, d=d, e=e, f=f)


@for_each("rule", ["middle", "xMidYMid slices", "xmidymid", "none none"])
def test_a_wrong_aspect_is_an_error(rule: str, wording: Wording) -> None:
    with pytest.raises(ViewportError) as caught:
        fit(Rect(0, 0, 1, 1), Rect(0, 0, 1, 1), rule)
    wording(caught.value)
