"""Two statements agree on each card: where one is true, so is the other.

With `one_way: true`, only the first implies the second.

```yaml
rules:
  - id: symbols
    question: Do symbols and fields agree?
    kind: agrees
    pairs: [{this: "'key' in symbols", that: requirement is defined}]
```
"""

from __future__ import annotations

from cardgen.rules.case import Case, Reading
from cardgen.rules.pool import Subject


def judge(case: Case) -> None:
    selection = case.select()
    for index, pair in enumerate(case.data["pairs"]):
        this = selection.reading("pairs", index, "this")
        that = selection.reading("pairs", index, "that")
        one_way = pair.get("one_way", False)
        both = only_this = only_that = 0
        for subject in selection:
            left = bool(this.of(subject))
            right = bool(that.of(subject))
            both += left and right
            if left and not right:
                only_this += 1
                path = that.place(subject) or this.place(subject)
                case.fail(_disagreement(subject, this, that), subject, path)
            elif right and not left and not one_way:
                only_that += 1
                path = this.place(subject) or that.place(subject)
                case.fail(_disagreement(subject, that, this), subject, path)
        if not both and not only_this and not only_that:
            case.fail(
                f"neither of the two is true for any card of {selection.name}, so the pair tests nothing",
                None,
                ("pairs", index),
            )
        case.measure(f"{this.source} and {that.source}", both, "cards")


def _disagreement(subject: Subject, true: Reading, false: Reading) -> str:
    """Return the message for a card with one statement true and the other not."""
    facts = ", ".join(dict.fromkeys(filter(None, (true.facts(subject), false.facts(subject)))))
    return f"“{subject.label}”: only one of the two is true{facts and f' ({facts})'}"
