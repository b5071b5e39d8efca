"""`data/GAME/table.yaml`: where everything lies when a game begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from cardgen.findings import Findings
from cardgen.geometry import Size
from cardgen.loading.lengths import length
from cardgen.loading.sources import Sources
from cardgen.loading.table_dealing import check_dealing
from cardgen.loading.table_items import ItemReader, read_spot
from cardgen.loading.table_steps import read_steps
from cardgen.model.deck_lists import DeckList
from cardgen.model.game import Component
from cardgen.model.table import LARGEST, CardWords, Placed, PlacedKind, Seat, SnapRef, Spot, Step, Table
from cardgen.schema.wording import name_hint
from cardgen.yaml.positions import DataPath
from cardgen.yaml.reader import Document

TABLE_SCHEMA = "schemas/table.schema.json"
BEYOND = 250.0
"""How far beyond the edge of the table, in mm, the middle of a hand zone may lie."""


def load_table(
    sources: Sources,
    game: str,
    components: Sequence[Component],
    decks: Sequence[DeckList],
    players: tuple[int, int],
    player_count: int | None,
) -> Table | None:
    """The table of a game; None where it has no such file, or after findings. With a `player_count`
    only so many seats are taken."""
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
    """Reads one table."""

    def __init__(
        self,
        document: Document,
        components: Sequence[Component],
        decks: Sequence[DeckList],
        findings: Findings,
    ) -> None:
        self._document, self._findings = document, findings
        self._data: dict[str, Any] = document.data
        self._components = {component.id: component for component in components}
        self._items = ItemReader(document, self._components, decks, findings)

    def read(self, players: tuple[int, int], player_count: int | None) -> Table:
        size, hand = self._size("size"), self._size("hand")
        seats = self._seats(size)
        if len(seats) < players[1]:
            message = f"there are {len(seats)} seats for {players[1]} players"
            self._findings.warning("table/seats", message, self._document.locate(("seats",)))
        taken = seats if player_count is None else seats[:player_count]
        items = self._placed(seats, taken)
        self._check_names(items)
        self._check_snaps(items)
        self._check_inside(items, size)
        return Table(
            size,
            hand,
            self._data["color"],
            tuple(items),
            tuple(taken),
            self._data.get("setup", ""),
            self._words(),
            self._document.relative,
            self._steps(items, seats, players, player_count),
            self._minutes(),
            tuple(self._data["workshop"].get("tags", ())),
        )

    def _minutes(self) -> tuple[int, int]:
        least, most = self._data["workshop"].get("minutes", (0, 0))
        if least > most:
            path = ("workshop", "minutes")
            self._error("table/minutes", f"{least} minutes are more than {most}", path, "the least first")
        return least, most

    def _steps(
        self,
        items: Sequence[Placed],
        seats: Sequence[Seat],
        players: tuple[int, int],
        player_count: int | None,
    ) -> tuple[Step, ...]:
        components, document, findings = list(self._components.values()), self._document, self._findings
        steps = read_steps(document, components, items, len(seats), findings)
        counts = players if player_count is None else (player_count, player_count)
        check_dealing(document, components, items, seats, steps, counts, self._items.extent, findings)
        return tuple(step for _, step in steps)

    def _size(self, key: str) -> Size:
        sides = []
        for index, most in enumerate((LARGEST.width, LARGEST.height)):
            path = (key, index) if key in self._data else ()
            text = self._data[key][index]
            sides.append(length(self._document, path, text, self._findings, most=most) or 0.0)
        return Size(sides[0], sides[1])

    def _seats(self, size: Size) -> list[Seat]:
        seats: list[Seat] = []
        for index, entry in enumerate(self._data["seats"]):
            at = read_spot(entry["at"], entry["turn"])
            if any(seat.color == entry["color"] for seat in seats):
                self._error("table/seats", f"two seats are {entry['color']}", ("seats", index, "color"))
            if abs(at.x) > size.width / 2 + BEYOND or abs(at.y) > size.height / 2 + BEYOND:
                message = f"the seat lies more than {BEYOND:g}mm beyond the table of {size}"
                self._error("table/outside", message, ("seats", index, "at"))
            seats.append(Seat(entry["color"], at))
        return seats

    def _placed(self, all_seats: Sequence[Seat], seats: Sequence[Seat]) -> list[Placed]:
        placed: list[Placed] = []
        for index, entry in enumerate(self._data["items"]):
            path = ("items", index)
            color = entry.get("seat")
            if color is not None and all(seat.color != color for seat in all_seats):
                hint = name_hint(color, [seat.color for seat in all_seats], "seats")
                self._error("table/seats", f"there is no seat {color}", (*path, "seat"), hint)
            item = self._items.read(path, entry)
            if item is not None and (color is None or any(seat.color == color for seat in seats)):
                placed.append(replace(item, seat=color))
        for index, entry in enumerate(self._data["each_seat"]):
            for number, seat in enumerate(seats):
                item = self._items.read(("each_seat", index), entry, number, len(seats))
                if item is None:
                    break  # said once, not once a seat
                if isinstance(item.at, Spot):
                    item = replace(item, at=seat.at.place(item.at))
                placed.append(replace(item, seat=seat.color))
        return self._with_rests(placed)

    def _with_rests(self, placed: Sequence[Placed]) -> list[Placed]:
        """Take out of piles and bags that hold the rest what lies elsewhere, in the order of the file."""

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
                    message = f"nothing is left for the {item.kind}: all of it lies elsewhere"
                    self._error("table/item", message, (*item.path, "rest"), key=True)
                    continue
                item = replace(item, component=left[0][0], cards=left[0][1], more=left[1:])
            whole.append(item)
        return whole

    def _check_names(self, placed: Sequence[Placed]) -> None:
        """Report unknown components of `left_out` and `tts`, and components that nothing mentions."""
        for index, id in enumerate(self._data["left_out"]):
            self._known(id, ("left_out", index))
        for id in self._data["tts"]:
            if id != "all":
                self._known(id, ("tts", id), key=True)
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
                hint = f"place it, or say that it stays in the box: left_out: [{id}]"
                self._findings.warning("table/unused", message, self._document.locate(()), hint)

    def _known(self, id: str, path: DataPath, *, key: bool = False) -> None:
        if id not in self._components:
            hint = name_hint(id, self._components, "components")
            self._error("reference/component", f"there is no component '{id}'", path, hint, key=key)

    def _check_snaps(self, placed: Sequence[Placed]) -> None:
        """Report things on snap points of pieces that do not lie at a place of their own."""
        there = {
            (item.component, item.cards[0][0])
            for item in placed
            if item.kind == "piece" and isinstance(item.at, Spot)
        }
        for item in placed:
            if isinstance(item.at, SnapRef) and (item.at.component, item.at.card) not in there:
                name = f"{item.at.component}/{item.at.card}"
                message = f"'{name}' does not lie on the table, so nothing can lie on it"
                hint = "place it with `piece:` and `at:`"
                self._error("table/snap", message, (*item.path, "on", "piece"), hint)

    def _check_inside(self, placed: Sequence[Placed], size: Size) -> None:
        """Report things that lie partly beyond the edge of the table."""
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
                message = f"the {item.kind} '{what}'{seat} lies {over:.0f}mm beyond the table of {size}"
                self._error("table/outside", message, (*item.path, "at"))

    def _error(
        self, code: str, message: str, path: DataPath, hint: str | None = None, *, key: bool = False
    ) -> None:
        self._findings.error(code, message, self._document.locate(path, key=key), hint)

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
