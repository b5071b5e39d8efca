"""Things that can be turned to other cards, and sides that have names."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from jsonschema import Draft202012Validator

import cardgen
from cardgen.exports.tts_objects import NATIVE
from tests.wording import Wording

from .tts_games import BACK, Deck, everything

ROOT = Path(__file__).resolve().parent.parent.parent
SCHEMA = json.loads((ROOT / "schemas/tts-save.schema.json").read_text(encoding="utf-8"))
TABLE = """size: [600mm, 500mm]
items:
  - {piece: cards/c2, states: %s, at: [0mm, 0mm], locked: true}
  - {bag: cards, rest: true, at: [0mm, 100mm]}
seats: [{color: Red, at: [0mm, 250mm]}, {color: Blue, at: [0mm, -250mm], turn: 180}]
tts:
  cards: {tags: ['{{ card.id }}'], sides: ['{{ card.name }}', '%s']}
"""


@pytest.fixture
def deck(tmp_path: Path) -> Deck:
    return Deck(tmp_path)


def test_a_piece_has_other_states(deck: Deck) -> None:
    deck.make(4, kind="token", back=BACK, table=TABLE % ("[c4, c1]", "spent")).export()
    save = deck.save()
    assert not [error.message for error in Draft202012Validator(SCHEMA).iter_errors(save)]
    (seen,) = (each for each in save["ObjectStates"] if each["Name"] == "Custom_Tile")
    assert seen["Nickname"] == "Card 2"
    assert {key: each["Nickname"] for key, each in seen["States"].items()} == {"2": "Card 4", "3": "Card 1"}
    others = list(seen["States"].values())
    assert {each["CustomImage"]["CustomTile"]["Stackable"] for each in others} == {True}
    assert {each["Locked"] for each in [seen, *others]} == {True}
    assert len({each["CustomImage"]["ImageURL"] for each in [seen, *others]}) == 3
    assert len({each["GUID"] for each in [seen, *others]}) == 3
    (bag,) = (each for each in save["ObjectStates"] if each["Name"] == "Bag")
    assert [each["Nickname"] for each in bag["ContainedObjects"]] == ["Card 3"], "states lie elsewhere"
    assert [label["displayed"] for label in save["ComponentTags"]["labels"]] == ["c1", "c2", "c3", "c4"]
    width = others[0]["Transform"]["scaleX"]
    deck.export(scale="native")
    (seen,) = (each for each in deck.save()["ObjectStates"] if "States" in each)
    assert seen["States"]["2"]["Transform"]["scaleX"] == pytest.approx(width * NATIVE, abs=1e-4)


def test_all_cards_of_a_component_in_their_order(deck: Deck) -> None:
    deck.make(
        3, kind="token", back=BACK, table=(TABLE % ("true", "spent")).replace("rest: true, ", "")
    ).export()
    (seen,) = (each for each in deck.save()["ObjectStates"] if "States" in each)
    assert {key: each["Nickname"] for key, each in seen["States"].items()} == {"1": "Card 1", "3": "Card 3"}


def test_sides_have_names(deck: Deck) -> None:
    deck.make(4, kind="token", back=BACK, table=TABLE % ("[c1]", "spent")).export()
    named = [each for each in everything(deck.save()["ObjectStates"]) if each["Name"] == "Custom_Tile"]
    assert [each["RotationValues"] for each in named if each["Nickname"] == "Card 3"] == [
        [
            {"Value": "Card 3", "Rotation": {"x": 0.0, "y": 0.0, "z": 0.0}},
            {"Value": "spent", "Rotation": {"x": 0.0, "y": 0.0, "z": 180.0}},
        ]
    ]
    deck.make(4, kind="token", back=BACK, table=TABLE % ("[c1]", "{{ card.nothing|default }}")).export()
    assert all("RotationValues" not in each for each in everything(deck.save()["ObjectStates"]))


@pytest.mark.parametrize("states", ["[c9]", "[c2]"])
def test_states_that_cannot_be(deck: Deck, states: str, wording: Wording) -> None:
    with pytest.raises(cardgen.CardgenError) as refused:
        deck.make(4, kind="token", table=TABLE % (states, "spent")).export()
    (finding,) = (each for each in refused.value.findings if each.severity is cardgen.Severity.ERROR)
    wording(finding)
    assert finding.location is not None
    assert finding.location.line == 3


BOOK = """  rules:
    title: Rules
    kind: book
    trim: half-letter
    book: rules.md
"""


def test_a_rulebook_is_opened_at_its_first_page(deck: Deck) -> None:
    """Under the same rules of hosting as pictures; pages count from 0 in saves."""
    table = TABLE % ("[c1]", "spent") + "  all: {}\n"
    deck.make(
        4, kind="token", table=table.replace("items:\n", "items:\n  - {book: rules, at: [200mm, 0mm]}\n")
    )
    game = deck.root / "data/tiny/game.yaml"
    deck.write("data/tiny/game.yaml", game.read_text(encoding="utf-8").replace("sheets:", f"{BOOK}sheets:"))
    deck.write("data/tiny/rules.md", "# Rules\n\nPlay.\n")
    deck.export()
    (book,) = (each for each in deck.save()["ObjectStates"] if each["Name"] == "Custom_PDF")
    assert (book["CustomPDF"]["PDFPage"], book["CustomPDF"]["PDFPageOffset"]) == (0, 0)
    assert Path(unquote(urlsplit(book["CustomPDF"]["PDFUrl"]).path)).read_bytes().startswith(b"%PDF-")
    deck.export(**{"base-url": "https://example.com/tiny"})
    (book,) = (each for each in deck.save()["ObjectStates"] if each["Name"] == "Custom_PDF")
    address = book["CustomPDF"]["PDFUrl"]
    assert address.startswith("https://example.com/tiny/books/rules-")
    assert (deck.folder / "books" / address.rpartition("/")[2]).is_file()
