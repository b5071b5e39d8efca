"""What a rulebook says, without how it looks. `line` is the line in the Markdown file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from cardgen.typesetting.icon_marks import Mark

Alignment = Literal["start", "center", "end"]


@dataclass(frozen=True, slots=True)
class CardRef:
    """A side of a card that is shown."""

    component: str
    card: str
    side: Literal["face", "back"] = "face"

    def __str__(self) -> str:
        return f"{self.component}/{self.card}" + ("#back" if self.side == "back" else "")


@dataclass(frozen=True, slots=True)
class Words:
    """A stretch of text. `target` is where it leads: "#key" of a heading or an address."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Icon:
    """An icon in the text."""

    mark: Mark


@dataclass(frozen=True, slots=True)
class LineEnd:
    """A line end that the text asks for."""


Inline = Words | Icon | LineEnd


@dataclass(frozen=True, slots=True)
class Picture:
    """A card that is shown, `width` mm wide (None: as wide as suits) with a caption, or none."""

    ref: CardRef
    caption: tuple[Inline, ...]
    width: float | None
    line: int


@dataclass(frozen=True, slots=True)
class Heading:
    """`level` is 1 for the title, 2 for chapters, 3 and 4 for what they consist of."""

    level: int
    words: tuple[Inline, ...]
    key: str
    line: int

    @property
    def title(self) -> str:
        """Its words, icons by their names: what an outline can say."""
        return plain(self.words, icons=True)


@dataclass(frozen=True, slots=True)
class Paragraph:
    words: tuple[Inline, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list: its blocks, and its bullet or number."""

    bullet: str
    blocks: tuple[Block, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Listing:
    items: tuple[Item, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Table:
    """`rows` are cells of inline text, the first one the head."""

    rows: tuple[tuple[tuple[Inline, ...], ...], ...]
    aligned: tuple[Alignment, ...]
    lines: tuple[int, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Callout:
    """Text set apart. Without a label it is an aside."""

    label: tuple[Inline, ...] | None
    blocks: tuple[Block, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Figure:
    """Cards side by side; with `beside`, one card and what stands to its right."""

    pictures: tuple[Picture, ...]
    beside: tuple[Inline, ...]
    line: int


@dataclass(frozen=True, slots=True)
class PageEnd:
    """What follows starts a new page."""

    line: int


Block = Heading | Paragraph | Listing | Table | Callout | Figure | PageEnd


@dataclass(frozen=True, slots=True)
class Text:
    """A whole rulebook: its title, what introduces it, and its chapters."""

    title: tuple[Inline, ...]
    lead: tuple[Block, ...]
    blocks: tuple[Block, ...]

    def pictures(self) -> Iterator[Picture]:
        """All cards shown, in order."""
        yield from _pictures(self.lead)
        yield from _pictures(self.blocks)


def _pictures(blocks: Sequence[Block]) -> Iterator[Picture]:
    for block in blocks:
        if isinstance(block, Figure):
            yield from block.pictures
        elif isinstance(block, Callout):
            yield from _pictures(block.blocks)
        elif isinstance(block, Listing):
            for item in block.items:
                yield from _pictures(item.blocks)


def plain(words: Sequence[Inline], *, icons: bool = False) -> str:
    """The text alone, or with the names of `icons` and the figures in them."""
    parts = []
    for word in words:
        if isinstance(word, Words):
            parts.append(word.text)
        elif isinstance(word, LineEnd):
            parts.append(" ")
        elif icons:
            parts.append(f"{word.mark.name.replace('-', ' ')} {word.mark.figure}".rstrip())
    return " ".join("".join(parts).split())
