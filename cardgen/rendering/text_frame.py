"""What a text's own tag says: its look, its place or its box, and how it is set.

It does not depend on what the text holds, so that the texts of all cards that have one tag share one
`Frame`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from cardgen.geometry import Matrix, Rect
from cardgen.model.artwork import Stroke
from cardgen.rendering import template_lines
from cardgen.rendering.text_decoration import decorated
from cardgen.rendering.text_flow import Flow
from cardgen.rendering.text_lines import Lines
from cardgen.rendering.text_shapes import SHAPES, Shape
from cardgen.rendering.text_style import (
    GROUP,
    Look,
    TextError,
    direction,
    font_size,
    is_hidden,
    last_line,
    length,
    opacity_of,
    optional_length,
    paint,
    share,
    shrinking,
    unset,
    whole_number,
)
from cardgen.svg.colors import RGBA
from cardgen.svg.limits import short
from cardgen.svg.style import Properties, StyleSheet, inherit
from cardgen.svg.transforms import transform_of
from cardgen.svg.tree import Node
from cardgen.typesetting.breaking import WordRules, word_rules
from cardgen.typesetting.hyphenation import LIMITS
from cardgen.typesetting.icon_marks import IconNames
from cardgen.typesetting.phrases import PHRASES
from cardgen.typesetting.spans import Align, Options, VAlign

LINE_HEIGHT = 1.2
"""Where a text states none."""
PARAGRAPH_SPACE = 0.5
"""Space between paragraphs in em, unless `cg:paragraph-space` says otherwise."""
ITEM_SPACE = 0.15
"""Space above a list item in em."""
LIST_INDENT = 1.0
"""Indent of a list in em, for each level."""

_ENDLESS = 1e5
_ALIGN: dict[str, Align] = {
    "start": "start",
    "left": "start",
    "center": "center",
    "middle": "center",
    "end": "end",
    "right": "end",
    "justify": "justify",
}
_CAPS = {"round": 1, "square": 2}
_JOINS = {"round": 1, "bevel": 2}
_HYPHENS = ("auto", "none", "manual")
_WORD_BREAKS = {"normal": False, "keep-all": True, "auto-phrase": None}
_VALIGN: dict[str, VAlign] = {"top": "top", "middle": "middle", "bottom": "bottom"}


class Spacing(NamedTuple):
    """Space between paragraphs, above list items, and before them for each level, in em."""

    paragraph: float
    item: float
    indent: float


class Frame:
    """What a text's tag says. `boxes` are the elements that `shape-inside` may name, `around` is the
    matrix of the groups that it stands in. Where it is to be `exact`, every blank counts as it does in
    browsers; in a template those at the ends of lines don't.

    Raises ValueError for a transform that can't be read; properties raise TextError for what they are
    made from.
    """

    def __init__(
        self,
        node: Node,
        inherited: Properties,
        around: Matrix,
        boxes: Mapping[str, Node],
        sheet: StyleSheet,
        language: str,
        icons: IconNames,
        *,
        exact: bool = False,
    ) -> None:
        self.matrix = transform_of(node.attrs).then(around)
        own = sheet.properties(node)
        self.style = inherit(inherited, own)
        """What the element's letters inherit."""
        self.place = template_lines.parse_at(node.get(template_lines.AT))
        """Template and line."""
        self.decor = node.get("cg:decor") == "true"
        self.shrinks = node.get("cg:fit") == "shrink"
        self.group = node.get(GROUP)
        self.left_out = own.get("display") == "none"
        self.hidden = self.left_out or is_hidden(self.style)
        """Whether none of it is shown, unless a part says that it is."""
        self.clipped = own.get("clip-path", "none") != "none"
        self._own = own
        self._inherited = inherited
        self._node = Node(node.name, node.attrs)
        self._boxes = boxes
        self._sheet = sheet
        self._language = language
        self._exact = exact
        self._icons = icons
        self._shape = self._own.get("shape-inside", "none")

    def shows(self, node: Node) -> bool:
        """Whether some part of a hidden text is shown all the same."""
        parts = (self._sheet.properties(part) for part in node.iter() if part.name != "text")
        return not self.left_out and any(part.get("visibility") == "visible" for part in parts)

    @cached_property
    def look(self) -> Look:
        trouble = unset(self.style)
        if trouble is not None:
            raise TextError(*trouble)
        size = font_size(self._own.get("font-size"), font_size(self.style.get("font-size"), None))
        lines = decorated((), self._inherited, _fill(self._inherited))
        lines = decorated(lines, self._own, _fill(self.style))
        return Look(self.style, size, lines, 0.0 if is_hidden(self.style) else 1.0)

    @cached_property
    def opacity(self) -> float:
        own = opacity_of(self.style) or 1.0  # without a fill it is drawn as outlines
        return own * share(self._own, "opacity") * share(self.style, "fill-opacity")

    @cached_property
    def plain(self) -> bool:
        """Whether the letters are of one colour, without strokes."""
        color = self.style.get("color", "black")
        fill = paint(self.style.get("fill", "black"), color)
        return isinstance(fill, tuple) and paint(self.style.get("stroke", "none"), color) is None

    @cached_property
    def stroke(self) -> tuple[Stroke, float] | None:
        """The line along the letters in one colour and without dashes, and how opaque it is; None for any
        other, which is drawn as a picture."""
        style = self.style
        color = paint(style.get("stroke", "none"), style.get("color", "black"))
        dashed = style.get("stroke-dasharray", "none") != "none"
        scaled = style.get("vector-effect", "none") == "none"
        if not isinstance(color, tuple) or dashed or not scaled:
            return None
        stroke = Stroke(
            color[:3],
            length(style.get("stroke-width", "1"), "stroke-width", self.look.size or 0.0),
            _CAPS.get(style.get("stroke-linecap", ""), 0),
            _JOINS.get(style.get("stroke-linejoin", ""), 0),
            length(style.get("stroke-miterlimit", "4"), "stroke-miterlimit"),
        )
        return stroke, color[3] * share(self._own, "opacity") * share(style, "stroke-opacity")

    @cached_property
    def flow(self) -> Flow:
        icons = None if self.decor else self._icons
        return Flow(self._sheet, self.look, wrapped=self.wrapped, icons=icons, exact=self._exact)

    @cached_property
    def wrapped(self) -> bool:
        return self._shaped or bool(self._inline)

    @property
    def _shaped(self) -> bool:
        return self._shape not in ("none", "auto")

    @cached_property
    def _inline(self) -> float | None:
        return optional_length(self._own, "inline-size", self.look.size or 0.0)

    @cached_property
    def name(self) -> str:
        """What messages call the text: its box or its id, or else its place."""
        if self._shaped:
            return f"'{self._box_id}'"
        id = self._node.get("id")
        if id:
            return f"'{id}'"
        return f"at ({self._node.get('x') or '0'}, {self._node.get('y') or '0'})"

    # ---- not wrapped

    @cached_property
    def lines(self) -> Lines:
        return Lines(self._node, self.look, self._language, self._boxes, exact=self._exact)

    # ---- wrapped

    @property
    def _box_id(self) -> str:
        shape = self._shape
        return shape[4:].split(")")[0].strip("\"' #") if shape.startswith("url(") else ""

    @cached_property
    def baseline(self) -> float | None:
        """Where the first baseline has to lie; None in a box, which says itself."""
        return None if self._shaped else length(self._node.get("y") or "0", "y")

    @cached_property
    def box(self) -> Rect:
        """The box that a wrapped text fills."""
        box = self._named_box() if self._shaped else self._line_box()
        if box.width <= 0 or box.height <= 0:
            raise TextError("text/box", "the box of the text has no width or height")
        return box

    @cached_property
    def shape(self) -> Shape | None:
        """The shape that a wrapped text fills where it is no box."""
        node = self._boxes.get(self._box_id) if self._shaped else None
        if node is None or node.name not in SHAPES:
            return None
        shape = Shape(node, optional_length(self._own, "shape-padding", self.look.size or 0.0) or 0.0)
        if shape.box.width <= 0 or shape.box.height <= 0:
            raise TextError("text/box", "the shape of the text has no width or height")
        return shape

    def _named_box(self) -> Rect:
        id = self._box_id
        if self._shape.count("url(") > 1:
            raise TextError("text/box", "a text fills several shapes", "use a text for each")
        rect = self._boxes.get(id)
        if rect is None or rect.name != "rect":
            what = f"is a <{rect.name}>" if rect is not None else "is not there"
            hint = 'shape-inside names a <rect id="…">, or another shape, in <defs>'
            raise TextError("text/box", f"the box '{id or self._shape}' of the text {what}", hint)
        box = _rect(rect)
        padding = optional_length(self._own, "shape-padding", self.look.size or 0.0)
        return box.inset(padding) if padding else box

    def _line_box(self) -> Rect:
        """As wide as `inline-size` says, without end."""
        inline = self._inline or 0.0
        x, y = (length(self._node.get(name) or "0", name) for name in ("x", "y"))
        before = {"middle": 0.5, "end": 1.0}.get(self.style.get("text-anchor", "start"), 0.0)
        return Rect(x - inline * before, y, inline, _ENDLESS)

    @cached_property
    def options(self) -> Options:
        """How a wrapped text fills its box."""
        node, style, size = self._node, self.style, self.look.size
        align = style.get("text-align") or style.get("text-anchor", "start")
        valign = node.get("cg:valign", "top") or "top"
        if align not in _ALIGN:
            raise TextError("text/align", f"text-align is '{align}'", "start, center, end or justify")
        if valign not in _VALIGN:
            raise TextError("text/align", f"cg:valign is '{valign}'", "top, middle or bottom")
        fit = shrinking(node, size)
        return Options(
            align=_ALIGN[align],
            valign=_VALIGN[valign],
            line_height=_line_height(style.get("line-height", "normal"), size),
            shrink=fit.shrinks,
            min_size=fit.least,
            steps=fit.steps,
            words=self._words(node.get("cg:hyphens") or style.get("hyphens", "none")),
            size=size,
            direction=direction(style, self._language),
            last_line=last_line(node),
        )

    def _words(self, hyphens: str) -> WordRules:
        """How words are broken: `hyphens` is auto or not, and may say limits."""
        kind, *limits = hyphens.split() or ("none",)
        numbers = [whole_number(each) or 0 for each in limits]
        if kind not in _HYPHENS or len(limits) not in (0, 3) or not all(0 < n < 100 for n in numbers):
            hint = "it is auto, none or auto 6 3 3: least letters of a word, before a hyphen, after it"
            raise TextError("text/hyphens", f"cg:hyphens is '{short(hyphens)}'", hint)
        word_break = self.style.get("word-break")
        if word_break is not None and word_break not in _WORD_BREAKS:
            hint = f"it is {' or '.join(_WORD_BREAKS)}"
            raise TextError("text/unset", f"word-break is '{short(word_break)}'", hint)
        phrases = word_break == "auto-phrase"
        if phrases and self._language.partition("-")[0].lower() not in PHRASES:
            hint = f"it is for {', '.join(sorted(PHRASES))}; leave it out"
            raise TextError("text/unset", f"where phrases end in '{self._language}' is not known", hint)
        return word_rules(
            self._language,
            hyphens=kind == "auto",
            limits=(numbers[0], numbers[1], numbers[2]) if numbers else LIMITS,
            keep_all=None if word_break is None else _WORD_BREAKS[word_break],
            phrases=phrases,
        )

    @cached_property
    def spacing(self) -> Spacing:
        return Spacing(
            _em(self._node, "cg:paragraph-space", PARAGRAPH_SPACE),
            _em(self._node, "cg:item-space", ITEM_SPACE),
            _em(self._node, "cg:list-indent", LIST_INDENT),
        )


def _rect(node: Node) -> Rect:
    x, y, width, height = (length(node.get(name) or "0", name) for name in ("x", "y", "width", "height"))
    try:
        matrix = transform_of(node.attrs)
    except ValueError as error:
        raise TextError("svg/transform", str(error)) from None
    if matrix.b or matrix.c:
        hint = "turn the text instead: transform on <text>"
        raise TextError("text/box", "a box for text can't be turned or skewed", hint)
    return bounds(Rect(x, y, width, height), matrix)


def bounds(box: Rect, matrix: Matrix) -> Rect:
    """The upright rectangle around a box where the matrix puts it."""
    return box if matrix.is_identity else matrix.around(box)


def _fill(properties: Properties) -> RGBA | str | None:
    return paint(properties.get("fill", "black"), properties.get("color", "black"))


def _em(node: Node, name: str, default: float) -> float:
    value = node.get(name)
    return default if value is None else length(value.removesuffix("em"), name)


def _line_height(value: str, size: float | None) -> float:
    if value == "normal":
        return LINE_HEIGHT
    if value.endswith("%"):
        return length(value, "line-height", whole=1.0)
    if value.endswith(("px", "em")):
        return length(value, "line-height", size or 1.0) / (size or 1.0)
    return length(value, "line-height")
