"""What those who describe a game's cards get to know of their schemas and rules."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cardgen.core.findings import CardgenError
from cardgen.core.game import Game
from cardgen.files.listing import ProjectFolders
from cardgen.game.edited_files import load_card_schemas
from cardgen.game.loading import load_game
from cardgen.game.rule_kinds import load_rules

ROOT = Path(__file__).resolve().parents[2]
PROJECT = ROOT / "tests" / "examples" / "deck-lists" / "game"


@pytest.fixture
def duel(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PROJECT, tmp_path / "game"))


def load(root: Path) -> Game:
    return load_game(ProjectFolders((root, ROOT)), "duel")[0]


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_each_component_of_cards_has_its_schema(duel: Path) -> None:
    (duel / "data/duel/book.md").write_text("# Rules\n", encoding="utf-8")
    book = "sheets:\n"
    edit(
        duel / "data/duel/game.yaml",
        "sheets:\n",
        f"  rules: {{title: Rules, kind: book, trim: a5, book: book.md}}\n{book}",
    )
    found = load_card_schemas(load(duel))
    assert set(found) == {"cards", "markers"}
    cards = found["cards"]
    assert cards.file == "schemas/duel/cards.schema.json"
    assert "title" in str(cards.schema)
    assert "$ref" not in cards.schema


def test_rules_are_read_and_held_to_their_schema(duel: Path) -> None:
    game = load(duel)
    assert load_rules(game)["rules"]
    path = duel / "data/duel/rules.yaml"
    path.write_text("ruels: []\n", encoding="utf-8")
    with pytest.raises(CardgenError) as caught:
        load_rules(game)
    assert {finding.location.file for finding in caught.value.findings if finding.location} == {
        "data/duel/rules.yaml"
    }


def test_a_game_without_rules_has_none(duel: Path) -> None:
    edit(duel / "data/duel/game.yaml", "rules: rules.yaml\n", "")
    assert load_rules(load(duel)) == {}
