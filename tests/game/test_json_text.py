"""JSON as people write it, and adding to it."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cardgen.game.inferred_files import WIDTH, added, written
from tests.for_each import for_each

LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=30)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
)
MANNERS = (
    lambda value: json.dumps(value),
    lambda value: json.dumps(value, indent=2),
    lambda value: json.dumps(value, indent="\t", ensure_ascii=False),
    lambda value: json.dumps(value, separators=(",", ":")),
    lambda value: json.dumps(value, indent=4).replace("\n", "\r\n"),
    written,
)


@given(JSON)
def test_what_is_written_says_the_value(value: Any) -> None:
    assert json.loads(written(value)) == value


def test_short_things_stand_on_one_line_and_long_ones_an_entry_a_line() -> None:
    assert written({"a": [1, 2], "b": {"c": None}}) == '{ "a": [1, 2], "b": { "c": null } }'
    long = {"word": ["x" * 40] * 3, "empty": [], "other": {}}
    lines = written(long).splitlines()
    assert lines[:2] == ["{", '  "word": [']
    assert lines[-3:] == ['  "empty": [],', '  "other": {}', "}"]
    assert all(len(line) <= WIDTH for line in lines)


def pointers(value: Any, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The places of all mappings and lists."""
    inner: list[tuple[str | int, ...]] = [at] if isinstance(value, dict | list) else []
    items = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, item in items:
        inner += pointers(item, (*at, key))
    return inner


@given(st.data())
def test_adding_changes_that_place_and_keeps_every_other_line(data: st.DataObject) -> None:
    value = data.draw(st.dictionaries(st.text(max_size=9), JSON, min_size=1, max_size=4))
    text = data.draw(st.sampled_from(MANNERS))(value)
    pointer = data.draw(st.sampled_from(pointers(value)))
    place: Any = value
    for step in pointer:
        place = place[step]
    if isinstance(place, dict):
        entries: Any = {"new one": ["a", {"b": 1}], "other": "x"}
        place.update(entries)
    else:
        entries = ["new", {"b": 1}]
        place.extend(entries)
    result = added(text, pointer, entries)
    assert json.loads(result) == value
    start = 0
    while start < len(text) and result[start] == text[start]:
        start += 1
    # One piece came in, or took the place of the space in an empty pair of brackets.
    tail = text[start:].lstrip()
    assert result.endswith(tail)


@for_each(
    ("text", "pointer", "entries", "result"),
    [
        ('{"a": []}', ("a",), ["x"], '{"a": ["x"]}'),
        ('{ "a": { } }', ("a",), {"b": 1}, '{ "a": { "b": 1 } }'),
        ('{\n  "a": 1\n}\n', (), {"b": [1]}, '{\n  "a": 1,\n  "b": [1]\n}\n'),
        ('\ufeff{"a": 1}', (), {"b": 2}, '\ufeff{"a": 1, "b": 2}'),
        ('{"a": 1}', (), {}, '{"a": 1}'),
        ('{"a": [1, 2e3, true,\n "x\\"]"]}', ("a",), [3], '{"a": [1, 2e3, true,\n "x\\"]",\n 3]}'),
    ],
)
def test_additions_look_like_what_is_there(text: str, pointer: Any, entries: Any, result: str) -> None:
    assert added(text, pointer, entries) == result
