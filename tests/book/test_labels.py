"""Card anatomy and strips of panels: labels that keep apart, panels of one height, parts of components."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.book.callouts import spread_labels
from cardgen.book.diagrams import MOST_ABREAST, seen_part
from cardgen.core.artwork import IconRun, Picture, SetText, TextRun
from cardgen.core.book import BookPage
from cardgen.core.geometry import Rect
from tests.book.conftest import Made
from tests.book.test_diagrams import CARD, SNAP, discs, shown
from tests.wording import Wording

Make = Callable[..., Made]
Edit = Callable[[str, str, str], Path]
START = "# T\n\n## S\n\n"


def drawn(page: BookPage) -> str:
    return "".join(item.svg for item in page.artwork.items if isinstance(item, Picture))


def words(page: BookPage, said: str) -> Rect:
    """The box around the first line that says this."""
    for item in page.artwork.items:
        for run in item.runs if isinstance(item, SetText) else ():
            if isinstance(run, TextRun) and said in run.text:
                return Rect(item.matrix.e + run.x, item.matrix.f + run.y, run.advance, run.size)
    raise AssertionError(said)


# ---------------------------------------------------------------------- anatomy


@pytest.mark.parametrize("low_ink", [False, True])
def test_labels_stand_beside_a_card_with_lines_to_what_they_mean(
    make: Make, edit: Edit, low_ink: bool
) -> None:
    edit(CARD, "</svg>", SNAP.format(x=50))
    items = "- `value` Leftmost.\n- `well` Rightmost.\n- `effect` Below.\n:::\n"
    page = make(f"{START}:::anatomy card:cards/night-owl 50mm\n{items}", low_ink=low_ink).pages[2]
    (card,) = shown(page)
    assert card.trim.width * card.matrix.a == pytest.approx(50)
    left, top = card.matrix.apply(card.trim.x, card.trim.y)
    right, bottom = card.matrix.apply(card.trim.right, card.trim.bottom)
    assert words(page, "Leftmost").right < left
    assert words(page, "Rightmost").x > right
    line = r'<path d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)" fill="none" stroke="#(?!fff)'
    lines = [tuple(map(float, each)) for each in re.findall(line, drawn(page))]
    assert len(lines) == 3
    for x1, _, x2, y2 in lines:
        assert not left <= x1 <= right  # from a label
        assert left < x2 < right  # onto the card
        assert top < y2 < bottom
    scale = 50 / card.trim.width
    (value,) = ((x, y) for x1, _, x, y in lines if x1 < left and y < top + 20 * scale)
    assert (value[0] - left) / scale == pytest.approx(8, abs=2.5)  # just left of the figure, at its height
    assert (value[1] - top) / scale == pytest.approx(10, abs=1)


def test_a_card_leaves_room_for_labels(make: Make) -> None:
    page = make(START + ":::anatomy card:cards/night-owl 150mm\n- `value` Leftmost.\n:::\n").pages[2]
    (card,) = shown(page)
    assert card.trim.width * card.matrix.a < 80
    assert words(page, "Leftmost").x > 10


@pytest.mark.parametrize(
    ("block", "code", "line"),
    [
        ("anatomy card:cards/night-owl\n- `valeu` x", "book/place", 6),
        ("anatomy card:cards/night-owl\n- x", "book/diagram", 6),
        ("anatomy card:cards/night-owl\n- `value` `title` x", "book/diagram", 6),
        ("set-up card:cards/night-owl\n1. x\n2. " + "`value` " * 61 + "x", "book/diagram", 7),
        ("set-up card:cards/night-owl\n" + "1. x\n" * 25, "book/diagram", 30),
        ("anatomy table\n- `value` x", "book/diagram", 5),
        ("strip\n1. :sun: **One**", "book/diagram", 5),
        ("strip card:cards/night-owl\n1. :sun: a\n2. :sun: b", "book/diagram", 5),
        ("strip\n1. :sun: **One**\n2. **Two**", "book/diagram", 7),
        ("strip\n1. :sun: **One**\n2. - A list", "book/diagram", 7),
        ("strip\n1. :sun: **One**\n2. :sunn: **Two**", "book/icon", 7),
        ("strip\n1. :sun: a\n2. ![](card:cards/night-owl) `nest` b", "book/place", 7),
        ("strip\n1. :sun: a\n2. ![](card:cards/owl) b", "book/card", 7),
    ],
)
def test_what_is_wrong_is_said_at_its_line(
    make: Make, block: str, code: str, line: int, wording: Wording
) -> None:
    made = make(f"{START}:::{block}\n:::\n")
    assert made.book is None
    (said,) = [each for each in made.said if each[0] == code]
    assert said[1] == line
    wording(said[2])


# ---------------------------------------------------------------------- strips


def test_panels_are_of_one_height_side_by_side(make: Make, edit: Edit) -> None:
    edit(CARD, "</svg>", SNAP.format(x=20))
    made = make(
        START + ":::strip\n1. :sun: **Look** Up.\n2. ![](card:cards/night-owl) **Draw** A card, and "
        "many words, so that it takes lines.\n3. ![](card:cards/night-owl) `well` **Fill** The well.\n:::\n"
    )
    page = made.pages[2]
    panel = r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" rx="1.600"'
    found = re.findall(panel, drawn(page))
    panels = [Rect(*map(float, each)) for each in found]
    assert len(panels) == len(discs(page)) == 3
    assert len({(each.y, each.height, each.width) for each in panels}) == 1
    assert not any(one.overlaps(other) for one in panels for other in panels if one is not other)
    whole, part = shown(page)
    assert panels[1].contains(whole.matrix.around(whole.trim))
    assert panels[2].contains(part.matrix.around(part.trim))
    assert part.trim.contains(Rect(20 - 4, 70 - 4, 8, 8))
    assert part.trim.width < whole.trim.width / 2
    texts = [item for item in page.artwork.items if isinstance(item, SetText)]
    (icon,) = (run for text in texts for run in text.runs if isinstance(run, IconRun))
    assert icon.size > 8
    for area, said in zip(panels, ("Look", "Draw", "Fill")):
        assert area.contains(words(page, said))


@pytest.mark.parametrize(("count", "rows"), [(2, [2]), (MOST_ABREAST, [4]), (5, [3, 2]), (6, [3, 3])])
def test_many_panels_stand_in_even_rows(make: Make, count: int, rows: list[int]) -> None:
    page = make(START + ":::strip\n" + "1. :sun: **A** b\n" * count + ":::\n").pages[2]
    heights = [y for _, y in discs(page)]
    assert [heights.count(height) for height in sorted(set(heights))] == rows


def test_rows_of_panels_stay_on_one_page(make: Make) -> None:
    strip = ":::strip\n" + "1. ![](card:cards/night-owl) **A** b\n" * 6 + ":::\n"
    pages = make(START + "One line.\n\n" * 16 + strip).pages
    assert [len(discs(page)) for page in pages[2:4]] in ([0, 6], [6, 0])


# ---------------------------------------------------------------------- plans

CARDS = st.builds(lambda wide, high: Rect(30.0, 0.0, wide, high), st.floats(30, 70), st.floats(40, 100))
SHARES = st.floats(0, 0.9)
LABELS = st.lists(st.tuples(SHARES, SHARES, st.floats(0.01, 0.1), st.floats(3, 25)), max_size=14)


@given(CARDS, LABELS)
def test_labels_never_overlap(card: Rect, labels: list[tuple[float, float, float, float]]) -> None:
    areas = [
        Rect(card.x + x * card.width, card.y + y * card.height, size * card.width, size * card.height)
        for x, y, size, _ in labels
    ]
    heights = [height for *_, height in labels]
    plan = spread_labels(areas, heights, card, 2.0)
    assert len(plan.tops) == len(plan.left) == len(labels)
    for on_left in (True, False):
        both = zip(plan.tops, heights, plan.left)
        column = sorted((top, high) for top, high, left in both if left is on_left)
        for (top, high), (below, _) in pairwise(column):
            assert below >= top + high + 2.0 - 1e-6
        total = sum(high + 2.0 for _, high in column) - 2.0
        if column and total <= card.height:
            assert column[0][0] >= card.y - 1e-6
            assert column[-1][0] + column[-1][1] <= card.bottom + 1e-6


def test_labels_stand_on_the_side_of_what_they_mean_at_its_height() -> None:
    card = Rect(30, 0, 50, 80)
    plan = spread_labels([Rect(32, 10, 4, 4), Rect(70, 40, 4, 4), Rect(34, 60, 4, 4)], [6, 6, 6], card, 2)
    assert plan.left == (True, False, True)
    assert plan.tops == pytest.approx((9, 39, 59))


def test_labels_of_one_place_stand_on_both_sides() -> None:
    card, area = Rect(30, 0, 50, 80), Rect(53, 38, 4, 4)
    plan = spread_labels([area] * 6, [4] * 6, card, 2)
    assert plan.left.count(True) == 3
    assert sorted(plan.tops[:3]) == pytest.approx((32, 38, 44))


@given(st.floats(0, 60), st.floats(0, 80), st.floats(0.1, 20), st.floats(0.1, 20), st.floats(0.3, 3))
def test_what_is_seen_of_a_side_has_the_part_in_it(
    x: float, y: float, wide: float, high: float, shape: float
) -> None:
    trim, part = Rect(0, 0, 63, 88), Rect(x, y, min(wide, 63 - x), min(high, 88 - y))
    seen = seen_part(part, trim, Rect(0, 0, 20 * shape, 20))
    assert trim.contains(seen)
    assert seen.width / seen.height == pytest.approx(shape)
    if shape > 0.5 and part.width < 20:
        assert seen.contains(Rect(part.x + part.width / 2, part.y + part.height / 2, 0, 0))
