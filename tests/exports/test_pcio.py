"""A room for playingcards.io, read back from its ZIP."""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import cardgen
from cardgen.core.geometry import Rect
from cardgen.core.records import replace
from cardgen.exports import pcio as limits

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]
GAME = "data/demo/game.yaml"

TABLE = """\
size: [1000mm, 700mm]
setup: Shuffle the deck.
items:
  - {deck: cards, at: [0mm, 0mm], shuffle: true, name: The deck}
  - {piece: cards/gardener, at: [-200mm, 0mm], count: 2}
  - {dice: d6, count: 2, at: [200mm, 0mm]}
  - {counter: Rounds, value: 3, at: [200mm, 100mm]}
  - {note: Discards, at: [200mm, -100mm]}
seats:
  - {color: White, at: [0mm, 400mm]}
  - {color: Red, at: [0mm, -400mm], turn: 180}
each_seat:
  - {piece: cards/full-moon, at: [0mm, -150mm]}
"""


def room(run: Run, demo: Path, *words: str) -> tuple[list[dict[str, Any]], zipfile.ZipFile]:
    code, _, errors = run("export", "demo", "--to", "pcio", *words)
    assert code == 0, errors
    archive = zipfile.ZipFile(io.BytesIO((demo / "output/demo/pcio/demo.pcio").read_bytes()))
    return json.loads(archive.read("widgets.json")), archive


def of(widgets: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [widget for widget in widgets if widget["type"] == kind]


def addresses(widgets: list[dict[str, Any]]) -> set[str]:
    """Every asset that some widget names."""
    found = {widget["boardImage"] for widget in of(widgets, "board")}
    for deck in of(widgets, "cardDeck"):
        for template in (deck["faceTemplate"], deck["backTemplate"]):
            found |= {each["value"] for each in template["objects"] if each["valueType"] == "static"}
        for kind in deck["cardTypes"].values():
            found |= {value for key, value in kind.items() if key != "label"}
    return {address for address in found if address}


def test_every_card_is_there_as_often_as_it_is_printed(run: Run, demo: Path) -> None:
    widgets, _ = room(run, demo)
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    cards = of(widgets, "card")
    assert Counter(card["cardType"] for card in cards) == {card.id: card.copies for card in game.cards()}
    (deck,), (pile,) = of(widgets, "cardDeck"), of(widgets, "cardPile")
    assert deck["parent"] == pile["id"]
    assert pile["hasShuffleButton"]
    assert {card["parent"] for card in cards} == {pile["id"]}
    assert {card["deck"] for card in cards} == {deck["id"]}
    assert set(deck["cardTypes"]) == {card["cardType"] for card in cards}
    assert deck["cardTypes"]["early-bird"]["label"] == "Early Bird"
    assert not any(card["faceup"] for card in cards)


def test_assets_and_their_names_match(run: Run, demo: Path) -> None:
    widgets, archive = room(run, demo)
    names = set(archive.namelist()) - {"widgets.json"}
    assert {f"package://{name}" for name in names} == addresses(widgets)
    for name in names:
        assert name.startswith("userassets/")
        assert archive.getinfo(name).file_size < 2 * 1024 * 1024
        with Image.open(io.BytesIO(archive.read(name))) as image:
            assert image.size == (375, 525)
    assert {entry.date_time for entry in archive.infolist()} == {(2000, 1, 1, 0, 0, 0)}


def test_ids_are_each_their_own_and_stay(run: Run, demo: Path, edit: Edit) -> None:
    before, _ = room(run, demo)
    ids = [widget["id"] for widget in before]
    assert len(ids) == len(set(ids))
    assert [widget["z"] for widget in before] == list(range(1, len(before) + 1))
    edit("data/demo/cards.yaml", "title: Early Bird", "title: Early Birds")
    after, _ = room(run, demo)
    assert [widget["id"] for widget in after] == ids


def test_the_games_table_says_where_things_lie(run: Run, demo: Path) -> None:
    (demo / "data/demo/table.yaml").write_text(TABLE, encoding="utf-8")
    widgets, _ = room(run, demo)
    (pile,) = of(widgets, "cardPile")
    assert pile["label"] == "The deck"
    loose = [card for card in of(widgets, "card") if card["parent"] is None]
    assert Counter(card["cardType"] for card in loose) == {"gardener": 2, "full-moon": 2}
    assert all(card["faceup"] for card in loose)
    gardener = next(card for card in loose if card["cardType"] == "gardener")
    middle = pile["x"] + pile["width"] / 2
    assert gardener["x"] + gardener["width"] / 2 < middle
    far, near = sorted(card["y"] for card in loose if card["cardType"] == "full-moon")
    assert far < pile["y"] < near
    assert not any("r" in card for card in loose)  # all the right way up
    assert [spinner["options"] for spinner in of(widgets, "spinner")] == [[1, 2, 3, 4, 5, 6]] * 2
    (counter,) = of(widgets, "counter")
    assert (counter["label"], counter["counterValue"]) == ("Rounds", 3)
    assert [note["labelContent"] for note in of(widgets, "labelText")] == ["Discards"]
    seats = of(widgets, "seat")
    assert [seat["seatIndex"] for seat in seats] == [0, 1]
    assert seats[1]["seatColor"] == "red"
    assert len({seat["seatColor"] for seat in seats}) == 2
    assert (demo / "output/demo/pcio/setup.txt").read_text(encoding="utf-8") == "Shuffle the deck.\n"


def test_everything_is_inside_the_room_and_above_the_hand(run: Run, demo: Path) -> None:
    (demo / "data/demo/table.yaml").write_text(TABLE, encoding="utf-8")
    widgets, _ = room(run, demo)
    (hand,) = of(widgets, "hand")
    assert hand["id"] == "hand"
    for widget in widgets:
        assert widget["x"] >= 0
        assert widget["x"] + widget["width"] <= 1600
        assert widget["y"] >= 0
        if widget is not hand:
            assert widget["y"] + widget["height"] <= hand["y"]


def test_a_board_is_a_board_and_a_round_token_see_through(run: Run, demo: Path, edit: Edit) -> None:
    edit(GAME, "kind: card\n    trim: poker", "kind: board\n    trim: [300mm, 200mm]")
    (demo / "templates/demo/card.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="{{ width }}mm" height="{{ height }}mm" '
        'viewBox="0 0 {{ width }} {{ height }}"><rect width="{{ width }}" height="{{ height }}" '
        'fill="#803020"/></svg>',
        encoding="utf-8",
    )
    edit(GAME, "    back: back.svg\n", "")
    widgets, archive = room(run, demo)
    boards = of(widgets, "board")
    assert len(boards) == 6
    assert all(board["width"] / board["height"] == pytest.approx(1.5, abs=0.03) for board in boards)
    edit(
        GAME,
        "kind: board\n    trim: [300mm, 200mm]",
        "kind: token\n    shape: ellipse\n    trim: [20mm, 20mm]",
    )
    widgets, archive = room(run, demo)
    assert of(widgets, "board") == []
    assert all(card["faceup"] for card in of(widgets, "card"))
    name = next(name for name in archive.namelist() if name.endswith(".png"))
    with Image.open(io.BytesIO(archive.read(name))) as image:
        assert image.mode == "RGBA"
        assert image.getpixel((0, 0))[3] == 0
        assert image.getpixel((image.width // 2, image.height // 2)) == (128, 48, 32, 255)


def test_large_pictures_are_made_small_enough(
    run: Run, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_BYTES", 20_000)
    _, archive = room(run, demo)
    sizes = [entry.file_size for entry in archive.infolist() if entry.filename != "widgets.json"]
    assert sizes
    assert max(sizes) <= 20_000


def test_a_second_export_touches_nothing(run: Run, demo: Path) -> None:
    room(run, demo)
    path = demo / "output/demo/pcio/demo.pcio"
    before = path.stat().st_mtime_ns, path.read_bytes()
    (demo / "data/services").mkdir()  # another input, the same outcome
    _, out, _ = run("export", "demo", "--to", "pcio")
    assert out.startswith("0 files written")
    path.unlink()
    room(run, demo)
    assert path.read_bytes() == before[1]


OTHERS = """  others:
    title: Others
    kind: card
    trim: poker
    data: others.yaml
    schema: others.schema.json
    face: card.svg
    back: back.svg
sheets:
"""
MIXED = """\
size: [1000mm, 700mm]
items:
  - {deck: [cards, others], at: [0mm, 0mm], shuffle: true, name: All}
  - {pawn: Ann, color: '#dd2211', at: [200mm, 0mm]}
  - {piece: cards/gardener, at: [-200mm, 0mm], turn: 180}
  - {note: 'A text that is far too long for the little room that it has here, so that only the name is
      left of it when all is laid out to a scale that fits the room', name: Archive, at: [300mm, 0mm]}
  - {note: Face up, name: Row, at: [-300mm, 0mm]}
seats:
  - {color: White, at: [0mm, 400mm]}
"""


def test_a_mixed_pile_a_pawn_and_notes(run: Run, demo: Path, edit: Edit) -> None:
    edit(GAME, "sheets:\n", OTHERS)
    for file, key in (("data/demo/cards.yaml", "cards:"), ("schemas/demo/cards.schema.json", '"cards"')):
        text = (demo / file).read_text(encoding="utf-8").replace(key, key.replace("cards", "others"))
        (demo / file.replace("cards", "others")).write_text(text, encoding="utf-8")
    (demo / "data/demo/table.yaml").write_text(MIXED, encoding="utf-8")
    widgets, archive = room(run, demo)
    assert addresses(widgets) == {
        f"package://{name}" for name in archive.namelist() if name != "widgets.json"
    }
    (pile,) = of(widgets, "cardPile")
    inside = [card for card in of(widgets, "card") if card["parent"] == pile["id"]]
    decks = [deck["id"] for deck in of(widgets, "cardDeck") if deck["parent"] == pile["id"]]
    assert Counter(card["deck"] for card in inside) == dict.fromkeys(decks, len(inside) // 2)
    order = [card["deck"] for card in sorted(inside, key=lambda card: card["z"])]
    assert order != sorted(order, key=decks.index), "shuffled together"
    loose = [card for card in of(widgets, "card") if card["parent"] is None]
    pawn, gardener = sorted(loose, key=lambda card: card["cardType"] != "pawn")
    assert pawn["cardType"] == "pawn"
    assert "r" not in gardener
    (look,) = (deck["cardTypes"]["pawn"] for deck in of(widgets, "cardDeck") if "pawn" in deck["cardTypes"])
    assert look["label"] == "Ann"
    with Image.open(io.BytesIO(archive.read(look["face"].removeprefix("package://")))) as image:
        assert image.getpixel((0, 0))[3] == 0
        assert image.getpixel((image.width // 2, image.height // 2)) == (0xDD, 0x22, 0x11, 255)
    assert [note["labelContent"] for note in of(widgets, "labelText")] == ["Archive", "Row\nFace up"]


def test_a_button_deals_for_each_number_of_players(run: Run, demo: Path, edit: Edit) -> None:
    steps = (
        "steps:\n  - {clear: free seats}\n  - {shuffle: The deck}\n"
        "  - {deal: cards, cards: {by_players: {1: 3, 2: 2}}}\n"
    )
    (demo / "data/demo/table.yaml").write_text(TABLE.replace("items:", f"{steps}items:"), encoding="utf-8")
    widgets, _ = room(run, demo)
    (pile,) = of(widgets, "cardPile")
    seats = [seat["id"] for seat in of(widgets, "seat")]
    buttons = of(widgets, "automationButton")
    least = cardgen.load("demo", project=cardgen.Project.open(demo)).players[0]
    assert [button["label"] for button in buttons] == [
        f"Deal: {count} player{'s' if count > 1 else ''}" for count in range(least, 3)
    ]
    shuffle, deal = buttons[-1]["clickRoutine"]
    assert shuffle == {
        "func": "SHUFFLE_CARDS",
        "args": {"holders": {"type": "literal", "value": [pile["id"]]}},
    }
    assert deal["func"] == "MOVE_CARDS_BETWEEN_HOLDERS"
    values = {name: argument["value"] for name, argument in deal["args"].items()}
    assert values == {"from": [pile["id"]], "to": seats, "quantity": 2, "moveFlip": "faceUp"}
    assert all(button["y"] + button["height"] <= limits.SEATS_Y for button in buttons), "above the seats"


def test_a_table_without_dealing_has_no_button(run: Run, demo: Path) -> None:
    (demo / "data/demo/table.yaml").write_text(TABLE, encoding="utf-8")
    assert of(room(run, demo)[0], "automationButton") == []


WIDE = """\
size: [2000mm, 1000mm]
items:
  - {deck: cards, at: [0mm, 0mm], name: Middle}
  - {piece: cards/gardener, at: [-70mm, 0mm]}
  - {piece: cards/gardener, at: [70mm, 0mm]}
  - {deck: cards, at: [-140mm, 0mm], name: Left}
  - {deck: cards, at: [0mm, -350mm], name: Free}
  - {dice: d6, count: 2, at: [0mm, -100mm]}
  - {note: Discards, at: [100mm, -100mm]}
  - {piece: cards/gardener, at: [-620mm, 0mm], count: 8}
ROW  - {piece: cards/gardener, at: [620mm, 0mm]}
seats:
  - {color: White, at: [0mm, 600mm]}
"""


def wide(demo: Path, pieces: int) -> None:
    """Lay out a table that is too wide for cards of 90 px, with a row of pieces at its near side."""
    row = "".join(
        f"  - {{piece: cards/gardener, at: [{round(1820 * n / (pieces - 1)) - 910}mm, 300mm]}}\n"
        for n in range(pieces)
    )
    (demo / "data/demo/table.yaml").write_text(WIDE.replace("ROW", row), encoding="utf-8")


def overlap(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(
        one[at] < other[at] + other[size] and other[at] < one[at] + one[size]
        for at, size in (("x", "width"), ("y", "height"))
    )


def test_cards_are_wide_enough_and_cover_nothing(run: Run, demo: Path) -> None:
    wide(demo, pieces=15)
    widgets, _ = room(run, demo)
    piles = of(widgets, "cardPile")
    loose = [card for card in of(widgets, "card") if card["parent"] is None]
    assert {card["width"] for card in of(widgets, "card")} == {limits.LEAST_CARD}
    assert {deck["cardWidth"] for deck in of(widgets, "cardDeck")} == {limits.LEAST_CARD}
    heap = [card for card in loose if any(card is not each and overlap(card, each) for each in loose)]
    assert len(heap) == 8, "only the heap"
    objects = [*(card for card in loose if card not in heap[1:]), *of(widgets, "spinner"), *piles]
    objects += of(widgets, "labelText")
    for one, other in combinations(objects, 2):
        assert not overlap(one, other)
    for each in objects:
        assert limits.AREA.x <= each["x"]
        assert each["x"] + each["width"] <= limits.AREA.right + 1
        assert each["y"] + each["height"] <= limits.AREA.bottom + 1
    free = next(pile for pile in piles if pile["label"] == "Free")
    assert free["x"] + free["width"] / 2 == pytest.approx(800, abs=10), "it has space where it was"
    row = sorted((card for card in loose if card["y"] > 400), key=lambda card: card["x"])
    assert len(row) == 15
    assert [widget["z"] for widget in widgets] == list(range(1, len(widgets) + 1))


def test_loose_cards_get_narrower_before_decks(run: Run, demo: Path) -> None:
    wide(demo, pieces=27)
    code, out, errors = run("export", "demo", "--to", "pcio")
    assert code == 0
    assert "pcio/narrow" in out + errors
    archive = zipfile.ZipFile(io.BytesIO((demo / "output/demo/pcio/demo.pcio").read_bytes()))
    widgets = json.loads(archive.read("widgets.json"))
    decks = {deck["id"]: deck["parent"] for deck in of(widgets, "cardDeck")}
    assert {card["width"] for card in of(widgets, "card") if decks[card["deck"]]} == {limits.LEAST_CARD}
    (width,) = {card["width"] for card in of(widgets, "card") if not decks[card["deck"]]}
    assert 50 < width < limits.LEAST_CARD


BOARDED = """\
size: [1900mm, 1300mm]
items:
  - {piece: mats/a, at: [-410mm, -150mm]}
  - {piece: mats/m, at: [0mm, 0mm]}
  - {piece: mats/b, at: [410mm, 150mm]}
  - {deck: cards, on: {piece: mats/m, snap: left}, name: Left}
  - {deck: cards, on: {piece: mats/m, snap: right}, name: Right}
seats:
  - {color: White, at: [0mm, 700mm]}
"""
MAT = """\
<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="urn:cardgen" width="400mm" height="120mm"
viewBox="0 0 400 120"><rect x="-5" y="-5" width="410" height="130" fill="#803020"/>
<rect cg:snap="left" x="20" y="10" width="63.5" height="88.9" fill="#904030"/>
<rect cg:snap="right" x="110" y="10" width="63.5" height="88.9" fill="#904030"/></svg>
"""


def test_a_board_grows_with_its_decks_which_stay_on_their_spaces(run: Run, demo: Path, edit: Edit) -> None:
    mats = "mats: {title: Mats, kind: board, trim: [400mm, 120mm], data: mats.yaml, face: mat.svg}"
    edit(GAME, "sheets:\n", f"  {mats}\nsheets:\n")
    (demo / "data/demo/mats.yaml").write_text("mats: [{id: a}, {id: m}, {id: b}]\n", encoding="utf-8")
    (demo / "templates/demo/mat.svg").write_text(MAT, encoding="utf-8")
    (demo / "data/demo/table.yaml").write_text(BOARDED, encoding="utf-8")
    widgets, _ = room(run, demo)
    left, board, right = sorted(of(widgets, "board"), key=lambda each: each["x"])
    assert left["width"] == right["width"] < board["width"]
    scale = board["width"] / 400
    assert scale == pytest.approx(limits.LEAST_CARD / 63.5, rel=0.01)
    for deck in of(widgets, "cardDeck"):
        if deck["parent"] is not None:
            middle = (deck["x"] + deck["width"] / 2 - board["x"]) / scale
            assert min(abs(middle - space) for space in (51.75, 141.75)) < 1
            assert (deck["y"] + deck["height"] / 2 - board["y"]) / scale == pytest.approx(54.45, abs=1)


def test_frames_move_apart_along_the_axis_on_which_they_lie_apart() -> None:
    big, small = Rect(700, 300, 200, 200), Rect(0, 0, 10, 10)
    beside = Rect(880, 390, 40, 40)
    before = [small, Rect(20, 0, 10, 10)]
    moved = limits.spread([big, beside], before)
    assert moved is not None
    assert moved[1].x - moved[0].right == pytest.approx(limits.APART_PX)
    assert [place.y for place in moved] == [300, 390]
    assert limits.spread([big, beside], [small, small]) == [big, beside], "they overlap on the table"
    long = Rect(20, 100, 1200, 100)
    assert limits.spread([long, replace(long, x=1200)], before) is None
    corner = limits.spread([long, replace(long, x=1200, y=160)], before)
    assert corner is not None
    assert corner[1].y - corner[0].bottom == pytest.approx(limits.APART_PX), "there is no space in a row"
    assert limits.spread([replace(long, width=2000)], [small]) is None
