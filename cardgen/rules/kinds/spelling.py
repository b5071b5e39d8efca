"""No word in print is a slip of the fingers for another.

A slip exchanges two neighboring letters or doubles one, as in “Gola” and “Goaal”. A word that is in the
texts once is wrong if it is such a slip for another word of them, or is in no dictionary and such a slip
for a word that is. There are dictionaries of English, German, French, Spanish, Italian, Portuguese, Dutch
and others. It reads all texts that schemas mark for translation, the words of templates in translations,
and the source of every book, in each language. `known` lists the words that are right.

```yaml
rules:
  - {id: spelling, question: Is every word spelled as elsewhere?, kind: spelling, known: [form, tied]}
```
"""

from __future__ import annotations

import pkgutil
import re
import zlib
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
    once = [word for word, count in times.items() if count == 1 and word not in known]
    asked = {each for word in once for each in (word, *_meant(word))}
    listed = _listed(asked, case.pool.game.language.partition("-")[0].lower())
    for word in once:
        case.pool.budget.step(1 + len(word) // 4)
        slips = (each for each in _meant(word) if times[each] or (word not in listed and each in listed))
        meant = next((each for each in slips if each not in known), None)
        if meant is not None:
            source, start, end = places[word]
            message = f"“{source.words[start:end]}” is a slip for “{meant}”: {source.about(start, end)}"
            hint = f"correct it, or add it to `known` of {case.info.id} in {case.info.file}"
            place = source.place(case.pool.game, start)
            case.failures.append(Failure(message, None, (), hint, place=place))
    case.looked_at.append(counted(len(sources), "text"))
    case.measure("different words", len(times))


def _listed(words: set[str], language: str) -> set[str]:
    """Return those of some words that are in a language's dictionary; none without one. Only its list is
    read: the library's own class counts letters, too, which takes many times as long."""
    import spellchecker

    try:
        packed = pkgutil.get_data(spellchecker.__name__, f"resources/{language}.json.gz")
    except FileNotFoundError:
        return set()
    text = zlib.decompress(packed or b"", wbits=zlib.MAX_WBITS | 16).decode("utf-8")
    return words.intersection(text.split('"')[1::2])


def _meant(word: str) -> Iterator[str]:
    """Yield the words that a slip may stand for."""
    for at in range(len(word) - 1):
        if word[at] == word[at + 1]:
            yield word[:at] + word[at + 1 :]
        else:
            yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
