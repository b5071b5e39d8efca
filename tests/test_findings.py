"""Findings and the errors that carry them, and the name that was probably meant."""

from __future__ import annotations

import difflib
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.findings import (
    CardgenError,
    Finding,
    Findings,
    Location,
    Problem,
    Severity,
    UsageError,
    did_you_mean,
    nearest,
)
from tests.for_each import for_each
from tests.wording import Wording

PLACE = Location("data/t/c.yaml", 3, 7, "cards[0].name")


@for_each(
    ("place", "text"),
    [
        (Location("a.yaml"), "a.yaml"),
        (Location("a.yaml", 3), "a.yaml:3"),
        (Location("a.yaml", None, 7), "a.yaml"),
        (PLACE, "data/t/c.yaml:3:7: cards[0].name"),
    ],
)
def test_a_place_in_words(place: Location, text: str) -> None:
    assert str(place) == text


def test_a_finding_in_words_and_in_number() -> None:
    finding = Finding(Severity.ERROR, "a/b", "it is wrong", PLACE)
    assert str(finding) == "data/t/c.yaml:3:7: cards[0].name: it is wrong"
    assert str(Finding(Severity.NOTE, "a/b", "it is so")) == "it is so"
    assert (finding.count, Finding(Severity.NOTE, "a/b", "more", left_out=7).count) == (1, 7)


def test_an_error_has_its_findings_also_from_another_process(wording: Wording) -> None:
    finding = Finding(Severity.ERROR, "a/b", "it is wrong", PLACE, "mend it")
    again = pickle.loads(pickle.dumps(CardgenError(finding)))
    assert (type(again), again.findings, str(again)) == (CardgenError, (finding,), str(finding))
    misuse = UsageError("there is no x", "try y", "usage/x")
    assert misuse.findings == (Finding(Severity.ERROR, "usage/x", "there is no x", None, "try y"),)
    assert pickle.loads(pickle.dumps(misuse)).findings == misuse.findings
    with pytest.raises(ValueError) as caught:
        CardgenError()
    wording(caught.value)


def test_findings_are_collected_and_put_in_order() -> None:
    findings = Findings()
    findings.note("c", "third", Location("b.yaml"))
    findings.raise_if_errors()
    findings.warning("b", "second", Location("a.yaml", 9))
    findings.error("a", "first", Location("a.yaml", 2), "a hint")
    findings.extend([Finding(Severity.ERROR, "a", "first", Location("a.yaml", 2), "a hint")])
    assert [each.message for each in findings] == ["third", "second", "first", "first"]
    assert len(findings) == 4
    assert [each.message for each in findings.errors] == ["first", "first"]
    with pytest.raises(CardgenError) as raised:
        findings.raise_if_errors()
    assert [(each.message, str(each.severity)) for each in raised.value.findings] == [
        ("first", "error"),
        ("second", "warning"),
        ("third", "note"),
    ]


def test_a_problem_becomes_a_finding_where_it_stands() -> None:
    problem = Problem("a/b", "it is wrong", "mend it", Severity.WARNING, offset=10)
    assert not problem.is_error
    assert Problem("a/b", "it is wrong").is_error
    assert problem.moved(5).offset == 15
    assert problem.at(PLACE) == Finding(Severity.WARNING, "a/b", "it is wrong", PLACE, "mend it")


def test_what_strangers_wrote_makes_no_endless_message() -> None:
    problem = Problem("a/b", "x" * 1_000 + "end", "short")
    assert len(problem.message) == 300 + 3 + 90
    assert problem.message.endswith("xend")
    assert problem.hint == "short"
    assert Problem("a/b", "y" * 400).message == "y" * 400


def test_a_hint_for_a_misspelt_name() -> None:
    assert did_you_mean("Coim", ["coin", "card"]) == "did you mean 'coin'?"
    assert did_you_mean("xyz", ["coin", "card"]) is None


@for_each(
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
