"""Plays MindNet with bots and says how long games last, who wins, and which prices are paid.

    python benchmarks/bots/mindnet.py --games 2000

A setting is two tempers (mindnet_bots.py) and two decks. In half of its games each temper begins, and
each deck, in turn. The rules are those of data/mindnet/rulebook.md (mindnet_table.py); cards, figures
and decks are read from the YAML. The columns: turns of both together, the median and where four of five
games lie; games won by whoever began, by the first temper named, by the first deck; draws; games in
which a card of 8 Credits or more was played.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from pathlib import Path

from mindnet_bots import Crowd, Player, Raider, Rusher, Tower
from mindnet_sides import ROOT, Card, Rules
from mindnet_table import Table

import cardgen

TEMPERS: tuple[Player, ...] = (Crowd(), Tower(), Raider(), Rusher())
POOL = {"individual": 28, "item": 8, "possession": 6, "event": 8}
"""Cards of each type in a deck that is drawn from the whole pool, about as in the decks to start with."""


@dataclass
class Tally:
    """What the games of a setting came to."""

    turns: list[int] = field(default_factory=list)
    beginner: float = 0.0
    draws: int = 0
    dear: int = 0
    """Games in which a card of 8 Credits or more was played."""
    seen: Counter[int] = field(default_factory=Counter)
    played: Counter[int] = field(default_factory=Counter)
    first: float = 0.0
    """Games that the first temper won, and the first deck."""
    first_deck: float = 0.0
    spent: Counter[str] = field(default_factory=Counter)
    fetched: Counter[str] = field(default_factory=Counter)
    """By temper: individuals that lost where they approached, and Genies that hacker units took."""

    def add(
        self, table: Table, pair: tuple[Player, Player], winner: int | None, swap: int, turned: int
    ) -> None:
        self.turns.append(table.turns)
        self.beginner += 0.5 if winner is None else winner == 0
        self.draws += winner is None
        self.first += 0.5 if winner is None else winner == swap
        self.first_deck += 0.5 if winner is None else winner == turned
        for side, player in zip(table.sides, pair, strict=True):
            self.spent[player.name] += side.spent
            self.fetched[player.name] += side.fetched
            for card, count in side.seen.items():
                self.seen[card.price] += count
            for card, count in side.played.items():
                self.played[card.price] += count
        self.dear += any(card.price >= 8 for side in table.sides for card in side.played)


def of_pool(rules: Rules, rng: random.Random) -> list[Card]:
    """A legal deck drawn from the pool, at most two of a title."""
    deck: list[Card] = []
    for type, count in POOL.items():
        cards = [card for card in rules.pool.values() if card.type == type]
        deck += rng.sample(cards + [card for card in cards if not card.unique], count)
    return deck


def games(rules: Rules, tempers: tuple[Player, Player], decks: str, count: int, seed: int) -> Tally:
    """`count` games of a setting; `decks` is starters, mirror (one starter on both sides) or pool."""
    tally = Tally()
    starters = list(rules.decks.values())
    for number in range(count):
        rng = random.Random(f"{seed} {decks} {number // 4}")
        swap, turned = number % 2, number // 2 % 2
        pair = (tempers[swap], tempers[1 - swap])
        if decks == "pool":
            dealt = (of_pool(rules, rng), of_pool(rules, rng))
        else:
            dealt = (starters[0], starters[1]) if decks == "starters" else (starters[number // 4 % 2],) * 2
        table = Table(rules, pair, (dealt[turned], dealt[1 - turned]), seed * 1_000_003 + number)
        tally.add(table, pair, table.play(), swap, turned)
    return tally


def line(name: str, tally: Tally) -> str:
    count = len(tally.turns)
    tenth = statistics.quantiles(tally.turns, n=10)
    shares = (tally.beginner, tally.first, tally.first_deck, tally.draws, tally.dear)
    return f"{name:32}{statistics.median(tally.turns):6.0f}{tenth[0]:5.0f}–{tenth[-1]:<4.0f}" + "".join(
        f"{share / count:8.1%}" for share in shares
    )


_KNOWN: dict[int, Rules] = {}


def _rules(game: cardgen.Game) -> Rules:
    return _KNOWN.get(id(game)) or _KNOWN.setdefault(id(game), Rules(game))


def evening(game: cardgen.Game, seed: int, temper: str) -> dict[str, float]:
    """Play one game for `cardgen simulate mindnet --trust-bots`: this temper against a tower, with the two
    decks to start with. Return its figures."""
    rng = random.Random(seed)
    bot = next(each for each in TEMPERS if each.name == temper)
    turned, swapped = rng.randrange(2), rng.randrange(2)
    decks = list(_rules(game).decks.values())
    pair = (Tower(), bot) if swapped else (bot, Tower())
    table = Table(_rules(game), pair, (decks[turned], decks[1 - turned]), seed)
    winner = table.play()
    return {
        "turns": table.turns,
        "games that the first seat wins": 0.5 if winner is None else winner == 0,
        "games that this temper wins": 0.5 if winner is None else winner == swapped,
        "games that the first deck wins": 0.5 if winner is None else winner == turned,
        "draws": winner is None,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=2000, help="games a setting")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--decks", nargs="+", default=["starters", "mirror", "pool"], choices=["starters", "mirror", "pool"]
    )
    parser.add_argument(
        "--figure", nargs="*", default=[], metavar="NAME=N", help="other figures than turn.yaml has"
    )
    parser.add_argument("--root", type=Path, default=ROOT, help="the project")
    given = parser.parse_args()
    rules = Rules(cardgen.load("mindnet", project=cardgen.Project.open(given.root)))
    for figure in given.figure:
        name, value = figure.split("=")
        rules.figures[name] = int(value)
    columns = ("begins", "first", "deck 1", "draws", "8+")
    print(
        f"{'tempers, decks':32}{'turns':>6} {'80 % in':9}" + "".join(f"{column:>8}" for column in columns)
    )
    seen: Counter[int] = Counter()
    played: Counter[int] = Counter()
    spent: Counter[str] = Counter()
    fetched: Counter[str] = Counter()
    for decks in given.decks:
        for one, other in combinations_with_replacement(TEMPERS, 2):
            tally = games(rules, (one, other), decks, given.games, given.seed)
            seen += tally.seen
            played += tally.played
            spent += tally.spent
            fetched += tally.fetched
            print(line(f"{one.name}, {other.name}, {decks}", tally), flush=True)
    print("\nprice" + "".join(f"{price:7}" for price in sorted(seen)))
    print(
        "of those drawn, played" + "".join(f"{played[price] / seen[price]:7.0%}" for price in sorted(seen))
    )
    print(
        "\nindividuals lost in approaches for each Genie fetched: "
        + ", ".join(f"{name} {spent[name] / fetched[name]:.1f}" for name in sorted(fetched))
    )


if __name__ == "__main__":
    main()
