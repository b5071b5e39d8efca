"""A game's cards as a database of names and properties, as `data/GAME/cockatrice.yaml` maps them.

Joins loading and rendering for the exporter. Without such a file a game is one set, and a card has its
name, the title of its component and no text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardgen.findings import Findings, Location, UsageError
from cardgen.model.database import CardDatabase, CardEntry, CardSet
from cardgen.model.game import Card, Component, Game

if TYPE_CHECKING:
    from cardgen.rendering.phrases import Phrases

ROWS = range(4)
SHORT = 8
"""Characters of a set's short name, at most."""


def database_of(game: Game, findings: Findings) -> CardDatabase:
    """The database of the cards that a game's deck lists name. Problems go to `findings`.

    Raises UsageError for a game without deck lists.
    """
    from cardgen.rendering.phrases import Phrases

    if game.deck_source is None:
        message = f"{game.title} has no deck lists, and Cockatrice is for games whose players bring decks"
        hint = "say what decks draw from in game.yaml: decks: {component: …}"
        raise UsageError(message, hint, "usage/decks")
    relative = f"data/{game.id}/cockatrice.yaml"
    data = _mapping(game, relative, findings)
    sets = _sets(game, data)
    phrases = Phrases(game, relative, findings)
    pool = game.component(game.deck_source.component)
    reader = _Reader(game, relative, data.get("card", {}), sets, phrases, findings)
    entries = tuple(reader.entry(pool, card) for card in pool.cards)
    _check_names(game, entries, findings)
    return CardDatabase(pool.id, sets, entries)


def _mapping(game: Game, relative: str, findings: Findings) -> dict[str, Any]:
    from cardgen.loading import load_checked

    if game.paths.find(relative) is None:
        findings.note(
            "cockatrice/plain",
            "cards have no text and no properties in Cockatrice",
            Location(f"data/{game.id}/game.yaml"),
            f"say what to file them under in {relative}",
        )
        return {}
    document = load_checked(game.paths, relative, "schemas/cockatrice.schema.json", findings)
    return {} if document is None else dict(document.data)


def _sets(game: Game, data: dict[str, Any]) -> tuple[CardSet, ...]:
    if "sets" not in data:
        short = "".join(char for char in game.id.upper() if char.isalnum())[:SHORT]
        return (CardSet(short, game.title, "Custom"),)
    return tuple(
        CardSet(name, entry["title"], entry["type"], entry.get("released"))
        for name, entry in data["sets"].items()
    )


@dataclass(slots=True)
class _Reader:
    """Fills in what the mapping says of each card."""

    game: Game
    relative: str
    mapping: dict[str, Any]
    sets: tuple[CardSet, ...]
    phrases: Phrases
    findings: Findings
    said: set[str] = field(default_factory=set)

    def entry(self, pool: Component, card: Card) -> CardEntry:
        assert self.game.deck_source is not None
        name = card.fields.get(self.game.deck_source.name)

        def words(key: str, default: str = "") -> str:
            text = self.mapping.get(key, default)
            return self.phrases.of_card(text, ("card", key), pool, card, card.copies).strip()

        properties = []
        for key, text in self.mapping.get("properties", {"type": pool.title}).items():
            path = ("card", "properties", key)
            value = self.phrases.of_card(text, path, pool, card, card.copies).strip()
            if value:
                properties.append((key, value))
        return CardEntry(
            card=card,
            name=str(name) if name else card.id,
            set=self._set(words("set", self.sets[0].name), card),
            number=words("number", "{{ number }}"),
            rarity=words("rarity"),
            text=words("text"),
            row=self._row(words("row"), card),
            properties=tuple(properties),
        )

    def _set(self, name: str, card: Card) -> str:
        known = [each.name for each in self.sets]
        if name not in known:
            hint = f"sets: {', '.join(known)}"
            self._say("set", f"there is no set '{name}' (card '{card.id}')", hint)
        return name

    def _row(self, text: str, card: Card) -> int | None:
        if not text:
            return None
        if text in {str(row) for row in ROWS}:
            return int(text)
        self._say("row", f"'{text}' is no row from 0 to 3 (card '{card.id}')", None)
        return None

    def _say(self, key: str, message: str, hint: str | None) -> None:
        """Report a problem of the mapping, at the first card that shows it."""
        if key not in self.said:
            self.said.add(key)
            place = self.game.locator.locate(self.relative, ("card", key))
            self.findings.error(f"cockatrice/{key}", message, place, hint)


def _check_names(game: Game, entries: tuple[CardEntry, ...], findings: Findings) -> None:
    """Report names that two cards have: Cockatrice knows cards by nothing else."""
    known: dict[str, CardEntry] = {}
    for entry in entries:
        other = known.setdefault(entry.name, entry)
        if other is not entry:
            findings.error(
                "cockatrice/name",
                f"'{entry.card.id}' and '{other.card.id}' are both called '{entry.name}'",
                game.where(entry.card),
                "Cockatrice tells cards apart by their names alone",
            )
