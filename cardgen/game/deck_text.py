"""Deck lists as plain text, and the cards that their names mean."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from cardgen.core.findings import Findings, Location, nearest
from cardgen.core.game import Card
from cardgen.core.records import dataclass, field
from cardgen.game.schema_file import named

MAX_COPIES = 999
"""Most copies on a line; more is a slip."""

MAX_LINES = 10_000
"""Most lines of a list, empty ones counted."""
MAX_LINE = 1_000
"""Most characters of a line."""

FIELDS = {"title": 80, "author": 120, "description": 1000}
"""Headers of a list, and the most characters of each (`deck-list.schema.json`)."""

_NUMBER = re.compile(r"([+-]?[0-9][0-9.,]*)([xX×]?)$")
_FIELD = re.compile(r"(title|author|description)\s*:\s*(.*)$", re.IGNORECASE)
_TIMES = re.compile(r"[xX×]\s+")
_COMMENT = re.compile(r"\s+(?:#|//).*$")


@dataclass(frozen=True, slots=True)
class DeckLine:
    """A line that puts a card in the deck. `names` are its possible names, the likeliest first; `copies` is
    None if they are wrong, which is a finding already."""

    names: tuple[str, ...]
    copies: int | None
    location: Location


@dataclass(slots=True)
class DeckText:
    """The content of a file, before its names are looked up."""

    lines: list[DeckLine] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)
    location: Location = field(default_factory=lambda: Location(""))


def read_copies(text: str, place: Location, findings: Findings) -> int | None:
    """Return a number of copies, or None after a finding."""
    bare = text.strip()
    if not re.fullmatch(r"[+-]?[0-9]+", bare):
        message = f"'{bare[:40]}' is not a number of copies" if bare else "the number of copies is missing"
        findings.error("deck/copies", message, place, "write a whole number, such as 3")
        return None
    if bare.startswith("-") or not bare.strip("+0"):
        findings.error(
            "deck/copies", f"{bare[:40]} copies are less than 1", place, "write 1 or more, or remove it"
        )
        return None
    if len(bare.lstrip("+0")) > 6 or int(bare) > MAX_COPIES:
        message = f"{bare[:40]} copies are more than {MAX_COPIES}"
        findings.error("deck/copies", message, place, f"write {MAX_COPIES} or fewer")
        return None
    return int(bare)


def read_deck_text(text: str, file: str, findings: Findings) -> DeckText:
    """Read lines of a number and a name. Report each problem at its line.

    `3 Name`, `3x Name`, `3 x Name`; `#` and `//` begin comments; `Heading:` and `[Heading]` are only for
    readers; `Title: …`, `Author: …` and `Description: …` describe the deck.
    """
    deck = DeckText(location=Location(file, 1, 1))
    for number, line in enumerate(text.splitlines(), 1):
        if number > MAX_LINES:
            message = f"the list has more than {MAX_LINES:,} lines; the rest is not read"
            findings.error("deck/line", message, Location(file, number, 1), "split it into several files")
            break
        if len(line) > MAX_LINE:
            message = f"the line has {len(line):,} characters, at most {MAX_LINE:,} are allowed"
            findings.error("deck/line", message, Location(file, number, 1), "shorten it")
            continue
        bare = line.strip()
        if not bare or bare.startswith(("#", "//")):
            continue
        column = len(line) - len(line.lstrip()) + 1
        place = Location(file, number, column)
        head, rest = [*bare.split(None, 1), ""][:2]
        found = _NUMBER.match(head)
        if found:
            deck.lines.append(
                _card(found.group(1), bool(found.group(2)), head, rest.strip(), place, findings)
            )
        elif said := _FIELD.match(bare):
            _note(deck, said.group(1).lower(), said.group(2), place, findings)
        elif not (bare.endswith(":") or (bare.startswith("[") and bare.endswith("]"))):
            message = f"'{bare[:60]}' does not begin with a number of copies"
            hint = "write one card per line, such as 3 Card Name; comments begin with #"
            findings.error("deck/line", message, place, hint)
    return deck


def _card(
    number: str, crossed: bool, head: str, rest: str, place: Location, findings: Findings
) -> DeckLine:
    copies = read_copies(number, place, findings)
    named = Location(place.file, place.line, (place.column or 1) + len(head) + 1)
    # "3 x Name" may also be three copies of a card called "x Name".
    forms = [rest]
    if not crossed and (times := _TIMES.match(rest)):
        forms.append(rest[times.end() :])
    names = list(dict.fromkeys(name for form in forms for name in (form, _COMMENT.sub("", form))))
    if not rest or names[-1].startswith(("#", "//")):
        hint = "write the card's name after the number, such as 3 Card Name"
        findings.error("deck/line", f"'{head}' is not followed by a card's name", place, hint)
        return DeckLine((), copies, named)
    return DeckLine(tuple(names), copies, named)


def _note(deck: DeckText, name: str, value: str, place: Location, findings: Findings) -> None:
    if name in deck.fields:
        findings.error("deck/line", f"the {name} appears twice", place, "keep one of them")
    elif len(value) > FIELDS[name]:
        message = f"the {name} has {len(value)} characters, at most {FIELDS[name]} are allowed"
        findings.error("deck/line", message, place, "shorten it")
    else:
        deck.fields[name] = value
        if name == "title":
            deck.location = place


_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‐": "-", "‑": "-"})
_LIKENESS = 0.6
_MOST = 4
"""Most cards that a hint names."""
_COMPARISONS = 50_000
"""Most names that are compared for hints: a foreign list has no near names among thousands of cards."""


@dataclass(eq=False)
class UnknownCardError(Exception):
    """A name of no card, or of several. `hint` lists the likely ones."""

    code: str
    message: str
    hint: str | None


def folded(name: str) -> str:
    """Return a name for a loose comparison: without case, accents, typographic quotes and dashes, and with
    single spaces."""
    letters = unicodedata.normalize("NFKD", name.translate(_PLAIN))
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(bare.casefold().split())


class CardNames:
    """The cards of a pool by name and by id. `field` is the field that contains a card's name."""

    def __init__(self, cards: Iterable[Card], field: str) -> None:
        self._exact: dict[str, list[Card]] = {}
        self._ids: dict[str, Card] = {}
        self._folded: dict[str, list[Card]] = {}
        self._said: dict[str, str] = {}  # a card's name in hints, by its folded name
        self._comparisons = _COMPARISONS
        for card in cards:
            name = name_of(card, field)
            self._exact.setdefault(name, []).append(card)
            self._ids[card.id] = card
            for key in dict.fromkeys((folded(name), folded(card.id))):
                self._folded.setdefault(key, []).append(card)
                self._said.setdefault(key, name if key == folded(name) else card.id)

    def find(self, name: str) -> Card:
        """Return the card of that name: written exactly, else its id, else apart from case and accents.

        Raises UnknownCardError for none and for several.
        """
        found: Sequence[Card] = self._exact.get(name, ())
        if not found and name in self._ids:
            return self._ids[name]
        found = found or self._folded.get(folded(name), ())
        if len(found) == 1:
            return found[0]
        if found:
            ids = ", ".join(card.id for card in found[:_MOST])
            more = ", …" if len(found) > _MOST else ""
            raise UnknownCardError(
                "deck/ambiguous-card",
                f"{len(found)} cards are called '{named(name)}'",
                f"name one by its id: {ids}{more}",
            )
        raise UnknownCardError("deck/unknown-card", f"there is no card '{named(name)}'", self._near(name))

    def first(self, names: Sequence[str]) -> Card:
        """Return the card of the first known name; raises UnknownCardError for the last one."""
        for name in names[:-1]:
            try:
                return self.find(name)
            except UnknownCardError as error:
                if error.code != "deck/unknown-card":
                    raise
        return self.find(names[-1])

    def _near(self, name: str) -> str | None:
        if self._comparisons <= 0:
            return None
        self._comparisons -= len(self._said)
        close = nearest(folded(name), self._said, _LIKENESS)
        return f"did you mean '{self._said[close]}'?" if close is not None else None


def name_of(card: Card, field: str) -> str:
    """Return a card's name in deck lists; its id if it has no such field."""
    name = card.fields.get(field)
    return name if isinstance(name, str) and name else card.id
