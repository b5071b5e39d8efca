"""Mean, spread and ends of a figure on the cards.

`mean`, `median`, `spread` (standard deviation), `lowest`, `highest`, `range`, `total` of it are each held
to bounds of their own, and so is its rank `correlation` with another figure.

```yaml
rules:
  - id: prices
    question: Are the prices playable?
    kind: distribution
    value: price
    where: price is defined
    mean: {max: 4}
    lowest: {max: 1}
  - id: fame
    question: Does fame rise with difficulty?
    kind: distribution
    component: locations
    value: fame
    correlation: {with: points + fragments|length, min: 0.6}
```
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean, median

from cardgen.checking.case import BrokenRuleError, Case
from cardgen.checking.groups import group_name, grouped
from cardgen.checking.parameters import COUNTING, GROUP_BY, also, bounded, expression, parameters
from cardgen.checking.statistics import histogram, rank_correlation, spread
from cardgen.checking.subjects import Subject

_FIGURES: dict[str, Callable[[Sequence[float]], float]] = {
    "mean": fmean,
    "median": median,
    "spread": spread,
    "lowest": min,
    "highest": max,
    "range": lambda values: max(values) - min(values),
    "total": sum,
}

PARAMETERS = parameters(
    {
        **GROUP_BY,
        **COUNTING,
        "value": expression("The figure, such as price."),
        "mean": bounded("The mean."),
        "median": bounded("The middle value."),
        "spread": bounded("The standard deviation."),
        "lowest": bounded("The least value."),
        "highest": bounded("The greatest value."),
        "range": bounded("The greatest less the least."),
        "total": bounded("The sum."),
        "correlation": also(
            "bounds",
            {"with": expression("The other figure.")},
            "with",
            description="How the figure goes with another: Spearman's rank correlation, from -1 to 1.",
        ),
    },
    ["value"],
)


def judge(case: Case) -> None:
    limits = {name: case.bounds(name) for name in (*_FIGURES, "correlation") if name in case.data}
    if not limits and not case.reports:
        raise BrokenRuleError(
            "the rule has no bound to hold", (), f"state one of {', '.join(_FIGURES)}, or report: true"
        )
    selection = case.select()
    value = case.expression("value", sources=selection.sources)
    for key, group in grouped(case, selection).items():
        named = "group_by" in case.data
        of = f"{value.source} of {f'group “{group_name(key)}”' if named else selection.name}"
        if not group.subjects:
            case.fail(f"there are no cards to take `{of}` from", None, ("groups",))
            continue
        figures = [case.number(value, subject, ("value",)) for subject in group.subjects]
        weights = [case.weight(subject) for subject in group.subjects]
        values = [figure for figure, weight in zip(figures, weights, strict=True) for _ in range(weight)]
        for name, work_out in _FIGURES.items():
            found = work_out(values)
            title = f"{group_name(key)}: {name}" if named else name
            case.measure(title, found, bounds=limits.get(name))
            if name in limits:
                case.hold(f"the {name} of {of}", found, limits[name], (name,))
        _correlate(case, group.subjects, figures, weights, of)
        case.histograms.append(histogram(of, values))


def _correlate(
    case: Case, subjects: Sequence[Subject], figures: Sequence[float], weights: Sequence[int], of: str
) -> None:
    path = ("correlation", "with")
    if "correlation" not in case.data:
        return
    other = case.expression(*path, sources=tuple(dict.fromkeys(subject.source for subject in subjects)))
    others = [case.number(other, subject, path) for subject in subjects]
    found = rank_correlation(figures, others)
    if found is None:
        raise BrokenRuleError(
            f"`{of}` or `{other.source}` is the same on every card, so they have no correlation", path
        )
    bounds = case.bounds("correlation", needed=False)
    case.measure(f"rank correlation with {other.source}", found, bounds=bounds)
    case.hold(f"the rank correlation of {of} with {other.source}", found, bounds, path)
