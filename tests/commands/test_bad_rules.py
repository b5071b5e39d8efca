"""Rules that nobody can judge, on the command line: a finding at the line, exit code 1, no traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sampling import one_in

Run = Callable[..., tuple[int, str, str]]

HEAD = """\
rules:
  - id: it
    question: Is it so?
"""

SATISFIABLE = """\
    kind: satisfiable
    demand: {component: cards, where: value > 2}
    supply: {component: cards}
    needs: [{name: suit, tokens: demand.suit, provided_by: supply.suit == token}]
    alone: true
    together: all
"""

SIMULATE = """\
    kind: simulate
    seed: 1
    runs: 100
    state: {n: 0}
    zones: {deck: {component: cards}}
    measures: [{name: n, value: n, min: 0}]
"""

LINE = "  # <-"
"""Ends each line that a finding must name."""

# Below `rules:` and the rule's id and question; a document of its own where it begins otherwise.
BAD = {
    "unknown-component": "    kind: count\n    component: crads  # <-\n    equals: 9\n",
    "unknown-component-among-several": """\
    kind: count
    component:
      - cards
      - crads  # <-
    equals: 9
""",
    "unknown-pattern-of-components": "    kind: count\n    component: market-*  # <-\n    equals: 9\n",
    "unknown-table": "    kind: count\n    table: prices.list  # <-\n    equals: 9\n",
    "unknown-field-in-a-filter": "    kind: count\n    where: siut == 'sun'  # <-\n    min: 0\n",
    "unknown-field-as-a-value": "    kind: unique\n    component: cards\n    value: titel  # <-\n",
    "unknown-field-in-a-group": "    kind: count\n    group_by: siut  # <-\n    min: 1\n",
    "unknown-field-of-the-game": "    kind: count\n    equals: game.players.most  # <-\n",
    "unknown-kind": "    kind: cuont  # <-\n",
    "unknown-key": "    kind: count\n    equal: 9  # <-\n",
    "unknown-group-of-a-ladder": """\
    kind: ladder
    component: cards
    group_by: value
    groups:
      - 1
      - 3
      - 33  # <-
    direction: falling
    other_groups: allowed
""",
    "unknown-group-of-a-count": """\
    kind: count
    component: cards
    group_by: suit
    groups:
      sun: 3
      mono: 3  # <-
    other_groups: allowed
""",
    "unknown-group-of-a-share": """\
    kind: share
    component: cards
    group_by: suit
    part: value > 2
    min: 0
    groups: [sun, moon, laef]  # <-
    other_groups: allowed
""",
    "unknown-class": """\
    kind: probability
    component: cards
    classes: suit
    draw: 2
    event: counts.snu >= 1  # <-
    min: 0
""",
    "unknown-filter": "    kind: count\n    where: title|uper == 'A'  # <-\n    min: 0\n",
    "unknown-zone": SIMULATE + "    steps:\n      - shuffle: dekc  # <-\n",
    "syntax-error": "    kind: count\n    where: value ==  # <-\n    min: 0\n",
    "syntax-of-a-statement": "    kind: count\n    where: '{% for x in y %}'  # <-\n    min: 0\n",
    "two-expressions": "    kind: count\n    where: value }} {{ value  # <-\n    min: 0\n",
    "unreadable-pattern": "    kind: text\n    component: cards\n    value: title\n    must: '('  # <-\n",
    "a-way-to-the-class": "    kind: count\n    where: title.__class__  # <-\n    min: 0\n",
    "a-way-to-the-class-by-parts": """\
    kind: each
    component: cards
    holds: title['__cla' ~ 'ss__']  # <-
""",
    "a-way-by-mapping": """\
    kind: each
    component: cards
    holds: "[title]|map(attribute='__class__')|list"  # <-
""",
    "a-way-by-attr": "    kind: count\n    where: title|attr('__class__')  # <-\n    min: 0\n",
    "a-way-by-a-function": "    kind: count\n    where: cards.__globals__  # <-\n    min: 0\n",
    "a-way-by-format": """\
    kind: each
    component: cards
    holds: "'{0.__class__}'.format(title)"  # <-
""",
    "import": "    kind: count\n    where: __import__('os').system('true')  # <-\n    min: 0\n",
    "endless-text": "    kind: count\n    where: \"'x' * 10**12 == title\"  # <-\n    min: 0\n",
    "endless-range": "    kind: count\n    where: range(10**12)|length > 1  # <-\n    min: 0\n",
    "endless-power": "    kind: formula\n    value: 9**9**9**9  # <-\n    min: 0\n",
    "endless-formula": """\
    kind: formula
    for: {a: range(5000), b: range(5000)}  # <-
    value: a * b
    min: 0
""",
    "endless-hands": """\
    kind: probability
    component: cards
    classes: suit
    draw: 10**12  # <-
    event: distinct > 1
    min: 0
""",
    "endless-process": SIMULATE
    + "    steps:\n      - repeat: {while: 'true', steps: [{set: {n: n + 1}}]}  # <-\n",
    "endless-search": SATISFIABLE + "    nodes: 1  # <-\n",
    "crossing-bounds": "    kind: count\n    max: 3\n    min: 5  # <-\n",
    "crossing-bounds-of-a-group": """\
    kind: count
    group_by: suit
    groups:
      sun:
        min: 5  # <-
        max: 3
    other_groups: allowed
""",
    "crossing-bounds-of-a-figure": """\
    kind: distribution
    component: cards
    value: value
    mean:
      min: 5  # <-
      max: 3
""",
    "crossing-bounds-worked-out": """\
    kind: count
    min: 3 * game.players.max  # <-
    max: game.players.min
""",
    "bounds-and-equals": "    kind: count\n    max: 20\n    equals: 9  # <-\n",
    "bounds-of-a-set": SATISFIABLE + "    set:\n      min: 5  # <-\n      max: 3\n",
    "a-bound-that-is-no-number": "    kind: count\n    equals: game.title  # <-\n",
    "two-rules-of-one-name": """\
    kind: count
    min: 1
  - id: it  # <-
    question: Is it so?
    kind: count
    min: 1
""",
    "cyclic-definition": """\
define:
  high: big  # <-
  big: high  # <-
rules:
  - id: it
    question: Is it so?
    kind: count
    where: big  # <-
    min: 0
""",
    "cyclic-definition-of-itself": """\
define:
  big: big or value > 2  # <-
rules: []
""",
}


def state(demo: Path, rules: str) -> None:
    """Give the demo game these rules."""
    (demo / "data/demo/rules.yaml").write_text(rules, encoding="utf-8")


@pytest.mark.parametrize("text", one_in(3, BAD.values()), ids=BAD)
def test_bad_rule(text: str, run: Run, demo: Path) -> None:
    rules = text if text.startswith("define:") else HEAD + text
    state(demo, rules)
    code, out, err = run("check", "demo", "--format", "json")
    assert (code, err) == (1, "")
    findings = json.loads(out)["findings"]
    if findings[-1]["code"] == "check/left-out":  # no rule of a file that can't be read is judged
        assert "rules" in findings.pop()["message"]
    assert findings
    assert {finding["severity"] for finding in findings} == {"error"}
    assert {finding["file"] for finding in findings} == {"data/demo/rules.yaml"}
    marked = {number for number, line in enumerate(rules.splitlines(), 1) if line.endswith(LINE)}
    assert marked
    assert {finding["line"] for finding in findings} == marked, out
    assert "Traceback" not in out
    assert all("Error" not in finding["message"] for finding in findings), out


def test_names_that_lead_in_a_circle_stand_at_their_cards(run: Run, demo: Path) -> None:
    state(
        demo,
        HEAD
        + """\
    kind: references
    component: cards
    names: id
    to: {component: cards, values: id}
    acyclic: true
""",
    )
    code, out, err = run("check", "demo", "--format", "json")
    assert (code, err) == (1, "")
    cards = (demo / "data/demo/cards.yaml").read_text(encoding="utf-8").splitlines()
    lines = [finding["line"] for finding in json.loads(out)["findings"]]
    assert lines == [number for number, line in enumerate(cards, 1) if line.startswith("  - id:")]
