"""Drop-in examples: tests/examples/rules/KIND/*.yaml is a test, by being there.

A deck and its rules in one file. Each line where a rule of the file finds something ends in a comment
`# <- rule-id`; a file without such comments must pass.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardgen.checking import Verdict
from cardgen.checking.rules import kinds

from .decks import EXAMPLES, ROOT, judge_file, schema

FILES = sorted(EXAMPLES.glob("*/*.yaml"))


def marks(path: Path) -> set[tuple[int, str]]:
    """The lines marked `# <- id` (or several ids), with the ids."""
    found = set()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if mark := re.search(r"# <- ([a-z0-9-]+(?:, [a-z0-9-]+)*)$", line):
            found.update((number, id) for id in mark[1].split(", "))
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
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


@pytest.mark.parametrize("kind", kinds())
def test_every_kind_is_complete(kind: str) -> None:
    """A file, parameters in the schema, a passing and a failing deck, a section in the docs."""
    assert (ROOT / "cardgen" / "checking" / "rules" / f"{kind}.py").is_file()
    assert kind in schema().schema["$defs"]
    assert kind in schema().schema["$defs"]["kind"]["enum"]
    assert not marks(EXAMPLES / kind / "pass.yaml")
    assert marks(EXAMPLES / kind / "fail.yaml")
    docs = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert f"\n### {kind}\n" in docs
