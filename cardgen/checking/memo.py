"""What the expressions of a process come to, worked out once and remembered.

An expression of a process reads the card, the state, zones, chance, and what never changes. One that does
not read chance comes to the same for the same card, state and cards in the zones, however often a
simulation comes by.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
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

_PLAIN = frozenset({int, str})
_NOTHING: Mapping[int, Any] = {}


def keep(values: Values, name: str, value: Any) -> None:
    """Set a name of the state, and what its value is known by."""
    # 1, 1.0 and true are equal, and so are 0.0 and -0.0, but they need not lead to the same.
    values[name] = value
    values["_" + name] = value if value.__class__ in _PLAIN else (value.__class__, repr(value))


@dataclass(frozen=True, slots=True)
class Names:
    """What the expressions of a process read: `state` are the names whose values are set by `keep`, `zones`
    those whose values are lists of cards that live as long as the process, `chance` those that give another
    value each time. `handle` counts the cards that are looked through."""

    state: Collection[str]
    zones: Collection[str]
    chance: Collection[str]
    handle: Callable[[int], None]


class Memo:
    """An expression at a place of a process, with what it came to.

    The rule's meter counts what is worked out; what is remembered costs it nothing.
    """

    __slots__ = ("_by_card", "_convert", "_expression", "_key", "_known", "_left", "_path")

    def __init__(self, expression: Expression, path: Path, convert: Convert | None, names: Names) -> None:
        self._expression, self._path, self._convert = expression, path, convert
        random = not set(names.chance).isdisjoint(expression.names)
        read = () if random else expression.names
        zones = [name for name in read if name in names.zones]
        self._key = _key(["_" + name for name in read if name in names.state], zones, names.handle)
        self._by_card = "card" in read
        self._known: dict[Any, dict[int, Any]] = {}
        self._left = 0 if random else MAX_ZONES if zones else MAX_KNOWN

    def __call__(self, values: Values) -> Any:
        """The value in a run whose names have these values. Raises BrokenRuleError."""
        state = self._key(values)
        card = id(values.get("card")) if self._by_card else 0
        known = self._known.get(state, _NOTHING)
        return known[card] if card in known else self._new(values, state, card)

    def of_each(self, values: Values, cards: Sequence[Card]) -> list[Any]:
        """The values with each of the cards as `card`. Raises BrokenRuleError."""
        state = self._key(values)
        known = self._known.get(state, _NOTHING)
        try:
            return [known[id(card)] for card in cards]
        except KeyError:
            outer = values.get("card")
            found = []
            for card in cards:
                values["card"] = card
                found.append(known[id(card)] if id(card) in known else self._new(values, state, id(card)))
            values["card"] = outer
            return found

    def _new(self, values: Values, state: Any, card: int) -> Any:
        try:
            value = self._expression(values)
        except ExpressionError as error:
            raise BrokenRuleError(str(error), self._path) from None
        if self._convert is not None:
            value = self._convert(value, self._expression, self._path)
        if self._left > 0:
            self._left -= 1
            self._known.setdefault(state, {})[card] = value
        return value


def _key(
    names: Sequence[str], zones: Sequence[str], handle: Callable[[int], None]
) -> Callable[[Values], Any]:
    """What a value is remembered by: those of the names, and which cards lie in the zones, in order."""
    plain = itemgetter(*names) if names else lambda values: None
    if not zones:
        return plain

    def lying(values: Values) -> Any:
        cards = [values[zone] for zone in zones]
        handle(sum(map(len, cards)))
        return (plain(values), *(tuple(map(id, zone)) for zone in cards))

    return lying
