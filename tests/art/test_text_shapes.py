"""Text in shapes: lines as long as the shape is wide at their height."""

from __future__ import annotations

import math

import pytest

from cardgen.art.text_lines import Shape
from cardgen.art.text_style import TextError
from cardgen.core.artwork import SetText, TextRun
from cardgen.core.geometry import Rect
from cardgen.svg.tree import Node
from tests.art.support import FONT, Workshop
from tests.for_each import for_each

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


# ---- around drawn objects

AROUND = '<defs><rect id="room" x="5" y="5" width="50" height="60"/></defs>'


def lines_around(shop: Workshop, drawn: str, attributes: str = 'shape-outside="url(#a)"') -> list[Rect]:
    """The areas of the lines of a text in a box of 50 mm beside something drawn."""
    words = "The quick brown fox jumps over the lazy dog. " * 6
    text = f'<text shape-inside="url(#room)" {attributes} {FONT}>{words}</text>'
    result = shop.render(f"{AROUND}{drawn}{text}")
    assert [each for each in result.findings if each.code not in ("text/overlap", "text/safe-zone")] == []
    (found,) = result.texts
    runs = [run for run in found.runs if isinstance(run, TextRun)]
    return [Rect(run.x, run.y - 0.7 * run.size, run.advance, 0.9 * run.size) for run in runs]


@for_each(
    ("drawn", "box"),
    [
        ('<rect id="a" x="35" y="15" width="30" height="12"/>', Rect(35, 15, 30, 12)),
        ('<rect id="a" x="0" y="15" width="25" height="12"/>', Rect(0, 15, 25, 12)),
        (
            '<g transform="translate(30 10)"><rect id="a" x="5" y="5" width="30" height="12"/></g>',
            Rect(35, 15, 30, 12),
        ),
        (
            '<g id="a" transform="scale(2)"><rect x="20" y="8" width="9" height="4"/></g>',
            Rect(40, 16, 18, 8),
        ),
        ('<g id="a"><circle cx="50" cy="20" r="8"/><path d="M40 30h20v6h-20z"/></g>', Rect(44, 14, 12, 12)),
    ],
)
def test_text_goes_around_what_is_drawn(shop: Workshop, drawn: str, box: Rect) -> None:
    lines = lines_around(shop, drawn)
    beside = [line for line in lines if line.y < box.bottom and line.bottom > box.y]
    assert len(beside) >= 2
    assert all(line.right <= box.x + 1e-6 or line.x >= box.right - 1e-6 for line in beside)
    assert max(line.right for line in lines) > 50


def test_text_keeps_its_distance_from_what_is_drawn(shop: Workshop) -> None:
    drawn = '<rect id="a" x="35" y="15" width="30" height="12"/>'
    near, far = (
        lines_around(shop, drawn, f'shape-outside="url(#a)" shape-margin="{margin}" shape-padding="1"')
        for margin in (0, 3)
    )
    for lines, right in ((near, 35), (far, 32)):
        beside = [line for line in lines if line.y < 27 and line.bottom > 15]
        assert right - 8 < max(line.right for line in beside) <= right


def test_a_moved_object_moves_the_text(shop: Workshop) -> None:
    one, other = (
        lines_around(shop, f'<g transform="translate({x} 0)"><circle id="a" cx="0" cy="20" r="9"/></g>')
        for x in (10, 50)
    )
    assert one != other


def test_the_name_of_svg_2_does_the_same(shop: Workshop) -> None:
    drawn = '<circle id="a" cx="50" cy="20" r="9"/>'
    assert lines_around(shop, drawn, 'style="shape-subtract:url(#a)"') == lines_around(shop, drawn)


@for_each(
    ("attributes", "drawn", "code"),
    [
        ('shape-inside="url(#room)" shape-outside="url(#b)"', "", "svg/reference"),
        ('shape-inside="url(#room)" shape-outside="circle()"', "", "text/box"),
        ('inline-size="40" shape-outside="url(#a)"', '<circle id="a" cx="50" cy="20" r="9"/>', "text/box"),
        (
            'shape-inside="url(#room)" shape-outside="url(#a)"',
            '<use id="a" href="#icon-coin"/>',
            "text/box",
        ),
        (
            'shape-inside="url(#room)" shape-outside="url(#a)"',
            '<symbol><circle id="a" cx="50" cy="20" r="9"/></symbol>',
            "text/box",
        ),
        (
            'shape-inside="url(#room)" shape-outside="url(#a)" cg:last-line="30%"',
            '<circle id="a" cx="50" cy="20" r="9"/>',
            "text/fit",
        ),
    ],
)
def test_shapes_that_text_can_not_go_around(shop: Workshop, attributes: str, drawn: str, code: str) -> None:
    result = shop.render(f"{AROUND}{drawn}<text {attributes} {FONT}>a b</text>")
    assert code in result.codes
