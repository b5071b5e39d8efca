"""The kit for other tables: pictures, atlases, lists and the package for Tabletop Playground."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image, ImageChops

import cardgen
from cardgen.core.geometry import Size
from cardgen.exports import kit as guide

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]
GAME = "data/demo/game.yaml"


def kit(run: Run, demo: Path, *words: str) -> Path:
    code, _, errors = run("export", "demo", "--to", "vtt-kit", "--dpi", "100", *words)
    assert code == 0, errors
    return demo / "output/demo/vtt-kit"


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "manifest.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def templates(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("playground/*/Templates/*"))]


def own_backs(demo: Path) -> None:
    """Each card gets a back of its own."""
    back = demo / "templates/demo/back.svg"
    text = back.read_text(encoding="utf-8")
    number = '<rect x="{{ number * 2 }}" y="40" width="3" height="9" fill="#ff00ff"/></svg>'
    back.write_text(text.replace("</svg>", number), encoding="utf-8")


@pytest.mark.parametrize("images", ["png", "jpeg"])
def test_each_cell_of_an_atlas_is_the_face_beside_it(run: Run, demo: Path, images: str) -> None:
    folder = kit(run, demo, "--images", images)
    assert {path.suffix for path in folder.glob("faces/*/*")} == {".png" if images == "png" else ".jpg"}
    for row in rows(folder):
        with Image.open(folder / row["face"]) as face, Image.open(folder / row["atlas"]) as atlas:
            assert face.size == (250, 350)
            assert atlas.size == (250 * int(row["columns"]), 350 * int(row["rows"]))
            assert int(row["slot"]) == int(row["row"]) * int(row["columns"]) + int(row["column"])
            left, top = 250 * int(row["column"]), 350 * int(row["row"])
            cell = atlas.crop((left, top, left + 250, top + 350)).convert("RGB")
            worst = max(high for _, high in ImageChops.difference(cell, face.convert("RGB")).getextrema())
            assert worst <= (0 if images == "png" else 40)


def test_the_lists_name_every_card_and_file(run: Run, demo: Path) -> None:
    folder = kit(run, demo)
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    copies = {card.id: card.copies for card in game.cards()}
    lines = rows(folder)
    assert {row["card"]: int(row["copies"]) for row in lines} == copies
    assert lines[0]["name"] == "Early Bird"
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (component,) = manifest["components"]
    (atlas,) = component["atlases"]
    assert [card["id"] for card in atlas["cards"]] == list(copies)
    assert atlas["backs_are"] == "one"
    named = {row[key] for row in lines for key in ("face", "back", "atlas")}
    assert all((folder / name).is_file() for name in named)
    pictures = {path.relative_to(folder).as_posix() for path in folder.rglob("*.png")}
    assert {name for name in pictures if not name.startswith("playground/")} == named


def test_backs_that_differ_have_an_atlas_with_the_same_cells(run: Run, demo: Path) -> None:
    own_backs(demo)
    folder = kit(run, demo)
    for row in rows(folder):
        with Image.open(folder / row["back"]) as back, Image.open(folder / row["back_atlas"]) as atlas:
            left, top = 250 * int(row["column"]), 350 * int(row["row"])
            cell = atlas.crop((left, top, left + 250, top + 350))
            assert ImageChops.difference(cell, back).getbbox() is None
    (template,) = templates(folder)
    assert template["BackIndex"] == -3


def test_the_package_for_tabletop_playground(run: Run, demo: Path) -> None:
    folder = kit(run, demo)
    root = folder / "playground/Demo"
    about = json.loads((root / "Manifest.json").read_text(encoding="utf-8"))
    assert set(about) == {"Name", "Version", "GUID"}
    (template,) = templates(folder)
    (path,) = (root / "Templates").iterdir()
    assert path.name == f"{template['GUID']}Card.json"
    assert len({about["GUID"], template["GUID"]}) == 2
    assert (template["Type"], template["Model"], template["BackIndex"]) == ("Card", "Rounded", -2)
    assert (template["Width"], template["Height"]) == (6.35, 8.89)  # cm
    for key in ("FrontTexture", "BackTexture"):
        assert (root / "Textures" / template[key]).is_file()
    row = rows(folder)[0]
    assert (root / "Textures" / template["FrontTexture"]).read_bytes() == (
        folder / row["atlas"]
    ).read_bytes()
    counted = Counter(template["Indices"])
    assert counted == {int(row["slot"]): int(row["copies"]) for row in rows(folder)}
    assert template["CardNames"]["0"] == "Early Bird"
    assert template["NumHorizontal"] * template["NumVertical"] >= len(rows(folder))


def test_round_tokens_and_boards(run: Run, demo: Path, edit: Edit) -> None:
    plain = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="{{ width }}mm" height="{{ height }}mm" '
        'viewBox="0 0 {{ width }} {{ height }}"><rect width="{{ width }}" height="{{ height }}" '
        'fill="#803020"/></svg>'
    )
    (demo / "templates/demo/card.svg").write_text(plain, encoding="utf-8")
    edit(GAME, "    back: back.svg\n", "")
    edit(GAME, "kind: card\n    trim: poker", "kind: token\n    shape: ellipse\n    trim: [20mm, 20mm]")
    folder = kit(run, demo)
    with Image.open(folder / rows(folder)[0]["face"]) as image:
        assert image.mode == "RGBA"
        assert image.getpixel((0, 0))[3] == 0
    (template,) = templates(folder)
    assert (template["Model"], template["BackIndex"], template["BackTexture"]) == ("Round", -1, "")
    assert template["CanStack"] is True
    assert template["HiddenInHand"] is False


@pytest.mark.long
def test_many_cards_are_spread_over_atlases(run: Run, demo: Path) -> None:
    path = demo / "data/demo/cards.yaml"
    text = path.read_text(encoding="utf-8")
    more = "".join(
        f"  - {{id: more-{n}, title: More, suit: sun, value: 1, text: More of it.}}\n" for n in range(70)
    )
    path.write_text(text + more, encoding="utf-8")
    folder = kit(run, demo)
    assert {row["atlas"] for row in rows(folder)} == {
        "atlases/cards-1-faces.png",
        "atlases/cards-2-faces.png",
    }
    assert sorted(template["Name"] for template in templates(folder)) == ["Cards 1", "Cards 2"]
    cells = {(row["atlas"], row["slot"]) for row in rows(folder)}
    assert len(cells) == len(rows(folder)) == 76


def test_a_second_export_touches_nothing_and_bytes_stay(run: Run, demo: Path) -> None:
    folder = kit(run, demo)
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.rglob("*.*")}
    (demo / "data/services").mkdir()  # another input, the same outcome
    _, out, _ = run("export", "demo", "--to", "vtt-kit", "--dpi", "100")
    assert out.startswith("0 files written")
    assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.rglob("*.*")} == before


@pytest.mark.parametrize("words", [("--dpi", "9"), ("--images", "tiff"), ("--max-texture", "10")])
def test_misuse(run: Run, words: tuple[str, str]) -> None:
    code, _, errors = run("export", "demo", "--to", "vtt-kit", *words)
    assert code == 2
    assert words[0] in errors


def test_no_picture_is_larger_than_asked_for(run: Run, demo: Path) -> None:
    folder = kit(run, demo, "--max-texture", "256")
    for path in folder.rglob("*.png"):
        with Image.open(path) as image:
            assert max(image.size) < 256, path.name
            assert max(image.size) > 128


TABLE = """size: [1000mm, 600mm]
setup: Take [two] cards.
items:
  - {deck: cards, name: Pile, cards: {early-bird: 1, night-owl: 2}, at: [120mm, -50mm], turn: 90}
  - {piece: cards/gardener, at: [0mm, 0mm], locked: true}
  - {piece: cards/gardener, count: 2, on: {piece: cards/gardener, snap: corner}}
  - {note: Not there, at: [0mm, 200mm]}
seats: [{color: Red, at: [0mm, 350mm]}, {color: Blue, at: [0mm, -350mm], turn: 180}]
"""


def test_the_table_is_a_state_of_the_package(run: Run, demo: Path, edit: Edit) -> None:
    (demo / "data/demo/table.yaml").write_text(TABLE, encoding="utf-8")
    face = demo / "templates/demo/card.svg"
    text = face.read_text(encoding="utf-8")
    mark = '<rect cg:snap="corner" x="8.175" y="18.175" width="10" height="10" fill="none"/></svg>'
    face.write_text(text.replace("</svg>", mark), encoding="utf-8")
    folder = kit(run, demo)
    (path,) = folder.glob("playground/*/States/*.vts")
    state = json.loads(path.read_text(encoding="utf-8"))
    about = json.loads((path.parent.parent / "Manifest.json").read_text(encoding="utf-8"))
    assert state["requiredPackages"] == [{"name": about["Name"], "guid": about["GUID"]}]
    assert state["gameState"]["notes"] == "Take (two) cards."
    (template,) = templates(folder)
    board, pile, loose = state["objects"]
    assert {each["templateId"] for each in state["objects"]} == {template["GUID"]}
    slots = {row["card"]: int(row["slot"]) for row in rows(folder)}
    stack = [pile["atlasIndex"], *(card["index"] for card in pile["stackSerialization"])]
    assert stack == [slots["night-owl"], slots["night-owl"], slots["early-bird"]], "the first is on top"
    assert pile["transform"]["translation"] == {"x": 5.0, "y": 12.0, "z": pytest.approx(1.075)}
    turned = pile["transform"]["rotation"]  # a quarter clockwise, face down
    assert [turned[key] for key in "xyzw"] == pytest.approx([0.5**0.5, 0.5**0.5, 0, 0], abs=1e-5)
    assert (board["collisionType"], board["simulatingPhysics"]) == ("CB_Ground", False)
    assert board["transform"]["rotation"] == {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}
    assert len(loose["stackSerialization"]) == 1
    # 10, 20 mm from the corner of a poker card
    snap = template["SnapPoints"][0]["Position"]
    assert (snap["X"], snap["Y"]) == pytest.approx(((88.9 / 2 - 20) / 10, (10 - 63.5 / 2) / 10), abs=1e-3)
    at = loose["transform"]["translation"]
    assert (at["x"], at["y"]) == pytest.approx((snap["X"], snap["Y"]), abs=1e-3)


@pytest.mark.long
def test_cards_that_are_less_sharp_than_asked_for_are_said(run: Run, demo: Path) -> None:
    code, output, errors = run("export", "demo", "--to", "vtt-kit", "--dpi", "300", "--max-texture", "1200")
    assert code == 0
    assert "kit/sharpness" in output + errors
    assert "of the 300 dpi requested" in output + errors
    code, output, errors = run(
        "export", "demo", "--to", "vtt-kit", "--dpi", "300", "--max-texture", "1200", "--sharp"
    )
    assert code == 0
    assert "kit/sharpness" not in output + errors
    folder = demo / "output/demo/vtt-kit"
    assert len({row["atlas"] for row in rows(folder)}) > 1


REQUIRED = {
    *("Type", "GUID", "Name", "Metadata", "CollisionType", "SurfaceType", "Models", "Tags"),
    *("FrontTexture", "BackIndex", "HiddenIndex", "Indices", "CardNames", "CardMetadata", "CardTags"),
}
"""What the vendor's schema of card templates asks for."""


@pytest.mark.parametrize(
    ("shape", "model"), [("hexagon", "Hexagonal"), ("ellipse", "Round"), ("polygon", "cut out")]
)
def test_shapes_of_templates(run: Run, demo: Path, edit: Edit, shape: str, model: str) -> None:
    plain = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="{{ width }}mm" height="{{ height }}mm" '
        'viewBox="0 0 {{ width }} {{ height }}"><rect width="{{ width }}" height="{{ height }}" '
        'fill="#803020"/></svg>'
    )
    (demo / "templates/demo/card.svg").write_text(plain, encoding="utf-8")
    edit(GAME, "    back: back.svg\n", "")
    corners = "\n    corners: [[0, 0], [100, 0], [50, 100]]" if shape == "polygon" else ""
    trim = "[30mm, 26mm]" if shape != "ellipse" else "[20mm, 20mm]"
    edit(GAME, "kind: card\n    trim: poker", f"kind: token\n    shape: {shape}{corners}\n    trim: {trim}")
    folder = kit(run, demo)
    (template,) = templates(folder)
    assert set(template) >= REQUIRED
    if model != "cut out":
        assert template["Model"] == model
        return
    (shown,) = folder.glob(f"playground/*/Textures/{template['Model']}")
    with Image.open(shown) as picture:
        assert picture.mode == "RGBA"


def test_what_to_do_at_each_table(run: Run, demo: Path) -> None:
    folder = kit(run, demo)
    said = (folder / "UPLOAD.txt").read_text(encoding="utf-8")
    first = rows(folder)[0]
    with Image.open(folder / first["face"]) as picture:
        across, high = picture.size
    assert f"{across} x {high} px, scale {63.5 * 10 / across:.2f}\n" in said  # 10 px are a millimetre
    assert f"{first['atlas']}, {first['columns']} column" in said
    wishes: Any = SimpleNamespace(picture_size=lambda trim: (4001, 5601))
    sheet: Any = SimpleNamespace(title="A", cards=(), trim=Size(63.5, 88.9), backs=None)
    assert "more than 4000 px" in guide._tabletopia(wishes, sheet)
