"""Read playtests: what happened to each card at the table, from `data/GAME/playtests/*.yaml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardgen.core.findings import Findings
from cardgen.core.game import Game
from cardgen.core.records import dataclass
from cardgen.game.sources import Sources, Subject

FOLDER = "playtests"
SCHEMA = "schemas/playtest.schema.json"

Key = tuple[str, str]
"""A card: its component and its id."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of a card: drawn, played, and drawn by a player who won."""

    drawn: int = 0
    played: int = 0
    won: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.drawn + other.drawn, self.played + other.played, self.won + other.won)


@dataclass(frozen=True, slots=True)
class Playtest:
    """One game that was played: its `date` (ISO), the game's version, and a tally for each drawn card."""

    file: str
    date: str
    version: str
    players: int | None
    minutes: int | None
    cards: Mapping[Key, Tally]


def folder_of(game: str) -> str:
    """Return the folder of a game's records, relative to the project."""
    return f"data/{game}/{FOLDER}"


def load_playtests(game: Game, findings: Findings) -> tuple[Playtest, ...]:
    """Return the valid records of a game, by date. Problems go to `findings`: `reference/component` and
    `reference/card` for unknown names in a record of the current version (an older one may name cards that
    are gone), `playtest/counts` for more cards played or won with than drawn."""
    sources, found = Sources(game.paths, findings), []
    for file in sources.names(folder_of(game.id), ".yaml"):
        relative = f"{folder_of(game.id)}/{file}"
        document = sources.checked(relative, SCHEMA)
        if document is None:
            continue
        data, current = document.data, document.data["version"] == game.version
        cards: dict[Key, Tally] = {}
        for component, tallies in data["cards"].items():
            stated = Subject(document, findings, ("cards", component))
            known = {each.id: {card.id for card in each.cards} for each in game.components}
            if current and component not in known:
                stated.refuse_unknown("reference/component", component, known, "component", "components")
                continue
            for id in tallies:
                subject = stated.below(id)
                if current and id not in known[component]:
                    subject.refuse_unknown("reference/card", id, known[component], "card", "cards")
                if (tally := tally_in(subject)) is not None:
                    cards[component, id] = tally
        found.append(
            Playtest(
                relative, data["date"], data["version"], data.get("players"), data.get("minutes"), cards
            )
        )
    return tuple(sorted(found, key=lambda each: (each.date, each.file)))


def tally_in(subject: Subject) -> Tally | None:
    """Return the counts of a card in a record; None if nobody drew it, or after a finding."""
    _, component, id = subject.path
    tally = Tally(**subject.document.data["cards"][component][id])
    if max(tally.played, tally.won) > tally.drawn:
        message = f"'{id}' was drawn {tally.drawn} times, fewer than it was played or won with"
        subject.error("playtest/counts", message, "correct one of its numbers")
        return None
    return tally if tally.drawn else None


def by_version(playtests: Sequence[Playtest]) -> dict[str, dict[Key, Tally]]:
    """Return the tallies of each version, versions in the order in which they were played."""
    found: dict[str, dict[Key, Tally]] = {}
    for playtest in playtests:
        sums = found.setdefault(playtest.version, {})
        for key, tally in playtest.cards.items():
            sums[key] = sums.get(key, Tally()) + tally
    return found
