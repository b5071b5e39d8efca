"""Every slip in a game with effects is caught at its line, by the check that is meant for it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import yaml

from cardgen.checking import check_rules
from cardgen.findings import CardgenError, Finding, Findings, Severity
from cardgen.loading import Document, load_checked, load_game
from cardgen.model.game import ProjectPaths

ROOT = Path(__file__).resolve().parent.parent
GAME = "blockminers"
SLOW = ("rent-", "check-chances")
"""Rules that only measure, at some length."""


def rules_of(paths: ProjectPaths) -> Document:
    document = load_checked(paths, f"data/{GAME}/rules.yaml", "schemas/rules.schema.json", Findings())
    assert document is not None
    return document


@cache
def rules() -> list[str]:
    document = load_checked(
        ProjectPaths((ROOT,)), f"data/{GAME}/rules.yaml", "schemas/rules.schema.json", Findings()
    )
    assert document is not None
    return [rule["id"] for rule in document.data["rules"] if not rule["id"].startswith(SLOW)]


def examine(paths: ProjectPaths) -> list[Finding]:
    """All that loading and the rules say."""
    try:
        game, findings = load_game(paths, GAME)
    except CardgenError as error:
        return list(error.findings)
    document = rules_of(paths)
    results = check_rules(game, document.data, f"data/{GAME}/rules.yaml", only=tuple(rules()))
    return [*findings, *(finding for result in results for finding in result.findings)]


def test_the_game_itself_is_clean() -> None:
    assert examine(ProjectPaths((ROOT,))) == []


def test_it_counts_65_70_35_5() -> None:
    game, _ = load_game(ProjectPaths((ROOT,)), GAME)
    copies = {component.id: component.copies for component in game.components}
    assert [copies[id] for id in ("office", "basement", "encounter", "characters")] == [65, 70, 35, 5]


MUTATIONS = yaml.safe_load((ROOT / f"tests/examples/mutations/{GAME}.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation["name"])
def test_mutations(mutation: dict[str, str], tmp_path: Path) -> None:
    relative = f"data/{GAME}/{mutation['file']}.yaml"
    text = (ROOT / relative).read_text(encoding="utf-8")
    assert text.count(mutation["old"]) == 1, "the mutation names one place"
    changed = text.replace(mutation["old"], mutation["new"])
    (tmp_path / relative).parent.mkdir(parents=True)
    (tmp_path / relative).write_text(changed, encoding="utf-8")

    found = [item for item in examine(ProjectPaths((tmp_path, ROOT))) if item.code == mutation["code"]]

    assert found, "it is caught"
    assert {item.severity for item in found} == {Severity.ERROR}
    file = f"data/{GAME}/{mutation.get('at', mutation['file'])}.yaml"
    lines = (changed if file == relative else (ROOT / file).read_text(encoding="utf-8")).splitlines()
    places = [item.location for item in found if item.location is not None and item.location.file == file]
    assert mutation["line"] in [lines[(place.line or 0) - 1].strip() for place in places]
