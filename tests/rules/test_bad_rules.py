"""Bad and odd rules: a finding at the right place, never a crash, never a pass by accident."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.findings import Findings, Severity
from cardgen.files.yaml import parse_yaml
from cardgen.rules.results import Verdict
from tests.for_each import for_each
from tests.shipped import plain_yaml
from tests.wording import Wording

from .decks import EXAMPLES, judge, judge_one, judge_text

CARDS = {
    "cards": [
        {"id": "a", "title": "Worm", "code": "A", "value": 1, "need": {"level": 2}},
        {"id": "b", "title": "Bug", "code": "B", "value": 2},
    ],
    "people": [{"id": "dan", "title": "Dan", "mind": 4}],
}
DECKS: dict[str, Any] = {
    "few": CARDS,
    "twenty": {
        "cards": [
            {"id": f"c{number}", "cost": number % 4, "rarity": "rare" if number % 5 == 0 else "common"}
            for number in range(20)
        ]
    },
    "rooms": {"rooms": [{"id": "a", "nr": 1, "to": ["2"]}, {"id": "b", "nr": 2, "to": []}]},
    "circle": {"rooms": [{"id": f"r{n}", "to": [f"r{(n + 1) % 1500}"]} for n in range(1500)]},
    "steps": {"cards": [{"id": "deal", "cards": 5}]},
}
CASES = plain_yaml("tests/examples/rule-verdicts.yaml")


@for_each("case", CASES, ids=lambda case: f"{case['rule']['kind']}, {case.get('at', 'passes')}")
def test_rule_gets_its_verdict_at_its_place(case: dict[str, Any]) -> None:
    result = judge_one(components=DECKS[case.get("deck", "few")], **case["rule"])
    assert result.verdict.value == case.get("verdict", "broken")
    assert bool(result.findings) == (result.verdict is not Verdict.PASS)
    for finding in result.findings[:1]:
        assert finding.severity is Severity.ERROR
        assert finding.location is not None
        path = case.get("at", "")
        assert finding.location.path == (path if "components/" in path else f"rules/0/{path}".rstrip("/"))
        assert case.get("says", "") in finding.message
        assert finding.hint == case.get("hint", finding.hint)
    assert result.verdict is not Verdict.BROKEN or len(result.findings) == 1


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


@pytest.mark.long
def test_work_on_many_cards_is_counted(wording: Wording) -> None:
    many = {"cards": [{"id": f"c{i}"} for i in range(2000)]}
    result = judge_one("each", many, holds="cards('cards')|selectattr('id', '==', id)|list|length == 1")
    assert result.verdict is Verdict.BROKEN
    wording(result.findings[0])


def test_findings_are_capped_and_counted(wording: Wording) -> None:
    many = {"cards": [{"id": f"c{i}"} for i in range(80)]}
    result = judge_one("each", many, holds="false")
    assert len(result.findings) == 51
    wording(result.findings[-1], "30")


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
