"""Slips: one text of a bundled game changed, and the finding that it must give.

`tests/examples/mutations/GAME.yaml` lists them: in which `file` the text `old`, which stands there once,
becomes `new`; the `code` of the finding; the `line` that it stands at, of that file or of the file `at`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from cardgen.checking import check_rules
from cardgen.findings import CardgenError, Finding, Findings, Severity
from cardgen.loading import load_checked, load_game
from cardgen.model.game import ProjectPaths
from cardgen.yaml.reader import Document

from .decks import ROOT

_documents: dict[str, Document] = {}


def slips_of(game: str) -> list[dict[str, str]]:
    file = ROOT / f"tests/examples/mutations/{game}.yaml"
    slips: list[dict[str, str]] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return slips


def rules_of(game: str, paths: ProjectPaths) -> Document:
    relative = f"data/{game}/rules.yaml"
    found = paths.find(relative)
    assert found is not None
    text = found.read_text(encoding="utf-8")
    if text not in _documents:  # few slips are in the rules
        document = load_checked(paths, relative, "schemas/rules.schema.json", Findings())
        assert document is not None
        _documents[text] = document
    return _documents[text]


def examine(game: str, rules: tuple[str, ...], paths: ProjectPaths, code: str = "") -> list[Finding]:
    """All that loading and these rules say, or the one rule of them that `code` names."""
    try:
        loaded, findings = load_game(paths, game)
    except CardgenError as error:
        return list(error.findings)
    named = code.removeprefix("rule/")
    only = (named,) if named in rules else rules
    results = check_rules(loaded, rules_of(game, paths).data, f"data/{game}/rules.yaml", only=only)
    return [*findings, *(finding for result in results for finding in result.findings)]


def must_be_caught(game: str, rules: tuple[str, ...], slip: dict[str, Any], folder: Path) -> None:
    """By an error with the slip's code at its line. `folder` is an empty one for the changed file."""
    relative = f"data/{game}/{slip['file']}.yaml"
    text = (ROOT / relative).read_text(encoding="utf-8")
    assert text.count(slip["old"]) == 1, "the slip names one place"
    changed = text.replace(slip["old"], slip["new"])
    (folder / relative).parent.mkdir(parents=True)
    (folder / relative).write_text(changed, encoding="utf-8")
    said = examine(game, rules, ProjectPaths((folder, ROOT)), slip["code"])
    found = [item for item in said if item.code == slip["code"]]
    assert found, "it is caught"
    assert {item.severity for item in found} == {Severity.ERROR}
    file = f"data/{game}/{slip.get('at', slip['file'])}.yaml"
    lines = (changed if file == relative else (ROOT / file).read_text(encoding="utf-8")).splitlines()
    places = [item.location for item in found if item.location is not None and item.location.file == file]
    assert slip["line"] in [lines[(place.line or 0) - 1].strip() for place in places]
