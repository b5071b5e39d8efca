"""Booster packs contain the right cards: how many of each rarity, and how often none.

A slot draws `count` cards from its `component` and `where`, without replacement. With `one_of`, all its
cards come from one choice, more often the greater its `weight`. Slots are independent, so a card can
come twice.

- `group_by` says what is counted.
- `as_fan` bounds the mean number of a group in a pack.
- `lacks` bounds the chance that a pack has none.

The results are exact (hypergeometric).

```yaml
rules:
  - id: packs
    question: Does a pack have a rare card?
    kind: booster
    slots:
      - {component: cards, where: rarity == 'common', count: 7}
      - count: 1
        one_of:
          - {component: cards, where: rarity == 'rare', weight: 7}
          - {component: cards, where: rarity == 'mythic', weight: 1}
    group_by: rarity
    as_fan: {common: 7, mythic: {min: 0.1, max: 0.15}}
    lacks: {rare: {max: 0.2}}
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Any

from cardgen.core.records import dataclass
from cardgen.rules.case import BrokenRuleError, Case, Path, UnfitCardsError, group_name
from cardgen.rules.pool import meant
from cardgen.rules.results import Bounds, Histogram, Table, counted, number, percent


@dataclass(frozen=True, slots=True)
class _Pile:
    """The cards for a slot with a chance of `share`: of `size` copies, the number of each group."""

    share: Fraction
    size: int
    groups: Counter[str]


def judge(case: Case) -> None:
    limits = {"as_fan": case.group_bounds("as_fan"), "lacks": case.group_bounds("lacks", share=True)}
    case.must_ask("as_fan, lacks", any(limits.values()))
    slots = [_slot(case, index) for index in range(len(case.data["slots"]))]
    stated = [name for bounds in limits.values() for name in bounds]
    names = list(dict.fromkeys(name for _, piles in slots for pile in piles for name in pile.groups))
    rows = []
    for name in dict.fromkeys([*names, *stated]):
        mean, none = _figures(slots, name)
        for title, found, words, key in (
            ("as-fan", mean, number, "as_fan"),
            ("lacking", none, percent, "lacks"),
        ):
            text, bounds = words(float(found)), limits[key].get(name)
            case.measure(f"{name}: {title}", float(found), "", text, exact=_fraction(found), bounds=bounds)
        rows.append((name, number(float(mean)), percent(float(none))))
        if name in names:
            what = f"the as-fan of group “{name}”"
            case.hold(what, float(mean), limits["as_fan"].get(name), ("as_fan", name))
            what = f"the chance that a pack has none of group “{name}”"
            case.hold(what, float(none), limits["lacks"].get(name), ("lacks", name), words=percent)
        else:
            _must_be_none(case, name, names, limits)
    cards = sum(count for count, _ in slots)
    case.measure("cards in a pack", cards, "cards")
    case.looked_at.append(f"a pack of {counted(cards, 'card')} in {counted(len(slots), 'slot')}")
    title = f"a pack by {case.data['group_by']}"
    case.tables.append(Table(title, ("group", "as-fan", "lacking"), tuple(rows)))
    bins = tuple((name, float(_figures(slots, name)[0])) for name in names)
    case.histograms.append(Histogram(title, bins, False))


def _must_be_none(
    case: Case, name: str, names: list[str], limits: Mapping[str, Mapping[str, Bounds]]
) -> None:
    """Report a group without cards in the slots, usually misspelled, unless its bounds allow none."""
    for what, none, end in (("as_fan", 0, "max"), ("lacks", 1, "min")):
        bounds = limits[what].get(name)
        if bounds is not None and none not in (bounds.equals, getattr(bounds, end)):
            case.fail(f"no card of the slots is in group “{name}”", None, (what, name), meant(name, names))


def _slot(case: Case, index: int) -> tuple[int, list[_Pile]]:
    """Return the number of cards for a slot, and its piles."""
    path: Path = ("slots", index)
    slot: Mapping[str, Any] = case.data["slots"][index]
    count = slot.get("count", 1)
    if "one_of" not in slot:
        return count, [_pile(case, path, Fraction(1), count)]
    if wrong := next((key for key in ("component", "table", "where") if key in slot), None):
        hint = f"move '{wrong}' into each choice"
        raise BrokenRuleError(f"a slot with one_of can't have the key '{wrong}'", (*path, wrong), hint)
    weights = [choice["weight"] for choice in slot["one_of"]]
    return count, [
        _pile(case, (*path, "one_of", number), Fraction(weight, sum(weights)), count)
        for number, weight in enumerate(weights)
    ]


def _pile(case: Case, path: Path, share: Fraction, count: int) -> _Pile:
    selection = case.select(*path)
    groups = selection.reading("group_by")
    found: Counter[str] = Counter()
    for subject in selection:
        for key in dict.fromkeys(groups.keys(subject)):
            found[group_name(key)] += subject.copies
    if selection.copies < count:
        raise UnfitCardsError(f"{counted(count, 'card')} cannot be taken from {selection.copies}", path)
    return _Pile(share, selection.copies, found)


def _figures(slots: list[tuple[int, list[_Pile]]], name: str) -> tuple[Fraction, Fraction]:
    """Return the mean number of a group in a pack, and the chance of a pack without it."""
    mean, none = Fraction(0), Fraction(1)
    for count, piles in slots:
        mean += sum(pile.share * count * Fraction(pile.groups[name], pile.size) for pile in piles)
        none *= sum(
            pile.share * Fraction(comb(pile.size - pile.groups[name], count), comb(pile.size, count))
            for pile in piles
        )
    return mean, none


def _fraction(value: Fraction) -> str:
    """Return a fraction if it is short enough to read, else ""."""
    text = f"{value.numerator}/{value.denominator}"
    return text if len(text) <= 24 else ""
