"""Lay out a side with errors for people to look at, with the places of its problems.

Elements without problems are the same as in print. The others are set and drawn as well as possible, with
marks.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice, pairwise
from typing import Literal, NamedTuple

from cardgen.art.icons import IconSet
from cardgen.art.outlining import TextOutliner
from cardgen.art.sources import Source
from cardgen.art.splitting import (
    HIDDEN,
    Element,
    SideInWork,
    SideReader,
    Split,
    Splitter,
    Surroundings,
    seen_through,
    solid,
)
from cardgen.art.text import EDGE_TOLERANCE, Side, TextResult, TextSetter, most_of, text_of
from cardgen.art.text_flow import IconMark, Part
from cardgen.art.text_lines import LINE_HEIGHT, Frame, bounds
from cardgen.art.text_style import TextError
from cardgen.core.artwork import (
    Artwork,
    Color,
    IconRun,
    Item,
    Picture,
    SetText,
    Stroke,
    TextRun,
    leaves,
    turned,
)
from cardgen.core.findings import Problem
from cardgen.core.game import Limits
from cardgen.core.geometry import IDENTITY, Matrix, Rect, Size, decimal
from cardgen.core.records import dataclass, replace
from cardgen.svg.costs import CostError, MarkupError
from cardgen.svg.lengths import remade
from cardgen.svg.lint import DEFINITIONS, lint
from cardgen.svg.outlines import ViewportError, box_of, fit, outline_of, transform_of, view_box_of
from cardgen.svg.tree import MOST_PROBLEMS, Node, numbers
from cardgen.text.fonts import FontBook
from cardgen.text.shaping import FontError
from cardgen.text.spans import BEFORE, Composed

RED = "#d6002a"
RED_INK: Color = (0xD6 / 255, 0.0, 0x2A / 255)
_LINE, _HALO = 0.3, 0.45
"""mm, of outlines and crosses, and of the white below them, which keeps them visible on any ground."""
_AROUND = 0.2
"""The same of red letters, in em."""
Kind = Literal["box", "missing", "words", "noted", "side"]


@dataclass(frozen=True, slots=True)
class Mark:
    """A problem and its place on the side: an upright rectangle in mm from the corner of the bleed.

    `kind` sets how the artwork shows it. "box": outlined in red; if text does not fit, the box outlined is
    its own, and the words are red. "missing": outlined and crossed, for something missing or unreadable.
    "words": the area of red words. "noted": not shown, because it is a warning or a note. "side": it has no
    place of its own, `area` is the whole side, and its edge is red. One problem has several marks if it has
    several places. `of_file` is True for the problem of a file shown there.
    """

    problem: Problem
    area: Rect
    kind: Kind = "box"
    of_file: bool = False

    def moved(self, by: int) -> Mark:
        """Return the mark with its problem's offset counted from `by` bytes earlier."""
        return self if self.of_file else replace(self, problem=self.problem.moved(by))


@dataclass(frozen=True, slots=True)
class Marked:
    """A side with errors, laid out for viewing. It is never printed, and no printed artwork has its key.

    The `artwork` has everything that could be laid out, with its problems shown in place, as listed in
    `marks`. `problems` are those found by laying it out to print, and those of icons in texts that were not
    reached; each has a mark at least. `icons` are those that its text shows, whose documents are needed to
    draw it.
    """

    artwork: Artwork
    marks: tuple[Mark, ...]
    problems: tuple[Problem, ...]
    icons: frozenset[str]


def halo(text: SetText, red: Iterable[TextRun]) -> SetText:
    """Return white strokes to put below the red letters of a text."""
    stroke = Stroke((1.0, 1.0, 1.0), _AROUND * text.size, join=1, again=True)
    return replace(text, runs=tuple(red), bars=(), decor=True, stroke=stroke)


def kind_of(problem: Problem) -> Kind:
    """Return how to show a problem if only its area is known."""
    return "box" if problem.is_error else "noted"


def overlay(marks: Iterable[Mark], size: Size, bleed: float) -> Picture | None:
    """Return the outlines and crosses of marks, to draw over a side of `size` (trim and bleed); None if
    there is none."""
    shapes: dict[str, None] = {}
    for mark in marks:
        area = mark.area
        if mark.kind == "side":
            area = area.inset(max(bleed, 0.0) + _LINE / 2)
        elif mark.kind in ("box", "missing"):
            area = area.inset(-_HALO / 2)  # around the element, so that it covers nothing in it
        else:
            continue
        left, top, right, bottom = (decimal(each, 4) for each in (area.x, area.y, area.right, area.bottom))
        path = f"M{left} {top}H{right}V{bottom}H{left}Z"
        if mark.kind == "missing":
            path += f"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}"
        shapes[path] = None
    if not shapes:
        return None
    width, height, path = decimal(size.width, 4), decimal(size.height, 4), "".join(shapes)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}" fill="none"><path d="{path}" stroke="#fff" '
        f'stroke-width="{_HALO}"/><path d="{path}" stroke="{RED}" stroke-width="{_LINE}"/></svg>'
    )
    return Picture(hashlib.blake2b(svg.encode(), digest_size=16).hexdigest(), svg)


_MOST_STEPS = 50_000
"""Most elements of a document that are searched for all places; later ones get no place."""
_MOST_USES = 5
"""Levels of `<use>` that are followed."""
_UNDRAWN = DEFINITIONS - {"svg"}
_SIZE = 3.5
"""mm, of type of unknown size."""
_LETTER, _RISE, _DEPTH = 0.5, 0.8, 0.25
"""In em: the approximate width of a letter, and its reach above and below the baseline."""


def union(areas: list[Rect]) -> Rect | None:
    """Return the rectangle around all of them; None if there is none."""
    return Rect.union(areas) if areas else None


def chain_to(top: Node, offset: int) -> list[Node]:
    """Return the elements from `top` down to the innermost around a byte of the document."""
    chain = [top]
    while True:
        inner = next((each for each in chain[-1].elements() if each.start <= offset < each.end), None)
        if inner is None:
            return chain
        chain.append(inner)


class Places:
    """Finds the places of one document's elements, by their `ids` and content, within a number of steps;
    strokes are not counted."""

    def __init__(self, ids: Mapping[str, Node], properties: Callable[[Node], Mapping[str, str]]) -> None:
        self._ids, self._properties = ids, properties
        self._left = _MOST_STEPS
        self._boxes: dict[Node, Rect | None] = {}

    def within(self, chain: list[Node], around: Matrix) -> Rect | None:
        """Return the area of the last of a chain of elements; None if it is unknown, or its container is
        drawn elsewhere. `around` is the matrix around the first."""
        for node in chain[:-1]:
            if node.name in _UNDRAWN:
                return None
            around = _inner(node, _placed(node, around))
        return self.of(chain[-1], around)

    def at(self, top: Node, offset: int, around: Matrix) -> Rect | None:
        """Return the area of the innermost element around a byte of `top`, or else of all of it."""
        inner = self.within(chain_to(top, offset), around) if top.start <= offset < top.end else None
        return inner or self.of(top, around)

    def of(self, top: Node, around: Matrix) -> Rect | None:
        """Return the upright rectangle around everything that an element draws, in mm; None if that is
        nothing or unknown. `around` is the matrix around it."""
        found: list[Rect] = []
        stack = [(top, around, 0)]
        while stack:
            node, outer, uses = stack.pop()
            self._left -= 1
            if self._left < 0:
                return None
            if node.name in _UNDRAWN or ":" in node.name:
                continue
            matrix = _placed(node, outer)
            if node.name == "text":
                found.append(matrix.around(self._of_text(node)))
                continue
            if node.name in ("use", "image", "svg", "foreignObject"):
                try:
                    found.append(matrix.around(box_of(node.attrs)))
                    continue
                except ViewportError:
                    shown = self._ids.get((node.href or "")[1:])
                    if node.name == "use" and shown is not None and uses < _MOST_USES:
                        x, y = (_first(node.get(name)) for name in ("x", "y"))
                        stack.append((shown, Matrix(e=x, f=y).then(matrix), uses + 1))
                    continue
            area = self._shape(node)
            if area is not None:
                found.append(matrix.around(area))
            inner = _inner(node, matrix)
            stack += [(child, inner, uses) for child in node.elements()]
        return union([area for area in found if _is_finite(area)])

    def _shape(self, node: Node) -> Rect | None:
        """Return the box of a shape in its own units, including the handles of its curves."""
        if node not in self._boxes:
            _, places = outline_of(node.name, node.attrs) or ("", ())
            self._boxes[node] = Rect.around(zip(places[::2], places[1::2])) if places else None
        return self._boxes[node]

    def _of_text(self, node: Node) -> Rect:
        """Return the approximate area of a text: its box, or a line at its place."""
        properties = self._properties(node)
        shape = properties.get("shape-inside", "")
        box = self._ids.get(shape[4:].split(")")[0].strip("\"' #")) if shape.startswith("url(") else None
        if box is not None and (area := self._shape(box)) is not None:
            return _placed(box, IDENTITY).around(area)
        size = _first(properties.get("font-size")) or _SIZE
        x, y = (_first(node.get(name)) for name in ("x", "y"))
        said = _first(node.get("cg:max-width")) or _first(properties.get("inline-size"))
        width = said or _LETTER * size * len(" ".join(node.text().split()))
        before = BEFORE.get(properties.get("text-anchor", ""), 0.0)
        return Rect(x - before * width, y - _RISE * size, width, (_RISE + _DEPTH) * size)


def _placed(node: Node, outer: Matrix) -> Matrix:
    try:
        return transform_of(node.attrs).then(outer)
    except ValueError:
        return outer


def _inner(node: Node, matrix: Matrix) -> Matrix:
    """Return the matrix for the content of an element."""
    if node.name != "svg":
        return matrix
    try:
        view, box = view_box_of(node.get("viewBox")), box_of(node.attrs)
        return fit(view, box, node.get("preserveAspectRatio")).then(matrix)
    except ViewportError:
        return matrix


def _first(text: str | None) -> float:
    """Return the first number in a text, 0 if there is none."""
    found = numbers(text[:100]) if text else []
    return found[0] if found else 0.0


def _is_finite(area: Rect) -> bool:
    return all(abs(each) < 1e9 for each in (area.x, area.y, area.right, area.bottom))


_ROUNDS = 3
"""Passes over a drawing to find parts that can't be drawn: one's problem may only show without the
others."""
_DRAWN = frozenset(("image/resolution", "svg/attribute"))
"""Errors with which an element can still be drawn."""
_PLACED = frozenset(("transform", "transform-origin"))


class MarkingSplitter(Splitter):
    """Splits the sides of one game for viewing. Elements without errors are split by `printed`, which
    remembers them as it does for printing."""

    def __init__(self, printed: Splitter, fonts: FontBook, icons: IconSet, limits: Limits) -> None:
        vars(self).update(vars(printed))
        self._printed = printed
        self._marker = TextMarker(fonts, icons, limits)
        outliner = TextOutliner(fonts, self._language, limits, icons, self._marker)
        self._reader = SideReader(outliner, self._language)
        self._places = Places({}, lambda node: {})
        self._marks: list[Mark] = []
        """The marks found so far, with offsets from the start of the document."""

    def marked(self, source: Source, problems: Iterable[Problem]) -> tuple[Split, list[Mark]] | None:
        """Return a rendered side with marks for its `problems` and more, offsets in it; None if its root
        can't be placed. Raises SvgError."""
        measures = source.measures
        self._marks = self._marker.noted = []
        read = self._reader.read(source.svg, measures.size, measures.bleed, measures.safe)
        if read.document is None:
            return None
        root = read.document.root
        around, work = self.begin(read.document, measures, source.folder, source.groups)
        self._places = Places(work.document.ids, work.sheet.properties)
        made = self._children(root, around, work)
        known = {mark.problem for mark in self._marks}
        rest = [self._rest(each, root, made, work) for each in problems if each not in known]
        return made, [*self._marks, *rest]

    def _rest(self, problem: Problem, root: Node, made: Split, work: SideInWork) -> Mark:
        """Return the mark of a problem without a known place: at the element where it was found, or at the
        side's edge."""
        of_file = problem in made.flawed
        chain = chain_to(root, problem.offset)[1:]
        if not of_file and chain and chain[-1].start > root.start:
            area = self._places.within(chain, IDENTITY)
            if area is not None:
                return Mark(problem, area, kind_of(problem))
        return Mark(problem, work.side.area, "side" if problem.is_error else "noted", of_file)

    def element(self, node: Node, around: Surroundings, work: SideInWork) -> Split:
        done = self._printed.element(node, around, work)
        element = self.element_of(node, around, work)
        if not done.problems and not done.flawed and not self._show_badly(done.icons):
            if node.name != "text" or not any(isinstance(item, Picture) for item in leaves(done.items)):
                return done
            if not self._refused(element):
                return done
        return self._remade(element, done)

    def _refused(self, element: Element) -> bool:
        """Return True if something in an element can't be drawn."""
        tops, work = (element.node, *element.needed), element.work
        return any(each.is_error for top in tops for each in lint(top, work.ids, work.sheet))

    def _show_badly(self, icons: Iterable[str]) -> bool:
        return any(self._icons.get(name).problems for name in icons)

    def _remade(self, element: Element, done: Split) -> Split:
        """Return an element with problems; `done` is the part of it that would be printed."""
        node = element.node
        if node.name in HIDDEN or ":" in node.name:
            return done
        try:
            self._count(element)
        except CostError:
            self._mark(element, done.problems)
            return replace(done, items=())
        if node.name == "text":
            return self._marked_text(element, done)
        if node.name == "g" and node.has_text:
            return self._marked_group(element, done)
        if node.has_text:
            self._mark(element, done.problems)
            return done
        return self._marked_picture(element, done)

    def _mark(self, element: Element, problems: Iterable[Problem]) -> None:
        """Mark problems of an element at their places in it, or else at all of it."""
        node, outer = element.node, element.around.tags.matrix
        for problem in problems:
            area = self._places.at(node, node.start + problem.offset, outer)
            if area is not None:
                self._marks.append(Mark(problem.moved(node.start), area, _kind_of_picture(problem)))

    # ---- texts and groups

    def _marked_text(self, element: Element, done: Split) -> Split:
        work = element.work
        opaque, whole = solid(element.node, element.around.style, work.sheet)
        try:
            frame = self._frame(element._replace(node=opaque))
        except ValueError:
            self._mark(element, done.problems)
            return done
        found = self._marker.marked(opaque, frame, work.side, work.groups, done.problems)
        self._marks += (mark.moved(element.node.start) for mark in found.marks)
        if not found.marks:
            self._mark(element, done.problems)
        if found.text is None:
            return replace(done, items=(), icons=frozenset())
        items: tuple[Item, ...] = (found.text,)
        if found.red:
            items = (halo(found.text, found.red), found.text)
        with contextlib.suppress(TextError, CostError, MarkupError):
            # Red words are easiest to see without strokes and gradients.
            if not (found.red or frame.plain or self._refused(element)):
                items = self._inked(element._replace(node=opaque), found.text, frame)
        icons = frozenset(run.icon for run in found.text.runs if not isinstance(run, TextRun))
        return replace(done, items=seen_through(items, whole), icons=icons)

    def _marked_group(self, element: Element, done: Split) -> Split:
        group = self.opened(element.node, element.around, element.work)
        if group.inner is None:
            self._mark(element, done.problems)
            return done
        inner = self._children(element.node, group.inner, element.work)
        within = set(inner.problems)
        self._mark(element, (problem for problem in done.problems if problem not in within))
        return replace(done, items=seen_through(inner.items, group.opacity), icons=inner.icons)

    # ---- pictures

    def _marked_picture(self, element: Element, done: Split) -> Split:
        self._mark(element, done.problems)
        self._mark_files(element, set(done.flawed))
        hidden = element.work.sheet.properties(element.node).get("display") == "none"
        if hidden or (done.items and not any(each.is_error for each in done.flawed)):
            return done
        return replace(done, items=self._drawn_in_part(element))

    def _drawn_in_part(self, element: Element) -> tuple[Item, ...]:
        """Return the element without the parts that can't be drawn; nothing if that is all of it."""
        node, needed, around, work = element
        tops = (node, *needed)
        bad = {
            part.start
            for top in tops
            for part in top.iter()
            if any(problem.is_error for problem in work.pictures.shown_badly(part))
        }
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

    def _mark_files(self, element: Element, problems: set[Problem]) -> None:
        """Mark problems of files at the elements that show them."""
        node, needed, around, work = element
        for part in (part for top in (node, *needed) for part in top.iter()) if problems else ():
            for problem in work.pictures.shown_badly(part):
                area = self._places.at(node, part.start, around.tags.matrix)
                if problem in problems and area is not None:
                    kind: Kind = "missing" if problem.is_error else "noted"
                    self._marks.append(Mark(problem, area, kind, of_file=True))


def _kind_of_picture(problem: Problem) -> Kind:
    of_file = problem.code.startswith(("image/", "icon/")) and problem.code not in _DRAWN
    return "missing" if of_file and problem.is_error else kind_of(problem)


def _without(node: Node, bad: set[int], keep: bool = True) -> Node | None:
    """Return a tree without the elements that begin at `bad` places; of groups there, only their tags are
    removed, except their positions. None for nothing, or without `keep` if the node itself is one."""
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


_HAIR = 1e-3
"""Distance in mm that a word may extend beyond its box."""
_LETTER_HEIGHT = 0.75
"""Of the box of a letter that the font lacks, and its least width, in em."""
_NARROW = 0.2
_WIDE = 0.5
"""The letter width of a text that can't be set, in em."""

Run = TextRun | IconRun


class MarkedText(NamedTuple):
    """A text for viewing, None if it can't be set, the marks of its problems, and its `red` runs. Its icons
    are those that can be drawn."""

    text: SetText | None
    marks: tuple[Mark, ...]
    red: tuple[TextRun, ...] = ()


class TextMarker(TextSetter):
    """Sets the texts of a game for viewing. `noted` are the marks of those that become outlines in a
    picture, with offsets from the start of the document."""

    def __init__(self, fonts: FontBook, icons: IconSet, limits: Limits) -> None:
        super().__init__(fonts, icons, limits)
        self.noted: list[Mark] = []

    def set(self, node: Node, frame: Frame, side: Side, groups: Mapping[str, float]) -> TextResult:
        """Set a text that becomes outlines, with its problems in print."""
        result = super().set(node, frame, side, groups)
        if not result.problems:
            return result
        found = self.marked(node, frame, side, groups, result.problems)
        if not frame.decor:  # the printed places of others are unknown
            self.noted += (mark.moved(node.start) for mark in found.marks if not mark.of_file)
        return result._replace(text=found.text)

    def marked(
        self,
        node: Node,
        frame: Frame,
        side: Side,
        groups: Mapping[str, float],
        problems: Sequence[Problem],
    ) -> MarkedText:
        """Return a text with `problems`, offsets from its start. Those without a known part are placed at
        all of it."""
        try:
            if frame.hidden and not frame.shows(node):
                raise TextError("text/hidden", "no part of it is visible")
            parts = frame.flow.read(node).parts
            found = self._composed(parts, frame, most_of(frame, groups.get(frame.group or "")))
            text = text_of(found, frame)
        except (TextError, FontError):
            return MarkedText(None, self._unset(node, frame, problems))
        limits = _limits(problems, side)
        runs, red, gone = self._runs(found, text.matrix, limits)
        marks = islice(self._marks(text, parts, found, red, gone, problems), MOST_PROBLEMS)
        left = replace(text, runs=tuple(runs))
        words = tuple(run for run in red if isinstance(run, TextRun))
        return MarkedText(left if runs or text.bars else None, tuple(marks), words)

    # ---- red words and missing icons

    def _runs(
        self, found: Composed, matrix: Matrix, limits: Rect | None
    ) -> tuple[list[Run], list[Run], list[IconRun]]:
        """Return the runs with words that don't fit, or leave the `limits`, in red; the red ones; and the
        missing icons, which are skipped."""
        runs: list[Run] = []
        red: list[Run] = []
        gone: list[IconRun] = []
        over = found.overflow
        for number, run in enumerate(found.runs):
            if isinstance(run, IconRun) and not self._is_drawn(run.icon):
                gone.append(run)
                continue
            if isinstance(run, TextRun) and run.within is not None and not self._is_drawn(run.within):
                continue
            below = over is not None and number >= over.fitting

            def leaves(part: Run, below: bool = below) -> bool:
                ink = self._ink([part])
                if below or ink is None:
                    return below
                end = part.x + (part.width if isinstance(part, IconRun) else part.advance)
                if over is not None and (part.x < over.room.x - _HAIR or end > over.room.right + _HAIR):
                    return True
                return limits is not None and not limits.contains(bounds(ink, matrix), EDGE_TOLERANCE)

            for part, is_red in _parted(run, leaves):
                if is_red:
                    part = replace(part, fill=RED_INK)
                    if isinstance(part, TextRun):
                        part = replace(part, opacity=1.0)
                    red.append(part)
                runs.append(part)
        return runs, red, gone

    def _is_drawn(self, icon: str) -> bool:
        """Return True if there is a drawable icon of that name."""
        if icon not in self._icons:
            return False
        return not any(problem.is_error for problem in self._icons.get(icon).problems)

    def _ink(self, runs: Iterable[Run]) -> Rect | None:
        return self.outlines.ink(runs)

    # ---- places of the problems

    def _marks(
        self,
        text: SetText,
        parts: Sequence[Part],
        found: Composed,
        red: Sequence[Run],
        gone: Sequence[IconRun],
        problems: Sequence[Problem],
    ) -> Iterator[Mark]:
        whole = self._ink(text.runs) or text.box
        for problem in problems:
            areas, kind = [whole], kind_of(problem)
            if problem.code == "text/overflow" and found.overflow is not None:
                areas = [found.overflow.room]
            elif problem.code in ("text/outside", "text/safe-zone"):
                kind = "words"
                areas = [self._ink(red) or whole]
            elif problem.code == "text/glyph":
                areas = list(_letters(text.runs, problem.about)) or areas
            elif problem.code == "icon/unknown":
                kind = "missing"
                areas = [run.box for run in gone if run.icon in problem.about] or areas
            elif problem.code == "icon/mark":
                areas = list(_wrong(parts, found.runs, problem.about)) or areas
            elif problem.code in ("text/html", "text/markdown") and problem.about:
                areas = list(self._words(text.runs, problem.about[0])) or areas
            yield from (Mark(problem, bounds(area, text.matrix), kind) for area in areas)
        for run in text.runs:
            if isinstance(run, IconRun) and run.icon in self._icons:
                for problem in self._icons.get(run.icon).problems:
                    kind = "missing" if problem.is_error else "noted"
                    yield Mark(problem, bounds(run.box, text.matrix), kind, of_file=True)

    def _words(self, runs: Iterable[Run], said: str) -> Iterator[Rect]:
        """Yield the areas of the words that contain the beginning of the `said` text."""
        first = said.split()[0] if said.split() else said
        for run in runs:
            for part, holds in _parted(run, lambda part: isinstance(part, TextRun) and first in part.text):
                area = self._ink([part]) if holds else None
                if area is not None:
                    yield area

    def _unset(self, node: Node, frame: Frame, problems: Iterable[Problem]) -> tuple[Mark, ...]:
        """Return the marks of a text that can't be set: all in its intended place."""
        try:
            area = _room_of(node, frame)
        except TextError:
            return ()
        return tuple(Mark(problem, bounds(area, frame.matrix), kind_of(problem)) for problem in problems)


def _limits(problems: Iterable[Problem], side: Side) -> Rect | None:
    """Return the limits of some words, if they exceed them."""
    codes = {problem.code for problem in problems}
    if "text/safe-zone" in codes:
        return side.safe
    return side.area if codes & {"text/outside", "text/overflow"} else None


def _room_of(node: Node, frame: Frame) -> Rect:
    """Return the approximate area of a text that can't be set: its box, or a line of its allowed or
    estimated length. Raises TextError."""
    size = frame.look.size or 0.0
    if not frame.wrapped:
        lines = frame.lines
        width = lines.fit[0] or _WIDE * size * len(" ".join(node.text().split()))
        return Rect(lines.x - BEFORE[lines.anchor] * width, lines.y - size, width, LINE_HEIGHT * size)
    if frame.shape is not None:
        return frame.shape.box
    box = frame.box
    if frame.baseline is not None:
        return Rect(box.x, frame.baseline - size, box.width, LINE_HEIGHT * size)
    return box


def _wrong(parts: Iterable[Part], runs: Iterable[Run], said: Sequence[str]) -> Iterator[Rect]:
    """Yield the places of the icons with these marks."""
    written = [part.mark for part in parts if isinstance(part, IconMark)]
    icons = [run for run in runs if isinstance(run, IconRun)]
    if [mark.name for mark in written] == [run.icon for run in icons]:
        for mark, run in zip(written, icons):
            if mark.wrong is not None and mark.wrong.written in said:
                yield run.box


def _parted(run: Run, leaves: Callable[[Run], bool]) -> Iterator[tuple[Run, bool]]:
    """Yield a run cut at words for which the result of `leaves` changes."""
    if isinstance(run, IconRun):
        yield run, leaves(run)
        return
    pieces: list[tuple[int, int]] = []
    start = 0
    for index, word in enumerate(run.words):
        after_space = index and not run.words[index - 1].text.strip() and word.text.strip()
        if after_space:
            pieces.append((start, index))
            start = index
    pieces.append((start, len(run.words)))
    told = [(piece, leaves(_piece(run, piece[0], _shown(run, *piece)))) for piece in pieces]
    for is_told, same in groupby(told, lambda each: each[1]):
        alike = [piece for piece, _ in same]
        yield _piece(run, alike[0][0], alike[-1][1]), is_told


def _piece(run: TextRun, start: int, end: int) -> TextRun:
    """Return the words of a run from `start` to before `end`, in place."""
    if start == 0 and end == len(run.words):
        return run
    before = run.pens[start] * run.size
    a, b, _, _ = run.turn or (1.0, 0.0, 0.0, 1.0)
    x, y = run.x + a * before, run.y + b * before
    return replace(run, x=x, y=y, words=run.words[start:end], gaps=run.gaps[start:end])


def _shown(run: TextRun, start: int, end: int) -> int:
    """Return the end of some words of a run, without blanks there."""
    while end > start + 1 and not run.words[end - 1].text.strip():
        end -= 1
    return end


def _letters(runs: Iterable[Run], letters: Sequence[str]) -> Iterator[Rect]:
    """Yield boxes around the letters that no font has: those of `letters` that are set as glyph 0."""
    for run in runs:
        if not isinstance(run, TextRun):
            continue
        for word, pen in zip(run.words, run.pens):
            ends = dict(pairwise([*sorted({glyph[3] for glyph in word.glyphs}), len(word.text)]))
            for place, (gid, x, _, first) in enumerate(word.glyphs):
                if gid == 0 and any(letter in word.text[first : ends[first]] for letter in letters):
                    after = word.glyphs[place + 1][1] if place + 1 < len(word.glyphs) else word.advance
                    width = max(after - x, _NARROW) * run.size
                    high = _LETTER_HEIGHT * run.size
                    yield turned(Rect(run.x + (pen + x) * run.size, run.y - high, width, high), run)
