"""Lines from labels to places on a card: around other places, in rulebooks that ship too."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cardgen
from cardgen.book import diagrams
from cardgen.book.callouts import FROM_TEXT, HALO, _cross, crosses, leaders, spread_labels
from cardgen.commands.production import stages as production
from cardgen.core.findings import Findings
from cardgen.core.geometry import Point, Rect
from tests.shipped import GAMES, PROJECT

CARD = Rect(30, 0, 50, 80)


def planned(areas: list[Rect], height: float = 8.0) -> list[tuple[Point, ...]]:
    """The lines of labels on both sides of a card."""
    plan = spread_labels(areas, [height] * len(areas), CARD, 2.0)
    starts = [
        (CARD.x - 4 if left else CARD.right + 4, top + height / 2)
        for top, left in zip(plan.tops, plan.left, strict=True)
    ]
    return leaders(starts, areas, plan.left, CARD)


def test_a_line_goes_straight_to_the_near_side_of_its_place() -> None:
    (line,) = planned([Rect(35, 20, 10, 10)])
    assert len(line) == 2
    assert line[-1] == pytest.approx((35 - FROM_TEXT - HALO, 25))


def test_a_line_goes_around_a_place_in_its_way() -> None:
    columns = [Rect(32 + n * 16, 30, 14, 40) for n in range(3)]
    lines = planned(columns)
    assert max(map(len, lines)) == 4
    for line, own in zip(lines, columns, strict=True):
        assert not any(crosses(line, other) for other in columns if other is not own)


@given(st.sets(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=7))
def test_lines_to_places_in_a_grid_cross_none(cells: set[tuple[int, int]]) -> None:
    areas = [Rect(33 + x * 16, 4 + y * 19, 10, 12) for x, y in sorted(cells)]
    for index, line in enumerate(planned(areas)):
        assert not any(crosses(line, other) for n, other in enumerate(areas) if n != index)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_no_line_of_a_rulebook_crosses_another_place_or_line(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[list[tuple[Point, ...]], list[Rect]]] = []

    def recorded(starts, areas, left, card):  # type: ignore[no-untyped-def]
        lines = leaders(starts, areas, left, card)
        drawn.append((lines, list(areas)))
        return lines

    monkeypatch.setattr(diagrams, "leaders", recorded)
    loaded = cardgen.load(game, project=PROJECT)
    (book,) = (component for component in loaded.components if component.book is not None)
    assert production.render_book(loaded, book, Findings()) is not None
    assert drawn
    for lines, areas in drawn:
        for own, line in zip(areas, lines, strict=True):
            apart = [area for area in areas if not area.overlaps(own)]
            assert not any(crosses(line, area) for area in apart)
            for other in lines:
                if other is not line:
                    pairs = ((a, b) for a in pairwise(line) for b in pairwise(other))
                    assert not any(_cross(*a, *b) for a, b in pairs)
