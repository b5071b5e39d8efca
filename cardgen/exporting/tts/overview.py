"""A picture of the table as it is laid out: what lies where, at true scale, with its name.

Sides are shown as they are printed, turned as they lie. What no template draws (bags, dice, counters,
hand zones) is drawn as a plain shape. Snap points are dots.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from io import BytesIO
from threading import Lock

from PIL import Image, ImageDraw, ImageFont

from cardgen.drawing.raster import RasterOptions
from cardgen.exporting.job import ExportJob, Piece, Side, Tabletop, digest_of
from cardgen.exporting.pixels import Sides, raster_version
from cardgen.exporting.spots import extent_of
from cardgen.exporting.tts.measures import SEAT_TINTS
from cardgen.geometry import Polygon, Size
from cardgen.model.game import Card
from cardgen.model.table import BAG, COUNTER, DIE, NOTE, PAWN, Placed, Seat, SnapRef, Spot
from cardgen.typesetting.shaping import Font
from cardgen.units import MM_PER_INCH

FONT = "IBM Plex Sans Condensed"
LONGEST = 2400
"""Pixels of the picture's longer side, about."""
LETTERS, NOTE_LETTERS = 17, 14
"""Height of labels, and of the text on notes, in pixels."""
NARROWEST = 84
"""Pixels that a label may have across even on a smaller thing."""
_WHITE, _BLACK, _EDGE, _PAPER = (255, 255, 255), (0, 0, 0), (150, 152, 156), (246, 231, 168)


class Overview:
    """The picture of one table. `placed` are its things with their places."""

    def __init__(self, job: ExportJob, tabletop: Tabletop, placed: Sequence[tuple[Placed, Spot]]) -> None:
        self._job, self._tabletop = job, tabletop
        # Boards lie under what lies on them, zones between them and that.
        self._placed = sorted(placed, key=lambda each: (not each[0].locked, each[0].kind != "zone"))
        table = tabletop.table
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
        """Of all that the picture shows."""
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
        """How the side looks that is seen of a thing; empty for what no template draws."""
        if item.kind == "book":
            return self._job.books[item.component].digest
        if item.kind not in ("deck", "piece"):
            return ""
        home = self._job.game.component(item.component)
        shape = home.shape if isinstance(home.shape, Polygon) else home.outline
        return f"{self._job.look(self._seen(item)[1])} {shape} {home.corner_radius}"

    def _seen(self, item: Placed) -> tuple[Piece, str]:
        """The piece on top of a pile, or lying there, and the key of its side that is up."""
        piece = self._job.piece(item.component, item.cards[0][0])
        return piece, piece.face if item.face_up or piece.back is None else piece.back

    def draw(self) -> Image.Image:
        """The picture, RGB: drawn once, however many files show it."""
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
        across, deep = size.width / 2, size.height / 2
        places = [(-across, -deep), (across, -deep), (across, deep), (-across, deep)]
        turned = [spot.place(Spot(x, y)) for x, y in places]
        return [self._point(each.x, each.y) for each in turned]

    # ---------------------------------------------------------------- things

    def _hand(self, image: Image.Image, seat: Seat) -> None:
        red, green, blue = (round(255 * part) for part in SEAT_TINTS[seat.color])
        pen = ImageDraw.Draw(image, "RGBA")
        corners = self._corners(seat.at, self._tabletop.table.hand)
        pen.polygon(corners, fill=(red, green, blue, 60), outline=(red, green, blue, 255), width=4)
        x, y = self._point(seat.at.x, seat.at.y)
        self._write(image, f"{seat.color}: hand", math.inf, x, y)

    def _zone(self, image: Image.Image, item: Placed, spot: Spot) -> None:
        assert item.area is not None
        tint = SEAT_TINTS.get(item.seat or "", (0.8, 0.82, 0.85))
        red, green, blue = (round(255 * part) for part in tint)
        pen = ImageDraw.Draw(image, "RGBA")
        dim = 110 if item.hides is not None else 30
        corners = self._corners(spot, item.area)
        pen.polygon(corners, fill=(red, green, blue, dim), outline=(red, green, blue, 255), width=2)

    def _thing(self, image: Image.Image, item: Placed, spot: Spot) -> None:
        if item.kind in ("deck", "piece"):
            self._side(image, item, spot)
            return
        if item.kind == "zone":
            self._zone(image, item, spot)
            return
        pen = ImageDraw.Draw(image)
        if item.kind == "bag":
            pen.ellipse(self._box(spot, BAG), fill=item.color or "#6b5b45", outline=_WHITE, width=2)
        elif item.kind == "pawn":
            pen.ellipse(self._box(spot, PAWN), fill=item.color or "#ffffff", outline=_BLACK, width=2)
        elif item.kind == "dice":
            for number in range(item.count):
                place = spot.place(Spot((number - (item.count - 1) / 2) * DIE * 1.5, 0.0))
                corners = self._corners(place, Size(DIE, DIE))
                pen.polygon(corners, fill=item.color or "#ffffff", outline=_BLACK, width=2)
        elif item.kind == "book":
            self._book(image, item, spot)
        else:
            size = COUNTER if item.kind == "counter" else NOTE
            pen.polygon(self._corners(spot, size), fill=_PAPER, outline=_BLACK, width=2)
            self._paper(pen, item, spot, size)

    def _paper(self, pen: ImageDraw.ImageDraw, item: Placed, spot: Spot, size: Size) -> None:
        """What a note or a counter says: as many lines of it as there is room for."""
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
        home = self._job.game.component(item.component)
        piece, side = self._seen(item)
        trim = piece.card.trim
        options = RasterOptions(self._scale * MM_PER_INCH, "trim", home.shape, home.corner_radius)
        picture = self._job.sides.cut_out(side, options=options)
        copies = item.total if item.kind == "deck" else item.count
        if copies > 1:  # the edge of the pile below it
            below = Spot(spot.x + 1.6, spot.y + 1.6, spot.turn)
            ImageDraw.Draw(image).polygon(self._corners(below, trim), fill="#8d8f92")
        self._lay(image, picture, spot)
        if home.shape == "rectangle":
            ImageDraw.Draw(image).polygon(self._corners(spot, trim), outline=_EDGE, width=1)
        if item.kind == "piece":
            self._dots(image, item, spot, piece.card)

    def _book(self, image: Image.Image, item: Placed, spot: Spot) -> None:
        book = self._job.books[item.component]
        with Sides(book.art) as sides:
            options = RasterOptions(self._scale * MM_PER_INCH)
            self._lay(image, sides.cut_out(book.cover, options=options), spot)
        ImageDraw.Draw(image).polygon(self._corners(spot, book.trim), outline=_EDGE, width=1)

    def _lay(self, image: Image.Image, picture: Image.Image, spot: Spot) -> None:
        """Put a picture with its middle at a place, turned as things lie there."""
        turned = picture.rotate(-spot.turn, Image.Resampling.BICUBIC, expand=True)
        x, y = self._point(spot.x, spot.y)
        image.paste(turned, (round(x - turned.width / 2), round(y - turned.height / 2)), turned)

    def _dots(self, image: Image.Image, item: Placed, spot: Spot, card: Card) -> None:
        pen = ImageDraw.Draw(image)
        seen: Side = "face" if item.face_up else "back"
        for snap in self._tabletop.snaps.get((item.component, card.id, seen), ()):
            place = spot.place(Spot(snap.x - card.trim.width / 2, snap.y - card.trim.height / 2))
            x, y = self._point(place.x, place.y)
            pen.ellipse((x - 3, y - 3, x + 3, y + 3), fill=_BLACK, outline=_WHITE, width=1)

    # ---------------------------------------------------------------- labels

    def _label(self, image: Image.Image, item: Placed, spot: Spot) -> None:
        """What a thing is called: on a bag, below dice and pawns, else at its lower edge. A piece shows by
        itself what it is, notes and counters say it."""
        if item.kind in ("note", "counter") or (item.name is None and item.kind in ("piece", "dice")):
            return
        small = item.kind in ("dice", "pawn")
        if small and isinstance(item.at, SnapRef):
            return  # a board says what the die on it is for
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
        """A label about a place, or below it, white on a dark ground so that it reads on anything."""
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
    """Type of a size in pixels. A text is set in the first font that has all its letters; a letter that it
    lacks nevertheless is a question mark."""

    def __init__(self, font: Font, pixels: int) -> None:
        self._font, self._pixels = font, pixels
        self._faces: dict[str, ImageFont.FreeTypeFont] = {}

    def setting(self, text: str) -> tuple[ImageFont.FreeTypeFont, str]:
        """The font for a text, and the text as it can be set."""
        font = self._font.stand_in(text)
        if font.key not in self._faces:
            self._faces[font.key] = ImageFont.truetype(BytesIO(bytes(font.blob.data)), self._pixels)
        lacking = set(font.missing(text))
        return self._faces[font.key], "".join("?" if letter in lacking else letter for letter in text)


def _lines(text: str, room: float, font: ImageFont.FreeTypeFont) -> list[str]:
    """A text in lines no wider than `room` pixels where words allow."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font.getlength(longer) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
