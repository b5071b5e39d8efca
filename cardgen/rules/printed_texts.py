"""A game's printed texts: those that schemas mark for translation, and the sources of its books."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cardgen.core.findings import Findings, Location
from cardgen.core.game import Game, PrintedText
from cardgen.core.records import dataclass
from cardgen.files.reading import MARKDOWN
from cardgen.files.yaml import read_text
from cardgen.game.number_words import without_markup

_UNPRINTED = re.compile(
    r"^[ \t>]*(?:\d{1,3}[.)](?=\s)|:::[^\n]*)"  # numbers of lists, the openings of figures
    r"|`[^`\n]*`"  # names of places and areas
    r"|@\d+(?:\.\d+)?(?=:)",  # sizes of icons
    re.MULTILINE,
)
_SHOWN = 26
"""Characters of the text that a finding quotes on each side of a figure."""


@dataclass(frozen=True, slots=True)
class Source:
    """A printed text: its address, such as `rulebook.md` or `cards.yaml: cards/fox/text`, and its words.
    `text` is the entry of a data file, None for a book; `line` that of a template's words in a
    translation."""

    address: str
    file: str
    words: str
    text: PrintedText | None
    line: int | None = None

    def place(self, game: Game, at: int) -> Location:
        """Return the place of a character."""
        if self.text is not None:
            return game.locator.locate(self.file, self.text.path)
        if self.line is not None:
            return Location(self.file, self.line)
        line = self.words.count("\n", 0, at)
        return Location(self.file, line + 1, at - self.words.rfind("\n", 0, at))

    @property
    def plain(self) -> str:
        """Return the words with spaces for all that isn't printed, such as expressions and numbers of
        lists."""
        return without_markup(_UNPRINTED.sub(lambda match: " " * len(match[0]), self.words))

    def about(self, start: int, end: int) -> str:
        """Return a part of the words with those around it."""
        before, after = self.words[:start], self.words[end:]
        left, right = " ".join(before[-2 * _SHOWN :].split()), " ".join(after[: 2 * _SHOWN].split())
        left = f"{left} " if left and before[-1:].isspace() else left
        right = f" {right}" if right and after[:1].isspace() else right
        left = left if len(before) <= _SHOWN else f"…{left[-_SHOWN:]}"
        right = right if len(right) <= _SHOWN else f"{right[:_SHOWN]}…"
        return f"{left}{self.words[start:end]}{right}".strip()


def printed_texts(game: Game) -> list[Source]:
    """Return the texts of the game's data, in its language, and its books; of a translation also the words
    of its templates."""
    texts = [Source(text.address, text.file, text.words, text) for text in game.locator.texts()]
    if game.words is not None:
        file = game.words.file
        own = ((source, *entry) for source, entry in game.words.words.items())
        texts += [Source(f"template: {source}", file, text, None, line) for source, text, line in own]
    return [*texts, *_books(game)]


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
