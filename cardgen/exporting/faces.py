"""`--to png`: every side as a picture, `COMPONENT/NN-CARD-face.png`, numbered as in the data.

Where all cards of a component share one back it is there once, as `COMPONENT/back.png`.
"""

from __future__ import annotations

from functools import partial
from typing import BinaryIO

from cardgen.drawing.raster import RasterOptions, encode_png
from cardgen.exporting.job import ExportJob, PlannedFile, digest_of
from cardgen.exporting.names import named_sides
from cardgen.exporting.pixels import raster_version
from cardgen.model.game import Component


def plan(job: ExportJob) -> list[PlannedFile]:
    """The files of `--to png`. Books are no sides; they are left out."""
    files = []
    for component in job.components:
        if component.book is None:
            files += _component(job, component)
    return files


def _component(job: ExportJob, component: Component) -> list[PlannedFile]:
    options = _options(job, component)
    sides = named_sides(component, list(job.pieces(component)))
    return [_side(job, f"{side.stem}.png", side.artwork, options) for side in sides]


def _options(job: ExportJob, component: Component) -> RasterOptions:
    dpi, transparent = job.whole_number("dpi"), not job.switch("opaque")
    if job.switch("bleed"):
        return RasterOptions(dpi, "bleed", transparent=transparent)
    if job.switch("square-corners"):
        return RasterOptions(dpi, "trim", transparent=transparent)
    return RasterOptions(dpi, "trim", component.shape, component.corner_radius, transparent)


def _side(job: ExportJob, name: str, artwork: str, options: RasterOptions) -> PlannedFile:
    digest = digest_of(job.look(artwork), options, raster_version())
    return PlannedFile(name, digest, partial(_write, job, artwork, options))


def _write(job: ExportJob, artwork: str, options: RasterOptions, out: BinaryIO) -> None:
    out.write(encode_png(job.sides.image(artwork, options=options), options.dpi))
