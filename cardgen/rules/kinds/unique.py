"""No two cards have the same value.

With `group_by`, cards are compared within their group.

```yaml
rules:
  - {id: titles, question: Is every title used once?, kind: unique, value: title}
```
"""

from __future__ import annotations

from typing import Any

from cardgen.rules.case import Case, Traits, grouped, show
from cardgen.rules.pool import Subject

TRAITS = Traits(looks_at="component")


def judge(case: Case) -> None:
    selection = case.select()
    value = selection.reading("value")
    groups = grouped(case, selection)
    twice = 0
    for group in groups.values():
        first: dict[Any, Subject] = {}
        for subject in group.subjects:
            found = _frozen(value.of(subject))
            path = value.place(subject)
            within = "" if group.key is None else f" in group “{group.key}”"
            if found is None:
                case.fail(
                    f"“{subject.label}”: {value.title} is missing, so it is not unique", subject, path
                )
            elif found in first:
                other = first[found]
                twice += 1
                both = f"“{subject.label}” and on “{other.label}”"
                cards = "two cards" if subject.label == other.label else both
                text = f"{value.title} is {show(found)} on {cards}{within}"
                case.fail(text, subject, path, f"the other card is {other.address}")
            elif case.data.get("counting") == "copies" and subject.copies > 1:
                twice += 1
                case.fail(f"“{subject.label}” is printed {subject.copies} times", subject, ("copies",))
            first.setdefault(found, subject)
    case.measure("cards", len(selection), "cards")
    case.measure("repeated", twice, "cards")


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple(
            (key, _frozen(item)) for key, item in sorted(value.items(), key=lambda item: str(item[0]))
        )
    if isinstance(value, (list, tuple)):
        return tuple(_frozen(item) for item in value)
    return None if value == None else value  # noqa: E711 (an absent field equals none)
