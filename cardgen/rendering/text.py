"""A `<text>` element to set text: wrapped in a box, or in lines at points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cardgen.findings import Severity
from cardgen.geometry import Matrix, Rect
from cardgen.model.artwork import IconRun, SetText, TextRun
from cardgen.model.game import Limits
from cardgen.rendering import lines
from cardgen.rendering.icons import IconSet
from cardgen.rendering.outlines import Outlines
from cardgen.rendering.problems import Problem
from cardgen.rendering.style import Properties, StyleSheet, inherit
from cardgen.rendering.svg import Node
from cardgen.rendering.text_flow import Block, Break, Flow, IconMark, Part, Words
from cardgen.rendering.text_lines import set_lines
from cardgen.rendering.text_style import (
    Styles,
    TextError,
    font_size,
    length,
    optional_length,
    points,
    unset,
)
from cardgen.rendering.transforms import parse_transform
from cardgen.typesetting import (
    Align,
    Composed,
    FontBook,
    HardBreak,
    IconSpan,
    LanguageError,
    Options,
    Paragraph,
    Span,
    VAlign,
    compose,
)
from cardgen.units import MM_PER_PT

LINE_HEIGHT = 1.2
"""Where a text states none."""
PARAGRAPH_SPACE = 0.5
"""Space between paragraphs in em, unless `cg:paragraph-space` says otherwise."""
ITEM_SPACE = 0.15
"""Space above a list item in em."""
LIST_INDENT = 1.0
"""Indent of a list in em, for each level."""

_ENDLESS = 1e5
_SIZE_TOLERANCE_PT = 0.02
"""Sizes in templates are rounded to 0.0001 mm, and fitting steps are finer than this."""
_EDGE_TOLERANCE = 0.05
_ALIGN: dict[str, Align] = {
    "start": "start",
    "left": "start",
    "center": "center",
    "middle": "center",
    "end": "end",
    "right": "end",
    "justify": "justify",
}
_VALIGN: dict[str, VAlign] = {"top": "top", "middle": "middle", "bottom": "bottom"}


@dataclass(frozen=True, slots=True)
class Side:
    """The side that a text stands on: its whole area, and the area within the safe zone."""

    area: Rect
    safe: Rect


@dataclass(frozen=True, slots=True)
class TextResult:
    """`text` is None where nothing is left to print. `style` is what the element's letters inherit."""

    text: SetText | None
    problems: tuple[Problem, ...]
    style: Properties


class TextSetter:
    """Sets the text elements of a game."""

    def __init__(self, fonts: FontBook, icons: IconSet, language: str, limits: Limits) -> None:
        self.styles = Styles(fonts)
        self.outlines = Outlines(fonts)
        self._icons = icons
        self._language = language
        self._limits = limits

    def set(
        self,
        node: Node,
        inherited: Properties,
        matrix: Matrix,
        boxes: dict[str, Node],
        sheet: StyleSheet,
        side: Side,
    ) -> TextResult:
        """Set one element. `boxes` are the elements that `shape-inside` may name. Never raises for bad
        input; what is wrong is in the result's problems."""
        own = sheet.properties(node)
        style = inherit(inherited, own)
        place = lines.parse_at(node.get(lines.AT))
        if own.get("display") == "none" or style.get("visibility") in ("hidden", "collapse"):
            return TextResult(None, (), style)
        try:
            line = place[1] if place is not None else None
            text, problems = self._set(node, own, style, matrix, boxes, sheet, side, line)
        except TextError as error:
            text, problems = None, [error.problem]
        return TextResult(text, tuple(replace(problem, place=place) for problem in problems), style)

    def _set(
        self,
        node: Node,
        own: Properties,
        style: Properties,
        matrix: Matrix,
        boxes: dict[str, Node],
        sheet: StyleSheet,
        side: Side,
        line: int | None,
    ) -> tuple[SetText | None, list[Problem]]:
        trouble = unset(style)
        if trouble is not None:
            raise TextError(*trouble)
        decor = _flag(node, "cg:decor")
        size = font_size(own.get("font-size"), font_size(style.get("font-size"), None))
        shape = own.get("shape-inside", "none")
        inline = optional_length(own, "inline-size", size or 0.0)
        wrapped = shape not in ("none", "auto") or bool(inline)
        flow = Flow(sheet, wrapped=wrapped, icons=not decor)
        parts = list(flow.parts(node, style, size))
        if not decor:
            self._check_icons(parts)
        if not wrapped:
            composed = set_lines(node, parts, style, size, self.styles)
            name = _name(node)
        else:
            box, name = self._box(node, own, style, shape, inline, boxes, size)
            composed = self._wrap(node, parts, style, size, box)
            if shape in ("none", "auto"):
                composed = _on_baseline(composed, node, size)
        problems = list(_typeset_problems(composed, name, _flag(node, "cg:fit", "shrink")))
        if not composed.runs:
            return None, problems
        opacity = _opacity(own, "opacity") * _opacity(style, "fill-opacity")
        text = SetText(composed.runs, composed.box, composed.size, matrix, opacity, decor, line)
        if not decor:
            problems += self._print_problems(text, size or composed.size, name, side)
        return text, problems

    # ---- icons in text

    def _check_icons(self, parts: Sequence[Part]) -> None:
        for part in parts:
            if isinstance(part, IconMark) and part.name not in self._icons:
                near = self._icons.near(part.name)
                hint = f"did you mean ':{near}:'?" if near else "the icons are in templates/_shared/icons/"
                message = f"there is no icon ':{part.name}:'"
                raise TextError(
                    "icon/unknown", message, f"{hint} (write \\: for a plain colon)", of_card=True
                )

    # ---- wrapped text

    def _box(
        self,
        node: Node,
        own: Properties,
        style: Properties,
        shape: str,
        inline: float | None,
        boxes: dict[str, Node],
        size: float | None,
    ) -> tuple[Rect, str]:
        """The box that the text fills, and its name for messages."""
        if shape not in ("none", "auto"):
            id = shape[4:].split(")")[0].strip("\"' #") if shape.startswith("url(") else ""
            rect = boxes.get(id)
            if rect is None or rect.name != "rect":
                what = f"is a <{rect.name}>" if rect is not None else "is not there"
                hint = 'shape-inside names a <rect id="…"> in <defs>'
                raise TextError("text/box", f"the box '{id or shape}' of the text {what}", hint)
            box = _rect(rect)
            padding = optional_length(own, "shape-padding", size or 0.0)
            return (box.inset(padding) if padding else box), f"'{id}'"
        assert inline is not None
        x, y = (length(node.get(name) or "0", name) for name in ("x", "y"))
        before = {"middle": 0.5, "end": 1.0}.get(style.get("text-anchor", "start"), 0.0)
        return Rect(x - inline * before, y, inline, _ENDLESS), _name(node)

    def _wrap(
        self, node: Node, parts: Sequence[Part], style: Properties, size: float | None, box: Rect
    ) -> Composed:
        if box.width <= 0 or box.height <= 0:
            raise TextError("text/box", "the box of the text has no width or height")
        align = style.get("text-align") or style.get("text-anchor", "start")
        valign = node.get("cg:valign", "top") or "top"
        fit = node.get("cg:fit", "none")
        if align not in _ALIGN:
            raise TextError("text/align", f"text-align is '{align}'", "start, center, end or justify")
        if valign not in _VALIGN:
            raise TextError("text/align", f"cg:valign is '{valign}'", "top, middle or bottom")
        if fit not in ("none", "shrink"):
            raise TextError("text/fit", f"cg:fit is '{fit}'", "it is shrink or none")
        hyphens = node.get("cg:hyphens", style.get("hyphens", "none"))
        least = node.get("cg:min-size")
        options = Options(
            align=_ALIGN[align],
            valign=_VALIGN[valign],
            line_height=_line_height(style.get("line-height", "normal"), size),
            shrink=fit == "shrink",
            min_size=length(least, "cg:min-size") if least else None,
            hyphenate=self._language if hyphens == "auto" else None,
            size=size,
        )
        try:
            return compose(self._paragraphs(node, parts), box, options)
        except LanguageError as error:
            hint = "remove cg:hyphens, or see the game's language"
            raise TextError("text/hyphens", str(error), hint) from None

    def _paragraphs(self, node: Node, parts: Sequence[Part]) -> list[Paragraph]:
        space = _em(node, "cg:paragraph-space", PARAGRAPH_SPACE)
        item_space = _em(node, "cg:item-space", ITEM_SPACE)
        indent = _em(node, "cg:list-indent", LIST_INDENT)
        paragraphs: list[Paragraph] = []
        spans: list[Span | IconSpan | HardBreak] = []
        block = Block("paragraph")

        def close() -> None:
            while spans and isinstance(spans[0], HardBreak):
                spans.pop(0)
            if spans:
                above = item_space if block.kind == "item" and block.bullet else space
                inset = indent * block.level
                paragraphs.append(Paragraph(tuple(spans), block.bullet, inset, above, indent))
            spans.clear()

        for part in parts:
            if isinstance(part, Words):
                if spans or not part.text.isspace():
                    spans.append(Span(part.text, self.styles.style(part.style, part.size)))
            elif isinstance(part, IconMark):
                spans.append(IconSpan(part.name, self.styles.style(part.style, part.size)))
            elif isinstance(part, Break):
                spans.append(HardBreak())
            elif isinstance(part, Block):
                close()
                block = part if part.kind else Block("paragraph")
        close()
        return paragraphs

    # ---- what the finished text must hold to

    def _print_problems(self, text: SetText, wanted: float, name: str, side: Side) -> list[Problem]:
        found: list[Problem] = []
        least = self._limits.type_pt
        scale = text.matrix.scale
        sizes = [run.size for run in text.runs if isinstance(run, TextRun)]
        smallest = min(sizes, default=text.size) * scale
        if smallest / MM_PER_PT < least - _SIZE_TOLERANCE_PT:
            shrunk = text.size < wanted - 1e-6
            hint = f"the game's least type size is {least:g} pt"
            if shrunk:
                hint += "; shorten the text, enlarge its box, or raise cg:min-size"
            message = f"the text {name} is set in {points(smallest)}"
            found.append(Problem("text/size", message, hint, of_card=shrunk))
        if not side.safe.contains(_bounds(text.box, text.matrix), _EDGE_TOLERANCE):
            # The box reserves room for descenders; only now is it worth knowing where the ink is.
            ink = self.outlines.ink(text.runs)
            if ink is not None:
                found += _edge_problems(_bounds(ink, text.matrix), name, side)
        return found


def _edge_problems(area: Rect, name: str, side: Side) -> Iterator[Problem]:
    if not side.area.contains(area, _EDGE_TOLERANCE):
        message = f"the text {name} runs off the card"
        yield Problem("text/outside", message, _past(area, side.area))
    elif not side.safe.contains(area, _EDGE_TOLERANCE):
        hint = f"{_past(area, side.safe)}; cutting may take it off"
        message = f"the text {name} leaves the safe zone"
        yield Problem("text/safe-zone", message, hint, Severity.WARNING)


def _typeset_problems(composed: Composed, name: str, shrinking: bool) -> list[Problem]:
    found: list[Problem] = []
    if composed.overflow is not None:
        lost = composed.overflow.text
        shown = lost if len(lost) <= 80 else lost[:79].rstrip() + "…"
        reached = (
            f"even at {points(composed.overflow.size)}" if shrinking else f"at {points(composed.size)}"
        )
        message = f"the text {name} does not fit {reached}; lost: “{shown}”"
        hint = "shorten the text or enlarge its box"
        if not shrinking:
            hint += ', or let it shrink: cg:fit="shrink"'
        found.append(Problem("text/overflow", message, hint, of_card=True))
    for font, characters in composed.missing:
        shown = " ".join(f"'{char}' (U+{ord(char):04X})" for char in characters)
        hint = "use another character or another font"
        found.append(Problem("text/glyph", f"the font {font} has no {shown}", hint, of_card=True))
    if composed.rtl:
        hint = "only left-to-right scripts are set"
        found.append(Problem("text/rtl", f"the text {name} runs right to left", hint, of_card=True))
    return found


def _on_baseline(composed: Composed, node: Node, size: float | None) -> Composed:
    """The text moved so that its first baseline is at the element's y, as `inline-size` has it."""
    first = next((run for run in composed.runs if isinstance(run, TextRun)), None)
    if first is None:
        return composed
    shift = length(node.get("y") or "0", "y") - first.y
    runs: list[TextRun | IconRun] = [replace(run, y=run.y + shift) for run in composed.runs]
    return replace(composed, runs=tuple(runs), box=replace(composed.box, y=composed.box.y + shift))


def _rect(node: Node) -> Rect:
    x, y, width, height = (length(node.get(name) or "0", name) for name in ("x", "y", "width", "height"))
    try:
        matrix = parse_transform(node.get("transform"))
    except ValueError as error:
        raise TextError("svg/transform", str(error)) from None
    if matrix.b or matrix.c:
        hint = "turn the text instead: transform on <text>"
        raise TextError("text/box", "a box for text can't be turned or skewed", hint)
    return _bounds(Rect(x, y, width, height), matrix)


def _bounds(box: Rect, matrix: Matrix) -> Rect:
    if matrix.is_identity:
        return box
    corners = [matrix.apply(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    right, bottom = max(x for x, _ in corners), max(y for _, y in corners)
    return Rect(left, top, right - left, bottom - top)


def _past(area: Rect, limits: Rect) -> str:
    """How far, and where, `area` reaches beyond `limits`."""
    sides = (
        (limits.x - area.x, "left"),
        (area.right - limits.right, "right"),
        (limits.y - area.y, "top"),
        (area.bottom - limits.bottom, "bottom"),
    )
    return "by " + " and ".join(f"{by:.2f} mm at the {name}" for by, name in sides if by > _EDGE_TOLERANCE)


def _name(node: Node) -> str:
    """What to call a text without a box: its id, or its place."""
    id = node.get("id")
    if id:
        return f"'{id}'"
    return f"at ({node.get('x') or '0'}, {node.get('y') or '0'})"


def _flag(node: Node, name: str, word: str = "true") -> bool:
    return node.get(name) == word


def _em(node: Node, name: str, default: float) -> float:
    value = node.get(name)
    return default if value is None else length(value.removesuffix("em"), name)


def _opacity(properties: Properties, name: str) -> float:
    value = properties.get(name)
    return 1.0 if value is None else max(0.0, min(1.0, length(value, name, whole=1.0)))


def _line_height(value: str, size: float | None) -> float:
    if value == "normal":
        return LINE_HEIGHT
    if value.endswith("%"):
        return length(value, "line-height", whole=1.0)
    if value.endswith(("px", "em")):
        return length(value, "line-height", size or 1.0) / (size or 1.0)
    return length(value, "line-height")
