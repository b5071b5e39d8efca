"""How pictures are packed into files, and how many pixels they have."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import BinaryIO

from PIL import Image

from cardgen.drawing.raster import Pixels, encode_jpeg, encode_png, write_png
from cardgen.exporting.job import ExportJob
from cardgen.geometry import Size
from cardgen.units import MM_PER_INCH, to_px

PLAIN = "#4a4f55"
"""The colour of a side that shows nothing."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """PNG or JPEG, by the ending of files. A JPEG can't be seen through."""

    suffix: str
    quality: int = 92

    @property
    def transparent(self) -> bool:
        return self.suffix == ".png"

    def write(self, image: Image.Image, out: BinaryIO, dpi: float = 300) -> None:
        """Pack a picture, which says that it has `dpi`."""
        if self.suffix == ".png":
            out.write(encode_png(image, dpi))
        else:
            out.write(encode_jpeg(image, self.quality, dpi))

    def write_bands(
        self, size: tuple[int, int], bands: Iterable[Pixels], out: BinaryIO, dpi: float = 300
    ) -> None:
        """The same for a picture that comes in bands as wide as it is, from the top; of a PNG no more
        than one of them is held."""
        if self.suffix == ".png":
            write_png(out, size, 3, dpi, (band.data for band in bands))
            return
        whole = Image.new("RGB", size)
        top = 0
        for band in bands:
            whole.paste(band.image(), (0, top))
            top += band.size[1]
        self.write(whole, out, dpi)


def encoding_of(job: ExportJob) -> Encoding:
    """What `--images` says."""
    return Encoding(".jpg" if job.text("images") == "jpeg" else ".png")


def picture_size(trim: Size, dpi: float, texture: int) -> tuple[int, int]:
    """The pixels of a whole side: at `dpi`, or fewer so that both stay under `texture`."""
    fits = (texture - 1) / max(trim.width, trim.height) * MM_PER_INCH
    dpi = min(dpi, fits)
    return max(1, to_px(trim.width, dpi)), max(1, to_px(trim.height, dpi))
