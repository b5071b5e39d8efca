"""The cards are exactly these, no more and no fewer.

`are` lists values (of `title`, unless `value` names another field), or maps them to copies:
`{Infiltrate: 2}`. With `group_by`, each group must be so. With `in_order: true`, their order counts
too.

```yaml
rules:
  - id: root-only
    question: Which cards need Root?
    kind: exactly
    where: requirement.level == 'Root'
    are: [FBI Raid, FDIC]
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import zip_longest

from cardgen.core.findings import nearest
from cardgen.rules.case import Case, Group, Key, Reading, Selection, Traits, group_name, grouped, show
from cardgen.rules.pool import Subject, SubjectError, evaluate
from cardgen.rules.results import counted, listed

TRAITS = Traits(looks_at="component", lists_words=True)


def judge(case: Case) -> None:
    selection = case.select(may_be_empty=not case.data["are"])
    value = selection.reading("value", default="title")
    groups = grouped(case, selection)
    if "group_by" not in case.data:
        groups.setdefault(None, Group(None, True))  # if no card is chosen, all listed ones are missing
    for group in groups.values():
        if group.listed:
            _compare(case, group, value, selection)
    case.measure("cards", len(selection), "cards")


def _compare(case: Case, group: Group, value: Reading, selection: Selection) -> None:
    are = case.data["are"]
    by_copies = isinstance(are, Mapping)
    wanted: Counter[Key] = Counter(dict(are) if isinstance(are, Mapping) else are)
    found: Counter[Key] = Counter()
    bearers: dict[Key, Subject] = {}
    strangers: list[tuple[Key, Subject]] = []
    order: list[tuple[Key, Subject]] = []
    within = f" in group “{group.name}”" if "group_by" in case.data else ""
    for subject in group.subjects:
        key = value.key(subject)
        if by_copies:
            key = group_name(key)  # the keys of a mapping in YAML are text
        found[key] += subject.copies if by_copies else 1
        other = bearers.setdefault(key, subject)
        if not by_copies or not order or order[-1][0] != key:
            order.append((key, subject))
        if key not in wanted:
            strangers.append((key, subject))
        elif found[key] > wanted[key]:
            text = f"{show(key)} occurs {counted(found[key], 'time')}{within}, it should be {wanted[key]}"
            place = ("copies",) if by_copies else value.place(subject)
            hint = None if other is subject else f"the other is {other.address}"
            case.fail(text, subject, place, hint, off=found[key] - wanted[key])
    missing = [key for key in wanted if found[key] < wanted[key]]
    names = [show(key) for key in missing]
    hint = f"missing: {listed(names)}" if names else "none is missing" if wanted else "there should be none"
    meant = _meant(missing, [key for key, _ in strangers])
    for key, subject in strangers:
        text = f"{show(key)} should not be here{within}"
        if key in meant:
            text += f"; {show(meant[key])} is missing"
        case.fail(text, subject, value.place(subject), None if key in meant else hint)
    missing = [key for key in missing if key not in meant.values()]
    if case.data.get("in_order") and found == wanted:
        for (key, subject), due in zip_longest(order, [key for key in are if wanted[key]]):
            if key != due:
                should = "apart from the others" if due is None else f"where {show(due)} should be"
                text = f"{show(key)} is {should}{within}"
                case.fail(text, subject, value.place(subject), "the order counts")
                break  # the next ones are shifted by the same difference
    elsewhere = _excluded_cards(case, selection, value) if missing else {}
    for key in missing:
        times = (
            f"{counted(found[key], 'time')}, it should be {wanted[key]}" if wanted[key] > 1 else "missing"
        )
        text = f"{show(key)} is {times}{within}"
        if by_copies and key in bearers:
            case.fail(text, bearers[key], ("copies",), off=wanted[key] - found[key])
        elif key in elsewhere:
            where = selection.reading("where")
            facts = where.facts(elsewhere[key])
            hint = f"change the values by which `where` excludes this card{facts and f': {facts}'}"
            case.fail(text, elsewhere[key], where.place(elsewhere[key]), hint)
        else:
            place = ("are", str(key) if by_copies else list(are).index(key))
            case.fail(text, None, place, off=wanted[key] - found[key])


def _meant(missing: list[Key], strangers: list[Key]) -> dict[Key, Key]:
    """Return the missing values that single wrong ones probably stand for: those with like names, or the
    only one."""
    if len(missing) == 1 == len(strangers):
        return {strangers[0]: missing[0]}
    names = {str(key): key for key in missing}
    found: dict[Key, Key] = {}
    for key in dict.fromkeys(strangers):
        close = nearest(str(key), names)
        if close is not None and strangers.count(key) == 1:
            found[key] = names.pop(close)
    return found


def _excluded_cards(case: Case, selection: Selection, value: Reading) -> dict[Key, Subject]:
    """Return the cards that `where` excludes, by their values, since one of them may be a missing one."""
    if "where" not in case.data or "group_by" in case.data:
        return {}
    chosen = set(selection)
    found: dict[Key, Subject] = {}
    for subject in case.pool.select(selection.sources, None):
        if subject in chosen:
            continue
        try:
            key = evaluate(value.expression, subject)
        except SubjectError:  # the value can't be evaluated there, so it isn't the missing one
            continue
        if isinstance(key, (str, int, float)):
            found.setdefault(group_name(key) if isinstance(case.data["are"], Mapping) else key, subject)
    return found
