"""Rules that nobody can judge, on the command line: a finding at the line, exit code 1, no traceback.

What makes a rule bad is tested in `tests/rules/test_bad_rules.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]

LINE = "  # <-"
"""Ends each line that a finding must name."""

UNJUDGED = """\
rules:
  - {id: component, question: Is it so?, kind: count, component: crads, equals: 9}  # <-
  - id: several
    question: Is it so?
    kind: count
    component:
      - cards
      - crads  # <-
    equals: 9
  - id: field
    question: Is it so?
    kind: count
    where: siut == 'sun'  # <-
    min: 0
  - id: group
    question: Is it so?
    kind: count
    component: cards
    group_by: suit
    groups:
      sun: 3
      mono: 3  # <-
    other_groups: allowed
  - {id: syntax, question: Is it so?, kind: count, where: value ==, min: 0}  # <-
  - {id: class, question: Is it so?, kind: count, where: title.__class__, min: 0}  # <-
  - {id: endless, question: Is it so?, kind: formula, value: 9**9**9**9, min: 0}  # <-
  - id: bounds
    question: Is it so?
    kind: count
    max: 3
    min: 5  # <-
"""
UNREAD = """\
define:
  high: value > 2
rules:
  - {id: kind, question: Is it so?, kind: cuont}  # <-
  - {id: key, question: Is it so?, kind: count, equal: 9}  # <-
"""


@pytest.mark.parametrize("rules", [UNJUDGED, UNREAD], ids=["unjudged", "unread"])
def test_bad_rules_are_findings_at_their_lines(rules: str, run: Run, demo: Path) -> None:
    (demo / "data/demo/rules.yaml").write_text(rules, encoding="utf-8")
    code, out, err = run("check", "demo", "--format", "json")
    assert (code, err) == (1, "")
    findings = json.loads(out)["findings"]
    if findings[-1]["code"] == "check/left-out":  # no rule of a file that can't be read is judged
        assert "rules" in findings.pop()["message"]
    assert {finding["severity"] for finding in findings} == {"error"}
    assert {finding["file"] for finding in findings} == {"data/demo/rules.yaml"}
    marked = {number for number, line in enumerate(rules.splitlines(), 1) if line.endswith(LINE)}
    assert {finding["line"] for finding in findings} == marked, out
    assert all("Error" not in finding["message"] for finding in findings), out
