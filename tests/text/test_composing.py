"""Where everything ends up."""

from __future__ import annotations

import pytest

from cardgen.core.artwork import IconRun
from cardgen.core.geometry import Rect
from cardgen.text.line_ends import word_rules
from cardgen.text.setting import compose, set_line
from cardgen.text.spans import HardBreak, IconSpan, Options, Span, Style
from tests.for_each import for_each

from .texts import (
    BEBAS,
    BLACK,
    ITALIC,
    PLAIN,
    RED,
    SANS,
    STRONG,
    icons,
    in_box,
    paragraph,
    rows,
    texts,
    width_of,
)

ASCENT, DESCENT, CAP = SANS.ascent, SANS.descent, SANS.cap_height
TALL = Options(line_height=1.4)


# -- lines and baselines


def test_the_first_baseline_is_half_the_leading_and_the_ascent_down() -> None:
    (run,) = texts(in_box(40, 40, "One line", options=TALL))
    half_leading = (1.4 - (ASCENT + DESCENT)) / 2
    assert run.y == pytest.approx(7 + (half_leading + ASCENT) * 3)
    assert run.x == 5


def test_baselines_are_line_height_apart() -> None:
    composed = in_box(
        40, 40, paragraph("One", HardBreak(), "Two", HardBreak(), HardBreak(), "Four"), options=TALL
    )
    ys = [run.y for run in texts(composed)]
    assert [y - ys[0] for y in ys] == pytest.approx([0, 1.4 * 3, 3 * 1.4 * 3])
    assert composed.lines == 4


def test_tight_text_stays_in_its_box() -> None:
    (run,) = texts(in_box(40, 40, "One", options=Options(line_height=0.5)))
    assert run.y == pytest.approx(7 + SANS.rise * 3)
    (run,) = texts(in_box(40, 40, "One", options=Options(line_height=0.5, valign="bottom")))
    assert run.y == pytest.approx(47 - SANS.depth * 3)


def test_a_larger_size_makes_its_line_higher() -> None:
    big = Style(SANS, 6.0, BLACK)
    composed = in_box(60, 40, paragraph("a ", Span("BIG", big), HardBreak(), "small"))
    first, loud, second = texts(composed)
    assert first.y == loud.y == pytest.approx(7 + (1.2 + ASCENT - DESCENT) / 2 * 6)
    below_first = 6 * (1.2 - ASCENT + DESCENT) / 2
    above_second = 3 * (1.2 + ASCENT - DESCENT) / 2
    assert second.y - first.y == pytest.approx(below_first + above_second)


def test_baseline_shift_raises() -> None:
    raised = Style(SANS, 1.8, BLACK, baseline_shift=0.5)
    base, above = texts(in_box(40, 40, paragraph("x", Span("2", raised))))
    assert above.y == pytest.approx(base.y - 0.9)
    assert above.x == pytest.approx(base.x + width_of("x"))


def test_space_before_a_paragraph_but_not_before_the_first() -> None:
    composed = in_box(40, 40, paragraph("One", space_before=2.0), paragraph("Two", space_before=0.5))
    one, two = texts(composed)
    assert one.y == texts(in_box(40, 40, "One"))[0].y
    assert two.y - one.y == pytest.approx((1.2 + 0.5) * 3)


def test_the_covered_box_is_what_the_letters_and_icons_reach() -> None:
    composed = in_box(40, 40, paragraph("One", HardBreak(), "longer"))
    first, last = texts(composed)
    assert composed.box.y == pytest.approx(first.y - SANS.rise * 3)
    assert composed.box.bottom == pytest.approx(last.y + SANS.depth * 3)
    assert (composed.box.x, composed.box.width) == pytest.approx((5, width_of("longer")))


# -- vertical alignment


def test_bottom_puts_the_last_line_box_on_the_edge() -> None:
    (run,) = texts(in_box(40, 40, "One", options=Options(line_height=1.4, valign="bottom")))
    assert run.y == pytest.approx(47 - (1.4 - ASCENT + DESCENT) / 2 * 3)


@for_each("text", ["One", "One two three four five six seven eight nine ten"])
def test_middle_centres_from_the_capitals_to_the_last_baseline(text: str) -> None:
    composed = in_box(25, 40, text, options=Options(valign="middle"))
    ys = [run.y for run in texts(composed)]
    assert (min(ys) - CAP * 3 + max(ys)) / 2 == pytest.approx(7 + 20)


def test_middle_does_not_leave_the_box() -> None:
    style = Style(SANS, 3.0, BLACK)
    for height in (3.6, 3.7, 4.0):
        composed = in_box(40, height, paragraph(Span("gjpÅ", style)), options=Options(valign="middle"))
        assert composed.overflow is None
        assert Rect(5, 7, 40, height).contains(composed.box)


# -- horizontal alignment


@for_each(("align", "share"), [("start", 0.0), ("center", 0.5), ("end", 1.0)])
def test_alignment(align: str, share: float) -> None:
    composed = in_box(40, 40, "One two", options=Options(align=align))  # type: ignore[arg-type]
    (run,) = texts(composed)
    assert run.x == pytest.approx(5 + (40 - run.advance) * share)
    assert composed.box.x == pytest.approx(run.x)


LONG = "the quick brown fox jumps over the lazy dog and then sleeps for the rest of the day"


def test_justified_lines_end_exactly_at_the_right_edge() -> None:
    parts = paragraph(
        "the quick ", Span("brown fox", STRONG), " jumps ", ":coin:", " over the lazy dog and so on"
    )
    composed = in_box(24, 60, parts, options=Options(align="justify"))
    ends: dict[float, float] = {}
    for run in texts(composed):
        assert len(run.gaps) in (0, len(run.words))
        assert all(gap == 0 or word.text == " " for gap, word in zip(run.gaps, run.words))
        ends[run.y] = max(ends.get(run.y, 0), run.x + run.advance)
    *full, last = (ends[y] for y in sorted(ends))
    assert len(full) >= 2
    assert full == pytest.approx([29] * len(full), abs=1e-6)
    assert last < 29


def test_justified_spaces_are_equally_wide_whatever_their_style() -> None:
    big = Style(SANS, 4.0, BLACK)
    parts = paragraph("aaa bbb", Span(" ccc ddd", big), " Transmogrification")
    composed = in_box(width_of("Transmogrification") + 2, 60, parts, options=Options(align="justify"))
    added = [gap * run.size for run in texts(composed) for gap in run.gaps if gap]
    assert len(added) == 3
    assert added == pytest.approx([added[0]] * 3)


def test_the_last_line_and_lines_before_hard_breaks_are_not_justified() -> None:
    composed = in_box(24, 60, paragraph("a b", HardBreak(), "c d"), options=Options(align="justify"))
    assert [run.gaps for run in texts(composed)] == [(), ()]


def test_a_line_of_one_word_cannot_be_justified() -> None:
    composed = in_box(width_of("Transmogrification") + 1, 60, "Transmogrification Transmogrification")
    assert [run.x for run in texts(composed)] == [5, 5]


# -- spaces and breaks


@for_each("text", ["one two", "  one   two ", "\n\tone\n  two\n", "one\r\ntwo"])
def test_white_space_collapses(text: str) -> None:
    (run,) = texts(in_box(40, 40, text))
    assert run.text == "one two"
    assert run.x == 5


def test_white_space_collapses_across_spans() -> None:
    composed = in_box(40, 40, paragraph("one ", Span(" two ", STRONG), " three"))
    assert [run.text for run in texts(composed)] == ["one ", "two ", "three"]


def test_spaces_at_line_ends_take_no_room() -> None:
    width = width_of("one") + width_of(" ") / 2
    composed = in_box(width, 40, "one one ", options=Options(align="end"))
    assert rows(composed) == ["one", "one"]
    assert composed.overflow is None
    assert [run.x + run.advance for run in texts(composed)] == pytest.approx([5 + width] * 2)


def test_a_no_break_space_does_not_break() -> None:
    width = width_of("about") + width_of(" ") + width_of("10") + 0.1
    assert rows(in_box(width, 40, "about 10\u00a0km")) == ["about", "10\u00a0km"]


def test_a_soft_hyphen_shows_only_where_it_breaks() -> None:
    assert rows(in_box(40, 40, "soft\u00adware")) == ["software"]
    assert rows(in_box(width_of("software") - 0.1, 40, "soft\u00adware")) == ["soft-", "ware"]
    two = paragraph("soft\u00ad", Span("ware", STRONG))
    assert rows(in_box(40, 40, two)) == ["software"]
    assert rows(in_box(width_of("software") - 0.5, 40, two)) == ["soft-", "ware"]


def test_an_unused_break_does_not_disturb_kerning_or_ligatures() -> None:
    plain = in_box(40, 40, "AVATAR office")
    soft = in_box(40, 40, "AVA\u00adTAR of\u00adf\u00adice")
    assert [run.advance for run in texts(soft)] == [run.advance for run in texts(plain)]
    assert rows(soft) == rows(plain)


def test_styles_within_a_word_do_not_part_it() -> None:
    width = width_of("stop") + width_of(" ") + width_of("un") + 0.1
    composed = in_box(width, 40, paragraph("stop un", Span("stop", STRONG), "pable"))
    assert rows(composed)[0] == "stop"
    unbroken = in_box(60, 40, paragraph("un", Span("stop", STRONG), "pable"))
    first, second, third = texts(unbroken)
    assert second.x == pytest.approx(first.x + first.advance)
    assert third.x == pytest.approx(second.x + second.advance)


def test_equal_styles_share_a_run_and_others_do_not() -> None:
    same = Style(SANS, 3.0, BLACK)
    composed = in_box(60, 40, paragraph("a ", Span("b ", same), Span("c ", Style(SANS, 3.0, RED)), "d"))
    assert [(run.text, run.fill) for run in texts(composed)] == [("a b ", BLACK), ("c ", RED), ("d", BLACK)]


def test_hard_breaks() -> None:
    assert rows(in_box(40, 40, paragraph("a", HardBreak(), "b", HardBreak()))) == ["a", "b"]
    assert in_box(40, 40, paragraph("a", HardBreak(), "b", HardBreak())).lines == 2
    assert in_box(40, 40, paragraph("a", HardBreak(), HardBreak(), "b")).lines == 3


@for_each("parts", [(), ("",), ("  \n",), (HardBreak(),), (HardBreak(), "  ")])
def test_nothing_takes_no_room(parts: tuple[str | HardBreak, ...]) -> None:
    composed = in_box(40, 40, paragraph(*parts), paragraph("One", space_before=3))
    assert composed.lines == 1
    assert texts(composed)[0].y == texts(in_box(40, 40, "One"))[0].y
    assert in_box(40, 40, paragraph(*parts)).runs == ()


def test_unseen_characters_alone() -> None:
    assert in_box(40, 40, "\u200b \u2060 \u00ad").runs == ()
    assert rows(in_box(40, 40, "\u200b a \u2060 b")) == ["a b"]


# -- icons


def test_a_large_icon_makes_its_line_higher_where_it_is_higher_than_a_line() -> None:
    def baselines(size: float) -> list[float]:
        icon = IconSpan("coin", PLAIN, size)
        return [
            run.y for run in texts(in_box(60, 60, paragraph("a", HardBreak(), "b", icon, HardBreak(), "c")))
        ]

    plain = baselines(1.0)
    assert baselines(1.4) == plain
    large = baselines(2.0)
    assert large[0] == plain[0]
    assert large[2] - large[0] == pytest.approx((plain[2] - plain[0]) * (1 + 2 / 1.4) / 2)


def test_a_large_icon_at_the_edge_stays_in_the_box() -> None:
    (icon,) = icons(in_box(40, 40, paragraph(IconSpan("coin", PLAIN, 2.0))))
    assert icon.y >= 7
    low = in_box(40, 40, paragraph("a", IconSpan("coin", PLAIN, 2.0)), options=Options(valign="bottom"))
    (icon,) = icons(low)
    assert icon.y + icon.size <= 47 + 1e-6


def test_a_wide_icon_fills_its_line() -> None:
    wide = IconSpan("coin", PLAIN, aspect=4.0)
    composed = in_box(20, 40, paragraph(wide, " ", wide))
    assert [round(icon.x, 6) for icon in icons(composed)] == [5, 5]
    assert composed.box.width == pytest.approx(12.0)


def icon_at(composed_icon: IconRun) -> tuple[float, float]:
    return composed_icon.x, composed_icon.y + composed_icon.size / 2


def test_an_icon_is_centred_on_half_the_cap_height() -> None:
    composed = in_box(40, 40, paragraph("2", ":coin:", " more"))
    two, more = texts(composed)
    (icon,) = icons(composed)
    assert icon.size == 3.0
    assert icon_at(icon) == pytest.approx((5 + width_of("2"), two.y - CAP * 3 / 2))
    assert more.x == pytest.approx(icon.x + 3.0)
    assert more.text == " more"


def test_icons_first_last_and_alone() -> None:
    first, last = icons(in_box(40, 40, paragraph(":coin:", " for ", ":card:")))
    assert first.x == 5
    assert last.x == pytest.approx(5 + 3 + width_of("for") + 2 * width_of(" "))
    alone = in_box(40, 40, paragraph(":coin:"), options=Options(align="end"))
    assert alone.lines == 1
    assert icons(alone)[0].x == pytest.approx(45 - 3)
    assert (alone.box.x, alone.box.y) == pytest.approx((42, icons(alone)[0].y))
    assert (alone.box.width, alone.box.height) == pytest.approx((3, 3))


def test_an_icon_takes_its_colour_and_its_size_from_its_style() -> None:
    (icon,) = icons(in_box(40, 40, paragraph(IconSpan("coin", Style(BEBAS, 5.0, RED)))))
    assert (icon.icon, icon.size, icon.fill) == ("coin", 5.0, RED)
    assert icon.y + 2.5 == pytest.approx(7 + (1.2 + 0.75 - 0.25) / 2 * 5 - 0.35 * 5)


def test_icons_hold_on_to_punctuation_and_numbers() -> None:
    width = width_of("Gain") + width_of(" ") + width_of("2") + 3 + 0.1
    composed = in_box(width, 40, paragraph("Gain 2", ":coin:", "."))
    assert rows(composed) == ["Gain", "2:coin:."]


def test_a_row_of_icons_may_be_broken() -> None:
    composed = in_box(9.5, 40, paragraph(*[":coin:"] * 7))
    assert composed.overflow is None
    assert [row.count(":coin:") for row in rows(composed)] == [3, 2, 2]


# -- bullets


def test_a_bullet_stands_in_the_indent() -> None:
    composed = in_box(20, 40, paragraph("one two three four", bullet="•", indent=1.5))
    bullet, first, second = texts(composed)
    assert (bullet.text, bullet.x) == ("•", 5)
    assert bullet.y == first.y
    assert first.x == second.x == pytest.approx(5 + 1.5 * 3)


def test_a_bullet_makes_the_room_that_it_needs() -> None:
    bullet, text = texts(in_box(40, 40, paragraph("one", bullet="10.", indent=0.1)))
    assert text.x > bullet.x + bullet.advance


def test_a_bullet_hangs_before_its_text() -> None:
    bullet, text = texts(in_box(40, 40, paragraph("one", bullet="•", indent=4, hang=1.5)))
    assert text.x == pytest.approx(5 + 4 * 3)
    assert bullet.x == pytest.approx(text.x - 1.5 * 3)


def test_an_indent_without_a_bullet_moves_all_lines() -> None:
    composed = in_box(20, 40, paragraph("one two three", HardBreak(), "four", indent=2))
    assert {run.x for run in texts(composed)} == {11.0}


def test_indents_shrink_with_the_text() -> None:
    composed = in_box(
        20, 3, paragraph("one two three", bullet="•", indent=1.5), options=Options(shrink=True)
    )
    bullet, text = texts(composed)
    assert text.x - bullet.x == pytest.approx(1.5 * composed.size)


# -- letter spacing


def test_spaced_letters_are_centred_without_the_last_space() -> None:
    spaced = Style(SANS, 3.0, BLACK, spacing=0.2)
    composed = in_box(40, 40, paragraph(Span("TITLE", spaced)), options=Options(align="end"))
    (run,) = texts(composed)
    assert run.x + run.advance == pytest.approx(45)
    assert run.advance == pytest.approx((SANS.word("TITLE", 0.2).advance - 0.2) * 3)


# -- what the caller has to report


def test_missing_characters_are_named_by_font() -> None:
    composed = in_box(40, 40, paragraph("a 日 b 🙂 ", Span("日", STRONG), bullet="漢"))
    assert composed.missing == (("IBMPlexSans-Bold", "日"), ("IBMPlexSans-Regular", "日🙂漢"))
    assert in_box(40, 40, "all there").missing == ()


def test_missing_characters_are_named_even_where_they_do_not_fit() -> None:
    composed = in_box(40, 3.7, paragraph("one", HardBreak(), "日"))
    assert composed.overflow is not None
    assert composed.missing == (("IBMPlexSans-Regular", "日"),)


def test_chinese_breaks_between_characters() -> None:
    composed = in_box(SANS.word("日").advance * 3 * 4.5, 40, "日本語日本語日本語")
    assert rows(composed) == ["日本語日", "本語日", "本語"]


def test_composing_twice_gives_the_same() -> None:
    parts = [paragraph(LONG, ":coin:", Span(" and", STRONG))]
    options = Options(shrink=True, align="justify", words=word_rules("en", hyphens=True))
    box = Rect(0, 0, 21, 14)
    assert compose(parts, box, options) == compose(parts, box, options)


# -- one line


@for_each(("anchor", "share"), [("start", 0.0), ("middle", 0.5), ("end", 1.0)])
def test_a_line_stands_at_its_anchor(anchor: str, share: float) -> None:
    composed = set_line([Span(" Draw 2 ", PLAIN), IconSpan("card", PLAIN)], 20, 30, anchor)  # type: ignore[arg-type]
    (run,), (icon,) = texts(composed), icons(composed)
    width = run.advance + 3
    assert run.y == 30
    assert run.text == "Draw 2 "
    assert run.x == pytest.approx(20 - width * share)
    assert icon.x == pytest.approx(run.x + run.advance)
    assert (composed.box.x, composed.box.width) == pytest.approx((run.x, width))
    assert composed.box.bottom == pytest.approx(30 + SANS.depth * 3)
    assert (composed.lines, composed.size) == (1, 3.0)


def test_spaced_letters_are_anchored_without_the_last_space() -> None:
    spaced = Style(ITALIC, 3.0, BLACK, spacing=0.2)
    (run,) = texts(set_line([Span("TITLE", spaced)], 20, 30, "middle"))
    assert run.x + run.advance / 2 == pytest.approx(20)


def test_a_line_is_shrunk_to_its_width() -> None:
    natural = width_of("Transmogrification")
    options = Options(shrink=True, min_size=1.0)
    composed = set_line([Span("Transmogrification", PLAIN)], 0, 0, "middle", natural * 0.7, options)
    assert composed.size == pytest.approx(2.1, abs=0.0101)
    assert composed.box.width <= natural * 0.7 + 1e-6
    assert composed.overflow is None


def test_a_line_that_cannot_be_shrunk_overflows() -> None:
    width = width_of("one") + width_of(" ") + width_of("two") + 0.1
    composed = set_line([Span("one two three four", PLAIN)], 0, 0, "start", width)
    assert rows(composed) == ["one two three four"]
    assert composed.overflow is not None
    assert composed.overflow.words == ("three", "four")
    assert composed.overflow.room.width == width
    composed = set_line([Span("three", PLAIN)], 0, 0, "start", 1.0, Options(shrink=True, min_size=2.0))
    assert composed.size == 2.0
    assert composed.overflow is not None
    assert (composed.overflow.size, composed.overflow.text) == (2.0, "three")


def test_an_empty_line() -> None:
    assert set_line([Span("  ", PLAIN)], 3, 4).runs == ()
    assert set_line([], 3, 4).box == Rect(3, 4, 0, 0)
