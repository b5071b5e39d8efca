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

from cardgen.rules.case import Case, Traits, group_name, grouped
from cardgen.rules.results import amount, percent

TRAITS = Traits(looks_at="component")


def judge(case: Case) -> None:
    bounds = case.bounds(share=True)
    selection = case.select()
    part = case.expression("part", sources=selection.sources)
    for key, group in grouped(case, selection).items():
        inside = [subject for subject in group.subjects if case.value(part, subject, ("part",))]
        size = sum(case.weight(subject) for subject in inside)
        of = f"of group “{group_name(key)}”" if "group_by" in case.data else f"of {selection.name}"
        name = group_name(key) if "group_by" in case.data else "share"
        if not group.size:
            case.fail(f"there are no cards {of} to take a share of", None, ("groups",))
            continue
        share, whole = size / group.size, amount(group.size, case.counting)
        case.measure(name, share, "", f"{size} of {whole}, {percent(share)}", bounds=bounds)
        if bounds.stated and share not in bounds:
            case.fail(
                f"{size} of {whole} {of} {'is' if size == 1 else 'are'} `{part.source}`, {percent(share)}; "
                f"it should be {bounds.said(percent)}",
                None,
                ("part",),
                off=bounds.distance(share),
            )
