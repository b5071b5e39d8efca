"""each: an expression holds for each card, or for each of several items on each card."""

from __future__ import annotations

from cardgen.checking.case import Case, show
from cardgen.checking.subjects import items_of


def judge(case: Case) -> None:
    selection = case.select()
    items = case.optional("items", sources=selection.sources)
    samples: list[object] = []
    if items is not None:
        for subject in selection:
            samples.extend(items_of(case.value(items, subject, ("items",))))
    extra = {"item": samples} if items is not None else None
    holds = case.expression("holds", sources=selection.sources, extra=extra)
    wrong = tested = 0
    for subject in selection:
        things = [None] if items is None else items_of(case.value(items, subject, ("items",)))
        for thing in things:
            more = {} if items is None else {"item": thing}
            tested += 1
            if not case.value(holds, subject, ("holds",), **more):
                wrong += 1
                what = case.data.get("message") or f"`{holds.source}` does not hold"
                which = "" if items is None else f" ({show(thing)})"
                case.fail(f"“{subject.label}”: {what}{which}", subject, case.field_of(holds, subject))
    case.measure("tested", tested, "cards" if items is None else "items")
    case.measure("wrong", wrong, "cards" if items is None else "items")
