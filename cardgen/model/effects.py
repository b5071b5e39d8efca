"""The language of a game's effects: what its keyword table says, made ready to use.

An effect itself is plain data, the same in cards, templates and rules: a list of paragraphs, each

- an action `{do: KEYWORD, …}` with its parameters beside `do`,
- a choice `{choose: [[action, …], [action, …]]}` of two options, or
- a condition `{if: {test: CONDITION, …}, then: [paragraph, …]}`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Paragraph = Mapping[str, Any]
Effect = Sequence[Paragraph]
ParameterType = Literal["number", "change", "word"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a phrase leaves open: a whole number, a change (a number with its sign, never 0) or a word.

    `least` and `most` bound numbers; `unit` names what is counted, for messages; `words` maps each
    word as data writes it to how it is printed.
    """

    name: str
    type: ParameterType
    least: int | None = None
    most: int | None = None
    unit: str = ""
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a wording: text, or a parameter's value, or the one of two `forms` that a number asks
    for (first for 1 and -1). `strong` is set in the type of keywords."""

    text: str = ""
    parameter: str | None = None
    forms: tuple[str, str] | None = None
    strong: bool = False


Wording = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A keyword or a condition: its printed wording and the short forms that data may write.

    `only` are the ids of the components whose effects may use it, empty for all. A `bare` condition
    is printed without the word that begins conditions: `Pay 2:` where others say `If you are rich:`.
    """

    id: str
    title: str
    wording: Wording
    shorts: tuple[Wording, ...]
    parameters: Mapping[str, Parameter]
    icon: str = ""
    only: tuple[str, ...] = ()
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Punctuation:
    """The signs and words between phrases: `+1 Money or Draw 2 cards;`, `If you are rich:`."""

    end: str = ";"
    either: str = "or"
    both: str = "and"
    condition: str = "If"
    then: str = ":"
    minus: str = "−"


@dataclass(frozen=True, slots=True)
class Language:
    """All that reading and printing effects needs to know about a game."""

    keywords: Mapping[str, Phrase]
    conditions: Mapping[str, Phrase]
    punctuation: Punctuation = Punctuation()


@dataclass(frozen=True, slots=True)
class Effects:
    """A game's language, and the fields of its cards that hold effects. Data are written in the source's
    words, which differ where the game is translated."""

    language: Language
    fields: tuple[str, ...]
    source: Language | None = None

    @property
    def read_in(self) -> Language:
        """The language that data are written in."""
        return self.source or self.language

    def of(self, values: Mapping[str, Any]) -> Iterator[str]:
        """The fields of a card that hold an effect."""
        return (name for name in self.fields if name in values)
