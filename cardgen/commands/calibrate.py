"""`cardgen calibrate`: the printer's test page, and what is read off it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

from cardgen.project import Project

Readings = tuple[float, float, float, float] | tuple[float, float, float, float, float, float]
"""x and y at the first target, x and y at the second, perhaps those at the third, in mm."""


def calibrate(
    *,
    paper: str = "letter",
    duplex: Literal["long-edge", "short-edge"] = "long-edge",
    landscape: bool = False,
    project: Project | None = None,
    output: Path | None = None,
) -> Path:
    """Write the two-sided test page as PDF; returns its path.

    Raises UsageError for an unknown paper, CardgenError if the file can't be written.
    """
    from cardgen.commands.choices import find_paper
    from cardgen.commands.fonts import fontbook
    from cardgen.drawing.draw import draw
    from cardgen.drawing.store import ArtStore
    from cardgen.exporting.pdf.writing import write_pdf
    from cardgen.imposition import calibration_sheet
    from cardgen.model.artwork import Rendering
    from cardgen.storage.files import write_whole

    project = project or Project.open()
    sheet = calibration_sheet(find_paper(project.paths, paper), duplex, landscape=landscape)
    fonts = fontbook(project.paths)
    nothing = draw(Rendering((), {}), fonts, ArtStore.memory())
    path = project.output("calibration", output).with_suffix(".pdf")
    write_whole(
        path,
        lambda out: write_pdf(sheet, nothing, fonts, out, title="Printer test page", author="cardgen"),
    )
    return path


def store_calibration(
    printer: str,
    readings: Readings | None = None,
    *,
    margin: float | None = None,
    rotation: float | None = None,
    paper: str = "letter",
    landscape: bool = False,
    project: Project | None = None,
) -> Path:
    """Keep what was read off the test page under the printer's name, beside what is known of it already;
    returns the profile's path.

    `readings` become a correction for one orientation of pages; `rotation` says by how many degrees
    clockwise, seen from the face, backs are printed turned, where a third target does not. `margin` is what
    the printer leaves white at the paper's edges in mm. Raises UsageError for a name that can't be one and
    for readings that no printer produces.
    """
    from cardgen.commands.choices import find_paper
    from cardgen.imposition import calibration_targets
    from cardgen.loading.printers import (
        checked_margin,
        checked_rotation,
        correction_from,
        load_profile,
        profile_names,
        profile_path,
        store_profile,
    )
    from cardgen.model.sheets import BackCorrection, PrinterProfile

    project = project or Project.open()
    size = find_paper(project.paths, paper).size
    page = size.upright.turned if landscape else size.upright
    is_stored = profile_path(printer).stem in profile_names()
    profile = load_profile(printer) if is_stored else PrinterProfile(printer)
    correction = profile.landscape if landscape else profile.portrait
    if rotation is not None:
        checked_rotation(rotation)
    if readings is not None:
        points = list(zip(readings[::2], readings[1::2]))
        targets = calibration_targets(page)[: len(points)]
        correction = correction_from(targets, points, (page.width / 2, page.height / 2), rotation)
    elif rotation is not None:
        correction = replace(correction or BackCorrection(), rotation=0.0 - rotation)
    if margin is not None:
        profile = replace(profile, margin=checked_margin(margin))
    if landscape:
        return store_profile(replace(profile, landscape=correction))
    return store_profile(replace(profile, portrait=correction))
