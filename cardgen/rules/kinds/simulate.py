"""A random process, stated as data and run many times, gives results within bounds.

It has `runs` from a `seed`. `zones` contain cards, `state` numbers; `seats` (a `count`) have a state and
zones of their own. Steps:

| step | does |
|---|---|
| `shuffle: zone` | shuffles it |
| `draw: {from, to, count, refill}` | takes the top cards; `refill`, shuffled, fills an empty zone |
| `move: {from, to, where, best, count}` | moves the cards of `where`, `best` first, at most `count` |
| `for_each: {zone, where, best, steps}` | does steps for each card in the zone, as `card` |
| `put: zone` | in `for_each`: moves the card |
| `each_seat: {from, where, steps}` | does steps in each seat in turn: names mean its state and zones |
| `as: {seat, steps}` | does steps in one seat |
| `choose: {set, where, best}` | sets a name to a seat's number, random among equals; -1 if none fits |
| `choose: {set, from, value, where, best}` | the same with a card's `value`; `''` if none fits |
| `set: {name: …}` | changes the state |
| `if: …`, `then: […]`, `else: […]` | chooses |
| `repeat: {times, while, steps}` | repeats |
| `record: {name: …}` | records figures, separately the first, second, … time |
| `stop: …` | ends the run if true |

Seats are numbered from 0. A step names another seat's zone by its number: `to: {hand: rival}`.

Expressions can use the state, the zones (lists of cards), `card`, `seat`, `dice(count, sides)` and
`chance(share)`. A measure is a `value` at the end of a run, or a record's name. Its interval
(`confidence`, default 99 %) must lie within the bounds. If a bound is inside it, the rule is undecided:
raise `runs`. So is a run of more than `max_steps`. `cardgen simulate GAME --runs 10000`
narrows intervals.

`for: {players: 'range(2, 6)'}` runs the process for each value, with the same seed. All expressions and
bounds can use the names.

With `long: true`, a rule is judged by `cardgen simulate` alone. That is for whole games with a bot in each
seat.

With `bot: NAME` instead of zones and steps, a function in Python plays: `NAME(game, seed, players=2)`, with
the names in `for`, returns the measures of one game by name. It is a program that may do anything, so it
runs only with `cardgen simulate GAME --trust-bots FILE`.

```yaml
rules:
  - id: rent
    question: How often is the rent paid?
    kind: simulate
    seed: 7
    runs: 500
    state: {money: 3, rent: 2}
    zones: {deck: {component: office, where: set == 'starter'}, hand: {}, discard: {}}
    steps:
      - shuffle: deck
      - repeat:
          times: 10
          steps:
            - draw: {from: deck, to: hand, count: 2, refill: discard}
            - for_each:
                zone: hand
                steps: [{set: {money: money + card.money|default(0)}}, {put: discard}]
            - record: {rent paid: money >= rent}
            - set: {money: '[money - rent, 0]|max', rent: rent + 1}
    measures: [{name: rent paid, min: 0.9}, {name: money left, value: money, max: 20}]
```
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random
from statistics import fmean
from traceback import extract_tb
from typing import Any

from cardgen.core.progress import counted as counted_off
from cardgen.core.records import dataclass, field
from cardgen.rules.case import (
    Bot,
    BrokenRuleError,
    Case,
    Path,
    Traits,
    axes,
    combinations,
    must_be_share,
    show,
)
from cardgen.rules.chance import (
    CONFIDENCE,
    DEFAULT_MAX_STEPS,
    MAX_TOTAL,
    PATIENT,
    Effort,
    EndlessError,
    Memo,
    Process,
    histogram,
    mean_interval,
    share_interval,
)
from cardgen.rules.expressions import Expression
from cardgen.rules.pool import meant
from cardgen.rules.results import Bounds, Table, counted, number, percent

DEFAULT_RUNS = 1_000

MAX_PROCESSES = 100
"""Most combinations of the values in `for`."""


"""The keys of each step; the first one is required."""

TRAITS = Traits(is_slow=True)


@dataclass(slots=True)
class _Runs:
    """A process for one combination of values (`where` in words), and the results of its runs."""

    process: Process | None
    """None if a bot in Python plays."""
    where: str
    given: Mapping[str, Any]
    asked: list[tuple[str, Path, Bounds]] = field(default_factory=list)
    ends: dict[str, Memo] = field(default_factory=dict)
    samples: dict[str, list[Any]] = field(default_factory=dict)
    series: dict[str, list[list[float]]] = field(default_factory=dict)

    def named(self, name: str) -> str:
        return f"{name}, {self.where}" if self.where else name


def judge(case: Case) -> None:
    effort = Effort(patient=case.patient)
    every = [
        _prepared(case, given, where, effort) for given, where in combinations(axes(case, MAX_PROCESSES))
    ]
    stated = any(bounds.stated for runs in every for _, _, bounds in runs.asked)
    case.must_ask("one to a measure", stated, ("measures",))
    bot = case.bots.get(case.data.get("bot", ""))
    if case.data.get("bot") and bot is None:
        case.is_put_off = True
        case.looked_at.append("nothing: a bot in Python plays it, in cardgen simulate --trust-bots FILE")
        return
    if case.data.get("long") and not case.patient:
        case.is_put_off = True
        case.looked_at.append("nothing: it takes long, so cardgen simulate runs it")
        return
    steps = 0
    for runs in every:
        text = f"{counted(case.data.get('runs', DEFAULT_RUNS), 'run')} with seed {case.data['seed']}"
        if bot is not None:
            _let_play(case, runs, bot)
            case.looked_at.append(runs.named(text))
            continue
        taken = _run(case, runs, steps)
        if taken is None:
            return
        case.looked_at.append(runs.named(f"{text}, {counted(taken, 'step')}"))
        steps += taken
    for runs in every:
        _judge_runs(case, runs)
    for name in every[0].series:
        case.tables.append(_table(name, every))


def _prepared(case: Case, given: Mapping[str, Any], where: str, effort: Effort) -> _Runs:
    process = None if "bot" in case.data else Process(case, given, effort)
    series = () if process is None else process.series
    runs = _Runs(process, where, given, series={name: [] for name in series})
    for index, measure in enumerate(case.data["measures"]):
        path: Path = ("measures", index)
        name = measure["name"]
        runs.asked.append((name, path, case.bounds(*path, values=given, needed=False)))
        if process is None:
            if "value" in measure:
                hint = "name a figure of the bot, or give the rule steps"
                raise BrokenRuleError("a bot's measure has no value", (*path, "value"), hint)
            runs.samples[name] = []
        elif "value" in measure:
            runs.ends[name] = process.reading((*path, "value"), _number)
            runs.samples[name] = []
        elif name not in series:
            hint = meant(name, series) or "give the measure a value"
            raise BrokenRuleError(f"no step records “{name}”", (*path, "name"), hint)
    return runs


def _let_play(case: Case, runs: _Runs, bot: Bot) -> None:
    """Let a bot play, each game from a seed of its own."""
    begun = Random(case.data["seed"])
    for _ in counted_off(f"playing {case.info.id}", range(case.data.get("runs", DEFAULT_RUNS))):
        try:
            figures = bot(case.pool.game, begun.getrandbits(32), **runs.given)
        except Exception as error:
            frame = extract_tb(error.__traceback__)[-1]
            place = "" if frame.filename == __file__ else f" at {frame.filename}:{frame.lineno}"
            message = f"the bot failed{place}: {type(error).__name__}: {error}"
            raise BrokenRuleError(message, ("bot",)) from error
        for name, path, _ in runs.asked:
            figure = figures.get(name) if isinstance(figures, Mapping) else None
            if not isinstance(figure, (bool, int, float)) or not math.isfinite(figure):
                hint = f"write what it returns as {{'{name}': 1.5}}"
                raise BrokenRuleError(f"the bot returns no figure “{name}”", (*path, "name"), hint)
            runs.samples[name].append(figure)


def _run(case: Case, runs: _Runs, before: int) -> int | None:
    """Run the process, after `before` steps for other combinations. Return its steps, or None if it is
    undecided."""
    limit = case.data.get("max_steps", DEFAULT_MAX_STEPS)
    total = MAX_TOTAL * (PATIENT if case.patient else 1)
    random = Random(case.data["seed"])
    steps = 0
    for _ in counted_off(f"running {case.info.id}", range(case.data.get("runs", DEFAULT_RUNS))):
        left = total - before - steps
        try:
            assert runs.process is not None
            world = runs.process.run(random, min(limit, left))
            ends = {name: end.value(world.values) for name, end in runs.ends.items()}
        except EndlessError as error:
            text = f"all runs together take more than {total:,} steps"
            hint = "lower `runs`, or use fewer cards"
            if error.args:
                text = str(error)
            elif limit <= left:
                text = f"a run takes more than {counted(limit, 'step')}"
                hint = "check the steps for an endless loop"
            case.leave_undecided(f"undecided: {text}", ("steps",), hint)
            return None
        steps += limit - world.left if limit <= left else left - world.left
        for name, value in ends.items():
            runs.samples[name].append(value)
        for name, values in world.records.items():
            columns = runs.series[name]
            columns.extend([] for _ in range(len(values) - len(columns)))
            for column, figure in zip(columns, values, strict=False):
                column.append(figure)
    return steps


def _judge_runs(case: Case, runs: _Runs) -> None:
    limits: dict[str, tuple[Path, Bounds]] = {}
    for name, path, bounds in runs.asked:
        if name in runs.samples:
            values = runs.samples[name]
            _judge_sample(case, runs.named(name), values, path, bounds)
            case.histograms.append(histogram(runs.named(name), [float(value) for value in values]))
        else:
            limits[name] = path, bounds
    for name, columns in runs.series.items():
        path, bounds = limits.get(name, ((), Bounds()))
        for place, values in enumerate(columns):
            _judge_sample(case, runs.named(f"{name} {place + 1}"), values, path, bounds)


def _table(name: str, every: Sequence[_Runs]) -> Table:
    """Return the means of a record, the first, second … time in rows, combinations in columns."""
    if len(every) == 1:
        columns = every[0].series[name]
        rows = tuple((place + 1, fmean(values), len(values)) for place, values in enumerate(columns))
        return Table(name, ("time", "mean", "runs"), rows)
    means = [[fmean(values) for values in runs.series[name]] for runs in every]
    return Table(
        name,
        ("time", *(runs.where for runs in every)),
        tuple(
            (place + 1, *(found[place] if place < len(found) else None for found in means))
            for place in range(max(map(len, means)))
        ),
    )


def _judge_sample(case: Case, name: str, values: Sequence[Any], path: Path, bounds: Bounds) -> None:
    """Measure the mean (of yes and no, the chance), and check the bounds of its interval."""
    confidence = case.data.get("confidence", CONFIDENCE)
    chance = all(isinstance(value, bool) for value in values)
    low, high = (
        share_interval(sum(values), len(values), confidence)
        if chance
        else mean_interval(values, confidence)
    )
    for bound, stated in bounds.pairs if chance else ():
        must_be_share(stated, (*path, bound))
    words = percent if chance else number
    found = fmean(values)
    text = f"{words(found)}, {words(low)} to {words(high)}, from {counted(len(values), 'run')}"
    case.measure(name, found, "", text, (low, high), bounds=bounds)
    text = words(found) if low == high else f"{words(found)} ({words(low)} to {words(high)})"
    case.hold_interval(f"“{name}”", text, (low, high), bounds, words, path)


def _number(value: Any, expression: Expression, path: Path) -> float | bool:
    if isinstance(value, (bool, int, float)) and math.isfinite(value):
        return value
    raise BrokenRuleError(f"`{expression.source}` must be a number, yes or no, not {show(value)}", path)
