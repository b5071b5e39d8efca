"""Typed texts among printed ones: what typesetting may change, and what it may not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cardgen.art.outlining import ICON
from cardgen.commands.check.unprinted import Match, Printed, Typed, without_marks


def match(typed: str, printed: str, *, lines: bool = False) -> Match:
    return Printed(printed).match(Typed(typed, lines=lines))


FOUND = [
    ("Night Owl", "NIGHT OWL"),
    ("Straße", "STRASSE"),
    ("istanbul", "İSTANBUL"),
    ("don't", "don’t"),
    ('"So," he said', "„So,“ he said"),
    ("two -- three", "two — three"),
    ("hyphenation", "hyphen-\nation"),
    ("well-known", "well-\nknown"),
    ("and/or", "and/\nor"),
    ("a line end\nhere", "a line end here"),
    ("Draw **two** cards", "Draw two cards"),
    ("*Really* ~~not~~ ++now++", "Really not now"),
    ("un**frigging**believable", "unfriggingbelievable"),
    ("10^6^", "106"),
    ("H~2~O", "H2O"),
    ("- Fly\n- Hoot", "• Fly\n• Hoot"),
    ("- 1 coin\n- 2 cards", "•1 coin\n•2 cards"),
    ("1. Fly", "1. Fly"),
    ("above\n\n---\n\nbelow", "above\nbelow"),
    (r"2\*3", "2*3"),
    ("2 × 3", "2*3"),
    ("Gain 2:coin: now", f"Gain 2{ICON} now"),
    ("Gain :coin@1.4#c00 3:", f"Gain {ICON}"),
    ("one<br>two", "one\ntwo"),
    ("−2", "-2"),
    ("a\u00adb\u200bc", "abc"),
    ("½", "½"),
    ("שלום עולם", "עולם שלום"),
    ("5", "Power 5."),
    ("74", "FC 74/100"),
]


def test_text_is_found_as_it_is_set() -> None:
    for typed, printed in FOUND:
        assert match(typed, printed) is Match.WHOLE, typed


CHANGED = [
    ("2*3*4", "234"),
    ("Draw 2*X cards and pay 3*Y", "Draw 2X cards and pay 3Y"),
    ("- 2 health", "• 2 health"),
    ("1.000", "1"),
    ("1.50", "1.5"),
    ("1.5", "1.50"),
    ("007", "7"),
    ("+2", "2"),
    ("5", "15"),
    ("5", "5.5"),
    ("10⁶", "106"),
    ("TRUE", "yes"),
    ("three-four 3-4", "threefour 34"),
    ("naïve", "naive"),
    ("Owl", ""),
]


def test_text_that_has_changed_is_missing() -> None:
    for typed, printed in CHANGED:
        assert match(typed, printed) is Match.MISSING, typed


def test_words_that_have_grown_together_are_told() -> None:
    assert match("one\vtwo words", "onetwo words") is Match.JOINED
    assert match("one two", "one two") is Match.WHOLE


def test_line_ends_are_told_if_they_count() -> None:
    assert match("one\ntwo", "one two", lines=True) is Match.ONE_LINE
    assert match("one\ntwo", "one\ntwo", lines=True) is Match.WHOLE
    assert match("one\n- two\n- three", "one\n• two\n• three", lines=True) is Match.WHOLE


WORDS = st.lists(st.from_regex(r"[A-Za-zÄÖÜßéçñ]{1,9}", fullmatch=True), min_size=1, max_size=8)


@given(WORDS, st.data())
def test_broken_and_hyphenated_lines_are_found(words: list[str], data: st.DataObject) -> None:
    printed = ""
    for word in words:
        at = data.draw(st.integers(0, len(word)))
        hyphened = f"{word[:at]}-\n{word[at:]}" if 0 < at < len(word) else word
        printed += data.draw(st.sampled_from((word, hyphened))) + data.draw(st.sampled_from((" ", "\n")))
    assert match(" ".join(words), printed) is Match.WHOLE


@given(WORDS)
def test_text_is_found_in_itself_and_its_last_word_is_missed(words: list[str]) -> None:
    text = " ".join(words)
    assert match(text, text) is Match.WHOLE
    assert match(f"{text} 7", text) is Match.MISSING


@given(st.text())
def test_any_text_has_marks_taken_away(text: str) -> None:
    assert match(text, text) is Match.WHOLE
    assert isinstance(without_marks(text), str)
