"""Effects printed as the lines of a card, and read back from printed text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from cardgen.core.findings import Problem
from cardgen.core.game import Effect, Language, Phrase
from cardgen.core.records import dataclass, replace
from cardgen.game.effect_language import filled, read_effect, written
from cardgen.game.number_words import NumberWords
from cardgen.game.schema_file import shown
from cardgen.game.translation_slips import Comparison

INDENT = "  "
"""The indentation of one level in plain text."""

Role = Literal["keyword", "text", "or", "condition", "end"]
"""The kinds of a part: a keyword's own words, other words of an action, the words that join options,
a condition, the sign that ends the line."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a line in one type. `keyword` is the id of the phrase it belongs to, `icon` that
    phrase's icon; both are empty for joining words and signs."""

    text: str
    role: Role
    keyword: str = ""
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A printed line. `indent` is the number of conditions around it."""

    indent: int
    kind: Literal["plain", "choice", "conditional"]
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)


def print_effect(language: Language, effect: Effect) -> tuple[Line, ...]:
    """Return the lines of an effect that `read_effect` or `parse_effect` returned."""
    return tuple(_lines(language, effect, 0))


def effect_text(language: Language, effect: Effect) -> str:
    """Return the effect as plain text: a line a paragraph, two spaces for each level of indentation."""
    return "\n".join(INDENT * line.indent + line.text for line in print_effect(language, effect))


def effect_line(language: Language, effect: Effect) -> str:
    """Return the effect as one line of plain text. The part under a condition is put in brackets if it is
    ambiguous: `If it rains: (Hop 2; Croak;) Draw 1;`, but `Hop 2; If it rains: Croak;`. An effect in prose
    is its sentences."""
    if any(phrase.prose for phrase in language.keywords.values()):
        return effect_prose(language, effect)
    words: list[str] = []
    for place, paragraph in enumerate(effect):
        words.append(next(_lines(language, [paragraph], 0)).text)
        if "if" in paragraph:
            under = effect_line(language, paragraph["then"])
            plain = len(paragraph["then"]) == 1 and place == len(effect) - 1
            words.append(under if plain else f"({under})")
    return " ".join(words)


def effect_prose(language: Language, effect: Effect) -> str:
    """Return the effect as sentences of Markdown, each with a capital letter."""
    return " ".join(
        _FIRST_LETTER.sub(lambda found: found[0].upper(), sentence, count=1)
        for sentence in (_sentence(language, paragraph) for paragraph in effect)
    )


def _sentence(language: Language, paragraph: Mapping[str, Any]) -> str:
    lead = next(_lines(language, [paragraph], 0)).text
    first, *more = paragraph.get("then", [None])
    if first is None:
        return lead
    return " ".join(
        [f"{lead} {_sentence(language, first)}", *([effect_prose(language, more)] if more else [])]
    )


def effect_data(language: Language, effect: Effect) -> str:
    """Return the effect as data write it, in short forms: `hop 2; if rain: (croak)`."""
    parts = []
    for paragraph in effect:
        if "choose" in paragraph:
            options = (
                " and ".join(_written(language, each) for each in option) for option in paragraph["choose"]
            )
            parts.append(" or ".join(options))
        elif "if" in paragraph:
            test = paragraph["if"]
            then = effect_data(language, paragraph["then"])
            parts.append(f"if {written(language.conditions[test['test']], test)}: ({then})")
        else:
            parts.append(_written(language, paragraph))
    return "; ".join(parts)


def _written(language: Language, action: Mapping[str, Any]) -> str:
    return written(language.keywords[action["do"]], action)


_FIRST_LETTER = re.compile(r"^[*“„]*\w")


def wording_slips(language: Language, effect: Effect, own: str, numbers: NumberWords) -> list[str]:
    """Return how a card's own wording differs from its effect: numbers, and words of parameters. Numbers
    are those of the printed language."""
    lost, added = Comparison(numbers, numbers, {}).numbers(effect_prose(language, effect), own)
    found = [f"its own words don't say {value}, as its effect does" for value in sorted(lost)]
    found += [f"its own words say {value}, but its effect doesn't" for value in sorted(added)]
    folded = own.replace("*", "").casefold()
    for word in dict.fromkeys(_words(language, effect)):
        if word.replace("*", "").casefold() not in folded:
            found.append(f"its own words don't say “{word}”, as its effect does")
    return found


def phrases_of(effect: Effect) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the actions and conditions of an effect, each with the key of its id: `do` or `test`."""
    for paragraph in effect:
        if "if" in paragraph:
            yield "test", paragraph["if"]
            yield from phrases_of(paragraph["then"])
        for option in paragraph.get("choose", ()):
            yield from (("do", action) for action in option)
        if "do" in paragraph:
            yield "do", paragraph


def _words(language: Language, effect: Effect) -> Iterator[str]:
    """Yield the printed words of an effect's parameters."""
    for key, values in phrases_of(effect):
        phrase = (language.keywords if key == "do" else language.conditions)[values[key]]
        for name, parameter in phrase.parameters.items():
            if parameter.type == "word":
                yield parameter.words[values[name]]


def unused_phrases(language: Language, used: Iterable[tuple[str, Mapping[str, Any]]]) -> Iterator[Problem]:
    """Yield a warning for each phrase that no effect uses, and each bound of a number that none reaches."""
    numbers: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for key, values in used:
        numbers.setdefault((key, values[key]), []).append(values)
    for key, kind, phrases in (
        ("do", "keywords", language.keywords),
        ("test", "conditions", language.conditions),
    ):
        for phrase in phrases.values():
            said = numbers.get((key, phrase.id))
            if said is None:
                message, path = f"no card says '{phrase.id}'", (kind, phrase.id)
                yield Problem("effect/unused", message, "use it, or remove it", path=path)
                continue
            for name, parameter in phrase.parameters.items():
                values_of = [each[name] for each in said if parameter.type != "word"]
                for end, bound, reached in (
                    ("min", parameter.least, min(values_of, default=None)),
                    ("max", parameter.most, max(values_of, default=None)),
                ):
                    if bound is not None and reached is not None and bound != reached:
                        what = f"{name} of '{phrase.id}'"
                        message = f"no card says {bound} for {what}: the {end}imum is {reached}"
                        where = (kind, phrase.id, "parameters", name, end)
                        yield Problem("effect/bound", message, f"write {end}: {reached}", path=where)


def wrong_numbers(table: Mapping[str, Any], words: NumberWords) -> Iterator[Problem]:
    """Yield a warning for each number in a table's lists that is printed as the word for another."""
    phrases = [*table["keywords"].values(), *table.get("conditions", {}).values()]
    parameters = [each for phrase in phrases for each in phrase.get("parameters", {}).values()]
    for name in sorted({each["of"] for each in parameters if each["type"] != "word" and "of" in each}):
        for key, text in table["words"][name].items():
            meant = [figure.value for figure in words.find(text or "")]
            if meant and key not in meant:
                message = f"“{text}” is the word for {meant[0]}, not for {key}"
                yield Problem("effect/bound", message, "correct one of them", path=("words", name, key))


def _lines(language: Language, effect: Effect, indent: int) -> Iterator[Line]:
    signs = language.punctuation
    end = Part(signs.end, "end")
    for paragraph in effect:
        if "choose" in paragraph:
            first, second = (tuple(_actions(language, option)) for option in paragraph["choose"])
            parts = (*first, Part(f" {signs.either} ", "or"), *second, end)
            yield Line(indent, "choice", parts)
        elif "if" in paragraph:
            condition = paragraph["if"]
            phrase = language.conditions[condition["test"]]
            parts = (
                *(() if phrase.bare else (Part(f"{signs.condition} ", "condition"),)),
                *_phrase(language, phrase, condition, "condition"),
                Part(signs.then, "end"),
            )
            yield Line(indent, "conditional", parts)
            yield from _lines(language, paragraph["then"], indent + 1)
        else:
            yield Line(indent, "plain", (*_actions(language, [paragraph]), end))


def _actions(language: Language, actions: Iterable[Mapping[str, Any]]) -> Iterator[Part]:
    for place, action in enumerate(actions):
        if place:
            yield Part(f" {language.punctuation.both} ", "text")
        yield from _phrase(language, language.keywords[action["do"]], action, "text")


def _phrase(language: Language, phrase: Phrase, values: Mapping[str, Any], role: Role) -> list[Part]:
    """Return a phrase's parts; neighbors in the same type become one."""
    parts: list[Part] = []
    for text, strong in filled(phrase, values, language.punctuation):
        kind: Role = "keyword" if strong else role
        if parts and parts[-1].role == kind:
            text = parts.pop().text + text
        parts.append(Part(text, kind, phrase.id, phrase.icon))
    return parts


_SPACES = re.compile(" *")


@dataclass(slots=True)
class _Printed:
    """A line of text: its number from 0, its indent, and its content."""

    number: int
    indent: int
    text: str


def parse_effect(language: Language, text: str) -> tuple[list[dict[str, Any]], list[Problem]]:
    """Return the structure of a printed text, and its problems.

    A problem's path begins with the number of its line, from 0. Text that would not be printed exactly the
    same is a problem too: a plural, a sign, a space.
    """
    problems: list[Problem] = []
    lines: list[_Printed] = []
    for number, line in enumerate(text.split("\n")):
        spaces = len(_SPACES.match(line).group())  # type: ignore[union-attr]  # it matches nothing, too
        if spaces % len(INDENT):
            message = f"the line is indented by {spaces} spaces"
            problems.append(
                Problem("effect/indent", message, f"use {len(INDENT)} for each level", path=(number,))
            )
        lines.append(_Printed(number, spaces // len(INDENT), line[spaces:]))
    if problems:
        return [], problems
    values, numbers = _block(language, lines, 0, problems)
    if problems:
        return [], problems
    effect, found = read_effect(language, values)
    problems = [replace(problem, path=(_line_of(numbers, problem.path),)) for problem in found]
    if problems:
        return [], problems
    printed = effect_text(language, effect).split("\n")
    problems = [
        Problem(
            "effect/print",
            f"{shown(line)} differs from the printed form",
            f"write {shown(right)}",
            path=(number,),
        )
        for number, (line, right) in enumerate(zip(text.split("\n"), printed, strict=True))
        if line != right
    ]
    return (effect, []) if not problems else ([], problems)


Numbers = list[Any]
"""The line number of each paragraph: `(line, Numbers of the paragraphs under it)`."""


def _block(
    language: Language, lines: list[_Printed], indent: int, problems: list[Problem]
) -> tuple[list[Any], Numbers]:
    """Return the paragraphs that begin the lines at one indentation, as data to read, and remove these
    lines."""
    signs = language.punctuation
    bare = any(phrase.bare for phrase in language.conditions.values())
    values: list[Any] = []
    numbers: Numbers = []
    while lines and lines[0].indent >= indent:
        line = lines.pop(0)
        if line.indent > indent:
            message = "the line is indented, but there is no condition above it"
            problems.append(Problem("effect/indent", message, "remove the indent", path=(line.number,)))
            continue
        lead = f"{signs.condition} "
        led = line.text.startswith(lead) and line.text.endswith(signs.then)
        if led or (bare and line.text.endswith(signs.then) and not line.text.endswith(signs.end)):
            condition = line.text[len(lead) if led else 0 : len(line.text) - len(signs.then)]
            then, inner = _block(language, lines, indent + 1, problems)
            if not then:
                message = "nothing is indented under the condition"
                hint = f"indent the lines below it by {len(INDENT)} spaces"
                problems.append(Problem("effect/indent", message, hint, path=(line.number,)))
            values.append({"if": condition, "then": then})
            numbers.append((line.number, inner))
        elif line.text.endswith(signs.end):
            values.append(line.text[: len(line.text) - len(signs.end)])
            numbers.append((line.number, []))
        else:
            message = f"the line must end with {signs.end}, or with {signs.then} if it is a condition"
            problems.append(Problem("effect/end", message, path=(line.number,)))
    return values, numbers


def _line_of(numbers: Numbers, path: tuple[str | int, ...]) -> int:
    """Return the line of the paragraph at a path within an effect."""
    line = 0
    steps: Iterator[str | int] = iter(path)
    for step in steps:
        if not isinstance(step, int) or step >= len(numbers):
            break
        line, numbers = numbers[step]
        if next(steps, None) != "then":
            break
    return line
