"""Structure, servers, strokes and values of drawings, as drawing programs write them."""

from __future__ import annotations

import math

import pytest

from cardgen.svg.style import parse_color
from tests.for_each import for_each

from .normalising import attrs, node, normal, plain, shown

# ---------------------------------------------------------------- structure


@for_each(
    ("body", "language", "names"),
    [
        ("<switch><rect/><path/></switch>", "en", ["g", "rect"]),
        ('<switch><rect systemLanguage="de"/><path/></switch>', "en", ["g", "path"]),
        ('<switch><rect systemLanguage="fr, de"/><path/></switch>', "de", ["g", "rect"]),
        ('<switch><rect systemLanguage="de-AT"/><path/></switch>', "de", ["g", "rect"]),
        ('<switch><rect systemLanguage="de"/><path/></switch>', "de-AT", ["g", "rect"]),
        ('<switch><rect systemLanguage="den"/><path/></switch>', "de", ["g", "path"]),
        ('<switch><rect requiredExtensions="x"/><path/></switch>', "en", ["g", "path"]),
        ('<switch><rect requiredExtensions=""/><path/></switch>', "en", ["g", "path"]),
        ('<switch><rect requiredFeatures="x"/><path/></switch>', "en", ["g", "rect"]),
        ("<switch><i:odd/><path/></switch>", "en", ["g", "path"]),
        ('<a href="https://example.org"><rect/></a>', "en", ["g", "rect"]),
        ('<g systemLanguage="de"><rect/></g><path/>', "en", ["path"]),
        ("<s:g><s:rect/></s:g>", "en", ["g", "rect"]),
    ],
)
def test_what_is_chosen(body: str, language: str, names: list[str]) -> None:
    spaces = 'xmlns:s="http://www.w3.org/2000/svg" xmlns:i="urn:other" viewBox="0 0 9 9"'
    assert list(shown(plain(body, spaces, language))) == names


def test_conditions_and_links_leave_nothing_behind() -> None:
    body = '<a id="a" href="https://example.org" target="_top" fill="red"><rect/></a>'
    assert node(body).attrs == {"id": "a", "fill": "red"}
    assert "systemLanguage" not in node('<g id="a" systemLanguage="en"/>').attrs


def test_other_names_of_xlink_and_svg() -> None:
    spaces = 'xmlns:s="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink" viewBox="0 0 9 9"'
    assert node('<s:use id="a" l:href="#b"/>', root=spaces).href == "#b"


def test_markers_are_for_lines_alone() -> None:
    assert attrs('<rect id="a" marker-start="url(#m)"/>', "marker-start") == (None,)
    assert attrs('<path id="a" marker-start="url(#m)"/>', "marker-start") == ("url(#m)",)


# ---------------------------------------------------------------- values


@for_each(
    ("name", "value", "plain_value"),
    [
        ("fill", "url( '#b' )", "url(#b)"),
        ("fill", 'url("#b") red', "url(#b) red"),
        ("transform", "rotate(0.25turn)", "rotate(90)"),
        ("transform", "rotate(100grad) skewX(10deg)", "rotate(90) skewX(10)"),
        ("transform", "translate(3px, 4px)", "translate(3, 4)"),
        ("transform", "translateX(3px) translateY(4)", "translate(3 0) translate(0 4)"),
        ("transform", "scaleX(2) scaleY(3)", "scale(2 1) scale(1 3)"),
        ("transform", "skewX(9)", "skewX(9)"),
        ("gradientTransform", "rotate(1rad)", f"rotate({180 / math.pi:.10g})"),
    ],
)
def test_values_in_one_spelling(name: str, value: str, plain_value: str) -> None:
    value = value.replace('"', "&quot;")
    assert attrs(f'<path id="a" d="M0 0" {name}="{value}"/><rect x="1%"/>', name) == (plain_value,)


# ---------------------------------------------------------------- masks


@for_each("color", ["red", "#00f", "rgb(10%,90%,20%)", "hsl(120 50% 50% / .5)"])
def test_colours_in_masks_are_grays_of_the_same_brightness(color: str) -> None:
    before = parse_color(color)
    assert before is not None
    for said in (f'fill="{color}"', f'style="fill:{color}"'):
        (gray,) = (
            each
            for each in plain(f'<mask id="m"><g><rect {said}/></g></mask><rect {said}/>').iter()
            if "rgba(" in f"{each.attrs}"
        )
        text = gray.attrs.get("fill") or gray.attrs["style"].removeprefix("fill:")
        after = parse_color(text)
        assert after is not None
        level = 0.2126 * before[0] + 0.7152 * before[1] + 0.0722 * before[2]
        assert after == pytest.approx((level, level, level, before[3]), abs=1e-5)


# ---------------------------------------------------------------- strokes

KEPT = '<path id="a" vector-effect="non-scaling-stroke" stroke-width="3" stroke-dasharray="6 3" d="M0 0"/>'


@for_each(
    ("around", "scale"),
    [
        ('<g transform="scale(2)">{}</g>', 2),
        ('<g transform="rotate(30) scale(.5)">{}</g>', 0.5),
        ('<g transform="scale(-3 3)">{}</g>', 3),
        ('<g transform="scale(4 1)"><g transform="scale(1 4)">{}</g></g>', 4),
        ('<svg width="20" height="20" viewBox="0 0 10 10">{}</svg>', 2),
        ("<g>{}</g>", 1),
    ],
)
def test_a_stroke_that_keeps_its_width(around: str, scale: float) -> None:
    width, dashes, left = attrs(around.format(KEPT), "stroke-width", "stroke-dasharray", "vector-effect")
    assert left is None
    assert float(width or 0) == pytest.approx(3 / scale)
    assert [float(each) for each in (dashes or "").split()] == pytest.approx([6 / scale, 3 / scale])


def test_a_width_from_around_is_kept_too() -> None:
    body = '<g stroke-width="8" transform="scale(4)"><path id="a" vector-effect="non-scaling-stroke"/></g>'
    assert attrs(body, "stroke-width") == ("2",)


def test_what_is_stretched_is_a_problem_or_drawn() -> None:
    found = normal(f'<g transform="scale(2 1)">{KEPT}</g>')
    said = [problem.code for problem in found.problems]
    left = [each for each in found.document.root.iter() if "vector-effect" in each.attrs]
    assert said == ["svg/vector-effect"] or not left


def test_places_in_the_file_are_kept() -> None:
    body = '<switch><rect id="a" x="1%"/></switch>'
    found = normal(body)
    rect = next(each for each in found.document.root.iter() if each.name == "rect")
    assert found.document.data[rect.start :].startswith(b"<rect")
    assert found.document.ids["a"] is rect
