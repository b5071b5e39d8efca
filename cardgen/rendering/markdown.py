"""The Markdown of card text, as `tspan` elements.

**bold**, *italic*, paragraphs (a blank line between), `-` and `1.` lists, hard line breaks (two spaces
or a backslash at a line's end) and backslash escapes. Everything else, such as headings, links and
HTML, is printed as it stands: card text has no use for them, and code on a card must not vanish.
`:icon:` passes through; text.py turns it into an icon, wherever it stands.

Blocks become `<tspan cg:block="…">`: `paragraph`, or `item` with `cg:bullet` and `cg:level`. A text of one
paragraph has no block around it, so that the filter also serves single lines.
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

_COMPLEX = re.compile(r"[_\\\n]|\A(?:[-+*]|\d+[.)])(?:\s|\Z)")
_MARKED = re.compile(rf"\*|{_COMPLEX.pattern}")

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
    "strong_close": "</tspan>",
    "em_close": "</tspan>",
    "hardbreak": '<tspan cg:block="break"/>',
    "softbreak": " ",
}


class Markdown:
    """Turns Markdown into type. Keeps what it has lately turned."""

    def __init__(self) -> None:
        self._done: Recent[str, Markup] = Recent(_KEPT)
        self._parser: MarkdownIt | None = None

    def __call__(self, text: str) -> Markup:
        source = str(text)
        if len(source) > _LONGEST_KEPT:
            return self._turn(source)
        done = self._done.get(source)
        if done is None:
            done = self._turn(source)
            self._done.put(source, done)
        return done

    def _turn(self, source: str) -> Markup:
        line = source.strip()
        if not _MARKED.search(line):
            return escape(line)
        if not _COMPLEX.search(line) and _SIMPLE.fullmatch(line):
            markup = _PAIR.sub(lambda pair: f"{_TAGS[pair[1]]}{pair[2]}</tspan>", str(escape(line)))
            return Markup(markup)
        if self._parser is None:
            from markdown_it import MarkdownIt

            parser = MarkdownIt("zero").enable(["emphasis", "escape", "newline", "list"])
            # Left apart, escaped characters can be told from typed ones.
            self._parser = parser.disable("text_join")
        return Markup(_blocks(self._parser.parse(source)))


def _blocks(tokens: list[Token]) -> str:
    """Markup of parsed blocks."""
    blocks: list[tuple[str, str]] = []
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
            blocks.append((attributes, _inline(token.children or [])))
    if len(blocks) == 1 and not blocks[0][0]:
        return blocks[0][1]
    return "".join(
        f'<tspan cg:block="{"item" if attributes else "paragraph"}"{attributes}>{content}</tspan>'
        for attributes, content in blocks
    )


def _inline(tokens: list[Token]) -> str:
    parts: list[str] = []
    for token in tokens:
        known = _INLINE.get(token.type)
        if known is not None:
            parts.append(known)
        elif token.type == "text_special" and token.content in ":\\":
            # In an element of its own, a colon starts no icon, and a backslash is one.
            parts.append(f"<tspan>{token.content}</tspan>")
        else:
            parts.append(str(escape(token.content)))
    return "".join(parts)
