"""A first look for cards: faces, colors and placeholder pictures as SVG.

The looks are SVG files in `looks/`. A face places their parts on a card of its size.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from math import ceil
from pathlib import PurePosixPath
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from jinja2 import Environment, FunctionLoader, StrictUndefined

from cardgen.core.geometry import MM_PER_INCH, MM_PER_PT, Rect, Size
from cardgen.core.records import dataclass
from cardgen.files.reading import read_bundled
from cardgen.files.yaml_nodes import scalar
from cardgen.game.guessing import Column, Roles

PICTURES = "art/"
"""The folder of a project's pictures."""
EDGE = 4.8
"""Distance from the trim to the content of the card, mm."""
FRAME = 3.0
"""From the trim to the line around a card of ranks, mm."""
BAND = 2.4
"""The visible width of the colored edge, mm."""
SEAL = 9.4
"""The side of a corner with a number, mm."""
LEAST = 6.5
"""The smallest type, pt: labels. Text for reading is READING or larger."""
READING = 7.5
_RAISED = re.compile(r"([\^~])(?:\\.|[^\s^~\\]){1,200}\1")
_MARKED = re.compile(r"(\*{1,3}|~~|\+\+)(?=[^\s*~+])(?:\\.|[^*~+\n\\]){1,200}(?<=\S)\1")
_EM = 0.5
"""The usual letter's width, in its size."""
_LEADING = 1.25
_SIZES = (9.5, 9.0, 8.5, 8.0, READING)
_LARGER_SIZES = (10.5, 10.0, *_SIZES)
KIND, FACT, STATS = 6.2, 4.4, 9.2
"""The heights of the line with a card's type, of a fact, of the row of figures."""
_GENERIC = frozenset(
    "text rules rules_text rule_text card_text kartentext regeltext regeln effect effekt".split()  # noqa: SIM905
)
"""Texts that need no heading of their own."""


USUAL = 0.95
"""The share of cards whose texts fit at the type size that a layout plans with."""


def needed(column: Column, width: float, size: float) -> float:
    """Return the height in mm that a column's text needs on most cards, in a box of a width in mm; `size`
    is that of the type in pt."""
    return usual([height_of(text, width, size) for text in column.texts])


def height_of(text: str, width: float, size: float) -> float:
    """Return the approximate height of a text in a box of a width, both in mm; `size` of the type is in
    pt."""
    letters = max(1.0, width / (_EM * size * MM_PER_PT))
    lines = sum(max(1, ceil(len(line) / letters)) for line in text.split("\n"))
    return (lines + 0.3) * size * MM_PER_PT * _LEADING


def picture_file(name: str) -> str:
    """Return the file in a project for a picture that a table names, where every template finds it."""
    return name if name.startswith(PICTURES) else f"{PICTURES}{name}"


def usual(heights: Sequence[float]) -> float:
    """Return a height that is enough for the usual share of cards; 0 for no cards."""
    return sorted(heights)[ceil(USUAL * len(heights)) - 1] if heights else 0.0


def group_signs(roles: Roles) -> list[Sign]:
    """Return the signs of the words that group cards; none if a template could not name one of them."""
    words = list(dict.fromkeys(roles.group.texts)) if roles.group is not None else []
    return signs(words) if all(map(is_safe_word, words)) else []


@dataclass(frozen=True, slots=True)
class TextBox:
    """The place of a text for reading, and the middle of its heading if it has one."""

    column: Column
    box: Rect
    sizes: Sequence[float]
    heading_y: float | None
    is_lone: bool


class Face:
    """The face of a card of a size, with the places of its parts."""

    def __init__(self, roles: Roles, trim: Size, bleed: float, shape: str = "rectangle") -> None:
        self.roles, self.is_round = roles, shape == "ellipse"
        self.signs = group_signs(roles)
        self.full = Size(trim.width + 2 * bleed, trim.height + 2 * bleed)
        self.bleed = bleed
        self.left = bleed + EDGE + (BAND - 0.8 if self.signs and not roles.is_index else 0)
        self.right = bleed + trim.width - EDGE
        self.width, self.center = self.right - self.left, (self.left + self.right) / 2
        self.top, self.bottom = bleed + EDGE, bleed + trim.height - EDGE
        self.frame = Rect(bleed, bleed, trim.width, trim.height).inset(FRAME)
        self.end = self.bottom - _foot_height(roles)
        """The end of texts and start of figures."""
        self.picture = Rect(self.left, self.top + SEAL + 2.2, self.width, 0)
        if self.is_round:
            side = 0.4 * trim.width
            self.picture = Rect(self.full.width / 2 - side / 2, bleed + 0.16 * trim.height, side, side)
        elif roles.art is not None:
            self.picture = self._picture_place()
        self.kind_y = self.top + (SEAL / 2 if roles.corners else 2)
        if roles.art is not None:
            self.kind_y = self.picture.bottom + 0.6 + KIND / 2

    @property
    def look(self) -> str:
        """Return the file of the look for these roles."""
        if self.is_round:
            return "token.svg"
        if self.roles.is_index:
            return "ranks.svg"
        if self.roles.art is not None:
            return "pictured.svg"
        return "written.svg" if self.roles.texts or self.roles.flavour else "plate.svg"

    def _picture_place(self) -> Rect:
        """Return the room left by the longest texts, within limits."""
        y = self.top + SEAL + (4.2 if any(map(_is_labelled, self.roles.corners)) else 2.2)
        line = KIND if self.kind_columns else 0.0
        room = self.end - y - line
        texts = [*self.roles.texts, *filter(None, (self.roles.flavour,))]
        want = sum(needed(column, self.width, 8) + 2.4 for column in texts)
        height = max(0.3 * room, min(0.62 * room, room - want)) if texts else room
        return Rect(self.left, y, self.width, height)

    @property
    def figure(self) -> Column | None:
        """Return the number of a token."""
        return next(iter((*self.roles.corners, *self.roles.stats)), None)

    @property
    def kind_columns(self) -> list[Column]:
        """Return the columns that describe a card's type: its group, and other words."""
        return [*filter(None, (self.roles.group,)), *self.roles.kinds]

    def kind_room(self, room: float) -> float:
        """Return the width of the first of these words, given the `room` for all."""
        first, *others = self.kind_columns
        if not others:
            return room
        return room * first.longest / (first.longest + sum(column.longest + 3 for column in others))

    @property
    def below_eyebrow(self) -> float:
        """Return the top of the part below a card's kind and numbers."""
        if self.roles.corners:
            return self.top + SEAL + (4.6 if any(map(_is_labelled, self.roles.corners)) else 2)
        return self.top + (6 if self.kind_columns else 0)

    @property
    def title_box(self) -> Rect:
        """Return the place of a large title above texts: of one line, or of two."""
        title = self.roles.title
        is_long = title is not None and title.longest * _EM * 16 * MM_PER_PT > self.width
        return Rect(self.left, self.below_eyebrow, self.width, 14.0 if is_long else 8.0)

    @property
    def text_top(self) -> float:
        """Return the top of the texts."""
        if self.roles.art is not None:
            return self.picture.bottom + (KIND + 1 if self.kind_columns else 2.4)
        return self.title_box.bottom + 4.6 if self.roles.title is not None else self.below_eyebrow

    @property
    def flavour_box(self) -> Rect | None:
        """Return the place of the flavor, at the end of the texts."""
        if self.roles.flavour is None:
            return None
        height = min(needed(self.roles.flavour, self.width, 8) + 0.6, 0.45 * (self.end - self.text_top))
        return Rect(self.left, self.end - height, self.width, height)

    @property
    def text_boxes(self) -> list[TextBox]:
        """Return the places of the texts for reading, each with room for its longest one."""
        texts, flavour, y = self.roles.texts, self.flavour_box, self.text_top
        end = self.end if flavour is None else flavour.y - 1.6
        headed = [len(texts) > 1 and column.field not in _GENERIC for column in texts]
        shares = [needed(column, self.width, 8.5) for column in texts]
        room = end - y - 4.4 * sum(headed) - 1.6 * (len(texts) - 1)
        is_lone = len(texts) == 1 and flavour is None and self.roles.art is not None
        sizes = _SIZES if self.roles.art is not None else _LARGER_SIZES
        boxes = []
        for column, head, share in zip(texts, headed, shares, strict=True):
            heading_y = y + 1.4 if head else None
            y += 4.4 if head else 0
            box = Rect(self.left, y, self.width, max(1.0, room * share / sum(shares)))
            boxes.append(TextBox(column, box, sizes, heading_y, is_lone))
            y = box.bottom + 1.6
        return boxes


def face_svg(roles: Roles, trim: Size, bleed: float, shape: str = "rectangle") -> str:
    """Return the template of a face."""
    face = Face(roles, trim, bleed, shape)
    return _drawn("card.svg", face=face, roles=roles, look=face.look)


def back_svg(trim: Size, bleed: float) -> str:
    """Return the template of a back."""
    frame = Rect(bleed, bleed, trim.width, trim.height).inset(EDGE)
    full = Size(trim.width + 2 * bleed, trim.height + 2 * bleed)
    return _drawn("back.svg", full=full, frame=frame, inner=frame.inset(1.4))


def starter_text(file: str, **values: Any) -> str:
    """Return a file of `looks/`, filled in."""
    return _looks().get_template(file).render(values)


def _drawn(name: str, **values: Any) -> str:
    """Return a drawing of `looks/`, filled in, a line an element."""
    lines, depth = [], 0
    for line in filter(None, map(str.strip, starter_text(name, **values).splitlines())):
        depth -= line.startswith("</g>")
        is_outermost = line.startswith(("<svg", "</svg"))
        lines.append(line if is_outermost else f"{'  ' * (depth + 1)}{line}")
        depth += line.startswith("<g ")
    return "\n".join((*lines, ""))


@cache
def _looks() -> Environment:
    environment = Environment(
        loader=FunctionLoader(lambda name: read_bundled("game/looks", name).decode("utf-8")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals |= {
        "rect": Rect,
        "seal_side": SEAL,
        "band": BAND,
        "fact_height": FACT,
        "least": LEAST,
        "reading": READING,
    }
    environment.filters |= {
        "mm": mm,
        "points": points,
        "in_mm": lambda size: size * MM_PER_PT,
        "quoted": quoteattr,
        "condition": lambda text: quoteattr(f"if: {text}"),
        "plain": lambda text: escape(plain_words(text)),
        "sample": lambda column: escape(plain_words(_sample(column))) or "–",
        "picture": lambda column: f"../../{picture_file(_sample(column))}",
        "short": _short,
        "short_width": lambda column: len(plain_words(_short(column))) * 0.55 * READING * MM_PER_PT,
        "least": _least,
        "at_least": lambda sizes, least: list(dict.fromkeys(max(size, least) for size in sizes)),
        "scalar": lambda text: scalar(text, flow=True),
        "is_marked": _is_marked,
        "is_labelled": _is_labelled,
    }
    return environment


def _foot_height(roles: Roles) -> float:
    height = FACT * len(roles.facts) + (1.2 if roles.facts else 0)
    height += STATS if roles.stats else 0
    return height + (1.2 if roles.facts and roles.stats else 0)


def _sample(column: Column) -> str:
    """Return the text that a template shows by itself: the first existing value."""
    return column.texts[0] if column.texts else ""


def _is_marked(column: Column) -> bool:
    """Return True if words in a column are marked as bold or the like."""
    return _has(column, _MARKED) or _has(column, _RAISED)


def _least(column: Column) -> float:
    """Return the smallest type for a column, pt: raised letters are smaller than those beside them."""
    return LEAST / 0.8 if _has(column, _RAISED) else LEAST


def _has(column: Column, mark: re.Pattern[str]) -> bool:
    return column.kind == "text" and any(map(mark.search, column.texts))


def _short(column: Column) -> str:
    return column.header.partition("(")[0].strip()[:24] or column.header[:24]


def _is_labelled(column: Column) -> bool:
    """Return True if the name of a number fits below it."""
    return 0 < len(plain_words(column.header)) <= 9


_UNSAFE = re.compile(r"[^\w \-'’.,;/()+&!?–—€$£°%♠♥♦♣★]")
_SPACES = re.compile(r"\s+")
_SAFE_WORD = re.compile(r"[^\W_]([\w .&/+\-]*\w)?")
_LONGEST_SAMPLE = 400


def plain_words(text: str) -> str:
    """Return a stranger's text as words in a template, without code, markup and icons."""
    words = _SPACES.sub(" ", _UNSAFE.sub(" ", text[: 4 * _LONGEST_SAMPLE])).strip()
    return words if len(words) <= _LONGEST_SAMPLE else f"{words[: _LONGEST_SAMPLE - 1].rstrip()}…"


def is_safe_word(text: str) -> bool:
    """Return True if a text can be quoted in an expression."""
    return _SAFE_WORD.fullmatch(text) is not None


def mm(value: float) -> str:
    """Return a length for SVG: at most three decimals."""
    return f"{round(value, 3):g}"


def points(size: float) -> str:
    """Return points as mm, exact enough to convert back."""
    return f"{size * MM_PER_PT:.4f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, slots=True)
class Sign:
    """The look of a word: a mark, drawn from -1 to 1, and its color."""

    word: str
    mark: str
    hue: str


@cache
def _known_signs() -> dict[str, Any]:
    """Return the colors and marks of `looks/signs.json`: hues dark enough for white type and light enough
    to differ visibly; hues that words name; marks drawn from -1 to 1; the suits of playing cards."""
    known: dict[str, Any] = json.loads(read_bundled("game/looks", "signs.json"))
    return known


def signs(words: Sequence[str]) -> list[Sign]:
    """Return a sign for each of up to eight words, no mark twice, in the color that a word names or one of
    its own."""
    known = _known_signs()
    suits = {word: (suit["mark"], suit["hue"]) for suit in known["suits"] for word in suit["words"]}
    found = {word: suits[word.casefold()] for word in words if word.casefold() in suits}
    marks = [mark for mark in known["marks"] if mark not in {mark for mark, _ in found.values()}]
    named = {word: known["named"][word.casefold()] for word in words if word.casefold() in known["named"]}
    hues = [hue for hue in known["hues"] if hue not in named.values()] or known["hues"]
    for word in words:
        if word not in found and marks:
            hue = named.get(word) or hues[len(found.keys() - named.keys()) % len(hues)]
            found[word] = (marks.pop(0), hue)
    return [Sign(word, *found[word]) for word in words if word in found]


DPI = 320
"""A little more than checks require."""
_SKY, _HILL, _NEAR = "#e6e9ee", "#d3d8e0", "#c3c9d4"
_HILLS = (
    (_HILL, ((0, 0.78), (0.28, 0.42), (0.5, 0.7), (0.7, 0.5), (1, 0.82), (1, 1), (0, 1))),
    (_NEAR, ((0, 0.9), (0.4, 0.74), (0.72, 0.9), (1, 0.8), (1, 1), (0, 1))),
)
_FORMATS = {"jpg": "JPEG", "jpeg": "JPEG", "webp": "WEBP", "tif": "TIFF", "tiff": "TIFF"}


def stand_in(name: str, size: Size) -> bytes:
    """Return the content of a placeholder file with this name, in the format of its ending, for a place of
    that size."""
    return _hills(PurePosixPath(name).suffix.lower().removeprefix("."), size)


@cache
def _hills(ending: str, size: Size) -> bytes:
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
