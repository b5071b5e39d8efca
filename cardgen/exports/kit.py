"""`--to vtt-kit`: pictures and lists for any virtual table, and a Tabletop Playground package."""

from __future__ import annotations

import hashlib
import math
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from cardgen.core.findings import plural
from cardgen.core.game import Component
from cardgen.core.geometry import Size, to_px
from cardgen.core.records import dataclass, replace
from cardgen.core.seating import resting_place
from cardgen.core.table import Placed, Spot, Words
from cardgen.exports.cells import Grid, atlas_file, cells_a_picture, parts, plan_grid, say_how_sharp
from cardgen.exports.job import (
    ExportJob,
    Piece,
    PlannedFile,
    digest_of,
    filled_in,
    numbered,
    one_back,
    side_picture,
    skeleton,
)


def plan(job: ExportJob) -> list[PlannedFile]:
    """Return faces, backs, atlases, their lists and a package for Tabletop Playground. Books are skipped:
    tables that can show them show their PDF."""
    files: list[PlannedFile] = []
    found: list[Sheet] = []
    for component in job.drawn:
        cards, alone = pictures(job, component)
        some, together = sheets(job, component, cards)
        files += [*alone, *together]
        found += some
    rows = [_row(job, sheet, slot, card) for sheet in found for slot, card in enumerate(sheet.cards)]
    lists = [
        PlannedFile.of_json("manifest.json", manifest(job, found)),
        PlannedFile.of_rows("manifest.csv", [COLUMNS, *rows]),
        PlannedFile.of_text("UPLOAD.txt", guide(job, found)),
    ]
    return [*files, *lists, *Package(job, found, files).files()]


@dataclass(frozen=True, slots=True)
class Pictured:
    """A card with the names of its files. `back` is None if it has none, and the name of the component's
    one back if all cards share it."""

    piece: Piece
    face: str
    back: str | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """An atlas: cards of one size. `title` is the component's, numbered if it has several. `backs` is an
    atlas with the same cells if backs differ, the shared back if not, None without backs; `own_backs` is
    true if they differ."""

    component: Component
    title: str
    trim: Size
    cards: tuple[Pictured, ...]
    grid: Grid
    faces: str
    backs: str | None
    own_backs: bool


def pictures(job: ExportJob, component: Component) -> tuple[list[Pictured], list[PlannedFile]]:
    """Return the sides of a component one by one, with equal pixels for equal sizes; round pieces have
    transparent corners."""
    suffix = job.encoding.suffix
    pieces = list(job.needed(component))
    shared = one_back(pieces)
    cards: list[Pictured] = []
    files: dict[str, PlannedFile] = {}
    for piece in pieces:
        stem = f"{component.id}/{numbered(piece, len(component.cards))}"
        face, back = f"faces/{stem}{suffix}", None
        files[face] = _alone(job, component, face, piece.face, piece.card.trim)
        if piece.back is not None:
            back = f"backs/{component.id if shared else stem}{suffix}"
            if back not in files:
                files[back] = _alone(job, component, back, piece.back, piece.card.trim)
        cards.append(Pictured(piece, face, back))
    return cards, list(files.values())


def sheets(
    job: ExportJob, component: Component, cards: Sequence[Pictured]
) -> tuple[list[Sheet], list[PlannedFile]]:
    """Return the atlases of a component."""
    suffix = job.encoding.suffix
    by_id = {card.piece.card.id: card for card in cards}
    split = parts((card.piece for card in cards), cells_a_picture(job))
    found, files = [], []
    for number, (trim, pieces) in enumerate(split, 1):
        several = len(split) > 1
        stem = f"atlases/{component.id}-{number}" if several else f"atlases/{component.id}"
        title = f"{component.title} {number}" if several else component.title
        grid = plan_grid(len(pieces), trim, job.dpi, job.texture)
        faces = f"{stem}-faces{suffix}"
        files.append(atlas_file(job, faces, [piece.face for piece in pieces], grid, job.dpi))
        some = tuple(by_id[piece.card.id] for piece in pieces)
        backs = {card.back for card in some}
        name = backs.pop() if len(backs) == 1 else f"{stem}-backs{suffix}"
        own = name is not None and name.startswith("atlases/")
        if own and name is not None:
            files.append(atlas_file(job, name, [piece.back for piece in pieces], grid, job.dpi))
        found.append(Sheet(component, title, trim, some, grid, faces, name, own))
    if found:
        pictures = [(sheet.grid, sheet.trim, len(sheet.cards)) for sheet in found]
        say_how_sharp(job, component, pictures, "kit/sharpness")
    return found, files


def _alone(job: ExportJob, component: Component, name: str, side: str, trim: Size) -> PlannedFile:
    """Return one side as its own picture."""
    return side_picture(job, name, side, size=job.picture_size(trim), shape=component.shape, dpi=job.dpi)


PX_PER_MM = 10
"""In Tabletopia so many pixels are a millimeter, unless an object's scale changes it."""
MOST_PIXELS = 4000
"""The longest side of a picture in Tabletopia. Both are from its Game Creator Checklist, 2.2.2."""


def guide(job: ExportJob, sheets: Sequence[Sheet]) -> str:
    """Return the whole text, with a line for each atlas, since its cards have one size."""
    return filled_in(
        "kit_upload.txt",
        title=" ".join(job.game.title.split()),
        version=job.game.version,
        tabletopia="\n".join(_tabletopia(job, sheet) for sheet in sheets),
        screentop="\n".join(_screentop(sheet) for sheet in sheets),
    )


def _name(sheet: Sheet) -> str:
    copies = sum(card.piece.copies for card in sheet.cards)
    title = " ".join(sheet.title.split())
    return f"{title}: {plural(len(sheet.cards), 'face')}, {plural(copies, 'piece')} of {sheet.trim}"


def _backs(sheet: Sheet) -> str:
    if sheet.backs is None:
        return "no back"
    return "a back for each" if sheet.own_backs else "one back"


def _tabletopia(job: ExportJob, sheet: Sheet) -> str:
    across, high = job.picture_size(sheet.trim)
    scale = sheet.trim.width * PX_PER_MM / across
    line = f"- {_name(sheet)}, {_backs(sheet)}; {across} x {high} px, scale {scale:.2f}"
    if max(across, high) > MOST_PIXELS:
        line += f" (more than {MOST_PIXELS} px: export again with --max-texture {MOST_PIXELS})"
    return line


def _screentop(sheet: Sheet) -> str:
    width, height = sheet.grid.cell
    backs = f", backs {sheet.backs}" if sheet.own_backs else f", {_backs(sheet)}"
    cells = f"{plural(sheet.grid.columns, 'column')}, {plural(sheet.grid.rows, 'row')}"
    return f"- {_name(sheet)}: {sheet.faces}, {cells}, {width} x {height} px each{backs}"


FORMAT = 1
COLUMNS = (
    *("component", "kind", "card", "name", "copies", "width_mm", "height_mm", "face", "back"),
    *("atlas", "back_atlas", "columns", "rows", "slot", "column", "row", "tags"),
)


def _words(job: ExportJob, card: Pictured) -> Words:
    return job.screen_table.words[card.piece.card.component, card.piece.card.id]


def _row(job: ExportJob, sheet: Sheet, slot: int, card: Pictured) -> list[object]:
    """Return a card. Slots, columns and rows count from 0, from the left and from the top."""
    row, column = divmod(slot, sheet.grid.columns)
    words = _words(job, card)
    return [
        sheet.component.id,
        sheet.component.kind,
        card.piece.card.id,
        words.nickname,
        card.piece.copies,
        f"{sheet.trim.width:g}",
        f"{sheet.trim.height:g}",
        card.face,
        card.back or "",
        sheet.faces,
        (sheet.backs or "") if sheet.own_backs else "",
        sheet.grid.columns,
        sheet.grid.rows,
        slot,
        column,
        row,
        "; ".join(words.tags),
    ]


def manifest(job: ExportJob, sheets: Sequence[Sheet]) -> dict[str, Any]:
    """Return the guide for programs, by component and atlas."""
    return {
        "manifest": FORMAT,
        "game": job.game.id,
        "title": job.game.title,
        "version": job.game.version,
        "players": list(job.game.players),
        "dpi": job.settings["dpi"],
        "low_ink": job.low_ink,
        "components": [
            {
                "id": component.id,
                "title": component.title,
                "kind": component.kind,
                "shape": component.outline if component.outline != "rounded" else "rectangle",
                "corner_radius_mm": component.corner_radius,
                "atlases": [_sheet(job, each) for each in sheets if each.component is component],
            }
            for component in job.drawn
        ],
    }


def _sheet(job: ExportJob, sheet: Sheet) -> dict[str, Any]:
    return {
        "faces": sheet.faces,
        "backs": sheet.backs,
        "backs_are": None if sheet.backs is None else "atlas" if sheet.own_backs else "one",
        "columns": sheet.grid.columns,
        "rows": sheet.grid.rows,
        "cell_px": list(sheet.grid.cell),
        "trim_mm": [sheet.trim.width, sheet.trim.height],
        "cards": [_card(job, slot, card) for slot, card in enumerate(sheet.cards)],
    }


def _card(job: ExportJob, slot: int, card: Pictured) -> dict[str, Any]:
    words = _words(job, card)
    return {
        "slot": slot,
        "id": card.piece.card.id,
        "name": words.nickname,
        "description": words.description,
        "tags": list(words.tags),
        "copies": card.piece.copies,
        "face": card.face,
        "back": card.back,
    }


ONE_BACK, BACKS_LIKE_FACES, NO_BACK = -2, -3, -1
"""`BackIndex`: a file, an atlas, the face again."""
FIGURES: Mapping[str, Any] = skeleton("playground_figures")
THICKNESS: Mapping[str, float] = FIGURES["thickness"]
"""The thickness of kinds of pieces, in cm."""
MODELS: Mapping[str, str] = FIGURES["models"]
"""The models of outlines."""
LOCKED: Sequence[str] = FIGURES["locked"]
"""Kinds that are locked because others are placed on them."""
PILED: Sequence[str] = FIGURES["piled"]
"""Kinds whose pieces make piles."""
SNAP_RANGE = 2.0
"""The distance at which a snap point attracts a piece, in cm."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A card: the id of its template, its index there, and how thick it is in cm."""

    template: str
    index: int
    thickness: float


class Package:
    """A package for Tabletop Playground: a template for each atlas and each die, copies of their pictures,
    and the game's setup."""

    def __init__(self, job: ExportJob, sheets: Sequence[Sheet], pictures: Iterable[PlannedFile]) -> None:
        self._job, self._tabletop = job, job.screen_table
        self._made = {file.name: file for file in pictures}
        self._sheets = [sheet for sheet in sheets if not _rolled(sheet.component)]
        title = re.sub(r"[^\w .-]+", "", job.game.title, flags=re.ASCII).strip(" .") or job.game.id
        self._title, self._root = title, f"playground/{title}"
        self._files: dict[str, PlannedFile] = {}
        self._cells: dict[tuple[str, str], Cell] = {}
        self._stacks = 0

    def files(self) -> list[PlannedFile]:
        """Return the package's files."""
        game = self._job.game
        about = {"Name": game.title, "Version": game.version, "GUID": self._guid("package")}
        self._add_json("Manifest.json", about)
        for sheet in self._sheets:
            id = self._guid(sheet.faces.rpartition(".")[0])
            self._add_json(f"Templates/{id}Card.json", self._template(sheet, id))
            for texture in filter(None, (sheet.faces, sheet.backs, _cut_out(sheet))):
                self._add(_copy(self._job.made, self._made[texture], f"Textures/{_texture(texture)}"))
            thick = THICKNESS[sheet.component.kind]
            for slot, card in enumerate(sheet.cards):
                self._cells[card.piece.card.component, card.piece.card.id] = Cell(id, slot, thick)
        for stem, title, names, net in self._dice():
            id, picture = self._guid(stem), f"{stem.replace('/', '-')}.png"
            self._add_json(f"Templates/{id}Dice.json", _dice_template(id, title, names, picture))
            self._add(replace(net, name=f"Textures/{picture}"))
        if not self._job.partial:
            self._add_json(f"States/{self._title}.vts", self._state(about["GUID"]))
        return list(self._files.values())

    def _guid(self, name: str) -> str:
        """Return 32 hex digits that are always the same for the same object of a game."""
        text = f"cardgen:{self._job.game.id}/{name}"
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest().upper()

    def _add(self, file: PlannedFile) -> None:
        name = f"{self._root}/{file.name}"
        self._files[name] = replace(file, name=name)

    def _add_json(self, name: str, content: Any) -> None:
        self._add(PlannedFile.of_json(name, content))

    def _template(self, sheet: Sheet, id: str) -> dict[str, Any]:
        component = sheet.component
        indices = [slot for slot, card in enumerate(sheet.cards) for _ in range(card.piece.copies)]
        words = [_words(self._job, card) for card in sheet.cards]
        held = component.kind == "card"
        shape = _cut_out(sheet)
        back = NO_BACK
        if sheet.backs is not None:
            back = BACKS_LIKE_FACES if sheet.own_backs else ONE_BACK
        return skeleton("playground_card") | {
            "GUID": id,
            "Name": sheet.title,
            "CollisionType": "Ground" if component.kind in LOCKED else "Regular",
            "SnapPoints": self._snap_points(sheet),
            "Tags": [component.id],
            "FrontTexture": _texture(sheet.faces),
            "BackTexture": _texture(sheet.backs) if sheet.backs else "",
            "BackIndex": back,
            "NumHorizontal": sheet.grid.columns,
            "NumVertical": sheet.grid.rows,
            "Width": round(sheet.trim.width / 10, 4),
            "Height": round(sheet.trim.height / 10, 4),
            "Thickness": THICKNESS[component.kind],
            "HiddenInHand": held,
            "UsedWithCardHolders": held,
            "CanStack": component.kind in PILED,
            "MirrorBack": not sheet.own_backs,
            "Model": MODELS[component.outline] if shape is None else _texture(shape),
            "Indices": indices,
            "CardNames": {str(slot): each.nickname for slot, each in enumerate(words)},
            "CardMetadata": {str(slot): each.gm_notes for slot, each in enumerate(words)},
            "CardTags": {str(slot): list(each.tags) for slot, each in enumerate(words)},
        }

    def _snap_points(self, sheet: Sheet) -> list[dict[str, Any]]:
        """Return the snap points of faces, from the middle, if all cards of a template agree."""
        found = {
            self._tabletop.snaps.get((card.piece.card.component, card.piece.card.id, "face"), ())
            for card in sheet.cards
        }
        snaps = found.pop()
        if found:
            return []
        top, size = THICKNESS[sheet.component.kind] / 2, sheet.trim
        return [
            {
                "Position": {
                    "X": round((size.height / 2 - snap.y) / 10, 4),
                    "Y": round((snap.x - size.width / 2) / 10, 4),
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

    def _dice(self) -> Iterator[tuple[str, str, Sequence[str], PlannedFile]]:
        """Yield each distinct die with six faces: file name, title, its faces' names, picture."""
        job = self._job
        for component in job.drawn:
            for die in component.dice:
                if die.kind == "d6":
                    sides = [job.piece(component.id, sticker).face for sticker in die.stickers]
                    edge = to_px(component.cards[0].trim.width, job.dpi)
                    picture = _stickers(job, sides, max(1, min(edge, MOST)))
                    yield f"die/{component.id}/{die.id}", die.id, die.names, picture
        items = () if job.partial else self._tabletop.table.items
        plain = {item.color or "#ffffff" for item in items if item.kind == "dice" and item.die == "d6"}
        for color in sorted(plain):
            yield f"die/{color[1:].lower()}", f"d6 {color}", list("123456"), _plain(color)

    def _state(self, package: str) -> dict[str, Any]:
        """Return the game's setup, for the package with that id."""
        whole = skeleton("playground_state")
        notes = self._tabletop.setup.replace("[", "(").replace("]", ")")  # square brackets are markup
        whole["gameState"]["notes"] = notes
        whole["requiredPackages"] = [{"name": self._job.game.title, "guid": package}]
        whole["objects"] = list(self._objects())
        return whole

    def _objects(self) -> Iterator[dict[str, Any]]:
        """Yield every object made of cards, boards first. Bags become heaps, one for each size."""
        for item in sorted(self._tabletop.table.items, key=lambda item: not item.locked):
            if item.kind in ("deck", "piece", "bag") and self._job.exports(item.component):
                spot = resting_place(self._job.game, self._tabletop, item)
                for place, cells in self._heaps(item, spot):
                    yield self._stack(item, place, cells)

    def _heaps(self, item: Placed, spot: Spot) -> Iterator[tuple[Spot, list[Cell]]]:
        """Yield the stacks of an object, from front to back: the front is on top if it is face up."""
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
        if item.kind == "deck":  # sizes are grouped across components
            sizes = {next(iter(sizes)): order}
        across = 0.0
        for (_, trim), cards in sizes.items():
            cells = [self._cells[card] for card in cards if card in self._cells]
            if cells:
                yield spot.place(Spot(across, 0.0)), cells if _face_up(item) else cells[::-1]
            across += trim.width + 5

    def _stack(self, item: Placed, spot: Spot, cells: Sequence[Cell]) -> dict[str, Any]:
        self._stacks += 1
        top, *others = cells
        height = top.thickness * len(cells) / 2 + (0.0 if item.locked else ABOVE)
        return skeleton("playground_stack") | {
            "transform": _transform(spot, height, face_up=_face_up(item)),
            "simulatingPhysics": not item.locked,
            "atlasIndex": top.index,
            "stackSerialization": [
                {
                    "index": each.index,
                    "templateId": each.template,
                    "frontTextureOverride": "",
                    "flipped": False,
                }
                for each in others
            ],
            "objectName": item.name or "",
            "collisionType": "CB_Ground" if item.locked else "CB_Regular",
            "templateId": top.template,
            "uniqueId": _short(self._stacks),
        }


def _rolled(component: Component) -> bool:
    """Return True if a component has only dice of the package."""
    return bool(component.dice) and all(die.kind == "d6" for die in component.dice)


def _cut_out(sheet: Sheet) -> str | None:
    """Return the picture whose outline cuts a polygon; None for other shapes, which the program has built
    in."""
    face = sheet.cards[0].face
    return face if sheet.component.outline == "polygon" and face.endswith(".png") else None


def _texture(name: str) -> str:
    """Return a picture's name in `Textures/`, without folders."""
    return (
        name.replace("atlases/", "").replace("backs/", "back-").replace("faces/", "face-").replace("/", "-")
    )


def _copy(made: Callable[[str], Path], file: PlannedFile, copy: str) -> PlannedFile:
    digest = digest_of("copy", file.digest)
    return PlannedFile(copy, digest, lambda out: out.write(made(file.name).read_bytes()), closing=True)


CELLS: Sequence[tuple[int, int]] = FIGURES["cells"]
"""Column and row of faces 1 to 6 on the picture."""
DIRECTIONS: Sequence[tuple[int, int, int]] = FIGURES["directions"]
"""The directions of the faces on a die in its default rotation."""
MOST = 512
"""The maximum width of a face in pixels; plain dice have half of it."""
PIPS: Sequence[Sequence[tuple[float, float]]] = FIGURES["pips"]
"""The places of the pips of faces 1 to 6, as fractions of a side."""
PIP = 0.09
"""A pip's radius, as a fraction of a side."""


def _stickers(job: ExportJob, sides: Sequence[str], edge: int) -> PlannedFile:
    made_of = ("die", [job.look(side) for side in sides], edge)
    return PlannedFile.of_picture(
        "", made_of, lambda: _net([job.sides.image(side, (edge, edge)) for side in sides], "#ffffff")
    )


def _plain(color: str) -> PlannedFile:
    return PlannedFile.of_picture("", ("die", color, MOST), lambda: pips(color))


def pips(color: str) -> Image.Image:
    """Return the picture of a plain die of a color."""
    return _net([_pips(number, color, MOST // 2) for number in range(1, 7)], color)


def _net(faces: Sequence[Image.Image], ground: str) -> Image.Image:
    edge = faces[0].width
    net = Image.new("RGB", (3 * edge, 3 * edge), ground)
    for face, (column, row) in zip(faces, CELLS):
        net.paste(face.convert("RGB"), (column * edge, row * edge))
    return net


def _pips(number: int, color: str, edge: int) -> Image.Image:
    """Return a face, drawn at four times its size so that pips are round."""
    large = 4 * edge
    face = Image.new("RGB", (large, large), color)
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    ink = "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 127 else "#ffffff"
    pen = ImageDraw.Draw(face)
    for x, y in PIPS[number - 1]:
        pen.ellipse([large * part for part in (x - PIP, y - PIP, x + PIP, y + PIP)], fill=ink)
    return face.resize((edge, edge), Image.Resampling.LANCZOS)


def _dice_template(id: str, title: str, names: Sequence[str], picture: str) -> dict[str, Any]:
    faces = [
        {"X": x, "Y": y, "Z": z, "Name": name, "Metadata": ""} for name, (x, y, z) in zip(names, DIRECTIONS)
    ]
    template = skeleton("playground_die") | {"GUID": id, "Name": title, "Faces": faces}
    template["Models"][0]["Texture"] = picture
    return template


ENDLESS = 12
"""Pieces of an infinite bag, since the export doesn't use the program's own bags."""
ABOVE = 1.0
"""The height from which loose objects drop, in cm above the ground, since boards may be under them."""


def _face_up(item: Placed) -> bool:
    return item.face_up or item.kind == "bag"


def _transform(spot: Spot, height: float, *, face_up: bool) -> dict[str, Any]:
    """Return a place in mm, x to the right and y towards the player, in the program's terms: rotated about
    the upright axis, after a flip about the axis that runs away from the player if it is face down."""
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


def _short(number: int) -> str:
    """Return an id of three characters, as states have them."""
    signs = "0123456789abcdefghijklmnopqrstuvwxyz"
    return "".join(signs[number // 36**place % 36] for place in (2, 1, 0))
