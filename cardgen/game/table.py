"""`data/GAME/table.yaml`: the place of everything at the start of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, get_args

from cardgen.core.findings import Findings, plural
from cardgen.core.game import Card, Component, DeckList, Die
from cardgen.core.geometry import Size, parse_length
from cardgen.core.records import dataclass, replace
from cardgen.core.table import (
    LARGEST,
    Act,
    CardWords,
    Placed,
    PlacedKind,
    Scene,
    Seat,
    SnapRef,
    Spot,
    Step,
    Table,
    is_called,
    title_of,
)
from cardgen.files.yaml import Document
from cardgen.files.yaml_text import DataPath
from cardgen.game.facts import length
from cardgen.game.schema_file import either, listed, name_hint, shown
from cardgen.game.sources import Sources, Subject

TABLE_SCHEMA = "schemas/table.schema.json"
BEYOND = 250.0
"""Distance beyond the edge of the table, in mm, allowed for the middle of a hand zone."""


def load_table(
    sources: Sources,
    game: str,
    components: Sequence[Component],
    decks: Sequence[DeckList],
    players: tuple[int, int],
    player_count: int | None,
) -> Table | None:
    """Return the table of a game; None if it has no such file, or after findings. With a `player_count`
    only that many seats are used."""
    relative = f"data/{game}/table.yaml"
    if not sources.has(relative):
        return None
    document = sources.checked(relative, TABLE_SCHEMA)
    if document is None:
        return None
    before = len(sources.findings.errors)
    table = _Reader(document, components, decks, sources.findings).read(players, player_count)
    return table if len(sources.findings.errors) == before else None


class _Reader:
    """A reader of one table."""

    def __init__(
        self,
        document: Document,
        components: Sequence[Component],
        decks: Sequence[DeckList],
        findings: Findings,
    ) -> None:
        self._subject = Subject(document, findings)
        self._data: dict[str, Any] = document.data
        self._components = {component.id: component for component in components}
        self._items = ItemReader(self._subject, self._components, decks)

    def read(self, players: tuple[int, int], player_count: int | None) -> Table:
        size, hand = self._size("size"), self._size("hand")
        seats = self._seats(size)
        if len(seats) < players[1]:
            message = f"{len(seats)} seats are not enough for {players[1]} players"
            hint = f"add {plural(players[1] - len(seats), 'seat')} under seats"
            self._subject.below("seats").warning("table/seats", message, hint)
        taken = seats if player_count is None else seats[:player_count]
        items = self._placed(seats, taken)
        self._check_names(items)
        self._check_snaps(items)
        self._check_inside(items, size)
        self._check_zones(items)
        return Table(
            size,
            hand,
            self._data["color"],
            tuple(items),
            tuple(taken),
            self._data.get("setup", ""),
            self._words(),
            self._subject.document.relative,
            self._steps(items, seats, players, player_count),
            self._minutes(),
            tuple(self._data["workshop"].get("tags", ())),
            {name: self._scene(name, entry) for name, entry in self._data["scenes"].items()},
        )

    def _scene(self, name: str, entry: Mapping[str, Any]) -> Scene:
        items: list[Placed] = []
        for index, stated in enumerate(entry["items"]):
            path = ("scenes", name, "items", index)
            wrong = next((key for key in NOT_IN_SCENES if stated.get(key)), None)
            if wrong is not None:
                subject = self._subject.below(*path, wrong)
                subject.error("table/item", f"'{wrong}' has no effect in a scene", "remove it", key=True)
                continue
            item = self._items.read(path, stated)
            if item is not None:
                items.append(item)
        self._check_snaps(items)
        self._check_zones(items)
        return Scene(tuple(items), entry.get("title", ""))

    def _minutes(self) -> tuple[int, int]:
        least, most = self._data["workshop"].get("minutes", (0, 0))
        if least > most:
            subject = self._subject.below("workshop", "minutes")
            subject.error(
                "table/minutes", f"{least} minutes are more than {most}", "write the minimum first"
            )
        return least, most

    def _steps(
        self,
        items: Sequence[Placed],
        seats: Sequence[Seat],
        players: tuple[int, int],
        player_count: int | None,
    ) -> tuple[Step, ...]:
        components, subject = list(self._components.values()), self._subject.below("steps")
        steps = read_steps(subject, self._data.get("steps", ()), components, items, len(seats))
        counts = players if player_count is None else (player_count, player_count)
        check_dealing(subject, components, items, seats, steps, counts, self._items.extent)
        return tuple(step for _, step in steps)

    def _size(self, key: str) -> Size:
        sides = []
        for index, most in enumerate((LARGEST.width, LARGEST.height)):
            subject = self._subject.below(key, index) if key in self._data else self._subject
            sides.append(length(subject, self._data[key][index], most=most) or 0.0)
        return Size(sides[0], sides[1])

    def _seats(self, size: Size) -> list[Seat]:
        seats: list[Seat] = []
        for index, entry in enumerate(self._data["seats"]):
            at, subject = read_spot(entry["at"], entry["turn"]), self._subject.below("seats", index)
            if any(seat.color == entry["color"] for seat in seats):
                message = f"two seats have the color {entry['color']}"
                subject.below("color").error("table/seats", message, "give each seat a color of its own")
            if abs(at.x) > size.width / 2 + BEYOND or abs(at.y) > size.height / 2 + BEYOND:
                message = f"the seat is more than {BEYOND:g}mm beyond the table of {size}"
                subject.below("at").error(
                    "table/outside", message, "move it, or write a larger table: size"
                )
            seats.append(Seat(entry["color"], at))
        return seats

    def _placed(self, all_seats: Sequence[Seat], seats: Sequence[Seat]) -> list[Placed]:
        placed: list[Placed] = []
        for index, entry in enumerate(self._data["items"]):
            path = ("items", index)
            color = entry.get("seat")
            if color is not None and all(seat.color != color for seat in all_seats):
                hint = name_hint(color, [seat.color for seat in all_seats], "seats")
                subject = self._subject.below(*path, "seat")
                subject.error("table/seats", f"there is no seat {color}", hint)
            item = self._items.read(path, entry)
            if item is not None and (color is None or any(seat.color == color for seat in seats)):
                placed.append(replace(item, seat=color))
        for index, entry in enumerate(self._data["each_seat"]):
            for number, seat in enumerate(seats):
                item = self._items.read(("each_seat", index), entry, number, len(seats))
                if item is None:
                    break  # reported once, not once a seat
                if isinstance(item.at, Spot):
                    item = replace(item, at=seat.at.place(item.at))
                placed.append(replace(item, seat=seat.color))
        return self._with_rests(placed)

    def _with_rests(self, placed: Sequence[Placed]) -> list[Placed]:
        """Remove cards placed elsewhere from piles and bags of the rest, in the order of the file."""

        def takes_rest(item: Placed) -> bool:
            part, index = item.path
            return bool(self._data[str(part)][index]["rest"])

        used: Counter[tuple[str, str]] = Counter()
        for item in placed:
            if item.component and not item.infinite and not takes_rest(item):
                times = item.count if item.kind == "piece" else 1
                for home, cards in item.parts:
                    used.update({(home, id): copies * times for id, copies in cards})
                used.update(dict.fromkeys(item.shown[sum(len(cards) for _, cards in item.parts) :], times))
        whole = []
        for item in placed:
            if takes_rest(item):
                left = tuple(
                    (home, tuple((id, n - used[home, id]) for id, n in cards if n > used[home, id]))
                    for home, cards in item.parts
                )
                left = tuple((home, cards) for home, cards in left if cards)
                for home, cards in left:
                    used.update({(home, id): copies for id, copies in cards})
                if not left:
                    message = f"no cards are left for the {item.kind}: other items use all of them"
                    where = self._subject.below(*item.path, "rest")
                    where.error(
                        "table/item", message, "remove the item, or take fewer cards in others", key=True
                    )
                    continue
                item = replace(item, component=left[0][0], cards=left[0][1], more=left[1:])
            whole.append(item)
        return whole

    def _check_names(self, placed: Sequence[Placed]) -> None:
        """Report unknown components of `left_out` and `tts`, and unmentioned components."""
        for index, id in enumerate(self._data["left_out"]):
            self._check_known(id, self._subject.below("left_out", index))
        for id in self._data["tts"]:
            if id != "all":
                self._check_known(id, self._subject.below("tts", id), key=True)
        shown = {id for item in placed for id, _ in item.parts} | set(self._data["left_out"])
        stated = {
            str(name).partition("/")[0]
            for entry in (*self._data["items"], *self._data["each_seat"])
            for kind in get_args(PlacedKind)
            for name in (entry[kind] if isinstance(entry.get(kind), list) else [entry.get(kind, "")])
        }
        for id, component in self._components.items():
            if id not in shown | stated and component.box is None:
                message = f"the component '{id}' is not on the table"
                hint = f"place it, or keep it in the box: left_out: [{id}]"
                self._subject.warning("table/unused", message, hint)

    def _check_known(self, id: str, stated: Subject, *, key: bool = False) -> None:
        if id not in self._components:
            hint = name_hint(id, self._components, "components")
            stated.error("reference/component", f"there is no component '{id}'", hint, key=key)

    def _check_snaps(self, placed: Sequence[Placed]) -> None:
        """Report things on snap points of pieces without a place of their own."""
        there = {
            (item.component, item.cards[0][0])
            for item in placed
            if item.kind == "piece" and isinstance(item.at, Spot)
        }
        for item in placed:
            if isinstance(item.at, SnapRef) and (item.at.component, item.at.card) not in there:
                name = f"{item.at.component}/{item.at.card}"
                message = f"'{name}' is not on the table, so nothing can be placed on it"
                hint = "place it with `piece:` and `at:`"
                self._subject.below(*item.path, "on", "piece").error("table/snap", message, hint)

    def _check_inside(self, placed: Sequence[Placed], size: Size) -> None:
        """Report things that extend beyond the edge of the table."""
        said: set[DataPath] = set()
        for item in placed:
            if not isinstance(item.at, Spot) or item.path in said or item.hand:
                continue
            reach = item.at.extent(self._items.extent(item))
            over = max(
                abs(item.at.x) + reach.width / 2 - size.width / 2,
                abs(item.at.y) + reach.height / 2 - size.height / 2,
            )
            if over > 0.5:
                said.add(item.path)
                what = item.component or item.name or item.kind
                seat = f" of {item.seat}" if item.seat else ""
                message = f"the {item.kind} '{what}'{seat} extends {over:.0f}mm beyond the table of {size}"
                hint = "move it, or write a larger table: size"
                self._subject.below(*item.path, "at").error("table/outside", message, hint)

    def _check_zones(self, placed: Sequence[Placed]) -> None:
        """Report things that are half in a zone. A zone may also be a part of a larger thing."""
        extent = self._items.extent
        there = [(item, item.at.area(extent(item))) for item in placed if isinstance(item.at, Spot)]
        said: set[DataPath] = set()
        for zone, area in there:
            for thing, other in there if zone.kind == "zone" else ():
                if thing.path in said or not area.overlaps(other, _TOUCHING):
                    continue
                if area.contains(other, _TOUCHING) or other.contains(area, _TOUCHING):
                    continue
                said |= {zone.path, thing.path}
                what = thing.component or thing.name or thing.kind
                line = self._subject.document.locate(zone.path).line
                message = f"the {thing.kind} '{what}' is half in the zone '{zone.name}' of line {line}"
                hint = "correct `at` or `size` of one of them, so that it is inside or outside"
                self._subject.below(*thing.path, "at").warning("table/half-inside", message, hint)

    def _words(self) -> Mapping[str, CardWords]:
        return {
            id: CardWords(
                entry.get("nickname"),
                entry.get("description"),
                tuple(entry["tags"]) if "tags" in entry else None,
                entry.get("gm_notes"),
                (entry["sides"][0], entry["sides"][1]) if "sides" in entry else None,
                ("tts", id),
            )
            for id, entry in self._data["tts"].items()
        }


_TOUCHING = 1
"""mm that two things may overlap."""


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
"""The keys that apply to each kind of thing, besides those of all."""
NOT_IN_SCENES = ("rest", "nth", "list", "seat", "hides", "hand")
"""The keys that mean nothing in a scene, which nobody plays."""
LOCKED = ("board", "mat")
"""Kinds of components that don't move by default."""

CHOOSING: Final = ("cards", "where", "list", "nth")
"""The keys that choose among cards: one of them at a time."""

SMALLEST_ZONE = 5.0
"""The smallest side of a zone, in mm."""

Choice = list[tuple[Card, int]]


def read_spot(at: Sequence[str], turn: float) -> Spot:
    """Return a place of two coordinates, which the schema has checked."""
    x, y = (round(parse_length(text), 6) for text in at)
    return Spot(x, y, float(turn) % 360)


def read_sides(size: Sequence[str]) -> list[float]:
    """Return the size of a zone, across and deep, which the schema has checked."""
    return [round(parse_length(text), 6) for text in size]


def _list_of(stated: str | Sequence[str], seat: int | None) -> str:
    """Return the named deck list, for all seats or for this one."""
    return stated if isinstance(stated, str) else stated[seat or 0]


@dataclass(frozen=True, slots=True)
class _Thing:
    """An entry of `items`, or of `each_seat`, read for one `seat` (from 0) of `seats`. The same problem at
    every seat is one finding."""

    subject: Subject
    stated: Mapping[str, Any]
    kind: PlacedKind
    seat: int | None
    seats: int
    in_scene: bool = False

    def fail(self, key: str, message: str, hint: str | None = None) -> None:
        self.subject.below(key).error("table/item", message, hint)


class ItemReader:
    """A reader of the entries of `items` and `each_seat`."""

    def __init__(
        self, document: Subject, components: Mapping[str, Component], decks: Sequence[DeckList]
    ) -> None:
        self._document, self._components = document, components
        self._decks = {deck.id: deck for deck in decks}

    def read(
        self, path: DataPath, entry: Mapping[str, Any], seat: int | None = None, seats: int = 0
    ) -> Placed | None:
        """Return a thing, placed by its entry (for `each_seat`: seen from the seat with that number, from
        0, of `seats`); None after findings."""
        subject = self._document.below(*path)
        kind = _kind(subject, entry)
        if kind is None:
            return None
        thing = _Thing(subject, entry, kind, seat, seats, path[0] == "scenes")
        if not _keys_fit(thing):
            return None
        component = ""
        parts: dict[str, list[tuple[str, int]]] = {}
        if kind in ("deck", "piece", "bag"):
            found = self._cards(thing)
            if found is None:
                return None
            for card, copies in found:
                parts.setdefault(card.component, []).append((card.id, copies))
            component = next(iter(parts))
        elif kind == "dice" and "/" in entry["dice"]:
            own = self._die(thing)
            if own is None or own[1].kind is None:
                return None
            component, die = own[0], own[1]
            entry = {"name": die.id, "count": die.copies, "note": die.id, **entry, "dice": die.kind}
        elif kind == "book":
            if not self._is_book(thing):
                return None
            component = entry["book"]
        at = self._at(thing)
        states = self._states(thing, component, parts)
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
        """Return the size of an unturned thing in mm."""
        home = self._components.get(item.component)
        if home is None or not item.cards:
            return item.extent(home.trim if home is not None else None)
        return item.extent(next(card.trim for card in home.cards if card.id == item.cards[0][0]))

    # ---------------------------------------------------------------- one entry

    def _states(self, thing: _Thing, component: str, parts: Mapping[str, Any]) -> tuple[str, ...] | None:
        """Return the states of a piece, in order, itself among them; None after a finding."""
        if "states" not in thing.stated:
            return ()
        states = thing.stated["states"]
        ids = [card.id for card in self._components[component].cards]
        own = str(parts[component][0][0])
        if states is True:
            return tuple(ids)
        for index, id in enumerate(states):
            if id not in ids or id == own:
                message = (
                    f"{component} has no card '{id}'" if id != own else f"'{id}' is already the first state"
                )
                hint = name_hint(id, ids, f"cards of {component}") if id != own else "remove it"
                thing.subject.below("states", index).error("reference/card", message, hint)
                return None
        return (own, *states)

    def _cards(self, thing: _Thing) -> Choice | None:
        """Return the cards of a pile, a bag or a piece with the number of each."""
        kind = thing.kind
        homes = self._homes(thing)
        found = None if homes is None else self._chosen(thing, homes)
        if homes is None or found is None:
            return None
        if kind == "piece" or thing.stated["infinite"]:
            if len(found) > 1:
                message = "a bag that never runs out can contain only one card"
                names = [f"{card.component}/{card.id}" for card in homes[0].cards]
                hint = f"write {either(names[:3])}" + (" or another" if len(names) > 3 else "")
                thing.fail(kind, "a piece can be only one card" if kind == "piece" else message, hint)
                return None
            return [(found[0][0], 1)]
        found = [(card, number) for card, number in found if number > 0]
        sizes = {card.trim for card, _ in found}
        if kind == "deck" and len(sizes) > 1:
            message = f"a pile can't mix cards of {len(sizes)} sizes: {', '.join(sorted(map(str, sizes)))}"
            thing.fail(kind, message, "make one pile for each size: cards: […]")
            return None
        if not found:
            names = [home.id for home in homes]
            thing.fail(kind, f"there are no copies of {either(names)} for this number of players")
            return None
        return found

    def _homes(self, thing: _Thing) -> list[Component] | None:
        """Return the component of a thing, or those mixed in a deck."""
        stated = thing.stated[thing.kind]
        ids = [str(stated).partition("/")[0]] if isinstance(stated, str) else stated
        homes = [self._component(thing.subject, thing.kind, id) for id in ids]
        known = [home for home in homes if home is not None]
        return known if len(known) == len(homes) else None

    def _chosen(self, thing: _Thing, homes: Sequence[Component]) -> Choice | None:
        """Return the cards that an entry names, by any of its keys, with their copies."""
        home, entry, subject = homes[0], thing.stated, thing.subject
        if "/" in entry[thing.kind]:
            named = {entry[thing.kind].partition("/")[2]: None}
            return _named(subject.below(thing.kind), home, named)
        if "list" in entry:
            return self._listed(thing, home)
        where, chosen = subject, None
        for key in ("cards", "where"):
            if key in entry:
                where, chosen = subject.below(key), entry[key]
        if "nth" in entry and thing.seat is not None:
            where = subject.below("nth")
            chosen = _nth(where, entry["nth"], home, thing.seat, thing.seats)
            if chosen is None:
                return None
        if chosen is None:
            return [(card, card.copies) for each in homes for card in each.cards]
        if "cards" not in entry and isinstance(chosen, dict):
            return _with_fields(where, homes, chosen)
        if len(homes) > 1:
            hint = "select them by their fields: where: {set: starter}"
            message = "ids can't select cards of several components"
            where.error("table/item", message, hint, key=True)
            return None
        return _named(where, home, chosen if isinstance(chosen, dict) else dict.fromkeys(chosen))

    def _listed(self, thing: _Thing, home: Component) -> Choice | None:
        """Return the cards of one of the game's deck lists; a list of them has one for each seat."""
        where, stated = thing.subject.below("list"), thing.stated["list"]
        if not isinstance(stated, str) and (thing.seat is None or len(stated) < thing.seats):
            message = "several deck lists are only allowed in each_seat"
            if thing.seat is not None:
                message = f"{len(stated)} deck lists are not enough for {thing.seats} seats"
            where.error("table/nth", message, "name one list, or one for each seat in each_seat")
            return None
        id = _list_of(stated, thing.seat)
        deck = self._decks.get(id)
        if deck is None:
            where.refuse_unknown("reference/deck", id, self._decks, "deck list", "deck lists")
            return None
        if deck.component != home.id:
            message = f"the deck list '{id}' is of {deck.component}, not of {home.id}"
            where.error("table/item", message, f"write deck: {deck.component}")
            return None
        by_id = {card.id: card for card in home.cards}
        return [(by_id[each.card], each.copies) for each in deck.entries]

    def _component(self, subject: Subject, key: str, id: str) -> Component | None:
        """Return the component of that name, which has cards."""
        home, stated = self._components.get(id), subject.below(key)
        if home is None:
            known = self._components
            stated.refuse_unknown("reference/component", id, known, "component", "components")
        elif home.book is not None:
            stated.error("table/item", f"'{id}' is a book", f"write book: {id}")
            return None
        return home

    def _die(self, thing: _Thing) -> tuple[str, Die] | None:
        """Return the component and the die of `COMPONENT/DIE`; None after findings."""
        id, _, name = thing.stated["dice"].partition("/")
        home = self._component(thing.subject, "dice", id)
        if home is None:
            return None
        die = next((each for each in home.dice if each.id == name), None)
        if die is None:
            hint = name_hint(name, [each.id for each in home.dice], "dice")
            thing.subject.below("dice").error("reference/card", f"{id} has no die '{name}'", hint)
        elif die.kind is None:
            message = f"no table on a screen has dice with the {len(die.stickers)} faces of '{name}'"
            thing.fail("dice", message, "remove it")
        return None if die is None else (id, die)

    def _is_book(self, thing: _Thing) -> bool:
        id = thing.stated["book"]
        home = self._components.get(id)
        if home is not None and home.book is not None:
            return True
        books = [each.id for each in self._components.values() if each.book is not None]
        thing.subject.below("book").refuse_unknown("reference/component", id, books, "book", "books")
        return False

    def _at(self, thing: _Thing) -> Spot | SnapRef | None:
        entry, on = thing.stated, thing.subject.below("on")
        if "at" in entry:
            return read_spot(entry["at"], entry["turn"])
        id, slash, card = entry["on"]["piece"].partition("/")
        home = self._component(on, "piece", id)
        if home is None:
            return None
        piece = on.below("piece")
        if not slash:
            if len(home.cards) > 1:
                piece.error("table/item", f"'{id}' has several cards", f"write {id}/CARD")
                return None
            card = home.cards[0].id
        elif card not in {each.id for each in home.cards}:
            hint = name_hint(card, [each.id for each in home.cards], f"cards of {id}")
            piece.error("reference/card", f"{id} has no card '{card}'", hint)
            return None
        return SnapRef(id, card, entry["on"]["snap"])


def _kind(subject: Subject, entry: Mapping[str, Any]) -> PlacedKind | None:
    kinds: list[PlacedKind] = [name for name in KINDS if name in entry]
    if len(kinds) != 1:
        message = f"an item must be one of {either(KINDS)}"
        message += f", not {' and '.join(kinds)}" if kinds else ""
        subject.error("table/item", message)
        return None
    if "at" not in entry and "on" not in entry:
        subject.error("table/item", f"the {kinds[0]} has no place", "write at: [0mm, 0mm]")
        return None
    return kinds[0]


def _keys_fit(thing: _Thing) -> bool:
    kind, entry = thing.kind, thing.stated
    known = {kind, *EVERY, *MEANS[kind]}
    if kind == "zone" and not thing.in_scene:  # scripts find it by `zone`; readers of books see a name
        known.remove("name")
    defaults = {key for key in ("shuffle", "infinite", "rest") if entry.get(key) is False}
    wrong = [
        (key, f"a {kind} doesn't accept '{key}'", "remove it")
        for key in entry
        if key not in known | defaults
    ]
    if "at" in entry and "on" in entry:
        wrong.append(("on", "an item can't have both a place and a snap point", "remove one"))
    if "seat" in entry and thing.seat is not None:
        wrong.append(("seat", "'seat' is only allowed in items", "remove it"))
    choosing = [key for key in CHOOSING if key in entry]
    if len(choosing) > 1:
        message = f"'{choosing[0]}' and '{choosing[1]}' both choose the cards"
        wrong.append((choosing[1], message, "remove one"))
    if "nth" in entry and thing.seat is None:
        wrong.append(("nth", "'nth' is only allowed in each_seat", "remove it"))
    for key, message, hint in wrong:
        thing.subject.below(key).error("table/key", message, hint, key=True)
    return not wrong and (kind != "zone" or _zone_fits(thing))


def _zone_fits(thing: _Thing) -> bool:
    entry = thing.stated
    owned = thing.seat is not None or "seat" in entry
    message = hint = None
    if "size" not in entry:
        message, hint = "the zone has no size", "write size: [100mm, 120mm]"
    elif not all(SMALLEST_ZONE <= side <= LARGEST.width for side in read_sides(entry["size"])):
        message = f"a side of a zone must have {SMALLEST_ZONE:g} to {LARGEST.width:g}mm"
    elif "hides" in entry and entry.get("hand"):
        message, hint = "a hand always hides its cards", "remove hides"
    elif not owned and (entry.get("hand") or entry.get("hides") in ("others", "owner")):
        message = "the zone has no owner"
        hint = "put it into each_seat, or name its owner: seat: COLOR"
    if message is not None:
        thing.subject.error("table/item", message, hint)
    return message is None


def _named(where: Subject, home: Component, named: Mapping[str, int | None]) -> Choice | None:
    """Return cards by id, with that many copies; None for all of their copies."""
    by_id = {card.id: card for card in home.cards}
    for name in named:
        if name not in by_id:
            hint = name_hint(name, by_id, f"cards of {home.id}")
            where.error("reference/card", f"{home.id} has no card '{name}'", hint)
            return None
    return [
        (by_id[name], by_id[name].copies if number is None else number) for name, number in named.items()
    ]


def _with_fields(where: Subject, homes: Sequence[Component], fields: Mapping[str, Any]) -> Choice | None:
    """Return cards whose fields have these values, or one of several."""
    wanted = {name: value if isinstance(value, list) else [value] for name, value in fields.items()}
    found = [
        (card, card.copies)
        for home in homes
        for card in home.cards
        if all(card.fields.get(name) in values for name, values in wanted.items())
    ]
    if not found:
        asked = " and ".join(f"{name} {either(map(shown, values))}" for name, values in wanted.items())
        homes_named = either([shown(home.id) for home in homes])
        message = f"no card of {homes_named} has {asked}"
        known = sorted({name for home in homes for card in home.cards for name in card.fields})
        missing = [name for name in wanted if name not in known]
        hint = None
        if missing:
            message = f"no card of {homes_named} has the field '{missing[0]}'"
            hint = f"use one of the fields: {listed(known)}"
        where.error("table/item", message, hint)
        return None
    return found


def _nth(where: Subject, value: Any, home: Component, seat: int, seats: int) -> Any:
    """Return the cards of `nth` for a seat: ids of cards, or values of their fields."""
    choices = [card.id for card in home.cards] if value is True else value
    if len(choices) < seats and not (value is True and len(choices) == 1):
        where.error("table/nth", f"{len(choices)} cards are not enough for {seats} seats")
        return None
    chosen = choices[min(seat, len(choices) - 1)]
    return [chosen] if isinstance(chosen, str) else chosen


ACTS: Final = get_args(Act)
STEP_MEANS: dict[str, tuple[str, ...]] = {
    "shuffle": (),
    "deal": ("cards",),
    "place": ("cards", "at", "in", "turn", "step", "face"),
    "clear": (),
}
"""The keys that apply to each step, besides `players`."""
ENOUGH = 1
"""Cards that are laid out if a step doesn't give a number."""


def read_steps(
    subject: Subject,
    entries: Sequence[dict[str, Any]],
    components: Sequence[Component],
    items: Sequence[Placed],
    most: int,
) -> list[tuple[int, Step]]:
    """Return the steps that `entries` state for a table with these `items` and `most` seats, each with the
    index of its entry: one with numbers of cards by players is several. Problems are findings."""
    titles = {component.id: component.title for component in components}
    piles = [item for item in items if item.kind in ("deck", "bag")]
    known = sorted({name for item in piles for name in (title_of(item, titles), *dict(item.parts))})
    zones = sorted({item.name or "" for item in items if item.kind == "zone"})
    steps = []
    for index, entry in enumerate(entries):
        found = _steps(subject.below(index), entry, known, zones, most)
        steps += [(index, step) for step in found]
    return steps


def _steps(
    subject: Subject, entry: dict[str, Any], known: Sequence[str], zones: Sequence[str], most: int
) -> list[Step]:
    """Return the steps of an entry: a step, or one for each number of players."""

    def refuse(message: str, hint: str | None = None, *path: str) -> None:
        subject.below(*path).error("table/step", message, hint)

    acts: list[Act] = [act for act in ACTS if act in entry]
    if len(acts) != 1:
        refuse(f"a step must be one of {either(ACTS)}" + (f", not {' and '.join(acts)}" if acts else ""))
        return []
    (act,) = acts
    before = len(subject.findings.errors)
    for key in entry:
        if key not in (act, "players", *STEP_MEANS[act]):
            message = f"{act} doesn't accept '{key}'"
            subject.below(key).error("table/step", message, "remove it", key=True)
    if act == "deal" and "cards" not in entry:
        refuse("deal needs cards", "write cards: 5")
    if act == "place" and ("at" in entry) == ("in" in entry):
        message = "place needs at" if "at" not in entry else "place accepts 'at' or 'in', not both"
        refuse(message, "write at: [0mm, 0mm], or in: ZONE" if "at" not in entry else "remove one")
    if "in" in entry and entry["in"] not in zones:
        hint = name_hint(entry["in"], zones, "zones") if zones else "place one among the items: zone: NAME"
        refuse(f"there is no zone called '{entry['in']}'", hint, "in")
    if act != "clear" and entry[act] not in known:
        hint = name_hint(entry[act], known, "piles")
        refuse(f"there is no pile or bag called '{entry[act]}'", hint, act)
    players, cards = entry.get("players", []), entry.get("cards", ENOUGH)
    each = {tuple(players if isinstance(players, list) else [players]): cards}
    said: tuple[str, ...] = ("players",)
    if isinstance(cards, dict):
        said = ("cards", "by_players")
        each = {(int(count),): number for count, number in cards["by_players"].items()}
        if "players" in entry:
            refuse("'players' and 'by_players' both set the number of players", "remove one", *said)
    if any(count > most for counts in each for count in counts):
        refuse(f"the table has only {most} seats", "use at most that many players", *said)
    if len(subject.findings.errors) > before:
        return []
    across = [parse_length(text) for text in entry.get("step", ("0mm", "0mm"))]
    at = read_spot(entry.get("at", ("0mm", "0mm")), entry.get("turn", 0))
    face_up, zone = entry.get("face", "up") == "up", entry.get("in", "")
    pile, step = "" if act == "clear" else entry[act], (across[0], across[1])
    return [Step(act, pile, number, at, step, face_up, counts, zone) for counts, number in each.items()]


PLAY = 1.0
"""Distance that cards may extend beyond their zone, in mm."""


def check_dealing(
    subject: Subject,
    components: Sequence[Component],
    items: Sequence[Placed],
    seats: Sequence[Seat],
    steps: Sequence[tuple[int, Step]],
    players: tuple[int, int],
    extent: Callable[[Placed], Size],
) -> None:
    """Warn of steps, each with its index in the file, whose pile has too few cards for some number of
    `players`, and of cards that extend beyond their zone."""
    titles = {component.id: component.title for component in components}
    piles = [item for item in items if item.kind in ("deck", "bag") and not item.infinite]
    zones = [item for item in items if item.kind == "zone"]
    said: set[int] = set()

    def warn(index: int, message: str, hint: str) -> None:
        if index not in said:
            said.add(index)
            subject.below(index).warning("table/dealing", message, hint)

    for count in range(players[0], min(players[1], len(seats)) + 1):
        colors = {seat.color for seat in seats[:count]}
        left = {id(pile): pile.total for pile in piles}
        for index, step in steps:
            if step.act not in ("deal", "place") or (step.players and count not in step.players):
                continue
            for pile in piles:
                if not is_called(pile, step.pile, titles) or pile.seat not in (None, *colors):
                    continue
                left[id(pile)] -= step.cards * _times(step, pile, zones, colors)
                if left[id(pile)] < 0:
                    lacking = -left[id(pile)]
                    message = (
                        f"with {count} players '{step.pile}' has {lacking} too few cards for this step"
                    )
                    warn(index, message, "deal fewer, or add cards to the pile")
    for index, step in steps:
        for pile in piles if step.zone else ():
            if is_called(pile, step.pile, titles):
                for zone in zones:
                    if zone.name == step.zone and (over := _beyond(step, extent(pile), zone)) > PLAY:
                        message = f"the cards extend {over:.0f}mm beyond the zone '{step.zone}'"
                        warn(index, message, "make the zone larger, or the distance between cards smaller")


def _times(step: Step, pile: Placed, zones: Sequence[Placed], colors: set[str]) -> int:
    """Return the number of receivers of a step's cards from a pile: players, or zones of active players."""
    if step.act == "deal":
        return len(colors) if pile.seat is None else 1
    if not step.zone:
        return 1
    seats = [zone.seat for zone in zones if zone.name == step.zone]
    return sum(seat is None or (seat in colors and pile.seat in (None, seat)) for seat in seats)


def _beyond(step: Step, card: Size, zone: Placed) -> float:
    """Return the overhang of a step's cards beyond a zone in mm, turned as in the zone; below 0 if they
    fit."""
    assert zone.area is not None
    reach = step.at.extent(card)
    across = abs(step.step[0]) * (step.cards - 1) + reach.width - zone.area.width
    down = abs(step.step[1]) * (step.cards - 1) + reach.height - zone.area.height
    return max(across, down) / 2
