"""Keyword tables: what is wrong with them is said at its place."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from cardgen.game import effect_language
from cardgen.game.effect_language import read_effect, read_language
from cardgen.game.effects import effect_text, parse_effect
from tests.for_each import for_each
from tests.wording import Wording

from .languages import GARDEN, LANGUAGES


def changed(path: str, value: Any) -> dict[str, Any]:
    """The garden's table with one value changed or added."""
    table = copy.deepcopy(GARDEN)
    *steps, last = path.split("/")
    at: Any = table
    for step in steps:
        at = at.setdefault(step, {})
    at[last] = value
    return table


@for_each(
    ("path", "value", "place"),
    [
        ("keywords/sow/print", "Säe {count} × {crp}", ("keywords", "sow", "print")),
        ("keywords/sow/print", "**Säe {count} × {crop}", ("keywords", "sow", "print")),
        ("keywords/sow/print", "Säe {count × {crop}", ("keywords", "sow", "print")),
        ("keywords/sow/print", "Säe  {count} {crop}", ("keywords", "sow", "print")),
        ("keywords/sow/print", "Säe {count}", ("keywords", "sow", "print")),
        ("keywords/sow/short", ["säe {count}"], ("keywords", "sow", "short", 0)),
        ("keywords/sow/print", "Säe {count} {crop} {crop:a|b}", ("keywords", "sow", "print")),
        ("keywords/water/print", "Gieße oder nicht", ("keywords", "water", "print")),
        ("keywords/water/print", "Falls ich gieße", ("keywords", "water", "print")),
        ("words/crop/pea", "Erbse und Bohne", ("keywords", "sow", "parameters", "crop")),
        ("keywords/sow/parameters/crop/of", "crops", ("keywords", "sow", "parameters", "crop", "of")),
        ("keywords/sow/parameters/count/min", 13, ("keywords", "sow", "parameters", "count", "min")),
        ("keywords/sow/parameters/do", {"type": "number"}, ("keywords", "sow", "parameters", "do")),
    ],
)
def test_wordings(path: str, value: Any, place: tuple[Any, ...], wording: Wording) -> None:
    _, problems = read_language(changed(path, value))
    assert (place, "keywords/wording") in [(problem.path, problem.code) for problem in problems]
    found = [problem for problem in problems if problem.path == place]
    wording(found)


def test_two_keywords_may_not_read_alike() -> None:
    _, problems = read_language(changed("keywords/rain", {"print": "gieße"}))
    assert {problem.path for problem in problems} == {
        ("keywords", "water", "print"),
        ("keywords", "rain", "print"),
    }
    assert all("could be" in problem.message for problem in problems)


def test_a_table_is_searched_for_clashes_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path))
    searched = []
    search = effect_language._clashes
    monkeypatch.setattr(
        effect_language, "_clashes", lambda language: searched.append(language) or search(language)
    )
    clash = changed("keywords/rain", {"print": "gieße"})
    assert [len(read_language(table)[1]) for table in (GARDEN, GARDEN, clash, clash)] == [0, 0, 2, 2]
    assert len(searched) == 3  # clashes are reported each time


def test_a_bare_condition_has_no_word_before_it() -> None:
    garden = LANGUAGES["garden"]
    effect = [{"if": {"test": "pay", "count": 2}, "then": [{"do": "water"}]}]
    assert effect_text(garden, effect) == "Zahle 2,\n  Gieße."
    assert parse_effect(garden, "Zahle 2,\n  Gieße.") == (effect, [])
    assert read_effect(garden, [{"if": "zahle 2", "then": "gieße"}]) == (effect, [])
    _, problems = parse_effect(garden, "Falls Zahle 2,\n  Gieße.")
    assert [problem.code for problem in problems] == ["effect/print"]
    _, problems = parse_effect(garden, "du 5 oder mehr hast,\n  Gieße.")
    assert [problem.code for problem in problems] == ["effect/print"]


@for_each(
    ("path", "value", "place"),
    [
        ("keywords/water/bare", True, ("keywords", "water", "bare")),
        ("punctuation/then", "..", ("conditions", "pay", "bare")),
        ("conditions/pay/print", "Falls {count}", ("conditions", "pay", "print")),
    ],
)
def test_what_keeps_a_condition_from_being_bare(
    path: str, value: Any, place: tuple[Any, ...], wording: Wording
) -> None:
    _, problems = read_language(changed(path, value))
    assert [(problem.path, problem.code) for problem in problems] == [(place, "keywords/wording")]
    wording(problems[0])


def test_words_that_run_into_each_other() -> None:
    table = changed("keywords/count", {"print": "{one}{two} Beete"})
    table["keywords"]["count"]["parameters"] = {"one": {"type": "number"}, "two": {"type": "number"}}
    _, problems = read_language(table)
    assert [(problem.path, problem.code) for problem in problems] == [
        (("keywords", "count", "print"), "keywords/ambiguous")
    ]
