"""Problems of sides to findings: at the card's line or the template's, each said once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from cardgen.findings import Finding, Findings, Location, Problem
from cardgen.model.game import Card, Game
from cardgen.storage.reading import TEMPLATE, ReadingError, read_file

_MOST_VALUES = 500
"""Values of a card among which a name is looked for."""
_LONGEST_NAME = 1000
"""Characters of a name that is looked for."""

Locate = Callable[[int], tuple[str, int] | None]


@dataclass(slots=True)
class _Entry:
    finding: Finding
    cards: list[Card] = field(default_factory=list)


class Reporter:
    """Collects problems while cards are rendered; `finish` turns them into findings."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._entries: dict[tuple[object, ...], _Entry] = {}
        self._texts: dict[str, bytes] = {}

    def template(self, problem: Problem, card: Card) -> None:
        """A template that could not be rendered for a card."""
        place = problem.place
        location = self._game.where(card) if place is None else _location(place)
        self._add((problem.code, problem.message, place), problem.at(location), card)

    def problem(self, problem: Problem, card: Card, side: str, template: str, locate: Locate) -> None:
        """A problem of a rendered side."""
        place = problem.place
        if place is None:
            place = locate(problem.offset) or (template, 1)
        key: tuple[object, ...] = (problem.code, problem.message, place, side)
        of_card = problem.of_card and (not problem.about or _holds(card.fields, problem.about))
        path: tuple[str | int, ...] | None = () if of_card else None
        if 0 < len(problem.named) <= _LONGEST_NAME and not self._stands_in(place[0], problem.named):
            path = _path_of(problem.named, card.fields)
        elif of_card and problem.words and self._game.words is not None:
            path = _path_of_words(problem.words, card.fields)
        if path is not None:
            where = f"{side} drawn by templates/{place[0]}:{place[1]}"
            hint = f"{problem.hint} ({where})" if problem.hint else where
            said = replace(problem.at(self._game.where(card, *path)), hint=hint)
            said = replace(said, message=f"card '{card.id}': {problem.message}")
            self._add((*key, card.component, card.id), said, card)
        else:
            self._add(key, problem.at(_location(place)), card)

    def file(self, file: str, problem: Problem, data: bytes, card: Card) -> None:
        """A problem in a file that a side shows, such as an icon."""
        location = Location(file, data.count(b"\n", 0, problem.offset) + 1)
        self._add((problem.code, problem.message, location), problem.at(location), card)

    def _stands_in(self, template: str, name: str) -> bool:
        """Whether a template says a name itself, in quotes."""
        if template not in self._texts:
            file = f"templates/{template}"
            roots = self._game.paths.roots
            try:
                found = self._game.paths.find(file)
                self._texts[template] = read_file(found, TEMPLATE, file, roots) if found else b""
            except ReadingError:  # rendering says what is wrong with it
                self._texts[template] = b""
        said = (f'"{name}"', f"'{name}'", f'"#icon-{name}"')
        return any(each.encode(errors="replace") in self._texts[template] for each in said)

    def _add(self, key: tuple[object, ...], finding: Finding, card: Card) -> None:
        known = self._entries.setdefault(key, _Entry(finding))
        if card not in known.cards[-1:]:
            known.cards.append(card)

    def finish(self, findings: Findings) -> None:
        """Add everything to `findings`."""
        for entry in self._entries.values():
            finding = entry.finding
            if not finding.message.startswith("card '"):
                finding = replace(finding, message=f"{finding.message} ({_cards(entry.cards)})")
            findings.extend([finding])


def _path_of(name: str, fields: Mapping[str, Any]) -> tuple[str | int, ...] | None:
    """Where a card's data say a file's name, or else its last part or that without its ending."""
    last = name.rpartition("/")[2]
    wanted = (name, last, last.rpartition(".")[0])
    found: dict[str, tuple[str | int, ...]] = {}
    pending: list[tuple[Any, tuple[str | int, ...]]] = [(fields, ())]
    looked = 0
    while pending and looked < _MOST_VALUES:
        value, path = pending.pop()
        looked += 1
        if isinstance(value, str):
            found.setdefault(value, path)
        elif isinstance(value, dict):
            pending += [(each, (*path, key)) for key, each in islice(value.items(), _MOST_VALUES)]
        elif isinstance(value, list):
            pending += [(each, (*path, index)) for index, each in enumerate(value[:_MOST_VALUES])]
    return next((found[word] for word in wanted if word and word in found), None)


def _path_of_words(words: str, fields: Mapping[str, Any]) -> tuple[str | int, ...]:
    """Where a card's data say these words, whatever marks stand among them; the card itself if nowhere."""
    wanted = _letters(words)
    pending: list[tuple[Any, tuple[str | int, ...]]] = [(fields, ())]
    looked = 0
    while pending and looked < _MOST_VALUES:
        value, path = pending.pop()
        looked += 1
        if isinstance(value, str):
            if wanted in _letters(value):
                return path
        elif isinstance(value, dict):
            pending += [(each, (*path, key)) for key, each in islice(value.items(), _MOST_VALUES)]
        elif isinstance(value, list):
            pending += [(each, (*path, index)) for index, each in enumerate(value[:_MOST_VALUES])]
    return ()


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _holds(data: object, about: tuple[str, ...]) -> bool:
    """Whether a text in the data has one of the letters or words, in capitals or not."""
    letters = {part.casefold() for part in about if len(part) == 1}
    words = [part.casefold() for part in about if len(part) > 1]
    todo = [data]
    while todo:
        value = todo.pop()
        if isinstance(value, str):
            text = value.casefold()
            if not letters.isdisjoint(text) or any(word in text for word in words):
                return True
        elif isinstance(value, Mapping):
            todo += value.values()
        elif isinstance(value, Sequence):
            todo += value
    return False


def _location(place: tuple[str, int]) -> Location:
    return Location(f"templates/{place[0]}", place[1])


def _cards(cards: list[Card]) -> str:
    names = list(dict.fromkeys(card.id for card in cards))
    if len(names) == 1:
        return f"card '{names[0]}'"
    return f"card '{names[0]}' and {len(names) - 1} more"
