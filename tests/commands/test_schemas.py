"""`cardgen schema`: a schema from the data, and what data have besides added to it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.data.schemas import write_schemas
from tests.wording import Wording

HEAD = "id: fox\ntitle: Fox\nversion: 1.0.0\nauthor: A\nplayers: {min: 2, max: 4}\ncomponents:\n"
DECK = """\
  cards:
    title: Cards
    kind: card
    trim: poker
    data: cards.yaml   # the deck
    face: card.svg
"""
CARDS = """cards:
  - {id: den, title: Den, suit: sun, cost: 1}
  - {id: hunt, title: Hunt, suit: moon, cost: 2, copies: 3}
  - {id: nap, title: Nap, suit: sun, cost: 0}
  - {id: run, title: Run, suit: moon, cost: 0, reward: {die: 6}}
"""
FILE = "schemas/fox/cards.schema.json"


def game(folder: Path, components: str = DECK, **data: str) -> cardgen.Project:
    files = {f"data/fox/{name}.yaml": text for name, text in ({"cards": CARDS} | data).items()}
    files |= {"data/fox/game.yaml": HEAD + components, "templates/fox/card.svg": "<svg/>"}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return cardgen.Project.open(folder)


def test_a_component_without_a_schema_gets_one_that_its_data_fit(tmp_path: Path) -> None:
    project = game(tmp_path)
    (change,) = write_schemas("fox", project=project)
    assert (change.file, change.is_new) == (FILE, True)
    assert change.added == ("cards: title, suit, cost, reward, from 4 cards",)
    item = json.loads((tmp_path / FILE).read_text())["properties"]["cards"]["items"]
    assert item["required"] == ["title", "suit", "cost"]
    assert item["properties"]["suit"]["enum"] == ["sun", "moon"]
    text = (tmp_path / "data/fox/game.yaml").read_text()
    assert text == HEAD + DECK.replace("    face:", "    schema: cards.schema.json\n    face:")
    loaded = cardgen.load("fox", project=project)
    assert not [each for each in loaded.remarks if each.code == "game/no-schema"]
    assert not write_schemas("fox", project=project)[0].is_changed


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    project = game(tmp_path)
    before = (tmp_path / "data/fox/game.yaml").read_bytes()
    (change,) = write_schemas("fox", project=project, write=False)
    assert change.is_new
    assert not (tmp_path / "schemas").exists()
    assert (tmp_path / "data/fox/game.yaml").read_bytes() == before


def test_what_a_person_wrote_stays_and_what_the_data_have_besides_is_added(tmp_path: Path) -> None:
    project = game(tmp_path)
    write_schemas("fox", project=project)
    file = tmp_path / FILE
    own = file.read_text().replace(
        '"description": "Cost: a whole number."', '"description": "What it  costs"'
    )
    own = own.replace('"minimum": 0', '"minimum":0,  "maximum": 9')
    file.write_text(own)
    more = CARDS + "".join(
        f"  - {{id: c{at}, title: C, suit: {suit}, cost: 1, gold: {at}, reward: {{die: 8, coins: 2}}}}\n"
        for at, suit in enumerate(("star", "star", "mooon"))
    )
    (tmp_path / "data/fox/cards.yaml").write_text(more + "  - {id: d, title: D, suit: sun, cots: 1}\n")
    (change,) = write_schemas("fox", project=project)
    assert change.added == (
        "cards.suit: may be 'star'",
        "cards.reward.coins: a whole number",
        "cards.gold: a whole number",
    )
    assert change.unsure == (
        "cards.suit: 'mooon' not added, did you mean 'moon'?",
        "cards.cots: not added, it looks like 'cost'",
    )
    text = file.read_text()
    kept = [line.rstrip(",") for line in text.splitlines()]
    touched = ("enum", "reward", "translate")
    assert all(
        line.rstrip(",") in kept for line in own.splitlines() if not any(word in line for word in touched)
    )
    schema = json.loads(text)["properties"]["cards"]["items"]["properties"]
    assert schema["cost"] == {
        "description": "What it  costs",
        "type": "integer",
        "minimum": 0,
        "maximum": 9,
    }
    assert schema["suit"]["enum"] == ["sun", "moon", "star"]
    assert "coins" in schema["reward"]["properties"]


def test_a_schema_that_leads_elsewhere_is_added_to_where_it_leads(tmp_path: Path) -> None:
    project = game(tmp_path, DECK + "    schema: own.json\n")
    schema = {
        "$defs": {"card": {"allOf": [{"$ref": "../card.schema.json"}], "properties": {"title": {}}}},
        "properties": {"cards": {"items": {"$ref": "#/$defs/card"}}},
    }
    (tmp_path / "schemas/fox").mkdir(parents=True)
    (tmp_path / "schemas/fox/own.json").write_text(json.dumps(schema, indent=1))
    (change,) = write_schemas("fox", project=project)
    assert [line.partition(":")[0] for line in change.added] == ["cards.suit", "cards.cost", "cards.reward"]
    card = json.loads((tmp_path / "schemas/fox/own.json").read_text())["$defs"]["card"]
    assert list(card["properties"]) == ["title", "suit", "cost", "reward"]
    assert card["required"] == ["suit", "cost"]
    assert cardgen.load("fox", project=project)


def test_components_that_share_files_share_schemas(tmp_path: Path) -> None:
    both = (
        "  cards: {title: C, kind: card, trim: poker, data: cards.yaml, face: card.svg}\n"
        "  more: {title: M, kind: card, trim: poker, data: [cards.yaml, b.yaml], face: card.svg}\n"
        "  rules: {title: R, kind: book, trim: a5, book: rules.md}\n"
    )
    cards = CARDS + "more:\n  - {id: m, title: M}\n"
    project = game(tmp_path, both, cards=cards, b="more:\n  - {id: n, title: N, word: x}\n")
    (tmp_path / "data/fox/rules.md").write_text("# R\n")
    first, second = write_schemas("fox", project=project)
    assert (first.file, second.file) == (FILE, "schemas/fox/more.schema.json")
    text = (tmp_path / "data/fox/game.yaml").read_text()
    assert "data: cards.yaml, schema: cards.schema.json, face" in text
    assert "data: [cards.yaml, b.yaml], schema: more.schema.json, face" in text
    assert [component.unique for component in cardgen.load("fox", project=project).components] == [4, 2, 1]


def test_only_a_game_of_the_project_has_schemas_written(tmp_path: Path, wording: Wording) -> None:
    for name in ("ptsd", "fxo"):
        with pytest.raises(cardgen.UsageError) as caught:
            write_schemas(name, project=game(tmp_path))
        wording(caught.value)


def test_data_of_any_shape_are_looked_at(tmp_path: Path) -> None:
    for number, data in enumerate(
        ("cards: 7\n", "- a\n", "cards:\n  - 7\n  - {title: {a: [1, {b: null}]}}\n")
    ):
        folder = tmp_path / str(number)
        (change,) = write_schemas("fox", project=game(folder, cards=data))
        assert change.is_new
        json.loads((folder / FILE).read_text())


def test_a_schema_in_error_is_said_and_left(tmp_path: Path) -> None:
    project = game(tmp_path, DECK + "    schema: cards.schema.json\n")
    (tmp_path / "schemas/fox").mkdir(parents=True)
    for text in ("{", '{"type": 7}', '{"properties": {"cards": []}}'):
        (tmp_path / FILE).write_text(text)
        with pytest.raises(cardgen.CardgenError) as caught:
            write_schemas("fox", project=project)
        assert caught.value.findings[0].location.file == FILE
        assert (tmp_path / FILE).read_text() == text


def test_the_command_says_what_it_adds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from cardgen.cli.main import main

    game(tmp_path)
    words = ["schema", "fox", "--project", str(tmp_path)]
    assert main([*words, "--dry-run"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].endswith("cards.schema.json: new")
    assert said[1:] == [
        "  + cards: title, suit, cost, reward, from 4 cards",
        "nothing was written (--dry-run)",
    ]
    assert main(words) == 0
    assert main(words) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith("cards.schema.json: as it should be")


def test_tables_are_data_too(tmp_path: Path) -> None:
    table = DECK.replace("cards.yaml", "deck.csv").replace(
        "    face:", "    columns: {Titel: title}\n    face:"
    )
    project = game(tmp_path, table)
    file = tmp_path / "data/fox/deck.csv"
    file.write_text("Titel,Cost,Rules Text,2nd\nFox,1,Two words,X\nOwl,2,More words,7\n")
    (change,) = write_schemas("fox", project=project)
    assert change.added == ("cards: title, cost, rules_text, 2nd, from 2 cards",)
    shape = json.loads((tmp_path / FILE).read_text())["properties"]["cards"]["items"]["properties"]
    assert [each["type"] for each in shape.values()] == ["string", "integer", "string", "string"]
    card = next(cardgen.load("fox", project=project).cards())
    assert dict(card.fields) == {
        "id": "fox",
        "title": "Fox",
        "cost": 1,
        "rules_text": "Two words",
        "2nd": "X",
        "copies": 1,
    }
    file.write_text("Titel,Cost,Rules Text,2nd,Gold coins\nFox,1,Two words,X,3\nOwl,2,More words,7,many\n")
    (change,) = write_schemas("fox", project=project)
    assert change.added == ("cards.gold_coins: text",)
    card = next(cardgen.load("fox", project=project).cards())
    assert card.fields["gold_coins"] == "3"
