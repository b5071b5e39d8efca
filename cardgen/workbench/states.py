"""What is to be seen of a game, as values that can be sent: see `Bench.state`.

Lengths are mm. Everything is plain data, or a frozen dataclass of plain data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from typing import Any, Literal

from cardgen.findings import Finding

CardPlace = tuple[str, str]
"""A component and the id of a card of it."""

Look = Literal["good", "marked", "stale", "none"]
"""Whether a picture is what is printed, is what could be laid out with its trouble marked, is the last good
one, or is not there at all."""


_AS_THEY_ARE = frozenset((str, int, float, bool, type(None)))


def _plain(value: Any) -> Any:
    """A value of dataclasses, mappings and lists as plain data: as by `asdict`, which takes five times as
    long, for it copies each text and number in a general way."""
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if kind is dict:
        return {key: _plain(each) for key, each in value.items()}
    if kind is list:
        return [_plain(each) for each in value]
    if kind is tuple:
        return tuple([_plain(each) for each in value])
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return _of_dataclass(value) if is_dataclass(kind) else value


def _of_dataclass(value: Any) -> dict[str, Any]:
    return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class SideState:
    """A side of a card: `key` is its picture's (`Bench.picture`), empty where there is none."""

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
    """A component without its cards. `fields` are the names of its cards' fields, in the order in which
    they come; `corners` those of a polygon, as parts of width and height."""

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
    """A sheet: `book` says that its pages are a book's."""

    name: str
    components: tuple[str, ...]
    book: bool


@dataclass(frozen=True, slots=True)
class DeckState:
    """One of the game's deck lists: how many `copies` of each card of its component, as pairs of its id and
    a number, in the file's order. If it is `stale`, it can't be read now: this is what it was before."""

    id: str
    title: str
    description: str
    component: str
    file: str
    line: int | None
    copies: tuple[tuple[str, int], ...]
    stale: bool = False


@dataclass(frozen=True, slots=True)
class FindingState:
    """A finding, with the cards that it is about."""

    severity: str
    code: str
    message: str
    hint: str | None
    file: str | None
    line: int | None
    column: int | None
    path: str
    cards: tuple[CardPlace, ...]
    cell: str = ""

    @classmethod
    def of(cls, finding: Finding, cards: tuple[CardPlace, ...]) -> FindingState:
        place = finding.location
        return cls(
            finding.severity.value,
            finding.code,
            finding.message,
            finding.hint,
            place.file if place else None,
            place.line if place else None,
            place.column if place else None,
            place.path if place else "",
            cards,
            place.cell if place else "",
        )


@dataclass(frozen=True, slots=True)
class MarkState:
    """Where something is wrong on a side whose look is "marked": a rectangle in mm from the corner of its
    bleed, and what it is."""

    x: float
    y: float
    width: float
    height: float
    code: str
    message: str
    severity: str

    def plain(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return _of_dataclass(self)


@dataclass(frozen=True, slots=True)
class State:
    """All of a game at one time; `epoch` grows with each change. `broken` says that the game can't be
    loaded now, and that this is what it was before, under the findings of today."""

    epoch: int
    game: Mapping[str, Any]
    components: tuple[ComponentState, ...]
    cards: tuple[CardState, ...]
    sheets: tuple[SheetState, ...]
    findings: tuple[FindingState, ...]
    broken: bool
    decks: tuple[DeckState, ...] = ()

    def plain(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return _of_dataclass(self)


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a game between two epochs: cards that are new or other than before, those that are
    gone, all findings. If it is `whole`, more than that changed, and the state is to be had anew."""

    epoch: int
    cards: tuple[CardState, ...]
    gone: tuple[CardPlace, ...]
    findings: tuple[FindingState, ...]
    broken: bool
    whole: bool

    def plain(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return _of_dataclass(self)
