"""One card side a page, as print services want it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cardgen.geometry import Rect
from cardgen.imposition.boxes import box_slots
from cardgen.model.artwork import CardArt, Extent
from cardgen.model.game import Game, GameSheet
from cardgen.model.sheets import ImposedSheet, Page, SheetLayout, Side, Slot


def impose_single(
    game: Game,
    sheet: GameSheet,
    layout: SheetLayout,
    cards: Sequence[CardArt],
    artworks: Mapping[str, Extent],
    *,
    backs: bool,
) -> ImposedSheet:
    """A page a side: face, back, face, back; each distinct card once, as it lies on the table.

    The page is trim plus bleed (the sheet's or the card's, whichever is less) on each side, its
    TrimBox the trim, its BleedBox the page. No marks, no labels. Of a box, what lies within its panels and
    their bleed. With `backs` a card without one has
    an empty page, so that faces and backs keep taking turns. The sheet's `cards` counts copies.
    """
    pages: list[Page] = []
    component = ""
    for card in cards:
        bookmark = None
        if card.component != component:
            component = card.component
            bookmark = game.component(component).title
        face = artworks[card.face]
        page = _page(card, "face", face, card.face, layout.bleed, bookmark)
        box = game.component(component).box
        pages.append(
            page if box is None else replace(page, slots=box_slots(card, box, page.trim, page.trim.x))
        )
        if backs:
            back = face if card.back is None else artworks[card.back]
            pages.append(_page(card, "back", back, card.back, layout.bleed))
    count = sum(card.copies for card in cards)
    return ImposedSheet(sheet.name, "card", "none", tuple(pages), count)


def _page(
    card: CardArt, side: Side, artwork: Extent, key: str | None, bleed: float, bookmark: str | None = None
) -> Page:
    bleed = min(bleed, artwork.bleed)
    size = artwork.trim.size.grown(bleed)
    whole = Rect(0, 0, size.width, size.height)
    trim = whole.inset(bleed)
    slots = () if key is None else (Slot(trim, 0, whole, key, card.component, card.card),)
    return Page(size, side, trim, whole, slots, bookmark=bookmark)
