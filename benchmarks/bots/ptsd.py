"""Plays PTSD: Terminal 01 with bots and says how many rounds it lasts, beside the spaces of its track.

    python benchmarks/bots/ptsd.py --games 2000

The rules are those of data/ptsd/rulebook.md for a first night: without the three hats, so without Trade
and market cards. Nobody uses a special power, nor Hardens. Cards, limits and set-ups are read from the
YAML. Each stack is for the location that pays best for what is still missing; what is worth more on the
chain goes there. Around the table every second player likes the chain better. Clumsy bots take one
action in three at random.

The columns: rounds, the median, where four of five games lie, and what 99 % do not pass; games that
leave the track; games that end with all cubes out; the winner's score; cards on a chain.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cardgen

ROOT = Path(__file__).resolve().parent.parent.parent
CLUMSY = 1 / 3
"""The share of a clumsy bot's actions that it takes at random."""
SUITED = 0.5
"""What a missing point counts, where a missing fragment, suit symbol or type counts 1."""


@dataclass(eq=False, slots=True)
class Data:
    type: str
    suit: str
    points: int
    sysm: int
    fragments: tuple[str, ...]


@dataclass(eq=False)
class Place:
    fragments: list[str]
    suits: Counter[str]
    points: int
    type: str
    fame: int
    sides: int
    modifier: int
    cubes: Counter[Player] = field(default_factory=Counter)
    hacked: bool = False

    def missing(self, stack: list[Data], player: Player) -> float:
        """How far `stack` is from a Hack; 0 where it succeeds. One card may help with all four."""
        rivals = sum(self.cubes.values()) - self.cubes[player]
        points = max(0, self.points + rivals - sum(card.points for card in stack))
        shown = Counter(card.suit for card in stack)
        suits = sum(max(0, count - shown[suit]) for suit, count in self.suits.items())
        type = not any(card.type in (self.type, "Wildcard") for card in stack)
        return len(self.fragments) - covered(self.fragments, stack) + suits + type + SUITED * points

    def held_by(self, player: Player) -> bool:
        return all(self.cubes[player] > count for other, count in self.cubes.items() if other is not player)


def covered(fragments: list[str], stack: list[Data]) -> int:
    """The most fragments that cards of their own can cover."""
    taken: dict[int, int] = {}

    def place(number: int, tried: set[int]) -> bool:
        for at, card in enumerate(stack):
            if fragments[number] in card.fragments and at not in tried:
                tried.add(at)
                if at not in taken or place(taken[at], tried):
                    taken[at] = number
                    return True
        return False

    return sum(place(number, set()) for number in range(len(fragments)))


@dataclass(eq=False)
class Player:
    number: int
    thrift: float
    """How much it likes a hack, beside the chain."""
    hand: list[Data] = field(default_factory=list)
    stacks: list[list[Data]] = field(default_factory=list)
    chain: list[Data] = field(default_factory=list)
    fame: int = 0


class Rules:
    """The game as its YAML has it."""

    def __init__(self, game: cardgen.Game) -> None:
        design = game.tables["design"]
        self.limits: dict[str, int] = dict(design["limits"])
        self.setup = {row["players"]: row for row in design["setup"]}
        self.tracks = [each["name"] for each in design["types"]]
        self.dice = {die["name"]: int(die["sides"]) for die in design["dice"]}
        self.data = [(card.fields, card.copies) for card in game.component("data").cards]
        self.places = [card.fields for card in game.component("locations").cards]
        self.spaces = int(game.component("board").cards[0].fields["rounds"])


class Table:
    def __init__(self, rules: Rules, players: int, seed: int, *, careful: bool = True) -> None:
        self.rules, self.random, self.careful = rules, random.Random(seed), careful
        setup, limits = rules.setup[players], rules.limits
        self.library = [
            Data(card["type"], card["suit"], card["points"], card["sysm"], tuple(card["fragments"]))
            for card, copies in rules.data
            for _ in range(copies)
        ]
        self.random.shuffle(self.library)
        self.discards: list[Data] = []
        self.cube_limit = int(setup["cubes"])
        self.tracks = dict.fromkeys(rules.tracks, limits["track_start"])
        self.scan = self.random.randint(1, limits["die_max"])
        self.sysm = self.random.randint(1, limits["die_max"])
        self.hidden = [
            Place(
                list(card["requires"]["fragments"]),
                Counter(card["requires"]["suits"]),
                card["requires"]["points"],
                card["requires"]["type"],
                card["fame"],
                rules.dice[card["reward"]["die"]],
                card["reward"]["modifier"],
            )
            for card in self.random.sample(rules.places, setup["locations"])
        ]
        self.places = [self.hidden.pop()]
        thrifts = (1.4, 0.9) if seed % 2 else (0.9, 1.4)
        self.players = [Player(number, thrifts[number % 2]) for number in range(players)]
        for player in self.players:
            player.stacks = [[] for _ in range(limits["stacks"])]
            self.draw(player, limits["deal"])
            player.stacks[0] += [self.top() for _ in range(limits["free_program"])]
        self.rounds = 0
        self.stalemate = False

    # ---- cards

    def top(self) -> Data:
        return self.library.pop()

    def draw(self, player: Player, count: int) -> None:
        for _ in range(count):
            if not self.library:
                self.library, self.discards = self.discards, []
                self.random.shuffle(self.library)
            if self.library:
                player.hand.append(self.top())
        if len(player.hand) > self.rules.limits["hand"]:
            aims = self.aims(player)
            for card in sorted(player.hand, key=lambda card: self.use(player, card, aims))[
                : -self.rules.limits["hand"]
            ]:
                self.put_away(player, card)

    def put_away(self, player: Player, card: Data) -> None:
        player.hand.remove(card)
        self.discards.append(card)

    # ---- what bots think

    def cubes(self, player: Player) -> int:
        return sum(place.cubes[player] for place in self.places)

    def gain(self, player: Player, place: Place) -> float:
        """What a Hack of `place` brings: its fame with full control, else a foot in the door, and cards."""
        others = max((count for other, count in place.cubes.items() if other is not player), default=0)
        fame = place.fame if place.cubes[player] + 1 > others else place.fame * 0.3
        return fame + (place.sides + 1) / 2 + place.modifier + 8 * (not place.hacked)

    def aims(self, player: Player) -> list[tuple[list[Data], Place, float]]:
        """Each stack with the location it is for, and what that is worth; seldom two for the same."""
        aims: list[tuple[list[Data], Place, float]] = []
        for stack in sorted(player.stacks, key=len, reverse=True):
            taken = [place for _, place, _ in aims]
            found = [
                (
                    self.gain(player, place)
                    / (place.missing(stack, player) + 3)
                    * (0.6 if place in taken else 1),
                    place,
                )
                for place in self.places
            ]
            place = max(found, key=lambda row: row[0])[1]
            aims.append((stack, place, player.thrift * self.gain(player, place)))
        return aims

    def programs(
        self, player: Player, hand: list[Data], aims: list[tuple[list[Data], Place, float]]
    ) -> Iterator[tuple[float, Data, list[Data], Data | None]]:
        """What a card does for a stack, in points of the end an action; the card whose place it takes."""
        for stack, place, gain in aims:
            before = place.missing(stack, player)
            for card in hand if before else ():
                outs: list[Data | None] = (
                    list(stack) if len(stack) == self.rules.limits["stack"] else [None]
                )
                for out in outs:
                    after = place.missing([*(each for each in stack if each is not out), card], player)
                    yield gain * (before - after) / (before + 2), card, stack, out

    def chained(self, card: Data) -> float:
        return card.sysm * self.tracks[card.type] * max(2, self.sysm) / 10

    def use(self, player: Player, card: Data, aims: list[tuple[list[Data], Place, float]]) -> float:
        """What a card of the hand is worth in its better use."""
        best = max((row[0] for row in self.programs(player, [card], aims)), default=0.0)
        return max(best, self.chained(card) if len(player.chain) < self.rules.limits["chain"] else 0)

    # ---- a turn

    def turn(self, player: Player) -> str:
        """One action; its name."""
        limits = self.rules.limits
        free = self.cubes(player) < self.cube_limit
        hacks = [
            (self.gain(player, place), place, stack)
            for stack in player.stacks
            for place in self.places
            if free and not place.missing(stack, player)
        ]
        if hacks:
            _, place, stack = max(hacks, key=lambda row: row[0])
            self.hack(player, place, stack)
            return "hack"
        options: list[tuple[float, str, Data | None, list[Data], Data | None]] = []
        if free:
            rows = self.programs(player, player.hand, self.aims(player))
            options += [(gain, "program", card, stack, out) for gain, card, stack, out in rows]
        if len(player.chain) < limits["chain"]:
            options += [(self.chained(card), "blockchain", card, [], None) for card in player.hand]
        kept = min(self.scan, limits["hand"] - len(player.hand))
        options.append((1.7 * kept + 0.4 * (self.scan - kept), "scan", None, [], None))
        if self.scan <= 2 and len(player.hand) >= 3:
            dearest = max(player.hand, key=lambda card: card.points)
            steps = min(dearest.points, limits["die_max"] - self.scan)
            options.append((2.5 * steps, "disrupt", dearest, [], None))
        full = [each for each in player.stacks if len(each) == limits["stack"]]
        if len(full) == limits["stacks"]:
            weakest = min(full, key=lambda each: sum(card.points for card in each))
            options.append((1.5, "discard stack", None, weakest, None))
        best = max(options, key=lambda row: row[0])
        if not self.careful and self.random.random() < CLUMSY:
            best = self.random.choice(options)
        _, what, chosen, stack, out = best
        if what == "discard stack":
            self.discards += stack
            stack.clear()
        elif chosen is None:
            self.draw(player, self.scan)
        elif what == "disrupt":
            self.scan = min(limits["die_max"], self.scan + chosen.points)
            self.put_away(player, chosen)
        else:
            player.hand.remove(chosen)
            if out:
                stack.remove(out)
                self.discards.append(out)
            (player.chain if what == "blockchain" else stack).append(chosen)
        return what

    def hack(self, player: Player, place: Place, stack: list[Data]) -> None:
        self.discards += stack
        stack.clear()
        place.cubes[player] += 1
        place.hacked = True
        if place.held_by(player):
            player.fame += place.fame
        self.draw(player, max(0, self.random.randint(1, place.sides) + place.modifier))

    def play(self, most: int = 200) -> int:
        """Rounds that the game lasts."""
        while self.rounds < most:
            self.rounds += 1
            last = not self.hidden and all(place.hacked for place in self.places)
            for player in self.players:
                self.turn(player)
                last = last or (not self.hidden and all(place.hacked for place in self.places))
            self.stalemate = all(self.cubes(player) == self.cube_limit for player in self.players)
            if last or self.stalemate:
                break
            if self.hidden and self.rounds % self.rules.limits["rounds_per_location"] == 0:
                self.places.append(self.hidden.pop())
        return self.rounds

    def score(self, player: Player) -> int:
        chain = sum(card.sysm * self.tracks[card.type] for card in player.chain)
        return player.fame + chain * self.sysm // 10


_KNOWN: dict[int, Rules] = {}


def _rules(game: cardgen.Game) -> Rules:
    return _KNOWN.get(id(game)) or _KNOWN.setdefault(id(game), Rules(game))


def evening(game: cardgen.Game, seed: int, players: int, careful: bool = True) -> dict[str, float]:
    """Play one game for `cardgen simulate ptsd --trust-bots`, and return its figures."""
    table = Table(_rules(game), players, seed, careful=careful)
    rounds = table.play()
    best = max(table.score(player) for player in table.players)
    winners = [player.number for player in table.players if table.score(player) == best]
    return {
        "rounds": rounds,
        "games that leave the track": rounds > table.rules.spaces,
        "games that the first seat wins": (0 in winners) / len(winners),
        "points of the winner": best,
        "cards on a chain": statistics.mean(len(player.chain) for player in table.players),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=2000, help="games for each number of players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--clumsy", action="store_true", help="let bots take a third of their actions at random"
    )
    parser.add_argument("--root", type=Path, default=ROOT, help="the project")
    given = parser.parse_args()
    rules = Rules(cardgen.load("ptsd", project=cardgen.Project.open(given.root)))
    print(f"the track has {rules.spaces} spaces")
    columns = f"{'over':>8}{'no cubes':>10}{'winner':>8}{'chain':>7}"
    print(f"{'players':8}{'rounds':>7} {'80 % in':9}{'99 %':>6}{columns}")
    for players in rules.setup:
        rounds, scores, chains, stalemates = [], [], [], 0
        for number in range(given.games):
            table = Table(rules, players, given.seed * 1_000_003 + number, careful=not given.clumsy)
            rounds.append(table.play())
            stalemates += table.stalemate
            best = max(table.players, key=table.score)
            scores.append(table.score(best))
            chains.append(len(best.chain))
        parts = statistics.quantiles(rounds, n=100)
        over = sum(each > rules.spaces for each in rounds) / given.games
        print(
            f"{players:<8}{statistics.median(rounds):7.0f}{parts[9]:5.0f}–{parts[89]:<4.0f}{parts[98]:6.0f}"
            f"{over:8.1%}{stalemates / given.games:10.1%}"
            f"{statistics.median(scores):8.0f}{statistics.mean(chains):7.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
