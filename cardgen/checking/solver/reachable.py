"""Which sums cards can come to: what a solver of fractions does not see is often a matter of adding up.

Cards of 2, 4 and 6 points never come to 7; two cards of 60 % are needed where fractions say 1.7. All sums
that so and so many cards can come to are a set of bits; closer bounds follow from it, and how many cards it
takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, gcd

from cardgen.checking.solver.effort import Effort
from cardgen.checking.solver.problem import Puzzle, Total

MAX_WORK = 100_000
"""Most additions of sets of sums for one need, counted in 2,000 bits; beyond, bounds stay as they are."""

_WORK_PER_STEP = 10
_SCALES = (1, 2, 4, 10, 100, 1000)
_SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Reach:
    """A need in whole numbers: its weights, the least and the most that a set meeting it can come to, and
    how many cards with a weight it then has."""

    weights: dict[int, int]
    least: int
    most: int
    fewest: int
    greatest: int
    possible: bool = True


_IMPOSSIBLE = Reach({}, 0, 0, 0, 0, False)


def reach(problem: Puzzle, need: Total, largest: int, effort: Effort) -> Reach | None:
    """What the sets of at most `largest` cards that meet a need come to; None where that is not worked
    out."""
    whole = _whole(need)
    if whole is None:
        return None
    weights, scale = whole
    cards = [(weight, problem.supplies[s].count) for s, weight in sorted(weights.items())]
    idle = sum(supply.count for s, supply in enumerate(problem.supplies) if s not in weights)
    below = sum(-weight * count for weight, count in cards if weight < 0)
    above = sum(weight * count for weight, count in cards if weight > 0)
    copies = sum(count for _, count in cards)
    most_cards = min(largest, copies)
    work = copies * (most_cards + 1) * (1 + (below + above) // 2000)
    if work > MAX_WORK:
        return None
    effort.spend(work // _WORK_PER_STEP)
    least = -below if need.least is None else max(-below, ceil(need.least * scale - _SLACK * scale))
    most = above if need.most is None else min(above, floor(need.most * scale + _SLACK * scale))
    if least > most:
        return _IMPOSSIBLE
    allowed = ((1 << (most - least + 1)) - 1) << (least + below)
    sums = _sums(cards, most_cards, below)
    met = {
        size: bits
        for size, each in enumerate(sums)
        if size >= problem.smallest - idle and (bits := each & allowed)
    }
    if not met:
        return _IMPOSSIBLE
    union = 0
    for bits in met.values():
        union |= bits
    low, high = (union & -union).bit_length() - 1 - below, union.bit_length() - 1 - below
    return Reach(weights, low, high, min(met), max(met))


def _sums(cards: Sequence[tuple[int, int]], largest: int, start: int) -> list[int]:
    """For each number of cards the sums that so many can come to, as bits from `start` below."""
    sums = [1 << start] + [0] * largest
    for weight, count in cards:
        for _ in range(count):
            for size in range(largest, 0, -1):
                before = sums[size - 1]
                if before:
                    sums[size] |= before << weight if weight > 0 else before >> -weight
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
