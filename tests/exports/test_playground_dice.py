"""Dice of the package for Tabletop Playground."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import cardgen
from cardgen.exports.kit import CELLS, DIRECTIONS, PIPS, pips
from tests.for_each import for_each

GAME = """
id: demo
title: Demo
version: "1"
author: Nobody
players: {min: 1, max: 2}
components:
  dice:
    title: Dice
    kind: die
    trim: [12mm, 12mm]
    bleed: 1.5mm
    safe: 1mm
    data: dice.yaml
    face: side.svg
"""
SIDE = """<svg xmlns="http://www.w3.org/2000/svg" width="15mm" height="15mm" viewBox="0 0 15 15">
<rect width="15" height="15" fill="rgb({{ 20 * number }}, 0, 90)"/></svg>
"""
TABLE = """size: [600mm, 500mm]
items: [{dice: d6, count: 2, color: '#204060', at: [0mm, 0mm]}, {dice: d8, at: [0mm, 90mm]}]
seats: [{color: Red, at: [0mm, 250mm]}, {color: Blue, at: [0mm, -250mm], turn: 180}]
left_out: [dice]
"""
DICE = "dice:\n  - {id: sea, faces: [a, b, c, d, e, f]}\n"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("dice")
    files = {
        "data/demo/game.yaml": GAME.lstrip(),
        "data/demo/dice.yaml": DICE,
        "data/demo/table.yaml": TABLE,
        "templates/demo/side.svg": SIDE,
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    wish = cardgen.ExportOptions(game="demo", to="vtt-kit", settings={"dpi": 60})
    cardgen.export_to(wish, project=cardgen.Project.open(root))
    return root / "output/demo/vtt-kit/playground/Demo"


def dice_of(package: Path) -> dict[str, dict[str, Any]]:
    found = [json.loads(path.read_text("utf-8")) for path in package.glob("Templates/*Dice.json")]
    return {each["Name"]: each for each in found}


def test_faces_are_where_the_die_shows_them(package: Path) -> None:
    dice = dice_of(package)
    assert set(dice) == {"sea", "d6 #204060"}, "one a colour, none with other faces"
    sea = dice["sea"]
    assert [face["Name"] for face in sea["Faces"]] == list("abcdef")
    assert [[face["X"], face["Y"], face["Z"]] for face in sea["Faces"]] == list(DIRECTIONS)
    with Image.open(package / "Textures" / sea["Models"][0]["Texture"]) as picture:
        edge = picture.width // 3
        assert picture.size == (3 * edge, 3 * edge)
        for number, (column, row) in enumerate(CELLS, 1):
            middle = (round((column + 0.5) * edge), round((row + 0.5) * edge))
            assert picture.getpixel(middle) == (20 * number, 0, 90)
    assert not list(package.glob("Templates/*Card.json")), "stickers are not cards"


def test_opposite_faces_of_a_plain_die_sum_to_seven() -> None:
    for number, way in enumerate(DIRECTIONS, 1):
        (other,) = (each for each, b in enumerate(DIRECTIONS, 1) if all(x == -y for x, y in zip(way, b)))
        assert number + other == 7
    assert [len(places) for places in PIPS] == [1, 2, 3, 4, 5, 6]


@for_each(("color", "ink"), [("#204060", (255, 255, 255)), ("#f4f4ea", (0, 0, 0))])
def test_pips_can_be_told_from_their_ground(color: str, ink: tuple[int, int, int]) -> None:
    picture = pips(color)
    edge = picture.width // 3
    assert picture.getpixel((edge * 3 // 2, edge // 2)) == ink, "the pip of the one"
    assert picture.getpixel((edge * 3 // 2, edge * 5 // 2)) != ink, "the middle of the four"
