"""Schemas are held against the standard's own schema."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema.validators import Draft202012Validator

import cardgen
from cardgen.core.findings import Findings
from cardgen.files.project import Project
from cardgen.game import schema_store as standard
from tests import sharing

SCHEMA = "schemas/demo/cards.schema.json"
TITLE = '"title": "The cards of Demo"'


def found(demo: Path) -> list[tuple[str, int | None]]:
    findings = Findings()
    standard.check_schemas(Project.open(demo).paths, [SCHEMA], findings)
    return [(each.code, each.location.line if each.location else None) for each in findings]


@pytest.mark.parametrize(
    "more", ['"$anchor": "1 x"', '"readOnly": "yes"', '"deprecated": 3', '"examples": "one"']
)
def test_what_our_own_reading_has_no_use_for(
    demo: Path, edit: Callable[[str, str, str], Path], more: str
) -> None:
    assert found(demo) == []
    edit(SCHEMA, TITLE, f"{TITLE},\n  {more}")
    assert found(demo) == [("schema/standard", 4)]
    said = cardgen.check(cardgen.load("demo", project=Project.open(demo)))
    assert [(each.code, str(each.location).partition(":")[0]) for each in said] == [
        ("schema/standard", SCHEMA)
    ]


def test_a_huge_schema_is_left_to_our_own_bounds(
    demo: Path, edit: Callable[[str, str, str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(SCHEMA, TITLE, f'{TITLE},\n  "deprecated": 3')
    monkeypatch.setattr(standard, "MOST_PARTS", 10)
    assert found(demo) == []


def test_a_schema_with_errors_of_its_own_is_not_read_again(
    edit: Callable[[str, str, str], Path],
    run: Callable[..., tuple[int, str, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown: list[list[str]] = []
    monkeypatch.setattr(standard, "check_schemas", lambda paths, files, findings: shown.append([*files]))
    run("check", "demo")
    edit(SCHEMA, TITLE, f'{TITLE},\n  "minLemgth": 3')
    assert "minLemgth" in run("check", "demo")[1]
    assert shown == [[SCHEMA], []]


def test_just_what_was_sound_is_not_judged_again(
    demo: Path, edit: Callable[[str, str, str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "cache"))

    class Forgetful(set[bytes]):
        def add(self, content: bytes) -> None:
            pass

    monkeypatch.setattr(sharing, "_in_order", Forgetful())
    judged: list[object] = []
    judge: Any = Draft202012Validator.iter_errors

    def noted(self: Any, instance: Any, *rest: Any) -> Any:
        if instance.get("title") == "The cards of Demo":
            judged.append(instance)
        return judge(self, instance, *rest)

    monkeypatch.setattr(Draft202012Validator, "iter_errors", noted)
    assert found(demo) == []
    assert len(judged) == 1
    assert found(demo) == []
    assert len(judged) == 1
    edit(SCHEMA, TITLE, f'{TITLE},\n  "deprecated": 3')
    for times in (2, 3):
        assert found(demo) == [("schema/standard", 4)]
        assert len(judged) == times
    edit(SCHEMA, '"deprecated": 3', '"deprecated": true')
    assert found(demo) == found(demo) == []
    assert len(judged) == 4
