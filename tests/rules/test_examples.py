"""Drop-in examples: tests/examples/rules/KIND/*.yaml is a test, by being there.

A deck and its rules in one file. Each line where a rule of the file finds something ends in a comment
`# <- rule-id`; a file without such comments must pass.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from cardgen.core.findings import Findings
from cardgen.files.yaml import load_yaml
from cardgen.rules.kinds import kinds
from cardgen.rules.results import BOUND_KEYS, Bounds, Verdict
from tests.for_each import for_each

from .decks import EXAMPLES, ROOT, judge_file, schema

FILES = sorted(EXAMPLES.glob("*/*.yaml"))


def marks(path: Path) -> set[tuple[int, str]]:
    """The lines marked `# <- id` (or several ids), with the ids."""
    found = set()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if mark := re.search(r"# <- ([a-z0-9-]+(?:, [a-z0-9-]+)*)$", line):
            found.update((number, id) for id in mark[1].split(", "))
    return found


@for_each("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_example(path: Path) -> None:
    results = judge_file(path)
    assert any(result.rule.kind == path.parent.name for result in results)
    found = {
        (finding.location.line, finding.code.removeprefix("rule/"))
        for result in results
        for finding in result.findings
        if finding.location
    }
    assert found == marks(path), "\n".join(
        str(finding) for result in results for finding in result.findings
    )
    wrong = {id for _, id in marks(path)}
    for result in results:
        assert result.ok is (result.rule.id not in wrong), result.rule.id
        assert result.looked_at or result.verdict is Verdict.BROKEN


def states_a_bound(value: Any) -> bool:
    if isinstance(value, dict):
        return any(key in BOUND_KEYS for key in value) or any(map(states_a_bound, value.values()))
    return isinstance(value, list) and any(map(states_a_bound, value))


@for_each("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_programs_read_which_bounds_figures_are_held_to(path: Path) -> None:
    """Whatever the kind: `{"name", "value", "bounds": {"min": 2}}`."""
    document = load_yaml(path, path.name, Findings())
    assert document is not None
    entries = {entry["id"]: entry for entry in document.data["rules"]}
    for result in judge_file(path):
        if result.verdict not in (Verdict.PASS, Verdict.FAIL) or result.rule.kind == "define":
            continue
        held = [each for each in result.as_json()["measures"] if "bounds" in each]
        stated = {key: value for key, value in entries[result.rule.id].items() if key != "set"}
        assert bool(held) or not states_a_bound(stated), result.rule.id
        if result.verdict is Verdict.PASS:
            assert all(each["value"] is None or each["value"] in Bounds(**each["bounds"]) for each in held)


@for_each("kind", kinds())
def test_every_kind_is_complete(kind: str) -> None:
    """A file, parameters in the schema, a passing and a failing deck, a section in the docs."""
    assert (ROOT / "cardgen" / "rules" / "kinds" / f"{kind}.py").is_file()
    assert kind in schema().schema["$defs"]
    assert kind in schema().schema["$defs"]["kind"]["enum"]
    assert not marks(EXAMPLES / kind / "pass.yaml")
    assert marks(EXAMPLES / kind / "fail.yaml")
    docs = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert f"\n### {kind}\n" in docs
