"""Columns that game.yaml gives fields to, and ids of tables without titles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardgen.core.findings import CardgenError, Findings
from cardgen.core.game import Game
from cardgen.files.listing import ProjectFolders
from cardgen.game.loading import load_game
from tests.for_each import for_each
from tests.wording import Wording

ROOT = Path(__file__).resolve().parent.parent.parent
HEAD = "id: fox\ntitle: Fox\nversion: 1.0.0\nauthor: A\nplayers: {min: 2, max: 4}\ncomponents:\n"
DECK = "  cards: {title: C, kind: card, trim: poker, data: deck.csv, face: card.svg"
SCHEMA = {
    "properties": {
        "cards": {
            "items": {
                "allOf": [{"$ref": "../card.schema.json"}],
                "required": ["title"],
                "unevaluatedProperties": False,
                "properties": {
                    "title": {"type": "string"},
                    "kosten": {"type": "integer"},
                    "reward": {"type": "object", "properties": {"die": {"type": "integer"}}},
                },
            }
        }
    }
}


def load(folder: Path, text: str, more: str = "") -> tuple[Game, Findings]:
    for name, content in {
        "data/fox/deck.csv": text,
        "data/fox/game.yaml": f"{HEAD}{DECK}{more}}}\n",
        "schemas/fox/cards.schema.json": json.dumps(SCHEMA),
        "templates/fox/card.svg": "<svg/>",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    return load_game(ProjectFolders((folder, ROOT)), "fox")


def test_a_column_is_the_field_that_game_yaml_says(tmp_path: Path) -> None:
    more = ", schema: cards.schema.json, columns: {Titel: title, Anzahl: copies, No.: reward.die}"
    game, findings = load(tmp_path, "Titel,Anzahl,Kosten,No.\nFuchs,3,2,6\nBau,1,0,\n", more)
    assert [(card.id, card.copies) for card in game.cards()] == [("fuchs", 3), ("bau", 1)]
    first = next(game.cards())
    assert dict(first.fields) == {
        "id": "fuchs",
        "title": "Fuchs",
        "copies": 3,
        "kosten": 2,
        "reward": {"die": 6},
    }
    assert not findings.items


def test_a_stated_column_that_is_not_there_is_said(tmp_path: Path) -> None:
    more = ", schema: cards.schema.json, columns: {Titel: title, Anzhal: copies}"
    _, findings = load(tmp_path, "Titel,Kosten\nFuchs,2\n", more)
    (said,) = findings
    assert said.code == "tables/stated"
    assert str(said).startswith("data/fox/game.yaml:7:")
    assert "no table of cards has a column 'Anzhal'" in str(said)


def test_two_columns_of_one_field_exclude_each_other(tmp_path: Path, wording: Wording) -> None:
    more = ", schema: cards.schema.json, columns: {Titel: title}"
    with pytest.raises(CardgenError) as caught:
        load(tmp_path, "title,Titel\na,b\n", more)
    wording(caught.value.findings[0])


def test_cards_beside_two_columns_of_one_field_are_judged(tmp_path: Path) -> None:
    for head in ("title,Title,kosten", "title,title,kosten"):
        with pytest.raises(CardgenError) as caught:
            load(tmp_path, f"{head}\na,b,1\nc,d,two\n", ", schema: cards.schema.json")
        found = [(each.code, each.location and each.location.cell) for each in caught.value.findings]
        assert found == [("tables/column", "B1"), ("schema/type", "C3")]


@for_each(
    ("text", "ids"),
    [
        ("suit,rank,points\nsun,7,1\nsun,8,0\nmoon,7,1\n", ["sun-7", "sun-8", "moon-7"]),
        ("copies,suit,rank\n2,sun,7\n1,sun,7\n", ["sun-7", "sun-7-2"]),
        ("word\nOak\n", ["oak"]),
        ("word,other\n,x\ny,\n", ["x", "y"]),
    ],
)
def test_without_titles_ids_come_from_the_first_two_columns(
    tmp_path: Path, text: str, ids: list[str]
) -> None:
    game, _ = load(tmp_path, text)
    assert [card.id for card in game.cards()] == ids


def test_a_title_that_is_empty_is_still_an_error(tmp_path: Path) -> None:
    with pytest.raises(CardgenError) as caught:
        load(tmp_path, "suit,title\nsun,\n")
    assert "tables/id" in {each.code for each in caught.value.findings}
