"""Why demands cannot be met, in words: what stands in the way, and how much of it is short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from cardgen.checking.results import counted, listed, number
from cardgen.checking.solver.coverage import Coverage
from cardgen.checking.solver.effort import Effort
from cardgen.checking.solver.problem import Assignment, Puzzle, Token, Total, unprovided

SIZE = ""
"""Stands for the limit on the size of a set, among the names of needs."""


@dataclass(frozen=True, slots=True)
class Scarcity:
    """How often the demands ask for a token, and how many cards provide it."""

    need: str
    token: str
    wanted: int
    have: int


def provided(count: int) -> str:
    """How many cards provide something: "1 provides it", "3 provide it"."""
    return f"{count or 'none'} {'provides' if count < 2 else 'provide'} it"


def scarcities(problem: Puzzle, demands: Sequence[int]) -> list[Scarcity]:
    """Every token the demands ask for, the scarcest first."""
    wanted: Counter[tuple[str, str]] = Counter()
    providers: dict[tuple[str, str], set[int]] = {}
    for d in demands:
        for need in problem.demands[d].needs:
            for token in need.tokens if isinstance(need, Assignment) else ():
                key = (need.name, token.label)
                wanted[key] += token.times
                providers.setdefault(key, set()).update(token.providers)
    found = [
        Scarcity(*key, times, sum(problem.supplies[s].count for s in providers[key]))
        for key, times in wanted.items()
    ]
    return sorted(found, key=lambda scarcity: (scarcity.have - scarcity.wanted, scarcity.have))


def obstacles(problem: Puzzle, demands: Sequence[int], effort: Effort) -> list[str]:
    """The names of the needs (or SIZE) without which these demands could be met together."""
    names = dict.fromkeys(need.name for d in demands for need in problem.demands[d].needs)
    return [
        name
        for name in (*names, SIZE)
        if Coverage(problem, effort, without=(name,)).satisfy(demands) is not None
    ]


def reason(problem: Puzzle, demands: Sequence[int], effort: Effort) -> str:
    """One or two sentences for a hint: the bottleneck of demands that cannot be met together."""
    found = obstacles(problem, demands, effort)
    if not found:
        return "no single need stands in the way: several are short together"
    limit = f"the limit of {counted(problem.largest, 'card')}"
    words = [f"the need “{name}”" if name else limit for name in found]
    text = f"it would be possible without {' or without '.join(words)}"
    for name in found:
        short = _shortage(problem, demands, name)
        if short:
            return f"{short}; {text}"
    return text


def _shortage(problem: Puzzle, demands: Sequence[int], name: str) -> str:
    for d in demands:
        for need in problem.demands[d].needs:
            if need.name == name and isinstance(need, Total):
                return _total_short(problem, demands, name)
            if need.name == name:
                return _tokens_short(problem, demands, name)
    return ""


def _total_short(problem: Puzzle, demands: Sequence[int], name: str) -> str:
    needs = [
        need
        for d in demands
        for need in problem.demands[d].needs
        if need.name == name and isinstance(need, Total) and need.least is not None
    ]
    asked = sum(need.least or 0 for need in needs)
    weights: list[float] = []
    for s, supply in enumerate(problem.supplies):
        weights += [max((need.weights.get(s, 0) for need in needs), default=0)] * supply.count
    weights.sort(reverse=True)
    most = sum(weight for weight in weights[: problem.largest * len(demands)] if weight > 0)
    if asked > most:
        return f"“{name}” asks for {number(asked)}, and the best cards give {number(most)}"
    return ""


def _tokens_short(problem: Puzzle, demands: Sequence[int], name: str) -> str:
    wants: list[Token] = []
    for d in demands:
        for need in problem.demands[d].needs:
            if need.name == name and isinstance(need, Assignment):
                wants.extend(token for token in need.tokens for _ in range(token.times))
    short = unprovided(wants, [s for s, supply in enumerate(problem.supplies) for _ in supply.labels])
    if short is None:
        return ""
    names = listed([f"“{label}”" for label in dict.fromkeys(token.label for token in short)])
    asked = f"{counted(len(short), 'card')} {'is' if len(short) == 1 else 'are'} asked for"
    return f"{asked} {names} ({name}), and {provided(len(short) - 1)}"
