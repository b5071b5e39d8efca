"""Texts inside pictures as outlines, and texts as a reader sees them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator

from cardgen.art.icons import PREFIX, IconSet
from cardgen.art.template_lines import AT, parse_at
from cardgen.art.text import Side, TextSetter
from cardgen.art.text_lines import Frame
from cardgen.art.text_style import GROUP, TextError, filled_opacity, paint
from cardgen.core.artwork import Artwork, Color, IconRun, SetText, TextRun
from cardgen.core.findings import Problem
from cardgen.core.game import Limits
from cardgen.core.geometry import IDENTITY, Matrix, Rect
from cardgen.core.records import dataclass, replace
from cardgen.expressions.values import number
from cardgen.files.listing import ProjectFolders
from cardgen.svg.lengths import remade
from cardgen.svg.outlines import transform_of
from cardgen.svg.style import Properties, StyleSheet, inherit
from cardgen.svg.tree import (
    MOST_DRAWN_TEXT,
    MOST_OUTLINED,
    MOST_PROBLEMS,
    MOST_REPEATED_TEXTS,
    MOST_SIDE_TEXT,
    Document,
    Node,
    names,
)
from cardgen.text.fonts import FontBook

_KEPT = names(
    "id class style transform transform-origin opacity fill fill-opacity fill-rule color stroke "
    "stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray "
    "stroke-dashoffset paint-order clip-path mask filter mix-blend-mode isolation display visibility"
)
"""Attributes of a text that its outlines have, too."""
_SET = names("style class")
_INITIAL = {"font-size": "16"}
"""The default of browsers."""
_TARGETS = re.compile(rb"""#([^\s"'()<>]+)""")
_ANYWHERE = Side(Rect(-1e6, -1e6, 2e6, 2e6), Rect(-1e6, -1e6, 2e6, 2e6))


_SHAPED, _ALONG = 1_000, 200
"""The number of letters that a text in a shape, or along a path, counts as."""


class TextOutliner:
    """Turns the texts of drawings into outlines. `setter` sets them, by default one with these fonts."""

    def __init__(
        self,
        fonts: FontBook,
        language: str,
        limits: Limits,
        icons: IconSet | None = None,
        setter: TextSetter | None = None,
    ) -> None:
        icons = icons or IconSet(ProjectFolders(()), "")
        self.setter = setter or TextSetter(fonts, icons, limits)
        self.icons, self.language = icons.marks, language

    def outlined(self, document: Document) -> tuple[Document, list[Problem]]:
        """Return the drawing of a file with every text as outlines, and the problems of texts that can't be
        set, which are skipped. Offsets are those in the file."""
        root = document.root
        if not root.has_text:
            return document, []
        sheet = StyleSheet(node for node in root.iter() if node.name == "style")
        root = without_hidden(root, sheet, frozenset(_TARGETS.findall(document.data))) or root
        texts = DrawnTexts(self, document, sheet)
        root = texts.drawn(root)
        return Document(document.data, root, nodes_by_id(root), document.repeated), texts.problems


def _icons(text: SetText) -> Iterable[Node]:
    for run in text.runs:
        if isinstance(run, IconRun):
            box = {"x": run.x, "y": run.y, "width": run.width, "height": run.size}
            attrs = {name: number(value) for name, value in box.items()}
            color = "rgb({:.4%},{:.4%},{:.4%})".format(*run.fill)
            yield Node("use", {"href": f"#{PREFIX}{run.icon}", **attrs, "color": color, "stroke": "none"})


def _fill(color: Color, opacity: float, base: object, whole: float) -> dict[str, str]:
    """Return the paint of letters, if it differs from that of their group, and their opacity with it."""
    if opacity == 1 and (not isinstance(base, tuple) or color == base[:3]):
        return {}
    red, green, blue = (f"{channel:.4%}" for channel in color)
    return {"fill": f"rgb({red},{green},{blue})", "fill-opacity": number(min(1.0, opacity * whole))}


_SPECIAL = {
    "clip-path": "none",
    "filter": "none",
    "isolation": "auto",
    "mask": "none",
    "mix-blend-mode": "normal",
}
"""Properties that turn their element into one picture, with the values that don't."""
_SAID = re.compile(
    rb"mask|filter|clip-path|blend-mode|isolation|<(?:pattern|marker|symbol|use)\b|<svg\s.*<svg", re.S
)
_REFERENCES = re.compile(rb"""href\s*=\s*["']#([^"']+)["']""")
_DEFINITIONS = frozenset(("clipPath", "defs", "marker", "mask", "pattern", "symbol"))
_SHEETS = frozenset(("style", "title", "desc", "metadata"))


def shown_elsewhere(document: Document) -> frozenset[str]:
    """Return the ids of elements with text that a `<use>` shows."""
    with_text = {id for id, node in document.ids.items() if node.has_text}
    if not with_text or b"<use" not in document.data:
        return frozenset()
    return frozenset(with_text.intersection(name.decode() for name in _REFERENCES.findall(document.data)))


def nodes_by_id(root: Node) -> dict[str, Node]:
    """Return the elements of a tree by their ids, the first of each."""
    return {node.attrs["id"]: node for node in reversed(list(root.iter())) if "id" in node.attrs}


def without_hidden(node: Node, sheet: StyleSheet, named: frozenset[bytes]) -> Node | None:
    """Return the tree without undisplayed elements, except those that are referred to; None for nothing."""
    if sheet.properties(node).get("display", "").strip() == "none" and not any(
        part.attrs.get("id", "").encode() in named for part in node.iter()
    ):
        return None
    children: list[Node | str] = []
    for child in node.children:
        made = without_hidden(child, sheet, named) if isinstance(child, Node) else child
        if made is not None:
            children.append(made)
    return remade(node, children=children)


def has_drawn_texts(document: Document, styles: Callable[[], StyleSheet]) -> bool:
    """Return True if a text of the document is part of a picture. `styles` returns its style sheet."""
    if not document.root.has_text or _SAID.search(document.data) is None:
        return False
    if shown_elsewhere(document):
        return True
    stack = [child for child in document.root.elements() if child.has_text]
    sheet = styles()
    while stack:
        node = stack.pop()
        if node.name not in ("g", "text", "defs") or is_picture(node, sheet):
            return True
        if node.name != "text":
            stack += [child for child in node.elements() if child.has_text]
    return False


def is_picture(node: Node, sheet: StyleSheet) -> bool:
    """Return True if an element has a property that makes all of it one picture."""
    own = sheet.properties(node)
    return any(own.get(name, none).strip() not in (none, "none", "") for name, none in _SPECIAL.items())


class DrawnTexts:
    """Turns the texts of one side that are part of pictures into outlines, or without a `side` all texts of
    a drawing in a file. `problems` are those of the texts, offsets in the source."""

    def __init__(
        self, outliner: TextOutliner, document: Document, sheet: StyleSheet, side: Side | None = None
    ) -> None:
        self.problems: list[Problem] = []
        self.words: list[PrintedText] = []
        """Their text."""
        self._outliner, self._sheet, self._side = outliner, sheet, side
        self._ids = document.ids
        self._elsewhere: Collection[str] = shown_elsewhere(document)
        self._copies: dict[tuple[object, ...], str] = {}
        self._made: list[Node] = []
        self._busy: set[str] = set()
        self._most = MOST_DRAWN_TEXT if side is None else MOST_SIDE_TEXT
        self._left = self._most

    def drawn(self, root: Node) -> Node:
        """Return the tree with such texts as outlines."""
        of_file = self._side is None
        style = inherit(_INITIAL if of_file else {}, self._sheet.properties(root))
        outer = None if of_file else IDENTITY
        children = [
            self._walk(child, style, outer, of_file) if isinstance(child, Node) else child
            for child in root.children
        ]
        if self._made:
            defs = Node("defs", {}, root.start)
            defs.children = [*self._made]
            children.append(defs)
        return remade(root, children=children)

    def _walk(self, node: Node, style: Properties, outer: Matrix | None, picture: bool) -> Node:
        """Return an element and all in it; `picture` is True if it is part of one."""
        if node.name in _SHEETS or not (node.has_text or self._elsewhere):
            return node
        if node.name == "use":
            return self._use(node, style)
        own = self._sheet.properties(node)
        picture = picture or is_picture(node, self._sheet)
        if node.name == "text":
            return self._text(node, style, outer) if picture else node
        if node.name in ("defs", "symbol") or own.get("display") == "none":
            return remade(node, children=list(self._defined(node, inherit(style, own))))
        if node.name != "g":
            picture, outer = True, None
        elif outer is not None:
            try:
                outer = transform_of(node.attrs).then(outer)
            except ValueError:
                outer = None  # reported by the lint
        inner = inherit(style, own)
        children: list[Node | str] = []
        for child in node.children:
            made = self._walk(child, inner, outer, picture) if isinstance(child, Node) else child
            if node.name == "clipPath" and isinstance(made, Node) and made is not child:
                children += _apart(made)
            else:
                children.append(made)
        return remade(node, children=children)

    def _defined(self, node: Node, style: Properties) -> Iterator[Node | str]:
        """Yield the content of definitions. Texts in them are only visible by use, which shows copies: a
        drawing in a file has nothing else."""
        for child in node.children:
            if isinstance(child, Node) and child.name in _DEFINITIONS:
                yield self._walk(child, style if self._side is None else {}, None, True)
            elif isinstance(child, str) or not child.has_text or self._side is not None:
                yield child

    def _text(self, node: Node, style: Properties, outer: Matrix | None) -> Node:
        self._left -= len(node.text())
        self._left -= _SHAPED * (
            "shape-inside" in node.attrs or "shape-inside" in (node.get("style") or "")
        )
        self._left -= _ALONG * sum(part.name == "textPath" for part in node.iter())
        problem = None
        if self._left < 0:
            message = f"the texts of a drawing have more than {self._most:,} characters"
            hint = "move them into the template, or save the drawing as a PNG"
            if self._side is not None:
                message = f"the texts in pictures have more than {self._most:,} characters"
                hint = "shorten the texts on this side"
            problem = Problem("text/bounds", message, hint, offset=node.start)
        elif GROUP in node.attrs and self._side is not None:
            message = "text that is part of a picture can't join a group of texts"
            hint = f"remove {GROUP}, or the mask, clip, filter, blend or repeat of the text"
            problem = Problem("text/group", message, hint, offset=node.start)
        if problem is not None:
            if len(self.problems) < MOST_PROBLEMS and (
                self._left >= 0 or problem.code != self._last_code()
            ):
                self.problems.append(problem)
            return Node("g", {}, node.start)
        if len(self.problems) > MOST_PROBLEMS:
            return Node("g", {}, node.start)
        self.words.append((*(parse_at(node.get(AT)) or NOWHERE), _said(node)))
        if node.get("cg:decor") == "true":
            outer = None
        return self._outlines(node, style, outer)

    def _last_code(self) -> str:
        return self.problems[-1].code if self.problems else ""

    def _outlines(self, node: Node, style: Properties, outer: Matrix | None) -> Node:
        """Return a text as a group of outlines, in its own place and with its own paint. `outer` is the
        matrix around it, if its printed place is known: then it must meet the limits of any text of a side.
        Otherwise, it is a text of a drawing, whose blanks are as in browsers."""
        by = self._outliner
        group = Node("g", {name: value for name, value in node.attrs.items() if name in _KEPT}, node.start)
        group.end = node.end
        tag = Node("text", dict(node.attrs), node.start)
        tag.children = node.children
        side = self._side
        if side is None or outer is None:
            # Its printed size and place are unknown, so checks that depend on them are skipped.
            tag.attrs["cg:decor"] = "true"
            side = _ANYWHERE
        for name in ("transform", "transform-origin"):
            tag.attrs.pop(name, None)
        try:
            around = IDENTITY if outer is None else transform_of(node.attrs).then(outer)
            stated = (tag, style, around, self._ids, self._sheet, by.language, by.icons)
            frame = Frame(*stated, exact=outer is None)
            text, found, _, _ = by.setter.set(tag, frame, side, {})
            for problem in found:
                place = None if outer is None else problem.place
                self.problems.append(replace(problem.moved(node.start), place=place))
            if text is not None:
                if outer is None and any(isinstance(run, IconRun) and run.letter for run in text.runs):
                    message = "multicolor letters are not supported in drawing files"
                    raise TextError("text/in-drawing", message, "move this text into the template")
                own = inherit(style, self._sheet.properties(node))
                base = paint(own.get("fill", "black"), own.get("color", "black"))
                shapes = [*self._shapes(text, base, filled_opacity(own) or 1.0), *_icons(text)]
                for shape in shapes:
                    shape.start = shape.end = node.start
                group.children = [*shapes]
        except TextError as error:
            self.problems.append(error.problem.moved(node.start))
        except ValueError as error:
            hint = "write numbers in mm and degrees, such as translate(2 3)"
            self.problems.append(Problem("svg/transform", str(error), hint, offset=node.start))
        return group

    def _shapes(self, text: SetText, base: object, whole: float) -> Iterable[Node]:
        """Return the letters as paths, one for each paint, and the lines along them. `base` is the text's
        own paint, `whole` the opacity set by its group."""
        runs = [run for run in text.runs if isinstance(run, TextRun) and not run.hidden]
        glyphs = sum(len(word.glyphs) for run in runs for word in run.words)
        if glyphs > MOST_OUTLINED:
            message = f"a text in a drawing has more than {MOST_OUTLINED:,} letters"
            raise TextError("text/bounds", message, "move it into the template")
        for color, opacity in dict.fromkeys((run.fill, run.opacity) for run in runs):
            alike = (run for run in runs if run.fill == color and run.opacity == opacity)
            if data := self._outliner.setter.outlines.path(alike):
                yield Node("path", {"d": data} | _fill(color, opacity, base, whole))
        for bar in text.bars:
            area = bar.area
            box = {"x": area.x, "y": area.y, "width": area.width, "height": area.height}
            attrs = {name: number(value) for name, value in box.items()}
            yield Node("rect", attrs | _fill(bar.fill, 1.0, base, whole) | {"stroke": "none"})

    def _use(self, node: Node, style: Properties) -> Node:
        """Return a reference to an element with text as one to a copy of it with outlines."""
        id = (node.href or "")[1:]
        if id not in self._elsewhere or id in self._busy:  # a circle is a finding of the cost estimate
            return node
        inner = inherit(style, self._sheet.properties(node))
        key = (id, *sorted(inner.items()))
        name = self._copies.get(key)
        if name is None:
            if len(self._copies) >= MOST_REPEATED_TEXTS:
                message = f"<use> shows text in more than {MOST_REPEATED_TEXTS} different ways"
                self.problems.append(
                    Problem("text/bounds", message, "write the text out", offset=node.start)
                )
                return Node("g", {}, node.start)
            name = self._copies[key] = f"cg-text-{len(self._copies)}"
            self._busy.add(id)
            target = self._ids[id]
            if target.name == "symbol":
                own = inherit(inner, self._sheet.properties(target))
                children = [
                    self._walk(child, own, None, True) if isinstance(child, Node) else child
                    for child in target.children
                ]
                made = remade(target, children=children)
            else:
                made = self._walk(target, inner, None, True)
            self._busy.discard(id)
            self._made.append(remade(made, attrs={**made.attrs, "id": name}))
        attrs = {key: value for key, value in node.attrs.items() if key not in ("href", "xlink:href")}
        return remade(node, attrs={**attrs, "href": f"#{name}"})


def _apart(group: Node) -> list[Node]:
    """Return the outlines of a text by themselves, because a clipPath can't contain groups."""
    own = {name: value for name, value in group.attrs.items() if name != "id"}
    return [remade(child, attrs={**own, **child.attrs}) for child in group.elements()]


def _said(node: Node) -> str:
    """Return the words of a text, one line per block."""
    parts = ["\n"] if "cg:block" in node.attrs else []
    parts += [child if isinstance(child, str) else _said(child) for child in node.children]
    return "".join(parts)


ICON = "\ufffc"
"""A placeholder for an icon within a text."""
_BESIDE = 0.1
"""Of the type size: the largest gap between letters of one word."""
_SAME_LINE = 0.7
"""Of the type size: the largest rise of letters on the same line."""

_FOOT = 0.85
"""Of an icon's height: the baseline of the letters beside it, from its top."""

PrintedText = tuple[str, int, str]
"""The template that contains a text, its line, and the printed text."""
NOWHERE = ("", 0)
"""An unknown template and line."""


def printed_texts(made: LaidOut) -> list[PrintedText] | None:
    """Return the texts of a side that is laid out, in paint order; None if an error leaves out some."""
    if made.artwork is None or not made.can_be_drawn:
        return None
    found = [printed_text(text) for text in made.artwork.texts() if text.opacity > 0]
    return [each for each in (*found, *made.outlined) if each[2]]


def printed_text(text: SetText) -> PrintedText:
    """Return the words of a set text, and its place."""
    return (*(text.place or NOWHERE), _words(text))


def _words(text: SetText) -> str:
    """Return the letters of a text, with an ICON for each of its icons and a line end between its lines."""
    parts: list[str] = []
    end: tuple[float, float, float] | None = None
    is_icon = False
    for run in text.runs:
        if isinstance(run, IconRun):
            foot = run.y + _FOOT * run.size
            if end is not None and abs(foot - end[1]) >= _SAME_LINE * max(end[2], run.size):
                parts.append("\n")
            parts.append(ICON)
            end, is_icon = (run.x + run.width, foot, run.size), True
        elif run.within is None:
            if end is not None:
                between = _between(end, run)
                parts.append(between.strip(" ") if is_icon else between)
            parts.append(run.text)
            a, b = (run.turn[0], run.turn[1]) if run.turn is not None else (1.0, 0.0)
            end, is_icon = (run.x + a * run.advance, run.y + b * run.advance, run.size), False
    return "".join(parts)


def _between(end: tuple[float, float, float], run: TextRun) -> str:
    """Return the text a reader sees between the `end` of a run (x, y, type size) and the next one."""
    x, y, size = end
    size = max(size, run.size)
    if math.hypot(run.x - x, run.y - y) < _BESIDE * size:
        return ""
    if abs(run.y - y) < _SAME_LINE * size:
        return "" if abs(run.x - x) < _BESIDE * size else " "
    return "\n"


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A side laid out; `artwork` is None if it could not be read. The `problems` are its own and those of
    the files that it shows."""

    artwork: Artwork | None
    problems: tuple[Problem, ...]
    icons: frozenset[str]
    outlined: tuple[PrintedText, ...] = ()
    """Its texts that are drawn as outlines."""

    @property
    def can_be_drawn(self) -> bool:
        """Return True if it has an artwork and no errors."""
        return self.artwork is not None and not any(problem.is_error for problem in self.problems)

    @property
    def is_faulty(self) -> bool:
        """Return True if a problem drops a part of the drawing, and not just a text."""
        return any(map(_of_drawing, self.problems))


def _of_drawing(problem: Problem) -> bool:
    return problem.is_error and not problem.code.startswith("text/") and problem.code != "icon/unknown"
