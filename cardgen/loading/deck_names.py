"""Which card a deck list means by a name."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cardgen.findings import nearest
from cardgen.model.game import Card
from cardgen.schema.wording import named

_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‐": "-", "‑": "-"})
_LIKENESS = 0.6
_MOST = 4
"""Most cards that a hint names."""
_COMPARISONS = 50_000
"""Most names that are compared for hints: a list of strangers' cards against thousands has none near."""


@dataclass(eq=False)
class UnknownCardError(Exception):
    """No card, or several, are called so. `hint` says which may be meant."""

    code: str
    message: str
    hint: str | None


def folded(name: str) -> str:
    """A name as it is compared where it is not written exactly so: without case, accents, typographic
    quotes and dashes, and with single spaces."""
    letters = unicodedata.normalize("NFKD", name.translate(_PLAIN))
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(bare.casefold().split())


class CardNames:
    """The cards of a pool by name and by id. `field` is the field that holds a card's name."""

    def __init__(self, cards: Iterable[Card], field: str) -> None:
        self._exact: dict[str, list[Card]] = {}
        self._ids: dict[str, Card] = {}
        self._folded: dict[str, list[Card]] = {}
        self._said: dict[str, str] = {}  # what a hint calls the card of a folded name
        self._comparisons = _COMPARISONS
        for card in cards:
            name = name_of(card, field)
            self._exact.setdefault(name, []).append(card)
            self._ids[card.id] = card
            for key in dict.fromkeys((folded(name), folded(card.id))):
                self._folded.setdefault(key, []).append(card)
                self._said.setdefault(key, name if key == folded(name) else card.id)

    def find(self, name: str) -> Card:
        """The card of that name: written exactly, else its id, else apart from case and accents.

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
        """The card of the first of these names that is known; UnknownCardError for the last name."""
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
    """What deck lists call a card; its id where it has no such field."""
    name = card.fields.get(field)
    return name if isinstance(name, str) and name else card.id
