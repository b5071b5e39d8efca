"""Text that runs right to left, alone and among text that does not."""

from __future__ import annotations

import pytest
from bidi import get_display
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.artwork import IconRun, TextRun
from cardgen.core.geometry import Rect
from cardgen.text.setting import compose, set_line
from cardgen.text.spans import (
    Composed,
    Direction,
    HardBreak,
    IconSpan,
    Options,
    Paragraph,
    Span,
    Style,
    direction_of,
)
from tests.for_each import for_each

from .texts import BLACK, HEBREW, RED, SANS, paragraph

STYLE = Style(HEBREW, 3.0, BLACK)
OTHER = Style(HEBREW, 3.0, RED)
WIDTH = 40.0
SHALOM = "שלום"


def seen(composed: Composed) -> list[str]:
    """What an eye sees on each line, character by character from left to right, icons as *."""
    lines: dict[float, list[tuple[float, str]]] = {}
    for run in composed.runs:
        if isinstance(run, IconRun):
            baseline = run.y + run.size * (0.5 + HEBREW.cap_height / 2)
            lines.setdefault(round(baseline, 3), []).append((run.x, "*"))
            continue
        x = run.x
        for word in run.words:
            for _, offset, _, cluster in word.glyphs:
                lines.setdefault(round(run.y, 3), []).append((x + offset * run.size, word.text[cluster]))
            x += word.advance * run.size
    return ["".join(text for _, text in sorted(line)) for _, line in sorted(lines.items())]


def box(*parts: str | Span | IconSpan | HardBreak, width: float = WIDTH, **options: object) -> Composed:
    spans = [Span(part, STYLE) if isinstance(part, str) else part for part in parts]
    return compose([Paragraph(spans)], Rect(5, 7, width, 60), Options(**options))  # type: ignore[arg-type]


LETTERS = st.text("ab אבج12.,-(+)", min_size=1, max_size=24).map(lambda text: " ".join(text.split()))


@given(LETTERS.filter(bool), st.sampled_from(["ltr", "rtl"]))
def test_a_line_is_seen_in_the_order_of_the_standard(text: str, direction: Direction) -> None:
    (line,) = seen(set_line([Span(text, STYLE)], 0, 0, options=Options(direction=direction)))
    shown = get_display(text, base_dir=direction[0].upper())
    # The library shows the picture of a mirrored bracket, and `seen` says which one it was.
    assert line.replace(")", "(") == shown.replace(")", "(")


@given(st.lists(LETTERS.filter(bool), min_size=1, max_size=5), st.sampled_from(["ltr", "rtl", "auto"]))
def test_every_line_keeps_its_words_and_its_width(texts: list[str], direction: Direction) -> None:
    spans = [Span(f"{text} ", STYLE if index % 2 else OTHER) for index, text in enumerate(texts)]
    composed = compose([Paragraph(spans)], Rect(0, 0, 70, 200), Options(direction=direction))
    assert composed.overflow is None
    words = sorted("".join(texts).replace(" ", ""))
    assert sorted("".join(seen(composed)).replace(" ", "")) == words
    for run in composed.runs:
        assert isinstance(run, TextRun)
        assert run.x >= -1e-6
        assert run.x + run.advance <= 70 + 1e-6


def test_a_word_among_others() -> None:
    assert seen(box(f"say {SHALOM} (ab) again")) == [f"say {SHALOM[::-1]} (ab) again"]


def test_numbers_and_foreign_words_keep_their_order() -> None:
    assert seen(box(f"{SHALOM} card 12 אב", direction="rtl")) == ["בא card 12 " + SHALOM[::-1]]


def test_lines_are_broken_in_the_order_of_reading() -> None:
    composed = box("אאאא בבבב גגגג", width=HEBREW.word("אאאא בבבב").advance * 3 + 0.5, direction="rtl")
    assert seen(composed) == ["בבבב אאאא", "גגגג"]


@for_each(
    ("align", "direction", "side"),
    [
        ("start", "rtl", "right"),
        ("end", "rtl", "left"),
        ("start", "ltr", "left"),
        ("start", "auto", "right"),
        ("justify", "rtl", "right"),
    ],
)
def test_the_start_is_where_reading_starts(align: str, direction: Direction, side: str) -> None:
    composed = box(SHALOM, align=align, direction=direction)
    if side == "left":
        assert composed.box.x == pytest.approx(5)
    else:
        assert composed.box.right == pytest.approx(5 + WIDTH)


def test_justified_lines_fill_the_width_both_ways() -> None:
    composed = box(" ".join(["אבג"] * 20), align="justify", direction="rtl", width=25)
    rows: dict[float, list[TextRun]] = {}
    for run in composed.runs:
        assert isinstance(run, TextRun)
        rows.setdefault(run.y, []).append(run)
    *full, last = rows.values()
    for runs in full:
        assert min(run.x for run in runs) == pytest.approx(5)
        assert max(run.x + run.advance for run in runs) == pytest.approx(30)
    assert max(run.x + run.advance for run in last) == pytest.approx(30)


def test_bullets_hang_on_the_right() -> None:
    item = paragraph(Span("אבג דהו " * 4, STYLE), bullet="•", indent=1.0)
    composed = compose([item], Rect(0, 0, 20, 40), Options(direction="rtl"))
    bullet = next(run for run in composed.runs if isinstance(run, TextRun) and run.text == "•")
    words = [run for run in composed.runs if isinstance(run, TextRun) and run is not bullet]
    assert bullet.x >= max(run.x + run.advance for run in words)
    assert bullet.x + bullet.advance == pytest.approx(20, abs=1e-6)
    assert max(run.x + run.advance for run in words) <= 17 + 1e-6


def test_icons_stand_where_they_are_read() -> None:
    composed = box("אב ", IconSpan("coin", STYLE), " גד", direction="rtl")
    assert seen(composed) == ["דג * בא"]


def test_each_line_of_its_own_goes_its_own_way() -> None:
    composed = box("abc אב", HardBreak(), "אב abc")
    assert seen(composed) == ["abc בא", "בא abc"]


def test_a_style_may_change_within_a_run() -> None:
    composed = box(Span("אב ", STYLE), Span("גד", OTHER), direction="rtl")
    assert seen(composed) == ["דג בא"]
    assert {run.fill for run in composed.runs} == {BLACK, RED}


def test_brackets_are_mirrored() -> None:
    composed = box("(אב)", direction="rtl")
    gids = [
        glyph[0]
        for run in composed.runs
        if isinstance(run, TextRun)
        for word in run.words
        for glyph in word.glyphs
    ]
    assert gids[0] == HEBREW.word("(").glyphs[0][0]
    assert gids[-1] == HEBREW.word(")").glyphs[0][0]


def test_an_anchor_means_what_is_seen() -> None:
    composed = set_line([Span(SHALOM, STYLE)], 10, 10, "end", options=Options(direction="rtl"))
    assert composed.box.right == pytest.approx(10)


def test_shrinking_and_overflow_work_the_same() -> None:
    composed = box(" ".join([SHALOM] * 90), direction="rtl", shrink=True, min_size=0.5)
    assert composed.overflow is None
    assert composed.size < 3
    lost = box(" ".join([SHALOM] * 300), direction="rtl").overflow
    assert lost is not None
    assert set(lost.words) == {SHALOM}


def test_letters_that_a_font_lacks_are_named_once() -> None:
    plain = Style(SANS, 3.0, BLACK)
    composed = compose([Paragraph([Span("ab שש", plain)])], Rect(0, 0, 40, 40))
    assert composed.missing == (("IBMPlexSans-Regular", "ש"),)


@for_each(
    ("language", "direction"),
    [
        ("en", "auto"),
        ("de-AT", "auto"),
        ("he", "rtl"),
        ("ar-EG", "rtl"),
        ("fa_IR", "rtl"),
        ("az-Arab", "rtl"),
        ("ks-Deva", "auto"),
    ],
)
def test_the_language_says_how_text_runs(language: str, direction: Direction) -> None:
    assert direction_of(language) == direction


def test_line_ends_of_other_systems_are_white_space_in_both_directions() -> None:
    composed = set_line([Span("a\x85\u2029שלום", Style(HEBREW, 3.0, BLACK))], 0, 0)
    said = "".join(run.text for run in composed.runs if isinstance(run, TextRun))
    assert said.split() == ["a", "םולש"[::-1]]
