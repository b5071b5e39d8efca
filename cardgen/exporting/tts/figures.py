"""Figures that stand on Tabletop Simulator's table, as its Figurine_Custom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, BinaryIO

from cardgen.drawing.raster import RasterOptions
from cardgen.exporting.encoding import Encoding, picture_size
from cardgen.exporting.job import ExportJob, PlannedFile, Words, digest_of, hashed
from cardgen.exporting.pixels import raster_version
from cardgen.exporting.tts.save_objects import Object, thing, worded
from cardgen.geometry import Shape, Size


def figure_picture(
    job: ExportJob, stem: str, side: str, trim: Size, shape: Shape, encoding: Encoding
) -> PlannedFile:
    """One side of a figure, trimmed. One that is no rectangle is a PNG, transparent around the figure."""
    size = picture_size(trim, job.whole_number("dpi"), job.whole_number("max-texture"))
    if shape != "rectangle":
        encoding = Encoding(".png")
    options = RasterOptions(area="trim", shape=shape)
    digest = digest_of(job.look(side), size, encoding, options, raster_version())

    def write(out: BinaryIO) -> None:
        image = job.sides.image(side, size)
        encoding.write(image if shape == "rectangle" else job.sides.cut_out(side, size, options), out)

    return PlannedFile(hashed(stem, digest, encoding.suffix), digest, write)


def figure(face: str, back: str, words: Words, guid: str, transform: Mapping[str, float]) -> Object:
    """A figure in the program's own stand. `face` and `back` are addresses; without a back the program
    shows the face on both sides (API, Custom Game Objects: `image_secondary`)."""
    image: dict[str, Any] = {
        "ImageURL": face,
        "ImageSecondaryURL": back,
        "ImageScalar": 1.0,
        "WidthScale": 0.0,
    }
    return thing("Figurine_Custom", guid, dict(transform), **worded(words), CustomImage=image)
