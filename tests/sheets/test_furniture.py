"""Where the ruler and the labels stand, to the point, on pages whose one block leaves them known strips."""

from __future__ import annotations

import pytest

from cardgen.core.geometry import Rect, Size
from cardgen.core.sheets import Label, Line
from cardgen.sheets.ruler_and_labels import Furniture, furnish
from tests.for_each import for_each

A4 = Size(210, 297)
WEIGHT = 0.25 * 25.4 / 72
CAPTION = "50 mm / 2 in"
EM = 0.52 * 1.9
"""mm kept free for each character of a label, at 1.9 mm."""
RULER = 50.8 + 0.5 + len(CAPTION) * EM
"""mm: the longer bar, a gap and the caption."""


def no_marks(length: float) -> list[Line]:
    return []


def furnished(block: Rect, *texts: str, page: Size = A4, lines: tuple[Line, ...] = ()) -> Furniture:
    return furnish(page, [block], no_marks, lines, texts or ("Demo", "sheet"), margin=5.0)


def same(found: Furniture, lines: list[tuple[float, ...]], labels: list[Label]) -> None:
    assert found.missing == ()
    for line in found.lines:
        assert line.weight == pytest.approx(WEIGHT)
        assert not line.dashed
    drawn = sorted((line.x1, line.y1, line.x2, line.y2) for line in found.lines)
    assert drawn == [pytest.approx(line) for line in sorted(lines)]
    assert [(each.text, each.rotation) for each in found.labels] == [
        (each.text, each.rotation) for each in labels
    ]
    for label, wanted in zip(found.labels, labels, strict=True):
        places = (label.x, label.y, label.size, label.room)
        assert places == pytest.approx((wanted.x, wanted.y, wanted.size, wanted.room))


def ruler(x: float, y: float, scale: float = 1.0) -> list[tuple[float, ...]]:
    """The strokes of a ruler with its upper left corner there: 50 mm with ticks upwards at 5 mm, longer
    ones at 10 mm; below it 2 in with ticks downwards at quarter inches, longer ones at halves."""
    metric, imperial = y + scale, y + 1.4 * scale
    long, short = scale - WEIGHT / 2, scale / 2
    strokes = [(x, metric, x + 50, metric), (x, imperial, x + 50.8, imperial)]
    for step in range(11):
        at, tick = x + 5 * step, short if step % 2 else long
        strokes.append((at, metric, at, metric - tick))
    for step in range(9):
        at, tick = x + 6.35 * step, short if step % 2 else long
        strokes.append((at, imperial, at, imperial + tick))
    return strokes


def turned(lines: list[tuple[float, ...]], x: float, bottom: float) -> list[tuple[float, ...]]:
    """Strokes from (0, 0), as they lie where the piece is turned by a quarter, beginning at the bottom."""
    return [(x + y1, bottom - x1, x + y2, bottom - x2) for x1, y1, x2, y2 in lines]


def row(x: float, y: float, text: str, scale: float = 1.0) -> list[Label]:
    """The caption of a ruler there, and a label right of it on a line of 2.09 mm from `below` upwards."""
    size = 1.9 * scale
    down = (2.4 * scale - 1.1 * size) / 2 + 0.82 * size
    return [Label(CAPTION, x + 51.3, y + down, size, 0, len(CAPTION) * EM * scale)]


def test_below_the_block_is_best() -> None:
    found = furnished(Rect(20, 20, 170, 257))
    text = "Demo · sheet"
    label = Label(text, 5 + RULER + 0.5, 292 - 2.09 + 0.82 * 1.9, 1.9, 0, len(text) * EM)
    same(found, ruler(5, 289.6), [*row(5, 289.6, text), label])


def test_then_above_it() -> None:
    found = furnished(Rect(5, 20, 200, 275))
    text = "Demo · sheet"
    label = Label(text, 5 + RULER + 0.5, 5 + 0.82 * 1.9, 1.9, 0, len(text) * EM)
    same(found, ruler(5, 5), [*row(5, 5, text), label])


@for_each(("block", "x"), [(Rect(20, 2, 188, 293), 5.0), (Rect(2, 2, 190, 293), 202.6)])
def test_then_turned_beside_it(block: Rect, x: float) -> None:
    """At the left, or else at the right, from the bottom upwards."""
    found = furnished(block, "The demo", "the sheet")
    text = "The demo · the sheet"
    at = x if x == 5 else 205 - 2.09
    labels = [
        Label(CAPTION, x + (2.4 - 2.09) / 2 + 0.82 * 1.9, 292 - 51.3, 1.9, 90, len(CAPTION) * EM),
        Label(text, at + 0.82 * 1.9, 292 - RULER - 0.5, 1.9, 90, len(text) * EM),
    ]
    same(found, turned(ruler(0, 0), x, 292), labels)


def test_texts_that_do_not_fit_in_one_line_stand_in_one_each() -> None:
    """170 mm wide, the paper has 160 for them: 75 are left beside the ruler."""
    first, second = "f" * 70, "s" * 100
    found = furnished(Rect(5, 20, 160, 170), first, second, page=Size(170, 200))
    below, above = 195 - 2.09 + 0.82 * 1.9, 5 + 0.82 * 1.9
    labels = [
        *row(5, 192.6, ""),
        Label(first, 5 + RULER + 0.5, below, 1.9, 0, 70 * EM),
        Label(second, 5, above, 1.9, 0, 100 * EM),
    ]
    same(found, ruler(5, 192.6), labels)


def test_a_text_that_is_too_long_still_is_set_tighter() -> None:
    text = "t" * 200  # 197.6 mm; the paper has 160
    found = furnished(Rect(5, 20, 160, 170), text, page=Size(170, 200))
    labels = [*row(5, 192.6, ""), Label(text, 5, 5 + 0.82 * 1.9, 1.9, 0, 0.7 * 200 * EM)]
    same(found, ruler(5, 192.6), labels)
    for count, missing in ((383, ()), (384, ("t" * 384,))):  # at 4 points, tighter, from edge to edge
        longest = furnished(Rect(5, 20, 160, 170), "t" * count, page=Size(170, 200))
        assert longest.missing == missing


@for_each("swapped", [False, True])
def test_lines_are_kept_clear_of_with_their_weight(swapped: bool) -> None:
    """A line 2 mm wide at 50 across: what is too long to lie before it begins 1.5 mm behind it."""
    ends = (50, 285, 50, 297) if not swapped else (50, 297, 50, 285)
    found = furnished(Rect(20, 20, 170, 257), lines=(Line(*ends, 2.0),))
    assert min(line.x1 for line in found.lines) == pytest.approx(51.5)
    assert [label.x for label in found.labels] == pytest.approx([51.5 + 51.3, 5])
    level = Line(205, 286.6, 5, 286.6, 5.0) if swapped else Line(5, 286.6, 205, 286.6, 5.0)
    below = furnished(Rect(20, 20, 170, 257), lines=(level,))
    assert min(line.y1 for line in below.lines) > 289, "it ends at 289.1, half a millimetre above the ruler"
    level = Line(205, 286.7, 5, 286.7, 5.0) if swapped else Line(5, 286.7, 205, 286.7, 5.0)
    above = furnished(Rect(20, 20, 170, 257), lines=(level,))
    assert max(line.y2 for line in above.lines) < 20


def test_a_label_takes_the_first_gap_that_holds_it() -> None:
    """13 characters need 12.844 mm, and half a millimetre on the side where something lies."""
    text = "t" * 13
    block = Rect(5, 20, 200, 257)
    for right, x in ((13.4 + 5, 5.0), (13.3 + 5, 19.8)):
        posts = (Line(right + 0.5, 289, right + 0.5, 297, 1.0), Line(19, 2, 19, 8, 1.0))
        found = furnished(block, text, lines=(*posts, Line(80, 2, 80, 8, 1.0)))
        assert found.labels[-1].text == text
        if x == 5.0:
            assert (found.labels[-1].x, found.labels[-1].y) == pytest.approx((5, 292 - 2.09 + 0.82 * 1.9))
        else:
            assert found.labels[-1].x > right


def test_a_narrow_strip_is_used_up_to_the_edge_and_then_with_smaller_type() -> None:
    text = "Demo"
    # 3.6 mm below the block: 2.4 for the ruler, 0.5 above it, 0.6 to the paper's edge
    found = furnished(Rect(0, 0, 210, 293.4), text)
    label = Label(text, 0.6 + RULER + 0.5, 296.4 - 2.09 + 0.82 * 1.9, 1.9, 0, 4 * EM)
    same(found, ruler(0.6, 294.0), [*row(0.6, 294.0, text), label])
    # 0.6 mm less, and all is three quarters as large, but for the bars
    found = furnished(Rect(0, 0, 210, 294.0), text)
    start = 0.6 + 51.3 + len(CAPTION) * EM * 0.75 + 0.5
    label = Label(text, start, 296.4 - 0.75 * 2.09 + 0.75 * 0.82 * 1.9, 0.75 * 1.9, 0, 4 * EM * 0.75)
    same(found, ruler(0.6, 294.6, 0.75), [*row(0.6, 294.6, text, 0.75), label])
    # 0.2 mm less hold a label alone, and 0.4 mm less than that not even one
    found = furnished(Rect(0, 0, 210, 294.2), text)
    assert (found.missing, found.lines, len(found.labels)) == (("ruler",), (), 1)
    found = furnished(Rect(0, 0, 210, 294.6), text)
    assert (found.missing, found.lines, found.labels) == (("ruler", text), (), ())


def test_a_margin_below_the_edge_is_the_edge() -> None:
    found = furnish(A4, [Rect(0, 0, 210, 293.7)], no_marks, (), ("Demo",), margin=0.3)
    assert found.missing == ()
    assert min(line.x1 for line in found.lines) == pytest.approx(0.3)


def test_marks_are_made_shorter_where_that_leaves_room() -> None:
    asked: list[float] = []

    def marker(length: float) -> list[Line]:
        asked.append(length)
        return [Line(x, 277, x, 285.2 + length, WEIGHT) for x in range(10, 210, 20)]

    block = Rect(0, 0, 210, 277)
    found = furnish(A4, [block], marker, (), ("Demo",), margin=5.0)
    assert asked == [5.0, 3.5]  # with 3.5 mm they end at 288.7, above the ruler from 289.6 on
    assert {line.y2 for line in found.marks} == {288.7}
    assert found.missing == ()


def test_where_nothing_helps_as_much_as_fits_is_put_and_the_marks_are_as_long_as_can_be() -> None:
    asked: list[float] = []

    def marker(length: float) -> list[Line]:
        asked.append(length)
        return [Line(0, 0, length, 0, WEIGHT)]

    found = furnish(A4, [Rect(0, 0, 210, 297)], marker, (), ("Demo",), margin=5.0)
    assert asked == [5.0, 3.5, 2.0] * 3
    assert found.missing == ("ruler", "Demo")
    assert found.marks == (Line(0, 0, 5.0, 0, WEIGHT),)
    # on a page 40 mm wide there never is room for a ruler, but for a label where the edge is narrow
    found = furnish(Size(40, 40), [Rect(0, 0, 40, 37)], marker, (), ("Demo",), margin=5.0)
    assert found.missing == ("ruler",)
    assert [(label.text, label.size) for label in found.labels] == [("Demo", 1.9 * 0.75)]
