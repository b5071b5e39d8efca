"""Which cards and demands can stand for others: chains in which each one is at least as good as the next.

Cards that are alike are interchangeable, and a card that serves wherever another does can take its place.
So who wants to break something takes the best cards first, and asks for the hardest demands first; only how
many of a chain are taken need be tried, not which.
"""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.checking.solver.effort import Effort
from cardgen.checking.solver.problem import Assignment, Puzzle, Total

Vector = tuple[float, ...]
_COMPARED_PER_STEP = 50


def chained(vectors: Sequence[Vector], effort: Effort) -> list[list[int]]:
    """Indexes in chains: of two neighbors, no entry of the first vector is less than the second's."""
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


def strengths(problem: Puzzle) -> list[Vector]:
    """A vector for each supply. Where none of its entries is less than another's, a card of it does what
    one of the other does, for every demand."""
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


def hardnesses(problem: Puzzle) -> list[Vector]:
    """A vector for each demand. Where none of its entries is less than another's, what meets it meets the
    other."""
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
