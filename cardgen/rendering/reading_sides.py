"""A rendered side as a tree in plain SVG, a unit a millimetre, whatever its template was drawn with.

A template that says so itself and has nothing unusual is its own tree. Any other is brought to plain SVG,
fitted onto the card, and written out as a source of its own; problems then are told where they were in the
rendered template.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from cardgen.findings import Problem
from cardgen.geometry import Matrix, Rect, Size
from cardgen.rendering.drawn_texts import DrawnTexts, has_drawn_texts
from cardgen.rendering.outlining import TextOutliner
from cardgen.rendering.printed_texts import PrintedText
from cardgen.rendering.text import Side
from cardgen.svg.names import names
from cardgen.svg.normal import normalised
from cardgen.svg.normal.rebuilding import remade
from cardgen.svg.normal.writing import Written, written
from cardgen.svg.recent import Recent
from cardgen.svg.root import WHOLE, fitting, says_millimetres
from cardgen.svg.style import Properties, StyleSheet, has_relations, inherit
from cardgen.svg.tree import Document, Key, Node, parse

_UNUSUAL = tuple(
    (sign, re.compile(pattern))
    for sign, pattern in (
        (b"<!DOCTYPE", rb"<!DOCTYPE"),
        (b"<switch", rb"<switch\b"),
        (b"<a", rb"<a[\s>]"),
        (b"", rb"<(?!cg:)\w+:\w"),
        (b"var(", rb"var\("),
        (b"calc(", rb"calc\("),
        (b"important", rb"!\s*important"),
        (b"@", rb"@(?:media|import|font-face)"),
        (b"initial", rb"""["':;]\s*initial\b"""),
        (b"unset", rb"""["':;]\s*unset\b"""),
        (b"revert", rb"""["':;]\s*revert\b"""),
        (b"required", rb"\brequired[EF]"),
        (b"systemLanguage", rb"\bsystemLanguage"),
        (b"pathLength", rb"\bpathLength"),
        (b"transform-box", rb"\btransform-box"),
        (b"marker", rb"\bmarker\s*[=:]"),
        (b"font", rb"\bfont\s*[=:]"),
        (b"transform", rb"transform\s*:"),
        (b":", rb"""[;{"']\s*d\s*:"""),
        (b"filter", rb"filter\s*:"),
        (b"url(", rb"""url\(\s*["' ]"""),
        (b"circle(", rb"\bcircle\("),
        (b"ellipse(", rb"\bellipse\("),
        (b"inset(", rb"\binset\("),
        (b"polygon(", rb"\bpolygon\("),
        (b"path(", rb"\bpath\("),
        (b"display", rb"""\bdisplay\s*[=:]\s*["']?\s*none"""),
        (b"<style", rb"<style[^>]*>(?:\s*<!\[CDATA\[)?[^<]*[>+~\[]\s*[\w.#*]"),
    )
)
"""What makes a template in millimetres unusual. A pattern is tried if its sign is there."""
_SIGNS = tuple(
    sign.encode()
    for sign in [
        "<!DOCTYPE",
        "<switch",
        "<a ",
        "<a>",
        "var(",
        "calc(",
        "important",
        "@media",
        "@import",
        "@font-face",
        "initial",
        "unset",
        "revert",
        "required",
        "systemLanguage",
        "pathLength",
        "transform-box",
        "marker=",
        "marker:",
        "font=",
        "font:",
        "transform:",
        " d:",
        ";d:",
        '"d:',
        "{d:",
        "filter:",
        "url( ",
        "url('",
        'url("',
        "circle(",
        "ellipse(",
        "inset(",
        "polygon(",
        "path(",
        "display",
        "<style",
    ]
)
"""One of these stands in each place that is unusual, as it is mostly written."""
_UNIT = re.compile(rb"""["':]\s*-?[0-9.]+(?:cm|mm|in|pt|pc|q)\s*["';]""", re.I)
_NAMED = re.compile(rb"""#([^\s"'()<>;]+)""")
_ROOT_ONLY = names(
    "width height x y preserveAspectRatio enable-background version baseProfile zoomAndPan viewBox "
    "overflow contentScriptType contentStyleType"
)
_DEFINED = names("clipPath filter linearGradient marker mask pattern radialGradient")
_SIZES = 500
"""Roots remembered."""


@dataclass(frozen=True, slots=True)
class ReadSide:
    """A side as it is laid out. `problems` are those of reading it, offsets in the rendered template;
    without a `document` it can't be laid out."""

    document: Document | None
    problems: tuple[Problem, ...] = ()
    source: Written | None = None
    outlined: tuple[PrintedText, ...] = ()
    """Its texts that are part of pictures."""

    def told(self, problems: Iterable[Problem]) -> tuple[Problem, ...]:
        """Problems with offsets in the document, with those in the rendered template, after its own."""
        if self.source is None:
            return (*self.problems, *problems)
        origin = self.source.origin
        moved = (replace(problem, offset=origin(problem.offset)) for problem in problems)
        return (*self.problems, *moved)


class SideReader:
    """Reads the sides of one game."""

    def __init__(self, outliner: TextOutliner, language: str) -> None:
        self._outliner = outliner
        self._language = language
        self._roots: Recent[tuple[Key, Size], bool] = Recent(_SIZES)

    def read(self, source: str, size: Size, bleed: float, safe: float) -> ReadSide:
        """The tree of a rendered side. Raises SvgError."""
        document = parse(source.encode())
        root = document.root
        if root.name.rpartition(":")[2] != "svg":
            hint = "the outermost element of a template is <svg>"
            message = f"the template draws <{root.name}>"
            return ReadSide(None, (Problem("svg/root", message, hint, offset=root.start),))
        key = (root.key, size)
        plain = self._roots.get(key)
        if plain is None:
            plain = root.name == "svg" and says_millimetres(root, size)
            self._roots.put(key, plain)
        problems: list[Problem] = []
        if plain:
            unusual = _is_unusual(document.data, root.start) or _has_relations(document)
            if not unusual and not has_drawn_texts(document, lambda: sheet_of(document)):
                return ReadSide(document)
            # Where a unit is a millimetre, one of CSS would be another: that is said, not reckoned.
            lengths = _UNIT.search(document.data, _end_of_tag(document)) is None
            normal = normalised(document, self._language, lengths=lengths)
            tree = normal.document.root
            problems += normal.problems
        else:
            fitted = fitting(root, size, bleed)
            problems += (problem.moved(root.start) for problem in fitted.problems)
            if fitted.view is None:
                return ReadSide(None, tuple(problems))
            tree, said = self._fitted(document, fitted.view, fitted.matrix, size)
            problems += said
        area = Rect(0.0, 0.0, size.width, size.height)
        tree, found, words = self._prepared(document, tree, Side(area, area.inset(bleed + safe)))
        problems += found
        if tree is root:
            return ReadSide(document, tuple(problems))
        own = written(tree)
        return ReadSide(parse(own.data, bounded=False), tuple(problems), own, tuple(words))

    def _fitted(
        self, document: Document, view: Rect, matrix: Matrix, size: Size
    ) -> tuple[Node, tuple[Problem, ...]]:
        """The drawing in plain SVG within a group that puts it onto the side."""
        root = document.root
        attrs = {name: value for name, value in root.attrs.items() if name not in _ROOT_ONLY}
        attrs["viewBox"] = " ".join(f"{each:.10g}" for each in (view.x, view.y, view.width, view.height))
        given = replace(document, root=remade(root, name="svg", attrs=attrs))
        normal = normalised(given, self._language, everything=True)
        drawn = normal.document.root
        whole = {name: drawn.attrs[name] for name in WHOLE if name in drawn.attrs}
        inner = list(drawn.children)
        if whole:
            inner = [_group(whole, inner, drawn)]
        values = (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
        place = f"matrix({' '.join(f'{each:.10g}' for each in values)})"
        own = {name: value for name, value in drawn.attrs.items() if name not in WHOLE}
        own |= {
            "width": f"{size.width:.10g}mm",
            "height": f"{size.height:.10g}mm",
            "viewBox": f"0 0 {size.width:.10g} {size.height:.10g}",
        }
        placed = _group({"transform": place}, inner, drawn)
        return remade(drawn, attrs=own, children=[placed]), normal.problems

    def _prepared(
        self, document: Document, tree: Node, side: Side
    ) -> tuple[Node, list[Problem], list[PrintedText]]:
        """The tree without what is hidden, and with texts as outlines where they are part of pictures; what
        is wrong with these, and their words."""
        ids = {node.attrs["id"]: node for node in reversed(list(tree.iter())) if "id" in node.attrs}
        sheet = StyleSheet(style_elements(tree))
        tree = _taking_along(tree, {}, sheet)
        tree = _without_hidden(tree, sheet, frozenset(_NAMED.findall(document.data))) or tree
        prepared = Document(document.data, tree, ids, ())
        if not has_drawn_texts(prepared, lambda: sheet):
            return tree, [], []
        texts = DrawnTexts(self._outliner, prepared, sheet, side)
        return texts.drawn(tree), texts.problems, texts.words


def _is_unusual(data: bytes, start: int) -> bool:
    foreign = data.count(b"xmlns:") - data.count(b"xmlns:cg=") - data.count(b"xmlns:xlink=")
    if not foreign and not any(sign in data for sign in _SIGNS):
        return False
    return any(sign in data and pattern.search(data, start) for sign, pattern in _UNUSUAL)


def _has_relations(document: Document) -> bool:
    if b"<style" not in document.data:
        return False
    return any(has_relations(node.text()) for node in style_elements(document.root))


def style_elements(root: Node) -> list[Node]:
    """The style sheets of a side: in it, then in its `<defs>`."""
    top = list(root.elements())
    places = [top, *(list(node.elements()) for node in top if node.name == "defs")]
    return [node for nodes in places for node in nodes if node.name == "style"]


def sheet_of(document: Document) -> StyleSheet:
    return StyleSheet(style_elements(document.root) if b"<style" in document.data else ())


def _end_of_tag(document: Document) -> int:
    first = next(document.root.elements(), None)
    return document.root.end if first is None else first.start


def _group(attrs: dict[str, str], children: list[Node | str], around: Node) -> Node:
    group = Node("g", attrs, around.start)
    group.end = around.end
    group.children = children
    group.has_text = around.has_text
    return group


def _taking_along(node: Node, style: Properties, sheet: StyleSheet) -> Node:
    """The tree with definitions that say themselves what they inherit from groups around them: they are
    drawn apart from those."""
    children: list[Node | str] = []
    for child in node.children:
        if isinstance(child, Node):
            own = sheet.properties(child)
            if child.name in _DEFINED:
                more = {name: value for name, value in style.items() if name not in own}
                child = remade(child, attrs={**child.attrs, **more})
            else:
                child = _taking_along(child, inherit(style, own), sheet)
        children.append(child)
    return remade(node, children=children)


def _without_hidden(node: Node, sheet: StyleSheet, named: frozenset[bytes]) -> Node | None:
    """The tree without what is not displayed, unless something refers into it; None for nothing."""
    if sheet.properties(node).get("display", "").strip() == "none" and not any(
        part.attrs.get("id", "").encode() in named for part in node.iter()
    ):
        return None
    children: list[Node | str] = []
    for child in node.children:
        made = _without_hidden(child, sheet, named) if isinstance(child, Node) else child
        if made is not None:
            children.append(made)
    return remade(node, children=children)
