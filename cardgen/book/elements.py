"""The content of a rulebook, without its look. `line` is the line in the Markdown file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from cardgen.core.findings import nearest
from cardgen.text.icon_marks import Mark

Alignment = Literal["start", "center", "end"]


@dataclass(frozen=True, slots=True)
class CardRef:
    """A side of a card that is shown."""

    component: str
    card: str
    side: Literal["face", "back"] = "face"

    def __str__(self) -> str:
        return f"{self.component}/{self.card}" + ("#back" if self.side == "back" else "")


def find_side(
    name: str, cards: Mapping[tuple[str, str], bool], prefix: str = ""
) -> CardRef | tuple[str, str]:
    """Return the side that COMPONENT/ID, COMPONENT/ID#face or COMPONENT/ID#back names; if there is none,
    a message and a hint. `cards` tell by component and id whether a card has a back; `prefix` is written
    before."""
    whole, _, side = name.partition("#")
    component, _, card = whole.partition("/")
    has_back = cards.get((component, card))
    if has_back is None:
        near = nearest(whole, map("/".join, cards))
        hint = f"write {prefix}COMPONENT/ID or {prefix}COMPONENT/ID#back"
        return f"there is no card '{whole}'", f"did you mean '{prefix}{near}'?" if near else hint
    if side in ("", "face"):
        return CardRef(component, card)
    if side != "back":
        return f"the card '{whole}' has no side '{side}'", "write #face or #back"
    if not has_back:
        return f"the card '{whole}' has no back", "show its face instead"
    return CardRef(component, card, "back")


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
        """Return its words, icons by their names: what an outline can say."""
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
class Note:
    """A note on the named places in a diagram. `number` is what both are marked with."""

    number: str
    names: tuple[str, ...]
    words: tuple[Inline, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Diagram:
    """A component, or the table where `ref` is None, with notes to places on it: numbers in a "set-up",
    lines to labels in an "anatomy". On a table sit so many `players`, None for as many as can. It is shown
    `width` mm wide, None: as wide as suits."""

    kind: Literal["set-up", "anatomy"]
    ref: CardRef | None
    players: int | None
    width: float | None
    notes: tuple[Note, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Panel:
    """A step in a strip. It shows an icon or a card, or of that the part of this name."""

    number: str
    icon: Icon | None
    picture: Picture | None
    part: str | None
    heading: tuple[Inline, ...]
    words: tuple[Inline, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Strip:
    """Panels side by side."""

    panels: tuple[Panel, ...]
    line: int


@dataclass(frozen=True, slots=True)
class PageEnd:
    """A page break: the next element starts a new page."""

    line: int


Block = Heading | Paragraph | Listing | Table | Callout | Figure | Diagram | Strip | PageEnd


@dataclass(frozen=True, slots=True)
class Text:
    """A whole rulebook: its title, what introduces it, and its chapters."""

    title: tuple[Inline, ...]
    lead: tuple[Block, ...]
    blocks: tuple[Block, ...]

    def refs(self) -> Iterator[CardRef]:
        """Yield all sides of cards shown, in order, but those on a table."""
        for block in self.every():
            if isinstance(block, Figure):
                yield from (picture.ref for picture in block.pictures)
            elif isinstance(block, Diagram) and block.ref is not None:
                yield block.ref
            elif isinstance(block, Strip):
                yield from (panel.picture.ref for panel in block.panels if panel.picture is not None)

    def diagrams(self) -> Iterator[Diagram]:
        """Return all diagrams, in order."""
        return (block for block in self.every() if isinstance(block, Diagram))

    def pointed(self) -> Iterator[tuple[CardRef, tuple[str, ...], int]]:
        """Return what is named on sides of cards, with the line that does."""
        for block in self.every():
            if isinstance(block, Diagram) and block.ref is not None:
                yield from ((block.ref, note.names, note.line) for note in block.notes)
            elif isinstance(block, Strip):
                for panel in block.panels:
                    if panel.picture is not None and panel.part is not None:
                        yield panel.picture.ref, (panel.part,), panel.line

    def names(self) -> dict[CardRef, list[str]]:
        """Return what is named on each side, and the sides that diagrams show."""
        found: dict[CardRef, list[str]] = {
            diagram.ref: [] for diagram in self.diagrams() if diagram.ref is not None
        }
        for ref, names, _ in self.pointed():
            found.setdefault(ref, []).extend(names)
        return found

    def every(self) -> Iterator[Block]:
        """Return all blocks, those within others after these."""
        return _every((*self.lead, *self.blocks))


def _every(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if isinstance(block, Callout):
            yield from _every(block.blocks)
        elif isinstance(block, Listing):
            for item in block.items:
                yield from _every(item.blocks)


def plain(words: Sequence[Inline], *, icons: bool = False) -> str:
    """Return the text alone, or with the names of `icons` and the figures in them."""
    parts = []
    for word in words:
        if isinstance(word, Words):
            parts.append(word.text)
        elif isinstance(word, LineEnd):
            parts.append(" ")
        elif icons:
            parts.append(f"{word.mark.name.replace('-', ' ')} {word.mark.figure}".rstrip())
    return " ".join("".join(parts).split())
