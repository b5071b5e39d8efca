"""Texts that run right to left, or both ways: Unicode's bidirectional algorithm (UAX #9).

Lines are broken in the order of reading. What runs the other way is shaped so from the start, and each
line is put into the order that it is seen in when it is set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import TypeVar

from cardgen.typesetting.breaking import ICON
from cardgen.typesetting.spans import Direction, HardBreak, IconSpan, Span, Style

T = TypeVar("T")
_Part = Span | IconSpan | HardBreak

_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""The blocks that Unicode keeps for such scripts, and the signs that turn the direction."""
_LANGUAGES = frozenset(("ar", "ckb", "dv", "fa", "he", "iw", "ks", "ps", "sd", "syr", "ug", "ur", "yi"))
_SCRIPTS = frozenset(("adlm", "arab", "hebr", "nkoo", "syrc", "thaa"))
_BREAKS = str.maketrans(dict.fromkeys("\n\r\x1c\x1d\x1e\x85\u2029", " "))
"""Characters that would end a paragraph; they are white space here."""
_LEVEL = re.compile(r"\d+")
_LEVELS = "\n    levels: ["
_PARAGRAPHS = "\n    paragraphs: ["


def direction_of(language: str) -> Direction:
    """Which way paragraphs run in a game of this language (BCP 47), unless they say so themselves: in one
    that is written right to left, that way; in any other as their first letter does."""
    name, *more = language.lower().replace("_", "-").split("-")
    script = next((part for part in more if len(part) == 4), None)
    return "rtl" if (name in _LANGUAGES if script is None else script in _SCRIPTS) else "auto"


def runs_right_to_left(spans: Sequence[_Part], direction: Direction) -> bool:
    """Whether a paragraph that asks for `direction` does. One without letters runs left to right."""
    if direction != "auto":
        return direction == "rtl"
    if not _has_such_letters(spans):
        return False
    from bidi import get_base_level  # few games need it

    text = "".join(span.text for span in spans if isinstance(span, Span))
    return bool(get_base_level(text.translate(_BREAKS)) == 1)


def directed(spans: Sequence[_Part], right_to_left: bool) -> Sequence[_Part]:
    """The spans of a paragraph, cut wherever the direction changes, with styles of their levels."""
    if not right_to_left and not _has_such_letters(spans):
        return spans
    styles: dict[tuple[int, int], Style] = {}

    def style_at(style: Style, level: int) -> Style:
        key = (id(style), level)
        if key not in styles:
            font = style.font.directed("rtl" if level % 2 else "ltr")
            styles[key] = replace(style, font=font, level=level) if level else style
        return styles[key]

    result: list[_Part] = []
    for is_break, line in groupby(spans, lambda span: isinstance(span, HardBreak)):
        parts = list(line)
        if is_break:
            result += parts
            continue
        levels = _levels("".join(_text(part) for part in parts), right_to_left)
        at = 0
        for part in parts:
            length = len(_text(part))
            own, at = levels[at : at + length], at + length
            if isinstance(part, IconSpan):
                result.append(replace(part, style=style_at(part.style, own[0])))
            elif isinstance(part, Span):
                start = 0
                for level, same in groupby(own):
                    end = start + len(list(same))
                    result.append(Span(part.text[start:end], style_at(part.style, level)))
                    start = end
    return result


def in_sight(units: list[T], levels: Sequence[int]) -> list[T]:
    """What stands on a line in the order of reading, in the order of sight (rule L2)."""
    order = list(range(len(units)))
    for level in range(max(levels, default=0), 0, -1):
        start = 0
        while start < len(order):
            end = start
            while end < len(order) and levels[order[end]] >= level:
                end += 1
            order[start:end] = order[start:end][::-1]
            start = max(end, start + 1)
    return [units[index] for index in order]


def _has_such_letters(spans: Sequence[_Part]) -> bool:
    return any(
        isinstance(span, Span) and not span.text.isascii() and _RIGHT_TO_LEFT.search(span.text) is not None
        for span in spans
    )


def _text(part: _Part) -> str:
    return part.text if isinstance(part, Span) else ICON


@lru_cache(maxsize=4096)
def _levels(text: str, right_to_left: bool) -> list[int]:
    """The level of each character: even ones run left to right, odd ones right to left."""
    from bidi import get_display

    text = text.translate(_BREAKS)
    said = str(get_display(text, base_dir="R" if right_to_left else "L", debug=True))
    # The levels of all bytes of the text, as the library shows what it has reckoned. What stands before
    # them holds the text with its line ends escaped.
    of_bytes = [
        int(level)
        for level in _LEVEL.findall(said, said.index(_LEVELS) + len(_LEVELS), said.rindex(_PARAGRAPHS))
    ]
    return list(_at_characters(text, of_bytes))


def _at_characters(text: str, of_bytes: Sequence[int]) -> Iterator[int]:
    at = 0
    for character in text:
        yield of_bytes[at]
        at += len(character.encode())
