"""Tables for templates and rules from spreadsheets, and deck lists in workbooks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cardgen
from cardgen.core.findings import Findings
from cardgen.files.project import Project
from cardgen.game.columns import Shapes
from cardgen.game.sources import by_file, table_name
from cardgen.game.spreadsheets import TableDocument, read_lookup
from tests.files.making import ods, ods_rows, rows, xlsx
from tests.for_each import for_each
from tests.game.test_spreadsheets import project
from tests.wording import Wording

__all__ = ["project"]

ACTION = {"type": "object", "properties": {"title": {"type": "string"}, "cost": {"type": "integer"}}}


def lookup(text: str, schema: Any, findings: Findings | None = None) -> TableDocument | None:
    found = Findings() if findings is None else findings
    document = read_lookup(text.encode(), "actions.csv", None, "actions", schema, Shapes({}), found)
    assert findings is not None or found.items == []
    return document


@for_each(
    ("schema", "text", "expected"),
    [
        (None, "Title,Cost (gold)\nFox,1\n", [{"title": "Fox", "cost_gold": 1}]),
        (
            True,
            "title,cost\nFox,1\nOwl,x\n",
            [{"title": "Fox", "cost": "1"}, {"title": "Owl", "cost": "x"}],
        ),
        ({"type": "array", "items": ACTION}, "title,cost\n7,1\n", [{"title": "7", "cost": 1}]),
        (
            {"type": "object", "properties": {"actions": {"type": "array", "items": ACTION}, "x": {}}},
            "title,cost\n7,1\n",
            {"actions": [{"title": "7", "cost": 1}]},
        ),
        (
            {"type": "object", "properties": {"list": {"type": "array", "items": ACTION}}},
            "title\n7\n",
            {"list": [{"title": "7"}]},
        ),
        (
            {"type": "object", "additionalProperties": ACTION},
            "# keys\nkey,title,cost\nfox,7,1\n8,Owl,\n",
            {"fox": {"title": "7", "cost": 1}, "8": {"title": "Owl"}},
        ),
        (
            {"type": "object", "properties": {"limit": {"type": "integer"}, "name": {"type": "string"}}},
            "key,value\nlimit,7\nname,7\nempty,\n",
            {"limit": 7, "name": "7", "empty": None},
        ),
        (
            {"type": "object", "additionalProperties": {"type": "string"}},
            "word,meaning\n1,one\n",
            {"1": "one"},
        ),
    ],
)
def test_the_schema_says_what_a_table_is(schema: Any, text: str, expected: Any) -> None:
    document = lookup(text, schema)
    assert document is not None
    assert document.data == expected
    assert document.name == "actions.csv#table actions"
    assert document.copy().data == expected


def test_cells_of_mappings() -> None:
    document = lookup(
        "key,title,cost\nfox,Fox,1\nowl,Owl,2\n", {"type": "object", "additionalProperties": ACTION}
    )
    assert document is not None
    assert [
        str(document.locate(("owl", "cost"))),
        str(document.locate(("owl",), key=True)),
        str(document.locate(("owl", "cost"), key=True)),
        str(document.locate(("bat",))),
    ] == [
        "actions.csv:3:9: C3: owl.cost",
        "actions.csv:3:1: A3: owl",
        "actions.csv:1:11: C1: cost",
        "actions.csv: bat",
    ]
    document = lookup(
        "key,value\nlimit,7\n", {"type": "object", "properties": {"limit": {"type": "integer"}}}
    )
    assert document is not None
    assert str(document.locate(("limit",))) == "actions.csv:2:7: B2: limit"


@for_each(
    ("text", "expected"),
    [
        ("key,title\nfox,a\n,b\n", "actions.csv:3:1: A3"),
        ("key,title\nfox,a\nfox,b\n", "actions.csv:3:1: A3"),
        ("key,title\nfox,#N/A\n", "actions.csv:2:5: B2: fox.title"),
        (
            "k,title,Title\nfox,a,b\n",
            "actions.csv:1:9: C1",
        ),
    ],
)
def test_what_is_wrong_with_a_mapping(text: str, expected: str, wording: Wording) -> None:
    findings = Findings()
    lookup(text, {"type": "object", "additionalProperties": {"type": "object", **ACTION}}, findings)
    (finding,) = findings
    assert str(finding.location) == expected
    wording(finding)


def test_names_of_tables() -> None:
    names = ("a/words.yaml", "words.csv", "deck.xlsx#My words", "deck.ods#狐")
    assert [table_name(name) for name in names] == ["words", "words", "my_words", "狐"]
    assert by_file(["a.xlsx#A", "b.csv", "a.xlsx#B"]) == {"a.xlsx": ("A", "B"), "b.csv": (None,)}


# ---- whole games


def test_tables_of_a_game(project: Path) -> None:
    manifest = project / "data/duel/game.yaml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(
        f"{text}tables: [words.csv, 'book.xlsx#Limits', 'book.xlsx#Days']\n", encoding="utf-8"
    )
    (project / "data/duel/words.csv").write_text("word,meaning\nfox,a fox\n", encoding="utf-8")
    book = {"Limits": rows(("name", "at"), ("hand", 5)), "Days": rows(("day",), ("Monday",))}
    (project / "data/duel/book.xlsx").write_bytes(xlsx(book))
    schema = {"type": "object", "additionalProperties": {"type": "integer", "maximum": 9}}
    (project / "schemas/duel/limits.schema.json").write_text(json.dumps(schema), encoding="utf-8")
    game = cardgen.load("duel", project=Project.open(project))
    assert dict(game.tables) == {
        "words": [{"word": "fox", "meaning": "a fox"}],
        "limits": {"hand": 5},
        "days": [{"day": "Monday"}],
    }
    book["Limits"] = rows(("name", "at"), ("hand", 12))
    (project / "data/duel/book.xlsx").write_bytes(xlsx(book))
    with pytest.raises(cardgen.CardgenError, match=r"Limits!B2: hand: 12 is above"):
        cardgen.load("duel", project=Project.open(project))


@pytest.fixture
def duel(project: Path) -> Path:
    """The game with deck lists of its own."""
    manifest = project / "data/duel/game.yaml"
    text = manifest.read_text(encoding="utf-8").replace("deck.csv", "cards.yaml")
    manifest.write_text(f"{text}decks: {{component: cards}}\n", encoding="utf-8")
    (project / "data/duel/decks").mkdir()
    return project


LISTED = (
    ("Our deck",),
    ("#", "card"),
    (3, "Rope"),
    ("# no", "Lamp"),
    (2, "404"),
    ("x1", "Lookout"),
    (1, "Ropes"),
)


@pytest.mark.parametrize("ending", ["xlsx", "ods"])
def test_deck_lists_in_workbooks(duel: Path, ending: str, wording: Wording) -> None:
    def save(path: Path, *listed: tuple[object, ...]) -> None:
        path.write_bytes(
            xlsx({"Deck": rows(*listed)}) if ending == "xlsx" else ods({"Deck": ods_rows(*listed)})
        )

    own = duel / f"data/duel/decks/mine.{ending}"
    save(own, *LISTED[1:5])
    (duel / "data/duel/decks/plain.csv").write_text("copies,name\n1,Rope\n", encoding="utf-8")
    game = cardgen.load("duel", project=Project.open(duel))
    assert {deck.id: [(each.card, each.copies) for each in deck.entries] for deck in game.decks} == {
        "mine": [("rope", 3), ("four-o-four", 2)], "plain": [("rope", 1)]
    }  # fmt: skip
    assert f"data/duel/decks/mine.{ending}" in game.sources
    theirs = duel / f"theirs.{ending}"
    save(theirs, *LISTED[1:])
    with pytest.raises(cardgen.CardgenError) as error:
        cardgen.load_deck(game, theirs, project=Project.open(duel))
    assert [str(each).partition("theirs")[2] for each in error.value.findings] == [
        f".{ending}:Deck!A5: 'x1' is not a number of copies",
        f".{ending}:Deck!B6: there is no card 'Ropes'",
    ]
    theirs.write_bytes(b"no workbook")
    with pytest.raises(cardgen.CardgenError) as caught:
        cardgen.load_deck(game, theirs, project=Project.open(duel))
    wording(caught.value)


def test_two_lists_of_one_name(duel: Path) -> None:
    for ending in ("csv", "tsv"):
        (duel / f"data/duel/decks/mine.{ending}").write_text("copies\tname\n1\tRope\n", encoding="utf-8")
    with pytest.raises(cardgen.CardgenError, match=r"'mine' is already in mine\.csv"):
        cardgen.load("duel", project=Project.open(duel))
