"""Split boards larger than the paper into pages to cut and glue.

The board with its bleed is cut into a grid of equal tiles, each overlapping its neighbors by the layout's
`overlap`. Every tile is one page. In the middle of each overlap is a seam: the right (or lower) tile is cut
along it and laid over its neighbor, whose art continues below. Join marks are on the seam outside the art
of both tiles, at the same place of the board, and meet if the tiles are placed right. Crop marks are at the
trim of the board.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from cardgen.core.artwork import CardArt
from cardgen.core.geometry import Rect, Size
from cardgen.core.records import dataclass
from cardgen.core.sheets import MAX_TILES, ImposedSheet, Line, Page, Slot
from cardgen.sheets.job import Bookmarks, SheetJob
from cardgen.sheets.marks import WEIGHT
from cardgen.sheets.ruler_and_labels import AT_FULL_SIZE, furnish
from cardgen.sheets.trim_lines import legend_of, line_marks, tile_spans

ROOM = 6.0
"""mm kept free around a tile's art for the marks, besides the unprintable margin."""

CLEAR = 1.0
"""mm between a tile's art and its marks."""

MARK = 4.0
"""mm, the length of a mark."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile: its row and column from 0, and its art in mm of the board (0, 0 is the trim's top left
    corner, so bleed has negative coordinates)."""

    row: int
    column: int
    area: Rect


@dataclass(frozen=True, slots=True)
class TilePlan:
    """The division of a board into tiles. `across` and `down` are the seams: x of the upright ones, y of
    the level ones, in mm of the board."""

    page: Size
    columns: int
    rows: int
    tiles: tuple[Tile, ...]
    across: tuple[float, ...]
    down: tuple[float, ...]


def plan_tiles(trim: Size, bleed: float, paper: Size, margin: float, overlap: float) -> TilePlan | None:
    """Return the plan with the fewest tiles, the paper portrait or landscape; None if the overlap leaves no
    progress on this paper, or so little that there would be more than MAX_TILES. A board that fits on one
    page has one tile."""
    plans = []
    for page in dict.fromkeys((paper.upright, paper.upright.turned)):
        room = Size(page.width - 2 * (margin + ROOM), page.height - 2 * (margin + ROOM))
        across = _spans(trim.width, bleed, room.width, overlap)
        down = _spans(trim.height, bleed, room.height, overlap)
        if across and down and len(across) * len(down) <= MAX_TILES:
            plans.append((len(across) * len(down), page, across, down))
    if not plans:
        return None
    _, page, across, down = min(plans, key=lambda plan: plan[0])
    tiles = tuple(
        Tile(row, column, Rect(left, top, right - left, bottom - top))
        for row, (top, bottom) in enumerate(down)
        for column, (left, right) in enumerate(across)
    )
    return TilePlan(page, len(across), len(down), tiles, _seams(across), _seams(down))


def _spans(length: float, bleed: float, room: float, overlap: float) -> list[tuple[float, float]]:
    """Return the start and end of each tile in one direction: as few as possible, all of one length."""
    whole = length + 2 * bleed
    if room <= overlap:
        return [(-bleed, length + bleed)] if whole <= room else []
    count = max(1, math.ceil((whole - overlap) / (room - overlap) - 1e-9))
    if count > MAX_TILES:
        return []
    size = (whole + (count - 1) * overlap) / count
    starts = [-bleed + index * (size - overlap) for index in range(count)]
    return [(start, start + size) for start in starts]


def _seams(spans: Sequence[tuple[float, float]]) -> tuple[float, ...]:
    """Return the middles of the overlaps."""
    return tuple((end + start) / 2 for (_, end), (start, _) in pairwise(spans))


def impose_tiled(job: SheetJob, cards: Sequence[CardArt]) -> ImposedSheet:
    """Return a page for each tile, board by board, tiles row by row, for each copy of a board.

    Faces only: a board glued together from tiles has no printed back. Finding: `sheet/overlap` if the
    overlap leaves no room for progress on this paper.
    """
    layout, paper = job.layout, job.paper
    plans: list[tuple[CardArt, TilePlan]] = []
    for card in cards:
        artwork = job.artworks[card.face]
        bleed = min(layout.bleed, artwork.bleed)
        plan = plan_tiles(artwork.trim.size, bleed, paper.size, job.margin, layout.overlap)
        if plan is not None:
            plans.append((card, plan))
        else:
            job.findings.error(
                "sheet/overlap",
                f"an overlap of {layout.overlap:g} mm leaves too little room for tiles of "
                f"'{card.card}' on {paper.name}",
                job.game.locator.locate(layout.file, layout.path("overlap")),
                f"make it smaller, or print on larger paper; at most {MAX_TILES:,} tiles are allowed",
            )
    if job.has_too_many(sum(card.copies * len(plan.tiles) for card, plan in plans)):
        plans = []
    bookmarks = Bookmarks(job.game)
    pages = [
        _page(job, card, plan, tile, bookmarks.of([card.component]))
        for card, plan in plans
        for _ in range(card.copies)
        for tile in plan.tiles
    ]
    return job.imposed(pages, sum(card.copies for card in cards))


def tile_origin(plan: TilePlan, tile: Tile) -> tuple[float, float]:
    """Return the place on the page of the board's (0, 0): the tile's art is centered on the page."""
    left = (plan.page.width - tile.area.width) / 2
    top = (plan.page.height - tile.area.height) / 2
    return left - tile.area.x, top - tile.area.y


def tile_marks(plan: TilePlan, tile: Tile, trim: Size) -> tuple[list[Line], list[Line]]:
    """Return the crop marks and the join marks (dashed) of a tile, on its page."""
    x0, y0 = tile_origin(plan, tile)
    area = tile.area
    left, top, right, bottom = area.x + x0, area.y + y0, area.right + x0, area.bottom + y0

    def upright(x: float, dashed: bool) -> list[Line]:
        return [
            Line(x, top - CLEAR - MARK, x, top - CLEAR, WEIGHT, dashed),
            Line(x, bottom + CLEAR, x, bottom + CLEAR + MARK, WEIGHT, dashed),
        ]

    def level(y: float, dashed: bool) -> list[Line]:
        return [
            Line(left - CLEAR - MARK, y, left - CLEAR, y, WEIGHT, dashed),
            Line(right + CLEAR, y, right + CLEAR + MARK, y, WEIGHT, dashed),
        ]

    crop: list[Line] = []
    for x in (0.0, trim.width):
        if area.x - 1e-9 <= x <= area.right + 1e-9:
            crop += upright(x + x0, False)
    for y in (0.0, trim.height):
        if area.y - 1e-9 <= y <= area.bottom + 1e-9:
            crop += level(y + y0, False)
    join = [mark for x in plan.across if area.x < x < area.right for mark in upright(x + x0, True)]
    join += [mark for y in plan.down if area.y < y < area.bottom for mark in level(y + y0, True)]
    return crop, join


def _page(job: SheetJob, card: CardArt, plan: TilePlan, tile: Tile, bookmark: str | None) -> Page:
    artwork = job.artworks[card.face]
    x0, y0 = tile_origin(plan, tile)
    area = tile.area
    clip = Rect(area.x + x0, area.y + y0, area.width, area.height)
    trim = Rect(x0, y0, artwork.trim.width, artwork.trim.height)
    crop, join = tile_marks(plan, tile, artwork.trim.size)
    slot = Slot(trim, 0, clip, card.face, card.component, card.card)
    place = f"{card.card}: row {tile.row + 1} of {plan.rows}, column {tile.column + 1} of {plan.columns}"
    how = "cut right and lower tiles at the dashed marks, lay them over their neighbors"
    texts = [job.version, f"{job.sheet.printed_name} · {place}", AT_FULL_SIZE]
    if len(plan.tiles) > 1:
        texts.append(how)
    lines = job.game.component(card.component).lines
    bleed = min(job.layout.bleed, artwork.bleed)
    spans = [
        (tool, ((x1 + x0, y1 + y0), (x2 + x0, y2 + y0)))
        for tool, ((x1, y1), (x2, y2)) in tile_spans(lines, artwork.trim.size, area, bleed)
    ]
    inner = line_marks(spans, clip, plan.page, offset=CLEAR, margin=job.margin, length=MARK)
    texts += legend_of([slot], {card.component: lines})
    marks = (*crop, *join, *inner) if job.layout.marks == "crop" else tuple(join)
    furniture = furnish(plan.page, [clip], lambda length: (), marks, texts, margin=job.margin)
    return Page(
        plan.page,
        "face",
        plan.page.whole,
        plan.page.whole,
        (slot,),
        marks + furniture.lines,
        labels=furniture.labels,
        bookmark=bookmark,
        number=f"{card.card} {tile.row + 1}.{tile.column + 1}" if len(plan.tiles) > 1 else None,
    )
