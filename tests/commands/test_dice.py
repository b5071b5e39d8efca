"""Dice from a game's files to stickers and Tabletop Simulator's table."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pikepdf
import pytest

import cardgen
from tests.wording import Wording

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
<rect width="15" height="15" fill="#ffffff"/>
<text x="7.5" y="9" text-anchor="middle" font-family="IBM Plex Sans" font-size="{{ 9|pt }}">
{{- card.side }}{{ card.number }}{{ card.ink }}</text>
</svg>
"""
DICE = """
dice:
  - {id: sea, copies: 2, ink: b, faces: [1, 2, 3, w, w, c]}
  - {id: wind, ink: r, faces: [n, e, s, w]}
"""


def project(root: Path, dice: str = DICE, game: str = GAME) -> cardgen.Project:
    files = {
        "data/demo/game.yaml": game.lstrip(),
        "data/demo/dice.yaml": dice.lstrip(),
        "templates/demo/side.svg": SIDE,
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return cardgen.Project.open(root)


def test_each_face_is_a_sticker(tmp_path: Path) -> None:
    [component] = cardgen.load("demo", project=project(tmp_path)).components
    assert [card.id for card in component.cards][:2] == ["sea-1", "sea-2"]
    assert [card.number for card in component.cards] == list(range(1, 11))
    assert [(card.fields["side"], card.copies) for card in component.cards[3:7]] == [
        ("w", 2),
        ("w", 2),
        ("c", 2),
        ("n", 1),
    ]
    assert component.corner_radius == 1.5
    assert [(die.id, die.kind, die.copies) for die in component.dice] == [
        ("sea", "d6", 2),
        ("wind", "d4", 1),
    ]


def test_stickers_of_all_dice_are_on_the_sheet(tmp_path: Path) -> None:
    options = cardgen.BuildOptions("demo", paper="a4", cut=("svg",))
    files = {
        file.path.rsplit(".", 1)[1]: file
        for file in cardgen.build(options, project=project(tmp_path)).files
    }
    assert files["pdf"].cards == 2 * 6 + 4
    with pikepdf.open(files["pdf"].path) as pdf:
        assert len(pdf.pages) == 1, "printed on one side"
    assert Path(files["svg"].path).read_text(encoding="utf-8").count("<path") == 16


@pytest.mark.long
def test_on_the_table_a_die_says_what_was_rolled(tmp_path: Path) -> None:
    done = cardgen.export_to(cardgen.ExportOptions("demo", "tts"), project=project(tmp_path))
    saves = {Path(file.path).name: Path(file.path) for file in done.files}
    table = json.loads(saves["table.json"].read_text(encoding="utf-8"))
    schema = Path(cardgen.__file__).parents[1] / "schemas/tts-save.schema.json"
    jsonschema.validate(table, json.loads(schema.read_text(encoding="utf-8")))
    dice = [each for each in table["ObjectStates"] if each["Name"].startswith("Die_")]
    assert [each["Name"] for each in dice] == ["Die_6", "Die_6", "Die_4"]
    values = dice[0]["RotationValues"]
    assert [each["Value"] for each in values] == ["1", "2", "3", "w", "w", "c"]
    ends = [(each["Rotation"]["x"], each["Rotation"]["z"]) for each in values]
    assert len(set(ends)) == 6
    # opposite faces are half a turn apart: 1 and 6, 2 and 5, 3 and 4
    assert [
        (ends[k][0] - ends[5 - k][0]) % 360 + (ends[k][1] - ends[5 - k][1]) % 360 for k in range(3)
    ] == [180] * 3
    assert dice[2]["Description"] == "1: n\n2: e\n3: s\n4: w"
    assert [each.code for each in done.findings if each.code == "tts/die"] == ["tts/die"]
    assert [
        each["Name"] for each in json.loads(saves["Dice.json"].read_text(encoding="utf-8"))["ObjectStates"]
    ] == [
        "Die_6",
        "Die_6",
        "Die_4",
    ]


def test_faces_that_make_no_die_are_errors(tmp_path: Path, wording: Wording) -> None:
    for dice in (
        "[{id: sea}]",
        "[{id: sea, faces: many}]",
        "[{id: sea, faces: [1, null]}]",
        "[{id: sea, faces: [[1], 2]}]",
        "[{id: sea, faces: [1]}]",
        f"[{{id: a, faces: {list(range(101))}}}]",
        str([{"id": f"a{n}", "faces": [0] * 100} for n in range(201)]),
    ):
        demo = project(tmp_path, f"dice: {dice}\n")
        with pytest.raises(cardgen.CardgenError) as error:
            cardgen.load("demo", project=demo)
        wording(error.value)
        errors = [each for each in error.value.findings if each.severity is cardgen.Severity.ERROR]
        assert [each.code for each in errors] == ["component/die"]
        assert errors[0].location.file == "data/demo/dice.yaml"


def test_a_sticker_has_no_back(tmp_path: Path, wording: Wording) -> None:
    with pytest.raises(cardgen.CardgenError) as caught:
        cardgen.load("demo", project=project(tmp_path, game=GAME + "    back: side.svg\n"))
    wording(caught.value)


TABLE = """
size: [800mm, 600mm]
seats:
  - {color: White, at: [0mm, 350mm]}
  - {color: Red, at: [0mm, -350mm], turn: 180}
items:
  - {dice: dice/sea, count: 3, color: "#102030", name: The sea, at: [0mm, 0mm]}
  - {dice: dice/wind, at: [0mm, 60mm]}
"""


def laid_out(root: Path, table: str) -> cardgen.Project:
    demo = project(root)
    (root / "data/demo/table.yaml").write_text(table.lstrip(), encoding="utf-8")
    return demo


def test_a_table_file_places_dice_of_the_game(tmp_path: Path) -> None:
    done = cardgen.export_to(cardgen.ExportOptions("demo", "tts"), project=laid_out(tmp_path, TABLE))
    [path] = [file.path for file in done.files if file.path.endswith("table.json")]
    table = json.loads(Path(path).read_text(encoding="utf-8"))
    dice = [each for each in table["ObjectStates"] if each["Name"].startswith("Die_")]
    assert [(each["Name"], each["Nickname"]) for each in dice] == [("Die_6", "The sea")] * 3 + [
        ("Die_4", "wind")
    ]
    assert dice[0]["RotationValues"][3]["Value"] == "w"
    assert dice[0]["ColorDiffuse"]["b"] == pytest.approx(0x30 / 255, abs=0.001)
    assert len({each["GUID"] for each in dice}) == 4


def test_dice_that_there_are_not_are_said(tmp_path: Path) -> None:
    demo = laid_out(tmp_path, TABLE.replace("dice/wind", "dice/rain").replace("dice/sea", "cubes/sea"))
    found = cardgen.check(cardgen.load("demo", project=demo))
    wrong = {each.code for each in found if each.severity is cardgen.Severity.ERROR}
    assert {"reference/card", "reference/component"} <= wrong


def test_faces_that_are_mappings_are_called_by_their_titles(tmp_path: Path) -> None:
    faces = "[{title: North}, {name: East}, {art: x}, 4]"
    [component] = cardgen.load(
        "demo", project=project(tmp_path, f"dice: [{{id: wind, faces: {faces}}}]")
    ).components
    assert component.dice[0].names == ("North", "East", "3", "4")
