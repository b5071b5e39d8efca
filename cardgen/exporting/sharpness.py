"""How sharp cards on shared pictures are: what a picture of bounded size has room for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from cardgen.exporting.cells import MOST_CELLS, Grid, most_cells
from cardgen.exporting.job import ExportJob
from cardgen.geometry import Size
from cardgen.model.game import Component
from cardgen.units import MM_PER_INCH

SHARP_ENOUGH = 0.95
"""The share of the pixels asked for that nobody misses."""


def cells_a_picture(job: ExportJob) -> Callable[[Size], int]:
    """How many cards of a trim share a picture: as many as may, or with `--sharp` as many as have the
    pixels that were asked for."""
    if not job.switch("sharp"):
        return lambda _: MOST_CELLS
    return partial(most_cells, dpi=job.whole_number("dpi"), texture=job.whole_number("max-texture"))


def say_how_sharp(
    job: ExportJob, component: Component, pictures: Sequence[tuple[Grid, Size, int]], code: str
) -> None:
    """Note, under `code`, cards that have fewer pixels an inch than were asked for, since others are on
    their picture. `pictures` are the component's: grid, trim and number of cards of each."""
    asked = job.whole_number("dpi")
    dpi, count = min((grid.cell[0] / trim.width * MM_PER_INCH, count) for grid, trim, count in pictures)
    if dpi >= asked * SHARP_ENOUGH:
        return
    shared = f"{count} cards share a picture" if count > 1 else "a picture is"
    message = f"'{component.id}' has {dpi:.0f} of the {asked} dpi asked for: {shared} of "
    message += f"less than {job.whole_number('max-texture')} pixels"
    place = job.game.locator.locate(f"data/{job.game.id}/game.yaml", ("components", component.id))
    larger = "--max-texture 8192"
    job.findings.note(
        code, message, place, f"more pictures: --sharp; or larger ones: {larger}" if count > 1 else larger
    )
