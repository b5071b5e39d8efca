"""Prepared schemas mean what their files say, and findings say in words what does not fit."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema.validators import Draft202012Validator

from cardgen.core.findings import Findings
from cardgen.files.yaml import parse_yaml
from cardgen.game.prepared_schema import PreparedSchema
from cardgen.game.schema_findings import schema_findings
from cardgen.game.schema_merge import closed, merged
from cardgen.game.schema_store import schema_of_schemas

NAMES = st.sampled_from(["a", "b", "cc"])
SCALARS = (
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([1.0, 0.5, -2.0, "", "a", "ab", "1"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "null"])
COUNTS = st.integers(0, 3)
PATTERNS = st.sampled_from(["^a", "b$", "^[a-c]*$", "1"])


def _schema(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    listed = st.lists(inner, min_size=1, max_size=2)
    keywords: dict[str, st.SearchStrategy[Any]] = {
        "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
        "enum": st.lists(VALUES, min_size=1, max_size=3),
        "const": VALUES,
        "pattern": PATTERNS,
        "uniqueItems": st.booleans(),
        "multipleOf": st.sampled_from([1, 2, 0.5]),
        "required": st.lists(NAMES, unique=True, max_size=2),
        "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, unique=True, max_size=1), max_size=1),
        "properties": st.dictionaries(NAMES, inner, max_size=2),
        "patternProperties": st.dictionaries(PATTERNS, inner, max_size=1),
        **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), st.integers(-2, 2)),
        **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), COUNTS),
        **dict.fromkeys(("minProperties", "maxProperties"), COUNTS),
        **dict.fromkeys(("items", "additionalProperties", "unevaluatedProperties", "propertyNames"), inner),
        **dict.fromkeys(("not", "if", "then", "else", "contains"), inner),
        **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), listed),
    }
    return st.lists(st.sampled_from(sorted(keywords)), max_size=3, unique=True).flatmap(
        lambda names: st.fixed_dictionaries({name: keywords[name] for name in names})
    )


SCHEMAS = st.recursive(st.booleans() | _schema(st.booleans()), _schema, max_leaves=6)


@given(SCHEMAS, SCHEMAS, VALUES)
def test_merged_schemas_mean_the_same(one: Any, two: Any, value: Any) -> None:
    if not isinstance(two, dict):
        return
    plain = Draft202012Validator({**two, "allOf": [*two.get("allOf", ()), one]})
    assert Draft202012Validator(closed(merged(two, [one]))).is_valid(value) == plain.is_valid(value)


@given(SCHEMAS, VALUES)
def test_findings_come_exactly_where_the_data_do_not_fit(schema: Any, value: Any) -> None:
    document = parse_yaml(json.dumps({"v": value}), "a.yaml", Findings())
    assert document is not None
    whole = {"properties": {"v": schema}}
    found = schema_findings(document, PreparedSchema(whole))
    assert bool(found) != Draft202012Validator(whole).is_valid(document.data)
    for finding in found:
        assert finding.code.startswith("schema/")
        assert finding.message
        assert finding.location is not None
        assert finding.location.path.startswith("v")


@given(SCHEMAS)
def test_generated_schemas_have_no_problems(schema: Any) -> None:
    assert schema_of_schemas().is_valid(schema)
    Draft202012Validator.check_schema(schema)


def test_a_card_schema_closes_to_additional_properties() -> None:
    base = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    own = {
        "properties": {"cost": {"type": "integer"}},
        "required": ["cost"],
        "unevaluatedProperties": False,
    }
    assert closed(merged(own, [base])) == {
        "type": "object",
        "properties": {"id": {"type": "string"}, "cost": {"type": "integer"}},
        "required": ["id", "cost"],
        "additionalProperties": False,
    }
