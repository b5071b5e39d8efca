"""Draw set-up diagrams, scenes, card anatomy and step panels with numbered callouts."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise

from cardgen.book.blocks import LARGEST, Block, Column, Setting, TextBlock, Type
from cardgen.book.callouts import HALO, leaders, spread_discs, spread_labels
from cardgen.book.elements import CardRef, Diagram, Icon, Note, Panel, Strip, Text
from cardgen.book.look import (
    LINE,
    SMALL_LINE,
    SMALL_SIZE,
    STEP,
    TINY_SIZE,
    WHITE,
    PagePainter,
    ShownSide,
    hex_color,
    mixed,
)
from cardgen.core.artwork import contrast
from cardgen.core.book import NamedPlaces, TableThing, TableView
from cardgen.core.findings import Location, did_you_mean
from cardgen.core.geometry import Point, Rect, Size
from cardgen.core.records import dataclass, replace
from cardgen.core.table import Spot
from cardgen.text.icon_marks import Mark
from cardgen.text.setting import compose
from cardgen.text.spans import Options, Paragraph, Span, Style, direction_of

RADIUS = 2.2
"""mm, of the disc around a number."""
LINE_WIDTH = 0.35
TALLEST = 118.0
"""mm: maximum height of a diagram."""
BESIDE = 0.56
"""The largest share of the measure for a picture with its list beside it."""
BESIDE_MOST = 0.62
"""The same of one that grows to fill a page."""
GAP = 5.0
LISTED = 25.0
"""Cost of a page break between two items of a diagram's list; twice that between two rows of panels."""
INDENT = 2 * RADIUS + 2 * HALO + 1.6
"""mm from a number's edge to its text."""
AROUND = 1.5
"""mm around a picture that numbers may use too."""
UNSEEN = frozenset(("book", "note", "counter"))
"""Things that are not drawn; notes may still name their places."""
_MOST_SHOWN = 6
"""Most names in a hint."""


@dataclass(frozen=True, slots=True)
class Drawables:
    """The sources for diagrams: sides of cards, the places of named things on them, and the table."""

    sides: Mapping[CardRef, ShownSide]
    places: Mapping[CardRef, NamedPlaces]
    table: TableView | None


def table_refs(table: TableView | None) -> Iterator[CardRef]:
    """Yield the visible sides of cards on a table and in its scenes."""
    for view in (table, *table.scenes.values()) if table is not None else ():
        for thing in view.things:
            if thing.card is not None:
                component, card, side = thing.card
                yield CardRef(component, card, "back" if side == "back" else "face")


def seen_things(table: TableView, players: int | None) -> list[TableThing]:
    """Return the things on a table for this number of players."""
    most = len(table.seats) if players is None else players
    return [thing for thing in table.things if thing.seat is None or thing.seat <= most]


def check_names(
    text: Text, places: Mapping[CardRef, NamedPlaces], table: TableView | None, setting: Setting
) -> None:
    """Report unknown names in diagrams: `book/place`, errors, at their lines; and `book/diagram`, if there
    is no table, or none for this number of players."""
    for ref, names, line in text.pointed():
        here = places[ref]
        check_known(names, here.areas, here.known, f"the card '{ref}'", line, setting)
    for diagram in text.diagrams():
        if diagram.ref is not None:
            continue
        if table is None:
            file = f"data/{setting.game.id}/table.yaml"
            hint = f"set the positions in {file}, or fix the errors there"
            message = "the game has no table layout"
            setting.problem("book/diagram", message, diagram.line, hint)
        elif diagram.kind == "scene":
            _check_scenes(diagram, table, setting)
        elif diagram.players is not None and not 1 <= diagram.players <= len(table.seats):
            message = f"the table has no seats for {diagram.players} players"
            setting.problem(
                "book/diagram",
                message,
                diagram.line,
                f"use at most {len(table.seats)} players, or add seats",
            )
        else:
            found = {name for thing in seen_things(table, diagram.players) for name in thing.names}
            found |= {name for name, _ in table.seats[: diagram.players]}
            for note in diagram.notes:
                check_known(note.names, found, sorted(found), "the table", note.line, setting)


def _check_scenes(diagram: Diagram, table: TableView, setting: Setting) -> None:
    known = sorted(table.scenes)
    for name in diagram.scenes:
        if name not in table.scenes:
            hint = f"add it to scenes in data/{setting.game.id}/table.yaml"
            message = f"there is no scene '{name}'"
            setting.problem("book/diagram", message, diagram.line, did_you_mean(name, known) or hint)
            return
    found = {name for each in diagram.scenes for thing in table.scenes[each].things for name in thing.names}
    for note in diagram.notes:
        check_known(note.names, found, sorted(found), "the scene", note.line, setting)


def check_known(
    names: Iterable[str],
    found: Collection[str],
    known: Sequence[str],
    what: str,
    place: int | Location,
    setting: Setting,
) -> None:
    """Report names that are missing: `book/place`, errors, at a line or elsewhere."""
    for name in names:
        if name in found:
            continue
        if name in known:  # a field that isn't drawn, or an object outside the trim
            hint = f'draw it within the trim, or give the object that shows it id="{name}"'
            setting.problem("book/place", f"'{name}' is not visible on {what}", place, hint)
        else:
            some = ", ".join(known[:_MOST_SHOWN]) + (", …" if len(known) > _MOST_SHOWN else "")
            hint = did_you_mean(name, known) or f"use one of: {some or 'none'}"
            setting.problem("book/place", f"no object on {what} is called '{name}'", place, hint)


class NumberBlock(Block):
    """An item of a diagram's list: a numbered disc, and its text."""

    def __init__(self, setting: Setting, note: Note) -> None:
        super().__init__(after=STEP)
        self.setting, self.note = setting, note
        self.bond = LISTED
        self.text = TextBlock(setting, note.words, note.line, Type(hyphens=True))

    def measure(self, width: float) -> float:
        return max(self.text.fit(width - INDENT), 1.25 * LINE)

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        middle = (x + RADIUS + HALO, top + 0.5 * LINE)
        paint_number(painter, self.setting, self.note.number, self.note.line, middle)
        self.text.paint(painter, x + INDENT, top)


LEAST_STATED = 0.955
"""The least scale of a scene whose size is stated."""


class SetUpBlock(Block):
    """The picture of a set-up diagram, with numbers; `beside` is the list next to it, or None."""

    keep = True

    def __init__(
        self, setting: Setting, diagram: Diagram, drawables: Drawables, beside: Sequence[NumberBlock]
    ) -> None:
        super().__init__(before=LINE, after=LINE)
        self.setting, self.diagram, self.beside, self.line = setting, diagram, list(beside), diagram.line
        self.keep, self.elastic = not beside, diagram.about
        self.subject = subject_of(diagram, drawables)

    def _wide(self, width: float) -> float:
        """Return the width of the picture."""
        scale = self.scale if self.diagram.share is None else max(self.scale, LEAST_STATED)
        wide = self.subject.width(self.diagram, width) * scale
        return min(wide, width * BESIDE_MOST if self.beside else width, self.subject.widest)

    def measure(self, width: float) -> float:
        wide = self._wide(width)
        picture = self.subject.height(wide)
        text = 0.0
        if self.beside:
            inner = width - wide - GAP
            text = sum(block.fit(inner) + block.after for block in self.beside)
        return math.ceil(max(picture, text) / STEP) * STEP

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        wide = self._wide(self.width)
        left = x if self.beside else x + (self.width - wide) / 2
        area = Rect(left, top, wide, self.subject.height(wide))
        self.subject.paint(painter, self.setting, area)
        marks = [(note, point) for note in self.diagram.notes for point in self.subject.points(note, area)]
        discs = spread_discs([point for _, point in marks], RADIUS + HALO, area.inset(-AROUND))
        if discs is None:
            hint = "make the picture wider, or split it into two diagrams"
            message = "the numbers don't fit on the picture"
            self.setting.problem("book/room", message, self.diagram.line, hint)
            return
        for (_, point), disc in zip(marks, discs):
            if math.dist(point, disc) > RADIUS:
                paint_leader(painter, self.setting, [disc, point])
        for (note, _), disc in zip(marks, discs):
            paint_number(painter, self.setting, note.number, note.line, disc)
        y = top
        for block in self.beside:
            high = block.fit(self.width - wide - GAP)
            block.paint(painter, x + wide + GAP, y)
            y += high + block.after


class SideSubject:
    """A side of a component that a diagram shows."""

    widest = math.inf
    """The greatest width to which it may grow, mm."""

    def __init__(self, side: ShownSide, places: NamedPlaces) -> None:
        self.side, self.places = side, places

    def width(self, diagram: Diagram, measure: float) -> float:
        """Return its width."""
        trim = self.side.trim
        usual = measure if trim.width > 1.1 * trim.height else BESIDE * measure
        wanted = diagram.width or usual
        return min(wanted, measure, TALLEST * trim.width / trim.height)

    def height(self, width: float) -> float:
        return self.side.trim.height * width / self.side.trim.width

    def points(self, note: Note, area: Rect) -> list[Point]:
        """Return the centers of what a note names, on the page."""
        scale = area.width / self.side.trim.width
        return [
            (area.x + (place.x + place.width / 2) * scale, area.y + (place.y + place.height / 2) * scale)
            for place in (self.places.areas[name] for name in note.names)
        ]

    def paint(self, painter: PagePainter, setting: Setting, area: Rect) -> None:
        painter.side(self.side, (area.x + area.width / 2, area.y + area.height / 2), area.width)


class TableSubject:
    """A table in a diagram: sides from templates as printed; dice, bags and zones as plain shapes, hands if
    a note names one. Names that notes have `named` are not written. Books, counters and unnamed notes
    are only on screens."""

    widest = math.inf

    def __init__(
        self,
        table: TableView,
        sides: Mapping[CardRef, ShownSide],
        players: int | None,
        named: Set[str],
    ) -> None:
        self.table, self.sides, self.named = table, sides, named
        seats = table.seats[:players]
        self.seats = seats if any(seat in named for seat, _ in seats) else ()
        self.things = seen_things(table, players)
        self.empty = [thing for thing in self.things if self._is_empty_place(thing)]
        self.area = _used_part(table, self.things, self.seats, self.empty)

    def _is_empty_place(self, thing: TableThing) -> bool:
        """Return True for a zone, and for a note at a place that a note of the diagram names."""
        return thing.kind == "zone" or (thing.kind == "note" and not self.named.isdisjoint(thing.names))

    def width(self, diagram: Diagram, measure: float) -> float:
        """Return its width."""
        return min(measure, TALLEST * self.area.width / self.area.height)

    def height(self, width: float) -> float:
        return self.area.height * width / self.area.width

    def points(self, note: Note, area: Rect) -> list[Point]:
        """Return the center of the first thing, or hand, with each name, on the page."""
        found: list[Point] = []
        for name in note.names:
            spots = [thing.at for thing in self.things if name in thing.names]
            spots += [spot for seat, spot in self.seats if seat == name]
            found += [self._on_page(spots[0].x, spots[0].y, area)] if spots else []
        return found

    def _free_head(self, zone: Rect, area: Rect) -> Rect:
        """Return the part of a zone on the page above the things that lie on it."""
        scale, tops = area.width / self.area.width, [zone.bottom]
        for thing in self.things:
            x, y = self._on_page(thing.at.x, thing.at.y, area)
            if thing.kind != "zone" and zone.x < x < zone.right and zone.y < y < zone.bottom:
                tops.append(y - thing.at.extent(thing.size).height * scale / 2)
        return replace(zone, height=max(0.0, min(tops) - zone.y))

    def _on_page(self, x: float, y: float, area: Rect) -> Point:
        scale = area.width / self.area.width
        return area.x + (x - self.area.x) * scale, area.y + (y - self.area.y) * scale

    def paint(self, painter: PagePainter, setting: Setting, area: Rect) -> None:
        look = setting.look
        scale = area.width / self.area.width
        painter.rect(area, look.tint, 2.0)
        line = mixed(look.accent, WHITE, 0.45)
        hand = self.table.hand
        places = [(thing.at, thing.size, thing.names[:1]) for thing in self.empty]
        for spot, size, names in [*((spot, hand, ()) for _, spot in self.seats), *places]:
            middle = self._on_page(spot.x, spot.y, area)
            box = _centered(Rect(0, 0, size.width * scale, size.height * scale), middle)
            painter.panel(box, WHITE, line, radius=1.0, degrees=spot.turn, below=True)
            turned = spot.extent(Size(box.width, box.height))
            for name in names:
                whole = _centered(Rect(0, 0, turned.width, turned.height), middle)
                head = self._free_head(whole, area)
                if name in self.named:  # above its number
                    head = replace(head, height=min(head.height, whole.height / 2 - RADIUS - HALO))
                paint_name(painter, setting, name, head)
        for thing in self.things:
            middle = self._on_page(thing.at.x, thing.at.y, area)
            box = _centered(Rect(0, 0, thing.size.width * scale, thing.size.height * scale), middle)
            if thing.card is not None:
                component, card, side = thing.card
                shown = self.sides[CardRef(component, card, "back" if side == "back" else "face")]
                painter.side(shown, middle, box.width, thing.at.turn)
            elif thing.kind in ("bag", "pawn"):
                fill = WHITE if thing.color is None else hex_color(thing.color)
                painter.disc(middle, box.width / 2 - 0.25, fill, look.accent, 0.25)
            elif thing.kind == "dice":
                painter.panel(box, WHITE, look.accent, radius=0.6, degrees=thing.at.turn)


SCENE_APART = 9.0
"""mm between two scenes, for an arrow."""


class ScenesSubject:
    """Scenes of one scale from left to right, each below its title, with arrows between them. They are as
    large as the measure allows, at most as large as the real things."""

    def __init__(
        self, scenes: Sequence[TableView], sides: Mapping[CardRef, ShownSide], named: Set[str]
    ) -> None:
        self.parts = [TableSubject(scene, sides, None, named) for scene in scenes]
        self.titles = [scene.title for scene in scenes]
        self.head = LINE if any(self.titles) else 0.0
        self.gaps = SCENE_APART * (len(scenes) - 1)
        self.widest = self.gaps + sum(part.area.width for part in self.parts)

    def width(self, diagram: Diagram, measure: float) -> float:
        """Return the width of all scenes."""
        whole = self.widest - self.gaps
        tallest, most = max(part.area.height for part in self.parts), diagram.share or 1.0
        highest = TALLEST if diagram.share is None else TALLEST * LARGEST
        return self.gaps + whole * min(most, (measure - self.gaps) / whole, highest / tallest)

    def height(self, width: float) -> float:
        return self.head + self._scale(width) * max(part.area.height for part in self.parts)

    def points(self, note: Note, area: Rect) -> list[Point]:
        """Return the center of the first thing with each name in each scene, on the page."""
        return [
            point
            for part, place in zip(self.parts, self._places(area), strict=True)
            for point in part.points(note, place)
        ]

    def paint(self, painter: PagePainter, setting: Setting, area: Rect) -> None:
        places = self._places(area)
        for part, title, place in zip(self.parts, self.titles, places, strict=True):
            if title:
                style = Style(setting.look.bold, SMALL_SIZE, setting.look.accent)
                box = Rect(0, 0, place.width, self.head)
                options = Options(line_height=LINE / SMALL_SIZE)
                composed = setting.compose(Paragraph([Span(title, style)]), box, options, 0)
                painter.text(composed.runs, place.x, place.y - self.head)
            part.paint(painter, setting, place)
        for left, right in pairwise(places):
            y = (max(left.y, right.y) + min(left.bottom, right.bottom)) / 2
            paint_arrow(painter, setting, (left.right + 1.5, y), (right.x - 1.5, y))

    def _scale(self, width: float) -> float:
        return (width - self.gaps) / sum(part.area.width for part in self.parts)

    def _places(self, area: Rect) -> list[Rect]:
        scale, x, places = self._scale(area.width), area.x, []
        high = area.height - self.head
        for part in self.parts:
            wide, tall = part.area.width * scale, part.area.height * scale
            places.append(Rect(x, area.y + self.head + (high - tall) / 2, wide, tall))
            x += wide + SCENE_APART
        return places


ARROW = 1.4
"""mm: half the height of an arrow's head."""


def paint_arrow(painter: PagePainter, setting: Setting, start: Point, end: Point) -> None:
    """Draw a level arrow."""
    ink = setting.look.accent
    painter.line([start, end], 2 * LINE_WIDTH, ink)
    painter.line([(end[0] - ARROW, end[1] - ARROW), end], 2 * LINE_WIDTH, ink)
    painter.line([(end[0] - ARROW, end[1] + ARROW), end], 2 * LINE_WIDTH, ink)


def _centered(rect: Rect, middle: Point) -> Rect:
    return Rect(middle[0] - rect.width / 2, middle[1] - rect.height / 2, rect.width, rect.height)


def _used_part(
    table: TableView,
    things: Sequence[TableThing],
    seats: Sequence[tuple[str, Spot]],
    empty: Sequence[TableThing],
) -> Rect:
    """Return the used part of a table, with a margin."""
    boxes = [(thing.at, thing.size) for thing in things if thing.kind not in UNSEEN]
    boxes += [(thing.at, thing.size) for thing in empty]
    boxes += [(spot, table.hand) for _, spot in seats]
    if not boxes:
        return Rect(-table.size.width / 2, -table.size.height / 2, table.size.width, table.size.height)
    used = Rect.union(spot.area(size) for spot, size in boxes)
    return used.inset(-0.02 * max(used.width, used.height))


Subject = SideSubject | TableSubject | ScenesSubject


def subject_of(diagram: Diagram, drawables: Drawables) -> Subject:
    """Return the subject of a diagram, whose names were checked."""
    if diagram.ref is not None:
        return SideSubject(drawables.sides[diagram.ref], drawables.places[diagram.ref])
    assert drawables.table is not None
    named = {name for note in diagram.notes for name in note.names}
    if diagram.kind == "scene":
        scenes = [drawables.table.scenes[name] for name in diagram.scenes]
        return ScenesSubject(scenes, drawables.sides, named)
    return TableSubject(drawables.table, drawables.sides, diagram.players, named)


def set_up_blocks(setting: Setting, diagram: Diagram, drawables: Drawables, measure: float) -> list[Block]:
    """Return a set-up diagram for that measure: the picture with its list beside it, or above its items."""
    items = [NumberBlock(setting, note) for note in diagram.notes]
    subject = subject_of(diagram, drawables)
    if subject.width(diagram, measure) <= BESIDE * measure + 1e-6:
        return [SetUpBlock(setting, diagram, drawables, items)]
    if items:
        items[-1].after, items[-1].bond = LINE, 0.0
    if len(items) > 2:  # no single item at the foot or head of a page
        items[0].keep = items[-2].keep = True
    return [SetUpBlock(setting, diagram, drawables, ()), *items]


def paint_number(painter: PagePainter, setting: Setting, number: str, line: int, middle: Point) -> None:
    """Draw a number on its disc, with that line for findings."""
    look = setting.look
    painter.disc(middle, RADIUS, look.accent, WHITE, HALO)
    ink = max((WHITE, look.ink), key=lambda color: contrast(color, look.accent))
    style = Style(look.bold, TINY_SIZE, ink)
    box = Rect(-RADIUS, 0, 2 * RADIUS, LINE)
    options = Options(align="center", line_height=LINE / TINY_SIZE)
    composed = setting.compose(Paragraph([Span(number, style)]), box, options, line)
    painter.text(composed.runs, middle[0], middle[1] - LINE / 2)


def paint_name(painter: PagePainter, setting: Setting, name: str, area: Rect) -> bool:
    """Write a place's name at its center; return False if it doesn't fit."""
    style = Style(setting.look.regular, TINY_SIZE, setting.look.soft)
    options = Options(align="center", valign="middle", line_height=1.15)
    inner = Rect(0, 0, max(area.width - 0.6, 0.1), max(area.height - 0.6, 0.1))
    composed = compose([Paragraph([Span(name, style)])], inner, options)
    if composed.overflow is not None or composed.missing or not inner.contains(composed.box):
        return False
    painter.text(composed.runs, area.x + 0.3, area.y + 0.3)
    return True


def paint_leader(painter: PagePainter, setting: Setting, points: Sequence[Point]) -> None:
    """Draw a line with a dot at its end."""
    painter.line(points, LINE_WIDTH + 2 * HALO, WHITE)
    painter.line(points, LINE_WIDTH, setting.look.accent)
    painter.disc(points[-1], 0.55, setting.look.accent, WHITE, HALO)


SHARE = 0.46
"""The default share of the measure for a card, unless it is narrower."""
GUTTER = 5.0
"""mm between a card and its labels, for the lines."""
LEAST_COLUMN = 22.0
"""mm: minimum width of labels, which limits the card."""
FROM_LABEL = 0.9


@dataclass(frozen=True, slots=True)
class _Plan:
    """The placement of a card and its labels: `labels` are the text, its corner and the points of its
    line."""

    card: Rect
    labels: tuple[tuple[TextBlock, Point, tuple[Point, ...]], ...]
    column: float
    height: float


class AnatomyBlock(Block):
    """A card between its labels."""

    def __init__(self, setting: Setting, diagram: Diagram, drawables: Drawables) -> None:
        super().__init__(before=LINE, after=LINE)
        assert diagram.ref is not None
        self.setting, self.diagram, self.line = setting, diagram, diagram.line
        self.elastic = diagram.about
        self.side, self.places = drawables.sides[diagram.ref], drawables.places[diagram.ref]
        self._labels: dict[tuple[int, float, bool], TextBlock] = {}

    def measure(self, width: float) -> float:
        self.plan = self._plan(width)
        return math.ceil(self.plan.height / STEP) * STEP

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        plan = self.plan
        middle = (x + plan.card.x + plan.card.width / 2, top + plan.card.y + plan.card.height / 2)
        painter.side(self.side, middle, plan.card.width)
        for _, _, ends in plan.labels:
            paint_leader(painter, self.setting, [(x + at[0], top + at[1]) for at in ends])
        for text, corner, _ in plan.labels:
            text.paint(painter, x + corner[0], top + corner[1])

    def _plan(self, width: float) -> _Plan:
        """Return all places, from the block's corner."""
        trim = self.side.trim
        wanted = self.diagram.width or min(trim.width, SHARE * width)
        tallest = TALLEST * trim.width / trim.height
        numbers = range(len(self.diagram.notes))
        words = max(self._label(number, 0.0, True).narrowest() for number in numbers)
        room = width - 2 * (max(LEAST_COLUMN, words if self.scale > 1 else 0.0) + GUTTER)
        wide = min(self.scale * min(wanted, tallest), room)
        high = wide * trim.height / trim.width
        column = (width - wide) / 2 - GUTTER
        scale = wide / trim.width
        areas = [
            Rect(column + GUTTER + area.x * scale, area.y * scale, area.width * scale, area.height * scale)
            for area in (self.places.areas[name] for note in self.diagram.notes for name in note.names[:1])
        ]
        heights = [self._label(number, column, True).fit(column) for number in numbers]
        card = Rect(column + GUTTER, 0.0, wide, high)
        plan = spread_labels(areas, heights, card, LINE / 2)
        starts = [
            (column + FROM_LABEL if on_left else width - column - FROM_LABEL, at + height / 2)
            for at, height, on_left in zip(plan.tops, heights, plan.left)
        ]
        lines = leaders(starts, areas, plan.left, card)
        ys = [y for line in lines for _, y in line]
        top, bottom = min((0.0, *plan.tops, *ys)), max((high, *map(sum, zip(plan.tops, heights)), *ys))
        labels = []
        for number, line, at, on_left in zip(numbers, lines, plan.tops, plan.left):
            text = self._label(number, column, on_left)
            text.fit(column)
            corner = (0.0 if on_left else width - column, at - top)
            labels.append((text, corner, tuple((x, y - top) for x, y in line)))
        return _Plan(Rect(card.x, -top, wide, high), tuple(labels), column, bottom - top)

    def _label(self, number: int, column: float, left: bool) -> TextBlock:
        """Return a label for a column of that width; the same for pictures of other sizes."""
        key = (number, column, left)
        if key not in self._labels:
            note = self.diagram.notes[number]
            ends = left == (direction_of(self.setting.look.language) != "rtl")
            type_ = Type(SMALL_SIZE, SMALL_LINE, align="end" if ends else "start")
            self._labels[key] = TextBlock(self.setting, note.words, note.line, type_)
        return self._labels[key]


MOST_ABREAST = 4
PANEL_GAP = 2.6
"""mm between two panels."""
INSIDE = 2.2
"""mm from a panel's edge to its content."""
PICTURE = 27.0
"""mm: maximum height of a panel's picture."""
ICON = 13.0
"""mm: height of an icon as a panel's picture."""
LOW_ICON = 10.0
"""mm: height of the pictures in a row with icons only."""
AROUND_PANELS = 0.6
"""The surroundings shown with a part of a component, on each side: a share of its longer side, and minimum
mm."""
LEAST_AROUND = 5.0


def strip_rows(setting: Setting, strip: Strip, drawables: Drawables) -> list[Block]:
    """Return the panels of a strip in as few rows as possible, the rows as even as possible."""
    count = len(strip.panels)
    rows = math.ceil(count / MOST_ABREAST)
    abreast = math.ceil(count / rows)
    blocks: list[Block] = []
    for start in range(0, count, abreast):
        blocks.append(
            StripBlock(setting, strip.panels[start : start + abreast], abreast, strip.line, drawables)
        )
    for upper, lower in pairwise(blocks):
        upper.after, lower.before, upper.bond = PANEL_GAP, 0.0, 2 * LISTED
    return blocks


class StripBlock(Block):
    """A row of panels of one height, each as wide as in a row of `abreast`."""

    elastic = True

    def __init__(
        self, setting: Setting, panels: Sequence[Panel], abreast: int, line: int, drawables: Drawables
    ) -> None:
        super().__init__(before=LINE, after=LINE)
        self.setting, self.abreast, self.line = setting, abreast, line
        self.drawables = drawables
        type_, head = Type(SMALL_SIZE, SMALL_LINE), Type(SMALL_SIZE * 1.06, SMALL_LINE, bold=True)
        self.panels = []
        for panel in panels:
            texts = [(panel.heading, head), (panel.words, type_)]
            blocks = [TextBlock(setting, words, panel.line, each) for words, each in texts if words]
            self.panels.append((panel, Column(blocks)))

    @property
    def _beside(self) -> float:
        """Return the room for icons to the left of their texts, in a row of two panels with icons only."""
        is_wide = self.abreast <= 2 and all(panel.icon is not None for panel, _ in self.panels)
        return LOW_ICON + INSIDE if is_wide else 0.0

    def _panel_width(self, width: float) -> float:
        return (width - PANEL_GAP * (self.abreast - 1)) / self.abreast

    def _picture(self, wide: float) -> float:
        """Return the height of the pictures."""
        if all(panel.icon is not None for panel, _ in self.panels):
            return LOW_ICON
        return min(PICTURE, wide - 2 * INSIDE) * self.scale

    def measure(self, width: float) -> float:
        wide = self._panel_width(width)
        inner = wide - 2 * INSIDE
        texts = max(text.fit(inner - self._beside) for _, text in self.panels)
        if self._beside:
            return math.ceil((max(LOW_ICON, texts) + 2 * INSIDE) / STEP) * STEP
        return math.ceil((self._picture(wide) + texts + 3.2 * INSIDE) / STEP) * STEP

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        look, wide = self.setting.look, self._panel_width(self.width)
        missing = (self.abreast - len(self.panels)) * (wide + PANEL_GAP)
        x += missing / 2
        edge = mixed(look.accent, WHITE, 0.3)
        for panel, text in self.panels:
            painter.panel(Rect(x, top, wide, self.height), look.tint, edge, radius=1.6, below=True)
            area = Rect(x + INSIDE, top + INSIDE, wide - 2 * INSIDE, self._picture(wide))
            if self._beside:
                area = Rect(x + INSIDE, top + INSIDE, LOW_ICON, LOW_ICON)
            self._paint_picture(painter, panel, area)
            corner = (x + RADIUS + HALO * 0.5, top + RADIUS + HALO * 0.5)
            if panel.number:
                paint_number(painter, self.setting, panel.number, panel.line, corner)
            below = top + INSIDE if self._beside else area.bottom + 1.2 * INSIDE
            text.paint(painter, x + INSIDE + self._beside, below)
            x += wide + PANEL_GAP

    def _paint_picture(self, painter: PagePainter, panel: Panel, area: Rect) -> None:
        middle = (area.x + area.width / 2, area.y + area.height / 2)
        if panel.icon is not None:
            self._paint_icon(painter, panel.icon, panel.line, middle, min(ICON, area.height))
        elif panel.picture is not None:
            side = self.drawables.sides[panel.picture.ref]
            trim = side.trim
            if panel.part is not None:
                part = self.drawables.places[panel.picture.ref].areas[panel.part]
                painter.part(side, seen_part(part, Rect(0, 0, trim.width, trim.height), area), area)
                return
            painter.side(side, middle, min(area.width, area.height * trim.width / trim.height))

    def _paint_icon(self, painter: PagePainter, icon: Icon, line: int, middle: Point, high: float) -> None:
        look = self.setting.look
        mark = Mark(icon.mark.name, figure=icon.mark.figure, fill=icon.mark.fill)
        span = self.setting.icons.span(mark, Style(look.bold, high, look.accent))
        box = Rect(-100, -high, 200, 2 * high)
        options = Options(align="center", valign="middle", line_height=1.0)
        composed = self.setting.compose(Paragraph([span]), box, options, line)
        painter.text(composed.runs, *middle)


def seen_part(part: Rect, trim: Rect, frame: Rect) -> Rect:
    """Return the area of a side for a picture of one part: the part with its surroundings, in the
    proportions of the frame, inside the trim if possible."""
    more = max(LEAST_AROUND, AROUND_PANELS * max(part.width, part.height))
    wide, high = part.width + 2 * more, part.height + 2 * more
    shape = frame.width / frame.height
    wide, high = max(wide, high * shape), max(high, wide / shape)
    shrink = min(1.0, trim.width / wide, trim.height / high)
    wide, high = wide * shrink, high * shrink
    x = part.x + part.width / 2 - wide / 2
    y = part.y + part.height / 2 - high / 2
    x = min(max(x, trim.x), trim.right - wide)
    y = min(max(y, trim.y), trim.bottom - high)
    return Rect(x, y, wide, high)
