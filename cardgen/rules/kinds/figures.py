r"""Every number in print is quoted from data, or stated once.

It reads all texts that schemas mark for translation, and the source of every book. A number within `{{ …
}}` is quoted. Any other is typed by hand, and `stated` must name its words: with `equal`, one value or a
list in the order of the text, they must say what the data say; with `why`, they are free. `in` is an
address such as `cards.yaml: cards/*/flavor`, or a book. Without `text`, all numbers of these texts are
stated.

`strict` is `digits`, `words` (also "three" and "third", the default), or `all` (also words such as
"one"). If a number has the value of a field that is named beside it, the finding proposes the field, and
`cardgen check GAME --fix` writes it into a book, as `{{ tables.design.limits.hand }}`, or for a word as
`{{ tables.design.limits.hand|in_words }}`.

```yaml
rules:
  - id: figures
    question: Is every number in print quoted or stated?
    kind: figures
    stated:
      - {text: two ways, why: A figure of speech.}
      - {text: 3 stacks of 7, equal: '[tables.design.limits.stacks, tables.design.limits.stack]'}
      - {in: 'cards.yaml: cards/*/flavor', why: Jokes.}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from cardgen.core.game import fits
from cardgen.core.records import dataclass, field
from cardgen.game.number_words import Figure
from cardgen.rules.case import BrokenRuleError, Case, Failure, Path, Traits, is_number, show
from cardgen.rules.pool import items_of
from cardgen.rules.printed_figures import PrintedFigures
from cardgen.rules.printed_texts import Source
from cardgen.rules.results import counted, number

TRAITS = Traits(lists_words=True, is_tried=False, reads_texts=True)
_MOST_PROPOSED = 2
_GAP = r"\s+(?:>\s*)?"
"""The space between two words, maybe at the end of a quoted line."""


@dataclass(slots=True)
class Statement:
    """An entry of `stated`: where it applies, and the values that its words must have, None if any."""

    path: Path
    place: str
    words: re.Pattern[str] | None
    first: str
    """The first of these words, without which a text needs no search."""
    shown: str
    values: list[float] | None
    covered: int = field(default=0)

    def applies(self, source: Source) -> bool:
        return fits(source.address, self.place)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the parts of a text that it is about."""
        if self.words is None:
            yield 0, len(text)
        elif self.first in text:
            for match in self.words.finditer(text):
                yield match.span()


def judge(case: Case) -> None:
    found = PrintedFigures(case.pool.game)
    strict = case.data.get("strict", "words")
    stated = [_statement(case, index) for index in range(len(case.data.get("stated", ())))]
    figures = loose = 0
    for source in found.sources:
        case.pool.budget.step(1 + len(source.words) // 100)
        of_text = found.of(source)
        covered: set[int] = set()
        for statement in stated if of_text else ():
            if statement.applies(source):
                _hold(case, statement, source, of_text, covered)
        for figure in of_text:
            if figure.is_word and (strict == "digits" or (strict == "words" and not figure.is_clear)):
                continue
            figures += 1
            if figure.start not in covered:
                loose += 1
                case.failures.append(_loose(case, found, source, figure))
    for statement in stated:
        if not statement.covered:
            case.fail(
                f"no printed number is in {statement.shown}", None, statement.path, "remove the entry"
            )
    case.looked_at.append(counted(len(found.sources), "text"))
    case.measure("numbers outside of quotations", figures)
    case.measure("stated", figures - loose)
    case.measure("loose", loose)


def _statement(case: Case, index: int) -> Statement:
    path: Path = ("stated", index)
    data: Mapping[str, Any] = case.data["stated"][index]
    values = None
    if "equal" in data:
        place = (*path, "equal")
        values = items_of(case.compile(data["equal"], place).work_out({}))
        for value in values:
            if not is_number(value):
                raise BrokenRuleError(f"{show(value)} is no number", place)
    text = data.get("text")
    words, first = None, ""
    if text is not None:
        first = text.split()[0]
        pattern = _GAP.join(map(re.escape, text.split()))
        words = re.compile(rf"(?<!\w){pattern}(?!\w)" if text[-1].isalnum() else rf"(?<!\w){pattern}")
    shown = f"“{text}”" if text is not None else f"the texts {data['in']}"
    return Statement(path, data.get("in", "*"), words, first, shown, values)


def _hold(
    case: Case, statement: Statement, source: Source, figures: list[Figure], covered: set[int]
) -> None:
    """Hold the numbers that a statement is about to its values, and note them as covered."""
    for start, end in statement.spans(source.words):
        here = [figure for figure in figures if start <= figure.start < end]
        if statement.values is not None:
            # Words such as "one" count if the statement has a value for them.
            clear = [figure for figure in here if figure.is_clear]
            here = here if len(clear) != len(statement.values) else clear
        covered.update(figure.start for figure in here)
        statement.covered += len(here)
        if statement.values is None or not here:
            continue
        wanted = [number(value) for value in statement.values]
        said = [figure.value for figure in here]
        if [value.lstrip("0") or "0" for value in said] != wanted:
            about, first = source.about(here[0].start, here[0].end), here[0].start
            message = f"“{about}” says {', '.join(said)}; the data say {', '.join(wanted)}"
            place = source.place(case.pool.game, first)
            hint = f"correct the text, or {case.info.id}'s `equal` in {case.info.file}"
            case.failures.append(Failure(message, None, statement.path, hint, place=place))


def _loose(case: Case, found: PrintedFigures, source: Source, figure: Figure) -> Failure:
    about = source.about(figure.start, figure.end)
    message = f"the number {figure.value} in “{about}” is typed by hand"
    references = found.references(source, figure)[:_MOST_PROPOSED] if case.hints else []
    fix = found.fix(source, figure, references[0]) if len(references) == 1 else None
    if fix is not None:
        game = case.pool.game.id
        hint = f"write {fix.new}: cardgen check {game} --fix; or state it in {case.info.file}, with why"
    elif references:
        hint = f"state it in {case.info.file}: {{text: …, equal: {' or '.join(references)}}}, or with why"
    else:
        hint = f"quote a field, or state it in {case.info.file}: {{text: …, why: …}}"
    place = source.place(case.pool.game, figure.start)
    return Failure(message, None, (), hint, place=place, fix=fix)
