"""`--to tts`: a game for Tabletop Simulator."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from threading import Lock

from PIL import Image, ImageDraw, ImageFont

from cardgen.core.findings import UsageError, span
from cardgen.core.game import Component, Game
from cardgen.core.geometry import MM_PER_INCH, Rect, Size
from cardgen.core.records import replace
from cardgen.core.seating import extent_of, resting_place
from cardgen.core.table import BAG, COUNTER, DIE, NOTE, PAWN, Placed, Seat, Side, SnapRef, Spot, Table
from cardgen.exports.cells import cells_a_picture, say_how_sharp
from cardgen.exports.job import (
    PNG,
    ExportJob,
    PlannedFile,
    Sides,
    digest_of,
    filled_in,
    hashed,
    raster_version,
)
from cardgen.exports.tts_objects import (
    MM_PER_UNIT,
    SEAT_TINTS,
    Address,
    Atlas,
    Guids,
    Object,
    Stock,
    Tile,
    addresses,
    blank_side,
    component_objects,
    fitted,
    keys_of,
    plan_atlases,
    remember,
    say_what_is_missing,
    single_picture,
    table_objects,
    thumbnail,
)
from cardgen.exports.tts_saves import (
    file_name,
    merged_into,
    numbered_save,
    saved_object,
    saved_objects,
    setup_button,
    whole_save,
)
from cardgen.pdf.pixels import RasterOptions, encode_png
from cardgen.text.shaping import Font

TABLE_TOP = Size(88 * MM_PER_UNIT, 52 * MM_PER_UNIT)
"""The flat part of a Table_Custom in mm, as measured by its players."""


def plan(job: ExportJob) -> list[PlannedFile]:
    """Return the files of `--to tts`. If components are named, only their files, without the table."""
    if job.partial and job.text("into") is not None:
        raise UsageError("--into updates a whole table, not single components", "remove --component")
    address = addresses(job)
    target = None
    if job.switch("install") or job.text("tts-dir") is not None:
        target = saved_objects(job.text("tts-dir"), job.game.title, job.findings)
    stock = _stock(job, address)
    if job.findings.errors:
        return []
    files = _pictures(stock) + list(stock.books.values())
    saves = _saved_objects(stock, target)
    if not job.partial:
        saves += _whole_table(stock, files, target)
    by_name = {file.name: file for file in files}  # a shared back is planned by each of its atlases
    return [*published(job, by_name.values()), *saves]


def _stock(job: ExportJob, address: Address) -> Stock:
    """Return all pictures and books of a job."""
    atlases: dict[str, tuple[Atlas, ...]] = {}
    tiles: dict[tuple[str, str], Tile] = {}
    items = job.screen_table.table.items
    piled = {id for item in items if item.kind == "deck" for id, _ in item.parts}
    keys = keys_of(job.game.components, cells_a_picture(job))
    laid = {id for item in items for id, cards in item.parts if cards}
    for component in job.drawn:
        if component.dice:
            place = job.game.locate("components", component.id)
            say_what_is_missing(component, place, job.findings)
            if component.id not in laid:
                continue
        if component.kind in ("card", "aid") or component.id in piled:
            atlases[component.id] = tuple(plan_atlases(job, component, keys[component.id]))
            found = [(atlas.grid, atlas.trim, len(atlas.pieces)) for atlas in atlases[component.id]]
            say_how_sharp(job, component, found, "tts/sharpness")
            _check_backs(job, component)
        else:
            for tile in _tiles(job, component):
                tiles[component.id, tile.piece.card.id] = tile
    books = {
        id: PlannedFile(hashed(f"books/{id}", book.digest, ".pdf"), book.digest, book.write)
        for id, book in job.books.items()
    }
    return Stock(job, address, atlases, tiles, books)


def _check_backs(job: ExportJob, component: Component) -> None:
    bare = [piece.card.id for piece in job.needed(component) if piece.back is None]
    if bare:
        what = "its cards" if len(bare) == len(component.cards) else ", ".join(bare[:3])
        place = job.game.locate("components", component.id)
        message = f"without a back: {what}; a plain gray one is used"
        job.findings.note("tts/no-back", message, place, "name a template: back: back.svg")


def _tiles(job: ExportJob, component: Component) -> list[Tile]:
    face_shape, back_shape = (
        component.shape_of(side) if component.standee is not None else "rectangle" for side in SIDES
    )
    tiles = []
    for piece in job.needed(component):
        stem, trim = f"images/{component.id}", piece.card.trim
        face = single_picture(job, f"{stem}-{piece.card.id}", piece.face, trim, face_shape)
        back = None
        if piece.back is not None:
            back = single_picture(job, f"{stem}-back", piece.back, trim, back_shape)
        tiles.append(Tile(piece, face, back))
    return tiles


def _pictures(stock: Stock) -> list[PlannedFile]:
    files = []
    for atlases in stock.atlases.values():
        files += [file for atlas in atlases for file in (atlas.face, atlas.back)]
    for tile in stock.tiles.values():
        files += [tile.face] if tile.back is None else [tile.face, tile.back]
    return files


def _saved_objects(stock: Stock, target: Path | None) -> list[PlannedFile]:
    """Return a saved object for each component, with its name."""
    job = stock.job
    files = []
    names: dict[str, str] = {}
    taken: set[str] = set()  # some disks ignore case
    for component in job.game.components:
        name = file_name(component.title)
        names[component.id] = f"{name} ({component.id})" if name.casefold() in taken else name
        taken.add(name.casefold())
    for component in job.components:
        guids = Guids(job.game.id, component.id)
        objects = component_objects(stock, component, guids)
        if not objects:
            continue
        remember(job.game.id, objects, guids)
        name = names[component.id]
        save = PlannedFile.of_json(f"objects/{name}.json", saved_object(objects))
        picture = thumbnail(job, component, f"objects/{name}.png")
        files += [_installed(save, target and target / f"{name}.json")]
        files += [_installed(picture, target and target / f"{name}.png")]
    return files


def _whole_table(stock: Stock, files: list[PlannedFile], target: Path | None) -> list[PlannedFile]:
    """Return the save of the table, with its pictures. Adds the table top to `files`."""
    job, tabletop = stock.job, stock.job.screen_table
    table = tabletop.table
    surface = blank_side(job, "images/table-top", TABLE_TOP, table.color)
    files.append(surface)
    guids = Guids(job.game.id, "table")
    objects: list[Object] = table_objects(stock, table, guids)
    remember(job.game.id, objects, guids)
    button = setup_button(job, table, objects, guids)
    remember(job.game.id, button, guids)
    objects += button
    save = whole_save(job.game, table, objects, tabletop.setup, stock.address(surface.name))
    lying = [(item, resting_place(job.game, tabletop, item)) for item in table.items]
    overview = Overview(job, lying)
    digest = overview.digest()
    small = PlannedFile(
        "table.png", digest_of(digest, "thumbnail"), lambda out: PNG.write(fitted(overview.draw()), out)
    )
    place = None
    if target is not None:
        place = numbered_save(target.parents[1], save, job.game.id, job.findings)
    into = job.text("into")
    return [
        *(merged_into(job, save, into) if into is not None else ()),
        _installed(PlannedFile.of_json("table.json", save), place),
        _installed(small, None if place is None else place.with_suffix(".png")),
        *workshop_kit(job.game, table, tabletop.setup, overview, hosted=job.text("base-url") is not None),
        PlannedFile("table-plan.png", digest, lambda out: out.write(encode_png(overview.draw(), 72))),
    ]


def _installed(file: PlannedFile, place: Path | None) -> PlannedFile:
    """Return the file, which refers to others, with a copy in its installation folder if it has one."""
    return replace(file, closing=True, also=() if place is None else (place,))


SIDES: tuple[Side, Side] = ("face", "back")
FONT = "IBM Plex Sans Condensed"
LONGEST = 2400
"""Pixels of the picture's longer side, about."""
LETTERS, NOTE_LETTERS = 17, 14
"""Height of labels, and of the text on notes, in pixels."""
NARROWEST = 84
"""The minimum width of a label in pixels, even on a smaller object."""
_WHITE, _BLACK, _EDGE, _PAPER = (255, 255, 255), (0, 0, 0), (150, 152, 156), (246, 231, 168)


class Overview:
    """The picture of one table. `placed` are its objects with their places."""

    def __init__(self, job: ExportJob, placed: Sequence[tuple[Placed, Spot]]) -> None:
        self._job, self._tabletop = job, job.screen_table
        # Boards are at the bottom, then zones, then the pieces.
        self._placed = sorted(placed, key=lambda each: (not each[0].locked, each[0].kind != "zone"))
        table = self._tabletop.table
        beyond = [table.size]
        for seat in table.seats:
            reach = seat.at.extent(table.hand)
            beyond.append(Size(2 * abs(seat.at.x) + reach.width, 2 * abs(seat.at.y) + reach.height))
        self._room = Size(max(each.width for each in beyond) + 40, max(each.height for each in beyond) + 40)
        self._scale = LONGEST / max(self._room.width, self._room.height)
        self._lock = Lock()
        self._picture: Image.Image | None = None
        font = job.fontbook.face(FONT, 600)
        self._large, self._small = _Type(font, LETTERS), _Type(font, NOTE_LETTERS)

    def digest(self) -> str:
        """Return the digest of everything the picture shows."""
        table = self._tabletop.table
        shown = [
            (item.kind, item, spot, self._look(item), "" if item.kind == "note" else self._name(item))
            for item, spot in self._placed
        ]
        return digest_of(
            shown,
            (table.size, table.hand, table.color, table.seats),
            self._job.game.fallback,
            sorted(self._tabletop.snaps.items()),
            raster_version(),
        )

    def _look(self, item: Placed) -> str:
        """Return the picture of an object's visible side; empty if no template draws it."""
        if item.kind not in ("deck", "piece", "book"):
            return ""
        sides, side, options = self._seen(item)
        return f"{sides.face(side).name} {options}"

    def _seen(self, item: Placed) -> tuple[Sides, str, RasterOptions]:
        """Return the visible side of a pile, a piece or a book: its pixels, its key in them, its shape."""
        dpi = self._scale * MM_PER_INCH
        if item.kind == "book":
            book = self._job.books[item.component]
            return book.sides, book.cover, RasterOptions(dpi)
        home = self._job.game.component(item.component)
        piece = self._job.piece(item.component, item.cards[0][0])
        side = piece.face if item.face_up or piece.back is None else piece.back
        return self._job.sides, side, RasterOptions(dpi, "trim", home.shape, home.corner_radius)

    def draw(self) -> Image.Image:
        """Return the picture, RGB: drawn once, even for several files."""
        with self._lock:
            if self._picture is None:
                self._picture = self._drawn()
            return self._picture

    def _drawn(self) -> Image.Image:
        table = self._tabletop.table
        size = round(self._room.width * self._scale), round(self._room.height * self._scale)
        image = Image.new("RGB", size, (24, 25, 28))
        pen = ImageDraw.Draw(image)
        pen.rounded_rectangle(self._box(Spot(0, 0), table.size), 12, fill=table.color)
        for seat in table.seats:
            self._hand(image, seat)
        for item, spot in self._placed:
            self._thing(image, item, spot)
        for item, spot in self._placed:
            self._label(image, item, spot)
        return image

    # ---------------------------------------------------------------- places

    def _point(self, x: float, y: float) -> tuple[float, float]:
        return (
            (x + self._room.width / 2) * self._scale,
            (y + self._room.height / 2) * self._scale,
        )

    def _box(self, spot: Spot, size: Size) -> tuple[float, float, float, float]:
        x, y = self._point(spot.x, spot.y)
        width, height = size.width / 2 * self._scale, size.height / 2 * self._scale
        return (x - width, y - height, x + width, y + height)

    def _corners(self, spot: Spot, size: Size) -> list[tuple[float, float]]:
        area = Rect(-size.width / 2, -size.height / 2, size.width, size.height)
        turned = [spot.place(Spot(x, y)) for x, y in area.corners]
        return [self._point(each.x, each.y) for each in turned]

    # ---------------------------------------------------------------- objects

    def _hand(self, image: Image.Image, seat: Seat) -> None:
        self._area(image, seat.at, self._tabletop.table.hand, SEAT_TINTS[seat.color], 60, 4)
        x, y = self._point(seat.at.x, seat.at.y)
        self._write(image, f"{seat.color}: hand", math.inf, x, y)

    def _zone(self, image: Image.Image, item: Placed, spot: Spot) -> None:
        assert item.area is not None
        tint = SEAT_TINTS.get(item.seat or "", (0.8, 0.82, 0.85))
        self._area(image, spot, item.area, tint, 110 if item.hides is not None else 30, 2)

    def _area(
        self, image: Image.Image, spot: Spot, size: Size, tint: Sequence[float], opacity: int, width: int
    ) -> None:
        """Draw an area of the table in its seat's color."""
        red, green, blue = (round(255 * part) for part in tint)
        ImageDraw.Draw(image, "RGBA").polygon(
            self._corners(spot, size),
            fill=(red, green, blue, opacity),
            outline=(red, green, blue, 255),
            width=width,
        )

    def _thing(self, image: Image.Image, item: Placed, spot: Spot) -> None:
        pen = ImageDraw.Draw(image)
        if item.kind in ("deck", "piece", "book"):
            self._side(image, item, spot)
        elif item.kind == "zone":
            self._zone(image, item, spot)
        elif item.kind == "bag":
            pen.ellipse(self._box(spot, BAG), fill=item.color or "#6b5b45", outline=_WHITE, width=2)
        elif item.kind == "pawn":
            pen.ellipse(self._box(spot, PAWN), fill=item.color or "#ffffff", outline=_BLACK, width=2)
        elif item.kind == "dice":
            for number in range(item.count):
                place = spot.place(Spot((number - (item.count - 1) / 2) * DIE * 1.5, 0.0))
                corners = self._corners(place, Size(DIE, DIE))
                pen.polygon(corners, fill=item.color or "#ffffff", outline=_BLACK, width=2)
        else:
            size = COUNTER if item.kind == "counter" else NOTE
            pen.polygon(self._corners(spot, size), fill=_PAPER, outline=_BLACK, width=2)
            self._paper(pen, item, spot, size)

    def _paper(self, pen: ImageDraw.ImageDraw, item: Placed, spot: Spot, size: Size) -> None:
        """Draw the text of a note or a counter: as many lines as fit."""
        room = (size.width * self._scale - 12, size.height * self._scale - 8)
        said = str(item.value) if item.kind == "counter" else item.text
        texts = [text for text in (item.name, *said.splitlines()) if text]
        font, said = self._small.setting("\n".join(dict.fromkeys(texts)))
        lines = [line for text in said.split("\n") for line in _lines(text, room[0], font)]
        rows = max(1, int(room[1] // (NOTE_LETTERS + 4)))
        if len(lines) > rows:
            lines = [*lines[: rows - 1], f"{lines[rows - 1]} …"]
        x, y = self._point(spot.x, spot.y)
        text = "\n".join(lines)
        pen.multiline_text((x, y), text, font=font, anchor="mm", align="center", spacing=4, fill=_BLACK)

    def _side(self, image: Image.Image, item: Placed, spot: Spot) -> None:
        sides, side, options = self._seen(item)
        trim = sides.face(side).trim.size
        pen = ImageDraw.Draw(image)
        copies = item.total if item.kind == "deck" else item.count
        if copies > 1:  # the edge of the pile below it
            below = Spot(spot.x + 1.6, spot.y + 1.6, spot.turn)
            pen.polygon(self._corners(below, trim), fill="#8d8f92")
        self._lay(image, sides.cut_out(side, options=options), spot)
        if options.shape == "rectangle":
            pen.polygon(self._corners(spot, trim), outline=_EDGE, width=1)
        if item.kind == "piece":
            self._dots(pen, item, spot, trim)

    def _lay(self, image: Image.Image, picture: Image.Image, spot: Spot) -> None:
        """Paste a picture with its middle at a place, rotated like the object."""
        turned = picture.rotate(-spot.turn, Image.Resampling.BICUBIC, expand=True)
        x, y = self._point(spot.x, spot.y)
        image.paste(turned, (round(x - turned.width / 2), round(y - turned.height / 2)), turned)

    def _dots(self, pen: ImageDraw.ImageDraw, item: Placed, spot: Spot, trim: Size) -> None:
        seen: Side = "face" if item.face_up else "back"
        for snap in self._tabletop.snaps.get((item.component, item.cards[0][0], seen), ()):
            place = spot.place(Spot(snap.x - trim.width / 2, snap.y - trim.height / 2))
            x, y = self._point(place.x, place.y)
            pen.ellipse((x - 3, y - 3, x + 3, y + 3), fill=_BLACK, outline=_WHITE, width=1)

    # ---------------------------------------------------------------- labels

    def _label(self, image: Image.Image, item: Placed, spot: Spot) -> None:
        """Draw an object's name: on a bag, below dice and pawns, else at its lower edge. Pieces, notes and
        counters need no label."""
        if item.kind in ("note", "counter") or (item.name is None and item.kind in ("piece", "dice")):
            return
        small = item.kind in ("dice", "pawn")
        if small and isinstance(item.at, SnapRef):
            return  # a board explains the die on it
        reach = spot.extent(extent_of(self._job.game, item))
        x, y = self._point(spot.x, spot.y + (0.0 if item.kind == "bag" else reach.height / 2))
        room = max(reach.width * self._scale, NARROWEST)
        self._write(image, self._name(item), room - 8, x, y, below=small)

    def _name(self, item: Placed) -> str:
        name = item.name
        if name is None and item.kind == "piece":
            name = self._tabletop.words[item.component, item.cards[0][0]].nickname
        elif name is None and item.component:
            name = self._job.game.component(item.component).title
        if item.kind == "deck":
            return f"{name}: {item.total}"
        if item.kind == "bag":
            return f"{name}: {'∞' if item.infinite else item.total}"
        if item.kind == "dice":
            number = f"{item.count}\u00a0{item.die}" if item.count > 1 else ""
            return ": ".join(filter(None, (name, number))) or item.die
        if item.kind == "zone":
            what = "hand" if item.hand else {None: "zone", "all": "hidden"}.get(item.hides)
            return f"{name}: {what or f'hidden from {item.hides}'}"
        return name or ""

    def _write(
        self, image: Image.Image, text: str, room: float, x: float, y: float, *, below: bool = False
    ) -> None:
        """Draw a label on a place, or below it, white on a dark box so that it is readable on anything."""
        font, text = self._large.setting(text)
        lines = _lines(text, room, font)
        if below:
            y += (LETTERS + 3) * len(lines) / 2 + 8
        pen = ImageDraw.Draw(image, "RGBA")
        whole = "\n".join(lines)
        left, top, right, bottom = pen.multiline_textbbox(
            (x, y), whole, font=font, anchor="mm", align="center", spacing=3
        )
        pen.rounded_rectangle((left - 5, top - 4, right + 5, bottom + 4), 4, fill=(12, 13, 15, 225))
        pen.multiline_text((x, y), whole, font=font, anchor="mm", align="center", spacing=3, fill=_WHITE)


class _Type:
    """Type of a size in pixels. A text is set in the first font that has all its letters; missing letters
    become question marks."""

    def __init__(self, font: Font, pixels: int) -> None:
        self._font, self._pixels = font, pixels
        self._faces: dict[str, ImageFont.FreeTypeFont] = {}

    def setting(self, text: str) -> tuple[ImageFont.FreeTypeFont, str]:
        """Return the font for a text, and the text with characters that can be set."""
        font = self._font.stand_in(text)
        if font.key not in self._faces:
            self._faces[font.key] = ImageFont.truetype(BytesIO(bytes(font.blob.data)), self._pixels)
        lacking = set(font.missing(text))
        return self._faces[font.key], "".join("?" if letter in lacking else letter for letter in text)


def _lines(text: str, room: float, font: ImageFont.FreeTypeFont) -> list[str]:
    """Return a text in lines no wider than `room` pixels, unless a word is wider."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font.getlength(longer) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


NO_JEKYLL = ".nojekyll"
"""An empty file that makes GitHub Pages publish a folder unchanged."""


def published(job: ExportJob, files: Iterable[PlannedFile]) -> list[PlannedFile]:
    """Return the pictures and books `files`, with copies in the folder of `--publish` under the same names,
    and a host's other files. Nothing there is ever removed. Raises UsageError without an address."""
    chosen = job.text("publish")
    if chosen is None:
        return list(files)
    if job.text("base-url") is None:
        message = "--publish needs the web address of the folder"
        raise UsageError(message, "add --base-url https://…")
    try:
        folder = Path(os.path.realpath(Path(chosen).expanduser()))
    except RuntimeError:
        raise UsageError(f"--publish '{chosen}' can't be found", "write it without ~") from None
    if folder == job.folder or job.folder.is_relative_to(folder) or folder.is_relative_to(job.folder):
        raise UsageError(
            "--publish needs a folder other than the export's", "name another folder: --publish public"
        )
    whole = [replace(file, also=(*file.also, folder / file.name)) for file in files]
    marker = PlannedFile.of(f"publish/{NO_JEKYLL}", b"")
    return [*whole, replace(marker, closing=True, also=(folder / NO_JEKYLL,))]


THUMBNAIL = 512
"""The width of the picture in pixels: it is shown as a square, and may have 1 MB."""


def workshop_kit(
    game: Game, table: Table, setup: str, overview: Overview, *, hosted: bool
) -> list[PlannedFile]:
    """Return the files of `workshop/`. `hosted` is true if the pictures are on the web already."""
    picture = PlannedFile(
        "workshop/thumbnail.png",
        digest_of(overview.digest(), "workshop", THUMBNAIL),
        lambda out: out.write(encode_png(fitted(overview.draw(), THUMBNAIL))),
    )
    texts = {
        "description.txt": described(game, table, setup),
        "upload.txt": _upload(game, table, hosted=hosted),
    }
    return [picture, *(PlannedFile.of(f"workshop/{name}", text.encode()) for name, text in texts.items())]


def described(game: Game, table: Table, setup: str) -> str:
    """Return the description in the Workshop's markup."""
    return filled_in(
        "workshop_description.txt",
        title=plain(game.title),
        description=plain(game.description),
        players=span(*game.players, "players"),
        minutes=span(*table.minutes, "minutes") if table.minutes[1] else "",
        author=plain(game.author),
        version=plain(game.version),
        setup=plain(setup),
    )


def plain(text: str) -> str:
    """Return a text without markup: its square brackets become round."""
    return re.sub(r"[\[\]]", lambda found: "(" if found[0] == "[" else ")", text).strip()


def _upload(game: Game, table: Table, *, hosted: bool) -> str:
    minutes = "not stated: minutes: [45, 90] under workshop: in table.yaml"
    if table.minutes[1]:
        minutes = span(*table.minutes, "minutes")
    pictures = "Let the Cloud Manager upload all pictures first: nobody else sees those of this computer."
    if hosted:
        pictures = (
            "The pictures are on the web; look at the table from another computer before you upload it."
        )
    return filled_in(
        "workshop_upload.txt",
        title=game.title,
        tags=", ".join(table.tags) or "none stated: tags: [...] under workshop: in the game's table.yaml",
        players=span(*game.players, "players"),
        minutes=minutes,
        pictures=pictures,
    )
