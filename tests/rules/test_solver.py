"""The coverage solver against plain search through every possibility, on small decks."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.rules.kinds.satisfiable import reason, scarcities
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
    meets,
    smallest_unsatisfiable,
    unprovided,
)
from tests.for_each import for_each
from tests.wording import Wording

Cards = tuple[int, ...]


@st.composite
def problems(draw: st.DrawFn) -> CoverageProblem:
    """Up to three demands and five cards: tokens, a second list of tokens, a sum, a size."""
    kinds = draw(st.integers(2, 4))
    counts = [draw(st.integers(1, 2)) for _ in range(kinds)]
    supplies = tuple(Supply((f"s{kind}",) * count) for kind, count in enumerate(counts))
    provides = [draw(st.sets(st.sampled_from("xyz"), max_size=2)) for _ in range(kinds)]
    suits = [draw(st.sampled_from("mn")) for _ in range(kinds)]
    points = [draw(st.integers(0, 3)) for _ in range(kinds)]
    demands = []
    for number in range(draw(st.integers(1, 3))):
        wanted = draw(st.lists(st.sampled_from("xyz"), max_size=2))
        suit = draw(st.sampled_from("mn-"))
        needs: list[Need] = [
            Assignment("parts", tuple(token(t, wanted.count(t), provides) for t in sorted(set(wanted))))
        ]
        if suit != "-":
            needs.append(Assignment("suits", (token(suit, 1, suits),)))
        least = draw(st.none() | st.integers(0, 2))
        if least is not None:
            of = draw(st.sets(st.integers(0, kinds - 1), min_size=1))
            needs.append(Total("cards", dict.fromkeys(of, 1.0), least, least + draw(st.integers(0, 1))))
        weights = {kind: float(point) for kind, point in enumerate(points) if point}
        most = draw(st.none() | st.integers(2, 5))
        needs.append(Total("points", weights, draw(st.integers(0, 4)), most))
        demands.append(Demand(f"d{number}", tuple(needs)))
    smallest = draw(st.integers(0, 1))
    return CoverageProblem(supplies, tuple(demands), smallest, draw(st.integers(1, 4)))


def token(label: str, times: int, provides: list[set[str]] | list[str]) -> Token:
    return Token(label, times, frozenset(kind for kind, given in enumerate(provides) if label in given))


def cards_of(problem: CoverageProblem) -> list[int]:
    return [kind for kind, supply in enumerate(problem.supplies) for _ in range(supply.count)]


class Search:
    """Every possibility of a problem, each tried once however often it is asked for."""

    def __init__(self, problem: CoverageProblem) -> None:
        self.problem = problem
        self.kinds = cards_of(problem)
        self.fits = functools.cache(self._fits)
        self.possible = functools.cache(self._possible)

    def _fits(self, demand: int, cards: Cards) -> bool:
        """Whether cards of these kinds meet the demand, tokens tried in every order."""
        if not self.problem.smallest <= len(cards) <= self.problem.largest:
            return False
        for need in self.problem.demands[demand].needs:
            if isinstance(need, Total):
                total = sum(need.weights.get(card, 0) for card in cards)
                if need.least is not None and total < need.least:
                    return False
                if need.most is not None and total > need.most:
                    return False
            elif not assignable([t.providers for t in need.tokens for _ in range(t.times)], list(cards)):
                return False
        return True

    def _possible(self, demands: tuple[int, ...], lost: Cards = ()) -> bool:
        """Whether disjoint sets meet the demands, all sets tried; `lost` are card numbers."""

        def meet(rest: tuple[int, ...], free: frozenset[int]) -> bool:
            if not rest:
                return True
            return any(
                self.fits(rest[0], tuple(self.kinds[card] for card in chosen))
                and meet(rest[1:], free - set(chosen))
                for chosen in subsets(free)
            )

        return meet(demands, frozenset(range(len(self.kinds))) - set(lost))


def assignable(wants: list[frozenset[int]], cards: list[int]) -> bool:
    if not wants:
        return True
    return any(
        card in wants[0] and assignable(wants[1:], cards[:place] + cards[place + 1 :])
        for place, card in enumerate(cards)
    )


def subsets(cards: frozenset[int]) -> Iterator[Cards]:
    for size in range(len(cards) + 1):
        yield from combinations(sorted(cards), size)


def groups(problem: CoverageProblem, size: int) -> list[tuple[int, ...]]:
    return list(combinations(range(len(problem.demands)), size))


def test_meeting_nothing_is_always_possible() -> None:
    """A program that presolve in HiGHS 1.15 calls infeasible: no demand has to be met."""
    every = frozenset(range(4))
    points = Total("points", {0: 2.0, 2: 1.0, 3: 1.0}, 4)
    suits = Assignment("suits", (Token("m", 1, every),))
    parts = Assignment("parts", (Token("z", 1, frozenset({0, 2})),))
    problem = CoverageProblem(
        tuple(Supply((f"s{number}",)) for number in range(4)),
        (Demand("d0", (parts, suits, points)), Demand("d1", (suits,))),
        smallest=1,
        largest=1,
    )
    best = Coverage(problem, Effort(10**9)).satisfy((), most=True)
    assert best is not None
    assert best.met == (1,)


@pytest.mark.long
@given(problems())
def test_against_every_possibility(problem: CoverageProblem) -> None:
    check_against_every_possibility(problem)


@pytest.mark.long
@given(problems())
def test_many_against_every_possibility(problem: CoverageProblem) -> None:
    check_against_every_possibility(problem)


def check_against_every_possibility(problem: CoverageProblem) -> None:
    budget, possible = Effort(10**9), Search(problem).possible
    coverage = Coverage(problem, budget)
    everything = tuple(range(len(problem.demands)))
    sizes = range(1, len(everything) + 1)
    for size in sizes:
        for demands in groups(problem, size):
            witness = coverage.satisfy(demands)
            assert (witness is not None) is possible(demands)
            if witness:
                assert set(witness.met) == set(demands)
                check_witness(problem, witness.taken)
    largest = max((s for s in sizes if any(possible(g) for g in groups(problem, s))), default=0)
    best = coverage.satisfy((), most=True)
    assert best is not None
    assert len(best.met) == largest
    broken, _ = smallest_unsatisfiable(coverage, budget)
    least = next((s for s in sizes if not all(possible(g) for g in groups(problem, s))), None)
    assert (len(broken) if broken else None) == least
    assert broken is None or not possible(broken)


def check_witness(problem: CoverageProblem, taken: object) -> None:
    assert isinstance(taken, dict)
    used: dict[int, int] = {}
    for demand, counts in taken.items():
        assert meets(problem.demands[demand], counts, problem)
        for kind, count in counts.items():
            used[kind] = used.get(kind, 0) + count
    assert all(count <= problem.supplies[kind].count for kind, count in used.items())


@pytest.mark.long
@given(problems(), st.integers(1, 3))
def test_margin_against_every_loss(problem: CoverageProblem, size: int) -> None:
    check_margin_against_every_loss(problem, size)


@pytest.mark.long
@given(problems(), st.integers(1, 3))
def test_many_margins_against_every_loss(problem: CoverageProblem, size: int) -> None:
    check_margin_against_every_loss(problem, size)


def check_margin_against_every_loss(problem: CoverageProblem, size: int) -> None:
    size = min(size, len(problem.demands))
    budget, possible = Effort(10**9), Search(problem).possible
    kinds = cards_of(problem)
    expected = None
    for lost in subsets(frozenset(range(len(kinds)))):
        if not all(possible(demands, lost) for demands in groups(problem, size)):
            expected = len(lost)
            break
    found = Losses(Coverage(problem, budget), budget, size).margin(len(kinds))
    if expected is None:
        assert found.failing is None
        assert found.least == len(kinds) + 1
        return
    assert found.failing is not None
    assert found.failing.lost == found.least == expected
    assert len(found.failing.demands) == size
    gone: list[int] = []
    for kind, count in found.failing.losses.items():
        gone.extend([card for card, of in enumerate(kinds) if of == kind][:count])
    assert not possible(found.failing.demands, tuple(gone))


@pytest.mark.long
@given(problems())
def test_headroom_against_every_set(problem: CoverageProblem) -> None:
    coverage, search = Coverage(problem, Effort(10**9)), Search(problem)
    kinds = search.kinds
    for d, demand in enumerate(problem.demands):
        need = demand.needs[-1]
        assert isinstance(need, Total)
        sums = [
            sum(need.weights.get(kinds[card], 0) for card in chosen) - (need.least or 0)
            for chosen in subsets(frozenset(range(len(kinds))))
            if search.fits(d, tuple(kinds[card] for card in chosen))
        ]
        assert coverage.headroom(d, need) == (max(sums) if sums else None)


@given(problems())
def test_matching_against_every_order(problem: CoverageProblem) -> None:
    kinds = cards_of(problem)
    for need in (
        need for demand in problem.demands for need in demand.needs if isinstance(need, Assignment)
    ):
        for chosen in subsets(frozenset(range(len(kinds)))):
            cards = sorted(kinds[card] for card in chosen)
            wants = [token for token in need.tokens for _ in range(token.times)]
            assert (unprovided(wants, cards) is None) is assignable([t.providers for t in wants], cards)


def parts(*asked: str, supply: dict[str, int]) -> CoverageProblem:
    """Demands asking for parts, and cards that are one part each."""
    names = sorted(supply)
    supplies = tuple(Supply((f"card {name}",) * supply[name]) for name in names)
    demands = [
        Demand(
            f"d{i}",
            (Assignment("parts", tuple(token(p, want.count(p), names) for p in sorted(set(want)))),),
        )
        for i, want in enumerate(asked)
    ]
    return CoverageProblem(supplies, tuple(demands), 0, 7)


def test_the_bottleneck_in_words(wording: Wording) -> None:
    problem = parts("xy", "xz", "yz", "xxw", supply={"x": 3, "y": 2, "z": 2, "w": 1})
    broken, _ = smallest_unsatisfiable(Coverage(problem, Effort(10**9)), Effort(10**9))
    assert broken == (0, 1, 3)
    wording(reason(problem, broken, Effort(10**9)))
    first = scarcities(problem, range(4))[0]
    assert (first.token, first.wanted, first.have) == ("x", 4, 3)


def test_a_sum_that_is_short_in_words(wording: Wording) -> None:
    supplies = (Supply(("one", "two")),)
    demands = tuple(Demand(name, (Total("points", {0: 2}, 3),)) for name in ("a", "b"))
    problem = CoverageProblem(supplies, demands, 0, 7)
    wording(reason(problem, (0, 1), Effort(10**9)))


def test_the_size_limit_in_words() -> None:
    full = parts("xyz", supply={"x": 1, "y": 1, "z": 1})
    problem = CoverageProblem(full.supplies, full.demands, 0, 2)
    assert "the limit of 2 cards" in reason(problem, (0,), Effort(10**9))


def test_nodes_are_counted() -> None:
    problem = parts("x", "y", supply={"x": 1, "y": 1})
    coverage = Coverage(problem, Effort(10**9, nodes=2))
    coverage.satisfy([0])
    coverage.satisfy([1])
    with pytest.raises(OutOfStepsError, match="not settled after 2 nodes"):
        coverage.satisfy([0, 1])


def test_the_solver_prints_nothing() -> None:
    """What a library of C prints stands in the output of `check --format json` too."""
    solve = """
from cardgen.rules.solver import Effort, IntegerProgram
program = IntegerProgram(Effort(100))
program.row({program.variable(0, 5, cost=1): 1}, low=2)
assert program.solve() == [2]
"""
    done = subprocess.run([sys.executable, "-c", solve], capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")


def test_the_same_answer_every_time() -> None:
    problem = parts("xy", "xz", "yz", supply={"x": 3, "y": 3, "z": 3})
    answers = [Coverage(problem, Effort(10**9)).satisfy([0, 1, 2]) for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]


@for_each("scarce", ["p", "q", "r"])
def test_the_margin_where_not_all_can_be_met_at_once(scarce: str) -> None:
    """Any two of three can be met, whichever cards that takes; the one of a kind is the weak spot."""
    supply = {"p": 3, "q": 3, "r": 3, "k": 5, scarce: 1}
    problem = parts("pkk", "qkk", "rkk", supply=supply)
    budget = Effort(10**9)
    found = Losses(Coverage(problem, budget), budget, 2).margin(3)
    assert found.failing is not None
    assert found.failing.lost == 1
    assert list(found.failing.losses) == [sorted(supply).index(scarce)]
