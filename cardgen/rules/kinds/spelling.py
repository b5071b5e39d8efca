"""No word in print is a slip of the fingers for another.

A slip exchanges two neighboring letters or doubles one, as in “Gola” and “Goaal”. A word that is in the
texts once is wrong if it is such a slip for another word of them. It reads all texts that schemas mark
for translation, and the source of every book, in each language. `known` lists the words that are right.

```yaml
rules:
  - {id: spelling, question: Is every word spelled as elsewhere?, kind: spelling, known: [form, tied]}
```
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from cardgen.rules.case import Case, Failure, Traits
from cardgen.rules.printed_texts import Source, printed_texts
from cardgen.rules.results import counted

TRAITS = Traits(is_tried=False, reads_texts=True)
_WORD = re.compile(r"[^\W\d_]{4,}")
"""Shorter words have too many neighbors."""


def judge(case: Case) -> None:
    known = {word.lower() for word in case.data.get("known", ())}
    sources = printed_texts(case.pool.game)
    times: Counter[str] = Counter()
    places: dict[str, tuple[Source, int, int]] = {}
    for source in sources:
        case.pool.budget.step(1 + len(source.words) // 100)
        for match in _WORD.finditer(source.plain):
            word = match[0].lower()
            times[word] += 1
            places.setdefault(word, (source, *match.span()))
    for word, count in times.items():
        if count > 1 or word in known:
            continue
        case.pool.budget.step(1 + len(word) // 4)
        meant = next((each for each in _meant(word) if times[each] and each not in known), None)
        if meant is not None:
            source, start, end = places[word]
            message = f"“{source.words[start:end]}” is a slip for “{meant}”: {source.about(start, end)}"
            hint = f"correct it, or add it to `known` of {case.info.id} in {case.info.file}"
            place = source.place(case.pool.game, start)
            case.failures.append(Failure(message, None, (), hint, place=place))
    case.looked_at.append(counted(len(sources), "text"))
    case.measure("different words", len(times))


def _meant(word: str) -> Iterator[str]:
    """Yield the words that a slip may stand for."""
    for at in range(len(word) - 1):
        if word[at] == word[at + 1]:
            yield word[:at] + word[at + 1 :]
        else:
            yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
