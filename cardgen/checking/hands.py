"""Drawing cards without putting them back: every outcome with its exact chance, or random hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from random import Random
from typing import Any

from cardgen.sandbox import WrongValueError

MAX_OUTCOMES = 50_000
"""Most outcomes that are enumerated; beyond them the chance is estimated from random hands."""


def outcome_count(sizes: Sequence[int], draw: int) -> int:
    """How many different hands there are, cards of one class being alike: a coefficient of
    the product of 1 + x + … + x^size."""
    ways = [1] + [0] * draw
    for size in sizes:
        sums = [0]
        for way in ways:
            sums.append(sums[-1] + way)
        ways = [sums[total + 1] - sums[max(0, total - size)] for total in range(draw + 1)]
    return ways[draw]


def outcomes(sizes: Sequence[int], draw: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Each hand as counts of the classes, with the number of ways to draw it (multivariate
    hypergeometric: the product of the binomial coefficients)."""
    room = [0] * (len(sizes) + 1)
    for index in reversed(range(len(sizes))):
        room[index] = room[index + 1] + sizes[index]

    def fill(
        index: int, left: int, ways: int, counts: tuple[int, ...]
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        if index == len(sizes):
            yield counts, ways
            return
        for count in range(max(0, left - room[index + 1]), min(sizes[index], left) + 1):
            yield from fill(index + 1, left - count, ways * comb(sizes[index], count), (*counts, count))

    if draw <= room[0]:
        yield from fill(0, draw, 1, ())


def exact_chance(sizes: Sequence[int], draw: int, event: Callable[[tuple[int, ...]], bool]) -> Fraction:
    """The chance that a hand of `draw` cards is one for which `event(counts)` holds."""
    good = sum(ways for counts, ways in outcomes(sizes, draw) if event(counts))
    return Fraction(good, comb(sum(sizes), draw))


def sampled_hits(
    sizes: Sequence[int], draw: int, event: Callable[[tuple[int, ...]], bool], runs: int, seed: int
) -> int:
    """How many of `runs` random hands the event holds for. The same seed gives the same hands."""
    random = Random(seed)
    deck = [index for index, size in enumerate(sizes) for _ in range(size)]
    known: dict[tuple[int, ...], bool] = {}
    hits = 0
    for _ in range(runs):
        counts = [0] * len(sizes)
        for index in random.sample(deck, draw):
            counts[index] += 1
        hand = tuple(counts)
        if hand not in known:
            known[hand] = event(hand)
        hits += known[hand]
    return hits


def hand(keys: Sequence[Any], counts: tuple[int, ...]) -> Mapping[str, Any]:
    """The variables that an event reads: see `docs/rules.md`, probability."""
    by_key = dict(zip(keys, counts, strict=True))
    values: dict[str, Any] = {
        "counts": {("none" if key is None else str(key)): count for key, count in by_key.items()},
        "distinct": sum(1 for count in counts if count),
        "most_alike": max(counts, default=0),
    }
    if all(isinstance(key, (int, float)) for key in keys):
        values["total"] = sum(key * count for key, count in by_key.items())
    return values


def disjoint_sets(counts: Sequence[int], size: int) -> int:
    """How many disjoint sets of `size` different classes the cards hold.

    t sets can be formed exactly if the classes, each counted at most t times, have t·size cards: a
    class can serve each set once, and a round of dealing them out never gives one set two alike.
    """
    if size < 1:
        raise WrongValueError("a set has at least one card")
    sets = 0
    while sum(min(count, sets + 1) for count in counts) >= (sets + 1) * size:
        sets += 1
    return sets
