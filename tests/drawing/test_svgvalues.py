"""SVG values, against what CSS Color and SVG 2 say."""

from __future__ import annotations

import pytest

from cardgen.drawing import DrawingError
from cardgen.drawing.values import aspect, color, number, transforms


@pytest.mark.parametrize(
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
    ],
)
def test_colours(text: str, expected: tuple[float, ...]) -> None:
    assert color(text) == pytest.approx(expected)


@pytest.mark.parametrize(
    "text", ["#12", "#12345", "#ggg", "bleu", "rgb(1,2)", "hsl(x,1%,1%)", "cmyk(0,0,0,1)", ""]
)
def test_what_is_no_colour_is_an_error_and_not_black(text: str) -> None:
    with pytest.raises(DrawingError) as caught:
        color(text)
    assert caught.value.findings[0].code == "picture/color"


def test_numbers() -> None:
    assert [number(".5"), number("50%"), number(1), number("")] == [0.5, 0.5, 1, 1]
    with pytest.raises(DrawingError):
        number("half")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("translate(3)", (1, 0, 0, 1, 3, 0)),
        ("translate(3-4)", (1, 0, 0, 1, 3, -4)),
        ("scale(2)", (2, 0, 0, 2, 0, 0)),
        ("scale(2,3)", (2, 0, 0, 3, 0, 0)),
        ("rotate(90)", (0, 1, -1, 0, 0, 0)),
        ("rotate(90deg)", (0, 1, -1, 0, 0, 0)),
        ("rotate(.25turn)", (0, 1, -1, 0, 0, 0)),
        ("rotate(90 10 0)", (0, 1, -1, 0, 10, -10)),
        ("skewX(45)", (1, 0, 1, 1, 0, 0)),
        ("skewY(45)", (1, 1, 0, 1, 0, 0)),
        ("matrix(1 2 3 4 5 6)", (1, 2, 3, 4, 5, 6)),
    ],
)
def test_transforms(text: str, expected: tuple[float, ...]) -> None:
    assert transforms(text)[0] == pytest.approx(expected, abs=1e-9)


def test_transforms_come_in_order() -> None:
    assert transforms(" translate(1,2) , scale(3)\nrotate(0) ") == (
        (1, 0, 0, 1, 1, 2),
        (3, 0, 0, 3, 0, 0),
        (1, 0, 0, 1, 0, 0),
    )


@pytest.mark.parametrize(
    "text", ["rotate(1,2)", "spin(3)", "translate(3mm)", "scale()", "scale(2", "rotate3d(1)"]
)
def test_unknown_transforms_are_errors(text: str) -> None:
    with pytest.raises(DrawingError):
        transforms(text)


@pytest.mark.parametrize(
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
    assert aspect(rule, 20, 40, 10, 10) == pytest.approx(expected)


def test_a_wrong_aspect_is_an_error() -> None:
    with pytest.raises(DrawingError):
        aspect("middle", 1, 1, 1, 1)
