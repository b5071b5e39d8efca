"""A game that is loaded again, with what was read before, is the game that its files say."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cardgen
from cardgen.core.findings import CardgenError, Finding
from cardgen.core.game import Game
from cardgen.game.loading import load_game
from cardgen.game.sources import KeptFiles

Edit = Callable[[str, str, str], Path]
CARDS, GAME = "data/demo/cards.yaml", "data/demo/game.yaml"
SCHEMA = "schemas/demo/cards.schema.json"
OTHER = "schemas/demo/words.schema.json"


def load(demo: Path, kept: KeptFiles | None = None) -> tuple[Game | None, list[Finding]]:
    paths = cardgen.Project.open(demo).paths
    try:
        game, findings = load_game(paths, "demo", partial=True, kept=kept)
    except CardgenError as error:
        return None, list(error.findings)
    return game, findings.sorted()


def plain(game: Game | None) -> Any:
    """All of a game but the object that finds places."""
    return None if game is None else repr(replace(game, locator=None))  # type: ignore[arg-type]


def compare(demo: Path, kept: KeptFiles) -> Game | None:
    """Load with what was kept, and hold it against the game as it is."""
    game, findings = load(demo, kept)
    fresh, said = load(demo)
    assert findings == said
    assert plain(game) == plain(fresh)
    if game is not None and fresh is not None:
        for card, other in zip(game.cards(), fresh.cards(), strict=True):
            lines = game.locator.lines(card.file, card.path)
            assert lines == fresh.locator.lines(other.file, other.path)
            assert lines[0] == game.where(card).line
            assert lines[1] == {key: fresh.where(other, key).line for key in lines[1]}
            assert lines[1].keys() <= card.fields.keys()
    return game


STEPS = [
    (CARDS, "title: Old Oak", "title: Older Oak"),
    (CARDS, "value: 5", "value: 55"),  # too large
    (CARDS, "title: Long Lunch", "title: Short Lunch"),
    (CARDS, "value: 55", "value: 5"),
    (CARDS, "cards:\n", "# a line\n\ncards:\n"),
    (CARDS, "- id: gardener", "- id: old-oak"),  # twice
    (CARDS, "suit: leaf\n    value: 2", "suit: leaf\n    strange: 1\n    value: 2"),
    (CARDS, "    strange: 1\n", ""),
    (CARDS, "- id: old-oak\n    title: Gardener", "- id: gardener\n    title: Gardener"),
    (SCHEMA, '"title": {', '"more": {"default": [1, {"a": 2}]}, "title": {'),
    (CARDS, "title: Full Moon", "title: Half Moon"),
    (SCHEMA, '"default": [1', '"default": [3'),
    (CARDS, "title: Half Moon", "title: &anchor Half Moon"),
    (CARDS, "title: Early Bird", "title: Late Bird"),
    (CARDS, "title: &anchor Half Moon", "title: Half Moon"),
    (SCHEMA, '"type": "array",', '"type": "array", "minItems": 7,'),
    (CARDS, "title: Late Bird", "title: Bird"),
    (SCHEMA, '"minItems": 7,', '"contains": {"required": ["more"]},'),
    (CARDS, "title: Bird", "title: Early Bird"),
    (SCHEMA, '"contains": {"required": ["more"]},', ""),
    (SCHEMA, '"type": "object",', '"type": "objec",'),
    (CARDS, "title: Night Owl", "title: Owl"),
    (SCHEMA, '"type": "objec",', '"type": "object",'),
    (GAME, "version: 0.1.0", "version: 0.2.0"),
    (GAME, "trim: poker", "trim: pokre"),
    (GAME, "trim: pokre", "trim: {by: suit, of: {sun: poker, moon: poker, leaf: tarot}}"),
    (CARDS, "suit: leaf\n    value: 2", "suit: moon\n    value: 2"),
]


def test_step_by_step(demo: Path, edit: Edit) -> None:
    kept = KeptFiles()
    compare(demo, kept)
    for step in STEPS:
        edit(*step)
        compare(demo, kept)


def test_unchanged_cards_are_the_same_objects(demo: Path, edit: Edit) -> None:
    kept = KeptFiles()
    before = compare(demo, kept)
    again = compare(demo, kept)
    edit(CARDS, "title: Old Oak", "title: Older Oak")
    after = compare(demo, kept)
    assert before is not None
    assert again is not None
    assert after is not None
    assert all(card is other for card, other in zip(before.cards(), again.cards(), strict=True))
    same = [card is other for card, other in zip(before.cards(), after.cards(), strict=True)]
    assert same == [True] * 5 + [False]
    assert next(before.cards()).fields is next(after.cards()).fields
    assert [card.fields["title"] for card in before.cards()][-1] == "Old Oak"


def test_effects_are_read_anew_with_their_table(demo: Path, edit: Edit) -> None:
    (demo / "data/demo/keywords.yaml").write_text(
        "punctuation: {end: ., either: or, both: and, condition: If, then: ':', minus: '-'}\n"
        "keywords:\n  draw:\n    print: '**Draw** {count}'\n    short: ['draw {count}']\n"
        "    parameters: {count: {type: number, min: 1, max: 9}}\n",
        "utf-8",
    )
    edit(GAME, "version:", "effects: {keywords: keywords.yaml, fields: [effect]}\nversion:")
    edit(CARDS, "  - id: early-bird\n", "  - id: early-bird\n    effect: [draw 1]\n")
    edit(SCHEMA, '"title": {', '"effect": {}, "title": {')
    kept = KeptFiles()
    first = compare(demo, kept)
    edit(CARDS, "title: Old Oak", "title: Older Oak")
    second = compare(demo, kept)
    assert first is not None
    assert second is not None
    assert next(first.cards()) is next(second.cards())
    for old, new in (("max: 9", "max: 8"), ("['draw", "['take"), ("['take", "['draw")):
        edit("data/demo/keywords.yaml", old, new)
        compare(demo, kept)
    edit(CARDS, "[draw 1]", "[draw 99]")
    compare(demo, kept)


def test_a_schema_that_comes_later(demo: Path, edit: Edit) -> None:
    (demo / "data/demo/words.yaml").write_text("oak: 1\n", "utf-8")
    edit(GAME, "sheets:", "tables: [words.yaml]\nsheets:")
    kept = KeptFiles()
    compare(demo, kept)
    (demo / OTHER).write_text('{"type": "object", "properties": {"oak": {"type": "string"}}}', "utf-8")
    compare(demo, kept)
    (demo / OTHER).write_text('{"type": "object", "properties": {"elm": {"default": 3}}}', "utf-8")
    game = compare(demo, kept)
    assert game is not None
    assert game.tables["words"] == {"oak": 1, "elm": 3}
    (demo / OTHER).unlink()
    game = compare(demo, kept)
    assert game is not None
    assert game.tables["words"] == {"oak": 1}


def test_a_file_before_the_bundled_one_of_its_name(demo: Path) -> None:
    kept = KeptFiles()
    compare(demo, kept)
    bundled = cardgen.Project.open(demo).paths.roots[-1] / "data/sizes.yaml"
    (demo / "data/sizes.yaml").write_bytes(bundled.read_bytes().replace(b"63.5mm", b"63mm"))
    compare(demo, kept)
    os.unlink(demo / "data/sizes.yaml")
    compare(demo, kept)


def test_a_template_that_cards_name_goes_and_comes_back(demo: Path, edit: Edit) -> None:
    template, aside = demo / "templates/demo/own.svg", demo / "own.svg"
    template.write_bytes((demo / "templates/demo/card.svg").read_bytes())
    edit(SCHEMA, '"title": {', '"face": {}, "title": {')
    edit(CARDS, "- id: old-oak\n", "- id: old-oak\n    face: own.svg\n")
    edit(CARDS, "- id: gardener\n", "- id: gardener\n    face: own.svg\n")
    kept = KeptFiles()
    compare(demo, kept)
    template.rename(aside)
    game = compare(demo, kept)
    assert game is not None
    assert {("card", "old-oak"), ("card", "gardener")} <= set(game.left_out)
    aside.rename(template)
    game = compare(demo, kept)
    assert game is not None
    assert {card.face for card in game.cards()} == {"demo/card.svg", "demo/own.svg"}


def test_cards_with_icons_in_brackets_stay_the_same_objects(demo: Path, edit: Edit) -> None:
    edit(GAME, "data: cards.yaml\n", "data: cards.yaml\n    markup: {icons: {Sun: sun}, fields: [title]}\n")
    kept = KeptFiles()
    before = compare(demo, kept)
    edit(CARDS, "title: Old Oak", "title: Older [Sun]")
    after = compare(demo, kept)
    assert before is not None
    assert after is not None
    same = [card is other for card, other in zip(before.cards(), after.cards(), strict=True)]
    assert same == [True] * 5 + [False]
    edit(GAME, "{Sun: sun}", "{Sun: moon}")
    compare(demo, kept)
