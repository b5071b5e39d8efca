"""What rules measure, where their findings stand, and how results read."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.core.findings import Severity, UsageError
from cardgen.rules import chance as simulation
from cardgen.rules.judging import rule_findings
from cardgen.rules.results import Measure, RuleResult, Verdict, explain
from tests.for_each import for_each
from tests.wording import Wording

from .decks import EXAMPLES, judge, judge_file, judge_one, judge_text

CODES = {"A": 8, "B": 9, "C": 10, "D": 11, "E": 12, "F": 13}
DECK = {
    "cards": [
        {"id": f"{code}{number}".lower(), "title": f"{code}{number}", "code": code}
        for code, count in CODES.items()
        for number in range(count)
    ]
}


def measured(result: RuleResult) -> dict[str, Any]:
    return {measure.name: measure.value for measure in result.measures}


def messages(result: RuleResult) -> list[str]:
    return [finding.message for finding in result.findings]


def places(result: RuleResult) -> list[str]:
    return [finding.location.path for finding in result.findings if finding.location]


# -- counting and grouping ---------------------------------------------------------------------------


def test_a_ladder_of_codes() -> None:
    result = judge_one("ladder", DECK, group_by="code", groups=list(CODES))
    assert result.verdict is Verdict.PASS
    assert measured(result) == CODES
    assert result.histograms[0].bins[5] == ("F", 13)


def test_hands_are_told_by_class() -> None:
    result = judge_one("probability", DECK, classes="code", draw=2, event="distinct == 2", min=0)
    assert result.histograms[0].title == "copies by code"
    assert any(line.endswith("classes by `code`") for line in result.looked_at)


def test_copies_and_cards() -> None:
    deck = {"cards": [{"id": "a", "copies": 3}, {"id": "b"}]}
    assert measured(judge_one("count", deck, report=True)) == {"count": 4}
    assert measured(judge_one("count", deck, counting="cards", report=True)) == {"count": 2}


def test_a_card_with_several_values_is_in_several_groups() -> None:
    deck = {"cards": [{"id": "a", "marks": ["x", "y", "x"]}, {"id": "b", "marks": []}, {"id": "c"}]}
    result = judge_one("count", deck, group_by="marks", report=True)
    assert measured(result) == {"x": 1, "y": 1, "none": 1}


def test_groups_of_numbers_named_by_a_mapping() -> None:
    deck = {"cards": [{"id": "a", "value": 1}, {"id": "b", "value": 2, "copies": 2}]}
    assert judge_one("count", deck, group_by="value", groups={"1": 1, "2": 2}).verdict is Verdict.PASS
    wrong = judge_one("count", deck, group_by="value", groups={"1": 2, "2": 2})
    assert places(wrong) == ["components/cards/0"]
    assert judge_one("exactly", deck, value="value", are={"1": 1, "2": 2}).verdict is Verdict.PASS


@for_each(
    ("kind", "parameters"),
    [
        ("share", {"part": "n == 1", "min": 0}),
        ("distribution", {"value": "n", "mean": {"min": 0}}),
    ],
)
def test_an_empty_group_has_no_figures(kind: str, parameters: dict[str, Any], wording: Wording) -> None:
    deck = {"cards": [{"id": "a", "mark": "x", "n": 1}]}
    result = judge_one(kind, deck, **parameters, group_by="mark", groups=["x", "y"])
    wording(messages(result))
    assert places(result) == ["rules/0/groups"]


def test_a_card_that_is_left_out_and_has_no_such_value_is_not_the_one_missing() -> None:
    deck = {"cards": [{"id": "a", "n": 2, "on": True}, {"id": "b", "on": False}]}
    result = judge_one("exactly", deck, value="n + 1", where="on", are=[3, 4])
    assert messages(result) == ["4 is missing"]
    assert places(result) == ["rules/0/are/1"]


def test_tables_are_decks_too(wording: Wording) -> None:
    tables = {
        "deck-a": {"cards": [{"card": "a", "copies": 30}, {"card": "b", "copies": 20}]},
        "deck-b": {"cards": [{"card": "a", "copies": 49}]},
        "other": {"rows": [{"card": "a"}]},
    }
    pool = {"cards": [{"id": "a", "kind": "item"}, {"id": "b", "kind": "event"}]}
    result = judge_one("count", pool, tables=tables, table="deck-*.cards", group_by="component", min=50)
    assert measured(result) == {"table:deck-a.cards": 50, "table:deck-b.cards": 49}
    assert result.verdict is Verdict.FAIL
    kinds = judge_one(
        "each", pool, tables=tables, table="other.rows", holds="lookup('cards', 'id', card).kind == 'item'"
    )
    assert kinds.verdict is Verdict.PASS
    broken = judge_one("count", pool, tables=tables, table="other.cards", min=1)
    wording(messages(broken))


def test_a_row_of_a_table_is_found_in_its_file() -> None:
    tables = {"deck": {"cards": [{"card": "a"}, {"card": "z"}]}}
    to = {"component": "cards", "values": "id"}
    pool = {"cards": [{"id": "a"}]}
    result = judge_one("references", pool, tables=tables, table="deck.cards", names="card", to=to)
    (finding,) = result.findings
    assert finding.location is not None
    assert finding.location.file.endswith("/deck.yaml")
    assert finding.location.path == "cards/1/card"


def test_severity() -> None:
    result = judge_one("count", DECK, equals=64, severity="note")
    assert result.findings[0].severity is Severity.NOTE
    assert result.findings[0].hint == "Is it so?"


def test_a_report_has_no_findings() -> None:
    result = judge_one(
        "unique", {"cards": [{"id": "a", "n": 1}, {"id": "b", "n": 1}]}, value="n", report=True
    )
    assert result.verdict is Verdict.REPORT
    assert not result.findings
    assert measured(result) == {"cards": 2, "repeated": 1}


def test_copies_for_a_number_of_players() -> None:
    deck = {
        "cards": [
            {"id": "a", "copies": {"per_player": 2}},
            {"id": "b", "copies": {"by_players": {"2": 5, "3": 1}}},
        ]
    }
    result = judge_one(
        "formula", deck, value="copies_in('cards', n)", report=True, **{"for": {"n": [2, 3]}}
    )
    assert measured(result) == {"n 2": 9, "n 3": 7}
    assert result.tables[0].rows == ((2, 9), (3, 7))


def test_copies_of_a_single_card() -> None:
    deck = {"mats": [{"id": "a", "copies": {"by_players": {"2": 0, "3": 1}}}, {"id": "b", "copies": 2}]}
    copies = {"for": {"n": [2, 3], "id": ["a", "b"]}, "value": "copies_in('mats', n, id)", "report": True}
    assert list(measured(judge_one("formula", deck, **copies)).values()) == [0, 2, 1, 2]
    result = judge_one("formula", deck, value="copies_in('mats', 2, 'c')", max=1)
    assert result.verdict is Verdict.BROKEN
    assert "no card of “mats” has the id 'c'" in result.findings[0].message


def test_a_table_by_number() -> None:
    result = judge_one(
        "formula", DECK, value="[0, 5 + scan - 7]|max", report=True, **{"for": {"scan": "range(1, 7)"}}
    )
    assert list(measured(result).values()) == [0, 0, 1, 2, 3, 4]


# -- chances -----------------------------------------------------------------------------------------


@for_each(("draw", "event", "percent"), [(6, "distinct >= 3", 98.566), (9, "sets(3) >= 2", 99.067)])
def test_exact_chances(draw: int, event: str, percent: float) -> None:
    result = judge_one("probability", DECK, classes="code", draw=draw, event=event, report=True)
    (chance,) = result.measures
    assert isinstance(chance.value, float)
    assert round(chance.value * 100, 3) == percent
    assert chance.text.startswith(f"{percent} %, exactly")
    assert chance.interval is None
    numerator, denominator = map(int, chance.exact.split("/"))
    assert numerator / denominator == chance.value


def test_too_many_hands_are_sampled() -> None:
    deck = {"cards": [{"id": f"c{i}", "copies": 2} for i in range(40)]}
    result = judge_one("probability", deck, classes="id", draw=7, event="distinct == 7", runs=2000, min=0.5)
    assert result.verdict is Verdict.PASS
    (chance,) = result.measures
    assert chance.interval is not None
    exact = 1.0
    for drawn in range(7):
        exact *= (80 - 2 * drawn) / (80 - drawn)
    assert chance.interval[0] < exact < chance.interval[1]


# -- processes ---------------------------------------------------------------------------------------

PUTS = [{"put": "hand"}] * 2
DICE = {"seed": 3, "runs": 500, "zones": {"deck": {"component": "cards"}, "hand": {}}, "state": {"n": 0}}


def run(steps: list[Any], value: str, **more: Any) -> RuleResult:
    deck = {"cards": [{"id": f"c{i}", "v": i} for i in range(5)]}
    return judge_one(
        "simulate",
        deck,
        **{**DICE, **more},
        steps=steps,
        measures=[{"name": "m", "value": value}],
        report=True,
    )


@for_each(
    ("steps", "value", "expected"),
    [
        ([{"draw": {"from": "deck", "to": "hand", "count": 2}}], "hand|sum(attribute='v')", 1),
        ([{"draw": {"from": "deck", "to": "hand", "count": 9}}], "hand|length", 5),
        (
            [{"draw": {"from": "deck", "to": "hand", "count": 7, "refill": "hand"}}],
            "hand|length + deck|length",
            5,
        ),
        (
            [{"move": {"from": "deck", "to": "hand", "best": "card.v", "count": 2}}],
            "hand|sum(attribute='v')",
            7,
        ),
        (
            [{"move": {"from": "deck", "to": "hand", "where": "card.v < 2"}}],
            "hand|length * 10 + deck|length",
            23,
        ),
        (
            [{"for_each": {"zone": "deck", "where": "card.v > 2", "steps": [{"put": "hand"}]}}],
            "hand|length",
            2,
        ),
        (
            [
                {
                    "for_each": {
                        "zone": "deck",
                        "best": "0 - card.v",
                        "steps": [{"set": {"n": "n * 10 + card.v"}}],
                    }
                }
            ],
            "n",
            1234,
        ),
        ([{"repeat": {"times": 4, "steps": [{"set": {"n": "n + 1"}}]}}], "n", 4),
        ([{"repeat": {"while": "n < 7", "steps": [{"set": {"n": "n + 2"}}]}}], "n", 8),
        ([{"repeat": {"times": 9, "while": "n < 3", "steps": [{"set": {"n": "n + 1"}}]}}], "n", 3),
        ([{"if": "n == 0", "then": [{"set": {"n": 5}}], "else": [{"set": {"n": 6}}]}], "n", 5),
        ([{"if": "n > 0", "then": [{"set": {"n": 5}}]}], "n", 0),
        ([{"set": {"n": 1}}, {"stop": "n == 1"}, {"set": {"n": 2}}], "n", 1),
        ([{"shuffle": "deck"}], "deck|sum(attribute='v')", 10),
    ],
)
def test_steps(steps: list[Any], value: str, expected: int) -> None:
    result = run(steps, value, runs=100)
    assert measured(result) == {"m": expected}


@pytest.mark.long
def test_the_steps_of_all_runs_are_counted(wording: Wording) -> None:
    result = run([{"repeat": {"times": 9000, "steps": [{"set": {"n": "n + 1"}}]}}], "n", runs=200)
    assert result.verdict is Verdict.UNDECIDED
    wording(messages(result), "2,000,000")


@pytest.mark.parametrize(
    ("steps", "value", "most"),
    [
        ([{"shuffle": "deck"}], "1", 2_500),
        ([{"repeat": {"times": 2, "steps": [{"set": {"n": "deck|length"}}]}}], "n", 4_000),
        ([{"draw": {"from": "hand", "to": "deck", "refill": "deck"}}], "1", 2_500),
        ([{"for_each": {"zone": "deck", "steps": PUTS}}], "1", 10_000),
        ([{"stop": "true"}], "deck|length", 2_500),  # asked at the end of a run
        ([{"stop": "true"}], "1", 400),  # each run lays out its cards
    ],
    ids=["shuffle", "zone", "refill", "put", "end", "begin"],
)
def test_the_cards_that_all_runs_look_through_are_counted(
    steps: list[Any], value: str, most: int, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    """500 runs with five cards."""
    assert run(steps, value).verdict is Verdict.REPORT
    monkeypatch.setattr(simulation, "MAX_HANDLED", most)
    result = run(steps, value)
    assert result.verdict is Verdict.UNDECIDED
    wording(messages(result))


def test_the_cards_of_all_zones_are_counted(wording: Wording) -> None:
    """Those of a process for each of several values too: all lie there at the same time."""
    deck = {"cards": [{"id": "a", "copies": 20_000}]}
    zones = {"deck": {"component": "cards"}, "rest": {"component": "cards"}}
    rule: dict[str, Any] = {"seed": 1, "runs": 100, "steps": [{"stop": "true"}], "report": True}
    rule["measures"] = [{"name": "n", "value": "1"}]
    assert judge_one("simulate", deck, zones=zones, **rule).verdict is Verdict.REPORT
    for more in (
        {"zones": {**zones, "box": {"component": "cards"}}},
        {"zones": zones, "for": {"n": [1, 2]}},
    ):
        result = judge_one("simulate", deck, **rule, **more)
        wording(messages(result), "50,000")


SEATS = {"seats": {"count": 3, "state": {"score": "seat * 10", "kept": 0}, "zones": {"row": {}}}}


def seated(steps: list[Any], value: str, **more: Any) -> RuleResult:
    return run(steps, value, state={"n": 0, "word": "''"}, **{"runs": 100, **SEATS, **more})


@for_each(
    ("steps", "value", "expected"),
    [
        # names mean the state of the seat; outside, of the first
        ([{"each_seat": {"steps": [{"set": {"n": "n * 100 + score"}}]}}], "n", 1020),
        ([{"each_seat": {"from": 2, "steps": [{"set": {"n": "n * 10 + seat + 1"}}]}}], "n", 312),
        ([{"each_seat": {"where": "score > 5", "steps": [{"set": {"n": "n + 1"}}]}}], "n", 2),
        ([{"as": {"seat": 1, "steps": [{"set": {"score": 7}}]}}, {"set": {"n": "score"}}], "n", 0),
        (
            [
                {"as": {"seat": 1, "steps": [{"set": {"score": 7}}]}},
                {
                    "as": {
                        "seat": "0 + 1",
                        "steps": [
                            {"as": {"seat": 2, "steps": [{"set": {"score": 1}}]}},
                            {"set": {"n": "score"}},
                        ],
                    }
                },
            ],
            "n",
            7,
        ),
        # zones of the seat, and of another
        (
            [
                {"each_seat": {"steps": [{"draw": {"from": "deck", "to": "row"}}]}},
                {"move": {"from": {"row": 2}, "to": "hand"}},
                {"as": {"seat": 1, "steps": [{"move": {"from": "row", "to": {"row": 0}}}]}},
                {"set": {"n": "row|length * 10 + hand|sum(attribute='v')"}},
            ],
            "n",
            22,
        ),
        (
            [
                {"draw": {"from": "deck", "to": {"row": 1}}},
                {"for_each": {"zone": {"row": 1}, "steps": [{"put": {"row": 2}}]}},
                {"as": {"seat": 2, "steps": [{"set": {"n": "row|length"}}]}},
            ],
            "n",
            1,
        ),
        # choices
        ([{"choose": {"set": "n", "best": "score"}}], "n", 2),
        ([{"choose": {"set": "n", "where": "score == 10"}}], "n", 1),
        ([{"choose": {"set": "n", "where": "score > 99"}}], "n", -1),
        ([{"choose": {"set": "n", "from": "deck", "value": "card.v", "best": "card.v % 4"}}], "n", 3),
        ([{"choose": {"set": "word", "from": "hand", "value": "card.v"}}], "word == ''", 1),
        ([{"each_seat": {"steps": [{"choose": {"set": "kept", "best": "score"}}]}}], "kept", 2),
    ],
)
def test_seats(steps: list[Any], value: str, expected: int) -> None:
    assert measured(seated(steps, value)) == {"m": expected}


def test_equal_choices_are_random() -> None:
    seat = seated([{"choose": {"set": "n"}}], "n == 2", runs=500).measures[0]
    card = seated(
        [{"choose": {"set": "n", "from": "deck", "value": "card.v"}}], "n == 2", runs=500
    ).measures[0]
    assert seat.interval is not None
    assert card.interval is not None
    assert seat.interval[0] < 1 / 3 < seat.interval[1]
    assert card.interval[0] < 0.2 < card.interval[1]


@for_each(
    ("steps", "more"),
    [
        ([{"as": {"seat": 3, "steps": [{"set": {"n": 1}}]}}], {}),
        ([{"draw": {"from": "deck", "to": {"hand": 1}}}], {}),
        ([{"choose": {"set": "x"}}], {}),
        ([{"choose": {"set": "n"}}], {"seats": {"count": 21}}),
        ([], {"seats": {"count": 2, "state": {"n": 0}}}),
        ([], {"seats": {"count": 2, "state": {"seat": 0}}}),
        ([], {"seats": {"count": 2, "zones": {"deck": {}}}}),
    ],
)
def test_what_is_wrong_with_seats(steps: list[Any], more: dict[str, Any], wording: Wording) -> None:
    result = seated(steps or [{"stop": "true"}], "n", **more)
    assert result.verdict is Verdict.BROKEN
    wording(messages(result))


def test_steps_of_seats_need_seats(wording: Wording) -> None:
    for step in ({"each_seat": {"steps": [{"stop": "true"}]}}, {"choose": {"set": "n"}}):
        result = run([step], "n")
        assert result.verdict is Verdict.BROKEN
        wording(messages(result))


def test_a_long_rule_is_only_read(wording: Wording) -> None:
    rule = {**DICE, "long": True, "measures": [{"name": "n", "value": "n", "max": -1}]}
    result = judge_one("simulate", {"cards": [{"id": "a"}]}, **rule, steps=[{"set": {"n": 1}}])
    assert (result.verdict, result.measures) == (Verdict.REPORT, ())
    broken = judge_one("simulate", {"cards": [{"id": "a"}]}, **rule, steps=[{"shuffle": "dekc"}])
    assert broken.verdict is Verdict.BROKEN
    wording(messages(broken))


def test_dice_and_chance() -> None:
    dice = run([{"set": {"n": "dice(2, 6)"}}], "n").measures[0]
    assert dice.interval is not None
    assert dice.interval[0] < 7 < dice.interval[1]
    coin = run([{"set": {"n": "chance(0.25)"}}], "n == true").measures[0]
    assert coin.interval is not None
    assert coin.interval[0] < 0.25 < coin.interval[1]


def test_a_shuffle_is_fair() -> None:
    first = run([{"shuffle": "deck"}, {"draw": {"from": "deck", "to": "hand"}}], "hand[0].v == 4").measures[
        0
    ]
    assert first.interval is not None
    assert first.interval[0] < 0.2 < first.interval[1]


def test_the_seed_decides() -> None:
    steps = [{"set": {"n": "dice(1, 100)"}}]
    assert run(steps, "n") == run(steps, "n")
    assert run(steps, "n").measures != run(steps, "n", seed=4).measures


def test_records_are_measured_apart(wording: Wording) -> None:
    deck = {"cards": [{"id": "a"}]}
    steps = [{"repeat": {"times": 3, "steps": [{"set": {"n": "n + 1"}}, {"record": {"n twice": "n * 2"}}]}}]
    result = judge_one("simulate", deck, **DICE, steps=steps, measures=[{"name": "n twice", "max": 5}])
    assert measured(result) == {"n twice 1": 2, "n twice 2": 4, "n twice 3": 6}
    wording(messages(result))
    assert result.tables[0].rows == ((1, 2, 500), (2, 4, 500), (3, 6, 500))


# -- coverage ----------------------------------------------------------------------------------------


def test_a_witness_uses_each_card_once() -> None:
    (result,) = judge_file(EXAMPLES / "satisfiable" / "pass.yaml")
    table = next(table for table in result.tables if table.title == "a way to meet them")
    used = [card for row in table.rows for card in str(row[1]).split(", ")]
    assert all(used.count(card) <= 2 for card in used)
    assert measured(result)["margin"] == 2


@for_each(
    ("bounds", "verdict"),
    [
        ({"min": 1}, Verdict.PASS),
        ({"min": 3}, Verdict.PASS),
        ({"equals": 3}, Verdict.PASS),
        ({"min": 4}, Verdict.FAIL),
        ({"max": 2}, Verdict.FAIL),
        ({"min": 1, "up_to": 1}, Verdict.PASS),
        ({"max": 1}, Verdict.FAIL),
        ({"equals": 1}, Verdict.FAIL),
    ],
)
def test_a_margin_and_its_bounds(bounds: dict[str, int], verdict: Verdict) -> None:
    """Two demands want one card each, four cards serve: three must be lost."""
    deck = {
        "places": [{"id": "a", "part": "x"}, {"id": "b", "part": "x"}],
        "data": [{"id": "d", "part": "x", "copies": 4}],
    }
    needs = [{"name": "part", "tokens": "demand.part", "provided_by": "supply.part == token"}]
    sides = {"demand": {"component": "places"}, "supply": {"component": "data"}}
    result = judge_one("satisfiable", deck, **sides, needs=needs, margin=bounds)
    assert result.verdict is verdict


def test_what_cannot_be_met_at_all_has_no_margin(wording: Wording) -> None:
    deck = {
        "places": [{"id": "a", "part": "x"}, {"id": "b", "part": "x"}],
        "data": [{"id": "d", "part": "x"}],
    }
    needs = [{"name": "part", "tokens": "demand.part", "provided_by": "supply.part == token"}]
    sides = {"demand": {"component": "places"}, "supply": {"component": "data"}}
    both = judge_one("satisfiable", deck, **sides, needs=needs, margin={"min": 1})
    wording(messages(both))
    assert places(both) == ["rules/0/margin"]
    assert measured(both)["margin"] == 0
    either = judge_one("satisfiable", deck, **sides, needs=needs, margin={"of": 1, "min": 1})
    assert (either.verdict, measured(either)["margin"]) == (Verdict.PASS, 1)


def test_the_words_of_a_shortage(wording: Wording) -> None:
    result = judge_file(EXAMPLES / "satisfiable" / "fail.yaml")[0]
    (finding,) = result.findings
    wording(finding)


# -- choosing, explaining, handing on ------------------------------------------------------------------


def test_one_rule_alone(wording: Wording) -> None:
    rules = [{"id": id, "question": "?", "kind": "count", "min": 1} for id in ("one", "two")]
    data = {"components": DECK, "rules": rules}
    assert [result.rule.id for result in judge(data, only=["two"])] == ["two"]
    with pytest.raises(UsageError) as caught:
        judge(data, only=["tow"])
    wording(caught.value)
    assert str(caught.value.findings[0].hint).endswith(" list demo --rules")


def test_an_explanation() -> None:
    (result,) = judge_text(
        "components: {cards: [{id: a, code: A}, {id: b, code: B}]}\n"
        "rules:\n"
        "  - id: two-of-a\n"
        "    question: Are there two of A?\n"
        "    why: |\n"
        "      A is what\n"
        "      everybody looks for.\n"
        "    kind: count\n"
        "    where: code == 'A'\n"
        "    equals: 2\n"
    )
    assert explain(result).splitlines() == [
        "two-of-a (count, error)",
        "  Are there two of A?",
        "",
        "why",
        "  A is what",
        "  everybody looks for.",
        "",
        "looked at",
        "  1 card (1 copy) of the whole game where code == 'A'",
        "",
        "measured",
        "  count: 1 copy",
        "",
        "verdict: the rule does not hold",
        "  deck.yaml:1:22: components.cards[0]: the number of copies of the whole game "
        "(filtered) is 1, it should be 2",
    ]
    assert rule_findings([result]) == list(result.findings)


def test_every_example_explains_and_serialises() -> None:
    for path in sorted(EXAMPLES.glob("*/*.yaml")):
        for result in judge_file(path):
            assert result.rule.question in explain(result)
            plain = result.as_json()
            assert plain["id"] == result.rule.id
            assert plain["verdict"] == result.verdict.value
            assert [measure["name"] for measure in plain["measures"]] == [m.name for m in result.measures]


def test_a_formula_for_names_draws_names() -> None:
    cards = {"cards": [{"id": "a"}, {"id": "b"}], "maps": [{"id": "c"}]}
    result = judge_one(
        "formula", cards, **{"for": {"part": ["cards", "maps"]}}, value="copies_in(part)", min=1
    )
    assert result.verdict is Verdict.PASS
    assert result.histograms[0].bins == (("cards", 2), ("maps", 1))
    assert not result.histograms[0].numeric


def test_a_formula_for_two_names_is_a_matrix() -> None:
    axes = {"die": [4, 6], "bonus": [-5, 0, 1]}
    result = judge_one(
        "formula", {"cards": [{"id": "a"}]}, **{"for": axes}, value="die + bonus", max=7, unit="pips"
    )
    (matrix,) = result.matrices
    assert (matrix.rows, matrix.columns) == (("die 4", "die 6"), ("bonus -5", "bonus 0", "bonus 1"))
    assert matrix.values == ((-1, 4, 5), (1, 6, 7))
    assert result.measures[0].bounds == (("max", 7),)


def test_what_is_missing_stands_on_the_card_that_the_filter_leaves_out(wording: Wording) -> None:
    cards = {
        "cards": [{"id": "a", "title": "Worm", "virus": False}, {"id": "b", "title": "Bug", "virus": True}]
    }
    result = judge_one("exactly", cards, where="virus", are=["Worm", "Bug", "Flea"])
    worm, flea = result.findings
    assert worm.location is not None
    assert flea.location is not None
    assert worm.location.path == "components/cards/0/virus"
    wording(worm)
    assert flea.location.path == "rules/0/are/2"


def test_strangers_are_told_what_is_missing() -> None:
    """A missing value that a wrong one probably stands for is named there, another at the rule."""
    cards = {"cards": [{"id": "a", "title": "Wrom"}, {"id": "b", "title": "Bat"}]}
    near = judge_one("exactly", cards, are=["Worm", "Bat"])
    assert places(near) == ["components/cards/0/title"]
    assert messages(near) == ["“Wrom” should not be here; “Worm” is missing"]
    far = judge_one("exactly", cards, are=["Bat", "Lynx", "Horse"])
    assert places(far) == ["components/cards/0/title", "rules/0/are/1", "rules/0/are/2"]
    assert far.findings[0].hint == "missing: “Lynx” and “Horse”"


@for_each(
    ("figure", "unit", "words"),
    [
        (1, "copies", "1 copy"),
        (0, "copies", "0 copies"),
        (1, "cards to spare", "1 card to spare"),
        (1, "of 9", "1 of 9"),
        (1, "mm", "1 mm"),
        (2.5, "values", "2.5 values"),
        (7, "", "7"),
    ],
)
def test_one_of_a_unit_is_not_many(figure: float, unit: str, words: str) -> None:
    assert Measure("x", figure, unit).words == words


def test_a_share_of_one_copy_and_a_formula_s_title() -> None:
    deck = {"cards": [{"id": "a", "virus": True}]}
    share = judge_one("share", deck, part="virus", max=0.5)
    assert share.measures[0].words == "1 of 1 copy, 100 %"
    assert share.findings[0].message.startswith("1 of 1 copy of the whole game matches, 100 %")
    formula = judge_one("formula", deck, value="n", report=True, unit="points", **{"for": {"n": [1, 2]}})
    assert {table.title for table in formula.tables} == {"points by n"}
    assert {histogram.title for histogram in formula.histograms} == {"points by n"}


def test_a_row_of_a_table_goes_by_its_entries() -> None:
    tables = {"setup": {"rows": [{"players": 2, "out": "A"}, {"players": 3, "out": "B"}]}}
    result = judge_one(
        "formula",
        {"cards": [{"id": "a"}]},
        tables=tables,
        value="row.players",
        report=True,
        **{"for": {"row": "tables.setup.rows"}},
    )
    assert list(measured(result)) == ["row players 2, out “A”", "row players 3, out “B”"]


def test_groups_against_the_values_of_something_else() -> None:
    cards = [
        {"id": "a", "suit": "sun", "cost": 3, "copies": 2},
        {"id": "b", "suit": "sun", "cost": 1},
        {"id": "c", "suit": ["sun", "moon"], "cost": 3},
        {"id": "d", "suit": "moon"},
    ]
    result = judge_one("count", {"cards": cards}, group_by="suit", across="cost", report=True)
    (table,) = result.as_json()["tables"]
    assert table["columns"] == ["suit", "3", "1", "none"]
    assert table["rows"] == [["sun", 3, 1, 0], ["moon", 1, 0, 1]]
    result = judge_one("count", {"cards": cards[:3]}, group_by="suit", across="cost", report=True)
    (matrix,) = result.matrices
    assert (matrix.columns, matrix.values) == (("1", "3"), ((1, 3), (0, 1)))


def test_a_table_of_very_many_values_is_not_drawn(wording: Wording) -> None:
    cards = {"cards": [{"id": f"c{n}", "n": n} for n in range(70)]}
    result = judge_one("count", cards, group_by="n > 3", across="n", report=True)
    assert result.verdict is Verdict.BROKEN
    wording(result.findings[0], "60")
