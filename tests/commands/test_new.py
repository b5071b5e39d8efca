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


@pytest.mark.parametrize("name", ["", "Night", "night market", "-x", "../x", "é"])
def test_a_name_that_can_be_no_game_s_id(tmp_path: Path, name: str, wording: Wording) -> None:
    with pytest.raises(UsageError) as caught:
        cardgen.new_project(name, tmp_path)
    wording(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "id"), [("mein spiel", "mein-spiel"), ("Höfe", "hofe"), ("", "night-market")]
)
def test_a_name_that_is_no_id_is_answered_with_one(tmp_path: Path, name: str, id: str) -> None:
    with pytest.raises(UsageError) as caught:
        cardgen.new_project(name, tmp_path)
    hint = caught.value.findings[0].hint
    assert hint is not None
    assert hint.split()[-1] == id


@pytest.mark.parametrize("there", ["file", "full folder"])
def test_what_is_there_already_stays(tmp_path: Path, there: str, wording: Wording) -> None:
    taken = tmp_path / "night-market"
    if there == "file":
        taken.write_text("mine", encoding="utf-8")
    else:
        taken.mkdir()
        (taken / "mine").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="exists already") as raised:
        cardgen.new_project("night-market", tmp_path)
    wording(raised.value.findings[0])
    assert {path.name for path in tmp_path.rglob("*")} <= {"night-market", "mine"}


def test_an_empty_folder_may_be_filled(tmp_path: Path) -> None:
    (tmp_path / "night-market").mkdir()
    assert (cardgen.new_project("night-market", tmp_path) / "data/night-market/game.yaml").is_file()
