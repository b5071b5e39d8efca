"""Effects from file to structure: the keyword table, the cards that use it, the lines of findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.core.findings import CardgenError
from cardgen.core.game import Game
from cardgen.files.listing import ProjectFolders
from cardgen.game.loading import load_game

ROOT = Path(__file__).resolve().parents[2]

GAME = """\
id: pond
title: Pond
version: 1.0.0
author: Nobody
players: {min: 2, max: 4}
effects: {keywords: words.yaml, fields: [does]}
components:
  frogs: {title: Frogs, kind: card, trim: mini, data: frogs.yaml, schema: frogs.schema.json, face: card.svg}
sheets: {poker: {components: [frogs]}}
"""
WORDS = """\
keywords:
  hop: {print: '**Hop** {far}', parameters: {far: {type: number, max: 3}}}
  croak: {print: '**Croak**'}
conditions:
  wet: {print: it rains}
"""
FROGS = """\
frogs:
  - id: green
    does:
      - Hop 2
      - if: it rains
        then: [croak or hop 1]
  - id: brown
"""
SCHEMA = """\
{"type": "object", "properties": {"frogs": {"type": "array", "items": {
  "allOf": [{"$ref": "../card.schema.json"}],
  "properties": {"does": {"$ref": "../effect.schema.json"}}, "unevaluatedProperties": false}}}}
"""


def load(tmp_path: Path, *, game: str = GAME, words: str | None = WORDS, frogs: str = FROGS) -> Game:
    files = {"data/pond/game.yaml": game, "data/pond/frogs.yaml": frogs}
    files |= {"schemas/pond/frogs.schema.json": SCHEMA, "templates/pond/card.svg": "<svg/>"}
    if words is not None:
        files["data/pond/words.yaml"] = words
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return load_game(ProjectFolders((tmp_path, ROOT)), "pond")[0]


def problems(tmp_path: Path, **files: str | None) -> list[tuple[str, int | None, str]]:
    with pytest.raises(CardgenError) as caught:
        load(tmp_path, **files)  # type: ignore[arg-type]
    found = [finding for finding in caught.value.findings if finding.location is not None]
    return [(finding.code, finding.location.line, finding.location.file) for finding in found]  # type: ignore[union-attr]


def test_cards_hold_the_long_form(tmp_path: Path) -> None:
    green, brown = load(tmp_path).component("frogs").cards
    assert green.fields["does"] == [
        {"do": "hop", "far": 2},
        {"if": {"test": "wet"}, "then": [{"choose": [[{"do": "croak"}], [{"do": "hop", "far": 1}]]}]},
    ]
    assert "does" not in brown.fields


def test_the_table_is_a_source_of_the_game(tmp_path: Path) -> None:
    game = load(tmp_path)
    assert "data/pond/words.yaml" in game.sources
    assert game.effects is not None
    assert sorted(game.effects.language.keywords) == ["croak", "hop"]


def test_findings_stand_at_their_lines(tmp_path: Path) -> None:
    frogs = FROGS.replace("Hop 2", "Hop 4").replace("[croak or hop 1]", "[croak, hob 1]")
    assert problems(tmp_path, frogs=frogs) == [
        ("effect/value", 4, "data/pond/frogs.yaml"),
        ("effect/keyword", 6, "data/pond/frogs.yaml"),
    ]


def test_a_field_that_no_card_has(tmp_path: Path) -> None:
    game = GAME.replace("[does]", "[does, dose]")
    assert problems(tmp_path, game=game) == [("effect/field", 6, "data/pond/game.yaml")]


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    assert problems(tmp_path, words=None) == [("reference/keywords", 6, "data/pond/game.yaml")]


def test_a_table_with_faults(tmp_path: Path) -> None:
    words = WORDS.replace("{far}'", "{fra}'")
    found = problems(tmp_path, words=words)
    assert set(found) == {("keywords/wording", 2, "data/pond/words.yaml")}
    shape = WORDS.replace("type: number", "type: numbers")
    assert problems(tmp_path, words=shape) == [("schema/enum", 2, "data/pond/words.yaml")]


def test_without_a_table_cards_hold_what_their_file_says(tmp_path: Path) -> None:
    game = load(tmp_path, game=GAME.replace("effects: {keywords: words.yaml, fields: [does]}\n", ""))
    assert game.component("frogs").cards[0].fields["does"][0] == "Hop 2"
    assert game.effects is None
