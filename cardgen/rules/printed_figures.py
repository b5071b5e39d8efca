"""Numbers in a game's printed texts and books, their places, and the data that have the same value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from cardgen.core.findings import Findings, Fix
from cardgen.core.game import Game
from cardgen.game.facts import read_number_words
from cardgen.game.number_words import Figure, NumberWords
from cardgen.game.sources import Sources
from cardgen.rules.printed_texts import Source, printed_texts

_WORD = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"[^\W\d]\w*")
_END = re.compile(r"[.:;!?](?=\s)|\n\s*\n|[|]")
"""The end of a sentence or of a cell."""
_BEFORE, _AFTER = 4, 2
"""Words before and after a figure among which the name of a field speaks for it."""


class PrintedFigures:
    """The printed texts of a game in its own language, and the numbers in them."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.number_words: NumberWords = read_number_words(Sources(game.paths, Findings()), game.language)
        self.sources = printed_texts(game)

    def of(self, source: Source) -> list[Figure]:
        """Return the numbers of a text, without digits within a word and those that only its layout
        reads."""
        words = source.plain
        return [
            figure
            for figure in self.number_words.find(words)
            if figure.is_word or not (_is_letter(words, figure.start - 1) and _is_letter(words, figure.end))
        ]

    def fix(self, source: Source, figure: Figure, reference: str) -> Fix | None:
        """Return the edit that quotes data in a book in place of a figure; None if it would print anything
        else."""
        written = source.words[figure.start : figure.end]
        quoted = reference
        if figure.is_word:
            word = self.number_words.word(int(figure.value))
            if written not in (word, word.capitalize()):
                return None
            quoted += "|in_words" if written == word else "|in_words|capitalize"
        elif written != figure.value:
            return None
        place = source.place(self._game, figure.start)
        if source.text is not None or place.line is None or place.column is None:
            return None
        return Fix(source.file, place.line, place.column, written, f"{{{{ {quoted} }}}}")

    def references(self, source: Source, figure: Figure) -> list[str]:
        """Return expressions for data of the figure's value that are named in its sentence: those of a book
        as it writes them, others as rules do. The nearest is first."""
        before = _END.split(source.words[: figure.start])[-1]
        after = _END.split(source.words[figure.end :], maxsplit=1)[0]
        following = list(enumerate(map(str.lower, _WORD.findall(after)[:_AFTER])))
        leading = enumerate(map(str.lower, reversed(_WORD.findall(before)[-_BEFORE:])))
        words = sorted([*following, *leading])
        found = []
        for in_book, in_rule, names, value in self._values:
            if str(value) == figure.value:
                said = following if in_book.startswith("components") else words  # as in "54 cards"
                far = next((far for far, word in said if any(_is_form(word, name) for name in names)), None)
                if far is not None:
                    found.append((far, in_book if source.text is None else in_rule))
        return [reference for _, reference in sorted(found)]

    @cached_property
    def _values(self) -> list[tuple[str, str, list[str], int]]:
        """The numbers in a game's tables and the counts of its components: their expressions in books and
        in rules, and the words of their names."""
        found = []
        for component in (each for each in self._game.components if each.kind not in ("box", "book")):
            copies = sum(card.copies for card in component.cards)
            names = [component.id, *_WORD.findall(component.title.lower())[-1:]]
            name, id = _member("components", component.id), component.id
            found.append((f"{name}.copies", f"copies_in({id!r})", names, copies))
            if len(component.cards) != copies:
                found.append((f"{name}.count", f"cards({id!r})|length", names, len(component.cards)))
        for stem, table in self._game.tables.items():
            for reference, key, value in _numbers(table, _member("tables", stem), stem):
                found.append((reference, reference, _WORD.findall(key.lower().replace("_", " ")), value))
        return found


def _numbers(value: Any, reference: str, key: str) -> Iterator[tuple[str, str, int]]:
    """Yield the numbers below a mapping, but those of lists of entries, which have no names."""
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from _numbers(each, _member(reference, str(name)), str(name))
    elif isinstance(value, (list, tuple)) and all(isinstance(each, Mapping) for each in value):
        yield f"{reference}|length", key, len(value)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield reference, key, value


def _member(reference: str, name: str) -> str:
    return f"{reference}.{name}" if _NAME.fullmatch(name) else f"{reference}[{name!r}]"


def _is_form(word: str, name: str) -> bool:
    """Return True if two words are the same, or the singular and plural of one."""
    short, long = sorted((word, name), key=len)
    return long.startswith(short) and len(long) - len(short) <= (2 if len(short) > 2 else 0)


def _is_letter(text: str, at: int) -> bool:
    return 0 <= at < len(text) and text[at].isalpha()
