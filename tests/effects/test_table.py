"""Keyword tables: what is wrong with them is said at its place."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from cardgen.effects import read_language

from .languages import GARDEN


def changed(path: str, value: Any) -> dict[str, Any]:
    """The garden's table with one value changed or added."""
    table = copy.deepcopy(GARDEN)
    *steps, last = path.split("/")
    at: Any = table
    for step in steps:
        at = at.setdefault(step, {})
    at[last] = value
    return table


@pytest.mark.parametrize(
    ("path", "value", "place", "words"),
    [
        ("keywords/sow/print", "Säe {count} × {crp}", ("keywords", "sow", "print"), "did you mean 'crop'?"),
        (
            "keywords/sow/print",
            "**Säe {count} × {crop}",
            ("keywords", "sow", "print"),
            "odd number of times",
        ),
        ("keywords/sow/print", "Säe {count × {crop}", ("keywords", "sow", "print"), "only stand in {name}"),
        ("keywords/sow/print", "Säe  {count} {crop}", ("keywords", "sow", "print"), "one space apart"),
        ("keywords/sow/print", "Säe {count}", ("keywords", "sow", "print"), "'crop' is not in the wording"),
        (
            "keywords/sow/short",
            ["säe {count}"],
            ("keywords", "sow", "short", 0),
            "'crop' is not in the wording",
        ),
        (
            "keywords/sow/print",
            "Säe {count} {crop} {crop:a|b}",
            ("keywords", "sow", "print"),
            "has no plural",
        ),
        ("keywords/water/print", "Gieße oder nicht", ("keywords", "water", "print"), "holds 'oder'"),
        (
            "keywords/water/print",
            "Falls ich gieße",
            ("keywords", "water", "print"),
            "begins like a condition",
        ),
        ("words/crop/pea", "Erbse und Bohne", ("keywords", "sow", "parameters", "crop"), "holds 'und'"),
        (
            "keywords/sow/parameters/crop/of",
            "crops",
            ("keywords", "sow", "parameters", "crop", "of"),
            "'crop'?",
        ),
        (
            "keywords/sow/parameters/count/min",
            13,
            ("keywords", "sow", "parameters", "count", "min"),
            "above",
        ),
        (
            "keywords/sow/parameters/do",
            {"type": "number"},
            ("keywords", "sow", "parameters", "do"),
            "called",
        ),
    ],
)
def test_wordings(path: str, value: Any, place: tuple[Any, ...], words: str) -> None:
    _, problems = read_language(changed(path, value))
    assert (place, "keywords/wording") in [(problem.path, problem.code) for problem in problems]
    assert any(words in f"{problem.message}; {problem.hint}" for problem in problems)


def test_two_keywords_may_not_read_alike() -> None:
    _, problems = read_language(changed("keywords/rain", {"print": "gieße"}))
    assert {problem.path for problem in problems} == {
        ("keywords", "water", "print"),
        ("keywords", "rain", "print"),
    }
    assert all("could be" in problem.message for problem in problems)


def test_words_that_run_into_each_other() -> None:
    table = changed("keywords/count", {"print": "{one}{two} Beete"})
    table["keywords"]["count"]["parameters"] = {"one": {"type": "number"}, "two": {"type": "number"}}
    _, problems = read_language(table)
    assert [(problem.path, problem.code) for problem in problems] == [
        (("keywords", "count", "print"), "keywords/ambiguous")
    ]
