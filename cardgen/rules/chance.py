"""Random draws and processes, their statistics, and remembered values."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from operator import itemgetter
from random import Random
from statistics import NormalDist, fmean
from typing import Any

from cardgen.core.records import dataclass, field
from cardgen.expressions.budget import WrongValueError
from cardgen.expressions.values import Function, real, whole
from cardgen.rules.case import BrokenRuleError, Case, Path, show
from cardgen.rules.expressions import Expression, ExpressionError
from cardgen.rules.pool import meant
from cardgen.rules.results import Histogram, number

DEFAULT_MAX_STEPS = 20_000
"""Default maximum of steps in one run."""

MAX_TOTAL = 2_000_000
"""Most steps of all runs together."""

PATIENT = 50
"""How many times as much a rule may take that may take long."""

MAX_HANDLED = 100_000_000
"""Most cards that all runs shuffle or look through, beside their steps."""

CARDS_PER_COPY = 10
"""How many cards are copied into a run in the time that shuffling one card takes."""

MAX_CARDS = 50_000
"""Most cards of all zones together."""

MAX_DICE = 1_000
"""Most dice of one roll."""

MAX_SEATS = 20
"""Most seats at the table of a process."""

NOBODY = -1
"""The seat that `choose` finds where no seat fits."""

_MAX_WORD = 200
_MAX_NUMBER = 1 << 256

CardData = Mapping[str, Any]


class EndlessError(Exception):
    """The error of a run that exceeded its steps; it has a text if another limit was the reason."""


class StopRun(Exception):  # noqa: N818 (not an error: the step `stop`)
    """The end of a run, on request of its process."""


@dataclass(slots=True)
class World:
    """A run: what expressions read (`values`), the zones, the records and the remaining steps."""

    values: dict[str, Any]
    zones: dict[str, list[CardData]]
    random: Random
    left: int
    records: dict[str, list[float]] = field(default_factory=dict)
    within: list[list[CardData]] = field(default_factory=list)
    """The zones of the active `for_each` steps, the innermost last."""
    seats: list[Seat] = field(default_factory=list)
    seat: int = 0
    """The seat whose state and zones the names mean."""

    def sit(self, seat: int) -> None:
        """Let the names mean the state and the zones of another seat."""
        if seat == self.seat:
            return
        values, left, taken = self.values, self.seats[self.seat], self.seats[seat]
        left.state = {name: values[name] for name in left.state}
        values.update(taken.state)
        values.update(taken.zones)
        self.zones.update(taken.zones)
        keep(values, "seat", seat)
        self.seat = seat

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


@dataclass(slots=True)
class Seat:
    """A seat's own part of a run: its state, with the keys of its values, and its zones."""

    state: dict[str, Any]
    zones: dict[str, list[CardData]]


Step = Callable[[World], None]
Lookup = Callable[[World], list[CardData]]
"""Returns the cards of a zone."""


@dataclass(slots=True)
class Effort:
    """The number of cards in all processes of a rule: in their zones, and moved."""

    cards: int = 0
    handled: int = 0
    patient: bool = False

    def handle(self, cards: int) -> None:
        """Count cards that are shuffled, or searched for another."""
        self.handled += cards
        most = MAX_HANDLED * (PATIENT if self.patient else 1)
        if self.handled > most:
            raise EndlessError(f"all runs together handle more than {most:,} cards")


class Process:
    """A rule's process, ready to run. Raises BrokenRuleError if it is invalid."""

    def __init__(self, case: Case, given: Mapping[str, Any], effort: Effort) -> None:
        """Read the rule. `given` are further names that its expressions may read, with their values."""
        self.case = case
        self.given = given
        self._effort, self._handle = effort, effort.handle
        self._random = Random()
        self.seats = self._count_seats() if "seats" in case.data else 0
        self.decks: dict[str, list[CardData]] = {}
        """The cards of each zone at first."""
        for path in (("zones",), ("seats", "zones")):
            for name in self.case.parameter(path) or ():
                self._add_zone((*path, name))
        self._own_zones = frozenset(self.case.parameter(("seats", "zones")) or ())
        """The zones that each seat has of its own."""
        self._cards = [card for deck in self.decks.values() for card in deck]
        self._functions: dict[str, Any] = {
            "dice": Function("dice", self._dice),
            "chance": Function("chance", self._chance),
        }
        self._state: dict[Path, Expression] = {}
        self._in_state: set[str] = set()
        for name in self.given:
            self._check_name_free(name, ("for", name))
        for path in (("state",), ("seats", "state")):
            for name in self.case.parameter(path) or ():
                self._check_name_free(name, (*path, name))
                self._in_state.add(name)
                self._state[*path, name] = self._compiled((*path, name))
        for name in self.decks:
            self._check_name_free(
                name, ("seats", "zones", name) if name in self._own_zones else ("zones", name)
            )
        state = {*self._in_state, "seat"} if self.seats else self._in_state
        self._names = Names(state, self.decks, self._functions, effort.handle)
        self.series: list[str] = []
        self._steps = self._read_steps(("steps",))

    # -- reading ---------------------------------------------------------------------------------

    def _count_seats(self) -> int:
        path = ("seats", "count")
        extra = {name: [value] for name, value in self.given.items()}
        expression = self.case.reading(*path, extra=extra).expression
        values = {**self.case.pool.globals, **self.given}
        count = _integer(self.case.work_out(expression, path, values), expression, path)
        if not 1 <= count <= MAX_SEATS:
            raise BrokenRuleError(f"a table has 1 to {MAX_SEATS} seats, not {count}", path)
        return count

    def _add_zone(self, path: Path) -> None:
        name = str(path[-1])
        if name in self.decks:
            raise BrokenRuleError(f"“{name}” is taken; choose another name", path)
        cards: list[CardData] = []
        if self.case.parameter(path):
            chosen = self.case.select(*path, given=self.given)
            self._effort.cards += chosen.copies * (self.seats if path[0] == "seats" else 1)
            if self._effort.cards > MAX_CARDS:
                raise BrokenRuleError(f"the zones can contain at most {MAX_CARDS:,} cards in total", path)
            # Each copy is a mapping of its own, so that `put` can distinguish them.
            cards += [subject.card.but(copies=1) for subject in chosen for _ in range(subject.copies)]
        self.decks[name] = cards

    def _check_name_free(self, name: str, path: Path) -> None:
        taken = {**self.case.pool.globals, **self._functions, "card": None}
        taken.update({} if path[0] == "for" else self.given)
        taken.update({"seat": None} if self.seats else {})
        if name in taken or name in self._in_state:
            raise BrokenRuleError(f"“{name}” is taken; choose another name", path)

    def _compiled(self, path: Path) -> Expression:
        extra: dict[str, Sequence[Any]] = {name: [] for name in (*self._in_state, *self.decks)}
        extra.update({name: [function] for name, function in self._functions.items()})
        extra.update({name: [value] for name, value in self.given.items()})
        extra["card"] = self._cards
        if self.seats:
            extra["seat"] = [0]
        return self.case.reading(*path, extra=extra).expression

    def reading(self, path: Path, convert: Convert | None = None) -> Memo:
        """Return the expression at a path, over the state and the zones."""
        expression, names = self._compiled(path), self._names
        varying = {*names.state, *names.zones, *names.chance}
        split = None
        if "card" in expression.names and not varying.isdisjoint(expression.names):
            split = self.case.pool.engine.split(expression.source, "card", varying)
        evaluate = expression if split is None else once_a_card(expression, *split)
        return Memo(expression, path, convert, names, evaluate)

    def _optional(self, path: Path, convert: Convert | None = None) -> Memo | None:
        return None if self.case.parameter(path) is None else self.reading(path, convert)

    def _per_card(self, path: Path, convert: Convert | None = None) -> Memo | None:
        """Return the expression at a path, if there is one; it must depend on the card. Raises
        BrokenRuleError."""
        if self.case.parameter(path) is None:
            return None
        expression = self._compiled(path)
        if "card" not in expression.names:
            fields = {name for card in self._cards for name in card}  # only here: it reads all of them
            shadowed = [f"did you mean card.{name}?" for name in expression.names if name in fields]
            raise BrokenRuleError(
                f"`{expression.source}` reads no card, so it is the same for all of them",
                path,
                shadowed[0] if shadowed else "read a field of card, or choose by a step with if",
            )
        return self.reading(path, convert)

    def _zone(self, path: Path) -> str:
        name = self.case.parameter(path)
        if name not in self.decks:
            raise BrokenRuleError(f"there is no zone “{name}”", path, meant(str(name), self.decks))
        return str(name)

    def _place(self, path: Path) -> Lookup:
        """Return the zone at a path: by its name, or of the seat whose number it states."""
        given = self.case.parameter(path)
        if not isinstance(given, Mapping):
            name = self._zone(path)
            return lambda world: world.zones[name]
        name = next(iter(given))
        if name not in self._own_zones:
            raise BrokenRuleError(f"seats have no zone “{name}”", path, meant(name, self._own_zones))
        seat = self._seat((*path, name))
        return lambda world: world.seats[seat(world)].zones[name]

    def _seat(self, path: Path) -> Callable[[World], int]:
        """Return the number of a seat, from 0."""
        if not self.seats:
            raise BrokenRuleError("the process has no seats", path, "add seats: {count: …}")
        number = self.reading(path, _integer).value

        def seat(world: World) -> int:
            found: int = number(world.values)
            if not 0 <= found < self.seats:
                raise BrokenRuleError(f"there is no seat {found}; they are 0 to {self.seats - 1}", path)
            return found

        return seat

    def _read_steps(self, path: Path) -> list[Step]:
        readers: dict[str, Callable[[Path], Step]] = {
            "shuffle": self._read_shuffle,
            "draw": self._read_draw,
            "move": self._read_move,
            "put": self._read_put,
            "set": self._read_set,
            "record": self._read_record,
            "for_each": self._read_for_each,
            "each_seat": self._read_each_seat,
            "as": self._read_as,
            "choose": self._read_choose,
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
        zone = self._place((*path, "shuffle"))

        def shuffled(world: World) -> None:
            cards = zone(world)
            self._handle(len(cards))
            shuffle(cards, world.random)

        return shuffled

    def _read_draw(self, path: Path) -> Step:
        place = (*path, "draw")
        source, to = self._place((*place, "from")), self._place((*place, "to"))
        refill = self._place((*place, "refill")) if self.case.parameter((*place, "refill")) else None
        count = self._optional((*place, "count"), _integer)

        def draw(world: World) -> None:
            cards, taken = source(world), to(world)
            for _ in range(1 if count is None else count.value(world.values)):
                world.spend()
                if not cards and refill is not None:
                    others = refill(world)
                    self._handle(len(others))
                    cards.extend(others)
                    others.clear()
                    shuffle(cards, world.random)
                if not cards:
                    return
                taken.append(cards.pop(0))

        return draw

    def _read_move(self, path: Path) -> Step:
        place = (*path, "move")
        source, to = self._place((*place, "from")), self._place((*place, "to"))
        where, best = self._per_card((*place, "where")), self._per_card((*place, "best"), _figure)
        count = self._optional((*place, "count"), _integer)
        all_of_them = where is None and best is None and count is None

        def move(world: World) -> None:
            cards = source(world)
            world.spend(len(cards))
            values = world.values
            if all_of_them:
                moved = list(cards)
                cards.clear()
                to(world).extend(moved)
                return
            chosen = _holding(where, values, cards)
            if best is not None:
                worth = best.of_each(values, [cards[i] for i in chosen])
                chosen = [chosen[place] for place in _greatest_first(worth)]
            if count is not None:
                chosen = chosen[: count.value(values)]
            if not chosen:
                return
            moved = [cards[i] for i in chosen]
            removed = set(chosen)
            cards[:] = [card for i, card in enumerate(cards) if i not in removed]
            to(world).extend(moved)

        return move

    def _read_put(self, path: Path) -> Step:
        to = self._place((*path, "put"))

        def put(world: World) -> None:
            card = world.values.get("card")
            if card is None:
                raise BrokenRuleError("put works only inside for_each", path)
            for cards in (*world.within[-1:], *world.zones.values()):  # usually it is still at this place
                for index, other in enumerate(cards):
                    if other is card:
                        self._handle(index)
                        del cards[index]
                        to(world).append(card)
                        return
                self._handle(1 + len(cards))

        return put

    def _read_set(self, path: Path) -> Step:
        changes: list[tuple[str, str, Callable[[Values], Any]]] = []
        for name in self.case.parameter((*path, "set")):
            place = (*path, "set", name)
            self._check_in_state(name, place)
            changes.append((name, "_" + name, self.reading(place, _keyed_value).value))

        def assign(world: World) -> None:
            values = world.values
            for name, known, value in changes:  # as `keep` sets it
                values[name], values[known] = value(values)

        return assign

    def _check_in_state(self, name: str, path: Path) -> None:
        if name not in self._in_state:
            raise BrokenRuleError(f"the state has no “{name}”", path, meant(name, self._in_state))

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
        zone = self._place((*place, "zone"))
        where, best = self._per_card((*place, "where")), self._per_card((*place, "best"), _figure)
        steps = self._read_steps((*place, "steps"))

        def each(world: World) -> None:
            home = zone(world)
            cards = list(home)
            world.spend(len(cards))
            if best is not None:
                worth = best.of_each(world.values, cards)
                cards = [cards[i] for i in _greatest_first(worth)]
            outer = world.values.get("card")
            world.within.append(home)
            for card in cards:
                world.values["card"] = card
                if where is None or where.value(world.values):
                    world.run(steps)
            world.within.pop()
            world.values["card"] = outer

        return each

    def _read_each_seat(self, path: Path) -> Step:
        place = (*path, "each_seat")
        begin = self._seat((*place, "from")) if self.case.parameter((*place, "from")) is not None else None
        where = self._of_seats((*place, "where"))
        steps = self._read_steps((*place, "steps"))

        def each(world: World) -> None:
            first, outer = begin(world) if begin is not None else 0, world.seat
            world.spend(self.seats)
            for turn in range(self.seats):
                world.sit((first + turn) % self.seats)
                if where is None or where.value(world.values):
                    world.run(steps)
            world.sit(outer)

        return each

    def _read_as(self, path: Path) -> Step:
        seat = self._seat((*path, "as", "seat"))
        steps = self._read_steps((*path, "as", "steps"))

        def seated(world: World) -> None:
            outer = world.seat
            world.sit(seat(world))
            world.run(steps)
            world.sit(outer)

        return seated

    def _of_seats(self, path: Path, convert: Convert | None = None) -> Memo | None:
        """Return the expression at a path, if there is one, for the step of a process with seats."""
        if not self.seats:
            raise BrokenRuleError("the process has no seats", path[:-1], "add seats: {count: …}")
        return self._optional(path, convert)

    def _read_choose(self, path: Path) -> Step:
        place = (*path, "choose")
        name = str(self.case.parameter((*place, "set")))
        self._check_in_state(name, (*place, "set"))
        if self.case.parameter((*place, "from")) is not None:
            choice = self._choice_of_card(place)
        else:
            choice = self._choice_of_seat(place)

        def choose(world: World) -> None:
            keep(world.values, name, choice(world))

        return choose

    def _choice_of_card(self, place: Path) -> Callable[[World], Any]:
        source, value = self._place((*place, "from")), self.reading((*place, "value"), _keyed_value)
        where, best = self._per_card((*place, "where")), self._per_card((*place, "best"), _figure)

        def choice(world: World) -> Any:
            cards, values = source(world), world.values
            world.spend(len(cards))
            fit = [cards[i] for i in _holding(where, values, cards)]
            if not fit:
                return ""
            if best is not None:
                worth = best.of_each(values, fit)
                fit = [card for card, each in zip(fit, worth, strict=True) if each == max(worth)]
            return value.of_each(values, [world.random.choice(fit)])[0][0]

        return choice

    def _choice_of_seat(self, place: Path) -> Callable[[World], int]:
        where, best = self._of_seats((*place, "where")), self._of_seats((*place, "best"), _figure)

        def choice(world: World) -> int:
            outer, values = world.seat, world.values
            world.spend(self.seats)
            worth: dict[int, float] = {}
            for seat in range(self.seats):
                world.sit(seat)
                if where is None or where.value(values):
                    worth[seat] = 0 if best is None else best.value(values)
            world.sit(outer)
            most = max(worth.values(), default=0)
            return world.random.choice([seat for seat in worth if worth[seat] == most] or [NOBODY])

        return choice

    def _read_repeat(self, path: Path) -> Step:
        place = (*path, "repeat")
        times, going_on = self._optional((*place, "times"), _integer), self._optional((*place, "while"))
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
        """Run once from the start. Raises EndlessError, BrokenRuleError."""
        self._random = random
        zones = {name: list(deck) for name, deck in self.decks.items()}
        values = {**self.case.pool.globals, **self._functions, **self.given, **zones}
        cards = len(self._cards) * max(1, self.seats)
        self._handle((len(values) + cards) // CARDS_PER_COPY)
        world = World(values, zones, random, max_steps)
        for _ in range(self.seats):
            world.seats.append(Seat({}, {name: list(self.decks[name]) for name in self._own_zones}))
        if self.seats:
            keep(values, "seat", 0)
            values.update(world.seats[0].zones)
            zones.update(world.seats[0].zones)
        self._begin(world, [path for path in self._state if path[0] == "state"])
        owned = [path for path in self._state if path[0] != "state"]
        names = [f"{mark}{path[-1]}" for path in owned for mark in ("", "_")]
        for place, seat in enumerate(world.seats):
            world.sit(place)
            self._begin(world, owned)
            seat.state = {name: values[name] for name in names}
        if self.seats:
            world.sit(0)
        with suppress(StopRun):
            world.run(self._steps)
        return world

    def _begin(self, world: World, paths: Iterable[Path]) -> None:
        """Set the state at these paths to its initial values."""
        for path in paths:
            expression = self._state[path]
            value = self.case.work_out(expression, path, world.values)
            keep(world.values, str(path[-1]), _state_value(value, expression, path))

    def _dice(self, count: int, sides: int) -> int:
        if not (1 <= whole(count) <= MAX_DICE and 1 <= whole(sides) <= MAX_DICE):
            raise WrongValueError(f"a roll has 1 to {MAX_DICE} dice of 1 to {MAX_DICE} sides")
        self.case.pool.budget.step(count // 5)
        return rolled(count, sides, self._random)

    def _chance(self, share: float) -> bool:
        return self._random.random() < real(share)


def rolled(count: int, sides: int, random: Random) -> int:
    """Return the sum of this many dice: the same as of `random.randint`, but faster."""
    bits, length = random.getrandbits, sides.bit_length()
    total = int(count)
    for _ in range(count):
        face = bits(length)
        while face >= sides:
            face = bits(length)
        total += face
    return total


def shuffle(cards: list[CardData], random: Random) -> None:
    """Shuffle in place: the same order as from `random.shuffle`, but faster."""
    bits = random.getrandbits
    for last in range(len(cards) - 1, 0, -1):
        length = (last + 1).bit_length()
        place = bits(length)
        while place > last:
            place = bits(length)
        cards[last], cards[place] = cards[place], cards[last]


def _holding(where: Memo | None, values: Values, cards: Sequence[CardData]) -> list[int]:
    """Return the places of the cards for which an expression holds."""
    if where is None:
        return list(range(len(cards)))
    return [i for i, holds in enumerate(where.of_each(values, cards)) if holds]


def _greatest_first(worth: Sequence[float]) -> list[int]:
    """Return the places of the greatest values first; equal values keep their order."""
    return sorted(range(len(worth)), key=worth.__getitem__, reverse=True)


def _figure(value: Any, expression: Expression, path: Path) -> float:
    if isinstance(value, (int, float)) and math.isfinite(value):
        return value
    raise BrokenRuleError(f"`{expression.source}` must be a number, not {show(value)}", path)


def _integer(value: Any, expression: Expression, path: Path) -> int:
    figure = _figure(value, expression, path)
    if figure != int(figure):
        raise BrokenRuleError(f"`{expression.source}` must be a whole number, not {show(value)}", path)
    return int(figure)


def _state_value(value: Any, expression: Expression, path: Path) -> Any:
    """Return a value that the state may contain: a number, yes or no, a short text."""
    short = isinstance(value, str) and len(value) <= _MAX_WORD
    if isinstance(value, bool) or short:
        return value
    if isinstance(value, (int, float)) and math.isfinite(value) and abs(value) < _MAX_NUMBER:
        return value
    raise BrokenRuleError(
        f"`{expression.source}` is {show(value)}, but the state takes only numbers and short words", path
    )


def _keyed_value(value: Any, expression: Expression, path: Path) -> tuple[Any, Any]:
    """Return the same value, and its key."""
    return _state_value(value, expression, path), known_as(value)


CONFIDENCE = 0.99
"""The default confidence of an interval."""


def spread(values: Sequence[float]) -> float:
    """Return the standard deviation of the whole deck (divided by n: the deck is no sample)."""
    centre = fmean(values)
    return math.sqrt(math.fsum((value - centre) ** 2 for value in values) / len(values))


def histogram(title: str, values: Sequence[float]) -> Histogram:
    """Count how often each number occurs: a bar for each whole number, for each other number (at most 60),
    or for each of twenty equal ranges."""
    counts = Counter(values)
    least, most = min(counts), max(counts)
    if all(value == int(value) for value in counts) and most - least < 60:
        bins = [(str(step), float(counts[step])) for step in range(int(least), int(most) + 1)]
    elif len(counts) <= 60:
        bins = [(number(value), float(counts[value])) for value in sorted(counts)]
    else:
        width = (most - least) / 20
        sizes = [0.0] * 20
        for value, count in counts.items():
            sizes[min(19, int((value - least) / width))] += count
        bins = [(number(least + width * step), size) for step, size in enumerate(sizes)]
    return Histogram(title, tuple(bins), True)


def share_interval(hits: int, runs: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return Wilson's interval for a chance seen `hits` times in `runs`; it is valid near 0 and 1 too."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = hits / runs
    centre = (share + z * z / (2 * runs)) / (1 + z * z / runs)
    half = z / (1 + z * z / runs) * math.sqrt(share * (1 - share) / runs + z * z / (4 * runs * runs))
    return max(0.0, centre - half), min(1.0, centre + half)


def mean_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the normal interval for the mean of many independent runs (100 runs and more)."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    centre = fmean(values)
    if len(values) < 2:
        return -math.inf, math.inf
    deviation = spread(values) * math.sqrt(len(values) / (len(values) - 1))
    half = z * deviation / math.sqrt(len(values))
    return centre - half, centre + half


MAX_KNOWN = 100_000
"""Most values that are remembered of one expression."""

MAX_ZONES = 5_000
"""The same for one that reads zones: its keys are long, and shuffled cards seldom repeat their order."""

Values = dict[str, Any]
Card = Mapping[str, Any]
Convert = Callable[[Any, Expression, Path], Any]
"""A check of a computed value for its place in the process; raises BrokenRuleError."""

_PLAIN = frozenset({int, str})


def known_as(value: Any) -> Any:
    """Return the key under which a value of the state is remembered."""
    # 1, 1.0 and true are equal, and so are 0.0 and -0.0, but their results may differ.
    return value if value.__class__ in _PLAIN else (value.__class__, repr(value))


def keep(values: Values, name: str, value: Any) -> None:
    """Set a name of the state, and the key of its value."""
    values[name] = value
    values["_" + name] = known_as(value)


@dataclass(frozen=True, slots=True)
class Names:
    """The names that a process's expressions read: `state` are the names that `keep` sets, `zones` those of
    lists of cards that live as long as the process, `chance` those with another value each time. `handle`
    counts the cards that are searched."""

    state: Collection[str]
    zones: Collection[str]
    chance: Collection[str]
    handle: Callable[[int], None]


class Memo:
    """An expression at a place of a process, with its remembered values.

    The rule's meter counts only new evaluations, not remembered values.
    """

    __slots__ = (
        "_by_card",
        "_convert",
        "_evaluate",
        "_expression",
        "_key",
        "_known",
        "_left",
        "_path",
        "_random",
        "value",
    )

    value: Callable[[Values], Any]
    """Return the value in a run with these values of the names. Raises BrokenRuleError."""

    def __init__(
        self,
        expression: Expression,
        path: Path,
        convert: Convert | None,
        names: Names,
        evaluate: Callable[[Values], Any],
    ) -> None:
        self._expression, self._path, self._convert = expression, path, convert
        self._evaluate = evaluate
        self._random = not set(names.chance).isdisjoint(expression.names)
        read = () if self._random else expression.names
        zones = [name for name in read if name in names.zones]
        # Zones have the same number of cards far more often than the same cards.
        whole = [name for name in zones if name not in expression.measured]
        self._key = _key(["_" + name for name in read if name in names.state], zones, whole, names.handle)
        self._by_card = "card" in read
        self._known: dict[Any, Any] = {}
        self._left = MAX_ZONES if whole else MAX_KNOWN
        self.value = self._work_out if self._random else self._of_card() if self._by_card else self._plain()

    # Closures are faster, and they take most of the time of a run.

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
        """Return the values with each of the cards as `card`. Raises BrokenRuleError."""
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
            value = self._evaluate(values)
        except ExpressionError as error:
            raise BrokenRuleError(str(error), self._path) from None
        return value if self._convert is None else self._convert(value, self._expression, self._path)


_SCALARS = frozenset({int, float, str, bool})


def once_a_card(
    expression: Expression, whole: Expression, parts: Mapping[str, Expression]
) -> Callable[[Values], Any]:
    """Return the evaluation of an expression that `Engine.split` split: its parts that depend on the card
    alone are evaluated once for each card, if their values are plain."""
    known: dict[int, dict[str, Any] | None] = {}

    def of_card(values: Values) -> dict[str, Any] | None:
        try:
            found = {name: part(values) for name, part in parts.items()}
        except ExpressionError:
            return None
        return found if _SCALARS.issuperset(map(type, found.values())) else None

    def evaluate(values: Values) -> Any:
        card = id(values.get("card"))
        if card not in known:
            known[card] = of_card(values)
        found = known[card]
        if found is not None:
            values.update(found)
            with suppress(ExpressionError):  # the expression itself reports it
                return whole(values)
        return expression(values)

    return evaluate


def _key(
    names: Sequence[str], zones: Sequence[str], whole: Sequence[str], handle: Callable[[int], None]
) -> Callable[[Values], Any]:
    """Return the key of a value: the keys of the names, the number of cards in each zone and, for the
    `whole` ones, the cards in order."""
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
