"""Places where a line may end, beside the full algorithm."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uniseg.linebreak import line_break_boundaries

from cardgen.text import line_ends as module
from cardgen.text.line_ends import line_ends, may_end
from tests.for_each import for_each

SIGNS = (
    "日本語はカッー々、。「」『』（）！？・…—―“”‘’«»‹›\"'ABé12 -/.,:;%$€+()[]‐–◌\u00ad\u200b\u2060\u00a0"
    "\u3000한국어אבשกขค་༌각가각☝⛹🂡🙂∞№℃´¿¡|\ufffc"
)
FAR = "\u0301\u200d\u0e34🇩🇪🏽\u094d"
"""Signs that the rules look for at any distance."""


def full(text: str) -> set[int]:
    return set(line_break_boundaries(text))


@given(st.text(st.sampled_from(SIGNS), max_size=14))
def test_it_agrees_with_the_full_algorithm(text: str) -> None:
    expected = full(text)
    assert line_ends(text) == expected
    for place in range(1, len(text)):
        assert may_end(text, place) == (place in expected), place


@given(st.text(st.sampled_from(SIGNS + FAR), max_size=10))
def test_it_agrees_on_marks_flags_and_joined_letters(text: str) -> None:
    assert line_ends(text) == full(text)


@given(st.text(max_size=8))
def test_it_agrees_on_any_text(text: str) -> None:
    assert line_ends(text) == full(text)


@for_each("text", ["(" + " " * 40 + "a", "1" + "/" * 40 + "1", "«" * 40, "a" + "-" * 40 + "b"])
def test_it_agrees_on_long_surroundings(text: str) -> None:
    assert line_ends(text) == full(text)
    assert may_end(text, len(text) - 1) == (len(text) - 1 in full(text))


def test_what_is_known_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other letters of the same kinds, and a text of any length, come from what is kept."""
    for _ in range(9):  # it learns no more of a text at once than this is long
        line_ends("「日本」は、1/2。")
    may_end("“a” (b)", 4)
    asked: list[str] = []
    monkeypatch.setattr(module, "_all_breaks", lambda text: asked.append(text) or full(text))
    assert line_ends("「言葉」と、3/4。") == full("「言葉」と、3/4。")
    assert may_end("“z” (y)", 4)
    assert not asked


def test_asking_anew_costs_no_more_than_twice_the_full_algorithm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PAIRS", {})
    monkeypatch.setattr(module, "_ANSWERS", {})
    asked: list[str] = []
    monkeypatch.setattr(module, "_all_breaks", lambda text: asked.append(text) or full(text))
    text = SIGNS.replace(" ", "") * 2
    assert line_ends(text) == full(text)
    assert sum(map(len, asked)) <= 2 * len(text)
