"""Pictures of single sides, and the addresses they are fetched from.

Names change with what a picture shows: Tabletop Simulator keeps what it once fetched by its address, so
changed art needs a new one, and unchanged art keeps its old one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO
from urllib.parse import quote

from PIL import Image

from cardgen.drawing.raster import RasterOptions, encode_png
from cardgen.exporting.addresses import local_address, web_address
from cardgen.exporting.encoding import PLAIN, Encoding, picture_size
from cardgen.exporting.job import BookPdf, ExportJob, PlannedFile, digest_of, hashed
from cardgen.exporting.pixels import Sides, raster_version
from cardgen.findings import CardgenError, Finding, Location, Severity
from cardgen.geometry import Size
from cardgen.units import MM_PER_INCH, to_px

Address = Callable[[str], str]
"""From a file's name in the export to the address it is fetched from."""


def single_picture(job: ExportJob, stem: str, side: str, trim: Size, encoding: Encoding) -> PlannedFile:
    """One side, trimmed, as a picture of its own."""
    size = picture_size(trim, job.whole_number("dpi"), job.whole_number("max-texture"))
    digest = digest_of(job.look(side), size, encoding, raster_version())

    def write(out: BinaryIO) -> None:
        encoding.write(job.sides.image(side, size), out)

    return PlannedFile(hashed(stem, digest, encoding.suffix), digest, write)


def blank_side(stem: str, trim: Size, encoding: Encoding, color: str = PLAIN) -> PlannedFile:
    """A side that shows nothing but a colour."""
    size = max(1, to_px(trim.width, 25)), max(1, to_px(trim.height, 25))
    digest = digest_of(size, encoding, color, raster_version())

    def write(out: BinaryIO) -> None:
        encoding.write(Image.new("RGB", size, color), out)

    return PlannedFile(hashed(stem, digest, encoding.suffix), digest, write)


def thumbnail(job: ExportJob, name: str, side: str, options: RasterOptions) -> PlannedFile:
    """The picture beside a saved object: 256 × 256, transparent around the side."""
    digest = digest_of(job.look(side), options, "thumbnail", raster_version())

    def write(out: BinaryIO) -> None:
        out.write(encode_png(fitted(job.sides.cut_out(side, options=options))))

    return PlannedFile(name, digest, write)


def book_thumbnail(book: BookPdf, name: str) -> PlannedFile:
    """The picture beside a rulebook: its first page."""
    options = RasterOptions(256 / book.trim.height * MM_PER_INCH)

    def write(out: BinaryIO) -> None:
        with Sides(book.art) as sides:
            out.write(encode_png(fitted(sides.cut_out(book.cover, options=options))))

    return PlannedFile(name, digest_of(book.digest, "thumbnail", raster_version()), write)


def fitted(image: Image.Image, side: int = 256) -> Image.Image:
    """A picture in the middle of a transparent square, no larger than it is."""
    if image.mode != "RGB":
        image = image.convert("RGBA")
    scale = min(1.0, side / max(image.size))
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    image = image.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0).convert("RGBA")
    square = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    square.paste(image, ((side - image.width) // 2, (side - image.height) // 2))
    return square


def addresses(job: ExportJob) -> Address:
    """Addresses below `--base-url`, or of the files here; a warning where these may not be found.
    Raises CardgenError where they can't be written down."""
    base = job.text("base-url")
    if base is not None:
        web = web_address(base)
        return lambda name: f"{web}/{quote(name)}"
    if any("\udc80" <= sign <= "\udcff" for sign in str(job.folder)):
        message = "this folder's name is not UTF-8, and no address can have it"
        place = Location(job.folder.as_posix())
        hint = "rename it, or export to another folder: --output DIR"
        raise CardgenError(Finding(Severity.ERROR, "tts/address", message, place, hint))
    odd = sorted({sign for sign in str(job.folder) if sign in "#?%"})
    if odd:
        job.findings.warning(
            "tts/address",
            f"this folder's name has a {' and a '.join(odd)}, and addresses with that may not be found",
            Location(job.folder.as_posix()),
            "export to another folder: --output DIR",
        )
    return lambda name: local_address(job.folder / name)
