"""The safe zone and the bleed of pieces that are no rectangles."""

from __future__ import annotations

from pathlib import Path

import cardgen
from tests.for_each import for_each
from tests.wording import Wording

GAME = """
id: demo
title: Demo
version: "1"
author: Nobody
description: Pieces
language: en
players: {{min: 1, max: 2}}
components:
  pieces:
    title: Pieces
    kind: token
    trim: [69.3mm, 60mm]
    shape: {shape}
    bleed: 0mm
    safe: {safe}
    data: pieces.yaml
    face: piece.svg
sheets:
  pieces: {{layout: tokens, components: [pieces]}}
"""
FACE = """<svg xmlns="http://www.w3.org/2000/svg" width="69.3mm" height="60mm" viewBox="0 0 69.3 60">
<rect width="69.3" height="60" fill="#ffffff"/>
<text x="{x}" y="{y}" font-family="IBM Plex Sans" font-size="4" fill="#000000"{more}>Owl</text>
</svg>
"""


def said(root: Path, shape: str, x: float, y: float, safe: str = "3mm", more: str = "") -> list[str]:
    files = {
        "data/demo/game.yaml": GAME.format(shape=shape, safe=safe),
        "data/demo/pieces.yaml": "pieces: [{id: one}]\n",
        "templates/demo/piece.svg": FACE.format(x=x, y=y, more=more),
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text.lstrip(), encoding="utf-8")
    project = cardgen.Project.open(root)
    found = cardgen.check(cardgen.load("demo", project=project))
    return [str(each) for each in found if each.code == "text/safe-zone"]


def test_text_in_the_corner_of_a_hexagons_trim_is_cut_off(tmp_path: Path, wording: Wording) -> None:
    [warning] = said(tmp_path, "hexagon", 6, 12)
    assert "templates/demo/piece.svg:3" in warning
    wording(warning, "Owl")
    assert said(tmp_path, "rectangle", 6, 12) == [], "it is within that of a rectangle"
    assert said(tmp_path, "hexagon", 30, 30) == []
    assert said(tmp_path, "hexagon", 6, 12, more=' cg:decor="true" xmlns:cg="urn:cardgen"') == []


def test_text_beside_an_ellipse_is_cut_off(tmp_path: Path, wording: Wording) -> None:
    [warning] = said(tmp_path, "ellipse", 10, 12)
    wording(warning, "Owl")
    assert said(tmp_path, "ellipse", 30, 12) == []


def test_a_safe_zone_that_is_changed_is_looked_at_anew(tmp_path: Path) -> None:
    assert said(tmp_path, "hexagon", 3.8, 31.5, "0mm") == []
    assert len(said(tmp_path, "hexagon", 3.8, 31.5, "3mm")) == 1
    assert said(tmp_path, "hexagon", 3.8, 31.5, "0mm") == []


GROUND = """<svg xmlns="http://www.w3.org/2000/svg" width="75.3mm" height="66mm" viewBox="0 0 75.3 66">
{ground}
<text x="37" y="34" font-family="IBM Plex Sans" font-size="4" fill="#ffffff">Owl</text>
</svg>
"""
OF_THE_SHAPE = {
    "hexagon": '<path d="M20.325 3h34.65l17.325 30l-17.325 30h-34.65l-17.325 -30z" fill="#123456"/>',
    "ellipse": '<ellipse cx="37.65" cy="33" rx="34.65" ry="30" fill="#123456"/>',
}


def short(root: Path, shape: str, ground: str, kind: str = "token") -> list[str]:
    game = GAME.format(shape=shape, safe="3mm").replace("kind: token", f"kind: {kind}")
    files = {
        "data/demo/game.yaml": game.replace("bleed: 0mm", "bleed: 3mm").replace("tokens,", "standees,")
        if kind == "standee"
        else game.replace("bleed: 0mm", "bleed: 3mm"),
        "data/demo/pieces.yaml": "pieces: [{id: one}]\n",
        "templates/demo/piece.svg": GROUND.format(ground=ground),
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text.lstrip(), encoding="utf-8")
    found = cardgen.check(cardgen.load("demo", project=cardgen.Project.open(root)))
    return [each.message.split(" edge stops")[0] for each in found if each.code == "side/bleed"]


@for_each(("shape", "sides"), [("hexagon", 6), ("ellipse", 1)])
def test_art_that_stops_at_the_cut_of_a_shape_lacks_its_bleed(
    tmp_path: Path, shape: str, sides: int
) -> None:
    said = short(tmp_path, shape, OF_THE_SHAPE[shape])
    assert len(said) == sides
    assert ("what is printed at the upper right" in said) == (shape == "hexagon")
    assert short(tmp_path, shape, '<rect width="75.3" height="66" fill="#123456"/>') == []


def test_where_a_standee_is_folded_no_bleed_is_lacking(tmp_path: Path, wording: Wording) -> None:
    ground = '<rect x="3" y="3" width="69.3" height="60" fill="#123456"/>'
    edges = ("top", "bottom", "left", "right")
    assert sorted(short(tmp_path, "rectangle", ground)) == sorted(
        f"what is printed at the {edge}" for edge in edges
    )
    wording(sorted(short(tmp_path, "rectangle", ground, "standee")))
