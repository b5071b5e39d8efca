"""Which sums cards can come to: what a solver of fractions does not see is often a matter of adding up.

Cards of 2, 4 and 6 points never come to 7; two cards of 60 % are needed where fractions say 1.7. All sums
that so and so many cards can come to are a set of bits; closer bounds follow from it, and how many cards it
takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, gcd, prod
from operator import add, le

from cardgen.checking.solver.effort import Effort
from cardgen.checking.solver.problem import Need, Puzzle, Total

MAX_WORK = 100_000
"""Most additions of sets of sums for one need, counted in 2,000 bits; beyond, bounds stay as they are."""
_MAX_WORK_BESIDE = 20_000
"""The same where other needs are heeded as well."""

_WORK_PER_STEP = 5
_SCALES = (1, 2, 4, 10, 100, 1000)
_SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Reach:
    """A need in whole numbers: its weights, the least and the most that a set meeting it can come to, and
    how many `cards` (supplies that it looks at) are then in the set."""

    weights: dict[int, int]
    least: int
    most: int
    cards: frozenset[int]
    fewest: int
    greatest: int
    possible: bool = True


_IMPOSSIBLE = Reach({}, 0, 0, frozenset(), 0, 0, False)


def reach(
    problem: Puzzle, need: Total, largest: int, effort: Effort, beside: Sequence[Need] = ()
) -> Reach | None:
    """What the sets of at most `largest` cards that meet a need come to; None where that is not worked
    out. Of the needs `beside` it, those are heeded that count cards, as far as that is little work."""
    whole = _whole(need)
    if whole is None:
        return None
    weights, scale = whole
    below = sum(-weight * problem.supplies[s].count for s, weight in weights.items() if weight < 0)
    above = sum(weight * problem.supplies[s].count for s, weight in weights.items() if weight > 0)
    wide = 1 + (below + above) // 2000
    everything = sum(supply.count for supply in problem.supplies)
    work = everything * (min(largest, everything) + 1) * wide
    counts: list[_Count] = []
    for each in _counts(need, beside):
        if work * (each.most + 1) <= _MAX_WORK_BESIDE:
            work *= each.most + 1
            counts.append(each)
    cards = frozenset(weights).union(*(each.cards for each in counts))
    copies = {s: problem.supplies[s].count for s in sorted(cards)}
    most_cards = min(largest, sum(copies.values()))
    work = sum(copies.values()) * (most_cards + 1) * wide * prod(each.most + 1 for each in counts)
    if work > MAX_WORK:
        return None
    effort.spend(work // _WORK_PER_STEP)
    least = -below if need.least is None else max(-below, ceil(need.least * scale - _SLACK * scale))
    most = above if need.most is None else min(above, floor(need.most * scale + _SLACK * scale))
    if least > most:
        return _IMPOSSIBLE
    allowed = ((1 << (most - least + 1)) - 1) << (least + below)
    fewest = problem.smallest - everything + sum(copies.values())
    sizes: set[int] = set()
    union = 0
    for (size, *found), sums in _sums(weights, copies, counts, most_cards, below).items():
        enough = size >= fewest and all(
            have >= each.least for have, each in zip(found, counts, strict=True)
        )
        if enough and sums & allowed:
            sizes.add(size)
            union |= sums & allowed
    if not union:
        return _IMPOSSIBLE
    low, high = (union & -union).bit_length() - 1 - below, union.bit_length() - 1 - below
    return Reach(weights, low, high, cards, min(sizes), max(sizes))


@dataclass(frozen=True, slots=True)
class _Count:
    """How many of these cards there are to be."""

    cards: frozenset[int]
    least: int
    most: int


def _counts(need: Total, beside: Sequence[Need]) -> Iterator[_Count]:
    """The needs beside one that count cards from both ends: with one that is bounded so itself, they leave
    few sums."""
    for each in beside:
        if need.most is None or each is need or not isinstance(each, Total) or each.most is None:
            continue
        if all(weight in (0, 1) for weight in each.weights.values()):
            cards = frozenset(s for s, weight in each.weights.items() if weight)
            yield _Count(cards, ceil((each.least or 0) - _SLACK), max(0, floor(each.most + _SLACK)))


def _sums(
    weights: Mapping[int, int],
    copies: Mapping[int, int],
    counts: Sequence[_Count],
    largest: int,
    start: int,
) -> dict[tuple[int, ...], int]:
    """For each number of cards, and of those counted, the sums that so many can come to, as bits from
    `start` below."""
    sums = {(0,) * (1 + len(counts)): 1 << start}
    for s, count in copies.items():
        weight = weights.get(s, 0)
        more = (1, *(int(s in each.cards) for each in counts))
        ends = (largest, *(each.most for each in counts))
        for _ in range(count):
            for key, before in list(sums.items()):
                after = tuple(map(add, key, more))
                if all(map(le, after, ends)):
                    sums[after] = sums.get(after, 0) | (
                        before << weight if weight > 0 else before >> -weight
                    )
    return sums


def _whole(need: Total) -> tuple[dict[int, int], float] | None:
    """The weights as whole numbers without a common divisor, and by what they were multiplied."""
    given = {s: weight for s, weight in need.weights.items() if weight}
    for scale in _SCALES:
        made = {s: round(weight * scale) for s, weight in given.items()}
        if all(abs(made[s] - weight * scale) <= _SLACK for s, weight in given.items()):
            common = gcd(*made.values()) or 1
            return {s: weight // common for s, weight in made.items()}, scale / common
    return None
