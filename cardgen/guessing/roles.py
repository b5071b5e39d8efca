"""What each column is to a card: its title, its numbers, its picture, its rules. By its name, in English or
German, or else by what stands in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from cardgen.guessing.columns import Column
from cardgen.guessing.shapes import holds_persons


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_TITLE = words(
    "title name card card_name cardname card_title titel karte kartenname kartentitel bezeichnung"
)
_NO_TITLE = words(
    "question answer explanation solution hint note notes comment comments frage antwort erklärung "
    "erläuterung lösung hinweis notiz kommentar"
)
_COPIES = words(
    "copies count qty quantity number_of_copies copy how_many amount anzahl menge stück stueck kopien "
    "exemplare anzahl_karten"
)
_COST = words("cost price mana energy mana_cost energy_cost kosten preis aufwand energie")
_WORTH = words(
    "value rank points vp victory_points score power level strength worth card_number no nr wert rang "
    "punkte siegpunkte stärke staerke stufe zahl nummer"
)
_TEXT = words(
    "text rules rules_text rule_text rule card_text effect effects ability abilities description desc "
    "regeltext regeln regel kartentext effekt effekte fähigkeit fähigkeiten wirkung beschreibung"
)
_FLAVOUR = words("flavor flavour flavor_text flavour_text quote lore zitat stimmungstext flair atmosphäre")
_ART = words("art artwork image picture img illustration art_file bild bilddatei motiv grafik")
_GROUP = words(
    "suit colour color faction element type kind class category tribe deck set rarity farbe fraktion "
    "typ klasse kategorie sorte art gruppe seltenheit"
)
"""The first of these by which cards are grouped gives them their colour."""
_GERMAN = words(
    "titel karte kartenname kartentitel bezeichnung anzahl menge stück stueck kopien exemplare kosten "
    "preis wert rang punkte siegpunkte stärke staerke stufe zahl nummer regeltext regeln kartentext "
    "effekt fähigkeit wirkung beschreibung zitat stimmungstext bild motiv farbe fraktion typ klasse "
    "kategorie sorte gruppe seltenheit angriff leben verteidigung"
)
LONG = 34
"""Characters of a text, on average, from which on it is for reading."""
SHORT = 8
"""Characters that stand beside others in a row of figures, at most."""
LONGEST_TITLE = 60
KIND_LINE, APART = 34, 3
"""Characters in the line that says what a card is, beside a number, and between two of its words."""


@dataclass(frozen=True, slots=True)
class Roles:
    """What a table's columns are to a card; each column has one role at most.

    `corners` are up to two numbers that are read first; `group` is what cards are of, which gives them a
    colour, `kinds` further words of that sort; `texts` are for reading; `stats` are short, `facts` longer;
    `rest` is what a card has no room for.
    """

    id: Column | None
    title: Column | None
    copies: Column | None
    art: Column | None
    group: Column | None
    kinds: tuple[Column, ...]
    corners: tuple[Column, ...]
    texts: tuple[Column, ...]
    flavour: Column | None
    stats: tuple[Column, ...]
    facts: tuple[Column, ...]
    rest: tuple[Column, ...]
    is_german: bool

    @property
    def columns(self) -> list[Column]:
        """All columns."""
        single = (self.id, self.title, self.copies, self.art, self.group, self.flavour)
        several = (*self.kinds, *self.corners, *self.texts, *self.stats, *self.facts, *self.rest)
        return [*(column for column in single if column is not None), *several]

    def in_words(self) -> list[tuple[Column, str]]:
        """What becomes of each column that is shown or counted."""
        said: list[tuple[Column | None, str]] = [
            (self.id, "ids"),
            (self.title, "title"),
            *((column, "number") for column in self.corners),
            (self.art, "picture"),
            (self.group, "colour and mark"),
            *((column, "word") for column in self.kinds),
            *((column, "text") for column in self.texts),
            (self.flavour, "flavour"),
            *((column, "line") for column in self.facts),
            *((column, "figure") for column in self.stats),
            (self.copies, "how many"),
        ]
        return [(column, what) for column, what in said if column is not None]

    @property
    def is_index(self) -> bool:
        """Whether these are cards of suits and ranks, whose corners say all."""
        return (
            self.group is not None
            and bool(self.corners)
            and self.art is None
            and not (self.texts or self.flavour or self.facts or self.kinds)
            and len(self.stats) <= 2
        )


class _Left:
    """The columns that have no role yet."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = list(columns)

    def take(self, column: Column | None) -> Column | None:
        if column is not None:
            self.columns.remove(column)
        return column

    def named(
        self, words: Collection[str], fits: Callable[[Column], bool] = lambda column: True
    ) -> Column | None:
        """The first column of one of these names that fits, taken."""
        return self.first(lambda column: column.field in words and fits(column))

    def first(self, fits: Callable[[Column], bool]) -> Column | None:
        return self.take(next((column for column in self.columns if fits(column)), None))

    def all(self, fits: Callable[[Column], bool], most: int) -> tuple[Column, ...]:
        found = [column for column in self.columns if fits(column)][:most]
        for column in found:
            self.columns.remove(column)
        return tuple(found)


def roles_of(columns: Sequence[Column]) -> Roles:
    """The role of each column, whose field is called as that role asks for."""
    roles = _roles(columns)
    fixed: dict[int, str] = {}
    for name, column in (("id", roles.id), ("copies", roles.copies), ("title", roles.title)):
        if column is not None and not (name == "title" and column.field == "name"):
            fixed[id(column)] = name
    taken = {*fixed.values(), "id", "copies"}
    new: dict[int, Column] = {}
    for column in columns:
        field, number = fixed.get(id(column), column.field), 2
        if id(column) not in fixed:
            field = field if field not in taken else f"card_{field}"
            while field in taken:
                field, number = f"card_{column.field}_{number}", number + 1
        taken.add(field)
        new[id(column)] = replace(column, field=field)
        if column is roles.copies and column.counts is not None:
            new[id(column)] = replace(column, field=field, kind="whole", values=column.counts, style=None)

    def renamed(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(new[id(each)] for each in value)
        return new[id(value)] if isinstance(value, Column) else value

    return replace(roles, **{each.name: renamed(getattr(roles, each.name)) for each in fields(Roles)})


def _roles(columns: Sequence[Column]) -> Roles:
    left = _Left(columns)
    german = any(column.field in _GERMAN for column in columns)
    addresses = left.all(_holds_addresses, len(columns))
    id = left.named({"id"}, _is_id)
    copies = left.named(_COPIES, _are_copies)
    art = left.named(_ART, lambda column: column.is_picture) or left.first(lambda column: column.is_picture)
    flavour = left.named(_FLAVOUR, lambda column: column.kind == "text")
    title = left.named(_TITLE, lambda column: 0 < column.longest <= 2 * LONGEST_TITLE)
    text = left.named(_TEXT, lambda column: column.kind == "text" and column.usual > 12)
    if title is None:
        title = left.first(lambda column: _is_name(column) and not _is_long(column))
    cost = left.named(_COST, _is_corner)
    worth = left.named(_WORTH, lambda column: _is_corner(column) and not _counts(column))
    texts = ((text,) if text else ()) + left.all(_is_long, 4)
    group = next((found for word in _GROUP if (found := left.named({word}, _is_group))), None)
    group = group or left.first(lambda column: _is_group(column) and not holds_persons(column.field))
    if title is None and group is None:
        title = left.first(lambda column: _may_be_title(column) and column.longest <= LONGEST_TITLE)
    corners = tuple(column for column in (cost, worth) if column is not None)
    if not corners:
        figure = left.first(lambda column: column.is_figure and column.is_full and column.longest <= 4)
        corners = (figure,) if figure is not None else ()
    if not corners and group is not None and title is None:
        rank = left.first(lambda column: column.is_full and column.longest <= 3)
        corners = (rank,) if rank is not None else ()
    stats = left.all(lambda column: column.is_figure or column.longest <= 4, 5)
    kinds = _kinds(left, group)
    if len(stats) < 4:
        stats += left.all(lambda column: column.longest <= SHORT, 4 - len(stats))
    facts = left.all(lambda column: column.longest <= LONGEST_TITLE, 4)
    return Roles(
        id,
        title,
        copies,
        art,
        group,
        kinds,
        corners,
        texts,
        flavour,
        stats,
        facts,
        (*left.columns, *addresses),
        german,
    )


def _kinds(left: _Left, group: Column | None) -> tuple[Column, ...]:
    """Return up to two columns of choices, taken, that have room beside the group's words."""
    room = KIND_LINE - (group.longest if group is not None else 0)
    kinds: list[Column] = []
    for column in tuple(left.columns):
        if len(kinds) == 2:
            break
        has_room = column.longest <= min(24, room - APART)
        if has_room and column.is_choice and column.is_full and not holds_persons(column.field):
            kinds.append(column)
            left.take(column)
            room -= column.longest + APART
    return tuple(kinds)


def _is_id(column: Column) -> bool:
    return column.is_full and column.is_unique and all(ID.fullmatch(text) for text in column.texts)


def _are_copies(column: Column) -> bool:
    return column.counts is not None and all(1 <= each <= 999 for each in column.counts if each is not None)


def _is_corner(column: Column) -> bool:
    return column.longest <= 4


def _counts(column: Column) -> bool:
    """Whether a column only numbers its rows."""
    return list(column.values) == list(range(1, len(column.values) + 1)) and column.field in (
        "no",
        "nr",
        "number",
    )


def _may_be_title(column: Column) -> bool:
    return column.kind == "text" and column.field not in _NO_TITLE and not holds_persons(column.field)


def _holds_addresses(column: Column) -> bool:
    return bool(column.texts) and all(text.startswith(("https://", "http://")) for text in column.texts)


def _is_name(column: Column) -> bool:
    return (
        _may_be_title(column)
        and column.is_full
        and column.is_unique
        and column.longest <= LONGEST_TITLE
        and column.usual >= 3
        and not column.is_picture
    )


def _is_long(column: Column) -> bool:
    return column.kind == "text" and (column.usual > LONG or any("\n" in text for text in column.texts))


def _is_group(column: Column) -> bool:
    return column.is_choice and column.is_full and len(set(column.texts)) <= 8 and column.longest <= 24
