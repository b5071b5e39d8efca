"""What was typed is what is printed: each value of a card is sought in the texts that the card shows.

A column is a field of a component's cards that have the same templates. It is judged if it is surely
printed: a text object has its name, or its values are found on most of the cards. A value of such a column
that is not on its own card is a finding at its cell.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from typing import Any

from cardgen.commands.looks import Looks
from cardgen.commands.named_objects import unprinted_fields
from cardgen.commands.text_match import Match, Printed, Typed, without_marks
from cardgen.findings import Findings
from cardgen.model.artwork import Rendering
from cardgen.model.game import Card, Game
from cardgen.rendering.named.fields import ENGINE
from cardgen.rendering.named.listing import Listing
from cardgen.rendering.printed_texts import ICON
from cardgen.rendering.templates import Templates
from cardgen.tables.names import is_table
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
_LONGEST = 60
"""Characters of a text in a message."""
_TRUE = frozenset(("true", "yes", "ja", "wahr", "oui", "vrai", "si", "sí", "sim"))
_FALSE = frozenset(("false", "no", "nein", "falsch", "non", "faux", "não"))

_WORDS = re.compile(r"\w+")
_CODE = re.compile("[a-z]+[0-9]*(?:[-_][a-z0-9]+)*")
"""A word that stands for what is printed, and may be the same as that by chance."""

Path = tuple[str | int, ...]
Field = tuple[str, ...]


@dataclass(slots=True)
class _Side:
    """The texts of a side."""

    texts: list[tuple[str, int, Printed]]
    whole: Printed


@dataclass(slots=True)
class _Cell:
    """A value of a card: what was typed, and what the sides of the card print. `own` are the texts that
    show this very field, None where that is not known."""

    card: Card
    path: Path
    value: Any
    text: str
    is_cell: bool
    typed: Typed
    sides: tuple[_Side, ...]
    own: list[Printed] | None
    match: Match = Match.MISSING

    @property
    def plain(self) -> Typed:
        """The value as a template prints it."""
        return self.typed if self.text == self.value else Typed(_text(self.value), str(self.value))


def say_unprinted(
    game: Game, templates: Templates, rendering: Rendering, looks: Looks, findings: Findings
) -> None:
    """Add a warning for each value of a card that the card does not show, in a column that is printed."""
    arts = {(art.component, art.card): art for art in rendering.cards}
    listing = Listing(game, game.paths, templates)
    sides = _Sides(looks)
    silent: Mapping[str, set[str]] | None = None
    for component in game.components:
        columns: dict[tuple[Field, str, str | None], list[_Cell]] = {}
        room = _MOST_CELLS
        for card in component.cards:
            art = arts.get((component.id, card.id))
            shown = None if art is None else sides.of(art.face, art.back)
            if shown is None:
                continue
            for cell in _cells(game, listing, card, shown):
                columns.setdefault((_field(cell.path), card.face, card.back), []).append(cell)
                room -= 1
            if room < 0:
                break
        for (field, *_), cells in columns.items():
            if lost := _lost(field, cells, listing):
                silent = unprinted_fields(game) if silent is None else silent
                if field[0] not in silent.get(component.id, ()):
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
    text = game.locator.shown(card.file, (*card.path, *path), value)
    return _text(value) if text is None else text, is_table(card.file)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return number_text(value) if isinstance(value, (int, float)) else str(value)


def _field(path: Path) -> Field:
    """The field of a value: a list's items are of one."""
    return tuple(step for step in path if isinstance(step, str))


def _cells(game: Game, listing: Listing, card: Card, sides: tuple[_Side, ...]) -> Iterator[_Cell]:
    """The values of a card that may be printed as text."""
    lines: dict[Field, set[tuple[str, int]]] = {}
    bare: set[Field] = set()
    for name in _templates(card):
        for field, line in listing.texts(name):
            lines.setdefault(field, set()).add((name, line))
        if (printing := listing.printed(name)) is not None:
            bare |= printing.bare
    effects = game.effects.fields if game.effects is not None else ()
    for key, content in card.fields.items():
        if key in ENGINE or key in effects:
            continue
        for path, value in _leaves((key,), content):
            places, own = lines.get(_field(path)), None
            if places:
                own = [text for side in sides for *at, text in side.texts if tuple(at) in places]
            elif isinstance(value, bool):
                if _field(path) not in bare:
                    continue
                own = [text for side in sides for *_, text in side.texts if _says(text.text, value)]
            text, is_cell = shown_text(game, card, path, value)
            ways = (text, *_same_number(text, value), *_same_letters(text, value))
            typed = Typed(*ways, marked=isinstance(value, str), lines=is_cell)
            yield _Cell(card, path, value, text, is_cell, typed, sides, own)


def _templates(card: Card) -> list[str]:
    return [name for name in (card.face, card.back) if name is not None]


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
    if text == str(value) and text.isdecimal() and len(text) < 4:
        return
    for way in (_text(value), str(value), f"{value:,}", f"{value:,}".replace(",", " ")):
        for each in (way, way.translate(_SWAPPED)):
            if _figures(each) == _figures(text):
                yield each


def _same_letters(text: str, value: Any) -> Iterator[str]:
    """A text that loading has given other marks: those of HTML, or of rich text, as Markdown."""
    if isinstance(value, str) and value != text and _letters(text) == _letters(value):
        yield without_marks(value)


def _letters(text: str) -> str:
    """The letters and figures of a text, without tags and what stands for icons."""
    return "".join(filter(str.isalnum, unescape(_MARKUP.sub("", text))))


_MARKUP = re.compile(r"<[^<>]{1,200}>|[\[{]{1,2}[^\[\]{}]{1,60}[\]}]{1,2}|:[A-Za-z][\w-]{0,60}:")
_SWAPPED = str.maketrans(",.", ".,")


def _figures(text: str) -> str:
    """The figures of a number, with its sign."""
    text = text.strip().replace("\u2212", "-")
    return text[:1].strip("0123456789.,") + "".join(each for each in text if each.isdecimal())


# ---- judging a column


def _lost(field: Field, cells: list[_Cell], listing: Listing) -> list[_Cell]:
    """The values of a column that are not printed on their cards; none of a column that need not be."""
    named = [cell for cell in cells if cell.own is not None]
    if any(isinstance(cell.value, bool) for cell in named):
        return _lost_truths(named)
    for cell in named:
        cell.match = max((text.match(cell.typed) for text in cell.own or ()), default=Match.MISSING)
    lost = [cell for cell in named if cell.match is not Match.WHOLE]
    return lost + _lost_of_most(field, [cell for cell in cells if cell.own is None], listing)


def _lost_of_most(field: Field, cells: list[_Cell], listing: Listing) -> list[_Cell]:
    """The values that are not printed on their cards, of a column most of whose values are."""
    lost: list[_Cell] = []
    unfound, most = 0, min((1 - _MOST) * len(cells), len(cells) - _LEAST)
    for cell in cells:
        cell.match = _match(cell, cell.typed)
        if cell.match is not Match.WHOLE:
            lost.append(cell)
            unfound += not cell.match and not _match(cell, cell.plain)
            if unfound > most:
                return []
    if not lost or most < 0 or not _may_be_printed(field, cells, listing):
        return []
    if _are_by_chance(cells, len(cells) - unfound):
        return []
    place = _usual_place(cells)
    for cell in lost:
        cell.own = [text for *at, text in _texts(cell) if tuple(at) == place]
    return lost


def _may_be_printed(field: Field, cells: list[_Cell], listing: Listing) -> bool:
    """Whether a template prints a field as text, as far as can be told. Words that stand for others are
    found by chance, unless a template prints them as they are."""
    names = dict.fromkeys(name for cell in cells for name in _templates(cell.card))
    printing = [listing.printed(name) for name in names]
    if all(_CODE.fullmatch(cell.text) for cell in cells):
        return any(each is not None and field in each.bare for each in printing)
    return any(each is None or each.fields is None or field[0] in each.fields for each in printing)


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
    said = {id(cell): {text.text.strip() for text in cell.own or ()} for cell in cells}
    folded = {at: set(map(str.casefold, texts)) for at, texts in said.items()}
    is_code = all(any(_says(text, cell.value) for text in said[id(cell)]) for cell in cells)
    if not is_code and not any(words & (_TRUE | _FALSE) for words in folded.values()):
        return []
    lost = []
    for cell in cells:
        words, typed = folded[id(cell)], cell.text.strip()
        if is_code:
            wrong = cell.is_cell and not any(typed in text for text in said[id(cell)])
        elif cell.is_cell:
            wrong = bool(words) and typed.casefold() not in words
        else:
            wrong = bool(words & (_FALSE if cell.value else _TRUE))
        if wrong:
            lost.append(cell)
    return lost


def _says(text: str, value: bool) -> bool:
    """Whether a text has the word that templates print for a truth: True or False."""
    return str(value) in _WORDS.findall(text)


# ---- saying it


def _say(game: Game, lost: list[_Cell], findings: Findings) -> None:
    for cell in lost[:MOST_SAID]:
        message = f"the card '{cell.card.id}' {_wrong(cell)}"
        if cell is lost[:MOST_SAID][-1] and len(lost) > MOST_SAID:
            message += f"; so it is with {len(lost) - MOST_SAID} more values of this field"
        findings.warning("data/unprinted", message, game.where(cell.card, *cell.path), _hint(game, cell))


def _wrong(cell: _Cell) -> str:
    typed = _short(" ".join(cell.text.split()))
    if cell.match is Match.JOINED:
        return f"prints words of '{typed}' without a space between them"
    if cell.match is Match.ONE_LINE:
        return f"prints '{typed}' without its line ends"
    texts = [" ".join(text.text.replace(ICON, " ").split()) for text in cell.own or ()]
    instead = next((text for text in texts if text), None)
    if instead is None:
        return f"does not print '{typed}'"
    return f"prints '{_short(instead)}' where '{typed}' was typed"


def _hint(game: Game, cell: _Cell) -> str:
    look = f"cardgen proof {game.id} {cell.card.id} shows it"
    if cell.match is not Match.MISSING or isinstance(cell.value, str):
        return look
    quoted = "" if cell.is_cell else "put it in quotes, and "
    return f'to print what was typed, {quoted}say "type": "string" for it in the schema; {look}'


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"
