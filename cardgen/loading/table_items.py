"""The things on a table, one by one: which component and cards they are, and whether that can be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from cardgen.findings import Findings
from cardgen.geometry import Size
from cardgen.model.deck_lists import DeckList
from cardgen.model.dice import Die
from cardgen.model.game import Card, Component
from cardgen.model.table import LARGEST, Placed, PlacedKind, SnapRef, Spot
from cardgen.schema.wording import either, name_hint
from cardgen.units import parse_length
from cardgen.yaml.positions import DataPath
from cardgen.yaml.reader import Document

KINDS: Final = get_args(PlacedKind)
EVERY = ("at", "on", "turn", "name", "seat")
MEANS: Mapping[str, tuple[str, ...]] = {
    "deck": ("face", "shuffle", "cards", "where", "list", "nth", "rest", "locked"),
    "piece": ("face", "nth", "locked", "count", "states"),
    "bag": ("cards", "where", "nth", "rest", "locked", "infinite", "shuffle", "color"),
    "dice": ("count", "color"),
    "pawn": ("color",),
    "counter": ("value", "locked"),
    "book": ("locked",),
    "note": ("locked",),
    "zone": ("size", "hides", "hand"),
}
"""The keys that mean something to each kind of thing, besides those of all."""
LOCKED = ("board", "mat")
"""Kinds of components that stay where they are unless they are told otherwise."""

CHOOSING: Final = ("cards", "where", "list", "nth")
"""The keys that choose among cards: one of them at a time."""

SMALLEST_ZONE = 5.0
"""The least side of a zone, in mm."""

Choice = list[tuple[Card, int]]


def read_spot(at: Sequence[str], turn: float) -> Spot:
    """A place of two coordinates, which the schema has checked."""
    x, y = (round(parse_length(text), 6) for text in at)
    return Spot(x, y, float(turn) % 360)


def read_sides(size: Sequence[str]) -> list[float]:
    """How far a zone reaches, across and deep, which the schema has checked."""
    return [round(parse_length(text), 6) for text in size]


def _list_of(stated: str | Sequence[str], seat: int | None) -> str:
    """The deck list that is named, for all seats or for this one."""
    return stated if isinstance(stated, str) else stated[seat or 0]


class ItemReader:
    """Reads the entries of `items` and `each_seat`."""

    def __init__(
        self,
        document: Document,
        components: Mapping[str, Component],
        decks: Sequence[DeckList],
        findings: Findings,
    ) -> None:
        self._document, self._components, self._findings = document, components, findings
        self._decks = {deck.id: deck for deck in decks}
        self._said: set[tuple[DataPath, str]] = set()

    def read(
        self, path: DataPath, entry: Mapping[str, Any], seat: int | None = None, seats: int = 0
    ) -> Placed | None:
        """A thing, its place as its entry says it (for `each_seat`: seen from the seat with that number,
        from 0, of `seats`); None after findings."""
        kind = self._kind(path, entry)
        if kind is None or not self._keys_fit(path, kind, entry, seat):
            return None
        component = ""
        parts: dict[str, list[tuple[str, int]]] = {}
        if kind in ("deck", "piece", "bag"):
            found = self._cards(path, kind, entry, seat, seats)
            if found is None:
                return None
            for card, copies in found:
                parts.setdefault(card.component, []).append((card.id, copies))
            component = next(iter(parts))
        elif kind == "dice" and "/" in entry["dice"]:
            own = self._die(path, entry["dice"])
            if own is None or own[1].kind is None:
                return None
            component, die = own[0], own[1]
            entry = {"name": die.id, "count": die.copies, "note": die.id, **entry, "dice": die.kind}
        elif kind == "book":
            if not self._is_book(path, entry["book"]):
                return None
            component = entry["book"]
        at = self._at(path, entry)
        states = self._states(path, entry, component, parts)
        if at is None or states is None:
            return None
        home = self._components.get(component)
        name = next((entry[key] for key in ("name", "counter", "pawn", "zone") if key in entry), None)
        if name is None and "list" in entry:
            name = self._decks[_list_of(entry["list"], seat)].title
        return Placed(
            kind=kind,
            at=at,
            turn=float(entry["turn"]) % 360,
            path=tuple(path),
            name=name,
            component=component,
            cards=tuple(parts.get(component, ())),
            more=tuple((id, tuple(cards)) for id, cards in parts.items() if id != component),
            face_up=entry.get("face", "up" if kind == "piece" else "down") == "up",
            shuffle=entry["shuffle"],
            locked=entry.get("locked", home is not None and home.kind in LOCKED),
            infinite=entry["infinite"],
            count=entry.get("count", 1),
            color=entry.get("color"),
            die=entry.get("dice", "d6"),
            value=entry.get("value", 0),
            text=entry.get("note", ""),
            area=Size(*read_sides(entry["size"])) if kind == "zone" else None,
            hides=entry.get("hides"),
            hand=entry.get("hand", False),
            states=states,
        )

    def extent(self, item: Placed) -> Size:
        """The size of a thing in mm, lying unturned."""
        home = self._components.get(item.component)
        if home is None or not item.cards:
            return item.extent(home.trim if home is not None else None)
        return item.extent(next(card.trim for card in home.cards if card.id == item.cards[0][0]))

    # ---------------------------------------------------------------- one entry

    def _kind(self, path: DataPath, entry: Mapping[str, Any]) -> PlacedKind | None:
        kinds: list[PlacedKind] = [name for name in KINDS if name in entry]
        if len(kinds) != 1:
            message = f"a thing is one of {either(KINDS)}"
            message += f", not {' and '.join(kinds)}" if kinds else ""
            self._say("table/item", message, path)
            return None
        if "at" not in entry and "on" not in entry:
            self._say("table/item", f"the {kinds[0]} has no place", path, "write at: [0mm, 0mm]")
            return None
        return kinds[0]

    def _keys_fit(
        self, path: DataPath, kind: PlacedKind, entry: Mapping[str, Any], seat: int | None
    ) -> bool:
        known = {kind, *EVERY, *MEANS[kind]} - ({"name"} if kind == "zone" else set())
        defaults = {key for key in ("shuffle", "infinite", "rest") if entry.get(key) is False}
        wrong = [
            (key, f"'{key}' means nothing to a {kind}", "leave it out")
            for key in entry
            if key not in known | defaults
        ]
        if "at" in entry and "on" in entry:
            wrong.append(("on", "a thing lies at a place or on a snap point", "leave one out"))
        if "seat" in entry and seat is not None:
            wrong.append(("seat", "'seat' is for things of items", "leave it out"))
        choosing = [key for key in CHOOSING if key in entry]
        if len(choosing) > 1:
            message = f"'{choosing[0]}' and '{choosing[1]}' both choose the cards"
            wrong.append((choosing[1], message, "leave one out"))
        if "nth" in entry and seat is None:
            wrong.append(("nth", "'nth' is for things of each_seat", "leave it out"))
        for key, message, hint in wrong:
            self._say("table/key", message, (*path, key), hint, key=True)
        return not wrong and (kind != "zone" or self._zone_fits(path, entry, seat))

    def _states(
        self, path: DataPath, entry: Mapping[str, Any], component: str, parts: Mapping[str, Any]
    ) -> tuple[str, ...] | None:
        """What a piece can be turned to, in order, itself among them; None after a finding."""
        if "states" not in entry:
            return ()
        ids = [card.id for card in self._components[component].cards]
        own = str(parts[component][0][0])
        if entry["states"] is True:
            return tuple(ids)
        for index, id in enumerate(entry["states"]):
            if id not in ids or id == own:
                message = f"{component} has no card '{id}'" if id != own else f"'{id}' is what lies there"
                hint = name_hint(id, ids, f"cards of {component}") if id != own else "leave it out"
                self._say("reference/card", message, (*path, "states", index), hint)
                return None
        return (own, *entry["states"])

    def _zone_fits(self, path: DataPath, entry: Mapping[str, Any], seat: int | None) -> bool:
        owned = seat is not None or "seat" in entry
        message = hint = None
        if "size" not in entry:
            message, hint = "the zone has no size", "write size: [100mm, 120mm]"
        elif not all(SMALLEST_ZONE <= side <= LARGEST.width for side in read_sides(entry["size"])):
            message = f"a side of a zone has {SMALLEST_ZONE:g} to {LARGEST.width:g}mm"
        elif "hides" in entry and entry.get("hand"):
            message, hint = "a hand hides what it holds by itself", "leave hides out"
        elif not owned and (entry.get("hand") or entry.get("hides") in ("others", "owner")):
            message = "the zone belongs to nobody"
            hint = "put it into each_seat, or write whose it is: seat: COLOR"
        if message is not None:
            self._say("table/item", message, path, hint)
        return message is None

    def _cards(
        self, path: DataPath, kind: PlacedKind, entry: Mapping[str, Any], seat: int | None, seats: int
    ) -> Choice | None:
        """The cards of a pile, a bag or a piece with how many of each."""
        homes = self._homes(path, kind, entry[kind])
        found = None if homes is None else self._chosen(path, kind, entry, homes, seat, seats)
        if homes is None or found is None:
            return None
        if kind == "piece" or entry["infinite"]:
            if len(found) > 1:
                what = (
                    "a piece is one card" if kind == "piece" else "a bag that never runs out holds one card"
                )
                names = [f"{card.component}/{card.id}" for card in homes[0].cards]
                hint = f"write {either(names[:3])}" + (" or another" if len(names) > 3 else "")
                self._fail(path, kind, what, hint)
                return None
            return [(found[0][0], 1)]
        found = [(card, number) for card, number in found if number > 0]
        sizes = {card.trim for card, _ in found}
        if kind == "deck" and len(sizes) > 1:
            message = f"a pile of cards of {len(sizes)} sizes: {', '.join(sorted(map(str, sizes)))}"
            self._fail(path, kind, message, "make a pile of each size: cards: […]")
            return None
        if not found:
            names = [home.id for home in homes]
            self._fail(path, kind, f"there are no copies of {either(names)} for so many players", None)
            return None
        return found

    def _homes(self, path: DataPath, kind: PlacedKind, stated: Any) -> list[Component] | None:
        """The component that a thing is made of, or those that are mixed in a deck."""
        ids = [str(stated).partition("/")[0]] if isinstance(stated, str) else stated
        homes = [self._component(path, kind, id) for id in ids]
        known = [home for home in homes if home is not None]
        return known if len(known) == len(homes) else None

    def _chosen(
        self,
        path: DataPath,
        kind: PlacedKind,
        entry: Mapping[str, Any],
        homes: Sequence[Component],
        seat: int | None,
        seats: int,
    ) -> Choice | None:
        """The cards that an entry names, by whichever of its keys, with their copies."""
        home = homes[0]
        if "/" in entry[kind]:
            return self._named((*path, kind), home, {entry[kind].partition("/")[2]: None})
        if "list" in entry:
            return self._listed((*path, "list"), home, entry["list"], seat, seats)
        where: DataPath = path
        chosen: Any = None
        for key in ("cards", "where"):
            if key in entry:
                where, chosen = (*path, key), entry[key]
        if "nth" in entry and seat is not None:
            where = (*path, "nth")
            chosen = self._nth(where, entry["nth"], home, seat, seats)
            if chosen is None:
                return None
        if chosen is None:
            return [(card, card.copies) for each in homes for card in each.cards]
        if "cards" not in entry and isinstance(chosen, dict):
            return self._with_fields(where, homes, chosen)
        if len(homes) > 1:
            hint = "say which fields they have: where: {set: starter}"
            self._say(
                "table/item", "cards of several components have no ids in common", where, hint, key=True
            )
            return None
        return self._named(where, home, chosen if isinstance(chosen, dict) else dict.fromkeys(chosen))

    def _named(self, where: DataPath, home: Component, named: Mapping[str, int | None]) -> Choice | None:
        """Cards by id, with so many copies; None for as many as they have."""
        by_id = {card.id: card for card in home.cards}
        for name in named:
            if name not in by_id:
                message = f"{home.id} has no card '{name}'"
                hint = name_hint(name, by_id, f"cards of {home.id}")
                self._say("reference/card", message, where, hint)
                return None
        return [
            (by_id[name], by_id[name].copies if number is None else number)
            for name, number in named.items()
        ]

    def _with_fields(
        self, where: DataPath, homes: Sequence[Component], fields: Mapping[str, Any]
    ) -> Choice | None:
        """Cards whose fields have these values, or one of several."""
        wanted = {name: value if isinstance(value, list) else [value] for name, value in fields.items()}
        found = [
            (card, card.copies)
            for home in homes
            for card in home.cards
            if all(card.fields.get(name) in values for name, values in wanted.items())
        ]
        if not found:
            asked = " and ".join(f"{name} {either(map(str, values))}" for name, values in wanted.items())
            message = f"no card of {either([home.id for home in homes])} has {asked}"
            known = sorted({name for home in homes for card in home.cards for name in card.fields})
            missing = [name for name in wanted if name not in known]
            hint = name_hint(missing[0], known, "fields") if missing else None
            self._say("table/item", message, where, hint)
            return None
        return found

    def _listed(
        self, where: DataPath, home: Component, stated: Any, seat: int | None, seats: int
    ) -> Choice | None:
        """The cards of one of the game's deck lists; a list of them has one for each seat."""
        if not isinstance(stated, str) and (seat is None or len(stated) < seats):
            message = "several deck lists are for things of each_seat"
            if seat is not None:
                message = f"{len(stated)} deck lists are not enough for {seats} seats"
            self._say("table/nth", message, where)
            return None
        id = _list_of(stated, seat)
        deck = self._decks.get(id)
        if deck is None:
            hint = name_hint(id, self._decks, "deck lists")
            message = f"there is no deck list '{id}'"
            self._say("reference/deck", message, where, hint)
            return None
        if deck.component != home.id:
            message = f"the deck list '{id}' is of {deck.component}, not of {home.id}"
            self._say("table/item", message, where, f"write deck: {deck.component}")
            return None
        by_id = {card.id: card for card in home.cards}
        return [(by_id[each.card], each.copies) for each in deck.entries]

    def _nth(self, path: DataPath, value: Any, home: Component, seat: int, seats: int) -> Any:
        """What `nth` says for a seat: ids of cards, or fields that they have."""
        choices = [card.id for card in home.cards] if value is True else value
        if len(choices) < seats and not (value is True and len(choices) == 1):
            message = f"{len(choices)} cards are not enough for {seats} seats"
            self._say("table/nth", message, path)
            return None
        chosen = choices[min(seat, len(choices) - 1)]
        return [chosen] if isinstance(chosen, str) else chosen

    def _component(self, path: DataPath, kind: PlacedKind, id: str) -> Component | None:
        home = self._components.get(id)
        if home is None:
            hint = name_hint(id, self._components, "components")
            self._say("reference/component", f"there is no component '{id}'", (*path, kind), hint)
        elif home.book is not None:
            self._fail(path, kind, f"'{id}' is a book", f"write book: {id}")
            return None
        return home

    def _die(self, path: DataPath, stated: str) -> tuple[str, Die] | None:
        """The component and the die that `COMPONENT/DIE` names; None after findings."""
        id, _, name = stated.partition("/")
        home = self._component(path, "dice", id)
        if home is None:
            return None
        die = next((each for each in home.dice if each.id == name), None)
        if die is None:
            hint = name_hint(name, [each.id for each in home.dice], "dice")
            self._say("reference/card", f"{id} has no die '{name}'", (*path, "dice"), hint)
        elif die.kind is None:
            message = f"no table on a screen has dice with the {len(die.stickers)} faces of '{name}'"
            self._fail(path, "dice", message, "leave it out")
        return None if die is None else (id, die)

    def _is_book(self, path: DataPath, id: str) -> bool:
        home = self._components.get(id)
        if home is not None and home.book is not None:
            return True
        books = [each.id for each in self._components.values() if each.book is not None]
        hint = name_hint(id, books, "books")
        self._say("reference/component", f"there is no book '{id}'", (*path, "book"), hint)
        return False

    def _at(self, path: DataPath, entry: Mapping[str, Any]) -> Spot | SnapRef | None:
        if "at" in entry:
            return read_spot(entry["at"], entry["turn"])
        id, slash, card = entry["on"]["piece"].partition("/")
        home = self._component((*path, "on"), "piece", id)
        if home is None:
            return None
        if not slash:
            if len(home.cards) > 1:
                self._fail((*path, "on"), "piece", f"'{id}' has several cards", f"write {id}/CARD")
                return None
            card = home.cards[0].id
        elif card not in {each.id for each in home.cards}:
            hint = name_hint(card, [each.id for each in home.cards], f"cards of {id}")
            self._say("reference/card", f"{id} has no card '{card}'", (*path, "on", "piece"), hint)
            return None
        return SnapRef(id, card, entry["on"]["snap"])

    def _fail(self, path: DataPath, key: str, message: str, hint: str | None) -> None:
        self._say("table/item", message, (*path, key), hint)

    def _say(
        self, code: str, message: str, path: DataPath, hint: str | None = None, *, key: bool = False
    ) -> None:
        """An error, once for all seats."""
        if (path, message) not in self._said:
            self._said.add((path, message))
            self._findings.error(code, message, self._document.locate(path, key=key), hint)
