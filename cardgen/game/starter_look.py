"""A first look for cards: faces, colors and placeholder pictures as SVG.

The looks are SVG files in `looks/`. A face places their parts on a card of its size.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from math import ceil, cos, radians, sin
from pathlib import PurePosixPath
from random import Random
from textwrap import wrap
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
SEAL = 11.0
"""The side of a corner with a number on a poker card, mm."""
LEAST = 6.5
"""The smallest type, pt: labels. Text for reading is READING or larger."""
READING = 7.5
_RAISED = re.compile(r"([\^~])(?:\\.|[^\s^~\\]){1,200}\1")
_MARKED = re.compile(r"(\*{1,3}|~~|\+\+)(?=[^\s*~+])(?:\\.|[^*~+\n\\]){1,200}(?<=\S)\1")
_EM = 0.5
"""The usual letter's width, in its size."""
_LEADING = 1.25
_SIZES = (12.0, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, READING)
KIND, FACT, STATS = 6.2, 4.4, 9.2
"""The heights of the line with a card's type, of a fact, of the row of figures."""
_GENERIC = frozenset(
    "text rules rules_text rule_text card_text kartentext regeltext regeln effect effekt".split()  # noqa: SIM905
)
"""Texts that need no heading of their own."""


USUAL, MOST = 0.95, 0.75
"""The shares of cards whose texts fit at the smallest type size that a layout plans with, and at a
comfortable one."""


def needed(column: Column, width: float, size: float, share: float = USUAL) -> float:
    """Return the height in mm that a column's text needs on a share of the cards, in a box of a width in
    mm; `size` is that of the type in pt."""
    return usual([height_of(text, width, size) for text in column.texts], share)


def height_of(text: str, width: float, size: float) -> float:
    """Return the approximate height of a text in a box of a width, both in mm; `size` of the type is in
    pt."""
    letters = max(1.0, width / (_EM * size * MM_PER_PT))
    lines = sum(max(1, ceil(len(line) / letters)) for line in text.split("\n"))
    return (lines + 0.3) * size * MM_PER_PT * _LEADING


def picture_file(name: str) -> str:
    """Return the file in a project for a picture that a table names, where every template finds it."""
    return name if name.startswith(PICTURES) else f"{PICTURES}{name}"


def usual(heights: Sequence[float], share: float = USUAL) -> float:
    """Return a height that is enough for a share of cards; 0 for no cards."""
    return sorted(heights)[ceil(share * len(heights)) - 1] if heights else 0.0


DEFAULT_HUE = "#1f5fa0"
MOST_HUES = 40
"""Most words of a group with colors."""
SCENES = ("city", "sea", "peaks", "forest", "figure", "burst", "gem", "night")
"""What cards without pictures show."""


def group_words(roles: Roles) -> list[str]:
    """Return the words that group cards, in order; none if there are too many for colors."""
    words = list(dict.fromkeys(roles.group.texts)) if roles.group is not None else []
    return words if len(words) <= MOST_HUES else []


def group_hues(words: Sequence[str]) -> dict[str, str]:
    """Return a color for each word: that of its sign, or the next."""
    hues = _known_signs()["hues"]
    found = {sign.word: sign.hue for sign in signs(words)}
    return {word: found.get(word, hues[at % len(hues)]) for at, word in enumerate(words)}


def group_scenes(words: Sequence[str]) -> dict[str, str]:
    """Return a scene for each word: the one that suits it, or one that no other has."""
    known = {word: scene for scene, words in _known_signs()["scenes"].items() for word in words.split()}
    found = {word: known[word.casefold()] for word in words if word.casefold() in known}
    free = [scene for scene in SCENES if scene not in found.values()] or list(SCENES)
    others = (word for word in words if word not in found)
    return {**found, **{word: free[at % len(free)] for at, word in enumerate(others)}}


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


@cache
def looks() -> dict[str, Any]:
    """Return the looks of `looks/looks.json` by name, the default first: what each looks like, its colors,
    the font of its titles with the usual width of a letter in its size, and their largest sizes, pt."""
    found: dict[str, Any] = json.loads(read_bundled("game/looks", "looks.json"))
    return found


@dataclass(frozen=True, slots=True)
class Design:
    """The look of a component: a name of `looks()`; the size of its pieces and their bleed, mm; their
    shape."""

    look: str
    trim: Size
    bleed: float
    shape: str = "rectangle"

    @property
    def style(self) -> dict[str, Any]:
        """Return the look's colors and fonts."""
        style: dict[str, Any] = looks()[self.look]
        return style

    @property
    def full(self) -> Size:
        return Size(self.trim.width + 2 * self.bleed, self.trim.height + 2 * self.bleed)

    @property
    def is_round(self) -> bool:
        return self.shape == "ellipse"


class Face:
    """The face of a card, with the places of its parts. For some cards of a table, `whole` has the columns
    of all, so that colors and marks are the same."""

    def __init__(self, roles: Roles, design: Design, whole: Roles | None = None) -> None:
        self.roles, self.design, self.style = roles, design, design.style
        trim, bleed = design.trim, design.bleed
        words = group_words(roles)
        self.signs = [sign for sign in group_signs(whole or roles) if sign.word in words]
        self._hues = group_hues(group_words(whole or roles))
        self.full, self.bleed = design.full, bleed
        self.scale = min(1.5, max(0.72, trim.width / 63.5))
        """Of titles and numbers, against those of a poker card."""
        inset = 1.8 if design.look == "midnight" else 0.0
        self.left, self.right = bleed + EDGE + inset, bleed + trim.width - EDGE - inset
        self.width, self.center = self.right - self.left, (self.left + self.right) / 2
        self.top, self.bottom = bleed + EDGE, bleed + trim.height - EDGE
        self.seal = round(SEAL * self.scale, 1)
        self.columns = 5 if self.width < 65 else 7
        """Of tiles."""
        self.frame = Rect(bleed, bleed, trim.width, trim.height).inset(FRAME)
        self.end = self.bottom - _foot_height(roles)
        """The end of texts and start of figures."""
        before, between = self._around_picture()
        self.picture = self._picture_place(before, between)
        self.text_top = self.picture.bottom + between
        if design.look == "mosaic":
            self.kind_y = self.picture.bottom + 3.4
        elif design.look == "midnight":
            self.kind_y = self.picture.bottom + 3.6
        else:
            self.kind_y = self.text_top - KIND / 2

    @property
    def file(self) -> str:
        """Return the file of the look for these roles."""
        if self.design.is_round:
            return "token.svg"
        return "ranks.svg" if self.roles.is_index else f"{self.design.look}.svg"

    @property
    def hue(self) -> str:
        """Return the color that the template shows by itself."""
        words = group_words(self.roles)
        return self._hues.get(words[0], DEFAULT_HUE) if words else DEFAULT_HUE

    @property
    def hue_field(self) -> str:
        """Return the expression of a card's color; empty if all have the same."""
        return (
            f"theme.hues[{self.roles.group.field}]" if self.roles.group and group_words(self.roles) else ""
        )

    @property
    def scene(self) -> str:
        """Return the arguments for a card's scene and color, as expressions of a template."""
        if not self.hue_field or self.roles.group is None:
            return f"rng({self.seed}).choice({json.dumps(list(SCENES))}), {json.dumps(self.hue)}"
        field = f"card.{self.roles.group.field}"
        known = f"if {field} in theme.hues else"
        return (
            f"theme.scenes[{field}] {known} {json.dumps(SCENES[0])}, "
            f"theme.hues[{field}] {known} {json.dumps(self.hue)}"
        )

    @property
    def seed(self) -> str:
        """Return the expression that a card's scene varies with."""
        return "card.id" if self.roles.title is None else f"card.{self.roles.title.field} or card.id"

    @property
    def title_sizes(self) -> list[float]:
        """Return the type sizes of titles, pt, the largest first."""
        largest: float = self.style["title"][1 if self._title_lines > 1 else 0] * self.scale
        return [largest * step for step in (1, 0.94, 0.88, 0.82, 0.76, 0.7, 0.64, 0.58, 0.52)]

    @property
    def _title_width(self) -> float:
        seals = len(self.roles.corners)
        if self.design.look == "midnight":
            return self.width + 3.2 - 2 * (self.seal + 1) if seals else self.width
        return self.width - (5.4 if self.signs and self.design.look == "poster" else 0)

    @property
    def _title_lines(self) -> int:
        title = self.roles.title
        if title is None:
            return 0
        size = self.style["title"][0] * self.scale * MM_PER_PT
        usual_length = usual([len(text) for text in title.texts])
        return 2 if usual_length * self.style["letter"] * size * 0.82 > self._title_width else 1

    @property
    def _title_height(self) -> float:
        lines = self._title_lines
        size: float = self.style["title"][1 if lines > 1 else 0] * self.scale * MM_PER_PT
        return lines * size * 1.05 + 2.6

    @property
    def title_box(self) -> Rect:
        """Return the place of the title."""
        width, height = self._title_width, self._title_height
        if self.design.look == "midnight":
            return Rect(self.center - width / 2, self.top - 1, width, max(height, self.seal))
        if self.design.look == "mosaic":
            top = self.picture.bottom + (5.6 if self.kind_columns else 1.6)
            return Rect(self.left, top, width, height)
        return Rect(self.right - width, self.picture.bottom, width, height)

    def _around_picture(self) -> tuple[float, float]:
        """Return the top of the picture, and the height between it and the texts."""
        kind = KIND if self.kind_columns else 2.4
        height = self._title_height if self.roles.title is not None else 0.0
        if self.design.look == "midnight":
            labelled = any(map(_is_labelled, self.roles.corners))
            head = (
                max(height, self.seal) + (3.8 if labelled else 0.8) if height or self.roles.corners else 0.0
            )
            return self.top - 0.6 + head, kind + 0.6
        if self.design.look == "mosaic":
            return self.top, kind + (height + 2.8 if height else 0.4)
        return 0.0, height + kind + 0.4

    def _picture_place(self, before: float, between: float) -> Rect:
        """Return the room left by the longest texts, within limits."""
        room = self.end - before - between
        texts = [*self.roles.texts, *filter(None, (self.roles.flavour,))]
        heights = [
            max(needed(column, self.width, READING + 0.5), needed(column, self.width, size, MOST))
            for column, size in zip(texts, [10.0] * len(self.roles.texts) + [8.0], strict=False)
        ]
        want = sum(height + 1.8 for height in heights)
        want += 4.4 * sum(self._headed)
        least = 0.34 if self.roles.art is not None else 0.2
        height = max(least * room, min(0.72 * room, room - want)) if texts else room - 1
        if self.design.look == "poster":
            return Rect(0, 0, self.full.width, height)
        if self.design.look == "mosaic":
            cell = self.width / self.columns
            return Rect(self.left, before, self.width, max(1, int(height / cell + 0.15)) * cell)
        return Rect(self.left - 1.6, before, self.width + 3.2, height)

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
    def flavour_box(self) -> Rect | None:
        """Return the place of the flavor, at the end of the texts."""
        if self.roles.flavour is None:
            return None
        height = min(needed(self.roles.flavour, self.width, 8.5) + 0.6, 0.45 * (self.end - self.text_top))
        if not self.roles.texts:
            height = self.end - self.text_top - 1
        return Rect(self.left, self.end - height, self.width, height)

    @property
    def _headed(self) -> list[bool]:
        texts = self.roles.texts
        return [len(texts) > 1 and column.field not in _GENERIC for column in texts]

    @property
    def text_boxes(self) -> list[TextBox]:
        """Return the places of the texts for reading, each with room for its longest one, and with the
        largest type in which most of its texts fit."""
        texts, flavour, y = self.roles.texts, self.flavour_box, self.text_top
        end = self.end if flavour is None else flavour.y - 1.6
        shares = [needed(column, self.width, 8.5) for column in texts]
        room = end - y - 4.4 * sum(self._headed) - 1.6 * (len(texts) - 1)
        is_lone = len(texts) == 1 and flavour is None
        boxes = []
        for column, head, share in zip(texts, self._headed, shares, strict=True):
            heading_y = y + 1.4 if head else None
            y += 4.4 if head else 0
            box = Rect(self.left, y, self.width, max(1.0, room * share / sum(shares)))
            fitting = [size for size in _SIZES if needed(column, box.width, size, MOST) <= box.height]
            sizes = _SIZES[_SIZES.index(fitting[0]) :] if fitting else (READING,)
            boxes.append(TextBox(column, box, sizes, heading_y, is_lone))
            y = box.bottom + 1.6
        return boxes


def face_svg(roles: Roles, design: Design, whole: Roles | None = None) -> str:
    """Return the template of a face; for some cards of a table, `whole` has the columns of all."""
    face = Face(roles, design, whole)
    return _drawn("card.svg", face=face, roles=roles, style=face.style)


def scenes_svg(look: str) -> str:
    """Return the template of the scenes of cards without a picture."""
    return read_bundled("game/looks", f"{look}-scenes.svg").decode("utf-8")


class Back:
    """The back of a piece: its ground and ornament, and the plates with the game's name."""

    def __init__(self, design: Design) -> None:
        style, trim = design.style, design.trim
        self.full = design.full
        self.size = min(16.0, style["title"][0] * 0.9) * min(1.5, trim.width / 63.5)
        self.grounds = {
            "poster": ["#23395d", "#2f4d7d", "#fbf6ea"],
            "midnight": [style["dark"], "#23264a", "#2d3163"],
            "mosaic": [DEFAULT_HUE, style["dark"], style["paper"]],
        }[design.look]
        x, y = self.full.width / 2, self.full.height / 2
        self.radius = 0.31 * trim.width if not design.is_round else 0.36 * trim.width
        far = self.full.width + self.full.height
        self.rays = [
            [*_polar(x, y, far, at * 15 - 3.75), *_polar(x, y, far, at * 15 + 3.75)] for at in range(24)
        ]
        self.petals = [_petal(x, y, self.radius * 0.74, at * 45) for at in range(8)]
        self.tiles = self._tiles(style) if design.look == "mosaic" else []
        self.frame: Rect | None = None
        self.plates: list[Rect] = []
        if not design.is_round:
            inner = Rect(design.bleed, design.bleed, trim.width, trim.height)
            self.frame = inner.inset(EDGE)
            height = self.size * MM_PER_PT * 1.9
            top = (self.frame.y + y - self.radius) / 2 - height / 2
            top = max(self.frame.y + 1, top)
            self.plates = [Rect(self.frame.x + 3, top, self.frame.width - 6, height)] * 2

    def _tiles(self, style: dict[str, Any]) -> list[dict[str, Any]]:
        """Return tiles that cover a back and look the same upside down."""
        across = 7
        side = self.full.width / across
        down = 2 * ceil(self.full.height / side / 2)
        top = (self.full.height - down * side) / 2
        fills = [style["dark"], "#a9c0da", style["gold"]]
        shapes = ("M-1-1H1A2 2 0 0 1-1 1z", "M-1-1A2 2 0 0 1 1 1A2 2 0 0 1-1-1z", "M-1-1H1L-1 1z")
        tiles = []
        for row in range(down):
            for column in range(across):
                is_upper = row < down / 2
                first = (row, column) if is_upper else (down - 1 - row, across - 1 - column)
                pick = first[0] * 5 + first[1] * 3 + first[0] * first[1]
                tiles.append(
                    {
                        "x": side * (column + 0.5),
                        "y": top + side * (row + 0.5),
                        "half": side / 2,
                        "turn": pick % 4 * 90 + (0 if is_upper else 180),
                        "shape": shapes[pick % 3],
                        "fill": fills[pick % 7 % 3],
                    }
                )
        return tiles


def _polar(x: float, y: float, radius: float, degrees: float) -> tuple[float, float]:
    turn = radians(degrees)
    return x + radius * cos(turn), y + radius * sin(turn)


def _petal(x: float, y: float, radius: float, degrees: float) -> str:
    """Return the path of a petal from the middle of an ornament."""
    tip, left, right = (
        _polar(x, y, radius * far, degrees + turn) for far, turn in ((1, 0), (0.62, -26), (0.62, 26))
    )
    start = f"{mm(x)} {mm(y)}"
    return (
        f"M{start}Q{mm(left[0])} {mm(left[1])} {mm(tip[0])} {mm(tip[1])}"
        f"Q{mm(right[0])} {mm(right[1])} {start}z"
    )


def back_svg(design: Design, title: str) -> str:
    """Return the template of a back, with the game's title."""
    back = Back(design)
    return _drawn("back.svg", back=back, look=design.look, style=design.style, title=title)


def box_svg(look: str) -> str:
    """Return the template of a box in a look, with the title and a scene of the cards on its front."""
    return starter_text(
        "box.svg", look=look, style=looks()[look], hue=DEFAULT_HUE, scene=SCENES[0]
    ).lstrip()


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
        "wrapped": _wrapped,
        "picture": lambda column: f"../../{picture_file(_sample(column))}",
        "short": _short,
        "short_width": lambda column: len(plain_words(_short(column))) * 0.55 * READING * MM_PER_PT,
        "least": _least,
        "at_least": lambda sizes, least: list(dict.fromkeys(max(size, least) for size in sizes)),
        "capital": lambda text: text[:1].upper() + text[1:],
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


def _wrapped(column: Column, box: Rect, size: float, leading: float) -> list[str]:
    """Return the text that a template shows by itself in lines that fit into a box; `size` is that of the
    type in pt. Other programs don't break lines."""
    across = max(4, int(box.width / (_EM * 1.1 * size * MM_PER_PT)))
    most = max(1, int(box.height / (leading * size * MM_PER_PT)))
    lines = wrap(plain_words(_sample(column)), across, max_lines=most, placeholder=" …")
    return [escape(line) for line in lines] or ["–"]


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
_PALE, _DEEP, _SUN = "#fdf3dc", "#14121f", "#f3b24a"
_FORMATS = {"jpg": "JPEG", "jpeg": "JPEG", "tif": "TIFF"}
_FINER = 2
"""Pixels across that are drawn for each of a bitmap, so that edges are smooth."""

Shape = tuple[str, list[tuple[float, float]]]
"""A polygon of a color, in shares of a picture's width and height."""


def stand_in(name: str, size: Size, hue: str, scene: str, seed: str) -> bytes:
    """Return the content of a placeholder file with this name, in the format of its ending, for a place of
    that size: a scene in tones of a hue, which varies with the seed."""
    shapes = _scene(scene, hue, Random(f"{scene} {seed}"), size.width / size.height)
    width, height = (ceil(side / MM_PER_INCH * DPI) for side in (size.width, size.height))
    ending = PurePosixPath(name).suffix.lower().removeprefix(".")
    if ending == "svg":
        drawn = "".join(
            f'<path fill="{color}" d="M{"L".join(f"{x * width:.1f} {y * height:.1f}" for x, y in line)}z"/>'
            for color, line in shapes
        )
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        return f"{head}{drawn}</svg>\n".encode()
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (width * _FINER, height * _FINER))
    draw = ImageDraw.Draw(image)
    for color, line in shapes:
        draw.polygon([(x * image.width, y * image.height) for x, y in line], fill=color)
    out = BytesIO()
    format = _FORMATS.get(ending, ending.upper())
    image = image.resize((width, height), Image.Resampling.BOX)
    image.save(out, "PNG" if format in ("HEIC", "HEIF") else format)  # which Pillow doesn't write
    return out.getvalue()


def _scene(scene: str, hue: str, random: Random, wide: float) -> list[Shape]:
    """Return the shapes of a scene, the farthest first; `wide` is the picture's width by its height."""
    is_night = scene in ("night", "gem", "burst")
    tones = [_mixed(hue, _PALE, share) for share in (0.74, 0.9, 0.5, 0.24, 0.0)]
    if is_night:
        tones = [_mixed(hue, _DEEP, share) for share in (0.5, 0.25, 0.0, 0.3, 0.62)]
    sky, haze, far, mid, near = tones
    x, y, radius = random.uniform(0.28, 0.72), random.uniform(0.26, 0.4), random.uniform(0.13, 0.19)
    full: Shape = (sky, [(0, 0), (1, 0), (1, 1), (0, 1)])
    found: list[Shape] = [full]
    if scene in ("burst", "gem", "figure"):
        x, y = 0.5, 0.5
        for at in range(12):
            turn = 30 * at + random.uniform(-4, 4)
            found.append((haze, [(x, y), *(_around(x, y, 2, turn + wider, wide) for wider in (0, 14))]))
        corners = 6 if scene == "gem" else 10
        reach = [1.0, 1.0] if scene == "gem" else [1.0, 0.55]
        for color, size in ((far, 0.36), (_PALE if is_night else mid, 0.27), (_SUN, 0.18)):
            star = [
                _around(x, y, size * reach[at % 2], 360 * at / corners - 90, wide) for at in range(corners)
            ]
            found.append((color, star))
        return found
    for color, size in ((haze, 1.5), (_PALE if is_night else _SUN, 1.0)):
        found.append((color, [_around(x, y, size * radius, 6 * at, wide) for at in range(60)]))
    for color, base, high in ((far, 0.6, 0.3), (mid, 0.74, 0.24), (near, 0.9, 0.16)):
        found.append((color, [(0.0, 1.0), *_skyline(scene, base, high, random), (1.0, 1.0)]))
    return found


def _skyline(scene: str, base: float, high: float, random: Random) -> list[tuple[float, float]]:
    """Return the upper edge of houses, trees, mountains or, for any other scene, of waves, from the left to
    the right."""
    many = {"city": 8, "forest": 11, "peaks": 4}.get(scene, 48)
    line: list[tuple[float, float]] = []
    shift = random.uniform(0, 6)
    for at in range(many):
        left, right = at / many, (at + 1) / many
        top = base - high * random.uniform(0.25, 1)
        if scene == "city":
            line += [(left, top), (right, top)]
        elif scene in ("forest", "peaks"):
            line += [(left, base), ((left + right) / 2 + random.uniform(-0.2, 0.2) / many, top)]
        else:
            line.append((left, base - high * 0.3 * sin(shift + 7 * left) - high * 0.15 * sin(19 * left)))
    return [*line, (1.0, line[-1][1] if scene == "city" else base)]


def _around(x: float, y: float, radius: float, degrees: float, wide: float) -> tuple[float, float]:
    return x + radius * cos(radians(degrees)) / wide, y + radius * sin(radians(degrees))


def _mixed(hue: str, other: str, share: float) -> str:
    """Return a color between two of the form `#rrggbb`."""
    pairs = zip(bytes.fromhex(hue[1:]), bytes.fromhex(other[1:]))
    return "#" + "".join(f"{round(one + (two - one) * share):02x}" for one, two in pairs)
