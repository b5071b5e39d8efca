"""Problems of sides to findings: at the card's line or the template's, each said once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from cardgen.findings import Finding, Findings, Location, Severity
from cardgen.model.game import Card, Game
from cardgen.rendering.environment import RenderError
from cardgen.svg.problems import Problem

Locate = Callable[[int], tuple[str, int] | None]


@dataclass(slots=True)
class _Entry:
    severity: Severity
    code: str
    message: str
    hint: str | None
    location: Location | None
    cards: list[Card] = field(default_factory=list)


class Reporter:
    """Collects problems while cards are rendered; `finish` turns them into findings."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._entries: dict[tuple[object, ...], _Entry] = {}

    def template(self, problem: RenderError, card: Card) -> None:
        """A template that could not be rendered for a card."""
        if problem.place is None:
            location = self._game.where(card)
        else:
            location = _location(problem.place)
        entry = _Entry(Severity.ERROR, problem.code, str(problem), problem.hint, location)
        self._add((problem.code, str(problem), problem.place), entry, card)

    def problem(self, problem: Problem, card: Card, side: str, template: str, locate: Locate) -> None:
        """A problem of a rendered side."""
        place = problem.place
        if place is None:
            place = locate(problem.offset) or (template, 1)
        key: tuple[object, ...] = (problem.code, problem.message, place, side)
        if problem.of_card and (not problem.about or _holds(card.fields, problem.about)):
            where = f"{side} drawn by templates/{place[0]}:{place[1]}"
            hint = f"{problem.hint} ({where})" if problem.hint else where
            name = f"card '{card.id}': {problem.message}"
            location = self._game.where(card)
            entry = _Entry(problem.severity, problem.code, name, hint, location)
            self._add((*key, card.component, card.id), entry, card)
        else:
            entry = _Entry(problem.severity, problem.code, problem.message, problem.hint, _location(place))
            self._add(key, entry, card)

    def file(self, file: str, problem: Problem, data: bytes, card: Card) -> None:
        """A problem in a file that a side shows, such as an icon."""
        location = Location(file, data.count(b"\n", 0, problem.offset) + 1)
        entry = _Entry(problem.severity, problem.code, problem.message, problem.hint, location)
        self._add((problem.code, problem.message, location), entry, card)

    def _add(self, key: tuple[object, ...], entry: _Entry, card: Card) -> None:
        known = self._entries.setdefault(key, entry)
        if card not in known.cards[-1:]:
            known.cards.append(card)

    def finish(self, findings: Findings) -> None:
        """Add everything to `findings`."""
        for entry in self._entries.values():
            message = entry.message
            if not message.startswith("card '"):
                message += f" ({_cards(entry.cards)})"
            findings.extend(
                [Finding(entry.severity, entry.code, message, entry.location, entry.hint)],
            )


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
