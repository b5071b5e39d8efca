"""`cardgen proof`: one card, both sides, as PNG."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal

from cardgen.commands.choices import PressOptions, is_pattern, language_folder, named_by, select
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
    press: PressOptions | None = None,
    paper_white: bool = False,
) -> list[Path]:
    """Write one card's face and back as PNG files, trimmed (or with bleed), or those of each card that a
    pattern such as `king-*` fits; returns their paths. A
    `language` other than the game's own has a folder of its own. What is wrong with other cards' data
    is passed over. With a `press` they are soft proofs, `CARD-face.cmyk.png`: what that press makes of the
    colours, on white or, if `paper_white`, on its paper's own white.

    Raises UsageError for an unknown game, component, card or colour profile, or where several components
    have the card and none is named; CardgenError for anything wrong in it.
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
    variant = "-low-ink" if low_ink else ""
    write: Callable[..., object] = write_png
    if press is not None:
        from cardgen.commands.pressing import press_of
        from cardgen.commands.soft_proofs import write_soft_proof

        variant += ".cmyk"
        write = partial(write_soft_proof, press_of(press, loaded), paper_white=paper_white)
    chosen = select(loaded, [component] if component else [], [card])
    by_id: dict[str, list[str]] = {}
    for each in chosen:
        by_id.setdefault(each.id, []).append(each.component)
    for id, components in by_id.items():
        if len(components) > 1:
            homes = ", ".join(sorted(components))
            raise UsageError(f"several components have a card '{id}': {homes}", "add --component ID")
    findings = Findings()
    rendering = render_chosen(loaded, chosen, findings, low_ink=low_ink)
    findings.raise_if_errors()
    drawn = draw_all(loaded, rendering, project)
    folder = project.output(game, output, *language_folder(loaded), "proof")
    paths = []
    with Changes(folder) as changes:
        for shown in rendering.cards:
            home = loaded.component(shown.component)
            sides: tuple[tuple[Literal["face", "back"], str | None], ...] = (
                ("face", shown.face),
                ("back", shown.back),
            )
            for side, key in sides:
                if key is not None:
                    shape = home.shape_of(side)
                    options = (
                        RasterOptions(dpi, "bleed")
                        if bleed
                        else RasterOptions(dpi, "trim", shape, home.corner_radius, transparent=True)
                    )
                    name = f"{shown.card}-{side}{variant}.png"
                    changes.write(name, partial(write, drawn, key, options=options))
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
    there = any(named_by(each.id, (card,)) for each in cards)
    gone = is_pattern(card) and any(named_by(each.id, (card,)) for each in game.missing)
    return not errors or (kinds == {"card"} and said and there and not gone)
