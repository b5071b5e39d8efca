"""Find numbers in text: digits, and the number words of its language.

The words of a language are data: `data/languages/LANGUAGE.yaml`, which `facts.read_number_words` reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from cardgen.core.records import dataclass

_DIGITS = re.compile(r"(?:(?<![\w)\]:])[-−])?\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_PARTS = re.compile(r"[^\W\d_]+")
_MARKUP = re.compile(
    r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}"  # expressions, statements and comments
    r"|\]\([^)\n]*\)|<[^<>\n]*>"  # addresses of links, elements
    r"|:[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?=[:@# ])(?=[^:\n]{0,60}:)"  # names of icons, without their labels
    r"|(?<!\{)\{[A-Za-z_]\w*(?=[:}])",  # names of values
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in a text, from `start` to `end`: its plain `value`, such as "-2" or "1.5". It `is_clear`
    unless the word means a number only sometimes."""

    value: str
    start: int
    end: int
    is_clear: bool
    is_word: bool


class NumberWords:
    """The number words of a language, by the word in lower case: the value, and True if it is clear."""

    def __init__(self, words: Mapping[str, tuple[int, bool]]) -> None:
        self._words = words

    def word(self, value: int) -> str:
        """Return the first word of a value, or else its digits."""
        named = [word for word, (number, _) in self._words.items() if number == value]
        return next((word for word in named if self._words[word][1]), named[0] if named else str(value))

    def find(self, text: str) -> list[Figure]:
        """Return the numbers of a text in their order, without those in its markup."""
        return sorted(self._find(without_markup(text)), key=lambda figure: figure.start)

    def _find(self, text: str) -> Iterator[Figure]:
        for match in _DIGITS.finditer(text):
            value = match[0].replace("−", "-").replace(",", ".")
            yield Figure(value, match.start(), match.end(), True, False)
        for match in _WORD.finditer(text):
            whole = self._words.get(match[0].lower())
            parts = [match] if whole is not None else _PARTS.finditer(text, match.start(), match.end())
            for part in parts:
                if (known := self._words.get(part[0].lower())) is not None:
                    number, is_clear = known
                    yield Figure(str(number), part.start(), part.end(), is_clear, True)


def without_markup(text: str) -> str:
    """Return a text with spaces for expressions, addresses and the names of icons."""
    return _MARKUP.sub(lambda match: " " * len(match[0]), text)


def words_of(data: Mapping[str, Any]) -> dict[str, tuple[int, bool]]:
    """Return the words in a language's file, as NumberWords takes them."""
    words: dict[str, tuple[int, bool]] = {}
    first: dict[int, str] = {}
    for entry in data["numbers"]:
        value = int(entry["value"])
        if entry["words"]:
            first.setdefault(value, entry["words"][0])
        words |= {each.lower(): (value, False) for each in entry["unclear"]}
        words |= {each.lower(): (value, True) for each in entry["words"]}
    ones = {value: first[value] for value in range(1, 10) if value in first}
    ones |= {int(value): word for value, word in data["ones"].items()}
    for pattern in data["compounds"]:
        for tens in range(20, 100, 10):
            for value, word in ones.items() if tens in first else ():
                text = pattern.replace("{tens}", first[tens]).replace("{ones}", word)
                words.setdefault(text.lower(), (tens + value, True))
    return words
