"""Of very many findings the first are shown, and every other one is counted."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.findings import Finding, Location, Severity
from cardgen.formats import REPORTERS, report_findings
from cardgen.formats.capping import MOST, MOST_ALIKE, capped


def findings(
    number: int,
    code: str = "schema/type",
    file: str = "a.yaml",
    severity: Severity = Severity.ERROR,
) -> list[Finding]:
    return [Finding(severity, code, f"wrong {n}", Location(file, n + 1)) for n in range(number)]


def test_few_are_all_shown() -> None:
    few = [*findings(MOST_ALIKE), *findings(3, file="b.yaml")]
    assert capped(few) == few


def test_those_alike_are_counted_after_the_last_that_is_shown() -> None:
    shown = capped([*findings(1_254), *findings(2, "schema/enum")])
    assert len(shown) == MOST_ALIKE + 3
    more = shown[MOST_ALIKE]
    assert str(more) == "a.yaml: and 1,234 more like this"
    assert (more.code, more.severity, more.left_out) == ("schema/type", Severity.ERROR, 1_234)


def test_what_was_counted_before_is_counted_on() -> None:
    rule = [
        *findings(50, "rule/x"),
        Finding(Severity.ERROR, "rule/x", "and 7 more", Location("a.yaml"), None, 7),
    ]
    assert capped(rule)[-1].left_out == 57 - MOST_ALIKE


def test_errors_are_the_last_to_be_left_out() -> None:
    notes = [note for n in range(60) for note in findings(10, f"note/{n}", severity=Severity.NOTE)]
    shown = capped([*notes, *findings(5)])
    assert sum(finding.severity is Severity.ERROR for finding in shown) == 5
    assert len(shown) == MOST + 1
    assert str(shown[-1]) == "and 105 more notes of 11 kinds"


@given(
    st.lists(
        st.tuples(
            st.sampled_from(Severity),
            st.sampled_from(["a", "b"]),
            st.sampled_from(["", "x", "y"]),
            st.integers(1, 700),
        ),
        max_size=8,
    )
)
def test_none_is_lost(kinds: list[tuple[Severity, str, str, int]]) -> None:
    every = [
        Finding(severity, code, f"wrong {n}", Location(file, n) if file else None)
        for severity, code, file, number in kinds
        for n in range(number)
    ]
    shown = capped(every)
    assert len(shown) <= MOST + len(Severity)
    counts = Counter[Severity]()
    for finding in shown:
        counts[finding.severity] += finding.count
    assert counts == Counter(finding.severity for finding in every)


@pytest.mark.parametrize("format", REPORTERS)
def test_every_format_says_how_many_are_left_out(format: str) -> None:
    text = report_findings(findings(1_254), format)
    assert "and 1,234 more like this" in text
    assert text.count("wrong ") < 3 * MOST_ALIKE
    assert "and 1,234" not in report_findings(findings(1_254), format, every=True)
    assert report_findings(findings(1_254), format, every=True).count("wrong ") >= 1_254


def test_json_counts_all() -> None:
    document = json.loads(report_findings(findings(1_254), "json"))
    assert document["counts"] == {"error": 1_254, "warning": 0, "note": 0}
    assert document["left_out"] == 1_234
    assert len(document["findings"]) == MOST_ALIKE + 1


def test_sarif_says_what_a_result_stands_for() -> None:
    (run,) = json.loads(report_findings(findings(1_254), "sarif"))["runs"]
    assert run["results"][-1]["properties"] == {"leftOut": 1_234}
