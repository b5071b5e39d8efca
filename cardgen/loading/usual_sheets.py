"""The sheets of a game whose game.yaml states none: each component on the layout that suits it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardgen.geometry import Size
from cardgen.model.game import Component, GameSheet

LEAST_PAPER = Size(210.0, 279.4)
"""What A4 and US Letter have in common, upright, mm."""
MARGIN = 5.0
"""What layouts leave to the printer at each edge, mm."""
_OF_SIZES = ("poker", "mini", "tarot", "jumbo", "square")
"""Layouts that are called like the size that they are for."""
_OF_ANY_CARD = "poker"
"""The layout of cards of other sizes: it lays out as many as fit."""
_BY_KIND = {
    "token": "tokens",
    "standee": "standees",
    "die": "stickers",
    "aid": "aids",
    "mat": "aids",
    "board": "aids",
    "box": "box",
}


def usual_sheets(components: Sequence[Component], sizes: Mapping[str, Size]) -> tuple[GameSheet, ...]:
    """Sheets that between them hold every component, each once; of a book two, to read and to fold.

    Cards go by the name of their size where a layout has it, tokens and flat pieces by their kind, and
    what neither A4 nor US Letter holds is laid out in tiles. A sheet is called like its layout.
    """
    flat: dict[str, list[str]] = {}
    sheets: list[GameSheet] = []
    for component in components:
        if component.book is None:
            flat.setdefault(_layout(component, sizes), []).append(component.id)
    taken = set(flat)
    for component in components:
        if component.book is not None:
            for name, layout in ((component.id, "single"), (f"{component.id}-booklet", "booklet")):
                name = name if name not in taken else f"{name}-book"
                taken.add(name)
                sheets.append(GameSheet(name, layout, (component.id,)))
    return (*(GameSheet(layout, layout, tuple(ids)) for layout, ids in flat.items()), *sheets)


def _layout(component: Component, sizes: Mapping[str, Size]) -> str:
    trims = {card.trim.upright for card in component.cards}
    if component.box is not None:
        return _BY_KIND["box"]
    if not all(_fits(trim, component.bleed) for trim in trims):
        return "board"
    if component.kind in _BY_KIND:
        return _BY_KIND[component.kind]
    named = (name for name in _OF_SIZES if name in sizes and trims == {sizes[name].upright})
    return next(named, _OF_ANY_CARD)


def _fits(trim: Size, bleed: float) -> bool:
    """Whether a piece and its bleed lie inside the margins of either paper, as it is or turned."""
    edge = 2 * (MARGIN + bleed)
    return trim.width + edge <= LEAST_PAPER.width and trim.height + edge <= LEAST_PAPER.height
