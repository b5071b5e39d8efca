"""Nest leftover cards of several sizes on shared pages.

Cards of one size form blocks, grids with the gutter between them. Straight cuts from edge to edge separate
the blocks: a block goes into the upper left corner of a free area, and the rest of the area becomes two,
to its right and below it. Every first block is tried; the areas left are filled with the block that covers
most.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cardgen.core.artwork import CardArt
from cardgen.core.geometry import Rect, Size
from cardgen.core.records import dataclass, replace
from cardgen.core.sheets import SheetLayout
from cardgen.sheets.grid import TOLERANCE, Arrangement, Filling, block_size, bounds
from cardgen.sheets.marks import LEAST_LENGTH, OFF_CUT, SPECK, bleed_between, mark_offset, unmarked_margin

LEAST_GAP = 2 * OFF_CUT + SPECK
"""Least mm between blocks, room for the shortest crop mark."""


@dataclass(frozen=True, slots=True)
class _Block:
    """`columns`×`rows` cells of a trim, its size number `kind`, at the left top of an area."""

    kind: int
    cell: Size
    columns: int
    rows: int
    rect: Rect

    @property
    def count(self) -> int:
        return self.columns * self.rows

    @property
    def covered(self) -> float:
        """Return the area of its cards in mm²."""
        return self.count * self.cell.width * self.cell.height


def nest(
    groups: Sequence[tuple[Size, Sequence[CardArt]]], paper: Size, layout: SheetLayout
) -> list[Filling] | None:
    """Return pages with all these copies, grouped by their upright trims, each of which fits on the paper;
    None if they take no fewer pages than a page for each trim."""
    best: list[Filling] | None = None
    fewest = len(groups)
    # Among equals the widest gap wins, which leaves room for all bleed and a mark.
    for gap in (max(layout.gutter, 2 * mark_offset(layout.bleed) + LEAST_LENGTH), LEAST_GAP):
        for page in (paper.upright, paper.upright.turned):
            found = _pages(groups, page, layout, max(gap, layout.gutter))
            if found is not None and len(found) < fewest:
                best, fewest = found, len(found)
    return best


def _pages(
    groups: Sequence[tuple[Size, Sequence[CardArt]]], page: Size, layout: SheetLayout, gap: float
) -> list[Filling] | None:
    """Return the pages of one orientation; None if a card doesn't fit on them."""
    left = [list(cards) for _, cards in groups]
    trims = [trim for trim, _ in groups]
    inside = page.whole.inset(unmarked_margin(layout))
    fillings: list[Filling] = []
    while any(left):
        counts = {kind: len(cards) for kind, cards in enumerate(left) if cards}
        blocks = _fill(trims, counts, inside, layout.gutter, gap)
        if not blocks:
            return None
        whole = bounds([block.rect for block in blocks])
        right = (page.width - whole.width) / 2 - whole.x
        down = (page.height - whole.height) / 2 - whole.y
        spots, cards, sizes = [], [], []
        for block in blocks:
            rect = block.rect
            grid = Arrangement(page, block.cell, block.columns, block.rows, layout.gutter, rect)
            for index in range(block.count):
                place = grid.place(index)
                spots.append(replace(place, x=place.x + right, y=place.y + down))
                cards.append(left[block.kind].pop(0))
            sizes.append(block.count)
        arrangement = Arrangement(
            page,
            blocks[0].cell,
            1,
            len(spots),
            layout.gutter,
            replace(whole, x=whole.x + right, y=whole.y + down),
            spots=tuple(spots),
            blocks=tuple(sizes),
        )
        if bleed_between(arrangement, layout) < 0:
            return None
        fillings.append(Filling(arrangement, tuple(cards)))
    return fillings


def _fill(
    trims: Sequence[Size], counts: Mapping[int, int], area: Rect, gutter: float, gap: float
) -> list[_Block]:
    """Return the blocks for one page that cover most, fewer blocks among equals."""
    best: list[_Block] = []
    best_score = (0.0, 0)
    for first in _candidates(trims, counts, area, gutter):
        for areas in _split(area, first.rect, gap):
            found = [first]
            rest = _without(counts, first)
            waiting = list(areas)
            while waiting:
                free = waiting.pop(0)
                widest = max(
                    _candidates(trims, rest, free, gutter),
                    key=lambda block: (block.covered, -block.kind),
                    default=None,
                )
                if widest is None:
                    continue
                found.append(widest)
                rest = _without(rest, widest)
                waiting += max(_split(free, widest.rect, gap), key=_largest)
            score = (round(sum(block.covered for block in found), 3), -len(found))
            if score > best_score:
                best, best_score = found, score
    return best


def _largest(areas: Iterable[Rect]) -> float:
    return max(area.width * area.height for area in areas)


def _without(counts: Mapping[int, int], block: _Block) -> dict[int, int]:
    return {kind: count - block.count * (kind == block.kind) for kind, count in counts.items()}


def _candidates(
    trims: Sequence[Size], counts: Mapping[int, int], area: Rect, gutter: float
) -> Iterator[_Block]:
    """Yield the blocks that fit into an area, with as many columns as possible for each number of rows, and
    the other way round."""
    for kind, count in counts.items():
        if not count:
            continue
        trim = trims[kind]
        for cell in dict.fromkeys((trim, trim.turned)):
            columns = _most(area.width, cell.width, gutter)
            rows = _most(area.height, cell.height, gutter)
            grids = [(min(columns, count // row), row) for row in range(1, min(rows, count) + 1)]
            grids += [(column, min(rows, count // column)) for column in range(1, min(columns, count) + 1)]
            for across, down in dict.fromkeys(grids):
                if across and down:
                    size = block_size(cell, across, down, gutter)
                    yield _Block(kind, cell, across, down, Rect(area.x, area.y, size.width, size.height))


def _most(room: float, side: float, gutter: float) -> int:
    return max(0, int((room + gutter + TOLERANCE) / (side + gutter)))


def _split(area: Rect, block: Rect, gap: float) -> tuple[tuple[Rect, Rect], tuple[Rect, Rect]]:
    """Return both ways to cut the rest of an area in two: first along the block's right, first below it."""
    right, below = max(0.0, area.right - block.right - gap), max(0.0, area.bottom - block.bottom - gap)
    x, y = block.right + gap, block.bottom + gap
    return (
        (Rect(x, area.y, right, area.height), Rect(area.x, y, block.width, below)),
        (Rect(x, area.y, right, block.height), Rect(area.x, y, area.width, below)),
    )
