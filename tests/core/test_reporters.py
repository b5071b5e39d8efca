"""The reporters' output, held against the public schemas of the formats."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from markdown.extensions.toc import slugify

from cardgen.core.explanations import explanations
from cardgen.core.findings import Finding, Location, Severity
from cardgen.core.formats import report_findings
from cardgen.core.report_formats import REPORTS, Tool
from tests.for_each import for_each
from tests.printed import hidden

SCHEMAS = Path(__file__).parent / "schemas"
SARIF = jsonschema.Draft202012Validator(
    json.loads((SCHEMAS / "sarif-2.1.0.json").read_text(encoding="utf-8"))
)
JUNIT = etree.XMLSchema(etree.parse(SCHEMAS / "junit-10.xsd"))

FINDINGS = [
    Finding(
        Severity.ERROR,
        "rule/code-ladder",
        "group “B” has 9 cards, 100 % of: them",
        Location("data/my game/cards.yaml", 14, 3, "cards[3].code"),
        "change the code,\nor the ladder",
    ),
    Finding(Severity.WARNING, "text/overflow", "it does not fit", Location("data/game/cards.yaml", 2)),
    Finding(Severity.NOTE, "rule/unique", "a spare <copy>", Location("data/game/cards.yaml")),
    Finding(Severity.ERROR, "rule/code-ladder", "no place"),
]
ODD = "\0\x1b\n\r\x85\u2028\u202e\u2066\ufeff\x7f:,%#[\udcff"
TEXT = st.text(max_size=20) | st.text(st.sampled_from(ODD), max_size=9)
ANY = st.builds(
    Finding,
    st.sampled_from(Severity),
    TEXT.map(lambda text: f"rule/{text}"),
    TEXT,
    st.none()
    | st.builds(Location, TEXT, st.none() | st.integers(1, 99), st.none() | st.integers(1, 99), TEXT, TEXT),
    st.none() | TEXT,
)


IN_TABLES = [
    Finding(
        Severity.ERROR,
        "schema/type",
        "'x' is no number",
        Location("data/fox/deck.xlsx", 7, 4, "cards[5].cost", "Cards!D7"),
    ),
    Finding(
        Severity.ERROR,
        "schema/type",
        "'y' is no number",
        Location("data/fox/deck.csv", 9, 12, "cards[5].reward.die", "D7"),
    ),
]


def test_cells_are_named_by_all() -> None:
    assert report_findings(IN_TABLES).splitlines() == [
        "data/fox/deck.xlsx:Cards!D7: cost: 'x' is no number [schema/type]",
        "data/fox/deck.csv:9:12: D7: reward.die: 'y' is no number [schema/type]",
    ]
    assert report_findings(IN_TABLES, "github").splitlines() == [
        "::error file=data/fox/deck.xlsx,title=schema/type::Cards!D7: cost: 'x' is no number",
        "::error file=data/fox/deck.csv,line=9,col=12,title=schema/type::D7: reward.die: 'y' is no number",
    ]
    assert [each["cell"] for each in json.loads(report_findings(IN_TABLES, "json"))["findings"]] == [
        "Cards!D7",
        "D7",
    ]
    sarif = json.loads(report_findings(IN_TABLES, "sarif"))["runs"][0]["results"]
    assert [each["message"]["text"] for each in sarif] == [
        "Cards!D7: cost: 'x' is no number",
        "D7: reward.die: 'y' is no number",
    ]
    assert ["region" in each["locations"][0]["physicalLocation"] for each in sarif] == [False, True]
    junit = report_findings(IN_TABLES, "junit")
    assert "data/fox/deck.xlsx:Cards!D7: cost: 'x'" in junit
    assert "data/fox/deck.csv:9:12: D7: reward.die: 'y'" in junit


def test_text() -> None:
    assert REPORTS["text"](FINDINGS, ()).splitlines() == [
        "data/my game/cards.yaml:14:3: cards[3].code: group “B” has 9 cards, 100 % of: them "
        "[rule/code-ladder]",
        "  hint: change the code,\\nor the ladder",
        "data/game/cards.yaml:2: warning: it does not fit [text/overflow]",
        "data/game/cards.yaml: note: a spare <copy> [rule/unique]",
        "no place [rule/code-ladder]",
    ]
    assert REPORTS["text"]([], ()) == ""


def test_github() -> None:
    assert REPORTS["github"](FINDINGS, ()).splitlines() == [
        "::error file=data/my game/cards.yaml,line=14,col=3,title=rule/code-ladder"
        "::cards[3].code: group “B” has 9 cards, 100 %25 of: them%0Ahint: change the code,\\nor the ladder",
        "::warning file=data/game/cards.yaml,line=2,title=text/overflow::it does not fit",
        "::notice file=data/game/cards.yaml,title=rule/unique::a spare <copy>",
        "::error title=rule/code-ladder::no place",
    ]
    odd = Finding(Severity.ERROR, "a,b:c", "x", Location("a,b:c.yaml", 1))
    assert REPORTS["github"]([odd], ()) == "::error file=a%2Cb%3Ac.yaml,line=1,title=a%2Cb%3Ac::x\n"


def test_json() -> None:
    document = json.loads(REPORTS["json"](FINDINGS, ()))
    assert document["counts"] == {"error": 2, "warning": 1, "note": 1}
    assert document["findings"][0] == {
        "severity": "error",
        "code": "rule/code-ladder",
        "message": "group “B” has 9 cards, 100 % of: them",
        "file": "data/my game/cards.yaml",
        "line": 14,
        "column": 3,
        "path": "cards[3].code",
        "cell": None,
        "hint": "change the code,\nor the ladder",
    }
    assert document["findings"][1]["path"] is None
    assert document["findings"][3]["file"] is None


def test_sarif() -> None:
    document = json.loads(REPORTS["sarif"](FINDINGS, ()))
    SARIF.validate(document)
    (run,) = document["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [
        "rule/code-ladder",
        "rule/unique",
        "text/overflow",
    ]
    assert [result["level"] for result in run["results"]] == ["error", "warning", "note", "error"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "data/my%20game/cards.yaml"
    assert place["region"] == {"startLine": 14, "startColumn": 3}
    assert "locations" not in run["results"][3]


def test_sarif_explains_each_code() -> None:
    page = "https://example.com/docs/findings.md"
    found = [*FINDINGS, Finding(Severity.ERROR, "plugin/odd", "from elsewhere")]
    document = json.loads(report_findings(found, "sarif", tool=Tool("1.2.3", page)))
    SARIF.validate(document)
    driver = document["runs"][0]["tool"]["driver"]
    assert driver["version"] == driver["semanticVersion"] == "1.2.3"
    assert driver["informationUri"] == page
    odd, ladder, _, overflow = driver["rules"]
    assert odd == {"id": "plugin/odd"}
    assert (ladder["helpUri"], overflow["helpUri"]) == (f"{page}#ruleid", f"{page}#textoverflow")
    known = explanations()["text/overflow"]
    assert overflow["shortDescription"] == {"text": known.first_sentence}
    assert overflow["help"] == {"text": known.plain_text, "markdown": known.markdown(page)}


def test_links_of_explanations_are_seen_from_their_page() -> None:
    section = explanations()["yaml/size"]
    assert "](limits.md#files)" in section.text
    assert "](https://example.com/a/limits.md#files)" in section.markdown(
        "https://example.com/a/findings.md"
    )
    for text in (section.markdown(""), section.plain_text):
        assert "(docs/limits.md)" in text
        assert "](" not in text


def test_anchors_of_explanations_are_those_of_pages() -> None:
    for section in explanations().values():
        assert section.anchor == slugify(", ".join(section.codes), "-")


@pytest.mark.long
@pytest.mark.skipif(shutil.which("npx") is None, reason="no npx")
def test_sarif_passes_its_authors_validator(tmp_path: Path) -> None:
    tool = ["npx", "--yes", "@microsoft/sarif-multitool-linux@5.7.0"]
    env = {**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}
    if subprocess.run([*tool, "version"], env=env, capture_output=True, check=False).returncode:
        pytest.skip("the validator can't be installed here")
    path = tmp_path / "found.sarif"
    place = Location("a.yaml", 1, 1)
    everything = [Finding(Severity.ERROR, code, "wrong", place) for code in explanations()]
    about = Tool("1.2.3", "https://example.com/docs/findings.md")
    path.write_text(report_findings([*FINDINGS, *IN_TABLES, *everything], "sarif", tool=about), "utf-8")
    done = subprocess.run(
        [*tool, "validate", path],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "1 files scanned" in done.stdout) == (0, True), done.stdout
    # Findings without a line have no region: the files have no known length.
    assert set(re.findall(r"(?:error|warning) (SARIF[0-9]+)", done.stdout)) <= {"SARIF2017"}, done.stdout


def test_junit() -> None:
    text = REPORTS["junit"](FINDINGS, ["rule/deck-size", "rule/unique"])
    suite = etree.fromstring(text.encode())
    assert JUNIT.validate(suite), JUNIT.error_log
    assert (suite.get("tests"), suite.get("failures")) == ("4", "2")
    cases = {case.get("name"): [child.tag for child in case] for case in suite}
    assert cases == {
        "rule/deck-size": [],
        "rule/unique": ["system-out"],
        "rule/code-ladder": ["failure"],
        "text/overflow": ["failure"],
    }


def test_annotations_name_files_from_the_current_folder() -> None:
    text = report_findings(FINDINGS[1:2], "github", folder="games")
    assert text == "::warning file=games/data/game/cards.yaml,line=2,title=text/overflow::it does not fit"
    assert (
        report_findings(FINDINGS[3:], "github", folder="games")
        == "::error title=rule/code-ladder::no place"
    )


@given(st.lists(ANY, max_size=5))
def test_any_finding_is_written_well(findings: list[Finding]) -> None:
    SARIF.validate(json.loads(REPORTS["sarif"](findings, ())))
    suite = etree.fromstring(REPORTS["junit"](findings, ()).encode("utf-8", "replace"))
    assert JUNIT.validate(suite), JUNIT.error_log
    assert len(json.loads(REPORTS["json"](findings, ()))["findings"]) == len(findings)
    assert REPORTS["github"](findings, ()).count("\n") == len(findings)


@given(st.lists(ANY, max_size=5))
def test_any_finding_keeps_to_its_lines(findings: list[Finding]) -> None:
    said = {name: REPORTS[name](findings, ["rule/\x1b", "rule/\u202e"]) for name in REPORTS}
    assert len(said["text"].splitlines()) == sum(1 + bool(finding.hint) for finding in findings)
    for line in said["github"].splitlines():
        assert re.fullmatch(r"::(error|warning|notice) (\w+=[^:,]*,)*title=[^:,]*::.*", line), line
    for name, text in said.items():
        assert not hidden(text), name
        assert not re.search(r"##(\[|vso\[)", text), name
    place = findings[0].location if findings else None
    if place is not None and json.loads(said["json"])["findings"]:
        assert json.loads(said["json"])["findings"][0]["file"] == place.file


@for_each("name", sorted(REPORTS))
def test_no_findings(name: str) -> None:
    REPORTS[name]([], ())


def test_an_unknown_format() -> None:
    with pytest.raises(KeyError):
        report_findings([], "html")


def test_colours_say_nothing_that_words_don_t() -> None:
    """Without its sequences coloured text is the plain one, whatever strangers wrote."""
    nasty = Finding(Severity.NOTE, "a/b", "##[x] \x1b[31m", Location("::a"), "::do\n")
    for each in (*FINDINGS, nasty, Finding(Severity.WARNING, "a/b", "no place")):
        coloured = report_findings([each], coloured=True)
        plain = report_findings([each])
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured).replace("\\x3a:", "::") == plain.replace(
            "\\x3a:", "::"
        )
        assert coloured.count("\x1b[0m") == coloured.count("\x1b[") / 2
        assert report_findings([each], "json", coloured=True) == report_findings([each], "json")
