"""Which texts of a value a schema marks to be translated."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.core.findings import Findings
from cardgen.files.yaml import Document
from cardgen.game.prepared_schema import PreparedSchema
from cardgen.game.schema_findings import STEPS, marked
from tests.for_each import for_each

TEXT = {"type": "string", "translate": True}


@for_each(
    ("schema", "value", "paths"),
    [
        ({"type": "string"}, "a", []),
        (TEXT, "a", [()]),
        ({"translate": True}, 1, []),
        ({"translate": False}, "a", []),
        ({"properties": {"a": TEXT, "b": {}}}, {"a": "x", "b": "y"}, [("a",)]),
        ({"properties": {"b": {}}, "additionalProperties": TEXT}, {"a": "x", "b": "y"}, [("a",)]),
        ({"properties": {"a": TEXT}, "additionalProperties": False}, {"a": "x", "b": 1}, [("a",)]),
        ({"properties": {"a": TEXT}, "unevaluatedProperties": False}, {"a": "x", "b": 1}, [("a",)]),
        ({"properties": {"b": TEXT, "a": TEXT}}, {"a": "x", "b": "y"}, [("a",), ("b",)]),
        ({"patternProperties": {"^a": TEXT}}, {"ab": "x", "b": "y"}, [("ab",)]),
        ({"items": {"properties": {"a": TEXT}}}, [{"a": "x"}, {}, {"a": "y"}], [(0, "a"), (2, "a")]),
        ({"prefixItems": [{}], "items": TEXT}, ["x", "y"], [(1,)]),
        ({"prefixItems": [TEXT]}, ["x", "y"], [(0,)]),
        ({"allOf": [TEXT, TEXT]}, "a", [()]),
        ({"anyOf": [TEXT, {"items": TEXT}]}, ["a"], [(0,)]),
        ({"oneOf": [{"type": "string", "maxLength": 1}, TEXT]}, "ab", [()]),
        ({"if": {"required": ["b"]}, "then": {"properties": {"a": TEXT}}}, {"a": "x", "b": 1}, [("a",)]),
        ({"if": {"required": ["b"]}, "then": {"properties": {"a": TEXT}}}, {"a": "x"}, []),
        ({"if": {"required": ["b"]}, "else": {"properties": {"a": TEXT}}}, {"a": "x"}, [("a",)]),
        (
            {"$defs": {"t": {"properties": {"a": TEXT, "t": {"$ref": "#/$defs/t"}}}}, "$ref": "#/$defs/t"},
            {"a": "x", "t": {"t": {"a": "y"}}},
            [("a",), ("t", "t", "a")],
        ),
    ],
)
def test_marked_texts(schema: Any, value: Any, paths: list[tuple[str | int, ...]]) -> None:
    assert PreparedSchema(schema).marked(value) == paths


def test_seeking_them_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forms within forms, each tried at every level: twice the work a level."""
    monkeypatch.setattr("cardgen.game.json_values.STEPS", 40_000)
    either: dict[str, Any] = {"$ref": "#/$defs/t"}
    form = {"type": "object", "properties": {"t": either}}
    never = {"type": "object", "required": ["x"], "properties": {"t": either}}
    schema = {
        "$defs": {
            "t": {"anyOf": [{"allOf": [form, never]}, form | {"properties": {"t": either, "a": TEXT}}]}
        }
    }
    value: dict[str, Any] = {"a": "x"}
    for _ in range(60):
        value = {"t": value}
    findings = Findings()
    prepared = PreparedSchema(schema | either)
    assert marked(Document("a.yaml", value, "a: x\n"), prepared, findings) == []
    assert [finding.code for finding in findings] == [STEPS]
