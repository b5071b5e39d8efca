"""Rules on the command line: check, its options, and the report."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.check.check import simulate
from cardgen.rules.results import Verdict
from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]

RULES = """\
# yaml-language-server: $schema=../../schemas/rules.schema.json
rules:
  - id: deck-size
    question: Are there nine cards?
    why: With more, a round takes too long.
    kind: count
    component: cards
    equals: 9
  - id: rarer
    question: Are higher values rarer?
    kind: ladder
    component: cards
    group_by: value
    groups: [1, 2, 3, 4, 5]
    direction: falling
    severity: warning
  - id: opening
    question: How likely is a sun in the first two cards?
    kind: probability
    component: cards
    classes: suit
    draw: 2
    event: counts.sun >= 1
    report: true
"""


@pytest.fixture
def ruled(demo: Path) -> Path:
    """The demo project with rules: one holds, one warns, one reports."""
    (demo / "data/demo/rules.yaml").write_text(RULES, encoding="utf-8")
    return demo


def broken(ruled: Path) -> None:
    path = ruled / "data/demo/rules.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("equals: 9", "equals: 8"), encoding="utf-8")


def test_a_rule_that_fails_fails_the_check_and_a_warning_if_that_is_asked_for(
    run: Run, ruled: Path
) -> None:
    code, out, _ = run("check", "demo")
    assert code == 0
    assert "rule/rarer" in out
    assert run("check", "demo", "--fail-on", "warning")[0] == 1
    broken(ruled)
    code, out, _ = run("check", "demo")
    assert code == 1
    assert "data/demo/rules.yaml:8:" in out


def test_one_rule_alone(run: Run, ruled: Path) -> None:
    broken(ruled)
    assert run("check", "demo", "--rule", "opening")[:2] == (0, "no findings\n")
    code, out, _ = run("check", "demo", "--rule", "deck-size", "--format", "json")
    assert code == 1
    assert {finding["code"] for finding in json.loads(out)["findings"]} == {"rule/deck-size"}
    code, out, err = run("check", "demo", "--rule", "dekc-size")
    assert (code, out) == (2, "")
    assert "deck-size" in err
    assert run("check", "demo", "--explain", "nothing")[0] == 2


def test_explain(run: Run, ruled: Path) -> None:
    code, out, _ = run("check", "demo", "--explain", "deck-size")
    assert code == 0
    for words in (
        "Are there nine cards?",
        "With more, a round takes too long.",
        "9 copies",
        "the rule holds",
    ):
        assert words in out
    broken(ruled)
    assert run("check", "demo", "--explain", "deck-size")[0] == 1


def test_annotations_name_files_of_the_repository(
    run: Run, ruled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(ruled)
    monkeypatch.chdir(ruled.parent)
    code, out, _ = run("check", "demo", "--format", "github")
    assert code == 1
    assert "::error file=demo/data/demo/rules.yaml,line=8," in out
    assert "::warning file=demo/data/demo/rules.yaml," in out
    monkeypatch.chdir(ruled)
    assert "::error file=data/demo/rules.yaml,line=8," in run("check", "demo", "--format", "github")[1]


def test_junit_has_a_case_for_each_rule(run: Run, ruled: Path) -> None:
    suite = ET.fromstring(run("check", "demo", "--format", "junit")[1])
    cases = {case.get("name"): case.find("failure") is not None for case in suite.iter("testcase")}
    assert cases == {"rule/deck-size": False, "rule/opening": False, "rule/rarer": True}


def test_invalid_rules_are_findings_beside_the_others(
    run: Run, ruled: Path, edit: Callable[[str, str, str], Path]
) -> None:
    edit("data/demo/rules.yaml", "kind: ladder", "kind: lader")
    edit("data/demo/cards.yaml", ":star:", ":starr:")
    code, out, _ = run("check", "demo")
    assert code == 1
    assert "did you mean 'ladder'" in out
    assert "starr" in out
    code, _, err = run("report", "demo")
    assert code == 1
    assert "did you mean 'ladder'" in err
    assert not (ruled / "output/demo/report.html").exists()


def test_report_writes_a_page_and_a_pdf(run: Run, ruled: Path, tmp_path: Path) -> None:
    code, out, err = run("report", "demo")
    assert (code, err) == (0, "")
    assert len(out.splitlines()) == 2
    folder = ruled / "output" / "demo"
    assert "Are there nine cards?" in (folder / "report.html").read_text(encoding="utf-8")
    assert (folder / "report.pdf").read_bytes().startswith(b"%PDF")
    assert run("report", "demo", "--format", "html", "--output", str(tmp_path / "there"))[0] == 0
    assert [path.name for path in (tmp_path / "there" / "demo").iterdir()] == ["report.html"]
    assert (tmp_path / "there/demo/report.html").read_bytes() == (folder / "report.html").read_bytes()


def test_report_json_is_a_contract(run: Run, ruled: Path) -> None:
    broken(ruled)
    code, out, err = run("report", "demo", "--format", "json")
    assert (code, err) == (0, "")
    rules = json.loads(out)["rules"]
    assert [(rule["id"], rule["verdict"]) for rule in rules] == [
        ("deck-size", "fail"),
        ("rarer", "fail"),
        ("opening", "report"),
    ]
    assert rules[0]["measures"][0]["value"] == 9
    assert not (ruled / "output" / "demo").exists()


PLAY = """
  - id: play
    question: Who wins?
    kind: simulate
    long: true
    seed: 1
    runs: 200
    zones: {deck: {component: cards}}
    seats: {count: 2, state: {points: 0}, zones: {hand: {}}}
    state: {winner: 0}
    steps:
      - shuffle: deck
      - each_seat: {steps: [{draw: {from: deck, to: hand}}, {set: {points: (hand|first).value}}]}
      - choose: {set: winner, best: points}
    measures: [{name: the first wins, value: winner == 0, min: 0.3, max: 0.7}]
"""


def test_simulate_plays_what_check_only_reads(run: Run, ruled: Path, wording: Wording) -> None:
    path = ruled / "data/demo/rules.yaml"
    path.write_text(path.read_text(encoding="utf-8") + PLAY, encoding="utf-8")
    code, out, _ = run("check", "demo")
    assert code == 0, out
    code, out, _ = run("simulate", "demo")
    assert code == 0
    assert "200 runs with seed 1" in out
    code, out, _ = run("simulate", "demo", "play", "--runs", "100", "--seed", "2", "--format", "json")
    (played,) = json.loads(out)["rules"]
    assert (played["verdict"], played["measures"][0]["bounds"]) == ("pass", {"min": 0.3, "max": 0.7})
    path.write_text(path.read_text(encoding="utf-8").replace("min: 0.3, max: 0.7", "max: 0.1"))
    assert run("simulate", "demo")[0] == 1
    for words in (["plya"], ["deck-size"], ["play", "--runs", "5"]):
        code, _, err = run("simulate", "demo", *words)
        assert code == 2
        wording(err)


def test_simulate_needs_a_process(run: Run, ruled: Path, wording: Wording) -> None:
    code, _, err = run("simulate", "demo")
    assert code == 2
    wording(err)


@pytest.mark.long
def test_the_bots_of_a_shipped_game_play_it() -> None:
    _, (played,) = simulate(cardgen.load("hackers"), ["play"], runs=100)
    assert played.verdict is not Verdict.BROKEN
    assert {measure.name.split(",")[0] for measure in played.measures} >= {"rounds", "the first seat wins"}


BOT = """
  - {id: bots, question: How long?, kind: simulate, bot: evening, seed: 1, runs: 100,
     for: {players: [2, 3]}, measures: [{name: rounds, min: 2, max: 3.5}]}
"""


def test_a_bot_in_python_plays_only_if_it_is_trusted(
    run: Run, ruled: Path, tmp_path: Path, wording: Wording
) -> None:
    path, file = ruled / "data/demo/rules.yaml", tmp_path / "bots.py"
    path.write_text(path.read_text(encoding="utf-8") + BOT, encoding="utf-8")
    file.write_text("def evening(game, seed, players):\n    return {'rounds': players + seed % 2 / 2}\n")
    assert run("check", "demo")[0] == 0
    code, out, _ = run("simulate", "demo")
    assert (code, "measured" in out) == (0, False)
    code, out, _ = run("simulate", "demo", "--trust-bots", str(file), "--format", "json")
    (played,) = json.loads(out)["rules"]
    assert (code, played["verdict"]) == (0, "pass")
    assert 2.2 < played["measures"][0]["value"] < 2.3
    for program in ("def evening(game, seed, players):\n    return {}\n", "def evening(game):\n    pass\n"):
        file.write_text(program)
        code, out, _ = run("simulate", "demo", "--trust-bots", str(file))
        assert code == 1
        wording(out.partition("verdict: ")[2].replace(str(tmp_path), "FOLDER"))
    file.write_text("1 / 0\n")
    code, _, err = run("simulate", "demo", "--trust-bots", str(file))
    assert code == 2
    wording(err.replace(str(tmp_path), "FOLDER"))
