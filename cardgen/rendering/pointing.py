"""Where on a side lies what a name stands for: an element with that id or label, a snap point, or what a
field of the card is printed as.

Texts are where their letters stand, anything else as near as its shapes tell. A field lies where the
template writes `card.FIELD`: in the first text of that line that says its value, else in the first thing
drawn there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from cardgen.geometry import IDENTITY, Matrix, Rect
from cardgen.model.artwork import ABOVE, BELOW, Item, SetText, TextRun, leaves, turned
from cardgen.model.book import NamedPlaces
from cardgen.rendering.laying_out import Source
from cardgen.rendering.places import Places, chain_to, union
from cardgen.rendering.snaps import SNAP
from cardgen.rendering.splits import SideInWork, Split
from cardgen.rendering.splitting import HIDDEN, Splitter
from cardgen.rendering.surroundings import Surroundings
from cardgen.svg.tree import Node, SvgError, parse

LABELS = ("id", SNAP, "inkscape:label", "data-name")
_WORD = re.compile(r"\w+")
_MOST_KNOWN = 400
"""Names of a side that are told."""

Lines = Callable[[int, int], str]
"""The lines of a template that wrote a stretch of the rendered side, from an offset to another."""


class Pointer(Splitter):
    """Looks for what is named on the sides of one game, splitting them as `printed` does."""

    def __init__(self, printed: Splitter) -> None:
        vars(self).update(vars(printed))
        self._printed = printed
        self._drawn: dict[Node, tuple[tuple[Item, ...], Matrix]] = {}

    def named(
        self, source: Source, names: Iterable[str], fields: Mapping[str, Any], lines: Lines
    ) -> NamedPlaces:
        """The places of these names on a rendered side of a card with these fields."""
        measures = source.measures
        try:
            read = self.reader.read(source.svg, measures.size, measures.bleed, measures.safe)
        except SvgError:
            return NamedPlaces({})
        if read.document is None:
            return NamedPlaces({})
        root = read.document.root
        origin = (lambda offset: offset) if read.source is None else read.source.origin
        around, work = self.begin(read.document, measures, source.folder, source.groups)
        self._drawn = {}
        self._children(root, around, work)
        places = Places(work.document.ids, work.sheet.properties)
        labelled = _labelled(root)
        if read.source is not None:  # plain SVG has no labels of drawing programs
            first = {origin(node.start): node for node in reversed(list(root.iter()))}
            told = _labelled(parse(source.svg.encode()).root)
            labelled |= {name: first[node.start] for name, node in told.items() if node.start in first}

        def written(node: Node) -> str:
            return lines(origin(node.start), max(origin(node.start), origin(max(node.end - 1, node.start))))

        areas: dict[str, Rect] = {}
        trim = Rect(0.0, 0.0, measures.size.width, measures.size.height).inset(measures.bleed)
        for name in names:
            node = labelled.get(name)
            area = None if node is None else self._area(node, places)
            if area is None and (field := name.partition(".")[0]) in fields:
                found = self._of_field(field, fields[field], written)
                area = None if found is None else self._area(found, places)
            if area is not None and (seen := _within(area, trim)) is not None:
                areas[name] = seen
        known = (*labelled, *(name for name in fields if name not in labelled))
        return NamedPlaces(areas, tuple(known[:_MOST_KNOWN]))

    def element(self, node: Node, around: Surroundings, work: SideInWork) -> Split:
        if node.name == "g" and node.has_text:
            inner = self.opened(node, around, work).inner
            if inner is not None:
                return self._children(node, inner, work)
        made = self._printed.element(node, around, work)
        if node.name not in HIDDEN and ":" not in node.name:
            self._drawn[node] = made.items, around.tags.matrix or IDENTITY
        return made

    def _area(self, node: Node, places: Places) -> Rect | None:
        """Where an element lies on the side, bleed and all."""
        inside = [each for each in node.iter() if each in self._drawn]
        if inside:
            return union([area for each in inside if (area := self._of_drawn(each, places)) is not None])
        for top, (_, around) in self._drawn.items():
            if top.start <= node.start < top.end:
                chain = chain_to(top, node.start)
                if node in chain:
                    return places.within(chain[: chain.index(node) + 1], around)
        return None

    def _of_drawn(self, node: Node, places: Places) -> Rect | None:
        items, around = self._drawn[node]
        texts = [item for item in leaves(items) if isinstance(item, SetText)]
        if not texts:
            return places.of(node, around)
        return union([area for text in texts for area in _letters(text)])

    def _of_field(self, field: str, value: Any, written: Callable[[Node], str]) -> Node | None:
        """The element that a field is printed as, if that can be told."""
        name = re.escape(field)
        says = re.compile(rf"\bcard(?:\.{name}\b|\[\s*['\"]{name}['\"]\s*\])")
        found = [node for node in self._drawn if says.search(written(node))]
        wanted = _WORD.findall(str(value)) if isinstance(value, str | int | float) else []
        saying = [node for node in found if node.has_text and _says(_WORD.findall(node.text()), wanted)]
        texts = [node for node in found if node.has_text]
        return next(iter((*saying, *texts, *found)), None)


def _labelled(root: Node) -> dict[str, Node]:
    """The elements with an id, a label or a snap point, the first of each name; none in definitions."""
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
    """Whether some words say all that is wanted, which is something, in its order."""
    rest = iter(words)
    return bool(wanted) and all(word in rest for word in wanted)


def _letters(text: SetText) -> Iterator[Rect]:
    for run in text.runs:
        if isinstance(run, TextRun):
            box = Rect(run.x, run.y - ABOVE * run.size, run.advance, (ABOVE + BELOW) * run.size)
            yield text.matrix.around(turned(box, run))
        else:
            yield text.matrix.around(Rect(run.x, run.y, run.width, run.size))


def _within(area: Rect, trim: Rect) -> Rect | None:
    """The part of an area in the trim, from its corner; None where it lies outside."""
    left, top = max(area.x, trim.x), max(area.y, trim.y)
    right, bottom = min(area.right, trim.right), min(area.bottom, trim.bottom)
    if right < left or bottom < top:
        return None
    return Rect(*(round(each, 4) for each in (left - trim.x, top - trim.y, right - left, bottom - top)))
