"""Expressions of a process: worked out when something they read is new, remembered after that.

What an expression of a process reads is the card, the state, zones, chance, and what never changes.
One that does not read chance has the same value for the same card, state and cards in the zones,
however often a simulation comes by.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from operator import itemgetter
from typing import Any

from cardgen.checking.case import BrokenRuleError, Path
from cardgen.checking.expressions import Expression, ExpressionError

MAX_KNOWN = 100_000
"""Most values that are remembered of one expression."""

MAX_ZONES = 5_000
"""The same of one that reads zones, since what is remembered by is long, and shuffled cards seldom lie
the same way again."""

Values = dict[str, Any]
Card = Mapping[str, Any]
Convert = Callable[[Any, Expression, Path], Any]
"""Checks a value that was worked out, for the place that it is needed in; raises BrokenRuleError."""

Reading = Callable[[Values], Any]
"""The value of an expression in a run whose names have these values. Raises BrokenRuleError."""

ReadingOfEach = Callable[[Values, Sequence[Card]], list[Any]]
"""The values for each of some cards. Raises BrokenRuleError."""

_CARD = "_card"
"""Holds the identity of `card`; no expression can read it, for its names may not begin with _. The cards
live as long as the process, so none is taken for another."""

_NOTHING = object()


def turn_to(values: Values, card: Card | None) -> None:
    """Make this the card that expressions read."""
    values["card"], values[_CARD] = card, id(card)


class Reader:
    """Makes readings of one process: `state` are the names whose values are plain, `zones` those whose
    values are lists of cards, `chance` those that give another value each time.

    The rule's meter counts what is worked out; what is remembered costs it nothing.
    """

    def __init__(self, state: Collection[str], zones: Collection[str], chance: Collection[str]) -> None:
        self._zones, self._chance = frozenset(zones), frozenset(chance)
        self.types: dict[str, type | None] = dict.fromkeys(state)
        """Of what type each name's values have been: whoever changes the state asks `meet` first if
        the new one is of another."""
        self._mixed: set[str] = set()
        self._forget: dict[str, list[Callable[[], None]]] = {name: [] for name in state}

    def begin(self, values: Values) -> None:
        """Make the values of a new run ready to be read."""
        values[_CARD] = 0

    def meet(self, name: str, other: type) -> None:
        """See a value of a type that the name has not had before."""
        # 1, 1.0 and true are equal, but need not lead to the same: what reads a name that has had values
        # of two types is worked out each time.
        if self.types[name] is None:
            self.types[name] = other
        elif name not in self._mixed:
            self._mixed.add(name)
            for forget in self._forget[name]:
                forget()

    def reading(self, expression: Expression, path: Path, convert: Convert | None = None) -> Reading:
        """The expression at a place of the process."""
        work_out = _work_out(expression, path, convert)
        if not self._chance.isdisjoint(expression.names):
            return work_out
        names = [name for name in expression.names if name in self.types]
        zones = [name for name in expression.names if name in self._zones]
        plain = [*names, _CARD] if "card" in expression.names else names
        reading, forget = _remembered(work_out, plain, zones)
        for name in names:
            self._forget[name].append(forget)
        return reading

    def of_each(self, expression: Expression, path: Path, convert: Convert | None = None) -> ReadingOfEach:
        """The same for an expression that is wanted for each of several cards at a time."""
        work_out = _work_out(expression, path, convert)
        if not (self._chance | self._zones).isdisjoint(expression.names):
            return lambda values, cards: _each(work_out, values, cards)
        names = [name for name in expression.names if name in self.types]
        of_each, forget = _remembered_of_each(work_out, names)
        for name in names:
            self._forget[name].append(forget)
        return of_each


def _work_out(expression: Expression, path: Path, convert: Convert | None) -> Reading:
    def work_out(values: Values) -> Any:
        try:
            value = expression(values)
        except ExpressionError as error:
            raise BrokenRuleError(str(error), path) from None
        return value if convert is None else convert(value, expression, path)

    return work_out


def _key(names: Sequence[str], zones: Sequence[str]) -> Callable[[Values], Any]:
    """What a value is remembered by: those of the names, and which cards lie in the zones, in order."""
    plain = itemgetter(*names) if names else lambda values: None
    if not zones:
        return plain
    if len(zones) == 1:
        zone = zones[0]
        return lambda values: (plain(values), *map(id, values[zone]))
    return lambda values: (plain(values), *(tuple(map(id, values[zone])) for zone in zones))


def _remembered(
    work_out: Reading, names: Sequence[str], zones: Sequence[str]
) -> tuple[Reading, Callable[[], None]]:
    """The reading that remembers by these names and zones; and how to make it forget for good."""
    known: dict[Any, Any] = {}
    most = MAX_KNOWN if not zones else MAX_ZONES
    key, remembered = _key(names, zones), known.get

    def reading(values: Values) -> Any:
        found = key(values)
        value = remembered(found, _NOTHING)
        if value is _NOTHING:
            value = work_out(values)
            if len(known) < most:
                known[found] = value
        return value

    def forget() -> None:
        nonlocal most
        most = 0
        known.clear()

    return reading, forget


def _remembered_of_each(
    work_out: Reading, names: Sequence[str]
) -> tuple[ReadingOfEach, Callable[[], None]]:
    known: dict[Any, dict[int, Any]] = {}
    most = MAX_KNOWN
    key = _key(names, ())

    def of_each(values: Values, cards: Sequence[Card]) -> list[Any]:
        nonlocal most
        state = key(values)
        entries = known.get(state)
        if entries is None:
            entries = {}
            if most > 0:
                known[state] = entries
        try:
            return [entries[id(card)] for card in cards]
        except KeyError:
            new = [card for card in cards if id(card) not in entries]
            entries.update(zip(map(id, new), _each(work_out, values, new), strict=True))
            most -= len(new)
            return [entries[id(card)] for card in cards]

    def forget() -> None:
        nonlocal most
        most = 0
        known.clear()

    return of_each, forget


def _each(reading: Reading, values: Values, cards: Sequence[Card]) -> list[Any]:
    """The reading's value with each of the cards as `card`."""
    outer = values.get("card")
    found = []
    for card in cards:
        turn_to(values, card)
        found.append(reading(values))
    turn_to(values, outer)
    return found
