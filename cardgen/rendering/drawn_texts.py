"""Texts of a side that are part of a picture: what shows them repeats, clips, masks, filters or blends
them, so that they are drawn as outlines there. All others stay text."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace

from cardgen.findings import Problem
from cardgen.geometry import IDENTITY, Matrix
from cardgen.rendering.outlining import Standing, TextOutliner
from cardgen.rendering.printed_texts import NOWHERE, PrintedText
from cardgen.rendering.template_lines import AT, parse_at
from cardgen.rendering.text import Side
from cardgen.rendering.text_style import GROUP
from cardgen.svg.limits import MOST_PROBLEMS, MOST_REPEATED_TEXTS, MOST_SIDE_TEXT
from cardgen.svg.normal.rebuilding import remade
from cardgen.svg.style import Properties, StyleSheet, inherit
from cardgen.svg.transforms import transform_of
from cardgen.svg.tree import Document, Node

_SPECIAL = {
    "clip-path": "none",
    "filter": "none",
    "isolation": "auto",
    "mask": "none",
    "mix-blend-mode": "normal",
}
"""Properties that make one picture of what they are on, with the values that don't."""
_SAID = re.compile(
    rb"mask|filter|clip-path|blend-mode|isolation|<(?:pattern|marker|symbol|use)\b|<svg\s.*<svg", re.S
)
_TARGETS = re.compile(rb"""href\s*=\s*["']#([^"']+)["']""")
_DEFINITIONS = frozenset(("clipPath", "defs", "marker", "mask", "pattern", "symbol"))
_SHEETS = frozenset(("style", "title", "desc", "metadata"))


def shown_elsewhere(document: Document) -> frozenset[str]:
    """The ids of elements with text that a `<use>` shows."""
    with_text = {id for id, node in document.ids.items() if node.has_text}
    if not with_text or b"<use" not in document.data:
        return frozenset()
    return frozenset(with_text.intersection(name.decode() for name in _TARGETS.findall(document.data)))


def has_drawn_texts(document: Document, styles: Callable[[], StyleSheet]) -> bool:
    """Whether a text of the document is part of a picture. `styles` gives its style sheet."""
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
    """Whether an element says something of all in it that makes it one picture."""
    own = sheet.properties(node)
    return any(own.get(name, none).strip() not in (none, "none", "") for name, none in _SPECIAL.items())


class DrawnTexts:
    """Turns the texts of one side that are part of pictures into outlines. `problems` are those of the
    texts, offsets in the side's source."""

    def __init__(self, outliner: TextOutliner, document: Document, sheet: StyleSheet, side: Side) -> None:
        self.problems: list[Problem] = []
        self.words: list[PrintedText] = []
        """What they say."""
        self._outliner, self._sheet, self._side = outliner, sheet, side
        self._ids = document.ids
        self._elsewhere: Collection[str] = shown_elsewhere(document)
        self._copies: dict[tuple[object, ...], str] = {}
        self._made: list[Node] = []
        self._busy: set[str] = set()
        self._left = MOST_SIDE_TEXT

    def drawn(self, root: Node) -> Node:
        """The tree with such texts as outlines."""
        style = inherit({}, self._sheet.properties(root))
        children = [
            self._walk(child, style, Standing(self._side, IDENTITY), False)
            if isinstance(child, Node)
            else child
            for child in root.children
        ]
        if self._made:
            defs = Node("defs", {}, root.start)
            defs.children = [*self._made]
            children.append(defs)
        return remade(root, children=children)

    def _walk(self, node: Node, style: Properties, standing: Standing | None, picture: bool) -> Node:
        """An element and all in it; `picture` says that it is part of one."""
        if node.name in _SHEETS or not (node.has_text or self._elsewhere):
            return node
        if node.name == "use":
            return self._use(node, style)
        own = self._sheet.properties(node)
        picture = picture or is_picture(node, self._sheet)
        if node.name == "text":
            return self._text(node, style, standing) if picture else node
        if node.name in ("defs", "symbol"):  # of texts nothing is seen there but by use
            kept = [
                self._walk(child, {}, None, True)
                if isinstance(child, Node) and child.name in _DEFINITIONS
                else child
                for child in node.children
            ]
            return remade(node, children=kept)
        if node.name != "g":
            picture, standing = True, None
        elif standing is not None:
            standing = _within(node, standing)
        inner = inherit(style, own)
        children: list[Node | str] = []
        for child in node.children:
            made = self._walk(child, inner, standing, picture) if isinstance(child, Node) else child
            if node.name == "clipPath" and isinstance(made, Node) and made is not child:
                children += _apart(made)
            else:
                children.append(made)
        return remade(node, children=children)

    def _text(self, node: Node, style: Properties, standing: Standing | None) -> Node:
        self._left -= sum(map(len, _strings(node)))
        problem = None
        if self._left < 0:
            message = f"the texts in pictures have more than {MOST_SIDE_TEXT:,} characters"
            problem = Problem("text/bounds", message, "print less on this side", offset=node.start)
        elif GROUP in node.attrs:
            message = "a text that is part of a picture can't have the size of a group of texts"
            hint = f"leave out {GROUP}, or what masks, clips, filters, blends or repeats the text"
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
            standing = None
        return self._outliner.text(node, style, self._sheet, self._ids, self.problems, standing)

    def _last_code(self) -> str:
        return self.problems[-1].code if self.problems else ""

    def _use(self, node: Node, style: Properties) -> Node:
        """A reference to what holds text, as one to a copy of it with outlines."""
        id = (node.href or "")[1:]
        if id not in self._elsewhere or id in self._busy:  # a circle is a finding of the weigher
            return node
        inner = inherit(style, self._sheet.properties(node))
        key = (id, *sorted(inner.items()))
        name = self._copies.get(key)
        if name is None:
            if len(self._copies) >= MOST_REPEATED_TEXTS:
                message = f"<use> shows text in more than {MOST_REPEATED_TEXTS} different ways"
                self.problems.append(Problem("text/bounds", message, offset=node.start))
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


def _within(node: Node, standing: Standing) -> Standing | None:
    try:
        matrix: Matrix = transform_of(node.attrs)
    except ValueError:
        return None  # said by the lint
    return replace(standing, around=matrix.then(standing.around))


def _apart(group: Node) -> list[Node]:
    """The outlines of a text by themselves, as a clipPath holds no groups."""
    own = {name: value for name, value in group.attrs.items() if name != "id"}
    return [remade(child, attrs={**own, **child.attrs}) for child in group.elements()]


def _said(node: Node) -> str:
    """The words of a text, its blocks each in a line."""
    parts = ["\n"] if "cg:block" in node.attrs else []
    parts += [child if isinstance(child, str) else _said(child) for child in node.children]
    return "".join(parts)


def _strings(node: Node) -> list[str]:
    return [child for part in node.iter() for child in part.children if isinstance(child, str)]
