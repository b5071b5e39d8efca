"""`cardgen proof`: one card, both sides, as PNG."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from cardgen.commands.choices import language_folder, select
from cardgen.commands.production import draw_all, load, render_chosen
from cardgen.findings import CardgenError, Findings, Severity, UsageError
from cardgen.model.game import Game
from cardgen.project import Project


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
) -> list[Path]:
    """Write one card's face and back as PNG files, trimmed (or with bleed); returns their paths. A
    `language` other than the game's own has a folder of its own. What is wrong with other cards' data
    is passed over.

    Raises UsageError for an unknown game, component or card, or where several components have the
    card and none is named; CardgenError for anything wrong in it.
    """
    from cardgen.drawing.raster import RasterOptions
    from cardgen.exporting.png.plan import write_png
    from cardgen.storage.changes import Changes

    if not 10 <= dpi <= 2400:
        raise UsageError(f"--dpi {dpi} is not between 10 and 2400")
    project = project or Project.open()
    loaded = load(game, project=project, language=language, partial=True)
    if not _lacks_only_cards(loaded, card):
        raise CardgenError(*loaded.remarks)
    chosen = select(loaded, [component] if component else [], [card])
    if len(chosen) > 1:
        homes = ", ".join(sorted(entry.component for entry in chosen))
        raise UsageError(f"several components have a card '{card}': {homes}", "add --component ID")
    findings = Findings()
    rendering = render_chosen(loaded, chosen, findings, low_ink=low_ink)
    findings.raise_if_errors()
    drawn = draw_all(loaded, rendering, project)
    folder = project.output(game, output, *language_folder(loaded), "proof")
    sides = {"face": rendering.cards[0].face, "back": rendering.cards[0].back}
    home = loaded.component(chosen[0].component)
    options = (
        RasterOptions(dpi, "bleed")
        if bleed
        else RasterOptions(dpi, "trim", home.shape, home.corner_radius, transparent=True)
    )
    paths = []
    with Changes(folder) as changes:
        for side, key in sides.items():
            if key is not None:
                name = f"{card}-{side}{'-low-ink' if low_ink else ''}.png"
                changes.write(name, partial(write_png, drawn, key, options=options))
                paths.append(folder / name)
        changes.commit()
    return paths


def _lacks_only_cards(game: Game, card: str) -> bool:
    """Whether nothing is wrong with a game's files but what leaves out cards, and none of this id."""
    errors = [finding for finding in game.remarks if finding.severity is Severity.ERROR]
    kinds = {kind for kind, _ in game.left_out}
    cards = [each for component in game.components for each in component.cards]
    files = {game.where(each).file for each in cards}
    said = all(error.location is not None and error.location.file in files for error in errors)
    return not errors or (kinds == {"card"} and said and any(each.id == card for each in cards))
