"""The chance that a drawn hand meets a condition lies within bounds.

`draw` cards are drawn, and `event` is the condition. It can use:

- with `classes`, a field that makes cards alike: `counts` (drawn cards by class), `distinct` (classes
  among them), `most_alike` (the largest class), `total` (the sum of the classes, if they are numbers)
  and `sets(n)` (disjoint sets of n different classes);
- each name in `having`: how many drawn cards meet that condition.

The chance is exact (multivariate hypergeometric) up to 50,000 different hands. Otherwise, or with
`method: sample`, it is an interval from `runs` random hands, which must lie within the bounds.

```yaml
rules:
  - id: opening
    question: How often is there something cheap and something green?
    kind: probability
    having: {cheap: cost <= 2, green: "'green' in colors"}
    draw: 5
    event: cheap >= 1 and green >= 1
    min: 0.8
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from random import Random
from typing import Any

from cardgen.expressions.budget import WrongValueError
from cardgen.expressions.values import Function, whole
from cardgen.rules.case import BrokenRuleError, Case, Key, Selection, UnfitCardsError, group_name, show
from cardgen.rules.chance import CONFIDENCE, share_interval
from cardgen.rules.pool import Subject
from cardgen.rules.results import Histogram, counted, percent

DEFAULT_RUNS = 20_000
DEFAULT_SEED = 1
_READ = frozenset({"counts", "distinct", "most_alike", "total", "sets"})
"""The names of an event that need classes."""

_WORDS = frozenset("and elif else false for if import in is none not or recursive true".split())  # noqa: SIM905
"""Keywords of the expression language."""

Kind = tuple[Key, tuple[bool, ...]]
"""A key that is equal for equivalent cards: their class, and the conditions that they meet."""


def judge(case: Case) -> None:
    bounds = case.bounds(share=True)
    selection = case.select()
    kind_of = _Kinds(selection)
    sizes: Counter[Kind] = Counter()
    for subject in selection:
        sizes[kind_of(subject)] += subject.copies
    cards = sum(sizes.values())
    draw = _draw(case, cards)
    keys = list(sizes)
    event = _Event(case, keys, _missing_classes(case, kind_of, selection, keys))
    count = outcome_count(list(sizes.values()), draw)
    case.looked_at.append(
        f"{draw} of {counted(cards, 'card')} in {counted(len(keys), 'class', 'classes')} by {kind_of.terms}"
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
    bins = tuple((kind_of.name(kind), float(size)) for kind, size in sizes.items())
    case.histograms.append(Histogram(f"copies by {kind_of.title}", bins, False))


class _Kinds:
    """A function from a card to its kind: its class, and the conditions that it meets."""

    def __init__(self, selection: Selection) -> None:
        self._classes = selection.optional("classes")
        self._having = [
            (name, selection.reading("having", name)) for name in selection.case.data.get("having", {})
        ]
        parts = [*([self._classes] if self._classes else []), *(each for _, each in self._having)]
        self.title = ", ".join(part.source for part in parts)
        self.terms = ", ".join(f"`{part.source}`" for part in parts)

    def __call__(self, subject: Subject) -> Kind:
        key = self._classes.key(subject) if self._classes else None
        met = (each.of(subject) for _, each in self._having)
        return key, tuple(map(bool, met))

    def name(self, kind: Kind) -> str:
        """Return the name of a kind of cards."""
        met = [name for (name, _), holds in zip(self._having, kind[1], strict=True) if holds]
        words = [group_name(kind[0])] if self._classes else []
        return ", ".join([*words, *met]) or "neither"


def _missing_classes(case: Case, kind_of: _Kinds, selection: Selection, keys: list[Kind]) -> list[Kind]:
    """Return the pool's classes without a card in a player's deck, so that hands have none of them."""
    sources = tuple(map(case.pool.origin, selection.sources))
    if sources == selection.sources:
        return []
    stated = "where" in case.data
    where = case.reading("where", sources=sources).expression if stated else None
    found = (kind_of(subject) for subject in case.pool.select(sources, where))
    return [key for key in dict.fromkeys(found) if key not in keys]


class _Event:
    """The rule's condition, as a function of the number of drawn cards of each class; `missing` are classes
    without a card."""

    def __init__(self, case: Case, kinds: list[Kind], missing: list[Kind]) -> None:
        self._kinds = [*kinds, *missing]
        self._keys = list(dict.fromkeys(key for key, _ in self._kinds))
        self._none = (0,) * len(missing)
        self._having = list(case.data.get("having", {}))
        sample = {**hand(self._keys, (0,) * len(self._keys)), "sets": Function("sets", lambda size: 0)}
        for name in self._having:
            if name in _READ or name in case.pool.globals or name in _WORDS:
                has = (
                    "means something else in an event"
                    if name in _WORDS
                    else "is already a name in the event"
                )
                raise BrokenRuleError(f"“{name}” {has}", ("having", name), "choose another")
        extra = {name: [value] for name, value in {**sample, **dict.fromkeys(self._having, 0)}.items()}
        self._holds = case.reading("event", extra=extra)
        if extra.keys().isdisjoint(self._holds.names):
            text = f"`{self._holds.source}` doesn't read the hand, so it is the same for every hand"
            raise BrokenRuleError(text, ("event",), f"use {', '.join(sorted(extra))}")

    def __call__(self, counts: tuple[int, ...]) -> bool:
        drawn = counts + self._none
        totals = dict.fromkeys(self._keys, 0)
        having = [0] * len(self._having)
        for (key, met), count in zip(self._kinds, drawn, strict=True):
            totals[key] += count
            for index, holds in enumerate(met):
                having[index] += count * holds
        classes = tuple(totals.values())
        values: dict[str, Any] = {
            **hand(self._keys, classes),
            **dict(zip(self._having, having, strict=True)),
        }
        values["sets"] = Function("sets", lambda size: disjoint_sets(classes, whole(size)))
        return bool(self._holds.work_out(values))


def _draw(case: Case, cards: int) -> int:
    given = case.data["draw"]
    found = given
    if isinstance(given, str):
        found = case.reading("draw").work_out({})
    if isinstance(found, float) and found.is_integer():  # division returns it
        found = int(found)
    if isinstance(found, bool) or not isinstance(found, int) or found < 1:
        raise BrokenRuleError(f"draw must be a whole number of cards, not {show(found)}", ("draw",))
    if found > cards:
        raise UnfitCardsError(f"{counted(found, 'card')} cannot be drawn from {cards}", ("draw",))
    return found


MAX_OUTCOMES = 50_000
"""Most outcomes that are enumerated; above that, random hands estimate the chance."""


def outcome_count(sizes: Sequence[int], draw: int) -> int:
    """Count how many different hands there are if cards of one class are equal: a coefficient of the
    product of 1 + x + … + x^size."""
    ways = [1] + [0] * draw
    for size in sizes:
        sums = [0]
        for way in ways:
            sums.append(sums[-1] + way)
        ways = [sums[total + 1] - sums[max(0, total - size)] for total in range(draw + 1)]
    return ways[draw]


def outcomes(sizes: Sequence[int], draw: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield each hand as counts of the classes, with the number of ways to draw it (multivariate
    hypergeometric: the product of the binomial coefficients)."""
    room = [0] * (len(sizes) + 1)
    for index in reversed(range(len(sizes))):
        room[index] = room[index + 1] + sizes[index]

    def fill(
        index: int, left: int, ways: int, counts: tuple[int, ...]
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        if index == len(sizes):
            yield counts, ways
            return
        for count in range(max(0, left - room[index + 1]), min(sizes[index], left) + 1):
            yield from fill(index + 1, left - count, ways * comb(sizes[index], count), (*counts, count))

    if draw <= room[0]:
        yield from fill(0, draw, 1, ())


def exact_chance(sizes: Sequence[int], draw: int, event: Callable[[tuple[int, ...]], bool]) -> Fraction:
    """Return the chance of a hand of `draw` cards with a true `event(counts)`."""
    favorable = sum(ways for counts, ways in outcomes(sizes, draw) if event(counts))
    return Fraction(favorable, comb(sum(sizes), draw))


def sampled_hits(
    sizes: Sequence[int], draw: int, event: Callable[[tuple[int, ...]], bool], runs: int, seed: int
) -> int:
    """Count the random hands, of `runs`, with a true event. The same seed gives the same hands."""
    random = Random(seed)
    deck = [index for index, size in enumerate(sizes) for _ in range(size)]
    known: dict[tuple[int, ...], bool] = {}
    hits = 0
    for _ in range(runs):
        counts = [0] * len(sizes)
        for index in random.sample(deck, draw):
            counts[index] += 1
        hand = tuple(counts)
        if hand not in known:
            known[hand] = event(hand)
        hits += known[hand]
    return hits


def hand(keys: Sequence[Any], counts: tuple[int, ...]) -> Mapping[str, Any]:
    """Return the variables that an event reads: see `docs/rules.md`, probability."""
    by_key = dict(zip(keys, counts, strict=True))
    values: dict[str, Any] = {
        "counts": {("none" if key is None else str(key)): count for key, count in by_key.items()},
        "distinct": sum(1 for count in counts if count),
        "most_alike": max(counts, default=0),
    }
    if all(isinstance(key, (int, float)) for key in keys):
        values["total"] = sum(key * count for key, count in by_key.items())
    return values


def disjoint_sets(counts: Sequence[int], size: int) -> int:
    """Count how many disjoint sets of `size` different classes can be formed of the cards.

    t sets are possible exactly if the classes, each counted at most t times, have t·size cards: a class can
    be in each set once, and dealing them out in turn never puts a class twice in a set.
    """
    if size < 1:
        raise WrongValueError("a set has at least one card")
    sets = 0
    while sum(min(count, sets + 1) for count in counts) >= (sets + 1) * size:
        sets += 1
    return sets
