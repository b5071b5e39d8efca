"""`cardgen reference`: written beside the data, or held against what is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cardgen
from cardgen.commands.data.reference import card_reference
from cardgen.core.game import Effects
from cardgen.game.effect_language import read_language

Run = Callable[..., tuple[int, str, str]]


def test_writing_and_checking(demo: Path, run: Run, edit: Callable[[str, str, str], Path]) -> None:
    path = demo / "data/demo/GAME_CARDS.md"
    code, _, err = run("reference", "demo", "--check")
    assert code == 1
    assert "GAME_CARDS.md does not exist; run: cardgen reference demo" in err
    assert run("reference", "demo")[0] == 0
    first = path.read_bytes()
    assert run("reference", "demo", "--check") == (0, "demo: the card reference is up to date\n", "")
    edit("data/demo/cards.yaml", "title: Old Oak", "title: Older Oak")
    code, _, err = run("reference", "demo", "--check")
    assert code == 1
    assert "GAME_CARDS.md is out of date; run: cardgen reference demo" in err
    assert path.read_bytes() == first, "--check writes nothing"
    assert run("reference", "demo")[0] == 0
    assert b"Older Oak" in path.read_bytes()
    assert run("reference", "demo", "--check")[0] == 0


def test_a_game_that_ships_with_cardgen_needs_a_place(demo: Path, run: Run, tmp_path: Path) -> None:
    game = "hackers"
    code, _, err = run("reference", game)
    assert code == 2
    assert "--output FILE" in err
    target = tmp_path / "cards.md"
    assert run("reference", game, "--output", str(target))[0] == 0
    assert run("reference", game, "--check", "--output", str(target))[0] == 0
    assert target.read_text(encoding="utf-8").startswith("# ")


def test_one_place_is_for_one_game(run: Run, tmp_path: Path) -> None:
    code, _, err = run("reference", "demo", "demo", "--output", str(tmp_path / "x.md"))
    assert code == 2
    assert "one game" in err


def test_effects_stand_as_they_are_printed(demo: Path) -> None:
    table = {"keywords": {"hop": {"print": "**Hop** {far}", "parameters": {"far": {"type": "number"}}}}}
    language, problems = read_language(table)
    assert problems == []
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    (cards,) = game.components
    hops = [{"do": "hop", "far": 2}, {"do": "hop", "far": 5}]
    first = replace(cards.cards[0], fields={**cards.cards[0].fields, "text": hops})
    component = replace(cards, cards=(first,))
    text = card_reference(replace(game, components=(component,), effects=Effects(language, ("text",))))
    (row,) = [line for line in text.splitlines() if "`early-bird`" in line]
    assert "Hop 2; Hop 5;" in row
