"""A package for Tabletop Playground: a stack of cards for each atlas, and the game's table as a state.

Templates follow the vendor's schemas (plasticity-studios/tabletop-playground-schemas): sizes in cm,
`BackIndex` -2 for one back in a file of its own and -3 for backs in the cells of an atlas like the faces,
`HiddenIndex` -3 to show the back of a card that is hidden. Colours are 0 to 255 in all published templates,
whatever the schema says.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from cardgen.exporting.job import ExportJob, PlannedFile, digest_of
from cardgen.exporting.kit.atlases import Sheet
from cardgen.exporting.kit.playground_dice import dice_files
from cardgen.exporting.kit.playground_state import Laying, state
from cardgen.exporting.kit.playground_template import template
from cardgen.model.game import Component

ONE_BACK, BACKS_LIKE_FACES, NO_BACK = -2, -3, -1
"""`BackIndex`: a file of its own, an atlas of its own, the face once more."""
HIDDEN = -3
THICKNESS = {"card": 0.05, "aid": 0.05, "token": 0.2, "standee": 0.2, "die": 0.05, "mat": 0.2, "board": 0.3}
"""In cm."""
MODELS = {
    "rectangle": "Square",
    "rounded": "Rounded",
    "ellipse": "Round",
    "hexagon": "Hexagonal",
    "polygon": "Square",
}
LOCKED = ("mat", "board")
"""Kinds that others lie on: ground to them."""
SNAP_RANGE = 2.0
"""How near to a snap point a piece is drawn to it, in cm."""


def package(job: ExportJob, sheets: Sequence[Sheet], pictures: Iterable[PlannedFile]) -> list[PlannedFile]:
    """The files of the package: its manifest, a template for each atlas, and copies of the `pictures`
    that these show."""
    made = {file.name: file for file in pictures}
    sheets = [sheet for sheet in sheets if not _rolled(sheet.component)]
    title = re.sub(r"[^\w .-]+", "", job.game.title, flags=re.ASCII).strip(" .") or job.game.id
    root = f"playground/{title}"
    about = {"Name": job.game.title, "Version": job.game.version, "GUID": guid(job.game.id, "package")}
    files = {f"{root}/Manifest.json": PlannedFile.of_json(f"{root}/Manifest.json", about)}
    ids = [guid(job.game.id, sheet.faces.rpartition(".")[0]) for sheet in sheets]
    for sheet, id in zip(sheets, ids):
        name = f"{root}/Templates/{id}Card.json"
        files[name] = PlannedFile.of_json(name, _template(job, sheet, id))
        for texture in filter(None, (sheet.faces, sheet.backs, _cut_out(sheet))):
            copy = f"{root}/Textures/{_texture(texture)}"
            files[copy] = _copy(job.made, made[texture], copy)
    for file in dice_files(job, root, guid):
        files[file.name] = file
    if not job.partial:
        thick = {id: THICKNESS[sheet.component.kind] for sheet, id in zip(sheets, ids)}
        laid = state(job, about["GUID"], Laying(job, sheets, ids, thick).objects())
        name = f"{root}/States/{title}.vts"
        files[name] = PlannedFile.of_json(name, laid)
    return list(files.values())


def _rolled(component: Component) -> bool:
    """Whether all that a component has are dice of the package."""
    return bool(component.dice) and all(die.kind == "d6" for die in component.dice)


def _cut_out(sheet: Sheet) -> str | None:
    """The picture by whose outline a polygon is cut, None for other shapes: these the program has."""
    face = sheet.cards[0].face
    return face if sheet.component.outline == "polygon" and face.endswith(".png") else None


def _snap_points(job: ExportJob, sheet: Sheet) -> list[dict[str, Any]]:
    """The snap points of faces, measured from the middle, where all cards of a template have the same."""
    assert job.tabletop is not None
    found = {
        job.tabletop.snaps.get((card.piece.card.component, card.piece.card.id, "face"), ())
        for card in sheet.cards
    }
    snaps = found.pop()
    if found:
        return []
    top = THICKNESS[sheet.component.kind] / 2
    return [
        {
            "Position": {
                "X": round((sheet.trim.height / 2 - snap.y) / 10, 4),
                "Y": round((snap.x - sheet.trim.width / 2) / 10, 4),
                "Z": top,
            },
            "Range": SNAP_RANGE,
            "SnapRotation": 2,
            "RotationOffset": snap.turn,
            "Shape": 0,
            "FlipValidity": 1,
            "Tags": [],
        }
        for snap in snaps
    ]


def guid(game: str, name: str) -> str:
    """32 hex digits, the same for the same thing of a game."""
    return hashlib.blake2b(f"cardgen:{game}/{name}".encode(), digest_size=16).hexdigest().upper()


def _texture(name: str) -> str:
    """A picture's name in `Textures/`, without folders."""
    return (
        name.replace("atlases/", "").replace("backs/", "back-").replace("faces/", "face-").replace("/", "-")
    )


def _copy(made: Callable[[str], Path], file: PlannedFile, copy: str) -> PlannedFile:
    digest = digest_of("copy", file.digest)
    return PlannedFile(copy, digest, lambda out: out.write(made(file.name).read_bytes()), closing=True)


def _template(job: ExportJob, sheet: Sheet, id: str) -> dict[str, Any]:
    assert job.tabletop is not None
    component = sheet.component
    indices = [slot for slot, card in enumerate(sheet.cards) for _ in range(card.piece.copies)]
    words = [job.tabletop.words[card.piece.card.component, card.piece.card.id] for card in sheet.cards]
    piled = component.kind in ("card", "aid", "token", "standee", "die")
    held = component.kind == "card"
    shape = _cut_out(sheet)
    own = {
        "CollisionType": "Ground" if component.kind in LOCKED else "Regular",
        "Restitution": 0,
        "Density": 0.5,
        "SurfaceType": "Cardboard",
        "Roughness": 1,
        "Metallic": 0,
        "Flippable": True,
        "SnapPoints": _snap_points(job, sheet),
        "Tags": [component.id],
        "FrontTexture": _texture(sheet.faces),
        "BackTexture": _texture(sheet.backs) if sheet.backs else "",
        "HiddenTexture": "",
        "BackIndex": NO_BACK if sheet.backs is None else BACKS_LIKE_FACES if sheet.own_backs else ONE_BACK,
        "HiddenIndex": HIDDEN,
        "NumHorizontal": sheet.grid.columns,
        "NumVertical": sheet.grid.rows,
        "Width": round(sheet.trim.width / 10, 4),
        "Height": round(sheet.trim.height / 10, 4),
        "Thickness": THICKNESS[component.kind],
        "HiddenInHand": held,
        "UsedWithCardHolders": held,
        "CanStack": piled,
        "UsePrimaryColorForSide": False,
        "FrontTextureOverrideExposed": False,
        "AllowFlippedInStack": False,
        "MirrorBack": sheet.own_backs is False,
        "EmissiveFront": False,
        "Model": MODELS[component.outline] if shape is None else _texture(shape),
        "Indices": indices,
        "CardNames": {str(slot): each.nickname for slot, each in enumerate(words)},
        "CardMetadata": {str(slot): each.gm_notes for slot, each in enumerate(words)},
        "CardTags": {str(slot): list(each.tags) for slot, each in enumerate(words)},
    }
    return template("Card", id, sheet.title, own)
