"""How pictures are packed into files, and how many pixels they have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO

from PIL import Image

from cardgen.drawing.raster import encode_jpeg, encode_png
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


def encoding_of(job: ExportJob) -> Encoding:
    """What `--images` says."""
    return Encoding(".jpg" if job.text("images") == "jpeg" else ".png")


def picture_size(trim: Size, dpi: float, texture: int) -> tuple[int, int]:
    """The pixels of a whole side: at `dpi`, or fewer so that both stay under `texture`."""
    fits = (texture - 1) / max(trim.width, trim.height) * MM_PER_INCH
    dpi = min(dpi, fits)
    return max(1, to_px(trim.width, dpi)), max(1, to_px(trim.height, dpi))
