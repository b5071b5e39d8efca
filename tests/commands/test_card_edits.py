"""Single values of cards, saved to YAML, CSV and workbooks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cardgen
from cardgen.commands.data.card_edits import CardChange, CardEditor, write_contents
from cardgen.core.findings import UsageError
from tests.commands.test_spreadsheets import CARDS, GAME, SCHEMA, keep_in
from tests.commands.test_spreadsheets import project as project  # a fixture
from tests.for_each import for_each

CSV = "id,title,cost,text\nfox,Fox,3,A long text\nowl,Owl,2,x\n"


def change(card: str, path: str, value: Any, **more: Any) -> CardChange:
    given = {"component": "cards", "card": card, "path": path.split("."), "value": value}
    return CardChange.of({**given, **more})


def save(project: cardgen.Project, *changes: CardChange, anyway: bool = False) -> None:
    made = CardEditor(project, "fox").edit(changes, anyway=anyway)
    assert not made.conflicts
    assert anyway or not made.findings
    assert write_contents(project, made.contents) is None


def as_workbook(ending: str) -> Callable[[cardgen.Project], Path]:
    def keep(project: cardgen.Project) -> Path:
        (file,) = cardgen.to_spreadsheet("fox", ending, project=project, components=["cards"])
        keep_in(project, f"deck.{ending}", file.read_bytes())
        return project.root / f"data/fox/deck.{ending}"

    return keep


def as_csv(project: cardgen.Project) -> Path:
    keep_in(project, "deck.csv", CSV.encode())
    return project.root / "data/fox/deck.csv"


SOURCES: dict[str, Callable[[cardgen.Project], Path]] = {
    "yaml": lambda project: project.root / "data/fox/cards.yaml",
    "csv": as_csv,
    "xlsx": as_workbook("xlsx"),
    "ods": as_workbook("ods"),
}


def records(project: cardgen.Project) -> dict[str, Any]:
    form = CardEditor(project, "fox").form("cards")
    return {card["id"]: card["fields"] for card in form["cards"]}


@pytest.mark.parametrize("source", SOURCES)
def test_values_and_cards_are_saved_where_they_came_from(project: cardgen.Project, source: str) -> None:
    SOURCES[source](project)
    was = records(project)
    save(project, change("fox", "cost", 5), change("owl", "title", "Barn: owl"))
    wanted = {"fox": {**was["fox"], "cost": 5}, "owl": {**was["owl"], "title": "Barn: owl"}}
    assert records(project) == wanted
    save(
        project,
        CardChange.of(
            {"kind": "add", "component": "cards", "card": "elk", "value": {"title": "Elk", "cost": 1}}
        ),
        CardChange.of({"kind": "copy", "component": "cards", "card": "fox"}),
        CardChange.of({"kind": "remove", "component": "cards", "card": "owl"}),
    )
    now = records(project)
    assert now == {
        "fox": wanted["fox"],
        "elk": {"id": "elk", "title": "Elk", "cost": 1},
        "fox-2": {**wanted["fox"], "id": "fox-2"},
    }
    save(project, change("elk", "id", "moose"))
    assert set(records(project)) == {"fox", "moose", "fox-2"}


def test_yaml_keeps_comments_and_all_other_lines(project: cardgen.Project) -> None:
    file = project.root / "data/fox/cards.yaml"
    save(project, change("fox", "cost", 4))
    assert file.read_text() == CARDS.replace("cost: 3 ", "cost: 4 ")
    save(project, change("fox", "cost", 3))
    assert file.read_text() == CARDS


def test_invalid_value_is_reported_at_its_field_and_saved_on_request(project: cardgen.Project) -> None:
    editor = CardEditor(project, "fox")
    wrong = change("owl", "cost", "many")
    made = editor.edit([wrong])
    assert not made.contents
    (found,) = made.findings
    assert (found.card, found.finding.code) == ("owl", "schema/type")
    assert found.finding.location is not None
    assert found.finding.location.path == "cost"
    save(project, wrong, anyway=True)
    assert records(project)["owl"]["cost"] == "many"
    # What was wrong before is not held against another edit.
    assert not editor.edit([change("owl", "title", "Snowy owl")]).findings


@for_each(
    "path, value, code",
    [
        ("suit", "star", "schema/enum"),
        ("title", None, "schema/type"),
        ("id", "owl", "data/duplicate-id"),
        ("color", "red", "schema/unknown-key"),
    ],
)
def test_problems_have_codes(tmp_path: Path, path: str, value: Any, code: str) -> None:
    for name, text in {
        "data/fox/game.yaml": GAME,
        "data/fox/cards.yaml": CARDS,
        "schemas/fox/cards.schema.json": SCHEMA,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    editor = CardEditor(cardgen.Project.open(tmp_path), "fox")
    found = editor.edit([change("fox", path, value)]).findings
    assert [each.finding.code for each in found] == [code]


def test_value_that_changed_elsewhere_is_not_overwritten(project: cardgen.Project) -> None:
    editor = CardEditor(project, "fox")
    file = project.root / "data/fox/cards.yaml"
    file.write_text(CARDS.replace("cost: 3", "cost: 8"))
    made = editor.edit([change("fox", "cost", 4, was=3)])
    assert not made.contents
    (conflict,) = made.conflicts
    assert conflict.plain() == {
        "component": "cards", "card": "fox", "path": ["cost"], "mine": 4, "theirs": 8
    }  # fmt: skip
    # Another value of the same file doesn't disturb.
    save(project, change("owl", "cost", 1, was=2))
    assert "cost: 8" in file.read_text()


def test_file_that_changes_between_reading_and_writing_stays(project: cardgen.Project) -> None:
    file = project.root / "data/fox/cards.yaml"
    made = CardEditor(project, "fox").edit([change("fox", "cost", 4)])
    file.write_text(CARDS + "# new\n")
    assert write_contents(project, made.contents) == "data/fox/cards.yaml"
    assert file.read_text() == CARDS + "# new\n"


@for_each(
    "given",
    [
        {"kind": "move", "component": "cards", "card": "fox"},
        {"component": "cards", "card": "fox", "path": []},
        {"component": "cards", "card": 1, "path": ["cost"]},
        {"component": "cards", "card": "fox", "path": "cost"},
        [],
    ],
)
def test_odd_orders_are_misuse(given: Any) -> None:
    with pytest.raises(UsageError):
        CardChange.of(given)


def test_unknown_card_component_and_shipped_game_are_misuse(project: cardgen.Project) -> None:
    editor = CardEditor(project, "fox")
    for bad in (
        lambda: editor.edit([change("bee", "cost", 1)]),
        lambda: editor.form("bees"),
        lambda: CardEditor(project, "ptsd").form("operators"),
        lambda: editor.edit(
            [
                CardChange.of({"kind": "remove", "component": "cards", "card": name})
                for name in ("fox", "owl")
            ]
        ),
    ):
        with pytest.raises(UsageError):
            bad()


def test_form_has_kinds_and_choices(project: cardgen.Project) -> None:
    form = CardEditor(project, "fox").form("cards", "owl")
    kinds = {field["name"]: field["kind"] for field in form["fields"]}
    assert kinds["title"] == "text"
    assert kinds["cost"] == "number"
    assert kinds["suit"] == "choice"
    suit = next(field for field in form["fields"] if field["name"] == "suit")
    assert suit["choices"] == ["sun", "moon"]
    assert [card["id"] for card in form["cards"]] == ["owl"]
