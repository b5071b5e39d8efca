"""The cards of one page: where each is trimmed, how it is turned, how far it may paint."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from cardgen.geometry import (
    Insets,
    Polygon,
    Rect,
    Shape,
    Size,
    clipped,
    corners_of,
    moved_out,
)
from cardgen.imposition.flipping import Axis, back_rotation, behind
from cardgen.imposition.grid import Arrangement
from cardgen.model.artwork import CardArt, Extent
from cardgen.model.sheets import Rotation, Slot

Shapes = Mapping[str, tuple[Shape, float]]
"""The shape and the corner radius in mm of each component."""

Cells = dict[tuple[int, int, Size, float, Shape], tuple[Rect, Rotation, Rect, Shape]]
"""Trim, rotation, clip and its shape of the cards of an arrangement: by cell, how many cards the page
has, the card's trim, its bleed on this sheet, its shape."""


@dataclass(frozen=True, slots=True)
class Filling:
    """The copies on one page: `cards[i]` lies in cell i of `arrangement`. `cells` are known places of the
    arrangement's cards: pages that share it share them."""

    arrangement: Arrangement
    cards: tuple[CardArt, ...]
    cells: Cells = field(default_factory=dict, compare=False, repr=False)


def face_slots(
    page: Filling, artworks: Mapping[str, Extent], bleed: float, shapes: Shapes
) -> tuple[Slot, ...]:
    """A slot a card, in cell order. `bleed` is the sheet's."""
    return tuple(
        _slot(page, index, card, card.face, artworks, bleed, shapes[card.component][0])
        for index, card in enumerate(page.cards)
    )


def back_slots(
    page: Filling, artworks: Mapping[str, Extent], bleed: float, axis: Axis, shapes: Shapes
) -> tuple[Slot, ...]:
    """The slots of the cards that have a back, in the order of their faces.

    Each lies behind its face once the paper is turned about `axis`.
    """
    slots = []
    for index, card in enumerate(page.cards):
        if card.back is None:
            continue
        slot = _slot(page, index, card, card.back, artworks, bleed, shapes[card.component][0])
        size = page.arrangement.page
        slots.append(
            replace(
                slot,
                trim=behind(slot.trim, size, axis),
                rotation=back_rotation(slot.rotation, axis),
                clip=behind(slot.clip, size, axis),
                shape=mirrored(slot.shape, axis == "vertical"),
            )
        )
    return tuple(slots)


def _slot(
    page: Filling,
    index: int,
    card: CardArt,
    key: str,
    artworks: Mapping[str, Extent],
    bleed: float,
    shape: Shape,
) -> Slot:
    artwork = artworks[key]
    size, bleed, count = artwork.trim.size, min(bleed, artwork.bleed), len(page.cards)
    cell = page.cells.get((index, count, size, bleed, shape))
    if cell is None:
        trim = page.arrangement.place(index)
        rotation: Rotation = 0 if size.close_to(trim.size) else 90
        limits = Insets.all(bleed)
        if not page.arrangement.honeycomb:
            limits = room(page.arrangement, index, count, bleed)
        outer = Insets(-limits.top, -limits.right, -limits.bottom, -limits.left)
        clip = within(trim.inset(outer), page.arrangement.page)
        if (corners := corners_of(turned(shape, rotation), trim)) is not None:
            away = [bleed] * len(corners)
            if page.arrangement.honeycomb:
                away = _room_around(page.arrangement, index, count, bleed)
            area = clipped(moved_out(corners, away), clip)
            cell = trim, rotation, clip, Polygon.of(area, clip)
        else:
            cell = trim, rotation, clip, shape
        page.cells[index, count, size, bleed, shape] = cell
    return Slot(*cell[:3], key, card.component, card.card, cell[3])


def turned(shape: Shape, rotation: Rotation) -> Shape:
    """A piece's shape as it lies in a cell, turned clockwise. A hexagon follows from its cell."""
    return shape.turned(rotation) if isinstance(shape, Polygon) else shape


def mirrored(shape: Shape, upright: bool) -> Shape:
    """A shape from behind, mirrored in the upright or the level middle line."""
    return shape.mirrored(upright) if isinstance(shape, Polygon) else shape


def _room_around(arrangement: Arrangement, index: int, count: int, bleed: float) -> list[float]:
    """How far hexagon `index` of a honeycomb may bleed over each of its sides: half the gutter towards a
    neighbour, the whole bleed where there is none."""
    cell, gutter = arrangement.place(index), arrangement.gutter
    corners = corners_of("hexagon", cell)
    assert corners is not None
    middles = [
        (place.x + place.width / 2, place.y + place.height / 2)
        for place in (arrangement.place(other) for other in range(count) if other != index)
    ]
    room = []
    for number, (x, y) in enumerate(corners):
        to_x, to_y = corners[(number + 1) % len(corners)]
        length = math.hypot(to_x - x, to_y - y)
        # The middle of a hexagon on the other side: this one's, mirrored in the middle of the side, and a
        # gutter further out.
        beyond_x = x + to_x - cell.x - cell.width / 2 + gutter * (to_y - y) / length
        beyond_y = y + to_y - cell.y - cell.height / 2 - gutter * (to_x - x) / length
        near = any(math.hypot(beyond_x - mx, beyond_y - my) < 0.1 + gutter for mx, my in middles)
        room.append(min(bleed, gutter / 2) if near else bleed)
    return room


def room(arrangement: Arrangement, index: int, count: int, bleed: float) -> Insets:
    """How far cell `index` may bleed when the first `count` cells hold cards: half the gutter towards
    a neighbour, the whole bleed where there is none.

    Cells fill row by row. A cell without a neighbour on two adjoining sides has none across that
    corner either, so its clip, a rectangle, never reaches into another cell's trim. A card with a
    blank back still counts as a neighbour.
    """
    row, column = divmod(index, arrangement.columns)
    beside, above = (min(bleed, gap / 2) for gap in arrangement.gaps)
    right = column + 1 < arrangement.columns and index + 1 < count
    below = index + arrangement.columns < count
    return Insets(
        above if row else bleed,
        beside if right else bleed,
        above if below else bleed,
        beside if column else bleed,
    )


def within(rect: Rect, page: Size) -> Rect:
    """The part of `rect` that lies on the page."""
    left, top = max(0.0, rect.x), max(0.0, rect.y)
    right, bottom = min(page.width, rect.right), min(page.height, rect.bottom)
    return Rect(left, top, right - left, bottom - top)


def bounds(rects: Sequence[Rect]) -> Rect:
    """The smallest rectangle around all of them; there is at least one."""
    left, top = min(rect.x for rect in rects), min(rect.y for rect in rects)
    right, bottom = max(rect.right for rect in rects), max(rect.bottom for rect in rects)
    return Rect(left, top, right - left, bottom - top)
