"""A small random process stated as data: zones of cards, a state of numbers, steps.

A process is read once into `Step` functions whose expressions are compiled and checked, then run many
times. Every step and every card moved is counted; a run that takes too many is given up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from cardgen.checking.case import BrokenRuleError, Case, Path, show
from cardgen.checking.expressions import Expression
from cardgen.checking.memo import Convert, Memo, Names, Values, keep, known_as
from cardgen.checking.subjects import meant
from cardgen.sandbox import Function, WrongValueError
from cardgen.sandbox.texts import real, whole

DEFAULT_MAX_STEPS = 20_000
"""Most steps of one run unless the rule says otherwise."""

MAX_TOTAL = 2_000_000
"""Most steps of all runs together."""

MAX_HANDLED = 100_000_000
"""Most cards that all runs shuffle or look through, beside their steps."""

CARDS_PER_COPY = 10
"""So many cards are laid out for a run in the time that one is shuffled in."""

MAX_CARDS = 50_000
"""Most cards of all zones together."""

MAX_DICE = 1_000
"""Most dice of one roll."""

_MAX_WORD = 200
_MAX_NUMBER = 1 << 256

CardData = Mapping[str, Any]


class EndlessError(Exception):
    """A run that took more steps than it may; with a text where it was not the steps."""


class StopRun(Exception):  # noqa: N818 (not an error: the step `stop`)
    """The process ended the run."""


@dataclass(slots=True)
class World:
    """One run: what expressions read (`values`), the zones, the records, the steps left."""

    values: dict[str, Any]
    zones: dict[str, list[CardData]]
    random: Random
    left: int
    records: dict[str, list[float]] = field(default_factory=dict)
    within: list[list[CardData]] = field(default_factory=list)
    """The zones of the `for_each` steps that are running, the innermost last."""

    def spend(self, steps: int = 1) -> None:
        self.left -= steps
        if self.left < 0:
            raise EndlessError

    def run(self, steps: Sequence[Step]) -> None:
        for step in steps:
            self.left = left = self.left - 1
            if left < 0:
                raise EndlessError
            step(self)


Step = Callable[[World], None]


@dataclass(slots=True)
class Effort:
    """The cards of all processes of a rule: those that lie in their zones, and those handled."""

    cards: int = 0
    handled: int = 0

    def handle(self, cards: int) -> None:
        """Count cards that are shuffled, or looked through on the way to another."""
        self.handled += cards
        if self.handled > MAX_HANDLED:
            raise EndlessError(f"the runs look through more than {MAX_HANDLED:,} cards together")


class Process:
    """A rule's process, ready to run. Raises BrokenRuleError for what is wrong with it."""

    def __init__(self, case: Case, given: Mapping[str, Any], effort: Effort) -> None:
        """`given` are further names that its expressions may read, with their values."""
        self.case = case
        self.given = given
        self._effort, self._handle = effort, effort.handle
        self._random = Random()
        self.decks: dict[str, list[CardData]] = {}
        for name, zone in case.data["zones"].items():
            self.decks[name] = [] if not zone else self._deck(("zones", name))
        self._cards = [card for deck in self.decks.values() for card in deck]
        self._functions: dict[str, Any] = {
            "dice": Function("dice", self._dice),
            "chance": Function("chance", self._chance),
        }
        self._state: dict[str, Expression] = {}
        for name in self.given:
            self._free(name, ("for", name))
        for name in case.data.get("state", {}):
            self._free(name, ("state", name))
            self._state[name] = self._compiled(("state", name))
        for name in self.decks:
            self._free(name, ("zones", name))
        self._names = Names(self._state, self.decks, self._functions, effort.handle)
        self.series: list[str] = []
        self._steps = self._read_steps(("steps",))

    # -- reading ---------------------------------------------------------------------------------

    def _deck(self, path: Path) -> list[CardData]:
        cards: list[CardData] = []
        chosen = self.case.select(*path, given=self.given)
        self._effort.cards += chosen.copies
        if self._effort.cards > MAX_CARDS:
            raise BrokenRuleError(f"the zones hold at most {MAX_CARDS:,} cards together", path)
        for subject in chosen:
            for _ in range(subject.copies):
                # Each copy is a mapping of its own, so that `put` can tell them apart.
                cards.append(subject.card.but(copies=1))
        return cards

    def _free(self, name: str, path: Path) -> None:
        taken = {**self.case.pool.globals, **self._functions}
        taken.update({} if path[0] == "for" else self.given)
        if name in taken or name == "card" or (path[0] == "zones" and name in self._state):
            raise BrokenRuleError(f"“{name}” is taken; choose another name", path)

    def _compiled(self, path: Path) -> Expression:
        extra: dict[str, Sequence[Any]] = {name: [] for name in (*self._state, *self.decks)}
        extra.update({name: [function] for name, function in self._functions.items()})
        extra.update({name: [value] for name, value in self.given.items()})
        extra["card"] = self._cards
        return self.case.compile(self.case.parameter(path), path, (), extra)

    def reading(self, path: Path, convert: Convert | None = None) -> Memo:
        """The expression there, over the state and the zones."""
        return Memo(self._compiled(path), path, convert, self._names)

    def _optional(self, path: Path, convert: Convert | None = None) -> Memo | None:
        return None if self.case.parameter(path) is None else self.reading(path, convert)

    def _choosing(self, path: Path, convert: Convert | None = None) -> Memo | None:
        """The expression there, if there is one, which must tell cards apart. Raises BrokenRuleError."""
        if self.case.parameter(path) is None:
            return None
        expression = self._compiled(path)
        if "card" not in expression.names:
            fields = {name for card in self._cards for name in card}  # only here: it reads all of them
            shadowed = [f"did you mean card.{name}?" for name in expression.names if name in fields]
            raise BrokenRuleError(
                f"`{expression.source}` reads no card, so it is the same for each of them",
                path,
                shadowed[0] if shadowed else "read a field of card, or choose by a step with if",
            )
        return self.reading(path, convert)

    def _zone(self, path: Path) -> str:
        name = self.case.parameter(path)
        if name not in self.decks:
            raise BrokenRuleError(f"there is no zone “{name}”", path, meant(str(name), self.decks))
        return str(name)

    def _read_steps(self, path: Path) -> list[Step]:
        readers: dict[str, Callable[[Path], Step]] = {
            "shuffle": self._read_shuffle,
            "draw": self._read_draw,
            "move": self._read_move,
            "put": self._read_put,
            "set": self._read_set,
            "record": self._read_record,
            "for_each": self._read_for_each,
            "repeat": self._read_repeat,
            "if": self._read_if,
            "stop": self._read_stop,
        }
        steps = []
        for index, data in enumerate(self.case.parameter(path) or ()):
            kind = next(key for key in readers if key in data)
            steps.append(readers[kind]((*path, index)))
        return steps

    def _read_shuffle(self, path: Path) -> Step:
        zone = self._zone((*path, "shuffle"))

        def shuffled(world: World) -> None:
            self._handle(len(world.zones[zone]))
            shuffle(world.zones[zone], world.random)

        return shuffled

    def _read_draw(self, path: Path) -> Step:
        place = (*path, "draw")
        source, to = self._zone((*place, "from")), self._zone((*place, "to"))
        refill = self._zone((*place, "refill")) if self.case.parameter((*place, "refill")) else None
        count = self._optional((*place, "count"), _whole)

        def draw(world: World) -> None:
            for _ in range(1 if count is None else count.value(world.values)):
                world.spend()
                cards = world.zones[source]
                if not cards and refill is not None:
                    self._handle(len(world.zones[refill]))
                    cards.extend(world.zones[refill])
                    world.zones[refill].clear()
                    shuffle(cards, world.random)
                if not cards:
                    return
                world.zones[to].append(cards.pop(0))

        return draw

    def _read_move(self, path: Path) -> Step:
        place = (*path, "move")
        source, to = self._zone((*place, "from")), self._zone((*place, "to"))
        where, best = self._choosing((*place, "where")), self._choosing((*place, "best"), _figure)
        count = self._optional((*place, "count"), _whole)
        all_of_them = where is None and best is None and count is None

        def move(world: World) -> None:
            cards = world.zones[source]
            world.spend(len(cards))
            values = world.values
            if all_of_them:
                moved = list(cards)
                cards.clear()
                world.zones[to].extend(moved)
                return
            if where is None:
                chosen = list(range(len(cards)))
            else:
                chosen = [i for i, holds in enumerate(where.of_each(values, cards)) if holds]
            if best is not None:
                worth = best.of_each(values, [cards[i] for i in chosen])
                chosen = [chosen[place] for place in _descending(worth)]
            if count is not None:
                chosen = chosen[: count.value(values)]
            if not chosen:
                return
            moved = [cards[i] for i in chosen]
            gone = set(chosen)
            cards[:] = [card for i, card in enumerate(cards) if i not in gone]
            world.zones[to].extend(moved)

        return move

    def _read_put(self, path: Path) -> Step:
        to = self._zone((*path, "put"))

        def put(world: World) -> None:
            card = world.values.get("card")
            if card is None:
                raise BrokenRuleError("put moves the card of a for_each, and there is none here", path)
            for cards in (*world.within[-1:], *world.zones.values()):  # most often it still lies there
                for index, other in enumerate(cards):
                    if other is card:
                        self._handle(index)
                        del cards[index]
                        world.zones[to].append(card)
                        return
                self._handle(1 + len(cards))

        return put

    def _read_set(self, path: Path) -> Step:
        changes: list[tuple[str, str, Callable[[Values], Any]]] = []
        for name in self.case.parameter((*path, "set")):
            place = (*path, "set", name)
            if name not in self._state:
                raise BrokenRuleError(f"the state has no “{name}”", place, meant(name, self._state))
            changes.append((name, "_" + name, self.reading(place, _kept_as).value))

        def assign(world: World) -> None:
            values = world.values
            for name, known, value in changes:  # as `keep` sets it
                values[name], values[known] = value(values)

        return assign

    def _read_record(self, path: Path) -> Step:
        names = self.case.parameter((*path, "record"))
        pairs = [(name, self.reading((*path, "record", name), _figure).value) for name in names]
        self.series.extend(name for name, _ in pairs if name not in self.series)

        def record(world: World) -> None:
            for name, value in pairs:
                world.records.setdefault(name, []).append(value(world.values))

        return record

    def _read_for_each(self, path: Path) -> Step:
        place = (*path, "for_each")
        zone = self._zone((*place, "zone"))
        where, best = self._choosing((*place, "where")), self._choosing((*place, "best"), _figure)
        steps = self._read_steps((*place, "steps"))

        def each(world: World) -> None:
            cards = list(world.zones[zone])
            world.spend(len(cards))
            if best is not None:
                worth = best.of_each(world.values, cards)
                cards = [cards[i] for i in _descending(worth)]
            outer = world.values.get("card")
            world.within.append(world.zones[zone])
            for card in cards:
                world.values["card"] = card
                if where is None or where.value(world.values):
                    world.run(steps)
            world.within.pop()
            world.values["card"] = outer

        return each

    def _read_repeat(self, path: Path) -> Step:
        place = (*path, "repeat")
        times, going_on = self._optional((*place, "times"), _whole), self._optional((*place, "while"))
        steps = self._read_steps((*place, "steps"))

        def repeat(world: World) -> None:
            left = None if times is None else times.value(world.values)
            while left is None or left > 0:
                world.spend()
                if going_on is not None and not going_on.value(world.values):
                    return
                world.run(steps)
                left = None if left is None else left - 1

        return repeat

    def _read_if(self, path: Path) -> Step:
        condition = self.reading((*path, "if")).value
        then, otherwise = self._read_steps((*path, "then")), self._read_steps((*path, "else"))
        return lambda world: world.run(then if condition(world.values) else otherwise)

    def _read_stop(self, path: Path) -> Step:
        condition = self.reading((*path, "stop")).value

        def stop(world: World) -> None:
            if condition(world.values):
                raise StopRun

        return stop

    # -- running ---------------------------------------------------------------------------------

    def run(self, random: Random, max_steps: int) -> World:
        """One run from the start. Raises EndlessError, BrokenRuleError."""
        self._random = random
        zones = {name: list(deck) for name, deck in self.decks.items()}
        values = {**self.case.pool.globals, **self._functions, **self.given, **zones}
        self._handle((len(values) + len(self._cards)) // CARDS_PER_COPY)
        world = World(values, zones, random, max_steps)
        for name, expression in self._state.items():
            path = ("state", name)
            keep(values, name, _kept(self.case.work_out_in(expression, path, values), expression, path))
        with suppress(StopRun):
            world.run(self._steps)
        return world

    def _dice(self, count: int, sides: int) -> int:
        if not (1 <= whole(count) <= MAX_DICE and 1 <= whole(sides) <= MAX_DICE):
            raise WrongValueError(f"a roll has 1 to {MAX_DICE} dice of 1 to {MAX_DICE} sides")
        self.case.pool.budget.step(count // 5)
        return rolled(count, sides, self._random)

    def _chance(self, share: float) -> bool:
        return self._random.random() < real(share)


def rolled(count: int, sides: int, random: Random) -> int:
    """The sum of so many dice, just as `random.randint` throws them but without three calls for each."""
    bits, length = random.getrandbits, sides.bit_length()
    total = int(count)
    for _ in range(count):
        face = bits(length)
        while face >= sides:
            face = bits(length)
        total += face
    return total


def shuffle(cards: list[CardData], random: Random) -> None:
    """Shuffle in place, just as `random.shuffle` does but without two calls for each card."""
    bits = random.getrandbits
    for last in range(len(cards) - 1, 0, -1):
        length = (last + 1).bit_length()
        place = bits(length)
        while place > last:
            place = bits(length)
        cards[last], cards[place] = cards[place], cards[last]


def _descending(worth: Sequence[float]) -> list[int]:
    """The places of the greatest first; equal ones in their order."""
    return sorted(range(len(worth)), key=worth.__getitem__, reverse=True)


def _figure(value: Any, expression: Expression, path: Path) -> float:
    if isinstance(value, (int, float)) and math.isfinite(value):
        return value
    raise BrokenRuleError(f"`{expression.source}` is {show(value)}, a number is needed", path)


def _whole(value: Any, expression: Expression, path: Path) -> int:
    figure = _figure(value, expression, path)
    if figure != int(figure):
        raise BrokenRuleError(f"`{expression.source}` is {show(value)}, a whole number is needed", path)
    return int(figure)


def _kept(value: Any, expression: Expression, path: Path) -> Any:
    """A value that the state may keep: a number, yes or no, a short word."""
    short = isinstance(value, str) and len(value) <= _MAX_WORD
    if isinstance(value, bool) or short:
        return value
    if isinstance(value, (int, float)) and math.isfinite(value) and abs(value) < _MAX_NUMBER:
        return value
    raise BrokenRuleError(
        f"`{expression.source}` is {show(value)}: the state keeps numbers and short words", path
    )


def _kept_as(value: Any, expression: Expression, path: Path) -> tuple[Any, Any]:
    """The same, and what it is known by."""
    return _kept(value, expression, path), known_as(value)
