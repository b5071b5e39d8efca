"""Design tuck boxes, wallets, trays and lids: from their contents to one flat sheet, in mm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from cardgen.core.geometry import Point, Rect, Size, edges_of, moved_out
from cardgen.core.records import dataclass, replace
from cardgen.core.sheets import BoxForm, Dieline, Edge, Panel, PanelEdge, Room, Rotation, Span, near

_SIDES: dict[PanelEdge, Point] = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}
"""The outward direction of each side of a rectangle."""


class Sheet:
    """A flat box under construction, the front's top left corner at 0, 0."""

    def __init__(self, front: Size, dip: Sequence[Point] = (), *, name: str = "front") -> None:
        """Begin with a front, or a panel of another name, with a dip in its upper edge, as in `notch`."""
        rect = Rect(0.0, 0.0, front.width, front.height)
        corners = ((0.0, 0.0), *((x, -y) for x, y in dip), (rect.right, 0.0), (rect.right, rect.bottom))
        self._panels = [Panel(name, rect, (*corners, (0.0, rect.bottom)), ())]
        self._slits: list[Span] = []

    def hang(
        self,
        on: str,
        side: PanelEdge,
        name: str,
        shape: Sequence[Point],
        *,
        turn: Rotation = 0,
        glued: bool = False,
        slit: float = 0.0,
    ) -> None:
        """Attach a panel to a side of an existing one, its shape relative to that edge. `slit` mm at either
        end of the fold are cut."""
        parent = next(panel for panel in self._panels if panel.name == on)
        start, end = _edge(parent.rect, side)
        length = math.dist(start, end)
        along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
        away = _SIDES[side]

        def place(u: float, v: float) -> Point:
            return start[0] + u * along[0] + v * away[0], start[1] + u * along[1] + v * away[1]

        corners = tuple(place(u, v) for u, v in shape)
        rect = Rect.around(corners)
        self._panels.append(Panel(name, rect, corners, (), turn, on, (start, end), glued))
        if slit:
            self._slits += [(start, place(slit, 0.0)), (place(length - slit, 0.0), end)]

    def finish(self, form: BoxForm, room: Room, outer: Room, paper: float, overlap: float) -> Dieline:
        """Return the box, moved to start at 0, 0."""
        outline = self._outline_of(self._panels[0])
        area = Rect.around(outline)

        def move(points: Sequence[Point]) -> tuple[Point, ...]:
            return tuple((x - area.x, y - area.y) for x, y in points)

        hinges = {_key(*panel.hinge): panel for panel in self._panels if panel.hinge is not None}
        panels = []
        for panel in self._panels:
            rect, corners = panel.rect, move(panel.corners)
            edges = tuple(_kind(panel, hinges, *each) for each in edges_of(panel.corners))
            hinge = None if panel.hinge is None else _span(move(panel.hinge))
            rect = Rect(rect.x - area.x, rect.y - area.y, rect.width, rect.height)
            panels.append(replace(panel, rect=rect, corners=corners, edges=edges, hinge=hinge))
        slits = tuple(_span(move(slit)) for slit in self._slits)
        return Dieline(
            form=form,
            size=area.size,
            room=room,
            outer=outer,
            paper=paper,
            overlap=overlap,
            panels=tuple(panels),
            outline=move(outline),
            slits=slits,
            folds=tuple(_fold_line(panel.hinge, slits) for panel in panels if panel.hinge is not None),
            glue=tuple(_glue_area(panel, overlap) for panel in panels if panel.glued),
        )

    def _outline_of(self, panel: Panel) -> list[Point]:
        """Return the outline of a panel and all panels attached to it, from its first corner to its
        last."""
        found: list[Point] = [panel.corners[0]]
        children = {
            _key(*child.hinge): child
            for child in self._panels
            if child.parent == panel.name and child.hinge
        }
        for start, end in edges_of(panel.corners)[: None if panel.hinge is None else -1]:
            child = children.get(_key(start, end))
            found += [end] if child is None else self._outline_of(child)[1:]
        if near(found[0]) == near(found[-1]):
            found.pop()
        return found


def _edge(rect: Rect, side: PanelEdge) -> Span:
    """Return a side of a rectangle, clockwise."""
    return edges_of(rect.corners)[list(_SIDES).index(side)]


def _key(start: Point, end: Point) -> frozenset[Point]:
    return frozenset((near(start), near(end)))


def _span(points: Sequence[Point]) -> Span:
    return points[0], points[1]


def _kind(panel: Panel, hinges: dict[frozenset[Point], Panel], start: Point, end: Point) -> Edge:
    children = hinges.get(_key(start, end))
    if children is None:
        return "cut"
    return "glue" if children.glued and children is not panel and not panel.glued else "fold"


def _fold_line(hinge: Span, slits: Sequence[Span]) -> Span:
    """Return a fold without the slits at its ends."""
    start, end = hinge
    for first, last in slits:
        if near(first) == near(start):
            start = last
        if near(last) == near(end):
            end = first
    return start, end


def _glue_area(panel: Panel, overlap: float) -> tuple[Point, ...]:
    """Return the part of a glue flap without its neighbor's ink."""
    distances = [0.0] * (len(panel.corners) - 1) + [-overlap]
    return moved_out(panel.corners, distances)


SLEEVE_FILM = 0.1
"""mm on each side of a thick sleeve, 100 µm; thinner ones leave room."""
SLEEVE_WIDER, SLEEVE_HIGHER = 2.5, 3.0
"""mm that a sleeve is larger than its card: 1 to 2 mm at the sides and 2 to 3 mm at the top, by guides for
collectors. A sleeve for 63.5×88 mm then measures 66×91 mm."""


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards or other pieces of one size: their trim in mm, in either orientation, their number, and the
    thickness of each; 0 for that of cards."""

    trim: Size
    cards: int
    thick: float = 0.0


def room_for(piles: Sequence[Pile], stock: float, sleeved: bool, play: float, boxes: int = 1) -> Room:
    """Return the room for piles on top of each other, upright, with `play` mm to spare in each direction;
    cards are `stock` mm thick, without a sleeve. There is at least one pile. If several boxes share the
    piles, this is the fullest."""
    trims = [pile.trim.upright for pile in piles]
    wider, higher, film = (SLEEVE_WIDER, SLEEVE_HIGHER, 2 * SLEEVE_FILM) if sleeved else (0.0, 0.0, 0.0)
    return Room(
        max(trim.width for trim in trims) + wider + play,
        max(trim.height for trim in trims) + higher + play,
        math.ceil(sum(pile.cards for pile in piles) / boxes) * (stock + film) + play,
    )


def room_in_tray(piles: Sequence[Pile], play: float) -> Room:
    """Return the room for pieces that lie flat, with `play` mm to spare in each direction; each pile has
    its thickness. The largest pieces give the floor. Pieces of one size make piles of about equal height,
    as many beside each other as the floor holds, above those of other sizes."""
    trims = [pile.trim.upright for pile in piles]
    floor = Size(max(trim.width for trim in trims) + play, max(trim.height for trim in trims) + play)
    depth = 0.0
    for trim in dict.fromkeys(trims):
        same = [pile for pile in piles if pile.trim.upright == trim]
        whole = sum(pile.cards * pile.thick for pile in same)
        beside = max(
            math.floor(floor.width / size.width) * math.floor(floor.height / size.height)
            for size in (trim, trim.turned)
        )
        depth += min(whole, whole / beside + max(pile.thick for pile in same))
    return Room(floor.width, floor.height, depth + play)


_EASE = 0.6
"""mm that a flap is narrower than its edge on either side, to slide in."""
_STEPS = 8
"""Straight lines in a quarter of a circle: at a radius of 9 mm they are off by 0.05 mm."""


def arc(middle: Point, radius: float, start: float, turn: float = 90.0) -> list[Point]:
    """Return points along an arc from an angle in degrees, by `turn` of them; across and away, as for
    flaps."""
    x, y = middle
    steps = max(1, round(_STEPS * abs(turn) / 90))
    angles = (math.radians(start + turn * step / steps) for step in range(steps + 1))
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def wall(length: float, deep: float) -> list[Point]:
    """Return a full rectangle."""
    return [(0.0, 0.0), (0.0, deep), (length, deep), (length, 0.0)]


def tongue(length: float, deep: float) -> list[Point]:
    """Return a flap to tuck in: round corners find the slot."""
    radius = min(deep * 0.7, length / 4)
    near, far = _EASE, length - _EASE
    left = arc((near + radius, deep - radius), radius, 180, -90)
    right = arc((far - radius, deep - radius), radius, 90, -90)
    return [(0.0, 0.0), *left, *right, (length, 0.0)]


def dust_flap(length: float, deep: float) -> list[Point]:
    """Return a flap that closes a corner below the lid: it tapers, so that the lid slides past it."""
    return _tapered(length, deep, min(length / 5, deep / 4, 4.0))


def glue_flap(length: float, deep: float) -> list[Point]:
    """Return a glue flap, with slanted ends that don't touch another flap."""
    return _tapered(length, deep, min(deep * 0.4, length / 4))


def _tapered(length: float, deep: float, slope: float) -> list[Point]:
    return [(0.0, 0.0), (slope, deep), (length - slope, deep), (length, 0.0)]


def notch(length: float, radius: float, deep: float) -> list[Point]:
    """Return a thumb notch in the middle of an edge, instead of a flap: away is below 0."""
    half = length / 2
    return [(half + x, y * deep / radius) for x, y in arc((0.0, 0.0), radius, 180, 180)]


Bottom = Literal["glued", "tucked"]

GLUE = 12.0
"""mm, the width of a glue flap: a glue stick's."""
TONGUE = 16.0
DUST = 22.0
OVERLAP = 2.0
"""mm of ink on a glue flap, so that the seam shows no white."""
LEAST_GLUED = 10.0
"""mm: a bottom that is less deep has too little room for glue, and is tucked."""
_DIP = 9.0
_SLIT = 5.0


def tuck_box(room: Room, paper: float, bottom: Bottom | None = None) -> Dieline:
    """Return the box for a room, of card `paper` mm thick. The default `bottom` is glued if deep enough."""
    glued = bottom == "glued" or (bottom is None and room.depth >= LEAST_GLUED)
    width = room.width + paper
    depth = room.depth + 3 * paper
    height = room.height + (4 if glued else 3) * paper
    glue = min(GLUE, width * 0.4)
    dust = min(max(depth, 8.0), width / 2 - 0.5, height / 3, DUST)
    deep = min(TONGUE, height / 3)
    radius = min(_DIP, width / 5)
    slit = min(_SLIT, width / 8)

    sheet = Sheet(Size(width, height), notch(width, radius, min(radius, deep * 0.6)))
    sheet.hang("front", "left", "left", wall(height, depth))
    sheet.hang("front", "right", "right", wall(height, depth))
    sheet.hang("right", "right", "back", wall(height, width))
    sheet.hang("left", "left", "glue", glue_flap(height, glue), glued=True)
    sheet.hang("left", "top", "dust_top_left", dust_flap(depth, dust))
    sheet.hang("right", "top", "dust_top_right", dust_flap(depth, dust))
    sheet.hang("left", "bottom", "dust_bottom_left", dust_flap(depth, dust))
    sheet.hang("right", "bottom", "dust_bottom_right", dust_flap(depth, dust))
    sheet.hang("back", "top", "top", wall(width, depth), turn=180)
    sheet.hang("top", "top", "tongue", tongue(width, deep), slit=slit)
    sheet.hang("back", "bottom", "bottom", wall(width, depth), turn=180)
    if glued:
        flap = min(GLUE, depth - 0.5)
        sheet.hang("front", "bottom", "glue_bottom", glue_flap(width, flap), glued=True)
    else:
        sheet.hang("bottom", "bottom", "tongue_bottom", tongue(width, deep), slit=slit)
    outer = Room(width + paper, height + paper, depth + paper)
    return sheet.finish("tuck", room, outer, paper, min(OVERLAP, glue / 3))


MOST_CARDS = 18
"""The capacity of a wallet: its walls have no flaps at their ends, and more cards push through."""
WALLET_GLUE = 10.0
WALLET_TONGUE = 22.0
_WALLET_DIP = 9.0


def wallet(room: Room, paper: float) -> Dieline:
    """Return the wallet for a room, of card `paper` mm thick. The glue flaps and the tongue are between
    front and back, so its walls are that much deeper than the room."""
    width, height, depth = room.width + paper, room.height + paper, room.depth + 3 * paper
    glue = min(WALLET_GLUE, width * 0.3)
    deep = min(WALLET_TONGUE, height / 3)
    radius = min(_WALLET_DIP, width / 5)
    sheet = Sheet(Size(width, height), notch(width, radius, min(radius, deep * 0.6)))
    for side in ("left", "right"):
        sheet.hang("front", side, side, wall(height, depth))
        sheet.hang(side, side, f"glue_{side}", glue_flap(height, glue), glued=True)
    sheet.hang("front", "bottom", "bottom", wall(width, depth))
    sheet.hang("bottom", "bottom", "back", wall(width, height), turn=180)
    sheet.hang("back", "bottom", "top", wall(width, depth))
    sheet.hang("top", "bottom", "tongue", tongue(width, deep))
    outer = Room(width + paper, height + paper, depth + paper)
    return sheet.finish("wallet", room, outer, paper, min(OVERLAP, glue / 3))


_THUMB = 9.0
"""mm, the radius of a lid's thumb notches."""


def tray(room: Room, paper: float) -> Dieline:
    """Return the tray for a room, of card `paper` mm thick: the back of a box and four walls."""
    return _open_box("tray", room, paper)


def lid(below: Dieline, ease: float, paper: float) -> Dieline:
    """Return the lid that slides over a tray, `ease` mm wider and higher than it and as deep: the front of
    a box and four walls, two of them with a thumb notch."""
    around = below.outer
    return _open_box("lid", Room(around.width + ease, around.height + ease, around.depth), paper)


_WALLS: dict[str, dict[PanelEdge, Rotation]] = {
    "lid": {"top": 180, "right": 270, "bottom": 0, "left": 90},
    "tray": {"top": 0, "right": 90, "bottom": 180, "left": 270},
}
"""The turn of art on each wall."""


def _open_box(form: Literal["tray", "lid"], room: Room, paper: float) -> Dieline:
    """Return a floor with four walls. Flaps at the ends of the left and right walls are glued to the inside
    of the others, which are that much farther apart. Art on walls has its head at a lid's face, and at a
    tray's rim."""
    face = "front" if form == "lid" else "back"
    width, height, deep = room.width + paper, room.height + 3 * paper, room.depth + paper
    glue = min(GLUE, width * 0.3)
    sheet = Sheet(Size(width, height), name=face)
    upright: tuple[PanelEdge, ...] = ("left", "right")
    level: tuple[PanelEdge, ...] = ("top", "bottom")
    for side in upright:
        sheet.hang(face, side, side, wall(height, deep), turn=_WALLS[form][side])
        for end in level:
            sheet.hang(side, end, f"glue_{side}_{end}", glue_flap(deep, glue), glued=True)
    for side in level:
        shape = notched_wall(width, deep) if form == "lid" else wall(width, deep)
        sheet.hang(face, side, side, shape, turn=_WALLS[form][side])
    outer = Room(width + paper, height + paper, deep + paper)
    return sheet.finish(form, room, outer, paper, min(OVERLAP, glue / 3))


def notched_wall(length: float, deep: float) -> list[Point]:
    """Return a full rectangle with a thumb notch in the middle of its outer edge."""
    radius = min(_THUMB, length / 5)
    high = min(radius, deep * 0.6)
    dip = [(length / 2 + x, deep + y * high / radius) for x, y in arc((0.0, 0.0), radius, 180, 180)]
    return [(0.0, 0.0), (0.0, deep), *dip, (length, deep), (length, 0.0)]
