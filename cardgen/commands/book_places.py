"""What the diagrams of rulebooks point at: where named things lie on sides of cards, and how the game lies
on its table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import astuple
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from cardgen.commands.grouping import kept_needs, kept_places, kept_sources
from cardgen.findings import Findings
from cardgen.geometry import Rect
from cardgen.model.book import NamedPlaces, TableThing, TableView
from cardgen.model.game import Game
from cardgen.model.table import Placed, SnapRef

if TYPE_CHECKING:
    from cardgen.book.elements import CardRef
    from cardgen.typesetting.fonts import FontBook

_SHOWS_TABLE = re.compile(r":::[ \t]*set-up[ \t]+table\b")


def places_of(
    game: Game, wanted: Mapping[CardRef, Iterable[str]], fontbook: FontBook, *, low_ink: bool
) -> dict[CardRef, NamedPlaces]:
    """Where what is named on sides lies. A side that can't be rendered has nothing; rendering it says why.
    What was found is kept by what the side is made from."""
    if not wanted:
        return {}
    from jinja2.exceptions import TemplateError

    from cardgen.rendering.cards import SideRenderer
    from cardgen.rendering.templating import TemplateLoader

    kept, sources = kept_places(game), kept_sources(game)
    renderer = SideRenderer(
        game, game.paths, fontbook, low_ink=low_ink, needs=kept_needs(game), sources=sources
    )

    loader = TemplateLoader(game.paths)

    @cache
    def template(name: str) -> list[str]:
        try:
            return loader.source(name).split("\n")
        except TemplateError:  # rendering says what is wrong with it
            return []

    cards = game.places()
    found: dict[CardRef, NamedPlaces] = {}
    for ref, names in wanted.items():
        asked = sorted(set(names))
        found[ref] = NamedPlaces({})
        card = cards.get((ref.component, ref.card))
        if card is None or not card.face:
            continue
        for side in renderer.sides([card], (ref.side,)):
            fields = sorted(side.card.fields)
            key = f"{side.made_from} {side.template} {asked!r} {fields!r}" if side.made_from else ""
            known = kept.get(key) if key else None
            if known is None:
                places = renderer.named(
                    side, asked, lambda name, first, last: "\n".join(template(name)[first - 1 : last])
                )
                if places is None:
                    continue
                known = [
                    [[name, *astuple(area)] for name, area in places.areas.items()],
                    list(places.known),
                ]
                kept.put(key, known)
            areas, others = known
            found[ref] = NamedPlaces({name: Rect(*area) for name, *area in areas}, tuple(others))
    kept.save()
    sources.save()
    return found


def places_digest(places: Mapping[CardRef, NamedPlaces]) -> str:
    """What tells places from others."""
    said = [
        (str(ref), sorted((name, astuple(area)) for name, area in each.areas.items()))
        for ref, each in places.items()
    ]
    return blake2b(repr(said).encode(), digest_size=16).hexdigest()


def view_for(text: str, game: Game) -> TableView | None:
    """How a game lies on its table, for the text of a book; None where nobody says or asks. Snap points
    that don't exist are findings where the table is read; what would lie there is left out."""
    table = game.table
    if table is None or not _SHOWS_TABLE.search(text):
        return None
    from cardgen.commands.tabletops import snaps_of
    from cardgen.exporting.job import Tabletop
    from cardgen.exporting.spots import extent_of, resting_place

    below = {(item.at.component, item.at.card) for item in table.items if isinstance(item.at, SnapRef)}
    pieces = [card for place, card in game.places().items() if place in below]
    tabletop = Tabletop(table, snaps_of(game, pieces, Findings()), {}, "")
    numbers = {seat.color: number for number, seat in enumerate(table.seats, 1)}
    gone = {(each.component, each.id) for each in game.missing}
    things: list[TableThing] = []
    for item in table.items:
        if any((id, card) in gone for id, cards in item.parts for card, _ in cards):
            continue
        try:
            at = resting_place(game, tabletop, item)
            size = extent_of(game, item)
        except (KeyError, StopIteration):
            continue
        seat = None if item.seat is None else numbers.get(item.seat, len(numbers) + 1)
        things.append(TableThing(_names(item), item.kind, at, size, _seen(game, item), seat))
    seats = tuple((seat.color, seat.at) for seat in table.seats)
    return TableView(table.size, tuple(things), seats, table.hand)


def _names(item: Placed) -> tuple[str, ...]:
    """What a thing on the table is called by: its name, its component, and its card where it is one."""
    names = [item.name] if item.name else []
    names += [component for component, _ in item.parts]
    if item.kind == "piece":
        names.append(f"{item.component}/{item.cards[0][0]}")
    return tuple(dict.fromkeys(names))


def _seen(game: Game, item: Placed) -> tuple[str, str, str] | None:
    """The side of the card that is seen of a thing."""
    if item.kind not in ("deck", "piece") or not item.cards:
        return None
    id = item.cards[0][0]
    card = next(each for each in game.component(item.component).cards if each.id == id)
    return item.component, id, "face" if item.face_up or card.back is None else "back"
