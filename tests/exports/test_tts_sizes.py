"""How sharp cards are on atlases, and how large things are on the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.core.geometry import Size
from cardgen.exports.cells import most_cells, plan_grid
from tests.for_each import for_each
from tests.wording import Wording

from .test_tts_setup import made
from .tts_games import Deck, everything


@pytest.fixture
def deck(tmp_path: Path) -> Deck:
    return Deck(tmp_path)


def test_cards_with_fewer_pixels_than_asked_are_told_of(deck: Deck, wording: Wording) -> None:
    deck.make(12)
    result = deck.export(dpi=100, **{"max-texture": 800})
    (note,) = (each for each in result.findings if each.code == "tts/sharpness")
    wording(note, "100", "12", "800")
    result = deck.export(dpi=100, sharp=True, **{"max-texture": 800})
    assert all(each.code != "tts/sharpness" for each in result.findings)
    (pile,) = deck.save("objects/Cards.json")["ObjectStates"]
    assert set(pile["CustomDeck"]) == {"1", "2"}
    assert {id // 100 for id in pile["DeckIDs"]} == {1, 2}
    result = deck.export(dpi=300, sharp=True, **{"max-texture": 800})
    (note,) = (each for each in result.findings if each.code == "tts/sharpness")
    assert note.hint == "--max-texture 8192"


@for_each("dpi", [30, 100, 300, 600])
@for_each("trim", [Size(63.5, 88.9), Size(88.9, 63.5), Size(10, 10), Size(300, 200)])
def test_so_many_cells_have_all_their_pixels(trim: Size, dpi: int) -> None:
    count = most_cells(trim, dpi, 4096)
    cell = plan_grid(count, trim, dpi, 4096).cell
    assert count == 1 or cell == plan_grid(1, trim, dpi, 1 << 20).cell


def test_native_cards_have_the_size_of_the_programs_own(deck: Deck) -> None:
    step = "{place: 'The \"pile\"', at: [127mm, 0mm]}"
    true = made(deck, step)["ObjectStates"]
    deck.export(scale="native")
    native = deck.save()["ObjectStates"]
    pile = next(each for each in native if each["Name"] == "DeckCustom")
    assert pile["Transform"]["scaleX"] == pytest.approx(1.0, abs=0.01)
    for was, each in zip(everything(true), everything(native), strict=True):
        factor = 56 / 63.5
        place = each["Transform"]
        assert (
            place["posX"] == pytest.approx(was["Transform"]["posX"] * factor, abs=1e-4)
            or each["Name"] == "BlockSquare"
        )
        own = each["Name"] in ("Bag", "Notecard", "BlockSquare")
        assert place["scaleX"] == pytest.approx(
            was["Transform"]["scaleX"] * (1 if own else factor), abs=1e-4
        )
        assert place["scaleY"] == was["Transform"]["scaleY"]
    (script,) = (each["LuaScript"] for each in native if each["LuaScript"])
    assert "1, {4.40945, 1.6, 0}" in script.replace("-0", "0")


def test_like_tokens_stack(deck: Deck) -> None:
    save = made(deck, "{clear: free seats}")
    tiles = [each for each in everything(save["ObjectStates"]) if each["Name"] == "Custom_Tile"]
    assert tiles
    assert all(each["CustomImage"]["CustomTile"]["Stackable"] for each in tiles)
