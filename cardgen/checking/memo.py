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


def known_as(value: Any) -> Any:
    """What a value of the state is known by."""
    # 1, 1.0 and true are equal, and so are 0.0 and -0.0, but they need not lead to the same.
    return value if value.__class__ in _PLAIN else (value.__class__, repr(value))


def keep(values: Values, name: str, value: Any) -> None:
    """Set a name of the state, and what its value is known by."""
    values[name] = value
    values["_" + name] = known_as(value)


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

    __slots__ = (
        "_by_card",
        "_convert",
        "_expression",
        "_key",
        "_known",
        "_left",
        "_path",
        "_random",
        "value",
    )

    value: Callable[[Values], Any]
    """The value in a run whose names have these values. Raises BrokenRuleError."""

    def __init__(self, expression: Expression, path: Path, convert: Convert | None, names: Names) -> None:
        self._expression, self._path, self._convert = expression, path, convert
        self._random = not set(names.chance).isdisjoint(expression.names)
        read = () if self._random else expression.names
        zones = [name for name in read if name in names.zones]
        # How many cards there are is far more often the same than which they are.
        whole = [name for name in zones if name not in expression.measured]
        self._key = _key(["_" + name for name in read if name in names.state], zones, whole, names.handle)
        self._by_card = "card" in read
        self._known: dict[Any, Any] = {}
        self._left = MAX_ZONES if whole else MAX_KNOWN
        self.value = self._work_out if self._random else self._of_card() if self._by_card else self._plain()

    # Closures, since a run asks for little else.

    def _plain(self) -> Callable[[Values], Any]:
        key, known, work_out = self._key, self._known, self._work_out

        def value(values: Values) -> Any:
            state = key(values)
            try:
                return known[state]
            except KeyError:
                found = work_out(values)
                if self._left > 0:
                    self._left -= 1
                    known[state] = found
                return found

        return value

    def _of_card(self) -> Callable[[Values], Any]:
        key, known, work_out = self._key, self._known, self._work_out

        def value(values: Values) -> Any:
            state = key(values)
            card = id(values.get("card"))
            try:
                return known[state][card]
            except KeyError:
                found = work_out(values)
                if self._left > 0:
                    self._left -= 1
                    known.setdefault(state, {})[card] = found
                return found

        return value

    def of_each(self, values: Values, cards: Sequence[Card]) -> list[Any]:
        """The values with each of the cards as `card`. Raises BrokenRuleError."""
        state = self._key(values) if self._by_card else None
        known = self._known.get(state, {}) if self._by_card else {}
        try:
            return [known[id(card)] for card in cards]
        except KeyError:
            outer = values.get("card")
            found = []
            for card in cards:
                values["card"] = card
                found.append(known[id(card)] if id(card) in known else self.value(values))
            values["card"] = outer
            return found

    def _work_out(self, values: Values) -> Any:
        try:
            value = self._expression(values)
        except ExpressionError as error:
            raise BrokenRuleError(str(error), self._path) from None
        return value if self._convert is None else self._convert(value, self._expression, self._path)


def _key(
    names: Sequence[str], zones: Sequence[str], whole: Sequence[str], handle: Callable[[int], None]
) -> Callable[[Values], Any]:
    """What a value is remembered by: those of the names, how many cards lie in the zones and, of the
    `whole` ones, which, in order."""
    plain = itemgetter(*names) if names else lambda values: None
    if not zones:
        return plain
    if len(zones) == 1 and not whole:
        (zone,) = zones

        def lying_there(values: Values) -> Any:
            count = len(values[zone])
            handle(count)
            return (plain(values), count)

        return lying_there

    def lying(values: Values) -> Any:
        counts = [len(values[zone]) for zone in zones]
        handle(sum(counts))
        return (plain(values), *counts, *(tuple(map(id, values[zone])) for zone in whole))

    return lying
