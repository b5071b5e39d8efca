"""What is an icon in a text, and what only looks like one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.text.icon_marks import IconNames, IconShape, Mark, marks, read_mark
from cardgen.text.spans import IconSpan, Options, Paragraph, Span
from tests.for_each import for_each
from tests.wording import Wording

from .texts import HEBREW, PLAIN, SANS, icons, in_box, paragraph, texts

ICONS = IconNames(["coin", "sun", "two-moons", "d6"])
COIN, SUN = Mark("coin"), Mark("sun")


def read(text: str) -> list[str | Mark]:
    return list(marks(text, ICONS))


@for_each(
    ("text", "parts"),
    [
        ("gain 2 :coin: now", ["gain 2 ", COIN, " now"]),
        ("1:coin::", ["1", COIN, ":"]),
        ("X:coin:", ["X", COIN]),
        (":coin:ten", [COIN, "ten"]),
        ("a:coin:b:sun:c", ["a", COIN, "b", SUN, "c"]),
        (":coin::sun:", [COIN, SUN]),
        ("::coin::", [":", COIN, ":"]),
        ("é:two-moons:é", ["é", Mark("two-moons"), "é"]),
        ("2:d6:", ["2", Mark("d6")]),
        ("(:coin 3:)", ["(", Mark("coin", figure="3"), ")"]),
        ("4:coin +1:!", ["4", Mark("coin", figure="+1"), "!"]),
        (":coin X:", [Mark("coin", figure="X")]),
        (":coin@1.4:", [Mark("coin", 1.4)]),
        (":coin#c00:", [Mark("coin", fill=(0.8, 0, 0))]),
        (":coin#0000ff@0.5 10::sun:", [Mark("coin", 0.5, (0, 0, 1), "10"), SUN]),
        (":coin to: me", [":coin to: me"]),
        ("at 1:draw 2: or", ["at 1:draw 2: or"]),
        (":gold 2:", [Mark("gold", figure="2")]),
        ("word:coin:sun:", ["word", COIN, "sun:"]),
        (":coin\u00a03:", [Mark("coin", figure="3")]),
        (":coin\n  3:", [Mark("coin", figure="3")]),
        ("「:coin:」取:sun:个", ["「", COIN, "」取", SUN, "个"]),
        ("取:gold:个", ["取", Mark("gold"), "个"]),
        ("注：一:coin:", ["注：一", COIN]),
    ],
)
def test_the_name_of_an_icon_is_one_wherever_it_stands(text: str, parts: list[str | Mark]) -> None:
    assert read(text) == parts


@for_each(
    "text",
    [
        "12:30:45",
        "a:b",
        "Note: this",
        "std::vector::x",
        "Is :Nothing: or :Some-Thing: there",
        "Round one:draw:then",
        "::",
        ":",
        ": coin :",
        ":coin",
        "coin:",
        ":6:",
        ":-coin-:",
        ":co in:",
        "urn:uuid:",
        "注：note：这",
        "12：30：45",
    ],
)
def test_other_colons_are_text(text: str) -> None:
    assert "".join(map(str, read(text))) == text
    assert not any(isinstance(part, Mark) for part in read(text))


@for_each("text", ["取：coin：个", "：coin:", ":coin：", "：:coin：", "：cion：", "a:b：coin：c"])
def test_an_icon_between_wide_colons_is_said(text: str, wording: Wording) -> None:
    (meant,) = [part for part in read(text) if isinstance(part, Mark)]
    assert meant.wrong is not None
    wording(meant.wrong)
    assert f":{meant.name}:" in meant.wrong.hint


@for_each("text", ["X:cion:", "3:coi:", "take:coins:", "a:Coin:", "1:SUN:b", ":two_moons:"])
def test_what_is_nearly_a_name_is_meant_wherever_it_stands(text: str) -> None:
    (meant,) = [part for part in read(text) if isinstance(part, Mark)]
    assert meant.name not in ICONS


def test_a_name_that_stands_free_is_meant() -> None:
    assert read("gain :gold:, then") == ["gain ", Mark("gold"), ", then"]
    assert read("(:gold:)") == ["(", Mark("gold"), ")"]
    assert read("2:gold::coin::silver:") == ["2", Mark("gold"), COIN, Mark("silver")]
    assert read("again:gold:then") == ["again:gold:then"]
    assert read("それが:gold:なら、金:gold:을") == ["それが", Mark("gold"), "なら、金", Mark("gold"), "을"]
    assert read("в:gold:на") == ["в:gold:на"]


def test_a_figure_that_is_too_long_for_an_icon(wording: Wording) -> None:
    _, mark = read("gain :coin +123456:")
    assert isinstance(mark, Mark)
    assert mark.wrong is not None
    wording(mark.wrong, "+123456", ":coin +123456:")
    assert read("at :noon 1234567:") == ["at :noon 1234567:"]


def test_a_colon_may_be_meant() -> None:
    assert read(r"\:coin:") == [":coin:"]
    assert read(r"\:coin\:") == [":coin:"]
    assert read(r"a\:b") == ["a:b"]
    assert read(r"x\:\:y:coin:") == ["x::y", COIN]
    assert read(r"a\b") == [r"a\b"]


def test_the_second_colon_of_no_pair_may_begin_one() -> None:
    assert read("cost:three:coin:") == ["cost:three", COIN]


def test_names_of_three_letters_have_no_slips() -> None:
    assert not ICONS.is_slip("son")
    assert not ICONS.is_slip("d8")
    assert ICONS.is_slip("D6")
    assert not ICONS.is_slip("c" * 10_000)


SHAPES = {"coin": IconShape(1.0, (None,)), "sun": IconShape(), "two-moons": IconShape(4.0, ((1, 1, 0.8),))}
SHAPED = IconNames(
    SHAPES, lambda name, ground: SHAPES[name] if ground else SHAPES[name]._replace(grounds=())
)


def span(written: str) -> IconSpan:
    return SHAPED.span(read_mark(written), PLAIN)


def test_an_icon_has_the_width_and_height_that_are_asked_for() -> None:
    assert (span("sun").width, span("sun").height, span("sun").text) == (3, 3, ":sun:")
    assert (span("two-moons@0.5").width, span("two-moons@0.5").height) == (6, 1.5)
    assert span("sun#f00").fill == (1, 0, 0)
    assert span("nothing") == IconSpan("nothing", PLAIN)
    assert span("no icon at all").name == "no icon at all"


@for_each(
    ("written", "ink"),
    [
        ("coin 3", (1, 1, 1)),
        ("coin#ff0 3", (0, 0, 0)),
        ("sun 3", (0, 0, 0)),
        ("sun#f00 3", (1, 0, 0)),
        ("two-moons 3", (0, 0, 0)),
    ],
)
def test_a_figure_has_an_ink_that_is_read_on_its_icon(written: str, ink: tuple[float, ...]) -> None:
    figure = span(written).figure
    assert figure is not None
    assert (figure.text, figure.style.fill) == ("3", ink)


@for_each("written", ["coin 3", "coin@2 12", "coin@0.5 1/2", "two-moons 88888", "sun 1"])
def test_a_figure_fits_its_icon(written: str) -> None:
    icon = span(written)
    assert icon.figure is not None
    font, size = icon.figure.style.font, icon.figure.style.size
    wide, high = (
        font.word(icon.figure.text).advance * size / icon.width,
        font.cap_height * size / icon.height,
    )
    assert max(wide / 0.66, high / 0.56) == pytest.approx(1)


def test_a_figure_is_set_in_the_middle_of_its_icon() -> None:
    composed = in_box(40, 40, paragraph("a ", span("two-moons@1.4 12"), " b"))
    (icon,) = icons(composed)
    figure = next(run for run in texts(composed) if run.within == "two-moons")
    assert figure.x + figure.advance / 2 == pytest.approx(icon.x + icon.width / 2)
    middle = figure.y - SANS.cap_height * figure.size / 2
    assert middle == pytest.approx(icon.y + icon.size / 2)
    after = next(run for run in texts(composed) if "b" in run.text)
    assert after.x >= icon.x + icon.width - 1e-9


def test_a_figure_shrinks_with_its_text() -> None:
    words = paragraph("many words that do not fit in one line ", span("coin 12"))
    small = in_box(20, 6, words, options=Options(shrink=True))
    (icon,) = icons(small)
    figure = next(run for run in texts(small) if run.within)
    assert small.size < 3
    assert figure.advance == pytest.approx(0.66 * icon.size, abs=1e-6)


def test_a_letter_of_a_figure_that_the_font_lacks_is_missing() -> None:
    assert in_box(40, 40, paragraph("a", span("coin 漢"))).missing == ((SANS.key, "漢"),)


def test_a_figure_in_text_that_runs_right_to_left_is_read_left_to_right() -> None:
    style = replace(PLAIN, font=HEBREW)
    composed = in_box(40, 40, Paragraph([Span("אב ", style), SHAPED.span(read_mark("coin 12"), style)]))
    figure = next(run for run in texts(composed) if run.within)
    assert [HEBREW.word(digit).glyphs[0][0] for digit in "12"] == [
        glyph[0] for word in figure.words for glyph in sorted(word.glyphs, key=lambda glyph: glyph[1])
    ]


TEXT = st.text(r"aco:in\ 6sunS-", max_size=40)


@given(TEXT)
def test_nothing_is_lost_and_known_names_are_found(text: str) -> None:
    parts = read(text)
    assert all(parts)
    ends = {part: f" {part.figure}" if part.figure else "" for part in parts if isinstance(part, Mark)}
    written = "".join(part if isinstance(part, str) else f":{part.name}{ends[part]}:" for part in parts)
    assert written == text.replace(r"\:", ":")
    between = [part for part in parts if isinstance(part, str)]
    if "\\" not in text:
        assert not any(":coin:" in part or ":sun:" in part for part in between)


WISHES = st.lists(
    st.sampled_from([":", "coin", "@", "#", "1.4", ".5", "c00", "ff00", "x", " ", "3", "\\"]), max_size=12
)


@given(WISHES)
def test_sizes_and_colours_are_read_or_said_to_be_wrong(words: list[str]) -> None:
    text = "".join(words)
    for part in read(text):
        if isinstance(part, Mark):
            assert 0.5 <= part.size <= 2
            assert part.fill in (None, (0.8, 0, 0))
            assert part.wrong is None or part.wrong.written in text
        else:
            assert part in text.replace("\\:", ":")


def test_a_figure_that_the_font_lacks_comes_from_another() -> None:
    span = ICONS.span(Mark("coin", figure="♠"), PLAIN)
    assert span.figure is not None
    assert span.figure.style.font.key == "CardgenSymbols-Regular"
    assert in_box(20, 10, paragraph(span)).missing == ()
