"""What hard questions of the kind `satisfiable` take: steps, seconds of processor time, and the answer.

    python benchmarks/solving.py [NAME ...]

Small cases that solvers find hard, though a person sees the answer: sums that no cards come to, cards that
each serve nearly two demands, copies of which some are lost, demands that are all alike.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cardgen.rules.kinds.satisfiable import DEFAULT_STEPS
from cardgen.rules.solver import (
    Assignment,
    Coverage,
    CoverageProblem,
    Demand,
    Effort,
    Losses,
    Need,
    OutOfStepsError,
    Supply,
    Token,
    Total,
    smallest_unsatisfiable,
)

Case = tuple[CoverageProblem, int]
"""A problem, and up to how many lost cards its margin is sought."""
CASES: dict[str, Callable[[], Case]] = {}


def case(made: Callable[[], Case]) -> Callable[[], Case]:
    CASES[made.__name__.replace("_", "-")] = made
    return made


def points(weights: Sequence[int], least: int, most: int | None = None, name: str = "points") -> Total:
    return Total(name, {s: float(weight) for s, weight in enumerate(weights)}, least, most)


def puzzle(
    cards: int, demands: Sequence[Sequence[Need]], copies: int = 1, largest: int | None = None
) -> CoverageProblem:
    supplies = tuple(Supply((f"card {s}",) * copies) for s in range(cards))
    asked = tuple(Demand(f"demand {d}", tuple(needs)) for d, needs in enumerate(demands))
    return CoverageProblem(supplies, asked, 0, largest or cards * copies)


@case
def odd_of_even() -> Case:
    """An odd sum of cards that are all worth an even one."""
    weights = [2 * random.Random(9).randint(500, 999) for _ in range(40)]
    return puzzle(40, [[points(weights, 10_001, 10_001)]]), 0


@case
def ten_odd() -> Case:
    """An odd sum of ten cards that are all worth an odd one."""
    need = points([2 * n + 1 for n in range(24)], 251, 251)
    return puzzle(24, [[need, points([1] * 24, 10, 10, "cards")]]), 0


@case
def halves() -> Case:
    """Two piles of one odd sum, of twenty even cards."""
    primes = (13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97)
    half = sum(primes) + 1 - sum(primes) % 2
    return puzzle(20, [[points([2 * p for p in primes], half, half)]] * 2), 0


@case
def pigeons() -> Case:
    """Nineteen cards of a little more than a half, of which ten demands need two each."""
    return puzzle(19, [[points(range(60, 79), 100)]] * 10), 0


@case
def crowd() -> Case:
    """Twenty equal demands, and cards for half of them."""
    return puzzle(1, [[points([1], 1)]] * 20, copies=10), 0


@case
def ranked_crowd() -> Case:
    """Sixteen demands, each a little harder than the one before, and cards for some."""
    return puzzle(24, [[points(range(1, 25), 30 + d)] for d in range(16)]), 0


@case
def lost_copies() -> Case:
    """Six of forty-eight cards may be lost, twelve of each of four kinds."""
    demands = [[Assignment("parts", (Token(f"part {d % 4}", 2, frozenset({d % 4})),))] for d in range(8)]
    return puzzle(4, demands, copies=12), 6


@case
def lost_in_overlaps() -> Case:
    """Six of forty cards may be lost, each good for some of two tokens."""
    tokens = [frozenset(s for s in range(20) if (s * 7 + j * 3) % 5 < 2) for j in range(2)]
    need = Assignment("parts", tuple(Token(f"part {j}", 1, token) for j, token in enumerate(tokens)))
    return puzzle(20, [[need]] * 8, copies=2), 6


@case
def lost_ranks() -> Case:
    """Six of twenty-four cards may be lost, each worth a point more than the one before."""
    return puzzle(24, [[points(range(10, 34), 30)]] * 6, largest=4), 6


@case
def threes() -> Case:
    """Five piles of exactly a hundred."""
    weights = [49, 31, 44, 48, 36, 46, 40, 36, 38, 29, 35, 27, 26, 13, 2]
    return puzzle(15, [[points(weights, 100, 100)]] * 5), 0


@case
def fair_shares() -> Case:
    """Five shares of eighteen cards without a point to spare."""
    weights = [random.Random(s).randint(101, 199) for s in range(18)]
    return puzzle(18, [[points(weights, sum(weights) // 5)]] * 5), 0


@case
def three_halves() -> Case:
    """Half of each of three sums at once, of thirty cards: given up."""
    chance = random.Random(1)
    sums = [[chance.randint(0, 99) for _ in range(30)] for _ in range(3)]
    return puzzle(30, [[points(w, sum(w) // 2, sum(w) // 2, f"sum {n}") for n, w in enumerate(sums)]]), 0


@case
def wide() -> Case:
    """Forty demands of two hundred cards, with sums that must be hit: given up."""
    chance = random.Random(13)
    rows = [([chance.randint(0, 9) for _ in range(200)] for _ in range(2)) for _ in range(40)]
    return puzzle(200, [[points(a, 36, 36), points(b, 35, 37, "more")] for a, b in rows], largest=5), 0


def answer(asked: Case, effort: Effort) -> str:
    """What came out, in a few words."""
    problem, losses = asked
    try:
        coverage = Coverage(problem, effort)
        if coverage.satisfy(range(len(problem.demands))) is None:
            broken, _ = smallest_unsatisfiable(coverage, effort)
            return f"{len(broken or ())} of {len(problem.demands)} can't be met"
        if not losses:
            return "all can be met"
        found = Losses(coverage, effort, len(problem.demands)).margin(losses)
        return found.unsettled or f"{found.least - (found.failing is not None)} may be lost"
    except OutOfStepsError as error:
        return str(error)


def main(names: Sequence[str]) -> None:
    print(f"{'case':<18}{'steps':>9}{'CPU s':>8}  answer")
    for name in names or CASES:
        effort, asked = Effort(DEFAULT_STEPS), CASES[name]()
        began = time.process_time()
        said = answer(asked, effort)
        print(f"{name:<18}{effort.used:>9,}{time.process_time() - began:>8.2f}  {said}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
