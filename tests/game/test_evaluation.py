"""Does a value fit: the standard's answer, in a bounded number of steps."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema.validators import Draft202012Validator

from cardgen.game.json_values import STEPS, Steps, TooManyStepsError, distinct, repeated, size
from cardgen.game.json_values import json_key as key
from cardgen.game.prepared_schema import PreparedSchema
from cardgen.game.schema import Misfit
from tests.for_each import for_each

from .test_meaning import NAMES, SCHEMAS, VALUES


def fits(schema: Any, value: Any) -> bool:
    return PreparedSchema(schema).is_valid(value)


def wrong(schema: Any, value: Any) -> list[tuple[str, tuple[str | int, ...]]]:
    """The keywords that a value breaks, and where."""
    return [(misfit.keyword, misfit.path) for misfit in PreparedSchema(schema).misfits(value)]


UNEVALUATED = st.fixed_dictionaries(
    {},
    optional={
        "properties": st.dictionaries(NAMES, st.booleans(), max_size=2),
        "patternProperties": st.dictionaries(st.sampled_from(["^a", "c$"]), st.booleans(), max_size=1),
        "prefixItems": st.lists(st.booleans(), min_size=1, max_size=2),
        "contains": st.sampled_from([{"type": "integer"}, {"const": "a"}]),
        "anyOf": st.lists(SCHEMAS, min_size=1, max_size=2),
        "allOf": st.lists(SCHEMAS, min_size=1, max_size=2),
        "oneOf": st.lists(SCHEMAS, min_size=1, max_size=2),
        "if": SCHEMAS,
        "then": SCHEMAS,
        "else": SCHEMAS,
        "dependentSchemas": st.dictionaries(NAMES, SCHEMAS, max_size=1),
        "unevaluatedProperties": st.booleans() | st.just({"type": "integer"}),
        "unevaluatedItems": st.booleans() | st.just({"type": "string"}),
    },
)


CONDITIONS = st.fixed_dictionaries(
    {"properties": st.dictionaries(NAMES, st.sampled_from([{"const": "a"}, {"const": 1}, {}]), max_size=2)},
    optional={"required": st.lists(NAMES, max_size=1)},
)
FORMS = st.fixed_dictionaries(
    {
        "allOf": st.lists(
            st.fixed_dictionaries({"if": CONDITIONS, "then": SCHEMAS}, optional={"else": SCHEMAS}),
            max_size=3,
        )
    },
    optional={"unevaluatedProperties": st.just(False)},
)
"""Schemas that say something of a mapping by the text at one of its keys."""
KINDS = st.dictionaries(NAMES, st.sampled_from(["a", "b", 1, None]), max_size=3)


@given(FORMS, KINDS | VALUES)
def test_forms_by_a_key_answer_as_those_of_jsonschema(schema: Any, value: Any) -> None:
    assert fits(schema, value) == Draft202012Validator(schema).is_valid(value)


@given(SCHEMAS | UNEVALUATED, VALUES)
def test_the_answer_is_that_of_jsonschema(schema: Any, value: Any) -> None:
    assert fits(schema, value) == Draft202012Validator(schema).is_valid(value)


@given(SCHEMAS | UNEVALUATED, VALUES)
def test_what_does_not_fit_has_misfits_that_lie_within_it(schema: Any, value: Any) -> None:
    found = list(PreparedSchema(schema).misfits(value))
    assert bool(found) != fits(schema, value)
    for misfit in found:
        at = value
        for step in misfit.path:
            at = at[step]
        assert misfit.of_key or misfit.value is at or misfit.value == at


@for_each(
    ("schema", "value", "expected"),
    [
        ({"type": "integer"}, "a", [("type", ())]),
        ({"properties": {"a": False}}, {"a": 1}, [("false", ("a",))]),
        ({"items": {"minimum": 1}}, [0, 1, -1], [("minimum", (0,)), ("minimum", (2,))]),
        ({"prefixItems": [{}], "items": False}, [1, 2, 3], [("false", (1,)), ("false", (2,))]),
        ({"allOf": [{"minLength": 2}, {"pattern": "^b"}]}, "a", [("minLength", ()), ("pattern", ())]),
        ({"if": {"const": 1}, "then": {"type": "null"}}, 1, [("type", ())]),
        ({"if": {"const": 1}, "else": {"type": "null"}}, 2, [("type", ())]),
        ({"contains": {"const": 1}, "minContains": 2}, [1], [("minContains", ())]),
        ({"contains": {"const": 1}, "maxContains": 1}, [1, 1], [("maxContains", ())]),
        ({"contains": {"const": 1}}, [], [("contains", ())]),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, [("maxLength", ())]),
        ({"dependentSchemas": {"a": {"required": ["b"]}}}, {"a": 1}, [("required", ())]),
        ({"oneOf": [{"type": "string"}, {"minLength": 1}]}, "a", [("oneOf", ())]),
        ({"unevaluatedItems": {"type": "null"}}, [1, None], [("type", (0,))]),
        ({"additionalProperties": {"type": "null"}}, {"a": 1, "b": None}, [("type", ("a",))]),
    ],
)
def test_misfits(schema: Any, value: Any, expected: list[tuple[str, tuple[str | int, ...]]]) -> None:
    assert wrong(schema, value) == expected


def test_keys_that_are_refused_are_named() -> None:
    schema = {"properties": {"a": {}}, "patternProperties": {"^x": {}}, "additionalProperties": False}
    (misfit,) = PreparedSchema(schema).misfits({"a": 1, "b": 2, "xc": 3, "d": 4})
    assert misfit.names == ("b", "d")


def test_each_form_has_its_misfits() -> None:
    schema = {"anyOf": [{"type": "string"}, {"minimum": 5, "multipleOf": 2}]}
    (misfit,) = PreparedSchema(schema).misfits(1)

    def keywords(form: tuple[Misfit, ...]) -> list[str]:
        return [each.keyword for each in form]

    assert [keywords(form) for form in misfit.forms] == [["type"], ["minimum", "multipleOf"]]


@for_each(
    ("unit", "multiples", "others"),
    [
        (0.1, [0.3, 1, 0, -0.7, 1e300], [0.25]),
        (1e-300, [1.7e308, 5e-300], [1.5e-300, 5e-324]),
        (3e-300, [6e-300], [1.7e308]),
        (1.7e308, [0, 1.7e308], [1]),
        (3, [9, 9.0, -3], [10, 0.5]),
        (10**290, [10**299], [10**290 + 1]),
    ],
)
def test_multiples_are_exact(unit: float, multiples: list[float], others: list[float]) -> None:
    schema = {"multipleOf": unit}
    assert [value for value in multiples if not fits(schema, value)] == []
    assert [value for value in others if fits(schema, value)] == []


def test_equality_is_jsons() -> None:
    assert key(1) == key(1.0) != key(True)
    assert key(0) == key(-0.0) != key(False)
    assert key("1") != key(1)
    assert key('["a"]') != key(["a"])
    assert key({"a": 1, "b": [2.0]}) == key({"b": [2], "a": 1.0})
    assert key(None) != key("null")
    assert repeated([1, True, "1", None, [1], 1.0]) == 5
    assert repeated([0, False, "", None]) is None
    assert distinct([1, True, 1.0, "a", "a"]) == [1, True, "a"]
    assert size([1, [2, 3]]) == size([1, [2, 3]], 5) == 5
    assert size([1, [2, 3]], 4) > 4


@given(VALUES, VALUES)
def test_equality_is_that_of_jsonschema(one: Any, other: Any) -> None:
    assert (key(one) == key(other)) == Draft202012Validator({"const": one}).is_valid(other)


TREE = {
    "$ref": "#/$defs/tree",
    "$defs": {
        "tree": {
            "anyOf": [
                {"properties": {"t": {"$ref": "#/$defs/tree"}}, "required": ["t"]},
                {"properties": {"t": {"$ref": "#/$defs/tree"}}, "required": ["t", "u"]},
            ]
        }
    },
}


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"t": value}
    return value


def test_steps_end_what_would_never_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.game.json_values.STEPS", 40_000)
    value = nested(40)
    with pytest.raises(TooManyStepsError) as error:
        fits(TREE, value)
    assert error.value.steps >= 40_000
    assert not fits(TREE, nested(8))


def test_steps_are_the_same_every_time() -> None:
    def used(value: Any) -> int:
        steps = Steps(value)
        node = PreparedSchema(TREE)._evaluator
        node.fits(value, steps)
        return STEPS - steps.left

    assert used(nested(10)) == used(nested(10)) > 1000


def test_a_large_value_may_take_more_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.game.json_values.STEPS", 1_000)
    value = list(range(1_000))
    assert fits({"items": {"allOf": [{"type": "integer"}, {"minimum": 0}]}}, value)


def test_patterns_that_may_be_slow_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.game.json_values.PATTERN_SECONDS", 0.02)
    steps = Steps("x")
    schema = {"items": {"not": {"pattern": "(?:[ab]{1,30}a){30}c"}}}
    node = PreparedSchema(schema)._evaluator
    texts = [f"{'abbab' * 1000}{number}" for number in range(2_000)]
    with pytest.raises(TooManyStepsError):
        node.fits(texts, steps)
