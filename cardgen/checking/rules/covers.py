"""Every value that one side demands is supplied by the other.

At least `copies` cards must supply it; with `nothing_more`, nothing is supplied that nothing demands. A
side is cards and their `values`, or a `list`.

```yaml
rules:
  - id: fragments
    question: Does every fragment that a location asks for exist, and no other?
    kind: covers
    demanded: {component: locations, values: fragments}
    supplied: {component: data, values: fragments}
    nothing_more: true
```
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cardgen.checking.case import Case, show
from cardgen.checking.groups import Key, group_key, group_name
from cardgen.checking.parameters import flag, integer, parameters, side
from cardgen.checking.results import Matrix, Table
from cardgen.checking.subjects import Subject, items_of

PARAMETERS = parameters(
    {
        "demanded": side("Who demands what."),
        "supplied": side("Who supplies what."),
        "copies": integer("How many copies must supply each value. Left out: 1.", 1, 10_000),
        "nothing_more": flag("Say true if nothing may be supplied that nothing demands."),
    },
    ["demanded", "supplied"],
    shares=[],
)


@dataclass(slots=True)
class Side:
    """Who has each value, in the order of the data, and how many copies in all."""

    name: str
    holders: dict[Key, list[Subject]] = field(default_factory=dict)
    copies: dict[Key, int] = field(default_factory=dict)
    places: dict[Key, int] = field(default_factory=dict)


def judge(case: Case) -> None:
    demanded = _side(case, "demanded")
    supplied = _side(case, "supplied")
    least = case.data.get("copies", 1)
    for index, key in enumerate(demanded.copies):
        have = supplied.copies.get(key, 0)
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
        case.fail(f"{show(key)} is demanded{by}, but {amount}", who, place)
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
    side = Side(name)
    listed = case.parameter((name, "list"))
    if listed is not None:
        for key in listed:
            side.copies[key] = side.copies.get(key, 0) + 1
        side.name = "the list"
        return side
    selection = case.select(name)
    side.name = selection.name
    values = case.expression(name, "values", sources=selection.sources)
    for subject in selection:
        for value in items_of(case.value(values, subject, (name, "values"))):
            key = group_key(case, value, subject, (name, "values"))
            side.holders.setdefault(key, []).append(subject)
            side.copies[key] = side.copies.get(key, 0) + subject.copies
    return side


def _figures(case: Case, demanded: Side, supplied: Side) -> None:
    keys = list(dict.fromkeys([*demanded.copies, *supplied.copies]))
    met = sum(1 for key in demanded.copies if supplied.copies.get(key, 0))
    case.measure("demanded", len(demanded.copies), "values")
    case.measure("supplied", met, "of them")
    rows = tuple(
        (group_name(key), demanded.copies.get(key, 0), supplied.copies.get(key, 0)) for key in keys
    )
    case.tables.append(Table("demand and supply", ("value", "demanded", "supplied"), rows))
    names = tuple(group_name(key) for key in keys)
    values = (
        tuple(float(demanded.copies.get(key, 0)) for key in keys),
        tuple(float(supplied.copies.get(key, 0)) for key in keys),
    )
    case.matrices.append(Matrix("demand and supply", ("demanded", "supplied"), names, values))
