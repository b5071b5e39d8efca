"""Each group is larger (or smaller) than the one before.

`direction: falling` means smaller; `strict: false` allows equal ones. A listed group without a card is
a finding.

```yaml
rules:
  - {id: rise, question: Do the codes rise?, kind: ladder, group_by: code, groups: [A, B, C]}
```
"""

from __future__ import annotations

from itertools import pairwise

from cardgen.rules.case import Case, Traits, grouped
from cardgen.rules.results import Histogram, amount, number

TRAITS = Traits(looks_at="component")


def judge(case: Case) -> None:
    selection = case.select()
    falling = case.data.get("direction") == "falling"
    strict = case.data.get("strict", True)
    steps = [group for group in grouped(case, selection).values() if group.listed]
    for group in steps:
        case.measure(group.name, group.size, case.counting)
    for index, group in enumerate(steps):
        if not group.size:  # 0 could look like the end of a ladder, and a misspelled group like a step
            case.fail(f"no card is in group “{group.name}”", None, ("groups", index))
    for index, (low, high) in enumerate(pairwise(steps)):
        if not low.size or not high.size:
            continue
        rise = low.size - high.size if falling else high.size - low.size
        if rise < 0 or (strict and rise == 0):
            wanted = f"{'fewer' if falling else 'more'}{'' if strict else ', or as many'}"
            case.fail(
                f"group “{high.name}” has {amount(high.size, case.counting)} and group "
                f"“{low.name}” has {number(low.size)}: it should have {wanted}",
                None,
                ("groups", index + 1),
                off=int(strict) - rise,
            )
    bins = tuple((group.name, group.size) for group in steps)
    case.histograms.append(Histogram(f"{case.counting} by {case.data['group_by']}", bins, False))
