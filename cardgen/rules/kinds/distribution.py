"""The mean, spread and ends of a value lie within bounds.

- `mean`, `median`, `spread` (standard deviation), `lowest`, `highest`, `range` and `total` bound that
  figure, in each group of `group_by`.
- `correlation` bounds its rank correlation with another value.
- `between` bounds the greatest less the least of one figure among the groups.
- `target` bounds the part of cards, 0 to 1, that need another value to match the `shares` (total
  variation distance).

```yaml
rules:
  - id: fair-suits
    question: Do all suits cost about the same, mostly little?
    kind: distribution
    value: cost
    group_by: suit
    mean: {max: 4}
    correlation: {with: points, min: 0.6}
    between: {of: mean, max: 0.5}
    target: {shares: {1: 3, 2: 2, 3: 1}, max: 0.2}
```
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from statistics import fmean, median

from cardgen.rules.case import BrokenRuleError, Case, Group, Traits, grouped
from cardgen.rules.chance import histogram, spread
from cardgen.rules.pool import Subject
from cardgen.rules.results import Bounds, number, percent

_FIGURES: dict[str, Callable[[Sequence[float]], float]] = {
    "mean": fmean,
    "median": median,
    "spread": spread,
    "lowest": min,
    "highest": max,
    "range": lambda values: max(values) - min(values),
    "total": sum,
}

_HELD = (*_FIGURES, "correlation", "between", "target")

TRAITS = Traits(looks_at="component")


def judge(case: Case) -> None:
    limits = {name: case.bounds(name, share=name == "target") for name in _HELD if name in case.data}
    case.must_ask(f"one of {', '.join(_HELD)}", bool(limits))
    selection = case.select()
    value = selection.reading("value")
    compared: dict[str, float] = {}
    between = case.data.get("between", {}).get("of")
    for group in grouped(case, selection).values():
        named = "group_by" in case.data
        whole = f"group “{group.name}”" if named else selection.name
        of = f"{value.title} of {whole}"
        if not group.subjects:
            case.fail(f"{whole} has no cards, so there is no {value.title}", None, ("groups",))
            continue
        figures = [value.number(subject) for subject in group.subjects]
        weights = [case.weight(subject) for subject in group.subjects]
        values = [figure for figure, weight in zip(figures, weights, strict=True) for _ in range(weight)]
        for name, work_out in _FIGURES.items():
            found = work_out(values)
            title = f"{group.name}: {name}" if named else name
            case.measure(title, found, bounds=limits.get(name))
            if name in limits:
                case.hold(f"the {name} of {of}", found, limits[name], (name,), hint=_ends(group, figures))
            if name == between:
                compared[group.name] = found
        if "target" in limits:
            _check_target(case, values, limits["target"], of, f"{group.name}: " if named else "")
        _correlate(case, group.subjects, figures, weights, of)
        case.histograms.append(histogram(f"{value.source} of {whole}", values))
    if len(compared) > 1:
        _compare(case, compared, between, limits["between"])
    elif between:
        raise BrokenRuleError("there is one group, and nothing to compare it with", ("between",))


def _ends(group: Group, figures: Sequence[float]) -> str:
    """Return a hint with a card of the least value and one of the greatest."""
    low, high = min(figures), max(figures)
    least, most = (group.subjects[figures.index(figure)].label for figure in (low, high))
    return f"the least is {number(low)} (“{least}”), the greatest {number(high)} (“{most}”)"


def _compare(case: Case, compared: Mapping[str, float], name: str, limits: Bounds) -> None:
    """Check the difference of a figure between groups."""
    low, high = min(compared, key=compared.__getitem__), max(compared, key=compared.__getitem__)
    difference = compared[high] - compared[low]
    case.measure(f"{name} between groups", difference, bounds=limits)
    if limits.stated and difference not in limits:
        text = (
            f"the {name} is {number(compared[low])} in group “{low}” and {number(compared[high])} in group "
            f"“{high}”, {number(difference)} apart; it should be {limits}"
            if difference
            else f"the {name} is {number(compared[low])} in every group, and should be {limits} apart"
        )
        case.fail(text, None, ("between",), off=limits.distance(difference))


def _check_target(case: Case, values: Sequence[float], limits: Bounds, of: str, named: str) -> None:
    """Check the distance of the values from the target shares."""
    wanted = {str(key): Fraction(str(share)) for key, share in case.data["target"]["shares"].items()}
    whole = sum(wanted.values())
    if not whole:
        raise BrokenRuleError("all shares are 0", ("target", "shares"))
    counts = Counter(map(number, values))
    off = {
        key: Fraction(counts[key], len(values)) - wanted.get(key, 0) / whole
        for key in dict.fromkeys([*wanted, *counts])
    }
    far = sum(map(abs, off.values()), Fraction(0)) / 2
    exact = f"{far.numerator}/{far.denominator}"
    case.measure(f"{named}distance from target", float(far), exact=exact, bounds=limits)
    worst = max(off, key=lambda key: abs(off[key]))
    due = wanted.get(worst, Fraction(0)) / whole
    hint = (
        f"{worst} has a share of {percent(float(off[worst] + due))}; it should have {percent(float(due))}"
    )
    text = f"{of} is {number(float(far))} from its target"
    case.hold("", float(far), limits, ("target",), hint=hint, found=text)


def _correlate(
    case: Case, subjects: Sequence[Subject], figures: Sequence[float], weights: Sequence[int], of: str
) -> None:
    path = ("correlation", "with")
    if "correlation" not in case.data:
        return
    sources = tuple(dict.fromkeys(subject.source for subject in subjects))
    other = case.reading(*path, sources=sources)
    others = [other.number(subject) for subject in subjects]
    found = rank_correlation(figures, others)
    if found is None:
        raise BrokenRuleError(
            f"{of} or {other.title} is the same on every card, so they have no correlation", path
        )
    bounds = case.bounds("correlation", needed=False)
    case.measure(f"rank correlation with {other.source}", found, bounds=bounds)
    case.hold(f"the rank correlation of {of} with {other.title}", found, bounds, path)


def ranks(values: Sequence[float]) -> list[float]:
    """Return ranks from 1; equal values share the mean of their ranks."""
    order = sorted(range(len(values)), key=lambda index: values[index])
    found = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for place in range(start, end + 1):
            found[order[place]] = (start + end) / 2 + 1
        start = end + 1
    return found


def rank_correlation(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Return Spearman's correlation of the ranks, from -1 to 1; None if a side never varies."""
    first, second = ranks(left), ranks(right)
    centre = (len(first) + 1) / 2
    over = math.fsum((a - centre) * (b - centre) for a, b in zip(first, second, strict=True))
    under = math.sqrt(
        math.fsum((a - centre) ** 2 for a in first) * math.fsum((b - centre) ** 2 for b in second)
    )
    return over / under if under else None
