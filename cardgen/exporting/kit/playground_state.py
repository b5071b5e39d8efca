"""The game's table as a state of Tabletop Playground: piles, boards and pieces where they lie.

States are not documented; fields and figures are those of states of version 1.1 that players published.
Lengths are cm, x away from the near player, y to the right, z up (the vendor's schemas of templates), a
rotation is a quaternion. Nothing here has a table below it: the ground carries it, however large it is.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cardgen.exporting.job import ExportJob
from cardgen.exporting.kit.atlases import Sheet
from cardgen.exporting.spots import resting_place
from cardgen.model.table import Placed, Spot

VERSION = "1.1"
NOBODY = "0" * 32
ENDLESS = 12
"""Pieces of a bag that never runs out: bags of the program are none of ours."""
ABOVE = 1.0
"""From where loose things settle, in cm above the ground: onto boards where there are some."""
SLOTS = 20
"""Players that a state knows of."""

Cell = tuple[str, int]
"""A card by the id of its template and its index there."""


class Laying:
    """Lays a table's things out. `ids` are of the templates of `sheets`, `thick` their thickness in cm."""

    def __init__(
        self, job: ExportJob, sheets: Sequence[Sheet], ids: Sequence[str], thick: Mapping[str, float]
    ):
        self._job, self._thick = job, thick
        self._cells: dict[tuple[str, str], Cell] = {}
        for sheet, id in zip(sheets, ids):
            for slot, card in enumerate(sheet.cards):
                self._cells[card.piece.card.component, card.piece.card.id] = (id, slot)
        self._made = 0

    def objects(self) -> list[dict[str, Any]]:
        """Everything that is made of cards, boards first; bags as heaps, a heap for each size."""
        tabletop = self._job.tabletop
        assert tabletop is not None
        found = []
        for item in sorted(tabletop.table.items, key=lambda item: not item.locked):
            if item.kind in ("deck", "piece", "bag") and self._job.exports(item.component):
                spot = resting_place(self._job.game, tabletop, item)
                found += [self._stack(item, place, cells) for place, cells in self._heaps(item, spot)]
        return found

    def _heaps(self, item: Placed, spot: Spot) -> Iterator[tuple[Spot, list[Cell]]]:
        """The stacks of a thing, from front to back: the front is on top of what lies face up."""
        order = [(home, id) for home, part in item.parts for id, copies in part for _ in range(copies)]
        if item.kind == "piece":
            order *= item.count
        elif item.infinite:
            order *= ENDLESS
        if item.shuffle:
            random.Random(f"{self._job.game.id}/{item.kind}/{item.component}/{item.name}").shuffle(order)
        sizes: dict[Any, list[tuple[str, str]]] = {}
        for home, id in order:
            sizes.setdefault((home, self._job.piece(home, id).card.trim), []).append((home, id))
        if item.kind == "deck":  # all of one size, whatever they are of
            sizes = {next(iter(sizes)): order}
        across = 0.0
        for (_, trim), cards in sizes.items():
            cells = [self._cells[card] for card in cards if card in self._cells]
            if cells:
                yield spot.place(Spot(across, 0.0)), cells if _face_up(item) else cells[::-1]
            across += trim.width + 5

    def _stack(self, item: Placed, spot: Spot, cells: Sequence[Cell]) -> dict[str, Any]:
        self._made += 1
        (id, index), *others = cells
        height = self._thick[id] * len(cells) / 2 + (0.0 if item.locked else ABOVE)
        return {
            "objectType": "Card",
            "transform": _transform(spot, height, face_up=_face_up(item)),
            "simulatingPhysics": not item.locked,
            "atlasIndex": index,
            "frontTextureOverride": "",
            "inHand": False,
            "stackSerialization": [
                {"index": slot, "templateId": home, "frontTextureOverride": "", "flipped": False}
                for home, slot in others
            ],
            "primaryColor": _color(255),
            "secondaryColor": _color(0),
            "metallic": 0,
            "roughness": 1,
            "friction": 0.7,
            "restitution": 0,
            "density": 0.5,
            "surfaceType": "SurfaceType4",
            "objectName": item.name or "",
            "objectDescription": "",
            "collisionType": "CB_Ground" if item.locked else "CB_Regular",
            "templateId": id,
            "shouldSnap": True,
            "previousPosition": {"x": 0, "y": 0, "z": 0},
            "objectScriptPackage": NOBODY,
            "objectScriptName": "",
            "persistentData": "",
            "persistentKeyData": {},
            "uniqueId": _short(self._made),
            "drawingLines": [],
            "objectTags": [],
            "objectGroupId": -1,
            "ownerIndex": -1,
            "bCanBeDamaged": False,
        }


def state(job: ExportJob, package: str, objects: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A whole state of the package with that id."""
    assert job.tabletop is not None
    return {
        "saveStateVersion": VERSION,
        "gameState": {
            "measureUnit": 2.54,
            "rotationStep": 45,
            "notes": job.tabletop.setup.replace("[", "(").replace("]", ")"),  # square brackets are markup
            "currentTurn": 0,
            "slotTeams": [0] * SLOTS,
            "globalScriptPackage": NOBODY,
            "globalScriptName": "",
            "backgroundTexture": {"resourceName": "", "packageGuid": NOBODY},
            "persistentData": "",
            "persistentKeyData": {},
            "physicsLocked": False,
            "measureAngles": "None",
            "alwaysSnap": False,
            "liftOverRegular": True,
            "gravityMultiplier": 1,
            "slotIds": [""] * SLOTS,
            "bCanBeDamaged": False,
        },
        "requiredPackages": [{"name": job.game.title, "guid": package}],
        "storedCameraSetups": [False] * 10,
        "playerCameraSetups": [False] * SLOTS,
        "customPlayerColors": [False] * SLOTS,
        "objects": list(objects),
        "zones": [],
        "labels": [],
    }


def _face_up(item: Placed) -> bool:
    return item.face_up or item.kind == "bag"


def _transform(spot: Spot, height: float, *, face_up: bool) -> dict[str, Any]:
    """A place in mm, x to the right and y towards the player, as the program has it: turned about the
    upright axis, and before that, if it lies face down, about the one that runs away from the player."""
    half = math.radians(spot.turn) / 2
    cos, sin = round(math.cos(half), 6) + 0.0, round(math.sin(half), 6) + 0.0
    x, y, z, w = (0.0, 0.0, sin, cos) if face_up else (cos, sin, 0.0, 0.0)
    return {
        "rotation": {"x": x, "y": y, "z": z, "w": w},
        "translation": {
            "x": round(-spot.y / 10, 4) + 0.0,
            "y": round(spot.x / 10, 4) + 0.0,
            "z": round(height, 4),
        },
        "scale3D": {"x": 1, "y": 1, "z": 1},
    }


def _color(value: int) -> dict[str, int]:
    return {"b": value, "g": value, "r": value, "a": 255}


def _short(number: int) -> str:
    """An id of three signs, as states have them."""
    signs = "0123456789abcdefghijklmnopqrstuvwxyz"
    return "".join(signs[number // 36**place % 36] for place in (2, 1, 0))
