"""A share of the cards lies within bounds: 0.25 is a quarter.

`part` chooses the cards, of the whole or of each group of `group_by`.

```yaml
rules:
  - id: black-hurts
    question: Does the black deck mostly hurt?
    kind: share
    component: market-black
    part: tag == 'hurt'
    min: 0.5
```
"""

from __future__ import annotations

from cardgen.rules.case import Case, Traits, grouped
from cardgen.rules.results import amount, percent

TRAITS = Traits(looks_at="component")


def judge(case: Case) -> None:
    bounds = case.bounds(share=True)
    selection = case.select()
    part = selection.reading("part")
    for group in grouped(case, selection).values():
        inside = [subject for subject in group.subjects if part.of(subject)]
        size = sum(case.weight(subject) for subject in inside)
        named = "group_by" in case.data
        of = f"of group “{group.name}”" if named else f"of {selection.name}"
        if not group.size:
            case.fail(f"the share can't be calculated: there are no cards {of}", None, ("groups",))
            continue
        share, whole = size / group.size, amount(group.size, case.counting)
        case.measure(
            group.name if named else "share",
            share,
            "",
            f"{size} of {whole}, {percent(share)}",
            bounds=bounds,
        )
        found = f"{size} of {whole} {of} {'matches' if size == 1 else 'match'}, {percent(share)}"
        case.hold("", share, bounds, ("part",), found=found, words=percent)
