"""A box a page: its art panel by panel, its cuts, its folds, and areas for glue.

Each panel is a slot that shows its part of the same art. It reaches over cuts by the bleed and onto flaps
that are glued by the box's overlap; over folds it reaches just so far that no gap shows between two panels.
So nothing is printed where glue is put on, whatever a template draws there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from cardgen.findings import Findings
from cardgen.geometry import Point, Polygon, Rect, Size, clipped, moved_out
from cardgen.imposition.extent import too_many_pages
from cardgen.imposition.furniture import AT_FULL_SIZE, furnish
from cardgen.imposition.marks import WEIGHT
from cardgen.imposition.registration import (
    MACHINES,
    keeps_clear,
    marked_corners,
    opos_squares,
    registration_marks,
)
from cardgen.imposition.slots import bounds
from cardgen.model.artwork import CardArt
from cardgen.model.boxes import Dieline, Panel
from cardgen.model.cuts import Cut, Stroke
from cardgen.model.game import Game, GameSheet
from cardgen.model.sheets import CasedLine, ImposedSheet, Line, Page, Paper, SheetLayout, Slot

LEGEND = "cut along solid lines · fold along dashed lines · glue where it is hatched"
SEAM = 0.2
"""mm that two panels share at their fold: less than a fold is wide."""
_CASING = 2.5
"""How many times as wide as a cut or a fold the white below it is: both can be seen on any ground."""
_HATCH = 4.0
"""mm between the lines of a hatching."""
_HATCH_WEIGHT = 0.05


def impose_boxes(
    game: Game,
    sheet: GameSheet,
    layout: SheetLayout,
    paper: Paper,
    cards: Sequence[CardArt],
    findings: Findings,
    papers: Sequence[Paper],
) -> ImposedSheet:
    """A page a box, in the middle of the paper, which stands or lies as the box fits it. Finding:
    `sheet/too-large`, with the smallest of `papers` that holds it."""
    pages: list[Page] = []
    if too_many_pages(game, sheet, sum(card.copies for card in cards), findings):
        cards = []
    started: set[str] = set()
    for card in cards:
        component = game.component(card.component)
        assert component.box is not None
        box, bleed = component.box, min(layout.bleed, component.bleed)
        size = _page_for(box.size.grown(bleed), paper, layout)
        if size is None:
            _too_large(game, sheet, layout, paper, card, box.size.grown(bleed), findings, papers)
            continue
        bookmark = None if component.id in started else component.title
        started.add(component.id)
        first = _page(game, sheet, layout, card, box, bleed, size, bookmark)
        pages += [first, *([replace(first, bookmark=None)] * (card.copies - 1))]
    return ImposedSheet(sheet.name, paper.name, "none", tuple(pages), len(pages))


def _page_for(size: Size, paper: Paper, layout: SheetLayout) -> Size | None:
    """The paper, standing or lying, as a box with its bleed fits into its margins, clear of the marks of a
    machine."""
    for page in (paper.size.upright, paper.size.upright.turned):
        block = _middle(size, page)
        fits = Rect(0, 0, page.width, page.height).inset(layout.margin).contains(block)
        if fits and (layout.marks not in MACHINES or keeps_clear(block, page, layout.marks)):
            return page
    return None


def _middle(size: Size, page: Size) -> Rect:
    """A rectangle of that size in the middle of a page."""
    return Rect((page.width - size.width) / 2, (page.height - size.height) / 2, size.width, size.height)


def _too_large(
    game: Game,
    sheet: GameSheet,
    layout: SheetLayout,
    paper: Paper,
    card: CardArt,
    size: Size,
    findings: Findings,
    papers: Sequence[Paper],
) -> None:
    room = paper.size.upright.grown(-layout.margin)
    room = room.turned if size.landscape else room
    over = [
        f"{by:.1f} mm too {word}"
        for by, word in ((size.width - room.width, "wide"), (size.height - room.height, "high"))
        if by > 0
    ]
    fitting = [other for other in papers if _page_for(size, other, layout) is not None]
    hint = "share the cards among several boxes, with `boxes`; no paper known here holds it"
    if fitting:
        best = min(fitting, key=lambda other: (other.size.width * other.size.height, other.name))
        hint = f"the smallest paper that holds it is {best.name} ({best.size}): --paper {best.name}"
    wrong = " and ".join(over) or "too close to the marks of the machine"
    message = (
        f"the box '{card.card}' in '{card.component}' is {wrong} for {paper.name} "
        f"({paper.size}, less {layout.margin:g} mm on each side): flat, it is "
        f"{size.width:.1f}×{size.height:.1f} mm with its bleed"
    )
    place = game.locator.locate(f"data/{game.id}/game.yaml", ("sheets", sheet.name))
    findings.error("sheet/too-large", message, place, hint)


def _page(
    game: Game,
    sheet: GameSheet,
    layout: SheetLayout,
    card: CardArt,
    box: Dieline,
    bleed: float,
    size: Size,
    bookmark: str | None,
) -> Page:
    trim = _middle(box.size, size)
    whole = Rect(0, 0, size.width, size.height)
    lines = tuple(_lines(box, trim))
    blocks = [trim.inset(-bleed)]
    if layout.marks in MACHINES:
        lines += registration_marks(size, layout.marks)
        blocks += marked_corners(size, layout.marks)
    texts = (
        f"{game.title} {game.version}",
        f"{sheet.printed_name} · {game.component(card.component).title}",
        AT_FULL_SIZE,
        LEGEND,
    )
    furniture = furnish(size, blocks, lambda length: (), (), texts, margin=layout.margin)
    return Page(
        size,
        "face",
        whole,
        whole,
        box_slots(card, box, trim, bleed),
        lines + furniture.lines,
        (),
        furniture.labels,
        bookmark,
        marked=opos_squares(size) if layout.marks == "opos" else (),
    )


def box_slots(card: CardArt, box: Dieline, trim: Rect, bleed: float) -> tuple[Slot, ...]:
    """The slots of a box whose trim lies there: a panel each."""
    return tuple(
        _slot(card, trim, _inked(panel, box, bleed), bleed) for panel in box.panels if not panel.glued
    )


def _slot(card: CardArt, trim: Rect, inked: Sequence[Point], bleed: float) -> Slot:
    """The art where it lies behind these corners, which are those of a box at 0, 0."""
    corners = [(x + trim.x, y + trim.y) for x, y in inked]
    corners = list(clipped(corners, trim.inset(-bleed)))
    clip = bounds([Rect(x, y, 0.0, 0.0) for x, y in corners])
    return Slot(trim, 0, clip, card.face, card.component, card.card, Polygon.of(corners, clip))


def _inked(panel: Panel, box: Dieline, bleed: float) -> tuple[Point, ...]:
    """The corners of what a panel shows. A cut beside an area for glue has no bleed if that would run onto
    it: it is that of a flap which is hidden."""
    reach = {"cut": bleed, "fold": SEAM, "glue": box.overlap}
    found = [reach[edge] for edge in panel.edges]
    for index, edge in enumerate(panel.edges):
        if edge == "cut" and any(_covers(moved_out(panel.corners, found), area) for area in box.glue):
            found[index] = 0.0
    return moved_out(panel.corners, found)


def _covers(corners: Sequence[Point], area: Sequence[Point]) -> bool:
    """Whether a polygon lies on a part of an area without dents that is more than a seam."""
    part = inside(corners, area)
    return bool(part) and abs(surface(part)) > SEAM


def inside(corners: Sequence[Point], area: Sequence[Point]) -> list[Point]:
    """The part of a polygon within an area without dents, corners clockwise; none if there is nothing."""
    part = list(corners)
    for (x1, y1), (x2, y2) in _sides(area):

        def depth(point: Point, x1: float = x1, y1: float = y1, x2: float = x2, y2: float = y2) -> float:
            return (x2 - x1) * (point[1] - y1) - (y2 - y1) * (point[0] - x1)

        kept: list[Point] = []
        for before, point in zip(part[-1:] + part[:-1], part):
            was, now = depth(before), depth(point)
            if (was > 0) != (now > 0):
                share = was / (was - now)
                kept.append(
                    (before[0] + share * (point[0] - before[0]), before[1] + share * (point[1] - before[1]))
                )
            if now > 0:
                kept.append(point)
        part = kept
    return part


def surface(corners: Sequence[Point]) -> float:
    """The area of a polygon in mm²."""
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in _sides(corners)) / 2


def _lines(box: Dieline, trim: Rect) -> Iterator[Line]:
    def line(start: Point, end: Point, dashed: bool) -> Line:
        (x1, y1), (x2, y2) = start, end
        places = (x1 + trim.x, y1 + trim.y, x2 + trim.x, y2 + trim.y)
        return CasedLine(*places, WEIGHT, dashed, _CASING)

    for area in box.glue:
        for start, end in hatching(area):
            yield Line(
                *(start[0] + trim.x, start[1] + trim.y, end[0] + trim.x, end[1] + trim.y), _HATCH_WEIGHT
            )
    for start, end in box.folds:
        yield line(start, end, True)
    for start, end in (*_sides(box.outline), *box.slits):
        yield line(start, end, False)


def hatching(area: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    """Slanted lines across an area without dents, `_HATCH` mm apart as measured across."""
    low, high = min(x + y for x, y in area), max(x + y for x, y in area)
    at = low + _HATCH
    while at < high:
        met = []
        for (x1, y1), (x2, y2) in _sides(area):
            before, after = x1 + y1 - at, x2 + y2 - at
            if (before < 0) != (after < 0):
                share = before / (before - after)
                met.append((x1 + share * (x2 - x1), y1 + share * (y2 - y1)))
        if len(met) == 2:
            yield met[0], met[1]
        at += _HATCH * 2**0.5


def _sides(corners: Sequence[Point]) -> list[tuple[Point, Point]]:
    return [(corner, corners[(index + 1) % len(corners)]) for index, corner in enumerate(corners)]


def box_lines(page: Page, boxes: Mapping[str, Dieline]) -> tuple[tuple[Cut, ...], tuple[Cut, ...]]:
    """The cuts and the folds of the boxes on a page, by their components."""
    cuts: list[Cut] = []
    folds: list[Cut] = []
    placed = dict.fromkeys((slot.component, slot.card, slot.trim) for slot in page.slots)
    for component, _, trim in placed:
        box = boxes[component]

        def stroke(start: Point, end: Point, trim: Rect = trim) -> Stroke:
            return Stroke((start[0] + trim.x, start[1] + trim.y), (end[0] + trim.x, end[1] + trim.y))

        cuts.append(Cut(tuple(stroke(*side) for side in _sides(box.outline))))
        cuts += [Cut((stroke(*slit),)) for slit in box.slits]
        folds += [Cut((stroke(*fold),)) for fold in box.folds]
    return tuple(cuts), tuple(folds)
