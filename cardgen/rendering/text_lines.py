"""Text that is not wrapped: lines at points, as SVG 1.1 has them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from cardgen.geometry import Rect
from cardgen.rendering.text_flow import MOVES, NBSP, SAMPLE, Block, Break, IconMark, Move, Part, Rule, Words
from cardgen.rendering.text_positions import is_apart, set_letters
from cardgen.rendering.text_style import (
    GROUP,
    Look,
    Styles,
    TextError,
    direction,
    last_line,
    length,
    shrinking,
)
from cardgen.svg.limits import short
from cardgen.svg.tree import Node
from cardgen.typesetting.composing import set_line
from cardgen.typesetting.icon_marks import IconNames
from cardgen.typesetting.spans import Anchor, Composed, IconSpan, Options, Overflow, Span, Style

_TURNED = {"start": "end", "end": "start"}
_ON_BASELINE = frozenset(("auto", "alphabetic", "baseline", "bottom"))
_HANGING = 0.8
"""Of the ascent: where the hanging baseline of a font lies, as browsers have it."""
_ANCHORS: dict[str, Anchor] = {"start": "start", "middle": "middle", "end": "end"}
_BEFORE: dict[Anchor, float] = {"start": 0.0, "middle": 0.5, "end": 1.0}


_MOST_SAMPLE_LINES = 100
_SAMPLE_LINE = re.compile(r"(start|middle|end) ([-\d.e+]{1,30}) (.{1,10000})", re.ASCII)


@dataclass(slots=True)
class _Chunk:
    """Text anchored as one: pieces side by side, each `dx` mm after the one before."""

    x: float
    y: float
    anchor: str
    sample: str = ""
    pieces: list[tuple[float, list[Span | IconSpan]]] = field(default_factory=lambda: [(0.0, [])])


class Lines:
    """Where a text that is not wrapped begins, and how its lines are set. Raises TextError."""

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
        self.anchor = _anchor(look)
        baseline = _baseline(look)
        self.valign = node.get("cg:valign") or baseline.replace("middle", "x-middle")
        self.fixed = node.get("cg:valign") is not None
        self._node = node
        self._language = language

    @cached_property
    def fit(self) -> tuple[float | None, Options]:
        """How wide a line may be, and whether it is shrunk to that."""
        node = self._node
        text, fit = node.get("cg:max-width"), shrinking(node, self.look.size)
        if last_line(node):
            hint = "leave it out, or set the text in a box: shape-inside"
            raise TextError("text/fit", "cg:last-line is for text that is broken into lines", hint)
        if fit.shrinks and text is None:
            hint = "say how wide it may be: cg:max-width, or a box with shape-inside"
            raise TextError("text/fit", "a line without a width can't shrink to fit", hint)
        width = length(text, "cg:max-width") if text is not None else None
        runs = direction(self.look.properties, self._language)
        options = Options(shrink=fit.shrinks, min_size=fit.least, steps=fit.steps, direction=runs)
        # In a group, sizes are the text's own, whichever its first span has.
        return width, options if node.get(GROUP) is None else replace(options, size=self.look.size)


def set_lines(
    lines: Lines, parts: Sequence[Part], styles: Styles, icons: IconNames, most: float | None = None
) -> Composed:
    """Set the parts of a text at the places that it and its tspans name, in a size of `most` mm at most.
    Raises TextError."""
    width, options = lines.fit
    if most is not None:
        options = options.held(most)
    moves = [part for part in parts if isinstance(part, Move) and part.at]
    apart = lines.apart or any(is_apart(move.at) for move in moves)
    if apart or (lines.exact and moves and _plain(parts)):
        if width is not None:
            message = "letters that have places of their own do not keep to a width"
            raise TextError("text/fit", message, "leave out cg:max-width")
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


class WholeLine(NamedTuple):
    """A line, and the room that it may take, from left to right; `fits` says whether it takes no more."""

    composed: Composed
    left: float
    right: float
    fits: bool


def set_whole(
    lines: Lines, parts: Sequence[Part], styles: Styles, icons: IconNames, most: float | None = None
) -> list[WholeLine]:
    """The lines of a text that is too wide, each to its end. Raises TextError."""
    width, options = lines.fit
    assert width is not None
    if most is not None:
        options = options.held(most)
    lead = _lead(lines, styles)
    done: list[WholeLine] = []
    for chunk in _chunks(lines, parts, styles, icons):
        composed = _set(chunk, lines.valign, width, options, lead)
        fits = composed.overflow is None
        if not fits:
            held = replace(options, shrink=False, steps=(), most=composed.size)
            composed = _set(chunk, lines.valign, None, held, lead)
        left = chunk.x - _BEFORE[_ANCHORS[chunk.anchor]] * width
        done.append(WholeLine(composed, left, left + width, fits))
    return done


def _plain(parts: Sequence[Part]) -> bool:
    """Whether there are only letters that run from left to right."""
    return all(part.text.isascii() for part in parts if isinstance(part, Words))


def _chunks(lines: Lines, parts: Sequence[Part], styles: Styles, icons: IconNames) -> list[_Chunk]:
    if [part.kind for part in parts if isinstance(part, Block) and part.kind] == ["paragraph"]:
        parts = [part for part in parts if not isinstance(part, Block)]  # the only one needs no box
    chunk = _Chunk(lines.x, lines.y, lines.anchor)
    chunks = [chunk]
    drop = 0.0  # how far the current text stands below the chunk's baseline
    for part in parts:
        if isinstance(part, Words):
            rise = _aligned(part.look, lines, styles)
            chunk.pieces[-1][1].extend(styles.spans(part.text, part.look, rise - drop))
        elif isinstance(part, IconMark):
            chunk.pieces[-1][1].append(icons.span(part.mark, styles.style(part.look, -drop)))
        elif isinstance(part, Move):
            em = part.look.size or 0.0
            new_x, new_y = _coordinate(part.at, "x", em), _coordinate(part.at, "y", em)
            dx, dy = _coordinate(part.at, "dx", em) or 0.0, _coordinate(part.at, "dy", em) or 0.0
            if new_x is not None:
                y = (chunk.y + drop if new_y is None else new_y) + dy
                chunk = _Chunk(new_x + dx, y, _anchor(part.look), part.at.get(SAMPLE, ""))
                chunks.append(chunk)
                drop = 0.0
                continue
            drop = (drop if new_y is None else new_y - chunk.y) + dy
            if dx:
                chunk.pieces.append((dx, []))
        elif isinstance(part, Break | Block | Rule):
            hint = "give it a box: shape-inside, or inline-size"
            raise TextError("text/paragraphs", "a text of several lines or paragraphs has no box", hint)
    chunks = [chunk for chunk in chunks if any(spans for _, spans in chunk.pieces)]
    for chunk in chunks:
        if chunk.sample and chunk.anchor in _ANCHORS:
            chunk.x = _about_sample(chunk)
    return chunks


def _about_sample(chunk: _Chunk) -> float:
    """Return where a text is anchored that takes the place of a sample: the middle of that, or an end."""
    style = next(span.style for _, spans in chunk.pieces for span in spans)
    lefts, rights = [], []
    for line in chunk.sample.split("\n")[:_MOST_SAMPLE_LINES]:
        found = _SAMPLE_LINE.fullmatch(line)
        if found is None:
            raise TextError("text/align", f"{SAMPLE} is '{short(line)}'", "leave it out")
        anchor, x, words = found.groups()
        width = set_line([Span(words, style)], 0.0, 0.0, "start").box.width
        lefts.append(length(x, SAMPLE) - _BEFORE[_ANCHORS[anchor]] * width)
        rights.append(lefts[-1] + width)
    share = _BEFORE[_ANCHORS[chunk.anchor]]
    return (1 - share) * min(lefts) + share * max(rights)


def _anchor(look: Look) -> str:
    """Which end of the line stands at its place, as seen: "start" is the right one of a text that says
    that it runs right to left (SVG 2, text-anchor). In a game of such a language none turns by itself."""
    anchor = look.properties.get("text-anchor", "start")
    return _TURNED.get(anchor, anchor) if look.properties.get("direction") == "rtl" else anchor


def _coordinate(at: object, name: str, em: float) -> float | None:
    value = at.get(name) if hasattr(at, "get") else None
    if value is None:
        return None
    if len(value.replace(",", " ").split()) > 1:
        hint = "give one number, and letter-spacing if letters shall stand apart"
        raise TextError("text/positions", f"places for single letters ({name}) are not set", hint)
    return length(value.strip(), name, em)


def _lead(lines: Lines, styles: Styles) -> Style | None:
    """The style whose baseline a text lies on, where it is not that of each line's first letters."""
    plain = lines.fixed or lines.valign in _ON_BASELINE or lines.look.size is None
    return None if plain else styles.style(lines.look)


def _set(chunk: _Chunk, valign: str, width: float | None, options: Options, lead: Style | None) -> Composed:
    if chunk.anchor not in _ANCHORS:
        raise TextError("text/align", f"text-anchor is '{chunk.anchor}'", "start, middle or end")
    anchor = _ANCHORS[chunk.anchor]
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
    before = _BEFORE[anchor] * pen
    if width is not None and pen > width + 1e-6:
        lost = "".join(span.text for span in pieces[-1][1])
        line = replace(line, overflow=Overflow(line.size, (lost,)))
    return line.moved(-before, rise * _size(line, first, options))


def _aligned(look: Look, lines: Lines, styles: Styles) -> float:
    """How far a part is raised to lie on another of its baselines than the whole text does, mm."""
    said = _baseline(look).replace("middle", "x-middle")
    level = said in _ON_BASELINE and lines.valign in _ON_BASELINE
    if level or look is lines.look or lines.fixed or lines.look.size is None:
        return 0.0
    whole = styles.style(lines.look)
    part = styles.style(look)
    return _rise(whole, lines.valign) * whole.size - _rise(part, said) * part.size


def _baseline(look: Look) -> str:
    """The baseline that a text, or a part of one, lies on."""
    own = look.properties.get("alignment-baseline", "baseline")
    return look.properties.get("dominant-baseline", "auto") if own in _ON_BASELINE else own


def _size(composed: Composed, first: Style, options: Options) -> float:
    """The size reached by the first span, mm."""
    return composed.size if options.size is None else composed.size * first.size / options.size


def _rise(style: Style, valign: str) -> float:
    """How far below the given y the baseline lies, in em."""
    if valign in _ON_BASELINE:
        return 0.0
    font = style.font
    shifts = {
        # `cg:valign` goes by capitals and figures, which is what labels are made of.
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
            "text/align", f"the text's vertical alignment '{valign}' is not set", "use cg:valign"
        )
    return shifts[valign]


def _keep_spaces(spans: list[Span | IconSpan], start: bool, end: bool) -> list[Span | IconSpan]:
    """The spans with a space at an inner edge made one that stays."""
    result = list(spans)
    if start and isinstance(result[0], Span) and result[0].text[:1].isspace():
        result[0] = Span(NBSP + result[0].text.lstrip(), result[0].style)
    if end and isinstance(result[-1], Span) and result[-1].text[-1:].isspace():
        result[-1] = Span(result[-1].text.rstrip() + NBSP, result[-1].style)
    return result


def joined(done: Sequence[Composed]) -> Composed:
    """Several lines as one text."""
    boxes = [composed.box for composed in done if composed.runs] or [done[0].box]
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    missing: dict[tuple[str, str], None] = {}
    for composed in done:
        missing.update(dict.fromkeys(composed.missing))
    return Composed(
        tuple(run for composed in done for run in composed.runs),
        min(composed.size for composed in done),
        len(done),
        Rect(left, top, right - left, bottom - top),
        next((composed.overflow for composed in done if composed.overflow), None),
        tuple(missing),
        tuple(bar for composed in done for bar in composed.bars),
    )
