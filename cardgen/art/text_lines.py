"""The box and position that a `<text>` tag sets, and its lines at points."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from cardgen.art import template_lines
from cardgen.art.text_flow import MOVES, NBSP, SAMPLE, Block, Break, Flow, IconMark, Move, Part, Rule, Words
from cardgen.art.text_positions import is_apart, set_letters
from cardgen.art.text_style import (
    GROUP,
    SPACES,
    Look,
    Styles,
    TextError,
    anchor_of,
    choice,
    decorated,
    direction,
    font_size,
    is_hidden,
    last_line,
    length,
    opacity_of,
    optional_length,
    own_matrix,
    paint,
    share,
    shrinking,
    spaces,
    unset,
    whole_number,
)
from cardgen.core.artwork import Stroke
from cardgen.core.geometry import Matrix, Rect
from cardgen.core.records import dataclass, field, replace
from cardgen.svg.outlines import Point, lines_of, transform_of
from cardgen.svg.style import RGBA, Properties, StyleSheet, inherit, url_targets
from cardgen.svg.tree import Node, short
from cardgen.text.icon_marks import IconNames
from cardgen.text.line_ends import LIMITS, PHRASES, WordRules, word_rules
from cardgen.text.setting import set_line
from cardgen.text.spans import (
    BEFORE,
    USUAL_SPACES,
    Align,
    Anchor,
    Composed,
    IconSpan,
    Options,
    Overflow,
    Span,
    Style,
    VAlign,
)

_SIZED = "give it a width and height in mm"
LINE_HEIGHT = 1.2
"""The default of a text."""
PARAGRAPH_SPACE = 0.5
"""Space between paragraphs in em, the default of `cg:paragraph-space`."""
ITEM_SPACE = 0.15
"""Space above a list item in em."""
LIST_INDENT = 1.0
"""Indent of a list in em, for each level."""

_ENDLESS = 1e5
_AROUND = ("shape-outside", "shape-subtract")
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
    """The settings in a text's tag. `boxes` are the elements that `shape-inside` may name, `around` is the
    matrix of the groups around it, `placed` those of the groups around elements that `shape-outside` may
    name. If it is `exact`, every blank counts as it does in browsers; in a
    template those at the ends of lines don't.

    Raises ValueError for a transform that can't be read; properties raise TextError for invalid values.
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
        placed: Mapping[str, Matrix] | None = None,
    ) -> None:
        self.matrix = transform_of(node.attrs).then(around)
        own = sheet.properties(node)
        self.style = inherit(inherited, own)
        """The properties that the element's letters inherit."""
        self.place = template_lines.parse_at(node.get(template_lines.AT))
        """Template and line."""
        self.decor = node.get("cg:decor") == "true"
        self.shrinks = node.get("cg:fit") == "shrink"
        self.group = node.get(GROUP)
        self.limits_spaces = SPACES in node.attrs
        self.left_out = own.get("display") == "none"
        self.hidden = self.left_out or is_hidden(self.style)
        """True if all of it is hidden, except for parts that set otherwise."""
        self.clipped = own.get("clip-path", "none") != "none"
        self._own = own
        self._inherited = inherited
        self._node = Node(node.name, node.attrs)
        self._boxes = boxes
        self._placed = placed or {}
        self._sheet = sheet
        self._language = language
        self._exact = exact
        self._icons = icons
        self._shape = self._own.get("shape-inside", "none")

    def shows(self, node: Node) -> bool:
        """Return True if some part of a hidden text is visible anyway."""
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
        """Return True if the letters have one color and no strokes."""
        color = self.style.get("color", "black")
        fill = paint(self.style.get("fill", "black"), color)
        return isinstance(fill, tuple) and paint(self.style.get("stroke", "none"), color) is None

    @cached_property
    def stroke(self) -> tuple[Stroke, float] | None:
        """Return the stroke of the letters if it has one color and no dashes, and its opacity; None for any
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
        """Return the text's name in messages: its box or its id, or else its place."""
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
        """Return the required first baseline; None in a box, which sets it itself."""
        return None if self._shaped else length(self._node.get("y") or "0", "y")

    @cached_property
    def box(self) -> Rect:
        """Return the box that a wrapped text fills."""
        box = self._named_box() if self._shaped else self._line_box()
        if box.width <= 0 or box.height <= 0:
            raise TextError("text/box", "the box of the text has no width or height", _SIZED)
        return box

    @cached_property
    def shape(self) -> Shape | None:
        """Return the shape that a wrapped text fills if it is no box."""
        node = self._boxes.get(self._box_id) if self._shaped else None
        excluded = self._excluded()
        if excluded is not None and not self._shaped:
            hint = "set shape-inside to a <rect> in <defs>"
            raise TextError("text/box", "text around a shape has no box", hint)
        if node is None or (node.name not in SHAPES and (excluded is None or node.name != "rect")):
            return None
        size = self.look.size or 0.0
        shape = Shape(node, optional_length(self._own, "shape-padding", size) or 0.0, excluded)
        if shape.box.width <= 0 or shape.box.height <= 0:
            raise TextError("text/box", "the shape of the text has no width or height", _SIZED)
        return shape

    def _excluded(self) -> Excluded | None:
        """Return the drawn objects that the text goes around: `shape-outside`, or `shape-subtract` (SVG 2,
        11.4.2), with `shape-margin`."""
        said = " ".join(self._own.get(name, "none") for name in _AROUND)
        ids = [target.removeprefix("#") for target in url_targets(said)]
        if not ids:
            if any(word != "none" for word in said.split()):
                hint = 'name a drawn object: shape-outside="url(#tree)"'
                raise TextError("text/box", f"shape-outside can't be '{short(said)}'", hint)
            return None
        margin = optional_length(self._own, "shape-margin", self.look.size or 0.0) or 0.0
        found = Excluded(margin)
        for id in ids:
            node = self._boxes.get(id)
            if node is None or id not in self._placed:
                what = "doesn't exist" if node is None else "is inside a symbol, a pattern or another <svg>"
                hint = "name an object in the same drawing, in plain groups or <defs>"
                raise TextError("text/box", f"the shape '{short(id)}' beside the text {what}", hint)
            try:
                found.add(node, self._placed[id].then(self.matrix.inverse()))
            except ZeroDivisionError:
                continue  # a text that nobody sees
        return found

    def _named_box(self) -> Rect:
        id = self._box_id
        if self._shape.count("url(") > 1:
            raise TextError("text/box", "the text names several shapes", "use one text for each shape")
        rect = self._boxes.get(id)
        if rect is None or rect.name != "rect":
            what = f"is a <{rect.name}>" if rect is not None else "doesn't exist"
            hint = 'set shape-inside to a <rect id="…">, or another shape, in <defs>'
            raise TextError("text/box", f"the box '{id or self._shape}' of the text {what}", hint)
        box = _rect(rect)
        padding = optional_length(self._own, "shape-padding", self.look.size or 0.0)
        return box.inset(padding) if padding else box

    def _line_box(self) -> Rect:
        """Return a box of the width `inline-size`, without an end."""
        inline = self._inline or 0.0
        x, y = (length(self._node.get(name) or "0", name) for name in ("x", "y"))
        before = BEFORE.get(self.style.get("text-anchor", "start"), 0.0)
        return Rect(x - inline * before, y, inline, _ENDLESS)

    @cached_property
    def options(self) -> Options:
        """Return how a wrapped text fills its box."""
        node, style, size = self._node, self.style, self.look.size
        align = style.get("text-align") or style.get("text-anchor", "start")
        valign = node.get("cg:valign", "top") or "top"
        aligned = choice(align, _ALIGN, "text/align", "text-align", "write start, center, end or justify")
        upright = choice(valign, _VALIGN, "text/align", "cg:valign", "write top, middle or bottom")
        fit = shrinking(node, size)
        limits = spaces(node, aligned) or USUAL_SPACES
        return Options(
            align=aligned,
            valign=upright,
            line_height=_line_height(style.get("line-height", "normal"), size),
            shrink=fit.shrinks,
            min_size=fit.least,
            steps=fit.steps,
            words=self._words(node.get("cg:hyphens") or style.get("hyphens", "none")),
            size=size,
            direction=direction(style, self._language),
            last_line=last_line(node),
            spaces=limits,
        )

    def _words(self, hyphens: str) -> WordRules:
        """Return the rules for breaking words: `hyphens` is auto or not, and may set limits."""
        kind, *limits = hyphens.split() or ("none",)
        numbers = [whole_number(each) or 0 for each in limits]
        if kind not in _HYPHENS or len(limits) not in (0, 3) or not all(0 < n < 100 for n in numbers):
            hint = "write auto, none or auto 6 3 3: minimum letters of a word, before and after a hyphen"
            raise TextError("text/hyphens", f"cg:hyphens can't be '{short(hyphens)}'", hint)
        word_break = self.style.get("word-break")
        keep_all = None
        if word_break is not None:
            hint = f"write {' or '.join(_WORD_BREAKS)}"
            keep_all = choice(word_break, _WORD_BREAKS, "text/unset", "word-break", hint)
        phrases = word_break == "auto-phrase"
        if phrases and self._language.partition("-")[0].lower() not in PHRASES:
            hint = f"remove it; it is for {', '.join(sorted(PHRASES))}"
            raise TextError("text/unset", f"phrase breaks are not supported in '{self._language}'", hint)
        return word_rules(
            self._language,
            hyphens=kind == "auto",
            limits=(numbers[0], numbers[1], numbers[2]) if numbers else LIMITS,
            keep_all=keep_all,
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
    matrix = own_matrix(node)
    if matrix.b or matrix.c:
        hint = "rotate the text instead: transform on <text>"
        raise TextError("text/box", "a box for text can't be rotated or skewed", hint)
    return bounds(Rect(x, y, width, height), matrix)


def bounds(box: Rect, matrix: Matrix) -> Rect:
    """Return the upright rectangle around a box after a transform."""
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


_ON_BASELINE = frozenset(("auto", "alphabetic", "baseline", "bottom"))
_HANGING = 0.8
"""Of the ascent: the height of a font's hanging baseline, as in browsers."""
_MOST_SAMPLE_LINES = 100
_SAMPLE_LINE = re.compile(r"(start|middle|end) ([-\d.e+]{1,30}) (.{1,10000})", re.ASCII)


@dataclass(slots=True)
class _Chunk:
    """Text anchored as one: pieces side by side, each `dx` mm after the one before."""

    x: float
    y: float
    anchor: Anchor
    sample: str = ""
    pieces: list[tuple[float, list[Span | IconSpan]]] = field(default_factory=lambda: [(0.0, [])])


class Lines:
    """The start of an unwrapped text, and the setting of its lines. Raises TextError."""

    def __init__(
        self, node: Node, look: Look, language: str, shapes: Mapping[str, Node], *, exact: bool = False
    ) -> None:
        self.exact = exact
        em = look.size or 0.0
        self.shapes = shapes
        self.at = {name: node.attrs[name] for name in MOVES if name in node.attrs}
        self.apart = is_apart(self.at)
        if self.apart:
            node = Node(node.name, {name: said for name, said in node.attrs.items() if name not in MOVES})
        x = _coordinate(node.attrs, "x", em) or 0.0
        y = _coordinate(node.attrs, "y", em) or 0.0
        self.x = x + (_coordinate(node.attrs, "dx", em) or 0.0)
        self.y = y + (_coordinate(node.attrs, "dy", em) or 0.0)
        self.look = look
        self.anchor = anchor_of(look.properties)
        baseline = _baseline(look)
        self.valign = node.get("cg:valign") or baseline.replace("middle", "x-middle")
        self.fixed = node.get("cg:valign") is not None
        self._node = node
        self._language = language

    @cached_property
    def fit(self) -> tuple[float | None, Options]:
        """Return the allowed width of a line, and True if it shrinks to fit."""
        node = self._node
        text, fit = node.get("cg:max-width"), shrinking(node, self.look.size)
        if last_line(node):
            hint = "remove it, or put the text in a box: shape-inside"
            raise TextError("text/fit", "cg:last-line applies only to text in a box", hint)
        if fit.shrinks and text is None:
            hint = "set its width: cg:max-width, or a box with shape-inside"
            raise TextError("text/fit", "text without a width can't shrink to fit", hint)
        width = length(text, "cg:max-width") if text is not None else None
        runs = direction(self.look.properties, self._language)
        options = Options(shrink=fit.shrinks, min_size=fit.least, steps=fit.steps, direction=runs)
        # In a group, sizes are the text's own, whatever its first span's size is.
        return width, options if node.get(GROUP) is None else replace(options, size=self.look.size)


def set_lines(
    lines: Lines,
    parts: Sequence[Part],
    styles: Styles,
    icons: IconNames,
    most: float | None = None,
) -> Composed:
    """Set the parts of a text at the places set by it and its tspans, in a size of `most` mm at most.
    Raises TextError."""
    width, options = lines.fit
    options = options if most is None else options.held(most)
    moves = [part for part in parts if isinstance(part, Move) and part.at]
    apart = lines.apart or any(is_apart(move.at) for move in moves)
    if apart or (lines.exact and moves and _plain(parts)):
        if width is not None:
            message = "positioned letters can't have a maximum width"
            raise TextError("text/fit", message, "remove cg:max-width")
        style = styles.style(lines.look)
        rise = _rise(style, lines.valign) * style.size
        plain = Options(size=options.size, direction=options.direction)
        return set_letters(lines.at, lines.look, parts, styles, lines.shapes, plain, rise)
    chunks = _chunks(lines, parts, styles, icons)
    lead = _lead(lines, styles)
    done = [_set(chunk, lines.valign, width, options, lead) for chunk in chunks]
    done = [composed for composed in done if composed.runs or composed.overflow]
    if not done:
        return Composed((), lines.look.size or 0.0, 0, Rect(0, 0, 0, 0))
    return done[0] if len(done) == 1 else joined(done)


def _plain(parts: Sequence[Part]) -> bool:
    """Return True if there are only letters that run from left to right."""
    return all(part.text.isascii() for part in parts if isinstance(part, Words))


def _chunks(lines: Lines, parts: Sequence[Part], styles: Styles, icons: IconNames) -> list[_Chunk]:
    if [part.kind for part in parts if isinstance(part, Block) and part.kind] == ["paragraph"]:
        parts = [part for part in parts if not isinstance(part, Block)]  # the only one needs no box
    chunk = _Chunk(lines.x, lines.y, lines.anchor)
    chunks = [chunk]
    drop = 0.0  # distance of the current text below the chunk's baseline
    for part in parts:
        if isinstance(part, Words | Break):
            text = part.text if isinstance(part, Words) else " "
            rise = _aligned(part.look, lines, styles)
            chunk.pieces[-1][1].extend(styles.spans(text, part.look, rise - drop))
        elif isinstance(part, IconMark):
            chunk.pieces[-1][1].append(icons.span(part.mark, styles.style(part.look, -drop)))
        elif isinstance(part, Move):
            em = part.look.size or 0.0
            new_x, new_y = _coordinate(part.at, "x", em), _coordinate(part.at, "y", em)
            dx, dy = _coordinate(part.at, "dx", em) or 0.0, _coordinate(part.at, "dy", em) or 0.0
            if new_x is not None:
                y = (chunk.y + drop if new_y is None else new_y) + dy
                chunk = _Chunk(new_x + dx, y, anchor_of(part.look.properties), part.at.get(SAMPLE, ""))
                chunks.append(chunk)
                drop = 0.0
                continue
            drop = (drop if new_y is None else new_y - chunk.y) + dy
            if dx:
                chunk.pieces.append((dx, []))
        elif isinstance(part, Block | Rule):
            hint = "give it a box: shape-inside, or inline-size"
            raise TextError("text/paragraphs", "a text of several lines or paragraphs has no box", hint)
    chunks = [chunk for chunk in chunks if any(spans for _, spans in chunk.pieces)]
    for chunk in chunks:
        if chunk.sample:
            chunk.x = _about_sample(chunk)
    return chunks


def _about_sample(chunk: _Chunk) -> float:
    """Return the anchor of a text that replaces a sample: the middle of that, or an end."""
    style = next(span.style for _, spans in chunk.pieces for span in spans)
    lefts, rights = [], []
    for line in chunk.sample.split("\n")[:_MOST_SAMPLE_LINES]:
        found = _SAMPLE_LINE.fullmatch(line)
        if found is None:
            raise TextError("text/align", f"{SAMPLE} can't be '{short(line)}'", "remove it")
        anchor, x, words = found.groups()
        width = set_line([Span(words, style)], 0.0, 0.0, "start").box.width
        lefts.append(length(x, SAMPLE) - BEFORE[anchor] * width)
        rights.append(lefts[-1] + width)
    share = BEFORE[chunk.anchor]
    return (1 - share) * min(lefts) + share * max(rights)


def _coordinate(at: object, name: str, em: float) -> float | None:
    value = at.get(name) if hasattr(at, "get") else None
    if value is None:
        return None
    if len(value.replace(",", " ").split()) > 1:
        hint = "write one number, and use letter-spacing to space the letters"
        raise TextError("text/positions", f"positions of single letters ({name}) are not supported", hint)
    return length(value.strip(), name, em)


def _lead(lines: Lines, styles: Styles) -> Style | None:
    """Return the style whose baseline a text is on, if it is not that of each line's first letters."""
    plain = lines.fixed or lines.valign in _ON_BASELINE or lines.look.size is None
    return None if plain else styles.style(lines.look)


def _set(chunk: _Chunk, valign: str, width: float | None, options: Options, lead: Style | None) -> Composed:
    anchor = chunk.anchor
    first = next(span.style for _, spans in chunk.pieces for span in spans)
    rise = _rise(lead or first, valign)
    rise *= lead.size / first.size if lead is not None and lead.size != first.size else 1.0
    pieces = [(dx, spans) for dx, spans in chunk.pieces if spans]
    if len(pieces) == 1 and not pieces[0][0]:
        composed = set_line(pieces[0][1], chunk.x, chunk.y, anchor, width, options)
        return composed.moved(0.0, rise * _size(composed, first, options)) if rise else composed
    done: list[Composed] = []
    unshrunk = Options(size=options.size, direction=options.direction, most=options.most)
    pen = 0.0
    for index, (dx, spans) in enumerate(pieces):
        kept = _keep_spaces(spans, index > 0, index < len(pieces) - 1)
        pen += dx
        composed = set_line(kept, chunk.x + pen, chunk.y, options=unshrunk)
        done.append(composed)
        pen += composed.box.width
    line = joined(done)
    before = BEFORE[anchor] * pen
    if width is not None and pen > width + 1e-6:
        lost = "".join(span.text for span in pieces[-1][1])
        left = chunk.x + BEFORE[anchor] * (pen - width)  # before it is moved
        room = Rect(left, line.box.y, width, line.box.height)
        line = replace(line, overflow=Overflow(line.size, (lost,), room, len(line.runs)))
    return line.moved(-before, rise * _size(line, first, options))


def _aligned(look: Look, lines: Lines, styles: Styles) -> float:
    """Return how far a part is raised to align on another baseline than the whole text, mm."""
    said = _baseline(look).replace("middle", "x-middle")
    level = said in _ON_BASELINE and lines.valign in _ON_BASELINE
    if level or look is lines.look or lines.fixed or lines.look.size is None:
        return 0.0
    whole = styles.style(lines.look)
    part = styles.style(look)
    return _rise(whole, lines.valign) * whole.size - _rise(part, said) * part.size


def _baseline(look: Look) -> str:
    """Return the baseline of a text, or of a part of one."""
    own = look.properties.get("alignment-baseline", "baseline")
    return look.properties.get("dominant-baseline", "auto") if own in _ON_BASELINE else own


def _size(composed: Composed, first: Style, options: Options) -> float:
    """Return the size reached by the first span, mm."""
    return composed.size if options.size is None else composed.size * first.size / options.size


def _rise(style: Style, valign: str) -> float:
    """Return how far the baseline is below the given y, in em."""
    if valign in _ON_BASELINE:
        return 0.0
    font = style.font
    shifts = {
        # `cg:valign` uses capitals and figures, as labels consist of these.
        "top": font.cap_height,
        "middle": font.cap_height / 2,
        # CSS Inline 3 §4.1: the lines that dominant-baseline names.
        "x-middle": font.x_height / 2,
        "central": (font.ascent - font.descent) / 2,
        "hanging": _HANGING * font.ascent,
        "mathematical": font.ascent / 2,
        "text-before-edge": font.ascent,
        "text-top": font.ascent,
        "text-after-edge": -font.descent,
        "ideographic": -font.descent,
        "text-bottom": -font.descent,
    }
    if valign not in shifts:
        raise TextError(
            "text/align", f"the vertical alignment '{valign}' is not supported", "use cg:valign"
        )
    return shifts[valign]


def _keep_spaces(spans: list[Span | IconSpan], start: bool, end: bool) -> list[Span | IconSpan]:
    """Return the spans with a space at an inner edge made permanent."""
    result = list(spans)
    if start and isinstance(result[0], Span) and result[0].text[:1].isspace():
        result[0] = Span(NBSP + result[0].text.lstrip(), result[0].style)
    if end and isinstance(result[-1], Span) and result[-1].text[-1:].isspace():
        result[-1] = Span(result[-1].text.rstrip() + NBSP, result[-1].style)
    return result


def joined(done: Sequence[Composed]) -> Composed:
    """Return several lines as one text."""
    boxes = [composed.box for composed in done if composed.runs] or [done[0].box]
    overflow = next((composed.overflow for composed in done if composed.overflow), None)
    if overflow is not None:
        rooms = [each.box if each.overflow is None else each.overflow.room for each in done]
        runs = sum(len(composed.runs) for composed in done)
        overflow = replace(overflow, room=Rect.union(rooms), fitting=runs)
    missing: dict[tuple[str, str], None] = {}
    for composed in done:
        missing.update(dict.fromkeys(composed.missing))
    return Composed(
        tuple(run for composed in done for run in composed.runs),
        min(composed.size for composed in done),
        len(done),
        Rect.union(boxes),
        overflow,
        tuple(missing),
        tuple(bar for composed in done for bar in composed.bars),
    )


SHAPES = frozenset(("circle", "ellipse", "polygon", "polyline", "path"))
"""Elements, besides `rect`, in which text may be set."""
_MOST = 1_000
"""Most corners of a shape; each is checked for each line."""


class Shape:
    """A shape as a closed outline, with padding along it, without what is `excluded`. Raises TextError."""

    def __init__(self, node: Node, padding: float = 0.0, excluded: Excluded | None = None) -> None:
        self._excluded = excluded
        matrix = own_matrix(node)
        lines = [[matrix.apply(*place) for place in line] for line in lines_of(node, 2 * _MOST) if line]
        self._edges: list[tuple[Point, Point]] = [
            edge for line in lines for edge in pairwise((*line, line[0])) if edge[0] != edge[1]
        ]
        if len(self._edges) > _MOST:
            message = f"the shape '{short(node.get('id') or '')}' of a text has more than {_MOST:,} corners"
            raise TextError("text/bounds", message, "draw it with fewer nodes")
        if not self._edges:
            raise TextError("text/box", "the shape of the text has no area", _SIZED)
        self._padding = padding
        self.box = Rect.around(point for line in lines for point in line).inset(padding)
        """The box around it, without the padding."""

    def room(self, top: float, bottom: float) -> tuple[float, float] | None:
        """Return the widest stretch in the shape from `top` to `bottom`; None if there is none."""
        padding = self._padding
        taken = [] if self._excluded is None else self._excluded.between(top, bottom, padding)
        top, bottom = top - padding, bottom + padding
        walls, inside = _band(self._edges, top, bottom)
        best: tuple[float, float] | None = None
        walls = sorted((*walls, *taken))
        for left, right in inside:
            free = _widest(left, right, walls)
            if free is not None and (best is None or free[1] - free[0] > best[1] - best[0]):
                best = free
        if best is None or best[1] - best[0] <= 2 * padding:
            return None
        return best[0] + padding, best[1] - padding


Edge = tuple[Point, Point]
Stretch = tuple[float, float]


def _band(edges: Iterable[Edge], top: float, bottom: float) -> tuple[list[Stretch], list[Stretch]]:
    """Return what edges take up from left to right between two heights, and the stretches inside of the
    outline in the middle of them."""
    middle = (top + bottom) / 2
    crossings: list[tuple[float, int]] = []
    walls: list[Stretch] = []
    for (x, y), (ex, ey) in edges:
        low, high = min(y, ey), max(y, ey)
        if high <= top or low >= bottom:
            continue
        if y == ey:
            walls.append((min(x, ex), max(x, ex)))
            continue
        slope = (ex - x) / (ey - y)
        ends = [x + (min(max(at, low), high) - y) * slope for at in (top, bottom)]
        walls.append((min(ends), max(ends)))
        if (y <= middle) != (ey <= middle):
            crossings.append((x + (middle - y) * slope, 1 if ey > y else -1))
    inside: list[Stretch] = []
    turns = 0
    for (left, turn), (right, _) in pairwise(sorted(crossings)):
        turns += turn
        if turns:
            inside.append((left, right))
    return walls, inside


class Excluded:
    """Drawn objects that a text goes around, at a distance of `margin` mm."""

    def __init__(self, margin: float) -> None:
        self._margin = margin
        self._objects: list[list[Edge]] = []
        self._count = 0

    def add(self, node: Node, matrix: Matrix) -> None:
        """Add an object, or all of a group, whose units `matrix` brings to the text's. Raises TextError."""
        matrix = own_matrix(node).then(matrix)
        if node.name in ("image", "use"):
            said = {
                name: value for name, value in node.attrs.items() if name in ("x", "y", "width", "height")
            }
            node = Node("rect", said)
            if not said.keys() >= {"width", "height"}:
                raise TextError("text/box", "the picture beside the text has no width or height", _SIZED)
        lines = lines_of(node, 2 * _MOST) if node.name in (*SHAPES, "rect") else []
        placed = [[matrix.apply(*place) for place in line] for line in lines if line]
        edges = [edge for line in placed for edge in pairwise((*line, line[0])) if edge[0] != edge[1]]
        self._count += len(edges)
        if self._count > _MOST:
            message = f"the shapes beside a text have more than {_MOST:,} corners"
            raise TextError("text/bounds", message, 'draw a simpler outline around them, with fill="none"')
        if edges:
            self._objects.append(edges)
        for child in node.elements() if node.name in ("g", "a") else ():
            self.add(child, matrix)

    def between(self, top: float, bottom: float, padding: float) -> list[Stretch]:
        """Return what the objects take up from left to right between two heights, less the `padding` that
        a text keeps anyway."""
        beside = self._margin - padding
        taken: list[Stretch] = []
        for edges in self._objects:
            walls, inside = _band(edges, top - self._margin, bottom + self._margin)
            taken += ((left - beside, right + beside) for left, right in (*walls, *inside))
        return taken


def _widest(left: float, right: float, walls: list[tuple[float, float]]) -> tuple[float, float] | None:
    """Return the widest stretch between two places without a wall (sorted)."""
    best: tuple[float, float] | None = None
    for start, end in (*walls, (right, math.inf)):
        free = min(start, right)
        if free > left and (best is None or free - left > best[1] - best[0]):
            best = (left, free)
        left = max(left, end)
        if left >= right:
            break
    return best
