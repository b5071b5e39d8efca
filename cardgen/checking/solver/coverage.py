"""Demands met by disjoint sets of supply cards: the integer programme and the questions put to it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from cardgen.checking.solver.effort import Effort, OutOfStepsError
from cardgen.checking.solver.problem import Assignment, Need, Puzzle, Total, Witness, meets
from cardgen.checking.solver.programme import Programme
from cardgen.checking.solver.reachable import reach


class Coverage:
    """The programme of one problem. Each question changes a few bounds and solves again.

    Variables: `met[d]` (is demand d met), `taken[d, s]` (cards of supply s in its set), and for each
    token the cards that are taken for it. Those need not be whole numbers: where the cards taken
    are, the tokens have a whole assignment too (a flow through whole capacities).
    """

    def __init__(self, problem: Puzzle, effort: Effort, without: Collection[str] = ()) -> None:
        """`without` names needs that are left out; "" lifts the limit on the size of a set."""
        self.problem = problem
        self._effort = effort
        self._relaxed = bool(without)
        self._programme = Programme(effort)
        self._met: list[int] = []
        self._taken: list[dict[int, int]] = []
        for index in range(len(problem.demands)):
            self._add_demand(index, without)
        self._stock = [
            self._programme.row({taken[s]: 1 for taken in self._taken if s in taken}, high=supply.count)
            for s, supply in enumerate(problem.supplies)
        ]

    def _add_demand(self, index: int, without: Collection[str]) -> None:
        problem, programme = self.problem, self._programme
        needs = [need for need in problem.demands[index].needs if need.name not in without]
        met = programme.variable(0, 1)
        largest = sum(s.count for s in problem.supplies) if "" in without else problem.largest
        useful = range(len(problem.supplies)) if problem.smallest else sorted(_useful(needs))
        taken = {s: programme.variable(0, min(problem.supplies[s].count, largest)) for s in useful}
        self._met.append(met)
        self._taken.append(taken)
        programme.row({**dict.fromkeys(taken.values(), 1.0), met: -float(largest)}, high=0)
        if problem.smallest:
            programme.row({**dict.fromkeys(taken.values(), 1.0), met: -float(problem.smallest)}, low=0)
        for need in needs:
            if isinstance(need, Total):
                self._add_total(need, met, taken, largest, needs)
            else:
                self._add_assignment(need, met, taken)

    def _add_total(
        self, need: Total, met: int, taken: Mapping[int, int], largest: int, beside: Sequence[Need]
    ) -> None:
        """The need itself and, where it is worked out what sums there are, closer bounds of it and how many
        cards it takes: true of all sets, but not of fractions of cards."""
        programme = self._programme
        found = reach(self.problem, need, largest, self._effort, beside)
        if found and not found.possible:
            programme.row({met: 1}, high=0)
            return
        weights = found.weights if found else need.weights
        terms = {taken[s]: float(weight) for s, weight in weights.items() if s in taken and weight}
        least, most = (found.least, found.most) if found else (need.least, need.most)
        if need.least is not None and least is not None:
            programme.row({**terms, met: -least}, low=0)
        if need.most is not None and most is not None:
            programme.row({**terms, met: -most}, high=0)
        cards = dict.fromkeys((taken[s] for s in found.cards if s in taken), 1.0) if found else {}
        if found and need.least is not None and found.fewest > 1:
            programme.row({**cards, met: -found.fewest}, low=0)
        if found and found.greatest < largest:
            programme.row({**cards, met: -found.greatest}, high=0)

    def _add_assignment(self, need: Assignment, met: int, taken: Mapping[int, int]) -> None:
        programme = self._programme
        by_supply: dict[int, list[int]] = {}
        for token in need.tokens:
            terms: dict[int, float] = {met: -float(token.times)}
            for s in sorted(token.providers):
                given = programme.variable(0, token.times, whole=False)
                terms[given] = 1
                by_supply.setdefault(s, []).append(given)
            programme.row(terms, low=0, high=0)
        for s, given_of in by_supply.items():
            programme.row({**dict.fromkeys(given_of, 1.0), taken[s]: -1}, high=0)

    def satisfy(
        self,
        wanted: Collection[int],
        losses: Mapping[int, int] | None = None,
        *,
        most: bool = False,
        best: Total | None = None,
    ) -> Witness | None:
        """Sets that meet all the wanted demands, or None if there are none.

        `losses` are cards of each supply that may not be used. With `most`, as many other demands
        as possible are met too. With `best`, the wanted ones exceed that need as far as they can.
        """
        programme, lost = self._programme, losses or {}
        for s, supply in enumerate(self.problem.supplies):
            programme.row_high[self._stock[s]] = supply.count - lost.get(s, 0)
        for d, met in enumerate(self._met):
            programme.low[met] = 1 if d in wanted else 0
            programme.high[met] = 1 if most or d in wanted else 0
            programme.costs[met] = -1.0 if most else 0.0
            for s, variable in self._taken[d].items():
                programme.costs[variable] = -best.weights.get(s, 0) if best and d in wanted else 0
        values = programme.solve()
        return None if values is None else self._checked(values)

    def headroom(self, demand: int, need: Total) -> float | None:
        """The most by which a set for this demand alone can exceed the need's least."""
        witness = self.satisfy([demand], best=need)
        if witness is None:
            return None
        total = sum(need.weights.get(s, 0) * count for s, count in witness.taken[demand].items())
        return total - (need.least or 0)

    def _checked(self, values: list[float]) -> Witness:
        """The solution as whole numbers, after a check that does without the solver."""
        taken: dict[int, dict[int, int]] = {}
        for d, met in enumerate(self._met):
            if round(values[met]):
                counts = {s: round(values[variable]) for s, variable in self._taken[d].items()}
                taken[d] = {s: count for s, count in counts.items() if count}
        witness = Witness(tuple(taken), taken)
        stock = all(
            count <= self._programme.row_high[self._stock[s]] for s, count in witness.used().items()
        )
        if not stock or not (
            self._relaxed or all(meets(self.problem.demands[d], taken[d], self.problem) for d in taken)
        ):
            raise OutOfStepsError("the solver's answer did not stand up to a check")
        return witness


def _useful(needs: list[Need]) -> set[int]:
    useful: set[int] = set()
    for need in needs:
        if isinstance(need, Total):
            useful.update(s for s, weight in need.weights.items() if weight)
        else:
            for token in need.tokens:
                useful.update(token.providers)
    return useful
