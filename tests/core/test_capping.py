"""Of very many findings the first are shown, and every other one is counted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import islice, product
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.findings import Finding, Location, Severity
from cardgen.core.formats import (
    ALIKE,
    FIRST,
    MOST,
    MOST_ALIKE,
    MOST_LISTED,
    capped,
    report_findings,
    summary,
)
from cardgen.core.report_formats import REPORTS
from tests.for_each import for_each
from tests.wording import Wording


def findings(
    number: int,
    code: str = "schema/type",
    file: str = "a.yaml",
    severity: Severity = Severity.ERROR,
) -> list[Finding]:
    return [Finding(severity, code, f"wrong {n}", Location(file, n + 1)) for n in range(number)]


WORDS = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma".split()
)


def worded(number: int, code: str = "schema/type", severity: Severity = Severity.ERROR) -> list[Finding]:
    """Findings of one kind that differ in words, not in names and figures."""
    return [
        Finding(severity, code, f"it is {first} {second}", Location("a.yaml", n + 1))
        for n, (first, second) in enumerate(islice(product(WORDS, WORDS), number))
    ]


def test_few_are_all_shown() -> None:
    few = [*findings(ALIKE - 1), *findings(3, "schema/enum", file="b.yaml"), *worded(MOST_ALIKE, "a/b")]
    assert capped(few) == few


def test_those_that_differ_in_figures_are_counted_after_the_first() -> None:
    shown = capped([*findings(1_254), *findings(2, "schema/enum")])
    assert [str(each) for each in shown[: FIRST + 1]] == [
        "a.yaml:1: wrong 0",
        "a.yaml:2: wrong 1",
        "a.yaml:3: wrong 2",
        "a.yaml: and 1,251 more like this, in lines 4, 5, 6, 7, 8, …",
    ]
    more = shown[FIRST]
    assert (more.code, more.severity, more.left_out) == ("schema/type", Severity.ERROR, 1_251)
    assert len(shown) == FIRST + 3


def test_names_that_are_quoted_make_no_difference() -> None:
    wrong = [
        Finding(Severity.ERROR, "schema/enum", f"'{word}' is not one of 'a', “b”", Location("a.yaml", 9))
        for word in WORDS
    ]
    assert [each.count for each in capped(wrong)] == [1, 1, 1, len(WORDS) - FIRST]


def test_what_stands_in_several_files_is_said_with_them() -> None:
    wrong = [each for name in "abcdefg" for each in findings(1, "svg/x", f"{name}.svg")]
    (same,) = capped(wrong)
    assert str(same) == ("a.svg:1: wrong 0; and 6 more in b.svg:1, c.svg:1, d.svg:1, e.svg:1, f.svg:1, …")
    other = [replace(each, message=f"'{n}'") for n, each in enumerate(wrong)]
    assert str(capped(other)[-1]) == "and 4 more like this, in d.svg:1, e.svg:1, f.svg:1, g.svg:1"


def test_those_without_a_place_are_counted_too() -> None:
    wrong = [Finding(Severity.NOTE, "a/b", f"{n} of it") for n in range(9)]
    assert str(capped(wrong)[-1]) == "and 6 more like this"


def test_those_of_one_kind_are_counted_after_the_last_that_is_shown() -> None:
    shown = capped([*worded(254), *findings(2, "schema/enum")])
    assert len(shown) == MOST_ALIKE + 3
    more = shown[MOST_ALIKE]
    assert str(more) == "a.yaml: and 234 more like this, in lines 21, 22, 23, 24, 25, …"
    assert (more.code, more.severity, more.left_out) == ("schema/type", Severity.ERROR, 234)


def test_what_was_counted_before_is_counted_on() -> None:
    rule = [
        *findings(50, "rule/x"),
        Finding(Severity.ERROR, "rule/x", "and 7 more", Location("a.yaml"), None, 7),
    ]
    assert sum(each.count for each in capped(rule)) == 57


def test_errors_are_the_last_to_be_left_out() -> None:
    notes = [note for n in range(60) for note in worded(10, f"note/{n}", Severity.NOTE)]
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
            st.sampled_from([1, 2, 3, 7, 30, 700]),
        ),
        max_size=5,
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


def test_people_are_told_how_many_are_left_out() -> None:
    text = report_findings(findings(1_254))
    assert "and 1,251 more like this" in text
    assert text.count("wrong ") == FIRST
    assert "more like this" not in report_findings(findings(1_254), every=True)
    assert report_findings(findings(1_254), every=True).count("wrong ") == 1_254


def test_a_line_sums_up(wording: Wording) -> None:
    few = [*findings(2), *findings(1, "a/b", "b.yaml", Severity.WARNING)]
    assert summary([]) == "no findings"
    assert summary(few[:1]) == "1 error in 1 file"
    assert summary(few) == "2 errors, 1 warning in 2 files"
    assert summary([Finding(Severity.NOTE, "a/b", "so it is")]) == "1 note"
    wording(summary(findings(1254)), "1,254")
    assert summary(findings(1_254), every=True) == "1,254 errors in 1 file"


def test_json_counts_all() -> None:
    document = json.loads(report_findings(findings(MOST_LISTED + 234), "json"))
    assert document["counts"] == {"error": MOST_LISTED + 234, "warning": 0, "note": 0}
    assert document["left_out"] == 234
    assert len(document["findings"]) == MOST_LISTED + 1


@for_each("format", sorted(set(REPORTS) - {"text"}))
def test_programs_are_given_each_one(format: str) -> None:
    assert report_findings(findings(1_254), format).count("wrong ") >= 1_254
    many = findings(MOST_LISTED + 1_234)
    assert "and 1,234 more errors of one kind" in report_findings(many, format)
    assert "and 1,234" not in report_findings(many, format, every=True)


def of_cards(
    number: int, message: str = "it is wrong", key: str = "suit", file: str = "a.yaml"
) -> list[Finding]:
    return [
        Finding(
            Severity.ERROR,
            "schema/x",
            message.format(n),
            Location(file, 3 * n, 1, f"cards[{n}].{key}"),
            "do",
        )
        for n in range(1, number + 1)
    ]


def test_what_is_said_of_many_cards_is_said_once() -> None:
    wrong = [one for pair in zip(of_cards(1_988), of_cards(1_988, "{}", "text")) for one in pair]
    shown = capped(of_cards(1_988))
    assert [str(each) for each in shown] == [
        "a.yaml:3:1: cards[1].suit: it is wrong; and 1,987 more in lines 6, 9, 12, 15, 18, …"
    ]
    assert (shown[0].count, shown[0].hint) == (1_988, "do")
    assert len(capped(wrong)) == 1 + FIRST + 1
    assert sum(each.count for each in capped(wrong)) == len(wrong)


def test_cards_are_named_where_a_finding_names_them() -> None:
    (shown,) = capped(of_cards(4, "card 'c{}': it does not fit"))
    assert shown.message == "card 'c1': it does not fit; and 3 more cards: 'c2', 'c3', 'c4'"


def test_few_and_other_things_are_not_said_together() -> None:
    apart = [*of_cards(3), *of_cards(3, key="text"), *of_cards(3, "else")]
    assert capped(apart) == apart


def test_a_wrong_schema_takes_a_dozen_lines(run: Callable[..., tuple[int, str, str]], demo: Path) -> None:
    schema = demo / "schemas/demo/cards.schema.json"
    text = schema.read_text(encoding="utf-8")
    schema.write_text(text.replace('"suit"', '"colour"').replace('"value"', '"number"'), encoding="utf-8")
    cards = demo / "data/demo/cards.yaml"
    entries = "".join(
        f"  - id: card-{n}\n    title: Card {n}\n    suit: sun\n    value: {n % 9}\n    text: It is.\n"
        for n in range(90)
    )
    cards.write_text(f"cards:\n{entries}", encoding="utf-8")
    code, out, _ = run("check", "demo")
    assert code == 1
    assert len(out.splitlines()) <= 12, out
    assert "more in lines" in out
    assert len(run("check", "demo", "--all")[1].splitlines()) > 360


def test_sarif_says_what_a_result_stands_for() -> None:
    (run,) = json.loads(report_findings(findings(MOST_LISTED + 234), "sarif"))["runs"]
    assert run["results"][-1]["properties"] == {"leftOut": 234}
