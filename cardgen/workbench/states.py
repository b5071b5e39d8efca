"""The visible state of a game, as plain values that can be sent."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from cardgen.core.findings import Finding, Severity
from cardgen.core.game import Card, Component, Game
from cardgen.core.geometry import Polygon
from cardgen.core.records import dataclass, replace

CardPlace = tuple[str, str]
"""A component and the id of one of its cards."""

Look = Literal["good", "marked", "stale", "none"]
"""The kind of a picture: as printed, laid out with its problems marked, the last good one, or none."""


def as_json(content: Any) -> str:
    """Return states, alone or within plain data, as JSON on one line."""
    return json.dumps(content, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> dict[str, Any]:
    if isinstance(value, FindingState):
        return value.as_json()
    return dict(value) if isinstance(value, Mapping) else members(value)


def members(value: Any) -> dict[str, Any]:
    """Return the members of an object of a dataclass."""
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class SideState:
    """A side of a card: `key` is its picture's (`Bench.picture`), empty without one."""

    key: str
    look: Look


@dataclass(frozen=True, slots=True)
class CardState:
    """A card. `lines` are those of its top-level fields in `file`, which is relative to the project."""

    component: str
    id: str
    number: int
    copies: int
    trim: tuple[float, float]
    fields: Mapping[str, Any]
    file: str
    line: int | None
    lines: Mapping[str, int]
    face: SideState | None
    back: SideState | None

    @property
    def place(self) -> CardPlace:
        return self.component, self.id


@dataclass(frozen=True, slots=True)
class ComponentState:
    """A component without its cards. `fields` are the names of its cards' fields, in order of appearance;
    `corners` those of a polygon, as fractions of width and height."""

    id: str
    title: str
    kind: str
    shape: str
    corner: float
    bleed: float
    safe: float
    fields: tuple[str, ...]
    corners: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class SheetState:
    """A sheet: `book` is true if its pages are a book's."""

    name: str
    components: tuple[str, ...]
    book: bool


@dataclass(frozen=True, slots=True)
class DeckState:
    """One of the game's deck lists: its `copies` of each card of its component, as pairs of id and number,
    in the file's order. A `stale` one can't be read now and shows its earlier content."""

    id: str
    title: str
    description: str
    component: str
    file: str
    line: int | None
    copies: tuple[tuple[str, int], ...]
    stale: bool = False


@dataclass(frozen=True, slots=True)
class FindingState(Finding):
    """A finding with its cards."""

    cards: tuple[CardPlace, ...] = ()

    @classmethod
    def of(cls, finding: Finding, cards: tuple[CardPlace, ...]) -> FindingState:
        """Return a finding with its cards."""
        return cls(**members(finding), cards=cards)

    def as_json(self) -> dict[str, Any]:
        return {**Finding.as_json(self), "cards": self.cards}


def plain_findings(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Return findings as plain data, without their cards."""
    return [{"cards": (), **each.as_json()} for each in findings]


@dataclass(frozen=True, slots=True)
class MarkState:
    """A place of a problem on a side whose look is "marked": a rectangle in mm from the corner of its
    bleed, and its kind."""

    x: float
    y: float
    width: float
    height: float
    code: str
    message: str
    severity: str


@dataclass(frozen=True, slots=True)
class State:
    """A game's state at one time; `epoch` grows with each change. A `broken` game can't be loaded now: this
    is its earlier state, with today's findings."""

    epoch: int
    game: Mapping[str, Any]
    components: tuple[ComponentState, ...]
    cards: tuple[CardState, ...]
    sheets: tuple[SheetState, ...]
    findings: tuple[FindingState, ...]
    broken: bool
    decks: tuple[DeckState, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """The change of a game between two epochs: cards that are new, changed or removed, and all findings. If
    it is `whole`, more changed, and the page must load the state again."""

    epoch: int
    cards: tuple[CardState, ...]
    gone: tuple[CardPlace, ...]
    findings: tuple[FindingState, ...]
    broken: bool
    whole: bool


Record = tuple[str, str]
"""A card's file, and its record's name in findings: `foxes[3]`."""

_RECORD = re.compile(r"^.*?\[\d+\]")
NOTHING = SideState("", "none")


def about(game: Game) -> dict[str, object]:
    """Return the state of the game itself."""
    return {
        "id": game.id,
        "title": game.title,
        "version": game.version,
        "language": game.language,
        "languages": list(game.languages),
        "players": list(game.players),
    }


def component_state(component: Component) -> ComponentState:
    """Return the state of a component without its cards."""
    alike = dict.fromkeys(tuple(card.fields) for card in component.cards)  # few, for many cards
    fields = dict.fromkeys(name for names in alike for name in names)
    return ComponentState(
        component.id,
        component.title,
        component.kind,
        "rectangle" if component.outline == "rounded" else component.outline,
        component.corner_radius,
        component.bleed,
        component.safe,
        tuple(fields),
        component.shape.corners if isinstance(component.shape, Polygon) else (),
    )


def sheet_states(game: Game) -> tuple[SheetState, ...]:
    """Return the states of the sheets."""
    books = {component.id for component in game.components if component.book is not None}
    return tuple(
        SheetState(each.name, each.components, not books.isdisjoint(each.components))
        for each in game.sheets
    )


def deck_states(game: Game, before: Iterable[DeckState]) -> tuple[DeckState, ...]:
    """Return the states of the game's deck lists. Those that can't be read now come from `before`: their
    own file is in error, or a card file, without which no list is read."""
    now = {
        deck.id: DeckState(
            deck.id,
            deck.title,
            deck.description,
            deck.component,
            deck.file,
            deck.location.line,
            tuple((entry.card, entry.copies) for entry in deck.entries),
        )
        for deck in game.decks
    }
    unread = not now and any(kind in ("card", "file") for kind, _ in game.left_out)
    errors = [each for each in game.remarks if each.severity is Severity.ERROR]
    bad = {each.location.file for each in errors if each.location is not None}
    held = {deck.id: replace(deck, stale=True) for deck in before if unread or deck.file in bad}
    known = held | now
    return tuple(known[id] for id in sorted(known))


def card_state(
    card: Card, line: int | None, lines: Mapping[str, int], face: SideState | None, back: SideState | None
) -> CardState:
    """Return the state of a card."""
    return CardState(
        card.component,
        card.id,
        card.number,
        card.copies,
        (card.trim.width, card.trim.height),
        card.fields,
        card.file,
        line,
        lines,
        face,
        back,
    )


def stale(card: CardState) -> CardState:
    """Return a card as it was before its error."""
    return replace(card, face=_stale(card.face), back=_stale(card.back))


def _stale(side: SideState | None) -> SideState | None:
    return side if side is None or not side.key else SideState(side.key, "stale")


def with_left_out(
    game: Game, cards: Iterable[CardState], before: Iterable[CardState], stood: Mapping[CardPlace, Record]
) -> tuple[CardState, ...]:
    """Return the cards of a game with those in error, in order: as they were `before`, or, for new ones, as
    empty places. `stood` contains their earlier positions."""
    if not game.left_out:
        return tuple(cards)
    by_component: dict[str, list[CardState]] = {}
    for card in cards:
        by_component.setdefault(card.component, []).append(card)
    gone = {id for kind, id in game.left_out if kind == "component"}
    files = {id for kind, id in game.left_out if kind == "file"}
    names = {id for kind, id in game.left_out if kind == "card"}
    there = {card.place for each in by_component.values() for card in each}
    held: set[Record] = set()
    for card in before:
        record = stood.get(card.place, ("", ""))
        is_held = card.component in gone or (
            card.component in game.incomplete
            and (card.file in files or card.id in names or record[1] in names)
        )
        if is_held and card.place not in there:
            held.add(record)
            there.add(card.place)
            by_component.setdefault(card.component, []).append(stale(card))
    for missing in game.missing:
        place = (missing.component, missing.id)
        if place not in there and record_of(missing) not in held:
            back = None if missing.back is None else NOTHING
            shown = card_state(missing, game.where(missing).line, {}, NOTHING, back)
            by_component.setdefault(missing.component, []).append(shown)
    order = dict.fromkeys((*(card.component for card in before), *by_component))
    order = dict.fromkeys((*(each.id for each in game.components), *order))
    return tuple(
        card
        for component in order
        for card in sorted(by_component.get(component, ()), key=lambda card: card.number)
    )


def components_of(
    game: Game, cards: Iterable[CardState], before: Iterable[ComponentState]
) -> tuple[ComponentState, ...]:
    """Return the components of a game, plus those from `before` whose cards are still shown though they are
    in error, in the earlier order."""
    now = {each.id: component_state(each) for each in game.components}
    held = {card.component for card in cards} - now.keys()
    known = {each.id: each for each in before if each.id in held} | now
    if not held:
        return tuple(now.values())
    order = dict.fromkeys((*(each.id for each in before), *now))
    return tuple(known[id] for id in order if id in known)


class Told:
    """Assigns findings to cards: to those whose sides reported them, or whose records, or lines of a data
    file, they name."""

    def __init__(
        self, cards: Sequence[CardState], records: Callable[[], Mapping[Record, CardPlace]]
    ) -> None:
        self._cards, self._read_records = cards, records

    @cached_property
    def _records(self) -> Mapping[Record, CardPlace]:
        return self._read_records()

    @cached_property
    def _lines(self) -> Mapping[str, Sequence[tuple[int, CardPlace]]]:
        """The lines of each file's cards, in order."""
        found: dict[str, list[tuple[int, CardPlace]]] = {}
        for card in self._cards:
            if card.line is not None:
                found.setdefault(card.file, []).append((card.line, card.place))
        return {file: sorted(each) for file, each in found.items()}

    def state(self, finding: Finding, cards: Sequence[Card] = ()) -> FindingState:
        """Return a finding with its cards; `cards` are those whose sides reported it."""
        if cards:
            return FindingState.of(
                finding, tuple(dict.fromkeys((each.component, each.id) for each in cards))
            )
        return FindingState.of(finding, self._about(finding))

    def _about(self, finding: Finding) -> tuple[CardPlace, ...]:
        place = finding.location
        if place is None:
            return ()
        if record := _RECORD.match(place.path):
            found = self._records.get((place.file, record[0]))
            if found is not None:
                return (found,)
        if place.path or place.line is None:
            return ()
        above = [card for line, card in self._lines.get(place.file, ()) if line <= place.line]
        return (above[-1],) if above else ()


def record_of(card: Card) -> Record:
    """Return the place of a card."""
    name, index = card.path[:2]
    return card.file, f"{name}[{index}]"


def change(before: State, after: State) -> Change | None:
    """Return the change from one state to the next; None if there is none."""
    if before is after:
        return None
    old = {card.place: card for card in before.cards}
    new = {card.place: card for card in after.cards}
    cards = tuple(card for card in after.cards if (was := old.get(card.place)) is not card and was != card)
    gone = tuple(place for place in old if place not in new)
    whole = _frame(before) != _frame(after)
    if not (cards or gone or whole or before.findings != after.findings or before.broken != after.broken):
        return None
    order = [place for place in old if place in new] != [place for place in new if place in old]
    return Change(after.epoch, cards, gone, after.findings, after.broken, whole or order)


def _frame(state: State) -> tuple[object, ...]:
    """Return everything visible besides cards and findings."""
    return state.game, state.components, state.sheets, state.decks
