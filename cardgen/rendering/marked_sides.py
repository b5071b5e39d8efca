"""A side split to be looked at, whatever is wrong with it: an element in which nothing is wrong is as it is
printed, the others are set and drawn as far as can be, with marks."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import replace

from cardgen.findings import Problem
from cardgen.geometry import IDENTITY, Rect
from cardgen.model.artwork import Group, Item, Picture, TextRun, leaves
from cardgen.model.game import Limits
from cardgen.rendering.icons import IconSet
from cardgen.rendering.marked_texts import TextMarker
from cardgen.rendering.marks import Kind, Mark, halo, kind_of
from cardgen.rendering.outlining import TextOutliner
from cardgen.rendering.places import Places, chain_to
from cardgen.rendering.reading_sides import SideReader, sheet_of
from cardgen.rendering.splits import Measures, SideInWork, Split
from cardgen.rendering.splitting import HIDDEN, Splitter
from cardgen.rendering.surroundings import Surroundings, solid
from cardgen.rendering.text_style import TextError
from cardgen.svg.lint import lint
from cardgen.svg.normal.rebuilding import remade
from cardgen.svg.recent import Recent
from cardgen.svg.root import fitting, says_millimetres
from cardgen.svg.transforms import transform_of
from cardgen.svg.tree import Node, parse
from cardgen.svg.weights import MarkupError, WeightError
from cardgen.typesetting.fonts import FontBook

_REMEMBERED = 500
_ROUNDS = 3
"""Times that a drawing is gone through for parts that can't be drawn: what is wrong with one may be seen
only without the others."""
_DRAWN = frozenset(("image/resolution", "svg/attribute"))
"""Errors with which an element can be drawn all the same."""
_PLACED = frozenset(("transform", "transform-origin"))


class MarkingSplitter(Splitter):
    """Splits the sides of one game to be looked at. What is not in error is split by `printed`, which
    remembers it as it does for printing."""

    def __init__(self, printed: Splitter, fonts: FontBook, icons: IconSet, limits: Limits) -> None:
        vars(self).update(vars(printed))
        self._printed = printed
        self._marker = TextMarker(fonts, icons, limits)
        self._drawn = TextMarker(fonts, icons, limits)
        outliner = TextOutliner(fonts, self._language, limits, icons, self._drawn)
        self._reader = SideReader(outliner, self._language)
        self._marked: Recent[tuple[object, ...], Split] = Recent(_REMEMBERED)
        self._places = Places({}, lambda node: {})

    def marked(
        self, source: str, measures: Measures, folder: str, groups: Iterable[tuple[str, float]]
    ) -> Split | None:
        """A rendered side with marks, offsets of their problems in it; None where its root can't be placed.
        Raises SvgError."""
        self._drawn.noted.clear()
        read = self._reader.read(source, measures.size, measures.bleed, measures.safe)
        if read.document is None:
            return None
        root = read.document.root
        around, work = self.begin(read.document, measures, folder, groups)
        self._places = Places(work.document.ids, work.sheet.properties)
        made = self._children(root, around, work)
        marks = [mark.moved(root.start) for mark in made.marks]
        if read.source is not None:
            origin = read.source.origin
            marks = [
                mark if mark.of_file else mark.moved(origin(mark.problem.offset) - mark.problem.offset)
                for mark in marks
            ]
        return replace(made, marks=(*marks, *self._drawn.noted))

    def element(self, node: Node, around: Surroundings, work: SideInWork) -> Split:
        done = self._printed.element(node, around, work)
        if not done.problems and not done.flawed and not self._show_badly(done.icons):
            if node.name != "text" or not any(isinstance(item, Picture) for item in leaves(done.items)):
                return done
            if not self._refused((node, *self._needed(node, around, work)), work):
                return done
        key = (around, work.groups_key, *self._sources(node, around, work))
        known = self._marked.get(key)
        if known is None:
            known = self._remade(node, done, around, work)
            self._marked.put(key, known)
        return known

    def _sources(self, node: Node, around: Surroundings, work: SideInWork) -> list[bytes]:
        """What tells an element from others: its source, and those of what it refers to."""
        return [
            work.document.source(node),
            *(work.document.definition(each) for each in self._needed(node, around, work)),
        ]

    def _needed(self, node: Node, around: Surroundings, work: SideInWork) -> list[Node]:
        source = work.document.source(node)
        return self._references.needed(node, source, around.references, work.document, work.sheet)

    def _refused(self, tops: Iterable[Node], work: SideInWork) -> bool:
        """Whether something in these elements can't be drawn."""
        return any(each.is_error for top in tops for each in lint(top, work.ids, work.sheet))

    def _show_badly(self, icons: Iterable[str]) -> bool:
        return any(self._icons.get(name).problems for name in icons)

    def _remade(self, node: Node, done: Split, around: Surroundings, work: SideInWork) -> Split:
        """An element in which something is wrong; `done` is what of it would be printed."""
        if node.name in HIDDEN or ":" in node.name:
            return done
        needed = self._needed(node, around, work)
        try:
            self._weigh(node, needed, around, work)
        except WeightError:
            return replace(done, items=(), marks=tuple(self._in_all(node, done.problems, around, work)))
        if node.name == "text":
            return self._marked_text(node, needed, done, around, work)
        if node.name == "g" and node.has_text:
            return self._marked_group(node, done, around, work)
        if node.has_text:
            return replace(done, marks=tuple(self._in_all(node, done.problems, around, work)))
        return self._marked_picture(node, needed, done, around, work)

    def _in_all(
        self,
        node: Node,
        problems: Iterable[Problem],
        around: Surroundings,
        work: SideInWork,
        kind: Kind | None = None,
    ) -> Iterator[Mark]:
        """Marks of problems that lie in the whole element."""
        area = self._places.of(node, around.tags.matrix)
        if area is not None:
            yield from (Mark(problem, area, kind or kind_of(problem)) for problem in problems)

    # ---- texts and groups

    def _marked_text(
        self, node: Node, needed: list[Node], done: Split, around: Surroundings, work: SideInWork
    ) -> Split:
        opaque, whole = solid(node, around.style, work.sheet)
        try:
            frame = self._frame(opaque, needed, around, work)
        except ValueError:
            return replace(done, marks=tuple(self._in_all(node, done.problems, around, work)))
        found = self._marker.marked(opaque, frame, work.side, work.groups, done.problems)
        marks = found.marks or tuple(self._in_all(node, done.problems, around, work))
        if found.text is None:
            return replace(done, items=(), icons=frozenset(), marks=marks)
        items: tuple[Item, ...] = (found.text,)
        if found.red:
            items = (halo(found.text, found.red), found.text)
        with contextlib.suppress(TextError, WeightError, MarkupError):
            # Red words are seen best without strokes and gradients.
            if not (found.red or frame.plain or self._refused((node, *needed), work)):
                items = self._inked(opaque, found.text, frame, needed, around, work)
        icons = frozenset(run.icon for run in found.text.runs if not isinstance(run, TextRun))
        if whole < 1 and items:
            items = (Group(items, whole),)
        return replace(done, items=items, icons=icons, marks=marks)

    def _marked_group(self, node: Node, done: Split, around: Surroundings, work: SideInWork) -> Split:
        group = self.opened(node, around, work)
        if group.inner is None:
            return replace(done, marks=tuple(self._in_all(node, done.problems, around, work)))
        inner = self._children(node, group.inner, work)
        within = set(inner.problems)
        own = [problem for problem in done.problems if problem not in within]
        items = inner.items
        if group.opacity < 1 and items:
            items = (Group(items, max(0.0, group.opacity)),)
        marks = (*inner.marks, *self._in_all(node, own, around, work))
        return replace(done, items=items, icons=inner.icons, marks=marks)

    # ---- pictures

    def _marked_picture(
        self, node: Node, needed: list[Node], done: Split, around: Surroundings, work: SideInWork
    ) -> Split:
        marks = tuple(self._picture_marks(node, needed, done, around, work))
        hidden = work.sheet.properties(node).get("display") == "none"
        if hidden or (done.items and not any(each.is_error for each in done.flawed)):
            return replace(done, marks=marks)
        items = self._drawn_in_part(node, needed, around, work)
        return replace(done, items=items, marks=marks)

    def _drawn_in_part(
        self, node: Node, needed: list[Node], around: Surroundings, work: SideInWork
    ) -> tuple[Item, ...]:
        """The element without the parts that can't be drawn; nothing where that is all of it."""
        bad = {part.start for top in (node, *needed) for part in top.iter() if self._is_bad(part, work)}
        for _ in range(_ROUNDS):
            left = _without(node, bad)
            defined = [_without(other, bad, keep=False) for other in needed]
            if left is None or None in defined:
                return ()
            kept = [each for each in defined if each is not None]
            pictures = work.pictures.with_others({each.attrs["id"]: each for each in kept})
            picture, problems = pictures.picture(left, kept, around.tags)
            if picture is not None:
                return (picture,)
            errors = [each for each in problems if each.is_error and each.code not in _DRAWN]
            if not errors:
                picture, _ = pictures.drawn(left, kept, around.tags)
                return (picture,) if picture is not None else ()
            more = {node.start + each.offset for each in errors}
            if more <= bad:
                return ()
            bad |= more
        return ()

    def _is_bad(self, part: Node, work: SideInWork) -> bool:
        """Whether an element shows a file that is not there, or can't be drawn."""
        return any(problem.is_error for problem in work.pictures.shown_badly(part))

    def _picture_marks(
        self, node: Node, needed: list[Node], done: Split, around: Surroundings, work: SideInWork
    ) -> Iterator[Mark]:
        outer = around.tags.matrix
        whole = self._places.of(node, outer)
        for problem in done.problems:
            offset = node.start + problem.offset
            area = None
            if node.start <= offset < node.end:
                area = self._places.within(chain_to(node, offset), outer)
            area = area or whole
            if area is not None:
                yield Mark(problem, area, _picture_kind(problem))
        left = set(done.flawed)
        for top in (node, *needed):
            for part in top.iter() if left else ():
                found = [each for each in work.pictures.shown_badly(part) if each in left]
                if not found:
                    continue
                area = whole
                if top is node:
                    area = self._places.within(chain_to(node, part.start), outer) or whole
                if area is not None:
                    yield from (Mark(each, area, _file_kind(each), of_file=True) for each in found)


def rest_of(svg: str, measures: Measures, problems: Iterable[Problem]) -> Iterator[Mark]:
    """Marks of problems of a rendered side that no element has told the place of, offsets in it: where the
    element stands that they were found at, or at the side's edge."""
    document = parse(svg.encode())
    root, size = document.root, measures.size
    side = Rect(0.0, 0.0, size.width, size.height)
    around = IDENTITY
    if not says_millimetres(root, size):
        around = fitting(root, size, measures.bleed).matrix
    places = Places(document.ids, sheet_of(document).properties)
    for problem in problems:
        chain = chain_to(root, problem.offset)[1:]
        area = places.within(chain, around) if chain else None
        if area is not None:
            yield Mark(problem, area, kind_of(problem))
        else:
            yield at_the_edge(problem, side)


def at_the_edge(problem: Problem, side: Rect, of_file: bool = False) -> Mark:
    """The mark of a problem that has no place on a side."""
    return Mark(problem, side, "side" if problem.is_error else "noted", of_file)


def _picture_kind(problem: Problem) -> Kind:
    of_file = problem.code.startswith(("image/", "icon/")) and problem.code not in _DRAWN
    return "missing" if of_file and problem.is_error else kind_of(problem)


def _file_kind(problem: Problem) -> Kind:
    return "missing" if problem.is_error else "noted"


def _without(node: Node, bad: set[int], keep: bool = True) -> Node | None:
    """A tree without the elements that begin at `bad` places; of groups there, only their tags are left
    out, apart from where they stand. None for nothing, or without `keep` where it is itself one."""
    if node.start in bad:
        if node.name != "g" or not keep:
            return None
        attrs = {name: said for name, said in node.attrs.items() if name in _PLACED}
        try:
            transform_of(attrs)
        except ValueError:
            return None
        node = remade(node, attrs=attrs)
    children = [_without(child, bad) if isinstance(child, Node) else child for child in node.children]
    return remade(node, children=[child for child in children if child is not None])
