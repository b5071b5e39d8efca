"""Numbers in a game's printed texts and books, their places, and the data that have the same value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from cardgen.core.findings import Findings, Fix, Location
from cardgen.core.game import Game, PrintedText
from cardgen.core.records import dataclass
from cardgen.files.reading import MARKDOWN
from cardgen.files.yaml import read_text
from cardgen.game.facts import read_number_words
from cardgen.game.number_words import Figure, NumberWords
from cardgen.game.sources import Sources

_UNPRINTED = re.compile(
    r"^[ \t>]*(?:\d{1,3}[.)](?=\s)|:::[^\n]*)"  # numbers of lists, the openings of figures
    r"|`[^`\n]*`"  # names of places and areas
    r"|@\d+(?:\.\d+)?(?=:)",  # sizes of icons
    re.MULTILINE,
)
_WORD = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"[^\W\d]\w*")
_END = re.compile(r"[.:;!?](?=\s)|\n\s*\n|[|]")
"""The end of a sentence or of a cell."""
_BEFORE, _AFTER = 4, 2
"""Words before and after a figure among which the name of a field speaks for it."""
_SHOWN = 26
"""Characters of the text that a finding quotes on each side of a figure."""


@dataclass(frozen=True, slots=True)
class Source:
    """A printed text: its address, such as `rulebook.md` or `cards.yaml: cards/fox/text`, and its words.
    `text` is the entry of a data file, None for a book."""

    address: str
    file: str
    words: str
    text: PrintedText | None

    def place(self, game: Game, at: int) -> Location:
        """Return the place of a character."""
        if self.text is not None:
            return game.locator.locate(self.file, self.text.path)
        line = self.words.count("\n", 0, at)
        return Location(self.file, line + 1, at - self.words.rfind("\n", 0, at))

    def about(self, figure: Figure) -> str:
        """Return the words around a figure."""
        before, after = self.words[: figure.start], self.words[figure.end :]
        left, right = " ".join(before[-2 * _SHOWN :].split()), " ".join(after[: 2 * _SHOWN].split())
        left = f"{left} " if left and before[-1:].isspace() else left
        right = f" {right}" if right and after[:1].isspace() else right
        left = left if len(before) <= _SHOWN else f"…{left[-_SHOWN:]}"
        right = right if len(right) <= _SHOWN else f"{right[:_SHOWN]}…"
        return f"{left}{self.words[figure.start : figure.end]}{right}".strip()


class PrintedFigures:
    """The printed texts of a game in its own language, and the numbers in them."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.number_words: NumberWords = read_number_words(Sources(game.paths, Findings()), game.language)
        self.sources = [Source(text.address, text.file, text.words, text) for text in game.locator.texts()]
        self.sources += _books(game)

    def of(self, source: Source) -> list[Figure]:
        """Return the numbers of a text, without digits within a word and those that only its layout
        reads."""
        words = _UNPRINTED.sub(lambda match: " " * len(match[0]), source.words)
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


def _books(game: Game) -> Iterator[Source]:
    """Yield the game's books; one that can't be read is skipped, since laying it out reports that."""
    for component in game.components:
        path = None if component.book is None else game.paths.find(component.book.file)
        if component.book is None or path is None:
            continue
        file = component.book.file
        text = read_text(path, file, Findings(), MARKDOWN, within=game.paths.roots)
        if text is not None:
            yield Source(file.removeprefix(f"data/{game.id}/"), file, text.replace("\r\n", "\n"), None)
