"""A rendered side into items in paint order: pictures, and set text.

What an element comes to depends on its source, the source of what it refers to, the groups and styles
around it, and the side's size. Elements alike in all of that share one result, so that the frame of a
thousand cards is looked at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from cardgen.geometry import Rect, Size
from cardgen.model.artwork import Group, IconRun, Item, SetText
from cardgen.model.game import Limits
from cardgen.rendering.icons import IconSet
from cardgen.rendering.images import ImageStore
from cardgen.rendering.lint import DEFINITIONS, lint
from cardgen.rendering.pictures import Around, Pictures, picture_head
from cardgen.rendering.problems import Problem
from cardgen.rendering.recent import Recent
from cardgen.rendering.references import References
from cardgen.rendering.root import check_root
from cardgen.rendering.style import Properties, StyleSheet, inherit
from cardgen.rendering.svg import Document, Key, Node, open_tag, parse
from cardgen.rendering.text import Side, TextSetter
from cardgen.rendering.text_frame import Frame
from cardgen.rendering.text_style import TextError, length, paint
from cardgen.rendering.transforms import parse_transform
from cardgen.typesetting import FontBook

_HIDDEN = DEFINITIONS | {"mask", "filter"}
_REMEMBERED = 2000
"""Elements remembered: what a deck's cards have in common, many times over."""
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


@dataclass(frozen=True, slots=True, eq=False)
class _Around:
    """What an element takes over from the root, the groups and the style sheet around it: one object
    for the elements of all cards that have the same around them."""

    style: Properties
    tags: Around
    root: _Root


@dataclass(frozen=True, slots=True, eq=False)
class _Root:
    """What sides with one root tag, style sheet, size and folder have in common."""

    sheet: StyleSheet
    side: Side
    head: str
    """The start tag of its pictures."""
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class _Group:
    """A group's tag: what is around its elements, None where they are not shown."""

    inner: _Around | None = None
    opacity: float = 1.0
    clipped: bool = False


class Splitter:
    """Splits the sides of one game. Remembers the elements it has seen of late."""

    def __init__(
        self, fonts: FontBook, icons: IconSet, images: ImageStore, language: str, limits: Limits
    ) -> None:
        self._icons = icons
        self._images = images
        self._language = language
        self._texts = TextSetter(fonts, icons, limits)
        self._outlines = self._texts.outlines
        self._seen: Recent[tuple[_Around | bytes, ...], Split] = Recent(_REMEMBERED)
        self._references = References()
        self._groups: Recent[tuple[_Around, Key], _Group] = Recent(_REMEMBERED)
        self._frames: Recent[tuple[object, ...], Frame] = Recent(_REMEMBERED)
        self._sheets: dict[bytes, StyleSheet] = {}
        self._roots: dict[tuple[object, ...], _Around] = {}

    def split(self, source: str, measures: Sheet, folder: str) -> Split:
        """The items of a rendered side. `folder` is the template's, below `templates/`.

        Raises SvgError for a source that can't be parsed.
        """
        document = parse(source.encode())
        root = document.root
        if root.name != "svg":
            hint = "the outermost element of a template is <svg>"
            message = f"the template draws <{root.name}>"
            return Split((), (Problem("svg/root", message, hint, offset=root.start),))
        ids = self._icons.ids.union(document.ids)
        styles = _style_elements(root) if b"<style" in document.data else []
        style_key = b"\0".join(document.source(node) for node in styles)
        key = (root.key, style_key, measures, folder)
        around = self._roots.get(key)
        problems: list[Problem] = []
        if around is None:
            sheet = self._sheets.get(style_key)
            if sheet is None:
                sheet = self._sheets[style_key] = StyleSheet(styles)
                problems += (
                    replace(problem, offset=problem.offset - root.start) for problem in sheet.problems
                )
            problems += lint(_bare(root), ids, sheet)
            area = Rect(0, 0, measures.size.width, measures.size.height)
            side = Side(area, area.inset(measures.bleed + measures.safe))
            wrong = tuple(check_root(root, measures.size))
            shared = _Root(sheet, side, picture_head(root, sheet), wrong)
            around = self._roots[key] = _Around(sheet.properties(root), Around(), shared)
        sheet = around.root.sheet
        pictures = Pictures(document, around.root.head, sheet, self._icons, self._images, folder, ids)
        inner = self._children(root, around, _Scope(document, sheet, pictures, around.root.side, ids))
        problems = [*around.root.problems, *problems, *inner.problems]
        if not problems:
            return inner
        moved = tuple(replace(problem, offset=problem.offset + root.start) for problem in problems)
        return replace(inner, problems=moved)

    def _children(self, parent: Node, around: _Around, scope: _Scope) -> Split:
        items: list[Item] = []
        problems: list[Problem] = []
        icons: set[str] = set()
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
            if part.icons:
                icons |= part.icons
            if part.problems:
                away = child.start - parent.start
                problems += [replace(problem, offset=problem.offset + away) for problem in part.problems]
        return Split(tuple(items), tuple(problems), frozenset(icons))

    def _element(self, node: Node, around: _Around, scope: _Scope) -> Split:
        source = scope.document.source(node)
        needed = self._references.needed(source, scope.document)
        key: tuple[_Around | bytes, ...] = (around, source)
        if needed:
            key += tuple(map(scope.document.source, needed))
        done = self._seen.get(key)
        if done is None:
            done = self._make(node, needed, around, scope)
            self._seen.put(key, done)
        return done

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
        if self._references.cycles(needed, scope.document):
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
        key = (around, node.key)
        group = self._groups.get(key)
        if group is None:
            group = _opened(node, around, scope.sheet)
            self._groups.put(key, group)
        if group.clipped:
            hint = "clip the art only: close the group before the text"
            problems.append(Problem("text/clipped", "text inside a clipped group is not clipped", hint))
        if group.inner is None:
            return Split((), tuple(problems))
        inner = self._children(node, group.inner, scope)
        items = inner.items
        if group.opacity < 1 and items:
            items = (Group(items, max(0.0, group.opacity)),)
        return Split(items, (*problems, *inner.problems), inner.icons)

    def _text(self, node: Node, needed: list[Node], around: _Around, scope: _Scope) -> Split:
        problems = list(lint(node, scope.ids, scope.sheet))
        try:
            frame = self._frame(node, needed, around, scope)
        except ValueError:
            return Split((), tuple(problems))  # the lint has said it
        known = {problem.code for problem in problems}
        text, troubles = self._texts.set(node, frame, scope.side)
        # The lint and the typesetter both read sizes and colours; one word about each is enough.
        problems += [problem for problem in troubles if problem.code not in known]
        if text is None:
            return Split((), tuple(problems))
        if frame.clipped:
            hint = "clip the art only"
            problems.append(Problem("text/clipped", "a text is not clipped", hint))
        icons = frozenset(run.icon for run in text.runs if isinstance(run, IconRun))
        try:
            items = (text,) if frame.plain else self._inked(node, text, frame, needed, around, scope)
        except TextError as error:
            return Split((), (*problems, error.problem))
        return Split(items, tuple(problems), icons)

    def _frame(self, node: Node, needed: list[Node], around: _Around, scope: _Scope) -> Frame:
        key = (around, node.key, *map(scope.document.source, needed))
        frame = self._frames.get(key)
        if frame is None:
            boxes = {other.attrs["id"]: other for other in needed}
            matrix = around.tags.matrix
            frame = Frame(node, around.style, matrix, boxes, scope.sheet, self._language)
            self._frames.put(key, frame)
        return frame

    def _inked(
        self,
        node: Node,
        text: SetText,
        frame: Frame,
        needed: list[Node],
        around: _Around,
        scope: _Scope,
    ) -> tuple[Item, ...]:
        """Outlines of the set text, which has a stroke or a gradient; over the text where that shows."""
        style = frame.style
        color = style.get("color", "black")
        fill = paint(style.get("fill", "black"), color)
        stroke = paint(style.get("stroke", "none"), color)
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


def _opened(node: Node, around: _Around, sheet: StyleSheet) -> _Group:
    own = sheet.properties(node)
    if own.get("display") == "none":
        return _Group()
    clipped = own.get("clip-path", "none") != "none"
    try:
        matrix = parse_transform(node.get("transform"))
        opacity = length(own.get("opacity", "1"), "opacity", whole=1.0)
    except (ValueError, TextError):
        return _Group(clipped=clipped)  # the lint has said it
    style = ";".join(
        f"{name}:{value}"
        for name, value in sheet.declared(node).items()
        if name != "opacity" and not name.startswith("-")
    )
    bare = Node("g", {k: v for k, v in node.attrs.items() if k not in ("opacity", "id")})
    tags = Around(
        around.tags.opened + open_tag(bare, style) + ">",
        "</g>" + around.tags.closed,
        matrix.then(around.tags.matrix),
    )
    return _Group(_Around(inherit(around.style, own), tags, around.root), opacity, clipped)


def _style_elements(root: Node) -> list[Node]:
    """The style sheets of a document: in it, then in its `<defs>`."""
    top = list(root.elements())
    places = [top, *(list(node.elements()) for node in top if node.name == "defs")]
    return [node for nodes in places for node in nodes if node.name == "style"]


def _bare(node: Node) -> Node:
    """The element without its children."""
    return Node(node.name, node.attrs, node.start)
