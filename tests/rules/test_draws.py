"""Chances: against every single hand, and against known answers."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.rules.chance import share_interval
from cardgen.rules.kinds.probability import (
    disjoint_sets,
    exact_chance,
    outcome_count,
    outcomes,
    sampled_hits,
)
from tests.wording import Wording

CODES = [8, 9, 10, 11, 12, 13]
SIZES = st.lists(st.integers(1, 4), min_size=1, max_size=4)


def test_known_answers() -> None:
    three = exact_chance(CODES, 6, lambda counts: sum(map(bool, counts)) >= 3)
    two_sets = exact_chance(CODES, 9, lambda counts: disjoint_sets(counts, 3) >= 2)
    assert round(float(three) * 100, 3) == 98.566
    assert round(float(two_sets) * 100, 3) == 99.067


@given(SIZES, st.integers(1, 6), st.integers(0, 3))
def test_against_every_hand(sizes: list[int], draw: int, wanted: int) -> None:
    deck = [index for index, size in enumerate(sizes) for _ in range(size)]
    hands = list(combinations(range(len(deck)), min(draw, len(deck))))
    draw = min(draw, len(deck))

    def event(counts: tuple[int, ...]) -> bool:
        return counts[0] >= wanted or sum(map(bool, counts)) == 2

    good = 0
    seen = set()
    for hand in hands:
        counts = tuple(sum(deck[card] == index for card in hand) for index in range(len(sizes)))
        seen.add(counts)
        good += event(counts)
    assert exact_chance(sizes, draw, event) == Fraction(good, len(hands))
    assert {counts for counts, _ in outcomes(sizes, draw)} == seen
    assert outcome_count(sizes, draw) == len(seen)


def test_too_few_cards_have_no_hand() -> None:
    assert list(outcomes([1, 1], 3)) == []
    assert outcome_count([1, 1], 3) == 0


@given(st.lists(st.integers(0, 4), min_size=1, max_size=4), st.integers(1, 3))
def test_disjoint_sets_against_all_ways(counts: list[int], size: int) -> None:
    @cache
    def most(left: tuple[int, ...]) -> int:
        best = 0
        for chosen in combinations([i for i, count in enumerate(left) if count], size):
            rest = tuple(sorted(count - (i in chosen) for i, count in enumerate(left)))
            best = max(best, 1 + most(rest))
        return best

    assert disjoint_sets(counts, size) == most(tuple(counts))


def test_a_set_has_a_card(wording: Wording) -> None:
    with pytest.raises(ValueError) as caught:
        disjoint_sets([1], 0)
    wording(caught.value)


def test_samples_follow_the_seed_and_the_chance() -> None:
    def event(counts: tuple[int, ...]) -> bool:
        return sum(map(bool, counts)) >= 3

    runs = 4000
    hits = sampled_hits(CODES, 6, event, runs, 5)
    assert hits == sampled_hits(CODES, 6, event, runs, 5)
    low, high = share_interval(hits, runs, 0.999)
    assert low < float(exact_chance(CODES, 6, event)) < high
