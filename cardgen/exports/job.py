"""The input and the output of exporters: a drawn game, and a list of files to write.

An exporter plans first and writes later. Its function `plan` examines everything, reports problems to
`job.findings` and decides every name, number and place. If a finding is an error, no file is written. Each
`PlannedFile` it returns has a digest of all its inputs, so exporting again writes only the files whose
digest has changed.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import textwrap
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import cache
from importlib.metadata import version
from io import StringIO
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TypeVar
from xml.sax.saxutils import escape, quoteattr

import pypdfium2
from jinja2 import Environment, FunctionLoader, StrictUndefined
from PIL import Image

from cardgen.core.artwork import CardArt, Rendering
from cardgen.core.findings import Findings
from cardgen.core.game import Card, Component, Game
from cardgen.core.geometry import MM_PER_INCH, Rect, Shape, Size, to_px
from cardgen.core.records import dataclass, field, replace
from cardgen.core.services import CardDatabase, Service, Value
from cardgen.core.sheets import ImposedSheet
from cardgen.core.table import Tabletop
from cardgen.files.reading import read_bundled
from cardgen.pdf.objects import DrawnArt, DrawnFace, View, write_views
from cardgen.pdf.pixels import (
    TRIMMED,
    Pixels,
    RasterOptions,
    cut_to_shape,
    encode_jpeg,
    encode_png,
    page_pixels,
    shown_area,
    write_png,
)
from cardgen.text.fonts import FontBook

if TYPE_CHECKING:
    from cardgen.pdf.pdfx import Press


@dataclass(frozen=True, slots=True)
class Piece:
    """A distinct card (board, token, …) with its sides: keys of `Rendering.artworks`, `back` None without
    one."""

    card: Card
    face: str
    back: str | None
    copies: int


@dataclass(frozen=True, slots=True)
class BookPdf:
    """A rulebook's pages in reading order as a PDF: how many, their trim, and how to write them. `digest`
    covers all inputs. `art` contains its pages as sides, `keys` their keys in reading order. `sides` gives
    their pixels, from any thread."""

    component: Component
    pages: int
    trim: Size
    digest: str
    write: Callable[[BinaryIO], None]
    art: DrawnArt
    keys: tuple[str, ...]
    sides: Sides

    @property
    def cover(self) -> str:
        return self.keys[0]


@dataclass(frozen=True, slots=True)
class ExportJob:
    """A game ready to be exported.

    `components` are those to export, in the game's order, books included; `partial` is true if the user
    named only some. `cards` have their sides in `art`, and in `rendering` for exporters that need items.
    `settings` contains every option of the exporter (`settings["dpi"]`). `books` and `tabletop` are there
    only for exporters that need them. `folder` is the absolute output folder; `made` gives the paths of
    written files, by name, while a closing file that contains them is written. `sides` gives pixels, from
    any thread. `findings` collects the plan's findings. `service` is the print service of `data/services/`,
    if the target is one. `inks` are those of its PDF, None for RGB. `database` contains the cards of the
    game's deck lists, for exporters that need it.
    """

    game: Game
    components: tuple[Component, ...]
    cards: tuple[CardArt, ...]
    rendering: Rendering
    art: DrawnArt
    sides: Sides
    fontbook: FontBook
    settings: Mapping[str, Value]
    folder: Path
    made: Callable[[str], Path]
    findings: Findings
    books: Mapping[str, BookPdf] = field(default_factory=dict)
    tabletop: Tabletop | None = None
    low_ink: bool = False
    partial: bool = False
    service: Service | None = None
    inks: Press | None = None
    database: CardDatabase | None = None

    @property
    def screen_table(self) -> Tabletop:
        """Return the table, for an exporter that needs it."""
        assert self.tabletop is not None
        return self.tabletop

    @property
    def print_service(self) -> Service:
        """Return the print service of an order."""
        assert self.service is not None
        return self.service

    def build_hint(self, component: Component, lead: str, options: str = "") -> str | None:
        """Return how to build components that an export skips; None if no sheet has them."""
        sheets = [sheet.name for sheet in self.game.sheets if component.id in sheet.components]
        return f"{lead}: cardgen build {self.game.id} --sheet {sheets[0]}{options}" if sheets else None

    @property
    def drawn(self) -> tuple[Component, ...]:
        """Return the components that have sides: all but books."""
        return tuple(component for component in self.components if component.book is None)

    def pieces(self, component: Component) -> Iterator[Piece]:
        """Yield a component's distinct cards with their sides, in the order of the data files."""
        arts = self._arts()
        for card in component.cards:
            art = arts[card.component, card.id]
            yield Piece(card, art.face, art.back, art.copies)

    def needed(self, component: Component) -> Iterator[Piece]:
        """Yield the pieces of a component that have copies for so many players or are on the table."""
        items = self.tabletop.table.items if self.tabletop is not None else ()
        lying = {shown for item in items for shown in item.shown}
        for piece in self.pieces(component):
            if piece.copies > 0 or (component.id, piece.card.id) in lying:
                yield piece

    def piece(self, component: str, card: str) -> Piece:
        """Return a piece by its component and id. Raises KeyError if there is none."""
        art = self._arts()[component, card]
        home = self.game.component(component)
        return Piece(next(each for each in home.cards if each.id == card), art.face, art.back, art.copies)

    def exports(self, component: str) -> bool:
        """Return True if the component with this id is exported."""
        return any(each.id == component for each in self.components)

    def _arts(self) -> dict[tuple[str, str], CardArt]:
        return {(art.component, art.card): art for art in self.cards}

    def look(self, artwork: str) -> str:
        """Return a digest of a side's look: its artwork, and the resulting drawing."""
        return f"{artwork}/{self.art.faces[artwork].name}"

    def sides_of(self, component: Component) -> Sides:
        """Return the pixels of a component's sides, or of a book's pages."""
        return self.sides if component.book is None else self.books[component.id].sides

    @property
    def dpi(self) -> int:
        """Return the requested pixels per inch of pictures."""
        return self._whole_number("dpi")

    @property
    def texture(self) -> int:
        """Return the maximum width and height of a picture in pixels."""
        return self._whole_number("max-texture")

    @property
    def encoding(self) -> Encoding:
        """Return the encoding that `--images` sets."""
        return Encoding(".jpg" if self.text("images") == "jpeg" else ".png")

    def picture_size(self, trim: Size) -> tuple[int, int]:
        """Return the pixels of a whole side: at `dpi`, or fewer so that both stay under `texture`."""
        fits = (self.texture - 1) / max(trim.width, trim.height) * MM_PER_INCH
        dpi = min(self.dpi, fits)
        return max(1, to_px(trim.width, dpi)), max(1, to_px(trim.height, dpi))

    def _whole_number(self, name: str) -> int:
        value = self.settings[name]
        assert isinstance(value, int)
        return value

    def switch(self, name: str) -> bool:
        """Return True if a switch is on."""
        return bool(self.settings[name])

    def text(self, name: str) -> str | None:
        """Return a text setting, None if it was not given."""
        value = self.settings[name]
        return None if value is None else str(value)


@dataclass(frozen=True, slots=True)
class Encoding:
    """PNG or JPEG, by the ending of files. A JPEG can't be transparent."""

    suffix: str
    quality: int = 92

    @property
    def transparent(self) -> bool:
        return self.suffix == ".png"

    def write(self, image: Image.Image, out: BinaryIO, dpi: float = 300) -> None:
        """Write a picture whose metadata gives `dpi`."""
        if self.suffix == ".png":
            out.write(encode_png(image, dpi))
        else:
            out.write(encode_jpeg(image, self.quality, dpi))

    def write_bands(
        self, size: tuple[int, int], bands: Iterable[Pixels], out: BinaryIO, dpi: float = 300
    ) -> None:
        """Write a picture from bands of its full width, from the top. For PNG only one band is in memory at
        a time."""
        if self.suffix == ".png":
            write_png(out, size, 3, dpi, (band.data for band in bands))
            return
        whole = Image.new("RGB", size)
        top = 0
        for band in bands:
            whole.paste(band.image(), (0, top))
            top += band.size[1]
        self.write(whole, out, dpi)


PNG = Encoding(".png")


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file of an export. `name` is relative to the export's folder, with forward slashes. `write` is
    called with the open file, from any thread and in parallel with others. `digest` (see `digest_of`)
    decides if it is called at all. A `closing` file refers to others and is written after them. `also` are
    absolute paths outside of the export's folder that get a copy."""

    name: str
    digest: str
    write: Callable[[BinaryIO], object]
    closing: bool = False
    also: tuple[Path, ...] = ()

    @classmethod
    def of(cls, name: str, content: bytes, *, closing: bool = False) -> PlannedFile:
        """Return a file whose content is already in memory."""
        return cls(name, digest_of(content), lambda out: out.write(content), closing)

    @classmethod
    def of_text(cls, name: str, text: str, *, closing: bool = False) -> PlannedFile:
        """Return a text file in UTF-8."""
        return cls.of(name, text.encode("utf-8"), closing=closing)

    @classmethod
    def of_rows(cls, name: str, rows: Iterable[Sequence[object]]) -> PlannedFile:
        """Return a table as CSV, its first row the header."""
        text = StringIO()
        csv.writer(text, lineterminator="\r\n").writerows(rows)
        return cls.of_text(name, text.getvalue())

    @classmethod
    def of_json(cls, name: str, content: Any, *, closing: bool = False) -> PlannedFile:
        """Return a value as a JSON file."""
        text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
        return cls.of_text(name, text, closing=closing)

    @classmethod
    def of_picture(
        cls,
        name: str,
        made_of: Sequence[object],
        draw: Callable[[], Image.Image],
        encoding: Encoding = PNG,
        dpi: float = 300,
    ) -> PlannedFile:
        """Return a picture that is drawn when it is written. `made_of` lists its inputs besides pixels."""
        digest = digest_of(*made_of, raster_version())
        return cls(name, digest, lambda out: encoding.write(draw(), out, dpi))

    def hashed(self, stem: str, suffix: str) -> PlannedFile:
        """Return this file under a name that changes with its content: `cards-1f0e9c2a77b1.png`."""
        return replace(self, name=hashed(stem, self.digest, suffix))


@cache
def skeleton_text(name: str) -> str:
    """Return a file of `skeletons/`: a file format with the parts that are the same in every file."""
    return read_bundled("exports/skeletons", name).decode("utf-8")


@cache
def _texts() -> Environment:
    """Return the texts of `skeletons/`. In XML each value names its escaping: `|xml`, or `|quoted` for an
    attribute with its quotes."""
    found = Environment(
        loader=FunctionLoader(skeleton_text),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters |= {"xml": escape, "quoted": quoteattr, "wrapped": wrapped}
    return found


def filled_in(name: str, **values: object) -> str:
    """Return a text of `skeletons/`, a template in Jinja, with these values."""
    return _texts().get_template(name).render(values)


WIDTH = 88
"""Characters of a line of text for people."""


def wrapped(text: str, start: str = "") -> str:
    """Return a paragraph in lines, the first after `start`, the others below its text."""
    return textwrap.fill(text, WIDTH, initial_indent=start, subsequent_indent=" " * len(start))


def skeleton(name: str) -> dict[str, Any]:
    """Return a value of a file format with all of its fields, in their order, to be filled in."""
    found: dict[str, Any] = json.loads(skeleton_text(f"{name}.json"))
    return found


def digest_of(*parts: object) -> str:
    """Return 24 hex digits that identify a file's inputs. The `repr` of each part must be complete: text,
    bytes, numbers, tuples, frozen values."""
    state = hashlib.blake2b(digest_size=12)
    for part in parts:
        data = part if isinstance(part, bytes) else repr(part).encode("utf-8")
        state.update(b"%d:" % len(data))
        state.update(data)
    return state.hexdigest()


def pdf_digest(sheet: ImposedSheet, looks: object, game: Game, *more: object) -> str:
    """Return the digest of a PDF of a game: a sheet, its sides' looks, and its other inputs."""
    about = (game.title, game.author, game.description, game.language)
    return digest_of("pdf", sheet, looks, about, os.environ.get("SOURCE_DATE_EPOCH"), *more)


def hashed(stem: str, digest: str, suffix: str) -> str:
    """Return a file name that changes with its content: `cards-1f0e9c2a77b1.png`."""
    return f"{stem}-{digest[:12]}{suffix}"


Area = Literal["bleed", "trim"]
In = TypeVar("In")
Out = TypeVar("Out")

WORKERS = max(2, min(4, os.cpu_count() or 2))
"""Threads that pack pictures. More than four only wait for pdfium."""

_TOGETHER = 40
"""Sides in one document: they share fonts and pictures."""
_MOST_OPEN = 2 * WORKERS
"""Documents kept open, the recently used ones: for each thread its own, and one of backs."""

_PDFIUM = Lock()
"""pdfium has global state: never make two calls at once, even for different documents."""


class Sides:
    """The sides of drawn art as pixels. Close it, or use it in a `with`, to free its memory. It opens the
    pages of some sides at a time, since a document of all would grow with each page rendered."""

    def __init__(self, art: DrawnArt) -> None:
        self._art = art
        self._numbers = {key: number for number, key in enumerate(art.faces)}
        self._keys = list(art.faces)
        self._open: OrderedDict[tuple[Area | Rect, int], Any] = OrderedDict()

    def __enter__(self) -> Sides:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        with _PDFIUM:
            for pdf in self._open.values():
                pdf.close()
            self._open.clear()

    def size(self, artwork: str, dpi: float, area: Area = "trim") -> tuple[int, int]:
        """Return the pixels that a side covers at `dpi`, rounded to nearest."""
        shown = shown_area(self._art.faces[artwork], area)
        return max(1, to_px(shown.width, dpi)), max(1, to_px(shown.height, dpi))

    def image(
        self,
        artwork: str,
        size: tuple[int, int] | None = None,
        options: RasterOptions = TRIMMED,
        mode: Literal["RGB", "RGBA"] = "RGB",
    ) -> Image.Image:
        """Return a side on white paper in `size` pixels (default: its area at `options.dpi`). Its corners
        are cut as `options` say: white outside, or transparent if `mode` is RGBA. Raises KeyError for a
        side that was not drawn."""
        shown = shown_area(self._art.faces[artwork], options.area)
        size = size or self.size(artwork, options.dpi, options.area)
        with self._page(artwork, options.area) as page:
            image = page_pixels(page, size, False)
        if mode == "RGBA":
            image = image.convert(mode)
        if not options.shaped:
            return image
        return cut_to_shape(image, options, size[0] / shown.width * MM_PER_INCH)

    def cut_out(
        self, artwork: str, size: tuple[int, int] | None = None, options: RasterOptions = TRIMMED
    ) -> Image.Image:
        """Return the image as RGBA, transparent only outside the shape."""
        return self.image(artwork, size, options, "RGBA")

    def face(self, artwork: str) -> DrawnFace:
        """Return the drawn side of a key."""
        return self._art.faces[artwork]

    def window(self, artwork: str, area: Rect, size: tuple[int, int]) -> Image.Image:
        """Return any `area` of a side (mm from its bleed's corner) in `size` pixels, RGB, white where there
        is no art."""
        with self._page(artwork, area) as page:
            return page_pixels(page, size, False)

    def paint(self, artwork: str, onto: Pixels, corner: tuple[int, int], size: tuple[int, int]) -> None:
        """Fit a side's trim into a rectangle of `onto`."""
        with self._page(artwork, "trim") as page:
            onto.paint(page, corner, size)

    @contextmanager
    def _page(self, artwork: str, area: Area | Rect) -> Iterator[Any]:
        """Yield a side's page, showing its own area or any rectangle, while holding pdfium's lock."""
        group, number = divmod(self._numbers[artwork], _TOGETHER)
        with _PDFIUM:
            pdf = self._open.get((area, group))
            if pdf is None:
                pdf = self._open[area, group] = self._document(group, area)
                if len(self._open) > _MOST_OPEN:
                    self._open.popitem(last=False)[1].close()
            self._open.move_to_end((area, group))
            with closing(pdf[number]) as page:
                yield page

    def _document(self, group: int, area: Area | Rect) -> Any:
        """Return a document of neighboring sides, one a page."""
        keys = self._keys[group * _TOGETHER : (group + 1) * _TOGETHER]
        views = [
            View(key, area if isinstance(area, Rect) else shown_area(self._art.faces[key], area))
            for key in keys
        ]
        return pypdfium2.PdfDocument(write_views(self._art, views))


_TURNS = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}
"""Pillow turns counter-clockwise."""


def turned(image: Image.Image, turn: int) -> Image.Image:
    """Return a picture turned clockwise by 0, 90, 180 or 270 degrees."""
    return image.transpose(_TURNS[turn]) if turn else image


def raster_version() -> str:
    """Return everything besides the sides that affects pixels, for the digest of any raster file."""
    return f"pdfium {version('pypdfium2')}, pillow {version('pillow')}"


def on_threads(work: Callable[[In], Out], items: Iterable[In]) -> Iterator[Out]:
    """Yield `work` of each item, in order, on threads. Only a few results are kept at a time."""
    rest = iter(items)
    with ThreadPoolExecutor(WORKERS) as pool:
        waiting: list[Future[Out]] = [pool.submit(work, item) for item in islice(rest, WORKERS + 1)]
        try:
            while waiting:
                yield waiting.pop(0).result()
                waiting += [pool.submit(work, item) for item in islice(rest, 1)]
        finally:
            for future in waiting:
                future.cancel()


PLAIN = "#4a4f55"
"""The color of an empty side."""


def side_picture(
    job: ExportJob,
    name: str,
    side: str,
    *,
    size: tuple[int, int] | None = None,
    shape: Shape = "rectangle",
    encoding: Encoding | None = None,
    dpi: float = 300,
) -> PlannedFile:
    """Plan the picture of a trimmed side in `size` pixels, by default its size at `dpi`. It is transparent
    outside its shape if the format allows."""
    encoding = encoding or job.encoding
    options = RasterOptions(dpi, shape=shape if encoding.transparent else "rectangle")
    draw = job.sides.cut_out if options.shaped else job.sides.image
    made_of = (job.look(side), size, options, encoding)
    return PlannedFile.of_picture(name, made_of, lambda: draw(side, size, options), encoding, dpi)


@dataclass(frozen=True, slots=True)
class Named:
    """A side: its file name without ending, its key in the art, its description in words, and which side it
    is."""

    stem: str
    artwork: str
    title: str
    side: Literal["face", "back"]


def numbered(piece: Piece, count: int) -> str:
    """Return a piece's file name among `count`, padded to equal width: `07-wolf`."""
    return f"{piece.card.number:0{max(2, len(str(count)))}}-{piece.card.id}"


def one_back(pieces: Sequence[Piece]) -> str | None:
    """Return the key of the back that all pieces share; None if they don't."""
    backs = {piece.back for piece in pieces}
    return backs.pop() if len(backs) == 1 else None


def named_sides(component: Component, pieces: Sequence[Piece]) -> Iterator[Named]:
    """Yield every side of a component: `COMPONENT/NN-CARD-face` and `-back`, or `COMPONENT/back` once, at
    the end, if all cards share it."""
    shared = one_back(pieces)
    for piece in pieces:
        stem = f"{component.id}/{numbered(piece, len(pieces))}"
        title = f"{component.title}: {piece.card.id}"
        yield Named(f"{stem}-face", piece.face, title, "face")
        if piece.back is not None and shared is None:
            yield Named(f"{stem}-back", piece.back, f"{title}, back", "back")
    if shared is not None:
        yield Named(f"{component.id}/back", shared, f"{component.title}: back", "back")
