"""Every value that one side demands is supplied by the other.

Supply isn't used up: one card can meet any number of demands. If each demand needs its own cards, use
[satisfiable](#satisfiable).

Each side contains `component`, `table`, `where` and `values`, or a `list` of values. Beside the sides,
`copies: 2` asks for two copies of each, or with `counting: cards` for two different cards. With
`nothing_more`, nothing else is supplied. If nothing is demanded, that is a finding, unless
`may_select_none: true`.

```yaml
rules:
  - id: fragments
    question: Does every fragment that a location asks for exist?
    kind: covers
    demanded: {component: locations, values: fragments}
    supplied: {component: data, values: fragments}
    nothing_more: true
  - id: sides
    question: Does every side of the die have two different cards?
    kind: covers
    copies: 2
    counting: cards
    demanded: {list: [1, 2, 3, 4, 5, 6]}
    supplied: {component: data, values: side}
```
"""

from __future__ import annotations

from collections import Counter

from cardgen.core.records import dataclass, field
from cardgen.rules.case import NOTHING_HINT, Case, Key, UnfitCardsError, group_name, show, side_of
from cardgen.rules.pool import Subject
from cardgen.rules.results import Matrix, Table


@dataclass(slots=True)
class Side:
    """The cards of each value, in the order of the data, with their copies in total."""

    name: str
    holders: dict[Key, list[Subject]] = field(default_factory=dict)
    copies: Counter[Key] = field(default_factory=Counter)


def judge(case: Case) -> None:
    demanded = _side(case, "demanded")
    supplied = _side(case, "supplied")
    if not demanded.copies and not case.may_find_nothing:
        values = case.parameter(("demanded", "values"))
        reason = f"`values` is empty for every card of {demanded.name}" if values else "the list is empty"
        wrong = ("demanded", "values" if values else "list")
        raise UnfitCardsError(f"nothing is demanded: {reason}", wrong, NOTHING_HINT)
    least = case.data.get("copies", 1)
    for index, key in enumerate(demanded.copies):
        have = supplied.copies[key]
        if have >= least:
            continue
        who = demanded.holders.get(key, [None])[0]
        by = f" by “{who.label}”" if who else ""
        amount = (
            "nothing supplies it"
            if not have
            else f"{supplied.name} supply {have}, it should be at least {least}"
        )
        place = () if who else ("demanded", "list", index)
        case.fail(f"{show(key)} is demanded{by}, but {amount}", who, place, off=least - have)
    if case.data.get("nothing_more", False):
        for index, key in enumerate(supplied.copies):
            if key in demanded.copies:
                continue
            holders: list[Subject | None] = [*supplied.holders.get(key, [])] or [None]
            for holder in holders:
                by = f" by “{holder.label}”" if holder else ""
                place = () if holder else ("supplied", "list", index)
                case.fail(f"{show(key)} is supplied{by}, but nothing demands it", holder, place)
    _figures(case, demanded, supplied)


def _side(case: Case, name: str) -> Side:
    title, pairs = side_of(case, name)
    side = Side(title)
    if case.counting == "cards":  # a card may list a value twice
        pairs = list(dict.fromkeys(pairs))
    for key, subject in pairs:
        side.copies[key] += case.weight(subject) if subject else 1
        if subject:
            side.holders.setdefault(key, []).append(subject)
    return side


def _figures(case: Case, demanded: Side, supplied: Side) -> None:
    keys = list(dict.fromkeys([*demanded.copies, *supplied.copies]))
    met = sum(1 for key in demanded.copies if supplied.copies[key])
    case.measure("demanded", len(demanded.copies), "values")
    case.measure("supplied", met, "of them")
    rows = tuple((group_name(key), demanded.copies[key], supplied.copies[key]) for key in keys)
    case.tables.append(Table("demand and supply", ("value", "demanded", "supplied"), rows))
    names = tuple(group_name(key) for key in keys)
    values = tuple(tuple(float(side.copies[key]) for key in keys) for side in (demanded, supplied))
    case.matrices.append(Matrix("demand and supply", ("demanded", "supplied"), names, values))
