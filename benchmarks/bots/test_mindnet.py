"""MindNet's bots keep the rules, and its games are as long, as costly and as even as they should be."""

from __future__ import annotations

import statistics
import sys
from functools import cache
from pathlib import Path

import pytest

import cardgen
from tests.for_each import for_each

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks" / "bots"))

import mindnet as run  # noqa: E402
from mindnet_bots import Crowd, Player, Raider, Rusher, Tower, packed  # noqa: E402
from mindnet_sides import InPlay, Rules, Side, Unit  # noqa: E402
from mindnet_table import Table  # noqa: E402

TEMPERS = [Crowd(), Tower(), Raider()]


@cache
def rules() -> Rules:
    return Rules(cardgen.load("mindnet"))


def table(seed: int = 1, bots: tuple[Player, Player] = (Crowd(), Tower())) -> Table:
    one, other = rules().decks.values()
    return Table(rules(), bots, (one, other), seed)


def join(side: Side, card: str) -> InPlay:
    """An individual in play, as if recruited."""
    one = InPlay(rules().pool[card], side)
    side.people.append(one)
    return one


def held(side: Side) -> int:
    """All cards of a side, wherever they lie."""
    in_play = sum(1 + len(one.items) for one in side.people) + len(side.goods)
    return sum(map(len, (side.library, side.hand, side.pile, side.genies))) + in_play


@pytest.mark.long
@for_each("seed", range(12))
def test_no_card_and_no_genie_is_lost_or_made(seed: int) -> None:
    game = table(seed, (TEMPERS[seed % 3], TEMPERS[seed // 3 % 3]))
    winner = game.play()
    figures = rules().figures
    assert sum(map(held, game.sides)) == sum(len(deck) for deck in rules().decks.values())
    for side in game.sides:
        assert side.credits >= 0
        for one in side.people:
            assert one.health > 0
            assert all(item.bearer is one for item in one.items)
    if winner is not None and any(side.library for side in game.sides):
        assert game.sides[winner].count_genies() >= figures["win_genies"]
        assert game.sides[1 - winner].count_genies() < figures["win_genies"]


def test_whoever_begins_has_credits_instead_of_a_ready_phase() -> None:
    game = table()
    figures = rules().figures
    assert game.sides[0].credits - game.sides[1].credits == figures["first_credits"] == 3
    hands = [list(side.hand) for side in game.sides]
    game.turn(game.sides[0])
    assert [card for card in game.sides[0].hand if card not in hands[0]] == []


def test_genies_guard_each_other() -> None:
    guest, host = table().sides
    needs = []
    while host.genies:
        needs.append(guest.to_hack())
        host.genies.pop()
    assert needs == [2, 6, 10, 14, 18]
    host.genies = guest.genies * 2
    assert guest.to_hack() == 2


@for_each(("hosts", "taken"), [(["relay-mast"], 0), ([], 1)])
def test_a_hacker_unit_takes_a_genie_if_it_has_enough(hosts: list[str], taken: int) -> None:
    game = table()
    guest, host = game.sides
    for side in game.sides:
        side.hand, side.credits = [], 0
    host.goods = [InPlay(rules().pool[name], host) for name in hosts]
    unit = Unit([join(guest, "sixth-hand-frame")], [])
    game.interact(guest, [unit])
    assert len(guest.genies) == 5 + taken
    assert not unit.guests[0].exhausted


def test_a_tie_goes_to_the_host_and_more_exhausts_the_losers() -> None:
    game = table()
    guest, host = game.sides
    for side in game.sides:
        side.hand, side.credits = [], 0
    strong, weak = join(guest, "mirror-unit"), join(guest, "ring-welder")
    equal, weaker = join(host, "ring-welder"), join(host, "tram-driver")
    game.interact(guest, [Unit([weak], [equal]), Unit([strong], [weaker])])
    assert (weak.exhausted, equal.exhausted, strong.exhausted, weaker.exhausted) == (
        True,
        False,
        False,
        True,
    )


def test_the_exhausted_count_nothing_in_an_interaction() -> None:
    game = table()
    guest, host = game.sides
    for side in game.sides:
        side.hand, side.credits = [], 0
    asleep, awake = join(guest, "mirror-unit"), join(host, "tram-driver")
    asleep.exhausted = True
    game.interact(guest, [Unit([asleep], [awake])])
    assert not awake.exhausted
    awake.exhausted = True
    game.interact(guest, [Unit([asleep], [awake])])
    assert asleep.exhausted, "0 to 0 is the host's"


def test_earnings_below_nothing_take_what_there_is() -> None:
    game = table()
    side = game.sides[0]
    one = join(side, "tram-driver")
    one.items = [InPlay(rules().pool["loyalty-loop"], side, one)] * 2
    side.hand, side.credits, side.library = [], 1, []
    game.ready(side)
    assert side.credits == 0
    assert one in side.people


def test_wake_without_a_deck_wakes_nothing() -> None:
    game = table()
    side = game.sides[0]
    side.library, side.pile = [], list(side.hand)
    game.do(side, [{"do": "wake", "count": 1}], None, None)
    assert (len(side.genies), len(side.pile)) == (5, 7)


def test_hacker_units_are_formed_of_the_weakest_that_will_do() -> None:
    side = table().sides[0]
    people = [
        join(side, name) for name in ("mirror-unit", "tram-driver", "ring-welder", "ring-correspondent")
    ]
    units = packed(side, people)
    assert [[one.card.title for one in unit] for unit in units] == [
        ["Ring Welder"],
        ["Ring Correspondent", "Mirror Unit"],
    ]


@pytest.mark.long
def test_games_are_long_enough_dear_cards_are_played_and_either_side_wins() -> None:
    turns: list[int] = []
    begun = dear = first = count = 0.0
    for temper in TEMPERS:
        tally = run.games(rules(), (temper, temper), "starters", 40, 7)
        turns += tally.turns
        begun, dear, count = begun + tally.beginner, dear + tally.dear, count + len(tally.turns)
        first += tally.first_deck
        assert all(tally.played[price] for price in range(1, 10)), temper.name
    assert 11 <= statistics.median(turns) <= 18
    assert 0.38 <= begun / count <= 0.62
    assert dear / count > 0.5
    assert 0.33 <= first / count <= 0.64, "neither deck is the better one, whoever plays it"


@pytest.mark.long
def test_no_temper_but_haste_is_the_better_one_and_neither_deck_is() -> None:
    crowd, tower, raider = TEMPERS
    first_deck = 0.0
    for pair in ((crowd, tower), (crowd, raider), (tower, raider)):
        even = run.games(rules(), pair, "starters", 200, 3)
        assert 0.35 <= even.first / 200 <= 0.65, pair
        assert 0.35 <= even.first_deck / 200 <= 0.65, pair
        first_deck += even.first_deck
    assert 0.43 <= first_deck / 600 <= 0.57
    hasty = run.games(rules(), (Rusher(), tower), "starters", 200, 3)
    assert 0.15 <= hasty.first / 200 <= 0.4
    assert (
        hasty.spent["rusher"] / hasty.fetched["rusher"]
        > 1.5 * hasty.spent["tower"] / hasty.fetched["tower"]
    )
