"""A first look of cards, laid out from the roles of their columns: white, quiet, one grid, little ink."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil
from typing import Any

from cardgen.geometry import Rect, Size
from cardgen.guessing.columns import Column
from cardgen.guessing.drawing import (
    INK,
    LEAST,
    MUTED,
    PAPER,
    READING,
    Drawing,
    is_safe_word,
    plain_words,
)
from cardgen.guessing.palette import Sign, signs
from cardgen.guessing.roles import Roles, words
from cardgen.units import MM_PER_PT

PICTURES = "art/"
"""The folder of a project's pictures."""
EDGE = 4.8
"""From the trim to what stands on the card, mm."""
FRAME = 3.0
"""From the trim to the line around a card of ranks, mm."""
BAND = 2.4
"""What shows of the coloured edge, mm."""
SEAL = 9.4
"""The side of a corner with a number."""
_RAISED = re.compile(r"([\^~])(?:\\.|[^\s^~\\]){1,200}\1")
_MARKED = re.compile(r"(\*{1,3}|~~|\+\+)(?=[^\s*~+])(?:\\.|[^*~+\n\\]){1,200}(?<=\S)\1")
_EM = 0.5
"""The usual letter's width, in its size."""
_LEADING = 1.25
_SIZES = (9.5, 9.0, 8.5, 8.0, 7.5)
KIND, FACT, STATS = 6.2, 4.4, 9.2
"""The heights of the line that says what a card is, of a fact, of the row of figures."""
_GENERIC = frozenset(
    words("text rules rules_text rule_text card_text kartentext regeltext regeln effect effekt")
)
"""Texts that need no heading of their own."""


USUAL = 0.95
"""The share of cards whose texts have room at the size of type that a layout plans with."""


def needed(column: Column, width: float, size: float) -> float:
    """Return the height in mm that a column's text needs on most cards, in a box of a width in mm; `size`
    is that of the type in pt."""
    return usual([height_of(text, width, size) for text in column.texts])


def height_of(text: str, width: float, size: float) -> float:
    """Return about the height of a text in a box of a width, both in mm; `size` of the type is in pt."""
    letters = max(1.0, width / (_EM * size * MM_PER_PT))
    lines = sum(max(1, ceil(len(line) / letters)) for line in text.split("\n"))
    return (lines + 0.3) * size * MM_PER_PT * _LEADING


def picture_file(name: str) -> str:
    """Return the file in a project for a picture that a table names; every template finds it there."""
    return name if name.startswith(PICTURES) else f"{PICTURES}{name}"


def usual(heights: Sequence[float]) -> float:
    """Return the height that is enough for the usual share of cards; 0 for no cards."""
    return sorted(heights)[ceil(USUAL * len(heights)) - 1] if heights else 0.0


def group_signs(roles: Roles) -> list[Sign]:
    """The signs of the words by which cards are grouped; none if a template could not say one of them."""
    words = list(dict.fromkeys(roles.group.texts)) if roles.group is not None else []
    return signs(words) if all(map(is_safe_word, words)) else []


class Face:
    """The face of a card of a size, laid out at once and drawn on demand."""

    def __init__(self, roles: Roles, trim: Size, bleed: float) -> None:
        self.roles = roles
        self.signs = group_signs(roles)
        self.drawing = Drawing(trim.width + 2 * bleed, trim.height + 2 * bleed)
        self.bleed = bleed
        self.left = bleed + EDGE + (BAND - 0.8 if self.signs and not roles.is_index else 0)
        self.right = bleed + trim.width - EDGE
        self.width, self.center = self.right - self.left, (self.left + self.right) / 2
        self.top, self.bottom = bleed + EDGE, bleed + trim.height - EDGE
        self.trim = Rect(bleed, bleed, trim.width, trim.height)
        self.end = self.bottom - _foot_height(roles)
        """Where texts end and figures begin."""
        self.picture = Rect(self.left, self.top + SEAL + 2.2, self.width, 0)
        if roles.art is not None:
            self.picture = self._picture_place()
        self.kind_y = self.top + (SEAL / 2 if roles.corners else 2)
        if roles.art is not None:
            self.kind_y = self.picture.bottom + 0.6 + KIND / 2

    def drawn(self) -> str:
        """The template."""
        self.drawing.remark(
            "Objects are called like the columns of the spreadsheet, and show what stands there. Open this "
            "file in Inkscape, and move, restyle or delete what you like."
        )
        self.drawing.ground(PAPER)
        if self.roles.is_index:
            self._index()
        else:
            self._edge()
            if self.roles.art is not None:
                self._pictured()
            elif self.roles.texts or self.roles.flavour:
                self._written()
            else:
                self._plate()
            self._foot()
        return self.drawing.text()

    def _picture_place(self) -> Rect:
        """As much as the longest texts leave, within reason."""
        y = self.top + SEAL + (4.2 if any(map(_is_labelled, self.roles.corners)) else 2.2)
        line = KIND if self._says_kind else 0.0
        room = self.end - y - line
        texts = [*self.roles.texts, *filter(None, (self.roles.flavour,))]
        want = sum(needed(column, self.width, 8) for column in texts) + 2.4 * len(texts)
        height = max(0.3 * room, min(0.62 * room, room - want)) if texts else room
        return Rect(self.left, y, self.width, height)

    @property
    def _says_kind(self) -> bool:
        return self.roles.group is not None or bool(self.roles.kinds)

    # ---- the kinds of cards

    def _pictured(self) -> None:
        """A title between its numbers, the picture, what it is, its text, its figures."""
        seals = self.roles.corners
        left, right = self.left, self.right
        if seals:
            self._seal(seals[0], left, round=True)
            left += SEAL + 2
        if len(seals) > 1:
            right -= SEAL
            self._seal(seals[1], right, round=False)
            right -= 2
        if self.roles.title is not None:
            box = Rect(left, self.top, right - left, SEAL)
            self._box(
                self.roles.title, box, (13, 12, 11, 10, 9, 8), weight=700, valign="middle", leading=1.1
            )
        if self.roles.art is not None:
            file = f"../../{picture_file(_sample(self.roles.art))}"
            self.drawing.picture(self.roles.art.field, file, self.picture)
        self._kind_line(self.right)
        self._texts(self.text_top, self.end)

    def _written(self) -> None:
        """What it is, its numbers, a large title, and its text below a line."""
        y = self._eyebrow()
        title = self.roles.title
        if title is not None:
            height = self._title_height(title)
            sizes = (17, 16, 15, 14, 13, 12, 11, 10)
            box = Rect(self.left, y, self.width, height)
            self._box(title, box, sizes, weight=700, valign="bottom", leading=1.1)
            self.drawing.rule(self.left, y + height + 2, self.width)
        self._texts(self.text_top, self.end)

    def _plate(self) -> None:
        """A title in the middle, and figures below."""
        if not self.signs:
            self.drawing.rect(self.trim.inset(FRAME), stroke=MUTED, weight=0.35, radius=2)
        y = self._eyebrow()
        title = self.roles.title
        if title is not None:
            box = Rect(self.left, y, self.width, self.end - y - 2)
            sizes = (24, 22, 20, 18, 16, 14, 12, 11, 10, 9)
            self._box(title, box, sizes, weight=700, valign="middle", align="center", leading=1.15)

    def _index(self) -> None:
        """A rank in two corners with the mark of its suit, and large in the middle."""
        rank, group, drawing = self.roles.corners[0], self.roles.group, self.drawing
        x, y = self.left + 4.6, self.top + 4.6
        across, down = self.left + self.right - x, self.top + self.bottom - y
        middle = (self.top + self.bottom) / 2
        for sign in self.signs if group is not None else ():
            drawing.begin("" if group is None else _is(group, sign.word), layer=True)
            drawing.rect(self.trim.inset(FRAME), stroke=sign.hue, weight=0.5, radius=2)
            drawing.mark(sign.mark, x, y + 8.6, 2.4, sign.hue)
            drawing.mark(sign.mark, across, down - 8.6, 2.4, sign.hue, turned=True)
            drawing.mark(sign.mark, self.center, middle - 19.5, 6, sign.hue)
            drawing.end()
        self._line(rank, x, y, 22, anchor="middle", weight=700, room=9)
        self._line(rank, across, down, 22, anchor="middle", weight=700, room=9, turned=True)
        self._line(rank, self.center, middle, 76, anchor="middle", weight=700, room=self.width - 14)
        y = middle + 16.5
        if self.roles.title is not None:
            box = Rect(self.left + 9, y - 3.4, self.width - 18, 8)
            sizes = (10, 9, 8, 7.5)
            self._box(
                self.roles.title, box, sizes, weight=700, valign="middle", align="center", leading=1.1
            )
            y += 7
        if group is not None:
            self._line(group, self.center, y, 9, anchor="middle", fill=MUTED, room=self.width - 18)
        for place, column in enumerate((*self.roles.corners[1:], *self.roles.stats)[:2]):
            self._figure(
                column, across if place == 0 else x, y=self.top + 3 if place == 0 else self.bottom - 7
            )

    # ---- parts

    def _edge(self) -> None:
        """The coloured edge of each group, which shows in a fanned hand, and its mark beside its word."""
        group = self.roles.group
        for sign in self.signs if group is not None else ():
            self.drawing.begin("" if group is None else _is(group, sign.word), layer=True)
            self.drawing.rect(Rect(0, 0, self.bleed + BAND, self.drawing.height), sign.hue)
            self.drawing.mark(sign.mark, self.left + 1.5, self.kind_y, 1.5, sign.hue)
            self.drawing.end()

    def _eyebrow(self) -> float:
        """What a card is, and its numbers at the right; where the next part begins."""
        x = self.right
        for place, column in reversed(list(enumerate(self.roles.corners))):
            x -= SEAL
            self._seal(column, x, round=place == 0)
            x -= 2.4
        self._kind_line(x)
        return self._below_eyebrow

    @property
    def _below_eyebrow(self) -> float:
        if self.roles.corners:
            return self.top + SEAL + (4.6 if any(map(_is_labelled, self.roles.corners)) else 2)
        return self.top + (6 if self._says_kind else 0)

    def _title_height(self, title: Column) -> float:
        """One line of a large title, or two."""
        return 14.0 if title.longest * _EM * 16 * MM_PER_PT > self.width else 8.0

    @property
    def text_top(self) -> float:
        """Where texts begin."""
        if self.roles.art is not None:
            return self.picture.bottom + (KIND + 1 if self._says_kind else 2.4)
        title = self.roles.title
        return self._below_eyebrow + (self._title_height(title) + 4.6 if title is not None else 0)

    def _kind_line(self, right: float) -> None:
        """What a card is: its group behind its mark, and another word at the right."""
        x = self.left + (4.2 if self.signs else 0)
        group, kinds = self.roles.group, self.roles.kinds
        if group is None:
            group, kinds = (kinds[0], kinds[1:]) if kinds else (None, ())
        if group is None:
            return
        room = right - x
        share = room * group.longest / (group.longest + sum(column.longest + 3 for column in kinds))
        self._line(group, x, self.kind_y, 8, weight=600, room=share if kinds else room)
        if kinds:
            named = [(column.field, _sample(column), _is_marked(column)) for column in kinds]
            least = max(map(_least, kinds))
            self.drawing.joined(named, right, self.kind_y, max(8, least), room - share - 2, least)

    def _seal(self, column: Column, x: float, *, round: bool) -> None:
        """A number in a ring, or in a square: two of them are never alike. Its name stands below."""
        half = SEAL / 2
        self._when(column)
        box = Rect(x, self.top, SEAL, SEAL).inset(0.2)
        self.drawing.rect(box, PAPER, INK, 0.4, radius=box.width / 2 if round else 1.4)
        self._line(column, x + half, self.top + half, 15, anchor="middle", weight=700, room=SEAL - 2.4)
        if _is_labelled(column):
            self.drawing.words(column.header, x + half, self.top + SEAL + 1.9, LEAST, anchor="middle")
        self._done(column)

    def _figure(self, column: Column, x: float, y: float) -> None:
        """A figure with its name below."""
        self._when(column)
        self._line(column, x, y, 12, anchor="middle", weight=700, room=11)
        self.drawing.words(_short(column), x, y + 4.4, LEAST, anchor="middle")
        self._done(column)

    def _texts(self, y: float, end: float) -> None:
        """The texts for reading, each with the room that its longest needs, and the flavour at the end."""
        flavour = self.roles.flavour
        if flavour is not None:
            room = min(needed(flavour, self.width, 8) + 0.6, 0.45 * (end - y))
            box = Rect(self.left, end - room, self.width, room)
            self._box(
                flavour,
                box,
                (8, 7.5),
                italic=True,
                fill=MUTED,
                valign="bottom",
                markdown=True,
            )
            end -= room + 1.6
        texts = self.roles.texts
        headed = [len(texts) > 1 and column.field not in _GENERIC for column in texts]
        shares = [needed(column, self.width, 8.5) for column in texts]
        room = end - y - sum(4.4 if head else 0 for head in headed) - 1.6 * (len(texts) - 1)
        for column, head, share in zip(texts, headed, shares, strict=True):
            height = max(1.0, room * share / sum(shares))
            if head:
                self._when(column)
                self.drawing.words(_short(column), self.left, y + 1.4, READING, weight=600)
                self._done(column)
                y += 4.4
            lone = len(texts) == 1 and flavour is None and self.roles.art is not None
            self._box(
                column,
                Rect(self.left, y, self.width, height),
                _SIZES if self.roles.art is not None else (10.5, 10.0, *_SIZES),
                valign="middle" if lone else "top",
                markdown=True,
                leading=_LEADING,
                hyphens=True,
            )
            y += height + 1.6

    def _foot(self) -> None:
        """Longer facts in lines, and figures side by side below."""
        stats, facts = self.roles.stats, self.roles.facts
        y = self.end + 1.2
        if facts or stats:
            self.drawing.rule(self.left, self.end, self.width)
        for column in facts:
            self._when(column)
            name = _short(column)
            room = len(plain_words(name)) * 0.55 * READING * MM_PER_PT + 3
            self.drawing.words(name, self.left, y + FACT / 2, READING)
            self._line(column, self.right, y + FACT / 2, 8, anchor="end", room=self.width - room)
            self._done(column)
            y += FACT
        if facts and stats:
            y += 1.2
            self.drawing.rule(self.left, y - 0.4, self.width)
        for place, column in enumerate(stats):
            cell = self.width / len(stats)
            x = self.left + cell * (place + 0.5)
            self._when(column)
            self._line(column, x, y + 2, 11, anchor="middle", weight=700, room=cell - 1.5)
            self.drawing.words(_short(column), x, y + 6, LEAST, anchor="middle", room=cell - 1)
            self._done(column)

    def _when(self, column: Column) -> None:
        """Begin what is only there if a column says something."""
        if not column.is_full:
            self.drawing.begin(f"{column.field} is defined")

    def _done(self, column: Column) -> None:
        if not column.is_full:
            self.drawing.end()

    def _line(self, column: Column, x: float, y: float, size: float, **style: Any) -> None:
        style |= {"markdown": _is_marked(column), "least": _least(column)}
        self.drawing.line(column.field, _sample(column), x, y, max(size, style["least"]), **style)

    def _box(self, column: Column, box: Rect, sizes: Sequence[float], **style: Any) -> None:
        style["markdown"] = style.get("markdown", False) or _is_marked(column)
        sizes = list(dict.fromkeys(max(size, _least(column)) for size in sizes))
        self.drawing.box(column.field, _sample(column), box, sizes, **style)


def _foot_height(roles: Roles) -> float:
    height = FACT * len(roles.facts) + (1.2 if roles.facts else 0)
    height += STATS if roles.stats else 0
    return height + (1.2 if roles.facts and roles.stats else 0)


def _sample(column: Column) -> str:
    """What a template shows by itself: the first value there is."""
    return column.texts[0] if column.texts else ""


def _is_marked(column: Column) -> bool:
    """Return whether words in a column are marked as bold or the like."""
    return _has(column, _MARKED) or _has(column, _RAISED)


def _least(column: Column) -> float:
    """Return the smallest type for a column, pt: raised letters are smaller than those beside them."""
    return LEAST / 0.8 if _has(column, _RAISED) else LEAST


def _has(column: Column, mark: re.Pattern[str]) -> bool:
    return column.kind == "text" and any(map(mark.search, column.texts))


def _is(group: Column, word: str) -> str:
    return f"{group.field} == '{word}'"


def _short(column: Column) -> str:
    return column.header.partition("(")[0].strip()[:24] or column.header[:24]


def _is_labelled(column: Column) -> bool:
    """Whether the name of a number fits below it."""
    return 0 < len(plain_words(column.header)) <= 9
