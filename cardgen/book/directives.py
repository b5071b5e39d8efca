"""Diagrams in a rulebook's Markdown: a block between `:::` lines, its first line saying what it is.

:::set-up card:board/board
1. `deck` Shuffle the cards and put them here.
:::
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from cardgen.book.elements import (
    Block,
    CardRef,
    Diagram,
    Figure,
    Icon,
    Inline,
    Item,
    LineEnd,
    Listing,
    Note,
    Panel,
    Paragraph,
    Strip,
    Words,
)
from cardgen.findings import did_you_mean
from cardgen.units import parse_length

DIRECTIVE_ENDS = ("paragraph", "reference", "blockquote", "list")
"""What such a block ends without an empty line."""
KINDS = ("set-up", "anatomy", "strip")
LEAST_PANELS, MOST_PANELS = 2, 6
MOST_NAMES = 60
"""Names in the notes of a diagram."""
MOST_NOTES = 24
"""Notes of a diagram: more have no room beside it."""
WIDEST, NARROWEST = 200.0, 8.0
_OPENS = re.compile(r":::[ \t]*([^\s:]*)[ \t]*(.*?)[ \t]*")
_CLOSES = re.compile(r":::[ \t]*")
_PLAYERS = re.compile(r"(\d{1,2}) players?")

Problem = Callable[[str, str, int, str | None], None]
"""Says what is wrong: code, message, line, hint."""


def directive_rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A rule of markdown-it: what stands between `:::` lines, as tokens between two of its own. The opening
    one has the name for `info` and what follows that for `content`."""
    if state.is_code_block(start):
        return False
    opens = _OPENS.fullmatch(_line(state, start))
    if opens is None or not opens[1]:
        return False
    if silent:
        return True
    stop = start + 1
    while stop < end and not _CLOSES.fullmatch(_line(state, stop)):
        stop += 1
    token = state.push("directive_open", "", 1)
    token.info, token.content, token.map = opens[1], opens[2], [start, stop]
    token.meta = {"closed": stop < end}
    before, state.lineMax = state.lineMax, stop
    state.md.block.tokenize(state, start + 1, stop)
    state.lineMax = before
    state.push("directive_close", "", -1)
    state.line = min(stop + 1, end)
    return True


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


class DirectiveReader:
    """Reads what stands in such blocks. `card` gives the side that `card:COMPONENT/ID` names, or says that
    there is none; `problem` says what is wrong.

    Findings, all errors: `book/diagram` (what a diagram can't hold, or lacks), `book/width`, and those of
    `card`.
    """

    def __init__(self, card: Callable[[str], CardRef | None], problem: Problem) -> None:
        self._card, self._problem = card, problem

    def read(self, token: Token, inside: Sequence[Block], line: int) -> Iterator[Block]:
        """The element that a block is; none after a finding."""
        kind = token.info
        if not token.meta["closed"]:
            self._problem("book/diagram", f"':::{kind}' has no end", line, "end it with a line :::")
        elif kind == "strip":
            panels = self._panels(inside, line)
            if token.content:
                message = f"'{token.content}' says nothing of a strip"
                self._problem("book/diagram", message, line, "write :::strip alone")
            elif panels:
                yield Strip(panels, line)
        elif kind == "set-up" or kind == "anatomy":
            notes = self._notes(kind, inside, line)
            diagram = self._diagram(kind, token.content, notes, line)
            if diagram is not None and notes:
                yield diagram
        else:
            hint = did_you_mean(kind, KINDS) or f"there are: {', '.join(KINDS)}"
            self._problem("book/diagram", f"there is no block ':::{kind}'", line, hint)

    def _diagram(self, kind: str, said: str, notes: tuple[Note, ...], line: int) -> Diagram | None:
        subject, _, rest = said.partition(" ")
        rest = rest.strip()
        if kind == "set-up" and subject == "table":
            players = _PLAYERS.fullmatch(rest)
            if rest and players is None:
                self._problem("book/diagram", f"'{rest}' is no number of players", line, "write: 3 players")
                return None
            return Diagram("set-up", None, int(players[1]) if players else None, None, notes, line)
        if not subject.startswith("card:"):
            more = ", or :::set-up table" if kind == "set-up" else ""
            hint = f"write :::{kind} card:COMPONENT/ID{more}"
            what = f"'{subject}' is nothing to show"
            if not subject:
                what = f"':::{kind}' does not say what it shows"
            self._problem("book/diagram", what, line, hint)
            return None
        ref = self._card(subject)
        width = self._width(rest, line) if rest else None
        if ref is None or (rest and width is None):
            return None
        return Diagram("anatomy" if kind == "anatomy" else "set-up", ref, None, width, notes, line)

    def _width(self, text: str, line: int) -> float | None:
        try:
            width = parse_length(text)
        except ValueError:
            width = 0.0
        if NARROWEST <= width <= WIDEST:
            return width
        message = f"'{text}' is no width from {NARROWEST:g}mm to {WIDEST:g}mm"
        self._problem("book/width", message, line, "write 60mm")
        return None

    def _items(self, kind: str, inside: Sequence[Block], line: int) -> list[Item]:
        """The items of the one list that a block holds; none after findings."""
        items: list[Item] = []
        wrong = False
        for block in inside:
            if isinstance(block, Listing):
                items += block.items
            else:
                wrong = True
                hint = "what else there is to say stands before or after it"
                message = f"':::{kind}' holds a list and nothing else"
                self._problem("book/diagram", message, block.line, hint)
        if not items and not wrong:
            hint = "write items such as: 1. `deck` Shuffle the cards."
            self._problem("book/diagram", f"':::{kind}' has no list of what it shows", line, hint)
        return [] if wrong else items

    def _panels(self, inside: Sequence[Block], line: int) -> tuple[Panel, ...]:
        """The panels of a strip, numbered; none after findings."""
        items = self._items("strip", inside, line)
        if items and not LEAST_PANELS <= len(items) <= MOST_PANELS:
            message = f"':::strip' has {len(items)} items, not {LEAST_PANELS} to {MOST_PANELS}"
            self._problem("book/diagram", message, line, "make two of it, or write a list")
            return ()
        panels = [self._panel(number, item) for number, item in enumerate(items, 1)]
        return tuple(panel for panel in panels if panel is not None) if None not in panels else ()

    def _panel(self, number: int, item: Item) -> Panel | None:
        first = item.blocks[0] if len(item.blocks) == 1 else None
        icon, picture = None, None
        names: tuple[str, ...] = ()
        words: tuple[Inline, ...] = ()
        if isinstance(first, Figure) and len(first.pictures) == 1:
            picture = first.pictures[0]
            names, words = leading_names(first.beside)
        elif isinstance(first, Paragraph) and isinstance(first.words[0], Icon):
            icon, words = first.words[0], first.words[1:]
        heading, said = _heading(words)
        if (icon is None and picture is None) or len(names) > 1 or not (heading or said):
            hint = "write: 1. :icon: **Heading** Text, or 1. ![](card:cards/fox) `part` **Heading** Text"
            message = "an item of ':::strip' is one icon or card, a heading and one paragraph"
            self._problem("book/diagram", message, item.line, hint)
            return None
        return Panel(str(number), icon, picture, names[0] if names else None, heading, said, item.line)

    def _notes(self, kind: str, inside: Sequence[Block], line: int) -> tuple[Note, ...]:
        """The notes of a diagram, numbered; none after findings."""
        items = self._items(kind, inside, line)
        if len(items) > MOST_NOTES:
            message = f"':::{kind}' has {len(items)} items, more than {MOST_NOTES}"
            self._problem("book/diagram", message, items[MOST_NOTES].line, "make two of it")
            return ()
        notes = [self._note(kind, number, item) for number, item in enumerate(items, 1)]
        named = 0
        for note in notes:
            named += 0 if note is None else len(note.names)
            if note is not None and named > MOST_NAMES:
                message = f"':::{kind}' names more than {MOST_NAMES} places"
                self._problem("book/diagram", message, note.line, "make two of it")
                return ()
        return () if None in notes else tuple(note for note in notes if note is not None)

    def _note(self, kind: str, number: int, item: Item) -> Note | None:
        first = item.blocks[0] if item.blocks else None
        if not isinstance(first, Paragraph) or len(item.blocks) > 1:
            message = f"an item of ':::{kind}' is a name and one paragraph"
            line = item.blocks[1].line if len(item.blocks) > 1 else item.line
            self._problem("book/diagram", message, line, None)
            return None
        names, words = leading_names(first.words)
        if kind == "anatomy" and len(names) > 1:
            message = "a label of ':::anatomy' leads to one place"
            self._problem("book/diagram", message, first.line, "write an item for each")
            return None
        if (kind == "anatomy" and not names) or not words:
            hint = "begin it with the name in back quotes: 1. `deck` Shuffle the cards."
            what = "names no place" if not names else "says nothing"
            self._problem("book/diagram", f"this item of ':::{kind}' {what}", first.line, hint)
            return None
        return Note(str(number), names, words, first.line)


def leading_names(words: Sequence[Inline]) -> tuple[tuple[str, ...], tuple[Inline, ...]]:
    """The names in back quotes that a text begins with, and the rest of it."""
    rest = list(words)
    names: list[str] = []
    while rest and (_is_between(rest[0]) or (isinstance(rest[0], Words) and rest[0].code)):
        word = rest.pop(0)
        if isinstance(word, Words) and word.code:
            names.append(word.text.strip())
    if not rest:
        return tuple(names), ()
    first, *others = rest
    if names and isinstance(first, Words):
        text = first.text.lstrip(" ,:")
        first = Words(text, first.bold, first.italic, first.code, first.target)
    return tuple(names), (first, *others)


def _heading(words: Sequence[Inline]) -> tuple[tuple[Inline, ...], tuple[Inline, ...]]:
    """The bold words that a text begins with, and the rest of it."""
    rest = list(words)
    while rest and _is_between(rest[0]):
        del rest[0]
    heading: list[Inline] = []
    while rest and isinstance(rest[0], Words) and rest[0].bold:
        heading.append(rest.pop(0))
    while rest and _is_between(rest[0]):
        del rest[0]
    return tuple(heading), tuple(rest)


def _is_between(word: Inline) -> bool:
    return isinstance(word, LineEnd) or (isinstance(word, Words) and not word.text.strip(" ,"))
