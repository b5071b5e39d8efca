"""The chance that a hand drawn from the cards meets a condition.

`draw` cards are drawn, and `event` is the condition. Cards with the same value of `classes` are alike, and
the event reads how many of each were drawn: `counts` (by class), `distinct` (classes among them),
`most_alike`, `total` (if the classes are numbers: their sum) and `sets(n)` (how many disjoint sets of n
different classes they hold). Worked out exactly (multivariate hypergeometric) up to 50,000 different hands;
beyond that, or with `method: sample`, from `runs` random hands, with an interval that must lie within the
bounds as a whole.

```yaml
rules:
  - id: password
    question: How often do six cards hold three different codes?
    kind: probability
    component: cards
    classes: code
    draw: 6
    event: distinct >= 3
    min: 0.98
  - id: two-passwords
    question: And nine cards two such passwords?
    kind: probability
    component: cards
    classes: code
    draw: 9
    event: sets(3) >= 2
    report: true
```
"""

from __future__ import annotations

from collections import Counter
from math import comb
from typing import Any

from cardgen.checking.case import BrokenRuleError, Case, Selection, UnfitCardsError, show
from cardgen.checking.expressions import Expression
from cardgen.checking.groups import Key, group_key, group_name
from cardgen.checking.hands import (
    MAX_OUTCOMES,
    disjoint_sets,
    exact_chance,
    hand,
    outcome_count,
    sampled_hits,
)
from cardgen.checking.parameters import choice, expression, integer, parameters, shared
from cardgen.checking.results import Histogram, counted, percent
from cardgen.checking.statistics import CONFIDENCE, share_interval
from cardgen.checking.subjects import Subject
from cardgen.sandbox import Function
from cardgen.sandbox.texts import whole

DEFAULT_RUNS = 20_000
DEFAULT_SEED = 1

PARAMETERS = parameters(
    {
        "classes": expression("Cards with the same value of this are alike."),
        "draw": shared("number", "How many cards are drawn."),
        "event": expression("The condition, over counts, distinct, most_alike, total and sets(n)."),
        "method": choice("Left out: exact, where the hands can be enumerated.", "exact", "sample"),
        "runs": integer(f"Random hands, if sampled. Left out: {DEFAULT_RUNS}.", 100, 10_000_000),
        "seed": integer(f"Where the random hands start. Left out: {DEFAULT_SEED}."),
        "confidence": shared("confidence", f"How sure the interval is. Left out: {CONFIDENCE}."),
    },
    ["classes", "draw", "event"],
    shares=["selection", "bounds"],
)


def judge(case: Case) -> None:
    bounds = case.bounds()
    selection = case.select()
    classes = case.expression("classes", sources=selection.sources)
    sizes: Counter[Key] = Counter()
    for subject in selection:
        sizes[_class_of(case, classes, subject)] += subject.copies
    cards = sum(sizes.values())
    draw = _draw(case, cards)
    keys = list(sizes)
    event = _Event(case, keys, _missing(case, classes, selection, keys))
    count = outcome_count(list(sizes.values()), draw)
    case.looked_at.append(
        f"{draw} of {counted(cards, 'card')} in {counted(len(keys), 'class', 'classes')} "
        f"by `{classes.source}`"
    )
    if count <= MAX_OUTCOMES and case.data.get("method", "exact") == "exact":
        chance = exact_chance(list(sizes.values()), draw, event)
        share = float(chance)
        hands = comb(cards, draw)
        ways = chance.numerator * (hands // chance.denominator)
        text = f"{percent(share)}, exactly: {ways:,} of {hands:,} hands"
        exact = f"{chance.numerator}/{chance.denominator}"
        case.measure("chance", share, "", text, exact=exact, bounds=bounds)
        low = high = share
    else:
        runs = case.data.get("runs", DEFAULT_RUNS)
        hits = sampled_hits(list(sizes.values()), draw, event, runs, case.data.get("seed", DEFAULT_SEED))
        low, high = share_interval(hits, runs, case.data.get("confidence", CONFIDENCE))
        share = hits / runs
        text = f"{percent(share)}, {percent(low)} to {percent(high)}, from {counted(runs, 'random hand')}"
        case.measure("chance", share, "", text, (low, high), bounds=bounds)
    found = percent(low) if low == high else f"{percent(low)} to {percent(high)}"
    case.hold_interval("the chance", found, (low, high), bounds, percent, case.bound_path)
    bins = tuple((group_name(key), float(size)) for key, size in sizes.items())
    case.histograms.append(Histogram(f"copies by {classes.source}", bins, False))


def _class_of(case: Case, classes: Expression, subject: Subject) -> Key:
    return group_key(case.value(classes, subject, ("classes",)), subject, ("classes",))


def _missing(case: Case, classes: Expression, selection: Selection, keys: list[Key]) -> list[Key]:
    """The classes of the pool that a player's deck has no card of: of these a hand holds none."""
    kin = tuple(map(case.pool.kin, selection.sources))
    if kin == selection.sources:
        return []
    where = case.optional("where", sources=kin)
    found = (_class_of(case, classes, subject) for subject in case.pool.select(kin, where))
    return [key for key in dict.fromkeys(found) if key not in keys]


class _Event:
    """The rule's condition, as a function of how many cards of each class were drawn; `missing` are
    classes without a card."""

    def __init__(self, case: Case, keys: list[Key], missing: list[Key]) -> None:
        self._case = case
        self._keys = [*keys, *missing]
        self._none = (0,) * len(missing)
        sample = {**hand(self._keys, (0,) * len(self._keys)), "sets": Function("sets", lambda size: 0)}
        extra = {name: [value] for name, value in sample.items()}
        self._holds = case.expression("event", sources=(), extra=extra)

    def __call__(self, counts: tuple[int, ...]) -> bool:
        values: dict[str, Any] = {**hand(self._keys, counts + self._none)}
        values["sets"] = Function("sets", lambda size: disjoint_sets(counts, whole(size)))
        return bool(self._case.work_out(self._holds, ("event",), values))


def _draw(case: Case, cards: int) -> int:
    given = case.data["draw"]
    found = given
    if isinstance(given, str):
        found = case.work_out(case.compile(given, ("draw",)), ("draw",), {})
    if isinstance(found, bool) or not isinstance(found, int) or found < 1:
        raise BrokenRuleError(f"draw is a whole number of cards, this is {show(found)}", ("draw",))
    if found > cards:
        raise UnfitCardsError(f"{counted(found, 'card')} cannot be drawn from {cards}", ("draw",))
    return found
