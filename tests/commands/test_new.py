"""`cardgen new`: a project that is whole, or none."""

from __future__ import annotations

from pathlib import Path

import pytest

import cardgen
from cardgen.core.findings import UsageError
from tests.wording import Wording


def test_a_new_project_is_called_by_its_name(tmp_path: Path) -> None:
    folder = cardgen.new_project("night-market", tmp_path)
    assert folder == tmp_path / "night-market"
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {"data/night-market/game.yaml", "schemas/game.schema.json"} <= files
    assert not any("__NAME__" in name for name in files)
    text = (folder / "data/night-market/game.yaml").read_text(encoding="utf-8")
    assert "id: night-market\ntitle: Night Market\n" in text
    assert "__" not in text
    project = cardgen.Project.open(folder)
    assert cardgen.load("night-market", project=project).title == "Night Market"


def test_a_name_that_is_no_id_is_answered_with_one(tmp_path: Path, wording: Wording) -> None:
    for name, id in (
        ("", "night-market"),
        ("Night", "night"),
        ("mein spiel", "mein-spiel"),
        ("Höfe", "hofe"),
        ("../x", "x"),
    ):
        with pytest.raises(UsageError) as caught:
            cardgen.new_project(name, tmp_path)
        wording(caught.value)
        hint = caught.value.findings[0].hint
        assert hint is not None
        assert hint.split()[-1] == id
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_already_stays(tmp_path: Path, wording: Wording) -> None:
    (tmp_path / "a-file").write_text("mine", encoding="utf-8")
    (tmp_path / "full").mkdir()
    (tmp_path / "full/mine").write_text("mine", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    for name in ("a-file", "full"):
        with pytest.raises(UsageError, match="exists already") as raised:
            cardgen.new_project(name, tmp_path)
        wording(raised.value.findings[0])
    assert {path.name for path in tmp_path.rglob("*")} == {"a-file", "full", "mine", "empty"}
    assert (cardgen.new_project("empty", tmp_path) / "data/empty/game.yaml").is_file()
