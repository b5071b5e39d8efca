"""A key that many entries have and the schema doesn't know: the hint adds it to the schema."""

from __future__ import annotations

from typing import Any

from cardgen.core.findings import Findings, Location
from cardgen.files.yaml import parse_yaml
from cardgen.game.prepared_schema import PreparedSchema
from cardgen.game.schema_findings import schema_findings
from tests.for_each import for_each
from tests.wording import Wording

SCHEMA = {
    "properties": {
        "cards": {"items": {"properties": {"id": {}, "copies": {}}, "unevaluatedProperties": False}}
    }
}


def hints(
    values: list[str],
    key: str = "mood",
    schema: str = "schemas/demo/cards.schema.json",
    records: str = "cards",
) -> list[Any]:
    text = f"{records}:\n" + "".join(f"  - {{id: a, {key}: {value}}}\n" for value in values)
    document = parse_yaml(text, "a.yaml", Findings())
    assert document is not None
    known = {"properties": {records: SCHEMA["properties"]["cards"]}}
    prepared = PreparedSchema(known, schema, lambda part: Location(schema, 7))
    return [finding.hint for finding in schema_findings(document, prepared)]


@for_each(
    ("values", "meant"),
    [
        (["1", "2", "3"], '{"type": "integer"}'),
        (["1", "2.5", "3"], '{"type": "number"}'),
        (["x", "2", "y"], '{"type": ["string", "integer"]}'),
        (["true", "false", "true"], '{"type": "boolean"}'),
        (["[a]", "[]", "[b]"], '{"type": "array"}'),
        (["", "", ""], "{}"),
    ],
)
def test_the_line_to_add_is_said_of_records_that_are_no_cards(values: list[str], meant: str) -> None:
    line = f'add this line under "properties" in schemas/demo/cards.schema.json:7: "mood": {meant}'
    assert hints(values, records="suits") == [line] * 3


def test_the_command_that_adds_it_is_said_of_cards() -> None:
    assert hints(["1", "2", "3"]) == ["add it to the schema: cardgen schema demo"] * 3


def test_a_name_that_is_near_comes_first(wording: Wording) -> None:
    wording(hints(["1", "2", "3"], "copy")[0], "copies")


def test_of_a_few_it_is_not_said() -> None:
    assert hints(["1", "2"]) == ["known keys: id, copies"] * 2


def test_nobody_is_told_to_change_a_schema_of_the_engine() -> None:
    assert hints(["1", "2", "3"], schema="schemas/game.schema.json") == ["known keys: id, copies"] * 3
