"""There are the right number of cards, in all or in each group.

With `group_by`, name the `groups`: a group that has no card is found only if you name it. If all groups
have the same bound, write `groups` as a list and the bound once.

To prove that each value is on two different cards, see the
[recipe](cookbook.md#prove-that-each-suit-is-on-two-different-cards).

With `across: cost`, the report shows a table of the groups by cost.

```yaml
rules:
  - {id: deck-size, question: Are there 63 cards?, kind: count, equals: 63}
  - id: codes
    question: Has each code its cards?
    kind: count
    group_by: code
    groups: {A: 8, B: {min: 9, max: 10}}
  - id: suits
    question: Are there 12 cards of each suit?
    kind: count
    group_by: suit
    groups: [sun, moon, leaf]
    equals: 12
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from cardgen.rules.case import (
    BrokenRuleError,
    Case,
    Group,
    Key,
    Path,
    Selection,
    Traits,
    group_name,
    grouped,
    is_number,
)
from cardgen.rules.results import Bounds, Histogram, Matrix, Table, number

MOST_ACROSS = 60
"""Most groups, and most values, of a table of both."""

TRAITS = Traits(looks_at="component")


def judge(case: Case) -> None:
    groups_given = case.data.get("groups")
    own = isinstance(groups_given, Mapping)
    common = case.bounds(needed=not own)
    limits = case.group_bounds("groups") if own else {}
    if own and common.stated:
        text = "groups with their own numbers can't be combined with equals, min or max"
        raise BrokenRuleError(text, ("groups",))
    selection = case.select(may_be_empty=common.allows_none)
    groups = grouped(case, selection)
    unit = case.counting
    if "group_by" not in case.data:
        size = sum(case.weight(subject) for subject in selection)
        case.measure("count", size, unit, bounds=common)
        alone = selection.subjects[0] if "where" in case.data and len(selection) == 1 else None
        place = ("copies",) if alone else case.bound_path
        case.hold(f"the number of {unit} of {selection.name}", size, common, place, subject=alone)
        return
    for key, group in groups.items():
        bounds = limits.get(key, common) if group.listed else None
        case.measure(group.name, group.size, unit, bounds=bounds)
        if bounds is not None:
            _check_group(case, group, bounds, ("groups", str(key)) if key in limits else None)
    bins = tuple((group.name, group.size) for group in groups.values())
    case.histograms.append(Histogram(f"{unit} by {case.data['group_by']}", bins, False))
    if "across" in case.data:
        _cross(case, selection, groups)


def _cross(case: Case, selection: Selection, groups: Mapping[Key, Group]) -> None:
    """Add a table of the groups by the values of `across`, with the number of cards of each pair."""
    across = selection.choosing("across")
    assert across is not None  # the schema requires it
    sizes: dict[Key, Counter[Key]] = {key: Counter() for key in groups}
    found: dict[Key, None] = {}
    for key, group in groups.items():
        for subject in group.subjects:
            for other in dict.fromkeys(across.keys(subject) or [None]):
                sizes[key][other] += case.weight(subject)
                found[other] = None
        if max(len(groups), len(found)) > MOST_ACROSS:
            raise BrokenRuleError(f"a table can have at most {MOST_ACROSS} values", ("across",))
    columns = list(found)
    if all(map(is_number, columns)):
        columns.sort(key=lambda value: float(value or 0))
    title = f"{case.counting} by {case.data['group_by']} (rows) and {case.data['across']} (columns)"
    names = tuple(map(group_name, groups))
    values = tuple(tuple(sizes[key][other] for other in columns) for key in groups)
    heads = tuple(map(group_name, columns))
    case.matrices.append(Matrix(title, names, heads, values))
    rows: list[tuple[str | int, ...]] = [(name, *row) for name, row in zip(names, values, strict=True)]
    case.tables.append(Table(title, (str(case.data["group_by"]), *heads), tuple(rows)))


def _check_group(case: Case, group: Group, bounds: Bounds, path: Path | None) -> None:
    found = f"{case.counting} in group “{group.name}”: {number(group.size)}"
    names = [subject.label for subject in group.subjects]
    hint = f"they are: {', '.join(names[:15])}{', …' if len(names) > 15 else ''}" if names else None
    alone = group.subjects[0] if len(group.subjects) == 1 else None
    place = ("copies",) if alone else case.bound_path if path is None else path
    case.hold("", group.size, bounds, place, subject=alone, hint=None if alone else hint, found=found)
