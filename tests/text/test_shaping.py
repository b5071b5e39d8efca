"""Words as glyphs, and the same glyphs as a PDF TJ array."""

from __future__ import annotations

import re
from dataclasses import astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.artwork import Word
from cardgen.text.shaping import Font
from tests.for_each import for_each

from .texts import BEBAS, BOLD, BOOK, HEBREW, SANS

LOUD = BOOK.face("Loudmouth")
MONO = BOOK.face("IBM Plex Mono")


def read_tj(font: Font, word: Word) -> tuple[list[tuple[int, float]], float]:
    """What a PDF reader makes of `word.tj`: glyphs with their x, and where the pen ends, in em."""
    glyphs: list[tuple[int, float]] = []
    pen = 0.0
    for codes, kern in re.findall(r"<([0-9A-F]*)>|(-?[0-9.]+)", word.tj):
        if kern:
            pen -= float(kern) / 1000
        for gid in (int(codes[i : i + 4], 16) for i in range(0, len(codes), 4)):
            glyphs.append((gid, pen))
            pen += font.advance(gid)
    return glyphs, pen


def plain_width(font: Font, text: str) -> float:
    return sum(font.word(char).advance for char in text)


@for_each("font", [SANS, BEBAS, LOUD], ids=lambda font: font.key)
def test_words_are_kerned(font: Font) -> None:
    assert font.word("AVATAR").advance < plain_width(font, "AVATAR") - 0.02


def test_a_monospaced_word_is_as_wide_as_its_letters() -> None:
    assert MONO.word("AVATAR").advance == pytest.approx(6 * 0.6)


def test_words_are_kept() -> None:
    assert SANS.word("again") is SANS.word("again")
    once = SANS.passing("7/54 only once")
    assert once.glyphs == SANS.word("7/54 only once").glyphs
    assert once is not SANS.word("7/54 only once")
    assert SANS.passing("again") is SANS.word("again")
    assert SANS.word("again", 0.1) is SANS.word("again", 0.1)
    assert SANS.word("again", 0.1) is not SANS.word("again")


@given(
    text=st.text("AVTWaefilnoty.,-'’ÄéßΩЖя1 ", min_size=1, max_size=12),
    font=st.sampled_from([SANS, BOLD, BEBAS, LOUD]),
    spacing=st.sampled_from([0.0, 0.05, -0.02]),
)
def test_a_pdf_reader_puts_the_glyphs_where_the_shaper_did(text: str, font: Font, spacing: float) -> None:
    word = font.word(text, spacing)
    glyphs, pen = read_tj(font, word)
    assert [gid for gid, _ in glyphs] == [gid for gid, *_ in word.glyphs]
    # Kerns are written to a hundredth of a thousandth of an em.
    assert [x for _, x in glyphs] == pytest.approx([x for _, x, *_ in word.glyphs], abs=1e-5)
    assert pen == pytest.approx(word.advance, abs=1e-5)


def test_tj_spells_kerns_plainly() -> None:
    assert SANS.word("To").tj == f"<{SANS.word('T').tj[1:5]}>{kern(SANS, 'To')}<{SANS.word('o').tj[1:5]}>"


def kern(font: Font, pair: str) -> str:
    return f"{round((plain_width(font, pair) - font.word(pair).advance) * 1000, 2):g}"


def test_a_ligature_keeps_its_letters() -> None:
    word = SANS.word("fi")
    ((gid, _, _, cluster),) = word.glyphs
    assert cluster == 0
    assert SANS.unicode_of[gid] == "fi"
    assert word.actual_text is None
    assert "".join(SANS.unicode_of[gid] for gid, *_ in SANS.word("office").glyphs) == "office"


@for_each("text", ["ﬁ", "e\u0301", "a\u00adb", "x\u200dy"])
def test_text_that_the_glyphs_do_not_spell_is_kept_beside_them(text: str) -> None:
    assert SANS.word(text).actual_text == text


@given(st.text("abcdefghijklmnopqrstuvwxyzÄÖÜéABCß0123456789.,;:!?’“”—–€½²ΩЖя→", min_size=1, max_size=9))
def test_glyphs_spell_ordinary_text(text: str) -> None:
    word = SANS.word(text)
    assert "".join(SANS.unicode_of[gid] for gid, *_ in word.glyphs) == text
    assert word.actual_text is None


def test_the_texts_of_glyphs_do_not_depend_on_what_was_shaped_before() -> None:
    first, second = Font("a", SANS.path), Font("b", SANS.path)
    first.word("ﬁ")
    second.word("fi")
    assert first.unicode_of == second.unicode_of
    for text in ("fi", "ﬁ"):
        assert astuple(first.word(text)) == astuple(second.word(text))


def test_marks_sit_on_their_letters() -> None:
    composed, decomposed = SANS.word("\u00e9"), SANS.word("e\u0301")
    assert decomposed.glyphs == composed.glyphs
    (letter, mark) = SANS.word("X\u0301").glyphs
    assert letter[1] < mark[1] < letter[1] + SANS.word("X").advance
    assert mark[2] > 0
    assert SANS.word("X\u0301").raised
    assert not SANS.word("X").raised
    assert SANS.word("X\u0301").advance == pytest.approx(SANS.word("X").advance)


def test_missing_characters() -> None:
    assert SANS.missing("plain text, Ωμέγα and Жизнь") == ""
    assert SANS.missing("a 日本 b 🙂 日") == "日本🙂"
    assert BEBAS.missing("X\u0301") == "\u0301"
    assert MONO.missing("┌─┐ →") == ""
    assert SANS.missing("a\u200db \u00a0 ❤\ufe0f") == "❤"


def test_characters_that_only_steer_are_not_drawn() -> None:
    assert SANS.word("a\u200d\u00adb").glyphs[1][0] == SANS.word("b").glyphs[0][0]
    assert len(SANS.word("a\u200d\u00adb").glyphs) == 2


def test_a_word_can_be_told_its_direction() -> None:
    turned = HEBREW.directed("rtl")
    assert turned.directed("rtl") is not None
    assert turned.key == HEBREW.key
    (bracket,) = turned.word("(").glyphs
    assert bracket[0] == HEBREW.word(")").glyphs[0][0]  # mirrored
    digits = HEBREW.directed("ltr").word("١٢٣")
    assert [glyph[3] for glyph in digits.glyphs] == [0, 1, 2]
    assert HEBREW.word("שלום").actual_text == "שלום"


@for_each("text", ["Ωμέγα", "Жизнь", "Čeština", "İstanbul", "Šķērsām"])
def test_other_alphabets(text: str) -> None:
    word = SANS.word(text)
    assert SANS.missing(text) == ""
    assert len(word.glyphs) == len(text)
    assert all(gid for gid, *_ in word.glyphs)


def test_letter_spacing_follows_each_letter_and_parts_ligatures() -> None:
    joined, spaced = SANS.word("fin"), SANS.word("fin", 0.1)
    assert len(joined.glyphs) == 2
    assert len(spaced.glyphs) == 3
    assert spaced.advance == pytest.approx(plain_width(SANS, "fin") + 0.3, abs=0.02)
    assert SANS.word("AV", 0.1).advance == pytest.approx(SANS.word("AV").advance + 0.2)
    # A letter and its mark are one letter.
    assert SANS.word("X\u0301", 0.1).advance == pytest.approx(SANS.word("X").advance + 0.1)


def test_a_cff_font_shapes_like_any_other() -> None:
    assert "CFF " in BEBAS.face.table_tags
    assert BEBAS.word("HELLO").tj.startswith("<")
    assert BEBAS.cap_height == pytest.approx(0.7)
    assert BEBAS.unicode_of[BEBAS.word("É").glyphs[0][0]] == "É"


def test_advance_is_the_glyphs_own() -> None:
    gid = SANS.word("A").glyphs[0][0]
    assert SANS.advance(gid) == pytest.approx(SANS.word("A").advance)
