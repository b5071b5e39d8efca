"""The worst case: the fewest demands that cannot be met together, the fewest losses that break them.

Both are a game of two: an attacker picks demands or losses, and sets that meet the demands all the
same are the answer. Every answer rules out all attacks that do not touch it, so the attacker need
only look at those that touch every answer so far, the smallest first. The first attack without an
answer is the smallest of all.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import chain

from cardgen.checking.solver.coverage import Coverage
from cardgen.checking.solver.problem import Witness, meets
from cardgen.checking.solver.programme import Budget, OutOfNodesError, Programme

ATTACKS_PER_NODE = 100
"""How many attacks, looked at without the solver, count as one of its nodes."""

MENDED = 12
"""How many of the latest answers are tried with a few cards replaced before the solver is asked."""


@dataclass(frozen=True, slots=True)
class Attack:
    """Demands that cannot be met together once these cards of each supply are gone."""

    demands: tuple[int, ...]
    losses: dict[int, int]

    @property
    def lost(self) -> int:
        return sum(self.losses.values())


@dataclass(frozen=True, slots=True)
class Margin:
    """`attack` is a smallest one, or None if none was found; `least` losses are needed at least."""

    attack: Attack | None
    least: int


def smallest_unsatisfiable(
    coverage: Coverage, budget: Budget, losses: dict[int, int] | None = None, most: int | None = None
) -> tuple[tuple[int, ...] | None, list[Witness]]:
    """A set of demands that cannot be met together, as small as any; None if there is none (of at
    most `most` demands). Also the answers that prove it."""
    answers: list[Witness] = []
    everything = range(len(coverage.problem.demands))
    while True:
        attacker = Programme(budget)
        picked = [attacker.variable(0, 1, 1) for _ in everything]
        if most is not None:
            attacker.row(dict.fromkeys(picked, 1.0), high=most)
        for answer in answers:
            attacker.row({picked[d]: 1.0 for d in everything if d not in answer.met}, low=1)
        values = attacker.solve()
        if values is None:
            return None, answers
        demands = tuple(d for d in everything if round(values[picked[d]]))
        found = coverage.satisfy(demands, losses, most=True)
        if found is None:
            return demands, answers
        answers.append(found)


@dataclass(slots=True)
class _Answer:
    """Sets that meet all demands: cards (by number) of each demand, and all of them as bits."""

    sets: dict[int, list[int]]
    bits: int = 0

    def __post_init__(self) -> None:
        self.bits = sum(1 << card for cards in self.sets.values() for card in cards)


@dataclass(slots=True)
class Losses:
    """The search for the fewest lost cards that break some `size` demands of the problem."""

    coverage: Coverage
    budget: Budget
    size: int
    _supply_of: list[int] = field(default_factory=list)
    _answers: list[_Answer] = field(default_factory=list)
    _safe: list[int] = field(default_factory=list)
    _known: dict[tuple[int, tuple[tuple[int, int], ...]], bool] = field(default_factory=dict)
    _looked: int = 0

    def __post_init__(self) -> None:
        for index, supply in enumerate(self.coverage.problem.supplies):
            self._supply_of.extend([index] * supply.count)

    def margin(self, most: int) -> Margin:
        """The fewest losses that break the demands, tried up to `most` of them."""
        for depth in range(most + 1):
            try:
                attack = self._search(0, depth, 0)
            except OutOfNodesError:
                return Margin(None, depth)
            if attack:
                return Margin(attack, depth)
        return Margin(None, most + 1)

    def _search(self, lost: int, left: int, forbidden: int) -> Attack | None:
        """Try all ways to lose `left` more cards, none of them `forbidden`.

        Cards that an earlier branch has tried are forbidden to the later ones, so no set of losses
        is looked at twice.
        """
        self._looked += 1
        if self._looked % ATTACKS_PER_NODE == 0:
            self.budget.spend(1)
        known = chain((answer.bits for answer in self._answers), self._safe)
        bits = next((bits for bits in known if not bits & lost), None)
        if bits is None:
            found = self._answer(lost)
            if isinstance(found, Attack):
                return found
            bits = found
        if left == 0:
            return None
        candidates = bits & ~forbidden
        while candidates:
            card = candidates & -candidates
            attack = self._search(lost | card, left - 1, forbidden)
            if attack:
                return attack
            forbidden |= card
            candidates ^= card
        return None

    def _answer(self, lost: int) -> int | Attack:
        """The cards that an answer to these losses uses, or the attack if there is no answer."""
        for known in self._answers[:MENDED]:
            mended = self._mended(known, lost)
            if mended:
                self._answers.insert(0, mended)
                return mended.bits
        losses = Counter(supply for card, supply in enumerate(self._supply_of) if lost >> card & 1)
        demands = range(len(self.coverage.problem.demands))
        witness = self.coverage.satisfy(demands, losses)
        if witness:
            answer = self._named(witness, lost)
            self._answers.insert(0, answer)
            return answer.bits
        if self.size == len(demands):
            return Attack(tuple(demands), losses)
        # Not all at once; but perhaps any `size` of them.
        broken, answers = smallest_unsatisfiable(self.coverage, self.budget, losses, self.size)
        if broken is not None:
            more = [d for d in demands if d not in broken][: self.size - len(broken)]
            return Attack(tuple(sorted((*broken, *more))), losses)
        bits = 0
        for each in answers:
            bits |= self._named(each, lost).bits
        self._safe.append(bits)
        return bits

    def _named(self, witness: Witness, lost: int) -> _Answer:
        """The witness with cards instead of counts, cards that it can do without left out."""
        free: dict[int, list[int]] = {}
        for card, supply in enumerate(self._supply_of):
            if not lost >> card & 1:
                free.setdefault(supply, []).append(card)
        sets: dict[int, list[int]] = {}
        for d, taken in sorted(witness.taken.items()):
            counts = dict(taken)
            for supply in sorted(counts):
                while counts[supply] and self._meets(d, {**counts, supply: counts[supply] - 1}):
                    counts[supply] -= 1
            sets[d] = [
                free[supply].pop(0) for supply, count in sorted(counts.items()) for _ in range(count)
            ]
        return _Answer(sets)

    def _mended(self, answer: _Answer, lost: int) -> _Answer | None:
        """The answer with each lost card replaced by an unused one, if that is enough."""
        used = answer.bits | lost
        sets = dict(answer.sets)
        for d, cards in answer.sets.items():
            for card in cards:
                if not lost >> card & 1:
                    continue
                rest = [other for other in sets[d] if other != card]
                counts = Counter(self._supply_of[other] for other in rest)
                if self._meets(d, counts):
                    sets[d] = rest
                    continue
                tried: set[int] = set()
                for spare, supply in enumerate(self._supply_of):
                    if used >> spare & 1 or supply in tried:
                        continue
                    tried.add(supply)
                    if self._meets(d, {**counts, supply: counts[supply] + 1}):
                        sets[d] = [*rest, spare]
                        used |= 1 << spare
                        break
                else:
                    return None
        return _Answer(sets)

    def _meets(self, demand: int, counts: dict[int, int]) -> bool:
        key = (demand, tuple(sorted(counts.items())))
        if key not in self._known:
            problem = self.coverage.problem
            self._known[key] = meets(problem.demands[demand], counts, problem)
        return self._known[key]
