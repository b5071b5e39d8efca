"""simulate: a random process stated as data, run many times, its measures held to bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from cardgen.checking.axes import axes, combinations
from cardgen.checking.bounds import Bounds
from cardgen.checking.case import BrokenRuleError, Case, Path, show
from cardgen.checking.expressions import Expression
from cardgen.checking.histograms import histogram
from cardgen.checking.readings import Reading
from cardgen.checking.results import Table, counted, number, percent
from cardgen.checking.simulation import DEFAULT_MAX_STEPS, MAX_TOTAL, EndlessError, Process
from cardgen.checking.statistics import CONFIDENCE, mean, mean_interval, share_interval
from cardgen.checking.subjects import meant

DEFAULT_RUNS = 1_000

MAX_PROCESSES = 100
"""Most combinations of the values in `for` that a process is run for."""


@dataclass(slots=True)
class _Runs:
    """A process with the values of one combination (`where` in words), and what its runs gave."""

    process: Process
    where: str
    asked: list[tuple[str, Path, Bounds]] = field(default_factory=list)
    ends: dict[str, Reading] = field(default_factory=dict)
    samples: dict[str, list[Any]] = field(default_factory=dict)
    series: dict[str, list[list[float]]] = field(default_factory=dict)

    def named(self, name: str) -> str:
        return f"{name}, {self.where}" if self.where else name


def judge(case: Case) -> None:
    every = [_prepared(case, given, where) for given, where in combinations(axes(case, MAX_PROCESSES))]
    if not case.reports and not any(bounds.stated for runs in every for _, _, bounds in runs.asked):
        raise BrokenRuleError("no measure has a bound", ("measures",), "state one, or report: true")
    steps = 0
    for runs in every:
        taken = _run(case, runs, steps)
        if taken is None:
            return
        text = f"{counted(case.data.get('runs', DEFAULT_RUNS), 'run')} with seed {case.data['seed']}"
        case.looked_at.append(runs.named(f"{text}, {counted(taken, 'step')}"))
        steps += taken
    for runs in every:
        _judge_ends(case, runs)
        _judge_series(case, runs)
    for name in every[0].series:
        case.tables.append(_table(name, every))


def _prepared(case: Case, given: Mapping[str, Any], where: str) -> _Runs:
    process = Process(case, given)
    runs = _Runs(process, where, series={name: [] for name in process.series})
    for index, measure in enumerate(case.data["measures"]):
        path: Path = ("measures", index)
        name = measure["name"]
        runs.asked.append((name, path, case.bounds(*path, values=given, needed=False)))
        if "value" in measure:
            runs.ends[name] = process.reading((*path, "value"), _number)
            runs.samples[name] = []
        elif name not in process.series:
            hint = meant(name, process.series) or "give the measure a value"
            raise BrokenRuleError(f"no step records “{name}”", (*path, "name"), hint)
    return runs


def _run(case: Case, runs: _Runs, before: int) -> int | None:
    """Run the process; `before` steps have been taken for other combinations. The steps it took, or
    None after a doubt."""
    limit = case.data.get("max_steps", DEFAULT_MAX_STEPS)
    random = Random(case.data["seed"])
    steps = 0
    for _ in range(case.data.get("runs", DEFAULT_RUNS)):
        left = MAX_TOTAL - before - steps
        try:
            world = runs.process.run(random, min(limit, left))
        except EndlessError:
            if limit <= left:
                text, hint = (
                    f"a run takes more than {counted(limit, 'step')}",
                    "is there a loop without end?",
                )
            else:
                text, hint = f"the runs take more than {MAX_TOTAL:,} steps together", "lower runs"
            case.doubt(f"undecided: {text}", ("steps",), hint)
            return None
        steps += limit - world.left if limit <= left else left - world.left
        for name, reading in runs.ends.items():
            runs.samples[name].append(reading(world.values))
        for name, values in world.records.items():
            columns = runs.series[name]
            columns.extend([] for _ in range(len(values) - len(columns)))
            for place, value in enumerate(values):
                columns[place].append(value)
    return steps


def _judge_ends(case: Case, runs: _Runs) -> None:
    for name, path, bounds in runs.asked:
        if name in runs.ends:
            values = runs.samples[name]
            _judge_sample(case, runs.named(name), values, path, bounds)
            case.histograms.append(histogram(runs.named(name), [float(value) for value in values]))


def _judge_series(case: Case, runs: _Runs) -> None:
    limits = {name: (path, bounds) for name, path, bounds in runs.asked if name not in runs.ends}
    for name, columns in runs.series.items():
        path, bounds = limits.get(name, ((), Bounds()))
        for place, values in enumerate(columns):
            _judge_sample(case, runs.named(f"{name} {place + 1}"), values, path, bounds)


def _table(name: str, every: Sequence[_Runs]) -> Table:
    """The means of a record, the first, second … time below one another, combinations side by side."""
    if len(every) == 1:
        columns = every[0].series[name]
        rows = tuple((place + 1, mean(values), len(values)) for place, values in enumerate(columns))
        return Table(name, ("time", "mean", "runs"), rows)
    means = [[mean(values) for values in runs.series[name]] for runs in every]
    return Table(
        name,
        ("time", *(runs.where for runs in every)),
        tuple(
            (place + 1, *(found[place] if place < len(found) else None for found in means))
            for place in range(max(map(len, means)))
        ),
    )


def _judge_sample(case: Case, name: str, values: Sequence[Any], path: Path, bounds: Bounds) -> None:
    """Measure the mean (or the chance, of yes or no), and hold its interval to the bounds."""
    confidence = case.data.get("confidence", CONFIDENCE)
    chance = all(isinstance(value, bool) for value in values)
    low, high = (
        share_interval(sum(values), len(values), confidence)
        if chance
        else mean_interval(values, confidence)
    )
    words = percent if chance else number
    found = mean(values)
    text = f"{words(found)}, {words(low)} to {words(high)}, from {counted(len(values), 'run')}"
    case.measure(name, found, "", text, (low, high))
    if not bounds.stated:
        return
    verdict = bounds.holds_for(low, high)
    if verdict is None:
        text = f"undecided: “{name}” lies between {words(low)} and {words(high)}, the bound is within"
        case.doubt(text, path, "raise runs, or move the bound")
    elif not verdict:
        text = f"“{name}” is {words(found)} ({words(low)} to {words(high)})"
        case.fail(f"{text}, it should be {bounds.said(words)}", None, path)


def _number(value: Any, expression: Expression, path: Path) -> float | bool:
    if isinstance(value, (bool, int, float)) and math.isfinite(value):
        return value
    raise BrokenRuleError(f"`{expression.source}` is {show(value)}, a number or yes or no is needed", path)
