"""What rules say in their authors' words, with the values of what failed."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.rules.results import Verdict
from tests.wording import Wording

from .decks import judge_one

CARDS: dict[str, Any] = {
    "cards": [
        {"id": "a", "title": "Worm", "value": 1, "tags": ["red", "old"], "copies": 2},
        {"id": "b", "title": "Bug", "value": 2, "tags": []},
    ]
}


def said(kind: str, **parameters: Any) -> list[str]:
    return [finding.message for finding in judge_one(kind, CARDS, **parameters).findings]


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("it is wrong", "it is wrong"),
        ("{value} is too little, {copies + 1} would do", "1 is too little, 3 would do"),
        ("its tags are {tags}, its name is { title }", "its tags are red, old, its name is Worm"),
        ("of {cards('cards')|length} cards", "of 2 cards"),
        ("no expression: {} or }", "no expression: {} or }"),
    ],
)
def test_each(message: str, words: str) -> None:
    assert said("each", component="cards", holds="value > 1", message=message) == [f"“Worm”: {words}"]


def test_an_item() -> None:
    rule = {"component": "cards", "items": "tags", "holds": "item != 'old'"}
    assert said("each", **rule, message="{item} is on {title}") == ["“Worm”: old is on Worm (“old”)"]


def test_a_formula() -> None:
    rule = {"for": {"players": [2, 3]}, "value": "copies_in('cards') - players", "min": 1}
    words = said(
        "formula", **rule, message="with {players} players {figure} of {copies_in('cards')} are left"
    )
    assert words == ["with 3 players 0 of 3 are left (0, it should be at least 1)"]


@pytest.mark.parametrize("message", ["{vlaue} is little", "{value +} is little"])
def test_a_message_that_cannot_be_said_breaks_the_rule_even_if_all_is_well(message: str) -> None:
    result = judge_one("each", CARDS, component="cards", holds="true", message=message)
    assert result.verdict is Verdict.BROKEN
    assert [finding.location.path for finding in result.findings if finding.location] == ["rules/0/message"]


@pytest.mark.parametrize(
    "expression",
    [
        "value ==",
        "(value",
        "value ? 1",
        "title == 'Bug",
        "value and]",
        "lookup('cards')",
    ],
)
def test_what_cannot_be_read_is_said_plainly(expression: str, wording: Wording) -> None:
    (message,) = said("each", component="cards", holds=expression)
    wording(message)
