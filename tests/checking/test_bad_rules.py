"""Rules that cannot be judged: each a finding at its line, never a crash, never a pass."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.checking import Verdict
from cardgen.findings import Findings, Severity
from cardgen.yaml.reader import parse_yaml

from .decks import EXAMPLES, judge, judge_one, judge_text

CARDS = {
    "cards": [
        {"id": "a", "title": "Worm", "code": "A", "value": 1, "need": {"level": 2}},
        {"id": "b", "title": "Bug", "code": "B", "value": 2},
    ],
    "people": [{"id": "dan", "title": "Dan", "mind": 4}],
}
NEEDS = [{"name": "one", "tokens": "demand.code", "provided_by": "supply.code == token"}]
SIDES = {"demand": {"component": "cards"}, "supply": {"component": "cards"}}
STEPS = {"seed": 1, "runs": 100, "zones": {"deck": {"component": "cards"}}, "state": {"n": 0}}
END = [{"name": "n", "value": "n", "min": 0}]


@pytest.mark.parametrize(
    ("parameters", "path", "says"),
    [
        # names
        ({"kind": "count", "component": "crads", "equals": 2}, "component", "no component “crads”"),
        ({"kind": "count", "component": ["cards", "x"], "equals": 2}, "component/1", "no component “x”"),
        ({"kind": "count", "table": "deck.cards", "equals": 2}, "table", "no data table “deck”"),
        ({"kind": "count", "where": "coed == 'A'", "equals": 2}, "where", "reads “coed”"),
        ({"kind": "count", "where": "need.levle == 2", "equals": 2}, "where", "reads “levle”"),
        ({"kind": "count", "group_by": "coed", "report": True}, "group_by", "reads “coed”"),
        ({"kind": "count", "equals": "game.players.maximum"}, "equals", "reads “maximum”"),
        ({"kind": "count", "where": "title == __import__('os')", "min": 1}, "where", "out of bounds"),
        ({"kind": "each", "holds": "mind > 3", "component": "cards"}, "holds", "reads “mind”"),
        ({"kind": "each", "holds": "item.x", "items": "cards('people')"}, "holds", "reads “x”"),
        ({"kind": "each", "holds": "cards('folk')"}, "holds", "no component “folk”"),
        ({"kind": "each", "holds": "lookup('cards', 'nmae', 1)"}, "holds", "“nmae”"),
        ({"kind": "formula", "value": "code", "report": True}, "value", "reads “code”"),
        # expressions
        ({"kind": "count", "where": "code ==", "min": 1}, "where", "cannot be read"),
        ({"kind": "count", "where": "'x' * 10**9 == code", "min": 1}, "where", "does too much"),
        ({"kind": "count", "where": "range(10**9)|length > 1", "min": 1}, "where", "does too much"),
        ({"kind": "each", "component": "cards", "holds": "code < 3"}, "holds", "cannot be worked out"),
        ({"kind": "each", "component": "cards", "holds": "need.level > 1"}, "holds", "no “level”"),
        # bounds
        ({"kind": "count", "component": "cards"}, "", "no bound"),
        ({"kind": "count", "min": 3, "max": 2}, "min", "bounds cross"),
        ({"kind": "count", "equals": 3, "max": 2}, "equals", "no room"),
        ({"kind": "count", "equals": 3, "report": True}, "equals", "only reports"),
        ({"kind": "count", "equals": "'three'"}, "equals", "a bound is a number"),
        ({"kind": "count", "equals": "1/0"}, "equals", "divides by zero"),
        (
            {"kind": "count", "group_by": "code", "groups": {"A": {"min": 3, "max": 2}}},
            "groups/A/min",
            "cross",
        ),
        ({"kind": "distribution", "value": "value", "component": "cards"}, "", "no bound"),
        (
            {"kind": "distribution", "component": "cards", "value": "value", "mean": {"min": 2, "max": 1}},
            "mean/min",
            "cross",
        ),
        # nothing to look at
        ({"kind": "count", "where": "code == 'Z'", "min": 1}, "where", "looks at no card"),
        ({"kind": "each", "where": "code == 'Z'", "holds": "true"}, "where", "looks at no card"),
        (
            {"kind": "references", "component": "people", "names": "[]", "to": {"list": ["a"]}},
            "names",
            "names anything",
        ),
        # choices that read no card
        (
            {"kind": "count", "where": "game.players.max > 2", "min": 1},
            "where",
            "reads nothing of the cards",
        ),
        ({"kind": "count", "group_by": "'all'", "report": True}, "group_by", "reads nothing of the cards"),
        (
            {
                "kind": "simulate",
                **STEPS,
                "steps": [{"for_each": {"zone": "deck", "where": "n", "steps": [{"put": "deck"}]}}],
                "measures": END,
            },
            "steps/0/for_each/where",
            "reads no card",
        ),
        # nothing to test
        ({"kind": "each", "component": "cards", "items": "[]", "holds": "true"}, "items", "gives no items"),
        (
            {
                "kind": "covers",
                "demanded": {"component": "cards", "values": "[]"},
                "supplied": {"list": ["a"]},
            },
            "demanded/values",
            "nothing is demanded",
        ),
        (
            {"kind": "covers", "demanded": {"list": []}, "supplied": {"list": ["a"]}},
            "demanded/list",
            "nothing is demanded",
        ),
        # values of the wrong sort
        (
            {"kind": "count", "group_by": "need", "component": "cards", "report": True},
            "group_by",
            "cannot name a group",
        ),
        (
            {"kind": "distribution", "component": "cards", "value": "code", "mean": {"min": 1}},
            "value",
            "a number is needed",
        ),
        (
            {"kind": "distribution", "component": "cards", "value": "need.level", "mean": {"min": 1}},
            "value",
            "a number is needed",
        ),
        (
            {
                "kind": "distribution",
                "component": "people",
                "value": "mind",
                "correlation": {"with": "mind", "min": 0},
            },
            "correlation/with",
            "no correlation",
        ),
        ({"kind": "formula", "value": "'many'", "report": True}, "value", "is “many”"),
        ({"kind": "formula", "value": "n", "for": {"n": "range(0)"}, "report": True}, "for/n", "no value"),
        (
            {
                "kind": "formula",
                "value": "a",
                "for": {"a": "range(999)", "b": "range(999)"},
                "report": True,
            },
            "for",
            "combinations",
        ),
        ({"kind": "text", "component": "cards", "value": "value", "must": "a"}, "value", "not text"),
        ({"kind": "text", "component": "cards", "value": "title", "must": "("}, "must", "cannot be read"),
        (
            {"kind": "text", "component": "cards", "value": "title", "must_not": ["a", "("]},
            "must_not/1",
            "cannot be read",
        ),
        (
            {
                "kind": "text",
                "component": "cards",
                "value": "title",
                "keywords": {"pattern": "<(.)>", "glossary": {"list": ["a"]}},
            },
            "keywords/pattern",
            "no text has a keyword",
        ),
        # the solver
        ({"kind": "satisfiable", **SIDES, "needs": NEEDS}, "", "does not say what"),
        (
            {
                "kind": "satisfiable",
                **SIDES,
                "needs": [{**NEEDS[0], "tokens": "demand.coed"}],
                "alone": True,
            },
            "needs/0/tokens",
            "reads “coed”",
        ),
        (
            {
                "kind": "satisfiable",
                **SIDES,
                "needs": [{**NEEDS[0], "provided_by": "supply.coed"}],
                "alone": True,
            },
            "needs/0/provided_by",
            "reads “coed”",
        ),
        (
            {"kind": "satisfiable", **SIDES, "needs": [*NEEDS, *NEEDS], "alone": True},
            "needs/1/name",
            "named “one” already",
        ),
        (
            {
                "kind": "satisfiable",
                **SIDES,
                "needs": [{"name": "sum", "sum": "supply.value"}],
                "alone": True,
            },
            "needs/0",
            "no bound",
        ),
        (
            {
                "kind": "satisfiable",
                **SIDES,
                "needs": [{"name": "s", "sum": "supply.code", "at_least": 1}],
                "alone": True,
            },
            "needs/0/sum",
            "a number is needed",
        ),
        (
            {"kind": "satisfiable", **SIDES, "needs": NEEDS, "set": {"min": 3, "max": 2}, "alone": True},
            "set/min",
            "cross",
        ),
        ({"kind": "satisfiable", **SIDES, "needs": NEEDS, "together": 9}, "together", "any 9 at once"),
        (
            {"kind": "satisfiable", **SIDES, "needs": NEEDS, "headroom": {"need": "points", "min": 1}},
            "headroom/need",
            "no need “points”",
        ),
        (
            {"kind": "satisfiable", **SIDES, "needs": NEEDS, "margin": {"of": 9, "min": 1}},
            "margin/of",
            "only 2 demands",
        ),
        # chances
        (
            {
                "kind": "probability",
                "component": "cards",
                "classes": "code",
                "draw": 3,
                "event": "distinct > 1",
                "min": 0,
            },
            "draw",
            "cannot be drawn",
        ),
        (
            {
                "kind": "probability",
                "component": "cards",
                "classes": "code",
                "draw": "1.5",
                "event": "distinct > 1",
                "min": 0,
            },
            "draw",
            "whole number",
        ),
        (
            {
                "kind": "probability",
                "component": "cards",
                "classes": "code",
                "draw": 1,
                "event": "counts.Z",
                "min": 0,
            },
            "event",
            "reads “Z”",
        ),
        (
            {
                "kind": "probability",
                "component": "cards",
                "classes": "code",
                "draw": 1,
                "event": "total > 1",
                "min": 0,
            },
            "event",
            "reads “total”",
        ),
        # processes
        (
            {"kind": "simulate", **STEPS, "steps": [{"shuffle": "dekc"}], "measures": END},
            "steps/0/shuffle",
            "no zone “dekc”",
        ),
        (
            {"kind": "simulate", **STEPS, "steps": [{"set": {"m": 1}}], "measures": END},
            "steps/0/set/m",
            "no “m”",
        ),
        (
            {"kind": "simulate", **STEPS, "steps": [{"set": {"n": "m"}}], "measures": END},
            "steps/0/set/n",
            "reads “m”",
        ),
        (
            {"kind": "simulate", **STEPS, "steps": [{"set": {"n": "card.vaule"}}], "measures": END},
            "steps/0/set/n",
            "“vaule”",
        ),
        (
            {"kind": "simulate", **STEPS, "steps": [{"set": {"n": "card.value + 1"}}], "measures": END},
            "steps/0/set/n",
            "cannot be worked out",
        ),
        (
            {"kind": "simulate", **STEPS, "steps": [{"set": {"n": "deck"}}], "measures": END},
            "steps/0/set/n",
            "keeps numbers",
        ),
        ({"kind": "simulate", **STEPS, "steps": [{"put": "deck"}], "measures": END}, "steps/0", "for_each"),
        (
            {
                "kind": "simulate",
                **STEPS,
                "steps": [{"repeat": {"times": 0.5, "steps": [{"shuffle": "deck"}]}}],
                "measures": END,
            },
            "steps/0/repeat/times",
            "whole number",
        ),
        (
            {
                "kind": "simulate",
                **STEPS,
                "steps": [{"shuffle": "deck"}],
                "measures": [{"name": "paid", "min": 1}],
            },
            "measures/0/name",
            "no step records",
        ),
        (
            {
                "kind": "simulate",
                **STEPS,
                "steps": [{"shuffle": "deck"}],
                "measures": [{"name": "n", "value": "n"}],
            },
            "measures",
            "no measure has a bound",
        ),
        (
            {
                "kind": "simulate",
                **STEPS,
                "state": {"game": 1},
                "steps": [{"shuffle": "deck"}],
                "measures": END,
            },
            "state/game",
            "is taken",
        ),
        (
            {"kind": "simulate", **STEPS, "steps": [{"set": {"n": "dice(0, 6)"}}], "measures": END},
            "steps/0/set/n",
            "1 to 1000 dice",
        ),
    ],
)
def test_broken(parameters: dict[str, Any], path: str, says: str) -> None:
    result = judge_one(components=CARDS, **parameters)
    assert result.verdict is Verdict.BROKEN
    (finding,) = result.findings
    assert says in finding.message
    assert finding.severity is Severity.ERROR
    assert finding.location is not None
    where = finding.location.path
    card = where.startswith("components/")  # it failed on one card, and stands there
    assert card or where == "/".join(filter(None, ("rules/0", path)))


def test_a_misspelt_field_names_the_nearest() -> None:
    result = judge_one("count", CARDS, where="coed == 'A'", min=1)
    assert result.findings[0].hint == "did you mean “code”?"


def test_a_field_that_only_the_schema_knows_is_no_mistake() -> None:
    data = {
        "components": CARDS,
        "declared": {"cards": ["virus"]},
        "rules": [
            {
                "id": "v",
                "question": "?",
                "kind": "count",
                "where": "virus",
                "component": "cards",
                "equals": 0,
            }
        ],
    }
    assert judge(data)[0].verdict is Verdict.PASS
    del data["declared"]
    assert judge(data)[0].verdict is Verdict.BROKEN


def test_a_broken_rule_is_an_error_whatever_its_severity() -> None:
    result = judge_one("count", CARDS, where="coed", min=1, severity="note")
    assert result.findings[0].severity is Severity.ERROR


def test_a_cyclic_definition_stands_at_its_line() -> None:
    results = judge_text(
        "components: {cards: [{id: a}]}\n"
        "define:\n"
        "  big: huge\n"
        "  huge: big\n"
        "  id: '1'\n"
        "rules:\n"
        "  - {id: r, question: Is it?, kind: count, where: big, min: 1}\n"
    )
    found = [(r.rule.id, r.verdict, r.findings[0].location.line) for r in results if r.findings[0].location]
    assert found == [
        ("big", Verdict.BROKEN, 3),
        ("huge", Verdict.BROKEN, 4),
        ("id", Verdict.BROKEN, 5),
        ("r", Verdict.BROKEN, 7),
    ]


def test_a_definition_that_nobody_uses_is_read_all_the_same() -> None:
    results = judge_text("components: {cards: [{id: a}]}\ndefine: {big: 'a ==='}\nrules: []\n")
    assert [result.verdict for result in results] == [Verdict.BROKEN]


def test_two_rules_of_one_name() -> None:
    rule = {"id": "r", "question": "?", "kind": "count", "min": 1}
    first, second = judge({"components": CARDS, "rules": [rule, rule]})
    assert first.verdict is Verdict.PASS
    assert second.verdict is Verdict.BROKEN
    assert second.findings[0].location is not None
    assert second.findings[0].location.path == "rules/1/id"


def test_work_on_many_cards_is_counted() -> None:
    many = {"cards": [{"id": f"c{i}"} for i in range(2000)]}
    result = judge_one("each", many, holds="cards('cards')|selectattr('id', '==', id)|list|length == 1")
    assert result.verdict is Verdict.BROKEN
    assert "does too much" in result.findings[0].message


def test_findings_are_capped_and_counted() -> None:
    many = {"cards": [{"id": f"c{i}"} for i in range(80)]}
    result = judge_one("each", many, holds="false")
    assert len(result.findings) == 51
    assert result.findings[-1].message == "and 30 more of the same rule"


# -- any rule that the schema accepts gets a result --------------------------------------------------

NASTY_TEXT = """
( nosuch card 1/0 'x'*10**9 code.__class__ range(10**9) none true 0 -1 item demand.x cards('cards') x|y [[]]
{} tables game dice(1,6) 1e308*10 'a'
"""
EXPRESSION_TEXT = """
where value group_by
part holds items this that values with names tokens provided_by cards sum at_least at_most
classes event draw equals min max count times if stop best money paid day
"""
NASTY = NASTY_TEXT.split()
EXPRESSION_KEYS = set(EXPRESSION_TEXT.split())


def slots(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The addresses of all text and numbers in a rule."""
    children = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, child in children:
        if isinstance(child, (dict, list)):
            yield from slots(child, (*path, key))
        elif not isinstance(child, bool) and key not in ("id", "kind"):
            yield (*path, key)


def examples() -> list[tuple[dict[str, Any], int, tuple[str | int, ...]]]:
    found = []
    for path in sorted(EXAMPLES.glob("*/pass.yaml")):
        document = parse_yaml(path.read_text(encoding="utf-8"), path.name, Findings())
        assert document is not None
        for index, rule in enumerate(document.data["rules"]):
            found.extend((document.data, index, slot) for slot in slots(rule))
    return found


SLOTS = examples()


@given(st.sampled_from(SLOTS), st.sampled_from(NASTY) | st.integers(-5, 10**6) | st.text(max_size=8))
@settings(max_examples=100)
def test_any_rule_gets_a_result(
    slot: tuple[dict[str, Any], int, tuple[str | int, ...]], value: Any
) -> None:
    original, index, path = slot
    if path[-1] in ("runs", "nodes", "max_steps") and isinstance(value, int):
        value = min(value, 500)
    data = {**original, "rules": [copy.deepcopy(original["rules"][index])]}
    place: Any = data["rules"][0]
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with suppress(jsonschema.ValidationError):
        result = judge(data)[-1]
        assert result.ok is not bool(result.findings)
        if value in ("nosuch", "code.__class__", "'x'*10**9", "(") and path[-1] in EXPRESSION_KEYS:
            assert result.verdict is Verdict.BROKEN


def test_the_best_by_a_number_of_the_state_is_no_choice() -> None:
    """The state's name hides the field's: the first cards would be taken, whatever they are worth."""
    steps = [{"move": {"from": "deck", "to": "hand", "best": "value", "count": 1}}]
    rule = {
        "kind": "simulate",
        "seed": 1,
        "runs": 100,
        "state": {"value": 0},
        "steps": steps,
        "zones": {"deck": {"component": "cards"}, "hand": {}},
        "measures": [{"name": "value", "value": "value", "min": 0}],
    }
    result = judge_one(**rule, components=CARDS)
    assert result.verdict is Verdict.BROKEN
    (finding,) = result.findings
    assert "`value` reads no card" in finding.message
    assert finding.hint == "did you mean card.value?"
    steps[0]["move"]["best"] = "card.value"
    assert judge_one(**rule, components=CARDS).verdict is Verdict.PASS


def test_nothing_to_test_may_be_allowed() -> None:
    for rule in (
        {"kind": "each", "component": "cards", "items": "[]", "holds": "true"},
        {"kind": "covers", "demanded": {"component": "cards", "values": "[]"}, "supplied": {"list": ["a"]}},
    ):
        assert judge_one(**rule, components=CARDS).verdict is Verdict.BROKEN
        assert judge_one(**rule, components=CARDS, may_select_none=True).verdict is Verdict.PASS
