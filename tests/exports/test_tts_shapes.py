"""Pieces that are no rectangles, on Tabletop Simulator's table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import cardgen
from cardgen.core.game import Component
from cardgen.exports.tts_objects import CARD_SHAPES, TILE_SHAPES


def objects(found: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for each in found:
        yield each
        yield from objects(each.get("ContainedObjects", []))


def test_there_is_a_shape_for_every_outline() -> None:
    getter = Component.outline.fget  # type: ignore[attr-defined]
    outlines = set(get_args(get_type_hints(getter)["return"]))
    assert set(CARD_SHAPES) == set(TILE_SHAPES) == outlines


def test_hexagons_are_hexagonal_tiles(tmp_path: Path) -> None:
    project = cardgen.new_project("isle", tmp_path, template="hex-tiles")
    cardgen.export_to(cardgen.ExportOptions("isle", "tts"), project=cardgen.Project.open(project))
    table = json.loads((project / "output/isle/tts/table.json").read_text(encoding="utf-8"))
    tiles = [each for each in objects(table["ObjectStates"]) if each["Name"] == "Custom_Tile"]
    assert tiles
    assert {each["CustomImage"]["CustomTile"]["Type"] for each in tiles} == {1}
