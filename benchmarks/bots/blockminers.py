"""Plays Blockminers by itself and prints how often it is won, by number of players.

    python benchmarks/bots/blockminers.py [--games 2000] [--seed 1] [--players 2 3] [--only sensible]

Three kinds of players (see blockminers_players.py) and the variant of long nights; every game's characters
are drawn at random.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import mean, median

sys.path.insert(0, str(Path(__file__).resolve().parent))

from blockminers_players import Careless, Sensible
from blockminers_table import Players, Rules, Table

import cardgen

SETTINGS = {
    "sensible": "play what is worth most",
    "starters": "the same, but never take a Dark Web card",
    "long nights": "sensible, in the variant of long nights",
    "careless": "play at random",
}


@dataclass(frozen=True, slots=True)
class Result:
    """What came of the games of one setting with one number of players."""

    won: float
    days: float
    unpaid: float
    """The share of games that ended with a rent unpaid; the others lost went on for too long."""
    capped: float
    """How often in a game a gain was lost for want of markers."""
    level: float
    """The highest level anybody stood on at the end, on the average."""
    threat: float


def play(rules: Rules, setting: str, count: int, games: int, seed: int = 1) -> Result:
    """Plays so many games; the same seed gives the same games."""
    tables = []
    for game in range(games):
        dice = Random(zlib.crc32(f"{seed} {setting} {count} {game}".encode()))
        players: Players = (
            Careless(dice) if setting == "careless" else Sensible(building=setting != "starters")
        )
        table = Table(rules, count, players, dice, long_nights=setting == "long nights")
        table.play()
        tables.append(table)
    return Result(
        mean(table.won is True for table in tables),
        median(table.day for table in tables),
        mean(table.won is False and table.money < table.rent for table in tables),
        mean(table.capped for table in tables),
        mean(max(seat.level for seat in table.seats) for table in tables),
        mean(table.most_threat for table in tables),
    )


_KNOWN: dict[int, Rules] = {}


def _rules(game: cardgen.Game) -> Rules:
    return _KNOWN.get(id(game)) or _KNOWN.setdefault(id(game), Rules.of(game))


def evening(game: cardgen.Game, seed: int, players: int, careful: bool) -> dict[str, float]:
    """Play one game for `cardgen simulate blockminers --trust-bots`, and return its figures."""
    dice = Random(seed)
    table = Table(_rules(game), players, Sensible() if careful else Careless(dice), dice)
    table.play()
    return {
        "games that are won": table.won is True,
        "days": table.day,
        "the highest level": max(seat.level for seat in table.seats),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=2000, help="how many a setting and number of players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 5])
    parser.add_argument("--only", nargs="+", choices=list(SETTINGS), default=list(SETTINGS))
    asked = parser.parse_args(arguments)
    rules = Rules.of(cardgen.load("blockminers"))
    print("| setting | players | won | median days | rent unpaid | cut by the cap | top level | Threat |")
    print("|:--|--:|--:|--:|--:|--:|--:|--:|")
    for setting in asked.only:
        for count in asked.players:
            found = play(rules, setting, count, asked.games, asked.seed)
            print(
                f"| {setting} | {count} | {found.won:.1%} | {found.days:g} | {found.unpaid:.1%} "
                f"| {found.capped:.2f} | {found.level:.1f} | {found.threat:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
