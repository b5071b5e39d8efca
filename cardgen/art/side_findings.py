"""Problems of sides to findings: at the card's line or the template's, each reported once."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from shlex import quote
from typing import Any

from jinja2.exceptions import TemplateError

from cardgen.art.named import naming_of
from cardgen.art.templating import TemplateLoader
from cardgen.core.findings import Finding, Findings, Location, Problem
from cardgen.core.game import Card, Game
from cardgen.core.records import dataclass, field, replace

_MOST_VALUES = 500
"""Values of a card in which a name is searched."""
_MOST_PLACES = 5
"""Most places that a finding lists."""
_LONGEST_NAME = 1000
"""Characters of a name that is searched."""

_EXPRESSION = re.compile(r"\{[{%#].*?[}%#]\}", re.DOTALL)
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_TAG = re.compile(r"<[^<>]*>")
_LONGEST_ELEMENT = 2_000
"""Characters of an element's source that is searched."""
_MAY_BE_LONG = frozenset(("text/outside", "text/safe-zone"))
"""Problems of a text that is in the right place but too long."""
_TEXT_END, _IMAGE_END = "</text", "/>"

Locate = Callable[[int], tuple[str, int] | None]


@dataclass(slots=True)
class _Entry:
    finding: Finding
    cards: list[Card] = field(default_factory=list)
    places: dict[tuple[str, int], None] = field(default_factory=dict)
    """All places of a problem that is reported once."""


class Reporter:
    """Collects problems while cards are rendered; `finish` turns them into findings."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._entries: dict[tuple[object, ...], _Entry] = {}
        self.first: dict[tuple[str, str, str], str] = {}
        """The first error of each side: component, card and side."""
        self._texts: dict[str, str] = {}
        self._naming, self._loader = naming_of(game), TemplateLoader(game.paths)
        self._elements: dict[tuple[tuple[str, int], str], str] = {}

    def template(self, problem: Problem, card: Card, side: str) -> None:
        """Add the problem of a template that can't be rendered for a card."""
        self._note(problem, card, side)
        place = problem.place
        location = self._game.where(card) if place is None else location_of(place, problem.column)
        self._add((problem.code, problem.message, place), problem.at(location), card)

    def problem(self, problem: Problem, card: Card, side: str, template: str, locate: Locate) -> None:
        """Add a problem of a rendered side."""
        self._note(problem, card, side)
        place = problem.place
        if place is None:
            place = locate(problem.offset) or (template, 1)
        if problem.once:
            self._once(problem, place, card)
            return
        about = problem.about
        own = tuple(part for part in about if not self._typed(place, _TEXT_END, part))
        own = _held(card.fields, own) if own else ()
        if problem.code == "text/glyph" and 0 < len(own) < len(about):
            # Letters of the template are its own even if others are the card's.
            rest = tuple(part for part in about if part not in own)
            self._place(_without(problem, own, rest), place, card, side, None)
            problem = _without(problem, rest, own)
        path: tuple[str | int, ...] | None = () if problem.of_card and (own or not about) else None
        if 0 < len(problem.named) <= _LONGEST_NAME and not self._stands_in(place[0], problem.named):
            path = self._path_of(problem.named, card.fields, place)
        elif problem.words and self._game.words is not None:
            found = _path_of_words(problem.words, card.fields)
            if path is not None or self._game.where(card, *found).file == self._game.words.file:
                path = found
        elif own and self._game.words is not None:
            found = _path_of_any(own, card.fields)
            if self._game.where(card, *found).file == self._game.words.file:
                path = found
        if path == () and self._game.where(card).cell:  # a row is wide: name its cell
            path = _path_of_any(own, card.fields) if own else _path_of_words(problem.words, card.fields)
        if path is None and problem.code in _MAY_BE_LONG and _path_of_words(problem.words, card.fields):
            path = None if self._typed(place, _TEXT_END, problem.words) else ()
        self._place(problem, place, card, side, path)

    def _once(self, problem: Problem, place: tuple[str, int], card: Card) -> None:
        """Add a problem of the whole project, with the first of its places."""
        where = location_of(place)
        key = (problem.code, problem.message, problem.severity)
        self._add(key, problem.at(where), card)
        self._entries[key].places[place] = None

    def _place(
        self,
        problem: Problem,
        place: tuple[str, int],
        card: Card,
        side: str,
        path: tuple[str | int, ...] | None,
    ) -> None:
        """Add a problem at a value of the card or, without a path, at a template's line."""
        key: tuple[object, ...] = (problem.code, problem.message, place)
        if path is not None:
            where = f"{side} drawn by templates/{place[0]}:{place[1]}"
            message, hint = f"card '{card.id}': {problem.message}", problem.hint
            if hint is None:
                hint = where
            elif "cardgen " in hint:
                message += f" ({where})"
            else:
                hint += f" ({where})"
            said = replace(problem.at(self._game.where(card, *path)), message=message, hint=hint)
            self._add((*key, side, card.component, card.id), said, card)
        else:
            shared = None
            if problem.named and not self._stands_in(place[0], problem.named):
                shared = self._place_in_data(problem.named)
            self._add(key, problem.at(shared or location_of(place)), card)

    def _place_in_data(self, name: str) -> Location | None:
        """Return the place in the game's files where alone a name is a value, such as in the theme."""
        found = [
            (document.relative, path)
            for document in self._game.locator.documents()
            for path in _paths_to(name, document.data, ())
        ]
        return self._game.locator.locate(*found[0]) if len(found) == 1 else None

    def _stands_in(self, template: str, name: str) -> bool:
        """Return True if a template itself contains a name, in quotes."""
        said = (f'"{name}"', f"'{name}'", f'"#icon-{name}"')
        source = self._source(template)
        return any(each in source for each in said)

    def _typed(self, place: tuple[str, int], end: str, part: str) -> bool:
        """Return True if an element in a template, from its line to its `end`, itself contains a text,
        ignoring case; in an expression, only quoted text counts."""
        key = (place, end)
        if key not in self._elements:
            source = self._source(place[0])
            start = 0
            for _ in range(place[1] - 1):
                start = source.find("\n", start) + 1
            until = source.find(end, start, start + _LONGEST_ELEMENT)
            element = source[start : start + _LONGEST_ELEMENT if until < 0 else until]
            element = _EXPRESSION.sub(lambda found: "".join(_QUOTED.findall(found[0])), element)
            if end == _TEXT_END:
                element = _TAG.sub("", element)
            self._elements[key] = html.unescape(element).casefold()
        return part.casefold() in self._elements[key]

    def _path_of(
        self, name: str, fields: Mapping[str, Any], place: tuple[str, int]
    ) -> tuple[str | int, ...] | None:
        """Return the place of a file's name in a card's data. Search for all of it, its last part, and that
        without its ending; then for its longest part that the template didn't write itself."""
        last = name.rpartition("/")[2]
        wanted = (name, last, last.rpartition(".")[0])
        found = _values(fields)
        exact = next((found[word] for word in wanted if word and word in found), None)
        if exact is not None:
            return exact
        ends = [word for word in found if "/" in word and name.endswith(word) and not _runs_on(name, word)]
        if ends:
            return found[max(ends, key=len)]
        folded = {word.casefold(): path for word, path in reversed(found.items())}
        exact = next((folded[word.casefold()] for word in wanted if word.casefold() in folded), None)
        if exact is not None:
            return exact
        parts = [word for word in folded if word and _is_part(word, wanted[2].casefold())]
        parts = [word for word in parts if not self._typed(place, _IMAGE_END, word)]
        return folded[max(parts, key=len)] if parts else None

    def _source(self, template: str) -> str:
        if template not in self._texts:
            try:
                text = self._loader.source(template)
            except TemplateError:  # rendering reports its problems
                text = ""
            self._texts[template] = self._naming.translation(text, template).source
        return self._texts[template]

    def _note(self, problem: Problem, card: Card, side: str) -> None:
        if problem.is_error:
            self.first.setdefault((card.component, card.id, side), problem.message)

    def _add(self, key: tuple[object, ...], finding: Finding, card: Card) -> None:
        known = self._entries.setdefault(key, _Entry(finding))
        if card not in known.cards[-1:]:
            known.cards.append(card)

    def finish(self, findings: Findings) -> None:
        """Add everything to `findings`."""
        findings.extend(finding for finding, _ in self.told())

    def told(self) -> Iterator[tuple[Finding, Sequence[Card]]]:
        """Yield each finding with its cards."""
        for entry in self._entries.values():
            finding = entry.finding
            if len(entry.places) > 1:
                message = f"{finding.message}; {_places(entry.places)}"
                finding = replace(finding, message=message)
            if not finding.message.startswith("card '"):
                finding = replace(finding, message=f"{finding.message} ({_cards(entry.cards)})")
            file = finding.location.file if finding.location else "FILE"
            hint = complete_command(finding.hint, self._game.id, entry.cards[0].id, file)
            yield replace(finding, hint=hint), entry.cards


def complete_command(hint: str | None, game: str, card: str, file: str = "FILE") -> str | None:
    """Return a hint with GAME, CARD and the FILE of --missing-from in the command at its end replaced."""
    text, command, words = (hint or "").rpartition("cardgen ")
    if not command:
        return hint
    words = words.replace("--missing-from FILE", f"--missing-from {quote(file)}")
    values = {"GAME": game, "CARD": card}
    return f"{text}{command}{' '.join(values.get(word, word) for word in words.split(' '))}"


def _without(problem: Problem, letters: Sequence[str], others: tuple[str, ...]) -> Problem:
    """Return a problem with some letters merged with the others."""
    message = problem.message
    for letter in letters:
        message = message.replace(f" '{letter}' (U+{ord(letter):04X})", "", 1)
    return replace(problem, message=message, about=others)


def _runs_on(name: str, end: str) -> bool:
    """Return True if the end of a path begins within one of its parts."""
    return end[0] != "/" and name[: -len(end)][-1:] not in ("", "/")


def _is_part(word: str, name: str) -> bool:
    """Return True if a word, or a number with or without leading zeros, is a separate part of a name."""
    at = name.find(word)
    while at >= 0:
        end = at + len(word)
        before = name[:at].rstrip("0") if word.isdigit() else name[:at]
        if not before[-1:].isalnum() and not name[end : end + 1].isalnum():
            return True
        at = name.find(word, at + 1)
    return False


def _values(fields: Mapping[str, Any]) -> dict[str, tuple[str | int, ...]]:
    """Return the texts and numbers of a card's data, with their first places."""
    found: dict[str, tuple[str | int, ...]] = {}
    pending: list[tuple[Any, tuple[str | int, ...]]] = [(fields, ())]
    looked = 0
    while pending and looked < _MOST_VALUES:
        value, path = pending.pop()
        looked += 1
        if isinstance(value, str | int) and not isinstance(value, bool):
            found.setdefault(str(value), path)
        elif isinstance(value, dict):
            pending += [(each, (*path, key)) for key, each in islice(value.items(), _MOST_VALUES)]
        elif isinstance(value, list):
            pending += [(each, (*path, index)) for index, each in enumerate(value[:_MOST_VALUES])]
    return found


def _paths_to(word: str, data: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    """Yield all places of a text in data."""
    if data == word:
        yield path
    elif isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _paths_to(word, value, (*path, key))


def _path_of_words(words: str, fields: Mapping[str, Any]) -> tuple[str | int, ...]:
    """Return the place of these words in a card's data, ignoring marks among them; else the card itself."""
    wanted = _letters(words)
    return _first(fields, lambda text: wanted in _letters(text)) if wanted else ()


def _path_of_any(parts: Sequence[str], fields: Mapping[str, Any]) -> tuple[str | int, ...]:
    """Return the place of the first of these letters or words in a card's data; else the card itself."""
    wanted = [part.casefold() for part in parts]
    return _first(fields, lambda text: any(part in text.casefold() for part in wanted))


def _first(fields: Mapping[str, Any], holds: Callable[[str], bool]) -> tuple[str | int, ...]:
    return next((path for text, path in _values(fields).items() if holds(text)), ())


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _held(fields: Mapping[str, Any], about: tuple[str, ...]) -> tuple[str, ...]:
    """Return the letters and words that a text in the data contains, ignoring case."""
    texts = [text.casefold() for text in _values(fields)]
    return tuple(part for part in about if any(part.casefold() in text for text in texts))


def location_of(place: tuple[str, int], column: int | None = None) -> Location:
    """Return a line of a file whose name starts from `templates/`."""
    file = f"templates/{place[0]}" if not place[0].startswith("../") else place[0][3:]
    return Location(file, place[1], column)


def _places(places: Mapping[tuple[str, int], None]) -> str:
    """Return the number of lines that request something, and the first of them by file."""
    lines: dict[str, list[str]] = {}
    for place in islice(places, _MOST_PLACES):
        where = location_of(place)
        lines.setdefault(where.file, []).append(str(where.line))
    named = ", ".join(f"{file}:{','.join(found)}" for file, found in lines.items())
    more = ", …" if len(places) > _MOST_PLACES else ""
    return f"{len(places):,} lines ask for it: {named}{more}"


def _cards(cards: list[Card]) -> str:
    names = list(dict.fromkeys(card.id for card in cards))
    if len(names) == 1:
        return f"card '{names[0]}'"
    return f"card '{names[0]}' and {len(names) - 1} more"
