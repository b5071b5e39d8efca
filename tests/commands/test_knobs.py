"""Settings of a game as controls, changed in place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import cardgen
from cardgen.commands.data.card_edits import CardChange, CardEditor, write_contents
from cardgen.commands.data.knobs import knobs, turn
from cardgen.commands.data.new import new_project
from cardgen.commands.production.languages import Reloading
from cardgen.game import schema
from cardgen.game.edited_files import ABSENT
from tests.for_each import for_each

GAME = "data/owls/game.yaml"
LAYOUT = "data/sheets/poker.yaml"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> cardgen.Project:
    return cardgen.Project.open(new_project("owls", tmp_path_factory.mktemp("knobs")))


def field(project: cardgen.Project, *path: str) -> dict[str, Any]:
    [found] = [
        field for group in knobs(project, "owls") for field in group["fields"] if field["path"] == [*path]
    ]
    return dict(found)


def test_settings_have_kinds_and_values(project: cardgen.Project) -> None:
    assert field(project, "theme", "hues", "sun") == {
        "path": ["theme", "hues", "sun"],
        "kind": "color",
        "choices": [],
        "value": "#b3541e",
    }
    assert "value" not in field(project, "limits", "type")
    assert "IBM Plex Sans" in field(project, "fonts", "fallback")["choices"]
    layout = field(project, "sheets", "poker", "layout")
    assert (layout["value"], "tarot" in layout["choices"]) == ("poker", True)
    assert field(project, "duplex")["value"] == "long-edge"
    with pytest.raises(cardgen.UsageError):
        knobs(project, "ptsd")  # it isn't the project's own


@for_each(
    ("path", "value", "was", "old", "new"),
    [
        (("theme", "ink"), "#aa0000", "#1d2433", "ink: '#1d2433'", "ink: '#aa0000'"),
        (("theme", "hues", "sun"), "#fff", "#b3541e", "sun: '#b3541e'", "sun: '#fff'"),
        (("sheets", "poker", "layout"), "tarot", "poker", "layout: poker", "layout: tarot"),
    ],
)
def test_only_the_changed_value_is_written(
    project: cardgen.Project, path: tuple[str, ...], value: Any, was: Any, old: str, new: str
) -> None:
    text = (project.root / GAME).read_text(encoding="utf-8")
    turned = turn(project, "owls", GAME, path, value, was)
    before, after = turned.contents[GAME]
    assert before.decode() == text
    assert after.decode() == text.replace(old, new)
    assert (project.root / GAME).read_text(encoding="utf-8") == text


def test_missing_value_is_added_and_removed(project: cardgen.Project) -> None:
    turned = turn(project, "owls", GAME, ["limits", "type"], "7pt")
    assert turned.contents[GAME][1].decode().endswith("limits: {type: 7pt}\n")
    assert write_contents(project, turned.contents) is None
    turned = turn(project, "owls", GAME, ["limits", "type"], ABSENT, "7pt")
    assert write_contents(project, turned.contents) is None
    assert "limits" not in (project.root / GAME).read_text(encoding="utf-8")


def test_default_of_the_project_is_written_to_a_new_file(project: cardgen.Project) -> None:
    assert "value" not in field(project, "paper")
    turned = turn(project, "owls", "cardgen.yaml", ["paper"], "a4")
    assert write_contents(project, turned.contents) is None
    assert (project.root / "cardgen.yaml").read_text(encoding="utf-8").endswith("\n{paper: a4}\n")
    assert field(project, "paper")["value"] == "a4"
    turned = turn(project, "owls", "cardgen.yaml", ["paper"], ABSENT, "a4")
    assert write_contents(project, turned.contents) is None
    assert "value" not in field(project, "paper")
    assert turn(project, "owls", "cardgen.yaml", ["output"], "../elsewhere").findings


def test_layout_of_cardgen_is_copied_before_it_is_changed(project: cardgen.Project) -> None:
    assert not (project.root / LAYOUT).exists()
    turned = turn(project, "owls", LAYOUT, ["margin"], "8mm", field(project, "margin")["value"])
    assert write_contents(project, turned.contents) is None
    text = (project.root / LAYOUT).read_text(encoding="utf-8")
    assert "margin: 8mm\n" in text
    assert "# Nine on letter or A4." in text


def test_value_that_cannot_be_is_reported_and_not_written(project: cardgen.Project) -> None:
    for file, path, value, was, code in (
        (GAME, ["limits", "type"], "7", ABSENT, "schema/pattern"),
        (GAME, ["limits", "contrast"], 99, ABSENT, "schema/maximum"),
        (LAYOUT, ["marks"], "dots", "crop", "schema/any-of"),
    ):
        turned = turn(project, "owls", file, path, value, was)
        assert not turned.contents
        assert [each.code.split("/")[0] for each in turned.findings] == ["schema"], (path, code)
    assert turn(project, "owls", GAME, ["theme", "ink"], "#000000", "#ffffff").is_outdated
    for file, path in (
        (GAME, ["id"]),
        (GAME, ["theme", "no"]),
        ("data/owls/cards.yaml", ["cards"]),
        ("../x.yaml", ["theme", "ink"]),
    ):
        with pytest.raises(cardgen.UsageError):
            turn(project, "owls", file, path, "x")


def test_edit_of_a_card_judges_no_other_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = cardgen.Project.open(new_project("owls", tmp_path))
    reloading, editor = Reloading(project, "owls"), CardEditor(project, "owls")
    judged: list[str] = []
    descend = schema.Judge.descend

    def watched(judge: Any, instance: Any, part: Any, path: Any = None, **more: Any) -> Any:
        if isinstance(path, int) and isinstance(instance, dict) and "id" in instance:
            judged.append(instance["id"])
        return descend(judge, instance, part, path, **more)

    for title in ("Oak", "Old Oak", "Older Oak"):
        judged.clear()
        monkeypatch.setattr(schema.Judge, "descend", watched)
        edited = editor.edit([CardChange("set", "cards", "old-oak", ("title",), title)])
        assert write_contents(project, edited.contents) is None
        reloading.load()
    assert set(judged) == {"old-oak"}


def test_title_from_which_an_id_is_made_is_edited_again_and_again(tmp_path: Path) -> None:
    (tmp_path / "deck.csv").write_text("Name,Cost\nFerry,1\nBarge,2\n", encoding="utf-8")
    new = cardgen.new_from_table("river", tmp_path, str(tmp_path / "deck.csv"))
    project = cardgen.Project.open(new.folder)
    editor = CardEditor(project, "river")
    for title in ("River f", "River fe", "River ferry"):  # the page still names it by its first id
        edited = editor.edit([CardChange("set", "cards", "ferry", ("name",), title)])
        assert write_contents(project, edited.contents) is None
    text = (new.folder / "data/river/deck.csv").read_text(encoding="utf-8")
    assert text == "Name,Cost\nRiver ferry,1\nBarge,2\n"


def test_layout_of_a_usual_sheet_is_chosen_with_all_sheets_stated(tmp_path: Path) -> None:
    (tmp_path / "deck.csv").write_text("Name,Cost\nFerry,1\nBarge,2\n", encoding="utf-8")
    new = cardgen.new_from_table("owls", tmp_path, str(tmp_path / "deck.csv"))
    project = cardgen.Project.open(new.folder)
    sheet = field(project, "sheets", "poker", "layout")
    assert ("value" in sheet, sheet["default"]) == (False, "poker")
    assert field(project, "pull", "deck.csv")["kind"] == "text"
    assert field(project, "duplex")["value"] == "long-edge"
    turned = turn(project, "owls", GAME, ["sheets", "poker", "layout"], "sleeves")
    assert write_contents(project, turned.contents) is None
    [found] = cardgen.load("owls", project=project).sheets
    assert (found.name, found.layout, found.components) == ("poker", "sleeves", ("cards",))
