"""What the solver is asked: demands, each with its needs, and the supply they share."""

from __future__ import annotations

from collections.abc import Mapping
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
        used: dict[int, int] = {}
        for sets in self.taken.values():
            for supply, count in sets.items():
                used[supply] = used.get(supply, 0) + count
        return used


def matching(need: Assignment, taken: Mapping[int, int]) -> dict[int, list[int]] | None:
    """For each token the supplies of the distinct cards that provide it, or None if they can't.

    Augmenting paths, on the cards of one set: a plain check of what the solver says.
    """
    cards = [supply for supply in sorted(taken) for _ in range(taken[supply])]
    wants = [index for index, token in enumerate(need.tokens) for _ in range(token.times)]
    holder: list[int | None] = [None] * len(cards)

    def place(want: int, tried: set[int]) -> bool:
        for card, supply in enumerate(cards):
            if card in tried or supply not in need.tokens[wants[want]].providers:
                continue
            tried.add(card)
            other = holder[card]
            if other is None or place(other, tried):
                holder[card] = want
                return True
        return False

    if not all(place(want, set()) for want in range(len(wants))):
        return None
    found: dict[int, list[int]] = {index: [] for index in range(len(need.tokens))}
    for card, held in enumerate(holder):
        if held is not None:
            found[wants[held]].append(cards[card])
    return found


def meets(demand: Demand, taken: Mapping[int, int], problem: Puzzle) -> bool:
    """Whether a set of cards meets a demand, worked out without the solver."""
    if not problem.smallest <= sum(taken.values()) <= problem.largest:
        return False
    for need in demand.needs:
        if isinstance(need, Assignment):
            if matching(need, taken) is None:
                return False
            continue
        total = sum(need.weights.get(supply, 0) * count for supply, count in taken.items())
        if need.least is not None and total < need.least - 1e-9:
            return False
        if need.most is not None and total > need.most + 1e-9:
            return False
    return True
