"""Patterns of schemas: JavaScript's meaning, RE2's speed."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.game.json_values import TooManyStepsError
from cardgen.game.patterns import MAX_PATTERN, PatternError, compiled
from cardgen.game.schema_store import schema_of_schemas
from tests.for_each import for_each
from tests.wording import Wording


@for_each(
    ("pattern", "found", "missed"),
    [
        ("", ["", "x"], []),
        ("b", ["abc"], ["ac"]),
        (r"^\d+$", ["12"], ["١", "1\n", ""]),
        (r"^\w$", ["a", "_", "7"], ["é", "a\n", "-"]),
        (r"^\s$", [" ", "\u00a0", "\ufeff", "\x0b", "\u3000", "\u2028"], ["a", "\u200b"]),
        (r"^\S+$", ["aé\u200b"], ["a b", "a\u00a0b", ""]),
        (r"^[^\s]$", ["x", "\ud7ff"], [" ", "\u3000"]),
        (r"^[\S]$", ["x", "\U0001f600"], ["\u3000", "\n"]),
        (r"^.$", ["x", "\x0b", "\U0001f600"], ["\n", "\r", "\u2028", ""]),
        (r"\u00e9", ["café"], ["cafe"]),
        (r"^\ud83d\ude00$", ["\U0001f600"], ["x"]),
        (r"^\u{1F600}$", ["\U0001f600"], ["x"]),
        (r"^\x41\cA\0\t$", ["A\x01\0\t"], ["A"]),
        (r"^\p{L}{1,40}$", ["Żółw", "a" * 40], ["a1", "a" * 41, ""]),
        (r"^\p{Letter}\p{Script=Greek}\p{sc=Latin}$", ["aΩa"], ["aaa"]),
        (r"^\P{Lu}$", ["a"], ["A"]),
        (r"^[\p{Lu}\d]+$", ["É7"], ["é"]),
        (r"[[:alpha:]]", ["a]", ":]"], ["b"]),
        (r"^a{2}$", ["aa"], ["a", "aaa"]),
        (r"^{a}$", ["{a}"], ["a"]),
        (r"a]", ["a]"], ["a"]),
        (r"(?i)^ABC$", ["abc"], ["ab"]),
        (r"^(?i:a)b$", ["Ab"], ["AB"]),
        (r"^(?<n>a)+$", ["aaa"], ["b"]),
        (r"^[a\-z]$", ["-", "a"], ["b"]),
        (r"^[\w-]+$", ["a-b"], ["a b"]),
        (r"^[+--]$", ["+", ",", "-"], ["."]),
        (r"^[\b]$", ["\x08"], ["b"]),
        (r"\bfoo\b", ["a foo b"], ["foot"]),
        (r"^a*?b$", ["aab"], ["a"]),
        (r"\/\.\$", ["/.$"], ["//$"]),
    ],
)
def test_meaning(pattern: str, found: list[str], missed: list[str]) -> None:
    ready = compiled(pattern)
    assert [text for text in found if not ready.found_in(text)] == []
    assert [text for text in missed if ready.found_in(text)] == []


@for_each(
    "pattern",
    [
        "(?=a)",
        "(?!a)",
        "(?<=a)",
        "(?<!a)",
        r"(a)\1",
        r"\k<a>",
        "(?P<a>b)",
        "(?>a)",
        "(?s:a)",
        "(?",
        r"\A",
        r"\Z",
        r"\Qa\E",
        r"\é",
        r"\01",
        r"\pL",
        r"\p{Foo}",
        r"\p{Alphabetic}",
        r"\p{Block=X}",
        "[]",
        "[^]]",
        "[a",
        "([",
        "[\\",
        "\\",
        "[b-a]",
        "a{1001}",
        "a{99999999999}",
        "(a{1000}){1000}",
        "a{,5}",
        "a{2}{3}",
        "a**",
        "a++",
        "*a",
        "(",
        ")",
        r"\u12",
        r"\xg1",
        r"\ud800",
        r"\ud800\u0041",
        "\ud800",
        r"\u{110000}",
        r"\u{",
        "x" * (MAX_PATTERN + 1),
        r"^\p{L}{1,1000}$",
    ],
)
def test_refusals(pattern: str, capfd: pytest.CaptureFixture[str], wording: Wording) -> None:
    with pytest.raises(PatternError) as error:
        compiled(pattern)
    wording(error.value)
    assert capfd.readouterr() == ("", "")  # RE2 would log to standard error


ALPHABET = st.sampled_from("ab-]^$.|()[*+?{}1,\\dws ")


@given(st.text(ALPHABET, max_size=8), st.text(st.sampled_from("ab-]^1 .,"), max_size=6))
def test_what_both_know_means_the_same_as_in_python(pattern: str, text: str) -> None:
    """Python's `re` differs from ECMA 262 in what the alphabet leaves out: Unicode and line ends."""
    try:
        ours = compiled(pattern)
    except PatternError:
        return
    try:
        theirs = re.compile(pattern, re.ASCII)
    except (re.error, FutureWarning):
        return
    assert ours.found_in(text) == (theirs.search(text) is not None)


@given(st.text(max_size=12))
def test_any_text_is_a_pattern_or_refused(pattern: str) -> None:
    with suppress(PatternError):
        assert compiled(pattern).found_in("abc") in (True, False)


def test_patterns_of_a_schema_together_are_bounded() -> None:
    def schema(count: int) -> dict[str, Any]:
        return {"anyOf": [{"pattern": f"^a{number}$"} for number in range(count)]}

    assert schema_of_schemas().is_valid(schema(500))
    with pytest.raises(TooManyStepsError):
        schema_of_schemas().is_valid(schema(2000))


def test_what_is_remembered_of_texts_is_what_they_come_to() -> None:
    pattern = compiled("^a-[0-9]*[02468]$")
    for _ in range(2):
        for number in range(1_200):
            text = f"a-{number}"
            assert pattern.found_in(text) == (number % 2 == 0)
            assert not pattern.found_in(f"b{text}")
