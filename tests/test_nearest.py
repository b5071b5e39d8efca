"""The name that was probably meant, among few names and many."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.findings import nearest


@pytest.mark.parametrize(
    ("word", "names", "expected"),
    [
        ("coim", ["coin", "card", "die"], "coin"),
        ("xyz", ["coin", "card"], None),
        ("coin", [], None),
        ("c" * 1000, ["c" * 999], "c" * 999),
        ("coin", ["coin" * 1000], None),
    ],
)
def test_few_names(word: str, names: list[str], expected: str | None) -> None:
    assert nearest(word, names) == expected


@given(st.text("abc", max_size=6), st.lists(st.text("abc", max_size=6), max_size=20))
def test_few_names_are_all_compared(word: str, names: list[str]) -> None:
    close = difflib.get_close_matches(word, names, 1)
    assert nearest(word, names) == (close[0] if close else None)


def test_among_many_names_those_that_begin_alike_are_compared() -> None:
    names = frozenset(f"shape-{number}" for number in range(30_000)) | {"gradient"}
    assert nearest("gradeint", names) == "gradient"
    assert nearest("shape-29999x", names) == "shape-29999"
    assert nearest("shape-29999x", sorted(names)) == "shape-29999"
    assert nearest("nothing of the kind", names) is None
