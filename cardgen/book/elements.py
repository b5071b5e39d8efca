"""Define the content of a rulebook, without its look. `line` is the line of its Markdown, from 0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from cardgen.core.findings import nearest
from cardgen.core.records import dataclass
from cardgen.text.icon_marks import Mark

Alignment = Literal["start", "center", "end"]
SectionKind = Literal["columns", "glossary", "sidebar", "back"]


@dataclass(frozen=True, slots=True)
class CardRef:
    """A visible side of a card."""

    component: str
    card: str
    side: Literal["face", "back"] = "face"

    def __str__(self) -> str:
        return f"{self.component}/{self.card}" + ("#back" if self.side == "back" else "")


def find_side(
    name: str, cards: Mapping[tuple[str, str], bool], prefix: str = ""
) -> CardRef | tuple[str, str]:
    """Return the side that COMPONENT/ID, COMPONENT/ID#face or COMPONENT/ID#back names; if there is none, a
    message and a hint. `cards` contain True, by component and id, for a card with a back; `prefix` is
    written before."""
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
    """Text of one style. `target` is its link: "#key" of a heading or an address."""

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
    """A hard line break."""


Inline = Words | Icon | LineEnd


@dataclass(frozen=True, slots=True)
class Picture:
    """A card, `width` mm wide (None: the default) with an optional caption. A width is exact unless it is
    `about` that."""

    ref: CardRef
    caption: tuple[Inline, ...]
    width: float | None
    line: int
    about: bool = True


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading. `level` is 1 for the title, 2 for chapters, 3 and 4 for their sections."""

    level: int
    words: tuple[Inline, ...]
    key: str
    line: int

    @property
    def title(self) -> str:
        """Return its words, with the names of icons, for an outline; without the sign before a chapter."""
        words = self.words
        if self.level == 2 and len(words) > 1 and isinstance(words[0], Icon) and not words[0].mark.figure:
            words = words[1:]
        return plain(words, icons=True)


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
    """A table. `rows` are cells of inline text, the first one the head."""

    rows: tuple[tuple[tuple[Inline, ...], ...], ...]
    aligned: tuple[Alignment, ...]
    lines: tuple[int, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Callout:
    """Text set off from the rest. Without a label it is an aside."""

    label: tuple[Inline, ...] | None
    blocks: tuple[Block, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Figure:
    """Cards side by side; with `beside`, one card and the blocks to its right."""

    pictures: tuple[Picture, ...]
    beside: tuple[Inline, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Note:
    """A note on the named places in a diagram. `number` marks both."""

    number: str
    names: tuple[str, ...]
    words: tuple[Inline, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Diagram:
    """A component, or the table or `scenes` if `ref` is None, with notes to places on it: numbers in a
    "set-up" or "scene", lines to labels in an "anatomy". A table is set up for `players`, None for as many
    as possible. The diagram is `width` mm wide; None: the default."""

    kind: Literal["set-up", "anatomy", "scene"]
    ref: CardRef | None
    players: int | None
    width: float | None
    notes: tuple[Note, ...]
    line: int
    scenes: tuple[str, ...] = ()
    about: bool = True
    """False for an exact width."""
    share: float | None = None
    """The size of scenes as a share of that of the real things, if the measure allows."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A step in a strip, with an icon, a card, or a named part of the card."""

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
class Section:
    """Blocks in two columns: of the same width ("columns"), as a "glossary" sorted by its bold words, or
    with their call-outs in a narrow one ("sidebar"); or on the "back" of the book."""

    kind: SectionKind
    blocks: tuple[Block, ...]
    line: int


@dataclass(frozen=True, slots=True)
class PageEnd:
    """A page break: the next element starts a new page."""

    line: int


Block = Heading | Paragraph | Listing | Table | Callout | Figure | Diagram | Strip | Section | PageEnd


@dataclass(frozen=True, slots=True)
class Text:
    """A whole rulebook: its title, introduction and chapters."""

    title: tuple[Inline, ...]
    lead: tuple[Block, ...]
    blocks: tuple[Block, ...]

    def refs(self) -> Iterator[CardRef]:
        """Yield all sides of cards shown, in order, except those on a table."""
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
        """Return the names on sides of cards, each with its line."""
        for block in self.every():
            if isinstance(block, Diagram) and block.ref is not None:
                yield from ((block.ref, note.names, note.line) for note in block.notes)
            elif isinstance(block, Strip):
                for panel in block.panels:
                    if panel.picture is not None and panel.part is not None:
                        yield panel.picture.ref, (panel.part,), panel.line

    def names(self) -> dict[CardRef, list[str]]:
        """Return the names on each side, and the sides in diagrams."""
        found: dict[CardRef, list[str]] = {
            diagram.ref: [] for diagram in self.diagrams() if diagram.ref is not None
        }
        for ref, names, _ in self.pointed():
            found.setdefault(ref, []).extend(names)
        return found

    def every(self) -> Iterator[Block]:
        """Return all blocks, nested ones after these."""
        return _every((*self.lead, *self.blocks))


def _every(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if isinstance(block, Callout | Section):
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
