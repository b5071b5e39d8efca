"""Small print outside the cards, as set text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from cardgen.drawing.draw import assemble, draw_sides
from cardgen.drawing.objects import DrawnArt
from cardgen.drawing.sides import DrawnSide
from cardgen.drawing.store import ArtStore
from cardgen.geometry import IDENTITY, Matrix, Rect
from cardgen.model.artwork import Artwork, SetText, TextRun
from cardgen.model.sheets import Label, Page
from cardgen.typesetting.composing import set_line
from cardgen.typesetting.fallback import missing
from cardgen.typesetting.fonts import FontBook
from cardgen.typesetting.shaping import Font
from cardgen.typesetting.spans import Options, Span, Style

FAMILY = "IBM Plex Sans Condensed"
_BLACK = (0.0, 0.0, 0.0)
_SHRINK = Options(shrink=True)
_AT_ONCE = 500
"""Pages whose labels are held as text at a time."""


def set_labels(labels: Iterable[Label], fonts: FontBook) -> tuple[SetText, ...]:
    """Labels as set text, each made smaller where its room asks for it. Letters that the font lacks are
    taken from others as in any text; a letter that none has is a question mark."""
    font = fonts.face(FAMILY)
    return tuple(_set(label, font) for label in labels)


def drawn_labels(pages: Sequence[Page], fonts: FontBook) -> DrawnArt:
    """The labels of each page as one side of its size, drawn like any other, some pages at a time."""
    store = ArtStore.memory()
    sides: dict[str, DrawnSide] = {}
    for start in range(0, len(pages), _AT_ONCE):
        numbered = enumerate(pages[start : start + _AT_ONCE], start)
        artworks = [
            Artwork(label_key(number), page.size, 0.0, set_labels(page.labels, fonts))
            for number, page in numbered
            if page.labels
        ]
        sides.update((side.key, side) for side in draw_sides(artworks, {}, store))
    return assemble(sides, fonts, store)


def label_key(number: int) -> str:
    """The key of the drawn labels of a page, counted from 0."""
    return f"labels-{number}"


def missing_letters(pages: Sequence[Page], fonts: FontBook) -> dict[str, str]:
    """The letters of these pages' labels that no font has, each with the first label that needs it."""
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
