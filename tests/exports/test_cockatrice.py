"""Card databases for Cockatrice, held against a schema and read back as XML."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from PIL import Image

import cardgen
from cardgen.exports.cockatrice import file_name
from tests.for_each import for_each
from tests.shipped import GAMES, shipped
from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]
GAME = "data/demo/game.yaml"
SCHEMA = etree.XMLSchema(file=str(Path(__file__).with_name("cockatrice.xsd")))

MAPPING = """\
sets:
  DMO: {title: Demo & more, released: '2026-03-14'}
card:
  set: DMO
  number: '{{ card.value }}'
  rarity: "{{ 'rare' if card.copies == 1 else 'common' }}"
  text: '{{ card.text|plain }}'
  row: '{{ 0 if card.suit == "leaf" else 2 }}'
  properties:
    type: '{{ card.suit }} < {{ card.value }}'
    pt: "{{ card.value if card.value > 2 else '' }}"
"""


@pytest.fixture
def decks(demo: Path, edit: Edit) -> Path:
    """The demo game with a deck list."""
    edit(GAME, "\nsheets:", "\ndecks: {component: cards}\n\nsheets:")
    folder = demo / "data/demo/decks"
    folder.mkdir()
    deck = 'title: First "try"\ndescription: Sun & moon.\ncards:\n  Early Bird: 3\n  full-moon: 1\n'
    (folder / "first.yaml").write_text(deck, encoding="utf-8")
    return demo


def exported(run: Run, demo: Path, *words: str) -> tuple[Path, Any, str]:
    code, _, errors = run("export", "demo", "--to", "cockatrice", *words)
    assert code == 0, errors
    folder = demo / "output/demo/cockatrice"
    tree = etree.parse(folder / "customsets/demo.xml")
    SCHEMA.assertValid(tree)
    return folder, tree.getroot(), errors


def test_a_game_without_a_mapping_is_one_set(run: Run, decks: Path) -> None:
    folder, root, errors = exported(run, decks)
    assert "[cockatrice/plain]" in errors
    assert "data/demo/cockatrice.yaml" in errors
    assert [each.text for each in root.findall("sets/set/name")] == ["DEMO"]
    game = cardgen.load("demo", project=cardgen.Project.open(decks))
    names = [each.text for each in root.findall("cards/card/name")]
    assert names == [card.fields["title"] for card in game.cards()]
    assert {each.text for each in root.findall("cards/card/prop/type")} == {"Cards"}
    assert (folder / "README.txt").is_file()


def test_the_mapping_says_what_cards_are_filed_under(run: Run, decks: Path) -> None:
    (decks / "data/demo/cockatrice.yaml").write_text(MAPPING, encoding="utf-8")
    _, root, errors = exported(run, decks)
    assert "cockatrice/plain" not in errors
    assert root.findtext("sets/set/longname") == "Demo & more"
    assert root.findtext("sets/set/releasedate") == "2026-03-14"
    card = root.find("cards/card")
    assert card.findtext("name") == "Early Bird"
    assert card.findtext("text").startswith("First turn: take star two cards instead of one.")
    assert card.findtext("prop/type") == "sun < 1"
    assert card.find("prop/pt") is None  # empty ones are left out
    assert card.findtext("tablerow") == "2"
    set_ = card.find("set")
    assert (set_.text, set_.get("num"), set_.get("rarity")) == ("DMO", "1", "common")
    ids = [each.get("uuid") for each in root.findall("cards/card/set")]
    assert len(set(ids)) == len(ids)


def test_decks_name_cards_of_the_database(run: Run, decks: Path) -> None:
    folder, root, _ = exported(run, decks)
    deck = etree.parse(folder / "decks/first.cod").getroot()
    assert (deck.tag, deck.get("version")) == ("cockatrice_deck", "1")
    assert deck.findtext("deckname") == 'First "try"'
    assert deck.findtext("comments") == "Sun & moon."
    cards = {card.get("name"): int(card.get("number")) for card in deck.findall("zone[@name='main']/card")}
    assert cards == {"Early Bird": 3, "Full Moon": 1}
    assert set(cards) <= {each.text for each in root.findall("cards/card/name")}


@pytest.mark.parametrize(("words", "kind"), [((), "PNG"), (("--images", "jpeg"), "JPEG")])
def test_a_picture_a_card(run: Run, decks: Path, words: tuple[str, ...], kind: str) -> None:
    folder, root, _ = exported(run, decks, "--dpi", "150", *words)
    pictures = {path.stem: path for path in (folder / "pics/CUSTOM").iterdir()}
    assert set(pictures) == {file_name(each.text) for each in root.findall("cards/card/name")}
    for path in pictures.values():
        with Image.open(path) as image:
            assert (image.format, image.size) == (kind, (375, 525))


@for_each(
    ("name", "file"),
    [
        ("Full Moon", "Full Moon"),
        ("Who? What!", "Who What!"),
        ('Say "Yes": Now', "Say Yes Now"),
        ("Fire // Ice", "FireIce"),
        ("Either/Or", "Either Or"),
        ("Dr. Who.", "Dr. Who"),
    ],
)
def test_names_of_pictures(name: str, file: str) -> None:
    assert file_name(name) == file


@pytest.mark.long
def test_the_shipped_game_with_decks_is_valid(tmp_path: Path) -> None:
    games = [name for name in GAMES if shipped(name).deck_source is not None]
    assert games
    for name in games:
        options = cardgen.ExportOptions(name, "cockatrice", settings={"dpi": 20}, output=tmp_path)
        result = cardgen.export_to(options)
        assert not [each for each in result.findings if each.code.startswith("cockatrice/")]
        SCHEMA.assertValid(etree.parse(tmp_path / name / "cockatrice/customsets" / f"{name}.xml"))


def test_a_game_without_deck_lists_is_misuse(run: Run, demo: Path, wording: Wording) -> None:
    code, _, errors = run("export", "demo", "--to", "cockatrice")
    assert code == 2
    wording(errors)
    assert "decks: {component: …}" in errors
    assert not (demo / "output/demo").exists()


def test_a_second_export_touches_nothing(run: Run, decks: Path) -> None:
    folder, _, _ = exported(run, decks, "--dpi", "50")
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.rglob("*.*")}
    (decks / "data/services").mkdir()  # another input, the same outcome
    _, out, _ = run("export", "demo", "--to", "cockatrice", "--dpi", "50")
    assert out.startswith("0 files written")
    assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.rglob("*.*")} == before
