"""Set-up diagrams: a component or the whole table as it is printed, with numbers at what is named, and the
list that they belong to."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cardgen.book.blocks import Block, Setting, TextBlock, Type
from cardgen.book.elements import CardRef, Diagram, Note, Text
from cardgen.book.look import LINE, STEP, TINY_SIZE, WHITE, mixed
from cardgen.book.painting import PagePainter, ShownSide
from cardgen.book.spreading import spread_discs
from cardgen.findings import Location, did_you_mean
from cardgen.geometry import Point, Rect, Size
from cardgen.model.artwork import contrast
from cardgen.model.book import NamedPlaces, TableThing, TableView
from cardgen.model.table import Spot
from cardgen.typesetting.composing import compose
from cardgen.typesetting.spans import Options, Paragraph, Span, Style

RADIUS = 2.2
"""mm, of the disc around a number."""
HALO = 0.45
"""mm of white around a disc and on both sides of a line, to be seen on any art."""
LINE_WIDTH = 0.35
TALLEST = 118.0
"""mm: greatest height of what a diagram shows."""
BESIDE = 0.56
"""Where a picture takes no more than this share of the measure, its list stands beside it."""
GAP = 5.0
INDENT = 2 * RADIUS + 2 * HALO + 1.6
"""mm from a number's edge to its text."""
AROUND = 1.5
"""mm around a picture where numbers may stand as well."""
UNSEEN = frozenset(("book", "note", "counter"))
"""Things that no diagram shows; notes to their places may stand all the same."""
_MOST_SHOWN = 6
"""Names that a hint gives."""


@dataclass(frozen=True, slots=True)
class Drawables:
    """What diagrams are drawn from: sides of cards, where on them things lie that are named, and the
    table."""

    sides: Mapping[CardRef, ShownSide]
    places: Mapping[CardRef, NamedPlaces]
    table: TableView | None


def table_refs(table: TableView | None) -> Iterator[CardRef]:
    """The sides of cards that are seen on a table."""
    for thing in table.things if table is not None else ():
        if thing.card is not None:
            component, card, side = thing.card
            yield CardRef(component, card, "back" if side == "back" else "face")


def seen_things(table: TableView, players: int | None) -> list[TableThing]:
    """What lies on a table where so many sit."""
    most = len(table.seats) if players is None else players
    return [thing for thing in table.things if thing.seat is None or thing.seat <= most]


def check_names(
    text: Text, places: Mapping[CardRef, NamedPlaces], table: TableView | None, setting: Setting
) -> None:
    """Say which names of diagrams nothing has: `book/place`, errors, at their lines; and `book/diagram`,
    where there is no table, or none for so many."""
    for ref, names, line in text.pointed():
        here = places[ref]
        check_known(names, here.areas, here.known, f"the card '{ref}'", line, setting)
    for diagram in text.diagrams():
        if diagram.ref is not None:
            continue
        if table is None:
            hint = "say where things lie in data/GAME/table.yaml, or mend what is wrong there"
            message = "the game does not say how it lies on a table"
            setting.problem("book/diagram", message, diagram.line, hint)
        elif diagram.players is not None and not 1 <= diagram.players <= len(table.seats):
            message = f"the table has no seats for {diagram.players} players"
            setting.problem("book/diagram", message, diagram.line, f"it has {len(table.seats)}")
        else:
            found = {name for thing in seen_things(table, diagram.players) for name in thing.names}
            found |= {name for name, _ in table.seats[: diagram.players]}
            for note in diagram.notes:
                check_known(note.names, found, sorted(found), "the table", note.line, setting)


def check_known(
    names: Iterable[str],
    found: Collection[str],
    known: Sequence[str],
    what: str,
    place: int | Location,
    setting: Setting,
) -> None:
    """Say which names are not among those found: `book/place`, errors, at a line or elsewhere."""
    for name in names:
        if name in found:
            continue
        if name in known:  # a field that no object shows, or an object outside of the trim
            hint = f'draw it within the trim, or give the object that shows it id="{name}"'
            setting.problem("book/place", f"'{name}' is nowhere to be seen on {what}", place, hint)
        else:
            some = ", ".join(known[:_MOST_SHOWN]) + (", …" if len(known) > _MOST_SHOWN else "")
            hint = did_you_mean(name, known) or f"there are: {some or 'none'}"
            setting.problem("book/place", f"nothing on {what} is called '{name}'", place, hint)


class NumberBlock(Block):
    """An item of a diagram's list: a number on a disc, and its text."""

    def __init__(self, setting: Setting, note: Note, *, after: float = STEP) -> None:
        super().__init__(after=after)
        self.setting, self.note = setting, note
        self.text = TextBlock(setting, note.words, note.line, Type(hyphens=True))

    def measure(self, width: float) -> float:
        return max(self.text.measure(width - INDENT), 1.25 * LINE)

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        middle = (x + RADIUS + HALO, top + 0.5 * LINE)
        paint_number(painter, self.setting, self.note.number, self.note.line, middle)
        self.text.paint(painter, x + INDENT, top)


class SetUpBlock(Block):
    """The picture of a set-up diagram, with numbers on it; `beside` it stands the list, or nothing."""

    keep = True

    def __init__(
        self, setting: Setting, diagram: Diagram, drawables: Drawables, beside: Sequence[NumberBlock]
    ) -> None:
        super().__init__(before=LINE, after=LINE)
        self.setting, self.diagram, self.beside, self.line = setting, diagram, list(beside), diagram.line
        self.keep = not beside
        self.subject = subject_of(diagram, drawables)

    def measure(self, width: float) -> float:
        picture = self.subject.height(self.subject.width(self.diagram, width))
        text = 0.0
        if self.beside:
            inner = width - self.subject.width(self.diagram, width) - GAP
            text = sum(block.measure(inner) + block.getSpaceAfter() for block in self.beside)
        return math.ceil(max(picture, text) / STEP) * STEP

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        wide = self.subject.width(self.diagram, self.width)
        left = x if self.beside else x + (self.width - wide) / 2
        area = Rect(left, top, wide, self.subject.height(wide))
        self.subject.paint(painter, self.setting, area)
        marks = [(note, point) for note in self.diagram.notes for point in self.subject.points(note, area)]
        discs = spread_discs([point for _, point in marks], RADIUS + HALO, area.inset(-AROUND))
        if discs is None:
            hint = "show it wider, or make two diagrams of it"
            message = "the numbers have no room on the picture"
            self.setting.problem("book/room", message, self.diagram.line, hint)
            return
        for (_, point), disc in zip(marks, discs):
            if math.dist(point, disc) > RADIUS:
                paint_leader(painter, self.setting, [disc, point])
        for (note, _), disc in zip(marks, discs):
            paint_number(painter, self.setting, note.number, note.line, disc)
        y = top
        for block in self.beside:
            high = block.measure(self.width - wide - GAP)
            block.paint(painter, x + wide + GAP, y)
            y += high + block.getSpaceAfter()


class SideSubject:
    """A side of a component that a diagram shows."""

    def __init__(self, side: ShownSide, places: NamedPlaces) -> None:
        self.side, self.places = side, places

    def width(self, diagram: Diagram, measure: float) -> float:
        """How wide it is shown."""
        trim = self.side.trim
        usual = measure if trim.width > 1.1 * trim.height else BESIDE * measure
        wanted = diagram.width or usual
        return min(wanted, measure, TALLEST * trim.width / trim.height)

    def height(self, width: float) -> float:
        return self.side.trim.height * width / self.side.trim.width

    def points(self, note: Note, area: Rect) -> list[Point]:
        """The middles of what a note names, on the page."""
        scale = area.width / self.side.trim.width
        return [
            (area.x + (place.x + place.width / 2) * scale, area.y + (place.y + place.height / 2) * scale)
            for place in (self.places.areas[name] for name in note.names)
        ]

    def paint(self, painter: PagePainter, setting: Setting, area: Rect) -> None:
        painter.side(self.side, (area.x + area.width / 2, area.y + area.height / 2), area.width)


class TableSubject:
    """A table that a diagram shows: what templates draw as it is printed, dice, bags, zones and hands as
    plain shapes. Names that are `named` in notes are not written. Books, notes and counters lie on screens
    alone."""

    def __init__(
        self,
        table: TableView,
        sides: Mapping[CardRef, ShownSide],
        players: int | None,
        named: Collection[str],
    ) -> None:
        self.table, self.sides, self.named = table, sides, named
        self.seats = table.seats[:players]
        self.things = seen_things(table, players)
        self.area = _reach(table, self.things, self.seats)

    def width(self, diagram: Diagram, measure: float) -> float:
        """How wide it is shown."""
        return min(measure, TALLEST * self.area.width / self.area.height)

    def height(self, width: float) -> float:
        return self.area.height * width / self.area.width

    def points(self, note: Note, area: Rect) -> list[Point]:
        """The middle of the first thing, or hand, of each name, on the page."""
        found: list[Point] = []
        for name in note.names:
            spots = [thing.at for thing in self.things if name in thing.names]
            spots += [spot for seat, spot in self.seats if seat == name]
            found += [self._on_page(spots[0].x, spots[0].y, area)] if spots else []
        return found

    def _on_page(self, x: float, y: float, area: Rect) -> Point:
        scale = area.width / self.area.width
        return area.x + (x - self.area.x) * scale, area.y + (y - self.area.y) * scale

    def paint(self, painter: PagePainter, setting: Setting, area: Rect) -> None:
        look = setting.look
        scale = area.width / self.area.width
        painter.rect(area, look.tint, 2.0)
        line = mixed(look.accent, WHITE, 0.45)
        hand = self.table.hand
        places = [(thing.at, thing.size, thing.names[:1]) for thing in self.things if thing.kind == "zone"]
        for spot, size, names in [*((spot, hand, ()) for _, spot in self.seats), *places]:
            middle = self._on_page(spot.x, spot.y, area)
            box = _about(Rect(0, 0, size.width * scale, size.height * scale), middle)
            painter.panel(box, WHITE, line, radius=1.0, degrees=spot.turn, below=True)
            turned = spot.extent(Size(box.width, box.height))
            for name in names:
                if name not in self.named:
                    paint_name(
                        painter, setting, name, _about(Rect(0, 0, turned.width, turned.height), middle)
                    )
        for thing in self.things:
            middle = self._on_page(thing.at.x, thing.at.y, area)
            box = _about(Rect(0, 0, thing.size.width * scale, thing.size.height * scale), middle)
            if thing.card is not None:
                component, card, side = thing.card
                shown = self.sides[CardRef(component, card, "back" if side == "back" else "face")]
                painter.side(shown, middle, box.width, thing.at.turn)
            elif thing.kind in ("bag", "pawn"):
                painter.disc(middle, box.width / 2 - 0.25, WHITE, look.accent, 0.25)
            elif thing.kind == "dice":
                painter.panel(box, WHITE, look.accent, radius=0.6, degrees=thing.at.turn)


def _about(rect: Rect, middle: Point) -> Rect:
    return Rect(middle[0] - rect.width / 2, middle[1] - rect.height / 2, rect.width, rect.height)


def _reach(table: TableView, things: Sequence[TableThing], seats: Sequence[tuple[str, Spot]]) -> Rect:
    """The part of a table that is used, with a margin."""
    boxes = [(thing.at, thing.size) for thing in things if thing.kind not in UNSEEN]
    boxes += [(spot, table.hand) for _, spot in seats]
    left = top = math.inf
    right = bottom = -math.inf
    for spot, size in boxes:
        extent = spot.extent(size)
        left, right = min(left, spot.x - extent.width / 2), max(right, spot.x + extent.width / 2)
        top, bottom = min(top, spot.y - extent.height / 2), max(bottom, spot.y + extent.height / 2)
    if not boxes:
        return Rect(-table.size.width / 2, -table.size.height / 2, table.size.width, table.size.height)
    margin = 0.02 * max(right - left, bottom - top)
    return Rect(left, top, right - left, bottom - top).inset(-margin)


Subject = SideSubject | TableSubject


def subject_of(diagram: Diagram, drawables: Drawables) -> Subject:
    """What a diagram shows, its names being there."""
    if diagram.ref is not None:
        return SideSubject(drawables.sides[diagram.ref], drawables.places[diagram.ref])
    assert drawables.table is not None
    named = {name for note in diagram.notes for name in note.names}
    return TableSubject(drawables.table, drawables.sides, diagram.players, named)


def set_up_blocks(setting: Setting, diagram: Diagram, drawables: Drawables, measure: float) -> list[Block]:
    """A set-up diagram set to that measure: the picture with its list beside it, or above its items."""
    items = [NumberBlock(setting, note) for note in diagram.notes]
    subject = subject_of(diagram, drawables)
    if subject.width(diagram, measure) <= BESIDE * measure + 1e-6:
        return [SetUpBlock(setting, diagram, drawables, items)]
    items[-1].spaceAfter = LINE
    if len(items) > 2:  # no item alone at a page's foot or head
        items[0].keep = items[-2].keep = True
    return [SetUpBlock(setting, diagram, drawables, ()), *items]


def paint_number(painter: PagePainter, setting: Setting, number: str, line: int, middle: Point) -> None:
    """A number on its disc, said at that line."""
    look = setting.look
    painter.disc(middle, RADIUS, look.accent, WHITE, HALO)
    ink = max((WHITE, look.ink), key=lambda color: contrast(color, look.accent))
    style = Style(look.bold, TINY_SIZE, ink)
    box = Rect(-RADIUS, 0, 2 * RADIUS, LINE)
    options = Options(align="center", line_height=LINE / TINY_SIZE)
    composed = setting.compose(Paragraph([Span(number, style)]), box, options, line)
    painter.text(composed.runs, middle[0], middle[1] - LINE / 2)


def paint_name(painter: PagePainter, setting: Setting, name: str, area: Rect) -> None:
    """What a place is called, in its middle, if there is room for that."""
    style = Style(setting.look.regular, TINY_SIZE, setting.look.soft)
    options = Options(align="center", valign="middle", line_height=1.15)
    inner = Rect(0, 0, max(area.width - 1.5, 0.1), max(area.height - 1.0, 0.1))
    composed = compose([Paragraph([Span(name, style)])], inner, options)
    if composed.overflow is None and not composed.missing and inner.contains(composed.box):
        painter.text(composed.runs, area.x + 0.75, area.y + 0.5)


def paint_leader(painter: PagePainter, setting: Setting, points: Sequence[Point]) -> None:
    """A line that ends in a dot."""
    painter.line(points, LINE_WIDTH + 2 * HALO, WHITE)
    painter.line(points, LINE_WIDTH, setting.look.accent)
    painter.disc(points[-1], 0.55, setting.look.accent, WHITE, HALO)
