"""Exports to Tabletop Simulator where things are odd: folders, few players, piles of several atlases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from PIL import Image

import cardgen
from cardgen.exports.tts import FONT, _Type
from cardgen.files.listing import ProjectFolders
from cardgen.text.fonts import FontBook
from tests.for_each import for_each

from .tts_games import CARD, Deck, everything

ROOT = Path(__file__).resolve().parent.parent.parent
SCHEMA = json.loads((ROOT / "schemas/tts-save.schema.json").read_text(encoding="utf-8"))
TABLE = """size: [1000mm, 600mm]
items:
{items}
seats:
  - {{color: Red, at: [0mm, 380mm]}}
  - {{color: Blue, at: [0mm, -380mm], turn: 180}}
"""


def table(*items: str) -> str:
    return TABLE.format(items="\n".join(f"  - {item}" for item in items))


@pytest.fixture
def deck(tmp_path: Path) -> Deck:
    return Deck(tmp_path / "here")


def one(objects: list[dict[str, Any]], name: str) -> dict[str, Any]:
    (found,) = (each for each in objects if each["Name"] == name)
    return found


@for_each("name", ["my games", "schöne Spiele ☃"])
def test_addresses_have_the_folder_letter_by_letter(tmp_path: Path, name: str) -> None:
    """Tabletop Simulator takes %20 for three letters."""
    deck = Deck(tmp_path / name).make(3)
    result = deck.export(dpi=20)
    assert "tts/address" not in {finding.code for finding in result.findings}
    save = deck.save()
    assert not [error.message for error in Draft202012Validator(SCHEMA).iter_errors(save)]
    pile = one(save["ObjectStates"], "DeckCustom")
    address = pile["CustomDeck"]["1"]["FaceURL"]
    assert name in address
    assert Path(address.removeprefix("file://")).is_file()


def test_a_folder_that_addresses_cannot_name_is_a_warning(tmp_path: Path) -> None:
    deck = Deck(tmp_path / "no#1").make(2)
    (finding,) = (each for each in deck.export(dpi=20).findings if each.code == "tts/address")
    assert finding.severity is cardgen.Severity.WARNING
    assert "#" in finding.message
    hosted = deck.export(dpi=20, **{"base-url": "https://example.com"})
    assert "tts/address" not in {each.code for each in hosted.findings}


@pytest.mark.parametrize("what", ["", "~nobody-of-this-name/x", "without", "Saves"])
def test_a_folder_that_is_not_the_game_s_is_a_finding(deck: Deck, tmp_path: Path, what: str) -> None:
    (tmp_path / "tts/Saves").mkdir(parents=True)
    (tmp_path / "without").mkdir()
    chosen = {"without": str(tmp_path / "without"), "Saves": str(tmp_path / "tts/Saves")}.get(what, what)
    deck.make(2)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(cardgen.CardgenError) as refused:
        deck.export(dpi=20, **{"tts-dir": chosen})
    errors = [each for each in refused.value.findings if each.severity is cardgen.Severity.ERROR]
    assert [each.code for each in errors] == ["tts/folder"]
    assert "--tts-dir" in (errors[0].hint or "")
    assert sorted(tmp_path.rglob("*")) == before


def test_the_first_card_of_a_pile_is_on_top(deck: Deck) -> None:
    """A pile lists its cards from the top if it lies face down, so from the bottom if face up."""

    def ids(face: str) -> list[int]:
        deck.make(3, table=table(f"{{deck: cards, cards: [c2, c1, c3], face: {face}, at: [0mm, 0mm]}}"))
        deck.export(dpi=20)
        pile = one(deck.save()["ObjectStates"], "DeckCustom")
        assert pile["DeckIDs"] == [card["CardID"] for card in pile["ContainedObjects"]]
        return list(pile["DeckIDs"])

    assert ids("down") == [101, 100, 102]
    assert ids("up") == [102, 100, 101]


def test_a_pile_of_two_atlases_has_one_scale(deck: Deck) -> None:
    """72 cards are 36 and 36, 71 are 36 and 35 on cells of another shape by part of a pixel."""
    deck.make(71).export(**{"max-texture": 512})
    (pile,) = deck.save("objects/Cards.json")["ObjectStates"]
    cells = set()
    for atlas in pile["CustomDeck"].values():
        with Image.open(atlas["FaceURL"].removeprefix("file://")) as picture:
            cells.add((picture.width // atlas["NumWidth"], picture.height // atlas["NumHeight"]))
    assert len(cells) == 2
    places = [pile["Transform"], *(card["Transform"] for card in pile["ContainedObjects"])]
    assert all(place == places[0] for place in places)


def test_what_nobody_needs_is_not_pictured(deck: Deck) -> None:
    """With one player there are no copies of c3; c4 lies on the table all the same."""
    items = ["{deck: cards, at: [0mm, 0mm]}", "{deck: cards, cards: {c4: 2}, name: More, at: [99mm, 0mm]}"]
    deck.make(5, table=table(*items))
    path = deck.root / "data/tiny/cards.yaml"
    text = path.read_text(encoding="utf-8")
    for card in ("Card 3", "Card 4"):
        text = text.replace(f"{card}, copies: 1", f"{card}, copies: {{by_players: {{1: 0, 2: 2}}}}")
    path.write_text(text, encoding="utf-8")
    project = cardgen.Project.open(deck.root)
    wish = cardgen.ExportOptions(game="tiny", to="tts", players=1, settings={"dpi": 20})
    cardgen.export_to(wish, project=project)
    atlases = [each["CustomDeck"]["1"] for each in deck.save()["ObjectStates"] if "DeckIDs" in each]
    assert [atlas["NumWidth"] * atlas["NumHeight"] for atlas in atlases] == [4, 4]
    names = {each["Nickname"] for each in everything(deck.save()["ObjectStates"]) if "CardID" in each}
    assert names == {"Card 1", "Card 2", "Card 4", "Card 5"}


def test_a_snap_point_outside_is_one_finding(deck: Deck) -> None:
    mark = '<rect cg:snap="slot" x="80" y="10" width="10" height="10" fill="none"/></svg>'
    items = ["{piece: cards/c1, at: [0mm, 0mm]}", "{deck: cards, on: {piece: cards/c1, snap: slot}}"]
    deck.make(2, face=CARD.replace("</svg>", mark), table=table(*items))
    with pytest.raises(cardgen.CardgenError) as refused:
        deck.export(dpi=20)
    assert {each.code for each in refused.value.findings} == {"snap/outside"}


def test_a_wrong_table_is_said_before_anything_is_drawn(deck: Deck) -> None:
    steps: list[str] = []
    deck.make(2, table=table("{deck: crads, at: [0mm, 0mm]}"))
    wish = cardgen.ExportOptions(game="tiny", to="tts", settings={"dpi": 20})
    with pytest.raises(cardgen.CardgenError) as refused:
        cardgen.export_to(
            wish,
            project=cardgen.Project.open(deck.root),
            progress=lambda step, done, total: steps.append(step),
        )
    assert "reference/component" in {each.code for each in refused.value.findings}
    assert "drawing" not in steps


def test_a_card_that_is_not_seen_leaves_the_pictures_of_the_table_alone(deck: Deck) -> None:
    deck.make(6, table=table("{deck: cards, at: [0mm, 0mm]}")).export()
    before = {path: path.stat().st_mtime_ns for path in deck.folder.rglob("*") if path.is_file()}
    deck.write("templates/tiny/card.svg", CARD.replace("number % 7", "number % 5 + 1"))
    deck.export()
    after = {path: path.stat().st_mtime_ns for path in deck.folder.rglob("*") if path.is_file()}
    touched = {
        path.relative_to(deck.folder).as_posix() for path in after if after[path] != before.get(path)
    }
    (atlas,) = (name for name in touched if name.startswith("images/"))
    saves = {"table.json", "objects/Cards.json", "objects/Cards.png"}
    assert touched == {atlas, "export.json"} | saves


def test_names_on_the_plan_are_set_in_a_font_that_has_their_letters() -> None:
    font = FontBook(ProjectFolders((ROOT,))).with_others(["IBM Plex Mono"]).face(FONT, 600)
    letters = _Type(font, 17)
    found = [letters.setting(text) for text in ("Deck", "┌ 1", "Deck 紙")]
    assert [(face.getname()[0], said) for face, said in found] == [
        ("IBM Plex Sans Condensed", "Deck"),
        ("IBM Plex Mono", "┌ 1"),
        ("IBM Plex Sans Condensed", "Deck ?"),
    ]
