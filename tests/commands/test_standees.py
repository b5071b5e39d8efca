"""Standees from a game's files to paper, cuts and Tabletop Simulator's table."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import cairosvg
import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageFilter

import cardgen
from tests.wording import Wording

DPI = 127  # 5 px a mm
GAME = """
id: demo
title: Demo
version: "1"
author: Nobody
players: {min: 1, max: 2}
components:
  heroes:
    title: Heroes
    kind: standee
    trim: [40mm, 50mm]
    bleed: 0mm
    data: heroes.yaml
    face: hero.svg
"""
HERO = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40mm" height="50mm" viewBox="0 0 40 50">'
    '<rect width="40" height="50" fill="#000000"/>'
    '<rect y="30" width="20" height="10" fill="#ff0000"/></svg>'
)
ARROW = """
    shape: polygon
    corners: [[30, 0], [70, 0], [100, 40], [80, 60], [80, 100], [20, 100], [0, 20]]
"""


def project(root: Path, more: str = "", game: str = GAME) -> cardgen.Project:
    files = {
        "data/demo/game.yaml": game.lstrip() + more.strip("\n"),
        "data/demo/heroes.yaml": "heroes: [{id: toad}, {id: newt, copies: 2}]\n",
        "templates/demo/hero.svg": HERO,
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return cardgen.Project.open(root)


def built(root: Path, more: str) -> tuple[Image.Image, str]:
    options = cardgen.BuildOptions("demo", paper="a4", cut=("svg",))
    files = {
        Path(file.path).name: file for file in cardgen.build(options, project=project(root, more)).files
    }
    page = pypdfium2.PdfDocument(files["standees.a4.pdf"].path)[0].render(scale=DPI / 72).to_pil()
    return page, Path(files["standees.a4.cut-1.svg"].path).read_text(encoding="utf-8")


def test_art_lies_exactly_in_its_cuts_and_is_mirrored_in_the_fold(tmp_path: Path) -> None:
    page, cuts = built(tmp_path, ARROW)
    cuts = cuts.replace('fill="none" stroke="#ff0000" stroke-width="0.1"', 'fill="#000000"')
    data = cairosvg.svg2png(bytestring=cuts.encode(), dpi=DPI, background_color="white")
    cut = Image.open(BytesIO(data)).convert("L").resize(page.size)
    art = page.convert("L").point(lambda value: 255 if value < 128 else 0)
    beyond = ImageChops.multiply(art, cut)  # dark, and not to be cut out
    left, top, right, bottom = ImageChops.invert(cut).getbbox()
    beyond = beyond.crop((left, top, right, bottom)).filter(ImageFilter.MinFilter(5))
    assert beyond.getbbox() is None
    red = ImageChops.subtract(*(page.split()[0], page.split()[1]))
    boxes = red.crop((left, top, left + 40 * 5, bottom)).point(lambda value: 255 if value > 128 else 0)
    fold = (bottom - top) / 2
    upper, lower = boxes.crop((0, 0, 200, int(fold))), boxes.crop((0, int(fold), 200, bottom - top))
    (x0, y0, x1, y1), (x2, y2, x3, y3) = upper.getbbox(), lower.getbbox()
    assert (x0, x1) == pytest.approx((x2, x3), abs=1)
    assert (fold - y1, fold - y0) == pytest.approx((y2, y3), abs=2)


def test_folds_are_no_cuts(tmp_path: Path) -> None:
    _, cuts = built(tmp_path, ARROW)
    crease = cuts[cuts.index('<g id="crease"') :]
    assert cuts.index('<g id="cut"') < cuts.index('<g id="crease"')
    assert crease.count("<path") == 3 * 3, "at the head and at both feet of three figures"


def test_on_the_table_a_figure_stands_cut_out(tmp_path: Path) -> None:
    done = cardgen.export_to(cardgen.ExportOptions("demo", "tts"), project=project(tmp_path, ARROW))
    saves = {Path(file.path).name: file.path for file in done.files}
    table = json.loads(Path(saves["table.json"]).read_text(encoding="utf-8"))
    [bag] = [each for each in table["ObjectStates"] if each["Name"] == "Bag"]
    assert [each["Name"] for each in bag["ContainedObjects"]] == ["Figurine_Custom"] * 3
    image = bag["ContainedObjects"][0]["CustomImage"]
    assert image["ImageSecondaryURL"] == ""
    with Image.open(saves[image["ImageURL"].rsplit("/", 1)[1]]) as picture:
        assert picture.mode == "RGBA"
        assert picture.getpixel((2, 2))[3] == 0
        assert picture.getpixel((picture.width // 2, picture.height // 2))[3] == 255


def test_a_foot_that_cannot_stand_is_an_error_in_its_line(tmp_path: Path) -> None:
    for more, code in (
        ("    shape: ellipse\n", "component/standee"),
        ("    corner_radius: 3mm\n", "component/corner-radius"),
        ("    standee: {depth: 1mm}\n", "component/standee"),
        ("    standee: {foot: tab, slot: 0mm}\n", "component/standee"),
        ("    standee: {foot: wheels}\n", "schema/enum"),
    ):
        with pytest.raises(cardgen.CardgenError) as error:
            cardgen.load("demo", project=project(tmp_path, more))
        errors = [each for each in error.value.findings if each.severity is cardgen.Severity.ERROR]
        assert [(each.code, each.location.line) for each in errors] == [(code, 14)]


def test_only_a_standee_has_a_foot(tmp_path: Path, wording: Wording) -> None:
    token = project(tmp_path, "    standee: {foot: tab}\n", GAME.replace("kind: standee", "kind: token"))
    with pytest.raises(cardgen.CardgenError) as caught:
        cardgen.load("demo", project=token)
    wording(caught.value)


NAMED = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40mm" height="50mm" viewBox="0 0 40 50">'
    '<rect width="40" height="50" fill="#ffffff"/>'
    '<text x="20" y="25" text-anchor="middle" font-family="IBM Plex Sans" font-size="4">Old Toad</text>'
    "</svg>"
)


def test_letters_on_a_figure_without_a_back_are_said(tmp_path: Path, wording: Wording) -> None:
    def said(more: str = "") -> list[cardgen.Finding]:
        demo = project(tmp_path, more)
        (tmp_path / "templates/demo/hero.svg").write_text(NAMED, encoding="utf-8")
        found = cardgen.check(cardgen.load("demo", project=demo))
        return [each for each in found if each.code == "text/mirrored"]

    [warning] = said()
    wording(warning, "Old Toad")
    assert warning.location.file == "templates/demo/hero.svg"
    assert said("    back: hero.svg\n") == [], "the same face, looked at as one with a back"
    assert len(said()) == 1
