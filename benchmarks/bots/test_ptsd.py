"""PTSD's bots keep the rules, and nearly all of their games fit on the round track."""

from __future__ import annotations

import statistics
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import cardgen
from tests.for_each import for_each

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks" / "bots"))

from ptsd import Data, Place, Player, Rules, Table, covered  # noqa: E402


@cache
def rules() -> Rules:
    return Rules(cardgen.load("ptsd"))


class Watched(Table):
    """A table that counts turns and looks at the hand after each."""

    def turn(self, player: Player) -> str:
        what = super().turn(player)
        self.taken = getattr(self, "taken", Counter[int]()) + Counter({player.number: 1})
        assert len(player.hand) <= self.rules.limits["hand"]
        return what


@pytest.mark.long
@for_each("seed", [0, 1])
@for_each("players", [2, 3, 4, 5, 6])
def test_no_card_is_lost_and_no_limit_passed(players: int, seed: int) -> None:
    limits, setup = rules().limits, rules().setup[players]
    table = Watched(rules(), players, seed)
    rounds = table.play()
    assert table.taken == Counter(dict.fromkeys(range(players), rounds)), "as many turns for everybody"
    held = len(table.library) + len(table.discards)
    for player in table.players:
        held += len(player.hand) + len(player.chain) + sum(map(len, player.stacks))
        assert len(player.chain) <= limits["chain"]
        assert max(map(len, player.stacks)) <= limits["stack"]
        assert table.cubes(player) <= setup["cubes"]
    assert held == sum(copies for _, copies in rules().data)
    assert len(table.places) == setup["locations"]
    assert all(place.hacked for place in table.places)


def test_a_hack_needs_fragments_suits_type_and_points() -> None:
    me, rival = Player(0, 1), Player(1, 1)
    place = Place(["ACK", "ACK"], Counter({"Mask": 1}), 4, "Financial", 10, 6, 0)
    stack = [Data("Wildcard", "Mask", 2, 1, ("ACK", "BUS")), Data("Personal", "Probe", 2, 1, ("ACK",))]
    assert place.missing(stack, me) == 0
    assert place.missing(stack[1:], me) == 1 + 1 + 1 + 1, "a fragment, a suit, the type, two points"
    place.cubes[rival] = 1
    assert place.missing(stack, me) == 0.5
    assert covered(["ACK", "BUS"], stack) == 2, "the one with two fragments takes BUS"


@pytest.mark.long
def test_nearly_all_games_fit_on_the_round_track() -> None:
    rounds = [Table(rules(), players, seed).play() for players in rules().setup for seed in range(8)]
    assert 18 <= statistics.median(rounds) <= 34
    assert sum(each <= rules().spaces for each in rounds) >= 0.9 * len(rounds)
