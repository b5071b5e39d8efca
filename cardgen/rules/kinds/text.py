r"""Texts match patterns, and a glossary defines their keywords.

Every text `must` match, or `must_not`. Every keyword is defined, and used (unless `unused: allowed`).

```yaml
rules:
  - id: keywords
    question: Is every keyword explained?
    kind: text
    value: text
    must_not: ['TODO', ' $']
    keywords: {pattern: '\*\*(.+?)\*\*', glossary: {table: keywords.keywords, values: word}}
```
"""

from __future__ import annotations

from cardgen.rules.case import BrokenRuleError, Case, Reading, Traits, group_name, show
from cardgen.rules.expressions import PatternError, compiled, find_all, matches
from cardgen.rules.pool import Subject, items_of, meant

TRAITS = Traits(looks_at="component", is_tried=False)


def judge(case: Case) -> None:
    selection = case.select()
    value = selection.reading("value")
    texts = [(subject, _texts(case, value, subject)) for subject in selection]
    ignore_case = case.data.get("ignore_case", False)
    step = case.pool.budget.step
    for name, wanted in (("must", True), ("must_not", False)):
        for pattern in _patterns(case, name, ignore_case):
            for subject, found in texts:
                if any(matches(text, pattern, ignore_case, step) for text in found) is not wanted:
                    what = "lacks" if wanted else "has"
                    text = f"the text of “{subject.label}” {what} “{pattern}”"
                    case.fail(text, subject, value.place(subject))
    case.measure("texts", sum(len(found) for _, found in texts))
    if "keywords" in case.data:
        _keywords(case, value, texts, ignore_case)


def _texts(case: Case, value: Reading, subject: Subject) -> list[str]:
    texts = items_of(value.of(subject))
    for text in texts:
        if not isinstance(text, str):
            raise BrokenRuleError(
                f"{value.title} is {show(text)}, which is not text", ("value",), None, subject
            )
    return texts


def _patterns(case: Case, name: str, ignore_case: bool) -> list[str]:
    given = case.texts((name,))
    for pattern, place in given:
        _check_readable(pattern, place, ignore_case)
    return [pattern for pattern, _ in given]


def _check_readable(pattern: str, path: tuple[str | int, ...], ignore_case: bool) -> None:
    try:
        compiled(pattern, ignore_case)
    except PatternError as error:
        raise BrokenRuleError(f"the pattern “{pattern[:60]}” can't be read: {error}", path) from None


def _keywords(
    case: Case, value: Reading, texts: list[tuple[Subject, list[str]]], ignore_case: bool
) -> None:
    pattern = case.data["keywords"]["pattern"]
    _check_readable(pattern, ("keywords", "pattern"), ignore_case)
    glossary = _glossary(case)
    used: set[str] = set()
    for subject, found in texts:
        for text in found:
            for word in dict.fromkeys(find_all(text, pattern, ignore_case, case.pool.budget.step)):
                key = word.lower() if ignore_case else word
                used.add(key)
                if key not in glossary:
                    message = f"“{subject.label}” uses the keyword “{word}”, which is not defined"
                    case.fail(message, subject, value.place(subject), meant(key, glossary))
    if not used:
        raise BrokenRuleError("no text has a keyword", ("keywords", "pattern"))
    if case.data["keywords"].get("unused") != "allowed":
        for index, (key, owner) in enumerate(glossary.items()):
            if key not in used:
                place = () if owner else ("keywords", "glossary", "list", index)
                case.fail(f"the keyword “{key}” is defined, but no card uses it", owner, place)
    case.measure("keywords defined", len(glossary))
    case.measure("keywords used", len(used & set(glossary)))


def _glossary(case: Case) -> dict[str, Subject | None]:
    path = ("keywords", "glossary")
    lower = case.data.get("ignore_case", False)
    listed = case.parameter((*path, "list"))
    if listed is not None:
        return {(str(word).lower() if lower else str(word)): None for word in listed}
    selection = case.select(*path)
    values = selection.reading(*path, "values")
    words: dict[str, Subject | None] = {}
    for subject in selection:
        for word in items_of(values.of(subject)):
            name = word if isinstance(word, str) else group_name(word)
            words.setdefault(name.lower() if lower else name, subject)
    return words
