"""Drawings within drawings: their boxes, and the markup that puts them there."""

from __future__ import annotations

import pytest

from cardgen.core.geometry import Matrix, Rect
from cardgen.svg.outlines import ViewportError, box_of, fitted, own_box, relative, transform, view_box_of
from cardgen.svg.tree import parse
from tests.for_each import for_each
from tests.wording import Wording


def test_boxes() -> None:
    assert box_of({"width": "3px", "height": " 4.5 "}) == Rect(0, 0, 3, 4.5)
    assert box_of({"x": "-1", "y": "2", "width": "3", "height": "4"}) == Rect(-1, 2, 3, 4)
    assert view_box_of(None) is None
    assert view_box_of("1, 2 3 4") == Rect(1, 2, 3, 4)


@for_each(
    ("attrs", "box"),
    [
        ('viewBox="1 2 3 4" width="9"', Rect(1, 2, 3, 4)),
        ('width="24" height=" 12px "', Rect(0, 0, 24, 12)),
        ('width="1in" height="25.4mm"', Rect(0, 0, 96, 96)),
        ('width="100%" height="12"', None),
        ('height="12"', None),
    ],
)
def test_the_box_of_a_drawing_by_itself(attrs: str, box: Rect | None) -> None:
    assert own_box(parse(f"<svg {attrs}/>".encode()).root) == box


@for_each("attrs", ['viewBox="0 0 9"', 'width="9" height="-1"', 'width="1e9" height="1"'])
def test_a_box_of_no_size_is_said(attrs: str) -> None:
    with pytest.raises(ViewportError):
        own_box(parse(f"<svg {attrs}/>".encode()).root)


@for_each(
    "attrs",
    [
        {"height": "3"},
        {"width": "3"},
        {"width": "50%", "height": "3"},
        {"x": "1e9", "width": "3", "height": "3"},
    ],
)
def test_boxes_without_a_size(attrs: dict[str, str], wording: Wording) -> None:
    with pytest.raises(ViewportError) as caught:
        box_of(attrs)
    wording(caught.value)


@for_each("text", ["", "0 0 1", "0 0 0 1", "0 0 1 -1", "1e9 0 1 1"])
def test_view_boxes_of_no_size(text: str, wording: Wording) -> None:
    with pytest.raises(ViewportError) as caught:
        view_box_of(text)
    wording(caught.value)


@for_each(
    ("matrix", "text"),
    [
        (Matrix(e=1, f=-2.5), "translate(1 -2.5)"),
        (Matrix(a=2, d=2, e=1), "translate(1 0) scale(2)"),
        (Matrix(a=2, d=0.5), "translate(0 0) scale(2 0.5)"),
    ],
)
def test_a_matrix_is_written_as_short_as_may_be(matrix: Matrix, text: str) -> None:
    assert transform(matrix) == text


def test_content_is_moved_into_its_box_and_clipped_there() -> None:
    view, box = Rect(0, 0, 10, 10), Rect(1, 2, 20, 40)
    inner = '<g transform="translate(1 12) scale(2)"><path/></g>'
    assert fitted("<path/>", view, box, None, clipped=False) == inner
    clipped = fitted("<path/>", view, box, None, clipped=True)
    assert '<rect x="1" y="2" width="20" height="40"/></clipPath>' in clipped
    assert clipped.endswith(f">{inner}</g>")
    id = clipped.partition('id="')[2].partition('"')[0]
    assert f'clip-path="url(#{id})"' in clipped
    assert id not in fitted("<path/>", view, Rect(1, 2, 20, 41), None, clipped=True)


@for_each(
    ("inner", "said"),
    [
        ('<g><rect x="1" width="50%"/></g>', 'width="50%" on <rect>'),
        ('<linearGradient x="5%"/><rect fill="5%"/>', None),
    ],
)
def test_percentages_count_from_the_wrong_box(inner: str, said: str | None) -> None:
    assert relative(parse(f'<svg width="100%">{inner}</svg>'.encode()).root) == said
