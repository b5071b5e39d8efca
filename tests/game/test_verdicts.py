"""What fits is remembered: data that are the same, and the records of those that are not."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from jsonschema.validators import Draft202012Validator

from cardgen.game import prepared_schema, schema
from cardgen.game.prepared_schema import PreparedSchema
from cardgen.game.schema_store import schema_of_schemas
from tests.for_each import for_each

CARD = {
    "properties": {
        "id": {"type": "string"},
        "text": {"type": "string", "translate": True},
        "copies": {"type": "integer", "default": 1},
    },
    "required": ["id"],
}
LIST = {"properties": {"cards": {"items": CARD}}}


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The values that were held against the schema of a card."""
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "cache"))
    judged: list[Any] = []
    judge = schema.KEYWORDS["required"]

    def noted(self: Any, names: Any, value: Any, whole: Any) -> Any:
        judged.append(value.get("id"))
        return judge(self, names, value, whole)

    monkeypatch.setitem(schema.KEYWORDS, "required", noted)
    return judged


def cards(*ids: str) -> dict[str, Any]:
    return {"cards": [{"id": id, "text": "t"} for id in ids]}


def later() -> PreparedSchema:
    """The schema in another process."""
    for cache in map(prepared_schema._verdicts, [prepared_schema.cache_folder()]):
        cache.save()
    prepared_schema._verdicts.cache_clear()
    return PreparedSchema(copy.deepcopy(LIST))


def test_only_new_records_are_judged(judged: list[Any]) -> None:
    assert PreparedSchema(LIST).accepts(cards("a", "b", "a"), "cards.yaml")
    assert judged == ["a", "b"]
    assert later().accepts(cards("a", "b", "a"), "cards.yaml")
    assert later().accepts(cards("b", "c"), "cards.yaml")
    assert judged == ["a", "b", "c"]


def test_records_are_judged_again_by_another_schema(judged: list[Any]) -> None:
    assert PreparedSchema(LIST).accepts(cards("a"), "cards.yaml")
    later()
    stricter = {"properties": {"cards": {"items": {**CARD, "maxProperties": 1}}}}
    assert not PreparedSchema(stricter).accepts(cards("a"), "cards.yaml")
    assert judged == ["a", "a"]


def test_what_does_not_fit_is_judged_again(judged: list[Any]) -> None:
    wrong = {"cards": [{"text": "t"}]}
    assert not PreparedSchema(LIST).accepts(wrong, "cards.yaml")
    assert not later().accepts(wrong, "cards.yaml")
    assert judged == [None, None]


def test_what_is_remembered_fills_the_same_defaults_and_marks_the_same_texts(judged: list[Any]) -> None:
    for _ in range(2):
        for ids in (("a", "b"), ("a", "b", "c")):
            data = cards(*ids)
            later().fill(data, "cards.yaml")
            assert [card["copies"] for card in data["cards"]] == [1] * len(ids)
            paths = [("cards", index, "text") for index in range(len(ids))]
            assert later().marked(data, "cards.yaml") == paths


@for_each(
    "wrong",
    [
        {"$anchor": "1 x"},
        {"$id": "a#b#"},
        {"readOnly": "yes"},
        {"deprecated": 3},
        {"examples": "one"},
        {"type": ["string", "string"]},
        {"dependentRequired": {"a": ["b", "b"]}},
        {"not": {"required": ["a", "a"]}},
    ],
)
def test_schemas_that_the_standard_refuses_are_refused(wrong: Any) -> None:
    assert not Draft202012Validator(Draft202012Validator.META_SCHEMA).is_valid(wrong)
    assert not schema_of_schemas().is_valid(wrong)
