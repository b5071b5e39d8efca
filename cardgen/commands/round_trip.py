"""What was typed is what is printed: each value of a card is sought in the texts that the card shows.

A column (a field of a component's cards) is judged where it is known to be printed: by the name of a text
object, or because on most of the cards its values are found in the texts. A value of such a column that is
not on its own card is a finding at its cell.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from cardgen.commands.fonts import fontbook
from cardgen.commands.looks import Looks
from cardgen.commands.named_objects import unprinted_fields
from cardgen.commands.text_match import Match, Printed, Typed
from cardgen.findings import Findings
from cardgen.model.artwork import Rendering
from cardgen.model.game import Card, Component, Game
from cardgen.rendering.named.fields import ENGINE
from cardgen.rendering.named.listing import Listing, Printing
from cardgen.rendering.printed_texts import ICON
from cardgen.rendering.templates import Templates
from cardgen.svg.limits import short
from cardgen.tables.values import number_text

MOST_SAID = 100
"""Cells of a column that are named."""
_MOST_PLACED = 200
"""Cards that are looked at to tell where a column is printed."""
_MOST_CELLS = 500_000
"""Values of a component that are looked at."""
_MOST = 0.8
"""Of a column's values that must be found, for it to be one that is printed."""
_LEAST = 3
"""So many must be found."""
_CHANCE = 0.75
"""Other cards' values that may be found, as a part of a card's own: else they are found by chance."""
_DEEPEST = 4
_TRUE = frozenset(("true", "yes", "ja", "wahr", "oui", "vrai", "si", "sí", "sim"))
_FALSE = frozenset(("false", "no", "nein", "falsch", "non", "faux", "não"))

_CODE = re.compile("[a-z]+[0-9]*(?:[-_][a-z0-9]+)*")
"""A word that stands for what is printed, and may be the same as that by chance."""

Path = tuple[str | int, ...]


@dataclass(slots=True)
class _Side:
    """The texts of a side."""

    texts: list[tuple[str, int, Printed]]
    whole: Printed


@dataclass(slots=True)
class _Cell:
    """A value of a card: what was typed, and what the sides of the card print. `own` are the texts that
    show this very field, None where that is not known; `is_bare` says that a template prints it as it is."""

    card: Card
    path: Path
    value: Any
    text: str
    is_cell: bool
    typed: Typed
    plain: Typed
    """The value as a template prints it."""
    sides: tuple[_Side, ...]
    own: list[Printed] | None
    is_bare: bool
    match: Match = Match.MISSING


def say_unprinted(game: Game, rendering: Rendering, looks: Looks, findings: Findings) -> None:
    """Add a warning for each value of a card that the card does not show, in a column that is printed."""
    arts = {(art.component, art.card): art for art in rendering.cards}
    templates = Templates(game, game.paths, fontbook(game.paths), low_ink=False)
    listing = Listing(game, game.paths, templates)
    sides = _Sides(looks)
    said: list[tuple[Component, str, list[_Cell]]] = []
    for component in game.components:
        columns: dict[tuple[str, ...], list[_Cell]] = {}
        room = _MOST_CELLS
        for card in component.cards:
            art = arts.get((component.id, card.id))
            shown = None if art is None else sides.of(art.face, art.back)
            if shown is None:
                continue
            for cell in _cells(game, listing, card, shown):
                name = tuple(step for step in cell.path if isinstance(step, str))
                columns.setdefault(name, []).append(cell)
                room -= 1
            if room < 0:
                break
        for name, cells in columns.items():
            lost = _lost(cells)
            if lost:
                said.append((component, name[0], lost))
    if not said:
        return
    silent = unprinted_fields(game)
    for component, name, lost in said:
        if name not in silent.get(component.id, ()):
            _say(game, lost, findings)


class _Sides:
    """The texts of sides by their keys, folded once."""

    def __init__(self, looks: Looks) -> None:
        self._looks = looks
        self._known: dict[str, _Side | None] = {}

    def of(self, *keys: str | None) -> tuple[_Side, ...] | None:
        """The texts of a card's sides; None where they are not all known."""
        found = [self._side(key) for key in keys if key is not None]
        sides = tuple(each for each in found if each is not None)
        return sides if len(sides) == len(found) else None

    def _side(self, key: str) -> _Side | None:
        if key not in self._known:
            texts = self._looks.of(key).texts
            self._known[key] = None if texts is None else _side(texts)
        return self._known[key]


def _side(texts: Iterable[tuple[str, int, str]]) -> _Side:
    printed = [(file, line, Printed(words)) for file, line, words in texts]
    return _Side(printed, Printed("\n\n".join(text.text for *_, text in printed)))


def shown_text(game: Game, card: Card, path: Path, value: Any) -> tuple[str, bool]:
    """The text that was typed for a value of a card, and whether a cell of a spreadsheet shows it."""
    text = game.locator.shown(card.file, (*card.path, *path))
    return (_text(value), False) if text is None else (text, True)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return number_text(value) if isinstance(value, (int, float)) else str(value)


def _cells(game: Game, listing: Listing, card: Card, sides: tuple[_Side, ...]) -> Iterator[_Cell]:
    """The values of a card that its templates may print."""
    names = [name for name in (card.face, card.back) if name is not None]
    printing = [listing.printed(name) for name in names]
    texts = [(name, path, line) for name in names for path, line in listing.texts(name)]
    effects = game.effects.fields if game.effects is not None else ()
    for key, content in card.fields.items():
        if key in ENGINE or key in effects or not any(map(partial(_may_print, key), printing)):
            continue
        for path, value in _leaves((key,), content):
            steps = tuple(step for step in path if isinstance(step, str))
            lines = {(name, line) for name, each, line in texts if each == steps}
            own = None
            if lines:
                own = [text for side in sides for *at, text in side.texts if tuple(at) in lines]
            if isinstance(value, bool) and own is None:
                continue
            text, is_cell = shown_text(game, card, path, value)
            ways = [text, *_same_number(text, value)]
            yield _Cell(
                card,
                path,
                value,
                text,
                is_cell,
                Typed(*ways, marked=isinstance(value, str), lines=is_cell),
                Typed(_text(value), str(value)),
                sides,
                own,
                any(each is not None and steps in each.bare for each in printing),
            )


def _may_print(field: str, printing: Printing | None) -> bool:
    return printing is None or printing.fields is None or field in printing.fields


def _leaves(path: Path, value: Any) -> Iterator[tuple[Path, Any]]:
    """The texts, numbers and truths in a value, each with its path."""
    if isinstance(value, Mapping) and len(path) < _DEEPEST:
        for key, each in value.items():
            yield from _leaves((*path, str(key)), each)
    elif isinstance(value, (list, tuple)) and len(path) < _DEEPEST:
        for at, each in enumerate(value):
            yield from _leaves((*path, at), each)
    elif isinstance(value, (int, float)) or (isinstance(value, str) and value.strip()):
        yield path, value


def _same_number(text: str, value: Any) -> Iterator[str]:
    """Other ways to write a number: those in which no figure is lost."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return
    for way in (_text(value), str(value), f"{value:,}", f"{value:,}".replace(",", " ")):
        for each in (way, way.translate(_SWAPPED)):
            if _figures(each) == _figures(text):
                yield each


_SWAPPED = str.maketrans(",.", ".,")


def _figures(text: str) -> str:
    """The figures of a number, with its sign."""
    text = text.strip().replace("\u2212", "-")
    return text[:1].strip("0123456789.,") + "".join(each for each in text if each.isdecimal())


# ---- judging a column


def _lost(cells: list[_Cell]) -> list[_Cell]:
    """The values of a column that are not printed on their cards; none of a column that need not be."""
    named = [cell for cell in cells if cell.own is not None]
    if any(isinstance(cell.value, bool) for cell in named):
        return _lost_truths(named)
    for cell in named:
        cell.match = max((text.match(cell.typed) for text in cell.own or ()), default=Match.MISSING)
    lost = [cell for cell in named if cell.match is not Match.WHOLE]
    rest = [cell for cell in cells if cell.own is None]
    if len(rest) < _LEAST or all(_CODE.fullmatch(cell.text) and not cell.is_bare for cell in rest):
        return lost
    for cell in rest:
        cell.match = _match(cell, cell.typed)
    missing = [cell for cell in rest if cell.match is not Match.WHOLE]
    if not missing:
        return lost
    found = len(rest) - sum(not cell.match and not _match(cell, cell.plain) for cell in missing)
    if found < max(_LEAST, _MOST * len(rest)) or _are_by_chance(rest, found):
        return lost
    place = _usual_place(rest)
    for cell in missing:
        cell.own = [text for *at, text in _texts(cell) if tuple(at) == place]
    return lost + missing


def _match(cell: _Cell, typed: Typed) -> Match:
    return max(side.whole.match(typed) for side in cell.sides)


def _texts(cell: _Cell) -> Iterator[tuple[str, int, Printed]]:
    return (text for side in cell.sides for text in side.texts)


def _are_by_chance(cells: list[_Cell], found: int) -> bool:
    """Whether other cards' values are found nearly as often as a card's own."""
    values = list({cell.text: cell.plain for cell in cells}.items())
    if len(values) == 1:
        return len(values[0][0]) < _LEAST or not any(map(str.isalpha, values[0][0]))
    places = {text: at for at, (text, _) in enumerate(values)}
    others = 0
    for cell in cells:
        _, other = values[(places[cell.text] + 1) % len(values)]
        others += _match(cell, other) > Match.MISSING
    return others > _CHANCE * found


def _usual_place(cells: list[_Cell]) -> tuple[str, int] | None:
    """The template and line of the text in which most values of a column are."""
    places = Counter(
        (file, line)
        for cell in cells[:_MOST_PLACED]
        for file, line, text in _texts(cell)
        if text.match(cell.typed) or text.match(cell.plain)
    )
    return max(places, key=places.__getitem__, default=None)


def _lost_truths(cells: list[_Cell]) -> list[_Cell]:
    """The truths of a column whose text says yes or no, that say otherwise on their cards. Where it says
    neither, a field that is true shows its object as it is drawn."""
    said = {id(cell): {text.text.strip().casefold() for text in cell.own or ()} for cell in cells}
    if not any(words & (_TRUE | _FALSE) for words in said.values()):
        return []
    lost = []
    for cell in cells:
        words = said[id(cell)]
        if cell.is_cell:
            wrong = cell.text.strip().casefold() not in words
        else:
            wrong = bool(words & (_FALSE if cell.value else _TRUE))
        if wrong:
            lost.append(cell)
    return lost


# ---- saying it


def _say(game: Game, lost: list[_Cell], findings: Findings) -> None:
    for cell in lost[:MOST_SAID]:
        message = f"the card '{cell.card.id}' {_wrong(cell)}"
        if cell is lost[:MOST_SAID][-1] and len(lost) > MOST_SAID:
            message += f"; so it is with {len(lost) - MOST_SAID} more values of this field"
        findings.warning("data/unprinted", message, game.where(cell.card, *cell.path), _hint(game, cell))


def _wrong(cell: _Cell) -> str:
    typed = short(" ".join(cell.text.split()))
    if cell.match is Match.JOINED:
        return f"prints words of '{typed}' without a space between them"
    if cell.match is Match.ONE_LINE:
        return f"prints '{typed}' without its line ends"
    texts = [" ".join(text.text.replace(ICON, " ").split()) for text in cell.own or ()]
    instead = next((text for text in texts if text), None)
    if instead is None:
        return f"does not print '{typed}'"
    return f"prints '{short(instead)}' where '{typed}' was typed"


def _hint(game: Game, cell: _Cell) -> str:
    look = f"cardgen proof {game.id} {cell.card.id} shows it"
    if cell.match is not Match.MISSING or isinstance(cell.value, str):
        return look
    return f'to print what was typed, say "type": "string" for it in the schema; {look}'
