"""Kinds `booster` and `graph`: figures that are known by other means."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from cardgen.rules.results import RuleResult, Verdict
from tests.for_each import for_each
from tests.wording import Wording

from .decks import judge_one

CARDS = [
    {"id": "a", "rarity": "common", "color": ["red"], "copies": 3},
    {"id": "b", "rarity": "common", "color": ["red", "blue"], "copies": 2},
    {"id": "c", "rarity": "rare", "color": ["blue"], "copies": 2},
]


def exact(result: RuleResult) -> dict[str, Fraction]:
    return {measure.name: Fraction(measure.exact) for measure in result.measures if measure.exact}


def test_a_pack_is_what_all_of_its_hands_come_to() -> None:
    """Every pack there is, counted one by one: two cards of all, then one common one."""
    slots = [{"count": 2}, {"where": "rarity == 'common'"}]
    found = exact(judge_one("booster", {"cards": CARDS}, slots=slots, group_by="color", report=True))
    pool = [card for card in CARDS for _ in range(int(str(card["copies"])))]
    packs = [
        (*pair, card)
        for pair in combinations(range(len(pool)), 2)
        for card in range(len(pool))
        if pool[card]["rarity"] == "common"
    ]
    for color in ("red", "blue"):
        held = [sum(color in str(pool[card]["color"]) for card in pack) for pack in packs]
        assert found[f"{color}: as-fan"] == Fraction(sum(held), len(packs))
        assert found[f"{color}: lacking"] == Fraction(held.count(0), len(packs))


def test_a_choice_fills_all_of_a_slot() -> None:
    choices = [{"where": "rarity == 'rare'", "weight": 1}, {"where": "rarity == 'common'", "weight": 2}]
    slots = [{"count": 2, "one_of": choices}]
    found = exact(judge_one("booster", {"cards": CARDS}, slots=slots, group_by="rarity", report=True))
    assert found == {
        "rare: as-fan": Fraction(2, 3),
        "rare: lacking": Fraction(2, 3),
        "common: as-fan": Fraction(4, 3),
        "common: lacking": Fraction(1, 3),
    }


@for_each(
    ("slots", "more"),
    [
        ([{"count": 8}], {"as_fan": {"rare": 1}}),
        ([{}], {}),
        ([{}], {"as_fan": {"rare": 1}, "report": True}),
        ([{"where": "copies > 1", "one_of": [{"weight": 1}]}], {"as_fan": {"rare": 1}}),
    ],
)
def test_a_pack_that_can_not_be_filled_is_broken(slots: Any, more: Any, wording: Wording) -> None:
    result = judge_one("booster", {"cards": CARDS}, slots=slots, group_by="rarity", **more)
    assert result.verdict is Verdict.BROKEN
    wording(result.findings[0])


def line(count: int) -> list[dict[str, Any]]:
    return [
        {"id": f"s{each}", "next": [f"s{each + 1}"] if each < count - 1 else []} for each in range(count)
    ]


def test_the_longest_way_of_a_line_is_all_of_it(wording: Wording) -> None:
    board = {"spaces": line(9)}
    result = judge_one("graph", board, links="next", connected=True, diameter={"equals": 8})
    assert result.verdict is Verdict.PASS
    figures = {measure.name: measure.value for measure in result.measures}
    ends = {"fewest neighbors": 1, "most neighbors": 2}
    assert figures == {"spaces": 9, "links": 8, **ends, "connected": "yes", "diameter": 8}
    result = judge_one("graph", board, links="next", one_way=True, connected=True)
    wording(result.findings[0])


def test_a_way_says_where_it_leads() -> None:
    spaces = [*line(5), {"id": "short", "next": ["s0", "s4"]}]
    distances = [{"from": "s0", "to": "s4", "min": 3}]
    result = judge_one("graph", {"spaces": spaces}, links="next", distances=distances)
    assert [(each.message, each.hint) for each in result.findings] == [
        ("the way from “s0” to “s4” is 2 links, it should be at least 3", "s0 → short → s4")
    ]


@for_each(
    "more",
    [
        {},
        {"distances": [{"from": "s0", "to": "s9", "min": 1}]},
        {"distances": [{"from": "s0", "to": "s1"}]},
        {"diameter": {"max": 1}, "report": True},
    ],
)
def test_a_question_about_no_board_is_broken(more: Any, wording: Wording) -> None:
    result = judge_one("graph", {"spaces": line(3)}, links="next", **more)
    assert result.verdict is Verdict.BROKEN
    wording(result.findings[0])


def test_two_spaces_of_one_name_and_parts_are_found(wording: Wording) -> None:
    spaces = [*line(3), {"id": "s1"}, {"id": "far", "next": ["away"]}, {"id": "away"}]
    result = judge_one("graph", {"spaces": spaces}, links="next", connected=True)
    wording(result.findings)
    assert result.findings[1].hint == "change these as well: away"
    result = judge_one("graph", {"spaces": spaces[:3] + spaces[4:]}, links="next", diameter={"max": 2})
    wording(result.findings[0])


@pytest.mark.long
def test_a_board_too_large_to_walk_is_broken() -> None:
    result = judge_one("graph", {"spaces": line(1_200)}, links="next", diameter={"max": 2})
    assert result.verdict is Verdict.BROKEN
    assert "steps" in result.findings[0].message
