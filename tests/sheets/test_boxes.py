"""A box on its page: its panels and lines, what is hatched, and what lies on an area for glue."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardgen.core.findings import Findings
from cardgen.core.geometry import corners_of
from cardgen.core.sheets import Room
from cardgen.sheets.boxes import box_lines, hatching, inside, surface
from cardgen.sheets.dielines import tuck_box
from cardgen.sheets.imposition import impose
from tests.for_each import for_each

from .decks import A4, BLEED, Deck, game_of, layout

FLAP = [(0.0, 0.0), (20.0, 0.0), (20.0, 10.0), (0.0, 10.0)]


def test_hatching_crosses_an_area_in_lines_4_mm_apart() -> None:
    lines = list(hatching(FLAP))
    distances = [(x + y) / 2**0.5 for (x, y), _ in lines]
    assert distances == pytest.approx([4 / 2**0.5 + 4 * n for n in range(len(lines))])
    assert distances[-1] + 4 > 30 / 2**0.5
    for ends in lines:
        assert ends[0] != ends[1]
        assert sum(ends[0]) == pytest.approx(sum(ends[1]))
        for x, y in ends:
            assert min(abs(x), abs(x - 20), abs(y), abs(y - 10)) < 1e-9
            assert 0 <= x <= 20
            assert 0 <= y <= 10


@for_each(("left", "top", "area"), [(0, 0, 200), (15, 5, 25), (-5, -5, 75), (20, 0, 0), (30, 30, 0)])
def test_part_within_an_area_has_the_overlap_of_both(left: float, top: float, area: float) -> None:
    panel = [(x + left, y + top) for x, y in FLAP]
    assert abs(surface(inside(panel, FLAP))) == pytest.approx(area)


def test_a_box_lies_in_the_middle_of_its_page_without_ink_on_its_glue() -> None:
    box = tuck_box(Room(64.5, 89.9, 17.2), 0.35)
    game, rendering, sheet = game_of(Deck("a", box.size, back=False))
    game = replace(game, components=(replace(game.components[0], box=box),))
    plain = layout(marks="none", duplex="none")
    [page] = impose(game, sheet, plain, A4, rendering, findings=Findings()).pages
    assert len(page.slots) == sum(not panel.glued for panel in box.panels)
    trim = page.slots[0].trim
    assert (page.size.width - trim.right, page.size.height - trim.bottom) == pytest.approx((trim.x, trim.y))
    assert min(slot.clip.y for slot in page.slots) == pytest.approx(trim.y - BLEED)
    for slot in page.slots:
        around = corners_of(slot.shape, slot.clip)
        assert around is not None
        for area in box.glue:
            glued = [(x + trim.x, y + trim.y) for x, y in area]
            assert abs(surface(inside(around, glued))) < 0.5, slot
    lines = box_lines(page, {"a": box})
    cuts = [line for line in lines if line.tool == "cut"]
    folds = [line for line in lines if line.tool == "crease"]
    assert len(cuts) == 1 + len(box.slits)
    moved = [((x + trim.x, y + trim.y), (u + trim.x, v + trim.y)) for (x, y), (u, v) in box.folds]
    assert [(fold.strokes[0].start, fold.strokes[0].end) for fold in folds] == moved
