"""The cards of one page: where each is trimmed, how it is turned, how far it may paint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from cardgen.geometry import Insets, Rect, Size
from cardgen.imposition.flipping import Axis, back_rotation, behind
from cardgen.imposition.grid import Arrangement
from cardgen.model.artwork import CardArt, Extent
from cardgen.model.game import Shape
from cardgen.model.sheets import Rotation, Slot

Shapes = Mapping[str, tuple[Shape, float]]
"""The shape and the corner radius in mm of each component."""

Cells = dict[tuple[int, int, Size, float], tuple[Rect, Rotation, Rect]]
"""Trim, rotation and clip of the cards of an arrangement: by cell, how many cards the page has, the card's
trim, its bleed on this sheet."""


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
        _slot(page, index, card, card.face, artworks, bleed, shapes)
        for index, card in enumerate(page.cards)
    )


def back_slots(
    page: Filling, artworks: Mapping[str, Extent], bleed: float, axis: Axis | None, shapes: Shapes
) -> tuple[Slot, ...]:
    """The slots of the cards that have a back, in the order of their faces.

    Each lies behind its face once the paper is turned about `axis`; without an axis it lies on its
    page as its face does on its own.
    """
    slots = []
    for index, card in enumerate(page.cards):
        if card.back is None:
            continue
        slot = _slot(page, index, card, card.back, artworks, bleed, shapes)
        if axis is not None:
            size = page.arrangement.page
            slot = replace(
                slot,
                trim=behind(slot.trim, size, axis),
                rotation=back_rotation(slot.rotation, axis),
                clip=behind(slot.clip, size, axis),
            )
        slots.append(slot)
    return tuple(slots)


def _slot(
    page: Filling,
    index: int,
    card: CardArt,
    key: str,
    artworks: Mapping[str, Extent],
    bleed: float,
    shapes: Shapes,
) -> Slot:
    artwork = artworks[key]
    size, bleed, count = artwork.trim.size, min(bleed, artwork.bleed), len(page.cards)
    cell = page.cells.get((index, count, size, bleed))
    if cell is None:
        trim = page.arrangement.place(index)
        rotation: Rotation = 0 if size.close_to(trim.size) else 90
        limits = _room(page.arrangement, index, count, bleed)
        outer = Insets(-limits.top, -limits.right, -limits.bottom, -limits.left)
        cell = trim, rotation, within(trim.inset(outer), page.arrangement.page)
        page.cells[index, count, size, bleed] = cell
    return Slot(*cell, key, card.component, card.card, shapes[card.component][0])


def _room(arrangement: Arrangement, index: int, count: int, bleed: float) -> Insets:
    """How far cell `index` may bleed when the first `count` cells hold cards: half the gutter towards
    a neighbour, the whole bleed where there is none.

    Cells fill row by row. A cell without a neighbour on two adjoining sides has none across that
    corner either, so its clip, a rectangle, never reaches into another cell's trim. A card with a
    blank back still counts as a neighbour.
    """
    row, column = divmod(index, arrangement.columns)
    towards = min(bleed, arrangement.gutter / 2)
    right = column + 1 < arrangement.columns and index + 1 < count
    below = index + arrangement.columns < count
    return Insets(
        towards if row else bleed,
        towards if right else bleed,
        towards if below else bleed,
        towards if column else bleed,
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
