"""The bots that play Blockminers keep its rules, and win about as often as the game is meant to be won."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import cardgen

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks" / "bots"))

import blockminers  # noqa: E402
from blockminers_players import Careless, Sensible  # noqa: E402
from blockminers_table import Card, CrashError, Rules, Table  # noqa: E402


@pytest.fixture(scope="module")
def rules() -> Rules:
    return Rules.of(cardgen.load("blockminers"))


class Watched(Table):
    """A table that looks after every card that is played."""

    def turn(self, seat: object, card: Card) -> None:
        super().turn(seat, card)  # type: ignore[arg-type]
        assert self.money >= 0
        assert self.blocks >= 0
        assert self.money + self.blocks + self.rent <= self.rules.markers
        assert all(0 <= seat.level < len(self.rules.levels) for seat in self.seats)
        assert Counter(map(id, everything(self))) == self.box

    box: Counter[int]


def everything(table: Table) -> Iterable[Card]:
    """All cards of a game, wherever they lie."""
    for pile in (table.web, table.encounters):
        yield from pile.deck + pile.discards
    yield from table.face_up + table.viruses
    for seat in table.seats:
        yield from seat.hand + seat.row + seat.folded
        for own in seat.piles.values():
            yield from own.deck + own.discards


def watched(rules: Rules, count: int, seed: int, *, careless: bool) -> Watched:
    dice = Random(seed)
    table = Watched(rules, count, Careless(dice) if careless else Sensible(), dice)
    table.box = Counter(map(id, everything(table)))
    return table


@pytest.mark.long
@pytest.mark.parametrize("careless", [False, True])
@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_no_card_and_no_marker_is_lost(rules: Rules, count: int, careless: bool) -> None:
    for seed in range(3):
        table = watched(rules, count, seed, careless=careless)
        assert len(table.box) == 55 + 35 + 16 * count
        assert table.rent == count
        won = table.play()
        top = max(seat.level for seat in table.seats)
        assert won == (top == len(rules.levels) - 1)


def test_the_same_seed_plays_the_same_game(rules: Rules) -> None:
    assert blockminers.play(rules, "sensible", 3, 4, seed=5) == blockminers.play(
        rules, "sensible", 3, 4, seed=5
    )
    assert blockminers.play(rules, "sensible", 3, 4, seed=5) != blockminers.play(
        rules, "sensible", 3, 4, seed=6
    )


@pytest.mark.long
def test_sense_wins_about_half_and_starters_alone_seldom(rules: Rules) -> None:
    """Bands wide enough for forty games; the figures of thousands stand in the benchmark."""
    for count in (2, 5):
        assert 0.3 < blockminers.play(rules, "sensible", count, 40).won < 0.85
        assert blockminers.play(rules, "starters", count, 40).won < 0.25
        assert blockminers.play(rules, "careless", count, 40).won < 0.1


@pytest.fixture
def table(rules: Rules) -> Table:
    """Two players, with nothing in hand and nothing played."""
    return Table(rules, 2, Sensible(), Random(1))


def test_a_crash_keeps_what_stood_above_it(table: Table) -> None:
    seat = table.seats[0]
    card = Card("Test", "office", "dark-web", None, 0, None, False, [
        {"do": "money", "amount": 1}, {"do": "blocks", "amount": -1}, {"do": "money", "amount": 1},
    ])  # fmt: skip
    table.money = table.blocks = 0
    table.resolve(seat, card, card.effect)
    assert (table.money, table.blocks) == (1, 0)


def test_in_jail_nobody_gains_money_or_draws_basement_cards(table: Table) -> None:
    seat = table.seats[0]
    seat.level = 0
    for phrase in ({"do": "money", "amount": 1}, {"do": "draw", "count": 1, "deck": "basement"}):
        with pytest.raises(CrashError):
            table._paragraphs(seat, next(iter(everything(table))), [phrase])
    table._paragraphs(seat, next(iter(everything(table))), [{"do": "draw", "count": 1, "deck": "office"}])
    assert [card.deck for card in seat.hand] == ["office"]


def test_threat_counts_the_cards_before(table: Table) -> None:
    seat = table.seats[0]
    effect = [{"do": "blocks", "amount": -1}]
    cards = [Card(f"Test {n}", "encounter", "encounter", None, 1, None, False, effect) for n in range(2)]
    seat.hand += cards
    table.blocks = 5
    table.turn(seat, cards[0])
    assert (table.threat, table.blocks) == (1, 5)
    table.turn(seat, cards[1])
    assert (table.threat, table.blocks) == (2, 4)


def test_the_rent_rises_when_the_archive_is_shuffled(table: Table) -> None:
    rise = table.rules.figures["rent_rises"]["2"]
    table.encounters.discards, table.encounters.deck = table.encounters.deck, []
    table.money, table.blocks = 2, 0
    table.meet(table.seats[0])
    assert table.rent == 2 + rise
    table.meet(table.seats[0])
    assert table.rent == 2 + rise


def test_markers_that_are_not_there_come_from_blocks(table: Table) -> None:
    rise = table.rules.figures["rent_rises"]["2"]
    table.rules = replace(table.rules, markers=10)
    table.encounters.discards, table.encounters.deck = table.encounters.deck, []
    table.money, table.blocks = 5, 3
    table.meet(table.seats[0])
    assert (table.money, table.blocks, table.rent) == (10 - 2 - rise, 0, 2 + rise)


def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    blockminers.main(["--games", "2", "--players", "2", "3", "--only", "careless"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("| setting | players | won |")
    assert [line.split(" | ")[:2] for line in lines[2:]] == [["| careless", "2"], ["| careless", "3"]]
