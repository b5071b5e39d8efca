"""Rich text of a spreadsheet's cell, through Markdown to type: the same letters, with the same marks."""

from __future__ import annotations

import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from cardgen.art.markdown import Markdown
from cardgen.files.table_texts import JOINER, MARKS, Run, rich_text
from cardgen.files.tables import Rich
from tests.for_each import for_each

LOOKS = {
    'font-weight="bold"': "bold",
    'font-style="italic"': "italic",
    'text-decoration="underline"': "underline",
    'text-decoration="line-through"': "strike",
    'baseline-shift="super" font-size="80%"': "raised",
    'baseline-shift="sub" font-size="80%"': "lowered",
}


def letters(markup: str) -> list[tuple[str, frozenset[str]]]:
    """The letters of markup, each with its marks."""
    found, open_marks = [], []
    for tag, text in re.findall(r"(<[^>]*>)|([^<]+)", markup):
        if tag.startswith("</"):
            open_marks.pop()
        elif tag:
            open_marks.append(LOOKS.get(tag[6:-1].strip(), ""))
        marks = frozenset(filter(None, open_marks))
        found += [(char, marks) for char in unescape(text) if not char.isspace() and char != JOINER]
    return found


def shifted(listed: list[tuple[str, frozenset[str]]]) -> list[tuple[str, frozenset[str]]]:
    """Of signs only whether they are raised: beside letters, other marks leave them out."""
    return [(char, marks if char.isalnum() else marks & {"raised"}) for char, marks in listed]


WORDS = st.text("ab2*_^~+ ", min_size=1, max_size=6)
SINGLE = st.frozensets(st.sampled_from(["bold", "italic", "underline", "strike", "raised"]), max_size=1)
SEVERAL = st.frozensets(st.sampled_from(["bold", "italic", "underline", "strike", "raised"]), max_size=3)
APART = st.tuples(st.text("abc2", min_size=1).map(lambda word: f"{word} "), SEVERAL)


@given(st.lists(st.tuples(WORDS, SINGLE), min_size=1, max_size=4))
def test_marks_of_runs_are_the_marks_of_type(runs: list[Run]) -> None:
    _compare(runs)


@given(st.lists(APART, min_size=1, max_size=4))
def test_several_marks_of_words_are_all_there(runs: list[Run]) -> None:
    _compare(runs)


def _compare(runs: list[Run]) -> None:
    found = rich_text(runs)
    if isinstance(found, Rich):
        wanted = [(char, marks) for text, marks in runs for char in text if not char.isspace()]
        assert shifted(letters(Markdown()(found.markdown, inline=True))) == shifted(wanted)


@for_each(
    ("runs", "markdown"),
    [
        ([("Pay ", ""), ("5", "strike"), (" 3 gold, 10", ""), ("6", "raised")], "Pay ~~5~~ 3 gold, 10^6^"),
        ([("Draw ", ""), ("two ", "bold"), ("cards", "italic")], "Draw **two** *cards*"),
        ([("H", ""), ("2", "lowered"), ("O", "")], "H~2~O"),
        ([("a", "underline"), (" 2*3", "")], r"++a++ 2\*3"),
        ([("Haste:", "bold"), ("draw", "")], "**Haste**:draw"),
        ([("one\ntwo", "bold"), ("", "italic")], "**one**\n**two**"),
        ([("note", ""), ("*", "raised")], r"note^\*^"),
        ([(" ", "bold"), ("x", "")], "x"),
    ],
)
def test_runs_in_markdown(runs: list[tuple[str, str]], markdown: str) -> None:
    found = rich_text((text, frozenset([mark] if mark else ())) for text, mark in runs)
    assert (found.markdown if isinstance(found, Rich) else found) == markdown
    assert {mark for _, mark in runs if mark} <= MARKS.keys()
