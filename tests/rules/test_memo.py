"""What a simulation remembers changes nothing but its time."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.rules import chance as memo
from cardgen.rules.chance import rolled, shuffle
from cardgen.rules.expressions import Engine
from cardgen.rules.results import RuleResult, Verdict
from tests.for_each import for_each
from tests.wording import Wording

from .decks import judge_one

DECK = {
    "cards": [
        {"id": f"{suit}{value}", "suit": suit, "v": value, "copies": 1 + value % 2}
        for suit in ("red", "blue")
        for value in range(4)
    ]
}
ZONES: dict[str, Any] = {"deck": {"component": "cards"}, "hand": {}, "pile": {}}


def simulated(steps: list[Any], measures: list[Any], **more: Any) -> RuleResult:
    return judge_one(
        "simulate", DECK, seed=5, runs=100, zones=ZONES, report=True, steps=steps, measures=measures, **more
    )


HANDS = [
    {"shuffle": "deck"},
    {
        "repeat": {
            "times": 4,
            "steps": [
                {"draw": {"from": "deck", "to": "hand", "count": "2 + n % 2", "refill": "pile"}},
                {
                    "move": {
                        "from": "hand",
                        "to": "pile",
                        "where": "card.suit == word and card.v > n",
                        "count": 1,
                    }
                },
                {
                    "for_each": {
                        "zone": "hand",
                        "best": "card.v * 2 - n % 3",
                        "where": "card.v != n",
                        "steps": [{"set": {"n": "n + card.v", "word": "card.suit"}}, {"put": "pile"}],
                    }
                },
                {
                    "if": "hand|length > 1 and dice(1, 6) > 3",
                    "then": [{"move": {"from": "hand", "to": "pile"}}],
                },
                {"record": {"hand": "hand|length", "n": "n"}},
            ],
        }
    },
]
MIXED = [
    # The state takes true, 1.0 and 1, which are equal, but go by different words.
    {"set": {"n": "n == 0"}},
    {"set": {"word": "n|string"}},
    {"record": {"letters": "word|length"}},
    {"set": {"n": "n + 1"}},
    {"set": {"n": "n / 2"}},
    {"set": {"word": "n|string"}},
    {"record": {"letters": "word|length"}},
    {"set": {"n": "(n * 1)|int"}},
    {"set": {"word": "n|string"}},
    {"record": {"letters": "word|length"}},
]


@pytest.mark.parametrize("steps", [HANDS, MIXED], ids=["hands", "mixed"])
def test_remembering_changes_nothing(steps: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    state = {"n": 0, "word": "'red'"}
    measures = [{"name": "n", "value": "n"}, {"name": "cards", "value": "deck|length * 100 + pile|length"}]
    remembered = simulated(steps, measures, state=state)
    monkeypatch.setattr(memo, "MAX_KNOWN", 0)
    monkeypatch.setattr(memo, "MAX_ZONES", 0)
    assert simulated(steps, measures, state=state) == remembered
    assert remembered.verdict is Verdict.REPORT


def test_one_and_true_are_two_values() -> None:
    result = simulated(MIXED, [{"name": "letters"}], state={"n": 0, "word": "'red'"})
    assert [measure.value for measure in result.measures] == [len("True"), len("1.0"), len("1")]


def test_nothing_and_less_than_nothing_are_two_values() -> None:
    steps = [
        {
            "repeat": {
                "times": 2,
                "steps": [{"record": {"letters": "n|string|length"}}, {"set": {"n": "-n"}}],
            }
        }
    ]
    result = simulated(steps, [{"name": "letters"}], state={"n": "0 / 2"})
    assert [measure.value for measure in result.measures] == [len("0.0"), len("-0.0")]


def test_an_expression_may_read_more_than_the_cards_that_it_is_asked_of() -> None:
    steps = [
        {"move": {"from": "deck", "to": "hand", "where": "card.v >= 0 and deck|length > 11"}},
        {"move": {"from": "hand", "to": "pile", "where": "card.v >= 0 and dice(1, 6) == 6"}},
        {"for_each": {"zone": "hand", "best": "card.v", "steps": [{"put": "deck"}]}},
    ]
    values = ("pile|length", "hand|length")
    piled, hand = simulated(steps, [{"name": value, "value": value} for value in values]).measures
    assert piled.interval is not None
    assert piled.interval[0] < 12 / 6 < piled.interval[1]
    assert hand.value == 0


def test_what_is_remembered_costs_the_meter_nothing() -> None:
    """A walk through 50,000 items is allowed, and 100 runs of it are one walk."""
    walk = [{"set": {"n": "range(9000)|map('abs')|map('abs')|map('abs')|map('abs')|list|length"}}]
    assert simulated(walk, [{"name": "n", "value": "n"}], state={"n": 0}).measures[0].value == 9000
    random = [{"set": {"n": walk[0]["set"]["n"] + " + dice(1, 2)"}}]
    broken = simulated(random, [{"name": "n", "value": "n"}], state={"n": 0})
    assert broken.verdict is Verdict.BROKEN
    assert "takes more than 1,500,000 steps" in broken.findings[0].message


@for_each(
    "source",
    [
        "n + [card.v, 2]|max",
        "-([card.v]|sum) - n",
        "1 if n < [card.v, 1]|max < n + 3 else 0",
        "n * ([card.suit, 'x']|join == 'bluex')",
        "n + card.w|sum",
        "n + [card.suit]|join",
        "n / ([card.v]|sum)",
        "n + [card.v]|sum + [card.v] * 0",
    ],
)
def test_parts_of_the_card_alone_change_nothing(source: str) -> None:
    steps = [{"for_each": {"zone": "deck", "steps": [{"set": {"n": source}}]}}, {"record": {"n": "n"}}]
    found = []
    for split in (Engine.split, lambda *_: None):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Engine, "split", split)
            found.append(simulated(steps, [{"name": "n"}], state={"n": 1}))
    assert found[0] == found[1]


def test_a_part_of_the_card_alone_is_evaluated_once_a_card() -> None:
    walk = "range(9000 + card.v)|map('abs')|map('abs')|map('abs')|list|length"

    def judged(source: str) -> RuleResult:
        each = {"for_each": {"zone": "deck", "steps": [{"set": {"n": source}}]}}
        steps = [{"set": {"n": "dice(1, 1000)"}}, each]
        return simulated(steps, [{"name": "n", "value": "n"}], state={"n": 0})

    assert judged(f"n + {walk}").verdict is Verdict.REPORT
    assert judged(f"n + 1 if n < 0 else n + {walk}").verdict is Verdict.BROKEN  # too many steps


@pytest.mark.long
def test_lengths_are_known_by_how_many_cards_lie_there() -> None:
    """A long walk after each shuffle is one walk, unless it reads the cards too."""
    walk = "range(9000)|map('abs')|map('abs')|map('abs')|map('abs')|list|length"
    steps = [{"shuffle": "deck"}, {"set": {"n": f"{walk} + deck|length + hand|count"}}]
    result = simulated(steps, [{"name": "n", "value": "n"}], state={"n": 0})
    assert result.measures[0].value == 9000 + 12
    steps = [{"shuffle": "deck"}, {"set": {"n": f"{walk} + deck|length + deck[0].v"}}]
    broken = simulated(steps, [{"name": "n", "value": "n"}], state={"n": 0})
    assert "takes more than 1,500,000 steps" in broken.findings[0].message


def test_cards_that_are_read_are_not_known_by_their_number() -> None:
    take = {"draw": {"from": "deck", "to": "hand"}}
    away = {"move": {"from": "hand", "to": "pile"}}
    note = {"record": {"sum": "hand|length * 10 + hand|sum(attribute='v')"}}
    result = simulated([take, note, away] * 4, [{"name": "sum"}])
    assert [measure.value for measure in result.measures] == [10, 11, 11, 12]


def test_what_reads_chance_and_the_card_is_asked_of_each_card() -> None:
    steps = [{"move": {"from": "deck", "to": "hand", "where": "chance(1) and card.v > 2"}}]
    result = simulated(
        steps, [{"name": "v", "value": "hand|map(attribute='v')|list|string == '[3, 3, 3, 3]'"}]
    )
    assert result.measures[0].value == 1


def test_a_process_for_several_values(wording: Wording) -> None:
    result = judge_one(
        "simulate",
        DECK,
        seed=5,
        runs=100,
        **{"for": {"players": [1, 2, 3]}},
        state={"held": 0},
        zones={"deck": {"component": "cards", "where": "v < players"}, "hand": {}},
        steps=[
            {"draw": {"from": "deck", "to": "hand", "count": "players"}},
            {"set": {"held": "hand|length"}},
            {"record": {"left": "deck|length"}},
        ],
        measures=[
            {"name": "hand", "value": "held", "equals": "players"},
            {"name": "left", "max": "players + 1"},
        ],
    )
    assert {measure.name: measure.value for measure in result.measures} == {
        "hand, players 1": 1,
        "left 1, players 1": 1,
        "hand, players 2": 2,
        "left 1, players 2": 4,
        "hand, players 3": 3,
        "left 1, players 3": 5,
    }
    wording(result.findings)
    (table,) = result.tables
    assert table.columns == ("time", "players 1", "players 2", "players 3")
    assert table.rows == ((1, 1, 4, 5),)
    assert "100 runs with seed 5, 500 steps, players 2" in result.looked_at


@for_each("name", ["n", "deck", "card", "dice", "tables"])
def test_a_value_needs_a_name_of_its_own(name: str) -> None:
    result = simulated(
        [{"shuffle": "deck"}], [{"name": "n", "value": "n"}], state={"n": 0}, **{"for": {name: [1]}}
    )
    assert result.verdict is Verdict.BROKEN
    assert f"“{name}” is taken" in result.findings[0].message


@given(st.integers(0, 2**40), st.integers(0, 90))
def test_a_shuffle_is_that_of_the_library(seed: int, size: int) -> None:
    ours: list[Any] = list(range(size))
    theirs = list(ours)
    shuffle(ours, Random(seed))
    Random(seed).shuffle(theirs)
    assert ours == theirs


@given(st.integers(0, 2**40), st.integers(1, 30), st.integers(1, 1000))
def test_dice_are_those_of_the_library(seed: int, count: int, sides: int) -> None:
    library = Random(seed)
    assert rolled(count, sides, Random(seed)) == sum(library.randint(1, sides) for _ in range(count))
