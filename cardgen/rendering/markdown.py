"""The Markdown of card text, as `tspan` elements.

**bold**, *italic*, ++underlined++, ~~struck out~~, raised^2^, lowered~2~, paragraphs (a blank line
between), `-` and `1.` lists, rules (`---` between blank lines), hard line breaks (two spaces or a backslash
at a line's end) and backslash escapes. Everything else, such as headings and links, is printed as it
stands: card text has no use for them, and code on a card must not vanish. `:icon:` and HTML pass through;
text_flow.py turns the one into an icon, wherever it stands, and refuses the other.

Blocks become `<tspan cg:block="…">`: `paragraph`, `rule`, or `item` with `cg:bullet` and `cg:level`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from cardgen.svg.recent import Recent

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

BULLET = "•"

_KEPT = 5_000
_LONGEST_KEPT = 5_000

_COMPLEX = re.compile(r"[_\\\n^~]|\+\+|\A(?:[-+*]|\d+[.)])(?:\s|\Z)|\A[-*_\s]+\Z")
_MARKED = re.compile(rf"\*|{_COMPLEX.pattern}")

_APART = re.compile(r"\n(?:[ \t]*\n)+")
"""What stands between paragraphs."""

_ODD = re.compile(r"[^\S \t\n]")
"""Blanks that may stand for a paragraph."""

# Paired emphasis around whole words on one line: all that most card texts have. The parser makes the
# same of it (a test compares them), and takes forty times as long.
_PAIR = re.compile(
    r"(?<![\w*])(\*\*?)(\w(?:[^*]*[^\s*])?)\1(?![\w*])"
    r"(?:(?<=\w\*)|(?<=\w\*\*)|(?= |\Z))"  # after a colon or full stop only before a space
)
_SIMPLE = re.compile(rf"[^*]*(?:{_PAIR.pattern}[^*]*)*")
_TAGS = {"*": '<tspan font-style="italic">', "**": '<tspan font-weight="bold">'}

_INLINE = {
    "strong_open": '<tspan font-weight="bold">',
    "em_open": '<tspan font-style="italic">',
    "ins_open": '<tspan text-decoration="underline">',
    "s_open": '<tspan text-decoration="line-through">',
    "sup_open": '<tspan baseline-shift="super" font-size="80%">',
    "sub_open": '<tspan baseline-shift="sub" font-size="80%">',
    "strong_close": "</tspan>",
    "em_close": "</tspan>",
    "ins_close": "</tspan>",
    "s_close": "</tspan>",
    "sup_close": "</tspan>",
    "sub_close": "</tspan>",
    "hardbreak": '<tspan cg:block="break"/>',
}


class Markdown:
    """Turns Markdown into type. Keeps what it has lately turned."""

    def __init__(self) -> None:
        self._done: Recent[tuple[str, bool], Markup] = Recent(_KEPT)
        self._parser: MarkdownIt | None = None

    def __call__(self, text: str, *, inline: bool = False) -> Markup:
        """The blocks of a text or, if it is to stand `inline`, the content of its only paragraph; of
        several they are all blocks."""
        source = str(text)
        if len(source) > _LONGEST_KEPT:
            return self._turn(source, inline)
        done = self._done.get((source, inline))
        if done is None:
            done = self._turn(source, inline)
            self._done.put((source, inline), done)
        return done

    def _turn(self, source: str, inline: bool) -> Markup:
        whole = source.strip()
        blocks: list[_Block] = []
        for line in _APART.split(whole) if whole else ():
            content = _simple(line.strip())
            if content is None or (blocks and _ODD.search(source)):
                return Markup(_joined(_blocks(self._parse(source)), inline))
            blocks.append(("paragraph", "", content))
        return Markup(_joined(blocks, inline))

    def _parse(self, source: str) -> list[Token]:
        if self._parser is None:
            from cardgen.rendering.markdown_rules import card_text

            self._parser = card_text()
        return self._parser.parse(source)


_Block = tuple[str, str, str]
"""Kind, attributes, content."""


def _simple(line: str) -> str | None:
    """What a paragraph of one line comes to; None where the parser has to tell."""
    if not _MARKED.search(line):
        return str(escape(line))
    if _COMPLEX.search(line) or not _SIMPLE.fullmatch(line):
        return None
    return _PAIR.sub(lambda pair: f"{_TAGS[pair[1]]}{pair[2]}</tspan>", str(escape(line)))


def _joined(blocks: list[_Block], inline: bool) -> str:
    if inline and len(blocks) == 1 and blocks[0][0] == "paragraph":
        return blocks[0][2]
    return "".join(
        f'<tspan cg:block="{kind}"{attributes}>{content}</tspan>' for kind, attributes, content in blocks
    )


def _blocks(tokens: list[Token]) -> list[_Block]:
    blocks: list[_Block] = []
    numbers: list[int | None] = []
    bullet: str | None = None
    for token in tokens:
        kind = token.type
        if kind == "bullet_list_open":
            numbers.append(None)
        elif kind == "ordered_list_open":
            start = token.attrGet("start")
            numbers.append(int(start) if start is not None else 1)
        elif kind in ("bullet_list_close", "ordered_list_close"):
            numbers.pop()
        elif kind == "list_item_open":
            number = numbers[-1]
            bullet = BULLET if number is None else f"{number}."
            if number is not None:
                numbers[-1] = number + 1
        elif kind == "inline":
            attributes = f' cg:level="{len(numbers)}"' if numbers else ""
            if bullet is not None:
                attributes += f' cg:bullet="{bullet}"'
                bullet = None
            kind = "item" if attributes else "paragraph"
            blocks.append((kind, attributes, _inline(token.children or [])))
        elif kind == "hr":
            blocks.append(("rule", "", ""))
    return blocks


def _inline(tokens: list[Token]) -> str:
    parts: list[str] = []
    for token in tokens:
        known = _INLINE.get(token.type)
        if known is not None:
            parts.append(known)
        elif token.type == "text_special" and token.content in ":\\<&":
            # In an element of its own, a colon starts no icon, < no tag and & no name; a backslash is one.
            parts.append(f"<tspan>{escape(token.content)}</tspan>")
        elif token.type == "text_special" and token.content == "*" and parts and parts[-1][-1:] == "*":
            parts.append("<tspan>*</tspan>")  # two that were meant as stars
        elif token.type == "text_special":
            parts.append(str(escape(token.content)))
        else:
            parts.append(str(escape(token.content)))
    return "".join(parts)
