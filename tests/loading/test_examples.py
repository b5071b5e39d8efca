"""Drop-in examples: a YAML file in tests/examples/valid or invalid is a test, by being there.

The folder below says what checks it: `yaml` only the reader, any other name the schema of that name
in schemas/ or tests/examples/project/schemas/. Beside a valid file may stand NAME.json with the data
it must give. Beside an invalid one stands NAME.expected, a line for each finding in order:
`line:column code text`, the text being part of `path: message (hint)`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardgen.findings import Finding, Findings
from cardgen.loading.sources import Sources
from cardgen.model.game import ProjectPaths
from cardgen.yaml.reader import load_yaml

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
ROOT = EXAMPLES.parent.parent
PATHS = ProjectPaths((EXAMPLES / "project", ROOT))
VALID = sorted((EXAMPLES / "valid").glob("*/*.yaml"))
INVALID = sorted((EXAMPLES / "invalid").glob("*/*.yaml"))


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def findings_of(path: Path) -> list[Finding]:
    findings = Findings()
    document = load_yaml(path, path.name, findings)
    if document is not None and path.parent.name != "yaml":
        Sources(PATHS, findings).check(document, f"schemas/{path.parent.name}.schema.json")
    return findings.sorted()


@pytest.mark.parametrize("path", VALID, ids=name)
def test_valid(path: Path) -> None:
    assert findings_of(path) == []
    expected = path.with_suffix(".json")
    if expected.exists():
        document = load_yaml(path, path.name, Findings())
        assert document is not None
        assert document.data == json.loads(expected.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", INVALID, ids=name)
def test_invalid(path: Path) -> None:
    found = [said(finding) for finding in findings_of(path)]
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
        (EXAMPLES / "invalid").glob("*/*.expected")
    )
