"""A rule kind is its file and its keys in the schema."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest

from cardgen.pdf import color_vision
from cardgen.rules import chance
from cardgen.rules import kinds as rules
from cardgen.rules.judging import check_rules
from cardgen.rules.kinds import colors, kinds, probability, satisfiable, simulate
from cardgen.rules.results import Verdict

from .decks import ROOT, game_of

LONGEST = '''"""No text is longer than so many characters.

`most` is how many.

```yaml
rules:
  - {id: brief, question: Is every title brief?, kind: longest, value: title, most: 20}
```
"""

from cardgen.rules.case import Case


def judge(case: Case) -> None:
    selection = case.select()
    value = selection.reading("value")
    for subject in selection:
        if len(value.of(subject)) > case.data["most"]:
            case.fail(f"“{subject.label}” is too long", subject, value.place(subject))
'''
KEYS = {
    "type": "object",
    "properties": {
        "value": {"$ref": "#/$defs/expression"},
        "most": {"type": "integer", "minimum": 1, "maximum": 1000},
        "report": {"type": "boolean"},
    },
    "required": ["value", "most"],
    "allOf": [{"$ref": "#/$defs/selection"}],
}
RULE = {"id": "brief", "question": "Is it brief?", "kind": "longest", "value": "title", "most": 5}
CARDS = {"cards": [{"id": "a", "title": "Short"}, {"id": "b", "title": "Longer"}]}


@pytest.fixture
def command() -> ModuleType:
    """`docs/kinds.py`."""
    spec = importlib.util.spec_from_file_location("doc_kinds", ROOT / "docs/kinds.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def longest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A kind that is a file in a folder of rule kinds, and nothing else."""
    (tmp_path / "longest.py").write_text(LONGEST, encoding="utf-8")
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(tmp_path)])
    kinds.cache_clear()
    yield
    kinds.cache_clear()
    sys.modules.pop("cardgen.rules.kinds.longest", None)
    vars(rules).pop("longest", None)


def test_the_schema_and_the_documents_are_up_to_date(command: ModuleType) -> None:
    for path, text in command.derived_files().items():
        assert path.read_text(encoding="utf-8") == text, f"run python docs/kinds.py: {path.name} is stale"


def valid(schema: Any, **more: Any) -> bool:
    return bool(jsonschema.Draft202012Validator(schema).is_valid({"rules": [{**RULE, **more}]}))


@pytest.mark.usefixtures("longest")
def test_a_kind_is_added_by_its_file_and_its_keys(command: ModuleType) -> None:
    assert kinds().index("longest") == kinds().index("ladder") + 1
    modules = {kind: importlib.import_module(f"cardgen.rules.kinds.{kind}") for kind in kinds()}
    before = json.loads(command.SCHEMA.read_text(encoding="utf-8"))
    assert not valid(before)
    with pytest.raises(SystemExit, match="add the keys of longest"):
        command.with_kinds(before, modules)

    schema = command.with_kinds({**before, "$defs": {**before["$defs"], "longest": KEYS}}, modules)
    assert valid(schema)
    assert valid(schema, where="title", report=True, severity="note")
    assert not valid(schema, most=0)
    assert not valid(schema, group_by="code")
    assert schema["$defs"]["longest"]["description"] == "No text is longer than so many characters."

    document = command.DOCUMENT.read_text(encoding="utf-8")
    made = command.documented(document, modules)
    section = made.split("### longest\n\n")[1].split("\n### ")[0]
    assert section.startswith("No text is longer than so many characters.\n\n`most` is how many.\n")
    assert section.endswith("kind: longest, value: title, most: 20}\n```\n")
    assert made.replace(f"### longest\n\n{section}\n", "") == document

    (result,) = check_rules(game_of({"components": CARDS}), {"rules": [RULE]}, "rules.yaml")
    assert result.verdict is Verdict.FAIL
    assert [finding.message for finding in result.findings] == ["“Longer” is too long"]

    del modules["longest"]
    text = command.in_lines(command.with_kinds(schema, modules)) + "\n"
    assert text == command.SCHEMA.read_text(encoding="utf-8")


def test_no_kind_takes_the_name_of_a_shared_part(command: ModuleType) -> None:
    schema = json.loads(command.SCHEMA.read_text(encoding="utf-8"))
    with pytest.raises(SystemExit, match="add the keys of bounds"):
        command.with_kinds(schema, {"bounds": ModuleType("bounds")})


@pytest.mark.parametrize(
    ("kind", "key", "default"),
    [
        ("probability", "runs", probability.DEFAULT_RUNS),
        ("probability", "seed", probability.DEFAULT_SEED),
        ("probability", "confidence", chance.CONFIDENCE),
        ("satisfiable", "steps", satisfiable.DEFAULT_STEPS),
        ("simulate", "runs", simulate.DEFAULT_RUNS),
        ("simulate", "max_steps", chance.DEFAULT_MAX_STEPS),
    ],
)
def test_the_schema_says_the_default(command: ModuleType, kind: str, key: str, default: float) -> None:
    keys = json.loads(command.SCHEMA.read_text(encoding="utf-8"))["$defs"][kind]["properties"]
    assert keys[key]["description"].endswith(f"Default: {default}.")


def test_the_command_writes_what_is_stale_alone(
    command: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    document, schema = tmp_path / "rules.md", tmp_path / "rules.schema.json"
    schema.write_bytes(command.SCHEMA.read_bytes())
    committed = command.DOCUMENT.read_text(encoding="utf-8")
    document.write_text(committed.replace("No two cards", "No three cards"), encoding="utf-8")
    for name, value in {"ROOT": tmp_path, "DOCUMENT": document, "SCHEMA": schema}.items():
        monkeypatch.setattr(command, name, value)
    assert command.main(["--check"]) == 1
    assert "three" in document.read_text(encoding="utf-8")
    assert command.main([]) == 0
    assert document.read_text(encoding="utf-8") == committed
    assert command.main(["--check"]) == 0
    assert capsys.readouterr().err == "rules.md is stale\nrules.md is written\n"


def test_sights_are_those_that_colors_are_seen_by() -> None:
    assert tuple(color_vision.SIGHTS) == colors.SIGHTS
