"""The set-up button: its script is run by a Lua interpreter, on a table of our own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import lupa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import cardgen
from cardgen.exporting.tts.memos import memo_of
from cardgen.exporting.tts.setup import quoted

from .tts_games import Deck

TABLE = """size: [600mm, 500mm]
steps:
%s
items:
  - {deck: cards, name: 'The "pile"', shuffle: true, at: [0mm, 0mm]}
  - {note: For Blue, name: Blue note, seat: Blue, at: [0mm, 100mm]}
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
MOCK = """
local log = {}
objects, Player, hands, said = {}, {}, {}, {}
function getObjects() return objects end
function broadcastToAll(text) table.insert(said, text) end
function add(memo, count, state)
  local each = {memo = memo, cards = {}, state = ""}
  for number = 1, count do each.cards[number] = number end
  each.shuffle = function() each.shuffled = true end
  each.getQuantity = function() return #each.cards end
  each.deal = function(number, color)
    hands[color] = (hands[color] or 0) + number
    for _ = 1, number do table.remove(each.cards) end
  end
  each.takeObject = function(wish)
    table.remove(each.cards)
    each.taken = each.taken or {}
    table.insert(each.taken, wish)
    if #each.cards == 1 then
      each.remainder = {setPosition = function(at) each.last = at end, setRotation = function() end}
    end
  end
  each.destruct = function() each.gone = true end
  table.insert(objects, each)
  return each
end
function sit(...)
  for _, color in ipairs({"Red", "Blue"}) do Player[color] = {seated = false} end
  for _, color in ipairs({...}) do Player[color].seated = true end
end
self = {
  buttons = 0,
  createButton = function(button) self.buttons = self.buttons + 1; self.name = button.click_function end,
  clearButtons = function() self.buttons = 0 end,
}
"""


class Mock:
    """The table of an export as its script sees it."""

    def __init__(self, save: dict[str, Any], *seated: str) -> None:
        self.lua = lupa.LuaRuntime(unpack_returned_tuples=True)
        self.lua.execute(MOCK)
        self.things: dict[str, Any] = {}
        for each in save["ObjectStates"]:
            memo = memo_of(each)
            assert memo is not None
            add = self.lua.globals().add
            self.things[memo.identity] = add(each["Memo"], len(each.get("ContainedObjects", ())), "")
        self.lua.globals().sit(*seated)
        (button,) = (each for each in save["ObjectStates"] if each["Name"] == "BlockSquare")
        self.lua.execute(button["LuaScript"])
        self.lua.globals().onLoad("")

    def press(self) -> None:
        own = self.lua.globals()
        assert own["self"].buttons == 1
        own[own["self"].name](None, "Red")

    @property
    def hands(self) -> dict[str, int]:
        return dict(self.lua.globals().hands)

    @property
    def said(self) -> list[str]:
        return list(self.lua.globals().said.values())


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


def test_what_a_step_has_too_few_cards_for_is_said(deck: Deck) -> None:
    mock = Mock(made(deck, "{deal: 'The \"pile\"', cards: 4}"), "Red", "Blue")
    mock.press()
    assert mock.hands == {}
    assert mock.said == ["There are too few cards to deal."]


def test_all_of_a_pile_can_be_laid_out(deck: Deck) -> None:
    mock = Mock(made(deck, "{place: 'The \"pile\"', cards: 9, at: [0mm, 0mm], step: [0mm, 25.4mm]}"), "Red")
    mock.press()
    pile = mock.things['deck/cards/The "pile"/']
    assert len(pile.taken) == 5
    assert dict(pile.last) == {1: 0, 2: 1.6, 3: -5}


def test_nobody_at_the_table(deck: Deck) -> None:
    mock = Mock(made(deck, "{shuffle: 'The \"pile\"'}"))
    mock.press()
    assert mock.said == ["Nobody sits at the table."]
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
    ("step", "message"),
    [
        ("{shuffle: The pile}", "there is no pile or bag called 'The pile'"),
        ("{shuffle: Own, cards: 2}", "'cards' means nothing to shuffle"),
        ("{deal: Own}", "deal needs cards"),
        ("{place: Own}", "place needs at"),
        ("{deal: Own, shuffle: Own, cards: 1}", "not shuffle and deal"),
        ("{players: 2}", "a step is one of"),
        ("{shuffle: Own, players: 3}", "there are 2 seats"),
    ],
)
def test_steps_that_cannot_be(deck: Deck, step: str, message: str) -> None:
    with pytest.raises(cardgen.CardgenError) as refused:
        made(deck, step)
    (finding,) = (each for each in refused.value.findings if each.severity is cardgen.Severity.ERROR)
    assert finding.code == "table/step"
    assert message in finding.message
    assert finding.location is not None
    assert finding.location.line == 3


@given(st.text())
def test_any_text_is_the_same_in_lua(text: str) -> None:
    lua = lupa.LuaRuntime(encoding=None)
    try:
        whole = text.encode("utf-8")
    except UnicodeEncodeError:
        return
    assert lua.eval(quoted(text).encode("utf-8")) == whole
