"""An expression is true for each card.

`message` is the finding; expressions in braces print their value for that card. With `items`, the
expression is tested for each `item` of a list. If there are no items, that is a finding, unless
`may_select_none: true`.

```yaml
rules:
  - id: fair-checks
    question: Can everybody pass and miss each check?
    kind: each
    where: check is defined
    items: cards('characters')
    holds: 3 <= check.at - item[check.stat] <= 12
    message: "{item.title} can't fail {check.stat}"
```
"""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.rules.case import NOTHING_HINT, Case, Reading, Traits, UnfitCardsError, show, wording
from cardgen.rules.pool import Subject, items_of, path_to

TRAITS = Traits(looks_at="component")


def judge(case: Case) -> None:
    selection = case.select()
    items = selection.optional("items")
    samples: list[object] = []
    if items is not None:
        for subject in selection:
            samples.extend(items_of(items.of(subject)))
    extra = {"item": samples} if items is not None else None
    holds = selection.reading("holds", extra=extra)
    message = wording(case, selection.sources, extra)
    wrong = tested = 0
    for subject in selection:
        things = [None] if items is None else items_of(items.of(subject))
        for thing in things:
            more = {} if items is None else {"item": thing}
            tested += 1
            if not holds.of(subject, **more):
                wrong += 1
                if message is not None:
                    what = message(lambda part: part.of(subject, **more))  # noqa: B023
                else:
                    what = holds.facts(subject, **more) or "the rule does not hold"
                which = "" if items is None else f" ({show(thing)})"
                place = () if items is None else _place(thing, items, subject)
                case.fail(f"“{subject.label}”: {what}{which}", subject, place or holds.place(subject))
    if not tested and not case.may_find_nothing:
        raise UnfitCardsError(
            f"the rule checks nothing: `items` is empty for every card of {selection.name}",
            ("items",),
            NOTHING_HINT,
        )
    case.measure("tested", tested, "cards" if items is None else "items")
    case.measure("wrong", wrong, "cards" if items is None else "items")


def _place(item: object, items: Reading, subject: Subject) -> tuple[str | int, ...]:
    """Return the place of an item that is part of a card; empty for another."""
    fields = (name for name in items.names if name in subject.fields and isinstance(item, Mapping))
    return next(((name, *path) for name in fields if (path := path_to(item, subject.fields[name]))), ())  # type: ignore[arg-type]
