"""What differs between two values, and between two texts."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cardgen.commands.compare.values import ABSENT, plain, spelled, value_changes, word_changes

CHANGES: list[tuple[Any, Any, list[tuple[str, Any, Any]]]] = [
    ({"a": 1, "b": {"c": [1, 2]}}, {"a": 1, "b": {"c": [1, 2]}}, []),
    ({"a": 1}, {"a": True}, [("a", 1, True)]),
    ({"a": 1, "gone": 2}, {"a": 1, "b": 3}, [("b", ABSENT, 3), ("gone", 2, ABSENT)]),
    ({"a": {"b": "x"}}, {"a": {"b": "y"}}, [("a.b", "x", "y")]),
    ({"a": [1, 2, 3]}, {"a": [1, 9, 3]}, [("a[1]", 2, 9)]),
    ({"a": [1, 2, 3]}, {"a": [0, 1, 2, 3]}, [("a[0]", ABSENT, 0)]),
    ({"a": [1, 2, 3, 4]}, {"a": [1, 4]}, [("a[1]", 2, ABSENT), ("a[2]", 3, ABSENT)]),
    ({"a": [{"n": 1}, {"n": 2}]}, {"a": [{"n": 1}, {"n": 3}]}, [("a[1].n", 2, 3)]),
    ({"a": [1]}, {"a": {"b": 1}}, [("a", [1], {"b": 1})]),
    ({"a": "[1]"}, {"a": [1]}, [("a", "[1]", [1])]),
    ({"a b": None}, {"a b": ""}, [("['a b']", None, "")]),
]


def test_paths_that_differ() -> None:
    for old, new, found in CHANGES:
        changes = list(value_changes(old, new))
        assert [(change.name, change.old, change.new) for change in changes] == found


def test_a_change_as_plain_values() -> None:
    added, removed = value_changes({"b": (1, 2)}, {"a": {"x": 1.5}})
    assert added.plain() == {"path": "a", "kind": "new", "new": {"x": 1.5}}
    assert removed.plain() == {"path": "b", "kind": "removed", "old": [1, 2]}
    assert plain({1: {2, 3}.__class__}) == {"1": "<class 'set'>"}


def test_a_value_in_words() -> None:
    values = "a b", "", 3, True, None, {"a": ["é"]}
    assert [*map(spelled, values)] == ["a b", '""', "3", "true", "null", '{"a": ["é"]}']


PIECES = [
    ("draw one card", "draw two cards", [("draw ", "draw "), ("one card", "two cards")]),
    ("a b c d", "a x c y", [("a ", "a "), ("b", "x"), (" c ", " c "), ("d", "y")]),
    ("one two three", "three one two", [("", "three "), ("one two", "one two"), (" three", "")]),
    ("same", "same", [("same", "same")]),
    ("", "new", [("", "new")]),
    ("you win.", "you win. Or not.", [("you win.", "you win."), ("", " Or not.")]),
]


def test_words_that_differ() -> None:
    for old, new, pieces in PIECES:
        assert list(word_changes(old, new)) == pieces


_TEXT = st.text(st.sampled_from("ab .\n"), max_size=30)


@given(_TEXT, _TEXT)
def test_pieces_are_the_whole_of_both(old: str, new: str) -> None:
    pieces = list(word_changes(old, new))
    assert ("".join(was for was, _ in pieces), "".join(now for _, now in pieces)) == (old, new)


def test_very_long_texts_are_compared_in_one_piece() -> None:
    old, new = (f"begin {' '.join(f'{word}{n}' for n in range(5000))} end" for word in ("old", "new"))
    pieces = list(word_changes(old, new))
    assert [was == now for was, now in pieces] == [True, False, True]
    assert pieces[2] == (" end", " end")
