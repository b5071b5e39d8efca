"""`cardgen new`: a project that is whole, or none."""

from __future__ import annotations

from pathlib import Path

import pytest

import cardgen
from cardgen.findings import UsageError
from tests.checking.slips import changed_by, slips_of


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
def test_a_name_that_can_be_no_game_s_id(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="can't be a game's id"):
        cardgen.new_project(name, tmp_path)
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
def test_what_is_there_already_stays(tmp_path: Path, there: str) -> None:
    taken = tmp_path / "night-market"
    if there == "file":
        taken.write_text("mine", encoding="utf-8")
    else:
        taken.mkdir()
        (taken / "mine").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="exists already") as raised:
        cardgen.new_project("night-market", tmp_path)
    assert raised.value.findings[0].hint == "choose another name, or move it away"
    assert {path.name for path in tmp_path.rglob("*")} <= {"night-market", "mine"}


def test_an_empty_folder_may_be_filled(tmp_path: Path) -> None:
    (tmp_path / "night-market").mkdir()
    assert (cardgen.new_project("night-market", tmp_path) / "data/night-market/game.yaml").is_file()


SLIPS = slips_of("scaffold")


def test_a_new_deck_keeps_rules_each_of_which_a_slip_breaks(demo: Path) -> None:
    judged = cardgen.judge(cardgen.load("demo", project=cardgen.Project.open(demo)))
    assert {one.verdict.value for one in judged} == {"pass"}
    assert [f"rule/{one.rule.id}" for one in judged] == [slip["code"] for slip in SLIPS]
    assert all(one.rule.question and one.rule.why for one in judged)


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip["code"])
def test_a_slip_in_a_new_deck_is_told_with_its_line(slip: dict[str, str], demo: Path) -> None:
    file = demo / f"data/demo/{slip['file']}.yaml"
    file.write_text(changed_by(slip, file.read_text(encoding="utf-8")), encoding="utf-8")
    judged = cardgen.judge(cardgen.load("demo", project=cardgen.Project.open(demo)))
    (found,) = [finding for one in judged for finding in one.findings]
    place = found.location
    assert place is not None
    assert (found.code, place.file) == (slip["code"], f"data/demo/{slip.get('at', slip['file'])}.yaml")
    lines = (demo / place.file).read_text(encoding="utf-8").splitlines()
    assert lines[(place.line or 0) - 1].strip() == slip["line"]
