"""Effects as the lines of a card, in the game's own wording and punctuation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from cardgen.effects.wordings import filled
from cardgen.model.effects import Effect, Language, Phrase

INDENT = "  "
"""What a level of indentation is in plain text."""

Role = Literal["keyword", "text", "or", "condition", "end"]
"""What a part is: a keyword's own words, other words of an action, the words that join options,
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
    """A printed line. `indent` is how many conditions it stands under."""

    indent: int
    kind: Literal["plain", "choice", "conditional"]
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)


def print_effect(language: Language, effect: Effect) -> tuple[Line, ...]:
    """The lines of an effect that `read_effect` or `parse_effect` gave."""
    return tuple(_lines(language, effect, 0))


def effect_text(language: Language, effect: Effect) -> str:
    """The effect as plain text: a line a paragraph, two spaces for each level of indentation."""
    return "\n".join(INDENT * line.indent + line.text for line in print_effect(language, effect))


def effect_line(language: Language, effect: Effect) -> str:
    """The effect as one line of plain text. What stands under a condition is put in brackets where it
    could be read otherwise: `If it rains: (Hop 2; Croak;) Draw 1;`, but `Hop 2; If it rains: Croak;`."""
    words: list[str] = []
    for place, paragraph in enumerate(effect):
        words.append(next(_lines(language, [paragraph], 0)).text)
        if "if" in paragraph:
            under = effect_line(language, paragraph["then"])
            plain = len(paragraph["then"]) == 1 and place == len(effect) - 1
            words.append(under if plain else f"({under})")
    return " ".join(words)


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
    """A phrase's parts; neighbours in the same type become one."""
    parts: list[Part] = []
    for text, strong in filled(phrase, values, language.punctuation):
        kind: Role = "keyword" if strong else role
        if parts and parts[-1].role == kind:
            text = parts.pop().text + text
        parts.append(Part(text, kind, phrase.id, phrase.icon))
    return parts
