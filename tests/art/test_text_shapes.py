"""Text in shapes: lines as long as the shape is wide at their height."""

from __future__ import annotations

import math

import pytest

from cardgen.art.text_lines import Shape
from cardgen.art.text_style import TextError
from cardgen.core.artwork import SetText, TextRun
from cardgen.svg.tree import Node
from tests.art.support import FONT, Workshop

CIRCLE = '<defs><circle id="c" cx="33" cy="43" r="20"/></defs>'


def one(shop: Workshop, body: str) -> SetText:
    result = shop.render(body)
    assert result.findings == []
    (text,) = result.texts
    return text


def rows(text: SetText) -> dict[float, tuple[float, float]]:
    """The ends of each line, by its baseline."""
    found: dict[float, tuple[float, float]] = {}
    for run in text.runs:
        assert isinstance(run, TextRun)
        left, right = found.get(run.y, (run.x, run.x))
        found[run.y] = (min(left, run.x), max(right, run.x + run.advance))
    return found


def test_the_room_in_a_circle() -> None:
    shape = Shape(Node("circle", {"cx": "50", "cy": "50", "r": "40"}))
    room = shape.room(70, 80)
    assert room is not None
    half = math.sqrt(40**2 - 30**2)
    assert room == pytest.approx((50 - half, 50 + half), abs=0.3)
    assert shape.room(5, 12) is None
    assert shape.room(88, 95) is None


def test_the_widest_room_counts_and_stays_off_the_edge() -> None:
    corner = Node("path", {"d": "M0 0H10V20H30V40H0Z"})
    assert Shape(corner).room(0, 5) == (0, 10)
    assert Shape(corner).room(15, 25) == (0, 10)
    assert Shape(corner).room(25, 30) == (0, 30)
    assert Shape(corner, 2).room(25, 30) == (2, 28)
    two = Node("path", {"d": "M0 0H10V10H0ZM20 0H50V10H20Z"})
    assert Shape(two).room(2, 5) == (20, 50)
    ring = Node("path", {"d": "M0 0H50V50H0ZM10 10V40H40V10Z"})
    assert Shape(ring).room(20, 30) == (0, 10)


def test_a_shape_of_very_many_corners_is_refused() -> None:
    points = " ".join(f"{index % 7},{index}" for index in range(1_500))
    with pytest.raises(TextError) as raised:
        Shape(Node("polygon", {"points": points}))
    assert raised.value.problem.code == "text/bounds"


def test_text_flows_in_a_circle(shop: Workshop) -> None:
    body = f'{CIRCLE}<text shape-inside="url(#c)" text-align="center" {FONT}>{"some words " * 14}</text>'
    found = rows(one(shop, body))
    assert len(found) > 6
    for y, (left, right) in found.items():
        assert math.hypot(left - 33, y - 43) < 20
        assert (left + right) / 2 == pytest.approx(33, abs=0.1)
    long = [right - left for left, right in found.values()]
    assert long[0] < long[3] - 5


def test_text_lies_in_the_middle_of_a_shape(shop: Workshop) -> None:
    tag = f'shape-inside="url(#c)" cg:valign="middle" {FONT}'
    ys = list(rows(one(shop, f"{CIRCLE}<text {tag}>{'some words ' * 8}</text>")))
    assert (ys[0] + ys[-1]) / 2 == pytest.approx(43, abs=2)


def test_text_shrinks_to_a_shape_and_what_does_not_fit_is_said(shop: Workshop) -> None:
    tag = f'shape-inside="url(#c)" cg:fit="shrink" cg:min-size="2.5" {FONT}'
    assert one(shop, f"{CIRCLE}<text {tag}>{'some words ' * 21}</text>").size < 3
    (finding,) = shop.render(f"{CIRCLE}<text {tag}>{'some words ' * 99}last</text>").findings
    assert finding.code == "text/overflow"


def test_a_shape_keeps_no_group(shop: Workshop) -> None:
    tag = f'shape-inside="url(#c)" cg:fit="shrink" cg:group="rules" {FONT}'
    assert shop.render(f"{CIRCLE}<text {tag}>word</text>").codes == ["text/fit"]


def test_one_shape_a_text(shop: Workshop) -> None:
    tag = f'style="shape-inside: url(#d) url(#c)" {FONT}'
    body = f'{CIRCLE}<rect id="d" width="9" height="9"/><text {tag}>a</text>'
    assert "text/box" in shop.render(body).codes
