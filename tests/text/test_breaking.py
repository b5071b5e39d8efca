"""Where lines may end."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random

import pyphen
import pytest
from hypothesis import given
from hypothesis import strategies as st
from uniseg.linebreak import line_break_boundaries

from cardgen.text import line_ends as breaking
from cardgen.text.line_ends import (
    _SIGNS,
    ICON,
    Hyphenation,
    WordRules,
    _cuts,
    glued,
    hyphenation_points,
    plan_word,
    without_unseen,
    word_rules,
)
from cardgen.text.line_ends import PLAIN as BY_UNICODE
from cardgen.text.measuring import measure
from cardgen.text.spans import IconSpan, Piece
from tests.for_each import for_each

from .texts import PLAIN, STRONG, Paragraph, Span


def split(word: str, language: str | None = None) -> str:
    """The word with | where it may be broken and a hyphen where one would appear."""
    plan = plan_word(word, BY_UNICODE if language is None else word_rules(language, hyphens=True))
    text = plan.text
    for offset, hyphen in reversed(plan.cuts):
        text = text[:offset] + ("-|" if hyphen else "|") + text[offset:]
    return text.replace(ICON, "◆")


@for_each(
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
def test_the_fast_path_agrees_with_the_full_algorithm(word: str) -> None:
    assert plan_word(word).cuts == _cuts(word)


def chunk_ends(text: str, cut: int, rules: WordRules = BY_UNICODE) -> list[int]:
    """Break opportunities that measuring finds in `text`, of which two styles meet at `cut`."""
    spans = [Span(text[:cut], PLAIN), Span(text[cut:], STRONG)]
    ends: list[int] = []
    length = 0
    for segment in measure([Paragraph(spans)], rules, {}):
        for chunk in range(len(segment.ends)):
            for item in (item for _, items in segment.line(chunk, chunk + 1) for item in items):
                assert not isinstance(item, IconSpan)
                length += item.end - item.start if isinstance(item, Piece) else len(item.text)
            length += segment.spaced(chunk)
            ends.append(length)
    return ends


@given(text=st.text("aé7Ω()[]“”‘’\"'¿+−$-/.,:;!?…%—– 日。\u00a0   ", max_size=24), data=st.data())
def test_whole_texts_break_where_unicode_says(text: str, data: st.DataObject) -> None:
    text = re.sub(" +", " ", text).strip(" ")
    cut = data.draw(st.integers(0, len(text)))
    assert chunk_ends(text, cut) == [end for end in line_break_boundaries(text) if end]


AROUND = "aé7Ω()[]“”‘’«»\"'¿+−±$€-/.,:;!?…%—–·•×=日。（）ー☞⚠"


@given(st.sampled_from(AROUND), st.sampled_from(sorted(_SIGNS)), st.sampled_from(AROUND))
def test_signs_that_stand_alone_break_where_unicode_says(before: str, sign: str, after: str) -> None:
    for text in (f"{before} {sign} {after}", f"a{before} {sign} {sign} {after}b"):
        assert chunk_ends(text, 0) == [end for end in line_break_boundaries(text) if end]


def test_a_sign_between_words_is_not_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*_: object) -> set[int]:
        raise AssertionError

    monkeypatch.setattr(breaking, "line_ends", asked)
    monkeypatch.setattr(breaking, "may_end", asked)
    assert {chunk_ends(f"5/8 {sign} wide", 0) == [4, 6, 10] for sign in _SIGNS} == {True}


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
    assert split("immediately", "en") == "imme-|di-|ately"
    assert split("Silbentrennung,", "de_DE") == "Sil-|ben-|tren-|nung,"
    assert split("(Silbentrennung)", "de-DE") == "(Sil-|ben-|tren-|nung)"


@for_each("language", ["el_GR", "en_US", "fr", "ru_RU", "te_IN"])
def test_words_are_hyphenated_as_by_the_library(language: str) -> None:
    file = pyphen.LANGUAGES[language]
    theirs, ours = pyphen.HyphDict(file), Hyphenation(file.read_bytes())
    chance, letters = Random(language), [key.strip(".") for key in theirs.patterns]
    for _ in range(100):
        word = "".join(chance.choices(letters, k=chance.randint(1, 5)))
        assert ours.points(word) == theirs.positions(word), word


def test_patterns_with_comments_codes_and_changed_letters_are_read() -> None:
    lines = (
        "microsoft-cp1251",
        "% a1b",
        "LEFTHYPHENMIN 2",
        "",
        "x2y ",
        "n1^^ff",
        "s1sz/sz=sz,1,3",
        "s3t",
        "st",
    )
    ours = Hyphenation("\r\n".join(lines).encode())
    assert [ours.points(word) for word in ("abxy", "nÿ", "asszon", "Mist")] == [[], [1], [2], [3]]


@for_each("word", ["short", "UNESCO", "well-known", "im\u00admediately"])
def test_words_that_are_not_hyphenated(word: str) -> None:
    assert split(word, "en") == split(word)


def test_at_least_three_letters_before_and_after_a_hyphen() -> None:
    for word in ("abominable", "undertaken", "eventually", "reality", "already"):
        for point in hyphenation_points(word, "en"):
            assert 3 <= point <= len(word) - 3


@for_each("language", ["qq", "ko", "th"])
def test_a_language_without_patterns_has_no_hyphens(language: str) -> None:
    assert split("immediately", language) == "immediately"


def test_the_least_letters_of_a_word_and_on_both_sides_of_a_hyphen() -> None:
    def points(word: str, *limits: int) -> tuple[int, ...]:
        rules = word_rules("en", hyphens=True, limits=(limits[0], limits[1], limits[2]))
        return tuple(cut for cut, _ in plan_word(word, rules).cuts)

    assert points("immediately", 6, 2, 3) == (2, 4, 6)
    assert points("immediately", 6, 3, 3) == (4, 6)
    assert points("immediately", 6, 2, 6) == (2, 4)
    assert points("immediately", 12, 2, 3) == ()


def pieces(text: str, language: str, **more: bool) -> str:
    ends = [0, *chunk_ends(text, 0, word_rules(language, **more))]
    return "|".join(text[start:end] for start, end in pairwise(ends))


@for_each(
    ("text", "language", "expected"),
    [
        ("Бог — это любовь", "ru", "Бог — |это |любовь"),
        ("Бог - это", "ru", "Бог - |это"),
        ("Бог—это", "uk", "Бог—|это"),
        ("— Да, — сказал он", "ru-RU", "— |Да, — |сказал |он"),
        ("pan – pani", "pl", "pan – |pani"),
        ("one — two", "en", "one |— |two"),
        ("한국어는 띄어쓰기가", "ko", "한국어는 |띄어쓰기가"),
        ("카드(두 장)를", "ko-KR", "카드(두 |장)를"),
        ("한국 日本", "ja", "한|국 |日|本"),
    ],
)
def test_languages_have_rules_of_their_own(text: str, language: str, expected: str) -> None:
    assert pieces(text, language) == expected


def test_whether_letters_hold_together_can_be_said() -> None:
    assert pieces("한국", "ko", keep_all=False) == "한|국"
    assert pieces("日本、語", "ja", keep_all=True) == "日本、|語"
    assert plan_word("日\u200b本", word_rules("ja", keep_all=True)).cuts == ((1, False),)


def test_thai_breaks_between_words() -> None:
    assert pieces("จั่วการ์ดสองใบ (แล้วทิ้งใบ)", "th") == "จั่ว|การ์ด|สอง|ใบ |(แล้ว|ทิ้ง|ใบ)"
    assert pieces("จั่วการ์ดสองใบ", "en") == "จั่วการ์ดสองใบ"
    assert plan_word("การ\u2060์ดสอง", word_rules("th")).text == "การ์ดสอง"


@given(st.text("กขงเแไาะัิ่้์ๆฯ1a(" + "\u200b\u2060", min_size=1, max_size=30))
def test_no_line_of_thai_begins_or_ends_within_a_syllable(word: str) -> None:
    plan = plan_word(word, word_rules("th"))
    for cut, hyphen in plan.cuts:
        assert not hyphen
        after_space = "\u200b" in word
        assert after_space or plan.text[cut] not in "าะัิ่้์ๆฯ"
        assert after_space or plan.text[cut - 1] not in "เแไ"


def test_japanese_breaks_between_phrases_if_asked_to() -> None:
    text = "カードを二枚引いて、一枚を捨てる。"
    assert pieces(text, "ja", phrases=True) == "カードを|二枚引いて、|一枚を|捨てる。"
    assert len(pieces(text, "ja")) > len(pieces(text, "ja", phrases=True))
