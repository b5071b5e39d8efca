"""A rendered side into items in paint order: pictures, and set text.

The result for an element depends on its source, the source of everything that it refers to, the groups and
styles around it, and the side's size. Elements equal in all of that share one result, so that the frame of
a thousand cards is processed once; texts, and what comes from files, only within one game and language.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from cardgen.art.icons import PREFIX, IconSet, ImageStore
from cardgen.art.outlining import (
    DrawnTexts,
    PrintedText,
    TextOutliner,
    has_drawn_texts,
    nodes_by_id,
    printed_text,
    without_hidden,
)
from cardgen.art.pictures import GroupTags, Pictures, picture_head, states_fill
from cardgen.art.text import Need, Side, TextSetter, stroked
from cardgen.art.text_lines import Frame
from cardgen.art.text_style import GROUP, TextError, length, paint
from cardgen.core.artwork import Group, IconRun, Item, Picture, SetText, TextRun
from cardgen.core.findings import Problem
from cardgen.core.game import Limits
from cardgen.core.geometry import IDENTITY, Matrix, Rect, Size
from cardgen.core.records import dataclass, replace
from cardgen.svg.costs import (
    DRAW_LESS,
    NOTHING,
    Cost,
    CostCounter,
    CostError,
    MarkupError,
    Place,
    side_problem,
)
from cardgen.svg.embedding import clashes
from cardgen.svg.lengths import remade
from cardgen.svg.lint import DEFINITIONS, lint
from cardgen.svg.normal import normalised, rewritten
from cardgen.svg.outlines import transform_of
from cardgen.svg.root import WHOLE, fitting, says_millimetres
from cardgen.svg.style import Properties, Recent, References, StyleSheet, inherit, references
from cardgen.svg.tree import (
    MOST_OUTLINED,
    MOST_PROBLEMS,
    STEP_CHARACTERS,
    Document,
    Key,
    Node,
    names,
    open_tag,
    parse,
)
from cardgen.text.fonts import FontBook

HIDDEN = DEFINITIONS | {"mask", "filter"}
_GROUPED = GROUP.encode()
_FROM_FILES = (PREFIX.encode(), b"mage", b"&")
"""Signs of an element that may show an icon, an image or a drawing in a file; & may spell any letter."""
_LONG = 4000
"""Bytes of an element that is remembered by a digest."""
_LARGE = 10_000
"""Bytes of an element that counts as several among those remembered."""
_ROOTS = 500
_REMEMBERED = 2000
"""Elements remembered: those that a deck's cards share, many times over."""
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


class Elements:
    """Recent elements of sides."""

    def __init__(self) -> None:
        self.parts: Recent[tuple[object, ...], Split] = Recent(_REMEMBERED)
        self.references = References()
        self.groups: Recent[tuple[Surroundings, Key], Opened] = Recent(_REMEMBERED)
        self.roots: Recent[tuple[object, ...], Surroundings] = Recent(_ROOTS)
        self.sheets: Recent[tuple[tuple[str | None, str], ...], StyleSheet] = Recent(_ROOTS)


_ELEMENTS = Elements()
"""Those of all games and languages."""


class Splitter:
    """Splits the sides of one game."""

    def __init__(
        self, fonts: FontBook, icons: IconSet, images: ImageStore, language: str, limits: Limits
    ) -> None:
        self._icons = icons
        self._images = images
        self._language = language
        self._texts = TextSetter(fonts, icons, limits)
        self._outlines = self._texts.outlines
        self.reader = SideReader(TextOutliner(fonts, language, limits, icons), language)
        self._own_parts: Recent[tuple[object, ...], Split] = Recent(_REMEMBERED)
        self._frames: Recent[tuple[object, ...], Frame] = Recent(_REMEMBERED)

    def split(
        self, source: str, measures: Measures, folder: str, groups: Iterable[tuple[str, float]] = ()
    ) -> Split:
        """Return the items of a rendered side. `folder` is the template's, below `templates/`; `groups` are
        the sizes of its groups of texts, mm.

        Raises SvgError for a source that can't be parsed.
        """
        read = self.reader.read(source, measures.size, measures.bleed, measures.safe)
        if read.document is None:
            return Split((), read.problems)
        root = read.document.root
        around, work = self.begin(read.document, measures, folder, groups)
        inner = self._children(root, around, work)
        inner = replace(inner, outlined=inner.outlined + read.outlined)
        problems = [*around.root.problems, *inner.problems]
        if not problems and not read.problems:
            return inner
        moved = (problem.moved(root.start) for problem in problems)
        return replace(inner, problems=(*read.problems, *moved))

    def needs(self, source: str, measures: Measures, folder: str) -> list[Need]:
        """Return the need of each text of a group on a rendered side. Raises SvgError."""
        found: list[Need] = []
        opened = self.open(source, measures, folder)
        load = NOTHING
        for node, around, work in () if opened is None else self.leaves(*opened):
            if node.name != "text" or GROUP not in node.attrs:
                continue
            try:
                element = self.element_of(node, around, work)
                self._count(element)
                need, characters, hard = self._texts.need(node, self._frame(element))
            except (CostError, ValueError):
                continue  # reported where the side is split
            load = load.beside(Cost(characters=characters, hard=hard))
            if need is not None:
                found.append(need)
            if side_problem(load, 0) is not None:
                break
        return found

    def open(
        self, source: str, measures: Measures, folder: str, groups: Iterable[tuple[str, float]] = ()
    ) -> tuple[Node, Surroundings, SideInWork] | None:
        """Return the root of a rendered side, the surroundings of its elements, and the side; None if its
        root can't be placed. Raises SvgError."""
        document = self.reader.read(source, measures.size, measures.bleed, measures.safe).document
        if document is None:
            return None
        return document.root, *self.begin(document, measures, folder, groups)

    def leaves(
        self, parent: Node, around: Surroundings, work: SideInWork
    ) -> Iterator[tuple[Node, Surroundings, SideInWork]]:
        """Yield every element that is drawn by itself, with its surroundings, and the side."""
        for child in parent.elements():
            inner = None
            if child.name == "g" and child.has_text:
                inner = self.opened(child, around, work).inner
            if inner is None:
                yield child, around, work
            else:
                yield from self.leaves(child, inner, work)

    def begin(
        self, document: Document, measures: Measures, folder: str, groups: Iterable[tuple[str, float]]
    ) -> tuple[Surroundings, SideInWork]:
        """Return the markup around a side's elements, and the side."""
        root = document.root
        ids = self._icons.ids.union(document.ids)
        sheet = self.reader.sheet_of(document)
        key = (root.key, sheet, measures, folder, self._icons.ids, self._images.finest)
        around = _ELEMENTS.roots.get(key)
        if around is None:
            area = Rect(0, 0, measures.size.width, measures.size.height)
            side = Side(area, area.inset(measures.bleed + measures.safe))
            wrong = list(lint(bare(root), ids, sheet))
            wrong += (problem.moved(-root.start) for problem in sheet.problems)
            shared = RootTag(sheet, side, picture_head(root, sheet), tuple(wrong))
            own = sheet.properties(root)
            tags = GroupTags(filled=states_fill(own, False))
            around = Surroundings(own, tags, shared, 1, is_layer(own), inherited_ids(bare(root), sheet))
            _ELEMENTS.roots.put(key, around)
        sheet = around.root.sheet
        pictures = Pictures(document, around.root.head, sheet, self._icons, self._images, folder, ids)
        costs = CostCounter(document.ids, sheet, pictures.brought)
        sizes = dict(groups)
        side = around.root.side
        placed = _placed(root, IDENTITY) if _AROUND.search(document.data) else {}
        work = SideInWork(document, sheet, pictures, side, ids, costs, sizes, repr(sizes).encode(), placed)
        return around, work

    def _children(self, parent: Node, around: Surroundings, work: SideInWork) -> Split:
        items: list[Item] = []
        problems: list[Problem] = []
        icons: set[str] = set()
        flawed: set[Problem] = set()
        outlined: list[PrintedText] = []
        load = NOTHING
        end = parent.start
        for child in parent.children:
            if isinstance(child, str):
                if not child.isspace():
                    shown = child.strip()
                    # The start of the text itself, given that it follows the element that ended last.
                    away = end - parent.start + len(child) - len(child.lstrip())
                    hint = "put it into a <text> element"
                    message = f"'{shown[:40]}' is outside a <text>"
                    problems.append(Problem("svg/loose-text", message, hint, offset=away))
                continue
            end = child.end
            part = self.element(child, around, work)
            items += part.items
            if part.icons:
                icons |= part.icons
            if part.flawed:
                flawed |= part.flawed
            if part.outlined:
                outlined += part.outlined
            away = child.start - parent.start
            if part.problems:
                problems += [problem.moved(away) for problem in part.problems]
            load = load.beside(part.load)
            too_much = side_problem(load, away)
            if too_much is None and len(problems) > MOST_PROBLEMS:
                message = "the drawing has too many problems; the rest is not checked"
                hint = "fix the problems above, then check again"
                too_much = Problem("svg/more", message, hint, offset=away)
            if too_much is not None:
                problems.append(too_much)
                break
        of_files = frozenset(flawed)
        return Split(tuple(items), tuple(problems), frozenset(icons), load, of_files, tuple(outlined))

    def element_of(self, node: Node, around: Surroundings, work: SideInWork) -> Element:
        """Return an element with everything that it refers to."""
        source = work.document.source(node)
        needed = _ELEMENTS.references.needed(node, source, around.references, work.document, work.sheet)
        return Element(node, needed, around, work)

    def element(self, node: Node, around: Surroundings, work: SideInWork) -> Split:
        """Return the parts of an element."""
        element = self.element_of(node, around, work)
        key = element.key
        done = _ELEMENTS.parts.get(key) or self._own_parts.get(key)
        if done is None:
            done = self._make(element)
            known = _ELEMENTS.parts if element.is_self_contained else self._own_parts
            known.put(key, done, 1 + len(work.document.source(node)) // _LARGE)
        return done

    # ---- one element, seen for the first time

    def _make(self, element: Element) -> Split:
        node, work = element.node, element.work
        if node.name in HIDDEN or ":" in node.name:
            return Split((), tuple(lint(node, work.ids, work.sheet)))
        clash = tuple(clashes(work.document, {other.attrs["id"] for other in element.needed}, node))
        try:
            load = self._count(element)
        except CostError as error:
            return Split((), (*clash, error.problem(node)))
        if node.name == "text":
            made = self._text(element)
        elif node.name == "g" and node.has_text:
            made = self._group(element)
        elif node.has_text:
            hint = "move the text into <svg> itself or plain groups <g>"
            message = f"text inside <{node.name}> is not supported"
            made = Split((), (Problem("text/in-use", message, hint),))
        else:
            made = self._picture(element)
        load = made.load.beside(load)
        return Split(made.items, clash + made.problems, made.icons, load, made.flawed, made.outlined)

    def _count(self, element: Element) -> Cost:
        """Count the cost of drawing an element, without its texts in groups. Raises CostError."""
        node, needed, around, work = element
        if (node.name == "g" and node.has_text) or (node.name == "text" and not needed):
            return NOTHING
        tags = around.tags
        place = Place(around.style, tags.matrix, work.side.area, around.depth, around.layers)
        if node.name == "text":
            for other in needed:  # checks that nothing in them refers to itself
                work.costs.count(other, place)
            return Cost(steps=1.0, own=1.0)
        cost = work.costs.count(node, place)
        # Definitions are written out, and read again, for each picture.
        defined = sum(len(work.document.definition(other)) for other in needed) / STEP_CHARACTERS
        return cost._replace(steps=cost.steps + defined, pictures=1)

    def _picture(self, element: Element) -> Split:
        work = element.work
        if work.sheet.properties(element.node).get("display") == "none":
            return Split(())
        picture, problems = work.pictures.picture(element.node, element.needed, element.around.tags)
        flawed = frozenset(work.pictures.flawed)
        return Split((picture,) if picture else (), tuple(problems), flawed=flawed)

    def _group(self, element: Element) -> Split:
        node, _, around, work = element
        problems = list(lint(bare(node), work.ids, work.sheet))
        group = self.opened(node, around, work)
        for name in group.blended:
            hint = "blend the art only: close the group before the text"
            problems.append(
                Problem(f"svg/{name}", f"{name} is not supported on a group that contains text", hint)
            )
        if group.clipped:
            hint = "clip the art only: close the group before the text"
            problems.append(Problem("text/clipped", "a clip path on a group doesn't clip its text", hint))
        if group.inner is None:
            return Split((), tuple(problems))
        inner = self._children(node, group.inner, work)
        items = seen_through(inner.items, group.opacity)
        return replace(inner, items=items, problems=(*problems, *inner.problems))

    def opened(self, node: Node, around: Surroundings, work: SideInWork) -> Opened:
        """Return a group, and the surroundings of the elements in it."""
        key = (around, node.key)
        group = _ELEMENTS.groups.get(key)
        if group is None:
            group = opened(node, around, work.sheet)
            _ELEMENTS.groups.put(key, group)
        return group

    def _text(self, element: Element) -> Split:
        work = element.work
        problems = list(lint(element.node, work.ids, work.sheet))
        node, whole = solid(element.node, element.around.style, work.sheet)
        element = element._replace(node=node)
        try:
            frame = self._frame(element)
        except ValueError:
            return Split((), tuple(problems))  # the lint has reported it
        known = {problem.code for problem in problems if problem.is_error}
        text, troubles, characters, hard = self._texts.set(node, frame, work.side, work.groups)
        load = Cost(characters=characters, hard=hard)
        # The lint and the typesetter both read sizes and colors; one problem about each is enough.
        problems += [problem for problem in troubles if problem.code not in known]
        if text is None:
            return Split((), tuple(problems), load=load)
        if frame.clipped:
            hint = "clip the art only"
            problems.append(Problem("text/clipped", "text can't be clipped", hint))
        icons = frozenset(run.icon for run in text.runs if isinstance(run, IconRun))
        try:
            items = (text,) if frame.plain else self._inked(element, text, frame)
        except TextError as error:
            return Split((), (*problems, error.problem), load=load)
        except CostError as error:
            return Split((), (*problems, error.problem(node)), load=load)
        except MarkupError as error:
            return Split(
                (), (*problems, Problem("svg/bounds", f"the text can't be drawn: {error}", DRAW_LESS))
            )
        drawn = [len(item.svg) for item in items if isinstance(item, Picture)]
        outlined = (printed_text(text),) if len(drawn) == len(items) > 0 else ()
        steps = sum(drawn) / STEP_CHARACTERS
        load = load._replace(steps=steps, own=steps, pictures=len(drawn))
        return Split(seen_through(items, whole), tuple(problems), icons, load, outlined=outlined)

    def _frame(self, element: Element) -> Frame:
        node, needed, around, work = element
        key = (
            around,
            node.key,
            *(_brief(work.document.definition(other)) for other in needed),
            element.places,
        )
        frame = self._frames.get(key)
        if frame is None:
            boxes = {other.attrs["id"]: other for other in needed}
            matrix = around.tags.matrix
            given = (node, around.style, matrix, boxes, work.sheet, self._language, self._icons.marks)
            frame = Frame(*given, placed=work.placed)
            self._frames.put(key, frame)
        return frame

    def _inked(self, element: Element, text: SetText, frame: Frame) -> tuple[Item, ...]:
        """Return the set text if it has a stroke or a gradient. A stroke in one color is set as text, too;
        anything else is drawn by the letters' outlines, over the text if that shows."""
        style = frame.style
        color = style.get("color", "black")
        fill = paint(style.get("fill", "black"), color)
        stroke = paint(style.get("stroke", "none"), color)
        if fill is None and stroke is None:
            return ()
        first = style.get("paint-order", "normal").startswith("stroke")
        if text.bars:
            raise TextError(
                "text/outline",
                "text with a stroke or gradient can't have text-decoration",
                "remove one of them",
            )
        if frame.stroke is not None and not isinstance(fill, str):
            return stroked(text, frame.stroke, filled=fill is not None, first=first)
        if any(isinstance(run, IconRun) for run in text.runs):
            raise TextError(
                "text/outline",
                "text with a gradient or dashed stroke can't contain icons or multicolor letters",
                "use a plain color",
            )
        glyphs = sum(
            len(word.glyphs) for run in text.runs if isinstance(run, TextRun) for word in run.words
        )
        if glyphs > MOST_OUTLINED:
            message = f"text with a gradient or dashed stroke has more than {MOST_OUTLINED:,} letters"
            raise TextError("text/bounds", message, "use plain colors")
        shown = {name: style[name] for name in _STROKE if name in style and stroke is not None}
        if isinstance(fill, tuple):
            drawn = self._outline(element, text, shown | {"fill": "none"})
            return (drawn, text) if first else (text, drawn)
        shown["fill"] = style.get("fill", "none")
        if first and stroke is not None:
            below = self._outline(element, text, shown | {"fill": "none"})
            return (below, self._outline(element, text, {"fill": shown["fill"]}))
        return (self._outline(element, text, shown),)

    def _outline(self, element: Element, text: SetText, shown: Properties) -> Item:
        node, needed, around, work = element
        attrs = {"d": self._outlines.path(text.runs), **shown}
        for name in ("transform", "transform-origin"):
            if name in node.attrs:
                attrs[name] = node.attrs[name]
        own = work.sheet.properties(node)
        if "opacity" in own:
            attrs["opacity"] = own["opacity"]
        path = Node("path", attrs, node.start)
        work.costs.count(path, Place(around.style, around.tags.matrix, work.side.area))
        content = open_tag(path, "") + "/>"
        return work.pictures.assemble(work.pictures.definitions(needed), around.tags, content)


_AROUND = re.compile(rb"shape-(?:outside|subtract)")


def _placed(node: Node, matrix: Matrix) -> dict[str, Matrix]:
    """Return the matrix of the groups around each element with an id, in plain groups and definitions."""
    found: dict[str, Matrix] = {}
    for child in node.elements():
        if "id" in child.attrs:
            found.setdefault(child.attrs["id"], matrix)
        if child.name in ("g", "a", "defs"):
            with suppress(ValueError):  # which the lint reports
                for id, inner in _placed(child, transform_of(child.attrs).then(matrix)).items():
                    found.setdefault(id, inner)
    return found


def seen_through(items: tuple[Item, ...], opacity: float) -> tuple[Item, ...]:
    """Return the items as one group with this opacity, unless it is opaque."""
    return (Group(items, max(0.0, opacity)),) if opacity < 1 and items else items


def _brief(source: bytes) -> bytes:
    """Return a source as a key: itself, or a digest if it is long."""
    return source if len(source) < _LONG else hashlib.blake2b(source, digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class Split:
    """A side, or a part of one: its items and problems. Offsets of problems count from the start of the
    part. `icons` are those that its text shows, `load` is its drawing cost, `flawed` are the problems of
    files that its pictures show, at their own lines."""

    items: tuple[Item, ...]
    problems: tuple[Problem, ...] = ()
    icons: frozenset[str] = frozenset()
    load: Cost = NOTHING
    flawed: frozenset[Problem] = frozenset()
    outlined: tuple[PrintedText, ...] = ()
    """Its texts that are drawn as outlines."""


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures of a side that limit its elements, in mm."""

    size: Size
    bleed: float
    safe: float


@dataclass(slots=True)
class SideInWork:
    """One side while it is split."""

    document: Document
    sheet: StyleSheet
    pictures: Pictures
    side: Side
    ids: frozenset[str]
    """The targets of references: ids of the document, and icons."""
    costs: CostCounter
    groups: Mapping[str, float]
    """The sizes of its groups of texts, mm on the card."""
    groups_key: bytes
    placed: Mapping[str, Matrix]
    """The matrices of the groups around elements, by id, if a text goes around some of them."""


class Element(NamedTuple):
    """An element of a side, everything that it refers to, and its surroundings."""

    node: Node
    needed: list[Node]
    around: Surroundings
    work: SideInWork

    @property
    def is_self_contained(self) -> bool:
        """Return True if it needs no fonts and no files."""
        document = self.work.document
        sources = [document.source(self.node), *map(document.definition, self.needed)]
        return not self.node.has_text and not any(
            sign in source for source in sources for sign in _FROM_FILES
        )

    @property
    def key(self) -> tuple[object, ...]:
        """Return the key that identifies it."""
        document = self.work.document
        source = document.source(self.node)
        if not self.needed and not self.work.groups:
            return (self.around, _brief(source))
        defined = (_brief(document.definition(other)) for other in self.needed)
        groups = (self.work.groups_key,) if self.work.groups and _GROUPED in source else ()
        named = {other.attrs["id"] for other in self.needed} if document.repeated else ()
        repeated = sorted({other.attrs["id"] for other in document.repeated}.intersection(named))
        return (self.around, _brief(source), *defined, *groups, *repeated, self.places)

    @property
    def places(self) -> tuple[Matrix | None, ...]:
        """Return the matrices of the groups around what it refers to, if they matter."""
        placed = self.work.placed
        return tuple(placed.get(other.attrs["id"]) for other in self.needed) if placed else ()


_BLENDED = ("isolation", "mix-blend-mode")


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """The properties an element inherits from the root, groups and style sheet around it: one object for
    the elements of all cards with the same surroundings.

    `layers` counts the transparent ones among the groups and the root, `references` are the ids that they
    refer to.
    """

    style: Properties
    tags: GroupTags
    root: RootTag
    depth: int
    layers: int
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RootTag:
    """The common parts of sides with one root tag, style sheet, size and folder."""

    sheet: StyleSheet
    side: Side
    head: str
    """The start tag of its pictures."""
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """A group's tag: the surroundings of its elements, None if they are not shown."""

    inner: Surroundings | None = None
    opacity: float = 1.0
    clipped: bool = False
    blended: tuple[str, ...] = ()


def opened(node: Node, around: Surroundings, sheet: StyleSheet) -> Opened:
    own = sheet.properties(node)
    if own.get("display") == "none":
        return Opened()
    clipped = own.get("clip-path", "none") != "none"
    blended = tuple(name for name in _BLENDED if own.get(name, "normal") not in ("normal", "auto"))
    try:
        matrix = transform_of(node.attrs)
        opacity = length(own.get("opacity", "1"), "opacity", whole=1.0)
    except (ValueError, TextError):
        return Opened(clipped=clipped, blended=blended)  # the lint has reported it
    style = ";".join(
        f"{name}:{value}"
        for name, value in sheet.declared(node).items()
        if name != "opacity" and not name.startswith("-")
    )
    tag = Node("g", {k: v for k, v in node.attrs.items() if k not in ("opacity", "id")})
    tags = GroupTags(
        around.tags.opened + open_tag(tag, style) + ">",
        "</g>" + around.tags.closed,
        matrix.then(around.tags.matrix),
        states_fill(own, around.tags.filled),
    )
    inner = Surroundings(
        inherit(around.style, own),
        tags,
        around.root,
        around.depth + 1,
        around.layers + is_layer(own),
        tuple(dict.fromkeys(inherited_ids(bare(node), sheet) + around.references)),
    )
    return Opened(inner, opacity, clipped, blended)


def inherited_ids(node: Node, sheet: StyleSheet) -> tuple[str, ...]:
    """Return the ids that a group (or root) refers to for its children to inherit."""
    found = (id for name, id in references(node, sheet) if name not in ("href", "clip-path"))
    return tuple(dict.fromkeys(found))


def is_layer(own: Properties) -> int:
    """Return 1 if a group (or root) makes its content transparent, 0 if not."""
    return int(own.get("opacity", "1").strip() not in ("1", "1.0"))


def bare(node: Node) -> Node:
    """Return the element without its children."""
    return Node(node.name, node.attrs, node.start)


def solid(node: Node, style: Properties, sheet: StyleSheet) -> tuple[Node, float]:
    """Return a text with a stroke as an opaque one, and its opacity as a whole: letters and strokes
    overlap. Any other text is returned unchanged."""
    own = sheet.properties(node)
    if "opacity" not in own or inherit(style, own).get("stroke", "none") == "none":
        return node, 1.0
    try:
        opacity = max(0.0, min(1.0, length(own["opacity"], "opacity", whole=1.0)))
    except TextError:
        return node, 1.0  # reported where it is set
    said = f"{node.attrs.get('style', '')};opacity:1"
    made = Node(node.name, {**node.attrs, "style": said}, node.start)
    made.end, made.children, made.has_text = node.end, node.children, node.has_text
    return made, opacity


_UNUSUAL = (
    rb"<!DOCTYPE",
    rb"<switch\b",
    rb"<a[\s>]",
    rb"\b(?:var|calc|circle|ellipse|inset|polygon|path)\(",
    rb"!\s*important",
    rb"@(?:media|import|font-face)",
    rb"""["':;]\s*(?:initial|unset|revert)\b""",
    rb"\b(?:required[EF]|systemLanguage|pathLength|transform-box|vector-effect)",
    rb"\b(?:marker|font)[=:]",
    rb"(?:transform|filter):",
    rb"""[\s;{"]d:""",
    rb"""url\([ "']""",
    rb"""\bdisplay\s*[=:]\s*["']?\s*none""",
    rb"<style[^>]*>(?:\s*<!\[CDATA\[)?[^<]*[>+~\[]\s*[\w.#*]",
)
"""Patterns of unusual templates in millimeters."""


@cache
def _unusual() -> Any:
    """Return one pattern of them all, of RE2: it looks for all at once."""
    import re2  # imported late: it loads a large library

    return re2.compile(b"|".join(_UNUSUAL))


_PREFIXED = re.compile(rb"<(?!cg:)\w+:\w")
_UNIT = re.compile(rb"""["':]\s*-?[0-9.]+(?:cm|mm|in|pt|pc|q)\s*["';]""", re.I)
_NAMED = re.compile(rb"""#([^\s"'()<>;]+)""")
_ROOT_ONLY = names(
    "width height x y preserveAspectRatio enable-background version baseProfile zoomAndPan viewBox "
    "overflow contentScriptType contentStyleType"
)
_DEFINED = names("clipPath filter linearGradient marker mask pattern radialGradient")


@dataclass(frozen=True, slots=True)
class ReadSide:
    """A side for layout: its elements have their places in the rendered template. `problems` are those of
    reading it; without a `document` it can't be laid out."""

    document: Document | None
    problems: tuple[Problem, ...] = ()
    outlined: tuple[PrintedText, ...] = ()
    """Its texts that are part of pictures."""


class SideReader:
    """Reads the sides of one game."""

    def __init__(self, outliner: TextOutliner, language: str) -> None:
        self._outliner = outliner
        self._language = language

    def read(self, source: str, size: Size, bleed: float, safe: float) -> ReadSide:
        """Return the tree of a rendered side. Raises SvgError."""
        document = parse(source.encode())
        root = document.root
        if root.name.rpartition(":")[2] != "svg":
            hint = "make <svg> the outermost element of the template"
            message = f"the template draws <{root.name}>"
            return ReadSide(None, (Problem("svg/root", message, hint, offset=root.start),))
        problems: list[Problem] = []
        if root.name == "svg" and says_millimetres(root, size):
            sheet = self.sheet_of(document)
            unusual = _is_unusual(document.data, root.start) or sheet.relations
            if not unusual and not has_drawn_texts(document, lambda: sheet):
                return ReadSide(document)
            # If a unit is a millimeter, a CSS unit is another length, which is reported, not converted.
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
        return ReadSide(rewritten(tree), tuple(problems), tuple(words))

    def sheet_of(self, document: Document) -> StyleSheet:
        """Return the style sheet of a side: one object for all sides with the same one."""
        nodes = style_elements(document.root) if b"<style" in document.data else []
        key = tuple((node.get("media"), node.text()) for node in nodes)
        sheet = _ELEMENTS.sheets.get(key)
        if sheet is None:
            sheet = StyleSheet(nodes)
            _ELEMENTS.sheets.put(key, sheet)
        return sheet

    def _fitted(
        self, document: Document, view: Rect, matrix: Matrix, size: Size
    ) -> tuple[Node, tuple[Problem, ...]]:
        """Return the drawing in plain SVG within a group that puts it onto the side."""
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
        """Return the tree without hidden elements, and with texts as outlines if they are part of pictures;
        the problems of these, and their words."""
        ids = nodes_by_id(tree)
        sheet = StyleSheet(style_elements(tree))
        tree = _taking_along(tree, {}, sheet)
        tree = without_hidden(tree, sheet, frozenset(_NAMED.findall(document.data))) or tree
        prepared = Document(document.data, tree, ids, ())
        if not has_drawn_texts(prepared, lambda: sheet):
            return tree, [], []
        texts = DrawnTexts(self._outliner, prepared, sheet, side)
        return texts.drawn(tree), texts.problems, texts.words


def _is_unusual(data: bytes, start: int) -> bool:
    prefixes = data.count(b"xmlns:") - data.count(b"xmlns:cg=") - data.count(b"xmlns:xlink=")
    if prefixes and _PREFIXED.search(data, start):
        return True
    return _unusual().search(data, start) is not None


def style_elements(root: Node) -> list[Node]:
    """Return the style sheets of a side: in it, then in its `<defs>`."""
    top = list(root.elements())
    places = [top, *(list(node.elements()) for node in top if node.name == "defs")]
    return [node for nodes in places for node in nodes if node.name == "style"]


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
    """Return the tree with definitions that state the values that they inherit from groups around them:
    they are drawn apart from those."""
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
