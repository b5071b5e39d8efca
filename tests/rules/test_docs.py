"""The examples in docs/rules.md are rules that the schema accepts and the checker knows."""

from __future__ import annotations

import re

from cardgen.core.findings import Findings
from cardgen.files.yaml import parse_yaml
from cardgen.rules.expressions import RuleSandbox
from tests.for_each import for_each

from .decks import ROOT, schema

DOCS = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```yaml\n(.*?)```", DOCS, re.DOTALL)


@for_each("block", BLOCKS, ids=range(len(BLOCKS)))
def test_examples_are_valid(block: str) -> None:
    findings = Findings()
    document = parse_yaml(block, "docs", findings)
    assert document is not None
    assert not findings.items
    schema().validate(document.data)


def test_every_filter_is_named() -> None:
    names = set(RuleSandbox(bool).filters) - {"d"}
    listed = DOCS.split("Filters: ")[1].split(". ")[0]
    assert set(re.findall(r"`(\w+)`", listed)) == names
