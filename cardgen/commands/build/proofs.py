"""`cardgen proof` and `cardgen calibrate`: one card as PNG, one test page for a printer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal

from PIL import Image

from cardgen.commands.production.choices import PressOptions, is_pattern, language_folder, named_by, select
from cardgen.commands.production.stages import Production, load
from cardgen.commands.production.turns import in_turn
from cardgen.core.findings import CardgenError, Findings, Severity, UsageError
from cardgen.core.game import Game
from cardgen.core.geometry import to_px
from cardgen.core.records import replace
from cardgen.files.project import Project
from cardgen.pdf.drift import DRIFT
from cardgen.pdf.ink_conversion import in_inks
from cardgen.pdf.objects import View, write_views
from cardgen.pdf.pixels import RasterOptions, cut_to_shape, encode_png, render, shown_area

if TYPE_CHECKING:
    from cardgen.pdf.objects import DrawnArt
    from cardgen.pdf.pdfx import Press


@in_turn
def proof(
    game: str,
    card: str,
    *,
    component: str | None = None,
    project: Project | None = None,
    dpi: int = 300,
    bleed: bool = False,
    low_ink: bool = False,
    output: Path | None = None,
    language: str | None = None,
    press: PressOptions | None = None,
    paper_white: bool = False,
    drift: bool = False,
) -> list[Path]:
    """Draw the sides of a card as PNG files, trimmed.

    Errors in other cards don't matter. A `language` other than the game's own has its own folder.

    Args:
        game: Its id.
        card: Its id, or a pattern such as `king-*` for several cards.
        component: The card's component; required if several have such a card.
        project: The default is the current folder's project.
        dpi: Dots per inch, from 10 to 2400.
        bleed: Keep the bleed.
        low_ink: Use the light variant of the templates.
        output: The output folder; the default is the project's `output/`.
        press: Write soft proofs, `CARD-face.cmyk.png`: the colors that this press prints.
        paper_white: Show them on the press's own paper instead of white.
        drift: Write `CARD-face.drift.png`: the side as it looks after cuts that are 0.7 mm off.

    Returns:
        The paths of the written files.

    Raises:
        UsageError: No such game, card or other name, several components have the card, or `drift` with
            `bleed` or `press`.
        CardgenError: Errors in the card, all of them.

    Example:
        for path in cardgen.proof("night-market", "early-bird", dpi=150):
            print(path)
    """
    from cardgen.art.cards import BOTH
    from cardgen.exports.png import write_png
    from cardgen.files.changes import Changes

    if not 10 <= dpi <= 2400:
        raise UsageError(f"--dpi {dpi} is not between 10 and 2400")
    if drift and (bleed or press is not None):
        raise UsageError("--drift shows trimmed sides in RGB", "leave --bleed and --inks cmyk out")
    project = project or Project.open()
    loaded = load(game, project=project, language=language, partial=True)
    if not _lacks_only_cards(loaded, card):
        raise CardgenError(*loaded.remarks)
    variant = "-low-ink" if low_ink else ""
    write: Callable[..., object] = write_png
    if press is not None:
        from cardgen.commands.production.pressing import press_of

        variant += "".join(f".{part}" for part in press.name_parts)
        write = partial(write_soft_proof, press_of(press, loaded), paper_white=paper_white)
    if drift:
        variant += ".drift"
        write = write_drift_proof
    chosen = select(loaded, [component] if component else [], [card])
    by_id: dict[str, list[str]] = {}
    for each in chosen:
        by_id.setdefault(each.id, []).append(each.component)
    for id, components in by_id.items():
        if len(components) > 1:
            homes = ", ".join(sorted(components))
            hint = f"choose one: cardgen proof {loaded.id} {id} --component {min(components)}"
            raise UsageError(f"several components have a card '{id}': {homes}", hint)
    findings = Findings()
    with Production(loaded, findings, low_ink=low_ink) as making:
        drawn = making.draw_cards(chosen)
        findings.raise_if_errors()
        art = making.art(drawn.sides)
    folder = project.output(game, output, *language_folder(loaded), "proof")
    paths = []
    with Changes(folder) as changes:
        for shown in drawn.cards:
            home = loaded.component(shown.component)
            for side in BOTH:
                key = shown.face if side == "face" else shown.back
                if key is None:
                    continue
                shape = home.shape_of(side)
                options = RasterOptions(dpi, "trim", shape, home.corner_radius, transparent=True)
                if bleed:
                    options = RasterOptions(dpi, "bleed")
                name = f"{shown.card}-{side}{variant}.png"
                changes.write(name, partial(write, art, key, options=options))
                paths.append(folder / name)
        changes.commit()
    return paths


def _lacks_only_cards(game: Game, card: str) -> bool:
    """Return True if the errors in a game's files only remove cards, and none with this id."""
    errors = [finding for finding in game.remarks if finding.severity is Severity.ERROR]
    kinds = {kind for kind, _ in game.left_out}
    cards = [each for component in game.components for each in component.cards]
    files = {game.where(each).file for each in cards}
    said = all(error.location is not None and error.location.file in files for error in errors)
    there = any(named_by(each.id, (card,)) for each in cards)
    gone = is_pattern(card) and any(named_by(each.id, (card,)) for each in game.missing)
    return not errors or (kinds == {"card"} and said and there and not gone)


def write_soft_proof(
    press: Press, art: DrawnArt, artwork: str, out: BinaryIO, *, options: RasterOptions, paper_white: bool
) -> None:
    """Write a side as the press prints it as a PNG in sRGB, with `paper_white` on the paper's own white.
    Raises KeyError for a side that was not drawn, CardgenError for colors that the press can't print and
    for too many pixels."""
    views = [View(artwork, shown_area(art.faces[artwork], options.area))]
    plates = press.plates(write_views(art, views))
    colors, black = (next(render(plate, views, [options.dpi])) for plate in plates)
    image = press.inks.on_screen(in_inks(colors, black), paper=paper_white)
    if options.shaped:
        image = cut_to_shape(image.convert("RGBA"), options, options.dpi)
    out.write(encode_png(image, options.dpi))


def write_drift_proof(art: DrawnArt, artwork: str, out: BinaryIO, *, options: RasterOptions) -> None:
    """Write a PNG of nine pictures of a side: the right cut in the middle, around it cuts `DRIFT` mm off.
    Raises KeyError for a side that was not drawn, CardgenError for too many pixels."""
    trim, dpi = art.faces[artwork].trim, options.dpi
    places = [(column, row) for row in (-1, 0, 1) for column in (-1, 0, 1)]
    views = [
        View(artwork, replace(trim, x=trim.x + column * DRIFT, y=trim.y + row * DRIFT))
        for column, row in places
    ]
    gap = to_px(_BETWEEN, dpi)
    width, height = to_px(trim.width, dpi), to_px(trim.height, dpi)
    page = Image.new("RGB", (3 * width + 4 * gap, 3 * height + 4 * gap), _TABLE)
    pictures = render(write_views(art, views), views, [dpi] * len(views), transparent=True)
    for (column, row), picture in zip(places, pictures, strict=True):
        cut = cut_to_shape(picture, options, dpi) if options.shaped else picture
        page.paste(cut, (gap + (column + 1) * (width + gap), gap + (row + 1) * (height + gap)), cut)
    out.write(encode_png(page, dpi))


_BETWEEN = 4.0
"""mm between the pictures of a drift proof."""

_TABLE = "#8a8a8a"
"""What they lie on: neither white nor black, so that the edges of all cards are seen."""


Readings = tuple[float, float, float, float] | tuple[float, float, float, float, float, float]
"""x and y at the first target, at the second, and possibly at the third, in mm."""


def calibrate(
    *,
    paper: str = "letter",
    duplex: Literal["long-edge", "short-edge"] = "long-edge",
    landscape: bool = False,
    project: Project | None = None,
    output: Path | None = None,
) -> Path:
    """Write the two-sided test page as PDF and return its path. Raises UsageError for an unknown paper,
    CardgenError if the file can't be written."""
    from cardgen.commands.production.choices import find_paper
    from cardgen.commands.production.fonts import fontbook
    from cardgen.core.artwork import Rendering
    from cardgen.exports.pdf import write_pdf
    from cardgen.files.writing import write_whole
    from cardgen.pdf.drawing import draw
    from cardgen.pdf.store import ArtStore
    from cardgen.sheets.calibration import calibration_sheet

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
    """Store the readings of the test page under the printer's name, with its earlier ones; return the
    profile's path.

    `readings` become a correction for one orientation of pages. `rotation` is the clockwise rotation of
    printed backs in degrees, seen from the face, if a third target shows one. `margin` is the printer's
    white margin in mm. Raises UsageError for an invalid name and for readings that no printer produces.
    """
    from cardgen.commands.production.choices import find_paper
    from cardgen.core.sheets import BackCorrection, PrinterProfile
    from cardgen.game.facts import (
        checked_margin,
        checked_rotation,
        correction_from,
        load_profile,
        profile_names,
        profile_path,
        store_profile,
    )
    from cardgen.sheets.calibration import targets as calibration_targets

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
