"""A game renewed on a designer's own table: what is theirs stays, what is the game's is as it is now."""

from __future__ import annotations

import copy
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import cardgen
from cardgen.exports.tts_objects import memo_of

from .tts_games import BACK, CARD, Deck, everything

TABLE = """size: [600mm, 500mm]
items:
  - {deck: cards, name: Pile, at: [0mm, 0mm], cards: {c1: 2, c2: 1, c3: 1}}
  - {piece: cards/c4, at: [100mm, 0mm]}
  - {note: Hello, name: Note, at: [0mm, 100mm]}
seats:
  - {color: Red, at: [0mm, 250mm]}
  - {color: Blue, at: [0mm, -250mm], turn: 180}
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return tmp_path / "TS_Save_7.json"


@pytest.fixture
def deck(tmp_path: Path) -> Deck:
    return Deck(tmp_path / "project").make(5, table=TABLE)


def saved(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def by_kind(save: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    found = []
    for each in everything(save["ObjectStates"]):
        memo = memo_of(each)
        if memo is not None and memo.identity.split("/")[0] == kind:
            found.append(each)
    return found


def played_with(deck: Deck, mine: Path) -> dict[str, Any]:
    """A table of the export that somebody has made their own."""
    deck.export()
    save = deck.save()
    (pile,) = by_kind(save, "deck")
    pile["Transform"] |= {"posX": 7.5, "rotY": 90.0, "scaleX": pile["Transform"]["scaleX"] * 2}
    pile["LuaScript"] = "-- mine"
    pile["Locked"] = True
    (piece,) = by_kind(save, "piece")
    piece["Tags"].append("my tag")
    save["ObjectStates"].append({**copy.deepcopy(piece), "Memo": "", "GUID": "abcdef", "Nickname": "Other"})
    save["ObjectStates"][-1]["CustomDeck"] = {
        "1": piece["CustomDeck"]["1"] | {"FaceURL": "https://x.org/a"}
    }
    save["LuaScript"], save["SaveName"] = "-- global", "My evening"
    mine.write_text(json.dumps(save), encoding="utf-8")
    return save


def test_a_table_as_it_is_stays_as_it_is(deck: Deck, mine: Path) -> None:
    deck.export()
    mine.write_text(json.dumps(deck.save()), encoding="utf-8")
    before = mine.stat().st_mtime_ns
    deck.export(into=str(mine))
    assert mine.stat().st_mtime_ns == before


def test_objects_that_lost_their_memo_are_recognized_by_their_guids(deck: Deck, mine: Path) -> None:
    deck.export()
    save = deck.save()
    fresh = copy.deepcopy(save)
    everyone = list(everything(save["ObjectStates"]))
    for each in everyone:
        del each["Memo"]
    copied = copy.deepcopy(next(each for each in everyone if not {"CardID", "DeckIDs"} & set(each)))
    save["ObjectStates"].append({**copied, "GUID": "abcdef"})
    mine.write_text(json.dumps(save), encoding="utf-8")
    result = deck.export(into=str(mine))
    new = saved(mine)
    assert new["ObjectStates"][:-1] == fresh["ObjectStates"]
    assert new["ObjectStates"][-1] == save["ObjectStates"][-1]
    notes = {each.code: each.message for each in result.findings}
    assert notes["tts/by-guid"].startswith(f"{len(everyone)} objects ")
    assert f"{len(everyone)} objects updated, 0 added, 0 removed" in notes["tts/merged"]


def test_what_the_designer_made_stays_and_the_game_is_renewed(deck: Deck, mine: Path) -> None:
    old = played_with(deck, mine)
    deck.make(
        6,
        table=TABLE.replace("{c1: 2, c2: 1, c3: 1}", "{c1: 1, c2: 1, c3: 2, c6: 1}"),
        face=CARD + "<!---->",
    )
    deck.write("templates/tiny/card.svg", CARD.replace("60, 90", "90, 60"))
    result = deck.export(into=str(mine))
    new = saved(mine)
    assert (new["SaveName"], new["LuaScript"]) == ("My evening", "-- global")
    (was,), (pile,) = by_kind(old, "deck"), by_kind(new, "deck")
    for key in ("GUID", "Transform", "LuaScript", "Locked"):
        assert pile[key] == was[key]
    names = Counter(card["Nickname"] for card in pile["ContainedObjects"])
    assert names == {"Card 1": 1, "Card 2": 1, "Card 3": 2, "Card 6": 1}
    assert pile["DeckIDs"] == [card["CardID"] for card in pile["ContainedObjects"]]
    fresh = {each["Nickname"]: each for each in everything(deck.save()["ObjectStates"]) if "CardID" in each}
    for card in pile["ContainedObjects"]:
        (atlas,) = card["CustomDeck"].values()
        assert atlas["FaceURL"] == next(iter(fresh[card["Nickname"]]["CustomDeck"].values()))["FaceURL"]
        assert card["CardID"] % 100 == fresh[card["Nickname"]]["CardID"] % 100
        assert str(card["CardID"] // 100) in pile["CustomDeck"]
    (piece,) = by_kind(new, "piece")
    assert piece["Tags"] == ["Cards", "my tag"]
    (other,) = (each for each in new["ObjectStates"] if each["GUID"] == "abcdef")
    assert other == next(each for each in old["ObjectStates"] if each["GUID"] == "abcdef")
    assert "1" not in pile["CustomDeck"], "the key of somebody else's atlas"
    (note,) = (each for each in result.findings if each.code == "tts/merged")
    assert "2 added, 1 removed" in note.message
    assert saved(next((deck.folder / "merged").glob("TS_Save_7 *.json"))) == old
    deck.export(into=str(mine))
    assert saved(mine) == new, "once more changes nothing"


def test_a_card_that_is_no_more_goes_wherever_it_lies(deck: Deck, mine: Path) -> None:
    deck.export()
    save = deck.save()
    (pile,) = by_kind(save, "deck")
    save["ObjectStates"].append(pile["ContainedObjects"].pop(2))  # c2, laid out
    pile["DeckIDs"].pop(2)
    mine.write_text(json.dumps(save), encoding="utf-8")
    deck.make(5, table=TABLE.replace(" c2: 1,", ""))
    deck.write("data/tiny/cards.yaml", (deck.root / "data/tiny/cards.yaml").read_text().replace("c2", "c7"))
    deck.export(into=str(mine))
    names = [each["Nickname"] for each in everything(saved(mine)["ObjectStates"]) if "CardID" in each]
    assert sorted(names) == ["Card 1", "Card 1", "Card 3", "Card 4"]


def test_a_table_from_before_objects_had_memos_is_known_by_ids(deck: Deck, mine: Path) -> None:
    deck.export()
    save = deck.save()
    for each in everything(save["ObjectStates"]):
        del each["Memo"]
        each["Nickname"] = ""
    mine.write_text(json.dumps(save), encoding="utf-8")
    deck.export(into=str(mine))
    assert len(saved(mine)["ObjectStates"]) == len(save["ObjectStates"])
    assert [each["Nickname"] for each in by_kind(saved(mine), "card")] == [
        "Card 1",
        "Card 1",
        "Card 2",
        "Card 3",
    ]


@pytest.mark.parametrize(
    "content",
    ["", "[1]", "{}", '{"ObjectStates": [1]}', '{"ObjectStates": [{"DeckIDs": [1]}]}', "[" * 5000],
)
def test_what_is_no_save_is_a_finding(deck: Deck, mine: Path, content: str) -> None:
    mine.write_text(content, encoding="utf-8")
    with pytest.raises(cardgen.CardgenError) as refused:
        deck.export(into=str(mine))
    assert refused.value.findings[-1].code == "tts/save"
    assert mine.read_text(encoding="utf-8") == content


def test_only_a_whole_table_is_renewed(deck: Deck, mine: Path) -> None:
    wish = cardgen.ExportOptions(game="tiny", to="tts", components=("cards",), settings={"into": str(mine)})
    with pytest.raises(cardgen.UsageError):
        cardgen.export_to(wish, project=cardgen.Project.open(deck.root))


def test_an_installed_table_keeps_its_number(deck: Deck, tmp_path: Path) -> None:
    saves = tmp_path / "TTS/Saves"
    saves.mkdir(parents=True)
    (saves / "TS_Save_1.json").write_text('{"SaveName": "Chess", "ObjectStates": []}', encoding="utf-8")
    (saves / "TS_Save_3.json").write_text("damaged", encoding="utf-8")
    (saves / "TS_AutoSave.json").write_text("{}", encoding="utf-8")
    place = {"install": True, "tts-dir": str(tmp_path / "TTS")}
    deck.export(**place)
    table = saves / "TS_Save_2.json"
    assert saved(table) == deck.save()
    assert table.with_suffix(".png").is_file()
    deck.write("templates/tiny/card.svg", BACK)
    deck.export(**place)
    assert saved(table) == deck.save()
    assert len(list(saves.glob("TS_Save_*.json"))) == 3
    theirs = deck.save() | {"EpochTime": 1_800_000_000}
    table.write_text(json.dumps(theirs), encoding="utf-8")
    (warning,) = (each for each in deck.export(**place).findings if each.code == "tts/changed")
    assert "--into" in (warning.hint or "")
    assert saved(table) == theirs


def test_pictures_of_earlier_exports_stay_until_they_are_pruned(deck: Deck) -> None:
    deck.export()
    first = {path.name for path in (deck.folder / "images").iterdir()}
    deck.write("templates/tiny/card.svg", BACK)
    deck.export()
    second = {path.name for path in (deck.folder / "images").iterdir()}
    assert first < second
    deck.export(prune=True)
    assert {path.name for path in (deck.folder / "images").iterdir()} < second
    assert first - {path.name for path in (deck.folder / "images").iterdir()}


STATES = TABLE.replace(
    "{piece: cards/c4, at: [100mm, 0mm]}", "{piece: cards/c4, states: [%s], at: [100mm, 0mm]}"
)


def test_a_thing_gets_new_states_whichever_it_is_turned_to(deck: Deck, mine: Path) -> None:
    deck.make(5, table=STATES % "c5").export()
    save = deck.save()
    (seen,) = (each for each in save["ObjectStates"] if "States" in each)
    turned = seen["States"].pop("2")  # the player turns it: what was seen becomes an entry
    save["ObjectStates"][save["ObjectStates"].index(seen)] = turned
    del seen["States"]
    turned["States"] = {"1": seen}
    mine.write_text(json.dumps(save), encoding="utf-8")
    deck.make(5, table=STATES % "c5, c1").export(into=str(mine))
    merged = saved(mine)
    (now,) = (each for each in merged["ObjectStates"] if "States" in each)
    assert now["GUID"] == turned["GUID"]
    assert {key: each["Nickname"] for key, each in now["States"].items()} == {"1": "Card 4", "3": "Card 1"}
    assert all("States" not in each for each in now["States"].values())


ZONES = TABLE.replace(
    "seats:",
    "  - {zone: Row, at: [0mm, 0mm], size: [200mm, 95mm]}\n"
    "  - {zone: %s, at: [0mm, 150mm], size: [80mm, 95mm], hides: all}\nseats:",
)


def test_zones_stay_where_they_were_moved(deck: Deck, mine: Path) -> None:
    deck.make(5, table=ZONES % "Unseen").export()
    save = deck.save()
    by_name = {each["Nickname"]: each for each in by_kind(save, "zone")}
    by_name["Row"]["Transform"]["posX"] = 9.5
    own = {**copy.deepcopy(by_name["Row"]), "GUID": "abcdef", "Nickname": "Mine", "Memo": ""}
    save["ObjectStates"].append(own)
    mine.write_text(json.dumps(save), encoding="utf-8")
    deck.make(5, table=ZONES % "Hidden").export(into=str(mine))
    zones = {
        each["Nickname"]: each
        for each in saved(mine)["ObjectStates"]
        if each["Name"] in ("ScriptingTrigger", "FogOfWarTrigger")
    }
    assert set(zones) == {"Row", "Mine", "Hidden"}, "what the table no longer says is gone"
    assert zones["Row"]["Transform"]["posX"] == 9.5
    assert zones["Row"]["GUID"] == by_name["Row"]["GUID"]
