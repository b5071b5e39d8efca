"""simulate: a random process stated as data, run many times, its measures held to bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Any

from cardgen.checking.bounds import Bounds
from cardgen.checking.case import BrokenRuleError, Case, Path, show
from cardgen.checking.histograms import histogram
from cardgen.checking.results import Table, counted, number, percent
from cardgen.checking.simulation import DEFAULT_MAX_STEPS, MAX_TOTAL, EndlessError, Process
from cardgen.checking.statistics import CONFIDENCE, mean, mean_interval, share_interval
from cardgen.checking.subjects import meant

DEFAULT_RUNS = 1_000


def judge(case: Case) -> None:
    process = Process(case)
    asked: list[tuple[str, Path, Bounds]] = []
    ends: dict[str, tuple[Path, Any]] = {}
    for index, measure in enumerate(case.data["measures"]):
        path: Path = ("measures", index)
        asked.append((measure["name"], path, case.bounds(*path, needed=False)))
        if "value" in measure:
            ends[measure["name"]] = ((*path, "value"), process.expression((*path, "value")))
        elif measure["name"] not in process.series:
            hint = meant(measure["name"], process.series) or "give the measure a value"
            raise BrokenRuleError(f"no step records “{measure['name']}”", (*path, "name"), hint)
    if not case.reports and not any(bounds.stated for _, _, bounds in asked):
        raise BrokenRuleError("no measure has a bound", ("measures",), "state one, or report: true")
    samples: dict[str, list[Any]] = {name: [] for name in ends}
    series: dict[str, list[list[float]]] = {name: [] for name in process.series}
    runs, limit = case.data.get("runs", DEFAULT_RUNS), case.data.get("max_steps", DEFAULT_MAX_STEPS)
    random = Random(case.data["seed"])
    steps = 0
    for _ in range(runs):
        try:
            world = process.run(random, min(limit, MAX_TOTAL - steps))
        except EndlessError:
            if limit <= MAX_TOTAL - steps:
                text, hint = (
                    f"a run takes more than {counted(limit, 'step')}",
                    "is there a loop without end?",
                )
            else:
                text, hint = f"the runs take more than {MAX_TOTAL:,} steps together", "lower runs"
            case.doubt(f"undecided: {text}", ("steps",), hint)
            return
        steps += limit - world.left
        for name, (path, expression) in ends.items():
            samples[name].append(
                _number(case.work_out_in(expression, path, world.values), expression.source, path)
            )
        for name, values in world.records.items():
            for place, value in enumerate(values):
                if place == len(series[name]):
                    series[name].append([])
                series[name][place].append(value)
    case.looked_at.append(f"{counted(runs, 'run')} with seed {case.data['seed']}, {counted(steps, 'step')}")
    for name, path, bounds in asked:
        if name in ends:
            _judge_sample(case, name, samples[name], path, bounds)
            case.histograms.append(histogram(name, [float(value) for value in samples[name]]))
    limits = {name: (path, bounds) for name, path, bounds in asked if name not in ends}
    for name, columns in series.items():
        path, bounds = limits.get(name, ((), Bounds()))
        for place, values in enumerate(columns):
            _judge_sample(case, f"{name} {place + 1}", values, path, bounds)
        rows = tuple((place + 1, mean(values), len(values)) for place, values in enumerate(columns))
        case.tables.append(Table(name, ("time", "mean", "runs"), rows))


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


def _number(value: Any, source: str, path: Path) -> float | bool:
    if isinstance(value, (bool, int, float)) and math.isfinite(value):
        return value
    raise BrokenRuleError(f"`{source}` is {show(value)}, a number or yes or no is needed", path)
