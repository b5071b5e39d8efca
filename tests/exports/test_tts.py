"""Exports to Tabletop Simulator: what the game needs to be true of a save, for every game that ships."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from jsonschema import Draft202012Validator
from PIL import Image, ImageChops

import cardgen
from cardgen.commands.production.stages import draw_all
from cardgen.core.findings import Findings
from cardgen.exports.tts_saves import default_folder, file_name, saved_objects
from cardgen.pdf.pixels import RasterOptions, rasterise
from tests.for_each import for_each
from tests.shipped import GAMES, shipped

from .tts_games import CARD, Deck, everything

ROOT = Path(__file__).resolve().parent.parent.parent
"""Games of more than 150 cards, which are exported where there is time for that."""
SCHEMA = json.loads((ROOT / "schemas/tts-save.schema.json").read_text(encoding="utf-8"))


@pytest.fixture
def deck(tmp_path: Path) -> Deck:
    return Deck(tmp_path)


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folder of each shipped game's export, made when it is asked for."""

    class Made(dict[str, Path]):
        def __missing__(self, game: str) -> Path:
            output = tmp_path_factory.mktemp("tts")
            wish = cardgen.ExportOptions(game=game, to="tts", settings={"dpi": 20}, output=output)
            cardgen.export_to(wish, project=cardgen.Project.open(ROOT))
            self[game] = output / game / "tts"
            return self[game]

    return Made()


def saves(folder: Path) -> list[dict[str, Any]]:
    files = sorted([folder / "table.json", *(folder / "objects").glob("*.json")])
    return [json.loads(path.read_text(encoding="utf-8")) for path in files]


def picture_of(address: str | Path) -> Image.Image:
    """A picture, read whole."""
    with Image.open(local(address) if isinstance(address, str) else address) as picture:
        picture.load()
        return picture.copy()


def local(address: str) -> Path:
    return Path(unquote(urlsplit(address).path))


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_every_save_is_valid_and_complete(game: str, exports: dict[str, Path]) -> None:
    folder = exports[game]
    loaded = shipped(game)
    assert_valid(folder)
    assert {path.stem for path in folder.glob("objects/*.json")} == {
        path.stem for path in folder.glob("objects/*.png")
    }
    shown = [component for component in loaded.components if component.box is None]
    assert len(list(folder.glob("objects/*.json"))) == len(shown)
    for thumbnail in [folder / "table.png", *folder.glob("objects/*.png")]:
        picture = picture_of(thumbnail)
        assert (picture.size, picture.mode) == ((256, 256), "RGBA")


def assert_valid(folder: Path) -> None:
    """Judge all saves by the schema. Their cards are on their atlases, and all pictures are there."""
    validator = Draft202012Validator(SCHEMA)
    for save in saves(folder):
        assert not [error.message for error in validator.iter_errors(save)]
        assert_identity(save["ObjectStates"])
        for each in everything(save["ObjectStates"]):
            for address in addresses(each):
                assert local(address).is_file(), address


def addresses(each: dict[str, Any]) -> Iterator[str]:
    for atlas in each.get("CustomDeck", {}).values():
        yield from (atlas["FaceURL"], atlas["BackURL"])
    image = each.get("CustomImage", {})
    yield from (value for key, value in image.items() if key.endswith("URL") and value)
    if "CustomPDF" in each:
        yield each["CustomPDF"]["PDFUrl"]


def assert_identity(objects: list[dict[str, Any]]) -> None:
    """The rules by which the game finds a card on its atlas."""
    guids = [each["GUID"] for each in everything(objects)]
    assert len(guids) == len(set(guids))
    for each in everything(objects):
        if each["Name"] == "DeckCustom":
            assert each["DeckIDs"] == [card["CardID"] for card in each["ContainedObjects"]]
            assert {str(id // 100) for id in each["DeckIDs"]} == set(each["CustomDeck"])
            for card in each["ContainedObjects"]:
                (key,) = card["CustomDeck"]
                assert card["CustomDeck"][key] == each["CustomDeck"][key]
        if "CardID" in each:
            (key,) = each["CustomDeck"]
            atlas = each["CustomDeck"][key]
            assert each["CardID"] // 100 == int(key)
            cells = atlas["NumWidth"] * atlas["NumHeight"]
            assert each["CardID"] % 100 < cells
            assert cells <= 70
            assert atlas["BackIsHidden"] or each["CardID"] % 100 < cells - 1


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_every_atlas_has_whole_cells_under_the_largest_texture(game: str, exports: dict[str, Path]) -> None:
    for save in saves(exports[game]):
        for each in everything(save["ObjectStates"]):
            for atlas in each.get("CustomDeck", {}).values():
                with Image.open(local(atlas["FaceURL"])) as picture:
                    assert max(picture.size) < 4096
                    assert picture.size[0] % atlas["NumWidth"] == 0
                    assert picture.size[1] % atlas["NumHeight"] == 0
                    assert picture.mode == "RGB"


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_every_component_is_on_the_table(game: str, exports: dict[str, Path]) -> None:
    """Books apart, that a table names everything shows in what its objects are called or hold."""
    loaded = shipped(game)
    save = json.loads((exports[game] / "table.json").read_text(encoding="utf-8"))
    hands = [each for each in save["ObjectStates"] if each["Name"] == "HandTrigger"]
    assert len(hands) >= loaded.players[0]
    assert len({each["FogColor"] for each in hands}) == len(hands)
    books = [component for component in loaded.components if component.book is not None]
    pdfs = [each for each in save["ObjectStates"] if each["Name"] == "Custom_PDF"]
    assert len(pdfs) >= len(books)
    for each in save["ObjectStates"]:
        if each["Name"] == "Custom_Tile" and "AttachedSnapPoints" in each:
            assert all(
                abs(point["Position"]["x"]) < 4 and abs(point["Position"]["z"]) < 4
                for point in each["AttachedSnapPoints"]
            )


def test_each_cell_shows_its_card(deck: Deck) -> None:
    deck.make(23, copies=2).export()
    game = cardgen.load("tiny", project=cardgen.Project.open(deck.root))
    rendering = cardgen.render(game)
    art = draw_all(game, rendering)
    (pile,) = (each for each in deck.save("objects/Cards.json")["ObjectStates"])
    (atlas,) = pile["CustomDeck"].values()
    picture = picture_of(atlas["FaceURL"])
    width, height = picture.size[0] // atlas["NumWidth"], picture.size[1] // atlas["NumHeight"]
    assert (width, height) == (150, 210)
    faces = {card.card: card.face for card in rendering.cards}
    names = {f"Card {number}": f"c{number}" for number in range(1, 24)}
    seen = set()
    for card in pile["ContainedObjects"]:
        row, column = divmod(card["CardID"] % 100, atlas["NumWidth"])
        box = (column * width, row * height, (column + 1) * width, (row + 1) * height)
        ((_, own),) = rasterise(art, [faces[names[card["Nickname"]]]], RasterOptions(60))
        assert ImageChops.difference(picture.crop(box), own).getbbox() is None, card["Nickname"]
        seen.add(card["CardID"])
    assert len(seen) == 23
    assert len(pile["DeckIDs"]) == 46


def test_backs_are_shared_or_each_card_s_own(deck: Deck) -> None:
    deck.make(5).export()
    (pile,) = deck.save("objects/Cards.json")["ObjectStates"]
    assert not pile["CustomDeck"]["1"]["UniqueBack"]
    assert picture_of(pile["CustomDeck"]["1"]["BackURL"]).size == (150, 210)
    deck.make(5, back=CARD).export()
    (pile,) = deck.save("objects/Cards.json")["ObjectStates"]
    atlas = pile["CustomDeck"]["1"]
    assert atlas["UniqueBack"]
    faces, backs = picture_of(atlas["FaceURL"]), picture_of(atlas["BackURL"])
    assert faces.size == backs.size
    assert ImageChops.difference(faces, backs).getbbox() is None


@pytest.mark.parametrize(("count", "atlases"), [(1, [1]), (71, [36, 35])])
def test_as_many_atlases_as_a_deck_needs(deck: Deck, count: int, atlases: list[int]) -> None:
    deck.make(count).export(dpi=10)
    (pile,) = deck.save("objects/Cards.json")["ObjectStates"]
    assert_identity([pile])
    if count == 1:
        assert (pile["Name"], pile["CardID"]) == ("CardCustom", 100)
        return
    keys = sorted(pile["CustomDeck"], key=int)
    assert [sum(id // 100 == int(key) for id in pile["DeckIDs"]) for key in keys] == atlases


def test_several_copies_of_one_card_are_a_deck(deck: Deck) -> None:
    deck.make(1, copies=3).export()
    (pile,) = deck.save("objects/Cards.json")["ObjectStates"]
    assert (pile["Name"], pile["DeckIDs"]) == ("DeckCustom", [100, 100, 100])


def test_cards_have_their_true_size(deck: Deck) -> None:
    """At scale 1 a card of poker's shape is 56 × 80 mm; other shapes take their cell's, at that height."""
    deck.make(2, sizes={2: "jumbo"}).export(dpi=150)
    poker, jumbo = deck.save("objects/Cards.json")["ObjectStates"]
    assert poker["Transform"]["scaleX"] == pytest.approx(63.5 / 56, abs=0.003)
    assert poker["Transform"]["scaleZ"] == pytest.approx(88.9 / 80, abs=0.001)
    assert poker["Transform"]["scaleY"] == 1
    wide = 56 * (88.9 / 139.7) / (63.5 / 88.9)  # mm across of jumbo's shape at scale 1
    assert jumbo["Transform"]["scaleX"] * wide == pytest.approx(88.9, abs=0.3)
    assert jumbo["Transform"]["scaleZ"] * 80 == pytest.approx(139.7, abs=0.1)
    assert {poker["CardID"] // 100, jumbo["CardID"] // 100} == {1, 2}


def test_shapes_of_cards_and_tiles(deck: Deck) -> None:
    deck.make(2).export()
    assert deck.save("objects/Cards.json")["ObjectStates"][0]["CustomDeck"]["1"]["Type"] == 0
    deck.make(2, extra="    corner_radius: 0mm\n").export()
    assert deck.save("objects/Cards.json")["ObjectStates"][0]["CustomDeck"]["1"]["Type"] == 1
    deck.make(2, kind="token", extra="    shape: ellipse\n", back=None).export()
    (bag,) = deck.save("objects/Cards.json")["ObjectStates"]
    tile = bag["ContainedObjects"][0]
    assert bag["Name"] == "Bag"
    assert tile["CustomImage"]["CustomTile"]["Type"] == 2
    assert tile["CustomImage"]["ImageSecondaryURL"] == ""
    assert tile["Transform"]["scaleX"] == pytest.approx(63.5 / 50.8, abs=1e-4)


def test_ids_stay_over_rebuilds_and_edits(deck: Deck) -> None:
    def guids() -> dict[str, str]:
        (pile,) = deck.save("objects/Cards.json")["ObjectStates"]
        return {each["Nickname"]: each["GUID"] for each in everything([pile])}

    deck.make(6).export()
    before = guids()
    deck.write("templates/tiny/card.svg", CARD.replace("60, 90", "80, 90"))
    deck.export()
    assert guids() == before
    deck.make(7).export()
    after = guids()
    assert {name: after[name] for name in before} == before


def test_only_changed_art_gets_a_new_address(deck: Deck, settle: Callable[[Path], None]) -> None:
    deck.make(6).export()
    (pile,) = deck.save("objects/Cards.json")["ObjectStates"]
    before = pile["CustomDeck"]["1"]
    times = {path: path.stat().st_mtime_ns for path in deck.folder.rglob("*") if path.is_file()}
    deck.write("templates/tiny/card.svg", CARD.replace("60, 90", "80, 90"))
    settle(deck.root / "data")
    settle(deck.root / "templates")
    settle(deck.root / "schemas")
    result = deck.export()
    (pile,) = deck.save("objects/Cards.json")["ObjectStates"]
    after = pile["CustomDeck"]["1"]
    assert after["FaceURL"] != before["FaceURL"]
    assert after["BackURL"] == before["BackURL"]
    assert local(before["FaceURL"]).exists(), "saves of earlier may refer to it"
    back = local(before["BackURL"])
    assert back.stat().st_mtime_ns == times[back]
    assert str(back) not in {file.path for file in result.changed}
    assert deck.export().up_to_date


def test_hosted_addresses(deck: Deck) -> None:
    deck.make(3).export(**{"base-url": "https://example.com/my%20games/"})
    (pile,) = deck.save("objects/Cards.json")["ObjectStates"]
    face = pile["CustomDeck"]["1"]["FaceURL"]
    assert face.startswith("https://example.com/my%20games/images/cards-")
    assert (deck.folder / "images" / face.rpartition("/")[2]).is_file()


def test_a_wrong_base_url_is_refused(deck: Deck) -> None:
    deck.make(2)
    with pytest.raises(cardgen.UsageError) as refused:
        deck.export(**{"base-url": "example.com/a"})
    assert refused.value.findings[0].code == "usage/base-url"
    assert not deck.folder.exists()


def test_jpeg_and_a_smaller_texture(deck: Deck) -> None:
    deck.make(9).export(images="jpeg", **{"max-texture": 300})
    (pile,) = deck.save("objects/Cards.json")["ObjectStates"]
    path = local(pile["CustomDeck"]["1"]["FaceURL"])
    with Image.open(path) as picture:
        assert (path.suffix, picture.format, picture.mode) == (".jpg", "JPEG", "RGB")
        assert max(picture.size) < 300
        assert picture.size[0] % 3 == picture.size[1] % 3 == 0


def test_install_copies_saved_objects(deck: Deck, tmp_path: Path) -> None:
    folder = tmp_path / "Tabletop Simulator"
    (folder / "Saves").mkdir(parents=True)
    deck.make(3).export(install=True, **{"tts-dir": str(folder)})
    installed = folder / "Saves/Saved Objects/Tiny"
    assert {path.name for path in installed.iterdir()} == {"Cards.json", "Cards.png"}
    assert {path.name for path in (folder / "Saves").glob("TS_*")} == {"TS_Save_1.json", "TS_Save_1.png"}
    assert (installed / "Cards.json").read_bytes() == (deck.folder / "objects/Cards.json").read_bytes()
    before = {path: path.stat().st_mtime_ns for path in installed.iterdir()}
    (installed / "Cards.png").unlink()
    deck.export(install=True, **{"tts-dir": str(folder)})
    after = {path: path.stat().st_mtime_ns for path in installed.iterdir()}
    assert set(after) == set(before)
    assert {path.name for path in after if after[path] != before[path]} == {"Cards.png"}


def test_a_missing_folder_is_a_finding(deck: Deck, tmp_path: Path) -> None:
    deck.make(2)
    with pytest.raises(cardgen.CardgenError) as refused:
        deck.export(install=True, **{"tts-dir": str(tmp_path / "Tabletop Simulator")})
    (finding,) = (each for each in refused.value.findings if each.severity is cardgen.Severity.ERROR)
    assert finding.code == "tts/folder"
    assert not deck.folder.exists(), "nothing is written, not even here"


@for_each("what", ["file", "empty", "blocked"])
def test_an_unwritable_folder_is_a_finding(tmp_path: Path, what: str) -> None:
    folder, findings = tmp_path / "Tabletop Simulator", Findings()
    if what == "file":
        folder.write_text("not a folder", encoding="utf-8")
    else:
        folder.mkdir()
    if what == "blocked":
        (folder / "Saves").write_text("in the way", encoding="utf-8")
    assert saved_objects(str(folder), "Tiny", findings) is None
    assert [finding.code for finding in findings] == ["tts/folder"]


def test_usual_folders() -> None:
    home = Path("/home/ann")
    assert default_folder("win32", home) == home / "Documents/My Games/Tabletop Simulator"
    assert default_folder("darwin", home) == home / "Library/Tabletop Simulator"
    assert default_folder("linux", home) == home / ".local/share/Tabletop Simulator"
    assert file_name('PTSD: "Terminal" 01.') == "PTSD Terminal 01"
    assert file_name("???") == "game"


def test_a_missing_back_is_plain_and_said(deck: Deck) -> None:
    result = deck.make(3, back=None).export()
    assert "tts/no-back" in {finding.code for finding in result.findings}
    (pile,) = deck.save("objects/Cards.json")["ObjectStates"]
    colors = picture_of(pile["CustomDeck"]["1"]["BackURL"]).getcolors()
    assert colors is not None
    assert len(colors) == 1


def test_a_game_without_a_table_is_laid_out_all_the_same(deck: Deck) -> None:
    result = deck.make(8, copies=2).export()
    assert "table/made-up" in {finding.code for finding in result.findings}
    save = deck.save()
    (pile,) = (each for each in save["ObjectStates"] if each["Name"] == "DeckCustom")
    assert len(pile["DeckIDs"]) == 16
    assert pile["Transform"]["rotZ"] == 180
    assert sum(each["Name"] == "HandTrigger" for each in save["ObjectStates"]) == 2
    with Image.open(deck.folder / "table-plan.png") as picture:
        assert max(picture.size) == 2400


TABLE = """size: [1000mm, 600mm]
setup: |
  Deal {{ components.cards.copies }} cards to {{ game.players.max }} players.
items:
  - {deck: cards, at: [254mm, -127mm], shuffle: true, turn: 90}
  - {piece: cards/c1, at: [0mm, 0mm], locked: true}
  - {piece: cards/c2, on: {piece: cards/c1, snap: corner}}
  - {bag: cards, infinite: true, cards: [c3], at: [-200mm, 0mm], color: '#ff0000'}
  - {dice: d8, count: 3, color: '#0000ff', at: [0mm, 200mm]}
  - {dice: d6, at: [0mm, 250mm]}
  - {counter: Lives, value: 3, at: [-300mm, 200mm]}
  - {note: Mind the step, name: Warning, at: [300mm, 200mm]}
seats:
  - {color: Red, at: [0mm, 380mm]}
  - {color: Blue, at: [0mm, -380mm], turn: 180}
each_seat:
  - {piece: cards, nth: true, at: [0mm, -200mm]}
tts:
  cards:
    nickname: '{{ card.name }}!'
    description: 'Number {{ number }} of {{ component.count }}'
    tags: [red, '{{ "odd" if number % 2 else "" }}']
    gm_notes: '{{ card.id }}'
"""
SNAPPING = CARD.replace(
    "</svg>",
    '<g transform="rotate(90 13.175 23.175)"><rect cg:snap="corner" x="8.175" y="18.175" '
    'width="10" height="10" fill="none"/></g></svg>',
)


def test_a_table_is_set_up_as_its_file_says(deck: Deck) -> None:
    deck.make(5, face=SNAPPING, table=TABLE).export()
    save = deck.save()
    assert save["Note"] == "Deal 5 cards to 2 players."
    assert save["TabStates"]["0"]["body"] == save["Note"]
    assert save["Turns"]["TurnOrder"] == ["Red", "Blue"]
    kinds: dict[str, list[dict[str, Any]]] = {}
    for each in save["ObjectStates"]:
        kinds.setdefault(each["Name"], []).append(each)
    (pile,) = kinds["DeckCustom"]
    where = pile["Transform"]
    assert (where["posX"], where["posZ"], where["rotY"], where["rotZ"]) == (10.0, 5.0, 270.0, 180.0)
    assert sorted(pile["DeckIDs"]) == [100, 101, 102, 103, 104]
    assert pile["DeckIDs"] != sorted(pile["DeckIDs"]), "shuffled"
    one = pile["ContainedObjects"][0]
    number = one["CardID"] - 99
    assert one["Nickname"] == f"Card {number}!"
    assert one["Description"] == f"Number {number} of 5"
    assert one["Tags"] == (["red", "odd"] if number % 2 else ["red"])
    assert one["GMNotes"] == f"c{number}"
    assert save["ComponentTags"]["labels"] == [
        {"displayed": "odd", "normalized": "odd"},
        {"displayed": "red", "normalized": "red"},
    ]
    first, second = (next(each for each in kinds["Card"] if each["GMNotes"] == id) for id in ("c1", "c2"))
    assert first["Locked"]
    assert not second["Locked"]
    # 10, 20 mm from the corner of a poker card whose middle lies at 31.75, 44.45
    assert second["Transform"]["posX"] == pytest.approx((10 - 31.75) / 25.4, abs=1e-4)
    assert second["Transform"]["posZ"] == pytest.approx(-(20 - 44.45) / 25.4, abs=1e-4)
    assert second["Transform"]["rotY"] == pytest.approx(270)
    (bag,) = kinds["Infinite_Bag"]
    assert (len(bag["ContainedObjects"]), bag["ColorDiffuse"]["r"]) == (1, 1.0)
    assert [die["Transform"]["posX"] for die in kinds["Die_8"]] == pytest.approx(
        [-24 / 25.4, 0, 24 / 25.4], abs=1e-4
    )
    (die,) = kinds["Die_6"]
    assert die["MaterialIndex"] == -1
    assert [side["Value"] for side in die["RotationValues"]] == list("123456")
    assert kinds["Counter"][0]["Counter"]["value"] == 3
    assert (kinds["Notecard"][0]["Nickname"], kinds["Notecard"][0]["Description"]) == (
        "Warning",
        "Mind the step",
    )
    hands = {each["FogColor"]: each["Transform"] for each in kinds["HandTrigger"]}
    assert (hands["Red"]["rotY"], hands["Blue"]["rotY"]) == (0, 180)
    assert hands["Red"]["posZ"] == pytest.approx(-380 / 25.4, abs=1e-4)
    seated = {each["GMNotes"]: each["Transform"] for each in kinds["Card"] if not each["Locked"]}
    assert {each["GMNotes"] for each in kinds["Card"]} == {"c1", "c2"}
    blue = next(t for t in (each["Transform"] for each in kinds["Card"]) if t["rotY"] == 0)
    assert blue["posZ"] == pytest.approx(180 / 25.4, abs=1e-4), "200 mm in from the far seat"
    assert seated


def test_snap_points_meet_what_is_printed(deck: Deck) -> None:
    deck.make(1, face=SNAPPING, kind="board").export()
    (tile,) = deck.save("objects/Cards.json")["ObjectStates"]
    (point,) = tile["AttachedSnapPoints"]
    scale = tile["Transform"]["scaleX"]
    # A tile's right is at -x and its top at -z, within it, and its scale multiplies them.
    assert point["Position"]["x"] * scale * 25.4 == pytest.approx(31.75 - 10, abs=0.01)
    assert point["Position"]["z"] * scale * 25.4 == pytest.approx(20 - 44.45, abs=0.01)
    assert point["Rotation"]["y"] == 90


def test_a_save_is_valid_and_the_same_for_the_same_input(deck: Deck) -> None:
    deck.make(9, table=TABLE, face=SNAPPING).export()
    assert_valid(deck.folder)
    first = (deck.folder / "table.json").read_bytes(), (deck.folder / "table-plan.png").read_bytes()
    for path in deck.folder.rglob("*"):
        if path.is_file():
            path.unlink()
    deck.export()
    assert (
        (deck.folder / "table.json").read_bytes(),
        (deck.folder / "table-plan.png").read_bytes(),
    ) == first


def test_part_of_a_game_has_the_same_keys_and_no_table(deck: Deck) -> None:
    more = (
        "  others:\n    title: Others\n    kind: card\n    trim: mini\n    data: others.yaml\n"
        "    schema: others.schema.json\n    face: card.svg\n    back: back.svg\n"
    )
    deck.make(3, extra=more)
    deck.write("data/tiny/others.yaml", "others:\n  - {id: o1, name: One}\n  - {id: o2, name: Two}\n")
    schema = (deck.root / "schemas/tiny/cards.schema.json").read_text(encoding="utf-8")
    deck.write("schemas/tiny/others.schema.json", schema.replace('"cards"', '"others"'))
    wish = cardgen.ExportOptions(game="tiny", to="tts", components=("others",), settings={"dpi": 30})
    cardgen.export_to(wish, project=cardgen.Project.open(deck.root))
    assert not (deck.folder / "table.json").exists()
    (pile,) = deck.save("objects/Others.json")["ObjectStates"]
    assert list(pile["CustomDeck"]) == ["2"]


MORE = """  others:
    title: Others
    kind: card
    trim: poker
    data: others.yaml
    schema: others.schema.json
    face: card.svg
    back: back.svg
"""
MIXED = """size: [1000mm, 600mm]
items:
  - {deck: [cards, others], name: All, shuffle: true, at: [0mm, 0mm]}
  - {pawn: Ann, color: '#ff0000', at: [254mm, 0mm], seat: Red}
seats:
  - {color: Red, at: [0mm, 380mm]}
  - {color: Blue, at: [0mm, -380mm], turn: 180}
"""


def test_titles_that_differ_in_capitals_have_files_of_their_own(deck: Deck) -> None:
    deck.make(2, extra=MORE.replace("title: Others", "title: CARDS"))
    deck.write("data/tiny/others.yaml", "others:\n  - {id: c1, name: Other}\n")
    schema = (deck.root / "schemas/tiny/cards.schema.json").read_text(encoding="utf-8")
    deck.write("schemas/tiny/others.schema.json", schema.replace('"cards"', '"others"'))
    deck.export()
    objects = {path.name for path in (deck.folder / "objects").glob("*.json")}
    assert objects == {"Cards.json", "CARDS (others).json"}


def test_cards_of_two_components_in_one_pile_and_a_pawn(deck: Deck) -> None:
    deck.make(6, extra=MORE, table=MIXED)
    deck.write("data/tiny/others.yaml", "others:\n  - {id: c1, name: Other, copies: 4}\n")
    schema = (deck.root / "schemas/tiny/cards.schema.json").read_text(encoding="utf-8")
    deck.write("schemas/tiny/others.schema.json", schema.replace('"cards"', '"others"'))
    deck.export()
    save = deck.save()
    assert not [error.message for error in Draft202012Validator(SCHEMA).iter_errors(save)]
    assert_identity(save["ObjectStates"])
    (pile,) = (each for each in save["ObjectStates"] if each["Name"] == "DeckCustom")
    assert pile["Nickname"] == "All"
    names = [card["Nickname"] for card in pile["ContainedObjects"]]
    assert sorted(names) == [*(f"Card {number}" for number in range(1, 7)), *["Other"] * 4]
    assert names[:6] != sorted(names)[:6], "shuffled together"
    assert pile["Tags"] == ["Cards", "Others"]
    (pawn,) = (each for each in save["ObjectStates"] if each["Name"] == "PlayerPawn")
    assert pawn["MaterialIndex"] == -1, "no material of the program's own: the color counts"
    assert (pawn["Nickname"], pawn["ColorDiffuse"]["r"], pawn["ColorDiffuse"]["g"]) == ("Ann", 1, 0)
    assert pawn["Transform"]["posX"] == 10.0
