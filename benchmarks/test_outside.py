"""How outside programs are asked: that what is wrong would be seen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pikepdf

from benchmarks import outside_pdf
from benchmarks.outside import Table, _off
from tests.for_each import for_each

CARD = (20.0, 20.0, 60.0, 80.0)


class Drawn(outside_pdf.Page):
    """A page of 100 × 100 mm with the lines that it is given: left, top, right, bottom in mm."""

    def __init__(self, *lines: outside_pdf.Box) -> None:
        self.path, self.number, self.width, self.height = Path("drawn.pdf"), 1, 100.0, 100.0
        self.lines = lines

    def pixels(self, dpi: int) -> np.ndarray:  # type: ignore[type-arg]
        scale = dpi / 25.4
        paper = np.full((round(100 * scale), round(100 * scale), 3), 255, dtype=np.uint8)
        for left, top, right, bottom in self.lines:
            paper[
                round(top * scale) : round(bottom * scale) + 1,
                round(left * scale) : round(right * scale) + 1,
            ] = 0
        return paper


def ticks() -> list[outside_pdf.Box]:
    left, top, right, bottom = CARD
    return [(x, 10.0, x, 15.0) for x in (left, right)] + [(10.0, y, 15.0, y) for y in (top, bottom)]


def test_marks_are_found() -> None:
    assert outside_pdf.unmarked(Drawn(*ticks()), [CARD]) == (4, [])


@for_each("gone", range(4))
def test_a_mark_that_is_not_there_is_missed(gone: int) -> None:
    left = [mark for index, mark in enumerate(ticks()) if index != gone]
    assert len(outside_pdf.unmarked(Drawn(*left), [CARD])[1]) == 1


def test_a_mark_in_the_margin_or_beside_the_cut_is_none() -> None:
    margin = [(20.0, 0.0, 20.0, 4.0), *ticks()[1:]]
    beside = [(20.5, 10.0, 20.5, 15.0), *ticks()[1:]]
    for marks in (margin, beside):
        assert len(outside_pdf.unmarked(Drawn(*marks), [CARD])[1]) == 1


def test_a_back_that_is_off_is_seen() -> None:
    page = Drawn()
    assert _off(page, [CARD], [(40.0, 20.0, 80.0, 80.0)], turned_down=False) == []
    assert len(_off(page, [CARD], [(40.2, 20.0, 80.2, 80.0)], turned_down=False)) == 1
    assert _off(page, [CARD], [(20.0, 20.0, 60.0, 80.0)], turned_down=True) == []


def test_colours_of_the_screen_and_what_a_press_asks_for_are_seen(tmp_path: Path) -> None:
    pdf = pikepdf.new()
    pdf.add_blank_page()
    pdf.pages[0].Contents = pdf.make_stream(b"1 0 0 rg 0 0 9 9 re f")
    pdf.save(tmp_path / "a.pdf")
    assert outside_pdf.colour_operators(tmp_path / "a.pdf") == {"rg"}
    assert len(outside_pdf.press_facts(tmp_path / "a.pdf")) == 4


def test_a_table_counts() -> None:
    table = Table()
    table.add("pages", "poppler", ["one is off"], 3)
    table.test("pages", "poppler", True, "nothing")
    assert str(table).splitlines()[1].split() == ["pages", "poppler", "3", "1"]
    assert table.said == ["pages: one is off"]
