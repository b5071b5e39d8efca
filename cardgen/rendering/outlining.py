"""Text in drawings as outlines: set like any other text, in the project's fonts, and then shapes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from cardgen.findings import Problem
from cardgen.geometry import IDENTITY, Matrix, Rect
from cardgen.model.artwork import Color, IconRun, SetText, TextRun
from cardgen.model.game import Limits, ProjectPaths
from cardgen.rendering.icons import PREFIX, IconSet
from cardgen.rendering.text import Side, TextSetter
from cardgen.rendering.text_frame import Frame
from cardgen.rendering.text_style import TextError, filled_opacity, paint
from cardgen.sandbox.texts import number
from cardgen.svg.limits import MOST_DRAWN_TEXT, MOST_OUTLINED
from cardgen.svg.names import names
from cardgen.svg.normal.rebuilding import remade
from cardgen.svg.style import Properties, StyleSheet, inherit
from cardgen.svg.transforms import transform_of
from cardgen.svg.tree import Document, Node
from cardgen.typesetting.fonts import FontBook

_KEPT = names(
    "id class style transform transform-origin opacity fill fill-opacity fill-rule color stroke "
    "stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray "
    "stroke-dashoffset paint-order clip-path mask filter mix-blend-mode isolation display visibility"
)
"""Attributes of a text that its outlines have, too."""
_SET = names("style class")
_AROUND = names("transform transform-origin clip-path display visibility")
"""What of a text counts in a clip path."""
_INITIAL = {"font-size": "16"}
"""What browsers have where nothing is said."""
_TARGETS = re.compile(rb"""#([^\s"'()<>]+)""")
_ANYWHERE = Side(Rect(-1e6, -1e6, 2e6, 2e6), Rect(-1e6, -1e6, 2e6, 2e6))


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a text is printed: its side, and the matrix of the groups around it."""

    side: Side
    around: Matrix


_SHAPED, _ALONG = 1_000, 200
"""What a text in a shape, and one along a path, count as letters."""


@dataclass(slots=True)
class _Work:
    """One drawing: its style sheets, its elements by id, those that something refers to, what is wrong, and
    how many letters it may still hold."""

    sheet: StyleSheet
    ids: dict[str, Node]
    shown: frozenset[bytes]
    problems: list[Problem] = field(default_factory=list)
    left: int = MOST_DRAWN_TEXT
    over: bool = False

    def charge(self, node: Node) -> None:
        """Count a text before it is set. Raises TextError where that is too much."""
        self.left -= len(node.text())
        self.left -= _SHAPED * ("shape-inside" in node.attrs or "shape-inside" in (node.get("style") or ""))
        self.left -= _ALONG * sum(part.name == "textPath" for part in node.iter())
        if self.left < 0:
            message = f"the texts of a drawing have more than {MOST_DRAWN_TEXT:,} characters"
            hint = "set them in the template, or save the drawing as a PNG"
            raise TextError("text/bounds", message, hint)


class TextOutliner:
    """Turns the texts of drawings into outlines. `setter` sets them, if not one with these fonts."""

    def __init__(
        self,
        fonts: FontBook,
        language: str,
        limits: Limits,
        icons: IconSet | None = None,
        setter: TextSetter | None = None,
    ) -> None:
        icons = icons or IconSet(ProjectPaths(()), "")
        self._setter = setter or TextSetter(fonts, icons, limits)
        self._marks = icons.marks
        self._language = language

    def outlined(self, document: Document) -> tuple[Document, list[Problem]]:
        """The drawing with every text as outlines; one that can't be set is left out, and a problem.
        Offsets count in the file."""
        if not document.root.has_text:
            return document, []
        sheet = StyleSheet(node for node in document.root.iter() if node.name == "style")
        work = _Work(sheet, dict(document.ids), frozenset(_TARGETS.findall(document.data)))
        root = self._drawn(_without_idle(document.root, work.shown), _INITIAL, work)
        return Document(document.data, root, work.ids, document.repeated), work.problems

    def _drawn(self, node: Node, style: Properties, work: _Work) -> Node:
        if not node.has_text:
            return node
        if node.name == "text":
            made = self._text(node, style, work)
        else:
            own = work.sheet.properties(node)
            style = inherit(style, own)
            made = Node(node.name, node.attrs, node.start)
            made.end = node.end
            if own.get("display") == "none" and not _named(node, work.shown):
                return made  # such as a hidden layer
            for child in node.children:
                drawn = self._drawn(child, style, work) if isinstance(child, Node) else child
                if node.name == "clipPath" and isinstance(drawn, Node) and drawn is not child:
                    made.children += _ungrouped(drawn)  # a clip path takes no groups
                else:
                    made.children.append(drawn)
        if work.ids.get(node.attrs.get("id", "")) is node:
            work.ids[node.attrs["id"]] = made
        return made

    def _text(self, node: Node, style: Properties, work: _Work) -> Node:
        """A text of a drawing, which counts."""
        try:
            work.charge(node)
        except TextError as error:
            if not work.over:  # said once
                work.problems.append(error.problem.moved(node.start))
            work.over = True
            return remade(node, name="g", attrs={}, children=[])
        return self.text(node, style, work.sheet, work.ids, work.problems)

    def text(
        self,
        node: Node,
        style: Properties,
        sheet: StyleSheet,
        ids: dict[str, Node],
        problems: list[Problem],
        standing: Standing | None = None,
    ) -> Node:
        """A text as a group of outlines, in its own place and with its own paint. `standing` is where it
        is printed, if that is known: it is held to what any text of a side is held to. Without, it is a
        text of a drawing, whose blanks are as in browsers."""
        group = Node("g", {name: value for name, value in node.attrs.items() if name in _KEPT}, node.start)
        group.end = node.end
        tag = Node("text", dict(node.attrs), node.start)
        tag.children = node.children
        side, around = _ANYWHERE, IDENTITY
        if standing is None:
            # How large it is printed is not known, nor where: what depends on that is not looked at.
            tag.attrs["cg:decor"] = "true"
        for name in ("transform", "transform-origin"):
            tag.attrs.pop(name, None)
        try:
            if standing is not None:
                side, around = standing.side, transform_of(node.attrs).then(standing.around)
            frame = Frame(
                tag, style, around, ids, sheet, self._language, self._marks, exact=standing is None
            )
            text, found, _, _ = self._setter.set(tag, frame, side, {})
            for problem in found:
                place = None if standing is None else problem.place
                problems.append(replace(problem.moved(node.start), place=place))
            if text is not None:
                if standing is None and any(isinstance(run, IconRun) and run.letter for run in text.runs):
                    message = "letters in colors of their own are not set in the file of a drawing"
                    raise TextError("text/in-drawing", message, "set this text in the template")
                own = inherit(style, sheet.properties(node))
                base = paint(own.get("fill", "black"), own.get("color", "black"))
                group.children = list(self._shapes(text, base, filled_opacity(own) or 1.0))
                group.children += _icons(text)
        except TextError as error:
            problems.append(error.problem.moved(node.start))
        except ValueError as error:
            problems.append(Problem("svg/transform", str(error), offset=node.start))
        return group

    def _shapes(self, text: SetText, base: object, whole: float) -> Iterable[Node]:
        """The letters as paths, one for each paint, and the lines along them. `base` is the paint that
        the text itself has, `whole` how opaque: its group says that."""
        runs = [run for run in text.runs if isinstance(run, TextRun) and not run.hidden]
        glyphs = sum(len(word.glyphs) for run in runs for word in run.words)
        if glyphs > MOST_OUTLINED:
            message = f"a text in a drawing has more than {MOST_OUTLINED:,} letters"
            raise TextError("text/bounds", message, "set it in the template")
        for color, opacity in dict.fromkeys((run.fill, run.opacity) for run in runs):
            alike = (run for run in runs if run.fill == color and run.opacity == opacity)
            if data := self._setter.outlines.path(alike):
                yield Node("path", {"d": data} | _fill(color, opacity, base, whole))
        for bar in text.bars:
            area = bar.area
            box = {"x": area.x, "y": area.y, "width": area.width, "height": area.height}
            attrs = {name: number(value) for name, value in box.items()}
            yield Node("rect", attrs | _fill(bar.fill, 1.0, base, whole) | {"stroke": "none"})


def _ungrouped(group: Node) -> Iterable[Node]:
    """The outlines of a text by themselves, in its place."""
    around = {name: group.attrs[name] for name in _AROUND if name in group.attrs}
    for shape in group.elements():
        yield Node(shape.name, {**shape.attrs, **around}, group.start)


def _icons(text: SetText) -> Iterable[Node]:
    for run in text.runs:
        if isinstance(run, IconRun):
            box = {"x": run.x, "y": run.y, "width": run.width, "height": run.size}
            attrs = {name: number(value) for name, value in box.items()}
            color = "rgb({:.4%},{:.4%},{:.4%})".format(*run.fill)
            yield Node("use", {"href": f"#{PREFIX}{run.icon}", **attrs, "color": color, "stroke": "none"})


def _without_idle(node: Node, shown: frozenset[bytes]) -> Node:
    """The tree without texts in `<defs>` that nothing shows: they are drawn nowhere."""
    if not node.has_text:
        return node
    children = [
        _without_idle(child, shown) if isinstance(child, Node) else child
        for child in node.children
        if node.name != "defs" or not isinstance(child, Node) or not child.has_text or _named(child, shown)
    ]
    return remade(node, children=children)


def _named(node: Node, shown: frozenset[bytes]) -> bool:
    return any(each.attrs.get("id", "").encode() in shown for each in node.iter())


def _fill(color: Color, opacity: float, base: object, whole: float) -> dict[str, str]:
    """The paint of letters, where it is another than that of their group, how opaque they are with it."""
    if opacity == 1 and (not isinstance(base, tuple) or color == base[:3]):
        return {}
    red, green, blue = (f"{channel:.4%}" for channel in color)
    return {"fill": f"rgb({red},{green},{blue})", "fill-opacity": number(min(1.0, opacity * whole))}
