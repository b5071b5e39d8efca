"""What filters come to is reckoned before any is drawn: their regions, their parts, and how often."""

from __future__ import annotations

import math
import time

import pytest

from cardgen.core.geometry import Rect
from cardgen.svg import tree as limits
from cardgen.svg.costs import (
    EMPTY,
    UNFILTERED,
    Brought,
    Extent,
    Filtered,
    Outline,
    Weight,
    shape_extent,
    side_problem,
)
from cardgen.svg.style import StyleSheet
from cardgen.svg.tree import Node, parse
from cardgen.svg.weighing import Weigher, read_drawing
from tests.wording import Wording

BOX = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
BLUR = '<feGaussianBlur stdDeviation="1"/>'
RECT = '<rect x="10" y="10" width="50" height="20" {}/>'
ON = 'filter="url(#f)"'


def filtered(body: str) -> Filtered:
    """What the filters of a drawing come to; it has no problems."""
    drawing = read_drawing(parse(f"{BOX}{body}</svg>".encode()), "a", 1e4)
    assert drawing.problems == ()
    return drawing.weight.filtered


def filter_(parts: str = BLUR, attrs: str = "", id: str = "f") -> str:
    return f'<filter id="{id}" {attrs}>{parts}</filter>'


def one(parts: str = BLUR, attrs: str = "", on: str = RECT.format(ON)) -> Filtered:
    return filtered(filter_(parts, attrs) + on)


# ---- regions


@pytest.mark.parametrize(
    ("attrs", "area"),
    [
        ("", 1.2 * 1.2 * 50 * 20),
        ('width="2" height="300%"', 2 * 3 * 50 * 20),
        ('filterUnits="userSpaceOnUse" x="-9" y="0" width="30" height="40"', 30 * 40),
        ('filterUnits="userSpaceOnUse" width="10%" height="40px"', 100 * 40),  # of a size that is not known
        ('filterUnits="userSpaceOnUse"', 1200 * 1200),
    ],
)
def test_a_region_is_that_of_the_box_or_its_own(attrs: str, area: float) -> None:
    assert one(attrs=attrs).held == pytest.approx(area * 3)


@pytest.mark.parametrize(
    ("element", "box"),
    [
        ('<rect x="1" y="2" width="3" height="4"/>', (1, 2, 4, 6)),
        ('<circle cx="5" cy="5" r="2"/>', (3, 3, 7, 7)),
        ('<ellipse cx="5" cy="5" rx="2" ry="1"/>', (3, 4, 7, 6)),
        ('<line x1="5" y1="1" x2="2" y2="3"/>', (2, 1, 5, 3)),
        ('<polygon points="1 1 5 2 3 9"/>', (1, 1, 5, 9)),
        ('<path d="M1 1h4v3l-2 2"/>', (1, 1, 5, 6)),
        ('<path d="M0 0c0 9 9 9 9 0"/>', (0, 0, 9, 9)),
    ],
)
def test_extents_of_shapes(element: str, box: tuple[float, ...]) -> None:
    extent = shape_extent(parse(element.encode()).root)
    assert extent[:4] == box
    assert (extent.painted, extent.shapes) == (extent.width * extent.height, 1)


def test_an_arc_lies_within_its_extent() -> None:
    extent = shape_extent(parse(b'<path d="M0 0a5 5 0 1 1 1 0"/>').root)
    assert extent.left <= -5
    assert extent.bottom >= 10 or extent.top <= -10


def test_what_paints_nothing_has_no_extent() -> None:
    for body in ("<g/>", "<path/>", '<polygon points="1"/>'):
        assert shape_extent(parse(body.encode()).root) == EMPTY
    assert EMPTY.width == EMPTY.height == 0
    assert one(on=f"<g {ON}/>").work == 0


@pytest.mark.parametrize(
    "around",
    [
        f"<g {ON}>{{0}}</g>",
        f'<g {ON}><g transform="translate(5 5)">{{0}}</g></g>',
        f'<defs><g id="u">{{0}}</g></defs><use href="#u" x="9" {ON}/>',
        f'<defs><symbol id="u" viewBox="0 0 9 9">{{0}}</symbol></defs>'
        f'<use href="#u" width="9" height="9" {ON}/>',
        f'<svg viewBox="0 0 9 9" width="9" height="9" {ON}>{{0}}</svg>',
        f'<g transform="scale(0.5)" {ON}><g transform="scale(2)">{{0}}</g></g>',
        f'<g transform="rotate(90)" {ON}>{{0}}</g>',
    ],
)
def test_boxes_of_groups_are_those_of_what_is_in_them(around: str) -> None:
    alone = one()
    found = filtered(filter_() + around.format(RECT.format("")))
    inside = 0.25 if "0.5" in around else 1.0
    inside *= 4 if "0.5" in around else 1.0
    assert found.held == pytest.approx(alone.held * inside)


def test_turned_things_have_larger_boxes() -> None:
    square = '<rect width="10" height="10" {}/>'
    alone = one(on=square.format(ON)).held
    turned = square.format('transform="rotate(45)"')
    assert one(on=f"<g {ON}>{turned}</g>").held == pytest.approx(alone * 2)


# ---- parts


@pytest.mark.parametrize(
    ("cheap", "dear"),
    [
        ("<feFlood/>", BLUR),
        (BLUR, BLUR * 2),
        (BLUR, '<feDropShadow stdDeviation="1"/>'),
        ("<feTurbulence/>", '<feTurbulence numOctaves="9"/>'),
        ('<feConvolveMatrix order="3"/>', '<feConvolveMatrix order="3 9"/>'),
        ("<feMerge><feMergeNode/></feMerge>", "<feMerge><feMergeNode/><feMergeNode/></feMerge>"),
    ],
)
def test_parts_count_by_what_they_take(cheap: str, dear: str) -> None:
    assert 0 < one(cheap).work < one(dear).work


def test_a_morphology_counts_by_the_square_of_its_radius() -> None:
    area = 1.2 * 1.2 * 50 * 20
    assert one('<feMorphology radius="3 1"/>').spread == pytest.approx(0.75 * area * 36)
    boxed = one('<feMorphology radius="0.1"/>', 'primitiveUnits="objectBoundingBox"')
    assert boxed.spread == pytest.approx(0.75 * area * (2 * 0.1 * 50) ** 2)


def test_a_filter_has_the_parts_of_the_one_that_it_takes_after() -> None:
    chain = filter_(BLUR, id="g") + filter_("", 'href="#g"')
    assert filtered(chain + RECT.format(ON)).work == one().work


def test_functions_count_as_parts() -> None:
    plain = filtered(RECT.format('filter="sepia(1)"'))
    blurred = filtered(RECT.format('style="filter:blur(3px)"'))
    shadows = filtered(RECT.format('filter="drop-shadow(1px 1px 2px red) drop-shadow(1px 1px 2px red)"'))
    assert plain.work < blurred.work < shadows.work
    assert plain.held == pytest.approx(4 * 50 * 20 * 3)
    assert blurred.reach == 3 * 96


# ---- how often, and within what


def test_filters_add_up_wherever_they_are_shown() -> None:
    single = one()
    defs = f'<defs><g id="u">{RECT.format(ON)}</g></defs>'
    five = filtered(filter_() + defs + '<use href="#u"/>' * 5)
    assert five.work == pytest.approx(5 * single.work)
    assert five.held == pytest.approx(single.held)  # one after the other
    larger = filtered(filter_() + defs + '<use href="#u" transform="scale(3)"/>')
    assert larger.work == pytest.approx(9 * single.work)
    assert larger.reach == pytest.approx(3 * single.reach)


def test_filters_in_one_another_hold_their_pictures_together() -> None:
    single = one()
    nested = one(on=f"<g {ON}>{RECT.format(ON)}</g>")
    assert nested.held == pytest.approx(2 * single.held)
    masked = filtered(
        f'{filter_()}<mask id="m">{RECT.format(ON)}</mask><rect width="9" height="9" mask="url(#m)"/>'
    )
    assert masked.work == pytest.approx(single.work)


@pytest.mark.parametrize(
    "more",
    [
        RECT.format("") * 50,
        f'<g opacity="0.5">{RECT.format("")}</g>',
        RECT.format('stroke="red" stroke-width="9"'),
        f'<g stroke-width="9">{RECT.format("")}</g>',
        f'<g mask="url(#m)">{RECT.format("")}</g>',
        f'<g clip-path="url(#c)">{RECT.format("")}</g>',
        RECT.format('fill="url(#p)"'),
        '<path d="M10 10h5v5" marker-mid="url(#k)"/>',
    ],
)
def test_what_is_painted_below_a_filter_counts(more: str) -> None:
    defs = (
        f'<mask id="m">{RECT.format("")}</mask><clipPath id="c">{RECT.format("")}</clipPath>'
        f'<pattern id="p" width="1" height="1">{RECT.format("")}</pattern>'
        f'<marker id="k" markerWidth="9" markerHeight="9">{RECT.format("")}</marker>'
    )
    plain = one(on=f"{defs}<g {ON}>{RECT.format('')}</g>")
    assert one(on=f"{defs}<g {ON}>{RECT.format('')}{more}</g>").work > plain.work


def test_what_lies_in_a_file_counts_by_its_box() -> None:
    image = Node("image", {"width": "8", "height": "4", "filter": "url(#f)"})
    ids = {"f": parse(filter_().encode()).root}
    brought = Brought(Weight(7, 7, 3, most=1.0, least=1.0), Rect(0, 0, 4, 4), lambda: Outline(5, 12.0))
    found = Weigher(ids, StyleSheet(), lambda node: brought if node is image else None).weigh(image)
    assert found.filtered.held == pytest.approx(1.2 * 1.2 * 8 * 4 * 3)


@pytest.mark.parametrize(
    "body",
    [
        f'<pattern id="p" width="9" height="9">{RECT.format(ON)}</pattern>' + RECT.format('fill="url(#p)"'),
        f'<marker id="k">{RECT.format(ON)}</marker><path d="M0 0h9" marker-end="url(#k)"/>',
        f'<mask id="m" maskContentUnits="objectBoundingBox">{RECT.format(ON)}</mask>'
        + RECT.format('mask="url(#m)"'),
    ],
)
def test_filters_in_what_is_stretched_over_others_are_refused(body: str, wording: Wording) -> None:
    (problem,) = read_drawing(parse(f"{BOX}{filter_()}{body}</svg>".encode()), "a", 1e4).problems
    assert problem.code == "svg/filter"
    wording(problem)


def test_filters_that_take_after_very_many_are_refused(wording: Wording) -> None:
    chain = filter_("", id="f0") + "".join(filter_("", f'href="#f{i}"', f"f{i + 1}") for i in range(30))
    body = f'{BOX}{chain}<rect width="9" height="9" filter="url(#f30)"/></svg>'
    (problem,) = read_drawing(parse(body.encode()), "a", 1e4).problems
    wording(problem)


def test_many_parts_on_many_elements_are_looked_at_once() -> None:
    body = filter_("<feOffset/>" * 10_000) + RECT.format(ON) * 4_000
    began = time.process_time()
    assert filtered(body).work > 0
    assert time.process_time() - began < 10


# ---- what a side may come to


def test_a_side_may_have_so_much_and_no_more() -> None:
    square = limits.FILTER_PIXELS**2
    for most, said in (
        (Filtered(work=limits.MOST_FILTER_WORK / square), "500 million steps"),
        (Filtered(spread=limits.MOST_FILTER_WORK / square**2), "500 million steps"),
        (Filtered(held=limits.MOST_FILTER_PIXELS / square), "75 million pixels"),
        (Filtered(reach=limits.MOST_FILTER_REACH / limits.FILTER_PIXELS), "100,000 pixels"),
    ):
        less = Filtered(*(0.999 * each for each in most))
        assert side_problem(Weight(filtered=less), 0) is None
        problem = side_problem(Weight(filtered=Filtered(*(1.001 * each for each in most))), 7)
        assert problem is not None
        assert said in problem.message
        assert (problem.code, problem.offset) == ("svg/bounds", 7)
    assert side_problem(Weight(filtered=Filtered(math.nan)), 0) is not None
    assert UNFILTERED.trouble(1.0) == ""


def test_real_effects_pass() -> None:
    shadow = (
        '<feFlood result="a"/><feComposite in2="SourceAlpha" operator="in"/>'
        f'{BLUR}<feOffset dx="1"/><feComposite in="SourceGraphic"/>'
    )
    card = one(shadow, on=f'<rect width="69" height="94" {ON}/>' * 8)
    assert side_problem(Weight(filtered=card), 0) is None
    board = one(BLUR, 'x="0" y="0" width="1" height="1"', f'<rect width="426" height="303" {ON}/>')
    assert side_problem(Weight(filtered=board), 0) is None


def test_an_extent_seen_from_around_grows_with_its_transform() -> None:
    extent = Extent(0, 0, 2, 1, 2.0, 3.0, 1)
    assert extent.stroked(1.0).painted == 2 + 4 * 3 + 16
    assert extent.beside(EMPTY)[:4] == extent[:4]
