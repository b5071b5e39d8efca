"""A figure computed from the game lies within bounds, once or for each of several values.

The bounds can use the values of `for`. So can the expressions in a `message`, where `figure` is the
result.

```yaml
rules:
  - id: draw-pile
    question: Is a card left for every player after setting up?
    kind: formula
    for: {players: 'range(game.players.min, game.players.max + 1)'}
    value: copies_in('cards', players) - tables.setup.removed[players] - players
    min: players
```
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from cardgen.rules.case import BrokenRuleError, Case, axes, combinations, show, wording
from cardgen.rules.results import Histogram, Matrix, Table, amount, counted, listed, number


def judge(case: Case) -> None:
    names = axes(case)
    value = case.reading("value", extra=names)
    message = wording(case, (), {**names, "figure": [0]})
    tells = "{figure}" in case.data.get("message", "")
    unit = case.data.get("unit", "")
    rows: list[tuple[Any, ...]] = []
    for given, where in combinations(names):
        found = value.work_out(given)
        if isinstance(found, bool):
            found = int(found)
        if not isinstance(found, (int, float)) or not math.isfinite(found):
            raise BrokenRuleError(
                f"the value is {show(found)}{f' for {where}' if where else ''}", ("value",)
            )
        bounds = case.bounds(values=given)
        subject = (
            None if found in bounds else next(filter(None, map(case.pool.bearer, given.values())), None)
        )
        what = f"the value{f' for {where}' if where else ''}"
        case.measure(where or "value", found, unit, bounds=bounds)
        if message is None:
            text = f"{what} is {amount(found, unit)}"
            case.hold(what, found, bounds, case.bound_path, subject=subject, found=text)
        elif bounds.stated and found not in bounds:
            known = {**given, "figure": found}
            words = message(lambda part: part.work_out(known))  # noqa: B023
            text = (
                f"{words} (it should be {bounds})"
                if tells
                else f"{words} ({number(found)}, it should be {bounds})"
            )
            case.fail(text, subject, case.bound_path, off=bounds.distance(found))
        rows.append(
            (
                *(item if isinstance(item, (int, float, str)) else show(item) for item in given.values()),
                found,
            )
        )
    case.looked_at.append(
        f"{counted(len(rows), 'combination')} of {', '.join(names)}" if names else "the game as a whole"
    )
    title = f"{unit or 'value'} by {listed(list(names))}" if names else unit or "value"
    case.tables.append(Table(title, (*names, unit or "value"), tuple(rows)))
    if len(names) == 1:
        bins = tuple(
            (number(row[0]) if isinstance(row[0], (int, float)) else str(row[0]), row[-1]) for row in rows
        )
        numeric = all(isinstance(row[0], (int, float)) for row in rows)
        case.histograms.append(Histogram(title, bins, numeric))
    if len(names) == 2:
        case.matrices.append(_matrix(title, names, [float(row[-1]) for row in rows]))


def _matrix(title: str, names: Mapping[str, Sequence[Any]], figures: Sequence[float]) -> Matrix:
    """Return the figures for two names: a row for each value of the first, a column for each of the
    second."""
    down, across = ([f"{name} {show(value)}" for value in values] for name, values in names.items())
    wide = len(across)
    values = tuple(tuple(figures[row * wide : (row + 1) * wide]) for row in range(len(down)))
    return Matrix(title, tuple(down), tuple(across), values)
