"""Six-sided dice for Tabletop Playground: those whose faces are stickers, and the table's plain ones.

Where a face lies on the picture of the program's own die, and in which direction it looks, is as authors of
published games have it (the TTPG libraries of darrellanderson): 3 × 3 cells, of which six are used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO

from PIL import Image, ImageDraw

from cardgen.drawing.raster import encode_png
from cardgen.exporting.job import ExportJob, PlannedFile, digest_of
from cardgen.exporting.kit.playground_template import NOWHERE, template
from cardgen.exporting.pixels import raster_version
from cardgen.units import to_px

CELLS = ((1, 0), (0, 1), (1, 1), (1, 2), (0, 2), (2, 1))
"""Column and row of faces 1 to 6 on the picture."""
DIRECTIONS = ((0, 0, 1), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (1, 0, 0), (0, 0, -1))
"""Where they look while the die lies as it is made."""
MODEL = "StaticMesh'/Game/Meshes/Dice/Dice_D6.Dice_D6'"
MOST = 512
"""Pixels of a face's side at most; those of plain dice have half of it."""
PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0.5, 0.5),),
    2: ((0.27, 0.27), (0.73, 0.73)),
    3: ((0.27, 0.27), (0.5, 0.5), (0.73, 0.73)),
    4: ((0.27, 0.27), (0.73, 0.27), (0.27, 0.73), (0.73, 0.73)),
    5: ((0.27, 0.27), (0.73, 0.27), (0.5, 0.5), (0.27, 0.73), (0.73, 0.73)),
    6: ((0.27, 0.24), (0.73, 0.24), (0.27, 0.5), (0.73, 0.5), (0.27, 0.76), (0.73, 0.76)),
}
"""Where a face's pips are, in shares of its side."""
PIP = 0.09
"""A pip's radius, in the same."""


def dice_files(job: ExportJob, root: str, guid: Callable[[str, str], str]) -> list[PlannedFile]:
    """Template and picture of each die with six faces, in the package's folder `root`."""
    files = []
    for stem, title, names, texture in _dice(job):
        id = guid(job.game.id, stem)
        picture = f"{stem.replace('/', '-')}.png"
        template = _template(id, title, names, picture)
        files.append(PlannedFile.of_json(f"{root}/Templates/{id}Dice.json", template))
        files.append(PlannedFile(f"{root}/Textures/{picture}", texture.digest, texture.write))
    return files


def _dice(job: ExportJob) -> Iterator[tuple[str, str, Sequence[str], PlannedFile]]:
    """Each distinct die: what its files are called, its title, its faces' names, its picture."""
    for component in job.drawn:
        for die in component.dice:
            if die.kind == "d6":
                sides = [job.piece(component.id, sticker).face for sticker in die.stickers]
                edge = to_px(component.cards[0].trim.width, job.whole_number("dpi"))
                picture = _stickers(job, sides, max(1, min(edge, MOST)))
                yield f"die/{component.id}/{die.id}", die.id, die.names, picture
    if job.partial or job.tabletop is None:
        return
    items = job.tabletop.table.items
    plain = {item.color or "#ffffff" for item in items if item.kind == "dice" and item.die == "d6"}
    for color in sorted(plain):
        name = f"die/{color[1:].lower()}"
        yield name, f"d6 {color}", [str(number) for number in range(1, 7)], _plain(color)


def _stickers(job: ExportJob, sides: Sequence[str], edge: int) -> PlannedFile:
    digest = digest_of("die", [job.look(side) for side in sides], edge, raster_version())

    def write(out: BinaryIO) -> None:
        out.write(encode_png(_net([job.sides.image(side, (edge, edge)) for side in sides], "#ffffff")))

    return PlannedFile("", digest, write)


def _plain(color: str) -> PlannedFile:
    digest = digest_of("die", color, MOST, raster_version())
    return PlannedFile("", digest, lambda out: out.write(encode_png(pips(color))))


def pips(color: str) -> Image.Image:
    """The picture of a plain die of a colour."""
    return _net([_pips(number, color, MOST // 2) for number in range(1, 7)], color)


def _net(faces: Sequence[Image.Image], ground: str) -> Image.Image:
    edge = faces[0].width
    net = Image.new("RGB", (3 * edge, 3 * edge), ground)
    for face, (column, row) in zip(faces, CELLS):
        net.paste(face.convert("RGB"), (column * edge, row * edge))
    return net


def _pips(number: int, color: str, edge: int) -> Image.Image:
    """A face, drawn four times as large, so that pips are round."""
    large = 4 * edge
    face = Image.new("RGB", (large, large), color)
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    ink = "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 127 else "#ffffff"
    pen = ImageDraw.Draw(face)
    for x, y in PIPS[number]:
        pen.ellipse([large * part for part in (x - PIP, y - PIP, x + PIP, y + PIP)], fill=ink)
    return face.resize((edge, edge), Image.Resampling.LANCZOS)


def _template(id: str, title: str, names: Sequence[str], picture: str) -> dict[str, Any]:
    model = {
        "Model": MODEL,
        "Offset": NOWHERE,
        "Scale": {"X": 1, "Y": 1, "Z": 1},
        "Rotation": NOWHERE,
        "Texture": picture,
        "NormalMap": "",
        "ExtraMap": "",
        "ExtraMap2": "",
        "IsTransparent": False,
        "CastShadow": True,
        "IsTwoSided": False,
        "UseOverrides": True,
        "Roughness": 0.2,
        "SurfaceType": "Plastic",
    }
    own = {
        "Restitution": 0.5,
        "Density": 1,
        "SurfaceType": "Plastic",
        "Roughness": 0.2,
        "Metallic": 0,
        "Flippable": False,
        "Models": [model],
        "Lights": [],
        "Faces": [
            {"X": x, "Y": y, "Z": z, "Name": name, "Metadata": ""}
            for name, (x, y, z) in zip(names, DIRECTIONS)
        ],
    }
    return template("Dice", id, title, own)
