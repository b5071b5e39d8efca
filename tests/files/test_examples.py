"""Drop-in examples: a YAML file in tests/examples/valid/yaml or invalid/yaml is a test, by being there.

Beside a valid file may stand NAME.json with the data it must give. Beside an invalid one stands
NAME.expected, a line for each finding in order: `line:column code text`, the text being part of
`path: message (hint)`. tests/game/test_examples.py reads the folders beside them alike.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from cardgen.core.findings import Finding, Findings
from cardgen.files.yaml import load_yaml
from tests.for_each import for_each

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
VALID = sorted((EXAMPLES / "valid/yaml").glob("*.yaml"))
INVALID = sorted((EXAMPLES / "invalid/yaml").glob("*.yaml"))


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@for_each("path", VALID, ids=name)
def test_valid(path: Path) -> None:
    findings = Findings()
    document = load_yaml(path, path.name, findings)
    assert findings.items == []
    assert document is not None
    expected = path.with_suffix(".json")
    if expected.exists():
        assert document.data == json.loads(expected.read_text(encoding="utf-8"))


@for_each("path", INVALID, ids=name)
def test_invalid(path: Path) -> None:
    findings = Findings()
    load_yaml(path, path.name, findings)
    assert_as_expected(path, findings.sorted())


def assert_as_expected(path: Path, findings: Iterable[Finding]) -> None:
    """The findings are those that the file beside `path` names."""
    found = [said(finding) for finding in findings]
    expected = path.with_suffix(".expected").read_text(encoding="utf-8").splitlines()
    assert [place_and_code(line) for line in found] == [place_and_code(line) for line in expected]
    for line, wanted in zip(found, expected, strict=True):
        assert line.startswith(wanted) or wanted.split(" ", 2)[2] in line


def said(finding: Finding) -> str:
    place = finding.location
    assert place is not None
    path = f"{place.path}: " if place.path else ""
    hint = f" ({finding.hint})" if finding.hint else ""
    return f"{place.line}:{place.column} {finding.code} {path}{finding.message}{hint}"


def place_and_code(line: str) -> list[str]:
    return line.split(" ", 2)[:2]


def test_every_expected_file_has_its_example() -> None:
    assert VALID
    assert {path.with_suffix(".expected") for path in INVALID} == set(
        (EXAMPLES / "invalid/yaml").glob("*.expected")
    )
