"""Read Markdown in scripts without spaces between words: their marks and line ends.

CommonMark reads `**ターン：**それ` as text: after punctuation a mark closes only before spaces. Here
Chinese, Japanese and Korean punctuation counts as letters, and next to such letters no punctuation counts.

CommonMark reads the stars of `2*3*4` and `(2)*(3)*(4)` as marks. Here a star between two letters, figures
or brackets is a star, and two signs between a figure and a letter or figure are signs. No mark opens before
a closing bracket, nor closes after an opening one, as in `(*)`. Three underscores are a blank to fill in,
four stars a rating.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import MutableMapping
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Scanned
from markdown_it.token import Token

STRAY_HINT = (
    "put stars around words: **Haste:** draw, with a space after punctuation; write \\* to print a star"
)
_STRAY = re.compile(
    r"(?<!\*)\*\*\*?(?!\*)"
    r"|(?<![\w*])\*[^\W\d]{1,40}\*(?=[^\W\d])|(?<=[^\W\d])\*[^\W\d]{1,40}\*(?![\w*])"
)
"""Two or three stars, or two around a part of a word."""
_LONGEST = {"*": 3, "_": 2}
"""Signs in a row that can be marks."""
_OPENING, _CLOSING = "([{", ")]}"
_AROUND = 20
"""Characters on each side of a stray mark in a message."""


def markdown_parser(preset: str) -> MarkdownIt:
    """Return a parser by one of markdown-it's presets that supports text without spaces. The content of its
    `softbreak` tokens is a space or nothing."""
    parser = MarkdownIt(preset)
    parser.inline = _Inline()
    return parser.configure(preset)


def is_wide(char: str) -> bool:
    """Return True if a character is Chinese, Japanese or Korean; pictures (emoji) are not."""
    if char < "\u1100" or unicodedata.east_asian_width(char) not in "WFH":
        return False
    return unicodedata.category(char) != "So" or "\u3000" <= char < "\U0001f000"


def stray_mark(text: str) -> tuple[str, str] | None:
    """Return the first stars in a text that look like unread marks, and some words around them."""
    found = _STRAY.search(text) if "*" in text else None
    if found is None:
        return None
    start, end = max(0, found.start() - _AROUND), found.end() + _AROUND
    start = (start and text.find(" ", start, found.start()) + 1) or start
    return found[0], text[start:end].strip()


def _is_sign(sign: str, length: int, before: str, after: str) -> bool:
    """Return True if a run of signs can't be a mark between these two characters."""
    if length > _LONGEST.get(sign, length):
        return True
    if (
        length == 1
        and (before.isnumeric() or before in _CLOSING)
        and (after.isnumeric() or after in _OPENING)
    ):
        return True
    if not (before.isalnum() and after.isalnum()) or is_wide(before) or is_wide(after):
        return False
    return length == 1 or before.isnumeric() or after.isnumeric()


class _State(StateInline):
    """Overrides of the parser's methods, under its names."""

    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:  # noqa: N802, N803
        scanned = super().scanDelims(start, canSplitWord)
        end = start + scanned.length
        before = self.src[start - 1] if start > 0 else " "
        after = self.src[end] if end < self.posMax else " "
        if _is_sign(self.src[start], scanned.length, before, after):
            return Scanned(False, False, scanned.length)
        if not canSplitWord or not (is_wide(before) or is_wide(after)):
            can_open, can_close = after not in _CLOSING, before not in _OPENING
            return Scanned(scanned.can_open and can_open, scanned.can_close and can_close, scanned.length)
        return Scanned(not after.isspace(), not before.isspace(), scanned.length)


class _Inline(ParserInline):
    def parse(
        self, src: str, md: MarkdownIt, env: MutableMapping[str, Any], tokens: list[Token]
    ) -> list[Token]:
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        _end_lines(state.tokens)
        return state.tokens


def _end_lines(tokens: list[Token]) -> None:
    before = ""
    end: Token | None = None
    for token in tokens:
        if token.type == "softbreak":
            end = token
        elif token.content or token.type == "hardbreak":
            if end is not None:
                end.content = "" if _has_no_spaces(before) and _has_no_spaces(token.content[:1]) else " "
            before, end = token.content[-1:], None
    if end is not None:
        end.content = " "


def _has_no_spaces(char: str) -> bool:
    """Return True if a character's script has no spaces between words: Korean has them."""
    return char != "" and is_wide(char) and "HANGUL" not in unicodedata.name(char, "")
