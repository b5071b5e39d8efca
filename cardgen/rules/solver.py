"""Solve the integer programs of the `satisfiable` rule exactly, with HiGHS."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import ceil, floor, gcd, isqrt, prod
from operator import add, le
from typing import Any

from cardgen.core import progress
from cardgen.core.records import dataclass, field


class Coverage:
    """The program of one problem. Each question changes a few bounds and solves again.

    Variables: `met[d]` (is demand d met), `taken[d, s]` (cards of supply s in its set), and for each token
    the cards that are taken for it. Only the cards taken must be whole numbers: then the tokens have a
    whole assignment too (a flow through whole capacities).
    """

    def __init__(self, problem: CoverageProblem, effort: Effort, without: Collection[str] = ()) -> None:
        """Build it. `without` names the skipped needs; "" removes the limit on the size of a set."""
        self.problem = problem
        self._effort = effort
        self._relaxed = bool(without)
        self._program = IntegerProgram(effort)
        self._met: list[int] = []
        self._taken: list[dict[int, int]] = []
        for index in range(len(problem.demands)):
            self._add_demand(index, without)
        self._stock = [
            self._program.row({taken[s]: 1 for taken in self._taken if s in taken}, high=supply.count)
            for s, supply in enumerate(problem.supplies)
        ]

    def _add_demand(self, index: int, without: Collection[str]) -> None:
        problem, program = self.problem, self._program
        needs = [need for need in problem.demands[index].needs if need.name not in without]
        met = program.variable(0, 1)
        largest = sum(s.count for s in problem.supplies) if "" in without else problem.largest
        useful = range(len(problem.supplies)) if problem.smallest else sorted(_useful_supplies(needs))
        taken = {s: program.variable(0, min(problem.supplies[s].count, largest)) for s in useful}
        self._met.append(met)
        self._taken.append(taken)
        program.row({**dict.fromkeys(taken.values(), 1.0), met: -float(largest)}, high=0)
        if problem.smallest:
            program.row({**dict.fromkeys(taken.values(), 1.0), met: -float(problem.smallest)}, low=0)
        for need in needs:
            if isinstance(need, Total):
                self._add_total(need, met, taken, largest, needs)
            else:
                self._add_assignment(need, met, taken)

    def _add_total(
        self, need: Total, met: int, taken: Mapping[int, int], largest: int, beside: Sequence[Need]
    ) -> None:
        """Add the need and, if its possible sums are known, closer bounds of it and of its number of cards.
        They hold for all sets, but not for fractions of cards."""
        program = self._program
        found = reach(self.problem, need, largest, self._effort, beside)
        if found and not found.possible:
            program.row({met: 1}, high=0)
            return
        weights = found.weights if found else need.weights
        terms = {taken[s]: float(weight) for s, weight in weights.items() if s in taken and weight}
        least, most = (found.least, found.most) if found else (need.least, need.most)
        if need.least is not None and least is not None:
            program.row({**terms, met: -least}, low=0)
        if need.most is not None and most is not None:
            program.row({**terms, met: -most}, high=0)
        cards = dict.fromkeys((taken[s] for s in found.cards if s in taken), 1.0) if found else {}
        if found and need.least is not None and found.fewest > 1:
            program.row({**cards, met: -found.fewest}, low=0)
        if found and found.greatest < largest:
            program.row({**cards, met: -found.greatest}, high=0)

    def _add_assignment(self, need: Assignment, met: int, taken: Mapping[int, int]) -> None:
        program = self._program
        by_supply: dict[int, list[int]] = {}
        for token in need.tokens:
            terms: dict[int, float] = {met: -float(token.times)}
            for s in sorted(token.providers):
                given = program.variable(0, token.times, whole=False)
                terms[given] = 1
                by_supply.setdefault(s, []).append(given)
            program.row(terms, low=0, high=0)
        for s, given_of in by_supply.items():
            program.row({**dict.fromkeys(given_of, 1.0), taken[s]: -1}, high=0)

    def satisfy(
        self,
        wanted: Collection[int],
        losses: Mapping[int, int] | None = None,
        *,
        most: bool = False,
        best: Total | None = None,
    ) -> Witness | None:
        """Return sets that meet all the wanted demands, or None if there are none.

        `losses` are lost cards of each supply. With `most`, as many other demands as possible are met too.
        With `best`, the wanted ones exceed that need as far as possible.
        """
        program, lost = self._program, losses or {}
        for s, supply in enumerate(self.problem.supplies):
            program.row_high[self._stock[s]] = supply.count - lost.get(s, 0)
        for d, met in enumerate(self._met):
            program.low[met] = 1 if d in wanted else 0
            program.high[met] = 1 if most or d in wanted else 0
            program.costs[met] = -1.0 if most else 0.0
            for s, variable in self._taken[d].items():
                program.costs[variable] = -best.weights.get(s, 0) if best and d in wanted else 0
        values = program.solve()
        return None if values is None else self._checked_witness(values)

    def headroom(self, demand: int, need: Total) -> float | None:
        """Return how far a set for this demand alone can exceed the need's minimum."""
        witness = self.satisfy([demand], best=need)
        if witness is None:
            return None
        total = sum(need.weights.get(s, 0) * count for s, count in witness.taken[demand].items())
        return total - (need.least or 0)

    def _checked_witness(self, values: list[float]) -> Witness:
        """Return the solution as whole numbers, checked without the solver."""
        taken: dict[int, dict[int, int]] = {}
        for d, met in enumerate(self._met):
            if round(values[met]):
                counts = {s: round(values[variable]) for s, variable in self._taken[d].items()}
                taken[d] = {s: count for s, count in counts.items() if count}
        witness = Witness(tuple(taken), taken)
        stock = all(count <= self._program.row_high[self._stock[s]] for s, count in witness.used().items())
        if not stock or not (
            self._relaxed or all(meets(self.problem.demands[d], taken[d], self.problem) for d in taken)
        ):
            raise OutOfStepsError("the solver's answer failed a check")
        return witness


def _useful_supplies(needs: list[Need]) -> set[int]:
    useful: set[int] = set()
    for need in needs:
        if isinstance(need, Total):
            useful.update(s for s, weight in need.weights.items() if weight)
        else:
            for token in need.tokens:
                useful.update(token.providers)
    return useful


MAX_CELLS = 2_000_000
"""Most cells (demands x kinds of supply card x needed things) of a problem."""


@dataclass(frozen=True, slots=True)
class Supply:
    """Cards that are equal for every demand: `labels` has one entry for each copy."""

    labels: tuple[str, ...]

    @property
    def count(self) -> int:
        return len(self.labels)


@dataclass(frozen=True, slots=True)
class Token:
    """A requirement that a demand has `times` times, each met by another card of `providers` (indexes of
    supplies)."""

    label: str
    times: int
    providers: frozenset[int]


@dataclass(frozen=True, slots=True)
class Assignment:
    """A need met by distinct cards, one for each token. Cards may serve other needs as well."""

    name: str
    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Total:
    """A need met by a sum over all cards of the set: at least (at most) so much.

    `weights` contains the value of a card of each supply, by default 0. A need for "at least n cards that
    …" is a total of ones.
    """

    name: str
    weights: Mapping[int, float]
    least: float | None
    most: float | None = None


Need = Assignment | Total


@dataclass(frozen=True, slots=True)
class Demand:
    """Something that needs a set of supply cards of its own."""

    label: str
    needs: tuple[Need, ...]


@dataclass(frozen=True, slots=True)
class CoverageProblem:
    """Demands to be met by disjoint sets of at least `smallest` and at most `largest` cards."""

    supplies: tuple[Supply, ...]
    demands: tuple[Demand, ...]
    smallest: int
    largest: int


@dataclass(frozen=True, slots=True)
class Witness:
    """The demands that are met, with the number of cards of each supply in their sets."""

    met: tuple[int, ...]
    taken: Mapping[int, Mapping[int, int]]

    def used(self) -> dict[int, int]:
        """Return the cards of each supply that all demands use together."""
        used: Counter[int] = Counter()
        for counts in self.taken.values():
            used.update(counts)
        return used


def unprovided(wants: Sequence[Token], cards: Sequence[int]) -> list[Token] | None:
    """Return tokens that have one card fewer than they need (a Hall violator), if not each of `wants` can
    have a card of its own. `cards` are the supplies of the available cards, None for all. Augmenting paths
    check the solver's answer independently."""
    holder: dict[int, int] = {}

    def place(want: int, tried: set[int]) -> bool:
        for card, supply in enumerate(cards):
            if supply in wants[want].providers and card not in tried:
                tried.add(card)
                if card not in holder or place(holder[card], tried):
                    holder[card] = want
                    return True
        return False

    for want, token in enumerate(wants):
        reached: set[int] = set()
        if not place(want, reached):
            return [token, *(wants[holder[card]] for card in sorted(reached))]
    return None


def meets(demand: Demand, taken: Mapping[int, int], problem: CoverageProblem) -> bool:
    """Return True if a set of cards meets a demand, computed without the solver."""
    if not problem.smallest <= sum(taken.values()) <= problem.largest:
        return False
    for need in demand.needs:
        if isinstance(need, Assignment):
            wants = [token for token in need.tokens for _ in range(token.times)]
            if unprovided(wants, [supply for supply in sorted(taken) for _ in range(taken[supply])]):
                return False
            continue
        total = sum(need.weights.get(supply, 0) * count for supply, count in taken.items())
        if need.least is not None and total < need.least - 1e-9:
            return False
        if need.most is not None and total > need.most + 1e-9:
            return False
    return True


class OutOfStepsError(Exception):
    """The error of a search that used up its steps; the message gives the reason."""


@dataclass(slots=True)
class Effort:
    """The steps that all questions of one rule may take together, each worth about five microseconds.

    `nodes` limits the solver's nodes as well, if the rule does. `spent` is called with all steps, and
    observers receive the progress of the `question`.
    """

    steps: int
    nodes: int | None = None
    spent: Callable[[int], None] | None = None
    question: str = ""
    used: int = 0
    nodes_used: int = 0

    @property
    def left(self) -> int:
        return self.steps - self.used

    def spend(self, steps: int) -> None:
        """Use steps. Raises OutOfStepsError."""
        if steps > self.left:
            raise self.exhausted()
        self.took(steps)

    def took(self, steps: int, nodes: int = 0) -> None:
        """Count the steps, and nodes of the solver, of an answer that is known now. Steps beyond the limit
        are ignored."""
        taken = min(steps, self.left)
        self.used += taken
        self.nodes_used += nodes
        if self.spent:
            self.spent(taken)
        self.tell()

    def tell(self, more: int = 0) -> None:
        """Report the number of steps to the observers, with `more` of the current solve."""
        progress.tell(self.question, min(self.steps, self.used + more), self.steps)

    def nodes_left(self, each: int) -> int:
        """Return how many nodes a program may use, if each costs this many steps."""
        most = self.left // each
        return most if self.nodes is None else min(most, self.nodes - self.nodes_used)

    @property
    def out_of_nodes(self) -> bool:
        return self.nodes is not None and self.nodes_used >= self.nodes

    def exhausted(self) -> OutOfStepsError:
        """Return the error of used-up steps."""
        count, what = (self.nodes or 0, "node") if self.out_of_nodes else (self.steps, "step")
        self.used = self.steps
        about = f": {self.question}" if self.question else ""
        return OutOfStepsError(f"not settled after {count:,} {what}{'' if count == 1 else 's'}{about}")


INFINITY = float("inf")

_STEPS_PER_SOLVE = 1000
_STEPS_PER_ITERATION = 40
"""Steps of the simplex method, with its cuts and heuristics."""
_STEPS_PER_NODE = 40
_ENTRIES_PER_STEP = 280
"""Work of a node, by rows times their square root, as measured."""
_LOOKS_PER_NODE = 2
"""How often the solver asks to continue: at each node, and in each round of cuts of the first one."""


class NoSolverError(Exception):
    """The error of a missing highspy."""


@dataclass(slots=True)
class IntegerProgram:
    """Minimize `costs`·x for rows and variables within their bounds, some x whole numbers."""

    effort: Effort
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    whole: list[bool] = field(default_factory=list)
    row_low: list[float] = field(default_factory=list)
    row_high: list[float] = field(default_factory=list)
    rows: list[Mapping[int, float]] = field(default_factory=list)

    def variable(self, low: float, high: float, cost: float = 0, whole: bool = True) -> int:
        self.low.append(low)
        self.high.append(high)
        self.costs.append(cost)
        self.whole.append(whole)
        return len(self.low) - 1

    def row(self, terms: Mapping[int, float], low: float = -INFINITY, high: float = INFINITY) -> int:
        self.rows.append(terms)
        self.row_low.append(low)
        self.row_high.append(high)
        return len(self.rows) - 1

    def solve(self) -> list[float] | None:
        """Return the values of an optimal solution, or None if there is none.

        Raises OutOfStepsError, NoSolverError. One thread and a fixed seed give the same answer every time.
        """
        try:
            import highspy  # loads in 0.1 s, and only this rule kind needs it
            import numpy
        except ImportError:
            raise NoSolverError("the solver highspy is not installed") from None
        if not self.low:
            return [] if all(low <= 0 <= high for low, high in zip(self.row_low, self.row_high)) else None
        starts, indexes, values = [0], list[int](), list[float]()
        for terms in self.rows:
            indexes.extend(terms.keys())
            values.extend(terms.values())
            starts.append(len(indexes))
        each = _STEPS_PER_NODE + len(indexes) * isqrt(len(indexes)) // _ENTRIES_PER_STEP
        nodes = self.effort.nodes_left(each)
        if nodes < 1:
            raise self.effort.exhausted()
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = len(self.low), len(self.rows)
        model.col_cost_ = numpy.array(self.costs, dtype=float)
        model.col_lower_ = numpy.array(self.low, dtype=float)
        model.col_upper_ = numpy.array(self.high, dtype=float)
        model.row_lower_ = numpy.array(self.row_low, dtype=float)
        model.row_upper_ = numpy.array(self.row_high, dtype=float)
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = numpy.array(starts, dtype=numpy.int32)
        model.a_matrix_.index_ = numpy.array(indexes, dtype=numpy.int32)
        model.a_matrix_.value_ = numpy.array(values, dtype=float)
        kind = highspy.HighsVarType
        model.integrality_ = [kind.kInteger if whole else kind.kContinuous for whole in self.whole]
        solver = _silent_solver(highspy.Highs)
        options: dict[str, bool | int | float | str] = {
            "output_flag": False,
            "threads": 1,
            "parallel": "off",
            "random_seed": 0,
            # Presolve calls some feasible programs infeasible (ERGO-Code/HiGHS#3090, 1.14 to 1.15 at
            # least); ours are small enough without it.
            "presolve": "off",
            "mip_rel_gap": 0.0,
            # A large program's first node would take seconds with these.
            "mip_heuristic_run_rens": False,
            "mip_heuristic_run_rins": False,
            "mip_max_nodes": nodes,
        }
        for name, value in options.items():
            solver.setOptionValue(name, value)
        solver.passModel(model)
        looks = 0

        def look(event: Any) -> None:
            nonlocal looks
            looks += 1
            self.effort.tell(looks * each // _LOOKS_PER_NODE)
            if looks > nodes * _LOOKS_PER_NODE:
                event.interrupt()

        solver.cbMipInterrupt.subscribe(look)
        solver.run()
        info = solver.getInfo()
        work = _STEPS_PER_ITERATION * max(0, info.simplex_iteration_count)
        self.effort.took(_STEPS_PER_SOLVE + len(indexes) // 2 + work, max(1, int(info.mip_node_count)))
        status, known = solver.getModelStatus(), highspy.HighsModelStatus
        if status == known.kOptimal:
            return [float(value) for value in solver.getSolution().col_value]
        if status in (known.kInfeasible, known.kUnboundedOrInfeasible):
            return None  # every variable has bounds, so it is not unbounded
        if status in (known.kSolutionLimit, known.kInterrupt):
            raise self.effort.exhausted()
        raise OutOfStepsError(f"the solver stopped without an answer: {status.name.removeprefix('k')}")


def _silent_solver(kind: Any) -> Any:
    """Return a solver of a kind that prints nothing. From 1.16 on, HiGHS prints its name when a solver
    receives callbacks, which happens at its creation, before options can be set."""

    class Silent(kind):  # type: ignore[misc]
        def enableCallbacks(self) -> None:  # noqa: N802  its own name
            self.setOptionValue("output_flag", False)
            super().enableCallbacks()

    return Silent()


MAX_WORK = 100_000
"""Most additions of sets of sums for one need, counted in 2,000 bits; above that, bounds stay wide."""
_MAX_WORK_BESIDE = 20_000
"""The same if other needs are considered too."""

_WORK_PER_STEP = 5
_SCALES = (1, 2, 4, 10, 100, 1000)
_SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Reach:
    """A need in whole numbers: its weights, the least and greatest sum of a set that meets it, and the
    number of its `cards` (supplies with a weight) in the set."""

    weights: dict[int, int]
    least: int
    most: int
    cards: frozenset[int]
    fewest: int
    greatest: int
    possible: bool = True


_IMPOSSIBLE = Reach({}, 0, 0, frozenset(), 0, 0, False)


def reach(
    problem: CoverageProblem, need: Total, largest: int, effort: Effort, beside: Sequence[Need] = ()
) -> Reach | None:
    """Return the possible sums of the sets of at most `largest` cards that meet a need; None if they aren't
    computed. Of the needs `beside` it, those that count cards are considered, if that is little work."""
    whole = _whole_weights(need)
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
    """The required number of these cards."""

    cards: frozenset[int]
    least: int
    most: int


def _counts(need: Total, beside: Sequence[Need]) -> Iterator[_Count]:
    """Yield the needs besides this one that bound a count of cards from both sides: with such a need, few
    sums are possible."""
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
    """Return the possible sums for each number of cards, and of those counted, as bits from `start`
    below."""
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


def _whole_weights(need: Total) -> tuple[dict[int, int], float] | None:
    """Return the weights as whole numbers without a common divisor, and their factor."""
    given = {s: weight for s, weight in need.weights.items() if weight}
    for scale in _SCALES:
        scaled = {s: round(weight * scale) for s, weight in given.items()}
        if all(abs(scaled[s] - weight * scale) <= _SLACK for s, weight in given.items()):
            common = gcd(*scaled.values()) or 1
            return {s: weight // common for s, weight in scaled.items()}, scale / common
    return None
