"""Markdown to elements. What a book has no use for, and what it names in vain, are findings."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from cardgen.book.directives import DIRECTIVE_ENDS, DirectiveReader, directive_rule
from cardgen.book.elements import (
    Alignment,
    Block,
    Callout,
    CardRef,
    Figure,
    Heading,
    Icon,
    Inline,
    Item,
    LineEnd,
    Listing,
    PageEnd,
    Paragraph,
    Picture,
    Table,
    Text,
    Words,
    plain,
)
from cardgen.findings import Findings, Location, nearest
from cardgen.model.book import BookGame
from cardgen.typesetting.emphasis import STRAY_HINT, markdown_parser, stray_mark
from cardgen.typesetting.icon_marks import IconNames, marks
from cardgen.units import parse_length

BULLETS = ("•", "–", "·")
"""By how deep a list lies in others."""

_LARGEST_ICON = 1.4
"""How many times as high as the type an icon may be: its lines are all equally high."""
MAX_LEVEL = 4
CARD = "card:"
_LABEL = re.compile(r"\[!([^\]\n]+)\][ \t]*")
_ALIGNED: dict[str, Alignment] = {"left": "start", "center": "center", "right": "end"}


@dataclass(frozen=True, slots=True)
class Source:
    """A Markdown text: the file it is from, relative to the project, and the line there of each of
    its lines, which count from 0."""

    game: BookGame
    file: str
    text: str
    line: Callable[[int], int]


def read_book(source: Source, icons: IconNames, findings: Findings) -> Text:
    """The elements of a rulebook. `icons` are those that it may name.

    Findings, all errors: `book/markdown` (what a book has no use for), `book/card`, `book/icon`,
    `book/link` (nothing of that name), `book/width`, `book/title`.
    """
    return _Reader(source, icons, findings).read()


class _Nodes:
    """Tokens read one after the other, with their nesting."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0

    def peek(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self) -> Token:
        token = self.tokens[self.at]
        self.at += 1
        return token


@dataclass(slots=True)
class _Style:
    bold: int = 0
    italic: int = 0
    target: list[str] = field(default_factory=list)


class _Reader:
    def __init__(self, source: Source, icons: IconNames, findings: Findings) -> None:
        self.source, self.icons, self.findings = source, icons, findings
        self.cards, self.gone = source.game.cards, source.game.gone
        self.keys: dict[str, int] = {}
        self.links: list[tuple[str, int]] = []
        self.line = 1
        self._directives = DirectiveReader(self._card, self._problem)

    def read(self) -> Text:
        nodes = _Nodes(_parser().parse(self.source.text))
        blocks = list(self._blocks(nodes, 0))
        titles = [block for block in blocks if isinstance(block, Heading) and block.level == 1]
        if not titles or blocks[0] is not titles[0]:
            self._problem(
                "book/title",
                "the book does not begin with its title",
                1,
                "begin with one line such as: # The title",
            )
        for icon in (word for title in titles[:1] for word in title.words if isinstance(word, Icon)):
            message = f"the icon ':{icon.mark.name}:' is not printed in a title"
            self._problem("book/icon", message, titles[0].line, "leave it out")
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

    def _blocks(self, nodes: _Nodes, depth: int, until: str = "") -> Iterator[Block]:
        while (token := nodes.peek()) is not None:
            nodes.take()
            if token.type == until:
                return
            if token.map is not None:
                self.line = self.source.line(token.map[0])
            line = self.line
            kind = token.type
            if kind == "heading_open":
                yield self._heading(nodes, token, line)
            elif kind == "paragraph_open":
                yield from self._paragraph(nodes, line)
            elif kind in ("bullet_list_open", "ordered_list_open"):
                yield self._list(nodes, token, depth, line)
            elif kind == "blockquote_open":
                yield self._callout(nodes, depth, line)
            elif kind == "table_open":
                yield self._table(nodes, line)
            elif kind == "hr":
                yield PageEnd(line)
            elif kind == "directive_open":
                inside = tuple(self._blocks(nodes, depth, "directive_close"))
                self.line = line
                yield from self._directives.read(token, inside, line)
            elif kind in ("fence", "code_block"):
                self._unused("a block of code", "write `code` in a line, or a table")
            elif kind == "html_block" and not token.content.lstrip().startswith("<!--"):
                self._unused("HTML", "write Markdown; a < in the text is written \\<")

    def _heading(self, nodes: _Nodes, token: Token, line: int) -> Heading:
        level = int(token.tag[1:])
        words = self._inline(nodes.take())
        nodes.take()
        if level > MAX_LEVEL:
            self._unused(f"a heading of level {level}", f"{'#' * MAX_LEVEL} is the lowest level")
        title = plain(words)
        key = slug(title)
        self.keys[key] = count = self.keys.get(key, 0) + 1
        return Heading(min(level, MAX_LEVEL), words, key if count == 1 else f"{key}-{count}", line)

    def _paragraph(self, nodes: _Nodes, line: int) -> Iterator[Block]:
        inline = nodes.take()
        nodes.take()
        children = inline.children or []
        leading: list[Token] = []
        while children and (children[0].type == "image" or (leading and _blank(children[0]))):
            if children[0].type == "image":
                leading.append(children[0])
            children = children[1:]
        if not leading:
            yield Paragraph(self._inline(inline), line)
            return
        pictures = tuple(picture for token in leading if (picture := self._picture(token)) is not None)
        inline.children = children
        beside = self._inline(inline) if children else ()
        if pictures:
            yield Figure(pictures, beside, line)
        elif beside:
            yield Paragraph(beside, line)

    def _list(self, nodes: _Nodes, token: Token, depth: int, line: int) -> Listing:
        ordered = token.type == "ordered_list_open"
        start = token.attrGet("start")
        number = int(start) if start is not None else 1
        until = token.type.replace("open", "close")
        items: list[Item] = []
        while nodes.take().type != until:
            bullet = f"{number}." if ordered else BULLETS[min(depth, len(BULLETS) - 1)]
            blocks = tuple(self._blocks(nodes, depth + 1, "list_item_close"))
            for block in blocks:
                if isinstance(block, Heading | PageEnd):
                    self._problem("book/markdown", "a list can't hold this", block.line)
            items.append(Item(bullet, blocks, blocks[0].line if blocks else line))
            number += 1
        return Listing(tuple(items), line)

    def _callout(self, nodes: _Nodes, depth: int, line: int) -> Callout:
        label = None
        ahead = nodes.tokens[nodes.at + 1] if nodes.at + 1 < len(nodes.tokens) else None
        if ahead is not None and ahead.type == "inline" and (found := _LABEL.match(ahead.content)):
            self.line = line
            label = tuple(self._words(found[1].strip(), _Style()))
            ahead.content = ahead.content[found.end() :].lstrip("\n")
            ahead.children = _parser().parseInline(ahead.content)[0].children
            if not ahead.content.strip():
                del nodes.tokens[nodes.at : nodes.at + 3]
        blocks = tuple(self._blocks(nodes, depth, "blockquote_close"))
        for block in blocks:
            if isinstance(block, Heading | PageEnd):
                self._problem("book/markdown", "a call-out can't hold this", block.line)
        return Callout(label, blocks, line)

    def _table(self, nodes: _Nodes, line: int) -> Table:
        rows: list[tuple[tuple[Inline, ...], ...]] = []
        aligned: list[Alignment] = []
        lines: list[int] = []
        row: list[tuple[Inline, ...]] = []
        while (token := nodes.take()).type != "table_close":
            if token.type == "tr_open":
                row = []
                if token.map is not None:
                    self.line = self.source.line(token.map[0])
                lines.append(self.line)
            elif token.type in ("th_open", "td_open"):
                style = str(token.attrGet("style") or "")
                if token.type == "th_open":
                    aligned.append(_ALIGNED.get(style.rpartition(":")[2], "start"))
            elif token.type == "inline":
                row.append(self._inline(token))
            elif token.type == "tr_close":
                rows.append(tuple(row))
        return Table(tuple(rows), tuple(aligned), tuple(lines), line)

    # ------------------------------------------------------------ within a line

    def _inline(self, token: Token) -> tuple[Inline, ...]:
        style = _Style()
        parts: list[Inline] = []
        line = self.line
        children = token.children or []
        for place, child in enumerate(children):
            kind = child.type
            if kind == "text_special":
                parts.append(self._styled(child.content, style))
            elif kind == "text":
                if (stray := stray_mark(child.content)) is not None:
                    message = f"the stars {stray[0]} in '{stray[1]}' would be printed as they stand"
                    at = Location(self.source.file, self.line)
                    self.findings.warning("text/markdown", message, at, STRAY_HINT)
                parts += self._words(child.content, style)
            elif kind == "code_inline":
                parts.append(self._styled(child.content, style, code=True))
            elif kind == "softbreak":
                self.line += 1
                parts.append(self._styled(child.content, style))
            elif kind == "hardbreak":
                self.line += 1
                parts.append(LineEnd())
            elif kind in ("strong_open", "strong_close"):
                style.bold += 1 if kind == "strong_open" else -1
            elif kind in ("em_open", "em_close"):
                style.italic += 1 if kind == "em_open" else -1
            elif kind == "link_open":
                bare = children[place + 1].type == "link_close"
                parts += self._open_link(str(child.attrGet("href") or ""), style, bare=bare)
            elif kind == "link_close":
                style.target.pop()
            elif kind == "image":
                self._unused("a card in the middle of a text", "put it at the start of its paragraph")
            elif kind == "html_inline":
                if not child.content.startswith("<!--"):
                    self._unused(
                        f"HTML ({child.content})", "write Markdown; a < in the text is written \\<"
                    )
            elif child.content:
                parts += self._words(child.content, style)
        self.line = line
        return tuple(parts)

    def _styled(self, text: str, style: _Style, *, code: bool = False) -> Words:
        target = style.target[-1] if style.target and style.target[-1] else None
        return Words(text, style.bold > 0, style.italic > 0, code, target)

    def _words(self, text: str, style: _Style) -> Iterator[Inline]:
        for part in marks(text, self.icons):
            if isinstance(part, str):
                yield self._styled(part, style)
            elif part.name in self.icons:
                if part.wrong is not None:
                    self._problem("book/icon", part.wrong.message, self.line, part.wrong.hint)
                elif part.size > _LARGEST_ICON:
                    hint = f"at most {_LARGEST_ICON:g} times the type's fits between lines"
                    message = f"the icon ':{part.name}:' is too large at {part.size:g}"
                    self._problem("book/icon", message, self.line, hint)
                yield Icon(part)
            else:
                near = self.icons.near(part.name)
                hint = f"did you mean ':{near}:'?" if near else "icons lie in templates/_shared/icons/"
                self._problem("book/icon", f"there is no icon ':{part.name}:'", self.line, hint)
                yield self._styled(f":{part.name}:", style)

    def _open_link(self, target: str, style: _Style, *, bare: bool) -> Iterator[Inline]:
        """Start a link. One to a card leads nowhere; a `bare` one, without text, is the card's title."""
        if target.startswith(CARD):
            ref = self._card(target)
            style.target.append("")
            if ref is not None and bare:
                yield self._styled(self.source.game.title_of(ref.component, ref.card), style)
            return
        if target.startswith("#"):
            self.links.append((target[1:], self.line))
        elif urlsplit(target).scheme not in ("http", "https", "mailto"):
            hint = "links lead to a heading (#set-up), a card (card:cards/fox) or an address (https://…)"
            self._problem("book/link", f"'{target}' leads nowhere", self.line, hint)
        style.target.append(target)

    def _picture(self, token: Token) -> Picture | None:
        target = str(token.attrGet("src") or "")
        line = self.line
        if not target.startswith(CARD):
            hint = "a book shows cards, such as ![](card:cards/fox)"
            self._problem("book/card", f"'{target}' is not a card", line, hint)
            return None
        ref = self._card(target)
        width = None
        wanted = token.attrGet("title")
        if wanted is not None:
            try:
                width = parse_length(str(wanted))
            except ValueError:
                width = 0.0
            if not 8 <= width <= 200:
                self._problem(
                    "book/width", f"'{wanted}' is no width from 8mm to 200mm", line, 'write "40mm"'
                )
                width = None
        if ref is None:
            return None
        return Picture(ref, self._inline(token), width, line)

    def _card(self, target: str) -> CardRef | None:
        """The card that `card:COMPONENT/ID` or `card:COMPONENT/ID#back` names. None after a finding, or
        for one in error that has not even a place, which is said."""
        name, _, side = target.removeprefix(CARD).partition("#")
        component, _, card = name.partition("/")
        has_back = self.cards.get((component, card))
        if has_back is not None and side in ("", "face"):
            return CardRef(component, card)
        if has_back and side == "back":
            return CardRef(component, card, "back")
        if has_back is None and card in self.gone:
            return None
        near = nearest(name, map("/".join, self.cards))
        hint = (
            f"did you mean 'card:{near}'?" if near else "write card:COMPONENT/ID or card:COMPONENT/ID#back"
        )
        what = f"there is no card '{name}'"
        if has_back is not None:
            what, hint = f"the card '{name}' has no side '{side}'", "write #face or #back"
            if side == "back":
                what, hint = f"the card '{name}' has no back", "show its face"
        self._problem("book/card", what, self.line, hint)
        return None

    # ------------------------------------------------------------ findings

    def _check_links(self) -> None:
        for key, line in self.links:
            if key not in self.keys:
                near = nearest(key, self.keys)
                hint = f"did you mean '#{near}'?" if near else f"there are: {', '.join(self.keys)}"
                self._problem("book/link", f"there is no heading '#{key}'", line, hint)

    def _unused(self, what: str, hint: str) -> None:
        self._problem("book/markdown", f"a book has no use for {what}", self.line, hint)

    def _problem(self, code: str, message: str, line: int, hint: str | None = None) -> None:
        self.findings.error(code, message, Location(self.source.file, line), hint)


def _parser() -> MarkdownIt:
    # Left apart, an escaped colon can be told from a typed one.
    parser = markdown_parser("commonmark").enable("table").disable("text_join")
    parser.block.ruler.before("fence", "directive", directive_rule, {"alt": list(DIRECTIVE_ENDS)})
    return parser


def _blank(token: Token) -> bool:
    return token.type == "softbreak" or (token.type == "text" and not token.content.strip())


def slug(title: str) -> str:
    """A heading's key: its letters and digits in lower case, joined by -."""
    text = unicodedata.normalize("NFKC", title).casefold()
    return "-".join(re.findall(r"\w+", text)) or "heading"
