"""What a laid out side says of itself, and how a printer's correction moves a page."""

from __future__ import annotations

import pytest

from cardgen.core.artwork import Artwork, Group, Picture, Placed, SetText, TextRun, Word
from cardgen.core.geometry import IDENTITY, Rect, Size
from cardgen.core.services import canvas_of
from cardgen.core.sheets import BackCorrection, Rotation, placed
from tests.for_each import for_each

BOX = Rect(0, 0, 9, 9)
FI = Word("fi", 0.6, ((7, 0.0, 0.0, 0),), "<0007>")
BANG = Word("!", 0.3, ((9, 0.0, 0.1, 0), (9, 0.3, 0.0, 0)), "<00090009>", raised=True)


def test_a_word_is_plain_where_its_glyphs_say_all() -> None:
    assert FI.plain
    assert FI.gids == {7}
    assert not BANG.plain
    assert BANG.gids == {9}
    assert not Word("אב", 0.6, (), "", actual_text="אב").plain
    assert Word("fi", 0.6, ((7, 0.0, 0.0, 0),), "<0007>") != FI, "one object for each word"


def test_a_run_is_as_wide_as_its_words_and_gaps() -> None:
    black = (0.0, 0.0, 0.0)
    assert TextRun("serif", 2.0, 1.0, 1.0, (FI, BANG), black).advance == pytest.approx(1.8)
    spaced = TextRun("serif", 2.0, 1.0, 1.0, (FI, BANG), black, gaps=(0.25, 0.25))
    assert spaced.advance == pytest.approx(2.8)
    assert spaced.text == "fi!"


def test_texts_in_paint_order_also_within_groups() -> None:
    one, two, three = (SetText((), BOX, size) for size in (1.0, 2.0, 3.0))
    picture, shown = Picture("p", "<svg/>"), Placed("other", IDENTITY, BOX)
    inner = Group((picture, two))
    side = Artwork("a", Size(69.5, 94.9), 3.0, (one, picture, Group((inner, shown, three)), shown))
    assert list(side.texts()) == [one, two, three]
    assert side.trim == Rect(3.0, 3.0, 63.5, pytest.approx(88.9))


def test_a_correction_scales_about_the_middle_of_the_page_and_then_shifts() -> None:
    page = Size(200.0, 300.0)
    assert BackCorrection().matrix(page).is_identity
    matrix = BackCorrection(dx=1.0, dy=-2.0, scale_x=1.01, scale_y=0.99).matrix(page)
    assert matrix.apply(100.0, 150.0) == pytest.approx((101.0, 148.0))
    assert matrix.apply(0.0, 0.0) == pytest.approx((0.0, -0.5))
    assert matrix.apply(200.0, 300.0) == pytest.approx((202.0, 296.5))


@for_each("turn", [0, 90, 180, 270])
def test_turned_art_lies_in_its_rectangle(turn: Rotation) -> None:
    corners = [(10.0, 20.0), (40.0, 20.0), (40.0, 80.0), (10.0, 80.0)]
    width, height = (30, 60) if turn in (0, 180) else (60, 30)
    art = placed(Rect(10, 20, 30, 60), turn)
    found = [art.apply(x, y) for x, y in ((0, 0), (width, 0), (width, height), (0, height))]
    assert found == [corners[(index + turn // 90) % 4] for index in range(4)]


def test_the_pixels_of_a_service_s_image() -> None:
    assert canvas_of(Size(2.5 * 25.4, 3.5 * 25.4), 0.125 * 25.4, 300) == (825, 1125)
    assert canvas_of(Size(25.4, 50.8), 0.0, 100) == (100, 200)
