"""`cardgen table`: out, edited in another program, and back, with all else as it was."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

import cardgen
from cardgen.cli.main import main
from cardgen.commands.data import spreadsheets
from tests.sampling import one_in
from tests.shipped import GAMES, ROOT
from tests.wording import Wording

GAME = """\
id: fox
title: Fox
version: 1.0.0
author: A
players: {min: 2, max: 4}
components:
  cards: {title: Cards, kind: card, trim: mini, data: cards.yaml, schema: cards.schema.json, face: card.svg}
  tokens: {title: Tokens, kind: token, trim: [20mm, 20mm], data: [one.yaml, two.yaml], face: card.svg}
"""
CARDS = """\
# The deck.
cards:
  # ---- first
  - id: fox
    title: Fox   # its name
    cost: 3      # too low?
    text: >-
      A long text that
      goes on.

  - {id: owl, title: 'Owl', cost: 2, text: x}
# the end
"""
SCHEMA = """\
{"type": "object", "properties": {"cards": {"type": "array", "items": {
  "allOf": [{"$ref": "../card.schema.json"}],
  "properties": {"title": {"type": "string"}, "cost": {"type": "integer"}, "text": {"type": "string"},
    "suit": {"enum": ["sun", "moon"]}},
  "required": ["title", "cost"], "unevaluatedProperties": false}}}}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> cardgen.Project:
    files = {
        "data/fox/game.yaml": GAME,
        "data/fox/cards.yaml": CARDS,
        "data/fox/one.yaml": "tokens:\n  - id: a\n",
        "data/fox/two.yaml": "tokens:\n  - id: b\n",
        "schemas/fox/cards.schema.json": SCHEMA,
        "templates/fox/card.svg": "<svg/>",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text.encode())
    monkeypatch.chdir(tmp_path)
    return cardgen.Project.open(tmp_path)


def edit(file: Path, change: Callable[[Any], None]) -> None:
    """Change a workbook in another program."""
    book = openpyxl.load_workbook(file)
    change(book)
    book.save(file)


def test_edits_come_back_and_nothing_else_changes(
    project: cardgen.Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["table", "fox", "--to", "xlsx"]) == 0

    def change(book: Any) -> None:
        page = book["cards"]
        assert [cell.value for cell in page[1]] == ["id", "title", "cost", "text", "suit", "copies"]
        page["C2"] = 4
        page["E3"] = "sun"
        page.append([None, "=1+1", 7, "two\nlines"])
        page["B4"].data_type = "s"

    edit(project.root / "fox.xlsx", change)
    capsys.readouterr()
    assert main(["table", "fox", "--from", "fox.xlsx", "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert (project.root / "data/fox/cards.yaml").read_text() == CARDS
    assert said.splitlines() == [
        "data/fox/cards.yaml: cards/fox changed",
        "  cost: 3 → 4",
        "data/fox/cards.yaml: cards/owl changed",
        "  suit: new, sun",
        "data/fox/cards.yaml: cards/1-1 new",
        "2 cards changed, 1 card new",
        "nothing was written (--dry-run)",
    ]
    assert main(["table", "fox", "--from", "fox.xlsx"]) == 0
    new = "  - id: 1-1\n    title: '=1+1'\n    cost: 7\n    text: >-\n      two\n\n      lines\n"
    wanted = CARDS.replace("cost: 3 ", "cost: 4 ").replace("text: x}", "text: x, suit: sun}")
    wanted = wanted.replace("# the end", f"\n{new}# the end")
    assert (project.root / "data/fox/cards.yaml").read_text() == wanted
    capsys.readouterr()
    assert main(["table", "fox", "--from", "fox.xlsx"]) == 0
    assert "nothing has changed" in capsys.readouterr().out  # the row without an id is found again


def test_a_sheet_that_is_gone_takes_nothing_out(project: cardgen.Project) -> None:
    (file,) = cardgen.to_spreadsheet("fox", "xlsx", project=project)
    edit(file, lambda book: book.remove(book["tokens two"]))
    with pytest.raises(cardgen.CardgenError, match="no sheet 'tokens two'"):
        cardgen.from_spreadsheet("fox", file, project=project)
    assert not cardgen.from_spreadsheet("fox", file, project=project, components=["cards"]).edits


@pytest.mark.parametrize(
    ("cell", "value", "said"),
    [
        ("C2", "many", "fox.xlsx:cards!C2: cost: 'many' is not a whole number"),
        ("E3", "star", "fox.xlsx:cards!E3: suit: 'star'"),
        ("A3", "fox", "fox.xlsx:cards!A3: the id 'fox' is taken by the card in the cell cards!A2"),
        ("B2", None, "fox.xlsx:cards!B2: title: the key 'title' is missing"),
    ],
)
def test_bad_edits_name_the_cell_and_nothing_is_written(
    project: cardgen.Project, cell: str, value: Any, said: str
) -> None:
    (file,) = cardgen.to_spreadsheet("fox", "xlsx", project=project)

    def change(book: Any) -> None:
        book["cards"][cell] = value
        book["tokens one"]["A2"] = "other"

    edit(file, change)
    with pytest.raises(cardgen.CardgenError) as caught:
        cardgen.from_spreadsheet("fox", file, project=project)
    assert any(str(each).startswith(said) for each in caught.value.findings), str(caught.value)
    assert (project.root / "data/fox/one.yaml").read_text() == "tokens:\n  - id: a\n"


def test_what_was_wrong_before_is_not_held_against_an_edit(project: cardgen.Project) -> None:
    cards = project.root / "data/fox/cards.yaml"
    wrong = CARDS.replace("cost: 2", "cost: much").replace("title: 'Owl', ", "")
    cards.write_text(wrong)
    (file,) = cardgen.to_spreadsheet("fox", "xlsx", project=project)
    edit(file, lambda book: book["cards"].__setitem__("C2", 9))
    assert len(cardgen.from_spreadsheet("fox", file, project=project).edits) == 1
    assert cards.read_text() == wrong.replace("cost: 3", "cost: 9")


def test_an_id_stands_in_one_file_of_a_component(project: cardgen.Project, wording: Wording) -> None:
    (file,) = cardgen.to_spreadsheet("fox", "xlsx", project=project)
    edit(file, lambda book: book["tokens two"].__setitem__("A2", "a"))
    with pytest.raises(cardgen.CardgenError) as caught:
        cardgen.from_spreadsheet("fox", file, project=project)
    wording(caught.value)


def test_a_file_that_changes_meanwhile_is_not_written_over(
    project: cardgen.Project, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    (file,) = cardgen.to_spreadsheet("fox", "xlsx", project=project)
    edit(file, lambda book: book["cards"].__setitem__("C2", 9))
    cards = project.root / "data/fox/cards.yaml"
    write = spreadsheets._write

    def late(*words: Any) -> None:
        cards.write_text(CARDS + "# more\n")
        write(*words)

    monkeypatch.setattr(spreadsheets, "_write", late)
    with pytest.raises(cardgen.CardgenError) as caught:
        cardgen.from_spreadsheet("fox", file, project=project)
    wording(caught.value)
    assert cards.read_text() == CARDS + "# more\n"


def test_a_spreadsheet_with_edits_is_not_written_over(project: cardgen.Project) -> None:
    (file,) = cardgen.to_spreadsheet("fox", "xlsx", project=project)
    cardgen.to_spreadsheet("fox", "xlsx", project=project)  # the same, so nothing is lost
    edit(file, lambda book: book["cards"].__setitem__("C2", 9))
    with pytest.raises(cardgen.UsageError, match="already exists") as caught:
        cardgen.to_spreadsheet("fox", "xlsx", project=project)
    assert "--from fox.xlsx" in str(caught.value.findings[0].hint)
    cardgen.to_spreadsheet("fox", "xlsx", project=project, replace=True)
    assert not cardgen.from_spreadsheet("fox", file, project=project).edits


def test_csv_files_go_into_a_folder_or_one_into_a_file(project: cardgen.Project, wording: Wording) -> None:
    files = cardgen.to_spreadsheet("fox", "csv", project=project)
    assert [file.as_posix() for file in files] == [
        "fox-csv/cards.csv",
        "fox-csv/tokens one.csv",
        "fox-csv/tokens two.csv",
    ]
    assert not cardgen.from_spreadsheet("fox", Path("fox-csv"), project=project).edits
    with pytest.raises(cardgen.UsageError) as caught:
        cardgen.to_spreadsheet("fox", "csv", project=project, output=Path("all.csv"))
    wording(caught.value)
    (one,) = cardgen.to_spreadsheet(
        "fox", "csv", project=project, output=Path("x.csv"), components=["cards"]
    )
    text = one.read_bytes().decode("utf-8-sig")
    one.write_text(text.replace("fox,Fox,3", "fox,Fox,5"), encoding="utf-8")
    back = cardgen.from_spreadsheet("fox", one, project=project, components=["cards"])
    assert [each.plain()["fields"] for each in back.edits] == [
        [{"path": "cost", "kind": "changed", "old": 3, "new": 5}]
    ]


CSV = 'title;cost;text;# note\r\nFox;3;"quick; red";cheap?\r\n# later;;;\r\nOwl;2;old;\r\n'


def keep_in(project: cardgen.Project, name: str, content: bytes) -> None:
    (project.root / "data/fox" / name).write_bytes(content)
    manifest = project.root / "data/fox/game.yaml"
    manifest.write_text(GAME.replace("cards.yaml", name))


def test_cards_that_are_kept_in_a_csv_file_are_changed_there(project: cardgen.Project) -> None:
    keep_in(project, "deck.csv", CSV.encode("utf-8-sig"))
    (file,) = cardgen.to_spreadsheet("fox", "xlsx", project=project)
    assert not cardgen.from_spreadsheet("fox", file, project=project).edits

    def change(book: Any) -> None:
        page = book["cards"]
        assert [cell.value for cell in page[2]][:4] == ["fox", "Fox", 3, "quick; red"]
        page["C2"] = 4
        page["D2"] = 'a; "b"'
        page.delete_rows(3)
        page.append([None, "Elk", 1])

    edit(file, change)
    back = cardgen.from_spreadsheet("fox", file, project=project)
    assert [(each.kind, each.id) for each in back.edits] == [
        ("changed", "fox"),
        ("new", "elk"),
        ("removed", "owl"),
    ]
    wanted = CSV.replace('3;"quick; red"', '4;"a; ""b"""').replace("Owl;2;old;\r\n", "Elk;1;\r\n")
    assert (project.root / "data/fox/deck.csv").read_bytes() == wanted.encode("utf-8-sig")


def test_what_a_csv_file_has_no_column_for_is_said(project: cardgen.Project, wording: Wording) -> None:
    keep_in(project, "deck.csv", CSV.encode())
    (file,) = cardgen.to_spreadsheet("fox", "xlsx", project=project)
    edit(file, lambda book: book["cards"].__setitem__("E2", "sun"))
    with pytest.raises(cardgen.CardgenError) as caught:
        cardgen.from_spreadsheet("fox", file, project=project)
    wording(caught.value)
    assert (project.root / "data/fox/deck.csv").read_bytes() == CSV.encode()


def test_cards_that_are_kept_in_a_workbook_are_edited_there(project: cardgen.Project) -> None:
    (file,) = cardgen.to_spreadsheet("fox", "xlsx", project=project, components=["cards"])
    keep_in(project, "deck.xlsx", file.read_bytes())
    (again,) = cardgen.to_spreadsheet("fox", "ods", project=project, components=["cards"])
    assert not cardgen.from_spreadsheet("fox", again, project=project, components=["cards"]).edits
    edit(file, lambda book: book["cards"].__setitem__("C2", 9))
    back = cardgen.from_spreadsheet("fox", file, project=project, components=["cards"])
    assert back.files == ("data/fox/deck.xlsx",)
    assert openpyxl.load_workbook(project.root / "data/fox/deck.xlsx")["cards"]["C2"].value == 9


def test_cards_in_a_list_of_json_are_not_edited(project: cardgen.Project, wording: Wording) -> None:
    (file,) = cardgen.to_spreadsheet(
        "fox", "csv", project=project, components=["cards"], output=Path("x.csv")
    )
    keep_in(project, "deck.json", b'[{"id": "fox", "title": "Fox", "cost": 3}]')
    manifest = project.root / "data/fox/game.yaml"
    manifest.write_text(manifest.read_text().replace("deck.json", "'deck.json#'"))
    with pytest.raises(cardgen.CardgenError) as caught:
        cardgen.from_spreadsheet("fox", file, project=project, components=["cards"])
    wording(caught.value)


def test_what_is_no_spreadsheet_and_what_there_is_not_are_misuse(
    project: cardgen.Project, wording: Wording
) -> None:
    for words in (
        ["--from", "data/fox/cards.yaml"],
        ["--to", "xlsx", "--dry-run"],
        ["--from", "fox.xlsx", "--replace"],
        ["--to", "xlsx", "--component", "cads"],
    ):
        assert main(["table", "fox", *words]) == 2
    assert main(["table", "fox", "--from", "gone.xlsx"]) == 1
    with pytest.raises(cardgen.UsageError) as caught:
        cardgen.from_spreadsheet("ptsd", Path("ptsd.xlsx"), project=project)
    wording(caught.value)


@pytest.mark.long
@pytest.mark.parametrize("game", one_in(5, GAMES))
def test_shipped_games_go_there_and_back(game: str, tmp_path: Path) -> None:
    for folder in ("data", "schemas"):
        shutil.copytree(ROOT / folder / game, tmp_path / folder / game)
    project = cardgen.Project.open(tmp_path)
    before = {path: path.read_bytes() for path in (tmp_path / "data").rglob("*.yaml")}
    for to in ("xlsx", "ods", "csv"):
        place = tmp_path / f"{game}.{to}" if to != "csv" else tmp_path / "csv"
        cardgen.to_spreadsheet(game, to, project=project, output=place)
        back = cardgen.from_spreadsheet(game, place, project=project)
        assert (back.edits, back.files) == ((), ())
    assert before == {path: path.read_bytes() for path in (tmp_path / "data").rglob("*.yaml")}
