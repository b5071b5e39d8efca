"""The outermost element says the card's size with its bleed in mm, or is fitted onto it."""

from __future__ import annotations

import pytest

from cardgen.core.geometry import Rect, Size
from cardgen.svg.root import fitting, says_millimetres
from cardgen.svg.tree import Node
from tests.for_each import for_each
from tests.wording import Wording

SIZE, BLEED = Size(66, 86), 3.0
GOOD = {"width": "66mm", "height": "8.6cm", "viewBox": "0,0 66.001 86"}
PX = 25.4 / 96


@for_each(
    ("changed", "plain"),
    [
        ({}, True),
        ({"clip-path": "none", "opacity": " 1 ", "transform": "", "mask": "none"}, True),
        ({"width": "66", "height": ""}, False),
        ({"width": "65mm"}, False),
        ({"viewBox": ""}, False),
        ({"viewBox": "0 0 660 860"}, False),
        ({"opacity": "0.5"}, False),
        ({"transform": "scale(2)"}, False),
        ({"mask": "url(#m)"}, False),
    ],
)
def test_a_unit_is_a_millimetre(changed: dict[str, str], plain: bool) -> None:
    assert says_millimetres(Node("svg", {**GOOD, **changed}), SIZE) is plain


@for_each(
    ("attrs", "point", "expected"),
    [
        ({"width": "660", "height": "860"}, (660, 860), (66, 86)),
        ({"width": "660px", "height": "860px", "viewBox": "0 0 66 86"}, (33, 86), (33, 86)),
        ({"width": "6.6cm", "height": "86mm"}, (66 / PX, 0), (66, 0)),
        ({"width": "100%", "height": "100%", "viewBox": "-10 20 132 172"}, (-10, 20), (0, 0)),
        ({"viewBox": "-10 20 132 172"}, (122, 192), (66, 86)),
        ({"width": "132pt", "viewBox": "0 0 132 172"}, (132, 172), (66, 86)),
        ({"height": "auto", "width": "6.6in", "viewBox": "0 0 33 43"}, (33, 43), (66, 86)),
        ({"width": "66pc", "height": "86pc"}, (66 * 16, 86 * 16), (66, 86)),
        ({}, (100, 100), (100 * PX, 100 * PX)),
        ({"viewBox": "0 0 100 100", "preserveAspectRatio": "none"}, (100, 100), (66, 86)),
        (
            {
                "width": "66",
                "height": "86",
                "viewBox": "0 0 10 10",
                "preserveAspectRatio": "xMinYMax slice",
            },
            (0, 10),
            (0, 86),
        ),
        (
            {"width": "66", "height": "86", "viewBox": "0 0 66 66", "preserveAspectRatio": "xMidYMid"},
            (0, 0),
            (0, 10),
        ),
        ({"width": "66", "height": "86", "x": "5", "y": "7", "viewBox": "0 0 66 86"}, (0, 0), (0, 0)),
        ({"width": "66.1", "height": "86", "viewBox": "0 0 66.1 86"}, (66.1, 86), (66.1, 86)),
    ],
)
def test_it_is_fitted_onto_the_card_with_its_bleed(
    attrs: dict[str, str], point: tuple[float, float], expected: tuple[float, float]
) -> None:
    fitted = fitting(Node("svg", attrs), SIZE, BLEED)
    assert fitted.problems == ()
    assert fitted.view is not None
    assert fitted.matrix.apply(*point) == pytest.approx(expected, abs=0.06)


def test_the_box_of_a_drawing_without_one_is_its_size_in_pixels() -> None:
    assert fitting(Node("svg", {"width": "660", "height": "860"}), SIZE, BLEED).view == Rect(0, 0, 660, 860)


@for_each(
    "attrs",
    [
        {"width": "60mm", "height": "80mm"},
        {"width": "600", "height": "800", "viewBox": "0 0 60 80"},
        {"viewBox": "0 0 600 800"},
    ],
)
def test_a_drawing_of_the_trim_size_is_fitted_onto_the_trim(attrs: dict[str, str]) -> None:
    fitted = fitting(Node("svg", attrs), SIZE, BLEED)
    (problem,) = fitted.problems
    assert problem.code == "svg/bleed"
    assert not problem.is_error
    assert "60×80 mm" in problem.message
    assert "66×86 mm" in (problem.hint or "")
    assert fitted.view is not None
    assert fitted.matrix.apply(0, 0) == pytest.approx((3, 3))
    assert fitted.matrix.apply(fitted.view.right, fitted.view.bottom) == pytest.approx((63, 83))


def test_of_two_fits_the_stated_size_decides() -> None:
    side = Size(66, 66)  # trim and bleed have the same proportions
    trim = fitting(Node("svg", {"width": "60mm", "height": "60mm"}), side, BLEED)
    assert [problem.code for problem in trim.problems] == ["svg/bleed"]
    assert trim.matrix.e == pytest.approx(3)
    whole = fitting(Node("svg", {"width": "600", "height": "600"}), side, BLEED)
    assert whole.problems == ()
    assert whole.matrix.e == 0


@for_each(
    ("attrs", "code"),
    [
        ({**GOOD, "width": "65mm"}, "svg/size"),
        ({**GOOD, "height": "tall"}, "svg/size"),
        ({**GOOD, "width": "-3"}, "svg/size"),
        ({**GOOD, "width": "1e300"}, "svg/size"),
        ({**GOOD, "viewBox": ""}, "svg/viewbox"),
        ({**GOOD, "viewBox": "0 0 66"}, "svg/viewbox"),
        ({**GOOD, "viewBox": "0 0 66 0"}, "svg/viewbox"),
        ({"viewBox": "0 0 100 100"}, "svg/size"),
        ({"width": "100", "height": "100"}, "svg/size"),
    ],
)
def test_what_can_not_be_fitted_says_the_sizes(attrs: dict[str, str], code: str, wording: Wording) -> None:
    fitted = fitting(Node("svg", attrs), SIZE, BLEED)
    assert fitted.view is None
    (problem,) = fitted.problems
    assert problem.code == code
    assert problem.is_error
    wording(problem)
    assert 'write <svg width="66mm" height="86mm" viewBox="0 0 66 86">' in (problem.hint or "")


def test_a_view_box_that_does_not_fill_the_size_is_a_warning() -> None:
    fitted = fitting(Node("svg", {**GOOD, "viewBox": "0 0 60 60"}), SIZE, BLEED)
    (problem,) = fitted.problems
    assert problem.code == "svg/viewbox"
    assert not problem.is_error
    assert fitted.matrix.apply(30, 30) == pytest.approx((33, 43))


def test_an_aspect_that_there_is_not() -> None:
    fitted = fitting(Node("svg", {**GOOD, "preserveAspectRatio": "middle"}), SIZE, BLEED)
    assert [problem.code for problem in fitted.problems] == ["svg/aspect"]
