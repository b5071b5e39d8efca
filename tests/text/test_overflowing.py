"""Text that does not fit, set to its end."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.artwork import TextRun
from cardgen.core.geometry import Rect
from cardgen.text.setting import compose, compose_within
from cardgen.text.spans import Composed, HardBreak, Options
from tests.for_each import for_each

from .texts import SANS, icons, paragraph, rows, texts

BOX = Rect(5, 7, 20, 8)
"""Of room for two lines."""


def whole(*words: str, box: Rect = BOX, options: Options | None = None, size: float = 3.0) -> Composed:
    return compose([paragraph(*words)], box, replace(options or Options(), most=size))


def test_lines_go_on_below_the_box() -> None:
    found = whole("one two three four five six seven eight")
    assert rows(found) == ["one two three", "four five six", "seven eight"]
    assert found.overflow is not None
    fitting = found.overflow.fitting
    inside, below = found.runs[:fitting], found.runs[fitting:]
    assert [run.y + SANS.depth * 3 < BOX.bottom for run in inside] == [True] * len(inside)
    assert [run.y + SANS.depth * 3 > BOX.bottom for run in below] == [True] * len(below)
    assert below
    assert found.overflow.room == BOX
    assert found.lines == 3
    assert found.box.bottom > BOX.bottom


@for_each("valign", ["top", "middle", "bottom"])
def test_a_block_that_is_too_high_begins_at_the_top(valign: str) -> None:
    found = whole("one two three four five six seven eight", options=Options(valign=valign))  # type: ignore[arg-type]
    first = found.runs[0]
    assert first.y < BOX.y + 3.6
    low = whole("one unbelievabilities", options=Options(valign=valign))  # type: ignore[arg-type]
    assert low.overflow is not None
    assert low.overflow.fitting == len(low.runs)
    if valign == "bottom":  # as high as the box, where a word is too wide for it
        assert low.box.bottom == pytest.approx(BOX.bottom, abs=0.5)


def test_a_word_that_is_too_wide_has_a_line_of_its_own() -> None:
    found = whole("an unbelievabilities end", box=Rect(5, 7, 14, 40))
    assert rows(found) == ["an", "unbelievabilities", "end"]
    _, word, _ = texts(found)
    assert word.x == 5
    assert word.x + word.advance > 19
    assert found.overflow is not None
    assert found.overflow.fitting == 3


def test_it_is_set_in_the_size_that_is_asked_for() -> None:
    found = whole("one two three ", ":coin:", " four", size=1.5)
    assert {run.size for run in found.runs} == {1.5}
    assert found.size == 1.5
    assert len(icons(found)) == 1
    blank = whole("  ")
    assert blank.runs == ()
    broken = compose([paragraph("a", HardBreak(), HardBreak(), "b")], BOX)
    assert broken.lines == 3


def test_missing_letters_are_told() -> None:
    assert whole("日 one two three four five six seven").missing == ((SANS.key, "日"),)


words = st.lists(st.text("abcdefgij.-", min_size=1, max_size=25), min_size=1, max_size=12)


@given(words, st.floats(1, 40), st.floats(1, 20), st.booleans())
def test_nothing_is_lost(said: list[str], width: float, height: float, shrink: bool) -> None:
    box = Rect(5, 7, width, height)
    options = Options(shrink=shrink, min_size=2.0)
    found = compose([paragraph(" ".join(said))], box, options)
    letters = "".join(run.text for run in texts(found))
    assert letters.replace(" ", "") == "".join(said)
    if found.overflow is None:
        return
    assert found.size == found.overflow.size
    assert found.overflow.fitting <= len(found.runs)
    for run in found.runs[: found.overflow.fitting]:
        assert isinstance(run, TextRun)
        assert run.y <= box.bottom


def test_what_is_left_of_a_shape_goes_on_below_it() -> None:
    def narrow(top: float, bottom: float) -> tuple[float, float] | None:
        return (7, 17) if bottom <= BOX.bottom else None

    for said in ("one two three four five six", "one unbelievable-unbelievabilities two"):
        listed = [paragraph(said)]
        found = compose_within(listed, narrow, BOX, Options(valign="middle"))
        assert "".join(run.text for run in texts(found)).replace(" ", "") == said.replace(" ", "")
        assert found.overflow is not None
        inside, below = found.runs[: found.overflow.fitting], found.runs[found.overflow.fitting :]
        assert all(run.y < BOX.bottom for run in inside)
        assert all(run.y + 1.2 * 3 > BOX.bottom for run in below)
