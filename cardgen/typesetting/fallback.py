"""Letters that a font lacks, taken from others: spans are cut by font before anything is measured.

What a font sets is decided by clusters, so that no accent parts from its letter. Lines are as high as
those of the font that was asked for.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from cardgen.typesetting.shaping import Font
from cardgen.typesetting.spans import HardBreak, IconSpan, Paragraph, Span, Style

_JOINER = "\u200d"


def in_fonts(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """The paragraphs with spans in the fonts that have their letters."""
    styles: dict[tuple[int, Font], Style] = {}
    result = list(paragraphs)
    for index, paragraph in enumerate(paragraphs):
        spans: list[Span | IconSpan | HardBreak] = []
        cut = False
        for span in paragraph.spans:
            if not isinstance(span, Span) or span.style.font.covers(span.text):
                spans.append(span)
                continue
            style = span.style
            for font, text in _runs(style.font, span.text):
                if font is style.font:
                    spans.append(Span(text, style))
                else:
                    cut = True
                    key = (id(style), font)
                    if key not in styles:
                        styles[key] = replace(style, font=font, base=style)
                    spans.append(Span(text, styles[key]))
        if cut:
            result[index] = replace(paragraph, spans=spans)
    return result


def in_one_font(text: str, style: Style) -> Style:
    """The style for a short text as a whole: in the first font that has all its letters."""
    if style.font.covers(text):
        return style
    font = style.font.stand_in(text)
    return style if font is style.font else replace(style, font=font, base=style)


def missing(font: Font, text: str) -> str:
    """The distinct characters of a text that neither the font nor those that lend it letters set in one
    color."""
    if font.covers(text):
        return ""
    found: dict[str, None] = {}
    for used, run in _runs(font, text):
        found.update(dict.fromkeys(run if used.is_painted else used.missing(run)))
    return "".join(found)


def width_of(font: Font, text: str) -> float:
    """The width in em of a line of text in plain style, each word shaped alone."""
    words = text.split(" ")
    parts = [run for word in words if word for run in _runs(font, word)]
    return sum(used.word(part).advance for used, part in parts) + font.word(" ").advance * (len(words) - 1)


def _runs(font: Font, text: str) -> Iterator[tuple[Font, str]]:
    """The text cut by font. White space is of the `font` asked for, unless it stands between letters of
    the same other one."""
    if font.covers(text):
        yield font, text
        return
    current = font
    run: list[str] = []
    space: list[str] = []
    for cluster in clusters(text):
        if cluster.isspace():
            space.append(cluster)
            continue
        found = font.stand_in(cluster)
        if found is not current:
            if current is font:
                run += space
                space = []
            if run:
                yield current, "".join(run)
            run = []
            if space and found is not font:
                yield font, "".join(space)
                space = []
            current = found
        run += space
        run.append(cluster)
        space = []
    if current is font:
        run += space
        space = []
    if run:
        yield current, "".join(run)
    if space:
        yield font, "".join(space)


def clusters(text: str) -> Iterator[str]:
    """What is one letter to the eye, as UAX #29 has it but for rare scripts: with its marks, joined ones
    and the pairs of a flag together."""
    start = 0
    paired = False
    for index in range(1, len(text)):
        before, char = text[index - 1], text[index]
        flag = _is_half_flag(before) and _is_half_flag(char) and not paired
        paired = flag
        if not (flag or before == _JOINER or _joins(char)):
            yield text[start:index]
            start = index
    if text:
        yield text[start:]


@lru_cache(maxsize=8192)
def _joins(char: str) -> bool:
    """Whether a character belongs to the one before it."""
    code = ord(char)
    return (
        unicodedata.category(char)[0] == "M"
        or char in "\u200c\u200d\u0e33\u0eb3"  # joiners; vowels of Thai and Lao that go around
        or 0x1160 <= code <= 0x11FF  # the vowels and ends of Hangul syllables
        or 0xD7B0 <= code <= 0xD7FF
        or 0x1F3FB <= code <= 0x1F3FF  # colours of skin
    )


def _is_half_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"
