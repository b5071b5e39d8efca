"""Rules that a tired hand writes: each is said to be wrong, none passes for ever or ends the program."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.checking import RuleResult, Verdict

from .decks import judge_one

CARDS: dict[str, Any] = {
    "cards": [
        {"id": f"c{number}", "cost": number % 4, "rarity": "rare" if number % 5 == 0 else "common"}
        for number in range(20)
    ]
}
HAND: dict[str, Any] = {"draw": 5, "event": "cheap >= 1", "having": {"cheap": "cost <= 1"}}
PACK: dict[str, Any] = {"slots": [{"component": "cards", "count": 3}], "group_by": "rarity"}


def said(result: RuleResult) -> tuple[str, str | None]:
    finding = result.findings[0]
    assert finding.location is not None
    return f"{finding.location.path}: {finding.message}", finding.hint


@pytest.mark.parametrize(
    ("kind", "parameters", "path"),
    [
        ("share", {"part": "cost > 1", "max": 75}, "max"),
        ("share", {"part": "cost > 1", "min": -0.1}, "min"),
        ("probability", {**HAND, "max": 90}, "max"),
        ("booster", {**PACK, "lacks": {"rare": {"max": 20}}}, "lacks/rare/max"),
        ("booster", {**PACK, "lacks": {"rare": 20}}, "lacks/rare"),
        ("distribution", {"value": "cost", "target": {"shares": {"0": 1}, "max": 20}}, "target/max"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_part_of_a_whole_is_never_asked_for_in_per_cent(
    kind: str, parameters: dict[str, Any], path: str
) -> None:
    """It would hold, or fail, whatever the cards are."""
    more = {} if kind == "booster" else {"component": "cards"}
    result = judge_one(kind, CARDS, **more, **parameters)
    assert result.verdict is Verdict.BROKEN
    text, hint = said(result)
    assert text.startswith(f"rules/0/{path}: ")
    assert "lies between 0 and 1" in text
    assert hint is not None


def test_a_chance_of_a_process_is_no_per_cent_either() -> None:
    steps = {
        "zones": {"deck": {"component": "cards"}},
        "steps": [{"shuffle": "deck"}],
        "runs": 100,
        "seed": 1,
    }
    asked = {"name": "high", "value": "deck[0].cost > 1", "max": 60}
    result = judge_one("simulate", CARDS, measures=[asked], **steps)
    assert result.verdict is Verdict.BROKEN
    assert "lies between 0 and 1" in said(result)[0]


@pytest.mark.parametrize("name", ["true", "none", "not", "in", "if", "and"])
def test_a_condition_has_no_name_that_means_something_else(name: str) -> None:
    hand = {"having": {name: "cost <= 1"}, "draw": 5, "event": f"{name} >= 1", "min": 0.1}
    result = judge_one("probability", CARDS, component="cards", **hand)
    assert result.verdict is Verdict.BROKEN
    assert said(result) == (
        f"rules/0/having/{name}: the rule cannot be judged: “{name}” means something else in an event",
        "choose another",
    )


@pytest.mark.parametrize("event", ["true", "'no'", "1 < 2"])
def test_an_event_looks_at_the_hand(event: str) -> None:
    result = judge_one("probability", CARDS, component="cards", **{**HAND, "event": event}, min=0.5)
    assert result.verdict is Verdict.BROKEN
    assert "reads nothing of the hand" in said(result)[0]


def test_half_of_an_even_number_of_cards_is_drawn() -> None:
    result = judge_one("probability", CARDS, component="cards", **{**HAND, "draw": "10 / 2"}, min=0.1)
    assert result.verdict is Verdict.PASS
    result = judge_one("probability", CARDS, component="cards", **{**HAND, "draw": "11 / 2"}, min=0.1)
    assert said(result)[0].endswith("draw is a whole number of cards, this is 5.5")


def test_a_group_that_no_pack_can_have_is_a_finding() -> None:
    result = judge_one("booster", CARDS, **PACK, as_fan={"raer": {"max": 2}})
    assert result.verdict is Verdict.FAIL
    assert said(result) == (
        "rules/0/as_fan/raer: no card of the slots is in group “raer”",
        "did you mean “rare”?",
    )
    for none in (0, {"max": 0}):
        assert judge_one("booster", CARDS, **PACK, as_fan={"raer": none}).verdict is Verdict.PASS


def test_a_board_may_have_no_space_where_the_rule_says_so() -> None:
    asked = {"links": "cost", "connected": True, "diameter": {"max": 1}, "degree": {"min": 1}}
    none = {"component": "cards", "where": "cost > 99", "may_select_none": True}
    assert judge_one("graph", CARDS, **none, **asked).verdict is Verdict.PASS


def test_a_number_is_not_taken_for_its_text() -> None:
    rooms = {"rooms": [{"id": "a", "nr": 1, "to": ["2"]}, {"id": "b", "nr": 2, "to": []}]}
    result = judge_one("graph", rooms, name="nr", links="to", connected=True)
    assert said(result)[1] == "there is a space called by the number 2, this is the text “2”"
    result = judge_one("graph", rooms, name="nr", links="nr", distances=[{"from": "1", "to": 2, "max": 1}])
    assert "there is a space called by the number 1, this is the text “1”" in {
        finding.hint for finding in result.findings
    }


def test_a_large_board_is_only_measured_where_it_is_asked() -> None:
    """Ways between all pairs of spaces take long; whether all can be reached is soon known."""
    spaces = {"rooms": [{"id": f"r{n}", "to": [f"r{(n + 1) % 1500}"]} for n in range(1500)]}
    assert judge_one("graph", spaces, links="to", connected=True).verdict is Verdict.PASS
    result = judge_one("graph", spaces, links="to", diameter={"max": 9})
    assert result.verdict is Verdict.BROKEN
    assert "steps" in said(result)[0]


def test_groups_without_a_difference_are_said_to_be_alike() -> None:
    asked = {"of": "lowest", "min": 1}
    result = judge_one(
        "distribution", CARDS, component="cards", value="cost", group_by="rarity", between=asked
    )
    assert said(result)[0].endswith("the lowest is 0 in every group, and should be at least 1 apart")


def test_a_field_that_hides_a_function_is_named() -> None:
    """A step of a set-up has a number of `cards`."""
    steps = {"cards": [{"id": "deal", "cards": 5}]}
    result = judge_one("each", steps, component="cards", holds="cards == cards('cards')|length")
    assert result.verdict is Verdict.BROKEN
    assert said(result)[0].endswith("a number can't be called: the field “cards” hides the function")


def test_what_is_listed_is_missing_where_no_card_is_chosen() -> None:
    none = {"component": "cards", "where": "cost > 99", "value": "id", "may_select_none": True}
    result = judge_one("exactly", CARDS, **none, are=["fox"])
    assert result.verdict is Verdict.FAIL
    assert "fox" in said(result)[0]
    assert judge_one("exactly", CARDS, **none, are=[]).verdict is Verdict.PASS
    assert judge_one("exactly", CARDS, **none, group_by="cost", are=["fox"]).verdict is Verdict.PASS
