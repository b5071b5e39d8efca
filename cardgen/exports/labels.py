"""Labels of sheets as set text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from cardgen.core.artwork import SetText, TextRun
from cardgen.core.geometry import IDENTITY, Matrix, Rect
from cardgen.core.sheets import Label, Page
from cardgen.text.fonts import FontBook
from cardgen.text.setting import set_line
from cardgen.text.shaping import Font
from cardgen.text.spans import Options, Span, Style, missing

FAMILY = "IBM Plex Sans Condensed"
_BLACK = (0.0, 0.0, 0.0)
_SHRINK = Options(shrink=True)


def set_labels(labels: Iterable[Label], fonts: FontBook) -> tuple[SetText, ...]:
    """Return labels as set text, each shrunk to fit its room. Letters that the font lacks come from other
    fonts as in any text, or become question marks."""
    font = fonts.face(FAMILY)
    return tuple(_set(label, font) for label in labels)


def missing_letters(pages: Sequence[Page], fonts: FontBook) -> dict[str, str]:
    """Return the letters of page labels that no font has, each with the first label that needs it."""
    font = fonts.face(FAMILY)
    found: dict[str, str] = {}
    for page in pages:
        for label in page.labels:
            for letter in missing(font, label.text):
                found.setdefault(letter, label.text)
    return found


def _set(label: Label, font: Font) -> SetText:
    matrix = Matrix(0, -1, 1, 0, label.x, label.y) if label.rotation else IDENTITY
    x, y = (0.0, 0.0) if label.rotation else (label.x, label.y)
    if not font.covers(label.text):
        lacking = set(missing(font, label.text))
        text = "".join("?" if letter in lacking else letter for letter in label.text)
        span = Span(text, Style(font, label.size, _BLACK))
        composed = set_line([span], x, y, width=label.room, options=_SHRINK)
        return SetText(composed.runs, composed.box, composed.size, matrix)
    # Word by word: labels differ in page numbers (7/54), and other words are kept.
    parts = filter(None, re.split("( )", label.text))
    words = tuple([font.passing(part) if "/" in part else font.word(part) for part in parts])
    advance = sum(word.advance for word in words)
    size = label.size
    if label.room is not None and advance * size > label.room:
        size = label.room / advance
    run = TextRun(font.key, size, x, y, words, _BLACK)
    box = Rect(x, y - font.ascent * size, run.advance, (font.ascent + font.descent) * size)
    return SetText((run,), box, size, matrix)
