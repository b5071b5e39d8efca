"""A game.yaml that does not fit its schema hides nothing else that is wrong with what it names."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.core.findings import CardgenError, Severity
from cardgen.game.loading import load_game
from tests.for_each import for_each

from .test_game import Fox


@pytest.fixture
def fox(tmp_path: Path) -> Fox:
    """A game with a slip of each kind that rests on nothing else."""
    fox = Fox(tmp_path)
    fox.edit("game.yaml", "trim: poker", "trim: pokre")
    fox.edit("game.yaml", "{layout: tokens,", "{layout: tokns,")
    fox.edit("game.yaml", "data: tokens.yaml", "data: tokns.yaml")
    fox.edit("game.yaml", "back: back.svg", "back: bakc.svg")
    fox.edit("cards.yaml", "cost: 2", "cost: -2")
    return fox


SAID = {
    "reference/size components.cards.trim",
    "reference/layout sheets.round.layout",
    "reference/data components.tokens.data",
    "reference/template components.cards.back",
    "schema/minimum cards[1].cost",
}


def said(fox: Fox) -> set[str]:
    with pytest.raises(CardgenError) as error:
        load_game(fox.paths, "fox")
    found = [f"{each.code} {each.location.path if each.location else ''}" for each in error.value.findings]
    assert len(set(found)) == len(found), found
    return set(found)


@pytest.mark.parametrize(
    ("old", "new", "own"),
    [
        ("version: 1.0.0", "version: 1.5", "schema/type version"),
        ("title: Fox", "titel: Fox", "schema/unknown-key titel"),
        ("theme: {ink", "language: klingon-is-odd-indeed\ntheme: {ink", "schema/pattern language"),
        ("author:", "languages: {de: {mising: source}}\nauthor:", "schema/unknown-key languages.de.mising"),
        ("players: {min: 2, max: 4}", "players: {min: 2}", "schema/required players"),
        ("    kind: card\n", "    kind: crad\n", "schema/enum components.cards.kind"),
        ("    title: Tokens\n", "    title: [Tokens]\n", "schema/type components.tokens.title"),
        ("[tokens]}", "[tokens], sides: 2}", "schema/unknown-key sheets.round.sides"),
    ],
)
def test_one_key_hides_nothing_that_others_name(fox: Fox, old: str, new: str, own: str) -> None:
    assert said(fox) == SAID
    fox.edit("game.yaml", old, new)
    assert said(fox) == SAID | {own}


def test_the_least_players_are_not_above_the_most_though_another_key_is_wrong(fox: Fox) -> None:
    fox.edit("game.yaml", "players: {min: 2, max: 4}", "players: {min: 5, max: 4}")
    fox.edit("game.yaml", "title: Fox", "titel: Fox")
    assert {"game/players players.min", "schema/unknown-key titel"} <= said(fox)


def test_what_rests_on_a_wrong_key_is_not_made_up(fox: Fox) -> None:
    """No card is for a number of players that the game does not say, and no sheet lacks a component whose
    key is misspelt."""
    fox.edit("game.yaml", "components:\n  cards", "componets:\n  cards")
    for _ in range(2):  # in one process, as a server loads it
        assert said(fox) == {"schema/unknown-key componets", "reference/layout sheets.round.layout"}
    fox.edit("game.yaml", "max: 4}", "max: four}")
    fox.edit("game.yaml", "componets:\n  cards", "components:\n  cards")
    fox.edit("game.yaml", "data: tokns.yaml", "data: tokens.yaml")
    assert said(fox) == SAID - {"reference/data components.tokens.data"} | {"schema/type players.max"}


@for_each("text", ["card.card\n...\n", "- a\n- b\n", "7\n"])
@for_each("partial", [False, True])
def test_a_game_that_is_no_mapping_is_said(text: str, partial: bool, tmp_path: Path) -> None:
    fox = Fox(tmp_path)
    fox.write("data/fox/game.yaml", text)
    with pytest.raises(CardgenError) as error:
        load_game(fox.paths, "fox", partial=partial)
    assert [each.code for each in error.value.findings if each.severity is Severity.ERROR] == [
        "schema/type"
    ]
