"""The set-up button: its script is run by a Lua interpreter, on a table of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import lupa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from PIL import Image

import cardgen
from cardgen.exports.tts_saves import quoted
from tests.wording import Wording

from .tts_games import Deck
from .tts_lua import Mock

ROOT = Path(__file__).resolve().parent.parent.parent
LUA = lupa.LuaRuntime(encoding=None)
SCHEMA = json.loads((ROOT / "schemas/tts-save.schema.json").read_text(encoding="utf-8"))
TABLE = """size: [600mm, 500mm]
steps:
%s
items:
  - {deck: cards, name: 'The "pile"', shuffle: true, at: [0mm, 0mm]}
  - {note: For Blue, name: Blue note, seat: Blue, at: [0mm, 100mm]}
  - {zone: Spare, at: [200mm, 0mm], size: [90mm, 90mm]}
each_seat:
  - {bag: markers, name: Bag, shuffle: true, at: [0mm, -80mm]}
  - {deck: spare, name: Own, at: [80mm, -80mm]}
seats:
  - {color: Red, at: [0mm, 250mm]}
  - {color: Blue, at: [0mm, -250mm], turn: 180}
"""
EXTRA = """  markers:
    title: Markers
    kind: token
    trim: [20mm, 20mm]
    data: markers.yaml
    schema: markers.schema.json
    face: card.svg
  spare:
    title: Spare
    kind: card
    trim: poker
    data: spare.yaml
    schema: spare.schema.json
    face: card.svg
"""


@pytest.fixture
def deck(tmp_path: Path) -> Deck:
    return Deck(tmp_path)


def made(deck: Deck, *steps: str) -> dict[str, Any]:
    lines = "\n".join(f"  - {step}" for step in steps)
    table = TABLE % lines if steps else TABLE.replace("steps:\n%s\n", "")
    deck.make(6, table=table, extra=EXTRA)
    game = deck.root / "data/tiny/game.yaml"
    text = game.read_text(encoding="utf-8")
    deck.write("data/tiny/game.yaml", text.replace("components: [cards]", "components: [cards, spare]"))
    for id in ("markers", "spare"):
        for path in ("data/tiny/cards.yaml", "schemas/tiny/cards.schema.json"):
            text = (deck.root / path).read_text(encoding="utf-8")
            text = text.replace("cards:", f"{id}:").replace('"cards"', f'"{id}"')
            deck.write(path.replace("cards", id), text)
    deck.export()
    return deck.save()


def test_steps_are_done_for_those_who_sit_there(deck: Deck) -> None:
    save = made(
        deck,
        "{clear: free seats}",
        "{shuffle: 'The \"pile\"'}",
        "{deal: 'The \"pile\"', cards: 2}",
        "{deal: spare, cards: 1}",
        "{place: 'The \"pile\"', cards: 2, at: [50.8mm, 25.4mm], step: [25.4mm, 0mm], players: [1, 2]}",
        "{deal: 'The \"pile\"', cards: 1, players: 2}",
    )
    mock = Mock(save, "Red")
    mock.press()
    pile = mock.things['deck/cards/The "pile"/']
    assert pile.shuffled
    assert mock.hands == {"Red": 3}
    assert [dict(each.position) for each in pile.taken.values()] == [
        {1: 2, 2: 1.6, 3: -1},
        {1: 3, 2: 1.6, 3: -1},
    ]
    assert [dict(each.rotation) for each in pile.taken.values()] == [{1: 0, 2: 180, 3: 0}] * 2
    gone = {name for name, each in mock.things.items() if each.gone}
    assert gone == {"note/Blue note/For Blue/Blue", "bag/markers/Bag/Blue", "deck/spare/Own/Blue"}
    assert mock.said == []
    own = mock.lua.globals()
    assert (own["self"].buttons, own.onSave()) == (0, "done")
    own.onLoad("done")
    assert own["self"].buttons == 0, "a game under way is not set up again"


ZONES = """size: [600mm, 500mm]
steps:
  - {clear: free seats}
  - {place: pile, in: Genies, cards: 2, step: [25.4mm, 0mm], face: down}
  - {place: pile, in: Row}
items:
  - {deck: cards, name: pile, at: [0mm, 0mm]}
  - {zone: Row, at: [50.8mm, 0mm], size: [254mm, 127mm]}
  - {zone: Unseen, at: [0mm, 100mm], size: [80mm, 100mm], hides: all}
each_seat:
  - {zone: Genies, at: [0mm, -101.6mm], size: [127mm, 50.8mm], hides: others, turn: 90}
  - {zone: Draft, at: [120mm, 60mm], size: [100mm, 50mm], hand: true}
seats:
  - {color: Red, at: [0mm, 254mm]}
  - {color: Blue, at: [0mm, -254mm], turn: 180}
"""


def test_zones_are_there_for_players_and_scripts(deck: Deck) -> None:
    deck.make(8, table=ZONES).export()
    save = deck.save()
    assert not [error.message for error in Draft202012Validator(SCHEMA).iter_errors(save)]
    by_name: dict[str, list[dict[str, Any]]] = {}
    for each in save["ObjectStates"]:
        by_name.setdefault(each["Nickname"], []).append(each)
    (row,), (unseen,) = by_name["Row"], by_name["Unseen"]
    assert (row["Name"], row["Locked"], "Tags" in row) == ("ScriptingTrigger", True, False)
    where = row["Transform"]
    assert (where["posX"], where["scaleX"], where["scaleZ"]) == (2, 10, 5)
    assert (unseen["Name"], unseen["FogColor"]) == ("FogOfWarTrigger", "Black")
    genies = {each["FogColor"]: each for each in by_name["Genies"]}
    assert {each["FogReverseHiding"] for each in genies.values()} == {False}
    assert {color: each["Transform"]["posZ"] for color, each in genies.items()} == {"Red": -6, "Blue": 6}
    hands = [each["Nickname"] for each in save["ObjectStates"] if each["Name"] == "HandTrigger"]
    assert hands == ["", "", "Draft", "Draft"], "where one sits comes first"
    ids = {each["GUID"] for each in save["ObjectStates"]}
    deck.make(9, table=ZONES.replace("at: [50.8mm, 0mm]", "at: [60mm, 0mm]")).export()
    assert ids == {each["GUID"] for each in deck.save()["ObjectStates"]}, "ids stay"


def test_cards_are_laid_out_in_zones(deck: Deck) -> None:
    deck.make(8, table=ZONES).export()
    mock = Mock(deck.save(), "Red")
    mock.press()
    pile = mock.things["deck/cards/pile/"]
    taken = [(dict(each.position), dict(each.rotation)) for each in pile.taken.values()]
    # The zone of Red is turned by 90°, so from one card to the next is towards the player.
    assert taken == [
        ({1: 0, 2: 1.6, 3: -5.5}, {1: 0, 2: 270, 3: 180}),
        ({1: 0, 2: 1.6, 3: -6.5}, {1: 0, 2: 270, 3: 180}),
        ({1: 2, 2: 1.6, 3: 0}, {1: 0, 2: 180, 3: 0}),
    ]
    gone = {name for name, each in mock.things.items() if each.gone}
    assert gone == {"zone/Genies/Blue"}, "hands stay"


def test_what_a_step_has_too_few_cards_for_is_said(deck: Deck, wording: Wording) -> None:
    mock = Mock(made(deck, "{deal: 'The \"pile\"', cards: 4}"), "Red", "Blue")
    mock.press()
    assert mock.hands == {}
    wording(mock.said)


def test_all_of_a_pile_can_be_laid_out(deck: Deck) -> None:
    mock = Mock(made(deck, "{place: 'The \"pile\"', cards: 9, at: [0mm, 0mm], step: [0mm, 25.4mm]}"), "Red")
    mock.press()
    pile = mock.things['deck/cards/The "pile"/']
    assert len(pile.taken) == 5
    assert dict(pile.last) == {1: 0, 2: 1.6, 3: -5}


def test_nobody_at_the_table(deck: Deck, wording: Wording) -> None:
    mock = Mock(made(deck, "{shuffle: 'The \"pile\"'}"))
    mock.press()
    wording(mock.said)
    assert mock.lua.globals()["self"].buttons == 1


def test_without_steps_what_is_to_be_shuffled_is(deck: Deck) -> None:
    mock = Mock(made(deck), "Red")
    mock.press()
    assert {name for name, each in mock.things.items() if each.shuffled} == {
        'deck/cards/The "pile"/',
        "bag/markers/Bag/Red",
        "bag/markers/Bag/Blue",
    }


def test_a_kit_for_the_workshop(deck: Deck) -> None:
    table = "workshop: {minutes: [30, 45], tags: [Card Games]}\nsetup: Take [all] cards.\n"
    deck.make(
        3, table=table + TABLE.split("steps")[0] + "items: [{deck: cards, at: [0mm, 0mm]}]\nseats: []\n"
    )
    path = deck.root / "data/tiny/table.yaml"
    deck.write(
        "data/tiny/table.yaml",
        path.read_text().replace("seats: []", "seats: [{color: Red, at: [0mm, 0mm]}]"),
    )
    deck.export()
    save = deck.save()
    assert (save["PlayingTime"], save["Tags"]) == ([30, 45], ["Card Games"])
    described = (deck.folder / "workshop/description.txt").read_text(encoding="utf-8")
    assert described.startswith(
        "[h1]Tiny[/h1]\n\nSmall.\n\n[list]\n[*] 1 to 2 players\n[*] 30 to 45 minutes\n"
    )
    assert described.endswith("[h2]Set-up[/h2]\nTake (all) cards.\n")
    filled = (deck.folder / "workshop/upload.txt").read_text(encoding="utf-8")
    assert "tags         Card Games\n" in filled
    assert "Cloud Manager" in filled
    with Image.open(deck.folder / "workshop/thumbnail.png") as picture:
        assert picture.size == (512, 512)
    deck.write("data/tiny/table.yaml", path.read_text().replace("[30, 45]", "[45, 30]"))
    with pytest.raises(cardgen.CardgenError) as refused:
        deck.export()
    assert "table/minutes" in {each.code for each in refused.value.findings}


def test_a_table_with_nothing_to_do_has_no_button(deck: Deck) -> None:
    deck.make(3, table=TABLE.split("steps")[0] + "items: [{deck: cards, at: [0mm, 0mm]}]\nseats: []\n")
    deck.write(
        "data/tiny/table.yaml",
        (deck.root / "data/tiny/table.yaml")
        .read_text()
        .replace("seats: []", "seats: [{color: Red, at: [0mm, 0mm]}]"),
    )
    deck.export()
    assert all(each["Name"] != "BlockSquare" for each in deck.save()["ObjectStates"])


@pytest.mark.parametrize(
    "step",
    [
        "{shuffle: The pile}",
        "{shuffle: Own, cards: 2}",
        "{deal: Own}",
        "{place: Own}",
        "{place: Own, at: [0mm, 0mm], in: Spare}",
        "{place: Own, in: Row}",
        "{deal: Own, shuffle: Own, cards: 1}",
        "{players: 2}",
        "{shuffle: Own, players: 3}",
    ],
)
def test_steps_that_cannot_be(deck: Deck, step: str, wording: Wording) -> None:
    with pytest.raises(cardgen.CardgenError) as refused:
        made(deck, step)
    (finding,) = (each for each in refused.value.findings if each.severity is cardgen.Severity.ERROR)
    assert finding.code == "table/step"
    wording(finding)
    assert finding.location is not None
    assert finding.location.line == 3


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_the_same_in_lua(text: str) -> None:
    assert LUA.eval(quoted(text).encode("utf-8")) == text.encode("utf-8")
