"""A first look for cards: faces, colors and placeholder pictures as SVG."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from math import ceil
from pathlib import PurePosixPath
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from cardgen.core.geometry import MM_PER_INCH, MM_PER_PT, Rect, Size
from cardgen.game.guessing import Column, Roles, words

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


INK, MUTED, HAIR, PAPER = "#1d2433", "#5a6274", "#c3c8d2", "#ffffff"
FAMILY = "IBM Plex Sans"
LEAST = 6.5
"""The smallest type, pt: labels. What is for reading is no smaller than READING."""
READING = 7.5

_UNSAFE = re.compile(r"[^\w \-'’.,;/()+&!?–—€$£°%♠♥♦♣★]")
_SPACES = re.compile(r"\s+")
_SAFE_WORD = re.compile(r"[^\W_]([\w .&/+\-]*\w)?")
_LONGEST_SAMPLE = 400


def plain_words(text: str, longest: int = _LONGEST_SAMPLE) -> str:
    """A stranger's text as words that stand in a template: no code, no markup and no icons among them."""
    words = _SPACES.sub(" ", _UNSAFE.sub(" ", text[: 4 * longest])).strip()
    return words if len(words) <= longest else f"{words[: longest - 1].rstrip()}…"


def is_safe_word(text: str) -> bool:
    """Whether a text may stand in quotes in an expression."""
    return _SAFE_WORD.fullmatch(text) is not None


def mm(value: float) -> str:
    """A length as SVG has it: at most three decimals."""
    return f"{round(value, 3):g}"


def points(size: float) -> str:
    """Points as mm, exact enough that they come back as points."""
    return f"{size * MM_PER_PT:.4f}".rstrip("0").rstrip(".")


class Drawing:
    """The lines of an SVG file of one side; sizes of type are pt, all else is mm from its corner."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self._lines: list[str] = []
        self._depth = 1

    def text(self) -> str:
        """The whole file."""
        size = f'width="{mm(self.width)}mm" height="{mm(self.height)}mm"'
        spaces = (
            'xmlns="http://www.w3.org/2000/svg" xmlns:cg="urn:cardgen" '
            'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
        )
        head = f'<svg {spaces} {size} viewBox="0 0 {mm(self.width)} {mm(self.height)}">'
        return "\n".join((head, *self._lines, "</svg>", ""))

    def remark(self, words: str) -> None:
        self.put(f"<!-- {words.replace('--', '- -')} -->")

    def put(self, markup: str) -> None:
        self._lines.append("  " * self._depth + markup)

    def begin(self, condition: str, *, layer: bool = False) -> None:
        """A group that is there on a condition: an expression in which fields are bare names."""
        kind = ' inkscape:groupmode="layer"' if layer else ""
        self.put(f"<g{kind} inkscape:label={quoteattr(f'if: {condition}')}>")
        self._depth += 1

    def end(self) -> None:
        self._depth -= 1
        self.put("</g>")

    def ground(self, fill: str) -> None:
        self.put(f'<rect width="{mm(self.width)}" height="{mm(self.height)}" fill="{fill}"/>')

    def rect(
        self, box: Rect, fill: str = "none", stroke: str = "", weight: float = 0, radius: float = 0
    ) -> None:
        line = f' stroke="{stroke}" stroke-width="{mm(weight)}"' if stroke else ""
        corner = f' rx="{mm(radius)}"' if radius else ""
        self.put(f'<rect {_box(box)}{corner} fill="{fill}"{line}/>')

    def rule(self, x: float, y: float, width: float) -> None:
        self.put(
            f'<path d="M{mm(x)} {mm(y)}h{mm(width)}" fill="none" stroke="{HAIR}" stroke-width="0.25"/>'
        )

    def mark(
        self, path: str, x: float, y: float, radius: float, fill: str, *, turned: bool = False
    ) -> None:
        """A shape that is drawn from -1 to 1, around a point; `turned`, upside down."""
        move = f"translate({mm(x)} {mm(y)}) scale({mm(-radius if turned else radius)})"
        self.put(f'<path transform="{move}" d="{path}" fill="{fill}"/>')

    def words(
        self,
        words: str,
        x: float,
        y: float,
        size: float,
        *,
        anchor: str = "start",
        weight: int = 400,
        room: float = 0,
    ) -> None:
        """A line that is the same on all cards; `y` is the middle of its capitals."""
        if words := plain_words(words):
            fit = (
                f' cg:fit="shrink" cg:max-width="{mm(room)}" cg:min-size="{points(LEAST)}"' if room else ""
            )
            style = f'cg:valign="middle" text-anchor="{anchor}" {_type(size, weight)} fill="{MUTED}"{fit}'
            self.put(f'<text x="{mm(x)}" y="{mm(y)}" {style}>{escape(words)}</text>')

    def line(
        self,
        field: str,
        sample: str,
        x: float,
        y: float,
        size: float,
        *,
        anchor: str = "start",
        weight: int = 400,
        fill: str = INK,
        room: float = 0,
        least: float = LEAST,
        turned: bool = False,
        markdown: bool = False,
    ) -> None:
        """A line that a field fills; `y` is the middle of its capitals. It gets smaller where it needs more
        than its `room`."""
        fit = ""
        if room:
            fit = f' cg:fit="shrink" cg:max-width="{mm(room)}" cg:min-size="{points(least)}"'
        more = _as(markdown)
        turn = f' transform="rotate(180 {mm(x)} {mm(y)})"' if turned else ""
        self.put(
            f'<text inkscape:label={quoteattr(field)} x="{mm(x)}" y="{mm(y)}" cg:valign="middle" '
            f'text-anchor="{anchor}" {_type(size, weight)} fill="{fill}"{fit}{turn}{more}>'
            f"{_sample_text(sample)}</text>"
        )

    def joined(
        self,
        fields: Sequence[tuple[str, str, bool]],
        x: float,
        y: float,
        size: float,
        room: float,
        least: float,
    ) -> None:
        """Words of several fields, each with its sample and whether it is Markdown, in one line that ends
        at `x`."""
        parts = " · ".join(
            f"<tspan cg:field={quoteattr(field)}{_as(markdown)}>{_sample_text(sample)}</tspan>"
            for field, sample, markdown in fields
        )
        fit = f'cg:fit="shrink" cg:max-width="{mm(room)}" cg:min-size="{points(least)}"'
        style = f'cg:valign="middle" text-anchor="end" {_type(size, 400)} fill="{MUTED}" {fit}'
        self.put(f'<text x="{mm(x)}" y="{mm(y)}" {style}>{parts}</text>')

    def box(
        self,
        field: str,
        sample: str,
        box: Rect,
        sizes: Sequence[float],
        *,
        weight: int = 400,
        italic: bool = False,
        fill: str = INK,
        align: str = "start",
        valign: str = "top",
        leading: float = 1.25,
        markdown: bool = False,
        hyphens: bool = False,
    ) -> None:
        """A text that a field fills, wrapped in a box, in the largest of these sizes that it fits at."""
        steps = " ".join(points(size) for size in sizes)
        slant = ' font-style="italic"' if italic else ""
        more = "" if markdown else ' cg:as="plain"'
        more += ' cg:hyphens="auto"' if hyphens else ""
        x = box.x if align == "start" else box.x + box.width / 2
        anchor = "" if align == "start" else ' text-anchor="middle"'
        first = box.y + 0.8 * sizes[0] * MM_PER_PT
        name = f"inkscape:label={quoteattr(field)}"
        self.put(f'<rect {name} {_box(box)} fill="none"/>')
        self.put(
            f'<text {name} x="{mm(x)}" y="{mm(first)}"{anchor} {_type(sizes[0], weight)}{slant} '
            f'fill="{fill}" text-align="{align}" line-height="{leading:g}" cg:fit="shrink" '
            f'cg:steps="{steps}" cg:valign="{valign}"{more}>{_sample_text(sample)}</text>'
        )

    def picture(self, field: str, file: str, box: Rect) -> None:
        """A picture that a field names, cropped to its box."""
        href = f"href={quoteattr(file)}"
        self.put(
            f"<image inkscape:label={quoteattr(field)} {href} {_box(box)} "
            'preserveAspectRatio="xMidYMid slice"/>'
        )


def _as(markdown: bool) -> str:
    return ' cg:as="markdown"' if markdown else ""


def _box(box: Rect) -> str:
    return f'x="{mm(box.x)}" y="{mm(box.y)}" width="{mm(box.width)}" height="{mm(box.height)}"'


def _type(size: float, weight: int) -> str:
    bold = f' font-weight="{weight}"' if weight != 400 else ""
    return f'font-family="{FAMILY}" font-size="{points(size)}"{bold}'


def _sample_text(text: str) -> str:
    return escape(plain_words(text)) or "–"


_HUES = ("#1f5fa0", "#b0431c", "#23704a", "#6f3d96", "#7d5a00", "#0d6b78", "#a52a62", "#4a5568")
"""Dark enough for white type, light enough to be told from each other."""
_NAMED = {
    "red": "#b3261e",
    "orange": "#a8501a",
    "yellow": "#806000",
    "gold": "#806000",
    "green": "#23704a",
    "blue": "#1f5fa0",
    "purple": "#6f3d96",
    "violet": "#6f3d96",
    "pink": "#a52a62",
    "brown": "#6b4a2b",
    "black": "#1d2433",
    "white": "#68707f",
    "grey": "#4a5568",
    "gray": "#4a5568",
    "silver": "#4a5568",
    "rot": "#b3261e",
    "gelb": "#806000",
    "grün": "#23704a",
    "blau": "#1f5fa0",
    "lila": "#6f3d96",
    "violett": "#6f3d96",
    "rosa": "#a52a62",
    "braun": "#6b4a2b",
    "schwarz": "#1d2433",
    "weiß": "#68707f",
    "grau": "#4a5568",
    "silber": "#4a5568",
    "fire": "#b0431c",
    "feuer": "#b0431c",
    "water": "#1f5fa0",
    "wasser": "#1f5fa0",
    "earth": "#6b4a2b",
    "erde": "#6b4a2b",
    "forest": "#23704a",
    "wald": "#23704a",
}
_MARKS = (
    "M-.95 0a.95 .95 0 1 0 1.9 0a.95 .95 0 1 0-1.9 0z",
    "M0-1.1L1.1 0 0 1.1-1.1 0z",
    "M0-1L1.05 .85H-1.05z",
    "M-.85-.85H.85V.85H-.85z",
    "M-.55-.95H.55L1.1 0 .55 .95H-.55L-1.1 0z",
    "M0-1.2L.34-.34 1.2 0 .34 .34 0 1.2-.34 .34-1.2 0-.34-.34z",
    "M-.34-1H.34V-.34H1V.34H.34V1H-.34V.34H-1V-.34H-.34z",
    "M0 1L1.05-.85H-1.05z",
)
_HEART = (
    "M0 .95C-.5 .5-1.05 .1-1.05-.42-1.05-.75-.8-1-.5-1-.27-1-.1-.87 0-.65 .1-.87 .27-1 .5-1 .8-"
    "1 1.05-.75 1.05-.42 1.05 .1 .5 .5 0 .95z"
)
_SPADE = (
    "M0-1C.5-.5 1.05-.15 1.05 .33 1.05 .66 .82 .86 .55 .86 .36 .86 .22 .78 .11 .64L.3 1.05H-.3L"
    "-.11 .64C-.22 .78-.36 .86-.55 .86-.82 .86-1.05 .66-1.05 .33-1.05-.15-.5-.5 0-1z"
)
_CLUB = (
    "M0-1.05A.5 .5 0 0 1 .44-.31 .5 .5 0 1 1 .12 .45L.3 1.05H-.3L-.12 .45A.5 .5 0 1 1-.44-.31 ."
    "5 .5 0 0 1 0-1.05z"
)
_SUITS = {
    **dict.fromkeys(("hearts", "heart", "herz", "♥"), (_HEART, "#b3261e")),
    **dict.fromkeys(("diamonds", "diamond", "karo", "♦"), (_MARKS[1], "#b3261e")),
    **dict.fromkeys(("clubs", "club", "kreuz", "♣"), (_CLUB, "#1d2433")),
    **dict.fromkeys(("spades", "spade", "pik", "♠"), (_SPADE, "#1d2433")),
}


@dataclass(frozen=True, slots=True)
class Sign:
    """What a word looks like: a mark, drawn from -1 to 1, and its colour."""

    word: str
    mark: str
    hue: str


def signs(words: Sequence[str]) -> list[Sign]:
    """A sign for each of up to eight words, no mark twice, in the colour that a word names or one of its
    own."""
    found: dict[str, tuple[str, str]] = {}
    for word in words:
        if word.casefold() in _SUITS:
            found[word] = _SUITS[word.casefold()]
    marks = [mark for mark in _MARKS if mark not in {mark for mark, _ in found.values()}]
    named = {word: _NAMED[word.casefold()] for word in words if word.casefold() in _NAMED}
    hues = [hue for hue in _HUES if hue not in named.values()] or list(_HUES)
    for word in words:
        if word not in found and marks:
            hue = named.get(word) or hues[len(found.keys() - named.keys()) % len(hues)]
            found[word] = (marks.pop(0), hue)
    return [Sign(word, *found[word]) for word in words if word in found]


DPI = 320
"""A little more than checks ask for."""
_SKY, _HILL, _NEAR = "#e6e9ee", "#d3d8e0", "#c3c9d4"
_HILLS = (
    (_HILL, ((0, 0.78), (0.28, 0.42), (0.5, 0.7), (0.7, 0.5), (1, 0.82), (1, 1), (0, 1))),
    (_NEAR, ((0, 0.9), (0.4, 0.74), (0.72, 0.9), (1, 0.8), (1, 1), (0, 1))),
)
_FORMATS = {"jpg": "JPEG", "jpeg": "JPEG", "webp": "WEBP", "tif": "TIFF", "tiff": "TIFF"}


def stand_in(name: str, size: Size) -> bytes:
    """The content of a file of that name, of the kind that its ending says, to be shown in that size."""
    return _drawn(PurePosixPath(name).suffix.lower().removeprefix("."), size)


@cache
def _drawn(ending: str, size: Size) -> bytes:
    width, height = (ceil(side / MM_PER_INCH * DPI) for side in (size.width, size.height))
    if ending == "svg":
        hills = "".join(
            f'<path fill="{color}" d="M{"L".join(f"{x * width:g} {y * height:g}" for x, y in line)}z"/>'
            for color, line in _HILLS
        )
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        return f'{head}<rect width="{width}" height="{height}" fill="{_SKY}"/>{hills}</svg>\n'.encode()
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (width, height), _SKY)
    draw = ImageDraw.Draw(image)
    for color, line in _HILLS:
        draw.polygon([(x * width, y * height) for x, y in line], fill=color)
    out = BytesIO()
    image.save(out, _FORMATS.get(ending, "PNG"))
    return out.getvalue()
