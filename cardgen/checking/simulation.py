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
from cardgen.checking.sandbox import Function
from cardgen.checking.subjects import meant

DEFAULT_MAX_STEPS = 20_000
"""Most steps of one run unless the rule says otherwise."""

MAX_TOTAL = 2_000_000
"""Most steps of all runs together."""

MAX_DICE = 1_000
"""Most dice of one roll."""

_MAX_WORD = 200
_MAX_NUMBER = 1 << 256

CardData = Mapping[str, Any]


class EndlessError(Exception):
    """A run that took more steps than it may."""


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

    def spend(self, steps: int = 1) -> None:
        self.left -= steps
        if self.left < 0:
            raise EndlessError


Step = Callable[[World], None]


class Process:
    """A rule's process, ready to run. Raises BrokenRuleError for what is wrong with it."""

    def __init__(self, case: Case) -> None:
        self.case = case
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
        for name in case.data.get("state", {}):
            self._free(name, ("state", name))
            self._state[name] = self._expression(("state", name))
        for name in self.decks:
            self._free(name, ("zones", name))
        self.series: list[str] = []
        self._steps = self._read_steps(("steps",))

    # -- reading ---------------------------------------------------------------------------------

    def _deck(self, path: Path) -> list[CardData]:
        cards: list[CardData] = []
        for subject in self.case.select(*path):
            for _ in range(
                subject.copies
            ):  # each copy a mapping of its own, so that `put` can tell them apart
                cards.append({**subject.fields, "copies": 1, "component": subject.source})
        return cards

    def _free(self, name: str, path: Path) -> None:
        taken = {**self.case.pool.globals, **self._functions}
        if name in taken or name == "card" or (path[0] == "zones" and name in self._state):
            raise BrokenRuleError(f"“{name}” is taken; choose another name", path)

    def _expression(self, path: Path, source: Any = None) -> Expression:
        extra: dict[str, Sequence[Any]] = {name: [] for name in (*self._state, *self.decks)}
        extra.update({name: [function] for name, function in self._functions.items()})
        extra["card"] = self._cards
        return self.case.compile(self.case.parameter(path) if source is None else source, path, (), extra)

    def expression(self, path: Path) -> Expression:
        """An expression over the state and the zones at the end of a run."""
        return self._expression(path)

    def _optional(self, path: Path) -> Expression | None:
        return None if self.case.parameter(path) is None else self._expression(path)

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
        return lambda world: world.random.shuffle(world.zones[zone])

    def _read_draw(self, path: Path) -> Step:
        place = (*path, "draw")
        source, to = self._zone((*place, "from")), self._zone((*place, "to"))
        refill = self._zone((*place, "refill")) if self.case.parameter((*place, "refill")) else None
        count = self._optional((*place, "count"))

        def draw(world: World) -> None:
            for _ in range(1 if count is None else self._whole(count, world, (*place, "count"))):
                world.spend()
                cards = world.zones[source]
                if not cards and refill is not None:
                    cards.extend(world.zones[refill])
                    world.zones[refill].clear()
                    world.random.shuffle(cards)
                if not cards:
                    return
                world.zones[to].append(cards.pop(0))

        return draw

    def _read_move(self, path: Path) -> Step:
        place = (*path, "move")
        source, to = self._zone((*place, "from")), self._zone((*place, "to"))
        where, best = self._optional((*place, "where")), self._optional((*place, "best"))
        count = self._optional((*place, "count"))

        def move(world: World) -> None:
            cards = world.zones[source]
            world.spend(len(cards))
            chosen = [
                i for i, card in enumerate(cards) if where is None or self._of(where, world, card, place)
            ]
            if best is not None:
                worth = {
                    i: self._figure(self._of(best, world, cards[i], place), best, place) for i in chosen
                }
                chosen.sort(key=lambda i: -worth[i])
            if count is not None:
                chosen = chosen[: self._whole(count, world, (*place, "count"))]
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
            for cards in world.zones.values():
                for index, other in enumerate(cards):
                    if other is card:
                        del cards[index]
                        world.zones[to].append(card)
                        return

        return put

    def _read_set(self, path: Path) -> Step:
        pairs: list[tuple[str, Expression]] = []
        for name in self.case.parameter((*path, "set")):
            place = (*path, "set", name)
            if name not in self._state:
                raise BrokenRuleError(f"the state has no “{name}”", place, meant(name, self._state))
            pairs.append((name, self._expression(place)))

        def assign(world: World) -> None:
            for name, expression in pairs:
                value = self._value(expression, world, (*path, "set", name))
                world.values[name] = _kept(value, expression, (*path, "set", name))

        return assign

    def _read_record(self, path: Path) -> Step:
        pairs = [
            (name, self._expression((*path, "record", name)))
            for name in self.case.parameter((*path, "record"))
        ]
        self.series.extend(name for name, _ in pairs if name not in self.series)

        def record(world: World) -> None:
            for name, expression in pairs:
                place = (*path, "record", name)
                value = self._figure(self._value(expression, world, place), expression, place)
                world.records.setdefault(name, []).append(value)

        return record

    def _read_for_each(self, path: Path) -> Step:
        place = (*path, "for_each")
        zone = self._zone((*place, "zone"))
        where, best = self._optional((*place, "where")), self._optional((*place, "best"))
        steps = self._read_steps((*place, "steps"))

        def each(world: World) -> None:
            cards = list(world.zones[zone])
            world.spend(len(cards))
            if best is not None:
                worth = [self._figure(self._of(best, world, card, place), best, place) for card in cards]
                cards = [cards[i] for i in sorted(range(len(cards)), key=lambda i: -worth[i])]
            outer = world.values.get("card")
            for card in cards:
                if where is None or self._of(where, world, card, place):
                    world.values["card"] = card
                    self._run(steps, world)
            world.values["card"] = outer

        return each

    def _read_repeat(self, path: Path) -> Step:
        place = (*path, "repeat")
        times, going_on = self._optional((*place, "times")), self._optional((*place, "while"))
        steps = self._read_steps((*place, "steps"))

        def repeat(world: World) -> None:
            left = None if times is None else self._whole(times, world, (*place, "times"))
            while left is None or left > 0:
                world.spend()
                if going_on is not None and not self._value(going_on, world, (*place, "while")):
                    return
                self._run(steps, world)
                left = None if left is None else left - 1

        return repeat

    def _read_if(self, path: Path) -> Step:
        condition = self._expression((*path, "if"))
        then, otherwise = self._read_steps((*path, "then")), self._read_steps((*path, "else"))

        def branch(world: World) -> None:
            self._run(then if self._value(condition, world, (*path, "if")) else otherwise, world)

        return branch

    def _read_stop(self, path: Path) -> Step:
        condition = self._expression((*path, "stop"))

        def stop(world: World) -> None:
            if self._value(condition, world, (*path, "stop")):
                raise StopRun

        return stop

    # -- running ---------------------------------------------------------------------------------

    def run(self, random: Random, max_steps: int) -> World:
        """One run from the start. Raises EndlessError, BrokenRuleError."""
        self._random = random
        zones = {name: list(deck) for name, deck in self.decks.items()}
        values = {**self.case.pool.globals, **self._functions, **zones}
        world = World(values, zones, random, max_steps)
        for name, expression in self._state.items():
            path = ("state", name)
            values[name] = _kept(self._value(expression, world, path), expression, path)
        with suppress(StopRun):
            self._run(self._steps, world)
        return world

    def _run(self, steps: list[Step], world: World) -> None:
        for step in steps:
            world.spend()
            step(world)

    def _value(self, expression: Expression, world: World, path: Path) -> Any:
        return self.case.work_out_in(expression, path, world.values)

    def _of(self, expression: Expression, world: World, card: CardData, path: Path) -> Any:
        outer = world.values.get("card")
        world.values["card"] = card
        try:
            return self._value(expression, world, path)
        finally:
            world.values["card"] = outer

    def _figure(self, value: Any, expression: Expression, path: Path) -> float:
        if isinstance(value, (int, float)) and math.isfinite(value):
            return value
        raise BrokenRuleError(f"`{expression.source}` is {show(value)}, a number is needed", path)

    def _whole(self, expression: Expression, world: World, path: Path) -> int:
        value = self._figure(self._value(expression, world, path), expression, path)
        if value != int(value):
            raise BrokenRuleError(f"`{expression.source}` is {show(value)}, a whole number is needed", path)
        return int(value)

    def _dice(self, count: int, sides: int) -> int:
        if not (1 <= count <= MAX_DICE and 1 <= sides <= MAX_DICE):
            raise ValueError(f"a roll has 1 to {MAX_DICE} dice of 1 to {MAX_DICE} sides")
        return sum(self._random.randint(1, sides) for _ in range(count))

    def _chance(self, share: float) -> bool:
        return self._random.random() < share


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
