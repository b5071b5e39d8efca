"""`--to png`: every side as a picture, `COMPONENT/NN-CARD-face.png`, numbered as in the data. If all cards
of a component share one back, it is written once, as `COMPONENT/back.png`."""

from __future__ import annotations

from typing import BinaryIO, Literal

from cardgen.core.game import Component
from cardgen.exports.job import ExportJob, PlannedFile, named_sides
from cardgen.pdf.objects import DrawnArt
from cardgen.pdf.pixels import TRIMMED, RasterOptions, encode_png, rasterise


def plan(job: ExportJob) -> list[PlannedFile]:
    """Return the files of `--to png`. Books have no sides and are skipped."""
    return [
        _side(job, f"{side.stem}.png", side.artwork, _options(job, component, side.side))
        for component in job.drawn
        for side in named_sides(component, list(job.pieces(component)))
    ]


def write_png(art: DrawnArt, artwork: str, out: BinaryIO, options: RasterOptions = TRIMMED) -> None:
    """Write the side with that `Artwork.key` to `out`, for a proof; the file states its resolution. Raises
    KeyError for a side that was not drawn."""
    for _, image in rasterise(art, [artwork], options):
        out.write(encode_png(image, options.dpi))


def _options(job: ExportJob, component: Component, side: Literal["face", "back"]) -> RasterOptions:
    if job.switch("bleed"):
        return RasterOptions(job.dpi, "bleed")
    if job.switch("square-corners"):
        return RasterOptions(job.dpi)
    return RasterOptions(job.dpi, "trim", component.shape_of(side), component.corner_radius)


def _side(job: ExportJob, name: str, artwork: str, options: RasterOptions) -> PlannedFile:
    opaque = job.switch("opaque")
    draw = job.sides.image if opaque else job.sides.cut_out
    made_of = (job.look(artwork), options, opaque)
    return PlannedFile.of_picture(name, made_of, lambda: draw(artwork, options=options), dpi=options.dpi)
