"""A rendered side to its artwork: everything that needs no card, no game and no template.

A side is made from a `Source`: a value of its own, so that other processes can lay it out.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from cardgen.art.icons import PREFIX, IconSet, ImageStore
from cardgen.art.marks import Marked, MarkingSplitter, Places, chain_to, overlay, union
from cardgen.art.outlining import LaidOut, TextOutliner
from cardgen.art.snaps import SNAP
from cardgen.art.sources import LayoutSettings, Source
from cardgen.art.splitting import HIDDEN, Splitter, Surroundings
from cardgen.art.text import Need
from cardgen.core.artwork import ABOVE, BELOW, Artwork, Item, Picture, SetText, TextRun, leaves, turned
from cardgen.core.book import NamedPlaces
from cardgen.core.findings import Problem
from cardgen.core.geometry import IDENTITY, Rect
from cardgen.core.paths import ProjectPaths
from cardgen.core.records import astuple, replace
from cardgen.svg.tree import Node, SvgError
from cardgen.text.fonts import FontBook


class LayingOut:
    """Lays out the sides of one game. Remembers elements that several sides share."""

    def __init__(self, paths: ProjectPaths, fonts: FontBook, settings: LayoutSettings) -> None:
        fonts = fonts.standing_in(settings.fonts).with_others(settings.fallback)
        outlined = TextOutliner(fonts, settings.language, settings.limits).outlined
        self.icons = IconSet(paths, settings.game, outlined, fonts, settings.stand_ins)
        images = ImageStore(paths, settings.game, settings.image_dpi, outlined)
        self._splitter = Splitter(fonts, self.icons, images, settings.language, settings.limits)
        self._marking: MarkingSplitter | None = None
        self._limits = settings.limits
        self._fonts = fonts
        self._font_digests: dict[str, bytes] = {}

    def lay_out(self, source: Source, made_from: bytes) -> LaidOut:
        """Return the artwork of a source whose digest is `made_from`."""
        try:
            split = self._splitter.split(source.svg, source.measures, source.folder, source.groups)
        except SvgError as error:
            return LaidOut(None, (error.problem,), frozenset())
        key = self._key(made_from, split.items, split.icons)
        artwork = Artwork(key, source.measures.size, source.measures.bleed, split.items)
        flawed = set(split.flawed).union(*(self.icons.get(name).problems for name in split.icons))
        of_files = sorted(flawed, key=lambda problem: (problem.place, problem.code, problem.message))
        return LaidOut(artwork, (*split.problems, *of_files), split.icons, split.outlined)

    def marked(self, source: Source, made_from: bytes) -> Marked | None:
        """Return the same source laid out for viewing, with its problems marked in place; None if it can't
        be read. It never changes the printed result."""
        laid = self.lay_out(source, made_from)
        if laid.artwork is None:
            return None
        if self._marking is None:
            self._marking = MarkingSplitter(self._splitter, self._fonts, self.icons, self._limits)
        found = self._marking.marked(source, laid.problems)
        if found is None:
            return None
        split, marks = found
        size, bleed = source.measures.size, source.measures.bleed
        over = overlay(marks, size, bleed)
        items = split.items if over is None else (*split.items, over)
        key = self._key(hashlib.blake2b(b"marked\0" + made_from).digest(), items, split.icons)
        problems = tuple(dict.fromkeys((*laid.problems, *(mark.problem for mark in marks))))
        return Marked(Artwork(key, size, bleed, items), tuple(marks), problems, split.icons)

    def needs(self, source: Source) -> tuple[Need, ...]:
        """Return the need of each text of a group on a side; nothing if it can't be read."""
        try:
            return tuple(self._splitter.needs(source.svg, source.measures, source.folder))
        except SvgError:
            return ()

    def undrawn(self, source: Source, found: Iterable[tuple[str, Problem]]) -> tuple[Problem, ...]:
        """Return the problems found while a side was drawn, with their places. Each comes with its subject:
        the key of a picture, the id of an icon in a text, or nothing. A picture's problem is at every
        element that it draws, or at its file if the element shows a drawing."""
        done: list[Problem] = []
        pictures: dict[str, Problem] = {}
        for name, problem in found:
            if name.startswith(PREFIX):
                done.append(replace(problem, place=self.icons.get(name.removeprefix(PREFIX)).place))
            elif name:
                pictures[name] = problem
            else:
                done.append(problem)
        opened = self._splitter.open(source.svg, source.measures, source.folder, source.groups)
        if opened is None:
            return tuple(done)
        for node, around, work in self._splitter.leaves(*opened):
            items = leaves(self._splitter.element(node, around, work).items)
            shown = {item.key for item in items if isinstance(item, Picture)}
            done += (
                replace(pictures[key], offset=node.start, place=work.pictures.shown_at(node))
                for key in sorted(shown & pictures.keys())
            )
        return tuple(done)

    def pointer(self, source: Source) -> Pointer:
        """Return the finder of named things on a side."""
        return Pointer(self._splitter, source)

    def documents(self, icons: Iterable[str]) -> dict[str, str]:
        """Return the SVG documents of icons, by name."""
        return {name: self.icons.get(name).svg for name in sorted(icons)}

    def _key(self, made_from: bytes, items: tuple[Item, ...], icons: Iterable[str]) -> str:
        """Return a digest of everything that decides the side's look: its source, images, icons, fonts."""
        state = hashlib.blake2b(made_from, digest_size=16)
        fonts: dict[str, None] = {}
        for item in leaves(items):
            if isinstance(item, Picture):
                state.update(item.key.encode())
            else:
                fonts.update(dict.fromkeys(run.font for run in item.runs if isinstance(run, TextRun)))
        for font in sorted(fonts):
            state.update(self._font_digest(font))
        for name in sorted(icons):
            state.update(self.icons.get(name).svg.encode())
        return state.hexdigest()

    def _font_digest(self, key: str) -> bytes:
        digest = self._font_digests.get(key)
        if digest is None:
            data = self._fonts.by_key(key).blob.data
            digest = self._font_digests[key] = hashlib.blake2b(data, digest_size=16).digest()
        return digest


LABELS = ("id", SNAP, "inkscape:label", "data-name")
_WORD = re.compile(r"\w+")
_MOST_KNOWN = 400
"""Most names reported for a side."""

Lines = Callable[[int, int], str]
"""Template lines that wrote a stretch of the rendered side, from one offset to another."""


class Pointer:
    """Looks for the named things on one side."""

    def __init__(self, splitter: Splitter, source: Source) -> None:
        self._trim = Rect(0.0, 0.0, *astuple(source.measures.size)).inset(source.measures.bleed)
        self._labelled: dict[str, Node] = {}
        self._drawn: dict[Node, Surroundings] = {}
        try:
            opened = splitter.open(source.svg, source.measures, source.folder, source.groups)
        except SvgError:
            return
        if opened is None:
            return
        root, _, work = opened
        self._labelled = _labelled(root)
        self._places = Places(work.document.ids, work.sheet.properties)
        self._splitter, self._work = splitter, work
        for node, around, _ in splitter.leaves(*opened):
            if node.name not in HIDDEN and ":" not in node.name:
                self._drawn[node] = around

    def named(self, names: Iterable[str], fields: Mapping[str, Any], lines: Lines) -> NamedPlaces:
        """Return the places of these names on the side, which is of a card with these fields."""
        areas: dict[str, Rect] = {}
        for name in names:
            node = self._labelled.get(name)
            area = None if node is None else self._area(node)
            if area is None and (field := name.partition(".")[0]) in fields:
                found = self._of_field(field, fields[field], lines)
                area = None if found is None else self._area(found)
            if area is not None and (seen := _within(area, self._trim)) is not None:
                areas[name] = seen
        known = (*self._labelled, *(name for name in fields if name not in self._labelled))
        return NamedPlaces(areas, tuple(known[:_MOST_KNOWN]))

    def _area(self, node: Node) -> Rect | None:
        """Return the area of an element on the side, including bleed."""
        inside = [each for each in node.iter() if each in self._drawn]
        if inside:
            return union([area for each in inside if (area := self._of_drawn(each)) is not None])
        for top, around in self._drawn.items():
            if top.start <= node.start < top.end:
                chain = chain_to(top, node.start)
                if node in chain:
                    return self._places.within(
                        chain[: chain.index(node) + 1], around.tags.matrix or IDENTITY
                    )
        return None

    def _of_drawn(self, node: Node) -> Rect | None:
        around = self._drawn[node]
        items = self._splitter.element(node, around, self._work).items
        texts = [item for item in leaves(items) if isinstance(item, SetText)]
        if not texts:
            return self._places.of(node, around.tags.matrix or IDENTITY)
        return union([area for text in texts for area in _letters(text)])

    def _of_field(self, field: str, value: Any, lines: Lines) -> Node | None:
        """Return the element that prints a field; None if there is none."""
        name = re.escape(field)
        says = re.compile(rf"\bcard(?:\.{name}\b|\[\s*['\"]{name}['\"]\s*\])")
        found = [
            node for node in self._drawn if says.search(lines(node.start, max(node.start, node.end - 1)))
        ]
        wanted = _WORD.findall(str(value)) if isinstance(value, str | int | float) else []
        saying = [node for node in found if node.has_text and _says(_WORD.findall(node.text()), wanted)]
        texts = [node for node in found if node.has_text]
        return next(iter((*saying, *texts, *found)), None)


def _labelled(root: Node) -> dict[str, Node]:
    """Return the elements with an id, a label or a snap point, the first of each name; none in
    definitions."""
    nodes: list[Node] = []
    stack = list(root.elements())[::-1]
    while stack:
        node = stack.pop()
        if node.name not in HIDDEN:
            nodes.append(node)
            stack.extend(reversed(list(node.elements())))
    found: dict[str, Node] = {}
    for label in LABELS:
        for node in nodes:
            if name := node.get(label):
                found.setdefault(name, node)
    return found


def _says(words: list[str], wanted: list[str]) -> bool:
    """Return True if some words contain all wanted words, at least one, in order."""
    rest = iter(words)
    return bool(wanted) and all(word in rest for word in wanted)


def _letters(text: SetText) -> Iterator[Rect]:
    for run in text.runs:
        if isinstance(run, TextRun):
            box = Rect(run.x, run.y - ABOVE * run.size, run.advance, (ABOVE + BELOW) * run.size)
            yield text.matrix.around(turned(box, run))
        else:
            yield text.matrix.around(run.box)


def _within(area: Rect, trim: Rect) -> Rect | None:
    """Return the part of an area in the trim, from its corner; None if it is outside."""
    left, top = max(area.x, trim.x), max(area.y, trim.y)
    right, bottom = min(area.right, trim.right), min(area.bottom, trim.bottom)
    if right < left or bottom < top:
        return None
    return Rect(*(round(each, 4) for each in (left - trim.x, top - trim.y, right - left, bottom - top)))
