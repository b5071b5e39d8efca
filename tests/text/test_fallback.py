"""Letters that a font lacks come from others: by cluster and on the same lines."""

from __future__ import annotations

import pytest

from cardgen.core.geometry import Rect
from cardgen.text.setting import compose, set_line
from cardgen.text.shaping import Font
from cardgen.text.spans import Composed, HardBreak, Paragraph, Span, Style, clusters, width_of
from tests.for_each import for_each
from tests.text.texts import (
    BEBAS,
    BLACK,
    BOLD,
    BOOK,
    HEBREW,
    PLAIN,
    SANS,
    in_box,
    rows,
    texts,
)
from tests.text.texts import (
    width_of as mm,
)

ALONE = Font(SANS.key, SANS.path)
"""The same font without others."""
WITH_HEBREW = ALONE.with_others(lambda: [HEBREW])
MIXED = Style(WITH_HEBREW, 3.0, BLACK)
SYMBOLS = "CardgenSymbols-Regular"


def runs(composed: Composed) -> list[tuple[str, str]]:
    return [(run.font, run.text) for run in texts(composed)]


def test_a_symbol_that_a_font_lacks_just_prints() -> None:
    composed = in_box(60, 10, "Discard ♠ or ♥.")
    assert composed.missing == ()
    assert runs(composed) == [
        (SANS.key, "Discard "),
        (SYMBOLS, "♠"),
        (SANS.key, " or "),
        (SYMBOLS, "♥"),
        (SANS.key, "."),
    ]
    assert [run.instead_of for run in texts(composed)] == [None, SANS.key, None, SANS.key, None]


def test_every_symbol_of_the_usual_ones_is_there() -> None:
    symbols = "♠♥♦♣♤♡♢♧★☆●○■□▲△▼▽◆◇←↑→↓↔⚀⚁⚂⚃⚄⚅✓✗☐☑∞≠≤≥−"
    for font in (BEBAS, BOLD):
        assert set_line([Span(symbols, Style(font, 3.0, BLACK))], 0, 0).missing == ()


def test_a_bold_text_has_bold_symbols() -> None:
    line = set_line([Span("♠", Style(BOLD, 3.0, BLACK))], 0, 0)
    assert runs(line) == [("CardgenSymbols-Bold", "♠")]


def test_lines_are_as_high_as_those_of_the_font_asked_for() -> None:
    tall = [Span("♠ ♥ and more", PLAIN)]
    plain = [Span("A B and more", PLAIN)]
    one, other = (compose([Paragraph(spans)], Rect(0, 0, 30, 30)) for spans in (tall, plain))
    assert texts(one)[0].y == texts(other)[0].y
    assert (one.box.y, one.box.height) == (other.box.y, other.box.height)
    blank = compose([Paragraph([HardBreak(), Span("♠", PLAIN)])], Rect(0, 0, 30, 30))
    assert texts(blank)[0].y == pytest.approx(texts(other)[0].y + 1.2 * 3.0)


def test_a_line_under_the_text_runs_on_under_letters_of_another_font() -> None:
    under = Style(SANS, 3.0, BLACK, lines=("underline",))
    bars = in_box(60, 10, Paragraph([Span("a♠b", under)])).bars
    assert len({(bar.area.y, bar.area.height) for bar in bars}) == 1
    assert len(bars) == 3


def test_words_of_two_fonts_break_where_words_do() -> None:
    assert rows(in_box(mm("Draw") + 5, 30, "Draw 2♠, ok")) == ["Draw", "2♠, ok"]


def test_spaces_between_letters_of_another_font_are_of_that_font() -> None:
    composed = compose([Paragraph([Span("so שלום עולם go", MIXED)])], Rect(0, 0, 90, 9))
    assert runs(composed)[1][0] == HEBREW.key
    assert len(runs(composed)[1][1]) == len("שלום עולם")
    assert [font for font, _ in runs(composed)] == [SANS.key, HEBREW.key, SANS.key]


@for_each(
    ("text", "expected"),
    [
        ("e\u0301a", ["e\u0301", "a"]),
        ("👩\u200d👩x", ["👩\u200d👩", "x"]),
        ("🇩🇪🇫🇷", ["🇩🇪", "🇫🇷"]),
        ("\u1112\u1161\u11ab\u1112", ["\u1112\u1161\u11ab", "\u1112"]),
        ("♠\ufe0f!", ["♠\ufe0f", "!"]),
        ("กำ", ["กำ"]),
        ("", []),
    ],
)
def test_clusters(text: str, expected: list[str]) -> None:
    assert list(clusters(text)) == expected


def test_a_letter_keeps_its_mark_and_what_is_made_of_parts_stays() -> None:
    # Plex has no combining acute on shin, and no shin: the pair moves together.
    composed = set_line([Span("ab\u05e9\u05bcc", MIXED)], 0, 0)
    assert runs(composed) == [(SANS.key, "ab"), (HEBREW.key, "\u05e9\u05bc"), (SANS.key, "c")]
    assert runs(set_line([Span("e\u0301t", MIXED)], 0, 0)) == [(SANS.key, "e\u0301t")]


def test_what_no_font_has_is_missing_in_the_font_asked_for() -> None:
    composed = in_box(60, 10, "a\U0001f98a♠")
    assert composed.missing == ((SANS.key, "\U0001f98a"),)
    assert runs(composed) == [(SANS.key, "a\U0001f98a"), (SYMBOLS, "♠")]


def test_a_bullet_may_be_a_symbol() -> None:
    composed = in_box(60, 10, Paragraph([Span("item", PLAIN)], "♠", 1.0, 0.0))
    assert sorted(runs(composed)) == [(SYMBOLS, "♠"), (SANS.key, "item")]
    assert composed.missing == ()
    plain = in_box(60, 10, Paragraph([Span("item", PLAIN)], "-", 1.0, 0.0))
    assert plain.box.y == composed.box.y


def test_the_families_named_come_first_and_in_order() -> None:
    mono = BOOK.face("Bebas Neue", 400, False, ("IBM Plex Mono",))
    assert runs(set_line([Span("┌", Style(mono, 3.0, BLACK))], 0, 0)) == [("IBMPlexMono-Regular", "┌")]
    view = BOOK.with_others(["Nowhere", "IBM Plex Mono"])
    assert view is BOOK.with_others(("Nowhere", "IBM Plex Mono"))
    font = view.face("Bebas Neue")
    assert font is view.face("Bebas Neue")
    assert [other.key for other in font.others()] == ["IBMPlexMono-Regular", SYMBOLS]


def test_the_nearest_style_is_taken() -> None:
    font = BOOK.face("IBM Plex Sans", 600, True, ("IBM Plex Mono",))
    assert font.others()[0].key == "IBMPlexMono-BoldItalic"
    font = BOOK.face("Jura", 600, False, ("IBM Plex Mono",))
    assert font.others()[0].key == "IBMPlexMono-SemiBold"


def test_a_font_is_not_its_own_fallback() -> None:
    assert [font.key for font in BOOK.face("Cardgen Symbols").others()] == []


def test_text_without_strange_letters_is_the_same_as_without_others() -> None:
    words = "Draw two cards, then discard é ﬁ…\u00a0\u00adx"
    with_others, alone = (set_line([Span(words, Style(font, 3.0, BLACK))], 0, 0) for font in (SANS, ALONE))
    assert texts(with_others)[0].words[0].tj == texts(alone)[0].words[0].tj
    assert with_others.box == alone.box


def test_the_width_of_a_line_in_two_fonts() -> None:
    symbol = BOOK.by_key(SYMBOLS)
    expected = SANS.word("a").advance + symbol.word("♠").advance + SANS.word(" ").advance
    assert width_of(SANS, "a ♠") == pytest.approx(expected)
