"""What rules say in their authors' words, with the values of what failed."""

from __future__ import annotations

from typing import Any

from cardgen.rules.results import Verdict
from tests.for_each import for_each
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


@for_each(
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


@for_each(
    ("kind", "rule", "words"),
    [
        ("each", {"holds": "value > 1"}, "“Worm”: value is 1"),
        ("each", {"holds": "value > 1 and 'old' in tags"}, "“Worm”: value is 1, tags is [“red”, “old”]"),
        ("each", {"holds": "cards('cards')|length > 2"}, "“Worm”: the rule does not hold"),
        ("share", {"part": "value > 1", "min": 0.5}, "1 of 3 copies of “cards” matches, 33.333 %"),
        ("unique", {"value": "value > 0"}, "the value is true on “Bug” and on “Worm”"),
        ("unique", {"value": "copies > 0"}, "the value is true on “Bug” and on “Worm”"),
        ("formula", {"value": "1 if 2 > 3 else 0", "equals": 1}, "the value is 0, it should be 1"),
        ("distribution", {"value": "value * 2", "mean": {"max": 1}}, "the mean of the value of “cards” is"),
        ("distribution", {"value": "value", "mean": {"max": 1}}, "the mean of `value` of “cards” is"),
        (
            "agrees",
            {"pairs": [{"this": "value > 1", "that": "'old' in tags"}]},
            "“Worm”: only one of the two is true (tags is [“red”, “old”], value is 1)",
        ),
    ],
)
def test_message_without_authors_words_has_values_and_no_expression(
    kind: str, rule: dict[str, Any], words: str
) -> None:
    chosen = {} if kind == "formula" else {"component": "cards"}
    result = judge_one(kind, CARDS, **chosen, **rule)
    assert result.findings[0].message.startswith(words)
    source = next(iter(rule.values()))
    if isinstance(source, str):
        assert any(source in line for line in result.looked_at)


def test_filter_is_named_but_not_quoted() -> None:
    (message,) = said("share", component="cards", where="value == 1", part="copies > 3", min=0.5)
    assert message == "0 of 2 copies of “cards” (filtered) match, 0 %, it should be at least 50 %"


def test_an_item() -> None:
    rule = {"component": "cards", "items": "tags", "holds": "item != 'old'"}
    assert said("each", **rule, message="{item} is on {title}") == ["“Worm”: old is on Worm (“old”)"]


def test_a_formula() -> None:
    rule = {"for": {"players": [2, 3]}, "value": "copies_in('cards') - players", "min": 1}
    words = said(
        "formula", **rule, message="with {players} players {figure} of {copies_in('cards')} are left"
    )
    assert words == ["with 3 players 0 of 3 are left (it should be at least 1)"]


@for_each("message", ["{vlaue} is little", "{value +} is little"])
def test_a_message_that_cannot_be_said_breaks_the_rule_even_if_all_is_well(message: str) -> None:
    result = judge_one("each", CARDS, component="cards", holds="true", message=message)
    assert result.verdict is Verdict.BROKEN
    assert [finding.location.path for finding in result.findings if finding.location] == ["rules/0/message"]


@for_each(
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


def test_a_formula_for_rows_stands_at_the_row() -> None:
    tables = {"setup": {"rows": [{"players": 2, "hand": 5}, {"players": 3, "hand": 4}]}}
    rule = {"for": {"row": "tables.setup.rows"}, "value": "row.players * row.hand", "max": 10}
    (finding,) = judge_one("formula", {**CARDS}, tables=tables, **rule).findings
    assert finding.location
    assert finding.location.path.endswith("rows/1")
    rule = {"for": {"card": "cards('cards')"}, "value": "card.copies", "max": 0}
    found = judge_one("formula", CARDS, **rule).findings
    assert {each.location.path.rsplit("/", 1)[0] for each in found if each.location} == {"components/cards"}
