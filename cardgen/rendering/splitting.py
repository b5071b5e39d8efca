"""A rendered side into items in paint order: pictures, and set text.

What an element comes to depends on its source, the source of what it refers to, the groups and styles
around it, and the side's size. Elements alike in all of that share one result, so that the frame of a
thousand cards is looked at once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace

from cardgen.findings import Problem
from cardgen.geometry import Rect
from cardgen.model.artwork import Group, IconRun, Item, Picture, SetText, TextRun
from cardgen.model.game import Limits
from cardgen.rendering.icons import IconSet
from cardgen.rendering.images import ImageStore
from cardgen.rendering.letters import stroked
from cardgen.rendering.marks import Mark
from cardgen.rendering.outlining import TextOutliner
from cardgen.rendering.pictures import GroupTags, Pictures, picture_head, states_fill
from cardgen.rendering.printed_texts import PrintedText, printed_text
from cardgen.rendering.reading_sides import SideReader, style_elements
from cardgen.rendering.splits import Measures, SideInWork, Split
from cardgen.rendering.surroundings import (
    Opened,
    RootTag,
    Surroundings,
    bare,
    opened,
    solid,
    telling_of,
)
from cardgen.rendering.text import Need, Side, TextSetter
from cardgen.rendering.text_frame import Frame
from cardgen.rendering.text_style import GROUP, TextError, paint
from cardgen.svg.embedding import clashes
from cardgen.svg.limits import MOST_OUTLINED, MOST_PROBLEMS, STEP_CHARACTERS
from cardgen.svg.lint import DEFINITIONS, lint
from cardgen.svg.recent import Recent
from cardgen.svg.style import Properties, StyleSheet
from cardgen.svg.targets import References
from cardgen.svg.tree import Document, Key, Node, open_tag
from cardgen.svg.weighing import Weigher
from cardgen.svg.weights import NOTHING, TEXT, MarkupError, Weight, WeightError, side_problem
from cardgen.typesetting.fonts import FontBook

HIDDEN = DEFINITIONS | {"mask", "filter"}
_GROUPED = GROUP.encode()
_LONG = 4000
"""Bytes of an element that is remembered by a digest."""
_LARGE = 10_000
"""Bytes of an element that counts as several among those remembered."""
_ROOTS = 500
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
        self.reader = SideReader(TextOutliner(fonts, language, limits, icons), language)
        self._seen: Recent[tuple[Surroundings | bytes, ...], Split] = Recent(_REMEMBERED)
        self._references = References()
        self._groups: Recent[tuple[Surroundings, Key], Opened] = Recent(_REMEMBERED)
        self._frames: Recent[tuple[object, ...], Frame] = Recent(_REMEMBERED)
        self._sheets: Recent[bytes, StyleSheet] = Recent(_ROOTS)
        self._roots: Recent[tuple[object, ...], Surroundings] = Recent(_ROOTS)

    def split(
        self, source: str, measures: Measures, folder: str, groups: Iterable[tuple[str, float]] = ()
    ) -> Split:
        """The items of a rendered side. `folder` is the template's, below `templates/`; `groups` are the
        sizes that its groups of texts have, mm.

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
        return replace(inner, problems=read.told(problem.moved(root.start) for problem in problems))

    def needs(self, source: str, measures: Measures, folder: str) -> list[Need]:
        """What the texts of groups on a rendered side need, each by itself. Raises SvgError."""
        document = self.reader.read(source, measures.size, measures.bleed, measures.safe).document
        found: list[Need] = []
        if document is not None:
            self._needs(document.root, *self.begin(document, measures, folder, ()), found, NOTHING)
        return found

    def _needs(
        self, parent: Node, around: Surroundings, work: SideInWork, found: list[Need], load: Weight
    ) -> Weight:
        document = work.document
        for child in parent.elements():
            source = document.source(child)
            if _GROUPED not in source:
                continue
            if child.name == "g" and (inner := self.opened(child, around, work).inner) is not None:
                load = self._needs(child, inner, work, found, load)
            elif child.name == "text":
                needed = self._references.needed(child, source, around.references, document, work.sheet)
                try:
                    self._weigh(child, needed, around, work)
                    need, characters, hard = self._texts.need(
                        child, self._frame(child, needed, around, work)
                    )
                except (WeightError, ValueError):
                    continue  # it is said where the side is split
                load = load.beside(Weight(characters=characters, hard=hard))
                if need is not None:
                    found.append(need)
            if side_problem(load, 0) is not None:
                break
        return load

    def begin(
        self, document: Document, measures: Measures, folder: str, groups: Iterable[tuple[str, float]]
    ) -> tuple[Surroundings, SideInWork]:
        """What stands around a side's elements, and the side."""
        root = document.root
        ids = self._icons.ids.union(document.ids)
        styles = style_elements(root) if b"<style" in document.data else []
        style_key = _brief(b"\0".join(document.source(node) for node in styles))
        key = (root.key, style_key, measures, folder)
        around = self._roots.get(key)
        if around is None:
            sheet = self._sheets.get(style_key)
            if sheet is None:
                sheet = StyleSheet(styles)
                self._sheets.put(style_key, sheet)
            area = Rect(0, 0, measures.size.width, measures.size.height)
            side = Side(area, area.inset(measures.bleed + measures.safe))
            wrong = list(lint(bare(root), ids, sheet))
            wrong += (problem.moved(-root.start) for problem in sheet.problems)
            shared = RootTag(sheet, side, picture_head(root, sheet), tuple(wrong))
            telling, named = telling_of(bare(root), sheet)
            own = sheet.properties(root)
            tags = GroupTags(filled=states_fill(own, False))
            around = Surroundings(own, tags, shared, 1, telling, named)
            self._roots.put(key, around)
        sheet = around.root.sheet
        pictures = Pictures(document, around.root.head, sheet, self._icons, self._images, folder, ids)
        weigher = Weigher(document.ids, sheet, pictures.brought)
        sizes = dict(groups)
        side = around.root.side
        work = SideInWork(document, sheet, pictures, side, ids, weigher, sizes, repr(sizes).encode())
        return around, work

    def _children(self, parent: Node, around: Surroundings, work: SideInWork) -> Split:
        items: list[Item] = []
        problems: list[Problem] = []
        icons: set[str] = set()
        flawed: set[Problem] = set()
        marks: list[Mark] = []
        outlined: list[PrintedText] = []
        load = NOTHING
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
            if part.marks:
                marks += [mark.moved(away) for mark in part.marks]
            load = load.beside(part.load)
            too_much = side_problem(load, away)
            if too_much is None and len(problems) > MOST_PROBLEMS:
                message = "the rest of the drawing is not looked at, so much is wrong with it so far"
                too_much = Problem("svg/more", message, offset=away)
            if too_much is not None:
                problems.append(too_much)
                break
        of_files = frozenset(flawed)
        whole = Split(tuple(items), tuple(problems), frozenset(icons), load, of_files, tuple(marks))
        return replace(whole, outlined=tuple(outlined)) if outlined else whole

    def element(self, node: Node, around: Surroundings, work: SideInWork) -> Split:
        """What an element comes to."""
        source = work.document.source(node)
        needed = self._references.needed(node, source, around.references, work.document, work.sheet)
        key: tuple[Surroundings | bytes, ...] = (around, _brief(source))
        if needed:
            key += tuple(_brief(work.document.definition(other)) for other in needed)
        if work.groups and _GROUPED in source:
            key += (work.groups_key,)
        done = self._seen.get(key)
        if done is None:
            done = self._make(node, needed, around, work)
            self._seen.put(key, done, 1 + len(source) // _LARGE)
        return done

    # ---- one element, seen for the first time

    def _make(self, node: Node, needed: list[Node], around: Surroundings, work: SideInWork) -> Split:
        if node.name in HIDDEN or ":" in node.name:
            return Split((), tuple(lint(node, work.ids, work.sheet)))
        clash = tuple(clashes(work.document, {other.attrs["id"] for other in needed}, node))
        try:
            load = self._weigh(node, needed, around, work)
        except WeightError as error:
            return Split((), (*clash, error.problem(node)))
        if node.name == "text":
            made = self._text(node, needed, around, work)
        elif node.name == "g" and node.has_text:
            made = self._group(node, around, work)
        elif node.has_text:
            hint = "text stands in <svg> itself or in plain groups <g>"
            message = f"text inside <{node.name}> is not set"
            made = Split((), (Problem("text/in-use", message, hint),))
        else:
            made = self._picture(node, needed, around, work)
        load = made.load.beside(load)
        return replace(made, problems=clash + made.problems, load=load, marks=())

    def _weigh(self, node: Node, needed: list[Node], around: Surroundings, work: SideInWork) -> Weight:
        """What drawing an element comes to, apart from what a group of texts has in it. Raises
        WeightError."""
        group = node.name == "g" and node.has_text
        if group or (node.name == "text" and not needed and not around.telling):
            return NOTHING
        weigher = work.weigher
        if node.name == "text":
            weight = TEXT
            for other in needed:  # that nothing in them refers to itself
                weigher.weigh(other)
        else:
            weight = weigher.weigh(node)
        weight = weight._replace(depth=weight.depth + around.depth)
        for outer in around.telling:
            weight = weigher.within(weight, node, outer)
        box = work.side.area
        area = box.width * box.height
        weigher.cells(weight, node, area)
        weight = weight._replace(painted=min(weight.painted, (weight.layers + weight.shaded) * area))
        # Definitions are written out, and read again, for each picture.
        defined = sum(len(work.document.definition(other)) for other in needed) / STEP_CHARACTERS
        return weight._replace(steps=weight.steps + defined, pictures=int(node.name != "text"))

    def _picture(self, node: Node, needed: list[Node], around: Surroundings, work: SideInWork) -> Split:
        if work.sheet.properties(node).get("display") == "none":
            return Split(())
        picture, problems = work.pictures.picture(node, needed, around.tags)
        flawed = frozenset(work.pictures.flawed)
        return Split((picture,) if picture else (), tuple(problems), flawed=flawed)

    def _group(self, node: Node, around: Surroundings, work: SideInWork) -> Split:
        problems = list(lint(bare(node), work.ids, work.sheet))
        group = self.opened(node, around, work)
        for name in group.blended:
            hint = "blend the art only: close the group before the text"
            problems.append(Problem(f"svg/{name}", f"{name} is not drawn on a group that holds text", hint))
        if group.clipped:
            hint = "clip the art only: close the group before the text"
            problems.append(Problem("text/clipped", "text inside a clipped group is not clipped", hint))
        if group.inner is None:
            return Split((), tuple(problems))
        inner = self._children(node, group.inner, work)
        items = inner.items
        if group.opacity < 1 and items:
            items = (Group(items, max(0.0, group.opacity)),)
        whole = Split(items, (*problems, *inner.problems), inner.icons, inner.load, inner.flawed)
        return replace(whole, outlined=inner.outlined)

    def opened(self, node: Node, around: Surroundings, work: SideInWork) -> Opened:
        """A group, and what stands around the elements in it."""
        key = (around, node.key)
        group = self._groups.get(key)
        if group is None:
            group = opened(node, around, work.sheet)
            self._groups.put(key, group)
        return group

    def _text(self, node: Node, needed: list[Node], around: Surroundings, work: SideInWork) -> Split:
        problems = list(lint(node, work.ids, work.sheet))
        node, whole = solid(node, around.style, work.sheet)
        try:
            frame = self._frame(node, needed, around, work)
        except ValueError:
            return Split((), tuple(problems))  # the lint has said it
        known = {problem.code for problem in problems if problem.is_error}
        text, troubles, characters, hard = self._texts.set(node, frame, work.side, work.groups)
        load = Weight(characters=characters, hard=hard)
        # The lint and the typesetter both read sizes and colours; one word about each is enough.
        problems += [problem for problem in troubles if problem.code not in known]
        if text is None:
            return Split((), tuple(problems), load=load)
        if frame.clipped:
            hint = "clip the art only"
            problems.append(Problem("text/clipped", "a text is not clipped", hint))
        icons = frozenset(run.icon for run in text.runs if isinstance(run, IconRun))
        try:
            items = (text,) if frame.plain else self._inked(node, text, frame, needed, around, work)
        except TextError as error:
            return Split((), (*problems, error.problem), load=load)
        except WeightError as error:
            return Split((), (*problems, error.problem(node)), load=load)
        except MarkupError as error:
            return Split((), (*problems, Problem("svg/bounds", f"the text can't be drawn: {error}")))
        drawn = [len(item.svg) for item in items if isinstance(item, Picture)]
        outlined = (printed_text(text),) if len(drawn) == len(items) > 0 else ()
        if whole < 1 and items:
            items = (Group(items, whole),)
        steps = sum(drawn) / STEP_CHARACTERS
        load = load._replace(steps=steps, own=steps, pictures=len(drawn))
        return Split(items, tuple(problems), icons, load, outlined=outlined)

    def _frame(self, node: Node, needed: list[Node], around: Surroundings, work: SideInWork) -> Frame:
        key = (around, node.key, *(_brief(work.document.definition(other)) for other in needed))
        frame = self._frames.get(key)
        if frame is None:
            boxes = {other.attrs["id"]: other for other in needed}
            matrix = around.tags.matrix
            frame = Frame(node, around.style, matrix, boxes, work.sheet, self._language, self._icons.marks)
            self._frames.put(key, frame)
        return frame

    def _inked(
        self,
        node: Node,
        text: SetText,
        frame: Frame,
        needed: list[Node],
        around: Surroundings,
        work: SideInWork,
    ) -> tuple[Item, ...]:
        """The set text where it has a stroke or a gradient: a stroke in one colour is set as text, too,
        anything else is drawn by the letters' outlines; over the text where that shows."""
        style = frame.style
        color = style.get("color", "black")
        fill = paint(style.get("fill", "black"), color)
        stroke = paint(style.get("stroke", "none"), color)
        if fill is None and stroke is None:
            return ()
        first = style.get("paint-order", "normal").startswith("stroke")
        if text.bars:
            raise TextError("text/outline", "a text with a stroke or gradient has no lines along it")
        if frame.stroke is not None and not isinstance(fill, str):
            return stroked(text, frame.stroke, filled=fill is not None, first=first)
        if any(isinstance(run, IconRun) for run in text.runs):
            raise TextError(
                "text/outline",
                "a text with a gradient or a dashed stroke can't hold icons or letters in colors",
            )
        glyphs = sum(
            len(word.glyphs) for run in text.runs if isinstance(run, TextRun) for word in run.words
        )
        if glyphs > MOST_OUTLINED:
            message = f"a text with a gradient or a dashed stroke has more than {MOST_OUTLINED:,} letters"
            raise TextError("text/bounds", message, "set it in plain colours")
        shown = {name: style[name] for name in _STROKE if name in style and stroke is not None}
        if isinstance(fill, tuple):
            drawn = self._outline(node, text, shown | {"fill": "none"}, needed, around, work)
            return (drawn, text) if first else (text, drawn)
        shown["fill"] = style.get("fill", "none")
        if first and stroke is not None:
            below = self._outline(node, text, shown | {"fill": "none"}, needed, around, work)
            above = self._outline(node, text, {"fill": shown["fill"]}, needed, around, work)
            return (below, above)
        return (self._outline(node, text, shown, needed, around, work),)

    def _outline(
        self,
        node: Node,
        text: SetText,
        shown: Properties,
        needed: list[Node],
        around: Surroundings,
        work: SideInWork,
    ) -> Item:
        attrs = {"d": self._outlines.path(text.runs), **shown}
        for name in ("transform", "transform-origin"):
            if name in node.attrs:
                attrs[name] = node.attrs[name]
        own = work.sheet.properties(node)
        if "opacity" in own:
            attrs["opacity"] = own["opacity"]
        path = Node("path", attrs, node.start)
        work.weigher.weigh(path)
        content = open_tag(path, "") + "/>"
        return work.pictures.assemble(work.pictures.definitions(needed), around.tags, content)


def _brief(source: bytes) -> bytes:
    """A source as a key: itself, or a digest where it is long."""
    return source if len(source) < _LONG else hashlib.blake2b(source, digest_size=16).digest()
