"""Find the worst case: the smallest set of demands or losses that breaks a rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardgen.core.records import dataclass
from cardgen.rules.solver import (
    Assignment,
    Coverage,
    CoverageProblem,
    Effort,
    IntegerProgram,
    OutOfStepsError,
    Total,
    Witness,
    meets,
)

_STEPS_PER_LOOK = 10
"""The cost of testing once if a set of cards meets a demand."""
_TRIED_PER_STEP = 10
"""Cards tried for a token."""

Counts = Mapping[int, int]
"""For each chain, the number of its cards; 0 if missing."""


@dataclass(frozen=True, slots=True)
class FailingSet:
    """Demands that cannot be met together once these cards of each supply are gone."""

    demands: tuple[int, ...]
    losses: dict[int, int]

    @property
    def lost(self) -> int:
        return sum(self.losses.values())


@dataclass(frozen=True, slots=True)
class Margin:
    """`failing` is a smallest set, or None if none was found; at least `least` losses are needed.
    `unsettled` is the reason for an early end, if the steps were used up."""

    failing: FailingSet | None
    least: int
    unsettled: str = ""


def smallest_failing_set(cuts: Sequence[Counts], effort: Effort) -> Counts | None:
    """Return the smallest counts of all chains that reach each cut in at least one chain; None if there are
    none."""
    program = IntegerProgram(effort)
    counts = sorted({(chain, count) for cut in cuts for chain, count in cut.items()})
    variables: dict[tuple[int, int], int] = {}
    for place, (chain, count) in enumerate(counts):
        before = counts[place - 1] if place and counts[place - 1][0] == chain else None
        variables[chain, count] = program.variable(0, 1, count - (before[1] if before else 0))
        if before:
            program.row({variables[before]: 1, variables[chain, count]: -1}, low=0)
    for cut in cuts:
        program.row({variables[item]: 1 for item in cut.items()}, low=1)
    values = program.solve()
    if values is None:
        return None
    return {chain: count for chain, count in counts if round(values[variables[chain, count]])}


def smallest_unsatisfiable(
    coverage: Coverage, effort: Effort, losses: dict[int, int] | None = None, most: int | None = None
) -> tuple[tuple[int, ...] | None, list[Witness]]:
    """Return a smallest set of demands that can't be met together, and the answers that prove it. It is
    None if there is none (of at most `most` demands)."""
    answers: list[Witness] = []
    cuts: list[Counts] = []
    chains = chained(hardnesses(coverage.problem), effort)
    largest = len(coverage.problem.demands) if most is None else most
    while True:
        failing = smallest_failing_set(cuts, effort)
        if failing is None or sum(failing.values()) > largest:
            return None, answers
        demands = tuple(sorted(d for chain, count in failing.items() for d in chains[chain][:count]))
        found = coverage.satisfy(demands, losses, most=True)
        if found is None:
            return demands, answers
        answers.append(found)
        unmet = [next((n for n, d in enumerate(chain, 1) if d not in found.met), 0) for chain in chains]
        cuts.append({chain: count for chain, count in enumerate(unmet) if count})


@dataclass(slots=True)
class Losses:
    """A search for the fewest lost cards that break some `size` demands of the problem."""

    coverage: Coverage
    effort: Effort
    size: int

    def margin(self, most: int) -> Margin:
        """Return the fewest losses that break the demands, tried up to `most` of them."""
        least = 0
        try:
            chains = chained(strengths(self.coverage.problem), self.effort)
            cuts: list[Counts] = []
            while True:
                counts = smallest_failing_set(cuts, self.effort)
                if counts is None or sum(counts.values()) > most:
                    return Margin(None, most + 1)
                least = sum(counts.values())
                losses = self._lost_cards(chains, counts)
                found = self._with_losses(losses)
                if isinstance(found, FailingSet):
                    return Margin(found, least)
                cut = self._cut_of(chains, found, losses)
                cuts.append({chain: count for chain, count in cut.items() if count <= most})
        except OutOfStepsError as error:
            return Margin(None, least, str(error))

    def _lost_cards(self, chains: Sequence[Sequence[int]], counts: Counts) -> dict[int, int]:
        """Return the lost cards of each supply, for these counts of the chains."""
        losses: dict[int, int] = {}
        for chain, count in sorted(counts.items()):
            for s in chains[chain]:
                lost = min(count, self.coverage.problem.supplies[s].count)
                if lost:
                    losses[s] = lost
                    count -= lost
        return losses

    def _with_losses(self, losses: dict[int, int]) -> FailingSet | list[Witness]:
        """Return answers for the demands in spite of the losses, all at once or any `size` of them, or a
        failing set."""
        demands = tuple(range(len(self.coverage.problem.demands)))
        witness = self.coverage.satisfy(demands, losses)
        if witness:
            return [witness]
        if self.size == len(demands):
            return FailingSet(demands, losses)
        broken, answers = smallest_unsatisfiable(self.coverage, self.effort, losses, self.size)
        if broken is None:
            return answers
        more = [d for d in demands if d not in broken][: self.size - len(broken)]
        return FailingSet(tuple(sorted((*broken, *more))), losses)

    def _cut_of(
        self, chains: Sequence[Sequence[int]], answers: Sequence[Witness], losses: Counts
    ) -> dict[int, int]:
        """Return counts of chains. One of them must be lost so that one of these answers fails."""
        problem = self.coverage.problem
        cut: dict[int, int] = {}
        for answer in answers:
            used = self._used_by(chains, answer, losses)
            for index, chain in enumerate(chains):
                before = 0
                for s in chain:
                    if used.get(s):
                        needed = before + problem.supplies[s].count - used[s] + 1
                        cut[index] = min(needed, cut.get(index, needed))
                        break
                    before += problem.supplies[s].count
        return cut

    def _used_by(self, chains: Sequence[Sequence[int]], answer: Witness, losses: Counts) -> dict[int, int]:
        """Return the cards of an answer without those that it can spare, each replaced by the last of
        its chain that suffices."""
        problem, used = self.coverage.problem, answer.used()
        places = {s: (chain, place) for chain in chains for place, s in enumerate(chain)}
        for d, taken in sorted(answer.taken.items()):
            counts = dict(taken)
            for s in sorted(taken, key=lambda s: places[s][1]):
                chain, place = places[s]
                while counts[s] and self._meets(d, {**counts, s: counts[s] - 1}):
                    counts[s] -= 1
                    used[s] -= 1
                for other in reversed(chain[place + 1 :]):
                    there = problem.supplies[other].count - losses.get(other, 0)
                    while counts[s] and used.get(other, 0) < there:
                        swapped = {**counts, s: counts[s] - 1, other: counts.get(other, 0) + 1}
                        if not self._meets(d, swapped):
                            break
                        counts = swapped
                        used[s] -= 1
                        used[other] = used.get(other, 0) + 1
        return used

    def _meets(self, demand: int, counts: Counts) -> bool:
        needs = self.coverage.problem.demands[demand].needs
        tokens = sum(token.times for need in needs if isinstance(need, Assignment) for token in need.tokens)
        self.effort.spend(_STEPS_PER_LOOK + tokens * sum(counts.values()) // _TRIED_PER_STEP)
        return meets(self.coverage.problem.demands[demand], counts, self.coverage.problem)


Vector = tuple[float, ...]
_COMPARED_PER_STEP = 50


def chained(vectors: Sequence[Vector], effort: Effort) -> list[list[int]]:
    """Return indexes in chains: of neighbors, no entry of the first vector is less than the second's."""
    order = sorted(range(len(vectors)), key=lambda index: vectors[index], reverse=True)
    found: list[list[int]] = []
    for index in order:
        mine = vectors[index]
        for chain in found:
            effort.spend(1 + len(mine) // _COMPARED_PER_STEP)
            if all(theirs >= own for theirs, own in zip(vectors[chain[-1]], mine, strict=True)):
                chain.append(index)
                break
        else:
            found.append([index])
    return found


def strengths(problem: CoverageProblem) -> list[Vector]:
    """Return a vector for each supply. If no entry of one is less than another's, its cards can replace the
    other's for every demand."""
    columns: dict[Vector, None] = {}
    supplies = range(len(problem.supplies))
    for demand in problem.demands:
        for need in demand.needs:
            if isinstance(need, Assignment):
                for token in need.tokens:
                    columns[tuple(float(s in token.providers) for s in supplies)] = None
                continue
            weights = tuple(need.weights.get(s, 0.0) for s in supplies)
            if need.least is not None:
                columns[weights] = None
            if need.most is not None:
                columns[tuple(-weight for weight in weights)] = None
    return list(zip(*columns, strict=True)) if columns else [() for _ in supplies]


def hardnesses(problem: CoverageProblem) -> list[Vector]:
    """Return a vector for each demand. If no entry of one is less than another's, a set that meets it meets
    the other."""
    entries: list[dict[object, float]] = []
    for demand in problem.demands:
        asked: dict[object, float] = {}
        for place, need in enumerate(demand.needs):
            if isinstance(need, Total):
                weights = tuple(sorted((s, weight) for s, weight in need.weights.items() if weight))
                for kind, bound in (("least", need.least), ("most", need.most)):
                    if bound is not None:
                        value = bound if kind == "least" else -bound
                        asked[kind, weights] = max(value, asked.get((kind, weights), value))
                continue
            for token in need.tokens:
                key = ("token", place, token.providers)
                asked[key] = asked.get(key, 0.0) + token.times
        entries.append(asked)
    keys = list(dict.fromkeys(key for asked in entries for key in asked))
    return [tuple(asked.get(key, float("-inf")) for key in keys) for asked in entries]
