"""The Markdown of card text, as `tspan` elements.

Words, bold, italic, lines and paragraphs are read here; texts with anything else by a parser
(`markdown_blocks.py`), which takes ten times as long.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

    from cardgen.art.markdown_blocks import Block

BOLD, ITALIC = '<tspan font-weight="bold">', '<tspan font-style="italic">'
BREAK = '<tspan cg:block="break"/>'


class Markdown:
    """Turns Markdown into type."""

    @cached_property
    def _parser(self) -> MarkdownIt:
        from cardgen.art.markdown_blocks import card_text

        return card_text()

    def __call__(self, text: str, *, inline: bool = False) -> Markup:
        """Return the blocks of a text or, if it is `inline`, the content of its only paragraph; of several,
        all blocks."""
        source = plain_line_ends(str(text))
        blocks = plain_blocks(source)
        if blocks is None:
            from cardgen.art.markdown_blocks import blocks_of

            blocks = blocks_of(self._parser, source)
        return Markup(_joined(blocks, inline))


def _joined(blocks: list[Block], inline: bool) -> str:
    if inline and len(blocks) == 1 and blocks[0][0] == "paragraph":
        return blocks[0][2]
    return "".join(
        f'<tspan cg:block="{kind}"{attributes}>{content}</tspan>' for kind, attributes, content in blocks
    )


_MARKED = re.compile(
    r"[\\_~^]|\+\+|^ *(?:[-+]|[0-9]{1,9}[.)](?: |$))|[\u1100-\u1fff\u20a9\u2300-\U0010ffff]", re.MULTILINE
)
"""Marks that only the parser reads, and letters of scripts without spaces."""
_STRESSED = re.compile(
    r"(?<![^\s(])(\*\*?)(?=[^\s*)\]}])([^*\n]*?(?:[^\s*(\[{](?=\1(?:[\s)]|\Z))|\w(?=\1[.,;:!?])))\1"
)
"""Bold or italic words between blanks, brackets or punctuation."""
_PARAGRAPH = re.compile(r"\n(?: *\n)+")


def plain_blocks(source: str) -> list[Block] | None:
    """Return the blocks of a text with plain line ends; None if it needs the parser."""
    if _MARKED.search(source) or not source.replace("\n", "").isprintable():
        return None
    text = str(escape(source))
    if "*" in text:
        text = _STRESSED.sub(_stressed, text)
        if "*" in text:
            return None
    return [
        ("paragraph", "", BREAK.join(line.strip(" ") for line in paragraph.split("\n")))
        for paragraph in _PARAGRAPH.split(text.strip(" \n"))
        if paragraph
    ]


def _stressed(found: re.Match[str]) -> str:
    return f"{BOLD if len(found[1]) == 2 else ITALIC}{found[2]}</tspan>"


LINE = "\u2028"
"""A printed line end in a drawing: white space of the template itself ends no line."""
_END = re.compile(
    r"\r\n|[\n\r\v\f\x85\u2028\u2029]|(?:</?br\s{0,9}/?>|_x000d_)(?:\r?\n|_x000a_)?|_x000[a-c]_", re.I
)
"""Programs that don't know the escapes of XLSX keep `_x000D_` and the like."""
_TAG_OR_STYLE = re.compile(r"""<style\b[^<]*(?:<!\[CDATA\[[^<]*)?|<(?:[^<>"']|"[^"<]*"|'[^'<]*')*>""")


def _has_no_ends(text: str) -> bool:
    """Return True if a text surely has no line end."""
    return text.isprintable() and "<" not in text and "_x000" not in text and "_X000" not in text


def plain_line_ends(text: str) -> str:
    """Return the text with every line end, including `<br>` and `_x000B_`, as a newline."""
    return text if _has_no_ends(text) else _END.sub("\n", text)


def printed_line_ends(text: str) -> str:
    """Return the text with the line ends that a drawing prints: each line end between words is a `LINE`.
    Those before the first word and after the last one are blanks."""
    if _has_no_ends(text) or not _END.search(text):
        return text
    lines = plain_line_ends(text)
    inner = lines.strip()
    start = lines.index(inner) if inner else len(lines)
    return lines[:start] + inner.replace("\n", LINE) + lines[start + len(inner) :]


def outside_tags(svg: str) -> str:
    """Return a drawing with its line ends as blanks in attributes and style sheets, where they end no
    line."""
    if LINE not in svg:
        return svg
    return _TAG_OR_STYLE.sub(lambda found: found[0].replace(LINE, "\n"), svg)
