"""Letters that are turned, stretched or less opaque than their text, on paper."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardgen.core.artwork import SetText, TextRun, turned, word_boxes
from cardgen.core.geometry import Rect

from .samples import BEBAS, SANS, at, close, pixels, text
from .test_faces import operators

QUARTER = (0.0, 1.0, -1.0, 0.0)


def first(content: str, **said: object) -> tuple[SetText, TextRun]:
    whole = text(content, **said)  # type: ignore[arg-type]
    (run,) = whole.runs
    assert isinstance(run, TextRun)
    return whole, run


def with_runs(whole: SetText, *runs: TextRun) -> SetText:
    return replace(whole, runs=runs)


def test_a_turned_run_is_turned_about_its_pen() -> None:
    whole, run = first("H", x=10, y=20, size=10, font=BEBAS)
    upright = pixels(whole).point(lambda value: 255 - value).getbbox()
    askew = pixels(with_runs(whole, replace(run, turn=QUARTER))).point(lambda value: 255 - value).getbbox()
    left, top, right, bottom = upright
    # A quarter to the right about (100, 200): what was above lies to the right.
    assert askew == pytest.approx((300 - bottom, 100 + left, 300 - top, 100 + right), abs=1)


def test_the_operators_of_a_turned_run() -> None:
    whole, run = first("ab", x=1, y=20, size=10, font=SANS)
    found = operators(with_runs(whole, replace(run, turn=(2.0, 0.0, 0.0, 1.0))))
    (word,) = run.words
    assert f"2 0 0 -1 1 20 Tm <{word.glyphs[0][0]:04X}>Tj" in found
    assert f"<{word.glyphs[1][0]:04X}>Tj" in found


def test_a_run_has_an_opacity_times_that_of_its_text() -> None:
    whole, run = first("I", x=5, y=30, size=40, font=BEBAS, fill=(1, 0, 0))
    place = next(x for x in range(50, 150) if pixels(whole).getpixel((x, 200)) == (255, 0, 0)) / 10 + 1
    faint = with_runs(replace(whole, opacity=0.5), replace(run, opacity=0.5))
    assert close(at(pixels(faint), place, 20), (255, 191, 191))
    strong = with_runs(replace(whole, opacity=0.5), replace(run, opacity=2.0))
    assert at(pixels(strong), place, 20) == (255, 0, 0)


def test_words_of_turned_runs_are_where_they_are_seen() -> None:
    _, run = first("word", x=10, y=20, size=4)
    ((_, flat),) = word_boxes(run)
    ((_, box),) = word_boxes(replace(run, turn=QUARTER))
    assert (box.width, box.height) == pytest.approx((flat.height, flat.width))
    assert (box.x, box.y) == pytest.approx((10 - 0.05 * 4, 20))
    assert turned(Rect(10, 20, 1, 2), run) == Rect(10, 20, 1, 2)
