"""What is hard to solve is settled in few steps, or given up after a stated number of them."""

from __future__ import annotations

import sys
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core import progress
from cardgen.rules import judging as judge_module
from cardgen.rules.kinds.satisfiable import DEFAULT_STEPS
from cardgen.rules.results import Verdict
from cardgen.rules.solver import (
    Coverage,
    CoverageProblem,
    Demand,
    Effort,
    OutOfStepsError,
    Supply,
    Total,
    chained,
    reach,
)
from tests.for_each import for_each
from tests.wording import Wording

from .decks import ROOT, judge_one

sys.path.insert(0, str(ROOT / "benchmarks"))

import solving


@for_each(
    ("name", "most", "said"),
    [
        ("odd-of-even", 20_000, "1 of 1 can't be met"),
        ("halves", 20_000, "1 of 2 can't be met"),
        ("pigeons", 40_000, "10 of 10 can't be met"),
        ("crowd", 40_000, "11 of 20 can't be met"),
        ("lost-copies", 10_000, "7 may be lost"),
        ("lost-in-overlaps", 20_000, "7 may be lost"),
        ("lost-ranks", 60_000, "7 may be lost"),
    ],
)
def test_what_is_plain_to_see_is_settled_in_few_steps(name: str, most: int, said: str) -> None:
    effort = Effort(DEFAULT_STEPS)
    assert solving.answer(solving.CASES[name](), effort) == said
    assert effort.used <= most


def test_what_is_hard_is_given_up(wording: Wording) -> None:
    effort = Effort(50_000, question="whether it can be met")
    said = solving.answer(solving.CASES["three-halves"](), effort)
    wording(said, "50,000")
    with pytest.raises(OutOfStepsError):
        effort.spend(1)


def test_the_first_node_of_a_wide_problem_is_given_up_as_well() -> None:
    """One that would take minutes: no node of it ends within the steps."""
    effort = Effort(60_000)
    assert solving.answer(solving.CASES["wide"](), effort) == "not settled after 60,000 steps"


def test_what_it_takes_is_the_same_every_time() -> None:
    used = []
    for _ in range(2):
        effort = Effort(50_000)
        solving.answer(solving.CASES["three-halves"](), effort)
        used.append(effort.used)
    assert used[0] == used[1]


def test_sums_and_how_many_cards_are_looked_at_together() -> None:
    """An even number of odd cards comes to no odd sum; as many of each color neither."""
    odd = [2 * n + 1 for n in range(24)]
    ten = solving.points([1] * 24, 10, 10, "cards")
    mixed = [2 * n + n % 2 for n in range(18)]
    two = [solving.points([(n + k) % 2 for n in range(18)], 3 + k, 3 + k, f"color {k}") for k in (0, 1)]
    for cards, needs in (
        (24, [solving.points(odd, 251, 251), ten]),
        (18, [solving.points(mixed, 120, 120), *two]),
    ):
        effort = Effort(DEFAULT_STEPS)
        problem = solving.puzzle(cards, [needs])
        assert solving.answer((problem, 0), effort) == "1 of 1 can't be met"
        assert effort.used < 20_000


weighed = st.lists(st.tuples(st.sampled_from([-2, -1, 0.5, 1, 2, 3, 4, 6]), st.integers(1, 2)), max_size=4)


@given(weighed, st.none() | st.integers(-3, 12), st.none() | st.integers(-3, 12), st.integers(0, 2))
def test_the_sums_there_are_against_every_choice(
    cards: list[tuple[float, int]], least: int | None, most: int | None, smallest: int
) -> None:
    supplies = tuple(Supply((f"s{n}",) * count) for n, (_, count) in enumerate(cards))
    need = Total("points", {n: float(weight) for n, (weight, _) in enumerate(cards)}, least, most)
    problem = CoverageProblem(supplies, (Demand("d", (need,)),), smallest, 3)
    found = reach(problem, need, 3, Effort(10**6))
    assert found is not None
    kept = [
        chosen
        for chosen in product(*(range(count + 1) for _, count in cards))
        if smallest <= sum(chosen) <= 3
        and (least is None or sum(n * w for n, (w, _) in zip(chosen, cards, strict=True)) >= least)
        and (most is None or sum(n * w for n, (w, _) in zip(chosen, cards, strict=True)) <= most)
    ]
    assert found.possible is bool(kept)
    for chosen in kept:
        assert found.least <= sum(found.weights.get(s, 0) * n for s, n in enumerate(chosen)) <= found.most
        assert found.fewest <= sum(n for s, n in enumerate(chosen) if s in found.cards) <= found.greatest


def test_chains_lead_from_the_strongest_to_the_weakest() -> None:
    vectors = [(1.0, 1.0), (3.0, 0.0), (2.0, 2.0), (1.0, 1.0), (3.0, 3.0), (float("-inf"), 0.0)]
    assert chained(vectors, Effort(100)) == [[4, 1, 5], [2, 0, 3]]


GAME: dict[str, Any] = {
    "places": [{"id": f"p{n}", "title": f"Place {n}"} for n in range(5)],
    "data": [{"id": f"d{n}", "points": 1000 + 7 * n * n} for n in range(20)],
}
SHARES: dict[str, Any] = {
    "demand": {"component": "places"},
    "supply": {"component": "data"},
    "needs": [{"name": "points", "sum": "supply.points", "at_least": 4800}],
    "together": "all",
}


HALVES: dict[str, Any] = {
    "demand": {"component": "places", "where": "id == 'p0'"},
    "supply": {"component": "data"},
    "needs": [
        {"name": f"sum {n}", "sum": f"supply.points * {by} % 97", "at_least": 481, "at_most": 481}
        for n, by in enumerate((3, 5, 11))
    ],
    "alone": True,
}


def test_a_rule_says_what_was_not_settled_after_how_many_steps() -> None:
    result = judge_one("satisfiable", GAME, **HALVES, steps=9000)
    assert result.verdict is Verdict.UNDECIDED
    (finding,) = result.findings
    text = "undecided: not settled after 9,000 steps: whether “Place 0” can be met alone"
    assert finding.message == text
    assert finding.location is not None
    assert finding.location.path.endswith("steps")


def test_a_rule_that_fails_fails_though_not_all_about_it_is_settled(wording: Wording) -> None:
    cards = {**GAME, "data": GAME["data"][:15]}
    result = judge_one("satisfiable", cards, **SHARES, steps=3000)
    assert result.verdict is Verdict.FAIL
    wording(result.findings)
    (unsettled,) = [each for each in result.measures if each.name == "not settled"]
    wording(unsettled.words, "3,000")


def test_who_watches_hears_how_far_the_solver_is() -> None:
    told: list[tuple[str, int, int]] = []
    with progress.told_to(lambda *step: told.append(step)):
        judge_one("satisfiable", GAME, **HALVES, steps=9000)
    mine = [done for step, done, of in told if of == 9000 and step.startswith("whether “Place 0”")]
    assert len(mine) > 3
    assert mine == sorted(mine)


def test_all_steps_are_told_to_those_who_count_them_too() -> None:
    spent: list[int] = []
    effort = Effort(600_000, spent=spent.append)
    puzzle = CoverageProblem((Supply(("a",)),), (Demand("d", (Total("n", {0: 1.0}, 1),)),), 0, 1)
    assert Coverage(puzzle, effort).satisfy([0]) is not None
    assert 1000 <= effort.used == sum(spent) < 2000


def test_no_more_steps_are_taken_than_there_are() -> None:
    """Else the steps that all rules share would be owed, and the rule broken in place of undecided."""
    spent: list[int] = []
    effort = Effort(100, spent=spent.append)
    effort.took(250)
    assert (effort.used, effort.left, sum(spent)) == (100, 0, 100)
    with pytest.raises(OutOfStepsError):
        effort.spend(1)


def test_a_rule_for_which_the_others_left_too_few_steps_says_so(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr(judge_module._Allowance, "__init__", lambda self: setattr(self, "steps", 3000))
    result = judge_one("satisfiable", GAME, **HALVES)
    assert result.verdict is Verdict.BROKEN
    wording(result.findings[0], "2,000,000")
