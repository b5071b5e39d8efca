"""formula: a figure worked out from the game, once or for each of several values, held to bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

from cardgen.checking.case import BrokenRuleError, Case, show
from cardgen.checking.results import Histogram, Table, counted, listed, number
from cardgen.checking.subjects import items_of

MAX_ROWS = 10_000
"""Most combinations of the values that a formula runs through."""


def judge(case: Case) -> None:
    axes = _axes(case)
    value = case.expression("value", sources=(), extra=axes)
    unit = case.data.get("unit", "")
    rows: list[tuple[Any, ...]] = []
    for combination in product(*axes.values()):
        given = dict(zip(axes, combination, strict=True))
        found = case.work_out(value, ("value",), given)
        where = ", ".join(f"{name} {show(item)}" for name, item in given.items())
        if isinstance(found, bool):
            found = int(found)
        if not isinstance(found, (int, float)) or not math.isfinite(found):
            raise BrokenRuleError(
                f"`{value.source}` is {show(found)}{f' for {where}' if where else ''}", ("value",)
            )
        bounds = case.bounds(values=given)
        what = f"`{value.source}`{f' for {where}' if where else ''}"
        case.measure(where or "value", found, unit)
        path = next(((key,) for key in ("equals", "min", "max") if key in case.data), ())
        case.hold(what, found, bounds, path)
        rows.append(
            (*(item if isinstance(item, (int, float, str)) else show(item) for item in combination), found)
        )
    case.looked_at.append(
        f"{counted(len(rows), 'combination')} of {', '.join(axes)}" if axes else "the game as a whole"
    )
    title = f"{unit or 'value'} by {listed(list(axes))}" if axes else unit or "value"
    case.tables.append(Table(title, (*axes, unit or "value"), tuple(rows)))
    if len(axes) == 1:
        bins = tuple(
            (number(row[0]) if isinstance(row[0], (int, float)) else str(row[0]), row[-1]) for row in rows
        )
        numeric = all(isinstance(row[0], (int, float)) for row in rows)
        case.histograms.append(Histogram(title, bins, numeric))


def _axes(case: Case) -> dict[str, list[Any]]:
    """The values each name of `for` runs through: a list, or an expression that gives one."""
    given: Mapping[str, Any] = case.data.get("for", {})
    axes: dict[str, list[Any]] = {}
    size = 1
    for name, values in given.items():
        path = ("for", name)
        if isinstance(values, str):
            values = case.work_out(case.compile(values, path), path, {})
        axes[name] = items_of(values)
        if not axes[name]:
            raise BrokenRuleError(f"“{name}” runs through no value", path)
        size *= len(axes[name])
    if size > MAX_ROWS:
        raise BrokenRuleError(
            f"for runs through {size:,} combinations, at most {MAX_ROWS:,} are worked out", ("for",)
        )
    return axes
