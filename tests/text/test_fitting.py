"""Line breaks and sizes."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.artwork import TextRun
from cardgen.core.geometry import Rect
from cardgen.text import measuring as fitting
from cardgen.text.line_ends import word_rules
from cardgen.text.measuring import even_breaks, first_fit, measure
from cardgen.text.setting import set_line, size_of
from cardgen.text.spans import HardBreak, Item, Options, Segment, Span, Style
from tests.for_each import for_each

from .texts import BLACK, BOLD, PLAIN, SANS, in_box, paragraph, rows, texts, width_of

SHRINK = Options(shrink=True, min_size=1.5)
FOX = "the quick brown fox jumps over the lazy dog and then sleeps for the rest of the day"


def words(widths: list[float], space: float = 1.0) -> Segment:
    """A segment of words of these widths."""
    starts: list[float] = []
    ends: list[float] = []
    x = 0.0
    for width in widths:
        starts.append(x)
        ends.append(x + width)
        x += width + space
    items: list[tuple[Style, Item]] = [(PLAIN, SANS.word("x")), (PLAIN, SANS.word(" "))] * len(widths)
    bounds = ([2 * place for place in range(len(widths))], [2 * place + 1 for place in range(len(widths))])
    return Segment(starts, ends, items, bounds, set(), None, {3.0: PLAIN}, PLAIN, 0.0, 0.0)


def slacks(segment: Segment, breaks: list[int], width: float) -> list[float]:
    starts = [0, *breaks[:-1]]
    return [width - segment.ends[end - 1] + segment.starts[start] for start, end in zip(starts, breaks)]


def all_breaks(segment: Segment, count: int, lines: int, width: float) -> list[list[int]]:
    """Every way to break so many words into so many lines that fit."""
    return [
        [*inner, count]
        for inner in combinations(range(1, count), lines - 1)
        if min(slacks(segment, [*inner, count], width)) >= 0
    ]


def cost(segment: Segment, breaks: list[int], width: float) -> float:
    """What the breaks should minimise: squared slack of all lines but the last, and a quarter of the
    width squared for a last line of one word shorter than a third of the width."""
    *before, last = slacks(segment, breaks, width)
    alone = len(breaks) > 1 and breaks[-1] - breaks[-2] == 1 and width - last < width / 3
    return sum(slack**2 for slack in before) + alone * width**2 / 4


@given(st.lists(st.integers(1, 9), min_size=1, max_size=11), st.integers(9, 30))
def test_breaks_are_the_best_of_all_with_the_fewest_lines(widths: list[int], width: int) -> None:
    segment = words([float(each) for each in widths])
    first = first_fit(segment, width)
    assert first is not None
    count = len(widths)
    possible = all_breaks(segment, count, len(first), width)
    assert len(first) == 1 or not all_breaks(segment, count, len(first) - 1, width)
    found = even_breaks(segment, width, first)
    assert found in possible
    assert cost(segment, found, width) == pytest.approx(
        min(cost(segment, each, width) for each in possible)
    )


@given(
    st.lists(st.integers(1, 9), min_size=2, max_size=10), st.integers(9, 24), st.booleans(), st.booleans()
)
def test_a_last_line_is_long_enough_where_it_can_be(
    widths: list[int], width: int, justified: bool, half: bool
) -> None:
    """In as many lines, whatever that does to the others; and where it can't be, nothing is changed."""
    segment, least = words([float(each) for each in widths]), 0.5 if half else 0.3
    first = first_fit(segment, width)
    assert first is not None
    count = len(widths)
    possible = all_breaks(segment, count, len(first), width)
    good = [each for each in possible if width - slacks(segment, each, width)[-1] >= least * width]
    spaces = (1.0, 1.5) if justified else None
    plain = even_breaks(segment, width, first, spaces)
    found = even_breaks(segment, width, first, spaces, least)
    assert found in (good if good and len(first) > 1 else possible)
    if plain in good or not good:
        assert found == plain
    elif not justified:
        before = [sum(slack**2 for slack in slacks(segment, each, width)[:-1]) for each in (found, *good)]
        assert before[0] <= min(before) + width**2 / 4


def test_a_chunk_too_wide_for_the_line_has_no_fit() -> None:
    assert first_fit(words([3.0, 9.0, 2.0]), 8.0) is None
    assert first_fit(words([3.0, 9.0, 2.0]), 9.0) == [1, 2, 3]


def test_lines_are_evened_out_rather_than_filled() -> None:
    segment = words([4.0, 4.0, 4.0, 7.0, 2.0, 9.0, 9.0])
    assert first_fit(segment, 14.0) == [3, 5, 6, 7]
    assert even_breaks(segment, 14.0, [3, 5, 6, 7]) == [2, 4, 6, 7]
    equal = words([4.0] * 8)
    assert even_breaks(equal, 14.0, [3, 6, 8]) == [3, 6, 8]


def test_a_last_line_of_one_short_word_is_avoided_where_it_costs_no_line() -> None:
    width = width_of("Choose") + width_of("another") + 2 * width_of(" ") + width_of("card") + 0.5
    assert rows(in_box(width, 50, "Choose another card or")) == ["Choose another", "card or"]
    # Longer words may stand alone, and one more line is not spent.
    assert rows(in_box(width, 50, "Choose another card immediately")) == [
        "Choose another card",
        "immediately",
    ]
    assert rows(in_box(width_of("immediately") + 0.1, 50, "immediately or")) == ["immediately", "or"]


def test_justified_text_keeps_its_short_last_word_when_spaces_would_get_too_wide() -> None:
    width = width_of("Choose") + width_of("another") + 2 * width_of(" ") + width_of("card") + 0.5
    composed = in_box(width, 50, "Choose another card or", options=Options(align="justify"))
    assert rows(composed) == ["Choose another card", "or"]


def test_text_that_fits_is_not_shrunk() -> None:
    composed = in_box(40, 40, FOX, options=SHRINK)
    assert composed.size == 3.0
    assert composed.overflow is None


def test_height_makes_text_shrink() -> None:
    composed = in_box(40, 9, FOX, options=SHRINK)
    assert 1.5 < composed.size < 3.0
    assert composed.overflow is None
    larger = Options(size=composed.size + 0.01)
    style = Style(SANS, composed.size + 0.01, BLACK)
    assert in_box(40, 9, paragraph(Span(FOX, style)), options=larger).overflow is not None


def test_width_makes_text_shrink() -> None:
    width = width_of("Transmogrification") * 0.8
    composed = in_box(width, 50, "a Transmogrification b", options=SHRINK)
    assert composed.size == pytest.approx(2.4, abs=0.0101)
    assert composed.size <= 2.4
    assert composed.overflow is None


@for_each("height", [5.0, 7.3, 11.1, 13.9])
def test_sizes_come_from_the_grid(height: float) -> None:
    size = in_box(40, height, FOX, options=Options(shrink=True, min_size=0.5, step=0.05)).size
    assert size / 0.05 == pytest.approx(round(size / 0.05))


def test_the_least_size_itself_is_tried() -> None:
    least = 1.737
    style = Style(SANS, least, BLACK)
    natural = width_of("Transmogrification", style)
    options = Options(shrink=True, min_size=least)
    composed = in_box(natural + 1e-6, 50, "Transmogrification", options=options)
    assert (composed.size, composed.overflow) == (least, None)


def test_all_sizes_shrink_together() -> None:
    big = Style(BOLD, 6.0, BLACK)
    composed = in_box(30, 12, paragraph(FOX, Span(" loud", big)), options=Options(shrink=True, size=3.0))
    sizes = {run.font: run.size for run in composed.runs if hasattr(run, "font")}
    assert composed.size < 3.0
    assert sizes[SANS.key] == pytest.approx(composed.size)
    assert sizes[BOLD.key] == pytest.approx(composed.size * 2)


def test_text_that_does_not_fit_is_named() -> None:
    composed = in_box(20, 7.5, "one two three four five six seven eight nine", options=Options())
    assert rows(composed) == ["one two three", "four five six", "seven eight", "nine"]
    assert composed.overflow is not None
    assert "".join(run.text for run in texts(composed)[: composed.overflow.fitting]).endswith("six")
    assert composed.overflow.words == ("seven", "eight", "nine")
    assert composed.overflow.size == 3.0


def test_a_word_too_wide_for_the_box_is_named() -> None:
    composed = in_box(
        15,
        50,
        paragraph("a Transmogrification of ", ":coin:", "s"),
        options=Options(shrink=True, min_size=2.9),
    )
    assert rows(composed) == ["a", "Transmogrification", "of :coin:s"]
    assert composed.overflow is not None
    assert composed.overflow.words == ("Transmogrification",)
    assert composed.overflow.size == 2.9


def test_the_rest_after_a_full_box_is_lost_across_paragraphs() -> None:
    composed = in_box(30, 4.0, "first", paragraph("second", HardBreak(), "third"), paragraph(":coin:"))
    assert composed.overflow is not None
    assert composed.overflow.fitting == 1
    assert composed.overflow.text == "second third :coin:"


def test_a_box_without_room_loses_everything() -> None:
    composed = in_box(0, 0, "some words")
    assert composed.overflow is not None
    assert composed.overflow.fitting == 0
    assert composed.overflow.words == ("some", "words")


def test_hyphens_make_text_larger() -> None:
    text = "Immediately reconsider incomprehensible undertakings"
    plain = in_box(18, 12, text, options=SHRINK)
    hyphenated = in_box(
        18, 12, text, options=Options(shrink=True, min_size=1.5, words=word_rules("en", hyphens=True))
    )
    assert hyphenated.size > plain.size
    assert any(row.endswith("-") for row in rows(hyphenated))


def test_no_hyphen_where_there_is_room_without() -> None:
    text = "Immediately reconsider our incomprehensible undertakings"
    width = width_of("incomprehensible") + 0.5
    assert rows(in_box(width, 50, text, options=Options(words=word_rules("en", hyphens=True)))) == [
        "Immediately",
        "reconsider our",
        "incomprehensible",
        "undertakings",
    ]


def hyphens_in_a_row() -> int:
    """The most that long words in boxes of any width come to."""
    text = "we took incomprehensible responsibilities notwithstanding organisational undertakings of all "
    longest = 0
    for align in ("start", "justify"):
        options = Options(align=align, words=word_rules("en", hyphens=True))
        for width in range(26, 60, 2):
            ends = "".join(row[-1] for row in rows(in_box(width, 300, text * 3, options=options)))
            longest = max(longest, *(len(part) for part in re.findall("-*", ends)))
    return longest


def test_no_more_than_two_lines_in_a_row_end_in_a_hyphen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert hyphens_in_a_row() == 2
    monkeypatch.setattr(fitting, "_HYPHENS_IN_A_ROW", 99)
    assert hyphens_in_a_row() > 2


def test_a_line_that_cannot_end_otherwise_ends_in_a_hyphen() -> None:
    options = Options(words=word_rules("en", hyphens=True))
    narrow = width_of("compre-") + 0.1
    lines = rows(in_box(narrow, 90, "incomprehensibilities", options=options))
    assert [line[-1] for line in lines[:-1]] == ["-"] * (len(lines) - 1)
    assert len(lines) > 3


def test_justified_lines_have_even_spaces() -> None:
    text = "a b c d e f undertakings go in it of a responsibility we all take on as one and as others do"
    (segment,) = measure([paragraph(text)], word_rules(), {})
    unevenness = {True: 0.0, False: 0.0}
    for width in range(30, 70):
        first = first_fit(segment, width)
        assert first is not None
        for justified in unevenness:
            start = 0
            for end in even_breaks(segment, width, first, (1.0, 1.5) if justified else None)[:-1]:
                slack = width - segment.ends[end - 1] + segment.starts[start]
                unevenness[justified] += (slack / max(end - start - 1, 0.5)) ** 2
                start = end
    assert unevenness[True] < 0.9 * unevenness[False]


@given(st.lists(st.integers(2, 9), min_size=2, max_size=11), st.integers(12, 30))
def test_justified_breaks_have_the_least_demerits(widths: list[int], width: int) -> None:
    segment, spaces = words([float(each) for each in widths]), (0.5, 2.0)
    first = first_fit(segment, width, least=spaces[0])
    assert first is not None

    def demerits(breaks: Sequence[int]) -> float:
        """By the book: a space is 1 wide, and 0.5 less or 1 more are its limits."""
        total, start = 0.0, 0
        for number, end in enumerate(breaks):
            spaces = end - start - 1
            slack = width - sum(widths[start:end]) - spaces
            if slack < -0.5 * spaces:
                return math.inf
            is_last = number == len(breaks) - 1
            if slack < 0 or not is_last:
                part = slack / (spaces or 0.5) if slack >= 0 else -slack / (0.5 * spaces)
                total += (1 + 100 * part**3) ** 2
            elif width - slack < width / 5 or (not spaces and width - slack < width / 3):
                total += 500**2
            start = end
        return total

    count = len(widths)
    lines = len(first)
    possible = [[*inner, count] for inner in combinations(range(1, count), lines - 1)]
    found = even_breaks(segment, width, first, spaces)
    assert len(found) == lines
    if lines > 1:
        assert demerits(found) == pytest.approx(min(map(demerits, possible)))


def test_spaces_shrink_within_their_limits_and_stretch_beyond_them_only_without_a_choice() -> None:
    text = " ".join([FOX] * 6)
    shares: list[float] = []
    loose = 0
    for width in range(40, 110, 2):
        options = Options(align="justify", spaces=(0.8, 1.4))
        composed = in_box(width, 200, text, options=options)
        lines = {run.y: run for run in composed.runs if isinstance(run, TextRun)}
        own = [1 + gap * run.size / width_of(" ") for run in lines.values() for gap in run.gaps]
        shares += [share for share in own if share != 1]
        assert (composed.loose is not None) == (max(own) > 1.4 + 1e-6)
        loose += composed.loose is not None
        for run in lines.values():
            assert run.x + run.advance <= 5 + width + 1e-6
    assert 0.8 - 1e-6 <= min(shares) < 0.85
    assert 0 < loose < 30


def test_spaces_that_must_not_shrink_do_not() -> None:
    options = Options(align="justify", spaces=(1.0, 1.4))
    for width in range(24, 60, 4):
        runs = in_box(width, 200, " ".join([FOX] * 6), options=options).runs
        assert min(gap for run in runs if isinstance(run, TextRun) for gap in (0.0, *run.gaps)) >= 0


def test_shrunk_spaces_make_room_for_larger_type() -> None:
    def size(spaces: tuple[float, float]) -> float:
        options = replace(SHRINK, align="justify", spaces=spaces)
        return in_box(31, 14, " ".join([FOX] * 3), options=options).size

    assert size((0.5, 1.5)) > size((1.0, 1.5))


def test_justified_text_has_few_stubs_of_last_lines_if_asked() -> None:
    text = "we choose one more card and take it to us or go"
    stubs = {0.0: 0, 0.2: 0}
    for width in range(20, 60):
        for least in stubs:
            options = Options(align="justify", last_line=least)
            stubs[least] += width_of(rows(in_box(width, 50, text, options=options))[-1]) < width / 5
    assert stubs[0.2] <= 2 < stubs[0.0] < 12


# -- no larger than others


@given(st.integers(8, 60), st.integers(3, 30), st.integers(0, 30), st.sampled_from([(), (2.5, 2.0, 1.6)]))
def test_the_size_can_be_told_without_setting_the_text(
    width: int, height: int, count: int, steps: tuple[float, ...]
) -> None:
    options = Options(shrink=True, min_size=None if steps else 1.6, steps=steps, size=3.0)
    text = [paragraph(" ".join(FOX.split()[:count])), paragraph("and more")][: 1 + count % 2]
    found = size_of(text, Rect(5, 7, width, height), options)
    made = in_box(width, height, *text, options=options)
    expected = (made.size, made.overflow is None)
    assert found == (expected if made.runs or made.overflow is not None else None)


def test_a_text_that_is_held_is_no_larger_and_shrinks_on_from_there() -> None:
    free = in_box(40, 9, FOX, options=SHRINK).size
    assert 2.0 < free < 2.9
    for most, size in ((3.5, free), (2.9, free), (free, free), (2.0, 2.0), (1.0, 1.5)):
        held = replace(SHRINK, size=3.0).held(most)
        composed = in_box(40, 9, FOX, options=held)
        assert (composed.size, composed.overflow) == (pytest.approx(size), None)
        assert {run.size for run in composed.runs} == {composed.size}
        line = set_line([Span("one", PLAIN)], 0, 0, "start", 40, held)
        assert line.size == pytest.approx(max(1.5, min(3.0, most)))
        assert line.box.width == pytest.approx(width_of("one") * line.size / 3)


@for_each(("most", "size"), [(3.1, 3.0), (2.9, 2.5), (2.5, 2.5), (2.2, 1.5), (1.0, 1.5)])
def test_a_text_that_is_held_takes_one_of_its_own_steps(most: float, size: float) -> None:
    held = Options(shrink=True, steps=(2.5, 1.5), size=3.0).held(most)
    assert in_box(60, 60, FOX, options=held).size == pytest.approx(size)
    assert in_box(21, 5, FOX, options=held).overflow is not None
    narrow = set_line([Span("one two", PLAIN)], 0, 0, "start", width_of("one two") * 0.6, held)
    assert (narrow.size, narrow.overflow) == (1.5, None)


def test_a_text_that_never_shrinks_is_not_held() -> None:
    assert Options(size=3.0).held(2.0) == Options(size=3.0)


def test_last_line_is_as_deep_as_its_own_type() -> None:
    """A line of 6 mm above one of 3 mm, whose baseline is 0.375 mm above its foot."""
    large = replace(PLAIN, size=6.0)
    segment = replace(
        words([9, 9]), sizes=[6.0, 3.0], leads={6.0: large, 3.0: PLAIN}, lead=large, depth=1.5
    )
    height, over = fitting.extent([segment], [[1, 2]], 1.0)
    assert (height, over) == (pytest.approx(6 + 3 - 0.375 + 1.5), 0)
