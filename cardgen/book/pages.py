"""Break a book's blocks into columns, and into pages of equal depth, which pictures and spaces fill."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy

from cardgen.book.blocks import (
    HAIR,
    LEAST_LINES,
    SPACE,
    TOLERANCE,
    Block,
    Column,
    HeadingBlock,
    PageEndBlock,
    Setting,
    TableBlock,
    TextBlock,
    pair_of,
)
from cardgen.book.look import (
    LINE,
    STEP,
    WHITE,
    Margins,
    PagePainter,
    ShownSide,
    mixed,
    paint_picture_edge,
    picture_room,
)
from cardgen.core.geometry import Rect, Size
from cardgen.core.records import dataclass, field, replace
from cardgen.text.spans import direction_of

PAGES_A_SHEET = 4
SHALLOW = 0.5
"""Pages filled less than this share are tried only if there is no other break."""
MOST_KEPT = 400
"""Starts of a page that are followed further; the costliest others are dropped."""
EXTRA = 1.5
"""The most by which a space on a page grows, as a ratio to itself."""
TURNED, TABLE_TURNED, FIGURE_TURNED = 0.6, 4.0, 5.0
"""Costs of a chapter, of a table, and of a text whose figure follows that go on after the page is turned;
beside the page, half of it."""
LATE_CHAPTER = 0.5
"""Cost of a chapter that starts in the lowest quarter of a page."""
BLANK = 150.0
"""Cost of a blank page before the back, about that of a page half empty."""
SPOT, WIDE_SPOT = 12.0, 0.2
"""Cost of a page whose foot has a picture, up to this share of the page; more for a higher picture."""
FEW_LINES = 8.0
"""Cost of the last two lines of a paragraph on a page of their own."""
UNTITLED_SPOT = 8.0
"""More for a picture at the foot of a page in the midst of a chapter."""
TWO_PICTURES = 60.0
"""Cost of a page with a picture above its chapter that is not full."""
RIGHT = 8.0
"""Cost of a chapter with a picture that starts on a right page: on a left one, it has a spread."""
UNKEPT = 300.0
"""Cost of a break that parts what should be together."""

Start = tuple[int, int]
"""The first block of a page, and the height of its rest in hundredths of a mm: 0 for all of it."""
FilledPage = list[tuple[Block, float]]
"""Blocks with the distances of their tops from the page's, mm."""


@dataclass(frozen=True, slots=True)
class _Break:
    """A way to end a page: the start of the next page, the cost, the first part of a block that is split;
    and the cost of what goes on after the page is turned."""

    next: Start
    cost: float
    split: Block | None
    parting: float
    is_end: bool = False
    """True if a picture may follow: nothing is parted."""


@dataclass(slots=True)
class _Pile:
    """Blocks below each other, and the heights that they may have."""

    blocks: list[Block] = field(default_factory=list)
    natural: float = 0.0
    least: float = 0.0
    most: float = 0.0
    spaces: float = 0.0

    def gap(self, block: Block) -> float:
        return max(self.blocks[-1].after, block.before) if self.blocks else 0.0

    def add(self, block: Block, width: float) -> None:
        gap, high = self.gap(block), block.fit(width)
        low, top = block.range(width)
        self.spaces += gap
        self.natural += gap + high
        self.least += gap + low
        self.most += gap + top
        self.blocks.append(block)


class PageBreaker:
    """A breaker of blocks into pages of one size; `before` pages precede them. Free parts of pages of the
    heights from `spot` get a picture."""

    def __init__(
        self,
        setting: Setting,
        blocks: Sequence[Block],
        area: Size,
        before: int,
        spot: tuple[float, float] | None = None,
    ) -> None:
        self.setting, self.area, self.before, self.spot = setting, area, before, spot
        self.blocks = [block for block in blocks if self._has_room(block)]
        self.rests: dict[Start, Block] = {}
        self.ends: list[bool] = []
        """For each page, True if its last part ends there."""
        self._known: dict[Start, list[_Break]] = {}

    def _has_room(self, block: Block) -> bool:
        width, height = self.area.width, self.area.height
        if block.range(width)[0] <= height + TOLERANCE or block.split(width, height):
            return True
        message, hint = "this is higher than a page", "make it smaller, or split it"
        self.setting.problem("book/room", message, block.line, hint)
        return False

    def pages(self, most: int, *, folded: bool = True) -> list[FilledPage] | None:
        """Return the pages; None if there are more than `most`. The number of pages of a `folded` book is
        one for which few blank pages are missing before its back."""
        paths = self._paths(most, 4 if folded else 1)
        if not paths:
            return [] if not self.blocks else None

        def cost(count: int) -> float:
            blank = -(self.before + count + 1) % PAGES_A_SHEET if folded else 0
            return paths[count][0] + BLANK * blank

        return self._filled(paths[min(paths, key=cost)][1])

    def _paths(self, most: int, counts: int) -> dict[int, tuple[float, list[tuple[Start, _Break]]]]:
        """Return the cheapest ways to break the blocks into the least number of pages, and a few more."""
        start: Start = self._skip((0, 0))
        layer: dict[Start, tuple[float, list[tuple[Start, _Break]]]] = {start: (0.0, [])}
        found: dict[int, tuple[float, list[tuple[Start, _Break]]]] = {}
        for number in range(1, most + counts + 1):
            following: dict[Start, tuple[float, list[tuple[Start, _Break]]]] = {}
            for at in sorted(layer, key=lambda at: (layer[at][0], at))[:MOST_KEPT]:
                cost, path = layer[at]
                if at[0] >= len(self.blocks):
                    continue
                is_turned = (self.before + number) % 2 == 1
                if is_turned and not at[1] and isinstance(self.blocks[at[0]], OpenerBlock):
                    cost += RIGHT
                for each in self._breaks(at):
                    turned = each.parting * (1.0 if is_turned else 0.5)
                    total = cost + each.cost + turned
                    if each.next not in following or total < following[each.next][0] - 1e-9:
                        following[each.next] = (total, [*path, (at, each)])
            end = (len(self.blocks), 0)
            if end in following:
                found[number] = following.pop(end)
            if not following or (found and number >= min(found) + counts - 1):
                break
            layer = following
        return found if found and min(found) <= most else {}

    def _skip(self, at: Start) -> Start:
        """Return a start after page ends."""
        index, left = at
        while not left and index < len(self.blocks) and isinstance(self.blocks[index], PageEndBlock):
            index += 1
        return index, left

    def _breaks(self, at: Start) -> list[_Break]:
        if at not in self._known:
            self._known[at] = self._find_breaks(at)
        return self._known[at]

    def _find_breaks(self, at: Start) -> list[_Break]:
        """Return all ends of a page that starts there."""
        width, height = self.area.width, self.area.height
        pile = _Pile()
        found: list[_Break] = []
        unkept: list[_Break] = []
        index, left = at
        while index < len(self.blocks):
            block = self.rests[index, left] if left else self.blocks[index]
            if isinstance(block, PageEndBlock):
                cost = self._cost(pile, height, is_end=True)
                found = [_Break(self._skip((index, 0)), cost, None, 0.0, is_end=True)]
                break
            top = pile.least + pile.gap(block)
            fits = top + block.range(width)[0] <= height + TOLERANCE
            if not (block.unparted and block.fit(width) <= height + TOLERANCE):
                found += self._splits(index, block, pile, fits)
            if not fits:
                break
            late = height - pile.natural < height / 4
            pile.add(block, width)
            index, left = index + 1, 0
            if index == len(self.blocks):
                cost = self._cost(pile, height, is_end=True)
                found.append(_Break((index, 0), cost, None, 0.0, is_end=True))
                break
            after, is_titled = (
                self.blocks[index],
                isinstance(self.blocks[index], HeadingBlock | PageEndBlock),
            )
            is_end = not block.bond and not (_is_item(block) and _is_item(after))
            cost = self._cost(pile, height, is_end=is_end, is_titled=is_titled) + after.stray
            cost += LATE_CHAPTER if late and any(map(_is_chapter, pile.blocks[1:])) else 0.0
            parting = 0.0 if is_titled else FIGURE_TURNED if after.elastic else TURNED
            here = _Break(self._skip((index, 0)), cost + block.bond, None, parting, is_end)
            (unkept if block.keep else found).append(here)
        deep = [each for each in found if each.cost < self._emptiness(SHALLOW * height)]
        if found:
            return deep or found[-1:]
        return [_Break(each.next, each.cost + UNKEPT, None, TURNED) for each in unkept[-1:]]

    def _splits(self, index: int, block: Block, pile: _Pile, fits: bool) -> list[_Break]:
        """Return the ends of a page inside a block, after the blocks on it."""
        width, height = self.area.width, self.area.height
        found: list[_Break] = []
        gap = pile.gap(block)
        room = min(height - pile.natural - gap, block.fit(width) - STEP)
        while room > 0 and (parts := block.split(width, room)):
            first, rest = parts
            high = first.fit(width)
            if pile.natural + gap + high < SHALLOW * height and (fits or found):
                break
            whole = _Pile([*pile.blocks], pile.natural, pile.least, pile.most, pile.spaces)
            whole.add(first, width)
            following = (index, round(rest.fit(width) * 100))
            self.rests.setdefault(following, rest)
            parting = TABLE_TURNED if isinstance(block, TableBlock) else TURNED
            cost = self._cost(whole, height)
            cost += FEW_LINES if isinstance(rest, TextBlock) and len(rest.lines) <= LEAST_LINES else 0.0
            found.append(_Break(following, cost, first, parting))
            room = high - STEP / 2
        return found

    def _cost(self, pile: _Pile, height: float, *, is_end: bool = False, is_titled: bool = True) -> float:
        """Return the cost of a page: the square of its empty part, and less for what pictures fill, which
        a part that ends there may have below it, best if a title follows."""
        if pile.least > height + TOLERANCE:
            return math.inf
        filled = min(max(height, pile.least), pile.most)
        grown = abs(filled - pile.natural) / height
        both = filled < height and any(isinstance(block, OpenerBlock) for block in pile.blocks)
        empty = self._emptiness(filled, is_end=is_end)
        empty += UNTITLED_SPOT if is_end and not is_titled and self._is_spot(height - filled) else 0.0
        return empty + 15 * grown * grown + (TWO_PICTURES if both else 0.0)

    def _emptiness(self, filled: float, *, is_end: bool = False) -> float:
        free = max(0.0, self.area.height - filled)
        if is_end and self._is_spot(free):
            return SPOT + 100 * max(0.0, free / self.area.height - WIDE_SPOT) ** 2
        empty = free / self.area.height
        return 100 * empty * empty + (2_000 * (empty - 0.25) ** 2 if empty > 0.25 else 0.0)

    def _is_spot(self, free: float) -> bool:
        """Return True if a free part of a page, mm high, has room for a picture."""
        return self.spot is not None and self.spot[0] <= free <= self.spot[1]

    # ------------------------------------------------------------ filling

    def _filled(self, path: Sequence[tuple[Start, _Break]]) -> list[FilledPage]:
        pages: list[FilledPage] = []
        self.ends = [end.is_end for _, end in path]
        for (index, left), end in path:
            blocks: list[Block] = []
            while (index, 0) < end.next and (index < end.next[0] or end.split is not None):
                if index == end.next[0]:
                    assert end.split is not None
                    blocks.append(end.split)
                    break
                block = self.rests[index, left] if left else self.blocks[index]
                if not isinstance(block, PageEndBlock):
                    blocks.append(block)
                index, left = index + 1, 0
            pages.append(fill_page(blocks, self.area, self.spot if end.is_end else None))
        return pages


def natural_height(blocks: Sequence[Block], width: float) -> float:
    """Return the height of blocks below each other, mm."""
    pile = _Pile()
    for block in blocks:
        pile.add(block, width)
    return pile.natural


def fill_page(blocks: Sequence[Block], area: Size, spot: tuple[float, float] | None = None) -> FilledPage:
    """Return blocks with their places on a page of this area. Pictures grow or shrink as far as they may;
    then spaces grow, at most by `EXTRA`, unless a free part from `spot` is left."""
    width, height = area.width, area.height
    pile = _Pile()
    for block in blocks:
        pile.add(block, width)
    if pile.least < pile.most and abs(pile.natural - height) > STEP:
        blocks = _scaled(blocks, height - pile.spaces, width)
        pile = _Pile()
        for block in blocks:
            pile.add(block, width)
    free = max(0.0, height - pile.natural)
    more = min(EXTRA, free / pile.spaces) if pile.spaces else 0.0
    if spot is not None and free >= spot[0]:
        more = min(more, max(0.0, free - spot[1]) / pile.spaces) if pile.spaces else 0.0
    page: FilledPage = []
    y = 0.0
    for index, block in enumerate(blocks):
        if index:
            y += max(blocks[index - 1].after, block.before) * (1 + more)
        page.append((block, y))
        y += block.fit(width)
    return page


def _scaled(blocks: Sequence[Block], height: float, width: float) -> list[Block]:
    """Return blocks with their pictures as large as possible for a total height, without spaces."""
    low, high = -1.0, 1.0

    def at(share: float) -> list[Block]:
        return [block.scaled(share) for block in blocks]

    def total(blocks: Sequence[Block]) -> float:
        return sum(block.fit(width) for block in blocks)

    if total(largest := at(high)) <= height + TOLERANCE:
        return largest
    for _ in range(9):
        middle = (low + high) / 2
        low, high = (middle, high) if total(at(middle)) <= height + TOLERANCE else (low, middle)
    return at(low)


def _is_item(block: Block) -> bool:
    return isinstance(block, TextBlock) and block.bullet is not None


def _is_chapter(block: Block) -> bool:
    return isinstance(block, HeadingBlock) and block.level == 2


def middle_of(part: Rect, area: Rect, focus: float = 0.5) -> Rect:
    """Return the largest area of a part with these proportions: in the middle of its width, and at its
    `focus`, from 0 at the top to 1 at the bottom."""
    shape = area.width / area.height
    wide, high = min(part.width, part.height * shape), min(part.height, part.width / shape)
    return Rect(part.x + (part.width - wide) / 2, part.y + (part.height - high) * focus, wide, high)


@dataclass(frozen=True, slots=True)
class ShownArt:
    """A picture of a book: a side, the part of it that is shown, and the place that a crop keeps."""

    side: ShownSide
    part: Rect
    focus: float = 0.5

    def paint(self, painter: PagePainter, area: Rect) -> None:
        """Fill an area with it."""
        painter.part(self.side, middle_of(self.part, area, self.focus), area, edged=False)


class ArtBlock(Block):
    """A picture that fills a page, or its head or foot down to a height."""

    def __init__(self, setting: Setting, art: ShownArt, height: float, place: str) -> None:
        super().__init__(after=2 * LINE)
        self.setting, self.art, self.high, self.place = setting, art, height, place

    def measure(self, width: float) -> float:
        return self.high

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        end = top + self.high
        room = room_of(painter, self.setting, Rect(x, top, self.width, self.height))
        if self.place == "head":
            self.art.paint(painter, replace(room, height=end - room.y))
            paint_picture_edge(painter, self.setting.look, room, end, is_head=True)
        elif self.place == "foot":
            self.art.paint(painter, replace(room, y=top, height=room.bottom - top))
            paint_picture_edge(painter, self.setting.look, room, top, is_head=False)
        else:
            self.art.paint(painter, room)


class OpenerBlock(Block):
    """A chapter's title on a picture that fills the head of its page."""

    keep = True
    elastic = True
    place = "head"

    def __init__(self, setting: Setting, heading: HeadingBlock, art: ShownArt) -> None:
        super().__init__(after=3 * STEP)
        self.setting, self.heading, self.art = setting, heading, art
        self.line = heading.line

    def scaled(self, share: float) -> Block:
        part = copy(self)
        part.scale = 1 + share * (HIGHEST_HEAD / HEAD - 1 if share > 0 else 1 - LEAST_HEAD / HEAD)
        part.width = 0.0
        return part

    def measure(self, width: float) -> float:
        return HEAD * self.scale + self.heading.fit(width) / 2

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        end = top + HEAD * self.scale
        room = room_of(painter, self.setting, Rect(x, top, self.width, self.height))
        self.art.paint(painter, replace(room, height=end - room.y))
        paint_picture_edge(painter, self.setting.look, room, end, is_head=True)
        under, painter.shapes = painter.shapes, painter.over
        self.heading.paint(painter, x, end - self.heading.height / 2)
        painter.shapes = under


HEAD, LEAST_HEAD, HIGHEST_HEAD = 40.0, 22.0, 72.0
"""mm: the depth of a chapter's picture in the text area, the least, and the greatest."""


def room_of(painter: PagePainter, setting: Setting, inside: Rect) -> Rect:
    """Return the room for pictures on a page whose text area begins at the left of `inside`."""
    margins = Margins.of(painter.size)
    height = painter.size.height - margins.top - margins.bottom
    is_right = abs(inside.x - margins.inner) < abs(inside.x - margins.outer)
    area = Rect(inside.x, margins.top, inside.width, height)
    return picture_room(painter, setting.look, area, right=is_right)


BETWEEN_COLUMNS = 6.0
"""mm."""
LEAST_PART = 5 * LINE
"""mm: the least height of columns that are divided between pages."""
SIDE = 0.4
"""The width of a sidebar, as a share of the measure."""


class ColumnsBlock(Block):
    """Blocks in two columns of about the same height, with a thin line between them."""

    def __init__(self, setting: Setting, blocks: Sequence[Block]) -> None:
        super().__init__(before=STEP, after=SPACE)
        self.setting, self.column = setting, Column(blocks)
        self.line = next((block.line for block in blocks if block.line), 0)
        self.pair: tuple[Column, Column] = (self.column, self.column)

    @staticmethod
    def inner(width: float) -> float:
        """Return the width of a column."""
        return (width - BETWEEN_COLUMNS) / 2

    def measure(self, width: float) -> float:
        inner = self.inner(width)
        whole = self.column.fit(inner)
        height = math.ceil(whole / 2 / STEP) * STEP
        while True:
            first, second = self.column.parted(inner, height)
            self.pair = (Column(first), Column(second))
            if (first or not second) and self.pair[1].fit(inner) <= height + TOLERANCE:
                self.pair[0].fit(inner)
                return max(column.height for column in self.pair)
            height += STEP

    def least(self, width: float) -> float:
        inner = self.inner(width)
        return max(block.least(inner) for block in self.column.blocks[:2])

    def split(self, width: float, height: float) -> list[Block]:
        inner = self.inner(width)
        while height >= LEAST_PART:
            first, rest = self.column.parted(inner, height)
            second, left = Column(rest).parted(inner, height)
            parts = [Column(blocks) for blocks in (first, second, left)]
            if not left:
                return []
            if min(part.fit(inner) * share for part, share in zip(parts, (1, 1, 0.5))) >= LEAST_PART:
                return pair_of(self, self._part(parts[:2], width), self._part(parts[2:], width))
            height -= LINE
        return []

    def _part(self, columns: Sequence[Column], width: float) -> ColumnsBlock:
        """Return a part of it: two columns as they are, or one to be divided."""
        part = copy(self)
        part.column, part.width = Column([block for each in columns for block in each.blocks]), 0.0
        if len(columns) == 2:
            part.pair = (columns[0], columns[1])
            part.height, part.width = max(each.fit(self.inner(width)) for each in columns), width
        return part

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        inner = self.inner(self.width)
        left, right = self.pair
        if direction_of(self.setting.look.language) == "rtl":
            left, right = right, left
        left.paint(painter, x, top)
        right.paint(painter, x + inner + BETWEEN_COLUMNS, top)
        ink = mixed(self.setting.look.accent, WHITE, 0.6)
        painter.rect(Rect(x + self.width / 2 - HAIR / 2, top, HAIR, self.height), ink)


class SidebarBlock(Block):
    """Text, with call-outs in a narrow column on the outer side."""

    def __init__(self, blocks: Sequence[Block], side: Sequence[Block], *, is_first: bool) -> None:
        super().__init__(before=SPACE, after=SPACE)
        self.main, self.side, self.is_first = Column(blocks), Column(side), is_first

    def measure(self, width: float) -> float:
        narrow = width * SIDE
        return max(self.main.fit(width - narrow - BETWEEN_COLUMNS), self.side.fit(narrow))

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        narrow = self.width * SIDE
        if self.is_first:
            self.side.paint(painter, x, top)
            self.main.paint(painter, x + narrow + BETWEEN_COLUMNS, top)
        else:
            self.main.paint(painter, x, top)
            self.side.paint(painter, x + self.width - narrow, top)
