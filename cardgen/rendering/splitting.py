"""A rendered side into items in paint order: pictures, and set text.

What an element comes to depends on its source, the source of what it refers to, the groups and styles
around it, and the side's size. Elements alike in all of that share one result, so that the frame of a
thousand cards is looked at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from cardgen.geometry import Rect, Size
from cardgen.model.artwork import Group, IconRun, Item, SetText
from cardgen.model.game import Limits
from cardgen.rendering.icons import IconSet
from cardgen.rendering.images import ImageStore
from cardgen.rendering.lint import DEFINITIONS, lint
from cardgen.rendering.pictures import Around, Pictures
from cardgen.rendering.problems import Problem
from cardgen.rendering.root import check_root
from cardgen.rendering.style import Properties, StyleSheet, inherit
from cardgen.rendering.svg import Document, Node, open_tag, parse
from cardgen.rendering.text import Side, TextSetter
from cardgen.rendering.text_style import TextError, length, paint
from cardgen.rendering.transforms import parse_transform
from cardgen.typesetting import FontBook

_REFERENCE = re.compile(rb"""(?:href=["']|url\(\s*["']?)#([^\s"')]+)""")
_HIDDEN = DEFINITIONS | {"mask", "filter"}
_STROKE = (
    "stroke",
    "stroke-width",
    "stroke-linejoin",
    "stroke-linecap",
    "stroke-miterlimit",
    "stroke-dasharray",
    "stroke-dashoffset",
    "stroke-opacity",
    "fill-opacity",
)


@dataclass(frozen=True, slots=True)
class Split:
    """A side, or a part of one: its items and what is wrong. Offsets of problems count from the start of
    the part. `icons` are those that its text shows."""

    items: tuple[Item, ...]
    problems: tuple[Problem, ...] = ()
    icons: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Sheet:
    """The measures of a side that its elements are held to, in mm."""

    size: Size
    bleed: float
    safe: float


@dataclass(slots=True)
class _Scope:
    """One side while it is split."""

    document: Document
    sheet: StyleSheet
    pictures: Pictures
    side: Side
    ids: frozenset[str]
    """What references may name: ids of the document, and icons."""
    key: bytes


@dataclass(frozen=True, slots=True)
class _Around:
    """What an element takes over from the groups around it."""

    style: Properties
    tags: Around
    key: bytes = b""


class Splitter:
    """Splits the sides of one game. Remembers every element it has seen."""

    def __init__(
        self, fonts: FontBook, icons: IconSet, images: ImageStore, language: str, limits: Limits
    ) -> None:
        self._icons = icons
        self._images = images
        self._texts = TextSetter(fonts, icons, language, limits)
        self._outlines = self._texts.outlines
        self._seen: dict[tuple[bytes, ...], Split] = {}
        self._references: dict[bytes, tuple[str, ...]] = {}
        self._sheets: dict[bytes, StyleSheet] = {}
        self._measures: dict[Sheet, bytes] = {}
        self._roots: dict[bytes, tuple[Problem, ...]] = {}

    def split(self, source: str, measures: Sheet, folder: str) -> Split:
        """The items of a rendered side. `folder` is the template's, below `templates/`.

        Raises SvgError for a source that can't be parsed.
        """
        data = source.encode()
        document = parse(data)
        root = document.root
        if root.name != "svg":
            hint = "the outermost element of a template is <svg>"
            message = f"the template draws <{root.name}>"
            return Split((), (Problem("svg/root", message, hint, offset=root.start),))
        problems: list[Problem] = []
        styles = [node for node in root.elements() if node.name == "style"]
        styles += [
            n for d in root.elements() if d.name == "defs" for n in d.elements() if n.name == "style"
        ]
        style_key = b"\0".join(document.source(node) for node in styles)
        sheet = self._sheets.get(style_key)
        if sheet is None:
            sheet = self._sheets[style_key] = StyleSheet(styles)
            problems += [replace(problem, offset=problem.offset - root.start) for problem in sheet.problems]
        area = Rect(0, 0, measures.size.width, measures.size.height)
        side = Side(area, area.inset(measures.bleed + measures.safe))
        measured = self._measures.get(measures)
        if measured is None:
            measured = self._measures[measures] = repr(measures).encode()
        key = b"\0".join((repr(root.attrs).encode(), style_key, measured, folder.encode()))
        ids = self._icons.ids.union(document.ids)
        pictures = Pictures(document, sheet, self._icons, self._images, folder, ids)
        scope = _Scope(document, sheet, pictures, side, ids, key)
        if key not in self._roots:
            self._roots[key] = tuple(check_root(root, measures.size))
            problems += lint(_bare(root), ids, sheet)
        problems = [*self._roots[key], *problems]
        around = _Around(sheet.properties(root), Around())
        inner = self._children(root, around, scope)
        problems += inner.problems
        if not problems:
            return inner
        moved = tuple(replace(problem, offset=problem.offset + root.start) for problem in problems)
        return replace(inner, problems=moved)

    def _children(self, parent: Node, around: _Around, scope: _Scope) -> Split:
        items: list[Item] = []
        problems: list[Problem] = []
        icons: frozenset[str] = frozenset()
        end = parent.start
        for child in parent.children:
            if isinstance(child, str):
                if not child.isspace():
                    shown = child.strip()
                    # Where the text itself begins, given that it follows what ended last.
                    away = end - parent.start + len(child) - len(child.lstrip())
                    hint = "put it into a <text> element"
                    message = f"'{shown[:40]}' stands outside a <text>"
                    problems.append(Problem("svg/loose-text", message, hint, offset=away))
                continue
            end = child.end
            part = self._element(child, around, scope)
            items += part.items
            icons |= part.icons
            if part.problems:
                away = child.start - parent.start
                problems += [replace(problem, offset=problem.offset + away) for problem in part.problems]
        return Split(tuple(items), tuple(problems), icons)

    def _element(self, node: Node, around: _Around, scope: _Scope) -> Split:
        source = scope.document.source(node)
        needed = self._needed(source, scope.document)
        key = (scope.key, around.key, source, *(scope.document.source(other) for other in needed))
        done = self._seen.get(key)
        if done is None:
            done = self._seen[key] = self._make(node, needed, around, scope)
        return done

    def _needed(self, source: bytes, document: Document) -> list[Node]:
        """The elements that a source refers to, and those that they refer to, in order."""
        names = self._named(source)
        if not names:
            return []
        found: dict[str, Node] = {}
        todo = list(reversed(names))
        while todo:
            name = todo.pop()
            node = document.ids.get(name)
            if node is not None and name not in found:
                found[name] = node
                todo += reversed(self._named(document.source(node)))
        return list(found.values())

    def _named(self, source: bytes) -> tuple[str, ...]:
        names = self._references.get(source)
        if names is None:
            found = dict.fromkeys(_REFERENCE.findall(source))
            names = self._references[source] = tuple(name.decode() for name in found)
        return names

    def _cycles(self, nodes: list[Node], document: Document) -> bool:
        """Whether any of the elements refers to itself in the end."""
        targets = {
            node.attrs["id"]: set(self._named(document.source(node))) & document.ids.keys()
            for node in nodes
        }
        while True:
            ends = [name for name, others in targets.items() if not others & targets.keys()]
            if not ends:
                return bool(targets)
            for name in ends:
                del targets[name]

    # ---- one element, seen for the first time

    def _make(self, node: Node, needed: list[Node], around: _Around, scope: _Scope) -> Split:
        if node.name in _HIDDEN or ":" in node.name:
            return Split((), tuple(lint(node, scope.ids, scope.sheet)))
        repeated = [other for other in scope.document.repeated if other.get("id") in _ids(needed)]
        clash = tuple(
            Problem(
                "svg/id",
                f"the id '{other.get('id')}' is there twice",
                "ids that are used must differ",
                offset=other.start - node.start,
            )
            for other in repeated
        )
        if self._cycles(needed, scope.document):
            message = f"<{node.name}> refers to something that refers to itself"
            return Split((), (Problem("svg/cycle", message, "see its href and url(#…)"),))
        if node.name == "text":
            made = self._text(node, needed, around, scope)
        elif node.name == "g" and node.has_text:
            made = self._group(node, around, scope)
        elif node.has_text:
            hint = "text stands in <svg> itself or in plain groups <g>"
            message = f"text inside <{node.name}> is not set"
            made = Split((), (Problem("text/in-use", message, hint),))
        else:
            made = self._picture(node, needed, around, scope)
        return replace(made, problems=clash + made.problems) if clash else made

    def _picture(self, node: Node, needed: list[Node], around: _Around, scope: _Scope) -> Split:
        if scope.sheet.properties(node).get("display") == "none":
            return Split(())
        picture, problems = scope.pictures.picture(node, needed, around.tags)
        return Split((picture,) if picture else (), tuple(problems))

    def _group(self, node: Node, around: _Around, scope: _Scope) -> Split:
        problems = list(lint(_bare(node), scope.ids, scope.sheet))
        own = scope.sheet.properties(node)
        if own.get("display") == "none":
            return Split((), tuple(problems))
        if own.get("clip-path", "none") != "none":
            hint = "clip the art only: close the group before the text"
            problems.append(Problem("text/clipped", "text inside a clipped group is not clipped", hint))
        try:
            matrix = parse_transform(node.get("transform"))
            opacity = length(own.get("opacity", "1"), "opacity", whole=1.0)
        except (ValueError, TextError):
            return Split((), tuple(problems))  # the lint has said it
        style = ";".join(
            f"{name}:{value}"
            for name, value in scope.sheet.declared(node).items()
            if name != "opacity" and not name.startswith("-")
        )
        bare = Node("g", {k: v for k, v in node.attrs.items() if k not in ("opacity", "id")})
        tags = Around(
            around.tags.opened + open_tag(bare, style) + ">",
            "</g>" + around.tags.closed,
            matrix.then(around.tags.matrix),
        )
        key = around.key + repr(node.attrs).encode()
        inner = self._children(node, _Around(inherit(around.style, own), tags, key), scope)
        items = inner.items
        if opacity < 1 and items:
            items = (Group(items, max(0.0, opacity)),)
        return Split(items, (*problems, *inner.problems), inner.icons)

    def _text(self, node: Node, needed: list[Node], around: _Around, scope: _Scope) -> Split:
        problems = list(lint(node, scope.ids, scope.sheet))
        boxes = {other.attrs["id"]: other for other in needed}
        try:
            matrix = parse_transform(node.get("transform")).then(around.tags.matrix)
        except ValueError:
            return Split((), tuple(problems))  # the lint has said it
        known = {problem.code for problem in problems}
        result = self._texts.set(node, around.style, matrix, boxes, scope.sheet, scope.side)
        # The lint and the typesetter both read sizes and colours; one word about each is enough.
        problems += [problem for problem in result.problems if problem.code not in known]
        if result.text is None:
            return Split((), tuple(problems))
        own = scope.sheet.properties(node)
        if own.get("clip-path", "none") != "none":
            hint = "clip the art only"
            problems.append(Problem("text/clipped", "a text is not clipped", hint))
        icons = frozenset(run.icon for run in result.text.runs if isinstance(run, IconRun))
        try:
            items = self._inked(node, result.text, result.style, needed, around, scope)
        except TextError as error:
            return Split((), (*problems, error.problem))
        return Split(items, tuple(problems), icons)

    def _inked(
        self,
        node: Node,
        text: SetText,
        style: Properties,
        needed: list[Node],
        around: _Around,
        scope: _Scope,
    ) -> tuple[Item, ...]:
        """The set text, or outlines of it where it has a stroke or a gradient."""
        color = style.get("color", "black")
        fill = paint(style.get("fill", "black"), color)
        stroke = paint(style.get("stroke", "none"), color)
        if isinstance(fill, tuple) and stroke is None:
            return (text,)
        if fill is None and stroke is None:
            return ()
        if any(isinstance(run, IconRun) for run in text.runs):
            raise TextError("text/outline", "a text with a stroke or gradient can't hold icons")
        shown = {name: style[name] for name in _STROKE if name in style and stroke is not None}
        if isinstance(fill, tuple):
            drawn = self._outline(node, text, shown | {"fill": "none"}, needed, around, scope)
            first = style.get("paint-order", "normal").startswith("stroke")
            return (drawn, text) if first else (text, drawn)
        shown["fill"] = style.get("fill", "none")
        if "paint-order" in style and style["paint-order"].startswith("stroke") and stroke is not None:
            below = self._outline(node, text, shown | {"fill": "none"}, needed, around, scope)
            above = self._outline(node, text, {"fill": shown["fill"]}, needed, around, scope)
            return (below, above)
        return (self._outline(node, text, shown, needed, around, scope),)

    def _outline(
        self,
        node: Node,
        text: SetText,
        shown: Properties,
        needed: list[Node],
        around: _Around,
        scope: _Scope,
    ) -> Item:
        attrs = {"d": self._outlines.path(text.runs), **shown}
        for name in ("transform", "opacity"):
            if name in node.attrs:
                attrs[name] = node.attrs[name]
        style = scope.sheet.declared(node)
        if "opacity" in style:
            attrs["opacity"] = style["opacity"]
        content = open_tag(Node("path", attrs), "") + "/>"
        return scope.pictures.assemble(scope.pictures.definitions(needed), around.tags, content)


def _ids(nodes: Iterable[Node]) -> set[str | None]:
    return {node.get("id") for node in nodes}


def _bare(node: Node) -> Node:
    """The element without its children."""
    return Node(node.name, node.attrs, node.start)
