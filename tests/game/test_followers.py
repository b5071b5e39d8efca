"""A misspelt key is one finding: what only follows from it is not said."""

from __future__ import annotations

from typing import Any

from cardgen.core.findings import Findings
from cardgen.files.listing import ProjectFolders
from cardgen.files.project import bundled_root
from cardgen.files.yaml import parse_yaml
from cardgen.game.schema_findings import schema_findings
from cardgen.game.schema_store import SchemaStore
from tests.for_each import for_each

RULES = """\
rules:
  - id: hand
    question: Is there an A?
    kind: probability
    classes: code
    draw: 3
    event: counts.A >= 1
    min: 0.5
  - id: packs
    question: Is there a rare card?
    kind: booster
    slots:
      - {component: cards, count: 4}
      - count: 1
        one_of: [{component: cards, weight: 3}]
    group_by: rarity
    as_fan: {rare: 1}
"""


def said(text: str, store: Any = {}) -> list[tuple[str, str | None]]:  # noqa: B006 (read once)
    if "rules" not in store:
        paths = ProjectFolders((bundled_root(),))
        store["rules"] = SchemaStore(paths, Findings()).schema("schemas/rules.schema.json")
    document = parse_yaml(text, "rules.yaml", Findings())
    assert document is not None
    return [(each.message, each.hint) for each in schema_findings(document, store["rules"])]


@for_each(
    ("right", "wrong"),
    [
        ("draw", "drw"),
        ("group_by", "groupby"),
        ("count: 4", "cout: 4"),
        ("one_of", "on_of"),
        ("weight", "wieght"),
        ("question", "qestion"),
    ],
)
def test_a_misspelt_key_is_one_finding(right: str, wrong: str) -> None:
    assert said(RULES) == []
    key, meant = wrong.partition(":")[0], right.partition(":")[0]
    assert said(RULES.replace(right, wrong, 1)) == [(f"unknown key '{key}'", f"did you mean '{meant}'?")]


NEED = """\
rules:
  - id: met
    question: Can all be met?
    kind: satisfiable
    demand: {component: places}
    supply: {component: data}
    needs:
      - {name: parts, tokens: demand.parts, provided_by: token in supply.parts}
      - {name: types, cards: supply.type == demand.type, at_least: 1}
    alone: true
  - id: known
    question: Are all known?
    kind: covers
    demanded: {list: [a, b]}
    supplied: {component: data, values: code}
  - id: map
    question: Can all be reached?
    kind: graph
    table: house.rooms
    edges: {table: house.doors, from: out_of, to: into}
    connected: true
  - id: words
    question: Is nothing left to do?
    kind: text
    value: text
    must_not: TODO
"""


@for_each(
    ("right", "wrong"),
    [
        ("tokens:", "tokesn:"),
        ("cards:", "crads:"),
        ("list:", "lst:"),
        ("edges:", "egdes:"),
        ("must_not:", "must_nto:"),
    ],
)
def test_a_misspelt_key_that_tells_forms_apart_is_one_finding(right: str, wrong: str) -> None:
    assert said(NEED) == []
    assert said(NEED.replace(right, wrong, 1)) == [
        (f"unknown key '{wrong[:-1]}'", f"did you mean '{right[:-1]}'?")
    ]


def test_two_misspelt_keys_are_two_findings_and_what_else_is_wrong_is_said() -> None:
    wrong = NEED.replace("cards:", "crads:").replace("edges:", "egdes:").replace("TODO", "[1]")
    assert [message for message, _ in said(wrong)] == [
        "unknown key 'crads'",
        "unknown key 'egdes'",
        "1 is not text",
    ]


def test_what_follows_from_nothing_is_still_said() -> None:
    """A key of another kind of rule; a key that is missing beside an unlike one."""
    found = said(RULES.replace("    min: 0.5\n", "    min: 0.5\n    slots: []\n", 1))
    assert any("slots" in message for message, _ in found)
    found = said(RULES.replace("    draw: 3\n", "    xyzzy: 3\n", 1))
    assert {message for message, _ in found} == {"the key 'draw' is missing", "unknown key 'xyzzy'"}
