"""The safe zone of pieces with slanted sides."""

from __future__ import annotations

from pathlib import Path

import pytest

import cardgen

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


def test_text_in_the_corner_of_a_hexagons_trim_is_cut_off(tmp_path: Path) -> None:
    [warning] = said(tmp_path, "hexagon", 6, 12)
    assert "templates/demo/piece.svg:3" in warning
    assert "'Owl' leaves the safe zone of a hexagon" in warning
    assert said(tmp_path, "rectangle", 6, 12) == [], "it is within that of a rectangle"
    assert said(tmp_path, "hexagon", 30, 30) == []
    assert said(tmp_path, "hexagon", 6, 12, more=' cg:decor="true" xmlns:cg="urn:cardgen"') == []


@pytest.mark.parametrize(("safe", "count"), [("0mm", 0), ("3mm", 1)])
def test_the_safe_zone_lies_within_the_slanted_sides(tmp_path: Path, safe: str, count: int) -> None:
    assert len(said(tmp_path, "hexagon", 3.8, 31.5, safe)) == count


def test_a_safe_zone_that_is_changed_is_looked_at_anew(tmp_path: Path) -> None:
    assert said(tmp_path, "hexagon", 3.8, 31.5, "0mm") == []
    assert len(said(tmp_path, "hexagon", 3.8, 31.5, "3mm")) == 1
    assert said(tmp_path, "hexagon", 3.8, 31.5, "0mm") == []
