"""The pictures of a room, each below the size that importers take."""

from __future__ import annotations

from dataclasses import dataclass, field

from PIL import Image, ImageDraw

from cardgen.drawing.raster import RasterOptions, encode_jpeg, encode_png
from cardgen.exporting.job import ExportJob, digest_of, hashed
from cardgen.exporting.pixels import raster_version, turned
from cardgen.geometry import Size
from cardgen.model.game import Component
from cardgen.units import MM_PER_INCH, to_px

MOST_BYTES = 2 * 1024 * 1024 - 1
"""virtualtabletop.io leaves assets of 2 MiB and more out."""
CARD_DPI = 150
"""A card is shown about 100 px wide, and three to four times as large when pointed at."""
LONGEST = 2400
"""Pixels of a board's longer side, at most."""
DISC = 120
"""Pixels across of a round piece in one colour."""
QUALITY = 88


@dataclass(frozen=True, slots=True)
class Asset:
    """A picture: the side, its pixels before it is turned clockwise by `turn`, and its shape. Without a
    side, a disc in a `color`."""

    name: str
    side: str
    size: tuple[int, int]
    options: RasterOptions
    turn: int
    color: str = ""

    @property
    def address(self) -> str:
        """How widgets name it."""
        return f"package://{self.path}"

    @property
    def path(self) -> str:
        """Where it lies in the ZIP."""
        return f"userassets/{self.name}"


@dataclass(slots=True)
class Assets:
    """The pictures that a room needs, each once."""

    job: ExportJob
    known: dict[str, Asset] = field(default_factory=dict)

    def side(self, component: Component, stem: str, side: str, trim: Size, turn: int = 0) -> str:
        """The address of a side, trimmed. Pieces that are no rectangles are transparent around; `turn`
        turns the picture clockwise by a multiple of 90."""
        long = max(trim.width, trim.height)
        dpi = min(CARD_DPI, LONGEST / long * MM_PER_INCH)
        size = max(1, to_px(trim.width, dpi)), max(1, to_px(trim.height, dpi))
        shaped = component.shape != "rectangle"
        options = RasterOptions(dpi, "trim", component.shape)
        digest = digest_of(self.job.look(side), size, options, turn, QUALITY, MOST_BYTES, raster_version())
        name = hashed(f"{component.id}-{stem}", digest, ".png" if shaped else ".jpg")
        self.known[name] = asset = Asset(name, side, size, options, turn)
        return asset.address

    def disc(self, color: str) -> str:
        """The address of a round piece in one colour, `#1b7399`."""
        size = (DISC, DISC)
        name = hashed("disc", digest_of(color, size), ".png")
        self.known[name] = asset = Asset(name, "", size, RasterOptions(CARD_DPI), 0, color)
        return asset.address

    def encode(self, asset: Asset) -> bytes:
        """The picture's bytes, its pixels made fewer until it is small enough."""
        size = asset.size
        if asset.color:
            return encode_png(_disc(asset.color, size[0]))
        while True:
            if asset.options.shaped:
                data = encode_png(
                    turned(self.job.sides.cut_out(asset.side, size, asset.options), asset.turn)
                )
            else:
                data = encode_jpeg(turned(self.job.sides.image(asset.side, size), asset.turn), QUALITY)
            if len(data) <= MOST_BYTES:
                return data
            size = max(1, round(size[0] * 0.85)), max(1, round(size[1] * 0.85))


def _disc(color: str, size: int) -> Image.Image:
    """A disc with a dark rim and a light one within, so that it is seen on any ground."""
    times = 4  # drawn larger for smooth edges
    image = Image.new("RGBA", (size * times, size * times), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    for inset, fill in ((0.01, "#16161d"), (0.05, "#ffffff"), (0.1, color)):
        near, far = size * times * inset, size * times * (1 - inset)
        pen.ellipse((near, near, far, far), fill=fill)
    return image.resize((size, size), Image.Resampling.LANCZOS)
