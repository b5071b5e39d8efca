"""Lengths of every unit become plain numbers, from the box and the size of type that they count from."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.findings import Severity
from cardgen.svg.lengths import summed
from tests.for_each import for_each

from .normalising import attrs, normal, plain

UNITS = {
    "px": 1,
    "in": 96,
    "cm": 96 / 2.54,
    "mm": 96 / 25.4,
    "Q": 96 / 101.6,
    "pt": 4 / 3,
    "pc": 16,
    "em": 20,
    "rem": 10,
    "vw": 2,
    "vmin": 1,
    "vmax": 2,
    "vh": 1,
    "%": 2,
}
"""What one is across a box of 200 × 100 where type is 20 units high, and 10 at the root."""
SIZED = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100" font-size="10"'


@given(st.sampled_from(sorted(UNITS)), st.decimals(-999, 999, places=3))
def test_every_unit(unit: str, number: object) -> None:
    (x,) = attrs(f'<rect id="a" x="{number}{unit}" font-size="20"/>', "x", root=SIZED)
    assert x is not None
    assert float(x) == pytest.approx(float(str(number)) * UNITS[unit], rel=1e-6, abs=1e-6)


@for_each("unit", ["ch", "ex"])
def test_lengths_that_count_from_letters_are_half_the_type_with_a_warning(unit: str) -> None:
    found = normal(f'<rect id="a" x="3{unit}" font-size="20"/>', SIZED)
    (rect,) = (each for each in found.document.root.iter() if each.name == "rect")
    assert rect.attrs["x"] == "30"
    assert [(each.code, each.severity) for each in found.problems] == [("svg/unit", Severity.WARNING)]


@for_each(
    ("size", "px"), [("medium", 16), ("xx-small", 9), ("Larger", 12), ("smaller", 10 / 1.2), ("150%", 15)]
)
def test_names_of_sizes_of_type(size: str, px: float) -> None:
    (width,) = attrs(f'<rect id="a" font-size="{size}" width="2em"/>', "width", root=SIZED)
    assert float(width or 0) == pytest.approx(2 * px, rel=1e-4)


@for_each(
    ("name", "whole"),
    [
        ("x", 200),
        ("width", 200),
        ("rx", 200),
        ("y", 100),
        ("height", 100),
        ("r", math.hypot(200, 100) / math.sqrt(2)),
        ("stroke-width", math.hypot(200, 100) / math.sqrt(2)),
        ("stroke-dashoffset", math.hypot(200, 100) / math.sqrt(2)),
    ],
)
def test_what_parts_count_from(name: str, whole: float) -> None:
    (value,) = attrs(f'<rect id="a" {name}="25%"/>', name)
    assert float(value or 0) == pytest.approx(whole / 4)


def test_lists_of_lengths() -> None:
    dashes, places = attrs(
        '<text id="a" stroke-dasharray="1in, 2 3pc" x="1in 2 5%"/>', "stroke-dasharray", "x"
    )
    assert (dashes, places) == ("96 2 48", "96 2 10")


def test_sizes_of_type_are_taken_over() -> None:
    body = '<g font-size="2em"><g font-size="50%"><rect id="a" x="1em" y="1rem"/></g></g>'
    assert attrs(body, "x", "y", root=SIZED) == ("10", "10")


@for_each(
    ("body", "width"),
    [
        ('<svg width="40" height="30">{}</svg>', 20),
        ('<svg width="50%" height="30">{}</svg>', 50),
        ('<svg width="40" height="30" viewBox="0 0 7 7">{}</svg>', 3.5),
        ("<svg>{}</svg>", 100),
        ('<symbol viewBox="0 0 12 12">{}</symbol>', 6),
        ("<symbol>{}</symbol>", 100),
        ("<g>{}</g>", 100),
    ],
)
def test_parts_count_from_the_viewport_around(body: str, width: float) -> None:
    (found,) = attrs(body.format('<rect id="a" width="50%"/>'), "width")
    assert float(found or 0) == width


@for_each("name", ["linearGradient", "radialGradient", "pattern", "mask", "filter", "stop", "feOffset"])
def test_parts_of_the_box_of_what_is_painted_stay(name: str) -> None:
    body = f'<{name} id="a" x="10%" width="20%" offset="5%"/>'
    assert attrs(body, "x", "width", "offset") == ("10%", "20%", "5%")


def test_masks_in_the_units_around_have_a_region() -> None:
    body = '<mask id="a" maskUnits="userSpaceOnUse"/>'
    assert attrs(body, "x", "y", "width", "height") == ("-20", "-10", "240", "120")


def test_drawings_in_it_have_a_size() -> None:
    assert attrs('<svg id="a"/><rect x="1%"/>', "width", "height") == ("200", "100")


def test_a_root_in_parts_of_a_page_has_the_size_of_its_box() -> None:
    root = plain("", root='xmlns="http://www.w3.org/2000/svg" width="100%" height="100%" viewBox="0 0 9 9"')
    assert "width" not in root.attrs
    assert "height" not in root.attrs


def test_a_drawing_that_is_stretched_says_so_in_a_box_in_it() -> None:
    size = 'xmlns="http://www.w3.org/2000/svg" width="40" height="10" viewBox="0 0 9 9"'
    root = plain('<rect id="a"/>', root=f'{size} preserveAspectRatio="none"')
    assert root.attrs["viewBox"] == "0 0 40 10"
    (inner,) = root.elements()
    assert (inner.name, inner.attrs["viewBox"], inner.attrs["preserveAspectRatio"]) == (
        "svg",
        "0 0 9 9",
        "none",
    )
    assert [each.name for each in inner.elements()] == ["rect"]


@for_each("text", ["1furlong", "wide", "1 2", "calc(1px +", "10%%", "1e999px"])
def test_what_is_no_length_is_left_to_the_lint(text: str) -> None:
    assert attrs(f'<rect id="a" width="{text}" x="1%"/>', "width")[0] in (text, None)


# ---------------------------------------------------------------- sums


def in_units(number: float, unit: str) -> float | None:
    return {"": number, "px": number, "mm": 2 * number, "%": number / 10}.get(unit)


def _bracketed(parts: tuple[str, str, str]) -> str:
    return "({} {} {})".format(*parts)


NUMBERS = st.integers(1, 99).map(str)
SUMS = st.recursive(
    NUMBERS,
    lambda inner: st.tuples(inner, st.sampled_from("+-*/"), inner).map(_bracketed),
    max_leaves=8,
)


@given(SUMS)
def test_sums_come_to_what_python_reckons(text: str) -> None:
    try:
        expected = eval(text)  # numbers, signs and brackets of our own making
    except ZeroDivisionError:
        expected = None
    found = summed(f"calc({text})", in_units)
    assert found == (None if expected is None else pytest.approx(expected))


@given(st.lists(st.tuples(st.sampled_from("+-*/"), NUMBERS), min_size=1, max_size=6), NUMBERS)
def test_products_go_before_sums_and_both_from_the_left(rest: list[tuple[str, str]], first: str) -> None:
    text = first + "".join(f" {sign} {number}" for sign, number in rest)
    assert summed(f"calc({text})", in_units) == pytest.approx(eval(text))


@for_each(
    ("text", "value"),
    [
        ("calc(1px + 2mm)", 5),
        ("calc(50% - 2 * 1px)", 3),
        ("calc((1mm + 1mm) / 4)", 1),
        ("calc(calc(1px + 1px) * 3)", 6),
        ("calc(-3px)", -3),
        ("calc(1px + -1px)", 0),
        ("calc(1px -2px)", None),
        ("calc(1px / 0)", None),
        ("calc(1furlong)", None),
        ("calc(1px +)", None),
        ("calc()", None),
        ("calc(1px) 2", None),
        ("calc(max(1px, 2px))", None),
        ("calc(" + "(" * 40 + "1" + ")" * 40 + ")", None),
        ("calc(" + "1 + " * 400 + "1)", None),
    ],
)
def test_sums(text: str, value: float | None) -> None:
    assert summed(text, in_units) == value
