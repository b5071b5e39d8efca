"""`--to png`: every side as a picture, `COMPONENT/NN-CARD-face.png`, numbered as in the data.

Where all cards of a component share one back it is there once, as `COMPONENT/back.png`.
"""

from __future__ import annotations

from typing import BinaryIO, Literal

from cardgen.core.game import Component
from cardgen.exports.job import ExportJob, PlannedFile, digest_of, named_sides, raster_version
from cardgen.pdf.objects import DrawnArt
from cardgen.pdf.pixels import TRIMMED, RasterOptions, encode_png, rasterise


def plan(job: ExportJob) -> list[PlannedFile]:
    """The files of `--to png`. Books are no sides; they are left out."""
    return [
        _side(job, f"{side.stem}.png", side.artwork, _options(job, component, side.side))
        for component in job.drawn
        for side in named_sides(component, list(job.pieces(component)))
    ]


def write_png(art: DrawnArt, artwork: str, out: BinaryIO, options: RasterOptions = TRIMMED) -> None:
    """Write the side with that `Artwork.key` to `out`, for a proof; the file states its resolution.
    KeyError for a side that was not drawn."""
    for _, image in rasterise(art, [artwork], options):
        out.write(encode_png(image, options.dpi))


def _options(job: ExportJob, component: Component, side: Literal["face", "back"]) -> RasterOptions:
    dpi = job.whole_number("dpi")
    if job.switch("bleed"):
        return RasterOptions(dpi, "bleed")
    if job.switch("square-corners"):
        return RasterOptions(dpi)
    return RasterOptions(dpi, "trim", component.shape_of(side), component.corner_radius)


def _side(job: ExportJob, name: str, artwork: str, options: RasterOptions) -> PlannedFile:
    opaque = job.switch("opaque")
    digest = digest_of(job.look(artwork), options, opaque, raster_version())
    picture = job.sides.image if opaque else job.sides.cut_out

    def write(out: BinaryIO) -> None:
        out.write(encode_png(picture(artwork, options=options), options.dpi))

    return PlannedFile(name, digest, write)
