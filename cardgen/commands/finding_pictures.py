"""Small pictures of the cards that findings stand at, for a report."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence

from cardgen.commands.production import draw_all, render_chosen
from cardgen.findings import Finding, Findings
from cardgen.model.game import Card, Game
from cardgen.project import Project

MOST = 24
"""Most cards that are pictured; findings at others stand without."""
DPI = 60


def finding_pictures(
    game: Game, findings: Sequence[Finding], project: Project | None = None
) -> Mapping[Finding, bytes]:
    """By finding, the face of the card that it stands at, as PNG at 60 dpi. None for findings elsewhere,
    and for cards whose face cannot be drawn."""
    from cardgen.drawing.raster import RasterOptions
    from cardgen.exporting.png.plan import write_png

    at = dict(_cards_of(game, findings))
    cards = list({(card.component, card.id): card for card in at.values()}.values())[:MOST]
    if not cards:
        return {}
    problems = Findings()
    rendering = render_chosen(game, cards, problems, sides=("face",))
    drawn = draw_all(game, rendering, project)
    pictures: dict[tuple[str, str], bytes] = {}
    for shown in rendering.cards:
        home = game.component(shown.component)
        options = RasterOptions(DPI, "trim", home.shape_of("face"), home.corner_radius, transparent=True)
        if shown.face is not None:
            out = io.BytesIO()
            write_png(drawn, shown.face, out, options)
            pictures[shown.component, shown.card] = out.getvalue()
    of = {finding: pictures.get((card.component, card.id)) for finding, card in at.items()}
    return {finding: picture for finding, picture in of.items() if picture is not None}


def _cards_of(game: Game, findings: Sequence[Finding]) -> Iterator[tuple[Finding, Card]]:
    """Findings that stand at a card, or at a part of one, with the card."""
    files = {finding.location.file for finding in findings if finding.location is not None}
    places = {}
    for component in game.components:
        for card in component.cards if component.box is None else ():
            if card.file in files:
                place = game.locator.locate(card.file, card.path)
                places[place.file, place.path] = card
    for finding in findings:
        if finding.location is not None:
            path = finding.location.path
            while path and (finding.location.file, path) not in places:
                path = path[: max(path.rfind("."), path.rfind("["), 0)]
            if path:
                yield finding, places[finding.location.file, path]
