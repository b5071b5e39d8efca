"""What the solver is asked: demands, each with its needs, and the supply they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MAX_CELLS = 2_000_000
"""Most cells (demands x kinds of supply card x things asked for) of a problem."""


@dataclass(frozen=True, slots=True)
class Supply:
    """Cards that are alike to every demand: `labels` has one entry for each copy."""

    labels: tuple[str, ...]

    @property
    def count(self) -> int:
        return len(self.labels)


@dataclass(frozen=True, slots=True)
class Token:
    """A thing a demand asks for `times` times, each time from another card of `providers`
    (indexes of supplies)."""

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

    `weights` holds what a card of each supply adds; supplies that are left out add nothing. A need
    for "at least n cards that …" is a total of ones.
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
class Puzzle:
    """Demands are met by disjoint sets of at least `smallest` and at most `largest` cards."""

    supplies: tuple[Supply, ...]
    demands: tuple[Demand, ...]
    smallest: int
    largest: int


@dataclass(frozen=True, slots=True)
class Witness:
    """Which demands are met, and how many cards of each supply each of them takes."""

    met: tuple[int, ...]
    taken: Mapping[int, Mapping[int, int]]

    def used(self) -> dict[int, int]:
        """Cards taken of each supply by all demands together."""
        used: Counter[int] = Counter()
        for counts in self.taken.values():
            used.update(counts)
        return used


def unprovided(wants: Sequence[Token], cards: Sequence[int]) -> list[Token] | None:
    """Tokens that together are provided by one card fewer than they are (a Hall violator), where not each
    of `wants` can have a card of its own; `cards` are the supplies of the cards there are, None that all
    can. Augmenting paths: a plain check of what the solver says."""
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


def meets(demand: Demand, taken: Mapping[int, int], problem: Puzzle) -> bool:
    """Whether a set of cards meets a demand, worked out without the solver."""
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
