"""Every name that a card uses exists.

With `acyclic`, names never lead from a card back to itself.

```yaml
rules:
  - id: sectors
    question: Does every sector exist?
    kind: references
    names: requirement.sector
    to: {component: sectors, values: title}
```
"""

from __future__ import annotations

from cardgen.rules.case import BrokenRuleError, Case, Key, Reading, group_name, show, side_of
from cardgen.rules.pool import Subject, meant


def judge(case: Case) -> None:
    selection = case.select()
    names = selection.reading("names")
    targets: dict[Key, Subject | None] = {}
    for key, owner in side_of(case, "to")[1]:
        targets.setdefault(key, owner)
    used = 0
    for subject in selection:
        for key in names.keys(subject):
            used += 1
            if key not in targets:
                hint = meant(group_name(key), map(group_name, targets)) if case.hints else None
                text = f"“{subject.label}” names {show(key)}, which does not exist"
                case.fail(text, subject, names.place(subject), hint)
    case.measure("names used", used)
    case.measure("names that exist", len(targets))
    if not used:
        raise BrokenRuleError(f"no card of {selection.name} names anything", ("names",))
    if case.data.get("acyclic", False):
        _no_cycle(case, names, targets)


def _no_cycle(case: Case, names: Reading, targets: dict[Key, Subject | None]) -> None:
    """Fail each card that reaches itself by the names it uses, once for each cycle."""
    labels: dict[int, Key] = {id(subject): key for key, subject in targets.items() if subject is not None}
    done: set[Key] = set()
    for start in targets:
        trail: list[Key] = []
        stack: list[tuple[Key, int]] = [(start, 0)]
        while stack:
            key, depth = stack.pop()
            del trail[depth:]
            if key in trail:
                cycle = trail[trail.index(key) :]
                if not done.intersection(cycle):
                    path = " → ".join(group_name(name) for name in (*cycle, key))
                    case.fail(f"the names form a loop: {path}", targets[cycle[0]])
                done.update(cycle)
                continue
            subject = targets.get(key)
            if key in done or subject is None or id(subject) not in labels:
                continue
            trail.append(key)
            stack.extend((name, len(trail)) for name in names.keys(subject))
        done.update(trail)
