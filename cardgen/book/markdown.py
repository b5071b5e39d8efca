"""Convert Markdown to elements. Unsupported Markdown and unknown names are findings."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, cast, get_args
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.tree import SyntaxTreeNode

from cardgen.book.elements import (
    Alignment,
    Block,
    Callout,
    CardRef,
    Diagram,
    Figure,
    Heading,
    Icon,
    Inline,
    Item,
    LineEnd,
    Listing,
    Note,
    PageEnd,
    Panel,
    Paragraph,
    Picture,
    Section,
    SectionKind,
    Strip,
    Table,
    Text,
    Words,
    find_side,
    plain,
)
from cardgen.core.book import BookGame
from cardgen.core.findings import Findings, Location, did_you_mean, nearest
from cardgen.core.geometry import parse_length
from cardgen.core.records import dataclass, replace
from cardgen.text.emphasis import STRAY_HINT, markdown_parser, stray_mark
from cardgen.text.icon_marks import IconNames, marks

BULLETS = ("•", "–", "·")
"""Bullets by the depth of a list."""

_LARGEST_ICON = 1.4
"""The largest icon, as a ratio to the type size: a book's lines all have the same height."""
MAX_LEVEL = 4
CARD = "card:"
_LABEL = re.compile(r"\[!([^\]\n]+)\][ \t]*")
_ALIGNED: dict[str, Alignment] = {"left": "start", "center": "center", "right": "end"}

_MOVE_OUT = "move it before or after this block"


@dataclass(frozen=True, slots=True)
class Source:
    """A Markdown text, and its file relative to the project. `line` returns the number there of a line of
    the text, which counts from 0."""

    game: BookGame
    file: str
    text: str
    line: Callable[[int], int]

    def locate(self, line: int) -> Location:
        return Location(self.file, self.line(line))


def read_book(source: Source, icons: IconNames, findings: Findings) -> Text:
    """Return the elements of a rulebook. `icons` are the known names.

    Findings, all errors: `book/markdown` (unsupported Markdown), `book/card`, `book/icon`, `book/link` (an
    unknown name), `book/width`, `book/title`.
    """
    return _Reader(source, icons, findings).read()


class _Reader:
    def __init__(self, source: Source, icons: IconNames, findings: Findings) -> None:
        self.source, self.icons, self.findings = source, icons, findings
        self.cards, self.gone = source.game.cards, source.game.gone
        self.keys: dict[str, int] = {}
        self.links: list[tuple[str, int]] = []
        self.line = 0
        self._directives = DirectiveReader(self._card, self._problem)

    def read(self) -> Text:
        blocks = list(self._blocks(SyntaxTreeNode(_parser().parse(self.source.text)), 0))
        titles = [block for block in blocks if isinstance(block, Heading) and block.level == 1]
        if not titles or blocks[0] is not titles[0]:
            self._problem(
                "book/title",
                "the book does not begin with its title",
                0,
                "begin with one line such as: # The title",
            )
        for icon in (word for title in titles[:1] for word in title.words if isinstance(word, Icon)):
            message = f"the icon ':{icon.mark.name}:' can't be printed in a title"
            self._problem("book/icon", message, titles[0].line, "remove it")
        for extra in titles[1:]:
            self._problem("book/title", f"'{extra.title}' is a second title", extra.line, "write ## or ###")
        above = 1
        for heading in (block for block in blocks if isinstance(block, Heading) and block.level > 1):
            if heading.level > above + 1:
                message = f"'{heading.title}' skips a level: {'#' * heading.level} below {'#' * above}"
                self._problem("book/heading", message, heading.line, f"write {'#' * (above + 1)}")
            above = heading.level
        start = next(
            (place for place, block in enumerate(blocks) if isinstance(block, Heading) and block.level > 1),
            len(blocks),
        )
        self._check_links()
        return Text(
            titles[0].words if titles else (),
            tuple(block for block in blocks[:start] if not isinstance(block, Heading)),
            tuple(block for block in blocks[start:] if block not in titles),
        )

    # ------------------------------------------------------------ blocks

    def _blocks(self, parent: SyntaxTreeNode, depth: int) -> Iterator[Block]:
        for node in parent.children:
            if node.map is not None:
                self.line = node.map[0]
            line = self.line
            kind = node.type
            if kind == "heading":
                yield self._heading(node, line)
            elif kind == "paragraph":
                yield from self._paragraph(node.children[0], line)
            elif kind in ("bullet_list", "ordered_list"):
                yield self._list(node, depth, line)
            elif kind == "blockquote":
                yield self._callout(node, depth, line)
            elif kind == "table":
                yield self._table(node, line)
            elif kind == "hr":
                yield PageEnd(line)
            elif kind == "directive":
                inside = tuple(self._blocks(node, depth))
                self.line = line
                yield from self._directives.read(node, inside, line)
            elif kind in ("fence", "code_block"):
                self._unused("a block of code", "use inline `code`, or a table")
            elif kind == "html_block" and not node.content.lstrip().startswith("<!--"):
                self._unused("HTML", "write Markdown; for a < in the text, write \\<")

    def _heading(self, node: SyntaxTreeNode, line: int) -> Heading:
        level = int(node.tag[1:])
        words = self._inline(node.children[0].children)
        if level > MAX_LEVEL:
            self._unused(f"a heading of level {level}", f"{'#' * MAX_LEVEL} is the lowest level")
        key = slug(plain(words))
        self.keys[key] = count = self.keys.get(key, 0) + 1
        return Heading(min(level, MAX_LEVEL), words, key if count == 1 else f"{key}-{count}", line)

    def _paragraph(self, inline: SyntaxTreeNode, line: int) -> Iterator[Block]:
        children, leading = inline.children, 0
        images: list[SyntaxTreeNode] = []
        while leading < len(children) and (
            children[leading].type == "image" or (images and _blank(children[leading]))
        ):
            images += [child for child in children[leading : leading + 1] if child.type == "image"]
            leading += 1
        pictures = tuple(picture for image in images if (picture := self._picture(image)) is not None)
        words = self._inline(children[leading:])
        if pictures:
            yield Figure(pictures, words, line)
        elif words or not images:
            yield Paragraph(words, line)

    def _list(self, node: SyntaxTreeNode, depth: int, line: int) -> Listing:
        first = int(node.attrs.get("start", 1))
        items: list[Item] = []
        for number, item in enumerate(node.children, first):
            bullet = BULLETS[min(depth, len(BULLETS) - 1)]
            bullet = f"{number}." if node.type == "ordered_list" else bullet
            blocks = tuple(self._blocks(item, depth + 1))
            self._check_inner(blocks, "a list")
            items.append(Item(bullet, blocks, blocks[0].line if blocks else line))
        return Listing(tuple(items), line)

    def _callout(self, node: SyntaxTreeNode, depth: int, line: int) -> Callout:
        label = None
        first = node.children[0] if node.children else None
        inline = first.children[0] if first is not None and first.type == "paragraph" else None
        if inline is not None and (found := _LABEL.match(inline.content)):
            label = tuple(self._words(found[1].strip(), Words("")))
            rest = inline.content[found.end() :].lstrip("\n")
            inline.children = SyntaxTreeNode(_parser().parseInline(rest)).children[0].children
            if not rest.strip():
                node.children = node.children[1:]
        blocks = tuple(self._blocks(node, depth))
        self._check_inner(blocks, "a call-out")
        return Callout(label, blocks, line)

    def _check_inner(self, blocks: Sequence[Block], what: str) -> None:
        for block in blocks:
            if isinstance(block, Heading | PageEnd):
                message = f"{what} can't contain a heading or page break"
                self._problem("book/markdown", message, block.line, _MOVE_OUT)

    def _table(self, node: SyntaxTreeNode, line: int) -> Table:
        rows: list[tuple[tuple[Inline, ...], ...]] = []
        aligned: list[Alignment] = []
        lines: list[int] = []
        for row in (row for part in node.children for row in part.children):
            if row.map is not None:
                self.line = row.map[0]
            lines.append(self.line)
            rows.append(tuple(self._inline(cell.children[0].children) for cell in row.children))
            for cell in row.children if len(rows) == 1 else ():
                style = str(cell.attrs.get("style", ""))
                aligned.append(_ALIGNED.get(style.rpartition(":")[2], "start"))
        return Table(tuple(rows), tuple(aligned), tuple(lines), line)

    # ------------------------------------------------------------ within a line

    def _inline(self, nodes: Sequence[SyntaxTreeNode]) -> tuple[Inline, ...]:
        line = self.line
        parts = tuple(self._parts(nodes, Words("")))
        self.line = line
        return parts

    def _parts(self, nodes: Sequence[SyntaxTreeNode], style: Words) -> Iterator[Inline]:
        """Yield the parts of a text in the style of these words."""
        for node in nodes:
            kind = node.type
            if kind == "text_special":
                yield replace(style, text=node.content)
            elif kind == "text":
                if (stray := stray_mark(node.content)) is not None:
                    message = f"the stars {stray[0]} in '{stray[1]}' print as stars, not as emphasis"
                    at = self.source.locate(self.line)
                    self.findings.warning("text/markdown", message, at, STRAY_HINT)
                yield from self._words(node.content, style)
            elif kind == "code_inline":
                yield replace(style, text=node.content, code=True)
            elif kind == "softbreak":
                self.line += 1
                yield replace(style, text=node.content)
            elif kind == "hardbreak":
                self.line += 1
                yield LineEnd()
            elif kind == "strong":
                yield from self._parts(node.children, replace(style, bold=True))
            elif kind == "em":
                yield from self._parts(node.children, replace(style, italic=True))
            elif kind == "link":
                yield from self._link(str(node.attrs.get("href", "")), node.children, style)
            elif kind == "image":
                self._unused("a card in the middle of a text", "move it to the start of its paragraph")
            elif kind == "html_inline" and not node.content.startswith("<!--"):
                hint = "write Markdown; for a < in the text, write \\<"
                self._unused(f"HTML ({node.content})", hint)

    def _words(self, text: str, style: Words) -> Iterator[Inline]:
        for part in marks(text, self.icons):
            if isinstance(part, str):
                yield replace(style, text=part)
            elif part.name in self.icons:
                if part.wrong is not None:
                    self._problem("book/icon", part.wrong.message, self.line, part.wrong.hint)
                elif part.size > _LARGEST_ICON:
                    hint = f"use at most {_LARGEST_ICON:g} times the type size to fit between lines"
                    message = f"the icon ':{part.name}:' is too large at {part.size:g}"
                    self._problem("book/icon", message, self.line, hint)
                yield Icon(part)
            else:
                near = self.icons.near(part.name)
                every = f"list the icons: cardgen list {self.source.game.id} --icons"
                hint = f"did you mean ':{near}:'?" if near else every
                self._problem("book/icon", f"there is no icon ':{part.name}:'", self.line, hint)
                yield replace(style, text=f":{part.name}:")

    def _link(self, target: str, inside: Sequence[SyntaxTreeNode], style: Words) -> Iterator[Inline]:
        """Yield the text of a link. One to a card has no target; without text, it becomes the card's
        title."""
        if target.startswith(CARD):
            ref = self._card(target)
            if ref is not None and not inside:
                yield replace(style, text=self.source.game.title_of(ref.component, ref.card))
            target = ""
        elif target.startswith("#"):
            self.links.append((target[1:], self.line))
        elif urlsplit(target).scheme not in ("http", "https", "mailto"):
            hint = "link to a heading (#set-up), a card (card:cards/fox) or an address (https://…)"
            self._problem("book/link", f"'{target}' is not a valid link", self.line, hint)
        yield from self._parts(inside, replace(style, target=target or None))

    def _picture(self, image: SyntaxTreeNode) -> Picture | None:
        target = str(image.attrs.get("src", ""))
        line = self.line
        if not target.startswith(CARD):
            hint = "show a card, such as ![](card:cards/fox)"
            self._problem("book/card", f"'{target}' is not a card", line, hint)
            return None
        ref = self._card(target)
        wanted = image.attrs.get("title")
        width, about = (None, True) if wanted is None else self._directives.width(str(wanted), line)
        return None if ref is None else Picture(ref, self._inline(image.children), width, line, about)

    def _card(self, target: str) -> CardRef | None:
        """Return the card that `card:COMPONENT/ID` or `card:COMPONENT/ID#back` names. Return None after a
        finding, or for an invalid card without a place, which is reported already."""
        name = target.removeprefix(CARD)
        found = find_side(name, self.cards, CARD)
        if isinstance(found, CardRef):
            return found
        component, _, card = name.partition("#")[0].partition("/")
        if (component, card) in self.cards or card not in self.gone:
            self._problem("book/card", found[0], self.line, found[1])
        return None

    # ------------------------------------------------------------ findings

    def _check_links(self) -> None:
        for key, line in self.links:
            if key not in self.keys:
                near = nearest(key, self.keys)
                hint = f"did you mean '#{near}'?" if near else f"use one of: {', '.join(self.keys)}"
                self._problem("book/link", f"there is no heading '#{key}'", line, hint)

    def _unused(self, what: str, hint: str) -> None:
        self._problem("book/markdown", f"a book doesn't support {what}", self.line, hint)

    def _problem(self, code: str, message: str, line: int, hint: str | None = None) -> None:
        self.findings.error(code, message, self.source.locate(line), hint)


def _parser() -> MarkdownIt:
    # This keeps an escaped colon distinct from a typed one.
    parser = markdown_parser("commonmark").enable("table").disable("text_join")
    parser.block.ruler.before("fence", "directive", directive_rule, {"alt": list(DIRECTIVE_ENDS)})
    return parser


def _blank(node: SyntaxTreeNode) -> bool:
    return node.type == "softbreak" or (node.type == "text" and not node.content.strip())


def slug(title: str) -> str:
    """Return a heading's key: its letters and digits in lower case, joined by -."""
    text = unicodedata.normalize("NFKC", title).casefold()
    return "-".join(re.findall(r"\w+", text)) or "heading"


DIRECTIVE_ENDS = ("paragraph", "reference", "blockquote", "list")
"""The constructs that can end at such a block without an empty line."""
KINDS = ("set-up", "anatomy", "scene", "strip", "columns", "glossary", "sidebar", "back")
ABOUT = "about "
_PERCENT = re.compile(r"(100|[1-9]\d)%")
"""What precedes a width that may grow or shrink to fill a page."""
LEAST_PANELS, MOST_PANELS = 2, 6
MOST_SCENES = 4
"""Most scenes side by side."""
MOST_NAMES = 60
"""Most names in the notes of a diagram."""
MOST_NOTES = 24
"""Most notes of a diagram: more don't fit beside it."""
WIDEST, NARROWEST = 200.0, 8.0
_OPENS = re.compile(r":::[ \t]*([^\s:]*)[ \t]*(.*?)[ \t]*")
_CLOSES = re.compile(r":::[ \t]*")
_PLAYERS = re.compile(r"(\d{1,2}) players?")

Problem = Callable[[str, str, int, str | None], None]
"""A function that reports a problem: code, message, line, hint."""


def directive_rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Return a rule of markdown-it for the content between `:::` lines, as tokens between two of its own.
    The opening one has the name as `info` and the text after it as `content`."""
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
    """A reader of the content of such blocks. `card` returns the side that `card:COMPONENT/ID` names, or
    reports that there is none; `problem` reports an error.

    Findings, all errors: `book/diagram` (unsupported or missing content of a diagram), `book/width`, and
    those of `card`.
    """

    def __init__(self, card: Callable[[str], CardRef | None], problem: Problem) -> None:
        self._card, self._problem = card, problem

    def read(self, node: SyntaxTreeNode, inside: Sequence[Block], line: int) -> Iterator[Block]:
        """Yield the element of a block; nothing after a finding."""
        kind = node.info
        if not node.meta["closed"]:
            self._problem("book/diagram", f"':::{kind}' has no end", line, "end it with a line :::")
        elif kind == "strip":
            panels = self._panels(inside, line)
            if node.content:
                message = f"'{node.content}' is not an option of a strip"
                self._problem("book/diagram", message, line, "write :::strip alone")
            elif panels:
                yield Strip(panels, line)
        elif kind in get_args(SectionKind):
            yield from self._section(cast(SectionKind, kind), node.content, inside, line)
        elif kind == "scene":
            notes = self._notes(kind, inside, line) if inside else ()
            names, share = tuple(node.content.split()), None
            if len(names) > 1 and (percent := _PERCENT.fullmatch(names[-1])):
                names, share = names[:-1], int(percent[1]) / 100
            if not 1 <= len(names) <= MOST_SCENES:
                message = f"':::scene' names {len(names)} scenes, not 1 to {MOST_SCENES}"
                self._problem("book/diagram", message, line, "write :::scene before after")
            elif notes or not inside:
                yield Diagram("scene", None, None, None, notes, line, names, share=share)
        elif kind == "set-up" or kind == "anatomy":
            notes = self._notes(kind, inside, line)
            diagram = self._diagram(kind, node.content, notes, line)
            if diagram is not None and notes:
                yield diagram
        else:
            hint = did_you_mean(kind, KINDS) or f"use one of: {', '.join(KINDS)}"
            self._problem("book/diagram", f"there is no block ':::{kind}'", line, hint)

    def _section(
        self,
        kind: SectionKind,
        option: str,
        inside: Sequence[Block],
        line: int,
    ) -> Iterator[Section]:
        callouts = [block for block in inside if isinstance(block, Callout)]
        lists = all(isinstance(block, Listing) for block in inside)
        outside = [block for block in inside if isinstance(block, Heading | PageEnd | Section)]
        message, hint = "", ""
        if option:
            message, hint = f"'{option}' is not an option of ':::{kind}'", f"write :::{kind} alone"
        elif outside:
            message, hint = f"':::{kind}' can't contain a heading, page break or columns", _MOVE_OUT
        elif not inside or (kind == "glossary" and not lists):
            what = "only a list, such as: - **Word**: what it means" if kind == "glossary" else "text"
            message, hint = f"':::{kind}' needs {what}", "write it between the lines :::"
        elif kind == "sidebar" and not 0 < len(callouts) < len(inside):
            message = "':::sidebar' needs text, and a call-out for the side"
            hint = "write > [!Label] and lines that start with >"
        if message:
            self._problem("book/diagram", message, outside[0].line if outside else line, hint)
            return
        yield Section(kind, tuple(inside), line)

    def _diagram(self, kind: str, text: str, notes: tuple[Note, ...], line: int) -> Diagram | None:
        subject, _, rest = text.partition(" ")
        rest = rest.strip()
        if kind == "set-up" and subject == "table":
            players = _PLAYERS.fullmatch(rest)
            if rest and players is None:
                self._problem(
                    "book/diagram", f"'{rest}' is not a number of players", line, "write: 3 players"
                )
                return None
            return Diagram("set-up", None, int(players[1]) if players else None, None, notes, line)
        if not subject.startswith("card:"):
            more = ", or :::set-up table" if kind == "set-up" else ""
            hint = f"write :::{kind} card:COMPONENT/ID{more}"
            what = f"'{subject}' can't be shown"
            if not subject:
                what = f"':::{kind}' doesn't name a card to show"
            self._problem("book/diagram", what, line, hint)
            return None
        ref = self._card(subject)
        width, about = self.width(rest, line) if rest else (None, True)
        if ref is None or (rest and width is None):
            return None
        known: Literal["set-up", "anatomy"] = "anatomy" if kind == "anatomy" else "set-up"
        return Diagram(known, ref, None, width, notes, line, about=about)

    def width(self, text: str, line: int) -> tuple[float | None, bool]:
        """Return the width in a text, mm, None after a finding; and True if it is "about" that."""
        about = text.startswith(ABOUT)
        try:
            width = parse_length(text.removeprefix(ABOUT))
        except ValueError:
            width = 0.0
        if NARROWEST <= width <= WIDEST:
            return width, about
        message = f"'{text}' is not a width from {NARROWEST:g}mm to {WIDEST:g}mm"
        self._problem("book/width", message, line, "write 60mm, or about 60mm")
        return None, about

    def _items(self, kind: str, inside: Sequence[Block], line: int) -> list[Item]:
        """Return the items of a block's only list; none after findings."""
        items: list[Item] = []
        wrong = False
        for block in inside:
            if isinstance(block, Listing):
                items += block.items
            else:
                wrong = True
                hint = "move other text before or after the block"
                message = f"':::{kind}' can contain only a list"
                self._problem("book/diagram", message, block.line, hint)
        if not items and not wrong:
            hint = "write items such as: 1. `deck` Shuffle the cards."
            self._problem("book/diagram", f"':::{kind}' has no list", line, hint)
        return [] if wrong else items

    def _panels(self, inside: Sequence[Block], line: int) -> tuple[Panel, ...]:
        """Return the panels of a strip, numbered in a numbered list; none after findings."""
        items = self._items("strip", inside, line)
        if items and not LEAST_PANELS <= len(items) <= MOST_PANELS:
            message = f"':::strip' has {len(items)} items, not {LEAST_PANELS} to {MOST_PANELS}"
            self._problem("book/diagram", message, line, "split it into two, or write a list")
            return ()
        numbers = [_number(item, 0) for item in items]
        panels = [
            self._panel("" if number == "0" else number, item) for number, item in zip(numbers, items)
        ]
        return tuple(panel for panel in panels if panel is not None) if None not in panels else ()

    def _panel(self, number: str, item: Item) -> Panel | None:
        first = item.blocks[0] if len(item.blocks) == 1 else None
        icon, picture = None, None
        names: tuple[str, ...] = ()
        words: tuple[Inline, ...] = ()
        if isinstance(first, Figure) and len(first.pictures) == 1:
            picture = first.pictures[0]
            names, words = leading_names(first.beside)
        elif isinstance(first, Paragraph) and isinstance(first.words[0], Icon):
            icon, words = first.words[0], first.words[1:]
        heading, text = _heading(words)
        if (icon is None and picture is None) or len(names) > 1 or not (heading or text):
            hint = "write: 1. :icon: **Heading** Text, or 1. ![](card:cards/fox) `part` **Heading** Text"
            message = "an item of ':::strip' needs one icon or card, a heading and one paragraph"
            self._problem("book/diagram", message, item.line, hint)
            return None
        return Panel(number, icon, picture, names[0] if names else None, heading, text, item.line)

    def _notes(self, kind: str, inside: Sequence[Block], line: int) -> tuple[Note, ...]:
        """Return the notes of a diagram, numbered; none after findings."""
        items = self._items(kind, inside, line)
        if len(items) > MOST_NOTES:
            message = f"':::{kind}' has {len(items)} items, more than {MOST_NOTES}"
            self._problem("book/diagram", message, items[MOST_NOTES].line, "split it into two")
            return ()
        notes = [self._note(kind, _number(item, place), item) for place, item in enumerate(items, 1)]
        named = 0
        for note in notes:
            named += 0 if note is None else len(note.names)
            if note is not None and named > MOST_NAMES:
                message = f"':::{kind}' names more than {MOST_NAMES} places"
                self._problem("book/diagram", message, note.line, "split it into two")
                return ()
        return () if None in notes else tuple(note for note in notes if note is not None)

    def _note(self, kind: str, number: str, item: Item) -> Note | None:
        first = item.blocks[0] if item.blocks else None
        if not isinstance(first, Paragraph) or len(item.blocks) > 1:
            message = f"an item of ':::{kind}' needs a name and one paragraph: 1. `deck` Shuffle the cards."
            line = item.blocks[1].line if len(item.blocks) > 1 else item.line
            self._problem("book/diagram", message, line, None)
            return None
        names, words = leading_names(first.words)
        if kind == "anatomy" and len(names) > 1:
            message = "a label of ':::anatomy' can point to only one place"
            self._problem("book/diagram", message, first.line, "write one item for each place")
            return None
        if (kind in ("anatomy", "scene") and not names) or not words:
            hint = "begin it with the name in back quotes: 1. `deck` Shuffle the cards."
            what = "has no name" if not names else "has no text"
            self._problem("book/diagram", f"this item of ':::{kind}' {what}", first.line, hint)
            return None
        return Note(number, names, words, first.line)


def leading_names(words: Sequence[Inline]) -> tuple[tuple[str, ...], tuple[Inline, ...]]:
    """Return the names in back quotes at the start of a text, and the rest of it."""
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
    """Return the bold words at the start of a text, and the rest of it."""
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


def _number(item: Item, place: int) -> str:
    """Return the number of an item of a list, or its place in a list without numbers."""
    number = item.bullet.rstrip(".)")
    return number if number.isdigit() else str(place)
