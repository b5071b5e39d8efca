"""Schema defaults, filled into data that fit."""

from __future__ import annotations

from typing import Any

from cardgen.game.prepared_schema import PreparedSchema
from tests.for_each import for_each

NUMBER = {"type": "integer", "default": 7}
WITH = {"properties": {"n": NUMBER}}


@for_each(
    ("schema", "data", "filled"),
    [
        (WITH, {}, {"n": 7}),
        (WITH, {"n": 1}, {"n": 1}),
        (WITH, [], []),
        ({"items": WITH}, [{}, {"n": 1}], [{"n": 7}, {"n": 1}]),
        ({"prefixItems": [WITH], "items": {}}, [{}, {}], [{"n": 7}, {}]),
        ({"properties": {"a": WITH}}, {"a": {}}, {"a": {"n": 7}}),
        ({"properties": {"a": WITH}}, {}, {}),
        ({"properties": {"a": {**WITH, "default": {}}}}, {}, {"a": {"n": 7}}),
        ({"additionalProperties": WITH}, {"a": {}, "b": {}}, {"a": {"n": 7}, "b": {"n": 7}}),
        ({"properties": {"a": {}}, "additionalProperties": WITH}, {"a": {}}, {"a": {}}),
        ({"patternProperties": {"^a": WITH}}, {"ab": {}, "b": {}}, {"ab": {"n": 7}, "b": {}}),
        ({"allOf": [WITH, {"properties": {"m": {"default": None}}}]}, {}, {"n": 7, "m": None}),
        ({"anyOf": [{"type": "string"}, WITH]}, {}, {"n": 7}),
        ({"oneOf": [{"required": ["x"]}, {**WITH, "not": {"required": ["x"]}}]}, {"x": 1}, {"x": 1}),
        ({"if": {"required": ["x"]}, "then": WITH}, {"x": 1}, {"x": 1, "n": 7}),
        ({"if": {"required": ["x"]}, "then": WITH}, {}, {}),
        ({"if": {"required": ["x"]}, "else": WITH}, {}, {"n": 7}),
        (
            {
                "$ref": "#/$defs/t",
                "$defs": {"t": {"properties": {"n": NUMBER, "next": {"$ref": "#/$defs/t"}}}},
            },
            {"next": {}},
            {"n": 7, "next": {"n": 7}},
        ),
    ],
)
def test_filled(schema: Any, data: Any, filled: Any) -> None:
    fill = PreparedSchema(schema).fill
    fill(data)
    assert data == filled


def test_defaults_are_not_shared_between_values() -> None:
    fill = PreparedSchema({"items": {"properties": {"tags": {"default": []}}}}).fill
    data: list[dict[str, list[int]]] = [{}, {}]
    fill(data)
    data[0]["tags"].append(1)
    assert data[1] == {"tags": []}
