"""How a loaded game prints, judged without printing it: for `cardgen check`.

Renders both variants, imposes the sheets on their default paper and looks at contrast.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cardgen.commands.choices import DEFAULT_PAPER
from cardgen.commands.garbage import collector_paused
from cardgen.commands.production import Imposer, fontbook, render_book, render_chosen
from cardgen.commands.rulebooks import book_of
from cardgen.commands.tabletops import check_tabletop
from cardgen.findings import CardgenError, Finding, Findings, Location
from cardgen.model.game import Card, Game

if TYPE_CHECKING:
    from cardgen.drawing.legibility import Contrast
    from cardgen.model.artwork import Rendering
    from cardgen.rendering import LaidOut


@collector_paused()
def check_look(game: Game) -> list[Finding]:
    """What can be said about how a loaded game prints, sorted by file and line.

    Templates and text fit in both variants (full and low ink), the sheets on their default paper,
    contrast and type sizes, snap points and the table. Never raises for bad input.
    """
    findings = Findings()
    try:
        fontbook(game.paths)
    except CardgenError as error:  # fonts.yaml: nothing can be set without it
        return list(error.findings)
    cards = list(game.cards())
    laid_out: dict[str, LaidOut] = {}  # sides that are the same in both variants are judged once
    judged: set[str] = set()
    for low_ink in (False, True):
        rendering = render_chosen(game, cards, findings, low_ink=low_ink, laid_out=laid_out)
        if findings.errors:
            break
        try:
            if not low_ink:
                imposer = Imposer(game, DEFAULT_PAPER)
                for sheet in game.sheets:
                    if book_of(game, sheet) is None:
                        imposer.impose(sheet, rendering, findings)
            new = {key: each for key, each in rendering.artworks.items() if key not in judged}
            judged |= new.keys()
            check_contrast(game, replace(rendering, artworks=new), findings)
            books = [component for component in game.components if component.book is not None]
            rendered = {
                book.id: render_book(game, book, findings, shown=rendering, low_ink=low_ink)
                for book in books
            }
            for sheet in game.sheets if not low_ink else ():
                component = book_of(game, sheet)
                book = None if component is None else rendered[component.id]
                if book is not None:
                    imposer.impose_book(sheet, book.book, findings)
        except CardgenError as error:
            findings.extend(error.findings)
    if not findings.errors:
        check_tabletop(game, findings)
    return findings.sorted()


def check_contrast(game: Game, rendering: Rendering, findings: Findings) -> None:
    """Add a finding for each text of a template that can't be told from its ground, at its worst card.

    The game's limit holds for text; for large type WCAG 2 asks two thirds of it (3 where 4.5).
    """
    from cardgen.drawing import ArtStore
    from cardgen.drawing.legibility import contrasts

    store = ArtStore.open(game.paths.roots[0], game.id)
    cards = {(card.component, card.id): card for card in game.cards()}
    owners: dict[str, tuple[Card, str]] = {}  # the first card that shows a side, and its template
    for art in rendering.cards:
        card = cards[art.component, art.card]
        owners.setdefault(art.face, (card, card.face))
        if art.back is not None and card.back is not None:
            owners.setdefault(art.back, (card, card.back))
    faint: dict[tuple[str, int | None], list[tuple[Contrast, Card, float]]] = {}
    for contrast in contrasts(rendering, fontbook(game.paths), store):
        least = game.limits.contrast * (2 / 3 if contrast.large else 1)
        if contrast.ratio < least - 0.005:
            card, template = owners[contrast.artwork]
            faint.setdefault((template, contrast.text.line), []).append((contrast, card, least))
    for (template, line), found in faint.items():
        contrast, card, least = min(found, key=lambda entry: entry[0].ratio)
        others = f" and {len(found) - 1} more" if len(found) > 1 else ""
        findings.error(
            "text/contrast",
            f"'{contrast.words}' has a contrast of {contrast.ratio:.1f} to its ground, less than "
            f"{least:.1f} (card '{card.id}'{others})",
            Location(f"templates/{template}", line),
            'change a colour; mark mere texture with cg:decor="true"',
        )
    store.save()
