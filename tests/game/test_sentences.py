"""What is said of values stays short, whatever data and schemas hold."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cardgen.core.findings import Findings, nearest
from cardgen.files.yaml import Document, parse_yaml
from cardgen.game.prepared_schema import PreparedSchema
from cardgen.game.schema_file import Guesses, listed, name_hint, shown
from cardgen.game.schema_findings import MOST_FINDINGS, fits, schema_findings, wrong_parts
from tests.for_each import for_each
from tests.wording import Wording


def document(data: Any) -> Document:
    parsed = parse_yaml(json.dumps(data), "a.yaml", Findings())
    assert parsed is not None
    return parsed


def said(schema: Any, data: Any) -> list[tuple[str, str | None]]:
    return [(f.message, f.hint) for f in schema_findings(document(data), PreparedSchema(schema))]


def test_long_lists_are_cut() -> None:
    (found,) = said({"enum": [f"word {n}" for n in range(1_000)]}, "wrod 7")
    assert found[0].endswith("word 23, … (976 more)")
    assert found[1] == "did you mean 'word 7'?"
    assert name_hint("q", [f"name-{n:03}" for n in range(100)], "names").endswith("name-023, … (76 more)")
    assert listed(["a", 1, None]) == "a, 1, an empty value"


def test_long_values_are_cut() -> None:
    assert shown("x" * 9_000_000) == f"'{'x' * 39}…'"
    assert len(shown(10**299)) == 40
    (found,) = said({"description": "d" * 5_000, "pattern": "^a$"}, "b" * 5_000)
    assert (len(found[0]), len(found[1] or "")) == (67, 600)


def test_hints_have_an_end() -> None:
    guess = Guesses(comparisons=100)
    known = [f"wonderful-{n}" for n in range(30)]
    hints = [guess(f"wunderful-{n}", known) for n in range(6)]
    assert hints == [f"did you mean 'wonderful-{n}'?" for n in range(4)] + [None, None]


def test_nearest() -> None:
    assert nearest("IBM plex", ["ibm Plex", "Other"]) == "ibm Plex"
    assert nearest("x", ["abc"]) is None
    assert nearest("name-7o", [f"name-{n}" for n in range(100_000)]) is not None
    assert nearest("a" * 1_000_000, ["a" * 999_999, "b"]) == "a" * 999_999


@for_each(
    ("schema", "data", "message"),
    [
        (
            {"contains": {"const": 1}, "minContains": 2},
            [1],
            "at least 2 values of one kind must be in the list",
        ),
        (
            {"contains": {"const": 1}, "maxContains": 1},
            [1, 1],
            "at most 1 value of one kind must be in the list",
        ),
        ({"uniqueItems": True}, [1, True, 1.0], "1.0 appears twice in the list"),
        ({"prefixItems": [{}], "items": False}, [1, "x"], "'x' is not allowed here"),
        ({"additionalProperties": False}, {"k" * 100: 1}, f"unknown key '{'k' * 39}…'"),
    ],
)
def test_messages(schema: Any, data: Any, message: str) -> None:
    assert [each[0] for each in said(schema, data)] == [message]


def test_the_nearest_of_many_forms_takes_no_comparing() -> None:
    forms = [
        {"properties": {f"name-{n}-{k}": {} for k in range(30)}, "additionalProperties": False}
        for n in range(60)
    ]
    found = said({"anyOf": forms}, {f"name-7-{k}": 1 for k in range(40)})
    assert [message for message, _ in found] == [f"unknown key 'name-7-{k}'" for k in range(30, 40)]


def test_findings_of_a_file_have_an_end(wording: Wording) -> None:
    found = said({"items": {"type": "string"}}, list(range(MOST_FINDINGS + 10)))
    assert len(found) == MOST_FINDINGS + 1
    wording(found[-1][0], f"{MOST_FINDINGS:,}")


def test_too_many_steps_are_one_finding_that_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.game.json_values.STEPS", 40_000)
    tree = {"anyOf": [{"properties": {"t": {"$ref": "#/$defs/t"}}, "required": [n]} for n in "xy"]}
    deep: Any = {}
    for _ in range(40):
        deep = {"t": deep}
    findings = Findings()
    schema = PreparedSchema({"items": {"$ref": "#/$defs/t"}, "$defs": {"t": tree}}, "schemas/a.json")
    assert not fits(document([{"x": 1}, deep]), schema, findings)
    (finding,) = findings
    assert finding.code == "schema/steps"
    assert finding.message.startswith("checking this against schemas/a.json takes more than 41,760 steps")
    assert finding.location is not None
    assert finding.location.path.startswith("[1].t")


def test_as_many_wrong_entries_as_findings_are_not_told_apart() -> None:
    schema = PreparedSchema({"properties": {"cards": {"items": {"type": "object"}}}})
    few = wrong_parts({"cards": ["x"] * (MOST_FINDINGS - 1)}, schema, Findings())
    assert few is not None
    assert len(few) == MOST_FINDINGS - 1
    assert wrong_parts({"cards": ["x"] * MOST_FINDINGS}, schema, Findings()) is None
