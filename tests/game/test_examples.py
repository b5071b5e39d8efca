"""Drop-in examples: a YAML file in tests/examples/valid/NAME or invalid/NAME is checked against the
schema of that name in schemas/ or tests/examples/project/schemas/. What stands beside the files says
tests/files/test_examples.py, which reads the folder `yaml`.
"""

from __future__ import annotations

import json
from pathlib import Path

from cardgen.core.findings import Finding, Findings
from cardgen.files.listing import ProjectFolders
from cardgen.files.yaml import load_yaml
from cardgen.game.sources import Sources
from tests.files.test_examples import EXAMPLES, assert_as_expected, name
from tests.for_each import for_each

ROOT = EXAMPLES.parent.parent
PATHS = ProjectFolders((EXAMPLES / "project", ROOT))
VALID = [path for path in sorted((EXAMPLES / "valid").glob("*/*.yaml")) if path.parent.name != "yaml"]
INVALID = [path for path in sorted((EXAMPLES / "invalid").glob("*/*.yaml")) if path.parent.name != "yaml"]


def findings_of(path: Path) -> list[Finding]:
    findings = Findings()
    document = load_yaml(path, path.name, findings)
    assert document is not None
    Sources(PATHS, findings).check(document, f"schemas/{path.parent.name}.schema.json")
    return findings.sorted()


@for_each("path", VALID, ids=name)
def test_valid(path: Path) -> None:
    assert findings_of(path) == []
    expected = path.with_suffix(".json")
    if expected.exists():
        document = load_yaml(path, path.name, Findings())
        assert document is not None
        assert document.data == json.loads(expected.read_text(encoding="utf-8"))


@for_each("path", INVALID, ids=name)
def test_invalid(path: Path) -> None:
    assert_as_expected(path, findings_of(path))


def test_every_expected_file_has_its_example() -> None:
    assert VALID
    assert {path.with_suffix(".expected") for path in INVALID} == {
        path
        for path in (EXAMPLES / "invalid").glob("*/*.expected")
        if path.parent.name not in ("yaml", "tables")
    }
