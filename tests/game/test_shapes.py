"""Values to the schema that they look like they were written by."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cardgen.game.guessing import MOST_CHOICES, described, shape_of
from cardgen.game.inferred_files import list_schema
from cardgen.game.prepared_schema import PreparedSchema
from tests.for_each import for_each

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)


@for_each(
    "key",
    [
        *("artist", "Illustrator", "art_credits", "artistName", "illustrated_by", "Künstler", "author 2"),
        *("Photo by", "gezeichnet_von", "copyright"),
    ],
)
def test_names_of_persons_are_not_translated(key: str) -> None:
    assert "translate" not in described(key, ["Ann Bo", "Cy Dee"])
    inner = described(key, [{"name": "Ann Bo", "others": [{"name": "Cy Dee"}]}])
    assert "translate" not in str(inner)


@for_each("key", ["partist", "triggered_by", "title", "text", "authority", "artifact_text"])
def test_other_words_are_translated(key: str) -> None:
    assert described(key, ["Ann Bo", "Cy Dee"])["translate"] is True


@for_each(
    ("values", "shape"),
    [
        ([], {}),
        ([1, 2, 3], {"type": "integer", "minimum": 0}),
        ([1, -2], {"type": "integer"}),
        ([1, 2.5], {"type": "number", "minimum": 0}),
        ([True, False], {"type": "boolean"}),
        (["sun", "moon"] * 2, {"enum": ["sun", "moon"]}),
        (["sun", "moon"], {"type": "string", "minLength": 1}),
        (["sun"] * 9, {"type": "string", "minLength": 1}),
        ([f"{at}" for at in range(MOST_CHOICES + 1)] * 2, {"type": "string", "minLength": 1}),
        (["a.png", "b.png"] * 3, {"type": "string", "minLength": 1}),
        (["word", ""] * 2, {"type": "string"}),
        ([1, "many"], {"type": ["integer", "string"]}),
        ([1, 2.5, "many"], {"type": ["number", "string"]}),
        ([None, "word"], {"type": ["null", "string"]}),
        ([[], []], {"type": "array"}),
        ([[1], [2, 3]], {"type": "array", "items": {"type": "integer", "minimum": 0}}),
    ],
)
def test_a_shape_is_what_values_have_in_common(values: list[Any], shape: dict[str, Any]) -> None:
    assert shape_of(values) == shape


def test_a_mapping_has_the_keys_that_there_are_and_needs_those_that_all_have() -> None:
    shape = shape_of([{"die": 6, "word": "Two words"}, {"die": 8}])
    assert shape["required"] == ["die"]
    assert shape["additionalProperties"] is False
    assert shape["properties"]["word"]["translate"] is True
    assert shape["properties"]["die"] == {
        "description": "Die: a whole number.",
        "type": "integer",
        "minimum": 0,
    }


@for_each(
    ("key", "values", "translated"),
    [
        ("title", ["Fox"], True),
        ("line", ["Two words"], True),
        ("code", ["X7"], False),
        ("art", ["red fox.png"], False),
        ("suit", ["red sun", "blue moon"] * 2, False),
        ("cost", [1], False),
    ],
)
def test_words_are_translated_and_names_are_not(key: str, values: list[Any], translated: bool) -> None:
    assert ("translate" in described(key, values)) is translated


@given(
    st.lists(st.dictionaries(st.text(min_size=1, max_size=5), VALUES, max_size=5), min_size=1, max_size=5)
)
def test_cards_fit_the_schema_of_their_list(cards: list[dict[str, Any]]) -> None:
    schema = list_schema(cards, frozenset(("id", "copies")))
    del schema["items"]["allOf"]
    without = [{key: value for key, value in card.items() if key not in ("id", "copies")} for card in cards]
    assert PreparedSchema(schema).is_valid(without)


def test_what_is_nested_without_end_may_be_anything() -> None:
    value: Any = 1
    for _ in range(60):
        value = [value]
    assert PreparedSchema(shape_of([value])).is_valid(value)
    wide = {str(at): at for at in range(1_000)}
    assert shape_of([wide]) == {"type": "object"}
