"""MindNet's deck lists: the starters are legal, what a player gets wrong is refused for its reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import cardgen
from cardgen.cli.main import main
from cardgen.commands.check.check import examine
from cardgen.core.game import DeckList, Game
from tests.for_each import for_each
from tests.sampling import one_in
from tests.shipped import shipped

pytestmark = pytest.mark.usefixtures("read_once")

ROOT = Path(__file__).resolve().parent.parent
Deck = list[tuple[str, str]]
"""A deck's lines: copies and name, as a player writes them."""


def game() -> Game:
    return shipped("mindnet")


@cache
def titles() -> dict[str, str]:
    """The title of each card, by its id."""
    return {card.id: str(card.fields["title"]) for card in game().component("cards").cards}


@cache
def types() -> dict[str, str]:
    """The type of each card, by its title."""
    return {str(card.fields["title"]): str(card.fields["type"]) for card in game().component("cards").cards}


def starter(number: int = 0) -> Deck:
    return [(str(entry.copies), titles()[entry.card]) for entry in game().decks[number].entries]


def text(deck: Deck) -> str:
    return "".join(f"{copies} {name}\n" for copies, name in deck)


def table(deck: Deck) -> str:
    return "copies,name\n" + "".join(f'{copies},"{name}"\n' for copies, name in deck)


def as_yaml(deck: Deck) -> str:
    return "title: Mine\ncards:\n" + "".join(f'  "{name}": {copies}\n' for copies, name in deck)


def changed(line: int, copies: str | None = None, name: str | None = None) -> Deck:
    deck = starter()
    deck[line] = (copies or deck[line][0], name or deck[line][1])
    return deck


def of_type(*wanted: str) -> Deck:
    return [("3", name) for name, kind in types().items() if kind in wanted][:17]


@cache
def bad() -> dict[str, tuple[str, str, list[str]]]:
    """The ending of each deck's file, what it holds, and the codes of the findings that fail it."""
    return {
        "a card less than fifty": (".txt", text(starter()[:-1]), ["rule/deck-size"]),
        "one card": (
            ".txt",
            f"1 {starter()[0][1]}\n",
            ["rule/deck-opening", "rule/deck-people", "rule/deck-second-turn", "rule/deck-size"],
        ),
        "four copies": (".txt", text(changed(-1, copies="4")), ["rule/deck-copies"]),
        "four copies as a table": (".csv", table(changed(-1, copies="4")), ["rule/deck-copies"]),
        "four copies as YAML": (".yaml", as_yaml(changed(-1, copies="4")), ["rule/deck-copies"]),
        "four copies in two lines": (
            ".txt",
            text([*changed(-1, copies="3"), ("1", starter()[-1][1])]),
            ["rule/deck-copies"],
        ),
        "ten of each": (
            ".txt",
            text([("10", name) for _, name in starter()]),
            ["rule/deck-copies"] * len(starter()),
        ),
        "a misspelt name": (
            ".txt",
            text(changed(2, name=starter()[2][1][:-1] + "x")),
            ["deck/unknown-card"],
        ),
        "a name of another game": (".csv", table(changed(2, name="FBI Raid Squad")), ["deck/unknown-card"]),
        "a name of another component": (
            ".yaml",
            as_yaml(changed(2, name="Turn aid")),
            ["deck/unknown-card"],
        ),
        "two unknown names": (
            ".txt",
            text([*starter(), ("1", "Nobody Here"), ("2", "Nowhere Near")]),
            ["deck/unknown-card"] * 2,
        ),
        "no copies": (".txt", text(changed(1, copies="0")), ["deck/copies"]),
        "less than none": (".csv", table(changed(1, copies="-2")), ["deck/copies"]),
        "no copies as YAML": (".yaml", as_yaml(changed(1, copies="0")), ["schema/minimum"]),
        "half a card": (".txt", text(changed(1, copies="1.5")), ["deck/copies"]),
        "half a card as YAML": (".yaml", as_yaml(changed(1, copies="1.5")), ["schema/type"]),
        "copies in words": (".csv", table(changed(1, copies="two")), ["deck/copies"]),
        "too many to count": (".txt", text(changed(1, copies="9" * 5000)), ["deck/line"]),
        "a name alone": (".txt", text(starter()) + starter()[0][1] + "\n", ["deck/line"]),
        "a number alone": (".txt", text(starter()) + "3\n", ["deck/line"]),
        "nothing at all": (".txt", "", ["deck/empty"]),
        "only remarks": (".txt", "# nothing yet\nIndividuals:\n", ["deck/empty"]),
        "a card twice as YAML": (".yaml", as_yaml([*starter(), starter()[0]]), ["yaml/duplicate-key"]),
        "no column of names": (".csv", "copies,price\n3,4\n", ["deck/columns"]),
        "a quote left open": (".csv", '3,"' + starter()[0][1] + "\n", ["deck/table"]),
        "not UTF-8": (".txt", "\udcff3 Populist\n", ["file/encoding"]),
        "a picture": (".txt", "\udc89PNG\r\n\x1a\n", ["file/encoding"]),
        "nobody to hire": (
            ".txt",
            text(of_type("item", "possession")),
            ["rule/deck-opening", "rule/deck-people", "rule/deck-second-turn"],
        ),
        "nothing but people": (".txt", text(of_type("individual")), ["rule/deck-people"]),
    }


MORE = {"rule/deck-prices", "rule/deck-curve"}
"""Said too of decks that are wrong as a whole: how much depends on their cards."""


@pytest.mark.parametrize("first", one_in(6, range(6)))
def test_an_illegal_deck_is_refused_for_its_reason(
    first: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cardgen, "load", lambda game, **_: {"mindnet": game()}[game])
    for name, (ending, content, codes) in list(bad().items())[first::6]:
        file = tmp_path / f"mine{ending}"
        file.write_bytes(content.encode("utf-8", "surrogateescape"))
        words = ["check", "mindnet", "--project", str(ROOT), "--deck", str(file)]
        assert main([*words, "--format", "json", "--fail-on", "warning"]) == 1, name
        found = json.loads(capsys.readouterr().out)["findings"]
        wrong = [one for one in found if one["severity"] != "note"]
        assert sorted(one["code"] for one in wrong if one["code"] not in MORE) == sorted(codes), name
        assert {one["file"] for one in found} == {file.as_posix()}, name
        assert all(one["line"] for one in found if "more" not in one["message"]), name


def test_there_are_more_than_twenty_illegal_decks() -> None:
    assert len(bad()) > 20


@for_each("deck", game().decks, ids=lambda deck: deck.id)
def test_a_starter_is_legal_and_its_hands_are_bounded(deck: DeckList) -> None:
    assert deck.copies == 50
    assert max(entry.copies for entry in deck.entries) <= 3
    found = examine(game(), decks=[deck])
    assert [one for one in found.findings if one.severity is not cardgen.Severity.NOTE] == []
    judged = {result.rule.id: result for result in found.results}
    for id in (
        "deck-size",
        "deck-starters",
        "deck-copies",
        "deck-opening",
        "deck-second-turn",
        "deck-curve",
    ):
        assert judged[id].verdict.value == "pass"
    chance = judged["deck-opening"].measures[0]
    assert isinstance(chance.value, float)
    assert chance.exact


def test_the_starters_are_different_decks() -> None:
    first, second = ({entry.card for entry in deck.entries} for deck in game().decks)
    assert len(first & second) <= len(first) // 4


def test_spares_of_a_unique_individual_get_a_note() -> None:
    notes = [
        one.message
        for deck in game().decks
        for one in examine(game(), ["deck-uniques"], decks=[deck]).findings
    ]
    spare = [entry for deck in game().decks for entry in deck.entries if entry.copies > 1]
    unique = {card.id for card in game().component("cards").cards if card.fields.get("unique")}
    people = {id for id in unique if types()[titles()[id]] == "individual"}
    assert len(notes) == sum(entry.card in people for entry in spare)
    assert all("only one can be in play" in note for note in notes)


@for_each("write", [(".txt", text), (".csv", table), (".yaml", as_yaml)], ids=lambda pair: pair[0])
@for_each("number", lambda: range(len(game().decks)))
def test_a_starter_copied_by_hand_is_the_same_deck(
    number: int, write: tuple[str, Callable[[Deck], str]], tmp_path: Path
) -> None:
    file = tmp_path / f"mine{write[0]}"
    file.write_text(write[1](starter(number)), encoding="utf-8")
    deck = cardgen.load_deck(game(), file)
    assert [(entry.card, entry.copies) for entry in deck.entries] == [
        (entry.card, entry.copies) for entry in game().decks[number].entries
    ]
    assert not [one for one in examine(game(), decks=[deck]).findings if one.severity.value == "error"]
