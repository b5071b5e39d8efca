"""What kind of field a field is, and how often each of its values is printed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.rules.report_fields import Field, FieldKind, fields_of, label, shortened, word
from cardgen.rules.results import Histogram
from tests.for_each import for_each
from tests.rules.samples import SUITS, component


def fields(*cards: dict[str, Any]) -> dict[str, Field]:
    return {field.name: field for field in fields_of(component(cards))}


def bins(field: Field) -> dict[str, float]:
    assert field.histogram is not None
    return dict(field.histogram.bins)


def test_a_game_of_three_cards() -> None:
    found = {field.name: field for field in fields_of(SUITS.components[0])}
    assert {name: field.kind for name, field in found.items()} == {
        "copies": FieldKind.NUMERIC,
        "title": FieldKind.NAME,
        "suit": FieldKind.CATEGORICAL,
        "value": FieldKind.NUMERIC,
        "tags[]": FieldKind.CATEGORICAL,
        "note": FieldKind.PROSE,
    }
    assert bins(found["suit"]) == {"sun": 3, "moon": 1}  # Apple is printed twice
    assert bins(found["value"]) == {"1": 2, "2": 1, "3": 0, "4": 1}  # 3 is missing and shows
    assert bins(found["tags[]"]) == {"cheap": 3, "fruit": 2}
    assert bins(found["copies"]) == {"1": 2, "2": 1}  # distinct cards, not printed ones
    assert found["value"].remark == "1 to 4, mean 2"
    assert (found["tags[]"].absent, found["note"].absent, found["suit"].absent) == (1, 3, 0)


def test_fields_within_fields_have_addresses() -> None:
    found = fields({"reward": {"die": 6}, "steps": [{"cost": 1}, {"cost": 3}]}, {"reward": {"die": 8}})
    assert {"reward.die", "steps[].cost"} <= found.keys()
    assert bins(found["steps[].cost"]) == {"1": 1, "2": 0, "3": 1}


def test_printing_keys_are_no_fields() -> None:
    assert set(fields({"face": "a.svg", "trim": "poker", "turned": True, "back": None})) == {"copies"}


def test_yes_and_no_are_words() -> None:
    assert bins(fields({"virus": True}, {"virus": False}, {"virus": True})["virus"]) == {"yes": 2, "no": 1}


def test_numbers_beside_words_are_categories() -> None:
    found = fields({"cost": 1}, {"cost": "X"}, {"cost": 1})["cost"]
    assert found.kind is FieldKind.CATEGORICAL
    assert bins(found) == {"1": 2, "X": 1}


@for_each("value", [float("nan"), float("inf"), 10**16])
def test_what_no_axis_can_hold_is_a_category(value: float) -> None:
    assert fields({"cost": value}, {"cost": value}, {"cost": 1})["cost"].kind is FieldKind.CATEGORICAL


def test_what_is_always_the_same_is_no_chart() -> None:
    found = fields({"deck": 1, "virus": False, "x": "y"}, {"deck": 1, "virus": False, "x": "z"})
    assert {name: (field.kind, field.histogram) for name, field in found.items() if name != "x"} == {
        "copies": (FieldKind.CONSTANT, None),
        "deck": (FieldKind.CONSTANT, None),
        "virus": (FieldKind.CONSTANT, None),
    }
    assert (found["deck"].summary, found["virus"].summary) == ("always 1", "always no")
    some = fields({"bonus": True}, {"copies": 3})["bonus"]
    assert some.summary == "always yes; 3 without"


def test_cells_of_tables_on_a_card_are_no_chart() -> None:
    found = fields(
        {"parts": [{"table": [["a", 1], ["a", 2]], "head": ["x", "x"], "size": 1}, {"size": 2}]}, {}
    )
    assert found["parts[].table[][]"].kind is FieldKind.NESTED
    assert found["parts[].head[]"].histogram is None
    assert bins(found["parts[].size"]) == {"1": 1, "2": 1}


@for_each(
    ("name", "words"), [("tags[]", "tags"), ("parts[].table[][]", "parts › table"), ("a.b_c", "a › b_c")]
)
def test_names_are_words(name: str, words: str) -> None:
    assert label(name) == words


@for_each(
    ("text", "words"),
    [
        ("**O** in it, *X* not", "O in it, X not"),
        ("2*3*4", "2*3*4"),
        ("a * b * c", "a * b * c"),
        ("**", "**"),
    ],
)
def test_labels_are_without_marks_of_emphasis(text: str, words: str) -> None:
    assert word(text) == words


def test_many_numbers_fall_into_round_bins() -> None:
    found = bins(fields(*({"cost": cost} for cost in range(0, 1000, 7)))["cost"])
    assert list(found)[:2] == ["0–99", "100–199"]
    assert sum(found.values()) == 143
    assert found["0–99"] == 15


def test_a_crowd_of_values_is_names() -> None:
    cards = [{"by": f"artist {number}"} for number in range(40)] + [{"by": "artist 1"}]
    assert fields(*cards)["by"].kind is FieldKind.NAME


def test_rare_categories_are_added_up() -> None:
    bars = tuple((f"suit {number}", float(number)) for number in range(1, 41))
    short = shortened(Histogram("cards", bars, False), 10)
    assert len(short.bins) == 10
    assert short.bins[0] == ("suit 32", 32.0)
    assert short.bins[-1] == ("31 others", sum(range(1, 32)))


@pytest.mark.long
@given(
    st.lists(
        st.tuples(
            st.one_of(st.integers(), st.floats(), st.booleans(), st.text(max_size=60), st.none()),
            st.integers(0, 9),
        ),
        min_size=1,
        max_size=40,
    )
)
def test_no_card_is_lost(values: list[tuple[Any, int]]) -> None:
    cards = [{"field": value, "copies": copies} for value, copies in values]
    field = fields(*cards).get("field")
    if field is None:
        assert all(value is None for value, _ in values)
    elif field.histogram is not None:
        printed = sum(copies for _, copies in values)
        assert sum(count for _, count in field.histogram.bins) + field.absent == printed
