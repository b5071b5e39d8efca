"""Text and a box to glyphs with positions: fonts by file, shaping, line breaking, fitting.

    book = FontBook(paths)
    style = Style(book.face("IBM Plex Sans", 400, False), size=3.0, fill=(0, 0, 0))
    composed = compose([Paragraph([Span("Draw 2", style), IconSpan("card", style)])], box, Options())

`compose` fills a box, `set_line` sets one unwrapped line at a point; both return `Composed`, whose
`runs` go into a `model.artwork.SetText`. Nothing here reports findings: what did not fit, which
characters the font lacks and whether the text runs right to left are fields of `Composed`.
"""

from __future__ import annotations

from cardgen.typesetting.breaking import hardness
from cardgen.typesetting.composing import compose, set_line
from cardgen.typesetting.fonts import FaceFile, Family, Font, FontBook, FontError
from cardgen.typesetting.hyphenation import LanguageError
from cardgen.typesetting.spans import (
    Align,
    Anchor,
    Composed,
    HardBreak,
    IconSpan,
    Options,
    Overflow,
    Paragraph,
    Span,
    Style,
    VAlign,
)

__all__ = [
    "Align",
    "Anchor",
    "Composed",
    "FaceFile",
    "Family",
    "Font",
    "FontBook",
    "FontError",
    "HardBreak",
    "IconSpan",
    "LanguageError",
    "Options",
    "Overflow",
    "Paragraph",
    "Span",
    "Style",
    "VAlign",
    "compose",
    "hardness",
    "set_line",
]
