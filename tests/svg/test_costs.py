"""Drawings that cost too much are refused at their lines before they are drawn; large ones pass."""

from __future__ import annotations

import math

import pytest

from cardgen.core.geometry import IDENTITY, Matrix, Rect
from cardgen.svg import tree as limits
from cardgen.svg.costs import (
    NOTHING,
    Brought,
    Cost,
    CostCounter,
    MarkupError,
    Place,
    Room,
    is_overfiltered,
    side_problem,
)
from cardgen.svg.embedding import read_drawing
from cardgen.svg.style import StyleSheet
from cardgen.svg.tree import Node, SvgError, parse
from tests.for_each import for_each
from tests.wording import Wording

BOX = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
VIEW = Rect(0, 0, 100, 100)


def cost(body: str) -> Cost:
    """The cost of a drawing, which has no problems."""
    drawing = read_drawing(parse(f"{BOX}{body}</svg>".encode()), "a", VIEW)
    assert drawing.problems == ()
    return drawing.cost


def problems(body: str) -> list[str]:
    drawing = read_drawing(parse(f"{BOX}{body}</svg>".encode()), "a", VIEW)
    return [problem.code for problem in drawing.problems]


def doubling(levels: int, size: str = "") -> str:
    groups = [
        f'<g id="a{i + 1}"><use href="#a{i}"{size}/><use href="#a{i}"{size}/></g>' for i in range(levels)
    ]
    return f'<defs><rect id="a0" width="1" height="1"/>{"".join(groups)}</defs><use href="#a{levels}"/>'


# ---- steps


def test_references_are_followed() -> None:
    once = cost('<rect id="a" width="1" height="1"/>')
    assert (once.steps, once.own, once.repeated) == (2, 2, 0)
    found = cost(doubling(10))
    assert found.own == 2
    assert found.steps == 2 + 1024 + 2 * 1024 - 2 + 1023  # shapes, uses, groups


@pytest.mark.long
@for_each("leaf", ['<rect id="a0" width="1" height="1"/>', '<g id="a0"/>'])
def test_thirty_levels_are_a_thousand_million_and_end_soon(leaf: str) -> None:
    assert problems(doubling(30).replace('<rect id="a0" width="1" height="1"/>', leaf)) == ["svg/bounds"]


STOPS = '<stop stop-color="red"/><stop offset="1"/>'
TILE = '<pattern id="p" width="50" height="50" patternUnits="userSpaceOnUse"><rect/></pattern>'


@for_each(
    ("body", "steps", "tiled"),
    [
        ('<path d="{d}"/>', 11, 0),  # an outline counts by its length
        (f'<defs><linearGradient id="g">{STOPS}</linearGradient></defs><rect fill="url(#g)"/>', 1 + 2, 0),
        (
            f'<linearGradient id="h">{STOPS}</linearGradient><linearGradient id="g" href="#h"/>'
            '<rect fill="url(#g)" stroke="url(#g)"/>',
            1 + 2 * 2,
            0,
        ),
        (f'<defs>{TILE}</defs><rect width="100" height="100" fill="url(#p)"/>', 1 + 1, 9),
        (f'<style>g{{{{fill:url(#p)}}}}</style>{TILE}<g><rect width="9" height="9"/></g>', 3, 1.18**2),
        ('<defs><clipPath id="c"><rect/></clipPath></defs><rect clip-path="url(#c)"/>', 2, 0),
        (
            '<defs><marker id="m"><rect/></marker></defs><path d="M0 0 1 1 2 2" marker-mid="url(#m)"/>',
            1.3 + 3,
            0,
        ),
        (
            '<defs><marker id="m"><rect/></marker></defs><path d="M0 0 1 1 2 2" marker-end="url(#m)"/>',
            1.3 + 1,
            0,
        ),
        ("<defs><rect/></defs><title>a</title><symbol><rect/></symbol>", 0, 0),
    ],
)
def test_what_is_painted_counts(body: str, steps: float, tiled: float) -> None:
    found = cost(body.format(d="M0 0" + " 1 1" * 99))
    assert (found.steps - 1, found.tiled) == (pytest.approx(steps), pytest.approx(tiled))


@pytest.mark.long
def test_the_largest_thing_shown_is_free_once() -> None:
    large = f'<defs><g id="a">{"<rect/>" * 25_000}</g></defs><use href="#a"/>'
    assert problems(large) == []
    assert problems(large + '<use href="#a"/>') == ["svg/bounds"]


def test_what_lies_in_a_file_counts_where_it_is_shown() -> None:
    image = Node("image", {"width": "8", "height": "8"})
    file = Brought(Cost(7, 7, layers=2, pixels=3.0, filtered=5.0), Rect(0, 0, 4, 4))
    found = CostCounter({}, StyleSheet(), lambda node: file if node is image else None).count(image)
    assert (found.steps, found.own, found.layers) == (1 + 7, 1 + 7, 2)
    assert (found.pixels, found.filtered) == (3.0 * 4, 5.0 * 4)


def test_costs_add_up() -> None:
    one = Cost(9, 2, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
    other = Cost(10, 20, 30, 2, 50, 7, 70, 7, 9, 2, 11, 30, 1)
    both = Cost(19, 22, 30, 6, 55, 13, 77, 15, 9, 10, 22, 42, 14)
    assert one.beside(other) == other.beside(one) == both
    assert one.beside(NOTHING) == NOTHING.beside(one) == one


# ---- layers, gradients and filters


def test_layers_count_one_by_one_and_by_their_nesting() -> None:
    shape = '<rect width="9" height="9"/>'
    assert cost(shape).layers == 0
    assert cost(f'<g opacity="0.5">{shape}{shape}</g>').layers == 1
    assert cost('<rect opacity="0.5"/>').layers == 0  # painted with alpha
    assert cost('<rect opacity="0.5" stroke="red"/>').layers == 1
    assert cost('<g stroke="red"><rect opacity="0.5"/></g>').layers == 1
    nested = cost('<g opacity="0.5">' * 20 + shape + "</g>" * 20)
    assert (nested.layers, nested.layer_depth, nested.pixels) == (20, 20, 20 * 81)
    assert problems('<g opacity="0.5">' * 21 + shape + "</g>" * 21) == ["svg/bounds"]


def test_layers_count_where_the_page_is() -> None:
    far = '<g opacity="0.5"><rect x="{}" width="60" height="10"/></g>'
    assert cost(far.format(0)).pixels == 600
    assert cost(far.format(90)).pixels == 100
    assert cost(far.format(200)).pixels == 0


FADED = '<stop stop-color="red"/><stop offset="1" stop-opacity="0"/>'
GRADIENTS = (
    f'<defs><linearGradient id="l">{STOPS}</linearGradient><radialGradient id="r">{STOPS}</radialGradient>'
    f'<linearGradient id="f">{FADED}</linearGradient><radialGradient id="h" href="#f"/></defs>'
)


@for_each(
    ("body", "pixels"),
    [
        ('<rect width="8" height="4" fill="url(#l)"/>', 32),
        ('<rect width="8" height="4" fill="url(#r)"/>', 32 * 6),
        ('<rect width="8" height="4" style="fill:url(#h)"/>', 32 * 8),
        ('<g fill="url(#l)"><rect width="8" height="4"/><rect width="2" height="2"/></g>', 36),
        ('<g transform="scale(2)"><rect width="8" height="4" fill="url(#l)"/></g>', 128),
        ('<g id="a"><rect width="8" height="4" fill="url(#l)"/></g><use href="#a"/><use href="#a"/>', 96),
    ],
)
def test_gradients_count_by_the_area_they_paint(body: str, pixels: float) -> None:
    assert cost(GRADIENTS + body).pixels == pytest.approx(pixels)


BLUR = '<feGaussianBlur stdDeviation="1"/>'
RECT = '<rect x="10" y="10" width="50" height="20" {}/>'
ON = 'filter="url(#f)"'


def one(parts: str = BLUR, attrs: str = "", on: str = RECT.format(ON)) -> Cost:
    return cost(f'<filter id="f" {attrs}>{parts}</filter>{on}')


@for_each(
    ("attrs", "area"),
    [
        ("", 1.2 * 1.2 * 50 * 20),
        ('width="2" height="300%"', 2 * 3 * 50 * 20),
        ('filterUnits="userSpaceOnUse" x="-9" y="0" width="30" height="40"', 30 * 40),
    ],
)
def test_a_filter_counts_by_its_region(attrs: str, area: float) -> None:
    assert one("<feFlood/>", attrs).filtered == pytest.approx(area * 2)


@for_each(
    ("cheap", "dear"),
    [
        ("<feFlood/>", BLUR),
        (BLUR, BLUR * 2),
        (BLUR, '<feDropShadow stdDeviation="1"/>'),
        ("<feTurbulence/>", '<feTurbulence numOctaves="9"/>'),
        ('<feConvolveMatrix order="3"/>', '<feConvolveMatrix order="3 9"/>'),
    ],
)
def test_parts_of_filters_count_by_what_they_take(cheap: str, dear: str) -> None:
    assert 0 < one(cheap).filtered < one(dear).filtered


def test_a_morphology_counts_by_the_square_of_its_radius_in_pixels() -> None:
    found = one('<feMorphology radius="3 1"/>')
    assert found.compared == pytest.approx(1.44 * 1000 * 36)
    larger = one('<feMorphology radius="3"/>', on=f'<g transform="scale(2)">{RECT.format(ON)}</g>')
    assert larger.compared == pytest.approx(found.compared * 16)


@for_each(
    "on",
    [
        f'<defs><g id="u">{RECT.format(ON)}</g></defs><use href="#u"/><use href="#u"/>',
        f"<g {ON}>{RECT.format('')}</g>{RECT.format(ON)}",
        f"{RECT.format(ON)}<symbol id='u' viewBox='0 0 9 9'>{RECT.format(ON)}</symbol>"
        '<use href="#u" width="9" height="9"/>',
    ],
)
def test_filters_add_up_wherever_they_are_shown(on: str) -> None:
    assert one(on=on).filtered == pytest.approx(2 * one().filtered)


def test_layers_below_a_filter_count_as_filtered() -> None:
    group = f'<g {ON}>{RECT.format("")}<g opacity="{{}}">{RECT.format("")}</g></g>'
    assert one(on=group.format("0.5")).filtered > one(on=group.format("1")).filtered


def test_functions_count_as_parts() -> None:
    plain = cost(RECT.format('filter="sepia(1)"'))
    shadows = cost(RECT.format('filter="drop-shadow(1px 1px 2px red) drop-shadow(1px 1px 2px red)"'))
    assert 0 < plain.filtered < shadows.filtered


SHADOW = (
    f'<feFlood result="a"/><feComposite in2="SourceAlpha" operator="in"/>{BLUR}'
    '<feOffset dx="1"/><feComposite in="SourceGraphic"/>'
)


@for_each(
    ("parts", "on"),
    [
        (SHADOW, f'<rect width="69" height="94" {ON}/>' * 30),
        (SHADOW, f'<rect width="426" height="303" {ON}/>'),
        (SHADOW, f'<rect width="20" height="20" {ON}/>' * 400),
    ],
)
def test_real_effects_pass(parts: str, on: str) -> None:
    assert side_problem(one(parts, on=on), 0) is None


def test_filters_have_a_limit_even_of_no_number() -> None:
    square = limits.FILTER_PIXELS**2
    assert not is_overfiltered(Cost(filtered=0.999 * limits.MOST_FILTERED / square), limits.FILTER_PIXELS)
    assert is_overfiltered(Cost(filtered=1.001 * limits.MOST_FILTERED / square), limits.FILTER_PIXELS)
    assert is_overfiltered(Cost(compared=1.001 * limits.MOST_FILTERED / square**2), limits.FILTER_PIXELS)
    assert is_overfiltered(Cost(filtered=math.nan), 1.0)


# ---- limits of one drawing


def test_depth_counts_through_references() -> None:
    deep = "<g>" * 60 + "{0}" + "</g>" * 60
    shape = deep.format('<rect width="1" height="1"/>')
    assert problems(f"<defs><g id='a'>{shape}</g></defs><use href='#a'/>") == []
    two = f"<defs><g id='a'>{shape}</g></defs>" + deep.format("<use href='#a'/>")
    assert problems(two) == ["svg/bounds"]


ATTRIBUTES = " ".join(f'a{i}=""' for i in range(101))


@for_each(
    ("source", "message"),
    [
        (f"{BOX}{'<g>' * 100}", "nested more than 100 deep"),
        (f"{BOX}{'<g/>' * 50_001}", "more than 50,000 elements"),
        (f"{BOX}<g {ATTRIBUTES}/>", "more than 100 attributes"),
        (" " * 16_000_001, "more than 16 MB"),
    ],
)
def test_sources_that_hold_too_much(source: str, message: str) -> None:
    with pytest.raises(SvgError, match=message) as caught:
        parse(source.encode())
    assert caught.value.problem.code == "svg/bounds"


PATTERN = (
    '<defs><pattern id="p" width="{0}" height="{0}" patternUnits="userSpaceOnUse"{1}>'
    "<rect/></pattern></defs>"
)
FULL = '<rect width="100" height="100" fill="url(#p)"/>'


@for_each(
    ("body", "codes"),
    [
        (PATTERN.format(0.5, "") + FULL, []),
        (PATTERN.format(0.01, "") + FULL, ["svg/bounds"]),
        (PATTERN.format(0.01, "") + '<rect width="1" height="1" fill="url(#p)"/>', []),
        (PATTERN.format(1, ' patternTransform="scale(0.01)"') + FULL, ["svg/bounds"]),
        (PATTERN.format(0.01, "") + f'<g transform="scale(100)">{FULL}</g>', []),
        ('<pattern id="p" width="10%" height="0.1"><rect/></pattern>' + FULL, []),
        ('<pattern id="p" width="0.01%" height="0.0001"><rect/></pattern>' + FULL, ["svg/bounds"]),
    ],
)
def test_cells_of_patterns(body: str, codes: list[str]) -> None:
    assert problems(body) == codes


CONTOUR = "M900 900" + "".join(f"l{(-1) ** i} 0.5" for i in range(5000))


@for_each(
    ("body", "codes"),
    [
        (f'<path d="{CONTOUR}" stroke="red" stroke-dasharray="0.5 0.2"/>', []),
        (f'<path d="{CONTOUR}" stroke="red" stroke-dasharray="0.001"/>', ["svg/bounds"]),
        (
            f'<g stroke="red" stroke-dasharray="0.001 0"><use href="#a"/></g><path id="a" d="{CONTOUR}"/>',
            ["svg/bounds"],
        ),
        ('<circle r="9" stroke="red" stroke-dasharray="0 0"/>', []),
        ('<circle r="9" stroke="red" stroke-dasharray="1e-6"/>', ["svg/bounds"]),
        ('<polygon points="0 0 9 0 9 9" stroke="red" stroke-dasharray="0.00001"/>', ["svg/bounds"]),
    ],
)
def test_dashes(body: str, codes: list[str]) -> None:
    assert problems(body) == codes


def test_scales_multiply() -> None:
    assert problems('<g transform="scale(1e6)"><g transform="scale(1e-6)"><rect/></g></g>') == []
    for scale in ("1e6", "1e-5"):
        nested = f'<g transform="scale({scale})"><g transform="scale({scale})"><rect/></g></g>'
        assert problems(nested) == ["svg/number"]
    assert problems('<g transform="scale(1e6)"><g transform="scale(0)"><rect/></g></g>') == []


@for_each(
    "body",
    [
        '<rect id="a"/><rect fill="url(#a)"/>',
        '<defs><linearGradient id="a"/></defs><rect clip-path="url(#a)"/>',
        '<defs><linearGradient id="a"/></defs><path d="M0 0h9" marker-end="url(#a)"/>',
        "<use/>",
    ],
)
def test_references_to_the_wrong_kind_of_element(body: str) -> None:
    assert problems(body) == ["svg/reference"]


SHAPE = '<rect width="9" height="9"/>'
CHAIN = '<filter id="f0"/>' + "".join(f'<filter id="f{i + 1}" href="#f{i}"/>' for i in range(30))


@for_each(
    "body",
    [
        '<g id="a"><use href="#a"/></g>',
        f'<g opacity="0.5">{SHAPE}</g>' * (limits.MOST_LAYERS + 1),
        f'{CHAIN}<rect width="9" height="9" filter="url(#f30)"/>',
    ],
)
def test_what_is_wrong_is_said(body: str, wording: Wording) -> None:
    (problem,) = read_drawing(parse(f"{BOX}{body}</svg>".encode()), "a", VIEW).problems
    wording(problem)


def test_what_stands_around_an_element_counts() -> None:
    document = parse(f'{BOX}<marker id="m">{SHAPE}</marker><path d="M0 0h9"/></svg>'.encode())
    path = list(document.root.elements())[-1]
    counter = CostCounter(document.ids, StyleSheet(), lambda node: None)
    alone = counter.count(path)
    place = Place({"marker-end": "url(#m)"}, Matrix(3, 0, 0, 3), VIEW, layers=1)
    around = counter.count(path, place)
    assert (alone.steps, alone.layers) == (pytest.approx(1.15), 0)
    assert (around.steps, around.layers) == (pytest.approx(2.15), 1)
    assert place._replace(matrix=IDENTITY).is_plain is False


@pytest.mark.long
def test_large_drawings_are_drawn() -> None:
    paths = "".join(
        f'<path id="p{i}" d="M{i % 90} 1c1 2 3 4 5 6z" style="fill:#{i:06x};stroke:none"/>'
        for i in range(5_000)
    )
    drawing = read_drawing(parse(f"{BOX}<g>{paths}</g></svg>".encode()), "a", VIEW)
    assert drawing.problems == ()
    assert drawing.markup.count("<path") == 5_000
    assert ' id="a-4999"' in drawing.markup


def test_style_sheets_are_bounded() -> None:
    for css, said in (
        ("g{x:1}" * (limits.MOST_RULES + 1), f"more than {limits.MOST_RULES:,} selectors"),
        (
            "g{" + "".join(f"a{i}:1;" for i in range(limits.MOST_DECLARATIONS + 1)) + "}",
            "different properties",
        ),
        ("g{x}" * (limits.MOST_PROBLEMS + 5), "not checked"),
    ):
        found = StyleSheet([parse(f"<style>{css}</style>".encode()).root]).problems
        assert found[-1].code == "svg/bounds"
        assert said in found[-1].message


def test_an_id_that_is_used_must_be_there_once() -> None:
    body = '<rect id="a"/><rect id="b"/><rect id="b"/><g id="a"/><g id="a"/><use href="#a"/>'
    (problem,) = read_drawing(parse(f"{BOX}{body}</svg>".encode()), "x", VIEW).problems
    assert (problem.code, problem.message) == ("svg/id", "the id 'a' is used twice")
    assert problem.offset == body.index('<g id="a"') + len(BOX)


@pytest.mark.long
def test_styles_written_out_are_bounded(wording: Wording) -> None:
    rule = "g{" + "".join(f"a{i}:{'x' * 1000};" for i in range(50)) + "}"
    body = f"<style>{rule}</style>" + "<g/>" * (limits.MOST_MARKUP // 50_000 + 1)
    drawing = read_drawing(parse(f"{BOX}{body}</svg>".encode()), "x", VIEW)
    (problem,) = (each for each in drawing.problems if each.is_error)
    assert problem.code == "svg/bounds"
    wording(problem)
    assert drawing.markup == ""


# ---- limits of a side


@for_each(
    "most",
    [
        Cost(steps=limits.MOST_STEPS, own=limits.MOST_STEPS),
        Cost(steps=limits.MOST_REPEATED),
        Cost(tiled=limits.MOST_TILED),
        Cost(layers=limits.MOST_LAYERS),
        Cost(pictures=limits.MOST_PICTURES),
        Cost(characters=limits.MOST_SIDE_TEXT),
        Cost(hard=limits.MOST_HARD_TEXT),
    ],
)
def test_a_side_may_have_so_much_and_no_more(most: Cost, wording: Wording) -> None:
    assert side_problem(most, 0) is None
    counted = {name: value for name, value in most._asdict().items() if value}
    problem = side_problem(most._replace(**{name: value + 1 for name, value in counted.items()}), 7)
    assert problem is not None
    assert (problem.code, problem.offset) == ("svg/bounds", 7)
    assert f"{max(counted.values()):,}" in problem.message
    wording(problem)


def test_markup_has_room_up_to_its_bound(wording: Wording) -> None:
    room = Room()
    text = "x" * limits.MOST_MARKUP
    assert room.take(text) is text
    with pytest.raises(MarkupError) as caught:
        room.take("x")
    wording(caught.value)
