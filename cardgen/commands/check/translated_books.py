"""Compare translated rulebooks with their source, paragraph by paragraph, as they are printed."""

from __future__ import annotations

import re

from cardgen.art.prose import Prose, render_prose
from cardgen.commands.production.books import read_markdown
from cardgen.core.findings import Findings, Location
from cardgen.core.game import Game
from cardgen.core.records import dataclass
from cardgen.game.facts import read_number_words
from cardgen.game.sources import Sources
from cardgen.game.translation_slips import Comparison

_START = re.compile(
    r"(?P<heading>#{1,6})(?=\s)|(?P<item>\s*(?:[-*+]|\d{1,3}[.)])\s)|(?P<row>\s*\|)|(?P<fence>\s*:::)"
)
_QUOTE = re.compile(r"\s*>\s?")
_RULE = re.compile(r"[\s|:-]+")


@dataclass(slots=True)
class Paragraph:
    """A paragraph, heading, item or row of a text: its words, and its lines, counted from 0. `kind` tells
    headings of different levels apart."""

    kind: str
    text: str
    first: int
    last: int

    @property
    def is_heading(self) -> bool:
        return self.kind.startswith("#")


def compare_books(source: Game, translated: Game, findings: Findings) -> None:
    """Report differences in numbers, icons, bold words and cards between the rulebooks of a game and those
    of its translation. Books that can't be read are skipped: laying them out reports that."""
    reader = Sources(source.paths, Findings())
    words = [read_number_words(reader, game.language) for game in (source, translated)]
    comparison = Comparison(words[0], words[1], _names(source, translated))
    others = {component.id: component.book for component in translated.components}
    for component in source.components:
        other = others.get(component.id)
        if component.book is None or other is None or component.book.file == other.file:
            continue
        books = [_Book.read(source, component.book.file), _Book.read(translated, other.file)]
        if books[0] is not None and books[1] is not None:
            _compare(books[0], books[1], comparison, findings)


def _names(source: Game, translated: Game) -> dict[str, str]:
    """Return the names of cards in the translation by those in the source."""
    names = {}
    own = translated.places()
    for place, card in source.places().items():
        if source.component(card.component).kind != "card" or place not in own:
            continue
        for key in ("title", "name"):
            here, there = card.fields.get(key), own[place].fields.get(key)
            if isinstance(here, str) and isinstance(there, str):
                names[here] = there
    return names


@dataclass(frozen=True, slots=True)
class _Book:
    file: str
    markdown: list[str]
    prose: Prose

    @classmethod
    def read(cls, game: Game, file: str) -> _Book | None:
        said = Findings()
        markdown = read_markdown(game, file, said)
        prose = None if markdown is None else render_prose(game, markdown, file, findings=said)
        return None if markdown is None or prose is None else cls(file, markdown.split("\n"), prose)

    def place(self, paragraph: Paragraph, at: int | None = None) -> Location:
        """Return the line of a paragraph, or of one of its characters, in the file."""
        if at is None:
            return Location(self.file, self._lines(paragraph)[0])
        return Location(self.file, self.prose.line(paragraph.first + paragraph.text.count("\n", 0, at)))

    def notes(self, paragraph: Paragraph) -> str:
        """Return the lines of the file with the paragraph, and the line before."""
        first, last = self._lines(paragraph)
        return "\n".join(self.markdown[max(0, first - 2) : last])

    def _lines(self, paragraph: Paragraph) -> tuple[int, int]:
        """Return a paragraph's first and last line in the file, without a macro before its text."""
        lines = [self.prose.line(index) for index in range(paragraph.first, paragraph.last + 1)]
        return min(line for line in lines if 0 <= lines[-1] - line < len(lines)), lines[-1]


def _compare(source: _Book, other: _Book, comparison: Comparison, findings: Findings) -> None:
    """Compare two books by sections, and the paragraphs of sections that have equally many."""
    sections = [_sections(book.prose.text) for book in (source, other)]
    for here, there in zip(*sections):
        if here[0].kind == there[0].kind:
            continue
        message = f"'{there[0].text[:60]}' is where the source has '{here[0].text[:60]}'"
        hint = f"translate every heading, in the same order; source: {source.place(here[0])}"
        findings.warning("text/translation-structure", message, other.place(there[0]), hint)
        return
    if len(sections[0]) != len(sections[1]):
        message = f"the book has {len(sections[1])} sections, the source {len(sections[0])}"
        hint = "translate every heading, in the same order"
        findings.warning("text/translation-structure", message, Location(other.file), hint)
        return
    for here, there in zip(*sections, strict=True):
        if [each.kind for each in here] != [each.kind for each in there]:
            here, there = [_joined(here)], [_joined(there)]
        for one, two in zip(here, there, strict=True):
            for slip in comparison.slips(one.text, two.text, other.notes(two)):
                hint = (
                    f"source: {source.place(one)}; if both are right, write above the paragraph: "
                    f"{{# differs: {slip.kind}: REASON #}}"
                )
                findings.warning(slip.code, slip.message, other.place(two, slip.at), hint)


def _joined(section: list[Paragraph]) -> Paragraph:
    text = "\n".join(each.text for each in section)
    return Paragraph(section[0].kind, text, section[0].first, section[-1].last)


def _sections(text: str) -> list[list[Paragraph]]:
    """Return the paragraphs of a Markdown text; all lists but maybe the first begin with a heading."""
    sections: list[list[Paragraph]] = []
    for paragraph in paragraphs(text):
        if paragraph.is_heading or not sections:
            sections.append([])
        sections[-1].append(paragraph)
    return sections


def paragraphs(text: str) -> list[Paragraph]:
    """Return the paragraphs of a Markdown text, without marks at their beginnings."""
    found: list[Paragraph] = []
    is_open = False
    for number, line in enumerate(text.split("\n")):
        quote = _QUOTE.match(line)
        words = line[quote.end() :] if quote is not None else line
        if not words.strip() or _RULE.fullmatch(words):
            is_open = False
            continue
        start = _START.match(words)
        if start is None and is_open:
            found[-1].text += f"\n{words}"
            found[-1].last = number
            continue
        kind = "text" if start is None else start["heading"] or str(start.lastgroup)
        begin = start.end() if start is not None and kind != "fence" else 0
        found.append(Paragraph(kind, words[begin:].strip(), number, number))
        is_open = start is None or kind == "item"
    return found
