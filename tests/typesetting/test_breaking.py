"""Where lines may end."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from uniseg.linebreak import line_break_boundaries

from cardgen.typesetting.breaking import ICON, _cuts, glued, plan_word, without_unseen
from cardgen.typesetting.hyphenation import LanguageError, hyphenation_points
from cardgen.typesetting.measuring import measure
from cardgen.typesetting.spans import IconSpan
from cardgen.typesetting.word_parts import Piece

from .texts import PLAIN, STRONG, Paragraph, Span


def split(word: str, language: str | None = None) -> str:
    """The word with | where it may be broken and a hyphen where one would appear."""
    plan = plan_word(word, language)
    text = plan.text
    for offset, hyphen in reversed(plan.cuts):
        text = text[:offset] + ("-|" if hyphen else "|") + text[offset:]
    return text.replace(ICON, "◆")


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("plain", "plain"),
        ("(it’s)", "(it’s)"),
        ("“Stop!”", "“Stop!”"),
        ("well-known", "well-|known"),
        ("and/or", "and/|or"),
        ("-5", "-5"),
        ("+2", "+2"),
        ("1/2", "1/2"),
        ("1,000.50", "1,000.50"),
        ("$5.00", "$5.00"),
        ("50%", "50%"),
        ("2d6+1", "2d6+1"),
        ("3-player", "3-|player"),
        ("yes—no", "yes|—|no"),
        ("10\u00a0km", "10\u00a0km"),
        ("non\u2011stop", "non\u2011stop"),
        ("no\u2060break", "nobreak"),
        ("may\u200bbreak", "may|break"),
        ("soft\u00adware", "soft-|ware"),
        ("日本語。", "日|本|語。"),
        (f"{ICON}.", "◆."),
        (f"({ICON}),", "(◆),"),
        (f"2{ICON}", "2◆"),
        (f"{ICON}s", "◆s"),
        (f"{ICON}{ICON}{ICON}.", "◆|◆|◆."),
        (f"{ICON}/{ICON}", "◆/|◆"),
    ],
)
def test_words(word: str, parts: str) -> None:
    assert split(word) == parts


ORDINARY = "aZé7" + ICON + "Ωщ()[]“”‘’\"'¿¡+−±$€£#-/.,:;!?…%"


@given(st.text(ORDINARY, min_size=1, max_size=8))
@settings(max_examples=300)
def test_the_fast_path_agrees_with_the_full_algorithm(word: str) -> None:
    assert plan_word(word).cuts == _cuts(word)


def chunk_ends(text: str, cut: int) -> list[int]:
    """Break opportunities that measuring finds in `text`, of which two styles meet at `cut`."""
    spans = [Span(text[:cut], PLAIN), Span(text[cut:], STRONG)]
    ends: list[int] = []
    length = 0
    for segment in measure([Paragraph(spans)], None, {}):
        for chunk in range(len(segment.ends)):
            for item in (item for _, items in segment.line(chunk, chunk + 1) for item in items):
                assert not isinstance(item, IconSpan)
                length += item.end - item.start if isinstance(item, Piece) else len(item.text)
            length += segment.spaced(chunk)
            ends.append(length)
    return ends


@given(text=st.text("aé7Ω()[]“”‘’\"'¿+−$-/.,:;!?…%—– 日。\u00a0   ", max_size=24), data=st.data())
@settings(max_examples=150)
def test_whole_texts_break_where_unicode_says(text: str, data: st.DataObject) -> None:
    text = re.sub(" +", " ", text).strip(" ")
    cut = data.draw(st.integers(0, len(text)))
    assert chunk_ends(text, cut) == [end for end in line_break_boundaries(text) if end]


def test_punctuation_holds_on_to_words_across_a_space() -> None:
    assert glued("Bonjour", "!")
    assert glued("(", "aside")
    assert not glued("one", "“two”")
    assert plan_word("!").head
    assert plan_word("(").tail
    assert not plan_word("word).").tail


def test_unseen_characters_go() -> None:
    assert without_unseen("a\u00adb\u200bc\u2060d\ufeffe") == "abcde"


def test_hyphenation() -> None:
    assert split("immediately", "en") == "im-|me-|di-|ately"
    assert split("Silbentrennung,", "de_DE") == "Sil-|ben-|tren-|nung,"
    assert split("(Silbentrennung)", "de-DE") == "(Sil-|ben-|tren-|nung)"


@pytest.mark.parametrize("word", ["short", "UNESCO", "well-known", "im\u00admediately"])
def test_words_that_are_not_hyphenated(word: str) -> None:
    assert split(word, "en") == split(word)


def test_at_least_two_letters_before_and_three_after_a_hyphen() -> None:
    for word in ("abominable", "undertaken", "eventually", "reality", "already"):
        for point in hyphenation_points(word, "en"):
            assert 2 <= point <= len(word) - 3


def test_a_language_without_patterns() -> None:
    with pytest.raises(LanguageError) as error:
        hyphenation_points("anything", "qq")
    (finding,) = error.value.findings
    assert finding.code == "text/hyphenation"
    assert finding.message == "there are no hyphenation patterns for the language 'qq'"
